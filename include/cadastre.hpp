// Tangled from org/api/cxx.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Cadastre for C++17 and later: contexts, blocks and leases that clean up after themselves, memory for standard
/// containers, exceptions.
///
/// Functions throw cadastre::error unless they are noexcept or their description says otherwise. The error holds the
/// exit code of the C function that was called; the description of that function says when it fails and why. The
/// overloads with std::nothrow as the first argument return the exit code, or an object that is false, instead.
/// Destructors never throw: a failure in a destructor is the calling thread's last error. What a destructor cannot free
/// stays in its context, and is freed with it.
///
/// Libraries of one program may be compiled with different versions of this header. Everything except category() is in
/// an inline namespace for this: objects of these classes can be passed between libraries whose versions have the same
/// structs, and otherwise do not link. Handles, pointers and exit codes can always be passed. Do not declare these
/// classes; include the header.
///
/// Threads: several threads may use a context at the same time, and also const context objects and views of it. Any
/// other object is used by one thread at a time.
///
/// Functions that have no wrapper here are called in C, with handle() as the context.
///
/// SPDX-License-Identifier: BSD-3-Clause
#ifndef CADASTRE_HPP
#define CADASTRE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<memory_resource>)
#include <memory_resource>
#endif
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif

// The constants of cadastre.h are casts in C, which a program may have warnings about.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#include "cadastre.h"

/// @cond
// The inline functions below return and hold structs, some of which grow in later versions. Two libraries of one
// program must not share functions that disagree on that: the namespace has the sum of the sizes in its name. See the
// end of this file. When a member of a class below gets another meaning and keeps its size, write another word for
// sizes_.
#define CADASTRE_HPP_SIZES 2736

// Nor must they share what is compiled without exceptions or without run-time types.
#define CADASTRE_HPP_JOIN_(sizes, exceptions, types) sizes_##sizes##exceptions##types
#define CADASTRE_HPP_JOIN(sizes, exceptions, types) CADASTRE_HPP_JOIN_(sizes, exceptions, types)
#if defined(__cpp_exceptions) && (defined(__cpp_rtti) || defined(__GXX_RTTI))
#define CADASTRE_HPP_NAMESPACE CADASTRE_HPP_JOIN(CADASTRE_HPP_SIZES, , )
#elif defined(__cpp_exceptions)
#define CADASTRE_HPP_NAMESPACE CADASTRE_HPP_JOIN(CADASTRE_HPP_SIZES, , _no_rtti)
#elif defined(__cpp_rtti) || defined(__GXX_RTTI)
#define CADASTRE_HPP_NAMESPACE CADASTRE_HPP_JOIN(CADASTRE_HPP_SIZES, _no_exceptions, )
#else
#define CADASTRE_HPP_NAMESPACE CADASTRE_HPP_JOIN(CADASTRE_HPP_SIZES, _no_exceptions, _no_rtti)
#endif
/// @endcond

namespace cadastre {

/// The category of error codes whose values are exit codes. Compared with std::errc, INVALID_ARG_1 to _20,
/// INVALID_CONTEXT and OUT_OF_BOUNDS are invalid_argument; ALLOCATION_FAILED and LIMIT_EXCEEDED not_enough_memory;
/// NOT_SUPPORTED not_supported; CAPTURE_ACTIVE and LEASE_ALIVE device_or_resource_busy; LEASE_OUT_OF_ORDER and
/// SIZE_QUERY_MISMATCH operation_not_permitted.
///
/// The object lives as long as the process, and is the same in all libraries. Any thread may call this function.
CADASTRE_API inline const std::error_category& category() noexcept {
  class exit_codes final : public std::error_category {
   public:
    const char* name() const noexcept override { return "cadastre"; }
    std::string message(int code) const override { return cadastre_string_of_error(code); }
    std::error_condition default_error_condition(int code) const noexcept override {
      if (code == CADASTRE_SUCCESS) return std::error_condition();
      if (code >= CADASTRE_INVALID_ARG_1 && code <= CADASTRE_INVALID_ARG_20) return std::errc::invalid_argument;
      switch (code) {
        case CADASTRE_INVALID_CONTEXT:
        case CADASTRE_OUT_OF_BOUNDS: return std::errc::invalid_argument;
        case CADASTRE_ALLOCATION_FAILED:
        case CADASTRE_LIMIT_EXCEEDED: return std::errc::not_enough_memory;
        case CADASTRE_NOT_SUPPORTED: return std::errc::not_supported;
        case CADASTRE_CAPTURE_ACTIVE:
        case CADASTRE_LEASE_ALIVE: return std::errc::device_or_resource_busy;
        case CADASTRE_LEASE_OUT_OF_ORDER:
        case CADASTRE_SIZE_QUERY_MISMATCH: return std::errc::operation_not_permitted;
        default: return std::error_condition(code, *this);
      }
    }
  };
  alignas(exit_codes) static unsigned char place[sizeof(exit_codes)];
  static const exit_codes* const only = ::new (static_cast<void*>(place)) exit_codes;
  return *only;
}

inline namespace CADASTRE_HPP_NAMESPACE {

/// The details of a failure: the base of error and bad_alloc, by which either can be caught.
class CADASTRE_API failure {
 public:
  /// What cadastre_last_error wrote when the exception was thrown: exit_code, reason, requested, in_use, limit,
  /// message...
  const cadastre_error_struct& details() const noexcept { return details_; }
  cadastre_exit_code exit_code() const noexcept { return details_.exit_code; }
  cadastre_reason reason() const noexcept { return details_.reason; }

 protected:
  explicit failure(const cadastre_error_struct& details) noexcept : details_(details) {}
  failure(const failure&) = default;
  failure& operator=(const failure&) = default;
  ~failure() = default;

 private:
  cadastre_error_struct details_ = cadastre_error_struct_zero;
};

/// What functions throw. code() is the exit code in category(); what() is the message, which lives as long as the
/// object.
class CADASTRE_API error : public std::system_error, public failure {
 public:
  /// Throws std::bad_alloc.
  explicit error(const cadastre_error_struct& details)
      : std::system_error(std::error_code(details.exit_code, category())), failure(details) {}
  const char* what() const noexcept override { return details().message; }
};

/// What allocator and memory_resource throw when they cannot allocate: the same contents, for handlers of
/// std::bad_alloc. It is not derived from error, because a class with two std::exception bases is not caught as a
/// std::exception.
class CADASTRE_API bad_alloc : public std::bad_alloc, public failure {
 public:
  explicit bad_alloc(const cadastre_error_struct& details) noexcept : failure(details) {}
  std::error_code code() const noexcept { return std::error_code(exit_code(), category()); }
  const char* what() const noexcept override { return details().message; }
};

namespace detail {

inline void put(char* to, std::size_t room, const char* from) noexcept {
  std::size_t i = 0;
  for (; i + 1 < room && from[i] != '\0'; ++i) to[i] = from[i];
  to[i] = '\0';
}

// A failure that this header finds itself.
inline cadastre_error_struct found(cadastre_exit_code code, cadastre_reason reason, const char* function, const char* message) noexcept {
  cadastre_error_struct details = cadastre_error_struct_zero;
  details.exit_code = code;
  details.reason = reason;
  details.type = details.backend = details.device_id = -1;
  put(details.function, sizeof details.function, function);
  put(details.message, sizeof details.message, message);
  return details;
}

inline cadastre_error_struct last(cadastre_context context) noexcept {
  cadastre_error_struct details = cadastre_error_struct_zero;
  (void)cadastre_last_error(context, &details);
  return details;
}

// The failure whose exit code was just returned.
inline cadastre_error_struct last(cadastre_context context, cadastre_exit_code code) noexcept {
  const cadastre_error_struct details = last(context);
  if (details.exit_code == code) return details;
  return found(code, CADASTRE_REASON_NONE, "", cadastre_string_of_error(code));
}

// Whether what a call was to free, remove or destroy is still there: only these exit codes say that it is not.
inline bool still_there(cadastre_context context, cadastre_exit_code code) noexcept {
  switch (code) {
    case CADASTRE_SUCCESS:
    case CADASTRE_DEALLOCATION_FAILED:
    case CADASTRE_INVALID_CONTEXT: return false;
    case CADASTRE_INVALID_ARG_2: {
      const cadastre_reason reason = last(context, code).reason;
      return reason == CADASTRE_REASON_WORKSPACE_MEMORY || reason == CADASTRE_REASON_INVALID_STRUCT_SIZE;
    }
    default: return true;
  }
}

template <class Exception>
[[noreturn]] void raise(const cadastre_error_struct& details) {
#if defined(__cpp_exceptions)
  throw Exception(details);
#else
  (void)details;
  std::terminate();
#endif
}

inline void check(cadastre_context context, cadastre_exit_code code) {
  if (code != CADASTRE_SUCCESS) raise<error>(last(context, code));
}

}  // namespace detail

/// A number of elements, in place of a size in bytes: acquire(elements<double>(m * n)). The lease then has pointers
/// to T.
template <class T>
class elements {
 public:
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>,
                "elements must be of a trivially copyable type");
  constexpr explicit elements(std::size_t count) noexcept : count_(count) {}
  constexpr std::size_t count() const noexcept { return count_; }
  /// count * sizeof(T), or SIZE_MAX if the product overflows; every function rejects SIZE_MAX.
  constexpr std::size_t bytes() const noexcept { return count_ > SIZE_MAX / sizeof(T) ? SIZE_MAX : count_ * sizeof(T); }

 private:
  std::size_t count_;
};

namespace detail {

template <class Size>
struct leased {};
template <class T>
struct leased<elements<T>> {
  static_assert(alignof(T) <= 64, "buffers of a workspace are aligned to 64 bytes");
  using type = T;
  static constexpr std::size_t bytes(const elements<T>& size) noexcept { return size.bytes(); }
};
template <class Integer>
struct leased_bytes {
  using type = void;
  static constexpr std::size_t bytes(Integer size) noexcept {
    const std::size_t bytes = static_cast<std::size_t>(size);
    return static_cast<Integer>(bytes) == size ? bytes : SIZE_MAX;
  }
};
// Elements that a pointer to T points at; bytes, if T is void.
template <class T>
constexpr std::size_t bytes_of(std::size_t count) noexcept {
  if constexpr (std::is_void_v<T>) {
    return count;
  } else {
    return elements<T>(count).bytes();
  }
}

template <class Size>
using leased_as = std::conditional_t<std::is_integral_v<Size> && !std::is_same_v<Size, bool>, leased_bytes<Size>, leased<Size>>;

}  // namespace detail

/// The properties of a block except its size; see cadastre_memory_info_struct. The functions that allocate copy the
/// label. memory_resource and allocator store its address, so it must live as long as they do.
struct request {
  cadastre_memory_type type = CADASTRE_HOST;
  std::int32_t device = CADASTRE_DEFAULT_DEVICE;
  std::size_t alignment = 0;
  cadastre_flags flags = 0;
  cadastre_backend backend = CADASTRE_DEFAULT_BACKEND;
  const char* label = nullptr;
};

namespace detail {

inline request of_type(cadastre_memory_type type) noexcept {
  request r;
  r.type = type;
  return r;
}

inline bool host_sees(cadastre_memory_type type) noexcept { return type != CADASTRE_DEVICE; }

// An alignment that is sufficient for the elements as well. A value that is not a power of two is passed on, and the
// library rejects it.
inline std::size_t aligned(std::size_t requested, std::size_t needed) noexcept {
  if (requested == 0) return needed > alignof(std::max_align_t) ? needed : 0;
  return (requested & (requested - 1)) == 0 && requested < needed ? needed : requested;
}

inline cadastre_memory_info_struct info_of(const request& what, std::size_t size, std::size_t alignment) noexcept {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  info.type = what.type;
  info.device = what.device;
  info.alignment = aligned(what.alignment, alignment);
  info.flags = what.flags;
  info.backend = what.backend;
  info.label = what.label;
  return info;
}

}  // namespace detail

template <class T>
class block;
class wrapped;
template <class... T>
class lease;

/// What find_block returns: the description of a block, and the offset of the address in it. It is false if there is no
/// block.
struct found_block {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  std::size_t offset = 0;
  explicit operator bool() const noexcept { return info.pointer != nullptr; }
};

/// A view of a context that another object owns: a handle and the operations on it. A copy is a view of the same
/// context. A view may outlive its context; all its operations then fail with INVALID_CONTEXT.
class context_view {
 public:
  /// A view of no context, or of the context with this handle. The handle is not checked.
  constexpr context_view() noexcept = default;
  constexpr explicit context_view(cadastre_context handle) noexcept : handle_(handle) {}

