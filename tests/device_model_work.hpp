// Tangled from org/tests/device_model_work.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Steps of the model of devices on queues, captures, graphs and leases.
#ifndef CADASTRE_TESTS_DEVICE_MODEL_WORK_HPP
#define CADASTRE_TESTS_DEVICE_MODEL_WORK_HPP

#include "device_model_book.hpp"

#include <algorithm>

namespace device_model {

struct Work : Book {
  template <class Call>
  auto attempt(const Step& s, Call call) {
    int device = 0, after = 0;
    const int fault = capturing == nothing ? s.fault : 0;
    vendor("cudaGetDevice", &device);
    const long before = cuda_double().calls_of(nullptr);
    if (fault > 0) cuda_double().fail(nullptr, fault, 1, fault % 2 ? 2 : 999);
    const auto result = call();
    struck = fault > 0 && cuda_double().calls_of(nullptr) - before >= fault;
    may_leak = may_leak || (struck && leaving > 0);  // what others had open goes with any call that frees, and nobody is asked about it
    if (fault > 0) cuda_double().fail(nullptr, 0, 0, 0);
    vendor("cudaGetDevice", &after);
    EXPECT(after == device || struck, "device %d was current before the call, and %d is after it", device, after);
    if (struck) be_on(device);
    return result;
  }

  // Judges a call that must fail for one of the reasons of must, where there are any, and that may fail for those of may.
  void expect(const char* call, const Context& c, cadastre_exit_code code, Refusals must, const Refusals& may) {
    if (struck && code == CADASTRE_SUCCESS) return;
    if (code != CADASTRE_SUCCESS) must.insert(must.end(), may.begin(), may.end());
    if (struck) {
      for (const cadastre_exit_code told :
           {CADASTRE_ALLOCATION_FAILED, CADASTRE_DEALLOCATION_FAILED, CADASTRE_FAILURE, CADASTRE_CAPTURE_ACTIVE}) {
        add(must, told,
            {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, CADASTRE_REASON_BACKEND_CALL_FAILED, CADASTRE_REASON_BACKEND_FREE_FAILED,
             CADASTRE_REASON_CAPTURE_ACTIVE});
      }
    }
    judge(call, c.handle, code, must);
    expect_capture(call, code);
  }

  void expect_capture(const char* call, cadastre_exit_code code) {
    const Queue* const q = captured();
    if (!q || graphs.at(capturing).is_spoilt) return;
    const int status = capture_status(q->handle);
    const bool may_be_spoilt = struck || (!q->blocking && (code == CADASTRE_CAPTURE_ACTIVE || gives_memory_back()));
    EXPECT(status == capture_active || may_be_spoilt, "%s, which gives %d, spoils the capture of q%u", call, code, q->id);
    graphs.at(capturing).is_spoilt = status != capture_active;
  }

  bool gives_memory_back() const {
    const bool lends = std::any_of(contexts.begin(), contexts.end(), [](const auto& one) { return one.second.lends; });
    return lends || pool_of(CADASTRE_PROCESS, CADASTRE_PINNED).pool_count > 0;
  }

