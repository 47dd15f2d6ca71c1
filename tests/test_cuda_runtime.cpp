// Tangled from org/tests/cuda_double.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <latch>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cmocka.hpp"
#include "cuda_double.hpp"

using namespace cadastre::cuda_api;

namespace {

const CudaDouble& the_double() { return cuda_double(); }

// Where the runtime was found.
std::string library_name() {
  Dl_info info{};
  void* const inside = cuda_runtime() ? dlsym(cuda_runtime(), called("cudaRuntimeGetVersion").c_str()) : nullptr;
  return inside && dladdr(inside, &info) ? info.dli_fname : "none";
}

template <class Function>
Function* entry(const char* name) {
  const char* const symbol = spoken().symbol_of(name, cuda_version());
  auto* const function = reinterpret_cast<Function*>(symbol ? dlsym(cuda_runtime(), symbol) : nullptr);
  if (!function) {
    std::printf("Bail out! %s has no %s\n", library_name().c_str(), symbol ? symbol : name);
    std::exit(1);
  }
  return function;
}

#define TEXT_OF(name) #name
#define CUDA(name) (*entry<signature::name>(#name))

// What the vendor calls an error of CUDA's.
std::string named(const std::string& error) { return vendor_here() + error.substr(4); }

#define succeeds(call) assert_string_equal(CUDA(cudaGetErrorName)(call), named("cudaSuccess").c_str())
// Refused with this error, which is taken away again so that the next check finds none.
#define refused(error, call)                                                          \
  do {                                                                                \
    assert_string_equal(CUDA(cudaGetErrorName)(call), named(TEXT_OF(error)).c_str()); \
    CUDA(cudaGetLastError)();                                                         \
  } while (0)

constexpr std::size_t size = std::size_t{1} << 16;

unsigned char* device_block(std::size_t bytes = size) {
  void* pointer = nullptr;
  succeeds(CUDA(cudaMalloc)(&pointer, bytes));
  assert_non_null(pointer);
  return static_cast<unsigned char*>(pointer);
}
unsigned char* pinned_block(int filling, std::size_t bytes = size) {
  void* pointer = nullptr;
  succeeds(CUDA(cudaMallocHost)(&pointer, bytes));
  std::memset(pointer, filling, bytes);
  return static_cast<unsigned char*>(pointer);
}
cudaStream_t stream_with(unsigned flags) {
  cudaStream_t stream = nullptr;
  succeeds(CUDA(cudaStreamCreateWithFlags)(&stream, flags));
  return stream;
}
cudaStream_t independent_stream() { return stream_with(cudaStreamNonBlocking); }
cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  succeeds(CUDA(cudaEventCreateWithFlags)(&event, cudaEventDisableTiming));
  return event;
}
void free_all(std::initializer_list<void*> device, std::initializer_list<void*> pinned, std::initializer_list<cudaStream_t> streams) {
  for (const cudaStream_t stream : streams) {
    succeeds(CUDA(cudaStreamSynchronize)(stream));
    succeeds(CUDA(cudaStreamDestroy)(stream));
  }
  for (void* const pointer : device) succeeds(CUDA(cudaFree)(pointer));
  for (void* const pointer : pinned) succeeds(CUDA(cudaFreeHost)(pointer));
}

// One byte of a device, after all that was issued.
int byte_at(const unsigned char* pointer) {
  unsigned char byte = 0;
  succeeds(CUDA(cudaDeviceSynchronize)());
  succeeds(CUDA(cudaMemcpy)(&byte, pointer, 1, cudaMemcpyDefault));
  return byte;
}

// ROCm 5 refuses to tell of a pointer that it does not know.
bool tells_of_unknown_pointers() { return !on_hip() || spoken().major(cuda_version()) > 5; }

cudaPointerAttributes attributes_of(const void* pointer) {
  cudaPointerAttributes attributes;
  const cudaError_t error = CUDA(cudaPointerGetAttributes)(&attributes, pointer);
  if (error == cudaErrorInvalidValue && !tells_of_unknown_pointers()) {
    CUDA(cudaGetLastError)();
    return {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, const_cast<void*>(pointer), {}};
  }
  succeeds(error);
  spoken().translate(attributes, cuda_version());
  return attributes;
}

bool supports(cudaDeviceAttr attribute) {
  int value = 0;
  succeeds(CUDA(cudaDeviceGetAttribute)(&value, spoken().attribute(attribute), 0));
  return value != 0;
}

cudaError_t prefetch_to_device_0(const void* pointer) {
  if (!is_cuda_from(13000)) return CUDA(cudaMemPrefetchAsync_12)(pointer, size, 0, nullptr);
  return CUDA(cudaMemPrefetchAsync)(pointer, size, {cudaMemLocationTypeDevice, 0}, 0, nullptr);
}
cudaError_t advise_device_0(const void* pointer) {
  if (!is_cuda_from(13000)) return CUDA(cudaMemAdvise_12)(pointer, size, cudaMemAdviseSetPreferredLocation, 0);
  return CUDA(cudaMemAdvise)(pointer, size, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeDevice, 0});
}

