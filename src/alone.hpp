// Tangled from org/alone.org; change the chapter, then run: make tangle
// Calls for blocks that lie in no slab, without a visit.
#ifndef CADASTRE_SRC_ALONE_HPP
#define CADASTRE_SRC_ALONE_HPP

#include <cstddef>

#include "cadastre.h"

namespace cadastre::internal {

// What the functions of the same names do to blocks that stand alone; null or false, and nothing changed, where it takes a visit. Those of
// devices, of callers' backends, and borrowed ones are found only.
void* malloc_alone(cadastre_context context, const cadastre_memory_info_struct& info) noexcept;
bool free_alone(cadastre_context context, void* pointer) noexcept;
// exact: by the first byte. info, offset: may be null.
template <bool exact>
bool find_alone(cadastre_context context, const void* address, cadastre_memory_info_struct* info, std::size_t* offset) noexcept;
// With blocks of either kind.
bool copy_alone(cadastre_context context, void* to, const void* from, std::size_t size) noexcept;
bool set_alone(cadastre_context context, void* to, int value, std::size_t size) noexcept;

}  // namespace cadastre::internal
#endif
