// Tangled from org/tests/limits_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#include "base/capacity.hpp"
#include "cadastre.h"
#include "cmocka.hpp"

namespace {

using Variables = std::initializer_list<std::pair<const char*, std::string>>;

// Ends the process with the number of the line where something does not hold.
#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

template <class Body>
pid_t start(const Variables& variables, Body body) {
  const pid_t child = fork();
  if (child != 0) return child;
  alarm(120);
  for (const auto& [name, value] : variables) setenv(name, value.c_str(), 1);
  body();
  std::exit(0);  // as a program ends
}

void succeeds(pid_t child) {
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

template <class Body>
void with(const Variables& variables, Body body) {
  succeeds(start(variables, body));
}

std::size_t limit_of(cadastre_context context, cadastre_memory_type type) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  CHECK(cadastre_get_statistics(context, type, &figures) == CADASTRE_SUCCESS);
  return figures.limit;
}

std::string error_of(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  CHECK(cadastre_last_error(context, &error) == CADASTRE_SUCCESS);
  return error.message;
}

bool says(const std::string& text, const char* part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) std::fprintf(stderr, "not in it: %s\n%s\n", part, text.c_str());
  return found;
}

std::string resolved() {
  for (std::int32_t i = 0; i < cadastre_environment_get_count(); ++i) {
    cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
    CHECK(cadastre_environment_get_info(i, &info) == CADASTRE_SUCCESS);
    if (std::strcmp(info.name, "CADASTRE_LIMIT") == 0) return info.resolved;
  }
  return "no such variable";
}

std::size_t share(std::size_t bytes, std::size_t percent) { return bytes / 100 * percent + bytes % 100 * percent / 100; }

cadastre_device_info_struct device(std::int32_t number) {
  cadastre_device_info_struct info = cadastre_device_info_struct_zero;
  CHECK(cadastre_device_get_info(CADASTRE_BACKEND_HOST, number, &info) == CADASTRE_SUCCESS);
  return info;
}

cadastre_context create_on(std::int32_t number) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.device = CADASTRE_DEVICE_BY_ID(number);
  return cadastre_context_create_with_options(&options);
}

void a_share_of_host_memory_is_of_what_the_host_offers_the_process(void**) {
  with({{"CADASTRE_LIMIT", "HOST=10%,PINNED=1%,process:HOST=25%"}}, [] {
    CHECK(resolved().empty());
    const cadastre_context context = cadastre_context_create();
    const std::size_t offered = cadastre::internal::host_capacity().bytes;
    CHECK(offered > 0);
    CHECK(limit_of(context, CADASTRE_HOST) == share(offered, 10));
    CHECK(limit_of(context, CADASTRE_PINNED) == share(offered, 1));
    CHECK(limit_of(context, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_HOST) == share(offered, 25));
    CHECK(says(resolved(), "HOST is ") && says(resolved(), "process:HOST is ") && says(resolved(), "25% of ") &&
          says(resolved(), cadastre::internal::host_capacity().why));
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = share(offered, 10) + 1;
    CHECK(cadastre_malloc(context, info) == nullptr);
    CHECK(says(error_of(context), "cadastre_malloc: "));
  });
}

void a_share_of_device_memory_is_of_the_device_of_each_context(void**) {
  with({{"CADASTRE_LIMIT", "DEVICE=50%,UVM=2%"}}, [] {
    for (const std::int32_t number : {0, 1}) {
      const cadastre_context context = create_on(number);
      CHECK(limit_of(context, CADASTRE_DEVICE) == share(device(number).total_bytes, 50));
      CHECK(limit_of(context, CADASTRE_UVM) == share(device(number).total_bytes, 2));
      CHECK(limit_of(context, CADASTRE_HOST) == CADASTRE_UNLIMITED);
    }
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    CHECK(says(resolved(), "50% of ") && says(resolved(), "the memory of device 0 of the host backend"));
  });
}

