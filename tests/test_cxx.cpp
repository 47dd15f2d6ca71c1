// Tangled from org/tests/cxx_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "cadastre.h"

static cadastre_exit_code refusal = CADASTRE_SUCCESS;  // what they return, if it is another

#define REFUSES(function)                                                 \
  template <class... Argument>                                            \
  cadastre_exit_code refusing_##function(Argument... argument) {          \
    return refusal == CADASTRE_SUCCESS ? function(argument...) : refusal; \
  }
REFUSES(cadastre_free)
REFUSES(cadastre_free_async)
REFUSES(cadastre_unwrap)
REFUSES(cadastre_workspace_release)
REFUSES(cadastre_context_destroy_with_summary)
REFUSES(cadastre_context_destroy_with_children)
#define cadastre_free refusing_cadastre_free
#define cadastre_free_async refusing_cadastre_free_async
#define cadastre_unwrap refusing_cadastre_unwrap
#define cadastre_workspace_release refusing_cadastre_workspace_release
#define cadastre_context_destroy_with_summary refusing_cadastre_context_destroy_with_summary
#define cadastre_context_destroy_with_children refusing_cadastre_context_destroy_with_children

#include "cadastre.hpp"

#undef cadastre_free
#undef cadastre_free_async
#undef cadastre_unwrap
#undef cadastre_workspace_release
#undef cadastre_context_destroy_with_summary
#undef cadastre_context_destroy_with_children

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

// cmocka expects these to be included before it, and leaves the linkage to its user.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

#include "skip_because.h"

#if __cplusplus >= 202002L
#include "cuda_double.hpp"
#endif
#include "failing_new.hpp"

namespace {

std::atomic<long> calls_that_succeed = -1;  // negative: all

}  // namespace

bool allocation_fails() noexcept {
  if (calls_that_succeed > 0) return --calls_that_succeed, false;
  return calls_that_succeed == 0;
}

namespace {

// What a call throws, as an Exception; with SUCCESS when it throws nothing. Another exception ends the test.
template <class Exception = cadastre::error, class Call>
cadastre_error_struct thrown(const Call& call) {
  try {
    (void)call();
  } catch (const Exception& e) {
    assert_string_equal(e.what(), e.details().message);
    assert_int_equal(e.code().value(), e.details().exit_code);
    assert_true(e.code().category() == cadastre::category());
    return e.details();
  }
  return {};
}

template <class Exception = cadastre::error, class Call>
void assert_throws(cadastre_exit_code code, cadastre_reason reason, const Call& call) {
  const cadastre_error_struct details = thrown<Exception>(call);
  assert_int_equal(details.exit_code, code);
  assert_int_equal(details.reason, reason);
  assert_true(std::strlen(details.message) > 0);
}

std::int64_t live(cadastre::context_view context, cadastre_memory_type type = CADASTRE_HOST) {
  return context.statistics(type).live_blocks;
}

// The backend of the runtime under test: CUDA's, or HIP's.
cadastre_backend vendor() {
#if __cplusplus >= 202002L
  return spoken().backend;
#else
  return CADASTRE_BACKEND_CUDA;
#endif
}

// Contexts in which there is memory of every type: of the host backend, and of the vendor's where there is one.
std::vector<cadastre_backend> backends_with_devices() {
  std::vector<cadastre_backend> backends = {CADASTRE_BACKEND_HOST};
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(vendor(), &info), CADASTRE_SUCCESS);
  if (info.available && info.device_count > 0) backends.push_back(vendor());
  return backends;
}

cadastre::context context_with(cadastre_backend backend) {
  cadastre::options how;
  how.backend = backend;
  return cadastre::context(how);
}

template <class T>
void assign_to_itself(T& object) {
  T& same = object;
  object = std::move(same);
}

void use(cadastre::context_view context) {
  auto x = context.allocate<double>(10);
  x.resize(2000);
  (void)context.blocks();
  const auto record = context.wrap(&context, 1);
  const auto [p, q] = context.acquire(100, cadastre::elements<int>(1000));
  cadastre::memory_resource memory(context);
  const std::pmr::vector<int> few(10, &memory);
  std::vector<int, cadastre::allocator<int>> some(10, context);
  some.resize(3000);
  (void)context.workspace_query_size([&] { (void)context.workspace_set_optimal_size(8); });
}

void memory_that_runs_short_is_told_and_leaves_nothing_behind(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  long failures = 0;
  for (bool short_of_memory = true; short_of_memory; ++failures) {
    cadastre::context context;
    short_of_memory = false;
    calls_that_succeed = failures;
    try {
      use(context);
    } catch (const std::bad_alloc&) {
      short_of_memory = true;
    } catch (const cadastre::error& e) {
      short_of_memory = e.code() == std::errc::not_enough_memory;
    }
    calls_that_succeed = -1;
    context.workspace_set_size(CADASTRE_HOST, CADASTRE_WORKSPACE_AUTOMATIC);
    assert_int_equal(context.statistics(CADASTRE_HOST).live_blocks, 0);
    assert_false(context.workspace_is_size_query());
  }
  assert_true(failures > 3);
}

void what_does_not_throw_does_not_when_memory_is_short(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  cadastre::context context;
  calls_that_succeed = 0;
  const auto lease = context.acquire(std::nothrow, 100);
  const cadastre::context other(std::nothrow);
  calls_that_succeed = -1;
  assert_true(!lease && !other);
  assert_int_equal(lease.exit_code(), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(context.last_error().exit_code, CADASTRE_ALLOCATION_FAILED);
}

void what_is_thrown_tells_all_that_the_library_remembers(void**) {
  cadastre::context context;
  context.set_limit(CADASTRE_HOST, 1000);
  const auto x = context.allocate<char>(400);
  try {
    (void)context.allocate<double>(100);
    assert_true(false);
  } catch (const cadastre::error& e) {
    assert_int_equal(e.exit_code(), CADASTRE_LIMIT_EXCEEDED);
    assert_int_equal(e.reason(), CADASTRE_REASON_LIMIT_EXCEEDED);
    assert_true(e.details().requested == 800 && e.details().in_use == 400 && e.details().limit == 1000);
    assert_string_equal(e.details().function, "cadastre_malloc");
    assert_string_equal(e.what(), context.last_error().message);
  }
}

void what_is_thrown_is_caught_as_what_it_is(void**) {
  const cadastre::context_view nowhere;
  int caught = 0;
  try {
    nowhere.synchronize();
  } catch (const std::system_error& e) {
    caught += e.code() == std::errc::invalid_argument;
  }
  try {
    nowhere.synchronize();
  } catch (const std::runtime_error&) {
    ++caught;
  }
  try {
    nowhere.synchronize();
  } catch (const std::exception& e) {
    caught += std::strlen(e.what()) > 0;
  }
  try {
    nowhere.synchronize();
  } catch (const cadastre::failure& e) {
    caught += e.exit_code() == CADASTRE_INVALID_CONTEXT;
  }
  cadastre::allocator<int> memory(nowhere);
  try {
    (void)memory.allocate(1);
  } catch (const std::bad_alloc&) {
    ++caught;
  }
  try {
    (void)memory.allocate(1);
  } catch (const std::exception& e) {
    caught += std::strlen(e.what()) > 0;
  }
  try {
    (void)memory.allocate(1);
  } catch (const cadastre::failure& e) {
    caught += e.exit_code() == CADASTRE_INVALID_CONTEXT;
  }
  assert_int_equal(caught, 7);
}

void exceptions_can_be_copied_while_another_is_thrown(void**) {
  static_assert(std::is_nothrow_copy_constructible_v<cadastre::error>);
  static_assert(std::is_nothrow_copy_constructible_v<cadastre::bad_alloc>);
  std::exception_ptr kept;
  try {
    cadastre::context_view().synchronize();
  } catch (const cadastre::error& e) {
    kept = std::make_exception_ptr(e);
  }
  (void)cadastre_unlock(12345);
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_NULL_CONTEXT, [&] { std::rethrow_exception(kept); });
}

void exit_codes_are_errors_of_the_standard_where_it_has_them(void**) {
  const auto is = [](cadastre_exit_code code, std::errc condition) { return std::error_code(code, cadastre::category()) == condition; };
  assert_string_equal(cadastre::category().name(), "cadastre");
  assert_string_equal(cadastre::category().message(CADASTRE_LIMIT_EXCEEDED).c_str(), cadastre_string_of_error(CADASTRE_LIMIT_EXCEEDED));
  assert_true(is(CADASTRE_ALLOCATION_FAILED, std::errc::not_enough_memory));
  assert_true(is(CADASTRE_LIMIT_EXCEEDED, std::errc::not_enough_memory));
  assert_true(is(CADASTRE_NOT_SUPPORTED, std::errc::not_supported));
  for (cadastre_exit_code code = CADASTRE_INVALID_ARG_1; code <= CADASTRE_INVALID_ARG_20; ++code) {
    assert_true(is(code, std::errc::invalid_argument));
  }
  assert_true(is(CADASTRE_INVALID_CONTEXT, std::errc::invalid_argument));
  assert_true(is(CADASTRE_OUT_OF_BOUNDS, std::errc::invalid_argument));
  assert_true(is(CADASTRE_LEASE_ALIVE, std::errc::device_or_resource_busy));
  assert_true(is(CADASTRE_CAPTURE_ACTIVE, std::errc::device_or_resource_busy));
  assert_true(is(CADASTRE_LEASE_OUT_OF_ORDER, std::errc::operation_not_permitted));
  assert_true(is(CADASTRE_SIZE_QUERY_MISMATCH, std::errc::operation_not_permitted));
  assert_false(is(CADASTRE_FAILURE, std::errc::invalid_argument));
  assert_true(!std::error_code(CADASTRE_SUCCESS, cadastre::category()));
  assert_true(std::error_code(CADASTRE_SUCCESS, cadastre::category()) == std::error_condition());
}

