// Tangled from org/tests/report_surrounding_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/lock.hpp"
#include "cadastre.h"
#include "cmocka.hpp"
#include "reporting_children.hpp"

using namespace std::chrono_literals;

namespace {

void a_process_ends_with_the_last_thread_of_the_program(void**) {
  if (sanitized) skip_because("a sanitizer has a thread that stays, or misses what the first thread held");
  for (const char* const occasions : {"near:99%@10ms,exit", "near:99%@60min,exit"}) {
    const Said said = with(occasions, [] {
      alarm(20);
      context_with("matrix", 5);
      std::thread([] { std::this_thread::sleep_for(50ms); }).detach();
      pthread_exit(nullptr);
    });
    assert_well(said, 1);
    assert_has(said, ", report: the process ends\n");
  }
}

void* raise_while_cancelled(void*) {
  pthread_cancel(pthread_self());
  std::raise(SIGUSR1);
  pthread_testcancel();
  return nullptr;
}

void a_thread_that_is_to_be_cancelled_reports(void**) {
  const Said said = with("USR1", [] {
    context_with("matrix", 5);
    pthread_t thread{};
    void* result = nullptr;
    CHECK(pthread_create(&thread, nullptr, raise_while_cancelled, nullptr) == 0 && pthread_join(thread, &result) == 0);
    CHECK(result == PTHREAD_CANCELED);
  });
  assert_well(said, 1);
}

void* end_while_cancelled(void*) {
  pthread_cancel(pthread_self());
  std::exit(7);
}

void a_thread_that_is_to_be_cancelled_ends_the_process(void**) {
  if (sanitized) skip_because("a sanitizer misses what the first thread holds");
  const Said said = with("exit,near:99%@10ms", [] {
    context_with("matrix", 5);
    pthread_t thread{};
    CHECK(pthread_create(&thread, nullptr, end_while_cancelled, nullptr) == 0);
    pthread_join(thread, nullptr);
  });
  assert_int_equal(said.status, 7 << 8);
  assert_int_equal(reports_in(said.text), 1);
}

void the_end_does_not_wait_for_who_stays_inside_a_context(void**) {
  if (watches_threads) skip_because("a sanitizer lets a signal wait");
  const Said said = with("exit", [] {
    alarm(20);
    const cadastre_context context = context_with("matrix", 5);
    wait_for_holders(context, 5 * mebibyte);
    leave_a_thread_inside(context);
  });
  assert_well(said, 1);
  assert_has(said, "   5.00 MiB          5 HOST      matrix\n");
}

void calls_do_not_wait_for_who_stays_inside_a_context(void**) {
  if (watches_threads) skip_because("a sanitizer lets a signal wait");
  const Said said = with("near:80%", [] {
    alarm(20);
    const cadastre_context context = context_with("matrix", 10);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 20 * mebibyte) == CADASTRE_SUCCESS);
    leave_a_thread_inside(context_with("stuck", 5));
    for (int i = 10; i < 17; ++i) CHECK(allocate(context, mebibyte, "matrix"));
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < 30; ++i) CHECK(cadastre_free(context, allocate(context, 2 * mebibyte, "more")) == CADASTRE_SUCCESS);
    CHECK(std::chrono::steady_clock::now() - before < 2s);
    _exit(0);
  });
  assert_near(said, ", the limit of HOST memory of context ", 2, 2);
}

struct sigaction passed_on;
volatile std::sig_atomic_t times_called = 0;

// A program that knows only one kind of handler leaves the other arguments as they are.
void a_handler_may_pass_on_the_number_alone(void**) {
  const Said said = with("TERM", [] {
    context_with("matrix", 5);
    struct sigaction action{};
    action.sa_handler = [](int number) {
      using Passed = void (*)(int, std::uintptr_t, std::uintptr_t);
      reinterpret_cast<Passed>(reinterpret_cast<std::uintptr_t>(passed_on.sa_handler))(number, 8, 8);
    };
    CHECK(sigaction(SIGTERM, &action, &passed_on) == 0);
    std::raise(SIGTERM);
  });
  assert_true(WIFSIGNALED(said.status) && WTERMSIG(said.status) == SIGTERM);
  assert_int_equal(reports_in(said.text), 1);
}

