// Tangled from org/adapters/qmckl.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "qmckl_registries.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cadastre::qmckl {
namespace {

static_assert(std::is_trivially_destructible_v<Registries>);

// The low bits of addresses are the same in all; those of the answer are not.
std::size_t scattered(std::uint64_t address) noexcept {
  return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 32);
}

// Upstream QMCkl frees three kinds of blocks by free.
cadastre_context create_registry(const cadastre_context_options_struct& options) noexcept {
  const cadastre_context created = cadastre_context_create_with_options(&options);
  if (created != CADASTRE_NULL_CONTEXT) cadastre_context_set_plain_free(created, 1);
  return created;
}

}  // namespace

bool Registries::watch_forks() noexcept {
  const auto lock = []() CADASTRE_UNCHECKED { mutex_.lock_for_fork(); };
  const auto unlock = []() CADASTRE_UNCHECKED { mutex_.unlock(); };
  if (!forks_are_watched_) forks_are_watched_ = pthread_atfork(lock, unlock, unlock) == 0;
  return forks_are_watched_;
}

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
  const Locked locked(mutex_);
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
  assert_no_lock_held("the library's function that checks a context");
  if (!check || check(context) != context) return CADASTRE_NULL_CONTEXT;
  const cadastre_context_options_struct options =
      options_for_ ? options_for_(context) : cadastre_context_options_struct_zero;
  const cadastre_context created = create_registry(options);
  if (created == CADASTRE_NULL_CONTEXT) return CADASTRE_NULL_CONTEXT;
  cadastre_context adopted = CADASTRE_NULL_CONTEXT;
  {
    const Locked locked(mutex_);
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
  const Locked locked(mutex_);
  return moment_;
}

void Registries::open(std::int64_t context, const cadastre_context_options_struct& options,
                      std::uint64_t since) noexcept {
  if (context == 0) return;
  const cadastre_context created = create_registry(options);
  cadastre_context unwanted = created;
  {
    const Locked locked(mutex_);
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
    const Locked locked(mutex_);
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
  if (!found || is_ours(found)) found = dlsym(RTLD_DEFAULT, name);  // the program itself comes before us
  if (!found || is_ours(found)) found = search_all_objects(name);
  Dl_info info;
  if (found && dladdr(found, &info) != 0) dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return found;
}

namespace {

void say(const Library& library, const char* object, const char* what) noexcept {
  const int before = errno;
  char line[1024];
  const int length = std::snprintf(line, sizeof line, "libcadastre_qmckl: memory of %s is not all in the registry: %.300s %s\n",
                                   library.name, object && *object ? object : "the program", what);
  if (length > 0 && write(STDERR_FILENO, line, std::min(static_cast<std::size_t>(length), sizeof line - 1)) < 0) {
    // There is no standard error.
  }
  errno = before;
}

// A table in an object that is loaded. The loader has made addresses of most of these numbers, and offsets of some.
template <class Entry>
const Entry* table_at(const link_map& object, ElfW(Addr) address) noexcept {
  return reinterpret_cast<const Entry*>(address < object.l_addr ? object.l_addr + address : address);
}

std::size_t symbol_of(ElfW(Xword) info) noexcept { return sizeof(void*) == 8 ? info >> 32 : info >> 8; }

// What the loader was told of an object.
struct Dynamic {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  ElfW(Addr) jumps = 0, plain = 0, added = 0;  // relocations: of calls; others without and with an addend
  std::size_t jumps_size = 0, plain_size = 0, added_size = 0;
  bool jumps_are_added = false;
};

Dynamic dynamic_of(const link_map& object) noexcept {
  Dynamic d;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB: d.symbols = table_at<ElfW(Sym)>(object, entry->d_un.d_ptr); break;
      case DT_STRTAB: d.names = table_at<char>(object, entry->d_un.d_ptr); break;
      case DT_JMPREL: d.jumps = entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: d.jumps_size = entry->d_un.d_val; break;
      case DT_PLTREL: d.jumps_are_added = entry->d_un.d_val == DT_RELA; break;
      case DT_REL: d.plain = entry->d_un.d_ptr; break;
      case DT_RELSZ: d.plain_size = entry->d_un.d_val; break;
      case DT_RELA: d.added = entry->d_un.d_ptr; break;
      case DT_RELASZ: d.added_size = entry->d_un.d_val; break;
      default: break;
    }
  }
  return d;
}

template <class Relocation>
bool names_symbol(const link_map& object, const Dynamic& d, ElfW(Addr) address, std::size_t bytes, const char* name) noexcept {
  const Relocation* const relocations = table_at<Relocation>(object, address);
  for (std::size_t i = 0; i < bytes / sizeof(Relocation); ++i) {
    const std::size_t symbol = symbol_of(relocations[i].r_info);
    if (symbol != 0 && std::strcmp(d.names + d.symbols[symbol].st_name, name) == 0) return true;
  }
  return false;
}

