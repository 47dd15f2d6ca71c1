// Tangled from org/memory.org; change the chapter, then run: make tangle
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "all_contexts.hpp"
#include "alone.hpp"
#include "backends/registered.hpp"
#include "config.h"
#include "core/calls.hpp"
#include "api_boundary.hpp"
#include "environment.hpp"
#include "fail.hpp"
#include "lending.hpp"
#include "lifetime.hpp"
#include "limits.hpp"
#include "plain_free.hpp"
#include "process.hpp"
#include "recording.hpp"
#include "report.hpp"
#include "transfer.hpp"
#include "usage.hpp"

using namespace cadastre::internal;

#define CADASTRE_NAME_OF(name) " " #name

const char* cadastre_get_version(void) { return PACKAGE_VERSION; }

const char* cadastre_get_build_options(void) {
  return "compiler: " CADASTRE_BUILD_COMPILER "\n"
         "flags: " CADASTRE_BUILD_FLAGS "\n"
         "host: " CADASTRE_BUILD_HOST "\n"
         "backends:" CADASTRE_BUILT_BACKENDS(CADASTRE_NAME_OF) "\n";
}

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
  if (noted.load(std::memory_order_relaxed) == which) [[likely]] return;
  note_resolved("CADASTRE_HEAP", fallbacks.texts[which]);
  noted.store(which, std::memory_order_relaxed);
}

void take_note_of_malloc() noexcept {
  if (!any_from_malloc.exchange(true, std::memory_order_relaxed)) note_fallbacks();
}

cadastre_exit_code admit_environment() {
  if (environment().malformed.empty()) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_INVALID_ENVIRONMENT, .reason = CADASTRE_REASON_INVALID_ENVIRONMENT,
               .detail = environment().malformed.c_str()});
}

// The bytes that a limit as a caller writes it allows, where it is not 0; and back.
std::size_t limit_from(std::size_t bytes) { return bytes == CADASTRE_LIMIT_NOTHING ? 0 : bytes; }
std::size_t limit_to(std::size_t allowed) { return allowed == 0 ? CADASTRE_LIMIT_NOTHING : allowed; }

// Other constants that stand for sizes elsewhere are no limits.
cadastre_exit_code admit_limit(cadastre_memory_type type, std::size_t bytes, cadastre_exit_code argument) {
  if (bytes <= largest_size || bytes == CADASTRE_UNLIMITED || bytes == CADASTRE_LIMIT_NOTHING) return CADASTRE_SUCCESS;
  return fail({.exit_code = argument, .reason = CADASTRE_REASON_SIZE_OVERFLOW, .type = type, .requested = bytes,
               .limit = largest_size, .detail = ", or pass CADASTRE_UNLIMITED"});
}

void limit_process(cadastre_memory_type type, std::size_t bytes) { limit_within(process_account(), type, bytes); }

cadastre_exit_code set_limit_of_process(cadastre_memory_type type, std::size_t bytes) {
  if (bytes == 0) return reset_process_limit(type, limit_process);
  set_process_limit(type, limit_from(bytes), limit_process);
  return CADASTRE_SUCCESS;
}

cadastre_exit_code set_limit_of(Visit& visit, cadastre_memory_type type, std::size_t bytes) {
  const cadastre_exit_code code =
      bytes == 0 ? default_limit(visit->backend(), visit->device(), type, bytes) : CADASTRE_SUCCESS;
  if (code == CADASTRE_SUCCESS) limit_within(visit->shared(), type, limit_from(bytes));
  return code;
}

// All limits from a type on, as bits.
template <std::size_t first, std::size_t... places>
std::size_t limits_from(const cadastre_context_options_struct& options, std::index_sequence<places...>) noexcept {
  return (options.limits[first + places] | ...);
}

cadastre_exit_code admit_reserved(const cadastre_context_options_struct& options) {
  const auto refuse = [](const char* field, std::size_t value) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_RESERVED_NOT_ZERO, .requested = value,
                 .detail = field});
  };
  if (options.reserved != 0) return refuse("reserved", static_cast<std::size_t>(options.reserved));
  for (std::size_t type = memory_types; type < CADASTRE_MAX_MEMORY_TYPES; ++type) {
    if (options.limits[type] != 0) return refuse(text("limits[%zu]", type).characters, options.limits[type]);
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code read_options(const cadastre_context_options_struct& options, Backend& backend, Settings& settings) {
  settings.device = device_id_of(options.device);
  if (settings.device != no_device_id && !backend.has_device(settings.device)) {
    return no_device(backend, CADASTRE_INVALID_ARG_1, CADASTRE_DEVICE, settings.device);
  }
  if (options.pool < CADASTRE_DEFAULT_POOL || options.pool > CADASTRE_POOL_CACHING) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_POOL,
                 .requested = static_cast<std::size_t>(options.pool)});
  }
  constexpr std::size_t reserved = CADASTRE_MAX_MEMORY_TYPES - memory_types;
  const std::size_t any_reserved = limits_from<memory_types>(options, std::make_index_sequence<reserved>());
  cadastre_exit_code code = (any_reserved | static_cast<std::size_t>(options.reserved)) == 0 ? CADASTRE_SUCCESS : admit_reserved(options);
  if (code != CADASTRE_SUCCESS) return code;
  if (settings.device == no_device_id) settings.device = backend.current_device();
  settings.pool = options.pool;
  const Environment& preset = environment();
  settings.pools = preset.pool;
  settings.pool_keep = preset.pool_keep;
  if (options.pool != CADASTRE_DEFAULT_POOL) settings.pools.fill(options.pool);
  const bool has_limits = preset.limits_contexts || limits_from<0>(options, std::make_index_sequence<memory_types>()) != 0;
  for (cadastre_memory_type type = 0; has_limits && code == CADASTRE_SUCCESS && type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const auto place = static_cast<std::size_t>(type);
    settings.limits[place] = limit_from(options.limits[place]);
    code = options.limits[place] == 0 ? default_limit(backend, settings.device, type, settings.limits[place])
                                      : admit_limit(type, options.limits[place], CADASTRE_INVALID_ARG_1);
  }
  if (code != CADASTRE_SUCCESS || !preset.limits_process) return code;
  return start_process_limits(backend, settings.device, limit_process);
}

