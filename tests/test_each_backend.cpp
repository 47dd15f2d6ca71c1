// Tangled from org/tests/each_backend.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the header promises of a block, on the backend that is named, or that CADASTRE_BACKEND names: test_each_backend [NAME]
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "cadastre_workspace.h"
#include "pooled_contexts.hpp"
#include "vendors.hpp"

namespace {

struct Where {
  const char* name;
  cadastre_backend backend;
  bool of_a_vendor;  // its memory is not the child's of a fork
  bool has_streams;  // of the double or of a card
  std::vector<cadastre_memory_type> types;
};
Where here{};

cadastre_backend registered_backend() {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = 1u << CADASTRE_PINNED | 1u << CADASTRE_DEVICE | 1u << CADASTRE_UVM;
  operations.device_count = 1;
  operations.allocate = [](void*, const cadastre_memory_info_struct* asked, cadastre_queue, void** pointer) {
    return posix_memalign(pointer, std::max(asked->alignment, sizeof(void*)), asked->size + 1);
  };
  operations.free = [](void*, const cadastre_memory_info_struct* block) { return std::free(block->pointer), std::int32_t{0}; };
  operations.copy = [](void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                       std::size_t size, cadastre_queue) { return std::memcpy(to, from, size), std::int32_t{0}; };
  operations.set = [](void*, void* to, const cadastre_memory_info_struct*, int value, std::size_t size, cadastre_queue) {
    return std::memset(to, value, size), std::int32_t{0};
  };
  return cadastre_backend_register("each", &operations, nullptr);
}

// False where there is no such backend, or none that is usable, and why is told.
bool go_to(const std::string& name) {
  static const Where all[] = {
      {"host", CADASTRE_BACKEND_HOST, false, false, {CADASTRE_HOST, CADASTRE_PINNED}},
      {"emulated", CADASTRE_BACKEND_HOST, false, false, {CADASTRE_DEVICE, CADASTRE_UVM}},
      {"registered", CADASTRE_DEFAULT_BACKEND, false, false, {CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}},
#define CADASTRE_WHERE(vendor, constant) {#vendor, CADASTRE_BACKEND_##constant, true, true, {}},
      CADASTRE_TEST_VENDORS(CADASTRE_WHERE)
#undef CADASTRE_WHERE
          {"openmp", CADASTRE_BACKEND_OPENMP, true, false, {}},
  };
  const auto* const found = std::find_if(std::begin(all), std::end(all), [&](const Where& one) { return name == one.name; });
  if (found == std::end(all)) return print_error("no such backend: %s\n", name.c_str()), false;
  here = *found;
  if (here.backend == CADASTRE_DEFAULT_BACKEND) here.backend = registered_backend();
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  if (cadastre_backend_get_info(here.backend, &info) != CADASTRE_SUCCESS) return false;
  if (!info.available) return print_message("%s: %s\n", here.name, info.problem), false;
  for (const cadastre_memory_type type : {CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
    if (found->types.empty() && (info.memory_type_mask >> type & 1u)) here.types.push_back(type);
  }
  return true;
}

constexpr std::size_t kibi = 1024;

cadastre_context context_here(cadastre_pool pool = CADASTRE_POOL_NONE, cadastre_context parent = CADASTRE_NULL_CONTEXT) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = here.backend;
  options.pool = pool;
  options.parent = parent;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

void* labelled(cadastre_context context, std::size_t size, cadastre_memory_type type, const char* label) {
  cadastre_memory_info_struct info = request(size, type);
  info.label = label;
  return cadastre_malloc(context, info);
}

cadastre_error_struct last(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

// What lies in a block, brought to the host.
std::vector<unsigned char> bytes_of(cadastre_context context, const void* block, std::size_t size) {
  std::vector<unsigned char> bytes(size, 0xee);
  assert_int_equal(cadastre_memcpy(context, bytes.data(), block, size), CADASTRE_SUCCESS);
  return bytes;
}

void fill(cadastre_context context, void* block, std::size_t size, unsigned char first) {
  std::vector<unsigned char> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(first + i);
  assert_int_equal(cadastre_memcpy(context, block, bytes.data(), size), CADASTRE_SUCCESS);
}

template <class Claim>
void for_each_type(Claim claim) {
  for (const cadastre_memory_type type : here.types) claim(type);
}

// After which nothing is left of a context.
void destroy_empty(cadastre_context context) {
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_blocks, 0);
  assert_int_equal(summary.live_leases, 0);
  assert_int_equal(summary.failed_deallocations, 0);
}

void blocks(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    cadastre_memory_info_struct asked = request(10 * kibi, type);
    asked.alignment = 256;
    asked.label = "each";
    auto* const block = static_cast<unsigned char*>(cadastre_malloc(context, asked));
    assert_non_null(block);
    const std::vector<unsigned char> zeros = bytes_of(context, block, 10 * kibi);
    assert_true(std::all_of(zeros.begin(), zeros.end(), [](unsigned char byte) { return byte == 0; }));

    cadastre_memory_info_struct found = cadastre_memory_info_struct_zero;
    assert_int_equal(cadastre_get_malloc_info(context, block, &found), CADASTRE_SUCCESS);
    assert_ptr_equal(found.pointer, block);
    assert_int_equal(found.size, 10 * kibi);
    assert_int_equal(found.type, type);
    assert_int_equal(found.backend, here.backend);
    assert_true(found.alignment >= 256 && reinterpret_cast<std::uintptr_t>(block) % 256 == 0);
    assert_string_equal(found.label, "each");
    std::size_t offset = 0;
    assert_int_equal(cadastre_find_block(context, block + 77, &found, &offset), CADASTRE_SUCCESS);
    assert_true(found.pointer == block && offset == 77);
    assert_int_equal(cadastre_get_malloc_info(context, block + 77, &found), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last(context).reason, CADASTRE_REASON_INSIDE_BLOCK);

    fill(context, block, 10 * kibi, 3);
    auto* const moved = static_cast<unsigned char*>(cadastre_realloc(context, block, 40 * kibi));
    assert_non_null(moved);
    const std::vector<unsigned char> kept = bytes_of(context, moved, 40 * kibi);
    for (std::size_t i = 0; i < 40 * kibi; ++i) assert_int_equal(kept[i], i < 10 * kibi ? static_cast<unsigned char>(3 + i) : 0);
    assert_int_equal(statistics(context, type).live_bytes, 40 * kibi);

    release(context, moved);
    assert_int_equal(cadastre_free(context, moved), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last(context).reason, CADASTRE_REASON_ALREADY_FREED);
    assert_int_equal(statistics(context, type).live_blocks, 0);
    destroy_empty(context);
  });
}

