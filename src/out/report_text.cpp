// Tangled from org/out/report_text.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/report_text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "config.h"
#include "base/process.hpp"
#include "base/text.hpp"
#include "context/usage.hpp"
#include "out/largest_first.hpp"

namespace cadastre::internal {
namespace {

constexpr std::size_t labels_listed = 20;

BytesText limit_text(std::size_t bytes) noexcept { return bytes == CADASTRE_UNLIMITED ? BytesText{"none"} : bytes_text(bytes); }

void write_label(const char* label, std::FILE* stream) noexcept {
  if (label) {
    show(label, stream);
  } else {
    std::fputs("(no label)", stream);
  }
}

long long number(std::int64_t value) noexcept { return value; }

const char* plural(std::int64_t number) noexcept { return number == 1 ? "" : "s"; }

void write_process(std::int64_t now, std::FILE* stream) noexcept {
  const Process& own = process();
  std::fprintf(stream, "process %lld of ", number(process_id()));
  show(own.program, stream);
  std::fprintf(stream, " on %s", own.host);
  if (own.rank[0]) std::fprintf(stream, ", rank %s", own.rank);
  std::fprintf(stream, ", %s", time_text(now).characters);
  if (const std::int64_t start = process_start()) {
    std::fprintf(stream, ", %.1f s after it began", static_cast<double>(now - start) / 1e9);
  }
  std::fprintf(stream, "; peak resident memory of the process %s\n", bytes_text(most_resident_bytes()).characters);
}

void write_held(const Holders& holders, std::FILE* stream) noexcept {
  const char* before = "            held then: ";
  for (const Holder& holder : holders) {
    if (holder.blocks <= 0) continue;
    std::fprintf(stream, "%s%s in %lld block%s by ", std::exchange(before, "; "), bytes_text(holder.bytes).characters,
                 number(holder.blocks), plural(holder.blocks));
    write_label(holder.label, stream);
  }
  if (holders[0].blocks > 0) std::fputc('\n', stream);
}

void write_failures(const Failures& failures, const char* head, std::FILE* stream) noexcept {
  if (!failures.kept.empty()) std::fprintf(stream, "\n%10s  %s\n", "times", head);
  for (const KeptFailure& kept : failures.kept) {
    const Failure& failure = kept.failure;
    std::fprintf(stream, "%10lld  %s", number(kept.count), kept.function);
    if (failure.bytes > 0) std::fprintf(stream, " of %zu bytes", failure.bytes);
    if (failure.type >= 0) std::fprintf(stream, " of %s", cadastre_string_of_memory_type(failure.type));
    if (failure.label.characters[0]) {
      std::fputs(" for ", stream);
      show(failure.label.characters, stream);
    }
    cadastre_error_struct error = cadastre_error_struct_zero;
    tell(kept.context, kept.function, failure, error);
    const char* const why = error.message + std::strlen(error.function) + std::strlen(": ");  // the line above names it
    std::fprintf(stream, ", %s\n            %s\n", time_text(kept.last).characters, why);
    write_held(kept.holders, stream);
  }
  if (failures.forgotten > 0) {
    std::fprintf(stream, "and %lld failure%s of older kinds\n", number(failures.forgotten), plural(failures.forgotten));
  }
}

void write_devices(const std::vector<DeviceFigures>& devices, std::FILE* stream) {
  for (const DeviceFigures& d : devices) {
    std::fprintf(stream, "%-8s on device %d: %lld blocks, %s live, %s high-water\n", "", d.device,
                 static_cast<long long>(d.figures.live_blocks), bytes_text(d.figures.live_bytes).characters,
                 bytes_text(d.figures.high_water_mark_bytes).characters);
  }
}

void write_figures(const Holdings& holdings, std::FILE* stream) {
  std::fprintf(stream, "%-8s %10s %12s %12s %12s %10s %10s %10s %12s\n", "type", "blocks", "live", "high-water", "total", "allocated",
               "freed", "failures", "limit");
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_statistics_struct& f = holdings.figures[type];
    std::fprintf(stream, "%-8s %10lld %12s %12s %12s %10lld %10lld %10lld %12s\n",
                 cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)), static_cast<long long>(f.live_blocks),
                 bytes_text(f.live_bytes).characters, bytes_text(f.high_water_mark_bytes).characters, bytes_text(f.total_bytes).characters,
                 static_cast<long long>(f.allocations), static_cast<long long>(f.deallocations),
                 static_cast<long long>(f.failed_allocations), limit_text(f.limit).characters);
    if (f.borrowed_blocks + f.failed_deallocations + f.untracked_deallocations + f.reallocations > 0) {
      std::fprintf(stream, "%-8s %lld resized, %lld borrowed, %lld not freed by the backend, %lld freed without the library\n", "",
                   static_cast<long long>(f.reallocations), static_cast<long long>(f.borrowed_blocks),
                   static_cast<long long>(f.failed_deallocations), static_cast<long long>(f.untracked_deallocations));
    }
    if (holdings.by_device[type].size() > 1) write_devices(holdings.by_device[type], stream);
  }
  if (holdings.limit_of_all == CADASTRE_UNLIMITED) return;
  std::size_t live = 0;
  for (const cadastre_statistics_struct& f : holdings.figures) live += f.live_bytes;
  std::fprintf(stream, "%-8s %s live, limit %s\n", "together", bytes_text(live).characters, bytes_text(holdings.limit_of_all).characters);
}

