// Tangled from org/tests/sundials_temporary_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Claims on what a helper for temporaries leases; compiled with several versions of SUNDIALS.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../src/adapters/sundials_leases.hpp"
#include "failing_new.hpp"
#include "sundials_stage.hpp"

namespace {

std::atomic<long> calls_until_failure = 0;  // 0: none fails

}  // namespace

bool allocation_fails() noexcept { return calls_until_failure > 0 && --calls_until_failure == 0; }

namespace {

struct Temporaries : Stage {
  explicit Temporaries(cadastre_backend backend = CADASTRE_BACKEND_HOST) : Stage(backend) {
    assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(helper, SUNTRUE), 0);
  }
  cadastre_workspace_info_struct workspace(SUNMemoryType type = SUNMEMTYPE_HOST) const {
    cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
    assert_int_equal(cadastre_workspace_get_info(context, static_cast<cadastre_memory_type>(type), &info), CADASTRE_SUCCESS);
    return info;
  }
  void set_size(std::size_t bytes, SUNMemoryType type = SUNMEMTYPE_HOST) const {
    assert_int_equal(cadastre_workspace_set_size(context, static_cast<cadastre_memory_type>(type), bytes), CADASTRE_SUCCESS);
  }
  bool is_leased(SUNMemory memory) const {
    cadastre_memory_info_struct info;
    assert_int_equal(cadastre_find_block(context, memory->ptr, &info, nullptr), CADASTRE_SUCCESS);
    return (info.flags & CADASTRE_WORKSPACE_MEMORY) != 0;
  }
  void release_all(std::initializer_list<SUNMemory> all) const {
    for (const SUNMemory memory : all) assert_int_equal(release(helper, memory), 0);
  }
};

struct Helper {
  SUNMemoryHelper helper;
  explicit Helper(SUNMemoryHelper of) : helper(SUNMemoryHelper_Clone(of)) { assert_non_null(helper); }
  ~Helper() { assert_int_equal(SUNMemoryHelper_Destroy(helper), 0); }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  SUNMemory block(std::size_t size) const {
    SUNMemory memory = nullptr;
    assert_int_equal(allocate(helper, &memory, size, SUNMEMTYPE_HOST), 0);
    return memory;
  }
};

void each_memory_type_is_leased_from_its_workspace(void**) {
  const Temporaries stage;
  for (const SUNMemoryType type : all_types) {
    const std::size_t granularity = stage.workspace(type).granularity;
    const SUNMemory first = stage.block(100, type), second = stage.block(3000, type);
    assert_true(stage.is_leased(first) && stage.is_leased(second));
    assert_int_equal(first->type, type);
    assert_int_equal(first->own, SUNTRUE);
    assert_int_equal(bytes_of(second, 3000), 3000);
    assert_int_equal(stride_of(second, 1), 1);
    for (const SUNMemory memory : {first, second}) assert_int_equal(reinterpret_cast<std::uintptr_t>(memory->ptr) % granularity, 0);
    assert_int_equal(stage.workspace(type).live_leases, 2);
    assert_int_equal(stage.workspace(type).used_bytes,
                     (100 + granularity - 1) / granularity * granularity + (3000 + granularity - 1) / granularity * granularity);
    assert_counts(stage.helper, "2 0 3100 3100", type);
    assert_int_not_equal(cadastre_free(stage.context, first->ptr), CADASTRE_SUCCESS);
    stage.release_all({first});
    assert_counts(stage.helper, "2 1 3000 3100", type);
    stage.release_all({second});
    assert_counts(stage.helper, "2 2 0 3100", type);
    assert_int_equal(stage.workspace(type).live_leases, 0);
    const std::int64_t growths = stage.workspace(type).growths;
    for (int i = 0; i < 10; ++i) stage.release_all({stage.block(3000, type)});
    assert_int_equal(stage.workspace(type).growths, growths);
    assert_counts(stage.helper, "12 12 0 3100", type);
  }
}

