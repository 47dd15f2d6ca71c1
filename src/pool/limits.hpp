// Tangled from org/pool/limits.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the limits in the environment come to. Functions throw std::bad_alloc, and wait for other ranks of the job where a limit is
// divided by ranks; call them without a lock.
#ifndef CADASTRE_SRC_POOL_LIMITS_HPP
#define CADASTRE_SRC_POOL_LIMITS_HPP

#include <cstddef>
#include <cstdint>

#include "backends/backend.hpp"
#include "base/environment.hpp"

namespace cadastre::internal {

// The bytes that a limit as a caller writes it allows, where it is not 0; and back.
inline std::size_t limit_from(std::size_t bytes) noexcept { return bytes == CADASTRE_LIMIT_NOTHING ? 0 : bytes; }
inline std::size_t limit_to(std::size_t allowed) noexcept { return allowed == 0 ? CADASTRE_LIMIT_NOTHING : allowed; }

// The limit of a context on a device of a backend, of which it may have none (no_device_id).
cadastre_exit_code default_limit(Backend& backend, std::int32_t device, cadastre_memory_type type, std::size_t& bytes);

// What becomes of a limit of the process. changed: sets it, where it is to be set now.
using ProcessLimitChanged = void (*)(cadastre_memory_type type, std::size_t bytes);

// To be called before a context is created there: limits that nobody has set yet are set, as far as they can be known.
cadastre_exit_code start_process_limits(Backend& backend, std::int32_t device, ProcessLimitChanged changed);
// As the program asks for. bytes: CADASTRE_UNLIMITED, 0 to allow nothing, or others.
void set_process_limit(cadastre_memory_type type, std::size_t bytes, ProcessLimitChanged changed);
// That of the environment again. Without a device that a share may be of, there is no limit until there is one.
cadastre_exit_code reset_process_limit(cadastre_memory_type type, ProcessLimitChanged changed);

}  // namespace cadastre::internal
#endif
