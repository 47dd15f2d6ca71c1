// Tangled from org/tests/environment_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <vector>

#include "base/environment.hpp"
#include "cadastre.h"
#include "cmocka.hpp"

using namespace cadastre::internal;

namespace {

Environment with(std::vector<const char*> strings) {
  strings.push_back(nullptr);
  return read_environment(strings.data());
}

void an_empty_environment_configures_nothing(void**) {
  const Environment e = with({});
  assert_true(e.malformed.empty());
  assert_int_equal(e.backend, CADASTRE_DEFAULT_BACKEND);
  for (const LimitValue& limit : e.limits) assert_true(limit.is_unlimited());
  for (const LimitValue& limit : e.process_limits) assert_true(limit.is_unlimited());
  assert_int_equal(e.variables.size(), environment_rows().size());
}

void a_process_without_an_environment_is_no_failure(void**) { assert_true(read_environment(nullptr).malformed.empty()); }

void limits_and_backend_are_understood(void**) {
  const Environment e = with({"HOME=/", "CADASTRE_BACKEND=host", "CADASTRE_LIMIT=HOST=2G,DEVICE=512M,UVM=nothing,PINNED=unlimited"});
  assert_true(e.malformed.empty());
  assert_int_equal(e.emulated_devices, 0);
  assert_true(e.backend == CADASTRE_BACKEND_HOST);
  assert_true(e.limits[CADASTRE_HOST] == LimitValue{.bytes = std::size_t{2} << 30});
  assert_true(e.limits[CADASTRE_DEVICE] == LimitValue{.bytes = std::size_t{512} << 20});
  assert_true(e.limits[CADASTRE_PINNED].is_unlimited());
  assert_true(e.limits[CADASTRE_UVM] == LimitValue{.bytes = 0});
}

void limits_are_of_a_context_or_of_the_process_in_bytes_or_shares_and_divided_by_ranks(void**) {
  const Environment e = with({"CADASTRE_RANKS_PER_DEVICE=4",
                              "CADASTRE_LIMIT=HOST=25%,process:HOST=90%,process:DEVICE=80G/ranks,UVM=100%/ranks,process:PINNED=nothing"});
  assert_true(e.malformed.empty());
  assert_true(e.limits[CADASTRE_HOST] == LimitValue{.percent = 25});
  assert_true((e.limits[CADASTRE_UVM] == LimitValue{.percent = 100, .per_rank = true}));
  assert_true(e.limits[CADASTRE_DEVICE].is_unlimited() && e.limits[CADASTRE_PINNED].is_unlimited());
  assert_true(e.process_limits[CADASTRE_HOST] == LimitValue{.percent = 90});
  assert_true(e.process_limits[CADASTRE_PINNED] == LimitValue{.bytes = 0});
  assert_true((e.process_limits[CADASTRE_DEVICE] == LimitValue{.bytes = std::size_t{80} << 30, .per_rank = true}));
  assert_true(e.process_limits[CADASTRE_UVM].is_unlimited());
  assert_int_equal(e.ranks.given, 4);
}

void what_this_rank_is_is_read_where_a_limit_depends_on_it(void**) {
  const auto ranks = [](const char* limit) {
    return with({limit, "OMPI_COMM_WORLD_LOCAL_SIZE=3", "OMPI_COMM_WORLD_LOCAL_RANK=1", "PMIX_NAMESPACE=x"}).ranks.local_ranks;
  };
  assert_int_equal(ranks("CADASTRE_LIMIT=process:DEVICE=90%/ranks"), 3);
  assert_int_equal(ranks("CADASTRE_LIMIT=DEVICE=90%/ranks"), 3);
  assert_int_equal(ranks("CADASTRE_LIMIT=process:DEVICE=90%"), 0);
}

void sizes_of_workspaces_are_understood(void**) {
  const Environment e = with({"CADASTRE_WORKSPACE_SIZE=64K,HOST=per-lease,PINNED=0,UVM=stream-ordered"});
  assert_true(e.malformed.empty());
  assert_true(e.default_workspace_size == std::size_t{64} << 10);
  assert_true(e.workspace_sizes[CADASTRE_HOST] == CADASTRE_WORKSPACE_PER_LEASE);
  assert_true(e.workspace_sizes[CADASTRE_PINNED] == CADASTRE_WORKSPACE_AUTOMATIC);
  assert_true(e.workspace_sizes[CADASTRE_DEVICE] == CADASTRE_WORKSPACE_AUTOMATIC);
  assert_true(e.workspace_sizes[CADASTRE_UVM] == CADASTRE_WORKSPACE_STREAM_ORDERED);
  assert_true(with({"CADASTRE_WORKSPACE_SIZE=stream-ordered"}).default_workspace_size == CADASTRE_WORKSPACE_STREAM_ORDERED);
}

void what_pools_cache_is_understood_as_bytes_percent_or_all(void**) {
  for (const PoolKeep& keep : with({}).pool_keep) assert_true((keep == PoolKeep{PoolKeep::percent, 100}));
  const Environment e = with({"CADASTRE_POOL_RELEASE_THRESHOLD=150%,DEVICE=2G,PINNED=all,UVM=0"});
  assert_true(e.malformed.empty());
  assert_true((e.pool_keep[CADASTRE_HOST] == PoolKeep{PoolKeep::percent, 150}));
  assert_true((e.pool_keep[CADASTRE_DEVICE] == PoolKeep{PoolKeep::bytes, std::size_t{2} << 30}));
  assert_true((e.pool_keep[CADASTRE_PINNED].of == PoolKeep::all));
  assert_true((e.pool_keep[CADASTRE_UVM] == PoolKeep{PoolKeep::bytes, 0}));
  assert_int_equal(e.pool_keep[CADASTRE_HOST].most(1001), 1501);
  assert_true(e.pool_keep[CADASTRE_HOST].most(SIZE_MAX / 2) == SIZE_MAX);
  assert_true(e.pool_keep[CADASTRE_PINNED].most(1) == SIZE_MAX);
  assert_int_equal(e.pool_keep[CADASTRE_UVM].most(1001), 0);
}

void pools_are_understood_for_all_memory_types_or_for_one(void**) {
  for (const cadastre_pool pool : with({}).pool) assert_int_equal(pool, CADASTRE_POOL_NONE);
  for (const cadastre_pool pool : with({"CADASTRE_POOL=vendor"}).pool) assert_int_equal(pool, CADASTRE_POOL_VENDOR);
  const Environment e = with({"CADASTRE_POOL=caching,DEVICE=vendor,PINNED=none"});
  assert_true(e.malformed.empty());
  assert_int_equal(e.pool[CADASTRE_HOST], CADASTRE_POOL_CACHING);
  assert_int_equal(e.pool[CADASTRE_PINNED], CADASTRE_POOL_NONE);
  assert_int_equal(e.pool[CADASTRE_DEVICE], CADASTRE_POOL_VENDOR);
  assert_int_equal(e.pool[CADASTRE_UVM], CADASTRE_POOL_CACHING);
}

void devices_and_libraries_are_understood(void**) {
  const Environment e = with({"CADASTRE_EMULATED_DEVICES=2", "CADASTRE_OUT_OF_MEMORY_WAIT=250", "CADASTRE_CUDA_LIBRARY=/x/libcudart.so",
                              "CADASTRE_HIP_LIBRARY=h.so", "CADASTRE_OPENMP_MODULE=m.so"});
  assert_true(e.malformed.empty());
  assert_int_equal(e.emulated_devices, 2);
  assert_int_equal(e.out_of_memory_wait.count(), 250);
  assert_int_equal(e.pool_thread_cache, std::size_t{1} << 20);
  assert_int_equal(with({"CADASTRE_POOL_THREAD_CACHE=0"}).pool_thread_cache, 0);
  assert_int_equal(with({"CADASTRE_POOL_THREAD_CACHE=64M"}).pool_thread_cache, std::size_t{64} << 20);
  assert_int_equal(with({"CADASTRE_POOL_THREAD_CACHE=4294967295"}).pool_thread_cache, UINT32_MAX);
  assert_int_equal(e.traces_kept, 0);
  assert_int_equal(with({"CADASTRE_TRACE_KEEP=32"}).traces_kept, 32);
  assert_true(!e.traces_joined && with({"CADASTRE_TRACE_JOIN=on"}).traces_joined && !with({"CADASTRE_TRACE_JOIN=off"}).traces_joined);
  assert_true(e.library("CADASTRE_CUDA_LIBRARY") == "/x/libcudart.so");
  assert_true(e.library("CADASTRE_HIP_LIBRARY") == "h.so");
  assert_true(e.library("CADASTRE_OPENMP_MODULE") == "m.so");
  assert_true(with({}).library("CADASTRE_CUDA_LIBRARY").empty());
  const Environment empty = with({"CADASTRE_CUDA_LIBRARY="});
  assert_non_null(std::strstr(empty.malformed.c_str(), "must be the file name of a CUDA runtime library"));
  assert_true(empty.library("CADASTRE_CUDA_LIBRARY").empty());
}

void assert_for(const char* name, bool holds) {
  if (!holds) print_error("%s\n", name);
  assert_true(holds);
}

// A missing mark is found by the words of the table.
void each_variable_that_names_a_file_is_marked(void**) {
  std::size_t marked = 0;
  for (const EnvironmentRow& row : environment_rows()) {
    const bool names_file = std::strcmp(row.risk, "names a file") == 0;
    marked += names_file;
    for (const char* word : {"file", "library", "module", "folder", "path"}) {
      const bool named = std::strstr(row.expected, word) || std::strstr(row.meaning, word);
      if (named) assert_for(row.name, names_file);
    }
  }
  assert_true(marked >= 4);
}

void a_program_with_privileges_of_its_own_reads_no_variable_that_is_a_risk(void**) {
  std::vector<std::string> strings;
  std::vector<const char*> pointers;
  for (const EnvironmentRow& row : environment_rows()) strings.push_back(std::string(row.name) + "=x");
  for (const std::string& string : strings) pointers.push_back(string.c_str());
  pointers.push_back(nullptr);
  const Environment e = read_environment(pointers.data(), Files::not_read);
  for (const EnvironmentVariable& variable : e.variables) {
    const bool ignored = std::strstr(variable.problem.c_str(), (std::string(variable.row->risk) + " and is ignored").c_str());
    assert_for(variable.name.c_str(), ignored == (*variable.row->risk != '\0'));
    assert_string_equal(variable.value->c_str(), "x");
  }
  assert_true(e.library("CADASTRE_CUDA_LIBRARY").empty() && e.library("CADASTRE_OPENMP_MODULE").empty() && e.trace.empty() &&
              e.report.empty() && e.fail_rules.empty());
}

void what_is_not_read_makes_no_context_fail(void**) {
  const char* const strings[] = {"CADASTRE_TRACE=", "CADASTRE_LIMIT=HOST=1K", nullptr};
  const Environment e = read_environment(strings, Files::not_read);
  assert_true(e.malformed.empty());
  assert_true(e.limits[CADASTRE_HOST] == LimitValue{.bytes = 1024});
}

void a_malformed_value_is_named_with_what_would_be_right(void**) {
  for (const char* wrong : {"CADASTRE_LIMIT=2G",
                            "CADASTRE_LIMIT=",
                            "CADASTRE_LIMIT=HOST=1,",
                            "CADASTRE_LIMIT=HOST",
                            "CADASTRE_LIMIT=host=1",
                            "CADASTRE_LIMIT=HOST=-1",
                            "CADASTRE_LIMIT=HOST=0",
                            "CADASTRE_LIMIT=nothing",
                            "CADASTRE_LIMIT=process:1G",
                            "CADASTRE_LIMIT=HOST=0%",
                            "CADASTRE_LIMIT=HOST=101%",
                            "CADASTRE_LIMIT=HOST=1K%",
                            "CADASTRE_LIMIT=HOST=%",
                            "CADASTRE_LIMIT=HOST=50%/ranks",
                            "CADASTRE_LIMIT=process:PINNED=1G/ranks",
                            "CADASTRE_LIMIT=DEVICE=/ranks",
                            "CADASTRE_LIMIT=DEVICE=nothing/ranks",
                            "CADASTRE_LIMIT=process:DEVICE=50%/rank",
                            "CADASTRE_LIMIT=Process:HOST=1G",
                            "CADASTRE_LIMIT=process:process:HOST=1G",
                            "CADASTRE_LIMIT=HOST=process:1G",
                            "CADASTRE_LIMIT=all=1G",
                            "CADASTRE_LIMIT=ALL",
                            "CADASTRE_LIMIT=ALL=",
                            "CADASTRE_LIMIT=ALL=0",
                            "CADASTRE_LIMIT=ALL=101%",
                            "CADASTRE_LIMIT=ANY=1G",
                            "CADASTRE_LIMIT=ALL=64GiB",
                            "CADASTRE_LIMIT=process:All=1G",
                            "CADASTRE_LIMIT=ALL=nothing/ranks",
                            "CADASTRE_LIMIT=ALL=1G,ALL_MEMORY_TYPES=1G",
                            "CADASTRE_POOL=ALL=caching",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=ALL=1",
                            "CADASTRE_WORKSPACE_SIZE=ALL=1",
                            "CADASTRE_RANKS_PER_DEVICE=0",
                            "CADASTRE_RANKS_PER_DEVICE=4097",
                            "CADASTRE_RANKS_PER_DEVICE=two",
                            "CADASTRE_POOL_THREAD_CACHE=",
                            "CADASTRE_POOL_THREAD_CACHE=-1",
                            "CADASTRE_POOL_THREAD_CACHE=4G",
                            "CADASTRE_POOL_THREAD_CACHE=all",
                            "CADASTRE_OUT_OF_MEMORY_WAIT=",
                            "CADASTRE_OUT_OF_MEMORY_WAIT=-1",
                            "CADASTRE_OUT_OF_MEMORY_WAIT=3600001",
                            "CADASTRE_BACKEND=",
                            "CADASTRE_BACKEND=cadu",
                            "CADASTRE_EMULATED_DEVICES=17",
                            "CADASTRE_WORKSPACE_SIZE=",
                            "CADASTRE_WORKSPACE_SIZE=big",
                            "CADASTRE_WORKSPACE_SIZE=GPU=1",
                            "CADASTRE_WORKSPACE_SIZE=HOST=",
                            "CADASTRE_WORKSPACE_SIZE=1,",
                            "CADASTRE_WORKSPACE_SIZE=9223372036854775808",
                            "CADASTRE_EMULATED_DEVICES=yes",
                            "CADASTRE_CUDA_LIBRARY=",
                            "CADASTRE_HIP_LIBRARY=",
                            "CADASTRE_OPENMP_MODULE=",
                            "CADASTRE_POOL=",
                            "CADASTRE_POOL=1",
                            "CADASTRE_POOL=Caching",
                            "CADASTRE_POOL=HOST",
                            "CADASTRE_POOL=HOST=",
                            "CADASTRE_POOL=GPU=none",
                            "CADASTRE_POOL=caching,",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=%",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=1K%",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=1001%",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=-1",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=some",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=GPU=1",
                            "CADASTRE_POOL_RELEASE_THRESHOLD=50%%",
                            "CADASTRE_TRACE=",
                            "CADASTRE_TRACE=-",
                            "CADASTRE_TRACE_JOIN=",
                            "CADASTRE_TRACE_JOIN=node",
                            "CADASTRE_TRACE_KEEP=",
                            "CADASTRE_TRACE_KEEP=0",
                            "CADASTRE_TRACE_KEEP=-1",
                            "CADASTRE_TRACE_KEEP=all",
                            "CADASTRE_TRACE_KEEP=1000001",
                            "CADASTRE_REPORT=",
                            "CADASTRE_REPORT=-"}) {
    const Environment e = with({wrong});
    assert_non_null(std::strstr(e.malformed.c_str(), wrong));
    assert_non_null(std::strstr(e.malformed.c_str(), "it must be"));
  }
}

void an_unknown_variable_is_reported_with_the_name_it_comes_closest_to(void**) {
  const Environment e = with({"CADASTRE_LIMTI=HOST=1", "CADASTRE_XYZZY_PLUGH=1", "CADASTR=1"});
  assert_true(e.malformed.empty());
  assert_int_equal(e.variables.size(), environment_rows().size() + 2);
  const EnvironmentVariable& near = e.variables[environment_rows().size()];
  assert_string_equal(near.name.c_str(), "CADASTRE_LIMTI");
  assert_string_equal(near.problem.c_str(), "CADASTRE_LIMTI is not a variable of this library; did you mean CADASTRE_LIMIT?");
  assert_null(std::strstr(e.variables.back().problem.c_str(), "did you mean"));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_environment_configures_nothing),
      cmocka_unit_test(a_process_without_an_environment_is_no_failure),
      cmocka_unit_test(limits_and_backend_are_understood),
      cmocka_unit_test(limits_are_of_a_context_or_of_the_process_in_bytes_or_shares_and_divided_by_ranks),
      cmocka_unit_test(what_this_rank_is_is_read_where_a_limit_depends_on_it),
      cmocka_unit_test(sizes_of_workspaces_are_understood),
      cmocka_unit_test(pools_are_understood_for_all_memory_types_or_for_one),
      cmocka_unit_test(what_pools_cache_is_understood_as_bytes_percent_or_all),
      cmocka_unit_test(devices_and_libraries_are_understood),
      cmocka_unit_test(each_variable_that_names_a_file_is_marked),
      cmocka_unit_test(a_program_with_privileges_of_its_own_reads_no_variable_that_is_a_risk),
      cmocka_unit_test(what_is_not_read_makes_no_context_fail),
      cmocka_unit_test(a_malformed_value_is_named_with_what_would_be_right),
      cmocka_unit_test(an_unknown_variable_is_reported_with_the_name_it_comes_closest_to),
  };
  return cmocka_run_group_tests_name("environment", tests, nullptr, nullptr);
}
