// Tangled from org/python/errors.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A refused call as an exception of Python; calls without the lock of the interpreter.
#ifndef CADASTRE_SRC_PYTHON_ERRORS_HPP
#define CADASTRE_SRC_PYTHON_ERRORS_HPP

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <string>
#include <utility>

#include <cadastre.h>

namespace cadastre::python {

// The exception for the last failure of the calling thread on a context, which a call has just returned.
[[noreturn]] void refuse(cadastre_context context, cadastre_exit_code code);
// The same for what this module finds itself.
[[noreturn]] void refuse(cadastre_exit_code code, const char* function, const std::string& message);
[[noreturn]] void in_use(const std::string& message);  // BufferError

// For the type of objects that others make: without it, __new__ would give one that nothing has initialized.
void refuse_new(PyHeapTypeObject* type);

inline void check(cadastre_context context, cadastre_exit_code code) {
  if (code != CADASTRE_SUCCESS) refuse(context, code);
}

// The exit code of the calling thread's last failure on a context.
inline cadastre_exit_code last_code(cadastre_context context) noexcept {
  cadastre_error_struct error = cadastre_error_struct_zero;
  (void)cadastre_last_error(context, &error);
  return error.exit_code;
}

class WithoutInterpreter {
 public:
  WithoutInterpreter() noexcept : state_(Py_IsInitialized() && PyGILState_Check() ? PyEval_SaveThread() : nullptr) {}
  ~WithoutInterpreter() {
    if (!state_) return;
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) pause();
    }
  }
  WithoutInterpreter(const WithoutInterpreter&) = delete;
  WithoutInterpreter& operator=(const WithoutInterpreter&) = delete;

 private:
  PyThreadState* state_;
};

template <class Call>
auto waiting(Call&& call) {
  const WithoutInterpreter released;
  return std::forward<Call>(call)();
}

}  // namespace cadastre::python
#endif