cadastre_exit_code preset_workspaces(Visit& visit) {
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (default_workspace_size(*visit.operator->(), type) == CADASTRE_WORKSPACE_AUTOMATIC) continue;
    const cadastre_exit_code code = set_workspace_size(visit, type, 0);
    if (code != CADASTRE_SUCCESS) {
      Failure failure = failed_last();
      const Text before = failure.detail;
      failure.detail = text("%s%s", before.characters, as_of("CADASTRE_WORKSPACE_SIZE").c_str());
      return fail(failure);
    }
    visit->workspaces().of(type).of_the_environment = true;
  }
  return CADASTRE_SUCCESS;
}

// What the environment wants to be there; without it there is no context.
cadastre_exit_code apply_preset(cadastre_context& context) {
  if (!environment().presets_workspaces()) [[likely]] return CADASTRE_SUCCESS;
  Visit visit(context);
  cadastre_exit_code code = CADASTRE_INVALID_CONTEXT;  // who destroys a parent and its children may have come first
  if (visit) code = attempt(context, __func__, [&] { return preset_workspaces(visit); });
  if (code == CADASTRE_SUCCESS) return code;
  if (visit) destroy_context(visit, nullptr);
  context = CADASTRE_NULL_CONTEXT;
  return code;
}

bool is_process(cadastre_context parent) noexcept { return parent == CADASTRE_NULL_CONTEXT || parent == CADASTRE_PROCESS; }

cadastre_exit_code no_parent(cadastre_context parent) noexcept {
  return fail({.exit_code = CADASTRE_INVALID_CONTEXT, .reason = CADASTRE_REASON_INVALID_PARENT,
               .requested = static_cast<std::size_t>(parent)});
}

// What the options leave open is as in the parent.
cadastre_exit_code inherit(cadastre_context_options_struct& options) noexcept {
  Visit visit(options.parent);
  if (!visit) return no_parent(options.parent);
  if (options.backend == CADASTRE_DEFAULT_BACKEND) options.backend = visit->backend().number();
  const bool is_default = options.device == CADASTRE_DEFAULT_DEVICE && options.backend == visit->backend().number();
  if (is_default) options.device = device_of(visit->device());
  if (options.pool == CADASTRE_DEFAULT_POOL) options.pool = visit->pool();
  return CADASTRE_SUCCESS;
}

// None, with a failure, where the parent is no live context any more. Whoever has a child counts differently from then on, so this
// comes when nothing is left to be refused.
std::optional<ChildOf> child_of(cadastre_context parent) noexcept {
  if (is_process(parent)) return ChildOf(process_account());
  Visit visit(parent);
  if (visit && visit->shared().accepts_children()) return ChildOf(visit->shared());
  no_parent(parent);
  return std::nullopt;
}

cadastre_context create(const cadastre_context_options_struct* given, const char* function) noexcept {
  if (is_interrupted()) [[unlikely]] return refuse_interrupted(CADASTRE_NULL_CONTEXT, function), CADASTRE_NULL_CONTEXT;
  const NotCancelled here;
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  const cadastre_exit_code code = attempt(CADASTRE_NULL_CONTEXT, function, [&]() -> cadastre_exit_code {
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
    settings.shards = !is_traced() && !is_armed(Point::malloc) && !is_armed(Point::free);
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
  if (code != CADASTRE_SUCCESS) keep_failed_creation(function);
  if (is_traced()) [[unlikely]] trace_create(context, code);
  return context;
}

}  // namespace

cadastre_context cadastre_context_create(void) {
  return create(&cadastre_context_options_struct_zero, __func__);
}

cadastre_context cadastre_context_create_with_options(const cadastre_context_options_struct* options) {
  return create(options, __func__);
}

cadastre_exit_code cadastre_context_get_options(cadastre_context context, cadastre_context_options_struct* options) {
  return call(context, __func__, [&](Visit& visit) {
    const cadastre_exit_code code = admit_struct(options, CADASTRE_INVALID_ARG_2);
    if (code != CADASTRE_SUCCESS) return code;
    *options = cadastre_context_options_struct_zero;
    options->backend = visit->backend().number();
    options->device = device_of(visit->device());
    options->pool = visit->pool();
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      options->limits[type] = limit_to(visit->shared().of(type).limit());
    }
    options->parent = visit->shared().parent()->owner();
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
  if (is_recorded()) [[unlikely]] return recorded_destroy(context, summary, labels, function);
  return call_briefly(context, function, [&](Visit& visit) { return destroy_context(visit, summary, nullptr, labels); });
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

cadastre_exit_code cadastre_context_destroy_with_summary(cadastre_context context,
                                                         cadastre_destroy_summary_struct* summary) {
  if (summary && summary->struct_size != sizeof *summary) {
    return call(context, __func__, [&](Visit&) { return admit_struct(summary, CADASTRE_INVALID_ARG_2); });
  }
  return destroy(context, summary, __func__);
}

cadastre_exit_code cadastre_context_destroy_with_children(cadastre_context context,
                                                          cadastre_destroy_summary_struct* summary) {
  const NotCancelled here;
  cadastre_destroy_summary_struct sum = cadastre_destroy_summary_struct_zero;
  cadastre_exit_code code = call(context, __func__, [&](Visit& visit) {
    if (visit.is_nested()) return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_CALLED_FROM_OPERATION});
    const cadastre_exit_code admitted = summary ? admit_struct(summary, CADASTRE_INVALID_ARG_2) : CADASTRE_SUCCESS;
    if (admitted == CADASTRE_SUCCESS) visit->shared().close();
    return admitted;
  });
  if (code != CADASTRE_SUCCESS) return code;
  code = destroy_with_children(context, sum, __func__);
  if (!is_live(context)) {
    if (summary) *summary = sum;
  } else if (const Visit visit(context); visit) {
    visit->shared().reopen();
  }
  return code;
}

cadastre_exit_code cadastre_lock(cadastre_context context) {
  return call(context, __func__, [&](Visit& visit) { return lock_context(visit); });
}

cadastre_exit_code cadastre_unlock(cadastre_context context) {
  return call(context, __func__, [&](Visit& visit) { return unlock_context(visit); });
}

const char* cadastre_label(const char* text) {
  OriginNumber origin = origin_at(text);
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    if (origin != no_origin) return CADASTRE_SUCCESS;
    if (!text) return null_argument(CADASTRE_INVALID_ARG_1);
    const std::size_t length = strnlen(text, longest_label + 1);
    if (length > longest_label) {
      return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_LABEL_TOO_LONG, .limit = longest_label});
    }
    origin = origin_of({text, length});
    if (origin != no_origin) return CADASTRE_SUCCESS;
    return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
  });
  return text_of(origin);
}