void no_destructor_can_throw(void**) {
  static_assert(std::is_nothrow_destructible_v<cadastre::context>);
  static_assert(std::is_nothrow_destructible_v<cadastre::block<double>>);
  static_assert(std::is_nothrow_destructible_v<cadastre::lease<void, double>>);
  static_assert(std::is_nothrow_destructible_v<cadastre::size_query>);
  static_assert(std::is_nothrow_destructible_v<cadastre::memory_resource>);
  static_assert(std::is_nothrow_destructible_v<cadastre::error>);
  static_assert(std::is_nothrow_destructible_v<cadastre::bad_alloc>);
  cadastre::context context;
  const cadastre_context handle = context.handle();
  {
    const auto block = context.allocate<double>(3);
    const auto lease = context.acquire(100, cadastre::elements<int>(5));
    const cadastre::size_query query(context);
    cadastre::memory_resource memory(context);
    const std::pmr::vector<int> few(10, &memory);
    const std::vector<int, cadastre::allocator<int>> some(10, context);
    const std::lock_guard<cadastre::context> guard(context);
    assert_int_equal(cadastre_context_destroy(handle), CADASTRE_SUCCESS);
  }
  assert_int_equal(context.last_error().exit_code, CADASTRE_INVALID_CONTEXT);
  assert_int_equal(context.last_error().reason, CADASTRE_REASON_DESTROYED_CONTEXT);
}

bool frees_fail = false, waits_fail = false;
cadastre_queue queue_seen = nullptr;
std::size_t bytes_hinted = 0;
std::int32_t device_hinted = -1;
cadastre_advice advice_seen = 0;

std::int32_t stubborn_allocate(void*, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer) {
  queue_seen = queue;
  const std::size_t alignment = std::max<std::size_t>(request->alignment, 16);
  *pointer = std::aligned_alloc(alignment, (request->size / alignment + 1) * alignment);
  return *pointer == nullptr;
}
std::int32_t stubborn_free(void*, const cadastre_memory_info_struct* block) {
  std::free(block->pointer);
  return frees_fail;
}
std::int32_t stubborn_copy(void*, void* dest, const cadastre_memory_info_struct*, const void* src, const cadastre_memory_info_struct*,
                           std::size_t size, cadastre_queue queue) {
  queue_seen = queue;
  std::memcpy(dest, src, size);
  return 0;
}
std::int32_t stubborn_set(void*, void* dest, const cadastre_memory_info_struct*, int value, std::size_t size, cadastre_queue queue) {
  queue_seen = queue;
  std::memset(dest, value, size);
  return 0;
}
std::int32_t stubborn_wait(void*, std::int32_t, cadastre_queue queue) {
  queue_seen = queue;
  return waits_fail;
}

std::int32_t stubborn_prefetch(void*, const void*, std::size_t size, std::int32_t device_id, cadastre_queue queue, std::int32_t* applied) {
  bytes_hinted = size;
  device_hinted = device_id;
  queue_seen = queue;
  *applied = 1;
  return 0;
}
std::int32_t stubborn_advise(void*, const void*, std::size_t size, cadastre_advice advice, std::int32_t device_id, std::int32_t* applied) {
  bytes_hinted = size;
  device_hinted = device_id;
  advice_seen = advice;
  *applied = 1;
  return 0;
}

cadastre_backend stubborn() {
  static const cadastre_backend backend = [] {
    cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
    operations.memory_type_mask = 1u << CADASTRE_DEVICE | 1u << CADASTRE_UVM;
    operations.device_count = 2;
    operations.allocate = stubborn_allocate;
    operations.free = stubborn_free;
    operations.copy = stubborn_copy;
    operations.set = stubborn_set;
    operations.synchronize = stubborn_wait;
    operations.prefetch = stubborn_prefetch;
    operations.advise = stubborn_advise;
    return cadastre_backend_register("stubborn", &operations, nullptr);
  }();
  return backend;
}

