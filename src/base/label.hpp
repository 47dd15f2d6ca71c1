// Tangled from org/base/label.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Labels: texts that are stored once in a process, and the numbers that stand for them.
#ifndef CADASTRE_SRC_BASE_LABEL_HPP
#define CADASTRE_SRC_BASE_LABEL_HPP

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cadastre.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CADASTRE_READS_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CADASTRE_READS_ARE_WATCHED 1
#endif
#endif
#if defined(__x86_64__) && !defined(CADASTRE_READS_ARE_WATCHED)
#define CADASTRE_READS_PIECES 1
#include <emmintrin.h>
#endif

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

// The number of a label by its address or its contents; no_origin where it is not stored, or is too long.
OriginNumber number_of_label(const char* text) noexcept;

// Where a number is in an array that doubles by segments, which never move. first: the size of the first, a power of two.
struct SegmentPlace {
  unsigned segment;
  OriginNumber index, size;
};
constexpr SegmentPlace place_in_segments(OriginNumber number, OriginNumber first) noexcept {
  const auto segment = static_cast<unsigned>(std::bit_width(number / first));
  const OriginNumber size = segment == 0 ? first : first << (segment - 1);
  return {segment, segment == 0 ? number : number - size, size};
}

// Of the table of those that are found at once. Where there is none, the text is one that no caller can name, and the number no_origin.
struct TextEntry {
  const char* text;
  OriginNumber number;

  [[gnu::always_inline]] OriginNumber number_if(bool it_is) const noexcept {
    if (!it_is) return no_origin;
    if (number == no_origin) __builtin_unreachable();
    return number;
  }
};

struct alignas(4096) StoredTexts {
  static constexpr std::size_t bytes = std::size_t{4} << 20, step = 16, piece = 16, longest = 3 * piece;
  static constexpr unsigned entries_log2 = 14, probes = 4;
  static constexpr OriginNumber last_number = (1u << 19) - 1;  // of those that are found at once

  char texts[bytes + longest];                                            // so many may be read from where one begins
  unsigned char masks[(longest + 1) * piece];                             // rows of a piece, with ones in the first (row - piece) bytes
  std::atomic<OriginNumber> numbers[bytes / step];                        // of the text that begins there
  std::atomic<std::uint64_t> entries[(1u << entries_log2) + probes - 1];  // number << 32 | place
  std::atomic<std::int32_t> limit;                                        // 1 + last_begin

  // Where in a page a text may begin of which pieces are read; negative for nowhere.
  static constexpr std::int32_t last_begin = 4096 - longest - 1;

  // Where in entries to begin to look for the words of a padded text. Those of more than a piece are folded into two.
  static constexpr std::size_t home_of(std::uint64_t low, std::uint64_t high) noexcept {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
    return (low + 4 * high) * golden >> (64 - entries_log2);
  }
  OriginNumber at(const char* address) const noexcept {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(texts);
    const std::uintptr_t steps = std::rotr(offset, std::countr_zero(step));  // huge where it is no multiple
    return steps < bytes / step ? element(numbers, steps).load(std::memory_order_acquire) : no_origin;
  }
  TextEntry entry(std::size_t place) const noexcept {
    const std::uint64_t known = element(entries, place).load(std::memory_order_acquire);
    return {texts + static_cast<std::uint32_t>(known), static_cast<OriginNumber>(known >> 32)};
  }
  // The row for so many bytes, of 48 at most.
  const unsigned char* mask(unsigned bytes) const noexcept { return masks + std::size_t{bytes} * piece; }
  // Saves the addition that compilers make of an index and the place of an array in the object.
  template <class Element, std::size_t size>
  static const Element& element(const Element (&array)[size], std::size_t index) noexcept {
    return *reinterpret_cast<const Element*>(reinterpret_cast<const char*>(array) + index * sizeof(Element));
  }
};
[[gnu::visibility("hidden")]] extern StoredTexts stored_texts;