void copies(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    unsigned char *const first = allocate(context, 1000, type), *const second = allocate(context, 1000, type);
    fill(context, first, 1000, 1);
    assert_int_equal(cadastre_memcpy(context, second + 10, first, 990), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memset(context, second, 7, 10), CADASTRE_SUCCESS);
    const std::vector<unsigned char> found = bytes_of(context, second, 1000);
    for (std::size_t i = 0; i < 1000; ++i) assert_int_equal(found[i], i < 10 ? 7 : static_cast<unsigned char>(1 + i - 10));
    // What does not fit is refused as a whole.
    assert_int_equal(cadastre_memcpy(context, second + 10, first, 991), CADASTRE_OUT_OF_BOUNDS);
    assert_int_equal(cadastre_memset(context, second, 9, 1001), CADASTRE_OUT_OF_BOUNDS);
    assert_true(bytes_of(context, second, 1000) == found);
    assert_int_equal(cadastre_memcpy_async(context, first, second, 1000, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_true(bytes_of(context, first, 1000) == found);
    // A device's memory that was freed is known as such; the host's may be another allocator's by now.
    release(context, first);
    if (here.of_a_vendor && type == CADASTRE_DEVICE)
      assert_int_equal(cadastre_memcpy(context, second, first, 1000), CADASTRE_INVALID_ARG_3);
    release(context, second);
    destroy_empty(context);
  });
}