// The host faults when it reads there; not on machines whose processor and GPU share their page tables.
bool faults(const volatile unsigned char* pointer) {
  if (supports(cudaDevAttrPageableMemoryAccessUsesHostPageTables)) return true;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    for (const int number : {SIGSEGV, SIGBUS}) std::signal(number, SIG_DFL);
    _exit(*pointer == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

void a_runtime_has_the_routines_of_its_version(void**) {
  int version = 0;
  succeeds(CUDA(cudaRuntimeGetVersion)(&version));
  assert_in_range(version, spoken().oldest, spoken().first_after - 1);
  for (const Entry& entry : spoken().entries) {
    const bool there = dlsym(cuda_runtime(), entry.symbol) != nullptr;
    if (is_in(entry, version) && !there) assert_string_equal(entry.symbol, "there");
    if (the_double() && there && !spoken().has_symbol(entry.symbol, version)) assert_string_equal(entry.symbol, "of another version");
  }
}

// What is behind a structure of the version stays as it was.
template <class Structure, class Call>
void assert_written(Call call) {
  constexpr unsigned char before = 0x5a;
  std::vector<unsigned char> room(sizeof(Structure) + 64, before);
  succeeds(call(reinterpret_cast<Structure*>(room.data())));
  const auto past = room.begin() + static_cast<std::ptrdiff_t>(written_size<Structure>());
  if (the_double()) assert_int_equal(*(past - 1), 0);
  assert_true(std::all_of(past, room.end(), [](unsigned char byte) { return byte == before; }));
}

void a_runtime_writes_the_structures_of_its_version(void**) {
  unsigned char* const block = device_block();
  assert_written<cudaDeviceProp>([](cudaDeviceProp* room) { return CUDA(cudaGetDeviceProperties)(room, 0); });
  assert_written<cudaPointerAttributes>([&](cudaPointerAttributes* room) { return CUDA(cudaPointerGetAttributes)(room, block); });
  free_all({block}, {}, {});
}

void devices_are_numbered_from_0_and_others_are_refused(void**) {
  int count = 0, device = -1;
  succeeds(CUDA(cudaGetDeviceCount)(&count));
  assert_true(count >= 1);
  refused(cudaErrorInvalidDevice, CUDA(cudaSetDevice)(count));
  refused(cudaErrorInvalidDevice, CUDA(cudaSetDevice)(-1));
  succeeds(CUDA(cudaGetDevice)(&device));
  assert_int_equal(device, 0);
}

void each_thread_has_a_current_device_and_a_last_error_of_its_own(void**) {
  int count = 0, there = -1, here = -1;
  cudaError_t error_there = cudaErrorUnknown;
  succeeds(CUDA(cudaGetDeviceCount)(&count));
  succeeds(CUDA(cudaSetDevice)(count - 1));
  CUDA(cudaSetDevice)(-1);
  std::thread([&] {
    error_there = CUDA(cudaGetLastError)();
    CUDA(cudaGetDevice)(&there);
  }).join();
  assert_int_equal(CUDA(cudaGetLastError)(), cudaErrorInvalidDevice);
  succeeds(CUDA(cudaGetDevice)(&here));
  succeeds(CUDA(cudaSetDevice)(0));
  assert_int_equal(error_there, cudaSuccess);
  assert_int_equal(there, 0);
  assert_int_equal(here, count - 1);
}

void an_error_stays_the_last_one_until_it_is_taken(void**) {
  void* pointer;
  assert_int_equal(CUDA(cudaMalloc)(&pointer, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  int device;
  succeeds(CUDA(cudaGetDevice)(&device));
  assert_int_equal(CUDA(cudaPeekAtLastError)(), cudaErrorMemoryAllocation);
  assert_int_equal(CUDA(cudaGetLastError)(), cudaErrorMemoryAllocation);
  assert_int_equal(CUDA(cudaGetLastError)(), cudaSuccess);
}

void errors_have_names_and_sentences(void**) {
  assert_string_equal(CUDA(cudaGetErrorName)(cudaErrorNoDevice), named("cudaErrorNoDevice").c_str());
  assert_string_equal(CUDA(cudaGetErrorString)(cudaErrorMemoryAllocation), "out of memory");
  assert_string_equal(CUDA(cudaGetErrorName)(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

void device_memory_is_counted_as_taken(void**) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  std::size_t before = 0, with = 0, total = 0;
  succeeds(CUDA(cudaMemGetInfo)(&before, &total));
  assert_true(before <= total);
  unsigned char* const block = device_block(bytes);
  succeeds(CUDA(cudaMemGetInfo)(&with, &total));
  assert_true(with + bytes <= before + (std::size_t{4} << 20));
  free_all({block}, {}, {});
}

void device_memory_is_aligned_and_out_of_the_hosts_reach(void**) {
  unsigned char* const block = device_block();
  assert_int_equal(reinterpret_cast<std::uintptr_t>(block) % 256, 0);
  assert_true(faults(block));
  assert_true(faults(block + size - 1));
  free_all({block}, {}, {});
}

void no_bytes_are_a_null_pointer_and_too_many_are_refused(void**) {
  void* pointer = &pointer;
  succeeds(CUDA(cudaMalloc)(&pointer, 0));
  assert_null(pointer);
  refused(cudaErrorMemoryAllocation, CUDA(cudaMalloc)(&pointer, std::size_t{1} << 60));
}

void what_was_not_allocated_is_not_freed(void**) {
  unsigned char* const block = device_block();
  unsigned char* const pinned = pinned_block(0);
  int local;
  succeeds(CUDA(cudaFree)(nullptr));
  succeeds(CUDA(cudaFreeHost)(nullptr));
  refused(cudaErrorInvalidValue, CUDA(cudaFree)(block + 256));
  refused(cudaErrorInvalidValue, CUDA(cudaFree)(&local));
  refused(cudaErrorInvalidValue, CUDA(cudaFreeHost)(&local));
  free_all({block}, {pinned}, {});
}

void a_pointer_tells_what_it_points_into(void**) {
  unsigned char* const block = device_block();
  unsigned char* const pinned = pinned_block(0);
  int local;
  const cudaPointerAttributes inside = attributes_of(block + 12345);
  assert_int_equal(inside.type, cudaMemoryTypeDevice);
  assert_int_equal(inside.device, 0);
  assert_ptr_equal(inside.devicePointer, block + 12345);
  assert_null(inside.hostPointer);
  assert_int_equal(attributes_of(pinned).type, cudaMemoryTypeHost);
  assert_ptr_equal(attributes_of(pinned).hostPointer, pinned);
  assert_int_equal(attributes_of(&local).type, cudaMemoryTypeUnregistered);
  assert_null(attributes_of(&local).devicePointer);
  free_all({block}, {pinned}, {});
}

void bytes_come_back_as_they_were_copied_and_filled(void**) {
  std::vector<unsigned char> sent(size, 7), got(size, 0);
  unsigned char *const one = device_block(), *const other = device_block();
  succeeds(CUDA(cudaMemcpy)(one, sent.data(), size, cudaMemcpyHostToDevice));
  succeeds(CUDA(cudaMemset)(one + 100, 9, 50));
  succeeds(CUDA(cudaMemcpy)(other, one, size, cudaMemcpyDeviceToDevice));
  succeeds(CUDA(cudaMemcpy)(got.data(), other, size, cudaMemcpyDeviceToHost));
  std::fill(sent.begin() + 100, sent.begin() + 150, static_cast<unsigned char>(9));
  assert_memory_equal(got.data(), sent.data(), size);
  succeeds(CUDA(cudaMemcpy)(one, nullptr, 0, cudaMemcpyDefault));
  free_all({one, other}, {}, {});
}

void a_plain_copy_and_one_to_pageable_memory_are_done_when_they_return(void**) {
  unsigned char* const block = device_block();
  unsigned char* const pinned = pinned_block(0);
  std::vector<unsigned char> pageable(size, 0);
  succeeds(CUDA(cudaMemset)(block, 5, size));
  succeeds(CUDA(cudaMemcpy)(pinned, block, size, cudaMemcpyDeviceToHost));
  assert_int_equal(pinned[size - 1], 5);
  succeeds(CUDA(cudaMemset)(block, 6, size));
  succeeds(CUDA(cudaMemcpyAsync)(pageable.data(), block, size, cudaMemcpyDeviceToHost, nullptr));
  assert_int_equal(pageable[size - 1], 6);
  free_all({block}, {pinned}, {});
}

void rows_are_copied_by_their_pitches(void**) {
  const unsigned char sent[] = {1, 2, 3, 0, 0, 4, 5, 6, 0, 0};
  unsigned char got[8] = {};
  unsigned char* const block = device_block();
  succeeds(CUDA(cudaMemset)(block, 0, size));
  succeeds(CUDA(cudaMemcpy2D)(block, 64, sent, 5, 3, 2, cudaMemcpyHostToDevice));
  succeeds(CUDA(cudaMemset2DAsync)(block + 1, 64, 8, 1, 2, nullptr));
  succeeds(CUDA(cudaMemcpy2D)(got, 4, block, 64, 3, 2, cudaMemcpyDeviceToHost));
  const unsigned char expected[] = {1, 8, 3, 0, 4, 8, 6, 0};
  assert_memory_equal(got, expected, sizeof expected);
  refused(cudaErrorInvalidPitchValue, CUDA(cudaMemcpy2D)(block, 2, sent, 5, 3, 2, cudaMemcpyHostToDevice));
  free_all({block}, {}, {});
}

void a_stream_is_done_in_order_and_an_event_orders_two(void**) {
  const cudaStream_t first = independent_stream(), second = independent_stream();
  const cudaEvent_t event = new_event();
  unsigned char *const one = device_block(), *const other = device_block();
  unsigned char *const source = pinned_block(3), *const target = pinned_block(0);
  succeeds(CUDA(cudaEventQuery)(event));
  succeeds(CUDA(cudaStreamQuery)(first));
  succeeds(CUDA(cudaMemsetAsync)(one, 1, size, first));
  succeeds(CUDA(cudaMemcpyAsync)(one, source, size / 2, cudaMemcpyHostToDevice, first));
  succeeds(CUDA(cudaEventRecord)(event, first));
  succeeds(CUDA(cudaStreamWaitEvent)(second, event, 0));
  succeeds(CUDA(cudaMemcpyAsync)(other, one, size, cudaMemcpyDeviceToDevice, second));
  succeeds(CUDA(cudaMemcpyAsync)(target, other, size, cudaMemcpyDeviceToHost, second));
  succeeds(CUDA(cudaStreamSynchronize)(second));
  assert_int_equal(target[0], 3);
  assert_int_equal(target[size / 2 - 1], 3);
  assert_int_equal(target[size - 1], 1);
  succeeds(CUDA(cudaEventQuery)(event));
  succeeds(CUDA(cudaEventSynchronize)(event));
  succeeds(CUDA(cudaStreamQuery)(second));
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({one, other}, {source, target}, {first, second});
}

void the_default_stream_waits_for_blocking_streams_and_they_for_it(void**) {
  const cudaStream_t first = stream_with(cudaStreamDefault), second = stream_with(cudaStreamDefault);
  unsigned char *const one = device_block(), *const other = device_block();
  unsigned char* const target = pinned_block(0);
  succeeds(CUDA(cudaMemsetAsync)(one, 5, size, first));
  succeeds(CUDA(cudaMemcpyAsync)(other, one, size, cudaMemcpyDeviceToDevice, nullptr));
  succeeds(CUDA(cudaMemcpyAsync)(target, other, size, cudaMemcpyDeviceToHost, second));
  succeeds(CUDA(cudaStreamSynchronize)(second));
  assert_int_equal(target[size - 1], 5);
  free_all({one, other}, {target}, {first, second});
}

void a_query_asked_again_and_again_comes_to_an_end(void**) {
  const cudaStream_t stream = independent_stream();
  const cudaEvent_t event = new_event();
  unsigned char* const block = device_block();
  for (int i = 0; i < 10; ++i) succeeds(CUDA(cudaMemsetAsync)(block, i, size, stream));
  succeeds(CUDA(cudaEventRecord)(event, stream));
  cudaError_t answer;
  while ((answer = CUDA(cudaEventQuery)(event)) == cudaErrorNotReady) CUDA(cudaGetLastError)();
  succeeds(answer);
  succeeds(CUDA(cudaStreamQuery)(stream));
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({block}, {}, {stream});
}

void time_is_told_between_recorded_events_that_keep_it(void**) {
  cudaEvent_t events[2];
  float milliseconds = -1;
  for (cudaEvent_t& event : events) succeeds(CUDA(cudaEventCreate)(&event));
  refused(cudaErrorInvalidResourceHandle, CUDA(cudaEventElapsedTime)(&milliseconds, events[0], events[1]));
  for (const cudaEvent_t event : events) succeeds(CUDA(cudaEventRecord)(event, nullptr));
  succeeds(CUDA(cudaEventSynchronize)(events[1]));
  succeeds(CUDA(cudaEventElapsedTime)(&milliseconds, events[0], events[1]));
  assert_true(milliseconds >= 0);
  for (const cudaEvent_t event : events) succeeds(CUDA(cudaEventDestroy)(event));
}

void a_host_function_is_called_in_its_place(void**) {
  const cudaStream_t stream = independent_stream();
  unsigned char* const block = device_block();
  unsigned char* const target = pinned_block(0);
  succeeds(CUDA(cudaMemsetAsync)(block, 4, size, stream));
  succeeds(CUDA(cudaMemcpyAsync)(target, block, size, cudaMemcpyDeviceToHost, stream));
  succeeds(CUDA(cudaLaunchHostFunc)(stream, [](void* data) { ++*static_cast<unsigned char*>(data); }, target));
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  assert_int_equal(target[0], 5);
  free_all({block}, {target}, {stream});
}

void registered_memory_is_host_memory_until_it_is_unregistered(void**) {
  void* const memory = std::aligned_alloc(4096, size);
  std::memset(memory, 6, size);
  unsigned char* const block = device_block();
  succeeds(CUDA(cudaHostRegister)(memory, size, cudaHostRegisterDefault));
  assert_int_equal(attributes_of(memory).type, cudaMemoryTypeHost);
  succeeds(CUDA(cudaMemcpyAsync)(block, memory, size, cudaMemcpyHostToDevice, nullptr));
  assert_int_equal(byte_at(block + size - 1), 6);
  succeeds(CUDA(cudaHostUnregister)(memory));
  assert_int_equal(attributes_of(memory).type, cudaMemoryTypeUnregistered);
  std::free(memory);
  free_all({block}, {}, {});
}

void managed_memory_is_for_host_and_device(void**) {
  if (!supports(cudaDevAttrManagedMemory)) skip_because("the device has no managed memory");
  void* pointer = nullptr;
  succeeds(CUDA(cudaMallocManaged)(&pointer, size, cudaMemAttachGlobal));
  auto* const block = static_cast<unsigned char*>(pointer);
  block[0] = 5;
  assert_int_equal(byte_at(block), 5);
  assert_int_equal(attributes_of(block).type, cudaMemoryTypeManaged);
  succeeds(CUDA(cudaMemset)(block, 6, size));
  succeeds(CUDA(cudaDeviceSynchronize)());
  assert_int_equal(block[size - 1], 6);
  free_all({block}, {}, {});
}

void managed_memory_takes_hints(void**) {
  if (!supports(cudaDevAttrConcurrentManagedAccess)) skip_because("the device takes no prefetches");
  void* pointer = nullptr;
  succeeds(CUDA(cudaMallocManaged)(&pointer, size, cudaMemAttachGlobal));
  succeeds(prefetch_to_device_0(pointer));
  succeeds(advise_device_0(pointer));
  succeeds(CUDA(cudaDeviceSynchronize)());
  free_all({pointer}, {}, {});
}

void stream_ordered_memory_serves_the_stream(void**) {
  if (!supports(cudaDevAttrMemoryPoolsSupported)) skip_because("the device has no pools of its own");
  const cudaStream_t stream = independent_stream();
  unsigned char* const target = pinned_block(0);
  void* block = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&block, size, stream));
  assert_true(faults(static_cast<unsigned char*>(block)));
  succeeds(CUDA(cudaMemsetAsync)(block, 4, size, stream));
  succeeds(CUDA(cudaMemcpyAsync)(target, block, size, cudaMemcpyDeviceToHost, stream));
  succeeds(CUDA(cudaFreeAsync)(block, stream));
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  assert_int_equal(target[size - 1], 4);
  succeeds(CUDA(cudaMallocAsync)(&block, size, stream));
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  free_all({block}, {target}, {stream});
}

std::uint64_t told(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = 0;
  succeeds(CUDA(cudaMemPoolGetAttribute)(pool, attribute, &value));
  return value;
}

void a_pool_keeps_what_its_threshold_says_and_is_trimmed(void**) {
  if (!supports(cudaDevAttrMemoryPoolsSupported)) skip_because("the device has no pools of its own");
  cudaMemPool_t pool;
  succeeds(CUDA(cudaDeviceGetDefaultMemPool)(&pool, 0));
  const std::uint64_t usual = told(pool, cudaMemPoolAttrReleaseThreshold);
  std::uint64_t all = UINT64_MAX;
  succeeds(CUDA(cudaMemPoolSetAttribute)(pool, cudaMemPoolAttrReleaseThreshold, &all));
  assert_true(told(pool, cudaMemPoolAttrReleaseThreshold) == all);
  const cudaStream_t stream = independent_stream();
  const std::uint64_t before = told(pool, cudaMemPoolAttrUsedMemCurrent);
  void* block = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&block, size, stream));
  const std::uint64_t used = told(pool, cudaMemPoolAttrUsedMemCurrent);
  assert_true(used >= before + size);
  succeeds(CUDA(cudaFreeAsync)(block, stream));
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  const std::uint64_t after = told(pool, cudaMemPoolAttrUsedMemCurrent);
  if (after != before) print_message("# used: %zu before, %zu with the block, %zu after\n", before, used, after);
  assert_true(after == before);
  assert_true(told(pool, cudaMemPoolAttrReservedMemCurrent) >= size);
  succeeds(CUDA(cudaMemPoolTrimTo)(pool, 0));
  if (after == 0) assert_true(told(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  std::uint64_t again = usual;
  succeeds(CUDA(cudaMemPoolSetAttribute)(pool, cudaMemPoolAttrReleaseThreshold, &again));
  free_all({}, {}, {stream});
}

void a_stream_destroyed_with_work_still_does_it(void**) {
  const cudaStream_t stream = independent_stream();
  unsigned char* const block = device_block();
  succeeds(CUDA(cudaMemsetAsync)(block, 8, size, stream));
  succeeds(CUDA(cudaStreamDestroy)(stream));
  assert_int_equal(byte_at(block), 8);
  free_all({block}, {}, {});
}

void threads_may_all_call_at_once(void**) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, -1);
  std::latch start(4);
  for (std::size_t which = 0; which < wrong.size(); ++which)
    threads.emplace_back([&, which] {
      start.arrive_and_wait();
      cudaStream_t stream = nullptr;
      void* block = nullptr;
      unsigned char byte = 0;
      int failures = CUDA(cudaStreamCreate)(&stream) != cudaSuccess;
      for (int i = 0; i < 400; ++i) {
        failures += CUDA(cudaMalloc)(&block, size) != cudaSuccess;
        failures += CUDA(cudaMemsetAsync)(block, i, size, stream) != cudaSuccess;
        failures += CUDA(cudaMemcpyAsync)(&byte, block, 1, cudaMemcpyDefault, stream) != cudaSuccess;
        failures += CUDA(cudaStreamSynchronize)(stream) != cudaSuccess || byte != i % 256;
        failures += CUDA(cudaFree)(block) != cudaSuccess;
      }
      wrong[which] = failures + (CUDA(cudaStreamDestroy)(stream) != cudaSuccess);
    });
  for (std::thread& thread : threads) thread.join();
  for (const int failures : wrong) assert_int_equal(failures, 0);
}

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  auto status = cudaStreamCaptureStatusInvalidated;
  succeeds(CUDA(cudaStreamIsCapturing)(stream, &status));
  return status;
}

void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  succeeds(CUDA(cudaStreamBeginCapture)(stream, mode));
  assert_int_equal(status_of(stream), cudaStreamCaptureStatusActive);
}

