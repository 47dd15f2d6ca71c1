// Tangled from org/context.org; change the chapter, then run: make tangle
// Contexts: handles, the lock, and where a registry meets a backend.
#ifndef CADASTRE_SRC_CONTEXT_HPP
#define CADASTRE_SRC_CONTEXT_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backend.hpp"
#include "gate.hpp"
#include "pool.hpp"
#include "registry.hpp"
#include "workspace.hpp"

namespace cadastre::internal {

struct Slot;
class Context;

// One call inside one context: holds the mutex of its slot, except between step_out and step_in.
class Visit {
 public:
  // Waits while another thread has locked the context. Refused, with a failure, when the handle is not
  // that of a live context.
  explicit Visit(cadastre_context handle) noexcept;
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit();

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  Context* operator->() const noexcept { return context_; }
  cadastre_context handle() const noexcept { return handle_; }

  // Lets others in, while the context stays alive; for calls of a backend. From then on the thread is not cancelled as long as
  // the visit lasts.
  void step_out() noexcept;
  void step_in() noexcept;

 private:
  friend cadastre_exit_code lock_context(Visit&) noexcept;
  friend cadastre_exit_code unlock_context(Visit&) noexcept;
  friend cadastre_exit_code destroy_context(Visit&, cadastre_destroy_summary_struct*) noexcept;

  cadastre_context handle_;
  Slot* slot_;
  Context* context_ = nullptr;
  bool outside_ = false;
  std::optional<NotCancelled> not_cancelled_;
};

class Labels {
 public:
  // The one label with this text; null when the host has no memory.
  Label* intern(std::string_view text) noexcept;

  template <class Action>
  void for_each(Action action) const {
    for (const auto& entry : labels_) action(*entry.second);
  }
  bool empty() const noexcept { return labels_.empty(); }

 private:
  std::unordered_map<std::string_view, std::unique_ptr<Label>> labels_;
};

// Copies of records, together with the labels that they point to: a copy may outlive its context.
struct Snapshot {
  std::vector<Record> blocks;
  std::shared_ptr<const Labels> labels;
};

// The statistics of one memory type on one device.
struct DeviceFigures {
  std::int32_t device;
  cadastre_statistics_struct figures;
};

struct LeaseFigures {
  cadastre_lease lease;
  cadastre_memory_type type;
  std::size_t bytes;
};

// All that a context knows at one moment; for reports.
struct Holdings {
  cadastre_context context;
  cadastre_backend backend;
  std::int32_t device;
  std::array<cadastre_statistics_struct, memory_types> figures;
  std::array<std::vector<DeviceFigures>, memory_types> by_device;
  std::array<cadastre_pool_info_struct, memory_types> pools;
  Snapshot snapshot;
  std::vector<Label> labels;  // those that have live blocks
  std::vector<cadastre_workspace_info_struct> workspaces;  // those that were ever lent of, or have memory
  std::vector<LeaseFigures> leases;                        // those that are alive
};

// What a context is created with.
struct Settings {
  bool quick = true;  // whether a call may do without a visit
  std::int32_t device = CADASTRE_DEFAULT_DEVICE;
  cadastre_pool pool = CADASTRE_POOL_NONE;              // as the options say
  std::array<cadastre_pool, memory_types> pools = {};   // what that means for each memory type
  std::array<std::size_t, memory_types> limits = {CADASTRE_UNLIMITED, CADASTRE_UNLIMITED, CADASTRE_UNLIMITED,
                                                  CADASTRE_UNLIMITED};
};

// The bit of a device in a set of devices; none for one that has no place there.
constexpr std::uint64_t bit_of(std::int32_t device) noexcept {
  return device >= 0 && device < 64 ? std::uint64_t{1} << device : 0;
}

// Tells the backend of a block that the block is lost; of a pool's memory it knows segments only.
inline void lose_unless_pooled(const Record& block) noexcept {
  if ((block.how | how_ordered) != (how_pooled | how_ordered)) lose(block);
}

// A failure that concerns a record.
Failure about(const Record& record, cadastre_exit_code code, cadastre_reason reason, const void* pointer) noexcept;

class Context {
 public:
  Context(Backend& backend, const Settings& settings);

