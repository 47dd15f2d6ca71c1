// Tangled from org/tests/transfer_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "two_vendors.hpp"

using namespace cadastre::internal;

namespace {

// Contents as the host sees them: all memory of these tests is on the host.
Bytes contents(const void* pointer, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(pointer);
  return {bytes, bytes + size};
}

void fill_in(void* pointer, const Bytes& bytes) { std::memcpy(pointer, bytes.data(), bytes.size()); }

void replace(Bytes& bytes, std::size_t at, const Bytes& by, std::size_t from, std::size_t size) {
  std::copy_n(by.begin() + static_cast<std::ptrdiff_t>(from), size, bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

constexpr cadastre_memory_type every_type[] = {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM};

void all_pairs_of_memory_types_and_devices_are_copied(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  for (const cadastre_memory_type to_type : every_type) {
    for (const cadastre_memory_type from_type : every_type) {
      for (const std::int32_t from_device : {0, 1}) {
        unsigned char* const to = block(context, request(to_type, 1000, 1));
        unsigned char* const from = block(context, request(from_type, 900, from_device));
        Bytes expected = pattern(1000, 2);
        fill_in(to, expected);
        fill_in(from, pattern(900));
        assert_int_equal(cadastre_memcpy(context, to + 13, from + 7, 801), CADASTRE_SUCCESS);
        replace(expected, 13, pattern(900), 7, 801);
        assert_true(contents(to, 1000) == expected);
        assert_int_equal(cadastre_memcpy(context, to, from, 900), CADASTRE_SUCCESS);
        assert_int_equal(cadastre_memcpy(context, to + 999, from + 899, 1), CADASTRE_SUCCESS);
        replace(expected, 0, pattern(900), 0, 900);
        expected[999] = pattern(900)[899];
        assert_true(contents(to, 1000) == expected && contents(from, 900) == pattern(900));
        assert_int_equal(cadastre_free(context, to), CADASTRE_SUCCESS);
        assert_int_equal(cadastre_free(context, from), CADASTRE_SUCCESS);
      }
    }
  }
  destroy(context);
}

void plain_memory_is_on_either_side_or_on_both(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  Bytes plain = pattern(100), other(100);
  for (const cadastre_memory_type type : every_type) {
    unsigned char* const own = block(context, request(type, 100));
    assert_int_equal(cadastre_memcpy(context, own + 1, plain.data() + 2, 50), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memcpy(context, other.data() + 3, own + 1, 50), CADASTRE_SUCCESS);
    Bytes expected(100);
    replace(expected, 3, plain, 2, 50);
    assert_true(other == expected);
  }
  unsigned char on_the_stack[100];
  assert_int_equal(cadastre_memcpy(context, on_the_stack, plain.data(), 100), CADASTRE_SUCCESS);
  assert_true(contents(on_the_stack, 100) == plain);
  destroy(context);
}

void a_copy_of_no_bytes_succeeds_with_any_address(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 10));
  void* const nowhere = reinterpret_cast<void*>(16);
  for (void* const to : {static_cast<void*>(nullptr), nowhere, static_cast<void*>(own), static_cast<void*>(own + 10)}) {
    for (void* const from : {static_cast<void*>(nullptr), nowhere, static_cast<void*>(own), static_cast<void*>(own + 10)}) {
      assert_int_equal(cadastre_memcpy(context, to, from, 0), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memcpy_async(context, to, from, 0, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memcpy_strided(context, to, from, 0, 10), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memcpy_strided(context, to, from, 10, 0), CADASTRE_SUCCESS);
    }
    assert_int_equal(cadastre_memset(context, to, 1, 0), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memset_async(context, to, 1, 0, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  }
  assert_int_equal(last(context).exit_code, CADASTRE_SUCCESS);
  destroy(context);
}

// Blocks that no locked call is needed for, by more than one thread; others free meanwhile, and the time is told or not.
void threads_copy_and_set_blocks_of_one_context(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const all = block(context, request(CADASTRE_HOST, 4 * 96));
  std::atomic<int> wrong = 0;
  const auto expect = [&](bool right) { wrong += !right; };
  const auto work = [&](std::size_t number) {
    unsigned char *const mine = all + 96 * number, first = static_cast<unsigned char>(number);
    Bytes plain(96);
    for (int turn = 0; turn < 2000; ++turn) {
      auto* const own = static_cast<unsigned char*>(cadastre_malloc(context, request(CADASTRE_HOST, 96)));
      expect(cadastre_memset(context, own, 256 + first, 96) == CADASTRE_SUCCESS);
      expect(cadastre_memset(context, own + 95, turn, 1) == CADASTRE_SUCCESS);
      expect(cadastre_memset(context, own + 1, 1, 96) == CADASTRE_OUT_OF_BOUNDS);
      expect(cadastre_memcpy(context, mine, own, 96) == CADASTRE_SUCCESS);
      expect(cadastre_memcpy(context, plain.data(), mine, 96) == CADASTRE_SUCCESS);
      expect(cadastre_memcpy(context, own + 1, mine, 96) == CADASTRE_OUT_OF_BOUNDS);
      expect(cadastre_memcpy(context, all + 4 * 96 - 5, own, 6) == CADASTRE_OUT_OF_BOUNDS);
      expect(cadastre_memcpy(context, own + 4, own, 5) == CADASTRE_INVALID_ARG_2);
      expect(plain[0] == first && plain[94] == first && plain[95] == turn % 256);
      expect(cadastre_free(context, own) == CADASTRE_SUCCESS);
      if (turn % 500 == 0) expect(cadastre_context_set_timing(context, turn / 500 % 2) == CADASTRE_SUCCESS);
    }
  };
  std::array<std::thread, 4> threads;
  for (std::size_t number = 0; number < 4; ++number) threads[number] = std::thread(work, number);
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  destroy(context);
}

void copies_and_sets_of_small_blocks_are_timed(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  constexpr std::size_t size = 200000;
  unsigned char* const one = block(context, request(CADASTRE_HOST, size));
  unsigned char* const other = block(context, request(CADASTRE_HOST, size));
  for (const int on : {0, 1, 0}) {
    assert_int_equal(cadastre_context_set_timing(context, on), CADASTRE_SUCCESS);
    const std::int64_t before = cadastre_get_backend_nanoseconds();
    for (int turn = 0; turn < 10; ++turn) assert_int_equal(cadastre_memcpy(context, one, other, size), CADASTRE_SUCCESS);
    const std::int64_t copied = cadastre_get_backend_nanoseconds();
    for (int turn = 0; turn < 10; ++turn) assert_int_equal(cadastre_memset(context, one, 1, size), CADASTRE_SUCCESS);
    assert_int_equal(copied > before, on);
    assert_int_equal(cadastre_get_backend_nanoseconds() > copied, on);
  }
  destroy(context);
}

// What no slab has: ranges on the stack, large blocks, and what is right behind one.
void ranges_of_this_and_of_other_contexts_are_no_plain_memory(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = block(context, request(CADASTRE_HOST, 100));
  std::array<unsigned char, 200> here{};
  assert_int_equal(cadastre_memcpy(context, own, here.data(), 100), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memset(context, here.data(), 7, 100), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, here.data() + 100, own, 100), CADASTRE_SUCCESS);
  assert_int_equal(here[99] + here[100], 7);
  cadastre_memory_info_struct range = request(CADASTRE_HOST, 100);
  range.pointer = here.data() + 50;
  assert_int_equal(cadastre_wrap(context, range), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, own, here.data() + 51, 100), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_memcpy(context, here.data() + 51, own, 100), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_memset(context, here.data() + 51, 0, 100), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_memset(context, here.data() + 50, 0, 100), CADASTRE_SUCCESS);
  constexpr std::size_t large = std::size_t{9} << 20;
  for (const cadastre_context owner : {context, other}) {
    unsigned char* const block_of = block(owner, request(CADASTRE_HOST, large));
    assert_int_equal(cadastre_memcpy(context, block_of + large - 100, own, 100), CADASTRE_SUCCESS);
    for (const std::size_t before : {99u, 1u}) {
      assert_int_equal(cadastre_memcpy(context, block_of + large - before, own, 100), CADASTRE_OUT_OF_BOUNDS);
      assert_int_equal(cadastre_memcpy(context, own, block_of + large - before, 100), CADASTRE_OUT_OF_BOUNDS);
      assert_int_equal(cadastre_memset(context, block_of + large - before, 0, 100), CADASTRE_OUT_OF_BOUNDS);
    }
    assert_int_equal(cadastre_free(owner, block_of), CADASTRE_SUCCESS);
  }
  assert_int_equal(cadastre_unwrap(context, range.pointer), CADASTRE_SUCCESS);
  destroy(other);
  destroy(context);
}

void ranges_that_overlap_are_refused_by_a_single_byte(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  Bytes plain = pattern(100);
  for (unsigned char* const base : {block(context, request(CADASTRE_DEVICE, 100)), plain.data()}) {
    fill_in(base, pattern(100));
    for (const std::size_t apart : {std::size_t{1}, std::size_t{39}}) {
      for (const bool up : {true, false}) {
        unsigned char* const to = up ? base + apart : base;
        unsigned char* const from = up ? base : base + apart;
        assert_refused(context, cadastre_memcpy(context, to, from, 40), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_RANGES_OVERLAP);
        assert_ptr_equal(last(context).pointer, to);
        assert_ptr_equal(last(context).base, from);
        assert_int_equal(last(context).requested, 40);
        assert_non_null(std::strstr(last(context).message, "copy through a third block"));
      }
    }
    assert_true(contents(base, 100) == pattern(100));
    assert_int_equal(cadastre_memcpy(context, base + 40, base, 40), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memcpy(context, base, base + 40, 40), CADASTRE_SUCCESS);
  }
  destroy(context);
}

// Managed memory has one address on the host and on the device, and a client copies from the one to the other.
void a_copy_of_a_range_onto_itself_has_no_effect(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  Bytes plain = pattern(100);
  cadastre_memory_info_struct info = request(CADASTRE_UVM, 100);
  info.stride = 20;
  for (unsigned char* const base : {block(context, info), block(context, request(CADASTRE_HOST, 100)), plain.data()}) {
    fill_in(base, pattern(100));
    assert_int_equal(cadastre_memcpy(context, base + 10, base + 10, 40), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memcpy_async(context, base, base, 100, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memcpy_strided(context, base, base, 8, 5), CADASTRE_SUCCESS);
    assert_true(contents(base, 100) == pattern(100));
    if (base == plain.data()) break;
    assert_refused(context, cadastre_memcpy(context, base + 10, base + 10, 91), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  }
  destroy(context);
}

void null_is_refused_with_its_argument(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 10));
  assert_refused(context, cadastre_memcpy(context, nullptr, own, 7), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ADDRESS);
  assert_non_null(std::strstr(last(context).message, "argument 2 is NULL, or NULL plus an offset"));
  assert_refused(context, cadastre_memcpy(context, own, reinterpret_cast<void*>(0x50), 7), CADASTRE_INVALID_ARG_3,
                 CADASTRE_REASON_NULL_ADDRESS);
  assert_non_null(std::strstr(last(context).message, "0x50"));
  assert_refused(context, cadastre_memcpy(context, own, nullptr, 7), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ADDRESS);
  assert_int_equal(last(context).argument, 3);
  assert_refused(context, cadastre_memset(context, nullptr, 1, 7), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ADDRESS);
  destroy(context);
}

void a_range_that_leaves_its_block_is_refused_with_the_numbers(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  for (const cadastre_memory_type type : every_type) {
    cadastre_memory_info_struct info = request(type, 100);
    info.label = "walkers";
    unsigned char* const own = block(context, info);
    Bytes plain = pattern(300);
    const auto refused = [&](cadastre_exit_code code, std::size_t offset, std::size_t size) {
      assert_refused(context, code, CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
      const cadastre_error_struct error = last(context);
      assert_ptr_equal(error.pointer, own + offset);
      assert_ptr_equal(error.base, own);
      assert_int_equal(error.size, 100);
      assert_int_equal(error.offset, offset);
      assert_true(error.requested == size);
      assert_int_equal(error.limit, 100 - offset);
    };
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, std::size_t{99}}) {
      for (const std::size_t size : {100 - offset + 1, std::size_t{300}, SIZE_MAX}) {
        refused(cadastre_memcpy(context, own + offset, plain.data(), size), offset, size);
        refused(cadastre_memset(context, own + offset, 1, size), offset, size);
        if (size < SIZE_MAX) refused(cadastre_memcpy(context, plain.data(), own + offset, size), offset, size);
        refused(cadastre_prefetch(context, own + offset, size, CADASTRE_DEVICE_BY_ID(0), CADASTRE_DEFAULT_QUEUE, nullptr), offset, size);
      }
      const std::size_t rest = 100 - offset;
      assert_int_equal(cadastre_memcpy(context, own + offset, plain.data(), rest), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memset(context, own + offset, 0, rest), CADASTRE_SUCCESS);
    }
    assert_true(contents(own, 100) == Bytes(100) && plain == pattern(300));
    refused(cadastre_memset(context, own + 60, 1, 41), 60, 41);
    char expected[300];
    std::snprintf(expected, sizeof expected,
                  "cadastre_memset: 41 bytes from %p extend past the end of the block at %p (100 bytes of %s, labelled "
                  "\"walkers\"), of which 40 bytes are left from offset 60; pass at most these",
                  static_cast<void*>(own + 60), static_cast<void*>(own), cadastre_string_of_memory_type(type));
    assert_string_equal(last(context).message, expected);
    assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
  }
  destroy(context);
}

void a_block_of_no_bytes_has_room_for_none(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = block(context, request(CADASTRE_PINNED, 0));
  assert_refused(context, cadastre_memset(context, own, 1, 1), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(last(context).limit, 0);
  assert_int_equal(cadastre_memset(context, own, 1, 0), CADASTRE_SUCCESS);
  destroy(context);
}

void more_bytes_than_a_machine_can_hold_are_refused_on_every_way(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char a[8] = {1}, b[8] = {2};
  assert_refused(context, cadastre_memcpy(context, a, b, SIZE_MAX), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_SIZE_OVERFLOW);
  assert_true(last(context).limit == largest_size);
  assert_refused(context, cadastre_memset(context, a, 1, largest_size + 1), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_SIZE_OVERFLOW);
  auto* const high = reinterpret_cast<void*>(UINTPTR_MAX - 100);
  assert_refused(context, cadastre_memcpy(context, high, b, 200), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_SIZE_OVERFLOW);
  assert_refused(context, cadastre_memcpy(context, b, high, 200), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_SIZE_OVERFLOW);
  destroy(context);
}

void host_memory_of_another_context_is_plain_memory(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 8));
  unsigned char* const theirs = block(other, request(CADASTRE_HOST, 8));
  fill_in(own, pattern(8));
  assert_int_equal(cadastre_memcpy(context, theirs, own, 8), CADASTRE_SUCCESS);
  assert_true(contents(theirs, 8) == pattern(8));
  destroy(context);
  destroy(other);
}

