// Tangled from org/command/replay_operations.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cadastre::command {

template <class Call>
auto Run::timed(Sample& sample, Worker& worker, Call call) {
  const std::int64_t backend = cadastre_get_backend_nanoseconds();
  const Clock::time_point start = Clock::now();
  const auto result = call();
  worker.last = Clock::now();
  sample.call = nanoseconds(worker.last - start);
  const std::int64_t spent = cadastre_get_backend_nanoseconds() - backend;
  sample.backend = std::min(sample.call, static_cast<std::uint64_t>(std::max<std::int64_t>(0, spent)));
  return result;
}

void Run::perform(const Operation& operation, Sample& sample, Worker& worker) {
  const bool uses_blocks = operation.kind != Kind::malloc;
  if ((operation.kind != Kind::create && contexts_[operation.context].missing) ||
      (uses_blocks && (!obtained(operation, operation.block) || !obtained(operation, operation.source)))) {
    sample.fate = Fate::skipped;
    if (operation.kind == Kind::malloc && operation.block != 0) {
      blocks_[static_cast<std::size_t>(operation.block)] = {};
    }
    return;
  }
  if (operation.kind == Kind::copy && reaches_elsewhere(operation)) {
    sample.fate = Fate::copy_skipped;
    return;
  }
  const cadastre_context context = contexts_[operation.context].handle;
  const bool check = uses_blocks && (stale(operation.block, context) || stale(operation.source, context));
  const bool locked = check && cadastre_lock(context) == CADASTRE_SUCCESS;
  cadastre_memory_info_struct found;
  if (locked &&
      ((stale(operation.block, context) && cadastre_get_malloc_info(context, address_of(operation.block), &found) == CADASTRE_SUCCESS) ||
       (stale(operation.source, context) && cadastre_get_malloc_info(context, address_of(operation.source), &found) == CADASTRE_SUCCESS))) {
    sample.fate = Fate::reused;
  } else {
    static constexpr void (Run::* performers[kinds])(const Operation&, Sample&, Worker&) = {
                &Run::create,
                &Run::destroy,
                &Run::malloc,
                &Run::free,
                &Run::realloc,
                &Run::info,
                &Run::copy,
    };
    (this->*performers[static_cast<std::size_t>(operation.kind)])(operation, sample, worker);
    judge(operation, sample, worker);
  }
  if (locked) cadastre_unlock(context);
}

// Whether there is something to do an operation with: any block but one that could not be allocated, and a foreign
// pointer with as much memory as is copied.
bool Run::obtained(const Operation& operation, std::int64_t block) const {
  if (block >= 0) return block == 0 || blocks_[static_cast<std::size_t>(block)].context != CADASTRE_NULL_CONTEXT;
  return operation.kind != Kind::copy || operation.size <= foreign_[static_cast<std::size_t>(-block)].size;
}

void* Run::address_of(std::int64_t block) const {
  return block >= 0 ? blocks_[static_cast<std::size_t>(block)].pointer : foreign_[static_cast<std::size_t>(-block)].memory.get();
}

// Whether an address may have been returned again since it was a block of this context.
bool Run::stale(std::int64_t block, cadastre_context context) const {
  if (block <= 0) return false;
  const Block& one = blocks_[static_cast<std::size_t>(block)];
  return one.freed || one.context != context;
}

// Whether a copy has a side that the context of the copy may not know, so that the library takes it for unregistered host memory.
bool Run::reaches_elsewhere(const Operation& operation) const {
  const Context& context = contexts_[operation.context];
  return context.alive && (stale(operation.block, context.handle) || stale(operation.source, context.handle));
}

void Run::touch(void* pointer, std::uint64_t size, cadastre_memory_type type) const {
  if (!options_.touch || type == CADASTRE_DEVICE) return;
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  volatile char* bytes = static_cast<char*>(pointer);
  for (std::uint64_t i = 0; i < size; i += page) bytes[i] = 1;
}

cadastre_error_struct last_error(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  if (error.exit_code == CADASTRE_SUCCESS) error.exit_code = CADASTRE_FAILURE;
  return error;
}

namespace {

std::uint32_t supported_by(cadastre_context context) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  cadastre_backend_info_struct backend = cadastre_backend_info_struct_zero;
  if (cadastre_context_get_options(context, &options) != CADASTRE_SUCCESS ||
      cadastre_backend_get_info(options.backend, &backend) != CADASTRE_SUCCESS) {
    return UINT32_MAX;
  }
  return static_cast<std::uint32_t>(backend.memory_type_mask);
}

}  // namespace