cadastre_exit_code cadastre_last_error(cadastre_context context, cadastre_error_struct* error) {
  if (!error || error->struct_size != sizeof *error) return CADASTRE_INVALID_ARG_2;  // what is remembered stays
  if (is_interrupted()) [[unlikely]] return tell_last_failure(context, *error), CADASTRE_SUCCESS;
  return guarded(context, __func__, [&]() -> cadastre_exit_code {
    Failure* const failure = last_failure(context);
    if (failure && (failure->reason == CADASTRE_REASON_UNKNOWN_POINTER ||
                    failure->reason == CADASTRE_REASON_ALREADY_FREED ||
                    failure->reason == CADASTRE_REASON_NOT_REGISTERED)) {
      failure->owner = holder_of(failure->pointer, context);
      if (failure->owner != CADASTRE_NULL_CONTEXT) failure->reason = CADASTRE_REASON_OTHER_CONTEXT;
    }
    tell_last_failure(context, *error);
    return CADASTRE_SUCCESS;
  });
}

namespace {

[[gnu::noinline]] void* visit_to_malloc(cadastre_context context, const cadastre_memory_info_struct& info, Order order,
                                        bool strided, const char* function) noexcept {
  void* pointer = nullptr;
  call_briefly(context, function, [&](Visit& visit) { return visit->allocate(visit, info, order, pointer, strided); });
  return pointer;
}

[[gnu::noinline]] cadastre_exit_code visit_to_free(cadastre_context context, void* pointer, Order order,
                                                   const char* function) noexcept {
  return call_briefly(context, function, [&](Visit& visit) { return visit->release(visit, pointer, order); });
}

[[gnu::noinline]] void* visit_or_trace_malloc(cadastre_context context, const cadastre_memory_info_struct& info, const char* function) noexcept {
  if (is_traced()) [[unlikely]] return traced_malloc(context, info, std::nullopt, false, function);
  return visit_to_malloc(context, info, std::nullopt, false, function);
}

[[gnu::noinline]] cadastre_exit_code visit_or_trace_free(cadastre_context context, void* pointer, const char* function) noexcept {
  if (is_traced()) [[unlikely]] return traced_free(context, pointer, std::nullopt, function);
  return visit_to_free(context, pointer, std::nullopt, function);
}

// The C library has locks of its own, which a handler of signals may find taken by its thread while that is inside a visit.
[[gnu::noinline]] void* malloc_without_slab(cadastre_context context, std::uint64_t traits, std::size_t size, Shard& shard) noexcept {
  if (locks_of_thread != 0) [[unlikely]] return nullptr;
  if (traits == 0) [[likely]] return malloc_alone_at_once<all_traits>(shard, context, size, traits);
  return malloc_alone_at_once(shard, context, size, traits);
}
// A copy for a call that is seldom, lest the registers of its arguments are chosen for what comes before it and is done often.
template <class Value>
[[gnu::always_inline]] inline Value apart(Value value) noexcept {
  asm("" : "+r"(value));
  return value;
}
// What a shard could not do at once, where that is for want of slabs, which its context does not use.
struct WhereThereAreNoSlabs {
  cadastre_context context;
  std::size_t size;
  bool& tried;  // whether that was so

