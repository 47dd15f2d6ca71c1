// Tangled from org/tests/backend_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

#include "backend_conformance.hpp"

using namespace cadastre::internal;

namespace {

// A double for tests: the C library's heap under another name, which notes its calls.
class FourOperations final : public Backend {
 public:
  FourOperations() = default;
  explicit FourOperations(const char* name) : number_(enter_backend(*this, name)) {}

  cadastre_backend number() const noexcept override { return number_; }
  Presence presence() const noexcept override { return present; }
  bool serves(cadastre_memory_type type) const noexcept override { return type == CADASTRE_PINNED; }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return 65536; }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    const std::size_t alignment = std::max<std::size_t>(request.alignment, 32);
    void* pointer = nullptr;
    if (refused("allocate") || request.size > (std::size_t{1} << 40) ||
        posix_memalign(&pointer, alignment, std::max<std::size_t>(request.size, 1)) != 0) {
      return fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
                   .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
                   .requested = request.size,
                   .vendor = "refused"});
    }
    if (request.zero) std::memset(pointer, 0, request.size);
    grant = {pointer, alignment, 0};
    ++live_;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    if (refused("free")) return refusal(CADASTRE_DEALLOCATION_FAILED);
    std::free(record.pointer);
    --live_;
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code copy(const Copy& copy) noexcept override {
    if (refused(copy.wait ? "copy" : "copy(no wait)")) return refusal(CADASTRE_FAILURE);
    std::memcpy(copy.to, copy.from, copy.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(const Fill& fill) noexcept override {
    if (refused("set")) return refusal(CADASTRE_FAILURE);
    std::memset(fill.to, fill.value, fill.bytes);
    return CADASTRE_SUCCESS;
  }

  // Two more, only to be seen and refused; they do what the defaults do.
  cadastre_exit_code settle(const Record& record) noexcept override {
    return refused("settle") ? refusal(CADASTRE_FAILURE) : Backend::settle(record);
  }
  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override {
    waited_device = device;
    waited_queue = queue;
    return refused("synchronize") ? refusal(CADASTRE_FAILURE) : Backend::synchronize(device, queue);
  }

  // The k-th operation from now is refused; 0 for none.
  void refuse_in(int k) { countdown_ = k; }
  int live() const { return live_; }

  Presence present = {true, 0, ""};
  std::string calls;
  std::int32_t waited_device = no_device_id;
  cadastre_queue waited_queue = CADASTRE_DEFAULT_QUEUE;

 private:
  bool refused(const char* operation) {
    const std::lock_guard lock(mutex_);
    calls.append(operation).append(" ");
    return countdown_ > 0 && --countdown_ == 0;
  }
  static cadastre_exit_code refusal(cadastre_exit_code code) noexcept {
    return fail({.exit_code = code, .reason = CADASTRE_REASON_BACKEND_CALL_FAILED, .vendor = "refused"});
  }
  cadastre_backend number_ = CADASTRE_INVALID_BACKEND;
  std::mutex mutex_;
  int countdown_ = 0;
  std::atomic<int> live_ = 0;
};

struct Subject {
  static FourOperations& backend() {
    static FourOperations& instance = *new FourOperations("four operations");
    return instance;
  }
  static constexpr cadastre_memory_type type = CADASTRE_PINNED;
  static void fail_in(int k) { backend().refuse_in(k); }
  static int live() { return backend().live(); }
};

cadastre_error_struct last() {
  attribute(5, "test");
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(5, error);
  return error;
}

void a_malformed_request_is_refused_with_what_would_be_right(void**) {
  Backend& backend = Subject::backend();
  assert_int_equal(admit(backend, {8, 0, CADASTRE_PINNED, -1, true}), CADASTRE_SUCCESS);
  assert_int_equal(admit(backend, {8, 0, CADASTRE_MEMORY_TYPE_COUNT, -1, true}), CADASTRE_INVALID_ARG_2);
  assert_non_null(std::strstr(last().message, "HOST (0), PINNED (1), DEVICE (2), UVM (3)"));
  assert_int_equal(admit(backend, {8, 0, -1, -1, true}), CADASTRE_INVALID_ARG_2);
  for (const std::size_t alignment : {std::size_t{3}, std::size_t{65}, SIZE_MAX}) {
    assert_int_equal(admit(backend, {8, alignment, CADASTRE_PINNED, -1, true}), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last().reason, CADASTRE_REASON_INVALID_ALIGNMENT);
  }
  for (const std::size_t size : {SIZE_MAX, largest_size + 1}) {
    assert_int_equal(admit(backend, {size, 0, CADASTRE_PINNED, -1, true}), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last().reason, CADASTRE_REASON_SIZE_OVERFLOW);
    assert_true(last().limit == largest_size);
  }
}

void what_the_backend_does_not_serve_is_refused_with_its_name(void**) {
  assert_int_equal(admit(Subject::backend(), {8, 0, CADASTRE_DEVICE, -1, true}), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().reason, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED);
  assert_int_equal(last().type, CADASTRE_DEVICE);
  assert_int_equal(admit(Subject::backend(), {8, std::size_t{1} << 20, CADASTRE_PINNED, -1, true}), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().reason, CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED);
  assert_int_equal(last().limit, 65536);
}

void a_request_names_a_device_that_is_there_or_none_where_none_is(void**) {
  FourOperations backend;
  assert_int_equal(admit(backend, {8, 0, CADASTRE_PINNED, no_device_id, true}), CADASTRE_SUCCESS);
  for (const std::int32_t device : {0, 1, -2}) {
    assert_int_equal(admit(backend, {8, 0, CADASTRE_PINNED, device, true}), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last().reason, CADASTRE_REASON_INVALID_DEVICE);
    assert_non_null(std::strstr(last().message, "; it has none, so pass CADASTRE_DEFAULT_DEVICE"));
  }
  backend.present.devices = 2;
  for (const std::int32_t device : {0, 1}) {
    assert_int_equal(admit(backend, {8, 0, CADASTRE_PINNED, device, true}), CADASTRE_SUCCESS);
  }
  for (const std::int32_t device : {2, -1, -2, INT32_MAX}) {
    assert_int_equal(admit(backend, {8, 0, CADASTRE_PINNED, device, true}), CADASTRE_INVALID_ARG_2);
    assert_int_equal(last().device_id, std::max(device, no_device_id));
    assert_int_equal(last().limit, 2);
    assert_non_null(std::strstr(last().message, "; an id is a number from 0 to 1"));
  }
  assert_int_equal(admit(*find_backend(CADASTRE_BACKEND_HOST), {8, 0, CADASTRE_HOST, no_device_id, true}), CADASTRE_SUCCESS);
}

void the_host_is_in_every_build_and_is_chosen_where_no_device_is(void**) {
  assert_non_null(find_backend(CADASTRE_BACKEND_HOST));
  assert_null(find_backend(CADASTRE_DEFAULT_BACKEND));
  assert_null(find_backend(last_named_backend + 1));
  assert_null(find_backend(last_registered_backend));
  Backend* chosen = nullptr;
  assert_int_equal(choose_backend(CADASTRE_BACKEND_HOST, CADASTRE_INVALID_ARG_1, chosen), CADASTRE_SUCCESS);
  assert_ptr_equal(chosen, find_backend(CADASTRE_BACKEND_HOST));
  bool any = false;
  for (const BackendRow& row : backend_rows()) {
    const Presence presence = presence_of(row.number);
    any = any || (presence.accelerates && presence.devices > 0);
  }
  chosen = nullptr;
  assert_int_equal(choose_backend(CADASTRE_DEFAULT_BACKEND, CADASTRE_INVALID_ARG_1, chosen), CADASTRE_SUCCESS);
  assert_int_equal(chosen == find_backend(CADASTRE_BACKEND_HOST), !any);
  for (const cadastre_backend none : {last_named_backend + 1, -7, CADASTRE_INVALID_BACKEND, 300}) {
    assert_int_equal(choose_backend(none, CADASTRE_INVALID_ARG_1, chosen), CADASTRE_INVALID_ARG_1);
    assert_int_equal(last().reason, CADASTRE_REASON_INVALID_BACKEND);
  }
}

void a_registered_backend_is_found_under_its_number_until_it_is_struck(void**) {
  FourOperations a("a"), b("b");
  assert_true(a.number() >= CADASTRE_FIRST_REGISTERED_BACKEND);
  assert_int_equal(b.number(), a.number() + 1);
  assert_ptr_equal(find_backend(a.number()), &a);
  assert_ptr_equal(find_backend(b.number()), &b);
  assert_string_equal(cadastre_string_of_backend(b.number()), "b");
  assert_true(presence_of(a.number()).usable);
  Backend* chosen = nullptr;
  assert_int_equal(choose_backend(a.number(), CADASTRE_INVALID_ARG_1, chosen), CADASTRE_SUCCESS);
  assert_ptr_equal(chosen, &a);
  strike_backend(a.number());
  assert_null(find_backend(a.number()));
  assert_ptr_equal(find_backend(b.number()), &b);
  assert_int_equal(choose_backend(a.number(), CADASTRE_INVALID_ARG_2, chosen), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last().reason, CADASTRE_REASON_INVALID_BACKEND);
  assert_string_equal(presence_of(a.number()).problem, "there is no backend with this number");
  for (const cadastre_backend none : {CADASTRE_BACKEND_HOST, CADASTRE_DEFAULT_BACKEND, CADASTRE_INVALID_BACKEND, 256, 300}) {
    strike_backend(none);
  }
  assert_non_null(find_backend(CADASTRE_BACKEND_HOST));
  assert_ptr_equal(find_backend(b.number()), &b);
  strike_backend(b.number());
}

void a_backend_that_cannot_be_used_is_not_chosen_and_says_why(void**) {
  FourOperations absent("absent");
  absent.present = {false, 0, "its licence server is on holiday"};
  Backend* chosen = nullptr;
  assert_int_equal(choose_backend(absent.number(), CADASTRE_INVALID_ARG_1, chosen), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_UNAVAILABLE);
  assert_string_equal(last().message, "test: the absent backend is unavailable: its licence server is on holiday; use another backend, or "
                                      "see what it needs with cadastre info");
  assert_int_equal(last().argument, 1);
  assert_int_equal(choose_backend(absent.number(), CADASTRE_INVALID_ENVIRONMENT, chosen), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().argument, 0);
  assert_null(chosen);
  strike_backend(absent.number());
  for (const BackendRow& row : backend_rows()) {
    if (find_backend(row.number)) continue;
    assert_int_equal(choose_backend(row.number, CADASTRE_INVALID_ARG_1, chosen), CADASTRE_NOT_SUPPORTED);
    assert_non_null(std::strstr(last().message, row.how_to_get_it));
    assert_null(chosen);
  }
}

void a_number_is_never_given_twice_and_there_are_192(void**) {
  FourOperations backend;
  std::set<cadastre_backend> numbers;
  cadastre_backend number;
  while ((number = enter_backend(backend, "one of many")) != CADASTRE_INVALID_BACKEND) {
    assert_true(numbers.insert(number).second);
    assert_ptr_equal(find_backend(number), &backend);
    strike_backend(number);
    assert_true(numbers.size() <= 192);
  }
  assert_int_equal(*numbers.rbegin(), 255);
  assert_int_equal(numbers.size() + static_cast<std::size_t>(*numbers.begin()), 256);
  strike_backend(*numbers.begin());
  assert_int_equal(enter_backend(backend, "one too many"), CADASTRE_INVALID_BACKEND);
  assert_ptr_equal(find_backend(Subject::backend().number()), &Subject::backend());
}

Record pinned_block(Backend& backend, std::size_t size) {
  Grant grant{};
  assert_int_equal(backend.allocate({size, 0, CADASTRE_PINNED, 3, true}, grant), CADASTRE_SUCCESS);
  Record record;
  record.pointer = grant.pointer;
  record.size = size;
  record.type = CADASTRE_PINNED;
  record.device = 3;
  record.alignment_log2 = log2_of(grant.alignment);
  return record;
}

void a_resize_that_fails_anywhere_leaves_the_old_block_and_no_other(void**) {
  FourOperations backend;
  const Record record = pinned_block(backend, 100);
  std::memset(record.pointer, 0x5a, 100);
  for (int k = 1; k <= 4; ++k) {  // allocate, settle, copy, free
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

void a_resize_copies_when_the_queues_are_done_with_the_block(void**) {
  FourOperations backend;
  Record record = pinned_block(backend, 100);
  backend.calls.clear();
  Grant moved{};
  assert_int_equal(backend.resize(record, 200, moved), CADASTRE_SUCCESS);
  assert_string_equal(backend.calls.c_str(), "allocate settle copy free ");
  record.pointer = moved.pointer;
  assert_int_equal(backend.free(record), CADASTRE_SUCCESS);
}

void an_ordered_free_waits_for_its_queue_on_the_blocks_device(void**) {
  FourOperations backend;
  const Record record = pinned_block(backend, 100);
  int queue = 0;
  backend.calls.clear();
  assert_int_equal(backend.free_ordered(record, &queue), CADASTRE_SUCCESS);
  assert_string_equal(backend.calls.c_str(), "synchronize free ");
  assert_int_equal(backend.live(), 0);
  assert_int_equal(backend.waited_device, 3);
  assert_ptr_equal(backend.waited_queue, &queue);
}

void an_ordered_free_whose_queue_fails_frees_all_the_same(void**) {
  FourOperations backend;
  const Record record = pinned_block(backend, 100);
  int queue = 0;
  backend.refuse_in(1);
  assert_int_equal(backend.free_ordered(record, &queue), CADASTRE_SUCCESS);
  assert_int_equal(backend.live(), 0);
}

void rows_are_copied_one_by_one_and_the_last_one_is_waited_for(void**) {
  FourOperations backend;
  std::array<std::byte, 40> to{}, from{};
  Copy rows{
      .to = to.data(), .from = from.data(), .bytes = 3, .to_place = {}, .from_place = {}, .rows = 4, .to_stride = 10, .from_stride = 8};
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i + 1);
  assert_int_equal(backend.copy_rows(rows), CADASTRE_SUCCESS);
  assert_string_equal(backend.calls.c_str(), "copy(no wait) copy(no wait) copy(no wait) copy ");
  for (std::size_t i = 0; i < to.size(); ++i) {
    assert_int_equal(to[i], i % 10 < 3 ? i / 10 * 8 + i % 10 + 1 : 0);
  }
  rows.wait = false;
  backend.calls.clear();
  backend.refuse_in(3);
  assert_int_equal(backend.copy_rows(rows), CADASTRE_FAILURE);
  assert_string_equal(backend.calls.c_str(), "copy(no wait) copy(no wait) copy(no wait) ");
}

void what_has_a_default_does_no_harm(void**) {
  FourOperations backend;
  bool taken = true;
  const Hint hint{.begin = nullptr, .bytes = 8, .place = {}, .device = 0, .advice = CADASTRE_ADVICE_READ_MOSTLY};
  assert_int_equal(backend.prefetch(hint, taken), CADASTRE_SUCCESS);
  assert_false(taken);
  taken = true;
  assert_int_equal(backend.advise(hint, taken), CADASTRE_SUCCESS);
  assert_false(taken);
  DeviceDescription description{{1, 1}, "left over", "left over", true, true, true, 1};
  assert_int_equal(backend.describe(0, description), CADASTRE_SUCCESS);
  assert_string_equal(description.name, "");
  assert_string_equal(description.uuid, "");
  assert_int_equal(description.total + description.free + description.freed, 0);
  DeviceMemory memory{1, 1};
  assert_int_equal(backend.memory_of(0, memory), CADASTRE_SUCCESS);
  assert_int_equal(memory.total + memory.free, 0);
  assert_false(description.integrated || description.host_access || description.pageable_access);
  assert_int_equal(backend.current_device(), no_device_id);
  backend.present.devices = 1;
  assert_int_equal(backend.current_device(), 0);
  Backend* instance = nullptr;
  assert_int_equal(backend.attach(instance), CADASTRE_SUCCESS);
  assert_ptr_equal(instance, &backend);
  assert_int_equal(backend.detach(), CADASTRE_SUCCESS);
  assert_string_equal(backend.problem(CADASTRE_DEVICE).characters, "");
  assert_int_equal(backend.natural_alignment(CADASTRE_PINNED), alignof(std::max_align_t));
}

void a_backend_without_events_leaves_them_null_and_every_wait_succeeds(void**) {
  FourOperations backend;
  assert_false(backend.has_events());
  Backend::Event event = nullptr;
  assert_int_equal(backend.record_event(0, CADASTRE_DEFAULT_QUEUE, event), CADASTRE_SUCCESS);
  assert_null(event);
  assert_int_equal(backend.wait_event(0, CADASTRE_DEFAULT_QUEUE, event), CADASTRE_SUCCESS);
  assert_int_equal(backend.synchronize_event(0, event), CADASTRE_SUCCESS);
  backend.destroy_event(0, event);
  assert_false(backend.capturing(0, CADASTRE_DEFAULT_QUEUE));
  assert_string_equal(backend.calls.c_str(), "");
}

}  // namespace

int main() {
  Subject::backend();  // before all numbers are given away
  return Conformance<Subject>::run("backend", {
                                                  cmocka_unit_test(a_malformed_request_is_refused_with_what_would_be_right),
                                                  cmocka_unit_test(what_the_backend_does_not_serve_is_refused_with_its_name),
                                                  cmocka_unit_test(a_request_names_a_device_that_is_there_or_none_where_none_is),
                                                  cmocka_unit_test(the_host_is_in_every_build_and_is_chosen_where_no_device_is),
                                                  cmocka_unit_test(a_registered_backend_is_found_under_its_number_until_it_is_struck),
                                                  cmocka_unit_test(a_backend_that_cannot_be_used_is_not_chosen_and_says_why),
                                                  cmocka_unit_test(a_number_is_never_given_twice_and_there_are_192),
                                                  cmocka_unit_test(a_resize_that_fails_anywhere_leaves_the_old_block_and_no_other),
                                                  cmocka_unit_test(a_resize_copies_when_the_queues_are_done_with_the_block),
                                                  cmocka_unit_test(an_ordered_free_waits_for_its_queue_on_the_blocks_device),
                                                  cmocka_unit_test(an_ordered_free_whose_queue_fails_frees_all_the_same),
                                                  cmocka_unit_test(rows_are_copied_one_by_one_and_the_last_one_is_waited_for),
                                                  cmocka_unit_test(what_has_a_default_does_no_harm),
                                                  cmocka_unit_test(a_backend_without_events_leaves_them_null_and_every_wait_succeeds),
                                              });
}
