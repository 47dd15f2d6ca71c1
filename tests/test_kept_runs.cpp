// Tangled from org/tests/kept_runs_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "base/lock.hpp"
#include "base/process.hpp"
#include "cadastre.h"
#include "cmocka.hpp"
#include "core/kept_runs.hpp"
#include "core/pages.hpp"
#include "declared_noexcept.hpp"
#include "process_memory.hpp"

using namespace cadastre::internal;

extern "C" [[gnu::weak]] int __asan_address_is_poisoned(const volatile void* address);

namespace {

std::atomic<int> refused_advice = -1;
std::atomic<bool> no_moves = false, no_residence = false, asked_with_a_lock = false;
std::atomic<long> moves = 0;

void note_locks() noexcept {
  if (locks_of_thread != 0) asked_with_a_lock = true;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int madvise(void* begin, std::size_t bytes, int advice) noexcept(declared_noexcept) {
  if (advice == MADV_FREE) note_locks();
  if (advice == refused_advice) return errno = EINVAL, -1;
  return static_cast<int>(syscall(SYS_madvise, begin, bytes, advice));
}

extern "C" [[gnu::visibility("default")]] int mincore(void* begin, std::size_t bytes, unsigned char* pages) noexcept(declared_noexcept) {
  note_locks();
  if (no_residence) return errno = ENOSYS, -1;
  return static_cast<int>(syscall(SYS_mincore, begin, bytes, pages));
}

extern "C" [[gnu::visibility("default")]] void* mremap(void* begin, std::size_t bytes, std::size_t wanted, int flags,
                                                       ...) noexcept(declared_noexcept) {
  note_locks();
  va_list more;
  va_start(more, flags);
  void* const to = flags & MREMAP_FIXED ? va_arg(more, void*) : nullptr;
  va_end(more);
  ++moves;
  if (no_moves) return errno = ENOMEM, MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mremap, begin, bytes, wanted, flags, to));
}

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
const char* own_path = "";

cadastre_context context;

unsigned char* allocate(std::size_t size, cadastre_flags flags = 0) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.flags = flags;
  auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, info));
  assert_non_null(block);
  return block;
}
void release(void* block) { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }

bool all_are(const unsigned char* bytes, std::size_t count, int value) {
  return count == 0 || (*bytes == value && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}
unsigned char* written(std::size_t size) {
  unsigned char* const block = allocate(size, CADASTRE_UNINITIALIZED);
  std::memset(block, 0xee, size);
  return block;
}

long faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// Nothing is kept where a checker of memory watches.
bool has_runs() {
  const char* const said = std::getenv("CADASTRE_HEAP");
  if (said && std::strcmp(said, "on") == 0) return true;
  return !has_memory_checker() && !(said && std::strcmp(said, "off") == 0);
}

int begin(void**) {
  assume_places(Places::one);
  give_up_kept_runs();
  context = cadastre_context_create();
  return context == CADASTRE_NULL_CONTEXT;
}
int end(void**) {
  const bool good = cadastre_context_destroy(context) == CADASTRE_SUCCESS && check_kept_runs() && large_block_bytes() == 0;
  give_up_kept_runs();
  return !good || kept_run_bytes() != 0 || asked_with_a_lock;
}

void a_block_of_the_same_size_costs_no_fault(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  const std::size_t size = 16 * mebibyte;
  release(written(size));
  assert_true(kept_run_bytes() == size);
  for (int turn = 0; turn < 10; ++turn) {
    const long before = faults();
    unsigned char* const block = allocate(size);
    assert_true(kept_run_bytes() == 0 && all_are(block, size, 0));
    assert_true(sanitized || faults() - before < 100);
    std::memset(block, 0xee, size);
    release(block);
  }
}

void blocks_of_other_sizes_are_put_together(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  std::vector<unsigned char*> blocks;
  for (int number = 0; number < 6; ++number) blocks.push_back(written(8 * mebibyte));
  unsigned char* const stays = written(100 * mebibyte);
  for (unsigned char* const block : blocks) release(block);
  assert_true(kept_run_bytes() == 48 * mebibyte);
  const long before = faults(), moved = moves;
  unsigned char* const block = allocate(48 * mebibyte);
  assert_true(moves > moved && kept_run_bytes() == 0);
  assert_true(all_are(block, 48 * mebibyte, 0));
  assert_true(sanitized || faults() - before < 200);
  std::memset(block, 0xee, 48 * mebibyte);
  release(block);
  unsigned char* const larger = allocate(50 * mebibyte + 5000);
  assert_true(all_are(larger, 50 * mebibyte + 5000, 0));
  release(larger);
  release(stays);
}

// Each block holds its own number at the ends of all its pages, and one that is zeroed holds nothing before.
void live_and_let_die(unsigned seed, int steps, std::size_t most, std::size_t places) {
  std::mt19937_64 random(seed);
  struct Live {
    unsigned char* block = nullptr;
    std::size_t size = 0;
  };
  std::vector<Live> all(places);
  const auto number_of = [&](const Live& one) { return static_cast<unsigned char>((&one - all.data()) % 250 + 1); };
  const auto for_each_page = [](std::size_t size, auto action) {
    for (std::size_t at = 0; at < size; at += 4096) action(at), action(std::min(at + 4095, size - 1));
  };
  for (int step = 0; step < steps; ++step) {
    Live& one = all[random() % all.size()];
    if (one.block) {
      bool right = true;
      for_each_page(one.size, [&](std::size_t at) { right = right && one.block[at] == number_of(one); });
      assert_true(right);
      release(std::exchange(one.block, nullptr));
      continue;
    }
    one.size = 4 * mebibyte + random() % most;
    const bool zero = random() % 2 == 0;
    one.block = allocate(one.size, zero ? 0 : CADASTRE_UNINITIALIZED);
    if (zero) assert_true(all_are(one.block, one.size, 0));
    const std::size_t touched = random() % 4 == 0 ? random() % one.size : one.size;
    std::memset(one.block, 0x77, touched);
    for_each_page(one.size, [&](std::size_t at) { one.block[at] = number_of(one); });
  }
  for (Live& one : all) {
    if (one.block) release(one.block);
  }
}

void blocks_hold_what_they_are_to_hold_whatever_came_before(void**) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    live_and_let_die(seed, 150, 24 * mebibyte, 12);
    assert_true(check_kept_runs() && large_block_bytes() == 0);
  }
}

