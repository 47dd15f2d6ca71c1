// Tangled from org/python/errors.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include <cstdint>

namespace py = pybind11;

namespace cadastre::python {
namespace {

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

py::object none_below_zero(std::int32_t number, const char* name) {
  if (number < 0) return py::none();
  return py::str(name);
}

[[noreturn]] void raise(const py::dict& fields) {
  const py::object error = py::module_::import("cadastre._errors").attr("_make")(fields);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw py::error_already_set();
}

}  // namespace

void refuse(cadastre_context context, cadastre_exit_code code) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  (void)cadastre_last_error(context, &error);
  if (error.exit_code != code) refuse(code, "", cadastre_string_of_error(code));
  py::dict fields;
  fields["message"] = py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(error.message, static_cast<Py_ssize_t>(std::string(error.message).size()), "replace"));
  fields["exit_code"] = error.exit_code;
  fields["reason"] = cadastre_string_of_reason(error.reason);
  fields["function"] = error.function;
  fields["type"] = none_below_zero(error.type, cadastre_string_of_memory_type(error.type));
  fields["backend"] = none_below_zero(error.backend, cadastre_string_of_backend(error.backend));
  fields["device_id"] = error.device_id < 0 ? py::object(py::none()) : py::object(py::int_(error.device_id));
  fields["argument"] = error.argument;
  fields["requested"] = error.requested;
  fields["in_use"] = error.in_use;
  fields["limit"] = error.limit;
  fields["required"] = error.required;
  fields["pointer"] = address(error.pointer);
  fields["base"] = address(error.base);
  fields["size"] = error.size;
  fields["offset"] = error.offset;
  fields["vendor_code"] = error.vendor_code;
  fields["vendor_message"] = py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(error.vendor_message, static_cast<Py_ssize_t>(std::string(error.vendor_message).size()), "replace"));
  raise(fields);
}

void refuse(cadastre_exit_code code, const char* function, const std::string& message) {
  py::dict fields;
  fields["message"] = *function ? function + (": " + message) : message;
  fields["exit_code"] = code;
  fields["function"] = function;
  raise(fields);
}

void refuse_new(PyHeapTypeObject* type) {
  type->ht_type.tp_new = [](PyTypeObject* refused, PyObject*, PyObject*) -> PyObject* {
    PyErr_Format(PyExc_TypeError, "%s is made by a context, not by itself", refused->tp_name);
    return nullptr;
  };
}

void in_use(const std::string& message) {
  PyErr_SetString(PyExc_BufferError, message.c_str());
  throw py::error_already_set();
}

}  // namespace cadastre::python
