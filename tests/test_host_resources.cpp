// Tangled from org/tests/host_resource_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "backend_conformance.hpp"
#include "backends/host_pages.hpp"
#include "base/huge_pages.hpp"
#include "base/process.hpp"
#include "cadastre.h"
#include "declared_noexcept.hpp"
#include "process_memory.hpp"

using namespace cadastre::internal;

namespace {

int refused_call = 0;  // counted down; the call that reaches 0 is refused
std::atomic<std::size_t> mapped_bytes = 0;

template <class Function>
Function* the_systems(const char* name, Function*) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool refuses() {
  if (refused_call == 0 || --refused_call > 0) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" void* mmap(void* address, size_t length, int protection, int flags, int file, off_t offset) noexcept(declared_noexcept) {
  static const auto real = the_systems("mmap", mmap);
  if (refuses()) return MAP_FAILED;
  void* const pages = real(address, length, protection, flags, file, offset);
  if (pages != MAP_FAILED) mapped_bytes += length;
  return pages;
}

extern "C" int munmap(void* address, size_t length) noexcept(declared_noexcept) {
  static const auto real = the_systems("munmap", munmap);
  if (refuses()) return -1;
  mapped_bytes -= length;  // before another thread gets the pages; tells a thread sanitizer who had them first
  const int result = real(address, length);
  if (result != 0) mapped_bytes += length;
  return result;
}

extern "C" void* mremap(void* address, size_t length, size_t wanted, int flags, ...) noexcept(declared_noexcept) {
  static const auto real = the_systems("mremap", mremap);
  if (refuses()) return MAP_FAILED;
  void* const pages = real(address, length, wanted, flags);
  if (pages != MAP_FAILED) mapped_bytes += wanted - length;
  return pages;
}

extern "C" int mlock(const void* address, size_t length) noexcept(declared_noexcept) {
  static const auto real = the_systems("mlock", mlock);
  return refuses() ? -1 : real(address, length);
}

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20, huge = 2 * mebibyte;

cadastre_error_struct last(cadastre_context context = CADASTRE_NULL_CONTEXT) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  assert_int_equal(cadastre_last_error(context, &error), CADASTRE_SUCCESS);
  return error;
}

cadastre_backend registered(const char* name, auto change) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  change(resource);
  const cadastre_backend number = cadastre_backend_register_host(name, &resource);
  if (number == CADASTRE_INVALID_BACKEND) print_message("%s\n", last().message);
  assert_int_not_equal(number, CADASTRE_INVALID_BACKEND);
  return number;
}

// A resource and a context for one claim.
struct Use {
  Use(const char* name, auto change) : backend(registered(name, change)), context(cadastre_context_create()) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  void end() const {
    assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
    assert_int_equal(info().live_blocks, 0);
    assert_int_equal(info().live_bytes, 0);
    assert_int_equal(info().mapped_bytes, 0);
    assert_int_equal(info().fallback_bytes, 0);
    assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
  }
  void* block(std::size_t size) const {
    cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
    request.size = size;
    request.backend = backend;
    return cadastre_malloc(context, request);
  }
  void free(void* block) const { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }
  cadastre_host_resource_info_struct info() const {
    cadastre_host_resource_info_struct info = cadastre_host_resource_info_struct_zero;
    assert_int_equal(cadastre_backend_get_host_info(backend, &info), CADASTRE_SUCCESS);
    return info;
  }
  const cadastre_backend backend;
  const cadastre_context context;
};

// What the kernel says of the mapping that an address is in, field by field in kB; -1 where it does not say.
long smaps(const void* address, const std::string& field) {
  std::ifstream file("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    unsigned long first = 0, end = 0;
    char after = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx%c", &first, &end, &after) == 3 && after == ' ') {
      inside = first <= address_of(address) && address_of(address) < end;
    } else if (inside && line.starts_with(field + ":")) {
      return std::strtol(line.c_str() + field.size() + 1, nullptr, 10);
    }
  }
  return -1;
}

