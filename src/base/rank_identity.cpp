// Tangled from org/base/rank_identity.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/rank_identity.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "base/fail.hpp"
#include "base/process.hpp"

namespace cadastre::internal {

int number_in(std::string_view text, int least, int most) noexcept {
  const std::optional<int> number = parse_number<int>(text);
  return number && *number >= least && *number <= most ? *number : -1;
}

namespace {

const char* value_of(const char* name, const char* const* strings) noexcept {
  const std::size_t length = std::strlen(name);
  for (; strings && *strings; ++strings) {
    if (std::strncmp(*strings, name, length) == 0 && (*strings)[length] == '=') return *strings + length + 1;
  }
  return nullptr;
}

// FNV-1a: the same in all ranks, whichever library or compiler they have.
class Hash {
 public:
  void add(std::string_view text) noexcept {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  void add(std::uint64_t number) noexcept {
    char digits[24];
    std::snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(number));
    add(digits);
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  void add_byte(unsigned char byte) noexcept { value_ = (value_ ^ byte) * 0x100000001B3u; }
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

// The first bytes of a file, ended by a zero; empty if it cannot be read.
template <std::size_t size>
void read_head(const char* name, char (&room)[size]) noexcept {
  const int file = system_fails(EMFILE) ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  const ssize_t length = file < 0 ? -1 : read(file, room, size - 1);
  if (file >= 0) close(file);
  room[length > 0 ? length : 0] = '\0';
}

void add_node(Hash& hash) noexcept {
  char start[64];
  read_head("/proc/sys/kernel/random/boot_id", start);
  hash.add(*start ? start : process().host);
  hash.add(geteuid());
}

// Adds the parent, its start and its namespace of process ids. False if they are unknown, or it is not a launcher.
bool add_parent(Hash& hash) noexcept {
  const pid_t parent = getppid();
  char name[64], line[1024];
  std::snprintf(name, sizeof name, "/proc/%ld/stat", static_cast<long>(parent));
  read_head(name, line);
  const char* field = std::strrchr(line, ')');
  for (int number = 2; field && number < 22; ++number) field = std::strchr(field + 1, ' ');
  struct stat space{};
  if (parent <= 1 || !field || stat("/proc/self/ns/pid", &space) != 0) return false;
  hash.add(static_cast<std::uint64_t>(parent));
  hash.add(std::string_view(field + 1, std::strcspn(field + 1, " ")));
  hash.add(space.st_ino);
  return true;
}

struct Launcher {
  const char* name;
  const char* ranks;
  const char* rank;
  const char* jobs[2][2];  // all variables of the first pair of which all are set; the parent if there is none
};

constexpr Launcher launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", {{"PMIX_NAMESPACE"}, {"OMPI_MCA_ess_base_jobid"}}},
    {"JSM", "JSM_NAMESPACE_LOCAL_SIZE", "JSM_NAMESPACE_LOCAL_RANK", {{"PMIX_NAMESPACE"}}},
    {"MVAPICH", "MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", {}},
    {"Hydra", "MPI_LOCALNRANKS", "MPI_LOCALRANKID", {}},
    {"PALS", "PALS_LOCAL_SIZE", "PALS_LOCAL_RANKID", {{"PALS_APID"}}},
    {"Cray PMI", "PMI_LOCAL_SIZE", "PMI_LOCAL_RANK", {{"PALS_APID"}, {"SLURM_JOB_ID", "SLURM_STEP_ID"}}},
    {"Flux", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", {{"FLUX_JOB_ID", "FLUX_URI"}, {"FLUX_JOB_ID"}}},
    {"SLURM", "SLURM_STEP_TASKS_PER_NODE", "SLURM_LOCALID", {{"SLURM_JOB_ID", "SLURM_STEP_ID"}}},
};

// The entry for a node of a list such as "2(x3),1"; empty if there is none.
std::string_view entry_of(std::string_view list, int node) noexcept {
  while (!list.empty()) {
    std::string_view entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    int nodes = 1;
    const std::size_t times = entry.find("(x");
    if (times != std::string_view::npos && entry.ends_with(')')) {
      nodes = number_in(entry.substr(times + 2, entry.size() - times - 3), 1, 1 << 24);
      entry = entry.substr(0, times);
    }
    if (nodes < 1) return {};
    if (node < nodes) return entry;
    node -= nodes;
  }
  return {};
}

// The number of local ranks as the launcher writes it; empty if it does not say.
std::string_view local_ranks_of(const Launcher& launcher, const char* const* strings) noexcept {
  const std::string_view value = value_of(launcher.ranks, strings), name = launcher.name;
  if (name == "SLURM") {
    const char* const node = value_of("SLURM_NODEID", strings);
    const int number = node ? number_in(node, 0, 1 << 24) : -1;
    return number < 0 ? std::string_view() : entry_of(value, number);
  }
  if (name == "Flux") {
    const char* const nodes = value_of("FLUX_JOB_NNODES", strings);
    return nodes && number_in(nodes, 1, 1) == 1 ? value : std::string_view();
  }
  return value;
}

bool add_job(const Launcher& launcher, const char* const* strings, Hash& hash) noexcept {
  hash.add(launcher.name);
  if (const char* const restarts = value_of("SLURM_RESTART_COUNT", strings)) hash.add(restarts);
  for (const auto& names : launcher.jobs) {
    const auto is_set = [strings](const char* name) { return !name || (value_of(name, strings) && *value_of(name, strings)); };
    if (!names[0] || !std::all_of(std::begin(names), std::end(names), is_set)) continue;
    for (const char* const name : names) {
      if (name) hash.add(value_of(name, strings));
    }
    return true;
  }
  return add_parent(hash);
}

}  // namespace

RankIdentity read_rank_identity(const char* const* strings, bool trusted) noexcept {
  const int kept = errno;
  RankIdentity me;
  int filled = 0;
  for (const char* const folder : places_of_user_folders([&](const char* name) { return trusted ? value_of(name, strings) : nullptr; })) {
    if (std::strlen(folder) < Text::capacity) me.folders[filled] = folder;
    ++filled;
  }
  const auto* const launcher =
      std::find_if(std::begin(launchers), std::end(launchers), [strings](const Launcher& one) { return value_of(one.ranks, strings); });
  if (launcher == std::end(launchers)) {
    me.problem = "no launcher reports how many processes of this job run on this node";
    return me;
  }
  me.launcher = launcher->name;
  const std::string_view ranks = local_ranks_of(*launcher, strings);
  const char* const rank = value_of(launcher->rank, strings);
  const int count = number_in(ranks, 1, most_local_ranks);
  me.local_rank = rank ? number_in(rank, 0, std::max(count, 1) - 1) : -1;
  Hash hash;
  add_node(hash);
  if (count < 1) {
    me.problem = text("%s=%s does not say how many ranks run on this node: allowed is a number up to %d%s", launcher->ranks,
                      ShownValue(value_of(launcher->ranks, strings)).characters, most_local_ranks,
                      me.launcher == std::string_view("Flux") ? ", with FLUX_JOB_NNODES=1" : "");
  } else if (me.local_rank < 0) {
    me.problem = text("%s=%s does not say which of the %d ranks on this node this is", launcher->rank,
                      rank ? ShownValue(rank).characters : " (not set)", count);
  } else if (!add_job(*launcher, strings, hash)) {
    me.problem = text("%s does not say which job this is, and the parent of this process is unknown", me.launcher);
  } else {
    me.local_ranks = count;
    me.job = hash.value();
  }
  errno = kept;
  return me;
}

}  // namespace cadastre::internal
