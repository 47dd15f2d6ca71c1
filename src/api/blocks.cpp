// Tangled from org/api/blocks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "base/fail.hpp"
#include "base/owned.hpp"
#include "context/all_contexts.hpp"
#include "context/allocate.hpp"
#include "context/borrow.hpp"
#include "context/boundary.hpp"
#include "context/free.hpp"
#include "context/free_all.hpp"
#include "context/ipc.hpp"
#include "context/lifetime.hpp"
#include "context/queue_cache.hpp"
#include "context/reclaim.hpp"
#include "context/resize.hpp"
#include "context/transfer.hpp"
#include "core/calls.hpp"
#include "out/recording.hpp"
#include "registry/alone.hpp"
#include "registry/figures.hpp"

using namespace cadastre::internal;

namespace {

struct How {
  Order order = std::nullopt;
  bool strided = false;
};

[[gnu::noinline]] void* malloc_locked(cadastre_context context, const cadastre_memory_info_struct& info, const char* function,
                                      How how = {}) noexcept {
  void* pointer = nullptr;
  const std::int64_t entered = time_of_entry_if_traced();
  Call call(context, function);
  if (call) call.result = allocate(call, info, how.order, pointer, how.strided, Effort::all);
  if (is_recorded(call)) [[unlikely]]
    record_malloc(call, info, pointer, entered);
  return pointer;
}

[[gnu::noinline]] cadastre_exit_code free_locked(cadastre_context context, void* pointer, const char* function,
                                                 Order order = std::nullopt) noexcept {
  std::uint64_t serial = 0;
  const std::int64_t entered = time_of_entry_if_traced();
  Call call(context, function);
  if (call) call.result = free_block(call, pointer, order, &serial);
  if (is_recorded(call)) [[unlikely]]
    record_free(call, pointer, serial, entered);
  return call.result;
}

// The C library has locks of its own, which a handler of signals may find taken by its thread while that holds the context lock.
[[gnu::noinline]] void* malloc_without_slab(cadastre_context context, std::uint64_t traits, std::size_t size, Shard& shard) noexcept {
  if (locks_of_thread != 0 || is_traced()) [[unlikely]]
    return nullptr;
  if (traits == 0) [[likely]]
    return malloc_alone_at_once<all_traits>(shard, context, size, traits);
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

// The same where the context's calls are recorded. What is recorded was done in the shard, at once or with more effort. To record it may take a lock, which a
// handler of signals does not take while its thread has one.
[[gnu::noinline]] void* malloc_recorded(cadastre_context context, std::size_t size, const SlabRequest& planned) noexcept {
  if (locks_of_thread != 0) [[unlikely]]
    return nullptr;
  const std::int64_t entered = time_of_entry();
  constexpr bool labelled = true;
  constexpr auto recorded = ShardLock::Calls::recorded;
  void* pointer = BlockWord::label(planned.traits) != no_origin
                      ? malloc_at_once<labelled, recorded>(context, size, planned, in_no_other_way)
                      : malloc_at_once<!labelled, recorded>(context, size, planned, in_no_other_way);
  const bool takes_effort = !pointer;
  if (takes_effort) pointer = malloc_with_effort(context, size, planned);
  if (pointer) record_malloc_in_slab(context, size, planned.traits, pointer, entered);
  if (takes_effort) do_due_work_if_any();
  return pointer;
}

// For a black box, what is in a slab only counts.
[[gnu::noinline]] void* malloc_in_shard_recorded(cadastre_context context, const cadastre_memory_info_struct& info,
                                                 const SlabRequest& planned, bool may_be_in_slab) noexcept {
  if (is_traced()) return may_be_in_slab ? malloc_recorded(context, info.size, planned) : nullptr;
  void* const pointer = may_be_in_slab ? malloc_with_effort(context, info.size, planned) : malloc_alone(context, info);
  if (pointer && !may_be_in_slab) record_malloc_alone(context, info);
  do_due_work_if_any();
  return pointer;
}

// What a shard could not do at once; null where it takes a locked call. planned: where the class is none of those that there are, the request is not usual,
// or its label was not found at once.
[[gnu::noinline]] void* malloc_in_shard(cadastre_context context, const cadastre_memory_info_struct& info, SlabRequest planned) noexcept {
  if (info.label && planned.size_class == size_classes) {
    if (void* const pointer = search_to_malloc(context, info, planned)) return pointer;
  }
  const Shard* const shard = known_shard(context);
  const bool may_be_in_slab = planned.size_class < size_classes && shard && shard->uses_slabs.load(std::memory_order_relaxed);
  if (is_recorded()) [[unlikely]]
    return malloc_in_shard_recorded(context, info, planned, may_be_in_slab);
  return may_be_in_slab ? malloc_with_effort(context, info.size, planned) : malloc_alone(context, info);
}

// The same of a request that is planned; null where it takes more.
[[gnu::noinline]] void* malloc_planned_recorded(cadastre_context context, std::size_t size, const SlabRequest& planned) noexcept {
  const Shard* const shard = known_shard(context);
  return shard && shard->uses_slabs.load(std::memory_order_relaxed) ? malloc_recorded(context, size, planned) : nullptr;
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
  void* const pointer = malloc_in_shard(context, info, planned);
  return pointer ? pointer : malloc_locked(context, info, "cadastre_malloc");
}

[[gnu::noinline]] void* malloc_labelled(cadastre_context context, std::size_t size, std::size_t alignment, cadastre_flags flags,
                                        const char* label) noexcept {
  SlabRequest planned;
  const bool usual =
      (flags & ~CADASTRE_UNINITIALIZED) == 0 && plan_in_slab(size, alignment, flags, planned) && add_label_at_once(label, planned);
  if (usual) [[likely]] {
    if (void* const pointer = malloc_at_once<true>(context, size, planned, in_no_other_way)) [[likely]]
      return pointer;
    if (void* const pointer = is_traced() ? malloc_planned_recorded(context, size, planned) : nullptr) return pointer;
  }
  return try_to_malloc_plain(context, size, alignment, flags, label);
}

// Before the first free of another than a slab's owner, who then goes on without the context lock, as those after him do. False where there is no
// memory, or the context has gone.
bool share_slab(cadastre_context context, void* pointer) noexcept {
  if (is_interrupted() || !is_live(context)) return false;
  ContextLock lock(context);
  if (!lock || !lock->host().uses_shards() || !lock->registry().heap().provide_shard(context)) return false;
  lock->registry().heap().lock();
  lock->registry().heap().share(address_of(pointer));
  return true;
}

// Slabs are given back by who is alone. The context may have gone meanwhile, which is no failure of who has freed a block before.
cadastre_exit_code trim_heap(cadastre_context context) noexcept {
  if (!is_interrupted() && is_live(context)) {
    look_up(context, "cadastre_free", [](ContextLock& lock) {
      lock->registry().heap().lock();
      lock->registry().heap().trim();
      return CADASTRE_SUCCESS;
    });
    Arena::return_surplus();
  }
  return CADASTRE_SUCCESS;
}

[[gnu::always_inline]] inline Freed free_in_slab(cadastre_context context, void* pointer) noexcept {
  const Freed freed = free_with_effort(context, pointer);
  return freed == Freed::not_shared && share_slab(context, pointer) ? free_with_effort(context, pointer) : freed;
}

// Frees where others free, too, or leaves the block where it is.
struct FreeShared {
  cadastre_context context;
  void* pointer;

  bool operator()(Shard& shard, Slab* slab) const noexcept {
    const bool freed = slab && free_shared_at_once(shard, *slab, context, address_of(pointer));
    shard.lock.leave(context);
    return freed;
  }
};

// Where the context's calls are recorded. The number is asked for before the block is another's.
[[gnu::noinline]] cadastre_exit_code free_recorded(cadastre_context context, void* pointer, const char* function) noexcept {
  if (locks_of_thread != 0) [[unlikely]]
    return free_locked(context, pointer, function);
  const std::int64_t entered = time_of_entry();
  std::uint64_t number = 0;
  const auto free_shared = [&](Shard& shard, Slab* slab) noexcept {
    number = number_in_slab(context, pointer);
    return FreeShared{context, pointer}(shard, number != 0 ? slab : nullptr);
  };
  const auto note = [&](const BlockRecord& block) noexcept { number = block.number; };
  if (free_at_once<ShardLock::Calls::recorded>(context, pointer, free_shared, note)) {
    record_free_in_slab(context, number, entered);
    return CADASTRE_SUCCESS;
  }
  number = number_in_slab(context, pointer);
  const Freed freed = free_in_slab(context, pointer);
  if (freed != Freed::yes && freed != Freed::empties) return free_locked(context, pointer, function);
  record_free_in_slab(context, number, entered);
  return freed == Freed::empties ? trim_heap(context) : CADASTRE_SUCCESS;
}

[[gnu::noinline]] cadastre_exit_code try_to_free(cadastre_context context, void* pointer, const char* function) noexcept {
  if (is_traced()) [[unlikely]]
    return free_recorded(context, pointer, function);
  if (!page_map.slab_at(address_of(pointer)) && free_alone(context, pointer)) return CADASTRE_SUCCESS;
  const Freed freed = free_in_slab(context, pointer);
  if (freed == Freed::yes) return CADASTRE_SUCCESS;
  if (freed == Freed::empties) return trim_heap(context);
  return free_locked(context, pointer, function);
}

// shard: which the calling thread is inside of, and leaves. The address is in no slab.
[[gnu::noinline]] cadastre_exit_code free_in_no_slab(cadastre_context context, void* pointer, Shard& shard, const char* function) noexcept {
  if (locks_of_thread != 0) [[unlikely]] {
    shard.lock.leave(context);
  } else if (free_alone_inside<true>(shard, context, pointer)) [[likely]] {
    return CADASTRE_SUCCESS;
  }
  return try_to_free(context, pointer, function);
}

// The same where it is in a slab in which others free, too.
[[gnu::noinline]] cadastre_exit_code free_in_shared_slab(cadastre_context context, void* pointer, Shard& shard, Slab& slab,
                                                         const char* function) noexcept {
  const bool freed = free_shared_at_once(shard, slab, context, address_of(pointer));
  shard.lock.leave(context);
  return freed ? CADASTRE_SUCCESS : try_to_free(context, pointer, function);
}

struct FreeElsewhere {
  cadastre_context context;
  void* pointer;
  cadastre_exit_code& exit_code;

  [[gnu::always_inline]] inline bool operator()(Shard& shard, Slab* slab) const noexcept {
    exit_code = slab ? free_in_shared_slab(context, pointer, shard, *slab, "cadastre_free")
                     : free_in_no_slab(context, pointer, shard, "cadastre_free");
    return true;
  }
};

// By a cache in the calling thread's shard, at once or not at all: null, or false, and nothing changed.
[[gnu::always_inline]] inline void* malloc_from_cache_at_once(cadastre_context context, const cadastre_memory_info_struct& info,
                                                              OriginNumber label) noexcept {
  Shard& shard = shard_at_hand(context);
  if (is_ending() || !shard.lock.enter_at_once(context)) [[unlikely]]
    return nullptr;
  BlockCache* const cache = shard.cache;
  void* const pointer = cache && cache->serves(info) ? cache->take<true>(shard, cache->queues[0], info.size, label) : nullptr;
  shard.lock.leave(context);
  return pointer;
}

[[gnu::always_inline]] inline bool free_into_cache_at_once(cadastre_context context, const void* pointer) noexcept {
  Shard& shard = shard_at_hand(context);
  if (!shard.lock.enter_at_once(context)) [[unlikely]]
    return false;
  BlockCache* const cache = shard.cache;
  const bool freed = cache && cache->put<true>(shard, pointer, cache->queues[0]);
  shard.lock.leave(context);
  return freed;
}

[[gnu::noinline]] void* try_to_malloc_async(cadastre_context context, const cadastre_memory_info_struct& info,
                                            cadastre_queue queue) noexcept {
  void* const pointer = is_traced() ? nullptr : malloc_from_cache(context, info, queue);
  return pointer ? pointer : malloc_locked(context, info, "cadastre_malloc_async", {.order = queue});
}

// On the default queue, and apart, so that what has no label saves no registers for it.
[[gnu::noinline]] void* malloc_labelled_async(cadastre_context context, const cadastre_memory_info_struct& info) noexcept {
  if (const OriginNumber label = number_at_once(info.label)) {
    if (void* const pointer = malloc_from_cache_at_once(context, info, label)) [[likely]]
      return pointer;
  }
  return try_to_malloc_async(context, info, CADASTRE_DEFAULT_QUEUE);
}

[[gnu::noinline]] cadastre_exit_code try_to_free_async(cadastre_context context, void* pointer, cadastre_queue queue) noexcept {
  if (!is_traced() && free_into_cache(context, pointer, queue)) return CADASTRE_SUCCESS;
  return free_locked(context, pointer, "cadastre_free_async", queue);
}

[[gnu::noinline]] void* try_to_resize(cadastre_context context, void* pointer, std::size_t size, const char* function) noexcept {
  if (!is_traced() && resize_with_effort(context, pointer, size)) return pointer;
  const NotCancelled here;
  const std::int64_t entered = time_of_entry_if_traced();
  void* resized = nullptr;
  Call call(context, function);
  if (call) call.result = resize(call, pointer, size, resized);
  if (is_recorded(call)) [[unlikely]]
    record_realloc(call, pointer, size, resized, entered);
  return resized;
}

[[gnu::noinline]] cadastre_exit_code try_to_describe(cadastre_context context, const void* pointer, cadastre_memory_info_struct* info,
                                                     const char* function) noexcept {
  if (info && find_with_effort<true>(context, pointer, info, nullptr)) {
    if (is_traced()) [[unlikely]]
      record_info_in_slab(context, pointer, *info);
    return CADASTRE_SUCCESS;
  }
  if (info && !is_traced() && find_alone<true>(context, pointer, info, nullptr)) return CADASTRE_SUCCESS;
  LookUp call(context, function);
  if (call) call.result = describe(call.context(), pointer, info);
  if (is_recorded(call)) [[unlikely]]
    record_info(call, pointer);
  return call.result;
}

[[gnu::noinline]] cadastre_exit_code try_to_locate(cadastre_context context, const void* address, cadastre_memory_info_struct* info,
                                                   std::size_t* offset, const char* function) noexcept {
  if (find_with_effort<false>(context, address, info, offset)) return CADASTRE_SUCCESS;
  if (find_alone<false>(context, address, info, offset)) return CADASTRE_SUCCESS;
  return look_up(context, function, [&](ContextLock& lock) { return locate(lock.context(), address, info, offset); });
}

}  // namespace

void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info) {
  SlabRequest planned;
  bool tried = false;
  void* pointer = malloc_usual<add_label_at_once>(context, info, planned, WhereThereAreNoSlabs{context, info.size, tried});
  if (pointer) [[likely]]
    return pointer;
  if (!tried) pointer = malloc_in_shard(context, info, planned);
  return pointer ? pointer : malloc_locked(context, info, __func__);
}

