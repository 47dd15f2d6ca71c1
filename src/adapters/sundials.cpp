// Tangled from org/adapters/sundials.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A SUNMemoryHelper on top of a context.
#include "cadastre_sundials.h"

#include <pthread.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "foreign.hpp"
#include "sundials_call.hpp"
#include "sundials_ledger.hpp"
#include "sundials_leases.hpp"
#include "sundials_versions.hpp"

using namespace cadastre::adapter;

namespace {

void hold_both() {
  ledger.hold();
  leases.hold();
}
void let_go_of_both() {
  leases.let_go();
  ledger.let_go();
}

// Before the first helper is made.
void watch_for_forks() {
  static const bool watched = [] {
    if (pthread_atfork(hold_both, let_go_of_both, let_go_of_both) != 0) throw std::bad_alloc();
    return true;
  }();
  static_cast<void>(watched);
}

Holding holding_of(const Leases::Entry& entry) {
  const auto& [lease, queue, type, bytes, stride, owner] = entry.mapped();
  return {entry.key().address, entry.key().context, owner, static_cast<std::size_t>(type) << Holding::bits | bytes};
}

// Nothing where the workspace refuses, and a block may do.
[[gnu::noinline]] std::optional<Code> lease(Call call, SUNMemoryHelper helper, Account& account, SUNMemory* memptr, std::size_t size,
                                            std::size_t stride, cadastre_memory_type type, void* given) {
  const cadastre_context context = account.context;
  Leases::Entry entry = leases.make();
  OwnObject object = object_of(account, type);
  const cadastre_exit_code code = acquire(context, entry, size, type, queue_meant(helper, account, given));
  if (code != CADASTRE_SUCCESS) {
    give_back(account, object.release());
    if (code == CADASTRE_SIZE_QUERY_MISMATCH) return call.failed(context);
    return std::nullopt;
  }
  entry.mapped().stride = stride;
  entry.mapped().owner = account.content.load(std::memory_order_relaxed);
  object->ptr = reinterpret_cast<void*>(entry.key().address);
  set_extent(object.get(), size, stride);
  const Holding holding = holding_of(entry);
  if (const Leases::Entry lost = leases.enter(std::move(entry))) ledger.count_lost(holding_of(lost));
  ledger.count_lease(account.counts[static_cast<std::size_t>(type)], holding);
  *memptr = object.release();
  return 0;
}

// Nothing where it is none.
[[gnu::noinline]] std::optional<Code> release_lease(Call call, SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  const cadastre_context context = account.context;
  Leases::Entry entry = leases.take(place_of(context, memory->ptr));
  if (!entry) return std::nullopt;
  const bool waited = wait_to_release(context, entry.mapped(), queue_meant(helper, account, given)) == CADASTRE_SUCCESS;
  const Release released = waited ? cadastre::adapter::release_lease(context, entry.mapped().lease) : Release::refused;
  if (released == Release::refused) {
    leases.put_back(std::move(entry));
    return call.failed(context);
  }
  ledger.count_release(account, holding_of(entry));
  if (released == Release::done) {
    give_back(account, memory);
    return 0;
  }
  memory->own = SUNFALSE;
  return call.failed(context);
}

// Whether a range that begins in a lease ends behind it.
bool leaves_lease(cadastre_context context, const void* pointer, std::size_t size) {
  const auto found = leases.find(place_of(context, pointer));
  return found && size > found->left();
}

enum class Strided : bool { no, yes };

// As the compiler sees, this travels in registers.
[[gnu::always_inline]] inline void* plain_block(cadastre_context context, std::size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = CADASTRE_HOST;
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = label;
  return cadastre_malloc(context, info);
}

[[gnu::noinline]] void* block_of(SUNMemoryHelper helper, Account& account, std::size_t size, cadastre_memory_type type, std::size_t stride,
                                 const char* label, void* given) {
  const auto queue = queue_meant(helper, account, given);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.stride = stride;
  info.flags = CADASTRE_UNINITIALIZED;
  info.label = label;
  return queue && account.allocates_in_order ? cadastre_malloc_async(account.context, info, *queue)
                                             : cadastre_malloc(account.context, info);
}

// stride: 1 for memory without one. The registry is told of one that elements can have.
[[gnu::always_inline]] inline Code allocate(Call call, SUNMemoryHelper helper, Account& account, SUNMemory* memptr, std::size_t size,
                                            Strided strided, std::size_t stride, cadastre_memory_type type, void* given) {
  if (!memptr) return call.refused(CODE(ARG_CORRUPT), "memptr is NULL; pass the address for the new object");
  if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
  if (account.is_temporary.load(std::memory_order_relaxed) && size > 0) [[unlikely]] {
    if (const auto code = lease(call, helper, account, memptr, size, stride, type, given)) return *code;
  }
  ledger.make_room();
  OwnObject object = object_of(account, type);
  const char* const label = account.label.load(std::memory_order_relaxed);
  const bool is_plain = type == CADASTRE_HOST && strided == Strided::no;
  object->ptr = is_plain ? plain_block(account.context, size, label)
                         : block_of(helper, account, size, type, strided == Strided::yes && stride <= size ? stride : 0, label, given);
  if (!object->ptr) [[unlikely]] {
    give_back(account, object.release());
    return call.failed(account.context);
  }
  set_extent(object.get(), size, stride);
  if (!ledger.enter(account.counts[static_cast<std::size_t>(type)], Holding::of(account, object->ptr, type, size), size)) [[unlikely]] {
    cadastre_free(account.context, object->ptr);
    throw std::bad_alloc();
  }
  *memptr = object.release();
  return 0;
}

// The same, where little of it is known to the compiler.
[[gnu::noinline]] Code allocate_any(Call call, SUNMemoryHelper helper, Account& account, SUNMemory* memptr, std::size_t size,
                                    Strided strided, std::size_t stride, cadastre_memory_type type, void* given) {
  return allocate(call, helper, account, memptr, size, strided, stride, type, given);
}

// Frees a block, in the order of a queue where there is one. A queue that cannot be waited for, since it was destroyed
// before, leaves the block as it was: then it is freed as without a queue, after what the default one waits for.
cadastre_exit_code free_block(cadastre_context context, void* pointer, std::optional<cadastre_queue> queue) {
  if (!queue) return cadastre_free(context, pointer);
  const cadastre_exit_code code = cadastre_free_async(context, pointer, *queue);
  if (code != CADASTRE_FAILURE) return code;
  cadastre_memory_info_struct info;
  const bool is_there = cadastre_get_malloc_info(context, pointer, &info) == CADASTRE_SUCCESS;
  if (!is_there || cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS) return code;
  return cadastre_free(context, pointer);
}

[[gnu::noinline]] cadastre_exit_code free_in_order(SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  return free_block(account.context, memory->ptr, queue_meant(helper, account, given));
}

// A lease, or a block that no helper allocated.
[[gnu::noinline]] Code release_unknown(Call call, SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  if (const auto code = release_lease(call, helper, account, memory, given)) return *code;
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_get_malloc_info(account.context, memory->ptr, &info);
  const cadastre_exit_code code = free_in_order(helper, account, memory, given);
  if (code != CADASTRE_SUCCESS) return call.failed(account.context);
  ledger.count_freed(account, info.type);
  give_back(account, memory);
  return 0;
}

[[gnu::always_inline]] inline Code release(Call call, SUNMemoryHelper helper, Account& account, SUNMemory memory, void* given) {
  const auto taken = ledger.take(account, reinterpret_cast<Content>(helper->content), memory->ptr);
  if (taken.owner == no_content) [[unlikely]]
    return release_unknown(call, helper, account, memory, given);
  const bool in_order = given || default_queue(helper, account);
  const cadastre_exit_code code = in_order ? free_in_order(helper, account, memory, given) : cadastre_free(account.context, memory->ptr);
  if (code != CADASTRE_SUCCESS) [[unlikely]] {
    ledger.put_back(account, memory->ptr, taken);
    return call.failed(account.context);
  }
  give_back(account, memory);
  return 0;
}

cadastre_exit_code copy_on_the_backends_default_queue(cadastre_context context, SUNMemory to, SUNMemory from, std::size_t size) {
  const auto move = [&] { return cadastre_memcpy(context, to->ptr, from->ptr, size); };
  cadastre_queue set = CADASTRE_DEFAULT_QUEUE;
  cadastre_exit_code code = cadastre_context_get_default_queue(context, &set);
  if (code != CADASTRE_SUCCESS || set == CADASTRE_DEFAULT_QUEUE) return code != CADASTRE_SUCCESS ? code : move();
  code = cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE);
  if (code == CADASTRE_SUCCESS) code = cadastre_lock(context);
  if (code != CADASTRE_SUCCESS) return code;
  cadastre_context_get_default_queue(context, &set);  // another thread may have set it
  cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE);
  code = move();
  cadastre_context_set_default_queue(context, set);
  cadastre_unlock(context);
  return code;
}

