// Tangled from org/tests/operator_new_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

std::atomic<cadastre_context> home = CADASTRE_NULL_CONTEXT;  // of what operator new gives
std::atomic<long> served = 0, refused = 0;
std::atomic<bool> throws = false;

void* take(std::size_t size) {
  const cadastre_context context = home;
  if (context != CADASTRE_NULL_CONTEXT) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = size == 0 ? 1 : size;
    info.label = "operator new";
    if (void* const pointer = cadastre_malloc(context, info)) return ++served, pointer;
    ++refused;
    if (throws) throw std::bad_alloc();
  }
  if (void* const pointer = std::malloc(size == 0 ? 1 : size)) return pointer;
  throw std::bad_alloc();
}

void give(void* pointer) noexcept {
  const cadastre_context context = home;
  if (!pointer || (context != CADASTRE_NULL_CONTEXT && cadastre_free(context, pointer) == CADASTRE_SUCCESS)) return;
  std::free(pointer);
}

}  // namespace

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return take(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void operator delete(void* pointer) noexcept { give(pointer); }
void operator delete[](void* pointer) noexcept { give(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { give(pointer); }
void operator delete[](void* pointer, std::size_t) noexcept { give(pointer); }

namespace {

std::int64_t live_blocks(cadastre_context context) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &figures), CADASTRE_SUCCESS);
  return figures.live_blocks;
}

// While it lives, operator new allocates in a context.
class Serving {
 public:
  explicit Serving(bool throwing = false) : context_(cadastre_context_create()) {
    assert_true(context_ != CADASTRE_NULL_CONTEXT);
    served = refused = 0;
    throws = throwing;
    home = context_;
  }
  ~Serving() {
    assert_int_equal(live_blocks(context_), 0);
    assert_int_equal(cadastre_context_destroy(context_), CADASTRE_SUCCESS);
    home = CADASTRE_NULL_CONTEXT;
    throws = false;
  }
  cadastre_context context() const { return context_; }

 private:
  cadastre_context context_;
};

void containers_are_counted_in_their_context(void**) {
  const Serving serving;
  {
    std::vector<std::string> texts;
    for (int number = 0; number < 1000; ++number) texts.push_back(std::string(100, 'x') + std::to_string(number));
    assert_true(live_blocks(serving.context()) > 1000);
    assert_int_equal(refused, 0);
  }
}

cadastre_memory_info_struct sized(std::size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  return info;
}

// In the context that operator new allocates in, and in another.
void no_malloc_or_free_asks_operator_new(void**) {
  const Serving serving(true);
  const cadastre_context other = cadastre_context_create();
  std::vector<void*> blocks(4000);
  const long before = served;
  for (const cadastre_context context : {serving.context(), other}) {
    for (std::size_t number = 0; number < blocks.size(); ++number) {
      char label[200];
      std::snprintf(label, sizeof label, "label %zu of many %0*zu", number, number % 2 == 0 ? 1 : 100, number);
      blocks[number] = cadastre_malloc(context, sized(number % 100 == 0 ? std::size_t{5} << 20 : 8 * number + 8, label));
      assert_non_null(blocks[number]);
      if (number % 3 == 0) assert_non_null(blocks[number] = cadastre_realloc(context, blocks[number], 9 * number + 9));
    }
    for (void* const block : blocks) {
      assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
      assert_int_not_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    }
  }
  assert_int_equal(served, before);
  assert_int_equal(refused, 0);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
}

cadastre_exit_code report_to_nowhere(cadastre_context context) {
  std::FILE* const nowhere = std::fopen("/dev/null", "w");
  assert_non_null(nowhere);
  const cadastre_exit_code code = cadastre_report(context, nowhere, CADASTRE_REPORT_JSON);
  std::fclose(nowhere);
  return code;
}

void a_report_asks_and_is_refused(void**) {
  for (const bool throwing : {false, true}) {
    const Serving serving(throwing);
    void* const block = cadastre_malloc(serving.context(), sized(100, "reported"));
    assert_non_null(block);
    const cadastre_exit_code code = report_to_nowhere(serving.context());
    assert_true(refused > 0);
    assert_int_equal(code, throwing ? CADASTRE_ALLOCATION_FAILED : CADASTRE_SUCCESS);
    assert_int_equal(live_blocks(serving.context()), 1);  // of what was served for the report nothing is left
    assert_int_equal(cadastre_free(serving.context(), block), CADASTRE_SUCCESS);
  }
}

void threads_allocate_while_reports_are_written(void**) {
  const Serving serving;
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int number = 0; number < 2; ++number) {
    threads.emplace_back([&stop] {
      while (!stop) std::vector<std::string>(50, std::string(60, 'y'));
    });
  }
  int written = 0;
  for (int turn = 0; turn < 50; ++turn) written += report_to_nowhere(serving.context()) == CADASTRE_SUCCESS;
  stop = true;
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(written, 50);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(containers_are_counted_in_their_context),
      cmocka_unit_test(no_malloc_or_free_asks_operator_new),
      cmocka_unit_test(a_report_asks_and_is_refused),
      cmocka_unit_test(threads_allocate_while_reports_are_written),
  };
  alarm(300);  // who waits for himself waits for ever
  return cmocka_run_group_tests_name("operator new", tests, nullptr, nullptr);
}
