// Tangled from org/tests/openmp_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "backend_conformance.hpp"
#include "backends/openmp_module.hpp"
#include "config.h"

using namespace cadastre::internal;

#ifndef OPENMP_MODULE

int main() { std::puts("1..0 # SKIP no module was built; configure --with-openmp-offload says what is missing"); }

#else

namespace {

Backend& openmp() { return *find_backend(CADASTRE_BACKEND_OPENMP); }

void copy_bytes(Place to_place, void* to, Place from_place, const void* from, std::size_t bytes) {
  assert_int_equal(openmp().copy({.to = static_cast<std::byte*>(to),
                                  .from = static_cast<const std::byte*>(from),
                                  .bytes = bytes,
                                  .to_place = to_place,
                                  .from_place = from_place}),
                   CADASTRE_SUCCESS);
}

Place on(std::int32_t device) { return {CADASTRE_DEVICE, device, CADASTRE_BACKEND_OPENMP}; }

Record block_on(std::int32_t device, std::size_t size, bool zero = true) {
  Grant grant{};
  assert_int_equal(openmp().allocate({size, 0, CADASTRE_DEVICE, device, zero}, grant), CADASTRE_SUCCESS);
  Record record;
  record.pointer = grant.pointer;
  record.size = size;
  record.type = CADASTRE_DEVICE;
  record.device = device;
  record.backend = CADASTRE_BACKEND_OPENMP;
  record.alignment_log2 = log2_of(grant.alignment);
  record.how = grant.how;
  return record;
}

std::vector<unsigned char> contents(const Record& block) {
  std::vector<unsigned char> bytes(block.size);
  copy_bytes({}, bytes.data(), on(block.device), block.pointer, block.size);
  return bytes;
}

void free(const Record& record) { assert_int_equal(openmp().free(record), CADASTRE_SUCCESS); }

cadastre_exit_code set(const Record& block, std::size_t from, std::size_t bytes, int value) {
  return openmp().set({.to = static_cast<std::byte*>(block.pointer) + from, .value = value, .bytes = bytes, .place = on(block.device)});
}

template <cadastre_memory_type memory_type>
struct Subject {
  static Backend& backend() { return openmp(); }
  static constexpr cadastre_memory_type type = memory_type;
  static Place here() { return {type, openmp().current_device(), CADASTRE_BACKEND_OPENMP}; }
  static void read(void* host, const void* block, std::size_t bytes) { copy_bytes({}, host, here(), block, bytes); }
  static void write(void* block, const void* host, std::size_t bytes) { copy_bytes(here(), block, {}, host, bytes); }
};

void each_device_has_memory_of_its_own(void**) {
  const std::int32_t devices = openmp().presence().devices;
  assert_true(devices >= (CADASTRE_OPENMP_ACCELERATES ? 1 : 4));
  std::vector<Record> blocks;
  for (std::int32_t device = 0; device < devices; ++device) {
    blocks.push_back(block_on(device, 5000));
    assert_true(contents(blocks.back()) == std::vector<unsigned char>(5000, 0));
    assert_int_equal(set(blocks.back(), 0, 5000, device + 1), CADASTRE_SUCCESS);
  }
  for (const Record& block : blocks) {
    assert_true(contents(block) == std::vector<unsigned char>(5000, static_cast<unsigned char>(block.device + 1)));
    free(block);
  }
}

void every_pair_of_devices_can_be_copied_between(void**) {
  const std::int32_t devices = openmp().presence().devices;
  for (std::int32_t a = 0; a < devices; ++a) {
    for (std::int32_t b = 0; b < devices; ++b) {
      const std::size_t size = a == b ? (std::size_t{70} << 20) + 3 : 3001;
      const Record from = block_on(a, size), to = block_on(b, size);
      assert_int_equal(set(from, 1, size - 2, 0x5a), CADASTRE_SUCCESS);
      copy_bytes(on(b), to.pointer, on(a), from.pointer, size);
      const std::vector<unsigned char> found = contents(to);
      assert_int_equal(found.front() | found.back(), 0);
      assert_int_equal(std::count(found.begin(), found.end(), 0x5a), size - 2);
      free(from);
      free(to);
    }
  }
}

void devices_have_names(void**) {
  DeviceDescription description;
  assert_int_equal(openmp().describe(0, description), CADASTRE_SUCCESS);
  assert_non_null(std::strstr(description.name, ", device 0"));
  if (!CADASTRE_OPENMP_ACCELERATES) assert_non_null(std::strstr(description.name, " host plugin"));
}

void a_block_on_another_device_than_the_default_is_freed(void**) {
  const std::int32_t last = openmp().presence().devices - 1;
  assert_int_equal(openmp().current_device(), 0);
  for (int round = 0; round < 100; ++round) free(block_on(last, 100000));
}

void setting_reaches_every_byte_and_no_other(void**) {
  const Record block = block_on(0, 200);
  for (const std::size_t from : {0u, 1u, 7u, 8u, 13u}) {
    for (const std::size_t bytes : {1u, 2u, 7u, 8u, 9u, 15u, 16u, 17u, 100u}) {
      assert_int_equal(set(block, 0, 200, 1), CADASTRE_SUCCESS);
      assert_int_equal(set(block, from, bytes, 0xfe), CADASTRE_SUCCESS);
      std::vector<unsigned char> expected(200, 1);
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(from), bytes, static_cast<unsigned char>(0xfe));
      assert_true(contents(block) == expected);
    }
  }
  free(block);
}