void memory_that_cannot_be_freed_is_told_where_it_can_be(void**) {
  frees_fail = waits_fail = false;
  cadastre::context context = context_with(stubborn());
  auto x = context.allocate<int>(5, CADASTRE_DEVICE);
  context.workspace_set_size(CADASTRE_DEVICE, CADASTRE_WORKSPACE_PER_LEASE);
  auto lease = context.acquire_on_queue(CADASTRE_DEVICE, CADASTRE_DEFAULT_QUEUE, 100);
  frees_fail = true;
  assert_int_equal(lease.reset(), CADASTRE_DEALLOCATION_FAILED);
  assert_true(!lease && lease.pointer() == nullptr);
  assert_int_equal(x.reset(), CADASTRE_DEALLOCATION_FAILED);
  assert_true(!x && x.size() == 0);
  frees_fail = false;
  {
    const auto y = context.allocate<int>(5, CADASTRE_DEVICE);
    const auto second = context.acquire_on_queue(CADASTRE_DEVICE, CADASTRE_DEFAULT_QUEUE, 100);
    frees_fail = true;
  }
  assert_int_equal(context.last_error().exit_code, CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(context.statistics(CADASTRE_DEVICE).failed_deallocations, 4);
  (void)context.allocate<int>(5, CADASTRE_DEVICE).release();
  assert_throws(CADASTRE_DEALLOCATION_FAILED, CADASTRE_REASON_BACKEND_FREE_FAILED, [&] { return context.destroy(); });
  assert_true(!context);
  {
    const cadastre::context silent = context_with(stubborn());
    (void)silent.allocate<int>(5, CADASTRE_DEVICE).release();
  }
  frees_fail = false;
}

void a_block_whose_queue_cannot_be_waited_for_stays(void**) {
  frees_fail = waits_fail = false;
  cadastre::context context = context_with(stubborn());
  cadastre::request what;
  what.type = CADASTRE_DEVICE;
  what.device = CADASTRE_DEVICE_BY_ID(1);
  int queue = 0;
  auto x = context.allocate_async<int>(&queue, 5, what);
  assert_true(x.info().device_id == 1 && x.info().backend == stubborn());
  waits_fail = true;
  assert_int_equal(x.reset(), CADASTRE_FAILURE);
  assert_true(x && x.size() == 5 && live(context, CADASTRE_DEVICE) == 1);
  assert_throws(CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED, [&] { context.synchronize(&queue); });
  assert_int_equal(context.synchronize(std::nothrow, &queue), CADASTRE_FAILURE);
  {
    const auto y = std::move(x);
  }
  assert_int_equal(live(context, CADASTRE_DEVICE), 1);
  waits_fail = false;
  auto z = context.allocate_async<int>(&queue, 5, what);
  z.resize(50);
  waits_fail = true;
  assert_int_equal(z.reset(), CADASTRE_SUCCESS);
  waits_fail = false;
  const cadastre::context elsewhere = context_with(CADASTRE_BACKEND_HOST);
  what.backend = stubborn();
  const auto block = elsewhere.allocate<int>(5, what);
  assert_true(block.info().backend == stubborn());
}

void what_names_a_queue_is_done_on_it(void**) {
  frees_fail = waits_fail = false;
  cadastre::context context = context_with(stubborn());
  int queue = 0;
  const auto done_on_it = [&](const auto& call) {
    queue_seen = nullptr;
    call();
    return queue_seen == &queue;
  };
  cadastre::request what;
  what.type = CADASTRE_DEVICE;
  what.flags = CADASTRE_UNINITIALIZED;
  cadastre::block<int> x;
  assert_true(done_on_it([&] { x = context.allocate_async<int>(&queue, 5, what); }));
  auto y = context.allocate<int>(5, what);
  swap(x, y);
  assert_true(done_on_it([&] { context.copy_async(&queue, x, y, 5); }));
  assert_true(done_on_it([&] { context.copy_async(&queue, x, y); }));
  assert_true(done_on_it([&] { (void)context.copy_async(std::nothrow, &queue, x, y); }));
  assert_true(done_on_it([&] { context.set_async(&queue, x, 0, 5); }));
  assert_true(done_on_it([&] { context.set_async(&queue, x, 0); }));
  assert_true(done_on_it([&] { (void)context.set_async(std::nothrow, &queue, x, 0); }));
  assert_true(done_on_it([&] { context.synchronize(&queue); }));
  assert_true(done_on_it([&] { (void)context.synchronize(std::nothrow, &queue); }));
  assert_true(done_on_it([&] { (void)y.reset(); }));
  assert_false(done_on_it([&] { (void)x.reset(); }));
  x = context.allocate_async<int>(&queue, 5, CADASTRE_DEVICE);
  y = context.allocate_async<int>(std::nothrow, &queue, 5, CADASTRE_DEVICE);
  assert_true(x.type() == CADASTRE_DEVICE && y.type() == CADASTRE_DEVICE);
  y = context.adopt(y.release());
  assert_false(done_on_it([&] { (void)y.reset(); }));
  x = context.adopt(x.release(), &queue);
  assert_true(x.size() == 5 && x.type() == CADASTRE_DEVICE);
  assert_true(done_on_it([&] { (void)x.reset(); }));
  context.set_default_queue(&queue);
  assert_true(context.default_queue() == &queue);
  assert_true(done_on_it([&] { context.synchronize(); }));
  context.set_default_queue(CADASTRE_DEFAULT_QUEUE);
  assert_true(context.default_queue() == CADASTRE_DEFAULT_QUEUE);
  context.workspace_set_size(CADASTRE_DEVICE, CADASTRE_WORKSPACE_STREAM_ORDERED);
  assert_true(done_on_it([&] { const auto lease = context.acquire_on_queue(CADASTRE_DEVICE, &queue, 100); }));
  assert_true(done_on_it([&] { const auto lease = context.acquire_on_queue(std::nothrow, CADASTRE_DEVICE, &queue, 100); }));
}

void hints_reach_the_backend_or_are_ignored(void**) {
  cadastre::context context = context_with(stubborn());
  int queue = 0;
  const auto x = context.allocate<double>(10, CADASTRE_UVM);
  assert_true(x.prefetch(CADASTRE_DEVICE_BY_ID(1), &queue));
  assert_true(bytes_hinted == 80 && device_hinted == 1 && queue_seen == &queue);
  assert_true(context.prefetch(x.get() + 4, 3, CADASTRE_HOST_DEVICE));
  assert_true(bytes_hinted == 24 && device_hinted == CADASTRE_HOST_DEVICE);
  assert_true(context.prefetch(static_cast<const void*>(x.get()), 3, CADASTRE_DEVICE_BY_ID(0)) && bytes_hinted == 3);
  assert_true(x.advise(CADASTRE_ADVICE_READ_MOSTLY));
  assert_true(bytes_hinted == 80 && device_hinted == 0 && advice_seen == CADASTRE_ADVICE_READ_MOSTLY);
  assert_true(context.advise(x.get(), 2, CADASTRE_ADVICE_ACCESSED_BY, CADASTRE_DEVICE_BY_ID(1)));
  assert_true(bytes_hinted == 16 && device_hinted == 1 && advice_seen == CADASTRE_ADVICE_ACCESSED_BY);
  const auto y = context.allocate<double>(10, CADASTRE_DEVICE);
  assert_false(y.prefetch(CADASTRE_DEVICE_BY_ID(1)));
  assert_false(y.advise(CADASTRE_ADVICE_READ_MOSTLY));
  assert_throws(CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, [&] { return context.prefetch(x.get(), 11, CADASTRE_HOST_DEVICE); });
  assert_throws(CADASTRE_INVALID_ARG_4, CADASTRE_REASON_INVALID_ADVICE, [&] { return x.advise(77); });
}

void what_was_not_freed_is_kept(void**) {
  cadastre::context context;
  auto block = context.allocate<int>(3);
  auto ordered = context.allocate_async<int>(CADASTRE_DEFAULT_QUEUE, 3);
  auto lease = context.acquire(64);
  int mine[3];
  auto record = context.wrap(mine, 3);
  const void* const address = block.get();
  for (const cadastre_exit_code code : {CADASTRE_CAPTURE_ACTIVE, CADASTRE_ALLOCATION_FAILED, CADASTRE_FAILURE, 999}) {
    refusal = code;
    assert_true(block.reset() == code && ordered.reset() == code && record.reset() == code);
    if (code != CADASTRE_FAILURE) assert_int_equal(lease.reset(), code);
    assert_int_equal(context.destroy(std::nothrow), code);
    assert_int_equal(context.destroy_with_children(std::nothrow), code);
    assert_int_equal(thrown([&] { return context.destroy(); }).exit_code, code);
    refusal = CADASTRE_SUCCESS;
    assert_true(block.get() == address && block.size() == 3 && ordered.size() == 3 && record && lease && context);
  }
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  summary.struct_size -= 8;  // as an older library sees it
  refusal = cadastre_context_destroy_with_summary(context.handle(), &summary);
  assert_true(refusal == CADASTRE_INVALID_ARG_2 && context.destroy(std::nothrow) == refusal && context);
  refusal = CADASTRE_CAPTURE_ACTIVE;
  {
    const auto left = context.allocate<int>(3);
  }
  refusal = CADASTRE_SUCCESS;
  assert_int_equal(live(context), 4);  // with that of the workspace
  assert_int_equal(lease.reset(), CADASTRE_SUCCESS);
  assert_int_equal(block.reset(), CADASTRE_SUCCESS);
  assert_int_equal(ordered.reset(), CADASTRE_SUCCESS);
  assert_int_equal(record.reset(), CADASTRE_SUCCESS);
  assert_int_equal(context.destroy().live_blocks, 1);
}

void what_is_no_longer_there_is_not_kept(void**) {
  for (const cadastre_exit_code code : {CADASTRE_DEALLOCATION_FAILED, CADASTRE_INVALID_CONTEXT}) {
    cadastre::context context;
    const cadastre_context handle = context.handle();
    auto block = context.allocate<int>(3);
    auto lease = context.acquire(64);
    refusal = code;
    assert_true(block.reset() == code && lease.reset() == code && context.destroy(std::nothrow) == code);
    refusal = CADASTRE_SUCCESS;
    assert_true(!block && !lease && !context);
    assert_int_equal(cadastre_context_destroy(handle), CADASTRE_SUCCESS);
  }
  cadastre::context context;
  auto lease = context.acquire(64);
  refusal = CADASTRE_FAILURE;  // of this function alone it says: released, but
  assert_int_equal(lease.reset(), CADASTRE_FAILURE);
  refusal = CADASTRE_SUCCESS;
  assert_false(static_cast<bool>(lease));
}

// What the double of the CUDA runtime does as well, whose header needs C++20.
void what_a_capture_keeps_alive_is_freed_after_it(void**) {
#if __cplusplus < 202002L
  skip_because("the double of the runtime needs C++20");
#else
  if (backends_with_devices().size() == 1) skip_because("no backend with devices is here");
  cadastre::context context = context_with(vendor());
  const cadastre_context handle = context.handle();
  auto block = context.allocate<double>(10, CADASTRE_DEVICE);
  context.workspace_set_size(CADASTRE_DEVICE, CADASTRE_WORKSPACE_PER_LEASE);
  auto lease = context.acquire(64);
  void *stream = nullptr, *graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreate", &stream), 0);
  assert_int_equal(cuda("cudaStreamBeginCapture", stream, 1), 0);
  assert_int_equal(block.reset(), CADASTRE_CAPTURE_ACTIVE);
  assert_true(block && block.size() == 10);
  assert_throws(CADASTRE_CAPTURE_ACTIVE, CADASTRE_REASON_CAPTURE_ACTIVE, [&] { return context.destroy(); });
  assert_true(context.handle() == handle && context.alive());
  {
    const auto left = std::move(block);
  }
  assert_int_equal(lease.reset(), CADASTRE_SUCCESS);
  assert_false(static_cast<bool>(lease));
  assert_int_equal(cuda("cudaStreamEndCapture", stream, &graph), 0);
  if (graph) assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
  assert_int_equal(cuda("cudaStreamDestroy", stream), 0);
  assert_int_equal(context.destroy().live_blocks, 1);
  assert_false(cadastre::context_view(handle).alive());
#endif
}

void a_context_is_destroyed_with_its_object(void**) {
  cadastre_context handle;
  {
    const cadastre::context context;
    handle = context.handle();
    assert_true(context && context.alive());
  }
  assert_false(cadastre::context_view(handle).alive());
}

void a_context_is_as_its_options_say(void**) {
  cadastre::options how;
  how.backend = CADASTRE_BACKEND_HOST;
  how.device = CADASTRE_DEVICE_BY_ID(0);
  how.pool = CADASTRE_POOL_VENDOR;
  how.limits[CADASTRE_HOST] = 64;
  const cadastre::context context(how);
  cadastre_context_options_struct answer = cadastre_context_options_struct_zero;
  assert_int_equal(cadastre_context_get_options(context.handle(), &answer), CADASTRE_SUCCESS);
  assert_true(answer.backend == CADASTRE_BACKEND_HOST && answer.device == CADASTRE_DEVICE_BY_ID(0) && answer.pool == CADASTRE_POOL_VENDOR);
  assert_true(answer.limits[CADASTRE_HOST] == 64);
  const cadastre::context plain;
  assert_int_equal(cadastre_context_get_options(plain.handle(), &answer), CADASTRE_SUCCESS);
  assert_true(answer.limits[CADASTRE_HOST] == CADASTRE_UNLIMITED);

  how.device = CADASTRE_DEVICE_BY_ID(77);
  assert_throws(CADASTRE_INVALID_ARG_1, CADASTRE_REASON_INVALID_DEVICE, [&] { return cadastre::context(how); });
  const cadastre::context none(std::nothrow, how);
  assert_true(!none);
  assert_int_equal(none.last_error().reason, CADASTRE_REASON_INVALID_DEVICE);
  assert_true(cadastre::context(std::nothrow).alive());
}

void what_a_context_keeps_is_told_and_given_back(void**) {
  cadastre::options how;
  how.backend = CADASTRE_BACKEND_HOST;
  how.pool = CADASTRE_POOL_CACHING;
  const cadastre::context context(how);
  {
    const auto block = context.allocate<double>(200000);
  }
  const cadastre_pool_info_struct full = context.pool_info(CADASTRE_HOST);
  assert_true(full.pool == CADASTRE_POOL_CACHING && full.pool_count == 1 && full.used_bytes == 0 && full.misses == 1);
  assert_true(full.reserved_bytes >= 1600000 && full.releasable_bytes == full.reserved_bytes);
  context.pool_trim(CADASTRE_HOST, full.reserved_bytes);
  assert_int_equal(context.pool_info(CADASTRE_HOST).reserved_bytes, full.reserved_bytes);
  context.pool_trim(CADASTRE_HOST);
  assert_int_equal(context.pool_info(CADASTRE_HOST).reserved_bytes, 0);
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE, [&] { return context.pool_info(77); });
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE, [&] { context.pool_trim(77); });
}

void a_context_moves_and_is_not_copied(void**) {
  static_assert(!std::is_copy_constructible_v<cadastre::context> && !std::is_copy_assignable_v<cadastre::context>);
  static_assert(std::is_nothrow_move_constructible_v<cadastre::context> && std::is_nothrow_move_assignable_v<cadastre::context>);
  static_assert(!std::is_convertible_v<cadastre_context, cadastre::context_view>);
  cadastre::context first;
  const cadastre::context_view a = first;
  auto block = first.allocate<int>(5);
  cadastre::context second(std::move(first));
  assert_true(!first);
  assert_true(second == a && a.alive());
  assign_to_itself(second);
  assert_true(second == a && a.alive());
  cadastre::context third;
  const cadastre::context_view b = third;
  third = std::move(second);
  assert_true(third == a && a.alive() && !b.alive());
  swap(third, second);
  assert_true(second == a && !third && third != a);
  assert_int_equal(block.reset(), CADASTRE_SUCCESS);
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_NULL_CONTEXT, [&] { return third.allocate<int>(1); });
}

void a_handle_of_c_is_owned_or_viewed(void**) {
  const cadastre_context handle = cadastre_context_create();
  {
    const cadastre::context_view view(handle);
    assert_true(!!view.allocate<int>(3));
  }
  assert_true(cadastre::context_view(handle).alive());
  {
    cadastre::context owner = cadastre::context::own(handle);
    assert_true(owner.handle() == handle);
    assert_true(owner.release() == handle);
    assert_true(!owner);
  }
  assert_true(cadastre::context_view(handle).alive());
  {
    const cadastre::context owner = cadastre::context::own(handle);
  }
  assert_false(cadastre::context_view(handle).alive());
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_DESTROYED_CONTEXT, [&] { return cadastre::context::own(handle); });
}

void destroying_tells_what_was_alive_and_twice_is_harmless(void**) {
  cadastre::context context;
  cadastre::request what;
  what.label = "positions";
  (void)context.allocate<double>(10, what).release();
  const cadastre_destroy_summary_struct left = context.destroy();
  assert_int_equal(left.live_blocks, 1);
  assert_int_equal(left.live_bytes, 80);
  assert_string_equal(left.largest_label, "positions");
  assert_true(!context);
  assert_int_equal(context.destroy().live_blocks, 0);
  cadastre_destroy_summary_struct again = left;
  assert_int_equal(context.destroy(std::nothrow, &again), CADASTRE_SUCCESS);
  assert_int_equal(again.live_blocks, 0);

  cadastre::context behind_its_back;
  assert_int_equal(cadastre_context_destroy(behind_its_back.handle()), CADASTRE_SUCCESS);
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_DESTROYED_CONTEXT, [&] { return behind_its_back.destroy(); });
  assert_int_equal(behind_its_back.destroy().live_blocks, 0);
}

