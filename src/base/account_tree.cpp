// Tangled from org/base/account_tree.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/account_tree.hpp"

namespace cadastre::internal {

constinit Mutex<Rank::accounting> AccountNode::mutex;

bool AccountNode::is_within(const AccountNode& other) const noexcept {
  const AccountNode* each = this;
  while (each && each != &other) each = each->parent_;
  return each != nullptr;
}

bool AccountNode::accepts_children() const noexcept {
  const AccountNode* each = this;
  while (each && each->closed_.load(std::memory_order_relaxed) == 0) each = each->parent_;
  return each == nullptr;
}

void AccountNode::renew() noexcept {
  parent_ = nullptr;
  set_owner(CADASTRE_NULL_CONTEXT);
  closed_.store(0, std::memory_order_relaxed);
  if (!had_children()) return;
  had_children_.store(false, std::memory_order_relaxed);
  const Locked locked(mutex);
  departed_ = {};
}

cadastre_statistics_struct AccountNode::departed(cadastre_memory_type type) const noexcept {
  const Locked locked(mutex);
  return departed_[static_cast<std::size_t>(type)];
}

void AccountNode::add_departed(cadastre_memory_type type, const cadastre_statistics_struct& figures) noexcept {
  const Locked locked(mutex);
  add_figures(departed_[static_cast<std::size_t>(type)], figures);
}

}  // namespace cadastre::internal
