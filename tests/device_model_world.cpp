// Tangled from org/tests/device_model_world.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "device_model_work.hpp"

namespace device_model {
namespace {

class SecondThread {
 public:
  ~SecondThread() {
    run(nullptr);
    if (thread_.joinable()) thread_.join();
  }
  void run(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) {
      if (!work) return;
      thread_ = std::thread([this] { serve(); });
    }
    work_ = std::move(work);
    has_work_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !has_work_; });
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return has_work_; });
      const bool ends = !work_;
      if (!ends) work_();
      has_work_ = false;
      changed_.notify_all();
      if (ends) return;
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  bool has_work_ = false;
  std::thread thread_;
};

struct Steps final : Work {
  SecondThread second{};

  bool create(const Step& s) {
    Context* const above = s.other == nothing ? &process_node : counted(s.other);
    if (!above || contexts.size() > 5) return false;
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = spoken().backend;
    options.device = CADASTRE_DEVICE_BY_ID(s.device % devices);
    options.pool = s.way % 4 < 2 ? CADASTRE_POOL_CACHING : s.way % 4 == 2 ? CADASTRE_POOL_NONE : CADASTRE_POOL_VENDOR;
    options.parent = above->handle;
    const cadastre_context made = cadastre_context_create_with_options(&options);
    EXPECT(made != CADASTRE_NULL_CONTEXT, "c%u is not created: %s", s.id, error_of(CADASTRE_NULL_CONTEXT).message);
    Context& c = contexts[s.id];
    c.id = s.id;
    c.handle = made;
    c.parent = above;
    c.device = s.device % devices;
    c.pool = options.pool;
    ++above->children;
    return true;
  }

  bool destroy(const Step& s) {
    Context* const c = find(contexts, s.context);
    if (!c) return false;
    const int children = c->children;
    const cadastre_exit_code code = attempt(
        s, [&] { return s.way == 2 ? cadastre_context_destroy_with_children(c->handle, nullptr) : cadastre_context_destroy(c->handle); });
    Refusals must, may;
    if (s.way != 2 && children > 0) add(must, CADASTRE_FAILURE, {CADASTRE_REASON_HAS_CHILDREN});
    may_be_captured(may);
    expect(s.way == 2 ? "cadastre_context_destroy_with_children" : "cadastre_context_destroy", *c, code, must, may);
    if (struck) may_leak = true;
    bool any = true;
    while (any) {
      any = false;
      for (auto& [id, each] : contexts) {
        if (each.children > 0 || cadastre_context_check(each.handle) != CADASTRE_NULL_CONTEXT) continue;
        forget(each);
        any = true;
        break;
      }
    }
    EXPECT((find(contexts, s.context) == nullptr) == (code == CADASTRE_SUCCESS || code == CADASTRE_DEALLOCATION_FAILED),
           "c%u is destroyed, or not, though the call gives %d", s.context, code);
    return true;
  }

  void forget(Context& c) {
    lose_pins(c.id, -1);
    std::erase_if(leases, [&](const auto& one) { return one.second.context == c.id; });
    std::erase_if(blocks, [&](const auto& one) {
      const Block& b = one.second;
      if (b.context != c.id) return false;
      leave_open(b);
      model::count_free(c, b.type, b.range.size, false);
      return true;
    });
    for (Counted* at = c.parent; at; at = at->parent) {
      for (std::size_t t = 0; t < types; ++t) {
        at->accounts[t].live_blocks -= static_cast<std::int64_t>(c.workspaces[t].size());
        at->accounts[t].live_bytes -= c.lent_from(t);
        static_cast<Context*>(at)->is_loose[t] |= c.is_loose[t] || may_leak;
      }
    }
    --c.parent->children;
    contexts.erase(c.id);
  }

  // Whether what is allocated in the order of a queue is ordered by it.
  static bool is_ordered(const Context& c, std::size_t t, cadastre_flags flags) {
    return !(flags & CADASTRE_EXPORTABLE) && (t == CADASTRE_DEVICE || is_pooled(c, t));
  }