void* cadastre_malloc_plain(cadastre_context context, size_t size, size_t alignment, cadastre_flags flags, const char* label) {
  if (label) return malloc_labelled(context, size, alignment, flags, label);
  SlabRequest planned;
  if ((flags & ~CADASTRE_UNINITIALIZED) == 0 && plan_in_slab(size, alignment, flags, planned)) [[likely]] {
    if (void* const pointer = malloc_at_once<false>(context, size, planned, in_no_other_way)) [[likely]]
      return pointer;
  }
  return try_to_malloc_plain(context, size, alignment, flags, nullptr);
}

void* cadastre_malloc_async(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue) {
  if (queue == CADASTRE_DEFAULT_QUEUE && !is_traced()) [[likely]] {
    if (info.label) return malloc_labelled_async(context, info);
    if (void* const pointer = malloc_from_cache_at_once(context, info, no_origin)) [[likely]]
      return pointer;
  }
  return try_to_malloc_async(context, info, queue);
}

void* cadastre_malloc_strided(cadastre_context context, const cadastre_memory_info_struct info, cadastre_queue queue) {
  return malloc_locked(context, info, __func__, {.order = queue, .strided = true});
}

cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr) {
  cadastre_exit_code exit_code = CADASTRE_SUCCESS;
  if (free_at_once(context, ptr, FreeElsewhere{context, ptr, exit_code})) [[likely]]
    return exit_code;
  return try_to_free(context, ptr, __func__);
}

