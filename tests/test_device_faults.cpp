// Tangled from org/tests/device_fault_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A device that is at fault: what each call tells, and what it leaves.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "cadastre_workspace.h"
#include "pooled_contexts.hpp"

namespace {

constexpr int illegal_address = cadastre::cuda_api::cudaErrorIllegalAddress;
constexpr const char* sentence = "an illegal memory access was encountered";

struct Stream {
  void* stream = nullptr;
  Stream() { assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, 1U), 0); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cadastre_queue() const { return stream; }
};

cadastre_context on_the_double(cadastre_pool pool = CADASTRE_POOL_CACHING, std::int32_t device = 0) {
  if (!cuda_double()) skip_because(needs_the_double);
  destroy(cuda_context());
  return context_on(spoken().backend, pool, CADASTRE_DEVICE_BY_ID(device));
}

cadastre_error_struct last(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

cadastre_memory_info_struct of_type(cadastre_memory_type type, std::size_t size) { return request(size, type, CADASTRE_UNINITIALIZED); }

std::vector<cadastre_memory_type> types_of(cadastre_context context) {
  std::vector<cadastre_memory_type> types;
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    if (void* const block = cadastre_malloc(context, of_type(type, 1000))) {
      release(context, block);
      types.push_back(type);
    }
  }
  return types;
}

void reset(int device) {
  assert_int_equal(cuda("cudaDeviceReset"), 0);
  assert_int_equal(cuda("cudaSetDevice", device), 0);
  assert_int_equal(cuda("cudaPeekAtLastError"), 0);
}

// Another thread gets on in the context: no lock is held.
void another_thread_gets_on(cadastre_context context) {
  bool works = false;
  std::thread([&] {
    void* const block = cadastre_malloc(context, of_type(CADASTRE_HOST, 5000));
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    works = block && cadastre_get_statistics(context, CADASTRE_DEVICE, &figures) == CADASTRE_SUCCESS &&
            cadastre_memset(context, block, 1, 5000) == CADASTRE_SUCCESS && cadastre_free(context, block) == CADASTRE_SUCCESS;
  }).join();
  assert_true(works);
}

struct Figures {
  std::size_t bytes[CADASTRE_MEMORY_TYPE_COUNT], blocks[CADASTRE_MEMORY_TYPE_COUNT];
  explicit Figures(cadastre_context context) {
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      const cadastre_statistics_struct figures = statistics(context, type);
      bytes[type] = figures.live_bytes;
      blocks[type] = static_cast<std::size_t>(figures.live_blocks);
    }
  }
  void forget(cadastre_memory_type type) {
    if (type == CADASTRE_MEMORY_TYPE_COUNT) return;
    bytes[type] -= 4096;
    --blocks[type];
  }
  bool operator==(const Figures& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};

struct Call {
  const char* name;
  std::function<bool()> succeeds;
  cadastre_memory_type freed = CADASTRE_MEMORY_TYPE_COUNT;  // of a block of 4096 bytes that is forgotten
};

