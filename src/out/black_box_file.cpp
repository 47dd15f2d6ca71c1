// Tangled from org/out/black_box_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/black_box_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/process.hpp"
#include "base/folder.hpp"
#include "base/folder_names.hpp"
#include "out/black_box_life.hpp"
#include "out/log_file.hpp"
#include "out/page_file.hpp"

namespace cadastre::internal {
namespace {

constexpr const char* variable = "CADASTRE_BLACKBOX";

constexpr std::int64_t day = std::int64_t{24} * 60 * 60 * 1'000'000'000;

// Whether its process is gone, and has written nothing for so long.
bool is_old(int descriptor, const struct stat& status, std::int64_t age) noexcept {
  BlackBoxHead head{};
  BlackBoxFigures figures{};
  if (pread(descriptor, &head, sizeof head, 0) != static_cast<ssize_t>(sizeof head)) return false;
  if (pread(descriptor, &figures, sizeof figures, offsetof(BlackBoxPages, figures)) != static_cast<ssize_t>(sizeof figures)) return false;
  if (std::memcmp(head.magic, black_box_magic, sizeof head.magic) != 0 || is_black_box_written(head, descriptor)) return false;
  const std::int64_t then = time_now() - age;
  const bool was_changed = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 > then;
  return !was_changed &&
         (head.version != black_box_version || (head.began <= then && (head.began < 0 || figures.time <= then - head.began)));
}

void remove_if_old(int folder, const char* name, std::int64_t age) noexcept {
  const Descriptor file(system_fails(EMFILE) ? -1 : openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) return;
  if (is_old(file.number(), status, age)) unlinkat(folder, name, 0);
}

void remove_old(int folder, std::int64_t age) noexcept {
  const Descriptor again(system_fails(EMFILE) ? -1 : openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again) return;
  for_each_name(again.number(), [&](const char* name) {
    if (is_black_box_name(name)) remove_if_old(folder, name, age);
  });
}

// Closes the one that is given, unless there is no other.
int far_from_others(int descriptor) noexcept {
  const int far = far_away(descriptor);
  if (far < 0) return descriptor;
  ::close(descriptor);
  return far;
}

}  // namespace

BlackBoxPages* BlackBoxFile::make_named(int folder, const char* name, int& error) noexcept {
  constexpr mode_t own = 0600;
  constexpr std::size_t bytes = sizeof(BlackBoxPages);
  const int first = system_fails(EMFILE) ? -1 : openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, own);
  if (first < 0) {
    error = errno;
    return nullptr;
  }
  descriptor_ = far_from_others(first);
  struct flock range = black_box_lock(F_WRLCK);
  void* pages = MAP_FAILED;
  error = keeps_reserved_pages(descriptor_) ? reserve_pages(descriptor_, 0, bytes) : EOPNOTSUPP;
  if (error == 0) {
    fcntl(descriptor_, F_SETLK, &range);
    pages = system_fails(ENOMEM) ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (pages == MAP_FAILED) error = errno;
  }
  if (pages != MAP_FAILED) {
    madvise(pages, bytes, MADV_RANDOM);  // else the system makes pages around each that is written to
    return static_cast<BlackBoxPages*>(pages);
  }
  unlinkat(folder, name, 0);
  ::close(descriptor_);
  return nullptr;
}

BlackBoxPages* BlackBoxFile::make_in(int folder, int& error) noexcept {
  constexpr int most_names = 100;
  for (const std::int64_t age : {day, std::int64_t{0}}) {
    remove_old(folder, age);
    for (int count = 1; count <= most_names; ++count) {
      char suffix[16] = "";
      if (count > 1) std::snprintf(suffix, sizeof suffix, "-%d", count);
      std::snprintf(name_, sizeof name_, "cadastre-%.255s-%lld%s%s", process().host, static_cast<long long>(process_id()), suffix,
                    black_box_ending);
      BlackBoxPages* const pages = make_named(folder, name_, error);
      if (pages || error != EEXIST) return pages;
    }
  }
  return nullptr;
}

namespace {

// The folder that a user names, or that he has in one of the usual places.
Folder open_in(const char* place, bool is_users) noexcept {
  if (is_users) return open_user_folder(place, black_box_folder);
  Folder folder{Descriptor(system_fails(EMFILE) ? -1 : ::open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)), {}};
  if (!folder.descriptor) folder.problem = text_of_errno(errno);
  return folder;
}

Text why_not(int error) noexcept {
  return error == EOPNOTSUPP ? Text("its file system does not keep pages that were reserved; name a folder on tmpfs, ext4 or XFS")
                             : text_of_errno(error);
}

}  // namespace

BlackBoxPages* BlackBoxFile::make(const char* folder) noexcept {
  const KeptErrno kept_errno;
  const bool is_users = std::strcmp(folder, "auto") == 0;
  std::array<const char*, most_folders> places{folder, "", ""};
  if (is_users) places = places_of_user_folders([](const char* name) { return std::getenv(name); });
  Text problem;
  for (const char* const place : places) {
    if (!*place) continue;
    Folder opened = open_in(place, is_users);
    int error = 0;
    BlackBoxPages* const pages = opened.descriptor ? make_in(opened.descriptor.number(), error) : nullptr;
    if (pages) {
      folder_ = far_from_others(opened.descriptor.keep());
      file_ = identity_of(descriptor_);
      inside_ = identity_of(folder_);
      write_note("opened", variable, place);
      return pages;
    }
    problem = text("%s: %s", place, (opened.descriptor ? why_not(error) : opened.problem).characters);
  }
  std::snprintf(problem_, sizeof problem_, "%s: there is no black box; %.400s", variable, problem.characters);
  note_problem(variable, problem_);
  write_note("failed", variable, problem_);
  return nullptr;
}

void BlackBoxFile::remove() noexcept {
  const KeptErrno kept_errno;
  if (is_of(folder_, inside_) && file_ && identity_of(folder_, name_) == file_) unlinkat(folder_, name_, 0);
}

void BlackBoxFile::leave_to_the_parent() noexcept {
  const KeptErrno kept_errno;
  if (is_of(descriptor_, file_)) ::close(descriptor_);
  if (is_of(folder_, inside_)) ::close(folder_);
  descriptor_ = folder_ = -1;
}

}  // namespace cadastre::internal
