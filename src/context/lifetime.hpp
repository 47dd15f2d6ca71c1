// Tangled from org/context/lifetime.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Contexts are created and destroyed.
#ifndef CADASTRE_SRC_CONTEXT_LIFETIME_HPP
#define CADASTRE_SRC_CONTEXT_LIFETIME_HPP

#include "base/accounting.hpp"
#include "context/context.hpp"
#include "context/holdings.hpp"
#include "context/lock.hpp"
#include "core/label_counts.hpp"

namespace cadastre::internal {

// A new context. Fails when there is no slot left, or the backend does not let it in. Throws std::bad_alloc.
cadastre_exit_code create_context(Backend& backend, const Settings& settings, ChildOf parent, cadastre_context& created);
bool is_live(cadastre_context handle) noexcept;

// last: null, or who is shown what the context holds when nobody is inside any more and nothing is freed yet.
// labels: null, or what contexts held that were destroyed before, to which that of this one is added.
cadastre_exit_code destroy_context(ContextLock& lock, cadastre_destroy_summary_struct* summary, Shown last = nullptr,
                                   LabelCounts* labels = nullptr) noexcept;

}  // namespace cadastre::internal
#endif
