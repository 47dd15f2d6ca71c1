// Tangled from org/backends/cuda.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cuda_api.hpp"
#include "backends/cuda_driver.hpp"
#include "backends/runtime_backend.hpp"
#include "config.h"

namespace cadastre::internal {
namespace {

constexpr dialects::RuntimeVendor nvidia{cuda_api::dialect, CADASTRE_CUDART_FOLDER, &cuda_driver::dialect};

const dialects::Runtime& opened() noexcept {
  static const dialects::Runtime runtime(nvidia);
  return runtime;
}

constinit dialects::RuntimeBackend cuda{nvidia, opened};

}  // namespace

Backend& cuda_backend() noexcept { return cuda; }

}  // namespace cadastre::internal
