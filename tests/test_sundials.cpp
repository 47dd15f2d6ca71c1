// Tangled from org/tests/sundials_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Claims on the helper; compiled with each version of SUNDIALS.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "failing_new.hpp"
#include "sundials_stage.hpp"

namespace {

std::atomic<long> calls_until_failure = 0;  // 0: none fails

}  // namespace

bool allocation_fails() noexcept { return calls_until_failure > 0 && --calls_until_failure == 0; }

#ifdef CADASTRE_TEST_WRAPS_CALLOC
extern "C" void* __real_calloc(std::size_t count, std::size_t size);
extern "C" void* __wrap_calloc(std::size_t count, std::size_t size);
extern "C" void* __wrap_calloc(std::size_t count, std::size_t size) { return allocation_fails() ? nullptr : __real_calloc(count, size); }
#endif

namespace {

// A backend of DEVICE memory that may refuse, and grants the address that was freed last to a request of the same size.
bool free_is_refused = false;
struct Spare {
  void* pointer = nullptr;
  std::size_t size = 0;
  ~Spare() { std::free(pointer); }
} spare;
cadastre_backend stubborn_backend() {
  static const cadastre_backend number = [] {
    cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
    operations.memory_type_mask = 1u << CADASTRE_DEVICE;
    operations.device_count = 1;
    operations.allocate = [](void*, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
      *pointer = spare.size == request->size && spare.pointer ? std::exchange(spare.pointer, nullptr)
                                                              : std::aligned_alloc(64, (request->size + 64) / 64 * 64);
      return *pointer ? std::int32_t{0} : std::int32_t{1};
    };
    operations.free = [](void*, const cadastre_memory_info_struct* block) {
      if (free_is_refused) return std::int32_t{77};
      std::free(spare.pointer);
      spare.pointer = block->pointer;
      spare.size = block->size;
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
    return cadastre_backend_register("stubborn, 100%s", &operations, nullptr);
  }();
  assert_int_not_equal(number, CADASTRE_INVALID_BACKEND);
  return number;
}

template <class Table>
void assert_all_there(const Table& table) {
  assert_true(table.alloc && table.dealloc && table.copy && table.copyasync && table.clone && table.destroy);
  if constexpr (requires { table.allocstrided; }) assert_non_null(table.allocstrided);
  if constexpr (requires { table.getallocstats; }) assert_non_null(table.getallocstats);
  // Nothing that is in the table was forgotten above.
  const auto* const entries = reinterpret_cast<void* const*>(&table);
  for (std::size_t i = 0; i < sizeof table / sizeof *entries; ++i) assert_non_null(entries[i]);
}
void the_table_has_all_operations(void**) {
  const Stage stage;
  assert_all_there(*stage.helper->ops);
}

void each_memory_type_is_allocated_in_the_registry(void**) {
  const Stage stage;
  for (const SUNMemoryType type : all_types) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      const SUNMemory memory = stage.block(size, type);
      assert_non_null(memory->ptr);
      assert_int_equal(memory->type, type);
      assert_true(memory->own);
      assert_int_equal(bytes_of(memory, size), size);
      assert_int_equal(stride_of(memory, 1), 1);
      const cadastre_memory_info_struct info = known(stage.context, memory->ptr);
      assert_int_equal(info.size, size);
      assert_int_equal(info.type, type);
      assert_int_equal(info.stride, 0);
      assert_int_equal(info.flags, CADASTRE_UNINITIALIZED);
      assert_string_equal(info.label, "SUNDIALS");
      assert_int_equal(release(stage.helper, memory), 0);
    }
  }
  assert_int_equal(stage.live_blocks(), 0);
}

void memory_that_is_refused_changes_nothing(void**) {
  const Stage stage;
  const SUNMemory untouched = reinterpret_cast<SUNMemory>(&free_is_refused);
  SUNMemory memory = untouched;
  assert_int_equal(allocate(stage.helper, nullptr, 8, SUNMEMTYPE_HOST), CODE(ARG_CORRUPT));
  assert_int_equal(allocate_of_no_type(stage.helper, &memory, 4), CODE(ARG_OUTOFRANGE));
  assert_int_equal(allocate_of_no_type(stage.helper, &memory, -1), CODE(ARG_OUTOFRANGE));
  assert_int_equal(allocate(stage.helper, &memory, SIZE_MAX - 5, SUNMEMTYPE_HOST), CODE(ARG_OUTOFRANGE));
  assert_int_equal(cadastre_set_limit(stage.context, CADASTRE_HOST, 100), CADASTRE_SUCCESS);
  assert_int_equal(allocate(stage.helper, &memory, 101, SUNMEMTYPE_HOST), CODE(MALLOC_FAIL));
  assert_ptr_equal(memory, untouched);
  assert_counts(stage.helper, "0 0 0 0");
  assert_int_equal(stage.live_blocks(), 0);

  const Stage devices_only(stubborn_backend());
  assert_int_equal(allocate(devices_only.helper, &memory, 8, SUNMEMTYPE_PINNED), CODE(ARG_INCOMPATIBLE));
  assert_ptr_equal(memory, untouched);
}

void strides_are_recorded(void**) {
  const Stage stage;
  SUNMemory memory = nullptr;
  const auto strided = [&](std::size_t size, std::size_t stride) {
    return SUNMemoryHelper_AllocStrided_Cadastre(stage.helper, &memory, size, stride, SUNMEMTYPE_HOST, nullptr);
  };
  assert_int_equal(strided(64, 64), 0);
  assert_int_equal(release(stage.helper, memory), 0);
  assert_int_equal(strided(64, 16), 0);
  assert_int_equal(known(stage.context, memory->ptr).stride, 16);
  assert_int_equal(known(stage.context, memory->ptr).flags, CADASTRE_UNINITIALIZED);
  assert_int_equal(stride_of(memory, 16), 16);
  assert_int_equal(bytes_of(memory, 64), 64);
  assert_counts(stage.helper, "2 1 64 64");
  assert_int_equal(release(stage.helper, memory), 0);
}