void more_than_4_gib_can_be_held_and_reached(void**) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  const Record block = block_on(0, 5 * gibibyte, false);
  auto* const end = static_cast<std::byte*>(block.pointer) + 5 * gibibyte - 3;
  char bytes[] = "ab";
  copy_bytes(on(0), end, {}, bytes, 3);
  char found[3] = {};
  copy_bytes({}, found, on(0), end, 3);
  assert_string_equal(found, "ab");
  free(block);
}

template <cadastre_memory_type type>
void a_type_that_is_not_served_says_why(void**) {
  assert_int_equal(admit(openmp(), {8, 0, type, 0, true}), CADASTRE_NOT_SUPPORTED);
  assert_true(openmp().problem(type).characters[0] != '\0');
}

void work_with(cadastre_context context, cadastre_memory_type type) {
  double numbers[1000], found[1000] = {};
  for (int i = 0; i < 1000; ++i) numbers[i] = i / 8.0;
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = sizeof numbers;
  info.type = type;
  auto* const block = static_cast<double*>(cadastre_malloc(context, info));
  assert_non_null(block);
  assert_int_equal(cadastre_memcpy(context, found, block, sizeof found), CADASTRE_SUCCESS);
  for (const double x : found) assert_true(x == 0.0);
  assert_int_equal(cadastre_memcpy(context, block, numbers, sizeof numbers), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memset(context, block + 10, 0, 10 * sizeof(double)), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, found, block, sizeof found), CADASTRE_SUCCESS);
  for (int i = 0; i < 1000; ++i) assert_true(found[i] == (i >= 10 && i < 20 ? 0.0 : numbers[i]));
  assert_int_equal(cadastre_memcpy(context, block + 999, numbers, 16), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_synchronize(context, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  assert_int_not_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
}

void assert_already_freed(cadastre_context context, cadastre_exit_code answer, cadastre_exit_code expected) {
  assert_int_equal(answer, expected);
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  assert_int_equal(error.reason, CADASTRE_REASON_ALREADY_FREED);
}

void a_block_that_was_just_freed_is_not_taken_for_memory_of_the_host(void**) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_OPENMP;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.type = CADASTRE_DEVICE;
  info.size = 80000;
  char bytes[100] = {};
  for (int i = 0; i < 100; ++i) {  // more than are held back
    auto* const block = static_cast<char*>(cadastre_malloc(context, info));
    assert_non_null(block);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    assert_already_freed(context, cadastre_memcpy(context, block, bytes, sizeof bytes), CADASTRE_INVALID_ARG_2);
    assert_already_freed(context, cadastre_memcpy(context, bytes, block + 79900, sizeof bytes), CADASTRE_INVALID_ARG_3);
    assert_already_freed(context, cadastre_memset(context, block + 5, 1, 100), CADASTRE_INVALID_ARG_2);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_context_on_this_backend_serves_every_type(void**) {
  for (std::int32_t device = 0; device < openmp().presence().devices; ++device) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = CADASTRE_BACKEND_OPENMP;
    options.device = CADASTRE_DEVICE_BY_ID(device);
    const cadastre_context context = cadastre_context_create_with_options(&options);
    assert_true(context != CADASTRE_NULL_CONTEXT);
    for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_PINNED, CADASTRE_DEVICE, CADASTRE_UVM}) {
      // LLVM's host plugin has them all; another device may lack some.
      const bool expected = type == CADASTRE_HOST || !CADASTRE_OPENMP_ACCELERATES || openmp().serves(type);
      if (expected) work_with(context, type);
    }
    cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
    assert_int_equal(cadastre_get_device_statistics(context, CADASTRE_DEVICE, device, &statistics), CADASTRE_SUCCESS);
    assert_int_equal(statistics.allocations, 1);
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  }
}

