// Tangled from org/python/tables.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "tables.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "arguments.hpp"

namespace py = pybind11;

namespace cadastre::python {
namespace {

py::object none_if(bool none, std::int64_t number) {
  if (none) return py::none();
  return py::int_(number);
}

py::object label_of_or_none(const char* label) { return *label ? label_of(label) : py::none(); }

py::str name_of_type(cadastre_memory_type type) { return type == CADASTRE_ALL_MEMORY_TYPES ? "ALL" : cadastre_string_of_memory_type(type); }

std::vector<cadastre_memory_info_struct> snapshot(cadastre_context context) {
  std::vector<cadastre_memory_info_struct> found;
  const auto append = [](const cadastre_memory_info_struct* info, void* list) -> cadastre_exit_code {
    static_cast<std::vector<cadastre_memory_info_struct>*>(list)->push_back(*info);
    return CADASTRE_SUCCESS;
  };
  check(context, waiting([&] { return cadastre_foreach_block(context, append, &found); }));
  return found;
}

}  // namespace

py::object label_of(const char* label) {
  if (!label) return py::none();
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(label, static_cast<Py_ssize_t>(std::char_traits<char>::length(label)), "replace"));
}

py::object device_id_of(std::int32_t device_id) { return none_if(device_id < 0, device_id); }

py::dict statistics(cadastre_context context, cadastre_memory_type type, std::optional<std::int32_t> device_id) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  check(context, waiting([&] {
          return device_id ? cadastre_get_device_statistics(context, type, *device_id, &figures)
                           : cadastre_get_statistics(context, type, &figures);
        }));
  py::dict row;
  row["type"] = name_of_type(type);
  row["allocations"] = figures.allocations;
  row["deallocations"] = figures.deallocations;
  row["reallocations"] = figures.reallocations;
  row["failed_allocations"] = figures.failed_allocations;
  row["failed_deallocations"] = figures.failed_deallocations;
  row["untracked_deallocations"] = figures.untracked_deallocations;
  row["live_blocks"] = figures.live_blocks;
  row["borrowed_blocks"] = figures.borrowed_blocks;
  row["high_water_mark_blocks"] = figures.high_water_mark_blocks;
  row["live_bytes"] = figures.live_bytes;
  row["high_water_mark_bytes"] = figures.high_water_mark_bytes;
  row["total_bytes"] = figures.total_bytes;
  row["zeroed_bytes"] = figures.zeroed_bytes;
  row["limit"] = limit_as_object(figures.limit);
  return row;
}

py::list statistics_by_type(cadastre_context context) {
  py::list table;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) table.append(statistics(context, type, std::nullopt));
  return table;
}

py::dict pool(cadastre_context context, cadastre_memory_type type) {
  cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
  check(context, waiting([&] { return cadastre_pool_get_info(context, type, &info); }));
  py::dict row;
  row["type"] = name_of_type(type);
  row["pool"] = cadastre_string_of_pool(info.pool);
  row["pool_count"] = info.pool_count;
  row["used_bytes"] = info.used_bytes;
  row["reserved_bytes"] = info.reserved_bytes;
  row["largest_free_bytes"] = info.largest_free_bytes;
  row["releasable_bytes"] = info.releasable_bytes;
  row["hits"] = info.hits;
  row["misses"] = info.misses;
  row["trims"] = info.trims;
  return row;
}

py::dict registry(cadastre_context context) {
  cadastre_registry_info_struct info = cadastre_registry_info_struct_zero;
  check(context, waiting([&] { return cadastre_get_registry_info(context, &info); }));
  py::dict row;
  row["entries"] = info.entries;
  row["capacity"] = info.capacity;
  row["doublings"] = info.doublings;
  row["live_records"] = info.live_records;
  return row;
}

py::dict workspace(cadastre_context context, cadastre_memory_type type) {
  cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
  check(context, waiting([&] { return cadastre_workspace_get_info(context, type, &info); }));
  py::dict row;
  row["type"] = name_of_type(info.type);
  row["device_id"] = device_id_of(info.device_id);
  row["scheme"] = cadastre_string_of_workspace_scheme(info.scheme);
  row["workspace_count"] = info.workspace_count;
  row["granularity"] = info.granularity;
  row["reserved_bytes"] = info.reserved_bytes;
  row["used_bytes"] = info.used_bytes;
  row["high_water_mark_bytes"] = info.high_water_mark_bytes;
  row["live_leases"] = info.live_leases;
  row["acquisitions"] = info.acquisitions;
  row["failed_acquisitions"] = info.failed_acquisitions;
  row["growths"] = info.growths;
  row["waits"] = info.waits;
  return row;
}