void every_call_that_needs_a_device_at_fault_tells_the_vendors_error_and_changes_nothing(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING}) {
    const cadastre_context context = on_the_double(pool);
    const Stream stream;
    std::vector<Call> calls;
    const auto add = [&](const char* name, std::function<cadastre_exit_code()> call,
                         cadastre_memory_type freed = CADASTRE_MEMORY_TYPE_COUNT) {
      calls.push_back({name, [call] { return call() == CADASTRE_SUCCESS; }, freed});
    };
    static unsigned char bytes[4096];
    for (const cadastre_memory_type type : types_of(context)) {
      void* const block = cadastre_malloc(context, of_type(type, 4096));
      void* const other = cadastre_malloc(context, of_type(type, 4096));
      assert_true(block && other);
      calls.push_back({"malloc", [=] { return cadastre_malloc(context, of_type(type, 3 * mebi)) != nullptr; }});
      void* const third = cadastre_malloc(context, of_type(type, 4096));
      if (pool == CADASTRE_POOL_NONE) add("free", [=] { return cadastre_free(context, third); }, type);
      if (type == CADASTRE_PINNED) continue;
      calls.push_back({"realloc", [=] { return cadastre_realloc(context, block, 2 * mebi) != nullptr; }});
      add("memcpy", [=] { return cadastre_memcpy(context, bytes, block, sizeof bytes); });
      add("memset", [=] { return cadastre_memset(context, block, 1, 4096); });
      add("memcpy_async", [=, queue = cadastre_queue(stream)] { return cadastre_memcpy_async(context, block, other, 4096, queue); });
      add("memset_async", [=, queue = cadastre_queue(stream)] { return cadastre_memset_async(context, block, 1, 4096, queue); });
    }
    if (void* const block = cadastre_malloc_async(context, of_type(CADASTRE_DEVICE, 4096), stream); block && pool == CADASTRE_POOL_NONE) {
      add("free_async", [=, queue = cadastre_queue(stream)] { return cadastre_free_async(context, block, queue); }, CADASTRE_DEVICE);
    }
    calls.push_back({"malloc_async", [=, queue = cadastre_queue(stream)] {
                       return cadastre_malloc_async(context, of_type(CADASTRE_DEVICE, 3 * mebi), queue) != nullptr;
                     }});
    add("synchronize", [=, queue = cadastre_queue(stream)] { return cadastre_synchronize(context, queue); });
    add("synchronize the default queue", [=] { return cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE); });
    add("acquire", [=] {
      const std::size_t size = 5 * mebi;
      void* scratch = nullptr;
      cadastre_lease lease = CADASTRE_NULL_LEASE;
      return cadastre_workspace_acquire(context, CADASTRE_DEVICE, 1, &size, &scratch, &lease);
    });
    Figures before(context);
    cuda_double().fault(0, illegal_address);
    for (const Call& call : calls) {
      const bool succeeded = call.succeeds();
      before.forget(call.freed);
      const cadastre_error_struct error = last(context);
      if (succeeded || error.vendor_code != illegal_address || !std::strstr(error.message, sentence)) {
        std::fprintf(stderr, "%s: %s\n", call.name, succeeded ? "succeeded" : error.message);
      }
      if (!(Figures(context) == before)) std::fprintf(stderr, "%s changed the figures\n", call.name);
      assert_true(!succeeded && error.vendor_code == illegal_address);
      assert_non_null(std::strstr(error.message, sentence));
      assert_true(error.exit_code != CADASTRE_SUCCESS && Figures(context) == before);
      another_thread_gets_on(context);
    }
    assert_int_equal(cuda("cudaGetLastError"), illegal_address);  // which nobody forgets
    assert_int_equal(cuda("cudaGetLastError"), illegal_address);
    reset(0);
    cadastre_context_destroy(context);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_INVALID_CONTEXT);
    const cuda_double_census after = cuda_double().census();
    assert_true(after.blocks == 0 && after.events == 0);
    const cadastre_context next = on_the_double(pool);
    release(next, allocate(next, mebi, CADASTRE_DEVICE));
    destroy(next);
  }
}

void a_context_is_destroyed_while_its_device_is_at_fault(void**) {
  for (const cadastre_pool pool : {CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING}) {
    const cadastre_context context = on_the_double(pool);
    const Stream stream;
    allocate(context, mebi, CADASTRE_DEVICE);
    if (void* const block = cadastre_malloc_async(context, of_type(CADASTRE_DEVICE, mebi), stream))
      cadastre_free_async(context, block, stream);
    cuda_double().fault(0, illegal_address);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_DEALLOCATION_FAILED);
    const cadastre_error_struct error = last(context);
    if (error.vendor_code != illegal_address) std::fprintf(stderr, "%s\n", error.message);
    assert_int_equal(error.vendor_code, illegal_address);
    assert_non_null(std::strstr(error.message, sentence));
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_INVALID_CONTEXT);
    reset(0);
    assert_int_equal(cuda_double().census().blocks, 0);
    destroy(on_the_double(pool));
  }
}

void what_was_in_flight_when_the_fault_came_is_lost_with_the_device_and_nothing_else(void**) {
  const cadastre_context context = on_the_double(CADASTRE_POOL_CACHING), host = context_on(CADASTRE_BACKEND_HOST, CADASTRE_POOL_NONE);
  unsigned char* const of_host = allocate(host, mebi);
  const Stream stream;
  void* const block = cadastre_malloc_async(context, of_type(CADASTRE_DEVICE, 2 * mebi), stream);
  assert_non_null(block);
  assert_int_equal(cadastre_memset_async(context, block, 1, 2 * mebi, stream), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free_async(context, block, stream), CADASTRE_SUCCESS);
  cuda_double().fault(0, illegal_address);
  assert_int_not_equal(cadastre_pool_trim(context, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
  assert_int_equal(last(context).vendor_code, illegal_address);
  assert_true(pool_of(context, CADASTRE_DEVICE).releasable_bytes >= 2 * mebi);
  reset(0);
  std::memset(of_host, 1, mebi);
  release(host, of_host);
  destroy(host);
  cadastre_context_destroy(context);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_INVALID_CONTEXT);
  assert_int_equal(cuda_double().census().blocks, 0);
}

void another_device_serves_meanwhile_and_the_callers_stays_current(void**) {
  const cadastre_context broken = on_the_double(CADASTRE_POOL_NONE, 0),
                         sound = context_on(spoken().backend, CADASTRE_POOL_NONE, CADASTRE_DEVICE_BY_ID(1));
  void* const block = allocate(broken, mebi, CADASTRE_DEVICE);
  assert_int_equal(cuda("cudaSetDevice", 1), 0);
  cuda_double().fault(0, illegal_address);
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(cadastre_memset(broken, block, 1, mebi), CADASTRE_FAILURE);
    assert_int_equal(last(broken).vendor_code, illegal_address);
    int current = -1;
    assert_int_equal(cuda("cudaGetDevice", &current), 0);
    assert_int_equal(current, 1);
    void* const other = allocate(sound, mebi, CADASTRE_DEVICE);
    assert_int_equal(cadastre_memset(sound, other, 1, mebi), CADASTRE_SUCCESS);
    release(sound, other);
  }
  assert_int_equal(cuda("cudaSetDevice", 0), 0);
  reset(0);
  cadastre_context_destroy(broken);
  destroy(sound);
  assert_int_equal(cuda_double().census().blocks, 0);
}

