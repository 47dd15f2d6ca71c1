// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Ways to get memory, all with the same operations, for workloads to be performed on.
#ifndef CADASTRE_BENCH_WAYS_HPP
#define CADASTRE_BENCH_WAYS_HPP

#include <cadastre.h>
#include <dlfcn.h>
#include <malloc.h>
#ifdef CADASTRE_BENCH_SUNDIALS
#include <sundials/sundials_context.h>
#include <sundials/sundials_memory.h>
#include <sunmemory/sunmemory_system.h>
#endif

#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace bench {

struct Glibc {
  static constexpr const char* name = "glibc";
  static bool usable() { return true; }
  void* allocate(std::size_t size) { return std::malloc(size); }
  void* allocate_zeroed(std::size_t size) { return std::calloc(1, size); }
  void deallocate(void* pointer, std::size_t) { std::free(pointer); }
  std::size_t size_of(const void* pointer) { return malloc_usable_size(const_cast<void*>(pointer)); }
  void destroy(std::span<void* const> live) {
    for (void* const pointer : live) std::free(pointer);
  }
};

// An allocator in a shared object, by the names that its functions have there.
struct Names {
  const char *object, *malloc, *calloc, *free, *usable_size, *posix_memalign;
};

class Opened {
 public:
  explicit Opened(const Names& names) {
    void* const object = dlopen(names.object, RTLD_NOW | RTLD_LOCAL);
    if (!object) return;
    find(object, names.malloc, malloc);
    find(object, names.calloc, calloc);
    find(object, names.free, free);
    find(object, names.usable_size, usable_size);
    find(object, names.posix_memalign, posix_memalign);
  }
  bool complete() const { return malloc && calloc && free && usable_size && posix_memalign; }

  void* (*malloc)(std::size_t) = nullptr;
  void* (*calloc)(std::size_t, std::size_t) = nullptr;
  void (*free)(void*) = nullptr;
  std::size_t (*usable_size)(void*) = nullptr;
  int (*posix_memalign)(void**, std::size_t, std::size_t) = nullptr;

 private:
  template <class Function>
  static void find(void* object, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(object, name));
  }
};

template <class Which>
struct Other {
  static constexpr const char* name = Which::name;
  static const Opened& library() {
    static const Opened opened(Which::names);
    return opened;
  }
  static bool usable() { return library().complete(); }
  void* allocate(std::size_t size) { return functions.malloc(size); }
  void* allocate_zeroed(std::size_t size) { return functions.calloc(1, size); }
  void deallocate(void* pointer, std::size_t) { functions.free(pointer); }
  std::size_t size_of(const void* pointer) { return functions.usable_size(const_cast<void*>(pointer)); }

  const Opened& functions = library();
};

struct Mimalloc {
  static constexpr const char* name = "mimalloc";
  static constexpr Names names = {"libmimalloc.so.2", "mi_malloc", "mi_calloc", "mi_free", "mi_usable_size", "mi_posix_memalign"};
};
struct Jemalloc {
  static constexpr const char* name = "jemalloc";
  static constexpr Names names = {"libjemalloc.so.2", "malloc", "calloc", "free", "malloc_usable_size", "posix_memalign"};
};
struct Tbb {
  static constexpr const char* name = "tbb";
  static constexpr Names names = {"libtbbmalloc.so.2", "scalable_malloc", "scalable_calloc",
                                  "scalable_free",     "scalable_msize",  "scalable_posix_memalign"};
};

// Frees a block only when it is told its size, so that look-ups and zeroed memory are the caller's to arrange.
struct Pmr {
  static constexpr const char* name = "pmr";
  static bool usable() { return true; }
  void* allocate(std::size_t size) { return pool.allocate(size); }
  void deallocate(void* pointer, std::size_t size) { pool.deallocate(pointer, size); }
  void destroy(std::span<void* const>) { pool.release(); }

  std::pmr::synchronized_pool_resource pool;
};

