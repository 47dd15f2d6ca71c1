// Tangled from org/tests/conformance.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The claims that every backend has to meet.
#ifndef CADASTRE_TESTS_BACKEND_CONFORMANCE_HPP
#define CADASTRE_TESTS_BACKEND_CONFORMANCE_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "backends/backend.hpp"
#include "cmocka.hpp"

namespace cadastre::internal {

template <class Subject>
class Claims {
 public:
  // Adds all claims, under names that begin with the memory type.
  static void add_to(std::vector<CMUnitTest>& tests) {
    const CMUnitTest claims[] = {
        cmocka_unit_test(the_backend_is_there),
        cmocka_unit_test(every_size_is_granted_and_freed),
        cmocka_unit_test(memory_asked_for_as_zero_is_zero_also_when_it_is_recycled),
        cmocka_unit_test(every_alignment_is_honoured_and_stated),
        cmocka_unit_test(a_block_without_an_alignment_has_the_natural_one),
        cmocka_unit_test(blocks_of_no_bytes_have_addresses_of_their_own),
        cmocka_unit_test(resizing_keeps_the_contents_and_zeroes_the_rest),
        cmocka_unit_test(shrinking_and_growing_again_does_not_show_old_contents),
        cmocka_unit_test(resizing_keeps_the_alignment),
        cmocka_unit_test(copies_to_and_from_every_place_move_their_bytes_only),
        cmocka_unit_test(rows_are_copied_with_strides_on_either_side),
        cmocka_unit_test(copies_go_from_every_device_to_every_other),
        cmocka_unit_test(a_set_writes_every_value_to_its_bytes_only),
        cmocka_unit_test(work_that_is_not_waited_for_is_done_in_order_when_its_queue_is),
        cmocka_unit_test(a_block_asked_for_in_the_order_of_a_queue_is_like_any_other),
        cmocka_unit_test(a_block_is_freed_in_the_order_of_a_queue),
        cmocka_unit_test(an_event_marks_what_a_queue_holds_where_there_are_events),
        cmocka_unit_test(a_block_in_use_can_be_settled),
        cmocka_unit_test(every_device_serves_blocks),
        cmocka_unit_test(every_device_can_be_described),
        cmocka_unit_test(memory_that_the_vendor_never_saw_is_not_claimed),
        cmocka_unit_test(a_request_beyond_the_machine_fails_and_names_the_vendor),
        cmocka_unit_test(threads_allocate_and_free_side_by_side),
    };
    for (const CMUnitTest& claim : claims) add(tests, claim);
    if constexpr (Subject::type == CADASTRE_UVM) {
      add(tests, cmocka_unit_test(hints_succeed_whether_they_are_taken_or_not));
    }
    if constexpr (can_fail) add(tests, cmocka_unit_test(no_failing_call_of_the_vendor_loses_anything));
  }

 private:
  using Bytes = std::vector<unsigned char>;
  static constexpr bool can_fail = requires { Subject::fail_in(1); };

  static void add(std::vector<CMUnitTest>& tests, CMUnitTest claim) {
    static std::deque<std::string> names;
    const std::string type = cadastre_string_of_memory_type(Subject::type);
    claim.name = names.emplace_back(type + ": " + claim.name).c_str();
    tests.push_back(claim);
  }

  static Backend& backend() { return Subject::backend(); }

  static const std::vector<std::size_t>& sizes() {
    static const std::vector<std::size_t> fitting = [] {
      std::vector<std::size_t> all = {
          0, 1, 7, 64, 4096, 100000, std::size_t{1} << 20, (std::size_t{5} << 20) + 5, (std::size_t{24} << 20) + 5000};
      if constexpr (requires { Subject::largest(); }) {
        std::erase_if(all, [](std::size_t size) { return size > Subject::largest(); });
      }
      // Each byte costs ThreadSanitizer a call, and tells nothing of threads.
      if constexpr (watches_threads)
        std::erase_if(all, [](std::size_t size) { return size > (std::size_t{Subject::type == CADASTRE_HOST ? 6U : 1U} << 20); });
      // What a program claims again, in other surroundings, it claims of less memory.
      if (Subject::type != CADASTRE_HOST && std::getenv("CADASTRE_TEST_BRIEF"))
        std::erase_if(all, [](std::size_t size) { return size > std::size_t{1} << 17; });
      return all;
    }();
    return fitting;
  }