void limits(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context parent = context_here(), context = context_here(CADASTRE_POOL_NONE, parent);
    assert_int_equal(cadastre_set_limit(context, type, 3000), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_set_limit(parent, type, 5000), CADASTRE_SUCCESS);
    unsigned char* const block = allocate(context, 3000, type);
    const cadastre_statistics_struct before = statistics(context, type);
    assert_null(cadastre_malloc(context, request(1, type)));
    assert_int_equal(last(context).exit_code, CADASTRE_LIMIT_EXCEEDED);
    assert_null(cadastre_realloc(context, block, 3001));
    assert_int_equal(last(context).reason, CADASTRE_REASON_LIMIT_EXCEEDED);
    const cadastre_statistics_struct after = statistics(context, type);
    assert_int_equal(after.live_bytes, before.live_bytes);
    assert_int_equal(after.high_water_mark_bytes, 3000);
    assert_int_equal(after.failed_allocations, 2);
    // The parent has 2,000 left for all below it.
    unsigned char* const others = allocate(parent, 2000, type);
    assert_null(cadastre_malloc(parent, request(1, type)));
    assert_int_equal(last(parent).exit_code, CADASTRE_LIMIT_EXCEEDED);
    release(context, block);
    release(parent, allocate(parent, 3000, type));
    release(parent, others);
    destroy_empty(context);
    destroy_empty(parent);
  });
}

// Each allocation, free and copy of this program's fails once (CADASTRE_FAIL, as main sets it), and nothing but that changes.
void faults(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    const auto fails = [&](cadastre_exit_code code) { return code != CADASTRE_SUCCESS; };
    assert_null(labelled(context, 1000, type, "fails malloc"));
    assert_int_equal(last(context).exit_code, CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(statistics(context, type).failed_allocations, 1);
    assert_int_equal(statistics(context, type).live_blocks, 0);
    void* const block = labelled(context, 1000, type, "fails free");
    assert_non_null(block);
    fill(context, block, 1000, 5);
    assert_true(fails(cadastre_free(context, block)));
    assert_int_equal(last(context).exit_code, CADASTRE_DEALLOCATION_FAILED);
    assert_int_equal(statistics(context, type).failed_deallocations, 1);
    assert_int_equal(statistics(context, type).live_bytes, 0);
    // All as before for what comes next.
    unsigned char* const next = allocate(context, 1000, type);
    fill(context, next, 1000, 9);
    assert_int_equal(bytes_of(context, next, 1000)[999], static_cast<unsigned char>(9 + 999));
    release(context, next);
    destroy_empty(context);
  });
}

void forks(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    unsigned char *const block = allocate(context, 2000, type), *const other = allocate(context, 100, CADASTRE_HOST);
    fill(context, block, 2000, 11);
    assert_true(holds_in_a_child([&] {
      cadastre_memory_info_struct found = cadastre_memory_info_struct_zero;
      if (cadastre_get_malloc_info(context, block, &found) != CADASTRE_SUCCESS || found.size != 2000) return false;
      void* const here_too = cadastre_malloc(context, request(500, type));
      if (!here_too != here.of_a_vendor) return false;
      if (here_too && cadastre_free(context, here_too) != CADASTRE_SUCCESS) return false;
      std::vector<unsigned char> bytes(2000);
      if ((cadastre_memcpy(context, bytes.data(), block, 2000) != CADASTRE_SUCCESS) != here.of_a_vendor) return false;
      return cadastre_free(context, block) == CADASTRE_SUCCESS && cadastre_free(context, other) == CADASTRE_SUCCESS &&
             cadastre_context_destroy(context) == CADASTRE_SUCCESS;
    }));
    assert_int_equal(bytes_of(context, block, 2000)[1999], static_cast<unsigned char>(11 + 1999));
    release(context, block);
    release(context, other);
    destroy_empty(context);
  });
}