void strides_are_kept(void**) {
  const Temporaries stage;
  SUNMemory memory = nullptr;
  assert_int_equal(SUNMemoryHelper_AllocStrided_Cadastre(stage.helper, &memory, 120, 24, SUNMEMTYPE_UVM, nullptr), 0);
  assert_true(stage.is_leased(memory));
  assert_int_equal(bytes_of(memory, 120), 120);
  assert_int_equal(stride_of(memory, 24), 24);
  const SUNMemory wrapped = SUNMemoryHelper_Wrap_Cadastre(stage.helper, static_cast<char*>(memory->ptr) + 24, SUNMEMTYPE_UVM);
  assert_int_equal(bytes_of(wrapped, 96), 96);
  assert_int_equal(stride_of(wrapped, 24), 24);
  stage.release_all({wrapped, memory});
}

void no_bytes_are_a_block(void**) {
  const Temporaries stage;
  const SUNMemory memory = stage.block(0);
  assert_non_null(memory->ptr);
  assert_false(stage.is_leased(memory));
  assert_int_equal(stage.workspace().live_leases, 0);
  stage.release_all({memory});
  assert_counts(stage.helper, "1 1 0 0");
}

void leases_end_in_any_order(void**) {
  const Temporaries stage;
  struct Vector {
    SUNMemory memory;
    std::size_t size;
    unsigned char content;
  };
  std::vector<Vector> vectors;
  unsigned state = 1, made = 0;
  std::size_t bytes = 0;
  const auto random = [&](unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  for (int step = 0; step < 3000; ++step) {
    if (vectors.size() < 3 || (vectors.size() < 40 && random(2) == 0)) {
      const std::size_t size = 1 + random(7) * 333;
      const auto content = static_cast<unsigned char>(random(256));
      vectors.push_back({stage.block(size), size, content});
      std::memset(vectors.back().memory->ptr, content, size);
      bytes += size;
      ++made;
      continue;
    }
    std::swap(vectors[random(static_cast<unsigned>(vectors.size()))], vectors.back());
    const Vector gone = vectors.back();
    vectors.pop_back();
    const auto* const begin = static_cast<const unsigned char*>(gone.memory->ptr);
    assert_true(std::all_of(begin, begin + gone.size, [&](unsigned char byte) { return byte == gone.content; }));
    stage.release_all({gone.memory});
    bytes -= gone.size;
    assert_int_equal(stage.workspace().live_leases, vectors.size());
  }
  assert_int_equal(stage.live_blocks() >= 1, 1);
  std::size_t now = 0;
  unsigned long allocations = 0, deallocations = 0;
  assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(stage.helper, SUNMEMTYPE_HOST, &allocations, &deallocations, &now, nullptr), 0);
  assert_int_equal(allocations, made);
  assert_int_equal(deallocations, made - vectors.size());
  assert_int_equal(now, bytes);
  for (const Vector& vector : vectors) stage.release_all({vector.memory});
  assert_int_equal(stage.workspace().live_leases, 0);
}

// A workspace would let it pass: behind the lease is its next one.
void copies_end_where_the_lease_does(void**) {
  const Temporaries stage;
  for (const SUNMemoryType type : all_types) {
    char text[200] = "goes there", back[200] = "";
    const SUNMemory first = stage.block(100, type), second = stage.block(100, type);
    const SUNMemory from = SUNMemoryHelper_Wrap_Cadastre(stage.helper, text, SUNMEMTYPE_HOST);
    const SUNMemory to = SUNMemoryHelper_Wrap_Cadastre(stage.helper, back, SUNMEMTYPE_HOST);
    assert_int_equal(copy(stage.helper, first, from, 100), 0);
    assert_int_equal(copy(stage.helper, second, first, 100), 0);
    assert_int_equal(copy(stage.helper, to, second, 100), 0);
    assert_string_equal(back, text);
    std::strcpy(text, "must not come");
    assert_int_equal(copy(stage.helper, first, from, 101), CODE(ARG_OUTOFRANGE));
    assert_int_equal(copy(stage.helper, to, first, 101), CODE(ARG_OUTOFRANGE));
    assert_int_equal(SUNMemoryHelper_CopyAsync_Cadastre(stage.helper, first, second, 101, nullptr), CODE(ARG_OUTOFRANGE));
    const SUNMemory inside = SUNMemoryHelper_Wrap_Cadastre(stage.helper, static_cast<char*>(first->ptr) + 90, type);
    assert_int_equal(copy(stage.helper, to, inside, 10), 0);
    assert_int_equal(copy(stage.helper, to, inside, 11), CODE(ARG_OUTOFRANGE));
    assert_int_equal(copy(stage.helper, to, first, 100), 0);
    assert_string_equal(back, "goes there");
    stage.release_all({inside, first});
    assert_int_equal(copy(stage.helper, to, second, 100), 0);
    stage.release_all({second, from, to});
  }
}

