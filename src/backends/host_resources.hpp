// Tangled from org/backends/host_resources.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Memory of the host with the pages, the NUMA nodes and the locks that a program asks for.
#ifndef CADASTRE_SRC_BACKENDS_HOST_RESOURCES_HPP
#define CADASTRE_SRC_BACKENDS_HOST_RESOURCES_HPP

#include "backends/backend.hpp"
#include "backends/host_pages.hpp"

namespace cadastre::internal {

// What a program's description comes to on this machine. Fails as the registration does; pages are left as they are then.
// root: stands before /proc and /sys; for tests.
cadastre_exit_code read_resource(const cadastre_host_resource_struct& given, HostPages& pages, const char* root = "") noexcept;

// Fails as the public function does; number is left as it is then.
cadastre_exit_code register_host_resource(const char* name, const cadastre_host_resource_struct& resource,
                                          cadastre_backend& number) noexcept;

}  // namespace cadastre::internal
#endif
