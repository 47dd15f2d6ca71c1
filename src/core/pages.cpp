// Tangled from org/core/pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "base/checkers.hpp"
#include "base/fail.hpp"
#include "core/kept_runs.hpp"
#include "core/page_map.hpp"

namespace cadastre::internal {

namespace {

struct Arenas {
  Mutex<Rank::arenas> mutex;
  Arena* all CADASTRE_GUARDED_BY(mutex) = nullptr;
  Arena* spare CADASTRE_GUARDED_BY(mutex) = nullptr;
};
constinit Arenas arenas;
constinit std::atomic<std::size_t> kept = 0;    // bytes
constinit std::atomic<std::size_t> taken = 0;   // likewise, of pages
constinit std::atomic<std::size_t> mapped = 0;  // likewise
constinit std::atomic<PageTime> next_decay = 0;
constinit std::atomic<std::size_t> most_kept = most_kept_page_bytes;  // more where the system takes none

void count_kept(const Chunk& chunk, unsigned pages) noexcept { kept.fetch_add(pages * chunk.page(), std::memory_order_relaxed); }
void count_used(const Chunk& chunk, unsigned pages) noexcept { kept.fetch_sub(pages * chunk.page(), std::memory_order_relaxed); }

// At a multiple of its size.
std::uintptr_t map_chunk(std::size_t bytes) noexcept {
  void* const first = map_fresh(bytes);
  if (!first) return 0;
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  if (at % bytes == 0) return at;
  munmap(first, bytes);
  void* const wide = map_fresh(2 * bytes - page_bytes);
  if (!wide) return 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(wide), aligned = (begin + bytes - 1) / bytes * bytes;
  const std::uintptr_t end = begin + 2 * bytes - page_bytes;
  if (aligned > begin) munmap(wide, aligned - begin);
  if (end > aligned + bytes) munmap(reinterpret_cast<void*>(aligned + bytes), end - aligned - bytes);
  return aligned;
}

// What the maps and the checkers of memory know of a chunk for blocks while it is there.
void make_known(Chunk& chunk) noexcept {
  if (chunk.what == PagesFor::records) return;
  add_roots(pointer_to(chunk.begin), chunk.bytes());
  if (chunk.what == PagesFor::blocks) return page_map.add_chunk(chunk.begin);
  poison(pointer_to(chunk.begin), chunk.bytes());
  page_map.set_page_block_chunk(chunk.begin, &chunk);
}
void make_unknown(Chunk& chunk) noexcept {
  if (chunk.what == PagesFor::records) return;
  remove_roots(pointer_to(chunk.begin), chunk.bytes());
  if (chunk.what == PagesFor::blocks) return page_map.remove_chunk(chunk.begin);
  unpoison(pointer_to(chunk.begin), chunk.bytes());
  page_map.set_page_block_chunk(chunk.begin, nullptr);
}

}  // namespace

std::size_t kept_page_bytes() noexcept { return kept.load(std::memory_order_relaxed); }
std::size_t mapped_chunk_bytes() noexcept { return mapped.load(std::memory_order_relaxed); }

unsigned PageSet::count(unsigned first, unsigned pages) const noexcept {
  unsigned sum = 0;
  for_each_word(first, pages, [&](unsigned word, std::uint64_t mask) { sum += static_cast<unsigned>(std::popcount(words_[word] & mask)); });
  return sum;
}

unsigned PageSet::find_gap(unsigned pages) const noexcept {
  unsigned begin = 0;
  while (begin + pages <= chunk_pages) {
    const std::uint64_t free_here = ~words_[begin / 64] >> begin % 64;
    if (free_here == 0) {
      begin = (begin / 64 + 1) * 64;
      continue;
    }
    begin += static_cast<unsigned>(std::countr_zero(free_here));
    unsigned end = begin;
    while (end < chunk_pages && end - begin < pages) {
      const std::uint64_t taken_here = words_[end / 64] >> end % 64;
      const unsigned gap = taken_here == 0 ? 64 - end % 64 : static_cast<unsigned>(std::countr_zero(taken_here));
      if (gap == 0) break;
      end += gap;
    }
    if (end - begin >= pages && begin + pages <= chunk_pages) return begin;
    begin = end + 1;
  }
  return chunk_pages;
}

bool Arena::add_chunk(PagesFor what) noexcept {
  auto* const chunk = static_cast<Chunk*>(take_own(sizeof(Chunk)));
  if (!chunk) return false;
  const std::size_t bytes = chunk_bytes_for(what);
  const std::uintptr_t begin = map_chunk(bytes);
  if (begin == 0 || (what != PagesFor::records && !page_map.cover(begin, bytes))) {
    if (begin != 0) munmap(reinterpret_cast<void*>(begin), bytes);
    give_own(chunk, sizeof(Chunk));
    return false;
  }
#ifdef MADV_NOHUGEPAGE
  if (what != PagesFor::page_blocks) madvise(reinterpret_cast<void*>(begin), bytes, MADV_NOHUGEPAGE);
#endif
  Chunk*& first = chunks_[static_cast<unsigned>(what)];
  first = ::new (chunk) Chunk{.begin = begin, .arena = this, .what = what, .next = first, .taken = {}, .dirty = {}, .returning = {}};
  mapped.fetch_add(bytes, std::memory_order_relaxed);
  make_known(*chunk);
  for (const unsigned edge : {0u, chunk_pages - 1}) {
    chunk->taken.add(edge, 1);
    chunk->dirty.add(edge, 1);
  }
  chunk->free -= edge_pages;
  return true;
}

// Whether they are zero.
bool Arena::mark_taken(Chunk& chunk, unsigned first, unsigned pages) noexcept {
  const unsigned dirty = chunk.dirty.count(first, pages);
  chunk.taken.add(first, pages);
  chunk.dirty.add(first, pages);
  chunk.free -= pages;
  chunk.dirty_free -= dirty;
  count_used(chunk, dirty);
  taken.fetch_add(pages * chunk.page(), std::memory_order_relaxed);
  return dirty == 0;
}

// In chunks that were used before first, and there at the first place, so that the last ones become empty.
PageRun Arena::take(unsigned pages, PagesFor what) noexcept {
  const Locked locked(mutex_);
  for (bool fresh = false;; fresh = true) {
    for (Chunk* chunk = chunks_[static_cast<unsigned>(what)]; chunk; chunk = chunk->next) {
      if (chunk->free < pages) continue;
      const unsigned first = chunk->taken.find_gap(pages);
      if (first == chunk_pages) continue;
      const bool zeroed = mark_taken(*chunk, first, pages);
      return {chunk->begin + first * chunk->page(), chunk, zeroed};
    }
    if (fresh || !add_chunk(what)) return {};
  }
}

bool Arena::take_at(Chunk& chunk, std::uintptr_t begin, unsigned pages) noexcept {
  const auto first = static_cast<unsigned>((begin - chunk.begin) / chunk.page());
  const Locked locked(chunk.arena->mutex_);
  if (first + pages > chunk_pages || chunk.taken.count(first, pages) > 0) return false;
  mark_taken(chunk, first, pages);
  return true;
}

void Arena::give(Chunk& chunk, std::uintptr_t begin, unsigned pages) noexcept {
  Arena& arena = *chunk.arena;
  const auto first = static_cast<unsigned>((begin - chunk.begin) / chunk.page());
  const PageTime now = page_time();
  const Locked locked(arena.mutex_);
  chunk.taken.remove(first, pages);
  chunk.free += pages;
  chunk.dirty_free += pages;
  for (unsigned part = first / Chunk::pages_of_part; part * Chunk::pages_of_part < first + pages; ++part) {
    chunk.times[part] = static_cast<std::uint8_t>(now);
  }
  if (chunk.free + edge_pages == chunk_pages) chunk.emptied = now;
  count_kept(chunk, pages);
  taken.fetch_sub(pages * chunk.page(), std::memory_order_relaxed);
}

namespace {

bool is_old(const Chunk& chunk, unsigned page, PageTime now, unsigned age) noexcept {
  return static_cast<std::uint8_t>(now - chunk.times[page / Chunk::pages_of_part]) >= age;
}

}  // namespace

template <class Action>
void Arena::for_each_arena(Action action) noexcept {
  Arena* arena = nullptr;
  {
    const Locked locked(arenas.mutex);
    arena = arenas.all;
  }
  for (; arena; arena = arena->next_) action(*arena);  // none goes, and new ones come in front
}

template <class Action>
void Arena::for_each_chunk(Action action) noexcept {
  for (Chunk* const first : chunks_) {
    for (Chunk* chunk = first; chunk; chunk = chunk->next) action(*chunk);
  }
}

// A chunk in which a page is taken stays, so that the lock may be left meanwhile.
void Arena::purge_run(Chunk& chunk, unsigned first, unsigned pages) noexcept {
  chunk.taken.add(first, pages);
  chunk.returning.add(first, pages);
  chunk.free -= pages;
  chunk.dirty_free -= pages;
  count_used(chunk, pages);
  mutex_.unlock();
  const std::size_t page = chunk.page();
  const ReturnedPages returned = return_pages(chunk.begin + first * page, chunk.begin + (first + pages) * page);
  mutex_.lock();
  chunk.taken.remove(first, pages);
  chunk.returning.remove(first, pages);
  chunk.free += pages;
  const auto begin = static_cast<unsigned>((returned.begin - chunk.begin + page - 1) / page);
  const auto end = static_cast<unsigned>((returned.end - chunk.begin) / page);
  const unsigned clean = returned.zeroed && end > begin ? end - begin : 0;
  if (clean > 0) chunk.dirty.remove(begin, clean);
  chunk.dirty_free += pages - clean;
  count_kept(chunk, pages - clean);
}

void Arena::purge(Chunk& chunk, PageTime now, unsigned age) noexcept {
  const auto goes = [&](unsigned page) { return !chunk.taken.has(page) && chunk.dirty.has(page) && is_old(chunk, page, now, age); };
  for (unsigned page = 0; page < chunk_pages;) {
    if (!goes(page)) {
      ++page;
      continue;
    }
    const unsigned first = page;
    while (page < chunk_pages && goes(page)) ++page;
    purge_run(chunk, first, page - first);
  }
}

void Arena::purge(PageTime now, unsigned age) noexcept {
  const Locked locked(mutex_);
  for_each_chunk([&](Chunk& chunk) CADASTRE_UNCHECKED {
    if (chunk.dirty_free > 0) purge(chunk, now, age);
  });
}

void Arena::return_surplus() noexcept { return_beyond(taken.load(std::memory_order_relaxed) / 4); }

void Arena::return_beyond(std::size_t bytes) noexcept {
  const auto is_too_much = [=] { return kept_page_bytes() > std::max(most_kept.load(std::memory_order_relaxed), bytes); };
  if (!is_too_much()) return;
  for_each_arena([&](Arena& arena) {
    const Locked locked(arena.mutex_);
    arena.for_each_chunk([&](Chunk& chunk) CADASTRE_UNCHECKED {
      if (chunk.dirty_free > 0 && is_too_much()) arena.purge(chunk, 0, 0);
    });
  });
  most_kept.store(is_too_much() ? 2 * kept_page_bytes() : most_kept_page_bytes, std::memory_order_relaxed);
}

void return_surplus() noexcept {
  Arena::return_beyond(0);
  give_up_kept_runs(most_kept_page_bytes - std::min(most_kept_page_bytes, kept_page_bytes()));
}

bool Arena::purge_all(PageTime now, unsigned age) noexcept {
  const std::size_t before = kept_page_bytes();
  for_each_arena([&](Arena& arena) { arena.purge(now, age); });
  return kept_page_bytes() < before;
}

bool Arena::unmap_empty(PageTime now, unsigned age) noexcept {
  Chunk* gone = nullptr;
  {
    const Locked locked(mutex_);
    for (Chunk*& first : chunks_) {
      bool one_stays = age > 0;
      for (Chunk** place = &first; *place;) {
        Chunk* const chunk = *place;
        const bool goes = chunk->free + edge_pages == chunk_pages &&
                          (age == 0 || static_cast<std::int32_t>(now - chunk->emptied) >= static_cast<std::int32_t>(age));
        if (!goes || std::exchange(one_stays, false)) {
          place = &chunk->next;
          continue;
        }
        *place = chunk->next;
        chunk->next = std::exchange(gone, chunk);
        count_used(*chunk, chunk->dirty_free);
      }
    }
  }
  bool any = false;
  while (Chunk* const chunk = gone) {
    gone = chunk->next;
    make_unknown(*chunk);  // before somebody else can have these addresses
    if (!system_fails(ENOMEM) && munmap(reinterpret_cast<void*>(chunk->begin), chunk->bytes()) == 0) {
      mapped.fetch_sub(chunk->bytes(), std::memory_order_relaxed);
      give_own(chunk, sizeof(Chunk));
      any = true;
      continue;
    }
    make_known(*chunk);
    const Locked locked(mutex_);  // where there are as many mappings as there may be
    count_kept(*chunk, chunk->dirty_free);
    Chunk*& first = chunks_[static_cast<unsigned>(chunk->what)];
    chunk->next = std::exchange(first, chunk);
  }
  return any;
}

bool Arena::give_up_all(PageTime now, unsigned age) noexcept {
  bool any = give_up_kept_runs(0, now, age);
  for_each_arena([&](Arena& arena) { any = arena.unmap_empty(now, age) || any; });
  return purge_all(now, age) || any;
}

bool Arena::is_due_to_decay(PageTime now) noexcept {
  return static_cast<std::int32_t>(now - next_decay.load(std::memory_order_relaxed)) >= 0;
}

void Arena::decay(PageTime now) noexcept {
  PageTime due = next_decay.load(std::memory_order_relaxed);
  if (static_cast<std::int32_t>(now - due) < 0) return;
  if (!next_decay.compare_exchange_strong(due, now + page_ticks_of_decay / 2, std::memory_order_relaxed)) return;
  give_up_all(now, page_ticks_of_decay);
}

bool Arena::check_invariants() noexcept {
  const Locked locked(mutex_);
  bool good = true;
  for_each_chunk([&](const Chunk& chunk) {
    unsigned dirty_free = 0;
    for (unsigned page = 0; page < chunk_pages; ++page) {
      good = good && (chunk.dirty.has(page) || !chunk.taken.has(page)) && (chunk.taken.has(page) || !chunk.returning.has(page));
      dirty_free += chunk.dirty.has(page) && !chunk.taken.has(page);
    }
    good = good && chunk.arena == this && chunk.free == chunk_pages - chunk.taken.count() && chunk.dirty_free == dirty_free;
  });
  return good;
}

// Of threads that are not there any more.
void Arena::end_returns() noexcept {
  const Locked locked(mutex_);
  for_each_chunk([](Chunk& chunk) {
    for (unsigned page = 0; page < chunk_pages; ++page) {
      if (!chunk.returning.has(page)) continue;
      chunk.taken.remove(page, 1);
      chunk.returning.remove(page, 1);
      ++chunk.free;
      ++chunk.dirty_free;
      count_kept(chunk, 1);
    }
  });
}

Arena* Arena::adopt() noexcept {
  const Locked locked(arenas.mutex);
  if (Arena* const spare = arenas.spare) {
    arenas.spare = spare->next_spare_;
    return spare;
  }
  Arena* const arena = make_own<Arena>();
  if (!arena) return nullptr;
  arena->next_ = arenas.all;
  return arenas.all = arena;
}

void Arena::abandon() noexcept {
  const Locked locked(arenas.mutex);
  next_spare_ = arenas.spare;
  arenas.spare = this;
}

void Arena::before_fork() noexcept CADASTRE_UNCHECKED {
  arenas.mutex.lock_for_fork();
  for (Arena* arena = arenas.all; arena; arena = arena->next_) arena->mutex_.lock_for_fork();
  PageMap::before_fork();
}

void Arena::after_fork() noexcept CADASTRE_UNCHECKED {
  PageMap::after_fork();
  for (Arena* arena = arenas.all; arena; arena = arena->next_) arena->mutex_.unlock();
  arenas.mutex.unlock();
}

void Arena::in_child(const Arena* of_this_thread) noexcept {
  const Locked locked(arenas.mutex);
  arenas.spare = nullptr;
  for (Arena* arena = arenas.all; arena; arena = arena->next_) {
    arena->end_returns();
    if (arena == of_this_thread) continue;
    arena->next_spare_ = arenas.spare;
    arenas.spare = arena;
  }
}

}  // namespace cadastre::internal
