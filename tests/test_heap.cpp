// Tangled from org/tests/heap_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "base/checkers.hpp"
#include "cmocka.hpp"
#include "core/calls.hpp"

using namespace cadastre::internal;

namespace {

void each_size_belongs_to_the_smallest_class_that_holds_it(void**) {
  for (SizeClass number = 1; number < size_classes; ++number) {
    assert_true(size_of_class(number - 1) < size_of_class(number) || number == 1);
    assert_int_equal(size_of_class(number) % class_step, 0);
  }
  for (std::size_t size = 0; size <= largest_in_slab; ++size) {
    const SizeClass number = class_of_size(size);
    assert_true(number < size_classes && size <= size_of_class(number));
    assert_true(number <= 1 || size > size_of_class(number - 1));
    if (size > largest_fine) assert_true(size_of_class(number) - size <= size / 8);
  }
}

void a_size_rounded_up_to_an_alignment_has_a_class_of_that_alignment(void**) {
  for (std::size_t alignment = 32; alignment <= page_bytes; alignment *= 2) {
    for (std::size_t size = 1; size <= largest_in_slab; size += 1 + size / 64) {
      const std::size_t rounded = round_up(size, alignment);
      if (rounded <= largest_in_slab) assert_true(alignment_of_class(class_of_size(rounded)) >= alignment);
    }
  }
}

void slabs_are_as_large_as_records_and_maps_can_say(void**) {
  for (SizeClass number = 0; number < size_classes; ++number) {
    for (unsigned before = 0; before < 300; ++before) {
      const SlabShape shape = slab_shape(number, before);
      assert_true(shape.blocks >= 1 && shape.blocks <= most_blocks && shape.pages <= largest_slab_pages);
      assert_true(shape.blocks * size_of_class(number) <= shape.pages * page_bytes);
      assert_true((shape.blocks + 1) * size_of_class(number) > shape.pages * page_bytes);
    }
  }
}

// All classes and places, without memory: the arithmetic needs none.
void every_address_of_a_slab_is_told_its_block(void**) {
  for (SizeClass number = 0; number < size_classes; ++number) {
    const SlabShape shape = slab_shape(number, 200);
    const auto size = static_cast<std::uint32_t>(size_of_class(number));
    Slab slab;
    slab.set_blocks(0x7f1234560000, size, shape.blocks);
    const std::size_t step = size > 512 ? size / 64 + 1 : 1;
    for (std::size_t offset = 0; offset < std::size_t{size} * shape.blocks; offset += offset % size == 0 ? 1 : step) {
      std::size_t place = 1;
      assert_true(slab.find_around(slab.begin + offset, place));
      assert_int_equal(place, offset / size);
      assert_int_equal(slab.block_at(place), slab.begin + offset / size * size);
      assert_int_equal(slab.find_beginning(slab.begin + offset, place), offset % size == 0);
    }
    std::size_t place;
    for (const std::uintptr_t outside : {slab.begin - 1, slab.begin - 16, slab.begin + std::size_t{size} * shape.blocks, std::uintptr_t{0},
                                         slab.begin | std::uintptr_t{1} << 60, UINTPTR_MAX}) {
      assert_false(slab.find_around(outside, place));
      assert_false(slab.find_beginning(outside, place));
    }
  }
}

void gaps_are_found_where_a_plain_search_finds_them(void**) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    PageSet set;
    std::vector<bool> plain(chunk_pages);
    for (int turn = 0; turn < 60; ++turn) {
      const unsigned pages = 1 + static_cast<unsigned>(random()) % (turn % 3 == 0 ? 256 : 20);
      const auto is_gap = [&](unsigned first) {
        return std::none_of(plain.begin() + first, plain.begin() + first + pages, [](bool taken) { return taken; });
      };
      unsigned expected = 0;
      while (expected + pages <= chunk_pages && !is_gap(expected)) ++expected;
      if (expected + pages > chunk_pages) expected = chunk_pages;
      assert_int_equal(set.find_gap(pages), expected);
      if (expected == chunk_pages || random() % 4 == 0) {
        const unsigned first = static_cast<unsigned>(random()) % (chunk_pages - pages);
        set.remove(first, pages);
        std::fill_n(plain.begin() + first, pages, false);
      } else {
        set.add(expected, pages);
        std::fill_n(plain.begin() + expected, pages, true);
      }
      assert_int_equal(set.count(), std::count(plain.begin(), plain.end(), true));
    }
  }
}

