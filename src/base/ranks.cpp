// Tangled from org/base/ranks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/ranks.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/byte_range.hpp"
#include "base/fail.hpp"
#include "base/non_copyable.hpp"
#include "base/folder.hpp"
#include "base/folder_names.hpp"

namespace cadastre::internal {
namespace {

struct FileName {
  char characters[40];
};

FileName name_of(std::uint64_t job, int rank) noexcept {
  FileName name;
  std::snprintf(name.characters, sizeof name.characters, "%016llx-%d", static_cast<unsigned long long>(job), rank);
  return name;
}

bool is_file_of_a_rank(const char* name) noexcept {
  constexpr std::size_t digits = 16;
  return std::strspn(name, "0123456789abcdef") == digits && name[digits] == '-' && number_in(name + digits + 1, 0, most_local_ranks) >= 0;
}

enum Byte : off_t { alive, changing };

// Whether this process has the byte now. If not, errno is EAGAIN or EACCES where another process has it.
bool lock(const Descriptor& file, Byte byte) noexcept {
  struct flock range = byte_range(F_WRLCK, byte, 1);
  return !system_fails(ENOLCK) && fcntl(file.number(), F_SETLK, &range) == 0;
}

void unlock(const Descriptor& file, Byte byte) noexcept {
  struct flock range = byte_range(F_UNLCK, byte, 1);
  fcntl(file.number(), F_SETLK, &range);
}

enum class Life { none, of_another, unknown };

// Whether another process has the file's life.
Life life_of(const Descriptor& file) noexcept {
  struct flock range = byte_range(F_WRLCK, alive, 1);
  if (system_fails(ENOLCK) || fcntl(file.number(), F_GETLK, &range) != 0) return Life::unknown;
  return range.l_type == F_UNLCK ? Life::none : Life::of_another;
}

constexpr const char* folder_of_ranks = "ranks";

// The folders in which ranks may be.
struct Folders {
  Folder all[most_folders];
  Text problem = "no folder is named in which the ranks of this node find each other";

