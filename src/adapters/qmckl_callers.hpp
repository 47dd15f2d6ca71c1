// Tangled from org/adapters/qmckl_callers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The names of callers, for labels.
#ifndef CADASTRE_SRC_ADAPTERS_QMCKL_CALLERS_HPP
#define CADASTRE_SRC_ADAPTERS_QMCKL_CALLERS_HPP

#include <cstddef>
#include <cstdint>

namespace cadastre::qmckl {

// The function that holds a return address, for a label: its name, or "libqmckl.so.0+0x1234", or "" where nobody
// knows. At most 255 characters, good until the caller's object is unloaded. From the second time on it costs a
// look-up by address, without a lock.
const char* caller(const void* return_address) noexcept;

// Of an address, for a table. The low bits of addresses are the same in all; those of the answer are not.
inline std::size_t scattered(std::uint64_t address) noexcept { return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 32); }

}  // namespace cadastre::qmckl
#endif