void a_handler_that_is_called_once_may_raise_its_signal(void**) {
  const Said said = with("TERM", [] {
    struct sigaction action{};
    action.sa_handler = [](int number) {
      static_cast<void>(write(STDERR_FILENO, "cleans up\n", 10));
      std::raise(number);
    };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    CHECK(sigaction(SIGTERM, &action, nullptr) == 0);
    context_with("matrix", 5);
    std::raise(SIGTERM);
  });
  assert_true(WIFSIGNALED(said.status) && WTERMSIG(said.status) == SIGTERM);
  assert_int_equal(count_of(said.text, "cleans up\n"), 1);
  assert_int_equal(reports_in(said.text), 2);
}

// As a debugger sees it, and a core file.
void what_came_with_a_fault_comes_with_its_end(void**) {
  if (sanitized) skip_because("a sanitizer handles faults");
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_REPORT_ON", "SEGV", 1);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    CHECK(dup2(nowhere, STDERR_FILENO) == STDERR_FILENO);
    std::signal(SIGSEGV, SIG_DFL);
    context_with("matrix", 1);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    volatile std::uintptr_t nowhere_in_memory = 16;
    *reinterpret_cast<volatile int*>(nowhere_in_memory) = 1;
    _exit(1);
  }
  int status = 0;
  for (int times = 0; times < 2; ++times) {
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip_because("nothing can be traced here");
    assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSEGV);
    siginfo_t info{};
    assert_int_equal(ptrace(PTRACE_GETSIGINFO, child, nullptr, &info), 0);
    assert_int_equal(info.si_code, SEGV_MAPERR);
    assert_true(info.si_addr == reinterpret_cast<void*>(std::uintptr_t{16}));
    assert_int_equal(ptrace(PTRACE_CONT, child, nullptr, SIGSEGV), 0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

struct CallingBack {
  cadastre_context host = CADASTRE_NULL_CONTEXT, device = CADASTRE_NULL_CONTEXT;
  std::mutex mutex;
  std::atomic<int> asked = 0;
  bool forks = false;
};
CallingBack calling_back;

int32_t give(void*, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
  const std::lock_guard lock(calling_back.mutex);
  *pointer = cadastre_malloc(calling_back.host, [&] {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = request->size;
    info.label = "behind the device";
    return info;
  }());
  return *pointer ? 0 : 2;
}

int32_t take_back(void*, const cadastre_memory_info_struct* block) {
  const std::lock_guard lock(calling_back.mutex);
  return cadastre_free(calling_back.host, block->pointer);
}

int32_t copy(void*, void* dest, const cadastre_memory_info_struct*, const void* src, const cadastre_memory_info_struct*, size_t size,
             cadastre_queue) {
  std::memcpy(dest, src, size);
  return 0;
}

int32_t set(void*, void* dest, const cadastre_memory_info_struct*, int value, size_t size, cadastre_queue) {
  std::memset(dest, value, size);
  return 0;
}

int32_t say_memory(void*, int32_t, size_t* total, size_t* free_bytes) {
  const std::lock_guard lock(calling_back.mutex);
  *total = 100 * mebibyte;
  *free_bytes = 5 * mebibyte;
  if (!calling_back.forks || ++calling_back.asked != 1) return ++calling_back.asked, 0;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    return 0;  // and the call goes on
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  return 0;
}

// Fills a device of that backend, in a child.
void fill_device(bool forks) {
  alarm(20);
  calling_back.forks = forks;
  calling_back.host = cadastre_context_create();
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = (1u << CADASTRE_HOST) | (1u << CADASTRE_DEVICE);
  operations.device_count = 1;
  operations.allocate = give;
  operations.free = take_back;
  operations.copy = copy;
  operations.set = set;
  operations.device_memory = say_memory;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = cadastre_backend_register("calls back", &operations, nullptr);
  calling_back.device = cadastre_context_create_with_options(&options);
  CHECK(calling_back.device != CADASTRE_NULL_CONTEXT);
  for (int i = 0; i < 20; ++i) CHECK(allocate_on_device(calling_back.device, mebibyte, "tensor"));
  for (const cadastre_context context : {calling_back.device, calling_back.host})
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
}

void an_operation_that_calls_back_is_not_asked_meanwhile(void**) {
  const Said said = with("near:90%", [] {
    fill_device(false);
    CHECK(calling_back.asked > 0);
  });
  assert_near(said, " MiB are used of 100 MiB, the memory of calls back device 0\n", 1, 1);
}

void a_backend_may_fork_when_it_is_asked(void**) {
  const Said said = with("near:90%", [] { fill_device(true); });
  assert_near(said, " MiB are used of 100 MiB, the memory of calls back device 0\n", 1, 1);
}

void a_child_that_no_handler_of_forks_saw_is_as_quick_as_without(void**) {
  if (sanitized) skip_because("a sanitizer has to see each fork");
  const Said said = with("near:80%@10ms,refused", [] {
    const cadastre_context context = context_with("matrix", 5);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 10 * mebibyte) == CADASTRE_SUCCESS);
    const auto before = std::chrono::steady_clock::now();
    const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (child == 0) {
      for (int i = 5; i < 9; ++i) CHECK(allocate(context, mebibyte, "child"));
      CHECK(!allocate(context, 10 * mebibyte, "child"));
      std::exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(std::chrono::steady_clock::now() - before < 900ms);
  });
  assert_near(said, ", the limit of HOST memory of context ", 0, 0);
  assert_int_equal(count_of(said.text, "refused\n"), 0);
}

