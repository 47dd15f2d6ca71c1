// Tangled from org/tests/usage_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "cadastre.h"
#include "cmocka.hpp"

namespace {

// AddressSanitizer keeps a byte of its own for each eight.
constexpr std::size_t much = std::size_t{64} << 20, little = (std::size_t{8} << 20) + (sanitized ? much / 8 : 0);

cadastre_memory_usage_struct of_host() {
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  assert_int_equal(cadastre_host_get_memory_usage(&usage), CADASTRE_SUCCESS);
  assert_true(usage.untracked_bytes == (usage.used_bytes > usage.tracked_bytes ? usage.used_bytes - usage.tracked_bytes : 0));
  return usage;
}

cadastre_memory_usage_struct of_device(std::int32_t device) {
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  assert_int_equal(cadastre_device_get_memory_usage(CADASTRE_BACKEND_HOST, device, &usage), CADASTRE_SUCCESS);
  assert_true(usage.used_bytes <= usage.total_bytes && usage.total_bytes > 0);
  return usage;
}

void* get(cadastre_context context, cadastre_memory_type type, std::size_t size, std::int32_t device = CADASTRE_DEFAULT_DEVICE) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.device = device;
  void* const pointer = cadastre_malloc(context, info);
  assert_non_null(pointer);
  return pointer;
}

cadastre_context create(cadastre_pool pool = CADASTRE_POOL_NONE) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.pool = pool;
  options.backend = CADASTRE_BACKEND_HOST;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_int_not_equal(context, CADASTRE_NULL_CONTEXT);
  return context;
}

void destroy(cadastre_context context) { assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS); }

bool is_near(std::size_t a, std::size_t b) { return a < b ? b - a < little : a - b < little; }

void memory_of_the_library_is_tracked_on_the_host(void**) {
  const cadastre_context context = create();
  const cadastre_memory_usage_struct before = of_host();
  assert_true(before.used_bytes > 0 && before.total_bytes > before.used_bytes);
  void* const pointer = get(context, CADASTRE_HOST, much);
  std::memset(pointer, 1, much);
  const cadastre_memory_usage_struct after = of_host();
  assert_true(is_near(after.tracked_bytes, before.tracked_bytes + much));
  assert_true(is_near(after.used_bytes, before.used_bytes + much));
  assert_true(is_near(after.untracked_bytes, before.untracked_bytes));
  assert_int_equal(after.uvm_bytes, 0);
  destroy(context);
  assert_true(is_near(of_host().tracked_bytes, before.tracked_bytes));
}

void memory_of_others_is_untracked_on_the_host(void**) {
  const cadastre_memory_usage_struct before = of_host();
  const std::unique_ptr<char[]> others(new char[much]);
  std::memset(others.get(), 1, much);
  const cadastre_memory_usage_struct after = of_host();
  assert_true(after.tracked_bytes == before.tracked_bytes);
  // Tools that watch memory have more of their own for it.
  assert_true(after.untracked_bytes > before.untracked_bytes + much - little);
  assert_true(after.untracked_bytes < before.untracked_bytes + 2 * much);
}

void memory_of_a_device_counts_there_and_what_pools_cache_with_it(void**) {
  const cadastre_context plain = create(), pooled = create(CADASTRE_POOL_CACHING);
  const cadastre_memory_usage_struct none[] = {of_device(0), of_device(1)};
  void* const first = get(plain, CADASTRE_DEVICE, 1000);
  get(plain, CADASTRE_DEVICE, 300, CADASTRE_DEVICE_BY_ID(1));
  get(plain, CADASTRE_UVM, 50);
  get(plain, CADASTRE_HOST, 7);
  assert_int_equal(of_device(0).tracked_bytes, none[0].tracked_bytes + 1000);
  assert_int_equal(of_device(0).uvm_bytes, none[0].uvm_bytes + 50);
  assert_int_equal(of_device(1).tracked_bytes, none[1].tracked_bytes + 300);
  assert_int_equal(of_device(1).uvm_bytes, none[1].uvm_bytes);

  void* const cached = get(pooled, CADASTRE_DEVICE, 1 << 20);
  const std::size_t reserved = of_device(0).tracked_bytes - none[0].tracked_bytes - 1000;
  assert_true(reserved >= 1 << 20);
  assert_int_equal(cadastre_free(pooled, cached), CADASTRE_SUCCESS);
  assert_int_equal(of_device(0).tracked_bytes, none[0].tracked_bytes + 1000 + reserved);
  assert_int_equal(cadastre_pool_trim(pooled, CADASTRE_DEVICE, 0), CADASTRE_SUCCESS);
  assert_int_equal(of_device(0).tracked_bytes, none[0].tracked_bytes + 1000);

  assert_int_equal(cadastre_free(plain, first), CADASTRE_SUCCESS);
  assert_int_equal(of_device(0).tracked_bytes, none[0].tracked_bytes);
  destroy(plain);
  destroy(pooled);
  assert_int_equal(of_device(1).tracked_bytes, none[1].tracked_bytes);
}