Code copy(Call call, SUNMemoryHelper helper, Account& account, SUNMemory to, SUNMemory from, std::size_t size, void* given, bool waits) {
  if (!to || !from) return call.refused(CODE(ARG_CORRUPT), "dst or src is NULL");
  const cadastre_memory_type to_type = number_of(to->type), from_type = number_of(from->type);
  if (!is_memory_type(to_type) || !is_memory_type(from_type)) {
    return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
  }
  const cadastre_context context = account.context;
  if (leaves_lease(context, to->ptr, size) || leaves_lease(context, from->ptr, size)) {
    return call.refused(CODE(ARG_OUTOFRANGE), "the copy extends past the end of memory that is leased");
  }
  const auto queue = queue_meant(helper, account, given);
  if (waits && queue && cadastre_synchronize(context, *queue) != CADASTRE_SUCCESS) return call.failed(context);
  const auto move = [&] {
    return waits ? copy_on_the_backends_default_queue(context, to, from, size)
                 : cadastre_memcpy_async(context, to->ptr, from->ptr, size, queue.value_or(CADASTRE_DEFAULT_QUEUE));
  };
  const cadastre_exit_code code = with_foreign_memory(context, {to->ptr, size, to_type}, {from->ptr, size, from_type}, move);
  return code == CADASTRE_SUCCESS ? 0 : call.failed(context);
}