// A workspace that grows makes no call of the other kind.
void calls_other_than_of_blocks_report(void**) {
  const Said said = with("near:80%", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 20 * mebibyte) == CADASTRE_SUCCESS);
    const std::size_t size = 18 * mebibyte;
    void* part = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    CHECK(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &part, &lease) == CADASTRE_SUCCESS);
    std::fputs("until here\n", stderr);
    CHECK(cadastre_workspace_release(context, lease) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  assert_near(said, ", the limit of HOST memory of context ", 1, 1);
  assert_true(said.text.find(", the limit of HOST memory of context ") < said.text.find("until here\n"));
}

// The other one waits for a reader meanwhile.
void what_comes_while_another_thread_reports_is_reported(void**) {
  const std::string path = folder + "/pipe";
  const Said said = with("near:90%,refused", [&] {
    int ends[2];
    CHECK(pipe(ends) == 0);
    const int room = fcntl(ends[1], F_SETPIPE_SZ, 4096), file = dup(STDERR_FILENO);
    CHECK(room >= 4096 && file >= 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    const cadastre_context context = context_with("matrix", 40), small = context_with("small", 1);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 100 * mebibyte) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(small, CADASTRE_HOST, 2 * mebibyte) == CADASTRE_SUCCESS);
    const std::string filling(static_cast<std::size_t>(room), '.');
    CHECK(write(ends[1], filling.data(), filling.size()) == room);
    std::thread other([small] { CHECK(!allocate(small, 10 * mebibyte, "refused")); });
    std::this_thread::sleep_for(100ms);
    for (int i = 40; i < 92; ++i) CHECK(allocate(context, mebibyte, "matrix"));
    std::thread reader([&] {
      char bytes[4096];
      ssize_t got = 0;
      while ((got = ::read(ends[0], bytes, sizeof bytes)) > 0) CHECK(write(file, bytes, static_cast<std::size_t>(got)) == got);
    });
    other.join();
    CHECK(dup2(file, STDERR_FILENO) == STDERR_FILENO);
    std::this_thread::sleep_for(50ms);
    reader.detach();
    _exit(0);
  });
  assert_near(said, ", the limit of HOST memory of context ", 1, 1);
  assert_has(said, ", report: 1 request was refused\n");
}

void signals_in_the_middle_of_calls_lose_no_report(void**) {
  const std::string reports = folder + "/reports.txt";
  const Said said = with("USR1", [&] {
    setenv("CADASTRE_REPORT", reports.c_str(), 1);
    const cadastre_context context = context_with("matrix", 5);
    struct sigaction handled{}, counting{};
    CHECK(sigaction(SIGUSR1, nullptr, &handled) == 0);
    passed_on = handled;
    counting.sa_sigaction = [](int number, siginfo_t* info, void* machine) {
      if (cadastre::internal::locks_of_thread != 0) is_stuck = true;
      times_called = times_called + 1;
      passed_on.sa_sigaction(number, info, machine);
    };
    counting.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESTART);
    CHECK(sigaction(SIGUSR1, &counting, nullptr) == 0);
    const pthread_t worker = pthread_self();
    std::atomic<bool> ends = false;
    std::thread other([&] {
      for (int i = 0; i < 20 || !is_stuck; ++i) {
        CHECK(pthread_kill(worker, SIGUSR1) == 0);
        std::this_thread::sleep_for(1ms);
      }
      ends = true;
    });
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    while (!ends) CHECK(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
    other.join();
    std::fprintf(stderr, "called %d times\n", static_cast<int>(times_called));
    _exit(0);
  });
  assert_int_equal(said.status, 0);
  const std::size_t here = reports_in(said.text), there = reports_in(content(reports));
  assert_true(there > 0);
  assert_has(said, "called " + std::to_string(here + there) + " times\n");
}

