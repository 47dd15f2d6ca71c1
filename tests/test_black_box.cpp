// Tangled from org/tests/black_box_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "command/black_box.hpp"
#include "command/black_box_report.hpp"
#include "command/replay.hpp"
#include "command/trace_summary.hpp"
#include "out/trace_format.hpp"
#include "recorded_children.hpp"

using namespace cadastre::command;
namespace format = cadastre::internal;

namespace {

std::string folder;

constexpr std::int64_t ahead = 64 << 10;  // what a thread may have claimed beside what lives

struct Ended {
  int status;
  pid_t process;
};

// Runs a task in a child with a black box.
Ended with_box(const Task& task, const std::string& where = folder) {
  std::fflush(nullptr);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("CADASTRE_BLACKBOX", where.c_str(), 1);
    task();
    std::exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return {status, child};
}

std::vector<std::string> boxes_of(pid_t process) {
  std::vector<std::string> all;
  for (const std::string& path : black_boxes_in(folder)) {
    if (read_black_box(path).process == static_cast<std::uint64_t>(process)) all.push_back(path);
  }
  return all;
}

std::string path_of_box(pid_t process) {
  const std::vector<std::string> all = boxes_of(process);
  assert_int_equal(all.size(), 1);
  return all[0];
}

// What the black box of a child says that kills itself at the end.
BlackBox left_by(const Task& task) {
  const Ended ended = with_box([&] {
    task();
    std::raise(SIGKILL);
  });
  assert_true(WIFSIGNALED(ended.status));
  assert_int_equal(WTERMSIG(ended.status), SIGKILL);
  return read_black_box(path_of_box(ended.process));
}

// Has a request refused, after which holders are added up at once.
void have_one_refused(cadastre_context context) {
  CHECK(cadastre_set_limit(context, CADASTRE_HOST, 1) == CADASTRE_SUCCESS);
  CHECK(!allocate(context, 1000, "refused"));
  CHECK(cadastre_set_limit(context, CADASTRE_HOST, CADASTRE_UNLIMITED) == CADASTRE_SUCCESS);
}

bool ended_well(const Ended& ended) { return WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0; }

const format::BlackBoxHolder* holder(const std::optional<format::BlackBoxHolders>& holders, const char* label) {
  for (std::size_t i = 0; holders && i < holders->number; ++i) {
    if (std::strcmp(holders->holder[i].label, label) == 0) return &holders->holder[i];
  }
  return nullptr;
}

std::int64_t held_by(const char* label, const std::optional<format::BlackBoxHolders>& holders) {
  const format::BlackBoxHolder* const found = holder(holders, label);
  return found ? found->bytes : 0;
}

void assert_held(const std::optional<format::BlackBoxHolders>& holders, const char* label, std::int64_t bytes, std::int64_t blocks) {
  const format::BlackBoxHolder* const found = holder(holders, label);
  assert_non_null(found);
  assert_int_equal(found->bytes, bytes);
  assert_int_equal(found->blocks, blocks);
}

void assert_between(std::int64_t value, std::int64_t least, std::int64_t most) {
  assert_true(value >= least);
  assert_true(value <= most);
}

void large_blocks_are_counted_exactly(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    void* last = nullptr;
    for (int i = 0; i < 20; ++i) last = allocate(context, 1 << 20, "matrix");
    have_one_refused(context);
    CHECK(cadastre_free(context, last) == CADASTRE_SUCCESS);
  });
  const format::BlackBoxBytes& host = box.figures.of[CADASTRE_HOST];
  assert_false(box.is_written);
  assert_between(static_cast<std::int64_t>(host.live), 19 << 20, (19 << 20) + ahead);
  assert_int_equal(host.most, 20 << 20);
  assert_int_equal(box.figures.most_together, 20 << 20);
  assert_held(box.at_peak, "matrix", 20 << 20, 20);
}

void small_blocks_are_counted_but_for_what_a_thread_claims_ahead(void**) {
  constexpr int blocks = 5000;
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < blocks; ++i) CHECK(allocate(context, 1000, "small"));
    have_one_refused(context);
  });
  const format::BlackBoxBytes& host = box.figures.of[CADASTRE_HOST];
  assert_between(static_cast<std::int64_t>(host.live), blocks * 1000, blocks * 1000 + ahead);
  assert_between(static_cast<std::int64_t>(host.most), blocks * 1000 - ahead, blocks * 1000);
  const format::BlackBoxHolder* const small = holder(box.at_peak, "small");
  assert_non_null(small);
  assert_int_equal(small->bytes, blocks * 1000);
}

void several_threads_are_counted_together(void**) {
  constexpr int threads = 4, blocks = 2000;
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) {
      all.emplace_back([context, thread] {
        const std::string label = "of thread " + std::to_string(thread);
        for (int i = 0; i < blocks; ++i) CHECK(allocate(context, 500, label.c_str()));
      });
    }
    for (std::thread& one : all) one.join();
    CHECK(allocate(context, 64 << 20, "last"));
    have_one_refused(context);
  });
  const std::int64_t small = std::int64_t{threads} * blocks * 500, all = small + (64 << 20);
  assert_between(static_cast<std::int64_t>(box.live()), all, all + (threads + 1) * ahead);
  assert_held(box.last, "last", 64 << 20, 1);
  for (int thread = 0; thread < threads; ++thread) {
    assert_held(box.last, ("of thread " + std::to_string(thread)).c_str(), blocks * 500, blocks);
  }
}

