// Tangled from org/tests/model_draw.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Draws the steps of the model from a seed.
#ifndef CADASTRE_TESTS_MODEL_DRAW_HPP
#define CADASTRE_TESTS_MODEL_DRAW_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model.hpp"
#include "model_runner.hpp"

namespace model {

struct Weight {
  Op op;
  unsigned exact, threads;  // how often, in the programs of one thread and of several
};

constexpr Weight weights[] = {
    {Op::create, 5, 3},       {Op::destroy, 4, 2}, {Op::allocate, 300, 300}, {Op::resize, 120, 120}, {Op::free, 240, 240},
    {Op::info, 60, 60},       {Op::size, 20, 0},   {Op::find, 100, 100},     {Op::wrap, 12, 0},      {Op::unwrap, 12, 0},
    {Op::copy, 60, 60},       {Op::set, 30, 30},   {Op::lock, 12, 6},        {Op::unlock, 14, 0},    {Op::limit, 16, 3},
    {Op::statistics, 30, 20}, {Op::reset, 10, 3},  {Op::each, 2, 2},         {Op::free_all, 1, 1},   {Op::report, 1, 1},
    {Op::verify, 30, 30},     {Op::errors, 8, 0},  {Op::fork, 1, 0},
};

struct Known {
  Id id, context;
  std::size_t size;
};

class Generator {
 public:
  Generator(std::uint64_t seed, const World* world, unsigned threads) : seed_(seed), world_(world), threads_(threads) {}

  // The step with this number depends on the seed and on what has happened before, also in a child.
  Step draw(Id number) {
    chance_.begin(seed_, number);
    Step s = of(pick_op(), number);
    return s;
  }

  // Whether it has a block or context more, or one less.
  void learn(const Step& s) {
    const bool is_made = !world_ || (s.op == Op::create ? world_->has_context(s.id) : world_->has_block(s.id));
    if (s.op == Op::create && is_made) contexts_.push_back({s.id, s.other, s.thread});
    if (s.op == Op::allocate && is_made) blocks_.push_back({s.id, s.context, s.size});
    if (s.op == Op::wrap && is_made) borrowed_.push_back({s.id, s.context, s.size});
    if (s.op == Op::resize && s.offset == 0 && s.size < PTRDIFF_MAX) {
      for (Known& b : blocks_) b.size = b.id == s.id ? s.size : b.size;
    }
    if (!world_ && s.op == Op::free && s.offset == 0) std::erase_if(blocks_, [&](const Known& b) { return b.id == s.id; });
    if (!world_ && (s.op == Op::destroy || s.op == Op::free_all))
      std::erase_if(blocks_, [&](const Known& b) { return b.context == s.context; });
    if (!world_ && s.op == Op::destroy) std::erase_if(contexts_, [&](const Context& c) { return c.id == s.context; });
    if (world_ && s.op == Op::destroy) {
      for (const Context& c : contexts_) {
        if (!world_->has_context(c.id)) dead_.push_back(c.id);
      }
      std::erase_if(contexts_, [&](const Context& c) { return !world_->has_context(c.id); });
    }
  }

  // Before the threads start: contexts that they share, of which one has children.
  void share(std::vector<Step>& steps) {
    for (Id id = 1; id <= 3; ++id) {
      Step s;
      s.op = Op::create;
      s.id = id;
      s.other = id == 2 ? 1 : no_context;
      s.way = id == 3;
      steps.push_back(s);
      learn(s);
    }
  }

 private:
  struct Context {
    Id id, parent;
    unsigned thread;
  };

  std::size_t below(std::size_t bound) { return chance_.below(bound); }
  bool once_in(std::size_t times) { return chance_.once_in(times); }

  Op pick_op() {
    unsigned sum = 0;
    for (const Weight& w : weights) sum += threads_ > 0 ? w.threads : w.exact;
    std::size_t at = below(sum);
    for (const Weight& w : weights) {
      const unsigned weight = threads_ > 0 ? w.threads : w.exact;
      if (at < weight) return w.op;
      at -= weight;
    }
    return Op::verify;
  }

  std::size_t draw_size() {
    if (once_in(40)) return 0;
    const std::size_t magnitude = once_in(200) ? 17 + below(6) : once_in(12) ? 10 + below(7) : below(10);
    const std::size_t base = std::size_t{1} << magnitude;
    return once_in(3) ? base - 1 + below(3) : base + below(base);
  }

  // One byte less than a limit leaves, all that it leaves, or one byte more.
  std::size_t at_the_limit(std::size_t size, Id context, std::uint8_t type) {
    const std::size_t room = world_->room(context, type);
    return room > 0 && room < (4 << 20) ? room - 1 + below(3) : size;
  }

