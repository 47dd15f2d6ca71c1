// Tangled from org/out/output.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/fail.hpp"
#include "base/non_copyable.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "out/log_file.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t last_words = 120;  // what each page keeps free for the comment that ends the file

}  // namespace

bool expand_name(std::string_view pattern, char (&name)[PATH_MAX]) noexcept {
  std::size_t used = 0;
  const auto put = [&](std::string_view text) {
    const std::size_t count = std::min(text.size(), sizeof name - used);
    std::memcpy(name + used, text.data(), count);
    used += count;
  };
  char digits[24];
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char escape = pattern[at] == '%' && at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    const char* const rank = process().rank;
    switch (escape) {
      case 'h': put(process().host); break;
      case 'r': put(*rank ? rank : "0"); break;
      case 'p': put({digits, std::to_chars(digits, std::end(digits), process_id()).ptr}); break;
      case '%': put("%"); break;
      default: put(pattern.substr(at, 1)); continue;
    }
    ++at;
  }
  if (used >= sizeof name) return false;
  name[used] = '\0';
  return true;
}

namespace {

// The number of a descriptor of this process that a name stands for; -1 for none.
int number_in(std::string_view name) noexcept {
  if (name == "/dev/stdin") return STDIN_FILENO;
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {std::string_view("/dev/fd/"), std::string_view("/proc/self/fd/")}) {
    if (take_prefix(name, folder)) return parse_number<int>(name).value_or(-1);
  }
  return -1;
}

constinit bool closed_at_first[STDERR_FILENO + 1] = {};

[[gnu::constructor(101)]] void look_at_standard_streams() noexcept {
  const KeptErrno kept_errno;
  for (int number = 0; number <= STDERR_FILENO; ++number) closed_at_first[number] = fcntl(number, F_GETFD) < 0;
}

// A descriptor with the number of a missing standard stream is a file that the program opened for itself.
bool was_closed_at_first(int number) noexcept { return number >= 0 && number <= STDERR_FILENO && closed_at_first[number]; }

// Another name next to a name: with host, process and, from the second on, a count before its extension.
bool name_next_to(std::string_view name, int count, char (&own)[PATH_MAX]) noexcept {
  const std::size_t slash = name.rfind('/'), dot = name.rfind('.');
  const bool has_ending = dot != std::string_view::npos && dot > 0 && (slash == std::string_view::npos || dot > slash + 1);
  const std::size_t stem = has_ending ? dot : name.size();
  char suffix[16] = "";
  if (count > 1) std::snprintf(suffix, sizeof suffix, "-%d", count);
  const int length = std::snprintf(own, sizeof own, "%.*s.%s.%lld%s%.*s", static_cast<int>(stem), name.data(), process().host,
                                   static_cast<long long>(process_id()), suffix, static_cast<int>(name.size() - stem), name.data() + stem);
  return length > 0 && static_cast<std::size_t>(length) < sizeof own;
}

}  // namespace