void memory_of_emulated_devices_is_told_apart(void**) {
  const BlackBox box = left_by([] {
    setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
    setenv("CADASTRE_BACKEND", "host", 1);
    const cadastre_context context = cadastre_context_create();
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 3 << 20;
    info.type = CADASTRE_DEVICE;
    info.label = "on the device";
    CHECK(cadastre_malloc(context, info));
    CHECK(allocate(context, 1 << 20, "on the host"));
    have_one_refused(context);
  });
  assert_int_equal(box.figures.of[CADASTRE_DEVICE].live, 3 << 20);
  assert_int_equal(box.figures.of[CADASTRE_DEVICE].blocks, 1);
  assert_held(box.last, "on the device", 3 << 20, 1);
  assert_int_equal(holder(box.last, "on the device")->type, CADASTRE_DEVICE);
}

void what_is_used_of_the_host_and_of_devices_is_kept(void**) {
  const BlackBox box = left_by([] {
    setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
    setenv("CADASTRE_BACKEND", "host", 1);
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 3 << 20, "on the host"));
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 5 << 20;
    info.type = CADASTRE_DEVICE;
    info.device = CADASTRE_DEVICE_BY_ID(1);
    CHECK(cadastre_malloc(context, info));
    info.size = 1 << 20;
    info.device = CADASTRE_DEVICE_BY_ID(0);
    CHECK(cadastre_malloc(context, info));
    CHECK(cadastre_free(context, allocate(context, 300 << 10)) == CADASTRE_SUCCESS);
  });
  assert_true(box.uses.size() >= 2);
  const auto use_of = [&](const std::string& what) {
    for (const format::BlackBoxUse& use : box.uses) {
      if (std::string(use.what).find(what) != std::string::npos) return use;
    }
    return format::BlackBoxUse{};
  };
  const std::uint64_t ram = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  assert_true(box.uses[0].limit > 0 && box.uses[0].limit <= ram && box.uses[0].used <= box.uses[0].limit);
  assert_int_equal(use_of("the memory of host device 1").live, 5 << 20);
  assert_int_equal(use_of("the memory of host device 1").limit, ram);
  assert_true(as_text({&box, 1}, true).find(" were used of ") != std::string::npos);
  assert_true(as_text({&box, 1}, true).find("the memory of host device 1, while 5.00 MiB lived here.\n") != std::string::npos);
  assert_true(as_json({&box, 1}).find("\"live_bytes\": 5242880") != std::string::npos);
}

// From the first look on, which the first block brings about.
void what_the_host_offers_is_kept(void**) {
  const BlackBox empty = left_by([] { CHECK(cadastre_context_create() != CADASTRE_NULL_CONTEXT); });
  assert_int_equal(empty.capacity, 0);
  const BlackBox box = left_by([] { CHECK(allocate(cadastre_context_create(), 1 << 20, "matrix")); });
  const std::uint64_t ram = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  assert_true(box.capacity > 0 && box.capacity <= ram && !box.capacity_from.empty());
  assert_true(as_text({&box, 1}, true).find("The host offers it " + box.capacity_from) != std::string::npos);
}

void a_limit_is_shown_when_it_is_set(void**) {
  const BlackBox box = left_by([] {
    CHECK(allocate(cadastre_context_create(), 1000));
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 123 << 20) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES, 456 << 20) == CADASTRE_SUCCESS);
  });
  assert_int_equal(box.figures.of[CADASTRE_HOST].limit, 123 << 20);
  assert_int_equal(box.figures.limit_together, 456 << 20);
}

void a_refused_workspace_is_a_refusal(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 1 << 20) == CADASTRE_SUCCESS);
    const std::size_t size = 3 << 20;
    void* part = nullptr;
    cadastre_lease lease = CADASTRE_NULL_LEASE;
    CHECK(cadastre_workspace_acquire(context, CADASTRE_HOST, 1, &size, &part, &lease) == CADASTRE_LIMIT_EXCEEDED);
  });
  assert_int_equal(box.refusals.size(), 1);
  assert_int_equal(box.figures.refusals, 1);
  assert_int_equal(box.figures.of[CADASTRE_HOST].refused, 1);
  assert_true(std::string(box.refusals[0].said).find("cadastre_workspace_acquire: ") == 0);
}

void threads_that_race_leave_what_is(void**) {
  constexpr int threads = 4;
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) {
      all.emplace_back([context] {
        for (int i = 0; i < 300; ++i) CHECK(cadastre_free(context, allocate(context, 1 << 20)) == CADASTRE_SUCCESS);
        CHECK(allocate(context, 1 << 20));
      });
    }
    for (std::thread& one : all) one.join();
  });
  assert_between(static_cast<std::int64_t>(box.figures.of[CADASTRE_HOST].live), threads << 20, (threads << 20) + threads * ahead);
  assert_int_equal(box.figures.of[CADASTRE_HOST].blocks, threads);
}

