// Tangled from org/machine.org; change the chapter, then run: make tangle
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "cmocka.hpp"
#include "command/machine.hpp"

using namespace cadastre::command;

namespace {

// What is told of a machine with these files.
MachineMemory memory_of(const std::map<std::string, std::string>& files) {
  char folder[] = "/tmp/cadastre-machine-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const std::string root = folder;
  for (const auto& [name, content] : files) {
    const std::filesystem::path path = root + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content << '\n';
  }
  MachineMemory memory = machine_memory(root);
  if (memory.limit) memory.limit->file.erase(0, root.size());
  std::filesystem::remove_all(root);
  return memory;
}

constexpr const char* unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";
constexpr const char* older =
    "31 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "32 23 0:28 / /sys/fs/cgroup/memory rw shared:5 master:1 - cgroup cgroup rw,memory";

void total_and_available_memory_are_read(void**) {
  const MachineMemory memory = memory_of({{"/proc/meminfo", "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:   600 kB"}});
  assert_true(memory.total == 1024000u && memory.available == 614400u && !memory.limit);
}

void the_smallest_limit_of_all_levels_holds(void**) {
  std::map<std::string, std::string> files = {{"/proc/self/cgroup", "0::/slurm/job_7/step_0"},
                                              {"/proc/self/mountinfo", unified},
                                              {"/sys/fs/cgroup/slurm/memory.max", "3000"},
                                              {"/sys/fs/cgroup/slurm/job_7/memory.max", "1000"},
                                              {"/sys/fs/cgroup/slurm/job_7/memory.current", "400"},
                                              {"/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max"}};
  MachineMemory memory = memory_of(files);
  assert_true(memory.limit && memory.limit->bytes == 1000 && memory.limit->used == 400u);
  assert_string_equal(memory.limit->file.c_str(), "/sys/fs/cgroup/slurm/job_7/memory.max");
  files["/sys/fs/cgroup/slurm/memory.max"] = "10";
  memory = memory_of(files);
  assert_true(memory.limit && memory.limit->bytes == 10 && !memory.limit->used);
}

void the_older_version_is_read(void**) {
  const MachineMemory memory = memory_of({{"/proc/self/cgroup", "9:cpu:/x\n8:hugetlb,memory:/job\n0::/"},
                                          {"/proc/self/mountinfo", older},
                                          {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712"},
                                          {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000"},
                                          {"/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "50"}});
  assert_true(memory.limit && memory.limit->bytes == 5000 && memory.limit->used == 50u);
}

void of_both_versions_the_smaller_limit_holds(void**) {
  const MachineMemory memory = memory_of({{"/proc/self/cgroup", "8:memory:/job\n0::/unit"},
                                          {"/proc/self/mountinfo", std::string(unified) + "\n" + older},
                                          {"/sys/fs/cgroup/unit/memory.max", "700"},
                                          {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000"}});
  assert_true(memory.limit && memory.limit->bytes == 700);
}

void a_container_sees_its_own_group_as_the_root(void**) {
  const char* const part = "30 23 0:26 /docker/ab /sys/fs/cgroup ro - cgroup2 cgroup2 rw";
  MachineMemory memory = memory_of({{"/proc/self/cgroup", "0::/docker/ab/inner"},
                                    {"/proc/self/mountinfo", part},
                                    {"/sys/fs/cgroup/memory.max", "900"},
                                    {"/sys/fs/cgroup/inner/memory.max", "800"}});
  assert_true(memory.limit && memory.limit->bytes == 800);
  memory = memory_of({{"/proc/self/cgroup", "0::/../elsewhere"}, {"/proc/self/mountinfo", unified}, {"/sys/fs/cgroup/memory.max", "900"}});
  assert_true(memory.limit && memory.limit->bytes == 900);
}

void a_machine_that_tells_nothing_has_no_limit(void**) {
  const MachineMemory memory = memory_of({{"/proc/self/cgroup", "nonsense\n0::/a"}, {"/proc/self/mountinfo", "x y - z"}, {"/proc/meminfo", "MemTotal:"}});
  assert_true(!memory.total && !memory.available && !memory.limit);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(total_and_available_memory_are_read),
      cmocka_unit_test(the_smallest_limit_of_all_levels_holds),
      cmocka_unit_test(the_older_version_is_read),
      cmocka_unit_test(of_both_versions_the_smaller_limit_holds),
      cmocka_unit_test(a_container_sees_its_own_group_as_the_root),
      cmocka_unit_test(a_machine_that_tells_nothing_has_no_limit),
  };
  return cmocka_run_group_tests_name("machine", tests, nullptr, nullptr);
}
