// Tangled from org/out/report.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/report.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "config.h"
#include "base/error.hpp"
#include "base/lock.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "context/usage.hpp"
#include "core/forks.hpp"

namespace cadastre::internal {
namespace {

constexpr std::size_t labels_listed = 20, blocks_listed = largest_blocks_told;
constexpr std::int32_t schema_version = 1;

// The blocks with one label on one memory type. label: null for those without one.
struct Share {
  const char* label;
  cadastre_memory_type type;
  std::int64_t blocks;
  std::size_t bytes;
};

// Makes one of neighbours that are of the same.
template <class Part, class Same>
void sum_up(std::vector<Part>& parts, Same same) {
  std::size_t used = 0;
  for (const Part& part : parts) {
    if (used > 0 && same(parts[used - 1], part)) {
      parts[used - 1].blocks += part.blocks;
      parts[used - 1].bytes += part.bytes;
    } else {
      parts[used++] = part;
    }
  }
  parts.resize(used);
}

std::vector<Share> shares_by_size(const Holdings& holdings) {
  std::vector<Share> shares;
  shares.reserve(holdings.labels.size());
  for (const LabelShare& share : holdings.labels) {
    shares.push_back({text_of(share.label), share.type, share.count.blocks, static_cast<std::size_t>(share.count.bytes)});
  }
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.label != b.label ? std::less<>()(a.label, b.label) : a.type < b.type; });
  sum_up(shares, [](const Share& a, const Share& b) { return a.label == b.label && a.type == b.type; });
  std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
    if (a.bytes != b.bytes) return a.bytes > b.bytes;
    const int order = std::strcmp(a.label ? a.label : "", b.label ? b.label : "");
    return order != 0 ? order < 0 : a.type < b.type;
  });
  return shares;
}

// Of several contexts, a label may be there several times.
std::vector<PlainFrees> plain_frees_by_size(const Holdings& holdings) {
  std::vector<PlainFrees> all = holdings.plain_frees;
  std::sort(all.begin(), all.end(), [](const PlainFrees& a, const PlainFrees& b) { return a.origin < b.origin; });
  sum_up(all, [](const PlainFrees& a, const PlainFrees& b) { return a.origin == b.origin; });
  std::stable_sort(all.begin(), all.end(), [](const PlainFrees& a, const PlainFrees& b) { return a.bytes > b.bytes; });
  return all;
}

std::vector<Record> blocks_by_size(const Holdings& holdings) {
  std::vector<Record> blocks = holdings.largest_blocks;
  std::stable_sort(blocks.begin(), blocks.end(), [](const Record& a, const Record& b) { return a.size > b.size; });
  blocks.resize(std::min(blocks.size(), blocks_listed));
  return blocks;
}

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

struct Failures {
  std::span<const KeptFailure> kept;
  std::int64_t forgotten;
};

struct KeptCreations {
  std::vector<KeptFailure> kept;
  std::int64_t forgotten;
};

struct Creations {
  Mutex<Rank::report> mutex;
  KeptFailures failures CADASTRE_GUARDED_BY(mutex);
  std::atomic<std::int64_t> number = 0;
};

// Never destroyed, as static objects may create contexts while the process ends.
Creations& creations() noexcept {
  alignas(Creations) static constinit std::byte storage[sizeof(Creations)] = {};
  static Creations& only = *new (storage) Creations;
  return only;
}

// Made before any fork, so that no child has it half made.
[[gnu::constructor(101)]] void watch_for_forks() noexcept {
  creations();
  const auto lock = []() CADASTRE_UNCHECKED { creations().mutex.lock_for_fork(); };
  const auto unlock = []() CADASTRE_UNCHECKED { creations().mutex.unlock(); };
  at_fork(lock, unlock, unlock);
}

KeptCreations kept_creations() {
  Creations& all = creations();
  std::vector<KeptFailure> kept;
  kept.reserve(KeptFailures::most);
  const Locked lock(all.mutex);
  kept.assign(all.failures.all().begin(), all.failures.all().end());
  return {std::move(kept), all.failures.forgotten()};
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

// Of the memory types that are cached for the next request.
template <class Write>
void for_each_pool(const Holdings& holdings, Write write) {
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_pool_info_struct& pool = holdings.pools[type];
    if (pool.pool_count > 0) write(cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)), pool);
  }
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

  const std::vector<Share> shares = shares_by_size(holdings);
  if (!shares.empty()) std::fprintf(stream, "\n%12s %10s %-8s  label\n", "live", "blocks", "type");
  for (std::size_t i = 0; i < std::min(shares.size(), labels_listed); ++i) {
    std::fprintf(stream, "%12s %10lld %-8s  ", bytes_text(shares[i].bytes).characters, number(shares[i].blocks),
                 cadastre_string_of_memory_type(shares[i].type));
    write_label(shares[i].label, stream);
    std::fputc('\n', stream);
  }
  if (shares.size() > labels_listed) std::fprintf(stream, "and %zu labels more\n", shares.size() - labels_listed);

  write_plain_frees(holdings, stream);

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
  write_failures({holdings.failures, holdings.failures_forgotten}, "the last failure of each kind", stream);
}

