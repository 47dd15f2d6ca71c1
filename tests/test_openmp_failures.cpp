// Tangled from org/tests/openmp_failure_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "backend_conformance.hpp"
#include "backends/openmp_module.hpp"
#include "config.h"
#include "openmp_double.hpp"

using namespace cadastre::internal;

namespace {

Backend& openmp() { return *find_backend(CADASTRE_BACKEND_OPENMP); }

void fail_call(int k, int failures = 1) {
  control().failures = failures;
  control().fail_in = k;
}

cadastre_error_struct last() {
  attribute(5, "test");
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(5, error);
  return error;
}

Place on(std::int32_t device, cadastre_memory_type type = CADASTRE_DEVICE) { return {type, device, CADASTRE_BACKEND_OPENMP}; }

cadastre_exit_code copy_code(Place to_place, void* to, Place from_place, const void* from, std::size_t bytes) {
  return openmp().copy({.to = static_cast<std::byte*>(to),
                        .from = static_cast<const std::byte*>(from),
                        .bytes = bytes,
                        .to_place = to_place,
                        .from_place = from_place});
}

void copy_bytes(Place to_place, void* to, Place from_place, const void* from, std::size_t bytes) {
  assert_int_equal(copy_code(to_place, to, from_place, from, bytes), CADASTRE_SUCCESS);
}

Record block_on(std::int32_t device, std::size_t size, cadastre_memory_type type = CADASTRE_DEVICE, std::size_t alignment = 0) {
  Grant grant{};
  assert_int_equal(openmp().allocate({size, alignment, type, device, true}, grant), CADASTRE_SUCCESS);
  Record record;
  record.pointer = grant.pointer;
  record.size = size;
  record.type = static_cast<std::uint8_t>(type);
  record.device = device;
  record.backend = CADASTRE_BACKEND_OPENMP;
  record.alignment_log2 = log2_of(grant.alignment);
  record.how = grant.how;
  return record;
}

void free(const Record& record) { assert_int_equal(openmp().free(record), CADASTRE_SUCCESS); }

struct Subject {
  static Backend& backend() { return openmp(); }
  static constexpr cadastre_memory_type type = CADASTRE_DEVICE;
  static void read(void* host, const void* block, std::size_t bytes) { copy_bytes({}, host, on(0), block, bytes); }
  static void write(void* block, const void* host, std::size_t bytes) { copy_bytes(on(0), block, {}, host, bytes); }
};

void an_allocation_that_fails_tells_the_runtimes_words(void**) {
  const int live = control().live;
  fail_call(1);
  Grant grant{};
  assert_int_equal(openmp().allocate({100, 0, CADASTRE_DEVICE, 1, true}, grant), CADASTRE_ALLOCATION_FAILED);
  assert_null(grant.pointer);
  const cadastre_error_struct error = last();
  assert_int_equal(error.reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_int_equal(error.vendor_code, 42);
  assert_string_equal(error.vendor_message, "the double was told to fail");
  assert_int_equal(error.device_id, 1);
  assert_int_equal(control().live, live);
}

void a_size_that_alignment_carries_past_the_largest_is_refused_without_a_call(void**) {
  const int calls = control().calls;
  Grant grant{};
  assert_int_equal(openmp().allocate({largest_size, 4096, CADASTRE_DEVICE, 1, true}, grant), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_non_null(std::strstr(last().vendor_message, "its sizes are signed"));
  assert_int_equal(control().calls, calls);
}

void a_block_that_cannot_be_zeroed_is_given_back(void**) {
  const int live = control().live;
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{4096}}) {
    fail_call(2);
    Grant grant{};
    assert_int_equal(openmp().allocate({100, alignment, CADASTRE_DEVICE, 1, true}, grant), CADASTRE_ALLOCATION_FAILED);
    assert_null(grant.pointer);
    assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
    assert_string_equal(last().vendor_message, "the double was told to fail");
    assert_non_null(std::strstr(last().message, "zeroing a new block"));
    assert_int_equal(control().live, live);
  }
}

void a_block_that_cannot_be_given_back_either_is_told(void**) {
  fail_call(2, 2);
  Grant grant{};
  assert_int_equal(openmp().allocate({100, 0, CADASTRE_DEVICE, 1, true}, grant), CADASTRE_ALLOCATION_FAILED);
  assert_non_null(std::strstr(last().vendor_message, "then it could not be freed: the double was told to fail"));
  --control().live;  // nobody can free it any more
}

void a_free_that_fails_is_reported_and_changes_nothing(void**) {
  const Record block = block_on(2, 100);
  const int live = control().live;
  fail_call(1);
  assert_int_equal(openmp().free(block), CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_FREE_FAILED);
  assert_int_equal(last().vendor_code, 42);
  assert_int_equal(control().live, live);
  free(block);
  assert_int_equal(control().live, live - 1);
}

void a_copy_or_a_set_that_fails_tells_the_runtimes_words(void**) {
  const Record block = block_on(1, 100);
  char bytes[100] = {};
  for (const bool in : {true, false}) {
    fail_call(1);
    const cadastre_exit_code code = in ? copy_code(on(1), block.pointer, {}, bytes, 100) : copy_code({}, bytes, on(1), block.pointer, 100);
    assert_int_equal(code, CADASTRE_FAILURE);
    assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
    assert_int_equal(last().vendor_code, 42);
    assert_int_equal(last().device_id, 1);
    assert_non_null(std::strstr(last().message, "a copy of 100 bytes failed in the openmp backend: the double"));
  }
  fail_call(1);
  auto* const first = static_cast<std::byte*>(block.pointer);
  assert_int_equal(openmp().set({.to = first, .value = 1, .bytes = 100, .place = on(1)}), CADASTRE_FAILURE);
  assert_non_null(std::strstr(last().message, "setting 100 bytes failed in the openmp backend: the double was told"));
  free(block);
}

void a_resize_that_fails_anywhere_keeps_the_block_and_leaks_none(void**) {
  const Record block = block_on(1, 100);
  const int live = control().live;
  // Allocate, fill, wait, copy and two pieces by way of the host, wait, free: a copy that fails once is mended.
  for (const int k : {1, 2, 3, 5, 6}) {
    fail_call(k);
    Grant grant{};
    assert_int_not_equal(openmp().resize(block, 200, grant), CADASTRE_SUCCESS);
    assert_null(grant.pointer);
    assert_int_equal(control().live, live);
  }
  fail_call(4, 2);
  Grant grant{};
  assert_int_equal(openmp().resize(block, 200, grant), CADASTRE_FAILURE);
  assert_int_equal(control().live, live);
  free(block);
}

void a_module_that_accelerates_is_the_default_backend(void**) {
  Backend* chosen = nullptr;
  assert_int_equal(choose_backend(CADASTRE_DEFAULT_BACKEND, CADASTRE_INVALID_ARG_1, chosen), CADASTRE_SUCCESS);
  assert_true(chosen->presence().accelerates);
  assert_true(openmp().may_accelerate());
  assert_int_equal(openmp().presence().devices, 3);
  DeviceDescription description;
  assert_int_equal(openmp().describe(2, description), CADASTRE_SUCCESS);
  assert_string_equal(description.name, "double 2");
  assert_int_equal(openmp().describe(3, description), CADASTRE_SUCCESS);
  assert_string_equal(description.name, "");
}

void a_block_is_freed_on_its_own_device(void**) {
  const int mistakes = control().mistakes;
  const Record second = block_on(2, 1000), first = block_on(1, 1000, CADASTRE_UVM);
  const Record aligned = block_on(2, 10, CADASTRE_PINNED, 65536);
  control().default_device = 0;
  free(second);
  free(first);
  free(aligned);
  assert_int_equal(control().mistakes, mistakes);
}

void a_device_that_is_not_there_is_refused_without_a_call(void**) {
  const Record block = block_on(0, 100);
  char bytes[100];
  const int calls = control().calls;
  for (const std::int32_t device : {3, -1, -5, 1000}) {
    assert_int_equal(copy_code({}, bytes, on(device), block.pointer, 100), CADASTRE_FAILURE);
    assert_int_equal(last().reason, CADASTRE_REASON_INVALID_DEVICE);
    assert_int_equal(copy_code(on(device), block.pointer, {}, bytes, 100), CADASTRE_FAILURE);
    auto* const first = static_cast<std::byte*>(block.pointer);
    assert_int_equal(openmp().set({.to = first, .value = 1, .bytes = 100, .place = on(device)}), CADASTRE_FAILURE);
    assert_int_equal(last().reason, CADASTRE_REASON_INVALID_DEVICE);
    assert_int_equal(last().limit, 3);
  }
  assert_int_equal(control().calls, calls);
  free(block);
}

void the_current_device_is_one_that_is_there(void**) {
  for (const int device : {0, 1, 2}) {
    control().default_device = device;
    assert_int_equal(openmp().current_device(), device);
  }
  for (const int device : {3, -1, 77}) {
    control().default_device = device;
    assert_int_equal(openmp().current_device(), 0);
  }
  control().default_device = 0;
}

void memory_of_the_host_is_zeroed_and_set_by_the_host(void**) {
  const int filled = control().filled;
  const Record pinned = block_on(1, 100, CADASTRE_PINNED);
  auto* const bytes = static_cast<unsigned char*>(pinned.pointer);
  assert_int_equal(bytes[0] | bytes[99], 0);
  assert_int_equal(openmp().set({.to = static_cast<std::byte*>(pinned.pointer), .value = 7, .bytes = 100, .place = on(1, CADASTRE_PINNED)}),
                   CADASTRE_SUCCESS);
  assert_int_equal(bytes[99], 7);
  assert_int_equal(control().filled, filled);
  free(pinned);
  free(block_on(1, 100, CADASTRE_UVM));
  assert_int_equal(control().filled, filled + 1);
}

// Two blocks on devices 1 and 2, a pattern in the first, and whether it has come to the second.
void copy_between_devices(std::size_t size, cadastre_exit_code expected) {
  const Record from = block_on(1, size), to = block_on(2, size);
  std::vector<unsigned char> pattern(size), found(size);
  for (std::size_t i = 0; i < size; ++i) pattern[i] = static_cast<unsigned char>(i * 7 + (i >> 20));
  copy_bytes(on(1), from.pointer, {}, pattern.data(), size);
  const cadastre_exit_code code = copy_code(on(2), to.pointer, on(1), from.pointer, size);
  assert_int_equal(code, expected);
  copy_bytes({}, found.data(), on(2), to.pointer, size);
  if (code == CADASTRE_SUCCESS) assert_true(found == pattern);
  free(from);
  free(to);
}

void a_large_copy_between_devices_goes_in_pieces(void**) {
  copy_between_devices((std::size_t{80} << 20) + 5, CADASTRE_SUCCESS);
  assert_in_range(control().largest_between, 1 << 20, 64 << 20);
}

void a_copy_between_devices_that_is_refused_goes_by_way_of_the_host(void**) {
  control().between_devices = false;
  for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, (std::size_t{70} << 20) + 3}) {
    copy_between_devices(size, CADASTRE_SUCCESS);
  }
  control().between_devices = true;
}

