// Tangled from org/tests/report_steadiness_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "declared_noexcept.hpp"
#include "out/trace_format.hpp"
#include "reporting_children.hpp"

using namespace std::chrono_literals;

namespace {

std::atomic<std::int64_t> seconds_set_on = 0;

}  // namespace

// That of the system, for this program and all that it calls.
extern "C" int clock_gettime(clockid_t which, timespec* time) noexcept(declared_noexcept) {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, which, time));
  if (result == 0 && which == CLOCK_REALTIME) time->tv_sec += seconds_set_on;
  return result;
}

namespace {

void a_pause_does_not_end_when_a_clock_is_set(void**) {
  const Said said = with("near:90%", [] {
    const cadastre_context context = context_with("matrix", 80);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 100 * mebibyte) == CADASTRE_SUCCESS);
    for (const std::int64_t seconds : {0, 3600, 7200}) {
      seconds_set_on = seconds;
      for (int times = 0; times < 2; ++times) {
        void* const block = allocate(context, 12 * mebibyte, "hovers");
        CHECK(block && cadastre_free(context, block) == CADASTRE_SUCCESS);
      }
    }
  });
  assert_near(said, ", the limit of HOST memory of context ", 1, 1);
}

void a_wait_does_not_last_longer_when_a_clock_is_set(void**) {
  if (watches_threads) skip_because("a sanitizer lets a signal wait");
  const Said said = with("exit", [] {
    alarm(20);
    seconds_set_on = 3600;
    leave_a_thread_inside(context_with("matrix", 5));
  });
  assert_well(said, 1);
}

// Of each, nothing changes after it was noted.
void each_limit_is_reported_whatever_its_context_is_called(void**) {
  constexpr std::size_t contexts = 60;
  for (const std::size_t others : {0u, 63u, 127u, 255u}) {
    const Said said = with("near:80%", [others] {
      std::vector<cadastre_context> near;
      for (std::size_t i = 0; i < contexts; ++i) {
        const std::size_t empty = i == 1 ? others : 0;
        for (std::size_t k = 0; k < empty; ++k) CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT);
        near.push_back(cadastre_context_create());
        CHECK(cadastre_set_limit(near.back(), CADASTRE_HOST, 2 * mebibyte) == CADASTRE_SUCCESS);
      }
      for (const cadastre_context context : near) CHECK(allocate(context, 1'800'000, "matrix"));
      for (const cadastre_context context : near) std::fprintf(stderr, "named: context %lld\n", static_cast<long long>(context));
    });
    assert_near(said, ", the limit of HOST memory of context ", contexts, contexts);
  }
}

int32_t give(void*, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
  *pointer = std::aligned_alloc(4096, (request->size + 4095) / 4096 * 4096);
  return *pointer ? 0 : 2;
}

int32_t take_back(void*, const cadastre_memory_info_struct* block) {
  std::free(block->pointer);
  return 0;
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

using SayMemory = int32_t (*)(void*, int32_t, size_t*, size_t*);

cadastre_context context_on_device(SayMemory say_memory) {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = (1u << CADASTRE_HOST) | (1u << CADASTRE_DEVICE);
  operations.device_count = 1;
  operations.allocate = give;
  operations.free = take_back;
  operations.copy = copy;
  operations.set = set;
  operations.device_memory = say_memory;
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = cadastre_backend_register("of the program", &operations, nullptr);
  const cadastre_context context = cadastre_context_create_with_options(&options);
  CHECK(context != CADASTRE_NULL_CONTEXT);
  return context;
}

cadastre_context asked_about = CADASTRE_NULL_CONTEXT;
std::atomic<int> times_asked = 0;

// And so does a call that it makes.
int32_t fail_to_say(void*, int32_t, size_t*, size_t*) {
  ++times_asked;
  int none = 0;
  CHECK(cadastre_realloc(asked_about, &none, 100) == nullptr);
  return 7;
}

cadastre_error_struct last_error(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  CHECK(cadastre_last_error(context, &error) == CADASTRE_SUCCESS);
  return error;
}

void the_last_error_is_that_of_the_call(void**) {
  const Said said = with("near:90%", [] {
    asked_about = context_on_device(fail_to_say);
    int none = 0;
    CHECK(cadastre_free(asked_about, &none) != CADASTRE_SUCCESS);
    const cadastre_error_struct before = last_error(asked_about);
    CHECK(allocate_on_device(asked_about, mebibyte, "tensor") && times_asked > 0);
    const cadastre_error_struct after = last_error(asked_about);
    CHECK(std::strcmp(before.function, "cadastre_free") == 0 && std::strcmp(after.function, before.function) == 0);
    CHECK(after.exit_code == before.exit_code && std::strcmp(after.message, before.message) == 0);
  });
  assert_well(said, 0);
}

std::jmp_buf left_to;

int32_t leave_by_longjmp(void*, int32_t, size_t*, size_t*) { std::longjmp(left_to, 1); }

// Where the thread goes on to, the library counts it as inside.
void an_operation_that_leaves_by_longjmp_keeps_no_report_back(void**) {
  if (sanitized) skip_because("a sanitizer follows the stack");
  const Said said = with("near:90%,refused,USR1,exit", [] {
    alarm(20);
    const cadastre_context on_device = context_on_device(leave_by_longjmp), context = context_with("matrix", 8);
    std::atomic<bool> has_left = false;
    std::thread([&] {
      if (setjmp(left_to) == 0) allocate_on_device(on_device, mebibyte, "tensor");
      has_left = true;
      while (true) pause();
    }).detach();
    while (!has_left) std::this_thread::sleep_for(1ms);
    std::raise(SIGUSR1);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 10 * mebibyte) == CADASTRE_SUCCESS);
    CHECK(allocate(context, mebibyte, "matrix") && !allocate(context, 10 * mebibyte, "refused"));
  });
  assert_has(said, ", report: SIGUSR1\nprocess ");
  assert_near(said, ", the limit of HOST memory of context ", 1, 1);
  assert_has(said, ", report: 1 request was refused\nprocess ");
  assert_has(said, ", report: the process ends\nprocess ");
}

