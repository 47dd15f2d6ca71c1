// Tangled from org/tests/device_model_book.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the model of devices knows.
#ifndef CADASTRE_TESTS_DEVICE_MODEL_BOOK_HPP
#define CADASTRE_TESTS_DEVICE_MODEL_BOOK_HPP

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cuda_double.hpp"
#include "device_model.hpp"
#include "model_accounts.hpp"

namespace device_model {

using model::Account, model::Counted, model::Refusals, model::add, model::error_of, model::judge, model::outcome, model::types;

constexpr Id settled = 0xffffffff;  // as a home: the host has waited

struct Range {
  char* begin = nullptr;
  std::size_t size = 0;
  bool meets(const Range& other) const { return begin < other.begin + other.size && other.begin < begin + size; }
  bool is_within(const Range& other) const { return begin >= other.begin && begin + size <= other.begin + other.size; }
};

struct Queue {
  Id id = default_queue;
  void* handle = nullptr;
  int device = 0;
  bool blocking = true, alive = true;
  void* last = nullptr;  // of one that was destroyed: an event behind all its work
};

struct Block {
  Id id = nothing, context = nothing;
  Range range;
  std::size_t allocated = 0;
  cadastre_memory_type type = CADASTRE_DEVICE;
  cadastre_flags flags = 0;
  bool ordered = false;
  int value = -1;  // of all its bytes; -1: unknown
  Id home = settled;

  // Bytes that the vendor has given for it alone; one that is exported by itself takes whole segments.
  std::size_t given() const {
    constexpr std::size_t segment = std::size_t{2} << 20;
    const std::size_t bytes = std::max<std::size_t>(allocated, 1);
    return (flags & (CADASTRE_EXPORTABLE | CADASTRE_SHARED_SEGMENT)) == CADASTRE_EXPORTABLE ? (bytes + segment - 1) / segment * segment
                                                                                            : bytes;
  }
};

struct Lease {
  Id id = nothing, context = nothing, queue = default_queue;
  cadastre_memory_type type = CADASTRE_DEVICE;
  cadastre_lease handle = CADASTRE_NULL_LEASE;
  unsigned thread = 0;
  std::vector<Range> buffers;
};

// What a graph has of a workspace.
struct Pin {
  Id context = nothing, queue = nothing, graph = nothing;
  cadastre_memory_type type = CADASTRE_DEVICE;
  Range range;
};

// What another process has open. Several may be of one block.
struct Opening {
  Id block = nothing;  // none once that is freed
  Range range;
  std::size_t given = 0;  // bytes, by the vendor
  int file = -1;
};

struct Graph {
  struct Node {
    Id used = nothing;
    int value = 0;
    bool pinned = false;  // a lease of this capture, which may be released before the graph runs
  };
  Id id = nothing, queue = nothing;
  unsigned thread = 0;
  void *graph = nullptr, *executable = nullptr;
  bool is_spoilt = false;  // as a capture
  bool is_lost = false;    // what it has was given back, or moved
  std::vector<Node> nodes;
};

struct Context : Counted {
  int device = 0;
  bool helps = false;  // has a callback that frees a block
  cadastre_pool pool = CADASTRE_POOL_CACHING;
  std::array<bool, types> is_loose{};  // workspaces were counted here or below
  bool lends = false;
  std::array<std::vector<Range>, types> workspaces{};  // as the library shows them
  std::array<std::size_t, types> workspaces_allocated{};

  std::size_t lent_from(std::size_t type) const {
    std::size_t sum = 0;
    for (const Range& each : workspaces[type]) sum += each.size;
    return sum;
  }
};

class Relaxed {
 public:
  Relaxed() { cuda("cudaThreadExchangeStreamCaptureMode", &mode_); }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;
  ~Relaxed() { cuda("cudaThreadExchangeStreamCaptureMode", &mode_); }

 private:
  int mode_ = 2;
};

template <class... Arguments>
void vendor(const char* routine, Arguments... arguments) {
  const int error = cuda(routine, arguments...);
  EXPECT(error == 0, "%s of the program gives %d", routine, error);
}

inline void be_on(int device) { vendor("cudaSetDevice", device); }

constexpr int capture_active = 1;
inline int capture_status(void* queue) {
  int status = 0;
  vendor("cudaStreamIsCapturing", queue, &status);
  return status;
}

struct Book {
  Context process_node;
  std::map<Id, Context> contexts;
  std::map<Id, Queue> queues;  // also those that were destroyed
  std::map<Id, Block> blocks;
  std::map<Id, Lease> leases;
  std::map<Id, Graph> graphs;
  std::vector<Pin> pins;
  std::map<Id, Opening> openings;
  std::size_t leaving = 0;  // bytes at most that nobody has open any more, and that a later call frees
  Id capturing = nothing;   // the graph whose capture is going on
  bool struck = false;      // a call of the vendor failed in this step, as it was told to
  bool may_leak = false;    // one that gives something back did, at some time
  std::array<std::size_t, types> peaks{};
  std::array<bool, types> is_over{};  // more is kept than is bounded, since nothing could go: a queue was captured, or the vendor failed
  int within_limit = -1;              // the memory type of which pools must keep no more than the process's limit leaves, after this step
  int devices = 2;
  bool planted = std::getenv("TEST_MODEL_PLANT") != nullptr;  // a mistake of the model, to see it found

