// Tangled from org/base/account_tree.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A node of the tree of accounts: whose it is, what is below it, and what those left there that are gone.
#ifndef CADASTRE_SRC_BASE_ACCOUNT_TREE_HPP
#define CADASTRE_SRC_BASE_ACCOUNT_TREE_HPP

#include <array>
#include <atomic>
#include <cstdint>

#include "base/counters.hpp"
#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {

class AccountNode : NonCopyable {
 public:
  // Whose it is: a context, CADASTRE_PROCESS, or CADASTRE_NULL_CONTEXT while it is nobody's.
  cadastre_context owner() const noexcept { return owner_.load(std::memory_order_relaxed); }
  void set_owner(cadastre_context owner) noexcept { owner_.store(owner, std::memory_order_relaxed); }
  AccountNode* parent() const noexcept { return parent_; }
  // Of an account that is nobody's.
  void set_parent(AccountNode& parent) noexcept { parent_ = &parent; }
  // Whether it is this one, or above it.
  bool is_within(const AccountNode& other) const noexcept;

  // How many accounts below this one, without those below them, somebody has: then this one must stay.
  std::uint32_t children() const noexcept { return children_.load(std::memory_order_acquire); }
  // Whether it counts what others had, or have.
  bool had_children() const noexcept { return had_children_.load(std::memory_order_relaxed); }
  void add_child() noexcept {
    children_.fetch_add(1, std::memory_order_relaxed);
    had_children_.store(true, std::memory_order_relaxed);
  }
  void remove_child() noexcept { children_.fetch_sub(1, std::memory_order_release); }
  // While it is closed nobody may come below it, at whatever depth. Several may close it, and each opens it again.
  void close() noexcept { closed_.fetch_add(1, std::memory_order_relaxed); }
  void reopen() noexcept { closed_.fetch_sub(1, std::memory_order_relaxed); }
  bool accepts_children() const noexcept;

  // What contexts below this one counted before they were destroyed: live blocks are none, marks are not told.
  cadastre_statistics_struct departed(cadastre_memory_type type) const noexcept CADASTRE_EXCLUDES(mutex);
  void add_departed(cadastre_memory_type type, const cadastre_statistics_struct& figures) noexcept CADASTRE_EXCLUDES(mutex);

  // To be called around a fork.
  static void before_fork() noexcept CADASTRE_ACQUIRES(mutex) { mutex.lock_for_fork(); }
  static void after_fork() noexcept CADASTRE_RELEASES(mutex) { mutex.unlock(); }

 protected:
  explicit constexpr AccountNode(AccountNode* parent) noexcept : parent_(parent) {}
  explicit constexpr AccountNode(cadastre_context owner) noexcept : owner_(owner) {}
  // Nobody's and nobody's child, as a new one.
  void renew() noexcept CADASTRE_EXCLUDES(mutex);
  void forget_children() noexcept { children_.store(0, std::memory_order_relaxed); }

  static Mutex<Rank::accounting> mutex;

 private:
  AccountNode* parent_ = nullptr;
  std::atomic<cadastre_context> owner_ = CADASTRE_NULL_CONTEXT;
  std::atomic<std::uint32_t> children_ = 0;
  std::atomic<std::uint32_t> closed_ = 0;
  std::atomic<bool> had_children_ = false;
  std::array<cadastre_statistics_struct, memory_types> departed_ CADASTRE_GUARDED_BY(mutex) = {};
};

}  // namespace cadastre::internal
#endif