void a_share_of_the_process_is_of_the_device_of_the_first_context(void**) {
  with({{"CADASTRE_LIMIT", "process:DEVICE=90%"}}, [] {
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    const cadastre_context context = create_on(1);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == share(device(1).total_bytes, 90));
    CHECK(limit_of(context, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    CHECK(says(resolved(), "process:DEVICE is ") && says(resolved(), "the memory of device 1 of the host backend"));
    create_on(0);
    CHECK(says(resolved(), "the memory of device 1 of the host backend"));
  });
}

void where_no_context_has_a_device_a_share_of_one_limits_nothing(void**) {
  with({{"CADASTRE_LIMIT", "process:DEVICE=90%,DEVICE=50%/ranks"}, {"CADASTRE_EMULATED_DEVICES", "0"}}, [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(context != CADASTRE_NULL_CONTEXT);
    CHECK(limit_of(context, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, 0) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(context, CADASTRE_DEVICE, 0) == CADASTRE_SUCCESS);
    CHECK(resolved().empty());
  });
}

// Four operations are all that a backend must have. total: what it tells of its memory; nothing where that is 0.
cadastre_backend register_without_memory_query(std::size_t total = 0) {
  cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
  table.memory_type_mask = 15;
  table.device_count = 1;
  table.allocate = [](void*, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) -> std::int32_t {
    *pointer = std::malloc(request->size);
    return *pointer ? 0 : 1;
  };
  table.free = [](void*, const cadastre_memory_info_struct* block) -> std::int32_t { return std::free(block->pointer), 0; };
  table.copy = [](void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                  std::size_t size, cadastre_queue) -> std::int32_t { return std::memcpy(to, from, size), 0; };
  table.set = [](void*, void* to, const cadastre_memory_info_struct*, int value, std::size_t size, cadastre_queue) -> std::int32_t {
    return std::memset(to, value, size), 0;
  };
  static std::size_t memory;
  memory = total;
  if (total > 0) {
    table.device_memory = [](void*, std::int32_t, std::size_t* all, std::size_t* free) -> std::int32_t { return *all = *free = memory, 0; };
  }
  return cadastre_backend_register("taciturn", &table, nullptr);
}

// The host's own devices use its memory.
void a_share_of_all_types_is_of_the_memory_that_host_and_device_share(void**) {
  with({{"CADASTRE_LIMIT", "ALL=50%,process:ALL=80%"}}, [] {
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES) == CADASTRE_UNLIMITED);
    const cadastre_context context = create_on(1);
    const std::size_t offered = cadastre::internal::host_capacity().bytes, whole = std::min(device(1).total_bytes, offered);
    CHECK(limit_of(context, CADASTRE_ALL_MEMORY_TYPES) == share(whole, 50));
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES) == share(whole, 80));
    CHECK(limit_of(context, CADASTRE_HOST) == CADASTRE_UNLIMITED);
    CHECK(says(resolved(), "process:ALL is ") && says(resolved(), "; ALL is ") && says(resolved(), "50% of "));
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = share(whole, 50) + 1;
    CHECK(cadastre_malloc(context, info) == nullptr);
    CHECK(says(error_of(context), "the limit of this context for all memory types together is "));
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES, 1000) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES, 0) == CADASTRE_SUCCESS);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES) == share(whole, 80));
  });
  with({{"CADASTRE_LIMIT", "process:ALL=80%"}, {"CADASTRE_EMULATED_DEVICES", "0"}}, [] {
    // Before there is a context nobody knows whether it will have a device.
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES, 0) == CADASTRE_SUCCESS);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES) == CADASTRE_UNLIMITED);
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES) == share(cadastre::internal::host_capacity().bytes, 80));
  });
}

void a_share_of_all_types_is_refused_where_a_device_has_memory_of_its_own(void**) {
  for (const char* const limit : {"ALL=50%", "process:ALL=50%"}) {
    with({{"CADASTRE_LIMIT", limit}}, [&] {
      cadastre_context_options_struct options = cadastre_context_options_struct_zero;
      options.backend = register_without_memory_query(1 << 20);
      CHECK(options.backend != CADASTRE_INVALID_BACKEND);
      CHECK(cadastre_context_create_with_options(&options) == CADASTRE_NULL_CONTEXT);
      CHECK(says(error_of(CADASTRE_NULL_CONTEXT),
                 (std::string(limit) + ": device 0 of the taciturn backend has memory of its own beside the host's; give bytes").c_str()));
    });
  }
  with({{"CADASTRE_LIMIT", "ALL=1G/ranks"}, {"CADASTRE_EMULATED_DEVICES", "0"}, {"CADASTRE_RANKS_PER_DEVICE", "2"}}, [] {
    CHECK(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
    CHECK(says(error_of(CADASTRE_NULL_CONTEXT), "/ranks: there is no device whose processes could be counted; give bytes without /ranks"));
  });
}

void limits_in_bytes_need_nothing_of_the_machine(void**) {
  with({{"CADASTRE_LIMIT", "process:HOST=3G,process:UVM=nothing,HOST=1G,ALL=64G,process:ALL=5T"}}, [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_HOST) == std::size_t{3} << 30);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_UVM) == CADASTRE_LIMIT_NOTHING);
    CHECK(limit_of(context, CADASTRE_HOST) == std::size_t{1} << 30);
    CHECK(limit_of(context, CADASTRE_ALL_MEMORY_TYPES) == std::size_t{64} << 30);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES) == std::size_t{5} << 40);
    CHECK(resolved().empty());
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 1;
    info.type = CADASTRE_UVM;
    CHECK(cadastre_malloc(context, info) == nullptr);
  });
}