  /// The handle, for the C functions; CADASTRE_NULL_CONTEXT if there is none.
  constexpr cadastre_context handle() const noexcept { return handle_; }
  /// Whether there is a handle. alive(): whether it is the handle of a context that exists.
  constexpr explicit operator bool() const noexcept { return handle_ != CADASTRE_NULL_CONTEXT; }
  bool alive() const noexcept { return cadastre_context_check(handle_) != CADASTRE_NULL_CONTEXT; }
  /// Whether both are views of the same context.
  friend constexpr bool operator==(const context_view& a, const context_view& b) noexcept { return a.handle_ == b.handle_; }
  friend constexpr bool operator!=(const context_view& a, const context_view& b) noexcept { return a.handle_ != b.handle_; }

  /// Why the calling thread's last failing call on this context failed; see cadastre_last_error.
  cadastre_error_struct last_error() const noexcept { return detail::last(handle_); }

  /// cadastre_lock and cadastre_unlock, for std::lock_guard and std::unique_lock: while the context is locked, calls of
  /// other threads on it wait. There is no try_lock. unlock() of a context that is not locked does nothing, and the
  /// last error says so.
  void lock() const { detail::check(handle_, cadastre_lock(handle_)); }
  void unlock() const noexcept { (void)cadastre_unlock(handle_); }

  /// Allocates count elements, as cadastre_malloc does: zero, unless flags has CADASTRE_UNINITIALIZED. No constructor
  /// runs. The alignment is at least that of T. With std::nothrow, a failure returns a block that is false, and
  /// last_error() says why.
  template <class T>
  [[nodiscard]] block<T> allocate(std::size_t count, const request& what = {}) const;
  template <class T>
  [[nodiscard]] block<T> allocate(std::size_t count, cadastre_memory_type type) const;
  template <class T>
  [[nodiscard]] block<T> allocate(const std::nothrow_t&, std::size_t count, const request& what = {}) const noexcept;
  template <class T>
  [[nodiscard]] block<T> allocate(const std::nothrow_t&, std::size_t count, cadastre_memory_type type) const noexcept;

  /// The same in the order of a queue, as cadastre_malloc_async does. The block is freed by cadastre_free_async on this
  /// queue, which must live as long as the block.
  template <class T>
  [[nodiscard]] block<T> allocate_async(cadastre_queue queue, std::size_t count, const request& what = {}) const;
  template <class T>
  [[nodiscard]] block<T> allocate_async(cadastre_queue queue, std::size_t count, cadastre_memory_type type) const;
  template <class T>
  [[nodiscard]] block<T> allocate_async(const std::nothrow_t&, cadastre_queue queue, std::size_t count,
                                        const request& what = {}) const noexcept;
  template <class T>
  [[nodiscard]] block<T> allocate_async(const std::nothrow_t&, cadastre_queue queue, std::size_t count,
                                        cadastre_memory_type type) const noexcept;

  /// Takes ownership of a block of this context that cadastre_malloc or release() returned. Its size is the recorded
  /// one, in whole elements. With a queue, the block is freed by cadastre_free_async on this queue, like one from
  /// allocate_async; without, by cadastre_free. Throws INVALID_ARG_2 for any address that cadastre_free would reject.
  ///
  /// The address must have no other owner, which is not checked: of two blocks with one address each frees it, and the
  /// second one then frees what has been allocated there since.
  template <class T>
  [[nodiscard]] block<T> adopt(T* pointer) const;
  template <class T>
  [[nodiscard]] block<T> adopt(T* pointer, cadastre_queue queue) const;

  /// Records memory of another owner, as cadastre_wrap does, until the result ends: count elements (bytes, if the
  /// pointer is to void). what describes the memory. With std::nothrow, a failure returns an object that is false, and
  /// last_error() says why.
  template <class T>
  [[nodiscard]] wrapped wrap(T* pointer, std::size_t count, const request& what = {}) const;
  template <class T>
  [[nodiscard]] wrapped wrap(T* pointer, std::size_t count, cadastre_memory_type type) const;
  template <class T>
  [[nodiscard]] wrapped wrap(const std::nothrow_t&, T* pointer, std::size_t count, const request& what = {}) const noexcept;
  template <class T>
  [[nodiscard]] wrapped wrap(const std::nothrow_t&, T* pointer, std::size_t count, cadastre_memory_type type) const noexcept;

  /// Copies count elements, as cadastre_memcpy does, and checks the bounds. Each of to and from is a pointer, a block,
  /// a lease of one buffer, or what has data() and size(): std::vector, std::array, std::span, an array. Both have the
  /// same element type; void stands for the type of the other, and if both are void, count is in bytes. Without count:
  /// as many elements as from has, or, if from is a pointer or a lease, as many as to has.
  ///
  /// A container that has fewer elements than count is OUT_OF_BOUNDS, which the exception reports, and last_error()
  /// does not. What a pointer or a lease points at is as long as the caller says.
  ///
  /// copy_async enqueues the copy on a queue and may return before it is done: both memory ranges must remain valid
  /// until synchronize returns.
  template <class To, class From>
  void copy(To&& to, const From& from, std::size_t count) const;
  template <class To, class From>
  void copy(To&& to, const From& from) const;
  template <class To, class From>
  cadastre_exit_code copy(const std::nothrow_t&, To&& to, const From& from, std::size_t count) const noexcept;
  template <class To, class From>
  cadastre_exit_code copy(const std::nothrow_t&, To&& to, const From& from) const noexcept;
  template <class To, class From>
  void copy_async(cadastre_queue queue, To&& to, const From& from, std::size_t count) const;
  template <class To, class From>
  void copy_async(cadastre_queue queue, To&& to, const From& from) const;
  template <class To, class From>
  cadastre_exit_code copy_async(const std::nothrow_t&, cadastre_queue queue, To&& to, const From& from, std::size_t count) const noexcept;
  template <class To, class From>
  cadastre_exit_code copy_async(const std::nothrow_t&, cadastre_queue queue, To&& to, const From& from) const noexcept;

