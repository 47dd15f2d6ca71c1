// Tangled from org/out/report_json.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/report_json.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "config.h"
#include "base/process.hpp"
#include "base/text.hpp"
#include "context/usage.hpp"
#include "out/json.hpp"
#include "out/largest_first.hpp"
#include "out/peak_holders.hpp"

namespace cadastre::internal {
namespace {

constexpr std::int32_t schema_version = 1;

long long number(std::int64_t value) noexcept { return value; }

void write_failure(const KeptFailure& kept, Json& json) noexcept {
  const Failure& failure = kept.failure;
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell(kept.context, kept.function, failure, error);
  json.string("function", kept.function);
  json.number("exit_code", failure.exit_code);
  json.string("description", cadastre_string_of_error(failure.exit_code));
  json.string("reason", cadastre_string_of_reason(failure.reason));
  json.string("message", error.message);
  json.text_or_null("type", failure.type >= 0 ? cadastre_string_of_memory_type(failure.type) : nullptr);
  failure.device >= 0 ? json.number("device_id", failure.device) : json.literal("device_id", "null");
  json.bytes("bytes", failure.bytes);
  json.bytes("in_use", failure.in_use);
  failure.limit != CADASTRE_UNLIMITED ? json.bytes("limit", failure.limit) : json.literal("limit", "null");
  json.text_or_null("label", failure.label.characters[0] ? failure.label.characters : nullptr);
  json.number("count", kept.count);
  json.string("first", time_text(kept.first).characters);
  json.string("last", time_text(kept.last).characters);
  json.begin("held", '[');
  for (const Holder& holder : kept.holders) {
    if (holder.blocks <= 0) continue;
    json.begin(nullptr, '{');
    json.text_or_null("label", holder.label);
    json.number("live_blocks", holder.blocks);
    json.bytes("live_bytes", holder.bytes);
    json.end('}');
  }
  json.end(']');
}

void write_failures(const Failures& failures, const char* list, const char* forgotten, Json& json) noexcept {
  json.begin(list, '[');
  for (const KeptFailure& kept : failures.kept) {
    json.begin(nullptr, '{');
    write_failure(kept, json);
    json.end('}');
  }
  json.end(']');
  json.number(forgotten, failures.forgotten);
}

void write_process(Json& json) noexcept {
  const Process& own = process();
  const std::int64_t start = process_start();
  json.string("time", time_text(time_now()).characters);
  json.begin("process", '{');
  json.number("id", process_id());
  json.string("program", own.program);
  json.text_or_null("started", start != 0 ? time_text(start).characters : nullptr);
  json.string("host", own.host);
  json.text_or_null("rank", own.rank[0] ? own.rank : nullptr);
  json.bytes("peak_rss_bytes", most_resident_bytes());
  json.end('}');
}

void write_limit(const char* name, std::size_t bytes, Json& json) noexcept {
  bytes == CADASTRE_UNLIMITED ? json.literal(name, "null") : json.bytes(name, bytes);
}

void write_figures(const cadastre_statistics_struct& figures, Json& json) noexcept {
  json.number("allocations", figures.allocations);
  json.number("deallocations", figures.deallocations);
  json.number("reallocations", figures.reallocations);
  json.number("failed_allocations", figures.failed_allocations);
  json.number("failed_deallocations", figures.failed_deallocations);
  json.number("untracked_deallocations", figures.untracked_deallocations);
  json.number("live_blocks", figures.live_blocks);
  json.number("borrowed_blocks", figures.borrowed_blocks);
  json.number("high_water_mark_blocks", figures.high_water_mark_blocks);
  json.bytes("live_bytes", figures.live_bytes);
  json.bytes("high_water_mark_bytes", figures.high_water_mark_bytes);
  json.bytes("total_bytes", figures.total_bytes);
  json.bytes("zeroed_bytes", figures.zeroed_bytes);
  write_limit("limit", figures.limit, json);
}

void write_block(const Record& block, Json& json) noexcept {
  json.bytes("number", block.serial);
  json.string("pointer", text("%p", block.pointer).characters);
  json.bytes("size", block.size);
  json.string("type", cadastre_string_of_memory_type(block.type));
  json.number("device_id", block.device);
  json.string("backend", cadastre_string_of_backend(block.backend));
  json.bytes("alignment", block.alignment());
  json.bytes("stride", block.stride_or_freed);
  json.literal("borrowed", block.borrowed() ? "true" : "false");
  json.text_or_null("label", text_of(block.origin));
}

void write_contexts(const Holdings& holdings, Json& json) noexcept {
  json.begin("contexts", '[');
  for (const ContextFigures& c : holdings.contexts) {
    json.begin(nullptr, '{');
    json.string("context", text("%lld", number(c.context)).characters);
    json.text_or_null("parent", c.parent == CADASTRE_PROCESS ? nullptr : text("%lld", number(c.parent)).characters);
    json.string("backend", cadastre_string_of_backend(c.backend));
    json.number("live_blocks", c.live_blocks);
    json.bytes("live_bytes", c.live_bytes);
    json.end('}');
  }
  json.end(']');
}

void write_pools(const Holdings& holdings, Json& json) noexcept {
  json.begin("pools", '[');
  for_each_pool(holdings, [&](const char* type, const cadastre_pool_info_struct& p) {
    json.begin(nullptr, '{');
    json.string("type", type);
    json.number("pool_count", p.pool_count);
    json.bytes("used_bytes", p.used_bytes);
    json.bytes("reserved_bytes", p.reserved_bytes);
    json.bytes("largest_free_bytes", p.largest_free_bytes);
    json.bytes("releasable_bytes", p.releasable_bytes);
    json.number("hits", p.hits);
    json.number("misses", p.misses);
    json.number("trims", p.trims);
    json.end('}');
  });
  json.end(']');
}

void write_plain_frees(const Holdings& holdings, Json& json) {
  json.begin("plain_frees", '[');
  for (const PlainFrees& one : plain_frees_by_size(holdings)) {
    json.begin(nullptr, '{');
    json.text_or_null("label", text_of(one.origin));
    json.number("blocks", one.blocks);
    json.bytes("bytes", one.bytes);
    json.end('}');
  }
  json.end(']');
}

void write_workspaces(const Holdings& holdings, Json& json) noexcept {
  json.begin("workspaces", '[');
  for (const cadastre_workspace_info_struct& w : holdings.workspaces) {
    json.begin(nullptr, '{');
    json.string("type", cadastre_string_of_memory_type(w.type));
    json.number("device_id", w.device_id);
    json.string("scheme", cadastre_string_of_workspace_scheme(w.scheme));
    json.number("workspace_count", w.workspace_count);
    json.bytes("granularity", w.granularity);
    json.bytes("reserved_bytes", w.reserved_bytes);
    json.bytes("used_bytes", w.used_bytes);
    json.bytes("high_water_mark_bytes", w.high_water_mark_bytes);
    json.number("live_leases", w.live_leases);
    json.number("acquisitions", w.acquisitions);
    json.number("failed_acquisitions", w.failed_acquisitions);
    json.number("growths", w.growths);
    json.number("waits", w.waits);
    json.end('}');
  }
  json.end(']');
  json.begin("leases", '[');
  for (const LeaseFigures& l : holdings.leases) {
    json.begin(nullptr, '{');
    json.number("lease", l.lease);
    json.string("type", cadastre_string_of_memory_type(l.type));
    json.bytes("bytes", l.bytes);
    json.end('}');
  }
  json.end(']');
}

void write_usage(const PlaceUsage& one, Json& json) noexcept {
  const cadastre_memory_usage_struct& usage = one.usage;
  json.begin(nullptr, '{');
  json.string("backend", cadastre_string_of_backend(one.backend));
  if (one.device != no_device_id) {
    json.number("device_id", one.device);
  } else {
    json.literal("device_id", "null");
  }
  json.bytes("total_bytes", usage.total_bytes);
  json.bytes("used_bytes", usage.used_bytes);
  json.bytes("tracked_bytes", usage.tracked_bytes);
  json.bytes("uvm_bytes", usage.uvm_bytes);
  json.bytes("untracked_bytes", usage.untracked_bytes);
  json.end('}');
}

void write_usage(const Holdings& holdings, Json& json) {
  json.begin("memory_usage", '[');
  for (const PlaceUsage& one : usage_of_places(holdings)) write_usage(one, json);
  json.end(']');
}

void write_types(const Holdings& holdings, Json& json) noexcept {
  json.begin("memory_types", '{');
  for (std::size_t type = 0; type < memory_types; ++type) {
    json.begin(cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)), '{');
    write_figures(holdings.figures[type], json);
    json.begin("devices", '[');
    for (const DeviceFigures& d : holdings.by_device[type]) {
      json.begin(nullptr, '{');
      json.number("device_id", d.device);
      write_figures(d.figures, json);
      json.end('}');
    }
    json.end(']');
    json.end('}');
  }
  json.end('}');
}