std::string policy_of(const void* address) {
  char begin[32];
  std::snprintf(begin, sizeof begin, "%lx ", static_cast<unsigned long>(address_of(address)));
  std::ifstream file("/proc/self/numa_maps");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(begin)) return line.substr(std::strlen(begin), line.find(' ', std::strlen(begin)) - std::strlen(begin));
  }
  return {};
}

bool is_zero(const void* block, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(block);
  return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0; });
}

void assert_says(const char* text, const char* part) {
  if (!std::strstr(text, part)) print_message("\"%s\" does not say \"%s\"\n", text, part);
  assert_non_null(std::strstr(text, part));
}

bool can_lock(std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool can = mlock(pages, bytes) == 0;
  munmap(pages, bytes);
  return can;
}

// The conformance suite is run on resources that stay.
struct SystemsChoice {
  static Backend& backend() {
    static const cadastre_backend number = registered("of the system", [](auto&) {});
    return *find_backend(number);
  }
  static constexpr cadastre_memory_type type = CADASTRE_HOST;
  static void fail_in(int k) { refused_call = k; }
  static std::size_t live() { return mapped_bytes; }
};
struct OfTransparent : SystemsChoice {
  static Backend& backend() {
    static const cadastre_backend number = registered("transparent", [](auto& r) { r.page_size = CADASTRE_TRANSPARENT_HUGE_PAGES; });
    return *find_backend(number);
  }
};
struct OfReserved {
  static Backend& backend() {
    static const cadastre_backend number = registered("reserved", [](auto& r) { r.page_size = huge; });
    return *find_backend(number);
  }
  static constexpr cadastre_memory_type type = CADASTRE_HOST;
};
struct OfLocked : SystemsChoice {
  static Backend& backend() {
    static const cadastre_backend number =
        registered("locked", [](auto& r) { r.flags = can_lock(128 * mebibyte) ? CADASTRE_HOST_LOCKED : 0; });
    return *find_backend(number);
  }
};

void transparent_pages_are_huge_ones_from_the_first_byte_to_the_last(void**) {
  const Use use("transparent pages", [](auto& r) { r.page_size = CADASTRE_TRANSPARENT_HUGE_PAGES; });
  const std::size_t page = transparent_page_size(), size = 3 * page + 1;
  void* const block = use.block(size);
  assert_non_null(block);
  assert_int_equal(address_of(block) % page, 0);
  const bool off = transparent_huge_pages() == Transparent::never;
  assert_int_equal(use.info().live_bytes, size);
  assert_int_equal(use.info().mapped_bytes, 4 * page);
  assert_int_equal(use.info().fallback_bytes, off ? 4 * page : 0);
  assert_string_equal(use.info().description, ("transparent huge pages of " + std::string(size_text(page).characters)).c_str());
  std::memset(block, 1, size);
  const long got = smaps(block, "AnonHugePages");
  use.free(block);
  use.end();
  if (off || got < 0) skip_because("transparent huge pages are off here, or the kernel does not show them");
  assert_int_equal(got, 4 * page >> 10);
}

void pages_of_the_systems_size_stay_small(void**) {
  const Use use("small pages", [](auto& r) { r.page_size = page_size(); });
  void* const block = use.block(8 * mebibyte);
  std::memset(block, 1, 8 * mebibyte);
  assert_true(smaps(block, "AnonHugePages") <= 0);
  assert_int_equal(use.info().fallback_bytes, 0);
  use.free(block);
  use.end();
}

