// Tangled from org/base/file_identity.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Which file a descriptor or a name is of. Nothing allocates, throws or takes a lock.
#ifndef CADASTRE_SRC_BASE_FILE_IDENTITY_HPP
#define CADASTRE_SRC_BASE_FILE_IDENTITY_HPP

#include <fcntl.h>
#include <sys/stat.h>

namespace cadastre::internal {

struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;  // 0: of no file
  bool operator==(const FileIdentity&) const = default;
  explicit operator bool() const noexcept { return number != 0; }
};

inline FileIdentity identity_of(const struct stat& status) noexcept { return {status.st_dev, status.st_ino}; }
// Of no file where the descriptor is closed.
inline FileIdentity identity_of(int descriptor) noexcept {
  struct stat status{};
  return descriptor >= 0 && fstat(descriptor, &status) == 0 ? identity_of(status) : FileIdentity();
}
// Of a name in a folder; of no file where there is none. A link is a file of its own.
inline FileIdentity identity_of(int folder, const char* name) noexcept {
  struct stat status{};
  return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? identity_of(status) : FileIdentity();
}

inline bool is_of(int descriptor, const FileIdentity& file) noexcept { return file && identity_of(descriptor) == file; }

}  // namespace cadastre::internal
#endif
