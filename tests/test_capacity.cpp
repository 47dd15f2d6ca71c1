// Tangled from org/tests/capacity_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/capacity.hpp"
#include "cmocka.hpp"
#include "taken_stack.hpp"

using namespace cadastre::internal;

namespace {

using Bound = HostCapacity::Bound;
using Files = std::map<std::string, std::string>;

// A folder with these files, which goes with its owner.
struct Machine {
  std::string root;

  explicit Machine(const Files& files) {
    char folder[] = "/tmp/cadastre-capacity-XXXXXX";
    assert_non_null(mkdtemp(folder));
    root = folder;
    for (const auto& [name, content] : files) {
      const std::filesystem::path path = root + name;
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path) << content;
    }
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() { std::filesystem::remove_all(root); }
};

// What is read of a machine with these files; paths are those of the machine.
HostCapacity capacity_of(const Files& files) {
  const Machine machine(files);
  HostCapacity capacity = host_capacity(machine.root.c_str());
  if (capacity.group) {
    const std::string file = capacity.group->file;
    assert_int_equal(file.compare(0, machine.root.size(), machine.root), 0);
    std::strcpy(capacity.group->file, file.c_str() + machine.root.size());
  }
  const std::string doubt = capacity.doubt;
  const std::size_t root = doubt.find(machine.root);
  if (root != std::string::npos) std::strcpy(capacity.doubt + root, doubt.c_str() + root + machine.root.size());
  return capacity;
}

// The status of a child that does this; 0 when it returns true.
template <class Does>
int child_that(Does does) {
  const pid_t child = fork();
  if (child == 0) _exit(does() ? 0 : 1);
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

constexpr const char* unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* older = "31 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                              "32 23 0:28 / /sys/fs/cgroup/memory rw shared:5 master:1 - cgroup cgroup rw,memory\n";
constexpr const char* memory_of_16_gib = "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:   600 kB\n";

void the_ram_is_all_there_is_without_limits(void**) {
  const HostCapacity capacity = capacity_of({{"/proc/meminfo", memory_of_16_gib}, {"/proc/self/cgroup", ""}});
  assert_true(capacity.ram == std::uint64_t{16} << 30 && capacity.available == 600u * 1024 && !capacity.group);
  assert_true(capacity.bytes == std::size_t{16} << 30 && capacity.by == Bound::ram);
  assert_string_equal(capacity.why, "16.0 GiB, the RAM of this machine");
  assert_string_equal(capacity.doubt, "");
}

void pages_that_are_given_up_first_are_not_used(void**) {
  Files files = {{"/proc/meminfo", memory_of_16_gib},
                 {"/proc/self/cgroup", "0::/job\n"},
                 {"/proc/self/mountinfo", unified},
                 {"/sys/fs/cgroup/job/memory.max", "1000\n"},
                 {"/sys/fs/cgroup/job/memory.current", "900\n"},
                 {"/sys/fs/cgroup/job/memory.stat", "anon 500\ninactive_anon 3\ninactive_file 150\nactive_file 9\n"}};
  assert_true(capacity_of(files).group->used == 750u);
  files["/sys/fs/cgroup/job/memory.stat"] = "inactive_file 901\n";
  assert_true(capacity_of(files).group->used == 0u);
  files["/sys/fs/cgroup/job/memory.stat"] = "inactive_file lots\n";
  assert_true(capacity_of(files).group->used == 900u);
  const HostCapacity of_older = capacity_of({{"/proc/meminfo", memory_of_16_gib},
                                             {"/proc/self/cgroup", "4:memory:/job\n"},
                                             {"/proc/self/mountinfo", older},
                                             {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000\n"},
                                             {"/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "900\n"},
                                             {"/sys/fs/cgroup/memory/job/memory.stat", "inactive_file 7\ntotal_inactive_file 100\n"}});
  assert_true(of_older.group && of_older.group->used == 800u);
}

void what_is_used_is_said_of_each_bound(void**) {
  constexpr std::uint64_t kibibyte = 1024;
  for (const HostUse& none : uses_of_host(HostCapacity())) assert_true(none.limit == 0 && none.of == Bound::unknown);
  Files files = {{"/proc/meminfo", memory_of_16_gib}, {"/proc/self/cgroup", ""}};
  HostUses uses = uses_of_host(capacity_of(files));
  assert_true(uses[0].of == Bound::ram && uses[0].limit == std::uint64_t{16} << 30 && uses[0].used == uses[0].limit - 600 * kibibyte);
  assert_true(uses[1].limit == 0 && uses[2].limit == 0);
  files = {{"/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 500 kB\n"},
           {"/proc/self/cgroup", "0::/job\n"},
           {"/proc/self/mountinfo", unified},
           {"/sys/fs/cgroup/job/memory.max", "1000\n"},
           {"/sys/fs/cgroup/job/memory.current", "499\n"}};
  HostCapacity capacity = capacity_of(files);
  capacity.address_space = 100;
  capacity.mapped = 99;
  uses = uses_of_host(capacity);
  assert_true(uses[0].used == 500 * kibibyte && uses[0].limit == 1000 * kibibyte);
  assert_true(uses[1].of == Bound::control_group && uses[1].used == 499 && uses[1].limit == 1000);
  assert_true(uses[2].of == Bound::address_space && uses[2].used == 99 && uses[2].limit == 100);
  assert_true(uses[1].share() < uses[0].share() && uses[0].share() < uses[2].share());
  assert_string_equal(text_of(uses[1].of, uses[1].limit, capacity).characters, "0.98 KiB, which the control group /job allows");
}

void the_smallest_limit_of_all_levels_holds(void**) {
  Files files = {{"/proc/meminfo", memory_of_16_gib},
                 {"/proc/self/cgroup", "0::/slurm/job_7/step_0\n"},
                 {"/proc/self/mountinfo", unified},
                 {"/sys/fs/cgroup/slurm/memory.max", "3000\n"},
                 {"/sys/fs/cgroup/slurm/job_7/memory.max", "1000\n"},
                 {"/sys/fs/cgroup/slurm/job_7/memory.current", "400\n"},
                 {"/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.group && capacity.group->bytes == 1000 && capacity.group->used == 400u);
  assert_string_equal(capacity.group->file, "/sys/fs/cgroup/slurm/job_7/memory.max");
  assert_true(capacity.bytes == 1000 && capacity.by == Bound::control_group);
  assert_string_equal(capacity.why, "0.98 KiB, which the control group /slurm/job_7 allows");
  assert_string_equal(capacity.doubt, "");
  files["/sys/fs/cgroup/slurm/memory.max"] = "10\n";
  capacity = capacity_of(files);
  assert_true(capacity.group && capacity.group->bytes == 10 && !capacity.group->used && capacity.bytes == 10);
  assert_string_equal(capacity.group->group, "/slurm");
  files["/sys/fs/cgroup/memory.max"] = "9\n";
  assert_string_equal(capacity_of(files).why, "9 B, which the control group / allows");
}

void a_group_that_would_be_throttled_is_limited_by_that(void**) {
  Files files = {{"/proc/self/cgroup", "0::/job\n"},          {"/proc/self/mountinfo", unified},
                 {"/sys/fs/cgroup/job/memory.max", "3000\n"}, {"/sys/fs/cgroup/job/memory.high", "512\n"},
                 {"/sys/fs/cgroup/job/memory.low", "5\n"},    {"/sys/fs/cgroup/job/memory.current", "77\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.bytes == 512 && capacity.group->used == 77u);
  assert_string_equal(capacity.group->file, "/sys/fs/cgroup/job/memory.high");
  assert_string_equal(capacity.why, "512 B, beyond which the control group /job is throttled");
  files["/sys/fs/cgroup/job/memory.high"] = "4000\n";
  capacity = capacity_of(files);
  assert_true(capacity.bytes == 3000 && capacity.group->used == 77u);
}

void limits_beyond_the_ram_are_shown_and_do_not_count(void**) {
  const HostCapacity capacity = capacity_of({{"/proc/meminfo", "MemTotal: 1 kB\n"},
                                             {"/proc/self/cgroup", "0::/job\n"},
                                             {"/proc/self/mountinfo", unified},
                                             {"/sys/fs/cgroup/job/memory.max", "1024\n"}});
  assert_true(capacity.bytes == 1024 && capacity.by == Bound::ram && capacity.group && capacity.group->bytes == 1024);
}

void the_older_version_is_read(void**) {
  Files files = {{"/proc/self/cgroup", "9:cpu:/x\n8:hugetlb,memory:/job\n0::/\n"},
                 {"/proc/self/mountinfo", older},
                 {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                 {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000\n"},
                 {"/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "50\n"},
                 {"/sys/fs/cgroup/cpu/x/memory.limit_in_bytes", "1\n"},
                 {"/sys/fs/cgroup/cpu/job/memory.limit_in_bytes", "2\n"},
                 {"/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "3\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.bytes == 5000 && capacity.group->used == 50u);
  assert_string_equal(capacity.doubt, "");
  for (const char* no_limit : {"9223372036854771712\n", "9223372036854775807\n", "9223372036854710272\n", "18446744073709551615\n"}) {
    files["/sys/fs/cgroup/memory/job/memory.limit_in_bytes"] = no_limit;
    capacity = capacity_of(files);
    assert_true(!capacity.group && capacity.by == Bound::unknown);
    assert_string_equal(capacity.doubt, "");
  }
}

void in_the_older_version_a_group_may_not_bound_those_in_it(void**) {
  Files files = {{"/proc/self/cgroup", "8:memory:/outer/job\n"},
                 {"/proc/self/mountinfo", older},
                 {"/sys/fs/cgroup/memory/outer/memory.limit_in_bytes", "300\n"},
                 {"/sys/fs/cgroup/memory/outer/memory.use_hierarchy", "0\n"},
                 {"/sys/fs/cgroup/memory/outer/job/memory.limit_in_bytes", "5000\n"}};
  assert_true(capacity_of(files).bytes == 5000);
  files["/sys/fs/cgroup/memory/outer/memory.use_hierarchy"] = "1\n";
  assert_true(capacity_of(files).bytes == 300);
}

void in_the_older_version_the_kernel_reports_groups_that_are_not_mounted(void**) {
  Files files = {{"/proc/self/cgroup", "8:memory:/kubepods/pod1/c2\n"},
                 {"/proc/self/mountinfo", "32 23 0:28 /kubepods/pod1/c2 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"},
                 {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "5000\n"},
                 {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "50\n"},
                 {"/sys/fs/cgroup/memory/memory.stat", "cache 3\nhierarchical_memory_limit 700\nhierarchical_memsw_limit 9\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.bytes == 700 && !capacity.group->used);
  assert_string_equal(capacity.group->file, "/sys/fs/cgroup/memory/memory.stat");
  assert_string_equal(capacity.why, "700 B, which the control group /kubepods/pod1/c2 allows");
  for (const char* no_less : {"9223372036854771712", "9000", "5000", "0", "x"}) {
    files["/sys/fs/cgroup/memory/memory.stat"] = "hierarchical_memory_limit " + std::string(no_less) + "\n";
    capacity = capacity_of(files);
    assert_true(capacity.bytes == 5000 && capacity.group->used == 50u);
  }
}

void of_both_versions_the_smaller_limit_holds(void**) {
  Files files = {{"/proc/self/cgroup", "8:memory:/job\n0::/unit\n"},
                 {"/proc/self/mountinfo", std::string(unified) + older},
                 {"/sys/fs/cgroup/unit/memory.max", "700\n"},
                 {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000\n"}};
  assert_true(capacity_of(files).bytes == 700);
  files["/sys/fs/cgroup/memory/job/memory.limit_in_bytes"] = "50\n";
  assert_true(capacity_of(files).bytes == 50);
}

void a_machine_with_both_versions_may_have_memory_in_the_older_one_alone(void**) {
  const HostCapacity capacity =
      capacity_of({{"/proc/self/cgroup", "8:memory:/job\n0::/unit\n"},
                   {"/proc/self/mountinfo", std::string(older) + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
                   {"/sys/fs/cgroup/unified/unit/cgroup.procs", "1\n"},
                   {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000\n"}});
  assert_true(capacity.bytes == 5000);
  assert_string_equal(capacity.doubt, "");
}

void a_container_sees_its_own_group_as_the_root(void**) {
  Files files = {{"/proc/self/cgroup", "0::/docker/ab/inner\n"},
                 {"/proc/self/mountinfo", "30 23 0:26 /docker/ab /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"},
                 {"/sys/fs/cgroup/memory.max", "900\n"},
                 {"/sys/fs/cgroup/inner/memory.max", "800\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.bytes == 800);
  assert_string_equal(capacity.group->group, "/docker/ab/inner");
  files["/sys/fs/cgroup/inner/memory.max"] = "max\n";
  capacity = capacity_of(files);
  assert_true(capacity.bytes == 900);
  assert_string_equal(capacity.group->group, "/docker/ab");
  assert_string_equal(capacity.doubt, "");
}

void groups_around_the_namespace_are_read_where_they_are_mounted(void**) {
  Files files = {{"/proc/self/cgroup", "0::/../b\n"},
                 {"/proc/self/mountinfo", "30 23 0:26 /.. /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"},
                 {"/sys/fs/cgroup/b/memory.max", "800\n"},
                 {"/sys/fs/cgroup/memory.max", "900\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.bytes == 800);
  assert_string_equal(capacity.group->group, "/../b");
  files["/sys/fs/cgroup/memory.max"] = "700\n";
  capacity = capacity_of(files);
  assert_true(capacity.bytes == 700);
  assert_string_equal(capacity.group->group, "/..");
  assert_string_equal(capacity.doubt, "");
}

void a_process_whose_group_is_out_of_sight_keeps_to_what_is_mounted(void**) {
  for (const char* group : {"0::/../elsewhere\n", "0::/../..\n", "0::/..\n"}) {
    const HostCapacity capacity =
        capacity_of({{"/proc/self/cgroup", group}, {"/proc/self/mountinfo", unified}, {"/sys/fs/cgroup/memory.max", "900\n"}});
    assert_true(capacity.bytes == 900);
    assert_string_equal(capacity.why, "900 B, which the control group / allows");
    assert_string_equal(capacity.doubt, ("/proc/self/mountinfo does not show the control group " +
                                         std::string(group + 3, std::strlen(group) - 4) + " of this process")
                                            .c_str());
  }
  // The mounts of the host, in a namespace of its own.
  const HostCapacity capacity = capacity_of({{"/proc/self/cgroup", "0::/\n"},
                                             {"/proc/self/mountinfo", "30 23 0:26 /../../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
                                             {"/sys/fs/cgroup/memory.max", "900\n"}});
  assert_true(capacity.bytes == 900);
  assert_non_null(std::strstr(capacity.doubt, "does not show the control group / of this process"));
}

void a_name_that_begins_like_that_of_the_mounted_group_is_another(void**) {
  const HostCapacity capacity = capacity_of({{"/proc/self/cgroup", "0::/docker/abc\n"},
                                             {"/proc/self/mountinfo", "30 23 0:26 /docker/ab /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"},
                                             {"/sys/fs/cgroup/c/memory.max", "1\n"},
                                             {"/sys/fs/cgroupc/memory.max", "1\n"},
                                             {"/sys/fs/cgroup/memory.max", "900\n"}});
  assert_true(capacity.bytes == 900 && capacity.doubt[0] != '\0');
}

void of_two_mounts_the_one_that_shows_the_group_is_read(void**) {
  Files files = {{"/proc/self/cgroup", "0::/a/b\n"},
                 {"/proc/self/mountinfo", "30 23 0:26 /other /mnt/first rw - cgroup2 cgroup2 rw\n"
                                          "31 23 0:26 /a /mnt/with\\040blank\\134 rw - cgroup2 none rw\n"},
                 {"/mnt/first/memory.max", "5\n"},
                 {"/mnt/with blank\\/b/memory.max", "80\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.bytes == 80);
  assert_string_equal(capacity.doubt, "");
}

void lines_and_names_of_any_length_do_no_harm(void**) {
  const std::string stacked = "25 20 0:24 / / rw - overlay overlay rw,lowerdir=" + std::string(20000, 'x') + "\n";
  const std::string hidden = std::string(4096, 'x') + "30 23 0:26 / /hidden rw - cgroup2 cgroup2 rw\n";
  const std::string name(150, 'g');
  Files files = {{"/proc/self/cgroup", "0::/" + name + "/" + name + "/job_17\n"},
                 {"/proc/self/mountinfo", stacked + unified + hidden},
                 {"/sys/fs/cgroup/" + name + "/" + name + "/job_17/memory.max", "80"},
                 {"/hidden/memory.max", "7\n"}};
  HostCapacity capacity = capacity_of(files);
  assert_true(capacity.bytes == 80);
  assert_string_equal(capacity.doubt, "");
  assert_string_equal(std::strstr(capacity.why, "/job_17"), "/job_17 allows");
  assert_int_equal(std::strlen(capacity.group->group), sizeof capacity.group->group - 1);
  assert_memory_equal(capacity.group->group, "...g", 4);
  for (const std::size_t length : {4000u, 4080u, 4095u, 4096u, 5000u, 70000u}) {
    files["/proc/self/cgroup"] = "0::/" + std::string(length, 'y') + "\n";
    capacity = capacity_of(files);
    assert_true(capacity.by == Bound::unknown && capacity.doubt[0] != '\0');
  }
}

void a_name_cannot_write_to_a_terminal(void**) {
  const HostCapacity capacity = capacity_of({{"/proc/self/cgroup", "0::/a\x1b[2J\xe2\x80\xae\xff\n"},
                                             {"/proc/self/mountinfo", unified},
                                             {"/sys/fs/cgroup/a\x1b[2J\xe2\x80\xae\xff/memory.max", "80\n"}});
  assert_string_equal(capacity.why, "80 B, which the control group /a\\x1b[2J\\u202e\\xff allows");
}

void what_makes_no_sense_is_doubted_and_not_used(void**) {
  for (const char* wrong :
       {"", "\n", "-1\n", "0\n", "12x\n", "lots\n", "0x10\n", "99999999999999999999\n", "1e9\n", "maximum\n", "\xff\n"}) {
    const HostCapacity capacity = capacity_of({{"/proc/meminfo", memory_of_16_gib},
                                               {"/proc/self/cgroup", "0::/a/b\n"},
                                               {"/proc/self/mountinfo", unified},
                                               {"/sys/fs/cgroup/a/memory.max", "5000\n"},
                                               {"/sys/fs/cgroup/a/b/memory.max", wrong}});
    assert_true(capacity.bytes == 5000);
    assert_string_equal(capacity.doubt, "/sys/fs/cgroup/a/b/memory.max has neither a size nor \"max\"");
  }
}

void a_machine_that_reports_nothing_has_an_unknown_capacity(void**) {
  HostCapacity capacity = capacity_of(
      {{"/proc/self/cgroup", "nonsense\n0::/a\n:\n::\n5:memory:\n5:memory:relative\n"},
       {"/proc/self/mountinfo", std::string(older) + "x y - z\n\n - \n- cgroup2\n1 2 3 / / - cgroup2\n30 23 0:26 a b rw - cgroup2 c rw"},
       {"/proc/meminfo", "MemTotal:\nMemTotal: 0 kB\nMemTotal: -1 kB\nMemAvailable: x\n"
                         "MemTotal: 99999999999999999999 kB\nMemTotal: 18446744073709551615 kB\n"}});
  assert_true(!capacity.ram && !capacity.available && !capacity.group && capacity.bytes == 0 && capacity.by == Bound::unknown);
  assert_string_equal(capacity.why, "unknown: the system reports neither RAM nor a limit");
  capacity = capacity_of({});
  assert_true(capacity.bytes == 0 && capacity.by == Bound::unknown);
  assert_string_equal(capacity.doubt, "/proc/self/cgroup does not exist");
  capacity = host_capacity(std::string(5000, 'r').c_str());
  assert_true(capacity.bytes == 0 && capacity.by == Bound::unknown);
}

void groups_that_are_not_mounted_are_doubted(void**) {
  const HostCapacity capacity =
      capacity_of({{"/proc/meminfo", memory_of_16_gib}, {"/proc/self/cgroup", "0::/a\n"}, {"/proc/self/mountinfo", "\n"}});
  assert_true(capacity.by == Bound::ram);
  assert_string_equal(capacity.doubt, "/proc/self/cgroup names a control group, and no file system of control groups is mounted");
}

void what_cannot_be_read_is_doubted(void**) {
  const Machine machine({{"/proc/meminfo", memory_of_16_gib},
                         {"/proc/self/cgroup", "0::/a\n"},
                         {"/proc/self/mountinfo", unified},
                         {"/sys/fs/cgroup/a/memory.max", "5000\n"},
                         {"/sys/fs/cgroup/memory.max/a_folder", ""}});
  HostCapacity capacity = host_capacity(machine.root.c_str());
  assert_true(capacity.bytes == 5000);
  assert_non_null(std::strstr(capacity.doubt, "/sys/fs/cgroup/memory.max cannot be read: error number 21"));
  assert_int_equal(chmod(machine.root.c_str(), 0755), 0);
  assert_int_equal(chmod((machine.root + "/sys/fs/cgroup/a/memory.max").c_str(), 0), 0);
  assert_int_equal(child_that([&] {
                     constexpr uid_t other = 65534;
                     if (geteuid() == 0 && setuid(other) != 0) return false;
                     const HostCapacity unsure = host_capacity(machine.root.c_str());
                     return unsure.by == Bound::ram && std::strstr(unsure.doubt, "/a/memory.max cannot be read: permission denied");
                   }),
                   0);
}

void the_limit_of_the_address_space_counts(void**) {
  const Machine machine({{"/proc/meminfo", memory_of_16_gib}, {"/proc/self/cgroup", ""}});
  assert_int_equal(child_that([&] {
                     const rlimit limit{std::uint64_t{3} << 30, RLIM_INFINITY};
                     if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
                     const HostCapacity capacity = host_capacity(machine.root.c_str());
                     return capacity.by == Bound::address_space && capacity.bytes == std::size_t{3} << 30 &&
                            capacity.address_space == std::uint64_t{3} << 30 &&
                            std::strcmp(capacity.why, "3.00 GiB, the limit of the address space of this process (ulimit -v)") == 0;
                   }),
                   0);
}

void this_machine_has_a_capacity(void**) {
  errno = EDOM;
  const int free_descriptor = dup(0);
  close(free_descriptor);
  const HostCapacity capacity = host_capacity();
  assert_int_equal(errno, EDOM);
  const int descriptor = dup(0);
  close(descriptor);
  assert_int_equal(descriptor, free_descriptor);
  assert_true(capacity.by != Bound::unknown && capacity.ram && capacity.available);
  assert_true(capacity.bytes >= 1 << 20 && capacity.bytes <= *capacity.ram);
  assert_true(capacity.why[0] != '\0');
}

void without_proc_the_system_itself_is_asked_for_its_ram(void**) {
  if (geteuid() != 0) skip_because("only root may do this");
  const std::uint64_t ram = host_capacity().ram.value_or(0);
  const Machine machine(Files{{"/file", ""}});
  assert_int_equal(child_that([&] {
                     if (chroot(machine.root.c_str()) != 0 || chdir("/") != 0) return false;
                     const HostCapacity capacity = host_capacity();
                     return !capacity.available && capacity.ram && *capacity.ram / 2 < ram && ram / 2 < *capacity.ram &&
                            std::strcmp(capacity.doubt, "/proc/self/cgroup does not exist") == 0 && !resident_bytes();
                   }),
                   0);
}

// Of the deepest look: into groups of both versions, some of whose files make no sense. One before has the system bind what is called.
void a_look_takes_little_of_a_stack(void**) {
  if (sanitized) skip_because("a sanitizer makes each function take more");
  const Machine machine({{"/proc/meminfo", memory_of_16_gib},
                         {"/proc/self/cgroup", "4:memory:/a/b\n0::/a/b\n"},
                         {"/proc/self/mountinfo", std::string(older) + unified},
                         {"/sys/fs/cgroup/a/b/memory.max", "lots\n"},
                         {"/sys/fs/cgroup/a/memory.max", "5000\n"},
                         {"/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes/a_folder", ""},
                         {"/sys/fs/cgroup/memory/a/b/memory.stat", "hierarchical_memory_limit 7000\n"}});
  static HostLook look;
  assert_true(host_capacity(look, machine.root.c_str()).bytes == 5000 && look.capacity.doubt[0] != '\0');
  const std::size_t of_nothing = stack_taken_by([] {}), of_look = stack_taken_by([&] { host_capacity(look, machine.root.c_str()); });
  assert_true(of_look > of_nothing && of_look <= of_nothing + 6000);
}

void resident_memory_is_what_is_touched(void**) {
  errno = EDOM;
  const std::optional<std::size_t> before = resident_bytes();
  assert_int_equal(errno, EDOM);
  assert_true(before && *before > 100'000);
  constexpr std::size_t more = std::size_t{64} << 20, slack = std::size_t{4} << 20;
  void* const pages = mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  assert_ptr_not_equal(pages, MAP_FAILED);
  assert_true(resident_bytes().value_or(0) + slack >= *before + more);
  assert_int_equal(munmap(pages, more), 0);
  assert_true(resident_bytes().value_or(0) <= *before + slack);
}

void resident_memory_is_unknown_where_it_is_not_reported(void**) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  assert_true(resident_bytes(Machine(Files{{"/proc/self/statm", "100 7 3 1 0 9 0\n"}}).root.c_str()) == 7 * page);
  for (const char* wrong : {"", "100\n", "100 \n", "100 x\n", "100 7x\n", "100 18446744073709551615 1\n", "100 99999999999999999999 1\n"}) {
    assert_true(!resident_bytes(Machine(Files{{"/proc/self/statm", wrong}}).root.c_str()));
  }
  assert_true(!resident_bytes(Machine(Files{{"/file", ""}}).root.c_str()));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_ram_is_all_there_is_without_limits),
      cmocka_unit_test(pages_that_are_given_up_first_are_not_used),
      cmocka_unit_test(what_is_used_is_said_of_each_bound),
      cmocka_unit_test(the_smallest_limit_of_all_levels_holds),
      cmocka_unit_test(a_group_that_would_be_throttled_is_limited_by_that),
      cmocka_unit_test(limits_beyond_the_ram_are_shown_and_do_not_count),
      cmocka_unit_test(the_older_version_is_read),
      cmocka_unit_test(in_the_older_version_a_group_may_not_bound_those_in_it),
      cmocka_unit_test(in_the_older_version_the_kernel_reports_groups_that_are_not_mounted),
      cmocka_unit_test(of_both_versions_the_smaller_limit_holds),
      cmocka_unit_test(a_machine_with_both_versions_may_have_memory_in_the_older_one_alone),
      cmocka_unit_test(a_container_sees_its_own_group_as_the_root),
      cmocka_unit_test(groups_around_the_namespace_are_read_where_they_are_mounted),
      cmocka_unit_test(a_process_whose_group_is_out_of_sight_keeps_to_what_is_mounted),
      cmocka_unit_test(a_name_that_begins_like_that_of_the_mounted_group_is_another),
      cmocka_unit_test(of_two_mounts_the_one_that_shows_the_group_is_read),
      cmocka_unit_test(lines_and_names_of_any_length_do_no_harm),
      cmocka_unit_test(a_name_cannot_write_to_a_terminal),
      cmocka_unit_test(what_makes_no_sense_is_doubted_and_not_used),
      cmocka_unit_test(a_machine_that_reports_nothing_has_an_unknown_capacity),
      cmocka_unit_test(groups_that_are_not_mounted_are_doubted),
      cmocka_unit_test(what_cannot_be_read_is_doubted),
      cmocka_unit_test(the_limit_of_the_address_space_counts),
      cmocka_unit_test(this_machine_has_a_capacity),
      cmocka_unit_test(without_proc_the_system_itself_is_asked_for_its_ram),
      cmocka_unit_test(a_look_takes_little_of_a_stack),
      cmocka_unit_test(resident_memory_is_what_is_touched),
      cmocka_unit_test(resident_memory_is_unknown_where_it_is_not_reported),
  };
  return cmocka_run_group_tests_name("capacity", tests, nullptr, nullptr);
}