void host_memory_of_another_context_has_its_bounds(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_UVM}) {
    unsigned char* const theirs = block(other, request(type, 8));
    unsigned char here[16] = {};
    assert_refused(context, cadastre_memcpy(context, theirs + 1, here, 8), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
    assert_int_equal(last(context).argument, CADASTRE_INVALID_ARG_2);
    assert_int_equal(last(context).owner, other);
    assert_int_equal(last(context).limit, 7);
    assert_refused(context, cadastre_memcpy(context, here, theirs, 9), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
    assert_int_equal(last(context).argument, CADASTRE_INVALID_ARG_3);
    assert_refused(context, cadastre_memset(context, theirs, 1, 9), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
    assert_int_equal(cadastre_memset(context, theirs, 0, 8), CADASTRE_SUCCESS);
  }
  // A range that another context has only borrowed is a part of something that is not its own.
  unsigned char whole[16] = {};
  cadastre_memory_info_struct part = request(CADASTRE_HOST, 8);
  part.pointer = whole;
  assert_int_equal(cadastre_wrap(other, part), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memset(context, whole, 3, 16), CADASTRE_SUCCESS);
  assert_int_equal(whole[15], 3);
  destroy(context);
  destroy(other);
}

void device_memory_of_another_context_is_refused_though_no_vendor_claims_it(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  const cadastre_context other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const theirs = block(other, request(CADASTRE_DEVICE, 8));
  unsigned char here[8] = {};
  assert_refused(context, cadastre_memcpy(context, theirs + 1, here, 4), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OTHER_CONTEXT);
  assert_int_equal(last(context).owner, other);
  assert_refused(context, cadastre_memcpy(context, here, theirs, 8), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_OTHER_CONTEXT);
  assert_refused(context, cadastre_memset(context, theirs, 1, 8), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OTHER_CONTEXT);
  assert_true(contents(theirs, 8) == Bytes(8));
  destroy(context);
  destroy(other);
}

void to_ask_other_contexts_is_no_time_of_a_backend(void**) {
  constexpr std::chrono::milliseconds held{300};
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST)), other = context_on(vendor_a());
  assert_int_equal(cadastre_context_set_timing(context, 1), CADASTRE_SUCCESS);
  std::atomic<bool> holding = false;
  unsigned char here[8] = {}, there[8] = {};
  std::thread holder([&] {
    const ContextLock lock(other);
    holding = true;
    std::this_thread::sleep_for(held);
  });
  while (!holding) std::this_thread::yield();
  const std::int64_t before = cadastre_get_backend_nanoseconds();
  assert_int_equal(cadastre_memcpy(context, here, there, 8), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memset(context, here, 1, 8), CADASTRE_SUCCESS);
  const std::int64_t spent = cadastre_get_backend_nanoseconds() - before;
  holder.join();
  assert_true(spent > 0 && std::chrono::nanoseconds(spent) < held / 2);
  destroy(context);
  destroy(other);
}

