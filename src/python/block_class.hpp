// Tangled from org/python/block_class.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The class of blocks.
#ifndef CADASTRE_SRC_PYTHON_BLOCK_CLASS_HPP
#define CADASTRE_SRC_PYTHON_BLOCK_CLASS_HPP

#include <pybind11/pybind11.h>

namespace cadastre::python {

void add_block(pybind11::module_& module);

}  // namespace cadastre::python
#endif