namespace {

int opened(const char* path, int flags, int access = O_WRONLY | O_APPEND) noexcept {
  int descriptor;
  do {
    descriptor = system_fails(EMFILE) ? -1 : ::open(path, access | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace

int far_away(int descriptor) noexcept {
  for (const int least : {250, 60, 3}) {
    const int far = system_fails(EMFILE) ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, least);
    if (far >= 0 || errno != EINVAL) return far;
  }
  return -1;
}

namespace {

constexpr const char* used_by_others = "is in use by another process";

// Why a trace that is there must not be emptied; null where it may. A process that lives may write it, although its program has closed the descriptor that had the lock.
const char* why_trace_stays(const char* name) noexcept {
  TraceHead head{};
  const int file = opened(name, 0, O_RDONLY);
  const bool read_all = file >= 0 && pread(file, &head, sizeof head, 0) == static_cast<ssize_t>(sizeof head);
  if (file >= 0) ::close(file);
  if (!read_all || !is_trace_head(head.magic) || head.byte_order != trace_byte_order) return nullptr;
  if (head.state == static_cast<std::uint64_t>(TraceState::joined)) return "has traces that processes have joined";
  if (head.state != static_cast<std::uint64_t>(TraceState::written)) return nullptr;
  return ::kill(static_cast<pid_t>(head.process), 0) == 0 || errno == EPERM ? used_by_others : nullptr;
}

}  // namespace

int open_far_away(const char* path, int access) noexcept {
  const int first = opened(path, 0, access);
  if (first < 0) return -1;
  const int descriptor = far_away(first);
  const KeptErrno kept_errno;
  ::close(first);
  return descriptor;
}

namespace {

bool is_writable(int descriptor) noexcept {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

// The program's standard stream that is this file; -1 when none is.
int standard_stream(const struct stat& file) noexcept {
  for (const int number : {STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO}) {
    if (is_of(number, identity_of(file))) return number;
  }
  return -1;
}

// Takes the lock of a regular file. Why the file is not to be written, or null. made: by this process.
const char* why_taken(const char* name, int descriptor, bool made, bool is_empty, ThereBefore before) noexcept {
  if (was_written_before(name)) return "was written by another process of the same recording";
  const bool locked = !system_fails(ENOLCK) && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  if (!locked && (errno == EWOULDBLOCK || (!made && !is_empty))) return used_by_others;
  if (made) return nullptr;
  if (const char* const why = why_trace_stays(name)) return why;
  return before == ThereBefore::stays && !is_empty ? "is of a process before" : nullptr;
}

}  // namespace

bool Output::open(std::string_view pattern, ThereBefore before) noexcept {
  const KeptErrno kept_errno;
  char name[PATH_MAX];
  bool was_closed = false;
  int error = ENAMETOOLONG;
  if (expand_name(pattern, name)) {
    const int number = number_in(name);
    was_closed = was_closed_at_first(number);
    error = was_closed ? EBADF : number >= 0 ? open_inherited(number) : open_name(name, before);
    if (why_taken_) error = open_next_to(name);
  }
  if (error != 0) {
    const Text why = was_closed ? Text("it was closed when the program started") : text_of_errno(error);
    std::snprintf(problem_, sizeof problem_, "%s: the file cannot be written (%.100s): %s", variable_, why.characters,
                  error == ENAMETOOLONG ? "its name" : name);
    note_problem(variable_, problem_);
    write_note("failed", variable_, problem_);
    return false;
  }
  note_name(name, before);
  return true;
}

namespace {

// Of a terminal a description of our own, where we may have one. A handler of signals may ask.
int duplicate_of(int number) noexcept {
  constexpr std::string_view folder = "/proc/self/fd/";
  char path[folder.size() + 12] = {};
  std::to_chars(path + folder.copy(path, folder.size()), std::end(path) - 1, number);
  const int anew = isatty(number) ? open_far_away(path, O_WRONLY) : -1;
  return anew >= 0 ? anew : far_away(number);
}

}  // namespace

int Output::open_inherited(int number) noexcept {
  if (!is_writable(number)) return EBADF;
  const int descriptor = duplicate_of(number);
  const int error = descriptor < 0 ? errno : keep(descriptor, true);
  if (error == 0) stream_ = number;
  return error;
}

// Takes a descriptor for its own; 0, or an errno.
int Output::keep(int descriptor, bool inherited) noexcept {
  struct stat status{};
  if (system_fails(EIO) || fstat(descriptor, &status) != 0) {
    const int error = errno;
    ::close(descriptor);
    return error;
  }
  descriptor_ = descriptor;
  file_ = identity_of(status);
  regular_ = !inherited && S_ISREG(status.st_mode);
  inherited_pipe_ = inherited && S_ISFIFO(status.st_mode);
  socket_ = S_ISSOCK(status.st_mode);
  length_ = 0;
  return 0;
}

int Output::open_name(const char* name, ThereBefore before) noexcept {
  int first = opened(name, O_CREAT | O_EXCL);
  const bool created = first >= 0;
  if (!created) first = opened(name, O_CREAT);
  if (first < 0) return errno;
  const int descriptor = far_away(first);
  int error = descriptor < 0 ? errno : 0;
  ::close(first);
  struct stat status{};
  if (error == 0 && (system_fails(EIO) || fstat(descriptor, &status) != 0)) error = errno;
  if (error == 0 && S_ISREG(status.st_mode)) {
    const int stream = created ? -1 : standard_stream(status);
    if (stream >= 0 && is_writable(stream)) {
      ::close(descriptor);
      return open_inherited(stream);
    }
    why_taken_ = stream >= 0 ? "is in use by the program" : why_taken(name, descriptor, created, status.st_size == 0, before);
    if (!why_taken_ && (system_fails(EIO) || ftruncate(descriptor, 0) != 0)) error = errno;
  }
  if (error == 0 && !why_taken_) {
    made_ = created;
    if (!realpath(name, path_)) std::snprintf(path_, sizeof path_, "%s", name);
    return keep(descriptor, false);
  }
  if (descriptor >= 0) ::close(descriptor);
  return error;
}

int Output::open_next_to(const char* name) noexcept {
  constexpr int most = 100;
  char own[PATH_MAX];
  for (int count = 1; count <= most; ++count) {
    if (!name_next_to(name, count, own)) return ENAMETOOLONG;
    const int first = opened(own, O_CREAT | O_EXCL);
    if (first < 0 && errno == EEXIST) continue;
    const int descriptor = first < 0 ? -1 : far_away(first);
    const int error = descriptor < 0 ? errno : 0;
    if (first >= 0) ::close(first);
    if (error != 0) return error;
    flock(descriptor, LOCK_EX | LOCK_NB);
    made_ = true;
    if (!realpath(own, path_)) std::snprintf(path_, sizeof path_, "%s", own);
    return keep(descriptor, false);
  }
  return EEXIST;
}

void Output::close() noexcept {
  const KeptErrno kept_errno;
  if (is_behind(descriptor_)) ::close(descriptor_);
  descriptor_ = -1;
}

void Output::discard() noexcept {
  const KeptErrno kept_errno;
  if (made_ && regular_ && is_behind(descriptor_) && identity_of(AT_FDCWD, path_) == file_) unlink(path_);
  close();
}

bool Output::is_behind(int descriptor) const noexcept { return descriptor >= 0 && !system_fails(EIO) && is_of(descriptor, file_); }

// A stream of the program's, where it is still the same file.
int Output::duplicate_again() noexcept {
  const int descriptor = duplicate_of(stream_);
  if (is_behind(descriptor)) {
    descriptor_ = descriptor;
    return 0;
  }
  if (descriptor >= 0) ::close(descriptor);
  return EBADF;
}

// The lock ended with the descriptor: a process that uses the file since then keeps it, as it does when something was written to it.
int Output::open_again() noexcept {
  descriptor_ = -1;
  if (stream_ >= 0) return duplicate_again();
  if (!regular_) return EBADF;
  const int descriptor = open_far_away(path_, O_WRONLY | O_APPEND);
  if (descriptor < 0) return errno;
  struct stat status{};
  const bool same = !system_fails(EIO) && fstat(descriptor, &status) == 0 && identity_of(status) == file_ &&
                    static_cast<std::uint64_t>(status.st_size) == length_;
  if (same && (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)) {
    descriptor_ = descriptor;
    return 0;
  }
  ::close(descriptor);
  return EBADF;
}

// 0, or an errno. Who was waited for in vain is not waited for again until he has read something.
int Output::wait_for_a_reader() noexcept {
  constexpr std::int64_t millisecond = 1'000'000, patience = 10'000 * millisecond;
  const std::int64_t end = clock_of(CLOCK_MONOTONIC) + (was_in_vain_ ? 0 : patience);
  pollfd ready{descriptor_, POLLOUT, 0};
  while (true) {
    const std::int64_t left = std::max<std::int64_t>(0, end - clock_of(CLOCK_MONOTONIC));
    const int count = poll(&ready, 1, static_cast<int>(left / millisecond));
    was_in_vain_ = count <= 0;
    if (count > 0) return 0;
    if (count == 0) return ETIMEDOUT;
    if (errno != EINTR) return errno;
  }
}

// How much of a text a pipe takes without a wait, when it takes anything.
std::size_t Output::taken_at_once(std::size_t size) const noexcept {
  int waiting = 0;
  const int room = fcntl(descriptor_, F_GETPIPE_SZ);
  const bool is_empty = room > 0 && ioctl(descriptor_, FIONREAD, &waiting) == 0 && waiting == 0;
  return is_empty && size <= static_cast<std::size_t>(room) ? size : std::min<std::size_t>(size, PIPE_BUF);
}

ssize_t Output::write_some(std::string_view text) noexcept {
  if (system_fails(ENOSPC)) return -1;
  if (socket_) return send(descriptor_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return ::write(descriptor_, text.data(), inherited_pipe_ ? taken_at_once(text.size()) : text.size());
}

int Output::write_all(std::string_view text) noexcept {
  while (!text.empty()) {
    if (inherited_pipe_) {
      if (const int error = wait_for_a_reader()) return error;
    }
    const ssize_t written = write_some(text);
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      if (const int error = wait_for_a_reader()) return error;
    } else if (written == 0 || errno != EINTR) {
      return written == 0 ? ENOSPC : errno;
    }
  }
  return 0;
}

int Output::write(std::string_view text) noexcept {
  if (descriptor_ < 0) return EBADF;
  if (!is_behind(descriptor_)) {
    if (const int error = open_again()) return error;
  }
  if (!regular_) {
    const NoWriteSignal held;
    return write_all(text);
  }
  if (length_ + text.size() > longest_file()) return EFBIG;
  const int error = write_all(text);
  if (error == 0) {
    length_ += text.size();
  } else if (system_fails(EIO) || ftruncate(descriptor_, static_cast<off_t>(length_)) != 0) {
    return errno;
  }
  return error;
}

int Output::try_append(std::string_view text) noexcept {
  const KeptErrno kept_errno;
  return write(text);
}

bool Output::append(std::string_view text, const char* what) noexcept {
  const int error = try_append(text);
  const KeptErrno kept_errno;
  if (error != 0) note_failure(error, what);
  return error == 0;
}

bool Output::append_line(std::string_view line, const char* what) noexcept {
  if (!regular_) return append(line, what);
  const KeptErrno kept_errno;
  const std::size_t left = page - length_ % page;
  const bool fits = line.size() + last_words <= left;
  char filled[2 * page];
  std::memset(filled, '\n', left);
  std::memcpy(filled + (fits ? 0 : left), line.data(), line.size());
  const std::size_t size = (fits ? 0 : left) + line.size();
  const int error = length_ + size + last_words > longest_file() ? EFBIG : write({filled, size});
  if (error == 0) return true;
  char comment[last_words];
  std::snprintf(comment, sizeof comment - 1, "# %.60s: %.50s", what, text_of_errno(error).characters);
  std::strcat(comment, "\n");
  write(comment);
  note_failure(error, what);
  return false;
}

void Output::note_name(const char* name, ThereBefore before) noexcept {
  const char* const path = *path_ ? path_ : name;
  if (why_taken_ && before != ThereBefore::stays) {
    std::snprintf(other_name_, sizeof other_name_,
                  "%s: the file %s, this one writes to %s (%%p, %%r and %%h in the name give each process its own file)", variable_,
                  why_taken_, path);
    note_problem(variable_, other_name_);
    write_note("renamed", variable_, path);
  }
  write_note("opened", variable_, path);
}

void Output::note_failure(int error, const char* what) noexcept {
  if (problem_[0]) return;
  std::snprintf(problem_, sizeof problem_, "%s: %s: %.100s", variable_, what, text_of_errno(error).characters);
  note_problem(variable_, problem_);
  write_note("failed", variable_, problem_);
}

}  // namespace cadastre::internal
