// Tangled from org/tests/heap_integrity.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/checkers.hpp"
#include "cadastre.h"
#include "cmocka.hpp"
#include "context/lifetime.hpp"
#include "context/lock.hpp"
#include "core/calls.hpp"

using namespace cadastre::internal;

namespace {

using Blocks = std::vector<char*>;

char* take(cadastre_context context, std::size_t size) { return static_cast<char*>(cadastre_malloc_plain(context, size, 0, 0, "walkers")); }
Blocks take_some(cadastre_context context, std::size_t size, int number) {
  Blocks blocks;
  for (int i = 0; i < number; ++i) assert_non_null(blocks.emplace_back(take(context, size)));
  return blocks;
}
Slab& slab_of(const void* block) { return *page_map.slab_at(address_of(block)); }
std::size_t place_of(const void* block) {
  std::size_t place = 0;
  assert_true(slab_of(block).find_beginning(address_of(block), place));
  return place;
}
std::atomic<std::uint64_t>& word_of(const void* block) { return slab_of(block).record_at(place_of(block)).word; }
std::uint64_t with_next(std::uint64_t word, std::uint64_t next) { return (word & ~BlockWord::next_bits) | next << BlockWord::next_shift; }

// 64 bytes before each block and behind it, of all kinds of sizes, up to the edges of chunks. Sanitizers would end the program.
void overruns_reach_no_record(void**) {
  if (is_memory_checked()) skip_because("a checker of memory watches");
  const cadastre_context context = cadastre_context_create();
  std::vector<std::pair<char*, std::size_t>> blocks;
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 16, 48, 100, 1000, 4096, 50000, 262144}) {
    for (char* const block : take_some(context, size, size > 10000 ? 40 : 700)) blocks.emplace_back(block, size);
  }
  bool at_edge = false;
  for (const auto& [block, size] : blocks) {
    const std::uintptr_t first = slab_of(block).chunk->begin, begin = address_of(block), end = begin + size_of_class(class_of_size(size));
    assert_true(begin >= first + page_bytes && end + page_bytes <= first + chunk_bytes);
    at_edge = at_edge || begin == first + page_bytes;
    std::memset(block - 64, 0xff, 64);
    std::memset(block + size, 0xff, 64);
  }
  assert_true(at_edge);
  std::set<char*> all;
  for (const auto& [block, size] : blocks) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
    assert_true(info.size == size && info.pointer == block && std::strcmp(info.label, "walkers") == 0);
    assert_true(slab_of(block).check_invariants() && all.insert(block).second);
  }
  for (const auto& [block, size] : blocks) assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_int_equal(take_some(context, 48, 2000).size(), 2000);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void overruns_of_a_page_reach_none_of_the_librarys_own_memory(void**) {
  constexpr std::size_t bytes = 300 * page_bytes;
  char* own[8];
  for (char*& memory : own) assert_non_null(memory = static_cast<char*>(take_own(bytes)));
  for (char* const memory : own) {
    std::memset(memory - page_bytes, 0xff, page_bytes);
    std::memset(memory + bytes, 0xff, page_bytes);
  }
  for (char* const memory : own) assert_true(std::all_of(memory, memory + bytes, [](char byte) { return byte == 0; }));
  const std::size_t mapped = own_bytes().mapped;
  for (char* const memory : own) give_own(memory, bytes);
  assert_int_equal(own_bytes().mapped, mapped - std::size(own) * bytes);
}

// A context with three blocks that live, three that were freed, as the chain has them, and one of another size.
struct Struck {
  cadastre_context context = cadastre_context_create();
  Blocks live = take_some(context, 48, 3), freed = take_some(context, 48, 3);
  char* other = take(context, 200);
  Slab& slab = slab_of(live[0]);
  int refused = 0;

  Struck() {
    for (char* const block : freed) assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    std::reverse(freed.begin(), freed.end());
  }
  void count(cadastre_exit_code code) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_true(code == CADASTRE_FAILURE && error.exit_code == code && error.reason == CADASTRE_REASON_DAMAGED_RECORDS);
    assert_true(error.base == reinterpret_cast<void*>(slab.begin) && error.size == 48 && std::strstr(error.message, "48 bytes"));
    ++refused;
  }
  // Nobody's block is given out again, and who is refused is told why. struck: a block that lives, if any, whose record is damaged.
  void goes_on(char* struck = nullptr) {
    std::set<char*> all(live.begin(), live.end());
    all.insert(other);
    if (struck) count(cadastre_free(context, struck));
    for (int i = 0; i < 400; ++i) {
      char* const block = take(context, 48);
      if (!block) {
        count(CADASTRE_FAILURE);
      } else {
        assert_true(all.insert(block).second);
      }
    }
    assert_int_equal(refused, 1);
    assert_true(slab.damaged && slab.first_free == no_place);
    all.erase(struck);
    for (char* const block : all) {
      assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
      assert_int_not_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    }
    cadastre_statistics_struct s = cadastre_statistics_struct_zero;
    assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
    assert_int_equal(s.live_blocks, struck ? 1 : 0);
    assert_int_equal(s.live_bytes, struck ? 48 : 0);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
};

