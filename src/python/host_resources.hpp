// Tangled from org/python/host_resources.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory of the host with the pages, NUMA nodes and locks that are asked for.
#ifndef CADASTRE_SRC_PYTHON_HOST_RESOURCES_HPP
#define CADASTRE_SRC_PYTHON_HOST_RESOURCES_HPP

#include <pybind11/pybind11.h>

namespace cadastre::python {

void add_host_resources(pybind11::module_& module);

}  // namespace cadastre::python
#endif
