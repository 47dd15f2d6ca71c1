// Tangled from org/backends/vendors.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cuda_api.hpp"
#include "backends/hip_api.hpp"
#include "backends/runtime_backend.hpp"
#include "config.h"

namespace cadastre::internal {
namespace {

template <const cuda_api::Dialect& dialect>
struct OfVendor {
  static constexpr dialects::RuntimeVendor vendor{dialect, dialect.folder};
  static const dialects::Runtime& opened() noexcept {
    static const dialects::Runtime runtime(vendor);
    return runtime;
  }
  static inline constinit dialects::RuntimeBackend backend{vendor, opened};
};

}  // namespace

#define CADASTRE_BACKEND_OF(name) \
  Backend& name##_backend() noexcept { return OfVendor<name##_api::dialect>::backend; }
CADASTRE_BUILT_VENDORS(CADASTRE_BACKEND_OF)
#undef CADASTRE_BACKEND_OF

}  // namespace cadastre::internal