  /// Sets every byte of count elements (count bytes, if the pointer is to void) to the low 8 bits of value, as
  /// cadastre_memset does; to is as for copy. Without count: every byte of a block or a container.
  template <class To>
  void set(To&& to, int value, std::size_t count) const;
  template <class To>
  void set(To&& to, int value) const;
  template <class To>
  cadastre_exit_code set(const std::nothrow_t&, To&& to, int value, std::size_t count) const noexcept;
  template <class To>
  cadastre_exit_code set(const std::nothrow_t&, To&& to, int value) const noexcept;
  template <class To>
  void set_async(cadastre_queue queue, To&& to, int value, std::size_t count) const;
  template <class To>
  void set_async(cadastre_queue queue, To&& to, int value) const;
  template <class To>
  cadastre_exit_code set_async(const std::nothrow_t&, cadastre_queue queue, To&& to, int value, std::size_t count) const noexcept;
  template <class To>
  cadastre_exit_code set_async(const std::nothrow_t&, cadastre_queue queue, To&& to, int value) const noexcept;

  /// Hints about count elements of UVM memory (count bytes, if the pointer is to void); see cadastre_prefetch and
  /// cadastre_advise. The result: whether the hint was applied. A hint that cannot be applied is ignored. A block has
  /// the same for all its elements.
  template <class T>
  bool prefetch(const T* pointer, std::size_t count, std::int32_t device, cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) const;
  template <class T>
  bool advise(const T* pointer, std::size_t count, cadastre_advice advice, std::int32_t device = CADASTRE_DEFAULT_DEVICE) const;

  /// The queue that CADASTRE_DEFAULT_QUEUE means; see cadastre_context_set_default_queue.
  [[nodiscard]] cadastre_queue default_queue() const {
    cadastre_queue queue = CADASTRE_DEFAULT_QUEUE;
    detail::check(handle_, cadastre_context_get_default_queue(handle_, &queue));
    return queue;
  }
  void set_default_queue(cadastre_queue queue) const { detail::check(handle_, cadastre_context_set_default_queue(handle_, queue)); }

  /// Waits until all work enqueued on a queue is done; see cadastre_synchronize.
  void synchronize(cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) const { detail::check(handle_, cadastre_synchronize(handle_, queue)); }
  cadastre_exit_code synchronize(const std::nothrow_t&, cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) const noexcept {
    return cadastre_synchronize(handle_, queue);
  }

  /// Acquires one buffer of HOST memory for each size, until the lease ends; see cadastre_workspace_acquire. For other
  /// memory types there is acquire_on_queue. A size is a number of bytes or elements<T>(count). A buffer of size 0 is a null
  /// pointer, and the lease is true all the same. With std::nothrow, a failure returns a lease that is false, and its
  /// exit_code() says why.
  template <class... Size>
  [[nodiscard]] lease<typename detail::leased_as<Size>::type...> acquire(Size... sizes) const;
  template <class... Size>
  [[nodiscard]] lease<typename detail::leased_as<Size>::type...> acquire(const std::nothrow_t&, Size... sizes) const noexcept;

  /// The same for a memory type, on a queue; see cadastre_workspace_acquire_on_queue.
  template <class... Size>
  [[nodiscard]] lease<typename detail::leased_as<Size>::type...> acquire_on_queue(cadastre_memory_type type, cadastre_queue queue,
                                                                                  Size... sizes) const;
  template <class... Size>
  [[nodiscard]] lease<typename detail::leased_as<Size>::type...> acquire_on_queue(const std::nothrow_t&, cadastre_memory_type type,
                                                                                  cadastre_queue queue, Size... sizes) const noexcept;

  /// Whether the calling thread is in a size query, in which a function only reports how much workspace it needs.
  /// workspace_set_optimal_size reports the sizes that the function would hold at the same time, none for a function
  /// that acquires nothing; the function returns its result: SIZE_INCREASED, SIZE_UNCHANGED, or the exit code of a
  /// failure.
  bool workspace_is_size_query() const noexcept { return cadastre_workspace_is_size_query(handle_) != 0; }
  template <class... Size>
  [[nodiscard]] cadastre_exit_code workspace_set_optimal_size(Size... sizes) const noexcept;

  /// How many bytes of workspace the functions that ask() calls need: the argument for workspace_set_size, for the
  /// memory type that they acquire. Exceptions that ask() throws pass through. If ask() returns an exit code other than
  /// SUCCESS, SIZE_INCREASED and SIZE_UNCHANGED, it is thrown as an error.
  template <class Ask>
  [[nodiscard]] std::size_t workspace_query_size(Ask&& ask) const;

  /// See cadastre_workspace_set_size; bytes may be a scheme, as CADASTRE_WORKSPACE_AUTOMATIC, or 0 for the default.
  void workspace_set_size(cadastre_memory_type type, std::size_t bytes) const {
    detail::check(handle_, cadastre_workspace_set_size(handle_, type, bytes));
  }

  /// See cadastre_workspace_set_buffer. (nullptr, 0) releases the buffer; do so before it is freed. A block in use as a
  /// workspace cannot be freed, and its destructor leaves it to the context.
  void workspace_set_buffer(cadastre_memory_type type, void* buffer, std::size_t bytes) const {
    detail::check(handle_, cadastre_workspace_set_buffer(handle_, type, buffer, bytes));
  }

  /// Releases what captures of a queue have, when no graph uses it any more; see cadastre_workspace_release_captured.
  void workspace_release_captured(cadastre_memory_type type, cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) const {
    detail::check(handle_, cadastre_workspace_release_captured(handle_, type, queue));
  }

  /// The record of the block that begins at this address; see cadastre_get_malloc_info.
  [[nodiscard]] cadastre_memory_info_struct info(const void* pointer) const {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    detail::check(handle_, cadastre_get_malloc_info(handle_, pointer, &info));
    return info;
  }

  /// The block in which an address lies; see cadastre_find_block. With std::nothrow, the result is false if there is
  /// none.
  [[nodiscard]] found_block find_block(const void* address) const {
    found_block found;
    detail::check(handle_, cadastre_find_block(handle_, address, &found.info, &found.offset));
    return found;
  }
  [[nodiscard]] found_block find_block(const std::nothrow_t&, const void* address) const noexcept {
    found_block found;
    (void)cadastre_find_block(handle_, address, &found.info, &found.offset);
    return found;
  }

  /// The records of all blocks, owned or borrowed, at one moment; see cadastre_foreach_block. Where the host has no
  /// memory for the result, this throws ALLOCATION_FAILED.
  [[nodiscard]] std::vector<cadastre_memory_info_struct> blocks() const {
    using records = std::vector<cadastre_memory_info_struct>;
    records all;
    const cadastre_foreach_block_function keep = [](const cadastre_memory_info_struct* info, void* to) {
      static_cast<records*>(to)->push_back(*info);
      return CADASTRE_SUCCESS;
    };
    detail::check(handle_, cadastre_foreach_block(handle_, keep, &all));
    return all;
  }

  /// The bytes that a block takes up in its memory; see cadastre_get_allocated_size.
  [[nodiscard]] std::size_t allocated_size(const void* pointer) const {
    std::size_t size = 0;
    detail::check(handle_, cadastre_get_allocated_size(handle_, pointer, &size));
    return size;
  }

  /// The statistics of one memory type, in all or on one device; see cadastre_get_statistics and
  /// cadastre_get_device_statistics.
  [[nodiscard]] cadastre_statistics_struct statistics(cadastre_memory_type type) const {
    cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
    detail::check(handle_, cadastre_get_statistics(handle_, type, &statistics));
    return statistics;
  }
  [[nodiscard]] cadastre_statistics_struct device_statistics(cadastre_memory_type type, std::int32_t device_id) const {
    cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
    detail::check(handle_, cadastre_get_device_statistics(handle_, type, device_id, &statistics));
    return statistics;
  }

  /// How large the registry is; see cadastre_get_registry_info.
  [[nodiscard]] cadastre_registry_info_struct registry_info() const {
    cadastre_registry_info_struct info = cadastre_registry_info_struct_zero;
    detail::check(handle_, cadastre_get_registry_info(handle_, &info));
    return info;
  }

  /// Whether HOST blocks may be freed by free(); see cadastre_context_set_plain_free.
  void set_plain_free(bool on) { detail::check(handle_, cadastre_context_set_plain_free(handle_, on)); }

  /// The pools of one memory type; see cadastre_pool_get_info. pool_trim releases their cached memory to the backend;
  /// see cadastre_pool_trim.
  [[nodiscard]] cadastre_pool_info_struct pool_info(cadastre_memory_type type) const {
    cadastre_pool_info_struct pool = cadastre_pool_info_struct_zero;
    detail::check(handle_, cadastre_pool_get_info(handle_, type, &pool));
    return pool;
  }
  void pool_trim(cadastre_memory_type type, std::size_t min_bytes_to_keep = 0) const {
    detail::check(handle_, cadastre_pool_trim(handle_, type, min_bytes_to_keep));
  }

