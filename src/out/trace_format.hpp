// Tangled from org/out/trace_format.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a trace's file.
#ifndef CADASTRE_SRC_OUT_TRACE_FORMAT_HPP
#define CADASTRE_SRC_OUT_TRACE_FORMAT_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "cadastre.h"

namespace cadastre::internal {

// The kinds of records. unfinished: one that is being written.
enum class TraceKind : std::uint8_t {
  none,
  unfinished,
  label = 2,
  thread = 3,
  context = 4,
  clock = 5,
  ticks = 6,
  create = 7,
  destroy = 8,
  malloc = 9,
  free = 10,
  realloc = 11,
  info = 12,
  copy = 13,
  again = 14,
  resident = 15,
  device = 16,
  backend = 17,
  node = 18,
};
inline constexpr std::size_t trace_kinds = 19;

struct TraceKindRow {
  const char* name;
  const char* words;  // behind the first, with blanks between them
};
inline constexpr TraceKindRow trace_kind_rows[trace_kinds] = {
    {"", ""},
    {"", ""},
    {"label", "text"},
    {"thread", ""},
    {"context", "context"},
    {"clock", "time"},
    {"ticks", "time nanoseconds"},
    {"create", ""},
    {"destroy", ""},
    {"malloc", "traits size block"},
    {"free", "block"},
    {"realloc", "size block"},
    {"info", "size block"},
    {"copy", "size block source"},
    {"again", "size_and_block"},
    {"resident", "bytes live kept huge"},
    {"device", "device used total live"},
    {"backend", "number text"},
    {"node", "node bytes"},
};

inline constexpr char trace_magic[16] = "cadastre trace\n";
inline constexpr char joined_mark[17] = "cadastre traces\n";  // where the head of the first trace of several will be
inline constexpr std::uint64_t trace_byte_order = 0x0102030405060708;
inline constexpr std::uint32_t trace_version = 2, oldest_trace_version = 1;
inline constexpr std::size_t trace_part_bytes = std::size_t{64} << 10;
inline constexpr std::size_t trace_part_words = trace_part_bytes / 8;

enum class TraceState : std::uint64_t { written = 1, ended = 2, stopped = 3, joined = 4 };

// All but the magic are words, so that who reads them in another order of bytes can swap each.
struct TraceHead {
  char magic[16];
  std::uint64_t byte_order;
  std::uint64_t version_and_part;  // 32 bits each, the first the lower ones
  std::uint64_t text_bytes, checksum, process;
  // What changes while it is written.
  std::uint64_t state, end, error, parts;
  std::uint64_t end_nanoseconds;  // not in version 1
};
static_assert(sizeof(TraceHead) == 96);
// Where the text begins.
constexpr std::size_t trace_head_bytes(std::uint32_t version) noexcept {
  return version == 1 ? offsetof(TraceHead, end_nanoseconds) : sizeof(TraceHead);
}
inline bool is_trace_head(const void* bytes) noexcept { return std::memcmp(bytes, trace_magic, sizeof trace_magic) == 0; }
constexpr std::uint64_t pack_halves(std::uint32_t low, std::uint32_t high) noexcept { return low | std::uint64_t{high} << 32; }
constexpr std::uint32_t low_half(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word); }
constexpr std::uint32_t high_half(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word >> 32); }
inline constexpr std::size_t most_trace_text = trace_part_bytes - sizeof(TraceHead);

enum class TracePartState : std::uint64_t { empty = 0, open = 1, full = 2, slot = 3 };

struct TracePartHead {
  std::uint64_t state, checksum, used, stream_and_thread, time, context, nanoseconds, place;
};
static_assert(sizeof(TracePartHead) == 64);
inline constexpr std::size_t trace_part_head_words = sizeof(TracePartHead) / 8;
// Where what the check sum is of begins, in bytes.
inline constexpr std::size_t trace_checked_from = offsetof(TracePartHead, used);

