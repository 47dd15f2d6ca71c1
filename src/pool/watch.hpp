// Tangled from org/pool/watch.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What AddressSanitizer and valgrind are told of the pieces of a pool.
#ifndef CADASTRE_SRC_POOL_WATCH_HPP
#define CADASTRE_SRC_POOL_WATCH_HPP

#include <cstddef>

#include "base/checkers.hpp"
#include "base/non_copyable.hpp"

namespace cadastre::internal {

// Of one pool; does nothing unless it is on.
class PieceWatch : NonCopyable {
 public:
  PieceWatch(const void* pool, bool on) noexcept : pool_(pool), on_(on) { begin(); }
  ~PieceWatch() { end(); }

  explicit operator bool() const noexcept { return on_; }
  // All is forgotten.
  void renew() const noexcept {
    end();
    begin();
  }
  // unknown: how many of its bytes nobody is to rely on; the others are zero.
  void hand_out(const std::byte* begin, std::size_t size, std::size_t unknown) const noexcept {
    if (on_) tell_handed_out(begin, size, unknown);
  }
  // in_use: a queue may be at work on it yet, on the host's memory perhaps.
  void take_back(const std::byte* begin, std::size_t bytes, bool in_use) const noexcept {
    if (on_) tell_taken_back(begin, bytes, in_use);
  }
  // piece: of how many bytes it is; zero: whether what is new reads as zeros.
  void resize(const std::byte* begin, std::size_t from, std::size_t to, std::size_t piece, bool zero) const noexcept {
    if (on_) tell_resized(begin, from, to, piece, zero);
  }
  void hide(const std::byte* begin, std::size_t bytes) const noexcept {
    if (on_) poison(begin, bytes);
  }
  void show(const std::byte* begin, std::size_t bytes) const noexcept {
    if (on_) unpoison(begin, bytes);
  }

 private:
  void begin() const noexcept;
  void end() const noexcept;
  void tell_handed_out(const std::byte* begin, std::size_t size, std::size_t unknown) const noexcept;
  void tell_taken_back(const std::byte* begin, std::size_t bytes, bool in_use) const noexcept;
  void tell_resized(const std::byte* begin, std::size_t from, std::size_t to, std::size_t piece, bool zero) const noexcept;

  const void* pool_;
  bool on_;
};

}  // namespace cadastre::internal
#endif