bool is_zero(const void* memory, std::size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(memory);
  return std::all_of(begin, begin + bytes, [](unsigned char byte) { return byte == 0; });
}

void pages_that_come_back_are_known_to_be_dirty_until_the_system_has_them(void**) {
  Arena& arena = *Arena::adopt();
  const auto memory_of = [](const PageRun& run) { return reinterpret_cast<void*>(run.begin); };
  const PageRun first = arena.take(3);
  assert_true(first.begin % page_bytes == 0 && first.zeroed && is_zero(memory_of(first), 3 * page_bytes));
  std::memset(memory_of(first), 1, 3 * page_bytes);
  const std::size_t before = kept_page_bytes();
  Arena::give(*first.chunk, first.begin, 3);
  assert_int_equal(kept_page_bytes() - before, 3 * page_bytes);
  const PageRun again = arena.take(2);
  assert_int_equal(again.begin, first.begin);
  assert_false(again.zeroed);
  Arena::give(*again.chunk, again.begin, 2);
  assert_true(arena.check_invariants());
  arena.purge();
  assert_int_equal(kept_page_bytes(), before);
  const PageRun clean = arena.take(3);
  assert_true(clean.zeroed && is_zero(memory_of(clean), 3 * page_bytes));
  Arena::give(*clean.chunk, clean.begin, 3);
  assert_true(arena.check_invariants());
  arena.abandon();
}

void pages_that_are_locked_stay_dirty(void**) {
  Arena& arena = *Arena::adopt();
  const PageRun run = arena.take(1);
  auto* const memory = reinterpret_cast<unsigned char*>(run.begin);
  // Sanitizers take the call for done.
  if (mlock(memory, page_bytes) != 0 || madvise(memory, page_bytes, MADV_DONTNEED) == 0)
    skip_because("the system gives back what is locked");
  std::memset(memory, 7, page_bytes);
  Arena::give(*run.chunk, run.begin, 1);
  arena.purge();
  const PageRun again = arena.take(1);
  assert_int_equal(again.begin, run.begin);
  assert_false(again.zeroed);
  munlock(memory, page_bytes);
  Arena::give(*again.chunk, again.begin, 1);
  assert_true(arena.check_invariants());
  arena.abandon();
}

void own_memory_comes_zeroed_and_apart(void**) {
  std::mt19937 random(2);
  std::map<char*, std::size_t> taken;
  const std::size_t before = own_bytes().taken;
  for (int turn = 0; turn < 20000; ++turn) {
    if (taken.size() < 200 && random() % 3 != 0) {
      const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 200000 : 3000);
      auto* const memory = static_cast<char*>(take_own(bytes));
      assert_non_null(memory);
      assert_true(is_zero(memory, bytes));
      const auto after = taken.lower_bound(memory);
      assert_true(after == taken.end() || memory + bytes <= after->first);
      assert_true(after == taken.begin() || std::prev(after)->first + std::prev(after)->second <= memory);
      std::memset(memory, 1, bytes);
      taken[memory] = bytes;
    } else if (!taken.empty()) {
      const auto one = std::next(taken.begin(), static_cast<long>(random() % taken.size()));
      give_own(one->first, one->second);
      taken.erase(one);
    }
  }
  for (const auto& [memory, bytes] : taken) give_own(memory, bytes);
  assert_int_equal(own_bytes().taken, before);
}

void each_byte_of_a_loose_block_is_where_one_may_be(void**) {
  constexpr std::size_t granule = LooseMap::granule;
  constexpr std::uintptr_t base = granule * 0x3f00100;
  static LooseMap map;
  assert_true(map.may_hold(0) && !map.may_hold(granule) && !map.may_hold(base));
  map.note(base + 3 * granule - 2, 1);
  map.note(base + 5 * granule, 0);
  map.note(base + 64 * granule - 1, granule + 2);
  map.note(base + 100 * granule, granule);  // and the byte behind
  for (std::size_t number = 0; number < 200; ++number) {
    const bool there = number == 2 || number == 5 || (number >= 63 && number <= 65) || number == 100 || number == 101;
    assert_int_equal(map.may_hold(base + number * granule), there);
    assert_int_equal(map.may_hold(base + number * granule + granule - 1), there);
  }
  map.note(base, SIZE_MAX / 2);
  for (std::size_t number = 0; number < 40000; ++number) assert_true(map.may_hold(base + number * granule));
}