  static std::vector<std::int32_t> devices() {
    std::vector<std::int32_t> all;
    for (std::int32_t device = 0; device < backend().presence().devices; ++device) all.push_back(device);
    if (all.empty() || Subject::type == CADASTRE_HOST) all = {no_device_id};
    return all;
  }

  static std::int32_t device() { return Subject::type == CADASTRE_HOST ? no_device_id : backend().current_device(); }

  static Record allocate(std::size_t size, std::size_t alignment = 0, bool zero = true) {
    return grant_of({size, alignment, Subject::type, device(), zero});
  }

  static Record grant_of(const Request& request) {
    Grant grant{};
    assert_int_equal(admit(backend(), request), CADASTRE_SUCCESS);
    if (backend().allocate(request, grant) != CADASTRE_SUCCESS) print_error("%s\n", last().message);
    assert_non_null(grant.pointer);
    return record_of(grant, request);
  }

  static Record record_of(const Grant& grant, const Request& request) {
    Record record;
    record.pointer = grant.pointer;
    record.size = request.size;
    record.type = static_cast<std::uint8_t>(request.type);
    record.device = request.device;
    record.backend = static_cast<std::uint8_t>(backend().number());
    record.alignment_log2 = log2_of(grant.alignment);
    record.how = grant.how;
    record.flags = request.zero ? 0 : CADASTRE_UNINITIALIZED;
    return record;
  }

  static void free(const Record& record) { assert_int_equal(backend().free(record), CADASTRE_SUCCESS); }

  static Record resize(const Record& record, std::size_t size) {
    Grant grant{};
    assert_int_equal(backend().resize(record, size, grant), CADASTRE_SUCCESS);
    return record_of(grant, {size, 0, record.type, record.device, (record.flags & CADASTRE_UNINITIALIZED) == 0});
  }

  // One end of a copy: somewhere in a block, or in plain host memory.
  struct End {
    std::byte* address;
    Place place;
    End at(std::size_t offset) const { return {address + offset, place}; }
  };

  static End end(const Record& record) {
    const Place place = record.type == CADASTRE_HOST ? Place{} : Place{record.type, record.device, record.backend};
    return {static_cast<std::byte*>(record.pointer), place};
  }

  static End end(const Bytes& bytes) { return {reinterpret_cast<std::byte*>(const_cast<unsigned char*>(bytes.data())), {}}; }

  static Copy copy_of(const End& to, const End& from, std::size_t bytes) {
    return {.to = to.address, .from = from.address, .bytes = bytes, .to_place = to.place, .from_place = from.place};
  }

  static void copy(const End& to, const End& from, std::size_t bytes) {
    if (bytes > 0) assert_int_equal(backend().copy(copy_of(to, from, bytes)), CADASTRE_SUCCESS);
  }

  static Fill fill_of(const End& to, int value, std::size_t bytes) {
    return {.to = to.address, .value = value, .bytes = bytes, .place = to.place};
  }

  static Bytes contents(const Record& record) {
    Bytes bytes(record.size);
    copy(end(bytes), end(record), record.size);
    return bytes;
  }
  static Bytes contents(const Bytes& bytes) { return bytes; }

