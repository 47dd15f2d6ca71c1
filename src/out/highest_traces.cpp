// Tangled from org/out/highest_traces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/highest_traces.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.hpp"
#include "base/process.hpp"
#include "out/highest_format.hpp"
#include "out/output.hpp"
#include "out/page_file.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {
namespace {

class LockedList : NonCopyable {
 public:
  explicit LockedList(const std::string& path) noexcept {
    const int first =
        system_fails(EACCES) ? -1 : open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    if (first < 0) return;
    descriptor_ = far_away(first);
    close(first);
    locked_ = descriptor_ >= 0 && lock();
  }
  ~LockedList() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  bool is_locked() const noexcept { return locked_; }

  std::string read() {
    constexpr std::size_t most = 64 << 20;
    char part[4096];
    for (ssize_t got; before_.size() < most && (got = pread(descriptor_, part, sizeof part, static_cast<off_t>(before_.size()))) > 0;) {
      before_.append(part, static_cast<std::size_t>(got));
    }
    return before_;
  }
  // All of it; or nothing is changed, and false.
  bool write(const std::string& text) noexcept {
    if (put(text)) return true;
    put(before_);  // what was there has its room
    return false;
  }

 private:
  bool lock() noexcept {
    constexpr int most_attempts = 500;
    constexpr timespec pause{0, 20'000'000};
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      if (!system_fails(ENOLCK) && flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return true;
      if (errno != EWOULDBLOCK && errno != EINTR) return false;
      nanosleep(&pause, nullptr);
    }
    return false;
  }
  bool put(std::string_view text) noexcept {
    if (write_bytes(descriptor_, 0, text) != 0) return false;
    return !system_fails(EIO) && ftruncate(descriptor_, static_cast<off_t>(text.size())) == 0;
  }

  int descriptor_ = -1;
  bool locked_ = false;
  std::string before_;
};

// Not one that is written, or another's.
bool is_ended_trace(const std::string& path, std::int64_t process) noexcept {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return false;
  union {
    TraceHead head;
    char text[256];
  } read;
  std::memset(&read, 0, sizeof read);
  const ssize_t got = pread(file, &read, sizeof read, 0);
  close(file);
  if (got < 0) return false;
  if (std::memcmp(read.head.magic, trace_magic, sizeof trace_magic) == 0) {  // what was not read is 0
    return read.head.state == static_cast<std::uint64_t>(TraceState::ended) && read.head.process == static_cast<std::uint64_t>(process);
  }
  char expected[64];
  std::snprintf(expected, sizeof expected, ", process %" PRId64 " on ", process);
  const std::string_view text(read.text, static_cast<std::size_t>(got));
  return text.starts_with("# cadastre ") && text.substr(0, text.find('\n')).find(expected) != std::string_view::npos;
}

// The list with one more trace, and those that go: the lowest of more than the most. Traces that are not there any more are in no list.
std::vector<HighestTrace> take_in(HighestTraces& all, const HighestTrace& own, std::size_t most, const std::string& folder) {
  const auto is_gone = [&](const HighestTrace& trace) {
    return trace.file == own.file || access((folder + trace.file).c_str(), F_OK) != 0;
  };
  all.kept.erase(std::remove_if(all.kept.begin(), all.kept.end(), is_gone), all.kept.end());
  all.kept.push_back(own);
  std::stable_sort(all.kept.begin(), all.kept.end(), [](const HighestTrace& a, const HighestTrace& b) { return a.peak > b.peak; });
  std::vector<HighestTrace> gone;
  for (; all.kept.size() > most; all.kept.pop_back()) {
    gone.push_back(all.kept.back());
    add_removed(all, all.kept.back().peak);
  }
  return gone;
}

}  // namespace

void keep_highest_traces(std::string_view pattern, std::string_view path, std::uint64_t peak, std::size_t most) noexcept {
  const KeptErrno kept_errno;
  try {
    const std::size_t slash = path.rfind('/');
    const std::string folder(path.substr(0, slash + 1)), file(path.substr(slash + 1));
    if (file.find_first_of("\t\n") != std::string::npos) return;
    LockedList list(folder + name_of_highest(pattern));
    if (!list.is_locked()) return;
    HighestTraces all = read_highest(list.read());
    const std::vector<HighestTrace> gone = take_in(all, {peak, process().host, process_id(), file}, most, folder);
    if (!list.write(text_of(all))) return;
    for (const HighestTrace& trace : gone) {
      if (is_ended_trace(folder + trace.file, trace.process)) unlink((folder + trace.file).c_str());
    }
  } catch (const std::exception&) {  // no memory: the trace stays
  }
}

}  // namespace cadastre::internal
