// Tangled from org/report.org; change the chapter, then run: make tangle
#include "report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "config.h"
#include "error.hpp"

namespace cadastre::internal {
namespace {

constexpr std::size_t labels_listed = 20, blocks_listed = 10;

std::vector<Label> labels_by_size(const Holdings& holdings) {
  std::vector<Label> labels = holdings.labels;
  std::ranges::stable_sort(labels, [](const Label& a, const Label& b) {
    return a.live_bytes != b.live_bytes ? a.live_bytes > b.live_bytes : std::strcmp(a.text, b.text) < 0;
  });
  return labels;
}

std::vector<Record> blocks_by_size(const Holdings& holdings) {
  std::vector<Record> blocks = holdings.snapshot.blocks;
  std::ranges::stable_sort(blocks, std::ranges::greater(), &Record::size);
  return blocks;
}

Text bytes_text(std::size_t bytes) noexcept {
  if (bytes == CADASTRE_UNLIMITED) return Text("none");
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return text("%zu B", bytes);
  double scaled = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; scaled >= 1024 && unit + 1 < std::size(units); ++unit) scaled /= 1024;
  return text("%.1f %s", scaled, units[unit]);
}

void write_devices(const std::vector<DeviceFigures>& devices, std::FILE* stream) {
  for (const DeviceFigures& d : devices) {
    std::fprintf(stream, "%-8s on device %d: %lld blocks, %s live, %s high-water\n", "", d.device,
                 static_cast<long long>(d.figures.live_blocks), bytes_text(d.figures.live_bytes).characters,
                 bytes_text(d.figures.high_water_mark).characters);
  }
}

void write_figures(const Holdings& holdings, std::FILE* stream) {
  std::fprintf(stream, "%-8s %10s %12s %12s %12s %10s %10s %10s %12s\n", "type", "blocks", "live", "high-water",
               "total", "allocated", "freed", "failures", "limit");
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_statistics_struct& f = holdings.figures[type];
    std::fprintf(stream, "%-8s %10lld %12s %12s %12s %10lld %10lld %10lld %12s\n",
                 cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)),
                 static_cast<long long>(f.live_blocks), bytes_text(f.live_bytes).characters,
                 bytes_text(f.high_water_mark).characters, bytes_text(f.total_bytes).characters,
                 static_cast<long long>(f.allocations), static_cast<long long>(f.deallocations),
                 static_cast<long long>(f.failures), bytes_text(f.limit).characters);
    if (f.borrowed_blocks + f.failed_frees + f.lost_blocks + f.reallocations > 0) {
      std::fprintf(stream, "%-8s %lld resized, %lld borrowed, %lld not freed by the backend, %lld lost\n", "",
                   static_cast<long long>(f.reallocations), static_cast<long long>(f.borrowed_blocks),
                   static_cast<long long>(f.failed_frees), static_cast<long long>(f.lost_blocks));
    }
    if (holdings.by_device[type].size() > 1) write_devices(holdings.by_device[type], stream);
  }
}

// Of the memory types that are kept for the next request.
template <class Write>
void for_each_pool(const Holdings& holdings, Write write) {
  for (std::size_t type = 0; type < memory_types; ++type) {
    const cadastre_pool_info_struct& pool = holdings.pools[type];
    if (pool.pools > 0) write(cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)), pool);
  }
}

void write_pools(const Holdings& holdings, std::FILE* stream) {
  bool headed = false;
  for_each_pool(holdings, [&](const char* type, const cadastre_pool_info_struct& p) {
    if (!std::exchange(headed, true)) {
      std::fprintf(stream, "\n%-8s %12s %12s %12s %12s %10s %10s %10s\n", "type", "pool", "used", "releasable",
                   "largest free", "hits", "misses", "trims");
    }
    std::fprintf(stream, "%-8s %12s %12s %12s %12s %10lld %10lld %10lld\n", type, bytes_text(p.reserved).characters,
                 bytes_text(p.used).characters, bytes_text(p.releasable).characters, bytes_text(p.largest_free).characters,
                 static_cast<long long>(p.hits), static_cast<long long>(p.misses), static_cast<long long>(p.trims));
  });
}

void write_workspaces(const Holdings& holdings, std::FILE* stream) {
  std::fprintf(stream, "\n%-8s %-15s %12s %12s %12s %8s %10s %10s %10s\n", "type", "workspace", "size", "lent",
               "high-water", "leases", "lends", "refusals", "growths");
  for (const cadastre_workspace_info_struct& w : holdings.workspaces) {
    std::fprintf(stream, "%-8s %-15s %12s %12s %12s %8lld %10lld %10lld %10lld\n", cadastre_string_of_memory_type(w.type),
                 cadastre_string_of_workspace_scheme(w.scheme), bytes_text(w.size).characters,
                 bytes_text(w.in_use).characters, bytes_text(w.high_water_mark).characters,
                 static_cast<long long>(w.live_leases), static_cast<long long>(w.lends),
                 static_cast<long long>(w.refusals), static_cast<long long>(w.growths));
  }
  for (std::size_t i = 0; i < std::min(holdings.leases.size(), blocks_listed); ++i) {
    const LeaseFigures& l = holdings.leases[i];
    std::fprintf(stream, "%-8s lease %lld: %s\n", cadastre_string_of_memory_type(l.type), static_cast<long long>(l.lease),
                 bytes_text(l.bytes).characters);
  }
  if (holdings.leases.size() > blocks_listed) std::fprintf(stream, "and %zu leases more\n", holdings.leases.size() - blocks_listed);
}