void a_block_of_pieces_is_resized(void**) {
  std::vector<unsigned char*> blocks;
  for (int number = 0; number < 4; ++number) blocks.push_back(written(6 * mebibyte));
  unsigned char* const stays = written(64 * mebibyte);
  for (unsigned char* const block : blocks) release(block);
  unsigned char* block = allocate(19 * mebibyte);  // rounded
  std::size_t size = 19 * mebibyte;
  std::memset(block, 0x11, size);
  for (const std::size_t wanted : {20 * mebibyte + 5, 40 * mebibyte, 9 * mebibyte, 30 * mebibyte, 5 * mebibyte - 1, 6 * mebibyte}) {
    block = static_cast<unsigned char*>(cadastre_realloc(context, block, wanted));
    assert_non_null(block);
    const std::size_t both = std::min(size, wanted);
    assert_true(all_are(block, both, 0x11));
    assert_true(all_are(block + both, wanted - both, 0));
    std::memset(block, 0x11, size = wanted);
  }
  release(block);
  release(stays);
}

void more_runs_than_a_block_has_pieces_do_no_harm(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  std::vector<unsigned char*> blocks;
  for (int number = 0; number < 300; ++number) blocks.push_back(written(4 * mebibyte));
  const std::size_t resident = process_memory().resident;
  for (std::size_t number = 0; number < blocks.size(); number += 2) release(blocks[number]);
  unsigned char* const block = allocate(200 * mebibyte);
  assert_true(all_are(block, 200 * mebibyte, 0));
  std::memset(block, 1, 200 * mebibyte);
  assert_true(sanitized || process_memory().resident < resident + 4 * mebibyte);
  release(block);
  for (std::size_t number = 1; number < blocks.size(); number += 2) release(blocks[number]);
}

void what_was_not_touched_is_not_kept(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  release(allocate(1000 * mebibyte));
  assert_true(kept_run_bytes() == 0);
  unsigned char* const block = allocate(1000 * mebibyte);
  std::memset(block + 500 * mebibyte, 1, 2 * mebibyte + 100);
  release(block);
  assert_true(kept_run_bytes() <= 4 * mebibyte);
}

void no_more_is_kept_than_is_held(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  std::vector<unsigned char*> blocks;
  for (int number = 0; number < 40; ++number) blocks.push_back(written(10 * mebibyte));
  for (unsigned char* const block : blocks) {
    release(block);
    assert_true(kept_run_bytes() <= std::max(64 * mebibyte, large_block_bytes()));
  }
  assert_true(kept_run_bytes() > 32 * mebibyte);
}