void who_looks_while_it_runs_sees_what_statistics_say(void**) {
  int there[2], go[2];
  assert_int_equal(pipe(there), 0);
  assert_int_equal(pipe(go), 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_BLACKBOX", folder.c_str(), 1);
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < 30; ++i) CHECK(allocate(context, 1 << 20, "growing"));
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    CHECK(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
    const std::int64_t live = static_cast<std::int64_t>(figures.live_bytes),
                       most = static_cast<std::int64_t>(figures.high_water_mark_bytes);
    CHECK(write(there[1], &live, sizeof live) == sizeof live && write(there[1], &most, sizeof most) == sizeof most);
    char byte;
    CHECK(read(go[0], &byte, 1) == 1);
    std::exit(0);
  }
  std::int64_t live = 0, most = 0;
  assert_int_equal(read(there[0], &live, sizeof live), sizeof live);
  assert_int_equal(read(there[0], &most, sizeof most), sizeof most);
  const std::string path = path_of_box(child);
  const BlackBox box = read_black_box(path);
  assert_true(box.is_written);
  assert_int_equal(box.live(), live);
  assert_int_equal(box.figures.most_together, most);
  assert_int_equal(write(go[1], "x", 1), 1);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_false(std::filesystem::exists(path));
  for (const int end : {there[0], there[1], go[0], go[1]}) close(end);
}

struct Peaks {
  std::int64_t bytes, live;
};

Peaks peaks_of_process() {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  CHECK(cadastre_get_statistics(CADASTRE_PROCESS, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
  return {static_cast<std::int64_t>(figures.high_water_mark_bytes), static_cast<std::int64_t>(figures.live_bytes)};
}

void statistics_trace_and_black_box_have_the_same_figures(void**) {
  const char* const source = std::getenv("srcdir");
  const std::string traces = std::string(source ? source : ".") + "/traces/";
  for (const char* const name : {"dmc_alz_w40_s40.trace.gz", "dmc_alz_w8_s150.trace.gz", "forces.trace.gz"}) {
    const std::string trace = folder + "/figures.trace";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const BlackBox box = left_by([&] {
      setenv("CADASTRE_TRACE", trace.c_str(), 1);
      const Trace performed = read_trace(traces + name);
      replay(performed, {});
      const Peaks peaks = peaks_of_process();
      CHECK(write(ends[1], &peaks, sizeof peaks) == sizeof peaks);
    });
    Peaks peaks{};
    assert_int_equal(read(ends[0], &peaks, sizeof peaks), sizeof peaks);
    close(ends[0]);
    close(ends[1]);
    const Summary summary = summarize(*open_trace(trace, Remembers::what_lives));
    const TypeSummary& host = summary.types[CADASTRE_HOST];
    assert_int_equal(host.peak.bytes, peaks.bytes);
    assert_int_equal(host.live.bytes, peaks.live);
    const format::BlackBoxBytes& kept = box.figures.of[CADASTRE_HOST];
    assert_between(static_cast<std::int64_t>(kept.most), peaks.bytes - ahead, peaks.bytes);
    assert_between(static_cast<std::int64_t>(kept.live), peaks.live, peaks.live + ahead);
  }
}

void holders_at_the_peak_stay_when_the_memory_goes(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    void* const scratch = allocate(context, 50 << 20, "scratch");
    CHECK(allocate(context, 10 << 20, "stays"));
    have_one_refused(context);
    CHECK(cadastre_free(context, scratch) == CADASTRE_SUCCESS);
    CHECK(allocate(context, 1 << 20, "later"));
    have_one_refused(context);
  });
  assert_held(box.at_peak, "scratch", 50 << 20, 1);
  assert_held(box.at_peak, "stays", 10 << 20, 1);
  assert_null(holder(box.last, "scratch"));
  assert_held(box.last, "stays", 10 << 20, 1);
  assert_held(box.last, "later", 1 << 20, 1);
}

void holders_are_added_up_as_memory_grows_and_when_it_falls(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    std::vector<void*> blocks;
    for (int i = 0; i < 100; ++i) {
      usleep(5000);  // so that the time that is spent is no two-hundredth
      blocks.push_back(allocate(context, 1 << 20, "grows"));
    }
    usleep(200000);
    CHECK(allocate(context, 4 << 20, "grows"));
    for (int i = 0; i < 50; ++i) CHECK(cadastre_free(context, blocks[static_cast<std::size_t>(i)]) == CADASTRE_SUCCESS);
    CHECK(allocate(context, 1 << 20, "last"));
  });
  const format::BlackBoxHolder *const at_peak = holder(box.at_peak, "grows"), *const last = holder(box.last, "grows");
  assert_non_null(at_peak);
  assert_non_null(last);
  assert_int_equal(at_peak->bytes, 104 << 20);
  assert_int_equal(last->bytes, 54 << 20);
  assert_held(box.last, "last", 1 << 20, 1);
}

void what_has_no_label_holds_memory_too(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 2 << 20));
    CHECK(allocate(context, 1 << 20, "named"));
    have_one_refused(context);
  });
  assert_held(box.last, "", 2 << 20, 1);
  assert_held(box.last, "named", 1 << 20, 1);
}