void a_block_that_falls_back_is_right_and_it_is_told_why(void**) {
  constexpr std::size_t nobodys = 64 * mebibyte;
  if (reserved_pages(nobodys).known) skip_because("this machine has pages of 64 MiB");
  const Use use("of 64 MiB", [](auto& r) { r.page_size = nobodys; });
  assert_int_equal(use.info().fallback_count, 0);
  assert_string_equal(use.info().fallback_message, "");
  void* const block = use.block(3 * mebibyte);
  assert_non_null(block);
  assert_true(is_zero(block, 3 * mebibyte));
  const std::size_t page = transparent_page_size(), mapped = (3 * mebibyte + page - 1) / page * page;
  cadastre_host_resource_info_struct info = use.info();
  assert_int_equal(info.live_blocks, 1);
  assert_int_equal(info.mapped_bytes, mapped);
  assert_int_equal(info.fallback_bytes, mapped);
  assert_int_equal(info.fallback_count, 1);
  assert_says(info.fallback_message, "no pages of 64 MiB here (this system has: ");
  use.free(block);
  info = use.info();
  assert_int_equal(info.fallback_bytes, 0);
  assert_int_equal(info.fallback_count, 1);
  use.end();
}

void take_reserved_pages(std::size_t free_before) {
  const Use use("of 2 MiB", [](auto& r) { r.page_size = huge; });
  std::vector<void*> blocks;
  for (std::size_t page = 0; page < std::min<std::size_t>(free_before, 4); ++page) {
    blocks.push_back(use.block(page % 2 == 0 ? 1 : huge));
    assert_true(is_zero(blocks.back(), 1));
    assert_int_equal(smaps(blocks.back(), "KernelPageSize"), 2048);
    assert_int_equal(use.info().mapped_bytes, blocks.size() * huge);
    assert_int_equal(use.info().fallback_bytes, 0);
    assert_int_equal(reserved_pages(huge).free, free_before - blocks.size());  // there, before anybody writes
  }
  if (free_before <= 4) {
    blocks.push_back(use.block(huge));
    assert_non_null(blocks.back());
    std::memset(blocks.back(), 1, huge);
    assert_int_equal(smaps(blocks.back(), "KernelPageSize"), 4);
    assert_int_equal(use.info().fallback_bytes, huge);
    assert_says(use.info().fallback_message, "too few pages of 2 MiB: ");
    assert_says(use.info().fallback_message, "echo NUMBER >/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages");
  }
  for (void* const block : blocks) use.free(block);
  assert_int_equal(reserved_pages(huge).free, free_before);
  use.end();
}

void reserved_pages_are_what_was_asked_for_while_there_are_any(void**) {
  const std::size_t free_before = reserved_pages(huge).free;
  take_reserved_pages(free_before);
  if (free_before == 0) skip_because("no pages of 2 MiB are reserved here; that blocks fall back was claimed");
}

void a_page_of_a_gibibyte_is_one(void**) {
  constexpr std::size_t page = std::size_t{1} << 30;
  const ReservedPages before = reserved_pages(page);
  if (before.free == 0) skip_because("no pages of 1 GiB are reserved here; tools/try-machine has some");
  const Use use("of 1 GiB", [](auto& r) { r.page_size = page, r.flags = CADASTRE_HOST_STRICT; });
  auto* const block = static_cast<char*>(use.block(5000));
  assert_non_null(block);
  assert_int_equal(address_of(block) % page, 0);
  assert_int_equal(smaps(block, "KernelPageSize"), page >> 10);
  assert_int_equal(use.info().mapped_bytes, page);
  assert_int_equal(use.info().fallback_bytes, 0);
  assert_int_equal(reserved_pages(page).free, before.free - 1);
  block[4999] = 'x';
  use.free(block);
  assert_int_equal(reserved_pages(page).free, before.free);
  use.end();
}

