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
constexpr std::size_t entries_listed = 5;

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
  std::uint64_t least, sum;
  std::array<Entry, entries_listed> most;  // the largest first, as many as there are members

  std::uint64_t mean() const noexcept { return members == 0 ? 0 : sum / members; }
};

// Of those whose capacity is known.
struct Shares {
  std::uint64_t members;
  double least, sum, most;
};

struct Figure {
  Spread bytes;
  Shares share;
};

struct Members {
  std::array<Figure, memory_types> live, peak;
  std::array<Spread, memory_types> refused;
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

// Of the calling process.
Figures figures_of_process(const Place& place) noexcept;
// into: what both have.
void merge(const Figures& from, Figures& into) noexcept;
// Enters the node whose ranks were added up. place: of its first rank.
void close_node(Figures& figures, const Place& place) noexcept;

// What lives of a memory type under a label.
struct Holder {
  std::uint64_t bytes, blocks;
  std::uint64_t is_labelled;
  char label[256];  // shortened
};
struct Holders {
  std::array<Holder, entries_listed> largest;  // those with 0 blocks are none
  std::uint64_t others;                        // number of labels that are not listed
  std::uint64_t is_known;
};
static_assert(std::is_trivially_copyable_v<Holders>);

// Of the calling process.
Holders holders_of_process(cadastre_memory_type type) noexcept;

}  // namespace cadastre::adapter
#endif