void host_memory_is_not_served(void**) { assert_false(openmp().serves(CADASTRE_HOST)); }

void nothing_was_lost_and_no_device_confused(void**) {
  assert_int_equal(control().live, 0);
  assert_int_equal(control().mistakes, 0);
}

// What this program prints when it is run with a word and with an environment, written as env wants it.
std::string output_of(const std::string& environment, const char* word) {
  char self[4096] = {};
  assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  const std::string command = "env " + environment + " '" + self + "' " + word;
  std::FILE* const pipe = popen(command.c_str(), "r");
  assert_non_null(pipe);
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  assert_int_equal(pclose(pipe), 0);
  return output;
}

#define DOUBLE_IS "CADASTRE_OPENMP_MODULE='" OPENMP_DOUBLE "' "

void a_type_that_the_runtime_lacks_is_refused_with_its_reason(void**) {
  assert_string_equal(output_of(DOUBLE_IS "OPENMP_DOUBLE_PINNED=1", "pinned").c_str(), "served\n");
  const std::string told = output_of(DOUBLE_IS "OPENMP_DOUBLE_PINNED=0", "pinned");
  assert_non_null(std::strstr(told.c_str(), "refused with MEMORY_TYPE_NOT_SUPPORTED: "));
  assert_non_null(std::strstr(told.c_str(), "the double was told to have none"));
}