// Nothing where there is no text.
void write_line(const char* what, const char* text, std::FILE* stream) noexcept {
  if (!*text) return;
  std::fprintf(stream, "%s: ", what);
  show(text, stream);
  std::fputc('\n', stream);
}

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

class Json {
 public:
  explicit Json(std::FILE* stream) noexcept : stream_(stream) {}

  // An element of the list or object that was begun last; name is null in a list.
  void begin(const char* name, char bracket) noexcept {
    lead(name);
    std::fputc(bracket, stream_);
    ++depth_;
    first_ = true;
  }
  void end(char bracket) noexcept {
    --depth_;
    if (!first_) std::fprintf(stream_, "\n%*s", 2 * depth_, "");
    std::fputc(bracket, stream_);
    first_ = false;
  }
  void string(const char* name, std::string_view value) noexcept {
    lead(name);
    quote(value);
  }
  void number(const char* name, std::int64_t value) noexcept {
    lead(name);
    std::fprintf(stream_, "%lld", static_cast<long long>(value));
  }
  void bytes(const char* name, std::size_t value) noexcept {
    lead(name);
    std::fprintf(stream_, "%zu", value);
  }
  void literal(const char* name, const char* value) noexcept {
    lead(name);
    std::fputs(value, stream_);
  }

  void text_or_null(const char* name, const char* value) noexcept { value ? string(name, value) : literal(name, "null"); }

 private:
  void quote(std::string_view value) noexcept {
    std::fputc('"', stream_);
    show_as_json(value, [this](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stream_); });
    std::fputc('"', stream_);
  }
  void lead(const char* name) noexcept {
    if (depth_ > 0) std::fprintf(stream_, "%s\n%*s", first_ ? "" : ",", 2 * depth_, "");
    first_ = false;
    if (!name) return;
    quote(name);
    std::fputs(": ", stream_);
  }

  std::FILE* stream_;
  int depth_ = 0;
  bool first_ = true;
};

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

void write_holdings(const Holdings& holdings, Json& json) {
  json.string("backend", cadastre_string_of_backend(holdings.backend));
  json.number("device_id", holdings.device);
  write_usage(holdings, json);
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
  write_limit("limit_of_all_memory_types", holdings.limit_of_all, json);
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

}  // namespace

cadastre_exit_code admit_format(cadastre_report_format format) noexcept {
  if (format == CADASTRE_REPORT_TEXT || format == CADASTRE_REPORT_JSON) return CADASTRE_SUCCESS;
  return fail(
      {.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_INVALID_FORMAT, .requested = static_cast<std::size_t>(format)});
}

void keep_failed_creation(const char* function) noexcept {
  Creations& all = creations();
  ++all.number;
  KeptFailures::Room room = KeptFailures::make_room();  // outside, since a fork locks own memory before this mutex
  const Locked lock(all.mutex);
  all.failures.use(room);
  if (all.failures.has_room()) all.failures.keep(function, failed_last(), time_now());
}

std::int64_t failed_creations() noexcept { return creations().number; }

cadastre_exit_code write_report(const Holdings* holdings, const Environment& environment, std::FILE* stream,
                                cadastre_report_format format) {
  const KeptCreations creations = kept_creations();
  assert_no_lock_held("the stream of a report");
  if (std::ferror(stream)) {
    return fail({.exit_code = CADASTRE_ERRNO,
                 .reason = CADASTRE_REASON_WRITE_FAILED,
                 .vendor = "the stream's error indicator was set before; clearerr clears it"});
  }
  errno = 0;
  (format == CADASTRE_REPORT_JSON ? write_json : write_text)(holdings, creations, environment, stream);
  if (std::fflush(stream) == 0 && !std::ferror(stream)) return CADASTRE_SUCCESS;
  const int error = errno;
  return fail({.exit_code = CADASTRE_ERRNO, .reason = CADASTRE_REASON_WRITE_FAILED, .vendor_code = error, .vendor = text_of_errno(error)});
}

}  // namespace cadastre::internal
