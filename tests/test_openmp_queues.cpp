// Tangled from org/tests/openmp_queue_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "backend_conformance.hpp"
#include "backends/openmp_module.hpp"
#include "openmp_double.hpp"

using namespace cadastre::internal;

namespace {

class Queue {
 public:
  explicit Queue(int device = 0) : queue_(control().make_queue(device)) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() { end(); }
  operator cadastre_queue() const { return queue_; }
  void end() {
    if (queue_) control().destroy_queue(queue_);
    queue_ = nullptr;
  }
  // What a kernel would do, when it comes to that.
  void set_later(void* to, int value, std::size_t bytes) const { control().put_set(queue_, to, value, bytes); }
  void copy_later(void* to, const void* from, std::size_t bytes) const { control().put_copy(queue_, to, from, bytes); }

 private:
  void* queue_;
};

cadastre_context new_context(cadastre_pool pool = CADASTRE_POOL_NONE) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_OPENMP;
  options.pool = pool;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

void destroy(cadastre_context context) { assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS); }

char* block_of(cadastre_context context, std::size_t size, cadastre_memory_type type = CADASTRE_DEVICE) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  auto* const block = static_cast<char*>(cadastre_malloc(context, info));
  assert_non_null(block);
  return block;
}

void free(cadastre_context context, void* block) { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }

// Whether all bytes of a block are a value, copied on the default queue.
bool is_all(cadastre_context context, const void* block, std::size_t size, int value) {
  std::vector<char> bytes(size);
  assert_int_equal(cadastre_memcpy(context, bytes.data(), block, size), CADASTRE_SUCCESS);
  return std::all_of(bytes.begin(), bytes.end(), [&](char byte) { return byte == static_cast<char>(value); });
}

cadastre_error_struct last(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  return error;
}

void assert_refused(cadastre_context context, cadastre_exit_code code, cadastre_exit_code expected, const char* words) {
  assert_int_equal(code, expected);
  const cadastre_error_struct error = last(context);
  if (!std::strstr(error.message, words)) assert_string_equal(error.message, words);
}

void a_copy_comes_after_what_its_queue_holds(void**) {
  const cadastre_context context = new_context();
  const Queue queue;
  char* const block = block_of(context, 1000);
  std::vector<char> found(1000), in(1000, 9);
  queue.set_later(block, 7, 1000);
  assert_int_equal(cadastre_memcpy_async(context, found.data(), block, 1000, queue), CADASTRE_SUCCESS);
  assert_true(found == std::vector<char>(1000, 7));
  // What the queue writes before does not come over what is copied.
  queue.set_later(block, 8, 1000);
  assert_int_equal(cadastre_memcpy_async(context, block, in.data(), 1000, queue), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
  assert_true(is_all(context, block, 1000, 9));
  // Nor does it read what is copied after it.
  queue.copy_later(found.data(), block, 1000);
  in.assign(1000, 3);
  assert_int_equal(cadastre_memcpy_async(context, block, in.data(), 1000, queue), CADASTRE_SUCCESS);
  assert_true(found == std::vector<char>(1000, 9));
  free(context, block);
  destroy(context);
}

void a_set_comes_after_what_its_queue_holds(void**) {
  const cadastre_context context = new_context();
  const Queue queue;
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    char* const block = block_of(context, 1000, type);
    queue.set_later(block, 7, 1000);
    assert_int_equal(cadastre_memset_async(context, block, 5, 1000, queue), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
    assert_true(is_all(context, block, 1000, 5));
    free(context, block);
  }
  destroy(context);
}

void rows_wait_for_their_queue_once(void**) {
  const cadastre_context context = new_context();
  const Queue queue;
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 20 * 64;
  info.type = CADASTRE_DEVICE;
  info.stride = 64;
  auto* const block = static_cast<char*>(cadastre_malloc_strided(context, info, CADASTRE_DEFAULT_QUEUE));
  assert_non_null(block);
  std::vector<char> found(200);
  queue.set_later(block, 7, info.size);
  const int waits = control().queue_waits;
  assert_int_equal(cadastre_memcpy_strided_async(context, found.data(), block, 10, 20, queue), CADASTRE_SUCCESS);
  assert_int_equal(control().queue_waits, waits + 1);
  assert_true(found == std::vector<char>(200, 7));
  free(context, block);
  destroy(context);
}

void a_queue_is_waited_for_alone(void**) {
  const cadastre_context context = new_context();
  const Queue queue, other;
  char* const block = block_of(context, 100);
  queue.set_later(block, 1, 50);
  other.set_later(block + 50, 2, 50);
  assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
  assert_true(is_all(context, block, 50, 1) && is_all(context, block + 50, 50, 0));
  assert_int_equal(cadastre_synchronize(context, other), CADASTRE_SUCCESS);
  assert_true(is_all(context, block + 50, 50, 2));
  free(context, block);
  destroy(context);
}

void a_free_on_a_queue_comes_after_it(void**) {
  const cadastre_context context = new_context();
  const Queue queue;
  char* const block = block_of(context, 1000);
  queue.set_later(block, 7, 1000);
  const int mistakes = control().mistakes;
  assert_int_equal(cadastre_free_async(context, block, queue), CADASTRE_SUCCESS);
  assert_int_equal(control().mistakes, mistakes);
  destroy(context);
}

void a_free_without_a_queue_waits_for_all_of_its_device(void**) {
  const cadastre_context context = new_context();
  const Queue queue, other;
  Queue gone;
  const int mistakes = control().mistakes;
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    char* const block = block_of(context, 1000, type);
    queue.set_later(block, 7, 1000);
    other.copy_later(block, block + 500, 500);
    if (type == CADASTRE_DEVICE) gone.set_later(block, 8, 10);
    gone.end();
    free(context, block);
    assert_int_equal(control().mistakes, mistakes);
  }
  destroy(context);
}

