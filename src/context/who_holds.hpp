// Tangled from org/context/who_holds.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Who holds the memory that a request was refused.
#ifndef CADASTRE_SRC_CONTEXT_WHO_HOLDS_HPP
#define CADASTRE_SRC_CONTEXT_WHO_HOLDS_HPP

#include "base/accounting.hpp"
#include "base/error.hpp"

namespace cadastre::internal {

// Who holds the most of the memory type that is wanting, of contexts within an account; and where the memory of a device is used up, how much of
// it is not this library's. Empty where there is nothing to be told. To be called with no lock held; the failure stored last stays that one.
Text holders_text(const SharedAccount& account, const Failure& failure) noexcept;

}  // namespace cadastre::internal
#endif
