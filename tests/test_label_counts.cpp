// Tangled from org/tests/label_count_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "context/holdings.hpp"
#include "context/lock.hpp"
#include "core/calls.hpp"
#include "registry/figures.hpp"

using namespace cadastre::internal;

namespace {

cadastre_memory_info_struct request(std::size_t size, const char* label, std::size_t alignment = 0) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  info.alignment = alignment;
  return info;
}

struct Ledger {
  cadastre_context context = cadastre_context_create();
  std::map<std::pair<std::string, cadastre_memory_type>, LabelCount> all;

  void* malloc(const cadastre_memory_info_struct& info) {
    void* const pointer = cadastre_malloc(context, info);
    assert_non_null(pointer);
    if (info.label) all[{info.label, info.type}].count_in(info.size);
    return pointer;
  }
  void free(void* pointer) {
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_get_malloc_info(context, pointer, &info), CADASTRE_SUCCESS);
    if (info.label) all[{info.label, info.type}].count_out(info.size);
    assert_int_equal(cadastre_free(context, pointer), CADASTRE_SUCCESS);
  }
  void* realloc(void* pointer, std::size_t size) {
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_get_malloc_info(context, pointer, &info), CADASTRE_SUCCESS);
    if (info.label) all[{info.label, info.type}].bytes += static_cast<std::int64_t>(size - info.size);
    void* const resized = cadastre_realloc(context, pointer, size);
    assert_non_null(resized);
    return resized;
  }
  bool agrees() {
    std::map<std::pair<std::string, cadastre_memory_type>, LabelCount> told;
    std::erase_if(all, [](const auto& one) { return one.second == LabelCount(); });
    const ContextLock lock(context);
    const bool complete = for_each_label(lock->registry(), [&](cadastre_memory_type type, OriginNumber label, const LabelCount& count) {
      told[{text_of(label), type}] = count;
    });
    return complete && told == all && counts_labels_right(lock->registry());
  }
  void end() {
    assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    all.clear();
    assert_true(agrees());
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
};

void counters_of_all_threads_add_up(void**) {
  LabelCounts counts;
  assert_int_equal(counts.end(), 0);
  counts.add(no_origin, {1, 1});
  assert_int_equal(counts.end(), 0);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&counts] {
      for (OriginNumber label = 1; label <= 3000; ++label) counts.add(label, LabelCount::of_one(label));
      for (OriginNumber label = 1; label <= 3000; label += 2) counts.add(label, LabelCount::of_one(label).negated());
      for (int turn = 0; turn < 1'000'000; ++turn) counts.add(2, {7, 1});
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(counts.end(), 3001);
  counts.add(2, {-7 * 4'000'000, -4'000'000});
  for (OriginNumber label = 1; label <= 3000; ++label) {
    assert_true(counts.of(label) == (label % 2 == 0 ? LabelCount{4 * std::int64_t{label}, 4} : LabelCount()));
  }
  assert_true(counts.of(3001) == LabelCount() && counts.of(UINT32_MAX) == LabelCount());
  counts.add(1 << 20, {5, 1});
  assert_true((counts.of(1 << 20) == LabelCount{5, 1}));
}

void a_shards_counters_grow_and_move(void**) {
  ShardLabelCounts counts;
  LabelCounts others;
  assert_null(counts.at(0));
  for (OriginNumber label = 1; label < ShardLabelCounts::most; label = label * 3 / 2 + 1) {
    LabelCount* const count = counts.of(label);
    assert_non_null(count);
    *count = {label, 1};
    assert_ptr_equal(counts.at(label * sizeof(LabelCount)), count);
    assert_null(counts.at(counts.bytes()));
  }
  assert_null(counts.of(ShardLabelCounts::most));
  assert_in_range(counts.bytes(), 1, 256 << 10);
  for (OriginNumber label = 1; label < ShardLabelCounts::most; label = label * 3 / 2 + 1) {
    assert_true((counts.told(label) == LabelCount{label, 1}));
  }
  counts.move_to(others);
  assert_int_equal(counts.bytes(), 0);
  assert_true((others.of(1) == LabelCount{1, 1}));
  assert_true(counts.told(1) == LabelCount());
}

