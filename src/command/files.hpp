// Tangled from org/command/files.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the command reads and writes.
#ifndef CADASTRE_SRC_COMMAND_FILES_HPP
#define CADASTRE_SRC_COMMAND_FILES_HPP

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "compression.hpp"

namespace cadastre::command {

// Says it on the standard error.
void complain(const std::string& what);

// Once; the standard output is closed then. Throws std::runtime_error.
void write_standard_output(const std::string& text);

// A file that is read. While this is, the library finds that it is in use.
class InputFile {
 public:
  // is_held: whether it is locked as long as this is there.
  InputFile(const std::string& path, bool is_held);
  InputFile(InputFile&& other) noexcept
      : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)), there_(other.there_), status_(other.status_) {}
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool is(const std::string& path) const;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_;
  bool there_ = false;
  struct stat status_{};
};

// A file that is written whole or not at all. Throws std::runtime_error.
class OutputFile {
 public:
  // Checks what can be checked without writing.
  explicit OutputFile(const std::string& path);

  bool is(const InputFile& other) const { return replaced_ && other.is(path_); }

  // Compressed, where the name of the file says so.
  void write(std::string plain);

 private:
  static bool written(int descriptor, const std::string& text);
  std::string folder() const;
  [[noreturn]] void refuse(int error) const;

  std::string name_;
  std::string path_;
  Compression compression_;
  bool replaced_ = true;
  mode_t mode_ = 0;
};

}  // namespace cadastre::command
#endif