// The bits of flags, in the order of their words.
enum class TraceFlag : std::uint8_t {
  result = 1,
  block = 2,
  source = 4,
  context = 8,
  clock = 16,
  duration = 32,
};
struct TraceFlagRow {
  TraceFlag bit;
  const char* name;
};
inline constexpr TraceFlagRow trace_flag_rows[] = {
    {TraceFlag::result, "result"},
    {TraceFlag::block, "block"},
    {TraceFlag::source, "source"},
    {TraceFlag::context, "context"},
    {TraceFlag::clock, "clock"},
    {TraceFlag::duration, "duration"},
};

// The first word of a record.
struct TraceWord {
  TraceKind kind;
  std::uint8_t words, type, flags;
  std::uint32_t value;
};
static_assert(sizeof(TraceWord) == 8);

constexpr std::uint64_t pack_trace_word(TraceWord word) noexcept {
  return static_cast<std::uint64_t>(word.kind) | std::uint64_t{word.words} << 8 | std::uint64_t{word.type} << 16 |
         std::uint64_t{word.flags} << 24 | std::uint64_t{word.value} << 32;
}
constexpr TraceWord unpack_trace_word(std::uint64_t word) noexcept {
  return {static_cast<TraceKind>(word & 0xff), static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word >> 16),
          static_cast<std::uint8_t>(word >> 24), static_cast<std::uint32_t>(word >> 32)};
}

// The first word of a malloc behind that.
struct TraceTraits {
  std::uint32_t label = 0;
  std::int16_t device = -1;
  std::uint8_t backend = 0;
  std::uint8_t alignment_log2 = 0;
};
constexpr std::uint64_t pack_trace_traits(TraceTraits traits) noexcept {
  return std::uint64_t{traits.label} | std::uint64_t{static_cast<std::uint16_t>(traits.device)} << 32 |
         std::uint64_t{traits.backend} << 48 | std::uint64_t{traits.alignment_log2} << 56;
}
constexpr TraceTraits unpack_trace_traits(std::uint64_t word) noexcept {
  return {static_cast<std::uint32_t>(word), static_cast<std::int16_t>(word >> 32), static_cast<std::uint8_t>(word >> 48),
          static_cast<std::uint8_t>(word >> 56)};
}

inline constexpr std::uint8_t no_trace_type = 0xff;

// What was in use at a moment: the words of its kind.
struct TraceMoment {
  TraceKind kind = TraceKind::none;
  std::array<std::uint64_t, 4> figures{};
};
inline constexpr std::uint64_t no_trace_figure = UINT64_MAX;  // that is not known

// The word of a malloc that is like the last one, where both numbers fit.
inline constexpr int trace_size_bits = 24;
constexpr bool fits_in_word(std::uint64_t size, std::uint64_t block) noexcept {
  return size >> trace_size_bits == 0 && block >> (64 - trace_size_bits) == 0;
}
constexpr std::uint64_t pack_size_and_block(std::uint64_t size, std::uint64_t block) noexcept { return size | block << trace_size_bits; }

constexpr bool is_trace_moment(TraceKind kind) noexcept {
  return kind == TraceKind::resident || kind == TraceKind::device || kind == TraceKind::node;
}
constexpr std::size_t trace_figures_of(TraceKind moment) noexcept { return moment == TraceKind::node ? 2 : 4; }
constexpr bool is_trace_operation(TraceKind kind) noexcept {
  return kind >= TraceKind::create && !is_trace_moment(kind) && kind != TraceKind::backend;
}
constexpr bool has_trace_size(TraceKind kind) noexcept {
  return is_trace_operation(kind) && kind >= TraceKind::malloc && kind != TraceKind::free;
}