// Does something in which a vendor is asked, who answers when others have been served by the same context, by another,
// and by a new one; after a second he gives up, and says so.
template <class Deed>
void assert_nobody_waits(cadastre_context context, Deed deed) {
  const cadastre_context other = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  std::atomic<bool> asked = false, served = false, gave_up = false;
  NotedVendor::when_asked = [&] {
    asked = true;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (!served && !gave_up) {
      gave_up = std::chrono::steady_clock::now() > until;
      std::this_thread::yield();
    }
  };
  std::thread doer(deed);
  while (!asked) std::this_thread::yield();
  for (const cadastre_context each : {context, other}) {
    assert_int_equal(cadastre_free(each, block(each, request(CADASTRE_HOST, 8))), CADASTRE_SUCCESS);
  }
  destroy(context_on(*find_backend(CADASTRE_BACKEND_HOST)));
  const bool in_time = !gave_up;
  served = true;
  doer.join();
  NotedVendor::when_asked = nullptr;
  destroy(other);
  assert_true(in_time);
}

void nobody_waits_while_a_vendor_is_asked_what_is_his(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char here[8] = {}, there[8] = {};
  assert_nobody_waits(context, [&] { cadastre_memset(context, here, 1, 8); });
  assert_nobody_waits(context, [&] { cadastre_memcpy(context, here, there, 8); });
  assert_true(here[0] == 0);
  destroy(context);
}

void nobody_waits_while_another_vendor_is_asked_whether_he_is_there(void**) {
  const cadastre_context context = context_on(vendor_a());
  const cadastre_backend b = vendor_b().number();
  assert_nobody_waits(context, [&] { cadastre_free(context, cadastre_malloc(context, request(CADASTRE_DEVICE, 8, no_device_id, b))); });
  assert_int_equal(vendor_b().live(), 0);
  unsigned char theirs[8] = {};
  cadastre_memory_info_struct info = request(CADASTRE_DEVICE, 8, no_device_id, b);
  info.pointer = theirs;
  assert_nobody_waits(context, [&] { cadastre_wrap(context, info); });
  assert_int_equal(cadastre_unwrap(context, theirs), CADASTRE_SUCCESS);
  destroy(context);
}

void plain_memory_begins_and_ends_outside_of_device_memory(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 100));
  unsigned char here[8] = {};
  assert_refused(context, cadastre_memcpy(context, own + 100, here, 8), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(last(context).argument, 2);
  assert_int_equal(last(context).limit, 0);
  assert_refused(context, cadastre_memcpy(context, here, own - 1, 8), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_RUNS_INTO_BLOCK);
  assert_int_equal(last(context).argument, 3);
  unsigned char* const none = block(context, request(CADASTRE_DEVICE, 0));
  assert_refused(context, cadastre_memset(context, none + 1, 0, 8), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(last(context).limit, 0);
  destroy(context);
}

void a_queue_that_cannot_be_waited_for_costs_nobody_a_block(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const own = block(context, request(CADASTRE_PINNED, 8));
  NotedVendor::refused_call = 1;
  assert_refused(context, cadastre_free_async(context, own, queue_number(3)), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
  assert_int_equal(cadastre_get_malloc_info(context, own, nullptr), CADASTRE_INVALID_ARG_3);  // it is there
  assert_int_equal(cadastre_free_async(context, own, queue_number(3)), CADASTRE_SUCCESS);
  assert_int_equal(vendor_a().live(), 0);
  destroy(context);
}

void what_the_vendor_claims_and_this_context_does_not_have_is_refused(void**) {
  const cadastre_context context = context_on(vendor_a()), other = context_on(vendor_a());
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 8));
  unsigned char* const theirs = block(other, request(CADASTRE_DEVICE, 8, 1));
  fill_in(theirs, pattern(8));
  assert_refused(context, cadastre_memcpy(context, own, theirs + 1, 4), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_OTHER_CONTEXT);
  assert_int_equal(last(context).type, CADASTRE_DEVICE);
  assert_int_equal(last(context).device_id, 1);
  assert_int_equal(last(context).backend, vendor_a().number());
  assert_ptr_equal(last(context).pointer, theirs + 1);
  assert_int_equal(last(context).owner, other);
  assert_non_null(std::strstr(last(context).message, "belongs to context"));
  assert_refused(context, cadastre_memcpy(context, theirs, own, 4), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OTHER_CONTEXT);
  assert_refused(context, cadastre_memset(context, theirs, 0, 4), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_OTHER_CONTEXT);
  assert_true(contents(theirs, 8) == pattern(8));
  cadastre_memory_info_struct info = request(CADASTRE_DEVICE, 8, 1);
  info.pointer = theirs;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, own, theirs, 8), CADASTRE_SUCCESS);
  assert_true(contents(own, 8) == pattern(8));
  destroy(context);
  destroy(other);
}

