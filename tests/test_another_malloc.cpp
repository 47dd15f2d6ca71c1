// Tangled from org/tests/another_malloc.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <utility>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cadastre.h"
#include "cmocka.hpp"

#if defined(__GLIBC__)
#define HAS_DOUBLE 1
#endif

namespace {

#ifdef HAS_DOUBLE
constexpr bool doubled = !sanitized;
#else
constexpr bool doubled = false;
#endif

// Set and unset around one call, while no other thread runs.
bool misplaces = false;         // what is 16 bytes or more
std::ptrdiff_t misplaced = 0;   // that are alive
const void* watched = nullptr;  // a block
int times_given = 0, times_freed = 0;

// A context of which malloc and free ask whether it is one, as a handler of signals does that comes while they are called.
cadastre_context asked_for = CADASTRE_NULL_CONTEXT;
int times_asked = 0, times_let_in = 0;

void come_as_handler() noexcept {
  const cadastre_context context = std::exchange(asked_for, CADASTRE_NULL_CONTEXT);
  if (context == CADASTRE_NULL_CONTEXT) return;
  ++times_asked;
  if (cadastre_context_check(context) != CADASTRE_NULL_CONTEXT) ++times_let_in;
  asked_for = context;
}

struct Misplacing {
  Misplacing() noexcept { misplaces = true; }
  Misplacing(const Misplacing&) = delete;
  Misplacing& operator=(const Misplacing&) = delete;
  ~Misplacing() { misplaces = false; }
};

}  // namespace

#if defined(HAS_DOUBLE)
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* __libc_calloc(std::size_t, std::size_t);
extern "C" void* __libc_realloc(void*, std::size_t);
extern "C" void* __libc_memalign(std::size_t, std::size_t);
extern "C" void __libc_free(void*);

namespace {

constexpr std::size_t small = 8, most_small = std::size_t{1} << 17;
alignas(16) constinit std::byte arena[small * most_small] = {};
constinit std::size_t used = 0;
constinit void* first_free = nullptr;
constinit std::mutex arena_mutex;

bool is_small(const void* block) noexcept {
  return reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(arena) < sizeof arena;
}

void* take_small() noexcept {
  const std::lock_guard guard(arena_mutex);
  void* const block = first_free ? first_free : used < most_small ? arena + small * used++ : nullptr;
  if (block && block == first_free) std::memcpy(&first_free, block, sizeof first_free);
  return block;
}

void give_small(void* block) noexcept {
  const std::lock_guard guard(arena_mutex);
  std::memcpy(block, &first_free, sizeof first_free);
  first_free = block;
}

bool is_misplaced(const void* block) noexcept { return !is_small(block) && reinterpret_cast<std::uintptr_t>(block) % 16 == 8; }

void*& begin_of(void* misplaced_block) noexcept { return static_cast<void**>(misplaced_block)[-1]; }

void* misplace(std::size_t alignment, std::size_t size) noexcept {
  auto* const begin = static_cast<std::byte*>(__libc_memalign(alignment, alignment + 8 + size));
  if (!begin) return nullptr;
  void* const block = begin + alignment + 8;
  begin_of(block) = begin;
  ++misplaced;
  return block;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" void free(void* block) {
  come_as_handler();
  if (block && block == watched) ++times_freed;
  if (is_small(block)) return give_small(block);
  if (!is_misplaced(block)) return __libc_free(block);
  --misplaced;
  __libc_free(begin_of(block));
}

extern "C" void* malloc(std::size_t size) {
  come_as_handler();
  if (size <= small) return take_small();
  void* const block = misplaces ? misplace(16, size) : __libc_malloc(size);
  if (block && block == watched) ++times_given;
  return block;
}

extern "C" void* calloc(std::size_t count, std::size_t size) {
  come_as_handler();
  if (!misplaces && count * size > small) return __libc_calloc(count, size);
  void* const block = malloc(count * size);
  return block ? std::memset(block, 0, count * size) : nullptr;
}

extern "C" void* realloc(void* block, std::size_t size) {
  come_as_handler();
  if (block && !is_small(block) && !is_misplaced(block) && !misplaces && size > small) return __libc_realloc(block, size);
  void* const moved = malloc(size);
  if (!moved || !block) return moved;
  const std::size_t had = is_small(block) ? small
                          : is_misplaced(block)
                              ? malloc_usable_size(begin_of(block)) -
                                    static_cast<std::size_t>(static_cast<std::byte*>(block) - static_cast<std::byte*>(begin_of(block)))
                              : malloc_usable_size(block);
  std::memcpy(moved, block, had < size ? had : size);
  free(block);
  return moved;
}

extern "C" int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  come_as_handler();
  *block = misplaces ? misplace(alignment, size) : __libc_memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

extern "C" void* memalign(std::size_t alignment, std::size_t size) {
  come_as_handler();
  return __libc_memalign(alignment, size);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
#pragma GCC visibility pop
#endif
#endif

namespace {

cadastre_memory_info_struct request(std::size_t size, cadastre_flags flags = 0, std::size_t alignment = 0) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.flags = flags;
  info.alignment = alignment;
  return info;
}

bool is_at_multiple(const void* pointer, std::size_t of) { return reinterpret_cast<std::uintptr_t>(pointer) % of == 0; }

cadastre_statistics_struct statistics(cadastre_context context) {
  cadastre_statistics_struct s = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_HOST, &s), CADASTRE_SUCCESS);
  return s;
}

