// Tangled from org/adapters/qmckl_unserved.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "qmckl_unserved.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>

namespace cadastre::qmckl {
namespace {

void say(const Library& library, const char* object, const char* what) noexcept {
  const int before = errno;
  char line[1024];
  const int length = std::snprintf(line, sizeof line, "libcadastre_qmckl: memory of %s is not all in the registry: %.300s %s\n",
                                   library.name, *object ? object : "the program", what);
  if (length > 0 && write(STDERR_FILENO, line, std::min(static_cast<std::size_t>(length), sizeof line - 1)) < 0) {
    // There is no standard error.
  }
  errno = before;
}

// An object that is loaded, by what its loader tells.
struct Object {
  bool is_program = false;
  const char* name = "";  // of its file; that of the program has none
  ElfW(Addr) base = 0;
  const ElfW(Dyn) * dynamic = nullptr;  // null: there is no such object
};

// A table in it. The loader has made addresses of most of these numbers, and offsets of some.
template <class Entry>
const Entry* table_at(const Object& object, ElfW(Addr) address) noexcept {
  return reinterpret_cast<const Entry*>(address < object.base ? object.base + address : address);
}

std::size_t symbol_of(ElfW(Xword) info) noexcept { return sizeof(void*) == 8 ? info >> 32 : info >> 8; }

// What the loader was told of an object.
struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  ElfW(Addr) jumps = 0, plain = 0, added = 0;  // relocations: of calls; others without and with an addend
  std::size_t jumps_size = 0, plain_size = 0, added_size = 0;
  bool jumps_are_added = false;
};

Dynamic dynamic_of(const Object& object) noexcept {
  Dynamic d;
  for (const ElfW(Dyn)* entry = object.dynamic; entry->d_tag != DT_NULL; ++entry) {
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
bool names_symbol(const Object& object, const Dynamic& d, ElfW(Addr) address, std::size_t bytes, const char* name) noexcept {
  const Relocation* const relocations = table_at<Relocation>(object, address);
  for (std::size_t i = 0; i < bytes / sizeof(Relocation); ++i) {
    const std::size_t symbol = symbol_of(relocations[i].r_info);
    if (symbol != 0 && std::strcmp(d.names + d.symbols[symbol].st_name, name) == 0) return true;
  }
  return false;
}

// Whether others may answer an object's calls of a function.
bool leaves_open(const Object& object, const char* name) noexcept {
  const Dynamic d = dynamic_of(object);
  if (!d.symbols || !d.names) return true;
  const bool by_jumps = d.jumps_are_added ? names_symbol<ElfW(Rela)>(object, d, d.jumps, d.jumps_size, name)
                                          : names_symbol<ElfW(Rel)>(object, d, d.jumps, d.jumps_size, name);
  return by_jumps || names_symbol<ElfW(Rela)>(object, d, d.added, d.added_size, name) ||
         names_symbol<ElfW(Rel)>(object, d, d.plain, d.plain_size, name);
}

struct Search {
  ElfW(Addr) address;
  bool begun = false;
  Object found;
};

// The first object is the program.
int look_into(dl_phdr_info* info, std::size_t, void* data) noexcept {
  Search& search = *static_cast<Search*>(data);
  Object object{!std::exchange(search.begun, true), "", info->dlpi_addr, nullptr};
  if (!object.is_program) object.name = info->dlpi_name;
  bool is_inside = false;
  for (const ElfW(Phdr)* part = info->dlpi_phdr; part != info->dlpi_phdr + info->dlpi_phnum; ++part) {
    const ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD) is_inside = is_inside || search.address - start < part->p_memsz;
    if (part->p_type == PT_DYNAMIC) object.dynamic = reinterpret_cast<const ElfW(Dyn)*>(start);
  }
  if (is_inside) search.found = object;
  return is_inside;
}

Object object_around(const void* address) noexcept {
  Search search{reinterpret_cast<ElfW(Addr)>(address), false, {}};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

// A file as it is, for as long as this is.
class Mapped {
 public:
  explicit Mapped(const char* path) noexcept {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status{};
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
bool defines(const Mapped& file, const ElfW(Shdr) & symbols, const ElfW(Shdr) & strings, const char* name) noexcept {
  const char* const text = file.at<char>(strings.sh_offset, strings.sh_size);
  const std::size_t number = symbols.sh_size / sizeof(ElfW(Sym));
  const auto* const all = file.at<ElfW(Sym)>(symbols.sh_offset, number);
  const std::size_t length = std::strlen(name) + 1;
  if (!text || !all || !memmem(text, strings.sh_size, name, length)) return false;
  return std::any_of(all, all + number, [&](const ElfW(Sym) & symbol) {
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

constexpr const char* in_itself = "contains QMCkl's memory functions (libqmckl.a), which then cannot be replaced; link libqmckl.so";

}  // namespace

void say_what_binds_itself(Library& library, const void* inside) noexcept {
  const Object object = object_around(inside);
  if (!object.dynamic || object.is_program || library.said == object.dynamic) return;
  if (leaves_open(object, library.malloc) || leaves_open(object, library.free)) return;
  if (library.said.exchange(object.dynamic) == object.dynamic) return;
  say(library, object.name,
      "calls its own memory functions, which then cannot be replaced; link it without -Bsymbolic and -Bsymbolic-functions");
}

void say_what_is_not_served(Library& library) noexcept {
  const Object ours = object_around(reinterpret_cast<const void*>(&say));
  const Object first = object_around(dlsym(RTLD_DEFAULT, library.malloc));
  const Object creator = object_around(dlsym(RTLD_DEFAULT, library.create));
  const void* const next = dlsym(RTLD_NEXT, library.malloc);
  if (first.dynamic && first.dynamic != ours.dynamic) {
    say(library, first.name, first.is_program ? in_itself : "comes before libcadastre_qmckl; preload libcadastre_qmckl, or link it first");
  } else if (creator.dynamic && creator.dynamic != ours.dynamic) {
    say(library, creator.name,
        "creates and destroys contexts by itself (libqmckl.a); blocks left in a context are freed when the process ends");
  } else if (next) {
    say_what_binds_itself(library, next);
  } else if (program_has(library.malloc)) {
    say(library, "", in_itself);
  }
}

}  // namespace cadastre::qmckl