void a_vendor_that_says_nothing_keeps_no_context(void**) {
  const char* const library = std::getenv("CADASTRE_CUDA_LIBRARY");
  if (!library) skip_because("there is no double of the CUDA runtime");
  const Said said = with("near:90%", [library] {
    alarm(60);
    setenv("CADASTRE_BACKEND", "cuda", 1);
    setenv("CUDA_DOUBLE_SLOW", "cudaMemGetInfo", 1);
    const cadastre_context context = cadastre_context_create();
    auto* const is_asleep = reinterpret_cast<int (*)()>(dlsym(dlopen(library, RTLD_NOW), "cuda_double_is_asleep"));
    CHECK(context != CADASTRE_NULL_CONTEXT && is_asleep);
    std::thread([context] { CHECK(allocate_on_device(context, mebibyte, "tensor")); }).detach();
    while (!is_asleep()) std::this_thread::sleep_for(1ms);
    const auto before = std::chrono::steady_clock::now();
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    CHECK(std::chrono::steady_clock::now() - before < 5s && is_asleep());
    _exit(0);
  });
  assert_well(said, 0);
}

int32_t say_much(void*, int32_t, size_t* total, size_t* free_bytes) {
  ++times_asked;
  *total = 100 * mebibyte;
  *free_bytes = 50 * mebibyte;
  return 0;
}

// When it has left, they are.
void devices_are_not_asked_for_who_stays_inside_a_context(void**) {
  if (watches_threads) skip_because("a sanitizer lets a signal wait");
  const Said said = with("near:90%", [] {
    alarm(20);
    const cadastre_context stuck = context_with("stuck", 5), on_device = context_on_device(say_much);
    leave_a_thread_inside(stuck);
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < 100; ++i) CHECK(cadastre_free(on_device, allocate_on_device(on_device, mebibyte, "tensor")) == CADASTRE_SUCCESS);
    CHECK(times_asked == 0 && std::chrono::steady_clock::now() - before < 5s);
    is_let_go = true;
    while (times_asked == 0) {
      CHECK(cadastre_free(on_device, allocate_on_device(on_device, mebibyte, "tensor")) == CADASTRE_SUCCESS);
      std::this_thread::sleep_for(10ms);
    }
    _exit(0);
  });
  assert_well(said, 0);
}

// Runs a task in a child whose standard error is a full pipe, which is read after a while.
template <class Performed>
Said with_late_reader(const char* occasions, std::chrono::milliseconds late, const Performed& task) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const int room = fcntl(ends[1], F_SETPIPE_SZ, 4096);
  const std::string filling(static_cast<std::size_t>(room), '.');
  assert_int_equal(write(ends[1], filling.data(), filling.size()), room);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    CHECK(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO && close(ends[0]) == 0 && close(ends[1]) == 0);
    setenv("CADASTRE_REPORT_ON", occasions, 1);
    task();
    std::exit(0);
  }
  close(ends[1]);
  std::this_thread::sleep_for(late);
  Said said{};
  char bytes[4096];
  ssize_t got = 0;
  while ((got = read(ends[0], bytes, sizeof bytes)) > 0) said.text.append(bytes, static_cast<std::size_t>(got));
  close(ends[0]);
  assert_int_equal(waitpid(child, &said.status, 0), child);
  return said;
}

