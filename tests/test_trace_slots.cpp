// Tangled from org/tests/trace_slot_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "command/trace.hpp"
#include "command/trace_clock.hpp"
#include "out/trace_format.hpp"
#include "recorded_children.hpp"

using namespace cadastre::command;
namespace format = cadastre::internal;

namespace {

std::string folder;

std::string path_of(const char* name) { return folder + "/" + name; }

void pairs(cadastre_context context, int count, const char* label = "a pair") {
  for (int i = 0; i < count; ++i) CHECK(cadastre_free(context, allocate(context, 8 + static_cast<std::size_t>(i) % 100, label)) == 0);
}

int status_of(const std::string& path, const Task& task) {
  return status_of_child([&] {
    setenv("CADASTRE_TRACE", path.c_str(), 1);
    task();
  });
}

Trace recorded(const char* name, const Task& task) {
  assert_int_equal(status_of(path_of(name), task), 0);
  Trace trace = read_trace(path_of(name));
  assert_string_equal(trace.incomplete.c_str(), "");
  return trace;
}

std::size_t count_of(const Trace& trace, Kind kind) {
  std::size_t count = 0;
  for (const Operation& operation : trace.operations) count += operation.kind == kind;
  return count;
}

Trace trace_of(const std::string& bytes) {
  const std::string path = path_of("changed");
  std::ofstream(path, std::ios::binary) << bytes;
  return read_trace(path);
}

std::uint64_t word_at(const std::string& bytes, std::size_t at) {
  std::uint64_t word;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

void set_word(std::string& bytes, std::size_t at, std::uint64_t word) { std::memcpy(bytes.data() + at, &word, sizeof word); }

constexpr int killed_pairs = 5000;

// A trace of two threads that was killed; empty where slots are in memory here.
std::string killed() {
  const std::string path = path_of("killed");
  const int status = status_of(path, [] {
    const cadastre_context context = cadastre_context_create();
    std::atomic<bool> done = false;
    std::thread other([&] {
      pairs(context, killed_pairs);
      done = true;
      pause();
    });
    pairs(context, killed_pairs);
    while (!done) std::this_thread::yield();
    kill(getpid(), SIGKILL);
  });
  assert_true(WIFSIGNALED(status));
  const std::string bytes = content(path);
  return bytes.find("\npages shared\n") == std::string::npos ? "" : bytes;
}

std::vector<std::size_t> slots_in(const std::string& bytes) {
  std::vector<std::size_t> found;
  for (std::size_t at = format::trace_part_bytes; at < bytes.size(); at += format::trace_part_bytes) {
    if (word_at(bytes, at) == static_cast<std::uint64_t>(format::TracePartState::slot)) found.push_back(at);
  }
  return found;
}

std::size_t place_of(const std::string& bytes, std::size_t slot) {
  return format::trace_part_bytes * word_at(bytes, slot + offsetof(format::TracePartHead, place));
}

void expect_all(const Trace& trace) {
  assert_int_equal(trace.operations.size(), 1 + 2 * 2 * killed_pairs);
  assert_null(std::strstr(trace.incomplete.c_str(), "left out"));
}

void a_slot_is_read_where_its_part_belongs(void**) {
  const std::string bytes = killed();
  if (bytes.empty()) skip();
  assert_int_equal(slots_in(bytes).size(), 2);
  expect_all(trace_of(bytes));
}

// What the slot has, as its part; whole says whether its state was written, too.
std::string with_part_written(std::string bytes, std::size_t slot, bool whole) {
  const std::size_t place = place_of(bytes, slot);
  if (bytes.size() < place + format::trace_part_bytes) bytes.resize(place + format::trace_part_bytes);
  std::vector<std::uint64_t> part(format::trace_part_words);
  std::memcpy(part.data(), bytes.data() + slot, format::trace_part_bytes);
  std::size_t used = format::trace_part_head_words;
  while (used < part.size() && part[used] != 0) used += format::unpack_trace_word(part[used]).words;
  format::finish_trace_part(part.data(), used);
  part[0] = whole ? static_cast<std::uint64_t>(format::TracePartState::full) : 0;
  std::memcpy(bytes.data() + place, part.data(), 8 * (whole ? used : used / 2));
  return bytes;
}

void a_part_that_was_written_is_not_read_once_more_from_its_slot(void**) {
  const std::string bytes = killed();
  if (bytes.empty()) skip();
  for (const std::size_t slot : slots_in(bytes)) expect_all(trace_of(with_part_written(bytes, slot, true)));
  std::string all = bytes;
  for (const std::size_t slot : slots_in(bytes)) all = with_part_written(std::move(all), slot, true);
  expect_all(trace_of(all));
  // The first part of a stream is before its slot in the file.
  const int status = status_of(path_of("short"), [] {
    pairs(cadastre_context_create(), 10);
    kill(getpid(), SIGKILL);
  });
  assert_true(WIFSIGNALED(status));
  const std::string few = content(path_of("short"));
  assert_int_equal(slots_in(few).size(), 1);
  assert_true(place_of(few, slots_in(few)[0]) < slots_in(few)[0]);
  assert_int_equal(trace_of(few).operations.size(), 21);
  assert_int_equal(trace_of(with_part_written(few, slots_in(few)[0], true)).operations.size(), 21);
}

void a_part_that_was_half_written_is_read_from_its_slot(void**) {
  const std::string bytes = killed();
  if (bytes.empty()) skip();
  for (const std::size_t slot : slots_in(bytes)) expect_all(trace_of(with_part_written(bytes, slot, false)));
}

// The first word is the last that is written, and what lies behind it is of a part before.
void a_slot_ends_where_a_record_was_not_completed(void**) {
  const std::string bytes = killed();
  if (bytes.empty()) skip();
  const std::size_t slot = slots_in(bytes)[0];
  std::size_t at = slot + sizeof(format::TracePartHead), last = at, records = 0, behind = 0;
  for (; word_at(bytes, at) != 0; at += 8 * format::unpack_trace_word(word_at(bytes, at)).words) {
    last = at;
    ++records;
  }
  for (std::size_t word = at; word < slot + format::trace_part_bytes; word += 8) behind += word_at(bytes, word) != 0;
  assert_true(records > 10 && behind > 100);
  std::string cut = bytes;
  set_word(cut, last, 0);
  assert_int_equal(trace_of(cut).operations.size(), 4 * killed_pairs);
}

void a_program_that_ends_leaves_no_slot(void**) {
  recorded("ended", [] {
    const cadastre_context context = cadastre_context_create();
    std::thread([=] { pairs(context, killed_pairs); }).join();
    pairs(context, 10);
  });
  const std::string bytes = content(path_of("ended"));
  assert_int_equal(slots_in(bytes).size(), 0);
  recorded("small", [] { pairs(cadastre_context_create(), 10); });
  struct stat status{};
  assert_int_equal(stat(path_of("small").c_str(), &status), 0);
  assert_true(static_cast<std::size_t>(status.st_size) <= 2 * format::trace_part_bytes);
}

std::jmp_buf back;
cadastre_context of_handler;
std::atomic<int> handled = 0;

void jump_from_handler(int) {
  pairs(of_handler, 1, "of a handler");
  ++handled;
  siglongjmp(back, 1);
}

// The handler may have interrupted a record, which is never completed then; the library may have been at work, and refuse what it asks for.
void a_handler_that_jumps_leaves_its_thread_able_to_record(void**) {
  const Trace trace = recorded("jumps", [] {
    const cadastre_context context = cadastre_context_create();
    of_handler = cadastre_context_create();
    pairs(context, 10);
    pairs(of_handler, 10);
    struct sigaction action{};
    action.sa_handler = jump_from_handler;
    sigaction(SIGUSR1, &action, nullptr);
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
    pairs(context, 3000);
  });
  assert_int_equal(count_of(trace, Kind::free), 10 + 10 + 1 + 3000);
}

void mallocs_are_alike_only_where_all_but_size_and_block_is_the_same(void**) {
  const Trace trace = recorded("alike", [] {
    const cadastre_context context = cadastre_context_create(), other = cadastre_context_create();
    for (const char* label : {"a", "a", "b", "b", "a", "a"}) {
      for (const cadastre_context one : {context, other}) {
        for (const std::size_t size : {std::size_t{1}, std::size_t{100}, (std::size_t{1} << 24) - 1, std::size_t{1} << 24})
          CHECK(allocate(one, size, label));
      }
    }
    CHECK(!allocate(context, SIZE_MAX, "a"));
    CHECK(allocate(context, 5, "b"));
    CHECK(allocate(context, 6));
  });
  std::vector<Operation> mallocs;
  for (const Operation& operation : trace.operations) {
    if (operation.kind == Kind::malloc) mallocs.push_back(operation);
  }
  assert_int_equal(mallocs.size(), 6 * 8 + 3);
  std::size_t at = 0;
  for (const char* label : {"a", "a", "b", "b", "a", "a"}) {
    for (const std::uint64_t context : {1, 2}) {
      for (const std::size_t size : {std::size_t{1}, std::size_t{100}, (std::size_t{1} << 24) - 1, std::size_t{1} << 24}) {
        const Operation& operation = mallocs[at++];
        assert_string_equal(trace.labels[operation.label].c_str(), label);
        assert_int_equal(operation.size, size);
        assert_int_equal(operation.context, context);
      }
    }
  }
  assert_string_equal(trace.labels[mallocs[at + 1].label].c_str(), "b");
  assert_string_equal(trace.labels[mallocs[at + 2].label].c_str(), "");
}

// Blocks go round in a ring: one thread allocates, the other frees at once.
void blocks_that_two_threads_hand_over_at_once_are_in_order(void**) {
  constexpr int blocks = 60000, places = 64;
  const Trace trace = recorded("handed", [] {
    const cadastre_context context = cadastre_context_create();
    std::array<std::atomic<void*>, places> ring{};
    std::thread consumer([&] {
      for (int i = 0; i < blocks; ++i) {
        std::atomic<void*>& place = ring[static_cast<std::size_t>(i % places)];
        void* block;
        for (int waited = 0; !(block = place.load(std::memory_order_acquire)); ++waited) {
          if (waited > 1000) std::this_thread::yield();
        }
        CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
        place.store(nullptr, std::memory_order_release);
      }
    });
    for (int i = 0; i < blocks; ++i) {
      std::atomic<void*>& place = ring[static_cast<std::size_t>(i % places)];
      for (int waited = 0; place.load(std::memory_order_acquire); ++waited) {
        if (waited > 1000) std::this_thread::yield();
      }
      void* const block = allocate(context, 64, "handed over");
      CHECK(block);
      place.store(block, std::memory_order_release);
    }
    consumer.join();
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  assert_int_equal(count_of(trace, Kind::malloc), blocks);
  assert_int_equal(count_of(trace, Kind::free), blocks);
}

std::int64_t nanoseconds_now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Of a program that ends, and of one that is killed soon after its only part was begun.
void times_are_those_of_the_system_clock(void**) {
  for (const bool is_killed : {false, true}) {
    int measured[2];
    assert_int_equal(pipe(measured), 0);
    const std::string path = path_of("timed");
    status_of(path, [&] {
      const cadastre_context context = cadastre_context_create();
      void* block = allocate(context, 8);
      std::vector<std::int64_t> times;
      for (int i = 0; i < 6; ++i) {
        times.push_back(nanoseconds_now());
        CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
        times.push_back(nanoseconds_now());
        usleep(i == 5 ? 0 : 30'000);
        block = allocate(context, 8);
      }
      CHECK(write(measured[1], times.data(), 8 * times.size()) == 96);
      if (is_killed) kill(getpid(), SIGKILL);
    });
    std::array<std::int64_t, 12> times{};
    assert_int_equal(read(measured[0], times.data(), sizeof times), sizeof times);
    close(measured[0]);
    close(measured[1]);
    if (is_killed && content(path).find("\npages shared\n") == std::string::npos) continue;
    std::vector<std::int64_t> frees;
    for (const Operation& operation : read_trace(path).operations) {
      if (operation.kind == Kind::free) frees.push_back(operation.time);
    }
    assert_int_equal(frees.size(), 6);
    // The first free says where the trace's clock begins, to within the time that it took; a hundredth is more than a rate may be wrong.
    for (std::size_t i = 1; i < frees.size(); ++i) {
      const std::int64_t least = times[2 * i] - times[1], most = times[2 * i + 1] - times[0], passed = frees[i] - frees[0];
      assert_in_range(passed, least - least / 100, most + most / 100);
    }
  }
}

// The call that asks for the system's clock fails, whichever of the first it is.
void without_a_counter_times_are_nanoseconds(void**) {
  const auto counts = [](const std::string& bytes) { return bytes.find("\nticks ") != std::string::npos; };
  const Task task = [] {
    const cadastre_context context = cadastre_context_create();
    if (context == CADASTRE_NULL_CONTEXT) _exit(2);
    pairs(context, 10);
    usleep(20'000);
    std::thread([=] { pairs(context, 3000); }).join();
  };
  recorded("counted", task);
  if (!counts(content(path_of("counted")))) skip();
  bool found = false;
  for (int call = 1; call < 40 && !found; ++call) {
    const std::string path = path_of("uncounted");
    const int status = status_of(path, [&] {
      setenv("CADASTRE_FAIL", ("system:" + std::to_string(call)).c_str(), 1);
      task();
    });
    const std::string bytes = content(path);
    if (status != 0 || bytes.size() < format::trace_part_bytes || counts(bytes)) continue;
    found = true;
    const Trace trace = read_trace(path);
    assert_string_equal(trace.incomplete.c_str(), "");
    assert_int_equal(trace.operations.size(), 1 + 20 + 6000);
    assert_in_range(trace.operations[21].time - trace.operations[20].time, 20'000'000, 2'000'000'000);
  }
  assert_true(found);
}

void ticks_between_two_moments_are_in_proportion(void**) {
  TraceClock plain;
  assert_true(plain.begin(""));
  plain.note(5, 500);
  assert_int_equal(plain.nanoseconds(123), 123);
  TraceClock clock;
  assert_true(clock.begin("2000 1000"));
  assert_int_equal(clock.nanoseconds(100), 50);
  clock.note(1000, 600);
  clock.note(3000, 2600);  // twice as fast as the head has it
  assert_int_equal(clock.nanoseconds(1000), 600);
  assert_int_equal(clock.nanoseconds(2000), 1600);
  assert_int_equal(clock.nanoseconds(4000), 3600);
  clock.note(5000, 5600);
  assert_int_equal(clock.nanoseconds(4500), 4850);
  assert_int_equal(clock.nanoseconds(6000), 6850);  // the rate of all: 5000 in 4000
}

void nanoseconds_never_fall_whatever_the_moments_say(void**) {
  TraceClock clock;
  assert_true(clock.begin("1 1"));
  std::int64_t last = 0;
  const std::int64_t said[] = {0, 900, -5, INT64_MAX, INT64_MIN, 7, INT64_MAX - 1, 3};
  for (int step = 0; step < 8; ++step) {
    clock.note(step * (INT64_MAX / 16) - 3, said[step]);
    const std::int64_t next = clock.nanoseconds(step * (INT64_MAX / 16));
    assert_true(next >= last);
    last = next;
  }
}

void rates_that_are_none_are_refused(void**) {
  for (const char* rate : {"x", "1", "1 ", "0 5", "5 0", "-1 5", "5 -1", "5 5 5", " 5 5", "99999999999999999999 1"}) {
    TraceClock clock;
    assert_false(clock.begin(rate));
  }
}

// A part of version 1: records in their place, words of 0 and a record that was not completed between them, and times that are nanoseconds.
void a_file_of_version_1_is_read(void**) {
  std::string text =
      "program cadastre 0.0.9\nhost there\nrecord 2 label text\nrecord 4 context context\nrecord 6 create\nrecord 5 clock time\n"
      "record 8 malloc traits size block\nrecord 9 free block\nflag 8 context\nflag 16 clock\ntype 0 HOST\n";
  text.resize((text.size() + 7) / 8 * 8, '\n');
  std::string bytes(2 * format::trace_part_bytes, '\0');
  format::TraceHead head = format::trace_head(text.data(), text.size(), 77, format::TraceState::ended);
  head.version_and_part = format::pack_halves(1, format::trace_part_bytes);
  head.parts = 1;
  std::memcpy(bytes.data(), &head, 88);
  std::memcpy(bytes.data() + 88, text.data(), text.size());
  const auto word = [](unsigned kind, unsigned words, unsigned flags, std::uint64_t value) {
    return kind | words << 8 | flags << 24 | value << 32;
  };
  const std::vector<std::uint64_t> part = {1,
                                           0,
                                           0,
                                           format::pack_halves(1, 42),
                                           1000,
                                           3,
                                           0,
                                           0,  // the head: open, stream 1, thread 42, at 1000 in context 3
                                           word(6, 1, 0, 5),
                                           word(2, 2, 0, 9),
                                           0x6c6562616c,  // create; label 9
                                           0,
                                           word(1, 2, 0, 0),
                                           0x1234,
                                           word(8, 4, 0, 7),
                                           9,
                                           100,
                                           1,  // not completed; malloc of 100 bytes, block 1
                                           word(5, 2, 0, 0),
                                           5000,
                                           word(9, 4, 8 | 16, 0),
                                           1,
                                           3,
                                           6000,
                                           0,
                                           0,
                                           word(8, 4, 0, 2000),
                                           0,
                                           8,
                                           2};
  std::memcpy(bytes.data() + format::trace_part_bytes, part.data(), 8 * part.size());
  const Trace trace = trace_of(bytes);
  assert_string_equal(trace.incomplete.c_str(), "");
  assert_int_equal(trace.operations.size(), 4);
  const std::int64_t times[] = {1005, 1007, 6000, 7000};
  const Kind kinds_of[] = {Kind::create, Kind::malloc, Kind::free, Kind::malloc};
  for (std::size_t i = 0; i < 4; ++i) {
    assert_int_equal(trace.operations[i].time, times[i]);
    assert_true(trace.operations[i].kind == kinds_of[i]);
  }
  assert_string_equal(trace.labels[trace.operations[1].label].c_str(), "label");
  assert_int_equal(trace.operations[1].size, 100);
}

}  // namespace

int main() {
  const char* const temporary = std::getenv("TMPDIR");
  folder = std::string(temporary ? temporary : "/tmp") + "/cadastre-slots-XXXXXX";
  if (!mkdtemp(folder.data())) return 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_slot_is_read_where_its_part_belongs),
      cmocka_unit_test(a_part_that_was_written_is_not_read_once_more_from_its_slot),
      cmocka_unit_test(a_part_that_was_half_written_is_read_from_its_slot),
      cmocka_unit_test(a_slot_ends_where_a_record_was_not_completed),
      cmocka_unit_test(a_program_that_ends_leaves_no_slot),
      cmocka_unit_test(a_handler_that_jumps_leaves_its_thread_able_to_record),
      cmocka_unit_test(mallocs_are_alike_only_where_all_but_size_and_block_is_the_same),
      cmocka_unit_test(blocks_that_two_threads_hand_over_at_once_are_in_order),
      cmocka_unit_test(times_are_those_of_the_system_clock),
      cmocka_unit_test(without_a_counter_times_are_nanoseconds),
      cmocka_unit_test(ticks_between_two_moments_are_in_proportion),
      cmocka_unit_test(nanoseconds_never_fall_whatever_the_moments_say),
      cmocka_unit_test(rates_that_are_none_are_refused),
      cmocka_unit_test(a_file_of_version_1_is_read),
  };
  const int failed = cmocka_run_group_tests_name("slots and clocks of traces", tests, nullptr, nullptr);
  const std::string remove = "rm -rf '" + folder + "'";
  return std::system(remove.c_str()) == 0 ? failed : 1;
}
