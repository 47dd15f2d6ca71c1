// Tangled from org/base/folder.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The user's folder in a place. Nothing throws.
#ifndef CADASTRE_SRC_BASE_FOLDER_HPP
#define CADASTRE_SRC_BASE_FOLDER_HPP

#include "base/error.hpp"
#include "base/file_identity.hpp"
#include "base/user_folder.hpp"

namespace cadastre::internal {

struct Folder {
  Descriptor descriptor;
  Text problem;  // why there is none
};

// Opens that of this purpose in a place, and makes it where it is not there.
Folder open_user_folder(const Text& place, const char* purpose) noexcept;

// Opens a file in such a folder. A link, another kind of file and another user's are not opened: errno is EPERM or ELOOP.
Descriptor open_own_file(int folder, const char* name, int flags) noexcept;
// Whether a file is still the one with its name.
inline bool is_in_place(int folder, const char* name, const Descriptor& file) noexcept {
  return is_of(file.number(), identity_of(folder, name));
}

}  // namespace cadastre::internal
#endif