void a_shard_lock_opens_for_one_handle_and_for_nobody_twice(void**) {
  ShardLock lock;
  constexpr std::int64_t handle = 42;
  assert_false(lock.enter(handle));
  lock.renew(handle);
  assert_false(lock.enter(handle));
  lock.open(handle);
  assert_true(lock.is_open());
  for (const std::int64_t other : {std::int64_t{0}, std::int64_t{41}, ~handle, std::int64_t{-1}}) assert_false(lock.enter(other));
  assert_true(lock.enter(handle));
  assert_false(lock.enter(handle));  // as a handler of signals would
  assert_false(lock.is_left());
  lock.leave(handle);
  assert_true(lock.is_left());
  lock.close(handle);
  assert_false(lock.enter(handle));
  assert_true(lock.is_left());
}

// The sums are plain numbers: who came in although the shard lock was closed would lose some of what is added.
void who_closes_a_shard_lock_is_alone(void**) {
  ShardLock lock;
  constexpr std::int64_t handle = 42;
  lock.renew(handle);
  long inside = 0, alone = 0;
  std::atomic<bool> done = false;
  std::thread worker([&] {
    for (int turn = 0; turn < 200000;) {
      if (!lock.enter_at_once(handle) && !lock.enter(handle)) {
        std::this_thread::yield();
        continue;
      }
      inside = inside + 1;
      lock.leave(handle);
      ++turn;
    }
    done = true;
  });
  for (; !done; ++alone) {
    lock.close(handle);
    heavy_fence();
    while (!lock.is_left()) std::this_thread::yield();
    const long before = inside;
    inside = before + 1;
    for (int moment = 0; moment < 50; ++moment) assert_int_equal(inside, before + 1);
    lock.open(handle);
    if (alone % 8 == 0) std::this_thread::yield();
  }
  worker.join();
  assert_int_equal(inside, 200000 + alone);
}

// A heap without a context around it.
struct Alone {
  SharedAccount process, account{&process};
  ContextNumbers numbers;
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  LabelCounts labels;
  Heap heap{{account, numbers, figures, labels}};
  std::mutex mutex;
  cadastre_context handle;

  explicit Alone(cadastre_context which = 77) : handle(which) { heap.unlock(handle); }

  // Alone in the heap.
  template <class Action>
  auto lock(Action action) {
    const std::lock_guard locked(mutex);
    heap.lock();
    struct Opens {
      Alone& alone;
      ~Opens() { alone.heap.unlock(alone.handle); }
    } const opens{*this};
    return action();
  }
  void provide() {
    lock([&] { assert_true(heap.provide_shard(handle)); });
  }
  void* malloc(std::size_t size, std::size_t alignment = 0, cadastre_flags flags = 0) {
    SlabRequest planned;
    if (!plan_in_slab(size, alignment, flags, planned)) return nullptr;
    for (int turn = 0; turn < 1000; ++turn) {  // others may be alone in the heap meanwhile
      if (void* const pointer = malloc_at_once<false>(handle, size, planned, [](Shard&, SlabRequest) -> void* { return nullptr; }))
        return pointer;
      if (void* const pointer = malloc_with_effort(handle, size, planned)) return pointer;
      provide();
      if (account.of(CADASTRE_HOST).is_limited() && turn > 2) break;
    }
    return nullptr;
  }
  bool frees_at_once(void* pointer) {
    return free_at_once(handle, pointer, [=, this](Shard& shard, Slab* slab) {
      const bool freed = slab && free_shared_at_once(shard, *slab, handle, address_of(pointer));
      shard.lock.leave(handle);
      return freed;
    });
  }
  bool frees(void* pointer) {
    const Freed freed = free_with_effort(handle, pointer);
    return freed == Freed::yes || freed == Freed::empties;
  }
  bool free(void* pointer) {
    for (int turn = 0; turn < 1000; ++turn) {
      if (frees_at_once(pointer) || frees(pointer)) return true;
      provide();
      const bool there = lock([&] {
        heap.share(address_of(pointer));
        return heap.at(address_of(pointer)).has_value();
      });
      if (!there) return false;
    }
    return false;
  }
  std::size_t live() {
    return lock([&] { return heap.live(); });
  }
  bool check_invariants() {
    return lock([&] { return heap.check_invariants(); });
  }
};