void labels_that_have_no_room_are_added_up(void**) {
  constexpr int labels = 1500;
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < labels; ++i) {
      const std::string label = "label " + std::to_string(i);
      CHECK(allocate(context, 4000, label.c_str()));
    }
    CHECK(allocate(context, 32 << 20, "last"));
    have_one_refused(context);
  });
  assert_true(box.last.has_value());
  assert_int_equal(box.last->number, format::most_black_box_holders);
  std::int64_t sum = box.last->others_bytes;
  for (std::size_t i = 0; i < box.last->number; ++i) sum += box.last->holder[i].bytes;
  assert_int_equal(sum, labels * 4000 + (32 << 20));
  assert_int_equal(box.last->others + box.last->number, labels + 1);
}

void a_long_label_is_cut(void**) {
  const std::string label(200, 'x');
  const BlackBox box = left_by([&] { CHECK(allocate(cadastre_context_create(), 2 << 20, label.c_str())); });
  assert_held(box.last, label.substr(0, format::black_box_label_bytes - 1).c_str(), 2 << 20, 1);
}

void a_refusal_is_kept_with_its_message(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 5 << 20, "the rest"));
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 6 << 20) == CADASTRE_SUCCESS);
    CHECK(!allocate(context, 7 << 20, "too much"));
  });
  assert_int_equal(box.refusals.size(), 1);
  const format::BlackBoxRefusal& refusal = box.refusals[0];
  assert_string_equal(refusal.event.label, "too much");
  assert_int_equal(refusal.event.size, 7 << 20);
  assert_int_equal(refusal.event.result, CADASTRE_LIMIT_EXCEEDED);
  assert_int_equal(refusal.live, 5 << 20);
  assert_non_null(std::strstr(refusal.said, "the limit of this context is 6291456 bytes"));
  assert_non_null(std::strstr(refusal.said, "\"the rest\": 5242880"));
  assert_int_equal(box.figures.of[CADASTRE_HOST].refused, 1);
  assert_held(box.last, "the rest", 5 << 20, 1);
}

void a_refused_resize_is_of_the_type_and_label_of_its_block(void**) {
  const BlackBox box = left_by([] {
    setenv("CADASTRE_BACKEND", "host", 1);
    const cadastre_context context = cadastre_context_create();
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 1 << 20;
    info.type = CADASTRE_PINNED;
    info.label = "pin";
    void* const block = cadastre_malloc(context, info);
    CHECK(block && cadastre_set_limit(context, CADASTRE_PINNED, 2 << 20) == CADASTRE_SUCCESS);
    CHECK(!cadastre_realloc(context, block, 50 << 20));
  });
  assert_int_equal(box.refusals.size(), 1);
  assert_int_equal(box.refusals[0].event.type, CADASTRE_PINNED);
  assert_string_equal(box.refusals[0].event.label, "pin");
  assert_int_equal(box.refusals[0].live, 1 << 20);
  assert_int_equal(box.figures.of[CADASTRE_PINNED].refused, 1);
  assert_int_equal(box.figures.of[CADASTRE_HOST].refused, 0);
}

void holders_are_added_up_as_a_block_grows(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    void* block = allocate(context, 1 << 20, "vector");
    const std::string own = path_of_box(getpid());
    do {  // until that part of the time which may be spent on it has sufficed after the growth
      for (const std::size_t size : {std::size_t{1}, std::size_t{64}}) {
        usleep(20000);
        block = cadastre_realloc(context, block, size << 20);
        CHECK(block);
      }
    } while (held_by("vector", read_black_box(own).last) != 64 << 20);
  });
  assert_held(box.last, "vector", 64 << 20, 1);
  assert_held(box.at_peak, "vector", 64 << 20, 1);
}

void limits_of_the_process_are_shown(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 50 << 20) == CADASTRE_SUCCESS);
    CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_ALL_MEMORY_TYPES, 60 << 20) == CADASTRE_SUCCESS);
    have_one_refused(context);
  });
  assert_int_equal(box.figures.of[CADASTRE_HOST].limit, 50 << 20);
  assert_int_equal(box.figures.limit_together, 60 << 20);
}

void of_many_refusals_the_last_ones_are_kept(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 1000) == CADASTRE_SUCCESS);
    for (std::size_t i = 1; i <= 100; ++i) CHECK(!allocate(context, 1000 + i, "too much"));
  });
  assert_int_equal(box.figures.refusals, 100);
  assert_int_equal(box.refusals.size(), format::black_box_refusals);
  for (std::size_t i = 0; i < box.refusals.size(); ++i)
    assert_int_equal(box.refusals[i].event.size, 1000 + 100 - format::black_box_refusals + i + 1);
}

void the_last_events_are_kept_in_their_order(void**) {
  constexpr std::size_t calls = format::black_box_events + 100;
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 1000) == CADASTRE_SUCCESS);
    for (std::size_t i = 1; i <= calls; ++i) CHECK(!allocate(context, 1000 + i));
  });
  assert_int_equal(box.figures.events, calls + 1);  // the creation of the context, too
  assert_int_equal(box.events.size(), format::black_box_events);
  for (std::size_t i = 0; i < box.events.size(); ++i) {
    assert_int_equal(box.events[i].size, 1000 + 100 + i + 1);
    assert_true(i == 0 || box.events[i - 1].time <= box.events[i].time);
  }
}

