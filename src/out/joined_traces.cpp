// Tangled from org/out/joined_traces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/joined_traces.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "base/fail.hpp"
#include "base/own_memory.hpp"
#include "base/process.hpp"
#include "out/joined_name.hpp"
#include "out/log_file.hpp"
#include "out/page_file.hpp"
#include "out/shared_file.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {
namespace {

constexpr const char* variable = "CADASTRE_TRACE_JOIN";

class Descriptor : NonCopyable {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() {
    const KeptErrno kept_errno;
    if (number_ >= 0) close(number_);
  }
  operator int() const noexcept { return number_; }

 private:
  const int number_;
};

bool read_head(int file, std::uint64_t place, TraceHead& head) noexcept {
  const auto at = static_cast<off_t>(place);
  return !system_fails(EIO) && pread(file, &head, sizeof head, at) == static_cast<ssize_t>(sizeof head);
}

bool is_joined(const TraceHead& head) noexcept {
  return is_trace_head(head.magic) && head.byte_order == trace_byte_order && head.state == static_cast<std::uint64_t>(TraceState::joined) &&
         head.version_and_part == pack_halves(trace_version, trace_part_bytes);
}

// The part in which the next byte is that was ever written, where the file system says so; UINT64_MAX for none.
std::uint64_t next_written_part(int file, std::uint64_t place) noexcept {
  const off_t data = lseek(file, static_cast<off_t>(place), SEEK_DATA);
  if (data < 0) return errno == ENXIO ? UINT64_MAX : place;
  return std::max(place, static_cast<std::uint64_t>(data) / trace_part_bytes * trace_part_bytes);
}

// A file may have holes of any length, which are passed over.
bool has_head_from(int file, std::uint64_t place, std::uint64_t bytes) noexcept {
  TraceHead head{};
  for (; place < bytes && bytes - place >= sizeof head; place += trace_part_bytes) {
    place = next_written_part(file, place);
    if (place >= bytes || bytes - place < sizeof head) return false;
    if (!read_head(file, place, head) || is_trace_head(head.magic)) return true;  // what cannot be read may be one
  }
  return false;
}

// Where another trace may be appended. False where the file is not one of joined traces.
bool find_end(int file, std::uint64_t bytes, std::uint64_t& end) noexcept {
  TraceHead head{};
  end = 0;
  while (end + sizeof head <= bytes && read_head(file, end, head) && is_joined(head)) {
    const std::uint64_t room = (bytes - end) / trace_part_bytes;
    if (head.parts >= room) return false;  // it was cut
    end += (head.parts + 1) * trace_part_bytes;
  }
  const bool is_ours = end > 0 || bytes == 0 || std::string_view(head.magic, sizeof head.magic) == joined_mark;
  return is_ours && (end == bytes || !has_head_from(file, end, bytes));
}

// Parts that have something, each where it belongs; 0 or an errno. part: room for one.
int append_parts(int own, std::uint64_t parts, int all, std::uint64_t end, char* part) noexcept {
  for (std::uint64_t place = 1; place <= parts; ++place) {
    const ssize_t got = pread(own, part, trace_part_bytes, static_cast<off_t>(place * trace_part_bytes));
    if (got < 0) return errno;
    const auto bytes = static_cast<std::size_t>(got);
    TracePartHead head{};
    if (bytes >= sizeof head) std::memcpy(&head, part, sizeof head);
    if (head.state == static_cast<std::uint64_t>(TracePartState::empty)) continue;
    const std::size_t used = head.state == static_cast<std::uint64_t>(TracePartState::full) ? std::min(head.used, bytes) : bytes;
    if (const int error = write_bytes(all, end + place * trace_part_bytes, {part, used})) return error;
  }
  return 0;
}

// The text first: a kill between the two leaves no head.
int append_head(int own, int all, std::uint64_t end, char* part) noexcept {
  const ssize_t got = pread(own, part, trace_part_bytes, 0);
  if (got < static_cast<ssize_t>(sizeof(TraceHead))) return got < 0 ? errno : EIO;
  TraceHead head;
  std::memcpy(&head, part, sizeof head);
  head.state = static_cast<std::uint64_t>(TraceState::joined);
  std::memcpy(part, &head, sizeof head);
  const std::string_view bytes(part, std::min(static_cast<std::size_t>(got), sizeof head + head.text_bytes));
  if (const int error = write_bytes(all, end + sizeof head, bytes.substr(sizeof head))) return error;
  return write_bytes(all, end, bytes.substr(0, sizeof head));
}

int set_length(int file, std::uint64_t bytes) noexcept {
  return bytes > longest_file() ? EFBIG : system_fails(EIO) || ftruncate(file, static_cast<off_t>(bytes)) != 0 ? errno : 0;
}

// As long as a head, since that is read.
int write_mark(int file) noexcept {
  char first[sizeof(TraceHead)] = "";
  std::memcpy(first, joined_mark, sizeof TraceHead::magic);
  return write_bytes(file, 0, {first, sizeof first});
}

const char* append_trace(int own, int all) noexcept {
  struct stat status{};
  TraceHead head{};
  std::uint64_t end = 0;
  if (fstat(all, &status) != 0 || !S_ISREG(status.st_mode)) return "the file of all is no regular file";
  if (!find_end(all, static_cast<std::uint64_t>(status.st_size), end))
    return "the file of all has something else than joined traces; move it away";
  if (!read_head(own, 0, head)) return "its own file cannot be read";
  const OwnRoom part(trace_part_bytes);
  if (!part.begin()) return "there is no memory to append it";
  int error = set_length(all, end);  // what a process left that was killed while it appended
  if (error == 0 && end == 0) error = write_mark(all);
  if (error == 0) error = set_length(all, end + (head.parts + 1) * trace_part_bytes);
  if (error == 0) error = append_parts(own, head.parts, all, end, part.begin());
  if (error == 0) error = append_head(own, all, end, part.begin());
  if (error == 0 && !keeps_reserved_pages(all) && fdatasync(all) != 0) error = errno;  // as a server may, that refuses late
  if (error == 0) return nullptr;
  [[maybe_unused]] const int ignored = ftruncate(all, static_cast<off_t>(end));
  return error == ENOSPC || error == EDQUOT || error == EFBIG ? "the file of all has no room for it" : "the file of all cannot be written";
}

const char* problem_with_lock(int error) noexcept {
  switch (error) {
    case EWOULDBLOCK: return "another process has the file of all locked";
    case ELOOP: return "the name of the file of all is a link";
    default: return "the file of all cannot be opened and locked";
  }
}

// Why it was not; null where it was.
const char* join_trace(const Output& trace, const char* name) noexcept {
  if (!is_ended_trace(trace.path(), process_id())) return "its own file is not the trace that was ended";
  const Descriptor own(open_far_away(trace.path(), O_RDONLY));
  if (!trace.is_behind(own)) return "its own file is another one";
  const LockedFile all(name);
  if (all < 0) return problem_with_lock(errno);
  if (const char* const problem = append_trace(own, all)) return problem;
  unlink(trace.path());
  return nullptr;
}

std::size_t longest_name(const std::string& folder) noexcept {
  const long most = pathconf(folder.empty() ? "." : folder.c_str(), _PC_NAME_MAX);
  return most > 0 ? static_cast<std::size_t>(most) : NAME_MAX;
}

bool is_inside_character(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }  // of UTF-8

// As a pattern. Throws std::bad_alloc.
std::string name_of_own(std::string_view all) {
  char behind[PATH_MAX] = "";
  expand_name(behind_joined_name, behind);
  const std::size_t begin = all.rfind('/') + 1, taken = std::strlen(behind);
  const std::size_t most = longest_name(std::string(all.substr(0, begin)));
  std::size_t end = std::min(all.size(), begin + (most > taken ? most - taken : 0));
  while (end > begin && end < all.size() && is_inside_character(all[end])) --end;
  std::string own;
  for (const char character : std::string(all.substr(0, end)) + behind)
    own += character == '%' ? std::string("%%") : std::string(1, character);
  return own;
}

}  // namespace

