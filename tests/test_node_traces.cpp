// Tangled from org/tests/node_trace_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "command/trace.hpp"
#include "command/trace_readers.hpp"
#include "command/traces_of_file.hpp"
#include "out/trace_format.hpp"
#include "recorded_children.hpp"

namespace {

using namespace cadastre::command;
namespace format = cadastre::internal;

// Not destroyed: a handler of signals may end the process.
std::string &top = *new std::string, &folder = *new std::string;

void begin_in(const std::string& name) {
  folder = top + "/" + name;
  std::filesystem::create_directory(folder);
}

void set_up(int rank, const char* name = "run") {
  setenv("CADASTRE_TRACE", (folder + "/" + name).c_str(), 1);
  setenv("CADASTRE_TRACE_JOIN", "on", 1);
  setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
  setenv("PMI_SIZE", "64", 1);
}

// As many blocks as its rank says, of so many KiB, in several parts of the file.
void work(int rank) {
  const cadastre_context context = cadastre_context_create();
  CHECK(context != CADASTRE_NULL_CONTEXT);
  for (int block = 0; block < 3000; ++block) {
    void* const pointer = allocate(context, static_cast<std::size_t>(rank + 1) << 10, "field");
    CHECK(pointer && cadastre_free(context, pointer) == CADASTRE_SUCCESS);
  }
  CHECK(allocate(context, static_cast<std::size_t>(rank + 1) << 20, "held"));
}

// By a handler, whose stack has the room of the signal's frame and some 6 KiB, and a page before it that is not there.
[[noreturn]] void end_on_small_stack() {
  constexpr std::size_t room = sanitized ? 256 * 1024 : 6 * 1024;  // a sanitizer has its own there
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = (static_cast<std::size_t>(sysconf(_SC_MINSIGSTKSZ)) + room + page - 1) / page * page;
  auto* const memory = static_cast<char*>(mmap(nullptr, page + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK(memory != MAP_FAILED && mprotect(memory, page, PROT_NONE) == 0);
  const stack_t stack = {.ss_sp = memory + page, .ss_flags = 0, .ss_size = size};
  struct sigaction action{};
  action.sa_handler = [](int) { std::exit(7); };
  action.sa_flags = SA_ONSTACK;
  CHECK(sigaltstack(&stack, nullptr) == 0 && sigaction(SIGUSR1, &action, nullptr) == 0);
  raise(SIGUSR1);
  _exit(1);
}

void end_one(int rank, const char* name = "run") {
  assert_int_equal(status_of_child([=] {
                     set_up(rank, name);
                     work(rank);
                   }),
                   0);
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) found.push_back(entry.path().filename());
  std::sort(found.begin(), found.end());
  return found;
}

ReadTraces read_files(const std::vector<std::string>& files) {
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back(folder + "/" + file);
  return read_all(paths, false, [](TraceSource& source) { return summarize(source); });
}

// The ranks of the traces that are whole, in order.
std::vector<int> ranks(const ReadTraces& traces) {
  std::vector<int> found;
  for (const Summary& trace : traces.read) {
    const int rank = std::atoi(trace.rank.c_str());
    const std::int64_t peak = trace.types[all_types].peak.bytes;
    if (trace.incomplete.empty() && trace.operations == 6002 && peak == (rank + 1) << 20) found.push_back(rank);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void expect_ranks(const std::vector<std::string>& files, const std::vector<int>& expected) {
  const ReadTraces traces = read_files(files);
  for (const Unreadable& one : traces.unreadable) print_message("%s\n", one.problem.c_str());
  const std::vector<int> found = ranks(traces);
  for (const int rank : found) print_message("%d ", rank);
  assert_true(found == expected);
}

std::uint64_t bytes_of(const char* name) { return std::filesystem::file_size(folder + "/" + name); }

void processes_that_end_at_once_leave_one_file(void**) {
  constexpr int processes = 8;
  begin_in("at_once");
  end_at_once(processes, [](int rank) {
    set_up(rank);
    work(rank);
  });
  assert_true(names() == std::vector<std::string>{"run"});
  expect_ranks({"run"}, {0, 1, 2, 3, 4, 5, 6, 7});
  assert_int_equal(read_traces(folder + "/run").size(), processes);
  std::vector<std::string> called;
  for (const Summary& trace : read_files({"run"}).read) called.push_back(trace.name.substr(folder.size() + 1));
  assert_true(called == std::vector<std::string>({"run", "run#2", "run#3", "run#4", "run#5", "run#6", "run#7", "run#8"}));
}

void two_names_are_two_files(void**) {
  begin_in("names");
  end_one(1, "run.%h");
  end_one(2, "other");
  end_one(3, "run.%h");
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  assert_true(names() == std::vector<std::string>({"other", std::string("run.") + host}));
  expect_ranks({"other"}, {2});
  expect_ranks({std::string("run.") + host}, {1, 3});
}

void who_was_killed_keeps_its_own(void**) {
  begin_in("killed");
  end_one(0);
  const int status = status_of_child([] {
    set_up(1);
    work(1);
    kill(getpid(), SIGKILL);
  });
  assert_true(WIFSIGNALED(status));
  end_one(2);
  const std::vector<std::string> files = names();
  assert_int_equal(files.size(), 2);
  assert_true(files[0] == "run" && files[1].starts_with("run.1."));
  expect_ranks({"run"}, {0, 2});
  const ReadTraces own = read_files({files[1]});
  assert_int_equal(own.read.at(0).operations, 6002);
  assert_true(own.read.at(0).incomplete.find("killed") != std::string::npos);
}

void a_child_of_a_fork_appends_nothing(void**) {
  begin_in("forked");
  assert_int_equal(status_of_child([] {
                     set_up(1);
                     work(1);
                     const pid_t child = fork();
                     if (child == 0) std::exit(0);
                     int status = 1;
                     CHECK(waitpid(child, &status, 0) == child && status == 0);
                     CHECK(names().size() == 1 && names()[0].starts_with("run.1."));
                   }),
                   0);
  assert_true(names() == std::vector<std::string>{"run"});
  expect_ranks({"run"}, {1});
}

// Each of them is written as without the variable, and said of it.
// In a container that begins anew, all have the numbers of those before.
void a_process_leaves_the_file_of_one_that_had_its_number(void**) {
  begin_in("numbers");
  const std::string before = "the trace of another";
  std::string stays;
  assert_int_equal(status_of_child([&] {
                     set_up(1);
                     setenv("CADASTRE_LOG_FILE", (top + "/numbers.log").c_str(), 1);
                     std::ofstream(folder + "/run.1." + std::to_string(getpid())) << before;
                     work(1);
                   }),
                   0);
  const std::vector<std::string> files = names();
  assert_int_equal(files.size(), 2);
  assert_true(files[0] == "run" && content(folder + "/" + files[1]) == before);
  const std::string log = content(top + "/numbers.log");
  assert_true(log.find("renamed") == std::string::npos &&
              log.find("joined") != std::string::npos);  // where it was meanwhile is nothing to say
  expect_ranks({"run"}, {1});
}

// Where the own file's would be longer than a file system has any, and where a character has two bytes.
void a_name_may_be_as_long_as_any(void**) {
  begin_in("long");
  const std::string longest = "é" + std::string(253, 'n'), characters = [] {
    std::string text;
    for (int character = 0; character < 125; ++character) text += "é";
    return text;
  }();
  for (const std::string& name : {longest, characters}) {
    end_one(1, name.c_str());
    end_one(2, name.c_str());
    expect_ranks({name}, {1, 2});
  }
  assert_int_equal(names().size(), 2);
}

void a_process_that_does_not_join_leaves_the_file_as_it_is(void**) {
  begin_in("not_joining");
  end_one(0);
  end_one(1);
  assert_int_equal(status_of_child([] {
                     set_up(2);
                     unsetenv("CADASTRE_TRACE_JOIN");
                     work(2);
                   }),
                   0);
  assert_int_equal(names().size(), 2);
  expect_ranks({"run"}, {0, 1});
  expect_ranks(names(), {0, 1, 2});
}

void names_that_cannot_be_shared_have_no_effect(void**) {
  begin_in("not_shared");
  const auto run = [](const char* name, const char* keep) {
    assert_int_equal(status_of_child([=] {
                       set_up(4, name);
                       if (keep) setenv("CADASTRE_TRACE_KEEP", keep, 1);
                       work(4);
                       cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
                       bool said = false;
                       for (std::int32_t i = 0; cadastre_environment_get_info(i, &info) == CADASTRE_SUCCESS; ++i)
                         said |= std::strcmp(info.name, "CADASTRE_TRACE_JOIN") == 0 && std::strstr(info.problem, "no effect");
                       CHECK(said);
                     }),
                     0);
  };
  run("lines.csv", nullptr);
  run("rank.%r", nullptr);
  run("kept", "1");
  assert_true(names() == std::vector<std::string>({"kept", "kept.highest", "lines.csv", "rank.4"}));
  expect_ranks({"lines.csv", "rank.4", "kept"}, {4, 4, 4});
}

// What is there: no trace, a trace that was not joined, such a one behind joined ones, zeros, and a joined one that was cut.
void a_foreign_file_stays_as_it_is(void**) {
  begin_in("source");
  end_one(0);
  const std::string joined = content(folder + "/run");
  std::string ended = joined;
  format::TraceHead head;
  std::memcpy(&head, ended.data(), sizeof head);
  head.state = static_cast<std::uint64_t>(format::TraceState::ended);
  std::memcpy(ended.data(), &head, sizeof head);
  const std::string foreign[] = {"important\n", std::string(200'000, '\0'), ended, joined + ended, joined.substr(0, joined.size() - 1)};
  for (const std::string& before : foreign) {
    begin_in("foreign" + std::to_string(&before - foreign));
    std::ofstream(folder + "/run", std::ios::binary) << before;
    end_one(3);
    assert_true(content(folder + "/run") == before);
    const std::vector<std::string> files = names();
    assert_int_equal(files.size(), 2);
    expect_ranks({files[1]}, {3});
  }
  begin_in("folder_there");
  std::filesystem::create_directory(folder + "/run");
  end_one(3);
  assert_true(names() == std::vector<std::string>{"run"});  // said as a problem: there is no file to write to
}

// Such as a process leaves that was killed while it appended the first trace, and one that somebody made larger than any.
void a_file_of_a_mark_and_a_hole_is_appended_to(void**) {
  for (const off_t bytes : {off_t{96}, off_t{1} << 20, off_t{1} << 42}) {
    begin_in("hole" + std::to_string(bytes));
    std::ofstream(folder + "/run", std::ios::binary) << "cadastre traces\n";
    if (truncate((folder + "/run").c_str(), bytes) != 0) continue;  // the file system has no such files
    const auto before = std::chrono::steady_clock::now();
    end_one(0);
    assert_true(std::chrono::steady_clock::now() - before < std::chrono::seconds(5));
    assert_true(content(folder + "/run").find("cadastre trace\n") == 0);
  }
}

void a_file_that_is_locked_is_waited_for(void**) {
  begin_in("locked");
  end_one(0);
  const int file = open((folder + "/run").c_str(), O_RDWR | O_CLOEXEC);
  assert_true(file >= 0 && flock(file, LOCK_EX) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(file);
    set_up(1);
    work(1);
    std::exit(0);
  }
  usleep(300'000);
  assert_int_equal(names().size(), 2);
  close(file);
  int status = 1;
  assert_true(waitpid(child, &status, 0) == child && status == 0);
  assert_true(names() == std::vector<std::string>{"run"});
  expect_ranks({"run"}, {0, 1});
}

void a_file_without_room_costs_no_trace(void**) {
  begin_in("full");
  end_one(0);
  const std::string before = content(folder + "/run");
  assert_int_equal(status_of_child([&] {
                     set_up(1);
                     work(1);
                     const rlimit most{before.size() + 100'000, before.size() + 100'000};
                     CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
                   }),
                   0);
  assert_true(content(folder + "/run") == before);
  const std::vector<std::string> files = names();
  assert_int_equal(files.size(), 2);
  expect_ranks(files, {0, 1});
}

void a_file_that_was_made_for_nothing_goes(void**) {
  begin_in("full_at_first");
  assert_int_equal(status_of_child([&] {
                     set_up(1);
                     work(1);
                     const rlimit most{100'000, 100'000};
                     CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
                   }),
                   0);
  const std::vector<std::string> files = names();
  assert_true(files.size() == 1 && files[0].starts_with("run.1."));
  expect_ranks(files, {1});
  begin_in("full_before");
  for (const char* name : {"run", "lines.csv"}) {
    assert_int_equal(status_of_child([&] {
                       set_up(1, name);
                       const rlimit most{10, 10};
                       CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
                       work(1);
                     }),
                     0);
  }
  assert_true(names().empty());
}

void a_handler_may_end_the_process_on_a_small_stack(void**) {
  begin_in("small_stack");
  for (const bool joins : {true, false}) {
    if (!joins && watches_threads) continue;  // a list takes memory, which ThreadSanitizer lets no handler have
    assert_int_equal(status_of_child([&] {
                       set_up(joins ? 1 : 2, joins ? "run" : "kept");
                       if (!joins) {
                         unsetenv("CADASTRE_TRACE_JOIN");
                         setenv("CADASTRE_TRACE_KEEP", "3", 1);
                       }
                       setenv("CADASTRE_LOG_FILE", (folder + "/log").c_str(), 1);
                       work(joins ? 1 : 2);
                       end_on_small_stack();
                     }),
                     7 << 8);
  }
  if (watches_threads) return expect_ranks({"run"}, {1});
  expect_ranks({"run", "kept"}, {1, 2});
  assert_true(names() == std::vector<std::string>({"kept", "kept.highest", "log", "run"}));
}

// The call of the system without which parts are in memory, as on a file system that may refuse a page later; 0 for none.
int call_without_pages() {
  for (int call = 1; call < 20; ++call) {
    begin_in("pages" + std::to_string(call));
    const int status = status_of_child([&] {
      set_up(1);
      setenv("CADASTRE_FAIL", ("system:" + std::to_string(call)).c_str(), 1);
      work(1);
    });
    if (status == 0 && names() == std::vector<std::string>{"run"} && content(folder + "/run").find("\npages written\n") < 4096) return call;
  }
  return 0;
}

// A thread that is to be cancelled appends all the same, and other threads may go on.
void a_busy_process_and_one_that_is_cancelled_append_all(void**) {
  const int without_pages = call_without_pages();
  assert_int_not_equal(without_pages, 0);
  begin_in("busy");
  assert_int_equal(status_of_child([&] {
                     set_up(1);
                     work(1);
                     std::thread([] {
                       pthread_cancel(pthread_self());
                       std::exit(0);
                     }).join();
                     CHECK(false);
                   }),
                   0);
  expect_ranks({"run"}, {1});
  for (int rank = 2; rank < 12; ++rank) {
    assert_int_equal(status_of_child([&] {
                       set_up(rank);
                       if (rank % 2 == 0) setenv("CADASTRE_FAIL", ("system:" + std::to_string(without_pages)).c_str(), 1);
                       const cadastre_context context = cadastre_context_create();
                       std::atomic<int> begun{0};
                       for (int thread = 0; thread < 3; ++thread) {
                         std::thread([&] {
                           for (int block = 0;; ++block) {
                             cadastre_free(context, allocate(context, 1 << 10, "busy"));
                             if (block == 5000) ++begun;
                           }
                         }).detach();
                       }
                       while (begun < 3) usleep(1000);
                       std::exit(0);
                     }),
                     0);
  }
  assert_true(names() == std::vector<std::string>{"run"});
  const ReadTraces traces = read_files({"run"});
  assert_int_equal(traces.read.size(), 11);
  assert_true(traces.unreadable.empty());
  for (const Summary& trace : traces.read) assert_true(trace.incomplete.empty() && trace.operations > 6000 && trace.left_out == 0);
}

// Whichever call fails: the file has the trace of before, and that of the process is in one of the two, if it could be written at all.
void a_call_of_the_system_that_fails_costs_no_trace(void**) {
  int apart = 0, joined = 0;
  begin_in("source_of_failing");
  end_one(0);
  const std::string before = content(folder + "/run");
  for (int call = 1; call < 60; ++call) {
    begin_in("failing" + std::to_string(call));
    std::ofstream(folder + "/run", std::ios::binary) << before;
    const int status = status_of_child([&] {
      set_up(1);
      setenv("CADASTRE_FAIL", ("system:" + std::to_string(call)).c_str(), 1);
      const cadastre_context context = cadastre_context_create();
      if (context != CADASTRE_NULL_CONTEXT) CHECK(allocate(context, 1 << 20));
    });
    assert_int_equal(status, 0);
    const std::vector<std::string> files = names();
    const ReadTraces traces = read_files(files);
    const std::vector<int> whole = ranks(traces);
    assert_true(whole == std::vector<int>{0});
    assert_true(traces.unreadable.empty() || files.size() == 2);
    if (files.size() == 2) assert_true(content(folder + "/run") == before);
    apart += files.size() == 2;
    joined += files.size() == 1 && traces.read.size() == 2;
  }
  assert_true(apart > 5);
  assert_true(joined > 5);
}

// Parts without a head, behind a trace or at the beginning: no trace for a reader.
void what_a_killed_process_appended_is_written_over(void**) {
  begin_in("source_of_left");
  end_one(0);
  const std::string trace = content(folder + "/run");
  std::string left = trace + "\n";
  std::fill(left.begin(), left.begin() + sizeof(format::TraceHead), '\0');
  begin_in("left_behind");
  std::ofstream(folder + "/run", std::ios::binary) << trace << left;
  expect_ranks({"run"}, {0});
  assert_int_equal(read_files({"run"}).read.size(), 1);
  end_one(2);
  assert_true(names() == std::vector<std::string>{"run"});
  expect_ranks({"run"}, {0, 2});
  begin_in("left_first");
  left.replace(0, 16, "cadastre traces\n");
  std::ofstream(folder + "/run", std::ios::binary) << left;
  end_one(2);
  assert_true(names() == std::vector<std::string>{"run"});
  expect_ranks({"run"}, {2});
}

// As after a kill between the two. Without the file of all, the own one is a trace as any other.
void a_trace_that_is_in_its_own_file_too_counts_once(void**) {
  begin_in("twice");
  end_one(1);
  std::string own = content(folder + "/run");
  end_one(2);
  format::TraceHead head;
  std::memcpy(&head, own.data(), sizeof head);
  head.state = static_cast<std::uint64_t>(format::TraceState::ended);
  std::memcpy(own.data(), &head, sizeof head);
  std::ofstream(folder + "/run.1.4711", std::ios::binary) << own;
  expect_ranks({"run", "run.1.4711"}, {1, 2});
  expect_ranks({"run.1.4711", "run"}, {1, 2});
  expect_ranks({"run.1.4711"}, {1});
  const ReadTraces traces = read_files({"run", "run.1.4711"});
  assert_int_equal(traces.unreadable.size(), 1);
  assert_non_null(std::strstr(traces.unreadable[0].problem.c_str(), "run.1.4711: the same trace as "));
}

// What is there but for zeros is said, as it may have been a trace.
void where_a_head_was_is_said(void**) {
  begin_in("source_of_heads");
  for (int rank = 0; rank < 3; ++rank) end_one(rank);
  const std::string whole = content(folder + "/run");
  const std::size_t second = whole.find(format::trace_magic, 1), third = whole.find(format::trace_magic, second + 1);
  const auto expect = [&](const char* name, const std::string& bytes, const std::vector<int>& expected, const char* said) {
    begin_in(name);
    std::ofstream(folder + "/run", std::ios::binary) << bytes;
    expect_ranks({"run"}, expected);
    const ReadTraces traces = read_files({"run"});
    assert_int_equal(traces.unreadable.size(), said ? 1 : 0);
    if (said) assert_non_null(std::strstr(traces.unreadable[0].problem.c_str(), said));
  };
  const auto damaged_at = [&](std::size_t place) {
    std::string bytes = whole;
    bytes[place + 3] ^= 0x55;
    return bytes;
  };
  expect("first_head", damaged_at(0), {1, 2}, "what begins at byte 0 is no trace: its head is damaged");
  expect("second_head", damaged_at(second), {0, 2}, ("what begins at byte " + std::to_string(second) + " is no trace").c_str());
  expect("third_head", damaged_at(third), {0, 1}, "or the process that appended it was killed");
  std::string mark = whole.substr(0, second);
  mark.replace(0, sizeof(format::TraceHead), sizeof(format::TraceHead), '\0').replace(0, 16, "cadastre traces\n");
  expect("mark", mark, {}, "what begins at byte 0 is no trace: the process that appended it was killed, and has it in a file of its own");
  expect("mark_alone", mark.substr(0, sizeof(format::TraceHead)), {}, "the process that appended it was killed");
  expect("zeros_behind", whole + std::string(200'000, '\0'), {0, 1, 2}, nullptr);
  expect("zeros", std::string(200'000, '\0'), {}, "this is no trace");
  expect("other",
         "\x7f"
         "ELF" +
             std::string(1000, '\0'),
         {}, "this is no trace");
}

// A byte of the head, of a part, and of the part behind the head of the one in the middle.
void a_damaged_trace_hides_no_other(void**) {
  begin_in("source_of_damaged");
  for (int rank = 0; rank < 3; ++rank) end_one(rank);
  const std::string whole = content(folder + "/run");
  const std::size_t second = whole.find(format::trace_magic, 1);
  assert_true(second != std::string::npos && second % format::trace_part_bytes == 0);
  for (const std::size_t byte :
       {second + 16, second + 24, second + 120, second + format::trace_part_bytes, second + 3 * format::trace_part_bytes / 2}) {
    begin_in("damaged" + std::to_string(byte));
    std::string bytes = whole;
    bytes[byte] ^= 0x55;
    std::ofstream(folder + "/run", std::ios::binary) << bytes;
    expect_ranks({"run"}, {0, 2});
    std::ofstream(folder + "/behind", std::ios::binary) << bytes.substr(second);
    expect_ranks({"behind"}, {2});
    assert_int_equal(read_files({"behind"}).unreadable.size(), 1);
    assert_int_equal(std::system(("gzip -k " + folder + "/run").c_str()), 0);
    expect_ranks({"run.gz"}, {0, 2});
    assert_int_equal(read_files({"run.gz"}).unreadable.size(), 1);
  }
}

// Its end, and a part of the first: the head behind that is found.
void a_file_that_was_cut_has_the_others(void**) {
  begin_in("source_of_cut");
  for (int rank = 0; rank < 3; ++rank) end_one(rank);
  const std::string whole = content(folder + "/run");
  begin_in("cut");
  std::ofstream(folder + "/end", std::ios::binary) << whole.substr(0, whole.size() - 2 * format::trace_part_bytes);
  expect_ranks({"end"}, {0, 1});
  std::ofstream(folder + "/first", std::ios::binary)
      << whole.substr(0, format::trace_part_bytes) << whole.substr(2 * format::trace_part_bytes);
  expect_ranks({"first"}, {1, 2});
  std::ofstream(folder + "/compressed", std::ios::binary) << whole;
  assert_int_equal(std::system(("gzip " + folder + "/compressed").c_str()), 0);
  const std::uint64_t bytes = bytes_of("compressed.gz");
  std::filesystem::resize_file(folder + "/compressed.gz", bytes - bytes / 10);
  expect_ranks({"compressed.gz"}, {0, 1});
  assert_int_equal(read_files({"compressed.gz"}).unreadable.size(), 1);
}

void one_trace_of_several_can_be_named(void**) {
  begin_in("named");
  for (int rank = 0; rank < 3; ++rank) end_one(rank);
  expect_ranks({"run#1"}, {0});
  expect_ranks({"run#3", "run#2"}, {1, 2});
  std::size_t bytes = 0;
  TracesOfFile third(folder + "/run#3", Remembers::what_lives, [&](std::size_t read) { bytes += read; });
  assert_int_equal(summarize(*third.next()).operations, 6002);
  assert_true(bytes > 0 && bytes < bytes_of("run") / 2);
  assert_int_equal(read_files({"run#4"}).unreadable.size(), 1);
  assert_int_equal(read_trace(folder + "/run#2").operations.size(), 6002);
  bool refused = false;
  try {
    read_trace(folder + "/run");
  } catch (const TraceError& error) {
    refused = std::strstr(error.what(), "#1") != nullptr;
  }
  assert_true(refused);
  std::filesystem::copy_file(folder + "/run", folder + "/run#2");
  expect_ranks({"run#2"}, {0, 1, 2});
}

}  // namespace

int main() {
  const char* const temporary = std::getenv("TMPDIR");
  top = std::string(temporary ? temporary : "/tmp") + "/cadastre-node-XXXXXX";
  if (!mkdtemp(top.data())) return 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(processes_that_end_at_once_leave_one_file),
      cmocka_unit_test(two_names_are_two_files),
      cmocka_unit_test(who_was_killed_keeps_its_own),
      cmocka_unit_test(a_child_of_a_fork_appends_nothing),
      cmocka_unit_test(a_process_leaves_the_file_of_one_that_had_its_number),
      cmocka_unit_test(a_name_may_be_as_long_as_any),
      cmocka_unit_test(a_process_that_does_not_join_leaves_the_file_as_it_is),
      cmocka_unit_test(names_that_cannot_be_shared_have_no_effect),
      cmocka_unit_test(a_foreign_file_stays_as_it_is),
      cmocka_unit_test(a_file_of_a_mark_and_a_hole_is_appended_to),
      cmocka_unit_test(a_file_that_is_locked_is_waited_for),
      cmocka_unit_test(a_file_without_room_costs_no_trace),
      cmocka_unit_test(a_file_that_was_made_for_nothing_goes),
      cmocka_unit_test(a_handler_may_end_the_process_on_a_small_stack),
      cmocka_unit_test(a_busy_process_and_one_that_is_cancelled_append_all),
      cmocka_unit_test(a_call_of_the_system_that_fails_costs_no_trace),
      cmocka_unit_test(what_a_killed_process_appended_is_written_over),
      cmocka_unit_test(a_trace_that_is_in_its_own_file_too_counts_once),
      cmocka_unit_test(where_a_head_was_is_said),
      cmocka_unit_test(a_damaged_trace_hides_no_other),
      cmocka_unit_test(a_file_that_was_cut_has_the_others),
      cmocka_unit_test(one_trace_of_several_can_be_named),
  };
  const int failed = cmocka_run_group_tests_name("joined traces", tests, nullptr, nullptr);
  std::filesystem::remove_all(top);
  return failed;
}
