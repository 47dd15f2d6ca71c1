// Tangled from org/tests/cuda_double.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_TESTS_CUDA_DOUBLE_HPP
#define CADASTRE_TESTS_CUDA_DOUBLE_HPP

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../src/backends/cuda_api.hpp"
#include "../src/backends/hip_api.hpp"
#include "../src/backends/cuda_driver_api.hpp"
#include "config.h"
#include "vendors.hpp"

extern "C" {

// What is alive: blocks of any kind (registered host memory too) and their bytes.
struct cuda_double_census {
  std::size_t blocks, bytes, streams, events, pools, graphs;
};
void cuda_double_count(cuda_double_census* census);

// From now on, calls k, k+1, ..., k+times-1 of the function fail with this error, doing nothing.
// No name (null): of all functions together. A negative `times`: all from the k-th. No `times` (0): none.
void cuda_double_fail(const char* function, long k, long times, int error);

// Calls made of the function, or of all (null), since the start or cuda_double_forget().
long cuda_double_calls(const char* function);
// Their names with a blank between; valid until this thread asks again.
const char* cuda_double_made();
void cuda_double_forget();

// Whether a call is waiting, by CUDA_DOUBLE_SLOW; and its end.
int cuda_double_is_asleep();
void cuda_double_wake();

// From now on a device is at fault, as by CUDA_DOUBLE_LATE, with this error.
void cuda_double_fault(int device, int error);
// Others take so many bytes of a device, as far as they are free, in place of what they took before.
void cuda_double_take(int device, std::size_t bytes);

// The version that is played, without a call that counts.
int cuda_double_version();

// Pieces of work that are not done, use bytes of a range, and come before nothing that is issued to this stream now. No
// stream (null): all that are not done. A stream is known by its handle; a default stream is that of the current device.
long cuda_double_unordered(const void* begin, std::size_t size, void* const* stream);

// Calls that named what is not there, or no more, and were refused for that.
long cuda_double_misuses();

// User objects of graphs that somebody has a reference to; whether the functions of others wait to be called, and the time when none is called any more.
long cuda_double_objects();
void cuda_double_hold_destructors(int held);
void cuda_double_await_destructors();

// Handles that were made of blocks which may share a segment with others; and blocks that were freed while another process had them open.
long cuda_double_exposed();
long cuda_double_freed_in_use();

// What a kernel would find at a pointer, now: the host's way to these bytes, or null where the device
// would fault. Waits for nothing.
void* cuda_double_bytes(const void* pointer, std::size_t size);

}  // extern "C"