void alias_and_wrap_know_the_lease(void**) {
  const Temporaries stage;
  const SUNMemory memory = stage.block(100), next = stage.block(100);
  const SUNMemory bare = sundials_alias(stage.helper, memory);
  const SUNMemory alias = SUNMemoryHelper_Alias_Cadastre(stage.helper, bare);
  const SUNMemory wrapped = SUNMemoryHelper_Wrap_Cadastre(stage.helper, static_cast<char*>(memory->ptr) + 36, SUNMEMTYPE_HOST);
  assert_ptr_equal(alias->ptr, memory->ptr);
  assert_int_equal(alias->own, SUNFALSE);
  assert_int_equal(bytes_of(alias, 100), 100);
  assert_int_equal(bytes_of(wrapped, 64), 64);
  stage.release_all({bare, alias, wrapped});
  assert_int_equal(stage.workspace().live_leases, 2);  // they owned nothing
  stage.release_all({memory, next});
}

// As an integrator runs: vectors that stay, and others that come and go.
void run(const Temporaries& stage) {
  std::array<SUNMemory, 8> kept;
  for (SUNMemory& memory : kept) memory = stage.block(1000);
  for (int step = 0; step < 5; ++step) {
    std::array<SUNMemory, 4> stages;
    for (SUNMemory& memory : stages) memory = stage.block(1000);
    for (const SUNMemory memory : stages) stage.release_all({memory});
  }
  for (const SUNMemory memory : kept) stage.release_all({memory});
}

void the_size_is_known_after_a_run(void**) {
  const Temporaries stage;
  run(stage);
  const std::size_t needed = stage.workspace().high_water_mark_bytes;
  assert_int_equal(needed % stage.workspace().granularity, 0);
  assert_in_range(needed, 12 * 1000, 12 * (1000 + stage.workspace().granularity));
  stage.set_size(needed);
  const cadastre_workspace_info_struct before = stage.workspace();
  run(stage);
  assert_int_equal(stage.workspace().growths, before.growths);
  assert_int_equal(stage.workspace().failed_acquisitions, before.failed_acquisitions);
  assert_int_equal(stage.workspace().acquisitions, before.acquisitions + 28);
  assert_int_equal(stage.workspace().reserved_bytes, needed);
  stage.set_size(needed - stage.workspace().granularity);
  run(stage);
  assert_int_not_equal(stage.workspace().failed_acquisitions, before.failed_acquisitions);
}

void what_a_full_workspace_refuses_is_a_block(void**) {
  const Temporaries stage;
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, "did not fit"), 0);
  stage.set_size(1024);
  const SUNMemory first = stage.block(1000), second = stage.block(1000);
  assert_true(stage.is_leased(first));
  assert_false(stage.is_leased(second));
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(stage.context, &error), CADASTRE_SUCCESS);
  assert_int_equal(error.exit_code, CADASTRE_LIMIT_EXCEEDED);
  assert_string_equal(known(stage.context, second->ptr).label, "did not fit");
  assert_int_equal(known(stage.context, second->ptr).size, 1000);
  assert_int_equal(stage.workspace().failed_acquisitions, 1);
  assert_counts(stage.helper, "2 0 2000 2000");
  stage.release_all({first});
  const SUNMemory third = stage.block(1000);
  assert_true(stage.is_leased(third));
  stage.release_all({second, third});
  assert_counts(stage.helper, "3 3 0 2000");
  // What no machine holds is refused by both.
  SUNMemory none = nullptr;
  assert_int_not_equal(allocate(stage.helper, &none, ~std::size_t{0} / 4, SUNMEMTYPE_HOST), 0);
  assert_null(none);
  assert_counts(stage.helper, "3 3 0 2000");
}

