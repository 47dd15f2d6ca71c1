// Tangled from org/api/contexts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "config.h"
#include "api/plain_free.hpp"
#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"
#include "context/boundary.hpp"
#include "context/lifetime.hpp"
#include "leases/size.hpp"
#include "out/last_report.hpp"
#include "out/recording.hpp"
#include "out/failed_creations.hpp"
#include "pool/limits.hpp"

using namespace cadastre::internal;

namespace {

// A checker of memory that watches malloc sees nothing of a heap of ours.
bool heap_by_default() noexcept {
#ifdef CADASTRE_HEAP_BY_DEFAULT
  return !has_memory_checker();
#else
  return false;
#endif
}

// What heaps do in another way than they were meant to, since the process has no better: any of some sentences, for queries of the
// environment and for reports.
struct Fallbacks {
  static constexpr unsigned sentences = 5, all = 1u << sentences;
  char texts[all][384] = {};

  constexpr Fallbacks() {
    constexpr std::string_view parts[sentences] = {
        "contexts have no heap, since a checker of memory watches malloc",
        "fences are full, since the system has no membarrier",
        "returned pages are cleared, since the system does not take them or returns them as they were",
        "a free of the program frees a block, since the adapter for QMCkl is asked first",
        "blocks that a free may meet come from malloc, since no adapter is asked first",
    };
    for (unsigned which = 0; which < all; ++which) {
      char* end = texts[which];
      for (unsigned number = 0; number < sentences; ++number) {
        if (!(which >> number & 1)) continue;
        if (end != texts[which]) end = std::copy_n("; ", 2, end);
        end = std::copy(parts[number].begin(), parts[number].end(), end);
      }
    }
  }
};
constexpr Fallbacks fallbacks;

// Whether any context takes blocks from malloc that a free may meet.
constinit std::atomic<bool> any_from_malloc = false;

void note_fallbacks() noexcept {
  const bool none = !environment().heap && has_memory_checker();
  const unsigned from_malloc = any_from_malloc.load(std::memory_order_relaxed) ? 16u : 0u;
  const unsigned which = (none ? 1u : 0u) | (fences_are_full() ? 2u : 0u) | (returned_pages_read_as_zero() ? 0u : 4u) |
                         (plain_frees_are_seen() ? 8u : 0u) | from_malloc;
  static constinit std::atomic<unsigned> noted = Fallbacks::all;
  if (noted.load(std::memory_order_relaxed) == which) [[likely]]
    return;
  note_resolved("CADASTRE_HEAP", fallbacks.texts[which]);
  noted.store(which, std::memory_order_relaxed);
}

void take_note_of_malloc() noexcept {
  if (!any_from_malloc.exchange(true, std::memory_order_relaxed)) note_fallbacks();
}

}  // namespace

namespace {

// Other constants that stand for sizes elsewhere are no limits.
cadastre_exit_code admit_limit(cadastre_memory_type type, std::size_t bytes, cadastre_exit_code argument) {
  if (bytes <= largest_size || bytes == CADASTRE_UNLIMITED || bytes == CADASTRE_LIMIT_NOTHING) return CADASTRE_SUCCESS;
  return fail({.exit_code = argument,
               .reason = CADASTRE_REASON_SIZE_OVERFLOW,
               .type = type,
               .requested = bytes,
               .limit = largest_size,
               .detail = ", or pass CADASTRE_UNLIMITED"});
}

void limit_process(cadastre_memory_type type, std::size_t bytes) { limit_within(process_account(), type, bytes); }

cadastre_exit_code set_limit_of_process(cadastre_memory_type type, std::size_t bytes) {
  if (bytes == 0) return reset_process_limit(type, limit_process);
  set_process_limit(type, limit_from(bytes), limit_process);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code set_limit_of(ContextLock& lock, cadastre_memory_type type, std::size_t bytes) {
  const cadastre_exit_code code = bytes == 0 ? default_limit(lock->backend(), lock->device(), type, bytes) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) limit_within(lock->shared(), type, limit_from(bytes));
  return code;
}

}  // namespace

cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type, size_t bytes) {
  const auto admitted = [&] { return is_limited_type(type) ? admit_limit(type, bytes, CADASTRE_INVALID_ARG_3) : no_memory_type(type); };
  const auto of_process = [&](SharedAccount&) {
    const cadastre_exit_code code = admitted();
    return code == CADASTRE_SUCCESS ? set_limit_of_process(type, bytes) : code;
  };
  return call_any(context, __func__, of_process, [&](ContextLock& lock) {
    if (const cadastre_exit_code refused = admitted(); refused != CADASTRE_SUCCESS) return refused;
    return lock.unlocked([&] { return set_limit_of(lock, type, bytes); });
  });
}

namespace {

cadastre_exit_code admit_environment() {
  if (environment().malformed.empty()) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_INVALID_ENVIRONMENT,
               .reason = CADASTRE_REASON_INVALID_ENVIRONMENT,
               .detail = environment().malformed.c_str()});
}

// All limits from a type on, as bits.
template <std::size_t first, std::size_t... places>
std::size_t limits_from(const cadastre_context_options_struct& options, std::index_sequence<places...>) noexcept {
  return (options.limits[first + places] | ...);
}

cadastre_exit_code admit_reserved(const cadastre_context_options_struct& options) {
  const auto refuse = [](const char* field, std::size_t value) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_RESERVED_NOT_ZERO, .requested = value, .detail = field});
  };
  if (options.reserved != 0) return refuse("reserved", static_cast<std::size_t>(options.reserved));
  for (std::size_t type = memory_types; type < CADASTRE_ALL_MEMORY_TYPES; ++type) {
    if (options.limits[type] != 0) return refuse(text("limits[%zu]", type).characters, options.limits[type]);
  }
  return CADASTRE_SUCCESS;
}

// CADASTRE_POOL_VENDOR is the caching pool for DEVICE memory, and none for other types.
cadastre_pool pool_meant(cadastre_pool named, cadastre_memory_type type) noexcept {
  if (named != CADASTRE_POOL_VENDOR) return named;
  return type == CADASTRE_DEVICE ? CADASTRE_POOL_CACHING : CADASTRE_POOL_NONE;
}

cadastre_exit_code read_limits(const cadastre_context_options_struct& options, Backend& backend, Settings& settings) {
  for (const cadastre_memory_type type : limited_types) {
    const std::size_t bytes = options.limits[type];
    settings.limits[type] = limit_from(bytes);
    const cadastre_exit_code code = bytes == 0 ? default_limit(backend, settings.device, type, settings.limits[type])
                                               : admit_limit(type, bytes, CADASTRE_INVALID_ARG_1);
    if (code != CADASTRE_SUCCESS) return code;
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code read_options(const cadastre_context_options_struct& options, Backend& backend, Settings& settings) {
  settings.device = device_id_of(options.device);
  if (settings.device != no_device_id && !backend.has_device(settings.device)) {
    return no_device(backend, CADASTRE_INVALID_ARG_1, CADASTRE_DEVICE, settings.device);
  }
  if (options.pool < CADASTRE_DEFAULT_POOL || options.pool > CADASTRE_POOL_CACHING) {
    return fail(
        {.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_POOL, .requested = static_cast<std::size_t>(options.pool)});
  }
  constexpr std::size_t reserved = CADASTRE_ALL_MEMORY_TYPES - memory_types;
  const std::size_t any_reserved = limits_from<memory_types>(options, std::make_index_sequence<reserved>());
  cadastre_exit_code code = (any_reserved | static_cast<std::size_t>(options.reserved)) == 0 ? CADASTRE_SUCCESS : admit_reserved(options);
  if (code != CADASTRE_SUCCESS) return code;
  if (settings.device == no_device_id) settings.device = backend.current_device();
  settings.pools.named = options.pool;
  const Environment& preset = environment();
  settings.pools.pools = preset.pool;
  settings.pools.keep = preset.pool_keep;
  if (options.pool != CADASTRE_DEFAULT_POOL) settings.pools.pools.fill(options.pool);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    cadastre_pool& pool = settings.pools.pools[static_cast<std::size_t>(type)];
    pool = pool_meant(pool, type);
  }
  const std::size_t given = limits_from<0>(options, std::make_index_sequence<memory_types>()) | options.limits[CADASTRE_ALL_MEMORY_TYPES];
  if (preset.limits_contexts || given != 0) code = read_limits(options, backend, settings);
  if (code != CADASTRE_SUCCESS || !preset.limits_process) return code;
  return start_process_limits(backend, settings.device, limit_process);
}

}  // namespace

