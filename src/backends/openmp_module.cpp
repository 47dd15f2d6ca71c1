// Tangled from org/backends/openmp_module.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The loadable half of the OpenMP backend; compiled by a compiler that offloads.
#include "backends/openmp_module.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <strings.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace {

template <class Function>
Function* in_the_runtime(const char* name) {
  static void* const library = [] {
    Dl_info found;
    const bool known = dladdr(reinterpret_cast<void*>(&omp_target_alloc), &found) != 0 && found.dli_fname;
    return known ? dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  }();
  return library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

constexpr cadastre_openmp_answer done = {0, nullptr};

// Some runtimes still count their devices then, and others say that there are none; none may be used either way.
bool offloading_is_disabled() {
  const char* const setting = std::getenv("OMP_TARGET_OFFLOAD");
  return setting && strcasecmp(setting, "disabled") == 0;
}

std::int32_t devices() {
  if (offloading_is_disabled()) return 0;
  try {
    static const auto own = in_the_runtime<int()>("omp_get_num_devices");
    return own ? own() : omp_get_num_devices();
  } catch (...) {
    return 0;
  }
}

// The number by which omp_target_memcpy knows the host.
std::int32_t host_number() {
  static const auto own = in_the_runtime<int()>("omp_get_initial_device");
  return own ? own() : omp_get_initial_device();
}

std::int32_t default_device() { return omp_get_default_device(); }

bool begins_with(const char* text, const char* beginning) { return std::strncmp(text, beginning, std::strlen(beginning)) == 0; }

void name(std::int32_t device, char* name, std::size_t capacity) {
  const char* kind = CADASTRE_OPENMP_TARGETS;
  if (begins_with(kind, "x86_64")) kind = "x86_64 host plugin";
  if (begins_with(kind, "aarch64")) kind = "aarch64 host plugin";
  if (begins_with(kind, "powerpc64le")) kind = "powerpc64le host plugin";
  if (begins_with(kind, "nvptx")) kind = "NVIDIA GPU by OpenMP";
  if (begins_with(kind, "amdgcn")) kind = "AMD GPU by OpenMP";
  std::snprintf(name, capacity, "%s, device %d", kind, static_cast<int>(device));
}

using Allocate = void*(std::size_t, int);
using Free = void(void*, int);

struct Kind {
  const char* routine;
  Allocate* allocate;
  Free* free;
  const char* no_memory;
  const char* refusal;
};

Free* matching(const char* name) {
  Free* const found = in_the_runtime<Free>(name);
  return found ? found : &omp_target_free;
}

#if defined(__clang__)

Kind pinned_kind() {
  return {"llvm_omp_target_alloc_host", in_the_runtime<Allocate>("llvm_omp_target_alloc_host"), matching("llvm_omp_target_free_host"),
          "llvm_omp_target_alloc_host returned NULL",
          "this OpenMP runtime lacks llvm_omp_target_alloc_host, which LLVM's has from release 13 on"};
}

#else

omp_allocator_handle_t pinned_allocator() {
  static const omp_allocator_handle_t allocator = [] {
    const omp_alloctrait_t traits[] = {
        {omp_atk_pinned, omp_atv_true}, {omp_atk_fallback, omp_atv_null_fb}, {omp_atk_alignment, cadastre_openmp_alignment}};
    return omp_init_allocator(omp_default_mem_space, sizeof traits / sizeof *traits, traits);
  }();
  return allocator;
}

Kind pinned_kind() {
  Allocate* const allocate = [](std::size_t bytes, int) { return omp_alloc(bytes, pinned_allocator()); };
  return {"omp_alloc with the trait pinned", pinned_allocator() == omp_null_allocator ? nullptr : allocate,
          [](void* pointer, int) { omp_free(pointer, pinned_allocator()); },
          "omp_alloc with the trait pinned returned NULL; the limit on locked memory (ulimit -l) may be too low",
          "this OpenMP runtime makes no allocator with the trait pinned, which GCC's does from release 14 on"};
}

#endif

const Kind& kind_of(cadastre_openmp_kind kind) {
  static const Kind kinds[] = {
      {"omp_target_alloc", &omp_target_alloc, &omp_target_free, "omp_target_alloc returned NULL", nullptr},
      pinned_kind(),
      {"llvm_omp_target_alloc_shared", in_the_runtime<Allocate>("llvm_omp_target_alloc_shared"), matching("llvm_omp_target_free_shared"),
       "llvm_omp_target_alloc_shared returned NULL",
       "this OpenMP runtime lacks llvm_omp_target_alloc_shared, which LLVM's has from release 13 on"},
  };
  return kinds[kind];
}

const char* refusal(cadastre_openmp_kind kind) { return kind_of(kind).allocate ? nullptr : kind_of(kind).refusal; }

const char* routine(cadastre_openmp_kind kind) { return kind_of(kind).routine; }

// As OpenMP 5.1 numbers them; not every omp.h has them.
enum Property { foreign_runtime = -1, device_number = -5, targetsync = -9 };
enum ForeignRuntime { cuda_runtime = 1, cuda_driver = 2 };

struct Interop {
  std::intptr_t (*get_int)(void* object, int property, int* code);
  void* (*get_ptr)(void* object, int property, int* code);
};

const Interop& interop() {
  static const Interop found = {in_the_runtime<std::intptr_t(void*, int, int*)>("omp_get_interop_int"),
                                in_the_runtime<void*(void*, int, int*)>("omp_get_interop_ptr")};
  return found;
}

// Functions of NVIDIA's driver, which the runtime's plugin has opened.
struct Cuda {
  int (*synchronize_stream)(void* stream);
  int (*context_of_stream)(void* stream, void** context);
  int (*is_capturing)(void* stream, int* status);
  int (*push_context)(void* context);
  int (*pop_context)(void** context);
  int (*synchronize_context)();
  int (*attribute_of_pointer)(void* value, int attribute, std::uintptr_t pointer);
  int (*identity_of_stream)(void* stream, unsigned long long* identity);  // null before CUDA 12

  bool usable() const {
    return synchronize_stream && context_of_stream && is_capturing && push_context && pop_context && synchronize_context &&
           attribute_of_pointer;
  }
};

const Cuda& cuda() {
  static const Cuda found = [] {
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!driver) driver = dlopen("libcuda.so", RTLD_LAZY | RTLD_NOLOAD);
    Cuda functions = {};
    if (!driver) return functions;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(driver, name));
    };
    find(functions.synchronize_stream, "cuStreamSynchronize");
    find(functions.context_of_stream, "cuStreamGetCtx");
    find(functions.is_capturing, "cuStreamIsCapturing");
    find(functions.push_context, "cuCtxPushCurrent_v2");
    find(functions.pop_context, "cuCtxPopCurrent_v2");
    find(functions.synchronize_context, "cuCtxSynchronize");
    find(functions.attribute_of_pointer, "cuPointerGetAttribute");
    find(functions.identity_of_stream, "cuStreamGetId");
    return functions;
  }();
  return found;
}

