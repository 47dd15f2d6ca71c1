// Tangled from org/core/kept_runs.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/kept_runs.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <new>
#include <optional>

#include "base/checkers.hpp"
#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/process.hpp"

namespace cadastre::internal {
namespace {

struct Run {
  std::uintptr_t begin = 0;
  std::size_t granules = 0;
  std::uint16_t time = 0;  // when it was kept

  constexpr std::size_t bytes() const noexcept { return granules * granule_bytes; }
  constexpr std::uintptr_t end() const noexcept { return begin + bytes(); }
  Run cut_front(std::size_t count) noexcept {
    const Run front{begin, count, time};
    begin += front.bytes();
    granules -= count;
    return front;
  }
};

// In one word; none: 0.
constexpr unsigned place_bits = 27, size_bits = 21;
constexpr bool has_word(const Run& run) noexcept {
  return run.end() / granule_bytes < std::uint64_t{1} << place_bits && run.granules < std::size_t{1} << size_bits;
}
constexpr std::uint64_t word_of(const Run& run) noexcept {
  return run.begin / granule_bytes | std::uint64_t{run.granules} << place_bits | std::uint64_t{run.time} << (place_bits + size_bits);
}
constexpr std::size_t granules_of(std::uint64_t word) noexcept { return word >> place_bits & ((std::uint64_t{1} << size_bits) - 1); }
constexpr Run run_of(std::uint64_t word) noexcept {
  const auto place = static_cast<std::uintptr_t>(word & ((std::uint64_t{1} << place_bits) - 1));
  return {place * granule_bytes, granules_of(word), static_cast<std::uint16_t>(word >> (place_bits + size_bits))};
}

constinit std::array<std::atomic<std::uint64_t>, 256> runs{};
// Never less than the runs have together, since it is added to before, and taken from afterwards.
constinit std::atomic<std::size_t> kept_granules = 0;
constinit std::atomic<std::size_t> held_bytes = 0;  // by blocks

bool keep(const Run& run) noexcept {
  if (!has_word(run)) return false;
  kept_granules.fetch_add(run.granules, std::memory_order_relaxed);
  for (std::atomic<std::uint64_t>& place : runs) {
    std::uint64_t none = 0;
    if (place.load(std::memory_order_relaxed) != 0) continue;
    if (place.compare_exchange_strong(none, word_of(run), std::memory_order_acq_rel, std::memory_order_relaxed)) return true;
  }
  kept_granules.fetch_sub(run.granules, std::memory_order_relaxed);
  return false;
}

std::optional<Run> take(std::atomic<std::uint64_t>& place, std::uint64_t word) noexcept {
  if (!place.compare_exchange_strong(word, 0, std::memory_order_acq_rel, std::memory_order_relaxed)) return std::nullopt;
  kept_granules.fetch_sub(granules_of(word), std::memory_order_relaxed);
  return run_of(word);
}

// The smallest of those that have so many granules, or else the largest.
std::optional<Run> take_best(std::size_t wanted) noexcept {
  const auto is_better = [=](std::size_t one, std::size_t other) { return one >= wanted ? other < wanted || one < other : one > other; };
  while (kept_granules.load(std::memory_order_relaxed) > 0) {
    std::atomic<std::uint64_t>* best = nullptr;
    std::uint64_t best_word = 0;
    for (std::atomic<std::uint64_t>& place : runs) {
      const std::uint64_t word = place.load(std::memory_order_relaxed);
      if (word == 0 || !is_better(granules_of(word), granules_of(best_word))) continue;
      best = &place;
      best_word = word;
    }
    if (!best) break;
    if (const std::optional<Run> run = take(*best, best_word)) return run;
  }
  return std::nullopt;
}

bool unmap(std::uintptr_t begin, std::size_t bytes) noexcept {
  return bytes == 0 || (!system_fails(ENOMEM) && munmap(pointer_to(begin), bytes) == 0);
}

bool give_up(const Run& run) noexcept {
  unpoison(pointer_to(run.begin), run.bytes());
  if (unmap(run.begin, run.bytes())) return true;
  poison(pointer_to(run.begin), run.bytes());
  return false;
}

}  // namespace

void* drop_pages(void* begin, std::size_t bytes) noexcept {
  const KeptErrno kept;
  munmap(begin, bytes);
  return nullptr;
}

void* map_pages(std::size_t length, std::size_t alignment) noexcept {
  const std::size_t spare = alignment - page_size();
  void* const start =
      system_fails(ENOMEM) ? MAP_FAILED : mmap(nullptr, length + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(start), begin = (first + alignment - 1) / alignment * alignment;
  const std::size_t before = begin - first, behind = spare - before;
  if (!unmap(first, before)) return drop_pages(start, length + spare);
  if (!unmap(begin + length, behind)) return drop_pages(pointer_to(begin), length + behind);
  return pointer_to(begin);
}

void ask_for_huge_pages(void* begin, std::size_t length) noexcept {
  const KeptErrno kept;
  if (!system_fails(EINVAL)) madvise(begin, length, MADV_HUGEPAGE);  // a kernel without huge pages refuses, and no harm is done
}

namespace {

std::uintptr_t map_fresh(std::size_t length, std::size_t alignment) noexcept {
  void* const begin = map_pages(length, alignment);
  if (begin) ask_for_huge_pages(begin, length);
  return reinterpret_cast<std::uintptr_t>(begin);
}

// Calls for each range of granules of which all pages are in memory, or of which some are not.
template <class Action>
void for_each_resident(std::uintptr_t begin, std::size_t granules, Action action) noexcept {
  unsigned char pages[4096];
  const std::size_t pages_each = granule_bytes / page_size(), at_once = sizeof pages / pages_each;
  std::uintptr_t from = begin;
  bool resident = false;
  for (std::size_t number = 0; number < granules;) {
    const std::size_t count = std::min(at_once, granules - number);
    const std::uintptr_t at = begin + number * granule_bytes;
    const bool known = !system_fails(EINVAL) && mincore(pointer_to(at), count * granule_bytes, pages) == 0;
    for (std::size_t each = 0; each < count; ++each, ++number) {
      const unsigned char* const first = pages + each * pages_each;
      const bool here = known && std::all_of(first, first + pages_each, [](unsigned char page) { return page & 1; });
      const std::uintptr_t place = begin + number * granule_bytes;
      if (here != resident && place != from) action(from, place, resident);
      if (here != resident) from = place;
      resident = here;
    }
  }
  if (const std::uintptr_t end = begin + granules * granule_bytes; end != from) action(from, end, resident);
}

constinit std::atomic<Places> places = Places::unknown, assumed = Places::unknown;
constinit std::atomic<PageTime> next_question = 0;
constinit std::atomic<bool> was_asked = false;

// Asks how many places there are, unless that was done just now.
bool is_in_one_place(PageTime now) noexcept {
  if (const Places said = assumed.load(std::memory_order_relaxed); said != Places::unknown) return said == Places::one;
  const Places known = places.load(std::memory_order_relaxed);
  if (known == Places::several) return false;
  PageTime due = next_question.load(std::memory_order_relaxed);
  if (was_asked.load(std::memory_order_relaxed) && static_cast<std::int32_t>(now - due) < 0) return known == Places::one;
  if (!next_question.compare_exchange_strong(due, now + page_ticks_of_decay, std::memory_order_relaxed)) return known == Places::one;
  was_asked.store(true, std::memory_order_relaxed);
  const Places found = places_of(cpus_of_process());
  places.store(found, std::memory_order_relaxed);
  return found == Places::one;
}

bool are_kept(PageTime now) noexcept {
  if (!is_heap_wanted()) return false;
  if (is_in_one_place(now)) return true;
  give_up_kept_runs();
  return false;
}

// Offers it to the system, which may take its pages; false where it does not know how.
bool offer(const Run& run) noexcept {
#ifdef MADV_FREE
  return !system_fails(EINVAL) && madvise(pointer_to(run.begin), run.bytes(), MADV_FREE) == 0;
#else
  return static_cast<void>(run), false;
#endif
}

constexpr std::size_t most_pieces = 16, most_seams = 256;
constexpr std::uint16_t as_asked = 0, rounded = 1, first_seam = 2;
static_assert(first_seam + most_seams <= LargeMapping::tags);

// The pieces of a block, but for what is fresh behind them.
struct Seam {
  std::size_t pieces = 0;
  bool is_rounded = false;
  std::array<std::uint32_t, most_pieces> granules{};
};
constinit std::array<Seam, most_seams> seams{};
constinit std::array<std::atomic<std::uint64_t>, most_seams / 64> used_seams{};

bool is_seam(std::uint16_t tag) noexcept { return tag >= first_seam && tag < first_seam + most_seams; }
Seam& seam_of(std::uint16_t tag) noexcept { return seams[tag - first_seam]; }

// The tag of a seam that nobody has; 0 for none.
std::uint16_t take_seam() noexcept {
  for (std::size_t number = 0; number < used_seams.size(); ++number) {
    std::uint64_t used = used_seams[number].load(std::memory_order_relaxed);
    while (~used != 0) {
      const auto bit = static_cast<unsigned>(std::countr_one(used));
      if (!used_seams[number].compare_exchange_weak(used, used | std::uint64_t{1} << bit, std::memory_order_acquire,
                                                    std::memory_order_relaxed))
        continue;
      const auto tag = static_cast<std::uint16_t>(first_seam + number * 64 + bit);
      seam_of(tag) = {};
      return tag;
    }
  }
  return 0;
}

void give_seam(std::uint16_t tag) noexcept {
  const unsigned number = tag - first_seam;
  used_seams[number / 64].fetch_and(~(std::uint64_t{1} << number % 64), std::memory_order_release);
}

// How a length is made of granules.
struct Shape {
  explicit Shape(std::size_t length) noexcept
      : rest(length % granule_bytes),
        is_rounded(rest > granule_bytes / 2),
        granules(length / granule_bytes + is_rounded),
        length(is_rounded ? granules * granule_bytes : length) {}
  std::size_t rest;
  bool is_rounded;
  std::size_t granules, length;
};

constinit std::atomic<bool> runs_move = true;

void keep_or_give_up(const Run& run) noexcept {
  if (run.granules > 0 && !keep(run)) give_up(run);
}

bool move(const Run& run, std::uintptr_t to) noexcept {
  unpoison(pointer_to(run.begin), run.bytes());
  if (!system_fails(ENOMEM) &&
      mremap(pointer_to(run.begin), run.bytes(), run.bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, pointer_to(to)) != MAP_FAILED)
    return true;
  unmap(run.begin, run.bytes());
  return false;
}

// Moves a first run, and more, into the front of a fresh mapping. False where nothing is left of that.
bool fill_front(std::uintptr_t begin, const Shape& shape, Run first, Seam& seam, std::size_t& filled) noexcept {
  seam.is_rounded = shape.is_rounded;
  std::optional<Run> run = first;
  for (filled = 0; run; run = seam.pieces < most_pieces && filled < shape.granules ? take_best(shape.granules - filled) : std::nullopt) {
    const Run piece = run->cut_front(std::min(run->granules, shape.granules - filled));
    keep_or_give_up(*run);
    const std::uintptr_t to = begin + filled * granule_bytes;
    if (!move(piece, to)) {
      runs_move.store(false, std::memory_order_relaxed);
      unmap(begin, filled * granule_bytes);
      unmap(to + piece.bytes(), begin + shape.length - to - piece.bytes());
      return false;
    }
    seam.granules[seam.pieces++] = static_cast<std::uint32_t>(piece.granules);
    filled += piece.granules;
  }
  return true;
}

// A mapping of kept runs; none where none is kept, or they cannot be had.
LargeMapping map_kept(std::size_t length) noexcept {
  const Shape shape(length);
  std::optional<Run> first = take_best(shape.granules);
  if (!first) return {};
  if (first->granules >= shape.granules && (shape.is_rounded || shape.rest == 0)) {
    const Run block = first->cut_front(shape.granules);
    keep_or_give_up(*first);
    unpoison(pointer_to(block.begin), block.bytes());
    return {pointer_to(block.begin), block.bytes(), shape.is_rounded ? rounded : as_asked};
  }
  const std::uint16_t tag = runs_move.load(std::memory_order_relaxed) ? take_seam() : std::uint16_t{0};
  const std::uintptr_t begin = tag != 0 ? map_fresh(shape.length, granule_bytes) : 0;
  std::size_t filled = 0;
  if (begin == 0) keep_or_give_up(*first);
  if (begin == 0 || !fill_front(begin, shape, *first, seam_of(tag), filled)) {
    if (tag != 0) give_seam(tag);
    return {};
  }
  const std::size_t fresh = shape.granules - filled, kept = kept_granules.load(std::memory_order_relaxed);
  if (fresh > 0) give_up_kept_runs((kept - std::min(kept, fresh)) * granule_bytes);
  return {pointer_to(begin), filled * granule_bytes, tag};
}

}  // namespace

LargeMapping map_large(std::size_t length, std::size_t alignment) noexcept {
  alignment = std::max(alignment, granule_bytes);
  const PageTime now = page_time();
  LargeMapping mapping;
  if (are_kept(now)) {
    const KeptErrno kept;
    decay_kept_runs(now);
    if (alignment == granule_bytes) mapping = map_kept(length);
  }
  if (!mapping.begin) {
    const std::size_t kept = kept_run_bytes();
    if (kept > 0) give_up_kept_runs(kept - std::min(kept, length));
    std::uintptr_t begin = map_fresh(length, alignment);
    if (begin == 0 && give_up_kept_runs()) begin = map_fresh(length, alignment);
    mapping.begin = pointer_to(begin);
  }
  if (mapping.begin) held_bytes.fetch_add(mapped_length(length, mapping.tag), std::memory_order_relaxed);
  return mapping;
}

std::size_t mapped_length(std::size_t length, std::uint16_t tag) noexcept {
  const bool is_rounded = tag == rounded || (is_seam(tag) && seam_of(tag).is_rounded);
  return is_rounded ? (length + granule_bytes - 1) / granule_bytes * granule_bytes : length;
}

namespace {

// Of granules of one piece: keeps what is in memory, and gives back all else. What the system does not take is kept, too, and given back later.
void keep_resident(std::uintptr_t begin, std::size_t granules, std::uint16_t time) noexcept {
  for_each_resident(begin, granules, [&](std::uintptr_t from, std::uintptr_t to, bool resident) {
    const Run run{from, (to - from) / granule_bytes, time};
    if (!(resident && offer(run)) && unmap(from, to - from)) return;
    poison(pointer_to(run.begin), run.bytes());
    if (!keep(run)) give_up(run);
  });
}

constexpr std::size_t most_unused = std::size_t{64} << 20;

std::size_t most_kept() noexcept { return std::max(most_unused, held_bytes.load(std::memory_order_relaxed)); }

}  // namespace

// Nothing is done before what may fail: the block is still there then, as a whole.
bool unmap_large(void* pointer, std::size_t length, std::uint16_t tag) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const std::size_t bytes = mapped_length(length, tag);
  const PageTime now = page_time();
  const bool is_kept = begin % granule_bytes == 0 && are_kept(now);
  const std::uintptr_t end = is_kept ? begin + bytes / granule_bytes * granule_bytes : begin;
  if (!unmap(end, begin + bytes - end)) return false;
  Seam seam;
  if (is_seam(tag)) {
    seam = seam_of(tag);
    give_seam(tag);
  }
  held_bytes.fetch_sub(bytes, std::memory_order_relaxed);
  const KeptErrno kept;
  std::uintptr_t at = begin;
  const auto keep_piece = [&](std::size_t granules) {
    keep_resident(at, granules, static_cast<std::uint16_t>(now));
    at += granules * granule_bytes;
  };
  for (std::size_t piece = 0; is_kept && piece < seam.pieces; ++piece) keep_piece(seam.granules[piece]);
  keep_piece((end - at) / granule_bytes);
  if (!is_kept) return true;
  give_up_kept_runs(most_kept());
  decay_kept_runs(now);
  return true;
}

void* remap_large(void* begin, std::size_t length, std::uint16_t tag, std::size_t wanted) noexcept {
  if (is_seam(tag)) return errno = EFAULT, nullptr;
  const std::size_t before = mapped_length(length, tag);
  void* const moved = system_fails(ENOMEM) ? MAP_FAILED : mremap(begin, before, wanted, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) return nullptr;
  held_bytes.fetch_add(wanted - before, std::memory_order_relaxed);
  const std::size_t kept = kept_run_bytes();
  if (wanted > before && kept > 0) give_up_kept_runs(kept - std::min(kept, wanted - before));
  return moved;
}

bool give_up_kept_runs(std::size_t most, PageTime now, unsigned age) noexcept {
  bool any = false;
  for (std::atomic<std::uint64_t>& place : runs) {
    const std::size_t kept = kept_run_bytes();
    if (kept <= most) break;
    const std::uint64_t word = place.load(std::memory_order_relaxed);
    if (word == 0 || (age > 0 && static_cast<std::uint16_t>(now - run_of(word).time) < age)) continue;
    std::optional<Run> run = take(place, word);
    if (!run) continue;
    const std::size_t excess = std::min(run->granules, (kept - most + granule_bytes - 1) / granule_bytes);
    const Run going = run->cut_front(excess);
    keep_or_give_up(*run);
    if (give_up(going)) any = true;
    else keep(going);  // there are as many mappings as there may be
  }
  return any;
}

void decay_kept_runs(PageTime now) noexcept {
  static constinit std::atomic<PageTime> next_decay = 0;
  PageTime due = next_decay.load(std::memory_order_relaxed);
  if (kept_granules.load(std::memory_order_relaxed) == 0 || static_cast<std::int32_t>(now - due) < 0) return;
  if (!next_decay.compare_exchange_strong(due, now + page_ticks_of_decay / 2, std::memory_order_relaxed)) return;
  give_up_kept_runs(0, now, page_ticks_of_decay);
}

std::size_t kept_run_bytes() noexcept { return kept_granules.load(std::memory_order_relaxed) * granule_bytes; }
std::size_t large_block_bytes() noexcept { return held_bytes.load(std::memory_order_relaxed); }
void assume_places(Places said) noexcept { assumed.store(said, std::memory_order_relaxed); }

bool check_kept_runs() noexcept {
  std::size_t sum = 0;
  for (const std::atomic<std::uint64_t>& place : runs) {
    const Run run = run_of(place.load(std::memory_order_relaxed));
    sum += run.granules;
    for (const std::atomic<std::uint64_t>& other : runs) {
      const Run another = run_of(other.load(std::memory_order_relaxed));
      if (&other != &place && another.granules > 0 && run.begin < another.end() && another.begin < run.end()) return false;
    }
  }
  return sum == kept_granules.load(std::memory_order_relaxed);
}

}  // namespace cadastre::internal
