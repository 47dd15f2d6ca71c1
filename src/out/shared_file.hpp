// Tangled from org/out/shared_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Files that processes share at their ends.
#ifndef CADASTRE_SRC_OUT_SHARED_FILE_HPP
#define CADASTRE_SRC_OUT_SHARED_FILE_HPP

#include <chrono>
#include <cstdint>

#include "base/non_copyable.hpp"

namespace cadastre::internal {

// A file of a name, made where there is none, locked; or -1, with errno: EWOULDBLOCK where another process has had it too long.
class LockedFile : NonCopyable {
 public:
  // patience: for a file that another process has locked and does not change.
  explicit LockedFile(const char* path, std::chrono::milliseconds patience = std::chrono::seconds(10)) noexcept;
  // A file that was made and is empty is removed.
  ~LockedFile();
  operator int() const noexcept { return descriptor_; }

 private:
  int open_and_lock(std::chrono::milliseconds patience) noexcept;
  bool is_named() const noexcept;

  const char* const path_;
  int descriptor_ = -1;
  bool made_ = false;
};

// Whether a file is the trace of a process that has ended it: not one that is written, or another's.
bool is_ended_trace(const char* path, std::int64_t process) noexcept;

}  // namespace cadastre::internal
#endif
