// Tangled from org/backends/host_resources.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/host_resources.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "backends/registered.hpp"
#include "backends/shared_memory.hpp"
#include "base/fail.hpp"
#include "base/huge_pages.hpp"
#include "base/lock.hpp"
#include "base/owned.hpp"
#include "base/process.hpp"

namespace cadastre::internal {
namespace {

// How a block was made, in its record: the kind of its pages, and whether they are other ones than asked for.
constexpr std::uint16_t fell_back = 4;

constexpr std::uint16_t how_of(const HostMapping& mapping) noexcept {
  return static_cast<std::uint16_t>(static_cast<unsigned>(mapping.kind) | (mapping.fell_back ? fell_back : 0u));
}
constexpr PageKind kind_of(std::uint16_t how) noexcept { return static_cast<PageKind>(how & 3); }

class Figures {
 public:
  void count_in(std::size_t size, std::size_t length, bool other_pages) noexcept {
    ++blocks_;
    bytes_ += size;
    mapped_ += length;
    if (other_pages) fallback_ += length;
  }
  void count_out(std::size_t size, std::size_t length, bool other_pages) noexcept {
    assert_is_in(blocks_ >= 1 && bytes_ >= size && mapped_ >= length && (!other_pages || fallback_ >= length));
    --blocks_;
    bytes_ -= size;
    mapped_ -= length;
    if (other_pages) fallback_ -= length;
  }
  void note_fallback(int error) noexcept {
    ++fallbacks_;
    error_ = error;
  }
  int fallback_error() const noexcept { return error_; }
  void write_to(cadastre_host_resource_info_struct& info) const noexcept {
    info.live_blocks = blocks_;
    info.live_bytes = bytes_;
    info.mapped_bytes = mapped_;
    info.fallback_bytes = fallback_;
    info.fallback_count = fallbacks_;
  }

 private:
  static void assert_is_in([[maybe_unused]] bool holds) noexcept {
#ifdef CADASTRE_DEBUG
    if (!holds) std::abort();
#endif
  }

  std::atomic<std::int64_t> blocks_ = 0, fallbacks_ = 0;
  std::atomic<std::size_t> bytes_ = 0, mapped_ = 0, fallback_ = 0;
  std::atomic<int> error_ = 0;  // why the last one fell back
};

Text pages_text(const HostPages& pages) noexcept {
  switch (pages.kind) {
    case PageKind::reserved: return text("reserved pages of %s", size_text(pages.page).characters);
    case PageKind::transparent: return text("transparent huge pages of %s", size_text(pages.page).characters);
    default: return pages.leave_to_system ? Text("pages of the system's choice") : text("pages of %s", size_text(pages.page).characters);
  }
}

Text nodes_text(const HostPages& pages) noexcept {
  const Text nodes = text_of(pages.nodes);
  switch (pages.policy) {
    case CADASTRE_NUMA_BIND: return text(", on NUMA nodes %s only", nodes.characters);
    case CADASTRE_NUMA_INTERLEAVE: return text(", interleaved on NUMA nodes %s", nodes.characters);
    case CADASTRE_NUMA_NEAR_DEVICE: return text(", near a device on NUMA node %s", nodes.characters);
    case CADASTRE_NUMA_FIRST_TOUCH: return ", on the NUMA node of first touch";
    default: return {};
  }
}

Text described(const HostPages& pages) noexcept {
  return text("%s%s%s%s%s", pages_text(pages).characters, nodes_text(pages).characters, pages.locked ? ", locked" : "",
              pages.strict ? ", strict" : "", pages.shared ? ", shared by label" : "");
}

class Resource final : public Backend {
 public:
  Resource(Registration& registration, const HostPages& pages) noexcept
      : registration_(registration), pages_(pages), description_(described(pages)) {}

  cadastre_backend number() const noexcept override { return registration_.number(); }
  Presence presence() const noexcept override {
    if (!registration_.is_open()) return {false, 0, not_registered};
    return {.usable = true, .devices = 0, .problem = "", .meaning = description_.characters};
  }
  bool may_accelerate() const noexcept override { return false; }
  bool serves(cadastre_memory_type type) const noexcept override { return type == CADASTRE_HOST; }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return std::size_t{1} << 30; }
  std::size_t natural_alignment(cadastre_memory_type) const noexcept override { return page_size(); }