  [[gnu::always_inline]] inline void* operator()(Shard& shard, SlabRequest planned) const noexcept {
    if (shard.uses_slabs.load(std::memory_order_relaxed)) return nullptr;
    tried = true;
    return malloc_without_slab(context, planned.traits, apart(size), *apart(&shard));
  }
};

// The same where the arguments would have to be kept meanwhile: that is for try_to_malloc_plain.
constexpr auto in_no_other_way = [](Shard&, SlabRequest) noexcept -> void* { return nullptr; };

// Requests whose label takes a search: a long one, or one of very many.
[[gnu::noinline]] void* search_to_malloc(cadastre_context context, const cadastre_memory_info_struct& info, SlabRequest& planned) noexcept {
  bool tried = false;
  return malloc_usual<add_label_by_search>(context, info, planned, WhereThereAreNoSlabs{context, info.size, tried});
}

// What a shard could not do at once. planned: where the class is none of those that there are, the request is not usual, or its label was
// not found at once.
[[gnu::noinline]] void* try_to_malloc(cadastre_context context, const cadastre_memory_info_struct& info, SlabRequest planned,
                                      const char* function) noexcept {
  if (info.label && planned.size_class == size_classes) {
    if (void* const pointer = search_to_malloc(context, info, planned)) return pointer;
  }
  const Shard* const shard = known_shard(context);
  const bool may_be_in_slab = planned.size_class < size_classes && shard && shard->uses_slabs.load(std::memory_order_relaxed);
  void* const pointer = may_be_in_slab ? malloc_with_effort(context, info.size, planned) : malloc_alone(context, info);
  if (pointer) return pointer;
  return visit_or_trace_malloc(context, info, function);
}

[[gnu::noinline]] void* try_to_malloc_plain(cadastre_context context, std::size_t size, std::size_t alignment, cadastre_flags flags,
                                            const char* label) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.alignment = alignment;
  info.flags = flags;
  info.label = label;
  SlabRequest planned;
  Shard& shard = shard_at_hand(context);
  if (!plan_usual<add_label_at_once>(info, planned)) {
    planned.size_class = size_classes;
  } else if (shard.last_context == context && !shard.uses_slabs.load(std::memory_order_relaxed)) {
    if (void* const pointer = malloc_without_slab(context, planned.traits, size, shard)) return pointer;
  }
  return try_to_malloc(context, info, planned, "cadastre_malloc");
}

[[gnu::noinline]] void* malloc_labelled(cadastre_context context, std::size_t size, std::size_t alignment, cadastre_flags flags,
                                        const char* label) noexcept {
  SlabRequest planned;
  const bool usual = (flags & ~CADASTRE_UNINITIALIZED) == 0 && plan_in_slab(size, alignment, flags, planned) &&
                     add_label_at_once(label, planned);
  if (usual) [[likely]] {
    if (void* const pointer = malloc_at_once<true>(context, size, planned, in_no_other_way)) [[likely]] return pointer;
  }
  return try_to_malloc_plain(context, size, alignment, flags, label);
}

// Before the first free of another than a slab's owner, who then goes on without a visit, as those after him do. False where there is no
// memory, or the context has gone.
bool share_slab(cadastre_context context, void* pointer) noexcept {
  if (is_interrupted() || !is_live(context)) return false;
  Visit visit(context);
  if (!visit || !visit->uses_shards() || !visit->registry().provide_shard(context)) return false;
  visit->registry().close_heap();
  visit->registry().heap().share(address_of(pointer));
  return true;
}

// Slabs are given back by who is alone. The context may have gone meanwhile, which is no failure of who has freed a block before.
cadastre_exit_code trim_heap(cadastre_context context) noexcept {
  if (!is_interrupted() && is_live(context)) {
    look_up(context, "cadastre_free", [](Visit& visit) {
      visit->registry().close_heap();
      visit->registry().heap().trim();
      return CADASTRE_SUCCESS;
    });
    Arena::return_surplus();
  }
  return CADASTRE_SUCCESS;
}

[[gnu::noinline]] cadastre_exit_code try_to_free(cadastre_context context, void* pointer, const char* function) noexcept {
  if (!page_map.slab_at(address_of(pointer)) && free_alone(context, pointer)) return CADASTRE_SUCCESS;
  Freed freed = free_with_effort(context, pointer);
  if (freed == Freed::not_shared && share_slab(context, pointer)) freed = free_with_effort(context, pointer);
  if (freed == Freed::yes) return CADASTRE_SUCCESS;
  if (freed == Freed::empties) return trim_heap(context);
  return visit_or_trace_free(context, pointer, function);
}

// shard: which the calling thread is inside of, and leaves. The address is in no slab.
[[gnu::noinline]] cadastre_exit_code free_in_no_slab(cadastre_context context, void* pointer, Shard& shard, const char* function) noexcept {
  if (locks_of_thread != 0) [[unlikely]] {
    shard.door.leave(context);
  } else if (free_alone_inside<true>(shard, context, pointer)) [[likely]] {
    return CADASTRE_SUCCESS;
  }
  return try_to_free(context, pointer, function);
}

struct FreeInNoSlab {
  cadastre_context context;
  void* pointer;
  cadastre_exit_code& exit_code;

  [[gnu::always_inline]] inline bool operator()(Shard& shard) const noexcept {
    exit_code = free_in_no_slab(context, pointer, shard, "cadastre_free");
    return true;
  }
};

[[gnu::noinline]] void* try_to_resize(cadastre_context context, void* pointer, std::size_t size, const char* function) noexcept {
  if (is_traced()) [[unlikely]] return traced_realloc(context, pointer, size, function);
  if (resize_with_effort(context, pointer, size)) return pointer;
  void* resized = nullptr;
  call(context, function, [&](Visit& visit) { return visit->resize(visit, pointer, size, resized); });
  return resized;
}