  explicit Folders(const RankIdentity& me) noexcept {
    for (int i = 0; i < most_folders; ++i) {
      if (!*me.folders[i].characters) continue;
      all[i] = open_user_folder(me.folders[i], folder_of_ranks);
      if (!all[i].descriptor) note(me.folders[i], all[i].problem);
    }
  }
  void note(const Text& folder, const Text& why) noexcept {
    problem = text("no register of ranks can be written; %s: %s", ShownValue(folder.characters).characters, why.characters);
  }
};

struct Entry {
  pid_t owner;  // 0: nothing was entered
  int file;
  FileIdentity identity;
  std::uint64_t job;
  int rank;
  std::size_t bytes;
  char folder[Text::capacity];
};

constinit Entry entry{};
constinit std::atomic<pid_t> entry_owner{0};

class EntryLock : NonCopyable {
 public:
  EntryLock() noexcept {
    const pid_t self = getpid();
    for (pid_t owner = 0; !entry_owner.compare_exchange_weak(owner, self, std::memory_order_acquire);) {
      if (owner != self) continue;
      constexpr timespec pause{0, 100'000};
      nanosleep(&pause, nullptr);
      owner = 0;
    }
  }
  ~EntryLock() { entry_owner.store(0, std::memory_order_release); }
};

bool entered() noexcept { return entry.owner == getpid(); }

// Whether the descriptor is still that of the file.
bool has_file() noexcept { return is_of(entry.file, entry.identity); }

void leave() noexcept {
  if (!entered()) return;
  const Folder folder = open_user_folder(entry.folder, folder_of_ranks);
  const FileName name = name_of(entry.job, entry.rank);
  if (has_file()) {
    Descriptor file(entry.file);
    if (folder.descriptor && is_in_place(folder.descriptor.number(), name.characters, file))
      unlinkat(folder.descriptor.number(), name.characters, 0);
  }
  entry = Entry{};
}

enum class Entering { done, not_yet, failed };

struct Attempt {
  Entering result;
  Text problem;
};

Attempt failed(const char* what) noexcept {
  const int error = errno;
  return {Entering::failed, text("%s: %s", what, text_of_errno(error).characters)};
}

Attempt taken(const RankIdentity& me) noexcept {
  return {Entering::not_yet, text("another process that runs is local rank %d of this job already; only one process for each rank that %s "
                                  "starts is counted",
                                  me.local_rank, me.launcher)};
}

bool write_device(int file, std::size_t at, const char* device) noexcept {
  char line[128];
  const int length = std::snprintf(line, sizeof line, "%s\n", device);
  return !system_fails(ENOSPC) && pwrite(file, line, static_cast<std::size_t>(length), static_cast<off_t>(at)) == length;
}

// Enters a rank that has no entry, in one folder.
Attempt enter_in(const Text& folder_name, const Descriptor& folder, const RankIdentity& me, const char* device) noexcept {
  const FileName file_name = name_of(me.job, me.local_rank);
  Descriptor file = open_own_file(folder.number(), file_name.characters, O_RDWR | O_CREAT);
  if (!file) return failed("a file cannot be opened");
  if (!lock(file, changing)) {
    if (errno == EAGAIN || errno == EACCES) return {Entering::not_yet, "another process is changing the register"};
    return failed("a file cannot be locked");
  }
  if (!is_in_place(folder.number(), file_name.characters, file)) return {Entering::not_yet, "another process is changing the register"};
  if (life_of(file) != Life::none) return taken(me);
  if (system_fails(EIO) || ftruncate(file.number(), 0) != 0 || !write_device(file.number(), 0, device)) {
    const Attempt attempt = failed("a file cannot be written");
    unlinkat(folder.number(), file_name.characters, 0);
    return attempt;
  }
  if (!lock(file, alive)) return failed("a file cannot be locked");
  unlock(file, changing);
  entry = {.owner = getpid(),
           .file = file.number(),
           .identity = identity_of(file.number()),
           .job = me.job,
           .rank = me.local_rank,
           .bytes = std::strlen(device) + 1,
           .folder = {}};
  file.keep();
  std::snprintf(entry.folder, sizeof entry.folder, "%s", folder_name.characters);
  return {Entering::done, {}};
}

// Whether a list of devices, each on a line of its own, has one.
bool has_device(std::string_view list, std::string_view device) noexcept {
  for (std::size_t end; (end = list.find('\n')) != std::string_view::npos; list.remove_prefix(end + 1)) {
    if (list.substr(0, end) == device) return true;
  }
  return false;
}

constexpr std::size_t most_bytes = 4096;  // of a file of a rank

// Adds a device to the entry of this process.
Attempt enter_more(const char* device) noexcept {
  char list[most_bytes];
  if (!has_file()) return {Entering::failed, "this program closed the file by which other ranks know that this one is alive"};
  const ssize_t length = system_fails(EIO) ? -1 : pread(entry.file, list, sizeof list, 0);
  if (length < 0) return failed("a file cannot be read");
  if (has_device({list, static_cast<std::size_t>(length)}, device)) return {Entering::done, {}};
  if (entry.bytes + std::strlen(device) + 1 > sizeof list) return {Entering::failed, "this process uses too many devices"};
  if (!write_device(entry.file, entry.bytes, device)) {
    const Attempt attempt = failed("a file cannot be written");
    if (ftruncate(entry.file, static_cast<off_t>(entry.bytes)) != 0) return attempt;  // no whole line was added
    return attempt;
  }
  entry.bytes += std::strlen(device) + 1;
  return {Entering::done, {}};
}

void remove_if_dead(int folder, const char* file_name) noexcept {
  const Descriptor file = open_own_file(folder, file_name, O_RDWR);
  if (!file || life_of(file) != Life::none || !lock(file, changing)) return;
  if (life_of(file) == Life::none && is_in_place(folder, file_name, file)) unlinkat(folder, file_name, 0);
}

// Removes files of ranks that live no more, but for that of this process, which must not be opened a second time.
void clean_up(int folder, const char* own) noexcept {
  constexpr int most = 1000;
  const Descriptor again(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again) return;
  int seen = 0;
  for_each_name(again.number(), [&](const char* name) {
    if (++seen <= most && is_file_of_a_rank(name) && std::strcmp(name, own) != 0) remove_if_dead(folder, name);
  });
}

enum class Use { missing, of_other_devices, of_this_device };

Use use_in(int folder, const char* file_name, const char* device) noexcept {
  const Descriptor file = open_own_file(folder, file_name, O_RDONLY);
  char list[most_bytes];
  if (!file || life_of(file) != Life::of_another) return Use::missing;
  const ssize_t length = pread(file.number(), list, sizeof list, 0);
  const std::string_view devices(list, length > 0 ? static_cast<std::size_t>(length) : 0);
  if (devices.find('\n') == std::string_view::npos) return Use::missing;
  return has_device(devices, device) ? Use::of_this_device : Use::of_other_devices;
}

Use use_of(const Folders& folders, const RankIdentity& me, int rank, const char* device) noexcept {
  const FileName file_name = name_of(me.job, rank);
  for (const Folder& folder : folders.all) {
    const Use use = folder.descriptor ? use_in(folder.descriptor.number(), file_name.characters, device) : Use::missing;
    if (use != Use::missing) return use;
  }
  return Use::missing;
}

struct Counted {
  int using_device = 0, missing = 0, first_missing = -1;
};

// own: whether this process has entered, with this device; its file is then not opened.
Counted count(const Folders& folders, const RankIdentity& me, const char* device, bool own) noexcept {
  Counted counted;
  for (int rank = 0; rank < me.local_ranks; ++rank) {
    const Use use = own && rank == me.local_rank ? Use::of_this_device : use_of(folders, me, rank, device);
    if (use == Use::of_this_device) ++counted.using_device;
    if (use != Use::missing) continue;
    if (counted.missing++ == 0) counted.first_missing = rank;
  }
  return counted;
}

}  // namespace

namespace {

// One attempt to enter a device.
Attempt enter(Folders& folders, const RankIdentity& me, const char* device) noexcept {
  const EntryLock locked;
  const bool known = entry.owner != 0 && entry.job == me.job && entry.rank == me.local_rank;
  if (known) return entered() ? enter_more(device) : Attempt{Entering::done, {}};  // a forked child enters nothing
  leave();
  if (use_of(folders, me, me.local_rank, device) != Use::missing) return taken(me);
  for (int i = 0; i < most_folders; ++i) {
    const Folder& folder = folders.all[i];
    if (!folder.descriptor) continue;
    const Attempt attempt = enter_in(me.folders[i], folder.descriptor, me, device);
    if (attempt.result == Entering::done) clean_up(folder.descriptor.number(), name_of(me.job, me.local_rank).characters);
    if (attempt.result != Entering::failed) return attempt;
    folders.note(me.folders[i], attempt.problem);
  }
  return {Entering::failed, folders.problem};
}

bool is_name_of_device(const char* device) noexcept {
  constexpr std::size_t most = 100;
  const std::size_t length = device ? std::strlen(device) : 0;
  return length > 0 && length <= most && std::all_of(device, device + length, [](char c) { return c > ' ' && c < '\x7f'; });
}

// Waits longer each time, up to a deadline; false when that has passed.
class Waiting {
 public:
  explicit Waiting(std::chrono::milliseconds patience) noexcept
      : end_(std::chrono::steady_clock::now() + std::min<std::chrono::milliseconds>(patience, std::chrono::hours(1))) {}
  bool wait() noexcept {
    constexpr std::chrono::nanoseconds longest = std::chrono::milliseconds(50);
    const std::chrono::nanoseconds left = end_ - std::chrono::steady_clock::now();
    if (left.count() <= 0) return false;
    const timespec pause{0, static_cast<long>(std::min(left, next_).count())};
    nanosleep(&pause, nullptr);
    next_ = std::min(2 * next_, longest);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point end_;
  std::chrono::nanoseconds next_ = std::chrono::milliseconds(1);
};

RanksOnDevice in_register(const RankIdentity& me, const char* device, std::chrono::milliseconds patience) noexcept {
  Folders folders(me);
  Waiting waiting(patience);
  Attempt attempt;
  while ((attempt = enter(folders, me, device)).result == Entering::not_yet && waiting.wait()) {
  }
  if (attempt.result != Entering::done) return {0, attempt.problem};
  const bool own = [] {
    const EntryLock locked;
    return entered();
  }();
  for (bool last = false;;) {
    const Counted counted = count(folders, me, device, own);
    if (counted.missing == 0) {
      return {counted.using_device,
              text("%d of the %d ranks that %s reports on this node use the device", counted.using_device, me.local_ranks, me.launcher)};
    }
    if (last) {
      return {0, text("%d of the %d ranks that %s reports on this node did not enter a device within %lld ms or have ended, "
                      "rank %d among them",
                      counted.missing, me.local_ranks, me.launcher, static_cast<long long>(patience.count()), counted.first_missing)};
    }
    while (!last && use_of(folders, me, counted.first_missing, device) == Use::missing) last = !waiting.wait();
  }
}

}  // namespace

RanksOnDevice ranks_on_device(const RankIdentity& me, const char* device, std::chrono::milliseconds patience) noexcept {
  if (me.given > 0) return {me.given, text("CADASTRE_RANKS_PER_DEVICE=%d", me.given)};
  if (me.local_ranks == 0) return {0, me.problem};
  if (!is_name_of_device(device)) return {0, "the device has no UUID by which ranks can know it"};
  const int kept = errno;
  const RanksOnDevice ranks = in_register(me, device, patience);
  errno = kept;
  return ranks;
}

void leave_ranks() noexcept {
  const int kept = errno;
  {
    const EntryLock locked;
    leave();
  }
  errno = kept;
}

}  // namespace cadastre::internal
