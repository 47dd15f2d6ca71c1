// Tangled from org/backends/hip.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hip_api.hpp"
#include "backends/runtime_backend.hpp"

namespace cadastre::internal {
namespace {

constexpr dialects::RuntimeVendor amd{hip_api::dialect, "/opt/rocm/lib"};

const dialects::Runtime& opened() noexcept {
  static const dialects::Runtime runtime(amd);
  return runtime;
}

constinit dialects::RuntimeBackend hip{amd, opened};

}  // namespace

Backend& hip_backend() noexcept { return hip; }

}  // namespace cadastre::internal
