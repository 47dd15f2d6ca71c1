// Tangled from org/tests/pages_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "base/checkers.hpp"
#include "base/error.hpp"
#include "cadastre.h"
#include "children.hpp"
#include "cmocka.hpp"
#include "core/calls.hpp"
#include "core/sparse.hpp"
#include "declared_noexcept.hpp"
#include "process_memory.hpp"

using namespace cadastre::internal;

namespace {

enum class Returns { zeroed, refused, unchanged };
std::atomic<Returns> returns = Returns::zeroed;
std::atomic<long> returns_asked = 0;
std::atomic<bool> asked_with_a_lock = false, unmapped_with_a_lock = false;
std::atomic<void (*)()> meanwhile = nullptr;  // called once, by the system's function

}  // namespace

extern "C" [[gnu::visibility("default")]] int madvise(void* begin, std::size_t bytes, int advice) noexcept(declared_noexcept) {
  if (advice == MADV_DONTNEED) {
    ++returns_asked;
    if (locks_of_thread != 0) asked_with_a_lock = true;
    if (const auto action = meanwhile.exchange(nullptr)) action();
    if (returns == Returns::refused) return errno = EINVAL, -1;
    if (returns == Returns::unchanged) return 0;
  }
  return static_cast<int>(syscall(SYS_madvise, begin, bytes, advice));
}

extern "C" [[gnu::visibility("default")]] int munmap(void* begin, std::size_t bytes) noexcept(declared_noexcept) {
  // Where a chunk does not come at a multiple of its size, it is unmapped before anybody had it.
  const bool is_chunk = bytes == chunk_bytes && reinterpret_cast<std::uintptr_t>(begin) % chunk_bytes == 0;
  if (is_chunk && locks_of_thread != 0) unmapped_with_a_lock = true;
  return static_cast<int>(syscall(SYS_munmap, begin, bytes));
}

