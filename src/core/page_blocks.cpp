// Tangled from org/core/page_blocks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "core/page_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/checkers.hpp"
#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/process.hpp"
#include "core/pages.hpp"
#include "core/threads.hpp"

namespace cadastre::internal {

namespace {

constexpr std::size_t page = page_bytes_for(PagesFor::page_blocks);
static_assert(page == page_block_alignment);

unsigned pages_of(std::size_t size) noexcept { return static_cast<unsigned>((size + page - 1) / page); }

// Calls for each range of the system's pages that are all in memory, or all not. False, and nothing called, where that is not known or
// changes too often.
template <class Action>
bool for_each_range(std::uintptr_t begin, std::size_t bytes, Action action) noexcept {
  unsigned char pages[1024];
  const std::size_t each = page_size(), number = bytes / each;
  if (number > sizeof pages || system_fails(EINVAL) || mincore(pointer_to(begin), bytes, pages) != 0) return false;
  constexpr unsigned most_changes = 8;
  unsigned changes = 0;
  for (std::size_t at = 1; at < number; ++at) changes += (pages[at] ^ pages[at - 1]) & 1;
  if (changes > most_changes) return false;
  for (std::size_t first = 0, end; first < number; first = end) {
    for (end = first + 1; end < number && !((pages[end] ^ pages[first]) & 1); ++end) continue;
    action(begin + first * each, begin + end * each, (pages[first] & 1) != 0);
  }
  return true;
}

void clear_all(std::uintptr_t begin, std::uintptr_t end) noexcept { std::memset(pointer_to(begin), 0, end - begin); }

// Up to the end of the system's page, which is the block's as well.
void clear(std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (is_memory_checked() || page_size() > page) return clear_all(begin, end);
  const KeptErrno kept;
  const std::uintptr_t first = round_up(begin, page_size()), last = round_up(end, page_size());
  clear_all(begin, std::min(first, end));
  const bool done = first >= last || for_each_range(first, last - first, [](std::uintptr_t from, std::uintptr_t to, bool resident) {
                      if (!resident && return_pages(from, to).zeroed) return;
                      clear_all(from, to);
                    });
  if (!done) clear_all(first, end);
}

}  // namespace

void* take_page_block(std::size_t size, bool zero) noexcept {
  Thread* const thread = is_heap_wanted() ? Thread::self() : nullptr;
  const PageRun run = thread ? thread->arena().take(pages_of(size), PagesFor::page_blocks) : PageRun();
  if (run.begin == 0) return nullptr;
  void* const pointer = pointer_to(run.begin);
  (zero && run.zeroed ? unpoison_defined : unpoison)(pointer, size);
  if (zero && !run.zeroed) clear(run.begin, run.begin + size);
  return pointer;
}

void give_page_block(void* pointer, std::size_t size) noexcept {
  poison(pointer, size);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  Arena::give(*page_map.page_block_chunk_at(begin), begin, pages_of(size));
  Arena::return_surplus();
}

bool resize_page_block(void* pointer, std::size_t size, std::size_t wanted, bool zero) noexcept {
  const unsigned before = pages_of(size), after = pages_of(wanted);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  Chunk& chunk = *page_map.page_block_chunk_at(begin);
  if (after > before && !Arena::take_at(chunk, begin + before * page, after - before)) return false;
  if (after < before) Arena::give(chunk, begin + after * page, before - after);
  if (wanted < size) {
    poison(pointer_to(begin + wanted), size - wanted);
  } else {
    unpoison(pointer_to(begin + size), wanted - size);
    if (zero) clear(begin + size, begin + wanted);
  }
  return true;
}

}  // namespace cadastre::internal
