// Tangled from org/backends/runtime.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The routines of a vendor's runtime, and the library that has them, opened once.
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_HPP

#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>

#include "backends/backend.hpp"
#include "backends/cuda_api.hpp"
#include "base/dynamic_linker.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/lock.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

#define CADASTRE_CUDA_ROUTINES(X)        \
  X(cudaRuntimeGetVersion)               \
  X(cudaDriverGetVersion)                \
  X(cudaGetErrorString)                  \
  X(cudaGetLastError)                    \
  X(cudaGetDeviceCount)                  \
  X(cudaGetDeviceProperties)             \
  X(cudaDeviceGetAttribute)              \
  X(cudaMemGetInfo)                      \
  X(cudaGetDevice)                       \
  X(cudaSetDevice)                       \
  X(cudaDeviceSynchronize)               \
  X(cudaStreamSynchronize)               \
  X(cudaStreamWaitEvent)                 \
  X(cudaStreamIsCapturing)               \
  X(cudaThreadExchangeStreamCaptureMode) \
  X(cudaStreamCreateWithFlags)           \
  X(cudaStreamDestroy)                   \
  X(cudaEventCreateWithFlags)            \
  X(cudaEventRecord)                     \
  X(cudaEventQuery)                      \
  X(cudaEventSynchronize)                \
  X(cudaEventDestroy)                    \
  X(cudaMalloc)                          \
  X(cudaFree)                            \
  X(cudaHostAlloc)                       \
  X(cudaFreeHost)                        \
  X(cudaMallocManaged)                   \
  X(cudaMallocAsync)                     \
  X(cudaFreeAsync)                       \
  X(cudaMemcpyAsync)                     \
  X(cudaMemcpyPeer)                      \
  X(cudaMemcpyPeerAsync)                 \
  X(cudaMemcpy2DAsync)                   \
  X(cudaMemsetAsync)                     \
  X(cudaMemPrefetchAsync)                \
  X(cudaMemPrefetchAsync_12)             \
  X(cudaMemAdvise)                       \
  X(cudaMemAdvise_12)                    \
  X(cudaPointerGetAttributes)            \
  X(cuCtxGetCurrent)                     \
  X(cuCtxSetCurrent)

// What not every runtime has whose version should have it.
#define CADASTRE_CUDA_OPTIONAL_ROUTINES(X) \
  X(cudaStreamGetId)                       \
  X(cudaStreamGetCaptureInfo)              \
  X(cudaStreamGetCaptureInfo_12)           \
  X(cudaUserObjectCreate)                  \
  X(cudaUserObjectRelease)                 \
  X(cudaGraphRetainUserObject)             \
  X(cudaDeviceGetDefaultMemPool)           \
  X(cudaMemPoolTrimTo)                     \
  X(cudaMemPoolGetAttribute)               \
  X(cudaIpcGetMemHandle)                   \
  X(cudaIpcOpenMemHandle)                  \
  X(cudaIpcCloseMemHandle)

// A call of it is foreign code, which is how all of the vendor's are reached.
template <class Function>
class Routine {
 public:
  explicit constexpr Routine(const char* called) noexcept : name_(called), symbol_(called) {}
  // Whether the library has what its version should have.
  bool find(void* library, const Dialect& dialect, int version) noexcept {
    const char* const symbol = dialect.symbol_of(name_, version);
    address_ = symbol ? reinterpret_cast<Function*>(dialect.address_of(library, name_, symbol)) : nullptr;
    if (symbol) symbol_ = symbol;
    return is_there() || !symbol;
  }
  bool is_there() const noexcept { return address_ != nullptr; }
  const char* symbol() const noexcept { return symbol_; }
  // The vendor's function, for who is about to call it.
  Function* entered() const noexcept {
    assert_no_lock_held(symbol_);
    return address_;
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) const noexcept {
    return entered()(arguments...);
  }

 private:
  const char *name_, *symbol_;
  Function* address_ = nullptr;
};

struct Routines {
#define CADASTRE_ROUTINE(routine) Routine<signature::routine> routine{#routine};
  CADASTRE_CUDA_ROUTINES(CADASTRE_ROUTINE)
  CADASTRE_CUDA_OPTIONAL_ROUTINES(CADASTRE_ROUTINE)
#undef CADASTRE_ROUTINE
};

