// Tangled from org/adapters/qmckl_gpu.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Answers for the memory functions of qmckl_gpu in a process where this object comes first.
#include <cstddef>
#include <cstdint>

#include "cadastre_qmckl_gpu.h"
#include "qmckl_callers.hpp"
#include "qmckl_originals.hpp"
#include "qmckl_registries.hpp"
#include "qmckl_unserved.hpp"

// What qmckl_gpu passes by value to qmckl_malloc_host, or in other versions only the size of. Both are in the register
// of the first member; the pointer is ignored, and in those versions whatever the next register holds.
struct qmckl_memory_info_struct_device {
  std::size_t size;
  void* pointer;
};

extern "C" {
CADASTRE_API std::int64_t qmckl_context_create_device(std::int32_t device_id) noexcept;
CADASTRE_API std::int32_t qmckl_context_destroy_device(std::int64_t context) noexcept;
CADASTRE_API void* qmckl_malloc_host(std::int64_t context, qmckl_memory_info_struct_device info) noexcept;
CADASTRE_API void* qmckl_malloc_device(std::int64_t context, std::size_t size) noexcept;
CADASTRE_API std::int32_t qmckl_free_host(std::int64_t context, void* pointer) noexcept;
CADASTRE_API std::int32_t qmckl_free_device(std::int64_t context, void* pointer) noexcept;
CADASTRE_API std::int32_t qmckl_get_malloc_info_host(std::int64_t context, const void* pointer,
                                                     qmckl_memory_info_struct_device* info) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_H2D(std::int64_t context, void* dest, void* src,
                                           std::size_t size) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_D2H(std::int64_t context, void* dest, void* src,
                                           std::size_t size) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_D2D(std::int64_t context, void* dest, void* src,
                                           std::size_t size) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_H2D_double(std::int64_t context, double* dest, double* src,
                                                  std::int64_t count) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_H2D_int64(std::int64_t context, std::int64_t* dest, std::int64_t* src,
                                                 std::int64_t count) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_H2D_int32(std::int64_t context, std::int32_t* dest, std::int32_t* src,
                                                 std::int64_t count) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_D2H_double(std::int64_t context, double* dest, double* src,
                                                  std::int64_t count) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_D2H_int64(std::int64_t context, std::int64_t* dest, std::int64_t* src,
                                                 std::int64_t count) noexcept;
CADASTRE_API std::int32_t qmckl_memcpy_D2H_int32(std::int64_t context, std::int32_t* dest, std::int32_t* src,
                                                 std::int64_t count) noexcept;
}

namespace {

using cadastre::qmckl::caller;
using cadastre::qmckl::Original;
using cadastre::qmckl::Registries;

constinit Registries registries("qmckl_context_check_device");
constinit Original<std::int64_t(std::int32_t)> library_create("qmckl_context_create_device");
constinit Original<std::int32_t(std::int64_t)> library_destroy("qmckl_context_destroy_device");
constinit Original<std::int64_t(std::int64_t)> library_check("qmckl_context_check_device");
constinit cadastre::qmckl::FailWith library_failwith("qmckl_failwith_device");

constinit cadastre::qmckl::Library library("libqmckl_gpu", "qmckl_context_create_device", "qmckl_malloc_device", "qmckl_free_device");

[[gnu::constructor]] void say_at_start() noexcept { cadastre::qmckl::say_what_is_not_served(library); }

std::int32_t failed(std::int64_t context, std::int32_t code, const char* function, const char* message) noexcept {
  return cadastre::qmckl::failed(library_failwith, context, code, function, message);
}

std::int32_t without_registry(std::int64_t context, const char* function) noexcept {
  const auto check = library_check.find();
  if (!check || check(context) != context || context == 0) {
    return failed(context, CADASTRE_INVALID_CONTEXT, function, nullptr);
  }
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(CADASTRE_NULL_CONTEXT, &error);
  return failed(context, CADASTRE_FAILURE, function, error.message);
}

// Finds the registry, does the work in it, and tells what failed. work: from a registry and a message to a code.
template <class Work>
std::int32_t perform(std::int64_t context, const char* function, Work work) noexcept {
  const cadastre_context registry = registries.of(context);
  if (registry == CADASTRE_NULL_CONTEXT) return without_registry(context, function);
  char message[CADASTRE_QMCKL_GPU_MESSAGE_SIZE];
  const cadastre_exit_code code = work(registry, message);
  return code == CADASTRE_SUCCESS ? code : failed(context, code, function, message);
}

using Allocate = void*(cadastre_context, std::size_t, const char*, char*);

void* allocate(std::int64_t context, const char* function, Allocate* from, std::size_t size, const void* where) noexcept {
  void* pointer = nullptr;
  perform(context, function, [&](cadastre_context registry, char* message) {
    pointer = from(registry, size, caller(where), message);
    return pointer ? CADASTRE_SUCCESS : CADASTRE_ALLOCATION_FAILED;
  });
  return pointer;
}

std::int32_t copy(std::int64_t context, const char* function, cadastre_qmckl_gpu_direction direction, void* dest, const void* src,
                  std::size_t size) noexcept {
  return perform(context, function, [&](cadastre_context registry, char* message) {
    return cadastre_qmckl_gpu_memcpy(registry, direction, dest, src, size, message);
  });
}

template <class Element>
std::int32_t copy_elements(std::int64_t context, const char* function, cadastre_qmckl_gpu_direction direction, Element* dest,
                           const Element* src, std::int64_t count) noexcept {
  return perform(context, function, [&](cadastre_context registry, char* message) {
    return cadastre_qmckl_gpu_memcpy_elements(registry, direction, dest, src, count, sizeof(Element), message);
  });
}

}  // namespace