#ifdef CADASTRE_BENCH_SUNDIALS
struct Sundials {
  static constexpr const char* name = "sundials";
  static bool usable() { return true; }
  Sundials() {
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &context);
#else
    SUNContext_Create(nullptr, &context);
#endif
    helper = SUNMemoryHelper_Sys(context);
  }
  Sundials(const Sundials&) = delete;
  Sundials& operator=(const Sundials&) = delete;
  ~Sundials() {
    SUNMemoryHelper_Destroy(helper);
    SUNContext_Free(&context);
  }
  void* allocate(std::size_t size) {
    SUNMemory memory = nullptr;
    return SUNMemoryHelper_Alloc(helper, &memory, size, SUNMEMTYPE_HOST, nullptr) == 0 ? memory : nullptr;
  }
  void deallocate(void* block, std::size_t) { SUNMemoryHelper_Dealloc(helper, static_cast<SUNMemory>(block), nullptr); }
  void* data(void* block) { return static_cast<SUNMemory>(block)->ptr; }

  SUNContext context = nullptr;
  SUNMemoryHelper helper = nullptr;
};
#endif

// The linear scan that libraries write by hand.
struct Scan {
  static constexpr const char* name = "scan";
  static bool usable() { return true; }
  void* allocate_zeroed(std::size_t size) {
    void* pointer = std::malloc(size);
    if (!pointer) return nullptr;
    asm volatile("" : "+r"(pointer));  // else a compiler makes one calloc of both
    std::memset(pointer, 0, size);
    const std::lock_guard locked(mutex);
    if (live == elements.size()) elements.resize(2 * live);
    std::size_t place = 0;
    while (elements[place].pointer) ++place;
    elements[place] = {size, pointer};
    ++live;
    return pointer;
  }
  void deallocate(void* pointer, std::size_t) {
    const std::lock_guard locked(mutex);
    const std::size_t place = place_of(pointer);
    if (place == elements.size()) return;
    std::free(pointer);
    elements[place] = {};
    --live;
  }
  std::size_t size_of(const void* pointer) {
    const std::lock_guard locked(mutex);
    const std::size_t place = place_of(pointer);
    return place == elements.size() ? 0 : elements[place].size;
  }
  void destroy(std::span<void* const>) {
    for (Element& element : elements) std::free(element.pointer);
    elements.assign(128, {});
    live = 0;
  }

  struct Element {
    std::size_t size = 0;
    void* pointer = nullptr;
  };
  std::size_t place_of(const void* pointer) const {
    std::size_t place = 0;
    while (place < elements.size() && elements[place].pointer != pointer) ++place;
    return place;
  }

  std::recursive_mutex mutex;
  std::vector<Element> elements = std::vector<Element>(128);
  std::size_t live = 0;
};

struct HashMap {
  static constexpr const char* name = "hash map";
  static bool usable() { return true; }
  void* allocate(std::size_t size) { return file(std::malloc(size), size); }
  void* allocate_zeroed(std::size_t size) { return file(std::calloc(1, size), size); }
  void deallocate(void* pointer, std::size_t) {
    {
      const std::lock_guard locked(mutex);
      if (blocks.erase(pointer) == 0) return;
    }
    std::free(pointer);
  }
  std::size_t size_of(const void* pointer) {
    const std::lock_guard locked(mutex);
    const auto found = blocks.find(pointer);
    return found == blocks.end() ? 0 : found->second;
  }
  void destroy(std::span<void* const>) {
    for (const auto& [pointer, size] : blocks) std::free(const_cast<void*>(pointer));
    blocks.clear();
  }

  void* file(void* pointer, std::size_t size) {
    const std::lock_guard locked(mutex);
    blocks.emplace(pointer, size);
    return pointer;
  }

  std::mutex mutex;
  std::unordered_map<const void*, std::size_t> blocks;
};

// Changes the C library for the rest of the process.
struct ScanOfKept : Scan {
  static constexpr const char* name = "scan, pages kept";
  ScanOfKept() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
  }
};

// What contexts have in common, whatever memory is asked of them.
struct InContext {
  InContext(cadastre_backend backend, cadastre_pool pool) {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = backend;
    options.pool = pool;
    context = cadastre_context_create_with_options(&options);
  }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;
  ~InContext() { cadastre_context_destroy(context); }

