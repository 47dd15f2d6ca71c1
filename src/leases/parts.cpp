// Tangled from org/leases/parts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "leases/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/owned.hpp"
#include "leases/order.hpp"

namespace cadastre::internal {

void Workspace::split(std::size_t offset, Workspace& right) {
  if (touched_bytes_ > offset) right.watches_ = watches_;
  const auto first =
      std::find_if(leases_.begin(), leases_.end(), [&](const Lease& lease) { return lease.bytes > 0 && lease.offset >= offset; });
  right.leases_.assign(first, leases_.end());
  right.prepare();
  leases_.erase(first, leases_.end());
  Piece& piece = pieces_.front();
  Piece rest{.begin = piece.begin + offset, .size = piece.size - offset, .origin = offset == 0 ? piece.origin : Origin::part};
  piece.size = offset;
  for (Lease& lease : leases_) lease.offset = std::min(lease.offset, offset);  // of no bytes
  for (Lease& lease : right.leases_) {
    lease.offset = std::max(lease.offset, offset) - offset;
    rest.used += lease.bytes;
  }
  piece.used -= rest.used;
  used_bytes_ -= rest.used;
  right.used_bytes_ = rest.used;
  right.pieces_.push_back(rest);
  if (touched_bytes_ > offset) {
    right.thread = right.leases_.empty() ? 0 : thread;
    right.queue = queue;
    right.identity = identity;
    right.used = true;
    right.captured = captured;
    right.captured_pieces = captured;
    right.unwatched_ = unwatched_;
    right.behind = behind;
    right.beside_graphs = idle() ? beside_graphs : Behind::everything;
    if (idle() && order_beside_graphs() == Behind::event) right.event = event;
    right.touched_bytes_ = touched_bytes_ - offset;
    touched_bytes_ = offset;
  }
  if (offset > 0) return;
  pieces_.clear();
  captured_pieces = 0;
}

void Workspace::join(Workspace& right) noexcept {
  Piece& piece = pieces_.front();
  const Behind its = right.order_beside_graphs();
  if (touched_bytes_ == 0) {
    queue = right.queue;
    identity = right.identity;
    behind = right.behind;
    beside_graphs = its;
    used = right.used;
    event.swap(right.event);
  } else if (right.touched_bytes_ > 0) {
    const Behind mine = order_beside_graphs();
    const bool is_same = mine == its && (mine != Behind::event || event == right.event);
    beside_graphs = mine;
    if (!is_same) forget_order();
  } else {
    beside_graphs = order_beside_graphs();
  }
  watches_.splice(watches_.end(), right.watches_);
  unwatched_ = unwatched_ || right.unwatched_;
  if (right.touched_bytes_ > 0) touched_bytes_ = piece.size + right.touched_bytes_;
  piece.size += right.size();
  right.pieces_.clear();
  captured = captured || right.captured;
  captured_pieces = captured;
}

namespace {

// Bytes of one part that are not leased, and that a queue may have.
struct Range {
  Workspace* part;
  std::byte* begin;
  std::size_t bytes;

  std::byte* end() const noexcept { return begin + bytes; }
};

using Ranges = std::vector<Range>;

// Whether a queue may have what a part's queue has touched.
bool may_be_touched(Context& context, const Workspace& part, const Want& want, Waiting waiting) noexcept {
  const bool is_each_threads = part.queue != CADASTRE_DEFAULT_QUEUE && part.queue == context.backend().queue_of_each_thread();
  if (!part.idle() && is_each_threads && part.thread != this_thread()) return false;
  if (!part.may_go_to(want.queue, want.identity, want.capturing)) return false;
  return waiting == Waiting::allowed || part.was_on(want.queue, want.identity) || (part.idle() && part.behind == Behind::nothing);
}

// In the order of their addresses.
Ranges free_ranges(Context& context, const WorkspacesOfType& of_type, const Want& want, Waiting waiting) {
  Ranges ranges;
  for (const auto& part : of_type.workspaces) {
    if (part->acquiring || part->pieces().empty()) continue;
    const bool touched = may_be_touched(context, *part, want, waiting);
    const Piece& piece = part->pieces().front();
    std::size_t at = 0;
    const auto add = [&](std::size_t end, bool may_have) {
      if (end <= at) return;
      if (may_have) ranges.push_back({part.get(), piece.begin + at, end - at});
      at = end;
    };
    const auto add_gap = [&](std::size_t end) {
      add(std::min(end, part->touched_bytes()), touched);
      add(end, true);
    };
    for (const Lease& lease : part->leases()) {
      if (lease.bytes == 0) continue;
      add_gap(lease.offset);
      at = lease.offset + lease.bytes;
    }
    add_gap(piece.size);
  }
  return ranges;
}

// Ranges one behind the other, without a gap.
struct Run {
  std::byte *begin = nullptr, *end = nullptr;
  const Workspace* first = nullptr;