cadastre::context child_of(const cadastre::context_view& parent) {
  cadastre::options how;
  how.backend = CADASTRE_BACKEND_HOST;
  how.parent = parent;
  return cadastre::context(how);
}

void a_parent_is_a_handle_or_an_object(void**) {
  static_assert(!std::is_assignable_v<decltype(cadastre::options::parent)&, cadastre::context>);
  cadastre::options how;
  assert_true(how.parent == CADASTRE_PROCESS);
  const cadastre::context parent;
  const auto parent_given = [&] {
    const cadastre::context child(how);
    cadastre_context_options_struct answer = cadastre_context_options_struct_zero;
    assert_int_equal(cadastre_context_get_options(child.handle(), &answer), CADASTRE_SUCCESS);
    return answer.parent;
  };
  how.parent = parent;
  assert_true(parent_given() == parent.handle());
  how.parent = CADASTRE_PROCESS;
  assert_true(parent_given() == CADASTRE_PROCESS);
  how.parent = cadastre::context_view(parent);
  assert_true(parent_given() == parent.handle());
  how.parent = parent.handle();
  assert_true(parent_given() == parent.handle());
}

void a_parent_is_not_destroyed_before_its_children(void**) {
  cadastre::context parent;
  const cadastre_context handle = parent.handle();
  cadastre::context child = child_of(parent);
  assert_throws(CADASTRE_FAILURE, CADASTRE_REASON_HAS_CHILDREN, [&] { return parent.destroy(); });
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(parent.destroy(std::nothrow, &summary), CADASTRE_FAILURE);
  assert_true(parent.handle() == handle && parent.alive() && child.alive());
  (void)child.destroy();
  (void)parent.destroy();
  assert_true(!parent && !cadastre::context_view(handle).alive());
}

void a_parent_is_destroyed_with_its_children_by_who_says_so(void**) {
  cadastre::context parent;
  (void)parent.allocate<int>(5).release();
  cadastre::context child = child_of(parent);
  (void)child.allocate<int>(5).release();
  assert_int_equal(parent.destroy_with_children().live_blocks, 2);
  assert_true(!parent && child && !child.alive());
  assert_int_equal(parent.destroy_with_children(std::nothrow), CADASTRE_SUCCESS);
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_DESTROYED_CONTEXT, [&] { return child.allocate<int>(1); });

  cadastre::context another;
  child = child_of(another);
  (void)child.allocate<int>(5).release();
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(another.destroy_with_children(std::nothrow, &summary), CADASTRE_SUCCESS);
  assert_true(!another && !child.alive() && summary.live_blocks == 1);
}

void a_parent_that_ends_first_leaves_its_context_where_it_is_found(void**) {
  cadastre_context handle, second;
  cadastre::context child(std::nothrow);
  {
    cadastre::context parent;
    handle = parent.handle();
    (void)parent.allocate<int>(5).release();
    child = child_of(parent);
  }
  assert_true(child.alive() && child.allocate<int>(5));
  const cadastre::context_view left(handle);
  assert_true(left.alive() && live(left) == 1);
  assert_int_equal(left.last_error().reason, CADASTRE_REASON_HAS_CHILDREN);
  {
    cadastre::context parent;
    second = parent.handle();
    const cadastre::context other = child_of(parent);
    parent = cadastre::context();
    assert_true(other.alive() && cadastre::context_view(second).alive());
  }
  (void)cadastre::context::own(second).destroy();
  (void)child.destroy();
  assert_int_equal(cadastre::context::own(handle).destroy().live_blocks, 1);
}

template <class Lock>
void assert_excludes(cadastre::context& context) {
  std::atomic<bool> inside = false, seen_inside = false;
  std::thread other;
  {
    const Lock lock(context);
    inside = true;
    other = std::thread([&] {
      (void)context.statistics(CADASTRE_HOST);
      seen_inside = inside.load();
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    inside = false;
  }
  other.join();
  assert_false(seen_inside);
}

void a_context_is_what_a_lock_guard_locks(void**) {
  cadastre::context context;
  assert_excludes<std::lock_guard<cadastre::context>>(context);
  assert_excludes<std::unique_lock<cadastre::context>>(context);
  assert_excludes<std::lock_guard<const cadastre::context>>(context);
  assert_excludes<std::scoped_lock<cadastre::context>>(context);
  context.lock();
  context.unlock();
  context.unlock();
  assert_int_equal(context.last_error().reason, CADASTRE_REASON_NOT_LOCKED);
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_NULL_CONTEXT, [] { cadastre::context_view().lock(); });
}

void a_block_is_a_range_of_zeros_that_is_freed(void**) {
  cadastre::context context;
  {
    auto x = context.allocate<double>(1000);
    assert_true(x && x.size() == 1000 && x.size_bytes() == 8000 && !x.empty() && x.host_accessible());
    assert_true(std::all_of(x.begin(), x.end(), [](double e) { return e == 0; }));
    std::iota(x.begin(), x.end(), 0.0);
    const auto& constant = x;
    static_assert(std::is_same_v<decltype(constant[0]), const double&> && std::is_same_v<decltype(constant.get()), const double*>);
    double sum = 0;
    for (const double e : constant) sum += e;
    assert_true(sum == 499500 && constant[999] == 999 && x.data() == x.get());
    assert_int_equal(live(context), 1);
#if defined(__cpp_lib_span)
    const std::span<double> all = x;
    const std::span<const double> read = constant;
    assert_true(all.size() == 1000 && read.data() == x.get() && x.span().data() == all.data());
#endif
  }
  assert_int_equal(live(context), 0);
}

void a_block_is_what_was_asked_for(void**) {
  cadastre::context context;
  cadastre::request what;
  what.type = CADASTRE_PINNED;
  what.alignment = 4096;
  what.label = "matrix";
  what.flags = CADASTRE_UNINITIALIZED;
  auto x = context.allocate<std::complex<float>>(7, what);
  const cadastre_memory_info_struct info = x.info();
  assert_true(info.pointer == x.get() && info.size == 56 && info.type == CADASTRE_PINNED && x.type() == CADASTRE_PINNED);
  assert_true(info.alignment >= 4096 && info.flags == CADASTRE_UNINITIALIZED);
  assert_string_equal(info.label, "matrix");
  assert_int_equal(context.allocated_size(x.get()), 56);
  assert_true(x.context() == context);

  struct alignas(256) wide {
    char bytes[256];
  };
  what.type = CADASTRE_HOST;
  what.alignment = 64;
  for (int i = 0; i < 20; ++i) {
    const auto a = context.allocate<wide>(1), b = context.allocate<wide>(1, what);
    assert_int_equal(reinterpret_cast<std::uintptr_t>(a.get()) % 256, 0);
    assert_int_equal(reinterpret_cast<std::uintptr_t>(b.get()) % 256, 0);
  }
  what.alignment = 24;
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_ALIGNMENT, [&] { return context.allocate<wide>(1, what); });

  const auto none = context.allocate<double>(0);
  assert_true(none && none.get() != nullptr && none.empty() && none.begin() == none.end());
}

void a_block_that_cannot_be_had_is_an_exception_or_false(void**) {
  cadastre::context context;
  for (const std::size_t count : {SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 8, SIZE_MAX / 2 + 2}) {
    assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_SIZE_OVERFLOW, [&] { return context.allocate<double>(count); });
    assert_true(!context.allocate<double>(std::nothrow, count));
  }
  context.set_limit(CADASTRE_HOST, 10);
  const auto x = context.allocate<double>(std::nothrow, 2);
  assert_true(!x);
  assert_true(x.size() == 0 && x.get() == nullptr && x.begin() == x.end());
  assert_int_equal(context.last_error().exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_throws(CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_LIMIT_EXCEEDED, [&] { return context.allocate_async<int>(nullptr, 3); });
  assert_true(!context.allocate_async<int>(std::nothrow, nullptr, 3));
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE, [&] { return context.allocate<int>(1, 99); });
  assert_true(!context.allocate<int>(std::nothrow, 1, 99));
  static_assert(noexcept(context.allocate<int>(std::nothrow, 1)));
  assert_int_equal(live(context), 0);
}

void a_block_moves_and_is_not_copied(void**) {
  using block = cadastre::block<int>;
  static_assert(!std::is_copy_constructible_v<block> && !std::is_copy_assignable_v<block>);
  static_assert(std::is_nothrow_move_constructible_v<block> && std::is_nothrow_move_assignable_v<block>);
  cadastre::context context;
  block a = context.allocate<int>(3);
  const int* const address = a.get();
  block b(std::move(a));
  assert_true(!a && a.size() == 0 && b.get() == address && b.size() == 3);
  assign_to_itself(b);
  assert_true(b.get() == address && live(context) == 1);
  block c = context.allocate<int>(4);
  c = std::move(b);
  assert_true(!b && c.get() == address && live(context) == 1);
  swap(b, c);
  assert_true(!c && b.get() == address);
  std::vector<block> several;
  for (std::size_t i = 0; i < 10; ++i) several.push_back(context.allocate<int>(i));
  several.erase(several.begin(), several.begin() + 5);
  assert_int_equal(live(context), 6);
  b = block();
  several.clear();
  assert_int_equal(live(context), 0);
}

void a_block_changes_its_size_or_stays_as_it_was(void**) {
  cadastre::context context;
  auto x = context.allocate<int>(4);
  std::iota(x.begin(), x.end(), 1);
  x.resize(100000);
  assert_true(x.size() == 100000 && x[3] == 4 && x[4] == 0 && x[99999] == 0 && x.info().size == 400000);
  context.set_limit(CADASTRE_HOST, 400000);
  assert_throws(CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_LIMIT_EXCEEDED, [&] { x.resize(100001); });
  assert_int_equal(x.resize(std::nothrow, 100001), CADASTRE_LIMIT_EXCEEDED);
  assert_throws(CADASTRE_INVALID_ARG_3, CADASTRE_REASON_SIZE_OVERFLOW, [&] { x.resize(SIZE_MAX / 2); });
  assert_true(x.size() == 100000 && x[3] == 4);
  x.resize(0);
  assert_true(x && x.empty() && live(context) == 1);
  cadastre::block<int> none;
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_NULL_CONTEXT, [&] { none.resize(1); });
}