namespace {

cadastre_exit_code preset_workspaces(ContextLock& lock) {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (default_workspace_size(*lock.operator->(), type) == CADASTRE_WORKSPACE_AUTOMATIC) continue;
    const cadastre_exit_code code = set_workspace_size(lock, type, 0);
    if (code != CADASTRE_SUCCESS) {
      Failure failure = failed_last();
      const Text before = failure.detail;
      failure.detail = text("%s%s", before.characters, as_of("CADASTRE_WORKSPACE_SIZE").c_str());
      return fail(failure);
    }
    lock->workspaces().of(type).of_the_environment = true;
  }
  return CADASTRE_SUCCESS;
}

// What the environment wants to be there; without it there is no context.
cadastre_exit_code apply_preset(cadastre_context& context) {
  if (!environment().presets_workspaces()) [[likely]]
    return CADASTRE_SUCCESS;
  ContextLock lock(context);
  cadastre_exit_code code = CADASTRE_INVALID_CONTEXT;  // who destroys a parent and its children may have come first
  if (lock) code = stop_exceptions([&] { return preset_workspaces(lock); });
  if (code == CADASTRE_SUCCESS) return code;
  if (lock) destroy_context(lock, nullptr);
  context = CADASTRE_NULL_CONTEXT;
  return code;
}

bool is_process(cadastre_context parent) noexcept { return parent == CADASTRE_NULL_CONTEXT || parent == CADASTRE_PROCESS; }

cadastre_exit_code no_parent(cadastre_context parent) noexcept {
  return fail(
      {.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_INVALID_PARENT, .requested = static_cast<std::size_t>(parent)});
}

// What the options leave open is as in the parent.
cadastre_exit_code inherit(cadastre_context_options_struct& options) noexcept {
  ContextLock lock(options.parent);
  if (!lock) return no_parent(options.parent);
  if (options.backend == CADASTRE_DEFAULT_BACKEND) options.backend = lock->backend().number();
  const bool is_default = options.device == CADASTRE_DEFAULT_DEVICE && options.backend == lock->backend().number();
  if (is_default) options.device = device_of(lock->device());
  if (options.pool == CADASTRE_DEFAULT_POOL) options.pool = lock->sources().pool_choice().named;
  return CADASTRE_SUCCESS;
}

// None, with a failure, where the parent is no live context any more. Whoever has a child counts differently from then on, so this
// comes when nothing is left to be refused.
std::optional<ChildOf> child_of(cadastre_context parent) noexcept {
  if (is_process(parent)) return ChildOf(process_account());
  ContextLock lock(parent);
  if (lock && lock->shared().accepts_children()) return ChildOf(lock->shared());
  no_parent(parent);
  return std::nullopt;
}

