// Tangled from org/python/vendors.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Vendors whose devices other libraries of Python know.
#ifndef CADASTRE_SRC_PYTHON_VENDORS_HPP
#define CADASTRE_SRC_PYTHON_VENDORS_HPP

#include <cstdint>

#include <cadastre.h>

namespace cadastre::python {

struct Vendor {
  cadastre_backend backend;
  std::int32_t device, pinned, managed;  // of DLPack
  std::int64_t streams[2];               // with small numbers; the default one first

  std::int64_t default_stream() const noexcept { return streams[0]; }
  bool has_stream(std::int64_t number) const noexcept { return number > 2 || number == streams[0] || number == streams[1]; }
};

// For each of them.
const Vendor* begin_of_vendors() noexcept;
const Vendor* end_of_vendors() noexcept;

// Null for a backend that is no vendor's.
const Vendor* vendor_of(cadastre_backend backend) noexcept;

}  // namespace cadastre::python
#endif
