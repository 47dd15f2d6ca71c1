// Tangled from org/tests/thread_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <csignal>
#include <cstring>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

constexpr int threads_in_test = 8;

cadastre_memory_info_struct request(std::size_t size, const char* label = nullptr) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  return info;
}

cadastre_statistics_struct statistics(cadastre_context context) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
  return s;
}

void in_threads(const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < threads_in_test; ++t) threads.emplace_back(body, t);
  for (std::thread& thread : threads) thread.join();
}

// All blocks are of one class, whatever size they have; others look at them and free some meanwhile.
void threads_that_resize_in_place_lose_nothing(void**) {
  const cadastre_context context = cadastre_context_create();
  constexpr std::size_t most = 64, least = 57, blocks = 50;
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, threads_in_test * blocks * most), CADASTRE_SUCCESS);
  std::atomic<int> wrong = 0;
  std::atomic<long> resized = 0;
  std::array<std::atomic<void*>, threads_in_test> given{};
  in_threads([&](int t) {
    std::mt19937 random(static_cast<unsigned>(t));
    std::array<unsigned char*, blocks> mine;
    const auto allocate = [&] {
      void* const block = cadastre_malloc(context, request(least));
      if (!block) ++wrong;
      return static_cast<unsigned char*>(block);
    };
    std::generate(mine.begin(), mine.end(), allocate);
    for (int i = 0; i < 5000; ++i) {
      unsigned char*& block = mine[random() % blocks];
      const std::size_t size = least + random() % (most - least + 1);
      block = static_cast<unsigned char*>(cadastre_realloc(context, block, size));
      if (!block || !std::all_of(block + least, block + size, [](int byte) { return byte == 0; })) ++wrong;
      std::fill(block + least, block + size, static_cast<unsigned char>(t + 1));
      block = static_cast<unsigned char*>(cadastre_realloc(context, block, least));
      if (!block) ++wrong;
      resized += 2;
      if (i % 50 == 0) {  // for another thread to free
        void* const taken = given[(static_cast<std::size_t>(t) + 1) % threads_in_test].exchange(block);
        if (taken && cadastre_free(context, taken) != CADASTRE_SUCCESS) ++wrong;
        block = allocate();
      }
      if (i % 500 == 0 && statistics(context).live_bytes > threads_in_test * (blocks + 1) * most) ++wrong;
    }
  });
  assert_int_equal(wrong, 0);
  const cadastre_statistics_struct s = statistics(context);
  assert_int_equal(s.reallocations, resized);
  assert_int_equal(s.live_bytes, static_cast<std::size_t>(s.live_blocks) * least);
  assert_int_equal(s.allocations - s.deallocations, s.live_blocks);
  assert_int_equal(s.live_blocks, threads_in_test * (blocks + 1));
  assert_true(s.high_water_mark_bytes <= threads_in_test * blocks * most);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void eight_threads_on_one_context_lose_nothing(void**) {
  const cadastre_context context = cadastre_context_create();
  std::atomic<int> wrong = 0;
  std::atomic<long> allocated = 0, freed = 0, resized = 0;
  in_threads([&](int t) {
    std::mt19937 random(static_cast<unsigned>(t));
    std::vector<unsigned char*> mine;
    const std::string label = "thread " + std::to_string(t);
    for (int i = 0; i < 3000; ++i) {
      const std::size_t size = 1 + random() % 500;
      if (mine.size() < 20 || random() % 2 == 0) {
        auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, request(size, label.c_str())));
        if (!block || block[size - 1] != 0) ++wrong;
        std::memset(block, t + 1, size);
        mine.push_back(block);
        ++allocated;
        continue;
      }
      unsigned char*& block = mine[random() % mine.size()];
      cadastre_memory_info_struct info;
      if (cadastre_get_malloc_info(context, block, &info) != CADASTRE_SUCCESS || label != info.label) ++wrong;
      if (block[0] != t + 1 || block[info.size - 1] != t + 1) ++wrong;
      std::size_t offset = 0;
      if (cadastre_find_block(context, block + info.size / 2, &info, &offset) != CADASTRE_SUCCESS || info.pointer != block) ++wrong;
      if (random() % 4 == 0) {
        block = static_cast<unsigned char*>(cadastre_realloc(context, block, size));
        std::memset(block, t + 1, size);
        ++resized;
      } else {
        if (cadastre_free(context, block) != CADASTRE_SUCCESS) ++wrong;
        block = mine.back();
        mine.pop_back();
        ++freed;
      }
    }
  });
  assert_int_equal(wrong, 0);
  const cadastre_statistics_struct s = statistics(context);
  assert_int_equal(s.allocations, allocated);
  assert_int_equal(s.deallocations, freed);
  assert_int_equal(s.reallocations, resized);
  assert_int_equal(s.live_blocks, allocated - freed);
  assert_int_equal(s.untracked_deallocations, 0);
  std::size_t bytes = 0;
  const auto add = [](const cadastre_memory_info_struct* info, void* sum) -> cadastre_exit_code {
    *static_cast<std::size_t*>(sum) += info->size;
    return CADASTRE_SUCCESS;
  };
  assert_int_equal(cadastre_foreach_block(context, add, &bytes), CADASTRE_SUCCESS);
  assert_int_equal(bytes, s.live_bytes);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// All blocks live at once when the threads meet, and at no time more.