  // Mostly a live context; in the programs of one thread now and then none.
  Id draw_context(unsigned thread) {
    if (threads_ == 0 && (contexts_.empty() || once_in(150))) {
      const Id none[] = {no_context, made_up, process, dead_.empty() ? made_up : dead_[below(dead_.size())]};
      return none[below(4)];
    }
    while (true) {
      const Context& c = contexts_[below(contexts_.size())];
      if (c.thread == 0 || c.thread == thread) return c.id;
    }
  }

  const Known* draw_block(std::vector<Known>& from, unsigned thread) {
    for (int attempt = 0; attempt < 8 && !from.empty(); ++attempt) {
      Known& b = from[below(from.size())];
      if (world_ && !world_->has_block(b.id)) {
        if (freed_.size() < 64) freed_.push_back(b);
        else freed_[below(64)] = b;
        b = from.back();
        from.pop_back();
        continue;
      }
      const auto c = std::find_if(contexts_.begin(), contexts_.end(), [&](const Context& one) { return one.id == b.context; });
      if (c != contexts_.end() && (c->thread == 0 || c->thread == thread)) return &b;
    }
    return nullptr;
  }

  // An address for a call on it: mostly that of a live block in its own context.
  void draw_address(Step& s, bool inside) {
    const std::size_t kind = threads_ > 0 ? 99 : below(40);
    const Known* const b = kind == 0 ? nullptr : draw_block(kind == 1 ? borrowed_ : blocks_, s.thread);
    if (kind == 2 && !freed_.empty()) {
      const Known& f = freed_[below(freed_.size())];
      s.id = f.id;
      s.context = f.context;
      if (inside && f.size > 0) s.offset = below(f.size);
    } else if (b) {
      s.id = b->id;
      s.context = b->context;
      if (inside || once_in(25)) s.offset = once_in(4) ? b->size : b->size == 0 ? 0 : once_in(3) ? b->size - 1 : below(b->size);
      if (threads_ > 0 && s.offset == b->size) s.offset = 0;
    } else if (threads_ == 0 && kind > 1) {
      s.op = Op::verify;
    } else if (threads_ == 0) {
      s.id = once_in(2) ? null_address : wild_address;
      s.context = draw_context(s.thread);
      s.offset = s.id == wild_address ? below(4096) : 0;
    }
    if (threads_ == 0 && once_in(60)) s.context = draw_context(s.thread);
  }

  std::uint8_t draw_type() {
    return once_in(3) ? static_cast<std::uint8_t>(once_in(20) ? CADASTRE_PINNED : 2 + below(2)) : static_cast<std::uint8_t>(CADASTRE_HOST);
  }

  std::uint16_t draw_label() {
    const std::size_t kind = below(10);
    return static_cast<std::uint16_t>(kind < 4 ? 0 : kind < 7 ? 8 + below(8) : kind < 9 ? 100 + below(1000) : 1 + below(2));
  }

