// Tangled from org/context/closing.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A context that nobody can find any more is emptied.
#ifndef CADASTRE_SRC_CONTEXT_CLOSING_HPP
#define CADASTRE_SRC_CONTEXT_CLOSING_HPP

#include "context/context.hpp"

namespace cadastre::internal {

// summary: all zero, or null. labels: what lives of each label is added there, and the largest of all there is named; null: of this context alone.
// Whatever fails, the context is empty then.
cadastre_exit_code close(Context& context, cadastre_destroy_summary_struct* summary, LabelCounts* labels) noexcept;

}  // namespace cadastre::internal
#endif
