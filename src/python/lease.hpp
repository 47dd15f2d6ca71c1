// Tangled from org/python/lease.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Leases of workspaces.
#ifndef CADASTRE_SRC_PYTHON_LEASE_HPP
#define CADASTRE_SRC_PYTHON_LEASE_HPP

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>

#include "memory.hpp"

namespace cadastre::python {

struct Lease {
  std::shared_ptr<Holding> holding;
  pybind11::tuple buffers;
};

std::unique_ptr<Lease> lease(const Context& context, const pybind11::object& sizes, const std::optional<std::string>& type,
                             const pybind11::object& queue);

void add_lease(pybind11::module_& module);

}  // namespace cadastre::python
#endif