void write_pools(const Holdings& holdings, std::FILE* stream) {
  bool headed = false;
  for_each_pool(holdings, [&](const char* type, const cadastre_pool_info_struct& p) {
    if (!std::exchange(headed, true)) {
      std::fprintf(stream, "\n%-8s %12s %12s %12s %12s %10s %10s %10s\n", "type", "pool", "used", "releasable", "largest free", "hits",
                   "misses", "trims");
    }
    std::fprintf(stream, "%-8s %12s %12s %12s %12s %10lld %10lld %10lld\n", type, bytes_text(p.reserved_bytes).characters,
                 bytes_text(p.used_bytes).characters, bytes_text(p.releasable_bytes).characters,
                 bytes_text(p.largest_free_bytes).characters, static_cast<long long>(p.hits), static_cast<long long>(p.misses),
                 static_cast<long long>(p.trims));
  });
}

void write_workspaces(const Holdings& holdings, std::FILE* stream) {
  std::fprintf(stream, "\n%-8s %-15s %12s %12s %12s %8s %10s %10s %10s\n", "type", "workspace", "reserved", "used", "high-water", "leases",
               "acquired", "failed", "growths");
  for (const cadastre_workspace_info_struct& w : holdings.workspaces) {
    std::fprintf(stream, "%-8s %-15s %12s %12s %12s %8lld %10lld %10lld %10lld\n", cadastre_string_of_memory_type(w.type),
                 cadastre_string_of_workspace_scheme(w.scheme), bytes_text(w.reserved_bytes).characters,
                 bytes_text(w.used_bytes).characters, bytes_text(w.high_water_mark_bytes).characters, static_cast<long long>(w.live_leases),
                 static_cast<long long>(w.acquisitions), static_cast<long long>(w.failed_acquisitions), static_cast<long long>(w.growths));
  }
  for (std::size_t i = 0; i < std::min(holdings.leases.size(), blocks_listed); ++i) {
    const LeaseFigures& l = holdings.leases[i];
    std::fprintf(stream, "%-8s lease %lld: %s\n", cadastre_string_of_memory_type(l.type), static_cast<long long>(l.lease),
                 bytes_text(l.bytes).characters);
  }
  if (holdings.leases.size() > blocks_listed) std::fprintf(stream, "and %zu leases more\n", holdings.leases.size() - blocks_listed);
}

void write_contexts(const Holdings& holdings, std::FILE* stream) {
  if (holdings.contexts.empty()) return;
  std::fprintf(stream, "\n%12s %10s %20s %20s  backend\n", "live", "blocks", "context", "parent");
  for (const ContextFigures& c : holdings.contexts) {
    const Text parent = c.parent == CADASTRE_PROCESS ? Text("the process") : text("%lld", number(c.parent));
    std::fprintf(stream, "%12s %10lld %20lld %20s  %s\n", bytes_text(c.live_bytes).characters, number(c.live_blocks), number(c.context),
                 parent.characters, cadastre_string_of_backend(c.backend));
  }
}

void write_usage(const char* whose, const cadastre_memory_usage_struct& usage, std::FILE* stream) noexcept {
  std::fprintf(stream, "%-16s %12s %12s %12s %12s %12s\n", whose, bytes_text(usage.total_bytes).characters,
               bytes_text(usage.used_bytes).characters, bytes_text(usage.tracked_bytes).characters, bytes_text(usage.uvm_bytes).characters,
               bytes_text(usage.untracked_bytes).characters);
}

void write_usage(const Holdings& holdings, std::FILE* stream) {
  std::fprintf(stream, "\n%-16s %12s %12s %12s %12s %12s\n", "memory of", "total", "used", "tracked", "UVM", "untracked");
  for (const PlaceUsage& one : usage_of_places(holdings)) {
    const bool is_host = one.device == no_device_id;
    const Text whose = is_host ? Text("this process") : text("%s device %d", cadastre_string_of_backend(one.backend), one.device);
    write_usage(whose.characters, one.usage, stream);
  }
}

