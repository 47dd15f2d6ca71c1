// Tangled from org/python/lease.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "lease.hpp"

#include <pybind11/stl.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "block.hpp"

namespace py = pybind11;

namespace cadastre::python {
namespace {

Block buffer_of(const std::shared_ptr<Holding>& holding, void* pointer, std::size_t bytes, cadastre_memory_type type) {
  const Element& element = element_of(py::str("uint8"));
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  if (pointer)
    check(holding->registry()->handle(),
          waiting([&] { return cadastre_find_block(holding->registry()->handle(), pointer, &info, nullptr); }));
  else info.type = type, info.device_id = -1, info.backend = CADASTRE_BACKEND_HOST;
  info.pointer = pointer;
  info.size = bytes;
  return Block(holding, info, element, shape_of(py::int_(bytes), element), false);
}

void release(const Lease& lease) {
  cadastre_exit_code code = CADASTRE_SUCCESS;
  const long users = lease.holding->free(code);
  if (users < 0) throw py::value_error("the lease has been released, or its context was destroyed");
  if (users > 0) in_use("the lease still has " + counted(users) + "; delete them first");
  check(lease.holding->registry()->handle(), code);
}

}  // namespace

std::unique_ptr<Lease> lease(const Context& context, const py::object& sizes, const std::optional<std::string>& type,
                             const py::object& queue) {
  if (!context.registry()->takes_requests()) throw py::value_error("the context has been closed");
  const auto bytes =
      PyIndex_Check(sizes.ptr()) ? std::vector<std::size_t>{py::cast<std::size_t>(sizes)} : py::cast<std::vector<std::size_t>>(sizes);
  std::vector<void*> pointers(bytes.size(), nullptr);
  const cadastre_memory_type number = type ? memory_type_of(*type) : CADASTRE_DEFAULT_WORKSPACE_TYPE;
  const cadastre_queue on = queue_of(queue);
  cadastre_lease handle = CADASTRE_NULL_LEASE;
  check(context.handle, waiting([&] {
          return cadastre_workspace_acquire_on_queue(context.handle, number, on, bytes.size(), bytes.data(), pointers.data(), &handle);
        }));
  auto result = std::make_unique<Lease>();
  result->holding = std::make_shared<Holding>(context.registry(), handle, on);
  py::tuple buffers(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    buffers[i] = py::cast(std::make_unique<Block>(buffer_of(result->holding, pointers[i], bytes[i], type ? number : CADASTRE_HOST)));
  }
  result->buffers = std::move(buffers);
  return result;
}

void add_lease(py::module_& module) {
  py::class_<Lease>(module, "Lease", py::custom_type_setup(refuse_new),
                    R"(Buffers of a workspace that a context leases until they are released together.

Context.lease() makes one. It is released by release(), at the end of a "with", or when it and its buffers are collected;
but never while a buffer has users. Iterating over it, or indexing, gives the buffers, which are blocks of bytes.

Threads: any.)")
      .def_readonly("buffers", &Lease::buffers, "The buffers, a tuple of Block.")
      .def_property_readonly(
          "is_live", [](const Lease& lease) { return lease.holding->is_live(); }, "Whether the lease has not been released.")
      .def("release", &release,
           "Releases all buffers. BufferError if one has users, and nothing has changed; ValueError if it was released before.")
      .def("__len__", [](const Lease& lease) { return lease.buffers.size(); })
      .def(
          "__getitem__",
          [](const Lease& lease, Py_ssize_t index) {
            return py::reinterpret_steal<py::object>(PySequence_GetItem(lease.buffers.ptr(), index))
                       ? py::object(lease.buffers[static_cast<std::size_t>(index < 0 ? index + static_cast<Py_ssize_t>(lease.buffers.size())
                                                                                     : index)])
                       : throw py::error_already_set();
          },
          py::arg("index"))
      .def("__enter__", [](const py::object& self) { return self; })
      .def(
          "__exit__", [](const Lease& lease, const py::args&) { lease.holding->release(); },
          "Releases the buffers, or lets their last user do so.");
}

}  // namespace cadastre::python
