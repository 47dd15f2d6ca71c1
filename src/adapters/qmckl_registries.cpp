// Tangled from org/adapters/qmckl_registries.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "qmckl_registries.hpp"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "qmckl_callers.hpp"

namespace cadastre::qmckl {
namespace {

static_assert(std::is_trivially_destructible_v<Registries>);

// Upstream QMCkl frees three kinds of blocks by free.
cadastre_context create_registry(const cadastre_context_options_struct& options) noexcept {
  const cadastre_context created = cadastre_context_create_with_options(&options);
  if (created != CADASTRE_NULL_CONTEXT) cadastre_context_set_plain_free(created, 1);
  return created;
}

}  // namespace

bool Registries::watch_forks() noexcept {
  const auto lock = []() CADASTRE_UNCHECKED { mutex_.lock_for_fork(); };
  const auto unlock = []() CADASTRE_UNCHECKED { mutex_.unlock(); };
  if (!forks_are_watched_) forks_are_watched_ = pthread_atfork(lock, unlock, unlock) == 0;
  return forks_are_watched_;
}

std::size_t Registries::place(std::int64_t context) const noexcept { return scattered(static_cast<std::uint64_t>(context)) & (room_ - 1); }

Registries::Entry* Registries::find(std::int64_t context) const noexcept {
  if (room_ == 0 || context == 0) return nullptr;
  std::size_t at = place(context);
  while (entries_[at].context != 0 && entries_[at].context != context) at = (at + 1) & (room_ - 1);
  return entries_[at].context == context ? &entries_[at] : nullptr;
}

bool Registries::insert(std::int64_t context, cadastre_context registry) noexcept {
  if (!watch_forks() || (2 * (used_ + 1) > room_ && !grow())) return false;
  std::size_t at = place(context);
  while (entries_[at].context != 0) at = (at + 1) & (room_ - 1);
  entries_[at] = {context, registry, ++moment_};
  ++used_;
  return true;
}

bool Registries::grow() noexcept {
  const std::size_t larger = std::max<std::size_t>(2 * room_, 16);
  Entry* const fresh = new (std::nothrow) Entry[larger]();
  if (!fresh) return false;
  const std::unique_ptr<Entry[]> old(std::exchange(entries_, fresh));
  const std::size_t old_room = std::exchange(room_, larger);
  for (std::size_t i = 0; i < old_room; ++i) {
    if (old[i].context == 0) continue;
    std::size_t at = place(old[i].context);
    while (entries_[at].context != 0) at = (at + 1) & (room_ - 1);
    entries_[at] = old[i];
  }
  return true;
}

void Registries::remove(Entry* entry) noexcept {
  std::size_t hole = static_cast<std::size_t>(entry - entries_);
  for (std::size_t at = (hole + 1) & (room_ - 1); entries_[at].context != 0; at = (at + 1) & (room_ - 1)) {
    const std::size_t pushed = (at - place(entries_[at].context)) & (room_ - 1);
    if (pushed < ((at - hole) & (room_ - 1))) continue;
    entries_[hole] = entries_[at];
    hole = at;
  }
  entries_[hole] = {};
  --used_;
}

cadastre_context Registries::known(std::int64_t context) noexcept {
  const Locked locked(mutex_);
  const Entry* const entry = find(context);
  return entry ? entry->registry : CADASTRE_NULL_CONTEXT;
}

cadastre_context Registries::of(std::int64_t context) noexcept {
  const cadastre_context registry = known(context);
  return registry != CADASTRE_NULL_CONTEXT ? registry : adopt(context);
}

// Two threads may meet here; the first one's registry is that of both.
cadastre_context Registries::adopt(std::int64_t context) noexcept {
  if (context == 0) return CADASTRE_NULL_CONTEXT;
  const auto check = check_.find();
  assert_no_lock_held("the library's function that checks a context");
  if (!check || check(context) != context) return CADASTRE_NULL_CONTEXT;
  const cadastre_context_options_struct options = options_for_ ? options_for_(context) : cadastre_context_options_struct_zero;
  const cadastre_context created = create_registry(options);
  if (created == CADASTRE_NULL_CONTEXT) return CADASTRE_NULL_CONTEXT;
  cadastre_context adopted = CADASTRE_NULL_CONTEXT;
  {
    const Locked locked(mutex_);
    if (const Entry* const entry = find(context)) {
      adopted = entry->registry;
    } else if (insert(context, created)) {
      adopted = created;
    }
  }
  if (adopted != created) cadastre_context_destroy(created);
  return adopted;
}

std::uint64_t Registries::now() noexcept {
  const Locked locked(mutex_);
  return moment_;
}

void Registries::open(std::int64_t context, const cadastre_context_options_struct& options, std::uint64_t since) noexcept {
  if (context == 0) return;
  const cadastre_context created = create_registry(options);
  cadastre_context unwanted = created;
  {
    const Locked locked(mutex_);
    Entry* const entry = find(context);
    if (!entry) {
      if (created != CADASTRE_NULL_CONTEXT && insert(context, created)) unwanted = CADASTRE_NULL_CONTEXT;
    } else if (entry->moment <= since) {
      unwanted = std::exchange(entry->registry, created);
      entry->moment = ++moment_;
      if (created == CADASTRE_NULL_CONTEXT) remove(entry);
    }
  }
  if (unwanted != CADASTRE_NULL_CONTEXT) cadastre_context_destroy(unwanted);
}

void Registries::close(std::int64_t context, cadastre_context registry) noexcept {
  if (registry == CADASTRE_NULL_CONTEXT) return;
  {
    const Locked locked(mutex_);
    Entry* const entry = find(context);
    if (entry && entry->registry == registry) remove(entry);
  }
  cadastre_context_destroy(registry);
}

}  // namespace cadastre::qmckl
