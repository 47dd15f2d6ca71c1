// Tangled from org/adapters/qmckl_originals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "qmckl_originals.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace cadastre::qmckl {
namespace {

const void* object_of(const void* address) noexcept {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

bool is_ours(const void* address) noexcept { return object_of(address) == object_of(reinterpret_cast<const void*>(&is_ours)); }

// The names of all objects that are loaded, one after the other, each with its terminator.
struct Names {
  std::unique_ptr<char[]> text;
  std::size_t size = 0, room = 0;
};

int measure(dl_phdr_info* info, std::size_t, void* names) {
  static_cast<Names*>(names)->room += std::strlen(info->dlpi_name) + 1;
  return 0;
}

int collect(dl_phdr_info* info, std::size_t, void* data) {
  Names& names = *static_cast<Names*>(data);
  const std::size_t length = std::strlen(info->dlpi_name) + 1;
  if (names.room - names.size < length) return 1;
  std::memcpy(names.text.get() + names.size, info->dlpi_name, length);
  names.size += length;
  return 0;
}

void* search_all_objects(const char* name) noexcept {
  Names names;
  dl_iterate_phdr(measure, &names);
  names.text.reset(new (std::nothrow) char[names.room]);
  if (!names.text) return nullptr;
  dl_iterate_phdr(collect, &names);
  void* found = nullptr;
  for (std::size_t at = 0; at < names.size && !found; at += std::strlen(&names.text[at]) + 1) {
    if (names.text[at] == '\0') continue;
    void* const object = dlopen(&names.text[at], RTLD_LAZY | RTLD_NOLOAD);
    if (!object) continue;
    found = dlsym(object, name);
    if (found && is_ours(found)) found = nullptr;
    dlclose(object);
  }
  return found;
}

}  // namespace

void* original(const char* name) noexcept {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found || is_ours(found)) found = dlsym(RTLD_DEFAULT, name);  // the program itself comes before us
  if (!found || is_ours(found)) found = search_all_objects(name);
  Dl_info info;
  if (found && dladdr(found, &info) != 0) dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return found;
}

}  // namespace cadastre::qmckl