struct Life {
  bool holds = true, was_refused = false;

  void expect(bool condition, const char* what) {
    if (!condition) std::printf("not so: %s\n", what);
    holds = holds && condition;
  }
  // What is refused is refused with the vendor's error.
  void told(cadastre_context context, bool succeeded, const char* what) {
    if (succeeded) return;
    was_refused = true;
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(context, &error);
    expect(error.vendor_code == illegal_address && std::strstr(error.message, sentence), what);
    if (error.vendor_code != illegal_address) std::printf("%s\n", error.message);
  }
};

void live(Life& life, cadastre_context context, void* stream) {
  std::size_t bytes = 0;
  for (int i = 0; i < 6; ++i) {
    const cadastre_memory_info_struct info = request(mebi, CADASTRE_DEVICE, i % 2 ? CADASTRE_UNINITIALIZED : 0);
    void* const block = i % 3 ? cadastre_malloc_async(context, info, stream) : cadastre_malloc(context, info);
    life.told(context, block != nullptr, "malloc");
    if (!block) continue;
    unsigned char byte = 0;
    life.told(context, cadastre_memset_async(context, block, 1, mebi, stream) == CADASTRE_SUCCESS, "memset_async");
    life.told(context, cadastre_memcpy(context, &byte, block, 1) == CADASTRE_SUCCESS, "memcpy");
    const cadastre_exit_code freed = i % 2 ? cadastre_free_async(context, block, stream) : cadastre_free(context, block);
    life.told(context, freed == CADASTRE_SUCCESS, "free");
    // A block that the vendor could not free is forgotten; one whose queue could not be waited for is not.
    if (freed != CADASTRE_SUCCESS && freed != CADASTRE_DEALLOCATION_FAILED) bytes += mebi;
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    life.expect(cadastre_get_statistics(context, CADASTRE_DEVICE, &figures) == CADASTRE_SUCCESS && figures.live_bytes == bytes, "figures");
  }
}

int live_with_a_late_fault() {
  if (!cuda_double()) return 77;
  Life life;
  const cadastre_context contexts[] = {new_context(spoken().backend, CADASTRE_POOL_CACHING),
                                       new_context(spoken().backend, CADASTRE_POOL_NONE)};
  void* stream = nullptr;
  cuda("cudaStreamCreateWithFlags", &stream, 1U);
  for (const cadastre_context context : contexts) live(life, context, stream);
  life.expect(cuda("cudaDeviceReset") == 0, "reset");
  for (const cadastre_context context : contexts) {
    cadastre_context_destroy(context);
    life.expect(cadastre_context_destroy(context) == CADASTRE_INVALID_CONTEXT, "destroyed");
  }
  const cuda_double_census after = cuda_double().census();
  life.expect(after.blocks == 0 && after.events == 0, "nothing is left");
  std::printf("%s\n", life.was_refused ? "refused" : "served");
  return life.holds ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("CUDA_DOUBLE_DEVICES", "2", 1);
  if (argc > 1 && std::strcmp(argv[1], "late") == 0) return live_with_a_late_fault();
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_call_that_needs_a_device_at_fault_tells_the_vendors_error_and_changes_nothing),
      cmocka_unit_test(a_context_is_destroyed_while_its_device_is_at_fault),
      cmocka_unit_test(what_was_in_flight_when_the_fault_came_is_lost_with_the_device_and_nothing_else),
      cmocka_unit_test(another_device_serves_meanwhile_and_the_callers_stays_current),
  };
  return cmocka_run_group_tests_name("device_faults", tests, nullptr, nullptr);
}
