// Tangled from org/command/info.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "info.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "base/capacity.hpp"
#include "base/places.hpp"
#include "cadastre.h"
#include "statistics.hpp"
#include "trace.hpp"

namespace cadastre::command {
namespace {

using Json = nlohmann::ordered_json;

std::vector<cadastre_backend_info_struct> backends() {
  std::vector<cadastre_backend_info_struct> result;
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) {
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    if (cadastre_backend_get_info(backend, &info) == CADASTRE_SUCCESS) result.push_back(info);
  }
  return result;
}

std::vector<cadastre_environment_info_struct> variables() {
  std::vector<cadastre_environment_info_struct> result;
  for (std::int32_t i = 0; i < cadastre_environment_get_count(); ++i) {
    cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
    if (cadastre_environment_get_info(i, &info) == CADASTRE_SUCCESS) result.push_back(info);
  }
  return result;
}

bool supports(const cadastre_backend_info_struct& backend, cadastre_memory_type type) {
  return backend.available && (backend.memory_type_mask >> type & 1u);
}

// The "name: value" lines of the build options.
std::vector<std::pair<std::string, std::string>> build_options() {
  std::vector<std::pair<std::string, std::string>> result;
  std::string_view rest = cadastre_get_build_options();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty()) continue;
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::size_t value = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    result.emplace_back(line.substr(0, colon), line.substr(value));
  }
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
  return result;
}

std::vector<std::string> types_of(const cadastre_backend_info_struct& backend) {
  std::vector<std::string> result;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (supports(backend, type)) result.emplace_back(cadastre_string_of_memory_type(type));
  }
  return result;
}

std::vector<cadastre_device_info_struct> devices_of(const cadastre_backend_info_struct& backend) {
  std::vector<cadastre_device_info_struct> result;
  for (std::int32_t device = 0; device < backend.device_count; ++device) {
    cadastre_device_info_struct info = cadastre_device_info_struct_zero;
    if (cadastre_device_get_info(backend.backend, device, &info) == CADASTRE_SUCCESS) result.push_back(info);
  }
  return result;
}

// Bytes that this program does not use through the library.
std::size_t untracked_on(const cadastre_device_info_struct& device) {
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  cadastre_device_get_memory_usage(device.backend, device.device_id, &usage);
  return usage.untracked_bytes;
}

std::string text_of(const cadastre_device_info_struct& device) {
  std::string text = "device " + std::to_string(device.device_id) + ": " + (device.name[0] ? printable(device.name) : "no name");
  if (device.total_bytes > 0) text += ", " + in_bytes(device.free_bytes) + " of " + in_bytes(device.total_bytes) + " free";
  const std::size_t others = untracked_on(device);
  if (others > 0) text += ", " + in_bytes(others) + " used by others";
  if (device.integrated) text += ", uses the host's memory";
  if (device.host_access) text += ", the host reaches its memory";
  if (device.pageable_access) text += ", its kernels reach pageable memory";
  if (device.uuid[0]) text += ", " + printable(device.uuid);
  return text;
}

std::vector<std::string> backends_with(cadastre_memory_type type) {
  std::vector<std::string> result;
  for (const auto& backend : backends()) {
    if (supports(backend, type)) result.emplace_back(backend.name);
  }
  return result;
}

}  // namespace

namespace {

cadastre_memory_usage_struct usage_of_host() {
  cadastre_memory_usage_struct usage = cadastre_memory_usage_struct_zero;
  cadastre_host_get_memory_usage(&usage);
  return usage;
}

// Of a text with a semicolon between its parts.
std::vector<std::string> parts_of(std::string_view rest) {
  std::vector<std::string> result;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("; "), rest.size());
    result.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return result;
}

// What heaps of contexts do in another way than they were meant to, here.
std::vector<std::string> fallbacks_of_heaps() {
  for (const auto& variable : variables()) {
    if (std::string_view(variable.name) == "CADASTRE_HEAP") return parts_of(variable.resolved);
  }
  return {};
}

// Whether large blocks use again what others have left, and why.
struct LargeBlocks {
  bool used_again = false;
  const char* why = "";
};

