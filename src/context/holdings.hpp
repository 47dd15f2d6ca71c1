// Tangled from org/context/holdings.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// All that a context knows at one moment.
#ifndef CADASTRE_SRC_CONTEXT_HOLDINGS_HPP
#define CADASTRE_SRC_CONTEXT_HOLDINGS_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "context/context.hpp"
#include "pool/pools.hpp"
#include "registry/figures.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

// The statistics of one memory type on one device.
struct DeviceFigures {
  std::int32_t device;
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
};

// Bytes of a memory type that come from one device of a backend.
struct SourceBytes {
  Place from;
  std::size_t bytes;
};

struct LeaseFigures {
  cadastre_lease lease;
  cadastre_memory_type type;
  std::size_t bytes;
};

// One of several contexts in a report.
struct ContextFigures {
  cadastre_context context, parent;
  cadastre_backend backend;
  std::int64_t live_blocks;
  std::size_t live_bytes;  // of all memory types
};

inline constexpr std::size_t largest_blocks_told = 10;

// All that a context knows at one moment, or the process or a parent with all contexts below it; for reports.
struct Holdings {
  cadastre_context context;
  cadastre_backend backend;
  std::int32_t device;
  std::array<cadastre_statistics_struct, memory_types> figures;
  std::array<std::vector<DeviceFigures>, memory_types> by_device;
  std::array<cadastre_pool_info_struct, memory_types> pools;
  std::vector<Record> largest_blocks;                      // of each context
  std::vector<cadastre_workspace_info_struct> workspaces;  // those that were ever leased of, or have memory
  std::vector<LeaseFigures> leases;                        // those that are alive
  std::vector<KeptFailure> failures;                       // of public functions, the last first
  std::int64_t failures_forgotten;
  std::vector<SourceBytes> sources = {};      // but for HOST memory
  std::vector<ContextFigures> contexts = {};  // where they are more than one; the figures of devices are then left out
  std::vector<LabelShare> labels = {};
  std::int64_t blocks = 0;  // borrowed ones, too
  std::vector<PlainFrees> plain_frees = {};
  std::size_t limit_of_all = CADASTRE_UNLIMITED;  // memory types together
};

// What a context holds, or nothing where host memory is missing.
// Throws std::bad_alloc.
Holdings take_holdings(const Context& context, cadastre_context handle);
// What comes of each memory type but HOST from each device of a backend. Throws std::bad_alloc.
std::vector<SourceBytes> bytes_by_source(const Context& context);
// Of the context and all below it.
inline cadastre_pool_info_struct pool_info(const Context& context, cadastre_memory_type type) noexcept {
  return figures_of_pools(context.shared(), type, context.sources().pool(type));
}
// What the context has counted. with_departed: also what its children had, that are gone.
inline cadastre_statistics_struct figures_of_all(const Context& context, cadastre_memory_type type, bool with_departed) noexcept {
  cadastre_statistics_struct figures = figures_of(context.registry(), type);
  if (with_departed) add_figures(figures, context.shared().departed(type));
  return figures;
}

std::optional<Holdings> holdings_of(const Context& context, cadastre_context handle) noexcept;

// What a context holds, or null where the host has no memory to tell.
using Shown = void (*)(const Holdings* holdings) noexcept;

}  // namespace cadastre::internal
#endif