void a_strict_resource_refuses_what_would_fall_back(void**) {
  if (!reserved_pages(huge).known) skip_because("this system has no pages of 2 MiB");
  const Use use("strictly of 2 MiB", [](auto& r) { r.page_size = huge, r.flags = CADASTRE_HOST_STRICT; });
  const std::size_t mapped = mapped_bytes, too_many = (reserved_pages(huge).total + 1) * huge;
  assert_null(use.block(too_many));
  assert_int_equal(mapped_bytes, mapped);
  assert_int_equal(last(use.context).exit_code, CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(last(use.context).reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_says(last(use.context).message, "the strictly of 2 MiB backend could not allocate");
  assert_says(last(use.context).message, "too few pages of 2 MiB: ");
  assert_int_equal(use.info().fallback_count, 0);
  assert_string_equal(use.info().description, "reserved pages of 2 MiB, strict");
  use.end();
}

void a_zeroed_block_is_not_touched(void**) {
  constexpr std::size_t size = 512 * mebibyte;
  for (const std::size_t page : {std::size_t{0}, CADASTRE_TRANSPARENT_HUGE_PAGES}) {
    const Use use("untouched", [=](auto& r) { r.page_size = page; });
    const std::size_t before = process_memory().resident;
    void* const block = use.block(size);
    assert_non_null(block);
    assert_true(process_memory().resident < before + size / 16);
    use.free(block);
    use.end();
  }
}

void locked_pages_are_locked_until_they_are_freed(void**) {
  if (!can_lock(4 * mebibyte)) skip_because("no memory may be locked here");
  const Use use("locked pages", [](auto& r) { r.flags = CADASTRE_HOST_LOCKED; });
  void* const block = use.block(mebibyte);
  assert_non_null(block);
  const long locked = smaps(block, "Locked"), resident = smaps(block, "Rss");
  assert_string_equal(use.info().description, "pages of the system's choice, locked");
  use.free(block);
  use.end();
  if (locked < 0) skip_because("the kernel does not show locks");
  assert_true(resident >= 1024);
  assert_true(locked >= 1024);
}

void first_touch_locks_pages_as_they_come(void**) {
  if (!can_lock(4 * mebibyte)) skip_because("no memory may be locked here");
  const Use use("locked later",
                [](auto& r) { r.page_size = page_size(), r.flags = CADASTRE_HOST_LOCKED, r.numa_policy = CADASTRE_NUMA_FIRST_TOUCH; });
  auto* const block = static_cast<char*>(use.block(mebibyte));
  if (!block && last(use.context).vendor_code == ENOSYS) skip_because("this kernel has no locks on fault");
  assert_non_null(block);
  const long before = smaps(block, "Rss");
  std::memset(block, 1, mebibyte / 2);
  const long locked = smaps(block, "Locked");
  use.free(block);
  use.end();
  if (locked < 0) skip_because("the kernel does not show locks");
  assert_int_equal(before, 0);
  assert_int_equal(locked, 512);
}

// In a child, which gives up its right to exceed limits.
template <class Action>
int status_of_child(Action action) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) _exit(action());
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

void a_limit_on_locks_is_named_with_what_would_be_right(void**) {
  const int status = status_of_child([] {
    const Use use("limited", [](auto& r) { r.flags = CADASTRE_HOST_LOCKED; });
    const rlimit limit = {65536, 65536};
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0 || syscall(SYS_capset, &header, none) != 0) return 77;
    const std::size_t mapped = mapped_bytes;
    if (use.block(mebibyte) || mapped_bytes != mapped) return 1;
    std::fprintf(stderr, "# %s\n", last(use.context).message);
    if (!std::strstr(last(use.context).message,
                     "locking 1048576 bytes: RLIMIT_MEMLOCK is 65536 bytes, 0 in use; ulimit -l 1024 or more would allow it"))
      return 2;
    if (use.info().live_blocks != 0) return 3;
    void* const block = use.block(4096);
    if (!block || cadastre_free(use.context, block) != CADASTRE_SUCCESS) return 4;
    return 0;
  });
  if (status == 77) skip_because("the limit cannot be set here");
  assert_int_equal(status, 0);
}

HostPages placed(cadastre_numa_policy policy, const char* nodes, bool strict = false) {
  HostPages pages;
  pages.page = page_size();
  pages.policy = policy;
  pages.place = true;
  pages.strict = strict;
  pages.nodes = *parse_nodes(nodes);
  return pages;
}