// A page that must not be written to; who does so all the same is noted, and may.
std::uintptr_t guarded_page;
volatile std::sig_atomic_t writes, writes_inside;
void note_write(int, siginfo_t*, void*) {
  writes = writes + 1;
  if (is_interrupted()) writes_inside = writes_inside + 1;
  mprotect(reinterpret_cast<void*>(guarded_page), page_bytes, PROT_READ | PROT_WRITE);
}
void guard(const void* from) {
  guarded_page = round_up(address_of(from), page_bytes);
  writes = 0;
  writes_inside = 0;
  assert_int_equal(mprotect(reinterpret_cast<void*>(guarded_page), page_bytes, PROT_NONE), 0);
}

// While a block is cleared, or what it grows by, nobody can be alone in the heap and give its pages to others.
void blocks_are_cleared_before_the_shard_is_left(void**) {
  struct sigaction action = {}, before;
  action.sa_sigaction = note_write;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before);
  const SizeClass size_class = class_of_size(largest_in_slab);
  const std::size_t most = size_of_class(size_class), least = size_of_class(size_class - 1) + 1;
  assert_true(most - least > 2 * page_bytes);
  Alone heap;
  assert_true(heap.free(heap.malloc(most)));
  for (int turn = 0; turn < 2; ++turn) {
    void* block = heap.malloc(most);
    assert_true(heap.free(block));
    guard(block);
    SlabRequest planned;
    assert_true(plan_in_slab(least, 0, 0, planned));
    void* const again = malloc_with_effort(heap.handle, least, planned);
    assert_ptr_equal(again, block);
    assert_true(writes == 1 && writes_inside == 1);
    guard(static_cast<char*>(block) + least);
    assert_true(resize_with_effort(heap.handle, block, most));
    assert_true(writes == 1 && writes_inside == 1);
    assert_true(heap.free(block));
  }
  sigaction(SIGSEGV, &before, nullptr);
}

struct Model {
  std::size_t size, alignment;
  unsigned char pattern;
};

void a_heap_does_what_a_map_does(void**) {
  Alone a;
  std::mt19937 random(3);
  std::map<unsigned char*, Model> live;
  std::size_t bytes = 0, most = 0;
  std::int64_t allocations = 0;
  for (int turn = 0; turn < 200000; ++turn) {
    const bool grow = turn / 20000 % 2 == 0;
    if (live.empty() || random() % 100 < (grow ? 60u : 40u)) {
      const std::size_t size = random() % 8 == 0 ? random() % largest_in_slab / 16 : random() % 300;
      const std::size_t alignment = random() % 4 == 0 ? std::size_t{1} << random() % 13 : 0;
      const bool zeroed = random() % 2 == 0;
      auto* const block = static_cast<unsigned char*>(a.malloc(size, alignment, zeroed ? 0 : CADASTRE_UNINITIALIZED));
      assert_non_null(block);
      assert_int_equal(address_of(block) % std::max<std::size_t>(alignment, class_step), 0);
      if (zeroed) assert_true(is_zero(block, size));
      const auto after = live.lower_bound(block);
      assert_true(after == live.end() || block + size <= after->first);
      assert_true(after == live.begin() || std::prev(after)->first + std::prev(after)->second.size <= block);
      const auto pattern = static_cast<unsigned char>(random());
      std::memset(block, pattern, size);
      live[block] = {size, std::max<std::size_t>(alignment, class_step), pattern};
      bytes += size;
      most = std::max(most, bytes);
      ++allocations;
    } else {
      const auto one = std::next(live.begin(), static_cast<long>(random() % std::min<std::size_t>(live.size(), 50)));
      const auto& [block, model] = *one;
      assert_true(std::all_of(block, block + model.size, [&, pattern = model.pattern](unsigned char byte) { return byte == pattern; }));
      if (model.size > 1) assert_false(a.frees(block + 1));
      assert_true(a.free(block));
      assert_false(a.frees_at_once(block) || a.frees(block));
      bytes -= model.size;
      live.erase(one);
    }
    if (turn % 1000 != 0) continue;
    a.lock([&] {
      assert_true(a.heap.check_invariants());
      assert_int_equal(a.heap.live(), live.size());
      for (const auto& [block, model] : live) {
        const std::optional<Record> record = a.heap.around(address_of(block) + (model.size > 0 ? model.size - 1 : 0));
        assert_true(record && record->pointer == block && record->size == model.size && record->alignment() == model.alignment);
        assert_false(a.heap.around(address_of(block) + model.size) && a.heap.around(address_of(block) + model.size)->pointer == block &&
                     model.size > 0);
      }
      if (random() % 4 == 0) a.heap.trim();
      assert_true(a.heap.check_invariants());
    });
    assert_int_equal(a.figures.live_bytes, bytes);
    assert_int_equal(a.figures.live_blocks, live.size());
    assert_int_equal(a.figures.allocations, allocations);
    assert_int_equal(a.account.of(CADASTRE_HOST).live(), bytes);
    assert_int_equal(a.account.of(CADASTRE_HOST).most_live(), most);
    assert_int_equal(a.process.of(CADASTRE_HOST).most_live(), most);
  }
}