void a_resize_keeps_what_a_queue_was_still_to_write(void**) {
  const cadastre_context context = new_context();
  const Queue queue;
  char* block = block_of(context, 1000);
  const int mistakes = control().mistakes;
  queue.set_later(block, 7, 1000);
  block = static_cast<char*>(cadastre_realloc(context, block, 50000));
  assert_non_null(block);
  assert_true(is_all(context, block, 1000, 7) && is_all(context, block + 1000, 49000, 0));
  assert_int_equal(control().mistakes, mistakes);
  free(context, block);
  destroy(context);
}

void memory_from_a_pool_is_nobody_elses_any_more(void**) {
  const cadastre_context context = new_context(CADASTRE_POOL_CACHING);
  const Queue queue;
  for (const bool in_order : {true, false}) {
    char* const block = block_of(context, 1000);
    queue.set_later(block, 7, 1000);
    assert_int_equal(in_order ? cadastre_free_async(context, block, queue) : cadastre_free(context, block), CADASTRE_SUCCESS);
    char* const next = block_of(context, 1000);
    assert_ptr_equal(next, block);
    assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
    assert_true(is_all(context, next, 1000, 0));
    free(context, next);
  }
  destroy(context);
}

void a_context_ends_after_its_queues(void**) {
  const int mistakes = control().mistakes;
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING}) {
    const cadastre_context context = new_context(pool);
    const Queue queue;
    queue.set_later(block_of(context, 1000), 7, 1000);
    queue.set_later(block_of(context, 1000, CADASTRE_UVM), 7, 1000);
    destroy(context);
  }
  assert_int_equal(control().mistakes, mistakes);
}

struct Lease {
  cadastre_lease lease = 0;
  void* memory = nullptr;
};

Lease acquire(cadastre_context context, cadastre_queue queue, std::size_t size = 1000) {
  Lease lease;
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_DEVICE, queue, 1, &size, &lease.memory, &lease.lease),
                   CADASTRE_SUCCESS);
  return lease;
}

void release(cadastre_context context, const Lease& lease) {
  assert_int_equal(cadastre_workspace_release(context, lease.lease), CADASTRE_SUCCESS);
}

cadastre_context with_workspace() {
  const cadastre_context context = new_context();
  assert_int_equal(cadastre_workspace_set_size(context, CADASTRE_DEVICE, 1000), CADASTRE_SUCCESS);
  return context;
}

void a_lease_on_another_queue_comes_after_the_first(void**) {
  const cadastre_context context = with_workspace();
  const Queue a, b;
  const cadastre_queue pairs[][2] = {{a, b}, {b, a}, {a, CADASTRE_DEFAULT_QUEUE}};
  for (const auto& [first, second] : pairs) {
    const Lease one = acquire(context, first);
    control().put_set(first, one.memory, 7, 1000);
    release(context, one);
    const Lease two = acquire(context, second);
    assert_ptr_equal(two.memory, one.memory);
    assert_int_equal(cadastre_memset_async(context, two.memory, 5, 1000, second), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_synchronize(context, first), CADASTRE_SUCCESS);
    assert_true(is_all(context, two.memory, 1000, 5));
    release(context, two);
  }
  destroy(context);
}

void a_lease_on_the_same_queue_waits_for_nothing(void**) {
  const cadastre_context context = with_workspace();
  const Queue queue;
  release(context, acquire(context, queue));
  const int waits = control().device_waits + control().queue_waits;
  for (int round = 0; round < 5; ++round) {
    const Lease lease = acquire(context, queue);
    queue.set_later(lease.memory, round, 1000);
    release(context, lease);
  }
  assert_int_equal(control().device_waits + control().queue_waits, waits);
  destroy(context);
}