[[gnu::noinline]] cadastre_exit_code try_to_describe(cadastre_context context, const void* pointer, cadastre_memory_info_struct* info,
                                                     const char* function) noexcept {
  if (info && find_with_effort<true>(context, pointer, info, nullptr)) return CADASTRE_SUCCESS;
  if (info && find_alone<true>(context, pointer, info, nullptr)) return CADASTRE_SUCCESS;
  if (is_traced()) [[unlikely]] return traced_info(context, pointer, info, function);
  return look_up(context, function, [&](Visit& visit) { return visit->describe(pointer, info); });
}

[[gnu::noinline]] cadastre_exit_code try_to_locate(cadastre_context context, const void* address, cadastre_memory_info_struct* info,
                                                   std::size_t* offset, const char* function) noexcept {
  if (find_with_effort<false>(context, address, info, offset)) return CADASTRE_SUCCESS;
  if (find_alone<false>(context, address, info, offset)) return CADASTRE_SUCCESS;
  return look_up(context, function, [&](Visit& visit) { return visit->locate(address, info, offset); });
}

}  // namespace

void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info) {
  SlabRequest planned;
  bool tried = false;
  void* const pointer = malloc_usual<add_label_at_once>(context, info, planned, WhereThereAreNoSlabs{context, info.size, tried});
  if (pointer) [[likely]] return pointer;
  if (tried) return visit_or_trace_malloc(context, info, __func__);
  return try_to_malloc(context, info, planned, __func__);
}

void* cadastre_malloc_plain(cadastre_context context, size_t size, size_t alignment, cadastre_flags flags, const char* label) {
  if (label) return malloc_labelled(context, size, alignment, flags, label);
  SlabRequest planned;
  if ((flags & ~CADASTRE_UNINITIALIZED) == 0 && plan_in_slab(size, alignment, flags, planned)) [[likely]] {
    if (void* const pointer = malloc_at_once<false>(context, size, planned, in_no_other_way)) [[likely]] return pointer;
  }
  return try_to_malloc_plain(context, size, alignment, flags, nullptr);
}

void* cadastre_malloc_async(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue) {
  if (is_traced()) [[unlikely]] return traced_malloc(context, info, queue, false, __func__);
  return visit_to_malloc(context, info, queue, false, __func__);
}

void* cadastre_malloc_strided(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue) {
  if (is_traced()) [[unlikely]] return traced_malloc(context, info, queue, true, __func__);
  return visit_to_malloc(context, info, queue, true, __func__);
}

cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr) {
  cadastre_exit_code exit_code = CADASTRE_SUCCESS;
  if (free_at_once(context, ptr, FreeInNoSlab{context, ptr, exit_code})) [[likely]] return exit_code;
  return try_to_free(context, ptr, __func__);
}

cadastre_exit_code cadastre_free_async(cadastre_context context, void* const ptr, cadastre_queue queue) {
  if (is_traced()) [[unlikely]] return traced_free(context, ptr, queue, __func__);
  return visit_to_free(context, ptr, queue, __func__);
}

void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size) {
  if (resize_at_once(context, ptr, size)) [[likely]] return ptr;
  return try_to_resize(context, ptr, size, __func__);
}

cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr,
                                            cadastre_memory_info_struct* info) {
  const Found found = info ? find_at_once<true>(context, ptr, info, nullptr) : Found::no;
  if (found == Found::yes) [[likely]] return CADASTRE_SUCCESS;
  if (found == Found::nowhere) return fail_unknown(context, __func__, ptr);
  return try_to_describe(context, ptr, info, __func__);
}

cadastre_exit_code cadastre_get_allocated_size(cadastre_context context, const void* ptr, size_t* size) {
  return look_up(context, __func__, [&](Visit& visit) { return visit->actual_size(ptr, size); });
}

cadastre_exit_code cadastre_find_block(cadastre_context context, const void* address,
                                   cadastre_memory_info_struct* info, size_t* offset) {
  const Found found = find_at_once<false>(context, address, info, offset);
  if (found == Found::yes) [[likely]] return CADASTRE_SUCCESS;
  if (found == Found::nowhere) return fail_unknown(context, __func__, address);
  return try_to_locate(context, address, info, offset, __func__);
}

cadastre_exit_code cadastre_wrap(cadastre_context context, const cadastre_memory_info_struct info) {
  return call(context, __func__, [&](Visit& visit) { return visit->borrow(visit, info); });
}

cadastre_exit_code cadastre_unwrap(cadastre_context context, const void* ptr) {
  return call(context, __func__, [&](Visit& visit) { return visit->return_borrowed(ptr); });
}

namespace {

cadastre_exit_code copy_or_trace(cadastre_context context, const CopyOrder& order, const char* function) noexcept {
  if (is_traced()) [[unlikely]] return traced_copy(context, order, function);
  return call(context, function, [&](Visit& visit) { return copy(visit, order); });
}

[[gnu::noinline]] cadastre_exit_code try_to_copy(cadastre_context context, void* to, const void* from, std::size_t size,
                                                 const char* function) noexcept {
  if (!is_armed(Point::copy) && copy_alone(context, to, from, size)) return CADASTRE_SUCCESS;
  return copy_or_trace(context, {.to = to, .from = from, .width = size}, function);
}

}  // namespace

cadastre_exit_code cadastre_memcpy(cadastre_context context, void* const dest, const void* const src, size_t size) {
  if (!is_armed(Point::copy) && copy_at_once(context, dest, src, size)) [[likely]] return CADASTRE_SUCCESS;
  return try_to_copy(context, dest, src, size, __func__);
}

