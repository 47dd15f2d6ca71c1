// Tangled from org/backends/backend.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Where memory comes from: the contract, and the list of backends in this build.
#ifndef CADASTRE_SRC_BACKENDS_BACKEND_HPP
#define CADASTRE_SRC_BACKENDS_BACKEND_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "backends/backend_copies.hpp"
#include "backends/requests.hpp"
#include "base/error.hpp"
#include "base/record.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {

class Backend : public BackendCopies {
 public:
  virtual cadastre_backend number() const noexcept = 0;
  // This, serves and problem may open the vendor's runtime when they are asked first; later they answer from memory.
  virtual Presence presence() const noexcept = 0;
  // false: not worth asking presence(), which may have to open a vendor's runtime, when a default is chosen.
  virtual bool may_accelerate() const noexcept { return true; }
  // Whether an address of DEVICE memory can never be one of the host's.
  virtual bool addresses_are_apart() const noexcept { return false; }
  // Whether memory that was freed at an address has not gone back yet, so that it can be nobody else's.
  virtual bool holds_back(const void*) noexcept { return false; }
  virtual bool serves(cadastre_memory_type type) const noexcept = 0;
  // Why a type is not served, and what would be; empty for a type that nobody would expect.
  virtual Text problem(cadastre_memory_type) const noexcept { return {}; }
  virtual std::size_t largest_alignment(cadastre_memory_type type) const noexcept = 0;

  virtual cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept = 0;
  // CADASTRE_CAPTURE_ACTIVE, from it and from all that waits: a queue is being captured, and nothing was changed.
  virtual cadastre_exit_code free(const Record& record) noexcept = 0;

  // From here on, what has a default.
  // Whether memory of a type on a device is the host's, so that what the host keeps may stand in its way. May ask the vendor.
  virtual bool takes_from_host(cadastre_memory_type type, std::int32_t device) noexcept;
  // Gives up what the vendor's own pools keep of blocks that were freed, as far as no queue is at work on it; whether there was any. in_flight: set
  // where queues are at work on more. Waits for no queue, and opens no runtime.
  virtual bool give_up_own_pools(bool& in_flight) noexcept;
  // Whether other processes can open memory of a type.
  virtual bool exports(cadastre_memory_type) const noexcept { return false; }
  // How another process opens a block that was asked for so, and where in what it opens the block begins.
  virtual cadastre_exit_code export_block(const Record& record, VendorHandle& handle, std::size_t& offset) noexcept;
  // Opens for a device what another process has exported, and ends that. Waits for nothing.
  virtual cadastre_exit_code import_block(std::int32_t device, const VendorHandle& handle, void*& base) noexcept;
  virtual cadastre_exit_code close_import(std::int32_t device, void* base) noexcept;
  // The alignment that memory of a type has when none is asked for; a power of two.
  virtual std::size_t natural_alignment(cadastre_memory_type type) const noexcept;
  virtual cadastre_exit_code free_ordered(const Record& record, cadastre_queue queue) noexcept;
  // Gives a block a new size: keeps its contents, zeroes what is new unless the record says
  // CADASTRE_UNINITIALIZED. The record describes the old block, which is gone when this succeeds and
  // untouched when it fails. By default: allocate, copy, free.
  virtual cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) noexcept;
  // Waits for all queues of a device.
  cadastre_exit_code settle_device(std::int32_t device) noexcept;
  virtual cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept;
  // The memory alone, which is asked for often.
  virtual cadastre_exit_code memory_of(std::int32_t device, DeviceMemory& memory) noexcept;
  // Whether the vendor says that an address, which no registry of ours has asked for, is memory of his.
  virtual bool claims(const void* address, Place& place) noexcept;
  // The device that the calling thread works on; for new contexts.
  virtual std::int32_t current_device() noexcept;
  // The instance that a new context works with, and the end of its work with it.
  virtual cadastre_exit_code attach(Backend*& instance) noexcept {
    instance = this;
    return CADASTRE_SUCCESS;
  }
  virtual cadastre_exit_code detach() noexcept { return CADASTRE_SUCCESS; }
  // What a host memory resource has of what was asked for; false of any other backend.
  virtual bool resource_info(cadastre_host_resource_info_struct&) const noexcept { return false; }
  // A block that was granted will not be freed: its memory has become another's. Called while a lock of ours is
  // held, so that no vendor may be called.
  virtual void lose(const Record&) noexcept {}

  bool has_device(std::int32_t device) const noexcept { return device >= 0 && device < presence().devices; }

 protected:
  ~Backend() = default;
};

