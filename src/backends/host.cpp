// Tangled from org/backend_host.org; change the chapter, then run: make tangle
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "backend.hpp"

namespace cadastre::internal {
namespace {

constexpr std::size_t mapped_from = std::size_t{4} << 20;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t heap_alignment = alignof(std::max_align_t);

enum How : std::uint16_t { on_heap, mapped };

std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

cadastre_exit_code refused(const Request& request, int error) noexcept {
  return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
               .type = request.type, .backend = CADASTRE_BACKEND_HOST, .asked = request.size,
               .vendor_code = error, .vendor = strerrordesc_np(error)});
}

cadastre_exit_code take_from_heap(const Request& request, Grant& grant) noexcept {
  const std::size_t bytes = std::max<std::size_t>(request.size, 1);
  void* pointer;
  if (request.alignment <= heap_alignment) {
    pointer = request.zero ? std::calloc(1, bytes) : std::malloc(bytes);
  } else if (posix_memalign(&pointer, request.alignment, bytes) != 0) {
    pointer = nullptr;
  } else if (request.zero) {
    std::memset(pointer, 0, bytes);
  }
  if (!pointer) return refused(request, ENOMEM);
  grant = {pointer, std::max(request.alignment, heap_alignment), on_heap};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code map(const Request& request, Grant& grant) noexcept {
  const std::size_t page = page_size();
  const std::size_t length = round_up(request.size, page);
  const std::size_t alignment = std::max({request.alignment, page, huge_page});
  const std::size_t spare = alignment - page;
  void* const start = mmap(nullptr, length + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return refused(request, errno);
  auto* const first = static_cast<std::byte*>(start);
  const std::size_t before = round_up(reinterpret_cast<std::uintptr_t>(first), alignment) -
                             reinterpret_cast<std::uintptr_t>(first);
  const std::size_t behind = spare - before;
  if (before > 0 && munmap(first, before) != 0) {
    const int error = errno;
    munmap(first, length + spare);
    return refused(request, error);
  }
  if (behind > 0 && munmap(first + before + length, behind) != 0) {
    const int error = errno;
    munmap(first + before, length + behind);
    return refused(request, error);
  }
  madvise(first + before, length, MADV_HUGEPAGE);  // a kernel without huge pages refuses, and no harm is done
  grant = {first + before, std::max(request.alignment, page), mapped};
  return CADASTRE_SUCCESS;
}

cadastre_exit_code unmap(const Record& record) noexcept {
  if (munmap(record.pointer, round_up(record.size, page_size())) == 0) return CADASTRE_SUCCESS;
  const int error = errno;
  return fail({.exit_code = CADASTRE_DEALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_FREE_FAILED,
               .type = record.type, .backend = CADASTRE_BACKEND_HOST, .base = record.pointer,
               .size = record.size, .vendor_code = error, .vendor = strerrordesc_np(error),
               .label = record.label ? record.label->text.c_str() : nullptr});
}

class Host final : public Backend {
 public:
  cadastre_backend number() const noexcept override { return CADASTRE_BACKEND_HOST; }
  Presence presence() const noexcept override { return {true, 0, ""}; }
  bool serves(cadastre_memory_type type) const noexcept override { return type == CADASTRE_HOST; }
  std::size_t largest_alignment(cadastre_memory_type) const noexcept override {
    return std::size_t{1} << 30;
  }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    return request.size >= mapped_from ? map(request, grant) : take_from_heap(request, grant);
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    if (record.how == mapped) return unmap(record);
    std::free(record.pointer);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code copy(void* to, const void* from, std::size_t bytes) noexcept override {
    std::memcpy(to, from, bytes);
    return CADASTRE_SUCCESS;
  }
  cadastre_exit_code set(void* to, int value, std::size_t bytes) noexcept override {
    std::memset(to, value, bytes);
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) noexcept override {
    const bool zero = !(record.flags & CADASTRE_UNINITIALIZED);
    const Request request{size, record.alignment(), record.type, record.device, zero};
    if (record.how == mapped && size >= mapped_from && record.alignment() <= page_size()) {
      const std::size_t held = round_up(record.size, page_size());
      void* const moved = mremap(record.pointer, held, round_up(size, page_size()), MREMAP_MAYMOVE);
      if (moved == MAP_FAILED) return Backend::resize(record, size, grant);
      clear_tail(moved, record.size, std::min(size, held), zero);
      grant = {moved, page_size(), mapped};
      return CADASTRE_SUCCESS;
    }
    if (record.how == on_heap && size < mapped_from && record.alignment() <= heap_alignment) {
      void* const moved = std::realloc(record.pointer, std::max<std::size_t>(size, 1));
      if (!moved) return refused(request, ENOMEM);
      clear_tail(moved, record.size, size, zero);
      grant = {moved, heap_alignment, on_heap};
      return CADASTRE_SUCCESS;
    }
    return Backend::resize(record, size, grant);
  }

  static void clear_tail(void* block, std::size_t from, std::size_t to, bool zero) noexcept {
    if (zero && to > from) std::memset(static_cast<std::byte*>(block) + from, 0, to - from);
  }
};

constinit Host host;

}  // namespace

Backend& host_backend() noexcept { return host; }

}  // namespace cadastre::internal
