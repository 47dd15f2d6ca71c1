/* Tangled from org/tests/optional_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cadastre_optional.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

cadastre_context second_file_create(void);
void second_file_fail(cadastre_context context);
int second_file_knows(cadastre_context context);
const char* second_file_label(const char* text);
int64_t real_create(void);
int real_use(int64_t context);
int real_destroy(int64_t context);

static cadastre_context context;

static int set_up(void** state) {
  (void)state;
  context = cadastre_context_create();
  return context == CADASTRE_NULL_CONTEXT;
}

static int tear_down(void** state) {
  (void)state;
  return cadastre_context_destroy(context) != CADASTRE_SUCCESS;
}

static cadastre_error_struct error_of(cadastre_context of) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(of, &error), CADASTRE_SUCCESS);
  return error;
}

static void assert_needs_cadastre(cadastre_context of, const char* function) {
  const cadastre_error_struct error = error_of(of);
  assert_int_equal(error.exit_code, CADASTRE_NOT_SUPPORTED);
  assert_int_equal(error.reason, CADASTRE_REASON_BUILT_WITHOUT_CADASTRE);
  assert_string_equal(error.function, function);
  if (!strstr(error.message, "needs Cadastre, and the caller was built without it; build the caller with")) {
    fail_msg("%s", error.message);
  }
}

static void* request(size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  return cadastre_malloc(context, info);
}

static cadastre_context below(cadastre_context parent) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.parent = parent;
  return cadastre_context_create_with_options(&options);
}

static void* get(cadastre_context of, size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  return cadastre_malloc(of, info);
}

static void what_needs_cadastre_is_refused(void** state) {
  (void)state;
  assert_true(cadastre_malloc_strided(context, cadastre_memory_info_struct_zero, NULL) == NULL);
  assert_needs_cadastre(context, "cadastre_malloc_strided");
  assert_true(cadastre_memcpy_strided(context, NULL, NULL, 0, 0) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_memcpy_strided");
  assert_true(cadastre_memcpy_strided_async(context, NULL, NULL, 0, 0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_memcpy_strided_async");
  assert_true(cadastre_wrap(context, cadastre_memory_info_struct_zero) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_wrap");
  assert_true(cadastre_unwrap(context, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_unwrap");
  assert_true(cadastre_ipc_export(context, NULL, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_ipc_export");
  assert_true(cadastre_ipc_import(context, NULL, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_ipc_import");
  assert_true(cadastre_ipc_close(context, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_ipc_close");
  assert_true(cadastre_get_device_statistics(context, 0, 0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_get_device_statistics");
  assert_true(cadastre_get_registry_info(context, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_get_registry_info");
  assert_true(cadastre_report(context, NULL, 0) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_report");
  assert_true(cadastre_backend_get_info(0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_backend_get_info");
  assert_true(cadastre_device_get_info(0, 0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_device_get_info");
  assert_true(cadastre_device_get_memory_usage(0, 0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_device_get_memory_usage");
  assert_true(cadastre_host_get_memory_usage(NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_host_get_memory_usage");
  assert_true(cadastre_environment_get_info(0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_environment_get_info");
  assert_true(cadastre_backend_register(NULL, NULL, NULL) == CADASTRE_INVALID_BACKEND);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_backend_register");
  assert_true(cadastre_backend_unregister(0) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_backend_unregister");
  assert_true(cadastre_backend_register_host(NULL, NULL) == CADASTRE_INVALID_BACKEND);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_backend_register_host");
  assert_true(cadastre_backend_get_host_info(0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_backend_get_host_info");
  assert_true(cadastre_workspace_release_captured(context, 0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_workspace_release_captured");
  assert_true(cadastre_workspace_start_size_query(context) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_workspace_start_size_query");
  assert_true(cadastre_workspace_stop_size_query(context, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_workspace_stop_size_query");
  assert_true(cadastre_workspace_set_optimal_size(context, 0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_workspace_set_optimal_size");
  assert_true(cadastre_workspace_get_info(context, 0, NULL) == CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_workspace_get_info");
}

static void what_can_be_counted_is_nothing(void** state) {
  (void)state;
  assert_int_equal(cadastre_backend_get_count(), 0);
  assert_int_equal(cadastre_environment_get_count(), 0);
  assert_true(cadastre_get_backend_nanoseconds() == 0);
  assert_string_equal(cadastre_get_version(), "0.0.0");
  assert_string_equal(cadastre_get_build_options(), "library: none\n");
}

static void a_refusal_checks_the_context(void** state) {
  const cadastre_context destroyed = cadastre_context_create();
  (void)state;
  cadastre_context_destroy(destroyed);
  assert_int_equal(cadastre_unwrap(destroyed, NULL), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(error_of(destroyed).reason, CADASTRE_REASON_DESTROYED_CONTEXT);
  assert_int_equal(cadastre_unwrap(7, NULL), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(error_of(7).reason, CADASTRE_REASON_UNKNOWN_CONTEXT);
  assert_int_equal(cadastre_report(CADASTRE_PROCESS, stdout, CADASTRE_REPORT_TEXT), CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_PROCESS, "cadastre_report");
}

static void parts_that_malloc_cannot_do_are_refused(void** state) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  const cadastre_queue queue = &info;
  char bytes[8] = {0};
  (void)state;
#define REFUSED_PART(function, ...)                                  \
  do {                                                               \
    assert_int_equal(function(__VA_ARGS__), CADASTRE_NOT_SUPPORTED); \
    assert_needs_cadastre(context, #function);                       \
  } while (0)
  REFUSED_PART(cadastre_set_limit, context, CADASTRE_HOST, 1000);
  REFUSED_PART(cadastre_set_limit, context, CADASTRE_DEVICE, CADASTRE_LIMIT_NOTHING);
  REFUSED_PART(cadastre_set_limit, context, CADASTRE_ALL_MEMORY_TYPES, 1000);
  assert_int_equal(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 1000), CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(CADASTRE_PROCESS, "cadastre_set_limit");
  REFUSED_PART(cadastre_workspace_set_size, context, CADASTRE_HOST, 1000);
  REFUSED_PART(cadastre_context_set_default_queue, context, queue);
  REFUSED_PART(cadastre_synchronize, context, queue);
  REFUSED_PART(cadastre_memset_async, context, bytes, 1, 8, queue);
  REFUSED_PART(cadastre_memcpy_async, context, bytes, &info, 8, queue);
  REFUSED_PART(cadastre_free_async, context, bytes, queue);
  REFUSED_PART(cadastre_context_set_timing, context, 1);
  REFUSED_PART(cadastre_context_set_plain_free, context, 1);
  assert_null(cadastre_malloc_async(context, info, queue));
  assert_needs_cadastre(context, "cadastre_malloc_async");
  assert_int_equal(bytes[0], 0);
}

static void a_workspace_has_no_buffer_of_the_caller(void** state) {
  char buffer[64];
  (void)state;
  assert_int_equal(cadastre_workspace_set_buffer(context, CADASTRE_HOST, buffer, sizeof buffer), CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_workspace_set_buffer");
}

static void other_memory_types_are_refused(void** state) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  const size_t size = 8;
  void* pointer = &info;
  cadastre_lease lease = 17;
  (void)state;
  for (info.type = CADASTRE_PINNED; info.type < CADASTRE_MEMORY_TYPE_COUNT; ++info.type) {
    assert_null(cadastre_malloc(context, info));
    assert_int_equal(error_of(context).exit_code, CADASTRE_NOT_SUPPORTED);
    assert_int_equal(error_of(context).reason, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED);
    assert_int_equal(cadastre_workspace_acquire_on_queue(context, info.type, CADASTRE_DEFAULT_QUEUE, 1, &size, &pointer, &lease),
                     CADASTRE_NOT_SUPPORTED);
    assert_ptr_equal(pointer, &info);
    assert_int_equal(lease, 17);
  }
  info.type = CADASTRE_HOST;
  info.backend = CADASTRE_BACKEND_CUDA;
  assert_null(cadastre_malloc(context, info));
  assert_needs_cadastre(context, "cadastre_malloc");
  assert_int_equal(cadastre_workspace_acquire_on_queue(context, CADASTRE_HOST, &info, 1, &size, &pointer, &lease), CADASTRE_NOT_SUPPORTED);
  assert_needs_cadastre(context, "cadastre_workspace_acquire_on_queue");
}

static void options_that_malloc_cannot_have_are_refused(void** state) {
  const cadastre_context_options_struct zero = cadastre_context_options_struct_zero;
  cadastre_context_options_struct options = zero;
  (void)state;
#define REFUSED()                                                                         \
  do {                                                                                    \
    assert_true(cadastre_context_create_with_options(&options) == CADASTRE_NULL_CONTEXT); \
    assert_needs_cadastre(CADASTRE_NULL_CONTEXT, "cadastre_context_create_with_options"); \
    options = zero;                                                                       \
  } while (0)
  options.backend = CADASTRE_BACKEND_OPENMP;
  REFUSED();
  options.device = CADASTRE_DEVICE_BY_ID(0);
  REFUSED();
  options.pool = CADASTRE_POOL_CACHING;
  REFUSED();
  options.limits[CADASTRE_HOST] = 1000;
  REFUSED();
  options.limits[CADASTRE_DEVICE] = CADASTRE_LIMIT_NOTHING;
  REFUSED();
}

static void the_files_of_a_library_share_contexts_errors_and_labels(void** state) {
  const cadastre_context second = second_file_create();
  (void)state;
  assert_true(second_file_knows(context));
  assert_true(second != context);
  assert_true(cadastre_context_check(second) == second);
  second_file_fail(context);
  assert_int_equal(error_of(context).reason, CADASTRE_REASON_NULL_ARGUMENT);
  assert_int_equal(error_of(second).exit_code, CADASTRE_SUCCESS);
  assert_ptr_equal(cadastre_label("shared"), second_file_label("shared"));
  assert_int_equal(cadastre_context_destroy(second), CADASTRE_SUCCESS);
  assert_false(second_file_knows(second));
}

static void contexts_of_cadastre_are_refused_and_it_refuses_ours(void** state) {
  const int64_t real = real_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  (void)state;
  assert_true(real != 0);
  assert_true(real_use(real));
  assert_null(cadastre_malloc(real, info));
  assert_int_equal(error_of(real).exit_code, CADASTRE_INVALID_CONTEXT);
  assert_false(real_use(context));
  assert_int_equal(real_destroy(context), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(real_destroy(real), CADASTRE_SUCCESS);
}

#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
#define TELLS_BYTES_IN_USE
#endif
#endif

static size_t bytes_in_use(void) {
#ifdef TELLS_BYTES_IN_USE
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

static void what_is_left_is_freed_with_its_context(void** state) {
  const cadastre_context kept = context;
  size_t before, i;
  const size_t size = 1000000;
  void* pointer = NULL;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  (void)state;
  before = bytes_in_use();
  for (i = 0; i < 10; ++i) {
    context = i % 3 ? cadastre_context_create() : below(kept);
    assert_non_null(request(1000));
    assert_non_null(request(10000000));
    assert_non_null(cadastre_realloc(context, request(10), 1000000));
    assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease), CADASTRE_SUCCESS);
    if (i % 2) assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
  context = kept;
  assert_true(bytes_in_use() < before + 500000); /* the C library counts what a thread caches */
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
}