void a_size_query_is_no_time_for_vectors(void**) {
  const Temporaries stage;
  SUNMemory memory = nullptr;
  std::size_t bytes = 0;
  const std::int64_t blocks = stage.live_blocks();
  assert_int_equal(cadastre_workspace_start_size_query(stage.context), CADASTRE_SUCCESS);
  assert_int_equal(allocate(stage.helper, &memory, 100, SUNMEMTYPE_HOST), CODE(ARG_CORRUPT));
  assert_null(memory);
  assert_int_equal(stage.live_blocks(), blocks);
  assert_counts(stage.helper, "0 0 0 0");
  assert_int_equal(cadastre_workspace_stop_size_query(stage.context, &bytes), CADASTRE_SUCCESS);
  stage.release_all({stage.block(100)});
}

void the_switch_concerns_what_comes_later(void**) {
  const Temporaries stage;
  const SUNMemory leased = stage.block(100);
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(stage.helper, SUNFALSE), 0);
  const SUNMemory block = stage.block(100);
  assert_true(stage.is_leased(leased));
  assert_false(stage.is_leased(block));
  stage.release_all({leased});
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(stage.helper, SUNTRUE), 0);
  stage.release_all({block});
  assert_counts(stage.helper, "2 2 0 200");
  assert_int_equal(stage.workspace().live_leases, 0);
}

void clones_are_for_temporaries_too(void**) {
  const Temporaries stage;
  const Helper clone(stage.helper), of_clone(clone.helper);
  const SUNMemory memory = of_clone.block(100);
  assert_true(stage.is_leased(memory));
  assert_counts(of_clone.helper, "1 0 100 100");
  assert_counts(stage.helper, "0 0 0 0");
  // Each has a switch of its own.
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(clone.helper, SUNFALSE), 0);
  const Helper late(clone.helper);
  const SUNMemory block = late.block(100), second = stage.block(100);
  assert_false(stage.is_leased(block));
  assert_true(stage.is_leased(second));
  stage.release_all({memory, block, second});
  // A helper at the place of one for temporaries is as a new one.
  SUNMemoryHelper_Destroy(SUNMemoryHelper_Clone(stage.helper));
  const SUNMemoryHelper fresh = helper_on(stage.context);
  SUNMemory own = nullptr;
  assert_int_equal(allocate(fresh, &own, 100, SUNMEMTYPE_HOST), 0);
  assert_false(stage.is_leased(own));
  assert_int_equal(release(fresh, own), 0);
  assert_int_equal(SUNMemoryHelper_Destroy(fresh), 0);
}

void any_helper_of_the_context_deallocates(void**) {
  const Temporaries stage;
  const SUNMemoryHelper plain = helper_on(stage.context);
  SUNMemory lasting = nullptr;
  {
    const Helper clone(stage.helper);
    const SUNMemory memory = clone.block(70);
    lasting = clone.block(30);
    assert_int_equal(release(plain, memory), 0);
    assert_counts(clone.helper, "2 0 30 100");
    assert_counts(plain, "0 1 0 0");
  }
  assert_int_equal(release(plain, lasting), 0);
  assert_counts(plain, "0 2 0 0");
  assert_int_equal(stage.workspace().live_leases, 0);
  // Not one of another context.
  const Temporaries other;
  const SUNMemory memory = stage.block(10);
  assert_int_not_equal(release(other.helper, memory), 0);
  assert_counts(other.helper, "0 0 0 0");
  assert_counts(stage.helper, "1 0 10 10");
  stage.release_all({memory});
  assert_int_equal(SUNMemoryHelper_Destroy(plain), 0);
}

