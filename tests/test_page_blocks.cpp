// Tangled from org/tests/page_blocks_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "base/lock.hpp"
#include "base/process.hpp"
#include "cadastre.h"
#include "cmocka.hpp"
#include "core/page_blocks.hpp"
#include "core/pages.hpp"
#include "declared_noexcept.hpp"
#include "process_memory.hpp"

using namespace cadastre::internal;

extern "C" [[gnu::weak]] int __asan_address_is_poisoned(const volatile void* address);

namespace {

std::atomic<bool> no_residence = false, no_return = false, asked_with_a_lock = false;
std::atomic<long> calls_of_the_system = 0;
// As if these pages were in swap: the system says that they are not in memory, and they are what they are.
std::atomic<std::uintptr_t> swapped = 0;

void note_locks() noexcept {
  if (locks_of_thread != 0) asked_with_a_lock = true;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int madvise(void* begin, std::size_t bytes, int advice) noexcept(declared_noexcept) {
  ++calls_of_the_system;
  if (advice == MADV_DONTNEED) note_locks();
  if (advice == MADV_DONTNEED && no_return) return errno = EINVAL, -1;
  return static_cast<int>(syscall(SYS_madvise, begin, bytes, advice));
}

extern "C" [[gnu::visibility("default")]] int mincore(void* begin, std::size_t bytes, unsigned char* pages) noexcept(declared_noexcept) {
  ++calls_of_the_system;
  note_locks();
  if (no_residence) return errno = ENOSYS, -1;
  const int answer = static_cast<int>(syscall(SYS_mincore, begin, bytes, pages));
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  if (swapped >= first && swapped < first + bytes) pages[(swapped - first) / page_size()] = 0;
  return answer;
}

namespace {

constexpr std::size_t kibibyte = 1024, mebibyte = 1024 * kibibyte, least = 256 * kibibyte + 1, most = 4 * mebibyte - 1;

cadastre_context context;

unsigned char* allocate(std::size_t size, cadastre_flags flags = 0, std::size_t alignment = 0) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.flags = flags;
  info.alignment = alignment;
  auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, info));
  assert_non_null(block);
  return block;
}
void release(void* block) { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }
unsigned char* resized(void* block, std::size_t size) {
  auto* const moved = static_cast<unsigned char*>(cadastre_realloc(context, block, size));
  assert_non_null(moved);
  return moved;
}