  /// Shares blocks with other processes; see cadastre_ipc_export, cadastre_ipc_import and cadastre_ipc_close. What is imported
  /// has to be closed, or is so with the context.
  [[nodiscard]] cadastre_ipc_handle_struct ipc_export(const void* pointer) const {
    cadastre_ipc_handle_struct exported{};
    detail::check(handle_, cadastre_ipc_export(handle_, pointer, &exported));
    return exported;
  }
  [[nodiscard]] void* ipc_import(const cadastre_ipc_handle_struct& exported) const {
    void* pointer = nullptr;
    detail::check(handle_, cadastre_ipc_import(handle_, &exported, &pointer));
    return pointer;
  }
  void ipc_close(const void* pointer) const { detail::check(handle_, cadastre_ipc_close(handle_, pointer)); }

  /// The workspace of one memory type, by default the context's default workspace type; see
  /// cadastre_workspace_get_info. The result's type is the memory type of the workspace.
  [[nodiscard]] cadastre_workspace_info_struct workspace_info(cadastre_memory_type type = CADASTRE_DEFAULT_WORKSPACE_TYPE) const {
    cadastre_workspace_info_struct workspace = cadastre_workspace_info_struct_zero;
    detail::check(handle_, cadastre_workspace_get_info(handle_, type, &workspace));
    return workspace;
  }

  /// Throws cadastre::error unless code is SUCCESS: the exit code of a C function that the calling thread has just
  /// called on this context.
  void check(cadastre_exit_code code) const { detail::check(handle_, code); }

  /// Sets the maximum bytes that blocks of one memory type, or of all (CADASTRE_ALL_MEMORY_TYPES), may hold together; see cadastre_set_limit.
  void set_limit(cadastre_memory_type type, std::size_t bytes) const { detail::check(handle_, cadastre_set_limit(handle_, type, bytes)); }

  /// Sets what is called before a request is refused because there is no memory; see cadastre_set_out_of_memory_function.
  /// The object is called with a const cadastre_out_of_memory_struct&, by several threads at the same time, and returns
  /// whether the request is to be tried again. It is not copied, and has to live until another is set, or nullptr for none.
  template <class Function>
  void set_out_of_memory_function(Function& function) const {
    const cadastre_out_of_memory_function call = [](const cadastre_out_of_memory_struct* request, void* object) -> int {
      return (*static_cast<Function*>(object))(*request) ? 1 : 0;
    };
    void* const object = const_cast<void*>(static_cast<const void*>(std::addressof(function)));
    detail::check(handle_, cadastre_set_out_of_memory_function(handle_, call, object));
  }
  void set_out_of_memory_function(std::nullptr_t) const {
    detail::check(handle_, cadastre_set_out_of_memory_function(handle_, nullptr, nullptr));
  }

 protected:
  cadastre_context handle_ = CADASTRE_NULL_CONTEXT;
};

class context;

namespace detail {

class parent {
 public:
  constexpr parent(cadastre_context handle) noexcept : handle_(handle) {}
  constexpr parent(const context_view& context) noexcept : handle_(context.handle()) {}
  parent(const context&&) = delete;
  constexpr operator cadastre_context() const noexcept { return handle_; }

 private:
  cadastre_context handle_;
};

}  // namespace detail

/// The options of a new context; see cadastre_context_options_struct.
struct options {
  cadastre_backend backend = CADASTRE_DEFAULT_BACKEND;
  std::int32_t device = CADASTRE_DEFAULT_DEVICE;
  cadastre_pool pool = CADASTRE_DEFAULT_POOL;
  /// For each memory type, and at CADASTRE_ALL_MEMORY_TYPES for all, the maximum bytes that its blocks may hold together; 0: the
  /// limit that the environment sets.
  std::array<std::size_t, CADASTRE_MAX_MEMORY_TYPES> limits = {};
  /// Whose limits count its memory as well: a context, a view or a handle, of a context that outlives it; by default
  /// the process.
  detail::parent parent = CADASTRE_PROCESS;
};

/// An owned context; the destructor destroys it. It can be moved, not copied; its blocks and leases stay valid. A
/// moved-from object has no context.
///
/// A context whose children are alive is not destroyed: the children end first, or destroy_with_children() is called.
/// If the destructor, or an assignment, comes to such a context, or to one with memory of a queue that is being
/// captured, the context stays alive with all its memory, without an owner. The last error of its handle says why, and
/// reports list it; own() takes it over.
class context : public context_view {
 public:
  /// Creates a context, with the options that the environment sets or with these. With std::nothrow, the object has no
  /// context if that fails, and context_view().last_error() says why.
  context() : context(std::nothrow) { require(); }
  explicit context(const options& how) : context(std::nothrow, how) { require(); }
  explicit context(const std::nothrow_t&) noexcept : context_view(cadastre_context_create()) {}
  context(const std::nothrow_t&, const options& how) noexcept : context_view(create(how)) {}

  /// Takes ownership of a context that was created in C. Throws INVALID_CONTEXT if no context has this handle. To use a
  /// context without owning it, make a context_view of its handle.
  [[nodiscard]] static context own(cadastre_context handle) {
    cadastre_context_options_struct how = cadastre_context_options_struct_zero;
    detail::check(handle, cadastre_context_get_options(handle, &how));
    context owner(nothing{});
    owner.handle_ = handle;
    return owner;
  }

  context(context&& other) noexcept : context_view(other.release()) {}
  context& operator=(context&& other) noexcept {
    if (this != &other) {
      (void)destroy(std::nothrow);
      handle_ = other.release();
    }
    return *this;
  }
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() { (void)destroy(std::nothrow); }
  friend void swap(context& a, context& b) noexcept { std::swap(a.handle_, b.handle_); }

  /// Releases ownership: the caller destroys the context.
  [[nodiscard]] cadastre_context release() noexcept { return std::exchange(handle_, CADASTRE_NULL_CONTEXT); }

  /// Destroys the context, and returns what was still alive; see cadastre_context_destroy_with_summary. Throws FAILURE
  /// with the reason HAS_CHILDREN if it is the parent of others. destroy_with_children destroys them too, and the
  /// objects that own them have handles of destroyed contexts; see cadastre_context_destroy_with_children.
  ///
  /// A context that could not be destroyed stays in the object. DEALLOCATION_FAILED means that it is destroyed. Without
  /// a context this does nothing, and the summary is all 0.
  cadastre_destroy_summary_struct destroy() { return summarized(cadastre_context_destroy_with_summary); }
  cadastre_exit_code destroy(const std::nothrow_t&, cadastre_destroy_summary_struct* summary = nullptr) noexcept {
    return end(cadastre_context_destroy_with_summary, summary);
  }
  cadastre_destroy_summary_struct destroy_with_children() { return summarized(cadastre_context_destroy_with_children); }
  cadastre_exit_code destroy_with_children(const std::nothrow_t&, cadastre_destroy_summary_struct* summary = nullptr) noexcept {
    return end(cadastre_context_destroy_with_children, summary);
  }

 private:
  struct nothing {};
  using way = cadastre_exit_code (*)(cadastre_context, cadastre_destroy_summary_struct*);

  cadastre_exit_code end(way by, cadastre_destroy_summary_struct* summary) noexcept {
    if (summary != nullptr) *summary = cadastre_destroy_summary_struct_zero;
    if (handle_ == CADASTRE_NULL_CONTEXT) return CADASTRE_SUCCESS;
    const cadastre_exit_code code = by(handle_, summary);
    if (!detail::still_there(handle_, code)) handle_ = CADASTRE_NULL_CONTEXT;
    return code;
  }
  cadastre_destroy_summary_struct summarized(way by) {
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    const cadastre_context handle = handle_;
    detail::check(handle, end(by, &summary));
    return summary;
  }

  explicit context(nothing) noexcept {}

  static cadastre_context create(const options& how) noexcept {
    cadastre_context_options_struct o = cadastre_context_options_struct_zero;
    o.backend = how.backend;
    o.device = how.device;
    o.pool = how.pool;
    for (std::size_t type = 0; type < how.limits.size(); ++type) o.limits[type] = how.limits[type];
    o.parent = how.parent;
    return cadastre_context_create_with_options(&o);
  }

  void require() const {
    if (!*this) detail::raise<error>(detail::last(CADASTRE_NULL_CONTEXT));
  }
};

/// An owned block of elements; the destructor frees it. It can be moved, not copied. A block that is false has no
/// memory: it is default-constructed, moved-from, released, reset, or the result of an allocation that failed with
/// std::nothrow. After its context was destroyed, a block may only be destroyed, assigned to, or reset().
template <class T>
class [[nodiscard]] block {
  static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>, "blocks are of objects that can be written");
  static_assert(std::is_trivially_copyable_v<T>,
                "blocks are of trivially copyable types; for others use a container with cadastre::allocator");

 public:
  using element_type = T;
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = T*;
  using const_iterator = const T*;

  block() noexcept = default;
  block(block&& other) noexcept { swap(*this, other); }
  block& operator=(block&& other) noexcept {
    if (this != &other) {
      block old(std::move(*this));
      swap(*this, other);
    }
    return *this;
  }
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  /// Frees the memory: see cadastre_free, or cadastre_free_async for a block from allocate_async. Memory that cannot be
  /// freed now (see reset) stays in its context, and is freed with it; the same holds for what an assignment replaces.
  ~block() { (void)reset(); }
  friend void swap(block& a, block& b) noexcept {
    std::swap(a.context_, b.context_);
    std::swap(a.pointer_, b.pointer_);
    std::swap(a.size_, b.size_);
    std::swap(a.type_, b.type_);
    std::swap(a.queue_, b.queue_);
    std::swap(a.ordered_, b.ordered_);
  }

