// Tangled from org/pages.org; change the chapter, then run: make tangle
// Runs of pages for slabs, from chunks that belong to one thread each.
#ifndef CADASTRE_SRC_CORE_PAGES_HPP
#define CADASTRE_SRC_CORE_PAGES_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/own_memory.hpp"
#include "core/size_class.hpp"
#include "lock.hpp"

namespace cadastre::internal {

inline constexpr std::size_t chunk_bytes = std::size_t{4} << 20;
inline constexpr unsigned chunk_pages = chunk_bytes / page_bytes;

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

struct Chunk {
  std::uintptr_t begin;
  Arena* const arena;
  Chunk* next = nullptr;
  PageSet taken, dirty;           // dirty: those that may be other than zero
  unsigned free = chunk_pages;    // pages that are not taken
  unsigned dirty_free = 0;
};

struct PageRun {
  std::uintptr_t begin = 0;  // 0: there is none
  Chunk* chunk = nullptr;
  bool zeroed = false;
};

// The chunks of one thread; when it has ended, of another that comes. Any thread may give pages back.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  PageRun take(unsigned pages) noexcept;
  static void give(Chunk& chunk, std::uintptr_t begin, unsigned pages) noexcept;
  // Gives to the system all pages that are free and dirty; those of all arenas: whether there were any.
  void purge() noexcept;
  static bool purge_all() noexcept;
  bool check_invariants() noexcept;

  // An arena for a thread that begins, and back from one that ends. Null when there is no memory.
  static Arena* adopt() noexcept;
  void abandon() noexcept;

  static void before_fork() noexcept;
  static void after_fork() noexcept;
  // In the child of a fork: all arenas but that of its thread are for threads that come.
  static void in_child(const Arena* of_this_thread) noexcept;

 private:
  bool add_chunk() noexcept CADASTRE_REQUIRES(mutex_);
  void purge(Chunk& chunk) noexcept CADASTRE_REQUIRES(mutex_);

  Mutex<Rank::pages> mutex_;
  Chunk* chunks_ CADASTRE_GUARDED_BY(mutex_) = nullptr;
  Arena* next_ = nullptr;        // of all
  Arena* next_spare_ = nullptr;  // of those that no thread has
};

// Whether pages that the system takes back are known to read as zero afterwards.
bool returned_pages_read_as_zero() noexcept;

// Bytes of chunks in the process that are free and that the system does not have back.
std::size_t kept_page_bytes() noexcept;
inline constexpr std::size_t most_kept_page_bytes = std::size_t{64} << 20;

}  // namespace cadastre::internal
#endif
