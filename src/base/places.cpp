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
#include <initializer_list>
#include <system_error>

#include "base/process.hpp"

namespace cadastre::internal {
namespace {

struct Contents {
  explicit Contents(std::initializer_list<const char*> parts) noexcept {
    char path[512];
    std::size_t length = 0;
    for (const char* const part : parts) {
      const std::size_t more = std::strlen(part);
      if (length + more >= sizeof path) return;
      std::memcpy(path + length, part, more);
      length += more;
    }
    path[length] = '\0';
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    std::size_t used = 0;
    ssize_t more = 0;
    while (used < sizeof text - 1 && (more = read(file, text + used, sizeof text - 1 - used)) > 0) used += static_cast<std::size_t>(more);
    close(file);
    if (more == 0) text[used] = '\0';
    else text[0] = '\0';
  }
  char text[8192] = "";  // empty where there is none
};

// Calls for each number of the list that a text begins with; false where it is no list.
template <class Action>
bool for_each_listed(const char* text, Action action) noexcept {
  const char* const end = text + std::strcspn(text, "\n");
  for (const char* at = text; at < end;) {
    unsigned first = 0, last = 0;
    auto result = std::from_chars(at, end, first);
    if (result.ec != std::errc()) return false;
    last = first;
    if (result.ptr < end && *result.ptr == '-') {
      result = std::from_chars(result.ptr + 1, end, last);
      if (result.ec != std::errc() || last < first || last >= CpuSet::most) return false;
    }
    for (unsigned number = first; number <= last; ++number) action(number);
    if (result.ptr < end && *result.ptr != ',') return false;
    at = result.ptr + 1;
  }
  return text < end;
}

Places nodes_with(const CpuSet& cpus, const char* root) noexcept {
  const Contents online{root, "/sys/devices/system/node/online"};
  unsigned nodes = 0;
  bool known = true;
  const bool all_listed = for_each_listed(online.text, [&](unsigned node) {
    char name[16];
    std::snprintf(name, sizeof name, "%u", node);
    const Contents list{root, "/sys/devices/system/node/node", name, "/cpulist"};
    if (list.text[0] == '\0') known = false;
    if (list.text[0] == '\n') return;  // a node of memory alone
    bool any = false;
    const bool listed = for_each_listed(list.text, [&](unsigned cpu) { any = any || cpus.has(cpu); });
    known = known && listed;
    nodes += any && listed;
  });
  if (nodes > 1) return Places::several;
  return all_listed && known && nodes == 1 ? Places::one : Places::unknown;
}

// Calls for the number of each thread; false where the system does not list them.
template <class Action>
bool for_each_thread(Action action) noexcept {
  constexpr long length_at = 16, name_at = 19;  // in an entry as the system writes it
  const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  alignas(8) char room[2048];
  long bytes = 0;
  while ((bytes = syscall(SYS_getdents64, folder, room, sizeof room)) > 0) {
    for (long at = 0; at < bytes;) {
      std::uint16_t length;
      std::memcpy(&length, room + at + length_at, sizeof length);
      const char* const name = room + at + name_at;
      int thread = 0;
      if (std::from_chars(name, name + std::strlen(name), thread).ec == std::errc() && thread > 0) action(thread);
      at += length;
    }
  }
  close(folder);
  return bytes == 0;
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
  return for_each_listed(line, [&](unsigned) { ++nodes; }) ? nodes : 0;
}

Places places_of(const CpuSet& cpus, const char* root) noexcept {
  const KeptErrno kept;
  return memory_nodes(root) == 1 ? Places::one : nodes_with(cpus, root);
}

}  // namespace cadastre::internal
