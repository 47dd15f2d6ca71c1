// Tangled from org/backends/host_pages.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Mappings of the host with the pages, the NUMA nodes and the locks that were asked for.
#ifndef CADASTRE_SRC_BACKENDS_HOST_PAGES_HPP
#define CADASTRE_SRC_BACKENDS_HOST_PAGES_HPP

#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "base/node_set.hpp"

namespace cadastre::internal {

enum class PageKind : std::uint8_t { base, transparent, reserved };

struct HostPages {
  PageKind kind = PageKind::base;
  bool leave_to_system = true;  // of base pages: whether the system may make huge ones of them
  std::size_t page = 0;         // bytes of a page of that kind
  std::size_t transparent_page = 0;
  bool strict = false;
  bool locked = false;
  cadastre_numa_policy policy = CADASTRE_NUMA_DEFAULT;
  bool place = false;  // whether the policy has to be told to the system
  NodeSet nodes;
  bool shared = false;  // they are those of a file in memory
};

// The file whose pages are mapped; none for pages of this process alone.
struct FilePages {
  int descriptor = -1;
  bool is_new = false;  // nobody has placed them or taken them yet
  explicit operator bool() const noexcept { return descriptor >= 0; }
};

struct HostMapping {
  void* begin = nullptr;  // null: refused
  std::size_t length = 0;
  PageKind kind = PageKind::base;
  bool fell_back = false;
  int error = 0;      // of what was refused, or of why it fell back
  Text trouble = {};  // why it was refused
};

// Zeros, for a block of size bytes. alignment: a power of two.
HostMapping map_host_pages(const HostPages& pages, std::size_t size, std::size_t alignment, FilePages file = {}) noexcept;
// Why a block that fell back with such an error did; as things are now.
Text why_other_pages(const HostPages& pages, int error) noexcept;
// How long the mapping of such a block is; 0 where no mapping can be so long.
std::size_t mapped_length(const HostPages& pages, PageKind kind, std::size_t size) noexcept;
// Whether the system takes the policy of these pages; errno says why not.
bool can_place(const HostPages& pages) noexcept;

}  // namespace cadastre::internal
#endif
