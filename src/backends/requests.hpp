// Tangled from org/backends/requests.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What is asked of a backend, and what it grants.
#ifndef CADASTRE_SRC_BACKENDS_REQUESTS_HPP
#define CADASTRE_SRC_BACKENDS_REQUESTS_HPP

#include <cstddef>
#include <cstdint>

#include "base/record.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {

// Whether other processes may open a block, and whether other blocks may be in the segment that they get then.
enum class Export : unsigned char { no, alone, shared };
constexpr Export export_of(cadastre_flags flags) noexcept {
  if (!(flags & CADASTRE_EXPORTABLE)) return Export::no;
  return flags & CADASTRE_SHARED_SEGMENT ? Export::shared : Export::alone;
}
// The flags that a request may have.
inline constexpr cadastre_flags flags_of_requests = CADASTRE_UNINITIALIZED | CADASTRE_EXPORTABLE | CADASTRE_SHARED_SEGMENT;
constexpr bool are_flags_of_a_request(cadastre_flags flags) noexcept {
  return (flags & ~flags_of_requests) == 0 && (flags & (CADASTRE_EXPORTABLE | CADASTRE_SHARED_SEGMENT)) != CADASTRE_SHARED_SEGMENT;
}

// By what another process opens a vendor's block.
struct VendorHandle {
  char bytes[64];
};

struct Request {
  std::size_t size;       // may be 0; the answer is then an address of its own all the same
  std::size_t alignment;  // 0: whatever is natural to the backend
  cadastre_memory_type type;
  std::int32_t device;  // one that the backend has; no_device_id for memory that belongs to none
  bool zero;
  bool ordered = false;  // stream-ordered: in the order of queue, where the backend can
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
  bool from_malloc = false;  // HOST memory that a free of the C library's own is to be good for
  Export exported = Export::no;
  const char* label = nullptr;  // valid for the time of the call
};

// Words for the field how of a grant, a record's place for what the backend needs to remember. A backend
// uses the low 15 bits as it likes.
inline constexpr std::uint16_t how_ordered = 0x8000;  // free it with free_ordered, or wait and free

struct Grant {
  void* pointer;
  std::size_t alignment;       // what holds, a power of two; at least what was asked for
  std::uint16_t how;           // the backend's own remark, handed back in the record at free
  std::uint64_t identity = 0;  // of the queue in whose order it is, where that was asked for
  std::uint16_t flags = 0;     // that the record has beside those of the request
};

// Writes into a record where its block is and how it came to be.
inline void note(const Grant& grant, Record& record) noexcept {
  record.pointer = grant.pointer;
  record.alignment_log2 = log2_of(grant.alignment);
  record.how = grant.how;
  record.flags = static_cast<std::uint16_t>(record.flags & ~CADASTRE_STREAM_ORDERED);
  if (grant.how & how_ordered) record.flags |= CADASTRE_STREAM_ORDERED;
  record.flags |= grant.flags;
}

struct Presence {
  bool usable;
  std::int32_t devices;
  const char* problem;       // a sentence; empty when usable
  bool accelerates = false;  // its devices are other than the host itself
  const char* meaning = "";  // where its memory comes from, if that is not what the vocabulary says
};

// Where one end of a copy is, or of a set.
struct Place {
  cadastre_memory_type type = CADASTRE_HOST;
  std::int32_t device = no_device_id;
  cadastre_backend backend = CADASTRE_BACKEND_HOST;  // HOST memory of any origin is the host's
};

// rows runs of bytes each, which begin a stride apart; they do not overlap, and none is empty.
struct Copy {
  std::byte* to;
  const std::byte* from;
  std::size_t bytes;
  Place to_place, from_place;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
  bool wait = true;
  std::size_t rows = 1, to_stride = 0, from_stride = 0;
};

struct Fill {
  std::byte* to;
  int value;  // of each byte, 0 to 255
  std::size_t bytes;
  Place place;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
  bool wait = true;
};

// A hint about a range of UVM memory; advice is not used by a prefetch.
struct Hint {
  const std::byte* begin;
  std::size_t bytes;
  Place place;
  std::int32_t device;  // CADASTRE_HOST_DEVICE for the host
  cadastre_advice advice;
  cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
};

struct DeviceMemory {
  std::size_t total;  // bytes; 0 where nobody knows
  std::size_t free;
};

struct DeviceDescription : DeviceMemory {
  char name[128];        // "" where nobody knows
  char uuid[64];         // the vendor's identifier, the same in all processes of the node; "" where nobody knows
  bool integrated;       // uses the memory of the host
  bool host_access;      // whether the host may use its DEVICE memory by the address
  bool pageable_access;  // whether kernels may use memory of the host that the vendor was never told of
  std::size_t freed;     // bytes that are not free yet, since queues may be at work on them, though they were freed in their order
};

}  // namespace cadastre::internal
#endif
