// Tangled from org/backends/host.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

#include "backends/backend.hpp"
#include "backends/host_heap.hpp"
#include "backends/host_locking.hpp"
#include "base/environment.hpp"
#include "base/fail.hpp"
#include "base/lock.hpp"
#include "base/owned.hpp"
#include "base/process.hpp"
#include "core/kept_runs.hpp"

namespace cadastre::internal {
namespace {

// large: the tag of its mapping stands behind these two bits.
enum How : std::uint16_t { on_heap, mapped, locked, large };
constexpr unsigned how_bits = 2;
static_assert((std::uint16_t{LargeMapping::tags} << how_bits) <= how_in_slab);

How kind_of(std::uint16_t how) noexcept { return static_cast<How>(how & large); }

// The bytes that a line of such a file tells; label is the line's beginning and the line break before it.
std::size_t told_in(const char* file, const char* label) noexcept {
  char buffer[4096];
  const int descriptor = system_fails(EMFILE) ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const ssize_t length = read(descriptor, buffer, sizeof buffer - 1);
  close(descriptor);
  buffer[std::max<ssize_t>(length, 0)] = '\0';
  const char* const line = std::strstr(buffer, label);
  return line ? std::strtoull(line + std::strlen(label), nullptr, 10) << 10 : 0;
}

std::size_t available_memory() noexcept { return told_in("/proc/meminfo", "\nMemAvailable:"); }

std::size_t locked_memory() noexcept { return told_in("/proc/self/status", "\nVmLck:"); }

cadastre_exit_code refused(const Request& request, int error, const Text& why) noexcept {
  return fail(not_allocated(request, CADASTRE_BACKEND_HOST, error, why));
}

cadastre_exit_code refused(const Request& request, int error) noexcept { return refused(request, error, text_of_errno(error)); }

}  // namespace

void* clear_by_pages(void* block, std::size_t bytes) noexcept {
  auto* const first = static_cast<std::byte*>(block);
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::size_t before = round_up(address, page_size()) - address, pages = (bytes - before) / page_size() * page_size();
  volatile std::byte* const witness = first + before;
  *witness = std::byte{1};
  const bool given = !has_memory_checker() && !system_fails(EINVAL) && madvise(first + before, pages, MADV_DONTNEED) == 0;
  if (!given || *witness != std::byte{0}) return std::memset(block, 0, bytes);
  std::memset(first, 0, before);
  std::memset(first + before + pages, 0, bytes - before - pages);
  return block;
}

namespace {

// What begins just behind an emulated device's memory is to be nobody's: there it is taken for a slip of the caller's.
std::size_t heap_bytes(std::size_t size, cadastre_memory_type type) noexcept {
  return std::max(type == CADASTRE_DEVICE ? size + 1 : size, heap_alignment);
}

// Calls of malloc, realloc and free alone count as inside; what takes pages asks the system, which no lock is held across.
void* take_from_malloc(std::size_t bytes, std::size_t alignment, bool zero) noexcept {
  const InsideLibrary here;
  return take_aligned_from_heap(bytes, alignment, zero);
}

void* resize_by_realloc(void* pointer, std::size_t bytes) noexcept {
  const InsideLibrary here;
  return as_it_came(heap_realloc.load(std::memory_order_relaxed)(pointer, bytes));
}

void give_to_malloc(void* pointer) noexcept {
  const InsideLibrary here;
  give_to_heap(pointer);
}

cadastre_exit_code allocate_on_heap(const Request& request, Grant& grant) noexcept {
  const std::size_t bytes = heap_bytes(request.size, request.type);
  const std::size_t alignment = std::max(request.alignment, heap_alignment);
  const bool in_pages = request.type == CADASTRE_HOST && !request.from_malloc;
  void* pointer = in_pages ? take_in_pages(bytes, alignment, request.zero) : nullptr;
  if (!pointer) pointer = take_from_malloc(bytes, alignment, request.zero);
  if (!pointer) return refused(request, ENOMEM);
  if (!is_aligned(pointer, alignment)) {
    const cadastre_exit_code code = misaligned(request, CADASTRE_BACKEND_HOST, alignment, pointer);
    give_to_malloc(pointer);
    return code;
  }
  grant = {pointer, alignment, on_heap};
  return CADASTRE_SUCCESS;
}

constexpr std::size_t streamed_from = std::size_t{32} << 20;

#ifdef __SSE2__
// As memset, past the caches.
void stream(std::byte* to, int value, std::size_t bytes) noexcept {
  constexpr std::size_t line = 64;
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  const std::size_t before = std::min(round_up(address, line) - address, bytes);
  std::memset(to, value, before);
  const std::size_t behind = (bytes - before) % line;
  const __m128i part = _mm_set1_epi8(static_cast<char>(value));
  std::byte* const end = to + (bytes - behind);
  for (std::byte* at = to + before; at != end; at += sizeof part) {
    _mm_stream_si128(static_cast<__m128i*>(static_cast<void*>(at)), part);
  }
  _mm_sfence();  // what another thread is told of afterwards is there
  std::memset(end, value, behind);
}
#else
void stream(std::byte* to, int value, std::size_t bytes) noexcept { std::memset(to, value, bytes); }
#endif

void fill_bytes(std::byte* to, int value, std::size_t bytes) noexcept {
  if (bytes >= streamed_from) return stream(to, value, bytes);
  std::memset(to, value, bytes);
}

std::size_t length_of(std::size_t size) noexcept { return round_up(std::max<std::size_t>(size, 1), page_size()); }

cadastre_exit_code map(const Request& request, Grant& grant) noexcept {
  const std::size_t page = page_size(), length = length_of(request.size);
  const bool huge = request.size >= mapped_from;
  void* const pages = map_pages(length, std::max({request.alignment, page, huge ? granule_bytes : page}));
  if (!pages) return refused(request, errno);
  if (huge) ask_for_huge_pages(pages, length);
  grant = {pages, std::max(request.alignment, page), mapped};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code map_or_use_again(const Request& request, Grant& grant) noexcept {
  const LargeMapping mapping = map_large(length_of(request.size), request.alignment);
  if (!mapping.begin) return refused(request, errno);
  if (request.zero) fill_bytes(static_cast<std::byte*>(mapping.begin), 0, std::min(mapping.dirty, request.size));
  grant = {mapping.begin, std::max(request.alignment, page_size()), static_cast<std::uint16_t>(large | mapping.tag << how_bits)};
  return CADASTRE_SUCCESS;
}

std::uint16_t tag_of(const Record& record) noexcept { return static_cast<std::uint16_t>(record.how >> how_bits); }

bool take_from_process(const Record& record) noexcept {
  const std::size_t length = length_of(record.size);
  if (kind_of(record.how) == large) return unmap_large(record.pointer, length, tag_of(record));
  return !system_fails(ENOMEM) && munmap(record.pointer, length) == 0;
}

cadastre_exit_code unmap(const Record& record) noexcept {
  if (take_from_process(record)) return CADASTRE_SUCCESS;
  const int error = errno;
  return fail(not_freed(record, CADASTRE_BACKEND_HOST, error, text_of_errno(error)));
}

}  // namespace

Text why_not_locked_at_once(std::size_t length) noexcept {
  const std::size_t available = length >= mapped_from ? available_memory() : length;
  if (available == 0 || length <= available) return {};
  return text("locking %zu bytes: only %zu are available", length, available);
}

Text why_not_locked(std::size_t length, int error) noexcept {
  rlimit limit;
  const std::size_t in_use = locked_memory();
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || in_use + length <= limit.rlim_cur) {
    return text_of_errno(error);
  }
  return text("locking %zu bytes: RLIMIT_MEMLOCK is %zu bytes, %zu in use; ulimit -l %zu or more would allow it", length,
              static_cast<std::size_t>(limit.rlim_cur), in_use, (in_use + length + 1023) >> 10);
}

namespace {

cadastre_exit_code allocate_locked(const Request& request, Grant& grant) noexcept {
  const std::size_t length = length_of(request.size);
  if (const Text why = why_not_locked_at_once(length); *why.characters) return refused(request, ENOMEM, why);
  Grant mapping;
  const cadastre_exit_code code = map(request, mapping);
  if (code != CADASTRE_SUCCESS) return code;
  if (system_fails(EAGAIN) || mlock(mapping.pointer, length) != 0) {
    drop_pages(mapping.pointer, length);
    const int error = errno;
    return refused(request, error, why_not_locked(length, error));
  }
  grant = {mapping.pointer, mapping.alignment, locked};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code allocate_pageable(const Request& request, Grant& grant) noexcept {
  return request.size >= mapped_from && !request.from_malloc ? map_or_use_again(request, grant) : allocate_on_heap(request, grant);
}

struct TypeRow {
  cadastre_memory_type type;
  bool emulated;
  cadastre_exit_code (*allocate)(const Request& request, Grant& grant) noexcept;
};

constexpr TypeRow type_rows[] = {
    {CADASTRE_HOST, false, allocate_pageable},
    {CADASTRE_PINNED, false, allocate_locked},
    {CADASTRE_DEVICE, true, allocate_pageable},
    {CADASTRE_UVM, true, allocate_pageable},
};

const TypeRow* row_of(cadastre_memory_type type) noexcept {
  for (const TypeRow& row : type_rows) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

// No context is created before the environment was read, so that this is the same for every context.
std::int32_t emulated_devices() noexcept try { return environment().emulated_devices; } catch (const std::bad_alloc&) {
  return 0;
}

// A program may have put another in the place of the C library's, by linking or preloading; and the system may take its time.
constexpr const char* allocator = "the host's allocator";

class Host final : public Backend {
 public:
  cadastre_backend number() const noexcept override { return CADASTRE_BACKEND_HOST; }
  Presence presence() const noexcept override { return {true, emulated_devices(), ""}; }
  bool serves(cadastre_memory_type type) const noexcept override {
    const TypeRow* const row = row_of(type);
    return row && (!row->emulated || emulated_devices() > 0);
  }
  Text problem(cadastre_memory_type) const noexcept override {
    Text others;
    for (const BackendRow& row : backend_rows()) {
      if (row.number != number()) others = text("%s%s%s", others.characters, *others.characters ? ", " : "", row.name);
    }
    return text("other backends (%s) do where they are available (see cadastre info); with CADASTRE_EMULATED_DEVICES=1 the host backend "
                "emulates a device",
                others.characters);
  }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return std::size_t{1} << 30; }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    assert_no_lock_held(allocator);
    return row_of(request.type)->allocate(request, grant);
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    assert_no_lock_held(allocator);
    if (kind_of(record.how) != on_heap) return unmap(record);
    if (is_in_pages(record.pointer, record.size)) give_page_block(record.pointer, record.size);
    else give_to_malloc(record.pointer);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code copy(const Copy& copy) noexcept override {
    std::memcpy(copy.to, copy.from, copy.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(const Fill& fill) noexcept override {
    fill_bytes(fill.to, fill.value, fill.bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept override {
    std::snprintf(description.name, sizeof description.name, "emulated device %d", device);
    std::snprintf(description.uuid, sizeof description.uuid, "EMULATED-%d", device);
    description.integrated = description.host_access = description.pageable_access = true;
    return memory_of(device, description);
  }
  cadastre_exit_code memory_of(std::int32_t, DeviceMemory& memory) noexcept override {
    memory = {static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page_size(), available_memory()};
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) noexcept override {
    assert_no_lock_held(allocator);
    const bool zero = !(record.flags & CADASTRE_UNINITIALIZED);
    const Request request{size, record.alignment(), record.type, record.device, zero};
    if (kind_of(record.how) == large && size >= mapped_from && record.alignment() <= page_size()) {
      const std::size_t length = length_of(record.size);
      void* const moved = remap_large(record.pointer, length, tag_of(record), length_of(size));
      if (!moved) return Backend::resize(record, size, grant);
      clear_tail(moved, record.size, std::min(size, mapped_length(length, tag_of(record))), zero);
      grant = {moved, page_size(), large};
      return CADASTRE_SUCCESS;
    }
    if (kind_of(record.how) == on_heap && is_in_pages(record.pointer, record.size)) {
      const bool may_stay = size > largest_in_slab && size < mapped_from;
      if (!may_stay || !resize_page_block(record.pointer, record.size, size, zero)) return Backend::resize(record, size, grant);
      grant = {record.pointer, record.alignment(), on_heap};
      return CADASTRE_SUCCESS;
    }
    if (kind_of(record.how) == on_heap && size < mapped_from && record.alignment() <= heap_alignment) {
      void* const moved = resize_by_realloc(record.pointer, heap_bytes(size, record.type));
      if (!moved) return refused(request, ENOMEM);
      clear_tail(moved, record.size, size, zero);
      grant = {moved, heap_alignment, on_heap};
      if (!is_aligned(moved, heap_alignment)) move_to_pages(request, grant);
      return CADASTRE_SUCCESS;
    }
    return Backend::resize(record, size, grant);
  }

  // From where realloc has put the block, and cannot put it back. Without memory for pages it stays, and the grant says how it lies.
  static void move_to_pages(const Request& request, Grant& grant) noexcept {
    void* const misplaced = grant.pointer;
    if (map(request, grant) != CADASTRE_SUCCESS) {
      grant.alignment = reinterpret_cast<std::uintptr_t>(misplaced) & -reinterpret_cast<std::uintptr_t>(misplaced);
      return;
    }
    std::memcpy(grant.pointer, misplaced, request.size);
    give_to_malloc(misplaced);
  }

  static void clear_tail(void* block, std::size_t from, std::size_t to, bool zero) noexcept {
    if (zero && to > from) std::memset(static_cast<std::byte*>(block) + from, 0, to - from);
  }
};

constinit Host host;

}  // namespace

Backend& host_backend() noexcept { return host; }

}  // namespace cadastre::internal
