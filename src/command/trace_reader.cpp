// Tangled from org/command/trace_reader.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>

#include "trace.hpp"
#include "trace_history.hpp"
#include "trace_input.hpp"
#include "trace_parts.hpp"
#include "trace_text.hpp"

namespace cadastre::command {
namespace {

using internal::TraceKind;

struct BlockKey {
  std::uint64_t context;
  std::int64_t block;
  bool operator==(const BlockKey&) const = default;
};

// Files may be made so that their numbers meet in a table whose hash is known; this one differs in each process.
struct BlockHash {
  std::size_t operator()(const BlockKey& key) const noexcept {
    static const std::uint64_t seed = std::random_device()() | std::uint64_t{std::random_device()()} << 32;
    std::uint64_t hash = (key.context ^ seed) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 29 ^ static_cast<std::uint64_t>(key.block)) * 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 32;
  }
};

class RecordReader final : Place {
 public:
  RecordReader(TraceInput& input, const std::string& name, std::uint64_t most) : parts_(input), history_(name, most, *this) {}

  Trace read(const std::string& path) {
    while (parts_.next(read_)) {
      if (!add()) ++left_out_;
    }
    Trace trace = history_.take();
    trace.incomplete = what_is_missing(path);
    return trace;
  }

 private:
  [[noreturn]] void refuse(Column column, const std::string& what) const override {
    parts_.refuse(std::string(column_names[index_of(column)]) + ": " + what);
  }

  // 0 for a handle that is not valid.
  std::uint64_t context_of(std::uint64_t handle) const {
    const auto found = contexts_.find(handle);
    return found == contexts_.end() ? 0 : found->second;
  }

  // The number of a new block that its context knows by another.
  std::int64_t next_number(std::int64_t in_context) {
    if (in_context <= 0) parts_.refuse("a malloc that succeeded, and whose block has no number");
    constexpr std::int64_t most = INT64_MAX / 2;
    return last_block_ = in_context < most ? std::max(last_block_ + 1, in_context) : last_block_ + 1;
  }

  // False where the block is not known.
  bool find_block(std::uint64_t context, std::int64_t number, std::int64_t& block) const {
    block = number;
    if (number <= 0) return true;
    const auto found = blocks_.find({context, number});
    if (found != blocks_.end()) block = found->second;
    return found != blocks_.end();
  }

  // False where it is left out.
  bool add() {
    const internal::TraceRecord& record = read_.record;
    GivenOperation given;
    given.line = parts_.passed_on();
    given.time = read_.time;
    given.thread = read_.thread;
    given.result = record.result;
    given.context = context_of(record.context);
    const bool succeeded = record.result == CADASTRE_SUCCESS, has_context = given.context != 0;
    switch (record.kind) {
      case TraceKind::create:
        given.kind = Kind::create;
        given.context = ++last_context_;
        if (succeeded) contexts_[record.context] = given.context;
        break;
      case TraceKind::destroy:
        given.kind = Kind::destroy;
        if (succeeded || record.result == CADASTRE_DEALLOCATION_FAILED) contexts_.erase(record.context);
        break;
      case TraceKind::malloc:
        given.kind = Kind::malloc;
        given.size = record.size;
        given.label = parts_.label(record.traits.label);
        given.type = parts_.memory_type(record.type).value_or(CADASTRE_HOST);
        if (succeeded && has_context) given.block = blocks_[{record.context, record.block}] = next_number(record.block);
        break;
      case TraceKind::free: given.kind = Kind::free; break;
      case TraceKind::realloc: given.kind = Kind::realloc; break;
      case TraceKind::info: given.kind = Kind::info; break;
      case TraceKind::copy: given.kind = Kind::copy; break;
      default: return true;
    }
    if (succeeded && !has_context && record.kind != TraceKind::create) return false;
    const bool has_block = record.kind == TraceKind::create || record.kind == TraceKind::destroy || record.kind == TraceKind::malloc ||
                           find_block(record.block_context ? record.block_context : record.context, record.block, given.block);
    const bool has_source = record.kind != TraceKind::copy ||
                            find_block(record.source_context ? record.source_context : record.context, record.source, given.source);
    if (!has_block || !has_source) return false;
    const bool has_size =
        record.kind == TraceKind::realloc || record.kind == TraceKind::copy || (record.kind == TraceKind::info && succeeded);
    if (has_size) given.size = record.size;
    history_.add(given);
    return true;
  }

  static bool is_locked(const std::string& path) {
    const int file = path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    const bool locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(file);
    return locked;
  }

  // Empty for nothing.
  std::string what_is_missing(const std::string& path) const {
    std::string missing;
    const std::string process = "process " + std::to_string(parts_.head().process);
    switch (static_cast<internal::TraceState>(parts_.head().state)) {
      case internal::TraceState::ended: break;
      case internal::TraceState::stopped:
        missing = "the trace ends before its program: " + std::string(std::strerror(static_cast<int>(parts_.head().error)));
        break;
      default:
        missing = is_locked(path)
                      ? process + " still writes it; this is what it did so far"
                      : process + " did not end by exit: it was killed, or called _exit or exec; the trace is what it did until then";
    }
    if (left_out_ > 0) {
      missing += (missing.empty() ? "" : "; ") + std::to_string(left_out_) +
                 " operations are left out, because their contexts or blocks are not there at that time";
    }
    return missing;
  }

  TraceParts parts_;
  ReadRecord read_;
  History history_;
  std::unordered_map<std::uint64_t, std::uint64_t> contexts_;  // numbers by handles, of those that live
  std::unordered_map<BlockKey, std::int64_t, BlockHash> blocks_;
  std::uint64_t last_context_ = 0;
  std::int64_t last_block_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace

Trace read_trace(const std::string& path, std::uint64_t most) {
  TraceInput input(path);
  const std::string name = path == "-" ? "standard input" : path;
  return TraceParts::is_one(input) ? RecordReader(input, name, most).read(path) : read_text(input, name, most);
}

}  // namespace cadastre::command