void threads_free_what_others_allocated_and_nothing_is_lost(void**) {
  Alone a;
  constexpr int threads = 4, turns = 20000;
  struct Queue {
    std::mutex mutex;
    std::vector<unsigned char*> blocks;
  } queues[threads];
  std::atomic<int> wrong = 0;
  const auto work = [&](int number) {
    std::mt19937 random(static_cast<unsigned>(number));
    for (int turn = 0; turn < turns; ++turn) {
      const std::size_t size = 1 + random() % 200;
      auto* const block = static_cast<unsigned char*>(a.malloc(size));
      wrong += !block || !is_zero(block, size);
      std::memset(block, number + 1, size);
      {
        Queue& to = queues[random() % threads];
        const std::lock_guard locked(to.mutex);
        to.blocks.push_back(block);
      }
      unsigned char* mine = nullptr;
      {
        const std::lock_guard locked(queues[number].mutex);
        if (!queues[number].blocks.empty() && random() % 8 != 0) {
          mine = queues[number].blocks.back();
          queues[number].blocks.pop_back();
        }
      }
      if (mine) wrong += !a.free(mine);
      if (turn % 1000 == 0) wrong += !a.check_invariants();
    }
  };
  std::vector<std::thread> all;
  for (int number = 0; number < threads; ++number) all.emplace_back(work, number);
  for (std::thread& thread : all) thread.join();
  std::size_t left = 0;
  for (const Queue& queue : queues) left += queue.blocks.size();
  assert_int_equal(wrong, 0);
  assert_int_equal(a.live(), left);
  for (const Queue& queue : queues) {
    for (unsigned char* const block : queue.blocks) assert_true(a.free(block));
  }
  assert_int_equal(a.live(), 0);
  assert_true(a.check_invariants());
  assert_int_equal(a.figures.live_bytes, 0);
  assert_int_equal(a.figures.allocations, threads * turns);
  assert_int_equal(a.figures.deallocations, threads * turns);
  assert_int_equal(a.process.of(CADASTRE_HOST).claimed(), 0);
}

void of_two_that_free_one_block_one_succeeds(void**) {
  Alone a;
  a.provide();
  for (int round = 0; round < 300; ++round) {
    void* const block = a.malloc(64);
    std::atomic<int> freed = 0, ready = 0;
    const auto free_it = [&] {
      a.provide();
      ++ready;
      while (ready < 2) std::this_thread::yield();
      freed += a.free(block);
    };
    std::thread one(free_it), other(free_it);
    one.join();
    other.join();
    assert_int_equal(freed, 1);
  }
  assert_int_equal(a.live(), 0);
  assert_true(a.check_invariants());
}

// The same of threads that have freed before, and so do it at once, as long as nobody makes a locked call.
void of_two_that_free_the_same_blocks_one_succeeds_with_each(void**) {
  Alone a;
  a.provide();
  std::vector<void*> blocks(20000);
  for (void*& block : blocks) block = a.malloc(64);
  a.lock([&] {
    for (void* const block : blocks) a.heap.share(address_of(block));
  });
  std::atomic<int> freed = 0;
  std::atomic<std::size_t> at[2] = {0, 0};
  const auto free_them = [&](int which) {
    a.provide();
    for (std::size_t number = 0; number < blocks.size(); ++number) {
      at[which] = number;
      while (at[1 - which] < number) {
      }
      freed += a.frees_at_once(blocks[number]) || a.frees(blocks[number]);
    }
    at[which] = blocks.size();
  };
  std::thread one(free_them, 0), other(free_them, 1);
  one.join();
  other.join();
  assert_int_equal(freed, blocks.size());
  assert_int_equal(a.live(), 0);
  assert_true(a.check_invariants());
}