void an_object_is_asked_before_a_request_is_refused(void**) {
  cadastre::context context;
  context.set_limit(CADASTRE_HOST, 1000);
  auto held = context.allocate<char>(900);
  int calls = 0;
  const auto gives_up = [&](const cadastre_out_of_memory_struct& told) {
    ++calls;
    assert_true(told.context == context.handle() && told.size == 500 && told.retries == 0);
    if (!held) throw std::runtime_error("caught by the library");
    held = {};
    return true;
  };
  context.set_out_of_memory_function(gives_up);
  auto block = context.allocate<char>(500);
  assert_true(block.size() == 500 && calls == 1);
  held = context.allocate<char>(500);
  assert_int_equal(calls, 1);
  const auto fails = [&] { return context.allocate<char>(500); };
  auto again = fails();
  assert_true(!held && calls == 2);
  assert_throws(CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_LIMIT_EXCEEDED, fails);
  assert_int_equal(calls, 3);
  context.set_out_of_memory_function(nullptr);
  assert_throws(CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_LIMIT_EXCEEDED, fails);
  assert_int_equal(calls, 3);
}

void a_block_is_given_up_and_adopted(void**) {
  cadastre::context context;
  auto x = context.allocate<short>(5);
  short* const address = x.release();
  assert_true(!x && live(context) == 1);
  auto y = context.adopt(address);
  assert_true(y.get() == address && y.size() == 5 && y.type() == CADASTRE_HOST);
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INSIDE_BLOCK, [&] { return context.adopt(address + 1); });
  auto second = context.adopt(address);
  assert_int_equal(y.reset(), CADASTRE_SUCCESS);
  assert_int_equal(y.reset(), CADASTRE_SUCCESS);
  assert_int_equal(second.reset(), CADASTRE_INVALID_ARG_2);
  assert_true(!second);
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_ALREADY_FREED, [&] { return context.adopt(address); });
  int mine[4];
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.pointer = mine;
  info.size = sizeof mine;
  assert_int_equal(cadastre_wrap(context.handle(), info), CADASTRE_SUCCESS);
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_BORROWED, [&] { return context.adopt(mine); });
}

void a_block_that_was_freed_behind_its_back_does_no_harm(void**) {
  cadastre::context context;
  {
    auto x = context.allocate<int>(5), y = context.allocate<int>(5);
    assert_int_equal(cadastre_free(context.handle(), x.get()), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free(context.handle(), y.get()), CADASTRE_SUCCESS);
    assert_int_equal(x.reset(), CADASTRE_INVALID_ARG_2);
    assert_true(!x);
  }
  assert_int_equal(context.last_error().reason, CADASTRE_REASON_ALREADY_FREED);
  auto z = context.allocate<int>(5);
  (void)context.destroy();
  assert_int_equal(z.reset(), CADASTRE_INVALID_CONTEXT);
  assert_true(!z);
}

void borrowed_memory_is_recorded_as_long_as_its_object_lives(void**) {
  static_assert(!std::is_copy_constructible_v<cadastre::wrapped> && !std::is_copy_assignable_v<cadastre::wrapped>);
  static_assert(std::is_nothrow_move_constructible_v<cadastre::wrapped> && std::is_nothrow_move_assignable_v<cadastre::wrapped>);
  cadastre::context context;
  const auto borrowed = [&] { return context.statistics(CADASTRE_HOST).borrowed_blocks; };
  double mine[10];
  int others[10];
  {
    cadastre::request what;
    what.label = "mine";
    auto record = context.wrap(mine, 10, what);
    assert_true(record && record.pointer() == mine && record.context() == context);
    assert_true(record.info().size == sizeof mine && record.info().flags == CADASTRE_BORROWED);
    assert_string_equal(record.info().label, "mine");
    assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OVERLAPS_BLOCK, [&] { return context.wrap(mine, 1); });
    assert_true(!context.wrap(std::nothrow, mine, 1) && !context.wrap(std::nothrow, mine, 1, CADASTRE_HOST));
    assert_int_equal(context.last_error().reason, CADASTRE_REASON_OVERLAPS_BLOCK);
    auto moved = std::move(record);
    assert_true(!record && moved && borrowed() == 1);
    assign_to_itself(moved);
    assert_true(moved && borrowed() == 1);
    moved = context.wrap(static_cast<void*>(others), sizeof others, CADASTRE_HOST);
    assert_true(moved.info().pointer == others && moved.info().size == sizeof others && borrowed() == 1);
    assert_int_equal(moved.reset(), CADASTRE_SUCCESS);
    assert_int_equal(moved.reset(), CADASTRE_SUCCESS);
    assert_true(!moved && borrowed() == 0);
    moved = context.wrap(mine, 10);
  }
  assert_int_equal(borrowed(), 0);
  auto given_up = context.wrap(mine, 10);
  assert_ptr_equal(given_up.release(), mine);
  assert_true(!given_up && borrowed() == 1);
  assert_int_equal(cadastre_unwrap(context.handle(), mine), CADASTRE_SUCCESS);
  auto removed = context.wrap(mine, 10);
  assert_int_equal(cadastre_unwrap(context.handle(), mine), CADASTRE_SUCCESS);
  assert_int_equal(removed.reset(), CADASTRE_INVALID_ARG_2);
  assert_false(static_cast<bool>(removed));

  alignas(4096) static unsigned char scratch[8192];
  auto leased = context.wrap(scratch, sizeof scratch);
  context.workspace_set_buffer(CADASTRE_HOST, scratch, sizeof scratch);
  assert_int_equal(leased.reset(), CADASTRE_INVALID_ARG_2);
  assert_true(leased && borrowed() == 1);
  context.workspace_set_buffer(CADASTRE_HOST, nullptr, 0);
  assert_int_equal(leased.reset(), CADASTRE_SUCCESS);
}

void blocks_are_found_and_listed(void**) {
  cadastre::context context = context_with(CADASTRE_BACKEND_HOST);
  assert_true(context.blocks().empty());
  const auto x = context.allocate<double>(10), y = context.allocate<double>(20, CADASTRE_DEVICE);
  const auto [info, offset] = context.find_block(x.get() + 3);
  assert_true(info.pointer == x.get() && info.size == 80 && offset == 24);
  const auto found = context.find_block(std::nothrow, y.get());
  assert_true(found && found.info.pointer == y.get() && found.offset == 0);
  int mine = 0;
  assert_false(static_cast<bool>(context.find_block(std::nothrow, &mine)));
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_UNKNOWN_POINTER, [&] { return context.find_block(&mine); });
  const auto all = context.blocks();
  assert_true(all.size() == 2 && all[0].pointer == x.get() && all[1].pointer == y.get() && all[1].size == 160);
  assert_int_equal(context.device_statistics(CADASTRE_DEVICE, 0).live_bytes, 160);
  assert_int_equal(context.device_statistics(CADASTRE_DEVICE, 1).live_bytes, 0);
  assert_throws(CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_NULL_CONTEXT, [] { return cadastre::context_view().blocks(); });
}

void elements_of_a_device_are_not_for_the_host(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    auto moved = context.allocate<double>(10, CADASTRE_DEVICE);
    auto given_up = std::move(moved);
    assert_true(given_up.type() == CADASTRE_DEVICE && !given_up.host_accessible());
    auto there = context.adopt(given_up.release());
    const auto& constant = there;
    assert_true(there && there.size() == 10 && there.get() != nullptr && !there.host_accessible());
    assert_throws(CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, [&] { return there.data(); });
    assert_throws(CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, [&] { return there.begin(); });
    assert_throws(CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, [&] { return constant.end(); });
    assert_throws(CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, [&] { return there[0]; });
    assert_throws(CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, [&] { return constant[0]; });
#if defined(__cpp_lib_span)
    assert_throws(CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, [&] { return there.span(); });
#endif
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM}) {
      auto here = context.allocate<double>(10, type);
      here[9] = 1;
      assert_true(here.host_accessible() && here.begin()[9] == 1);
    }
  }
}

void a_block_in_the_order_of_a_queue_is_freed_in_it(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    {
      cadastre::request what;
      what.type = CADASTRE_DEVICE;
      auto a = context.allocate_async<int>(CADASTRE_DEFAULT_QUEUE, 10, what);
      auto b = context.allocate_async<int>(std::nothrow, CADASTRE_DEFAULT_QUEUE, 10, what);
      auto c = std::move(a);
      assert_true(!a && b && c && live(context, CADASTRE_DEVICE) == 2);
      assert_int_equal(b.reset(), CADASTRE_SUCCESS);
      c.resize(20);
    }
    context.synchronize();
    assert_int_equal(live(context, CADASTRE_DEVICE), 0);
    assert_int_equal(context.last_error().exit_code, CADASTRE_SUCCESS);
  }
}

void elements_are_copied_between_blocks_pointers_and_leases(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    std::vector<double> here(100);
    std::iota(here.begin(), here.end(), 0.0);
    auto there = context.allocate<double>(100, CADASTRE_DEVICE);
    auto back = context.allocate<double>(100);
    context.copy(there, here.data());
    context.copy(back, there);
    assert_true(std::equal(here.begin(), here.end(), back.begin()));
    context.set(back, 0);
    context.copy(back.get() + 10, there.get() + 20, 5);
    assert_true(back[9] == 0 && back[10] == 20 && back[14] == 24 && back[15] == 0);
    double few[3] = {7, 8, 9};
    context.copy(there, few, 3);
    context.copy(few, there.get() + 1, 2);
    assert_true(few[0] == 8 && few[1] == 9);

    auto lease = context.acquire(cadastre::elements<double>(100));
    auto bytes = context.acquire(800);
    context.copy(lease, there);
    context.copy(bytes, lease, 100);
    context.set(back, 255);
    assert_true(*reinterpret_cast<const unsigned char*>(back.get()) == 255);
    context.copy(back, bytes);
    assert_true(back[0] == 7 && back[2] == 9 && back[99] == 99);
    context.set(static_cast<void*>(back.get()), 0, 8);
    assert_true(back[0] == 0 && back[1] == 8);
    context.set(there, 0, 2);
    context.copy(back, there);
    assert_true(back[1] == 0 && back[2] == 9);
  }
}