void a_live_block_whose_record_was_overwritten_is_not_freed(void**) {
  for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{BlockWord::zero}, ~std::uint64_t{0}, std::uint64_t{BlockWord::freed},
                                    BlockWord::live | BlockWord::freed, BlockWord::live | BlockWord::leased,
                                    BlockWord::live | BlockWord::hidden, BlockWord::live | std::uint64_t{65} << BlockWord::size_shift,
                                    BlockWord::live | std::uint64_t{1} << BlockWord::next_shift, std::uint64_t{0x4141414141414141}}) {
    Struck s;
    word_of(s.live[1]).store(wrong);
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    std::size_t offset = 0;
    if (cadastre_get_malloc_info(s.context, s.live[1], &info) == CADASTRE_SUCCESS) assert_true(info.size <= 48);
    if (cadastre_find_block(s.context, s.live[1] + 1, &info, &offset) == CADASTRE_SUCCESS) assert_true(info.size <= 48);
    assert_null(cadastre_realloc(s.context, s.live[1], 40));
    s.goes_on(s.live[1]);
  }
}

void a_chain_that_was_overwritten_gives_no_block_twice(void**) {
  enum Link { far, untouched, own, of_live, none };
  for (const Link link : {far, untouched, own, of_live, none}) {
    for (const std::size_t which : {0u, 1u, 2u}) {
      Struck s;
      const std::uint64_t next = link == far         ? no_place - 1u
                                 : link == untouched ? s.slab.touched
                                 : link == own       ? place_of(s.freed[which])
                                 : link == of_live   ? place_of(s.live[0])
                                                     : no_place;
      std::atomic<std::uint64_t>& word = word_of(s.freed[which]);
      word.store(with_next(word, next));
      s.goes_on();
    }
  }
  for (const std::uint64_t wrong : {std::uint64_t{BlockWord::live}, std::uint64_t{BlockWord::leased}, std::uint64_t{BlockWord::hidden},
                                    ~std::uint64_t{0}, std::uint64_t{0}}) {
    Struck s;
    word_of(s.freed[1]).store(wrong);
    s.goes_on();
  }
}

void numbers_and_counts_that_were_overwritten_do_no_harm(void**) {
  {
    Struck s;
    s.slab.record_at(place_of(s.live[0])).number = ~std::uint64_t{0};
    assert_int_equal(cadastre_free(s.context, s.live[0]), CADASTRE_SUCCESS);
    assert_int_equal(take_some(s.context, 48, 400).size(), 400);
    assert_int_equal(cadastre_context_destroy(s.context), CADASTRE_SUCCESS);
  }
  Struck first;
  first.slab.first_free = 500;
  first.goes_on();
  for (const bool touched_too : {false, true}) {
    Struck s;  // which is empty, as its counts say, so that its pages would be given back
    s.slab.used = 0;
    if (touched_too) s.slab.touched = 0;
    {
      ContextLock lock(s.context);
      lock->registry().heap().lock();
      lock->registry().heap().trim(Heap::Leave::none);
    }
    assert_ptr_equal(&slab_of(s.live[0]), &s.slab);
    assert_true(s.slab.damaged);
    assert_int_equal(cadastre_context_destroy(s.context), CADASTRE_SUCCESS);
  }
  // What was of a description that is damaged is given to nobody.
  const cadastre_context context = cadastre_context_create();
  char* const block = take(context, 48);
  slab_of(block).pages += 7;
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_ptr_equal(&slab_of(block), page_map.slab_at(address_of(block)));
  assert_int_equal(slab_of(block).context, 0);
}

void what_others_freed_is_looked_at_before_it_is_given_out(void**) {
  for (const std::uint64_t next : {std::uint64_t{no_place} - 1, std::uint64_t{0}, std::uint64_t{1}}) {
    Struck s;
    std::thread([&] { assert_int_equal(cadastre_free(s.context, s.live[2]), CADASTRE_SUCCESS); }).join();
    assert_true(s.slab.shared && s.slab.remote.first() != no_place);
    std::atomic<std::uint64_t>& word = word_of(s.live[2]);
    word.store(with_next(word, next));
    s.live.pop_back();
    s.goes_on();
  }
}

