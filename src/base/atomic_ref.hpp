// Tangled from org/base/atomic_ref.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Atomic accesses to numbers that are not declared atomic.
#ifndef CADASTRE_SRC_BASE_ATOMIC_REF_HPP
#define CADASTRE_SRC_BASE_ATOMIC_REF_HPP

#include <atomic>
#include <type_traits>

namespace cadastre::internal {

static_assert(static_cast<int>(std::memory_order_relaxed) == __ATOMIC_RELAXED &&
              static_cast<int>(std::memory_order_acquire) == __ATOMIC_ACQUIRE &&
              static_cast<int>(std::memory_order_release) == __ATOMIC_RELEASE &&
              static_cast<int>(std::memory_order_seq_cst) == __ATOMIC_SEQ_CST);

template <class Number>
class AtomicRef {
  using Order = std::memory_order;
  static_assert(std::is_integral_v<Number>);

 public:
  explicit AtomicRef(Number& number) noexcept : number_(number) {}
  std::remove_const_t<Number> load(Order order = Order::seq_cst) const noexcept {
    return __atomic_load_n(&number_, static_cast<int>(order));
  }
  void store(Number value, Order order = Order::seq_cst) const noexcept { __atomic_store_n(&number_, value, static_cast<int>(order)); }
  Number fetch_add(Number value, Order order = Order::seq_cst) const noexcept {
    return __atomic_fetch_add(&number_, value, static_cast<int>(order));
  }

 private:
  Number& number_;
};

}  // namespace cadastre::internal
#endif
