// Tangled from org/python/arguments.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <string_view>

namespace py = pybind11;

namespace cadastre::python {
namespace {

constexpr std::int32_t backend_numbers = 256;

// The number below `end` that has this name, without regard to case.
template <class Name>
std::optional<std::int32_t> named(const std::string& name, std::int32_t begin, std::int32_t end, Name&& name_of) {
  for (std::int32_t number = begin; number < end; ++number) {
    if (strcasecmp(name.c_str(), name_of(number)) == 0) return number;
  }
  return std::nullopt;
}

template <class Name>
[[noreturn]] void unknown(const char* what, const std::string& name, std::int32_t begin, std::int32_t end, Name&& name_of) {
  std::string message = "'" + name + "' is not a " + what + "; pass one of";
  for (std::int32_t number = begin; number < end; ++number) message += std::string(number == begin ? " " : ", ") + name_of(number);
  throw py::value_error(message);
}

constexpr std::array<Element, 13> elements = {{{'b', 1, "bool", "?"},
                                               {'i', 1, "int8", "b"},
                                               {'i', 2, "int16", "h"},
                                               {'i', 4, "int32", "i"},
                                               {'i', 8, "int64", "q"},
                                               {'u', 1, "uint8", "B"},
                                               {'u', 2, "uint16", "H"},
                                               {'u', 4, "uint32", "I"},
                                               {'u', 8, "uint64", "Q"},
                                               {'f', 2, "float16", "e"},
                                               {'f', 4, "float32", "f"},
                                               {'f', 8, "float64", "d"},
                                               {'c', 16, "complex128", "Zd"}}};
constexpr Element complex64 = {'c', 8, "complex64", "Zf"};

const Element* element_named(std::string_view name) {
  for (const Element& element : elements) {
    if (name == element.name || name == element.type_string() || name == element.type_string().substr(1)) return &element;
  }
  if (name == complex64.name || name == complex64.type_string() || name == "c8") return &complex64;
  return nullptr;
}

}  // namespace

cadastre_memory_type memory_type_of(const std::string& name) {
  const auto number = named(name, 0, CADASTRE_MEMORY_TYPE_COUNT, cadastre_string_of_memory_type);
  if (!number) unknown("memory type", name, 0, CADASTRE_MEMORY_TYPE_COUNT, cadastre_string_of_memory_type);
  return *number;
}

cadastre_memory_type memory_type_or_all(const std::optional<std::string>& name) {
  return !name || *name == "ALL" ? CADASTRE_ALL_MEMORY_TYPES : memory_type_of(*name);
}

// A number keeps its name when it is no backend any more, and that name may be another's by then: the last one that has it is meant.
cadastre_backend backend_of(const std::optional<std::string>& name) {
  if (!name) return CADASTRE_DEFAULT_BACKEND;
  cadastre_backend number = *name == cadastre_string_of_backend(-1) ? 0 : backend_numbers - 1;
  while (number > 0 && strcasecmp(name->c_str(), cadastre_string_of_backend(number)) != 0) --number;
  if (number == 0) unknown("backend", *name, 1, cadastre_backend_get_count() + 1, cadastre_string_of_backend);
  return number;
}

cadastre_pool pool_of(const std::optional<std::string>& name) {
  if (!name) return CADASTRE_DEFAULT_POOL;
  const auto number = named(*name, CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING + 1, cadastre_string_of_pool);
  if (!number) unknown("kind of pool", *name, CADASTRE_POOL_NONE, CADASTRE_POOL_CACHING + 1, cadastre_string_of_pool);
  return *number;
}

std::int32_t device_of(const std::optional<std::int32_t>& device_id) {
  if (!device_id) return CADASTRE_DEFAULT_DEVICE;
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max() - CADASTRE_DEVICE_BY_ID(0);
  if (*device_id < 0 || *device_id > most)
    throw py::value_error("device " + std::to_string(*device_id) + " is not the number of a device; numbers begin at 0");
  return CADASTRE_DEVICE_BY_ID(*device_id);
}

cadastre_queue queue_of(const py::object& queue) {
  if (queue.is_none()) return CADASTRE_DEFAULT_QUEUE;
  for (const char* attribute : {"cuda_stream", "ptr"}) {
    if (py::hasattr(queue, attribute)) return reinterpret_cast<cadastre_queue>(py::cast<std::uintptr_t>(queue.attr(attribute)));
  }
  if (!py::isinstance<py::int_>(queue)) throw py::type_error("a queue is None, the number of a stream, or a stream of PyTorch or CuPy");
  return reinterpret_cast<cadastre_queue>(py::cast<std::uintptr_t>(queue));
}

std::size_t limit_of(const std::optional<std::size_t>& bytes) {
  if (!bytes) return CADASTRE_UNLIMITED;
  return *bytes == 0 ? CADASTRE_LIMIT_NOTHING : *bytes;
}

py::object limit_as_object(std::size_t limit) {
  if (limit == CADASTRE_UNLIMITED) return py::none();
  return py::int_(limit == CADASTRE_LIMIT_NOTHING ? 0 : limit);
}

std::string Element::type_string() const {
  const char order = size == 1 ? '|' : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  return order + std::string(1, kind) + std::to_string(size);
}

const Element& element_of(const py::object& type) {
  const Element* element = nullptr;
  if (py::isinstance<py::str>(type)) {
    element = element_named(py::cast<std::string>(type));
  } else if (PyType_Check(type.ptr())) {
    const std::string name = py::cast<std::string>(type.attr("__name__"));
    element = element_named(name == "float"     ? "float64"
                            : name == "int"     ? "int64"
                            : name == "complex" ? "complex128"
                            : name == "bool_"   ? "bool"
                                                : name);
  } else if (py::hasattr(type, "str")) {
    element = element_named(py::cast<std::string>(py::str(type.attr("str"))));
  }
  if (!element) {
    std::string names;
    for (const Element& known : elements) names += std::string(known.name) + ", ";
    throw py::type_error(py::cast<std::string>(py::repr(type)) + " is not a type of elements of a block; pass one of " + names +
                         complex64.name);
  }
  return *element;
}

Shape shape_of(const py::object& extents, const Element& element) {
  Shape shape;
  if (PyIndex_Check(extents.ptr())) {
    shape.extents.push_back(PyNumber_AsSsize_t(extents.ptr(), PyExc_OverflowError));
    if (PyErr_Occurred()) throw py::error_already_set();
  } else {
    for (const py::handle extent : extents) {
      shape.extents.push_back(PyNumber_AsSsize_t(extent.ptr(), PyExc_OverflowError));
      if (PyErr_Occurred()) throw py::error_already_set();
    }
  }
  // 64 is what NumPy and DLPack's users take.
  if (shape.extents.size() > 64) throw py::value_error("a block has at most 64 dimensions");
  std::size_t stride = element.size;
  bool too_large = false, empty = false;
  shape.strides.resize(shape.extents.size());
  for (std::size_t i = shape.extents.size(); i-- > 0;) {
    const Py_ssize_t extent = shape.extents[i];
    if (extent < 0) throw py::value_error("a block cannot have " + std::to_string(extent) + " elements");
    shape.strides[i] = static_cast<Py_ssize_t>(stride);
    empty = empty || extent == 0;
    const std::size_t factor = extent == 0 ? 1 : static_cast<std::size_t>(extent);
    if (stride > static_cast<std::size_t>(PY_SSIZE_T_MAX) / factor) {
      too_large = true;
    } else {
      stride *= factor;
    }
  }
  if (too_large && !empty) {
    PyErr_SetString(PyExc_OverflowError, "the number of elements exceeds what an address can count");
    throw py::error_already_set();
  }
  shape.bytes = empty ? 0 : stride;
  return shape;
}

py::tuple as_tuple(const std::vector<Py_ssize_t>& numbers) {
  py::tuple result(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) result[i] = numbers[i];
  return result;
}

}  // namespace cadastre::python