void a_module_of_another_version_is_refused(void**) {
  const std::string told = output_of(DOUBLE_IS "OPENMP_DOUBLE_VERSION=77", "presence");
  assert_non_null(std::strstr(told.c_str(), "is of version 77, and this library needs version 2"));
}

void a_runtime_without_devices_is_absent(void**) {
  assert_string_equal(output_of(DOUBLE_IS "OPENMP_DOUBLE_DEVICES=0", "presence").c_str(),
                      "absent: the double has no device on this machine for a module built for tests; "
                      "look for another\n");
}

void a_module_that_is_not_there_is_named(void**) {
  assert_string_equal(output_of("CADASTRE_OPENMP_MODULE=/nowhere/m.so", "presence").c_str(),
                      "absent: CADASTRE_OPENMP_MODULE names /nowhere/m.so, and there is no such file\n");
}

void what_is_no_module_is_told_apart(void**) {
  assert_string_equal(output_of("CADASTRE_OPENMP_MODULE=libm.so.6", "presence").c_str(),
                      "absent: libm.so.6 is not a module of this library: it lacks cadastre_openmp_module\n");
  const std::string told = output_of("CADASTRE_OPENMP_MODULE=/proc/self/cmdline", "presence");
  assert_non_null(std::strstr(told.c_str(), "absent: its module cannot be opened: /proc/self/cmdline: "));
}