void a_device_that_does_not_report_its_memory_is_no_guess(void**) {
  with({{"CADASTRE_LIMIT", "process:DEVICE=90%"}}, [] {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = register_without_memory_query();
    CHECK(options.backend != CADASTRE_INVALID_BACKEND);
    CHECK(cadastre_context_create_with_options(&options) == CADASTRE_NULL_CONTEXT);
    const std::string error = error_of(CADASTRE_NULL_CONTEXT);
    CHECK(says(error, "process:DEVICE=90%") && says(error, "taciturn") && says(error, "give bytes"));
  });
}

void a_limit_that_the_program_sets_stays_and_0_restores_that_of_the_environment(void**) {
  with({{"CADASTRE_LIMIT", "process:HOST=3G,process:DEVICE=90%,HOST=1G"}}, [] {
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 777) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, CADASTRE_UNLIMITED) == CADASTRE_SUCCESS);
    const cadastre_context context = cadastre_context_create();
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_HOST) == 777);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 0) == CADASTRE_SUCCESS);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_HOST) == std::size_t{3} << 30);
    // No context has asked for a share of a device yet, so the next one does.
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, 0) == CADASTRE_SUCCESS);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    create_on(0);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == share(device(0).total_bytes, 90));
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, CADASTRE_LIMIT_NOTHING) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, 0) == CADASTRE_SUCCESS);
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == share(device(0).total_bytes, 90));
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 5) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 0) == CADASTRE_SUCCESS);
    CHECK(limit_of(context, CADASTRE_HOST) == std::size_t{1} << 30);
  });
}

void the_program_has_the_last_word_when_contexts_are_created_meanwhile(void**) {
  for (int round = 0; round < 40; ++round) {
    with({{"CADASTRE_LIMIT", "process:HOST=50%"}}, [] {
      std::atomic<int> waiting = 4;
      std::vector<std::thread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&waiting, i] {
          --waiting;
          while (waiting > 0) continue;
          if (i > 0) {
            cadastre_context_destroy(cadastre_context_create());
          } else {
            CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, CADASTRE_UNLIMITED) == CADASTRE_SUCCESS);
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
      CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_HOST) == CADASTRE_UNLIMITED);
    });
  }
}

void what_was_refused_refuses_nothing_that_does_not_need_it(void**) {
  with({{"CADASTRE_LIMIT", "DEVICE=90%/ranks"}}, [] {
    CHECK(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.limits[CADASTRE_DEVICE] = 1000;
    const cadastre_context context = cadastre_context_create_with_options(&options);
    CHECK(context != CADASTRE_NULL_CONTEXT);
    CHECK(cadastre_set_limit(context, CADASTRE_DEVICE, 0) == CADASTRE_INVALID_ENVIRONMENT);
    CHECK(says(error_of(context), "cadastre_set_limit: CADASTRE_LIMIT=DEVICE=90%/ranks"));
    CHECK(limit_of(context, CADASTRE_DEVICE) == 1000);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 0) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
}

void the_number_of_ranks_may_be_given(void**) {
  with({{"CADASTRE_LIMIT", "process:DEVICE=90%/ranks,UVM=1000/ranks,ALL=2000/ranks"}, {"CADASTRE_RANKS_PER_DEVICE", "3"}}, [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == share(device(0).total_bytes, 90) / 3);
    CHECK(limit_of(context, CADASTRE_UVM) == 333);
    CHECK(limit_of(context, CADASTRE_ALL_MEMORY_TYPES) == 666);
    CHECK(says(resolved(), "divided by 3, CADASTRE_RANKS_PER_DEVICE=3"));
  });
}

void without_a_launcher_the_number_of_ranks_is_no_guess(void**) {
  with({{"CADASTRE_LIMIT", "process:DEVICE=90%/ranks"}}, [] {
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "JSM_NAMESPACE_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                             "PALS_LOCAL_SIZE", "PMI_LOCAL_SIZE", "FLUX_JOB_SIZE", "SLURM_STEP_TASKS_PER_NODE"}) {
      unsetenv(name);
    }
    CHECK(cadastre_context_create() == CADASTRE_NULL_CONTEXT);
    const std::string error = error_of(CADASTRE_NULL_CONTEXT);
    CHECK(says(error, "cadastre_context_create: CADASTRE_LIMIT=process:DEVICE=90%/ranks: "));
    CHECK(says(error, "set CADASTRE_RANKS_PER_DEVICE"));
    CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == CADASTRE_UNLIMITED);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_DEVICE, 1000) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
  });
}