void the_kernel_is_told_the_policy_and_the_nodes(void**) {
  const NodeSet usable = nodes_of_process();
  if (usable.empty() || !can_place(placed(CADASTRE_NUMA_FIRST_TOUCH, "0"))) skip_because("the system does not place memory here");
  const std::string all = text_of(usable).characters;
  const struct {
    cadastre_numa_policy policy;
    bool strict;
    std::string said;
  } cases[] = {
      {CADASTRE_NUMA_BIND, false, "bind:" + all},       {CADASTRE_NUMA_INTERLEAVE, false, "interleave:" + all},
      {CADASTRE_NUMA_NEAR_DEVICE, true, "bind:" + all}, {CADASTRE_NUMA_NEAR_DEVICE, false, "prefer:"},
      {CADASTRE_NUMA_FIRST_TOUCH, false, "local"},
  };
  for (const auto& one : cases) {
    const HostPages pages = placed(one.policy, all.c_str(), one.strict);
    assert_true(can_place(pages));
    const HostMapping mapping = map_host_pages(pages, mebibyte, page_size());
    assert_non_null(mapping.begin);
    std::memset(mapping.begin, 1, mebibyte);
    const std::string said = policy_of(mapping.begin);
    munmap(mapping.begin, mapping.length);
    if (said.empty()) skip_because("the kernel does not show policies");
    if (!said.starts_with(one.said)) print_message("the policy is %s and not %s\n", said.c_str(), one.said.c_str());
    assert_true(said.starts_with(one.said));
  }
}

// The node of each page of a block that has been written; a negative number for one that is on none.
std::vector<int> nodes_of_pages(const void* block, std::size_t size) {
  std::vector<void*> pages;
  for (std::size_t at = 0; at < size; at += page_size()) pages.push_back(static_cast<char*>(const_cast<void*>(block)) + at);
  std::vector<int> nodes(pages.size(), -1);
  assert_int_equal(syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, nodes.data(), 0), 0);
  return nodes;
}

// Those of a block of a resource that is asked for in a way.
std::vector<int> nodes_with(auto change) {
  const Use use("on nodes", change);
  void* const block = use.block(mebibyte);
  assert_non_null(block);
  std::memset(block, 1, mebibyte);
  std::vector<int> nodes = nodes_of_pages(block, mebibyte);
  use.free(block);
  use.end();
  return nodes;
}

void pages_lie_on_the_nodes_that_were_asked_for(void**) {
  const NodeSet usable = nodes_of_process();
  if (usable.count() < 2 || !usable.has(0) || !usable.has(1))
    skip_because("this machine has no two NUMA nodes; that of tools/try-machine has");
  constexpr std::size_t page = 4096;
  for (const int node : {0, 1}) {
    for (const std::size_t size : {std::size_t{0}, page, CADASTRE_TRANSPARENT_HUGE_PAGES, huge}) {
      const std::string list = std::to_string(node);
      for (const int on : nodes_with([&](auto& r) { r.numa_policy = CADASTRE_NUMA_BIND, r.nodes = list.c_str(), r.page_size = size; }))
        assert_int_equal(on, node);
    }
  }
  const std::vector<int> turns = nodes_with([](auto& r) { r.numa_policy = CADASTRE_NUMA_INTERLEAVE, r.nodes = "0-1", r.page_size = page; });
  for (std::size_t i = 1; i < turns.size(); ++i) assert_int_equal(turns[i], 1 - turns[i - 1]);
  cpu_set_t cpus, before;
  sched_getaffinity(0, sizeof before, &before);
  for (const int cpu : {0, 1}) {  // of which each is in a node of that machine
    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) continue;
    unsigned own = 0;
    assert_int_equal(syscall(SYS_getcpu, nullptr, &own, nullptr), 0);
    for (const int on : nodes_with([](auto& r) { r.numa_policy = CADASTRE_NUMA_FIRST_TOUCH; })) assert_int_equal(on, own);
  }
  sched_setaffinity(0, sizeof before, &before);
}

