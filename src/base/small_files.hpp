// Tangled from org/base/small_files.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a small file of the system says. Nothing allocates, throws or takes a lock.
#ifndef CADASTRE_SRC_BASE_SMALL_FILES_HPP
#define CADASTRE_SRC_BASE_SMALL_FILES_HPP

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/process.hpp"
#include "base/text.hpp"

namespace cadastre::internal {

struct Contents {
  // The path is made of these parts.
  explicit Contents(std::initializer_list<const char*> parts) noexcept {
    const KeptErrno kept;
    char path[512];
    std::size_t length = 0;
    for (const char* const part : parts) {
      const std::size_t more = std::strlen(part);
      if (length + more >= sizeof path) return;
      std::memcpy(path + length, part, more);
      length += more;
    }
    path[length] = '\0';
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    std::size_t used = 0;
    ssize_t more = 0;
    while (used < sizeof text - 1 && (more = read(file, text + used, sizeof text - 1 - used)) > 0) used += static_cast<std::size_t>(more);
    close(file);
    if (more == 0) text[used] = '\0';
    else text[0] = '\0';
  }
  bool is_there() const noexcept { return text[0] != '\0'; }
  // What it begins with; none where that is no number.
  std::optional<long long> number() const noexcept {
    std::string_view all = text;
    return take_number<long long>(all);
  }

  char text[8192] = "";  // empty where there is none
};

// Calls for each number of the list that a text begins with, which a line break ends, and of which all are below a bound; false where it is no such list.
template <class Action>
bool for_each_listed(const char* text, std::size_t bound, Action action) noexcept {
  std::string_view rest(text, std::strcspn(text, "\n"));
  const bool is_any = !rest.empty();
  while (!rest.empty()) {
    const std::optional<unsigned> first = take_number<unsigned>(rest);
    const bool is_range = first && take_prefix(rest, "-");
    const std::optional<unsigned> last = is_range ? take_number<unsigned>(rest) : first;
    if (!last || (is_range && (*last < *first || *last >= bound))) return false;
    for (unsigned number = *first; number <= *last; ++number) action(number);
    if (!rest.empty() && !take_prefix(rest, ",")) return false;
  }
  return is_any;
}

}  // namespace cadastre::internal
#endif