// What lives and what is kept are never more than what lived before, but for what mappings are rounded by.
void new_pages_are_taken_when_none_is_left(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  std::mt19937_64 random(7);
  std::vector<std::pair<unsigned char*, std::size_t>> blocks(10);
  std::size_t live = 0, most = 0;
  for (int step = 0; step < 400; ++step) {
    auto& [block, size] = blocks[random() % blocks.size()];
    if (block) {
      release(std::exchange(block, nullptr));
      live -= size;
    } else {
      block = written(size = 4 * mebibyte + random() % (30 * mebibyte));
      live += size;
    }
    most = std::max(most, live);
    assert_true(large_block_bytes() + kept_run_bytes() <= most + blocks.size() * granule_bytes);
  }
  for (const auto& [block, size] : blocks) {
    if (block) release(block);
  }
}

void what_nobody_takes_goes_back(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  release(written(20 * mebibyte));
  const PageTime now = page_time();
  decay_kept_runs(now + 1);
  assert_true(kept_run_bytes() == 20 * mebibyte);
  decay_kept_runs(now + 100);
  assert_true(kept_run_bytes() == 0);
}

void what_is_freed_together_leaves_little(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  unsigned char* const stays = written(300 * mebibyte);
  for (int turn = 0; turn < 2; ++turn) {
    const cadastre_context outer = std::exchange(context, cadastre_context_create());
    for (int number = 0; number < 20; ++number) written(10 * mebibyte);
    if (turn == 0) assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_context_destroy(std::exchange(context, outer)), CADASTRE_SUCCESS);
    assert_true(kept_run_bytes() + kept_page_bytes() <= 64 * mebibyte);
  }
  release(stays);
}

template <class Body>
void in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) skip_because("a child process may not do so here");
  assert_int_equal(WEXITSTATUS(status), 0);
}
#define EXPECT(what)                        \
  do {                                      \
    if (!(what)) {                          \
      print_message("line %d\n", __LINE__); \
      _exit(1);                             \
    }                                       \
  } while (false)

void what_is_kept_is_given_up_before_a_refusal(void**) {
  if (!has_runs() || sanitized) skip_because("a sanitizer brings a malloc of its own");
  in_child([] {
    unsigned char* const stays = written(60 * mebibyte);
    for (int number = 0; number < 2; ++number) release(written(60 * mebibyte));
    EXPECT(kept_run_bytes() == 60 * mebibyte);
    const std::size_t space = process_memory().address_space + 20 * mebibyte;
    const rlimit limit{space, space};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
    void* const beyond = mmap(nullptr, 100 * mebibyte, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (beyond != MAP_FAILED) _exit(2);  // an emulator obeys no such limit
    unsigned char* const block = allocate(70 * mebibyte);
    EXPECT(all_are(block, 70 * mebibyte, 0));
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 100 * mebibyte;
    EXPECT(!cadastre_malloc(context, info));
    release(block);
    release(stays);
  });
}

void what_is_kept_is_poisoned(void**) {
  if (!has_runs() || !__asan_address_is_poisoned)
    skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  unsigned char* const block = written(8 * mebibyte);
  release(block);
  assert_true(__asan_address_is_poisoned(block) && __asan_address_is_poisoned(block + 8 * mebibyte - 1));
  unsigned char* const again = allocate(4 * mebibyte);
  assert_false(__asan_address_is_poisoned(again));
  assert_false(__asan_address_is_poisoned(again + 4 * mebibyte - 1));
  release(again);
  give_up_kept_runs();
  assert_false(__asan_address_is_poisoned(block));
}

void on_several_places_blocks_come_untouched(void**) {
  assume_places(Places::several);
  for (int turn = 0; turn < 3; ++turn) {
    release(written(64 * mebibyte));
    assert_true(kept_run_bytes() == 0);
    const std::size_t resident = process_memory().resident;
    unsigned char* const block = allocate(64 * mebibyte);
    assert_true(sanitized || process_memory().resident < resident + 4 * mebibyte);
    assert_true(all_are(block, 64 * mebibyte, 0));
    release(block);
  }
}

void what_is_kept_goes_when_places_become_several(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  release(written(20 * mebibyte));
  assert_true(kept_run_bytes() > 0);
  assume_places(Places::several);
  release(allocate(5 * mebibyte));
  assert_true(kept_run_bytes() == 0);
}

int end_as_a_process_without() {
  assume_places(Places::one);
  context = cadastre_context_create();
  release(written(20 * mebibyte));
  return kept_run_bytes() != 0;
}

void without_a_heap_nothing_is_kept(void**) {
  in_child([] {
    setenv("CADASTRE_HEAP", "off", 1);
    execl(own_path, own_path, "without", nullptr);
    _exit(2);
  });
}

void where_pages_cannot_be_leased_nothing_is_kept(void**) {
  refused_advice = MADV_FREE;
  live_and_let_die(21, 40, 10 * mebibyte, 5);
  assert_true(kept_run_bytes() == 0);
  refused_advice = -1;
}

void where_nobody_says_what_is_in_memory_nothing_is_kept(void**) {
  no_residence = true;
  live_and_let_die(22, 40, 10 * mebibyte, 5);
  assert_true(kept_run_bytes() == 0);
  no_residence = false;
}

void locked_memory_is_used_and_reads_as_zero(void**) {
  in_child([] {
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) _exit(2);
    live_and_let_die(23, 60, 10 * mebibyte, 5);
  });
}

