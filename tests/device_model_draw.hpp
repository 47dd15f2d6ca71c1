// Tangled from org/tests/device_model_draw.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Draws the steps of the model of devices from a seed.
#ifndef CADASTRE_TESTS_DEVICE_MODEL_DRAW_HPP
#define CADASTRE_TESTS_DEVICE_MODEL_DRAW_HPP

#include <algorithm>
#include <iterator>

#include "device_model_book.hpp"
#include "model_runner.hpp"

namespace device_model {

struct Weight {
  Op op;
  unsigned weight;
};

constexpr Weight weights[] = {
    {Op::create, 6},   {Op::destroy, 2},     {Op::queue, 14},    {Op::end_queue, 10}, {Op::allocate, 200},  {Op::free, 170},
    {Op::resize, 25},  {Op::fill, 150},      {Op::copy, 40},     {Op::order, 20},     {Op::synchronize, 8}, {Op::verify, 25},
    {Op::acquire, 80}, {Op::release, 70},    {Op::workspace, 6}, {Op::trim, 6},       {Op::limit, 6},       {Op::statistics, 10},
    {Op::capture, 10}, {Op::end_capture, 0}, {Op::launch, 20},   {Op::end_graph, 5},  {Op::reset, 1},       {Op::release_captured, 20},
    {Op::send, 12},    {Op::close, 6},       {Op::callback, 6},
};

class Generator {
 public:
  Generator(std::uint64_t seed, const Book& book) : seed_(seed), book_(book) {
    chance_.begin(seed, 0);
    fails_ = once_in(3);
    limits_ = once_in(3);
    lends_ = !once_in(3);
    captures_ = !once_in(3);
    two_threads_ = once_in(3);
    most_ = once_in(4) ? 20 : once_in(3) ? 13 : 16;
    few_sizes_ = once_in(2);
    late_ = once_in(2);
    hungry_ = !few_sizes_ && once_in(3);
    sends_ = once_in(2);
  }

  Step draw(Id number) {
    chance_.begin(seed_, number);
    if (!next_.empty()) {
      Step s = next_.back();
      next_.pop_back();
      if (s.op == Op::acquire) s.id = number;
      return s;
    }
    if (book_.contexts.empty()) return of(Op::create, number);
    if (book_.capturing != nothing && once_in(12)) return of(Op::end_capture, number);
    if (any_queue(-1) == default_queue || alive_.size() < 3) return of(Op::queue, number);
    if (late_ && ended_ + 1 == number && once_in(2)) {
      Step s = of(Op::queue, number);
      if (s.op == Op::queue) s.device = static_cast<std::uint8_t>(device_ended_), fresh_ = number;
      return s;
    }
    if (fresh_ != nothing && fresh_ + 6 > number && once_in(2)) return onto_fresh(number);
    const Op op = pick();
    const bool waits = op == Op::resize || op == Op::verify || op == Op::synchronize;
    if (!late_ || !waits || once_in(8)) return of(op, number);
    return of(once_in(3) ? Op::end_queue : once_in(2) ? Op::queue : lends_ && once_in(2) ? Op::acquire : Op::fill, number);
  }

 private:
  // On the queue that has the handle of another.
  Step onto_fresh(Id number) {
    const Op ops[] = {Op::free, Op::allocate, Op::allocate, Op::acquire, Op::acquire, Op::capture};
    Step s = of(ops[below(6)], number);
    const Queue* const q = Book::find(book_.queues, fresh_);
    const Block* const b = Book::find(book_.blocks, s.id);
    const Id context = s.op == Op::free && b ? b->context : s.context;
    if (s.op == Op::capture || (q && context != nothing && context != process && device_of(context) == q->device)) s.queue = fresh_;
    if (s.op == Op::allocate || s.op == Op::free) s.way = 1;
    return s;
  }

  // A queue gets memory that it had before, for a graph that is launched then.
  Step graph_with_a_lease(Id number) {
    Step acquire;
    acquire.op = Op::acquire;
    acquire.id = number;
    acquire.context = any_of(book_.contexts);
    acquire.queue = any_queue(device_of(acquire.context));
    acquire.type = CADASTRE_DEVICE;
    acquire.size = draw_size() + 1;
    const auto of_lease = [&](Op op, Id id) {
      Step s = acquire;
      s.op = op;
      s.id = id;
      s.value = static_cast<std::uint8_t>(1 + below(255));
      return s;
    };
    const Id graph = number + 2, lease = number + 3;
    next_ = {of_lease(Op::release, lease), of_lease(Op::launch, graph),  of_lease(Op::end_capture, nothing), of_lease(Op::fill, lease),
             of_lease(Op::acquire, lease), of_lease(Op::capture, graph), of_lease(Op::release, number)};
    return acquire;
  }