  std::size_t bytes() const noexcept { return static_cast<std::size_t>(end - begin); }
};

template <class Show>
void for_each_run(const Ranges& ranges, Show show) {
  Run run;
  for (const Range& range : ranges) {
    if (range.begin != run.end) {
      if (run.first) show(run);
      run = {range.begin, range.end(), range.part};
    }
    run.end = range.end();
  }
  if (run.first) show(run);
}

std::size_t largest_run(const Ranges& ranges) {
  std::size_t largest = 0;
  for_each_run(ranges, [&](const Run& run) { largest = std::max(largest, run.bytes()); });
  return largest;
}

enum class Cut { never, allowed };  // idle parts

// The ranges that a lease takes; none where it fits nowhere.
Ranges best_of(const Ranges& ranges, const Want& want, Cut cut) {
  Run best;
  for_each_run(ranges, [&](const Run& run) {
    if (run.bytes() >= want.bytes && (!best.first || run.bytes() < best.bytes())) best = run;
  });
  if (!best.first) return {};
  const bool grows = best.first->used && best.first->was_on(want.queue, want.identity);
  if (grows) best.end = best.begin + want.bytes;
  else best.begin = best.end - want.bytes;
  for (const Range& range : ranges) {
    const bool is_taken = range.begin < best.end && range.end() > best.begin;
    if (cut == Cut::allowed || !is_taken || !range.part->idle()) continue;
    best.begin = std::min(best.begin, range.begin);
    best.end = std::max(best.end, range.end());
  }
  Ranges taken;
  for (const Range& range : ranges) {
    std::byte* const begin = std::max(range.begin, best.begin);
    std::byte* const end = std::min(range.end(), best.end);
    if (begin < end) taken.push_back({range.part, begin, static_cast<std::size_t>(end - begin)});
  }
  return taken;
}

std::size_t index_of(const WorkspacesOfType& of_type, const Workspace& part) noexcept {
  const auto found = std::find_if(of_type.workspaces.begin(), of_type.workspaces.end(), [&](const auto& w) { return w.get() == &part; });
  return static_cast<std::size_t>(found - of_type.workspaces.begin());
}

Workspace& cut_off(WorkspacesOfType& of_type, Workspace& part, std::size_t offset) {
  Owned<Workspace> right = make_owned<Workspace>();
  of_type.workspaces.reserve(of_type.workspaces.size() + 1);
  part.split(offset, *right);
  const auto behind = of_type.workspaces.begin() + static_cast<std::ptrdiff_t>(index_of(of_type, part)) + 1;
  return **of_type.workspaces.insert(behind, std::move(right));
}

// Cuts the idle part inside of which an address lies.
void cut_at(WorkspacesOfType& of_type, const std::byte* address) {
  const auto found = std::find_if(of_type.workspaces.begin(), of_type.workspaces.end(), [&](const auto& part) {
    if (part->pieces().empty()) return false;
    const Piece& piece = part->pieces().front();
    return address > piece.begin && address < piece.begin + piece.size;
  });
  if (found != of_type.workspaces.end()) cut_off(of_type, **found, static_cast<std::size_t>(address - (*found)->pieces().front().begin));
}

// Lets all free bytes at a place of a part that is leased be an idle part. Where its last lease is being released, that goes on meanwhile.
cadastre_exit_code set_apart(ContextLock& lock, WorkspacesOfType& of_type, const Range& range, const Want& want) {
  Workspace& part = *range.part;
  const Piece piece = part.pieces().front();
  const bool is_released = part.leases().empty();
  of_type.asked.reserve(of_type.asked.size() + 1);
  const auto offset = static_cast<std::size_t>(range.begin - piece.begin);
  if (offset + range.bytes < piece.size) cut_off(of_type, part, offset + range.bytes);
  Workspace& apart = cut_off(of_type, part, offset);
  if (!is_released && part.pieces().empty() && part.leases().empty()) {
    part.event.swap(apart.event);
    of_type.take(part);
  }
  if (apart.touched_bytes() == 0) return CADASTRE_SUCCESS;
  hold(apart);
  const cadastre_queue queue = apart.queue;
  of_type.asked.push_back(queue);
  const bool capturing = want.capturing || (apart.queue != CADASTRE_DEFAULT_QUEUE && is_captured(lock, apart.queue));
  if (capturing) apart.capture(watch_graph(lock, apart.queue));
  const cadastre_exit_code code = leave(lock, apart, capturing);
  apart.acquiring = false;
  const auto asked = std::find(of_type.asked.begin(), of_type.asked.end(), queue);
  if (asked != of_type.asked.end()) of_type.asked.erase(asked);  // a fork forgets them
  return code;
}

bool destroy_events(ContextLock& lock, std::span<const Backend::Event> events) noexcept {
  if (std::all_of(events.begin(), events.end(), [](Backend::Event event) { return !event; })) return false;
  lock.in_backend([&] {
    for (const Backend::Event event : events) lock.context().backend().destroy_event(lock.context().device(), event);
    return CADASTRE_SUCCESS;
  });
  return true;
}

// Idle ranges become one part, on which the queue comes after all of them.
cadastre_exit_code take_ranges(ContextLock& lock, WorkspacesOfType& of_type, const Ranges& ranges, const Want& want, Workspace*& found) {
  const std::byte *const begin = ranges.front().begin, *const end = ranges.back().end();
  cut_at(of_type, begin);
  cut_at(of_type, end);
  std::vector<Workspace*> parts;
  for (const auto& part : of_type.workspaces) {
    if (!part->pieces().empty() && part->pieces().front().begin >= begin && part->pieces().front().begin < end) parts.push_back(part.get());
  }
  std::vector<Owned<Workspace>> gone(parts.size() - 1);
  std::vector<Backend::Event> events(parts.size() - 1);
  auto event = std::make_shared<Backend::Event>(nullptr);
  parts.front()->prepare();
  for (Workspace* const part : parts) hold(*part);
  bool waited = false;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  for (std::size_t i = 0; !want.capturing && i < parts.size() && code == CADASTRE_SUCCESS; ++i)
    code = wait_behind(lock, *parts[i], want, waited);
  if (code != CADASTRE_SUCCESS) {
    for (Workspace* const part : parts) let_off(*part);
    tidy(lock, of_type, *parts.front());
    return code;
  }
  of_type.waits += waited;
  found = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    found->join(*parts[i]);
    gone[i - 1] = of_type.take(*parts[i]);
  }
  if (found->event.use_count() > 1) {
    found->event = std::move(event);
    found->forget_order();
  }
  for (std::size_t i = 0; i < gone.size(); ++i) events[i] = gone[i]->drop_event();
  destroy_events(lock, events);
  found->acquiring = false;
  return CADASTRE_SUCCESS;
}

}  // namespace

