// Tangled from org/tests/trace_moment_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
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
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "command/convert.hpp"
#include "command/trace.hpp"
#include "command/trace_report.hpp"
#include "command/trace_source.hpp"
#include "command/trace_summary.hpp"
#include "core/size_class.hpp"
#include "out/trace_format.hpp"
#include "recorded_children.hpp"
#include "skip_because.h"

using namespace cadastre::command;
namespace format = cadastre::internal;

namespace {

constexpr std::size_t mebibyte = 1 << 20;

std::string folder;

std::string path_of(const char* name) { return folder + "/" + name; }

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// The file of a program that ends well.
std::string recorded(const char* name, const Task& task) {
  const std::string path = path_of(name);
  const int status = status_of_child([&] {
    setenv("CADASTRE_TRACE", path.c_str(), 1);
    task();
  });
  assert_int_equal(status, 0);
  return path;
}

Summary summary_of(const std::string& path) { return summarize(*open_trace(path, Remembers::what_lives)); }

// What is in use of the host or of a device; fails where nothing is said.
const UseSummary& use_of(const Summary& summary, const char* device) {
  for (const UseSummary& use : summary.uses) {
    if (use.device() == device) return use;
  }
  assert_string_equal("nothing is said of this device", device);
  return summary.uses[0];
}

void* allocate_on(cadastre_context context, cadastre_memory_type type, std::size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  return cadastre_malloc(context, info);
}

// Memory that no context knows, and which is resident.
void take_memory_of_others(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  std::memset(memory, 1, bytes);
}

// Something is allocated and freed for a time.
void work_on(cadastre_context context) {
  for (int i = 0; i < 30; ++i) {
    usleep(1000);
    CHECK(cadastre_free(context, allocate(context, mebibyte / 2)) == CADASTRE_SUCCESS);
  }
}

void what_others_have_of_the_host_stands_beside_blocks(void**) {
  const std::string path = recorded("beside", [] {
    const cadastre_context context = cadastre_context_create();
    take_memory_of_others(64 * mebibyte);
    std::vector<void*> blocks;
    for (int i = 0; i < 4; ++i) {
      blocks.push_back(allocate(context, 16 * mebibyte, "field"));
      std::memset(blocks.back(), 1, 16 * mebibyte);
    }
    work_on(context);
    for (void* const block : blocks) CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
  });
  const Summary summary = summary_of(path);
  const UseSummary& host = use_of(summary, "");
  assert_in_range(host.at_most_live.live, 64 * mebibyte, 66 * mebibyte);
  constexpr std::size_t of_a_checker = sanitized ? 4096 * mebibyte : 0;  // several bytes for each of the program's
  assert_in_range(host.at_most_live.used, 128 * mebibyte, 300 * mebibyte + of_a_checker);
  assert_in_range(host.untracked(), 60 * mebibyte, 200 * mebibyte + of_a_checker);
  assert_true(host.at_most_used.used >= host.at_most_live.used);
  assert_true(summary.resident.size() > 3);
  assert_true(summary.left_out == 0);
  const std::string text = as_text({{&summary, 1}}, true);
  assert_non_null(std::strstr(text.c_str(), "In use "));
  assert_non_null(std::strstr(text.c_str(), "\nhost "));
}

void what_others_have_of_a_device_does_so_too(void**) {
  if (!std::getenv("CADASTRE_CUDA_LIBRARY")) skip_because("there is no double of the CUDA runtime");
  const std::string path = recorded("device", [] {
    setenv("CADASTRE_BACKEND", "cuda", 1);
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < 3; ++i) CHECK(allocate_on(context, CADASTRE_DEVICE, mebibyte));
    CHECK(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  });
  const Summary summary = summary_of(path);
  assert_int_equal(summary.devices.size(), 1);
  assert_string_equal(summary.devices[0].name.c_str(), "cuda 0");
  assert_int_equal(summary.devices[0].figures.peak.bytes, 3 * mebibyte);
  const UseSummary device = use_of(summary, "cuda 0");
  assert_int_equal(device.at_most_live.live, 3 * mebibyte);
  assert_true(device.at_most_live.used >= device.at_most_live.live);
  assert_true(device.at_most_live.total >= device.at_most_live.used);
  assert_int_equal(device.untracked(), device.at_most_live.used - device.at_most_live.live);
  assert_true(device.at_most_live.kept < 0);
}

void a_device_that_is_emulated_is_memory_of_the_host(void**) {
  const Summary summary = summary_of(recorded("emulated", [] {
    setenv("CADASTRE_EMULATED_DEVICES", "1", 1);
    const cadastre_context context = cadastre_context_create();
    void* const block = allocate_on(context, CADASTRE_DEVICE, 16 * mebibyte);
    CHECK(block);
    std::memset(block, 1, 16 * mebibyte);
    work_on(context);
  }));
  assert_true(summary.devices.empty());
  assert_int_equal(summary.uses.size(), 1);
  assert_in_range(use_of(summary, "").at_most_live.live, 16 * mebibyte, 17 * mebibyte);
}

void a_black_box_sees_what_it_sees_beside_a_trace(void**) {
  const std::string boxes = path_of("boxes");
  assert_int_equal(mkdir(boxes.c_str(), 0700), 0);
  const Summary summary = summary_of(recorded("both", [&] {
    setenv("CADASTRE_BLACKBOX", boxes.c_str(), 1);
    setenv("CADASTRE_REPORT", path_of("near").c_str(), 1);
    setenv("CADASTRE_REPORT_ON", "near:50%", 1);
    const cadastre_context context = cadastre_context_create();
    CHECK(cadastre_set_limit(context, CADASTRE_HOST, 10 * mebibyte) == CADASTRE_SUCCESS);
    CHECK(allocate(context, 9 * mebibyte, "field"));
    work_on(context);
  }));
  assert_in_range(use_of(summary, "").at_most_live.live, 9 * mebibyte, 10 * mebibyte);
  assert_non_null(std::strstr(content(path_of("near")).c_str(), "the limit of HOST memory"));
}

std::size_t count_of_moments(const std::string& path) { return read_trace(path).uses.size(); }

void moments_are_few_whatever_a_program_does(void**) {
  const std::size_t in_steps = count_of_moments(recorded("steps", [] {
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < 8000; ++i) CHECK(allocate(context, mebibyte / 2));
  }));
  assert_in_range(in_steps, 200, 2 * (64 + 64 * 5) + 100);  // 64 KiB more until there are 4 MiB, then 1/64 more until there are 4 GiB
  const std::size_t up_and_down = count_of_moments(recorded("pairs", [] {
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < 50'000; ++i) CHECK(cadastre_free(context, allocate(context, 5 * mebibyte)) == CADASTRE_SUCCESS);
  }));
  assert_in_range(up_and_down, 2, 3000);
}