  cadastre_exit_code copy(const Copy& copy) noexcept override { return host_backend().copy(copy); }
  cadastre_exit_code set(const Fill& fill) noexcept override { return host_backend().set(fill); }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    assert_no_lock_held("the host's allocator");
    if (!registration_.hold()) return registration_.absent();
    const cadastre_exit_code code = pages_.shared ? share(request, grant) : map(request, grant);
    if (code != CADASTRE_SUCCESS) registration_.let_go();
    return code;
  }

  cadastre_exit_code map(const Request& request, Grant& grant, FilePages file = {}) noexcept {
    const std::size_t alignment = std::max(request.alignment, page_size());
    const HostMapping mapping = map_host_pages(pages_, request.size, alignment, file);
    if (!mapping.begin) return fail(not_allocated(request, number(), mapping.error, mapping.trouble));
    figures_.count_in(request.size, mapping.length, mapping.fell_back);
    if (mapping.fell_back) figures_.note_fallback(mapping.error);
    grant = {mapping.begin, alignment, how_of(mapping)};
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code share(const Request& request, Grant& grant) noexcept {
    if (!request.label)
      return not_shared(CADASTRE_INVALID_ARG_2, request.size, "", "it has no label, by which other processes find the memory");
    const SharedName name(registration_.name, request.label);
    SharedOpening opening(name, request.size);
    if (!opening) {
      if (opening.is_mistake()) return not_shared(CADASTRE_INVALID_ARG_2, request.size, request.label, opening.trouble());
      return fail(not_allocated(request, number(), opening.error(), opening.trouble()));
    }
    const cadastre_exit_code code = map(request, grant, {opening.descriptor(), opening.is_new()});
    if (code != CADASTRE_SUCCESS) return code;
    if (!opening.is_new()) grant.flags = CADASTRE_ATTACHED;
    opening.keep(grant.pointer);
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code not_shared(cadastre_exit_code code, std::size_t size, const char* label, const Text& why) const noexcept {
    return fail({.exit_code = code,
                 .reason = CADASTRE_REASON_NOT_SHARED,
                 .type = CADASTRE_HOST,
                 .backend = number(),
                 .requested = size,
                 .label = label,
                 .detail = why});
  }

  cadastre_exit_code free(const Record& record) noexcept override {
    assert_no_lock_held("the host's allocator");
    if (!system_fails(ENOMEM) && munmap(record.pointer, length_of(record)) == 0) {
      if (pages_.shared) leave_shared(record.pointer, SharedName(registration_.name, text_of(record.origin)));
      forget(record);
      return CADASTRE_SUCCESS;
    }
    const int error = errno;
    return fail(not_freed(record, number(), error, text_of_errno(error)));
  }

  void lose(const Record& record) noexcept override {
    if (pages_.shared) lose_shared(record.pointer);
    forget(record);
  }

  // Other processes have a shared block at its size.
  cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) noexcept override {
    if (!pages_.shared) return Backend::resize(record, size, grant);
    if (size != record.size)
      return not_shared(CADASTRE_INVALID_ARG_3, size, text_of(record.origin),
                        text("the block has %zu bytes, in all processes", record.size));
    grant = {record.pointer, record.alignment(), record.how};
    return CADASTRE_SUCCESS;
  }

  std::size_t length_of(const Record& record) const noexcept { return mapped_length(pages_, kind_of(record.how), record.size); }

  void forget(const Record& record) noexcept {
    figures_.count_out(record.size, length_of(record), (record.how & fell_back) != 0);
    registration_.let_go();
  }

  cadastre_exit_code attach(Backend*& instance) noexcept override {
    if (pages_.shared) {
      return fail({.exit_code = CADASTRE_NOT_SUPPORTED,
                   .reason = CADASTRE_REASON_BACKEND_UNAVAILABLE,
                   .backend = number(),
                   .detail = "it is shared by label, which memory of a context's pools and workspaces has not; name it in requests"});
    }
    return registration_.hold() ? Backend::attach(instance) : registration_.absent();
  }

  cadastre_exit_code detach() noexcept override {
    registration_.let_go();
    return CADASTRE_SUCCESS;
  }

  bool resource_info(cadastre_host_resource_info_struct& info) const noexcept override {
    info.backend = number();
    info.numa_policy = pages_.policy;
    info.page_size = pages_.page;
    info.description = description_.characters;
    figures_.write_to(info);
    const Text why = info.fallback_count > 0 ? why_other_pages(pages_, figures_.fallback_error()) : Text();
    std::snprintf(info.fallback_message, sizeof info.fallback_message, "%s", why.characters);
    return true;
  }

 private:
  Registration& registration_;
  const HostPages pages_;
  const Text description_;
  Figures figures_;
};

class RegisteredResource final : public Registered {
 public:
  RegisteredResource(const char* name, const HostPages& pages) noexcept : Registered(name), resource_(registration, pages) {}
  Backend& backend() noexcept override { return resource_; }

