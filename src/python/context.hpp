// Tangled from org/python/context.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Contexts as objects.
#ifndef CADASTRE_SRC_PYTHON_CONTEXT_HPP
#define CADASTRE_SRC_PYTHON_CONTEXT_HPP

#include <pybind11/pybind11.h>

namespace cadastre::python {

void add_context(pybind11::module_& module);

}  // namespace cadastre::python
#endif
