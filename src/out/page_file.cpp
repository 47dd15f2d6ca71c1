// Tangled from org/out/page_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/page_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "base/fail.hpp"
#include "base/process.hpp"

namespace cadastre::internal {

int PageFile::open() noexcept {
  if (output_.is_behind(descriptor_)) return 0;
  descriptor_ = -1;
  const int descriptor = open_far_away(output_.path(), O_RDWR);
  if (descriptor < 0) return errno;
  if (!output_.is_behind(descriptor)) {
    ::close(descriptor);
    return EBADF;
  }
  descriptor_ = descriptor;
  return 0;
}

bool keeps_reserved_pages(int descriptor) noexcept {
  struct statfs system{};
  if (system_fails(EIO) || fstatfs(descriptor, &system) != 0) return false;
  constexpr std::uint64_t known[] = {EXT4_SUPER_MAGIC, 0x58465342 /* XFS */, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC};
  return std::find(std::begin(known), std::end(known), static_cast<std::uint64_t>(system.f_type)) != std::end(known);
}

int reserve_pages(int descriptor, std::uint64_t place, std::uint64_t bytes) noexcept {
  if (place + bytes > longest_file()) return EFBIG;
  while (system_fails(ENOSPC) || fallocate(descriptor, 0, static_cast<off_t>(place), static_cast<off_t>(bytes)) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int PageFile::reserve(std::uint64_t place, std::uint64_t bytes) noexcept {
  if (const int error = open()) return error;
  return reserve_pages(descriptor_, place, bytes);
}

void* PageFile::map(std::uint64_t place, std::size_t bytes, int& error) noexcept {
  error = open();
  if (error != 0) return nullptr;
  void* const pages =
      system_fails(ENOMEM) ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(place));
  if (pages != MAP_FAILED) return pages;
  error = errno;
  return nullptr;
}

int write_bytes(int descriptor, std::uint64_t place, std::string_view bytes) noexcept {
  if (place + bytes.size() > longest_file()) return EFBIG;
  while (!bytes.empty()) {
    const ssize_t written = system_fails(ENOSPC) ? -1 : pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written == 0) return ENOSPC;
    if (written < 0 && errno != EINTR) return errno;
    if (written < 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
  return 0;
}

int PageFile::write_at(std::uint64_t place, std::string_view bytes) noexcept {
  if (const int error = open()) return error;
  return write_bytes(descriptor_, place, bytes);
}

int PageFile::shorten(std::uint64_t bytes) noexcept {
  if (const int error = open()) return error;
  return system_fails(EIO) || ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0 ? errno : 0;
}

void PageFile::close() noexcept {
  if (output_.is_behind(descriptor_)) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace cadastre::internal
