// Tangled from org/tests/pooled_contexts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Contexts with pools, their blocks and figures.
#ifndef CADASTRE_TESTS_POOLED_CONTEXTS_HPP
#define CADASTRE_TESTS_POOLED_CONTEXTS_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "cadastre.h"
#include "cmocka.hpp"
#include "cuda_double.hpp"

constexpr std::size_t mebi = std::size_t{1} << 20;

// CADASTRE_NULL_CONTEXT where it is refused.
inline cadastre_context new_context(cadastre_backend backend, cadastre_pool pool, std::int32_t device = CADASTRE_DEFAULT_DEVICE) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = backend;
  options.device = device;
  options.pool = pool;
  return cadastre_context_create_with_options(&options);
}

inline cadastre_context context_on(cadastre_backend backend, cadastre_pool pool = CADASTRE_POOL_CACHING,
                                   std::int32_t device = CADASTRE_DEFAULT_DEVICE) {
  const cadastre_context context = new_context(backend, pool, device);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  return context;
}

// Of the vendor under test; the claim is skipped where none can be had.
inline cadastre_context cuda_context(cadastre_pool pool = CADASTRE_POOL_CACHING) {
  cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
  if (cadastre_backend_get_info(spoken().backend, &info) != CADASTRE_SUCCESS || !info.available)
    skip_because("there is no runtime under test, or no device");
  const cadastre_context context = new_context(spoken().backend, pool);
  if (context == CADASTRE_NULL_CONTEXT) skip_because("the backend cannot be used here");
  return context;
}

inline cadastre_memory_info_struct request(std::size_t size, cadastre_memory_type type = CADASTRE_HOST, std::uint32_t flags = 0) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = type;
  info.flags = flags;
  return info;
}

inline unsigned char* allocate(cadastre_context context, std::size_t size, cadastre_memory_type type = CADASTRE_HOST) {
  void* const block = cadastre_malloc(context, request(size, type));
  assert_non_null(block);
  return static_cast<unsigned char*>(block);
}

inline cadastre_pool_info_struct pool_of(cadastre_context context, cadastre_memory_type type = CADASTRE_HOST) {
  cadastre_pool_info_struct info = cadastre_pool_info_struct_zero;
  assert_int_equal(cadastre_pool_get_info(context, type, &info), CADASTRE_SUCCESS);
  return info;
}

inline cadastre_statistics_struct statistics(cadastre_context context, cadastre_memory_type type = CADASTRE_HOST) {
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(context, type, &figures), CADASTRE_SUCCESS);
  return figures;
}

inline void release(cadastre_context context, void* block) { assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS); }
inline void destroy(cadastre_context context) { assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS); }

// Runs an action that answers whether all was well, in a child; no other thread of this process matters there.
template <class Action>
bool holds_in_a_child(Action action) {
  const pid_t child = fork();
  if (child == 0) _exit(action() ? 0 : 1);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#endif
