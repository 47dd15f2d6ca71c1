// Tangled from org/context/context.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A context: where a registry meets a backend.
#ifndef CADASTRE_SRC_CONTEXT_CONTEXT_HPP
#define CADASTRE_SRC_CONTEXT_CONTEXT_HPP

#include <cstdint>

#include "context/cache.hpp"
#include "context/host_rules.hpp"
#include "context/imports.hpp"
#include "context/refusals.hpp"
#include "context/report_notes.hpp"
#include "context/sources.hpp"
#include "context/workspace_table.hpp"
#include "registry/registry.hpp"

namespace cadastre::internal {

// What a context is created with.
struct Settings {
  bool shards = true;     // whether a call may do without the context lock
  bool recorded = false;  // whether each call comes the way on which it is recorded
  bool heap = false;      // whether HOST blocks may lie in slabs
  std::int32_t device = no_device_id;
  PoolChoice pools;
  PerLimit<std::size_t> limits = each_limit<std::size_t>(CADASTRE_UNLIMITED);
};

// Tells the backend of a block that the block is lost; of a pool's memory it knows pieces only.
inline void lose_unless_pooled(const Record& block) noexcept {
  if (!is_pooled(block)) lose(block);
}

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): parts begin and end in this order
class Context {
 public:
  // Nobody's, until begin makes it a context. parent: whose memory the context's counts as.
  Context() noexcept;
  void begin(Backend& backend, const Settings& settings, ChildOf parent) noexcept;
  // What has been closed is nobody's again, as a new one is; false, and to be deleted, where more than its heap was ever used.
  bool renew() noexcept;
  // Asked when nobody can enter any more: whether nothing but the heap was ever used, and then whether to close it comes to nothing but giving its slabs
  // back.
  bool goes_with_its_heap() noexcept;
  bool has_used_its_heap_only() const noexcept { return has_used_its_heap_only_; }

  Registry& registry() noexcept { return registry_; }
  const Registry& registry() const noexcept { return registry_; }
  SharedAccount& shared() noexcept { return registry_.accounts().shared(); }
  const SharedAccount& shared() const noexcept { return registry_.accounts().shared(); }
  Sources& sources() noexcept { return sources_; }
  const Sources& sources() const noexcept { return sources_; }
  Backend& backend() const noexcept { return sources_.backend(); }
  std::int32_t device() const noexcept { return sources_.device(); }
  ThreadCache& cache() noexcept { return cache_; }
  const ThreadCache& cache() const noexcept { return cache_; }
  // What is leased; to be looked at while nobody else is inside. And where nothing is entered.
  Workspaces& workspaces() noexcept { return workspace_table_.open(); }
  Workspaces& look_at_workspaces() const noexcept { return workspace_table_.look(); }
  WorkspaceTable& workspace_table() noexcept { return workspace_table_; }
  HostRules& host() noexcept { return host_; }
  const HostRules& host() const noexcept { return host_; }
  Imports& imports() noexcept { return imports_; }
  ReportNotes& notes() noexcept { return notes_; }
  const ReportNotes& notes() const noexcept { return notes_; }

  // A device of a backend is asked for memory.
  void use_device(const Backend& source, std::int32_t device) noexcept;
  void set_default_queue(cadastre_queue queue) noexcept;
  // The number of this context in a trace; 0 where none is written.
  std::uint64_t number() const noexcept { return number_; }
  void set_number(std::uint64_t number) noexcept { number_ = number; }
  // The thread of a shard has ended, which is the calling one.
  void abandon_shard(Shard& shard) noexcept;
  // After a fork, in the child: counts what it holds in accounts that count nothing yet.
  void charge_anew() noexcept;

 private:
  bool uses_its_heap_only() const noexcept;

  ChildOf parent_;  // goes last
  std::uint64_t number_ = 0;
  bool has_used_its_heap_only_ = false;  // as goes_with_its_heap found
  Registry registry_;
  Sources sources_;
  HostRules host_{registry_, sources_};
  ThreadCache cache_{registry_};
  WorkspaceTable workspace_table_{registry_};
  Imports imports_;
  ReportNotes notes_{registry_};
};

}  // namespace cadastre::internal
#endif