cudaGraphExec_t end(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  succeeds(CUDA(cudaStreamEndCapture)(stream, &graph));
  assert_int_equal(status_of(stream), cudaStreamCaptureStatusNone);
  succeeds(CUDA(cudaGraphInstantiateWithFlags)(&executable, graph, 0));
  succeeds(CUDA(cudaGraphDestroy)(graph));
  return executable;
}

// Ends a capture that gives no graph.
#define ends_with(error, stream)                                      \
  do {                                                                \
    cudaGraph_t graph = nullptr;                                      \
    refused(error, CUDA(cudaStreamEndCapture)(stream, &graph));       \
    assert_null(graph);                                               \
    assert_int_equal(status_of(stream), cudaStreamCaptureStatusNone); \
  } while (0)

void what_is_captured_is_done_at_each_launch(void**) {
  unsigned char *const one = device_block(), *const other = device_block();
  unsigned char* const pinned = pinned_block(1);
  const cudaStream_t stream = independent_stream();
  succeeds(CUDA(cudaMemset)(one, 0, size));
  succeeds(CUDA(cudaDeviceSynchronize)());
  begin(stream);
  succeeds(CUDA(cudaMemsetAsync)(one, 5, size, stream));
  succeeds(CUDA(cudaMemcpyAsync)(other, one, size, cudaMemcpyDeviceToDevice, stream));
  succeeds(CUDA(cudaMemcpyAsync)(pinned, other, size, cudaMemcpyDeviceToHost, stream));
  const cudaGraphExec_t graph = end(stream);
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  assert_int_equal(byte_at(one), 0);
  for (int round = 0; round < 2; ++round) {
    succeeds(CUDA(cudaMemset)(one, 0, size));
    std::memset(pinned, 1, size);
    succeeds(CUDA(cudaDeviceSynchronize)());
    succeeds(CUDA(cudaGraphLaunch)(graph, stream));
    succeeds(CUDA(cudaStreamSynchronize)(stream));
    assert_int_equal(pinned[size - 1], 5);
    assert_int_equal(byte_at(one), 5);
  }
  succeeds(CUDA(cudaGraphExecDestroy)(graph));
  free_all({one, other}, {pinned}, {stream});
}

void what_is_unsafe_spoils_a_capture(void**) {
  unsigned char* const block = device_block();
  void* pointer = nullptr;
  const cudaStream_t stream = independent_stream();
  const cudaEvent_t event = new_event();
  succeeds(CUDA(cudaEventRecord)(event, stream));
  const auto spoilt = [&](cudaError_t error) {
    refused(cudaErrorStreamCaptureUnsupported, error);
    assert_int_equal(status_of(stream), cudaStreamCaptureStatusInvalidated);
    refused(cudaErrorStreamCaptureInvalidated, CUDA(cudaMemsetAsync)(block, 1, size, stream));
    ends_with(cudaErrorStreamCaptureInvalidated, stream);
  };
  begin(stream);
  spoilt(CUDA(cudaMalloc)(&pointer, size));
  assert_null(pointer);
  begin(stream);
  spoilt(CUDA(cudaStreamSynchronize)(stream));
  begin(stream);
  spoilt(CUDA(cudaStreamQuery)(stream));
  begin(stream);
  spoilt(CUDA(cudaEventQuery)(event));
  begin(stream);
  spoilt(CUDA(cudaDeviceSynchronize)());
  begin(stream, cudaStreamCaptureModeRelaxed);
  spoilt(CUDA(cudaStreamSynchronize)(stream));
  begin(stream, cudaStreamCaptureModeRelaxed);
  unsigned char* const more = device_block();
  succeeds(CUDA(cudaGraphExecDestroy)(end(stream)));
  begin(stream);
  auto mode = cudaStreamCaptureModeRelaxed;
  succeeds(CUDA(cudaThreadExchangeStreamCaptureMode)(&mode));
  unsigned char* const most = device_block();
  succeeds(CUDA(cudaThreadExchangeStreamCaptureMode)(&mode));
  assert_int_equal(mode, cudaStreamCaptureModeRelaxed);
  succeeds(CUDA(cudaGraphExecDestroy)(end(stream)));
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({block, more, most}, {}, {stream});
}

// On this the backend leans: so it is asked of a GPU too, with a copy that takes a while.
void a_free_in_relaxed_mode_waits_for_the_device_and_leaves_a_capture_alone(void**) {
  constexpr std::size_t large = std::size_t{16} << 20;
  unsigned char* const target = pinned_block(0, large);
  const cudaStream_t captured = independent_stream(), working = independent_stream();
  for (const auto capture : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    unsigned char* const block = device_block(large);
    std::memset(target, 0, large);
    succeeds(CUDA(cudaMemset)(block, 5, large));
    succeeds(CUDA(cudaDeviceSynchronize)());
    begin(captured, capture);
    succeeds(CUDA(cudaMemcpyAsync)(target, block, large, cudaMemcpyDeviceToHost, working));
    auto mode = cudaStreamCaptureModeRelaxed;
    succeeds(CUDA(cudaThreadExchangeStreamCaptureMode)(&mode));
    succeeds(CUDA(cudaStreamSynchronize)(spoken().default_stream()));
    succeeds(CUDA(cudaFree)(block));
    assert_int_equal(target[large - 1], 5);
    succeeds(CUDA(cudaThreadExchangeStreamCaptureMode)(&mode));
    succeeds(CUDA(cudaGraphExecDestroy)(end(captured)));
  }
  free_all({}, {target}, {captured, working});
}