cadastre_context create(const cadastre_context_options_struct* given, const char* function) noexcept {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  PublicCall call(CADASTRE_NULL_CONTEXT, function);
  if (is_interrupted()) [[unlikely]]
    return call.result = refuse_interrupted(), context;
  const NotCancelled here;
  call.result = stop_exceptions([&]() -> cadastre_exit_code {
    open_recordings();
    cadastre_exit_code code = admit_struct(given, CADASTRE_INVALID_ARG_1);
    if (code == CADASTRE_SUCCESS) code = admit_environment();
    if (code != CADASTRE_SUCCESS) return code;
    cadastre_context_options_struct inherited;
    if (!is_process(given->parent)) {
      inherited = *given;
      code = inherit(inherited);
      if (code != CADASTRE_SUCCESS) return code;
    }
    const cadastre_context_options_struct& options = is_process(given->parent) ? *given : inherited;
    const bool preset = options.backend == CADASTRE_DEFAULT_BACKEND;
    Backend* backend = nullptr;
    Settings settings;
    code = preset ? choose_backend(environment().backend, CADASTRE_INVALID_ENVIRONMENT, backend)
                  : choose_backend(options.backend, CADASTRE_INVALID_ARG_1, backend);
    if (code == CADASTRE_SUCCESS) code = read_options(options, *backend, settings);
    settings.recorded = is_traced();
    settings.shards = !(settings.recorded && trace_is_lines()) && !is_armed(Point::malloc) && !is_armed(Point::free);
    settings.heap = environment().heap.value_or(heap_by_default());
    note_fallbacks();
    if (code != CADASTRE_SUCCESS) return code;
    if (const char* const rule = fails(Point::create)) {
      return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_INJECTED, .detail = rule});
    }
    std::optional<ChildOf> parent = child_of(options.parent);
    code = parent ? create_context(*backend, settings, std::move(*parent), context) : CADASTRE_INVALID_CONTEXT;
    return code == CADASTRE_SUCCESS ? apply_preset(context) : code;
  });
  if (call.result != CADASTRE_SUCCESS) keep_failed_creation(function);
  if (is_recorded()) [[unlikely]]
    record_create(context, call.result);
  return context;
}

}  // namespace

cadastre_context cadastre_context_create(void) { return create(&cadastre_context_options_struct_zero, __func__); }

cadastre_context cadastre_context_create_with_options(const cadastre_context_options_struct* options) { return create(options, __func__); }

cadastre_exit_code cadastre_context_get_options(cadastre_context context, cadastre_context_options_struct* options) {
  return call(context, __func__, [&](ContextLock& lock) {
    const cadastre_exit_code code = admit_struct(options, CADASTRE_INVALID_ARG_2);
    if (code != CADASTRE_SUCCESS) return code;
    *options = cadastre_context_options_struct_zero;
    options->backend = lock->backend().number();
    options->device = device_of(lock->device());
    options->pool = lock->sources().pool_choice().named;
    for (const cadastre_memory_type type : limited_types) options->limits[type] = limit_to(lock->shared().limit(type));
    options->parent = lock->shared().parent()->owner();
    return CADASTRE_SUCCESS;
  });
}

cadastre_context cadastre_context_check(cadastre_context context) {
  return !is_interrupted() && is_live(context) ? context : CADASTRE_NULL_CONTEXT;
}

