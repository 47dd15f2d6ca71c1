// Tangled from org/command/trace_input.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a trace.
#ifndef CADASTRE_SRC_COMMAND_TRACE_INPUT_HPP
#define CADASTRE_SRC_COMMAND_TRACE_INPUT_HPP

#include <zlib.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cadastre::command {

class TraceInput {
 public:
  // "-" is the standard input. Throws TraceError, or std::bad_alloc, as the others do.
  explicit TraceInput(const std::string& path);
  ~TraceInput() { gzclose(file_); }
  TraceInput(const TraceInput&) = delete;
  TraceInput& operator=(const TraceInput&) = delete;

  // So many of the first bytes, or all, before anything is read.
  std::string_view peek(std::size_t bytes);
  // Reads at most so many bytes, and at least one but at the end of the file. after: what was read before, for a message.
  std::size_t read(char* bytes, std::size_t most, const std::string& after);
  const std::string& name() const noexcept { return name_; }
  // Whether somebody writes the file: who does has it locked.
  bool is_locked() const noexcept;

 private:
  std::size_t read_file(char* bytes, std::size_t most, const std::string& after);

  std::string name_;
  int descriptor_;  // of the file, which closes it
  gzFile file_ = nullptr;
  std::vector<char> peeked_;
  std::size_t given_ = 0;  // of these
};

}  // namespace cadastre::command
#endif
