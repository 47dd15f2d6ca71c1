// Tangled from org/runtime_backend.org; change the chapter, then run: make tangle
#ifndef CADASTRE_SRC_BACKENDS_RUNTIME_BACKEND_HPP
#define CADASTRE_SRC_BACKENDS_RUNTIME_BACKEND_HPP

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "backend.hpp"
#include "backends/cuda_api.hpp"
#include "environment.hpp"
#include "ipc.hpp"
#include "lock.hpp"

namespace cadastre::internal::dialects {

using namespace cuda_api;

#define CADASTRE_CUDA_ROUTINES(X)                                                                      \
  X(cudaRuntimeGetVersion)                                                                             \
  X(cudaDriverGetVersion)                                                                              \
  X(cudaGetErrorString)                                                                                \
  X(cudaGetLastError)                                                                                  \
  X(cudaGetDeviceCount)                                                                                \
  X(cudaGetDeviceProperties)                                                                           \
  X(cudaDeviceGetAttribute)                                                                            \
  X(cudaMemGetInfo)                                                                                    \
  X(cudaGetDevice)                                                                                     \
  X(cudaSetDevice)                                                                                     \
  X(cudaDeviceSynchronize)                                                                             \
  X(cudaStreamSynchronize)                                                                             \
  X(cudaStreamWaitEvent)                                                                               \
  X(cudaStreamIsCapturing)                                                                             \
  X(cudaThreadExchangeStreamCaptureMode)                                                               \
  X(cudaStreamCreateWithFlags)                                                                         \
  X(cudaStreamDestroy)                                                                                 \
  X(cudaEventCreateWithFlags)                                                                          \
  X(cudaEventRecord)                                                                                   \
  X(cudaEventQuery)                                                                                    \
  X(cudaEventSynchronize)                                                                              \
  X(cudaEventDestroy)                                                                                  \
  X(cudaMalloc)                                                                                        \
  X(cudaFree)                                                                                          \
  X(cudaHostAlloc)                                                                                     \
  X(cudaFreeHost)                                                                                      \
  X(cudaMallocManaged)                                                                                 \
  X(cudaMallocAsync)                                                                                   \
  X(cudaFreeAsync)                                                                                     \
  X(cudaMemcpyAsync)                                                                                   \
  X(cudaMemcpyPeer)                                                                                    \
  X(cudaMemcpyPeerAsync)                                                                               \
  X(cudaMemcpy2DAsync)                                                                                 \
  X(cudaMemsetAsync)                                                                                   \
  X(cudaMemPrefetchAsync)                                                                              \
  X(cudaMemPrefetchAsync_12)                                                                           \
  X(cudaMemAdvise)                                                                                     \
  X(cudaMemAdvise_12)                                                                                  \
  X(cudaPointerGetAttributes)                                                                          \
  X(cuCtxGetCurrent)                                                                                   \
  X(cuCtxSetCurrent)

// What not every runtime has whose version should have it.
#define CADASTRE_CUDA_OPTIONAL_ROUTINES(X)                                                             \
  X(cudaStreamGetId)                                                                                   \
  X(cudaStreamGetCaptureInfo)                                                                          \
  X(cudaStreamGetCaptureInfo_12)                                                                       \
  X(cudaUserObjectCreate)                                                                              \
  X(cudaUserObjectRelease)                                                                             \
  X(cudaGraphRetainUserObject)                                                                         \
  X(cudaDeviceGetDefaultMemPool)                                                                       \
  X(cudaMemPoolTrimTo)                                                                                 \
  X(cudaMemPoolGetAttribute)                                                                           \
  X(cudaIpcGetMemHandle)                                                                               \
  X(cudaIpcOpenMemHandle)                                                                              \
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
  template <class... Arguments>
  auto operator()(Arguments... arguments) const noexcept {
    assert_no_lock_held(symbol_);
    return address_(arguments...);
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
  bool gone() const noexcept { return internal::vendor(vendor.dialect.backend) != Vendor::there; }
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
  const std::string_view asked_for = environment().library(vendor.dialect.variable);
  if (asked_for.empty()) return look_around();
  try_library(asked_for.data(), 0);
  if (usable() || problem.characters[0]) return;
  const char* const reason = dlerror();
  problem = text("the library that %s names cannot be opened: %s", vendor.dialect.variable, reason ? reason : asked_for.data());
} catch (const std::bad_alloc&) {
  problem = "there is no host memory to read the environment";
}

inline Runtime::Runtime(const RuntimeVendor& of) noexcept : vendor(of), spoken(&of.dialect) {
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

struct Refusal {
  const char* routine = "";
  cudaError_t error = cudaSuccess;
  Text message;
};

enum class Current { must_be_this, may_be_any };

class Session {
 public:
  explicit Session(const Runtime& with, std::int32_t device = no_device_id, Current current = Current::must_be_this) noexcept
      : runtime(with) {
    if (device == no_device_id) return;
    if (needs_context()) enter_context(device, current);
    else if (runtime.devices > 1 && current == Current::must_be_this) enter_device(device);
  }
  // A refusal may be that of earlier work on the device; then the second attempt is heard.
  ~Session() {
    ready_ = true;
    if (moved_ && !restored()) restored();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Whether the vendor did it. Nothing is called where the device could not be made current.
  template <class Function, class... Arguments>
  bool call(const Routine<Function>& routine, Arguments... arguments) noexcept {
    if (!ready_) return false;
    if (runtime.gone()) {
      const cudaError_t error = runtime.ending() ? cudaErrorCudartUnloading : cudaErrorInitializationError;
      refusal_ = {routine.symbol(), error, runtime.of_the_end()};
      return false;
    }
    const cudaError_t error = routine(arguments...);
    if (error == cudaSuccess) return true;
    refusal_ = {routine.symbol(), error, runtime.call.cudaGetErrorString(error)};
    runtime.call.cudaGetLastError();
    return false;
  }

  // Whether all that was put on the device is done.
  bool wait_for_device() noexcept {
    void* byte = nullptr;
    if (!runtime.dialect().free_waits || !call(runtime.call.cudaMalloc, &byte, std::size_t{1})) {
      return call(runtime.call.cudaDeviceSynchronize);
    }
    if (call(runtime.call.cudaFree, byte)) return true;
    call(runtime.call.cudaFree, byte);  // the first refusal may be that of earlier work on the device
    return false;
  }

  // Of the routine that refused last.
  const Refusal& refusal() const noexcept { return refusal_; }

  const Runtime& runtime;

 private:
  bool needs_context() const noexcept { return runtime.call.cuCtxSetCurrent.is_there(); }
  void enter_context(std::int32_t device, Current current) noexcept {
    ready_ = call(runtime.call.cuCtxGetCurrent, &callers_context_);
    if (!ready_) return;
    if (!callers_context_) return move_to(device);
    if (current == Current::must_be_this) enter_device(device);
    if (!ready_ && refusal_.error == cudaErrorContextIsDestroyed) move_to(device);
  }
  void enter_device(std::int32_t device) noexcept {
    ready_ = call(runtime.call.cudaGetDevice, &callers_);
    if (ready_ && device != callers_) move_to(device);
  }
  void move_to(std::int32_t device) noexcept {
    moved_ = ready_ = true;
    ready_ = call(runtime.call.cudaSetDevice, device);
  }
  bool restored() noexcept {
    return needs_context() ? call(runtime.call.cuCtxSetCurrent, callers_context_) : call(runtime.call.cudaSetDevice, callers_);
  }

  bool ready_ = true;
  bool moved_ = false;
  int callers_ = 0;
  CUcontext callers_context_ = nullptr;
  Refusal refusal_;
};

// Whether a device has what an attribute tells of; no, where the vendor does not say.
inline bool has(Session& session, cudaDeviceAttr attribute, std::int32_t device) noexcept {
  int value = 0;
  const Runtime& runtime = session.runtime;
  return session.call(runtime.call.cudaDeviceGetAttribute, &value, runtime.dialect().attribute(attribute), device) && value != 0;
}

// The calling thread may do what is unsafe while others capture, or itself.
class Relaxed {
 public:
  explicit Relaxed(Session& session) noexcept : session_(session) {
    changed_ = session_.call(session_.runtime.call.cudaThreadExchangeStreamCaptureMode, &mode_);
  }
  // A refusal may be that of earlier work on the device; then the second attempt is heard.
  ~Relaxed() {
    if (changed_ && !restored()) restored();
  }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;

 private:
  bool restored() noexcept { return session_.call(session_.runtime.call.cudaThreadExchangeStreamCaptureMode, &mode_); }
  Session& session_;
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
  bool changed_ = false;
};

// The default stream is captured when one is that waits for it. A vendor who refuses otherwise will say so again.
inline bool is_captured(Session& session, cudaStream_t stream) noexcept {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (session.call(session.runtime.call.cudaStreamIsCapturing, stream, &status)) return status != cudaStreamCaptureStatusNone;
  return session.refusal().error == cudaErrorStreamCaptureImplicit;
}

// The capture of a stream, as the vendor numbers it, and the graph that it makes; 0 and null where there is none, or he does not tell.
struct Captured {
  std::uint64_t number = 0;
  cudaGraph_t graph = nullptr;
};

inline Captured look_at_capture(Session& session, cudaStream_t stream) noexcept {
  const Routines& call = session.runtime.call;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  cudaGraph_t graph = nullptr;
  const auto no_nodes = static_cast<const cudaGraphNode_t**>(nullptr);
  const auto no_number = static_cast<std::size_t*>(nullptr);
  const bool is_told =
      call.cudaStreamGetCaptureInfo.is_there()
          ? session.call(call.cudaStreamGetCaptureInfo, stream, &status, &number, &graph, no_nodes, static_cast<const cudaGraphEdgeData**>(nullptr), no_number)
          : call.cudaStreamGetCaptureInfo_12.is_there() &&
                session.call(call.cudaStreamGetCaptureInfo_12, stream, &status, &number, &graph, no_nodes, no_number);
  if (!is_told || status != cudaStreamCaptureStatusActive || !graph) return {};
  return {number + 1, graph};
}

// Whether a wait for the current device would spoil a capture, as far as it can be seen.
inline bool device_is_captured(Session& session) noexcept { return is_captured(session, session.runtime.dialect().default_stream()); }

constexpr std::size_t vendors_alignment = 256;
// What is whole segments shares none with another block, so that other processes may have it.
constexpr std::size_t vendors_segment = std::size_t{2} << 20;
constexpr std::size_t widest_alignment = vendors_alignment << 15;

inline std::uint16_t remark(const void* base, const void* block, bool ordered) noexcept {
  const auto before = static_cast<const std::byte*>(block) - static_cast<const std::byte*>(base);
  const auto units = static_cast<std::size_t>(before) / vendors_alignment;
  return static_cast<std::uint16_t>(units | (ordered ? how_ordered : 0U));
}

inline bool is_ordered(const Record& record) noexcept { return (record.how & how_ordered) != 0; }

inline void* base_of(const Record& record) noexcept {
  const std::size_t units = record.how & ~std::size_t{how_ordered};
  return static_cast<std::byte*>(record.pointer) - units * vendors_alignment;
}

inline bool take(Session& session, const Request& request, std::size_t bytes, bool ordered, void*& base) noexcept {
  const Routines& call = session.runtime.call;
  if (ordered) return session.call(call.cudaMallocAsync, &base, bytes, static_cast<cudaStream_t>(request.queue));
  switch (request.type) {
    case CADASTRE_PINNED: return session.call(call.cudaHostAlloc, &base, bytes, unsigned{cudaHostAllocDefault});
    case CADASTRE_UVM: return session.call(call.cudaMallocManaged, &base, bytes, unsigned{cudaMemAttachGlobal});
    default: return session.call(call.cudaMalloc, &base, bytes);
  }
}

inline bool give_back(Session& session, cadastre_memory_type type, void* base) noexcept {
  const Routines& call = session.runtime.call;
  return type == CADASTRE_PINNED ? session.call(call.cudaFreeHost, base) : session.call(call.cudaFree, base);
}

// Zeroes, and waits until it is done.
inline bool zero_on(Session& session, cudaStream_t stream, void* block, std::size_t bytes) noexcept {
  const Routines& call = session.runtime.call;
  return session.call(call.cudaMemsetAsync, block, 0, bytes, stream) && session.call(call.cudaStreamSynchronize, stream);
}

inline bool zero_on_another(Session& session, void* block, std::size_t bytes) noexcept {
  const Routines& call = session.runtime.call;
  cudaStream_t stream = nullptr;
  if (!session.call(call.cudaStreamCreateWithFlags, &stream, unsigned{cudaStreamNonBlocking})) return false;
  const bool zeroed = zero_on(session, stream, block, bytes);
  return session.call(call.cudaStreamDestroy, stream) && zeroed;
}

inline bool zero(Session& session, const Request& request, void* block, bool ordered) noexcept {
  if (request.size == 0) return true;
  if (request.type == CADASTRE_PINNED) {
    std::memset(block, 0, request.size);
    return true;
  }
  if (ordered) {
    return session.call(session.runtime.call.cudaMemsetAsync, block, 0, request.size, static_cast<cudaStream_t>(request.queue));
  }
  if (is_captured(session, cudaStreamPerThread)) return zero_on_another(session, block, request.size);
  return zero_on(session, cudaStreamPerThread, block, request.size);
}

inline cudaMemLocation location_of(std::int32_t device) noexcept {
  if (device == CADASTRE_HOST_DEVICE) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

inline int number_of(std::int32_t device) noexcept { return device == CADASTRE_HOST_DEVICE ? cudaCpuDeviceId : device; }

inline bool send_prefetch(Session& session, const Hint& hint) noexcept {
  const Routines& call = session.runtime.call;
  const auto stream = static_cast<cudaStream_t>(hint.queue);
  if (call.cudaMemPrefetchAsync.is_there()) {
    return session.call(call.cudaMemPrefetchAsync, hint.begin, hint.bytes, location_of(hint.device), 0U, stream);
  }
  return session.call(call.cudaMemPrefetchAsync_12, hint.begin, hint.bytes, number_of(hint.device), stream);
}

inline cudaMemoryAdvise advice_of(cadastre_advice advice) noexcept {
  switch (advice) {
    case CADASTRE_ADVICE_UNSET_READ_MOSTLY: return cudaMemAdviseUnsetReadMostly;
    case CADASTRE_ADVICE_PREFERRED_LOCATION: return cudaMemAdviseSetPreferredLocation;
    case CADASTRE_ADVICE_UNSET_PREFERRED_LOCATION: return cudaMemAdviseUnsetPreferredLocation;
    case CADASTRE_ADVICE_ACCESSED_BY: return cudaMemAdviseSetAccessedBy;
    case CADASTRE_ADVICE_UNSET_ACCESSED_BY: return cudaMemAdviseUnsetAccessedBy;
    default: return cudaMemAdviseSetReadMostly;
  }
}

inline bool send_advice(Session& session, const Hint& hint) noexcept {
  const Routines& call = session.runtime.call;
  const cudaMemoryAdvise advice = advice_of(hint.advice);
  if (call.cudaMemAdvise.is_there()) {
    return session.call(call.cudaMemAdvise, hint.begin, hint.bytes, advice, location_of(hint.device));
  }
  return session.call(call.cudaMemAdvise_12, hint.begin, hint.bytes, advice, number_of(hint.device));
}

// Devices that cannot share a page with the host take no hints, and the vendor would refuse each.
inline bool takes_hints(Session& session, const Hint& hint) noexcept {
  return has(session, cudaDevAttrConcurrentManagedAccess, hint.place.device) &&
         (hint.device == CADASTRE_HOST_DEVICE || hint.device == hint.place.device ||
          has(session, cudaDevAttrConcurrentManagedAccess, hint.device));
}

// Records an event on a stream, and creates one where there is none; what was created is kept only where it was recorded. Returns
// what refused.
inline std::optional<Refusal> mark(Session& session, cudaEvent_t& event, cudaStream_t stream) noexcept {
  const Routines& call = session.runtime.call;
  cudaEvent_t marked = event;
  if (!event && !session.call(call.cudaEventCreateWithFlags, &marked, unsigned{cudaEventDisableTiming})) return session.refusal();
  if (session.call(call.cudaEventRecord, marked, stream)) {
    event = marked;
    return std::nullopt;
  }
  const Refusal refusal = session.refusal();
  if (!event) session.call(call.cudaEventDestroy, marked);
  return refusal;
}

class FreedInOrder {
 public:
  enum class State { behind_event, done, unknown };
  // What was freed on a queue of a device, and the event behind it.
  struct Freed {
    std::int32_t device = no_device_id;
    cudaStream_t stream = nullptr;
    unsigned long long queue = 0;
    cudaEvent_t event = nullptr;
    std::size_t bytes = 0;
    std::size_t after_event = 0;  // of these, what was freed after it was recorded
    State state = State::done;
    Freed* next = nullptr;
  };

  void note_granted(std::int32_t device, std::size_t bytes) noexcept {
    if (std::atomic<std::size_t>* const live = live_on(device)) live->fetch_add(bytes, std::memory_order_relaxed);
  }

  // Of a block that no queue uses any more.
  void note(std::int32_t device, std::size_t bytes) noexcept {
    note_gone(device, bytes);
    Freed* freed = take_that([=](const Freed& each) { return each.state == State::done && each.device == device; });
    if (!freed) freed = new (std::nothrow) Freed{.device = device};
    if (!freed) return;
    freed->bytes += bytes;
    put(freed);
  }

  // Of one that was freed on a queue just now.
  void note(Session& session, std::int32_t device, cudaStream_t stream, std::size_t bytes) noexcept {
    const Routines& call = session.runtime.call;
    note_gone(device, bytes);
    unsigned long long queue = 0;
    if (stream && call.cudaStreamGetId.is_there()) session.call(call.cudaStreamGetId, stream, &queue);
    Freed* freed = take(device, stream, queue);
    if (!freed) freed = new (std::nothrow) Freed{.device = device, .stream = stream, .queue = queue};
    if (!freed) return;
    freed->bytes += bytes;
    freed->after_event += bytes;
    freed->state = State::behind_event;
    if (!freed->event || freed->after_event >= bytes_of_an_event) {
      freed->after_event = 0;
      if (mark(session, freed->event, stream)) forget_event(session, *freed);
    }
    if (put(freed)) shorten(session.runtime);
  }

  // At most so much of what a pool has reserved: some of it may have served again.
  std::size_t bytes_on(std::int32_t device, std::size_t reserved) noexcept {
    const std::atomic<std::size_t>* const live = live_on(device);
    const std::size_t used = live ? live->load(std::memory_order_relaxed) : 0;
    const Locked locked(guard_);
    std::size_t bytes = 0;
    for (const Freed* each = first_; each; each = each->next) bytes += each->device == device ? each->bytes : 0;
    return std::min(bytes, reserved - std::min(reserved, used));
  }

  bool has_any() noexcept {
    const Locked locked(guard_);
    return first_ != nullptr;
  }

  // Asks all events. Returns what is done, and what is unknown, all of a device in one, for the caller to trim and then to put or delete; the rest stays.
  Freed* take_done(const Runtime& runtime, bool& in_flight) noexcept {
    Freed* all = take_all();
    Freed* done = nullptr;
    while (all) {
      Freed* const each = std::exchange(all, all->next);
      if (each->state == State::behind_event) ask(runtime, *each);
      if (each->state == State::behind_event) {
        in_flight = true;
        put(each);
      } else {
        join(done, each);
      }
    }
    return done;
  }

  // Lets no event be left.
  void forget_events(const Runtime& runtime) noexcept {
    for (Freed* all = take_all(); all;) {
      Freed* const each = std::exchange(all, all->next);
      if (each->event) {
        Session session(runtime, each->device, Current::may_be_any);
        forget_event(session, *each);
      }
      put(each);
    }
  }

  // Whether there are many by then.
  bool put(Freed* freed) noexcept {
    const Locked locked(guard_);
    freed->next = first_;
    first_ = freed;
    return ++count_ > longest_;
  }

 private:
  static constexpr std::size_t many = 64;
  static constexpr std::size_t bytes_of_an_event = std::size_t{64} << 10;
  static constexpr std::size_t most_devices = 64;  // of which it is counted what is in use

  std::atomic<std::size_t>* live_on(std::int32_t device) noexcept {
    const auto place = static_cast<std::size_t>(device);
    return place < most_devices ? &live_[place] : nullptr;
  }
  void note_gone(std::int32_t device, std::size_t bytes) noexcept {
    if (std::atomic<std::size_t>* const live = live_on(device)) live->fetch_sub(bytes, std::memory_order_relaxed);
  }

  Freed* take_all() noexcept {
    const Locked locked(guard_);
    count_ = 0;
    return std::exchange(first_, nullptr);
  }
  // The queue of each thread has one handle for all.
  Freed* take(std::int32_t device, cudaStream_t stream, unsigned long long queue) noexcept {
    if (stream == cudaStreamPerThread) return nullptr;
    return take_that([=](const Freed& each) {
      return each.state == State::behind_event && each.device == device && each.stream == stream && each.queue == queue;
    });
  }
  template <class Is>
  Freed* take_that(Is is) noexcept {
    const Locked locked(guard_);
    for (Freed** place = &first_; *place; place = &(*place)->next) {
      Freed* const each = *place;
      if (!is(*each)) continue;
      *place = each->next;
      --count_;
      return each;
    }
    return nullptr;
  }
  void shorten(const Runtime& runtime) noexcept {
    bool in_flight = false;
    for (Freed* done = take_done(runtime, in_flight); done;) put(std::exchange(done, done->next));
    const Locked locked(guard_);
    longest_ = std::max(many, 2 * count_);
  }
  static void join(Freed*& done, Freed* freed) noexcept {
    for (Freed* each = done; each; each = each->next) {
      if (each->device != freed->device || each->state != freed->state) continue;
      each->bytes += freed->bytes;
      delete freed;
      return;
    }
    freed->next = done;
    done = freed;
  }
  // In a capture nothing is asked. An event that the vendor does not know any more, since its device was reset, has nothing to tell.
  static void ask(const Runtime& runtime, Freed& freed) noexcept {
    Session session(runtime, freed.device);
    if (device_is_captured(session)) return;
    const Relaxed relaxed(session);
    const bool passed = session.call(runtime.call.cudaEventQuery, freed.event);
    if (!passed && session.refusal().error == cudaErrorNotReady) return;
    if (passed) session.call(runtime.call.cudaEventDestroy, freed.event);
    freed.event = nullptr;
    freed.state = passed ? State::done : State::unknown;
  }
  static void forget_event(Session& session, Freed& freed) noexcept {
    if (cudaEvent_t const event = std::exchange(freed.event, nullptr)) session.call(session.runtime.call.cudaEventDestroy, event);
    freed.state = State::unknown;
  }

  std::array<std::atomic<std::size_t>, most_devices> live_ = {};
  Mutex<Rank::pool> guard_;
  Freed* first_ CADASTRE_GUARDED_BY(guard_) = nullptr;
  std::size_t count_ CADASTRE_GUARDED_BY(guard_) = 0, longest_ CADASTRE_GUARDED_BY(guard_) = many;
};

class RuntimeBackend final : public Backend {
 public:
  // The runtime is opened by a function, which does so once, when it is called first.
  constexpr RuntimeBackend(const RuntimeVendor& vendor, const Runtime& (*opened)() noexcept) noexcept
      : vendor_(vendor), runtime_(opened) {}

  cadastre_backend number() const noexcept override { return vendor_.dialect.backend; }
  bool addresses_are_apart() const noexcept override { return true; }

  Presence presence() const noexcept override {
    return {runtime().usable(), runtime().devices, runtime().problem.characters, true, runtime().meaning.characters};
  }

  bool serves(cadastre_memory_type type) const noexcept override {
    if (type == CADASTRE_UVM) return runtime().managed;
    return type == CADASTRE_DEVICE || type == CADASTRE_PINNED;
  }

  Text problem(cadastre_memory_type type) const noexcept override {
    if (type != CADASTRE_UVM || runtime().managed) return {};
    return text("no device of this machine supports managed memory (%s)", runtime().dialect().managed_attribute);
  }

  bool exports(cadastre_memory_type type) const noexcept override { return type == CADASTRE_DEVICE && runtime().shares(); }

  bool takes_from_host(cadastre_memory_type type, std::int32_t device) noexcept override {
    if (type != CADASTRE_DEVICE || gone()) return type != CADASTRE_DEVICE;
    Session session(runtime(), device);
    return has(session, cudaDevAttrIntegrated, device);
  }

  std::size_t largest_alignment(cadastre_memory_type) const noexcept override { return widest_alignment; }
  std::size_t natural_alignment(cadastre_memory_type) const noexcept override { return vendors_alignment; }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    if (request.exported != Export::no) free_held_exports();
    Session session(runtime(), request.device);
    const std::size_t alignment = std::max(request.alignment, vendors_alignment);
    const std::size_t least = std::max<std::size_t>(request.size, 1) + (alignment - vendors_alignment);
    const std::size_t bytes = request.exported == Export::alone ? round_up(least, vendors_segment) : least;
    const bool ordered = request.ordered && request.exported == Export::no && request.type == CADASTRE_DEVICE &&
                         has(session, cudaDevAttrMemoryPoolsSupported, request.device);
    if (ordered && is_captured(session, static_cast<cudaStream_t>(request.queue))) {
      return refused_by_capture(request.type, request.device, {}, allocate_before);
    }
    const Relaxed relaxed(session);
    void* base = nullptr;
    if (!take(session, request, bytes, ordered, base)) return refused_to_allocate(request, session.refusal());
    lose_held_exports(*this, base, bytes);
    if (reinterpret_cast<std::uintptr_t>(base) % vendors_alignment != 0) {
      give_back(session, request.type, base);
      return misaligned(request, number(), vendors_alignment, base);
    }
    void* const block = reinterpret_cast<void*>(round_up(reinterpret_cast<std::uintptr_t>(base), alignment));
    if (ordered) freed_.note_granted(request.device, request.size);
    if (request.zero && !zero(session, request, block, ordered)) {
      const Refusal refusal = session.refusal();
      if (give_back(session, request.type, base) && ordered) freed_.note(request.device, request.size);
      return refused_to_allocate(request, refusal);
    }
    grant = {block, alignment, remark(base, block, ordered)};
    return CADASTRE_SUCCESS;
  }

  // Whether cudaFree waits for the device, so that nothing has to be called which an unseen capture forbids.
  static bool free_waits(const Record& record) noexcept { return record.type != CADASTRE_PINNED && !is_ordered(record); }

  cadastre_exit_code free(const Record& record) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), record.device);
    if (device_is_captured(session)) return refused_by_capture(record.type, record.device, {}, free_after);
    const Relaxed relaxed(session);
    if (record.flags & CADASTRE_EXPORTABLE) {
      free_held_exports();
      Hold hold = hold_export(record, false);
      if (hold == Hold::must_wait) {
        if (!session.wait_for_device()) return refused_to_free(record, session.refusal());
        hold = hold_export(record, true);
      }
      if (hold == Hold::held) return CADASTRE_SUCCESS;
    }
    const bool waited = free_waits(record) ? session.call(runtime().call.cudaStreamSynchronize, runtime().dialect().default_stream())
                                           : session.wait_for_device();
    const bool freed = waited && give_back(session, record.type, base_of(record));
    if (freed && is_ordered(record)) freed_.note(record.device, record.size);
    return freed ? CADASTRE_SUCCESS : refused_to_free(record, session.refusal());
  }

