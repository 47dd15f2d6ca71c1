// Tangled from org/qmckl.org; change the chapter, then run: make tangle
#include "qmckl_registries.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cadastre::qmckl {
namespace {

static_assert(std::is_trivially_destructible_v<Registries>);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // of all tables
bool watched = false;                               // forks are; guarded by the mutex

class Locked {
 public:
  Locked() noexcept { pthread_mutex_lock(&mutex); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { pthread_mutex_unlock(&mutex); }
};

bool watch_forks() noexcept {
  if (watched) return true;
  const auto unlock = [] { pthread_mutex_unlock(&mutex); };
  watched = pthread_atfork([] { pthread_mutex_lock(&mutex); }, unlock, unlock) == 0;
  return watched;
}

// The low bits of addresses are the same in all; those of the answer are not.
std::size_t scattered(std::uint64_t address) noexcept {
  return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 32);
}

}  // namespace

std::size_t Registries::place(std::int64_t context) const noexcept {
  return scattered(static_cast<std::uint64_t>(context)) & (room_ - 1);
}

Registries::Entry* Registries::find(std::int64_t context) const noexcept {
  if (room_ == 0 || context == 0) return nullptr;
  std::size_t at = place(context);
  while (entries_[at].context != 0 && entries_[at].context != context) at = (at + 1) & (room_ - 1);
  return entries_[at].context == context ? &entries_[at] : nullptr;
}

bool Registries::insert(std::int64_t context, cadastre_context registry) noexcept {
  if (!watch_forks() || (2 * (used_ + 1) > room_ && !grow())) return false;
  std::size_t at = place(context);
  while (entries_[at].context != 0) at = (at + 1) & (room_ - 1);
  entries_[at] = {context, registry, ++moment_};
  ++used_;
  return true;
}

bool Registries::grow() noexcept {
  const std::size_t larger = std::max<std::size_t>(2 * room_, 16);
  Entry* const fresh = new (std::nothrow) Entry[larger]();
  if (!fresh) return false;
  const std::unique_ptr<Entry[]> old(std::exchange(entries_, fresh));
  const std::size_t old_room = std::exchange(room_, larger);
  for (std::size_t i = 0; i < old_room; ++i) {
    if (old[i].context == 0) continue;
    std::size_t at = place(old[i].context);
    while (entries_[at].context != 0) at = (at + 1) & (room_ - 1);
    entries_[at] = old[i];
  }
  return true;
}

void Registries::remove(Entry* entry) noexcept {
  std::size_t hole = static_cast<std::size_t>(entry - entries_);
  for (std::size_t at = (hole + 1) & (room_ - 1); entries_[at].context != 0; at = (at + 1) & (room_ - 1)) {
    const std::size_t pushed = (at - place(entries_[at].context)) & (room_ - 1);
    if (pushed < ((at - hole) & (room_ - 1))) continue;
    entries_[hole] = entries_[at];
    hole = at;
  }
  entries_[hole] = {};
  --used_;
}

cadastre_context Registries::known(std::int64_t context) noexcept {
  const Locked locked;
  const Entry* const entry = find(context);
  return entry ? entry->registry : CADASTRE_NULL_CONTEXT;
}

cadastre_context Registries::of(std::int64_t context) noexcept {
  const cadastre_context registry = known(context);
  return registry != CADASTRE_NULL_CONTEXT ? registry : adopt(context);
}

// Two threads may meet here; the first one's registry is that of both.
cadastre_context Registries::adopt(std::int64_t context) noexcept {
  if (context == 0) return CADASTRE_NULL_CONTEXT;
  const auto check = check_.find();
  if (!check || check(context) != context) return CADASTRE_NULL_CONTEXT;
  const cadastre_context_options_struct options =
      options_for_ ? options_for_(context) : cadastre_context_options_struct_zero;
  const cadastre_context created = cadastre_context_create_with(&options);
  if (created == CADASTRE_NULL_CONTEXT) return CADASTRE_NULL_CONTEXT;
  cadastre_context adopted = CADASTRE_NULL_CONTEXT;
  {
    const Locked locked;
    if (const Entry* const entry = find(context)) {
      adopted = entry->registry;
    } else if (insert(context, created)) {
      adopted = created;
    }
  }
  if (adopted != created) cadastre_context_destroy(created);
  return adopted;
}

std::uint64_t Registries::now() noexcept {
  const Locked locked;
  return moment_;
}

void Registries::open(std::int64_t context, const cadastre_context_options_struct& options,
                      std::uint64_t since) noexcept {
  if (context == 0) return;
  const cadastre_context created = cadastre_context_create_with(&options);
  cadastre_context unwanted = created;
  {
    const Locked locked;
    Entry* const entry = find(context);
    if (!entry) {
      if (created != CADASTRE_NULL_CONTEXT && insert(context, created)) unwanted = CADASTRE_NULL_CONTEXT;
    } else if (entry->moment <= since) {
      unwanted = std::exchange(entry->registry, created);
      entry->moment = ++moment_;
      if (created == CADASTRE_NULL_CONTEXT) remove(entry);
    }
  }
  if (unwanted != CADASTRE_NULL_CONTEXT) cadastre_context_destroy(unwanted);
}

void Registries::close(std::int64_t context, cadastre_context registry) noexcept {
  if (registry == CADASTRE_NULL_CONTEXT) return;
  {
    const Locked locked;
    Entry* const entry = find(context);
    if (entry && entry->registry == registry) remove(entry);
  }
  cadastre_context_destroy(registry);
}

namespace {

const void* object_of(const void* address) noexcept {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

bool is_ours(const void* address) noexcept {
  return object_of(address) == object_of(reinterpret_cast<const void*>(&is_ours));
}

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
  if (!found || is_ours(found)) found = search_all_objects(name);
  Dl_info info;
  if (found && dladdr(found, &info) != 0) dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return found;
}

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
