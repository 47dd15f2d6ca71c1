// Tangled from org/python/block_class.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "block_class.hpp"

#include <pybind11/stl.h>

#include <memory>

#include "block.hpp"
#include "dlpack.hpp"
#include "tables.hpp"

namespace py = pybind11;

namespace cadastre::python {
namespace {

int refuse_buffer(const char* message) {
  PyErr_SetString(PyExc_BufferError, message);
  return -1;
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  view->obj = nullptr;
  const Block* block = nullptr;
  try {
    block = &py::cast<const Block&>(py::handle(object));
  } catch (const std::exception&) {
    return refuse_buffer("the block is not initialized");
  }
  if (!block->host_sees())
    return refuse_buffer("the host cannot access DEVICE memory; copy it, or pass the block to a library of the device");
  const Shape& shape = block->shape();
  if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && shape.extents.size() > 1) return refuse_buffer("a block is in the order of C");
  if (!block->holding()->enter())
    return refuse_buffer(block->is_of_lease() ? "the lease has been released" : "the block has been freed, or its context was destroyed");
  const bool has_shape = (flags & PyBUF_ND) == PyBUF_ND;
  view->buf = block->pointer();
  view->len = static_cast<Py_ssize_t>(shape.bytes);
  view->readonly = 0;
  view->itemsize = static_cast<Py_ssize_t>(block->element().size);
  view->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? const_cast<char*>(block->element().format) : nullptr;
  view->ndim = has_shape ? static_cast<int>(shape.extents.size()) : 1;
  view->shape = has_shape ? const_cast<Py_ssize_t*>(shape.extents.data()) : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? const_cast<Py_ssize_t*>(shape.strides.data()) : nullptr;
  view->suboffsets = nullptr;
  view->internal = new std::shared_ptr<Holding>(block->holding());
  view->obj = object;
  Py_INCREF(object);
  return 0;
}

void release_buffer(PyObject*, Py_buffer* view) {
  const std::unique_ptr<std::shared_ptr<Holding>> holding(static_cast<std::shared_ptr<Holding>*>(view->internal));
  (*holding)->leave();
}

void set_slots(PyHeapTypeObject* type) {
  refuse_new(type);
  type->ht_type.tp_as_buffer = &type->as_buffer;
  type->as_buffer.bf_getbuffer = get_buffer;
  type->as_buffer.bf_releasebuffer = release_buffer;
}

void hand_out(const Block& block) {
  if (block.holding()->hand_out()) return;
  block.require_live();
  in_use("the block is being released");
}

py::dict interface_of(const Block& block) {
  py::dict interface;
  interface["shape"] = as_tuple(block.shape().extents);
  interface["typestr"] = block.element().type_string();
  // Libraries take a pointer to nothing for 0.
  interface["data"] = py::make_tuple(block.shape().bytes == 0 ? 0 : reinterpret_cast<std::uintptr_t>(block.pointer()), false);
  interface["strides"] = py::none();
  interface["version"] = 3;
  return interface;
}

py::dict array_interface(const Block& block) {
  if (!block.host_sees()) throw py::attribute_error("DEVICE memory has no __array_interface__: the host cannot access it");
  hand_out(block);
  py::dict interface = interface_of(block);
  interface["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(block.pointer()), false);
  return interface;
}

py::dict cuda_array_interface(const Block& block) {
  if (!block.device_sees())
    throw py::attribute_error("a block has __cuda_array_interface__ if it is DEVICE or UVM memory of a vendor's backend, such as cuda");
  hand_out(block);
  py::dict interface = interface_of(block);
  const auto queue = reinterpret_cast<std::uintptr_t>(block.queue());
  interface["stream"] = queue == 0 ? 1 : queue;
  return interface;
}

std::string text_of(const Block& block) {
  const std::string label = block.info().label ? std::string(", label '") + block.info().label + "'" : "";
  const std::string state = block.holding()->is_live() ? "" : block.is_of_lease() ? ", released" : ", freed";
  return "<cadastre.Block of " + py::cast<std::string>(py::repr(as_tuple(block.shape().extents))) + " " + block.element().name + " in " +
         cadastre_string_of_memory_type(block.info().type) + " memory" + label + state + ">";
}

Py_ssize_t length_of(const Block& block) {
  if (block.shape().extents.empty()) throw py::type_error("a block without dimensions has no length");
  return block.shape().extents[0];
}

}  // namespace

void add_block(py::module_& module) {
  py::class_<Block>(module, "Block", py::custom_type_setup(set_slots), R"(Memory of a context, as an array in C's order.

Context.allocate() makes one, and Context.lease() several. It owns its memory, which is freed by free(), at the end of a
"with", when the object is collected, or with its context; but never while somebody uses it.

Threads: any, also at the same time.)")
      .def_property_readonly(
          "address",
          [](const Block& block) {
            block.require_live();
            return reinterpret_cast<std::uintptr_t>(block.pointer());
          },
          "The address of the first byte, an int. It is valid as long as the block is; it is not counted as a user. ValueError after the end of the block.")
      .def_property_readonly(
          "nbytes", [](const Block& block) { return block.shape().bytes; }, "Its size in bytes, as requested.")
      .def_property_readonly(
          "shape", [](const Block& block) { return as_tuple(block.shape().extents); }, "The number of elements in each dimension, a tuple.")
      .def_property_readonly(
          "dtype", [](const Block& block) { return block.element().name; },
          "The type of its elements, such as 'float64'; numpy.dtype() takes it.")
      .def_property_readonly(
          "type", [](const Block& block) { return cadastre_string_of_memory_type(block.info().type); }, "The memory type, such as 'HOST'.")
      .def_property_readonly(
          "backend", [](const Block& block) { return cadastre_string_of_backend(block.info().backend); },
          "The backend that the memory is from, such as 'cuda'.")
      .def_property_readonly(
          "device_id", [](const Block& block) { return device_id_of(block.info().device_id); },
          "The vendor's number of the device, or None.")
      .def_property_readonly(
          "label", [](const Block& block) { return label_of(block.info().label); }, "The label, or None.")
      .def_property_readonly(
          "context", [](const Block& block) { return std::make_unique<Context>(block.holding()->registry()); },
          "The context that the memory belongs to.")
      .def_property_readonly(
          "is_live", [](const Block& block) { return block.holding()->is_live(); },
          "Whether the memory is still there: False after free(), and after the end of the context or lease.")
      .def_property_readonly(
          "users", [](const Block& block) { return block.holding()->users(); },
          "How many users are counted: open buffers and arrays made of them, tensors by DLPack, and one for all that took an array interface.")
      .def(
          "info",
          [](const Block& block) {
            block.require_live();
            return description(block.info());
          },
          "What the registry knows of the block, as a dict like those of Context.blocks(). ValueError after its end.")
      .def("free", &Block::free, R"(Frees the block now, in the order of its queue if it was allocated so.

BufferError if it has users, and nothing has changed; ValueError if it was freed before; TypeError for a buffer of a
lease. DEVICE, PINNED and UVM memory: waits for the devices of the context, without the interpreter's lock.)")
      .def("resize", &Block::resize, py::arg("shape"),
           R"(Changes the shape; contents up to the smaller size stay, further bytes are zero. The block may move.

BufferError if it has users; MemoryError if there is no memory: nothing has changed. Cost: may copy all bytes.)")
      .def(
          "copy_from",
          [](const py::object& self, const py::object& source, const std::optional<std::size_t>& nbytes, const py::object& queue) {
            copy(py::cast<const Block&>(self).holding()->registry()->handle(), self, source, nbytes, queue_of(queue));
          },
          py::arg("source"), py::arg("nbytes") = py::none(), py::kw_only(), py::arg("queue") = py::none(),
          "As Context.copy() with this block as destination.")
      .def(
          "copy_to",
          [](const py::object& self, const py::object& dest, const std::optional<std::size_t>& nbytes, const py::object& queue) {
            copy(py::cast<const Block&>(self).holding()->registry()->handle(), dest, self, nbytes, queue_of(queue));
          },
          py::arg("dest"), py::arg("nbytes") = py::none(), py::kw_only(), py::arg("queue") = py::none(),
          "As Context.copy() with this block as source.")
      .def(
          "fill",
          [](const py::object& self, int value, const std::optional<std::size_t>& nbytes, const py::object& queue) {
            fill(py::cast<const Block&>(self).holding()->registry()->handle(), self, value, nbytes, queue_of(queue));
          },
          py::arg("value"), py::arg("nbytes") = py::none(), py::kw_only(), py::arg("queue") = py::none(),
          "As Context.fill() of this block.")
      .def_property_readonly(
          "__array_interface__", array_interface,
          "The array interface of NumPy, version 3, for memory that the host can access. From now on free() is refused: the block ends when it is collected.")
      .def_property_readonly(
          "__cuda_array_interface__", cuda_array_interface,
          "The array interface of CUDA, version 3, for DEVICE and UVM memory of a vendor's backend, such as cuda. From now on free() is refused: the block ends when it is collected.")
      .def("__dlpack_device__", dlpack_device, "The device as DLPack has it: a pair of the type and the number.")
      .def("__dlpack__", dlpack, py::kw_only(), py::arg("stream") = py::none(), py::arg("max_version") = py::none(),
           py::arg("dl_device") = py::none(), py::arg("copy") = py::none(),
           R"(A capsule with a tensor on this memory, which counts as a user until its deleter has been called.

stream is the consumer's: what it does there comes after all work on the block's queue. -1: nothing is waited for.
BufferError where the request cannot be met without a copy, or the stream is none of the block's device.)")
      .def("__len__", length_of)
      .def("__repr__", text_of)
      .def("__enter__", [](const py::object& self) { return self; })
      .def(
          "__exit__",
          [](const Block& block, const py::args&) {
            if (!block.is_of_lease()) block.holding()->release();
          },
          "Frees the block, or lets its last user do so.");
}

}  // namespace cadastre::python