cadastre_exit_code cadastre_free_async(cadastre_context context, void* const ptr, cadastre_queue queue) {
  if (queue == CADASTRE_DEFAULT_QUEUE && !is_traced()) [[likely]] {
    if (free_into_cache_at_once(context, ptr)) [[likely]]
      return CADASTRE_SUCCESS;
  }
  return try_to_free_async(context, ptr, queue);
}

void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size) {
  if (resize_at_once(context, ptr, size)) [[likely]]
    return ptr;
  return try_to_resize(context, ptr, size, __func__);
}

cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr, cadastre_memory_info_struct* info) {
  const Found found = info ? find_at_once<true>(context, ptr, info, nullptr) : Found::no;
  if (found == Found::yes) [[likely]]
    return CADASTRE_SUCCESS;
  if (found == Found::nowhere) return fail_unknown(context, __func__, ptr);
  return try_to_describe(context, ptr, info, __func__);
}

cadastre_exit_code cadastre_get_allocated_size(cadastre_context context, const void* ptr, size_t* size) {
  return look_up(context, __func__, [&](ContextLock& lock) { return tell_allocated_size(lock.context(), ptr, size); });
}

cadastre_exit_code cadastre_find_block(cadastre_context context, const void* address, cadastre_memory_info_struct* info, size_t* offset) {
  const Found found = find_at_once<false>(context, address, info, offset);
  if (found == Found::yes) [[likely]]
    return CADASTRE_SUCCESS;
  if (found == Found::nowhere) return fail_unknown(context, __func__, address);
  return try_to_locate(context, address, info, offset, __func__);
}