cadastre_context of_handler;

void allocate_in_handler(int) {
  for (int i = 0; i < 3; ++i) allocate(of_handler, mebibyte);
}

// A program whose handlers allocate ends, and its trace is whole.
void a_handler_of_signals_looks_at_nothing_while_its_thread_is_inside(void**) {
  const std::string path = recorded("handler", [] {
    const cadastre_context context = cadastre_context_create();
    of_handler = cadastre_context_create();
    std::signal(SIGUSR1, allocate_in_handler);
    const pthread_t thread = pthread_self();
    std::atomic<bool> ends = false;
    std::thread other([&] {
      for (int i = 0; i < 200; ++i) {
        pthread_kill(thread, SIGUSR1);
        usleep(100);
      }
      ends = true;
    });
    while (!ends) CHECK(cadastre_free(context, allocate(context, mebibyte)) == CADASTRE_SUCCESS);
    other.join();
  });
  assert_string_equal(read_trace(path).incomplete.c_str(), "");
}

std::vector<std::string> lines_with(const std::string& text, const char* begin) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, std::strlen(begin), begin) == 0) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Puts a file in the place of one that the system has of this process, for this process alone.
bool replace_file(const char* name, const std::string& text) {
  const std::string path = path_of(name), place = "/proc/" + std::to_string(getpid()) + "/" + name;
  write_file(path, text);
  return mount(path.c_str(), place.c_str(), nullptr, MS_BIND, nullptr) == 0;
}

