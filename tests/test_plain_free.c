/* Tangled from org/tests/plain_free_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "skip_because.h"

#include "cadastre.h"

static void* block_of(cadastre_context context, size_t size, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.label = label;
  info.alignment = 64;
  return cadastre_malloc(context, info);
}

/* Whether HOST blocks of 64 bytes lie in slabs here. */
static int blocks_are_in_slabs(void) {
  const cadastre_context context = cadastre_context_create();
  for (int i = 0; i < 100; ++i) assert_non_null(block_of(context, 64, NULL));
  cadastre_registry_info_struct info = cadastre_registry_info_struct_zero;
  assert_int_equal(cadastre_get_registry_info(context, &info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  return info.entries < 100;
}

static cadastre_statistics_struct figures(cadastre_context context) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
  assert_int_equal(s.allocations, s.deallocations + s.failed_deallocations + s.untracked_deallocations + s.live_blocks);
  return s;
}

/* What the adapter asks, see src/api/plain_free.h. */
enum { passed_on, done, refused };
extern int cadastre_plain_free(void* pointer);

/* A pointer of which the compiler knows nothing. */
static void* plain(void* pointer) {
  void* volatile same = pointer;
  return same;
}

static int is_set(const char* name, const char* value) {
  const char* const now = getenv(name);
  return now && strcmp(now, value) == 0;
}

static int is_seen; /* the process's free is the adapter's */

static void let_go(void* pointer) {
  if (is_seen || cadastre_plain_free(plain(pointer)) == passed_on) free(plain(pointer));
}

static int all_are(const unsigned char* bytes, int value, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] != value) return 0;
  }
  return 1;
}

static char said[4096];
static int kept_stderr, said_by[2];

static void listen(void) {
  fflush(stderr);
  assert_int_equal(pipe(said_by), 0);
  kept_stderr = dup(STDERR_FILENO);
  dup2(said_by[1], STDERR_FILENO);
}

static const char* heard(void) {
  dup2(kept_stderr, STDERR_FILENO);
  close(said_by[1]);
  const ssize_t length = read(said_by[0], said, sizeof said - 1);
  said[length > 0 ? length : 0] = '\0';
  close(said_by[0]);
  close(kept_stderr);
  return said;
}

static void a_block_is_freed_and_counted(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  static const size_t sizes[] = {0, 1, 64, 1000, 4096, 100000, 262144};
  for (int turn = 0; turn < 3; ++turn) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      void* const block = block_of(context, sizes[i], "freed");
      assert_non_null(block);
      memset(block, 0xAB, sizes[i]);
      errno = 17;
      let_go(block);
      assert_int_equal(errno, 17);
      assert_int_equal(cadastre_free(context, block), CADASTRE_INVALID_ARG_2);
    }
  }
  const cadastre_statistics_struct s = figures(context);
  assert_int_equal(s.untracked_deallocations, 21);
  assert_int_equal(s.deallocations, 0);
  assert_int_equal(s.live_blocks, 0);
  assert_int_equal(s.live_bytes, 0);
  assert_true(figures(CADASTRE_PROCESS).untracked_deallocations >= 21);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_block_that_stands_alone_likewise(void** state) {
  (void)state;
  const cadastre_context one = cadastre_context_create(), other = cadastre_context_create();
  static const size_t sizes[] = {300000, 1 << 20, 5 << 20, 40 << 20};
  for (int turn = 0; turn < 3; ++turn) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      const cadastre_context context = i % 2 ? one : other;
      char* const block = block_of(context, sizes[i], "large");
      assert_non_null(block);
      block[0] = block[sizes[i] - 1] = 1;
      let_go(block);
      cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
      assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_INVALID_ARG_2);
      char* const mine = plain(malloc(sizes[i]));
      mine[0] = 1;
      free(mine);
    }
  }
  assert_int_equal(figures(one).untracked_deallocations + figures(other).untracked_deallocations, 12);
  assert_int_equal(figures(one).live_blocks + figures(other).live_blocks, 0);
  assert_int_equal(cadastre_context_destroy(one), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
}