// The last claim, since runs are not moved any more.
void runs_that_do_not_move_are_given_up(void**) {
  if (!has_runs()) skip_because("nothing is kept where a checker of memory watches, or CADASTRE_HEAP is off");
  no_moves = true;
  for (int turn = 0; turn < 2; ++turn) {
    unsigned char *const one = written(10 * mebibyte), *const other = written(10 * mebibyte), *const stays = written(64 * mebibyte);
    release(one);
    release(other);
    const long before = moves;
    unsigned char* const block = allocate(20 * mebibyte);
    assert_int_equal(moves - before, turn == 0 ? 1 : 0);
    assert_true(all_are(block, 20 * mebibyte, 0));
    release(block);
    release(stays);
  }
  live_and_let_die(24, 60, 10 * mebibyte, 5);
  no_moves = false;
}

void threads_use_runs_at_the_same_time(void**) {
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 4; ++number) threads.emplace_back([=] { live_and_let_die(30 + number, 80, 12 * mebibyte, 5); });
  for (std::thread& thread : threads) thread.join();
  assert_true(check_kept_runs() && large_block_bytes() == 0);
}

void a_fork_keeps_nothing(void**) {
  unsigned char* const block = written(20 * mebibyte);
  release(written(20 * mebibyte));
  in_child([=] {
    EXPECT(kept_run_bytes() == 0 && all_are(block, 20 * mebibyte, 0xee));
    std::memset(block, 1, 20 * mebibyte);
    release(block);
    live_and_let_die(31, 30, 10 * mebibyte, 4);
  });
  assert_true(kept_run_bytes() == 0 && all_are(block, 20 * mebibyte, 0xee));
  release(block);
}

}  // namespace

int main(int arguments, char** argument) {
  own_path = argument[0];
  if (arguments == 2) return end_as_a_process_without();
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const CMUnitTest tests[] = {
      CLAIM(a_block_of_the_same_size_costs_no_fault),
      CLAIM(blocks_of_other_sizes_are_put_together),
      CLAIM(blocks_hold_what_they_are_to_hold_whatever_came_before),
      CLAIM(a_block_of_pieces_is_resized),
      CLAIM(more_runs_than_a_block_has_pieces_do_no_harm),
      CLAIM(what_was_not_touched_is_not_kept),
      CLAIM(no_more_is_kept_than_is_held),
      CLAIM(new_pages_are_taken_when_none_is_left),
      CLAIM(what_nobody_takes_goes_back),
      CLAIM(what_is_freed_together_leaves_little),
      CLAIM(what_is_kept_is_given_up_before_a_refusal),
      CLAIM(what_is_kept_is_poisoned),
      CLAIM(on_several_places_blocks_come_untouched),
      CLAIM(what_is_kept_goes_when_places_become_several),
      CLAIM(without_a_heap_nothing_is_kept),
      CLAIM(where_pages_cannot_be_leased_nothing_is_kept),
      CLAIM(where_nobody_says_what_is_in_memory_nothing_is_kept),
      CLAIM(locked_memory_is_used_and_reads_as_zero),
      CLAIM(a_fork_keeps_nothing),
      CLAIM(runs_that_do_not_move_are_given_up),
  };
  const CMUnitTest together[] = {CLAIM(threads_use_runs_at_the_same_time)};
  // Gigabytes of one thread tell ThreadSanitizer nothing, and take it five minutes.
  const int failed = watches_threads ? 0 : cmocka_run_group_tests_name("kept runs", tests, nullptr, nullptr);
  return failed + cmocka_run_group_tests_name("kept runs of threads", together, nullptr, nullptr);
}