// SUNDIALS' own helpers look at no stride. What no element can have is the object's, and not the registry's.
void every_stride_is_taken(void**) {
  const Stage stage;
  const struct {
    std::size_t size, stride;
  } cases[] = {{64, 0}, {64, 65}, {64, SIZE_MAX}, {0, 0}, {0, 8}};
  for (const auto& [size, stride] : cases) {
    SUNMemory memory = nullptr;
    assert_int_equal(SUNMemoryHelper_AllocStrided_Cadastre(stage.helper, &memory, size, stride, SUNMEMTYPE_HOST, nullptr), 0);
    assert_non_null(memory->ptr);
    assert_int_equal(bytes_of(memory, size), size);
    assert_true(stride_of(memory, stride) == stride);
    assert_int_equal(known(stage.context, memory->ptr).size, size);
    assert_int_equal(known(stage.context, memory->ptr).stride, 0);
    assert_int_equal(release(stage.helper, memory), 0);
  }
  assert_counts(stage.helper, "5 5 0 64");
}

void the_owner_frees_and_nobody_else(void**) {
  const Stage stage;
  const SUNMemory memory = stage.block(40);
  const SUNMemory others[] = {sundials_alias(stage.helper, memory), SUNMemoryHelper_Alias_Cadastre(stage.helper, memory),
                              sundials_wrap(stage.helper, memory->ptr, SUNMEMTYPE_HOST),
                              SUNMemoryHelper_Wrap_Cadastre(stage.helper, memory->ptr, SUNMEMTYPE_HOST)};
  for (const SUNMemory other : others) {
    assert_ptr_equal(other->ptr, memory->ptr);
    assert_int_equal(other->type, memory->type);
    assert_false(other->own);
    assert_int_equal(release(stage.helper, other), 0);
    assert_int_equal(known(stage.context, memory->ptr).size, 40);
  }
  assert_counts(stage.helper, "1 0 40 40");
  assert_int_equal(release(stage.helper, memory), 0);
  assert_int_equal(stage.live_blocks(), 0);
}

void a_failed_free_changes_no_count(void**) {
  const Stage stage(stubborn_backend());
  const SUNMemory memory = stage.block(24, SUNMEMTYPE_DEVICE);
  void* const pointer = memory->ptr;
  free_is_refused = true;
  assert_int_equal(release(stage.helper, memory), CODE(MEM_FAIL));
  free_is_refused = false;
  assert_counts(stage.helper, "1 0 24 24", SUNMEMTYPE_DEVICE);
  assert_ptr_equal(memory->ptr, pointer);
  assert_int_equal(release(stage.helper, memory), CODE(ARG_CORRUPT));  // the registry has given it up
  assert_counts(stage.helper, "1 0 24 24", SUNMEMTYPE_DEVICE);
  memory->own = SUNFALSE;
  assert_int_equal(release(stage.helper, memory), 0);
  std::free(pointer);
}

void what_is_no_block_is_not_freed(void**) {
  const Stage stage, other;
  char plain[8];
  const SUNMemory memory = stage.block(16);
  const SUNMemory claimed = SUNMemoryHelper_Alias_Cadastre(stage.helper, memory);
  claimed->own = SUNTRUE;
  claimed->ptr = static_cast<char*>(memory->ptr) + 8;
  assert_int_equal(release(stage.helper, claimed), CODE(ARG_CORRUPT));
  claimed->ptr = plain;
  assert_int_equal(release(stage.helper, claimed), CODE(ARG_CORRUPT));
  assert_int_equal(release(other.helper, memory), CODE(ARG_CORRUPT));
  assert_counts(stage.helper, "1 0 16 16");
  assert_counts(other.helper, "0 0 0 0");
  claimed->ptr = nullptr;
  assert_int_equal(release(stage.helper, claimed), 0);
  assert_int_equal(release(stage.helper, memory), 0);
  assert_counts(stage.helper, "1 1 0 16");

  // A block that cadastre_malloc made may be handed over.
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 5;
  info.type = CADASTRE_UVM;
  const SUNMemory given = SUNMemoryHelper_Wrap_Cadastre(stage.helper, cadastre_malloc(stage.context, info), SUNMEMTYPE_DEVICE);
  given->own = SUNTRUE;
  assert_int_equal(release(stage.helper, given), 0);
  assert_counts(stage.helper, "0 1 0 0", SUNMEMTYPE_UVM);
  assert_int_equal(stage.live_blocks(), 0);
}

void each_type_is_copied_to_each(void**) {
  const Stage stage;
  for (const bool waits : {true, false}) {
    const auto moved = [&](SUNMemory to, SUNMemory from, std::size_t size) {
      return waits ? copy(stage.helper, to, from, size) : SUNMemoryHelper_CopyAsync(stage.helper, to, from, size, nullptr);
    };
    for (const SUNMemoryType to_type : all_types) {
      for (const SUNMemoryType from_type : all_types) {
        double first[3] = {1.5, 2.5, static_cast<double>(to_type * 4 + from_type)}, last[3] = {};
        const SUNMemory from = stage.block(sizeof first, from_type), to = stage.block(sizeof first, to_type);
        const SUNMemory here = sundials_wrap(stage.helper, first, SUNMEMTYPE_HOST);
        const SUNMemory back = sundials_wrap(stage.helper, last, SUNMEMTYPE_HOST);
        assert_int_equal(moved(from, here, sizeof first), 0);
        assert_int_equal(moved(to, from, sizeof first), 0);
        assert_int_equal(moved(back, to, sizeof first), 0);
        assert_int_equal(cadastre_synchronize(stage.context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
        assert_memory_equal(first, last, sizeof first);
        for (const SUNMemory memory : {from, to, here, back}) assert_int_equal(release(stage.helper, memory), 0);
      }
    }
  }
  assert_int_equal(stage.live_blocks(), 0);
}

void copies_are_checked(void**) {
  const Stage stage;
  char plain[64] = "as it was";
  const SUNMemory memory = stage.block(16, SUNMEMTYPE_DEVICE);
  const SUNMemory here = sundials_wrap(stage.helper, plain, SUNMEMTYPE_HOST);
  assert_int_equal(copy(stage.helper, here, memory, 17), CODE(ARG_OUTOFRANGE));
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, memory, here, 17, nullptr), CODE(ARG_OUTOFRANGE));
  assert_int_equal(copy(stage.helper, memory, nullptr, 1), CODE(ARG_CORRUPT));
  assert_int_equal(copy(stage.helper, nullptr, memory, 1), CODE(ARG_CORRUPT));
  here->type = no_type(-1);
  assert_int_equal(copy(stage.helper, memory, here, 1), CODE(ARG_OUTOFRANGE));
  here->type = SUNMEMTYPE_HOST;
  assert_int_equal(copy(stage.helper, memory, here, 0), 0);
  assert_string_equal(plain, "as it was");
  assert_int_equal(release(stage.helper, memory), 0);
  assert_int_equal(release(stage.helper, here), 0);
}