void the_legacy_stream_is_unusable_while_a_blocking_one_is_captured(void**) {
  unsigned char* const block = device_block();
  const cudaStream_t blocking = stream_with(cudaStreamDefault), independent = independent_stream();
  cudaStreamCaptureStatus status;
  begin(independent);
  assert_int_equal(status_of(nullptr), cudaStreamCaptureStatusNone);
  assert_int_equal(status_of(blocking), cudaStreamCaptureStatusNone);
  succeeds(CUDA(cudaGraphExecDestroy)(end(independent)));
  begin(blocking);
  refused(cudaErrorStreamCaptureImplicit, CUDA(cudaStreamIsCapturing)(nullptr, &status));
  assert_int_equal(status_of(blocking), cudaStreamCaptureStatusActive);
  assert_int_equal(status_of(independent), cudaStreamCaptureStatusNone);
  refused(cudaErrorStreamCaptureImplicit, CUDA(cudaMemsetAsync)(block, 1, size, nullptr));
  assert_int_equal(status_of(blocking), cudaStreamCaptureStatusInvalidated);
  ends_with(cudaErrorStreamCaptureInvalidated, blocking);
  assert_int_equal(status_of(nullptr), cudaStreamCaptureStatusNone);
  free_all({block}, {}, {blocking, independent});
}

unsigned long long id_of(cudaStream_t stream) {
  unsigned long long id = 0;
  succeeds(CUDA(cudaStreamGetId)(stream, &id));
  return id;
}

void a_stream_has_an_id_that_no_other_had(void**) {
  if (!queues_have_identity()) skip_because(needs_identity);
  std::set<unsigned long long> ids;
  for (int round = 0; round < 10; ++round) {
    const cudaStream_t stream = independent_stream();
    const unsigned long long id = id_of(stream);
    assert_true(ids.insert(id).second);
    begin(stream);
    assert_int_equal(id_of(stream), id);
    succeeds(CUDA(cudaGraphExecDestroy)(end(stream)));
    succeeds(CUDA(cudaStreamDestroy)(stream));
  }
  unsigned long long here = id_of(cudaStreamPerThread), there = here;
  std::thread([&] { CUDA(cudaStreamGetId)(cudaStreamPerThread, &there); }).join();
  assert_int_not_equal(here, there);
}

void a_capture_spreads_by_its_own_events_and_takes_no_other(void**) {
  unsigned char *const one = device_block(), *const other = device_block();
  const cudaStream_t first = independent_stream(), second = independent_stream();
  const cudaEvent_t fork = new_event(), join = new_event();
  succeeds(CUDA(cudaEventRecord)(join, second));
  begin(first);
  refused(cudaErrorStreamCaptureIsolation, CUDA(cudaStreamWaitEvent)(first, join, 0));
  ends_with(cudaErrorStreamCaptureInvalidated, first);
  begin(first);
  succeeds(CUDA(cudaMemsetAsync)(one, 5, size, first));
  succeeds(CUDA(cudaEventRecord)(fork, first));
  succeeds(CUDA(cudaStreamWaitEvent)(second, fork, 0));
  assert_int_equal(status_of(second), cudaStreamCaptureStatusActive);
  succeeds(CUDA(cudaMemcpyAsync)(other, one, size, cudaMemcpyDeviceToDevice, second));
  succeeds(CUDA(cudaEventRecord)(join, second));
  succeeds(CUDA(cudaStreamWaitEvent)(first, join, 0));
  const cudaGraphExec_t graph = end(first);
  assert_int_equal(status_of(second), cudaStreamCaptureStatusNone);
  succeeds(CUDA(cudaGraphLaunch)(graph, first));
  assert_int_equal(byte_at(other), 5);
  succeeds(CUDA(cudaGraphExecDestroy)(graph));
  begin(first);
  succeeds(CUDA(cudaEventRecord)(fork, first));
  succeeds(CUDA(cudaStreamWaitEvent)(second, fork, 0));
  succeeds(CUDA(cudaMemsetAsync)(other, 6, size, second));
  ends_with(cudaErrorStreamCaptureUnjoined, first);
  assert_int_equal(status_of(second), cudaStreamCaptureStatusNone);
  begin(first);
  succeeds(CUDA(cudaEventRecord)(fork, first));
  refused(cudaErrorCapturedEvent, CUDA(cudaEventSynchronize)(fork));
  ends_with(cudaErrorStreamCaptureInvalidated, first);
  begin(first);
  begin(second);
  succeeds(CUDA(cudaEventRecord)(fork, first));
  refused(cudaErrorStreamCaptureMerge, CUDA(cudaStreamWaitEvent)(second, fork, 0));
  ends_with(cudaErrorStreamCaptureInvalidated, second);
  ends_with(cudaErrorStreamCaptureInvalidated, first);
  for (const cudaEvent_t event : {fork, join}) succeeds(CUDA(cudaEventDestroy)(event));
  free_all({one, other}, {}, {first, second});
}

void a_stream_waits_for_an_event_of_another_device(void**) {
  int count = 0;
  succeeds(CUDA(cudaGetDeviceCount)(&count));
  if (count < 2) skip_because("there is no second device");
  unsigned char* const source = device_block();
  unsigned char* const pinned = pinned_block(5);
  const cudaStream_t here = independent_stream();
  const cudaEvent_t event = new_event();
  succeeds(CUDA(cudaMemcpyAsync)(source, pinned, size, cudaMemcpyHostToDevice, here));
  succeeds(CUDA(cudaEventRecord)(event, here));
  succeeds(CUDA(cudaSetDevice)(1));
  const cudaStream_t there = independent_stream();
  unsigned char* const target = device_block();
  succeeds(CUDA(cudaStreamWaitEvent)(there, event, 0));
  succeeds(CUDA(cudaMemcpyPeerAsync)(target, 1, source, 0, size, there));
  succeeds(CUDA(cudaStreamSynchronize)(there));
  assert_int_equal(byte_at(target), 5);
  succeeds(CUDA(cudaSetDevice)(0));
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({source, target}, {pinned}, {here, there});
}

int seen_by_a_kernel(const unsigned char* pointer) {
  const void* const bytes = the_double().bytes(pointer, 1);
  return bytes ? *static_cast<const unsigned char*>(bytes) : -1;
}

void a_copy_read_before_waiting_is_stale(void**) {
  unsigned char* const block = device_block();
  unsigned char* const target = pinned_block(0);
  succeeds(CUDA(cudaMemset)(block, 5, size));
  succeeds(CUDA(cudaMemcpyAsync)(target, block, size, cudaMemcpyDeviceToHost, nullptr));
  assert_int_equal(target[0], 0);
  succeeds(CUDA(cudaStreamSynchronize)(nullptr));
  assert_int_equal(target[0], 5);
  free_all({block}, {target}, {});
}

void a_pinned_source_overwritten_before_waiting_arrives_overwritten(void**) {
  unsigned char* const block = device_block();
  unsigned char* const source = pinned_block(1);
  succeeds(CUDA(cudaMemcpyAsync)(block, source, size, cudaMemcpyHostToDevice, nullptr));
  std::memset(source, 2, size);
  assert_int_equal(byte_at(block), 2);
  free_all({block}, {source}, {});
}

void a_pageable_source_is_staged_and_its_copy_still_deferred(void**) {
  unsigned char* const block = device_block();
  std::vector<unsigned char> source(size, 1);
  succeeds(CUDA(cudaMemcpyAsync)(block, source.data(), size, cudaMemcpyHostToDevice, nullptr));
  std::fill(source.begin(), source.end(), static_cast<unsigned char>(2));
  assert_int_equal(seen_by_a_kernel(block), 0xCD);
  assert_int_equal(byte_at(block), 1);
  free_all({block}, {}, {});
}

void a_plain_copy_from_pageable_memory_waits_for_what_was_issued_before(void**) {
  unsigned char *const before = device_block(), *const block = device_block();
  const std::vector<unsigned char> source(size, 1);
  succeeds(CUDA(cudaMemset)(before, 5, size));
  succeeds(CUDA(cudaMemcpy)(block, source.data(), size, cudaMemcpyHostToDevice));
  assert_int_equal(seen_by_a_kernel(before), 5);
  assert_int_equal(seen_by_a_kernel(block), 0xCD);
  free_all({before, block}, {}, {});
}

void a_plain_fill_of_host_memory_is_done_when_it_returns(void**) {
  unsigned char* const pinned = pinned_block(0);
  void* managed = nullptr;
  succeeds(CUDA(cudaMallocManaged)(&managed, size, cudaMemAttachGlobal));
  for (unsigned char* const block : {pinned, static_cast<unsigned char*>(managed)}) {
    succeeds(CUDA(cudaMemset)(block, 5, size));
    assert_int_equal(block[0], 5);
    succeeds(CUDA(cudaMemsetAsync)(block, 6, size, nullptr));
    assert_int_equal(block[0], 5);
  }
  free_all({managed}, {pinned}, {});
}

void waiting_for_the_default_stream_is_waiting_for_blocking_ones_only(void**) {
  const cudaStream_t blocking = stream_with(cudaStreamDefault), independent = independent_stream();
  unsigned char *const one = device_block(), *const other = device_block();
  succeeds(CUDA(cudaMemsetAsync)(one, 5, size, blocking));
  succeeds(CUDA(cudaMemsetAsync)(other, 5, size, independent));
  refused(cudaErrorNotReady, CUDA(cudaStreamQuery)(nullptr));
  succeeds(CUDA(cudaStreamSynchronize)(nullptr));
  assert_int_equal(seen_by_a_kernel(one), 5);
  assert_int_equal(seen_by_a_kernel(other), 0xCD);
  succeeds(CUDA(cudaStreamQuery)(nullptr));
  free_all({one, other}, {}, {blocking, independent});
}