std::int64_t qmckl_context_create_device(std::int32_t device_id) noexcept {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.device = CADASTRE_DEVICE_BY_ID(device_id);
  cadastre::qmckl::say_what_binds_itself(library, reinterpret_cast<const void*>(library_create.find()));
  return registries.create(library_create, options, device_id);
}

std::int32_t qmckl_context_destroy_device(std::int64_t context) noexcept { return registries.destroy(library_destroy, context); }

void* qmckl_malloc_host(std::int64_t context, const qmckl_memory_info_struct_device info) noexcept {
  return allocate(context, __func__, cadastre_qmckl_gpu_malloc_host, info.size, __builtin_return_address(0));
}

void* qmckl_malloc_device(std::int64_t context, std::size_t size) noexcept {
  return allocate(context, __func__, cadastre_qmckl_gpu_malloc_device, size, __builtin_return_address(0));
}

std::int32_t qmckl_free_host(std::int64_t context, void* pointer) noexcept {
  return perform(context, __func__,
                 [&](cadastre_context registry, char* message) { return cadastre_qmckl_gpu_free_host(registry, pointer, message); });
}

std::int32_t qmckl_free_device(std::int64_t context, void* pointer) noexcept {
  return perform(context, __func__,
                 [&](cadastre_context registry, char* message) { return cadastre_qmckl_gpu_free_device(registry, pointer, message); });
}

std::int32_t qmckl_get_malloc_info_host(std::int64_t context, const void* pointer, qmckl_memory_info_struct_device* info) noexcept {
  return perform(context, __func__, [&](cadastre_context registry, char* message) {
    std::size_t* const size = info ? &info->size : nullptr;
    void** const base = info ? &info->pointer : nullptr;
    return cadastre_qmckl_gpu_get_malloc_info_host(registry, pointer, size, base, message);
  });
}

std::int32_t qmckl_memcpy_H2D(std::int64_t context, void* dest, void* src,
                              std::size_t size) noexcept {
  return copy(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, size);
}

std::int32_t qmckl_memcpy_D2H(std::int64_t context, void* dest, void* src,
                              std::size_t size) noexcept {
  return copy(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, size);
}

std::int32_t qmckl_memcpy_D2D(std::int64_t context, void* dest, void* src,
                              std::size_t size) noexcept {
  return copy(context, __func__, CADASTRE_QMCKL_GPU_D2D, dest, src, size);
}

std::int32_t qmckl_memcpy_H2D_double(std::int64_t context, double* dest, double* src,
                                     std::int64_t count) noexcept {
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, count);
}

std::int32_t qmckl_memcpy_H2D_int64(std::int64_t context, std::int64_t* dest, std::int64_t* src,
                                    std::int64_t count) noexcept {
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, count);
}

std::int32_t qmckl_memcpy_H2D_int32(std::int64_t context, std::int32_t* dest, std::int32_t* src,
                                    std::int64_t count) noexcept {
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_H2D, dest, src, count);
}

std::int32_t qmckl_memcpy_D2H_double(std::int64_t context, double* dest, double* src,
                                     std::int64_t count) noexcept {
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, count);
}

std::int32_t qmckl_memcpy_D2H_int64(std::int64_t context, std::int64_t* dest, std::int64_t* src,
                                    std::int64_t count) noexcept {
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, count);
}

std::int32_t qmckl_memcpy_D2H_int32(std::int64_t context, std::int32_t* dest, std::int32_t* src,
                                    std::int64_t count) noexcept {
  return copy_elements(context, __func__, CADASTRE_QMCKL_GPU_D2H, dest, src, count);
}