void calls_on_contexts_and_on_devices_are_events(void**) {
  const BlackBox box = left_by([] {
    setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
    setenv("CADASTRE_BACKEND", "host", 1);
    const cadastre_context context = cadastre_context_create();
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 4096;
    info.type = CADASTRE_DEVICE;
    info.label = "vector";
    void* const block = cadastre_malloc(context, info);
    CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  using format::TraceKind;
  constexpr TraceKind kinds[] = {TraceKind::create, TraceKind::malloc, TraceKind::free, TraceKind::destroy};
  assert_int_equal(box.events.size(), std::size(kinds));
  for (std::size_t i = 0; i < std::size(kinds); ++i) assert_int_equal(box.events[i].kind, static_cast<int>(kinds[i]));
  assert_string_equal(box.events[1].label, "vector");
  assert_int_equal(box.events[1].block, box.events[2].block);
}

void a_trace_and_a_black_box_are_written_together(void**) {
  for (const char* const name : {"/both.trace", "/both.csv"}) {
    const std::string trace = folder + name;
    const BlackBox box = left_by([&] {
      setenv("CADASTRE_TRACE", trace.c_str(), 1);
      const cadastre_context context = cadastre_context_create();
      for (int i = 0; i < 10; ++i) CHECK(allocate(context, 100, "in both"));
      CHECK(allocate(context, 2 << 20, "in both"));
      have_one_refused(context);
    });
    assert_int_equal(box.events.size(), 13);
    assert_held(box.last, "in both", (2 << 20) + 1000, 11);
    const std::string written = content(trace);
    assert_true(written.find("in both") != std::string::npos);
  }
}

void the_file_is_for_its_user_alone(void**) {
  const Ended ended = with_box([] {
    umask(0);
    cadastre_context_create();
    std::raise(SIGKILL);
  });
  struct stat status{};
  assert_int_equal(stat(path_of_box(ended.process).c_str(), &status), 0);
  assert_int_equal(status.st_mode & 07777, 0600);
  assert_true(status.st_size <= 1 << 20);
}

// How a child ends, and whether its black box is there then.
void assert_left(const Task& task, bool left) {
  const Ended ended = with_box([&] {
    CHECK(allocate(cadastre_context_create(), 2 << 20));
    task();
  });
  assert_int_equal(boxes_of(ended.process).size(), left ? 1 : 0);
}

void it_goes_at_a_normal_end_and_stays_at_others(void**) {
  assert_left([] { std::exit(0); }, false);
  assert_left([] { std::exit(3); }, false);
  assert_left([] { _exit(0); }, true);
  assert_left([] { std::raise(SIGTERM); }, true);
  assert_left([] { std::raise(SIGKILL); }, true);
  assert_left([] { std::abort(); }, true);
}

void no_link_is_followed_and_no_file_is_written_over(void**) {
  const std::string victim = folder + "/victim";
  std::ofstream(victim) << "precious";
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const auto name_of = [&](pid_t process) { return folder + "/cadastre-" + host + "-" + std::to_string(process) + ".blackbox"; };
  for (const bool link : {true, false}) {
    const Ended ended = with_box([&] {
      const std::string name = name_of(getpid());
      link ? CHECK(symlink(victim.c_str(), name.c_str()) == 0) : void(std::ofstream(name) << "precious");
      CHECK(allocate(cadastre_context_create(), 2 << 20));
      std::raise(SIGKILL);
    });
    const std::string name = name_of(ended.process);
    assert_string_equal(content(name).c_str(), "precious");
    assert_string_equal(content(victim).c_str(), "precious");
    std::filesystem::remove(name);
    assert_int_equal(boxes_of(ended.process).size(), 1);
  }
}

// Makes a black box look as if it had been written so many hours ago.
void age(const std::string& path, int hours) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  format::BlackBoxHead head{};
  file.read(reinterpret_cast<char*>(&head), sizeof head);
  head.began -= std::int64_t{hours} * 3600 * 1'000'000'000;
  file.seekp(0);
  file.write(reinterpret_cast<const char*>(&head), sizeof head);
  file.close();
  const timespec then{std::time(nullptr) - hours * 3600, 0}, both[] = {then, then};
  assert_int_equal(utimensat(AT_FDCWD, path.c_str(), both, 0), 0);
}

void those_of_the_dead_are_removed_after_a_day(void**) {
  const auto killed = [] {
    return path_of_box(with_box([] {
                         cadastre_context_create();
                         std::raise(SIGKILL);
                       }).process);
  };
  const std::string old = killed(), younger = killed(), foreign = folder + "/cadastre-foreign.blackbox";
  std::ofstream(foreign) << "of somebody";
  age(old, 25);
  age(younger, 23);
  const timespec then{std::time(nullptr) - 100 * 3600, 0}, both[] = {then, then};
  assert_int_equal(utimensat(AT_FDCWD, foreign.c_str(), both, 0), 0);
  assert_true(ended_well(with_box([] { cadastre_context_create(); })));
  assert_false(std::filesystem::exists(old));
  assert_true(std::filesystem::exists(younger));
  assert_true(std::filesystem::exists(foreign));
  std::filesystem::remove(foreign);
}

void those_of_the_dead_make_room_where_a_hundred_have_one_name(void**) {
  const std::string dead = content(path_of_box(with_box([] {
                                                 cadastre_context_create();
                                                 std::raise(SIGKILL);
                                               }).process));
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const Ended ended = with_box([&] {
    for (int count = 1; count <= 100; ++count) {
      const std::string suffix = count > 1 ? "-" + std::to_string(count) : "";
      std::ofstream(folder + "/cadastre-" + host + "-" + std::to_string(getpid()) + suffix + ".blackbox") << dead;
    }
    cadastre_context_create();
    std::raise(SIGKILL);
  });
  assert_int_equal(boxes_of(ended.process).size(), 1);
  assert_int_equal(black_boxes_in(folder).size(), 1);
}

void auto_is_a_folder_of_the_user(void**) {
  const std::string place = folder + "/run";
  assert_true(std::filesystem::create_directory(place));
  const Ended ended = with_box(
      [&] {
        setenv("XDG_RUNTIME_DIR", place.c_str(), 1);
        cadastre_context_create();
        std::raise(SIGKILL);
      },
      "auto");
  setenv("XDG_RUNTIME_DIR", place.c_str(), 1);
  unsetenv("CADASTRE_BLACKBOX");
  const std::vector<std::string> folders = usual_folders();
  assert_true(!folders.empty() && folders[0].starts_with(place));
  const std::vector<std::string> boxes = black_boxes_in(folders[0]);
  assert_int_equal(boxes.size(), 1);
  assert_int_equal(read_black_box(boxes[0]).process, ended.process);
  struct stat status{};
  assert_int_equal(stat(folders[0].c_str(), &status), 0);
  assert_int_equal(status.st_mode & 07777, 0700);
}

// What is seen of a child at a moment that it chooses.
BlackBox seen_of(const Task& task) {
  int there[2];
  assert_int_equal(pipe(there), 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_BLACKBOX", folder.c_str(), 1);
    CHECK(allocate(cadastre_context_create(), 2 << 20, "kept"));
    const int far = 900;
    CHECK(dup2(there[1], far) == far);
    task();
    CHECK(write(far, "x", 1) == 1);
    pause();
  }
  close(there[1]);
  char byte;
  assert_int_equal(read(there[0], &byte, 1), 1);
  close(there[0]);
  const BlackBox box = read_black_box(path_of_box(child));
  kill(child, SIGKILL);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return box;
}

void a_process_that_closes_its_descriptors_is_seen_to_live(void**) {
  const BlackBox box = seen_of([] {
    for (int descriptor = 3; descriptor < 900; ++descriptor) close(descriptor);
  });
  assert_true(box.is_written);
  assert_false(read_black_box(box.path).is_written);
}

void a_program_before_exec_is_seen_to_have_ended(void**) {
  std::fflush(nullptr);
  int there[2];
  assert_int_equal(pipe(there), 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_BLACKBOX", folder.c_str(), 1);
    CHECK(allocate(cadastre_context_create(), 2 << 20, "before exec"));
    CHECK(dup2(there[1], STDOUT_FILENO) == STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", "echo x; exec sleep 100", nullptr);
    _exit(1);
  }
  close(there[1]);
  char byte;
  assert_int_equal(read(there[0], &byte, 1), 1);
  close(there[0]);
  const BlackBox box = read_black_box(path_of_box(child));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  assert_false(box.is_written);
  assert_held(box.last, "before exec", 2 << 20, 1);
}

void the_child_of_a_fork_closes_nothing_of_the_programs(void**) {
  const Ended ended = with_box([] {
    cadastre_context_create();
    for (int descriptor = 3; descriptor < 400; ++descriptor) close(descriptor);
    for (int i = 0; i < 300; ++i) CHECK(open("/dev/null", O_RDONLY) >= 0);
    const pid_t child = fork();
    if (child == 0) {
      for (int descriptor = 3; descriptor < 303; ++descriptor) CHECK(fcntl(descriptor, F_GETFD) >= 0);
      _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  });
  assert_true(ended_well(ended));
}

void a_child_that_no_handler_of_forks_saw_removes_nothing(void**) {
  if (sanitized) skip_because("a sanitizer has to see each fork");
  const BlackBox box = left_by([] {
    CHECK(allocate(cadastre_context_create(), 2 << 20, "of the parent"));
    in_raw_child([] {});
  });
  assert_held(box.last, "of the parent", 2 << 20, 1);
}

void a_child_that_no_handler_of_forks_saw_writes_nothing(void**) {
  if (sanitized) skip_because("a sanitizer has to see each fork");
  const BlackBox box = left_by([] {
    setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 1 << 20, "parent"));
    have_one_refused(context);
    const pid_t child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (child == 0) {
      for (int i = 0; i < 10; ++i) CHECK(allocate(context, 1 << 20, "child"));
      const cadastre_context other = cadastre_context_create();
      CHECK(other != CADASTRE_NULL_CONTEXT);
      have_one_refused(other);
      CHECK(cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, 123 << 20) == CADASTRE_SUCCESS);
      _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  });
  assert_int_equal(box.events.size(), 3);  // a context, a block, a refusal
  for (const format::BlackBoxEvent& event : box.events) assert_string_not_equal(event.label, "child");
  assert_int_equal(box.figures.events, 3);
  assert_int_equal(box.figures.refusals, 1);
  assert_int_equal(box.refusals.size(), 1);
  assert_int_equal(box.figures.of[CADASTRE_HOST].most, 1 << 20);
  assert_int_equal(box.figures.of[CADASTRE_HOST].limit, CADASTRE_UNLIMITED);
  assert_null(holder(box.last, "child"));
}

void a_handler_with_a_small_stack_may_allocate(void**) {
  static cadastre_context context;
  static void* block;
  const Ended ended = with_box([] {
    context = cadastre_context_create();
    CHECK(allocate(context, 1 << 20, "before"));
    static char stack[sanitized ? 1 << 20 : 16384];
    const stack_t own{stack, 0, sizeof stack};
    CHECK(sigaltstack(&own, nullptr) == 0);
    struct sigaction action{};
    action.sa_flags = SA_ONSTACK;
    action.sa_handler = [](int) { block = allocate(context, 3 << 20, "in a handler"); };
    CHECK(sigaction(SIGUSR1, &action, nullptr) == 0 && std::raise(SIGUSR1) == 0 && block);
  });
  assert_true(ended_well(ended));
}

void the_child_of_a_fork_leaves_it_to_its_parent(void**) {
  const BlackBox box = left_by([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 2 << 20, "of the parent"));
    const pid_t child = fork();
    if (child == 0) {
      CHECK(allocate(context, 30 << 20, "of the child"));
      std::exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(allocate(context, 4 << 20, "of the parent"));
    have_one_refused(context);
  });
  assert_int_equal(box.figures.most_together, 6 << 20);
  assert_held(box.last, "of the parent", 6 << 20, 2);
  assert_null(holder(box.last, "of the child"));
}