  /// Whether the block has memory, which may be of 0 elements; size: how many elements.
  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  std::size_t size() const noexcept { return size_; }
  std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  bool empty() const noexcept { return size_ == 0; }
  context_view context() const noexcept { return context_; }
  cadastre_memory_type type() const noexcept { return type_; }
  /// Whether the host can read and write the elements: true for every memory type except DEVICE.
  bool host_accessible() const noexcept { return detail::host_sees(type_); }
  /// The record of the block.
  [[nodiscard]] cadastre_memory_info_struct info() const { return context_.info(pointer_); }

  /// The address, for functions and kernels that take a pointer; for any memory type. The elements of a const block are
  /// const.
  T* get() & noexcept { return pointer_; }
  const T* get() const& noexcept { return pointer_; }
  const T* get() const&& = delete;

  /// The elements, as a contiguous range, from which std::span can be made. Throws NOT_SUPPORTED if the host cannot
  /// access them. What work on a queue writes is visible after synchronize.
  T* data() & { return seen(pointer_); }
  const T* data() const& { return seen<const T>(pointer_); }
  const T* data() const&& = delete;
  T* begin() & { return data(); }
  const T* begin() const& { return data(); }
  const T* begin() const&& = delete;
  T* end() & { return data() + size_; }
  const T* end() const& { return data() + size_; }
  const T* end() const&& = delete;
  /// One element. The index is not checked; host access is.
  T& operator[](std::size_t index) & { return data()[index]; }
  const T& operator[](std::size_t index) const& { return data()[index]; }
  const T& operator[](std::size_t index) const&& = delete;
  #if defined(__cpp_lib_span)
  std::span<T> span() & { return {data(), size_}; }
  std::span<const T> span() const& { return {data(), size_}; }
  std::span<const T> span() const&& = delete;
  #endif

  /// Hints about all elements; see context_view::prefetch and advise.
  bool prefetch(std::int32_t device, cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) const {
    return context_.prefetch(pointer_, size_, device, queue);
  }
  bool advise(cadastre_advice advice, std::int32_t device = CADASTRE_DEFAULT_DEVICE) const {
    return context_.advise(pointer_, size_, advice, device);
  }

  /// Changes the size, as cadastre_realloc does: the block may move; new elements are zero unless it was allocated with
  /// CADASTRE_UNINITIALIZED. If this fails, the block is unchanged.
  void resize(std::size_t count) { detail::check(context_.handle(), resize(std::nothrow, count)); }
  cadastre_exit_code resize(const std::nothrow_t&, std::size_t count) noexcept {
    void* const moved = cadastre_realloc(context_.handle(), pointer_, elements<T>(count).bytes());
    if (moved == nullptr) return detail::last(context_.handle()).exit_code;
    pointer_ = static_cast<T*>(moved);
    size_ = count;
    ordered_ = false;
    return CADASTRE_SUCCESS;
  }

  /// Releases ownership: the caller frees the block, or the context does when it is destroyed. Its queue is not known
  /// afterwards: pass it to adopt().
  [[nodiscard]] T* release() noexcept { return forget(); }

  /// Frees the memory and returns the exit code. The block is false afterwards, unless nothing was freed and the memory
  /// still exists: a queue is being captured, waiting for its queue failed, or it is in use as a workspace.
  cadastre_exit_code reset() noexcept {
    if (pointer_ == nullptr) return CADASTRE_SUCCESS;
    const cadastre_context handle = context_.handle();
    const cadastre_exit_code code = ordered_ ? cadastre_free_async(handle, pointer_, queue_) : cadastre_free(handle, pointer_);
    if (!detail::still_there(handle, code)) (void)forget();
    return code;
  }

 private:
  friend class context_view;
  block(context_view context, T* pointer, std::size_t size, cadastre_memory_type type) noexcept
      : context_(context), pointer_(pointer), size_(size), type_(type) {}

  template <class U>
  U* seen(U* pointer) const {
    if (!host_accessible()) {
      detail::raise<error>(detail::found(CADASTRE_NOT_SUPPORTED, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, "cadastre::block::data",
                                         "the host cannot access elements in DEVICE memory; copy them to a block of "
                                         "HOST, PINNED or UVM memory, or pass their address, get(), to the device"));
    }
    return pointer;
  }

  T* forget() noexcept {
    T* const pointer = pointer_;
    context_ = context_view();
    pointer_ = nullptr;
    size_ = 0;
    ordered_ = false;
    return pointer;
  }

  context_view context_;
  T* pointer_ = nullptr;
  std::size_t size_ = 0;
  cadastre_memory_type type_ = CADASTRE_HOST;
  cadastre_queue queue_ = CADASTRE_DEFAULT_QUEUE;
  bool ordered_ = false;  // freed in the order of queue_
};

/// The record of memory that another owner frees, made by wrap(); the destructor removes it, and leaves the memory
/// alone. It can be moved, not copied. It ends before the owner frees the memory. An object that is false has no
/// record.
class [[nodiscard]] wrapped {
 public:
  wrapped() noexcept = default;
  wrapped(wrapped&& other) noexcept : context_(other.context_), pointer_(other.release()) {}
  wrapped& operator=(wrapped&& other) noexcept {
    if (this != &other) {
      (void)reset();
      context_ = other.context_;
      pointer_ = other.release();
    }
    return *this;
  }
  wrapped(const wrapped&) = delete;
  wrapped& operator=(const wrapped&) = delete;
  ~wrapped() { (void)reset(); }

  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  context_view context() const noexcept { return context_; }
  const void* pointer() const noexcept { return pointer_; }
  [[nodiscard]] cadastre_memory_info_struct info() const { return context_.info(pointer_); }

  /// Releases ownership: the record stays until cadastre_unwrap, or until the context is destroyed.
  const void* release() noexcept { return std::exchange(pointer_, nullptr); }

  /// Removes the record and returns the exit code; see cadastre_unwrap. The object is false afterwards, unless the
  /// record still exists because the memory is in use as a workspace.
  cadastre_exit_code reset() noexcept {
    if (pointer_ == nullptr) return CADASTRE_SUCCESS;
    const cadastre_exit_code code = cadastre_unwrap(context_.handle(), pointer_);
    if (!detail::still_there(context_.handle(), code)) pointer_ = nullptr;
    return code;
  }

 private:
  friend class context_view;
  wrapped(context_view context, const void* pointer) noexcept : context_(context), pointer_(pointer) {}

  context_view context_;
  const void* pointer_ = nullptr;
};

namespace detail {

// Whether a pointer to From can become a pointer to To: to any object type, if From is void, since bytes have no type.
template <class From, class To>
inline constexpr bool leases_to = std::is_void_v<From> ? !std::is_function_v<To> : std::is_convertible_v<From*, To*>;

// Storage in which a pointer of any type can be created, so that a reference can refer to it.
struct pointer_place {
  alignas(void*) mutable unsigned char bytes[sizeof(void*)];

  template <class To>
  To*& hold(To* pointer) const noexcept {
    static_assert(sizeof(To*) == sizeof(void*) && alignof(To*) == alignof(void*));
    return *::new (static_cast<void*>(bytes)) To*(pointer);
  }
};

// How an element of type Element of a tuple is made: a pointer, a reference to one, or std::ignore.
template <class Element>
struct tied {
  static constexpr bool ignored =
      std::is_same_v<std::remove_cv_t<std::remove_reference_t<Element>>, std::remove_cv_t<decltype(std::ignore)>>;
  template <class From>
  static constexpr bool from = ignored;
  template <class From>
  static Element take(From*, const pointer_place&) noexcept {
    return std::ignore;
  }
};
template <class To>
struct tied<To*> {
  template <class From>
  static constexpr bool from = leases_to<From, To>;
  template <class From>
  static To* take(From* pointer, const pointer_place&) noexcept {
    return static_cast<To*>(pointer);
  }
};
template <class To>
struct tied<To*&> {
  template <class From>
  static constexpr bool from = leases_to<From, To>;
  template <class From>
  static To*& take(From* pointer, const pointer_place& place) noexcept {
    return place.hold(static_cast<To*>(pointer));
  }
};

template <class Elements, class Leased>
inline constexpr bool can_tie = false;
template <class... Element, class... T>
inline constexpr bool can_tie<std::tuple<Element...>, std::tuple<T*...>> = (tied<Element>::template from<T> && ...);

// can_tie expands both packs together, so it is used only where there are as many elements as buffers.
template <bool same_number, class Elements, class Leased>
inline constexpr bool ties = false;
template <class Elements, class Leased>
inline constexpr bool ties<true, Elements, Leased> = can_tie<Elements, Leased>;

}  // namespace detail

/// A lease of one buffer for each T from a context's workspace; T is void for a size in bytes. The destructor
/// releases it. It can be moved, not copied. A lease that is false holds nothing: it is default-constructed,
/// moved-from, reset, or the result of an acquisition that failed with std::nothrow. Leases may be released in any
/// order; in reverse order of acquisition, as scopes end, it costs least.
///
///   auto lease = context.acquire(bytes);          double* p = lease;              any pointer to objects
///   auto lease = context.acquire(bytes, bytes);   std::tie(p, q) = lease;         the same
///   auto [p, q] = context.acquire(elements<double>(m), elements<int>(n));         a double* and an int*
///
/// Conversions are for lvalues only: a pointer from a temporary would outlive the lease.
template <class... T>
class [[nodiscard]] lease {
  static_assert(sizeof...(T) > 0, "a lease has at least one buffer");
  template <std::size_t I>
  using leased = std::tuple_element_t<I, std::tuple<T...>>;