// A vector in managed memory keeps one object for the device and an alias of it for the host, and copies between them.
void a_copy_onto_itself_succeeds(void**) {
  const Stage stage, other;
  for (const SUNMemoryType type : all_types) {
    const SUNMemory own = stage.block(40, type), theirs = other.block(40, type);
    for (const SUNMemory memory : {own, theirs}) {
      const SUNMemory alias = sundials_alias(stage.helper, memory);
      std::memset(memory->ptr, 5, 40);
      assert_int_equal(copy(stage.helper, alias, memory, 40), 0);
      assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, memory, alias, 40, nullptr), 0);
      assert_int_equal(static_cast<const char*>(memory->ptr)[39], 5);
      assert_int_equal(copy(stage.helper, alias, memory, 41), CODE(ARG_OUTOFRANGE));
      alias->ptr = static_cast<char*>(memory->ptr) + 1;
      assert_int_not_equal(copy(stage.helper, alias, memory, 30), 0);  // in part
      assert_int_equal(release(stage.helper, alias), 0);
    }
    assert_int_equal(release(stage.helper, own), 0);
    assert_int_equal(release(other.helper, theirs), 0);
  }
}

void the_end_of_another_contexts_block_holds(void**) {
  const Stage stage, owner;
  char plain[64] = "as it was";
  const SUNMemory here = sundials_wrap(stage.helper, plain, SUNMEMTYPE_HOST);
  for (const SUNMemoryType type : all_types) {
    const SUNMemory memory = owner.block(16, type);
    std::memset(memory->ptr, 0, 16);
    assert_int_equal(copy(stage.helper, memory, here, 17), CODE(ARG_OUTOFRANGE));
    assert_int_equal(copy(stage.helper, here, memory, 17), CODE(ARG_OUTOFRANGE));
    assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, memory, here, 64, nullptr), CODE(ARG_OUTOFRANGE));
    assert_string_equal(plain, "as it was");
    assert_int_equal(static_cast<const char*>(memory->ptr)[0], 0);
    assert_int_equal(copy(stage.helper, memory, here, 16), 0);
    assert_int_equal(release(owner.helper, memory), 0);
  }
  assert_int_equal(release(stage.helper, here), 0);
}

// The backend claims the address, this context does not know it, and the type says what it is.
void memory_of_another_context_is_what_its_type_says(void**) {
  const Stage stage, owner;
  const SUNMemory memory = owner.block(16, SUNMEMTYPE_DEVICE);
  const SUNMemory foreign = sundials_wrap(stage.helper, memory->ptr, SUNMEMTYPE_DEVICE);
  char plain[16] = "there and back", back[16] = "";
  const SUNMemory here = sundials_wrap(stage.helper, plain, SUNMEMTYPE_HOST);
  const SUNMemory result = sundials_wrap(stage.helper, back, SUNMEMTYPE_HOST);
  assert_int_not_equal(cadastre_memcpy(stage.context, foreign->ptr, plain, 16), CADASTRE_SUCCESS);
  assert_int_equal(copy(stage.helper, foreign, here, 16), 0);
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, result, foreign, 16, nullptr), 0);
  assert_string_equal(back, plain);
  assert_int_equal(stage.live_blocks(), 0);
  for (const SUNMemory other : {foreign, here, result}) assert_int_equal(release(stage.helper, other), 0);
  assert_int_equal(release(owner.helper, memory), 0);
}

void alias_and_wrap_keep_size_and_stride(void**) {
  const Stage stage;
  SUNMemory memory = nullptr;
  assert_int_equal(SUNMemoryHelper_AllocStrided_Cadastre(stage.helper, &memory, 64, 16, SUNMEMTYPE_PINNED, nullptr), 0);
  const auto assert_like = [&](SUNMemory other, std::size_t bytes, std::size_t stride, SUNMemoryType type) {
    assert_non_null(other);
    assert_int_equal(bytes_of(other, bytes), bytes);
    assert_int_equal(stride_of(other, stride), stride);
    assert_int_equal(other->type, type);
    assert_false(other->own);
    assert_int_equal(release(stage.helper, other), 0);
  };
  assert_like(SUNMemoryHelper_Alias_Cadastre(stage.helper, memory), 64, 16, SUNMEMTYPE_PINNED);
  assert_like(SUNMemoryHelper_Wrap_Cadastre(stage.helper, memory->ptr, SUNMEMTYPE_HOST), 64, 16, SUNMEMTYPE_HOST);
  assert_like(SUNMemoryHelper_Wrap_Cadastre(stage.helper, static_cast<char*>(memory->ptr) + 24, SUNMEMTYPE_PINNED), 40, 16,
              SUNMEMTYPE_PINNED);
  // SUNDIALS' own objects know nothing; the registry does.
  const SUNMemory theirs = sundials_wrap(stage.helper, memory->ptr, SUNMEMTYPE_PINNED);
  assert_like(SUNMemoryHelper_Alias_Cadastre(stage.helper, theirs), 64, 16, SUNMEMTYPE_PINNED);
  assert_like(theirs, bytes_of(theirs, 0), stride_of(theirs, 0), SUNMEMTYPE_PINNED);
  assert_like(SUNMemoryHelper_Wrap_Cadastre(stage.helper, nullptr, SUNMEMTYPE_DEVICE), 0, 1, SUNMEMTYPE_DEVICE);
  char plain[4];
  assert_like(SUNMemoryHelper_Wrap_Cadastre(stage.helper, plain, SUNMEMTYPE_HOST), 0, 1, SUNMEMTYPE_HOST);
  assert_null(SUNMemoryHelper_Wrap_Cadastre(stage.helper, plain, no_type(9)));
  assert_null(SUNMemoryHelper_Alias_Cadastre(stage.helper, nullptr));
  assert_int_equal(release(stage.helper, memory), 0);
}

void counts_are_by_type_and_know_the_most(void**) {
  const Stage stage;
  for (const SUNMemoryType type : all_types) {
    const SUNMemory first = stage.block(100, type), second = stage.block(30, type);
    assert_counts(stage.helper, "2 0 130 130", type);
    assert_int_equal(release(stage.helper, first), 0);
    const SUNMemory third = stage.block(50, type);
    assert_counts(stage.helper, "3 1 80 130", type);
    assert_int_equal(release(stage.helper, second), 0);
    assert_int_equal(release(stage.helper, third), 0);
    assert_counts(stage.helper, "3 3 0 130", type);
  }
  unsigned long kept = 7;
  assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(stage.helper, no_type(4), &kept, nullptr, nullptr, nullptr),
                   CODE(ARG_OUTOFRANGE));
  assert_int_equal(kept, 7);
  assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(stage.helper, SUNMEMTYPE_UVM, &kept, nullptr, nullptr, nullptr), 0);
  assert_int_equal(kept, 3);
}