void resident_memory_stands_by_numa_node(void**) {
  constexpr char on_two_nodes[] = "00400000 default file=/usr/bin/a mapped=5 N0=2 N1=3 kernelpagesize_kB=4\n7f5e60000000 default\n";
  for (const char* const name : {"nodes", "nodes.csv"}) {
    const std::string path = path_of(name);
    constexpr int may_not = 77;
    const int status = status_of_child([&] {
      const bool is_apart = unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
      if (!is_apart || !replace_file("status", "Name:\tx\nMems_allowed_list:\t0-1\n") || !replace_file("numa_maps", on_two_nodes))
        _exit(may_not);
      setenv("CADASTRE_TRACE", path.c_str(), 1);
      CHECK(allocate(cadastre_context_create(), mebibyte));
    });
    if (WIFEXITED(status) && WEXITSTATUS(status) == may_not)
      skip_because("this process may not put a file in the place of one of the system's");
    assert_int_equal(status, 0);
    const std::vector<NumaNode> nodes = use_of(summary_of(path), "").numa_nodes;
    assert_int_equal(nodes.size(), 2);
    assert_int_equal(nodes[0].node, 0);
    assert_int_equal(nodes[0].bytes, 2 * 4096);
    assert_int_equal(nodes[1].node, 1);
    assert_int_equal(nodes[1].bytes, 3 * 4096);
  }
}

void lines_have_moments_as_comments(void**) {
  const std::string path = recorded("lines.csv", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 8 * mebibyte));
    work_on(context);
  });
  assert_true(lines_with(content(path), "# resident ").size() >= 2);
  assert_in_range(use_of(summary_of(path), "").at_most_live.live, 8 * mebibyte, 9 * mebibyte);
}

bool is_same(const Trace::UseBefore& a, const Trace::UseBefore& b) {
  return a.operation == b.operation && a.use.time == b.use.time && a.use.device == b.use.device && a.use.used == b.use.used &&
         a.use.live == b.use.live && a.use.kept == b.use.kept && a.use.huge == b.use.huge && a.use.total == b.use.total &&
         a.use.node == b.use.node;
}

void a_conversion_keeps_moments_both_ways(void**) {
  const std::string before = path_of("before"), lines = path_of("as_lines"), records = path_of("as_records");
  write_file(before,
             "# cadastre 1, process 1 on host\nop,block,size,time\ncreate,,,1\n# resident 2 500 100 20 -\n# device 2 cuda 1 700 900 300\n"
             "malloc,1,100,3\n# device 4 my own 3 1 2 -\n# node 4 63 400\n# resident 5 - - - -\n");
  const Trace given = read_trace(before);
  assert_int_equal(given.uses.size(), 5);
  assert_string_equal(given.uses[1].use.device.c_str(), "cuda 1");
  assert_string_equal(given.uses[2].use.device.c_str(), "my own 3");
  assert_int_equal(given.uses[4].operation, 2);
  write_file(records, as_records(given));
  const Trace of_records = read_trace(records);
  write_file(lines, as_lines(of_records));
  const Trace of_lines = read_trace(lines);
  for (const Trace* const trace : {&of_records, &of_lines}) {
    assert_int_equal(trace->operations.size(), 2);
    assert_true(std::equal(given.uses.begin(), given.uses.end(), trace->uses.begin(), trace->uses.end(), is_same));
  }
}

Summary summary_of_text(const std::string& text) {
  write_file(path_of("text"), text);
  return summary_of(path_of("text"));
}