void device_memory_that_was_freed_is_refused(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char plain[8] = {};
  unsigned char* const gone = block(context, request(CADASTRE_DEVICE, 8));
  assert_int_equal(cadastre_free(context, gone), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_memcpy(context, plain, gone + 2, 4), CADASTRE_INVALID_ARG_3, CADASTRE_REASON_ALREADY_FREED);
  assert_ptr_equal(last(context).base, gone);
  assert_refused(context, cadastre_memset(context, gone, 0, 4), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_ALREADY_FREED);
  destroy(context);
}

void memory_that_was_an_emulated_devices_is_plain_again(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const gone = block(context, request(CADASTRE_DEVICE, 100));
  assert_int_equal(cadastre_free(context, gone), CADASTRE_SUCCESS);
  void* const again = std::calloc(1, 100);  // the C library gives the same address, unless a sanitizer keeps it
  unsigned char out[100];
  std::memset(out, 1, sizeof out);
  assert_int_equal(cadastre_memcpy(context, out, again, 100), CADASTRE_SUCCESS);
  assert_true(contents(out, 100) == Bytes(100));
  std::free(again);
  destroy(context);
}

void borrowed_memory_is_copied_like_any_other(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  Bytes memory = pattern(100);
  cadastre_memory_info_struct info = request(CADASTRE_HOST, 50);
  info.pointer = memory.data() + 10;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  unsigned char* const own = block(context, request(CADASTRE_UVM, 100));
  assert_int_equal(cadastre_memcpy(context, own, memory.data() + 12, 48), CADASTRE_SUCCESS);
  assert_true(contents(own, 48) == contents(memory.data() + 12, 48));
  assert_refused(context, cadastre_memcpy(context, own, memory.data() + 12, 49), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
  destroy(context);
}

// A matrix of six rows and five columns of four bytes each, stored by rows: a column's elements are 20 bytes apart.
constexpr std::size_t rows = 6, row_bytes = 20, element = 4;

unsigned char* matrix(cadastre_context context, cadastre_memory_type type) {
  cadastre_memory_info_struct info = request(type, rows * row_bytes);
  info.stride = row_bytes;
  auto* const pointer = static_cast<unsigned char*>(cadastre_malloc_strided(context, info, CADASTRE_DEFAULT_QUEUE));
  assert_non_null(pointer);
  fill_in(pointer, pattern(rows * row_bytes));
  return pointer;
}

std::size_t in_column(std::size_t column, std::size_t byte) { return byte / element * row_bytes + column * element + byte % element; }

void a_column_is_packed_and_unpacked(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  block(context, request(CADASTRE_PINNED, rows * row_bytes));
  for (const cadastre_memory_type type : every_type) {
    unsigned char* const from = matrix(context, type);
    unsigned char* const to = matrix(context, CADASTRE_DEVICE);
    unsigned char* const dense = block(context, request(CADASTRE_HOST, rows * element));
    Bytes plain(rows * element), expected = pattern(rows * row_bytes);
    assert_int_equal(cadastre_memcpy_strided(context, dense, from + 4, element, rows), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memcpy_strided(context, plain.data(), from + 4, element, rows), CADASTRE_SUCCESS);
    for (std::size_t i = 0; i < plain.size(); ++i) assert_int_equal(plain[i], expected[in_column(1, i)]);
    assert_true(contents(dense, plain.size()) == plain);
    assert_int_equal(cadastre_memcpy_strided_async(context, to + 16, plain.data(), element, rows, CADASTRE_DEFAULT_QUEUE),
                     CADASTRE_SUCCESS);
    assert_int_equal(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    assert_int_equal(cadastre_memcpy_strided(context, to, from + 8, element, rows), CADASTRE_SUCCESS);
    const Bytes source = expected;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      expected[in_column(4, i)] = source[in_column(1, i)];
      expected[in_column(0, i)] = source[in_column(2, i)];
    }
    assert_true(contents(to, rows * row_bytes) == expected && contents(from, rows * row_bytes) == source);
  }
  destroy(context);
}

void columns_of_one_matrix_interleave(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = matrix(context, CADASTRE_DEVICE);
  Bytes expected = pattern(rows * row_bytes);
  assert_int_equal(cadastre_memcpy_strided(context, own + 12, own + 4, element, rows), CADASTRE_SUCCESS);
  for (std::size_t i = 0; i < rows * element; ++i) expected[in_column(3, i)] = expected[in_column(1, i)];
  assert_int_equal(cadastre_memcpy_strided(context, own, own + 16, element, rows), CADASTRE_SUCCESS);
  for (std::size_t i = 0; i < rows * element; ++i) expected[in_column(0, i)] = expected[in_column(4, i)];
  assert_true(contents(own, rows * row_bytes) == expected);
  // From the last column of one row to the first of the next there is a step of one element, too.
  assert_int_equal(cadastre_memcpy_strided(context, own + 20, own + 16, element, rows - 1), CADASTRE_SUCCESS);
  for (const std::size_t apart : {std::size_t{1}, std::size_t{3}, std::size_t{17}, std::size_t{20}, std::size_t{23}, std::size_t{40}}) {
    assert_refused(context, cadastre_memcpy_strided(context, own + apart, own, element, 3), CADASTRE_INVALID_ARG_2,
                   CADASTRE_REASON_RANGES_OVERLAP);
    assert_refused(context, cadastre_memcpy_strided(context, own, own + apart, element, 3), CADASTRE_INVALID_ARG_2,
                   CADASTRE_REASON_RANGES_OVERLAP);
  }
  assert_int_equal(cadastre_memcpy_strided(context, own + 60, own, element, 3), CADASTRE_SUCCESS);
  destroy(context);
}

void ranges_of_different_strides_that_meet_are_refused(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  Bytes memory = pattern(200);
  cadastre_memory_info_struct inner = request(CADASTRE_HOST, 50), outer = request(CADASTRE_HOST, 200);
  inner.pointer = memory.data() + 100;
  outer.pointer = memory.data();
  outer.stride = 20;
  assert_int_equal(cadastre_wrap(context, inner), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_wrap(context, outer), CADASTRE_SUCCESS);
  assert_refused(context, cadastre_memcpy_strided(context, memory.data() + 60, memory.data() + 100, element, 4), CADASTRE_INVALID_ARG_2,
                 CADASTRE_REASON_RANGES_OVERLAP);
  assert_true(memory == pattern(200));
  assert_int_equal(cadastre_memcpy_strided(context, memory.data() + 20, memory.data() + 100, element, 4), CADASTRE_SUCCESS);
  destroy(context);
}

void an_element_that_does_not_fit_into_its_stride_is_refused(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = matrix(context, CADASTRE_DEVICE);
  unsigned char plain[200] = {};
  assert_refused(context, cadastre_memcpy_strided(context, plain, own, 21, 2), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_STRIDE_TOO_SMALL);
  assert_int_equal(last(context).argument, 4);
  assert_int_equal(last(context).requested, 21);
  assert_int_equal(last(context).required, 20);
  assert_refused(context, cadastre_memcpy_strided(context, own, plain, 21, 2), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_STRIDE_TOO_SMALL);
  assert_int_equal(cadastre_memcpy_strided(context, plain, own, 20, rows), CADASTRE_SUCCESS);
  assert_true(contents(plain, rows * row_bytes) == pattern(rows * row_bytes));
  assert_int_equal(cadastre_memcpy(context, plain, own, rows * row_bytes), CADASTRE_SUCCESS);  // asks no stride
  destroy(context);
}

void a_count_that_overflows_or_leaves_the_block_is_refused(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const own = matrix(context, CADASTRE_DEVICE);
  unsigned char plain[200] = {};
  for (const std::size_t count : {SIZE_MAX, SIZE_MAX / 20 + 2}) {
    assert_refused(context, cadastre_memcpy_strided(context, own, plain, element, count), CADASTRE_INVALID_ARG_5,
                   CADASTRE_REASON_COUNT_OVERFLOW);
    const std::string told = std::to_string(count) + " elements of " + std::to_string(element) + " bytes, one every " +
                             std::to_string(row_bytes) + " bytes, exceed the largest possible allocation";
    assert_non_null(std::strstr(last(context).message, told.c_str()));
    assert_true(last(context).requested == count);
    assert_refused(context, cadastre_memcpy_strided(context, plain, own, 16, count), CADASTRE_INVALID_ARG_5,
                   CADASTRE_REASON_COUNT_OVERFLOW);
  }
  assert_refused(context, cadastre_memcpy_strided(context, plain, plain + 100, 8, largest_size / 8 + 1), CADASTRE_INVALID_ARG_5,
                 CADASTRE_REASON_COUNT_OVERFLOW);
  assert_refused(context, cadastre_memcpy_strided(context, own, plain, element, rows + 1), CADASTRE_OUT_OF_BOUNDS,
                 CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(last(context).requested, rows * row_bytes + element);
  assert_refused(context, cadastre_memcpy_strided(context, plain, own + 17, element, rows), CADASTRE_OUT_OF_BOUNDS,
                 CADASTRE_REASON_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_memcpy_strided(context, plain, own + 16, element, rows), CADASTRE_SUCCESS);
  assert_true(contents(own, rows * row_bytes) == pattern(rows * row_bytes));
  destroy(context);
}

void a_set_takes_the_low_byte_of_its_value(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char plain[10];
  for (const cadastre_memory_type type : every_type) {
    for (const int value : {0, 1, 255, 256, 0x1234, -1, INT32_MIN, INT32_MAX}) {
      unsigned char* const own = block(context, request(type, 10));
      std::memset(plain, 0x77, sizeof plain);
      assert_int_equal(cadastre_memset(context, own + 1, value, 8), CADASTRE_SUCCESS);
      assert_int_equal(cadastre_memset(context, plain + 1, value, 8), CADASTRE_SUCCESS);
      for (int i = 1; i < 9; ++i) assert_true(own[i] == (value & 0xff) && plain[i] == (value & 0xff));
      assert_true(own[0] == 0 && own[9] == 0 && plain[0] == 0x77 && plain[9] == 0x77);
      assert_int_equal(cadastre_free(context, own), CADASTRE_SUCCESS);
    }
  }
  destroy(context);
}

void a_vendor_is_asked_to_set_a_byte(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 10));
  for (const int value : {0, 255, 256, -1, INT32_MIN}) {
    assert_int_equal(cadastre_memset(context, own, value, 10), CADASTRE_SUCCESS);
    assert_int_equal(vendor_a().last_value, value & 0xff);
  }
  destroy(context);
}

