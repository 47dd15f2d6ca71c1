// Tangled from org/cuda_double.org; change the chapter, then run: make tangle
#ifndef CADASTRE_TESTS_CUDA_DOUBLE_HPP
#define CADASTRE_TESTS_CUDA_DOUBLE_HPP

#include <dlfcn.h>

#include <cstddef>

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

// What a kernel would find at a pointer, now: the host's way to these bytes, or null where the device
// would fault. Waits for nothing.
void* cuda_double_bytes(const void* pointer, std::size_t size);

}  // extern "C"

// These functions in a runtime that was opened; converts to false if that is not the double.
class CudaDouble {
 public:
  explicit CudaDouble(void* library) {
    find(library, "cuda_double_count", count);
    find(library, "cuda_double_fail", fail);
    find(library, "cuda_double_calls", calls);
    find(library, "cuda_double_made", made);
    find(library, "cuda_double_forget", forget);
    find(library, "cuda_double_bytes", bytes);
  }
  explicit operator bool() const { return count != nullptr; }

  decltype(&cuda_double_count) count;
  decltype(&cuda_double_fail) fail;
  decltype(&cuda_double_calls) calls;
  decltype(&cuda_double_made) made;
  decltype(&cuda_double_forget) forget;
  decltype(&cuda_double_bytes) bytes;

 private:
  template <class Function>
  static void find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
  }
};

#endif
