// Tangled from org/base/user_folder.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Where processes of one user leave files for each other on a node. Nothing throws.
#ifndef CADASTRE_SRC_BASE_USER_FOLDER_HPP
#define CADASTRE_SRC_BASE_USER_FOLDER_HPP

#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

namespace cadastre::internal {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.keep()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }
  // Leaves it open.
  int keep() noexcept { return std::exchange(number_, -1); }

 private:
  int number_;
};

inline constexpr int most_folders = 3;

// Where such a folder may be, the first place first; empty ones are not used. value_of: of a variable of the environment; null for none.
template <class ValueOf>
std::array<const char*, most_folders> places_of_user_folders(ValueOf value_of) noexcept {
  const char* const own = value_of("XDG_RUNTIME_DIR");
  const char* const temporary = value_of("TMPDIR");
  return {own ? own : "", "/dev/shm", temporary && *temporary ? temporary : "/tmp"};
}

struct UserFolderName {
  char characters[48];
  // purpose: what the files there are for, of at most 20 characters.
  explicit UserFolderName(const char* purpose) noexcept {
    std::snprintf(characters, sizeof characters, "cadastre-%s-%lu", purpose, static_cast<unsigned long>(geteuid()));
  }
};

}  // namespace cadastre::internal
#endif