// A context that has little left.
cadastre_context small_context() {
  const cadastre_context context = context_with("matrix", 1);
  CHECK(cadastre_set_limit(context, CADASTRE_HOST, 2 * mebibyte) == CADASTRE_SUCCESS);
  return context;
}

void an_end_that_meets_a_report_says_so(void**) {
  const Said said = with_late_reader("refused,exit", 2500ms, [] {
    const cadastre_context context = small_context();
    std::thread([context] {
      CHECK(!allocate(context, 10 * mebibyte, "refused"));
      while (true) pause();
    }).detach();
    std::this_thread::sleep_for(200ms);
  });
  assert_int_equal(said.status, 0);
  assert_has(said, ", report: the process ends in process ");
  assert_has(said, " while it wrote another report\n");
  assert_int_equal(count_of(said.text, ", report: the process ends"), 1);
}

// Nobody reads for ten seconds, after which the report is given up.
void a_pause_begins_when_a_report_on_refusals_was_written(void**) {
  const Said said = with_late_reader("refused", 10500ms, [] {
    const cadastre_context context = small_context();
    const auto before = std::chrono::steady_clock::now();
    CHECK(!allocate(context, 10 * mebibyte, "refused"));
    CHECK(std::chrono::steady_clock::now() - before > 9s);
    std::this_thread::sleep_for(1500ms);
    CHECK(!allocate(context, 10 * mebibyte, "refused"));
  });
  assert_well(said, 0);
}

void a_child_that_no_handler_of_forks_saw_reports_no_context(void**) {
  if (sanitized) skip_because("a sanitizer has to see each fork");
  const std::string path = folder + "/reports.txt";
  const int status = status_of_child([&] {
    setenv("CADASTRE_REPORT", path.c_str(), 1);
    context_with("matrix", 5);
    in_raw_child([] { context_with("child", 3); });
    CHECK(content(path).empty());
  });
  assert_int_equal(status, 0);
  assert_int_equal(count_of(content(path), "this context"), 1);
}

cadastre::internal::TraceHead head_of(const std::string& path) {
  cadastre::internal::TraceHead head{};
  const std::string text = content(path);
  CHECK(text.size() >= sizeof head);
  std::memcpy(&head, text.data(), sizeof head);
  return head;
}

void a_child_that_no_handler_of_forks_saw_does_not_end_a_trace(void**) {
  if (sanitized) skip_because("a sanitizer has to see each fork");
  for (const char* const ending : {".trace", ".csv"}) {
    const std::string path = folder + "/own" + ending;
    const int status = status_of_child([&] {
      setenv("CADASTRE_TRACE", path.c_str(), 1);
      const cadastre_context context = context_with("matrix", 5);
      const std::string before = content(path);
      in_raw_child([] {});
      CHECK(content(path) == before);
      CHECK(allocate(context, mebibyte, "matrix"));
    });
    assert_int_equal(status, 0);
    const std::string text = content(path);
    if (std::strcmp(ending, ".csv") == 0) assert_int_equal(count_of(text, "malloc"), 6);
    else assert_true(head_of(path).state == static_cast<std::uint64_t>(cadastre::internal::TraceState::ended));
  }
}

// As daemons do, and interpreters before they start others.
void a_program_that_closes_what_it_did_not_open_is_reported(void**) {
  for (const bool is_opened_anew : {false, true}) {
    const Said said = with("USR1,exit", [is_opened_anew] {
      context_with("matrix", 5);
      for (int number = STDERR_FILENO + 1; number < 1024; ++number) close(number);
      if (is_opened_anew) {
        const int other = ::open((folder + "/of the program").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        for (int number = 200; number < 300; ++number) CHECK(dup2(other, number) == number);
      }
      std::raise(SIGUSR1);
      std::raise(SIGUSR1);
      CHECK(!is_opened_anew || content(folder + "/of the program").empty());
    });
    assert_well(said, 3);
  }
}

// One that is stopped, or that nobody reads.
void a_terminal_that_takes_nothing_is_given_up(void**) {
  const Said said = with("USR1", [] {
    alarm(60);
    const int file = dup(STDERR_FILENO), master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) _exit(77);
    const int terminal = ::open(ptsname(master), O_RDWR | O_NOCTTY | O_NONBLOCK), error = ::open(ptsname(master), O_RDWR | O_NOCTTY);
    CHECK(terminal >= 0 && error >= 0 && dup2(error, STDERR_FILENO) == STDERR_FILENO);
    context_with("matrix", 5);
    const std::string filling(4096, '.');
    while (write(terminal, filling.data(), filling.size()) > 0) {
    }
    const auto before = std::chrono::steady_clock::now();
    std::raise(SIGUSR1);
    CHECK(std::chrono::steady_clock::now() - before < 15s);
    CHECK(dup2(file, STDERR_FILENO) == STDERR_FILENO);
    _exit(0);
  });
  if (WIFEXITED(said.status) && WEXITSTATUS(said.status) == 77) skip_because("there are no terminals here");
  assert_well(said, 0);
}

