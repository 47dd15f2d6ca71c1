// Tangled from org/out/black_box.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/black_box.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "config.h"
#include "base/atomic_ref.hpp"
#include "base/capacity.hpp"
#include "base/environment.hpp"
#include "base/lock.hpp"
#include "base/own_memory.hpp"
#include "base/process.hpp"
#include "context/all_contexts.hpp"
#include "context/due_work.hpp"
#include "context/lock.hpp"
#include "core/threads.hpp"
#include "out/black_box_file.hpp"
#include "out/black_box_life.hpp"

namespace cadastre::internal {

constinit std::atomic<bool> black_box_is_open = false;

namespace {

template <class Number, class Value>
void store(Number& to, Value value) noexcept {
  AtomicRef(to).store(static_cast<Number>(value), std::memory_order_relaxed);
}

template <class Number>
Number count(Number& number) noexcept {
  return AtomicRef(number).fetch_add(1, std::memory_order_relaxed) + 1;
}

// As much as fits, and a null byte.
template <std::size_t room>
void copy_text(char (&to)[room], const char* text) noexcept {
  const std::size_t length = text ? strnlen(text, room - 1) : 0;
  if (length > 0) std::memcpy(to, text, length);
  to[length] = '\0';
}

// What lives of each label in all contexts.
class Sums : NonCopyable {
 public:
  void clear() noexcept {
    places_.fill(0);
    used_ = 0;
    others_ = 0;
    rest_ = {};
  }
  void add(const LabelShare& share) noexcept {
    std::size_t place = (share.label * std::size_t{2654435761} + static_cast<std::size_t>(share.type)) % places_.size();
    for (; places_[place] != 0; place = (place + 1) % places_.size()) {
      LabelShare& sum = sums_[places_[place] - 1u];
      if (sum.label == share.label && sum.type == share.type) return sum.count.add(share.count);
    }
    if (used_ == most) return leave_to_others(share);
    sums_[used_++] = share;
    places_[place] = static_cast<std::uint16_t>(used_);
  }
  void write(BlackBoxHolders& to) noexcept;

  BlackBoxHolders holders{};

 private:
  static constexpr std::size_t most = 1024;  // that are told apart; those that come later are of others

  void leave_to_others(const LabelShare& share) noexcept {
    ++others_;
    rest_.add(share.count);
  }