  // Often while the graph is at work, and just before another queue gets what is released.
  Step release_of_a_graph(Step s, const Pin& pin) {
    s.context = pin.context;
    s.type = static_cast<std::uint8_t>(pin.type);
    s.queue = once_in(4) ? any_queue(device_of(s.context)) : pin.queue;
    const auto its = std::find_if(book_.graphs.begin(), book_.graphs.end(),
                                  [&](const auto& one) { return one.second.queue == pin.queue && one.second.executable; });
    if (its == book_.graphs.end() || once_in(2)) return s;
    Step acquire = s;
    acquire.op = Op::acquire;
    acquire.size = pin.range.size;
    acquire.fault = 0;
    acquire.queue = any_queue(device_of(s.context));
    next_ = {acquire, s};
    Step launch;
    launch.op = Op::launch;
    launch.id = its->first;
    return launch;
  }

  std::size_t below(std::size_t bound) { return chance_.below(bound); }
  bool once_in(std::size_t times) { return chance_.once_in(times); }

  Op pick() {
    std::size_t sum = 0;
    for (const Weight& w : weights) sum += w.weight;
    std::size_t at = below(sum);
    for (const Weight& w : weights) {
      if (at < w.weight) return w.op;
      at -= w.weight;
    }
    return Op::verify;
  }

  template <class Things>
  Id any_of(const Things& things) {
    return things.empty() ? nothing : std::next(things.begin(), static_cast<std::ptrdiff_t>(below(things.size())))->first;
  }
  // One that is there, on the device, or on any (-1); now and then the one that was made last, which has the handle of another.
  Id any_queue(int device) {
    alive_.clear();
    for (const auto& [id, q] : book_.queues) {
      if (q.alive && (device < 0 || q.device == device)) alive_.push_back(id);
    }
    return alive_.empty() ? default_queue : once_in(4) ? alive_.back() : alive_[below(alive_.size())];
  }
  Id draw_queue(int device) { return once_in(5) ? default_queue : any_queue(device); }
  int device_of(Id context) const { return context == nothing ? 0 : book_.contexts.at(context).device; }

  std::size_t draw_size() {
    if (few_sizes_) return 256 * (1 + below(4)) << (once_in(3) ? 4 : 0);
    if (once_in(60)) return 0;
    if (once_in(hungry_ ? 12 : 300)) return std::size_t{1} << (20 + below(3));
    const std::size_t base = std::size_t{1} << below(most_);
    return once_in(3) ? base : base + below(base);
  }
  std::uint8_t draw_type() {
    return static_cast<std::uint8_t>(once_in(12)  ? CADASTRE_HOST
                                     : once_in(5) ? (once_in(2) ? CADASTRE_PINNED : CADASTRE_UVM)
                                                  : CADASTRE_DEVICE);
  }