void bytes_come_off_the_helper_that_allocated(void**) {
  const Stage stage;
  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
  const SUNMemory memory = stage.block(70), kept = stage.block(1);
  assert_int_equal(release(clone, memory), 0);
  assert_counts(stage.helper, "2 0 1 71");
  assert_counts(clone, "0 1 0 0");
  assert_int_equal(release(stage.helper, kept), 0);
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
}

void memory_outlives_its_helper(void**) {
  const Stage stage;
  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
  SUNMemory memory = nullptr;
  assert_int_equal(allocate(clone, &memory, 70, SUNMEMTYPE_HOST), 0);
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
  assert_int_equal(known(stage.context, memory->ptr).size, 70);
  assert_int_equal(release(stage.helper, memory), 0);
  assert_counts(stage.helper, "0 1 0 0");
}

void what_was_freed_behind_our_back_comes_off(void**) {
  const Stage stage(stubborn_backend());
  const SUNMemory memory = stage.block(48, SUNMEMTYPE_DEVICE);
  void* const place = memory->ptr;
  assert_int_equal(cadastre_free(stage.context, place), CADASTRE_SUCCESS);
  assert_counts(stage.helper, "1 0 48 48", SUNMEMTYPE_DEVICE);  // nobody told the helper
  const SUNMemory other = stage.block(48, SUNMEMTYPE_DEVICE);
  assert_ptr_equal(other->ptr, place);
  assert_counts(stage.helper, "2 0 48 48", SUNMEMTYPE_DEVICE);
  assert_int_equal(release(stage.helper, other), 0);
  assert_counts(stage.helper, "2 1 0 48", SUNMEMTYPE_DEVICE);
  memory->own = SUNFALSE;
  assert_int_equal(release(stage.helper, memory), 0);
}

void a_block_at_the_place_of_one_in_a_context_that_is_gone_is_another(void**) {
  void* place = nullptr;
  {
    const Stage gone(stubborn_backend());
    const SUNMemory memory = gone.block(48, SUNMEMTYPE_DEVICE);
    place = memory->ptr;
    std::free(memory);
  }
  const Stage stage(stubborn_backend());
  const SUNMemory memory = stage.block(48, SUNMEMTYPE_DEVICE);
  assert_ptr_equal(memory->ptr, place);
  assert_counts(stage.helper, "1 0 48 48", SUNMEMTYPE_DEVICE);
  assert_int_equal(release(stage.helper, memory), 0);
  assert_counts(stage.helper, "1 1 0 48", SUNMEMTYPE_DEVICE);
}

void threads_share_a_helper(void**) {
  const Stage stage;
  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
  constexpr std::size_t each = 300;
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::vector<SUNMemory> blocks(10, nullptr);
      for (std::size_t i = 0; i < each; ++i) {
        SUNMemory& block = blocks[i % blocks.size()];
        if (block) failures += release(i % 2 ? clone : stage.helper, block) != 0;
        block = nullptr;
        failures += allocate(t % 2 ? clone : stage.helper, &block, 8 + t, SUNMEMTYPE_HOST) != 0;
        counts(stage.helper);
      }
      for (const SUNMemory block : blocks) failures += release(clone, block) != 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(failures, 0);
  unsigned long allocated[2], freed[2];
  std::size_t bytes[2];
  const SUNMemoryHelper helpers[] = {stage.helper, clone};
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(helpers[i], SUNMEMTYPE_HOST, &allocated[i], &freed[i], &bytes[i], nullptr), 0);
    assert_int_equal(allocated[i], 2 * each);
    assert_int_equal(bytes[i], 0);
  }
  assert_int_equal(freed[0] + freed[1], 4 * each);
  assert_int_equal(stage.live_blocks(), 0);
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
}

void a_clone_is_its_own_helper(void**) {
  const Stage stage;
  int queue_stand_in = 0;
  void* queue = &queue_stand_in;
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, "mother"), 0);
  assert_int_equal(SUNMemoryHelper_SetDefaultQueue_Cadastre(stage.helper, &queue), 0);
  const SUNMemory before = stage.block(9);
  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
  assert_non_null(clone);
  assert_ptr_not_equal(clone->content, stage.helper->content);
  assert_ptr_not_equal(clone->ops, stage.helper->ops);
  assert_memory_equal(clone->ops, stage.helper->ops, sizeof *clone->ops);
  assert_counts(clone, "0 0 0 0");
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, "later"), 0);
  SUNMemory memory = nullptr;
  assert_int_equal(allocate(clone, &memory, 10, SUNMEMTYPE_HOST), 0);
  assert_string_equal(known(stage.context, memory->ptr).label, "mother");
  assert_counts(stage.helper, "1 0 9 9");
  assert_counts(clone, "1 0 10 10");
  assert_int_equal(SUNMemoryHelper_SetDefaultQueue_Cadastre(stage.helper, nullptr), 0);
  assert_int_equal(release(clone, memory), 0);
  assert_int_equal(release(stage.helper, before), 0);
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
}

void labels_are_in_the_registry(void**) {
  const Stage stage;
  const std::string longest(255, 'l'), too_long(256, 'l');
  const auto labelled = [&](const char* expected) {
    const SUNMemory memory = stage.block(1, SUNMEMTYPE_DEVICE);
    assert_string_equal(known(stage.context, memory->ptr).label, expected);
    assert_int_equal(release(stage.helper, memory), 0);
  };
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, longest.c_str()), 0);
  labelled(longest.c_str());
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, too_long.c_str()), CODE(ARG_OUTOFRANGE));
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, nullptr), CODE(ARG_CORRUPT));
  labelled(longest.c_str());
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, "short"), 0);
  labelled("short");
}

template <class Helper>
int release_directly(Helper helper, SUNMemory memory) {
  if constexpr (requires { SUNMemoryHelper_Dealloc_Cadastre(helper, memory, nullptr); }) {
    return SUNMemoryHelper_Dealloc_Cadastre(helper, memory, nullptr);
  } else {
    return SUNMemoryHelper_Dealloc_Cadastre(helper, memory);
  }
}