// What the log says of a child that works although it gets no black box.
std::string problem_in(const std::string& where, const Task& before = [] {}) {
  const std::string log = folder + "/log";
  std::filesystem::remove(log);
  const Ended ended = with_box(
      [&] {
        setenv("CADASTRE_LOG_FILE", log.c_str(), 1);
        before();
        const cadastre_context context = cadastre_context_create();
        CHECK(context != CADASTRE_NULL_CONTEXT);
        void* const block = allocate(context, 2 << 20, "works");
        CHECK(block && cadastre_free(context, block) == CADASTRE_SUCCESS);
        CHECK(!allocate(context, SIZE_MAX / 4));
        CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
      },
      where);
  assert_true(ended_well(ended));
  return content(log);
}

void assert_says(const std::string& text, const char* what) {
  if (text.find(what) == std::string::npos) {
    print_error("\"%s\" does not say: %s\n", text.c_str(), what);
    assert_true(false);
  }
}

void a_folder_that_cannot_be_used_is_told_and_changes_nothing(void**) {
  assert_says(problem_in(folder + "/nowhere"), "No such file or directory");
  const std::string file = folder + "/file";
  std::ofstream(file) << "no folder";
  assert_says(problem_in(file), "Not a directory");
  assert_says(problem_in("/proc/self"), "there is no black box");
  if (geteuid() != 0) {
    const std::string closed = folder + "/closed";
    std::filesystem::create_directory(closed);
    chmod(closed.c_str(), 0500);
    assert_says(problem_in(closed), "Permission denied");
  }
}

