// Tangled from org/tests/model_threads.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <unordered_map>
#include <vector>

#include "model_book.hpp"

namespace model {
namespace {

struct Slot {
  Block b;
  Id context = no_context;
  bool live = false;
  std::atomic<std::uint32_t> done = 0;  // steps that used it
};

struct Crowd {
  const std::vector<Step>& steps;
  std::vector<Slot> slots;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> turns;
  std::vector<std::array<Account, types>> sums;  // by context; those of threads are added after they joined
  std::vector<cadastre_context> handles;
  std::vector<bool> has_children;
  std::vector<unsigned> owners;  // the thread that a context belongs to; 0 for all

  explicit Crowd(const std::vector<Step>& given) : steps(given) {
    Id last = 0;
    for (const Step& s : steps) {
      if (s.op == Op::create || s.op == Op::allocate) last = std::max(last, s.id);
    }
    slots = std::vector<Slot>(last + 1);
    handles.resize(last + 1);
    sums.resize(last + 1);
    has_children.resize(last + 1);
    owners.resize(last + 1);
    std::vector<std::uint32_t> next(last + 1);
    for (const Step& s : steps) {
      const bool copies = s.op == Op::copy && s.way == 0 && s.other != s.id;
      turns.emplace_back(known(s.id) ? next[s.id]++ : 0, copies && known(s.other) ? next[s.other]++ : 0);
      if (s.op == Op::create && known(s.other)) has_children[s.other] = true;
      if (s.op == Op::create) owners[s.id] = s.thread;
    }
  }

  bool known(Id id) const { return id > 0 && id < slots.size(); }
};

// Steps on one block are made in the order of the list, whichever threads make them: each waits for the one before, which cannot wait
// for it. All others are in no order.
struct Worker {
  Crowd& crowd;
  unsigned number;
  std::unordered_map<Id, std::array<Account, types>> sums{};
  std::vector<Id> mine{};  // blocks in contexts that belong to this thread

  Account& sum(Id context, cadastre_memory_type type) { return sums[context][static_cast<std::size_t>(type)]; }

  void wait(Id id, std::uint32_t turn) {
    while (crowd.slots[id].done.load(std::memory_order_acquire) != turn) std::this_thread::yield();
  }

  void run() {
    for (std::size_t i = 0; i < crowd.steps.size(); ++i) {
      const Step& s = crowd.steps[i];
      if (s.thread != number) continue;
      const bool copies = s.op == Op::copy && s.way == 0 && s.other != s.id && crowd.known(s.other);
      if (crowd.known(s.id)) wait(s.id, crowd.turns[i].first);
      if (copies) wait(s.other, crowd.turns[i].second);
      if (number == 0) outcome->reached = i;
      make(s);
      if (crowd.known(s.id)) crowd.slots[s.id].done.fetch_add(1, std::memory_order_release);
      if (copies) crowd.slots[s.other].done.fetch_add(1, std::memory_order_release);
    }
  }

  void create(const Step& s) {
    const cadastre_context parent = s.other == no_context  ? CADASTRE_PROCESS
                                    : crowd.known(s.other) ? crowd.handles[s.other]
                                                           : CADASTRE_NULL_CONTEXT;
    if (parent == CADASTRE_NULL_CONTEXT) return;
    const cadastre_context_options_struct options = options_of(s, parent);
    crowd.handles[s.id] = cadastre_context_create_with_options(&options);
    EXPECT(crowd.handles[s.id] != CADASTRE_NULL_CONTEXT, "c%u is not created: %s", s.id, error_of(CADASTRE_NULL_CONTEXT).message);
  }

  // A context of this thread alone; its blocks too.
  void empty(const Step& s, cadastre_context context) {
    std::int64_t blocks = 0;
    std::size_t bytes = 0;
    for (const Id id : mine) {
      Slot& slot = crowd.slots[id];
      if (!slot.live || slot.context != s.context) continue;
      verify(context, slot.b);
      ++blocks, bytes += slot.b.size;
      Account& a = sum(s.context, slot.b.type);
      ++a.deallocations, --a.live_blocks, a.live_bytes -= slot.b.size;
      slot.live = false;
    }
    std::erase_if(mine, [&](Id id) { return !crowd.slots[id].live; });
    if (s.op == Op::free_all) {
      const cadastre_exit_code code = cadastre_free_all(context);
      return EXPECT(code == CADASTRE_SUCCESS, "cadastre_free_all gives %d", code);
    }
    cadastre_destroy_summary_struct told = cadastre_destroy_summary_struct_zero;
    const cadastre_exit_code code = cadastre_context_destroy_with_summary(context, &told);
    EXPECT(code == CADASTRE_SUCCESS && told.live_blocks == blocks && told.live_bytes == bytes,
           "c%u: destroying gives %d, %lld blocks and %zu bytes; expected %lld and %zu", s.context, code,
           static_cast<long long>(told.live_blocks), told.live_bytes, static_cast<long long>(blocks), bytes);
    crowd.handles[s.context] = CADASTRE_NULL_CONTEXT;
  }