void a_custom_helper_shares_the_switch(void**) {
  const Temporaries stage;
  const SUNMemoryHelper custom = empty_helper();
  assert_int_equal(SUNMemoryHelper_CopyOps(stage.helper, custom), 0);
  custom->content = stage.helper->content;
  SUNMemory memory = nullptr;
  assert_int_equal(allocate(custom, &memory, 10, SUNMEMTYPE_HOST), 0);
  assert_true(stage.is_leased(memory));
  assert_int_equal(release(custom, memory), 0);
  custom->content = nullptr;
  assert_int_equal(SUNMemoryHelper_Destroy(custom), 0);
}

void bad_input_is_refused(void**) {
  const Temporaries stage;
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(nullptr, SUNTRUE), CODE(ARG_CORRUPT));
  for (const int neither : {2, -1, 4096}) {
    assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(stage.helper, neither), CODE(ARG_OUTOFRANGE));
  }
  const SUNMemoryHelper foreign = empty_helper();
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(foreign, SUNTRUE), CODE(ARG_INCOMPATIBLE));
  foreign->content = &foreign->content;
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(foreign, SUNTRUE), CODE(ARG_INCOMPATIBLE));
  foreign->content = nullptr;
  std::free(foreign->ops);
  std::free(foreign);
  const SUNMemory memory = stage.block(8);
  assert_true(stage.is_leased(memory));  // it stays as it was
  assert_int_equal(allocate(stage.helper, nullptr, 8, SUNMEMTYPE_HOST), CODE(ARG_CORRUPT));
  assert_int_equal(allocate_of_no_type(stage.helper, nullptr, 4), CODE(ARG_CORRUPT));
  SUNMemory none = nullptr;
  assert_int_equal(allocate_of_no_type(stage.helper, &none, 4), CODE(ARG_OUTOFRANGE));
  // Neither what lies in a lease, nor a lease that ended.
  const SUNMemory inside = SUNMemoryHelper_Wrap_Cadastre(stage.helper, static_cast<char*>(memory->ptr) + 1, SUNMEMTYPE_HOST);
  const SUNMemory again = SUNMemoryHelper_Wrap_Cadastre(stage.helper, memory->ptr, SUNMEMTYPE_HOST);
  inside->own = again->own = SUNTRUE;
  assert_int_equal(release(stage.helper, inside), CODE(ARG_CORRUPT));
  stage.release_all({memory});
  assert_int_equal(release(stage.helper, again), CODE(ARG_CORRUPT));
  assert_counts(stage.helper, "1 1 0 8");
  inside->own = again->own = SUNFALSE;
  stage.release_all({inside, again});
  forget_errors();
}

void a_context_that_is_gone_is_an_error(void**) {
  const Temporaries stage;
  const SUNMemory memory = stage.block(100);
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  assert_int_equal(cadastre_context_destroy_with_summary(stage.context, &summary), CADASTRE_SUCCESS);
  assert_int_equal(summary.live_leases, 1);
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(release(stage.helper, memory), CODE(ARG_CORRUPT));
    assert_counts(stage.helper, "1 0 100 100");
  }
  SUNMemory none = nullptr;
  assert_int_equal(allocate(stage.helper, &none, 100, SUNMEMTYPE_HOST), CODE(ARG_CORRUPT));
  assert_null(none);
  std::free(memory);
  forget_errors();
}

void contexts_that_are_gone_do_no_harm(void**) {
  const Temporaries stage;
  std::vector<SUNMemory> kept;
  for (int i = 0; i < 300; ++i) {
    const Temporaries gone;
    std::free(gone.block(16));
    kept.push_back(stage.block(16));
  }
  assert_int_equal(stage.workspace().live_leases, 300);
  for (const SUNMemory memory : kept) stage.release_all({memory});
  assert_counts(stage.helper, "300 300 0 4800");
}