LargeBlocks large_blocks() {
  for (const auto& variable : variables()) {
    if (std::string_view(variable.name) != "CADASTRE_HEAP") continue;
    if (variable.value && std::string_view(variable.value) == "off") return {false, "CADASTRE_HEAP is off"};
    if (std::strstr(variable.resolved, "a checker of memory")) return {false, "a checker of memory watches malloc"};
  }
  switch (internal::places_of(internal::cpus_of_process())) {
    case internal::Places::one: return {true, "the CPUs of this process lie in one NUMA node"};
    case internal::Places::several: return {false, "the CPUs of this process lie in several NUMA nodes"};
    default: return {false, "the system does not say in which NUMA nodes the CPUs of this process lie"};
  }
}

// The memory of the host, and the limits on it.
std::string memory_as_text() {
  const internal::HostCapacity host = internal::host_capacity();
  Table table("ll");
  const std::string total = host.ram ? in_bytes(*host.ram) : "unknown";
  table.add({"  RAM", host.available ? total + ", of which " + in_bytes(*host.available) + " available" : total});
  if (host.group) {
    const std::string used = host.group->used ? ", of which " + in_bytes(*host.group->used) + " used" : "";
    table.add({"  control groups", "at most " + in_bytes(host.group->bytes) + used});
    table.add({"", "according to " + printable(host.group->file, sizeof host.group->file)});
  } else {
    table.add({"  control groups", "no limit"});
  }
  if (host.address_space) table.add({"  address space", "at most " + in_bytes(*host.address_space)});
  const cadastre_memory_usage_struct usage = usage_of_host();
  table.add(
      {"  this process", in_bytes(usage.used_bytes) + " resident, of which " + in_bytes(usage.untracked_bytes) + " are not the library's"});
  if (*host.doubt) table.add({"", std::string("problem: ") + host.doubt});
  for (const std::string& fallback : fallbacks_of_heaps()) table.add({"  heaps", fallback});
  const LargeBlocks large = large_blocks();
  table.add({"  large blocks",
             std::string(large.used_again ? "use freed pages again, since " : "come untouched from the system, since ") + large.why});
  return table.text();
}

struct NewContext {
  std::string backend, problem;  // one of them is empty
};

// What cadastre_context_create does here, except for the files that it would empty. The library keeps what it has read.
NewContext create_context() {
  if (cadastre_environment_get_count() > 0) {
    unsetenv("CADASTRE_TRACE");
    unsetenv("CADASTRE_REPORT");
  }
  const cadastre_context context = cadastre_context_create();
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  if (context != CADASTRE_NULL_CONTEXT) {
    cadastre_context_get_options(context, &options);
    cadastre_context_destroy(context);
    return {cadastre_string_of_backend(options.backend), ""};
  }
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(CADASTRE_NULL_CONTEXT, &error);
  return {"", printable(error.message, sizeof error.message)};
}

std::string text_of(const NewContext& created) {
  return created.problem.empty() ? "A new context uses the " + created.backend + " backend."
                                 : "A context cannot be created: " + created.problem;
}

std::string build_as_text() {
  Table build("ll");
  for (const auto& [name, value] : build_options()) build.add({"  " + name, value});
  return build.text();
}

std::string backends_as_text() {
  Table machine("lll");
  for (const auto& backend : backends()) {
    const std::vector<std::string> parts = parts_of(backend.description);
    machine.add({std::string("  ") + backend.name, backend.available ? "available" : "unavailable", parts.empty() ? "" : parts[0]});
    for (std::size_t i = 1; i < parts.size(); ++i) machine.add({"", "", parts[i]});
    if (!backend.available) {
      machine.add({"", "", backend.problem});
      continue;
    }
    machine.add({"", "", "supports " + joined(types_of(backend))});
    if (backend.device_count > 0) machine.add({"", "", counted(backend.device_count, "device")});
    for (const auto& device : devices_of(backend)) machine.add({"", "", text_of(device)});
  }
  return machine.text() + "  " + text_of(create_context()) + "\n";
}

std::string memory_types_as_text() {
  Table types("ll");
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    const std::vector<std::string> names = backends_with(type);
    types.add({std::string("  ") + cadastre_string_of_memory_type(type),
               names.empty() ? "not supported by any available backend; CADASTRE_EMULATED_DEVICES=1 emulates it"
                             : "supported by " + joined(names)});
  }
  return types.text();
}