void a_queue_with_the_address_of_one_that_was_destroyed_is_another(void**) {
  const cadastre_context context = with_workspace();
  Queue first;
  const cadastre_queue address = first;
  const Lease one = acquire(context, first);
  first.set_later(one.memory, 7, 1000);
  release(context, one);
  first.end();
  const Queue second;
  assert_ptr_equal(static_cast<cadastre_queue>(second), address);
  const Lease two = acquire(context, second);
  assert_int_equal(cadastre_memset_async(context, two.memory, 5, 1000, second), CADASTRE_SUCCESS);
  char* const other = block_of(context, 10);
  free(context, other);  // which waits for all
  assert_true(is_all(context, two.memory, 1000, 5));
  release(context, two);
  destroy(context);
}

void a_lease_on_a_queue_of_another_device_is_refused(void**) {
  const cadastre_context context = with_workspace();
  const Queue queue(1);
  std::size_t size = 100;
  void* memory = nullptr;
  cadastre_lease lease = 0;
  const cadastre_exit_code code = cadastre_workspace_acquire_on_queue(context, CADASTRE_DEVICE, queue, 1, &size, &memory, &lease);
  assert_int_equal(code, CADASTRE_INVALID_ARG_3);
  assert_int_equal(last(context).reason, CADASTRE_REASON_WRONG_QUEUE_DEVICE);
  destroy(context);
}

void a_queue_that_cannot_be_waited_for_changes_nothing(void**) {
  const cadastre_context context = new_context();
  const Queue queue;
  char* const block = block_of(context, 100);
  char bytes[100] = {1};
  const auto expect = [&](cadastre_exit_code code) {
    assert_refused(context, code, CADASTRE_FAILURE, "failed in the openmp backend: the double was told to fail");
    assert_int_equal(last(context).vendor_code, 42);
    assert_int_equal(control().fail_in, 0);
  };
  control().fail_in = 1;
  expect(cadastre_memcpy_async(context, block, bytes, 100, queue));
  control().fail_in = 1;
  expect(cadastre_memset_async(context, block, 1, 100, queue));
  control().fail_in = 1;
  expect(cadastre_free_async(context, block, queue));
  control().fail_in = 1;
  expect(cadastre_synchronize(context, queue));
  assert_true(is_all(context, block, 100, 0));
  free(context, block);
  destroy(context);
}

void a_device_that_cannot_be_waited_for_lets_no_memory_go(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING}) {
    const cadastre_context context = new_context(pool);
    const Queue queue;
    char* const block = block_of(context, 100);
    queue.set_later(block, 7, 100);
    const int live = control().live;
    control().fail_in = 1;
    assert_refused(context, cadastre_free(context, block), CADASTRE_DEALLOCATION_FAILED, "the double was told to fail");
    assert_int_equal(last(context).reason, CADASTRE_REASON_BACKEND_FREE_FAILED);
    assert_int_equal(control().live, live);
    destroy(context);
    if (pool == CADASTRE_POOL_NONE) --control().live;  // nobody can free it any more
  }
}

void a_capture_is_told(void**) {
  const cadastre_context context = new_context();
  const Queue queue;
  char* const block = block_of(context, 100);
  char bytes[100] = {1};
  control().capturing = true;
  for (const cadastre_exit_code code : {cadastre_memcpy_async(context, block, bytes, 100, queue),
                                        cadastre_free_async(context, block, queue), cadastre_synchronize(context, queue)}) {
    assert_int_equal(code, CADASTRE_CAPTURE_ACTIVE);
    assert_int_equal(last(context).reason, CADASTRE_REASON_CAPTURE_ACTIVE);
  }
  control().capturing = false;
  free(context, block);
  destroy(context);
}

// Every call that takes a queue, on one that is none.
int use_no_queue(cadastre_context context, char* block, cadastre_queue queue, const char* words) {
  char bytes[100] = {1};
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 10;
  info.type = CADASTRE_DEVICE;
  int refused = 0;
  const auto expect = [&](cadastre_exit_code code) {
    const cadastre_error_struct error = last(context);
    const bool told = code == CADASTRE_NOT_SUPPORTED && error.exit_code == code && std::strstr(error.message, words);
    if (!told) std::printf("%d: %s\n", code, error.message);
    refused += told;
  };
  expect(cadastre_memcpy_async(context, block, bytes, 100, queue));
  expect(cadastre_memset_async(context, block, 1, 100, queue));
  expect(cadastre_free_async(context, block, queue));
  expect(cadastre_synchronize(context, queue));
  expect(cadastre_malloc_async(context, info, queue) ? CADASTRE_SUCCESS : last(context).exit_code);
  std::size_t size = 100;
  void* memory = nullptr;
  cadastre_lease lease = 0;
  expect(cadastre_workspace_acquire_on_queue(context, CADASTRE_DEVICE, queue, 1, &size, &memory, &lease));
  return refused;
}

