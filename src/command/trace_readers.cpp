// Tangled from org/command/trace_readers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_readers.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "progress_bar.hpp"

namespace cadastre::command {
namespace {

// Of all together; nothing where one has no size.
std::optional<std::uint64_t> bytes_of(std::span<const std::string> paths) {
  std::uint64_t all = 0;
  for (const std::string& path : paths) {
    struct stat status{};
    if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    all += static_cast<std::uint64_t>(status.st_size);
  }
  return all;
}

std::string name_of(std::span<const std::string> paths) {
  return paths.size() == 1 ? printable(paths[0].substr(paths[0].find_last_of('/') + 1), 30) : std::to_string(paths.size()) + " traces";
}

class ReadProgress {
 public:
  ReadProgress(bool wanted, std::span<const std::string> paths)
      : bytes_(bytes_of(paths)), wanted_(wanted && bytes_), bar_(wanted_, name_of(paths), bytes_.value_or(0)) {}

  // So many more were read, by any thread.
  void add(std::size_t bytes) {
    const std::uint64_t done = done_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (!wanted_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    const Clock::time_point now = Clock::now();
    if (now >= bar_.next()) bar_.draw(done, now);
  }

 private:
  const std::optional<std::uint64_t> bytes_;
  const bool wanted_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;  // of the bar
  ProgressBar bar_;
};

class Readers {
 public:
  Readers(std::span<const std::string> paths, bool progress, const std::function<void(std::size_t, TraceSource&)>& call)
      : paths_(paths), call_(call), progress_(progress, paths), problems_(paths.size()) {}

  std::vector<Unreadable> read() {
    const std::size_t wanted = std::min<std::size_t>(paths_.size(), std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> others;
    try {
      while (others.size() + 1 < wanted) others.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // those that there are do
    }
    work();
    for (std::thread& other : others) other.join();
    std::vector<Unreadable> unreadable;
    for (std::size_t which = 0; which < paths_.size(); ++which) {
      if (!problems_[which].empty()) unreadable.push_back({name_of(which), std::move(problems_[which])});
    }
    return unreadable;
  }

 private:
  void work() {
    while (true) {
      const std::size_t which = next_.fetch_add(1);
      if (which >= paths_.size()) return;
      try {
        call_(which, *open_trace(paths_[which], Remembers::what_lives, [this](std::size_t bytes) { progress_.add(bytes); }));
      } catch (const TraceError& error) {
        problems_[which] = error.what();
      } catch (const std::bad_alloc&) {
        problems_[which] = printable(name_of(which), 4096) + ": there is not enough memory to read it";
      } catch (const std::exception& error) {
        problems_[which] = printable(name_of(which), 4096) + ": " + error.what();
      }
    }
  }

  std::string name_of(std::size_t which) const { return name_of_trace(paths_[which]); }

  std::span<const std::string> paths_;
  const std::function<void(std::size_t, TraceSource&)>& call_;
  ReadProgress progress_;
  std::vector<std::string> problems_;  // by trace; empty for one that was read
  std::atomic<std::size_t> next_{0};
};

}  // namespace

std::vector<Unreadable> read_all(std::span<const std::string> paths, bool progress,
                                 const std::function<void(std::size_t, TraceSource&)>& call) {
  return Readers(paths, progress, call).read();
}

}  // namespace cadastre::command