namespace {

bool are_many(const WorkspacesOfType& of_type) noexcept { return of_type.count_idle() > most_unfinished / 2; }

// The thread's own, or an idle one on which nothing has to be waited for, best one that the queue had, and then the smallest.
Workspace* whole_part(Context& context, const WorkspacesOfType& of_type, const Want& want) noexcept {
  Workspace* best = nullptr;
  const auto rank = [&](const Workspace& part) { return std::pair(!(part.used && part.was_on(want.queue, want.identity)), part.size()); };
  for (const auto& part : of_type.workspaces) {
    if (part->acquiring || !part->fits(want.bytes)) continue;
    if (!part->leases().empty() && part->thread == this_thread() && part->queue == want.queue) return part.get();
    const bool is_free = part->idle() && part->may_go_to(want.queue, want.identity, want.capturing);
    if (!is_free || !(want.capturing || comes_by_itself(context, *part, want))) continue;
    if (!best || rank(*part) < rank(*best)) best = part.get();
  }
  return best;
}

}  // namespace

cadastre_exit_code find_part(ContextLock& lock, WorkspacesOfType& of_type, const Want& want, Workspace*& found) {
  if (const cadastre_exit_code code = admit_queue(lock, of_type, want); code != CADASTRE_SUCCESS) return code;
  Context& context = lock.context();
  for (bool has_looked = want.capturing;;) {
    found = whole_part(context, of_type, want);
    if (!found && want.bytes == 0) found = of_type.workspaces.emplace_back(make_owned<Workspace>()).get();
    if (found) {
      found->prepare();
      if (found->event.use_count() > 1) {
        found->event = std::make_shared<Backend::Event>(nullptr);
        found->forget_order();
      }
      found->thread = this_thread();
      return CADASTRE_SUCCESS;
    }
    if (!std::exchange(has_looked, true) && are_many(of_type)) {
      look_at_idle(lock, of_type, IdleLook::Of::all);
      tidy(lock, of_type, *of_type.workspaces.front());
      continue;
    }
    const bool too_many = of_type.count_idle() >= most_unfinished;
    Ranges taken;
    if (!too_many) taken = best_of(free_ranges(context, of_type, want, Waiting::never), want, Cut::allowed);
    const Ranges all = free_ranges(context, of_type, want, Waiting::allowed);
    if (taken.empty()) taken = best_of(all, want, too_many ? Cut::never : Cut::allowed);
    if (taken.empty()) return refuse_part(of_type, want, largest_run(all));
    const auto leased = std::find_if(taken.begin(), taken.end(), [](const Range& range) { return !range.part->idle(); });
    if (leased == taken.end()) return take_ranges(lock, of_type, taken, want, found);
    const auto whole = std::find_if(all.begin(), all.end(),
                                    [&](const Range& range) { return leased->begin >= range.begin && leased->begin < range.end(); });
    if (const cadastre_exit_code code = set_apart(lock, of_type, *whole, want); code != CADASTRE_SUCCESS) return code;
  }
}