void entries_of_contexts_that_are_gone_are_forgotten(void**) {
  static constinit cadastre::adapter::Leases leases;  // its table is never destroyed
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  leases.begin();
  for (std::uintptr_t i = 0; i < 1000; ++i) {
    const cadastre_context gone = context_on(CADASTRE_BACKEND_HOST);
    auto entry = leases.make();
    entry.key() = {i % 100 == 0 ? context : gone, 4096 * i};
    leases.enter(std::move(entry));
    assert_int_equal(cadastre_context_destroy(gone), CADASTRE_SUCCESS);
  }
  assert_in_range(leases.size(), 10, 64);
  for (std::uintptr_t i = 0; i < 10; ++i) assert_false(leases.take({context, 4096 * 100 * i}).empty());
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

bool free_is_refused = false;
void* spare = nullptr;
constexpr std::size_t size_of_all = 4096;
cadastre_backend stubborn_backend() {
  static const cadastre_backend number = [] {
    cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
    operations.memory_type_mask = 1u << CADASTRE_DEVICE;
    operations.device_count = 1;
    operations.allocate = [](void*, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
      if (request->size > size_of_all) return std::int32_t{1};
      if (!spare) spare = std::aligned_alloc(size_of_all, size_of_all);
      *pointer = std::exchange(spare, nullptr);
      return std::int32_t{0};
    };
    operations.free = [](void*, const cadastre_memory_info_struct* block) {
      if (free_is_refused) return std::int32_t{77};
      std::free(std::exchange(spare, block->pointer));
      return std::int32_t{0};
    };
    operations.copy = [](void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                         std::size_t size, cadastre_queue) {
      std::memcpy(to, from, size);
      return std::int32_t{0};
    };
    operations.set = [](void*, void* to, const cadastre_memory_info_struct*, int value, std::size_t size, cadastre_queue) {
      std::memset(to, value, size);
      return std::int32_t{0};
    };
    return cadastre_backend_register("stubborn", &operations, nullptr);
  }();
  assert_int_not_equal(number, CADASTRE_INVALID_BACKEND);
  return number;
}

void a_lease_where_a_block_was_is_a_lease(void**) {
  const Temporaries stage(stubborn_backend());
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(stage.helper, SUNFALSE), 0);
  const SUNMemory block = stage.block(100, SUNMEMTYPE_DEVICE);
  assert_int_equal(cadastre_free(stage.context, block->ptr), CADASTRE_SUCCESS);
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(stage.helper, SUNTRUE), 0);
  const SUNMemory leased = stage.block(30, SUNMEMTYPE_DEVICE);
  assert_ptr_equal(leased->ptr, block->ptr);
  assert_counts(stage.helper, "2 0 30 100", SUNMEMTYPE_DEVICE);
  stage.release_all({leased});
  assert_counts(stage.helper, "2 1 0 100", SUNMEMTYPE_DEVICE);
  assert_int_equal(stage.workspace(SUNMEMTYPE_DEVICE).live_leases, 0);
  block->own = SUNFALSE;
  stage.release_all({block});
}

// Leases are numbered in turn, so a program may guess.
void a_lease_that_was_released_behind_our_back_comes_off(void**) {
  const Temporaries stage;
  const std::size_t size = 64;
  void* pointer = nullptr;
  cadastre_lease before = CADASTRE_NULL_LEASE;
  assert_int_equal(cadastre_workspace_acquire(stage.context, CADASTRE_HOST, 1, &size, &pointer, &before), CADASTRE_SUCCESS);
  const SUNMemory lost = stage.block(50);
  assert_int_equal(cadastre_workspace_release(stage.context, before + 1), CADASTRE_SUCCESS);
  assert_int_equal(release(stage.helper, lost), CODE(ARG_CORRUPT));
  assert_counts(stage.helper, "1 0 50 50");
  const SUNMemory memory = stage.block(60);
  assert_ptr_equal(memory->ptr, lost->ptr);
  assert_counts(stage.helper, "2 0 60 60");
  stage.release_all({memory});
  assert_counts(stage.helper, "2 1 0 60");
  assert_int_equal(cadastre_workspace_release(stage.context, before), CADASTRE_SUCCESS);
  lost->own = SUNFALSE;
  stage.release_all({lost});
  forget_errors();
}