void pages_near_a_device_lie_on_its_node(void**) {
  if (nodes_of_process().count() < 2) skip_because("this machine has no two NUMA nodes; that of tools/try-machine has");
  int devices = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/bus/pci/devices")) {
    int node = -1;
    std::ifstream(entry.path() / "numa_node") >> node;
    if (node < 0) continue;
    ++devices;
    const std::string address = entry.path().filename();
    for (const int on : nodes_with([&](auto& r) { r.numa_policy = CADASTRE_NUMA_NEAR_DEVICE, r.near_device = address.c_str(); }))
      assert_int_equal(on, node);
  }
  if (devices == 0) skip_because("the firmware does not say which NUMA node a device is near");
}

void shared_pages_lie_on_the_nodes_of_the_first(void**) {
  if (nodes_of_process().count() < 2) skip_because("this machine has no two NUMA nodes; that of tools/try-machine has");
  const std::string name = "shared on nodes of " + std::to_string(getpid());
  const Use use(name.c_str(), [](auto& r) { r.numa_policy = CADASTRE_NUMA_INTERLEAVE, r.nodes = "0-1", r.flags = CADASTRE_HOST_SHARED; });
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
  request.size = mebibyte;
  request.backend = use.backend;
  request.label = "table";
  auto* const first = static_cast<char*>(cadastre_malloc(use.context, request));
  auto* const other = static_cast<char*>(cadastre_malloc(use.context, request));
  assert_true(first && other && first != other);
  std::memset(other, 1, mebibyte);
  const std::vector<int> turns = nodes_of_pages(other, mebibyte);
  for (std::size_t i = 1; i < turns.size(); ++i) assert_int_equal(turns[i], 1 - turns[i - 1]);
  use.free(first);
  use.free(other);
  use.end();
}

void a_node_that_the_kernel_refuses_refuses_the_block(void**) {
  if (nodes_of_process().empty() || !can_place(placed(CADASTRE_NUMA_FIRST_TOUCH, "0")))
    skip_because("the system does not place memory here");
  assert_false(can_place(placed(CADASTRE_NUMA_BIND, "1023")));
  const std::size_t mapped = mapped_bytes;
  for (const PageKind kind : {PageKind::base, PageKind::transparent, PageKind::reserved}) {
    HostPages pages = placed(CADASTRE_NUMA_BIND, "1023");
    pages.kind = kind;
    pages.page = pages.transparent_page = huge;
    const HostMapping mapping = map_host_pages(pages, mebibyte, page_size());
    assert_null(mapping.begin);
    assert_int_equal(mapping.error, EINVAL);
    assert_string_equal(mapping.trouble.characters, "placing it on NUMA nodes: Invalid argument");
    assert_int_equal(mapped_bytes, mapped);
  }
}

void a_node_that_is_not_there_is_refused_at_registration(void**) {
  const NodeSet with_memory = nodes_with_memory();
  if (with_memory.empty() || with_memory.has(1023)) skip_because("which NUMA nodes have memory is not known here");
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  resource.numa_policy = CADASTRE_NUMA_BIND;
  resource.nodes = "1023";
  assert_int_equal(cadastre_backend_register_host("far", &resource), CADASTRE_INVALID_BACKEND);
  assert_int_equal(last().exit_code, CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().reason, CADASTRE_REASON_HOST_MEMORY_UNAVAILABLE);
  const std::string said =
      "cadastre_backend_register_host: the host memory is not to be had here: nodes is \"1023\": there is no NUMA node 1023 with memory; those with memory are " +
      std::string(text_of(with_memory).characters) + "; ask for what this machine has (see cadastre_backend_register_host)";
  assert_string_equal(last().message, said.c_str());
}