// Whether others may answer an object's calls of a function.
bool leaves_open(const link_map& object, const char* name) noexcept {
  const Dynamic d = dynamic_of(object);
  if (!d.symbols || !d.names) return true;
  const bool by_jumps = d.jumps_are_added ? names_symbol<ElfW(Rela)>(object, d, d.jumps, d.jumps_size, name)
                                          : names_symbol<ElfW(Rel)>(object, d, d.jumps, d.jumps_size, name);
  return by_jumps || names_symbol<ElfW(Rela)>(object, d, d.added, d.added_size, name) ||
         names_symbol<ElfW(Rel)>(object, d, d.plain, d.plain_size, name);
}

const link_map* object_around(const void* address) noexcept {
  Dl_info info;
  void* object = nullptr;
  return address && dladdr1(address, &info, &object, RTLD_DL_LINKMAP) != 0 ? static_cast<const link_map*>(object) : nullptr;
}

// A file as it is, for as long as this is.
class Mapped {
 public:
  explicit Mapped(const char* path) noexcept {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      bytes_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) close(file);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() {
    if (bytes_ != MAP_FAILED) munmap(bytes_, size_);
  }
  // So many of a kind; null where they pass the end.
  template <class Entry>
  const Entry* at(std::size_t offset, std::size_t number) const noexcept {
    if (bytes_ == MAP_FAILED || offset > size_ || number > (size_ - offset) / sizeof(Entry)) return nullptr;
    return reinterpret_cast<const Entry*>(static_cast<const char*>(bytes_) + offset);
  }

 private:
  void* bytes_ = MAP_FAILED;
  std::size_t size_ = 0;
};

// Whether a section of symbols defines a function.
bool defines(const Mapped& file, const ElfW(Shdr)& symbols, const ElfW(Shdr)& strings, const char* name) noexcept {
  const char* const text = file.at<char>(strings.sh_offset, strings.sh_size);
  const std::size_t number = symbols.sh_size / sizeof(ElfW(Sym));
  const auto* const all = file.at<ElfW(Sym)>(symbols.sh_offset, number);
  const std::size_t length = std::strlen(name) + 1;
  if (!text || !all || !memmem(text, strings.sh_size, name, length)) return false;
  return std::any_of(all, all + number, [&](const ElfW(Sym)& symbol) {
    return symbol.st_shndx != SHN_UNDEF && symbol.st_name < strings.sh_size && strings.sh_size - symbol.st_name >= length &&
           std::memcmp(text + symbol.st_name, name, length) == 0;
  });
}

bool program_has(const char* name) noexcept {
  const Mapped file("/proc/self/exe");
  const auto* const head = file.at<ElfW(Ehdr)>(0, 1);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shentsize != sizeof(ElfW(Shdr))) return false;
  const auto* const sections = file.at<ElfW(Shdr)>(head->e_shoff, head->e_shnum);
  if (!sections) return false;
  for (std::size_t i = 0; i < head->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
    if (defines(file, sections[i], sections[sections[i].sh_link], name)) return true;
  }
  return false;
}

constexpr const char* in_itself =
    "contains QMCkl's memory functions (libqmckl.a), which then cannot be replaced; link libqmckl.so";

}  // namespace

void say_what_binds_itself(Library& library, const void* inside) noexcept {
  const link_map* const object = object_around(inside);
  if (!object || !object->l_name[0] || library.said == object) return;
  if (leaves_open(*object, library.malloc) || leaves_open(*object, library.free)) return;
  if (library.said.exchange(object) == object) return;
  say(library, object->l_name,
      "calls its own memory functions, which then cannot be replaced; link it without -Bsymbolic and -Bsymbolic-functions");
}

void say_what_is_not_served(Library& library) noexcept {
  const link_map* const ours = object_around(reinterpret_cast<const void*>(&say));
  const link_map* const first = object_around(dlsym(RTLD_DEFAULT, library.malloc));
  const link_map* const creator = object_around(dlsym(RTLD_DEFAULT, library.create));
  const void* const next = dlsym(RTLD_NEXT, library.malloc);
  if (first && first != ours) {
    say(library, first->l_name,
        first->l_name[0] ? "comes before libcadastre_qmckl; preload libcadastre_qmckl, or link it first" : in_itself);
  } else if (creator && creator != ours) {
    say(library, creator->l_name,
        "creates and destroys contexts by itself (libqmckl.a); blocks left in a context are freed when the process ends");
  } else if (next) {
    say_what_binds_itself(library, next);
  } else if (program_has(library.malloc)) {
    say(library, nullptr, in_itself);
  }
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
