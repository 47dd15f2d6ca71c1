// Tangled from org/command/trace_readers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_readers.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <iterator>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

#include "progress_bar.hpp"
#include "traces_of_file.hpp"

namespace cadastre::command {
namespace {

// Of all together; nothing where one has no size.
std::optional<std::uint64_t> bytes_of(std::span<const std::string> paths) {
  std::uint64_t all = 0;
  for (const std::string& path : paths) {
    struct stat status{};
    if (path == "-" || stat(named_traces(path).file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
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
  Readers(std::span<const std::string> paths, bool progress, const std::function<Summary(TraceSource&)>& call)
      : call_(call), progress_(progress, paths) {
    for (const std::string& path : paths) {
      for (const PieceOfFile& piece : pieces_of(path)) pieces_.push_back({&path, piece, {}, {}});
    }
  }

  ReadTraces read() {
    const std::size_t wanted = std::min<std::size_t>(pieces_.size(), std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> others;
    try {
      while (others.size() + 1 < wanted) others.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // those that there are do
    }
    work();
    for (std::thread& other : others) other.join();
    ReadTraces all;
    const std::unordered_map<std::uint64_t, std::string> joined = joined_traces();
    for (Piece& piece : pieces_) {
      for (std::size_t which = 0; which < piece.found.read.size(); ++which) {
        const TraceIdentity& identity = piece.identities[which];
        const auto copy = identity.is_joined ? joined.end() : joined.find(identity.sum);
        Summary& trace = piece.found.read[which];
        if (copy == joined.end()) {
          all.read.push_back(std::move(trace));
        } else {
          all.unreadable.push_back({trace.name, printable(trace.name, 4096) + ": the same trace as " + printable(copy->second, 4096) +
                                                    ", which counts; its process was killed before it removed this file"});
        }
      }
      std::move(piece.found.unreadable.begin(), piece.found.unreadable.end(), std::back_inserter(all.unreadable));
    }
    return all;
  }

 private:
  struct Piece {
    const std::string* path;
    PieceOfFile piece;
    ReadTraces found;
    std::vector<TraceIdentity> identities;  // of those that were read
  };

  std::unordered_map<std::uint64_t, std::string> joined_traces() const {
    std::unordered_map<std::uint64_t, std::string> names;
    for (const Piece& piece : pieces_) {
      for (std::size_t which = 0; which < piece.found.read.size(); ++which) {
        if (piece.identities[which].is_joined) names.emplace(piece.identities[which].sum, piece.found.read[which].name);
      }
    }
    return names;
  }

  void work() {
    while (true) {
      const std::size_t which = next_.fetch_add(1);
      if (which >= pieces_.size()) return;
      Piece& piece = pieces_[which];
      std::optional<TracesOfFile> traces;
      while (read_next(piece, traces)) {
      }
    }
  }

  // False where a piece has no more.
  bool read_next(Piece& piece, std::optional<TracesOfFile>& traces) {
    const auto keep = [&](const std::string& problem) {
      piece.found.unreadable.push_back({traces ? traces->name() : name_of_trace(*piece.path), problem});
      return traces.has_value();
    };
    const auto name = [&] { return printable(traces ? traces->name() : name_of_trace(*piece.path), 4096); };
    std::unique_ptr<TraceSource> source;
    try {
      if (!traces) traces.emplace(*piece.path, Remembers::what_lives, [this](std::size_t bytes) { progress_.add(bytes); }, piece.piece);
      source = traces->next();
      if (!source) return false;
      piece.identities.reserve(piece.found.read.size() + 1);
      piece.found.read.push_back(call_(*source));
      piece.identities.push_back(source->identity());
      return true;
    } catch (const TraceError& error) {
      return keep(error.what());
    } catch (const std::bad_alloc&) {
      return keep(name() + ": there is not enough memory to read it") && source;  // another may take less
    } catch (const std::exception& error) {
      return keep(name() + ": " + error.what());
    }
  }

  std::vector<Piece> pieces_;
  const std::function<Summary(TraceSource&)>& call_;
  ReadProgress progress_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace

ReadTraces read_all(std::span<const std::string> paths, bool progress, const std::function<Summary(TraceSource&)>& call) {
  return Readers(paths, progress, call).read();
}

}  // namespace cadastre::command