  std::array<std::uint16_t, 2 * most> places_{};  // by label and type: one more than the place in what follows; 0: none
  std::array<LabelShare, most> sums_{};
  std::size_t used_ = 0;
  std::uint64_t others_ = 0;
  LabelCount rest_;
};

void Sums::write(BlackBoxHolders& to) noexcept {
  std::sort(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(used_),
            [](const LabelShare& a, const LabelShare& b) { return a.count.bytes > b.count.bytes; });
  to.number = std::min(used_, most_black_box_holders);
  for (std::size_t i = to.number; i < used_; ++i) leave_to_others(sums_[i]);
  for (std::size_t i = 0; i < to.number; ++i) {
    const LabelShare& share = sums_[i];
    copy_text(to.holder[i].label, text_of(share.label));
    to.holder[i].bytes = share.count.bytes;
    to.holder[i].blocks = share.count.blocks;
    to.holder[i].type = static_cast<std::uint64_t>(share.type);
  }
  std::int64_t together = rest_.bytes;
  for (std::size_t i = 0; i < to.number; ++i) together += sums_[i].count.bytes;
  to.together = static_cast<std::uint64_t>(std::max<std::int64_t>(together, 0));
  to.others = others_;
  to.others_bytes = rest_.bytes;
  to.others_blocks = rest_.blocks;
}

struct BlackBox {
  BlackBoxFile file;
  ProcessMark mark;
  BlackBoxPages* pages = nullptr;
  bool has_events = false;                   // which only readers of a file are shown
  Sums* sums = nullptr;                      // for who adds up
  std::int64_t start = 0;                    // of its clock
  std::atomic<std::uint64_t> due_above = 0;  // bytes of all memory types
  std::atomic<std::uint64_t> due_below = 0;
  std::atomic<std::int64_t> spent_as_it_changed = 0, spent_on_refusals = 0;  // nanoseconds, on adding up holders
  std::atomic<std::int64_t> not_before = 0;                                  // of the system's clock: holders are added up
  std::atomic<bool> is_refused = false;                                      // a request, since then
  std::atomic<bool> is_adding_up = false;
  std::atomic<std::uint64_t> uses = 0;  // that were kept
};

constinit BlackBox box;

// Of several threads that show what others change, the last one shows what is.
template <class Number, class Read>
void show_last(Number& to, Read read) noexcept {
  const AtomicRef shown(to);
  for (auto value = read();; value = read()) {
    if (shown.load() != static_cast<Number>(value)) shown.store(static_cast<Number>(value));
    if (read() == value) return;
  }
}

void show_bytes(cadastre_memory_type type, std::uint64_t together) noexcept {
  const SharedBytes& bytes = process_account().of(type);
  BlackBoxFigures& figures = box.pages->figures;
  BlackBoxBytes& shown = figures.of[type];
  show_last(shown.live, [&] { return bytes.live(); });
  show_last(shown.blocks, [&] { return bytes.blocks(); });
  show_last(shown.most, [&] { return bytes.most_live(); });
  show_last(shown.most_blocks, [&] { return bytes.most_blocks(); });
  show_last(shown.kept, [&] { return bytes.kept(); });
  if (together > AtomicRef(figures.most_together).load(std::memory_order_relaxed)) store(figures.most_together, together);
}

void show_limits() noexcept {
  BlackBoxFigures& figures = box.pages->figures;
  show_last(figures.limit_together, [] { return process_account().limit(CADASTRE_ALL_MEMORY_TYPES); });
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type)
    show_last(figures.of[type].limit, [type] { return process_account().of(type).limit(); });
}

bool are_holders_old_at(std::uint64_t together) noexcept {
  return together > box.due_above.load(std::memory_order_relaxed) || together < box.due_below.load(std::memory_order_relaxed);
}

// The watcher of the accounts: its caller may hold locks.
void keep_bytes(const SharedAccount& account, cadastre_memory_type type) noexcept {
  if (!box.mark.is_own()) return;
  const BytesInUse now = bytes_in_use();
  if (is_memory_type(type)) show_bytes(type, now.live);
  if (!account.parent()) show_limits();
  std::uint8_t due = 0;
  if (are_holders_old_at(now.live)) due |= holders_are_old;
  if (look_at_limits(account, type, now)) due |= limits_are_to_be_looked_at;
  note_due(due);
}

void fill(BlackBoxEvent& event, const TraceRecord& record, const char* label, std::int64_t time) noexcept {
  event.time = time;
  event.thread = static_cast<std::uint32_t>(this_thread());
  event.kind = static_cast<std::uint8_t>(record.kind);
  event.type = record.type;
  event.result = record.result;
  event.context = record.context;
  event.block = record.block;
  event.size = record.size;
  copy_text(event.label, label);
}

// change: writes what is between the two stores.
template <class Change>
void change_whole(std::uint64_t& sequence, std::uint64_t number, Change change) noexcept {
  AtomicRef(sequence).store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  change();
  AtomicRef(sequence).store(number, std::memory_order_release);
}

// The watcher of refusals. They are requests, whatever function made them.
void keep_refusal(cadastre_context context, const char* function) noexcept {
  if (!box.mark.is_own()) return;
  const Failure& failure = failed_last();
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell(context, function, failure, error);
  const bool has_type = is_memory_type(failure.type);
  const TraceRecord record = {.kind = TraceKind::malloc,
                              .type = has_type ? static_cast<std::uint8_t>(failure.type) : no_trace_type,
                              .result = failure.exit_code,
                              .context = static_cast<std::uint64_t>(context),
                              .size = failure.bytes > 0 ? failure.bytes : failure.requested};
  const std::uint64_t number = count(box.pages->figures.refusals);
  BlackBoxRefusal& refusal = box.pages->refusals[(number - 1) % black_box_refusals];
  change_whole(refusal.event.sequence, number, [&] {
    fill(refusal.event, record, failure.label.characters, time_of_black_box());
    refusal.live = has_type ? process_account().of(failure.type).live() : 0;
    copy_text(refusal.said, error.message);
  });
  if (has_type) count(box.pages->figures.of[failure.type].refused);
  box.is_refused.store(true, std::memory_order_relaxed);
  note_due(holders_are_old | one_was_refused);
}

// Over the older one of two.
void keep(BlackBoxHolders (&both)[2], const BlackBoxHolders& holders) noexcept {
  const std::uint64_t newest = std::max(both[0].sequence, both[1].sequence);
  BlackBoxHolders& older = both[0].sequence <= both[1].sequence ? both[0] : both[1];
  change_whole(older.sequence, newest + 1, [&] {
    constexpr std::size_t first = sizeof older.sequence;
    std::memcpy(reinterpret_cast<char*>(&older) + first, reinterpret_cast<const char*>(&holders) + first, sizeof older - first);
  });
}

void keep(BlackBoxPages& pages, Sums& sums) noexcept {
  BlackBoxHolders& holders = sums.holders;  // of own memory, for a handler of signals may have a small stack
  sums.write(holders);
  holders.resident = resident_bytes().value_or(0);
  keep(pages.last, holders);
  const std::uint64_t peak = std::max(pages.at_peak[0].together, pages.at_peak[1].together);
  if (holders.together >= peak) keep(pages.at_peak, holders);
}

// After one that had to wait, in vain: for twenty times as long.
void leave_alone_since(std::int64_t before) noexcept {
  const std::int64_t now = clock_of(CLOCK_MONOTONIC);
  box.not_before.store(now + 20 * (now - before), std::memory_order_relaxed);
}

// For who is alone. Where a thread stays inside a context, there are those that were added up before.
void add_up(BlackBoxPages& pages, Sums& sums) noexcept {
  sums.holders.time = time_of_black_box();
  sums.clear();
  const std::int64_t before = clock_of(CLOCK_MONOTONIC);
  const bool are_all =
      for_each_label_share(&sums, [](void* whose, const LabelShare& share) noexcept { static_cast<Sums*>(whose)->add(share); });
  if (!black_box_is_own()) return;  // in the child of a fork that a handler made meanwhile
  if (are_all) keep(pages, sums);
  else leave_alone_since(before);
  const std::uint64_t together = bytes_in_use().live;
  box.due_above.store(together + std::max<std::uint64_t>(together / 100, 64 << 10), std::memory_order_relaxed);
  box.due_below.store(together - together / 10, std::memory_order_relaxed);
}

void keep_no_more() noexcept {
  bytes_watcher = nullptr;
  refusal_watcher = nullptr;
  due_worker = nullptr;
  work_is_due = 0;
}

void end_black_box() noexcept {
  if (!black_box_is_own() || !black_box_is_open.exchange(false)) return;
  keep_no_more();
  store(box.pages->head.state, BlackBoxState::ended);
  box.file.remove();
}

// What the host offers costs a quarter of a millisecond to find out, so the first look at what is used of it says that, too. It may change.
void keep_capacity(BlackBoxHead& head) noexcept {
  const HostCapacity& capacity = capacity_seen();
  const AtomicRef shown(head.capacity);
  if (shown.load(std::memory_order_relaxed) == capacity.bytes) return;
  shown.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  copy_text(head.capacity_from, capacity.why);
  shown.store(capacity.bytes, std::memory_order_release);
}

void write_head(BlackBoxHead& head) noexcept {
  head.byte_order = black_box_byte_order;
  head.version = black_box_version;
  head.bytes = sizeof(BlackBoxPages);
  head.process = static_cast<std::uint64_t>(process_id());
  head.pid_namespace = pid_namespace();
  head.began = time_now();
  copy_text(head.library, PACKAGE_VERSION);
  copy_text(head.host, process().host);
  copy_text(head.rank, process().rank);
  copy_text(head.program, process().program);
  store(head.state, BlackBoxState::written);
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(head.magic, black_box_magic, sizeof head.magic);
}

}  // namespace