void write_labels(const Holdings& holdings, Json& json) {
  json.begin("labels", '[');
  for (const Share& share : shares_by_size(holdings)) {
    json.begin(nullptr, '{');
    json.text_or_null("label", share.label);
    json.string("type", cadastre_string_of_memory_type(share.type));
    json.number("live_blocks", share.blocks);
    json.bytes("live_bytes", share.bytes);
    json.end('}');
  }
  json.end(']');
}

void write_peak(const Holdings& holdings, Json& json) {
  BlackBoxHolders peak;
  if (holdings.context != CADASTRE_PROCESS || !read_peak_holders(peak)) {
    json.literal("at_peak", "null");
    return;
  }
  json.begin("at_peak", '{');
  json.string("time", time_text(time_of_peak(peak)).characters);
  json.bytes("live_bytes", peak.together);
  json.begin("labels", '[');
  for (std::size_t i = 0; i < std::min<std::uint64_t>(peak.number, most_black_box_holders); ++i) {
    const BlackBoxHolder& holder = peak.holder[i];
    json.begin(nullptr, '{');
    json.text_or_null("label", holder.label[0] ? std::string(text_in(holder.label)).c_str() : nullptr);
    json.string("type", cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(holder.type)));
    json.number("live_blocks", holder.blocks);
    json.bytes("live_bytes", static_cast<std::size_t>(holder.bytes));
    json.end('}');
  }
  json.end(']');
  json.bytes("other_labels", peak.others);
  json.end('}');
}

