// Tangled from org/backend.org; change the chapter, then run: make tangle
// The claims that every backend has to meet.
#ifndef CADASTRE_TESTS_BACKEND_CONFORMANCE_HPP
#define CADASTRE_TESTS_BACKEND_CONFORMANCE_HPP

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <vector>

#include "backend.hpp"
#include "cmocka.hpp"

namespace cadastre::internal {

// Subject supplies: static Backend& backend(); static constexpr cadastre_memory_type type;
// static void read(void* host, const void* block, std::size_t); static void write(void*, const void*, std::size_t).
// run() takes the claims that this backend alone has to meet, and adds those that all have to.
template <class Subject>
class Conformance {
 public:
  static constexpr std::array<std::size_t, 9> sizes = {0, 1, 7, 64, 4096, 100000, std::size_t{1} << 20,
                                                       (std::size_t{5} << 20) + 5, (std::size_t{24} << 20) + 5000};

  static int run(const char* name, std::vector<CMUnitTest> tests) {
    const CMUnitTest claims[] = {
        cmocka_unit_test(the_backend_is_there),
        cmocka_unit_test(every_size_is_granted_and_freed),
        cmocka_unit_test(memory_asked_for_as_zero_is_zero_also_when_it_is_recycled),
        cmocka_unit_test(every_alignment_is_honoured_and_stated),
        cmocka_unit_test(blocks_of_no_bytes_have_addresses_of_their_own),
        cmocka_unit_test(resizing_keeps_the_contents_and_zeroes_the_rest),
        cmocka_unit_test(shrinking_and_growing_again_does_not_show_old_contents),
        cmocka_unit_test(resizing_keeps_the_alignment),
        cmocka_unit_test(a_request_beyond_the_machine_fails_and_names_the_vendor),
        cmocka_unit_test(copy_and_set_touch_their_bytes_only),
        cmocka_unit_test(threads_allocate_and_free_side_by_side),
    };
    tests.insert(tests.end(), std::begin(claims), std::end(claims));
    return _cmocka_run_group_tests(name, tests.data(), tests.size(), nullptr, nullptr);
  }

 private:
  using Bytes = std::vector<unsigned char>;

  static Record allocate(std::size_t size, std::size_t alignment = 0, bool zero = true) {
    const Request request{size, alignment, Subject::type, CADASTRE_DEFAULT_DEVICE, zero};
    Grant grant{};
    assert_int_equal(admit(Subject::backend(), request), CADASTRE_SUCCESS);
    assert_int_equal(Subject::backend().allocate(request, grant), CADASTRE_SUCCESS);
    assert_non_null(grant.pointer);
    return record_of(grant, size, zero);
  }

  static Record record_of(const Grant& grant, std::size_t size, bool zero) {
    Record record;
    record.pointer = grant.pointer;
    record.size = size;
    record.type = static_cast<std::uint8_t>(Subject::type);
    record.alignment_log2 = log2_of(grant.alignment);
    record.how = grant.how;
    record.flags = zero ? 0 : CADASTRE_UNINITIALIZED;
    return record;
  }

  static void free(const Record& record) {
    assert_int_equal(Subject::backend().free(record), CADASTRE_SUCCESS);
  }

  static Record resize(const Record& record, std::size_t size) {
    Grant grant{};
    assert_int_equal(Subject::backend().resize(record, size, grant), CADASTRE_SUCCESS);
    return record_of(grant, size, !(record.flags & CADASTRE_UNINITIALIZED));
  }

  static Bytes contents(const Record& record) {
    Bytes bytes(record.size);
    if (record.size > 0) Subject::read(bytes.data(), record.pointer, record.size);
    return bytes;
  }

  static Bytes pattern(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + 1);
    return bytes;
  }

  static void write(const Record& record, const Bytes& bytes) {
    if (!bytes.empty()) Subject::write(record.pointer, bytes.data(), bytes.size());
  }

