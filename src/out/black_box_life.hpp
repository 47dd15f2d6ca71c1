// Tangled from org/out/black_box_life.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Whether the process that writes a black box is there.
#ifndef CADASTRE_SRC_OUT_BLACK_BOX_LIFE_HPP
#define CADASTRE_SRC_OUT_BLACK_BOX_LIFE_HPP

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/byte_range.hpp"
#include "out/black_box_format.hpp"

namespace cadastre::internal {

inline struct flock black_box_lock(short type) noexcept { return byte_range(type, 0, 1); }

inline bool is_black_box_locked(int descriptor) noexcept {
  struct flock range = black_box_lock(F_WRLCK);
  return fcntl(descriptor, F_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

// Whether a process of this PID namespace has pages of a file. What may not be looked at is taken for no.
inline bool has_mapped(std::uint64_t process, std::uint64_t inode) noexcept {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/%llu/maps", static_cast<unsigned long long>(process));
  std::FILE* const maps = std::fopen(path, "re");
  if (!maps) return false;
  char line[4400];  // longer than a path
  bool found = false;
  while (!found && std::fgets(line, sizeof line, maps)) {
    unsigned long long number = 0;
    found = std::sscanf(line, "%*s %*s %*s %*s %llu", &number) == 1 && number == inode && std::strstr(line, black_box_ending);
  }
  std::fclose(maps);
  return found;
}

inline std::uint64_t pid_namespace() noexcept {
  struct stat status{};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

inline bool is_black_box_written(const BlackBoxHead& head, int descriptor) noexcept {
  if (head.state != static_cast<std::uint64_t>(BlackBoxState::written)) return false;
  if (is_black_box_locked(descriptor)) return true;
  struct stat status{};
  const bool is_here = head.pid_namespace != 0 && head.pid_namespace == pid_namespace();
  return is_here && ::fstat(descriptor, &status) == 0 && has_mapped(head.process, status.st_ino);
}

}  // namespace cadastre::internal
#endif