  Step of(Op op, Id number) {
    Step s;
    s.op = op;
    s.thread = static_cast<std::uint8_t>(two_threads_ && once_in(3));
    s.device = static_cast<std::uint8_t>(once_in(4));
    s.way = static_cast<std::uint8_t>(below(12));
    const bool may_fail = op == Op::allocate || op == Op::free || op == Op::resize || op == Op::acquire || op == Op::release ||
                          op == Op::trim || op == Op::destroy || op == Op::workspace || op == Op::release_captured || op == Op::send;
    if (fails_ && may_fail && once_in(8)) s.fault = static_cast<std::uint8_t>(1 + below(once_in(3) ? 20 : 6));
    switch (op) {
      case Op::create:
        s.id = number;
        s.other = once_in(3) && !book_.contexts.empty() ? any_of(book_.contexts) : nothing;
        return s;
      case Op::destroy:
        s.context = any_of(book_.contexts);
        s.way = static_cast<std::uint8_t>(1 + below(2));
        return s;
      case Op::queue:
        if (any_queue(-1) != default_queue && alive_.size() > 8) return of(once_in(2) ? Op::end_queue : Op::fill, number);
        s.id = number;
        s.way = static_cast<std::uint8_t>(below(2));
        return s;
      case Op::end_queue:
        s.queue = !book_.pins.empty() && once_in(3) ? book_.pins[below(book_.pins.size())].queue : any_queue(-1);
        if (const Queue* const q = Book::find(book_.queues, s.queue)) ended_ = number, device_ended_ = q->device;
        return s;
      case Op::allocate:
        s.id = number;
        s.context = any_of(book_.contexts);
        s.size = draw_size();
        s.type = draw_type();
        s.way = !once_in(4);
        s.queue = draw_queue(device_of(s.context));
        s.flags = static_cast<std::uint8_t>(once_in(2) ? CADASTRE_UNINITIALIZED : 0);
        if (once_in(10) && s.type != CADASTRE_HOST) s.alignment = 1u << below(9);
        if (sends_ && once_in(8) && s.type == CADASTRE_DEVICE)
          s.flags |= static_cast<std::uint8_t>(CADASTRE_EXPORTABLE | (once_in(10) ? 0 : CADASTRE_SHARED_SEGMENT));
        return s;
      case Op::free:
      case Op::resize:
      case Op::fill:
      case Op::copy:
      case Op::verify:
        s.id = any_of(book_.blocks);
        if (op == Op::fill && !book_.leases.empty() && once_in(2)) s.id = any_of(book_.leases);
        if (s.id == nothing) return of(Op::allocate, number);
        s.value = static_cast<std::uint8_t>(1 + below(255));
        s.size = draw_size();
        s.way = static_cast<std::uint8_t>(op == Op::resize || op == Op::verify ? 0
                                          : op == Op::free                     ? !once_in(late_ ? 60 : 4)
                                          : op == Op::copy && late_            ? 1
                                                                               : once_in(2));
        if (const Block* const b = Book::find(book_.blocks, s.id))
          s.queue = op == Op::free && once_in(2) ? (b->home == settled ? default_queue : b->home) : draw_queue(device_of(b->context));
        if (op == Op::fill && book_.capturing != nothing && once_in(3)) s.queue = book_.captured()->id;
        if (op == Op::copy) s.other = any_of(book_.blocks);
        return s;
      case Op::order:
        s.queue = any_queue(-1);
        s.other = any_of(book_.queues);
        return s;
      case Op::synchronize:
        s.context = any_of(book_.contexts);
        s.queue = draw_queue(device_of(s.context));
        s.way = static_cast<std::uint8_t>(below(2));
        return s;
      case Op::acquire:
      case Op::workspace:
        if (!lends_) return of(Op::fill, number);
        s.id = op == Op::acquire ? number : nothing;
        s.context = any_of(book_.contexts);
        s.type = static_cast<std::uint8_t>(once_in(6) ? draw_type() : CADASTRE_DEVICE);
        s.size = draw_size();
        s.queue = draw_queue(device_of(s.context));
        if (op == Op::acquire && !book_.pins.empty() && once_in(3))
          s.context = book_.pins.back().context, s.type = static_cast<std::uint8_t>(book_.pins.back().type);
        if (op == Op::acquire && book_.capturing != nothing && once_in(2)) s.queue = book_.captured()->id;
        if (op == Op::workspace) s.way = static_cast<std::uint8_t>(below(4));
        return s;
      case Op::release:
        s.id = any_of(book_.leases);
        if (s.id == nothing) return of(lends_ ? Op::acquire : Op::free, number);
        return s;
      case Op::trim:
        s.context = once_in(3) ? process : any_of(book_.contexts);
        s.type = static_cast<std::uint8_t>(once_in(3) ? draw_type() : CADASTRE_DEVICE);
        s.size = once_in(2) ? 0 : below(100000);
        return s;
      case Op::limit:
        if (!limits_) return of(Op::statistics, number);
        s.context = once_in(3) ? process : any_of(book_.contexts);
        s.type = static_cast<std::uint8_t>(once_in(3) ? draw_type() : CADASTRE_DEVICE);
        s.size = once_in(2) ? CADASTRE_UNLIMITED : 1 + below(once_in(2) ? 1 << 20 : 1 << 16);
        return s;
      case Op::capture:
        s.queue = any_queue(-1);
        s.id = number;
        if (!captures_ || book_.capturing != nothing) return of(Op::free, number);
        return lends_ && once_in(2) ? graph_with_a_lease(number) : s;
      case Op::launch:
      case Op::end_graph:
        s.id = any_of(book_.graphs);
        if (s.id == nothing) return of(Op::fill, number);
        return s;
      case Op::release_captured:
        return book_.pins.empty() ? of(lends_ ? Op::acquire : Op::free, number)
                                  : release_of_a_graph(s, book_.pins[below(book_.pins.size())]);
      case Op::send:
        if (!sends_) return of(Op::fill, number);
        s.id = number;
        s.other = any_of(book_.blocks);
        for (const auto& [id, b] : book_.blocks) {
          if (b.flags & CADASTRE_EXPORTABLE && !once_in(3)) s.other = id;
        }
        return s;
      case Op::close: s.id = any_of(book_.openings); return s.id == nothing ? of(Op::free, number) : s;
      case Op::callback:
        if (!limits_ && !hungry_) return of(Op::statistics, number);
        s.context = once_in(3) ? process : any_of(book_.contexts);
        return s;
      case Op::reset: return once_in(4) ? s : of(Op::statistics, number);
      case Op::statistics:
      case Op::end_capture:
      case Op::count: break;
    }
    return s;
  }

  std::uint64_t seed_;
  const Book& book_;
  model::Chance chance_;
  bool hungry_ = false, sends_ = false, late_ = false, fails_ = false, limits_ = false, lends_ = false, captures_ = false,
       two_threads_ = false, few_sizes_ = false;
  std::size_t most_ = 16;
  std::vector<Id> alive_{};
  std::vector<Step> next_{};              // decided already, the next one last
  Id ended_ = nothing, fresh_ = nothing;  // the last steps that ended a queue, and made one in its place
  int device_ended_ = 0;
};

}  // namespace device_model

#endif