void a_record_a_report_and_an_error_have_the_name(void**) {
  const Use use("tables of integrals", [](auto& r) { r.page_size = CADASTRE_TRANSPARENT_HUGE_PAGES; });
  void* const block = use.block(4 * mebibyte);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  assert_int_equal(cadastre_get_malloc_info(use.context, block, &info), CADASTRE_SUCCESS);
  assert_int_equal(info.backend, use.backend);
  assert_int_equal(info.type, CADASTRE_HOST);
  assert_int_equal(info.size, 4 * mebibyte);
  assert_string_equal(cadastre_string_of_backend(info.backend), "tables of integrals");
  char* text = nullptr;
  std::size_t length = 0;
  std::FILE* const stream = open_memstream(&text, &length);
  assert_int_equal(cadastre_report(use.context, stream, CADASTRE_REPORT_JSON), CADASTRE_SUCCESS);
  std::fclose(stream);
  assert_says(text, "tables of integrals");
  std::free(text);
  cadastre_backend_info_struct told = cadastre_backend_info_struct_zero;
  assert_int_equal(cadastre_backend_get_info(use.backend, &told), CADASTRE_SUCCESS);
  assert_string_equal(told.name, "tables of integrals");
  assert_true(told.available);
  assert_int_equal(told.memory_type_mask, 1u << CADASTRE_HOST);
  assert_says(told.description, "transparent huge pages of ");
  use.free(block);
  assert_int_equal(cadastre_free(use.context, block), CADASTRE_INVALID_ARG_2);
  use.end();
}

void limits_and_reallocation_hold_as_elsewhere(void**) {
  const Use use("grows", [](auto& r) { r.page_size = page_size(); });
  assert_int_equal(cadastre_set_limit(use.context, CADASTRE_HOST, mebibyte), CADASTRE_SUCCESS);
  assert_null(use.block(mebibyte + 1));
  assert_int_equal(last(use.context).exit_code, CADASTRE_LIMIT_EXCEEDED);
  auto* const block = static_cast<unsigned char*>(use.block(5000));
  std::memset(block, 7, 5000);
  assert_int_equal(cadastre_set_limit(use.context, CADASTRE_HOST, CADASTRE_UNLIMITED), CADASTRE_SUCCESS);
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
  request.size = 3 * mebibyte;
  auto* const moved = static_cast<unsigned char*>(cadastre_realloc(use.context, block, request.size));
  assert_non_null(moved);
  for (std::size_t i = 0; i < 5000; ++i) assert_int_equal(moved[i], 7);
  assert_true(is_zero(moved + 5000, 3 * mebibyte - 5000));
  assert_int_equal(use.info().live_blocks, 1);
  assert_int_equal(use.info().live_bytes, 3 * mebibyte);
  use.free(moved);
  use.end();
}

void a_resource_in_use_stays_registered(void**) {
  const Use use("in use", [](auto&) {});
  void* const block = use.block(1);
  assert_int_equal(cadastre_backend_unregister(use.backend), CADASTRE_FAILURE);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_IN_USE);
  cadastre_host_resource_struct again = cadastre_host_resource_struct_zero;
  assert_int_equal(cadastre_backend_register_host("in use", &again), CADASTRE_INVALID_BACKEND);
  assert_says(last().message, "a backend named \"in use\" exists already");
  use.free(block);
  use.end();
  cadastre_host_resource_info_struct info = cadastre_host_resource_info_struct_zero;
  assert_int_equal(cadastre_backend_get_host_info(use.backend, &info), CADASTRE_INVALID_ARG_1);
}

void figures_of_another_backend_are_refused(void**) {
  cadastre_host_resource_info_struct info = cadastre_host_resource_info_struct_zero;
  for (const cadastre_backend other :
       {CADASTRE_BACKEND_HOST, CADASTRE_DEFAULT_BACKEND, CADASTRE_INVALID_BACKEND, cadastre_backend{255}, cadastre_backend{1000}}) {
    assert_int_equal(cadastre_backend_get_host_info(other, &info), CADASTRE_INVALID_ARG_1);
    assert_int_equal(last().reason, CADASTRE_REASON_INVALID_BACKEND);
  }
  const Use use("with figures", [](auto&) {});
  assert_int_equal(cadastre_backend_get_host_info(use.backend, nullptr), CADASTRE_INVALID_ARG_2);
  info.struct_size = 8;
  assert_int_equal(cadastre_backend_get_host_info(use.backend, &info), CADASTRE_INVALID_ARG_2);
  assert_int_equal(last().reason, CADASTRE_REASON_INVALID_STRUCT_SIZE);
  use.end();
}