  bool allocate(const Step& s) {
    Context* const c = find(contexts, s.context);
    if (!c || blocks.size() > 120) return false;
    const Queue* const q = usable(s.queue, c->device);
    if (!q || (s.flags & CADASTRE_EXPORTABLE && s.type != CADASTRE_DEVICE)) return false;
    const auto t = static_cast<std::size_t>(s.type);
    const bool in_order = s.way == 1 && is_ordered(*c, t, s.flags);
    Refusals must, may;
    if (exceeds_surely(*c, t, s.size)) add(is_helped(*c) ? may : must, CADASTRE_LIMIT_EXCEEDED, {CADASTRE_REASON_LIMIT_EXCEEDED});
    if (in_order && is_captured(s.queue)) add(must, CADASTRE_CAPTURE_ACTIVE, {CADASTRE_REASON_CAPTURE_ACTIVE});
    if (in_order && is_barred(s.queue, c->device)) may_be_captured(may);
    may_be_short(may, *c, t, s.size);
    cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
    request.size = s.size;
    request.type = s.type;
    request.alignment = s.alignment;
    request.flags = s.flags;
    be_on(c->device);
    may_use(*c, t, s.size + s.size / 2 + 256);
    const std::int64_t misses = pool_of(c->handle, t).misses;
    void* const pointer =
        attempt(s, [&] { return s.way == 0 ? cadastre_malloc(c->handle, request) : cadastre_malloc_async(c->handle, request, q->handle); });
    const cadastre_exit_code code = model::code_of(c->handle, pointer);
    expect(s.way == 0 ? "cadastre_malloc" : "cadastre_malloc_async", *c, code, must, may);
    if (code != CADASTRE_SUCCESS) {
      model::count_failure(*c, s.type);
      expect_nothing_kept(code);
      return true;
    }
    if (pool_of(c->handle, t).misses > misses) within_limit = s.type;
    Block b;
    b.id = s.id;
    b.context = c->id;
    b.range = {static_cast<char*>(pointer), s.size};
    b.type = s.type;
    b.flags = s.flags;
    take_in(*c, b, in_order ? s.queue : settled);
    model::count_allocation(*c, b.type, s.size, b.flags);
    return true;
  }

