// Tangled from org/base/owned.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Objects and lists in the C library's heap that may come and go with no lock held.
#ifndef CADASTRE_SRC_BASE_OWNED_HPP
#define CADASTRE_SRC_BASE_OWNED_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/lock.hpp"

namespace cadastre::internal {

struct Discard {
  template <class T>
  void operator()(T* gone) const noexcept {
    const InsideLibrary here;
    delete gone;
  }
};

struct DiscardArray {
  template <class T>
  void operator()(T* gone) const noexcept {
    const InsideLibrary here;
    delete[] gone;
  }
};

template <class T>
using Owned = std::unique_ptr<T, Discard>;
template <class T>
using OwnedArray = std::unique_ptr<T[], DiscardArray>;

template <class T, class... Arguments>
Owned<T> make_owned(Arguments&&... arguments) {
  const InsideLibrary here;
  return Owned<T>(new T{std::forward<Arguments>(arguments)...});
}

// Null where there is no memory.
template <class T, class... Arguments>
Owned<T> try_to_own(Arguments&&... arguments) noexcept {
  const InsideLibrary here;
  return Owned<T>(new (std::nothrow) T{std::forward<Arguments>(arguments)...});
}

// Not initialized.
template <class T>
OwnedArray<T> try_to_own_array(std::size_t count) noexcept {
  const InsideLibrary here;
  return OwnedArray<T>(new (std::nothrow) T[count]);
}

template <class T>
struct OwnedAllocator {
  using value_type = T;
  OwnedAllocator() noexcept = default;
  template <class Other>
  OwnedAllocator(const OwnedAllocator<Other>&) noexcept {}
  T* allocate(std::size_t count) {
    const InsideLibrary here;
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* first, std::size_t count) noexcept {
    const InsideLibrary here;
    std::allocator<T>().deallocate(first, count);
  }
  bool operator==(const OwnedAllocator&) const noexcept { return true; }
};

template <class T>
using OwnedVector = std::vector<T, OwnedAllocator<T>>;

}  // namespace cadastre::internal
#endif