// Of whatever size are the blocks that are freed, or made smaller: marks of parents are too high by what is claimed and not in use.
// By a thread that has no other heap.
bool claims_little_in_advance() {
  Alone a;
  std::mt19937 random(5);
  std::vector<std::pair<void*, std::size_t>> blocks;
  std::size_t live = 0;
  bool good = true;
  const auto look = [&] {
    const std::size_t claimed = a.account.of(CADASTRE_HOST).claimed();
    good = good && claimed >= live && claimed <= live + (std::size_t{64} << 10);
  };
  for (int turn = 0; turn < 20000; ++turn) {
    if (blocks.empty() || (random() % 2 == 0 && live < 20000000)) {
      const std::size_t size = std::size_t{1} << random() % 18;
      blocks.emplace_back(a.malloc(size), size);
      good = good && blocks.back().first;
      live += size;
    } else {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      good = good && a.free(blocks.back().first);
      live -= blocks.back().second;
      blocks.pop_back();
    }
    look();
  }
  for (const auto& [block, size] : blocks) good = good && a.free(block);
  blocks.clear();
  live = 0;
  for (int number = 0; number < 50; ++number) {
    live += 130000;
    blocks.emplace_back(a.malloc(130000), 130000);
  }
  for (const auto& [block, size] : blocks) {
    good = good && (resize_at_once(a.handle, block, 124000) || resize_with_effort(a.handle, block, 124000));
    live -= 6000;
    look();
  }
  a.lock([] {});
  return good;
}

void no_more_is_claimed_in_advance_than_the_header_says(void**) {
  bool good = false;
  std::thread([&] { good = claims_little_in_advance(); }).join();
  assert_true(good);
}

// However many heaps its thread worked in before.
void a_heap_that_goes_leaves_its_share_of_what_is_claimed_in_advance(void**) {
  std::size_t first = 0;
  for (int turn = 0; turn < 200; ++turn) {
    Alone a;
    assert_non_null(a.malloc(64));
    const std::size_t claimed = a.account.of(CADASTRE_HOST).claimed();
    if (turn == 0) first = claimed;
    assert_true(claimed > 1000 && claimed == first);
    a.lock([] {});
  }
}

// 1,000 threads, one after the other, need what one does.
void threads_that_come_and_go_leave_nothing(void**) {
  Alone a;
  tell_when_threads_end([](cadastre_context, Shard& shard) noexcept { shard.heap->abandon(shard); });
  const auto work = [&] {
    void* const block = a.malloc(100);
    assert_non_null(block);
    assert_true(a.free(block));
  };
  for (int i = 0; i < 20; ++i) std::thread(work).join();
  const std::size_t before = own_bytes().taken;
  for (int i = 0; i < 1000; ++i) std::thread(work).join();
  assert_true(own_bytes().taken <= before);  // less where pages went back meanwhile
  assert_int_equal(a.figures.allocations, 1020);
  assert_int_equal(a.figures.deallocations, 1020);
  assert_int_equal(a.figures.live_bytes, 0);
  assert_int_equal(a.account.of(CADASTRE_HOST).claimed(), 0);
}

// 64 bytes past any block and before the first change neither what is given out nor what is told.
void overruns_change_no_record(void**) {
  if (is_memory_checked()) skip_because("a checker of memory watches");
  Alone a;
  std::vector<unsigned char*> blocks;
  for (int i = 0; i < 2000; ++i) blocks.push_back(static_cast<unsigned char*>(a.malloc(48)));
  const auto [first, last] = std::minmax_element(blocks.begin(), blocks.end());
  for (unsigned char* const block : blocks) std::memset(block, 0xff, block == *last ? 48 : 48 + 64);
  (void)first;
  assert_true(a.check_invariants());
  a.lock([&] {
    for (unsigned char* const block : blocks) {
      const std::optional<Record> record = a.heap.at(address_of(block));
      assert_true(record && record->size == 48);
    }
  });
  const std::set<unsigned char*> all(blocks.begin(), blocks.end());
  assert_int_equal(all.size(), blocks.size());
  for (unsigned char* const block : blocks) assert_true(a.free(block));
  assert_int_equal(a.live(), 0);
}

