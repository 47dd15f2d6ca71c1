// Tangled from org/tests/highest_trace_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "command/trace.hpp"
#include "out/highest_format.hpp"
#include "recorded_children.hpp"

namespace {

namespace list = cadastre::internal;

std::string top, folder;

void begin_in(const char* name) {
  folder = top + "/" + name;
  std::filesystem::create_directory(folder);
}

void fill(int megabytes) {
  const cadastre_context context = cadastre_context_create();
  CHECK(allocate(context, static_cast<std::size_t>(megabytes) << 20, "field"));
  CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
}

// A process of a rank that had so many MiB.
void set_up(int rank, const char* most, const char* ending) {
  setenv("CADASTRE_TRACE", (folder + "/run.%r" + ending).c_str(), 1);
  setenv("CADASTRE_TRACE_KEEP", most, 1);
  setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
  setenv("PMI_SIZE", "64", 1);
}

void end_one(int rank, int megabytes, const char* most, const char* ending = "") {
  assert_int_equal(status_of_child([&] {
                     set_up(rank, most, ending);
                     fill(megabytes);
                   }),
                   0);
}

list::HighestTraces listed(const char* ending = "") { return list::read_highest(content(folder + "/run.all" + ending + ".highest")); }

// The ranks whose traces are there, with the list's own name left out.
std::vector<int> ranks() {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("run.") && name[4] != 'a') found.push_back(std::atoi(name.c_str() + 4));
  }
  std::sort(found.begin(), found.end());
  return found;
}

void expect_ranks(const std::vector<int>& expected) {
  const std::vector<int> found = ranks();
  for (const int rank : found) print_message("%d ", rank);
  assert_true(found == expected);
}

void the_highest_stay_in_whichever_order_processes_end(void**) {
  int megabytes[] = {3, 9, 1, 7, 5};
  for (int turn = 0; turn < 3; ++turn) {
    begin_in(("order" + std::to_string(turn)).c_str());
    std::rotate(std::begin(megabytes), std::begin(megabytes) + turn, std::end(megabytes));
    for (int rank = 0; rank < 5; ++rank) end_one(rank, megabytes[rank], "2");
    std::vector<int> expected;
    for (int rank = 0; rank < 5; ++rank) {
      if (megabytes[rank] >= 7) expected.push_back(rank);
    }
    expect_ranks(expected);
    const list::HighestTraces all = listed();
    assert_int_equal(all.kept.size(), 2);
    assert_int_equal(all.removed, 3);
    assert_int_equal(all.least >> 20, 1);
    assert_int_equal(all.most >> 20, 5);
    assert_int_equal(all.sum >> 20, 9);
    for (const int rank : expected)
      assert_string_equal(cadastre::command::read_trace(folder + "/run." + std::to_string(rank)).incomplete.c_str(), "");
  }
}

void traces_of_lines_are_kept_likewise(void**) {
  begin_in("lines");
  end_one(0, 4, "1", ".csv");
  end_one(1, 8, "1", ".csv");
  end_one(2, 6, "1", ".csv");
  expect_ranks({1});
  assert_int_equal(listed(".csv").removed, 2);
}

void processes_that_end_at_once_leave_as_many(void**) {
  constexpr int processes = 24;
  begin_in("at_once");
  end_at_once(processes, [](int rank) {
    set_up(rank, "3", "");
    fill(1 + rank);
  });
  expect_ranks({processes - 3, processes - 2, processes - 1});
  assert_int_equal(listed().removed, processes - 3);
  assert_int_equal(listed().kept.size(), 3);
}

void who_was_killed_or_refused_leaves_its_trace(void**) {
  begin_in("killed");
  end_one(0, 9, "1");
  const int status = status_of_child([] {
    set_up(1, "1", "");
    fill(1);
    kill(getpid(), SIGKILL);
  });
  assert_true(WIFSIGNALED(status));
  for (const char* ending : {"", ".csv"}) {
    assert_int_equal(status_of_child([&] {
                       set_up(*ending ? 3 : 2, "1", ending);
                       fill(1);
                       const cadastre_context context = cadastre_context_create();
                       CHECK(cadastre_set_limit(context, CADASTRE_HOST, 1000) == CADASTRE_SUCCESS);
                       CHECK(!allocate(context, 2000));
                     }),
                     0);
  }
  end_one(4, 2, "1");
  expect_ranks({0, 1, 2, 3});
}

