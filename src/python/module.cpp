// Tangled from org/python/package.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <pybind11/pybind11.h>

#include <exception>
#include <utility>

#include "block_class.hpp"
#include "context.hpp"
#include "host_resources.hpp"
#include "lease.hpp"
#include "numpy_arrays.hpp"

// Base classes and results come before what names them.
PYBIND11_MODULE(_cadastre, module) {
  // Of an argument that is an object here, and whose contents are of a wrong type.
  pybind11::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const pybind11::cast_error& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
    }
  });
  module.doc() = "What cadastre is made of; import cadastre.";
  cadastre::python::add_block(module);
  cadastre::python::add_lease(module);
  cadastre::python::add_numpy_arrays(module);
  cadastre::python::add_context(module);
  cadastre::python::add_host_resources(module);
}