void copies_go_on_queues_and_are_waited_for(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    auto there = context.allocate<int>(1000, CADASTRE_DEVICE);
    auto here = context.allocate<int>(1000, CADASTRE_PINNED), back = context.allocate<int>(1000, CADASTRE_PINNED);
    std::iota(here.begin(), here.end(), 0);
    context.copy_async(CADASTRE_DEFAULT_QUEUE, there, here, 1000);
    context.set_async(CADASTRE_DEFAULT_QUEUE, there, 0, 500);
    assert_int_equal(context.copy_async(std::nothrow, CADASTRE_DEFAULT_QUEUE, back, there, 1000), CADASTRE_SUCCESS);
    assert_int_equal(context.set_async(std::nothrow, CADASTRE_DEFAULT_QUEUE, there, 0, 1000), CADASTRE_SUCCESS);
    context.synchronize();
    assert_int_equal(context.synchronize(std::nothrow), CADASTRE_SUCCESS);
    assert_true(back[0] == 0 && back[499] == 0 && back[500] == 500 && back[999] == 999);
  }
}

void elements_are_copied_from_and_to_containers(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    auto there = context.allocate<double>(4, CADASTRE_DEVICE);
    const auto& constant = there;
    const std::vector<double> v = {1, 2, 3, 4};
    std::array<double, 4> a = {};
    double plain[4] = {};
    context.copy(there, v);
    context.copy(a, constant);
    assert_true(std::equal(v.begin(), v.end(), a.begin()));
    assert_int_equal(context.copy(std::nothrow, plain, a), CADASTRE_SUCCESS);
    assert_true(plain[3] == 4);
    plain[0] = 7;
    context.copy_async(CADASTRE_DEFAULT_QUEUE, there, plain);
    std::vector<double, cadastre::allocator<double>> own(4, 0.0, context);
    assert_int_equal(context.copy_async(std::nothrow, CADASTRE_DEFAULT_QUEUE, own, there), CADASTRE_SUCCESS);
    context.synchronize();
    assert_true(own[0] == 7 && own[3] == 4);
    context.copy(v.size() > 3 ? there.get() : nullptr, v);
    context.copy(static_cast<void*>(own.data()), there);
    assert_true(own[0] == 1);
#if defined(__cpp_lib_span)
    context.copy(std::span(own).first(2), std::span<const double>(v).last(2));
    assert_true(own[0] == 3 && own[1] == 4 && own[2] == 3);
    context.copy(std::span(own).first(2), there.get());
    assert_true(own[0] == 1 && own[2] == 3);
#endif
    context.set(there, 0);
    context.set_async(CADASTRE_DEFAULT_QUEUE, there, 0);
    assert_int_equal(context.set(std::nothrow, there, 0), CADASTRE_SUCCESS);
    assert_int_equal(context.set_async(std::nothrow, CADASTRE_DEFAULT_QUEUE, there, 0), CADASTRE_SUCCESS);
    context.set(own, 0);
    context.copy(own, there);
    assert_true(own == (std::vector<double, cadastre::allocator<double>>(4, 0.0, context)));
  }
}