#ifdef CADASTRE_READS_PIECES
[[gnu::always_inline]] inline __m128i read_piece(const char* from) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
[[gnu::always_inline]] inline __m128i stored_piece(const void* from) noexcept { return _mm_load_si128(static_cast<const __m128i*>(from)); }
// A bit for each character that is the end of a text.
[[gnu::always_inline]] inline unsigned end_in(__m128i piece) noexcept {
  __m128i zero;
  asm("pxor %0, %0" : "=x"(zero) : "x"(piece));  // one for each piece, which the comparison may overwrite
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(zero, piece)));
}
[[gnu::always_inline]] inline std::size_t home_of(__m128i piece) noexcept {
  const __m128i high = _mm_shuffle_epi32(piece, _MM_SHUFFLE(3, 2, 3, 2));
  return StoredTexts::home_of(static_cast<std::uint64_t>(_mm_cvtsi128_si64(piece)), static_cast<std::uint64_t>(_mm_cvtsi128_si64(high)));
}

// The number of an entry, so many places behind its home, if it has the text, of 16 to 48 characters.
[[gnu::always_inline]] inline OriginNumber long_number_at(const StoredTexts& stored, const char* text, std::size_t probe) noexcept {
  const __m128i first = read_piece(text);
  __m128i second = read_piece(text + StoredTexts::piece), third = read_piece(text + 2 * StoredTexts::piece);
  const unsigned end = end_in(second) | end_in(third) << StoredTexts::piece;
  unsigned length = 2 * StoredTexts::piece;  // beyond the first piece
  if (end != 0) [[likely]] {
    length = static_cast<unsigned>(std::countr_zero(end));
  } else if (text[StoredTexts::longest] != '\0') {
    return no_origin;
  }
  const unsigned char* const mask = stored.mask(length);
  second = _mm_and_si128(second, stored_piece(mask + StoredTexts::piece * StoredTexts::piece));
  third = _mm_and_si128(third, stored_piece(mask));
  const __m128i folded =
      _mm_add_epi64(_mm_shuffle_epi32(second, _MM_SHUFFLE(2, 3, 0, 1)), _mm_shuffle_epi32(third, _MM_SHUFFLE(1, 0, 3, 2)));
  const TextEntry entry = stored.entry(home_of(_mm_add_epi64(first, folded)) + probe);
  const __m128i same = _mm_and_si128(_mm_cmpeq_epi8(first, stored_piece(entry.text)),
                                     _mm_and_si128(_mm_cmpeq_epi8(second, stored_piece(entry.text + StoredTexts::piece)),
                                                   _mm_cmpeq_epi8(third, stored_piece(entry.text + 2 * StoredTexts::piece))));
  return entry.number_if(_mm_movemask_epi8(same) == 0xFFFF);
}

// The same of up to 48 characters. Few look at a second entry, so all is done again for it, and no register kept.
[[gnu::always_inline]] inline OriginNumber number_at(const StoredTexts& stored, const char* text, std::size_t probe) noexcept {
  __m128i first = read_piece(text);
  const unsigned end = end_in(first);
  if (end == 0) [[unlikely]]
    return long_number_at(stored, text, probe);
  first = _mm_and_si128(first,
                        stored_piece(stored.mask(static_cast<unsigned>(std::countr_zero(end))) + StoredTexts::piece * StoredTexts::piece));
  const TextEntry entry = stored.entry(home_of(first) + probe);
  return entry.number_if(_mm_movemask_epi8(_mm_cmpeq_epi8(first, stored_piece(entry.text))) == 0xFFFF);
}
#endif

// The same as number_of_label for a text that is found without a call; else no_origin, which says nothing.
[[gnu::always_inline]] inline OriginNumber number_at_once(const char* text) noexcept {
  const StoredTexts* all = &stored_texts;
  asm("" : "+r"(all));  // one address for all its members, where compilers would compute each
  const StoredTexts& stored = *all;
  if (const OriginNumber number = stored.at(text)) return number;
#ifdef CADASTRE_READS_PIECES
  const auto begin = static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(text) % 4096);
  if (begin >= stored.limit.load(std::memory_order_acquire)) [[unlikely]]
    return no_origin;
  if (const OriginNumber number = number_at(stored, text, 0)) [[likely]]
    return number;
  for (std::size_t probe = 1; probe < StoredTexts::probes; ++probe) {
    asm("" : "+r"(text));
    if (const OriginNumber number = number_at(stored, text, probe)) return number;
  }
#endif
  return no_origin;
}

}  // namespace cadastre::internal
#endif