// A timer interrupts the wait.
void a_pipe_that_nobody_reads_is_given_up(void**) {
  for (const bool is_socket : {false, true}) {
    const Said said = with("USR1", [=] {
      alarm(60);
      const int file = dup(STDERR_FILENO);
      int ends[2];
      CHECK(file >= 0 && (is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends)) == 0);
      CHECK(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
      context_with("matrix", 5);
      const char filling[4096] = {};
      fcntl(ends[1], F_SETFL, O_NONBLOCK);
      while (write(ends[1], filling, sizeof filling) > 0) {
      }
      while (write(ends[1], filling, 1) > 0) {
      }
      fcntl(ends[1], F_SETFL, 0);
      struct sigaction action{};
      action.sa_handler = [](int) {};
      action.sa_flags = SA_RESTART;
      CHECK(sigaction(SIGVTALRM, &action, nullptr) == 0 && sigaction(SIGPROF, &action, nullptr) == 0);
      const pthread_t waits = pthread_self();
      std::thread other([=] {
        for (int i = 0; i < 40; ++i) {
          std::this_thread::sleep_for(300ms);
          pthread_kill(waits, SIGPROF);
        }
      });
      const auto before = std::chrono::steady_clock::now();
      std::raise(SIGUSR1);
      std::raise(SIGUSR1);  // who read nothing is not waited for again
      CHECK(std::chrono::steady_clock::now() - before < 15s);
      CHECK(dup2(file, STDERR_FILENO) == STDERR_FILENO);
      other.join();
    });
    assert_well(said, 0);
  }
}

void a_pipe_that_is_read_slowly_gets_all(void**) {
  const Said said = with("USR1", [] {
    const int file = dup(STDERR_FILENO);
    int ends[2];
    CHECK(file >= 0 && pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) >= 4096 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    const cadastre_context context = context_with("matrix", 5);
    for (int i = 0; i < 30; ++i)
      CHECK(allocate(context, 5000,
                     ("a label that fills a line of a report, of which there are thirty, number " + std::to_string(i)).c_str()));
    CHECK(write(ends[1], "of the program\n", 15) == 15);
    std::thread reader([&] {
      char bytes[100];
      ssize_t got = 0;
      while ((got = ::read(ends[0], bytes, sizeof bytes)) > 0) {
        CHECK(write(file, bytes, static_cast<std::size_t>(got)) == got);
        std::this_thread::sleep_for(1ms);
      }
    });
    for (int i = 0; i < 3; ++i) std::raise(SIGUSR1);
    CHECK(close(ends[1]) == 0 && dup2(file, STDERR_FILENO) == STDERR_FILENO);
    std::this_thread::sleep_for(300ms);
    reader.detach();
    _exit(0);
  });
  assert_well(said, 3);
  assert_int_equal(count_of(said.text, "\ntogether "), 3);
}

}  // namespace

int main() {
  char name[] = "/tmp/cadastre-report-around-XXXXXX";
  if (!mkdtemp(name)) return 99;
  folder = name;
  forget_variables();
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_process_ends_with_the_last_thread_of_the_program),
      cmocka_unit_test(a_thread_that_is_to_be_cancelled_reports),
      cmocka_unit_test(a_thread_that_is_to_be_cancelled_ends_the_process),
      cmocka_unit_test(the_end_does_not_wait_for_who_stays_inside_a_context),
      cmocka_unit_test(calls_do_not_wait_for_who_stays_inside_a_context),
      cmocka_unit_test(a_handler_may_pass_on_the_number_alone),
      cmocka_unit_test(a_handler_that_is_called_once_may_raise_its_signal),
      cmocka_unit_test(what_came_with_a_fault_comes_with_its_end),
      cmocka_unit_test(an_operation_that_calls_back_is_not_asked_meanwhile),
      cmocka_unit_test(a_backend_may_fork_when_it_is_asked),
      cmocka_unit_test(a_child_that_no_handler_of_forks_saw_is_as_quick_as_without),
      cmocka_unit_test(calls_other_than_of_blocks_report),
      cmocka_unit_test(what_comes_while_another_thread_reports_is_reported),
      cmocka_unit_test(signals_in_the_middle_of_calls_lose_no_report),
      cmocka_unit_test(a_pipe_that_nobody_reads_is_given_up),
      cmocka_unit_test(a_pipe_that_is_read_slowly_gets_all),
  };
  const int failed = cmocka_run_group_tests_name("reports among what programs do", tests, nullptr, nullptr);
  std::filesystem::remove_all(folder);
  return failed;
}