cadastre_exit_code cadastre_wrap(cadastre_context context, const cadastre_memory_info_struct info) {
  return call(context, __func__, [&](ContextLock& lock) { return borrow(lock, info); });
}

cadastre_exit_code cadastre_unwrap(cadastre_context context, const void* ptr) {
  return call(context, __func__, [&](ContextLock& lock) { return return_borrowed(lock.context(), ptr); });
}

cadastre_exit_code cadastre_ipc_export(cadastre_context context, const void* ptr, cadastre_ipc_handle_struct* handle) {
  return call(context, __func__,
              [&](ContextLock& lock) { return handle ? export_block(lock, ptr, *handle) : null_argument(CADASTRE_INVALID_ARG_3); });
}

cadastre_exit_code cadastre_ipc_import(cadastre_context context, const cadastre_ipc_handle_struct* handle, void** ptr) {
  return call(context, __func__, [&](ContextLock& lock) {
    if (!handle || !ptr) return null_argument(handle ? CADASTRE_INVALID_ARG_3 : CADASTRE_INVALID_ARG_2);
    void* opened = nullptr;
    const cadastre_exit_code code = import_block(lock, *handle, opened);
    if (code == CADASTRE_SUCCESS) *ptr = opened;
    return code;
  });
}

cadastre_exit_code cadastre_ipc_close(cadastre_context context, const void* ptr) {
  return call(context, __func__, [&](ContextLock& lock) { return close_import(lock, ptr); });
}