/* Each context has a parent among those before it. */
static void a_tree_is_destroyed_with_all_its_memory(void** state) {
  enum { members = 40 };
  cadastre_context member[members];
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  const size_t size = 1000, before = bytes_in_use();
  size_t of_odd_ones = 0;
  void* pointer = NULL;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  int i;
  (void)state;
  member[0] = below(context);
  for (i = 1; i < members; ++i) {
    member[i] = below(member[i * 5 / 7]);
    assert_true(member[i] != CADASTRE_NULL_CONTEXT);
  }
  for (i = 0; i < members; ++i) {
    assert_non_null(get(member[i], 1000 + (size_t)i, i % 2 ? "odd" : NULL));
    if (i % 2) of_odd_ones += 1000 + (size_t)i;
    assert_int_equal(cadastre_workspace_acquire(member[i], CADASTRE_HOST, 1, &size, &pointer, &lease), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &statistics), CADASTRE_SUCCESS);
  assert_int_equal(statistics.live_blocks, 2 * members);
  assert_int_equal(cadastre_context_destroy(member[0]), CADASTRE_FAILURE);
  assert_int_equal(error_of(member[0]).reason, CADASTRE_REASON_HAS_CHILDREN);
  assert_true(error_of(member[0]).in_use > 0);
  assert_int_equal(cadastre_context_destroy_with_children(member[0], &summary), CADASTRE_SUCCESS);
  for (i = 0; i < members; ++i) assert_true(cadastre_context_check(member[i]) == CADASTRE_NULL_CONTEXT);
  assert_true(cadastre_context_check(context) == context);
  assert_int_equal(summary.live_blocks, members);
  assert_int_equal(summary.live_bytes, 1000 * members + members * (members - 1) / 2);
  assert_int_equal(summary.live_leases, members);
  assert_int_equal(summary.largest_label_bytes, of_odd_ones);
  assert_string_equal(summary.largest_label, "odd");
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &statistics), CADASTRE_SUCCESS);
  assert_int_equal(statistics.live_blocks, 0);
  assert_int_equal(statistics.live_bytes, 0);
  assert_int_equal(statistics.deallocations, statistics.allocations);
  assert_true(bytes_in_use() < before + 50000);
}

