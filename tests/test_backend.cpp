// Tangled from org/backend.org; change the chapter, then run: make tangle
#include <atomic>
#include <cstdlib>

#include "backend_conformance.hpp"

using namespace cadastre::internal;

namespace {

// A double for tests: the C library's heap under another name.
class FourOperations final : public Backend {
 public:
  cadastre_backend number() const noexcept override { return CADASTRE_BACKEND_HOST; }
  Presence presence() const noexcept override { return {true, 0, ""}; }
  bool serves(cadastre_memory_type type) const noexcept override { return type == CADASTRE_PINNED; }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return 65536; }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    const std::size_t alignment = std::max<std::size_t>(request.alignment, 32);
    void* pointer = nullptr;
    if (refused() || request.size > (std::size_t{1} << 40) ||
        posix_memalign(&pointer, alignment, std::max<std::size_t>(request.size, 1)) != 0) {
      return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
                             .asked = request.size, .vendor = "refused"});
    }
    if (request.zero) std::memset(pointer, 0, request.size);
    grant = {pointer, alignment, 0};
    ++live_;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    if (refused()) return CADASTRE_DEALLOCATION_FAILED;
    std::free(record.pointer);
    --live_;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code copy(void* to, const void* from, std::size_t bytes) noexcept override {
    if (refused()) return CADASTRE_FAILURE;
    std::memcpy(to, from, bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(void* to, int value, std::size_t bytes) noexcept override {
    if (refused()) return CADASTRE_FAILURE;
    std::memset(to, value, bytes);
    return CADASTRE_SUCCESS;
  }

  // The k-th operation from now is refused; 0 for none.
  void refuse_in(int k) { countdown_ = k; }
  int live() const { return live_; }

 private:
  bool refused() { return countdown_ > 0 && --countdown_ == 0; }
  int countdown_ = 0;
  std::atomic<int> live_ = 0;
};

struct Subject {
  static Backend& backend() {
    static FourOperations instance;
    return instance;
  }
  static constexpr cadastre_memory_type type = CADASTRE_PINNED;
  static void read(void* host, const void* block, std::size_t bytes) { std::memcpy(host, block, bytes); }
  static void write(void* block, const void* host, std::size_t bytes) { std::memcpy(block, host, bytes); }
};

cadastre_error_struct last() {
  attribute(5, "test");
  cadastre_error_struct error;
  tell_last_failure(5, error);
  return error;
}

void a_malformed_request_is_refused_with_what_would_be_right(void**) {
  Backend& backend = Subject::backend();
  assert_int_equal(admit(backend, {8, 0, CADASTRE_PINNED, -1, true}), CADASTRE_SUCCESS);
  assert_int_equal(admit(backend, {8, 0, CADASTRE_MEMORY_TYPES, -1, true}), CADASTRE_INVALID_ARG_2);
  assert_non_null(std::strstr(last().sentence, "HOST (0), PINNED (1), DEVICE (2), UVM (3)"));
  assert_int_equal(admit(backend, {8, 0, -1, -1, true}), CADASTRE_INVALID_ARG_2);
  for (const std::size_t alignment : {std::size_t{3}, std::size_t{65}, SIZE_MAX}) {
    assert_int_equal(admit(backend, {8, alignment, CADASTRE_PINNED, -1, true}), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last().reason, CADASTRE_REASON_BAD_ALIGNMENT);
  }
  for (const std::size_t size : {SIZE_MAX, largest_size + 1}) {
    assert_int_equal(admit(backend, {size, 0, CADASTRE_PINNED, -1, true}), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last().reason, CADASTRE_REASON_SIZE_OVERFLOW);
    assert_true(last().limit == largest_size);
  }
}

void what_the_backend_does_not_serve_is_refused_with_its_name(void**) {
  assert_int_equal(admit(Subject::backend(), {8, 0, CADASTRE_DEVICE, -1, true}), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().reason, CADASTRE_REASON_MEMORY_TYPE_NOT_SERVED);
  assert_int_equal(last().type, CADASTRE_DEVICE);
  assert_int_equal(admit(Subject::backend(), {8, std::size_t{1} << 20, CADASTRE_PINNED, -1, true}), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().reason, CADASTRE_REASON_ALIGNMENT_NOT_SERVED);
  assert_int_equal(last().limit, 65536);
}

void a_resize_that_fails_anywhere_leaves_the_old_block_and_no_other(void**) {
  FourOperations backend;
  Grant grant{};
  assert_int_equal(backend.allocate({100, 0, CADASTRE_PINNED, -1, true}, grant), CADASTRE_SUCCESS);
  Record record;
  record.pointer = grant.pointer;
  record.size = 100;
  record.alignment_log2 = log2_of(grant.alignment);
  std::memset(record.pointer, 0x5a, 100);
  for (int k = 1; k <= 3; ++k) {
    backend.refuse_in(k);
    Grant moved{};
    assert_int_not_equal(backend.resize(record, 200, moved), CADASTRE_SUCCESS);
    assert_null(moved.pointer);
    assert_int_equal(backend.live(), 1);
    for (int i = 0; i < 100; ++i) assert_int_equal(static_cast<unsigned char*>(record.pointer)[i], 0x5a);
  }
  backend.refuse_in(0);
  assert_int_equal(backend.free(record), CADASTRE_SUCCESS);
  assert_int_equal(backend.live(), 0);
}

void the_host_is_in_every_build_and_is_chosen_where_no_device_is(void**) {
  assert_non_null(built_backend(CADASTRE_BACKEND_HOST));
  assert_null(built_backend(CADASTRE_BACKENDS));
  assert_ptr_equal(choose_backend(CADASTRE_BACKEND_HOST), built_backend(CADASTRE_BACKEND_HOST));
  bool any_device = false;
  for (const BackendRow& row : backend_rows()) any_device = any_device || presence_of(row.number).devices > 0;
  if (!any_device) assert_ptr_equal(choose_backend(std::nullopt), built_backend(CADASTRE_BACKEND_HOST));
}

}  // namespace

int main() {
  return Conformance<Subject>::run("backend", {
      cmocka_unit_test(a_malformed_request_is_refused_with_what_would_be_right),
      cmocka_unit_test(what_the_backend_does_not_serve_is_refused_with_its_name),
      cmocka_unit_test(a_resize_that_fails_anywhere_leaves_the_old_block_and_no_other),
      cmocka_unit_test(the_host_is_in_every_build_and_is_chosen_where_no_device_is),
  });
}
