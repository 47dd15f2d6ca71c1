// Tangled from org/tests/growth_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "core/threads.hpp"

namespace {

bool in_slabs = true;

struct Sum {
  std::size_t bytes = 0, most_bytes = 0;
  std::int64_t blocks = 0, most_blocks = 0;

  void add(std::size_t size, std::int64_t count) {
    bytes += size;
    blocks += count;
    most_bytes = std::max(most_bytes, bytes);
    most_blocks = std::max(most_blocks, blocks);
  }
  void take(std::size_t size, std::int64_t count) {
    bytes -= size;
    blocks -= count;
  }
};

struct Grown {
  cadastre_context context = cadastre_context_create();
  Sum sum;
  std::vector<std::pair<void*, std::size_t>> blocks;

  Grown() = default;
  Grown(const Grown&) = delete;
  ~Grown() {
    while (!blocks.empty()) free(blocks.size() - 1);
    asked();
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
  void malloc(std::size_t size) {
    void* const block = cadastre_malloc_plain(context, size, 0, CADASTRE_UNINITIALIZED, nullptr);
    assert_non_null(block);
    blocks.emplace_back(block, size);
    sum.add(size, 1);
  }
  void free(std::size_t place) {
    assert_int_equal(cadastre_free(context, blocks[place].first), CADASTRE_SUCCESS);
    sum.take(blocks[place].second, 1);
    blocks[place] = blocks.back();
    blocks.pop_back();
  }
  // Of sizes at which a block in a slab stays where it is.
  void resize(std::size_t place, std::size_t size) {
    auto& [block, old] = blocks[place];
    assert_ptr_equal(cadastre_realloc(context, block, size), block);
    if (size > old) {
      sum.add(size - old, 0);
    } else {
      sum.take(old - size, 0);
    }
    old = size;
  }
  void asked() {
    cadastre_statistics_struct s = cadastre_statistics_struct_zero;
    assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
    assert_int_equal(s.live_bytes, sum.bytes);
    assert_int_equal(s.live_blocks, sum.blocks);
    assert_int_equal(s.high_water_mark_bytes, sum.most_bytes);
    assert_int_equal(s.high_water_mark_blocks, sum.most_blocks);
  }
};

// Sizes in slabs, of nothing, and of blocks that stand alone.
constexpr std::size_t sizes[] = {0, 1, 112, 5000, 100000, 300000};

void the_most_that_lived_is_exact_however_a_run_ends(void**) {
  enum End { question, free_last, free_first, free_nothing, smaller, larger };
  for (const End end : {question, free_last, free_first, free_nothing, smaller, larger}) {
    for (const std::size_t size : sizes) {
      if ((end == smaller || end == larger) && (size != 112 || !in_slabs)) continue;
      for (const int length : {1, 4, 5, 6, 7, 12, 40, 300}) {
        if (static_cast<std::size_t>(length) * size > 40000000) continue;
        Grown grown;
        if (end == free_nothing) grown.malloc(0);
        for (int turn = 0; turn < 3; ++turn) {
          for (int number = 0; number < length; ++number) grown.malloc(size == 112 && end == larger ? 100 : size);
          switch (end) {
            case question: break;
            case free_last: grown.free(grown.blocks.size() - 1); break;
            case free_first:
            case free_nothing: grown.free(0); break;
            case smaller: grown.resize(0, grown.blocks[0].second == 112 ? 100 : 112); break;
            case larger: grown.resize(0, 112); break;
          }
          if (turn != 1) grown.asked();
          if (end == free_nothing) grown.malloc(0);
        }
      }
    }
  }
}

void the_most_that_lived_is_exact_after_random_runs(void**) {
  std::mt19937 random(11);
  for (int turn = 0; turn < 60; ++turn) {
    Grown grown;
    for (int run = 0; run < 60; ++run) {
      const std::size_t size = sizes[random() % 4];
      for (auto left = random() % 40; left > 0; --left) grown.malloc(size);
      for (auto left = random() % 3; left > 0 && !grown.blocks.empty(); --left) {
        const std::size_t place = random() % grown.blocks.size();
        if (in_slabs && grown.blocks[place].second == 112 && random() % 2 == 0) {
          grown.resize(place, 100);
        } else {
          grown.free(place);
        }
      }
      if (random() % 4 == 0) grown.asked();
    }
  }
}

// A slab in which another thread has freed is known to both contexts' threads, and is the first one's.
void what_others_free_is_counted_once_and_in_its_context(void**) {
  Grown grown;
  Grown other;
  for (int number = 0; number < 100; ++number) {
    grown.malloc(64);
    other.malloc(64);
  }
  std::thread([&] {
    for (int number = 0; number < 40; ++number) grown.free(0);
    for (int number = 0; number < 40; ++number) other.free(0);
    for (int number = 0; number < 20; ++number) {
      void* const block = grown.blocks[static_cast<std::size_t>(number)].first;
      assert_int_not_equal(cadastre_free(other.context, block), CADASTRE_SUCCESS);
      assert_int_not_equal(cadastre_free(other.context, static_cast<char*>(block) + 1), CADASTRE_SUCCESS);
    }
    void* const block = grown.blocks[0].first;
    grown.free(0);
    assert_int_not_equal(cadastre_free(grown.context, block), CADASTRE_SUCCESS);
  }).join();
  for (int number = 0; number < 100; ++number) grown.malloc(112);
  std::thread([&] { grown.free(grown.blocks.size() - 100); }).join();  // of the same slab as the next ones, for some of them
  for (std::size_t number = grown.blocks.size() - 90; in_slabs && number < grown.blocks.size(); ++number) {
    grown.resize(number, 100);
    grown.resize(number, 112);
  }
  void* const block = grown.blocks[0].first;
  assert_int_not_equal(cadastre_free(other.context, block), CADASTRE_SUCCESS);
  grown.free(0);
  assert_int_not_equal(cadastre_free(grown.context, block), CADASTRE_SUCCESS);
  std::thread([context = grown.context, block] { assert_int_not_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }).join();
}

// Blocks of a thread come and go in many contexts below one. Now and then another thread has one of them alone.
void grow_below_one(unsigned contexts, std::size_t largest, bool disturbed) {
  const cadastre_context parent = cadastre_context_create();
  std::vector<cadastre_context> children(contexts);
  for (cadastre_context& child : children) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.parent = parent;
    assert_int_not_equal(child = cadastre_context_create_with_options(&options), CADASTRE_NULL_CONTEXT);
  }
  std::atomic<bool> done = !disturbed;
  std::thread other([&] {
    for (unsigned turn = 0; !done; ++turn) {
      const cadastre_context child = children[turn % contexts];
      assert_int_equal(cadastre_lock(child), CADASTRE_SUCCESS);
      std::this_thread::yield();
      assert_int_equal(cadastre_unlock(child), CADASTRE_SUCCESS);
    }
  });
  struct Block {
    cadastre_context context;
    void* begin;
    std::size_t size;
  };
  std::vector<Block> blocks;
  std::mt19937 random(contexts);
  Sum sum;
  const auto free_one = [&](std::size_t place) {
    const Block block = std::exchange(blocks[place], blocks.back());
    blocks.pop_back();
    assert_int_equal(cadastre_free(block.context, block.begin), CADASTRE_SUCCESS);
    sum.take(block.size, 1);
  };
  for (unsigned step = 0; step < 20000; ++step) {
    if (!blocks.empty() && random() % 40 < 19) {
      free_one(random() % blocks.size());
      continue;
    }
    const cadastre_context child = children[random() % contexts];
    const std::size_t size = random() % largest;
    void* const begin = cadastre_malloc_plain(child, size, 0, CADASTRE_UNINITIALIZED, nullptr);
    assert_non_null(begin);
    blocks.push_back({child, begin, size});
    sum.add(size, 1);
  }
  done = true;
  other.join();
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(parent, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
  assert_int_equal(s.live_bytes, sum.bytes);
  assert_in_range(s.high_water_mark_bytes, sum.most_bytes, sum.most_bytes + (std::size_t{64} << 10));
  while (!blocks.empty()) free_one(blocks.size() - 1);
  assert_int_equal(cadastre_context_destroy_with_children(parent, nullptr), CADASTRE_SUCCESS);
}

void the_most_of_a_thread_in_many_contexts_is_at_most_64_kib_too_high(void**) {
  for (const unsigned contexts : {1u, 2u, 3u, 7u, 40u, 1500u}) {
    for (const std::size_t largest : {std::size_t{50}, std::size_t{3000}, std::size_t{100} << 10}) {
      for (const bool disturbed : {false, true}) grow_below_one(contexts, largest, disturbed);
    }
  }
}

// Each keeps as much claimed as it may when its block is freed; then one block is larger than all.
void contexts_that_keep_all_they_may_keep_64_kib_together(void**) {
  constexpr std::size_t bound = std::size_t{64} << 10, large = std::size_t{8} << 20;
  for (const unsigned contexts : {1u, 2u, 5u, 16u, 100u}) {
    const cadastre_context parent = cadastre_context_create();
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.parent = parent;
    for (unsigned number = 0; number < contexts; ++number) {
      const cadastre_context child = cadastre_context_create_with_options(&options);
      for (int turn = 0; turn < 3; ++turn) {
        for (const std::size_t size : {std::size_t{1}, bound, bound / 2, bound / 4, bound / 16, bound / 64}) {
          assert_int_equal(cadastre_free(child, cadastre_malloc_plain(child, size, 0, CADASTRE_UNINITIALIZED, nullptr)), CADASTRE_SUCCESS);
        }
      }
    }
    void* const block = cadastre_malloc_plain(parent, large, 0, CADASTRE_UNINITIALIZED, nullptr);
    assert_non_null(block);
    cadastre_statistics_struct s = cadastre_statistics_struct_zero;
    assert_int_equal(cadastre_get_statistics(parent, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
    assert_in_range(s.high_water_mark_bytes, large, large + bound);
    assert_int_equal(cadastre_free(parent, block), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_context_destroy_with_children(parent, nullptr), CADASTRE_SUCCESS);
  }
}

void come_and_go(cadastre_context context, int times) {
  for (int number = 0; number < times; ++number) {
    for (const std::size_t size : {std::size_t{100}, std::size_t{20000}}) {
      assert_int_equal(cadastre_free(context, cadastre_malloc_plain(context, size, 0, CADASTRE_UNINITIALIZED, nullptr)), CADASTRE_SUCCESS);
    }
  }
}

// As calls find it out that need a share: each of them looks at few of the others, so it takes some calls for each context.
void contexts_that_are_idle_or_gone_leave_the_64_kib_to_those_in_use(void**) {
  using cadastre::internal::Thread;
  if (!in_slabs) skip_because("there are no slabs where a checker of memory watches, or CADASTRE_HEAP is off");
  constexpr std::size_t all = 300;
  for (const bool are_gone : {false, true}) {
    std::vector<cadastre_context> contexts(all);
    for (cadastre_context& context : contexts) context = cadastre_context_create();
    for (int turn = 0; turn < 3; ++turn) {
      for (const cadastre_context context : contexts) come_and_go(context, 2);
    }
    assert_false(Thread::self()->is_share_whole());
    const std::vector<cadastre_context> used(contexts.begin(), contexts.begin() + (are_gone ? 1 : 4));
    if (are_gone) {
      for (std::size_t number = 1; number < all; ++number) assert_int_equal(cadastre_context_destroy(contexts[number]), CADASTRE_SUCCESS);
    }
    for (std::size_t turn = 0; turn < 2 * all; ++turn) {
      for (const cadastre_context context : used) come_and_go(context, 1);
    }
    // What those in use have is shared by them alone, and none of them has lost it.
    assert_true(Thread::self()->share() >= (std::int64_t{64} << 10) / (2 * static_cast<std::int64_t>(used.size())));
    for (const cadastre_context context : used) assert_true(Thread::self()->shard_of(context)->slack > 0);
    for (std::size_t number = 0; number < (are_gone ? 1 : all); ++number)
      assert_int_equal(cadastre_context_destroy(contexts[number]), CADASTRE_SUCCESS);
  }
}

}  // namespace

int main(int arguments, char** argument) {
  if (arguments == 1) {  // again with blocks of malloc
    const pid_t child = fork();
    if (child == 0) {
      setenv("CADASTRE_HEAP", "off", 1);
      execl("/proc/self/exe", argument[0], "off", static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
    setenv("CADASTRE_HEAP", "on", 1);
  }
  in_slabs = arguments == 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_most_that_lived_is_exact_however_a_run_ends),
      cmocka_unit_test(the_most_that_lived_is_exact_after_random_runs),
      cmocka_unit_test(what_others_free_is_counted_once_and_in_its_context),
      cmocka_unit_test(the_most_of_a_thread_in_many_contexts_is_at_most_64_kib_too_high),
      cmocka_unit_test(contexts_that_keep_all_they_may_keep_64_kib_together),
      cmocka_unit_test(contexts_that_are_idle_or_gone_leave_the_64_kib_to_those_in_use),
  };
  return cmocka_run_group_tests_name(arguments == 1 ? "growth" : "growth, heap off", tests, nullptr, nullptr);
}
