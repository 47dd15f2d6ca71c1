// Tangled from org/tests/process_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "cmocka.hpp"

using namespace cadastre::internal;

namespace {

std::string rank_in(std::vector<const char*> strings) {
  strings.push_back(nullptr);
  char rank[272];
  read_rank(strings.data(), "node7", rank);
  return rank;
}

void the_rank_is_what_the_launcher_says(void**) {
  assert_string_equal(rank_in({}).c_str(), "");
  assert_string_equal(rank_in({"HOME=/", "SLURM_PROCID=12"}).c_str(), "12");
  assert_string_equal(rank_in({"SLURM_PROCID=0", "OMPI_COMM_WORLD_RANK=3"}).c_str(), "3");
  for (const char* name : {"OMPI_COMM_WORLD_RANK=5", "PMIX_RANK=5", "PMI_RANK=5", "MV2_COMM_WORLD_RANK=5", "FLUX_TASK_RANK=5",
                           "PALS_RANKID=5", "SLURM_PROCID=5"}) {
    assert_string_equal(rank_in({name}).c_str(), "5");
  }
}

void a_rank_that_counts_on_one_host_names_the_host(void**) {
  assert_string_equal(rank_in({"MPI_LOCALRANKID=1", "SLURM_PROCID=9"}).c_str(), "node7-1");
  assert_string_equal(rank_in({"MPI_LOCALRANKID=1", "PMI_RANK=9"}).c_str(), "9");
}

void what_is_no_number_is_no_rank(void**) {
  for (const char* wrong : {"PMI_RANK=", "PMI_RANK=-1", "PMI_RANK=../x", "PMI_RANK=1 ", "PMI_RANK=12345678901", "PMI_RANKS=3"}) {
    assert_string_equal(rank_in({wrong}).c_str(), "");
    assert_string_equal(rank_in({wrong, "SLURM_PROCID=4"}).c_str(), "4");
  }
}

std::string host_of(const char* name) {
  char host[256];
  read_host(name, host);
  return host;
}

void a_hosts_name_can_stand_in_a_path_and_on_a_terminal(void**) {
  assert_string_equal(host_of("node-7.example").c_str(), "node-7.example");
  assert_string_equal(host_of("").c_str(), "unknown");
  assert_string_equal(host_of("..").c_str(), "_.");
  assert_string_equal(host_of("a/b\x1b[1m\xc3").c_str(), "a_b__1m_");
  assert_int_equal(host_of(std::string(1000, 'x').c_str()).size(), 255);
}

void a_process_knows_itself(void**) {
  assert_non_null(std::strstr(process().program, "test_process"));
  assert_true(process().host[0] != '\0');
  assert_int_equal(process_id(), getpid());
  constexpr std::int64_t second = 1'000'000'000, minute = 60 * second;
  assert_true(process_start() <= time_now() + second);
  assert_true(process_start() > time_now() - 10 * minute);
  const std::size_t resident = most_resident_bytes();
  assert_true(resident > 100'000);
  constexpr std::size_t more = std::size_t{64} << 20;
  void* pages = mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  assert_ptr_not_equal(pages, MAP_FAILED);
  assert_true(most_resident_bytes() >= more);
  assert_int_equal(munmap(pages, more), 0);
}

void a_forked_child_has_an_id_and_a_start_of_its_own(void**) {
  const std::int64_t parent = process_id(), start = process_start();
  const pid_t child = fork();
  if (child == 0) _exit(process_id() == parent || process_start() < start - 20'000'000 ? 1 : 0);
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

void what_was_read_once_stays(void**) {
  const std::string rank = process().rank;
  setenv("OMPI_COMM_WORLD_RANK", "77", 1);
  assert_string_equal(process().rank, rank.c_str());
}

void a_time_is_written_in_utc(void**) {
  assert_string_equal(time_text(0).characters, "1970-01-01T00:00:00.000Z");
  assert_string_equal(time_text(1'769'903'999'123'456'789).characters, "2026-01-31T23:59:59.123Z");
}

void each_day_of_three_centuries_has_its_date(void**) {
  constexpr std::int64_t day = 24 * 60 * 60, most_days = INT64_MAX / 1'000'000'000 / day;
  std::int64_t days = 0;
  for (; days <= most_days && days < 292 * 365; ++days) {
    const auto moment = static_cast<time_t>(days * day + days % day);
    tm parts{};
    assert_non_null(gmtime_r(&moment, &parts));
    std::array<char, sizeof(TimeText)> expected{};
    assert_true(std::strftime(expected.data(), expected.size(), "%Y-%m-%dT%H:%M:%S.000Z", &parts) > 0);
    assert_string_equal(time_text(moment * std::int64_t{1'000'000'000}).characters, expected.data());
  }
  assert_int_equal(days, 292 * 365);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_rank_is_what_the_launcher_says),
      cmocka_unit_test(a_rank_that_counts_on_one_host_names_the_host),
      cmocka_unit_test(what_is_no_number_is_no_rank),
      cmocka_unit_test(a_hosts_name_can_stand_in_a_path_and_on_a_terminal),
      cmocka_unit_test(a_process_knows_itself),
      cmocka_unit_test(a_forked_child_has_an_id_and_a_start_of_its_own),
      cmocka_unit_test(what_was_read_once_stays),
      cmocka_unit_test(a_time_is_written_in_utc),
      cmocka_unit_test(each_day_of_three_centuries_has_its_date),
  };
  return cmocka_run_group_tests_name("process", tests, nullptr, nullptr);
}