 private:
  Resource resource_;
};

cadastre_exit_code refuse(const Text& detail) noexcept { return refuse_registration(CADASTRE_INVALID_ARG_2, detail); }

cadastre_exit_code not_here(const Text& detail) noexcept {
  return fail({.exit_code = CADASTRE_NOT_SUPPORTED, .reason = CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE, .detail = detail});
}

cadastre_exit_code read_pages(std::size_t asked, HostPages& pages, const char* root) noexcept {
  constexpr std::size_t largest = std::size_t{1} << 36;
  pages.transparent_page = transparent_page_size(root);
  pages.leave_to_system = asked == 0;
  if (asked == 0 || asked == page_size()) {
    pages.page = page_size();
    return CADASTRE_SUCCESS;
  }
  if (asked == CADASTRE_TRANSPARENT_HUGE_PAGES) {
    pages.kind = PageKind::transparent;
    pages.page = pages.transparent_page;
    const Transparent may_come = pages.shared ? transparent_shared_pages(root) : transparent_huge_pages(root);
    if (!pages.strict || may_come != Transparent::never) return CADASTRE_SUCCESS;
    return not_here(text("page_size is CADASTRE_TRANSPARENT_HUGE_PAGES: %s", why_other_pages(pages, ENOTSUP).characters));
  }
  if (!std::has_single_bit(asked) || asked < page_size() || asked > largest) {
    return refuse(text("page_size is %zu; it must be 0, CADASTRE_TRANSPARENT_HUGE_PAGES, or the bytes of a page, such as 2097152", asked));
  }
  pages.kind = PageKind::reserved;
  pages.page = asked;
  if (pages.strict && pages.shared) return not_here(text("page_size is %zu: %s", asked, why_other_pages(pages, 0).characters));
  if (!pages.strict || reserved_pages(asked, root).known) return CADASTRE_SUCCESS;
  const Text sizes = sizes_of_reserved_pages(root);
  return not_here(text("page_size is %zu: there are no pages of %s; this system has pages of: %s", asked, size_text(asked).characters,
                       *sizes.characters ? sizes.characters : "(it does not say)"));
}

cadastre_exit_code read_list(const cadastre_host_resource_struct& given, HostPages& pages, const NodeSet& usable,
                             const char* root) noexcept {
  if (!given.nodes) {
    pages.nodes = usable;
    return CADASTRE_SUCCESS;
  }
  const auto nodes = parse_nodes(given.nodes);
  if (!nodes) return refuse(text("nodes is \"%.64s\"; it must be a list of NUMA nodes such as 0-1,4, or NULL for all", given.nodes));
  pages.nodes = *nodes;
  if (usable.empty()) return CADASTRE_SUCCESS;
  const NodeSet with_memory = nodes_with_memory(root);
  if (const auto none = with_memory.empty() ? std::nullopt : nodes->first_outside(with_memory)) {
    return not_here(text("nodes is \"%.64s\": there is no NUMA node %zu with memory; those with memory are %s", given.nodes, *none,
                         text_of(with_memory).characters));
  }
  if (const auto none = nodes->first_outside(usable)) {
    return not_here(text(
        "nodes is \"%.64s\": this process may not use NUMA node %zu, but %s (Mems_allowed_list in /proc/self/status, which a batch system or cpuset sets)",
        given.nodes, *none, text_of(usable).characters));
  }
  return CADASTRE_SUCCESS;
}

cadastre_exit_code read_device(const char* device, HostPages& pages, const NodeSet& usable, const char* root) noexcept {
  const NodeOfDevice near = node_of_device(device, root);
  if (!near.there) return not_here(text("near_device is \"%.32s\": there is no such PCI device (see ls /sys/bus/pci/devices)", device));
  if (near.node < 0) {
    if (usable.count() != 1)
      return not_here(text("near_device is \"%.32s\": the firmware does not say which NUMA node it is near", device));
    pages.nodes = usable;  // and all memory is near
    return CADASTRE_SUCCESS;
  }
  const auto node = static_cast<std::size_t>(near.node);
  pages.nodes.add(node);
  if (usable.empty() || usable.has(node)) return CADASTRE_SUCCESS;
  return not_here(
      text("near_device is \"%.32s\": it is near NUMA node %zu, and this process may use %s", device, node, text_of(usable).characters));
}

cadastre_exit_code read_nodes(const cadastre_host_resource_struct& given, HostPages& pages, const char* root) noexcept {
  const NodeSet usable = nodes_of_process(root);
  const bool near_device = given.numa_policy == CADASTRE_NUMA_NEAR_DEVICE;
  const bool with_list = given.numa_policy == CADASTRE_NUMA_BIND || given.numa_policy == CADASTRE_NUMA_INTERLEAVE;
  if (given.numa_policy < CADASTRE_NUMA_DEFAULT || given.numa_policy > CADASTRE_NUMA_NEAR_DEVICE) {
    return refuse(text("numa_policy is %d; it must be one of CADASTRE_NUMA_DEFAULT (0) to CADASTRE_NUMA_NEAR_DEVICE (%d)",
                       given.numa_policy, CADASTRE_NUMA_NEAR_DEVICE));
  }
  if (given.nodes && !with_list) return refuse("nodes is set, and only CADASTRE_NUMA_BIND and CADASTRE_NUMA_INTERLEAVE take it");
  if (given.near_device && !near_device) return refuse("near_device is set, and only CADASTRE_NUMA_NEAR_DEVICE takes it");
  if (near_device && !given.near_device) return refuse("near_device is NULL; it must be the address of a PCI device, such as 0000:41:00.0");
  if (near_device && !is_pci_address(given.near_device)) {
    return refuse(text("near_device is \"%.64s\"; it must be the address of a PCI device, such as 0000:41:00.0", given.near_device));
  }
  pages.policy = given.numa_policy;
  if (pages.policy == CADASTRE_NUMA_DEFAULT) return CADASTRE_SUCCESS;
  cadastre_exit_code code = CADASTRE_SUCCESS;
  if (with_list) code = read_list(given, pages, usable, root);
  if (near_device) code = read_device(given.near_device, pages, usable, root);
  if (code != CADASTRE_SUCCESS) return code;
  if (pages.policy != CADASTRE_NUMA_FIRST_TOUCH && pages.nodes.empty()) {
    return not_here("nodes is NULL: which NUMA nodes this process may use is not known here; name them");
  }
  pages.place = usable.count() != 1;
  return CADASTRE_SUCCESS;
}

}  // namespace

