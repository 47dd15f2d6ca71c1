// Tangled from org/lending.org; change the chapter, then run: make tangle
// Lending memory of a context, and where that memory comes from.
#ifndef CADASTRE_SRC_LENDING_HPP
#define CADASTRE_SRC_LENDING_HPP

#include <span>

#include "context_lock.hpp"

namespace cadastre::internal {

struct LendOrder {
  cadastre_memory_type type;
  cadastre_queue queue;
  std::span<const std::size_t> sizes;
  cadastre_exit_code sizes_argument, queue_argument;
};

// Both throw std::bad_alloc, and have then done nothing. pointers: as many as sizes.
cadastre_exit_code lend(Visit& visit, const LendOrder& order, void** pointers, cadastre_lease& lease);
cadastre_exit_code give_back(Visit& visit, cadastre_lease lease) noexcept;

// As the public functions of these names; they throw std::bad_alloc, and have then done nothing.
cadastre_exit_code set_workspace_size(Visit& visit, cadastre_memory_type type, std::size_t bytes);
// What CADASTRE_WORKSPACE_SIZE says for a memory type of a context.
std::size_t default_workspace_size(const Context& context, cadastre_memory_type type);
cadastre_exit_code set_workspace_buffer(Visit& visit, cadastre_memory_type type, void* buffer, std::size_t bytes);

}  // namespace cadastre::internal
#endif