 public:
  lease() noexcept = default;
  lease(lease&& other) noexcept { take(other); }
  /// Throws LEASE_ALIVE, and does nothing, when this lease is alive: reset() it before the other one is acquired.
  lease& operator=(lease&& other) {
    if (this == &other) return *this;
    if (handle_ != CADASTRE_NULL_LEASE) {
      detail::raise<error>(detail::found(CADASTRE_LEASE_ALIVE, CADASTRE_REASON_LEASE_ALIVE, "cadastre::lease::operator=",
                                         "a lease that is alive cannot be assigned to, because its workspace would have to "
                                         "hold both at once; call reset() before acquiring the other one"));
    }
    take(other);
    return *this;
  }
  lease(const lease&) = delete;
  lease& operator=(const lease&) = delete;
  /// Releases the lease. If that is refused (see reset), the memory stays leased until the context is destroyed.
  ~lease() { (void)reset(); }

  /// Whether this object holds a lease.
  explicit operator bool() const& noexcept { return handle_ != CADASTRE_NULL_LEASE; }
  explicit operator bool() const&& = delete;

  /// Releases the lease and returns the exit code; see cadastre_workspace_release. The lease is false afterwards,
  /// unless nothing was released, because of an exit code that is not listed there. It is then unchanged. SUCCESS if this object holds no lease.
  cadastre_exit_code reset() noexcept {
    if (handle_ == CADASTRE_NULL_LEASE) return CADASTRE_SUCCESS;
    const cadastre_exit_code code = cadastre_workspace_release(context_.handle(), handle_);
    if (code == CADASTRE_FAILURE || !detail::still_there(context_.handle(), code)) {
      handle_ = CADASTRE_NULL_LEASE;
      pointers_ = {};
    }
    return code;
  }

  /// The exit code of the acquisition. last_error: its details, until another call of the calling thread on this
  /// context fails.
  cadastre_exit_code exit_code() const noexcept { return code_; }
  cadastre_error_struct last_error() const noexcept { return detail::last(context_.handle(), code_); }

  /// The address of one buffer; null if this object holds no lease.
  template <std::size_t I = 0>
  leased<I>* pointer() const& noexcept {
    return std::get<I>(pointers_);
  }
  template <std::size_t I = 0>
  leased<I>* pointer() const&& = delete;

  /// The address of the one buffer, as a pointer to any object type; for elements<T>, a pointer that T* converts to.
  template <class To, std::enable_if_t<sizeof...(T) == 1 && detail::leases_to<leased<0>, To>, int> = 0>
  operator To*() const& noexcept {
    return static_cast<To*>(std::get<0>(pointers_));
  }
  template <class To, std::enable_if_t<sizeof...(T) == 1 && detail::leases_to<leased<0>, To>, int> = 0>
  operator To*() const&& = delete;

  /// All addresses, for std::tie(p, q) = lease; with std::ignore for one that is not needed.
  template <class... Element,
            std::enable_if_t<detail::ties<sizeof...(Element) == sizeof...(T), std::tuple<Element...>, std::tuple<T*...>>, int> = 0>
  operator std::tuple<Element...>() const& noexcept {
    return tie<Element...>(std::index_sequence_for<T...>());
  }
  template <class... Element,
            std::enable_if_t<detail::ties<sizeof...(Element) == sizeof...(T), std::tuple<Element...>, std::tuple<T*...>>, int> = 0>
  operator std::tuple<Element...>() const&& = delete;

  /// For structured bindings, which keep the lease in a variable of their own.
  template <std::size_t I>
  friend leased<I>* get(const lease& from) noexcept {
    return std::get<I>(from.pointers_);
  }

 private:
  friend class context_view;
  explicit lease(context_view context) noexcept : context_(context) {}

  template <std::size_t... I>
  void keep(void* const* addresses, std::index_sequence<I...>) noexcept {
    pointers_ = std::tuple<T*...>(static_cast<T*>(addresses[I])...);
  }

  template <class... Element, std::size_t... I>
  std::tuple<Element...> tie(std::index_sequence<I...>) const noexcept {
    return std::tuple<Element...>(detail::tied<Element>::take(std::get<I>(pointers_), places_[I])...);
  }

  void take(lease& other) noexcept {
    context_ = other.context_;
    handle_ = std::exchange(other.handle_, CADASTRE_NULL_LEASE);
    code_ = other.code_;
    pointers_ = std::exchange(other.pointers_, std::tuple<T*...>());
  }

  context_view context_;
  cadastre_lease handle_ = CADASTRE_NULL_LEASE;
  cadastre_exit_code code_ = CADASTRE_SUCCESS;
  std::tuple<T*...> pointers_;
  detail::pointer_place places_[sizeof...(T)];
};

/// A size query of the calling thread: the constructor starts it; stop() or the destructor ends it, in the thread
/// that started it.
class [[nodiscard]] size_query {
 public:
  explicit size_query(context_view context) : context_(context) {
    detail::check(context.handle(), cadastre_workspace_start_size_query(context.handle()));
  }
  size_query(const size_query&) = delete;
  size_query& operator=(const size_query&) = delete;
  ~size_query() {
    std::size_t bytes = 0;
    if (open_) (void)cadastre_workspace_stop_size_query(context_.handle(), &bytes);
  }

  /// Ends the query and returns how many bytes the functions called during it need. Throws SIZE_QUERY_MISMATCH if it
  /// was ended before.
  [[nodiscard]] std::size_t stop() {
    std::size_t bytes = 0;
    open_ = false;
    detail::check(context_.handle(), cadastre_workspace_stop_size_query(context_.handle(), &bytes));
    return bytes;
  }

 private:
  context_view context_;
  bool open_ = true;
};

template <class Ask>
std::size_t context_view::workspace_query_size(Ask&& ask) const {
  size_query query(*this);
  if constexpr (std::is_same_v<std::invoke_result_t<Ask>, cadastre_exit_code>) {
    const cadastre_exit_code code = std::forward<Ask>(ask)();
    if (code != CADASTRE_SIZE_INCREASED && code != CADASTRE_SIZE_UNCHANGED) detail::check(handle_, code);
  } else {
    (void)std::forward<Ask>(ask)();
  }
  return query.stop();
}

namespace detail {

// Objects that the host constructs and destroys need memory that it can access.
inline void require_host_access(const request& what, const char* function) {
  if (host_sees(what.type)) return;
  raise<error>(found(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_MEMORY_TYPE_NOT_SUPPORTED, function,
                     "containers read and write their elements on the host, which DEVICE memory does not allow; use "
                     "HOST, PINNED or UVM memory, or a cadastre::block"));
}

inline void* allocate_uninitialized(cadastre_context context, const request& what, std::size_t size, std::size_t alignment) {
  cadastre_memory_info_struct info = info_of(what, size, alignment);
  info.flags |= CADASTRE_UNINITIALIZED;
  void* const pointer = cadastre_malloc(context, info);
  if (pointer == nullptr) raise<bad_alloc>(last(context));
  return pointer;
}

}  // namespace detail

#if defined(__cpp_lib_memory_resource)
/// Memory of a context for polymorphic containers; uninitialised. Equal to another resource of the same context and
/// memory type. The context must live as long as what was allocated.
///
/// allocate throws cadastre::bad_alloc, whatever the reason is; deallocate throws nothing.
/// Threads: several threads may use it at the same time. Cost: that of cadastre_malloc and cadastre_free, without
/// zeroing.
class CADASTRE_API memory_resource : public std::pmr::memory_resource {
 public:
  /// Throws INVALID_ARG_2 for DEVICE memory. Whether the backend supports the memory type is checked by allocate.
  explicit memory_resource(context_view context, cadastre_memory_type type = CADASTRE_HOST)
      : memory_resource(context, detail::of_type(type)) {}
  memory_resource(context_view context, const request& what) : context_(context), what_(what) {
    detail::require_host_access(what, "cadastre::memory_resource");
  }

  context_view context() const noexcept { return context_; }
  cadastre_memory_type type() const noexcept { return what_.type; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return detail::allocate_uninitialized(context_.handle(), what_, bytes, alignment);
  }
  void do_deallocate(void* pointer, std::size_t, std::size_t) noexcept override { (void)cadastre_free(context_.handle(), pointer); }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
#if defined(__cpp_rtti) || defined(__GXX_RTTI)
    const auto* const same = dynamic_cast<const memory_resource*>(&other);
    return same != nullptr && same->context_ == context_ && same->what_.type == what_.type;
#else
    return this == &other;  // the type of other is unknown; a container then copies where it could have moved
#endif
  }

  context_view context_;
  request what_;
};
#endif

namespace detail {

// What allocators have in common: where memory comes from, and which ones are equal.
class allocator_base {
 public:
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::false_type;

  context_view context() const noexcept { return context_; }
  cadastre_memory_type type() const noexcept { return what_.type; }