void null_is_refused_or_harmless(void**) {
  const Stage stage;
  const SUNMemoryHelper none = nullptr;
  assert_int_equal(SUNMemoryHelper_Destroy_Cadastre(none), 0);
  assert_int_equal(release_directly(none, nullptr), 0);
  assert_int_equal(release_directly(stage.helper, nullptr), 0);
  assert_int_equal(release(stage.helper, nullptr), 0);
  const SUNMemory memory = stage.block(3);
  const SUNMemory alias = SUNMemoryHelper_Alias_Cadastre(stage.helper, memory);
  assert_int_equal(release_directly(none, alias), 0);
  assert_int_equal(release_directly(none, memory), CODE(ARG_CORRUPT));
  assert_null(SUNMemoryHelper_Clone_Cadastre(none));
  assert_null(SUNMemoryHelper_Wrap_Cadastre(none, nullptr, SUNMEMTYPE_HOST));
  assert_null(SUNMemoryHelper_Alias_Cadastre(none, memory));
  SUNMemory unset = nullptr;
  assert_int_equal(SUNMemoryHelper_AllocStrided_Cadastre(none, &unset, 8, 8, SUNMEMTYPE_HOST, nullptr), CODE(ARG_CORRUPT));
  assert_int_equal(SUNMemoryHelper_CopyAsync_Cadastre(none, memory, memory, 0, nullptr), CODE(ARG_CORRUPT));
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(none, "x"), CODE(ARG_CORRUPT));
  assert_int_equal(SUNMemoryHelper_SetDefaultQueue_Cadastre(none, nullptr), CODE(ARG_CORRUPT));
  assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(none, SUNMEMTYPE_HOST, nullptr, nullptr, nullptr, nullptr), CODE(ARG_CORRUPT));
  assert_null(unset);
  assert_int_equal(release(stage.helper, memory), 0);
}

// The documented pattern: a helper of the user's own, which keeps ours in its content and calls it.
int requests = 0;
#if SUNDIALS_VERSION_MAJOR >= 6
#define AND_QUEUE , void* queue
#define QUEUE , queue
#else
#define AND_QUEUE
#define QUEUE
#endif
cadastre_sundials_code custom_alloc(SUNMemoryHelper helper, SUNMemory* memory, std::size_t size, SUNMemoryType AND_QUEUE) {
  ++requests;
  return SUNMemoryHelper_Alloc_Cadastre(static_cast<SUNMemoryHelper>(helper->content), memory, size, SUNMEMTYPE_UVM QUEUE);
}
cadastre_sundials_code custom_dealloc(SUNMemoryHelper helper, SUNMemory memory AND_QUEUE) {
  return SUNMemoryHelper_Dealloc_Cadastre(static_cast<SUNMemoryHelper>(helper->content), memory QUEUE);
}
cadastre_sundials_code custom_copy(SUNMemoryHelper, SUNMemory to, SUNMemory from, std::size_t size AND_QUEUE) {
#if SUNDIALS_VERSION_MAJOR >= 6
  (void)queue;
#endif
  std::memcpy(to->ptr, from->ptr, size);
  return 0;
}
// As custom_alloc, in a helper that shares the content of ours.
cadastre_sundials_code counted_alloc(SUNMemoryHelper helper, SUNMemory* memory, std::size_t size, SUNMemoryType type AND_QUEUE) {
  ++requests;
  return SUNMemoryHelper_Alloc_Cadastre(helper, memory, size, type QUEUE);
}

void a_custom_helper_may_call_ours(void**) {
  const Stage stage;
  const SUNMemoryHelper custom = empty_helper();
  custom->content = stage.helper;
  custom->ops->alloc = custom_alloc;
  custom->ops->dealloc = custom_dealloc;
  custom->ops->copy = custom_copy;
  requests = 0;
  SUNMemory memory = nullptr;
  assert_int_equal(allocate(custom, &memory, 8, SUNMEMTYPE_HOST), 0);
  assert_int_equal(requests, 1);
  assert_int_equal(memory->type, SUNMEMTYPE_UVM);
  assert_counts(stage.helper, "1 0 8 8", SUNMEMTYPE_UVM);
  char plain[8] = "custom";
  const SUNMemory here = sundials_wrap(custom, plain, SUNMEMTYPE_HOST);
  assert_int_equal(copy(custom, memory, here, 8), 0);
  assert_string_equal(static_cast<char*>(memory->ptr), "custom");
  assert_int_equal(release(custom, here), 0);
  assert_int_equal(release(custom, memory), 0);
  custom->content = nullptr;
  std::free(custom->ops);
  std::free(custom);
}

void a_custom_helper_may_take_the_operations(void**) {
  const Stage stage;
  const SUNMemoryHelper custom = empty_helper();
  assert_int_equal(SUNMemoryHelper_CopyOps(stage.helper, custom), 0);
  custom->ops->alloc = counted_alloc;
  requests = 0;
  SUNMemory memory = nullptr;
  assert_int_equal(allocate(custom, &memory, 8, SUNMEMTYPE_HOST), CODE(ARG_INCOMPATIBLE));  // without the content
  custom->content = &requests;
  assert_int_equal(allocate(custom, &memory, 8, SUNMEMTYPE_HOST), CODE(ARG_INCOMPATIBLE));  // somebody else's
  assert_null(SUNMemoryHelper_Clone(custom));
  assert_null(memory);
  custom->content = stage.helper->content;
  assert_int_equal(allocate(custom, &memory, 8, SUNMEMTYPE_HOST), 0);
  assert_int_equal(requests, 3);
  assert_counts(stage.helper, "1 0 8 8");

  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(custom);
  SUNMemory other = nullptr;
  assert_int_equal(allocate(clone, &other, 8, SUNMEMTYPE_HOST), 0);
  assert_int_equal(requests, 4);
  assert_int_equal(release(clone, other), 0);
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);

  assert_int_equal(release(custom, memory), 0);
  // Two that share a content: when one is destroyed, the other is left with none.
  assert_int_equal(SUNMemoryHelper_Destroy(custom), 0);
  assert_int_equal(allocate(stage.helper, &other, 8, SUNMEMTYPE_HOST), CODE(ARG_INCOMPATIBLE));
}