void the_high_water_mark_is_never_too_low_and_hardly_too_high_however_many_threads_there_are(void**) {
  constexpr int each = 5000, size = 48;
  const cadastre_context context = cadastre_context_create();
  for (int round = 1; round <= 3; ++round) {
    std::barrier meeting(threads_in_test);
    in_threads([&](int) {
      std::vector<void*> mine;
      for (int i = 0; i < each * round; ++i) mine.push_back(cadastre_malloc(context, request(size)));
      meeting.arrive_and_wait();
      for (int i = 0; i < each; ++i) {  // one goes before one comes
        void*& block = mine[static_cast<std::size_t>(i)];
        cadastre_free(context, block);
        block = cadastre_malloc(context, request(size));
      }
      meeting.arrive_and_wait();
      for (void* const block : mine) cadastre_free(context, block);
    });
    const cadastre_statistics_struct s = statistics(context);
    assert_int_equal(s.live_blocks, 0);
    assert_int_equal(s.live_bytes, 0);
    const std::size_t most = std::size_t{threads_in_test} * each * static_cast<std::size_t>(round) * size;
    assert_true(s.high_water_mark_bytes >= most && s.high_water_mark_bytes <= most + threads_in_test * (64 << 10));
    const std::int64_t most_blocks = std::int64_t{threads_in_test} * each * round;
    assert_true(s.high_water_mark_blocks >= most_blocks && s.high_water_mark_blocks <= most_blocks + threads_in_test * 256);
    assert_int_equal(s.allocations, s.deallocations);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_context_is_destroyed_while_calls_come(void**) {
  for (int round = 0; round < 50; ++round) {
    const cadastre_context context = cadastre_context_create();
    std::atomic<int> begun = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        for (;;) {
          void* const block = cadastre_malloc(context, request(40));
          if (!block) break;
          ++begun;
          cadastre_memory_info_struct info;
          cadastre_find_block(context, static_cast<char*>(block) + 8, &info, nullptr);
          if (begun % 2 == 0) cadastre_free(context, block);
        }
      });
    }
    while (begun < 50) std::this_thread::yield();
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    for (std::thread& thread : threads) thread.join();
  }
}

