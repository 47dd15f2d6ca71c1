// Tangled from org/context/context.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A context: where a registry meets a backend.
#ifndef CADASTRE_SRC_CONTEXT_CONTEXT_HPP
#define CADASTRE_SRC_CONTEXT_CONTEXT_HPP

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backends/backend.hpp"
#include "context/refusals.hpp"
#include "core/block_cache.hpp"
#include "pool/pools.hpp"
#include "registry/registry.hpp"
#include "workspace/workspace.hpp"

namespace cadastre::internal {

class Visit;
struct Holdings;
struct SourceBytes;
struct LabelShare;

// What a context is created with.
struct Settings {
  bool shards = true;  // whether a call may do without a visit
  bool heap = false;   // whether HOST blocks may lie in slabs
  std::int32_t device = no_device_id;
  cadastre_pool pool = CADASTRE_DEFAULT_POOL;           // as the options say
  std::array<cadastre_pool, memory_types> pools = for_each_type(CADASTRE_POOL_NONE);   // what that means for each memory type
  std::array<PoolKeep, memory_types> pool_keep = {};
  PerLimit<std::size_t> limits = each_limit<std::size_t>(CADASTRE_UNLIMITED);
};

// What is done where memory is missing: what nobody uses is given up; or queues are waited for, and the caller's functions are asked; or both.
enum class Effort { give_up, wait_and_ask, all };

// Blocks with one label that a program has freed by free.
struct PlainFrees {
  OriginNumber origin;
  std::int64_t blocks;
  std::size_t bytes;
};

// A block of another process: what the vendor has opened, and how often; and the claim that keeps it there.
struct Import {
  void* pointer;
  void* base;
  std::int32_t device;
  int file;
  int times;
};

// The bit of a device in a set of devices; none for one that has no place there.
constexpr std::uint64_t bit_of(std::int32_t device) noexcept {
  return device >= 0 && device < 64 ? std::uint64_t{1} << device : 0;
}

// Whether a block is a piece of a pool.
inline bool is_pooled(const Record& block) noexcept { return (block.how | how_ordered) == (how_pooled | how_ordered); }

// Tells the backend of a block that the block is lost; of a pool's memory it knows pieces only.
inline void lose_unless_pooled(const Record& block) noexcept {
  if (!is_pooled(block)) lose(block);
}

class Context {
 public:
  // Nobody's, until begin makes it a context. parent: whose memory the context's counts as.
  Context() noexcept;
  void begin(Backend& backend, const Settings& settings, ChildOf parent) noexcept;
  // What has been closed is nobody's again, as a new one is; false, and to be deleted, where more than its heap was ever used.
  bool renew() noexcept;

  // order: the queue that the block is allocated on, for a stream-ordered one.
  // strided: the block needs a stride that fits.
  // effort: what is done where memory is missing.
  cadastre_exit_code allocate(Visit& visit, const cadastre_memory_info_struct& info, Order order, void*& pointer, bool strided,
                              Effort effort) noexcept;
  // order: the queue that lets the block go; none: all have to be done with it.
  // serial: null, or where to write the number of the block that left the registry.
  cadastre_exit_code release(Visit& visit, void* pointer, Order order, std::uint64_t* serial = nullptr) noexcept;
  cadastre_exit_code resize(Visit& visit, void* pointer, std::size_t size, void*& resized) noexcept;
  // told: null, or who is told of each block that was taken out, and what its backend said.
  using Told = void (*)(Visit& visit, const Record& block, cadastre_exit_code code) noexcept;
  cadastre_exit_code release_all(Visit& visit, Told told = nullptr);
  // Whether all can be freed now: no capture forbids it. Waits for devices. Inside again when it returns.
  cadastre_exit_code admit_frees(Visit& visit) noexcept;
  // Asked when nobody can enter any more: whether to close it comes to nothing but giving its slabs back.
  bool goes_with_its_heap() noexcept {
    has_used_its_heap_only_ = has_used_its_heap_only();
    return has_used_its_heap_only_ && registry_.heap().table().used() == 0 && backend_->number() == CADASTRE_BACKEND_HOST;
  }
  // Then frees what is left. summary: all zero, or null. labels: what lives of each label is added there, and the largest of all there is
  // named; null: of this context alone.
  cadastre_exit_code close(cadastre_destroy_summary_struct* summary, LabelCounts* labels) noexcept;