void JoinedTrace::say_problem() noexcept {
  note_problem(variable, problem_);
  write_note("apart", variable, problem_);
}

std::string JoinedTrace::own_name(const Environment& settings) {
  if (!settings.traces_joined) return settings.trace;
  const char* why = why_not_joined(settings.trace, settings.traces_kept > 0);
  struct stat status{};
  const bool fits = expand_name(settings.trace, all_);
  if (!why && fits && lstat(all_, &status) == 0 && !S_ISREG(status.st_mode)) why = "the name is that of something else than a file";
  wanted_ = !why && fits;
  if (wanted_) return name_of_own(all_);
  if (why) {
    std::snprintf(problem_, sizeof problem_, "%s: it has no effect: %s", variable, why);
    say_problem();
  }
  return settings.trace;
}

void JoinedTrace::end(const Output& trace) noexcept {
  const KeptErrno kept_errno;
  const char* const own = trace.path();
  const char *const own_slash = std::strrchr(own, '/'), *const slash = std::strrchr(all_, '/');
  std::snprintf(found_, sizeof found_, "%.*s%s", own_slash ? static_cast<int>(own_slash + 1 - own) : 0, own, slash ? slash + 1 : all_);
  const char* const why = join_trace(trace, found_);
  if (!why) return write_note("joined", variable, found_);
  std::snprintf(problem_, sizeof problem_, "%s: the trace stays in %s: %s", variable, own, why);
  say_problem();
}

}  // namespace cadastre::internal