void a_child_of_a_fork_decides_nothing(void**) {
  begin_in("forked");
  end_one(0, 9, "1");
  assert_int_equal(status_of_child([] {
                     set_up(1, "1", "");
                     fill(10);
                     const pid_t child = fork();
                     if (child == 0) std::exit(0);
                     int status = 1;
                     CHECK(waitpid(child, &status, 0) == child && status == 0);
                     CHECK(access((folder + "/run.0").c_str(), F_OK) == 0 && access((folder + "/run.1").c_str(), F_OK) == 0);
                   }),
                   0);
  expect_ranks({1});
}

void a_list_that_another_process_has_is_waited_for(void**) {
  begin_in("locked");
  end_one(0, 9, "1");
  const int file = open((folder + "/run.all.highest").c_str(), O_RDWR | O_CLOEXEC);
  assert_true(file >= 0 && flock(file, LOCK_EX) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(file);
    set_up(1, "1", "");
    fill(1);
    std::exit(0);
  }
  usleep(300'000);
  expect_ranks({0, 1});
  close(file);
  int status = 1;
  assert_true(waitpid(child, &status, 0) == child && status == 0);
  expect_ranks({0});
}

void write_list(const std::string& lines) { std::ofstream(folder + "/run.all.highest") << list::title_of_highest << lines; }

// Names that lead elsewhere, files that are no traces, and traces of another process or of one that writes.
void what_is_no_trace_of_that_process_is_not_removed(void**) {
  begin_in("elsewhere");
  std::ofstream(top + "/important") << "# cadastre 1, process 1 on h\n" << std::string(300, 'x');
  std::ofstream(folder + "/important") << std::string(300, 'x');
  std::ofstream(folder + "/lines") << "# cadastre 1, process 12 on h\n" << std::string(300, 'x');
  assert_int_equal(symlink("../important", (folder + "/link").c_str()), 0);
  end_one(0, 1, "9");
  const std::string number = std::to_string(listed().kept.at(0).process), other = std::to_string(listed().kept.at(0).process + 1);
  write_list("kept\t5\th\t1\t../important\nkept\t5\th\t1\timportant\nkept\t5\th\t1\tlines\nkept\t5\th\t1\tlink\nkept\t5\th\t" + other +
             "\t"
             "run.0\n");
  end_one(1, 9, "1");
  for (const char* name : {"/../important", "/important", "/lines", "/link", "/run.0", "/run.1"})
    assert_int_equal(access((folder + name).c_str(), F_OK), 0);
  write_list("kept\t5\th\t" + number +
             "\t"
             "run.0\nkept\t5\th\t12\tlines\n");
  end_one(1, 9, "1");
  for (const char* name : {"/run.0", "/lines"}) assert_int_equal(access((folder + name).c_str(), F_OK), -1);
}

// A list of an earlier run may have the number of a process that runs.
void a_trace_that_is_written_is_not_removed(void**) {
  begin_in("written");
  int ready[2], go[2];
  assert_true(pipe(ready) == 0 && pipe(go) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  char byte = 0;
  if (child == 0) {
    close(go[1]);  // the end of the parent ends this one, too
    set_up(0, "9", "");
    fill(2);
    CHECK(write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1);
    std::exit(0);
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  write_list("kept\t5\th\t" + std::to_string(child) +
             "\t"
             "run.0\n");
  end_one(1, 9, "1");
  expect_ranks({0, 1});
  assert_int_equal(write(go[1], &byte, 1), 1);
  int status = 1;
  assert_true(waitpid(child, &status, 0) == child && status == 0);
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
}

// The same name again is the same trace.
void a_trace_that_is_written_anew_is_listed_once(void**) {
  begin_in("anew");
  end_one(0, 9, "2");
  end_one(0, 1, "2");
  end_one(1, 2, "2");
  expect_ranks({0, 1});
  assert_int_equal(listed().kept.size(), 2);
  assert_int_equal(listed().kept.at(0).peak >> 20, 2);
  assert_int_equal(listed().removed, 0);
}

void a_damaged_list_costs_no_trace(void**) {
  const char* const damages[] = {"",
                                 "\n\n\t\t\t\n",
                                 "kept",
                                 "kept\tx\th\t1\t"
                                 "run.0\n",
                                 "kept\t99999999999999999999999\th\t1\t"
                                 "run.0\n",
                                 "removed\t-1\n",
                                 "kept\t5\th\t1\t\nkept\t\t\t\t\n",
                                 "kept\t1\th"};
  int turn = 0;
  for (const char* damage : damages) {
    begin_in(("damaged" + std::to_string(turn++)).c_str());
    end_one(0, 9, "1");
    write_list(damage);
    end_one(1, 3, "1");
    expect_ranks({0, 1});
    end_one(2, 5, "1");
    expect_ranks({0, 2});
  }
  begin_in("no_list");
  std::filesystem::create_directory(folder + "/run.all.highest");
  end_one(0, 1, "1");
  end_one(1, 2, "1");
  expect_ranks({0, 1});
}

// Whichever call fails, in the process with the lower peak or the one with the higher: the trace of the highest stays.
void a_call_of_the_system_that_fails_costs_no_trace(void**) {
  int both = 0;
  for (int call = 1; call < 60; ++call) {
    begin_in(("failing" + std::to_string(call)).c_str());
    end_one(0, 5, "1");
    const std::string before = content(folder + "/run.all.highest");
    const int status = status_of_child([&] {
      set_up(1, "1", "");
      setenv("CADASTRE_FAIL", ("system:" + std::to_string(call)).c_str(), 1);
      const cadastre_context context = cadastre_context_create();
      if (context != CADASTRE_NULL_CONTEXT) CHECK(allocate(context, 1 << 20));
    });
    assert_int_equal(status, 0);
    const std::vector<int> found = ranks();
    assert_true(std::find(found.begin(), found.end(), 0) != found.end());
    both += found.size() == 2;
    if (found.size() == 1) assert_int_equal(listed().removed, 1);
    assert_int_equal(listed().kept.size(), 1);
  }
  assert_true(both > 3);
}

void names_of_lists_have_no_process(void**) {
  assert_string_equal(list::name_of_highest("/a/%h/run.%r").c_str(), "run.all.highest");
  assert_string_equal(list::name_of_highest("run.%h.%p.csv").c_str(), "run.all.all.csv.highest");
  assert_string_equal(list::name_of_highest("a%%p%x%").c_str(), "a%p%x%.highest");
}

}  // namespace

int main() {
  const char* const temporary = std::getenv("TMPDIR");
  top = std::string(temporary ? temporary : "/tmp") + "/cadastre-highest-XXXXXX";
  if (!mkdtemp(top.data())) return 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_highest_stay_in_whichever_order_processes_end),
      cmocka_unit_test(traces_of_lines_are_kept_likewise),
      cmocka_unit_test(processes_that_end_at_once_leave_as_many),
      cmocka_unit_test(who_was_killed_or_refused_leaves_its_trace),
      cmocka_unit_test(a_child_of_a_fork_decides_nothing),
      cmocka_unit_test(a_list_that_another_process_has_is_waited_for),
      cmocka_unit_test(what_is_no_trace_of_that_process_is_not_removed),
      cmocka_unit_test(a_trace_that_is_written_is_not_removed),
      cmocka_unit_test(a_trace_that_is_written_anew_is_listed_once),
      cmocka_unit_test(a_damaged_list_costs_no_trace),
      cmocka_unit_test(a_call_of_the_system_that_fails_costs_no_trace),
      cmocka_unit_test(names_of_lists_have_no_process),
  };
  const int failed = cmocka_run_group_tests_name("highest traces", tests, nullptr, nullptr);
  std::filesystem::remove_all(top);
  return failed;
}