  void allocate(const Step& s, cadastre_context context) {
    const cadastre_memory_info_struct info = request_of(s);
    void* const pointer = cadastre_malloc(context, info);
    if (!pointer) {
      const cadastre_error_struct error = error_of(context);
      const bool misaligned = error.reason == CADASTRE_REASON_MISALIGNED_ALLOCATION && malloc_misaligns();
      EXPECT(misaligned || error.exit_code == CADASTRE_LIMIT_EXCEEDED, "cadastre_malloc of %zu bytes fails: %s", info.size, error.message);
      ++sum(s.context, s.type).failed_allocations;
      return;
    }
    cadastre_memory_info_struct described = cadastre_memory_info_struct_zero;
    EXPECT(cadastre_get_malloc_info(context, pointer, &described) == CADASTRE_SUCCESS, "b%u cannot be described", s.id);
    Slot& slot = crowd.slots[s.id];
    Block& b = slot.b;
    b = {.id = s.id,
         .pointer = static_cast<char*>(pointer),
         .size = s.size,
         .alignment = std::max<std::size_t>(1, s.alignment),
         .stride = s.offset,
         .type = s.type,
         .flags = s.flags,
         .backend = described.backend,
         .device = described.device_id,
         .label = s.label != no_label ? labels.of(s.label).second : nullptr};
    slot.context = s.context;
    slot.live = true;
    if (crowd.owners[s.context] != 0) mine.push_back(s.id);
    expect_same("cadastre_malloc", described, b);
    Account& a = sum(s.context, b.type);
    ++a.allocations, ++a.live_blocks;
    a.live_bytes += b.size, a.total_bytes += b.size;
    if (!(b.flags & CADASTRE_UNINITIALIZED)) {
      a.zeroed_bytes += b.size;
      verify_zero(context, b, 0);
    }
    paint(context, b);
  }

  void resize(const Step& s, cadastre_context context, Slot& slot) {
    Block& b = slot.b;
    verify(context, b);
    char* const pointer = static_cast<char*>(cadastre_realloc(context, b.pointer, s.size));
    Account& a = sum(slot.context, b.type);
    if (!pointer) {
      const cadastre_error_struct error = error_of(context);
      const bool misaligned = error.reason == CADASTRE_REASON_MISALIGNED_ALLOCATION && malloc_misaligns();
      EXPECT(misaligned || (error.exit_code == CADASTRE_LIMIT_EXCEEDED && s.size > b.size), "cadastre_realloc of b%u fails: %s", b.id,
             error.message);
      ++a.failed_allocations;
      return;
    }
    const std::size_t had = b.size, more = s.size > had ? s.size - had : 0;
    b.pointer = pointer;
    b.size = s.size;
    ++a.reallocations;
    a.live_bytes += s.size - had;
    a.total_bytes += more;
    if (!(b.flags & CADASTRE_UNINITIALIZED)) a.zeroed_bytes += more;
    verify(context, b, had, std::min(had, b.size));
    if (!(b.flags & CADASTRE_UNINITIALIZED) && more > 0) verify_zero(context, b, had);
    paint(context, b);
  }

  void free(const Step& s, cadastre_context context, Slot& slot) {
    const Block b = slot.b;
    if (s.offset > 0 && s.offset < b.size) {
      EXPECT(cadastre_free(context, b.pointer + s.offset) == CADASTRE_INVALID_ARG_2 &&
                 error_of(context).reason == CADASTRE_REASON_INSIDE_BLOCK,
             "an address inside b%u is freed, or refused as something else: %s", b.id, error_of(context).message);
      return;
    }
    verify(context, b);
    slot.live = false;
    Account& a = sum(slot.context, b.type);
    ++a.deallocations, --a.live_blocks, a.live_bytes -= b.size;
    const cadastre_exit_code code = cadastre_free(context, b.pointer);
    EXPECT(code == CADASTRE_SUCCESS, "freeing b%u gives %d: %s", b.id, code, error_of(context).message);
  }

