// Tangled from org/tests/report_on_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/report_on.hpp"
#include "cadastre.h"
#include "cmocka.hpp"
#include "context/all_contexts.hpp"
#include "out/black_box.hpp"
#include "out/near_limit.hpp"
#include "reporting_children.hpp"
#include "taken_stack.hpp"

using namespace cadastre::internal;
using namespace std::chrono_literals;

namespace {

ReportOn read(const char* value) {
  const std::optional<ReportOn> on = parse_report_on(value);
  if (!on) print_error("%s\n", value);
  assert_true(on.has_value());
  return *on;
}

void occasions_are_read(void**) {
  assert_int_equal(read("near").near_percent, 90);
  assert_int_equal(read("near:1%").near_percent, 1);
  assert_int_equal(read("near:99%").near_percent, 99);
  assert_int_equal(read("near").every.count(), 0);
  assert_int_equal(read("near@1s").every.count(), 1000);
  assert_int_equal(read("near:80%@10ms").every.count(), 10);
  assert_int_equal(read("near:80%@60min").every.count(), 3'600'000);
  const ReportOn all = read("near:95%@250ms,refused,exit,USR1,SIGTERM,ABRT,ILL");
  assert_int_equal(all.near_percent, 95);
  assert_true(all.refused && all.exit && all.is_any());
  assert_int_equal(__builtin_popcount(all.signals), 4);
  const ReportOn one = read("exit");
  assert_true(one.exit && !one.refused && one.near_percent == 0 && one.signals == 0);
  assert_false(ReportOn().is_any());
  for (std::size_t i = 0; i < signals_to_report_on; ++i) assert_int_equal(read(std::string(signal_names[i].name).c_str()).signals, 1u << i);
}

void what_is_no_occasion_is_refused(void**) {
  for (const char* const wrong : {"",
                                  ",",
                                  "exit,",
                                  ",exit",
                                  "exit,exit",
                                  "near,near:80%",
                                  "refused,refused",
                                  "TERM,SIGTERM",
                                  "near:",
                                  "near:90",
                                  "near:0%",
                                  "near:100%",
                                  "near:-1%",
                                  "near:90%@",
                                  "near:90%@9ms",
                                  "near:90%@61min",
                                  "near:90%@1h",
                                  "near:90%@1",
                                  "near@s",
                                  "near:90%x",
                                  "nearly",
                                  "exit ",
                                  " exit",
                                  "KILL",
                                  "SIGKILL",
                                  "term",
                                  "9",
                                  "SIG",
                                  "99999999999%",
                                  "near:99999999999%",
                                  "near@99999999999s"}) {
    if (parse_report_on(wrong)) print_error("%s\n", wrong);
    assert_false(parse_report_on(wrong).has_value());
  }
}

constexpr std::uint64_t limit = 1'000'000;
constexpr std::int64_t second = 1'000'000'000;
auto at(std::int64_t time) {
  return [time] { return time; };
}

void an_approach_is_reported_at_halves_of_what_is_left(void**) {
  Approach approach;
  std::vector<std::uint64_t> reported;
  for (std::uint64_t used = 0; used <= limit; used += 100) {
    if (approach.is_nearer(used, limit, 90, at(1))) reported.push_back(used);
  }
  for (std::uint64_t used = limit; used < 2 * limit; used += 100) assert_false(approach.is_nearer(used, limit, 90, at(1)));
  const std::vector<std::uint64_t> expected = {900'000, 950'000, 975'000, 987'500, 1'000'000};
  assert_true(reported == expected);
}

void an_approach_begins_anew_when_it_is_far_again(void**) {
  Approach approach;
  assert_true(approach.is_nearer(910'000, limit, 90, at(1)));
  assert_false(approach.is_nearer(849'999, limit, 90, at(9 * second)));
  assert_false(approach.is_nearer(910'000, limit, 90, at(9 * second)));
  assert_false(approach.is_nearer(850'000, limit, 90, at(11 * second)));
  assert_false(approach.is_nearer(910'000, limit, 90, at(11 * second)));
  assert_false(approach.is_nearer(849'999, limit, 90, at(11 * second)));
  assert_true(approach.is_nearer(900'000, limit, 90, at(11 * second)));
  assert_false(approach.is_nearer(900'000, limit, 90, at(11 * second)));
}

void an_approach_begins_anew_with_another_limit(void**) {
  Approach approach;
  assert_true(approach.is_nearer(1'900'000, 2 * limit, 90, at(1)));
  assert_false(approach.is_due(900'000, limit, 90, at(9 * second)));
  assert_false(approach.is_due(899'999, limit, 90, at(11 * second)));
  assert_true(approach.is_due(900'000, limit, 90, at(11 * second)));
  assert_true(approach.is_nearer(900'000, limit, 90, at(11 * second)));
  assert_false(approach.is_nearer(910'000, limit, 90, at(30 * second)));
  assert_true(approach.is_nearer(950'000, limit, 90, at(12 * second)));
}

void an_approach_to_a_small_share_begins_anew(void**) {
  for (const unsigned percent : {1u, 3u, 5u, 6u}) {
    Approach approach;
    const std::uint64_t share = limit / 100 * percent;
    assert_true(approach.is_nearer(share, limit, percent, at(1)));
    assert_false(approach.is_nearer(0, limit, percent, at(9 * second)));
    assert_false(approach.is_nearer(share, limit, percent, at(9 * second)));
    assert_false(approach.is_nearer(0, limit, percent, at(11 * second)));
    assert_true(approach.is_nearer(share, limit, percent, at(11 * second)));
  }
}

void without_an_occasion_nothing_is_written_and_no_handler_is_there(void**) {
  const auto handlers = [] {
    std::vector<void (*)(int)> all;
    for (const SignalName& signal : signal_names) {
      struct sigaction action{};
      CHECK(sigaction(signal.number, nullptr, &action) == 0);
      if (signal.number != SIGUSR2) all.push_back(action.sa_handler);
    }
    return all;
  };
  const Said said = with("near:99%,refused,USR2", [&] {
    const std::vector<void (*)(int)> before = handlers();
    const cadastre_context context = context_with("matrix", 10);
    CHECK(handlers() == before);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  assert_well(said, 0);
  assert_string_equal(said.text.c_str(), "");
}

void a_context_near_its_limit_is_reported(void**) {
  const Said said = with("near:80%", [] {
    const cadastre_context context = context_with("matrix", 8);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 100 * mebibyte) == CADASTRE_SUCCESS);
    for (std::size_t i = 8; i < 79; ++i) CHECK(allocate(context, mebibyte, "grows"));
    std::fputs("not yet\n", stderr);
    for (std::size_t i = 79; i < 89; ++i) CHECK(allocate(context, mebibyte, "grows"));
    std::fputs("only the first\n", stderr);
    for (std::size_t i = 89; i < 100; ++i) CHECK(allocate(context, mebibyte, "grows"));
  });
  const std::string of_context = ", the limit of HOST memory of context ";
  assert_near(said, of_context, 6, 6);  // at 80, 90, 95, 98, 99 and 100 MiB
  assert_true(said.text.find("not yet\n") < said.text.find(of_context));
  assert_int_equal(count_of(said.text.substr(0, said.text.find("only the first\n")), of_context), 1);
  assert_has(said, "80.0 MiB are used of 100 MiB, the limit of HOST memory of context ");
  assert_has(said, "   72.0 MiB         72 HOST      grows\n");
  assert_has(said, "   8.00 MiB          8 HOST      matrix\n");
  assert_has(said, "100 MiB are used of 100 MiB, the limit of HOST memory of context ");
}

void a_process_near_its_limits_is_reported(void**) {
  const Said said = with("near:50%", [] {
    setenv("CADASTRE_LIMIT", "process:HOST=40M,process:ALL=50M", 1);
    const cadastre_context first = context_with("first", 10), second = context_with("second", 9);
    CHECK(allocate(second, mebibyte, "second"));
    for (int i = 0; i < 5; ++i) CHECK(allocate(first, mebibyte, "first"));
  });
  assert_near(said, ", the limit of ", 2, 2);
  assert_has(said, "20.0 MiB are used of 40.0 MiB, the limit of HOST memory of the process\n");
  assert_has(said, "25.0 MiB are used of 50.0 MiB, the limit of all memory of the process\n");
  assert_has(said, "  10.0 MiB         10 HOST      first\n");
}

void a_limit_that_is_hovered_about_is_reported_once(void**) {
  const Said said = with("near:90%", [] {
    const cadastre_context context = context_with("matrix", 89);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 100 * mebibyte) == CADASTRE_SUCCESS);
    for (int i = 0; i < 1000; ++i) {
      void* const block = allocate(context, 2 * mebibyte, "hovers");
      CHECK(block && cadastre_free(context, block) == CADASTRE_SUCCESS);
    }
  });
  assert_near(said, ", the limit of HOST memory of context ", 1, 1);
}

void many_contexts_near_their_limits_are_not_reported_without_end(void**) {
  constexpr std::size_t contexts = 100;
  const Said said = with("near:90%", [] {
    std::vector<cadastre_context> all;
    for (std::size_t i = 0; i < contexts; ++i) {
      all.push_back(context_with("matrix", 1));
      CHECK(allocate(all.back(), 900 << 10, "matrix"));
      CHECK(cadastre_set_limit(all.back(), CADASTRE_HOST, 2 * mebibyte) == CADASTRE_SUCCESS);
    }
    for (int round = 0; round < 50; ++round) {
      for (const cadastre_context context : all) {
        void* const block = allocate(context, 100 << 10, "hovers");
        CHECK(block && cadastre_free(context, block) == CADASTRE_SUCCESS);
      }
    }
  });
  assert_near(said, ", the limit of HOST memory of context ", 1, 3 * contexts);
}

void many_small_blocks_come_near_a_limit(void**) {
  const Said said = with("near:90%", [] {
    const cadastre_context context = context_with("matrix", 1);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 10 * mebibyte) == CADASTRE_SUCCESS);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([context] {
        for (int k = 0; k < 2300; ++k) CHECK(allocate(context, 1000, "small"));
      });
    }
    for (std::thread& one : threads) one.join();
  });
  assert_near(said, ", the limit of HOST memory of context ", 1, 4);
  assert_has(said, "HOST      small\n");
}

std::size_t mapped_bytes() {
  std::size_t pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  CHECK(file && std::fscanf(file, "%zu", &pages) == 1);
  std::fclose(file);
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Has a limit of the address space so much beyond what is mapped.
void bound_address_space(std::size_t beyond) {
  const rlimit bound{mapped_bytes() + beyond, RLIM_INFINITY};
  CHECK(setrlimit(RLIMIT_AS, &bound) == 0);
}

void what_the_host_offers_is_looked_at_as_memory_grows(void**) {
  if (sanitized) skip_because("a sanitizer maps terabytes");
  const Said said = with("near:90%", [] {
    setenv("CADASTRE_HEAP", "off", 1);
    bound_address_space(std::size_t{2} << 30);
    const cadastre_context context = context_with("matrix", 1);
    for (int i = 0; i < 40; ++i) allocate(context, 64 * mebibyte, "huge");
    for (int i = 0; i < 40; ++i) allocate(context, 64 * mebibyte, "more");
  });
  assert_near(said, ", the limit of the address space of this process (ulimit -v)\nprocess ", 1, 6);
  assert_has(said, "HOST      huge\n");
}

// The device is one of the double of CUDA, of 100 MiB.
void the_memory_of_a_device_is_looked_at_as_it_fills(void**) {
  if (!std::getenv("CADASTRE_CUDA_LIBRARY")) skip_because("there is no double of the CUDA runtime");
  const Said said = with("near:80%", [] {
    setenv("CADASTRE_BACKEND", "cuda", 1);
    setenv("CUDA_DOUBLE_MEMORY", "104857600", 1);
    const cadastre_context context = context_with("matrix", 1);
    for (int i = 0; i < 79; ++i) CHECK(allocate_on_device(context, mebibyte, "tensor"));
    std::fputs("not yet\n", stderr);
    for (int i = 79; i < 95; ++i) CHECK(allocate_on_device(context, mebibyte, "tensor"));
  });
  const std::string of_device = " MiB are used of 100 MiB, the memory of cuda device 0\n";
  assert_near(said, of_device, 2, 4);
  assert_int_equal(count_of(said.text.substr(0, said.text.find("not yet\n")), of_device), 0);
  assert_has(said, "DEVICE    tensor\n");
}

bool host_is_looked_at() { return black_box_pages() && black_box_pages()->figures.uses[LimitUse::host].sequence > 0; }

cadastre_context context_on(cadastre_backend backend) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  return cadastre_context_create_with_options(&options);
}

// A look costs as much as a thousand calls.
void the_host_is_not_looked_at_again_for_a_little_that_is_freed(void**) {
  const Said said = with("near:99%", [] {
    const cadastre_context context = cadastre_context_create();
    void* const block = allocate(context, mebibyte, "matrix");
    CHECK(host_is_looked_at());
    const std::uint64_t looks = black_box_pages()->figures.uses[LimitUse::host].sequence;
    CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
    CHECK(black_box_pages()->figures.uses[LimitUse::host].sequence == looks);
  });
  assert_int_equal(said.status, 0);
}

// Two backends have a device 0, and a context has memory of both.
void what_lives_on_a_device_is_of_its_backend(void**) {
  if (!std::getenv("CADASTRE_CUDA_LIBRARY")) skip_because("there is no double of the CUDA runtime");
  struct Live {
    std::size_t on_cuda = 0, on_host = 0;
  };
  const Said said = with("exit", [] {
    setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
    const auto live = [] {
      Live found;
      for_each_device_in_use(&found, [](void* whose, const DeviceInUse& device) noexcept {
        CHECK(device.device == 0 && device.total >= device.free && device.free > 0);
        Live& to = *static_cast<Live*>(whose);
        (device.backend == CADASTRE_BACKEND_CUDA ? to.on_cuda : to.on_host) = device.live;
      });
      return found;
    };
    const cadastre_context on_cuda = context_on(CADASTRE_BACKEND_CUDA), on_host = context_on(CADASTRE_BACKEND_HOST);
    CHECK(allocate_on_device(on_cuda, 3 * mebibyte, "tensor") && allocate_on_device(on_host, 5 * mebibyte, "tensor"));
    const Live of_own = live();
    CHECK(of_own.on_cuda == 3 * mebibyte && of_own.on_host == 5 * mebibyte);
    void* const named = allocate_on_device(on_cuda, 7 * mebibyte, "tensor", CADASTRE_BACKEND_HOST);
    const Live with_named = live();
    CHECK(named && with_named.on_cuda == 3 * mebibyte && with_named.on_host == 12 * mebibyte);
    CHECK(cadastre_free(on_cuda, named) == CADASTRE_SUCCESS && live().on_host == 5 * mebibyte);
  });
  assert_well(said, 1);
}

// Bytes of their stacks that two threads take: one for the first context, one for its first block.
struct StackTaken {
  std::size_t creation = 0, allocation = 0;
};

StackTaken stack_taken_with(const char* occasions, bool has_box) {
  const std::string boxes = folder + "/boxes of threads";
  std::filesystem::create_directories(boxes);
  const Said said = with(occasions, [&] {
    if (!*occasions) unsetenv("CADASTRE_REPORT_ON");
    if (has_box) setenv("CADASTRE_BLACKBOX", boxes.c_str(), 1);
    cadastre_context context = CADASTRE_NULL_CONTEXT;
    const std::size_t creation = stack_taken_by([&context] { context = cadastre_context_create(); });
    CHECK(!host_is_looked_at());
    const std::size_t allocation = stack_taken_by([context] { CHECK(allocate(context, mebibyte, "matrix")); });
    CHECK(host_is_looked_at() == (has_box || *occasions));
    std::fprintf(stderr, "taken: %zu %zu\n", creation, allocation);
  });
  StackTaken taken;
  const std::size_t at = said.text.find("taken: ");
  const bool is_said =
      at != std::string::npos && std::sscanf(said.text.c_str() + at, "taken: %zu %zu", &taken.creation, &taken.allocation) == 2;
  if (said.status != 0 || !is_said) print_error("status %d\n%s\n", said.status, said.text.c_str());
  assert_true(said.status == 0 && is_said);
  return taken;
}

// Without a sanitizer a thread with 32 KiB may allocate.
void the_host_is_looked_at_with_little_of_a_stack(void**) {
  constexpr std::size_t more = sanitized ? 24 << 10 : 4 << 10, enough = sanitized ? SIZE_MAX : 32 << 10;
  const StackTaken without = stack_taken_with("", false);
  for (const auto& [occasions, has_box] : {std::pair{"near:1%", false}, std::pair{"", true}, std::pair{"near:1%", true}}) {
    const StackTaken taken = stack_taken_with(occasions, has_box);
    assert_true(taken.creation <= without.creation + more);
    assert_true(taken.allocation <= without.allocation + more && taken.allocation <= enough);
  }
}

void a_thread_sees_what_makes_no_call(void**) {
  if (sanitized) skip_because("a sanitizer maps terabytes");
  for (const char* const occasions : {"near:90%", "near:90%@20ms"}) {
    const Said said = with(occasions, [] {
      context_with("matrix", 3);
      const std::size_t bytes = std::max(9 * mapped_bytes(), std::size_t{1} << 30);
      CHECK(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
      bound_address_space(bytes / 100);
      std::this_thread::sleep_for(400ms);
    });
    const bool has_thread = std::strchr(occasions, '@');
    assert_near(said, "(ulimit -v)\nprocess ", has_thread ? 1 : 0, has_thread ? 1 : 0);
    if (has_thread) assert_has(said, "HOST      matrix\n");
  }
}

void a_refusal_is_reported_with_its_message_and_its_holders(void**) {
  const Said said = with("refused", [] {
    const cadastre_context context = context_with("matrix", 7);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 8 * mebibyte) == CADASTRE_SUCCESS);
    CHECK(!allocate(context, 3 * mebibyte, "too much"));
    CHECK(cadastre_free(context, allocate(context, mebibyte)) == CADASTRE_SUCCESS);
  });
  assert_well(said, 1);
  assert_has(said, ", report: 1 request was refused\n");
  assert_has(said, "   7.00 MiB          7 HOST      matrix\n");
  assert_has(said, " ago: cadastre_malloc: cannot allocate 3145728 bytes of HOST");
}

void refusals_in_a_row_are_reported_once(void**) {
  const Said said = with("refused,exit", [] {
    const cadastre_context context = context_with("matrix", 7);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 8 * mebibyte) == CADASTRE_SUCCESS);
    for (int i = 0; i < 100; ++i) CHECK(!allocate(context, 3 * mebibyte, "too much"));
  });
  assert_well(said, 2);
  assert_has(said, "together          7     7.00 MiB     7.00 MiB          0 B         none        100\n");
}

void a_workspace_that_is_refused_is_reported(void**) {
  const Said said = with("refused", [] {
    const cadastre_context context = context_with("matrix", 1);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 2 * mebibyte) == CADASTRE_SUCCESS);
    const std::size_t size = 3 * mebibyte;
    void* part = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    CHECK(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &part, &lease) != CADASTRE_SUCCESS);
  });
  assert_well(said, 1);
  assert_has(said, " ago: cadastre_workspace_acquire: ");
}

void a_normal_end_is_reported_and_no_other(void**) {
  const auto task = [](void (*end)(int)) {
    return [end] {
      context_with("matrix", 5);
      end(7);
    };
  };
  const Said normal = with("exit", task(std::exit)), other = with("exit", task(_exit));
  assert_int_equal(WEXITSTATUS(normal.status), 7);
  assert_int_equal(WEXITSTATUS(other.status), 7);
  assert_int_equal(reports_in(normal.text), 1);
  assert_int_equal(reports_in(other.text), 0);
  assert_has(normal, ", report: the process ends\n");
  assert_has(normal, "   5.00 MiB          5 HOST      matrix\n");
}

void a_signal_is_reported_and_the_process_goes_on(void**) {
  const Said said = with("USR1,USR2", [] {
    wait_for_holders(context_with("matrix", 5), 5 * mebibyte);
    errno = 77;
    std::raise(SIGUSR1);
    CHECK(errno == 77);
    kill(getpid(), SIGUSR2);
    std::raise(SIGUSR1);
    std::fputs("goes on\n", stderr);
  });
  assert_well(said, 3);
  assert_int_equal(count_of(said.text, ", report: SIGUSR1\n"), 2);
  assert_int_equal(count_of(said.text, "   5.00 MiB          5 HOST      matrix\n"), 3);
  assert_has(said, "goes on\n");
}

void a_signal_that_ends_the_process_ends_it_as_it_did(void**) {
  for (const char* const name : {"HUP", "INT", "QUIT", "TERM", "ABRT", "XCPU"}) {
    int number = 0;
    for (const SignalName& signal : signal_names) {
      if (signal.name == name) number = signal.number;
    }
    const Said said = with(name, [number] {
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      context_with("matrix", 5);
      kill(getpid(), number);
      std::fputs("goes on\n", stderr);
    });
    assert_true(WIFSIGNALED(said.status));
    assert_int_equal(WTERMSIG(said.status), number);
    assert_int_equal(reports_in(said.text), 1);
    assert_has(said, std::string(", report: SIG") + name + "\n");
    assert_int_equal(count_of(said.text, "goes on"), 0);
  }
}

// Without cmocka's handler, and a sanitizer's.
void fault() {
  std::signal(SIGSEGV, SIG_DFL);
  wait_for_holders(context_with("matrix", 5), 5 * mebibyte);
  void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

void a_fault_ends_the_process_as_it_did(void**) {
  const auto without_core = [](const Task& task) {
    return [task] {
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      task();
    };
  };
  const Said faulted = with("SEGV,ABRT", without_core(fault));
  assert_true(WIFSIGNALED(faulted.status) && WTERMSIG(faulted.status) == SIGSEGV);
  assert_int_equal(reports_in(faulted.text), 1);
  assert_has(faulted, "   5.00 MiB          5 HOST      matrix\n");
  const Said aborted = with("SEGV,ABRT", without_core([] {
                              context_with("matrix", 5);
                              std::abort();
                            }));
  assert_true(WIFSIGNALED(aborted.status) && WTERMSIG(aborted.status) == SIGABRT);
  assert_int_equal(reports_in(aborted.text), 1);
}

volatile std::sig_atomic_t times_called = 0, value_seen = 0;

void call_before(int, siginfo_t* info, void* machine) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  CHECK(machine && sigismember(&blocked, SIGUSR2) == 1 && sigismember(&blocked, SIGTERM) == 1);
  CHECK(sanitized || sigismember(&blocked, SIGHUP) == 0);  // ThreadSanitizer blocks all
  value_seen = info->si_value.sival_int;
  times_called = times_called + 1;
}

void the_handler_that_was_there_is_called(void**) {
  const Said said = with("TERM", [] {
    struct sigaction action{};
    action.sa_sigaction = call_before;
    action.sa_flags = SA_SIGINFO;
    sigaddset(&action.sa_mask, SIGUSR2);
    CHECK(sigaction(SIGTERM, &action, nullptr) == 0);
    context_with("matrix", 5);
    sigval value{};
    value.sival_int = 4711;
    for (int times = 1; times <= 2; ++times) {
      CHECK(sigqueue(getpid(), SIGTERM, value) == 0);
      while (times_called < times) std::this_thread::sleep_for(1ms);  // ThreadSanitizer lets a signal wait
    }
    CHECK(times_called == 2 && value_seen == 4711);
  });
  assert_well(said, 2);
}

void a_handler_that_is_called_once_is_called_once(void**) {
  const Said said = with("TERM", [] {
    struct sigaction action{};
    action.sa_handler = [](int) { times_called = times_called + 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    CHECK(sigaction(SIGTERM, &action, nullptr) == 0);
    context_with("matrix", 5);
    std::raise(SIGTERM);
    CHECK(times_called == 1);
    std::fputs("goes on\n", stderr);
    std::raise(SIGTERM);
    std::fputs("goes on\n", stderr);
  });
  assert_true(WIFSIGNALED(said.status) && WTERMSIG(said.status) == SIGTERM);
  assert_int_equal(count_of(said.text, "goes on\n"), 1);
  assert_int_equal(reports_in(said.text), 2);
}

std::string problem_of_environment() {
  for (std::int32_t i = 0; i < cadastre_environment_get_count(); ++i) {
    cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
    CHECK(cadastre_environment_get_info(i, &info) == CADASTRE_SUCCESS);
    if (std::strcmp(info.name, "CADASTRE_REPORT_ON") == 0) return info.problem;
  }
  return "";
}

void an_ignored_signal_stays_ignored(void**) {
  const Said said = with("HUP,USR1", [] {
    std::signal(SIGHUP, SIG_IGN);
    context_with("matrix", 5);
    std::raise(SIGHUP);
    struct sigaction action{};
    CHECK(sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN);
    CHECK(problem_of_environment() == "CADASTRE_REPORT_ON: HUP is ignored by this program, or cannot be handled, and stays as it is");
    std::raise(SIGUSR1);
  });
  assert_well(said, 1);
}

void a_system_call_goes_on(void**) {
  const Said said = with("USR1", [] {
    context_with("matrix", 5);
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pthread_t reader = pthread_self();
    std::thread other([&] {
      std::this_thread::sleep_for(50ms);
      CHECK(pthread_kill(reader, SIGUSR1) == 0);
      std::this_thread::sleep_for(50ms);
      CHECK(write(ends[1], "x", 1) == 1);
    });
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 1);
    other.join();
  });
  assert_well(said, 1);
}

void a_small_stack_is_enough(void**) {
  const Said said = with("USR1", [] {
    const cadastre_context context = context_with("matrix", 5);
    for (int i = 0; i < 100; ++i) CHECK(allocate(context, 5000, ("of many labels " + std::to_string(i)).c_str()));
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), pages = (sanitized ? 256 << 10 : 8 << 10) / page;
    auto* const stack = static_cast<char*>(mmap(nullptr, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    CHECK(mprotect(stack, page, PROT_NONE) == 0);
    stack_t alternate{};
    alternate.ss_sp = stack + page;
    alternate.ss_size = pages * page;
    CHECK(sigaltstack(&alternate, nullptr) == 0);
    std::raise(SIGUSR1);
  });
  assert_well(said, 1);
}

[[gnu::noinline]] int overflow(int depth) {
  volatile char room[4096];
  constexpr int beyond_any_stack = 10'000'000;
  room[depth % 4096] = 1;
  return depth < beyond_any_stack ? overflow(depth + 1) + room[0] : 0;
}

void an_overflow_of_the_stack_is_reported(void**) {
  if (sanitized) skip_because("a sanitizer says it itself");
  const Said said = with("SEGV", [] {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGSEGV, SIG_DFL);
    context_with("matrix", 5);
    static char stack[32 << 10];
    stack_t alternate{};
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    CHECK(sigaltstack(&alternate, nullptr) == 0);
    overflow(0);
  });
  assert_true(WIFSIGNALED(said.status) && WTERMSIG(said.status) == SIGSEGV);
  assert_int_equal(reports_in(said.text), 1);
}

std::atomic<int> reported = 0;

// Wherever a signal meets its thread, there is a whole report, or a line. Each is awaited, lest two become one.
void signals_in_the_middle_of_calls_are_reported(void**) {
  constexpr int signals = 300;
  const Said said = with("USR1,refused", [] {
    std::signal(SIGUSR1, [](int) { ++reported; });
    const cadastre_context context = context_with("matrix", 5);
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 7 * mebibyte) == CADASTRE_SUCCESS);
    const pthread_t worker = pthread_self();
    std::atomic<bool> ends = false;
    std::thread other([&] {
      for (int i = 0; i < signals; ++i) {
        CHECK(pthread_kill(worker, SIGUSR1) == 0);
        while (reported <= i) std::this_thread::sleep_for(100us);
        std::this_thread::sleep_for(std::chrono::microseconds(i));
      }
      ends = true;
    });
    while (!ends) {
      CHECK(cadastre_free(context, allocate(context, mebibyte, "large")) == CADASTRE_SUCCESS);
      CHECK(cadastre_free(context, allocate(context, 100, "small")) == CADASTRE_SUCCESS);
      CHECK(!allocate(context, 10 * mebibyte, "refused"));
    }
    other.join();
  });
  assert_int_equal(said.status, 0);
  const std::size_t whole = count_of(said.text, "\ntogether "), lines = count_of(said.text, "while it wrote another report\n");
  assert_int_equal(reports_in(said.text), whole + lines);
  assert_int_equal(count_of(said.text, "SIGUSR1"), signals);
}

void several_threads_report_whole_reports(void**) {
  const Said said = with("USR1,near:99%@10ms", [] {
    wait_for_holders(context_with("matrix", 5), 5 * mebibyte);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int k = 0; k < 20; ++k) std::raise(SIGUSR1);
      });
    }
    for (std::thread& one : threads) one.join();
  });
  assert_well(said, 80);
  assert_int_equal(count_of(said.text, "\ntogether "), 80);
  assert_int_equal(count_of(said.text, "   5.00 MiB          5 HOST      matrix\n\nCadastre"), 79);
}

std::ptrdiff_t descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

void the_child_of_a_fork_reports_nothing(void**) {
  const Said said = with("USR1,TERM,exit", [] {
    context_with("matrix", 5);
    const std::ptrdiff_t before = descriptors();
    const pid_t child = fork();
    if (child == 0) {
      if (descriptors() >= before) _exit(2);
      std::raise(SIGUSR1);
      std::raise(SIGTERM);
      _exit(1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  });
  assert_well(said, 1);
}

void a_child_that_no_handler_of_forks_saw_reports_nothing(void**) {
  if (sanitized) skip_because("a sanitizer has to see each fork");
  const Said said = with("USR1,exit", [] {
    context_with("matrix", 5);
    const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (child == 0) {
      std::raise(SIGUSR1);
      std::exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  });
  assert_well(said, 1);
}

void reports_go_where_the_others_go(void**) {
  const std::string path = folder + "/reports.txt";
  const Said said = with("USR1,exit", [&] {
    setenv("CADASTRE_REPORT", path.c_str(), 1);
    const cadastre_context context = context_with("matrix", 5);
    std::raise(SIGUSR1);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  assert_well(said, 0);
  const std::string text = content(path);
  assert_int_equal(reports_in(text), 2);
  assert_int_equal(count_of(text, "this context"), 1);
  assert_true(text.find(", report: SIGUSR1\n") < text.find("this context") &&
              text.find("this context") < text.find(", report: the process ends"));
}

void reports_that_are_json_are_left_alone(void**) {
  const std::string path = folder + "/reports.json";
  const Said said = with("exit", [&] {
    setenv("CADASTRE_REPORT", path.c_str(), 1);
    context_with("matrix", 5);
  });
  assert_well(said, 1);
  assert_int_equal(reports_in(content(path)), 0);
}

void a_closed_standard_error_gets_nothing(void**) {
  const Said said = with("exit,USR1", [] {
    const int error = fcntl(STDERR_FILENO, F_DUPFD, 100);
    close(STDERR_FILENO);
    context_with("matrix", 5);
    const int file = ::open((folder + "/of the program").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    std::raise(SIGUSR1);
    const off_t end = lseek(file, 0, SEEK_END);
    CHECK(dup2(error, STDERR_FILENO) == STDERR_FILENO);
    CHECK(file == STDERR_FILENO && end == 0);
    CHECK(problem_of_environment().find("CADASTRE_REPORT_ON: the file cannot be written (Bad file descriptor): /dev/stderr") == 0);
  });
  assert_well(said, 0);
}

void a_black_box_and_reports_are_kept_together(void**) {
  const std::string boxes = folder + "/boxes";
  std::filesystem::create_directory(boxes);
  const Said said = with("exit", [&] {
    setenv("CADASTRE_BLACKBOX", boxes.c_str(), 1);
    context_with("matrix", 5);
    CHECK(problem_of_environment().empty());
  });
  assert_well(said, 1);
  const Said none = with("exit", [&] {
    setenv("CADASTRE_BLACKBOX", (folder + "/nowhere").c_str(), 1);
    context_with("matrix", 5);
    CHECK(black_box_pages()->figures.events == 0);  // which no report shows
  });
  assert_well(none, 1);
  assert_has(none, "   5.00 MiB          5 HOST      matrix\n");
}

// Whichever system call fails, the program goes on, and what cannot be had is said.
void what_cannot_be_watched_is_said(void**) {
  std::string problems;
  for (int number = 1; number <= 40; ++number) {
    const Said said = with("near@10ms,exit,TERM", [number] {
      setenv("CADASTRE_FAIL", ("system:" + std::to_string(number)).c_str(), 1);
      const cadastre_context context = cadastre_context_create();
      if (context == CADASTRE_NULL_CONTEXT) return;
      cadastre_free(context, allocate(context, mebibyte, "matrix"));
      std::fprintf(stderr, "problem <%s>\n", problem_of_environment().c_str());
    });
    assert_int_equal(said.status, 0);
    problems += said.text;
  }
  assert_int_equal(count_of(problems, "problem <CADASTRE_REPORT_ON: there is no thread that looks at intervals>"), 1);
  assert_int_equal(
      count_of(problems, "problem <CADASTRE_REPORT_ON: TERM is ignored by this program, or cannot be handled, and stays as it is>"), 1);
  assert_true(count_of(problems, "problem <CADASTRE_REPORT_ON: the file cannot be written (") >= 1);
  assert_true(count_of(problems, "problem <>") >= 10);
}

}  // namespace

int main() {
  char name[] = "/tmp/cadastre-report-on-XXXXXX";
  if (!mkdtemp(name)) return 99;
  folder = name;
  forget_variables();
  const CMUnitTest tests[] = {
      cmocka_unit_test(occasions_are_read),
      cmocka_unit_test(what_is_no_occasion_is_refused),
      cmocka_unit_test(an_approach_is_reported_at_halves_of_what_is_left),
      cmocka_unit_test(an_approach_begins_anew_when_it_is_far_again),
      cmocka_unit_test(an_approach_begins_anew_with_another_limit),
      cmocka_unit_test(an_approach_to_a_small_share_begins_anew),
      cmocka_unit_test(without_an_occasion_nothing_is_written_and_no_handler_is_there),
      cmocka_unit_test(a_context_near_its_limit_is_reported),
      cmocka_unit_test(a_process_near_its_limits_is_reported),
      cmocka_unit_test(a_limit_that_is_hovered_about_is_reported_once),
      cmocka_unit_test(many_contexts_near_their_limits_are_not_reported_without_end),
      cmocka_unit_test(many_small_blocks_come_near_a_limit),
      cmocka_unit_test(what_the_host_offers_is_looked_at_as_memory_grows),
      cmocka_unit_test(the_memory_of_a_device_is_looked_at_as_it_fills),
      cmocka_unit_test(the_host_is_not_looked_at_again_for_a_little_that_is_freed),
      cmocka_unit_test(what_lives_on_a_device_is_of_its_backend),
      cmocka_unit_test(the_host_is_looked_at_with_little_of_a_stack),
      cmocka_unit_test(a_thread_sees_what_makes_no_call),
      cmocka_unit_test(a_refusal_is_reported_with_its_message_and_its_holders),
      cmocka_unit_test(refusals_in_a_row_are_reported_once),
      cmocka_unit_test(a_workspace_that_is_refused_is_reported),
      cmocka_unit_test(a_normal_end_is_reported_and_no_other),
      cmocka_unit_test(a_signal_is_reported_and_the_process_goes_on),
      cmocka_unit_test(a_signal_that_ends_the_process_ends_it_as_it_did),
      cmocka_unit_test(a_fault_ends_the_process_as_it_did),
      cmocka_unit_test(the_handler_that_was_there_is_called),
      cmocka_unit_test(a_handler_that_is_called_once_is_called_once),
      cmocka_unit_test(an_ignored_signal_stays_ignored),
      cmocka_unit_test(a_system_call_goes_on),
      cmocka_unit_test(a_small_stack_is_enough),
      cmocka_unit_test(an_overflow_of_the_stack_is_reported),
      cmocka_unit_test(signals_in_the_middle_of_calls_are_reported),
      cmocka_unit_test(several_threads_report_whole_reports),
      cmocka_unit_test(the_child_of_a_fork_reports_nothing),
      cmocka_unit_test(a_child_that_no_handler_of_forks_saw_reports_nothing),
      cmocka_unit_test(reports_go_where_the_others_go),
      cmocka_unit_test(reports_that_are_json_are_left_alone),
      cmocka_unit_test(a_closed_standard_error_gets_nothing),
      cmocka_unit_test(a_black_box_and_reports_are_kept_together),
      cmocka_unit_test(what_cannot_be_watched_is_said),
  };
  const int failed = cmocka_run_group_tests_name("reports on occasions", tests, nullptr, nullptr);
  std::filesystem::remove_all(folder);
  return failed;
}