void write_holdings(const Holdings& holdings, Json& json) {
  json.string("backend", cadastre_string_of_backend(holdings.backend));
  json.number("device_id", holdings.device);
  write_usage(holdings, json);
  write_types(holdings, json);
  write_limit("limit_of_all_memory_types", holdings.limit_of_all, json);
  write_labels(holdings, json);
  write_peak(holdings, json);
  write_contexts(holdings, json);
  write_pools(holdings, json);
  write_workspaces(holdings, json);
  write_plain_frees(holdings, json);
  json.number("blocks", holdings.blocks);
  json.begin("largest_blocks", '[');
  for (const Record& block : blocks_by_size(holdings)) {
    json.begin(nullptr, '{');
    write_block(block, json);
    json.end('}');
  }
  json.end(']');
  write_failures({holdings.failures, holdings.failures_forgotten}, "last_failures", "failures_forgotten", json);
}

}  // namespace

void write_json(const Holdings* holdings, const KeptCreations& creations, const Environment& environment, std::FILE* stream) {
  Json json(stream);
  json.begin(nullptr, '{');
  json.string("cadastre", PACKAGE_VERSION);
  json.number("schema_version", schema_version);
  write_process(json);
  json.text_or_null("context", holdings ? text("%lld", number(holdings->context)).characters : nullptr);
  json.begin("environment_problems", '[');
  for (const EnvironmentVariable& variable : environment.variables) {
    if (*problem_of(variable)) json.string(nullptr, problem_of(variable));
  }
  json.end(']');
  json.begin("environment_resolved", '[');
  for (const EnvironmentVariable& variable : environment.variables) {
    if (*resolved_of(variable)) json.string(nullptr, (variable.name + ": " + resolved_of(variable)).c_str());
  }
  json.end(']');
  write_failures({creations.kept, creations.forgotten}, "failed_creations", "failed_creations_forgotten", json);
  if (holdings) write_holdings(*holdings, json);
  json.end('}');
  std::fputc('\n', stream);
}

}  // namespace cadastre::internal