  Book() {
    process_node.id = process;
    process_node.handle = CADASTRE_PROCESS;
  }
  virtual ~Book() = default;
  virtual bool make(const Step& step) = 0;

  template <class Things>
  static auto* find(Things& things, Id id) {
    const auto found = things.find(id);
    return found == things.end() ? nullptr : &found->second;
  }
  Context* counted(Id id) { return id == process ? &process_node : find(contexts, id); }
  // The queue of a step that is to be used on a device, and is there.
  const Queue* usable(Id id, int device) const {
    static thread_local Queue of_device;
    if (id == default_queue) {
      of_device.device = device;
      return &of_device;
    }
    const Queue* const q = find(queues, id);
    return q && q->alive && q->device == device ? q : nullptr;
  }
  const Queue* captured() const {
    const Graph* const g = find(graphs, capturing);
    return g ? find(queues, g->queue) : nullptr;
  }
  bool is_captured(Id queue) const {
    const Graph* const g = find(graphs, capturing);
    return g && queue != default_queue && g->queue == queue;
  }
  // The default queue is not to be used while a queue that waits for it is captured.
  bool is_barred(Id queue, int device) const {
    const Queue* const q = captured();
    return q && (is_captured(queue) || (queue == default_queue && q->blocking && q->device == device));
  }

  // Whether a queue may be made to wait for the home of a block, and that it does.
  bool can_order(Id queue, Id home, int device) const {
    return home == settled || home == queue || !(is_barred(queue, device) || is_barred(home, device));
  }
  void order(Id queue, Id home, int device) const {
    if (home == settled || home == queue) return;
    const Relaxed relaxed;
    be_on(device);
    void* const waits = usable(queue, device)->handle;
    if (const Queue* const q = find(queues, home); q && !q->alive) return vendor("cudaStreamWaitEvent", waits, q->last, 0u);
    void* event = nullptr;
    vendor("cudaEventCreateWithFlags", &event, 2u);
    vendor("cudaEventRecord", event, usable(home, device)->handle);
    vendor("cudaStreamWaitEvent", waits, event, 0u);
    vendor("cudaEventDestroy", event);
  }
  bool can_settle(Id home, int device) const { return home == settled || !is_barred(home, device); }
  void settle(Id home, int device) const {
    if (home == settled) return;
    const Relaxed relaxed;
    be_on(device);
    if (const Queue* const q = find(queues, home); q && !q->alive) return vendor("cudaEventSynchronize", q->last);
    vendor("cudaStreamSynchronize", usable(home, device)->handle);
  }

  // Of work that is not done and uses these bytes, what comes before nothing that is put on the queue now; settled: all.
  static long unordered(const Range& range, Id queue, void* handle, int device) {
    if (queue == default_queue) be_on(device);
    return cuda_double().unordered(range.begin, range.size, queue == settled ? nullptr : &handle);
  }
  void expect_ordered(const char* what, Id id, const Range& range, Id queue, int device) const {
    void* const handle = queue == settled ? nullptr : usable(queue, device)->handle;
    const long count = unordered(range, queue, handle, device);
    EXPECT(count == 0, "%s%u, %zu bytes at %p, is handed out %s while %ld pieces of earlier work may use it", what, id, range.size,
           static_cast<void*>(range.begin), queue == settled ? "for every queue" : "on its queue", count);
  }
  void expect_apart(const char* what, Id id, const Range& range) const {
    const auto apart = [&](const char* from, Id of, const Range& other) {
      EXPECT(id == of || !range.meets(other), "%s%u, %zu bytes at %p, overlaps %s%u, %zu bytes at %p", what, id, range.size,
             static_cast<void*>(range.begin), from, of, other.size, static_cast<void*>(other.begin));
    };
    for (const auto& [of, b] : blocks) apart("b", of, b.range);
    for (const auto& [of, o] : openings) {
      if (o.block == nothing) apart("o", of, o.range);
    }
    for (const auto& [of, l] : leases) {
      for (const Range& each : l.buffers) apart("l", of, each);
    }
  }
  // Before CUDA 12, and with HIP, a queue is known by its handle alone.
  bool is_same_queue(Id one, Id other) const {
    if (one == other || one == default_queue || other == default_queue || queues_have_identity()) return one == other;
    return queues.at(one).handle == queues.at(other).handle;
  }
  void expect_not_pinned(const char* what, Id id, const Range& range, const Lease* lease) const {
    for (const Pin& pin : pins) {
      const bool its_own = lease && lease->context == pin.context && lease->type == pin.type && is_same_queue(lease->queue, pin.queue);
      EXPECT(its_own || !range.meets(pin.range), "%s%u, %zu bytes at %p, has memory of a graph", what, id, range.size,
             static_cast<void*>(range.begin));
    }
  }

