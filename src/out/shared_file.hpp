// Tangled from org/out/shared_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Files that processes share at their ends.
#ifndef CADASTRE_SRC_OUT_SHARED_FILE_HPP
#define CADASTRE_SRC_OUT_SHARED_FILE_HPP

#include <cstdint>
#include <string>

#include "base/non_copyable.hpp"

namespace cadastre::internal {

// A file of a name, made where there is none, locked; or -1, with errno: EWOULDBLOCK where another process has had it too long.
class LockedFile : NonCopyable {
 public:
  explicit LockedFile(const char* path) noexcept;
  ~LockedFile();
  operator int() const noexcept { return descriptor_; }

 private:
  const int descriptor_;
};

// Whether a file is the trace of a process that has ended it: not one that is written, or another's.
bool is_ended_trace(const std::string& path, std::int64_t process) noexcept;

}  // namespace cadastre::internal
#endif
