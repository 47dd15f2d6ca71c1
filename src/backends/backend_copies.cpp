// Tangled from org/backends/backend_copies.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/backend_copies.hpp"

#include "base/error.hpp"

namespace cadastre::internal {

cadastre_exit_code BackendCopies::copy_rows(const Copy& rows) noexcept {
  Copy row = rows;
  row.rows = 1;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    row.to = rows.to + i * rows.to_stride;
    row.from = rows.from + i * rows.from_stride;
    row.wait = rows.wait && i + 1 == rows.rows;
    const cadastre_exit_code code = copy(row);
    if (code == CADASTRE_SUCCESS) continue;
    const Failure first = failed_last();
    if (rows.wait) synchronize(row.to_place.device, rows.queue);  // no row may come after the caller was told
    return fail(first);
  }
  return CADASTRE_SUCCESS;
}

}  // namespace cadastre::internal