// The vendor whose runtime is under test: whom CADASTRE_TEST_RUNTIME names, else CUDA's. No claim holds on a runtime that is unknown here.
inline std::string vendor_here() {
  const char* const asked = std::getenv("CADASTRE_TEST_RUNTIME");
  const std::string name = asked ? asked : "cuda";
#define CADASTRE_KNOWN(vendor, _) \
  if (name == #vendor) return name;
  CADASTRE_TEST_VENDORS(CADASTRE_KNOWN)
#undef CADASTRE_KNOWN
  std::fprintf(stderr, "CADASTRE_TEST_RUNTIME=%s is no vendor: give it a row in org/backends/vendors.org\n", asked);
  std::abort();
}
inline bool on_cuda() { return vendor_here() == "cuda"; }
inline bool on_hip() { return vendor_here() == "hip"; }
// Whether it is CUDA's driver that serves, without a runtime: a double of it has the routines of one for the program that tests, as if
// they had come with an archive, and not what would tell that it is one.
inline bool on_driver();
// What it speaks.
inline const cadastre::cuda_api::Dialect& spoken() {
  const std::string here = vendor_here();
#define CADASTRE_SPOKEN(vendor, _) \
  if (here == #vendor) return cadastre::vendor##_api::dialect;
  CADASTRE_TEST_VENDORS(CADASTRE_SPOKEN)
#undef CADASTRE_SPOKEN
  std::abort();
}
// Why a claim is skipped on a device.
inline constexpr const char* needs_the_double = "only the double of a runtime counts calls, lets them fail, and puts work off until then";
inline constexpr const char* needs_identity = "the runtime does not tell a new queue from an old one that had its number";
// What waits for a device: a free, where it is documented to.
inline const char* wait_for_device() { return spoken().free_waits ? "cudaFree" : "cudaDeviceSynchronize"; }

// The runtime that the library under test opens; null where there is none. Where it opens a driver without one, what the program that
// tests has besides: the routines in a double of a driver, and one that is installed beside a vendor's.
inline void* cuda_runtime() {
  static void* const opened = [] {
    const char* const named = std::getenv(spoken().variable);
    void* const library = named && *named ? dlopen(named, RTLD_NOW) : nullptr;
    if (named && *named && !(library && dlsym(library, "cuInit") && !dlsym(library, "cudaMalloc"))) return library;
    for (const char* const name : spoken().libraries) {
      if (void* const installed = dlopen(name, RTLD_NOW)) return installed;
    }
#ifdef CADASTRE_CUDART_FOLDER
    for (const char* const name : spoken().libraries) {
      if (void* const installed = dlopen((std::string(CADASTRE_CUDART_FOLDER "/") + name).c_str(), RTLD_NOW)) return installed;
    }
#endif
    return static_cast<void*>(nullptr);
  }();
  return opened;
}

// The version that it tells, and where it tells none, as CUDA 11 without a driver, the oldest.
inline int cuda_version() {
  static const int told = [] {
    void* const library = cuda_runtime();
    if (!library) return spoken().oldest;
    if (auto* const played = reinterpret_cast<int (*)()>(dlsym(library, "cuda_double_version"))) return played();
    int version = 0;
    auto* const ask = reinterpret_cast<int (*)(int*)>(dlsym(library, spoken().symbol_of("cudaRuntimeGetVersion", spoken().oldest)));
    return ask && ask(&version) == 0 ? version : spoken().oldest;
  }();
  return told;
}

// What it calls a routine of CUDA's.
inline std::string called(const std::string& routine) {
  for (const std::string& name : {routine, routine + "_12"}) {
    if (const char* const symbol = spoken().symbol_of(name, cuda_version())) return symbol;
  }
  return routine;
}

inline bool on_driver() {
  const char* const named = std::getenv("CADASTRE_CUDA_LIBRARY");
  static void* const library = named && *named ? dlopen(named, RTLD_NOW) : nullptr;
  return on_cuda() && library && dlsym(library, "cuInit") && !dlsym(library, "cudaRuntimeGetVersion");
}

// What the library under test calls for a routine of CUDA's, and tells when it fails.
inline std::string told(const std::string& routine) {
  const char* const symbol =
      cadastre::cuda_api::symbol_in(cadastre::cuda_driver::driver_entries, routine, cadastre::cuda_api::oldest_version);
  return on_driver() && symbol ? symbol : called(routine);
}

// Whether the runtime tells a queue from one that had its handle before.
inline bool queues_have_identity() { return spoken().symbol_of("cudaStreamGetId", cuda_version()) != nullptr; }

// A version from which on CUDA has something, where the runtime is CUDA's; others have none of them.
inline bool is_cuda_from(int version) { return on_cuda() && cuda_version() >= version; }

// How much of a structure it writes.
template <class Structure>
std::size_t written_size() {
  const std::string here = vendor_here();
#define CADASTRE_WRITTEN(vendor, _) \
  if (here == #vendor) return cadastre::vendor##_api::size_in<Structure>(cuda_version());
  CADASTRE_TEST_VENDORS(CADASTRE_WRITTEN)
#undef CADASTRE_WRITTEN
  std::abort();
}

// A routine of that runtime, by CUDA's name: arguments are as they are passed.
template <class... Arguments>
int cuda(const char* routine, Arguments... arguments) {
  auto* const found = reinterpret_cast<int (*)(Arguments...)>(cuda_runtime() ? dlsym(cuda_runtime(), called(routine).c_str()) : nullptr);
  if (!found) {
    std::fprintf(stderr, "the runtime has no %s\n", called(routine).c_str());
    std::abort();
  }
  return found(arguments...);
}

// These functions in a runtime that was opened; converts to false if that is not the double. The functions in words of
// their own serve on any runtime: where it is not the double nothing is counted, so that a claim which wants a call to be
// made, or to fail, asks first.
class CudaDouble {
 public:
  explicit CudaDouble(void* library) : library_(library) {
    find(library, "cuda_double_count", count);
    find(library, "cuda_double_fail", fail);
    find(library, "cuda_double_calls", calls);
    find(library, "cuda_double_made", made);
    find(library, "cuda_double_forget", forget);
    find(library, "cuda_double_bytes", bytes);
    find(library, "cuda_double_unordered", unordered);
    find(library, "cuda_double_misuses", misuses);
    find(library, "cuda_double_exposed", exposed);
    find(library, "cuda_double_freed_in_use", freed_in_use);
    find(library, "cuda_double_objects", objects);
    find(library, "cuda_double_hold_destructors", hold_destructors);
    find(library, "cuda_double_await_destructors", await_destructors);
    find(library, "cuda_double_is_asleep", is_asleep);
    find(library, "cuda_double_wake", wake);
    find(library, "cuda_double_fault", fault);
    find(library, "cuda_double_take", take);
  }
  explicit operator bool() const { return count != nullptr; }

  cuda_double_census census() const {
    cuda_double_census alive{};
    if (count) count(&alive);
    return alive;
  }
  long calls_of(const char* function) const { return calls ? calls(function) : 0; }
  void forget_calls() const {
    if (forget) forget();
  }
  // The first byte at an address: on the double as a kernel would find it now, elsewhere when the device has done all that it
  // was given; -1 where there is none.
  int first_byte(const void* pointer) const {
    if (bytes) {
      const void* const found = bytes(pointer, 1);
      return found ? *static_cast<const unsigned char*>(found) : -1;
    }
    int (*wait)() = nullptr;
    int (*copy)(void*, const void*, std::size_t, int) = nullptr;
    int (*forget_error)() = nullptr;
    find(library_, called("cudaDeviceSynchronize").c_str(), wait);
    find(library_, called("cudaMemcpy").c_str(), copy);
    find(library_, called("cudaGetLastError").c_str(), forget_error);
    constexpr int any_direction = 4;
    unsigned char byte = 0;
    if (wait && copy && wait() == 0 && copy(&byte, pointer, 1, any_direction) == 0) return byte;
    if (forget_error) forget_error();
    return -1;
  }

  decltype(&cuda_double_count) count;
  decltype(&cuda_double_fail) fail;
  decltype(&cuda_double_calls) calls;
  decltype(&cuda_double_made) made;
  decltype(&cuda_double_forget) forget;
  decltype(&cuda_double_bytes) bytes;
  decltype(&cuda_double_unordered) unordered;
  decltype(&cuda_double_misuses) misuses;
  decltype(&cuda_double_exposed) exposed;
  decltype(&cuda_double_freed_in_use) freed_in_use;
  decltype(&cuda_double_objects) objects;
  decltype(&cuda_double_hold_destructors) hold_destructors;
  decltype(&cuda_double_await_destructors) await_destructors;
  decltype(&cuda_double_is_asleep) is_asleep;
  decltype(&cuda_double_wake) wake;
  decltype(&cuda_double_fault) fault;
  decltype(&cuda_double_take) take;

 private:
  template <class Function>
  static void find(void* library, const char* name, Function*& function) {
    function = library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
  }

  void* library_;
};

// That runtime, if it is the double.
inline const CudaDouble& cuda_double() {
  static const CudaDouble found(cuda_runtime());
  return found;
}

#endif
