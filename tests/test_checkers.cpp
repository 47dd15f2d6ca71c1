// Tangled from org/tests/checker_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "config.h"
#include "base/checkers.hpp"
#include "cadastre.h"
#include "cmocka.hpp"
#include "core/page_map.hpp"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#else
#define VALGRIND_CHECK_MEM_IS_ADDRESSABLE(begin, bytes) 0
#define VALGRIND_CHECK_MEM_IS_DEFINED(begin, bytes) 0
#define VALGRIND_DISABLE_ERROR_REPORTING static_cast<void>(0)
#define VALGRIND_ENABLE_ERROR_REPORTING static_cast<void>(0)
#endif

extern "C" {
[[gnu::weak]] int __asan_address_is_poisoned(const volatile void* address);
[[gnu::weak]] int __lsan_do_recoverable_leak_check();
}

using namespace cadastre::internal;

namespace {

// Whether a checker would report who touches a byte.
bool is_concealed(const void* byte) {
  if (__asan_address_is_poisoned) return __asan_address_is_poisoned(byte) != 0;
  VALGRIND_DISABLE_ERROR_REPORTING;
  const bool concealed = VALGRIND_CHECK_MEM_IS_ADDRESSABLE(byte, 1) != 0;
  VALGRIND_ENABLE_ERROR_REPORTING;
  return concealed;
}
// Only valgrind knows.
bool may_be_undefined(const void* bytes, std::size_t size) {
  VALGRIND_DISABLE_ERROR_REPORTING;
  const bool undefined = VALGRIND_CHECK_MEM_IS_DEFINED(bytes, size) != 0;
  VALGRIND_ENABLE_ERROR_REPORTING;
  return undefined;
}

unsigned char* allocate(cadastre_context context, std::size_t size, cadastre_flags flags = 0) {
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
  request.size = size;
  request.flags = flags;
  auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, request));
  assert_non_null(block);
  assert_true(page_map.slab_at(reinterpret_cast<std::uintptr_t>(block)) != nullptr);
  return block;
}

void assert_is_the_users(const unsigned char* block, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) assert_false(is_concealed(block + i));
  assert_true(is_concealed(block + size));
}

constexpr std::size_t sizes[] = {1, 13, 24, 63, 100, 1000, 5000, 40000};  // none that its class has to the byte

void a_block_is_its_users_and_nothing_behind_it_is(void**) {
  if (!is_memory_checked()) skip_because("no checker of memory watches");
  const cadastre_context context = cadastre_context_create();
  for (const std::size_t size : sizes) {
    for (int i = 0; i < 20; ++i) {
      unsigned char* const block = allocate(context, size);
      assert_is_the_users(block, size);
      assert_false(may_be_undefined(block, size));
      assert_int_equal(block[0] | block[size - 1], 0);
      if (!__asan_address_is_poisoned) assert_true(may_be_undefined(allocate(context, size, CADASTRE_UNINITIALIZED), size));
    }
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_freed_block_is_nobodys_until_it_is_given_out_again(void**) {
  if (!is_memory_checked()) skip_because("no checker of memory watches");
  const cadastre_context context = cadastre_context_create();
  for (const std::size_t size : sizes) {
    unsigned char *const kept = allocate(context, size), *const block = allocate(context, size);
    std::memset(block, 1, size);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    assert_true(is_concealed(block) && is_concealed(block + size - 1));
    assert_is_the_users(kept, size);
    unsigned char* const again = allocate(context, size);
    assert_ptr_equal(again, block);
    assert_is_the_users(again, size);
    assert_int_equal(again[0] | again[size - 1], 0);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// In a shard of another thread, which frees by handing over; and by locked calls.
void so_it_is_however_it_is_freed(void**) {
  if (!is_memory_checked()) skip_because("no checker of memory watches");
  const cadastre_context context = cadastre_context_create();
  std::vector<unsigned char*> blocks;
  for (int i = 0; i < 30; ++i) blocks.push_back(allocate(context, 100));
  std::thread([&] {
    allocate(context, 100);
    for (int i = 0; i < 10; ++i) assert_int_equal(cadastre_free(context, blocks[static_cast<std::size_t>(i)]), CADASTRE_SUCCESS);
  }).join();
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  for (std::size_t i = 10; i < 20; ++i) assert_int_equal(cadastre_free(context, blocks[i]), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  for (std::size_t i = 0; i < 20; ++i) assert_true(is_concealed(blocks[i]) && is_concealed(blocks[i] + 99));
  for (std::size_t i = 20; i < 30; ++i) assert_is_the_users(blocks[i], 100);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_resize_moves_the_end(void**) {
  if (!is_memory_checked()) skip_because("no checker of memory watches");
  const cadastre_context context = cadastre_context_create();
  unsigned char* block = allocate(context, 1000);
  std::memset(block, 7, 1000);
  for (const std::size_t size : {990u, 1003u, 961u, 3000u, 100u}) {
    unsigned char* const before = block;
    block = static_cast<unsigned char*>(cadastre_realloc(context, block, size));
    assert_non_null(block);
    assert_is_the_users(block, size);
    if (block != before) assert_true(is_concealed(before));
    assert_int_equal(block[0], 7);
  }
  cadastre_context_destroy(context);
}

// Whoever has the pages of a slab that went may touch them.
void pages_that_went_back_are_marked_no_more(void**) {
  if (!is_memory_checked()) skip_because("no checker of memory watches");
  const cadastre_context context = cadastre_context_create();
  unsigned char* const block = allocate(context, 100000);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_false(is_concealed(block));
}

// What is allocated by malloc and known from a block only is no leak, and is one as soon as the block is freed.
void leaks_are_told_from_what_blocks_point_to(void**) {
  if (!__lsan_do_recoverable_leak_check) skip_because("LeakSanitizer does not watch");
  const cadastre_context context = cadastre_context_create();
  auto** const holder = reinterpret_cast<void**>(allocate(context, 500));
  const auto fill = [&] { holder[3] = std::malloc(1000); };
  std::thread(fill).join();  // whose stack is gone
  assert_int_equal(__lsan_do_recoverable_leak_check(), 0);
  std::free(holder[3]);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_block_is_its_users_and_nothing_behind_it_is),
      cmocka_unit_test(a_freed_block_is_nobodys_until_it_is_given_out_again),
      cmocka_unit_test(so_it_is_however_it_is_freed),
      cmocka_unit_test(a_resize_moves_the_end),
      cmocka_unit_test(pages_that_went_back_are_marked_no_more),
      cmocka_unit_test(leaks_are_told_from_what_blocks_point_to),
  };
  return cmocka_run_group_tests_name("checkers", tests, nullptr, nullptr);
}
