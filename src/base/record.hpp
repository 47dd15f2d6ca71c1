// Tangled from org/base/record.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the registry knows of one block.
#ifndef CADASTRE_SRC_BASE_RECORD_HPP
#define CADASTRE_SRC_BASE_RECORD_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "base/label.hpp"
#include "cadastre.h"

namespace cadastre::internal {

inline std::uintptr_t address_of(const void* pointer) noexcept { return reinterpret_cast<std::uintptr_t>(pointer); }

// Inside the library a device is known by the vendor's number, which begins at 0. What a request gives and is no name of
// a device becomes a number that no device has, and that tells what was given.
inline constexpr std::int32_t no_device_id = -1;
inline constexpr std::int32_t first_named_device = CADASTRE_DEVICE_BY_ID(0);

constexpr std::int32_t device_id_of(std::int32_t device) noexcept {
  if (device >= first_named_device) return device - first_named_device;
  if (device == CADASTRE_DEFAULT_DEVICE) return no_device_id;
  return device == -1 ? INT32_MIN : device > 0 ? INT32_MIN + device : device;
}

constexpr std::int32_t device_of(std::int32_t device_id) noexcept {
  return device_id < 0 ? CADASTRE_DEFAULT_DEVICE : CADASTRE_DEVICE_BY_ID(device_id);
}

constexpr bool is_no_name(std::int32_t device_id) noexcept { return device_id < INT32_MIN + first_named_device; }

// What a request gave to name a device that does not exist.
constexpr std::int32_t given_for(std::int32_t device_id) noexcept {
  if (!is_no_name(device_id)) return device_id;
  return device_id == INT32_MIN ? -1 : device_id - INT32_MIN;
}

// 0 when the reserved room of a request is as it must be.
inline std::uint64_t reserved_bits(const cadastre_memory_info_struct& info) noexcept {
  static_assert(std::size(decltype(info.reserved){}) == 9);
  std::uint64_t words[4];  // which takes half the loads of one by one
  std::memcpy(&words[0], info.reserved, sizeof(std::uint64_t));
  std::memcpy(&words[1], info.reserved + 2, sizeof(std::uint64_t));
  std::memcpy(&words[2], info.reserved + 4, sizeof(std::uint64_t));
  std::memcpy(&words[3], info.reserved + 6, sizeof(std::uint64_t));
  return words[0] | words[1] | words[2] | words[3] | info.reserved[8];
}

enum class State : std::uint8_t { live, hidden, freed };

struct Record {
  void* pointer = nullptr;
  std::size_t size = 0;
  std::size_t stride_or_freed = 0;  // of a freed block: the number of its deallocation; 0 where it moved away
  std::uint64_t serial = 0;
  OriginNumber origin = no_origin;
  std::int32_t device = no_device_id;  // the vendor's number
  std::uint8_t type = CADASTRE_HOST;
  std::uint8_t backend = CADASTRE_BACKEND_HOST;
  std::uint8_t alignment_log2 = 0;
  State state = State::live;
  std::uint16_t how = 0;
  std::uint16_t flags = 0;

  std::size_t alignment() const noexcept { return std::size_t{1} << alignment_log2; }
  bool borrowed() const noexcept { return (flags & CADASTRE_BORROWED) != 0; }
  // Whether anybody may read and write it by plain loads and stores, and the host backend gave it.
  bool is_plain_host() const noexcept { return type == CADASTRE_HOST && backend == CADASTRE_BACKEND_HOST && !borrowed(); }
  std::uintptr_t address() const noexcept { return address_of(pointer); }
  // A block of 0 bytes is met by its own address only.
  bool holds(std::uintptr_t where) const noexcept { return where == address() || where - address() < size; }
};

static_assert(sizeof(Record) == 48);

// How a block was made that lies in a slab; all else is its backend's to say.
inline constexpr std::uint16_t how_in_slab = 0x2000;

inline constexpr std::size_t largest_size = PTRDIFF_MAX;

// No system puts memory on the first page; what points there was NULL before somebody added to it.
inline constexpr std::uintptr_t null_page = 4096;
inline bool is_null(const void* address) noexcept { return address_of(address) < null_page; }

// size rounded up to a multiple of a power of two; 0 when that wraps.
constexpr std::size_t round_up(std::size_t size, std::size_t power_of_two) noexcept {
  return (size + (power_of_two - 1)) & ~(power_of_two - 1);
}

constexpr bool sum_wraps(std::size_t a, std::size_t b) noexcept { return a > SIZE_MAX - b; }

constexpr std::uint8_t log2_of(std::size_t power_of_two) noexcept { return static_cast<std::uint8_t>(std::countr_zero(power_of_two)); }

inline cadastre_memory_info_struct info_of(const Record& record) noexcept {
  return {record.size,
          record.pointer,
          record.type,
          device_of(record.device),
          record.alignment(),
          record.stride_or_freed,
          record.flags,
          record.backend,
          text_of(record.origin),
          record.device,
          {}};
}

}  // namespace cadastre::internal
#endif