namespace {

cadastre_exit_code copy_locked(cadastre_context context, const CopyOrder& order, const char* function) noexcept {
  const NotCancelled here;
  const std::int64_t entered = time_of_entry_if_traced();
  Call call(context, function);
  if (call) call.result = copy(call, order);
  if (is_recorded(call)) [[unlikely]]
    record_copy(call, order, entered);
  return call.result;
}

[[gnu::noinline]] cadastre_exit_code try_to_copy(cadastre_context context, void* to, const void* from, std::size_t size,
                                                 const char* function) noexcept {
  if (!is_armed(Point::copy) && copy_alone(context, to, from, size)) return CADASTRE_SUCCESS;
  return copy_locked(context, {.to = to, .from = from, .width = size}, function);
}

}  // namespace

cadastre_exit_code cadastre_memcpy(cadastre_context context, void* const dest, const void* const src, size_t size) {
  if (!is_armed(Point::copy) && copy_at_once(context, dest, src, size)) [[likely]]
    return CADASTRE_SUCCESS;
  return try_to_copy(context, dest, src, size, __func__);
}

cadastre_exit_code cadastre_memcpy_async(cadastre_context context, void* const dest, const void* const src, size_t size,
                                         cadastre_queue queue) {
  return copy_locked(context, {.to = dest, .from = src, .width = size, .queue = queue, .wait = false}, __func__);
}

cadastre_exit_code cadastre_memcpy_strided(cadastre_context context, void* const dest, const void* const src, size_t width, size_t count) {
  return copy_locked(context, {.to = dest, .from = src, .width = width, .count = count, .strided = true}, __func__);
}

