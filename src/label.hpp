// Tangled from org/label.org; change the chapter, then run: make tangle
// Labels: texts that are stored once in a process, and the numbers that stand for them.
#ifndef CADASTRE_SRC_LABEL_HPP
#define CADASTRE_SRC_LABEL_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cadastre.h"

namespace cadastre::internal {

inline constexpr std::size_t longest_label = 255;

// A number whose leading bits look random whatever the stride of the keys.
inline std::uint64_t spread(std::uint64_t key) noexcept {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
  key *= golden;
  key ^= key >> 32;
  return key * golden;
}

// What a record says of where its block comes from. Numbers of labels begin at 1.
using OriginNumber = std::uint32_t;
inline constexpr OriginNumber no_origin = 0;

// Stores a text of at most longest_label characters, unless it is stored already; no_origin when the host has no memory.
OriginNumber origin_of(std::string_view text) noexcept;

// The number of a text that is stored already; no_origin where it is not.
OriginNumber known_origin_of(std::string_view text) noexcept;

// The number of the stored text that lies at an address, which is not dereferenced; no_origin when none lies there.
OriginNumber origin_at(const char* address) noexcept;

// The stored text; null for no_origin. number: no_origin, or what one of the functions above returned.
const char* text_of(OriginNumber number) noexcept;

}  // namespace cadastre::internal
#endif