  Step of(Op op, Id number) {
    Step s;
    s.op = op;
    s.thread = static_cast<std::uint16_t>(threads_ > 0 ? 1 + below(threads_) : 0);
    s.fault = static_cast<std::uint8_t>(threads_ == 0 && once_in(20) ? 1 + below(3) : 0);
    switch (op) {
      case Op::create:
        s.id = number;
        s.other = once_in(3) || contexts_.empty() ? (once_in(2) ? no_context : process) : draw_context(s.thread);
        if (threads_ > 0) s.other = once_in(2) ? no_context : 3;
        s.way = static_cast<std::uint8_t>(below(3));
        s.type = draw_type();
        if (threads_ == 0 && once_in(3)) s.size = 1000 + below(100000);
        if (once_in(3)) s.device = static_cast<std::uint8_t>(1 + below(2) + (threads_ == 0 && once_in(20) ? 5 : 0));
        if (contexts_.size() > 12) return of(Op::destroy, number);
        return s;
      case Op::destroy:
      case Op::free_all:
        s.context = draw_context(s.thread);
        s.way = static_cast<std::uint8_t>(once_in(4) ? 2 : below(2));
        if (threads_ > 0 && s.context <= 3) return of(Op::info, number);
        return s;
      case Op::allocate:
        if (blocks_.size() > 300 && once_in(2)) return of(Op::free, number);
        s.id = number;
        s.context = draw_context(s.thread);
        s.size = draw_size();
        s.type = draw_type();
        if (world_ && once_in(4)) s.size = at_the_limit(s.size, s.context, s.type);
        s.label = draw_label();
        s.way = static_cast<std::uint8_t>(below(3));
        s.flags = static_cast<std::uint8_t>(once_in(4) ? CADASTRE_UNINITIALIZED : 0);
        if (once_in(3)) s.alignment = 1u << below(once_in(20) ? 18 : 13);
        if (once_in(4)) s.device = static_cast<std::uint8_t>(1 + below(2));
        if (once_in(10)) {
          s.offset = 1 + below(64);
          if (threads_ == 0) s.way = static_cast<std::uint8_t>(s.way + 3 * below(3));
        }
        if (threads_ > 0) return s;
        if (once_in(100)) {
          const std::size_t wrong = below(8);
          if (wrong == 0) s.alignment = 48;
          if (wrong == 1) s.alignment = 1u << 31;
          if (wrong == 2) s.type = static_cast<std::uint8_t>(4 + below(12));
          if (wrong == 3) s.flags = static_cast<std::uint8_t>(2 + below(14));
          if (wrong == 4) s.label = 3;
          if (wrong == 5) s.device = 9;
          if (wrong == 6) s.size = SIZE_MAX - below(5000);
          if (wrong == 7) s.size = std::size_t{1} << (48 + below(12));
        }
        return s;
      case Op::resize:
        draw_address(s, false);
        s.size = draw_size();
        if (threads_ == 0 && once_in(200)) s.size = SIZE_MAX - below(5000);
        return s;
      case Op::free:
      case Op::info:
      case Op::size:
        draw_address(s, false);
        s.way = static_cast<std::uint8_t>(threads_ == 0 && op == Op::free && once_in(8));
        return s;
      case Op::find: draw_address(s, true); return s;
      case Op::wrap:
        s.id = number;
        s.context = draw_context(s.thread);
        s.size = once_in(8) ? 0 : std::min<std::size_t>(draw_size(), 60000);
        s.offset = 64 * below(once_in(2) ? 30 : 15000);
        s.type = draw_type();
        s.label = draw_label();
        return s;
      case Op::unwrap: {
        const Known* const b = once_in(10) ? nullptr : draw_block(borrowed_, s.thread);
        if (!b) draw_address(s, false);
        else s.id = b->id, s.context = b->context;
        return s;
      }
      case Op::copy:
      case Op::set: {
        const Known* const b = draw_block(blocks_, s.thread);
        if (!b) return s.op = Op::verify, s;
        s.id = b->id;
        s.context = b->context;
        s.offset = b->size > 0 && once_in(2) ? below(b->size) : 0;
        s.size = std::min<std::size_t>(1 << 16, once_in(8) ? draw_size() : b->size > s.offset ? below(b->size - s.offset + 1) : 0);
        s.way = static_cast<std::uint8_t>(op == Op::set ? below(256) : once_in(20) ? 3 + below(2) : below(3));
        if (op == Op::copy && s.way == 0) {
          for (int attempt = 0; attempt < 8 && s.other == 0; ++attempt) {
            const Known* const from = draw_block(blocks_, s.thread);
            if (from && from->context == s.context) {
              s.other = from->id;
              if (threads_ == 0 && once_in(3)) s.alignment = static_cast<std::uint32_t>(below(from->size + 1));
            }
          }
        }
        return s;
      }
      case Op::lock:
      case Op::unlock:
      case Op::statistics:
      case Op::each:
      case Op::report:
      case Op::reset:
        s.context = draw_context(s.thread);
        if (threads_ == 0 && op != Op::lock && op != Op::unlock && op != Op::each && once_in(5)) s.context = process;
        s.type = static_cast<std::uint8_t>(once_in(50) && threads_ == 0 && op == Op::reset ? 4 : below(4));
        s.way = static_cast<std::uint8_t>(below(2));
        if (op == Op::each && threads_ == 0 && s.context == process) s.context = no_context;
        return s;
      case Op::limit: {
        s.context = threads_ == 0 && once_in(5) ? process : draw_context(s.thread);
        s.type = static_cast<std::uint8_t>(draw_type());
        const std::size_t kind = below(10);
        s.size = kind < 6                  ? CADASTRE_UNLIMITED
                 : kind == 6               ? 0
                 : kind == 7 && once_in(3) ? CADASTRE_LIMIT_NOTHING
                                           : 1 + below(kind < 9 ? 200000 : 4 << 20);
        if (threads_ == 0 && once_in(40)) s.size = SIZE_MAX - 3 - below(100);
        if (threads_ == 0 && once_in(60)) s.type = 7;
        return s;
      }
      case Op::verify: {
        const Known* const b = draw_block(blocks_, s.thread);
        if (b) s.id = b->id, s.context = b->context;
        return s;
      }
      case Op::fork:
        s.other = static_cast<Id>(1 + below(60));
        if (!once_in(10)) return of(Op::info, number);
        return s;
      case Op::errors:
      case Op::end:
      case Op::count: break;
    }
    return s;
  }

  std::uint64_t seed_;
  Chance chance_;
  const World* world_;
  unsigned threads_;
  std::vector<Context> contexts_;
  std::vector<Id> dead_;
  std::vector<Known> blocks_, borrowed_, freed_;
};

}  // namespace model

#endif
