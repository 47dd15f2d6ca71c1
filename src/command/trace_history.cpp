// Tangled from org/command/trace_history.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "trace_history.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cadastre::command {
namespace {

constexpr unsigned bit(Column column) { return 1u << index_of(column); }

// What each operation needs.
constexpr unsigned needs_of[kinds] = {
    0,
    0,
    bit(Column::block) | bit(Column::size),
    bit(Column::block),
    bit(Column::block) | bit(Column::size),
    bit(Column::block),
    bit(Column::block) | bit(Column::source) | bit(Column::size),
};

constexpr std::size_t longest_label = 255;
constexpr std::size_t most_labels = std::size_t{1} << 20;
constexpr std::size_t most_threads = 4096;

}  // namespace

History::History(std::uint64_t most, const TraceSource& source) : most_(most), source_(source) {
  trace_.name = source.name();
  trace_.labels.emplace_back();
  trace_.devices.emplace_back();
  trace_.blocks.push_back(0);
  trace_.contexts.push_back(0);
  trace_.foreign_sizes.push_back(0);
  contexts_.emplace_back();
  blocks_.emplace_back();
}

Trace History::take() {
  for (std::string& text : label_texts_) trace_.labels.push_back(std::move(text));
  return std::move(trace_);
}

void History::add(const GivenOperation& given) {
  if (trace_.operations.size() >= most_) {
    refuse(Column::op, "the trace has more than " + std::to_string(most_) +
                           " operations, each of which takes at least 64 bytes; "
                           "split it, or allow more of them with --max-operations");
  }
  const unsigned needs = needs_of[static_cast<std::size_t>(given.kind)];
  Operation operation;
  operation.kind = given.kind;
  operation.line = given.line;
  operation.has_size = given.size.has_value();
  operation.size = given.size.value_or(0);
  operation.time = given.time;
  operation.result = given.result;
  operation.type = given.type;
  operation.alignment_log2 = given.alignment_log2;
  set_thread(operation, given.thread);
  set_label(operation, given.label);
  set_device(operation, given.device);
  set_context(operation, given.context);
  operation.block = slot_of_block(Column::block, operation, given.block, needs);
  operation.source = slot_of_block(Column::source, operation, given.source, needs);
  if ((needs & bit(Column::size)) && !operation.has_size) {
    refuse(Column::size, std::string(name_of(given.kind)) + " without a size; write how many bytes in a column 'size'");
  }
  if (operation.kind == Kind::copy) note_foreign_copy(operation);
  follow(operation);
  trace_.operations.push_back(operation);
}

void History::set_thread(Operation& operation, std::uint64_t thread) {
  operation.thread = thread_slots_.find_or_give(thread) - 1;
  if (operation.thread == trace_.threads.size()) trace_.threads.push_back(thread);
  if (trace_.threads.size() > most_threads) {
    refuse(Column::thread,
           "the trace has more than " + std::to_string(most_threads) + " threads, each of which becomes a thread of the replay; split it");
  }
}

// Beyond so many as no machine has they are not told apart from none.
void History::set_device(Operation& operation, std::string_view device) {
  constexpr std::size_t most_devices = UINT8_MAX;
  if (device.empty()) return;
  const auto known = std::find(trace_.devices.begin() + 1, trace_.devices.end(), device);
  if (known == trace_.devices.end() && trace_.devices.size() > most_devices) return;
  operation.device = static_cast<std::uint8_t>(known - trace_.devices.begin());
  if (known == trace_.devices.end()) trace_.devices.emplace_back(device);
}

void History::set_label(Operation& operation, std::string_view text) {
  if (text.empty()) return;
  if (text.size() > longest_label) {
    refuse(Column::label,
           "a label of " + std::to_string(text.size()) + " bytes; the longest that a block can have is " + std::to_string(longest_label));
  }
  const auto known = labels_.find(text);
  if (known != labels_.end()) {
    operation.label = known->second;
    return;
  }
  if (label_texts_.size() == most_labels) {
    refuse(Column::label, "the trace has more than " + std::to_string(most_labels) +
                              " different labels; a label says what a block is for, and many blocks share one");
  }
  label_texts_.emplace_back(text);
  operation.label = static_cast<std::uint32_t>(label_texts_.size());
  labels_.emplace(label_texts_.back(), operation.label);
}

void History::set_context(Operation& operation, std::uint64_t serial) {
  if (operation.kind != Kind::create) {
    operation.context = context_slots_.find(serial);
    if (operation.context == 0 && serial != 0) {
      refuse(Column::context, "context " + std::to_string(serial) +
                                  " has not been created; write a line with the operation "
                                  "create before its first use");
    }
    return;
  }
  if (serial == 0) refuse(Column::context, "context 0 is never valid and cannot be created; number contexts from 1");
  operation.context = context_slots_.find_or_give(serial);
  if (operation.context == trace_.contexts.size()) {
    trace_.contexts.push_back(serial);
    contexts_.emplace_back();
  }
}

