// Tangled from org/python/numpy_arrays.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The memory of NumPy's arrays from a context.
#ifndef CADASTRE_SRC_PYTHON_NUMPY_ARRAYS_HPP
#define CADASTRE_SRC_PYTHON_NUMPY_ARRAYS_HPP

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "memory.hpp"

namespace cadastre::python {

// What a "with" enters and leaves.
struct NumpyArrays {
  pybind11::object handler;  // a capsule
  pybind11::list before;     // the handlers that were there, the innermost last
};

std::unique_ptr<NumpyArrays> numpy_arrays(const Context& context, const std::optional<std::string>& label, const std::string& type,
                                          std::size_t alignment);

void add_numpy_arrays(pybind11::module_& module);

}  // namespace cadastre::python
#endif
