// Tangled from org/tests/places_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <latch>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/numa_nodes.hpp"
#include "base/places.hpp"
#include "cmocka.hpp"
#include "machine_files.hpp"

using namespace cadastre::internal;

namespace {

struct Machine : MachineFiles {
  using MachineFiles::MachineFiles;

  Places places_with(std::initializer_list<unsigned> numbers) const {
    CpuSet cpus;
    for (const unsigned cpu : numbers) cpus.add(cpu);
    errno = EDOM;
    const Places places = places_of(cpus, root.c_str());
    assert_int_equal(errno, EDOM);
    return places;
  }
};

constexpr const char* both_nodes = "Name:\tx\nMems_allowed:\t3\nMems_allowed_list:\t0-1\nvoluntary_ctxt_switches:\t1\n";
constexpr const char *online = "/sys/devices/system/node/online", *first = "/sys/devices/system/node/node0/cpulist",
                     *second = "/sys/devices/system/node/node1/cpulist", *status = "/proc/self/status";

// What a machine with two nodes would say.
constexpr char pages_on_nodes[] =
    "00400000 prefer=relative:1 file=/usr/bin/a\\040N1=4 mapped=5 N0=2 N1=3 kernelpagesize_kB=4\n"
    "7f5e40000000 bind:1 file=/dev/hugepages/a_name_that_is_longer_than_any_word_of_this_file huge anon=3 dirty=3 N1=3 kernelpagesize_kB=2048\n"
    "7f5e50000000 default stack anon=1 dirty=1 active=0 N70=9 N1=1\n"
    "7f5e60000000 default\n";

void pages_count_by_node_wherever_a_piece_ends(void**) {
  const std::string_view text = pages_on_nodes;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t end = 0; end <= text.size(); ++end) {
    BytesOnNodes nodes;
    nodes.read(text.substr(0, end));
    nodes.read(text.substr(end));
    assert_int_equal(nodes.of(0), 2 * 4096);
    assert_int_equal(nodes.of(1), 3 * 4096 + 3 * (2 << 20) + page);
    for (std::size_t node = 2; node < BytesOnNodes::most; ++node) assert_int_equal(nodes.of(node), 0);
  }
}

void where_one_node_gives_memory_there_is_one_place(void**) {
  const Machine machine({{status, "Name:\tx\nMems_allowed_list:\t1\n"}, {online, "0-1\n"}, {first, "0-7\n"}, {second, "8-15\n"}});
  assert_true(machine.places_with({0, 15}) == Places::one);
  assert_true(Machine({{status, "Name:\tx\nMems_allowed_list:\t0\n"}}).places_with({}) == Places::one);
}

void the_nodes_count_that_have_a_cpu_of_the_process(void**) {
  const Machine machine({{status, both_nodes}, {online, "0-1\n"}, {first, "0-3,8-11\n"}, {second, "4-7,12-15\n"}});
  assert_true(machine.places_with({0, 3, 8, 11}) == Places::one);
  assert_true(machine.places_with({4, 12, 15}) == Places::one);
  assert_true(machine.places_with({3, 4}) == Places::several);
  assert_true(machine.places_with({11, 12}) == Places::several);
  assert_true(machine.places_with({0, 1, 2, 3, 4, 5, 6, 7}) == Places::several);
}

void a_node_of_memory_alone_is_no_place_for_threads(void**) {
  const Machine machine({{status, both_nodes}, {online, "0-1\n"}, {first, "0-7\n"}, {second, "\n"}});
  assert_true(machine.places_with({0, 7}) == Places::one);
}

void large_numbers_are_read(void**) {
  const Machine machine(
      {{status, both_nodes}, {online, "0,31\n"}, {first, "0-4095\n"}, {"/sys/devices/system/node/node31/cpulist", "4096-8191\n"}});
  assert_true(machine.places_with({0, 4095}) == Places::one);
  assert_true(machine.places_with({8191}) == Places::one);
  assert_true(machine.places_with({4095, 4096}) == Places::several);
}

