// Tangled from org/out/output.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A file that the environment names, and that is written to as long as the process runs. Nothing here throws or raises a signal,
// and errno is left as it was. Calls for one file must not overlap.
#ifndef CADASTRE_SRC_OUT_OUTPUT_HPP
#define CADASTRE_SRC_OUT_OUTPUT_HPP

#include <sys/stat.h>
#include <sys/types.h>

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/file_identity.hpp"

namespace cadastre::internal {

// The name that %h (host), %r (rank, 0 without a launcher), %p (process) and %% in a name make; other characters stand for
// themselves. False when it does not fit.
bool expand_name(std::string_view pattern, char (&name)[PATH_MAX]) noexcept;

// Opens a file that exists, as a descriptor whose number is far from those that a program uses first; -1, with errno, where that fails.
int open_far_away(const char* path, int access) noexcept;
// A descriptor of the same file with such a number, which is not closed; or -1.
int far_away(int descriptor) noexcept;

// What becomes of a file that has the name of the one that is to be opened, and that nobody uses. Where it stays, that another name was chosen is not noted.
enum class ThereBefore { is_emptied, stays };

class Output {
 public:
  // variable: of the environment, as the vocabulary has it.
  explicit Output(const char* variable) noexcept : variable_(variable) {}

  // Opens the file of this name; or one next to it when that is in use or stays. False, with the reason noted, when none can be opened.
  bool open(std::string_view pattern, ThereBefore before = ThereBefore::is_emptied) noexcept;
  bool is_open() const noexcept { return descriptor_ >= 0; }
  void close() noexcept;
  // The same, of one that has nothing: a file that was made for it is removed.
  void discard() noexcept;

  // Appends all of a text; or nothing, notes why, and returns false.
  bool append(std::string_view text, const char* what) noexcept;
  // The same, and notes nothing, which would take some of a stack: 0, or an errno.
  int try_append(std::string_view text) noexcept;
  // As append, for a line of a third of a page at most, which is written completely or not at all even if the process is killed. When
  // it fails, a comment ends the file.
  bool append_line(std::string_view line, const char* what) noexcept;
  void note_failure(int error, const char* what) noexcept;

  // Whether it is a regular file that no other process writes to, and where it is; what is behind its name now may be another.
  bool is_regular() const noexcept { return regular_; }
  const char* path() const noexcept { return path_; }
  bool is_behind(int descriptor) const noexcept;

 private:
  int open_inherited(int number) noexcept;
  int open_name(const char* name, ThereBefore before) noexcept;
  int open_next_to(const char* name) noexcept;
  int keep(int descriptor, bool inherited) noexcept;
  int open_again() noexcept;
  int duplicate_again() noexcept;
  int write(std::string_view text) noexcept;
  int wait_for_a_reader() noexcept;
  ssize_t write_some(std::string_view text) noexcept;
  std::size_t taken_at_once(std::size_t size) const noexcept;
  int write_all(std::string_view text) noexcept;
  void note_name(const char* name, ThereBefore before) noexcept;

  const char* variable_;
  int descriptor_ = -1;
  int stream_ = -1;  // of the program's, that this one is a duplicate of
  bool inherited_pipe_ = false, socket_ = false;
  std::atomic<bool> was_in_vain_ = false;  // the last wait for a reader; a line of a handler may come beside a report
  bool regular_ = false;                   // and used by no other process
  bool made_ = false;                      // it was not there before
  FileIdentity file_;                      // that was opened
  std::uint64_t length_ = 0;
  char path_[PATH_MAX] = "";
  const char* why_taken_ = nullptr;  // why another name than that was opened
  char other_name_[PATH_MAX + 300] = "";
  char problem_[PATH_MAX + 300] = "";
};

}  // namespace cadastre::internal
#endif