cadastre_exit_code cadastre_memcpy_async(cadastre_context context, void* const dest, const void* const src, size_t size,
                                         cadastre_queue queue) {
  return copy_or_trace(context, {.to = dest, .from = src, .width = size, .queue = queue, .wait = false}, __func__);
}

cadastre_exit_code cadastre_memcpy_strided(cadastre_context context, void* const dest, const void* const src,
                                           size_t width, size_t count) {
  return copy_or_trace(context, {.to = dest, .from = src, .width = width, .count = count, .strided = true}, __func__);
}

cadastre_exit_code cadastre_memcpy_strided_async(cadastre_context context, void* const dest, const void* const src,
                                                 size_t width, size_t count, cadastre_queue queue) {
  return copy_or_trace(context, {.to = dest, .from = src, .width = width, .count = count, .strided = true,
                                 .queue = queue, .wait = false}, __func__);
}

cadastre_exit_code cadastre_memset(cadastre_context context, void* const dest, int value, size_t size) {
  if (!is_armed(Point::copy) && (set_at_once(context, dest, value, size) || set_alone(context, dest, value, size))) [[likely]] {
    return CADASTRE_SUCCESS;
  }
  return call(context, __func__, [&](Visit& visit) {
    return set(visit, {.to = dest, .value = value, .size = size});
  });
}

cadastre_exit_code cadastre_memset_async(cadastre_context context, void* const dest, int value, size_t size,
                                         cadastre_queue queue) {
  return call(context, __func__, [&](Visit& visit) {
    return set(visit, {.to = dest, .value = value, .size = size, .queue = queue, .wait = false});
  });
}

