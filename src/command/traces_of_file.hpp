// Tangled from org/command/traces_of_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The traces of a file, which may be several.
#ifndef CADASTRE_SRC_COMMAND_TRACES_OF_FILE_HPP
#define CADASTRE_SRC_COMMAND_TRACES_OF_FILE_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace_input.hpp"
#include "trace_source.hpp"

namespace cadastre::command {

// What a person names: a file, and which of its traces; 0: all.
struct NamedTraces {
  std::string file;
  std::uint64_t number = 0;
};
NamedTraces named_traces(const std::string& path);

// Pieces of a file that can be read apart, each with the number of its first trace; a single one where they cannot.
struct PieceOfFile {
  Extent extent;
  std::uint64_t number = 1;
};
std::vector<PieceOfFile> pieces_of(const std::string& path);

class TracesOfFile {
 public:
  // Throws TraceError, or std::bad_alloc, as the others do.
  TracesOfFile(const std::string& path, Remembers remembers, WasRead was_read = {}, const PieceOfFile& piece = {});

  // The next one; null behind the last. What was not read of the one before is passed over. Where one cannot be read, another may follow.
  std::unique_ptr<TraceSource> next();
  // Of the last one.
  std::string name() const;

 private:
  bool begin();
  bool find_head();

  NamedTraces named_;
  Remembers remembers_;
  std::shared_ptr<TraceInput> input_;
  std::uint64_t number_ = 0;  // of the next, or where there is none, of the last
  bool begun_ = false, records_ = false;
};

}  // namespace cadastre::command
#endif