  // All bytes of a block; what a kernel would find.
  void expect_bytes(const Block& b, std::size_t from, std::size_t size, int value) const {
    if (value < 0 || size == 0) return;
    const auto* const found = b.type == CADASTRE_HOST ? reinterpret_cast<unsigned char*>(b.range.begin + from)
                                                      : static_cast<const unsigned char*>(cuda_double().bytes(b.range.begin + from, size));
    EXPECT(found, "b%u is not there", b.id);
    for (std::size_t i = 0; i < size; ++i) EXPECT(found[i] == value, "byte %zu of b%u is %d, and not %d", from + i, b.id, found[i], value);
  }

  struct Seen {
    std::array<std::vector<Range>, types> workspaces{};
    std::array<std::size_t, types> allocated{};
    cadastre_context context = CADASTRE_NULL_CONTEXT;
  };

  static cadastre_exit_code see(const cadastre_memory_info_struct* info, void* to) {
    if (!(info->flags & CADASTRE_WORKSPACE_MEMORY)) return CADASTRE_SUCCESS;
    Seen& seen = *static_cast<Seen*>(to);
    const auto type = static_cast<std::size_t>(info->type);
    seen.workspaces[type].push_back({static_cast<char*>(info->pointer), info->size});
    std::size_t allocated = 0;
    cadastre_get_allocated_size(seen.context, info->pointer, &allocated);
    seen.allocated[type] += allocated;
    return CADASTRE_SUCCESS;
  }

  void follow_workspaces(Context& c) {
    if (!c.lends) return;
    Seen seen;
    seen.context = c.handle;
    EXPECT(cadastre_foreach_block(c.handle, see, &seen) == CADASTRE_SUCCESS, "the blocks of c%u are not shown", c.id);
    for (std::size_t t = 0; t < types; ++t) {
      const std::size_t before = c.lent_from(t);
      const auto count = static_cast<std::int64_t>(seen.workspaces[t].size()) - static_cast<std::int64_t>(c.workspaces[t].size());
      // Its memory cannot be freed, and nobody could see that before it was taken away.
      if (const Queue* const q = captured(); q && !q->blocking && c.lent_from(t) > 0 && count < 0) may_leak = true;
      c.workspaces[t] = seen.workspaces[t];
      c.workspaces_allocated[t] = seen.allocated[t];
      for (Counted* at = &c; at; at = at->parent) {
        at->accounts[t].live_blocks += count;
        at->accounts[t].live_bytes += c.lent_from(t) - before;
        static_cast<Context*>(at)->is_loose[t] = true;
      }
    }
    for (const auto& [id, l] : leases) {
      if (l.context == c.id) expect_in_workspace(c, "l", id, l.type, l.buffers);
    }
    for (const Pin& pin : pins) {
      if (pin.context == c.id) expect_in_workspace(c, "the graph on q", pin.queue, pin.type, {pin.range});
    }
  }

  void expect_in_workspace(const Context& c, const char* what, Id id, cadastre_memory_type type, const std::vector<Range>& ranges) const {
    const auto& all = c.workspaces[static_cast<std::size_t>(type)];
    for (const Range& each : ranges) {
      const bool is_there = std::any_of(all.begin(), all.end(), [&](const Range& w) { return each.is_within(w); });
      EXPECT(is_there, "%s%u has %zu bytes at %p, which are in no workspace of c%u", what, id, each.size, static_cast<void*>(each.begin),
             c.id);
    }
  }

  // What is alive in a context and all above it, without what workspaces have, must be within all limits; with it it may be beyond.
  bool exceeds_surely(const Context& c, std::size_t t, std::size_t more) const {
    for (const Counted* at = &c; at; at = at->parent) {
      const Account& a = at->accounts[t];
      std::size_t leased = 0;
      for (const auto& [id, each] : contexts) {
        if (is_below(each, *at)) leased += each.lent_from(t);
      }
      const std::size_t held_too = at->parent || t != CADASTRE_DEVICE ? 0 : held().bytes;
      if (a.limit != CADASTRE_UNLIMITED && more > 0 && a.live_bytes - leased + held_too + more > model::allowed(a)) return true;
    }
    return false;
  }
  static bool is_below(const Counted& c, const Counted& top) {
    const Counted* at = &c;
    while (at && at != &top) at = at->parent;
    return at != nullptr;
  }

