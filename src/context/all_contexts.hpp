// Tangled from org/context/all_contexts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is asked of all live contexts.
#ifndef CADASTRE_SRC_CONTEXT_ALL_CONTEXTS_HPP
#define CADASTRE_SRC_CONTEXT_ALL_CONTEXTS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/accounting.hpp"
#include "base/record.hpp"
#include "context/holdings.hpp"
#include "context/report_notes.hpp"

namespace cadastre::internal {

// The context other than one that has a block, owned or borrowed, around that address;
// CADASTRE_NULL_CONTEXT for none. Looks into every live context, so the caller must be inside none. block:
// null, or where to copy the block's record.
cadastre_context holder_of(const void* address, cadastre_context except, Record* block = nullptr) noexcept;

// The context that has a block, which is in no slab and not borrowed, with that first byte; CADASTRE_NULL_CONTEXT for none, and then kept
// says whether a pool keeps that byte. Likewise, but locks no heap.
cadastre_context owner_of_loose(const void* pointer, bool& kept) noexcept;

// What a context other than one knows of a range of bytes: that it has a block around the first one, that a block begins behind
// that, that a block was there and was freed; or that a pool has some of them.
struct Elsewhere {
  enum What { nothing, has, runs_into, keeps, had } what = nothing;
  Record record;  // of the block
};
// Looks into every live context, as holder_of, at all blocks there.
Elsewhere known_elsewhere(const Record& range, cadastre_context except) noexcept;

// Has every context but one give back workspaces that nobody leases from, where no other thread has locked it, and no queue is at work on them: else
// in_flight is set. Whether there was any. The caller must be inside none; no two contexts are entered at once.
bool give_up_elsewhere(cadastre_context except, bool& in_flight) noexcept;

// Shows what each context within an account holds of a memory type, and under which labels most of it. Likewise.
using HolderShown = void (*)(void* whose, cadastre_context context, std::size_t bytes, const Holders& holders) noexcept;
void for_each_holder(const SharedAccount& account, cadastre_memory_type type, void* whose, HolderShown shown) noexcept;

// Shows what lives of each label in each context, with the context locked; takes no memory. False, and not all are shown, where a thread stays inside of one
// for a tenth of a second. Likewise.
bool for_each_label_share(void* whose, ShareShown shown) noexcept;

// Shows each device of a context's backend that it has memory of; without a lock, and it takes no memory. Of a backend of the program's own, one may be shown
// for each of several contexts. A context that a thread stays inside of for a tenth of a second is left out, with those that are newer: false. Likewise.
struct DeviceInUse {
  cadastre_backend backend;
  std::int32_t device;
  std::size_t total, free;  // bytes
  std::size_t live;         // of DEVICE memory, in all contexts
};
using DeviceShown = void (*)(void* whose, const DeviceInUse& device) noexcept;
bool for_each_device_in_use(void* whose, DeviceShown shown) noexcept;

// Has every context take away what threads cache of pools. Likewise.
void give_up_caches() noexcept;

// The same before a pool asks its backend for so many bytes, where that needs it: of caches of this pool when a block in one could serve, and of
// those of its memory type when the bound on what pools keep would rise. Whether there was any.
bool give_up_caches_for(const Pool& pool, std::size_t bytes) noexcept;

// Has the threads in all contexts below an account return what they have claimed in advance of HOST memory. Likewise.
void return_claims_within(const SharedAccount& account) noexcept;
// Has every context but one give back slabs with nothing in them. Likewise.
void trim_heaps_elsewhere(cadastre_context except) noexcept;

// What an account and all contexts below it have counted, of a memory type or of all; limit is the account's own. The caller must be inside none.
cadastre_statistics_struct figures_within(const SharedAccount& account, cadastre_memory_type type) noexcept;
cadastre_statistics_struct figures_on_device(const SharedAccount& account, cadastre_memory_type type, std::int32_t device) noexcept;
cadastre_registry_info_struct registries_within(const SharedAccount& account) noexcept;
cadastre_pool_info_struct pools_within(const SharedAccount& account, cadastre_memory_type type) noexcept;
// What blocks and pools of all contexts have, HOST memory left out; an entry for each context. Throws std::bad_alloc.
std::vector<SourceBytes> all_sources();
// The same for a report. handle: whose account it is. Throws std::bad_alloc.
Holdings holdings_within(const SharedAccount& account, cadastre_context handle);
// Sets the limit of an account for a memory type, or for all together; from then on it is exact, and what is kept below it leaves it room. Likewise.
void limit_within(SharedAccount& account, cadastre_memory_type type, std::size_t bytes) noexcept;
// A context below another that has none below itself; CADASTRE_NULL_CONTEXT when there is none. Likewise.
cadastre_context leaf_below(cadastre_context handle) noexcept;

// Shows every live context, whoever has locked it; for the end of the process, when others may be stuck: one that a
// thread stays inside of for a second is left out. The caller must be inside none, and no lock is held when it is shown.
void for_each_context(Shown shown) noexcept;

// Whether a context lives beside that of the caller.
bool others_live() noexcept;

}  // namespace cadastre::internal
#endif