void a_word_that_is_no_live_blocks_leads_to_no_counter(void**) {
  constexpr std::uint64_t bits[] = {BlockWord::live, BlockWord::freed, BlockWord::leased,
                                    BlockWord::zero, BlockWord::moved, BlockWord::hidden};
  const std::uint64_t rest = std::uint64_t{100} << BlockWord::size_shift | BlockWord::traits(3, CADASTRE_UNINITIALIZED);
  for (unsigned set = 0; set < 1u << std::size(bits); ++set) {
    std::uint64_t word = rest;
    for (unsigned number = 0; number < std::size(bits); ++number) word |= set >> number & 1 ? bits[number] : 0;
    for (const OriginNumber label : {OriginNumber{0}, OriginNumber{1}, OriginNumber{1000}, BlockWord::last_label}) {
      const std::uint64_t labelled = word | std::uint64_t{label} << BlockWord::label_shift;
      const std::uint32_t strange = BlockWord::strange(labelled);
      const bool is_live = (labelled & BlockWord::state) == BlockWord::live;
      assert_int_equal(strange == 0, is_live && label == 0);
      const std::size_t place = BlockWord::count_place_of(strange);
      if (is_live) assert_int_equal(place, label * sizeof(LabelCount));
      if (!is_live) assert_true(place >= (BlockWord::last_label + 1) * sizeof(LabelCount));
    }
  }
}

void every_way_of_a_block_is_counted(void**) {
  Ledger ledger;
  std::vector<void*> blocks;
  const std::string long_label(200, 'l');
  for (int turn = 0; turn < 3; ++turn) {
    for (const std::size_t size : {0u, 1u, 16u, 100u, 1000u, 5000u, 100000u, 262144u}) {
      for (const char* const label : {"walkers", "an orbital's coefficients", cadastre_label("interned"), "", long_label.c_str()}) {
        blocks.push_back(ledger.malloc(request(size, label)));
        blocks.push_back(ledger.malloc(request(size, label, 256)));
        blocks.push_back(ledger.malloc(request(size, nullptr)));
        cadastre_memory_info_struct info = request(size, label);
        info.flags = CADASTRE_UNINITIALIZED;
        blocks.push_back(ledger.malloc(info));
      }
    }
    assert_true(ledger.agrees());
    for (void*& block : blocks) {
      block = ledger.realloc(block, 90);
      block = ledger.realloc(block, 84);
      block = ledger.realloc(block, 92);
    }
    assert_true(ledger.agrees());
    for (void*& block : blocks) block = ledger.realloc(block, 3000);
    assert_true(ledger.agrees());
    while (blocks.size() > 40) {
      ledger.free(blocks.back());
      blocks.pop_back();
    }
    assert_true(ledger.agrees());
    assert_int_not_equal(cadastre_free(ledger.context, &ledger), CADASTRE_SUCCESS);
    assert_true(ledger.agrees());
  }
  ledger.end();
}

// Figures are asked for at the end only: whoever asks locks the heap, and what grows from there is counted with effort.
void blocks_that_come_and_go_at_once_are_counted(void**) {
  Ledger ledger;
  const char* const labels[] = {"first of three", "second of three", nullptr, cadastre_label("third of three")};
  std::vector<void*> blocks;
  for (int number = 0; number < 40; ++number) blocks.push_back(ledger.malloc(request(1000, labels[number % 4])));
  for (unsigned turn = 0; turn < 4000; ++turn) {
    void*& block = blocks[turn * 7 % 40];
    ledger.free(block);
    cadastre_memory_info_struct info = request(turn % 1000, labels[turn / 3 % 4]);
    if (turn % 2) info.flags = CADASTRE_UNINITIALIZED;
    block = ledger.malloc(info);
    if (turn % 5 == 0) block = ledger.realloc(block, turn % 1000 / 2);
  }
  assert_true(ledger.agrees());
  ledger.end();
}