const char* no_queues() {
  static const char* const why = []() -> const char* {
    if (!CADASTRE_OPENMP_ACCELERATES) return "the devices of this OpenMP runtime are the host, which has no streams";
    if (!interop().get_int || !interop().get_ptr) {
      return "this OpenMP runtime has no interop objects, which LLVM's has from release 14 on and GCC's from 15 on";
    }
    if (!begins_with(CADASTRE_OPENMP_TARGETS, "nvptx")) {
      return "this library can wait for interop objects of NVIDIA's devices only";
    }
    return cuda().usable() ? nullptr : "NVIDIA's driver lacks a function that waits for streams";
  }();
  return why;
}

// The context of a device, once memory was allocated from it; null for a device beyond those that are kept.
std::atomic<void*>* context_of(std::int32_t device) {
  static std::atomic<void*> contexts[64];
  return device >= 0 && static_cast<std::size_t>(device) < std::size(contexts) ? &contexts[device] : nullptr;
}

void note_context(std::int32_t device, void* pointer) {
  std::atomic<void*>* const known = no_queues() ? nullptr : context_of(device);
  if (!known || known->load(std::memory_order_relaxed)) return;
  constexpr int context_attribute = 1;
  void* context = nullptr;
  if (cuda().attribute_of_pointer(&context, context_attribute, reinterpret_cast<std::uintptr_t>(pointer)) == 0) {
    known->store(context, std::memory_order_relaxed);
  }
}