  // order: the queue that the block is allocated on, for a stream-ordered one.
  // strided: the block needs a stride that fits.
  cadastre_exit_code allocate(Visit& visit, const cadastre_memory_info_struct& info, Order order, void*& pointer,
                              bool strided = false) noexcept;
  // order: the queue that lets the block go; none: all have to be done with it.
  // serial: null, or where to write the number of the block that left the registry.
  cadastre_exit_code release(Visit& visit, void* pointer, Order order, std::uint64_t* serial = nullptr) noexcept;
  cadastre_exit_code resize(Visit& visit, void* pointer, std::size_t size, void*& resized) noexcept;
  // told: null, or who is told of each block that was taken out, and what its backend said.
  using Told = void (*)(Visit& visit, const Record& block, cadastre_exit_code code) noexcept;
  cadastre_exit_code release_all(Visit& visit, Told told = nullptr);
  // Frees what is left when nobody can enter any more.
  cadastre_exit_code close(cadastre_destroy_summary_struct& summary) noexcept;

  cadastre_exit_code describe(const void* pointer, cadastre_memory_info_struct* info) noexcept;
  cadastre_exit_code actual_size(const void* pointer, std::size_t* actual) noexcept;
  cadastre_exit_code locate(const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept;
  cadastre_exit_code borrow(const cadastre_memory_info_struct& info) noexcept;
  cadastre_exit_code return_borrowed(const void* pointer) noexcept;

  // What is lent; to be looked at while nobody else is inside.
  Workspaces& workspaces() noexcept { return workspaces_; }
  // DEVICE where the backend serves it, else HOST.
  cadastre_memory_type workspace_type() const noexcept;
  // To a multiple of which what is lent is rounded, and on which it lies.
  std::size_t granularity(cadastre_memory_type type) const noexcept;
  cadastre_workspace_info_struct workspace_info(cadastre_memory_type type) const noexcept;
  // A piece of memory for a workspace: a block that cadastre_free refuses. Inside again when they return.
  cadastre_exit_code allocate_piece(Visit& visit, cadastre_memory_type type, std::size_t size, Order order,
                                    Piece& piece) noexcept;
  // order: for a stream-ordered piece, the queue that lets it go; else none.
  // waited: what came of waiting for the queues that used it. Memory that no free waits for is given up where that failed.
  cadastre_exit_code free_piece(Visit& visit, const Piece& piece, Order order, cadastre_exit_code waited) noexcept;
  // Keeps the block around an address from being freed, or no longer.
  void keep(const void* address, bool kept) noexcept;
  // Waits on the host for what the last lessee of a workspace left on his queue; when it fails, that is still to do.
  cadastre_exit_code settle(Workspace& workspace) noexcept;

  // Whether plain blocks may come and go without a visit: from the heap, when there are any, and nobody limits or times them.
  bool takes_quick_calls() const noexcept {
    return host_is_asked_ && host_is_ours_ && settings_.quick && !timing_ && account(CADASTRE_HOST).figures.limit == CADASTRE_UNLIMITED;
  }
  // Blocks from this size on take a visit.
  std::size_t quick_below() const noexcept;
  Registry& registry() noexcept { return registry_; }

  Holdings holdings(cadastre_context handle) const;
  Snapshot snapshot() const { return {registry_.snapshot(), labels_}; }
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
  cadastre_exit_code unknown(const void* pointer) noexcept;

  Backend& backend() noexcept { return backend_; }
  Backend* backend_numbered(cadastre_backend number) noexcept;
  std::int32_t device() const noexcept { return device_; }
  // As the context was created with, and what that means for memory of a type.
  cadastre_pool pool() const noexcept { return settings_.pool; }
  cadastre_pool pool(cadastre_memory_type type) const noexcept {
    return is_memory_type(type) ? settings_.pools[static_cast<std::size_t>(type)] : CADASTRE_POOL_NONE;
  }
  // What keeps memory of a type, where that is what its pool is; to be called outside, too.
  Pools& pools(cadastre_memory_type type) noexcept { return pools_[static_cast<std::size_t>(type)]; }
  cadastre_pool_info_struct pool_info(cadastre_memory_type type) const noexcept;
  // Whether a pool has an address in its segments, handed out or not.
  bool keeps(const void* address) const noexcept;
  // One bit for each device, from 0 to 63, whose queues may be at work on blocks of this context.
  std::uint64_t devices_in_use() const noexcept { return devices_.load(std::memory_order_relaxed); }
  // Waits for a queue of the context's backend. The default queue is one on each device.
  cadastre_exit_code await(cadastre_queue queue, std::uint64_t devices) noexcept;
  cadastre_queue default_queue() const noexcept { return queue_; }
  void set_default_queue(cadastre_queue queue) noexcept { queue_ = queue; }
  // What a queue that the caller names is to the context's backend.
  cadastre_queue resolved(cadastre_queue queue) const noexcept { return queue == CADASTRE_DEFAULT_QUEUE ? queue_ : queue; }
  // Calls a backend while others may be inside, and counts its time.
  template <class Call>
  cadastre_exit_code outside(Visit& visit, Call call) noexcept;
  void set_timing(bool on) noexcept { timing_ = on; }
  // Numbers the block that was allocated last, before anybody else comes in, so that no other context has its number.
  std::uint64_t renumber(const void* pointer, std::uint64_t least) noexcept {
    return registry_.renumber(pointer, least);
  }
  // The number of this context in a trace; 0 where none is written.
  std::uint64_t number() const noexcept { return number_; }
  void set_number(std::uint64_t number) noexcept { number_ = number; }
  // Around a fork, while no quick call is inside.
  void before_fork() noexcept;
  void in_parent() noexcept;
  void in_child() noexcept;
  const Registry& registry() const noexcept { return registry_; }

 private:
  bool names_own_backend(const cadastre_memory_info_struct& info) const noexcept {
    return info.backend == CADASTRE_DEFAULT_BACKEND || info.backend == backend_.number();
  }
  // Where the memory that is described comes from, and on which device it is: as named, else the context's own.
  cadastre_exit_code choose_source(const cadastre_memory_info_struct& info, Backend*& source) noexcept;
  std::int32_t device_for(const cadastre_memory_info_struct& info, Backend& source) const noexcept;
  cadastre_exit_code plan(const cadastre_memory_info_struct& info, Order order, Backend*& source,
                          Request& request) noexcept;
  cadastre_exit_code try_allocate(Visit& visit, const cadastre_memory_info_struct& info, Backend& source,
                                  const Request& request, void*& pointer) noexcept;
  cadastre_exit_code try_resize(Visit& visit, const Record& old, std::size_t size, void*& resized) noexcept;
  bool reserve_to_resize() noexcept;
  cadastre_exit_code prepare(const cadastre_memory_info_struct& info, bool borrowed, Record& record) noexcept;
  cadastre_exit_code owned(const void* pointer, Record& record) noexcept;
  // Refuses bytes that would take the place of others of the same block.
  cadastre_exit_code over_limit(cadastre_memory_type type, std::size_t asked, std::size_t instead_of) noexcept;
  cadastre_exit_code free_in_backend(const Record& record, Order order) noexcept;
  cadastre_exit_code settle_elsewhere(const Record& record) noexcept;
  // Takes the block of a piece out of the registry, before it is freed.
  Record take_out(const Piece& piece) noexcept;
  cadastre_exit_code free_unless_in_use(const Record& record, Order order, cadastre_exit_code waited) noexcept;
  cadastre_exit_code close_workspaces(cadastre_destroy_summary_struct& summary) noexcept;
  void add_workspaces(Holdings& result) const;
  void count_labels() const noexcept;
  void use_device(const Backend& source, std::int32_t device) noexcept;
  Backend& backend_of(const Record& record) noexcept { return *backend_numbered(record.backend); }
  // The pool for memory from there that was admitted, made where it is missing; null where none is wanted or can be had.
  Pool* pool_for(Backend& source, cadastre_memory_type type, std::int32_t device) noexcept;
  // The pool that a block may be of; null when there is none.
  Pool* pool_of(const Record& record) noexcept;
  bool goes_by_the_queue(const Record& record, cadastre_queue queue) noexcept;
  cadastre_exit_code make_ready_to_free(const Record& record, Order& order) noexcept;
  template <class Action>
  void for_each_pool(Action action) {
    for (const Pools& pools : pools_) pools.for_each(action);
  }
  // Asks once more where memory is short and pools could give some back, whichever memory types they are for.
  template <class Ask>
  cadastre_exit_code with_all_there_is(Ask ask) noexcept {
    const cadastre_exit_code code = ask();
    if (code == CADASTRE_SUCCESS || failed_last().reason != CADASTRE_REASON_BACKEND_OUT_OF_MEMORY) return code;
    const Failure first = failed_last();
    bool more = false;
    for_each_pool([&](Pool& pool) { more = pool.give_up_idle() || more; });
    return more ? ask() : fail(first);
  }

  Backend& backend_;
  const std::int32_t device_;
  const Settings settings_;
  const bool host_is_ours_;  // the heap gives HOST memory, not a backend of the caller's
  bool host_is_asked_ = false;
  cadastre_queue queue_ = CADASTRE_DEFAULT_QUEUE;
  std::atomic<std::uint64_t> devices_ = 0;
  Registry registry_{lose_unless_pooled};
  std::array<Pools, memory_types> pools_;
  Workspaces workspaces_;
  std::shared_ptr<Labels> labels_ = std::make_shared<Labels>();
  std::atomic<bool> timing_ = false;
  std::uint64_t number_ = 0;
};

// A new context. Fails when there is no slot left, or the backend does not let it in. Throws std::bad_alloc.
cadastre_exit_code create_context(Backend& backend, const Settings& settings, cadastre_context& created);
bool is_live(cadastre_context handle) noexcept;
cadastre_exit_code destroy_context(Visit& visit, cadastre_destroy_summary_struct* summary) noexcept;
cadastre_exit_code lock_context(Visit& visit) noexcept;
cadastre_exit_code unlock_context(Visit& visit) noexcept;

// A number that no other thread of this process has or had, unlike an address or a pthread_t; not 0.
std::uint64_t this_thread() noexcept;

// The context other than one that has a block, owned or borrowed, around that address;
// CADASTRE_NULL_CONTEXT for none. Looks into every live context, so the caller must be inside none. block:
// null, or where to copy the block's record.
cadastre_context holder_of(const void* address, cadastre_context except, Record* block = nullptr) noexcept;

// Shows every live context, whoever has locked it; for the end of the process, when others may be stuck: one that a
// thread stays inside of for a second is left out. The caller must be inside none.
using Shown = void (*)(const Context& context, cadastre_context handle) noexcept;
void for_each_context(Shown shown) noexcept;

// Whether a context lives beside that of the caller.
bool others_live() noexcept;

// Nanoseconds that the calling thread has spent in backends while timing was on.
std::int64_t backend_nanoseconds() noexcept;
void add_backend_time(std::chrono::nanoseconds spent) noexcept;

// Calls, and adds the time that it took to that of the thread.
template <class Call>
cadastre_exit_code timed(bool timing, Call call) noexcept {
  if (!timing) return call();
  const auto start = std::chrono::steady_clock::now();
  const cadastre_exit_code code = call();
  add_backend_time(std::chrono::steady_clock::now() - start);
  return code;
}

template <class Call>
cadastre_exit_code Context::outside(Visit& visit, Call call) noexcept {
  visit.step_out();
  const cadastre_exit_code code = timed(timing_, call);
  visit.step_in();
  return code;
}

}  // namespace cadastre::internal
#endif
