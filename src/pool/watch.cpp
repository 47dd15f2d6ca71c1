// Tangled from org/pool/watch.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "pool/watch.hpp"

#include "config.h"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#define CADASTRE_TELL_VALGRIND(request) \
  do {                                  \
    request;                            \
  } while (false)
#else
#define CADASTRE_TELL_VALGRIND(request) static_cast<void>(0)
#endif

namespace cadastre::internal {

void PieceWatch::begin() const noexcept {
  static_cast<void>(pool_);  // nobody else uses it where valgrind's header is not there
  if (on_) CADASTRE_TELL_VALGRIND(VALGRIND_CREATE_MEMPOOL(pool_, 0, 0));
}

void PieceWatch::end() const noexcept {
  if (on_) CADASTRE_TELL_VALGRIND(VALGRIND_DESTROY_MEMPOOL(pool_));
}

void PieceWatch::tell_handed_out(const std::byte* begin, std::size_t size, std::size_t unknown) const noexcept {
  unpoison(begin, size);
  CADASTRE_TELL_VALGRIND(VALGRIND_MEMPOOL_ALLOC(pool_, begin, size));
  if (unknown < size) CADASTRE_TELL_VALGRIND(VALGRIND_MAKE_MEM_DEFINED(begin + unknown, size - unknown));
}

void PieceWatch::tell_taken_back(const std::byte* begin, std::size_t bytes, bool in_use) const noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_MEMPOOL_FREE(pool_, begin));
  if (in_use) {
    unpoison(begin, bytes);
  } else {
    poison(begin, bytes);
  }
}

void PieceWatch::tell_resized(const std::byte* begin, std::size_t from, std::size_t to, std::size_t piece, bool zero) const noexcept {
  CADASTRE_TELL_VALGRIND(VALGRIND_MEMPOOL_CHANGE(pool_, begin, begin, to));
  if (to > from) {
    if (zero) {
      unpoison_defined(begin + from, to - from);
    } else {
      unpoison(begin + from, to - from);
    }
  }
  poison(begin + to, piece - to);
}

}  // namespace cadastre::internal