// An operation without its time.
struct TraceRecord {
  TraceKind kind = TraceKind::none;
  std::uint8_t type = 0;
  std::int32_t result = 0;
  std::uint64_t context = 0;
  std::int64_t block = 0, source = 0;
  std::uint64_t block_context = 0, source_context = 0;  // 0: the same context
  std::uint64_t size = 0;
  TraceTraits traits = {};
  std::int64_t entered = 0;  // when the call began, by the clock of the file; 0: it is not timed
};

// What is emulated is memory of the host.
constexpr bool is_on_device(const TraceRecord& record) noexcept {
  return record.kind == TraceKind::malloc && record.type == CADASTRE_DEVICE && record.traits.device >= 0 &&
         record.traits.backend != CADASTRE_BACKEND_HOST;
}
constexpr std::uint64_t word_of_device(const TraceTraits& traits) noexcept {
  return pack_halves(static_cast<std::uint32_t>(traits.device), traits.backend);
}

struct TraceWords {
  std::uint64_t at[10];
  std::uint32_t count = 0;

  void add(std::uint64_t word) noexcept { at[count++] = word; }
  // Behind those of lower bits.
  void add_flag(TraceFlag bit, std::uint64_t word) noexcept {
    const TraceWord first = unpack_trace_word(at[0]);
    add(word);
    at[0] = pack_trace_word({first.kind, static_cast<std::uint8_t>(count), first.type,
                             static_cast<std::uint8_t>(first.flags | static_cast<unsigned>(bit)), first.value});
  }
};

// Without the time, which is or-ed to the first.
[[gnu::always_inline]] inline TraceWords words_of(const TraceRecord& record) noexcept {
  TraceWords words;
  words.add(0);
  const TraceKind kind = record.kind;
  if (kind == TraceKind::malloc) words.add(pack_trace_traits(record.traits));
  if (has_trace_size(kind)) words.add(record.size);
  if (kind >= TraceKind::malloc) words.add(static_cast<std::uint64_t>(record.block));
  if (kind == TraceKind::copy) words.add(static_cast<std::uint64_t>(record.source));
  std::uint8_t flags = 0;
  const auto flag = [&](bool is, TraceFlag bit, std::uint64_t word) {
    if (!is) return;
    flags |= static_cast<std::uint8_t>(bit);
    words.add(word);
  };
  flag(record.result != 0, TraceFlag::result, static_cast<std::uint64_t>(std::int64_t{record.result}));
  flag(record.block_context != 0, TraceFlag::block, record.block_context);
  flag(record.source_context != 0, TraceFlag::source, record.source_context);
  words.at[0] = pack_trace_word({kind, static_cast<std::uint8_t>(words.count), record.type, flags, 0});
  return words;
}

inline constexpr std::size_t longest_name_of_backend = 63;

inline TraceWords words_of_backend(std::uint32_t number, const char* name) noexcept {
  TraceWords words{};
  const std::size_t length = strnlen(name, longest_name_of_backend);
  words.count = static_cast<std::uint32_t>(2 + length / 8 + 1);
  words.at[0] = pack_trace_word({TraceKind::backend, static_cast<std::uint8_t>(words.count), 0, 0, 0});
  words.at[1] = number;
  std::memcpy(words.at + 2, name, length);
  return words;
}

inline TraceWords words_of(const TraceMoment& moment) noexcept {
  TraceWords words;
  const std::size_t count = trace_figures_of(moment.kind);
  words.add(pack_trace_word({moment.kind, static_cast<std::uint8_t>(1 + count), 0, 0, 0}));
  for (std::size_t figure = 0; figure < count; ++figure) words.add(moment.figures[figure]);
  return words;
}

// Calls with the number and the name of each backend that no program has registered.
template <class Call>
void for_each_backend(Call call) {
  const char* const none = cadastre_string_of_backend(0);
  for (cadastre_backend backend = 1; backend < CADASTRE_FIRST_REGISTERED_BACKEND; ++backend) {
    const char* const name = cadastre_string_of_backend(backend);
    if (std::strcmp(name, none) != 0) call(backend, name);
  }
}

