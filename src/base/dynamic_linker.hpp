// Tangled from org/base/dynamic_linker.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Whether libraries can be opened while the process runs.
#ifndef CADASTRE_SRC_BASE_DYNAMIC_LINKER_HPP
#define CADASTRE_SRC_BASE_DYNAMIC_LINKER_HPP

#include <elf.h>
#include <link.h>

#include <cstddef>

namespace cadastre::internal {

inline constexpr char why_no_library_is_opened[] =
    "this program is linked statically, and opens no library of a vendor; link it without -static";

inline bool has_dynamic_linker() noexcept {
  bool has = false;
  const auto look_at_program = [](dl_phdr_info* program, std::size_t, void* found) noexcept {
    for (std::size_t i = 0; i < program->dlpi_phnum; ++i) {
      if (program->dlpi_phdr[i].p_type == PT_INTERP) *static_cast<bool*>(found) = true;
    }
    return 1;  // it is the first; libraries come later
  };
  dl_iterate_phdr(look_at_program, &has);
  return has;
}

}  // namespace cadastre::internal
#endif