py::str report(cadastre_context context, cadastre_report_format format) {
  char* text = nullptr;
  std::size_t length = 0;
  FILE* const stream = open_memstream(&text, &length);
  if (!stream) throw std::bad_alloc();
  const cadastre_exit_code code = waiting([&] { return cadastre_report(context, stream, format); });
  const bool written = std::fclose(stream) == 0;
  const std::unique_ptr<char, void (*)(void*)> owner(text, std::free);
  check(context, code);
  if (!written || !text) throw std::bad_alloc();
  return py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(length), "replace"));
}

py::dict description(const cadastre_memory_info_struct& info) {
  py::list flags;
  if (info.flags & CADASTRE_UNINITIALIZED) flags.append("UNINITIALIZED");
  if (info.flags & CADASTRE_BORROWED) flags.append("BORROWED");
  if (info.flags & CADASTRE_STREAM_ORDERED) flags.append("STREAM_ORDERED");
  if (info.flags & CADASTRE_WORKSPACE_MEMORY) flags.append("WORKSPACE_MEMORY");
  if (info.flags & CADASTRE_EXPORTABLE) flags.append("EXPORTABLE");
  if (info.flags & CADASTRE_SHARED_SEGMENT) flags.append("SHARED_SEGMENT");
  if (info.flags & CADASTRE_IMPORTED) flags.append("IMPORTED");
  if (info.flags & CADASTRE_ATTACHED) flags.append("ATTACHED");
  py::dict row;
  row["address"] = reinterpret_cast<std::uintptr_t>(info.pointer);
  row["size"] = info.size;
  row["type"] = name_of_type(info.type);
  row["label"] = label_of(info.label);
  row["backend"] = cadastre_string_of_backend(info.backend);
  row["device_id"] = device_id_of(info.device_id);
  row["alignment"] = info.alignment;
  row["stride"] = none_if(info.stride == 0, static_cast<std::int64_t>(info.stride));
  row["flags"] = flags;
  return row;
}

py::list blocks(cadastre_context context) {
  py::list table;
  for (const cadastre_memory_info_struct& info : snapshot(context)) table.append(description(info));
  return table;
}

// Labels with an address each are one text: the library keeps a text once.
py::list by_label(cadastre_context context) {
  struct Sum {
    std::int64_t blocks = 0;
    std::size_t bytes = 0;
  };
  std::map<std::pair<std::string, cadastre_memory_type>, Sum> sums;
  for (const cadastre_memory_info_struct& info : snapshot(context)) {
    if (info.flags & (CADASTRE_BORROWED | CADASTRE_IMPORTED)) continue;
    Sum& sum = sums[{info.label ? info.label : "", info.type}];
    ++sum.blocks;
    sum.bytes += info.size;
  }
  std::vector<std::pair<const std::pair<std::string, cadastre_memory_type>*, Sum>> sorted;
  sorted.reserve(sums.size());
  for (const auto& [key, sum] : sums) sorted.emplace_back(&key, sum);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  py::list table;
  for (const auto& [key, sum] : sorted) {
    py::dict row;
    row["label"] = key->first.empty() ? py::object(py::none()) : label_of(key->first.c_str());
    row["type"] = name_of_type(key->second);
    row["live_blocks"] = sum.blocks;
    row["live_bytes"] = sum.bytes;
    table.append(row);
  }
  return table;
}

py::dict summary(const cadastre_destroy_summary_struct& info) {
  py::dict row;
  row["live_blocks"] = info.live_blocks;
  row["live_bytes"] = info.live_bytes;
  row["borrowed_blocks"] = info.borrowed_blocks;
  row["failed_deallocations"] = info.failed_deallocations;
  row["live_leases"] = info.live_leases;
  row["largest_label_bytes"] = info.largest_label_bytes;
  row["largest_label"] = label_of_or_none(info.largest_label);
  return row;
}

py::list backends() {
  py::list table;
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) {
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    check(CADASTRE_NULL_CONTEXT, waiting([&] { return cadastre_backend_get_info(backend, &info); }));
    py::list types;
    for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      if (info.memory_type_mask & (1u << type)) types.append(name_of_type(type));
    }
    py::dict row;
    row["name"] = info.name;
    row["available"] = info.available != 0;
    row["device_count"] = info.device_count;
    row["types"] = types;
    row["description"] = info.description;
    row["problem"] = info.problem;
    table.append(row);
  }
  return table;
}

}  // namespace cadastre::python