namespace {

unsigned char* allocate(cadastre_context context, std::size_t size, cadastre_flags flags = 0) {
  auto* const block = static_cast<unsigned char*>(cadastre_malloc_plain(context, size, 0, flags, nullptr));
  assert_non_null(block);
  return block;
}
void release(cadastre_context context, void* block) { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }

// Lets time pass for the calling thread's slabs of a context: they are looked at as often.
void look_at_slabs(cadastre_context context, int times = 2, bool others_free = false) {
  for (; times > 0; --times) {
    Shard* shard = nullptr;
    while (!(shard = enter_known_shard(context))) std::this_thread::yield();  // somebody has locked the heap
    decay_slabs(*shard, shard->next_decay);
    assert_true(others_free || shard->check_invariants());
    shard->lock.leave(context);
  }
}

// Whether the page of an address is in memory.
bool is_resident(std::uintptr_t address) {
  unsigned char there = 0;
  assert_int_equal(mincore(reinterpret_cast<void*>(address / page_bytes * page_bytes), page_bytes, &there), 0);
  return there & 1;
}

struct Held {
  unsigned char* begin;
  std::size_t size;
  int value;
};

void thin_out_and_fill_up(std::size_t size, unsigned keep_one_in) {
  std::mt19937 random(static_cast<unsigned>(size) + keep_one_in);
  const cadastre_context context = cadastre_context_create();
  std::vector<Held> held;
  const std::size_t all = std::clamp<std::size_t>((std::size_t{1} << 20) / size, 30, 3000);
  for (int turn = 0; turn < 4; ++turn) {
    while (held.size() < all) {
      const std::size_t bytes = size - random() % 16;
      unsigned char* const block = allocate(context, bytes);
      assert_true(is_filled(block, 0, bytes));
      const int value = 1 + static_cast<int>(random() % 255);
      std::memset(block, value, bytes);
      held.push_back({block, bytes, value});
    }
    std::shuffle(held.begin(), held.end(), random);
    const auto goes = [&](const Held& one) {
      if (random() % keep_one_in == 0) return false;
      release(context, one.begin);
      return true;
    };
    std::erase_if(held, goes);
    if (turn == 2) {  // a block whose pages went is taken and freed again, and they go again
      unsigned char* const block = allocate(context, size);
      std::memset(block, 0xff, size);
      look_at_slabs(context);
      release(context, block);
    }
    look_at_slabs(context, turn == 1 ? 4 : 2);
    for (const Held& one : held) assert_true(is_filled(one.begin, one.value, one.size));
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void blocks_in_returned_pages_read_as_zero_and_those_beside_them_stay(void**) {
  assert_true(returned_pages_read_as_zero() || sanitized);  // is known before it is true no more
  for (const Returns now : {Returns::zeroed, Returns::refused, Returns::unchanged}) {
    if (now == Returns::unchanged) continue;  // cannot be told any more: a claim of heaps in hostile surroundings
    for (const std::size_t page : {std::size_t{0}, std::size_t{64} << 10}) {
      returns = now;
      assume_system_pages(page);
      const long before = returns_asked;
      for (const std::size_t size : {64u, 80u, 1008u, 1152u, 4096u, 5120u, 18432u, 262144u}) {
        for (const unsigned keep_one_in : {2u, 10u, 300u}) thin_out_and_fill_up(size, keep_one_in);
      }
      assert_true(returns_asked > before);
    }
  }
  returns = Returns::zeroed;
  assume_system_pages(0);
}

// Two threads free what a third has allocated, in slabs that it goes over meanwhile.
void blocks_that_others_free_meanwhile_are_left_alone(void**) {
  const cadastre_context context = cadastre_context_create();
  constexpr int turns = sanitized ? 20 : 100, number = 3000;
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<unsigned char*> blocks(number);
    for (unsigned char*& block : blocks) {
      block = allocate(context, 100);
      assert_true(is_filled(block, 0, 100));
      std::memset(block, 0x55, 100);
    }
    std::atomic<int> freed = 0;
    const auto free_some = [&](int first) {
      for (int one = first; one < number; one += 3)
        freed += cadastre_free(context, blocks[static_cast<std::size_t>(one)]) == CADASTRE_SUCCESS;
    };
    std::thread one([&] { free_some(0); }), other([&] { free_some(1); });
    while (freed < number / 3 * 2) look_at_slabs(context, 1, true);
    one.join();
    other.join();
    look_at_slabs(context);
    for (std::size_t place = 2; place < number; place += 3) {
      assert_true(is_filled(blocks[place], 0x55, 100));
      release(context, blocks[place]);
    }
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_slab_in_use_keeps_its_pages_and_a_quiet_one_is_asked_for_once(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = cadastre_context_create();
  std::vector<unsigned char*> blocks;
  for (int number = 0; number < 20; ++number) {
    blocks.push_back(allocate(context, 16384));
    std::memset(blocks.back(), 1, 16384);
  }
  unsigned char* const last = blocks.back();
  for (unsigned char* const block : blocks) {
    if (block != last && block != blocks.front()) release(context, block);
  }
  look_at_slabs(context, 1);
  long before = returns_asked;
  errno = EDOM;
  release(context, allocate(context, 16384));
  look_at_slabs(context, 1);
  const long of_others = returns_asked - before;  // slabs of the same class in which nothing happened
  assert_true(is_resident(address_of(blocks[18])));
  look_at_slabs(context, 1);
  assert_true(returns_asked > before + of_others);
  assert_int_equal(errno, EDOM);
  for (const unsigned char* const block : blocks) {
    const bool lives = block == last || block == blocks.front();
    assert_int_equal(is_resident(address_of(block)) && is_resident(address_of(block) + 16383), lives);
  }
  before = returns_asked;
  look_at_slabs(context, 5);
  assert_int_equal(returns_asked, before);
  release(context, last);
  look_at_slabs(context, 3);
  assert_int_equal(returns_asked, before + 1);
  // A block that has parts of pages cannot be said to be zero, and is not asked for again for that.
  unsigned char* const parts[] = {allocate(context, 18432), allocate(context, 18432), allocate(context, 18432)};
  for (unsigned char* const block : parts) std::memset(block, 1, 18432);
  release(context, parts[1]);
  look_at_slabs(context, 2);
  assert_false(is_resident(address_of(parts[1]) + 2 * page_bytes));
  before = returns_asked;
  look_at_slabs(context, 5);
  assert_int_equal(returns_asked, before);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// Has a block, and pages of another that it has freed; makes no call until it is told to go on, and then allocates one.
class IdleThread {
 public:
  explicit IdleThread(cadastre_context context)
      : thread_([this, context] {
          unsigned char* const block = allocate(context, 50000);
          freed_ = allocate(context, 50000);
          std::memset(freed_, 1, 50000);
          release(context, freed_);
          step_ = 1;
          while (step_ < 2) std::this_thread::yield();
          release(context, allocate(context, 50000));
          step_ = 3;
          release(context, block);
        }) {
    while (step_ < 1) std::this_thread::yield();
  }
  bool has_its_pages() const { return is_resident(address_of(freed_) + page_bytes); }
  void go_on() { step_ = 2; }
  bool was_served() const { return step_ == 3; }
  void end() {
    if (step_ < 2) go_on();
    thread_.join();
  }

 private:
  std::atomic<int> step_ = 0;
  unsigned char* freed_ = nullptr;
  std::thread thread_;
};

void close_heap_of(cadastre_context context) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &figures), CADASTRE_SUCCESS);
}

// The call that notices that nothing has happened for long enough is still to come.
void let_a_moment_pass(cadastre_context context) {
  for (int turn = 0; turn < 2; ++turn) {
    close_heap_of(context);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
  }
}

void pages_of_an_idle_thread_go_when_another_closes_the_heap(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = cadastre_context_create();
  IdleThread idle(context);
  release(context, allocate(context, 100));
  let_a_moment_pass(context);
  assert_true(idle.has_its_pages());
  close_heap_of(context);
  assert_false(idle.has_its_pages());
  idle.end();
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

cadastre_context busy = CADASTRE_NULL_CONTEXT;
IdleThread* idle_of_busy = nullptr;
std::atomic<bool> was_locked = false;
bool was_refused = false, was_served_too_early = false;

void allocate_and_free_pinned() {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 100;
  info.type = CADASTRE_PINNED;
  void* const block = cadastre_malloc(busy, info);
  assert_non_null(block);
  release(busy, block);
}

// No mutex is held: a locked call that leaves shards alone is served. The idle thread waits, and who wants the context alone. A call from here would
// wait for itself.
void try_all_meanwhile() {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  const bool failed = cadastre_get_statistics(busy, CADASTRE_HOST, &figures) == CADASTRE_FAILURE;
  was_refused = failed && last_failure(busy)->reason == CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER;
  std::thread(allocate_and_free_pinned).join();
  idle_of_busy->go_on();
  std::thread([] {
    assert_int_equal(cadastre_lock(busy), CADASTRE_SUCCESS);
    was_locked = true;
    assert_int_equal(cadastre_unlock(busy), CADASTRE_SUCCESS);
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  was_served_too_early = idle_of_busy->was_served() || was_locked;
}

void others_are_served_while_pages_of_an_idle_thread_go(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  busy = cadastre_context_create();
  IdleThread idle(busy);
  idle_of_busy = &idle;
  release(busy, allocate(busy, 100));
  allocate_and_free_pinned();  // the first one needs room in the table
  let_a_moment_pass(busy);
  meanwhile = try_all_meanwhile;
  close_heap_of(busy);
  assert_null(meanwhile.load());
  assert_true(was_refused);
  assert_false(was_served_too_early);
  idle.end();
  while (!was_locked) std::this_thread::yield();
  assert_int_equal(cadastre_context_destroy(busy), CADASTRE_SUCCESS);
}

constexpr PageTime later(unsigned ticks) { return 1000 + ticks; }

// Of pages that came back at some time, as far as chunks remember it.
void set_times(Chunk& chunk, PageTime time) {
  chunk.times.fill(static_cast<std::uint8_t>(time));
  chunk.emptied = time;
}

void pages_go_when_nobody_took_them_for_a_while(void**) {
  Arena& arena = *Arena::adopt();
  const PageRun all = arena.take(64), stays = arena.take(1);
  std::memset(reinterpret_cast<void*>(all.begin), 1, 64 * page_bytes);
  const std::size_t before = kept_page_bytes();
  Arena::give(*all.chunk, all.begin, 64);
  set_times(*all.chunk, later(0));
  arena.purge(later(page_ticks_of_decay - 1), page_ticks_of_decay);
  assert_int_equal(kept_page_bytes() - before, 64 * page_bytes);
  all.chunk->times[1] = static_cast<std::uint8_t>(later(1));
  arena.purge(later(page_ticks_of_decay), page_ticks_of_decay);
  if (returned_pages_read_as_zero()) assert_int_equal(kept_page_bytes() - before, Chunk::pages_of_part * page_bytes);
  assert_true(arena.check_invariants());
  const PageRun again = arena.take(64);  // one of them is dirty
  assert_true(again.begin == all.begin && !again.zeroed);
  Arena::give(*again.chunk, again.begin, 64);
  Arena::give(*stays.chunk, stays.begin, 1);
  assert_true(arena.check_invariants());
  arena.abandon();
}

// In how many of these chunks an address is one of a chunk.
std::ptrdiff_t known_chunks(const std::vector<PageRun>& runs, PagesFor what) {
  return std::count_if(runs.begin(), runs.end(), [=](const PageRun& run) {
    const std::uintptr_t inside = run.begin + 5000;
    return what == PagesFor::page_blocks ? page_map.page_block_chunk_at(inside) == run.chunk : page_map.is_in_chunk(inside);
  });
}

void chunks_are_unmapped_but_one(void**) {
  Arena::give_up_all();
  const std::size_t before = mapped_chunk_bytes();
  Arena& arena = *Arena::adopt();
  for (const PagesFor what : {PagesFor::blocks, PagesFor::records, PagesFor::page_blocks}) {
    const std::size_t bytes = chunk_bytes_for(what);
    const bool is_known = what != PagesFor::records;
    std::vector<PageRun> runs;
    for (int number = 0; number < 5; ++number) runs.push_back(arena.take(chunk_pages - edge_pages, what));
    assert_int_equal(mapped_chunk_bytes() - before, 5 * bytes);
    assert_int_equal(known_chunks(runs, what), is_known ? 5 : 0);
    for (const PageRun& run : runs) Arena::give(*run.chunk, run.begin, chunk_pages - edge_pages);
    const PageRun one = arena.take(1, what);
    for (const PageRun& run : runs) set_times(*run.chunk, later(0));
    Arena::give_up_all(later(page_ticks_of_decay - 1), page_ticks_of_decay);
    assert_int_equal(mapped_chunk_bytes() - before, 5 * bytes);
    Arena::give_up_all(later(page_ticks_of_decay), page_ticks_of_decay);
    assert_int_equal(mapped_chunk_bytes() - before, 2 * bytes);  // one in use and one that stays
    assert_int_equal(known_chunks(runs, what), is_known ? 2 : 0);
    assert_true(arena.check_invariants());
    Arena::give_up_all();
    assert_int_equal(mapped_chunk_bytes() - before, bytes);
    unpoison(pointer_to(one.begin), 1);
    *reinterpret_cast<unsigned char*>(one.begin) = 1;
    poison(pointer_to(one.begin), 1);
    Arena::give(*one.chunk, one.begin, 1);
    Arena::give_up_all();
    assert_int_equal(mapped_chunk_bytes(), before);
  }
  arena.abandon();
}

// The times of parts turn over after 16 s, so at any moment one of so many looks as if its pages had just come back.
void a_chunk_whose_parts_came_back_at_all_times_is_unmapped(void**) {
  Arena::give_up_all();
  const std::size_t before = mapped_chunk_bytes();
  Arena& arena = *Arena::adopt();
  std::vector<PageRun> runs;
  for (int number = 0; number < 3; ++number) runs.push_back(arena.take(chunk_pages - edge_pages));
  for (const PageRun& run : runs) {
    Arena::give(*run.chunk, run.begin, chunk_pages - edge_pages);
    set_times(*run.chunk, later(0));
    for (std::size_t part = 0; part < run.chunk->times.size(); ++part) {
      run.chunk->times[part] = static_cast<std::uint8_t>(part * 256 / run.chunk->times.size());
    }
  }
  Arena::give_up_all(later(page_ticks_of_decay - 1), page_ticks_of_decay);
  assert_int_equal(mapped_chunk_bytes() - before, 3 * chunk_bytes);
  Arena::give_up_all(later(page_ticks_of_decay), page_ticks_of_decay);
  assert_int_equal(mapped_chunk_bytes() - before, chunk_bytes);  // one stays
  Arena::give_up_all();
  assert_int_equal(mapped_chunk_bytes(), before);
  arena.abandon();
}

void an_address_of_an_unmapped_chunk_is_refused(void**) {
  const cadastre_context context = cadastre_context_create(), other = cadastre_context_create();
  unsigned char* const block = allocate(context, 200000);
  release(other, allocate(other, 10));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  Arena::give_up_all();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_int_not_equal(cadastre_get_malloc_info(other, block, &info), CADASTRE_SUCCESS);
  assert_int_not_equal(cadastre_free(other, block), CADASTRE_SUCCESS);
  assert_int_not_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
}

void the_system_is_asked_without_a_lock(void**) {
  asked_with_a_lock = unmapped_with_a_lock = false;
  const cadastre_context context = cadastre_context_create();
  const long before = returns_asked;
  std::vector<unsigned char*> blocks;
  for (std::size_t bytes = 0; bytes < 3 * most_kept_page_bytes / 2; bytes += 200000) blocks.push_back(allocate(context, 200000));
  for (unsigned char* const block : blocks) release(context, block);
  assert_true(returns_asked > before);
  for (unsigned char*& block : blocks) block = allocate(context, 200000);
  const long between = returns_asked;
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_true(returns_asked > between);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  Arena::give_up_all();
  assert_false(asked_with_a_lock || unmapped_with_a_lock);
}

std::size_t resident() { return process_memory().resident; }

// 64 bytes each, written to.
void fill(cadastre_context context, std::size_t number) {
  for (; number > 0; --number) std::memset(allocate(context, 64), 1, 64);
}

void a_second_after_free_all_nearly_nothing_is_left(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = cadastre_context_create();
  release(context, allocate(context, 64));
  const std::size_t before = resident();
  fill(context, 1'000'000);
  const std::size_t filled = resident();
  assert_true(filled - before > 64'000'000 && filled - before < 64'000'000 + 26'000'000);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_true(resident() < before + most_kept_page_bytes + 8'000'000);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  release(context, allocate(context, 64));
  assert_true(resident() < before + 8'000'000);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void what_was_locked_leaves_no_more_than_may_be_kept(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context other = cadastre_context_create();
  const std::size_t before = resident();
  for (int turn = 0; turn < 2; ++turn) {
    const cadastre_context context = cadastre_context_create();
    fill(context, 2'000'000);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    assert_true(kept_page_bytes() <= most_kept_page_bytes);
    assert_true(resident() < before + most_kept_page_bytes + 8'000'000);
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  release(other, allocate(other, 64));
  assert_true(resident() < before + 8'000'000);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
}

// Slabs of one size after the other, as a program has phases.
void a_program_that_breathes_needs_no_more_address_space(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = cadastre_context_create();
  Arena::give_up_all();
  const std::size_t before = mapped_chunk_bytes();
  std::size_t most = 0;
  for (std::size_t phase = 0; phase < 12; ++phase) {
    const std::size_t size = std::size_t{5000} << phase % 6;
    std::vector<unsigned char*> blocks;
    for (std::size_t bytes = 0; bytes < std::size_t{40} << 20; bytes += size) blocks.push_back(allocate(context, size));
    most = std::max(most, mapped_chunk_bytes());
    for (unsigned char* const block : blocks) release(context, block);
    assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    Arena::give_up_all(page_time() + page_ticks_of_decay, page_ticks_of_decay);
  }
  assert_true(most < before + (std::size_t{100} << 20));
  assert_true(mapped_chunk_bytes() < before + (std::size_t{24} << 20));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void empty_slabs_of_all_threads_and_contexts_go_before_a_request_is_refused(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const pid_t child = fork();
  if (child == 0) {
    const cadastre_context mine = cadastre_context_create();
    constexpr std::size_t contexts = 4, in_each = std::size_t{15} << 20, held = contexts * in_each;
    constexpr std::size_t free = std::size_t{16} << 20, spare = std::size_t{12} << 20;
    release(mine, allocate(mine, 100));
    std::atomic<int> step = 0;
    std::thread other([&] {
      for (std::size_t number = 0; number < contexts; ++number) {  // too few slabs in each to be given back at once
        const cadastre_context one = cadastre_context_create();
        std::vector<unsigned char*> blocks;
        for (std::size_t bytes = 0; bytes < in_each; bytes += 60000) blocks.push_back(allocate(one, 60000));
        for (unsigned char* const block : blocks) release(one, block);
      }
      step = 1;
      while (step < 2) std::this_thread::yield();
    });
    while (step < 1) std::this_thread::yield();
    const rlimit limit{process_memory().address_space + free, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(77);
    for (const std::size_t size : {free + held - spare, std::size_t{100}}) {
      void* const block = cadastre_malloc_plain(mine, size, 0, 0, nullptr);
      if (!block || cadastre_free(mine, block) != CADASTRE_SUCCESS) _exit(1);
    }
    step = 2;
    other.join();
    _exit(cadastre_malloc_plain(mine, 4 * held, 0, 0, nullptr) ? 2 : 0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip_because("a child process may not do so here");
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void threads_that_come_and_go_need_what_the_first_needs(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = cadastre_context_create();
  std::size_t before = 0;
  for (int number = 0; number < 1000; ++number) {
    std::thread([&] {
      const cadastre_context own = cadastre_context_create();
      std::vector<unsigned char*> blocks;
      for (std::size_t one = 0; one < 100; ++one) blocks.push_back(allocate(context, one * 10));
      fill(own, 100);
      for (unsigned char* const block : blocks) release(context, block);
      assert_int_equal(cadastre_context_destroy(own), CADASTRE_SUCCESS);
    }).join();
    if (number == 20) before = resident();
  }
  assert_true(resident() < before + 1'000'000);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(blocks_in_returned_pages_read_as_zero_and_those_beside_them_stay),
      cmocka_unit_test(blocks_that_others_free_meanwhile_are_left_alone),
      cmocka_unit_test(a_slab_in_use_keeps_its_pages_and_a_quiet_one_is_asked_for_once),
      cmocka_unit_test(pages_of_an_idle_thread_go_when_another_closes_the_heap),
      cmocka_unit_test(others_are_served_while_pages_of_an_idle_thread_go),
      cmocka_unit_test(pages_go_when_nobody_took_them_for_a_while),
      cmocka_unit_test(chunks_are_unmapped_but_one),
      cmocka_unit_test(a_chunk_whose_parts_came_back_at_all_times_is_unmapped),
      cmocka_unit_test(an_address_of_an_unmapped_chunk_is_refused),
      cmocka_unit_test(the_system_is_asked_without_a_lock),
      cmocka_unit_test(a_second_after_free_all_nearly_nothing_is_left),
      cmocka_unit_test(what_was_locked_leaves_no_more_than_may_be_kept),
      cmocka_unit_test(a_program_that_breathes_needs_no_more_address_space),
      cmocka_unit_test(empty_slabs_of_all_threads_and_contexts_go_before_a_request_is_refused),
      cmocka_unit_test(threads_that_come_and_go_need_what_the_first_needs),
  };
  return cmocka_run_group_tests_name("pages", tests, nullptr, nullptr);
}
