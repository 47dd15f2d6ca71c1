// Tangled from org/out/highest_traces.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/highest_traces.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "base/process.hpp"
#include "out/highest_format.hpp"
#include "out/page_file.hpp"
#include "out/shared_file.hpp"

namespace cadastre::internal {
namespace {

class LockedList : NonCopyable {
 public:
  explicit LockedList(std::string path) noexcept : path_(std::move(path)), descriptor_(path_.c_str()) {}
  bool is_locked() const noexcept { return descriptor_ >= 0; }

  std::string read() {
    constexpr std::size_t most = 64 << 20;
    char part[512];  // a handler of signals may end the process on a small stack
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
  bool put(std::string_view text) noexcept {
    if (write_bytes(descriptor_, 0, text) != 0) return false;
    return !system_fails(EIO) && ftruncate(descriptor_, static_cast<off_t>(text.size())) == 0;
  }

  const std::string path_;
  const LockedFile descriptor_;
  std::string before_;
};

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
      const std::string name = folder + trace.file;
      if (is_ended_trace(name.c_str(), trace.process)) unlink(name.c_str());
    }
  } catch (const std::exception&) {  // no memory: the trace stays
  }
}

}  // namespace cadastre::internal