int files_in(const std::string& folder) {
  int files = 0;
  DIR* const list = opendir(folder.c_str());
  for (const dirent* entry = list ? readdir(list) : nullptr; entry; entry = readdir(list)) files += entry->d_name[0] != '.';
  if (list) closedir(list);
  return files;
}

// Three ranks, of which two use device 0.
void ranks_of_a_job_are_counted_on_each_device_and_leave_when_they_end(void**) {
  char folder[] = "/tmp/cadastre-limits-XXXXXX";
  assert_non_null(mkdtemp(folder));
  // A rank that has counted stays until all have, as ranks of a job do.
  int counted[2], end[2];
  assert_int_equal(pipe(counted) | pipe(end), 0);
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < 3; ++rank) {
    ranks.push_back(start({{"CADASTRE_LIMIT", "process:DEVICE=90%/ranks"},
                           {"XDG_RUNTIME_DIR", folder},
                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"},
                           {"OMPI_COMM_WORLD_LOCAL_RANK", std::to_string(rank)},
                           {"PMIX_NAMESPACE", "job of test_limits " + std::to_string(getppid())}},
                          [&, rank] {
                            close(end[1]);
                            usleep(static_cast<useconds_t>(50000 * rank));
                            const std::int32_t number = rank < 2 ? 0 : 1;
                            const cadastre_context context = create_on(number);
                            if (context == CADASTRE_NULL_CONTEXT) std::fprintf(stderr, "%s\n", error_of(context).c_str());
                            CHECK(context != CADASTRE_NULL_CONTEXT);
                            const std::size_t all = share(device(number).total_bytes, 90);
                            CHECK(limit_of(CADASTRE_PROCESS, CADASTRE_DEVICE) == (rank < 2 ? all / 2 : all));
                            CHECK(says(resolved(), "divided by "));
                            char byte = 0;
                            CHECK(write(counted[1], &byte, 1) == 1 && read(end[0], &byte, 1) == 0);
                          }));
  }
  close(counted[1]);
  char bytes[3];
  for (char& byte : bytes) assert_int_equal(read(counted[0], &byte, 1), 1);
  for (const int descriptor : {counted[0], end[0], end[1]}) close(descriptor);
  for (const pid_t rank : ranks) succeeds(rank);
  const std::string register_folder = std::string(folder) + "/cadastre-ranks-" + std::to_string(getuid());
  assert_int_equal(files_in(folder), 1);
  assert_int_equal(files_in(register_folder), 0);
  rmdir(register_folder.c_str());
  rmdir(folder);
}

}  // namespace

int main() {
  for (const char* name : {"CADASTRE_BACKEND", "CADASTRE_LIMIT", "CADASTRE_REPORT", "CADASTRE_TRACE"}) unsetenv(name);
  setenv("CADASTRE_BACKEND", "host", 1);
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_share_of_host_memory_is_of_what_the_host_offers_the_process),
      cmocka_unit_test(a_share_of_device_memory_is_of_the_device_of_each_context),
      cmocka_unit_test(a_share_of_the_process_is_of_the_device_of_the_first_context),
      cmocka_unit_test(where_no_context_has_a_device_a_share_of_one_limits_nothing),
      cmocka_unit_test(a_share_of_all_types_is_of_the_memory_that_host_and_device_share),
      cmocka_unit_test(a_share_of_all_types_is_refused_where_a_device_has_memory_of_its_own),
      cmocka_unit_test(limits_in_bytes_need_nothing_of_the_machine),
      cmocka_unit_test(a_device_that_does_not_report_its_memory_is_no_guess),
      cmocka_unit_test(a_limit_that_the_program_sets_stays_and_0_restores_that_of_the_environment),
      cmocka_unit_test(the_program_has_the_last_word_when_contexts_are_created_meanwhile),
      cmocka_unit_test(what_was_refused_refuses_nothing_that_does_not_need_it),
      cmocka_unit_test(the_number_of_ranks_may_be_given),
      cmocka_unit_test(without_a_launcher_the_number_of_ranks_is_no_guess),
      cmocka_unit_test(ranks_of_a_job_are_counted_on_each_device_and_leave_when_they_end),
  };
  return cmocka_run_group_tests_name("limits", tests, nullptr, nullptr);
}
