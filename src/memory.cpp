// Tangled from org/memory.org; change the chapter, then run: make tangle
#include <new>

#include "cadastre.h"
#include "config.h"
#include "context.hpp"
#include "environment.hpp"
#include "error.hpp"
#include "report.hpp"

using namespace cadastre::internal;

namespace {

template <class Body>
cadastre_exit_code guarded(cadastre_context context, const char* function, Body body) noexcept {
  cadastre_exit_code code;
  try {
    code = body();
  } catch (const std::bad_alloc&) {
    code = fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_REGISTRY_OUT_OF_MEMORY});
  } catch (const std::exception& error) {
    code = fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_INTERNAL_ERROR, .detail = error.what()});
  } catch (...) {
    code = fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_INTERNAL_ERROR, .detail = "unknown"});
  }
  if (code != CADASTRE_SUCCESS) attribute(context, function);
  return code;
}

template <class Body>
cadastre_exit_code call(cadastre_context context, const char* function, Body body) noexcept {
  return guarded(context, function, [&] {
    Visit visit(context);
    return visit ? body(visit) : CADASTRE_INVALID_CONTEXT;
  });
}

cadastre_exit_code null_argument(cadastre_exit_code argument) noexcept {
  return fail({.exit_code = argument, .reason = CADASTRE_REASON_NULL_ARGUMENT});
}

cadastre_exit_code no_memory_type(cadastre_memory_type type) noexcept {
  return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_MEMORY_TYPE,
               .asked = static_cast<std::size_t>(type)});
}

}  // namespace

#define CADASTRE_NAME_OF(name) " " #name

const char* cadastre_version(void) { return PACKAGE_VERSION; }

const char* cadastre_build_options(void) {
  return "compiler: " CADASTRE_BUILD_COMPILER "\n"
         "flags: " CADASTRE_BUILD_FLAGS "\n"
         "host: " CADASTRE_BUILD_HOST "\n"
         "backends:" CADASTRE_BUILT_BACKENDS(CADASTRE_NAME_OF) "\n";
}

cadastre_context cadastre_context_create(void) {
  cadastre_context context = CADASTRE_NULL_CONTEXT;
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    const Environment& asked = environment();
    if (!asked.malformed.empty()) {
      return fail({.exit_code = CADASTRE_INVALID_ENVIRONMENT, .reason = CADASTRE_REASON_MALFORMED_ENVIRONMENT,
                   .detail = asked.malformed.c_str()});
    }
    Backend* const backend = choose_backend(asked.backend);
    if (!backend) return CADASTRE_NOT_SUPPORTED;
    context = create_context(*backend, asked.limits);
    return context == CADASTRE_NULL_CONTEXT ? CADASTRE_ALLOCATION_FAILED : CADASTRE_SUCCESS;
  });
  return context;
}

cadastre_context cadastre_context_check(cadastre_context context) {
  return is_live(context) ? context : CADASTRE_NULL_CONTEXT;
}

cadastre_exit_code cadastre_context_destroy(cadastre_context context) {
  return call(context, __func__, [&](Visit& visit) { return destroy_context(visit, nullptr); });
}

cadastre_exit_code cadastre_context_destroy_with_summary(cadastre_context context,
                                                         cadastre_destroy_summary_struct* summary) {
  return call(context, __func__, [&](Visit& visit) { return destroy_context(visit, summary); });
}

cadastre_exit_code cadastre_lock(cadastre_context context) {
  return call(context, __func__, [&](Visit& visit) { return lock_context(visit); });
}

cadastre_exit_code cadastre_unlock(cadastre_context context) {
  return call(context, __func__, [&](Visit& visit) { return unlock_context(visit); });
}

cadastre_exit_code cadastre_last_error(cadastre_context context, cadastre_error_struct* error) {
  return guarded(context, __func__, [&]() -> cadastre_exit_code {
    if (!error) return null_argument(CADASTRE_INVALID_ARG_2);
    Failure* const failure = last_failure(context);
    if (failure && (failure->reason == CADASTRE_REASON_UNKNOWN_POINTER ||
                    failure->reason == CADASTRE_REASON_ALREADY_FREED)) {
      failure->other = holder_of(failure->pointer, context);
      if (failure->other != CADASTRE_NULL_CONTEXT) failure->reason = CADASTRE_REASON_OTHER_CONTEXT;
    }
    tell_last_failure(context, *error);
    return CADASTRE_SUCCESS;
  });
}

void* cadastre_malloc(cadastre_context context, const cadastre_memory_info_struct info) {
  void* pointer = nullptr;
  call(context, __func__, [&](Visit& visit) { return visit->allocate(visit, info, pointer); });
  return pointer;
}

cadastre_exit_code cadastre_free(cadastre_context context, void* const ptr) {
  return call(context, __func__, [&](Visit& visit) { return visit->release(visit, ptr); });
}

void* cadastre_realloc(cadastre_context context, void* const ptr, size_t size) {
  void* resized = nullptr;
  call(context, __func__, [&](Visit& visit) { return visit->resize(visit, ptr, size, resized); });
  return resized;
}

cadastre_exit_code cadastre_get_malloc_info(cadastre_context context, const void* ptr,
                                            cadastre_memory_info_struct* info) {
  return call(context, __func__, [&](Visit& visit) {
    return visit->describe(ptr, info);
  });
}

cadastre_exit_code cadastre_locate(cadastre_context context, const void* address,
                                   cadastre_memory_info_struct* info, size_t* offset) {
  return call(context, __func__, [&](Visit& visit) { return visit->locate(address, info, offset); });
}

cadastre_exit_code cadastre_wrap(cadastre_context context, const cadastre_memory_info_struct info) {
  return call(context, __func__, [&](Visit& visit) { return visit->borrow(info); });
}