  cadastre_exit_code describe(const void* pointer, cadastre_memory_info_struct* info) noexcept;
  cadastre_exit_code actual_size(const void* pointer, std::size_t* actual) noexcept;
  cadastre_exit_code locate(const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept;
  // also: flags that the record has beside.
  cadastre_exit_code borrow(Visit& visit, const cadastre_memory_info_struct& info, cadastre_flags also = 0) noexcept;
  cadastre_exit_code return_borrowed(const void* pointer) noexcept;

  // Blocks that other processes open, and blocks of other processes.
  cadastre_exit_code export_block(Visit& visit, const void* pointer, cadastre_ipc_handle_struct& written) noexcept;
  cadastre_exit_code import_block(Visit& visit, const cadastre_ipc_handle_struct& given, void*& pointer) noexcept;
  cadastre_exit_code close_import(Visit& visit, const void* pointer) noexcept;

  // What is lent; to be looked at while nobody else is inside.
  Workspaces& workspaces() noexcept {
    books_were_opened_ = true;
    return books();
  }
  // Lends the memory of an idle HOST workspace in the calling thread's shard from now on, until somebody looks into the books, where that
  // comes to the same.
  void offer_desk(const Visit& visit, Workspace& workspace) noexcept;
  void take_desk() const noexcept;
  // Hands the calling thread's shard a cache of blocks as one of a pool is, until somebody comes to the context, who takes it away first. For
  // who ends a visit. queue: in whose order the block came or went.
  void offer_cache(const Visit& visit, const Record& block, PoolUse& use, const KnownQueue& queue) noexcept;
  bool has_cache() const noexcept { return cached_of_ != nullptr; }
  // Of which pool its blocks are; null where there is none.
  const Pool* cached_pool() const noexcept { return cached_of_ ? cached_of_->pool : nullptr; }
  void give_up_cache() noexcept {
    if (has_cache()) [[unlikely]] take_cache();
  }
  // Whether any context has one.
  static bool any_has_cache() noexcept { return caches_out_.load(std::memory_order_relaxed) > 0; }
  // DEVICE where the backend serves it, else HOST.
  cadastre_memory_type workspace_type() const noexcept;
  // To a multiple of which what is lent is rounded, and on which it lies.
  std::size_t granularity(cadastre_memory_type type) const noexcept;
  // What its buffers lie at a multiple of, which is less where the backend cannot align as much.
  std::size_t workspace_alignment(cadastre_memory_type type) const noexcept;
  // The backend that memory of a type comes from unless a request names another.
  const Backend& source_of(cadastre_memory_type type) const noexcept;
  cadastre_workspace_info_struct workspace_info(cadastre_memory_type type) const noexcept;
  // A piece of memory for a workspace: a block that cadastre_free refuses. Inside again when they return. Where memory is missing only what nobody
  // uses is given up for it.
  cadastre_exit_code allocate_piece(Visit& visit, cadastre_memory_type type, std::size_t size, Order order,
                                    Piece& piece) noexcept;
  // order: for a stream-ordered piece, the queue that lets it go; else none.
  // waited: what came of waiting for the queues that used it. Memory that no free waits for is given up where that failed.
  cadastre_exit_code free_piece(Visit& visit, const Piece& piece, Order order, cadastre_exit_code waited) noexcept;
  // Keeps the block around an address from being freed, or no longer.
  void keep(const void* address, bool kept) noexcept;
  // Waits on the host for what the last lessee of a workspace left on his queue; when it fails, that is still to do.
  cadastre_exit_code settle(Workspace& workspace) noexcept;
  // Waits for all queues of the device.

  // Whether threads may work in shards of the context, and whether HOST blocks that fit in a slab lie in one.
  bool uses_shards() const noexcept { return settings_.shards && host_is_ours_; }
  bool uses_slabs() const noexcept {
    return uses_shards() && settings_.heap && !from_malloc_ && pool(CADASTRE_HOST) != CADASTRE_POOL_CACHING;
  }
  // Whether all HOST blocks from now on are such that a free of the C library is good for them. Refused where slabs are there already.
  cadastre_exit_code set_from_malloc(bool from_malloc) noexcept;
  // A block that was freed was freed by free.
  void count_plain_free(const Record& block) noexcept;
  // Copies of blocks of the heap are the host's own, unless they are timed. What is plain memory the backend may have to say.
  Heap::Copies copies_at_once() const noexcept {
    if (timing_) return Heap::Copies::none;
    return backend_number() == CADASTRE_BACKEND_HOST ? Heap::Copies::of_plain_memory_too : Heap::Copies::of_blocks;
  }
  // Below which size blocks that stand alone may come and go without a visit; 0 where none may.
  std::size_t alone_below() const noexcept;
  Registry& registry() noexcept { return registry_; }
  SharedAccount& shared() noexcept { return registry_.shared(); }
  const SharedAccount& shared() const noexcept { return registry_.shared(); }

  Holdings holdings(cadastre_context handle) const;
  // Under which labels most of a memory type is held; counted again only after a while that is long beside what that takes.
  const Holders& count_holders(cadastre_memory_type type) noexcept;
  std::vector<SourceBytes> sources() const;
  std::vector<Record> snapshot() const { return registry_.snapshot(); }
  // What the context has counted. with_departed: also what its children had, that are gone.
  cadastre_statistics_struct figures_of_all(cadastre_memory_type type, bool with_departed) const noexcept {
    cadastre_statistics_struct figures = registry_.figures(type);
    if (with_departed) add_figures(figures, shared().departed(type));
    return figures;
  }
  Account& account(cadastre_memory_type type) noexcept { return registry_.account(type); }
  const Account& account(cadastre_memory_type type) const noexcept { return registry_.account(type); }
  Accounts& accounts(cadastre_memory_type type) noexcept { return registry_.accounts(type); }
  // The block with that first byte; null when there is none. And one that was freed.
  std::optional<Record> at(const void* pointer) const noexcept { return registry_.at(pointer); }
  std::optional<Record> freed_at(const void* pointer) const noexcept { return registry_.freed_at(pointer); }
  // The block around an address; null when there is none. And one that was freed.
  std::optional<Record> around(const void* address) const noexcept { return registry_.around(address); }
  std::optional<Record> freed_around(const void* address) const noexcept { return registry_.freed_around(address); }
  // Fails with what is wrong with a pointer that is no block's.
  cadastre_exit_code unknown(const void* pointer) noexcept { return refuse_unknown(registry_, pointer); }

  Backend& backend() noexcept { return *backend_; }
  cadastre_backend backend_number() const noexcept { return backend_->number(); }
  Backend* backend_numbered(cadastre_backend number) noexcept;
  std::int32_t device() const noexcept { return device_; }
  // As the context was created with, and what that means for memory of a type.
  cadastre_pool pool() const noexcept { return settings_.pool; }
  cadastre_pool pool(cadastre_memory_type type) const noexcept {
    return is_memory_type(type) ? settings_.pools[static_cast<std::size_t>(type)] : CADASTRE_POOL_NONE;
  }
  // Its shares in pools of a memory type; to be looked at outside, too.
  PoolUses& pools(cadastre_memory_type type) noexcept { return pools_[static_cast<std::size_t>(type)]; }
  // Of the context and all below it.
  cadastre_pool_info_struct pool_info(cadastre_memory_type type) const noexcept { return figures_of_pools(shared(), type, pool(type)); }
  // One bit for each device, from 0 to 63, whose queues may be at work on blocks of this context.
  std::uint64_t devices_in_use() const noexcept { return devices_.load(std::memory_order_relaxed); }
  // Waits for a queue of the context's backend. The default queue is one on each device.
  cadastre_exit_code await(cadastre_queue queue, std::uint64_t devices) noexcept;
  cadastre_queue default_queue() const noexcept { return queue_.load(std::memory_order_relaxed); }
  void set_default_queue(cadastre_queue queue) noexcept {
    if (workspaces_.has_desk()) take_desk();
    queue_.store(queue, std::memory_order_relaxed);
  }
  // What a queue that the caller names is to the context's backend.
  cadastre_queue resolved(cadastre_queue queue) const noexcept { return queue == CADASTRE_DEFAULT_QUEUE ? default_queue() : queue; }
  // Whether idle workspaces can be freed: not while the capture of a queue is seen, with which nothing of the device may be waited for. To be
  // asked outside.
  bool may_free_idle_workspaces() noexcept;
  // Whether a request in that order may wait for queues of the context: not while one is seen to be captured. To be asked outside.
  bool may_wait_for_queues(const Order& order) noexcept;
  // Takes an automatic workspace that nobody leases from and no queue is at work on, and its blocks out of the registry; null when there is none. Then, outside:
  // frees them. Then, inside again: counts those that were not freed.
  std::unique_ptr<Workspace> take_idle_workspace(cadastre_memory_type type) noexcept;
  // Whether there is one that nobody leases from, of a type or of any.
  bool has_idle_workspace(std::optional<cadastre_memory_type> type) noexcept;
  void free_taken(Workspace& taken) noexcept;
  void count_taken(const Workspace& taken) noexcept;
  // Whether the time of backends is counted.
  bool is_timing() const noexcept { return timing_; }
  void set_timing(bool on) noexcept {
    registry_.close_heap();
    timing_ = on;
  }
  // Numbers the block that was allocated last, before anybody else comes in, so that no other context has its number.
  std::uint64_t renumber(const void* pointer, std::uint64_t least) noexcept {
    return registry_.renumber(pointer, least);
  }
  // counts: whether the blocks may be looked at, to say who holds the most.
  void keep_failure(const char* function, bool counts) noexcept;
  // The number of this context in a trace; 0 where none is written.
  std::uint64_t number() const noexcept { return number_; }
  void set_number(std::uint64_t number) noexcept { number_ = number; }
  // The thread of a shard has ended, which is the calling one.
  void abandon_shard(Shard& shard) noexcept;
  // In the child of a fork, while nobody is inside.
  void in_child() noexcept;
  void clear_account() noexcept { shared().clear(); }
  void charge_anew() noexcept;
  const Registry& registry() const noexcept { return registry_; }

 private:
  // Where memory comes from.
  bool names_own_backend(const cadastre_memory_info_struct& info) const noexcept {
    return info.backend == CADASTRE_DEFAULT_BACKEND || info.backend == backend_->number();
  }
  // The backend that is meant, where it needs no opening any more; null otherwise.
  const Backend* at_hand(const cadastre_memory_info_struct& info) const noexcept {
    if (names_own_backend(info)) return backend_;
    return info.backend == CADASTRE_BACKEND_HOST ? find_backend(CADASTRE_BACKEND_HOST) : nullptr;
  }
  // Where the memory that is described comes from, and on which device it is: as named, else the context's own.
  cadastre_exit_code choose_source(const cadastre_memory_info_struct& info, Backend*& source) const noexcept;
  std::int32_t device_for(const cadastre_memory_info_struct& info, Backend& source) const noexcept;
  void use_device(const Backend& source, std::int32_t device) noexcept {
    const std::uint64_t bit = &source == backend_ ? bit_of(device) : 0;
    if ((devices_in_use() & bit) == bit) return;
    give_up_cache();
    devices_ |= bit;
  }
  Backend& backend_of(const Record& record) noexcept { return *backend_numbered(record.backend); }
  // The share in the pool for memory from there that was admitted, made where it is missing; null where none is wanted or can be had.
  PoolUse* share_for(Backend& source, cadastre_memory_type type, std::int32_t device) noexcept;
  // The share that a block may be of, and its pool; null when there is none.
  PoolUse* share_of(const Record& record) noexcept;
  Pool* pool_of(const Record& record) noexcept {
    const PoolUse* const use = share_of(record);
    return use ? use->pool : nullptr;
  }

  // Allocating.
  cadastre_exit_code plan(Visit& visit, const cadastre_memory_info_struct& info, Order order, Backend*& source,
                          Request& request) noexcept;
  cadastre_exit_code reserve_for(Visit& visit, const cadastre_memory_info_struct& info, const Backend& source, const Request& request,
                                 Record& record, void*& pointer) noexcept;
  void count_refusal(const cadastre_memory_info_struct& info, Backend& source, const Request& request) noexcept;
  cadastre_exit_code describe_for_record(const cadastre_memory_info_struct& info, Record& record) noexcept;
  cadastre_exit_code fail_on_demand(const cadastre_memory_info_struct& info, const Backend& source, const Request& request) noexcept;

  // Freeing.
  cadastre_exit_code free_in_backend(const Record& record, Order order) noexcept;
  cadastre_exit_code free_in_pool(PoolUse& use, const Record& record, const KnownQueue& queue) noexcept;
  cadastre_exit_code unless_demanded(const Record& record, cadastre_exit_code code) noexcept;
  cadastre_exit_code settle_elsewhere(const Record& record) noexcept;
  cadastre_exit_code admit_wait() noexcept;
  void withdraw(const Record& record, Hidden& hidden) noexcept;
  // What becomes in the registry of a block that was withdrawn and that its backend was asked to free.
  void conclude_free(const Record& record, Hidden& hidden, cadastre_exit_code code) noexcept;
  cadastre_exit_code admit_waits_for_host(Visit& visit) noexcept;
  cadastre_exit_code admit_frees_elsewhere(Visit& visit, bool any) noexcept;
  bool goes_by_the_queue(const Record& record, cadastre_queue queue) noexcept;
  cadastre_exit_code make_ready_to_free(const Record& record, Order& order, KnownQueue& queue) noexcept;

  // Resizing.
  cadastre_exit_code try_resize(Visit& visit, const Record& old, std::size_t size, void*& resized) noexcept;
  bool resize_in_slab(Visit& visit, const Record& old, std::size_t size, void*& resized) noexcept;
  cadastre_exit_code move_out(const Record& old, std::size_t size, Grant& grant) noexcept;
  bool is_still_there(const Record& block) const noexcept {
    const std::optional<Record> found = registry_.at(block.pointer);
    return found && found->serial == block.serial && found->size == block.size;
  }

  // Borrowing.
  // Where memory of the caller's is: into the record.
  cadastre_exit_code place_borrowed(const cadastre_memory_info_struct& info, Backend*& source, Record& record) const noexcept;

  // What other processes have exported.
  cadastre_exit_code end_import(const Import& import) noexcept;
  cadastre_exit_code end_imports(const OwnVector<Import>& imports) noexcept;
  void leave_imports_to_parent() noexcept;

  // Memory for workspaces.
  // Takes the block of a piece out of the registry, before it is freed.
  Record take_out(const Piece& piece) noexcept;
  cadastre_exit_code free_unless_in_use(const Record& record, Order order, cadastre_exit_code waited) noexcept;

  // What a thread caches.
  bool may_have_cache(const Visit& visit, const Record& block) const noexcept;
  void remember_queue(const KnownQueue& queue) noexcept;
  void take_cache() noexcept;
  void enter_cache() noexcept;

  // Beginning and ending.
  // Whether nothing but the heap was ever used: then the rest is as it is in a new one, but for what renew writes.
  bool has_used_its_heap_only() const noexcept;
  cadastre_exit_code close_all(cadastre_destroy_summary_struct& summary, LabelCounts* labels) noexcept;
  void summarize(cadastre_destroy_summary_struct& summary, LabelCounts* labels) const noexcept;
  void close_workspaces(cadastre_destroy_summary_struct& summary, Failure& failure) noexcept;
  void hand_over(const std::array<std::int64_t, memory_types>& failed) noexcept;
  void summarize_labels(cadastre_destroy_summary_struct& summary, LabelCounts& labels) const noexcept;

  // What it holds.
  void add_workspaces(Holdings& result) const;
  std::vector<LabelShare> label_shares() const;

  ChildOf parent_;  // goes last
  Backend* backend_ = nullptr;
  std::int32_t device_ = no_device_id;
  Settings settings_;
  bool host_is_ours_ = false;  // the heap gives HOST memory, not a backend of the caller's
  std::atomic<cadastre_queue> queue_ = CADASTRE_DEFAULT_QUEUE;
  std::atomic<std::uint64_t> devices_ = 0;
  Registry registry_;
  std::array<PoolUses, memory_types> pools_;
  Workspaces& books() const noexcept {
    if (workspaces_.has_desk()) take_desk();
    return workspaces_;
  }
  mutable Workspaces workspaces_;
  mutable std::uint32_t no_desk_for_ = 0;  // releases, since another thread has taken it away
  bool books_were_opened_ = false;  // of workspaces, to be written in
  BlockCache cache_;                  // that a shard has
  PoolUse* cached_of_ = nullptr;      // null: none has it
  CacheLanes cached_on_ = {};
  std::array<KnownQueue, BlockCache::most_queues - 1> cached_queues_ = {};  // that were used last, the last one first
  std::uint32_t cached_queue_count_ = 0;
  std::uint32_t no_cache_for_ = 0;    // calls, since another thread has taken it away
  static std::atomic<unsigned> caches_out_;
  bool has_used_its_heap_only_ = false;  // when it was closed
  std::atomic<bool> timing_ = false;
  bool from_malloc_ = false;
  OwnVector<PlainFrees> plain_frees_;
  OwnVector<Import> imports_;
  std::uint64_t number_ = 0;
  KeptFailures kept_failures_;
  Holders holders_ = {};  // of a memory type, as they were counted last
  cadastre_memory_type counted_type_ = -1;
  std::chrono::steady_clock::time_point count_again_ = {};
};

// While a thread makes a workspace ready it is nobody else's, although nothing of it is lent.
void hold(Workspace& workspace) noexcept;
void let_off(Workspace& workspace) noexcept;
// Whether what the last lessee left is done, asked without waiting. Of a workspace that is held; called when no context is held.
bool is_done(Context& context, Workspace& workspace) noexcept;

// Asks so of idle workspaces, or of those only that are aside: they are held inside, asked outside, and let off inside again.
class IdleLook {
 public:
  enum class Of { all, aside };
  void begin(Context& context, WorkspacesOfType& of_type, Of which) noexcept;
  bool any() const noexcept { return number_ > 0; }
  void ask(Context& context) noexcept;
  // in_flight: set where a queue is at work on one of them.
  void end(bool& in_flight) noexcept;

 private:
  std::array<Workspace*, 2 * most_unfinished> asked_;
  std::size_t number_ = 0;
};

}  // namespace cadastre::internal
#endif