  static Bytes pattern(std::size_t size, unsigned first = 1) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 251 + first);
    return bytes;
  }

  static void write(const Record& record, const Bytes& bytes) { copy(end(record), end(bytes), bytes.size()); }
  static void write(Bytes& to, const Bytes& bytes) { to = bytes; }

  static bool all(const Bytes& bytes, std::size_t from, unsigned char value) {
    return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end(), [=](unsigned char byte) { return byte == value; });
  }

  static cadastre_error_struct last() {
    attribute(99, "a claim");
    cadastre_error_struct error = cadastre_error_struct_zero;
    tell_last_failure(99, error);
    return error;
  }

  static void the_backend_is_there(void**) {
    const Presence presence = backend().presence();
    assert_true(presence.usable);
    assert_string_equal(presence.problem, "");
    assert_true(backend().serves(Subject::type));
    assert_true(std::has_single_bit(backend().largest_alignment(Subject::type)));
    if (presence.devices == 0) assert_int_equal(backend().current_device(), no_device_id);
    if (presence.devices > 0) assert_in_range(backend().current_device(), 0, presence.devices - 1);
    assert_true(!presence.accelerates || presence.devices > 0);
    assert_false(backend().serves(CADASTRE_MEMORY_TYPE_COUNT));
    assert_false(backend().serves(-1));
  }

  static void every_size_is_granted_and_freed(void**) {
    for (const bool zero : {true, false}) {
      for (const std::size_t size : sizes()) {
        const Record record = allocate(size, 0, zero);
        const Bytes bytes = pattern(size);
        write(record, bytes);
        assert_true(contents(record) == bytes);
        free(record);
      }
    }
  }

  static void memory_asked_for_as_zero_is_zero_also_when_it_is_recycled(void**) {
    for (int round = 0; round < 4; ++round) {
      for (const std::size_t size : sizes()) {
        for (const std::size_t alignment : {std::size_t{0}, std::size_t{64}}) {
          const Record record = allocate(size, alignment);
          assert_true(all(contents(record), 0, 0));
          write(record, Bytes(size, 0xff));
          free(record);
        }
      }
    }
  }

  static void every_alignment_is_honoured_and_stated(void**) {
    const std::size_t largest = std::min(backend().largest_alignment(Subject::type), std::size_t{1} << 24);
    for (std::size_t alignment = 1; alignment <= largest; alignment *= 2) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, std::min(sizes().back(), std::size_t{1} << 20)}) {
        const Record record = allocate(size, alignment);
        assert_int_equal(record.address() % alignment, 0);
        assert_true(record.alignment() >= alignment);
        assert_int_equal(record.address() % record.alignment(), 0);
        free(record);
      }
    }
  }

  static void a_block_without_an_alignment_has_the_natural_one(void**) {
    const std::size_t natural = backend().natural_alignment(Subject::type);
    assert_true(std::has_single_bit(natural));
    assert_true(natural <= backend().largest_alignment(Subject::type));
    for (const bool ordered : {false, true}) {
      for (const std::size_t size : sizes()) {
        const Record record = grant_of({size, 0, Subject::type, device(), true, ordered});
        assert_int_equal(record.address() % natural, 0);
        assert_true(record.alignment() >= natural);
        free(record);
      }
    }
  }

  static void blocks_of_no_bytes_have_addresses_of_their_own(void**) {
    const Record a = allocate(0), b = allocate(0), c = allocate(0, 64);
    assert_true(a.pointer != b.pointer && b.pointer != c.pointer && a.pointer != c.pointer);
    free(a);
    free(b);
    free(c);
  }

  static void resizing_keeps_the_contents_and_zeroes_the_rest(void**) {
    constexpr std::size_t small = 64, large = std::size_t{1} << 20;
    for (std::size_t i = 0; i < sizes().size(); ++i) {
      for (std::size_t j = 0; j < sizes().size(); ++j) {
        const std::size_t from = sizes()[i], to = sizes()[j];
        const bool are_neighbours = i <= j + 1 && j <= i + 1;
        if (std::max(from, to) > large && std::min(from, to) != small && !are_neighbours) continue;  // each byte takes its time
        Record record = allocate(from);
        const Bytes bytes = pattern(from);
        write(record, bytes);
        record = resize(record, to);
        const Bytes now = contents(record);
        const std::size_t kept = std::min(from, to);
        assert_true(std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(kept), now.begin()));
        assert_true(all(now, kept, 0));
        free(record);
      }
    }
  }

  static void shrinking_and_growing_again_does_not_show_old_contents(void**) {
    for (const std::size_t size : sizes()) {
      Record record = allocate(size);
      write(record, Bytes(size, 0xff));
      record = resize(record, size / 2);
      record = resize(record, size + 100);
      assert_true(all(contents(record), size / 2, 0));
      free(record);
    }
  }

  static void resizing_keeps_the_alignment(void**) {
    for (const std::size_t alignment : {std::size_t{64}, std::size_t{4096}, std::size_t{1} << 16}) {
      if (alignment > backend().largest_alignment(Subject::type)) continue;
      Record record = allocate(100, alignment);
      for (const std::size_t size : sizes()) {
        record = resize(record, size);
        assert_int_equal(record.address() % alignment, 0);
        assert_true(record.alignment() >= alignment);
      }
      free(record);
    }
  }

  template <class Other>
  static void copy_both_ways(const Record& own, Other& other, std::size_t bytes) {
    for (const std::size_t to : {std::size_t{0}, std::size_t{1}, std::size_t{37}}) {
      for (const std::size_t from : {std::size_t{0}, std::size_t{3}, std::size_t{64}}) {
        for (const std::size_t length : {std::size_t{1}, std::size_t{13}, bytes - 101}) {
          Bytes there = pattern(bytes, 1), here = pattern(bytes, 2);
          write(own, here);
          write(other, there);
          copy(end(own).at(to), end(other).at(from), length);
          std::copy_n(there.begin() + static_cast<std::ptrdiff_t>(from), length, here.begin() + static_cast<std::ptrdiff_t>(to));
          assert_true(contents(own) == here && contents(other) == there);
          copy(end(other).at(to), end(own).at(from), length);
          std::copy_n(here.begin() + static_cast<std::ptrdiff_t>(from), length, there.begin() + static_cast<std::ptrdiff_t>(to));
          assert_true(contents(own) == here && contents(other) == there);
        }
      }
    }
  }

  static void copies_to_and_from_every_place_move_their_bytes_only(void**) {
    constexpr std::size_t bytes = 5003;
    const Record own = allocate(bytes);
    Bytes plain(bytes);
    copy_both_ways(own, plain, bytes);
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      if (!backend().serves(type)) continue;
      const std::int32_t device = type == CADASTRE_HOST ? no_device_id : backend().current_device();
      const Request request{bytes, 0, type, device, true};
      Grant grant{};
      if (backend().allocate(request, grant) != CADASTRE_SUCCESS) continue;  // what that type has to claim itself
      const Record other = record_of(grant, request);
      copy_both_ways(own, other, bytes);
      free(other);
    }
    free(own);
  }

  // Seven rows of five bytes each, which begin 11 and 17 bytes apart, or follow each other.
  template <class To, class From>
  static void copy_rows(To& to, From& from) {
    constexpr std::size_t rows = 7, width = 5;
    for (const std::size_t to_stride : {std::size_t{11}, width}) {
      for (const std::size_t from_stride : {std::size_t{17}, width}) {
        const Bytes source = pattern(200, 1);
        Bytes expected = pattern(200, 2);
        write(from, source);
        write(to, expected);
        Copy all = copy_of(end(to).at(3), end(from).at(9), width);
        all.rows = rows;
        all.to_stride = to_stride;
        all.from_stride = from_stride;
        assert_int_equal(backend().copy_rows(all), CADASTRE_SUCCESS);
        for (std::size_t i = 0; i < rows * width; ++i) {
          expected[3 + i / width * to_stride + i % width] = source[9 + i / width * from_stride + i % width];
        }
        assert_true(contents(to) == expected && contents(from) == source);
      }
    }
  }

  static void rows_are_copied_with_strides_on_either_side(void**) {
    const Record a = allocate(200), b = allocate(200);
    Bytes plain(200);
    copy_rows(a, b);
    copy_rows(a, plain);
    copy_rows(plain, a);
    free(a);
    free(b);
  }

  static void copies_go_from_every_device_to_every_other(void**) {
    for (const std::int32_t here : devices()) {
      for (const std::int32_t there : devices()) {
        const Record from = grant_of({10001, 0, Subject::type, here, true});
        const Record to = grant_of({10001, 0, Subject::type, there, true});
        write(from, pattern(10001));
        copy(end(to).at(1), end(from), 10000);
        Bytes expected = pattern(10000);
        expected.insert(expected.begin(), 0);
        assert_true(contents(to) == expected);
        free(from);
        free(to);
      }
    }
  }

  static void a_set_writes_every_value_to_its_bytes_only(void**) {
    const Record record = allocate(1000);
    for (int value = 0; value < 256; ++value) {
      const std::size_t from = static_cast<std::size_t>(value) % 67, length = 1 + static_cast<std::size_t>(value) * 3;
      Bytes expected = pattern(1000);
      write(record, expected);
      assert_int_equal(backend().set(fill_of(end(record).at(from), value, length)), CADASTRE_SUCCESS);
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(from), length, static_cast<unsigned char>(value));
      assert_true(contents(record) == expected);
    }
    free(record);
  }

  static void work_that_is_not_waited_for_is_done_in_order_when_its_queue_is(void**) {
    constexpr std::size_t bytes = std::size_t{1} << 16;
    const Record a = allocate(bytes), b = allocate(bytes);
    const Bytes in = pattern(bytes);
    Bytes out(bytes);
    Copy first = copy_of(end(a), end(in), bytes), second = copy_of(end(b), end(a), bytes), last = copy_of(end(out), end(b), bytes);
    Fill middle = fill_of(end(a).at(100), 0xee, 10);
    first.wait = second.wait = last.wait = middle.wait = false;
    assert_int_equal(backend().copy(first), CADASTRE_SUCCESS);
    assert_int_equal(backend().set(middle), CADASTRE_SUCCESS);
    assert_int_equal(backend().copy(second), CADASTRE_SUCCESS);
    assert_int_equal(backend().copy(last), CADASTRE_SUCCESS);
    assert_int_equal(backend().synchronize(a.device, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
    Bytes expected = in;
    std::fill_n(expected.begin() + 100, 10, static_cast<unsigned char>(0xee));
    assert_true(out == expected);
    free(a);
    free(b);
  }

  static Record allocate_ordered(std::size_t size) {
    return grant_of({size, 0, Subject::type, device(), true, true, CADASTRE_DEFAULT_QUEUE});
  }

  static void a_block_asked_for_in_the_order_of_a_queue_is_like_any_other(void**) {
    for (const std::size_t size : sizes()) {
      Record record = allocate_ordered(size);
      assert_true(all(contents(record), 0, 0));
      write(record, pattern(size));
      record = resize(record, size + 1000);
      Bytes expected = pattern(size);
      expected.resize(size + 1000);
      assert_true(contents(record) == expected);
      free(record);
    }
  }

  static void a_block_is_freed_in_the_order_of_a_queue(void**) {
    for (const std::size_t size : sizes()) {
      for (const Record& record : {allocate_ordered(size), allocate(size)}) {
        write(record, pattern(size));
        if (size > 0) {
          Fill fill = fill_of(end(record), 1, size);
          fill.wait = false;
          assert_int_equal(backend().set(fill), CADASTRE_SUCCESS);
        }
        assert_int_equal(backend().free_ordered(record, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
      }
    }
    assert_int_equal(backend().synchronize(device(), CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  }

  static void an_event_marks_what_a_queue_holds_where_there_are_events(void**) {
    for (const std::int32_t device : devices()) {
      const Record record = grant_of({100000, 0, Subject::type, device, true});
      Backend::Event event = nullptr;
      for (int value = 1; value < 3; ++value) {
        Fill fill = fill_of(end(record), value, record.size);
        fill.wait = false;
        assert_int_equal(backend().set(fill), CADASTRE_SUCCESS);
        assert_int_equal(backend().record_event(device, CADASTRE_DEFAULT_QUEUE, event), CADASTRE_SUCCESS);
        assert_int_equal(event != nullptr, backend().has_events());
        assert_int_equal(backend().wait_event(device, CADASTRE_DEFAULT_QUEUE, event), CADASTRE_SUCCESS);
        assert_int_equal(backend().synchronize_event(device, event), CADASTRE_SUCCESS);
        if (!event) assert_int_equal(backend().synchronize(device, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
        assert_true(all(contents(record), 0, static_cast<unsigned char>(value)));
      }
      backend().destroy_event(device, event);
      assert_false(backend().capturing(device, CADASTRE_DEFAULT_QUEUE));
      free(record);
    }
  }

  static void a_block_in_use_can_be_settled(void**) {
    const Record record = allocate(100000);
    Fill fill = fill_of(end(record), 5, record.size);
    fill.wait = false;
    assert_int_equal(backend().set(fill), CADASTRE_SUCCESS);
    assert_int_equal(backend().settle(record), CADASTRE_SUCCESS);
    assert_true(all(contents(record), 0, 5));
    free(record);
  }

  static void every_device_serves_blocks(void**) {
    const std::int32_t before = backend().current_device();
    for (const std::int32_t device : devices()) {
      Record record = grant_of({1000, 0, Subject::type, device, true});
      write(record, pattern(1000));
      record = resize(record, 100000);
      Bytes expected = pattern(1000);
      expected.resize(100000);
      assert_true(contents(record) == expected);
      assert_int_equal(backend().set(fill_of(end(record), 1, 100000)), CADASTRE_SUCCESS);
      assert_int_equal(backend().synchronize(device, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
      assert_true(all(contents(record), 0, 1));
      free(record);
      assert_int_equal(backend().current_device(), before);
    }
  }

  static void every_device_can_be_described(void**) {
    std::vector<std::string> uuids;
    for (std::int32_t device = 0; device < backend().presence().devices; ++device) {
      DeviceDescription description;
      std::memset(&description, 0x5a, sizeof description);
      assert_int_equal(backend().describe(device, description), CADASTRE_SUCCESS);
      assert_true(std::memchr(description.name, '\0', sizeof description.name));
      assert_true(description.free <= description.total);
      DeviceMemory memory{1, 2};
      assert_int_equal(backend().memory_of(device, memory), CADASTRE_SUCCESS);
      assert_true(memory.total == description.total && memory.free <= memory.total);
      assert_true(std::memchr(description.uuid, '\0', sizeof description.uuid));
      const std::string uuid = description.uuid;
      assert_true(uuid.empty() || std::find(uuids.begin(), uuids.end(), uuid) == uuids.end());
      uuids.push_back(uuid);
    }
  }

  static void hints_succeed_whether_they_are_taken_or_not(void**) {
    const Record record = allocate(100000);
    write(record, pattern(100000));
    std::vector<std::int32_t> places = devices();
    places.push_back(CADASTRE_HOST_DEVICE);
    for (const std::int32_t place : places) {
      for (cadastre_advice advice = 0; advice <= CADASTRE_ADVICE_UNSET_ACCESSED_BY; ++advice) {
        const Hint hint{.begin = end(record).address + 7, .bytes = 9000, .place = end(record).place, .device = place, .advice = advice};
        bool taken = false;
        assert_int_equal(backend().advise(hint, taken), CADASTRE_SUCCESS);
        assert_int_equal(backend().prefetch(hint, taken), CADASTRE_SUCCESS);
      }
    }
    assert_int_equal(backend().settle(record), CADASTRE_SUCCESS);
    assert_true(contents(record) == pattern(100000));
    free(record);
  }

  static void memory_that_the_vendor_never_saw_is_not_claimed(void**) {
    static const int in_the_program = 0;
    const int on_the_stack = 0;
    const std::vector<int> on_the_heap(100), mapped(1 << 22);
    Place place;
    for (const int* const address : {&on_the_stack, &in_the_program, &on_the_heap[50], &mapped[1 << 21]}) {
      assert_false(backend().claims(address, place));
    }
  }

  static void a_request_beyond_the_machine_fails_and_names_the_vendor(void**) {
    for (const std::size_t alignment : {std::size_t{0}, std::size_t{4096}}) {
      Grant grant{};
      const Request request{largest_size - 8192, alignment, Subject::type, device(), true};
      assert_int_equal(backend().allocate(request, grant), CADASTRE_ALLOCATION_FAILED);
      assert_null(grant.pointer);
      const cadastre_error_struct error = last();
      assert_int_equal(error.reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
      assert_true(error.requested == largest_size - 8192);
      assert_true(std::strlen(error.vendor_message) > 0);
    }
    const Record record = allocate(100);
    write(record, pattern(100));
    Grant grant{};
    assert_int_equal(backend().resize(record, largest_size - 8192, grant), CADASTRE_ALLOCATION_FAILED);
    assert_true(contents(record) == pattern(100));
    free(record);
  }

  // Runs an operation with each call of the vendor failing in turn, and answers how often it failed.
  // prepare makes the block that it works on; the operation takes the block and frees it when it succeeds.
  template <class Prepare, class Operation>
  static int fail_in_turn(Prepare prepare, Operation operation) {
    const auto at_first = Subject::live();
    int failures = 0;
    for (int k = 1, calm = 0; calm < 4; ++k) {
      assert_true(k < 200);
      Record record = prepare();
      const auto before = Subject::live();
      fail({.exit_code = CADASTRE_ALREADY_SET});  // to be replaced by the failure that is returned
      Subject::fail_in(k);
      const cadastre_exit_code code = operation(record);
      Subject::fail_in(0);
      calm = code == CADASTRE_SUCCESS ? calm + 1 : 0;
      if (code != CADASTRE_SUCCESS) {
        ++failures;
        assert_true(Subject::live() == before);
        const cadastre_error_struct error = last();
        assert_int_equal(error.exit_code, code);
        assert_int_not_equal(error.reason, CADASTRE_REASON_NONE);
        assert_true(std::strlen(error.vendor_message) > 0);
        assert_int_equal(operation(record), CADASTRE_SUCCESS);
      }
      assert_true(Subject::live() == at_first);
    }
    return failures;
  }

  // The same for an operation that leaves its block alone.
  template <class Operation>
  static void fail_in_turn_beside(std::size_t size, Operation operation) {
    const Bytes bytes = pattern(size);
    const Record record = allocate(size);
    write(record, bytes);
    fail_in_turn([] { return Record{}; }, [&](Record&) { return operation(record); });
    free(record);
  }

  static int fail_allocations_and_frees(std::size_t size) {
    int failures = 0;
    for (const bool ordered : {false, true}) {
      const Request request{size, 64, Subject::type, device(), true, ordered};
      failures += fail_in_turn([] { return Record{}; },
                               [&](Record&) {
                                 Grant grant{};
                                 const cadastre_exit_code code = backend().allocate(request, grant);
                                 if (code == CADASTRE_SUCCESS) {
                                   Subject::fail_in(0);
                                   free(record_of(grant, request));
                                 } else {
                                   assert_null(grant.pointer);
                                 }
                                 return code;
                               });
      fail_in_turn([&] { return grant_of(request); }, [](Record& record) { return backend().free(record); });
      fail_in_turn([&] { return grant_of(request); },
                   [](Record& record) { return backend().free_ordered(record, CADASTRE_DEFAULT_QUEUE); });
    }
    return failures;
  }

  static void fail_resizes(std::size_t from, std::size_t to) {
    const auto prepare = [=] {
      const Record record = allocate(from);
      write(record, pattern(from));
      return record;
    };
    fail_in_turn(prepare, [=](Record& record) {
      Grant grant{};
      const cadastre_exit_code code = backend().resize(record, to, grant);
      Subject::fail_in(0);
      if (code != CADASTRE_SUCCESS) {
        assert_true(contents(record) == pattern(from));
        return code;
      }
      Bytes expected = pattern(from);
      expected.resize(to);
      record = record_of(grant, {to, 0, Subject::type, device(), true});
      assert_true(contents(record) == expected);
      free(record);
      return code;
    });
  }

  static void fail_copies() {
    const Bytes plain = pattern(500);
    fail_in_turn_beside(1000, [&](const Record& record) { return backend().copy(copy_of(end(record), end(plain), 500)); });
    fail_in_turn_beside(1000, [&](const Record& record) { return backend().copy(copy_of(end(plain), end(record), 500)); });
    fail_in_turn_beside(1000, [](const Record& record) { return backend().copy(copy_of(end(record), end(record).at(500), 500)); });
    fail_in_turn_beside(1000, [&](const Record& record) {
      Copy rows = copy_of(end(record), end(plain), 5);
      rows.rows = 7;
      rows.to_stride = 11;
      rows.from_stride = 17;
      return backend().copy_rows(rows);
    });
    fail_in_turn_beside(1000, [](const Record& record) { return backend().set(fill_of(end(record).at(1), 3, 77)); });
  }

  static void fail_what_remains() {
    fail_in_turn_beside(1000, [](const Record& record) { return backend().settle(record); });
    fail_in_turn_beside(1000, [](const Record& record) { return backend().synchronize(record.device, CADASTRE_DEFAULT_QUEUE); });
    fail_in_turn_beside(1000, [](const Record&) {
      DeviceDescription description{};
      return backend().presence().devices > 0 ? backend().describe(0, description) : CADASTRE_SUCCESS;
    });
    fail_in_turn_beside(1000, [](const Record&) {
      DeviceMemory memory{};
      return backend().presence().devices > 0 ? backend().memory_of(0, memory) : CADASTRE_SUCCESS;
    });
    fail_in_turn_beside(1000, [](const Record& record) {
      if (Subject::type != CADASTRE_UVM) return CADASTRE_SUCCESS;
      const Hint hint{.begin = end(record).address,
                      .bytes = 1000,
                      .place = end(record).place,
                      .device = record.device,
                      .advice = CADASTRE_ADVICE_PREFERRED_LOCATION};
      bool taken = false;
      const cadastre_exit_code code = backend().advise(hint, taken);
      return code == CADASTRE_SUCCESS ? backend().prefetch(hint, taken) : code;
    });
  }

  static void no_failing_call_of_the_vendor_loses_anything(void**) {
    // Large enough for the heap to map it, or for a backend to clear and copy it in parts; each run of an operation touches it all.
    const std::size_t large = std::min(sizes().back(), (std::size_t{Subject::type == CADASTRE_HOST ? 5U : 2U} << 20) + 5);
    int failures = 0;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1000}, large}) {
      failures += fail_allocations_and_frees(size);
      fail_resizes(size, size + 5000);
      fail_resizes(size, size / 2);
    }
    assert_true(failures > 0);
    fail_resizes(100, large);
    fail_resizes(large, 100);
    fail_copies();
    fail_what_remains();
  }

  static void threads_allocate_and_free_side_by_side(void**) {
    std::array<bool, 4> good{};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < good.size(); ++t) {
      threads.emplace_back([&good, t] {
        bool fine = true;
        for (std::size_t i = 0; i < 300; ++i) {
          const Request request{1 + i * 37, 0, Subject::type, device(), true};
          Grant grant{};
          fine = fine && backend().allocate(request, grant) == CADASTRE_SUCCESS;
          if (!fine) break;
          const Record record = record_of(grant, request);
          fine = backend().set(fill_of(end(record), static_cast<int>(t), request.size)) == CADASTRE_SUCCESS &&
                 backend().free(record) == CADASTRE_SUCCESS;
        }
        good[t] = fine;
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const bool fine : good) assert_true(fine);
  }
};

template <class... Subjects>
struct Conformance {
  // Tests what the program claims besides, and all of this for each subject.
  static int run(const char* name, std::vector<CMUnitTest> tests) {
    (Claims<Subjects>::add_to(tests), ...);
    return _cmocka_run_group_tests(name, tests.data(), tests.size(), nullptr, nullptr);
  }
};

}  // namespace cadastre::internal
#endif