void what_is_no_queue_is_refused_by_each_call(void**) {
  const cadastre_context context = new_context();
  char* const block = block_of(context, 100);
  int no_queue = 0;
  assert_int_equal(use_no_queue(context, block, &no_queue, "the double has no such queue"), 6);
  assert_true(is_all(context, block, 100, 0));
  free(context, block);
  destroy(context);
}

int try_without_queues() {
  const cadastre_context context = new_context();
  char* const block = block_of(context, 100);
  int no_queue = 0;
  const int refused = use_no_queue(context, block, &no_queue, "the double was told to have no queues");
  const cadastre_exit_code on_default = cadastre_memset_async(context, block, 1, 100, CADASTRE_DEFAULT_QUEUE);
  const cadastre_exit_code freed = cadastre_free_async(context, block, CADASTRE_DEFAULT_QUEUE);
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  cadastre_backend_get_info(CADASTRE_BACKEND_OPENMP, &info);
  std::printf("%d refused, %d, %d; %d waits\n%s\n", refused, on_default, freed, control().device_waits.load(), info.description);
  return cadastre_context_destroy(context);
}

std::string output_of(const std::string& environment) {
  char self[4096] = {};
  assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  std::FILE* const pipe = popen(("env CADASTRE_OPENMP_MODULE='" OPENMP_DOUBLE "' " + environment + " '" + self + "' alone").c_str(), "r");
  assert_non_null(pipe);
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  assert_int_equal(pclose(pipe), 0);
  return output;
}

void a_runtime_without_queues_refuses_all_but_the_default(void**) {
  assert_string_equal(output_of("OPENMP_DOUBLE_QUEUES=0 OPENMP_DOUBLE_PINNED=0").c_str(),
                      "6 refused, 0, 0; 0 waits\n"
                      "target regions of OpenMP, by the double; DEVICE from double_device; no PINNED: the double was told to have none; "
                      "UVM from double_managed; no queues: the double was told to have no queues\n");
}

void the_description_says_which_routine_serves_a_type(void**) {
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(CADASTRE_BACKEND_OPENMP, &info), CADASTRE_SUCCESS);
  assert_string_equal(info.description, "target regions of OpenMP, by the double; DEVICE from double_device; PINNED from double_pinned; "
                                        "UVM from double_managed; queues are interop objects with targetsync");
}

void nothing_was_lost_and_nothing_freed_too_early(void**) {
  assert_int_equal(control().live, 0);
  assert_int_equal(control().mistakes, 0);
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) return try_without_queues();
  setenv("CADASTRE_OPENMP_MODULE", OPENMP_DOUBLE, 1);
  if (access(OPENMP_DOUBLE, F_OK) != 0) {
    std::puts("1..0 # SKIP the double was not built, for want of shared libraries");
    return 0;
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_comes_after_what_its_queue_holds),
      cmocka_unit_test(a_set_comes_after_what_its_queue_holds),
      cmocka_unit_test(rows_wait_for_their_queue_once),
      cmocka_unit_test(a_queue_is_waited_for_alone),
      cmocka_unit_test(a_free_on_a_queue_comes_after_it),
      cmocka_unit_test(a_free_without_a_queue_waits_for_all_of_its_device),
      cmocka_unit_test(a_resize_keeps_what_a_queue_was_still_to_write),
      cmocka_unit_test(memory_from_a_pool_is_nobody_elses_any_more),
      cmocka_unit_test(a_context_ends_after_its_queues),
      cmocka_unit_test(a_lease_on_another_queue_comes_after_the_first),
      cmocka_unit_test(a_lease_on_the_same_queue_waits_for_nothing),
      cmocka_unit_test(a_queue_with_the_address_of_one_that_was_destroyed_is_another),
      cmocka_unit_test(a_lease_on_a_queue_of_another_device_is_refused),
      cmocka_unit_test(a_queue_that_cannot_be_waited_for_changes_nothing),
      cmocka_unit_test(a_device_that_cannot_be_waited_for_lets_no_memory_go),
      cmocka_unit_test(a_capture_is_told),
      cmocka_unit_test(what_is_no_queue_is_refused_by_each_call),
      cmocka_unit_test(a_runtime_without_queues_refuses_all_but_the_default),
      cmocka_unit_test(the_description_says_which_routine_serves_a_type),
      cmocka_unit_test(nothing_was_lost_and_nothing_freed_too_early),
  };
  return cmocka_run_group_tests_name("openmp backend, queues", tests, nullptr, nullptr);
}
