// Tangled from org/base/own_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory for the library's own structures, from the system and not from a malloc.
#ifndef CADASTRE_SRC_BASE_OWN_MEMORY_HPP
#define CADASTRE_SRC_BASE_OWN_MEMORY_HPP

#include <bit>
#include <cstddef>
#include <new>
#include <utility>

#include "base/non_copyable.hpp"

namespace cadastre::internal {

// Zeroed, aligned to its size rounded up to a power of two, at least to 64 and at most to a page; null when there is none.
void* take_own(std::size_t bytes) noexcept;
// bytes: as it was taken with.
void give_own(void* memory, std::size_t bytes) noexcept;
// Bytes that are taken, and that the system was asked for.
struct OwnBytes {
  std::size_t taken, mapped;
};
OwnBytes own_bytes() noexcept;

// Around a fork.
void own_memory_before_fork() noexcept;
void own_memory_after_fork() noexcept;

template <class Type, class... Arguments>
Type* make_own(Arguments&&... arguments) noexcept {
  void* const memory = take_own(sizeof(Type));
  return memory ? ::new (memory) Type(std::forward<Arguments>(arguments)...) : nullptr;
}
template <class Type>
void delete_own(Type* object) noexcept {
  if (!object) return;
  object->~Type();
  give_own(object, sizeof(Type));
}

// Room for as long as this exists.
class OwnRoom : NonCopyable {
 public:
  explicit OwnRoom(std::size_t bytes) noexcept : begin_(static_cast<char*>(take_own(bytes))), bytes_(bytes) {}
  ~OwnRoom() {
    if (begin_) give_own(begin_, bytes_);
  }
  char* begin() const noexcept { return begin_; }  // null where there was no memory

 private:
  char* begin_;
  std::size_t bytes_;
};

// A sequence without holes whose elements may be copied bytewise. It never shrinks but by clear.
template <class Element>
class OwnVector : NonCopyable {
 public:
  OwnVector() = default;
  ~OwnVector() { clear(); }

  // Room for one more; false when there is no memory.
  bool reserve_one() noexcept {
    if (size_ < capacity_) return true;
    const std::size_t wanted = capacity_ == 0 ? first_capacity : 2 * capacity_;
    auto* const fresh = static_cast<Element*>(take_own(wanted * sizeof(Element)));
    if (!fresh) return false;
    for (std::size_t place = 0; place < size_; ++place) ::new (fresh + place) Element(elements_[place]);
    give_own(elements_, capacity_ * sizeof(Element));
    elements_ = fresh;
    capacity_ = wanted;
    return true;
  }
  void push_back(const Element& element) noexcept { ::new (elements_ + size_++) Element(element); }
  // The last one takes the place of the one that goes.
  void remove_at(std::size_t place) noexcept { elements_[place] = elements_[--size_]; }
  void clear() noexcept {
    if (!elements_) return;
    give_own(elements_, capacity_ * sizeof(Element));
    elements_ = nullptr;
    size_ = capacity_ = 0;
  }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  unsigned doublings() const noexcept { return capacity_ == 0 ? 0 : static_cast<unsigned>(std::countr_zero(capacity_ / first_capacity)); }
  bool empty() const noexcept { return size_ == 0; }
  Element& operator[](std::size_t place) noexcept { return elements_[place]; }
  const Element& operator[](std::size_t place) const noexcept { return elements_[place]; }
  Element* begin() noexcept { return elements_; }
  Element* end() noexcept { return elements_ + size_; }
  const Element* begin() const noexcept { return elements_; }
  const Element* end() const noexcept { return elements_ + size_; }

 private:
  static constexpr std::size_t first_capacity = 64 / sizeof(Element) + 1;

  Element* elements_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace cadastre::internal
#endif