// Blocks of the program lie between those of the context.
void small_blocks_leave_the_programs_own_alone(void**) {
  const cadastre_context context = cadastre_context_create();
  std::vector<double*> own;
  std::vector<std::byte*> ours;
  for (int i = 0; i < 5000; ++i) {
    own.push_back(static_cast<double*>(std::malloc(sizeof(double))));
    *own.back() = i;
    ours.push_back(static_cast<std::byte*>(cadastre_malloc(context, request(1 + static_cast<std::size_t>(i % 8)))));
    assert_non_null(ours.back());
  }
  int not_found = 0;
  for (std::byte* const block : ours) {
    std::size_t offset = 99;
    if (cadastre_find_block(context, block, nullptr, &offset) != CADASTRE_SUCCESS || offset != 0) ++not_found;
  }
  assert_int_equal(not_found, 0);
  for (double* const block : own) {
    if (cadastre_find_block(context, block, nullptr, nullptr) == CADASTRE_SUCCESS) ++not_found;
  }
  assert_int_equal(not_found, 0);
  for (std::size_t i = 0; i < ours.size(); i += 3) assert_int_equal(cadastre_free(context, ours[i]), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  for (int i = 0; i < 10000; ++i) {  // in what was freed
    double* const later = static_cast<double*>(std::malloc(sizeof(double)));
    *later = -1;
    own.push_back(later);
  }
  int overwritten = 0;
  for (int i = 0; i < 5000; ++i) overwritten += *own[static_cast<std::size_t>(i)] != i;
  assert_int_equal(overwritten, 0);
  for (double* const block : own) std::free(block);
}

void every_block_is_aligned_as_it_says(void**) {
  const cadastre_context context = cadastre_context_create();
  for (std::size_t size = 0; size < 200; ++size) {
    for (const cadastre_flags flags : {cadastre_flags{0}, cadastre_flags{CADASTRE_UNINITIALIZED}}) {
      void* block = cadastre_malloc(context, request(size, flags));
      for (const bool again : {false, true}) {
        cadastre_memory_info_struct info;
        assert_int_equal(cadastre_get_malloc_info(context, block, &info), CADASTRE_SUCCESS);
        assert_true(info.alignment >= alignof(std::max_align_t) && is_at_multiple(block, info.alignment));
        if (!again) block = cadastre_realloc(context, block, 200 - size);
      }
    }
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// Also where a call goes by the backend, since the context has a limit.
void misaligned_memory_is_refused_with_a_reason_and_given_back(void**) {
  for (const bool limited : {false, true}) {
    const cadastre_context context = cadastre_context_create();
    cadastre_free(context, cadastre_malloc(context, request(1)));
    // The first failure takes memory for those that a report lists.
    assert_int_equal(cadastre_free(context, nullptr), CADASTRE_INVALID_ARG_2);
    if (limited) cadastre_set_limit(context, CADASTRE_HOST, 1 << 20);
    std::int64_t refused = 0;
    for (const std::size_t size : {std::size_t{0}, std::size_t{8}, std::size_t{100}, std::size_t{5000}}) {
      for (const std::size_t alignment : std::initializer_list<std::size_t>{0, 16, 64, 256}) {
        for (const cadastre_flags flags : {cadastre_flags{0}, cadastre_flags{CADASTRE_UNINITIALIZED}}) {
          const cadastre_memory_info_struct info = request(size, flags, alignment);
          void* block;
          {
            const Misplacing here;
            block = cadastre_malloc(context, info);
          }
          assert_null(block);
          assert_int_equal(misplaced, 0);
          cadastre_error_struct error = cadastre_error_struct_zero;
          cadastre_last_error(context, &error);
          assert_int_equal(error.exit_code, CADASTRE_ALLOCATION_FAILED);
          assert_int_equal(error.reason, CADASTRE_REASON_MISALIGNED_ALLOCATION);
          assert_non_null(std::strstr(error.message, "host backend"));
          assert_int_equal(statistics(context).failed_allocations, ++refused);
          assert_int_equal(statistics(context).live_blocks, 0);
          assert_non_null(block = cadastre_malloc(context, info));
          assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
        }
      }
    }
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
}

void a_block_that_realloc_misplaces_keeps_its_contents(void**) {
  const cadastre_context context = cadastre_context_create();
  for (const std::size_t size : {std::size_t{3}, std::size_t{50}, std::size_t{3000}}) {
    auto* block = static_cast<unsigned char*>(cadastre_malloc(context, request(100)));
    block = static_cast<unsigned char*>(cadastre_realloc(context, block, 101));  // the registry has what it needs by then
    std::memset(block, 0x5a, 101);
    {
      const Misplacing here;
      block = static_cast<unsigned char*>(cadastre_realloc(context, block, size));
    }
    assert_non_null(block);
    assert_true(is_at_multiple(block, alignof(std::max_align_t)));
    assert_int_equal(misplaced, 0);
    for (std::size_t i = 0; i < size; ++i) assert_int_equal(block[i], i < 101 ? 0x5a : 0);
    std::size_t offset = 0;
    assert_int_equal(cadastre_find_block(context, block + size - 1, nullptr, &offset), CADASTRE_SUCCESS);
    assert_int_equal(offset, size - 1);
    block = static_cast<unsigned char*>(cadastre_realloc(context, block, 200));
    assert_int_equal(block[0], 0x5a);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

// Its memory was freed by the program itself.
// A checker of memory keeps what was freed for a while.
bool gives_again_what_it_got() {
  void* const first = std::malloc(64);
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  std::free(first);
  void* const second = std::malloc(64);
  std::free(second);
  return reinterpret_cast<std::uintptr_t>(second) == address;
}

void an_address_that_is_ours_already_is_lost_once_and_freed_once(void**) {
  if (!gives_again_what_it_got()) skip_because("malloc gives no block the place of one that was freed");
  for (const bool limited : {false, true}) {
    const cadastre_context context = cadastre_context_create();
    cadastre_free(context, cadastre_malloc(context, request(1)));
    if (limited) cadastre_set_limit(context, CADASTRE_HOST, 1 << 20);
    const cadastre_memory_info_struct info = request(64, CADASTRE_UNINITIALIZED);
    void* const old = cadastre_malloc(context, info);
    watched = old;
    times_given = times_freed = 0;
    std::free(old);
    assert_ptr_equal(cadastre_malloc(context, info), old);
    assert_int_equal(statistics(context).untracked_deallocations, 1);
    assert_int_equal(statistics(context).live_blocks, 1);
    assert_int_equal(statistics(context).live_bytes, 64);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    watched = nullptr;
    assert_true(times_given > 0);
    assert_int_equal(times_freed, 1 + times_given);
  }
}

// Makes a call, during which malloc and free ask for this context.
template <class Call>
auto interrupted(cadastre_context context, const char* name, Call call) {
  const int let_in_before = times_let_in;
  asked_for = context;
  const auto result = call();
  asked_for = CADASTRE_NULL_CONTEXT;
  if (times_let_in > let_in_before) std::fprintf(stderr, "# %s calls malloc or free where a handler is let in\n", name);
  return result;
}

cadastre_context create(cadastre_context asks, cadastre_pool pool, cadastre_context parent = CADASTRE_NULL_CONTEXT) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.pool = pool;
  options.parent = parent;
  return interrupted(asks, "cadastre_context_create", [&] { return cadastre_context_create_with_options(&options); });
}

std::int32_t free_nothing(const cadastre_out_of_memory_struct*, void*) { return 0; }

bool do_everything(cadastre_context stays, int turn) {
  bool served = true;
  const auto call = [&](const char* name, auto body) { return interrupted(stays, name, body); };
  const auto served_by = [&](const char* name, auto body) { served = call(name, body) == CADASTRE_SUCCESS && served; };
  const cadastre_context context = create(stays, CADASTRE_POOL_NONE), pooled = create(stays, CADASTRE_POOL_CACHING),
                         child = create(stays, CADASTRE_POOL_CACHING, context);
  for (const std::size_t size : {std::size_t{100}, std::size_t{300000}, std::size_t{1} << 23}) {
    for (const cadastre_context each : {context, pooled, child}) {
      void* block = call("cadastre_malloc", [&] { return cadastre_malloc(each, request(size)); });
      block = call("cadastre_realloc", [&] { return cadastre_realloc(each, block, 2 * size); });
      if (size != 100) served_by("cadastre_free", [&] { return cadastre_free(each, block); });
    }
  }
  const std::size_t bytes = 1000;
  void* leased = nullptr;
  cadastre_lease lease = CADASTRE_NULL_LEASE;
  served_by("cadastre_workspace_set_size", [&] { return cadastre_workspace_set_size(context, CADASTRE_HOST, 1 << 20); });
  served_by("cadastre_workspace_acquire", [&] { return cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &bytes, &leased, &lease); });
  served_by("cadastre_workspace_release", [&] { return cadastre_workspace_release(context, lease); });
  const auto pass_over = [](const cadastre_memory_info_struct*, void*) -> cadastre_exit_code { return CADASTRE_SUCCESS; };
  served_by("cadastre_foreach_block", [&] { return cadastre_foreach_block(context, pass_over, nullptr); });
  served_by("cadastre_set_limit", [&] { return cadastre_set_limit(context, CADASTRE_HOST, 1 << 30); });
  static char data[8];
  served_by("cadastre_set_out_of_memory_function", [&] { return cadastre_set_out_of_memory_function(context, free_nothing, data + turn); });
  served = !call("cadastre_malloc", [&] { return cadastre_malloc(context, request(std::size_t{1} << 40)); }) && served;
  const cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  const char name[] = {static_cast<char>('a' + turn), '\0'};
  const cadastre_backend backend = call("cadastre_backend_register_host", [&] { return cadastre_backend_register_host(name, &resource); });
  served_by("cadastre_backend_unregister", [&] { return cadastre_backend_unregister(backend); });
  served_by("cadastre_free_all", [&] { return cadastre_free_all(context); });
  served_by("cadastre_context_destroy", [&] { return cadastre_context_destroy(pooled); });
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  served_by("cadastre_context_destroy_with_children", [&] { return cadastre_context_destroy_with_children(context, &summary); });
  return served;
}

void a_handler_that_comes_while_malloc_is_called_finds_its_thread_inside(void**) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_HEAP", "on", 1);
    const cadastre_context stays = cadastre_context_create();
    bool served = true;
    for (int turn = 0; turn < 5; ++turn) served = do_everything(stays, turn) && served;
    std::fprintf(stderr, "# asked %d times\n", times_asked);
    _exit(!served ? 2 : times_let_in > 0 ? 3 : times_asked < 20 ? 4 : 0);  // valgrind has operators new of its own
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "off", 1);  // with it, small blocks would have nothing to do with malloc
  if (!doubled) {
    std::puts("1..0 # SKIP the sanitizer has a malloc of its own");
    return 0;
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_handler_that_comes_while_malloc_is_called_finds_its_thread_inside),
      cmocka_unit_test(small_blocks_leave_the_programs_own_alone),
      cmocka_unit_test(every_block_is_aligned_as_it_says),
      cmocka_unit_test(misaligned_memory_is_refused_with_a_reason_and_given_back),
      cmocka_unit_test(a_block_that_realloc_misplaces_keeps_its_contents),
      cmocka_unit_test(an_address_that_is_ours_already_is_lost_once_and_freed_once),
  };
  return cmocka_run_group_tests_name("another malloc", tests, nullptr, nullptr);
}
