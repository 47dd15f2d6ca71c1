// Tangled from org/adapter.org; change the chapter, then run: make tangle
// Calls that concern memory which the caller vouches for, and no context knows.
#ifndef CADASTRE_SRC_ADAPTERS_FOREIGN_HPP
#define CADASTRE_SRC_ADAPTERS_FOREIGN_HPP

#include <cstddef>

#include "cadastre.h"

namespace cadastre::adapter {

// What the caller says of a range.
struct Range {
  const void* address;
  std::size_t size;
  cadastre_memory_type type;
};

// Keeps a range recorded as borrowed, unless the context knew it before.
class Borrowed {
 public:
  Borrowed(cadastre_context context, const Range& range) noexcept : context_(context), address_(range.address) {
    if (cadastre_locate(context, range.address, nullptr, nullptr) == CADASTRE_SUCCESS) return;
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.pointer = const_cast<void*>(range.address);
    info.size = range.size;
    info.type = range.type;
    const cadastre_exit_code code = cadastre_wrap(context, info);
    recorded_ = code == CADASTRE_SUCCESS;
    if (range.type == CADASTRE_DEVICE) refusal_ = code;
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    if (recorded_) cadastre_unwrap(context_, address_);
  }

  // SUCCESS, or why what must not be taken for memory of the host could not be recorded.
  cadastre_exit_code refusal() const noexcept { return refusal_; }

 private:
  cadastre_context context_;
  const void* address_;
  bool recorded_ = false;
  cadastre_exit_code refusal_ = CADASTRE_SUCCESS;
};

// Whether a range is DEVICE memory that the context never had. What it had is refused by the copy itself.
inline bool is_foreign_device_memory(cadastre_context context, const Range& range) noexcept {
  if (range.type != CADASTRE_DEVICE || !range.address || range.size == 0) return false;
  if (cadastre_locate(context, range.address, nullptr, nullptr) != CADASTRE_INVALID_ARG_2) return false;
  cadastre_error_struct error;
  cadastre_last_error(context, &error);
  return error.reason != CADASTRE_REASON_ALREADY_FREED;
}

// Performs a copy between two ranges; one that is device memory of somebody else is what its caller says it is.
// copy: answers an exit code, and changes nothing when it fails.
template <class Copy>
cadastre_exit_code with_foreign_memory(cadastre_context context, const Range& to, const Range& from,
                                       Copy copy) noexcept {
  if (!is_foreign_device_memory(context, to) && !is_foreign_device_memory(context, from)) {
    const cadastre_exit_code code = copy();
    if (code == CADASTRE_SUCCESS) return code;
    cadastre_error_struct error;
    cadastre_last_error(context, &error);
    if (error.reason != CADASTRE_REASON_NOT_REGISTERED && error.reason != CADASTRE_REASON_OTHER_CONTEXT) return code;
  }
  if (const cadastre_exit_code locked = cadastre_lock(context); locked != CADASTRE_SUCCESS) return locked;
  cadastre_exit_code second;
  {
    const Borrowed first(context, to);
    const Borrowed other(context, from);
    second = first.refusal() != CADASTRE_SUCCESS ? first.refusal() : other.refusal();
    if (second == CADASTRE_SUCCESS) second = copy();
  }
  cadastre_unlock(context);
  return second;
}

}  // namespace cadastre::adapter
#endif
