// Tangled from org/context/usage.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory that is recorded here, and memory that is not. Functions throw std::bad_alloc, and call vendors: call them without a lock.
#ifndef CADASTRE_SRC_CONTEXT_USAGE_HPP
#define CADASTRE_SRC_CONTEXT_USAGE_HPP

#include <cstdint>
#include <vector>

#include "backends/backend.hpp"
#include "context/holdings.hpp"

namespace cadastre::internal {

cadastre_memory_usage_struct usage_of_host();
// freed: gets what was freed in the order of queues that may still use it, which is the library's too.
cadastre_exit_code usage_of_device(Backend& backend, std::int32_t device, cadastre_memory_usage_struct& usage,
                                   std::size_t* freed = nullptr);

struct PlaceUsage {
  cadastre_backend backend;
  std::int32_t device;  // no_device_id for the host
  cadastre_memory_usage_struct usage;
};

// Of the host, and of the devices that contexts in a report work on or have memory from, as far as their vendors report it. The context
// of the holdings may have been taken from the others already.
std::vector<PlaceUsage> usage_of_places(const Holdings& holdings);

}  // namespace cadastre::internal
#endif