static cadastre_exit_code destroys_the_others(const cadastre_memory_info_struct* info, void* data) {
  size_t* const sum = (size_t*)data;
  *sum += info->size;
  if (info->size == 1) assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  return info->size == 4 ? CADASTRE_ERRNO : CADASTRE_SUCCESS;
}

static void a_callback_may_change_the_context(void** state) {
  const size_t size = 64;
  size_t sum = 0, i;
  void* pointer = NULL;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  (void)state;
  for (i = 1; i < 4; ++i) assert_non_null(request(i));
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &pointer, &lease), CADASTRE_SUCCESS);
  assert_non_null(request(4));
  assert_non_null(request(5));
  assert_int_equal(cadastre_foreach_block(context, destroys_the_others, &sum), CADASTRE_ERRNO);
  assert_int_equal(sum, 1 + 2 + 3 + 64 + 4);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
}

static void free_all_keeps_leases(void** state) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  const size_t size = 100;
  void* pointer = NULL;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  (void)state;
  assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, 1, &size, &pointer, &lease), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
  memset(pointer, 1, size);
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &statistics), CADASTRE_SUCCESS);
  assert_int_equal(statistics.live_blocks, 1);
  assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &statistics), CADASTRE_SUCCESS);
  assert_int_equal(statistics.live_blocks, 0);
  assert_int_equal(statistics.live_bytes, 0);
}

