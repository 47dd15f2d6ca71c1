// Tangled from org/python/arguments.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What Python passes, as the C library takes it.
#ifndef CADASTRE_SRC_PYTHON_ARGUMENTS_HPP
#define CADASTRE_SRC_PYTHON_ARGUMENTS_HPP

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cadastre.h>

namespace cadastre::python {

cadastre_memory_type memory_type_of(const std::string& name);  // ValueError
// "ALL" is CADASTRE_ALL_MEMORY_TYPES, and so is none.
cadastre_memory_type memory_type_or_all(const std::optional<std::string>& name);
cadastre_backend backend_of(const std::optional<std::string>& name);
cadastre_pool pool_of(const std::optional<std::string>& name);
std::int32_t device_of(const std::optional<std::int32_t>& device_id);
cadastre_queue queue_of(const pybind11::object& queue);
// Of limits: none is no limit, and 0 refuses everything.
std::size_t limit_of(const std::optional<std::size_t>& bytes);
pybind11::object limit_as_object(std::size_t limit);

struct Element {
  char kind;         // as in the array interface: b, i, u, f, c
  std::size_t size;  // bytes
  const char* name;
  const char* format;  // of a buffer
  std::string type_string() const;
};

const Element& element_of(const pybind11::object& type);  // TypeError

struct Shape {
  std::vector<Py_ssize_t> extents, strides;  // strides in bytes, the last extent is contiguous
  std::size_t bytes;
};

// A number, or a sequence of them. ValueError for one that is negative, OverflowError for a product that no address has.
Shape shape_of(const pybind11::object& extents, const Element& element);
pybind11::tuple as_tuple(const std::vector<Py_ssize_t>& numbers);

}  // namespace cadastre::python
#endif
