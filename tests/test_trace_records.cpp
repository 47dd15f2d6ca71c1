// Tangled from org/tests/trace_record_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "command/trace.hpp"
#include "command/trace_report.hpp"
#include "command/trace_summary.hpp"
#include "out/trace_format.hpp"
#include "recorded_children.hpp"

using namespace cadastre::command;
namespace format = cadastre::internal;

namespace {

std::string folder;

std::string path_of(const char* name) { return folder + "/" + name; }

int status_of(const std::string& trace, const Task& task) {
  return status_of_child([&] {
    setenv("CADASTRE_TRACE", trace.c_str(), 1);
    task();
  });
}

// The trace of a program that ends well.
Trace recorded(const char* name, const Task& task) {
  const std::string path = path_of(name);
  const int status = status_of(path, task);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  Trace trace = read_trace(path);
  assert_string_equal(trace.incomplete.c_str(), "");
  return trace;
}

std::size_t count_of(const Trace& trace, Kind kind, bool well = true) {
  std::size_t count = 0;
  for (const Operation& operation : trace.operations) count += operation.kind == kind && (operation.result == 0) == well;
  return count;
}

void pairs(cadastre_context context, int count) {
  for (int i = 0; i < count; ++i) CHECK(cadastre_free(context, allocate(context, 8 + static_cast<std::size_t>(i) % 100, "a pair")) == 0);
}

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// Why a file is refused; empty where it is read.
std::string fault_of(const std::string& bytes) {
  const std::string path = path_of("damaged");
  write_file(path, bytes);
  try {
    read_trace(path);
  } catch (const TraceError& error) {
    return std::string(error.what()).substr(path.size() + 2);
  }
  return "";
}

// The sums of xxhsum 0.8.1 for the bytes 0, 1, 2 and so on.
void the_check_sum_is_that_of_its_description(void**) {
  std::string bytes(64, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
  assert_true(format::trace_checksum(bytes.data(), 0) == 0xef46db3751d8e999);
  assert_true(format::trace_checksum(bytes.data(), 8) == 0x884a173614b81b8d);
  assert_true(format::trace_checksum(bytes.data(), 32) == 0xcbf59c5116ff32b4);
  assert_true(format::trace_checksum(bytes.data(), 56) == 0x0cd869f80ff2b918);
}

// Each block is allocated by one thread, looked up by another and freed by a third.
void blocks_that_threads_hand_over_are_there_before_they_are_used(void**) {
  constexpr int threads = 4, blocks = 3000;
  const Trace trace = recorded("handed", [] {
    const cadastre_context context = cadastre_context_create();
    std::array<std::atomic<void*>, threads> from{}, seen{};
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) {
      all.emplace_back([&, thread] {
        const auto own = static_cast<std::size_t>(thread), next = (own + 1) % threads, last = (own + 2) % threads;
        int allocated = 0, looked_up = 0, freed = 0;
        while (allocated < blocks || looked_up < blocks || freed < blocks) {
          if (allocated < blocks && !from[own].load(std::memory_order_relaxed)) {
            void* const block = allocate(context, 16 + static_cast<std::size_t>(allocated++) % 3000, "handed over");
            CHECK(block);
            from[own].store(block, std::memory_order_release);
          }
          if (void* const block =
                  looked_up < blocks && !seen[next].load(std::memory_order_relaxed) ? from[next].exchange(nullptr) : nullptr) {
            cadastre_memory_info_struct info;
            CHECK(cadastre_get_malloc_info(context, block, &info) == CADASTRE_SUCCESS);
            ++looked_up;
            seen[next].store(block, std::memory_order_release);
          }
          if (void* const block = freed < blocks ? seen[last].exchange(nullptr) : nullptr) {
            CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
            ++freed;
          }
          std::this_thread::yield();
        }
      });
    }
    for (std::thread& one : all) one.join();
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  assert_int_equal(count_of(trace, Kind::malloc), threads * blocks);
  assert_int_equal(count_of(trace, Kind::info), threads * blocks);
  assert_int_equal(count_of(trace, Kind::free), threads * blocks);
  assert_int_equal(trace.threads.size(), threads + 1);
}

void threads_that_come_and_go_write_to_few_parts(void**) {
  constexpr int threads = 100;
  const Trace trace = recorded("threads", [] {
    const cadastre_context context = cadastre_context_create();
    for (int thread = 0; thread < threads; ++thread) std::thread([=] { pairs(context, 5); }).join();
  });
  assert_int_equal(count_of(trace, Kind::malloc), threads * 5);
  assert_int_equal(trace.threads.size(), threads + 1);
  struct stat status{};
  assert_int_equal(stat(path_of("threads").c_str(), &status), 0);
  assert_true(static_cast<std::size_t>(status.st_size) <= 4 * format::trace_part_bytes);
}

cadastre_context of_handler;
std::atomic<long> handled = 0;

// So many records that each second handler begins another part.
void allocate_in_handler(int) {
  for (int i = 0; i < 900; ++i) {
    void* const block = allocate(of_handler, 40, "of a handler");
    if (!block) return;
    if (cadastre_free(of_handler, block) == CADASTRE_SUCCESS) ++handled;
  }
}

// What a handler asks for is refused where its thread is inside the library, and recorded elsewhere: also in the middle of a record.
void a_handler_of_signals_writes_between_the_words_of_others(void**) {
  int answer[2];
  assert_int_equal(pipe(answer), 0);
  constexpr int rounds = 400, at_a_time = 100;
  const Trace trace = recorded("handlers", [&] {
    const cadastre_context context = cadastre_context_create();
    of_handler = cadastre_context_create();
    allocate_in_handler(SIGALRM);
    struct sigaction action{};
    action.sa_handler = allocate_in_handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    for (int round = 0; round < rounds; ++round) {  // one signal each, so that a slow handler does not follow upon itself
      const itimerval soon{{0, 0}, {0, 1 + round % 20}};
      setitimer(ITIMER_REAL, &soon, nullptr);
      pairs(context, at_a_time);
    }
    const long count = handled;
    CHECK(write(answer[1], &count, sizeof count) == sizeof count);
  });
  long count = 0;
  assert_int_equal(read(answer[0], &count, sizeof count), sizeof count);
  close(answer[0]);
  close(answer[1]);
  assert_true(count > 1);
  std::vector<long> frees(3);
  for (const Operation& operation : trace.operations) {
    if (operation.kind == Kind::free && operation.result == 0) ++frees[operation.context];
  }
  assert_int_equal(frees[1], rounds * at_a_time);
  assert_true(frees[2] >= count);
}

void labels_of_any_length_come_before_what_has_them(void**) {
  const Trace trace = recorded("labels", [] {
    const cadastre_context context = cadastre_context_create();
    for (std::size_t length = 1; length <= 255; ++length) CHECK(allocate(context, length, std::string(length, 'x').c_str()));
    std::thread([=] { CHECK(allocate(context, 7, std::string(7, 'x').c_str())); }).join();
  });
  for (const Operation& operation : trace.operations) {
    if (operation.kind == Kind::malloc) assert_int_equal(trace.labels[operation.label].size(), operation.size);
  }
  assert_int_equal(count_of(trace, Kind::malloc), 256);
  assert_int_equal(trace.labels.size(), 256);
}

// A record has 32 bits for its time, of which a part says from when they are counted, and says it anew when they would not suffice.
void long_pauses_do_not_wrap_the_clock(void**) {
  const auto begin = std::chrono::steady_clock::now();
  const Trace trace = recorded("pauses", [] {
    const cadastre_context context = cadastre_context_create();
    pairs(context, 1);
    usleep(4'400'000);
    pairs(context, 1);
    usleep(1'000'000);
    pairs(context, 3000);  // the next parts, which may have the same addresses
  });
  const std::int64_t took = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  assert_int_equal(trace.operations.size(), 1 + 2 * 3002);
  const std::int64_t pause = trace.operations[3].time - trace.operations[2].time;
  assert_in_range(pause, 4'399'000'000, took);
  assert_in_range(trace.operations.back().time, 5'400'000'000, took);
}

void many_contexts_are_told_from_each_other(void**) {
  constexpr int contexts = 300;
  const Trace trace = recorded("contexts", [] {
    std::vector<cadastre_context> all;
    for (int i = 0; i < contexts; ++i) all.push_back(cadastre_context_create());
    for (int round = 0; round < 3; ++round) {
      for (const cadastre_context context : all) pairs(context, round + 1);
    }
    CHECK(cadastre_free(all[0], allocate(all[1], 8)) == CADASTRE_INVALID_ARG_2);
    for (const cadastre_context context : all) CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  std::vector<int> frees(contexts + 1);
  for (const Operation& operation : trace.operations) frees[operation.context] += operation.kind == Kind::free && operation.result == 0;
  for (int i = 1; i <= contexts; ++i) assert_int_equal(frees[static_cast<std::size_t>(i)], 6);
  assert_int_equal(count_of(trace, Kind::free, false), 1);
  assert_int_equal(count_of(trace, Kind::destroy), contexts);
}

bool is_cut(const Trace& trace) { return trace.incomplete.find("did not end by exit") != std::string::npos; }

void all_that_was_done_is_there_after_a_kill(void**) {
  for (const int signal : {SIGKILL, SIGABRT, 0}) {
    const std::string path = path_of("killed");
    const int status = status_of(path, [=] {
      const cadastre_context context = cadastre_context_create();
      std::thread([=] { pairs(context, 3000); }).join();
      pairs(context, 3000);
      std::signal(SIGABRT, SIG_DFL);
      const rlimit none{};
      setrlimit(RLIMIT_CORE, &none);
      if (signal == 0) _exit(0);
      kill(getpid(), signal);
      pause();
    });
    assert_true(signal == 0 ? WIFEXITED(status) : WIFSIGNALED(status) && WTERMSIG(status) == signal);
    if (content(path).find("\npages shared\n") == std::string::npos) skip();
    const Trace trace = read_trace(path);
    assert_true(is_cut(trace));
    assert_int_equal(trace.operations.size(), 1 + 2 * 6000);
  }
}

// The call that asks for the file system fails, whichever of the first it is.
void where_no_page_is_promised_parts_are_written(void**) {
  const std::string path = path_of("written");
  bool found = false;
  for (int call = 1; call < 40 && !found; ++call) {
    const auto run = [&](bool killed) {
      return status_of(path, [=] {
        setenv("CADASTRE_FAIL", ("system:" + std::to_string(call)).c_str(), 1);
        const cadastre_context context = cadastre_context_create();
        if (context == CADASTRE_NULL_CONTEXT) _exit(2);
        std::atomic<bool> done = false;
        std::thread alive([&] {
          pairs(context, 3000);
          done = true;
          pause();
        });
        while (!done) std::this_thread::yield();
        pairs(context, 3000);
        if (killed) kill(getpid(), SIGKILL);
        std::exit(0);
      });
    };
    if (run(false) != 0) continue;
    found = content(path).find("\npages written\n") != std::string::npos;
    if (!found) continue;
    const Trace whole = read_trace(path);
    assert_string_equal(whole.incomplete.c_str(), "");
    assert_int_equal(whole.operations.size(), 1 + 2 * 6000);
    run(true);
    const Trace cut = read_trace(path);
    assert_true(is_cut(cut));
    assert_in_range(cut.operations.size(), 1 + 2 * 6000 - 2 * 4096, 2 * 6000);
  }
  assert_true(found);
}

void a_file_that_is_written_says_so(void**) {
  const std::string path = path_of("running");
  int ready[2], go[2];
  assert_true(pipe(ready) == 0 && pipe(go) == 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_TRACE", path.c_str(), 1);
    const cadastre_context context = cadastre_context_create();
    pairs(context, 10);
    char byte = 0;
    CHECK(write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1);
    std::exit(0);
  }
  char byte = 0;
  assert_int_equal(read(ready[0], &byte, 1), 1);
  const bool is_shared = content(path).find("\npages shared\n") != std::string::npos;
  const Trace trace = read_trace(path);
  assert_int_equal(write(go[1], &byte, 1), 1);
  int status = 1;
  assert_int_equal(waitpid(child, &status, 0), child);
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
  assert_int_equal(status, 0);
  assert_non_null(std::strstr(trace.incomplete.c_str(), "still writes it"));
  if (is_shared) assert_int_equal(trace.operations.size(), 21);
  assert_string_equal(read_trace(path).incomplete.c_str(), "");
}

void a_child_leaves_the_file_to_its_parent(void**) {
  const Trace trace = recorded("forked", [] {
    const cadastre_context context = cadastre_context_create();
    pairs(context, 10);
    for (int i = 0; i < 3; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        pairs(context, 5000);
        CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
        std::exit(0);
      }
      pairs(context, 2000);
      int status = 1;
      CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
  });
  assert_int_equal(count_of(trace, Kind::free), 6010);
  assert_int_equal(count_of(trace, Kind::destroy), 0);
}

// Both would write to the same words.
void a_child_that_no_handler_of_forks_saw_writes_nothing(void**) {
  if (sanitized) skip_because("a sanitizer has to see each fork");
  for (const char* const name : {"cloned", "cloned.csv"}) {
    const Trace trace = recorded(name, [] {
      const cadastre_context context = cadastre_context_create();
      pairs(context, 10);
      in_raw_child([=] {
        pairs(context, 300);
        CHECK(allocate(context, 5 << 20, "of the child"));
        CHECK(allocate(cadastre_context_create(), 100, "of the child"));
        CHECK(!allocate(context, std::size_t{1} << 60, "of the child"));
      });
      pairs(context, 10);
    });
    assert_int_equal(count_of(trace, Kind::malloc), 20);
    assert_int_equal(count_of(trace, Kind::free), 20);
    assert_int_equal(count_of(trace, Kind::create), 1);
    assert_int_equal(count_of(trace, Kind::malloc, false), 0);
    assert_true(std::find(trace.labels.begin(), trace.labels.end(), "of the child") == trace.labels.end());
  }
}

void a_limit_on_files_ends_the_trace_and_not_the_program(void**) {
  const std::string path = path_of("limited");
  const int status = status_of(path, [] {
    const cadastre_context context = cadastre_context_create();
    const rlimit limit{300 << 10, 300 << 10};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    pairs(context, 100'000);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  assert_int_equal(status, 0);
  const Trace trace = read_trace(path);
  assert_non_null(std::strstr(trace.incomplete.c_str(), "ends before its program: File too large"));
  assert_true(count_of(trace, Kind::free) > 3000);
}

void a_program_that_closes_all_descriptors_keeps_its_file(void**) {
  const std::string path = path_of("closed");
  const Trace trace = recorded("closed", [&] {
    const cadastre_context context = cadastre_context_create();
    pairs(context, 10);
    for (int descriptor = 3; descriptor < 1024; ++descriptor) close(descriptor);
    // Another one finds nobody at the lock.
    const pid_t other = fork();
    if (other == 0) {
      setenv("RECORDS_CHILD", "1", 1);
      execl("/proc/self/exe", "test_trace_records", static_cast<char*>(nullptr));
      _exit(127);
    }
    pairs(context, 5000);
    int status = 1;
    CHECK(waitpid(other, &status, 0) == other && status == 0);
  });
  assert_int_equal(count_of(trace, Kind::free), 5010);
}

// Objects that were made before the first context are destroyed after the trace has its end.
struct Late {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  ~Late() {
    if (context != CADASTRE_NULL_CONTEXT) pairs(context, 100);
  }
};

void what_is_done_while_the_process_ends_is_there(void**) {
  const Trace trace = recorded("late", [] {
    static Late late;
    late.context = cadastre_context_create();
    pairs(late.context, 100);
  });
  assert_int_equal(count_of(trace, Kind::free), 200);
}

// A small trace with full parts, and one that is open.
const std::string& sound() {
  static const std::string bytes = [] {
    recorded("sound", [] {
      const cadastre_context context = cadastre_context_create();
      std::thread([=] { pairs(context, 2000); }).join();
      pairs(context, 2000);
    });
    return content(path_of("sound"));
  }();
  return bytes;
}

void expect_fault(const std::string& bytes, const char* fault) {
  const std::string found = fault_of(bytes);
  if (found.find(fault) == std::string::npos) print_error("'%s' and not '%s'\n", found.c_str(), fault);
  assert_true(found.find(fault) != std::string::npos);
}

std::string with(std::string bytes, std::size_t at, std::uint64_t word) {
  std::memcpy(bytes.data() + at, &word, sizeof word);
  return bytes;
}

void a_damaged_file_is_refused_with_the_place(void**) {
  const std::string& bytes = sound();
  assert_string_equal(fault_of(bytes).c_str(), "");
  expect_fault(bytes.substr(0, 5000), "the file ends within its head");
  expect_fault(with(bytes, offsetof(format::TraceHead, byte_order), 7), "its order of bytes is none");
  expect_fault(with(bytes, offsetof(format::TraceHead, version_and_part), format::pack_halves(3, format::trace_part_bytes)),
               "the trace has version 3 of the format; this command reads versions 1 to 2");
  expect_fault(with(bytes, sizeof(format::TraceHead) + 16, 0), "the head is damaged: its check sum is another");
  expect_fault(with(bytes, offsetof(format::TraceHead, text_bytes), ~std::uint64_t{0}), "the head is damaged");
  std::size_t full = 0;
  for (std::size_t at = format::trace_part_bytes; at < bytes.size(); at += format::trace_part_bytes) {
    if (bytes[at] == 2 && full == 0) full = at;
  }
  assert_true(full > 0);
  const std::string number = std::to_string(full / format::trace_part_bytes);
  expect_fault(with(bytes, full + 800, 0x1234567890),
               ("part " + number + " is damaged at byte " + std::to_string(full) + ": its check sum is another").c_str());
  expect_fault(with(bytes, full, 9), "its state is none that there is");
  // A file that says the same part again and again.
  std::string endless = bytes.substr(0, format::trace_part_bytes);
  for (int part = 0; part < 80; ++part) endless += with(bytes.substr(full, format::trace_part_bytes), 0, 1);
  for (std::size_t part = 1; part <= 80; ++part) {
    endless = with(std::move(endless), part * format::trace_part_bytes + offsetof(format::TracePartHead, time), 100 - part);
  }
  expect_fault(endless, "it begins before 64 parts of its stream end");
  // Records that are none, in a part without a check sum.
  const std::string open = with(bytes, full, 1);
  assert_string_equal(fault_of(open).c_str(), "");
  const auto malloc = static_cast<unsigned>(format::TraceKind::malloc), again = static_cast<unsigned>(format::TraceKind::again);
  expect_fault(with(open, full + 64, malloc), "a record there has more words than the part");
  expect_fault(with(open, full + 64, malloc | 1 << 8), "a record there has fewer words than its kind");
  expect_fault(with(open, full + 64, again | 2 << 8), "a record there is like a malloc, and none is before it");
  assert_string_equal(fault_of(with(open, full + 64, (std::uint64_t{static_cast<unsigned char>(bytes[full + 65])} << 8) | 200)).c_str(),
                      "");
}

// Parts of it are of a full file, so that damage meets the records and not a check sum.
void a_file_that_was_cut_between_parts_says_so(void**) {
  recorded("long", [] {
    const cadastre_context context = cadastre_context_create();
    pairs(context, 10000);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  const std::string bytes = content(path_of("long"));
  const std::size_t parts = bytes.size() / format::trace_part_bytes - 1;
  assert_true(parts > 3);
  write_file(path_of("cut"), bytes.substr(0, 3 * format::trace_part_bytes));
  const std::string expected =
      "the file was cut off: " + std::to_string(parts - 2) + " of its " + std::to_string(parts) + " parts are not there; copy it again";
  assert_string_equal(summarize(*open_trace(path_of("cut"), Remembers::what_lives)).incomplete.c_str(), expected.c_str());
}

void a_refused_request_has_its_label_though_no_block_had_it(void**) {
  recorded("refused", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 1000) == CADASTRE_SUCCESS);
    CHECK(!allocate(context, 2000, "the first with this label"));
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  const Summary summary = summarize(*open_trace(path_of("refused"), Remembers::what_lives));
  assert_int_equal(summary.refusals.size(), 1);
  assert_string_equal(summary.refusals[0].label.c_str(), "the first with this label");
}

void a_block_whose_number_has_no_positive_one_is_refused(void**) {
  const int status = status_of(path_of("foreign"), [] {
    const cadastre_context context = cadastre_context_create();
    int foreign = 0;
    CHECK(cadastre_free(context, &foreign) != CADASTRE_SUCCESS);
    _exit(0);  // and the parts have no check sum
  });
  assert_int_equal(status, 0);
  std::string bytes = content(path_of("foreign"));
  const std::string minus_one(8, '\xff'), least = std::string(7, '\0') + '\x80';
  std::size_t found = 0;
  for (std::size_t at = format::trace_part_bytes; (at = bytes.find(minus_one, at)) != std::string::npos; at += 8, ++found)
    bytes.replace(at, 8, least);
  assert_int_equal(found, 1);
  assert_non_null(std::strstr(fault_of(bytes).c_str(), "block -9223372036854775808 is out of range"));
}

void any_damage_is_refused_or_read(void**) {
  std::string bytes = sound();
  for (std::size_t at = format::trace_part_bytes; at < bytes.size(); at += format::trace_part_bytes) {
    if (bytes[at] == 2) bytes[at] = 1;
  }
  std::mt19937_64 random(20261129);
  const char* const rounds = std::getenv("LONG") ? "20000" : "300";
  for (int round = 0, most = std::atoi(rounds); round < most; ++round) {
    std::string damaged = bytes;
    for (unsigned i = 0, count = 1 + random() % 8; i < count; ++i) {
      const std::size_t part = 1 + random() % (bytes.size() / format::trace_part_bytes - 1);
      const std::size_t at = part * format::trace_part_bytes + 8 * (random() % (random() % 4 == 0 ? 8 : 2000));
      const std::uint64_t words[] = {random(), random() % 4096, 0, ~std::uint64_t{0}, std::uint64_t{1} << random() % 64};
      damaged = with(std::move(damaged), at, words[random() % 5]);
    }
    if (random() % 8 == 0) damaged.resize(random() % damaged.size());
    fault_of(damaged);
  }
}

// As a machine of the other order writes it.
void the_other_order_of_bytes_is_read(void**) {
  recorded("sound", [] {
    const cadastre_context context = cadastre_context_create();
    for (const char* label : {"walkers", "a longer label of walkers", "x"}) CHECK(allocate(context, 100, label));
  });
  std::string bytes = content(path_of("sound"));
  const auto swap_at = [&](std::size_t at) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin() + static_cast<std::ptrdiff_t>(at) + 8);
  };
  const auto word_at = [&](std::size_t at) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
  };
  for (std::size_t part = format::trace_part_bytes; part < bytes.size(); part += format::trace_part_bytes) {
    bytes[part] = 1;  // whose check sum is that of the swapped words
    for (std::size_t at = part; at < part + format::trace_part_bytes;) {
      const format::TraceWord first = format::unpack_trace_word(word_at(at));
      const bool is_record = at >= part + 64 && word_at(at) != 0;
      const std::size_t words = is_record ? first.words : 1;
      const bool is_label = is_record && first.kind == format::TraceKind::label;
      for (std::size_t word = 0; word < words; ++word) {
        if (!is_label || word == 0) swap_at(at + 8 * word);
      }
      at += 8 * words;
    }
  }
  for (std::size_t at = 16; at < sizeof(format::TraceHead); at += 8) swap_at(at);
  write_file(path_of("swapped"), bytes);
  const Trace trace = read_trace(path_of("swapped"));
  assert_int_equal(trace.operations.size(), 4);
  assert_string_equal(trace.labels[trace.operations[2].label].c_str(), "a longer label of walkers");
  assert_int_equal(trace.operations[2].size, 100);
}

// The same bytes with another host in their head; both names have one length.
std::string on_host(std::string bytes, const std::string& before, const std::string& host) {
  format::TraceHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  const std::size_t place = bytes.find("host " + before);
  assert_true(place < sizeof head + head.text_bytes && before.size() == host.size());
  bytes.replace(place + 5, host.size(), host);
  head.checksum = format::trace_checksum(bytes.data() + sizeof head, head.text_bytes);
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

void ranks_of_several_hosts_are_added_up_by_host(void**) {
  recorded("on_a_host", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 1 << 20, "field"));
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  const std::string bytes = content(path_of("on_a_host"));
  const std::size_t begin = bytes.find("host ") + 5;
  const std::string host = bytes.substr(begin, bytes.find('\n', begin) - begin);
  std::vector<Summary> summaries;
  for (const char name : {'a', 'b', 'b'}) {
    const std::string path = path_of("on_another_host");
    write_file(path, on_host(bytes, host, std::string(host.size(), name)));
    summaries.push_back(summarize(*open_trace(path, Remembers::what_lives)));
  }
  const std::string text = as_text({summaries}, true), of_hosts = text.substr(text.find("2 hosts"));
  assert_true(text.find("2 hosts") != std::string::npos);
  const std::string expected = "1.00 MiB  1.50 MiB  2.00 MiB  3.00 MiB  " + std::string(host.size(), 'b') + "\n";
  assert_true(of_hosts.find(expected) != std::string::npos);
}

}  // namespace

int main() {
  if (std::getenv("RECORDS_CHILD")) {
    pairs(cadastre_context_create(), 10);
    return 0;
  }
  const char* const temporary = std::getenv("TMPDIR");
  folder = std::string(temporary ? temporary : "/tmp") + "/cadastre-records-XXXXXX";
  if (!mkdtemp(folder.data())) return 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_check_sum_is_that_of_its_description),
      cmocka_unit_test(blocks_that_threads_hand_over_are_there_before_they_are_used),
      cmocka_unit_test(threads_that_come_and_go_write_to_few_parts),
      cmocka_unit_test(a_handler_of_signals_writes_between_the_words_of_others),
      cmocka_unit_test(labels_of_any_length_come_before_what_has_them),
      cmocka_unit_test(long_pauses_do_not_wrap_the_clock),
      cmocka_unit_test(many_contexts_are_told_from_each_other),
      cmocka_unit_test(all_that_was_done_is_there_after_a_kill),
      cmocka_unit_test(where_no_page_is_promised_parts_are_written),
      cmocka_unit_test(a_file_that_is_written_says_so),
      cmocka_unit_test(a_child_leaves_the_file_to_its_parent),
      cmocka_unit_test(a_child_that_no_handler_of_forks_saw_writes_nothing),
      cmocka_unit_test(a_limit_on_files_ends_the_trace_and_not_the_program),
      cmocka_unit_test(a_program_that_closes_all_descriptors_keeps_its_file),
      cmocka_unit_test(what_is_done_while_the_process_ends_is_there),
      cmocka_unit_test(a_damaged_file_is_refused_with_the_place),
      cmocka_unit_test(a_file_that_was_cut_between_parts_says_so),
      cmocka_unit_test(a_refused_request_has_its_label_though_no_block_had_it),
      cmocka_unit_test(a_block_whose_number_has_no_positive_one_is_refused),
      cmocka_unit_test(any_damage_is_refused_or_read),
      cmocka_unit_test(the_other_order_of_bytes_is_read),
      cmocka_unit_test(ranks_of_several_hosts_are_added_up_by_host),
  };
  const int failed = cmocka_run_group_tests_name("trace_records", tests, nullptr, nullptr);
  const std::string remove = "rm -rf '" + folder + "'";
  return std::system(remove.c_str()) == 0 ? failed : 1;
}
