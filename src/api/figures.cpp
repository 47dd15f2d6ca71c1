// Tangled from org/api/figures.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <vector>

#include "config.h"
#include "backends/host_resources.hpp"
#include "backends/registered.hpp"
#include "base/environment.hpp"
#include "base/out_of_memory.hpp"
#include "context/all_contexts.hpp"
#include "context/boundary.hpp"
#include "context/usage.hpp"
#include "out/report.hpp"
#include "pool/limits.hpp"
#include "registry/figures.hpp"

using namespace cadastre::internal;

namespace {

// From then on accounts and pools count no block as live that a thread caches, until one is freed again.
void what_pools_keep_is_told() noexcept {
  if (is_interrupted()) return;
  const NotCancelled here;
  give_up_caches();
}

}  // namespace

cadastre_exit_code cadastre_get_statistics(cadastre_context context, cadastre_memory_type type, cadastre_statistics_struct* statistics) {
  const auto write = [&](cadastre_statistics_struct figures) {
    figures.limit = limit_to(figures.limit);
    return write_struct(figures, statistics, CADASTRE_INVALID_ARG_3);
  };
  const auto of_all = [&](const SharedAccount& account) {
    return is_limited_type(type) ? write(figures_within(account, type)) : no_memory_type(type);
  };
  return call_with_below(context, __func__, of_all, [&](ContextLock& lock) {
    return is_limited_type(type) ? write(figures_of(lock->registry(), type)) : no_memory_type(type);
  });
}

cadastre_exit_code cadastre_pool_get_info(cadastre_context context, cadastre_memory_type type, cadastre_pool_info_struct* info) {
  what_pools_keep_is_told();
  const auto write = [&](const cadastre_pool_info_struct& pools) { return write_struct(pools, info, CADASTRE_INVALID_ARG_3); };
  const auto of_all = [&](const SharedAccount& account) {
    return is_memory_type(type) ? write(pools_within(account, type)) : no_memory_type(type);
  };
  return call_with_below(context, __func__, of_all, [&](ContextLock& lock) {
    return is_memory_type(type) ? write(pool_info(lock.context(), type)) : no_memory_type(type);
  });
}

cadastre_exit_code cadastre_get_registry_info(cadastre_context context, cadastre_registry_info_struct* info) {
  const auto write = [&](const cadastre_registry_info_struct& registry) { return write_struct(registry, info, CADASTRE_INVALID_ARG_2); };
  const auto of_all = [&](const SharedAccount& account) { return write(registries_within(account)); };
  return call_with_below(context, __func__, of_all, [&](ContextLock& lock) { return write(registry_info(lock->registry())); });
}

cadastre_exit_code cadastre_pool_trim(cadastre_context context, cadastre_memory_type type, size_t min_bytes_to_keep) {
  return call_above(context, __func__, [&](const SharedAccount& account) {
    give_up_caches();
    return is_memory_type(type) ? trim_pools_within(account, type, min_bytes_to_keep) : no_memory_type(type);
  });
}

cadastre_exit_code cadastre_get_device_statistics(cadastre_context context, cadastre_memory_type type, int32_t device_id,
                                                  cadastre_statistics_struct* statistics) {
  const auto admitted = [&] {
    if (!is_memory_type(type)) return no_memory_type(type);
    if (device_id >= 0 && device_id < first_named_device) return CADASTRE_SUCCESS;
    return fail({.exit_code = CADASTRE_INVALID_ARG_3,
                 .reason = CADASTRE_REASON_INDEX_OUT_OF_RANGE,
                 .type = type,
                 .requested = static_cast<std::size_t>(device_id),
                 .limit = first_named_device - 1});
  };
  const auto of_all = [&](const SharedAccount& account) {
    const cadastre_exit_code code = admitted();
    return code == CADASTRE_SUCCESS ? write_struct(figures_on_device(account, type, device_id), statistics, CADASTRE_INVALID_ARG_4) : code;
  };
  return call_with_below(context, __func__, of_all, [&](ContextLock& lock) {
    if (const cadastre_exit_code refused = admitted(); refused != CADASTRE_SUCCESS) return refused;
    const Account nothing;
    const Account* const account = lock->registry().accounts().of(type).of(device_id);
    return write_struct((account ? *account : nothing).figures, statistics, CADASTRE_INVALID_ARG_4);
  });
}

cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context, cadastre_memory_type type) {
  what_pools_keep_is_told();
  const auto reset = [&](SharedAccount& account) {
    if (!is_memory_type(type)) return no_memory_type(type);
    account.of(type).reset_marks();
    return CADASTRE_SUCCESS;
  };
  return call_any(context, __func__, reset, [&](ContextLock& lock) {
    lock->registry().heap().lock();
    const cadastre_exit_code code = reset(lock->shared());
    if (code == CADASTRE_SUCCESS) lock->registry().accounts().of(type).reset_high_water_marks();
    return code;
  });
}

cadastre_exit_code cadastre_set_out_of_memory_function(cadastre_context context, cadastre_out_of_memory_function callback,
                                                       void* user_data) {
  const auto set = [&](SharedAccount& account) {
    return set_out_of_memory_function(account, callback, user_data) ? CADASTRE_SUCCESS : no_memory_for_records();
  };
  return call_any(context, __func__, set, [&](ContextLock& lock) { return lock.unlocked([&] { return set(lock->shared()); }); });
}

int64_t cadastre_get_backend_nanoseconds(void) { return backend_nanoseconds(); }

cadastre_exit_code cadastre_report(cadastre_context context, FILE* stream, cadastre_report_format format) {
  Holdings holdings;
  what_pools_keep_is_told();
  const auto admitted = [&] { return stream ? admit_format(format) : null_argument(CADASTRE_INVALID_ARG_2); };
  const auto of_all = [&](const SharedAccount& account) {
    const cadastre_exit_code known = admitted();
    if (known == CADASTRE_SUCCESS) holdings = holdings_within(account, context);
    return known;
  };
  const cadastre_exit_code code = call_with_below(context, __func__, of_all, [&](ContextLock& lock) {
    const cadastre_exit_code known = admitted();
    if (known == CADASTRE_SUCCESS) holdings = take_holdings(lock.context(), context);
    return known;
  });
  if (code != CADASTRE_SUCCESS) return code;
  return guarded(context, __func__, [&] { return write_report(&holdings, environment(), stream, format); });
}

int32_t cadastre_backend_get_count(void) { return last_named_backend; }

cadastre_exit_code cadastre_backend_get_info(cadastre_backend backend, cadastre_backend_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    Backend* const found = find_backend(backend);
    if (!found && !row_of_backend(backend)) {
      return fail(
          {.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_BACKEND, .requested = static_cast<std::size_t>(backend)});
    }
    const cadastre_exit_code code = admit_struct(info, CADASTRE_INVALID_ARG_2);
    if (code != CADASTRE_SUCCESS) return code;
    const BackendRow* const row = row_of_backend(backend);
    const char* const meaning = row ? row->meaning : "registered by the program";
    const Presence presence = presence_of(backend);
    *info = {sizeof *info,
             backend,
             presence.usable,
             presence.devices,
             0,
             cadastre_string_of_backend(backend),
             *presence.meaning ? presence.meaning : meaning,
             presence.problem};
    for (cadastre_memory_type type = 0; found && presence.usable && type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
      if (found->serves(type)) info->memory_type_mask |= 1u << type;
    }
    return CADASTRE_SUCCESS;
  });
}

namespace {

// The backend that has the device; null where none has, and why.
Backend* find_device(cadastre_backend backend, std::int32_t device_id, cadastre_exit_code& why) noexcept {
  Backend* found = nullptr;
  if (backend == CADASTRE_DEFAULT_BACKEND) {
    why = fail(
        {.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_BACKEND, .requested = static_cast<std::size_t>(backend)});
    return nullptr;
  }
  why = choose_backend(backend, CADASTRE_INVALID_ARG_1, found);
  if (why != CADASTRE_SUCCESS) return nullptr;
  if (found->has_device(device_id)) return found;
  why = no_device(*found, CADASTRE_INVALID_ARG_2, CADASTRE_DEVICE, device_id);
  return nullptr;
}

}  // namespace