void host_memory_is_let_go_when_no_device_works_on_it(void**) {
  unsigned char *const one = device_block(), *const other = device_block();
  unsigned char* const pinned = pinned_block(5);
  void* const memory = std::aligned_alloc(4096, size);
  std::memset(memory, 6, size);
  succeeds(CUDA(cudaHostRegister)(memory, size, cudaHostRegisterDefault));
  succeeds(CUDA(cudaMemcpyAsync)(one, pinned, size, cudaMemcpyDefault, nullptr));
  succeeds(CUDA(cudaFreeHost)(pinned));
  succeeds(CUDA(cudaMemcpyAsync)(other, memory, size, cudaMemcpyDefault, nullptr));
  succeeds(CUDA(cudaHostUnregister)(memory));
  std::memset(memory, 0, size);
  assert_int_equal(byte_at(one), 5);
  assert_int_equal(byte_at(other), 6);
  std::free(memory);
  free_all({one, other}, {}, {});
}

void fills_and_copies_on_the_device_are_not_done_when_the_call_returns(void**) {
  unsigned char *const one = device_block(), *const other = device_block();
  succeeds(CUDA(cudaMemset)(one, 5, size));
  succeeds(CUDA(cudaMemcpy)(other, one, size, cudaMemcpyDeviceToDevice));
  assert_int_equal(seen_by_a_kernel(one), 0xCD);
  assert_int_equal(seen_by_a_kernel(other), 0xCD);
  assert_int_equal(byte_at(other), 5);
  free_all({one, other}, {}, {});
}

void two_streams_without_an_event_are_not_ordered(void**) {
  const cudaStream_t first = independent_stream(), second = independent_stream();
  unsigned char* const block = device_block();
  unsigned char* const target = pinned_block(0);
  succeeds(CUDA(cudaMemsetAsync)(block, 7, size, first));
  succeeds(CUDA(cudaMemcpyAsync)(target, block, size, cudaMemcpyDeviceToHost, second));
  succeeds(CUDA(cudaStreamSynchronize)(second));
  assert_int_equal(target[0], 0xCD);
  free_all({block}, {target}, {first, second});
}

void an_event_recorded_too_early_orders_nothing_behind_it(void**) {
  const cudaStream_t first = independent_stream(), second = independent_stream();
  const cudaEvent_t event = new_event();
  unsigned char* const block = device_block();
  unsigned char* const target = pinned_block(0);
  succeeds(CUDA(cudaMemsetAsync)(block, 6, size, first));
  succeeds(CUDA(cudaEventRecord)(event, first));
  succeeds(CUDA(cudaMemsetAsync)(block, 7, size, first));
  succeeds(CUDA(cudaStreamWaitEvent)(second, event, 0));
  succeeds(CUDA(cudaMemcpyAsync)(target, block, size, cudaMemcpyDeviceToHost, second));
  succeeds(CUDA(cudaStreamSynchronize)(second));
  assert_int_equal(target[0], 6);
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({block}, {target}, {first, second});
}

void a_block_used_after_its_free_in_the_stream_shows_it(void**) {
  const cudaStream_t stream = independent_stream();
  unsigned char* const target = pinned_block(0);
  void* block = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&block, size, stream));
  succeeds(CUDA(cudaMemsetAsync)(block, 4, size, stream));
  succeeds(CUDA(cudaFreeAsync)(block, stream));
  succeeds(CUDA(cudaMemcpyAsync)(target, block, size, cudaMemcpyDeviceToHost, stream));
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  assert_int_equal(target[0], 0xDD);
  free_all({}, {target}, {stream});
}

void a_block_freed_on_a_stream_that_does_not_wait_for_its_use_is_overwritten(void**) {
  const cudaStream_t user = independent_stream(), other = independent_stream();
  unsigned char* const target = pinned_block(0);
  void *block = nullptr, *next = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&block, size, user));
  succeeds(CUDA(cudaStreamSynchronize)(user));
  succeeds(CUDA(cudaMemsetAsync)(block, 3, size, user));
  succeeds(CUDA(cudaFreeAsync)(block, other));
  succeeds(CUDA(cudaStreamSynchronize)(other));
  succeeds(CUDA(cudaMallocAsync)(&next, size, other));
  succeeds(CUDA(cudaMemsetAsync)(next, 9, size, other));
  succeeds(CUDA(cudaStreamSynchronize)(other));
  succeeds(CUDA(cudaStreamSynchronize)(user));
  succeeds(CUDA(cudaMemcpyAsync)(target, next, size, cudaMemcpyDeviceToHost, other));
  succeeds(CUDA(cudaStreamSynchronize)(other));
  assert_ptr_equal(next, block);
  assert_int_equal(target[0], 3);
  free_all({next}, {target}, {user, other});
}

void a_block_used_before_its_allocation_in_the_stream_loses_what_was_written(void**) {
  const cudaStream_t owner = independent_stream(), hasty = independent_stream();
  void* block = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&block, size, owner));
  succeeds(CUDA(cudaMemsetAsync)(block, 5, size, hasty));
  succeeds(CUDA(cudaStreamSynchronize)(hasty));
  assert_int_equal(byte_at(static_cast<unsigned char*>(block)), 0xCD);
  free_all({block}, {}, {owner, hasty});
}

void a_block_freed_before_its_stream_got_to_it_disturbs_no_later_one(void**) {
  const cudaStream_t slow = independent_stream(), fast = independent_stream();
  void *block = nullptr, *next = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&block, size, slow));
  succeeds(CUDA(cudaFree)(block));
  succeeds(CUDA(cudaMallocAsync)(&next, size, fast));
  assert_ptr_equal(next, block);
  succeeds(CUDA(cudaMemsetAsync)(next, 5, size, fast));
  succeeds(CUDA(cudaStreamSynchronize)(fast));
  assert_int_equal(byte_at(static_cast<unsigned char*>(next)), 5);
  free_all({next}, {}, {slow, fast});
}