std::string environment_as_text(bool all) {
  Table environment("ll");
  std::int64_t unset = 0;
  for (const auto& variable : variables()) {
    if (!variable.value && !*variable.problem && !all) {
      ++unset;
      continue;
    }
    environment.add({"  " + printable(variable.name), variable.value ? "'" + printable(variable.value, 200) + "'"
                                                                     : std::string("not set; the default is ") + variable.default_value});
    if (*variable.problem) environment.add({"", "problem: " + printable(variable.problem, 600)});
    if (*variable.description) environment.add({"", variable.description});
    if (*variable.expected && !*variable.problem) environment.add({"", std::string("expected: ") + variable.expected});
    if (*variable.resolved) environment.add({"", "here: " + printable(variable.resolved, 4000)});
  }
  if (unset == 0) return environment.text();
  return environment.text() + "  " + counted(unset, "variable") + " not set; --all shows them with their defaults and expected values\n";
}

}  // namespace

std::string info_as_text(bool all) {
  std::string text = std::string("cadastre ") + cadastre_get_version() + "\n";
  text += "\nBuild\n" + build_as_text();
  text += "\nBackends\n" + backends_as_text();
  text += "\nMemory types\n" + memory_types_as_text();
  text += "\nMemory\n" + memory_as_text();
  text += "\nEnvironment\n" + environment_as_text(all);
  return text;
}

namespace {

Json text_or_null(const char* text) { return text && *text ? Json(text) : Json(); }

Json devices_as_json(const cadastre_backend_info_struct& backend) {
  Json json = Json::array();
  for (const auto& device : devices_of(backend)) {
    json.push_back({{"device_id", device.device_id},
                    {"name", device.name},
                    {"uuid", text_or_null(device.uuid)},
                    {"integrated", device.integrated != 0},
                    {"host_access", device.host_access != 0},
                    {"pageable_access", device.pageable_access != 0},
                    {"total_bytes", device.total_bytes},
                    {"free_bytes", device.free_bytes},
                    {"untracked_bytes", untracked_on(device)}});
  }
  return json;
}

Json memory_as_json() {
  const cadastre_memory_usage_struct usage = usage_of_host();
  const internal::HostCapacity host = internal::host_capacity();
  const LargeBlocks large = large_blocks();
  const auto or_null = [](const std::optional<std::uint64_t>& bytes) { return bytes ? Json(*bytes) : Json(); };
  Json json = {{"total", or_null(host.ram)},
               {"available", or_null(host.available)},
               {"limit", Json()},
               {"address_space", or_null(host.address_space)},
               {"resident", usage.used_bytes},
               {"untracked", usage.untracked_bytes},
               {"problem", *host.doubt ? Json(host.doubt) : Json()},
               {"heaps", fallbacks_of_heaps()},
               {"large_blocks", {{"use_freed_pages", large.used_again}, {"why", large.why}}}};
  if (host.group) {
    json["limit"] = {{"bytes", host.group->bytes}, {"used", or_null(host.group->used)}, {"file", host.group->file}};
  }
  return json;
}

}  // namespace

std::string info_as_json() {
  const NewContext created = create_context();  // which resolves what depends on this machine
  Json json;
  json["cadastre"] = cadastre_get_version();
  json["schema_version"] = 1;
  json["build"] = Json::object();
  for (const auto& [name, value] : build_options()) json["build"][name] = value;
  json["backends"] = Json::array();
  for (const auto& backend : backends()) {
    json["backends"].push_back({{"name", backend.name},
                                {"description", backend.description},
                                {"available", backend.available != 0},
                                {"problem", backend.available ? Json() : Json(backend.problem)},
                                {"devices", devices_as_json(backend)},
                                {"memory_types", types_of(backend)}});
  }
  json["new_context"] = {{"backend", text_or_null(created.backend.c_str())}, {"problem", text_or_null(created.problem.c_str())}};
  json["memory_types"] = Json::array();
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    json["memory_types"].push_back(
        {{"name", cadastre_string_of_memory_type(type)}, {"supported", !backends_with(type).empty()}, {"backends", backends_with(type)}});
  }
  json["memory"] = memory_as_json();
  json["environment"] = Json::array();
  for (const auto& variable : variables()) {
    json["environment"].push_back({{"name", variable.name},
                                   {"value", variable.value ? Json(variable.value) : Json()},
                                   {"default", text_or_null(variable.default_value)},
                                   {"expected", text_or_null(variable.expected)},
                                   {"description", text_or_null(variable.description)},
                                   {"problem", text_or_null(variable.problem)},
                                   {"resolved", text_or_null(variable.resolved)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool environment_is_well_formed() {
  const std::vector<cadastre_environment_info_struct> all = variables();
  return std::none_of(all.begin(), all.end(), [](const auto& one) { return *one.problem && *one.description; });
}

}  // namespace cadastre::command