void comments_that_are_none_are_passed_over(void**) {
  const std::string head = "# cadastre 1, process 1 on host\n", columns = "op,block,size\ncreate,,\n";
  for (const char* const comment :
       {"# resident", "# resident ", "# resident 1 2 3 4", "# resident -1 2 3 4 5", "# resident 1 x 3 4 5",
        "# resident 1 99999999999999999999 3 4 5", "# device 1 cuda 0 5", "# device cuda 0 1 2 3", "# device 1 cuda 1 2 3",
        "# device 1 cuda x 1 2 3", "# device 1 cuda 32768 1 2 3", "# device 1  0 1 2 3", "# device 1 ", "# node 1 0 5", "# node 1 - 5"}) {
    assert_int_equal(summary_of_text(head + columns + comment + "\nmalloc,1,5\n").uses.size(), 0);
  }
  const std::string one = "# resident 1 2 3 4 5\n";
  assert_int_equal(summary_of_text(head + columns + one).uses.size(), 1);
  assert_int_equal(summary_of_text(columns + one).uses.size(), 0);                              // no process wrote it
  assert_int_equal(summary_of_text(head + "# resident 1 2 3 4 5\n" + columns).uses.size(), 0);  // where a head is
}

void nodes_are_of_the_moment_at_which_most_lived(void**) {
  const std::string head = "# cadastre 1, process 1 on host\nop,block,size\ncreate,,\n";
  const std::string first = "# resident 1 900 100 0 -\n# node 1 0 11\n", most = "# resident 2 900 500 0 -\n",
                    less = "# resident 3 900 50 0 -\n# node 3 0 33\n# node 3 1 34\n";
  const auto nodes = [&](const std::string& text) { return use_of(summary_of_text(head + text), "").numa_nodes; };
  assert_int_equal(nodes(first + most + "# node 2 0 22\n# node 2 1 23\n" + less).size(), 2);
  assert_int_equal(nodes(first + most + "# node 2 0 22\n# node 2 1 23\n" + less)[1].bytes, 23);
  assert_int_equal(nodes(first + most + less)[0].bytes, 11);  // the last that were looked at before
  assert_int_equal(nodes(most + less).size(), 2);             // or the first behind it
  std::string many = most;
  for (int node = 0; node < 1000; ++node) many += "# node 2 " + std::to_string(node) + " 5\n";
  assert_in_range(nodes(many).size(), 64, 64);
}

void figures_that_no_machine_has_do_no_harm(void**) {
  const std::string most = std::to_string(INT64_MAX);
  std::string text = "# cadastre 1, process 1 on host\nop,block,size,time\ncreate,,,\n";
  text += "# resident " + most + " " + most + " " + most + " " + most + " " + most + "\n";
  text += "# resident 0 0 " + most + " " + most + " -\n";
  for (int i = 0; i < 200; ++i) text += "# device 1 some" + std::to_string(i) + " 32767 " + most + " 0 -\n";
  for (int i = 0; i < 5000; ++i) text += "# resident " + std::to_string(i) + " " + std::to_string(i) + " 0 0 0\n";
  text += "malloc,1,5,\n";
  const Summary summary = summary_of_text(text);
  assert_int_equal(use_of(summary, "").untracked(), 0);
  assert_int_equal(use_of(summary, "").at_most_used.used, INT64_MAX);
  assert_in_range(summary.uses.size(), 2, 64);
  assert_in_range(summary.resident.size(), 400, 1000);
  for (const char* const form : {"text", "json"}) assert_true(!report_on(Traces{{&summary, 1}}, form, true).empty());
  const Trace trace = read_trace(path_of("text"));
  write_file(path_of("again"), as_records(trace));
  assert_int_equal(read_trace(path_of("again")).uses.size(), trace.uses.size());
}