cadastre_openmp_answer allocate(cadastre_openmp_kind kind, std::size_t bytes, std::int32_t device, void** pointer) {
  const Kind& from = kind_of(kind);
  *pointer = from.allocate ? from.allocate(bytes, device) : nullptr;
  if (!*pointer) return {0, from.allocate ? from.no_memory : from.refusal};
  note_context(device, *pointer);
  return done;
}

// OpenMP's free answers nothing.
cadastre_openmp_answer release(cadastre_openmp_kind kind, void* pointer, std::int32_t device) {
  kind_of(kind).free(pointer, device);
  return done;
}

cadastre_openmp_answer copy(void* to, std::int32_t to_device, const void* from, std::int32_t from_device, std::size_t bytes) {
  const auto number = [](std::int32_t device) { return device == cadastre_openmp_host ? host_number() : device; };
  const int code = omp_target_memcpy(to, const_cast<void*>(from), bytes, 0, 0, number(to_device), number(from_device));
  if (code == 0) return done;
  return {code, "omp_target_memcpy returned an error"};
}

int fill_by_one(unsigned char* to, std::int32_t device, unsigned char value, std::size_t bytes) {
  int on_host = 1;
#pragma omp target is_device_ptr(to) device(device) map(from : on_host)
  {
    on_host = omp_is_initial_device();
    if (!on_host) {
      for (std::size_t i = 0; i < bytes; ++i) to[i] = value;
    }
  }
  return on_host;
}

int fill_by_many(unsigned char* to, std::int32_t device, unsigned char value, std::size_t bytes) {
  int on_host = 0;
  const std::size_t past_word = reinterpret_cast<std::uintptr_t>(to) % sizeof(std::uint64_t);
  std::size_t head = past_word == 0 ? 0 : sizeof(std::uint64_t) - past_word;
  if (head > bytes) head = bytes;
  const std::size_t words = (bytes - head) / sizeof(std::uint64_t);
  const std::size_t tail = head + words * sizeof(std::uint64_t);
  const std::uint64_t word = value * (~std::uint64_t{0} / 0xff);
#pragma omp target teams distribute parallel for is_device_ptr(to) device(device) map(tofrom : on_host)
  for (std::size_t i = 0; i <= words; ++i) {
    if (omp_is_initial_device()) {
#pragma omp atomic write
      on_host = 1;
    } else if (i < words) {
      reinterpret_cast<std::uint64_t*>(to + head)[i] = word;
    } else {
      for (std::size_t j = 0; j < head; ++j) to[j] = value;
      for (std::size_t j = tail; j < bytes; ++j) to[j] = value;
    }
  }
  return on_host;
}

cadastre_openmp_answer fill(void* to, std::int32_t device, std::int32_t value, std::size_t bytes) {
  auto* const first = static_cast<unsigned char*>(to);
  const auto byte = static_cast<unsigned char>(value);
  const int on_host = CADASTRE_OPENMP_ACCELERATES ? fill_by_many(first, device, byte, bytes) : fill_by_one(first, device, byte, bytes);
  if (!on_host) return done;
  return {on_host, "a target region ran on the host and not on the device; OMP_TARGET_OFFLOAD may forbid offloading"};
}

cadastre_openmp_answer no_queue(const char* why) { return {cadastre_openmp_no_queue, why}; }