  void may_be_captured(Refusals& may) const {
    if (capturing != nothing) add(may, CADASTRE_CAPTURE_ACTIVE, {CADASTRE_REASON_CAPTURE_ACTIVE});
  }
  void may_be_short(Refusals& may, const Context& c, std::size_t t, std::size_t more) const {
    for (const Counted* at = &c; at; at = at->parent) {
      const std::size_t held_too = at->parent || t != CADASTRE_DEVICE ? 0 : held().bytes + leaving;
      if (model::exceeds(*at, static_cast<cadastre_memory_type>(t), more + held_too))
        add(may, CADASTRE_LIMIT_EXCEEDED, {CADASTRE_REASON_LIMIT_EXCEEDED});
    }
    if (t == CADASTRE_DEVICE) add(may, CADASTRE_ALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
  }
  // Before a request fails since there is no memory, all that is kept is given up.
  void expect_nothing_kept(cadastre_exit_code code) const {
    if (code != CADASTRE_ALLOCATION_FAILED || struck || may_leak || capturing != nothing) return;
    for (std::size_t t = CADASTRE_HOST + 1; t < types; ++t) {
      const std::size_t kept = pool_of(CADASTRE_PROCESS, t).releasable_bytes;
      EXPECT(kept == 0, "there is no memory, and pools keep %zu bytes of type %zu", kept, t);
    }
  }
  void may_use(const Context& c, std::size_t t, std::size_t more) {
    if (is_pooled(c, t)) peaks[t] = std::max(peaks[t], pool_of(CADASTRE_PROCESS, t).used_bytes + more);
  }

  bool make_queue(const Step& s) {
    const Relaxed relaxed;
    Queue q;
    q.id = s.id;
    q.device = s.device % devices;
    q.blocking = s.way == 0;
    be_on(q.device);
    vendor("cudaStreamCreateWithFlags", &q.handle, q.blocking ? 0u : 1u);
    queues[s.id] = q;
    return true;
  }

  bool end_queue(const Step& s) {
    Queue* const q = find(queues, s.queue);
    if (!q || !q->alive || is_captured(s.queue)) return false;
    for (const auto& [id, l] : leases) {
      if (l.queue == s.queue) return false;  // it must be there until the lease is released
    }
    const Relaxed relaxed;
    be_on(q->device);
    vendor("cudaEventCreateWithFlags", &q->last, 2u);
    vendor("cudaEventRecord", q->last, q->handle);
    vendor("cudaStreamDestroy", q->handle);
    q->alive = false;
    return true;
  }

  bool order_queues(const Step& s) {
    const Queue *const q = find(queues, s.queue), *const other = find(queues, s.other);
    if (!q || !other || !q->alive || q->device != other->device || !can_order(s.queue, s.other, q->device)) return false;
    order(s.queue, s.other, q->device);
    return true;
  }

  bool synchronize(const Step& s) {
    Context* const c = find(contexts, s.context);
    if (!c) return false;
    const Queue* const q = usable(s.queue, c->device);
    if (!q || (s.way == 1 && is_barred(s.queue, c->device))) return false;
    if (s.way == 1) {
      settle(s.queue, c->device);
    } else {
      be_on(c->device);
      const cadastre_exit_code code = attempt(s, [&] { return cadastre_synchronize(c->handle, q->handle); });
      Refusals must, may;
      if (is_captured(s.queue)) add(must, CADASTRE_CAPTURE_ACTIVE, {CADASTRE_REASON_CAPTURE_ACTIVE});
      may_be_captured(may);
      expect("cadastre_synchronize", *c, code, must, may);
      if (code != CADASTRE_SUCCESS) return true;
    }
    for (auto& [id, b] : blocks) {
      if (b.home == s.queue && contexts.at(b.context).device == c->device) b.home = settled;
    }
    return true;
  }

  bool fill(const Step& s) {
    Block* const b = find(blocks, s.id);
    Lease* const l = find(leases, s.id);
    if (!b && (!l || l->buffers.empty())) return false;
    Context& c = contexts.at(b ? b->context : l->context);
    const Id queue = b ? s.queue : l->queue;
    const Queue* const q = usable(queue, c.device);
    const bool node = is_captured(queue);
    if (!q || (b && (b->type == CADASTRE_HOST || b->range.size == 0)) || (!node && is_barred(queue, c.device))) return false;
    if (l && l->type == CADASTRE_HOST) return false;
    if (b && !node && !can_order(queue, b->home, c.device)) return false;
    if (node && capture_status(q->handle) != capture_active) return false;
    if (b && !node) order(queue, b->home, c.device);
    be_on(c.device);
    for (const Range& range : b ? std::vector<Range>{b->range} : l->buffers) {
      if (s.way == 0) {
        vendor("cudaMemsetAsync", static_cast<void*>(range.begin), static_cast<int>(s.value), range.size, q->handle);
        continue;
      }
      const cadastre_exit_code code =
          attempt(s, [&] { return cadastre_memset_async(c.handle, range.begin, s.value, range.size, q->handle); });
      Refusals may;
      if (b ? b->type != CADASTRE_DEVICE : l->type != CADASTRE_DEVICE) may_be_captured(may);  // the call waits
      expect("cadastre_memset_async", c, code, {}, may);
      if (b && code != CADASTRE_SUCCESS && code != CADASTRE_CAPTURE_ACTIVE) b->value = -1;
      if (code != CADASTRE_SUCCESS) return true;
    }
    if (node) {
      graphs.at(capturing).nodes.push_back({s.id, s.value, l && is_pinned(*l)});
    } else if (b) {
      b->home = queue;
      b->value = s.value;
    }
    return true;
  }

  bool is_pinned(const Lease& l) const {
    return std::any_of(pins.begin(), pins.end(), [&](const Pin& pin) {
      return pin.context == l.context && pin.type == l.type && pin.queue == l.queue && !l.buffers.empty() && l.buffers[0].meets(pin.range);
    });
  }

  bool copy(const Step& s) {
    Block *const to = find(blocks, s.id), *const from = find(blocks, s.other);
    if (!to || !from || to == from || to->context != from->context) return false;
    Context& c = contexts.at(to->context);
    const Queue* const q = usable(s.queue, c.device);
    const std::size_t size = std::min(to->range.size, from->range.size);
    if (!q || size == 0 || is_captured(s.queue) || to->type == CADASTRE_HOST || from->type == CADASTRE_HOST) return false;
    Refusals may;
    may_be_captured(may);
    cadastre_exit_code code = CADASTRE_SUCCESS;
    if (s.way == 0) {
      if (!can_settle(to->home, c.device) || !can_settle(from->home, c.device)) return false;
      for (Block* const each : {to, from}) settle(std::exchange(each->home, settled), c.device);
      code = attempt(s, [&] { return cadastre_memcpy(c.handle, to->range.begin, from->range.begin, size); });
      expect("cadastre_memcpy", c, code, {}, may);
    } else {
      if (is_barred(s.queue, c.device) || !can_order(s.queue, to->home, c.device) || !can_order(s.queue, from->home, c.device))
        return false;
      for (Block* const each : {to, from}) order(s.queue, std::exchange(each->home, s.queue), c.device);
      be_on(c.device);
      code = attempt(s, [&] { return cadastre_memcpy_async(c.handle, to->range.begin, from->range.begin, size, q->handle); });
      expect("cadastre_memcpy_async", c, code, {}, may);
    }
    if (code != CADASTRE_CAPTURE_ACTIVE) to->value = code == CADASTRE_SUCCESS && size == to->range.size ? from->value : -1;
    return true;
  }

  bool verify(const Step& s) {
    Block* const b = find(blocks, s.id);
    if (!b || !can_settle(b->home, contexts.at(b->context).device)) return false;
    settle(std::exchange(b->home, settled), contexts.at(b->context).device);
    expect_bytes(*b, 0, b->range.size, b->value);
    return true;
  }

  bool capture(const Step& s) {
    const Queue* const q = find(queues, s.queue);
    if (capturing != nothing || !q || !q->alive) return false;
    vendor("cudaStreamBeginCapture", q->handle, s.way % 3);
    Graph g;
    g.id = s.id;
    g.queue = s.queue;
    g.thread = s.thread;
    graphs[s.id] = g;
    capturing = s.id;
    return true;
  }

  unsigned thread_of_capture() const { return graphs.at(capturing).thread; }

  bool end_capture() {
    if (capturing == nothing) return false;
    Graph& g = graphs.at(capturing);
    const Queue& q = queues.at(g.queue);
    const bool sound = capture_status(q.handle) == capture_active;
    const int error = cuda("cudaStreamEndCapture", q.handle, &g.graph);
    EXPECT((error == 0) == sound, "the capture of q%u ends with %d", q.id, error);
    if (!sound) cuda("cudaGetLastError");
    capturing = nothing;
    const Relaxed relaxed;
    if (sound) vendor("cudaGraphInstantiateWithFlags", &g.executable, g.graph, 0ull);
    else let_pins_go(g.id);
    return true;
  }

  bool launch(const Step& s) {
    Graph* const g = find(graphs, s.id);
    if (!g || !g->executable || g->is_lost || s.id == capturing) return false;
    const Queue& q = queues.at(g->queue);
    if (!q.alive || is_barred(q.id, q.device) || (capturing != nothing && q.blocking && captured()->blocking)) return false;
    for (const Graph::Node& node : g->nodes) {
      const Block* const b = find(blocks, node.used);
      if (b ? !can_order(q.id, b->home, q.device) : !(node.pinned || find(leases, node.used))) return false;
    }
    for (const Graph::Node& node : g->nodes) {
      if (Block* const b = find(blocks, node.used)) {
        order(q.id, std::exchange(b->home, q.id), q.device);
        b->value = node.value;
      }
    }
    vendor("cudaGraphLaunch", g->executable, q.handle);
    return true;
  }

  // A graph that is gone has no memory any more; where the runtime does not say so, the library keeps it back all the same.
  void let_pins_go(Id graph) {
    std::erase_if(pins, [&](const Pin& pin) { return pin.graph == graph; });
  }

  bool end_graph(const Step& s) {
    Graph* const g = find(graphs, s.id);
    if (!g || s.id == capturing) return false;
    const Relaxed relaxed;
    if (g->executable) vendor("cudaGraphExecDestroy", g->executable);
    if (g->graph) vendor("cudaGraphDestroy", g->graph);
    let_pins_go(s.id);
    graphs.erase(s.id);
    return true;
  }

  bool acquire(const Step& s) {
    Context* const c = find(contexts, s.context);
    if (!c) return false;
    const Queue* const q = usable(s.queue, c->device);
    if (!q || leases.size() > 12) return false;
    const auto t = static_cast<std::size_t>(s.type);
    const std::size_t n = 1 + s.way % 3, sizes[] = {s.size, s.size / 2 + 1, 100};
    void* pointers[3] = {};
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    be_on(c->device);
    c->lends = true;
    may_use(*c, t, 4 * s.size + 4096 + c->workspaces_allocated[t]);
    const cadastre_exit_code code =
        attempt(s, [&] { return cadastre_workspace_acquire_on_queue(c->handle, s.type, q->handle, n, sizes, pointers, &lease); });
    Refusals may;
    may_be_captured(may);
    may_be_short(may, *c, t, 4 * s.size + 4096 + c->lent_from(t));
    add(may, CADASTRE_LIMIT_EXCEEDED, {CADASTRE_REASON_WORKSPACE_TOO_SMALL, CADASTRE_REASON_WORKSPACE_BUSY});
    expect("cadastre_workspace_acquire_on_queue", *c, code, {}, may);
    if (struck) may_leak = true;
    if (code != CADASTRE_SUCCESS) return true;
    Lease l{s.id, c->id, s.queue, s.type, lease, s.thread, {}};
    for (std::size_t i = 0; i < n; ++i) {
      if (sizes[i] > 0) l.buffers.push_back({static_cast<char*>(pointers[i]), sizes[i]});
    }
    for (const Range& each : l.buffers) {
      expect_apart("l", s.id, each);
      expect_not_pinned("l", s.id, each, &l);
      const bool known_by_handle = !queues_have_identity() && (is_captured(s.queue) || has_of_another(each, s.queue));
      if (s.type != CADASTRE_HOST && !known_by_handle) expect_ordered("l", s.id, each, s.queue, c->device);
      if (is_captured(s.queue)) pins.push_back({c->id, s.queue, capturing, s.type, each});
    }
    leases[s.id] = l;
    return true;
  }

  // Whether a graph of another queue has some of it.
  bool has_of_another(const Range& range, Id queue) const {
    return std::any_of(pins.begin(), pins.end(), [&](const Pin& pin) { return pin.queue != queue && pin.range.meets(range); });
  }

  bool release(const Step& s) {
    Lease* const l = find(leases, s.id);
    if (!l) return false;
    Context& c = contexts.at(l->context);
    const cadastre_exit_code code = attempt(s, [&] { return cadastre_workspace_release(c.handle, l->handle); });
    Refusals may;
    if (capturing != nothing) {
      for (const cadastre_exit_code told : {CADASTRE_CAPTURE_ACTIVE, CADASTRE_FAILURE, CADASTRE_DEALLOCATION_FAILED})
        add(may, told, {CADASTRE_REASON_CAPTURE_ACTIVE, CADASTRE_REASON_BACKEND_CALL_FAILED, CADASTRE_REASON_BACKEND_FREE_FAILED});
    }
    expect("cadastre_workspace_release", c, code, {}, may);
    if (code != CADASTRE_SUCCESS) may_leak = true;
    leases.erase(s.id);
    return true;
  }

  bool has_leases(Id context, cadastre_memory_type type) const {
    return std::any_of(leases.begin(), leases.end(),
                       [&](const auto& one) { return one.second.context == context && one.second.type == type; });
  }

  // What graphs have of a workspace is given back; they are not to be launched any more.
  void lose_pins(Id context, int type) {
    lose_pins(context, type, [](const Pin&) { return true; });
  }
  template <class Which>
  void lose_pins(Id context, int type, Which which) {
    const auto goes = [&](const Pin& pin) { return pin.context == context && (type < 0 || pin.type == type) && which(pin); };
    for (const Pin& pin : pins) {
      if (!goes(pin)) continue;
      for (auto& [id, g] : graphs)
        g.is_lost = g.is_lost ||
                    (g.queue == pin.queue && std::any_of(g.nodes.begin(), g.nodes.end(), [](const auto& node) { return node.pinned; }));
    }
    std::erase_if(pins, goes);
  }

  bool release_captured(const Step& s) {
    Context* const c = find(contexts, s.context);
    const Queue* const q = find(queues, s.queue);  // also one that is no more
    if (!c || !q || q->device != c->device) return false;
    be_on(c->device);
    const cadastre_exit_code code = attempt(s, [&] { return cadastre_workspace_release_captured(c->handle, s.type, q->handle); });
    Refusals must, may;
    const auto is_its = [&](const Lease& l) { return l.context == s.context && l.type == s.type && l.queue == s.queue && is_pinned(l); };
    if (is_captured(s.queue) && std::any_of(leases.begin(), leases.end(), [&](const auto& one) { return is_its(one.second); }))
      add(must, CADASTRE_CAPTURE_ACTIVE, {CADASTRE_REASON_CAPTURE_ACTIVE});
    may_be_captured(may);
    expect("cadastre_workspace_release_captured", *c, code, must, may);
    if (struck && code != CADASTRE_SUCCESS) may_leak = true;
    if (code == CADASTRE_SUCCESS || code == CADASTRE_DEALLOCATION_FAILED) {
      lose_pins(s.context, s.type, [&](const Pin& pin) { return pin.queue != default_queue && queues.at(pin.queue).handle == q->handle; });
    }
    return true;
  }

  bool set_workspace(const Step& s) {
    Context* const c = find(contexts, s.context);
    if (!c) return false;
    const auto t = static_cast<std::size_t>(s.type);
    const std::size_t size = s.way == 0   ? CADASTRE_WORKSPACE_AUTOMATIC
                             : s.way == 1 ? CADASTRE_WORKSPACE_PER_LEASE
                             : s.way == 2 ? CADASTRE_WORKSPACE_STREAM_ORDERED
                                          : s.size + 1;
    be_on(c->device);
    c->lends = true;
    may_use(*c, t, s.size + 4096);
    const cadastre_exit_code code = attempt(s, [&] { return cadastre_workspace_set_size(c->handle, s.type, size); });
    Refusals must, may;
    if (has_leases(s.context, s.type)) add(must, CADASTRE_LEASE_ALIVE, {CADASTRE_REASON_LEASE_ALIVE});
    may_be_captured(may);
    if (s.way >= 3) may_be_short(may, *c, t, s.size + 4096 + c->lent_from(t));
    expect("cadastre_workspace_set_size", *c, code, must, may);
    if (code == CADASTRE_SUCCESS || (struck && code != CADASTRE_LEASE_ALIVE)) lose_pins(s.context, s.type);
    if (struck && code != CADASTRE_SUCCESS) may_leak = true;
    return true;
  }
};

}  // namespace device_model

#endif