  void check_statistics(Context& c) {
    for (std::size_t t = 0; t < types; ++t) {
      const auto type = static_cast<cadastre_memory_type>(t);
      const cadastre_statistics_struct s = model::statistics_of(c.handle, type);
      EXPECT(s.allocations == s.deallocations + s.failed_deallocations + s.untracked_deallocations + s.live_blocks,
             "the statistics of c%u, %s, do not add up", c.id, cadastre_string_of_memory_type(type));
      Account expected = c.accounts[t];
      if (c.is_loose[t]) {
        expected.allocations = s.allocations, expected.deallocations = s.deallocations, expected.reallocations = s.reallocations;
        expected.failed_allocations = s.failed_allocations, expected.failed_deallocations = s.failed_deallocations;
        expected.total_bytes = s.total_bytes, expected.zeroed_bytes = s.zeroed_bytes;
      }
      const bool marks = c.parent && t != CADASTRE_HOST && !c.is_loose[t];
      model::compare("statistics of", c.id, type, s, expected, marks);
    }
  }

  static cadastre_pool_info_struct pool_of(cadastre_context context, std::size_t type) {
    cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
    EXPECT(cadastre_pool_get_info(context, static_cast<cadastre_memory_type>(type), &info) == CADASTRE_SUCCESS,
           "cadastre_pool_get_info fails");
    return info;
  }

  static bool is_pooled(const Context& c, std::size_t type, cadastre_flags flags = 0) {
    return !(flags & CADASTRE_EXPORTABLE) &&
           (c.pool == CADASTRE_POOL_CACHING ? type != CADASTRE_HOST : c.pool == CADASTRE_POOL_VENDOR && type == CADASTRE_DEVICE);
  }

  // Blocks that are freed, and that another process has open: their bytes, and what the vendor has given for them.
  struct Held {
    std::size_t bytes = 0, given = 0;
  };
  Held held() const {
    std::map<char*, const Opening*> blocks_held;
    for (const auto& [id, o] : openings) {
      if (o.block == nothing) blocks_held[o.range.begin] = &o;
    }
    Held sum;
    for (const auto& [begin, o] : blocks_held) sum.bytes += o->range.size, sum.given += o->given;
    return sum;
  }

  // Where nothing is live beside what contexts have: pools, and what the vendor has given.
  void check_pools() {
    std::size_t given = 0;
    for (std::size_t t = CADASTRE_HOST + 1; t < types; ++t) {
      std::size_t used = 0;
      for (const auto& [id, b] : blocks) {
        if (static_cast<std::size_t>(b.type) != t) continue;
        if (is_pooled(contexts.at(b.context), t, b.flags)) used += b.allocated;
        else given += b.given();
      }
      for (const auto& [id, c] : contexts) (is_pooled(c, t) ? used : given) += is_pooled(c, t) ? c.workspaces_allocated[t] : c.lent_from(t);
      const cadastre_pool_info_struct info = pool_of(CADASTRE_PROCESS, t);
      const char* const type = cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(t));
      EXPECT(info.used_bytes == used || (may_leak && info.used_bytes > used), "pools of %s have %zu bytes in use, and blocks take %zu",
             type, info.used_bytes, used);
      EXPECT(info.reserved_bytes == info.used_bytes + info.releasable_bytes, "the figures of the pools of %s do not add up", type);
      peaks[t] = std::max(peaks[t], info.used_bytes);
      is_over[t] = info.reserved_bytes > peaks[t] && (is_over[t] || struck || capturing != nothing);
      EXPECT(struck || may_leak || is_over[t] || info.reserved_bytes <= peaks[t],
             "pools of %s have %zu bytes, of which %zu are in use; at most %zu were", type, info.reserved_bytes, used, peaks[t]);
      const Account& all = process_node.accounts[t];
      if (all.limit != CADASTRE_UNLIMITED && static_cast<int>(t) == within_limit && capturing == nothing && !may_leak && !struck) {
        const std::size_t room = model::allowed(all) - std::min(model::allowed(all), all.live_bytes);
        EXPECT(info.releasable_bytes <= room, "pools of %s keep %zu bytes, and the limit of the process leaves %zu", type,
               info.releasable_bytes, room);
      }
      given += info.reserved_bytes;
    }
    const cuda_double_census census = cuda_double().census();
    given += held().given;
    EXPECT(may_leak || (census.bytes >= given && census.bytes <= given + leaving),
           "the vendor has given %zu bytes, and %zu are alive or kept; %zu may be freed", census.bytes, given, leaving);
    if (!may_leak) leaving = census.bytes - given;
  }
};

}  // namespace device_model

#endif