bool black_box_is_own() noexcept { return black_box_is_open && box.mark.is_own(); }

const BlackBoxPages* black_box_pages() noexcept { return box.pages; }

std::int64_t time_of_black_box() noexcept { return clock_of(CLOCK_MONOTONIC) - box.start; }

bool open_black_box(const std::string& folder) noexcept {
  if (!box.sums) box.sums = make_own<Sums>();
  if (box.sums) box.pages = folder.empty() ? static_cast<BlackBoxPages*>(take_own(sizeof(BlackBoxPages))) : box.file.make(folder.c_str());
  if (!box.pages) return false;
  box.has_events = !folder.empty();
  box.start = clock_of(CLOCK_MONOTONIC);
  box.mark.make();
  write_head(box.pages->head);
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) show_bytes(type, bytes_in_use().live);
  show_limits();
  if (std::atexit(end_black_box) != 0) return box.file.remove(), false;
  bytes_watcher = keep_bytes;
  refusal_watcher = keep_refusal;
  black_box_is_open = true;
  return true;
}

void leave_black_box_to_the_parent() noexcept {
  keep_no_more();
  if (black_box_is_open.exchange(false)) box.file.leave_to_the_parent();
}

void keep_use(const LimitUse& use) noexcept {
  if (use.place >= black_box_uses || !black_box_is_own()) return;
  if (use.place == LimitUse::host) keep_capacity(box.pages->head);
  BlackBoxUse& kept = box.pages->figures.uses[use.place];
  const std::uint64_t number = ++box.uses;
  change_whole(kept.sequence, number, [&] {
    kept.time = time_of_black_box();
    kept.used = use.used;
    kept.limit = use.limit;
    kept.live = use.live;
    copy_text(kept.what, use.of);
  });
}

