// Tangled from org/record.org; change the chapter, then run: make tangle
// What the registry knows of one block.
#ifndef CADASTRE_SRC_RECORD_HPP
#define CADASTRE_SRC_RECORD_HPP

#include <bit>
#include <cstddef>
#include <cstdint>

#include "cadastre.h"

namespace cadastre::internal {

inline constexpr std::size_t longest_label = 255;

struct Label {
  char text[longest_label + 1] = {};  // first, so that a look-up hands it out without a look at the label
  std::int64_t live_blocks = 0;
  std::size_t live_bytes = 0;
};

inline const char* text_of(const Label* label) noexcept { return label ? label->text : nullptr; }

inline std::uintptr_t address_of(const void* pointer) noexcept { return reinterpret_cast<std::uintptr_t>(pointer); }

// A number whose leading bits look random whatever the stride of the keys.
inline std::uint64_t spread(std::uint64_t key) noexcept {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
  key *= golden;
  key ^= key >> 32;
  return key * golden;
}

enum class State : std::uint8_t { vacant, live, hidden, freed };

struct Record {
  void* pointer = nullptr;
  std::size_t size = 0;
  std::size_t stride_or_freed = 0;  // of a freed block: the number of its deallocation
  std::uint64_t serial = 0;
  Label* label = nullptr;
  std::uint32_t number = 0;  // of this record in the array
  std::uint32_t older = 0;   // neighbours among the freed
  std::uint32_t newer = 0;
  std::int32_t device = CADASTRE_DEFAULT_DEVICE;
  std::uint8_t type = CADASTRE_HOST;
  std::uint8_t backend = CADASTRE_BACKEND_HOST;
  std::uint8_t alignment_log2 = 0;
  State state = State::vacant;
  std::uint16_t how = 0;
  std::uint16_t flags = 0;

  std::size_t alignment() const noexcept { return std::size_t{1} << alignment_log2; }
  bool borrowed() const noexcept { return (flags & CADASTRE_BORROWED) != 0; }
  std::uintptr_t address() const noexcept { return address_of(pointer); }
  // A block of 0 bytes is met by its own address only.
  bool holds(std::uintptr_t where) const noexcept {
    return where == address() || where - address() < size;
  }
};

static_assert(sizeof(Record) == 64);

inline constexpr std::size_t largest_size = PTRDIFF_MAX;

// No system puts memory on the first page; what points there was NULL before somebody added to it.
inline constexpr std::uintptr_t null_page = 4096;
inline bool is_null(const void* address) noexcept { return address_of(address) < null_page; }

// size rounded up to a multiple of a power of two; 0 when that wraps.
constexpr std::size_t round_up(std::size_t size, std::size_t power_of_two) noexcept {
  return (size + (power_of_two - 1)) & ~(power_of_two - 1);
}

constexpr bool sum_wraps(std::size_t a, std::size_t b) noexcept { return a > SIZE_MAX - b; }

constexpr std::uint8_t log2_of(std::size_t power_of_two) noexcept {
  return static_cast<std::uint8_t>(std::countr_zero(power_of_two));
}

inline cadastre_memory_info_struct info_of(const Record& record) noexcept {
  return {record.size,   record.pointer,         record.type,
          record.device, record.alignment(),     record.stride_or_freed,
          record.flags,  record.backend,         text_of(record.label)};
}

}  // namespace cadastre::internal
#endif