void write_text(const Holdings& holdings, const Environment& environment, std::FILE* stream) {
  std::fprintf(stream, "Cadastre %s, context %lld, %s backend\n", PACKAGE_VERSION,
               static_cast<long long>(holdings.context), cadastre_string_of_backend(holdings.backend));
  for (const EnvironmentVariable& variable : environment.variables) {
    if (*problem_of(variable)) std::fprintf(stream, "environment: %s\n", problem_of(variable));
  }
  write_figures(holdings, stream);
  write_pools(holdings, stream);
  if (!holdings.workspaces.empty()) write_workspaces(holdings, stream);

  const std::vector<Label> labels = labels_by_size(holdings);
  if (!labels.empty()) std::fprintf(stream, "\n%12s %10s  label\n", "live", "blocks");
  for (std::size_t i = 0; i < std::min(labels.size(), labels_listed); ++i) {
    std::fprintf(stream, "%12s %10lld  %s\n", bytes_text(labels[i].live_bytes).characters,
                 static_cast<long long>(labels[i].live_blocks), labels[i].text);
  }
  if (labels.size() > labels_listed) std::fprintf(stream, "and %zu labels more\n", labels.size() - labels_listed);

  const std::vector<Record> blocks = blocks_by_size(holdings);
  if (!blocks.empty()) std::fprintf(stream, "\n%12s %-8s %8s  largest blocks\n", "size", "type", "number");
  for (std::size_t i = 0; i < std::min(blocks.size(), blocks_listed); ++i) {
    std::fprintf(stream, "%12s %-8s %8llu  %p%s%s%s\n", bytes_text(blocks[i].size).characters,
                 cadastre_string_of_memory_type(blocks[i].type), static_cast<unsigned long long>(blocks[i].serial),
                 blocks[i].pointer, blocks[i].borrowed() ? " borrowed" : "", blocks[i].label ? " " : "",
                 blocks[i].label ? blocks[i].label->text : "");
  }
  if (blocks.size() > blocks_listed) std::fprintf(stream, "and %zu blocks more\n", blocks.size() - blocks_listed);
}

// The number of bytes of the well-formed UTF-8 sequence at the head of text; 0 when there is none.
std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool beyond = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