void what_a_freed_block_was_is_remembered(void**) {
  Alone a;
  a.provide();
  void* const first = a.malloc(100);
  void* const second = a.malloc(200, 64);
  const std::uint64_t serial = a.lock([&] { return a.heap.at(address_of(second))->serial; });
  assert_true(a.free(second));
  a.lock([&] {
    assert_false(a.heap.at(address_of(second)).has_value());
    const std::optional<Record> freed = a.heap.freed_around(address_of(second) + 150);
    assert_true(freed && freed->pointer == second && freed->size == 200 && freed->serial == serial && freed->state == State::freed);
    assert_int_equal(freed->stride_or_freed, a.numbers.deallocation - 1);
    assert_int_equal(a.heap.at(address_of(first))->serial, serial - 1);
  });
}

// By way of the public functions: the thread has no shard at first, and the slab is the other's alone.
void a_free_by_another_thread_needs_a_locked_call_once(void**) {
  const cadastre_context context = cadastre_context_create();
  void *first = nullptr, *second = nullptr, *third = nullptr;
  for (void** const block : {&first, &second, &third}) assert_non_null(*block = cadastre_malloc_plain(context, 64, 0, 0, nullptr));
  const Slab& slab = *page_map.slab_at(address_of(second));
  assert_ptr_equal(&slab, page_map.slab_at(address_of(third)));
  assert_false(slab.shared);
  std::atomic<int> wrong = 0;
  std::thread([&] {
    wrong += cadastre_free(context, second) != CADASTRE_SUCCESS;
    wrong += !slab.shared;
    wrong += free_with_effort(context, third) != Freed::yes;
    wrong += cadastre_free(context, third) != CADASTRE_INVALID_ARG_2;
  }).join();
  assert_int_equal(wrong, 0);
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
  assert_int_equal(s.live_blocks, 1);
  assert_int_equal(s.deallocations, 2);
  assert_int_equal(cadastre_free(context, first), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_limit_is_exact_and_refuses_nothing_that_fits(void**) {
  Alone a;
  a.account.of(CADASTRE_HOST).set_limit(100000);
  std::vector<void*> blocks;
  while (void* const block = a.malloc(100)) blocks.push_back(block);
  assert_int_equal(blocks.size(), 1000);
  assert_true(a.free(blocks.back()));
  blocks.pop_back();
  assert_null(a.malloc(101));
  assert_non_null(a.malloc(100));
  assert_null(a.malloc(1));
  assert_non_null(a.malloc(0));
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(each_size_belongs_to_the_smallest_class_that_holds_it),
      cmocka_unit_test(a_size_rounded_up_to_an_alignment_has_a_class_of_that_alignment),
      cmocka_unit_test(slabs_are_as_large_as_records_and_maps_can_say),
      cmocka_unit_test(every_address_of_a_slab_is_told_its_block),
      cmocka_unit_test(gaps_are_found_where_a_plain_search_finds_them),
      cmocka_unit_test(pages_that_come_back_are_known_to_be_dirty_until_the_system_has_them),
      cmocka_unit_test(pages_that_are_locked_stay_dirty),
      cmocka_unit_test(own_memory_comes_zeroed_and_apart),
      cmocka_unit_test(each_byte_of_a_loose_block_is_where_one_may_be),
      cmocka_unit_test(a_shard_lock_opens_for_one_handle_and_for_nobody_twice),
      cmocka_unit_test(who_closes_a_shard_lock_is_alone),
      cmocka_unit_test(a_heap_does_what_a_map_does),
      cmocka_unit_test(threads_free_what_others_allocated_and_nothing_is_lost),
      cmocka_unit_test(blocks_are_cleared_before_the_shard_is_left),
      cmocka_unit_test(of_two_that_free_one_block_one_succeeds),
      cmocka_unit_test(of_two_that_free_the_same_blocks_one_succeeds_with_each),
      cmocka_unit_test(no_more_is_claimed_in_advance_than_the_header_says),
      cmocka_unit_test(a_heap_that_goes_leaves_its_share_of_what_is_claimed_in_advance),
      cmocka_unit_test(threads_that_come_and_go_leave_nothing),
      cmocka_unit_test(overruns_change_no_record),
      cmocka_unit_test(what_a_freed_block_was_is_remembered),
      cmocka_unit_test(a_free_by_another_thread_needs_a_locked_call_once),
      cmocka_unit_test(a_limit_is_exact_and_refuses_nothing_that_fits),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