void copies_stay_within_their_containers(void**) {
  cadastre::context context;
  auto block = context.allocate<int>(10);
  std::vector<int> v(4, 5);
  const auto refused = [](const auto& call) { assert_throws(CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, call); };
  refused([&] { context.copy(v, block); });
  refused([&] { context.copy(block, v, 5); });
  refused([&] { context.copy_async(CADASTRE_DEFAULT_QUEUE, v, block); });
  refused([&] { context.copy_async(CADASTRE_DEFAULT_QUEUE, block, v, 5); });
  refused([&] { context.set(v, 0, 5); });
  refused([&] { context.set_async(CADASTRE_DEFAULT_QUEUE, v, 0, 5); });
  assert_int_equal(context.copy(std::nothrow, v, block), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(context.copy(std::nothrow, block, v, 5), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(context.copy_async(std::nothrow, CADASTRE_DEFAULT_QUEUE, v, block), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(context.copy_async(std::nothrow, CADASTRE_DEFAULT_QUEUE, block, v, 5), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(context.set(std::nothrow, v, 0, 5), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(context.set_async(std::nothrow, CADASTRE_DEFAULT_QUEUE, v, 0, 5), CADASTRE_OUT_OF_BOUNDS);
  assert_true(v == std::vector<int>(4, 5) && block[0] == 0);
  context.copy(block, v);
  assert_true(block[3] == 5 && block[4] == 0);
}

void copies_stay_within_their_blocks(void**) {
  cadastre::context context;
  auto a = context.allocate<int>(10), b = context.allocate<int>(11);
  assert_throws(CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, [&] { context.copy(a, b); });
  assert_throws(CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, [&] { context.set(a, 0, 11); });
  assert_int_equal(context.copy(std::nothrow, a, b, SIZE_MAX / 2), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(context.set(std::nothrow, a, 0, SIZE_MAX / 4 + 1), CADASTRE_OUT_OF_BOUNDS);
  assert_throws(CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, [&] { context.copy_async(CADASTRE_DEFAULT_QUEUE, a, b, 11); });
  assert_throws(CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, [&] { context.set_async(CADASTRE_DEFAULT_QUEUE, a, 0, 11); });
  context.copy(a, b, 10);
}

std::int64_t leases(cadastre::context_view context, cadastre_memory_type type = CADASTRE_HOST) {
  cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
  assert_int_equal(cadastre_workspace_get_info(context.handle(), type, &info), CADASTRE_SUCCESS);
  return info.live_leases;
}

void a_lease_converts_to_one_pointer_and_ends_with_its_scope(void**) {
  cadastre::context context;
  {
    auto lease = context.acquire(1000);
    assert_true(static_cast<bool>(lease));
    if (!lease) assert_true(false);
    double* const x = lease;
    const char* const y = lease;
    void* const z = lease;
    assert_true(x != nullptr && static_cast<const void*>(y) == z && x == z && lease.pointer() == z);
    assert_int_equal(leases(context), 1);
    const auto typed = context.acquire(cadastre::elements<double>(10));
    double* const p = typed;
    const double* const q = typed;
    assert_true(p == q && p == typed.pointer() && p != x);
    static_assert(std::is_same_v<decltype(typed), const cadastre::lease<double>>);
  }
  assert_int_equal(leases(context), 0);
}

void a_lease_of_several_buffers_is_tied_or_bound(void**) {
  cadastre::context context;
  {
    auto lease = context.acquire(100, 200u, std::size_t{0});
    double* x;
    const int* y;
    void* z;
    std::tie(x, y, z) = lease;
    assert_true(x == lease.pointer<0>() && y == lease.pointer<1>() && z == nullptr && x && y);
    int* again = nullptr;
    std::tie(std::ignore, again, std::ignore) = lease;
    assert_true(again == y);
    const std::tuple<char*, void*, double*> all = lease;
    assert_true(std::get<0>(all) == lease.pointer() && std::get<1>(all) == y);
    auto& [a, b, c] = lease;
    static_assert(std::is_same_v<decltype(a), void*>);
    assert_true(a == x && b == y && c == nullptr);
  }
  {
    auto [x, y] = context.acquire(cadastre::elements<double>(10), cadastre::elements<int>(20));
    static_assert(std::is_same_v<decltype(x), double*> && std::is_same_v<decltype(y), int*>);
    assert_int_equal(leases(context), 1);
    const auto& [p, q] = context.acquire(8, cadastre::elements<int>(20));
    assert_int_equal(leases(context), 2);
    assert_true(x && y && p && q && p != x);
    double* tied;
    const auto one = context.acquire(8);
    std::tie(tied) = one;
    assert_true(tied == one.pointer());
  }
  assert_int_equal(leases(context), 0);
}

void a_temporary_lease_cannot_dangle(void**) {
  using one = cadastre::lease<void>;
  using two = cadastre::lease<void, void>;
  using typed = cadastre::lease<double, int>;
  static_assert(std::is_convertible_v<one&, double*> && std::is_convertible_v<const one&, void*>);
  static_assert(!std::is_convertible_v<one, double*> && !std::is_convertible_v<const one, void*>);
  static_assert(std::is_constructible_v<bool, one&> && !std::is_constructible_v<bool, one>);
  static_assert(!std::is_convertible_v<one&, bool> && !std::is_convertible_v<one&, int>);
  static_assert(!std::is_convertible_v<one&, void (*)()>);
  static_assert(std::is_assignable_v<std::tuple<double*&, int*&>, two&>);
  static_assert(std::is_assignable_v<std::tuple<double*&, int*&>, const two&>);
  static_assert(!std::is_assignable_v<std::tuple<double*&, int*&>, two>);
  static_assert(!std::is_assignable_v<std::tuple<double*&>, one>);
  static_assert(!std::is_convertible_v<two, std::tuple<double*, int*>>);
  static_assert(!std::is_convertible_v<two&, double*>);
  static_assert(!std::is_assignable_v<std::tuple<double*&>, two&> && !std::is_assignable_v<std::tuple<double*&, int*&>, one&>);
  static_assert(std::is_assignable_v<std::tuple<double*&, const int*&>, typed&>);
  static_assert(!std::is_assignable_v<std::tuple<float*&, int*&>, typed&>);
  static_assert(!std::is_convertible_v<cadastre::lease<double>&, float*>);
  static_assert(!std::is_convertible_v<cadastre::lease<const char>&, char*>);
}

void a_lease_moves_and_is_not_copied(void**) {
  using lease = cadastre::lease<void>;
  static_assert(!std::is_copy_constructible_v<lease> && !std::is_copy_assignable_v<lease>);
  static_assert(std::is_nothrow_move_constructible_v<lease> && std::is_move_assignable_v<lease>);
  cadastre::context context;
  lease a = context.acquire(64);
  void* const address = a;
  lease b(std::move(a));
  assert_true(!a && a.pointer() == nullptr && b.pointer() == address && leases(context) == 1);
  assign_to_itself(b);
  assert_true(b && b.pointer() == address);
  a = std::move(b);
  assert_true(a && !b && a.pointer() == address && leases(context) == 1);
  assert_throws(CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE, [&] { a = context.acquire(64); });
  assert_true(a && a.pointer() == address && leases(context) == 1);
  assert_int_equal(a.reset(), CADASTRE_SUCCESS);
  assert_true(!a && a.pointer() == nullptr && leases(context) == 0);
  assert_int_equal(a.reset(), CADASTRE_SUCCESS);
  a = context.acquire(64);
  assert_true(a && leases(context) == 1);
}

void a_lease_that_is_refused_tells_why_and_a_smaller_one_may_do(void**) {
  cadastre::context context;
  context.workspace_set_size(CADASTRE_HOST, 1024);
  assert_throws(CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_WORKSPACE_TOO_SMALL, [&] { return context.acquire(2048); });
  auto lease = context.acquire(std::nothrow, 2048);
  assert_true(!lease);
  assert_int_equal(lease.exit_code(), CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(lease.last_error().limit, 1024);
  assert_null(lease.pointer());
  lease = context.acquire(std::nothrow, 512);
  assert_true(lease && lease.exit_code() == CADASTRE_SUCCESS);
  static_assert(noexcept(context.acquire(std::nothrow, 1)));
  assert_throws(CADASTRE_INVALID_ARG_4, CADASTRE_REASON_SIZE_OVERFLOW, [&] { return context.acquire(-1); });
  assert_throws(CADASTRE_INVALID_ARG_4, CADASTRE_REASON_SIZE_OVERFLOW,
                [&] { return context.acquire(8, cadastre::elements<double>(SIZE_MAX / 8 + 1)); });
  assert_throws(CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE,
                [&] { context.workspace_set_size(CADASTRE_HOST, CADASTRE_WORKSPACE_PER_LEASE); });
}

void a_buffer_of_the_callers_is_leased_and_let_go(void**) {
  cadastre::context context;
  cadastre::request aligned;
  aligned.alignment = context.workspace_info(CADASTRE_HOST).granularity;
  auto buffer = context.allocate<unsigned char>(4096, aligned);
  context.workspace_set_buffer(CADASTRE_HOST, buffer.get(), buffer.size());
  assert_int_equal(context.workspace_info(CADASTRE_HOST).scheme, CADASTRE_WORKSPACE_SCHEME_USER_OWNED);
  assert_int_equal(context.workspace_info(CADASTRE_HOST).reserved_bytes, 4096);
  {
    const auto lease = context.acquire_on_queue(CADASTRE_HOST, CADASTRE_DEFAULT_QUEUE, 100);
    assert_ptr_equal(lease.pointer(), buffer.get());
    assert_throws(CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE, [&] { context.workspace_set_buffer(CADASTRE_HOST, nullptr, 0); });
  }
  context.workspace_set_buffer(CADASTRE_HOST, nullptr, 0);
  assert_int_equal(context.workspace_info(CADASTRE_HOST).scheme, CADASTRE_WORKSPACE_SCHEME_AUTOMATIC);
  context.workspace_release_captured(CADASTRE_HOST);
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE, [&] { context.workspace_release_captured(77); });
  buffer.reset();
  assert_int_equal(context.statistics(CADASTRE_HOST).live_blocks, 0);
}

void what_a_c_function_returns_is_thrown(void**) {
  cadastre::context context;
  context.check(cadastre_context_set_timing(context.handle(), 0));
  context.set_plain_free(false);
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT, [&] { context.check(cadastre_free(context.handle(), nullptr)); });
}

void leases_of_nothing_are_true(void**) {
  cadastre::context context;
  const auto lease = context.acquire(0, cadastre::elements<double>(0));
  assert_true(lease && lease.pointer<0>() == nullptr && lease.pointer<1>() == nullptr);
}

void leases_are_of_a_memory_type_and_a_queue(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
      auto lease = context.acquire_on_queue(type, CADASTRE_DEFAULT_QUEUE, cadastre::elements<double>(100), 7);
      assert_true(lease && lease.pointer<0>() && lease.pointer<1>());
      assert_int_equal(leases(context, type), 1);
      context.set(lease.pointer<0>(), 1, 100);
    }
    const auto none = context.acquire_on_queue(std::nothrow, 99, CADASTRE_DEFAULT_QUEUE, 7);
    assert_true(!none);
    assert_int_equal(none.exit_code(), CADASTRE_INVALID_ARG_2);
    assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_MEMORY_TYPE,
                  [&] { return context.acquire_on_queue(99, CADASTRE_DEFAULT_QUEUE, 7); });
  }
}

void leases_end_in_any_order(void**) {
  cadastre::context context;
  auto older = context.acquire(64);
  {
    const auto younger = context.acquire(64);
    assert_int_equal(older.reset(), CADASTRE_SUCCESS);
    assert_true(!older);
    assert_int_equal(leases(context), 1);
  }
  assert_int_equal(leases(context), 0);
}

void a_lease_ends_when_an_exception_passes(void**) {
  cadastre::context context;
  try {
    const auto lease = context.acquire(64);
    throw 42;
  } catch (int) {
  }
  assert_int_equal(leases(context), 0);
}

void a_block_that_is_leased_stays_a_block(void**) {
  cadastre::context context = context_with(CADASTRE_BACKEND_HOST);
  cadastre::request what;
  what.type = CADASTRE_DEVICE;
  what.alignment = 4096;
  auto buffer = context.allocate<char>(1 << 16, what);
  const char* const address = buffer.get();
  assert_int_equal(cadastre_workspace_set_buffer(context.handle(), CADASTRE_DEVICE, buffer.get(), buffer.size()), CADASTRE_SUCCESS);
  assert_int_equal(buffer.reset(), CADASTRE_INVALID_ARG_2);
  assert_true(buffer && buffer.get() == address && buffer.size() == 1 << 16);
  assert_int_equal(context.last_error().reason, CADASTRE_REASON_WORKSPACE_MEMORY);
  context.workspace_set_size(CADASTRE_DEVICE, CADASTRE_WORKSPACE_AUTOMATIC);
  assert_int_equal(buffer.reset(), CADASTRE_SUCCESS);
}

// A function as a library has them.
cadastre_exit_code scale(cadastre::context_view context, std::size_t n) {
  if (context.workspace_is_size_query()) return context.workspace_set_optimal_size(cadastre::elements<double>(n), 100);
  const auto lease = context.acquire(std::nothrow, cadastre::elements<double>(n), 100);
  return lease ? CADASTRE_SUCCESS : lease.exit_code();
}

void what_a_size_query_returns_is_enough(void**) {
  cadastre::context context;
  assert_false(context.workspace_is_size_query());
  const std::size_t bytes = context.workspace_query_size([&] {
    assert_true(context.workspace_is_size_query());
    assert_int_equal(scale(context, 100), CADASTRE_SIZE_INCREASED);
    assert_int_equal(scale(context, 10), CADASTRE_SIZE_UNCHANGED);
    assert_int_equal(context.workspace_set_optimal_size(), CADASTRE_SIZE_UNCHANGED);
  });
  assert_true(bytes >= 900);
  context.workspace_set_size(CADASTRE_HOST, bytes);
  assert_int_equal(scale(context, 100), CADASTRE_SUCCESS);
  assert_int_equal(scale(context, 1000), CADASTRE_LIMIT_EXCEEDED);
  assert_true(context.workspace_query_size([&] { return scale(context, 100); }) == bytes);
}

void a_size_query_ends_in_every_case(void**) {
  cadastre::context context;
  {
    const cadastre::size_query query(context);
  }
  assert_false(context.workspace_is_size_query());
  cadastre::size_query query(context);
  assert_throws(CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_REASON_SIZE_QUERY_ACTIVE, [&] { cadastre::size_query second(context); });
  assert_int_equal(query.stop(), 0);
  assert_throws(CADASTRE_SIZE_QUERY_MISMATCH, CADASTRE_REASON_SIZE_QUERY_INACTIVE, [&] { return query.stop(); });
  try {
    (void)context.workspace_query_size([] { throw 42; });
  } catch (int) {
  }
  assert_false(context.workspace_is_size_query());
  const auto fails = [&] { return context.workspace_query_size([&]() -> cadastre_exit_code { return CADASTRE_FAILURE; }); };
  assert_int_equal(thrown(fails).exit_code, CADASTRE_FAILURE);
  assert_false(context.workspace_is_size_query());
  assert_int_equal(context.workspace_set_optimal_size(1), CADASTRE_SIZE_QUERY_MISMATCH);
}

void containers_live_in_memory_that_the_host_sees(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM}) {
      std::vector<double, cadastre::allocator<double>> v(100, 1.5, {context, type});
      for (int i = 0; i < 100; ++i) v.push_back(i);
      assert_true(v[99] == 1.5 && v[199] == 99 && context.info(v.data()).type == type);
      std::list<std::string, cadastre::allocator<std::string>> l({context, type});
      l.push_back("a string that is too long to be held in its own object");
      std::map<int, int, std::less<>, cadastre::allocator<std::pair<const int, int>>> m({context, type});
      m[3] = 4;
      assert_int_equal(live(context, type), 1 + 1 + 1);
    }
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM}) {
      assert_int_equal(live(context, type), 0);
    }
  }
}

void polymorphic_containers_do_too(void**) {
  for (const cadastre_backend backend : backends_with_devices()) {
    cadastre::context context = context_with(backend);
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM}) {
      cadastre::memory_resource memory(context, type);
      {
        std::pmr::vector<std::pmr::string> v(&memory);
        v.emplace_back("a string that is too long to be held in its own object");
        v.push_back(v.front());
        assert_true(v[1] == v[0] && context.info(v[1].data()).type == type);
        assert_int_equal(live(context, type), 3);
        std::pmr::monotonic_buffer_resource pool(&memory);
        std::pmr::deque<int> d(1000, 5, &pool);
        assert_int_equal(d.back(), 5);
      }
      assert_int_equal(live(context, type), 0);
      for (std::size_t alignment = 1; alignment <= 4096; alignment *= 4) {
        void* const p = memory.allocate(10, alignment);
        assert_int_equal(reinterpret_cast<std::uintptr_t>(p) % alignment, 0);
        memory.deallocate(p, 10, alignment);
      }
      assert_int_equal(live(context, type), 0);
    }
  }
}

void memory_of_containers_is_uninitialised_and_labelled(void**) {
  cadastre::context context;
  cadastre::request what;
  what.label = "particles";
  std::vector<int, cadastre::allocator<int>> v(5, {context, what});
  assert_true(context.info(v.data()).flags == CADASTRE_UNINITIALIZED);
  assert_string_equal(context.info(v.data()).label, "particles");
  assert_int_equal(context.statistics(CADASTRE_HOST).zeroed_bytes, 0);
  struct alignas(512) wide {
    char bytes[512];
  };
  cadastre::allocator<wide> other(v.get_allocator());
  wide* const p = other.allocate(1);
  assert_int_equal(reinterpret_cast<std::uintptr_t>(p) % 512, 0);
  assert_string_equal(context.info(p).label, "particles");
  other.deallocate(p, 1);
}