void write_json_string(std::string_view text, std::FILE* stream) noexcept {
  std::fputc('"', stream);
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = utf8_length(text);
    if (byte == '"' || byte == '\\') {
      std::fprintf(stream, "\\%c", byte);
    } else if (byte < 0x20) {
      std::fprintf(stream, "\\u%04x", byte);
    } else if (length == 0) {
      std::fputs("\\ufffd", stream);
    } else {
      std::fwrite(text.data(), 1, length, stream);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  std::fputc('"', stream);
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
    write_json_string(value, stream_);
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

 private:
  void lead(const char* name) noexcept {
    if (depth_ > 0) std::fprintf(stream_, "%s\n%*s", first_ ? "" : ",", 2 * depth_, "");
    first_ = false;
    if (!name) return;
    write_json_string(name, stream_);
    std::fputs(": ", stream_);
  }

  std::FILE* stream_;
  int depth_ = 0;
  bool first_ = true;
};

void write_figures(const cadastre_statistics_struct& f, Json& json) noexcept {
  json.number("live_blocks", f.live_blocks);
  json.bytes("live_bytes", f.live_bytes);
  json.bytes("high_water_mark", f.high_water_mark);
  json.number("high_water_blocks", f.high_water_blocks);
  json.bytes("total_bytes", f.total_bytes);
  json.bytes("zeroed_bytes", f.zeroed_bytes);
  json.number("allocations", f.allocations);
  json.number("deallocations", f.deallocations);
  json.number("reallocations", f.reallocations);
  json.number("failures", f.failures);
  json.number("failed_frees", f.failed_frees);
  json.number("lost_blocks", f.lost_blocks);
  json.number("borrowed_blocks", f.borrowed_blocks);
  if (f.limit == CADASTRE_UNLIMITED) {
    json.literal("limit", "null");
  } else {
    json.bytes("limit", f.limit);
  }
}

void write_block(const Record& block, Json& json) noexcept {
  json.bytes("number", block.serial);
  json.string("pointer", text("%p", block.pointer).characters);
  json.bytes("size", block.size);
  json.string("type", cadastre_string_of_memory_type(block.type));
  json.number("device", block.device);
  json.string("backend", cadastre_string_of_backend(block.backend));
  json.bytes("alignment", block.alignment());
  json.bytes("stride", block.stride_or_freed);
  json.literal("borrowed", block.borrowed() ? "true" : "false");
  if (block.label) {
    json.string("label", block.label->text);
  } else {
    json.literal("label", "null");
  }
}

void write_pools(const Holdings& holdings, Json& json) noexcept {
  json.begin("pools", '[');
  for_each_pool(holdings, [&](const char* type, const cadastre_pool_info_struct& p) {
    json.begin(nullptr, '{');
    json.string("type", type);
    json.number("pools", p.pools);
    json.bytes("used", p.used);
    json.bytes("reserved", p.reserved);
    json.bytes("largest_free", p.largest_free);
    json.bytes("releasable", p.releasable);
    json.number("hits", p.hits);
    json.number("misses", p.misses);
    json.number("trims", p.trims);
    json.end('}');
  });
  json.end(']');
}

void write_workspaces(const Holdings& holdings, Json& json) noexcept {
  json.begin("workspaces", '[');
  for (const cadastre_workspace_info_struct& w : holdings.workspaces) {
    json.begin(nullptr, '{');
    json.string("type", cadastre_string_of_memory_type(w.type));
    json.number("device", w.device);
    json.string("scheme", cadastre_string_of_workspace_scheme(w.scheme));
    json.number("workspaces", w.workspaces);
    json.bytes("granularity", w.granularity);
    json.bytes("size", w.size);
    json.bytes("in_use", w.in_use);
    json.bytes("high_water_mark", w.high_water_mark);
    json.number("live_leases", w.live_leases);
    json.number("lends", w.lends);
    json.number("refusals", w.refusals);
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

void write_json(const Holdings& holdings, const Environment& environment, std::FILE* stream) {
  Json json(stream);
  json.begin(nullptr, '{');
  json.string("cadastre", PACKAGE_VERSION);
  json.string("context", text("%lld", static_cast<long long>(holdings.context)).characters);
  json.string("backend", cadastre_string_of_backend(holdings.backend));
  json.number("device", holdings.device);
  json.begin("environment_problems", '[');
  for (const EnvironmentVariable& variable : environment.variables) {
    if (*problem_of(variable)) json.string(nullptr, problem_of(variable));
  }
  json.end(']');
  json.begin("memory_types", '{');
  for (std::size_t type = 0; type < memory_types; ++type) {
    json.begin(cadastre_string_of_memory_type(static_cast<cadastre_memory_type>(type)), '{');
    write_figures(holdings.figures[type], json);
    json.begin("devices", '[');
    for (const DeviceFigures& d : holdings.by_device[type]) {
      json.begin(nullptr, '{');
      json.number("device", d.device);
      write_figures(d.figures, json);
      json.end('}');
    }
    json.end(']');
    json.end('}');
  }
  json.end('}');
  json.begin("labels", '[');
  for (const Label& label : labels_by_size(holdings)) {
    json.begin(nullptr, '{');
    json.string("label", label.text);
    json.number("live_blocks", label.live_blocks);
    json.bytes("live_bytes", label.live_bytes);
    json.end('}');
  }
  json.end(']');
  write_pools(holdings, json);
  write_workspaces(holdings, json);
  json.bytes("blocks", holdings.snapshot.blocks.size());
  json.begin("largest_blocks", '[');
  const std::vector<Record> blocks = blocks_by_size(holdings);
  for (std::size_t i = 0; i < std::min(blocks.size(), blocks_listed); ++i) {
    json.begin(nullptr, '{');
    write_block(blocks[i], json);
    json.end('}');
  }
  json.end(']');
  json.end('}');
  std::fputc('\n', stream);
}

}  // namespace

cadastre_exit_code admit_format(cadastre_report_format format) noexcept {
  if (format == CADASTRE_REPORT_TEXT || format == CADASTRE_REPORT_JSON) return CADASTRE_SUCCESS;
  return fail({.exit_code = CADASTRE_INVALID_ARG_3, .reason = CADASTRE_REASON_UNKNOWN_FORMAT,
               .asked = static_cast<std::size_t>(format)});
}

cadastre_exit_code write_report(const Holdings& holdings, const Environment& environment, std::FILE* stream,
                                cadastre_report_format format) {
  if (std::ferror(stream)) {
    return fail({.exit_code = CADASTRE_ERRNO, .reason = CADASTRE_REASON_WRITE_FAILED,
                 .vendor = "the stream's error indicator was set before; clearerr clears it"});
  }
  errno = 0;
  (format == CADASTRE_REPORT_JSON ? write_json : write_text)(holdings, environment, stream);
  if (std::fflush(stream) == 0 && !std::ferror(stream)) return CADASTRE_SUCCESS;
  const int error = errno;
  return fail({.exit_code = CADASTRE_ERRNO, .reason = CADASTRE_REASON_WRITE_FAILED, .vendor_code = error,
               .vendor = strerrordesc_np(error)});
}

}  // namespace cadastre::internal