// The AddressSanitizer of GCC 12 holds no lock of its heap at a fork, so that a child may wait for it for ever.
// A good child ends by a signal: what the other thread had in its hands is lost in it, and no leak checker is to look.
void children_are_forked_while_calls_come(void**) {
#ifdef __SANITIZE_ADDRESS__
  skip_because("the locks of AddressSanitizer's malloc stay as the fork found them");
#endif
  const cadastre_context context = cadastre_context_create();
  std::atomic<bool> end = false;
  std::thread other([&] {
    while (!end) cadastre_free(context, cadastre_malloc(context, request(40)));
  });
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      void* const block = cadastre_malloc(context, request(100));
      const bool good = block && cadastre_free(context, block) == CADASTRE_SUCCESS && cadastre_context_destroy(context) == CADASTRE_SUCCESS;
      if (good) kill(getpid(), SIGKILL);
      _exit(1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }
  end = true;
  other.join();
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void threads_that_race_for_a_limit_never_pass_it(void**) {
  const cadastre_context context = cadastre_context_create();
  constexpr std::size_t limit = 1000, size = 300;
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, limit), CADASTRE_SUCCESS);
  std::atomic<long> refused = 0, served = 0, passed = 0;
  std::atomic<std::size_t> alive = 0;
  in_threads([&](int) {
    for (int i = 0; i < 2000; ++i) {
      void* const block = cadastre_malloc(context, request(size));
      if (!block) {
        ++refused;
        continue;
      }
      ++served;
      if ((alive += size) > limit) ++passed;
      std::this_thread::yield();
      alive -= size;
      cadastre_free(context, block);
    }
  });
  const cadastre_statistics_struct s = statistics(context);
  assert_int_equal(passed, 0);
  assert_true(s.high_water_mark_bytes <= limit);
  assert_int_equal(s.live_bytes, 0);
  assert_int_equal(s.failed_allocations, refused);
  assert_int_equal(s.allocations, served);
  assert_true(served > 0);
  for (int i = 0; i < 3; ++i) assert_non_null(cadastre_malloc(context, request(size)));
  assert_null(cadastre_malloc(context, request(size)));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void of_threads_that_free_one_block_exactly_one_succeeds(void**) {
  const cadastre_context context = cadastre_context_create();
  for (int round = 0; round < 200; ++round) {
    void* const block = cadastre_malloc(context, request(64));
    std::atomic<int> successes = 0;
    std::atomic<bool> go = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        while (!go) std::this_thread::yield();
        if (cadastre_free(context, block) == CADASTRE_SUCCESS) ++successes;
      });
    }
    go = true;
    for (std::thread& thread : threads) thread.join();
    assert_int_equal(successes, 1);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void contexts_of_their_own_keep_threads_apart(void**) {
  std::atomic<int> wrong = 0;
  in_threads([&](int) {
    for (int i = 0; i < 200; ++i) {
      const cadastre_context context = cadastre_context_create();
      for (int b = 0; b < 20; ++b) {
        if (!cadastre_malloc(context, request(100))) ++wrong;
      }
      if (statistics(context).live_blocks != 20) ++wrong;
      if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) ++wrong;
    }
  });
  assert_int_equal(wrong, 0);
}

void reports_and_snapshots_race_with_everything(void**) {
  const cadastre_context context = cadastre_context_create();
  std::FILE* const nowhere = std::fopen("/dev/null", "w");
  std::atomic<int> wrong = 0;
  in_threads([&](int t) {
    for (int i = 0; i < 200; ++i) {
      void* const block = cadastre_malloc(context, request(100, t % 2 == 0 ? "even" : "odd"));
      if (t == 0 && cadastre_report(context, nowhere, CADASTRE_REPORT_TEXT) != CADASTRE_SUCCESS) ++wrong;
      if (t == 1) cadastre_reset_high_water_mark(context, CADASTRE_HOST);
      if (t == 2 && i % 50 == 0) cadastre_free_all(context);
      if (t == 3) cadastre_context_set_timing(context, i % 2);
      cadastre_free(context, block);
    }
  });
  std::fclose(nowhere);
  assert_int_equal(wrong, 0);
  const cadastre_statistics_struct s = statistics(context);
  assert_int_equal(s.live_blocks, 0);
  assert_int_equal(s.allocations, s.deallocations);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(threads_that_resize_in_place_lose_nothing),
      cmocka_unit_test(eight_threads_on_one_context_lose_nothing),
      cmocka_unit_test(the_high_water_mark_is_never_too_low_and_hardly_too_high_however_many_threads_there_are),
      cmocka_unit_test(a_context_is_destroyed_while_calls_come),
      cmocka_unit_test(children_are_forked_while_calls_come),
      cmocka_unit_test(threads_that_race_for_a_limit_never_pass_it),
      cmocka_unit_test(of_threads_that_free_one_block_exactly_one_succeeds),
      cmocka_unit_test(contexts_of_their_own_keep_threads_apart),
      cmocka_unit_test(reports_and_snapshots_race_with_everything),
  };
  return cmocka_run_group_tests_name("threads", tests, nullptr, nullptr);
}