// label: as cadastre_label returned it, or null where that had no memory.
SUNMemoryHelper helper_for(const Account& like, const char* label, const Operations& operations, Surroundings surroundings) {
  auto helper = allocated<std::remove_pointer_t<SUNMemoryHelper>>();
  auto table = allocated<Operations>();
  if (!label) throw std::bad_alloc();
  const Account& account = ledger.open(like.context, like.allocates_in_order, label);
  helper->content = reinterpret_cast<void*>(account.content.load(std::memory_order_relaxed));
  *table = operations;
  helper->ops = table.release();
  set_surroundings(helper.get(), surroundings);
  return helper.release();
}

bool library_fits(Call call) {
  int major = 0, minor = 0, patch = 0;
  char label[64] = "";
  SUNDIALSGetVersionNumber(&major, &minor, &patch, label, sizeof label - 1);
  if (layout_of(major, minor) == layout_of_headers) return true;
  char sentence[200];
  std::snprintf(sentence, sizeof sentence, "this is SUNDIALS %d.%d, but libcadastre_sundials was built for %d.%d, whose structures differ",
                major, minor, SUNDIALS_VERSION_MAJOR, SUNDIALS_VERSION_MINOR);
  call.refused(CODE(ARG_INCOMPATIBLE), sentence);
  return false;
}

}  // namespace

SUNMemoryHelper SUNMemoryHelper_Cadastre(cadastre_context context CADASTRE_SUNDIALS_AND_CONTEXT) {
  std::remove_pointer_t<SUNMemoryHelper> not_yet{};
  set_surroundings(&not_yet, CONTEXT_GIVEN);
  const Call call{&not_yet, __func__};
  SUNMemoryHelper made = nullptr;
  if (are_missing(CONTEXT_GIVEN)) return nullptr;
  call.perform([&]() -> Code {
    if (!library_fits(call)) return CODE(ARG_INCOMPATIBLE);
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    if (cadastre_context_get_options(context, &options) != CADASTRE_SUCCESS) return call.failed(context);
    watch_for_forks();
    Account like;
    like.context = context;
    like.allocates_in_order = options.pool == CADASTRE_POOL_VENDOR;
    made = helper_for(like, cadastre_label("SUNDIALS"), all_operations<Operations>(), CONTEXT_GIVEN);
    return 0;
  });
  return made;
}

cadastre_sundials_code SUNMemoryHelper_Alloc_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size,
                                                      SUNMemoryType mem_type CADASTRE_SUNDIALS_AND_QUEUE) {
  const cadastre_memory_type type = number_of(mem_type);
  return perform(helper, __func__, [&](Call call, Account& account) {
    return type == CADASTRE_HOST ? allocate(call, helper, account, memptr, mem_size, Strided::no, 1, CADASTRE_HOST, QUEUE_GIVEN)
                                 : allocate_any(call, helper, account, memptr, mem_size, Strided::no, 1, type, QUEUE_GIVEN);
  });
}

cadastre_sundials_code SUNMemoryHelper_AllocStrided_Cadastre(SUNMemoryHelper helper, SUNMemory* memptr, size_t mem_size, size_t stride,
                                                             SUNMemoryType mem_type, void* queue) {
  return perform(helper, __func__, [&](Call call, Account& account) {
    return allocate_any(call, helper, account, memptr, mem_size, Strided::yes, stride, number_of(mem_type), queue);
  });
}

cadastre_sundials_code SUNMemoryHelper_Dealloc_Cadastre(SUNMemoryHelper helper, SUNMemory mem CADASTRE_SUNDIALS_AND_QUEUE) {
  if (!mem) return 0;
  if (!mem->own || !mem->ptr) {
    std::free(mem);
    return 0;
  }
  return perform(helper, __func__, [&](Call call, Account& account) { return release(call, helper, account, mem, QUEUE_GIVEN); });
}

cadastre_sundials_code SUNMemoryHelper_Copy_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src,
                                                     size_t mem_size CADASTRE_SUNDIALS_AND_QUEUE) {
  return perform(helper, __func__,
                 [&](Call call, Account& account) { return copy(call, helper, account, dst, src, mem_size, QUEUE_GIVEN, true); });
}

