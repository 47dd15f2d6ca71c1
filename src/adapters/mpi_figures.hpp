// Tangled from org/adapters/mpi_figures.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Figures on the memory of ranks and nodes, which are added up in messages of a fixed size.
#ifndef CADASTRE_SRC_ADAPTERS_MPI_FIGURES_HPP
#define CADASTRE_SRC_ADAPTERS_MPI_FIGURES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cadastre.h"

namespace cadastre::adapter {

constexpr std::size_t memory_types = CADASTRE_MEMORY_TYPE_COUNT;
constexpr std::size_t together = memory_types, kinds = memory_types + 1;
constexpr std::size_t entries_listed = 5;

constexpr cadastre_memory_type type_of(std::size_t kind) noexcept {
  return kind == together ? CADASTRE_ALL_MEMORY_TYPES : static_cast<cadastre_memory_type>(kind);
}

struct Place {
  std::int32_t rank;
  char host[64];  // shortened
};

// What a rank or a node has; a node stands where its first rank is.
struct Entry {
  std::uint64_t value;
  Place place;
};

struct Spread {
  std::uint64_t members;  // ranks or nodes
  std::uint64_t minimum, sum;
  std::int64_t rank_with_minimum;
  std::array<Entry, entries_listed> most;  // the largest first, as many as there are members

  std::uint64_t mean() const noexcept { return members == 0 ? 0 : sum / members; }
  const Entry& maximum() const noexcept { return most[0]; }
};

// Of those whose capacity is known.
struct Shares {
  std::uint64_t members;
  double minimum, sum, maximum;
};

struct Figure {
  Spread bytes;
  Shares share;
};

struct Members {
  std::array<Figure, kinds> live, peak;
  std::array<Spread, kinds> refused;
  Figure resident, most_resident;
};

// Bytes; 0 where they are not known.
struct Capacity {
  std::uint64_t host, device;
};

struct Devices {
  static constexpr std::size_t room = 32;
  struct One {
    std::uint64_t identifier, bytes;
  };
  std::uint64_t number;
  std::uint64_t incomplete;  // whether some have no identifier, or there are more than there is room for
  std::array<One, room> all;
};

struct Figures {
  Members ranks, nodes;
  Capacity all_nodes;
  std::uint64_t nodes_without_host, nodes_without_device;  // whose capacity is not known
  std::uint64_t unread;                                    // ranks that could not read their own figures
  // Of the node whose ranks are being added up.
  std::uint64_t host_of_node, is_host_unknown;
  Devices devices_of_node;
};
static_assert(std::is_trivially_copyable_v<Figures>);

// What all nodes have together of what a memory type is a part of, or UVM and all types together of nothing; 0 where it is not known of one of them.
std::uint64_t memory_for(std::size_t kind, const Figures& figures) noexcept;
// Ranks whose high-water mark is larger are outliers: 1.5 times the mean.
std::uint64_t bytes_of_an_outlier(const Figure& peaks) noexcept;

// Of the calling process.
Figures figures_of_process(const Place& place) noexcept;
// into: what both have.
void merge(const Figures& from, Figures& into) noexcept;
// Enters the node whose ranks were added up. place: of its first rank.
void close_node(Figures& figures, const Place& place) noexcept;

// What lives of a memory type under a label.
struct Holder {
  std::uint64_t bytes, blocks;
  std::int32_t type;
  std::int32_t is_labelled;
  char label[256];  // shortened
};
struct Holders {
  std::array<Holder, entries_listed> largest;  // those with 0 blocks are none
  std::uint64_t others;                        // number of labels that are not listed
  std::uint64_t together;                      // bytes that lived of all memory types
  std::uint64_t is_known, is_now;
};
static_assert(std::is_trivially_copyable_v<Holders>);

// Of the calling process.
Holders holders_of_process(cadastre_memory_type type) noexcept;
// Of all memory types, when what lived of them together was most. Not known where nobody has kept it and less than that lives now.
Holders holders_at_peak_of_process() noexcept;

}  // namespace cadastre::adapter
#endif