void want_of_the_system_is_told_and_changes_nothing(void**) {
  for (int number = 1; number <= 40; ++number) {
    const std::string rule = "system:" + std::to_string(number);
    problem_in(folder, [&] { setenv("CADASTRE_FAIL", rule.c_str(), 1); });
  }
  std::size_t left = 0;
  for (const std::string& path : black_boxes_in(folder)) left += content(path).size() < sizeof(format::BlackBoxPages);
  assert_int_equal(left, 0);
}

std::string fault_of(const std::string& bytes) {
  const std::string path = folder + "/cadastre-damaged.blackbox";
  std::ofstream(path, std::ios::binary) << bytes;
  std::string fault;
  try {
    const BlackBox box = read_black_box(path);
    as_text({&box, 1}, true);
    as_json({&box, 1});
  } catch (const BlackBoxError& error) {
    fault = std::string(error.what()).substr(path.size() + 2);
  }
  std::filesystem::remove(path);
  return fault;
}

std::string bytes_of_one() {
  const Ended ended = with_box([] {
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 6 << 20) == CADASTRE_SUCCESS);
    for (int i = 0; i < 5; ++i) CHECK(allocate(context, 1 << 20, "whole"));
    CHECK(!allocate(context, 7 << 20, "too much"));
    std::raise(SIGKILL);
  });
  return content(path_of_box(ended.process));
}