  friend bool operator==(const allocator_base& a, const allocator_base& b) noexcept {
    return a.context() == b.context() && a.type() == b.type();
  }
  friend bool operator!=(const allocator_base& a, const allocator_base& b) noexcept { return !(a == b); }

 protected:
  allocator_base(context_view context, const request& what) noexcept : context_(context), what_(what) {}
  template <class T>
  T* take(std::size_t count) {
    const std::size_t bytes = count > SIZE_MAX / sizeof(T) ? SIZE_MAX : count * sizeof(T);
    return static_cast<T*>(allocate_uninitialized(context_.handle(), what_, bytes, alignof(T)));
  }
  void give_back(void* pointer) noexcept { (void)cadastre_free(context_.handle(), pointer); }

 private:
  context_view context_;
  request what_;
};

inline void* address_in(void* pointer) noexcept { return pointer; }
template <class Pointer>
auto address_in(const Pointer& pointer) noexcept -> decltype(static_cast<void*>(pointer.get())) {
  return pointer.get();
}

}  // namespace detail

/// Memory of a context for standard containers: std::vector<double, cadastre::allocator<double>> v(n, context). It
/// behaves as memory_resource but does not need the header memory_resource. It is equal to another allocator of the
/// same context and memory type; the allocator propagates when a container is copied, moved or swapped.
template <class T>
class allocator : public detail::allocator_base {
 public:
  using value_type = T;

  /// Throws INVALID_ARG_2 for DEVICE memory.
  allocator(context_view context, cadastre_memory_type type = CADASTRE_HOST) : allocator(context, detail::of_type(type)) {}
  allocator(context_view context, const request& what) : allocator_base(context, what) {
    detail::require_host_access(what, "cadastre::allocator");
  }
  template <class U>
  allocator(const allocator<U>& other) noexcept : allocator_base(other) {}

  /// Throws cadastre::bad_alloc, whatever the reason is.
  [[nodiscard]] T* allocate(std::size_t count) { return take<T>(count); }
  void deallocate(T* pointer, std::size_t) noexcept { give_back(pointer); }
};

/// Memory of a context for containers that leave their elements to a device:
/// thrust::device_vector<double, cadastre::device_allocator<double, thrust::device_ptr<double>>> v(n, context).
/// Pointer is T*, or a class template of T that is made of a T* and has get(). It behaves as allocator, and takes any
/// memory type, DEVICE without one. The container must not free what work in flight uses: cadastre_free says what it
/// waits for.
template <class T, class Pointer = T*>
class device_allocator : public detail::allocator_base {
 public:
  using value_type = T;
  using pointer = Pointer;
  using const_pointer = typename std::pointer_traits<Pointer>::template rebind<const T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  template <class U>
  struct rebind {
    using other = device_allocator<U, typename std::pointer_traits<Pointer>::template rebind<U>>;
  };

  device_allocator(context_view context, cadastre_memory_type type = CADASTRE_DEVICE) noexcept
      : device_allocator(context, detail::of_type(type)) {}
  device_allocator(context_view context, const request& what) noexcept : allocator_base(context, what) {}
  template <class U, class Other>
  device_allocator(const device_allocator<U, Other>& other) noexcept : allocator_base(other) {}

  /// Throws cadastre::bad_alloc, whatever the reason is.
  [[nodiscard]] Pointer allocate(std::size_t count) { return Pointer(take<T>(count)); }
  void deallocate(Pointer first, std::size_t) noexcept { give_back(detail::address_in(first)); }
};

template <class T>
block<T> context_view::allocate(const std::nothrow_t&, std::size_t count, const request& what) const noexcept {
  void* const pointer = cadastre_malloc(handle_, detail::info_of(what, elements<T>(count).bytes(), alignof(T)));
  if (pointer == nullptr) return {};
  return {*this, static_cast<T*>(pointer), count, what.type};
}
template <class T>
block<T> context_view::allocate(std::size_t count, const request& what) const {
  auto made = allocate<T>(std::nothrow, count, what);
  if (!made) detail::raise<error>(last_error());
  return made;
}
template <class T>
block<T> context_view::allocate(std::size_t count, cadastre_memory_type type) const {
  return allocate<T>(count, detail::of_type(type));
}
template <class T>
block<T> context_view::allocate(const std::nothrow_t&, std::size_t count, cadastre_memory_type type) const noexcept {
  return allocate<T>(std::nothrow, count, detail::of_type(type));
}

template <class T>
block<T> context_view::allocate_async(const std::nothrow_t&, cadastre_queue queue, std::size_t count, const request& what) const noexcept {
  void* const pointer = cadastre_malloc_async(handle_, detail::info_of(what, elements<T>(count).bytes(), alignof(T)), queue);
  if (pointer == nullptr) return {};
  block<T> made(*this, static_cast<T*>(pointer), count, what.type);
  made.queue_ = queue;
  made.ordered_ = true;
  return made;
}
template <class T>
block<T> context_view::allocate_async(cadastre_queue queue, std::size_t count, const request& what) const {
  auto made = allocate_async<T>(std::nothrow, queue, count, what);
  if (!made) detail::raise<error>(last_error());
  return made;
}
template <class T>
block<T> context_view::allocate_async(cadastre_queue queue, std::size_t count, cadastre_memory_type type) const {
  return allocate_async<T>(queue, count, detail::of_type(type));
}
template <class T>
block<T> context_view::allocate_async(const std::nothrow_t&, cadastre_queue queue, std::size_t count,
                                      cadastre_memory_type type) const noexcept {
  return allocate_async<T>(std::nothrow, queue, count, detail::of_type(type));
}

template <class T>
block<T> context_view::adopt(T* pointer) const {
  const cadastre_memory_info_struct known = info(pointer);
  if ((known.flags & CADASTRE_BORROWED) != 0) {
    detail::raise<error>(detail::found(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_BORROWED, "cadastre::context_view::adopt",
                                       "the memory is borrowed; its owner frees it"));
  }
  if ((known.flags & CADASTRE_WORKSPACE_MEMORY) != 0) {
    detail::raise<error>(detail::found(CADASTRE_INVALID_ARG_2, CADASTRE_REASON_WORKSPACE_MEMORY, "cadastre::context_view::adopt",
                                       "the memory is in use as a workspace"));
  }
  return {*this, pointer, known.size / sizeof(T), known.type};
}
template <class T>
block<T> context_view::adopt(T* pointer, cadastre_queue queue) const {
  auto owner = adopt(pointer);
  owner.queue_ = queue;
  owner.ordered_ = true;
  return owner;
}

template <class T>
wrapped context_view::wrap(const std::nothrow_t&, T* pointer, std::size_t count, const request& what) const noexcept {
  cadastre_memory_info_struct info = detail::info_of(what, detail::bytes_of<T>(count), 1);
  info.pointer = pointer;
  return cadastre_wrap(handle_, info) == CADASTRE_SUCCESS ? wrapped(*this, pointer) : wrapped();
}
template <class T>
wrapped context_view::wrap(T* pointer, std::size_t count, const request& what) const {
  auto made = wrap(std::nothrow, pointer, count, what);
  if (!made) detail::raise<error>(last_error());
  return made;
}
template <class T>
wrapped context_view::wrap(T* pointer, std::size_t count, cadastre_memory_type type) const {
  return wrap(pointer, count, detail::of_type(type));
}
template <class T>
wrapped context_view::wrap(const std::nothrow_t&, T* pointer, std::size_t count, cadastre_memory_type type) const noexcept {
  return wrap(std::nothrow, pointer, count, detail::of_type(type));
}

template <class T>
bool context_view::prefetch(const T* pointer, std::size_t count, std::int32_t device, cadastre_queue queue) const {
  std::int32_t applied = 0;
  detail::check(handle_, cadastre_prefetch(handle_, pointer, detail::bytes_of<T>(count), device, queue, &applied));
  return applied != 0;
}
template <class T>
bool context_view::advise(const T* pointer, std::size_t count, cadastre_advice advice, std::int32_t device) const {
  std::int32_t applied = 0;
  detail::check(handle_, cadastre_advise(handle_, pointer, detail::bytes_of<T>(count), advice, device, &applied));
  return applied != 0;
}