cadastre_memory_type Run::type_of(const Operation& operation) const {
  if (options_.type) return *options_.type;
  const bool supported = contexts_[operation.context].supported >> operation.type & 1u;
  return supported || operation.result == CADASTRE_NOT_SUPPORTED ? operation.type : CADASTRE_HOST;
}

void Run::create(const Operation& operation, Sample& sample, Worker& worker) {
  cadastre_context_options_struct wanted = cadastre_context_options_struct_zero;
  wanted.backend = options_.backend;
  const cadastre_context handle = timed(sample, worker, [&] { return cadastre_context_create_with_options(&wanted); });
  Context& context = contexts_[operation.context];
  context.handle = handle;
  context.alive = handle != CADASTRE_NULL_CONTEXT;
  context.missing = !context.alive && operation.result == CADASTRE_SUCCESS;
  context.line = operation.line;
  if (!context.alive) {
    sample.code = last_error(CADASTRE_NULL_CONTEXT).exit_code;
    return;
  }
  context.supported = supported_by(handle);
  cadastre_context_set_timing(handle, 1);
  if (operation.result != CADASTRE_SUCCESS) {  // the traced program had none
    cadastre_context_destroy(handle);
    context.handle = CADASTRE_NULL_CONTEXT;
    context.alive = false;
  }
}

void Run::destroy(const Operation& operation, Sample& sample, Worker& worker) {
  Context& context = contexts_[operation.context];
  ContextFigures figures;
  if (context.alive) {
    figures = figures_of(operation.context);
    figures.destroyed = true;
  }
  cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
  sample.code = timed(sample, worker, [&] { return cadastre_context_destroy_with_summary(context.handle, &summary); });
  const bool gone = sample.code == CADASTRE_SUCCESS || sample.code == CADASTRE_DEALLOCATION_FAILED;
  if (!context.alive || !gone) return;
  context.alive = false;
  compare(figures, summary);
}

void Run::malloc(const Operation& operation, Sample& sample, Worker& worker) {
  Context& context = contexts_[operation.context];
  cadastre_memory_info_struct wanted = cadastre_memory_info_struct_zero;
  wanted.size = operation.size;
  wanted.type = type_of(operation);
  wanted.flags = options_.zero ? 0 : CADASTRE_UNINITIALIZED;
  wanted.label = operation.label ? trace_.labels[operation.label].c_str() : nullptr;
  void* pointer = timed(sample, worker, [&] { return cadastre_malloc(context.handle, wanted); });
  if (!pointer) {
    sample.code = last_error(context.handle).exit_code;
    if (operation.block != 0) blocks_[static_cast<std::size_t>(operation.block)] = {};
    return;
  }
  if (operation.block == 0) {  // the traced program had none
    cadastre_free(context.handle, pointer);
    return;
  }
  if (!options_.type && wanted.type != operation.type) sample.host_fallback = true;
  blocks_[static_cast<std::size_t>(operation.block)] = {pointer, context.handle, false};
  touch(pointer, wanted.size, wanted.type);
}

void Run::free(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  void* pointer = address_of(operation.block);
  sample.code = timed(sample, worker, [&] { return cadastre_free(context, pointer); });
  const bool gone = sample.code == CADASTRE_SUCCESS || sample.code == CADASTRE_DEALLOCATION_FAILED;
  if (gone && operation.block > 0) blocks_[static_cast<std::size_t>(operation.block)].freed = true;
}

void Run::realloc(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  void* old = address_of(operation.block);
  void* pointer = timed(sample, worker, [&] { return cadastre_realloc(context, old, operation.size); });
  if (!pointer) {
    sample.code = last_error(context).exit_code;
    return;
  }
  if (operation.block <= 0) return;
  blocks_[static_cast<std::size_t>(operation.block)].pointer = pointer;
  cadastre_memory_info_struct info;
  if (options_.touch && cadastre_get_malloc_info(context, pointer, &info) == CADASTRE_SUCCESS) {
    touch(pointer, operation.size, info.type);
  }
}

void Run::info(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  const void* pointer = address_of(operation.block);
  cadastre_memory_info_struct info{};
  sample.code = timed(sample, worker, [&] { return cadastre_get_malloc_info(context, pointer, &info); });
  if (sample.code == CADASTRE_SUCCESS && operation.has_size && info.size != operation.size) {
    sample.fate = Fate::wrong_size;
  }
}

// A foreign pointer is an array of the traced program outside its contexts.
void Run::copy(const Operation& operation, Sample& sample, Worker& worker) {
  const cadastre_context context = contexts_[operation.context].handle;
  void* const to = address_of(operation.block);
  const void* const from = address_of(operation.source);
  sample.code = timed(sample, worker, [&] { return cadastre_memcpy(context, to, from, operation.size); });
}

}  // namespace cadastre::command