  // What is known of a block that was just handed out. home: its queue, if it is there in the order of one.
  void take_in(const Context& c, Block b, Id home) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    EXPECT(cadastre_get_malloc_info(c.handle, b.range.begin, &info) == CADASTRE_SUCCESS, "b%u cannot be described", b.id);
    EXPECT(info.size == b.range.size && info.type == b.type, "b%u is described as another", b.id);
    EXPECT(cadastre_get_allocated_size(c.handle, b.range.begin, &b.allocated) == CADASTRE_SUCCESS && b.allocated >= b.range.size,
           "b%u has no allocated size", b.id);
    b.ordered = (info.flags & CADASTRE_STREAM_ORDERED) != 0;
    EXPECT(c.pool == CADASTRE_POOL_NONE || b.ordered == (home != settled), "b%u is ordered by its queue, or not, against the header", b.id);
    expect_apart("b", b.id, b.range);
    expect_not_pinned("b", b.id, b.range, nullptr);
    b.home = b.ordered ? home : settled;
    b.value = b.flags & CADASTRE_UNINITIALIZED ? -1 : 0;
    if (b.type != CADASTRE_HOST) expect_ordered("b", b.id, b.range, b.home, c.device);
    if (b.home == settled) expect_bytes(b, 0, b.range.size, b.value);
    blocks[b.id] = b;
  }

  bool free(const Step& s) {
    Block* const b = find(blocks, s.id);
    if (!b) return false;
    Context& c = contexts.at(b->context);
    const Queue* const q = usable(s.queue, c.device);
    if (s.way == 1 && (!q || !can_order(s.queue, b->home, c.device))) return false;
    Refusals must, may;
    const bool in_lane = s.way == 1 && is_pooled(c, static_cast<std::size_t>(b->type), b->flags);
    if (s.way == 1 && is_captured(s.queue) && b->type != CADASTRE_HOST)
      add(must, CADASTRE_CAPTURE_ACTIVE, {CADASTRE_REASON_CAPTURE_ACTIVE});
    if (!in_lane) may_be_captured(may);
    if (s.way == 1) order(s.queue, b->home, c.device);
    if (s.way == 1 && b->home != settled) b->home = s.queue;
    be_on(c.device);
    const cadastre_exit_code code = attempt(
        s, [&] { return s.way == 0 ? cadastre_free(c.handle, b->range.begin) : cadastre_free_async(c.handle, b->range.begin, q->handle); });
    expect(s.way == 0 ? "cadastre_free" : "cadastre_free_async", c, code, must, may);
    if (code != CADASTRE_SUCCESS && code != CADASTRE_DEALLOCATION_FAILED) return true;
    if (struck && code != CADASTRE_SUCCESS) may_leak = true;
    if (s.way == 0 && !struck && b->type != CADASTRE_HOST) expect_ordered("after its free, b", b->id, b->range, settled, c.device);
    if (s.way == 0 && code == CADASTRE_SUCCESS) within_limit = b->type;
    leave_open(*b);
    model::count_free(c, b->type, b->range.size, code != CADASTRE_SUCCESS || (planted && b->range.size > 5000));
    blocks.erase(s.id);
    return true;
  }

  bool resize(const Step& s) {
    Block* const b = find(blocks, s.id);
    if (!b) return false;
    Context& c = contexts.at(b->context);
    const auto t = static_cast<std::size_t>(b->type);
    const std::size_t had = b->range.size, more = s.size > had ? s.size - had : 0, least = std::min<std::size_t>(had, s.size);
    Refusals must, may;
    if (exceeds_surely(c, t, more)) add(is_helped(c) ? may : must, CADASTRE_LIMIT_EXCEEDED, {CADASTRE_REASON_LIMIT_EXCEEDED});
    may_be_captured(may);
    may_be_short(may, c, t, more);
    be_on(c.device);
    may_use(c, t, s.size + s.size / 2 + 256);
    resized = s.id;
    void* const pointer = attempt(s, [&] { return cadastre_realloc(c.handle, b->range.begin, s.size); });
    resized = nothing;
    const cadastre_exit_code code = model::code_of(c.handle, pointer);
    expect("cadastre_realloc", c, code, must, may);
    if (struck) may_leak = true;
    if (code != CADASTRE_SUCCESS) {
      model::count_failure(c, b->type);
      return true;
    }
    for (auto& [id, g] : graphs) {
      g.is_lost = g.is_lost || std::any_of(g.nodes.begin(), g.nodes.end(), [&](const Graph::Node& node) { return node.used == s.id; });
    }
    if (pointer != b->range.begin) leave_open(*b);
    Block now = *b;
    blocks.erase(s.id);
    now.range = {static_cast<char*>(pointer), s.size};
    const bool zeroed = !(now.flags & CADASTRE_UNINITIALIZED);
    const int value = now.value;
    now.flags |= CADASTRE_UNINITIALIZED;
    take_in(c, now, settled);
    now = blocks.at(now.id);
    if (zeroed) now.flags &= ~CADASTRE_UNINITIALIZED;
    expect_bytes(now, 0, least, value);
    if (zeroed) expect_bytes(now, least, s.size - least, 0);
    now.value = s.size <= had || (zeroed && value == 0) ? value : -1;
    blocks[now.id] = now;
    model::count_resize(c, now.type, had, s.size, now.flags);
    return true;
  }

  bool trim(const Step& s) {
    Context* const c = counted(s.context);
    if (!c) return false;
    const cadastre_exit_code code = attempt(s, [&] { return cadastre_pool_trim(c->handle, s.type, s.size); });
    Refusals may;
    may_be_captured(may);
    expect("cadastre_pool_trim", *c, code, {}, may);
    if (struck && code != CADASTRE_SUCCESS) may_leak = true;
    if (struck || may_leak || capturing != nothing) return true;
    const cadastre_pool_info_struct info = pool_of(c->handle, s.type);
    if (s.type != CADASTRE_HOST) leaving = 0;
    EXPECT(info.releasable_bytes == 0 || info.reserved_bytes <= s.size, "after a trim to %zu bytes %zu are reserved, of which %zu are kept",
           static_cast<std::size_t>(s.size), info.reserved_bytes, info.releasable_bytes);
    return true;
  }

  bool limit(const Step& s) {
    Context* const c = counted(s.context);
    if (!c || s.size == 0) return false;
    const cadastre_exit_code code = attempt(s, [&] { return cadastre_set_limit(c->handle, s.type, s.size); });
    expect("cadastre_set_limit", *c, code, {}, {});
    c->accounts[s.type].limit = s.size;
    if (s.context == process) within_limit = s.type;
    return true;
  }

  // All that the program has, and then the device.
  bool reset(const Step& s) {
    if (capturing != nothing) return false;
    if (!may_leak) check_pools();
    end_all();
    while (!openings.empty()) close_opening({.id = openings.begin()->first});
    const int device = s.device % devices;
    const Relaxed relaxed;
    be_on(device);
    for (auto& [id, q] : queues) {
      if (q.device == device && q.last) vendor("cudaEventDestroy", std::exchange(q.last, nullptr));
    }
    std::erase_if(queues, [&](const auto& one) { return one.second.device == device; });
    vendor("cudaDeviceReset");
    return true;
  }

  void end_all() {
    while (!contexts.empty()) {
      Step s;
      s.op = Op::destroy;
      s.context = contexts.begin()->first;
      s.way = 2;
      EXPECT(destroy(s), "a context cannot be destroyed");
    }
    while (!graphs.empty()) end_graph({.id = graphs.begin()->first});
    for (const auto& [id, q] : queues) {
      if (q.alive) end_queue({.queue = id});
    }
  }

  bool send(const Step& s) {
    Block* const b = find(blocks, s.other);
    if (!b) return false;
    Context& c = contexts.at(b->context);
    cadastre_ipc_handle_struct handle;
    be_on(c.device);
    const cadastre_exit_code code = attempt(s, [&] { return cadastre_ipc_export(c.handle, b->range.begin, &handle); });
    Refusals must, may;
    if (!(b->flags & CADASTRE_EXPORTABLE)) add(must, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_NOT_EXPORTABLE});
    expect("cadastre_ipc_export", c, code, must, may);
    if (code == CADASTRE_SUCCESS && s.way % 2 == 0 && openings.size() < 6)
      openings[s.id] = {s.other, b->range, b->given(), open_elsewhere(handle)};
    return true;
  }

  static int open_elsewhere(const cadastre_ipc_handle_struct& handle) {
    std::int32_t numbers[2];  // of the file, and of the place
    std::memcpy(numbers, handle.bytes + 48, sizeof numbers);
    char name[64];
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", numbers[0]);
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    struct flock lock{};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 4096 + 8 * numbers[1];
    lock.l_len = 8;
    EXPECT(file >= 0 && fcntl(file, F_OFD_SETLK, &lock) == 0, "the file of exports cannot be opened as an importer does");
    return file;
  }

  // Another process keeps what it has open of a block that goes.
  void leave_open(const Block& b) {
    for (auto& [id, o] : openings) {
      if (o.block == b.id) o.block = nothing;
    }
  }

  bool close_opening(const Step& s) {
    const Opening* const o = find(openings, s.id);
    if (!o) return false;
    const std::size_t before = held().given;
    close(o->file);
    openings.erase(s.id);
    leaving += before - held().given;
    return true;
  }

  Id resized = nothing;  // which a step under way has

  bool is_helped(const Context& c) const {
    for (const Counted* at = &c; at; at = at->parent) {
      if (static_cast<const Context*>(at)->helps) return true;
    }
    return false;
  }

  bool set_callback(const Step& s) {
    Context* const c = counted(s.context);
    if (!c) return false;
    const bool none = s.way % 3 == 0;
    const cadastre_exit_code code = cadastre_set_out_of_memory_function(c->handle, none ? nullptr : call_back, none ? nullptr : this);
    EXPECT(code == CADASTRE_SUCCESS, "a callback of c%u is not set", s.context);
    c->helps = !none;
    return true;
  }

  static int call_back(const cadastre_out_of_memory_struct* request, void* world) { return static_cast<Steps*>(world)->free_one(*request); }

  int free_one(const cadastre_out_of_memory_struct& request) {
    EXPECT(request.retries < 200, "a request is tried again for ever");
    const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const auto& one) {
      return one.first != resized && one.second.type == request.type && one.second.range.size > 0;
    });
    if (found == blocks.end()) return 0;
    Block& b = found->second;
    Context& c = contexts.at(b.context);
    const cadastre_exit_code code = cadastre_free(c.handle, b.range.begin);
    EXPECT(code == CADASTRE_SUCCESS || code == CADASTRE_CAPTURE_ACTIVE || code == CADASTRE_DEALLOCATION_FAILED || code == CADASTRE_FAILURE,
           "a callback's free gives %d", code);
    ++(code == CADASTRE_SUCCESS ? outcome->succeeded : outcome->refused)[static_cast<std::size_t>(Op::callback)];
    expect_capture("a callback's cadastre_free", code);
    if (code == CADASTRE_CAPTURE_ACTIVE || code == CADASTRE_FAILURE) return 0;
    may_leak = may_leak || code != CADASTRE_SUCCESS;
    leave_open(b);
    model::count_free(c, b.type, b.range.size, code != CADASTRE_SUCCESS);
    blocks.erase(found);
    return 1;
  }

  bool make(const Step& s) override {
    bool made = false;
    const unsigned thread = s.op == Op::end_capture && capturing != nothing ? thread_of_capture() : s.thread;
    const auto work = [&] {
      struck = false;
      within_limit = -1;
      model::op_under_way = static_cast<std::size_t>(s.op);
      made = make_here(s);
      if (!made) return;
      for (auto& [id, c] : contexts) follow_workspaces(c);
      if (Context* const c = counted(s.context)) check_statistics(*c);
      check_pools();
    };
    if (thread > 0) second.run(work);
    else work();
    return made;
  }

  bool make_here(const Step& s) {
    switch (s.op) {
      case Op::create: return create(s);
      case Op::destroy: return destroy(s);
      case Op::queue: return make_queue(s);
      case Op::end_queue: return end_queue(s);
      case Op::allocate: return allocate(s);
      case Op::free: return free(s);
      case Op::resize: return resize(s);
      case Op::fill: return fill(s);
      case Op::copy: return copy(s);
      case Op::order: return order_queues(s);
      case Op::synchronize: return synchronize(s);
      case Op::verify: return verify(s);
      case Op::acquire: return acquire(s);
      case Op::release: return release(s);
      case Op::workspace: return set_workspace(s);
      case Op::trim: return trim(s);
      case Op::limit: return limit(s);
      case Op::statistics: return check_all(), true;
      case Op::capture: return capture(s);
      case Op::end_capture: return end_capture();
      case Op::launch: return launch(s);
      case Op::end_graph: return end_graph(s);
      case Op::reset: return reset(s);
      case Op::release_captured: return release_captured(s);
      case Op::send: return send(s);
      case Op::close: return close_opening(s);
      case Op::callback: return set_callback(s);
      case Op::count: break;
    }
    return false;
  }

  void check_all() {
    check_statistics(process_node);
    for (auto& [id, c] : contexts) check_statistics(c);
  }
};

}  // namespace