void write_plain_frees(const Holdings& holdings, std::FILE* stream) {
  const std::vector<PlainFrees> all = plain_frees_by_size(holdings);
  if (!all.empty())
    std::fprintf(stream, "\n%12s %10s           label of blocks that free has freed, not cadastre_free\n", "bytes", "blocks");
  for (std::size_t i = 0; i < std::min(all.size(), labels_listed); ++i) {
    std::fprintf(stream, "%12s %10lld           ", bytes_text(all[i].bytes).characters, number(all[i].blocks));
    write_label(text_of(all[i].origin), stream);
    std::fputc('\n', stream);
  }
  if (all.size() > labels_listed) std::fprintf(stream, "and %zu labels more\n", all.size() - labels_listed);
}

void write_labels(const Holdings& holdings, std::FILE* stream) {
  const std::vector<Share> shares = shares_by_size(holdings);
  if (!shares.empty()) std::fprintf(stream, "\n%12s %10s %-8s  label\n", "live", "blocks", "type");
  for (std::size_t i = 0; i < std::min(shares.size(), labels_listed); ++i) {
    std::fprintf(stream, "%12s %10lld %-8s  ", bytes_text(shares[i].bytes).characters, number(shares[i].blocks),
                 cadastre_string_of_memory_type(shares[i].type));
    write_label(shares[i].label, stream);
    std::fputc('\n', stream);
  }
  if (shares.size() > labels_listed) std::fprintf(stream, "and %zu labels more\n", shares.size() - labels_listed);
}

void write_blocks(const Holdings& holdings, std::FILE* stream) {
  const std::vector<Record> blocks = blocks_by_size(holdings);
  if (!blocks.empty()) std::fprintf(stream, "\n%12s %-8s %8s  largest blocks\n", "size", "type", "number");
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::fprintf(stream, "%12s %-8s %8llu  %p%s", bytes_text(blocks[i].size).characters, cadastre_string_of_memory_type(blocks[i].type),
                 static_cast<unsigned long long>(blocks[i].serial), blocks[i].pointer, blocks[i].borrowed() ? " borrowed" : "");
    if (const char* const label = text_of(blocks[i].origin)) {
      std::fputc(' ', stream);
      show(label, stream);
    }
    std::fputc('\n', stream);
  }
  const std::int64_t more = holdings.blocks - static_cast<std::int64_t>(blocks.size());
  if (more > 0) std::fprintf(stream, "and %lld blocks more\n", number(more));
}

void write_holdings(const Holdings& holdings, std::FILE* stream) {
  const char* const whose = holdings.context == CADASTRE_PROCESS ? "all contexts of the process"
                            : holdings.contexts.empty()          ? "this context"
                                                                 : "this context and all below it";
  std::fprintf(stream, "\nmemory of %s; high-water is the maximum that was live in it at one time\n", whose);
  write_figures(holdings, stream);
  write_contexts(holdings, stream);
  write_usage(holdings, stream);
  write_pools(holdings, stream);
  if (!holdings.workspaces.empty()) write_workspaces(holdings, stream);
  write_labels(holdings, stream);
  write_plain_frees(holdings, stream);
  write_blocks(holdings, stream);
  write_failures({holdings.failures, holdings.failures_forgotten}, "the last failure of each kind", stream);
}

// Nothing where there is no text.
void write_line(const char* what, const char* text, std::FILE* stream) noexcept {
  if (!*text) return;
  std::fprintf(stream, "%s: ", what);
  show(text, stream);
  std::fputc('\n', stream);
}

}  // namespace

void write_text(const Holdings* holdings, const KeptCreations& creations, const Environment& environment, std::FILE* stream) {
  std::fprintf(stream, "Cadastre %s, ", PACKAGE_VERSION);
  if (holdings && holdings->context == CADASTRE_PROCESS) {
    std::fprintf(stream, "the process, %zu contexts\n", holdings->contexts.size());
  } else if (holdings) {
    std::fprintf(stream, "context %lld, %s backend\n", number(holdings->context), cadastre_string_of_backend(holdings->backend));
  } else {
    std::fputs("no context\n", stream);
  }
  write_process(time_now(), stream);
  for (const EnvironmentVariable& variable : environment.variables) {
    write_line("environment", problem_of(variable), stream);
    write_line(variable.name.c_str(), resolved_of(variable), stream);
  }
  if (holdings) write_holdings(*holdings, stream);
  write_failures({creations.kept, creations.forgotten}, "the last failure of each kind to create a context in this process", stream);
}

}  // namespace cadastre::internal