void a_destroyed_context_is_an_error(void**) {
  const Stage stage;
  const SUNMemory memory = stage.block(8);
  assert_int_equal(cadastre_context_destroy(stage.context), CADASTRE_SUCCESS);
  SUNMemory other = nullptr;
  char plain[8];
  const SUNMemory here = sundials_wrap(stage.helper, plain, SUNMEMTYPE_HOST);
  assert_int_equal(allocate(stage.helper, &other, 8, SUNMEMTYPE_HOST), CODE(ARG_CORRUPT));
  assert_int_equal(copy(stage.helper, here, memory, 8), CODE(ARG_CORRUPT));
  assert_int_equal(SUNMemoryHelper_CopyAsync(stage.helper, here, memory, 8, nullptr), CODE(ARG_CORRUPT));
  assert_int_equal(release(stage.helper, memory), CODE(ARG_CORRUPT));
  assert_null(other);
  assert_counts(stage.helper, "1 0 8 8");
  memory->own = SUNFALSE;
  assert_int_equal(release(stage.helper, memory), 0);
  assert_int_equal(release(stage.helper, here), 0);
  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
  assert_int_equal(allocate(clone, &other, 8, SUNMEMTYPE_HOST), CODE(ARG_CORRUPT));
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
}

void no_helper_without_a_context(void**) {
  assert_null(helper_on(CADASTRE_NULL_CONTEXT));
  assert_null(helper_on(123456789));
#if SUNDIALS_VERSION_MAJOR >= 6
  const Stage stage;
  assert_null(SUNMemoryHelper_Cadastre(stage.context, nullptr));
#endif
}

#if defined(SUNDIALS_IMITATION) && SUNDIALS_VERSION_MAJOR >= 6
// From 7 on the handler that logs names the place in the source, too.
void assert_logged(const char* function, const char* part) {
  const std::string message = sundials_imitation_log();
  const std::string name = std::string(function) + ": ";
  const std::string start = SUNDIALS_VERSION_MAJOR >= 7 ? "1: src/adapters/sundials.cpp:" : "1: " + name + "cadastre: ";
  if (message.rfind(start, 0) != 0 || message.find(name) == std::string::npos || message.find(part) == std::string::npos) {
    fail_msg("the log says \"%s\", not \"%s ... %s%s\"", message.c_str(), start.c_str(), name.c_str(), part);
  }
}

void failures_are_told_to_the_log(void**) {
  const Stage stage;
  SUNMemory memory = stage.block(4);
  sundials_imitation_log();
  assert_int_equal(copy(stage.helper, memory, memory, 0), 0);
  assert_string_equal(sundials_imitation_log(), "");
  assert_int_not_equal(copy(stage.helper, memory, memory, 5), 0);
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(stage.context, &error);
  assert_logged("SUNMemoryHelper_Copy_Cadastre", error.message);
  cadastre_set_limit(stage.context, CADASTRE_HOST, 5);
  assert_int_not_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, nullptr), 0);
  assert_logged("SUNMemoryHelper_SetLabel_Cadastre", "NULL");
  const Stage devices_only(stubborn_backend());
  SUNMemory pinned = nullptr;
  assert_int_not_equal(allocate(devices_only.helper, &pinned, 8, SUNMEMTYPE_PINNED), 0);
  assert_logged("SUNMemoryHelper_Alloc_Cadastre", "stubborn, 100%s");  // a sentence is no format
  assert_int_not_equal(allocate(stage.helper, &memory, 10, SUNMEMTYPE_HOST), 0);
  assert_logged("SUNMemoryHelper_Alloc_Cadastre", "10");
  assert_null(helper_on(77));
  assert_logged("SUNMemoryHelper_Cadastre", "context");
  assert_int_equal(release(stage.helper, memory), 0);
}
#else
void failures_are_told_to_the_log(void**) { skip_because("only the imitation of SUNDIALS from 6 on has a log to read"); }
#endif

#if SUNDIALS_VERSION_MAJOR >= 7
// What a program's own handler was told, how often, and whether it calls the helper itself.
struct Told {
  int times = 0;
  SUNErrCode code = 0;
  std::string function, message;
  SUNMemoryHelper helper = nullptr;
};
void hear(int line, const char* function, const char*, const char* sentence, SUNErrCode code, void* data, SUNContext) {
  Told& told = *static_cast<Told*>(data);
  assert_true(line > 0);
  ++told.times;
  told.code = code;
  told.function = function;
  told.message = sentence;
  if (const SUNMemoryHelper helper = std::exchange(told.helper, nullptr)) {
    assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(helper, nullptr), SUN_ERR_ARG_CORRUPT);
  }
}
void failures_reach_the_handlers(void**) {
  const Stage stage;
  const SUNContext sunctx = surroundings();
  Told first, second;
  assert_int_equal(SUNContext_PushErrHandler(sunctx, hear, &first), 0);
  assert_int_equal(SUNContext_PushErrHandler(sunctx, hear, &second), 0);
  SUNContext_GetLastError(sunctx);
  SUNMemory memory = nullptr;
  cadastre_set_limit(stage.context, CADASTRE_HOST, 5);
  assert_int_equal(allocate(stage.helper, &memory, 10, SUNMEMTYPE_HOST), SUN_ERR_MALLOC_FAIL);
  assert_int_equal(first.times, 1);
  assert_int_equal(second.times, 1);
  assert_int_equal(first.code, SUN_ERR_MALLOC_FAIL);
  assert_string_equal(first.function.c_str(), "SUNMemoryHelper_Alloc_Cadastre");
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(stage.context, &error);
  assert_string_equal(first.message.c_str(), error.message);
  assert_int_equal(SUNContext_PeekLastError(sunctx), SUN_ERR_MALLOC_FAIL);
  assert_int_equal(SUNContext_GetLastError(sunctx), SUN_ERR_MALLOC_FAIL);
  assert_int_equal(SUNContext_GetLastError(sunctx), 0);
  // What answers NULL is judged by the last error alone.
  assert_null(helper_on(CADASTRE_NULL_CONTEXT));
  assert_int_equal(SUNContext_GetLastError(sunctx), SUN_ERR_ARG_CORRUPT);
  assert_null(SUNMemoryHelper_Wrap_Cadastre(stage.helper, nullptr, no_type(9)));
  assert_int_equal(SUNContext_GetLastError(sunctx), SUN_ERR_ARG_OUTOFRANGE);
  assert_int_equal(first.times, 3);
  // No lock is held: a handler may call, and fail.
  first.helper = stage.helper;
  assert_int_not_equal(allocate(stage.helper, &memory, 10, SUNMEMTYPE_HOST), 0);
  assert_int_equal(first.times, 5);
  // A success is nobody's business.
  SUNContext_GetLastError(sunctx);
  assert_int_equal(allocate(stage.helper, &memory, 5, SUNMEMTYPE_HOST), 0);
  assert_int_equal(release(stage.helper, memory), 0);
  assert_int_equal(first.times, 5);
  assert_int_equal(SUNContext_GetLastError(sunctx), 0);
  assert_int_equal(SUNContext_PopErrHandler(sunctx), 0);
  assert_int_equal(SUNContext_PopErrHandler(sunctx), 0);
}
#else
void failures_reach_the_handlers(void**) { skip_because("SUNDIALS before 7 has no handlers of errors"); }
#endif