void threads(void**) {
  for_each_type([](cadastre_memory_type type) {
    constexpr int threads = 4, rounds = sanitized ? 20 : 100;
    const cadastre_context context = context_here();
    std::atomic<int> wrong = 0;
    {
      std::vector<std::jthread> workers;
      for (int number = 0; number < threads; ++number) {
        workers.emplace_back([&, number] {
          for (int round = 0; round < rounds; ++round) {
            const std::size_t size = 100 + static_cast<std::size_t>(number * rounds + round);
            void* const block = cadastre_malloc(context, request(size, type));
            const auto value = static_cast<unsigned char>(number + round);
            unsigned char found = 0;
            const bool right = block && cadastre_memset(context, block, value, size) == CADASTRE_SUCCESS &&
                               cadastre_memcpy(context, &found, static_cast<unsigned char*>(block) + size - 1, 1) == CADASTRE_SUCCESS &&
                               found == value && cadastre_free(context, block) == CADASTRE_SUCCESS;
            if (!right) ++wrong;
          }
        });
      }
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(statistics(context, type).allocations, threads * rounds);
    destroy_empty(context);
  });
}

class Stream {
 public:
  Stream() {
    if (here.has_streams) assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream_, 1u), 0);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (stream_) cuda("cudaStreamDestroy", stream_);
  }
  operator cadastre_queue() const { return stream_ ? reinterpret_cast<cadastre_queue>(stream_) : CADASTRE_DEFAULT_QUEUE; }
  void* stream() const { return stream_; }

 private:
  void* stream_ = nullptr;
};

void queues(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    const Stream queue;
    void* const block = cadastre_malloc_async(context, request(3000, type), queue);
    assert_non_null(block);
    std::vector<unsigned char> bytes(3000, 42), found(3000);
    assert_int_equal(cadastre_memcpy_async(context, block, bytes.data(), 3000, queue), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memset_async(context, block, 43, 1000, queue), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memcpy_async(context, found.data(), block, 3000, queue), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_free_async(context, block, queue), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
    for (std::size_t i = 0; i < 3000; ++i) assert_int_equal(found[i], i < 1000 ? 43 : 42);
    assert_int_equal(cadastre_free(context, block), CADASTRE_INVALID_ARG_2);
    destroy_empty(context);
  });
}

// What would spoil the capture is refused, and the capture ends as if it had not been asked.
void captures(void**) {
  if (!here.has_streams) skip_because("the backend has no queues that are captured");
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    unsigned char *const block = allocate(context, 1000, type), *const target = allocate(context, 1000, CADASTRE_DEVICE);
    fill(context, block, 1000, 8);
    const cadastre_statistics_struct before = statistics(context, type);
    const Stream queue;
    // Host memory of another context is leased there, which has no other.
    const cadastre_context lender = context_here();
    const std::size_t size = 100;
    void* buffer = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    assert_int_equal(cadastre_workspace_acquire_on_queue(lender, CADASTRE_HOST, queue, 1, &size, &buffer, &lease), CADASTRE_SUCCESS);
    constexpr int of_this_thread = 1;
    assert_int_equal(cuda("cudaStreamBeginCapture", queue.stream(), of_this_thread), 0);
    const cadastre_exit_code copied = cadastre_memcpy_async(context, target, block, 1000, queue);
    const cadastre_exit_code waited = cadastre_synchronize(context, queue);
    const cadastre_exit_code freed = cadastre_free_async(context, block, queue);
    const cadastre_exit_code destroyed = cadastre_context_destroy(lender);
    void *graph = nullptr, *ready = nullptr;
    assert_int_equal(cuda("cudaStreamEndCapture", queue.stream(), &graph), 0);
    assert_int_equal(copied, CADASTRE_SUCCESS);
    assert_int_equal(waited, CADASTRE_CAPTURE_ACTIVE);
    assert_int_equal(freed, CADASTRE_CAPTURE_ACTIVE);
    assert_int_equal(destroyed, CADASTRE_CAPTURE_ACTIVE);
    assert_int_equal(cadastre_workspace_release(lender, lease), CADASTRE_SUCCESS);
    destroy_empty(lender);
    assert_int_equal(statistics(context, type).live_blocks, before.live_blocks);
    assert_non_null(graph);
    assert_int_equal(bytes_of(context, target, 1000)[0], 0);  // nothing is done yet
    assert_int_equal(cuda("cudaGraphInstantiateWithFlags", &ready, graph, 0ULL), 0);
    assert_int_equal(cuda("cudaGraphLaunch", ready, queue.stream()), 0);
    assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
    assert_int_equal(bytes_of(context, target, 1000)[0], 8);
    assert_int_equal(cuda("cudaGraphExecDestroy", ready), 0);
    assert_int_equal(cuda("cudaGraphDestroy", graph), 0);
    release(context, block);
    release(context, target);
    destroy_empty(context);
  });
}