static void the_report_lists_labels(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  for (int i = 0; i < 5; ++i) let_go(block_of(context, 100, i < 3 ? "walkers" : "moves"));
  let_go(block_of(context, 7, NULL));
  assert_int_equal(cadastre_free(context, block_of(context, 100, "proper")), CADASTRE_SUCCESS);
  char text[20000];
  for (int json = 0; json < 2; ++json) {
    FILE* const file = tmpfile();
    assert_int_equal(cadastre_report(context, file, json ? CADASTRE_REPORT_JSON : CADASTRE_REPORT_TEXT), CADASTRE_SUCCESS);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char* const part = strstr(text, json ? "\"plain_frees\"" : "label of blocks that free has freed");
    assert_non_null(part);
    assert_null(strstr(part, "proper"));
    const char* const first = strstr(part, "walkers");
    assert_non_null(first);
    assert_non_null(strstr(first, "moves"));
    assert_non_null(strstr(part, json ? "\"label\": null" : "(no label)"));
    assert_non_null(strstr(part, json ? "\"blocks\": 3" : " 3  "));
    assert_non_null(strstr(part, json ? "\"bytes\": 300" : "300"));
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  const cadastre_context next = cadastre_context_create();
  FILE* const file = tmpfile();
  assert_int_equal(cadastre_report(next, file, CADASTRE_REPORT_JSON), CADASTRE_SUCCESS);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_non_null(strstr(text, "\"plain_frees\": []"));
  assert_int_equal(cadastre_context_destroy(next), CADASTRE_SUCCESS);
}

static void a_realloc_moves_the_contents_to_malloc(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  static const size_t sizes[][2] = {{100, 50}, {100, 5000}, {300000, 10}, {300000, 9000000}, {9000000, 300000}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const size_t before = sizes[i][0], after = sizes[i][1], both = before < after ? before : after;
    unsigned char* const block = block_of(context, before, "moved");
    memset(block, 0x5A, before);
    unsigned char* moved = i % 2 ? realloc(plain(block), after) : reallocarray(plain(block), after / 10, 10);
    assert_non_null(moved);
    assert_true(all_are(moved, 0x5A, both));
    assert_int_equal(figures(context).live_blocks, 0);
    assert_int_equal(cadastre_find_block(context, moved, NULL, NULL), CADASTRE_INVALID_ARG_2);
    moved = realloc(moved, after + 1000);
    assert_true(all_are(moved, 0x5A, both));
    free(moved);
  }
  assert_null(realloc(plain(block_of(context, 100, "gone")), 0));
  assert_int_equal(figures(context).live_blocks, 0);
  assert_int_equal(figures(context).untracked_deallocations, 6);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_product_that_wraps_changes_nothing(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  void* const block = block_of(context, 100, NULL);
  volatile size_t many = SIZE_MAX / 2;
  errno = 0;
  assert_null(reallocarray(plain(block), many, 4));
  assert_int_equal(errno, ENOMEM);
  assert_null(realloc(plain(block), many));
  assert_int_equal(figures(context).live_blocks, 1);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void the_size_of_a_block_is_told(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(malloc_usable_size(plain(block_of(context, 100, NULL))), 100);
  assert_int_equal(malloc_usable_size(plain(block_of(context, 300000, NULL))), 300000);
  void* const mine = malloc(100);
  assert_true(malloc_usable_size(mine) >= 100);
  free(mine);
  assert_int_equal(malloc_usable_size(NULL), 0);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

/* Of C23, which the C library need not have. */
extern void free_sized(void* pointer, size_t size) __attribute__((weak));
extern void free_aligned_sized(void* pointer, size_t alignment, size_t size) __attribute__((weak));

static void a_free_that_is_told_the_size_is_seen_too(void** state) {
  (void)state;
  if (!free_sized || !free_aligned_sized) skip_because("the C library has no free with a size");
  const cadastre_context context = cadastre_context_create();
  free_sized(plain(block_of(context, 100, NULL)), 100);
  free_aligned_sized(plain(block_of(context, 128, NULL)), 64, 128);
  free_sized(malloc(100), 100);
  free_aligned_sized(aligned_alloc(64, 128), 64, 128);
  assert_int_equal(figures(context).live_blocks, 0);
  assert_int_equal(figures(context).untracked_deallocations, 2);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_second_free_is_refused(void** state) {
  (void)state;
  if (!blocks_are_in_slabs()) skip_because("without slabs the address is the C library's again");
  const cadastre_context context = cadastre_context_create();
  void* const block = block_of(context, 100, "twice");
  void* const other = block_of(context, 100, "proper");
  free(plain(block));
  assert_int_equal(cadastre_free(context, other), CADASTRE_SUCCESS);
  void* const both[] = {block, other};
  for (int i = 0; i < 2; ++i) {
    listen();
    free(plain(both[i]));
    assert_non_null(strstr(heard(), "libcadastre_qmckl: free("));
    assert_non_null(strstr(said, "freed"));
    assert_non_null(strstr(said, i == 0 ? "twice" : "proper"));
    errno = 0;
    listen();
    assert_null(realloc(plain(both[i]), 10));
    assert_non_null(strstr(heard(), "realloc("));
    assert_int_equal(errno, EINVAL);
    assert_int_equal(malloc_usable_size(plain(both[i])), 0);
  }
  assert_int_equal(figures(context).untracked_deallocations, 1);
  void* const again = block_of(context, 100, NULL);
  assert_ptr_not_equal(block_of(context, 100, NULL), again);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void what_is_no_first_byte_is_refused(void** state) {
  (void)state;
  if (!blocks_are_in_slabs()) skip_because("there are no slabs where a checker of memory watches, or CADASTRE_HEAP is off");
  const cadastre_context context = cadastre_context_create();
  char* const block = block_of(context, 1000, NULL);
  char* const end_of_chunk = (char*)((uintptr_t)block | ((4 << 20) - 1));
  char* const wrong[] = {block + 1, block + 16, block + 999, end_of_chunk - 4095};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    listen();
    free(plain(wrong[i]));
    assert_non_null(strstr(heard(), "is refused"));
  }
  assert_int_equal(figures(context).live_blocks, 1);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_block_of_a_context_that_has_gone_is_refused(void** state) {
  (void)state;
  if (!blocks_are_in_slabs()) skip_because("there are no slabs where a checker of memory watches, or CADASTRE_HEAP is off");
  const cadastre_context context = cadastre_context_create();
  void* const block = block_of(context, 1000, NULL);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  listen();
  free(plain(block));
  assert_non_null(strstr(heard(), "is refused"));
}

static void memory_of_a_workspace_is_refused(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  for (size_t size = 1000; size < 10000000; size *= 1000) {
    void* leased = NULL;
    cadastre_lease lease = 0;
    assert_int_equal(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &leased, &lease), CADASTRE_SUCCESS);
    listen();
    free(plain(leased));
    assert_non_null(strstr(heard(), "workspace"));
    memset(leased, 1, size);
    assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void what_is_no_block_goes_on(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  enum { count = 2000 };
  static unsigned char* mine[count];
  static unsigned char* ours[count];
  static size_t sizes[count];
  unsigned random = 1;
  for (int turn = 0; turn < 100000; ++turn) {
    random = random * 1103515245u + 12345u;
    const unsigned i = random / 65536 % count;
    const int pattern = (int)(i % 251);
    if (mine[i]) {
      assert_true(all_are(mine[i], pattern, sizes[i] < 64 ? sizes[i] : 64));
      assert_true(all_are(ours[i], 250 - pattern, sizes[i] < 64 ? sizes[i] : 64));
      if (random % 7 == 0) mine[i] = realloc(plain(mine[i]), sizes[i] + 100);
      let_go(mine[i]);
      let_go(ours[i]);
      mine[i] = NULL;
    } else {
      sizes[i] = random % 500 == 0 ? 1 + random % 600000 : 1 + random % 600;
      mine[i] = plain(malloc(sizes[i]));
      ours[i] = block_of(context, sizes[i], NULL);
      memset(mine[i], pattern, sizes[i] < 64 ? sizes[i] : 64);
      memset(ours[i], 250 - pattern, sizes[i] < 64 ? sizes[i] : 64);
    }
  }
  int64_t live = 0;
  for (int i = 0; i < count; ++i) {
    live += mine[i] != NULL;
    if (mine[i]) free(mine[i]);
  }
  assert_int_equal(figures(context).live_blocks, live);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

/* Takes what malloc keeps for a size, so that the next block is of that size and is kept for it when it is freed. Else it may be one of a
   few bytes more, which glibc keeps for these, or become a part of another. */
enum { most_kept = 16384 };
static void* kept_for_size[most_kept];

static void take_what_is_kept(size_t size) {
  for (int i = 0; i < most_kept; ++i) kept_for_size[i] = plain(malloc(size));
}

static void give_it_back(void) {
  for (int i = 0; i < most_kept; ++i) free(kept_for_size[i]);
}

/* Whether malloc gives an address again, sooner or later. */
static int comes_again(const void* address, size_t size) {
  enum { most = 5000 };
  static void* all[most];
  int count = 0;
  do all[count] = plain(malloc(size));
  while (all[count++] != address && count < most);
  const int came = all[count - 1] == address;
  while (count > 0) free(all[--count]);
  return came;
}

static void a_borrowed_range_is_its_owners_to_free(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 1000;
  take_what_is_kept(info.size);
  info.pointer = malloc(info.size);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  if (!is_seen) assert_int_equal(cadastre_plain_free(plain(info.pointer)), passed_on);
  listen();
  free(plain(info.pointer));
  assert_string_equal(heard(), "");
  assert_int_equal(figures(context).untracked_deallocations, 0);
#ifndef __SANITIZE_ADDRESS__ /* which keeps back what was freed */
  assert_true(comes_again(info.pointer, 1000));
#endif
  give_it_back();
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

/* A caller's backend that has its memory from malloc. */
static int from_backend, not_given_back;

static int32_t allocate_own(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer) {
  (void)content, (void)queue;
  *pointer = aligned_alloc(4096, (request->size / 4096 + 1) * 4096);
  ++from_backend;
  return *pointer ? 0 : ENOMEM;
}

static int32_t free_own(void* content, const cadastre_memory_info_struct* block) {
  (void)content;
  --from_backend;
  if (cadastre_plain_free(block->pointer) != passed_on) return ++not_given_back, 0;
  return free(plain(block->pointer)), 0;
}

static int32_t copy_own(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                        const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue) {
  (void)content, (void)dest_place, (void)src_place, (void)queue;
  return memcpy(dest, src, size), 0;
}

static int32_t set_own(void* content, void* dest, const cadastre_memory_info_struct* place, int value, size_t size, cadastre_queue queue) {
  (void)content, (void)place, (void)queue;
  return memset(dest, value, size), 0;
}

static void a_backend_frees_its_own_memory(void** state) {
  (void)state;
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = 1u << CADASTRE_HOST;
  operations.allocate = allocate_own, operations.free = free_own;
  operations.copy = copy_own, operations.set = set_own;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = cadastre_backend_register("own", &operations, NULL);
  assert_int_not_equal(options.backend, CADASTRE_INVALID_BACKEND);
  static const cadastre_pool pools[] = {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING};
  for (size_t pool = 0; pool < 2; ++pool) {
    options.pool = pools[pool];
    const cadastre_context context = cadastre_context_create_with_options(&options);
    assert_int_not_equal(context, CADASTRE_NULL_CONTEXT);
    for (int turn = 0; turn < 20; ++turn) {
      for (size_t size = 1; size < 5000000; size *= 7) {
        void* const freed = block_of(context, size, NULL);
        void* const mine = block_of(context, size, NULL);
        assert_non_null(block_of(context, size / 3, NULL));
        let_go(mine);
        assert_int_equal(cadastre_free(context, freed), CADASTRE_SUCCESS);
      }
      if (turn % 5 == 0) assert_int_equal(cadastre_pool_trim(context, CADASTRE_HOST, 0), CADASTRE_SUCCESS);
      if (turn % 7 == 0) assert_int_equal(cadastre_free_all(context), CADASTRE_SUCCESS);
    }
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    assert_int_equal(from_backend, 0);
    assert_int_equal(not_given_back, 0);
  }
  assert_int_equal(cadastre_backend_unregister(options.backend), CADASTRE_SUCCESS);
}

static void a_limit_has_its_bytes_again(void** state) {
  (void)state;
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_set_limit(context, CADASTRE_HOST, 1000), CADASTRE_SUCCESS);
  for (int i = 0; i < 100; ++i) {
    void* const block = block_of(context, 1000, NULL);
    assert_non_null(block);
    assert_null(block_of(context, 1, NULL));
    let_go(block);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void the_option_leaves_blocks_in_the_heap(void** state) {
  (void)state;
  if (!blocks_are_in_slabs()) skip_because("there are no slabs where a checker of memory watches, or CADASTRE_HEAP is off");
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
  for (int i = 0; i < 100; ++i) assert_non_null(block_of(context, 64, NULL));
  cadastre_registry_info_struct info = cadastre_registry_info_struct_zero;
  assert_int_equal(cadastre_get_registry_info(context, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.live_records, 100);
  assert_true(info.entries < 100);
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

enum { threads = 4, places = 64, turns = 20000 };
static _Atomic(void*) exchanged[places];
static cadastre_context shared[3];

static void* exchange_blocks(void* number) {
  unsigned random = (unsigned)(uintptr_t)number + 1;
  for (int turn = 0; turn < turns; ++turn) {
    random = random * 1103515245u + 12345u;
    const size_t size = random % 1000 == 0 ? 300000 : random / 7 % 3000;
    void* const fresh = random % 5 == 0 ? plain(malloc(size)) : block_of(shared[random / 64 % 3], size, "exchanged");
    void* const old = __atomic_exchange_n((void**)&exchanged[random / 65536 % places], fresh, __ATOMIC_ACQ_REL);
    if (is_seen && random % 11 == 0) {
      free(realloc(plain(old), size + 1));
    } else {
      let_go(old);
    }
  }
  return NULL;
}

static void run(void* (*body)(void*)) {
  pthread_t all[threads];
  for (uintptr_t i = 0; i < threads; ++i) assert_int_equal(pthread_create(&all[i], NULL, body, (void*)i), 0);
  for (int i = 0; i < threads; ++i) assert_int_equal(pthread_join(all[i], NULL), 0);
}

static void threads_free_each_others_blocks(void** state) {
  (void)state;
  for (int i = 0; i < 3; ++i) shared[i] = cadastre_context_create();
  run(exchange_blocks);
  for (int i = 0; i < places; ++i) {
    let_go(exchanged[i]);
    exchanged[i] = NULL;
  }
  for (int i = 0; i < 3; ++i) {
    const cadastre_statistics_struct s = figures(shared[i]);
    assert_int_equal(s.live_blocks, 0);
    assert_int_equal(s.untracked_deallocations, s.allocations);
    assert_int_equal(cadastre_context_destroy(shared[i]), CADASTRE_SUCCESS);
  }
}

static pthread_barrier_t barrier;
static void* raced;

static void* race(void* number) {
  (void)number;
  for (int turn = 0; turn < 500; ++turn) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) raced = block_of(shared[0], 100, NULL);
    pthread_barrier_wait(&barrier);
    let_go(raced);
  }
  return NULL;
}

static void two_free_at_once_and_one_wins(void** state) {
  (void)state;
  if (!blocks_are_in_slabs()) skip_because("there are no slabs where a checker of memory watches, or CADASTRE_HEAP is off");
  shared[0] = cadastre_context_create();
  pthread_barrier_init(&barrier, NULL, threads);
  const int kept = dup(STDERR_FILENO);
  assert_non_null(freopen("/dev/null", "w", stderr));
  run(race);
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  assert_int_equal(figures(shared[0]).untracked_deallocations, 500);
  assert_int_equal(figures(shared[0]).live_blocks, 0);
  assert_int_equal(cadastre_context_destroy(shared[0]), CADASTRE_SUCCESS);
}

/* The handler frees blocks that were allocated before; some it cannot, which live on. */
enum { to_handle = 20000 };
static void* handled[to_handle];
static volatile int next_handled;

static void free_one(int signal) {
  (void)signal;
  for (int i = 0; i < 4 && next_handled < to_handle; ++i) free(plain(handled[next_handled++]));
}

static void a_handler_of_signals_frees(void** state) {
  (void)state;
  if (!blocks_are_in_slabs()) skip_because("the C library's free is not for a handler of signals");
  const cadastre_context context = cadastre_context_create();
  for (int i = 0; i < to_handle; ++i) handled[i] = block_of(context, 64, NULL);
  next_handled = 0;
  struct sigaction action = {0}, before;
  action.sa_handler = free_one;
  sigaction(SIGALRM, &action, &before);
  const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int turn = 0; turn < 200000; ++turn) {
    void* const block = block_of(context, 100, NULL);
    assert_non_null(block);
    if (turn % 2) {
      free(plain(block));
    } else {
      assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    }
  }
  setitimer(ITIMER_REAL, &never, NULL);
  sigaction(SIGALRM, &before, NULL);
  const cadastre_statistics_struct s = figures(context);
  assert_true(s.live_blocks >= to_handle - next_handled && s.live_blocks < to_handle);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

/* What a thread leaves behind is freed when its shards are those of nobody, or still its own. */
static pthread_key_t left_behind;

static void free_what_was_left(void* blocks) {
  for (int i = 0; i < places; ++i) let_go(((void**)blocks)[i]);
  free(blocks);
}

static void* leave_blocks(void* foreign) {
  void** const blocks = malloc(places * sizeof *blocks);
  for (int i = 1; i < places; ++i) blocks[i] = block_of(shared[0], i % 16 == 0 ? 300000 : 100, NULL);
  blocks[0] = foreign;
  pthread_setspecific(left_behind, blocks);
  return NULL;
}

static void a_thread_ends_and_frees_what_it_left(void** state) {
  (void)state;
  shared[0] = cadastre_context_create();
  assert_int_equal(pthread_key_create(&left_behind, free_what_was_left), 0);
  for (int turn = 0; turn < 50; ++turn) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, leave_blocks, block_of(shared[0], 100, NULL)), 0);
    pthread_join(thread, NULL);
    assert_int_equal(figures(shared[0]).live_blocks, 0);
  }
  assert_int_equal(pthread_key_delete(left_behind), 0);
  assert_int_equal(figures(shared[0]).untracked_deallocations, 50 * places);
  assert_int_equal(cadastre_context_destroy(shared[0]), CADASTRE_SUCCESS);
}

/* Each block is freed by free or by the destruction: who is late is refused. */
enum { doomed_blocks = 3000 };
static void* doomed[doomed_blocks];
static int next_doomed;

static void* free_doomed(void* none) {
  (void)none;
  for (int i = 0; (i = __atomic_fetch_add(&next_doomed, 1, __ATOMIC_RELAXED)) < doomed_blocks;) let_go(doomed[i]);
  return NULL;
}

static void a_context_is_destroyed_meanwhile(void** state) {
  (void)state;
  if (!blocks_are_in_slabs()) skip_because("there are no slabs where a checker of memory watches, or CADASTRE_HEAP is off");
  const cadastre_context other = cadastre_context_create();
  const int kept = dup(STDERR_FILENO);
  assert_non_null(freopen("/dev/null", "w", stderr));
  for (int turn = 0; turn < 20; ++turn) {
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < doomed_blocks; ++i) doomed[i] = block_of(context, (size_t)(16 + i % 500), "doomed");
    __atomic_store_n(&next_doomed, 0, __ATOMIC_RELAXED);
    pthread_t all[2];
    for (int i = 0; i < 2; ++i) assert_int_equal(pthread_create(&all[i], NULL, free_doomed, NULL), 0);
    while (__atomic_load_n(&next_doomed, __ATOMIC_RELAXED) < turn * 100) {
    }
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    for (int i = 0; i < 2; ++i) assert_int_equal(pthread_join(all[i], NULL), 0);
    for (int i = 0; i < 100; ++i) assert_non_null(block_of(other, 64, NULL));
  }
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  assert_int_equal(figures(other).live_blocks, 2000);
  assert_int_equal(figures(other).untracked_deallocations, 0);
  assert_int_equal(cadastre_context_destroy(other), CADASTRE_SUCCESS);
}

/* What the system may give to others is theirs to free. */
static void what_was_unmapped_is_no_block(void** state) {
  (void)state;
  enum { blocks = 10000 };
  static void* all[blocks];
  if (!blocks_are_in_slabs()) skip_because("there are no slabs where a checker of memory watches, or CADASTRE_HEAP is off");
  const cadastre_context context = cadastre_context_create();
  for (int i = 0; i < blocks; ++i) all[i] = block_of(context, 4096, NULL);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  int gone = 0;
  for (int turn = 0; turn < 50 && gone == 0; ++turn) {
    usleep(100000);
    const cadastre_context again = cadastre_context_create();
    for (int i = 0; i < 5000; ++i) assert_non_null(block_of(again, 100, NULL));
    assert_int_equal(cadastre_context_destroy(again), CADASTRE_SUCCESS);
    for (int i = 0; i < blocks; ++i) gone += cadastre_plain_free(all[i]) == passed_on;
  }
  assert_true(gone > 0);
}

static void* keep_freeing(void* stop) {
  while (!__atomic_load_n((int*)stop, __ATOMIC_ACQUIRE)) {
    let_go(block_of(shared[0], 100, NULL));
    let_go(block_of(shared[0], 300000, NULL));
  }
  return NULL;
}

static void a_fork_comes_between(void** state) {
  (void)state;
  int stop = 0;
  pthread_t thread;
  shared[0] = cadastre_context_create();
  void* const alone = block_of(shared[0], 300000, NULL);
  void* const in_slab = block_of(shared[0], 100, NULL);
  assert_int_equal(pthread_create(&thread, NULL, keep_freeing, &stop), 0);
  for (int turn = 0; turn < 50; ++turn) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      let_go(alone);
      let_go(in_slab);
      cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
      const int gone = cadastre_get_malloc_info(shared[0], alone, &info) != CADASTRE_SUCCESS &&
                       cadastre_get_malloc_info(shared[0], in_slab, &info) != CADASTRE_SUCCESS;
      _exit(gone ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  assert_int_equal(figures(shared[0]).live_blocks, 2);
  assert_int_equal(cadastre_context_destroy(shared[0]), CADASTRE_SUCCESS);
}

static void* any_block_of(cadastre_context context, size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  return cadastre_malloc(context, info);
}

static int gives_again(size_t size) {
  take_what_is_kept(size);
  void* const first = plain(malloc(size));
  free(first);
  const int gives = comes_again(first, size);
  give_it_back();
  return gives;
}

/* Frees the only block of a context that is destroyed if it has learned of it. again: whether malloc gives the address again. */
static void free_for_good(cadastre_context context, void* block, size_t size, int again) {
  assert_true(malloc_usable_size(block) >= size);
  if (!again) {
    free(plain(block));
    return;
  }
  const int64_t before = figures(context).untracked_deallocations;
  free(plain(block));
  for (int i = 0; i < 5000 && figures(context).untracked_deallocations == before; ++i) assert_non_null(any_block_of(context, size));
  assert_int_equal(figures(context).untracked_deallocations, before + 1);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void blocks_of_any_size_are_mallocs(void** state) {
  (void)state;
  if (!gives_again(64) || is_set("CADASTRE_HEAP", "on"))
    skip_because("malloc gives no block the place of one that was freed, or the heap was asked for");
  static const size_t sizes[] = {64, 1000, 100000, 300000, 5 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const int again = sizes[i] <= 1000 && gives_again(sizes[i]);
    if (again) take_what_is_kept(sizes[i]);
    const cadastre_context context = cadastre_context_create();
    assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
    free_for_good(context, any_block_of(context, sizes[i]), sizes[i], again);
    if (again) give_it_back();
  }
}

static void a_large_block_is_zeroed_and_aligned(void** state) {
  (void)state;
  enum { size = (5 << 20) + 1234 };
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 1 << 26);
#endif
  for (size_t alignment = 16; alignment <= 1 << 16; alignment *= 4) {
    void* const dirty = plain(malloc(2 * size));
    memset(dirty, 0xFF, 2 * size);
    free(plain(dirty));
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = size;
    info.alignment = alignment;
    unsigned char* const block = cadastre_malloc(context, info);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % alignment, 0);
    assert_true(all_are(block, 0, size));
    memset(block, 0xFF, size);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

static void a_block_that_grows_stays_mallocs(void** state) {
  (void)state;
  if (!gives_again(64) || is_set("CADASTRE_HEAP", "on"))
    skip_because("malloc gives no block the place of one that was freed, or the heap was asked for");
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
  unsigned char* block = any_block_of(context, 1000);
  memset(block, 7, 1000);
  static const size_t sizes[] = {100000, 5 << 20, 9 << 20, 6 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    block = cadastre_realloc(context, block, sizes[i]);
    assert_non_null(block);
    assert_true(all_are(block, 7, 1000));
    assert_true(all_are(block + 1000, 0, sizes[i] - 1000));
  }
  assert_int_equal(figures(context).live_blocks, 1);
  free_for_good(context, block, 6 << 20, 0);
}

static void the_option_comes_before_the_first_block(void** state) {
  (void)state;
  if (!gives_again(64) || getenv("CADASTRE_HEAP"))
    skip_because("malloc gives no block the place of one that was freed, or the heap was asked for");
  const cadastre_context context = cadastre_context_create();
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_set_plain_free(context, 0), CADASTRE_SUCCESS);
  void* const block = block_of(context, 100, NULL);
  for (int turn = 0; turn < 2; ++turn) {
    assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_FAILURE);
    cadastre_error_struct error = cadastre_error_struct_zero;
    assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
    assert_int_equal(error.reason, CADASTRE_REASON_HEAP_IN_USE);
    assert_int_equal(cadastre_context_set_plain_free(context, 0), CADASTRE_SUCCESS);
    if (turn == 0) assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_set_plain_free(context, 1), CADASTRE_INVALID_CONTEXT);
}

static void a_context_without_the_option_has_a_heap(void** state) {
  (void)state;
  if (!gives_again(64) || getenv("CADASTRE_HEAP"))
    skip_because("malloc gives no block the place of one that was freed, or the heap was asked for");
  for (int on = 0; on < 2; ++on) {
    const cadastre_context context = cadastre_context_create();
    assert_int_equal(cadastre_context_set_plain_free(context, on), CADASTRE_SUCCESS);
    for (int i = 0; i < 100; ++i) assert_non_null(block_of(context, 64, NULL));
    cadastre_registry_info_struct info = cadastre_registry_info_struct_zero;
    assert_int_equal(cadastre_get_registry_info(context, &info), CADASTRE_SUCCESS);
    assert_int_equal(info.entries == 100, on);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
}

#define ANYWHERE                                                                                               \
  cmocka_unit_test(a_block_is_freed_and_counted), cmocka_unit_test(a_block_that_stands_alone_likewise),        \
      cmocka_unit_test(the_report_lists_labels), cmocka_unit_test(what_is_no_block_goes_on),                   \
      cmocka_unit_test(a_borrowed_range_is_its_owners_to_free), cmocka_unit_test(a_limit_has_its_bytes_again), \
      cmocka_unit_test(a_backend_frees_its_own_memory), cmocka_unit_test(threads_free_each_others_blocks),     \
      cmocka_unit_test(two_free_at_once_and_one_wins), cmocka_unit_test(a_thread_ends_and_frees_what_it_left), \
      cmocka_unit_test(a_context_is_destroyed_meanwhile), cmocka_unit_test(what_was_unmapped_is_no_block),     \
      cmocka_unit_test(a_fork_comes_between)

int main(void) {
  const struct CMUnitTest seen[] = {
      ANYWHERE,
      cmocka_unit_test(a_realloc_moves_the_contents_to_malloc),
      cmocka_unit_test(a_product_that_wraps_changes_nothing),
      cmocka_unit_test(the_size_of_a_block_is_told),
      cmocka_unit_test(a_free_that_is_told_the_size_is_seen_too),
      cmocka_unit_test(a_second_free_is_refused),
      cmocka_unit_test(what_is_no_first_byte_is_refused),
      cmocka_unit_test(a_block_of_a_context_that_has_gone_is_refused),
      cmocka_unit_test(memory_of_a_workspace_is_refused),
      cmocka_unit_test(the_option_leaves_blocks_in_the_heap),
      cmocka_unit_test(a_handler_of_signals_frees),
  };
  const struct CMUnitTest unseen[] = {
      ANYWHERE,
      cmocka_unit_test(blocks_of_any_size_are_mallocs),
      cmocka_unit_test(a_large_block_is_zeroed_and_aligned),
      cmocka_unit_test(a_block_that_grows_stays_mallocs),
      cmocka_unit_test(the_option_comes_before_the_first_block),
      cmocka_unit_test(a_context_without_the_option_has_a_heap),
  };
  is_seen = is_set("PLAIN_FREE", "seen");
  if (is_seen) return cmocka_run_group_tests_name("plain free, seen", seen, NULL, NULL);
  return cmocka_run_group_tests_name("plain free, unseen", unseen, NULL, NULL);
}