#ifdef SUNDIALS_IMITATION
void another_library_is_refused(void**) {
  const cadastre_context context = context_on(CADASTRE_BACKEND_HOST);
  const int major = SUNDIALS_VERSION_MAJOR, minor = SUNDIALS_VERSION_MINOR;
  const struct {
    int major, minor;
  } others[] = {{5, 8}, {6, 4}, {6, 5}, {7, 2}, {7, 3}, {8, 0}};
  int refused = 0;
  for (const auto& other : others) {
    sundials_imitation_pretend(other.major, other.minor);
    const SUNMemoryHelper helper = helper_on(context);
    refused += helper == nullptr;
    if (other.major != major) assert_null(helper);
    if (helper) assert_int_equal(SUNMemoryHelper_Destroy(helper), 0);
#if SUNDIALS_VERSION_MAJOR >= 6
    if (!helper) assert_logged("SUNMemoryHelper_Cadastre", "built for");
#endif
  }
  assert_int_equal(refused, 5);  // of the six, one is laid out like ours
  sundials_imitation_pretend(major, minor);
  const SUNMemoryHelper helper = helper_on(context);
  assert_non_null(helper);
  assert_int_equal(SUNMemoryHelper_Destroy(helper), 0);
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}
#else
void another_library_is_refused(void**) { skip_because("only the imitation of SUNDIALS plays another library"); }
#endif

// Fails the first allocation of a call, the second and so on, until the call succeeds.
template <class Work>
void with_each_allocation_failing(Work work) {
  for (long k = 1;; ++k) {
    assert_true(k < 100);
    calls_until_failure = k;
    const bool succeeded = work();
    const bool all_served = calls_until_failure > 0;
    calls_until_failure = 0;
    assert_true(succeeded || !all_served);
#ifdef CADASTRE_TEST_WRAPS_CALLOC
    if (all_served) return assert_true(k > 1);
#else
    if (all_served) return;  // of operator new alone most calls ask nothing
#endif
  }
}

void no_host_memory_changes_nothing(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  const Stage stage;
  const std::string label = "a label that is too long for a small string";
  assert_int_equal(SUNMemoryHelper_SetLabel_Cadastre(stage.helper, label.c_str()), 0);
  with_each_allocation_failing([&] {
    SUNMemory memory = nullptr;
    const std::string before = counts(stage.helper);
    const std::int64_t blocks = stage.live_blocks();
    const int code = allocate(stage.helper, &memory, 100, SUNMEMTYPE_HOST);
    if (code == 0) return assert_int_equal(release(stage.helper, memory), 0), true;
    assert_int_equal(code, CODE(MALLOC_FAIL));
    assert_null(memory);
    assert_string_equal(counts(stage.helper).c_str(), before.c_str());
    assert_int_equal(stage.live_blocks(), blocks);
    return false;
  });
  with_each_allocation_failing([&] {
    const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
    if (clone) assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
    return clone != nullptr;
  });
  with_each_allocation_failing([&] {
    const SUNMemoryHelper helper = helper_on(stage.context);
    if (helper) assert_int_equal(SUNMemoryHelper_Destroy(helper), 0);
    return helper != nullptr;
  });
#ifdef CADASTRE_TEST_WRAPS_CALLOC
  with_each_allocation_failing([&] {
    const SUNMemory wrapped = SUNMemoryHelper_Wrap_Cadastre(stage.helper, nullptr, SUNMEMTYPE_HOST);
    assert_int_equal(release(stage.helper, wrapped), 0);
    return wrapped != nullptr;
  });
#endif
  // Freeing needs none.
  const SUNMemory memory = stage.block(100);
  calls_until_failure = 1;
  const int code = release(stage.helper, memory);
  calls_until_failure = 0;
  assert_int_equal(code, 0);
  assert_int_equal(stage.live_blocks(), 0);
}

// The ledger grows now and then, of which each allocation fails once.
void no_host_memory_for_the_ledger_changes_nothing(void**) {
  if (!the_library_asks_here()) skip_because("the library is one that asks nobody whether a call is to fail");
  const Stage stage;
  std::vector<SUNMemory> all(3000);
  int failed = 0;
  for (SUNMemory& memory : all) {
    for (long k = 1; !memory; ++k) {
      const std::string before = counts(stage.helper);
      calls_until_failure = k < 3 ? k : 0;
      const int code = allocate(stage.helper, &memory, 100, SUNMEMTYPE_HOST);
      calls_until_failure = 0;
      if (code == 0) continue;
      ++failed;
      assert_true(k < 3 && code == CODE(MALLOC_FAIL) && !memory);
      assert_string_equal(counts(stage.helper).c_str(), before.c_str());
    }
  }
  assert_in_range(failed, 2, 2 * 3000);
  assert_int_equal(stage.live_blocks(), 3000);
  for (const SUNMemory memory : all) assert_int_equal(release(stage.helper, memory), 0);
  assert_counts(stage.helper, "3000 3000 0 300000");
}