// What is behind its number then is the program's.
void a_standard_error_that_became_another_file_gets_nothing(void**) {
  const std::string path = folder + "/of the program";
  const Said said = with("USR1", [&path] {
    context_with("matrix", 5);
    for (int number = STDERR_FILENO; number < 1024; ++number) close(number);
    CHECK(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600) == STDERR_FILENO);
    std::raise(SIGUSR1);
  });
  assert_well(said, 0);
  assert_string_equal(content(path).c_str(), "");
}

void a_standard_error_that_became_another_file_while_it_runs_gets_nothing(void**) {
  const std::string path = folder + "/of the program";
  const Said said = with("USR1,exit", [&path] {
    context_with("matrix", 5);
    close(STDERR_FILENO);
    CHECK(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600) == STDERR_FILENO);
    std::raise(SIGUSR1);
  });
  assert_well(said, 2);
  assert_string_equal(content(path).c_str(), "");
}

// No handler is called for one that a thread waits for, as the description of the variable says.
void a_signal_that_is_taken_is_not_reported(void**) {
  const Said said = with("TERM,USR1", [] {
    alarm(20);
    context_with("matrix", 5);
    sigset_t waited_for;
    sigemptyset(&waited_for);
    sigaddset(&waited_for, SIGTERM);
    CHECK(pthread_sigmask(SIG_BLOCK, &waited_for, nullptr) == 0);
    int taken = 0;
    std::thread waits([&] { CHECK(sigwait(&waited_for, &taken) == 0); });
    CHECK(kill(getpid(), SIGTERM) == 0);
    waits.join();
    CHECK(taken == SIGTERM);
    std::fputs("taken\n", stderr);
    CHECK(kill(getpid(), SIGUSR1) == 0);
  });
  assert_well(said, 1);
  assert_has(said, "taken\nCadastre ");
}

}  // namespace

int main() {
  char name[] = "/tmp/cadastre-report-steady-XXXXXX";
  if (!mkdtemp(name)) return 99;
  folder = name;
  forget_variables();
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_pause_does_not_end_when_a_clock_is_set),
      cmocka_unit_test(a_wait_does_not_last_longer_when_a_clock_is_set),
      cmocka_unit_test(each_limit_is_reported_whatever_its_context_is_called),
      cmocka_unit_test(the_last_error_is_that_of_the_call),
      cmocka_unit_test(an_operation_that_leaves_by_longjmp_keeps_no_report_back),
      cmocka_unit_test(a_vendor_that_says_nothing_keeps_no_context),
      cmocka_unit_test(devices_are_not_asked_for_who_stays_inside_a_context),
      cmocka_unit_test(an_end_that_meets_a_report_says_so),
      cmocka_unit_test(a_pause_begins_when_a_report_on_refusals_was_written),
      cmocka_unit_test(a_child_that_no_handler_of_forks_saw_reports_no_context),
      cmocka_unit_test(a_child_that_no_handler_of_forks_saw_does_not_end_a_trace),
      cmocka_unit_test(a_program_that_closes_what_it_did_not_open_is_reported),
      cmocka_unit_test(a_terminal_that_takes_nothing_is_given_up),
      cmocka_unit_test(a_standard_error_that_became_another_file_gets_nothing),
      cmocka_unit_test(a_standard_error_that_became_another_file_while_it_runs_gets_nothing),
      cmocka_unit_test(a_signal_that_is_taken_is_not_reported),
  };
  const int failed = cmocka_run_group_tests_name("reports that nothing keeps back", tests, nullptr, nullptr);
  std::filesystem::remove_all(folder);
  return failed;
}