namespace {

// labels: null, or what the contexts held that were destroyed together with this one.
cadastre_exit_code destroy(cadastre_context context, cadastre_destroy_summary_struct* summary, const char* function,
                           LabelCounts* labels = nullptr) noexcept {
  Call call(context, function);
  const std::uint64_t number = call ? call->number() : 0;
  if (call) call.result = destroy_context(call, summary, is_reported() ? report_last : nullptr, labels);
  if (is_recorded(call)) [[unlikely]]
    record_destroy(number, call.result);
  return call.result;
}

void add_summary(cadastre_destroy_summary_struct& sum, const cadastre_destroy_summary_struct& one) noexcept {
  sum.live_blocks += one.live_blocks;
  sum.live_bytes += one.live_bytes;
  sum.borrowed_blocks += one.borrowed_blocks;
  sum.failed_deallocations += one.failed_deallocations;
  sum.live_leases += one.live_leases;
  if (one.largest_label_bytes <= sum.largest_label_bytes) return;
  sum.largest_label_bytes = one.largest_label_bytes;
  std::copy(std::begin(one.largest_label), std::end(one.largest_label), std::begin(sum.largest_label));
}

// Leaves first; the largest label is that of all of them together. Children that another thread is creating or destroying are waited for.
cadastre_exit_code destroy_with_children(cadastre_context context, cadastre_destroy_summary_struct& sum, const char* function) noexcept {
  cadastre_exit_code worst = CADASTRE_SUCCESS;
  LabelCounts labels;
  while (true) {
    const cadastre_context leaf = leaf_below(context);
    const bool is_last = leaf == CADASTRE_NULL_CONTEXT;
    cadastre_destroy_summary_struct one = cadastre_destroy_summary_struct_zero;
    const cadastre_exit_code code = destroy(is_last ? context : leaf, &one, function, &labels);
    add_summary(sum, one);
    if (code == CADASTRE_FAILURE && failed_last().reason == CADASTRE_REASON_HAS_CHILDREN) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else if (is_last) {
      return code != CADASTRE_SUCCESS ? code : worst;
    } else if (code != CADASTRE_SUCCESS && code != CADASTRE_INVALID_CONTEXT) {
      attribute(context, function);
      if (code != CADASTRE_DEALLOCATION_FAILED) return code;  // the child is as it was
      worst = code;
    }
  }
}

}  // namespace

cadastre_exit_code cadastre_context_destroy(cadastre_context context) { return destroy(context, nullptr, __func__); }

cadastre_exit_code cadastre_context_destroy_with_summary(cadastre_context context, cadastre_destroy_summary_struct* summary) {
  if (summary && summary->struct_size != sizeof *summary) {
    return call(context, __func__, [&](ContextLock&) { return admit_struct(summary, CADASTRE_INVALID_ARG_2); });
  }
  return destroy(context, summary, __func__);
}

cadastre_exit_code cadastre_context_destroy_with_children(cadastre_context context, cadastre_destroy_summary_struct* summary) {
  const NotCancelled here;
  cadastre_destroy_summary_struct sum = cadastre_destroy_summary_struct_zero;
  cadastre_exit_code code = call(context, __func__, [&](ContextLock& lock) {
    if (lock.is_nested()) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_CALLED_FROM_OPERATION});
    const cadastre_exit_code admitted = summary ? admit_struct(summary, CADASTRE_INVALID_ARG_2) : CADASTRE_SUCCESS;
    if (admitted == CADASTRE_SUCCESS) lock->shared().close();
    return admitted;
  });
  if (code != CADASTRE_SUCCESS) return code;
  code = destroy_with_children(context, sum, __func__);
  if (!is_live(context)) {
    if (summary) *summary = sum;
  } else if (const ContextLock lock(context); lock) {
    lock->shared().reopen();
  }
  return code;
}

cadastre_exit_code cadastre_lock(cadastre_context context) {
  return call(context, __func__, [&](ContextLock& lock) { return lock_context(lock); });
}

cadastre_exit_code cadastre_unlock(cadastre_context context) {
  return call(context, __func__, [&](ContextLock& lock) { return unlock_context(lock); });
}

cadastre_exit_code cadastre_context_set_timing(cadastre_context context, int on) {
  return call(context, __func__, [&](ContextLock& lock) {
    lock->host().set_timing(on != 0);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_context_set_plain_free(cadastre_context context, int on) {
  return call(context, __func__, [&](ContextLock& lock) {
    const bool from_malloc = on != 0 && !plain_frees_are_seen() && !environment().heap.value_or(false);
    if (from_malloc) take_note_of_malloc();
    return lock->host().set_from_malloc(from_malloc);
  });
}
