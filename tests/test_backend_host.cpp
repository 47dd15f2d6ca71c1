// Tangled from org/backend_host.org; change the chapter, then run: make tangle
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "backend_conformance.hpp"

using namespace cadastre::internal;

namespace {

struct Subject {
  static Backend& backend() { return *built_backend(CADASTRE_BACKEND_HOST); }
  static constexpr cadastre_memory_type type = CADASTRE_HOST;
  static void read(void* host, const void* block, std::size_t bytes) { std::memcpy(host, block, bytes); }
  static void write(void* block, const void* host, std::size_t bytes) { std::memcpy(block, host, bytes); }
};

std::size_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  assert_non_null(file);
  unsigned long total = 0, resident = 0;
  assert_int_equal(std::fscanf(file, "%lu %lu", &total, &resident), 2);
  std::fclose(file);
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void a_large_zeroed_block_is_not_touched(void**) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{64}, std::size_t{1} << 24}) {
    const std::size_t before = resident_bytes();
    Grant grant{};
    assert_int_equal(Subject::backend().allocate({gibibyte, alignment, CADASTRE_HOST, -1, true}, grant),
                     CADASTRE_SUCCESS);
    assert_true(resident_bytes() < before + gibibyte / 16);
    Record record;
    record.pointer = grant.pointer;
    record.size = gibibyte;
    record.how = grant.how;
    assert_int_equal(Subject::backend().free(record), CADASTRE_SUCCESS);
  }
}

std::size_t address_space() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  unsigned long total = 0;
  assert_int_equal(std::fscanf(file, "%lu", &total), 1);
  std::fclose(file);
  return total * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Record block_of(std::size_t size, std::size_t alignment) {
  Grant grant{};
  assert_int_equal(Subject::backend().allocate({size, alignment, CADASTRE_HOST, -1, true}, grant), CADASTRE_SUCCESS);
  Record record;
  record.pointer = grant.pointer;
  record.size = size;
  record.alignment_log2 = log2_of(grant.alignment);
  record.how = grant.how;
  return record;
}

void the_spare_before_and_behind_an_aligned_mapping_is_given_back(void**) {
  constexpr std::size_t size = std::size_t{5} << 20, alignment = std::size_t{1} << 28;
  const std::size_t before = address_space();
  std::vector<Record> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(block_of(size, alignment));
  assert_true(address_space() < before + 8 * size + (std::size_t{1} << 22));
  for (const Record& record : blocks) assert_int_equal(Subject::backend().free(record), CADASTRE_SUCCESS);
  assert_true(address_space() < before + (std::size_t{1} << 22));
}

void growing_into_a_mapping_does_not_touch_the_new_tail(void**) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  for (const std::size_t from : {std::size_t{1} << 20, std::size_t{8} << 20}) {
    for (const std::size_t alignment : {std::size_t{0}, std::size_t{8192}}) {
      const Record record = block_of(from, alignment);
      const std::size_t before = resident_bytes();
      Grant grant{};
      assert_int_equal(Subject::backend().resize(record, gibibyte, grant), CADASTRE_SUCCESS);
      assert_true(resident_bytes() < before + gibibyte / 16);
      Record grown = record;
      grown.pointer = grant.pointer;
      grown.size = gibibyte;
      grown.how = grant.how;
      assert_int_equal(Subject::backend().free(grown), CADASTRE_SUCCESS);
    }
  }
}

void a_mapping_that_the_caller_has_divided_is_resized_all_the_same(void**) {
  const Record record = block_of(std::size_t{16} << 20, 0);
  auto* const bytes = static_cast<unsigned char*>(record.pointer);
  bytes[0] = 1;
  bytes[record.size - 1] = 2;
  assert_int_equal(madvise(bytes + (std::size_t{8} << 20), 4096, MADV_DONTFORK), 0);
  Grant grant{};
  assert_int_equal(Subject::backend().resize(record, std::size_t{64} << 20, grant), CADASTRE_SUCCESS);
  const auto* const moved = static_cast<unsigned char*>(grant.pointer);
  assert_int_equal(moved[0], 1);
  assert_int_equal(moved[record.size - 1], 2);
  assert_int_equal(moved[record.size], 0);
  Record grown = record;
  grown.pointer = grant.pointer;
  grown.size = std::size_t{64} << 20;
  grown.how = grant.how;
  assert_int_equal(Subject::backend().free(grown), CADASTRE_SUCCESS);
}

void a_free_that_the_system_refuses_is_reported_with_its_errno(void**) {
  Record record;
  record.pointer = reinterpret_cast<void*>(1);  // munmap wants a multiple of the page size
  record.size = std::size_t{64} << 20;
  record.how = 1;
  assert_int_equal(Subject::backend().free(record), CADASTRE_DEALLOCATION_FAILED);
  attribute(5, "test");
  cadastre_error_struct error;
  tell_last_failure(5, error);
  assert_int_equal(error.reason, CADASTRE_REASON_BACKEND_FREE_FAILED);
  assert_int_equal(error.vendor_code, EINVAL);
}

void only_host_memory_is_served(void**) {
  assert_true(Subject::backend().serves(CADASTRE_HOST));
  assert_false(Subject::backend().serves(CADASTRE_PINNED));
  assert_false(Subject::backend().serves(CADASTRE_DEVICE));
  assert_false(Subject::backend().serves(CADASTRE_UVM));
}

}  // namespace

int main() {
  return Conformance<Subject>::run("host backend", {
      cmocka_unit_test(a_large_zeroed_block_is_not_touched),
      cmocka_unit_test(the_spare_before_and_behind_an_aligned_mapping_is_given_back),
      cmocka_unit_test(growing_into_a_mapping_does_not_touch_the_new_tail),
      cmocka_unit_test(a_mapping_that_the_caller_has_divided_is_resized_all_the_same),
      cmocka_unit_test(a_free_that_the_system_refuses_is_reported_with_its_errno),
      cmocka_unit_test(only_host_memory_is_served),
  });
}