std::int64_t History::slot_of_block(Column column, const Operation& operation, std::int64_t serial, unsigned needs) {
  if (!(needs & bit(column)) || serial == 0) return 0;
  if (operation.kind == Kind::malloc) {
    if (serial < 0) {
      refuse(column, "block " + std::to_string(serial) + " is a foreign pointer; malloc needs the number of a block, from 1");
    }
    if (operation.result != 0) {
      refuse(column, "block " + std::to_string(serial) + " of a malloc that failed with " + std::to_string(operation.result) +
                         "; it has no block: leave the field empty");
    }
    const std::uint32_t slot = block_slots_.find_or_give(static_cast<std::uint64_t>(serial));
    if (slot == trace_.blocks.size()) {
      trace_.blocks.push_back(static_cast<std::uint64_t>(serial));
      blocks_.emplace_back();
    }
    return slot;
  }
  if (serial < 0) {
    if (serial == std::numeric_limits<std::int64_t>::min()) refuse(column, "block " + std::to_string(serial) + " is out of range");
    const std::uint32_t slot = foreign_slots_.find_or_give(static_cast<std::uint64_t>(-serial));
    if (slot == trace_.foreign_sizes.size()) trace_.foreign_sizes.push_back(0);
    return -std::int64_t{slot};
  }
  const std::uint32_t slot = block_slots_.find(static_cast<std::uint64_t>(serial));
  if (slot == 0) {
    refuse(column, "block " + std::to_string(serial) +
                       " has not been allocated by any earlier line; an address that is in no "
                       "registry has a negative number");
  }
  return slot;
}

void History::note_foreign_copy(const Operation& operation) {
  for (const std::int64_t block : {operation.block, operation.source}) {
    if (block >= 0) continue;
    std::uint64_t& size = trace_.foreign_sizes[static_cast<std::size_t>(-block)];
    size = std::max(size, operation.size);
  }
}

bool History::usable(const Operation& operation, std::int64_t block) const {
  if (block <= 0) return block < 0 && operation.kind == Kind::copy;
  const BlockHistory& history = blocks_[static_cast<std::size_t>(block)];
  return history.context == operation.context && block_alive(history);
}

std::string History::context_fault(const Operation& operation) const {
  if (operation.context == 0) return "context 0 is never valid";
  const ContextHistory& context = contexts_[operation.context];
  const std::string name = "context " + std::to_string(trace_.contexts[operation.context]);
  if (context.generation == 0) return name + " could not be created";
  return name + " was destroyed on line " + std::to_string(context.line);
}

std::string History::block_fault(const Operation& operation, std::int64_t block) const {
  const std::string verb(name_of(operation.kind));
  if (block == 0) return verb + " of NULL (block 0, or an empty field)";
  if (block < 0) return verb + " of a foreign pointer";
  const BlockHistory& history = blocks_[static_cast<std::size_t>(block)];
  const std::string name = "block " + std::to_string(trace_.blocks[static_cast<std::size_t>(block)]);
  if (block_alive(history)) {
    return name + " is alive in context " + std::to_string(trace_.contexts[history.context]);
  }
  if (!history.alive) return name + " was freed on line " + std::to_string(history.line);
  return name + " ended when its context was destroyed";
}

void History::follow(const Operation& operation) {
  if (operation.kind == Kind::create) return follow_create(operation);
  const bool context_usable = operation.context != 0 && contexts_[operation.context].alive;
  if (!context_usable) expect_failure(operation, Column::context, context_fault(operation));
  if (operation.kind == Kind::malloc) return follow_malloc(operation);
  const bool gone = operation.result == CADASTRE_SUCCESS || operation.result == CADASTRE_DEALLOCATION_FAILED;
  if (operation.kind == Kind::destroy) {
    if (context_usable && gone) {
      contexts_[operation.context].alive = false;
      contexts_[operation.context].line = operation.line;
    }
    return;
  }
  if (operation.kind == Kind::copy && !usable(operation, operation.source)) {
    expect_failure(operation, Column::source, block_fault(operation, operation.source));
  }
  if (!usable(operation, operation.block)) {
    expect_failure(operation, Column::block, block_fault(operation, operation.block));
  } else if (operation.kind == Kind::free && gone) {
    BlockHistory& block = blocks_[static_cast<std::size_t>(operation.block)];
    block.alive = false;
    block.line = operation.line;
  }
}

void History::follow_create(const Operation& operation) {
  ContextHistory& context = contexts_[operation.context];
  if (context.alive) {
    refuse(Column::context, "context " + std::to_string(trace_.contexts[operation.context]) + " is alive since line " +
                                std::to_string(context.line) + "; destroy it first, or take another number");
  }
  if (operation.result != 0) return;
  context.alive = true;
  ++context.generation;
  context.line = operation.line;
}

void History::follow_malloc(const Operation& operation) {
  if (operation.result != 0) return;
  if (operation.block == 0) {
    refuse(Column::block, "malloc without a block; give it a number in a column 'block', or the exit code of its "
                          "failure in a "
                          "column 'result'");
  }
  BlockHistory& block = blocks_[static_cast<std::size_t>(operation.block)];
  if (block_alive(block)) {
    refuse(Column::block, "block " + std::to_string(trace_.blocks[static_cast<std::size_t>(operation.block)]) + " is alive since line " +
                              std::to_string(block.line) + "; free it first, or take another number");
  }
  block = {true, operation.context, contexts_[operation.context].generation, operation.line};
}

}  // namespace cadastre::command