// What a reader that is older does with kinds of this version, this one does with those of a later one.
void a_reader_passes_over_kinds_that_it_does_not_know(void**) {
  std::string bytes = content(recorded("later", [] {
    const cadastre_context context = cadastre_context_create();
    CHECK(allocate(context, 8 * mebibyte));
  }));
  const std::string name = "record 15 resident ";
  const std::size_t place = bytes.find(name);
  assert_true(place != std::string::npos);
  bytes.replace(place, name.size(), "record 15 residenz ");
  format::TraceHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  head.checksum = format::trace_checksum(bytes.data() + sizeof head, head.text_bytes);
  std::memcpy(bytes.data(), &head, sizeof head);
  write_file(path_of("unknown"), bytes);
  const Trace trace = read_trace(path_of("unknown"));
  assert_int_equal(trace.operations.size(), 2);
  assert_int_equal(trace.uses.size(), 0);
  assert_string_equal(trace.incomplete.c_str(), "");
}

std::string rule_of(const std::string& trace) {
  const std::string bytes = content(trace), name = "\nrounding ";
  const std::size_t place = bytes.find(name);
  return place == std::string::npos ? "" : bytes.substr(place + name.size(), bytes.find('\n', place + 1) - place - name.size());
}

void make_context() { CHECK(allocate(cadastre_context_create(), 100)); }

void each_size_takes_what_its_class_has(void**) {
  const Rounding rounding(rule_of(recorded("rule", [] {
    setenv("CADASTRE_HEAP", "on", 1);
    make_context();
  })));
  assert_true(rounding.is_known(CADASTRE_HOST));
  assert_false(rounding.is_known(CADASTRE_DEVICE));
  for (std::size_t size = 0; size <= format::largest_in_slab; ++size) {
    const std::size_t taken = format::size_of_class(format::class_of_size(size));
    if (rounding.added_to(size, 0) != static_cast<std::int64_t>(taken - size)) assert_int_equal(size, -1);
  }
  const auto page = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
  assert_int_equal(rounding.added_to(format::largest_in_slab + 1, 0), 16384 - 1);
  assert_int_equal(rounding.added_to(4 * mebibyte - 1, 0), 1);
  assert_int_equal(rounding.added_to(4 * mebibyte, 0), 0);
  assert_int_equal(rounding.added_to(4 * mebibyte + 1, 0), page - 1);
}

void a_size_is_first_rounded_up_to_its_alignment(void**) {
  const Rounding rounding("HOST 64 16 4096");
  assert_int_equal(rounding.added_to(33, 0), 15);
  assert_int_equal(rounding.added_to(33, 6), 31);
  assert_int_equal(rounding.added_to(65, 6), 4096 - 65);
  assert_int_equal(rounding.added_to(0, 0), 16);
  assert_int_equal(rounding.added_to(UINT64_MAX, 63), 0);
  assert_true(rounding.added_to(INT64_MAX / 2, 63) >= 0);
}

void a_rule_that_makes_no_sense_is_none(void**) {
  for (const char* const rule : {"", "HOST", "HOST ", "HOST 64 16", "HOST 64 0 16", "HOST 0", "HOST x", "HOST -1", "HOST 64 16 64 32 128",
                                 "HOST 64 16 32 8 128", "NONE 64 16 4096", "HOST 99999999999999999999", "HOST 9999999999999"}) {
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) assert_false(Rounding(rule).is_known(type));
  }
}

void without_slabs_there_is_no_rule(void**) {
  const std::string path = recorded("no_rule", [] {
    setenv("CADASTRE_HEAP", "off", 1);
    make_context();
  });
  assert_string_equal(rule_of(path).c_str(), "");
  const Summary summary = summary_of(path);
  assert_true(summary.labels[0].rounding_at_peak() < 0);
}

void a_conversion_keeps_the_rule_and_alignments(void**) {
  const std::string path = recorded("aligned", [] {
    setenv("CADASTRE_HEAP", "on", 1);
    const cadastre_context context = cadastre_context_create();
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = 100;
    info.alignment = 512;
    CHECK(cadastre_malloc(context, info));
    CHECK(allocate(context, 100));
  });
  const std::int64_t expected = 412 + 12;
  assert_int_equal(summary_of(path).labels[0].rounding_at_peak(), expected);
  write_file(path_of("lines"), as_lines(read_trace(path)));
  assert_int_equal(summary_of(path_of("lines")).labels[0].rounding_at_peak(), expected);
  write_file(path_of("records"), as_records(read_trace(path_of("lines"))));
  assert_int_equal(summary_of(path_of("records")).labels[0].rounding_at_peak(), expected);
  assert_int_equal(summarize(*stored_source(read_trace(path))).labels[0].rounding_at_peak(), expected);
}

