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
    recorded_ = cadastre_wrap(context, info) == CADASTRE_SUCCESS;
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    if (recorded_) cadastre_unwrap(context_, address_);
  }

 private:
  cadastre_context context_;
  const void* address_;
  bool recorded_ = false;
};

// Performs a copy between two ranges; one that is device memory of somebody else is what its caller says it is.
// copy: answers an exit code, and changes nothing when it fails.
template <class Copy>
cadastre_exit_code with_foreign_memory(cadastre_context context, const Range& to, const Range& from,
                                       Copy copy) noexcept {
  const cadastre_exit_code code = copy();
  if (code == CADASTRE_SUCCESS) return code;
  cadastre_error_struct error;
  cadastre_last_error(context, &error);
  if (error.reason != CADASTRE_REASON_NOT_REGISTERED && error.reason != CADASTRE_REASON_OTHER_CONTEXT) return code;
  if (const cadastre_exit_code locked = cadastre_lock(context); locked != CADASTRE_SUCCESS) return locked;
  cadastre_exit_code second;
  {
    const Borrowed first(context, to);
    const Borrowed other(context, from);
    second = copy();
  }
  cadastre_unlock(context);
  return second;
}

}  // namespace cadastre::adapter
#endif