void containers_are_told_of_failures_as_they_expect(void**) {
  cadastre::context context;
  context.set_limit(CADASTRE_HOST, 1000);
  cadastre::memory_resource memory(context);
  const volatile std::size_t most = SIZE_MAX;  // of which the compiler would warn
  std::size_t odd = 24;
  assert_throws<cadastre::bad_alloc>(CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_LIMIT_EXCEEDED, [&] { return memory.allocate(1001); });
  assert_throws<cadastre::bad_alloc>(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_SIZE_OVERFLOW, [&] { return memory.allocate(most); });
  assert_throws<cadastre::bad_alloc>(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_INVALID_ALIGNMENT, [&] { return memory.allocate(8, odd); });
  cadastre::allocator<double> doubles(context);
  assert_throws<cadastre::bad_alloc>(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_SIZE_OVERFLOW,
                                     [&] { return doubles.allocate(SIZE_MAX / 8 + 2); });
  std::vector<double, cadastre::allocator<double>> v(doubles);
  bool caught = false;
  try {
    for (;;) v.push_back(1);
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  assert_true(caught && v.size() >= 32 && v.back() == 1);
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED,
                [&] { return cadastre::memory_resource(context, CADASTRE_DEVICE); });
  assert_throws(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED,
                [&] { return cadastre::allocator<int>(context, CADASTRE_DEVICE); });
}

void resources_are_equal_in_context_and_memory_type(void**) {
  const cadastre::context a, b;
  const cadastre::memory_resource host(a), again(a), elsewhere(b), pinned(a, CADASTRE_PINNED);
  assert_true(host == again && host != elsewhere && host != pinned && host != *std::pmr::new_delete_resource());
  assert_true(host.context() == a && host.type() == CADASTRE_HOST);
  const cadastre::allocator<int> one(a), other(b);
  const cadastre::allocator<double> rebound(one);
  assert_true(one == rebound && one != other && rebound == one && !(one == other));
  assert_true(one != cadastre::allocator<int>(a, CADASTRE_PINNED));
}

// As of a device library: made of an address on purpose only, and not read on the host.
template <class T>
class device_pointer {
 public:
  using element_type = T;
  explicit device_pointer(T* address) : address_(address) {}
  T* get() const { return address_; }

 private:
  T* address_;
};

void an_allocator_for_devices_gives_pointers_of_their_kind(void**) {
  cadastre::context context;
  const cadastre::context another;
  using on_device = cadastre::device_allocator<double, device_pointer<double>>;
  using traits = std::allocator_traits<on_device>;
  static_assert(std::is_same_v<traits::pointer, device_pointer<double>> &&
                std::is_same_v<traits::const_pointer, device_pointer<const double>>);
  static_assert(std::is_same_v<traits::rebind_alloc<int>, cadastre::device_allocator<int, device_pointer<int>>>);
  static_assert(std::is_same_v<std::allocator_traits<cadastre::device_allocator<int>>::pointer, int*>);
  cadastre::request what;
  what.type = CADASTRE_DEVICE;
  what.label = "particles";
  on_device memory(context, what);
  const device_pointer<double> p = traits::allocate(memory, 100);
  assert_int_equal(context.info(p.get()).type, CADASTRE_DEVICE);
  assert_int_equal(context.info(p.get()).size, 800);
  assert_string_equal(context.info(p.get()).label, "particles");
  traits::rebind_alloc<int> rebound(memory);
  const device_pointer<int> q = rebound.allocate(3);
  assert_string_equal(context.info(q.get()).label, "particles");
  assert_int_equal(live(context, CADASTRE_DEVICE), 2);
  rebound.deallocate(q, 3);
  memory.deallocate(p, 100);
  assert_int_equal(live(context, CADASTRE_DEVICE), 0);
  assert_true(memory == rebound && memory == on_device(context) && memory != on_device(another) &&
              memory != on_device(context, CADASTRE_UVM));
  cadastre::device_allocator<int> plain(context, CADASTRE_HOST);
  int* const r = plain.allocate(2);
  r[1] = 5;
  plain.deallocate(r, 2);
  context.set_limit(CADASTRE_DEVICE, 1000);
  assert_throws<cadastre::bad_alloc>(CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_LIMIT_EXCEEDED, [&] { return memory.allocate(126); });
  assert_throws<cadastre::bad_alloc>(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_SIZE_OVERFLOW,
                                     [&] { return memory.allocate(SIZE_MAX / 8 + 2); });
  assert_int_equal(live(context, CADASTRE_DEVICE), 0);
}

void containers_take_their_memory_along(void**) {
  cadastre::context a, b;
  using vector = std::vector<int, cadastre::allocator<int>>;
  vector x(10, 1, a), y(20, 2, b);
  const int* const address = x.data();
  vector moved(std::move(x));
  assert_true(moved.data() == address);
  y = std::move(moved);
  assert_true(y.data() == address && y.get_allocator().context() == a && live(b) == 0);
  vector z(5, 3, b);
  swap(y, z);
  assert_true(z.data() == address && z.get_allocator().context() == a && y.get_allocator().context() == b);
  y = z;
  assert_true(y.size() == 10 && y.get_allocator().context() == a && live(a) == 2 && live(b) == 0);
}

}  // namespace

int main() {
  // Read once per process; devices of the host backend, so that all memory types are there.
  setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(memory_that_runs_short_is_told_and_leaves_nothing_behind),
      cmocka_unit_test(what_does_not_throw_does_not_when_memory_is_short),
      cmocka_unit_test(what_is_thrown_tells_all_that_the_library_remembers),
      cmocka_unit_test(what_is_thrown_is_caught_as_what_it_is),
      cmocka_unit_test(exceptions_can_be_copied_while_another_is_thrown),
      cmocka_unit_test(exit_codes_are_errors_of_the_standard_where_it_has_them),
      cmocka_unit_test(no_destructor_can_throw),
      cmocka_unit_test(memory_that_cannot_be_freed_is_told_where_it_can_be),
      cmocka_unit_test(a_block_whose_queue_cannot_be_waited_for_stays),
      cmocka_unit_test(what_names_a_queue_is_done_on_it),
      cmocka_unit_test(hints_reach_the_backend_or_are_ignored),
      cmocka_unit_test(what_was_not_freed_is_kept),
      cmocka_unit_test(what_is_no_longer_there_is_not_kept),
      cmocka_unit_test(what_a_capture_keeps_alive_is_freed_after_it),
      cmocka_unit_test(a_context_is_destroyed_with_its_object),
      cmocka_unit_test(a_context_is_as_its_options_say),
      cmocka_unit_test(what_a_context_keeps_is_told_and_given_back),
      cmocka_unit_test(a_context_moves_and_is_not_copied),
      cmocka_unit_test(a_handle_of_c_is_owned_or_viewed),
      cmocka_unit_test(destroying_tells_what_was_alive_and_twice_is_harmless),
      cmocka_unit_test(a_parent_is_a_handle_or_an_object),
      cmocka_unit_test(a_parent_is_not_destroyed_before_its_children),
      cmocka_unit_test(a_parent_is_destroyed_with_its_children_by_who_says_so),
      cmocka_unit_test(a_parent_that_ends_first_leaves_its_context_where_it_is_found),
      cmocka_unit_test(a_context_is_what_a_lock_guard_locks),
      cmocka_unit_test(a_block_is_a_range_of_zeros_that_is_freed),
      cmocka_unit_test(a_block_is_what_was_asked_for),
      cmocka_unit_test(a_block_that_cannot_be_had_is_an_exception_or_false),
      cmocka_unit_test(a_block_moves_and_is_not_copied),
      cmocka_unit_test(a_block_changes_its_size_or_stays_as_it_was),
      cmocka_unit_test(an_object_is_asked_before_a_request_is_refused),
      cmocka_unit_test(a_block_is_given_up_and_adopted),
      cmocka_unit_test(a_block_that_was_freed_behind_its_back_does_no_harm),
      cmocka_unit_test(borrowed_memory_is_recorded_as_long_as_its_object_lives),
      cmocka_unit_test(blocks_are_found_and_listed),
      cmocka_unit_test(elements_of_a_device_are_not_for_the_host),
      cmocka_unit_test(a_block_in_the_order_of_a_queue_is_freed_in_it),
      cmocka_unit_test(elements_are_copied_between_blocks_pointers_and_leases),
      cmocka_unit_test(copies_go_on_queues_and_are_waited_for),
      cmocka_unit_test(copies_stay_within_their_blocks),
      cmocka_unit_test(elements_are_copied_from_and_to_containers),
      cmocka_unit_test(copies_stay_within_their_containers),
      cmocka_unit_test(a_lease_converts_to_one_pointer_and_ends_with_its_scope),
      cmocka_unit_test(a_lease_of_several_buffers_is_tied_or_bound),
      cmocka_unit_test(a_temporary_lease_cannot_dangle),
      cmocka_unit_test(a_lease_moves_and_is_not_copied),
      cmocka_unit_test(a_lease_that_is_refused_tells_why_and_a_smaller_one_may_do),
      cmocka_unit_test(a_buffer_of_the_callers_is_leased_and_let_go),
      cmocka_unit_test(what_a_c_function_returns_is_thrown),
      cmocka_unit_test(leases_of_nothing_are_true),
      cmocka_unit_test(leases_are_of_a_memory_type_and_a_queue),
      cmocka_unit_test(leases_end_in_any_order),
      cmocka_unit_test(a_lease_ends_when_an_exception_passes),
      cmocka_unit_test(a_block_that_is_leased_stays_a_block),
      cmocka_unit_test(what_a_size_query_returns_is_enough),
      cmocka_unit_test(a_size_query_ends_in_every_case),
      cmocka_unit_test(containers_live_in_memory_that_the_host_sees),
      cmocka_unit_test(an_allocator_for_devices_gives_pointers_of_their_kind),
      cmocka_unit_test(polymorphic_containers_do_too),
      cmocka_unit_test(memory_of_containers_is_uninitialised_and_labelled),
      cmocka_unit_test(containers_are_told_of_failures_as_they_expect),
      cmocka_unit_test(resources_are_equal_in_context_and_memory_type),
      cmocka_unit_test(containers_take_their_memory_along),
  };
  return cmocka_run_group_tests_name("C++", tests, nullptr, nullptr);
}
