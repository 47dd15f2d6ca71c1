// Tangled from org/backends/shared_memory.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shared_memory.hpp"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/byte_range.hpp"
#include "base/fail.hpp"
#include "base/folder_names.hpp"
#include "base/own_memory.hpp"
#include "base/process.hpp"

namespace cadastre::internal {
namespace {

constexpr const char *place = "/dev/shm", *purpose = "shared";

constinit Mutex<Rank::shared> guard;
constinit SharedFile* newest CADASTRE_GUARDED_BY(guard) = nullptr;

// Null where this process has none for a block.
SharedFile* take_out(const void* block) noexcept {
  const Locked locked(guard);
  for (SharedFile** at = &newest; *at; at = &(*at)->next) {
    if ((*at)->block != block) continue;
    SharedFile* const found = *at;
    *at = found->next;
    return found;
  }
  return nullptr;
}

// Closed as this goes; nothing where a program has closed it.
Descriptor descriptor_of(SharedFile* file) noexcept {
  Descriptor descriptor(is_of(file->descriptor, file->identity) ? file->descriptor : -1);
  delete_own(file);
  return descriptor;
}

enum Byte : off_t { changing, used };

bool set_lock(const Descriptor& file, Byte first, off_t bytes, short type) noexcept {
  struct flock range = byte_range(type, first, bytes);
  return fcntl(file.number(), F_OFD_SETLK, &range) == 0;
}

// Whether this open file has the byte now. If not, errno is EAGAIN or EACCES where another has it.
bool lock(const Descriptor& file, Byte byte, short type) noexcept { return !system_fails(ENOLCK) && set_lock(file, byte, 1, type); }

// Also for children of a fork, which may have the descriptor as well.
void let_go(const Descriptor& file, Byte first, off_t bytes) noexcept { set_lock(file, first, bytes, F_UNLCK); }
void let_go_of_all(const Descriptor& file) noexcept { let_go(file, changing, 2); }

// By looking again: a lock that is waited for in the system (F_OFD_SETLKW) stops all threads of a program that valgrind runs.
bool wait_for_changes(const Descriptor& file) noexcept {
  constexpr long longest_pause = 2'000'000;
  timespec pause{0, 20'000};
  while (!lock(file, changing, F_WRLCK)) {
    if (errno != EAGAIN && errno != EACCES) return false;
    nanosleep(&pause, nullptr);
    pause.tv_nsec = std::min(2 * pause.tv_nsec, longest_pause);
  }
  return true;
}
// Whether no other open file has it; to be asked while no other is changing it.
bool is_used_by_nobody_else(const Descriptor& file) noexcept { return lock(file, used, F_WRLCK); }

// While this process is changing it.
void remove_name(const Folder& folder, const char* name, const Descriptor& file) noexcept {
  if (is_in_place(folder.descriptor.number(), name, file)) unlinkat(folder.descriptor.number(), name, 0);
}

}  // namespace

SharedName::SharedName(const char* resource, const char* label) noexcept {
  const auto put = [this](char character) {
    if (length < longest) characters[length] = character;
    ++length;
  };
  const auto put_part = [&](const char* part) {
    for (; *part; ++part) {
      const auto byte = static_cast<unsigned char>(*part);
      const bool stays = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
      if (stays || (byte >= '0' && byte <= '9') || std::strchr(".-_", byte)) {
        put(*part);
        continue;
      }
      put('%');
      put("0123456789ABCDEF"[byte >> 4]);
      put("0123456789ABCDEF"[byte & 0xF]);
    }
  };
  put_part(resource);
  put(':');
  put_part(label);
  characters[length < longest ? length : longest] = '\0';
}

SharedOpening::SharedOpening(const SharedName& name, std::size_t size) noexcept : name_(name), kept_(make_own<SharedFile>()) {
  if (name.length > SharedName::longest) {
    refuse_mistake(
        text("the file %.40s... would have a name of %zu characters, and may have %zu", name.characters, name.length, SharedName::longest));
  } else if (!kept_) {
    errno = ENOMEM;
    refuse("records of its own");
  } else {
    while (look_for(size) == Found::gone) {
    }
  }
}

SharedOpening::~SharedOpening() {
  const KeptErrno kept_errno;
  close();
  delete_own(kept_);
}

void SharedOpening::close() noexcept {
  if (!file_) return;
  if (is_new_) remove_name(folder_, name_.characters, file_);
  let_go_of_all(file_);
  file_ = Descriptor();
}

SharedOpening::Found SharedOpening::refuse(const char* what) noexcept {
  error_ = errno;
  trouble_ = text("%s: %s", what, text_of_errno(error_).characters);
  close();
  return Found::refused;
}

// This file, for one that is there by now or is made.
SharedOpening::Found SharedOpening::give_up() noexcept {
  close();
  is_new_ = false;
  return Found::gone;
}

SharedOpening::Found SharedOpening::refuse_mistake(const Text& trouble) noexcept {
  is_mistake_ = true;
  trouble_ = trouble;
  close();
  return Found::refused;
}

SharedOpening::Found SharedOpening::look_for(std::size_t size) noexcept {
  folder_ = open_user_folder(place, purpose);
  if (!folder_.descriptor) {
    error_ = ENOENT;
    trouble_ = text("%s: %s", place, folder_.problem.characters);
    return Found::refused;
  }
  const int folder = folder_.descriptor.number();
  file_ = open_own_file(folder, name_.characters, O_RDWR | O_CREAT);
  if (!file_) return refuse("opening its file in /dev/shm");
  if (!wait_for_changes(file_)) return refuse("locking its file");
  if (!is_in_place(folder, name_.characters, file_)) return give_up();
  struct stat status{};
  if (system_fails(EIO) || fstat(file_.number(), &status) != 0) return refuse("looking at its file");
  const auto there = static_cast<std::size_t>(status.st_size);
  if (is_used_by_nobody_else(file_)) return make(size, there != 0);
  return errno == EAGAIN || errno == EACCES ? join(size, there) : refuse("locking its file");
}

SharedOpening::Found SharedOpening::join(std::size_t size, std::size_t there) noexcept {
  if (there != size) return refuse_mistake(text("processes that have it share %zu bytes", there));
  return lock(file_, used, F_RDLCK) ? Found::opened : refuse("locking its file");
}

SharedOpening::Found SharedOpening::make(std::size_t size, bool was_left) noexcept {
  is_new_ = true;
  if (was_left) return give_up();
  if (size > longest_file()) {
    errno = EFBIG;
    return refuse("RLIMIT_FSIZE (ulimit -f)");
  }
  if (system_fails(ENOSPC) || ftruncate(file_.number(), static_cast<off_t>(size)) != 0) return refuse("giving its file a size");
  return lock(file_, used, F_RDLCK) ? Found::opened : refuse("locking its file");
}

void SharedOpening::keep(const void* block) noexcept {
  let_go(file_, changing, 1);
  SharedFile* const kept = std::exchange(kept_, nullptr);
  kept->block = block;
  kept->identity = identity_of(file_.number());
  kept->descriptor = file_.keep();
  const Locked locked(guard);
  kept->next = newest;
  newest = kept;
}

void leave_shared(const void* block, const SharedName& name) noexcept {
  SharedFile* const file = take_out(block);
  if (!file) return;
  const NotCancelled not_cancelled;
  const InsideLibrary inside;
  const KeptErrno kept_errno;
  const Descriptor descriptor = descriptor_of(file);
  if (!descriptor) return;
  if (wait_for_changes(descriptor) && is_used_by_nobody_else(descriptor)) {
    const Folder folder = open_user_folder(place, purpose);
    if (folder.descriptor) remove_name(folder, name.characters, descriptor);
  }
  let_go_of_all(descriptor);
}

void lose_shared(const void* block) noexcept {
  SharedFile* const file = take_out(block);
  if (!file) return;
  const NotCancelled not_cancelled;
  const KeptErrno kept_errno;
  if (const Descriptor descriptor = descriptor_of(file)) let_go_of_all(descriptor);
}

Text remove_left_shared() noexcept {
  const NotCancelled not_cancelled;
  const InsideLibrary inside;
  const KeptErrno kept_errno;
  const Folder folder = open_user_folder(place, purpose);
  if (!folder.descriptor) return text("%s: %s", place, folder.problem.characters);
  for_each_name(folder.descriptor.number(), [&](const char* name) {
    const Descriptor file = open_own_file(folder.descriptor.number(), name, O_RDWR);
    if (!file) return;
    if (lock(file, changing, F_WRLCK) && is_used_by_nobody_else(file)) remove_name(folder, name, file);
    let_go_of_all(file);
  });
  return {};
}

void lock_shared_for_fork() noexcept CADASTRE_UNCHECKED { guard.lock_for_fork(); }
void unlock_shared_after_fork() noexcept CADASTRE_UNCHECKED { guard.unlock(); }

void leave_shared_to_parent() noexcept {
  SharedFile* file = nullptr;
  {
    const Locked locked(guard);
    file = std::exchange(newest, nullptr);
  }
  while (file) descriptor_of(std::exchange(file, file->next));
}

}  // namespace cadastre::internal
