// Tangled from org/backends/host_pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/host_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "backends/host_locking.hpp"
#include "base/fail.hpp"
#include "base/huge_pages.hpp"
#include "base/process.hpp"
#include "base/record.hpp"
#include "core/kept_runs.hpp"

namespace cadastre::internal {
namespace {

constexpr int map_huge_shift = 26, populate_write = 23;                  // MAP_HUGE_SHIFT, MADV_POPULATE_WRITE
constexpr unsigned lock_on_fault = 1;                                    // MLOCK_ONFAULT
enum Mode : int { preferred = 1, bind = 2, interleave = 3, local = 4 };  // MPOL_

Mode mode_of(const HostPages& pages) noexcept {
  switch (pages.policy) {
    case CADASTRE_NUMA_BIND: return bind;
    case CADASTRE_NUMA_INTERLEAVE: return interleave;
    case CADASTRE_NUMA_NEAR_DEVICE: return pages.strict ? bind : preferred;
    default: return local;
  }
}

bool place(const HostPages& pages, void* begin, std::size_t length) noexcept {
  if (!pages.place) return true;
  if (system_fails(EPERM)) return false;
  const Mode mode = mode_of(pages);
  const bool with_nodes = mode != local;
  return syscall(SYS_mbind, begin, length, static_cast<int>(mode), with_nodes ? pages.nodes.mask() : nullptr,
                 with_nodes ? NodeSet::most + 1 : 0, 0) == 0;
}

void give_back(HostMapping& mapping) noexcept {
  mapping.error = errno;
  mapping.begin = drop_pages(mapping.begin, mapping.length);
}

void* map_reserved(std::size_t page, std::size_t length, std::size_t alignment) noexcept {
  const std::size_t spare = alignment > page ? alignment - page : 0;
  if (sum_wraps(length, spare)) return errno = ENOMEM, nullptr;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | std::countr_zero(page) << map_huge_shift;
  void* const start = system_fails(ENOMEM) ? MAP_FAILED : mmap(nullptr, length + spare, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  const std::size_t before = round_up(address_of(start), std::max(alignment, page)) - address_of(start), behind = spare - before;
  auto* const first = static_cast<std::byte*>(start);
  if (before > 0 && munmap(first, before) != 0) return drop_pages(first, length + spare);
  if (behind > 0 && munmap(first + before + length, behind) != 0) return drop_pages(first + before, length + behind);
  return first + before;
}

// Whether all pages are there. A kernel that does not know the advice brings them in later.
bool bring_in(void* begin, std::size_t length) noexcept {
  if (system_fails(ENOMEM)) return false;
  int result = 0;
  do result = madvise(begin, length, populate_write);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}

}  // namespace

Text why_other_pages(const HostPages& pages, int error) noexcept {
  if (pages.shared && pages.kind == PageKind::reserved) {
    return text("reserved pages of %s are of one process alone, and no memory that others find by a name",
                size_text(pages.page).characters);
  }
  if (pages.kind != PageKind::reserved) {
    if (error == ENOTSUP && pages.shared) {
      return "transparent huge pages of shared memory are off: /sys/kernel/mm/transparent_hugepage/shmem_enabled says never or deny, or the process has them disabled (prctl)";
    }
    if (error == ENOTSUP) {
      return "transparent huge pages are off: /sys/kernel/mm/transparent_hugepage/enabled says never, or the process has them disabled (prctl)";
    }
    return text("transparent huge pages: %s", text_of_errno(error).characters);
  }
  const Text size = size_text(pages.page);
  const ReservedPages there = reserved_pages(pages.page);
  if (!there.known) {
    const Text sizes = sizes_of_reserved_pages();
    return text("no pages of %s here (this system has: %s)", size.characters, *sizes.characters ? sizes.characters : "none");
  }
  if (error != ENOMEM && error != EFAULT && error != EHWPOISON)
    return text("pages of %s: %s", size.characters, text_of_errno(error).characters);
  return text("too few pages of %s: %zu reserved, %zu of them free; %s", size.characters, there.total, there.free,
              how_to_reserve(pages.page).characters);
}

namespace {

HostMapping try_reserved(const HostPages& pages, std::size_t size, std::size_t alignment) noexcept {
  HostMapping mapping{.length = mapped_length(pages, PageKind::reserved, size), .kind = PageKind::reserved};
  mapping.begin = mapping.length == 0 ? (errno = ENOMEM, nullptr) : map_reserved(pages.page, mapping.length, alignment);
  if (!mapping.begin) {
    mapping.error = errno;
  } else if (!place(pages, mapping.begin, mapping.length) ||
             (pages.policy != CADASTRE_NUMA_FIRST_TOUCH && !bring_in(mapping.begin, mapping.length))) {
    give_back(mapping);
  }
  if (!mapping.begin) mapping.trouble = why_other_pages(pages, mapping.error);
  return mapping;
}

// Whether the system may make huge pages of it.
bool ask_for_transparent(const HostPages& pages, HostMapping& mapping) noexcept {
  if (system_fails(EINVAL) || madvise(mapping.begin, mapping.length, MADV_HUGEPAGE) != 0) {
    mapping.error = errno;
    return false;
  }
  if ((pages.shared ? transparent_shared_pages() : transparent_huge_pages()) != Transparent::never) return true;
  mapping.error = ENOTSUP;
  return false;
}

// In the place of pages that are there already, since a file does not begin at a multiple of more than a page by itself.
bool put_file(const FilePages& file, void* begin, std::size_t length) noexcept {
  return !system_fails(ENOMEM) && mmap(begin, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.descriptor, 0) != MAP_FAILED;
}

HostMapping map_of_system(const HostPages& pages, PageKind kind, std::size_t size, std::size_t alignment, const FilePages& file) noexcept {
  HostMapping mapping{.length = mapped_length(pages, kind, size), .kind = kind};
  const std::size_t page = kind == PageKind::transparent ? pages.transparent_page : page_size(), lies_at = std::max(alignment, page);
  errno = ENOMEM;
  if (mapping.length != 0 && !sum_wraps(mapping.length, lies_at)) mapping.begin = map_pages(mapping.length, lies_at);
  if (mapping.begin && file && !put_file(file, mapping.begin, mapping.length)) mapping.begin = drop_pages(mapping.begin, mapping.length);
  if (!mapping.begin) {
    mapping.error = errno;
    mapping.trouble = text_of_errno(mapping.error);
    return mapping;
  }
  if (kind == PageKind::transparent) mapping.fell_back = !ask_for_transparent(pages, mapping);
  if (kind == PageKind::base && !pages.leave_to_system) madvise(mapping.begin, mapping.length, MADV_NOHUGEPAGE);
  return mapping;
}

bool take_pages_of_file(const FilePages& file, const HostMapping& mapping, std::size_t size) noexcept {
  constexpr std::size_t piece = std::size_t{2} << 20;
  if (system_fails(ENOSPC)) return false;
  if (mapping.kind == PageKind::transparent && madvise(mapping.begin, mapping.length, populate_write) == 0) return true;
  for (std::size_t at = 0; at < size;) {
    const std::size_t next = std::min(piece, size - at);
    if (fallocate(file.descriptor, 0, static_cast<off_t>(at), static_cast<off_t>(next)) == 0) at += next;
    else if (errno == EOPNOTSUPP || errno == ENOSYS) return true;  // they come when they are written
    else if (errno != EINTR) return false;
  }
  return true;
}

Text why_no_pages_of_file(const FilePages& file, int error) noexcept {
  struct statvfs system{};
  if (error != ENOSPC || fstatvfs(file.descriptor, &system) != 0)
    return text("taking pages of /dev/shm: %s", text_of_errno(error).characters);
  const std::size_t unit = system.f_frsize;
  return text(
      "/dev/shm has too little room: %zu of its %zu bytes are free; mount -o remount,size=BYTES /dev/shm, or --shm-size of a container, would change that",
      unit * system.f_bavail, unit * system.f_blocks);
}

// An old kernel has no locks on fault, and says ENOSYS. Sanitizers replace the function mlock by one that does nothing.
bool lock(const HostPages& pages, const HostMapping& mapping) noexcept {
  if (!pages.locked || mapping.kind == PageKind::reserved) return true;
  if (system_fails(EAGAIN)) return false;
  if (pages.policy != CADASTRE_NUMA_FIRST_TOUCH) return syscall(SYS_mlock, mapping.begin, mapping.length) == 0;
  return syscall(SYS_mlock2, mapping.begin, mapping.length, lock_on_fault) == 0;
}

}  // namespace

std::size_t mapped_length(const HostPages& pages, PageKind kind, std::size_t size) noexcept {
  const std::size_t page = kind == PageKind::base ? page_size() : kind == PageKind::transparent ? pages.transparent_page : pages.page;
  return round_up(std::max<std::size_t>(size, 1), page);
}

bool can_place(const HostPages& pages) noexcept {
  const std::size_t length = page_size();
  void* const page = map_pages(length, length);
  if (!page) return false;
  const bool placed = place(pages, page, length);
  drop_pages(page, length);
  return placed;
}

HostMapping map_host_pages(const HostPages& pages, std::size_t size, std::size_t alignment, FilePages file) noexcept {
  HostMapping tried;
  if (pages.kind == PageKind::reserved && !file) {
    tried = try_reserved(pages, size, alignment);
    if (tried.begin || pages.strict) return tried;
  }
  const PageKind kind = pages.kind == PageKind::base ? PageKind::base : PageKind::transparent;
  HostMapping mapping = map_of_system(pages, kind, size, alignment, file);
  if (!mapping.begin) return mapping;
  if (mapping.fell_back && pages.strict) {
    errno = mapping.error;
    give_back(mapping);
    mapping.trouble = why_other_pages(pages, mapping.error);
    return mapping;
  }
  const bool was_placed = file && !file.is_new;
  if (!was_placed && !place(pages, mapping.begin, mapping.length)) {
    give_back(mapping);
    mapping.trouble = text("placing it on NUMA nodes: %s", text_of_errno(mapping.error).characters);
    return mapping;
  }
  if (file.is_new && pages.policy != CADASTRE_NUMA_FIRST_TOUCH && !take_pages_of_file(file, mapping, size)) {
    give_back(mapping);
    mapping.trouble = why_no_pages_of_file(file, mapping.error);
    return mapping;
  }
  if (const Text why = pages.locked ? why_not_locked_at_once(mapping.length) : Text(); *why.characters) {
    errno = ENOMEM;
    give_back(mapping);
    mapping.trouble = why;
    return mapping;
  }
  if (!lock(pages, mapping)) {
    give_back(mapping);
    mapping.trouble = why_not_locked(mapping.length, mapping.error);
    return mapping;
  }
  if (pages.kind == PageKind::reserved) mapping.fell_back = true, mapping.error = tried.error;
  return mapping;
}

}  // namespace cadastre::internal
