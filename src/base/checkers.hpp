// Tangled from org/base/checkers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What AddressSanitizer, LeakSanitizer and valgrind are told of memory that is given out here.
#ifndef CADASTRE_SRC_BASE_CHECKERS_HPP
#define CADASTRE_SRC_BASE_CHECKERS_HPP

#include <cstddef>
#include <cstdint>

namespace cadastre::internal {

// Whether AddressSanitizer or valgrind watches.
bool is_memory_checked() noexcept;

// Who may touch bytes, and whether what they hold is to be relied on.
enum class Access : std::uint8_t { nobodys, undefined, defined };
void tell_checkers(const void* begin, std::size_t bytes, Access access) noexcept;
// What is_memory_checked says; false before static objects are made.
[[gnu::visibility("hidden")]] extern bool memory_is_checked;
inline void poison(const void* begin, std::size_t bytes) noexcept {
  if (memory_is_checked) [[unlikely]]
    tell_checkers(begin, bytes, Access::nobodys);
}
inline void unpoison(const void* begin, std::size_t bytes) noexcept {
  if (memory_is_checked) [[unlikely]]
    tell_checkers(begin, bytes, Access::undefined);
}
inline void unpoison_defined(const void* begin, std::size_t bytes) noexcept {
  if (memory_is_checked) [[unlikely]]
    tell_checkers(begin, bytes, Access::defined);
}

// Pointers that lie here keep what they point to from being a leak.
void add_roots(const void* begin, std::size_t bytes) noexcept;
void remove_roots(const void* begin, std::size_t bytes) noexcept;

inline void* pointer_to(std::uintptr_t address) noexcept { return reinterpret_cast<void*>(address); }

}  // namespace cadastre::internal
#endif
