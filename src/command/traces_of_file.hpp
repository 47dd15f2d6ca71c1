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
  void look_at_the_beginning();
  bool begin();
  bool find_head();
  [[noreturn]] void refuse_what_was_passed_over(std::uint64_t place) const;

  NamedTraces named_;
  Remembers remembers_;
  std::shared_ptr<TraceInput> input_;
  static constexpr std::uint64_t no_place = UINT64_MAX;
  std::uint64_t number_ = 0;              // of the last that was begun
  std::uint64_t end_ = 0;                 // where its parts end; no_place: not known
  std::uint64_t passed_from_ = no_place;  // where what is of no trace begins
  bool begun_ = false, records_ = false;
  bool is_at_next_ = false;     // what is read next is its beginning
  bool is_unfinished_ = false;  // the file begins with the mark of one that was being appended
};

}  // namespace cadastre::command
#endif
