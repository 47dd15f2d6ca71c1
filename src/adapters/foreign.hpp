// Tangled from org/adapters/adapter.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
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

// What to record of a range that a context was just asked about in vain: what another context knows, else what its
// caller says.
inline cadastre_memory_info_struct what_is_known(cadastre_context context, const Range& range) noexcept {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_memory_info_struct info;
  std::size_t offset = 0;
  cadastre_last_error(context, &error);
  if (error.reason == CADASTRE_REASON_OTHER_CONTEXT &&
      cadastre_find_block(error.owner, range.address, &info, &offset) == CADASTRE_SUCCESS) {
    info.size -= offset;
    info.alignment = info.stride = 0;
    info.flags = 0;
    info.label = nullptr;
  } else {
    info = cadastre_memory_info_struct_zero;
    info.size = range.size;
    info.type = range.type;
  }
  info.pointer = const_cast<void*>(range.address);
  return info;
}

// Keeps a range recorded as borrowed, unless the context knew it before.
class Borrowed {
 public:
  Borrowed(cadastre_context context, const Range& range) noexcept : context_(context), address_(range.address) {
    if (cadastre_find_block(context, range.address, nullptr, nullptr) == CADASTRE_SUCCESS) return;
    const cadastre_memory_info_struct info = what_is_known(context, range);
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

// Whether a range is DEVICE memory that the context does not have.
inline bool is_foreign_device_memory(cadastre_context context, const Range& range) noexcept {
  if (range.type != CADASTRE_DEVICE || !range.address || range.size == 0) return false;
  return cadastre_find_block(context, range.address, nullptr, nullptr) == CADASTRE_INVALID_ARG_2;
}

// Performs a copy between two ranges; one that is device memory of somebody else is what its caller says it is.
// copy: answers an exit code, and changes nothing when it fails.
template <class Copy>
cadastre_exit_code with_foreign_memory(cadastre_context context, const Range& to, const Range& from, Copy copy) noexcept {
  if (!is_foreign_device_memory(context, to) && !is_foreign_device_memory(context, from)) {
    const cadastre_exit_code code = copy();
    if (code == CADASTRE_SUCCESS) return code;
    cadastre_error_struct error = cadastre_error_struct_zero;
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
