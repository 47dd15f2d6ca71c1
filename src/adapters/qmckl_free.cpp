// Tangled from org/adapters/qmckl_free.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Sees what a process frees, where this object comes before the C library.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../api/plain_free.h"

// As the C library declares them: that of GNU promises it, and musl does not.
constexpr bool never_throws = noexcept(std::free(nullptr));

extern "C" {
CADASTRE_API void free(void* pointer) noexcept(never_throws);
CADASTRE_API void free_sized(void* pointer, std::size_t size) noexcept(never_throws);
CADASTRE_API void free_aligned_sized(void* pointer, std::size_t alignment, std::size_t size) noexcept(never_throws);
CADASTRE_API void* realloc(void* pointer, std::size_t size) noexcept(never_throws);
CADASTRE_API void* reallocarray(void* pointer, std::size_t count, std::size_t size) noexcept(never_throws);
CADASTRE_API std::size_t malloc_usable_size(void* pointer) noexcept(never_throws);
}

namespace {

template <class Function>
class Next {
 public:
  explicit constexpr Next(const char* name) noexcept : name_(name) {}
  Function* known() const noexcept { return function_.load(std::memory_order_relaxed); }
  Function* find() noexcept {
    auto* const function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
    function_.store(function, std::memory_order_relaxed);
    return function;
  }

 private:
  const char* const name_;
  std::atomic<Function*> function_ = nullptr;
};

constinit Next<void(void*)> next_free("free");
constinit Next<void*(void*, std::size_t)> next_realloc("realloc");
constinit Next<std::size_t(void*)> next_usable_size("malloc_usable_size");
constinit std::atomic<pthread_t> looking{};  // the thread that looks for them

// False for who is called by the loader meanwhile.
[[gnu::cold, gnu::noinline]] bool find_next() noexcept {
  const pthread_t self = pthread_self();
  if (looking.load(std::memory_order_relaxed) == self) return false;
  looking.store(self, std::memory_order_relaxed);
  if (next_realloc.find() && next_free.find()) cadastre_plain_next(next_free.known(), next_realloc.known());
  next_usable_size.find();
  looking.store({}, std::memory_order_relaxed);
  return next_free.known() != nullptr;
}

[[gnu::constructor]] void find_next_at_start() noexcept {
  if (!next_free.known()) find_next();
}

void* call_next_realloc(void* pointer, std::size_t size) noexcept {
  if (next_realloc.known() || find_next()) return next_realloc.known()(pointer, size);
  errno = ENOMEM;
  return nullptr;
}

// outcome: what the library has made of a pointer.
[[gnu::cold, gnu::noinline]] void say_if_refused(int outcome, const char* function, const void* pointer) noexcept {
  if (outcome != CADASTRE_PLAIN_REFUSED) return;
  const int before = errno;
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_plain_error(&error);
  const char* const name_ends = std::strstr(error.message, ": ");
  char line[1024];
  const int length = std::snprintf(line, sizeof line, "libcadastre_qmckl: %s(%p) is refused: %s\n", function, pointer,
                                   name_ends ? name_ends + 2 : error.message);
  if (length > 0 && write(STDERR_FILENO, line, std::min(static_cast<std::size_t>(length), sizeof line - 1)) < 0) {
    // There is no standard error.
  }
  errno = before;
}

}  // namespace

void free(void* pointer) noexcept(never_throws) {
  if (const int outcome = cadastre_plain_free(pointer)) [[unlikely]]
    return say_if_refused(outcome, "free", pointer);
  if (!next_free.known() && !find_next()) [[unlikely]]
    return;
  next_free.known()(pointer);
}

// What they are told besides may be ignored, and older C libraries have no function that takes it.
void free_sized(void* pointer, std::size_t) noexcept(never_throws) { free(pointer); }
void free_aligned_sized(void* pointer, std::size_t, std::size_t) noexcept(never_throws) { free(pointer); }

void* realloc(void* pointer, std::size_t size) noexcept(never_throws) {
  std::size_t before = 0;
  const int outcome = cadastre_plain_size(pointer, &before);
  if (outcome == CADASTRE_PLAIN_PASS_ON) [[likely]]
    return call_next_realloc(pointer, size);
  if (outcome != CADASTRE_PLAIN_DONE) {
    say_if_refused(outcome, "realloc", pointer);
    errno = EINVAL;
    return nullptr;
  }
  void* const moved = size > 0 ? call_next_realloc(nullptr, size) : nullptr;
  if (size > 0 && !moved) return nullptr;
  if (moved) std::memcpy(moved, pointer, std::min(size, before));
  say_if_refused(cadastre_plain_free(pointer), "realloc", pointer);
  return moved;
}

void* reallocarray(void* pointer, std::size_t count, std::size_t size) noexcept(never_throws) {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(pointer, bytes);
  errno = ENOMEM;
  return nullptr;
}

std::size_t malloc_usable_size(void* pointer) noexcept(never_throws) {
  std::size_t size = 0;
  if (cadastre_plain_size(pointer, &size) != CADASTRE_PLAIN_PASS_ON) [[unlikely]]
    return size;
  if (!next_usable_size.known() && !find_next()) [[unlikely]]
    return 0;
  return next_usable_size.known() ? next_usable_size.known()(pointer) : 0;
}