// Many blocks at once, freed in another order, some of them behind the helper's back, beside a context that goes with its blocks.
void holdings_are_found_among_many(void**) {
  const Stage stage;
  const SUNMemoryHelper clone = SUNMemoryHelper_Clone(stage.helper);
  std::vector<SUNMemory> all;
  for (int round = 0; round < 3; ++round) {
    {
      const Stage passing;  // its context goes while blocks are held there
      for (int i = 0; i < 2000; ++i) {
        SUNMemory lost = nullptr;
        assert_int_equal(allocate(passing.helper, &lost, 16, SUNMEMTYPE_HOST), 0);
        std::free(lost);
      }
    }
    for (std::size_t i = 0; i < 4000; ++i) {
      SUNMemory memory = nullptr;
      assert_int_equal(allocate(i % 2 ? stage.helper : clone, &memory, i, SUNMEMTYPE_HOST), 0);
      all.push_back(memory);
    }
    for (std::size_t i = 0; i < all.size(); ++i) std::swap(all[i], all[i * 7919 % all.size()]);
    while (all.size() > 10) {
      assert_int_equal(release(all.size() % 3 ? stage.helper : clone, all.back()), 0);
      all.pop_back();
    }
  }
  for (const SUNMemory memory : all) assert_int_equal(release(clone, memory), 0);
  unsigned long allocations = 0, deallocations = 0, of_clone = 0;
  std::size_t bytes = 1, most = 0;
  assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(stage.helper, SUNMEMTYPE_HOST, &allocations, &deallocations, &bytes, &most), 0);
  assert_int_equal(allocations, 6000);
  assert_int_equal(bytes, 0);
  assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(clone, SUNMEMTYPE_HOST, &allocations, &of_clone, &bytes, &most), 0);
  assert_int_equal(bytes, 0);
  assert_int_equal(deallocations + of_clone, 12000);
  assert_int_equal(SUNMemoryHelper_Destroy(clone), 0);
}

// More helpers than one segment of accounts has, in turn with others' ends.
void each_of_many_helpers_has_an_account(void**) {
  const Stage stage;
  std::vector<SUNMemoryHelper> helpers;
  std::vector<SUNMemory> blocks;
  for (unsigned i = 0; i < 500; ++i) {
    helpers.push_back(SUNMemoryHelper_Clone(stage.helper));
    assert_non_null(helpers.back());
    blocks.push_back(nullptr);
    assert_int_equal(allocate(helpers.back(), &blocks.back(), i, SUNMEMTYPE_HOST), 0);
    if (i % 5 != 4) continue;
    void* const content = helpers[i - 2]->content;
    assert_int_equal(SUNMemoryHelper_Destroy(helpers[i - 2]), 0);
    helpers[i - 2] = SUNMemoryHelper_Clone(stage.helper);
    assert_ptr_not_equal(helpers[i - 2]->content, content);
    assert_counts(helpers[i - 2], "0 0 0 0");
    void* const own = std::exchange(helpers[i - 2]->content, content);  // of a helper that was destroyed
    SUNMemory memory = nullptr;
    assert_int_equal(allocate(helpers[i - 2], &memory, 1, SUNMEMTYPE_HOST), CODE(ARG_INCOMPATIBLE));
    for (const std::uintptr_t number : {std::uintptr_t{0}, std::uintptr_t{63}, std::uintptr_t{1} << 20, ~std::uintptr_t{0}}) {
      helpers[i - 2]->content = reinterpret_cast<void*>(number);
      assert_int_equal(allocate(helpers[i - 2], &memory, 1, SUNMEMTYPE_HOST), CODE(ARG_INCOMPATIBLE));
    }
    helpers[i - 2]->content = own;
  }
  for (unsigned i = 0; i < 500; ++i) {
    assert_int_equal(release(helpers[499 - i], blocks[i]), 0);
  }
  for (const SUNMemoryHelper helper : helpers) {
    std::size_t bytes = 1;
    assert_int_equal(SUNMemoryHelper_GetAllocStats_Cadastre(helper, SUNMEMTYPE_HOST, nullptr, nullptr, &bytes, nullptr), 0);
    assert_int_equal(bytes, 0);
    assert_int_equal(SUNMemoryHelper_Destroy(helper), 0);
  }
}

// While another thread of the parent is in the middle of a call.
void a_child_process_may_allocate(void**) {
  const Stage stage;
  std::atomic<bool> ends = false;
  std::thread busy([&] {
    while (!ends) counts(stage.helper);
  });
  int failures = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      SUNMemory memory = nullptr;
      _exit(allocate(stage.helper, &memory, 8, SUNMEMTYPE_HOST) == 0 && release(stage.helper, memory) == 0 ? 0 : 1);
    }
    int status = -1;
    failures += waitpid(child, &status, 0) != child || status != 0;
  }
  ends = true;
  busy.join();
  assert_int_equal(failures, 0);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_table_has_all_operations),
      cmocka_unit_test(each_memory_type_is_allocated_in_the_registry),
      cmocka_unit_test(memory_that_is_refused_changes_nothing),
      cmocka_unit_test(strides_are_recorded),
      cmocka_unit_test(every_stride_is_taken),
      cmocka_unit_test(the_owner_frees_and_nobody_else),
      cmocka_unit_test(a_failed_free_changes_no_count),
      cmocka_unit_test(what_is_no_block_is_not_freed),
      cmocka_unit_test(each_type_is_copied_to_each),
      cmocka_unit_test(copies_are_checked),
      cmocka_unit_test(a_copy_onto_itself_succeeds),
      cmocka_unit_test(the_end_of_another_contexts_block_holds),
      cmocka_unit_test(memory_of_another_context_is_what_its_type_says),
      cmocka_unit_test(alias_and_wrap_keep_size_and_stride),
      cmocka_unit_test(counts_are_by_type_and_know_the_most),
      cmocka_unit_test(bytes_come_off_the_helper_that_allocated),
      cmocka_unit_test(memory_outlives_its_helper),
      cmocka_unit_test(what_was_freed_behind_our_back_comes_off),
      cmocka_unit_test(a_block_at_the_place_of_one_in_a_context_that_is_gone_is_another),
      cmocka_unit_test(threads_share_a_helper),
      cmocka_unit_test(a_clone_is_its_own_helper),
      cmocka_unit_test(labels_are_in_the_registry),
      cmocka_unit_test(null_is_refused_or_harmless),
      cmocka_unit_test(a_custom_helper_may_call_ours),
      cmocka_unit_test(a_custom_helper_may_take_the_operations),
      cmocka_unit_test(a_destroyed_context_is_an_error),
      cmocka_unit_test(no_helper_without_a_context),
      cmocka_unit_test(failures_are_told_to_the_log),
      cmocka_unit_test(failures_reach_the_handlers),
      cmocka_unit_test(another_library_is_refused),
      cmocka_unit_test(no_host_memory_changes_nothing),
      cmocka_unit_test(no_host_memory_for_the_ledger_changes_nothing),
      cmocka_unit_test(holdings_are_found_among_many),
      cmocka_unit_test(each_of_many_helpers_has_an_account),
      cmocka_unit_test(a_child_process_may_allocate),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