// Gives each line of the tables that a head has, without its end.
template <class Line>
void tell_trace_tables(Line line) {
  char text[120];
  for (std::size_t kind = 0; kind < trace_kinds; ++kind) {
    const TraceKindRow& row = trace_kind_rows[kind];
    std::snprintf(text, sizeof text, "record %zu %s%s%s", kind, row.name, *row.words ? " " : "", row.words);
    if (*row.name) line(text);
  }
  for (const TraceFlagRow& row : trace_flag_rows) {
    std::snprintf(text, sizeof text, "flag %d %s", static_cast<int>(row.bit), row.name);
    line(text);
  }
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    std::snprintf(text, sizeof text, "type %d %s", static_cast<int>(type), cadastre_string_of_memory_type(type));
    line(text);
  }
  for_each_backend([&](cadastre_backend backend, const char* name) {
    std::snprintf(text, sizeof text, "backend %d %s", static_cast<int>(backend), name);
    line(text);
  });
}

namespace xxh64 {

inline constexpr std::uint64_t prime[6] = {
    0, 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5};

constexpr std::uint64_t round(std::uint64_t sum, std::uint64_t word) noexcept { return std::rotl(sum + word * prime[2], 31) * prime[1]; }
inline std::uint64_t word_at(const char* bytes) noexcept {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

}  // namespace xxh64

// XXH64 with the seed 0. bytes: a multiple of 8.
inline std::uint64_t trace_checksum(const void* data, std::size_t bytes) noexcept {
  using namespace xxh64;
  const char* at = static_cast<const char*>(data);
  const char* const end = at + bytes;
  std::uint64_t sum = prime[5];
  if (bytes >= 32) {
    std::uint64_t sums[4] = {prime[1] + prime[2], prime[2], 0, 0 - prime[1]};
    for (; end - at >= 32; at += 32) {
      for (std::size_t place = 0; place < 4; ++place) sums[place] = round(sums[place], word_at(at + 8 * place));
    }
    sum = std::rotl(sums[0], 1) + std::rotl(sums[1], 7) + std::rotl(sums[2], 12) + std::rotl(sums[3], 18);
    for (const std::uint64_t one : sums) sum = (sum ^ round(0, one)) * prime[1] + prime[4];
  }
  sum += bytes;
  for (; at < end; at += 8) sum = std::rotl(sum ^ round(0, word_at(at)), 27) * prime[1] + prime[4];
  sum = (sum ^ sum >> 33) * prime[2];
  sum = (sum ^ sum >> 29) * prime[3];
  return sum ^ sum >> 32;
}

// text: what stands behind the head, padded to whole words.
inline TraceHead trace_head(const char* text, std::uint64_t text_bytes, std::uint64_t process, TraceState state) noexcept {
  TraceHead head{};
  std::memcpy(head.magic, trace_magic, sizeof head.magic);
  head.byte_order = trace_byte_order;
  head.version_and_part = pack_halves(trace_version, trace_part_bytes);
  head.text_bytes = text_bytes;
  head.checksum = trace_checksum(text, text_bytes);
  head.process = process;
  head.state = static_cast<std::uint64_t>(state);
  return head;
}

// used: bytes.
inline std::uint64_t trace_part_checksum(const void* part, std::uint64_t used) noexcept {
  return trace_checksum(static_cast<const char*>(part) + trace_checked_from, used - trace_checked_from);
}

inline TracePartHead& trace_part_head(std::uint64_t* part) noexcept { return *reinterpret_cast<TracePartHead*>(part); }

// Notes what of a part is used, for a state of full, which comes after this.
inline void finish_trace_part(std::uint64_t* part, std::size_t used_words) noexcept {
  TracePartHead& head = trace_part_head(part);
  head.used = 8 * used_words;
  head.checksum = trace_part_checksum(part, head.used);
}

}  // namespace cadastre::internal
#endif