void what_is_not_told_is_not_known(void**) {
  assert_true(Machine({{"/file", ""}}).places_with({0}) == Places::unknown);
  assert_true(Machine({{status, both_nodes}}).places_with({0}) == Places::unknown);
  assert_true(Machine({{status, both_nodes}, {online, "0-1\n"}, {first, "0-7\n"}}).places_with({0}) == Places::unknown);
  const Machine machine({{status, both_nodes}, {online, "0-1\n"}, {first, "0-7\n"}, {second, "8-15\n"}});
  assert_true(machine.places_with({}) == Places::unknown);
  assert_true(machine.places_with({16}) == Places::unknown);
  assert_true(places_of(CpuSet(), std::string(1000, 'r').c_str()) == Places::unknown);
}

void what_makes_no_sense_is_not_known(void**) {
  for (const char* wrong : {"", "x\n", "0-\n", "7-0\n", "0;1\n", "-1\n", "0-99999999\n", "99999999999999999999\n"}) {
    const Machine machine({{status, both_nodes}, {online, "0-1\n"}, {first, "0-7\n"}, {second, wrong}});
    assert_true(machine.places_with({0}) == Places::unknown);
    assert_true(Machine({{status, both_nodes}, {online, wrong}, {first, "0-7\n"}, {second, "8-15\n"}}).places_with({0}) == Places::unknown);
    assert_true(Machine({{status, std::string("\nMems_allowed_list:\t") + wrong}}).places_with({0}) == Places::unknown);
  }
  const Machine long_one({{status, both_nodes}, {online, "0-1\n"}, {first, "0\n"}, {second, std::string(10000, '1')}});
  assert_true(long_one.places_with({0}) == Places::unknown);
}

void the_cpus_of_a_process_are_those_of_all_its_threads(void**) {
  cpu_set_t own;
  if (sched_getaffinity(0, sizeof own, &own) != 0 || CPU_COUNT(&own) < 2) skip_because("there is one processor");
  std::size_t one = 0, other = 0;
  while (!CPU_ISSET(one, &own)) ++one;
  for (other = one + 1; !CPU_ISSET(other, &own); ++other) continue;
  const auto bind_to = [](std::size_t cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
  };
  bind_to(one);
  std::latch bound(1), seen(1);
  std::thread thread([&] {
    bind_to(other);
    bound.count_down();
    seen.wait();
  });
  bound.wait();
  const CpuSet both = cpus_of_process();
  CpuSet mine;
  assert_true(mine.add_those_of_thread(0));
  seen.count_down();
  thread.join();
  assert_int_equal(sched_setaffinity(0, sizeof own, &own), 0);
  assert_true(both.has(one) && both.has(other));
  assert_true(mine.has(one) && !mine.has(other));
}

void many_threads_are_all_asked(void**) {
  std::latch done(1);
  std::vector<std::thread> threads;
  for (int number = 0; number < 200; ++number) threads.emplace_back([&] { done.wait(); });
  const int before = dup(0);
  close(before);
  const CpuSet cpus = cpus_of_process();
  const int after = dup(0);
  close(after);
  done.count_down();
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(before, after);
  assert_true(cpus.has(static_cast<std::size_t>(sched_getcpu())));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(where_one_node_gives_memory_there_is_one_place),
      cmocka_unit_test(pages_count_by_node_wherever_a_piece_ends),
      cmocka_unit_test(the_nodes_count_that_have_a_cpu_of_the_process),
      cmocka_unit_test(a_node_of_memory_alone_is_no_place_for_threads),
      cmocka_unit_test(large_numbers_are_read),
      cmocka_unit_test(what_is_not_told_is_not_known),
      cmocka_unit_test(what_makes_no_sense_is_not_known),
      cmocka_unit_test(the_cpus_of_a_process_are_those_of_all_its_threads),
      cmocka_unit_test(many_threads_are_all_asked),
  };
  return cmocka_run_group_tests_name("places", tests, nullptr, nullptr);
}