// A sum that has no number is left out, with what would have made it.
void rounding_of_any_sizes_adds_up(void**) {
  std::string text = "# cadastre 1, process 1 on host\n# rounding HOST 1099511627776\nop,block,size,alignment\ncreate,,,\n";
  for (int block = 1; block <= 20; ++block)
    text += "malloc," + std::to_string(block) + "," + std::to_string(INT64_MAX / 20 - 5) + ",4611686018427387904\n";
  const Summary summary = summary_of_text(text);
  assert_int_equal(summary.left_out, 1);
  const Amount& peak = summary.types[all_types].peak;
  assert_int_equal(peak.blocks, 19);
  assert_true(peak.rounding > 0 && peak.rounding <= INT64_MAX - peak.bytes);
}

std::size_t timed(const Trace& trace, Kind kind) {
  return static_cast<std::size_t>(std::count_if(trace.durations.begin(), trace.durations.end(),
                                                [&](const Trace::Duration& one) { return trace.operations[one.operation].kind == kind; }));
}

void about_one_call_of_64_is_timed_whatever_the_pattern(void**) {
  constexpr int pairs = 64'000;
  const Trace trace = read_trace(recorded("timed", [] {
    setenv("CADASTRE_HEAP", "on", 1);
    const cadastre_context context = cadastre_context_create();
    for (int i = 0; i < pairs; ++i) CHECK(cadastre_free(context, allocate(context, 100, "a pair")) == CADASTRE_SUCCESS);
  }));
  assert_int_equal(trace.operations.size(), 1 + 2 * pairs);
  assert_in_range(timed(trace, Kind::malloc), 800, 1200);
  assert_in_range(timed(trace, Kind::free), 800, 1200);
  for (const Trace::Duration& one : trace.durations) {
    assert_true(one.nanoseconds >= 0);
    assert_true(one.nanoseconds <= trace.operations[one.operation].time);
  }
}

void each_thread_has_calls_that_are_timed(void**) {
  constexpr std::size_t threads = 8;
  const Trace trace = read_trace(recorded("threads", [] {
    const cadastre_context context = cadastre_context_create();
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < threads; ++i) {
      all.emplace_back([=] {
        for (int call = 0; call < 150; ++call) CHECK(cadastre_free(context, allocate(context, 100)) == CADASTRE_SUCCESS);
      });
    }
    for (std::thread& one : all) one.join();
  }));
  std::vector<int> of_threads(threads + 1);
  for (const Trace::Duration& one : trace.durations) ++of_threads[trace.operations[one.operation].thread];
  for (std::size_t i = 1; i <= threads; ++i) assert_in_range(of_threads[i], 2, 100);
}