void without_a_module_the_default_is_chosen_without_opening_one(void**) {
  assert_string_equal(output_of("-u CADASTRE_OPENMP_MODULE OPENMP_DOUBLE_DEVICES=0", "default").c_str(),
                      CADASTRE_OPENMP_ACCELERATES ? "may\n" : "may not\n");
}

int tell_presence() {
  const Presence presence = openmp().presence();
  if (presence.usable) std::printf("usable: %d devices\n", presence.devices);
  else std::printf("absent: %s\n", presence.problem);
  return presence.usable == (presence.problem[0] != '\0');
}

// What the runtime is asked when it must not be called; prints a sentence for each that is refused.
void use_late(const Record& block) {
  const int calls = control().calls;
  char bytes[100];
  Grant grant{};
  if (openmp().free(block) == CADASTRE_SUCCESS) std::puts("freed");
  if (openmp().allocate({8, 0, CADASTRE_DEVICE, 0, true}, grant) != CADASTRE_SUCCESS) std::puts(last().message);
  if (copy_code({}, bytes, on(0), block.pointer, 100) != CADASTRE_SUCCESS) std::puts("no copy");
  if (openmp().set({.to = static_cast<std::byte*>(block.pointer), .value = 1, .bytes = 1, .place = on(0)}) == CADASTRE_NOT_SUPPORTED) {
    std::puts("no set");
  }
  std::printf("device %d, %d calls\n", openmp().current_device(), control().calls - calls);
  std::fflush(stdout);
}

Record block_of_child;

int tell_whether_pinned_memory_is_served() {
  const bool served = openmp().serves(CADASTRE_PINNED);
  if (served) std::puts("served");
  const cadastre_exit_code code = admit(openmp(), {8, 0, CADASTRE_PINNED, 0, true});
  if (served) return code;
  const bool so_it_is_told = code == CADASTRE_NOT_SUPPORTED && last().reason == CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED;
  std::printf("%s: %s\n", so_it_is_told ? "refused with MEMORY_TYPE_NOT_SUPPORTED" : "refused otherwise", last().message);
  return 0;
}