void what_is_none_is_refused_with_a_sentence(void**) {
  std::string bytes = bytes_of_one();
  assert_string_equal(fault_of(bytes).c_str(), "");
  assert_says(fault_of(""), "this is no black box");
  assert_says(fault_of("cadastre trace\n"), "this is no black box");
  assert_says(fault_of(bytes.substr(0, 100000)), "is cut off, at 100000 of 598016 bytes");
  std::string other = bytes;
  std::reverse(other.begin() + 16, other.begin() + 24);
  assert_says(fault_of(other), "another order of bytes");
  other = bytes;
  other[24] = 9;
  const std::string versions = "has version 9 of its format, and this program reads version " + std::to_string(format::black_box_version);
  assert_says(fault_of(other), versions.c_str());
}

void damage_misleads_no_reader_into_memory_that_is_not_its_own(void**) {
  const std::string bytes = bytes_of_one();
  std::mt19937 random(22);
  constexpr std::size_t places[] = {4096, 8192, 8192 + 64, 40960, 73728, sizeof(format::BlackBoxPages)};
  for (int turn = 0; turn < 300; ++turn) {
    std::string damaged = bytes;
    for (std::size_t part = 0; part + 1 < std::size(places); ++part) {
      for (int i = 0; i < 40; ++i) damaged[places[part] + random() % (places[part + 1] - places[part])] = static_cast<char>(random());
    }
    if (turn % 2) std::memset(damaged.data() + 8192, 0xff, 65536);
    fault_of(damaged);
  }
}

}  // namespace

int main() {
  char name[] = "/dev/shm/cadastre-black-boxes-XXXXXX";
  if (!mkdtemp(name)) return 99;
  folder = name;
  for (const char* const variable : {"CADASTRE_BACKEND", "CADASTRE_LIMIT", "CADASTRE_TRACE", "CADASTRE_REPORT", "CADASTRE_FAIL"})
    unsetenv(variable);
  const CMUnitTest tests[] = {
      cmocka_unit_test(large_blocks_are_counted_exactly),
      cmocka_unit_test(small_blocks_are_counted_but_for_what_a_thread_claims_ahead),
      cmocka_unit_test(several_threads_are_counted_together),
      cmocka_unit_test(memory_of_emulated_devices_is_told_apart),
      cmocka_unit_test(what_is_used_of_the_host_and_of_devices_is_kept),
      cmocka_unit_test(what_the_host_offers_is_kept),
      cmocka_unit_test(a_limit_is_shown_when_it_is_set),
      cmocka_unit_test(a_refused_workspace_is_a_refusal),
      cmocka_unit_test(threads_that_race_leave_what_is),
      cmocka_unit_test(who_looks_while_it_runs_sees_what_statistics_say),
      cmocka_unit_test(statistics_trace_and_black_box_have_the_same_figures),
      cmocka_unit_test(holders_at_the_peak_stay_when_the_memory_goes),
      cmocka_unit_test(holders_are_added_up_as_memory_grows_and_when_it_falls),
      cmocka_unit_test(what_has_no_label_holds_memory_too),
      cmocka_unit_test(labels_that_have_no_room_are_added_up),
      cmocka_unit_test(a_long_label_is_cut),
      cmocka_unit_test(a_refusal_is_kept_with_its_message),
      cmocka_unit_test(a_refused_resize_is_of_the_type_and_label_of_its_block),
      cmocka_unit_test(holders_are_added_up_as_a_block_grows),
      cmocka_unit_test(limits_of_the_process_are_shown),
      cmocka_unit_test(of_many_refusals_the_last_ones_are_kept),
      cmocka_unit_test(the_last_events_are_kept_in_their_order),
      cmocka_unit_test(calls_on_contexts_and_on_devices_are_events),
      cmocka_unit_test(a_trace_and_a_black_box_are_written_together),
      cmocka_unit_test(the_file_is_for_its_user_alone),
      cmocka_unit_test(it_goes_at_a_normal_end_and_stays_at_others),
      cmocka_unit_test(no_link_is_followed_and_no_file_is_written_over),
      cmocka_unit_test(those_of_the_dead_are_removed_after_a_day),
      cmocka_unit_test(those_of_the_dead_make_room_where_a_hundred_have_one_name),
      cmocka_unit_test(auto_is_a_folder_of_the_user),
      cmocka_unit_test(a_process_that_closes_its_descriptors_is_seen_to_live),
      cmocka_unit_test(a_program_before_exec_is_seen_to_have_ended),
      cmocka_unit_test(the_child_of_a_fork_closes_nothing_of_the_programs),
      cmocka_unit_test(a_child_that_no_handler_of_forks_saw_removes_nothing),
      cmocka_unit_test(a_child_that_no_handler_of_forks_saw_writes_nothing),
      cmocka_unit_test(a_handler_with_a_small_stack_may_allocate),
      cmocka_unit_test(the_child_of_a_fork_leaves_it_to_its_parent),
      cmocka_unit_test(a_folder_that_cannot_be_used_is_told_and_changes_nothing),
      cmocka_unit_test(want_of_the_system_is_told_and_changes_nothing),
      cmocka_unit_test(what_is_none_is_refused_with_a_sentence),
      cmocka_unit_test(damage_misleads_no_reader_into_memory_that_is_not_its_own),
  };
  const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
  std::filesystem::remove_all(folder);
  return failed;
}