  // Who holds the lock is alone: of a context without children nothing changes but by this thread.
  void hold(const Step& s, cadastre_context context) {
    EXPECT(cadastre_lock(context) == CADASTRE_SUCCESS, "c%u is not locked", s.context);
    const cadastre_statistics_struct before = statistics_of(context, CADASTRE_HOST);
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 100;
    void* const pointer = cadastre_malloc(context, info);
    std::this_thread::yield();
    const cadastre_statistics_struct after = statistics_of(context, CADASTRE_HOST);
    const int made = pointer != nullptr;
    EXPECT(crowd.has_children[s.context] ||
               (after.allocations == before.allocations + made && after.deallocations == before.deallocations &&
                after.live_bytes == before.live_bytes + (made ? 100u : 0u) && after.reallocations == before.reallocations),
           "c%u changes while this thread holds its lock", s.context);
    if (made) EXPECT(cadastre_free(context, pointer) == CADASTRE_SUCCESS, "a block is not freed under the lock");
    EXPECT(cadastre_unlock(context) == CADASTRE_SUCCESS, "c%u is not unlocked", s.context);
    Account& a = sum(s.context, CADASTRE_HOST);
    a.allocations += made, a.deallocations += made, a.failed_allocations += !made;
    if (made) a.total_bytes += 100, a.zeroed_bytes += 100;
  }

