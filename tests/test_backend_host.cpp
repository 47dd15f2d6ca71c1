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
      cmocka_unit_test(a_free_that_the_system_refuses_is_reported_with_its_errno),
      cmocka_unit_test(only_host_memory_is_served),
  });
}