bool all_are(const unsigned char* bytes, std::size_t count, int value) {
  return count == 0 || (*bytes == value && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

std::size_t resident_pages(const unsigned char* block, std::size_t size) {
  std::vector<unsigned char> pages((size + page_size() - 1) / page_size());
  assert_int_equal(syscall(SYS_mincore, block, size, pages.data()), 0);
  std::size_t number = 0;
  for (const unsigned char page : pages) number += page & 1;
  return number;
}

bool has_page_blocks() {
  const char* const said = std::getenv("CADASTRE_HEAP");
  if (said && std::strcmp(said, "on") == 0) return true;
  return !has_memory_checker() && !(said && std::strcmp(said, "off") == 0);
}
// What is told of residence holds where nobody watches, who clears all.
bool has_plain_pages() { return has_page_blocks() && !has_memory_checker(); }

int begin(void**) {
  Arena::give_up_all();
  context = cadastre_context_create();
  release(allocate(100));  // the thread has a shard
  return context == CADASTRE_NULL_CONTEXT;
}
int end(void**) {
  no_residence = no_return = false;
  swapped = 0;
  const bool good = context == CADASTRE_NULL_CONTEXT || cadastre_context_destroy(context) == CADASTRE_SUCCESS;
  return !good || asked_with_a_lock;
}

void sizes_between_slabs_and_mappings_are_runs_of_pages(void**) {
  for (const std::size_t size : {least - 1, least, mebibyte, most, most + 1}) {
    unsigned char* const block = allocate(size);
    assert_int_equal(is_page_block(block), has_page_blocks() && size >= least && size <= most);
    assert_true(all_are(block, size, 0));
    std::memset(block, 0xee, size);
    release(block);
  }
}

void a_place_is_used_again_without_a_call_of_the_system(void**) {
  if (!has_page_blocks()) skip_because("there are no blocks of pages where a checker of memory watches, or CADASTRE_HEAP is off");
  unsigned char* const first = allocate(mebibyte, CADASTRE_UNINITIALIZED);
  std::memset(first, 0xee, mebibyte);
  release(first);
  const long calls = calls_of_the_system;
  for (int number = 0; number < 100; ++number) {
    unsigned char* const block = allocate(mebibyte, CADASTRE_UNINITIALIZED);
    assert_ptr_equal(block, first);
    block[mebibyte / 2] = 1;
    release(block);
  }
  assert_true(calls_of_the_system - calls <= 2);  // pages may decay meanwhile, twice in half a second
}

void an_alignment_up_to_a_page_of_theirs_needs_no_more(void**) {
  if (!has_page_blocks()) skip_because("there are no blocks of pages where a checker of memory watches, or CADASTRE_HEAP is off");
  for (const std::size_t alignment : {std::size_t{64}, 4 * kibibyte, page_block_alignment, 2 * page_block_alignment, mebibyte}) {
    unsigned char* const block = allocate(least, 0, alignment);
    assert_int_equal(reinterpret_cast<std::uintptr_t>(block) % alignment, 0);
    assert_int_equal(is_page_block(block), alignment <= page_block_alignment);
    release(block);
  }
}

void a_context_that_wants_malloc_gets_none(void**) {
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  context = cadastre_context_create();
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
  const char* const said = std::getenv("CADASTRE_HEAP");
  if (said && std::strcmp(said, "on") == 0) skip_because("CADASTRE_HEAP is on");
  unsigned char* block = allocate(mebibyte);
  assert_false(is_page_block(block));
  block = resized(block, 2 * mebibyte);
  assert_false(is_page_block(block));
  release(block);
  for (int number = 0; number < 3; ++number) {  // the first one makes the shard
    block = allocate(mebibyte);
    assert_false(is_page_block(block));
    release(block);
  }
  block = allocate(mebibyte, 0, 64);
  block = resized(block, 2 * mebibyte);
  assert_false(is_page_block(block));
  release(block);
}

// The first page of a chunk and the last one are nobody's.
void who_writes_past_an_end_stays_in_the_chunk(void**) {
  if (!has_page_blocks() || has_memory_checker())
    skip_because("there are no blocks of pages where a checker of memory watches, or CADASTRE_HEAP is off");
  std::vector<unsigned char*> blocks;
  std::uintptr_t first = 0;
  for (int number = 0; number < 40; ++number) {
    unsigned char* const block = allocate(3 * mebibyte, CADASTRE_UNINITIALIZED);
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t chunk = address / page_block_chunk_bytes * page_block_chunk_bytes;
    if (first == 0) first = chunk;
    assert_true(address - chunk >= page_block_alignment);
    assert_true(address + 3 * mebibyte + page_block_alignment <= chunk + page_block_chunk_bytes);
    std::memset(block - 64, 0xee, 64);
    std::memset(block + 3 * mebibyte, 0xee, 64);
    blocks.push_back(block);
  }
  for (unsigned char* const block : blocks) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
    assert_int_equal(info.size, 3 * mebibyte);
    release(block);
  }
}

void what_nobody_touches_is_never_in_memory(void**) {
  if (!has_plain_pages())
    skip_because("pages are not what they are where a checker of memory watches, or a malloc that keeps what is returned");
  for (int number = 0; number < 200; ++number) {
    unsigned char* const block = allocate(2 * mebibyte);
    assert_int_equal(resident_pages(block, 2 * mebibyte), 0);
    release(block);
  }
}

void only_what_was_touched_is_cleared(void**) {
  if (!has_plain_pages())
    skip_because("pages are not what they are where a checker of memory watches, or a malloc that keeps what is returned");
  const std::size_t page = page_size();
  for (const std::size_t touched : {std::size_t{0}, 17 * page + 5, mebibyte - 1}) {
    unsigned char* block = allocate(mebibyte);
    std::memset(block + touched, 0xee, 1);
    release(block);
    block = allocate(mebibyte);
    assert_true(resident_pages(block, mebibyte) <= 3);  // those of all rounds
    assert_true(all_are(block, mebibyte, 0));
    release(block);
    Arena::purge_all();
  }
}

void pages_that_alternate_are_cleared_all(void**) {
  unsigned char* block = allocate(mebibyte);
  for (std::size_t at = 0; at < mebibyte; at += 2 * page_size()) block[at] = 1;
  release(block);
  block = allocate(mebibyte);
  assert_true(all_are(block, mebibyte, 0));
  release(block);
}

// A smaller block in the place of a larger one, and one whose size is no multiple of a page.
void sizes_of_any_kind_read_as_zero(void**) {
  for (const std::size_t size : {most, least + 4095, mebibyte + 1, least, 3 * mebibyte - 7, mebibyte}) {
    unsigned char* const block = allocate(size);
    assert_true(all_are(block, size, 0));
    std::memset(block, 0xee, size);
    release(block);
  }
}

void what_is_in_swap_does_not_come_back(void**) {
  unsigned char* block = allocate(mebibyte);
  std::memset(block, 0xee, mebibyte);
  unsigned char* const before = block;
  release(block);
  swapped = reinterpret_cast<std::uintptr_t>(before) / page_size() * page_size() + 5 * page_size();
  block = allocate(mebibyte);
  if (has_page_blocks()) assert_ptr_equal(block, before);
  assert_true(all_are(block, mebibyte, 0));
  release(block);
}

void zeros_need_no_help_of_the_system(void**) {
  for (const auto refuse : {&no_residence, &no_return}) {
    *refuse = true;
    for (int number = 0; number < 3; ++number) {
      unsigned char* const block = allocate(mebibyte);
      assert_true(all_are(block, mebibyte, 0));
      std::memset(block, 0xee, mebibyte / 2);
      release(block);
    }
    *refuse = false;
  }
}

void a_block_grows_into_free_pages_and_what_it_gains_is_zero(void**) {
  if (!has_page_blocks()) skip_because("there are no blocks of pages where a checker of memory watches, or CADASTRE_HEAP is off");
  unsigned char* const wide = allocate(3 * mebibyte, CADASTRE_UNINITIALIZED);
  std::memset(wide, 0xee, 3 * mebibyte);
  release(wide);
  unsigned char* const block = allocate(mebibyte);
  assert_ptr_equal(block, wide);
  std::memset(block, 1, mebibyte);
  for (const std::size_t size : {mebibyte + 5, 2 * mebibyte + 100, 3 * mebibyte}) assert_ptr_equal(resized(block, size), block);
  assert_true(all_are(block, mebibyte, 1));
  assert_true(all_are(block + mebibyte, 2 * mebibyte, 0));
  release(block);
}

void a_block_gives_back_what_it_loses(void**) {
  if (!has_page_blocks()) skip_because("there are no blocks of pages where a checker of memory watches, or CADASTRE_HEAP is off");
  unsigned char* const block = allocate(3 * mebibyte);
  std::memset(block, 1, 3 * mebibyte);
  assert_ptr_equal(resized(block, mebibyte), block);
  unsigned char* const other = allocate(mebibyte);
  assert_ptr_equal(other, block + mebibyte);
  assert_true(all_are(other, mebibyte, 0));
  std::memset(other, 2, mebibyte);
  unsigned char* const moved = resized(block, 2 * mebibyte);
  assert_ptr_not_equal(moved, block);
  assert_true(all_are(moved, mebibyte, 1));
  assert_true(all_are(moved + mebibyte, mebibyte, 0));
  assert_true(all_are(other, mebibyte, 2));
  release(moved);
  release(other);
}

void a_block_goes_from_kind_to_kind(void**) {
  unsigned char* block = allocate(100);
  std::memset(block, 1, 100);
  for (const std::size_t size : {mebibyte, 8 * mebibyte, mebibyte, 100 * kibibyte, most, most + 1, least, std::size_t{200}}) {
    block = resized(block, size);
    assert_true(all_are(block, 100, 1));
    assert_true(all_are(block + 100, size - 100, 0));
    if (size <= 256 * kibibyte || size > most) assert_false(is_page_block(block));
  }
  release(block);
}

void another_thread_gives_pages_back_to_where_they_came_from(void**) {
  if (!has_page_blocks()) skip_because("there are no blocks of pages where a checker of memory watches, or CADASTRE_HEAP is off");
  unsigned char* const block = allocate(mebibyte);
  unsigned char* of_other = nullptr;
  std::thread([&] {
    release(block);
    of_other = allocate(mebibyte);
  }).join();
  assert_true(reinterpret_cast<std::uintptr_t>(of_other) / page_block_chunk_bytes !=
              reinterpret_cast<std::uintptr_t>(block) / page_block_chunk_bytes);
  unsigned char* const again = allocate(mebibyte);
  assert_ptr_equal(again, block);
  release(again);
  release(of_other);
}

void no_more_is_kept_than_pages_of_slabs_may_be(void**) {
  if (!has_plain_pages() || !returned_pages_read_as_zero())
    skip_because("pages are not what they are where a checker of memory watches, or a malloc that keeps what is returned");
  std::vector<unsigned char*> blocks;
  for (int number = 0; number < 60; ++number) {
    blocks.push_back(allocate(3 * mebibyte, CADASTRE_UNINITIALIZED));
    std::memset(blocks.back(), 0xee, 3 * mebibyte);
  }
  const std::size_t resident = process_memory().resident;
  for (unsigned char* const block : blocks) release(block);
  assert_true(kept_page_bytes() <= most_kept_page_bytes);
  assert_true(process_memory().resident + 100 * mebibyte <= resident);
  const std::size_t mapped = mapped_chunk_bytes();
  Arena::give_up_all();
  assert_true(mapped_chunk_bytes() + page_block_chunk_bytes <= mapped);
  assert_int_equal(kept_page_bytes(), 0);
}

// A step that frees some of many large blocks, and takes as many again, need not have them anew from the system.
void a_quarter_of_what_lives_is_kept(void**) {
  if (!has_plain_pages() || !returned_pages_read_as_zero())
    skip_because("pages are not what they are where a checker of memory watches, or a malloc that keeps what is returned");
  const auto take = [] {
    unsigned char* const block = allocate(2 * mebibyte, CADASTRE_UNINITIALIZED);
    std::memset(block, 0xee, 2 * mebibyte);
    return block;
  };
  std::vector<unsigned char*> blocks;
  for (int number = 0; number < 250; ++number) blocks.push_back(take());
  const auto release_some = [&](std::size_t first, std::size_t end) {
    for (std::size_t number = first; number < end; ++number) release(std::exchange(blocks[number], nullptr));
  };
  const std::size_t resident = process_memory().resident;
  release_some(0, 45);  // 90 MiB, of 500
  assert_true(kept_page_bytes() >= 90 * mebibyte);
  assert_true(process_memory().resident + mebibyte >= resident);
  const cadastre_context other = cadastre_context_create();
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
  assert_true(kept_page_bytes() <= most_kept_page_bytes);  // with all blocks of a context
  release_some(45, 100);                                   // more than a quarter of the rest
  assert_true(kept_page_bytes() <= 300 * mebibyte / 4 + mebibyte);
  release_some(100, 250);
  assert_true(kept_page_bytes() <= most_kept_page_bytes);
  Arena::give_up_all();
}

void without_address_space_blocks_come_from_the_c_library(void**) {
  if (has_memory_checker()) skip_because("a checker of memory watches");
  const pid_t child = fork();
  if (child == 0) {
    const rlim_t now = process_memory().address_space + 3 * page_block_chunk_bytes / 4;
    const rlimit limit{now, now};
    Arena::give_up_all();
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(1);
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = mebibyte;
    void* const block = cadastre_malloc(context, info);
    if (!block || is_page_block(block)) _exit(2);
    _exit(cadastre_free(context, block) == CADASTRE_SUCCESS ? 0 : 3);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

void a_child_has_its_own(void**) {
  unsigned char* const block = allocate(mebibyte);
  std::memset(block, 1, mebibyte);
  const pid_t child = fork();
  if (child == 0) {
    if (!all_are(block, mebibyte, 1) || cadastre_free(context, block) != CADASTRE_SUCCESS) _exit(1);
    unsigned char* const own = allocate(2 * mebibyte);
    _exit(all_are(own, 2 * mebibyte, 0) && cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 2);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_true(all_are(block, mebibyte, 1));
  release(block);
}

void checkers_know_what_is_nobodys(void**) {
  if (!__asan_address_is_poisoned || !has_page_blocks())
    skip_because("there are no blocks of pages where a checker of memory watches, or CADASTRE_HEAP is off");
  unsigned char* const block = allocate(mebibyte + 1);
  assert_false(__asan_address_is_poisoned(block + mebibyte));
  assert_true(__asan_address_is_poisoned(block + mebibyte + 8));
  release(block);
  assert_true(__asan_address_is_poisoned(block));
}

void destroy_leaves_nothing(void**) {
  for (int number = 0; number < 5; ++number) std::memset(allocate(mebibyte), 1, mebibyte);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  context = CADASTRE_NULL_CONTEXT;
  if (!has_page_blocks()) return;
  Arena::give_up_all();
  assert_int_equal(kept_page_bytes(), 0);
}

}  // namespace

int main() {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const CMUnitTest tests[] = {
      CLAIM(sizes_between_slabs_and_mappings_are_runs_of_pages),
      CLAIM(a_place_is_used_again_without_a_call_of_the_system),
      CLAIM(an_alignment_up_to_a_page_of_theirs_needs_no_more),
      CLAIM(a_context_that_wants_malloc_gets_none),
      CLAIM(who_writes_past_an_end_stays_in_the_chunk),
      CLAIM(what_nobody_touches_is_never_in_memory),
      CLAIM(only_what_was_touched_is_cleared),
      CLAIM(pages_that_alternate_are_cleared_all),
      CLAIM(sizes_of_any_kind_read_as_zero),
      CLAIM(what_is_in_swap_does_not_come_back),
      CLAIM(zeros_need_no_help_of_the_system),
      CLAIM(a_block_grows_into_free_pages_and_what_it_gains_is_zero),
      CLAIM(a_block_gives_back_what_it_loses),
      CLAIM(a_block_goes_from_kind_to_kind),
      CLAIM(another_thread_gives_pages_back_to_where_they_came_from),
      CLAIM(no_more_is_kept_than_pages_of_slabs_may_be),
      CLAIM(a_quarter_of_what_lives_is_kept),
      CLAIM(without_address_space_blocks_come_from_the_c_library),
      CLAIM(a_child_has_its_own),
      CLAIM(checkers_know_what_is_nobodys),
      CLAIM(destroy_leaves_nothing),
  };
  return cmocka_run_group_tests_name("blocks of pages", tests, nullptr, nullptr);
}