  cadastre_exit_code free_ordered(const Record& record, cadastre_queue queue) noexcept override {
    if (!is_ordered(record)) return Backend::free_ordered(record, queue);
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), record.device);
    if (is_captured(session, static_cast<cudaStream_t>(queue))) {
      return refused_by_capture(record.type, record.device, {}, free_after);
    }
    const Relaxed relaxed(session);
    const bool freed = session.call(runtime().call.cudaFreeAsync, base_of(record), static_cast<cudaStream_t>(queue));
    if (!freed && session.refusal().error == cudaErrorInvalidResourceHandle) return free(record);
    if (!freed) return refused_to_free(record, session.refusal());
    freed_.note(session, record.device, static_cast<cudaStream_t>(queue), record.size);
    return CADASTRE_SUCCESS;
  }

  bool give_up_own_pools(bool& in_flight) noexcept override {
    if (gone() || !freed_.has_any()) return false;
    bool any = false;
    for (FreedInOrder::Freed* done = freed_.take_done(runtime(), in_flight); done;) {
      FreedInOrder::Freed* const each = std::exchange(done, done->next);
      const Trimmed trimmed = trim_pool_of(each->device);
      any = any || trimmed == Trimmed::some;
      if (trimmed != Trimmed::refused) each->bytes = 0;
      if (trimmed != Trimmed::refused && each->state == FreedInOrder::State::done) delete each;
      else freed_.put(each);
    }
    return any;
  }

  cadastre_exit_code attach(Backend*& instance) noexcept override {
    contexts_.fetch_add(1, std::memory_order_relaxed);
    return Backend::attach(instance);
  }

  // With the last context its events go.
  cadastre_exit_code detach() noexcept override {
    if (contexts_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !gone() && freed_.has_any()) freed_.forget_events(runtime());
    return CADASTRE_SUCCESS;
  }

  enum class Trimmed { refused, nothing, some };
  Trimmed trim_pool_of(std::int32_t device) const noexcept {
    const Routines& call = runtime().call;
    Session session(runtime(), device);
    if (device_is_captured(session)) return Trimmed::refused;
    const Relaxed relaxed(session);
    std::uint64_t before = 0, after = 0;
    cudaMemPool_t pool = nullptr;
    if (!ask_pool_of(session, device, before, &pool) || !session.call(call.cudaMemPoolTrimTo, pool, std::size_t{0})) return Trimmed::refused;
    return ask_pool_of(session, device, after) && after >= before ? Trimmed::nothing : Trimmed::some;
  }

  // How many bytes the default pool of a device has reserved; whether the vendor tells.
  static bool ask_pool_of(Session& session, std::int32_t device, std::uint64_t& reserved, cudaMemPool_t* found = nullptr) noexcept {
    const Routines& call = session.runtime.call;
    cudaMemPool_t pool = nullptr;
    if (!call.cudaDeviceGetDefaultMemPool.is_there() || !call.cudaMemPoolTrimTo.is_there() || !call.cudaMemPoolGetAttribute.is_there()) return false;
    if (!session.call(call.cudaDeviceGetDefaultMemPool, &pool, device)) return false;
    if (found) *found = pool;
    return session.call(call.cudaMemPoolGetAttribute, pool, cudaMemPoolAttrReservedMemCurrent, static_cast<void*>(&reserved));
  }

  cadastre_exit_code settle(const Record& record) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), record.device);
    if (device_is_captured(session)) return refused_by_capture(record.type, record.device, {}, wait_after);
    const Relaxed relaxed(session);
    return session.wait_for_device() ? CADASTRE_SUCCESS : refused_to_wait(record.device, session.refusal());
  }

  cadastre_exit_code admit_free(const Record& record) noexcept override {
    if (!free_waits(record)) return settle(record);
    if (!capturing(record.device, CADASTRE_DEFAULT_QUEUE)) return CADASTRE_SUCCESS;
    return refused_by_capture(record.type, record.device, {}, free_after);
  }

  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    if (is_captured(session, static_cast<cudaStream_t>(queue))) {
      return refused_by_capture(CADASTRE_DEVICE, device, {}, wait_after);
    }
    const Relaxed relaxed(session);
    if (session.call(runtime().call.cudaStreamSynchronize, static_cast<cudaStream_t>(queue))) return CADASTRE_SUCCESS;
    return refused_to_wait(device, session.refusal());
  }

  bool has_events() const noexcept override { return true; }
  cadastre_queue queue_of_each_thread() const noexcept override { return cudaStreamPerThread; }

  cadastre_exit_code record_event(std::int32_t device, cadastre_queue queue, Event& event) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    auto marked = static_cast<cudaEvent_t>(event);
    const std::optional<Refusal> refusal = mark(session, marked, static_cast<cudaStream_t>(queue));
    event = marked;
    return refusal ? refused(device, *refusal) : CADASTRE_SUCCESS;
  }

  std::int32_t owner_of_queue(std::int32_t device, cadastre_queue queue) noexcept override {
    const auto stream = static_cast<cudaStream_t>(queue);
    const bool on_each = !stream || stream == runtime().dialect().default_stream() || stream == cudaStreamPerThread;
    if (on_each || gone() || runtime().devices < 2 || marked_on(device, stream) != cudaErrorInvalidResourceHandle) return device;
    for (std::int32_t other = 0; other < runtime().devices; ++other) {
      if (other != device && marked_on(other, stream) == cudaSuccess) return other;
    }
    return device;
  }

  cadastre_exit_code wait_event(std::int32_t device, cadastre_queue queue, Event event) noexcept override {
    if (!event || gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    const bool told = session.call(runtime().call.cudaStreamWaitEvent, static_cast<cudaStream_t>(queue),
                                   static_cast<cudaEvent_t>(event), 0U);
    return told ? CADASTRE_SUCCESS : refused(device, session.refusal());
  }

  bool event_passed(std::int32_t device, Event event) noexcept override {
    if (!event || gone()) return true;
    Session session(runtime(), device, Current::may_be_any);
    const Relaxed relaxed(session);
    return session.call(runtime().call.cudaEventQuery, static_cast<cudaEvent_t>(event));
  }

  cadastre_exit_code synchronize_event(std::int32_t device, Event event) noexcept override {
    if (!event || gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device, Current::may_be_any);
    const Relaxed relaxed(session);
    if (session.call(runtime().call.cudaEventSynchronize, static_cast<cudaEvent_t>(event))) return CADASTRE_SUCCESS;
    return refused(device, session.refusal());
  }

  void destroy_event(std::int32_t device, Event event) noexcept override {
    if (event && !gone()) Session(runtime(), device, Current::may_be_any).call(runtime().call.cudaEventDestroy, static_cast<cudaEvent_t>(event));
  }

  bool capturing(std::int32_t device, cadastre_queue queue) noexcept override {
    if (gone()) return false;
    Session session(runtime(), device);
    return is_captured(session, static_cast<cudaStream_t>(queue));
  }

  std::uint64_t queue_identity(std::int32_t device, cadastre_queue queue) noexcept override {
    if (!tells_identity(queue)) return 1;
    Session session(runtime(), device);
    return identity_of(session, queue);
  }

  bool capturing(std::int32_t device, cadastre_queue queue, std::uint64_t& identity) noexcept override {
    identity = 1;
    if (gone()) return false;
    Session session(runtime(), device);
    if (is_captured(session, static_cast<cudaStream_t>(queue))) return true;
    if (tells_identity(queue)) identity = identity_of(session, queue);
    return false;
  }

  std::uint64_t capture_of(std::int32_t device, cadastre_queue queue) noexcept override {
    const Routines& call = runtime().call;
    const bool has_objects = call.cudaUserObjectCreate.is_there() && call.cudaUserObjectRelease.is_there() && call.cudaGraphRetainUserObject.is_there();
    if (queue == CADASTRE_DEFAULT_QUEUE || !has_objects || gone()) return 0;
    Session session(runtime(), device);
    return look_at_capture(session, static_cast<cudaStream_t>(queue)).number;
  }

  Watched watch_graph(std::int32_t device, cadastre_queue queue, void (*gone)(void*), void* argument) noexcept override {
    Session session(runtime(), device);
    const Routines& call = runtime().call;
    const cudaGraph_t graph = look_at_capture(session, static_cast<cudaStream_t>(queue)).graph;
    cudaUserObject_t object = nullptr;
    if (!graph || !session.call(call.cudaUserObjectCreate, &object, argument, cudaHostFn_t{gone}, 1U, unsigned{cudaUserObjectNoDestructorSync})) {
      gone(argument);
      return Watched::no;
    }
    if (session.call(call.cudaGraphRetainUserObject, graph, object, 1U, unsigned{cudaGraphUserObjectMove})) {
      return runtime().dialect().objects_outlive_launches ? Watched::until_done : Watched::until_gone;
    }
    session.call(call.cudaUserObjectRelease, object, 1U);
    return Watched::no;
  }

  cadastre_exit_code copy(const Copy& copy) noexcept override {
    Session session(runtime(), device_for(copy));
    if (conflicts(session, copy.queue, copy.wait)) return refused_by_capture(CADASTRE_DEVICE, device_for(copy), {}, wait_after);
    const Relaxed relaxed(session);
    return finish_copy(session, copy, start_copy(session, copy));
  }

  // Work on a queue that is captured becomes part of the graph, where nobody waits for it and it is not the default one.
  static bool conflicts(Session& session, cadastre_queue queue, bool wait) noexcept {
    return (wait || queue == CADASTRE_DEFAULT_QUEUE) && is_captured(session, static_cast<cudaStream_t>(queue));
  }

  bool start_copy(Session& session, const Copy& copy) const noexcept {
    const Routines& call = runtime().call;
    const auto stream = static_cast<cudaStream_t>(copy.queue);
    const Place &to = copy.to_place, &from = copy.from_place;
    if (!between_devices(copy) || to.type == CADASTRE_UVM || from.type == CADASTRE_UVM) {
      return session.call(call.cudaMemcpyAsync, copy.to, copy.from, copy.bytes, kind_of(copy), stream);
    }
    if (copy.queue == CADASTRE_DEFAULT_QUEUE) {
      return session.call(call.cudaMemcpyPeer, copy.to, to.device, copy.from, from.device, copy.bytes);
    }
    return session.call(call.cudaMemcpyPeerAsync, copy.to, to.device, copy.from, from.device, copy.bytes, stream);
  }

  cadastre_exit_code finish_copy(Session& session, const Copy& copy, bool started) const noexcept {
    const auto stream = static_cast<cudaStream_t>(copy.queue);
    const bool done = started && (!copy.wait || session.call(runtime().call.cudaStreamSynchronize, stream));
    return done ? CADASTRE_SUCCESS : refused_to_wait(device_for(copy), session.refusal());
  }

  cadastre_exit_code copy_rows(const Copy& rows) noexcept override {
    constexpr std::size_t widest_pitch = INT32_MAX;
    if (between_devices(rows) || std::max(rows.to_stride, rows.from_stride) > widest_pitch) {
      return Backend::copy_rows(rows);
    }
    Session session(runtime(), device_for(rows));
    if (conflicts(session, rows.queue, rows.wait)) return refused_by_capture(CADASTRE_DEVICE, device_for(rows), {}, wait_after);
    const Relaxed relaxed(session);
    const bool started =
        session.call(runtime().call.cudaMemcpy2DAsync, rows.to, rows.to_stride, rows.from, rows.from_stride, rows.bytes,
                     rows.rows, kind_of(rows), static_cast<cudaStream_t>(rows.queue));
    return finish_copy(session, rows, started);
  }

  cadastre_exit_code set(const Fill& fill) noexcept override {
    const Routines& call = runtime().call;
    const auto stream = static_cast<cudaStream_t>(fill.queue);
    Session session(runtime(), fill.place.device);
    const bool waits = fill.wait || !on_device(fill.place);
    if (conflicts(session, fill.queue, waits)) return refused_by_capture(CADASTRE_DEVICE, fill.place.device, {}, wait_after);
    const Relaxed relaxed(session);
    if (!on_device(fill.place)) {
      if (!session.call(call.cudaStreamSynchronize, stream)) return refused_to_wait(fill.place.device, session.refusal());
      std::memset(fill.to, fill.value, fill.bytes);
      return CADASTRE_SUCCESS;
    }
    const bool done = session.call(call.cudaMemsetAsync, fill.to, fill.value, fill.bytes, stream) &&
                      (!fill.wait || session.call(call.cudaStreamSynchronize, stream));
    return done ? CADASTRE_SUCCESS : refused_to_wait(fill.place.device, session.refusal());
  }

  cadastre_exit_code prefetch(const Hint& hint, bool& taken) noexcept override {
    if (capturing(hint.place.device, hint.queue)) {
      taken = false;
      return refused_by_capture(CADASTRE_UVM, hint.place.device, {}, "call it on a queue that is not being captured");
    }
    return follow(hint, taken, [&](Session& session) { return send_prefetch(session, hint); });
  }

  cadastre_exit_code advise(const Hint& hint, bool& taken) noexcept override {
    return follow(hint, taken, [&](Session& session) { return send_advice(session, hint); });
  }

  template <class Tell>
  cadastre_exit_code follow(const Hint& hint, bool& taken, Tell tell) const noexcept {
    taken = false;
    Session session(runtime(), hint.place.device);
    if (!takes_hints(session, hint)) return CADASTRE_SUCCESS;
    taken = tell(session);
    const cudaError_t error = session.refusal().error;
    if (taken || error == cudaErrorInvalidDevice || error == cudaErrorNotSupported) return CADASTRE_SUCCESS;
    return refused(hint.device, session.refusal());
  }

  cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept override {
    Session session(runtime(), device);
    DeviceDescription found{};
    cudaDeviceProp properties{};
    if (!session.call(runtime().call.cudaMemGetInfo, &found.free, &found.total) ||
        !session.call(runtime().call.cudaGetDeviceProperties, &properties, device)) {
      return refused(device, session.refusal());
    }
    std::memcpy(found.name, properties.name, sizeof found.name - 1);
    runtime().dialect().write_uuid(properties, runtime().version, found.uuid);
    found.integrated = has(session, cudaDevAttrIntegrated, device);
    const bool is_said_to = runtime().dialect().tells_of_host_access && has(session, cudaDevAttrDirectManagedMemAccessFromHost, device);
    found.host_access = found.integrated && is_said_to;
    found.pageable_access = has(session, cudaDevAttrPageableMemoryAccess, device);
    if (std::uint64_t reserved = 0; freed_.has_any() && ask_pool_of(session, device, reserved)) found.freed = freed_.bytes_on(device, reserved);
    description = found;
    return CADASTRE_SUCCESS;
  }

  bool claims(const void* address, Place& place) noexcept override {
    Session session(runtime());
    cudaPointerAttributes attributes{};
    if (!session.call(runtime().call.cudaPointerGetAttributes, &attributes, address)) return false;
    runtime().dialect().translate(attributes, runtime().version);
    const bool managed = attributes.type == cudaMemoryTypeManaged;
    if (!managed && attributes.type != cudaMemoryTypeDevice) return false;
    place = {managed ? CADASTRE_UVM : CADASTRE_DEVICE, attributes.device, number()};
    return true;
  }

  std::int32_t current_device() noexcept override {
    if (!runtime().usable()) return no_device_id;
    int device = 0;
    Session(runtime()).call(runtime().call.cudaGetDevice, &device);
    return device;
  }

  cadastre_exit_code export_block(const Record& record, VendorHandle& handle, std::size_t& offset) noexcept override {
    Session session(runtime(), record.device);
    const Relaxed relaxed(session);
    cudaIpcMemHandle_t vendors{};
    static_assert(sizeof vendors == sizeof handle);
    if (!session.call(runtime().call.cudaIpcGetMemHandle, &vendors, base_of(record))) return refused(record.device, session.refusal());
    std::memcpy(&handle, &vendors, sizeof handle);
    offset = address_of(record.pointer) - address_of(base_of(record));
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code import_block(std::int32_t device, const VendorHandle& handle, void*& base) noexcept override {
    Session session(runtime(), device);
    const Relaxed relaxed(session);
    cudaIpcMemHandle_t vendors{};
    std::memcpy(&vendors, &handle, sizeof vendors);
    void* opened = nullptr;
    const unsigned lazily = runtime().dialect().flag<cudaIpcMemLazyEnablePeerAccess>(runtime().version);
    if (!session.call(runtime().call.cudaIpcOpenMemHandle, &opened, vendors, lazily)) {
      return refused(device, session.refusal());
    }
    base = opened;
    return CADASTRE_SUCCESS;
  }

  cadastre_exit_code close_import(std::int32_t device, void* base) noexcept override {
    if (gone()) return CADASTRE_SUCCESS;
    Session session(runtime(), device);
    const Relaxed relaxed(session);
    return session.call(runtime().call.cudaIpcCloseMemHandle, base) ? CADASTRE_SUCCESS : refused(device, session.refusal());
  }

 private:
  const Runtime& runtime() const noexcept { return runtime_(); }
  bool gone() const noexcept { return vendor(vendor_.dialect.backend) != Vendor::there; }

  bool tells_identity(cadastre_queue queue) const noexcept {
    return queue != CADASTRE_DEFAULT_QUEUE && !gone() && runtime().call.cudaStreamGetId.is_there();
  }
  static std::uint64_t identity_of(Session& session, cadastre_queue queue) noexcept {
    unsigned long long id = 0;
    return session.call(session.runtime.call.cudaStreamGetId, static_cast<cudaStream_t>(queue), &id) ? id + 2 : 0;
  }

  // What comes of recording an event of a device on a stream.
  cudaError_t marked_on(std::int32_t device, cudaStream_t stream) const noexcept {
    Session session(runtime(), device);
    cudaEvent_t event = nullptr;
    if (const std::optional<Refusal> refusal = mark(session, event, stream)) return refusal->error;
    session.call(runtime().call.cudaEventDestroy, event);
    return cudaSuccess;
  }

  static constexpr const char* allocate_before = "allocate in the order of that queue before its capture begins";
  static constexpr const char* free_after = "free after the capture has ended, or in the order of a queue that is not being captured";
  static constexpr const char* wait_after = "wait after the capture has ended";

  // Whether it was a capture that forbade a call, which has done nothing then.
  static bool is_of_a_capture(const Refusal& refusal) noexcept {
    return refusal.error == cudaErrorStreamCaptureUnsupported || refusal.error == cudaErrorStreamCaptureInvalidated ||
           refusal.error == cudaErrorStreamCaptureImplicit;
  }

  cadastre_exit_code refused_by_capture(cadastre_memory_type type, std::int32_t device, const Refusal& refusal,
                                        const char* what) const noexcept {
    return fail({.exit_code = CADASTRE_CAPTURE_ACTIVE, .reason = CADASTRE_REASON_CAPTURE_ACTIVE, .type = type,
                 .backend = number(), .device = device, .vendor_code = refusal.error,
                 .vendor = refusal.message, .detail = what});
  }

  cadastre_exit_code refused_to_allocate(const Request& request, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(request.type, request.device, refusal, allocate_before);
    const bool too_much = refusal.error == cudaErrorMemoryAllocation || refusal.error == cudaErrorInvalidValue;
    return fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
                 .reason = too_much ? CADASTRE_REASON_BACKEND_OUT_OF_MEMORY : CADASTRE_REASON_BACKEND_CALL_FAILED,
                 .type = request.type, .backend = number(), .device = request.device,
                 .requested = request.size, .vendor_code = refusal.error, .vendor = refusal.message,
                 .detail = too_much ? text(" from %s", refusal.routine) : refusal.routine});
  }

  cadastre_exit_code refused_to_free(const Record& record, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(record.type, record.device, refusal, free_after);
    return fail({.exit_code = CADASTRE_DEALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_FREE_FAILED,
                 .type = record.type, .backend = number(), .device = record.device,
                 .base = record.pointer, .size = record.size, .vendor_code = refusal.error,
                 .vendor = refusal.message, .label = text_of(record.origin),
                 .detail = refusal.routine});
  }

  cadastre_exit_code refused(std::int32_t device, const Refusal& refusal) const noexcept {
    return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_BACKEND_CALL_FAILED,
                 .backend = number(), .device = device, .vendor_code = refusal.error,
                 .vendor = refusal.message, .detail = refusal.routine});
  }

  cadastre_exit_code refused_to_wait(std::int32_t device, const Refusal& refusal) const noexcept {
    if (is_of_a_capture(refusal)) return refused_by_capture(CADASTRE_DEVICE, device, refusal, wait_after);
    return refused(device, refusal);
  }

  bool ours(const Place& place) const noexcept {
    return place.backend == number() && place.type != CADASTRE_HOST;
  }
  bool on_device(const Place& place) const noexcept { return ours(place) && place.type != CADASTRE_PINNED; }

  cudaMemcpyKind kind_of(const Copy& copy) const noexcept {
    if (on_device(copy.to_place)) return on_device(copy.from_place) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return on_device(copy.from_place) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
  }

  std::int32_t device_for(const Copy& copy) const noexcept {
    if (on_device(copy.from_place)) return copy.from_place.device;
    if (on_device(copy.to_place)) return copy.to_place.device;
    return ours(copy.from_place) ? copy.from_place.device : copy.to_place.device;
  }

  bool between_devices(const Copy& copy) const noexcept {
    const std::int32_t to = copy.to_place.device, from = copy.from_place.device;
    return on_device(copy.to_place) && on_device(copy.from_place) && to != from && to >= 0 && from >= 0;
  }

  const RuntimeVendor& vendor_;
  const Runtime& (*runtime_)() noexcept;
  FreedInOrder freed_;
  std::atomic<std::int64_t> contexts_ = 0;
};

}  // namespace cadastre::internal::dialects

#endif
