// Tangled from org/base/byte_range.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Bytes of a file, as locks of the system take them.
#ifndef CADASTRE_SRC_BASE_BYTE_RANGE_HPP
#define CADASTRE_SRC_BASE_BYTE_RANGE_HPP

#include <fcntl.h>
#include <unistd.h>

namespace cadastre::internal {

// type: F_RDLCK, F_WRLCK or F_UNLCK. bytes: how many from the first.
inline struct flock byte_range(short type, off_t first, off_t bytes) noexcept {
  struct flock range{};  // l_pid is 0, as F_OFD_SETLK wants it
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = first;
  range.l_len = bytes;
  return range;
}

}  // namespace cadastre::internal
#endif