cadastre_exit_code cadastre_context_set_default_queue(cadastre_context context, cadastre_queue queue) {
  return call(context, __func__, [&](Visit& visit) {
    visit->set_default_queue(queue);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_context_get_default_queue(cadastre_context context, cadastre_queue* queue) {
  return call(context, __func__, [&](Visit& visit) {
    if (!queue) return null_argument(CADASTRE_INVALID_ARG_2);
    *queue = visit->default_queue();
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_synchronize(cadastre_context context, cadastre_queue queue) {
  return call(context, __func__, [&](Visit& visit) { return synchronize(visit, queue); });
}

cadastre_exit_code cadastre_prefetch(cadastre_context context, const void* const address, size_t bytes, int32_t device,
                                     cadastre_queue queue, int32_t* applied) {
  return call(context, __func__, [&](Visit& visit) {
    return prefetch(visit, {.address = address, .bytes = bytes, .device = device_id_of(device), .queue = queue}, applied);
  });
}

cadastre_exit_code cadastre_advise(cadastre_context context, const void* const address, size_t bytes,
                                   cadastre_advice advice, int32_t device, int32_t* applied) {
  return call(context, __func__, [&](Visit& visit) {
    return advise(visit, {.address = address, .bytes = bytes, .device = device_id_of(device), .advice = advice}, applied);
  });
}

cadastre_exit_code cadastre_foreach_block(cadastre_context context, cadastre_foreach_block_function callback, void* user_data) {
  std::vector<Record> blocks;
  const cadastre_exit_code code = call(context, __func__, [&](Visit& inside) {
    if (!callback) return null_argument(CADASTRE_INVALID_ARG_2);
    blocks = inside->snapshot();
    return CADASTRE_SUCCESS;
  });
  if (code != CADASTRE_SUCCESS) return code;
  cadastre_exit_code answer = CADASTRE_SUCCESS;
  const NotCancelled here;
  const cadastre_exit_code thrown = stop_exceptions(context, __func__, [&] {
    for (const Record& block : blocks) {
      const cadastre_memory_info_struct info = info_of(block);
      assert_no_lock_held("the function given to cadastre_foreach_block");
      answer = callback(&info, user_data);
      if (answer != CADASTRE_SUCCESS) break;
    }
    return CADASTRE_SUCCESS;
  });
  return thrown != CADASTRE_SUCCESS ? thrown : answer;
}

cadastre_exit_code cadastre_free_all(cadastre_context context) {
  if (is_traced()) [[unlikely]] return traced_free_all(context, __func__);
  return call(context, __func__, [&](Visit& visit) { return visit->release_all(visit); });
}

namespace {

// Calls with the account of the process, where that is meant, with no lock held; else with that of a context, inside it.
template <class OfProcess, class OfContext>
cadastre_exit_code call_any(cadastre_context context, const char* function, OfProcess of_process, OfContext of_context) noexcept {
  if (context != CADASTRE_PROCESS) return call(context, function, of_context);
  return guarded(context, function, [&] { return of_process(process_account()); });
}

// What may throw meanwhile is stopped, so that the visit is inside again.
template <class Body>
cadastre_exit_code stepped_out(Visit& visit, const char* function, Body body) {
  visit.step_out();
  const cadastre_exit_code code = stop_exceptions(visit.handle(), function, body);
  visit.step_in();
  return code;
}

// Calls with the account of the process or of a context, which stays meanwhile, with no lock held.
template <class Body>
cadastre_exit_code call_above(cadastre_context context, const char* function, Body body) noexcept {
  return call_any(context, function, body,
                  [&](Visit& visit) { return stepped_out(visit, function, [&] { return body(visit->shared()); }); });
}

// Calls of_all with the account of the process, or of a context that has others below it or had some, with no lock held; and of_one
// inside any other context, which costs no look at all contexts.
template <class OfAll, class OfOne>
cadastre_exit_code call_with_below(cadastre_context context, const char* function, OfAll of_all, OfOne of_one) noexcept {
  return call_any(context, function, of_all, [&](Visit& visit) {
    if (!visit->shared().had_children()) return of_one(visit);
    return stepped_out(visit, function, [&] { return of_all(visit->shared()); });
  });
}

}  // namespace

cadastre_exit_code cadastre_get_statistics(cadastre_context context, cadastre_memory_type type,
                                           cadastre_statistics_struct* statistics) {
  const auto write = [&](cadastre_statistics_struct figures) {
    figures.limit = limit_to(figures.limit);
    return write_struct(figures, statistics, CADASTRE_INVALID_ARG_3);
  };
  const auto of_all = [&](const SharedAccount& account) {
    return is_memory_type(type) ? write(figures_within(account, type)) : no_memory_type(type);
  };
  return call_with_below(context, __func__, of_all, [&](Visit& visit) {
    return is_memory_type(type) ? write(visit->registry().figures(type)) : no_memory_type(type);
  });
}

cadastre_exit_code cadastre_pool_get_info(cadastre_context context, cadastre_memory_type type,
                                          cadastre_pool_info_struct* info) {
  const auto write = [&](const cadastre_pool_info_struct& pools) { return write_struct(pools, info, CADASTRE_INVALID_ARG_3); };
  const auto of_all = [&](const SharedAccount& account) {
    return is_memory_type(type) ? write(pools_within(account, type)) : no_memory_type(type);
  };
  return call_with_below(context, __func__, of_all, [&](Visit& visit) {
    return is_memory_type(type) ? write(visit->pool_info(type)) : no_memory_type(type);
  });
}

cadastre_exit_code cadastre_get_registry_info(cadastre_context context, cadastre_registry_info_struct* info) {
  const auto write = [&](const cadastre_registry_info_struct& registry) { return write_struct(registry, info, CADASTRE_INVALID_ARG_2); };
  const auto of_all = [&](const SharedAccount& account) { return write(registries_within(account)); };
  return call_with_below(context, __func__, of_all, [&](Visit& visit) { return write(visit->registry().info()); });
}

cadastre_exit_code cadastre_pool_trim(cadastre_context context, cadastre_memory_type type, size_t min_bytes_to_keep) {
  return call_above(context, __func__, [&](const SharedAccount& account) {
    return is_memory_type(type) ? trim_within(account, type, min_bytes_to_keep) : no_memory_type(type);
  });
}

cadastre_exit_code cadastre_get_device_statistics(cadastre_context context, cadastre_memory_type type, int32_t device_id,
                                                  cadastre_statistics_struct* statistics) {
  const auto admitted = [&] {
    if (!is_memory_type(type)) return no_memory_type(type);
    if (device_id >= 0 && device_id < first_named_device) return CADASTRE_SUCCESS;
    return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_INDEX_OUT_OF_RANGE, .type = type,
                 .requested = static_cast<std::size_t>(device_id), .limit = first_named_device - 1});
  };
  const auto of_all = [&](const SharedAccount& account) {
    const cadastre_exit_code code = admitted();
    return code == CADASTRE_SUCCESS ? write_struct(figures_on_device(account, type, device_id), statistics, CADASTRE_INVALID_ARG_4) : code;
  };
  return call_with_below(context, __func__, of_all, [&](Visit& visit) {
    if (const cadastre_exit_code refused = admitted(); refused != CADASTRE_SUCCESS) return refused;
    const Account nothing;
    const Account* const account = visit->accounts(type).of(device_id);
    return write_struct((account ? *account : nothing).figures, statistics, CADASTRE_INVALID_ARG_4);
  });
}

cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context, cadastre_memory_type type) {
  const auto reset = [&](SharedAccount& account) {
    if (!is_memory_type(type)) return no_memory_type(type);
    account.of(type).reset_marks();
    return CADASTRE_SUCCESS;
  };
  return call_any(context, __func__, reset, [&](Visit& visit) {
    visit->registry().close_heap();
    const cadastre_exit_code code = reset(visit->shared());
    if (code == CADASTRE_SUCCESS) visit->accounts(type).reset_high_water_marks();
    return code;
  });
}

cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type, size_t bytes) {
  const auto admitted = [&] {
    return is_memory_type(type) ? admit_limit(type, bytes, CADASTRE_INVALID_ARG_3) : no_memory_type(type);
  };
  const auto of_process = [&](SharedAccount&) {
    const cadastre_exit_code code = admitted();
    return code == CADASTRE_SUCCESS ? set_limit_of_process(type, bytes) : code;
  };
  return call_any(context, __func__, of_process, [&](Visit& visit) {
    if (const cadastre_exit_code refused = admitted(); refused != CADASTRE_SUCCESS) return refused;
    return stepped_out(visit, __func__, [&] { return set_limit_of(visit, type, bytes); });
  });
}

cadastre_exit_code cadastre_context_set_timing(cadastre_context context, int on) {
  return call(context, __func__, [&](Visit& visit) {
    visit->set_timing(on != 0);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_context_set_plain_free(cadastre_context context, int on) {
  return call(context, __func__, [&](Visit& visit) {
    const bool from_malloc = on != 0 && !plain_frees_are_seen() && !environment().heap.value_or(false);
    if (from_malloc) take_note_of_malloc();
    return visit->set_from_malloc(from_malloc);
  });
}

int64_t cadastre_get_backend_nanoseconds(void) { return backend_nanoseconds(); }

cadastre_exit_code cadastre_report(cadastre_context context, FILE* stream, cadastre_report_format format) {
  Holdings holdings;
  const auto admitted = [&] { return stream ? admit_format(format) : null_argument(CADASTRE_INVALID_ARG_2); };
  const auto of_all = [&](const SharedAccount& account) {
    const cadastre_exit_code known = admitted();
    if (known == CADASTRE_SUCCESS) holdings = holdings_within(account, context);
    return known;
  };
  const cadastre_exit_code code = call_with_below(context, __func__, of_all, [&](Visit& visit) {
    const cadastre_exit_code known = admitted();
    if (known == CADASTRE_SUCCESS) holdings = visit->holdings(context);
    return known;
  });
  if (code != CADASTRE_SUCCESS) return code;
  return guarded(context, __func__, [&] { return write_report(&holdings, environment(), stream, format); });
}

int32_t cadastre_backend_get_count(void) { return last_named_backend; }

cadastre_exit_code cadastre_backend_get_info(cadastre_backend backend, cadastre_backend_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    Backend* const found = find_backend(backend);
    if (!found && !row_of_backend(backend)) {
      return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_BACKEND,
                   .requested = static_cast<std::size_t>(backend)});
    }
    const cadastre_exit_code code = admit_struct(info, CADASTRE_INVALID_ARG_2);
    if (code != CADASTRE_SUCCESS) return code;
    const BackendRow* const row = row_of_backend(backend);
    const char* const meaning = row ? row->meaning : "registered by the program";
    const Presence presence = presence_of(backend);
    *info = {sizeof *info, backend, presence.usable, presence.devices, 0, cadastre_string_of_backend(backend), meaning,
             presence.problem};
    for (cadastre_memory_type type = 0; presence.usable && type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      if (found->serves(type)) info->memory_type_mask |= 1u << type;
    }
    return CADASTRE_SUCCESS;
  });
}

namespace {

cadastre_exit_code find_device(cadastre_backend backend, std::int32_t device_id, Backend*& found) noexcept {
  if (backend == CADASTRE_DEFAULT_BACKEND) {
    return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_BACKEND,
                 .requested = static_cast<std::size_t>(backend)});
  }
  const cadastre_exit_code code = choose_backend(backend, CADASTRE_INVALID_ARG_1, found);
  if (code != CADASTRE_SUCCESS || found->has_device(device_id)) return code;
  return no_device(*found, CADASTRE_INVALID_ARG_2, CADASTRE_DEVICE, device_id);
}

}  // namespace

