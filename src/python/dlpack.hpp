// Tangled from org/python/dlpack.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A block as a tensor by DLPack.
#ifndef CADASTRE_SRC_PYTHON_DLPACK_HPP
#define CADASTRE_SRC_PYTHON_DLPACK_HPP

#include <pybind11/pybind11.h>

namespace cadastre::python {

class Block;

pybind11::tuple dlpack_device(const Block& block);
pybind11::object dlpack(const Block& block, const pybind11::object& stream, const pybind11::object& max_version,
                        const pybind11::object& device, const pybind11::object& copy);

}  // namespace cadastre::python
#endif
