// Tangled from org/command/trace_records.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trace_live_blocks.hpp"
#include "trace_parts.hpp"
#include "trace_source.hpp"

namespace cadastre::command {
namespace {

using internal::TraceKind;

class RecordSource final : public TraceSource {
 public:
  RecordSource(std::shared_ptr<TraceInput> input, const std::string& name, Remembers remembers)
      : name_(name), input_(std::move(input)), parts_(*input_), remembers_freed_(remembers == Remembers::what_was_freed) {}

  bool next(GivenOperation& given) override {
    while (parts_.next(read_)) {
      if (internal::is_trace_moment(read_.record.kind)) {
        show(use());
        continue;
      }
      given = {};
      if (tell(given)) return true;
      ++left_out_;
    }
    return false;
  }
  [[noreturn]] void refuse(Column column, const std::string& what) const override {
    parts_.refuse(std::string(column_names[index_of(column)]) + ": " + what);
  }
  std::string incomplete() const override { return what_is_missing(); }
  std::string_view said(std::string_view name) const override { return parts_.said(name); }
  const std::string& name() const override { return name_; }
  TraceIdentity identity() const override {
    internal::TraceHead head = parts_.head();
    const bool is_joined = std::exchange(head.state, 0) == static_cast<std::uint64_t>(internal::TraceState::joined);
    return {internal::trace_checksum(&head, sizeof head), is_joined};
  }
  bool has_unique_numbers() const override { return remembers_freed_; }

 private:
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
    const auto of_context = blocks_.find(context);
    if (of_context == blocks_.end()) return false;
    const auto found = of_context->second.find(static_cast<std::uint64_t>(number));
    if (found != of_context->second.end()) block = found->second;
    return found != of_context->second.end();
  }

  MemoryUse use() const {
    const auto figure = [&](std::size_t number) {
      const std::uint64_t word = read_.moment.figures[number];
      return word > INT64_MAX ? -1 : static_cast<std::int64_t>(word);
    };
    const TraceKind kind = read_.record.kind;
    if (kind == TraceKind::node) return {.time = read_.time, .device = "", .used = figure(1), .node = figure(0)};
    if (kind == TraceKind::resident)
      return {.time = read_.time, .device = "", .used = figure(0), .live = figure(1), .kept = figure(2), .huge = figure(3)};
    return {.time = read_.time, .device = parts_.device(read_.moment.figures[0]), .used = figure(1), .live = figure(3), .total = figure(2)};
  }

  // False where it is left out.
  bool tell(GivenOperation& given) {
    const internal::TraceRecord& record = read_.record;
    const std::optional<Kind> kind = operation_of(record.kind);
    if (!kind) return false;
    given.kind = *kind;
    given.line = parts_.passed_on();
    given.time = read_.time;
    given.duration = read_.duration;
    if (read_.thread == 0) parts_.refuse("an operation of thread 0; threads are counted from 1");
    given.thread = read_.thread;
    given.result = record.result;
    given.context = context_of(record.context);
    const bool succeeded = record.result == CADASTRE_SUCCESS;
    if (record.kind == TraceKind::create) {
      given.context = ++last_context_;
      if (succeeded) contexts_[record.context] = given.context;
      return true;
    }
    if (succeeded && given.context == 0) return false;
    if (record.kind == TraceKind::malloc) {
      tell_block(given);
    } else if (!remembers_freed_) {
      given.is_elsewhere = record.block_context != 0 || record.source_context != 0;
      if (record.block_context != 0) given.context = context_of(record.block_context);
      given.block = record.block;
      given.source = record.source;
    } else if (record.kind != TraceKind::destroy && !find_blocks(given)) {
      return false;
    }
    const bool has_size = internal::has_trace_size(record.kind) && (record.kind != TraceKind::info || succeeded);
    if (has_size) given.size = record.size;
    // No operation that succeeds can name it from now on.
    if (record.kind == TraceKind::destroy && (succeeded || record.result == CADASTRE_DEALLOCATION_FAILED)) contexts_.erase(record.context);
    return true;
  }

  void tell_block(GivenOperation& given) {
    const internal::TraceRecord& record = read_.record;
    given.label = parts_.label(record.traits.label);
    given.type = parts_.memory_type(record.type).value_or(CADASTRE_HOST);
    given.device = parts_.device_of(record);
    given.alignment_log2 = std::min<std::uint8_t>(record.traits.alignment_log2, 63);
    if (record.result != CADASTRE_SUCCESS) return;
    given.block = record.block;
    if (!remembers_freed_) return;
    given.block = next_number(record.block);
    blocks_[record.context][static_cast<std::uint64_t>(record.block)] = given.block;
  }

  // False where one is not known.
  bool find_blocks(GivenOperation& given) const {
    const internal::TraceRecord& record = read_.record;
    const bool has_source = record.kind != TraceKind::copy ||
                            find_block(record.source_context ? record.source_context : record.context, record.source, given.source);
    return find_block(record.block_context ? record.block_context : record.context, record.block, given.block) && has_source;
  }

  // Empty for nothing.
  std::string what_is_missing() const {
    std::string missing(parts_.said(line_of_lack));
    switch (static_cast<internal::TraceState>(parts_.head().state)) {
      case internal::TraceState::ended:
      case internal::TraceState::joined: break;
      case internal::TraceState::stopped:
        missing = "the trace ends before its program: " + std::string(std::strerror(static_cast<int>(parts_.head().error)));
        break;
      default: missing = not_ended(std::to_string(parts_.head().process), input_->is_locked());
    }
    const bool is_over = parts_.head().state != static_cast<std::uint64_t>(internal::TraceState::written);
    if (is_over && parts_.missing_parts() > 0) {
      missing += (missing.empty() ? "" : "; ") + std::string("the file was cut off: ") + std::to_string(parts_.missing_parts()) +
                 " of its " + std::to_string(parts_.head().parts) + " parts are not there; copy it again";
    }
    if (left_out_ > 0) {
      missing += (missing.empty() ? "" : "; ") + std::to_string(left_out_) +
                 " operations are left out, because their contexts or blocks are not there at that time";
    }
    return missing;
  }

  std::string name_;
  std::shared_ptr<TraceInput> input_;
  TraceParts parts_;
  ReadRecord read_;
  bool remembers_freed_;
  std::unordered_map<std::uint64_t, std::uint64_t, NumberHash> contexts_;  // numbers by handles, of those that live
  // By handles of contexts, the numbers in the trace by those in the context.
  using Blocks = std::unordered_map<std::uint64_t, std::int64_t, NumberHash>;
  std::unordered_map<std::uint64_t, Blocks, NumberHash> blocks_;
  std::uint64_t last_context_ = 0;
  std::int64_t last_block_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace

std::unique_ptr<TraceSource> record_source(std::shared_ptr<TraceInput> input, const std::string& name, Remembers remembers) {
  return std::make_unique<RecordSource>(std::move(input), name, remembers);
}

}  // namespace cadastre::command
