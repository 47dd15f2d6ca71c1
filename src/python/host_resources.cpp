// Tangled from org/python/host_resources.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "host_resources.hpp"

#include <pybind11/stl.h>

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "arguments.hpp"

namespace py = pybind11;

namespace cadastre::python {
namespace {

using Name = std::optional<std::string>;

constexpr struct {
  const char* name;
  cadastre_numa_policy number;
} policies[] = {
    {"default", CADASTRE_NUMA_DEFAULT},
    {"first_touch", CADASTRE_NUMA_FIRST_TOUCH},
    {"bind", CADASTRE_NUMA_BIND},
    {"interleave", CADASTRE_NUMA_INTERLEAVE},
    {"near_device", CADASTRE_NUMA_NEAR_DEVICE},
};

cadastre_numa_policy policy_of(const std::string& name) {
  std::string names;
  for (const auto& policy : policies) {
    if (name == policy.name) return policy.number;
    names += names.empty() ? policy.name : std::string(", ") + policy.name;
  }
  throw py::value_error("'" + name + "' is not a policy for NUMA nodes; pass one of " + names);
}

const char* name_of_policy(cadastre_numa_policy number) {
  for (const auto& policy : policies) {
    if (policy.number == number) return policy.name;
  }
  return "";
}

std::size_t page_size_of(const std::variant<std::size_t, std::string>& page_size) {
  if (const auto* const bytes = std::get_if<std::size_t>(&page_size)) return *bytes;
  const auto& word = std::get<std::string>(page_size);
  if (word != "transparent") throw py::value_error("'" + word + "' is not a size of pages; pass a number of bytes, or \"transparent\"");
  return CADASTRE_TRANSPARENT_HUGE_PAGES;
}

void register_host(const std::string& name, const std::variant<std::size_t, std::string>& page_size, bool strict, bool locked, bool shared,
                   const std::string& numa_policy, const Name& nodes, const Name& near_device) {
  cadastre_host_resource_struct resource = cadastre_host_resource_struct_zero;
  resource.page_size = page_size_of(page_size);
  resource.flags = (strict ? CADASTRE_HOST_STRICT : 0) | (locked ? CADASTRE_HOST_LOCKED : 0) | (shared ? CADASTRE_HOST_SHARED : 0);
  resource.numa_policy = policy_of(numa_policy);
  resource.nodes = nodes ? nodes->c_str() : nullptr;
  resource.near_device = near_device ? near_device->c_str() : nullptr;
  const cadastre_backend backend = waiting([&] { return cadastre_backend_register_host(name.c_str(), &resource); });
  if (backend == CADASTRE_INVALID_BACKEND) refuse(CADASTRE_NULL_CONTEXT, last_code(CADASTRE_NULL_CONTEXT));
}

py::dict host_info(const std::string& name) {
  cadastre_host_resource_info_struct info = cadastre_host_resource_info_struct_zero;
  const cadastre_backend backend = backend_of(name);
  check(CADASTRE_NULL_CONTEXT, waiting([&] { return cadastre_backend_get_host_info(backend, &info); }));
  py::dict row;
  row["backend"] = cadastre_string_of_backend(info.backend);
  row["numa_policy"] = name_of_policy(info.numa_policy);
  row["page_size"] = info.page_size;
  row["live_blocks"] = info.live_blocks;
  row["live_bytes"] = info.live_bytes;
  row["mapped_bytes"] = info.mapped_bytes;
  row["fallback_bytes"] = info.fallback_bytes;
  row["fallback_count"] = info.fallback_count;
  row["description"] = info.description;
  row["fallback_message"] = info.fallback_message;
  return row;
}

void unregister(const std::string& name) {
  const cadastre_backend backend = backend_of(name);
  check(CADASTRE_NULL_CONTEXT, waiting([&] { return cadastre_backend_unregister(backend); }));
}

}  // namespace

void add_host_resources(py::module_& module) {
  module.def("register_host", &register_host, py::arg("name"), py::kw_only(), py::arg("page_size") = std::size_t{0},
             py::arg("strict") = false, py::arg("locked") = false, py::arg("shared") = false, py::arg("numa_policy") = "default",
             py::arg("nodes") = py::none(), py::arg("near_device") = py::none(),
             R"(Registers memory of the host, with the pages and NUMA nodes that are asked for, as a backend of this name.

page_size is "transparent" for huge pages that the system makes by itself, a number of bytes such as 2 << 20 for pages that
an administrator has reserved, or 0. numa_policy is "default", "first_touch", "bind" or "interleave", with nodes such as
"0-1,4", or "near_device", with near_device the address of a PCI device. locked keeps the pages in memory. shared shares a
block with processes of the user that allocate one of the same label and size from a resource of this name. With strict
what cannot be had is refused; without, a block gets other pages, and host_info() says so.

Each block is whole pages: this is for large arrays. Raises InvalidArgument, NotSupported where this machine does not have
it, AllocationFailed. Cost: some files of /proc and /sys.)");
  module.def("host_info", &host_info, py::arg("name"),
             "What a host memory resource has given out, and whether it was what was asked for, as a dict with the fields of\n"
             "cadastre_host_resource_info_struct. ValueError where none of this name is registered.");
  module.def("unregister", &unregister, py::arg("name"),
             "Removes a backend that was registered. Error while it has live blocks or is the backend of a context, ValueError where\n"
             "none of this name is registered; nothing has changed then.");
}

}  // namespace cadastre::python