void what_is_not_waited_for_is_there_after_synchronize(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  unsigned char* const a = block(context, request(CADASTRE_DEVICE, 1000, 0));
  unsigned char* const b = block(context, request(CADASTRE_DEVICE, 1000, 1));
  const Bytes in = pattern(1000);
  Bytes out(1000);
  assert_int_equal(cadastre_memcpy_async(context, a, in.data(), 1000, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy_async(context, b, a, 1000, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memset_async(context, b, 9, 10, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy_async(context, out.data(), b, 1000, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  Bytes expected = in;
  std::fill_n(expected.begin(), 10, static_cast<unsigned char>(9));
  assert_true(out == expected);
  destroy(context);
}

void the_default_queue_is_what_was_set(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const own = block(context, request(CADASTRE_DEVICE, 8));
  unsigned char plain[8] = {};
  cadastre_queue queue = queue_number(9);
  assert_int_equal(cadastre_context_get_default_queue(context, &queue), CADASTRE_SUCCESS);
  assert_ptr_equal(queue, CADASTRE_DEFAULT_QUEUE);
  assert_int_equal(cadastre_context_set_default_queue(context, queue_number(3)), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_context_get_default_queue(context, &queue), CADASTRE_SUCCESS);
  assert_ptr_equal(queue, queue_number(3));
  NotedVendor::noted.clear();
  cadastre_memcpy(context, own, plain, 8);
  cadastre_memcpy_async(context, own, plain, 8, CADASTRE_DEFAULT_QUEUE);
  cadastre_memcpy_async(context, own, plain, 8, queue_number(4));
  cadastre_memset(context, own, 1, 8);
  cadastre_memset_async(context, own, 1, 8, queue_number(5));
  cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE);
  cadastre_synchronize(context, queue_number(6));
  assert_string_equal(NotedVendor::noted.c_str(), "A copies HOST to DEVICE 0 on q3; A copies HOST to DEVICE 0 on q3 behind our back; "
                                                  "A copies HOST to DEVICE 0 on q4 behind our back; A sets DEVICE 0 on q3; "
                                                  "A sets DEVICE 0 on q5 behind our back; A waits for 0 on q3; A waits for 0 on q6; ");
  assert_int_equal(cadastre_context_set_default_queue(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  NotedVendor::noted.clear();
  cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE);
  assert_string_equal(NotedVendor::noted.c_str(), "A waits for 0; ");
  assert_refused(context, cadastre_context_get_default_queue(context, nullptr), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT);
  NotedVendor::refused_call = 1;
  assert_refused(context, cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
  destroy(context);
}

void a_hint_is_checked_and_ignored_where_nobody_takes_it(void**) {
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  for (const cadastre_memory_type type : every_type) {
    unsigned char* const own = block(context, request(type, 100));
    const auto prefetch = [&](const void* address, std::size_t bytes, std::int32_t device) {
      std::int32_t taken = 7;
      const cadastre_exit_code code = cadastre_prefetch(context, address, bytes, device, CADASTRE_DEFAULT_QUEUE, &taken);
      assert_int_equal(taken, 0);
      return code;
    };
    const auto advise = [&](const void* address, std::size_t bytes, cadastre_advice advice, std::int32_t device) {
      return cadastre_advise(context, address, bytes, advice, device, nullptr);
    };
    for (const std::int32_t device : {CADASTRE_DEVICE_BY_ID(0), CADASTRE_DEVICE_BY_ID(1), CADASTRE_DEFAULT_DEVICE, CADASTRE_HOST_DEVICE}) {
      assert_int_equal(prefetch(own + 1, 99, device), CADASTRE_SUCCESS);
      for (cadastre_advice advice = CADASTRE_ADVICE_READ_MOSTLY; advice <= CADASTRE_ADVICE_UNSET_ACCESSED_BY; ++advice) {
        assert_int_equal(advise(own + 1, 99, advice, device), CADASTRE_SUCCESS);
      }
    }
    for (const std::int32_t device : {CADASTRE_DEVICE_BY_ID(2), 1, 1023, -1, -3, INT32_MAX}) {
      if (type != CADASTRE_UVM) {
        assert_int_equal(prefetch(own, 1, device), CADASTRE_SUCCESS);
        continue;
      }
      assert_refused(context, prefetch(own, 1, device), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_INVALID_DEVICE);
      assert_int_equal(last(context).device_id, device > 1023 ? device - 1024 : -1);
      assert_int_equal(static_cast<std::int32_t>(last(context).requested), device > 1023 ? device - 1024 : device);
      assert_refused(context, advise(own, 1, CADASTRE_ADVICE_READ_MOSTLY, device), CADASTRE_INVALID_ARG_5, CADASTRE_REASON_INVALID_DEVICE);
    }
    for (const cadastre_advice advice : {-1, 0, CADASTRE_ADVICE_UNSET_ACCESSED_BY + 1}) {
      assert_refused(context, advise(own, 1, advice, 0), CADASTRE_INVALID_ARG_4, CADASTRE_REASON_INVALID_ADVICE);
      assert_non_null(std::strstr(last(context).message, "is not an advice; pass one of"));
    }
    assert_refused(context, prefetch(own + 1, 100, 0), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
    assert_refused(context, advise(own + 1, 100, CADASTRE_ADVICE_READ_MOSTLY, 0), CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS);
    assert_int_equal(prefetch(own, 0, 0), CADASTRE_SUCCESS);
    int plain = 0;
    assert_refused(context, prefetch(&plain, 1, 0), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_UNKNOWN_POINTER);
    assert_refused(context, prefetch(nullptr, 1, 0), CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT);
  }
  destroy(context);
}

void a_hint_reaches_the_vendor_and_tells_whether_it_was_taken(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const own = block(context, request(CADASTRE_UVM, 100, 1));
  unsigned char* const other = block(context, request(CADASTRE_UVM, 100, 1, vendor_b().number()));
  unsigned char* const device = block(context, request(CADASTRE_DEVICE, 100, 1));
  NotedVendor::noted.clear();
  std::int32_t taken = 7;
  assert_int_equal(cadastre_prefetch(context, own + 9, 1, CADASTRE_DEVICE_BY_ID(0), queue_number(2), &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 0);
  assert_int_equal(cadastre_prefetch(context, own, 100, CADASTRE_DEFAULT_DEVICE, queue_number(2), &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 1);
  assert_int_equal(cadastre_prefetch(context, other, 100, CADASTRE_HOST_DEVICE, queue_number(2), &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 0);
  assert_int_equal(cadastre_advise(context, own, 100, CADASTRE_ADVICE_ACCESSED_BY, CADASTRE_DEVICE_BY_ID(0), &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 1);
  assert_int_equal(cadastre_prefetch(context, device, 100, CADASTRE_DEVICE_BY_ID(1), queue_number(2), &taken), CADASTRE_SUCCESS);
  assert_int_equal(taken, 0);
  assert_string_equal(NotedVendor::noted.c_str(), "A prefetches to 0 on q2; A prefetches to 1 on q2; B prefetches to -2; "
                                                  "A is advised 5 for 0; ");
  NotedVendor::refused_call = 1;
  taken = 7;
  assert_refused(context, cadastre_prefetch(context, own, 100, CADASTRE_DEVICE_BY_ID(1), CADASTRE_DEFAULT_QUEUE, &taken), CADASTRE_FAILURE,
                 CADASTRE_REASON_BACKEND_CALL_FAILED);
  assert_int_equal(taken, 0);
  destroy(context);
}

constexpr std::size_t spots = 6;

std::array<unsigned char*, spots> memory_everywhere(cadastre_context context, unsigned char* plain) {
  std::array<unsigned char*, spots> result = {plain, block(context, request(CADASTRE_HOST, 64))};
  std::size_t spot = 2;
  for (NotedVendor* const vendor : {&vendor_a(), &vendor_b()}) {
    for (const cadastre_memory_type type : {CADASTRE_PINNED, CADASTRE_DEVICE}) {
      result[spot++] = block(context, request(type, 64, 1, vendor->number()));
    }
  }
  return result;
}

// The names of those that copied, in their order.
std::string who_copied() {
  std::string names;
  const std::string& noted = NotedVendor::noted;
  for (std::size_t at = noted.find(" copies "); at != std::string::npos; at = noted.find(" copies ", at + 1)) {
    names += noted[at - 1];
  }
  return names;
}

void each_pair_of_places_is_copied_by_the_vendor_that_can(void**) {
  const char* const expected[spots][spots] = {
      // to:        plain HOST  PINNED  DEVICE  PINNED  DEVICE
      /* plain    */ {"", "", "A", "A", "B", "B"},
      /* HOST     */ {"", "", "A", "A", "B", "B"},
      /* PINNED A */ {"A", "A", "A", "A", "B", "B"},
      /* DEVICE A */ {"A", "A", "A", "A", "A", "AB"},
      /* PINNED B */ {"B", "B", "A", "A", "B", "B"},
      /* DEVICE B */ {"B", "B", "B", "BA", "B", "B"},
  };
  for (Backend* const own : {static_cast<Backend*>(&vendor_a()), static_cast<Backend*>(&vendor_b()), find_backend(CADASTRE_BACKEND_HOST)}) {
    const cadastre_context context = context_on(*own);
    unsigned char plain_to[64], plain_from[64];
    const auto tos = memory_everywhere(context, plain_to), froms = memory_everywhere(context, plain_from);
    for (std::size_t from = 0; from < spots; ++from) {
      for (std::size_t to = 0; to < spots; ++to) {
        fill_in(froms[from], pattern(64, static_cast<unsigned>(from + spots * to)));
        std::memset(tos[to], 0, 64);
        NotedVendor::noted.clear();
        const cadastre_exit_code code = cadastre_memcpy(context, tos[to] + 2, froms[from] + 1, 60);
        assert_string_equal(last(context).message, "");
        assert_int_equal(code, CADASTRE_SUCCESS);
        assert_string_equal(who_copied().c_str(), expected[from][to]);
        Bytes wanted(64);
        replace(wanted, 2, contents(froms[from], 64), 1, 60);
        assert_true(contents(tos[to], 64) == wanted);
      }
    }
    destroy(context);
  }
  assert_int_equal(vendor_a().live() + vendor_b().live(), 0);
}

void the_default_queues_of_two_devices_are_one_to_the_caller(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const first = block(context, request(CADASTRE_DEVICE, 8, 0));
  unsigned char* const second = block(context, request(CADASTRE_DEVICE, 8, 1));
  unsigned char here[8] = {};
  const auto told = [](cadastre_exit_code code) {
    assert_int_equal(code, CADASTRE_SUCCESS);
    std::string noted;
    std::swap(noted, NotedVendor::noted);
    return noted;
  };
  NotedVendor::noted.clear();
  const cadastre_queue preset = CADASTRE_DEFAULT_QUEUE;
  assert_string_equal(told(cadastre_synchronize(context, preset)).c_str(), "A waits for 0; A waits for 1; ");
  assert_string_equal(told(cadastre_memcpy_async(context, second, here, 8, preset)).c_str(),
                      "A waits for 0; A copies HOST to DEVICE 1 behind our back; ");
  assert_string_equal(told(cadastre_memset_async(context, first, 1, 8, preset)).c_str(),
                      "A waits for 1; A sets DEVICE 0 behind our back; ");
  assert_string_equal(told(cadastre_memcpy(context, first, second, 8)).c_str(),
                      "A waits for 0; A waits for 1; A copies DEVICE 1 to DEVICE 0; ");
  assert_string_equal(told(cadastre_memcpy_async(context, second, here, 8, queue_number(3))).c_str(),
                      "A copies HOST to DEVICE 1 on q3 behind our back; ");
  destroy(context);
}

void what_another_vendor_has_under_way_is_done_first(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char plain[64] = {};
  const auto places = memory_everywhere(context, plain), others = memory_everywhere(context, plain);
  enum { in_plain, on_host, pinned_a, device_a, pinned_b, device_b };
  const auto told = [&](int to, int from) {
    NotedVendor::noted.clear();
    assert_int_equal(
        cadastre_memcpy_async(context, places[static_cast<std::size_t>(to)], others[static_cast<std::size_t>(from)], 8, queue_number(7)),
        CADASTRE_SUCCESS);
    return NotedVendor::noted;
  };
  assert_string_equal(told(device_a, in_plain).c_str(), "A copies HOST to DEVICE 1 on q7 behind our back; ");
  assert_string_equal(told(on_host, in_plain).c_str(), "A waits for 0 on q7; ");
  assert_string_equal(told(device_b, in_plain).c_str(), "A waits for 0 on q7; B copies HOST to DEVICE 1; ");
  assert_string_equal(told(device_b, pinned_b).c_str(), "A waits for 0 on q7; B copies PINNED 1 to DEVICE 1; ");
  assert_string_equal(told(device_a, pinned_b).c_str(), "B waits for 1; A copies HOST to DEVICE 1 on q7; ");
  assert_string_equal(told(pinned_b, device_a).c_str(), "B waits for 1; A copies DEVICE 1 to HOST on q7; ");
  assert_string_equal(told(device_b, pinned_a).c_str(), "A waits for 0 on q7; A waits for 1; B copies HOST to DEVICE 1; ");
  assert_string_equal(told(device_b, device_a).c_str(), "A waits for 0 on q7; A copies DEVICE 1 to HOST; B copies HOST to DEVICE 1; ");
  NotedVendor::noted.clear();
  assert_int_equal(cadastre_memcpy(context, places[on_host], plain, 8), CADASTRE_SUCCESS);
  assert_string_equal(NotedVendor::noted.c_str(), "");
  destroy(context);
}

constexpr std::size_t pieces = std::size_t{9} << 20;  // goes in three

void a_copy_between_two_vendors_goes_by_way_of_the_host_in_pieces(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const a = block(context, request(CADASTRE_DEVICE, pieces, 0));
  unsigned char* const b = block(context, request(CADASTRE_DEVICE, pieces, 1, vendor_b().number()));
  fill_in(a, pattern(pieces));
  NotedVendor::noted.clear();
  assert_int_equal(cadastre_memcpy(context, b + 1, a + 3, pieces - 3), CADASTRE_SUCCESS);
  const std::string piece = "A copies DEVICE 0 to HOST; B copies HOST to DEVICE 1; ";
  assert_string_equal(NotedVendor::noted.c_str(), ("A waits for 0; " + piece + piece + piece).c_str());
  Bytes expected(pieces);
  replace(expected, 1, pattern(pieces), 3, pieces - 3);
  assert_true(contents(b, pieces) == expected);
  destroy(context);
}

void rows_go_by_way_of_the_host_too(void**) {
  const cadastre_context context = context_on(vendor_a());
  cadastre_memory_info_struct info = request(CADASTRE_DEVICE, 100, 0);
  info.stride = 20;
  unsigned char* const a = block(context, info);
  info.backend = vendor_b().number();
  info.stride = 10;
  unsigned char* const b = block(context, info);
  fill_in(a, pattern(100));
  assert_int_equal(cadastre_memcpy_strided(context, b + 1, a + 2, 3, 5), CADASTRE_SUCCESS);
  Bytes expected(100);
  for (std::size_t row = 0; row < 5; ++row) replace(expected, 1 + 10 * row, pattern(100), 2 + 20 * row, 3);
  assert_true(contents(b, 100) == expected);
  destroy(context);
}

void a_failure_of_any_step_is_reported_and_changes_nothing(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char* const a = block(context, request(CADASTRE_DEVICE, pieces, 0));
  unsigned char* const b = block(context, request(CADASTRE_DEVICE, pieces, 1, vendor_b().number()));
  cadastre_statistics_struct before = cadastre_statistics_struct_zero, after = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_DEVICE, &before), CADASTRE_SUCCESS);
  for (int step = 1; step <= 7; ++step) {  // wait, three times there and back
    NotedVendor::refused_call = step;
    assert_refused(context, cadastre_memcpy(context, b, a, pieces), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
    assert_int_equal(last(context).backend, step % 2 == 1 && step > 1 ? vendor_b().number() : vendor_a().number());
    assert_string_equal(last(context).function, "cadastre_memcpy");
    assert_int_equal(NotedVendor::refused_call, 0);
  }
  assert_int_equal(cadastre_memcpy(context, b, a, pieces), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_get_statistics(context, CADASTRE_DEVICE, &after), CADASTRE_SUCCESS);
  assert_memory_equal(&before, &after, sizeof before);
  destroy(context);
}

void sets_are_done_by_the_vendor_of_the_block(void**) {
  const cadastre_context context = context_on(vendor_a());
  unsigned char plain[64] = {};
  const auto places = memory_everywhere(context, plain);
  const char* const waited[spots] = {"",
                                     "",
                                     "A sets PINNED 1 on q7; ",
                                     "A sets DEVICE 1 on q7; ",
                                     "A waits for 0 on q7; B sets PINNED 1; ",
                                     "A waits for 0 on q7; B sets DEVICE 1; "};
  const char* const behind[spots] = {"A waits for 0 on q7; ",
                                     "A waits for 0 on q7; ",
                                     "A sets PINNED 1 on q7 behind our back; ",
                                     "A sets DEVICE 1 on q7 behind our back; ",
                                     "A waits for 0 on q7; B sets PINNED 1; ",
                                     "A waits for 0 on q7; B sets DEVICE 1; "};
  assert_int_equal(cadastre_context_set_default_queue(context, queue_number(7)), CADASTRE_SUCCESS);
  for (std::size_t spot = 0; spot < spots; ++spot) {
    NotedVendor::noted.clear();
    assert_int_equal(cadastre_memset(context, places[spot], 5, 8), CADASTRE_SUCCESS);
    assert_string_equal(NotedVendor::noted.c_str(), waited[spot]);
    NotedVendor::noted.clear();
    assert_int_equal(cadastre_memset_async(context, places[spot] + 8, 6, 8, queue_number(7)), CADASTRE_SUCCESS);
    assert_string_equal(NotedVendor::noted.c_str(), behind[spot]);
    Bytes expected(64);
    std::fill_n(expected.begin(), 8, static_cast<unsigned char>(5));
    std::fill_n(expected.begin() + 8, 8, static_cast<unsigned char>(6));
    assert_true(contents(places[spot], 64) == expected);
  }
  NotedVendor::refused_call = 1;
  assert_refused(context, cadastre_memset(context, places[5], 5, 8), CADASTRE_FAILURE, CADASTRE_REASON_BACKEND_CALL_FAILED);
  destroy(context);
}

constexpr std::size_t large = (std::size_t{4} << 30) + (std::size_t{4} << 20) + 1;

void sizes_above_four_gibibytes_reach_the_vendor_whole(void**) {
  const cadastre_context context = context_on(vendor_a());
  cadastre_memory_info_struct info = request(CADASTRE_DEVICE, large, 0);
  info.pointer = reinterpret_cast<void*>(std::size_t{1} << 40);
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  void* const to = reinterpret_cast<void*>(std::size_t{1} << 41);
  NotedVendor::idle = true;
  vendor_a().bytes_copied = 0;
  assert_int_equal(cadastre_memcpy(context, to, info.pointer, large), CADASTRE_SUCCESS);
  NotedVendor::idle = false;
  assert_true(vendor_a().bytes_copied == large);
  assert_int_equal(cadastre_memcpy(context, to, info.pointer, large + 1), CADASTRE_OUT_OF_BOUNDS);
  destroy(context);
}

constexpr std::size_t window = std::size_t{2} << 20;

// Addresses of which all but the last windows are one window of memory; null when the system does not give them. They are filled in at once,
// since two million faults would take most of the time.
unsigned char* many_windows(std::size_t size) {
  const int file = memfd_create("windows", 0);
  if (file < 0 || ftruncate(file, 2 * window) != 0) return nullptr;
  void* const start = mmap(nullptr, size + window, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  auto* const first = static_cast<unsigned char*>(start);
  bool good = start != MAP_FAILED;
  for (std::size_t at = 0; good && at < size; at += window) {
    const off_t offset = at + window < size ? 0 : static_cast<off_t>(window);
    good = mmap(first + at, window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, offset) != MAP_FAILED;
  }
  close(file);
  return good ? first : nullptr;
}

void more_than_four_gibibytes_of_host_memory_are_copied_and_set(void**) {
  const char* const preloaded = std::getenv("LD_PRELOAD");  // valgrind tells itself there
  if (sanitized || (preloaded && std::strstr(preloaded, "vgpreload"))) skip_because("a checker of memory watches");
  unsigned char* const to = many_windows(large);
  unsigned char* const from = many_windows(large);
  if (!to || !from) skip_because("there is not memory enough");
  const cadastre_context context = context_on(*find_backend(CADASTRE_BACKEND_HOST));
  for (unsigned char* const range : {to, from}) {
    cadastre_memory_info_struct info = request(CADASTRE_HOST, large);
    info.pointer = range;
    assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  }
  from[large - 1] = 0x5a;
  assert_int_equal(cadastre_memcpy(context, to, from, large), CADASTRE_SUCCESS);
  assert_int_equal(to[large - 1], 0x5a);
  assert_int_equal(cadastre_memset(context, to, 0x77, large), CADASTRE_SUCCESS);
  assert_int_equal(to[large - 1], 0x77);
  destroy(context);
  munmap(to, large + window);
  munmap(from, large + window);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(all_pairs_of_memory_types_and_devices_are_copied),
      cmocka_unit_test(plain_memory_is_on_either_side_or_on_both),
      cmocka_unit_test(a_copy_of_no_bytes_succeeds_with_any_address),
      cmocka_unit_test(threads_copy_and_set_blocks_of_one_context),
      cmocka_unit_test(copies_and_sets_of_small_blocks_are_timed),
      cmocka_unit_test(ranges_of_this_and_of_other_contexts_are_no_plain_memory),
      cmocka_unit_test(ranges_that_overlap_are_refused_by_a_single_byte),
      cmocka_unit_test(a_copy_of_a_range_onto_itself_has_no_effect),
      cmocka_unit_test(null_is_refused_with_its_argument),
      cmocka_unit_test(a_range_that_leaves_its_block_is_refused_with_the_numbers),
      cmocka_unit_test(a_block_of_no_bytes_has_room_for_none),
      cmocka_unit_test(more_bytes_than_a_machine_can_hold_are_refused_on_every_way),
      cmocka_unit_test(host_memory_of_another_context_is_plain_memory),
      cmocka_unit_test(host_memory_of_another_context_has_its_bounds),
      cmocka_unit_test(device_memory_of_another_context_is_refused_though_no_vendor_claims_it),
      cmocka_unit_test(to_ask_other_contexts_is_no_time_of_a_backend),
      cmocka_unit_test(nobody_waits_while_a_vendor_is_asked_what_is_his),
      cmocka_unit_test(nobody_waits_while_another_vendor_is_asked_whether_he_is_there),
      cmocka_unit_test(plain_memory_begins_and_ends_outside_of_device_memory),
      cmocka_unit_test(a_queue_that_cannot_be_waited_for_costs_nobody_a_block),
      cmocka_unit_test(what_the_vendor_claims_and_this_context_does_not_have_is_refused),
      cmocka_unit_test(device_memory_that_was_freed_is_refused),
      cmocka_unit_test(memory_that_was_an_emulated_devices_is_plain_again),
      cmocka_unit_test(borrowed_memory_is_copied_like_any_other),
      cmocka_unit_test(a_column_is_packed_and_unpacked),
      cmocka_unit_test(columns_of_one_matrix_interleave),
      cmocka_unit_test(ranges_of_different_strides_that_meet_are_refused),
      cmocka_unit_test(an_element_that_does_not_fit_into_its_stride_is_refused),
      cmocka_unit_test(a_count_that_overflows_or_leaves_the_block_is_refused),
      cmocka_unit_test(a_set_takes_the_low_byte_of_its_value),
      cmocka_unit_test(a_vendor_is_asked_to_set_a_byte),
      cmocka_unit_test(what_is_not_waited_for_is_there_after_synchronize),
      cmocka_unit_test(the_default_queue_is_what_was_set),
      cmocka_unit_test(a_hint_is_checked_and_ignored_where_nobody_takes_it),
      cmocka_unit_test(a_hint_reaches_the_vendor_and_tells_whether_it_was_taken),
      cmocka_unit_test(each_pair_of_places_is_copied_by_the_vendor_that_can),
      cmocka_unit_test(the_default_queues_of_two_devices_are_one_to_the_caller),
      cmocka_unit_test(what_another_vendor_has_under_way_is_done_first),
      cmocka_unit_test(a_copy_between_two_vendors_goes_by_way_of_the_host_in_pieces),
      cmocka_unit_test(rows_go_by_way_of_the_host_too),
      cmocka_unit_test(a_failure_of_any_step_is_reported_and_changes_nothing),
      cmocka_unit_test(sets_are_done_by_the_vendor_of_the_block),
      cmocka_unit_test(sizes_above_four_gibibytes_reach_the_vendor_whole),
      cmocka_unit_test(more_than_four_gibibytes_of_host_memory_are_copied_and_set),
  };
  return cmocka_run_group_tests_name("transfer", tests, nullptr, nullptr);
}