// Returns the symbol of the first routine that the library lacks; null when it has them all.
inline const char* find_routines(void* library, const Dialect& dialect, int version, Routines& routines) noexcept {
  const char* missing = nullptr;
  const auto find = [&]<class Function>(Routine<Function>& routine) {
    if (!routine.find(library, dialect, version) && !missing) missing = routine.symbol();
  };
#define CADASTRE_FIND(routine) find(routines.routine);
  CADASTRE_CUDA_ROUTINES(CADASTRE_FIND)
#undef CADASTRE_FIND
#define CADASTRE_FIND(routine) routines.routine.find(library, dialect, version);
  CADASTRE_CUDA_OPTIONAL_ROUTINES(CADASTRE_FIND)
#undef CADASTRE_FIND
  return missing;
}

// A vendor whose runtime speaks a dialect, and where one is at last.
struct RuntimeVendor {
  const Dialect& dialect;
  const char* folder;
  const Dialect* driver = nullptr;  // what his driver speaks that serves without a runtime
};

struct Runtime {
  const RuntimeVendor& vendor;
  const Dialect* spoken;  // of the library that was opened last
  Routines call{};
  int version = 0;
  std::int32_t devices = 0;
  bool managed = false;  // one device at least has managed memory
  Text problem;          // empty when all is there
  Text meaning;          // otherwise: where its memory comes from, and who else may have it

  explicit Runtime(const RuntimeVendor& of) noexcept;
  const Dialect& dialect() const noexcept { return *spoken; }
  bool usable() const noexcept { return devices > 0; }
  bool shares() const noexcept {
    return call.cudaIpcGetMemHandle.is_there() && call.cudaIpcOpenMemHandle.is_there() && call.cudaIpcCloseMemHandle.is_there();
  }
  bool ending() const noexcept { return internal::vendor(vendor.dialect.backend) == Vendor::ending; }
  bool gone() const noexcept { return is_vendor_gone(bits_of_vendor_); }
  Text of_the_end() const noexcept {
    return ending() ? Text("the process is ending") : text("%s cannot be used in a child process after fork", vendor.dialect.name);
  }

 private:
  void open() noexcept;
  void look_around() noexcept;
  void try_library(const char* name, int flags) noexcept;
  bool speaks(void* library, const Dialect& dialect) const noexcept;
  Text not_found() const noexcept;
  Text check_library(void* library) noexcept;
  Text not_supported() const noexcept;
  Text count_devices() noexcept;
  Text told_of_memory() const noexcept;
  bool any_device_has_managed_memory() const noexcept;

  const std::uint32_t bits_of_vendor_;
};

static_assert(std::is_trivially_destructible_v<Runtime>);

// A runtime that finds no driver may not tell its version either. It is asked for its devices then, to say why.
inline Text Runtime::check_library(void* library) noexcept {
  const Dialect& dialect = this->dialect();
  version = 0;
  if (call.cudaRuntimeGetVersion.find(library, dialect, dialect.oldest)) {
    const cudaError_t error = call.cudaRuntimeGetVersion(&version);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice) version = dialect.oldest;
    else if (error != cudaSuccess) return text("%s failed (%d)", call.cudaRuntimeGetVersion.symbol(), error);
    if (version < dialect.oldest || version >= dialect.first_after) return not_supported();
  }
  const char* const missing = find_routines(library, dialect, std::max(version, dialect.oldest), call);
  if (!missing) return {};
  return text("the library that was opened is not a %s %s of version %d: it lacks %s", dialect.name, dialect.kind, dialect.major(version),
              missing);
}

inline Text Runtime::not_supported() const noexcept {
  const Dialect& dialect = this->dialect();
  const Text last = dialect.first_after == INT_MAX ? Text("on") : text("to %d", dialect.major(dialect.first_after) - 1);
  return text("the library is version %d.%d of the %s %s, and the versions from %d.%d %s are supported", dialect.major(version),
              dialect.minor(version), dialect.name, dialect.kind, dialect.major(dialect.oldest), dialect.minor(dialect.oldest),
              last.characters);
}

inline Text Runtime::count_devices() noexcept {
  const Dialect& dialect = this->dialect();
  int count = 0;
  const cudaError_t error = call.cudaGetDeviceCount(&count);
  watch_for_the_end(dialect.backend);
  if (error == cudaSuccess && count > 0) {
    devices = count;
    return {};
  }
  call.cudaGetLastError();
  const char* const sentence = call.cudaGetErrorString(error);
  if (error == cudaErrorNoDevice || error == cudaSuccess) {
    return text("there is no %s device that this process may use (%s)", dialect.name, dialect.why_no_device);
  }
  if (error != cudaErrorInsufficientDriver) return text("%s failed: %s (%d)", call.cudaGetDeviceCount.symbol(), sentence, error);
  int driver = 0;
  call.cudaDriverGetVersion(&driver);
  if (driver == 0) return text("there is no %s driver (%s)", dialect.vendor, sentence);
  return text("the %s driver is for %s %d.%d, and the runtime is newer (%s)", dialect.vendor, dialect.name, dialect.major(driver),
              dialect.minor(driver), sentence);
}

