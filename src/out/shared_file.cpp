// Tangled from org/out/shared_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/shared_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/fail.hpp"
#include "base/process.hpp"
#include "out/output.hpp"
#include "out/trace_format.hpp"

namespace cadastre::internal {
namespace {

// 0, or an errno.
int wait_for_lock(const char* path, int descriptor) noexcept {
  constexpr int most_attempts = 500;
  constexpr timespec pause{0, 20'000'000};
  struct stat file{}, named{};
  off_t length = 0;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (!system_fails(ENOLCK) && flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
      const bool is_same =
          fstat(descriptor, &file) == 0 && stat(path, &named) == 0 && file.st_dev == named.st_dev && file.st_ino == named.st_ino;
      return is_same ? 0 : ESTALE;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return errno;
    if (fstat(descriptor, &file) == 0 && file.st_size != length) {
      length = file.st_size;
      attempt = 0;
    }
    nanosleep(&pause, nullptr);
  }
  return EWOULDBLOCK;
}

}  // namespace

namespace {

int open_locked(const char* path) noexcept {
  const int first = system_fails(EACCES) ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
  if (first < 0) return -1;
  const int descriptor = far_away(first);
  const int error = descriptor < 0 ? errno : wait_for_lock(path, descriptor);
  close(first);
  if (error == 0) return descriptor;
  if (descriptor >= 0) close(descriptor);
  errno = error;
  return -1;
}

}  // namespace

LockedFile::LockedFile(const char* path) noexcept : descriptor_(open_locked(path)) {}

// The lock goes first: a child that was forked meanwhile has the file open, and would keep it.
LockedFile::~LockedFile() {
  if (descriptor_ < 0) return;
  const KeptErrno kept_errno;
  flock(descriptor_, LOCK_UN);
  close(descriptor_);
}

bool is_ended_trace(const std::string& path, std::int64_t process) noexcept {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
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
