// Tangled from org/adapters/qmckl_callers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "qmckl_callers.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>

namespace cadastre::qmckl {
namespace {

constexpr std::size_t places = 4096, probes = 16, longest_label = 255;

struct Place {
  std::atomic<const void*> address;
  std::atomic<const char*> label;  // nullptr while somebody writes it
};
Place callers[places];

const char* base_name(const char* path) noexcept {
  const char* const slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// What lives as long as the process; nullptr when there is no memory for it.
const char* write_label(const Dl_info& info, const void* address) noexcept {
  char text[longest_label + 1];
  if (info.dli_sname) {
    std::snprintf(text, sizeof text, "%s", info.dli_sname);
  } else {
    std::snprintf(text, sizeof text, "%.200s+%#tx", base_name(info.dli_fname),
                  static_cast<const char*>(address) - static_cast<const char*>(info.dli_fbase));
  }
  char* const label = new (std::nothrow) char[std::strlen(text) + 1];
  return label ? std::strcpy(label, text) : nullptr;
}

// A name of the loader's own: good while the object is there.
const char* borrowed_label(const Dl_info& info) noexcept {
  const char* const name = info.dli_sname ? info.dli_sname : base_name(info.dli_fname);
  return std::strlen(name) <= longest_label ? name : "";
}

const char* name_and_remember(Place* place, const void* return_address) noexcept {
  // The call stands before the address that it returns to, which may be in the next function.
  const void* const address = static_cast<const char*>(return_address) - 1;
  Dl_info info;
  if (dladdr(address, &info) == 0 || !info.dli_fname) return "";
  const void* vacant = nullptr;
  if (!place || !place->address.compare_exchange_strong(vacant, return_address)) return borrowed_label(info);
  const char* const label = write_label(info, address);
  if (!label) return borrowed_label(info);
  place->label.store(label, std::memory_order_release);
  return label;
}

}  // namespace

const char* caller(const void* return_address) noexcept {
  if (!return_address) return "";
  const std::size_t first = scattered(reinterpret_cast<std::uintptr_t>(return_address));
  for (std::size_t i = 0; i < probes; ++i) {
    Place& place = callers[(first + i) % places];
    const void* const address = place.address.load(std::memory_order_relaxed);
    if (!address) return name_and_remember(&place, return_address);
    if (address != return_address) continue;
    const char* const label = place.label.load(std::memory_order_acquire);
    return label ? label : name_and_remember(nullptr, return_address);
  }
  return name_and_remember(nullptr, return_address);
}

}  // namespace cadastre::qmckl