void blocks_that_stand_alone_are_counted(void**) {
  for (const char* const heap : {"off", "on"}) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    if (std::string(heap) == "off") options.pool = CADASTRE_POOL_CACHING;
    Ledger ledger{cadastre_context_create_with_options(&options), {}};
    std::vector<void*> blocks;
    for (const std::size_t size : {std::size_t{10}, std::size_t{1} << 20, std::size_t{16} << 20}) {
      for (const char* const label : {"grid", "halo"}) {
        for (int turn = 0; turn < 4; ++turn) blocks.push_back(ledger.malloc(request(size, label)));
      }
    }
    assert_true(ledger.agrees());
    for (void*& block : blocks) block = ledger.realloc(block, (std::size_t{2} << 20) + 5);
    assert_true(ledger.agrees());
    while (blocks.size() > 3) {
      ledger.free(blocks.back());
      blocks.pop_back();
    }
    assert_true(ledger.agrees());
    ledger.end();
  }
}

void other_memory_types_are_counted_and_borrowed_ranges_are_not(void**) {
  Ledger ledger;
  cadastre_memory_info_struct info = request(5000, "staging");
  info.type = CADASTRE_PINNED;
  void* const first = ledger.malloc(info);
  info.label = "mail";
  ledger.malloc(info);
  ledger.malloc(request(77, "staging"));
  static char range[100];
  cadastre_memory_info_struct borrowed = request(sizeof range, "borrowed");
  borrowed.pointer = range;
  assert_int_equal(cadastre_wrap(ledger.context, borrowed), CADASTRE_SUCCESS);
  assert_true(ledger.agrees());
  ledger.free(first);
  assert_true(ledger.agrees());
  ledger.end();
}

void who_has_locked_the_context_counts(void**) {
  Ledger ledger;
  void* const before = ledger.malloc(request(40, "a"));
  assert_int_equal(cadastre_lock(ledger.context), CADASTRE_SUCCESS);
  void* const inside = ledger.malloc(request(50, "b"));
  assert_true(ledger.agrees());
  ledger.free(before);
  ledger.free(inside);
  ledger.malloc(request(60, "a"));
  assert_true(ledger.agrees());
  assert_int_equal(cadastre_unlock(ledger.context), CADASTRE_SUCCESS);
  assert_true(ledger.agrees());
  ledger.end();
}

// One thread allocates, another frees, and the counters of each say something else.
void what_others_free_is_right_in_the_sum(void**) {
  Ledger ledger;
  std::vector<void*> blocks;
  for (int number = 0; number < 1000; ++number) blocks.push_back(ledger.malloc(request(100, "passed on")));
  const OriginNumber label = known_origin_of("passed on");
  const auto counted_here = [&] { return shard_at_hand(ledger.context).label_counts.told(label); };
  const std::int64_t before = counted_here().blocks;
  assert_in_range(before, 900, 1000);
  std::thread other([&] {
    void* const own = ledger.malloc(request(100, "passed on"));
    ledger.free(own);
    for (int number = 0; number < 600; ++number) ledger.free(blocks[static_cast<std::size_t>(number)]);
    assert_in_range(-counted_here().blocks, 500, 601);
    assert_true(ledger.agrees());
  });
  other.join();
  assert_int_equal(counted_here().blocks, before);
  assert_true(ledger.agrees());
  for (int number = 600; number < 1000; ++number) ledger.free(blocks[static_cast<std::size_t>(number)]);
  assert_true(ledger.agrees());
  ledger.end();
}

void a_thread_that_ends_leaves_its_counters(void**) {
  Ledger ledger;
  std::vector<void*> blocks;
  for (int turn = 0; turn < 20; ++turn) {
    std::thread worker([&] {
      for (int number = 0; number < 50; ++number) blocks.push_back(ledger.malloc(request(30, number % 2 ? "odd" : "even")));
      for (int number = 0; number < 10; ++number) {
        ledger.free(blocks.back());
        blocks.pop_back();
      }
    });
    worker.join();
    assert_true(ledger.agrees());
  }
  for (void* const block : blocks) ledger.free(block);
  assert_true(ledger.agrees());
  ledger.end();
}