namespace {

bool may_be_one(Context& context, const Workspace& left, const Workspace& right, bool many) noexcept {
  const auto is_free = [](const Workspace& part) { return part.idle() && !part.pieces().empty(); };
  if (!is_free(left) || !is_free(right)) return false;
  if (right.touched_bytes() == 0) return true;
  const bool is_clean_between = left.touched_bytes() < left.size() && context.backend().has_events();
  if ((is_clean_between && !many) || left.captured != right.captured) return false;
  if (left.touched_bytes() == 0) return true;
  if (!left.was_on(right.queue, right.identity)) return false;
  return left.behind == right.behind && (left.behind != Behind::event || left.event == right.event);
}

}  // namespace

Workspace* tidy(ContextLock& lock, WorkspacesOfType& of_type, Workspace& part) noexcept {
  Workspace* now = &part;
  const bool many = are_many(of_type);
  for (std::size_t i = 0; i < of_type.workspaces.size();) {
    Workspace* const left = i > 0 ? of_type.workspaces[i - 1].get() : nullptr;
    Workspace& gone = *of_type.workspaces[i++];
    const bool is_empty = gone.idle() && gone.pieces().empty();
    if (!is_empty && !(left && may_be_one(lock.context(), *left, gone, many))) continue;
    if (!is_empty) left->join(gone);
    if (now == &gone) now = is_empty ? nullptr : left;
    const Backend::Event event = of_type.take(gone)->drop_event();
    if (destroy_events(lock, {&event, 1})) now = nullptr;
    i = 0;
  }
  return now;
}

void let_others_record(ContextLock& lock, const WorkspacesOfType& of_type, cadastre_queue queue) noexcept {
  const auto is_asked = [&] { return std::find(of_type.asked.begin(), of_type.asked.end(), queue) != of_type.asked.end(); };
  while (queue != CADASTRE_DEFAULT_QUEUE && is_asked()) {
    lock.in_backend([] { return std::this_thread::yield(), CADASTRE_SUCCESS; });
  }
}

}  // namespace cadastre::internal