inline bool Runtime::any_device_has_managed_memory() const noexcept {
  for (std::int32_t device = 0; device < devices; ++device) {
    int has = 0;
    if (call.cudaDeviceGetAttribute(&has, dialect().attribute(cudaDevAttrManagedMemory), device) != cudaSuccess) {
      call.cudaGetLastError();
    } else if (has) {
      return true;
    }
  }
  return false;
}

// Whether a library can tell its version as one of a dialect does.
inline bool Runtime::speaks(void* library, const Dialect& dialect) const noexcept {
  constexpr const char* routine = "cudaRuntimeGetVersion";
  return dialect.address_of(library, routine, dialect.symbol_of(routine, dialect.oldest)) != nullptr;
}

// Takes a library that serves. Otherwise says why it does not, unless it was said of one before that could be opened.
inline void Runtime::try_library(const char* name, int flags) noexcept {
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL | flags);
  if (!library) return;
  const bool is_driver = vendor.driver && !speaks(library, vendor.dialect) && speaks(library, *vendor.driver);
  spoken = is_driver ? vendor.driver : &vendor.dialect;
  Text found = check_library(library);
  if (!found.characters[0]) found = count_devices();
  if (usable() || !problem.characters[0]) problem = found;
}

inline void Runtime::look_around() noexcept {
  const Dialect& dialect = vendor.dialect;
  for (const int flags : {RTLD_NOLOAD, 0}) {
    for (const char* const name : dialect.libraries) {
      if (!usable()) try_library(name, flags);
    }
  }
  for (const char* const name : dialect.libraries) {
    if (!usable()) try_library(text("%s/%s", vendor.folder, name).characters, 0);
  }
  if (!usable() && vendor.driver) try_library(vendor.driver->libraries.front(), 0);
  if (!usable() && !problem.characters[0]) problem = not_found();
}

inline Text Runtime::not_found() const noexcept {
  const Dialect& dialect = vendor.dialect;
  const char *const oldest = dialect.libraries.back(), *const newest = dialect.libraries.front();
  if (!vendor.driver) {
    return text("the %s runtime was not found (%s to %s); install it, or name it in %s", dialect.name, oldest, newest, dialect.variable);
  }
  return text("the %s runtime was not found (%s to %s), and neither was the %s driver (%s); install them, or name one in %s", dialect.name,
              oldest, newest, dialect.vendor, vendor.driver->libraries.front(), dialect.variable);
}

inline void Runtime::open() noexcept try {
  if (!has_dynamic_linker()) {
    problem = why_no_library_is_opened;
    return;
  }
  const std::string_view asked_for = environment().library(vendor.dialect.variable);
  if (asked_for.empty()) return look_around();
  try_library(asked_for.data(), 0);
  if (usable() || problem.characters[0]) return;
  const char* const reason = dlerror();
  problem = text("the library that %s names cannot be opened: %s", vendor.dialect.variable, reason ? reason : asked_for.data());
} catch (const std::bad_alloc&) {
  problem = "there is no host memory to read the environment";
}

inline Runtime::Runtime(const RuntimeVendor& of) noexcept
    : vendor(of), spoken(&of.dialect), bits_of_vendor_(bits_of_vendor(of.dialect.backend)) {
  assert_no_lock_held("opening the runtime");
  const NotCancelled here;
  if (gone()) {
    problem = of_the_end();
    return;
  }
  open();
  if (!usable()) return;
  managed = any_device_has_managed_memory();
  meaning = told_of_memory();
}

// Of the vendor's kinds of memory its handles are for what its malloc returns.
inline Text Runtime::told_of_memory() const noexcept {
  const char* const whose = *dialect().meaning ? dialect().meaning : row_of_backend(dialect().backend)->meaning;
  if (!shares()) return text("%s; no other process can map its memory", whose);
  return text("%s; other processes (MPI, IPC) can map DEVICE memory, except of %s, and no PINNED or UVM memory", whose,
              call.cudaMallocAsync.symbol());
}

}  // namespace cadastre::internal::dialects

#endif
