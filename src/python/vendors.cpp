// Tangled from org/python/vendors.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "vendors.hpp"

#include <algorithm>
#include <iterator>

namespace cadastre::python {
namespace {

constexpr Vendor vendors[] = {
    {CADASTRE_BACKEND_CUDA, 2, 3, 13, {1, 2}},
    {CADASTRE_BACKEND_HIP, 10, 11, 10, {0, 0}},
};

}  // namespace

const Vendor* begin_of_vendors() noexcept { return std::begin(vendors); }
const Vendor* end_of_vendors() noexcept { return std::end(vendors); }

const Vendor* vendor_of(cadastre_backend backend) noexcept {
  const Vendor* const found =
      std::find_if(std::begin(vendors), std::end(vendors), [=](const Vendor& one) { return one.backend == backend; });
  return found == std::end(vendors) ? nullptr : found;
}

}  // namespace cadastre::python