// While blocks wait in the shard that has freed them.
void a_slab_that_was_overwritten_gets_no_blocks_back(void**) {
  for (const bool is_owner : {false, true}) {
    Struck s;
    Shard* const owner = s.slab.owner;
    BlockRecord* const records = s.slab.records;
    std::thread([&] {
      assert_int_equal(cadastre_free(s.context, s.live[1]), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_free(s.context, s.live[2]), CADASTRE_SUCCESS);
      if (is_owner) {
        s.slab.owner = reinterpret_cast<Shard*>(std::uintptr_t{0x4141414141414140});
      } else {
        s.slab.records = reinterpret_cast<BlockRecord*>(std::uintptr_t{0x4141414141414140});
      }
      cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
      assert_int_equal(cadastre_get_statistics(s.context, CADASTRE_HOST, &statistics), CADASTRE_SUCCESS);
      assert_int_equal(statistics.live_blocks, 2);
    }).join();
    s.slab.owner = owner;
    s.slab.records = records;
    assert_int_equal(cadastre_context_destroy(s.context), CADASTRE_SUCCESS);
  }
}

char* of_the_destroyed = nullptr;
cadastre_exit_code freed_in_another = CADASTRE_SUCCESS;

// Its shard is this thread's for the next context, and its slabs are still there: a block of theirs is none of that context. The first blocks
// there make the shard ready to free at once.
void free_in_another(const Holdings*) noexcept {
  const cadastre_context another = cadastre_context_create();
  const Shard* const shard = slab_of(of_the_destroyed).owner;
  char* own[4];
  for (char*& block : own) block = take(another, 200);
  const bool is_that_shard = slab_of(own[0]).owner == shard, is_ready = cadastre_free(another, own[3]) == CADASTRE_SUCCESS;
  freed_in_another = cadastre_free(another, of_the_destroyed);
  if (!is_that_shard || !is_ready || take(another, 48) == of_the_destroyed) freed_in_another = CADASTRE_SUCCESS;
  cadastre_context_destroy(another);
}

void a_block_of_a_context_that_is_being_destroyed_is_freed_in_no_other(void**) {
  const cadastre_context context = cadastre_context_create();
  of_the_destroyed = take_some(context, 48, 3)[1];
  ContextLock lock(context);
  assert_int_equal(destroy_context(lock, nullptr, free_in_another), CADASTRE_SUCCESS);
  assert_int_equal(freed_in_another, CADASTRE_INVALID_ARG_2);
}

// Its shards are left behind then, and name no thread that is gone. The destruction waits for a call that has unlocked.
void a_thread_that_ends_while_its_context_is_being_destroyed_leaves_its_shard(void**) {
  const cadastre_context context = cadastre_context_create();
  std::optional<ContextLock> outside(context);
  outside->unlock();
  std::atomic<Slab*> slab = nullptr;
  std::atomic<bool> is_waited_for = false;
  std::thread ends([&] {
    slab = &slab_of(take(context, 48));
    while (!is_waited_for) std::this_thread::yield();
  });
  std::thread destroys([&] {
    while (!slab) std::this_thread::yield();
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  });
  const Slot& slot = *context_table.find(context);
  while (!slot.closing) std::this_thread::yield();
  is_waited_for = true;
  ends.join();
  const bool names_none = slab.load()->owner->thread == nullptr;
  outside.reset();
  destroys.join();
  assert_true(names_none);
}

// More blocks than a shard draws numbers at once, where another shard draws, too.
void a_double_free_is_told_a_number_that_was_given(void**) {
  const cadastre_context context = cadastre_context_create();
  assert_non_null(take(context, 48));
  std::thread([&] { assert_int_equal(cadastre_free(context, take(context, 48)), CADASTRE_SUCCESS); }).join();
  const Blocks blocks = take_some(context, 48, 5000);
  for (char* const block : blocks) assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  ContextLock lock(context);
  const std::size_t first = lock->registry().freed_at(blocks[0])->stride_or_freed;
  assert_in_range(first, 1, 2 * Counts::numbers_at_once);
  for (std::size_t i = 0; i < blocks.size(); ++i) assert_int_equal(lock->registry().freed_at(blocks[i])->stride_or_freed, first + i);
  assert_int_equal(destroy_context(lock, nullptr), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(overruns_reach_no_record),
      cmocka_unit_test(overruns_of_a_page_reach_none_of_the_librarys_own_memory),
      cmocka_unit_test(a_live_block_whose_record_was_overwritten_is_not_freed),
      cmocka_unit_test(a_chain_that_was_overwritten_gives_no_block_twice),
      cmocka_unit_test(numbers_and_counts_that_were_overwritten_do_no_harm),
      cmocka_unit_test(what_others_freed_is_looked_at_before_it_is_given_out),
      cmocka_unit_test(a_slab_that_was_overwritten_gets_no_blocks_back),
      cmocka_unit_test(a_block_of_a_context_that_is_being_destroyed_is_freed_in_no_other),
      cmocka_unit_test(a_thread_that_ends_while_its_context_is_being_destroyed_leaves_its_shard),
      cmocka_unit_test(a_double_free_is_told_a_number_that_was_given),
  };
  return cmocka_run_group_tests_name("heap integrity", tests, nullptr, nullptr);
}
