// Tangled from org/registry/in_slab.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "registry/in_slab.hpp"

#include <algorithm>
#include <cstring>

#include "core/calls.hpp"

namespace cadastre::internal {

void* allocate_in_slab(Registry& registry, const cadastre_memory_info_struct& info, OriginNumber origin,
                       cadastre_context context) noexcept {
  SlabRequest planned;
  if (!plan_in_slab(info.size, info.alignment, info.flags & CADASTRE_UNINITIALIZED, planned)) return nullptr;
  if (origin != no_origin && !add_label(origin, planned)) return nullptr;
  registry.heap().gather_own();
  void* const pointer = registry.heap().allocate(info.size, planned.size_class, planned.traits, context);
  if (!pointer) return nullptr;
  Record counted;
  counted.type = CADASTRE_HOST;
  counted.device = no_device_id;
  counted.size = info.size;
  counted.origin = origin;
  counted.flags = static_cast<std::uint16_t>(info.flags);
  registry.accounts().count_in(counted);
  return pointer;
}

void* move_in_slab(Registry& registry, const Record& old, std::size_t size, cadastre_context context) noexcept {
  SlabRequest planned;
  if (!plan_in_slab(size, old.alignment(), old.flags & CADASTRE_UNINITIALIZED, planned)) return nullptr;
  if (old.origin != no_origin) add_label(old.origin, planned);
  registry.heap().lock();
  void* const pointer = registry.heap().allocate(size, planned.size_class, planned.traits, context);
  if (!pointer) return nullptr;
  registry.heap().number_of(address_of(pointer)) = old.serial;
  std::memcpy(pointer, old.pointer, std::min(size, old.size));
  registry.heap().free(old.address(), true);
  return pointer;
}

}  // namespace cadastre::internal
