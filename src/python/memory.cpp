// Tangled from org/python/memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "memory.hpp"

#include <utility>

namespace cadastre::python {

Registry::Registry(cadastre_context handle, std::shared_ptr<Registry> parent) : handle_(handle), parent_(std::move(parent)) {}

Registry::~Registry() {
  if (state_ != State::gone) (void)destroy_now(nullptr);
  if (parent_) parent_->leave();
}

bool Registry::takes_requests() const {
  const std::lock_guard<std::mutex> locked(mutex_);
  return state_ == State::open;
}

bool Registry::exists() const {
  const std::lock_guard<std::mutex> locked(mutex_);
  return state_ != State::gone;
}

long Registry::users() const {
  const std::lock_guard<std::mutex> locked(mutex_);
  return users_;
}

bool Registry::enter() {
  const std::lock_guard<std::mutex> locked(mutex_);
  if (state_ != State::open) return false;
  ++users_;
  return true;
}

void Registry::leave() {
  {
    const std::lock_guard<std::mutex> locked(mutex_);
    if (--users_ != 0 || state_ != State::closing) return;
    state_ = State::gone;
  }
  (void)destroy_now(nullptr);
}

void Registry::close() {
  {
    const std::lock_guard<std::mutex> locked(mutex_);
    if (state_ == State::gone) return;
    state_ = users_ == 0 ? State::gone : State::closing;
    if (state_ == State::closing) return;
  }
  (void)destroy_now(nullptr);
}

long Registry::destroy(cadastre_destroy_summary_struct* summary, cadastre_exit_code& code) {
  {
    const std::lock_guard<std::mutex> locked(mutex_);
    if (users_ != 0) return users_;
    state_ = State::gone;
  }
  code = destroy_now(summary);
  return 0;
}

// A context that could not be destroyed, as while a queue is captured, can be closed again.
cadastre_exit_code Registry::destroy_now(cadastre_destroy_summary_struct* summary) {
  const cadastre_exit_code code = waiting([&] { return cadastre_context_destroy_with_summary(handle_, summary); });
  if (code == CADASTRE_SUCCESS || code == CADASTRE_DEALLOCATION_FAILED || code == CADASTRE_INVALID_CONTEXT) return code;
  const std::lock_guard<std::mutex> locked(mutex_);
  state_ = State::open;
  return code;
}

Holding::~Holding() {
  bool mine = false;
  {
    const std::lock_guard<std::mutex> locked(registry_->mutex_);
    mine = is_live_locked();
    live_ = false;
  }
  if (mine) (void)give_back();
  if (handed_out_) registry_->leave();
}

bool Holding::is_live() const {
  const std::lock_guard<std::mutex> locked(registry_->mutex_);
  return is_live_locked();
}

long Holding::users() const {
  const std::lock_guard<std::mutex> locked(registry_->mutex_);
  return users_;
}

// A context that is closing still has its blocks, which calls may use; one that is gone has none.
bool Holding::enter() {
  const std::lock_guard<std::mutex> locked(registry_->mutex_);
  if (!is_live_locked() || released_) return false;
  ++users_;
  ++registry_->users_;
  return true;
}

void Holding::leave() {
  bool last = false;
  {
    const std::lock_guard<std::mutex> locked(registry_->mutex_);
    last = --users_ == 0 && released_ && is_live_locked();
    if (last) live_ = false;
  }
  if (last) (void)give_back();
  registry_->leave();
}

bool Holding::hand_out() {
  const std::lock_guard<std::mutex> locked(registry_->mutex_);
  if (!is_live_locked() || released_) return false;
  if (handed_out_) return true;
  handed_out_ = true;
  ++users_;
  ++registry_->users_;
  return true;
}

void Holding::release() {
  {
    const std::lock_guard<std::mutex> locked(registry_->mutex_);
    released_ = true;
    if (!is_live_locked() || users_ != 0) return;
    live_ = false;
  }
  (void)give_back();
}

long Holding::free(cadastre_exit_code& code) {
  {
    const std::lock_guard<std::mutex> locked(registry_->mutex_);
    if (!is_live_locked() || released_) return -1;
    if (users_ != 0) return users_;
    live_ = false;
  }
  code = give_back();
  if (code == CADASTRE_SUCCESS || code == CADASTRE_DEALLOCATION_FAILED || code == CADASTRE_INVALID_CONTEXT) return 0;
  const std::lock_guard<std::mutex> locked(registry_->mutex_);
  live_ = true;
  return 0;
}

// Meanwhile there is a user, so that no other thread frees the block that moves.
long Holding::resize(std::size_t bytes, bool& done) {
  {
    const std::lock_guard<std::mutex> locked(registry_->mutex_);
    if (!is_live_locked() || released_) return -1;
    if (users_ != 0) return users_;
    ++users_;
    ++registry_->users_;
  }
  void* const moved = waiting([&] { return cadastre_realloc(registry_->handle(), block_, bytes); });
  done = moved != nullptr;
  if (done) block_ = moved;
  leave();
  return 0;
}

cadastre_exit_code Holding::give_back() noexcept {
  const cadastre_context context = registry_->handle();
  return waiting([&] {
    if (lease_ != CADASTRE_NULL_LEASE) return cadastre_workspace_release(context, lease_);
    return ordered_ ? cadastre_free_async(context, block_, queue_) : cadastre_free(context, block_);
  });
}

}  // namespace cadastre::python