cadastre_exit_code cadastre_device_get_info(cadastre_backend backend, int32_t device_id, cadastre_device_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    cadastre_exit_code code = CADASTRE_SUCCESS;
    Backend* const found = find_device(backend, device_id, code);
    if (!found) return code;
    // It got one field, and then two more.
    constexpr std::size_t first = offsetof(cadastre_device_info_struct, integrated),
                          second = offsetof(cadastre_device_info_struct, host_access);
    code = admit_struct(info, CADASTRE_INVALID_ARG_3, first, second);
    if (code != CADASTRE_SUCCESS) return code;
    DeviceDescription description{};
    code = found->describe(device_id, description);
    if (code != CADASTRE_SUCCESS) return code;
    cadastre_device_info_struct told = {info->struct_size,
                                        backend,
                                        device_id,
                                        description.total,
                                        description.free,
                                        {},
                                        {},
                                        description.integrated,
                                        description.host_access,
                                        description.pageable_access};
    std::copy(std::begin(description.name), std::end(description.name), told.name);
    std::copy(std::begin(description.uuid), std::end(description.uuid), told.uuid);
    std::memcpy(info, &told, told.struct_size);
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_device_get_memory_usage(cadastre_backend backend, int32_t device_id, cadastre_memory_usage_struct* usage) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    cadastre_exit_code code = CADASTRE_SUCCESS;
    Backend* const found = find_device(backend, device_id, code);
    if (!found) return code;
    code = admit_struct(usage, CADASTRE_INVALID_ARG_3);
    return code == CADASTRE_SUCCESS ? usage_of_device(*found, device_id, *usage) : code;
  });
}

cadastre_exit_code cadastre_host_get_memory_usage(cadastre_memory_usage_struct* usage) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&] { return write_struct(usage_of_host(), usage, CADASTRE_INVALID_ARG_1); });
}

int32_t cadastre_environment_get_count(void) {
  std::int32_t count = 0;
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&] {
    count = static_cast<std::int32_t>(environment().variables.size());
    return CADASTRE_SUCCESS;
  });
  return count;
}

cadastre_exit_code cadastre_environment_get_info(int32_t index, cadastre_environment_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    const std::vector<EnvironmentVariable>& variables = environment().variables;
    if (index < 0 || static_cast<std::size_t>(index) >= variables.size()) {
      return fail({.exit_code = CADASTRE_INVALID_ARG_1,
                   .reason = CADASTRE_REASON_INDEX_OUT_OF_RANGE,
                   .requested = static_cast<std::size_t>(index),
                   .limit = variables.size() - 1});
    }
    const cadastre_exit_code code = admit_struct(info, CADASTRE_INVALID_ARG_2);
    if (code != CADASTRE_SUCCESS) return code;
    const EnvironmentVariable& variable = variables[static_cast<std::size_t>(index)];
    const EnvironmentRow* const row = variable.row;
    *info = {sizeof *info,           variable.name.c_str(),    variable.value ? variable.value->c_str() : nullptr,
             row ? row->preset : "", row ? row->expected : "", row ? row->meaning : "",
             problem_of(variable),   resolved_of(variable)};
    return CADASTRE_SUCCESS;
  });
}

cadastre_backend cadastre_backend_register(const char* name, const cadastre_backend_operations_struct* operations, void* content) {
  cadastre_backend number = CADASTRE_INVALID_BACKEND;
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&] { return register_backend(name, operations, content, number); });
  return number;
}

cadastre_backend cadastre_backend_register_host(const char* name, const cadastre_host_resource_struct* resource) {
  cadastre_backend number = CADASTRE_INVALID_BACKEND;
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&] {
    const cadastre_exit_code code = admit_struct(resource, CADASTRE_INVALID_ARG_2);
    return code == CADASTRE_SUCCESS ? register_host_resource(name, *resource, number) : code;
  });
  return number;
}

cadastre_exit_code cadastre_backend_get_host_info(cadastre_backend backend, cadastre_host_resource_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    cadastre_host_resource_info_struct written = cadastre_host_resource_info_struct_zero;
    const Backend* const found = find_backend(backend);
    if (found && found->resource_info(written)) return write_struct(written, info, CADASTRE_INVALID_ARG_2);
    return fail(
        {.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_INVALID_BACKEND, .requested = static_cast<std::size_t>(backend)});
  });
}

cadastre_exit_code cadastre_backend_unregister(cadastre_backend backend) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&] { return unregister_backend(backend); });
}

#define CADASTRE_NAME_OF(name) " " #name

const char* cadastre_get_version(void) { return PACKAGE_VERSION; }

const char* cadastre_get_build_options(void) {
  return "compiler: " CADASTRE_BUILD_COMPILER "\n"
         "flags: " CADASTRE_BUILD_FLAGS "\n"
         "host: " CADASTRE_BUILD_HOST "\n"
         "backends:" CADASTRE_BUILT_BACKENDS(CADASTRE_NAME_OF) "\n";
}
