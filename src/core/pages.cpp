// Tangled from org/pages.org; change the chapter, then run: make tangle
#include "core/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/page_map.hpp"
#include "fail.hpp"

namespace cadastre::internal {

constinit PageMap page_map;
constinit LooseMap loose_map;

namespace {

struct Arenas {
  Mutex<Rank::arenas> mutex;
  Arena* all CADASTRE_GUARDED_BY(mutex) = nullptr;
  Arena* spare CADASTRE_GUARDED_BY(mutex) = nullptr;
};
constinit Arenas arenas;
constinit Mutex<Rank::page_map> cover_mutex;
constinit std::atomic<std::size_t> kept_pages = 0;
constinit std::atomic<std::size_t> most_kept_pages = most_kept_page_bytes / page_bytes;  // more where the system takes none

void* map_pages(std::size_t bytes) noexcept {
  if (system_fails(ENOMEM)) return nullptr;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// At a multiple of its size.
std::uintptr_t map_chunk() noexcept {
  void* const first = map_pages(chunk_bytes);
  if (!first) return 0;
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  if (at % chunk_bytes == 0) return at;
  munmap(first, chunk_bytes);
  void* const wide = map_pages(2 * chunk_bytes - page_bytes);
  if (!wide) return 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(wide), aligned = (begin + chunk_bytes - 1) / chunk_bytes * chunk_bytes;
  const std::uintptr_t end = begin + 2 * chunk_bytes - page_bytes;
  if (aligned > begin) munmap(wide, aligned - begin);
  if (end > aligned + chunk_bytes) munmap(reinterpret_cast<void*>(aligned + chunk_bytes), end - aligned - chunk_bytes);
  return aligned;
}

}  // namespace

std::size_t kept_page_bytes() noexcept { return kept_pages.load(std::memory_order_relaxed) * page_bytes; }

void LooseMap::note(std::uintptr_t begin, std::size_t bytes) noexcept {
  const std::uintptr_t first = begin / granule, last = (begin + bytes) / granule;
  if (last - first >= granules) return note_all();
  for (std::uintptr_t number = first; number <= last; ++number) {
    std::atomic<std::uint64_t>& word = words_[number % granules / 64];
    const std::uint64_t bit = std::uint64_t{1} << number % 64;
    if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
  }
}

void LooseMap::note_all() noexcept {
  for (std::atomic<std::uint64_t>& word : words_) word.store(UINT64_MAX, std::memory_order_relaxed);
}

bool PageMap::cover(std::uintptr_t begin, std::size_t bytes) noexcept {
  const std::uintptr_t first = begin >> leaf_log2, last = (begin + bytes - 1) >> leaf_log2;
  if (last >= leaves) return false;
  for (std::uintptr_t number = first; number <= last; ++number) {
    if (root_[number].load(std::memory_order_acquire)) continue;
    const Locked locked(cover_mutex);
    if (root_[number].load(std::memory_order_relaxed)) continue;
    void* const leaf = map_pages(sizeof(Leaf));
    if (!leaf) return false;
#ifdef MADV_NOHUGEPAGE
    madvise(leaf, sizeof(Leaf), MADV_NOHUGEPAGE);
#endif
    root_[number].store(static_cast<Leaf*>(leaf), std::memory_order_release);
  }
  return true;
}

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

bool Arena::add_chunk() noexcept {
  auto* const chunk = static_cast<Chunk*>(take_own(sizeof(Chunk)));
  if (!chunk) return false;
  const std::uintptr_t begin = map_chunk();
  if (begin == 0 || !page_map.cover(begin, chunk_bytes)) {
    if (begin != 0) munmap(reinterpret_cast<void*>(begin), chunk_bytes);
    give_own(chunk, sizeof(Chunk));
    return false;
  }
#ifdef MADV_NOHUGEPAGE
  madvise(reinterpret_cast<void*>(begin), chunk_bytes, MADV_NOHUGEPAGE);
#endif
  ::new (chunk) Chunk{.begin = begin, .arena = this, .next = chunks_, .taken = {}, .dirty = {}};
  for (const unsigned edge : {0u, chunk_pages - 1}) {
    chunk->taken.add(edge, 1);
    chunk->dirty.add(edge, 1);
    --chunk->free;
  }
  chunks_ = chunk;
  return true;
}

// In chunks that were used before first, and there at the first place, so that the last ones become empty.
PageRun Arena::take(unsigned pages) noexcept {
  const Locked locked(mutex_);
  for (bool fresh = false;; fresh = true) {
    for (Chunk* chunk = chunks_; chunk; chunk = chunk->next) {
      if (chunk->free < pages) continue;
      const unsigned first = chunk->taken.find_gap(pages);
      if (first == chunk_pages) continue;
      const unsigned dirty = chunk->dirty.count(first, pages);
      chunk->taken.add(first, pages);
      chunk->dirty.add(first, pages);
      chunk->free -= pages;
      chunk->dirty_free -= dirty;
      kept_pages.fetch_sub(dirty, std::memory_order_relaxed);
      return {chunk->begin + first * page_bytes, chunk, dirty == 0};
    }
    if (fresh || !add_chunk()) return {};
  }
}

void Arena::give(Chunk& chunk, std::uintptr_t begin, unsigned pages) noexcept {
  Arena& arena = *chunk.arena;
  const Locked locked(arena.mutex_);
  chunk.taken.remove(static_cast<unsigned>((begin - chunk.begin) / page_bytes), pages);
  chunk.free += pages;
  chunk.dirty_free += pages;
  const std::size_t kept = kept_pages.fetch_add(pages, std::memory_order_relaxed) + pages;
  if (kept <= most_kept_pages.load(std::memory_order_relaxed)) return;
  arena.purge(chunk);
  const bool refused = chunk.dirty_free > 0;
  most_kept_pages.store(refused ? 2 * kept : most_kept_page_bytes / page_bytes, std::memory_order_relaxed);
}

bool returned_pages_read_as_zero() noexcept {
  static std::atomic<std::int8_t> known = -1;
  if (const std::int8_t is = known.load(std::memory_order_relaxed); is >= 0) return is != 0;
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;  // asked again
  auto* const word = static_cast<volatile unsigned char*>(page);
  *word = 1;
  // Where the process locks all its pages this one is refused, and nothing is known.
  const bool taken = madvise(page, bytes, MADV_DONTNEED) == 0, zero = *word == 0;
  munmap(page, bytes);
  if (!taken) return false;
  known.store(zero, std::memory_order_relaxed);
  return zero;
}

// Pages that the system does not take, as those that are locked, stay dirty, and are cleared when they are used again.
void Arena::purge(Chunk& chunk) noexcept {
  const bool read_as_zero = returned_pages_read_as_zero();
  for (unsigned page = 0; page < chunk_pages;) {
    if (chunk.taken.has(page) || !chunk.dirty.has(page)) {
      ++page;
      continue;
    }
    const unsigned first = page;
    while (page < chunk_pages && !chunk.taken.has(page) && chunk.dirty.has(page)) ++page;
    if (system_fails(EINVAL)) continue;
    if (madvise(reinterpret_cast<void*>(chunk.begin + first * page_bytes), (page - first) * page_bytes, MADV_DONTNEED) != 0) continue;
    if (!read_as_zero) continue;
    chunk.dirty.remove(first, page - first);
    chunk.dirty_free -= page - first;
    kept_pages.fetch_sub(page - first, std::memory_order_relaxed);
  }
}

void Arena::purge() noexcept {
  const Locked locked(mutex_);
  for (Chunk* chunk = chunks_; chunk; chunk = chunk->next) {
    if (chunk->dirty_free > 0) purge(*chunk);
  }
}

bool Arena::purge_all() noexcept {
  const std::size_t before = kept_page_bytes();
  const Locked locked(arenas.mutex);
  for (Arena* arena = arenas.all; arena; arena = arena->next_) arena->purge();
  return kept_page_bytes() < before;
}

bool Arena::check_invariants() noexcept {
  const Locked locked(mutex_);
  for (const Chunk* chunk = chunks_; chunk; chunk = chunk->next) {
    unsigned dirty_free = 0;
    for (unsigned page = 0; page < chunk_pages; ++page) {
      if (chunk->taken.has(page) && !chunk->dirty.has(page)) return false;
      dirty_free += chunk->dirty.has(page) && !chunk->taken.has(page);
    }
    if (chunk->arena != this || chunk->free != chunk_pages - chunk->taken.count() || chunk->dirty_free != dirty_free) return false;
  }
  return true;
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
  cover_mutex.lock_for_fork();
}

void Arena::after_fork() noexcept CADASTRE_UNCHECKED {
  cover_mutex.unlock();
  for (Arena* arena = arenas.all; arena; arena = arena->next_) arena->mutex_.unlock();
  arenas.mutex.unlock();
}

void Arena::in_child(const Arena* of_this_thread) noexcept {
  const Locked locked(arenas.mutex);
  arenas.spare = nullptr;
  for (Arena* arena = arenas.all; arena; arena = arena->next_) {
    if (arena == of_this_thread) continue;
    arena->next_spare_ = arenas.spare;
    arenas.spare = arena;
  }
}

}  // namespace cadastre::internal
