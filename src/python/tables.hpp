// Tangled from org/python/tables.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the library tells, as dicts.
#ifndef CADASTRE_SRC_PYTHON_TABLES_HPP
#define CADASTRE_SRC_PYTHON_TABLES_HPP

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>

#include <cadastre.h>

namespace cadastre::python {

// A context is a live one, or CADASTRE_PROCESS.
pybind11::dict statistics(cadastre_context context, cadastre_memory_type type, std::optional<std::int32_t> device_id);
pybind11::list statistics_by_type(cadastre_context context);
pybind11::dict pool(cadastre_context context, cadastre_memory_type type);
pybind11::dict registry(cadastre_context context);
pybind11::dict workspace(cadastre_context context, cadastre_memory_type type);
pybind11::str report(cadastre_context context, cadastre_report_format format);

// None for a null pointer, and for a negative number.
pybind11::object label_of(const char* label);
pybind11::object device_id_of(std::int32_t device_id);
pybind11::dict description(const cadastre_memory_info_struct& info);
pybind11::list blocks(cadastre_context context);
pybind11::list by_label(cadastre_context context);
pybind11::dict summary(const cadastre_destroy_summary_struct& info);

pybind11::list backends();

}  // namespace cadastre::python
#endif
