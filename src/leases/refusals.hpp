// Tangled from org/leases/refusals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a lease wants, and why it cannot be had.
#ifndef CADASTRE_SRC_LEASES_REFUSALS_HPP
#define CADASTRE_SRC_LEASES_REFUSALS_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include "context/context.hpp"

namespace cadastre::internal {

struct Want {
  cadastre_memory_type type;
  cadastre_queue queue;  // of the backend
  std::size_t bytes;     // rounded
  cadastre_exit_code queue_argument;
  bool capturing = false;
  std::uint64_t identity = 1;  // of the queue
};

// Puts the natural memory type in the place of CADASTRE_DEFAULT_WORKSPACE_TYPE, and refuses what is none.
cadastre_exit_code resolve(const Context& context, cadastre_memory_type& type) noexcept;

// Refuses sizes by what they come to, as far as a number can say it.
cadastre_exit_code refuse_total(cadastre_exit_code argument, cadastre_memory_type type, std::span<const std::size_t> sizes) noexcept;
cadastre_exit_code refuse_capture(const char* why) noexcept;
inline constexpr const char* too_small_for_capture =
    "acquire as much before the capture, or set the size, because the workspace is too small";
inline constexpr const char* none_was_on_it =
    "acquire as much on this queue before its capture, because no idle workspace was last acquired on it";
// largest: how much this queue could acquire of an explicit size.
cadastre_exit_code refuse_part(const WorkspacesOfType& of_type, const Want& want, std::size_t largest) noexcept;
cadastre_exit_code refuse_alive(const WorkspacesOfType& of_type, cadastre_memory_type type) noexcept;

}  // namespace cadastre::internal
#endif
