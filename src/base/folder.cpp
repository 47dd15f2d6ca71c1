// Tangled from org/base/folder.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/fail.hpp"

namespace cadastre::internal {

Folder open_user_folder(const Text& place, const char* purpose) noexcept {
  constexpr mode_t own = 0700, others = 0077;
  Folder folder;
  const char* const path = place.characters;
  if (path[0] != '/') {
    folder.problem = "not an absolute path";
    return folder;
  }
  const Descriptor outer(system_fails(EMFILE) ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const UserFolderName name(purpose);
  if (!outer || (mkdirat(outer.number(), name.characters, own) != 0 && errno != EEXIST)) {
    folder.problem = text_of_errno(errno);
    return folder;
  }
  struct stat status{};
  constexpr int inner_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor inner(system_fails(EMFILE) ? -1 : openat(outer.number(), name.characters, inner_flags));
  if (!inner || fstat(inner.number(), &status) != 0) {
    folder.problem = text("%s in it is not a folder that can be used", name.characters);
  } else if (status.st_uid != geteuid() || (status.st_mode & others)) {
    folder.problem = text("%s in it belongs to another user, or others may use it", name.characters);
  } else {
    folder.descriptor = std::move(inner);
  }
  return folder;
}

Descriptor open_own_file(int folder, const char* name, int flags) noexcept {
  constexpr mode_t own = 0600;
  Descriptor file(system_fails(EMFILE) ? -1 : openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, own));
  struct stat status{};
  if (!file) return file;
  if (!system_fails(EIO) && fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()) return file;
  file = Descriptor();
  errno = EPERM;
  return file;
}

}  // namespace cadastre::internal
