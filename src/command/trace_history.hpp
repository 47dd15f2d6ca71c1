// Tangled from org/command/trace_history.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Operations of a trace, checked against those before them.
#ifndef CADASTRE_SRC_COMMAND_TRACE_HISTORY_HPP
#define CADASTRE_SRC_COMMAND_TRACE_HISTORY_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace.hpp"
#include "trace_slots.hpp"
#include "trace_source.hpp"

namespace cadastre::command {

struct ContextHistory {
  bool alive = false;
  std::uint32_t generation = 0;
  std::uint64_t line = 0;
};

struct BlockHistory {
  bool alive = false;
  std::uint32_t context = 0;
  std::uint32_t generation = 0;
  std::uint64_t line = 0;
};

class History {
 public:
  // most: operations. source: of what is added; it outlives this.
  History(std::uint64_t most, const TraceSource& source);

  void add(const GivenOperation& given);
  // What was added; once.
  Trace take();

 private:
  [[noreturn]] void refuse(Column column, const std::string& what) const {
    source_.refuse(column, what);
    __builtin_unreachable();
  }
  void set_thread(Operation& operation, std::uint64_t thread);
  void set_label(Operation& operation, std::string_view text);
  void set_device(Operation& operation, std::string_view device);
  void set_context(Operation& operation, std::uint64_t serial);
  std::int64_t slot_of_block(Column column, const Operation& operation, std::int64_t serial, unsigned needs);
  void note_foreign_copy(const Operation& operation);

  // Whether a block can be used by an operation; if not, or if its context cannot, why.
  bool usable(const Operation& operation, std::int64_t block) const;
  std::string block_fault(const Operation& operation, std::int64_t block) const;
  std::string context_fault(const Operation& operation) const;

  // Refuses what cannot have happened, and updates the history.
  void follow(const Operation& operation);
  void follow_create(const Operation& operation);
  void follow_malloc(const Operation& operation);

  bool block_alive(const BlockHistory& block) const {
    const ContextHistory& context = contexts_[block.context];
    return block.alive && context.alive && context.generation == block.generation;
  }

  void expect_failure(const Operation& operation, Column column, const std::string& fault) const {
    if (operation.result != 0) return;
    refuse(column, fault + "; if it failed in the program, its result must be other than 0");
  }

  std::uint64_t most_;
  const TraceSource& source_;
  Trace trace_;
  std::map<std::string_view, std::uint32_t> labels_;
  std::deque<std::string> label_texts_;  // whose addresses stay, for the keys above
  Slots context_slots_, block_slots_, foreign_slots_, thread_slots_;
  std::vector<ContextHistory> contexts_;
  std::vector<BlockHistory> blocks_;
};

}  // namespace cadastre::command
#endif