enum { threads = 4, rounds = 30000 };
static int counter, finished, started;

static void* allocates_and_counts(void* unused) {
  int i;
  (void)unused;
  __atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < threads) sched_yield();
  for (i = 0; i < rounds; ++i) {
    void* p = request(100);
    p = cadastre_realloc(context, p, 200);
    if (cadastre_free(context, p) != CADASTRE_SUCCESS) return NULL;
    cadastre_lock(context);
    cadastre_lock(context);
    ++counter;
    cadastre_unlock(context);
    cadastre_unlock(context);
  }
  cadastre_free(context, NULL);
  return error_of(context).argument == 2 ? &counter : NULL;
}

static void threads_share_a_context_and_lock_it(void** state) {
  pthread_t thread[threads];
  int i;
  (void)state;
  counter = started = 0;
  for (i = 0; i < threads; ++i) assert_int_equal(pthread_create(&thread[i], NULL, allocates_and_counts, NULL), 0);
  for (i = 0; i < threads; ++i) {
    void* result;
    pthread_join(thread[i], &result);
    assert_ptr_equal(result, &counter);
  }
  assert_int_equal(counter, threads * rounds);
}

static void* allocates_once(void* unused) {
  (void)unused;
  request(1);
  __atomic_store_n(&finished, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void calls_of_other_threads_wait_for_the_lock(void** state) {
  pthread_t thread;
  int i;
  (void)state;
  finished = 0;
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  assert_int_equal(pthread_create(&thread, NULL, allocates_once, NULL), 0);
  for (i = 0; i < 1000; ++i) {
    cadastre_free(context, request(1));
    sched_yield();
  }
  assert_false(__atomic_load_n(&finished, __ATOMIC_SEQ_CST));
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  pthread_join(thread, NULL);
  assert_true(finished);
}

static cadastre_context family;
static int destroyed;

static void* allocates_in_the_family(void* unused) {
  __atomic_store_n(&started, 1, __ATOMIC_SEQ_CST);
  return get(family, 1, NULL) ? NULL : unused;
}

static void a_call_that_waits_for_the_lock_is_refused_when_the_context_is_destroyed(void** state) {
  pthread_t thread;
  void* result;
  int i;
  (void)state;
  family = below(context);
  started = 0;
  assert_int_equal(cadastre_lock(family), CADASTRE_SUCCESS);
  assert_int_equal(pthread_create(&thread, NULL, allocates_in_the_family, &destroyed), 0);
  while (!__atomic_load_n(&started, __ATOMIC_SEQ_CST)) sched_yield();
  for (i = 0; i < 1000; ++i) sched_yield();
  assert_int_equal(cadastre_context_destroy(family), CADASTRE_SUCCESS);
  pthread_join(thread, &result);
  assert_ptr_equal(result, &destroyed);
}

static void* destroys_the_family(void* unused) {
  const cadastre_exit_code code = cadastre_context_destroy_with_children(family, NULL);
  if (code == CADASTRE_SUCCESS) __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST);
  return code == CADASTRE_SUCCESS || code == CADASTRE_INVALID_CONTEXT ? unused : NULL;
}

/* Contexts that it creates are below the family, and have memory of their own. */
static void* adds_to_the_family(void* unused) {
  cadastre_context added = family, parent;
  do {
    parent = cadastre_context_check(added) == added ? added : family;
    added = below(parent);
    if (added == CADASTRE_NULL_CONTEXT) continue;
    get(added, 10, "added");
    cadastre_lock(added);
    sched_yield();
    cadastre_unlock(added);
  } while (added != CADASTRE_NULL_CONTEXT);
  return error_of(CADASTRE_NULL_CONTEXT).exit_code == CADASTRE_INVALID_CONTEXT ? unused : NULL;
}

static void threads_destroy_a_family_once_while_others_add_to_it(void** state) {
  cadastre_statistics_struct before = cadastre_statistics_struct_zero, after = before;
  int round, i;
  (void)state;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &before), CADASTRE_SUCCESS);
  for (round = 0; round < 200; ++round) {
    pthread_t thread[threads];
    destroyed = 0;
    family = below(context);
    get(family, 10, NULL);
    for (i = 0; i < threads; ++i) {
      assert_int_equal(pthread_create(&thread[i], NULL, i < 2 ? adds_to_the_family : destroys_the_family, &destroyed), 0);
    }
    for (i = 0; i < threads; ++i) {
      void* result;
      pthread_join(thread[i], &result);
      assert_ptr_equal(result, &destroyed);
    }
    assert_int_equal(destroyed, 1);
    assert_true(cadastre_context_check(family) == CADASTRE_NULL_CONTEXT);
  }
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &after), CADASTRE_SUCCESS);
  assert_true(after.allocations - before.allocations >= round);
  assert_int_equal(after.live_blocks, before.live_blocks);
  assert_int_equal(after.live_bytes, before.live_bytes);
  assert_int_equal(after.allocations, after.deallocations + after.live_blocks);
}

