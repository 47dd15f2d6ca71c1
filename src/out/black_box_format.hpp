// Tangled from org/out/black_box_format.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a black box.
#ifndef CADASTRE_SRC_OUT_BLACK_BOX_FORMAT_HPP
#define CADASTRE_SRC_OUT_BLACK_BOX_FORMAT_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cadastre.h"

namespace cadastre::internal {

inline constexpr char black_box_magic[16] = "cadastre box\n";
inline constexpr std::uint64_t black_box_byte_order = 0x0102030405060708;
inline constexpr std::uint64_t black_box_version = 2;
inline constexpr char black_box_ending[] = ".blackbox";
inline constexpr char black_box_folder[] = "blackbox";  // the purpose of the user's folder

constexpr bool is_black_box_name(std::string_view name) noexcept {
  return name.starts_with("cadastre-") && name.ends_with(black_box_ending);
}

enum class BlackBoxState : std::uint64_t { written = 1, ended = 2 };

// What a field of a fixed length says, which need not have an end.
template <std::size_t room>
std::string_view text_in(const char (&field)[room]) noexcept {
  return {field, strnlen(field, room)};
}

struct BlackBoxHead {
  char magic[16];
  std::uint64_t byte_order, version, bytes;
  std::uint64_t process, pid_namespace;  // 0: unknown
  std::uint64_t state;
  std::int64_t began;                        // nanoseconds since 1970
  std::uint64_t capacity;                    // bytes that the host offers the process: RAM, control groups, address space
  char capacity_from[160];                   // which of them bounds it
  char library[32];                          // the version that wrote it
  char host[256], rank[272], program[3072];  // as strings
};
static_assert(sizeof(BlackBoxHead) <= 4096);

struct BlackBoxBytes {
  std::uint64_t live, most, kept, limit;
  std::int64_t blocks, most_blocks, refused;
  std::uint64_t reserved;
};

// How much is used of what this process shares with others: the host, first, and devices. limit: 0 for a place that is not taken.
struct BlackBoxUse {
  std::uint64_t sequence;
  std::int64_t time;
  std::uint64_t used, limit;
  std::uint64_t live;  // in the process, of it
  char what[216];
};
static_assert(sizeof(BlackBoxUse) == 256);

inline constexpr std::size_t black_box_uses = 12;

struct BlackBoxFigures {
  std::int64_t time;            // when anything changed last
  std::uint64_t most_together;  // the most that lived of all memory types at one time
  std::uint64_t limit_together;
  std::uint64_t events, refusals;  // so many were noted
  std::uint64_t reserved[3];
  BlackBoxBytes of[CADASTRE_MEMORY_TYPE_COUNT];
  BlackBoxUse uses[black_box_uses];
};
static_assert(sizeof(BlackBoxFigures) <= 4096);

inline constexpr std::size_t black_box_label_bytes = 104;  // a longer one is cut

struct BlackBoxHolder {
  char label[black_box_label_bytes];
  std::int64_t bytes, blocks;
  std::uint64_t type;
};

inline constexpr std::size_t most_black_box_holders = 63;

struct BlackBoxHolders {
  std::uint64_t sequence;
  std::int64_t time;
  std::uint64_t together;  // bytes of all memory types that lived
  std::uint64_t resident;  // memory of the process
  std::uint64_t number;    // of holders, the one with the most bytes first
  std::uint64_t others;    // labels that are left out,
  std::int64_t others_bytes, others_blocks;
  BlackBoxHolder holder[most_black_box_holders];
  std::uint64_t reserved[8];
};
static_assert(sizeof(BlackBoxHolders) == 8192);

// What happened in a call. kind, type and result are as in a trace's records.
struct BlackBoxEvent {
  std::uint64_t sequence;
  std::int64_t time;
  std::uint32_t thread;
  std::uint8_t kind, type;
  std::uint16_t reserved;
  std::int32_t result;
  std::uint32_t reserved_too;
  std::uint64_t context;
  std::int64_t block;
  std::uint64_t size;
  char label[72];
};
static_assert(sizeof(BlackBoxEvent) == 128);

struct BlackBoxRefusal {
  BlackBoxEvent event;
  std::uint64_t live;  // bytes of its memory type
  char said[888];      // the message of the failure
};
static_assert(sizeof(BlackBoxRefusal) == 1024);

inline constexpr std::size_t black_box_events = 4096, black_box_refusals = 32;

struct BlackBoxPages {
  alignas(4096) BlackBoxHead head;
  alignas(4096) BlackBoxFigures figures;
  alignas(4096) BlackBoxHolders last[2], at_peak[2];
  alignas(4096) BlackBoxRefusal refusals[black_box_refusals];
  alignas(4096) BlackBoxEvent events[black_box_events];
};
static_assert(offsetof(BlackBoxPages, last) == 8192 && offsetof(BlackBoxPages, refusals) == 40960 &&
              offsetof(BlackBoxPages, events) == 73728);
static_assert(sizeof(BlackBoxPages) <= std::size_t{1} << 20);

}  // namespace cadastre::internal
#endif