std::string output_of(const std::string& environment, const char* word) {
  char self[4096] = {};
  assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  std::FILE* const pipe = popen(("env " + environment + " '" + self + "' " + word).c_str(), "r");
  assert_non_null(pipe);
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  assert_int_equal(pclose(pipe), 0);
  return output;
}

// Prints the OpenMP runtimes that are in a process which uses this library, and not this backend.
int tell_runtimes() {
  const cadastre_context context = cadastre_context_create();
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  bool any = false;
  for (char line[4096]; std::fgets(line, sizeof line, maps);) {
    for (const char* runtime : {"libomp", "libgomp", "libiomp", "libLLVM"}) {
      if (!std::strstr(line, runtime)) continue;
      std::fputs(line, stdout);
      any = true;
    }
  }
  std::fclose(maps);
  if (!any) std::puts("none");
  return cadastre_context_destroy(context) != CADASTRE_SUCCESS;
}

int try_alone(const std::string& word) {
  Grant grant{};
  if (word == "maps") return tell_runtimes();
  if (word == "beside") {
    const bool loaded = dlopen(CADASTRE_OPENMP_LIBDIR "/libomp.so", RTLD_NOW | RTLD_LOCAL) != nullptr;
    std::printf("%s %d\n", loaded ? "loaded" : "not there", openmp().presence().devices);
    return 0;
  }
  if (word == "fill") {
    const cadastre_exit_code code = openmp().allocate({100, 0, CADASTRE_DEVICE, 0, true}, grant);
    attribute(5, "test");
    cadastre_error_struct error = cadastre_error_struct_zero;
    tell_last_failure(5, error);
    std::puts(code == CADASTRE_SUCCESS ? "filled" : error.message);
    return grant.pointer != nullptr;
  }
  static Record block;
  std::atexit([] { std::puts(openmp().free(block) == CADASTRE_SUCCESS ? "freed" : "not freed"); });
  block = block_on(0, 100000);
  if (word == "exit") return 0;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::puts(openmp().free(block) == CADASTRE_SUCCESS ? "freed in the child" : "not freed");
    std::fflush(stdout);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}

const cadastre_openmp_table& table() {
  void* const handle = dlopen(OPENMP_MODULE, RTLD_NOW | RTLD_LOCAL);
  assert_non_null(handle);
  return *reinterpret_cast<cadastre_openmp_entry>(dlsym(handle, "cadastre_openmp_module"))();
}

// The number behind the last device is the host's, and a region there runs on the host.
void a_fill_that_does_not_run_on_the_device_touches_nothing(void**) {
  char bytes[100] = {};
  const cadastre_openmp_answer answer = table().fill(bytes, table().devices(), 7, sizeof bytes);
  assert_non_null(answer.text);
  assert_non_null(std::strstr(answer.text, "ran on the host"));
  assert_true(std::all_of(std::begin(bytes), std::end(bytes), [](char byte) { return byte == 0; }));
}

void a_copy_that_the_runtime_refuses_is_told(void**) {
  const char bytes[8] = {};
  const cadastre_openmp_answer answer = table().copy(nullptr, 0, bytes, cadastre_openmp_host, sizeof bytes);
  assert_non_null(answer.text);
  assert_int_not_equal(answer.code, 0);
}

void without_offloading_nothing_is_zeroed_on_the_host(void**) {
  const std::string told = output_of("OMP_TARGET_OFFLOAD=DISABLED", "fill");
  assert_null(std::strstr(told.c_str(), "filled"));
  assert_non_null(std::strstr(told.c_str(), "the openmp backend"));
  assert_non_null(std::strstr(told.c_str(), "OMP_TARGET_OFFLOAD=DISABLED"));
}

void a_child_of_a_fork_frees_in_peace(void**) { assert_string_equal(output_of("", "fork").c_str(), "freed in the child\nfreed\n"); }

void a_process_that_ends_with_live_blocks_ends_well(void**) { assert_string_equal(output_of("", "exit").c_str(), "freed\n"); }

void devices_are_seen_beside_an_openmp_program(void**) {
  const std::string told = output_of("", "beside");
  if (told.starts_with("not there")) skip_because("this runtime has no such routine");
  assert_string_equal(told.c_str(), ("loaded " + std::to_string(openmp().presence().devices) + "\n").c_str());
}

void only_the_module_brings_a_runtime(void**) { assert_string_equal(output_of("CADASTRE_BACKEND=host", "maps").c_str(), "none\n"); }