// The rest of a resize, when the block is to move to what was allocated for that: copies it there, and frees it. When that
// fails, what was allocated is freed, and the block is untouched. free: gets a record, and gives back the memory.
template <class Free>
cadastre_exit_code move_block(Backend& backend, const Record& record, std::size_t size, const Grant& moved, Grant& grant,
                              Free free) noexcept {
  const std::size_t kept = std::min(size, record.size);
  const Place place{record.type, record.device, record.backend};
  cadastre_exit_code code = backend.settle(record);
  if (code == CADASTRE_SUCCESS && kept > 0) {
    code = backend.copy({.to = static_cast<std::byte*>(moved.pointer),
                         .from = static_cast<const std::byte*>(record.pointer),
                         .bytes = kept,
                         .to_place = place,
                         .from_place = place});
  }
  if (code == CADASTRE_SUCCESS) code = free(record);
  if (code == CADASTRE_SUCCESS) {
    grant = moved;
    return code;
  }
  Record unwanted = record;
  unwanted.size = size;
  note(moved, unwanted);
  const Failure first = failed_last();
  free(unwanted);
  return fail(first);
}

// Refuses a request that is malformed, or that this backend cannot serve.
cadastre_exit_code admit(const Backend& backend, const Request& request) noexcept;

// Refuses a device that a backend does not have, and says how many it has. pointer: the memory in question, if any.
cadastre_exit_code no_device(const Backend& backend, cadastre_exit_code argument, cadastre_memory_type type, std::int32_t device,
                             const void* pointer = nullptr) noexcept;

// Refuses to share memory of a type with other processes.
cadastre_exit_code refuse_export(const Backend& backend, cadastre_memory_type type) noexcept;

// What is remembered of memory that a backend does not have, and of a block that it does not take back, with what the system or the vendor says.
Failure not_allocated(const Request& request, cadastre_backend backend, std::int64_t code, const Text& why) noexcept;
Failure not_freed(const Record& record, cadastre_backend backend, std::int64_t code, const Text& why) noexcept;

// Refuses memory that a vendor gave at another address than a multiple of what was asked for, and that was given back to him.
cadastre_exit_code misaligned(const Request& request, cadastre_backend backend, std::size_t alignment, const void* given) noexcept;

// A backend of this build, or one that the program registered; null when there is none of that number.
Backend* find_backend(cadastre_backend number) noexcept;
// That of the host, which every build has.
Backend& host_backend() noexcept;

// Whether a backend can be used here, and why not; also for one that is not part of the build.
Presence presence_of(cadastre_backend number) noexcept;

// The backend asked for; for CADASTRE_DEFAULT_BACKEND, the first one that accelerates, else the host's. Fails
// when the one asked for is absent, or is none: then as the argument named, if it is one.
cadastre_exit_code choose_backend(cadastre_backend asked, cadastre_exit_code argument, Backend*& chosen) noexcept;

// Enters a backend that the program supplies into the list, and takes it out again. Answers its number, or
// CADASTRE_INVALID_BACKEND when all numbers are given away; a number is never given twice.
cadastre_backend enter_backend(Backend& backend, const char* name) noexcept;
void strike_backend(cadastre_backend number) noexcept;

// Tells the backend of a block that the block is lost.
void lose(const Record& block) noexcept;

// Lets every backend of this build give up what its vendor's own pools keep, as give_up_own_pools does.
bool give_up_pools_of_vendors(bool& in_flight) noexcept;

// To be called by each backend after it has opened its vendor's runtime.
void watch_for_the_end(cadastre_backend backend) noexcept;

// One bit for each backend of the vocabulary whose vendor was left by a fork, and one for all of them, since the process is ending.
extern std::atomic<std::uint32_t> vendors_gone;
inline constexpr std::uint32_t all_vendors = 1u << 31;
inline bool is_ending() noexcept { return (vendors_gone.load(std::memory_order_relaxed) & all_vendors) != 0; }

// Of which bits one is set when a vendor is gone; for who asks at each call.
constexpr std::uint32_t bits_of_vendor(cadastre_backend backend) noexcept { return all_vendors | 1u << backend; }
inline bool is_vendor_gone(std::uint32_t bits) noexcept { return (vendors_gone.load(std::memory_order_relaxed) & bits) != 0; }

enum class Vendor { there, ending, left_by_fork };
inline Vendor vendor(cadastre_backend backend) noexcept {
  if (!is_vendor_gone(bits_of_vendor(backend))) [[likely]]
    return Vendor::there;
  return is_ending() ? Vendor::ending : Vendor::left_by_fork;
}

}  // namespace cadastre::internal
#endif