cadastre_sundials_code SUNMemoryHelper_CopyAsync_Cadastre(SUNMemoryHelper helper, SUNMemory dst, SUNMemory src, size_t mem_size,
                                                          void* queue) {
  return perform(helper, __func__,
                 [&](Call call, Account& account) { return copy(call, helper, account, dst, src, mem_size, queue, false); });
}

cadastre_sundials_code SUNMemoryHelper_GetAllocStats_Cadastre(SUNMemoryHelper helper, SUNMemoryType mem_type,
                                                              unsigned long* num_allocations, unsigned long* num_deallocations,
                                                              size_t* bytes_allocated, size_t* bytes_high_watermark) {
  return perform(helper, __func__, [&](Call call, Account& account) -> Code {
    const cadastre_memory_type type = number_of(mem_type);
    if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
    const Counts counts = ledger.counts(account, type);
    if (num_allocations) *num_allocations = counts.allocations;
    if (num_deallocations) *num_deallocations = counts.deallocations;
    if (bytes_allocated) *bytes_allocated = counts.bytes;
    if (bytes_high_watermark) *bytes_high_watermark = counts.high_water_mark_bytes;
    return 0;
  });
}

SUNMemoryHelper SUNMemoryHelper_Clone_Cadastre(SUNMemoryHelper helper) {
  SUNMemoryHelper made = nullptr;
  perform(helper, __func__, [&](Call call, Account& account) -> Code {
    made = helper_for(account, account.label.load(std::memory_order_relaxed), *helper->ops, call.surroundings());
    Account& clone = *ledger.find(made->content);
    set_default_queue(made, clone, default_queue(helper, account));
    clone.is_temporary.store(account.is_temporary.load(std::memory_order_relaxed), std::memory_order_relaxed);
    return 0;
  });
  return made;
}

cadastre_sundials_code SUNMemoryHelper_Destroy_Cadastre(SUNMemoryHelper helper) {
  if (!helper) return 0;
  const Call call{helper, __func__};
  return call.perform([&]() -> Code {
    ledger.close(helper->content);
    std::free(helper->ops);
    std::free(helper);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetDefaultQueue_Cadastre(SUNMemoryHelper helper, void* queue) {
  return perform(helper, __func__, [&](Call, Account& account) -> Code {
    set_default_queue(helper, account, queue);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetLabel_Cadastre(SUNMemoryHelper helper, const char* label) {
  return perform(helper, __func__, [&](Call call, Account& account) -> Code {
    if (!label) return call.refused(CODE(ARG_CORRUPT), "label is NULL");
    constexpr std::size_t label_size = 256;
    const std::size_t length = strnlen(label, label_size);
    if (length == label_size) return call.refused(CODE(ARG_OUTOFRANGE), "the label is longer than 255 characters");
    const char* const stored = cadastre_label(label);
    if (!stored) throw std::bad_alloc();
    account.label.store(stored, std::memory_order_relaxed);
    return 0;
  });
}

cadastre_sundials_code SUNMemoryHelper_SetTemporary_Cadastre(SUNMemoryHelper helper, int temporary) {
  return perform(helper, __func__, [&](Call call, Account& account) -> Code {
    if (temporary != SUNTRUE && temporary != SUNFALSE)
      return call.refused(CODE(ARG_OUTOFRANGE), "temporary is neither SUNTRUE nor SUNFALSE");
    if (temporary == SUNTRUE) leases.begin();
    account.is_temporary.store(temporary == SUNTRUE, std::memory_order_relaxed);
    return 0;
  });
}

SUNMemory SUNMemoryHelper_Alias_Cadastre(SUNMemoryHelper helper, SUNMemory mem) {
  SUNMemory made = nullptr;
  perform(helper, __func__, [&](Call call, Account& account) -> Code {
    if (!mem) return call.refused(CODE(ARG_CORRUPT), "mem is NULL");
    OwnObject object = object_for(mem->ptr, number_of(mem->type), false);
    copy_extent(object.get(), mem);
    if (lacks_extent(mem)) set_extent_by_registry(object.get(), account.context);
    made = object.release();
    return 0;
  });
  return made;
}

SUNMemory SUNMemoryHelper_Wrap_Cadastre(SUNMemoryHelper helper, void* ptr, SUNMemoryType mem_type) {
  SUNMemory made = nullptr;
  perform(helper, __func__, [&](Call call, Account& account) -> Code {
    const cadastre_memory_type type = number_of(mem_type);
    if (!is_memory_type(type)) return call.refused(CODE(ARG_OUTOFRANGE), no_memory_type);
    OwnObject object = object_for(ptr, type, false);
    set_extent_by_registry(object.get(), account.context);
    made = object.release();
    return 0;
  });
  return made;
}