void a_type_that_is_served_says_by_which_routine(void**) {
  const std::string meaning = openmp().presence().meaning;
  for (const cadastre_memory_type type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    const std::string name = cadastre_string_of_memory_type(type);
    const bool is_told = meaning.find("; " + name + " from ") != std::string::npos;
    const bool is_refused = meaning.find("; no " + name + ": ") != std::string::npos;
    assert_int_equal(is_told, openmp().serves(type));
    assert_int_equal(is_refused, !openmp().serves(type));
  }
  assert_true(meaning.find("DEVICE from omp_target_alloc;") != std::string::npos);
}

void devices_of_the_host_have_no_queues(void**) {
  if (CADASTRE_OPENMP_ACCELERATES) skip_because("the module has devices of its own");
  const Record block = block_on(0, 100);
  int no_queue = 0;
  std::byte bytes[100] = {};
  auto* const to = static_cast<std::byte*>(block.pointer);
  assert_int_equal(openmp().synchronize(0, &no_queue), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(openmp().copy({.to = to, .from = bytes, .bytes = 100, .to_place = on(0), .from_place = {}, .queue = &no_queue}),
                   CADASTRE_NOT_SUPPORTED);
  assert_int_equal(openmp().set({.to = to, .value = 1, .bytes = 100, .place = on(0), .queue = &no_queue}), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(openmp().queue_identity(0, &no_queue), 0);
  assert_int_equal(openmp().synchronize(0, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_int_equal(openmp().settle(block), CADASTRE_SUCCESS);
  assert_true(contents(block) == std::vector<unsigned char>(100, 0));
  assert_non_null(table().no_queues());
  free(block);
}

void prepare_environment(char** argv) {
  setenv("CADASTRE_OPENMP_MODULE", OPENMP_MODULE, 1);
  setenv("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0", 0);
  setenv("OMP_TOOL", "disabled", 0);
  // Some releases of LLVM look for plugins there only, and the loader reads it when a program starts.
  if (CADASTRE_OPENMP_LIBDIR[0] != '\0' && !std::getenv("LD_LIBRARY_PATH")) {
    setenv("LD_LIBRARY_PATH", CADASTRE_OPENMP_LIBDIR, 1);
    char self[4096] = {};
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) execv(self, argv);
  }
}

bool may_lack_a_device() {
  const Presence presence = openmp().presence();
  return !presence.usable && (CADASTRE_OPENMP_ACCELERATES || std::strstr(presence.problem, "libgomp"));
}

template <cadastre_memory_type type>
int conformance(const char* name, std::vector<CMUnitTest> claims = {}) {
  if (openmp().serves(type)) return Conformance<Subject<type> >::run(name, claims);
  claims = {cmocka_unit_test(a_type_that_is_not_served_says_why<type>)};
  return _cmocka_run_group_tests(name, claims.data(), claims.size(), nullptr, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_environment(argv);
  if (argc > 1) return try_alone(argv[1]);
  if (may_lack_a_device()) {
    std::printf("1..0 # SKIP %s\n", openmp().presence().problem);
    return 0;
  }
  return conformance<CADASTRE_DEVICE>("openmp backend, DEVICE",
                                      {
                                          cmocka_unit_test(each_device_has_memory_of_its_own),
                                          cmocka_unit_test(every_pair_of_devices_can_be_copied_between),
                                          cmocka_unit_test(devices_have_names),
                                          cmocka_unit_test(a_block_on_another_device_than_the_default_is_freed),
                                          cmocka_unit_test(setting_reaches_every_byte_and_no_other),
                                          cmocka_unit_test(a_fill_that_does_not_run_on_the_device_touches_nothing),
                                          cmocka_unit_test(a_copy_that_the_runtime_refuses_is_told),
                                          cmocka_unit_test(without_offloading_nothing_is_zeroed_on_the_host),
                                          cmocka_unit_test(more_than_4_gib_can_be_held_and_reached),
                                          cmocka_unit_test(a_type_that_is_served_says_by_which_routine),
                                          cmocka_unit_test(devices_of_the_host_have_no_queues),
                                          cmocka_unit_test(a_context_on_this_backend_serves_every_type),
                                          cmocka_unit_test(a_block_that_was_just_freed_is_not_taken_for_memory_of_the_host),
                                          cmocka_unit_test(a_child_of_a_fork_frees_in_peace),
                                          cmocka_unit_test(a_process_that_ends_with_live_blocks_ends_well),
                                          cmocka_unit_test(devices_are_seen_beside_an_openmp_program),
                                          cmocka_unit_test(only_the_module_brings_a_runtime),
                                      }) +
         conformance<CADASTRE_PINNED>("openmp backend, PINNED") + conformance<CADASTRE_UVM>("openmp backend, UVM");
}

#endif
