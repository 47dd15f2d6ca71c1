// Tangled from org/backend_openmp_module.org; change the chapter, then run: make tangle
// The loadable half of the OpenMP backend; compiled by a compiler that offloads.
#include "backends/openmp_module.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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

bool begins_with(const char* text, const char* beginning) {
  return std::strncmp(text, beginning, std::strlen(beginning)) == 0;
}

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
  Allocate* allocate;
  Free* free;
  const char* no_memory;
  const char* refusal;
};

const Kind& kind_of(cadastre_openmp_kind kind) {
  static const auto matching = [](const char* name) {
    Free* const found = in_the_runtime<Free>(name);
    return found ? found : &omp_target_free;
  };
  static const Kind kinds[] = {
      {&omp_target_alloc, &omp_target_free, "omp_target_alloc returned NULL", nullptr},
      {in_the_runtime<Allocate>("llvm_omp_target_alloc_host"), matching("llvm_omp_target_free_host"),
       "llvm_omp_target_alloc_host returned NULL",
       "this OpenMP runtime lacks llvm_omp_target_alloc_host, which LLVM's has from release 13 on"},
      {in_the_runtime<Allocate>("llvm_omp_target_alloc_shared"), matching("llvm_omp_target_free_shared"),
       "llvm_omp_target_alloc_shared returned NULL",
       "this OpenMP runtime lacks llvm_omp_target_alloc_shared, which LLVM's has from release 13 on"},
  };
  return kinds[kind];
}

const char* refusal(cadastre_openmp_kind kind) {
  return kind_of(kind).allocate ? nullptr : kind_of(kind).refusal;
}

cadastre_openmp_answer allocate(cadastre_openmp_kind kind, std::size_t bytes, std::int32_t device, void** pointer) {
  const Kind& from = kind_of(kind);
  *pointer = from.allocate ? from.allocate(bytes, device) : nullptr;
  return *pointer ? done : cadastre_openmp_answer{0, from.allocate ? from.no_memory : from.refusal};
}

// OpenMP's free answers nothing.
cadastre_openmp_answer release(cadastre_openmp_kind kind, void* pointer, std::int32_t device) {
  kind_of(kind).free(pointer, device);
  return done;
}

cadastre_openmp_answer copy(void* to, std::int32_t to_device, const void* from, std::int32_t from_device,
                            std::size_t bytes) {
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
  const int on_host = CADASTRE_OPENMP_ACCELERATES ? fill_by_many(first, device, byte, bytes)
                                                  : fill_by_one(first, device, byte, bytes);
  if (!on_host) return done;
  return {on_host, "a target region ran on the host and not on the device; OMP_TARGET_OFFLOAD may forbid offloading"};
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
  static const cadastre_openmp_table table = {
      sizeof table, cadastre_openmp_version, runtime, CADASTRE_OPENMP_TARGETS, advice(), CADASTRE_OPENMP_ACCELERATES,
      devices, default_device, refusal, name, shielded<allocate>, shielded<release>, shielded<copy>, shielded<fill>};
  return &table;
}