cadastre_exit_code read_resource(const cadastre_host_resource_struct& given, HostPages& pages, const char* root) noexcept {
  constexpr cadastre_host_flags known = CADASTRE_HOST_STRICT | CADASTRE_HOST_LOCKED | CADASTRE_HOST_SHARED;
  if ((given.flags & ~known) != 0) {
    return refuse(text("flags is 0x%x; it must be a sum of CADASTRE_HOST_STRICT (1), CADASTRE_HOST_LOCKED (2) and CADASTRE_HOST_SHARED (4)",
                       given.flags));
  }
  HostPages read;
  read.strict = (given.flags & CADASTRE_HOST_STRICT) != 0;
  read.locked = (given.flags & CADASTRE_HOST_LOCKED) != 0;
  read.shared = (given.flags & CADASTRE_HOST_SHARED) != 0;
  cadastre_exit_code code = read_pages(given.page_size, read, root);
  if (code == CADASTRE_SUCCESS) code = read_nodes(given, read, root);
  if (code != CADASTRE_SUCCESS) return code;
  if (*root == '\0' && read.place && !can_place(read)) {
    const int error = errno;
    return not_here(text("numa_policy is %d: the system does not place memory on NUMA nodes: %s%s", read.policy,
                         text_of_errno(error).characters,
                         error == EPERM ? "; the filter of a container may refuse mbind (Docker: --cap-add SYS_NICE)" : ""));
  }
  if (const Text why = *root == '\0' && read.shared ? remove_left_shared() : Text(); *why.characters) {
    return not_here(text("flags has CADASTRE_HOST_SHARED: %s", why.characters));
  }
  pages = read;
  return CADASTRE_SUCCESS;
}

cadastre_exit_code register_host_resource(const char* name, const cadastre_host_resource_struct& resource,
                                          cadastre_backend& number) noexcept {
  cadastre_exit_code code = check_name(name);
  HostPages pages;
  if (code == CADASTRE_SUCCESS) code = read_resource(resource, pages);
  if (code != CADASTRE_SUCCESS) return code;
  return enter_registration(try_to_own<RegisteredResource>(name, pages), number);
}

}  // namespace cadastre::internal