static void the_destruction_of_a_family_waits_for_the_lock_of_a_child(void** state) {
  const cadastre_context child = (family = below(context), below(family));
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  pthread_t thread;
  void* result;
  int i;
  (void)state;
  destroyed = 0;
  assert_int_equal(cadastre_lock(child), CADASTRE_SUCCESS);
  assert_int_equal(pthread_create(&thread, NULL, destroys_the_family, &destroyed), 0);
  options.parent = family;
  for (;;) { /* until the other thread has begun */
    const cadastre_context another = cadastre_context_create_with_options(&options);
    if (another == CADASTRE_NULL_CONTEXT) break;
    cadastre_context_destroy(another);
  }
  assert_int_equal(error_of(CADASTRE_NULL_CONTEXT).exit_code, CADASTRE_INVALID_CONTEXT);
  assert_int_equal(error_of(CADASTRE_NULL_CONTEXT).reason, CADASTRE_REASON_INVALID_PARENT);
  assert_true(below(child) == CADASTRE_NULL_CONTEXT);
  for (i = 0; i < 1000; ++i) sched_yield();
  assert_non_null(get(child, 10, NULL));
  assert_non_null(get(family, 10, NULL));
  assert_int_equal(__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST), 0);
  assert_int_equal(cadastre_unlock(child), CADASTRE_SUCCESS);
  pthread_join(thread, &result);
  assert_ptr_equal(result, &destroyed);
  assert_int_equal(destroyed, 1);
  assert_true(cadastre_context_check(child) == CADASTRE_NULL_CONTEXT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_needs_cadastre_is_refused),
      cmocka_unit_test(parts_that_malloc_cannot_do_are_refused),
      cmocka_unit_test(a_workspace_has_no_buffer_of_the_caller),
      cmocka_unit_test(what_can_be_counted_is_nothing),
      cmocka_unit_test(a_refusal_checks_the_context),
      cmocka_unit_test(other_memory_types_are_refused),
      cmocka_unit_test(options_that_malloc_cannot_have_are_refused),
      cmocka_unit_test(the_files_of_a_library_share_contexts_errors_and_labels),
      cmocka_unit_test(contexts_of_cadastre_are_refused_and_it_refuses_ours),
      cmocka_unit_test(what_is_left_is_freed_with_its_context),
      cmocka_unit_test(a_tree_is_destroyed_with_all_its_memory),
      cmocka_unit_test(a_callback_may_change_the_context),
      cmocka_unit_test(free_all_keeps_leases),
      cmocka_unit_test(threads_share_a_context_and_lock_it),
      cmocka_unit_test(calls_of_other_threads_wait_for_the_lock),
      cmocka_unit_test(a_call_that_waits_for_the_lock_is_refused_when_the_context_is_destroyed),
      cmocka_unit_test(threads_destroy_a_family_once_while_others_add_to_it),
      cmocka_unit_test(the_destruction_of_a_family_waits_for_the_lock_of_a_child),
  };
  return cmocka_run_group_tests_name("optional", tests, set_up, tear_down);
}
