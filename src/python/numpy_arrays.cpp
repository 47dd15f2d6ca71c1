// Tangled from org/python/numpy_arrays.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include "numpy_arrays.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include "arguments.hpp"
#include "memory.hpp"

namespace py = pybind11;

namespace cadastre::python {
namespace {

// As NumPy declares it in ndarraytypes.h.
struct Handler {
  char name[127];
  std::uint8_t version;
  struct Allocator {
    void* ctx;
    void* (*malloc)(void* ctx, std::size_t size);
    void* (*calloc)(void* ctx, std::size_t count, std::size_t size);
    void* (*realloc)(void* ctx, void* pointer, std::size_t size);
    void (*free)(void* ctx, void* pointer, std::size_t size);
  } allocator;
};

struct Source {
  Source();
  Handler handler{};
  std::shared_ptr<Registry> registry;
  cadastre_memory_info_struct request = cadastre_memory_info_struct_zero;
};

void* allocate_array(const Source& source, std::size_t size, cadastre_flags flags) {
  if (!source.registry->enter()) return nullptr;
  cadastre_memory_info_struct info = source.request;
  info.size = size;
  info.flags = flags;
  void* const pointer = waiting([&] { return cadastre_malloc(source.registry->handle(), info); });
  if (!pointer) source.registry->leave();
  return pointer;
}

void* handle_malloc(void* source, std::size_t size) { return allocate_array(*static_cast<Source*>(source), size, CADASTRE_UNINITIALIZED); }

void* handle_calloc(void* source, std::size_t count, std::size_t size) {
  if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size) return nullptr;
  return allocate_array(*static_cast<Source*>(source), count * size, 0);
}

void* handle_realloc(void* of, void* pointer, std::size_t size) {
  const Source& source = *static_cast<Source*>(of);
  if (!pointer) return handle_malloc(of, size);
  return waiting([&] { return cadastre_realloc(source.registry->handle(), pointer, size); });
}

void handle_free(void* of, void* pointer, std::size_t) {
  if (!pointer) return;
  const std::shared_ptr<Registry> registry = static_cast<Source*>(of)->registry;
  (void)waiting([&] { return cadastre_free(registry->handle(), pointer); });
  registry->leave();
}

Source::Source() : handler{"cadastre", 1, {this, handle_malloc, handle_calloc, handle_realloc, handle_free}} {}

void end_of_capsule(PyObject* capsule) {
  auto* const handler = static_cast<Handler*>(PyCapsule_GetPointer(capsule, "mem_handler"));
  const std::unique_ptr<Source> source(static_cast<Source*>(handler->allocator.ctx));
}

constexpr std::size_t place_of_set_handler = 304;

// Sets a handler, and returns the one before.
py::object set_handler(const py::object& handler) {
  py::object umath;
  for (const char* name : {"numpy._core._multiarray_umath", "numpy.core._multiarray_umath"}) {
    umath = py::reinterpret_steal<py::object>(PyImport_ImportModule(name));
    if (umath) break;
    PyErr_Clear();
  }
  const auto numpy = umath ? py::module_::import("numpy") : py::module_();
  if (!umath ||
      py::module_::import("numpy").attr("lib").attr("NumpyVersion")(numpy.attr("__version__")).attr("__lt__")("1.22.0").cast<bool>())
    throw std::runtime_error("numpy_arrays() needs NumPy 1.22 or later, which cannot be imported here");
  const py::object table = umath.attr("_ARRAY_API");
  void** const functions = static_cast<void**>(PyCapsule_GetPointer(table.ptr(), nullptr));
  if (!functions) throw py::error_already_set();
  const auto set = reinterpret_cast<PyObject* (*)(PyObject*)>(functions[place_of_set_handler]);
  py::object before = py::reinterpret_steal<py::object>(set(handler.ptr()));
  if (!before) throw py::error_already_set();
  return before;
}

void enter(NumpyArrays& arrays) { arrays.before.append(set_handler(arrays.handler)); }

void leave(NumpyArrays& arrays) {
  if (arrays.before.empty()) throw std::runtime_error("numpy_arrays() was left more often than entered");
  const py::object last = arrays.before.attr("pop")();
  (void)set_handler(last);
}

}  // namespace

std::unique_ptr<NumpyArrays> numpy_arrays(const Context& context, const std::optional<std::string>& label, const std::string& type,
                                          std::size_t alignment) {
  const cadastre_memory_type number = memory_type_of(type);
  if (number == CADASTRE_DEVICE) throw py::value_error("arrays of NumPy are memory that the host can access, which DEVICE memory is not");
  if (!context.registry()->takes_requests()) throw py::value_error("the context has been closed");
  auto source = std::make_unique<Source>();
  source->registry = context.registry();
  source->request.type = number;
  source->request.alignment = alignment;
  if (label) {
    source->request.label = cadastre_label(label->c_str());
    if (!source->request.label) refuse(CADASTRE_NULL_CONTEXT, last_code(CADASTRE_NULL_CONTEXT));
  }
  py::object capsule = py::reinterpret_steal<py::object>(PyCapsule_New(&source->handler, "mem_handler", end_of_capsule));
  if (!capsule) throw py::error_already_set();
  (void)source.release();
  return std::make_unique<NumpyArrays>(NumpyArrays{std::move(capsule), py::list()});
}

void add_numpy_arrays(py::module_& module) {
  py::class_<NumpyArrays>(module, "_NumpyArrays", py::custom_type_setup(refuse_new))
      .def("__enter__", enter)
      .def("__exit__", [](NumpyArrays& arrays, const py::args&) { leave(arrays); });
}

}  // namespace cadastre::python