cadastre_exit_code cadastre_memcpy_strided_async(cadastre_context context, void* const dest, const void* const src, size_t width,
                                                 size_t count, cadastre_queue queue) {
  return copy_locked(context, {.to = dest, .from = src, .width = width, .count = count, .strided = true, .queue = queue, .wait = false},
                     __func__);
}

cadastre_exit_code cadastre_memset(cadastre_context context, void* const dest, int value, size_t size) {
  if (!is_armed(Point::copy) && (set_at_once(context, dest, value, size) || set_alone(context, dest, value, size))) [[likely]] {
    return CADASTRE_SUCCESS;
  }
  return call(context, __func__, [&](ContextLock& lock) { return set(lock, {.to = dest, .value = value, .size = size}); });
}

cadastre_exit_code cadastre_memset_async(cadastre_context context, void* const dest, int value, size_t size, cadastre_queue queue) {
  return call(context, __func__,
              [&](ContextLock& lock) { return set(lock, {.to = dest, .value = value, .size = size, .queue = queue, .wait = false}); });
}

cadastre_exit_code cadastre_context_set_default_queue(cadastre_context context, cadastre_queue queue) {
  return call(context, __func__, [&](ContextLock& lock) {
    lock->set_default_queue(queue);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_context_get_default_queue(cadastre_context context, cadastre_queue* queue) {
  return call(context, __func__, [&](ContextLock& lock) {
    if (!queue) return null_argument(CADASTRE_INVALID_ARG_2);
    *queue = lock->sources().default_queue();
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_synchronize(cadastre_context context, cadastre_queue queue) {
  return call(context, __func__, [&](ContextLock& lock) { return synchronize(lock, queue); });
}

cadastre_exit_code cadastre_prefetch(cadastre_context context, const void* const address, size_t bytes, int32_t device,
                                     cadastre_queue queue, int32_t* applied) {
  return call(context, __func__, [&](ContextLock& lock) {
    return prefetch(lock, {.address = address, .bytes = bytes, .device = device_id_of(device), .queue = queue}, applied);
  });
}

cadastre_exit_code cadastre_advise(cadastre_context context, const void* const address, size_t bytes, cadastre_advice advice,
                                   int32_t device, int32_t* applied) {
  return call(context, __func__, [&](ContextLock& lock) {
    return advise(lock, {.address = address, .bytes = bytes, .device = device_id_of(device), .advice = advice}, applied);
  });
}

cadastre_exit_code cadastre_foreach_block(cadastre_context context, cadastre_foreach_block_function callback, void* user_data) {
  OwnedVector<Record> blocks;
  const cadastre_exit_code code = call(context, __func__, [&](ContextLock& inside) {
    if (!callback) return null_argument(CADASTRE_INVALID_ARG_2);
    blocks = snapshot(inside->registry());
    return CADASTRE_SUCCESS;
  });
  if (code != CADASTRE_SUCCESS) return code;
  cadastre_exit_code answer = CADASTRE_SUCCESS;
  const NotCancelled here;
  PublicCall outside(context, __func__);
  outside.result = stop_exceptions([&] {
    for (const Record& block : blocks) {
      const cadastre_memory_info_struct info = info_of(block);
      assert_no_lock_held("the function given to cadastre_foreach_block");
      answer = callback(&info, user_data);
      if (answer != CADASTRE_SUCCESS) break;
    }
    return CADASTRE_SUCCESS;
  });
  return outside.result != CADASTRE_SUCCESS ? outside.result : answer;
}

cadastre_exit_code cadastre_free_all(cadastre_context context) {
  return call(context, __func__, [&](ContextLock& lock) { return free_all_blocks(lock, is_traced() ? record_free_of : nullptr); });
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
  if (is_interrupted()) [[unlikely]]
    return tell_last_failure(context, *error), CADASTRE_SUCCESS;
  return guarded(context, __func__, [&]() -> cadastre_exit_code {
    Failure* const failure = last_failure(context);
    if (failure && (failure->reason == CADASTRE_REASON_UNKNOWN_POINTER || failure->reason == CADASTRE_REASON_ALREADY_FREED ||
                    failure->reason == CADASTRE_REASON_NOT_REGISTERED)) {
      failure->owner = holder_of(failure->pointer, context);
      if (failure->owner != CADASTRE_NULL_CONTEXT) failure->reason = CADASTRE_REASON_OTHER_CONTEXT;
    }
    tell_last_failure(context, *error);
    return CADASTRE_SUCCESS;
  });
}