void the_time_of_all_calls_is_estimated_from_those_that_were_timed(void**) {
  using Clock = std::chrono::steady_clock;
  constexpr int copies = 1000;
  const std::string path = recorded("copies", [] {
    const cadastre_context context = cadastre_context_create();
    constexpr std::size_t size = 2 * mebibyte;
    void* const to = allocate(context, size, "field");
    void* const from = allocate(context, size);
    std::int64_t least = INT64_MAX, greatest = 0;
    for (int i = 0; i < copies; ++i) {
      const Clock::time_point before = Clock::now();
      CHECK(cadastre_memcpy(context, to, from, size) == CADASTRE_SUCCESS);
      const std::int64_t took = std::chrono::nanoseconds(Clock::now() - before).count();
      least = std::min(least, took);
      greatest = std::max(greatest, took);
    }
    std::ofstream(path_of("took")) << least << ' ' << greatest;
  });
  const Summary summary = summary_of(path);
  const auto call = std::find_if(summary.calls.begin(), summary.calls.end(), [](const CallSummary& one) { return one.kind == Kind::copy; });
  assert_true(call != summary.calls.end());
  assert_int_equal(call->calls, copies);
  assert_in_range(call->timed, copies / 127, copies / 20);
  std::int64_t least = 0, greatest = 0;
  std::ifstream(path_of("took")) >> least >> greatest;
  assert_true(least > 10'000);  // as 2 MiB are
  assert_in_range(call->longest, least / 2, greatest + greatest / 10);
  assert_in_range(call->estimated(), copies * (least / 2), copies * call->longest);
  const auto label =
      std::find_if(summary.labels.begin(), summary.labels.end(), [](const LabelSummary& one) { return one.label == "field"; });
  assert_true(label->time_in_calls >= call->estimated());
}

void a_conversion_keeps_times_of_calls_both_ways(void**) {
  write_file(
      path_of("given"),
      "op,block,size,time,duration,label\ncreate,,,1,,\nmalloc,1,100,3,70,a\nmalloc,2,100,4,,a\nfree,1,,5,0,\nfree,2,,6,9000000000,\n");
  const Trace given = read_trace(path_of("given"));
  assert_int_equal(given.durations.size(), 3);
  write_file(path_of("records"), as_records(given));
  const Trace of_records = read_trace(path_of("records"));
  write_file(path_of("lines"), as_lines(of_records));
  const Trace of_lines = read_trace(path_of("lines"));
  const auto is_same_time = [](const Trace::Duration& a, const Trace::Duration& b) {
    return a.operation == b.operation && a.nanoseconds == b.nanoseconds;
  };
  for (const Trace* const trace : {&of_records, &of_lines})
    assert_true(std::equal(given.durations.begin(), given.durations.end(), trace->durations.begin(), trace->durations.end(), is_same_time));
  const Summary stored = summarize(*stored_source(given)), read = summary_of(path_of("records"));
  assert_int_equal(stored.calls.size(), 2);
  assert_int_equal(read.calls[1].estimated(), 9'000'000'000);
  assert_int_equal(stored.labels[0].time_in_calls, 2 * 70 + 9'000'000'000);
  assert_int_equal(read.labels[0].time_in_calls, stored.labels[0].time_in_calls);
}

void times_that_no_call_takes_do_no_harm(void**) {
  std::string text = "op,block,size,duration\ncreate,,,\n";
  for (int block = 1; block <= 3000; ++block) text += "malloc," + std::to_string(block) + ",1,9007199254740992\n";
  text += "malloc,9000,1," + std::to_string(INT64_MAX) + "\n";
  const Summary summary = summary_of_text(text);
  assert_int_equal(summary.calls[0].calls, 3001);
  assert_in_range(summary.calls[0].timed, 1000, 1024);
  assert_true(summary.labels[0].time_in_calls >= 0);
  for (const char* const form : {"text", "json", "csv"}) assert_true(!report_on(Traces{{&summary, 1}}, form, true).empty());
}

std::int64_t failures_with(const Summary& summary, Fault fault, const char* label) {
  std::int64_t count = 0;
  for (const FailureSummary& failure : summary.failures) count += failure.fault == fault && failure.label == label ? failure.count : 0;
  return count;
}

void what_was_wrong_with_a_block_is_known_in_either_form(void**) {
  const Task program = [] {
    const cadastre_context context = cadastre_context_create(), other = cadastre_context_create();
    int here = 0;
    void* const block = allocate(context, 100, "a");
    void* const large = allocate(other, 8 * mebibyte, "b");
    CHECK(cadastre_free(context, block) == CADASTRE_SUCCESS);
    for (int i = 0; i < 3; ++i) CHECK(cadastre_free(context, block) == CADASTRE_INVALID_ARG_2);
    for (int i = 0; i < 2; ++i) CHECK(cadastre_free(context, large) == CADASTRE_INVALID_ARG_2);
    CHECK(cadastre_free(context, &here) == CADASTRE_INVALID_ARG_2);
    CHECK(cadastre_free(context, nullptr) == CADASTRE_INVALID_ARG_2);
    CHECK(cadastre_free(context + 1, block) == CADASTRE_INVALID_CONTEXT);
  };
  const std::string records = recorded("failing", program), lines = recorded("failing.csv", program);
  for (const Summary& summary : {summary_of(records), summary_of(lines), summarize(*stored_source(read_trace(records)))}) {
    assert_int_equal(summary.failed, 8);
    assert_int_equal(failures_with(summary, Fault::freed_before, "a"), 3);
    assert_int_equal(failures_with(summary, Fault::other_context, "b"), 2);
    assert_int_equal(failures_with(summary, Fault::foreign, ""), 1);
    assert_int_equal(failures_with(summary, Fault::null, ""), 1);
    assert_int_equal(failures_with(summary, Fault::no_context, ""), 1);
    assert_int_equal(summary.failures[0].count, 3);
  }
}

void failures_of_many_kinds_are_bounded(void**) {
  std::string text = "op,block,size,result\ncreate,,,\n";
  for (int code = 1; code <= 3000; ++code) text += "free,-1,," + std::to_string(code) + "\n";
  const Summary summary = summary_of_text(text);
  assert_int_equal(summary.failed, 3000);
  assert_int_equal(summary.failures.size(), 1000);
  assert_non_null(std::strstr(as_text({{&summary, 1}}, true).c_str(), "  and 2,990 more\n"));
}

}  // namespace

int main() {
  const char* const temporary = std::getenv("TMPDIR");
  folder = std::string(temporary ? temporary : "/tmp") + "/cadastre-moments-XXXXXX";
  if (!mkdtemp(folder.data())) return 1;
  const CMUnitTest tests[] = {
      cmocka_unit_test(what_others_have_of_the_host_stands_beside_blocks),
      cmocka_unit_test(what_others_have_of_a_device_does_so_too),
      cmocka_unit_test(a_device_that_is_emulated_is_memory_of_the_host),
      cmocka_unit_test(resident_memory_stands_by_numa_node),
      cmocka_unit_test(nodes_are_of_the_moment_at_which_most_lived),
      cmocka_unit_test(a_black_box_sees_what_it_sees_beside_a_trace),
      cmocka_unit_test(moments_are_few_whatever_a_program_does),
      cmocka_unit_test(a_handler_of_signals_looks_at_nothing_while_its_thread_is_inside),
      cmocka_unit_test(lines_have_moments_as_comments),
      cmocka_unit_test(a_conversion_keeps_moments_both_ways),
      cmocka_unit_test(comments_that_are_none_are_passed_over),
      cmocka_unit_test(figures_that_no_machine_has_do_no_harm),
      cmocka_unit_test(a_reader_passes_over_kinds_that_it_does_not_know),
      cmocka_unit_test(each_size_takes_what_its_class_has),
      cmocka_unit_test(a_size_is_first_rounded_up_to_its_alignment),
      cmocka_unit_test(a_rule_that_makes_no_sense_is_none),
      cmocka_unit_test(without_slabs_there_is_no_rule),
      cmocka_unit_test(a_conversion_keeps_the_rule_and_alignments),
      cmocka_unit_test(rounding_of_any_sizes_adds_up),
      cmocka_unit_test(about_one_call_of_64_is_timed_whatever_the_pattern),
      cmocka_unit_test(each_thread_has_calls_that_are_timed),
      cmocka_unit_test(the_time_of_all_calls_is_estimated_from_those_that_were_timed),
      cmocka_unit_test(a_conversion_keeps_times_of_calls_both_ways),
      cmocka_unit_test(times_that_no_call_takes_do_no_harm),
      cmocka_unit_test(what_was_wrong_with_a_block_is_known_in_either_form),
      cmocka_unit_test(failures_of_many_kinds_are_bounded),
  };
  const int failed = cmocka_run_group_tests_name("moments of traces", tests, nullptr, nullptr);
  const std::string remove = "rm -rf '" + folder + "'";
  return std::system(remove.c_str()) == 0 ? failed : 1;
}
