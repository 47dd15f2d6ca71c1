// Tangled from org/adapters/qmckl_originals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The library's own functions behind those that we answer.
#ifndef CADASTRE_SRC_ADAPTERS_QMCKL_ORIGINALS_HPP
#define CADASTRE_SRC_ADAPTERS_QMCKL_ORIGINALS_HPP

#include <atomic>
#include <cstdint>

#include "cadastre.h"

namespace cadastre::qmckl {

// The library's own definition of a function, whether or not we answer that function ourselves; nullptr when no
// object that is loaded has one. Objects that others opened for themselves (RTLD_LOCAL) are searched as well. The
// object that has it stays loaded from then on. Any thread; takes the loader's lock.
void* original(const char* name) noexcept;

// The same, looked for until it is found, and then remembered.
template <class Function>
class Original;
template <class Result, class... Arguments>
class Original<Result(Arguments...)> {
 public:
  explicit constexpr Original(const char* name) noexcept : name_(name) {}
  Result (*find() noexcept)(Arguments...) {
    void* function = function_.load(std::memory_order_acquire);
    if (!function && (function = original(name_)) != nullptr) function_.store(function, std::memory_order_release);
    return reinterpret_cast<Result (*)(Arguments...)>(function);
  }

 private:
  const char* name_;
  std::atomic<void*> function_ = nullptr;
};

// The library's function that keeps a failure with its context, and answers the exit code.
using FailWith = Original<std::int32_t(std::int64_t, std::int32_t, const char*, const char*)>;

// Calls it; without a library there is no valid context.
inline std::int32_t failed(FailWith& library_failwith, std::int64_t context, std::int32_t code, const char* function,
                           const char* message) noexcept {
  const auto failwith = library_failwith.find();
  return failwith ? failwith(context, code, function, message) : CADASTRE_INVALID_CONTEXT;
}

}  // namespace cadastre::qmckl
#endif