  void deallocate(void* pointer, std::size_t) { cadastre_free(context, pointer); }
  std::size_t size_of(const void* pointer) {
    cadastre_memory_info_struct info;
    return cadastre_get_malloc_info(context, pointer, &info) == CADASTRE_SUCCESS ? info.size : 0;
  }
  static cadastre_memory_info_struct request(cadastre_memory_type type, std::size_t size, cadastre_flags flags) {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.size = size;
    info.type = type;
    info.flags = flags;
    return info;
  }
  void* ask(cadastre_memory_type type, std::size_t size, cadastre_flags flags) {
    return cadastre_malloc(context, request(type, size, flags));
  }

  cadastre_context context;
};

struct Cadastre : InContext {
  static constexpr const char* name = "cadastre";
  static bool usable() { return true; }
  explicit Cadastre(cadastre_pool pool = CADASTRE_POOL_NONE) : InContext(CADASTRE_BACKEND_HOST, pool) {}

  void* allocate(std::size_t size) { return ask(CADASTRE_HOST, size, CADASTRE_UNINITIALIZED); }
  void* allocate_zeroed(std::size_t size) { return ask(CADASTRE_HOST, size, 0); }
  std::size_t around(const void* address) {
    cadastre_memory_info_struct info;
    return cadastre_find_block(context, address, &info, nullptr) == CADASTRE_SUCCESS ? info.size : 0;
  }
  void destroy(std::span<void* const>) { cadastre_context_destroy(context); }
  bool free_all() { return cadastre_free_all(context) == CADASTRE_SUCCESS; }
};

struct Pooled : Cadastre {
  static constexpr const char* name = "cadastre pool";
  Pooled() : Cadastre(CADASTRE_POOL_CACHING) {}
};

constexpr std::size_t line = 64;

// Zeroed, of any function like posix_memalign; null when there is none.
template <class Function>
void* aligned_and_zeroed(Function* function, std::size_t size) {
  void* block = nullptr;
  if (function(&block, line, size) != 0) return nullptr;
  return std::memset(block, 0, size);
}

struct AlignedGlibc : Glibc {
  void* allocate(std::size_t size) { return allocate_zeroed(size); }
  void* allocate_zeroed(std::size_t size) { return aligned_and_zeroed(posix_memalign, size); }
};

template <class Which>
struct Aligned : Other<Which> {
  void* allocate(std::size_t size) { return allocate_zeroed(size); }
  void* allocate_zeroed(std::size_t size) { return aligned_and_zeroed(this->functions.posix_memalign, size); }
};

struct Demanding : Cadastre {
  Demanding() { cadastre_set_limit(context, CADASTRE_HOST, std::size_t{1} << 40); }
  void* allocate(std::size_t size) { return allocate_zeroed(size); }
  void* allocate_zeroed(std::size_t size) {
    cadastre_memory_info_struct info = request(CADASTRE_HOST, size, 0);
    info.alignment = line;
    info.label = "two-electron integrals of the first tile";
    return cadastre_malloc(context, info);
  }
};

// So many blocks of so many bytes are 99 % of its limit.
struct NearLimit : Cadastre {
  NearLimit(std::size_t count, std::size_t size) { cadastre_set_limit(context, CADASTRE_HOST, (count * size * 100 + 98) / 99); }
};

struct Summing : Cadastre {
  static constexpr const char* name = "cadastre, summary";
  void destroy(std::span<void* const>) {
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    cadastre_context_destroy_with_summary(context, &summary);
  }
};

template <class... Ways, class Body>
void for_ways(Body body) {
  ((Ways::usable() ? body.template operator()<Ways>() : void()), ...);
}

// Calls body.operator()<Way>() for each way that is there.
template <class Body>
void for_all_ways(Body body) {
  for_ways<Glibc, Other<Mimalloc>, Other<Jemalloc>, Other<Tbb>, Pmr>(body);
#ifdef CADASTRE_BENCH_SUNDIALS
  for_ways<Sundials>(body);
#endif
  for_ways<Scan, HashMap, Cadastre, Pooled>(body);
}

}  // namespace bench
#endif