// Its leases are still in the table, before the other's: this claim is the first one.
void leases_of_a_context_that_is_gone_bound_no_copies(void**) {
  const Temporaries one(stubborn_backend()), two(stubborn_backend());
  const Temporaries &gone = one.context < two.context ? one : two, &stage = one.context < two.context ? two : one;
  const SUNMemory lost = gone.block(30, SUNMEMTYPE_DEVICE);
  void* const place = lost->ptr;
  std::free(lost);
  assert_int_equal(cadastre_context_destroy(gone.context), CADASTRE_SUCCESS);
  assert_int_equal(SUNMemoryHelper_SetTemporary_Cadastre(stage.helper, SUNFALSE), 0);
  const SUNMemory memory = stage.block(100, SUNMEMTYPE_DEVICE);
  assert_ptr_equal(memory->ptr, place);
  char text[100] = "goes there";
  const SUNMemory from = SUNMemoryHelper_Wrap_Cadastre(stage.helper, text, SUNMEMTYPE_HOST);
  assert_int_equal(copy(stage.helper, memory, from, 100), 0);
  const SUNMemory wrapped = SUNMemoryHelper_Wrap_Cadastre(stage.helper, place, SUNMEMTYPE_DEVICE);
  assert_int_equal(bytes_of(wrapped, 100), 100);
  stage.release_all({from, wrapped, memory});
  assert_counts(stage.helper, "1 1 0 100", SUNMEMTYPE_DEVICE);
}

// The object of a lease that ended can be freed, and frees nothing else.
void a_lease_ends_though_the_backend_fails(void**) {
  const Temporaries stage(stubborn_backend());
  stage.set_size(CADASTRE_WORKSPACE_PER_LEASE, SUNMEMTYPE_DEVICE);
  const SUNMemory memory = stage.block(30, SUNMEMTYPE_DEVICE);
  void* const lost = memory->ptr;
  free_is_refused = true;
  const int code = release(stage.helper, memory);
  free_is_refused = false;
  assert_int_equal(code, CODE(MEM_FAIL));
  assert_int_equal(memory->own, SUNFALSE);
  assert_counts(stage.helper, "1 1 0 30", SUNMEMTYPE_DEVICE);
  assert_int_equal(stage.workspace(SUNMEMTYPE_DEVICE).live_leases, 0);
  stage.release_all({memory});
  assert_counts(stage.helper, "1 1 0 30", SUNMEMTYPE_DEVICE);
  std::free(lost);
  forget_errors();
}

void without_host_memory_nothing_is_leased(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  const Temporaries stage;
  bool succeeded = false;
  int failed = 0;
  for (long k = 1; !succeeded; ++k) {
    assert_true(k < 100);
    SUNMemory memory = nullptr;
    const std::string before = counts(stage.helper);
    const Helper fresh(stage.helper);
    calls_until_failure = k;
    const int switched = SUNMemoryHelper_SetTemporary_Cadastre(fresh.helper, SUNTRUE);
    const int code = switched ? switched : allocate(fresh.helper, &memory, 100, SUNMEMTYPE_HOST);
    succeeded = calls_until_failure > 0;  // nobody asked so often
    calls_until_failure = 0;
    if (code != 0) {
      ++failed;
      assert_true(code == CODE(MALLOC_FAIL) && !memory);
      assert_counts(fresh.helper, "0 0 0 0");
    } else {
      // Or a block, where the workspace had none for its books.
      assert_counts(fresh.helper, "1 0 100 100");
      calls_until_failure = 1;
      const int freed = release(fresh.helper, memory);
      calls_until_failure = 0;
      assert_int_equal(freed, 0);
    }
    assert_int_equal(stage.workspace().live_leases, 0);
    assert_string_equal(counts(stage.helper).c_str(), before.c_str());
  }
  assert_in_range(failed, 1, 100);
}

