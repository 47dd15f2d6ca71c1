// Tangled from org/out/shared_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/shared_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "base/fail.hpp"
#include "base/file_identity.hpp"
#include "base/process.hpp"
#include "out/output.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {

namespace {

bool has_changed(const struct stat& before, const struct stat& now) noexcept {
  return before.st_size != now.st_size || before.st_mtim.tv_sec != now.st_mtim.tv_sec || before.st_mtim.tv_nsec != now.st_mtim.tv_nsec;
}

// 0, or an errno.
int wait_for_lock(int descriptor, std::chrono::milliseconds patience) noexcept {
  constexpr timespec pause{0, 20'000'000};
  const std::int64_t most_attempts = std::max<std::int64_t>(1, patience / std::chrono::milliseconds(20));
  struct stat before{}, now{};
  for (std::int64_t attempt = 0; attempt < most_attempts; ++attempt) {
    if (!system_fails(ENOLCK) && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK && errno != EINTR) return errno;
    if (fstat(descriptor, &now) == 0 && has_changed(before, now)) {
      before = now;
      attempt = 0;
    }
    nanosleep(&pause, nullptr);
  }
  return EWOULDBLOCK;
}

}  // namespace

bool LockedFile::is_named() const noexcept {
  struct stat named{};
  return stat(path_, &named) == 0 && is_of(descriptor_, identity_of(named));
}

// 0, or an errno.
int LockedFile::open_and_lock(std::chrono::milliseconds patience) noexcept {
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  int first = system_fails(EACCES) ? -1 : open(path_, flags);
  made_ = first < 0 && errno == ENOENT;
  if (made_) first = open(path_, flags | O_CREAT | O_EXCL, 0666);
  if (first < 0) return made_ && errno == EEXIST ? ESTALE : errno;
  descriptor_ = far_away(first);
  const int error = descriptor_ < 0 ? errno : wait_for_lock(descriptor_, patience);
  close(first);
  return error != 0 || is_named() ? error : ESTALE;
}

LockedFile::LockedFile(const char* path, std::chrono::milliseconds patience) noexcept : path_(path) {
  constexpr int most_files = 100;
  int error = ESTALE;
  for (int file = 0; error == ESTALE && file < most_files; ++file) {
    error = open_and_lock(patience);
    if (error == 0) return;
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
  }
  errno = error;
}

// The lock goes first: a child that was forked meanwhile has the file open, and would keep it.
LockedFile::~LockedFile() {
  if (descriptor_ < 0) return;
  const KeptErrno kept_errno;
  struct stat file{};
  if (made_ && fstat(descriptor_, &file) == 0 && file.st_size == 0 && is_named()) unlink(path_);
  flock(descriptor_, LOCK_UN);
  close(descriptor_);
}

bool is_ended_trace(const char* path, std::int64_t process) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return false;
  union {
    TraceHead head;
    char text[256];
  } read;
  std::memset(&read, 0, sizeof read);
  const ssize_t got = pread(file, &read, sizeof read, 0);
  close(file);
  if (got < 0) return false;
  if (is_trace_head(read.head.magic)) {  // what was not read is 0
    return read.head.state == static_cast<std::uint64_t>(TraceState::ended) && read.head.process == static_cast<std::uint64_t>(process);
  }
  char expected[64];
  std::snprintf(expected, sizeof expected, ", process %" PRId64 " on ", process);
  const std::string_view text(read.text, static_cast<std::size_t>(got));
  return text.starts_with("# cadastre ") && text.substr(0, text.find('\n')).find(expected) != std::string_view::npos;
}

}  // namespace cadastre::internal