namespace detail {

template <class Place>
inline constexpr bool is_block = false;
template <class T>
inline constexpr bool is_block<block<T>> = true;

// Whether a place has a number of elements: a block, a container, a span, an array.
template <class Place, class = void>
inline constexpr bool is_range = false;
template <class Place>
inline constexpr bool
    is_range<Place, std::void_t<decltype(*std::data(std::declval<Place&>())), decltype(std::size(std::declval<Place&>()))>> = true;

template <class T>
T* address(T* pointer) noexcept {
  return pointer;
}
template <class T>
T* address(block<T>& place) noexcept {
  return place.get();
}
template <class T>
const T* address(const block<T>& place) noexcept {
  return place.get();
}
template <class T>
T* address(const lease<T>& place) noexcept {
  return place.pointer();
}
template <class Range, std::enable_if_t<is_range<Range> && !std::is_array_v<Range>, int> = 0>
auto address(Range& place) noexcept {
  return std::data(place);
}

template <class Place>
using element_at = std::remove_pointer_t<decltype(address(std::declval<std::remove_reference_t<Place>&>()))>;

template <class To, class From>
std::size_t bytes_copied(std::size_t count) noexcept {
  using to = element_at<To>;
  using from = std::remove_cv_t<element_at<const From>>;
  static_assert(!std::is_const_v<to>, "the destination of a copy must not be const");
  static_assert(std::is_same_v<to, from> || std::is_void_v<to> || std::is_void_v<from>,
                "both sides of a copy have the same element type, or one is void");
  return bytes_of<std::conditional_t<std::is_void_v<to>, from, to>>(count);
}

// How many elements are copied or set where the caller does not say it.
template <class Place, class Other>
std::size_t all_of([[maybe_unused]] const Place& place, [[maybe_unused]] const Other& other) noexcept {
  static_assert(is_range<const Place> || is_range<const Other>, "a pointer or a lease needs a count");
  if constexpr (is_range<const Place>) {
    return std::size(place);
  } else {
    return std::size(other);
  }
}

// Whether a place can have count elements.
template <class Place>
bool holds([[maybe_unused]] const Place& place, [[maybe_unused]] std::size_t count) noexcept {
  if constexpr (is_range<const Place> && !is_block<Place>) {
    return count <= std::size(place);
  } else {
    return true;
  }
}

inline void require(bool held, const char* function) {
  if (held) return;
  raise<error>(found(CADASTRE_OUT_OF_BOUNDS, CADASTRE_REASON_OUT_OF_BOUNDS, function,
                     "a container has fewer elements than are to be copied or set; pass its size as count, or resize "
                     "it"));
}

}  // namespace detail

template <class To, class From>
cadastre_exit_code context_view::copy(const std::nothrow_t&, To&& to, const From& from, std::size_t count) const noexcept {
  if (!detail::holds(to, count) || !detail::holds(from, count)) return CADASTRE_OUT_OF_BOUNDS;
  return cadastre_memcpy(handle_, detail::address(to), detail::address(from), detail::bytes_copied<To, From>(count));
}
template <class To, class From>
cadastre_exit_code context_view::copy(const std::nothrow_t&, To&& to, const From& from) const noexcept {
  return copy(std::nothrow, to, from, detail::all_of(from, to));
}
template <class To, class From>
void context_view::copy(To&& to, const From& from, std::size_t count) const {
  detail::require(detail::holds(to, count) && detail::holds(from, count), "cadastre::context_view::copy");
  detail::check(handle_, copy(std::nothrow, to, from, count));
}
template <class To, class From>
void context_view::copy(To&& to, const From& from) const {
  copy(to, from, detail::all_of(from, to));
}

template <class To, class From>
cadastre_exit_code context_view::copy_async(const std::nothrow_t&, cadastre_queue queue, To&& to, const From& from,
                                            std::size_t count) const noexcept {
  if (!detail::holds(to, count) || !detail::holds(from, count)) return CADASTRE_OUT_OF_BOUNDS;
  return cadastre_memcpy_async(handle_, detail::address(to), detail::address(from), detail::bytes_copied<To, From>(count), queue);
}
template <class To, class From>
cadastre_exit_code context_view::copy_async(const std::nothrow_t&, cadastre_queue queue, To&& to, const From& from) const noexcept {
  return copy_async(std::nothrow, queue, to, from, detail::all_of(from, to));
}
template <class To, class From>
void context_view::copy_async(cadastre_queue queue, To&& to, const From& from, std::size_t count) const {
  detail::require(detail::holds(to, count) && detail::holds(from, count), "cadastre::context_view::copy_async");
  detail::check(handle_, copy_async(std::nothrow, queue, to, from, count));
}
template <class To, class From>
void context_view::copy_async(cadastre_queue queue, To&& to, const From& from) const {
  copy_async(queue, to, from, detail::all_of(from, to));
}

template <class To>
cadastre_exit_code context_view::set(const std::nothrow_t&, To&& to, int value, std::size_t count) const noexcept {
  if (!detail::holds(to, count)) return CADASTRE_OUT_OF_BOUNDS;
  return cadastre_memset(handle_, detail::address(to), value, detail::bytes_of<detail::element_at<To>>(count));
}
template <class To>
cadastre_exit_code context_view::set(const std::nothrow_t&, To&& to, int value) const noexcept {
  return set(std::nothrow, to, value, detail::all_of(to, to));
}
template <class To>
void context_view::set(To&& to, int value, std::size_t count) const {
  detail::require(detail::holds(to, count), "cadastre::context_view::set");
  detail::check(handle_, set(std::nothrow, to, value, count));
}
template <class To>
void context_view::set(To&& to, int value) const {
  set(to, value, detail::all_of(to, to));
}

template <class To>
cadastre_exit_code context_view::set_async(const std::nothrow_t&, cadastre_queue queue, To&& to, int value,
                                           std::size_t count) const noexcept {
  if (!detail::holds(to, count)) return CADASTRE_OUT_OF_BOUNDS;
  return cadastre_memset_async(handle_, detail::address(to), value, detail::bytes_of<detail::element_at<To>>(count), queue);
}
template <class To>
cadastre_exit_code context_view::set_async(const std::nothrow_t&, cadastre_queue queue, To&& to, int value) const noexcept {
  return set_async(std::nothrow, queue, to, value, detail::all_of(to, to));
}
template <class To>
void context_view::set_async(cadastre_queue queue, To&& to, int value, std::size_t count) const {
  detail::require(detail::holds(to, count), "cadastre::context_view::set_async");
  detail::check(handle_, set_async(std::nothrow, queue, to, value, count));
}
template <class To>
void context_view::set_async(cadastre_queue queue, To&& to, int value) const {
  set_async(queue, to, value, detail::all_of(to, to));
}

template <class... Size>
lease<typename detail::leased_as<Size>::type...> context_view::acquire(const std::nothrow_t&, Size... sizes) const noexcept {
  const std::size_t bytes[] = {detail::leased_as<Size>::bytes(sizes)...};
  void* addresses[sizeof...(Size)] = {};
  lease<typename detail::leased_as<Size>::type...> made(*this);
  made.code_ = cadastre_workspace_acquire(handle_, CADASTRE_HOST, sizeof...(Size), bytes, addresses, &made.handle_);
  made.keep(addresses, std::index_sequence_for<Size...>());
  return made;
}
template <class... Size>
lease<typename detail::leased_as<Size>::type...> context_view::acquire(Size... sizes) const {
  auto made = acquire(std::nothrow, sizes...);
  detail::check(handle_, made.exit_code());
  return made;
}

template <class... Size>
lease<typename detail::leased_as<Size>::type...> context_view::acquire_on_queue(const std::nothrow_t&, cadastre_memory_type type,
                                                                                cadastre_queue queue, Size... sizes) const noexcept {
  const std::size_t bytes[] = {detail::leased_as<Size>::bytes(sizes)...};
  void* addresses[sizeof...(Size)] = {};
  lease<typename detail::leased_as<Size>::type...> made(*this);
  made.code_ = cadastre_workspace_acquire_on_queue(handle_, type, queue, sizeof...(Size), bytes, addresses, &made.handle_);
  made.keep(addresses, std::index_sequence_for<Size...>());
  return made;
}
template <class... Size>
lease<typename detail::leased_as<Size>::type...> context_view::acquire_on_queue(cadastre_memory_type type, cadastre_queue queue,
                                                                                Size... sizes) const {
  auto made = acquire_on_queue(std::nothrow, type, queue, sizes...);
  detail::check(handle_, made.exit_code());
  return made;
}

template <class... Size>
cadastre_exit_code context_view::workspace_set_optimal_size(Size... sizes) const noexcept {
  const std::array<std::size_t, sizeof...(Size)> bytes = {detail::leased_as<Size>::bytes(sizes)...};
  return cadastre_workspace_set_optimal_size(handle_, bytes.size(), bytes.data());
}

/// @cond
static_assert(sizeof(void*) != 8 || sizeof(cadastre_context_options_struct) + sizeof(cadastre_destroy_summary_struct) +
                                            sizeof(cadastre_error_struct) + sizeof(cadastre_memory_info_struct) +
                                            sizeof(cadastre_ipc_handle_struct) + sizeof(cadastre_out_of_memory_struct) +
                                            sizeof(cadastre_statistics_struct) + sizeof(cadastre_pool_info_struct) +
                                            sizeof(cadastre_registry_info_struct) + sizeof(cadastre_workspace_info_struct) +
                                            sizeof(options) + sizeof(request) + sizeof(context) + sizeof(found_block) + sizeof(block<int>) +
                                            sizeof(wrapped) + sizeof(lease<void>) + sizeof(size_query) + sizeof(allocator<int>) ==
                                        CADASTRE_HPP_SIZES,
              "a struct or a class has grown: write the new sum of the sizes as CADASTRE_HPP_SIZES");
/// @endcond

}  // namespace CADASTRE_HPP_NAMESPACE

}  // namespace cadastre

/// @cond
template <class... T>
struct std::tuple_size<cadastre::lease<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t I, class... T>
struct std::tuple_element<I, cadastre::lease<T...>> {
  using type = std::tuple_element_t<I, std::tuple<T...>>*;
};
/// @endcond

#undef CADASTRE_HPP_SIZES
#undef CADASTRE_HPP_JOIN_
#undef CADASTRE_HPP_JOIN
#undef CADASTRE_HPP_NAMESPACE

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
