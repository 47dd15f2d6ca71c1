// Tangled from org/backends/openmp_runtime.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The module of the OpenMP backend as it was opened, and whether its runtime can be called.
#ifndef CADASTRE_SRC_BACKENDS_OPENMP_RUNTIME_HPP
#define CADASTRE_SRC_BACKENDS_OPENMP_RUNTIME_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/openmp_module.hpp"
#include "base/error.hpp"
#include "base/lock.hpp"

namespace cadastre::internal::openmp {

// What a module offers. Each use of it is a call of foreign code.
class ForeignTable {
 public:
  ForeignTable(const cadastre_openmp_table* table) noexcept : table_(table) {}
  explicit operator bool() const noexcept { return table_ != nullptr; }
  const cadastre_openmp_table* operator->() const noexcept {
    assert_no_lock_held("a function of the OpenMP module");
    return table_;
  }
  const cadastre_openmp_table& operator*() const noexcept { return *operator->(); }

 private:
  const cadastre_openmp_table* table_;
};

inline constexpr std::size_t kinds = 3;

struct Module {
  ForeignTable table = nullptr;  // null when it cannot be used
  std::int32_t devices = 0;
  Text problem;
  bool accelerates = false;
  std::array<const char*, kinds> refusals = {};  // why a kind of memory is not served; null when it is
  std::array<const char*, kinds> routines = {};  // by which it is allocated
  const char* no_queues = nullptr;               // why no interop object is a queue; null where some are
  std::string meaning;                           // from where the memory comes

  const char* refusal(cadastre_openmp_kind kind) const noexcept { return refusals[static_cast<std::size_t>(kind)]; }
};

// Opens it when it is asked for first.
const Module& opened() noexcept;

inline bool is_device(std::int32_t device) noexcept { return device >= 0 && device < opened().devices; }

inline cadastre_openmp_kind kind_of(cadastre_memory_type type) noexcept {
  return type == CADASTRE_PINNED ? cadastre_openmp_pinned : type == CADASTRE_UVM ? cadastre_openmp_managed : cadastre_openmp_device;
}

// Why the runtime cannot be called; null when it can.
const char* why_not_callable() noexcept;

// Fails because it cannot be called, or in the words of the runtime.
cadastre_exit_code not_callable(const Failure& failure) noexcept;
cadastre_exit_code fail_with(const cadastre_openmp_answer& answer, const Failure& failure) noexcept;

}  // namespace cadastre::internal::openmp
#endif