int try_alone(const std::string& word) {
  if (word == "presence") return tell_presence();
  if (word == "pinned") return tell_whether_pinned_memory_is_served();
  if (word == "default") {
    Backend* chosen = nullptr;
    choose_backend(CADASTRE_DEFAULT_BACKEND, CADASTRE_INVALID_ARG_1, chosen);
    std::puts(openmp().may_accelerate() ? "may" : "may not");
    return 0;
  }
  // A handler that was there before the runtime was opened runs after the runtime's own.
  std::atexit([] { use_late(block_of_child); });
  control().default_device = 2;
  block_of_child = block_on(0, 100);
  if (word == "exit") return 0;
  const pid_t child = fork();
  if (child == 0) {
    use_late(block_of_child);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  std::fflush(stdout);
  _exit(status);
}

void a_forked_child_frees_in_peace_and_is_refused_all_else(void**) {
  const std::string told = output_of(DOUBLE_IS, "fork");
  assert_string_equal(told.c_str(),
                      "freed\n"
                      "test: the openmp backend is unavailable: the OpenMP runtime cannot be used in a child process "
                      "after fork; use another backend, or see what it needs with cadastre info\nno copy\nno set\ndevice 0, 0 calls\n");
}

void a_late_exit_handler_frees_in_peace_and_is_refused_all_else(void**) {
  const std::string told = output_of(DOUBLE_IS, "exit");
  assert_string_equal(told.c_str(),
                      "freed\n"
                      "test: the openmp backend is unavailable: the process is ending, and the OpenMP runtime may have "
                      "ended already; use another backend, or see what it needs with cadastre info\nno copy\nno set\ndevice 0, 0 calls\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return try_alone(argv[1]);
  setenv("CADASTRE_OPENMP_MODULE", OPENMP_DOUBLE, 1);
  if (access(OPENMP_DOUBLE, F_OK) != 0) {
    std::puts("1..0 # SKIP the double was not built, for want of shared libraries");
    return 0;
  }
  return Conformance<Subject>::run("openmp backend on a double",
                                   {
                                       cmocka_unit_test(a_module_that_accelerates_is_the_default_backend),
                                       cmocka_unit_test(an_allocation_that_fails_tells_the_runtimes_words),
                                       cmocka_unit_test(a_size_that_alignment_carries_past_the_largest_is_refused_without_a_call),
                                       cmocka_unit_test(a_block_that_cannot_be_zeroed_is_given_back),
                                       cmocka_unit_test(a_block_that_cannot_be_given_back_either_is_told),
                                       cmocka_unit_test(a_free_that_fails_is_reported_and_changes_nothing),
                                       cmocka_unit_test(a_copy_or_a_set_that_fails_tells_the_runtimes_words),
                                       cmocka_unit_test(a_resize_that_fails_anywhere_keeps_the_block_and_leaks_none),
                                       cmocka_unit_test(a_block_is_freed_on_its_own_device),
                                       cmocka_unit_test(a_device_that_is_not_there_is_refused_without_a_call),
                                       cmocka_unit_test(the_current_device_is_one_that_is_there),
                                       cmocka_unit_test(memory_of_the_host_is_zeroed_and_set_by_the_host),
                                       cmocka_unit_test(a_large_copy_between_devices_goes_in_pieces),
                                       cmocka_unit_test(a_copy_between_devices_that_is_refused_goes_by_way_of_the_host),
                                       cmocka_unit_test(a_type_that_the_runtime_lacks_is_refused_with_its_reason),
                                       cmocka_unit_test(host_memory_is_not_served),
                                       cmocka_unit_test(a_module_of_another_version_is_refused),
                                       cmocka_unit_test(a_runtime_without_devices_is_absent),
                                       cmocka_unit_test(a_module_that_is_not_there_is_named),
                                       cmocka_unit_test(what_is_no_module_is_told_apart),
                                       cmocka_unit_test(without_a_module_the_default_is_chosen_without_opening_one),
                                       cmocka_unit_test(a_forked_child_frees_in_peace_and_is_refused_all_else),
                                       cmocka_unit_test(a_late_exit_handler_frees_in_peace_and_is_refused_all_else),
                                       cmocka_unit_test(nothing_was_lost_and_no_device_confused),
                                   });
}
