// Tangled from org/context/imports.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of other processes that a context has open.
#ifndef CADASTRE_SRC_CONTEXT_IMPORTS_HPP
#define CADASTRE_SRC_CONTEXT_IMPORTS_HPP

#include <cstdint>

#include "base/own_memory.hpp"
#include "context/sources.hpp"

namespace cadastre::internal {

// A block of another process: what the vendor has opened, and how often; and the claim that keeps it there.
struct Import {
  void* pointer;
  void* base;
  std::int32_t device;
  int file;
  int times;
};

// Closes a block as often as it was opened. Outside.
cadastre_exit_code end_import(Sources& sources, const Import& import) noexcept;

class Imports {
 public:
  bool empty() const noexcept { return list_.empty(); }
  // Room for one more; false where the host has no memory.
  bool reserve_one() noexcept { return list_.reserve_one(); }
  void add(const Import& import) noexcept { list_.push_back(import); }
  // Null where there is none.
  Import* find(const void* pointer) noexcept;
  void remove(const Import* import) noexcept { list_.remove_at(static_cast<std::size_t>(import - list_.begin())); }
  // Takes those of others, as many as there is memory for.
  void take_from(Imports& others) noexcept;
  // Closes all, and forgets them. Outside.
  cadastre_exit_code end_all(Sources& sources) noexcept;
  // In the child of a fork.
  void leave_to_parent() noexcept;

 private:
  OwnVector<Import> list_;
};

}  // namespace cadastre::internal
#endif