cadastre_exit_code cadastre_unwrap(cadastre_context context, const void* ptr) {
  return call(context, __func__, [&](Visit& visit) { return visit->return_borrowed(ptr); });
}

cadastre_exit_code cadastre_foreach(cadastre_context context, cadastre_visit visit, void* user_data) {
  Snapshot snapshot;
  const cadastre_exit_code code = call(context, __func__, [&](Visit& inside) {
    if (!visit) return null_argument(CADASTRE_INVALID_ARG_2);
    snapshot = inside->snapshot();
    return CADASTRE_SUCCESS;
  });
  if (code != CADASTRE_SUCCESS) return code;
  cadastre_exit_code answer = CADASTRE_SUCCESS;
  const cadastre_exit_code thrown = guarded(context, __func__, [&] {
    const NotCancelled here;
    for (const Record& block : snapshot.blocks) {
      const cadastre_memory_info_struct info = info_of(block);
      answer = visit(&info, user_data);
      if (answer != CADASTRE_SUCCESS) break;
    }
    return CADASTRE_SUCCESS;
  });
  return thrown != CADASTRE_SUCCESS ? thrown : answer;
}

cadastre_exit_code cadastre_free_all(cadastre_context context) {
  return call(context, __func__, [&](Visit& visit) { return visit->release_all(visit); });
}

cadastre_exit_code cadastre_get_statistics(cadastre_context context, cadastre_memory_type type,
                                           cadastre_statistics_struct* statistics) {
  return call(context, __func__, [&](Visit& visit) {
    if (!is_memory_type(type)) return no_memory_type(type);
    if (!statistics) return null_argument(CADASTRE_INVALID_ARG_3);
    *statistics = visit->account(type).figures;
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_reset_high_water_mark(cadastre_context context, cadastre_memory_type type) {
  return call(context, __func__, [&](Visit& visit) {
    if (!is_memory_type(type)) return no_memory_type(type);
    cadastre_statistics_struct& figures = visit->account(type).figures;
    figures.high_water_mark = figures.live_bytes;
    figures.high_water_blocks = figures.live_blocks;
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_set_limit(cadastre_context context, cadastre_memory_type type, size_t bytes) {
  return call(context, __func__, [&](Visit& visit) {
    if (!is_memory_type(type)) return no_memory_type(type);
    visit->account(type).figures.limit = bytes;
    return CADASTRE_SUCCESS;
  });
}

cadastre_exit_code cadastre_set_timing(cadastre_context context, int on) {
  return call(context, __func__, [&](Visit& visit) {
    visit->set_timing(on != 0);
    return CADASTRE_SUCCESS;
  });
}

int64_t cadastre_backend_nanoseconds(void) { return backend_nanoseconds(); }

cadastre_exit_code cadastre_report(cadastre_context context, FILE* stream, cadastre_report_format format) {
  Holdings holdings;
  const cadastre_exit_code code = call(context, __func__, [&](Visit& visit) {
    if (!stream) return null_argument(CADASTRE_INVALID_ARG_2);
    const cadastre_exit_code known = admit_format(format);
    if (known == CADASTRE_SUCCESS) holdings = visit->holdings(context);
    return known;
  });
  if (code != CADASTRE_SUCCESS) return code;
  return guarded(context, __func__, [&] { return write_report(holdings, environment(), stream, format); });
}

cadastre_exit_code cadastre_get_backend_info(cadastre_backend backend, cadastre_backend_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    if (backend < 0 || backend >= CADASTRE_BACKENDS) {
      return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_NO_SUCH_INDEX,
                   .asked = static_cast<std::size_t>(backend), .limit = CADASTRE_BACKENDS - 1});
    }
    if (!info) return null_argument(CADASTRE_INVALID_ARG_2);
    const BackendRow& row = backend_rows()[static_cast<std::size_t>(backend)];
    const Presence presence = presence_of(backend);
    *info = {backend, presence.usable, presence.devices, 0, row.name, row.meaning, presence.why_not};
    for (cadastre_memory_type type = 0; presence.usable && type < CADASTRE_MEMORY_TYPES; ++type) {
      if (built_backend(backend)->serves(type)) info->memory_types |= 1u << type;
    }
    return CADASTRE_SUCCESS;
  });
}

int32_t cadastre_environment_count(void) {
  std::int32_t count = 0;
  guarded(CADASTRE_NULL_CONTEXT, __func__, [&] {
    count = static_cast<std::int32_t>(environment().variables.size());
    return CADASTRE_SUCCESS;
  });
  return count;
}

cadastre_exit_code cadastre_get_environment_info(int32_t index, cadastre_environment_info_struct* info) {
  return guarded(CADASTRE_NULL_CONTEXT, __func__, [&]() -> cadastre_exit_code {
    const std::vector<EnvironmentVariable>& variables = environment().variables;
    if (index < 0 || static_cast<std::size_t>(index) >= variables.size()) {
      return fail({.exit_code = CADASTRE_INVALID_ARG_1, .reason = CADASTRE_REASON_NO_SUCH_INDEX,
                   .asked = static_cast<std::size_t>(index), .limit = variables.size() - 1});
    }
    if (!info) return null_argument(CADASTRE_INVALID_ARG_2);
    const EnvironmentVariable& variable = variables[static_cast<std::size_t>(index)];
    const EnvironmentRow* const row = variable.row;
    *info = {variable.name.c_str(),
             variable.value ? variable.value->c_str() : nullptr,
             row ? row->preset : "",
             row ? row->expected : "",
             row ? row->meaning : "",
             variable.problem.c_str()};
    return CADASTRE_SUCCESS;
  });
}