void pools(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here(CADASTRE_POOL_CACHING), other = context_here(CADASTRE_POOL_CACHING);
    const std::size_t size = 2 * mebi;
    unsigned char* const block = allocate(context, size, type);
    fill(context, block, 100, 1);
    release(context, block);
    assert_true(pool_of(context, type).releasable_bytes >= size);
    assert_int_equal(statistics(context, type).live_bytes, 0);
    unsigned char* const again = allocate(other, size, type);
    assert_ptr_equal(again, block);
    assert_int_equal(bytes_of(other, again, 100)[0], 0);
    assert_int_equal(pool_of(other, type).hits, 1);
    cadastre_memory_info_struct found = cadastre_memory_info_struct_zero;
    assert_int_not_equal(cadastre_get_malloc_info(context, again, &found), CADASTRE_SUCCESS);
    release(other, again);
    assert_int_equal(cadastre_pool_trim(context, type, 0), CADASTRE_SUCCESS);
    assert_int_equal(pool_of(context, type).releasable_bytes, 0);
    destroy_empty(context);
    destroy_empty(other);
  });
}

void leases(void**) {
  for_each_type([](cadastre_memory_type type) {
    const cadastre_context context = context_here();
    const Stream queue;
    const std::size_t sizes[] = {1000, 5000};
    assert_int_equal(cadastre_workspace_start_size_query(context), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_workspace_set_optimal_size(context, 2, sizes), CADASTRE_SIZE_INCREASED);
    std::size_t needed = 0;
    assert_int_equal(cadastre_workspace_stop_size_query(context, &needed), CADASTRE_SUCCESS);
    assert_true(needed >= 6000);
    assert_int_equal(cadastre_workspace_set_size(context, type, needed), CADASTRE_SUCCESS);
    for (int round = 0; round < 2; ++round) {
      void* buffers[2] = {};
      cadastre_lease lease{};
      assert_int_equal(cadastre_workspace_acquire_on_queue(context, type, queue, 2, sizes, buffers, &lease), CADASTRE_SUCCESS);
      assert_true(buffers[0] && buffers[1]);
      assert_int_equal(cadastre_memset_async(context, buffers[1], 6, 5000, queue), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_synchronize(context, queue), CADASTRE_SUCCESS);
      assert_int_equal(bytes_of(context, buffers[1], 5000)[4999], 6);
      const std::size_t more = 1;
      void* none = nullptr;
      cadastre_lease refused{};
      assert_int_equal(cadastre_workspace_acquire_on_queue(context, type, queue, 1, &more, &none, &refused), CADASTRE_LIMIT_EXCEEDED);
      assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_workspace_release(context, lease), CADASTRE_INVALID_ARG_2);
    }
    cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
    assert_int_equal(cadastre_workspace_get_info(context, type, &info), CADASTRE_SUCCESS);
    assert_true(info.acquisitions == 2 && info.failed_acquisitions == 2 && info.used_bytes == 0);
    assert_int_equal(cadastre_workspace_set_size(context, type, 0), CADASTRE_SUCCESS);
    destroy_empty(context);
  });
}

}  // namespace

int main(int arguments, char** argument) {
  setenv("CADASTRE_EMULATED_DEVICES", "1", 0);
  setenv("CADASTRE_FAIL", "malloc:1+:label=fails malloc,free:1+:label=fails free", 1);
  const CMUnitTest claims[] = {cmocka_unit_test(blocks), cmocka_unit_test(copies),  cmocka_unit_test(limits), cmocka_unit_test(faults),
                               cmocka_unit_test(forks),  cmocka_unit_test(threads), cmocka_unit_test(queues), cmocka_unit_test(captures),
                               cmocka_unit_test(pools),  cmocka_unit_test(leases)};
  const char* const by_default = std::getenv("CADASTRE_BACKEND");
  const std::string named = arguments > 1 ? argument[1] : by_default && std::strcmp(by_default, "host") != 0 ? by_default : "";
  if (!named.empty()) return go_to(named) ? cmocka_run_group_tests_name(named.c_str(), claims, nullptr, nullptr) : 77;
  int failed = 0;
  for (const char* const name : {"host", "emulated", "registered"}) {
    if (!go_to(name)) return 1;
    failed += cmocka_run_group_tests_name(name, claims, nullptr, nullptr);
  }
  return failed;
}
