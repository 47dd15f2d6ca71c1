// Tangled from org/base/futex.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Threads that sleep until a word changes.
#ifndef CADASTRE_SRC_BASE_FUTEX_HPP
#define CADASTRE_SRC_BASE_FUTEX_HPP

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>

namespace cadastre::internal {

// What the kernel compares is the number alone.
template <class Word>
inline constexpr bool is_futex_word = sizeof(std::atomic<Word>) == sizeof(std::uint32_t) && std::atomic<Word>::is_always_lock_free;

inline void call_futex(const void* word, int operation, std::uint32_t value) noexcept {
  const int error = errno;
  syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
  errno = error;
}

// Sleeps while the word has this value, until it is woken or for no reason at all.
template <class Word>
void sleep_while(const std::atomic<Word>& word, Word value) noexcept {
  static_assert(is_futex_word<Word>);
  call_futex(&word, FUTEX_WAIT, static_cast<std::uint32_t>(value));
}

template <class Word>
void wake_one(const std::atomic<Word>& word) noexcept {
  static_assert(is_futex_word<Word>);
  call_futex(&word, FUTEX_WAKE, 1);
}

template <class Word>
void wake_all(const std::atomic<Word>& word) noexcept {
  static_assert(is_futex_word<Word>);
  call_futex(&word, FUTEX_WAKE, INT_MAX);
}

}  // namespace cadastre::internal
#endif
