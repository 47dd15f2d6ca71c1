// Tangled from org/command/trace_reader.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "trace.hpp"
#include "trace_lines.hpp"
#include "trace_slots.hpp"

namespace cadastre::command {
namespace {

enum class Column : std::uint8_t {
  op,
  context,
  block,
  source,
  size,
  type,
  thread,
  time,
  label,
  result,
};
constexpr std::size_t columns = 10;

constexpr std::string_view column_names[columns] = {
    "op",
    "context",
    "block",
    "source",
    "size",
    "type",
    "thread",
    "time",
    "label",
    "result",
};

constexpr std::size_t index_of(Column column) { return static_cast<std::size_t>(column); }
constexpr unsigned bit(Column column) { return 1u << index_of(column); }

struct OperationRow {
  std::string_view name;
  unsigned needs;
};

constexpr OperationRow operation_rows[kinds] = {
    {"create", 0},
    {"destroy", 0},
    {"malloc", bit(Column::block) | bit(Column::size)},
    {"free", bit(Column::block)},
    {"realloc", bit(Column::block) | bit(Column::size)},
    {"info", bit(Column::block)},
    {"copy", bit(Column::block) | bit(Column::source) | bit(Column::size)},
};

constexpr std::size_t longest_label = 255;
constexpr std::size_t most_labels = std::size_t{1} << 20;
constexpr std::size_t most_threads = 4096;

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

class Reader {
 public:
  Reader(const std::string& path, std::uint64_t most) : lines_(path), most_(most) {
    trace_.name = path == "-" ? "standard input" : path;
    trace_.labels.emplace_back();
    trace_.blocks.push_back(0);
    trace_.contexts.push_back(0);
    trace_.foreign_sizes.push_back(0);
    contexts_.emplace_back();
    blocks_.emplace_back();
    position_.fill(-1);
  }

  Trace read();

 private:
  void read_header();
  void read_operation();

  std::string_view text_of(Column column) const {
    const int position = position_[index_of(column)];
    return position < 0 ? std::string_view() : (*line_)[static_cast<std::size_t>(position)].text;
  }

  const Field& place_of(Column column) const {
    const int position = position_[index_of(column)];
    return (*line_)[static_cast<std::size_t>(position < 0 ? position_[index_of(Column::op)] : position)];
  }

  [[noreturn]] void refuse(const Field& place, const std::string& what) const { lines_.refuse(place.column, what); }

  // A whole number, or nothing where the field is empty.
  template <class Number>
  std::optional<Number> number(Column column, Number least, std::string_view kind) const {
    const std::string_view text = text_of(column);
    if (text.empty()) return std::nullopt;
    Number value{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && rest == text.data() + text.size() && value >= least) return value;
    const std::string found = std::string(column_names[index_of(column)]) + " '" + printable(text) + "' ";
    const bool digits = text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) == std::string_view::npos && text != "-" &&
                        !(std::is_unsigned_v<Number> && text[0] == '-');
    if (!digits) {
      refuse(place_of(column), found + "is not " + std::string(kind) + "; write a whole number such as 4096, without blanks or units");
    }
    refuse(place_of(column), found + "is out of range; the least is " + std::to_string(least) + ", the largest " +
                                 std::to_string(std::numeric_limits<Number>::max()));
  }

  void read_plain_columns(Operation& operation) {
    const auto size = number<std::uint64_t>(Column::size, 0, "a number of bytes");
    operation.has_size = size.has_value();
    operation.size = size.value_or(0);
    operation.time = number<std::int64_t>(Column::time, 0, "a number of nanoseconds").value_or(0);
    operation.result = number<std::int32_t>(Column::result, std::numeric_limits<std::int32_t>::min(), "an exit code").value_or(0);
    const std::uint64_t thread = number<std::uint64_t>(Column::thread, 1, "the number of a thread").value_or(1);
    operation.thread = thread_slots_.find_or_give(thread) - 1;
    if (operation.thread == trace_.threads.size()) trace_.threads.push_back(thread);
    if (trace_.threads.size() > most_threads) {
      refuse(place_of(Column::thread), "the trace has more than " + std::to_string(most_threads) +
                                           " threads, each of which becomes a thread of the replay; split it");
    }
  }

  void read_memory_type(Operation& operation) {
    const std::string_view text = text_of(Column::type);
    if (text.empty()) return;
    std::string known;
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      const std::string_view name = cadastre_string_of_memory_type(type);
      if (name == text) {
        operation.type = type;
        return;
      }
      known += (type ? ", " : "") + std::string(name);
    }
    refuse(place_of(Column::type), "type '" + printable(text) + "' is not a memory type; it is one of " + known);
  }