void threads_lease_beside_each_other(void**) {
  const Temporaries stage;
  const Helper clone(stage.helper);
  std::atomic<int> failures = 0;
  std::array<std::atomic<SUNMemory>, 4> handed = {};  // one thread allocates, the next one deallocates
  std::vector<std::thread> threads;
  constexpr std::size_t each = 200;
  for (std::size_t t = 0; t < handed.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < each; ++i) {
        SUNMemory memory = nullptr;
        const std::size_t size = 64 + 100 * t;
        failures += allocate(t % 2 ? clone.helper : stage.helper, &memory, size, SUNMEMTYPE_HOST) != 0;
        std::memset(memory->ptr, static_cast<int>(t), size);
        SUNMemory other = handed[t].exchange(memory);
        if (other) failures += release(stage.helper, other) != 0;
        other = handed[(t + 1) % handed.size()].exchange(nullptr);
        if (other) {
          const std::size_t last = 64 + 100 * ((t + 1) % handed.size()) - 1;
          failures += static_cast<const char*>(other->ptr)[last] != static_cast<char>((t + 1) % handed.size());
          failures += copy(stage.helper, other, other, last + 2) == 0;
          failures += release(clone.helper, other) != 0;
        }
        counts(stage.helper);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& left : handed) {
    if (left.load()) failures += release(stage.helper, left.load()) != 0;
  }
  forget_errors();
  assert_int_equal(failures, 0);
  assert_int_equal(stage.workspace().live_leases, 0);
  for (const SUNMemoryHelper helper : {stage.helper, clone.helper}) {
    unsigned long allocations = 0;
    std::size_t bytes = 1;
    assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(helper, SUNMEMTYPE_HOST, &allocations, nullptr, &bytes, nullptr), 0);
    assert_int_equal(allocations, 2 * each);
    assert_int_equal(bytes, 0);
  }
}

// While other threads of the parent are in the middle of a call.
void a_child_process_may_lease(void**) {
  const Temporaries stage;
  const SUNMemory before = stage.block(64);
  std::atomic<bool> ends = false;
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&] {
      while (!ends) release(stage.helper, SUNMemoryHelper_Wrap_Cadastre(stage.helper, before->ptr, SUNMEMTYPE_HOST));
    });
  }
  int failures = 0;
  for (int i = 0; i < 100 && failures == 0; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      SUNMemory memory = nullptr;
      _exit(allocate(stage.helper, &memory, 8, SUNMEMTYPE_HOST) == 0 && release(stage.helper, memory) == 0 &&
                    release(stage.helper, before) == 0
                ? 0
                : 1);
    }
    int status = -1;
    failures += waitpid(child, &status, 0) != child || status != 0;
  }
  ends = true;
  for (std::thread& thread : busy) thread.join();
  assert_int_equal(failures, 0);
  stage.release_all({before});
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(leases_of_a_context_that_is_gone_bound_no_copies),
      cmocka_unit_test(each_memory_type_is_leased_from_its_workspace),
      cmocka_unit_test(strides_are_kept),
      cmocka_unit_test(no_bytes_are_a_block),
      cmocka_unit_test(leases_end_in_any_order),
      cmocka_unit_test(copies_end_where_the_lease_does),
      cmocka_unit_test(alias_and_wrap_know_the_lease),
      cmocka_unit_test(the_size_is_known_after_a_run),
      cmocka_unit_test(what_a_full_workspace_refuses_is_a_block),
      cmocka_unit_test(a_size_query_is_no_time_for_vectors),
      cmocka_unit_test(the_switch_concerns_what_comes_later),
      cmocka_unit_test(clones_are_for_temporaries_too),
      cmocka_unit_test(any_helper_of_the_context_deallocates),
      cmocka_unit_test(a_custom_helper_shares_the_switch),
      cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(a_context_that_is_gone_is_an_error),
      cmocka_unit_test(contexts_that_are_gone_do_no_harm),
      cmocka_unit_test(entries_of_contexts_that_are_gone_are_forgotten),
      cmocka_unit_test(a_lease_where_a_block_was_is_a_lease),
      cmocka_unit_test(a_lease_that_was_released_behind_our_back_comes_off),
      cmocka_unit_test(a_lease_ends_though_the_backend_fails),
      cmocka_unit_test(without_host_memory_nothing_is_leased),
      cmocka_unit_test(threads_lease_beside_each_other),
      cmocka_unit_test(a_child_process_may_lease),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