  static bool all(const Bytes& bytes, std::size_t from, unsigned char value) {
    return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end(),
                       [=](unsigned char byte) { return byte == value; });
  }

  static void the_backend_is_there(void**) {
    assert_true(Subject::backend().presence().usable);
    assert_string_equal(Subject::backend().presence().why_not, "");
    assert_true(Subject::backend().serves(Subject::type));
    assert_true(std::has_single_bit(Subject::backend().largest_alignment(Subject::type)));
  }

  static void every_size_is_granted_and_freed(void**) {
    for (const bool zero : {true, false}) {
      for (const std::size_t size : sizes) {
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
      for (const std::size_t size : sizes) {
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
    const std::size_t largest = Subject::backend().largest_alignment(Subject::type);
    for (std::size_t alignment = 1; alignment != 0 && alignment <= std::min(largest, std::size_t{1} << 24); alignment *= 2) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, (std::size_t{5} << 20) + 5}) {
        const Record record = allocate(size, alignment);
        assert_int_equal(record.address() % alignment, 0);
        assert_true(record.alignment() >= alignment);
        assert_int_equal(record.address() % record.alignment(), 0);
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
    for (const std::size_t from : sizes) {
      for (const std::size_t to : sizes) {
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
    for (const std::size_t size : sizes) {
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
      if (alignment > Subject::backend().largest_alignment(Subject::type)) continue;
      Record record = allocate(100, alignment);
      for (const std::size_t size : sizes) {
        record = resize(record, size);
        assert_int_equal(record.address() % alignment, 0);
        assert_true(record.alignment() >= alignment);
      }
      free(record);
    }
  }

  static void a_request_beyond_the_machine_fails_and_names_the_vendor(void**) {
    for (const std::size_t alignment : {std::size_t{0}, std::size_t{4096}}) {
      Grant grant{};
      const Request request{largest_size - 8192, alignment, Subject::type, CADASTRE_DEFAULT_DEVICE, true};
      assert_int_equal(Subject::backend().allocate(request, grant), CADASTRE_ALLOCATION_FAILED);
      assert_null(grant.pointer);
      attribute(99, "allocate");
      cadastre_error_struct error;
      tell_last_failure(99, error);
      assert_int_equal(error.reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
      assert_true(error.asked == largest_size - 8192);
      assert_true(std::strlen(error.vendor_text) > 0);
    }
    const Record record = allocate(100);
    write(record, pattern(100));
    Grant grant{};
    assert_int_equal(Subject::backend().resize(record, largest_size - 8192, grant), CADASTRE_ALLOCATION_FAILED);
    assert_true(contents(record) == pattern(100));
    free(record);
  }

  static void copy_and_set_touch_their_bytes_only(void**) {
    const Record a = allocate(1000), b = allocate(1000);
    write(a, pattern(1000));
    auto* const middle = static_cast<unsigned char*>(b.pointer) + 100;
    assert_int_equal(Subject::backend().copy(middle, a.pointer, 500), CADASTRE_SUCCESS);
    assert_int_equal(Subject::backend().set(middle + 500, 0xaa, 7), CADASTRE_SUCCESS);
    Bytes expected(1000, 0);
    const Bytes source = pattern(1000);
    std::copy_n(source.begin(), 500, expected.begin() + 100);
    std::fill_n(expected.begin() + 600, 7, static_cast<unsigned char>(0xaa));
    assert_true(contents(b) == expected);
    free(a);
    free(b);
  }

  static void threads_allocate_and_free_side_by_side(void**) {
    std::array<bool, 4> good{};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < good.size(); ++t) {
      threads.emplace_back([&good, t] {
        bool fine = true;
        for (std::size_t i = 0; i < 300; ++i) {
          const Request request{1 + i * 37, 0, Subject::type, CADASTRE_DEFAULT_DEVICE, true};
          Grant grant{};
          fine = fine && Subject::backend().allocate(request, grant) == CADASTRE_SUCCESS &&
                 Subject::backend().set(grant.pointer, static_cast<int>(t), request.size) == CADASTRE_SUCCESS &&
                 Subject::backend().free(record_of(grant, request.size, true)) == CADASTRE_SUCCESS;
        }
        good[t] = fine;
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const bool fine : good) assert_true(fine);
  }
};

}  // namespace cadastre::internal
#endif
