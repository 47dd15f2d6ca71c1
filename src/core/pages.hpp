// Tangled from org/core/pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Runs of pages for slabs and for blocks, from chunks that belong to one thread each.
#ifndef CADASTRE_SRC_CORE_PAGES_HPP
#define CADASTRE_SRC_CORE_PAGES_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/lock.hpp"
#include "base/non_copyable.hpp"
#include "base/own_memory.hpp"
#include "core/page_map.hpp"
#include "core/page_return.hpp"
#include "core/size_class.hpp"

namespace cadastre::internal {

inline constexpr unsigned chunk_pages = chunk_bytes / page_bytes;
inline constexpr unsigned edge_pages = 2;  // of a chunk, which nobody gets

// One bit for each page of a chunk.
class PageSet {
 public:
  // The first of so many pages in a row that are not in the set; chunk_pages when there are none.
  unsigned find_gap(unsigned pages) const noexcept;
  void add(unsigned first, unsigned pages) noexcept {
    for_each_word(first, pages, [this](unsigned word, std::uint64_t mask) { words_[word] |= mask; });
  }
  void remove(unsigned first, unsigned pages) noexcept {
    for_each_word(first, pages, [this](unsigned word, std::uint64_t mask) { words_[word] &= ~mask; });
  }
  unsigned count(unsigned first, unsigned pages) const noexcept;
  unsigned count() const noexcept { return count(0, chunk_pages); }
  bool has(unsigned page) const noexcept { return words_[page / 64] >> page % 64 & 1; }

 private:
  static constexpr unsigned words = chunk_pages / 64;
  template <class Action>
  static void for_each_word(unsigned first, unsigned pages, Action action) noexcept {
    while (pages > 0) {
      const unsigned bit = first % 64, here = pages < 64 - bit ? pages : 64 - bit;
      action(first / 64, (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << bit);
      first += here;
      pages -= here;
    }
  }
  std::array<std::uint64_t, words> words_{};
};

class Arena;

enum class PagesFor : std::uint8_t { blocks, records, page_blocks };
inline constexpr unsigned kinds_of_chunks = 3;

// How large a chunk of a kind is, and a page of it.
constexpr std::size_t chunk_bytes_for(PagesFor what) noexcept {
  return what == PagesFor::page_blocks ? page_block_chunk_bytes : chunk_bytes;
}
constexpr std::size_t page_bytes_for(PagesFor what) noexcept { return chunk_bytes_for(what) / chunk_pages; }

struct Chunk {
  std::uintptr_t begin;
  Arena* const arena;
  const PagesFor what;
  Chunk* next = nullptr;
  PageSet taken, dirty;         // dirty: those that may be other than zero
  PageSet returning;            // taken for the time in which the system takes them back
  unsigned free = chunk_pages;  // pages that are not taken
  unsigned dirty_free = 0;
  std::size_t bytes() const noexcept { return chunk_bytes_for(what); }
  std::size_t page() const noexcept { return page_bytes_for(what); }
  // When the last page of each part came back, as the low bits of the time.
  static constexpr unsigned pages_of_part = 16;
  std::array<std::uint8_t, chunk_pages / pages_of_part> times = {};
  PageTime emptied = 0;  // when its last page came back; those above turn over after 16 s
};

struct PageRun {
  std::uintptr_t begin = 0;  // 0: there is none
  Chunk* chunk = nullptr;
  bool zeroed = false;
};

// The chunks of one thread; when it has ended, of another that comes. Any thread may give pages back.
class Arena : NonCopyable {
 public:
  Arena() = default;

  PageRun take(unsigned pages, PagesFor what = PagesFor::blocks) noexcept;
  static void give(Chunk& chunk, std::uintptr_t begin, unsigned pages) noexcept;
  // Takes the pages from an address on; false where one of them is taken, or there are not so many.
  static bool take_at(Chunk& chunk, std::uintptr_t begin, unsigned pages) noexcept;
  // Gives to the system all pages that are free and dirty, of age at least; those of all arenas: whether there were any.
  void purge(PageTime now = 0, unsigned age = 0) noexcept;
  static bool purge_all(PageTime now = 0, unsigned age = 0) noexcept;
  // The same, chunks of which no page is taken, but for one of each arena where age is not 0, and what large blocks have left.
  static bool give_up_all(PageTime now = 0, unsigned age = 0) noexcept;
  // Gives to the system what is more than may be kept while blocks come and go; more than both 64 MiB and so many bytes.
  static void return_surplus() noexcept;
  static void return_beyond(std::size_t bytes) noexcept;
  // Gives to the system what nobody took for a while; does nothing when that was done just now.
  static bool is_due_to_decay(PageTime now) noexcept;
  static void decay(PageTime now) noexcept;
  bool check_invariants() noexcept;

  // An arena for a thread that begins, and back from one that ends. Null when there is no memory.
  static Arena* adopt() noexcept;
  void abandon() noexcept;

  static void before_fork() noexcept;
  static void after_fork() noexcept;
  // In the child of a fork: all arenas but that of its thread are for threads that come.
  static void in_child(const Arena* of_this_thread) noexcept;

 private:
  bool add_chunk(PagesFor what) noexcept CADASTRE_REQUIRES(mutex_);
  void purge(Chunk& chunk, PageTime now, unsigned age) noexcept CADASTRE_REQUIRES(mutex_);
  void purge_run(Chunk& chunk, unsigned first, unsigned pages) noexcept CADASTRE_REQUIRES(mutex_);
  static bool mark_taken(Chunk& chunk, unsigned first, unsigned pages) noexcept;
  bool unmap_empty(PageTime now, unsigned age) noexcept;
  void end_returns() noexcept;
  template <class Action>
  static void for_each_arena(Action action) noexcept;
  template <class Action>
  void for_each_chunk(Action action) noexcept CADASTRE_REQUIRES(mutex_);

  Mutex<Rank::pages> mutex_;
  std::array<Chunk*, kinds_of_chunks> chunks_ CADASTRE_GUARDED_BY(mutex_) = {};
  Arena* next_ = nullptr;        // of all
  Arena* next_spare_ = nullptr;  // of those that no thread has
};

// Bytes of chunks in the process that are free and that the system does not have back; and that are mapped.
std::size_t kept_page_bytes() noexcept;
std::size_t mapped_chunk_bytes() noexcept;
inline constexpr std::size_t most_kept_page_bytes = std::size_t{64} << 20;
// After all blocks of a context are freed: gives to the system what is more than may be kept, of large blocks, too.
void return_surplus() noexcept;

}  // namespace cadastre::internal
#endif
