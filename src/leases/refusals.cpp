// Tangled from org/leases/refusals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "leases/refusals.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "context/boundary.hpp"

namespace cadastre::internal {

cadastre_exit_code refuse_total(cadastre_exit_code argument, cadastre_memory_type type, std::span<const std::size_t> sizes) noexcept {
  std::size_t total = 0;
  for (const std::size_t size : sizes) {
    if (__builtin_add_overflow(total, size, &total)) total = std::numeric_limits<std::size_t>::max();
  }
  return fail({.exit_code = argument, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .type = type, .requested = total, .limit = largest_size});
}

cadastre_exit_code resolve(const Context& context, cadastre_memory_type& type) noexcept {
  if (type == CADASTRE_DEFAULT_WORKSPACE_TYPE) type = workspace_type(context.sources());
  return is_memory_type(type) ? CADASTRE_SUCCESS : no_memory_type(type);
}

cadastre_exit_code refuse_capture(const char* why) noexcept {
  return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .detail = why});
}

namespace {

// Where an explicit size comes from, unless a call has set it.
Text whose_size(const WorkspacesOfType& of_type) noexcept try {
  return of_type.of_the_environment ? Text(as_of("CADASTRE_WORKSPACE_SIZE").c_str()) : Text();
} catch (const std::bad_alloc&) {
  return {};
}

// How many lessees there are, threads or queues, beside the one that wants something.
std::size_t count_others(const WorkspacesOfType& of_type, const Want& want) noexcept {
  const auto& all = of_type.workspaces;
  const auto is_other = [&](const Workspace& w) { return !w.idle() && (w.thread != this_thread() || w.queue != want.queue); };
  std::size_t others = 0;
  for (auto one = all.begin(); one != all.end(); ++one) {
    const auto is_the_same = [&](const auto& w) { return w->thread == (*one)->thread && w->queue == (*one)->queue; };
    others += is_other(**one) && std::none_of(all.begin(), one, is_the_same);
  }
  return others;
}

}  // namespace

cadastre_exit_code refuse_part(const WorkspacesOfType& of_type, const Want& want, std::size_t largest) noexcept {
  if (want.capturing) return refuse_capture(largest > 0 ? too_small_for_capture : none_was_on_it);
  const std::size_t others = count_others(of_type, want);
  return fail({.exit_code = CADASTRE_LIMIT_EXCEEDED,
               .reason = others == 0 ? CADASTRE_REASON_WORKSPACE_TOO_SMALL : CADASTRE_REASON_WORKSPACE_BUSY,
               .type = want.type,
               .requested = want.bytes,
               .in_use = of_type.used_bytes,
               .limit = largest,
               .required = others,
               .size = of_type.size(),
               .detail = whose_size(of_type)});
}

cadastre_exit_code refuse_alive(const WorkspacesOfType& of_type, cadastre_memory_type type) noexcept {
  const auto leases = static_cast<std::size_t>(of_type.live_leases);  // 0 while the first is being leased
  return fail(
      {.exit_code = CADASTRE_LEASE_ALIVE, .reason = CADASTRE_REASON_LEASE_ALIVE, .type = type, .in_use = std::max(leases, std::size_t{1})});
}

}  // namespace cadastre::internal