  void read_label(Operation& operation) {
    std::string_view text = text_of(Column::label);
    if (text.empty()) return;
    if (text.size() > 1 && text[0] == '\'' && std::string_view("=+-@'").find(text[1]) != std::string_view::npos) text.remove_prefix(1);
    if (text.size() > longest_label) {
      refuse(place_of(Column::label),
             "a label of " + std::to_string(text.size()) + " bytes; the longest that a block can have is " + std::to_string(longest_label));
    }
    const auto known = labels_.find(text);
    if (known != labels_.end()) {
      operation.label = known->second;
      return;
    }
    if (label_texts_.size() == most_labels) {
      refuse(place_of(Column::label), "the trace has more than " + std::to_string(most_labels) +
                                          " different labels; a label says what a block is for, and many blocks share one");
    }
    label_texts_.emplace_back(text);
    operation.label = static_cast<std::uint32_t>(label_texts_.size());
    labels_.emplace(label_texts_.back(), operation.label);
  }

  void read_context(Operation& operation) {
    const std::uint64_t serial = number<std::uint64_t>(Column::context, 0, "the number of a context").value_or(1);
    if (operation.kind != Kind::create) {
      operation.context = context_slots_.find(serial);
      if (operation.context == 0 && serial != 0) {
        refuse(place_of(Column::context), "context " + std::to_string(serial) +
                                              " has not been created; write a line with the operation "
                                              "create before its first use");
      }
      return;
    }
    if (serial == 0) {
      refuse(place_of(Column::context), "context 0 is never valid and cannot be created; number contexts from 1");
    }
    operation.context = context_slots_.find_or_give(serial);
    if (operation.context == trace_.contexts.size()) {
      trace_.contexts.push_back(serial);
      contexts_.emplace_back();
    }
  }