cadastre_openmp_answer stream_of(void* queue, void*& stream, std::int32_t& device) {
  if (no_queues()) return no_queue(no_queues());
  int code = 0;
  const std::intptr_t number = interop().get_int(queue, device_number, &code);
  if (code != 0 || number < 0 || number >= devices()) return no_queue("the interop object is of no device of this runtime's");
  const std::intptr_t runtime = interop().get_int(queue, foreign_runtime, &code);
  if (code != 0 || (runtime != cuda_runtime && runtime != cuda_driver)) {
    return no_queue("the interop object is of another foreign runtime than CUDA's");
  }
  stream = interop().get_ptr(queue, targetsync, &code);
  device = static_cast<std::int32_t>(number);
  return stream && code == 0 ? done : no_queue("the interop object was not made with targetsync");
}

// Runs a function of the driver in a context, and restores the thread's own.
template <class Function>
int in_context(void* context, Function function) {
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a context comes from a queue of CUDA, whose driver is there
  if (const int code = cuda().push_context(context)) return code;
  const int code = function();
  const int popped = cuda().pop_context(&context);
  return code ? code : popped;
}

cadastre_openmp_answer look_at(void* queue, cadastre_openmp_queue* found) {
  void* stream = nullptr;
  const cadastre_openmp_answer answer = stream_of(queue, stream, found->device);
  if (answer.text) return answer;
  unsigned long long identity = 0;
  const bool told = cuda().identity_of_stream && cuda().identity_of_stream(stream, &identity) == 0;
  found->identity = told ? identity : reinterpret_cast<std::uintptr_t>(stream);
  return done;
}

cadastre_openmp_answer wait(void* queue) {
  void *stream = nullptr, *context = nullptr;
  std::int32_t device = 0;
  const cadastre_openmp_answer answer = stream_of(queue, stream, device);
  if (answer.text) return answer;
  int status = 0;
  if (cuda().is_capturing(stream, &status) == 0 && status != 0) return {cadastre_openmp_captured, "the stream is being captured"};
  int code = cuda().context_of_stream(stream, &context);
  if (code == 0) code = in_context(context, [&] { return cuda().synchronize_stream(stream); });
  if (code == 0) return done;
  return {code, "cuStreamSynchronize on the stream of the interop object returned an error"};
}

cadastre_openmp_answer settle(std::int32_t device) {
  const std::atomic<void*>* const known = context_of(device);
  void* const context = known ? known->load(std::memory_order_relaxed) : nullptr;
  if (!context) return done;
  const int code = in_context(context, cuda().synchronize_context);
  if (code == 0) return done;
  return {code, "cuCtxSynchronize returned an error"};
}

#if defined(__clang__)
constexpr char runtime[] = "LLVM's libomptarget";
#else
constexpr char runtime[] = "GCC's libgomp";
#endif

const char* advice() {
  if (offloading_is_disabled()) return "OMP_TARGET_OFFLOAD=DISABLED keeps target regions on the host; unset it";
#if defined(__clang__) && __clang_major__ >= 15 && __clang_major__ <= 18
  const char* const path = std::getenv("LD_LIBRARY_PATH");
  if (!path || !std::strstr(path, CADASTRE_OPENMP_LIBDIR)) {
    return "this release of LLVM finds its plugins in LD_LIBRARY_PATH only, which lacks " CADASTRE_OPENMP_LIBDIR;
  }
#endif
  return "";
}

// A runtime that finds no host memory may throw, though its functions are C's; those that call it may not.
template <auto call, class... Arguments>
cadastre_openmp_answer shielded(Arguments... arguments) {
  try {
    return call(arguments...);
  } catch (...) {
    return {0, "the OpenMP runtime threw an exception, as it does when there is no host memory"};
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const cadastre_openmp_table* cadastre_openmp_module() {
  static const cadastre_openmp_table table = {sizeof table,
                                              cadastre_openmp_version,
                                              runtime,
                                              CADASTRE_OPENMP_TARGETS,
                                              advice(),
                                              CADASTRE_OPENMP_ACCELERATES,
                                              devices,
                                              default_device,
                                              refusal,
                                              name,
                                              shielded<allocate>,
                                              shielded<release>,
                                              shielded<copy>,
                                              shielded<fill>,
                                              routine,
                                              no_queues,
                                              shielded<look_at>,
                                              shielded<wait>,
                                              shielded<settle>};
  return &table;
}
