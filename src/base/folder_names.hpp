// Tangled from org/base/folder_names.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The names in a folder. Nothing allocates, throws or takes a lock.
#ifndef CADASTRE_SRC_BASE_FOLDER_NAMES_HPP
#define CADASTRE_SRC_BASE_FOLDER_NAMES_HPP

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace cadastre::internal {

// Calls for each name from where the descriptor stands, . and .. among them. False where the system does not list all.
template <class Action>
bool for_each_name(int folder, Action action) noexcept {
  constexpr long length_at = 16, name_at = 19;
  alignas(8) char room[512];  // on small stacks; an entry has less than 280
  long bytes = 0;
  while ((bytes = syscall(SYS_getdents64, folder, room, sizeof room)) > 0) {
    for (long at = 0; at < bytes;) {
      std::uint16_t length;
      std::memcpy(&length, room + at + length_at, sizeof length);
      action(static_cast<const char*>(room + at + name_at));
      at += length;
    }
  }
  return bytes == 0;
}

}  // namespace cadastre::internal
#endif