  std::int64_t read_block(Column column, const Operation& operation, unsigned needs) {
    const std::int64_t serial =
        number<std::int64_t>(column, std::numeric_limits<std::int64_t>::min() + 1, "the number of a block").value_or(0);
    if (!(needs & bit(column)) || serial == 0) return 0;
    if (operation.kind == Kind::malloc) {
      if (serial < 0) {
        refuse(place_of(column), "block " + std::to_string(serial) + " is a foreign pointer; malloc needs the number of a block, from 1");
      }
      if (operation.result != 0) {
        refuse(place_of(column), "block " + std::to_string(serial) + " of a malloc that failed with " + std::to_string(operation.result) +
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
      const std::uint32_t slot = foreign_slots_.find_or_give(static_cast<std::uint64_t>(-serial));
      if (slot == trace_.foreign_sizes.size()) trace_.foreign_sizes.push_back(0);
      return -std::int64_t{slot};
    }
    const std::uint32_t slot = block_slots_.find(static_cast<std::uint64_t>(serial));
    if (slot == 0) {
      refuse(place_of(column), "block " + std::to_string(serial) +
                                   " has not been allocated by any earlier line; an address that is in no "
                                   "registry has a negative number");
    }
    return slot;
  }

  void note_foreign_copy(const Operation& operation) {
    for (const std::int64_t block : {operation.block, operation.source}) {
      if (block >= 0) continue;
      std::uint64_t& size = trace_.foreign_sizes[static_cast<std::size_t>(-block)];
      size = std::max(size, operation.size);
    }
  }

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
    refuse(place_of(column), fault + "; if it failed in the program, its result must be other than 0");
  }

  Lines lines_;
  std::uint64_t most_;
  Fields fields_;
  const std::vector<Field>* line_ = nullptr;
  std::array<int, columns> position_{};  // of each column in the header; -1 when it has none
  std::size_t width_ = 0;
  Trace trace_;
  std::map<std::string_view, std::uint32_t> labels_;
  std::deque<std::string> label_texts_;  // whose addresses stay, for the keys above
  Slots context_slots_, block_slots_, foreign_slots_, thread_slots_;
  std::vector<ContextHistory> contexts_;
  std::vector<BlockHistory> blocks_;
};

Trace Reader::read() {
  bool headed = false;
  while (lines_.next()) {
    if (lines_.text().empty() || lines_.text().front() == '#') continue;
    line_ = &fields_.split(lines_);
    if (headed) {
      read_operation();
    } else {
      read_header();
      headed = true;
    }
  }
  if (!headed) {
    throw TraceError(lines_.name() + ":" + std::to_string(lines_.number() + 1) +
                     ":1: the file ends without a header; its first line names the columns, such as "
                     "op,block,size,label");
  }
  for (std::string& text : label_texts_) trace_.labels.push_back(std::move(text));
  return std::move(trace_);
}

void Reader::read_header() {
  width_ = line_->size();
  for (std::size_t i = 0; i < width_; ++i) {
    const std::string_view name = (*line_)[i].text;
    const auto found = std::find(std::begin(column_names), std::end(column_names), name);
    if (found == std::end(column_names)) continue;
    int& position = position_[static_cast<std::size_t>(found - column_names)];
    if (position >= 0) {
      refuse((*line_)[i], "the column '" + std::string(name) + "' is named twice; name each column once");
    }
    position = static_cast<int>(i);
  }
  if (position_[index_of(Column::op)] < 0) {
    lines_.refuse(1, "the header '" + printable(lines_.text()) +
                         "' names no column 'op'; the first line of a trace names its columns, separated by "
                         "commas, such as op,block,size,label");
  }
}

void Reader::read_operation() {
  if (line_->size() != width_) {
    lines_.refuse(lines_.text().size() + 1, "the line has " + std::to_string(line_->size()) + " fields, the header " +
                                                std::to_string(width_) + "; both must have the same number, including empty fields");
  }
  if (trace_.operations.size() >= most_) {
    lines_.refuse(1, "the trace has more than " + std::to_string(most_) +
                         " operations, each of which takes at least 64 bytes; "
                         "split it, or allow more of them with --max-operations");
  }
  const auto row = std::find_if(std::begin(operation_rows), std::end(operation_rows),
                                [this](const OperationRow& one) { return one.name == text_of(Column::op); });
  if (row == std::end(operation_rows)) {
    std::string known;
    for (const OperationRow& one : operation_rows) known += (known.empty() ? "" : ", ") + std::string(one.name);
    refuse(place_of(Column::op), "'" + printable(text_of(Column::op)) + "' is not an operation; it is one of " + known);
  }
  Operation operation;
  operation.kind = static_cast<Kind>(row - operation_rows);
  operation.line = lines_.number();
  read_plain_columns(operation);
  read_memory_type(operation);
  read_label(operation);
  read_context(operation);
  operation.block = read_block(Column::block, operation, row->needs);
  operation.source = read_block(Column::source, operation, row->needs);
  if ((row->needs & bit(Column::size)) && !operation.has_size) {
    refuse(place_of(Column::size), std::string(row->name) + " without a size; write how many bytes in a column 'size'");
  }
  if (operation.kind == Kind::copy) note_foreign_copy(operation);
  follow(operation);
  trace_.operations.push_back(operation);
}

bool Reader::usable(const Operation& operation, std::int64_t block) const {
  if (block <= 0) return block < 0 && operation.kind == Kind::copy;
  const BlockHistory& history = blocks_[static_cast<std::size_t>(block)];
  return history.context == operation.context && block_alive(history);
}

std::string Reader::context_fault(const Operation& operation) const {
  if (operation.context == 0) return "context 0 is never valid";
  const ContextHistory& context = contexts_[operation.context];
  const std::string name = "context " + std::to_string(trace_.contexts[operation.context]);
  if (context.generation == 0) return name + " could not be created";
  return name + " was destroyed on line " + std::to_string(context.line);
}

std::string Reader::block_fault(const Operation& operation, std::int64_t block) const {
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

void Reader::follow(const Operation& operation) {
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

void Reader::follow_create(const Operation& operation) {
  ContextHistory& context = contexts_[operation.context];
  if (context.alive) {
    refuse(place_of(Column::context), "context " + std::to_string(trace_.contexts[operation.context]) + " is alive since line " +
                                          std::to_string(context.line) + "; destroy it first, or take another number");
  }
  if (operation.result != 0) return;
  context.alive = true;
  ++context.generation;
  context.line = operation.line;
}

void Reader::follow_malloc(const Operation& operation) {
  if (operation.result != 0) return;
  if (operation.block == 0) {
    refuse(place_of(Column::block), "malloc without a block; give it a number in a column 'block', or the exit code of its "
                                    "failure in a "
                                    "column 'result'");
  }
  BlockHistory& block = blocks_[static_cast<std::size_t>(operation.block)];
  if (block_alive(block)) {
    refuse(place_of(Column::block), "block " + std::to_string(trace_.blocks[static_cast<std::size_t>(operation.block)]) +
                                        " is alive since line " + std::to_string(block.line) + "; free it first, or take another number");
  }
  block = {true, operation.context, contexts_[operation.context].generation, operation.line};
}

}  // namespace

Trace read_trace(const std::string& path, std::uint64_t most) { return Reader(path, most).read(); }

}  // namespace cadastre::command