World::World() : book_(new Steps) {}
World::~World() = default;

void World::make(const Step& step) { outcome->made += book_->make(step); }

void World::finish() {
  auto& steps = static_cast<Steps&>(*book_);
  steps.struck = false;
  steps.make({.op = Op::end_capture});
  for (auto& [id, b] : steps.blocks) steps.verify({.id = id});
  while (!steps.openings.empty()) steps.close_opening({.id = steps.openings.begin()->first});
  steps.check_all();
  for (std::size_t t = CADASTRE_HOST + 1; t < types; ++t) steps.trim({.type = static_cast<std::uint8_t>(t), .context = process});
  steps.end_all();
  for (const auto& [id, q] : steps.queues) {
    if (q.last) vendor("cudaEventDestroy", q.last);
  }
  for (int device = 0; device < steps.devices; ++device) {
    be_on(device);
    vendor("cudaDeviceSynchronize");
  }
  const cuda_double_census left = cuda_double().census();
  EXPECT(steps.may_leak || left.blocks + left.streams + left.events + left.pools + left.graphs == 0,
         "%zu blocks of %zu bytes, %zu streams, %zu events, %zu pools and %zu graphs are left", left.blocks, left.bytes, left.streams,
         left.events, left.pools, left.graphs);
  EXPECT(cuda_double().misuses() == 0, "%ld calls of the vendor named what was not there", cuda_double().misuses());
  steps.check_statistics(steps.process_node);
}

}  // namespace device_model
