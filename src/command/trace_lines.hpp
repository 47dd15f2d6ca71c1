// Tangled from org/command/trace_lines.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The lines and the fields of a file of traces.
#ifndef CADASTRE_SRC_COMMAND_TRACE_LINES_HPP
#define CADASTRE_SRC_COMMAND_TRACE_LINES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace_input.hpp"

namespace cadastre::command {

// The lines of an input, which outlives this.
class Lines {
 public:
  explicit Lines(TraceInput& input) : input_(input) {}

  // Advances to the next line; false at the end of the file.
  bool next();
  // The line, without what ends it.
  std::string_view text() const noexcept { return text_; }
  std::uint64_t number() const noexcept { return number_; }
  // Whether it is the last of a file, and nothing ended it.
  bool is_cut() const noexcept { return cut_; }
  const std::string& name() const noexcept { return input_.name(); }

  // Throws TraceError.
  [[noreturn]] void refuse(std::size_t column, const std::string& what) const;

 private:
  bool fill();

  TraceInput& input_;
  std::vector<char> buffer_ = std::vector<char>(1u << 18);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string_view text_;
  std::uint64_t number_ = 0;
  bool cut_ = false;
};

struct Field {
  std::string_view text;
  std::size_t column = 1;  // in the line, counted from 1
};

class Fields {
 public:
  // Splits the line; the fields stay valid until the next split.
  const std::vector<Field>& split(const Lines& lines);

 private:
  Field quoted(const Lines& lines, std::size_t& at);

  std::vector<Field> fields_;
  std::string unquoted_;
};

}  // namespace cadastre::command
#endif
