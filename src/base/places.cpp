// Tangled from org/base/places.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/places.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "base/folder_names.hpp"
#include "base/process.hpp"
#include "base/small_files.hpp"

namespace cadastre::internal {
namespace {

Places nodes_with(const CpuSet& cpus, const char* root) noexcept {
  const Contents online{root, "/sys/devices/system/node/online"};
  unsigned nodes = 0;
  bool known = true;
  const bool all_listed = for_each_listed(online.text, CpuSet::most, [&](unsigned node) {
    char name[16];
    std::snprintf(name, sizeof name, "%u", node);
    const Contents list{root, "/sys/devices/system/node/node", name, "/cpulist"};
    if (list.text[0] == '\0') known = false;
    if (list.text[0] == '\n') return;  // a node of memory alone
    bool any = false;
    const bool listed = for_each_listed(list.text, CpuSet::most, [&](unsigned cpu) { any = any || cpus.has(cpu); });
    known = known && listed;
    nodes += any && listed;
  });
  if (nodes > 1) return Places::several;
  return all_listed && known && nodes == 1 ? Places::one : Places::unknown;
}

// Calls for the number of each thread; false where the system does not list them.
template <class Action>
bool for_each_thread(Action action) noexcept {
  const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  const bool all = for_each_name(folder, [&](const char* name) {
    int thread = 0;
    if (std::from_chars(name, name + std::strlen(name), thread).ec == std::errc() && thread > 0) action(thread);
  });
  close(folder);
  return all;
}

}  // namespace

bool CpuSet::add_those_of_thread(int thread) noexcept {
  CpuSet those;
  if (syscall(SYS_sched_getaffinity, thread, sizeof those.words_, those.words_.data()) <= 0) return false;
  for (std::size_t word = 0; word < words_.size(); ++word) words_[word] |= those.words_[word];
  return true;
}

CpuSet cpus_of_process() noexcept {
  const KeptErrno kept;
  CpuSet cpus;
  if (!for_each_thread([&](int thread) { cpus.add_those_of_thread(thread); })) cpus = {};
  return cpus;
}

unsigned memory_nodes(const char* root) noexcept {
  const KeptErrno kept;
  constexpr const char* name = "\nMems_allowed_list:";
  const Contents status{root, "/proc/self/status"};
  const char* line = std::strstr(status.text, name);
  if (!line) return 0;
  line += std::strlen(name);
  line += std::strspn(line, " \t");
  unsigned nodes = 0;
  return for_each_listed(line, CpuSet::most, [&](unsigned) { ++nodes; }) ? nodes : 0;
}

Places places_of(const CpuSet& cpus, const char* root) noexcept {
  const KeptErrno kept;
  return memory_nodes(root) == 1 ? Places::one : nodes_with(cpus, root);
}

}  // namespace cadastre::internal