cadastre_exit_code cadastre_device_get_info(cadastre_backend backend, int32_t device_id,
                                            cadastre_device_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    Backend* found = nullptr;
    cadastre_exit_code code = find_device(backend, device_id, found);
    if (code == CADASTRE_SUCCESS) code = admit_struct(info, CADASTRE_INVALID_ARG_3);
    if (code != CADASTRE_SUCCESS) return code;
    DeviceDescription description{};
    code = found->describe(device_id, description);
    if (code != CADASTRE_SUCCESS) return code;
    *info = {sizeof *info, backend, device_id, description.total, description.free, {}, {}};
    std::copy(std::begin(description.name), std::end(description.name), info->name);
    std::copy(std::begin(description.uuid), std::end(description.uuid), info->uuid);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_device_get_memory_usage(cadastre_backend backend, int32_t device_id,
                                                    cadastre_memory_usage_struct* usage) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    Backend* found = nullptr;
    cadastre_exit_code code = find_device(backend, device_id, found);
    if (code == CADASTRE_SUCCESS) code = admit_struct(usage, CADASTRE_INVALID_ARG_3);
    return code == CADASTRE_SUCCESS ? usage_of_device(*found, device_id, *usage) : code;
  });
}

cadastre_exit_code cadastre_host_get_memory_usage(cadastre_memory_usage_struct* usage) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__,
                 [&] { return write_struct(usage_of_host(), usage, CADASTRE_INVALID_ARG_1); });
}

int32_t cadastre_environment_get_count(void) {
  std::int32_t count = 0;
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&] {
    count = static_cast<std::int32_t>(environment().variables.size());
    return CADASTRE_SUCCESS;
  });
  return count;
}

cadastre_exit_code cadastre_environment_get_info(int32_t index, cadastre_environment_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    const std::vector<EnvironmentVariable>& variables = environment().variables;
    if (index < 0 || static_cast<std::size_t>(index) >= variables.size()) {
      return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INDEX_OUT_OF_RANGE,
                   .requested = static_cast<std::size_t>(index), .limit = variables.size() - 1});
    }
    const cadastre_exit_code code = admit_struct(info, CADASTRE_INVALID_ARG_2);
    if (code != CADASTRE_SUCCESS) return code;
    const EnvironmentVariable& variable = variables[static_cast<std::size_t>(index)];
    const EnvironmentRow* const row = variable.row;
    *info = {sizeof *info,
             variable.name.c_str(),
             variable.value ? variable.value->c_str() : nullptr,
             row ? row->preset : "",
             row ? row->expected : "",
             row ? row->meaning : "",
             problem_of(variable),
             resolved_of(variable)};
    return CADASTRE_SUCCESS;
  });
}

cadastre_backend cadastre_backend_register(const char* name, const cadastre_backend_operations_struct* operations,
                                           void* content) {
  cadastre_backend number = CADASTRE_INVALID_BACKEND;
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&] { return register_backend(name, operations, content, number); });
  return number;
}

cadastre_exit_code cadastre_backend_unregister(cadastre_backend backend) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&] { return unregister_backend(backend); });
}