void memory_that_is_borrowed_belongs_to_others(void**) {
  const cadastre_context context = create();
  const std::size_t before = of_device(0).tracked_bytes;
  static char borrowed[4096];
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.pointer = borrowed;
  info.size = sizeof borrowed;
  info.type = CADASTRE_DEVICE;
  assert_int_equal(cadastre_wrap(context, info), CADASTRE_SUCCESS);
  assert_int_equal(of_device(0).tracked_bytes, before);
  destroy(context);
}

void what_is_wrong_is_refused(void**) {
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  assert_int_equal(cadastre_host_get_memory_usage(nullptr), CADASTRE_INVALID_ARG_1);
  assert_int_equal(cadastre_device_get_memory_usage(CADASTRE_DEFAULT_BACKEND, 0, &usage), CADASTRE_INVALID_ARG_1);
  assert_int_equal(cadastre_device_get_memory_usage(CADASTRE_BACKEND_HOST, 2, &usage), CADASTRE_INVALID_ARG_2);
  assert_int_equal(cadastre_device_get_memory_usage(CADASTRE_BACKEND_HOST, 0, nullptr), CADASTRE_INVALID_ARG_3);
  usage.struct_size = 1;
  assert_int_equal(cadastre_host_get_memory_usage(&usage), CADASTRE_INVALID_ARG_1);
  assert_int_equal(usage.used_bytes, 0);
}

// The memory that a report says is tracked on device 1.
std::string tracked_on_device_1(const std::string& report) {
  const std::size_t usage = report.find("\"memory_usage\""), end = report.find(']', usage);
  const std::string part = report.substr(usage, end - usage);
  const std::size_t device = part.find("\"device_id\": 1"), tracked = part.find("\"tracked_bytes\": ", device);
  return device == std::string::npos ? "" : part.substr(tracked, part.find(',', tracked) - tracked);
}

// It is no longer one of the live contexts, and its memory is still there.
void the_last_report_of_a_context_includes_its_own_memory(void**) {
  char file[] = "/tmp/cadastre-usage-XXXXXX.json";
  const int descriptor = mkstemps(file, 5);
  assert_true(descriptor >= 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_REPORT", file, 1);
    const cadastre_context context = create(), other = create();
    get(context, CADASTRE_DEVICE, 123456, CADASTRE_DEVICE_BY_ID(1));
    get(other, CADASTRE_DEVICE, 44, CADASTRE_DEVICE_BY_ID(1));
    _exit(cadastre_context_destroy(context));
  }
  int status = -1;
  assert_true(waitpid(child, &status, 0) == child && status == 0);
  std::string report(100000, '\0');
  report.resize(static_cast<std::size_t>(std::max<ssize_t>(read(descriptor, report.data(), report.size()), 0)));
  close(descriptor);
  unlink(file);
  assert_string_equal(tracked_on_device_1(report).c_str(), "\"tracked_bytes\": 123500");
}

void a_report_says_whose_memory_is_in_use(void**) {
  const cadastre_context context = create();
  get(context, CADASTRE_DEVICE, 123456, CADASTRE_DEVICE_BY_ID(1));
  char* text = nullptr;
  std::size_t length = 0;
  std::FILE* const stream = open_memstream(&text, &length);
  assert_int_equal(cadastre_report(context, stream, CADASTRE_REPORT_JSON), CADASTRE_SUCCESS);
  std::fclose(stream);
  const std::string report = text;
  std::free(text);
  const std::size_t usage = report.find("\"memory_usage\""), end = report.find(']', usage);
  const std::string part = report.substr(usage, end - usage);
  assert_true(part.find("\"device_id\": null") != std::string::npos);
  assert_true(part.find("\"device_id\": 0") != std::string::npos);
  assert_string_equal(tracked_on_device_1(report).c_str(), "\"tracked_bytes\": 123456");
  destroy(context);
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      // The first one, since the environment is read once in a process and its children.
      cmocka_unit_test(the_last_report_of_a_context_includes_its_own_memory),
      cmocka_unit_test(memory_of_the_library_is_tracked_on_the_host),
      cmocka_unit_test(memory_of_others_is_untracked_on_the_host),
      cmocka_unit_test(memory_of_a_device_counts_there_and_what_pools_cache_with_it),
      cmocka_unit_test(memory_that_is_borrowed_belongs_to_others),
      cmocka_unit_test(what_is_wrong_is_refused),
      cmocka_unit_test(a_report_says_whose_memory_is_in_use),
  };
  return cmocka_run_group_tests_name("usage", tests, nullptr, nullptr);
}