  void make(const Step& s) {
    if (s.op == Op::create) return create(s);
    const cadastre_context context = crowd.known(s.context) ? crowd.handles[s.context] : CADASTRE_NULL_CONTEXT;
    if (context == CADASTRE_NULL_CONTEXT) return;
    Slot* const slot = crowd.known(s.id) && crowd.slots[s.id].live && crowd.slots[s.id].context == s.context ? &crowd.slots[s.id] : nullptr;
    switch (s.op) {
      case Op::allocate: return allocate(s, context);
      case Op::destroy:
      case Op::free_all: return empty(s, context);
      case Op::lock: return hold(s, context);
      case Op::limit:
        EXPECT(cadastre_set_limit(context, s.type, s.size) == CADASTRE_SUCCESS, "the limit of c%u is not set", s.context);
        return;
      case Op::reset:
        EXPECT(cadastre_reset_high_water_mark(context, s.type) == CADASTRE_SUCCESS, "the marks of c%u are not reset", s.context);
        return;
      case Op::statistics: {
        const cadastre_statistics_struct t = statistics_of(context, s.type);
        EXPECT(
            t.allocations == t.deallocations + t.live_blocks && t.live_bytes <= t.total_bytes && (t.live_blocks > 0 || t.live_bytes == 0),
            "the statistics of c%u do not add up", s.context);
        return;
      }
      case Op::each: {
        const cadastre_exit_code code = cadastre_foreach_block(
            context,
            [](const cadastre_memory_info_struct* info, void*) -> cadastre_exit_code {
              return info->pointer && info->type >= 0 && info->type < 4 ? CADASTRE_SUCCESS : CADASTRE_FAILURE;
            },
            nullptr);
        return EXPECT(code == CADASTRE_SUCCESS, "cadastre_foreach_block gives %d", code);
      }
      case Op::report: {
        std::FILE* const file = std::fopen("/dev/null", "w");
        const cadastre_exit_code code = cadastre_report(context, file, s.way % 2);
        std::fclose(file);
        return EXPECT(code == CADASTRE_SUCCESS, "cadastre_report gives %d", code);
      }
      default: break;
    }
    if (!slot) return;
    Block& b = slot->b;
    cadastre_memory_info_struct described = cadastre_memory_info_struct_zero;
    std::size_t offset = 0;
    switch (s.op) {
      case Op::resize: return resize(s, context, *slot);
      case Op::free: return free(s, context, *slot);
      case Op::info:
        EXPECT(cadastre_get_malloc_info(context, b.pointer, &described) == CADASTRE_SUCCESS, "b%u cannot be described", b.id);
        return expect_same("cadastre_get_malloc_info", described, b);
      case Op::find:
        if (s.offset > 0 && s.offset >= b.size) return;
        EXPECT(cadastre_find_block(context, b.pointer + s.offset, &described, &offset) == CADASTRE_SUCCESS && offset == s.offset,
               "b%u is not found at %zu", b.id, static_cast<std::size_t>(s.offset));
        return expect_same("cadastre_find_block", described, b);
      case Op::copy: {
        Slot* const from = s.way == 0 && crowd.known(s.other) && crowd.slots[s.other].live && crowd.slots[s.other].context == s.context
                               ? &crowd.slots[s.other]
                               : nullptr;
        if (!from || from == slot) return verify(context, b);
        const std::size_t size = std::min({b.size, from->b.size, std::size_t{s.size}});
        const cadastre_exit_code code = cadastre_memcpy(context, b.pointer, from->b.pointer, size);
        EXPECT(code == CADASTRE_SUCCESS, "a copy gives %d", code);
        Block copied = from->b;
        copied.pointer = b.pointer;
        copied.type = b.type;
        verify(context, copied, copied.size, size);
        return paint(context, b);
      }
      case Op::set:
        if (s.offset + s.size > b.size) {
          if (s.offset < b.size)
            EXPECT(cadastre_memset(context, b.pointer + s.offset, s.way, s.size) == CADASTRE_OUT_OF_BOUNDS, "b%u is set beyond its end",
                   b.id);
          return verify(context, b);
        }
        EXPECT(cadastre_memset(context, b.pointer + s.offset, s.way, s.size) == CADASTRE_SUCCESS, "b%u is not set", b.id);
        return paint(context, b);
      default: return verify(context, b);
    }
  }
};

}  // namespace

void run_threads(const std::vector<Step>& steps, unsigned count) {
  if (twin.number == CADASTRE_INVALID_BACKEND) register_twin();
  Crowd crowd(steps);
  std::vector<Worker> workers;
  for (unsigned i = 0; i <= count; ++i) workers.push_back({crowd, i});
  workers[0].run();
  std::vector<std::thread> threads;
  for (unsigned i = 1; i <= count; ++i) threads.emplace_back([&workers, i] { workers[i].run(); });
  for (std::thread& thread : threads) thread.join();
  for (const Worker& worker : workers) {
    for (const auto& [context, accounts] : worker.sums) {
      for (std::size_t t = 0; t < types; ++t) {
        const Account& a = accounts[t];
        Account& sum = crowd.sums[context][t];
        sum.allocations += a.allocations, sum.deallocations += a.deallocations, sum.reallocations += a.reallocations;
        sum.failed_allocations += a.failed_allocations, sum.live_blocks += a.live_blocks, sum.live_bytes += a.live_bytes;
        sum.total_bytes += a.total_bytes, sum.zeroed_bytes += a.zeroed_bytes;
      }
    }
  }
  // Children come after their parents in the list.
  for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
    if (s->op != Op::create) continue;
    const cadastre_context context = crowd.handles[s->id];
    for (std::size_t t = 0; t < types; ++t) {
      Account& a = crowd.sums[s->id][t];
      if (crowd.known(s->other)) {
        Account& sum = crowd.sums[s->other][t];
        sum.allocations += a.allocations, sum.deallocations += a.deallocations, sum.reallocations += a.reallocations;
        sum.failed_allocations += a.failed_allocations, sum.live_blocks += a.live_blocks, sum.live_bytes += a.live_bytes;
        sum.total_bytes += a.total_bytes, sum.zeroed_bytes += a.zeroed_bytes;
      }
      if (context == CADASTRE_NULL_CONTEXT) continue;
      const cadastre_statistics_struct is = statistics_of(context, static_cast<cadastre_memory_type>(t));
      a.limit = is.limit;
      compare("after the threads: statistics of", s->id, static_cast<cadastre_memory_type>(t), is, a, false);
    }
  }
  for (const Slot& slot : crowd.slots) {
    if (slot.live) verify(crowd.handles[slot.context], slot.b);
  }
  std::map<Id, Figures> labels;
  for (const Slot& slot : crowd.slots) {
    if (slot.live) count_label(labels[slot.context], slot.b);
  }
  for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
    if (s->op != Op::create) continue;
    if (crowd.handles[s->id] != CADASTRE_NULL_CONTEXT)
      compare_labels("after the threads: c" + std::to_string(s->id), crowd.handles[s->id], labels[s->id]);
    if (!crowd.known(s->other)) continue;
    for (const auto& [key, figures] : labels[s->id]) {
      auto& [blocks, bytes] = labels[s->other][key];
      blocks += figures.first;
      bytes += figures.second;
    }
  }
  for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
    if (s->op != Op::create || crowd.handles[s->id] == CADASTRE_NULL_CONTEXT) continue;
    const cadastre_exit_code code = cadastre_context_destroy(crowd.handles[s->id]);
    EXPECT(code == CADASTRE_SUCCESS, "destroying c%u gives %d: %s", s->id, code, error_of(crowd.handles[s->id]).message);
  }
  EXPECT(twin.given.empty(), "%zu blocks were not given back to the backend", twin.given.size());
}

}  // namespace model