void a_pool_lets_go_when_the_program_waits_unless_it_may_keep(void**) {
  const cudaStream_t stream = independent_stream();
  cudaMemPool_t pool;
  void* block = nullptr;
  const auto take_and_free = [&] {
    succeeds(CUDA(cudaMallocAsync)(&block, size, stream));
    succeeds(CUDA(cudaFreeAsync)(block, stream));
    assert_true(told(pool, cudaMemPoolAttrReservedMemCurrent) == size);
    succeeds(CUDA(cudaStreamSynchronize)(stream));
  };
  succeeds(CUDA(cudaDeviceGetDefaultMemPool)(&pool, 0));
  take_and_free();
  assert_true(told(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  assert_int_equal(seen_by_a_kernel(static_cast<unsigned char*>(block)), -1);
  std::uint64_t keep = size;
  succeeds(CUDA(cudaMemPoolSetAttribute)(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  take_and_free();
  assert_true(told(pool, cudaMemPoolAttrReservedMemCurrent) == size);
  assert_int_equal(byte_at(static_cast<unsigned char*>(block)), 0xDD);
  keep = 0;
  succeeds(CUDA(cudaMemPoolSetAttribute)(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  free_all({}, {}, {stream});
}

void a_pool_of_ones_own_lives_until_its_last_block_is_freed(void**) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
  std::size_t before, after, total;
  succeeds(CUDA(cudaMemGetInfo)(&before, &total));
  succeeds(CUDA(cudaMemPoolCreate)(&pool, &properties));
  void* block = nullptr;
  succeeds(CUDA(cudaMallocFromPoolAsync)(&block, size, pool, nullptr));
  succeeds(CUDA(cudaMemPoolDestroy)(pool));
  refused(cudaErrorInvalidValue, CUDA(cudaMemPoolTrimTo)(pool, 0));
  assert_int_equal(byte_at(static_cast<unsigned char*>(block)), 0xCD);
  free_all({block}, {}, {});
  succeeds(CUDA(cudaDeviceSynchronize)());
  succeeds(CUDA(cudaMemGetInfo)(&after, &total));
  assert_true(after == before);
}

void memory_that_is_full_serves_what_its_stream_has_freed_and_nothing_else(void**) {
  const cudaStream_t stream = independent_stream(), other = independent_stream();
  std::size_t available, total;
  void *block = nullptr, *next = nullptr;
  succeeds(CUDA(cudaMemGetInfo)(&available, &total));
  succeeds(CUDA(cudaMallocAsync)(&block, available, stream));
  succeeds(CUDA(cudaFreeAsync)(block, stream));
  refused(cudaErrorMemoryAllocation, CUDA(cudaMallocAsync)(&next, available, other));
  refused(cudaErrorMemoryAllocation, CUDA(cudaMalloc)(&next, available));
  succeeds(CUDA(cudaMallocAsync)(&next, available, stream));
  free_all({next}, {}, {stream, other});
  succeeds(CUDA(cudaDeviceSynchronize)());
}

void a_pool_block_given_to_free_without_waiting_is_gone_at_once(void**) {
  const cudaStream_t stream = independent_stream();
  unsigned char* const target = pinned_block(0);
  void* block = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&block, size, stream));
  succeeds(CUDA(cudaMemsetAsync)(block, 5, size, stream));
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  succeeds(CUDA(cudaMemcpyAsync)(target, block, size, cudaMemcpyDeviceToHost, stream));
  succeeds(CUDA(cudaFree)(block));
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  assert_int_equal(target[0], 0xDD);
  free_all({}, {target}, {stream});
}

void what_a_freed_block_held_is_not_found_again(void**) {
  unsigned char* const block = device_block();
  succeeds(CUDA(cudaMemset)(block, 5, size));
  succeeds(CUDA(cudaFree)(block));
  assert_int_equal(seen_by_a_kernel(block), -1);
  unsigned char* const next = device_block();
  assert_ptr_equal(next, block);
  assert_int_equal(byte_at(next), 0xCD);
  free_all({next}, {}, {});
}

void copies_that_cannot_be_meant_are_refused(void**) {
  unsigned char *const block = device_block(), local[16] = {};
  unsigned char* const pinned = pinned_block(0);
  const auto wrong = [](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    refused(cudaErrorInvalidValue, CUDA(cudaMemcpy)(to, from, bytes, kind));
  };
  wrong(block, block, 16, cudaMemcpyHostToHost);
  wrong(local, block, 16, cudaMemcpyHostToDevice);
  wrong(block, local, 16, cudaMemcpyDeviceToHost);
  wrong(local, local, 16, cudaMemcpyDeviceToDevice);
  wrong(pinned, block, size + 1, cudaMemcpyDefault);
  wrong(block + 1, pinned, size, cudaMemcpyDefault);
  wrong(block, nullptr, 1, cudaMemcpyDefault);
  refused(cudaErrorInvalidMemcpyDirection, CUDA(cudaMemcpy)(block, pinned, 1, static_cast<cudaMemcpyKind>(7)));
  refused(cudaErrorInvalidValue, CUDA(cudaMemset)(block, 0, size + 1));
  refused(cudaErrorInvalidValue, CUDA(cudaMemset)(local, 0, 1));
  succeeds(CUDA(cudaFree)(block));
  wrong(pinned, block, 1, cudaMemcpyDefault);
  refused(cudaErrorInvalidValue, CUDA(cudaFree)(block));
  free_all({}, {pinned}, {});
}

void memory_is_given_back_by_the_function_that_belongs_to_it(void**) {
  unsigned char* const block = device_block();
  unsigned char* const pinned = pinned_block(0);
  refused(cudaErrorInvalidValue, CUDA(cudaFree)(pinned));
  refused(cudaErrorInvalidValue, CUDA(cudaFreeHost)(block));
  refused(cudaErrorInvalidValue, CUDA(cudaFreeAsync)(pinned, nullptr));
  free_all({block}, {pinned}, {});
}

void memory_is_registered_once_and_unregistered_once(void**) {
  void* const memory = std::aligned_alloc(4096, size);
  succeeds(CUDA(cudaHostRegister)(memory, size, cudaHostRegisterDefault));
  refused(cudaErrorHostMemoryAlreadyRegistered, CUDA(cudaHostRegister)(memory, size, cudaHostRegisterDefault));
  refused(cudaErrorInvalidValue, CUDA(cudaFreeHost)(memory));
  succeeds(CUDA(cudaHostUnregister)(memory));
  refused(cudaErrorHostMemoryNotRegistered, CUDA(cudaHostUnregister)(memory));
  std::free(memory);
}

void what_was_destroyed_is_refused_until_it_comes_again(void**) {
  const cudaStream_t stream = independent_stream(), other = independent_stream();
  const cudaEvent_t event = new_event();
  unsigned char *const block = device_block(), *const pinned = pinned_block(0);
  free_all({block}, {pinned}, {stream});
  succeeds(CUDA(cudaEventDestroy)(event));
  refused(cudaErrorInvalidResourceHandle, CUDA(cudaStreamSynchronize)(stream));
  refused(cudaErrorInvalidResourceHandle, CUDA(cudaStreamDestroy)(stream));
  refused(cudaErrorInvalidResourceHandle, CUDA(cudaEventRecord)(event, other));
  assert_ptr_equal(independent_stream(), stream);
  assert_ptr_equal(new_event(), event);
  assert_ptr_equal(device_block(), block);
  assert_ptr_equal(pinned_block(0), pinned);
  succeeds(CUDA(cudaEventRecord)(event, stream));
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({block}, {pinned}, {stream, other});
}

void the_address_that_was_freed_last_comes_first(void**) {
  unsigned char *const a = device_block(), *const b = device_block(), *const c = device_block();
  for (unsigned char* const block : {a, c, b}) succeeds(CUDA(cudaFree)(block));
  for (unsigned char* const block : {b, c, a}) assert_ptr_equal(device_block(), block);
  free_all({a, b, c}, {}, {});
  free_all({device_block(3 * size)}, {}, {});
}

void a_new_stream_with_an_old_handle_does_not_come_after_the_old_one(void**) {
  unsigned char* const block = device_block();
  const cudaStream_t stream = independent_stream();
  succeeds(CUDA(cudaMemsetAsync)(block, 7, size, stream));
  succeeds(CUDA(cudaStreamDestroy)(stream));
  assert_ptr_equal(independent_stream(), stream);
  succeeds(CUDA(cudaStreamSynchronize)(stream));
  assert_int_equal(seen_by_a_kernel(block), 0xCD);
  succeeds(CUDA(cudaDeviceSynchronize)());
  assert_int_equal(seen_by_a_kernel(block), 7);
  free_all({block}, {}, {stream});
}

void the_stream_of_a_thread_is_not_that_of_the_next(void**) {
  unsigned char* const block = device_block();
  std::thread([&] { CUDA(cudaMemsetAsync)(block, 7, size, cudaStreamPerThread); }).join();
  cudaError_t error = cudaErrorUnknown;
  std::thread([&] { error = CUDA(cudaStreamSynchronize)(cudaStreamPerThread); }).join();
  succeeds(error);
  assert_int_equal(seen_by_a_kernel(block), 0xCD);
  succeeds(CUDA(cudaDeviceSynchronize)());
  assert_int_equal(seen_by_a_kernel(block), 7);
  free_all({block}, {}, {});
}

void a_reset_takes_all_that_was_made_on_the_device(void**) {
  unsigned char *const block = device_block(), *const pinned = pinned_block(0);
  const cudaStream_t stream = independent_stream();
  const cudaEvent_t event = new_event();
  void* ordered = nullptr;
  if (supports(cudaDevAttrMemoryPoolsSupported)) succeeds(CUDA(cudaMallocAsync)(&ordered, size, stream));
  succeeds(CUDA(cudaMemsetAsync)(block, 7, size, stream));
  succeeds(CUDA(cudaDeviceReset)());
  refused(cudaErrorInvalidValue, CUDA(cudaFree)(block));
  refused(cudaErrorInvalidValue, CUDA(cudaFreeHost)(pinned));
  refused(cudaErrorInvalidResourceHandle, CUDA(cudaStreamSynchronize)(stream));
  refused(cudaErrorInvalidResourceHandle, CUDA(cudaEventQuery)(event));
  unsigned char* const again = device_block();
  succeeds(CUDA(cudaDeviceSynchronize)());
  assert_int_equal(seen_by_a_kernel(again), 0xCD);
  free_all({again}, {}, {});
}

void a_device_has_its_own_memory_and_its_own_events(void**) {
  int count = 0;
  succeeds(CUDA(cudaGetDeviceCount)(&count));
  if (count < 2) skip_because("there is no second device");
  const cudaEvent_t event = new_event();
  unsigned char* const first = device_block();
  succeeds(CUDA(cudaSetDevice)(1));
  const cudaStream_t stream = independent_stream();
  unsigned char* const second = device_block();
  assert_int_equal(attributes_of(second).device, 1);
  refused(cudaErrorInvalidResourceHandle, CUDA(cudaEventRecord)(event, nullptr));
  succeeds(CUDA(cudaMemsetAsync)(second, 5, size, stream));
  succeeds(CUDA(cudaSetDevice)(0));
  succeeds(CUDA(cudaMemcpyPeer)(first, 0, second, 1, size));
  assert_int_equal(seen_by_a_kernel(first), 0xCD);
  succeeds(CUDA(cudaSetDevice)(1));
  succeeds(CUDA(cudaMemset)(second, 6, size));
  assert_int_equal(byte_at(second), 6);
  succeeds(CUDA(cudaSetDevice)(0));
  assert_int_equal(byte_at(first), 5);
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({first, second}, {}, {stream});
}

void a_captured_source_is_read_when_the_graph_is_done(void**) {
  unsigned char *const pinned_target = device_block(), *const target = device_block();
  unsigned char* const pinned = pinned_block(1);
  std::vector<unsigned char> pageable(size, 1);
  const cudaStream_t stream = independent_stream();
  begin(stream);
  succeeds(CUDA(cudaMemcpyAsync)(pinned_target, pinned, size, cudaMemcpyHostToDevice, stream));
  succeeds(CUDA(cudaMemcpyAsync)(target, pageable.data(), size, cudaMemcpyHostToDevice, stream));
  const cudaGraphExec_t graph = end(stream);
  std::memset(pinned, 2, size);
  std::fill(pageable.begin(), pageable.end(), static_cast<unsigned char>(3));
  succeeds(CUDA(cudaGraphLaunch)(graph, stream));
  assert_int_equal(seen_by_a_kernel(target), 0xCD);
  assert_int_equal(byte_at(pinned_target), 2);
  assert_int_equal(byte_at(target), 3);
  succeeds(CUDA(cudaGraphExecDestroy)(graph));
  free_all({pinned_target, target}, {pinned}, {stream});
}

void all_that_is_unsafe_is_refused_as_the_modes_say(void**) {
  const cudaStream_t stream = independent_stream(), other = independent_stream();
  const cudaEvent_t event = new_event();
  unsigned char* const block = device_block();
  unsigned char* const pinned = pinned_block(0);
  void* pointer = nullptr;
  unsigned char byte = 0;
  const std::vector<std::function<cudaError_t()>> unsafe = {
      [&] { return CUDA(cudaFree)(block); },
      [&] { return CUDA(cudaMallocHost)(&pointer, size); },
      [&] { return CUDA(cudaFreeHost)(pinned); },
      [&] { return CUDA(cudaMallocManaged)(&pointer, size, cudaMemAttachGlobal); },
      [&] { return CUDA(cudaHostRegister)(&byte, 1, cudaHostRegisterDefault); },
      [&] { return CUDA(cudaMemcpy)(&byte, block, 1, cudaMemcpyDeviceToHost); },
      [&] { return CUDA(cudaMallocAsync)(&pointer, size, stream); },
      [&] { return CUDA(cudaFreeAsync)(block, stream); },
      [&] { return CUDA(cudaStreamSynchronize)(other); },
      [&] { return CUDA(cudaEventSynchronize)(event); },
  };
  for (const auto& call : unsafe) {
    begin(stream);
    refused(cudaErrorStreamCaptureUnsupported, call());
    ends_with(cudaErrorStreamCaptureInvalidated, stream);
  }
  cudaError_t elsewhere = cudaErrorUnknown;
  const auto ask_elsewhere = [&] { elsewhere = CUDA(cudaEventQuery)(event); };
  begin(stream);
  std::thread(ask_elsewhere).join();
  assert_int_equal(elsewhere, cudaErrorStreamCaptureUnsupported);
  ends_with(cudaErrorStreamCaptureInvalidated, stream);
  begin(stream, cudaStreamCaptureModeThreadLocal);
  std::thread(ask_elsewhere).join();
  assert_int_equal(elsewhere, cudaSuccess);
  std::thread([&] {
    cudaGraph_t graph = nullptr;
    elsewhere = CUDA(cudaStreamEndCapture)(stream, &graph);
  }).join();
  assert_int_equal(elsewhere, cudaErrorStreamCaptureWrongThread);
  refused(cudaErrorIllegalState, CUDA(cudaStreamBeginCapture)(stream, cudaStreamCaptureModeGlobal));
  succeeds(CUDA(cudaGraphExecDestroy)(end(stream)));
  refused(cudaErrorStreamCaptureUnsupported, CUDA(cudaStreamBeginCapture)(nullptr, cudaStreamCaptureModeGlobal));
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({block}, {pinned}, {stream, other});
}

void a_host_function_may_not_call_the_runtime(void**) {
  static cudaError_t answer = cudaSuccess;
  succeeds(CUDA(cudaLaunchHostFunc)(nullptr, [](void*) { answer = CUDA(cudaDeviceSynchronize)(); }, nullptr));
  succeeds(CUDA(cudaDeviceSynchronize)());
  assert_int_equal(answer, cudaErrorNotPermitted);
  CUDA(cudaGetLastError)();
}

void the_call_that_is_asked_for_fails_and_does_nothing(void**) {
  void* pointer = nullptr;
  int device;
  the_double().fail(nullptr, 3, 1, cudaErrorUnknown);
  succeeds(CUDA(cudaGetDevice)(&device));
  succeeds(CUDA(cudaGetDevice)(&device));
  refused(cudaErrorUnknown, CUDA(cudaMalloc)(&pointer, size));
  assert_null(pointer);
  succeeds(CUDA(cudaGetDevice)(&device));
}

void calls_of_one_function_fail_as_often_as_is_asked_for(void**) {
  void* pointer = nullptr;
  the_double().fail("cudaMalloc", 2, 2, cudaErrorMemoryAllocation);
  unsigned char* const first = device_block();
  refused(cudaErrorMemoryAllocation, CUDA(cudaMalloc)(&pointer, size));
  free_all({first}, {}, {});
  refused(cudaErrorMemoryAllocation, CUDA(cudaMalloc)(&pointer, size));
  free_all({device_block()}, {}, {});
  the_double().fail("cudaMalloc", 1, -1, cudaErrorMemoryAllocation);
  for (int i = 0; i < 5; ++i) refused(cudaErrorMemoryAllocation, CUDA(cudaMalloc)(&pointer, size));
  the_double().fail(nullptr, 1, 0, 0);
  free_all({device_block()}, {}, {});
}

void calls_are_counted_and_named(void**) {
  int device;
  the_double().forget();
  succeeds(CUDA(cudaSetDevice)(0));
  succeeds(CUDA(cudaGetDevice)(&device));
  succeeds(CUDA(cudaSetDevice)(0));
  assert_int_equal(the_double().calls(nullptr), 3);
  assert_int_equal(the_double().calls("cudaSetDevice"), 2);
  assert_int_equal(the_double().calls("cudaMalloc"), 0);
  assert_string_equal(the_double().made(), "cudaSetDevice cudaGetDevice cudaSetDevice");
}

// A handle of the process's own, which is refused for that when the flag is right.
void a_handle_is_opened_with_the_flag_of_its_version_only(void**) {
  unsigned char* const block = device_block();
  cudaIpcMemHandle_t handle{};
  succeeds(CUDA(cudaIpcGetMemHandle)(&handle, block));
  for (const unsigned flag : {0U, 1U, 2U}) {
    const bool right = flag == spoken().flag<cudaIpcMemLazyEnablePeerAccess>(cuda_version());
    void* opened = nullptr;
    assert_int_equal(CUDA(cudaIpcOpenMemHandle)(&opened, handle, flag), right ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue);
    assert_null(opened);
  }
  CUDA(cudaGetLastError)();
  succeeds(CUDA(cudaFree)(block));
}

void what_is_alive_is_counted(void**) {
  cuda_double_census before, with, after;
  the_double().count(&before);
  unsigned char* const block = device_block(1000);
  unsigned char* const pinned = pinned_block(0, 24);
  const cudaStream_t stream = independent_stream();
  const cudaEvent_t event = new_event();
  the_double().count(&with);
  assert_int_equal(with.blocks, before.blocks + 2);
  assert_int_equal(with.bytes, before.bytes + 1024);
  assert_int_equal(with.streams, before.streams + 1);
  assert_int_equal(with.events, before.events + 1);
  succeeds(CUDA(cudaEventDestroy)(event));
  free_all({block}, {pinned}, {stream});
  the_double().count(&after);
  assert_memory_equal(&after, &before, sizeof before);
  void* ordered = nullptr;
  succeeds(CUDA(cudaMallocAsync)(&ordered, size, nullptr));
  succeeds(CUDA(cudaFreeAsync)(ordered, nullptr));
  the_double().count(&after);
  assert_memory_equal(&after, &before, sizeof before);
  succeeds(CUDA(cudaDeviceSynchronize)());
}

void all_that_the_tests_took_was_given_back(void**) {
  cuda_double_census alive;
  the_double().count(&alive);
  assert_int_equal(alive.blocks + alive.streams + alive.events + alive.pools + alive.graphs, 0);
  unsigned char *const one = device_block(), *const two = device_block(), *const three = device_block();
  free_all({one, three, two}, {}, {});
  std::size_t available, total;
  succeeds(CUDA(cudaMemGetInfo)(&available, &total));
  assert_true(available == total);
  free_all({device_block(total)}, {}, {});
}

const char* own_path = nullptr;

// A text with CUDA's names for the vendor's.
std::string in_words(std::string text) {
  const std::string here = vendor_here();
  for (std::size_t at = text.find(here); !on_cuda() && at != std::string::npos; at = text.find(here, at + 1)) {
    if (std::isupper(static_cast<unsigned char>(text[at + here.size()]))) text.replace(at, here.size(), "cuda");
  }
  return text;
}

// What a process says that leads this life with these variables, and how it ends.
std::string life(const std::string& variables, const std::string& name) {
  std::fflush(nullptr);
  std::FILE* const said = popen((variables + " '" + own_path + "' " + name + " 2>&1").c_str(), "r");
  assert_non_null(said);
  std::string text;
  for (int letter; (letter = std::fgetc(said)) != EOF;) text.push_back(static_cast<char>(letter));
  const int status = pclose(said);
  return in_words(text) + "status " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

void assert_says(const std::string& text, const char* part) {
  if (text.find(part) == std::string::npos) assert_string_equal(text.c_str(), part);  // shows both
}

// The number of routines that the version should have and the library has not.
int tell_missing_symbols() {
  int missing = 0;
  for (const Entry& entry : spoken().entries) {
    if (!is_in(entry, cuda_version()) || dlsym(cuda_runtime(), entry.symbol)) continue;
    std::printf("version %d lacks %s\n", cuda_version(), entry.symbol);
    ++missing;
  }
  return missing;
}

int lead(const std::string& name) {
  const auto tell = [](cudaError_t error) { std::printf("%s\n", CUDA(cudaGetErrorName)(error)); };
  void *one = nullptr, *other = nullptr;
  int count = -7;
  if (name == "symbols") return tell_missing_symbols();
  if (name == "late") std::atexit([] { CUDA(cudaFree)(nullptr); });
  if (name == "ask") {
    tell(CUDA(cudaGetDeviceCount)(&count));
    std::printf("%d devices\n", count);
    tell(CUDA(cudaMalloc)(&one, std::size_t{1} << 20));
    tell(CUDA(cudaMalloc)(&other, std::size_t{1} << 20));
    tell(CUDA(cudaMallocManaged)(&one, size, cudaMemAttachGlobal));
    tell(prefetch_to_device_0(one));
    tell(CUDA(cudaMallocAsync)(&one, size, nullptr));
    return 0;
  }
  CUDA(cudaMalloc)(&one, size);
  if (name == "leak") return CUDA(cudaMallocHost)(&other, 100);
  if (name == "fork") {
    std::fflush(nullptr);
    if (fork() == 0) {
      tell(CUDA(cudaFree)(one));
      std::exit(0);
    }
    wait(nullptr);
  }
  return CUDA(cudaFree)(one);
}

void a_process_that_gives_all_back_ends_well(void**) { assert_string_equal(life("CUDA_DOUBLE_CHECK=1", "tidy").c_str(), "status 0"); }

void a_process_that_leaks_is_told_and_ends_with_99(void**) {
  const std::string said = life("CUDA_DOUBLE_CHECK=1", "leak");
  assert_says(said, "cuda double: leaked 2 blocks (65636 bytes), 0 streams, 0 events, 0 pools, 0 graphs\n");
  assert_says(said, ", 100 bytes, pinned\n");
  assert_says(said, "status 99");
  assert_string_equal(life("CUDA_DOUBLE_CHECK=0", "leak").c_str(), "status 0");
}

void a_process_that_calls_while_it_ends_is_told_and_ends_with_99(void**) {
  const char* const sentence = "cuda double: cudaFree called while the process ends\n";
  assert_says(life("CUDA_DOUBLE_CHECK=1", "late"), (std::string(sentence) + "status 99").c_str());
  assert_says(life("CUDA_DOUBLE_CHECK=0", "late"), (std::string(sentence) + "status 0").c_str());
}

void a_forked_child_has_no_driver_and_leaks_nothing(void**) {
  assert_string_equal(life("CUDA_DOUBLE_CHECK=1", "fork").c_str(), "cudaErrorInitializationError\nstatus 0");
}

void the_environment_decides_what_there_is(void**) {
  const std::string out = "cudaErrorMemoryAllocation\n", good = "cudaSuccess\n", no = "cudaErrorNotSupported\n",
                    bad = "cudaErrorInvalidValue\n";
  const std::string none = "cudaErrorNoDevice\n", old = "cudaErrorInsufficientDriver\n", one = "1 devices\n";
  const auto claim = [](const char* variables, const std::string& expected) {
    const std::string said = life(std::string("CUDA_DOUBLE_CHECK=0 ") + variables, "ask");
    assert_string_equal(said.c_str(), (expected + "status 0").c_str());
  };
  claim("CUDA_DOUBLE_DEVICES=3", good + "3 devices\n" + good + good + good + good + good);
  claim("CUDA_DOUBLE_DEVICES=0", none + "-7 devices\n" + none + none + none + none + none);
  claim("CUDA_DOUBLE_DEVICES=-1", old + "-7 devices\n" + old + old + old + old + old);
  claim("CUDA_DOUBLE_DEVICES= CUDA_DOUBLE_MEMORY=1500000", good + one + good + out + good + good + good);
  claim("CUDA_DOUBLE_DEVICES= CUDA_DOUBLE_MANAGED=0", good + one + good + good + no + bad + good);
  claim("CUDA_DOUBLE_DEVICES= CUDA_DOUBLE_CONCURRENT_MANAGED=0", good + one + good + good + good + "cudaErrorInvalidDevice\n" + good);
  claim("CUDA_DOUBLE_DEVICES= CUDA_DOUBLE_POOLS=0", good + one + good + good + good + good + no);
  claim("CUDA_DOUBLE_DEVICES= CUDA_DOUBLE_FAIL=3", good + one + good + out + good + good + good);
  claim("CUDA_DOUBLE_DEVICES= CUDA_DOUBLE_FAIL=cudaMalloc:1+ CUDA_DOUBLE_FAIL_CODE=999",
        good + one + "cudaErrorUnknown\ncudaErrorUnknown\n" + good + good + good);
}

void calls_are_traced_to_a_file(void**) {
  char path[] = "/tmp/cuda-double.XXXXXX";
  close(mkstemp(path));
  life(std::string("CUDA_DOUBLE_TRACE=") + path, "tidy");
  std::FILE* const trace = std::fopen(path, "r");
  assert_non_null(trace);
  char text[200] = {};
  assert_true(std::fread(text, 1, sizeof text - 1, trace) > 0);
  std::fclose(trace);
  unlink(path);
  assert_string_equal(in_words(text).c_str(), "cudaMalloc: cudaSuccess\ncudaFree: cudaSuccess\n");
}

}  // namespace

int main(int count, char** arguments) {
  own_path = arguments[0];
  setenv("CUDA_DOUBLE_DEVICES", "2", 0);
  setenv("CUDA_DOUBLE_CHECK", "1", 0);
  if (!cuda_runtime()) {
    std::printf("1..0 # SKIP no CUDA runtime: %s\n", dlerror());
    return 0;
  }
  if (count > 1) return lead(arguments[1]);
  int version = 0, devices = 0;
  if (const cudaError_t error = CUDA(cudaGetDeviceCount)(&devices); error != cudaSuccess) {
    std::printf("1..0 # SKIP no device: %s\n", CUDA(cudaGetErrorString)(error));
    return 0;
  }
  cudaDeviceProp properties;
  succeeds(CUDA(cudaRuntimeGetVersion)(&version));
  succeeds(CUDA(cudaGetDeviceProperties)(&properties, 0));
  std::printf("# runtime: %s, version %d, %s\n# device 0 of %d: %s\n", library_name().c_str(), version,
              the_double() ? "the double" : "not the double", devices, properties.name);
  std::fflush(stdout);  // a claim that crashes is not to take this along

  const CMUnitTest claims[] = {
      cmocka_unit_test(a_runtime_has_the_routines_of_its_version),
      cmocka_unit_test(a_runtime_writes_the_structures_of_its_version),
      cmocka_unit_test(devices_are_numbered_from_0_and_others_are_refused),
      cmocka_unit_test(each_thread_has_a_current_device_and_a_last_error_of_its_own),
      cmocka_unit_test(an_error_stays_the_last_one_until_it_is_taken),
      cmocka_unit_test(errors_have_names_and_sentences),
      cmocka_unit_test(device_memory_is_counted_as_taken),
      cmocka_unit_test(device_memory_is_aligned_and_out_of_the_hosts_reach),
      cmocka_unit_test(no_bytes_are_a_null_pointer_and_too_many_are_refused),
      cmocka_unit_test(what_was_not_allocated_is_not_freed),
      cmocka_unit_test(a_pointer_tells_what_it_points_into),
      cmocka_unit_test(bytes_come_back_as_they_were_copied_and_filled),
      cmocka_unit_test(a_plain_copy_and_one_to_pageable_memory_are_done_when_they_return),
      cmocka_unit_test(rows_are_copied_by_their_pitches),
      cmocka_unit_test(a_stream_is_done_in_order_and_an_event_orders_two),
      cmocka_unit_test(the_default_stream_waits_for_blocking_streams_and_they_for_it),
      cmocka_unit_test(a_query_asked_again_and_again_comes_to_an_end),
      cmocka_unit_test(time_is_told_between_recorded_events_that_keep_it),
      cmocka_unit_test(a_host_function_is_called_in_its_place),
      cmocka_unit_test(registered_memory_is_host_memory_until_it_is_unregistered),
      cmocka_unit_test(managed_memory_is_for_host_and_device),
      cmocka_unit_test(managed_memory_takes_hints),
      cmocka_unit_test(stream_ordered_memory_serves_the_stream),
      cmocka_unit_test(a_pool_keeps_what_its_threshold_says_and_is_trimmed),
      cmocka_unit_test(a_stream_destroyed_with_work_still_does_it),
      cmocka_unit_test(threads_may_all_call_at_once),
      cmocka_unit_test(what_is_captured_is_done_at_each_launch),
      cmocka_unit_test(what_is_unsafe_spoils_a_capture),
      cmocka_unit_test(a_free_in_relaxed_mode_waits_for_the_device_and_leaves_a_capture_alone),
      cmocka_unit_test(the_legacy_stream_is_unusable_while_a_blocking_one_is_captured),
      cmocka_unit_test(a_stream_has_an_id_that_no_other_had),
      cmocka_unit_test(a_capture_spreads_by_its_own_events_and_takes_no_other),
      cmocka_unit_test(a_stream_waits_for_an_event_of_another_device),
  };
  const int failed = cmocka_run_group_tests_name("any runtime", claims, nullptr, nullptr);
  if (!the_double()) return failed;

  const CMUnitTest claims_about_the_double[] = {
      cmocka_unit_test(a_copy_read_before_waiting_is_stale),
      cmocka_unit_test(a_pinned_source_overwritten_before_waiting_arrives_overwritten),
      cmocka_unit_test(a_pageable_source_is_staged_and_its_copy_still_deferred),
      cmocka_unit_test(a_plain_copy_from_pageable_memory_waits_for_what_was_issued_before),
      cmocka_unit_test(a_plain_fill_of_host_memory_is_done_when_it_returns),
      cmocka_unit_test(waiting_for_the_default_stream_is_waiting_for_blocking_ones_only),
      cmocka_unit_test(host_memory_is_let_go_when_no_device_works_on_it),
      cmocka_unit_test(fills_and_copies_on_the_device_are_not_done_when_the_call_returns),
      cmocka_unit_test(two_streams_without_an_event_are_not_ordered),
      cmocka_unit_test(an_event_recorded_too_early_orders_nothing_behind_it),
      cmocka_unit_test(a_block_used_after_its_free_in_the_stream_shows_it),
      cmocka_unit_test(a_block_freed_on_a_stream_that_does_not_wait_for_its_use_is_overwritten),
      cmocka_unit_test(a_block_used_before_its_allocation_in_the_stream_loses_what_was_written),
      cmocka_unit_test(a_block_freed_before_its_stream_got_to_it_disturbs_no_later_one),
      cmocka_unit_test(a_pool_lets_go_when_the_program_waits_unless_it_may_keep),
      cmocka_unit_test(a_pool_of_ones_own_lives_until_its_last_block_is_freed),
      cmocka_unit_test(memory_that_is_full_serves_what_its_stream_has_freed_and_nothing_else),
      cmocka_unit_test(a_pool_block_given_to_free_without_waiting_is_gone_at_once),
      cmocka_unit_test(what_a_freed_block_held_is_not_found_again),
      cmocka_unit_test(copies_that_cannot_be_meant_are_refused),
      cmocka_unit_test(memory_is_given_back_by_the_function_that_belongs_to_it),
      cmocka_unit_test(memory_is_registered_once_and_unregistered_once),
      cmocka_unit_test(what_was_destroyed_is_refused_until_it_comes_again),
      cmocka_unit_test(the_address_that_was_freed_last_comes_first),
      cmocka_unit_test(a_new_stream_with_an_old_handle_does_not_come_after_the_old_one),
      cmocka_unit_test(the_stream_of_a_thread_is_not_that_of_the_next),
      cmocka_unit_test(a_reset_takes_all_that_was_made_on_the_device),
      cmocka_unit_test(a_device_has_its_own_memory_and_its_own_events),
      cmocka_unit_test(a_captured_source_is_read_when_the_graph_is_done),
      cmocka_unit_test(all_that_is_unsafe_is_refused_as_the_modes_say),
      cmocka_unit_test(a_host_function_may_not_call_the_runtime),
      cmocka_unit_test(the_call_that_is_asked_for_fails_and_does_nothing),
      cmocka_unit_test(calls_of_one_function_fail_as_often_as_is_asked_for),
      cmocka_unit_test(calls_are_counted_and_named),
      cmocka_unit_test(a_handle_is_opened_with_the_flag_of_its_version_only),
      cmocka_unit_test(what_is_alive_is_counted),
      cmocka_unit_test(a_process_that_gives_all_back_ends_well),
      cmocka_unit_test(a_process_that_leaks_is_told_and_ends_with_99),
      cmocka_unit_test(a_process_that_calls_while_it_ends_is_told_and_ends_with_99),
      cmocka_unit_test(a_forked_child_has_no_driver_and_leaks_nothing),
      cmocka_unit_test(the_environment_decides_what_there_is),
      cmocka_unit_test(calls_are_traced_to_a_file),
      cmocka_unit_test(all_that_the_tests_took_was_given_back),
  };
  return failed + cmocka_run_group_tests_name("the double", claims_about_the_double, nullptr, nullptr);
}