void keep_event(const TraceRecord& record, const char* label) noexcept {
  if (!box.has_events || !box.mark.is_own()) return;
  BlackBoxFigures& figures = box.pages->figures;
  const std::int64_t time = time_of_black_box();
  store(figures.time, time);
  const std::uint64_t number = count(figures.events);
  BlackBoxEvent& event = box.pages->events[(number - 1) % black_box_events];
  change_whole(event.sequence, number, [&] { fill(event, record, label, time); });
}

void add_up_holders() noexcept {
  if (!black_box_is_open || box.is_adding_up.exchange(true)) return;
  box.is_refused.store(false, std::memory_order_relaxed);
  add_up(*box.pages, *box.sums);
  box.is_adding_up.store(false, std::memory_order_release);
}

bool add_up_holders_if_due() noexcept {
  constexpr std::int64_t share = 200, at_first = 300'000, at_first_on_refusals = 20'000'000;
  const std::int64_t before = std::max(clock_of(CLOCK_MONOTONIC_COARSE), box.start);  // some milliseconds too early, for many ask in vain
  const bool is_refused = box.is_refused.load(std::memory_order_relaxed);
  if (!is_refused && !are_holders_old_at(bytes_in_use().live)) return false;
  if (before < box.not_before.load(std::memory_order_relaxed)) return false;
  std::atomic<std::int64_t>& spent = is_refused ? box.spent_on_refusals : box.spent_as_it_changed;
  if (spent.load(std::memory_order_relaxed) > (before - box.start) / share + (is_refused ? at_first_on_refusals : at_first)) return false;
  const std::int64_t busy_before = clock_of(CLOCK_THREAD_CPUTIME_ID);
  add_up_holders();
  spent.fetch_add(clock_of(CLOCK_THREAD_CPUTIME_ID) - busy_before, std::memory_order_relaxed);
  return true;
}

}  // namespace cadastre::internal