void a_child_counts_on(void**) {
  Ledger ledger;
  std::vector<void*> blocks;
  std::atomic<int> step = 0;
  std::thread other([&] {
    for (int number = 0; number < 100; ++number) blocks.push_back(ledger.malloc(request(64, "of another thread")));
    step = 1;
    while (step == 1) std::this_thread::yield();
  });
  while (step == 0) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    for (int number = 0; number < 50; ++number) ledger.free(blocks[static_cast<std::size_t>(number)]);
    ledger.malloc(request(10, "of the child"));
    _exit(ledger.agrees() ? 0 : 1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  step = 2;
  other.join();
  assert_true(ledger.agrees());
  ledger.end();
}

void very_many_labels_cost_a_shard_no_more_than_its_bound(void**) {
  constexpr unsigned labels = 100'000;
  Ledger ledger;
  std::vector<void*> blocks;
  const std::size_t before = own_bytes().taken;
  for (unsigned number = 0; number < 2 * labels; ++number) {  // the first of a label comes by a locked call
    blocks.push_back(ledger.malloc(request(16, ("label " + std::to_string(number % labels)).c_str())));
  }
  assert_true(ledger.agrees());
  const auto counters_here = [&] { return shard_at_hand(ledger.context).label_counts.bytes(); };
  assert_in_range(counters_here(), 1, 256 << 10);
  std::thread other([&] {
    for (unsigned number = 0; number < 2 * labels; number += 2) ledger.free(blocks[number]);
    assert_in_range(counters_here(), 0, 256 << 10);
  });
  other.join();
  assert_true(ledger.agrees());
  for (unsigned number = 1; number < 2 * labels; number += 2) ledger.free(blocks[number]);
  assert_true(ledger.agrees());
  assert_true(ledger.all.empty());
  ledger.end();
  assert_true(own_bytes().taken < before + (std::size_t{4} << 20));
}

void threads_that_come_and_go_cost_nothing(void**) {
  Ledger ledger;
  std::size_t early = 0;
  for (int turn = 0; turn < 200; ++turn) {
    std::thread worker([&] { ledger.free(ledger.malloc(request(16, "label 16000"))); });
    worker.join();
    if (turn == 20) early = own_bytes().taken;
  }
  assert_true(own_bytes().taken <= early + (128 << 10));  // what was freed is remembered, too
  std::atomic<int> there = 0;
  std::vector<std::thread> together;
  for (int number = 0; number < 8; ++number) {
    together.emplace_back([&] {
      const cadastre_memory_info_struct info = request(16, "label 16000");
      for (int turn = 0; turn < 3; ++turn) {
        assert_int_equal(cadastre_free(ledger.context, cadastre_malloc(ledger.context, info)), CADASTRE_SUCCESS);
      }
      for (++there; there < 8;) std::this_thread::yield();
    });
  }
  for (std::thread& thread : together) thread.join();
  assert_true(own_bytes().taken <= early + (512 << 10));
  ledger.end();
}

void contexts_that_come_and_go_cost_nothing(void**) {
  std::size_t early = 0;
  for (int turn = 0; turn < 200; ++turn) {
    Ledger ledger;
    for (const char* const label : {"label 100", "label 1000", "label 16000", "label 90000"}) {
      for (int again = 0; again < 3; ++again) ledger.malloc(request(16, label));
    }
    cadastre_memory_info_struct pinned = request(16, "label 70000");
    pinned.type = CADASTRE_PINNED;
    ledger.malloc(pinned);
    assert_int_equal(cadastre_context_destroy(ledger.context), CADASTRE_SUCCESS);
    if (turn == 20) early = own_bytes().taken;
  }
  assert_true(own_bytes().taken <= early + 4096);
}

void nobody_looks_at_a_block_to_know_the_figures(void**) {
  Ledger ledger;
  void* const block = ledger.malloc(request(1000, "counted"));
  const Slab* const slab = page_map.slab_at(address_of(block));
  if (!slab) {  // no block lies in a slab here
    ledger.end();
    return;
  }
  std::size_t place = 0;
  assert_true(slab->find_beginning(address_of(block), place));
  std::atomic<std::uint64_t>& word = slab->record_at(place).word;
  const std::uint64_t before = word;
  word = BlockWord::with_size(before, 990);
  std::vector<LabelShare> shares;
  {
    const ContextLock lock(ledger.context);
    shares = take_holdings(lock.context(), ledger.context).labels;
    assert_false(counts_labels_right(lock->registry()));
  }
  word = before;
  assert_int_equal(shares.size(), 1);
  assert_int_equal(shares[0].count.bytes, 1000);
  assert_int_equal(shares[0].count.blocks, 1);
  assert_string_equal(text_of(shares[0].label), "counted");
  ledger.malloc(request(30, nullptr));
  {
    const ContextLock lock(ledger.context);
    shares = take_holdings(lock.context(), ledger.context).labels;
  }
  assert_int_equal(shares.size(), 2);
  assert_int_equal(shares[1].label, no_origin);
  assert_true((shares[1].count == LabelCount{30, 1}));
  ledger.end();
}

void the_largest_blocks_are_the_oldest_of_the_largest(void**) {
  Ledger ledger;
  std::vector<void*> blocks;
  for (int number = 0; number < 100; ++number) blocks.push_back(ledger.malloc(request(60, "small")));
  void* const larger = ledger.malloc(request(63, "small"));
  void* const alone = ledger.malloc(request(std::size_t{1} << 20, "alone"));
  void* const medium = ledger.malloc(request(5000, "medium"));
  ledger.malloc(request(5, "least"));
  std::vector<Record> found;
  {
    const ContextLock lock(ledger.context);
    found = largest(lock->registry(), 6);
  }
  assert_int_equal(found.size(), 6);
  void* const expected[] = {alone, medium, larger, blocks[0], blocks[1], blocks[2]};
  for (std::size_t number = 0; number < 6; ++number) assert_ptr_equal(found[number].pointer, expected[number]);
  assert_int_equal(cadastre_free_all(ledger.context), CADASTRE_SUCCESS);
  ledger.all.clear();
  void* const older = ledger.malloc(request(64, "as large as its class"));
  ledger.malloc(request(64, "in a class of larger ones", 256));
  {
    const ContextLock lock(ledger.context);
    assert_ptr_equal(largest(lock->registry(), 1)[0].pointer, older);
  }
  ledger.end();
}

void a_family_names_the_largest_label_of_all(void**) {
  const cadastre_context parent = cadastre_context_create();
  const char* const labels[] = {"first", "second", "third"};
  assert_non_null(cadastre_malloc(parent, request(60, "common")));
  for (const char* const label : labels) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.parent = parent;
    const cadastre_context child = cadastre_context_create_with_options(&options);
    assert_non_null(cadastre_malloc(child, request(100, label)));
    assert_non_null(cadastre_malloc(child, request(60, "common")));
  }
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_children(parent, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_blocks, 7);
  assert_string_equal(summary.largest_label, "common");
  assert_int_equal(summary.largest_label_bytes, 240);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(counters_of_all_threads_add_up),
      cmocka_unit_test(a_shards_counters_grow_and_move),
      cmocka_unit_test(a_word_that_is_no_live_blocks_leads_to_no_counter),
      cmocka_unit_test(every_way_of_a_block_is_counted),
      cmocka_unit_test(blocks_that_come_and_go_at_once_are_counted),
      cmocka_unit_test(blocks_that_stand_alone_are_counted),
      cmocka_unit_test(other_memory_types_are_counted_and_borrowed_ranges_are_not),
      cmocka_unit_test(who_has_locked_the_context_counts),
      cmocka_unit_test(what_others_free_is_right_in_the_sum),
      cmocka_unit_test(a_thread_that_ends_leaves_its_counters),
      cmocka_unit_test(a_child_counts_on),
      cmocka_unit_test(very_many_labels_cost_a_shard_no_more_than_its_bound),
      cmocka_unit_test(threads_that_come_and_go_cost_nothing),
      cmocka_unit_test(contexts_that_come_and_go_cost_nothing),
      cmocka_unit_test(nobody_looks_at_a_block_to_know_the_figures),
      cmocka_unit_test(the_largest_blocks_are_the_oldest_of_the_largest),
      cmocka_unit_test(a_family_names_the_largest_label_of_all),
  };
  return cmocka_run_group_tests_name("label counts", tests, nullptr, nullptr);
}