void a_caching_pool_uses_a_mapping_again(void**) {
  const cadastre_backend backend = registered("pooled", [](auto& r) { r.page_size = CADASTRE_TRANSPARENT_HUGE_PAGES; });
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  options.pool = CADASTRE_POOL_CACHING;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
  request.size = 4 * mebibyte;
  const auto live_blocks = [&] {
    cadastre_host_resource_info_struct info = cadastre_host_resource_info_struct_zero;
    assert_int_equal(cadastre_backend_get_host_info(backend, &info), CADASTRE_SUCCESS);
    return info.live_blocks;
  };
  const void* first = nullptr;
  for (int i = 0; i < 10; ++i) {
    void* const block = cadastre_malloc(context, request);
    assert_true(is_zero(block, request.size));
    if (i == 0) first = block;
    assert_ptr_equal(block, first);
    std::memset(block, 1, request.size);
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
    assert_int_equal(live_blocks(), 1);
  }
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(live_blocks(), 0);
  assert_int_equal(cadastre_backend_unregister(backend), CADASTRE_SUCCESS);
}

void threads_leave_the_figures_at_nothing(void**) {
  const Use use("of many", [](auto& r) { r.page_size = huge; });
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        void* const block = use.block(10000);
        if (block) cadastre_free(use.context, block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  use.end();
}

void a_child_frees_its_copy(void**) {
  const Use use("forked", [](auto&) {});
  auto* const block = static_cast<char*>(use.block(mebibyte));
  block[0] = 'p';
  assert_int_equal(status_of_child([&] {
                     if (block[0] != 'p') return 1;
                     block[0] = 'c';
                     if (cadastre_free(use.context, block) != CADASTRE_SUCCESS) return 2;
                     return use.info().live_blocks == 0 ? 0 : 3;
                   }),
                   0);
  assert_int_equal(block[0], 'p');
  use.free(block);
  use.end();
}

}  // namespace

int main() {
  return Conformance<SystemsChoice, OfTransparent, OfReserved, OfLocked>::run(
      "host resources", {
                            cmocka_unit_test(transparent_pages_are_huge_ones_from_the_first_byte_to_the_last),
                            cmocka_unit_test(pages_of_the_systems_size_stay_small),
                            cmocka_unit_test(a_block_that_falls_back_is_right_and_it_is_told_why),
                            cmocka_unit_test(reserved_pages_are_what_was_asked_for_while_there_are_any),
                            cmocka_unit_test(a_page_of_a_gibibyte_is_one),
                            cmocka_unit_test(a_strict_resource_refuses_what_would_fall_back),
                            cmocka_unit_test(a_zeroed_block_is_not_touched),
                            cmocka_unit_test(locked_pages_are_locked_until_they_are_freed),
                            cmocka_unit_test(first_touch_locks_pages_as_they_come),
                            cmocka_unit_test(a_limit_on_locks_is_named_with_what_would_be_right),
                            cmocka_unit_test(the_kernel_is_told_the_policy_and_the_nodes),
                            cmocka_unit_test(pages_lie_on_the_nodes_that_were_asked_for),
                            cmocka_unit_test(pages_near_a_device_lie_on_its_node),
                            cmocka_unit_test(shared_pages_lie_on_the_nodes_of_the_first),
                            cmocka_unit_test(a_node_that_the_kernel_refuses_refuses_the_block),
                            cmocka_unit_test(a_node_that_is_not_there_is_refused_at_registration),
                            cmocka_unit_test(a_record_a_report_and_an_error_have_the_name),
                            cmocka_unit_test(limits_and_reallocation_hold_as_elsewhere),
                            cmocka_unit_test(a_resource_in_use_stays_registered),
                            cmocka_unit_test(figures_of_another_backend_are_refused),
                            cmocka_unit_test(a_caching_pool_uses_a_mapping_again),
                            cmocka_unit_test(threads_leave_the_figures_at_nothing),
                            cmocka_unit_test(a_child_frees_its_copy),
                        });
}
