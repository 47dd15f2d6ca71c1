// Tangled from org/adapters/qmckl_registries.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// One registry for each context of a library: of QMCkl, or of its companion for GPUs.
#ifndef CADASTRE_SRC_ADAPTERS_QMCKL_REGISTRIES_HPP
#define CADASTRE_SRC_ADAPTERS_QMCKL_REGISTRIES_HPP

#include <cstddef>
#include <cstdint>

#include "cadastre.h"
#include "../base/lock.hpp"
#include "qmckl_originals.hpp"

namespace cadastre::qmckl {

using internal::assert_no_lock_held;
using internal::Locked;
using internal::Mutex;
using internal::Rank;

// The registries of the contexts of one library. Meant to be static, with no destructor to run.
class Registries {
 public:
  // How the registry of an adopted context is to be.
  using OptionsFor = cadastre_context_options_struct (*)(std::int64_t context) noexcept;

  // check_function_name: of the library's function that answers its argument when that is a valid context, else 0.
  // options_for: by default all of cadastre_context_options_struct_zero.
  explicit constexpr Registries(const char* check_function_name, OptionsFor options_for = nullptr) noexcept
      : check_(check_function_name), options_for_(options_for) {}
  Registries(const Registries&) = delete;
  Registries& operator=(const Registries&) = delete;

  // The registry of a context: from the table, or adopted; CADASTRE_NULL_CONTEXT when the library does not know the
  // context either, or no registry can be created, which cadastre_last_error(CADASTRE_NULL_CONTEXT, ...) then tells.
  cadastre_context of(std::int64_t context) noexcept;

  // From the table only.
  cadastre_context known(std::int64_t context) noexcept;

  // A moment, to be asked for before the library is asked for a context.
  std::uint64_t now() noexcept;

  // Has the library create a context, by its own function, and opens its registry. Result: as the library's; 0 where
  // there is none.
  template <class... Parameters>
  std::int64_t create(Original<std::int64_t(Parameters...)>& library_create, const cadastre_context_options_struct& options,
                      Parameters... parameters) noexcept {
    const auto own = library_create.find();
    if (!own) return 0;
    const std::uint64_t before = now();
    assert_no_lock_held("the library's function that creates a context");
    const std::int64_t context = own(parameters...);
    open(context, options, before);
    return context;
  }

  // Has the library destroy a context, and closes its registry. The blocks stay until the library has ended its own
  // use of them. A context that it does not know any more was destroyed unseen. Result: as the library's.
  std::int32_t destroy(Original<std::int32_t(std::int64_t)>& library_destroy, std::int64_t context) noexcept {
    const auto own = library_destroy.find();
    if (!own) return CADASTRE_INVALID_CONTEXT;
    const cadastre_context registry = known(context);
    assert_no_lock_held("the library's function that destroys a context");
    const std::int32_t code = own(context);
    if (code == CADASTRE_SUCCESS || code == CADASTRE_INVALID_CONTEXT) close(context, registry);
    return code;
  }

  // After the library created a context. A registry that was there at the moment since is a leftover, and is
  // replaced; one that was adopted later is kept. Where none can be created, of tries again.
  void open(std::int64_t context, const cadastre_context_options_struct& options) noexcept { open(context, options, now()); }
  void open(std::int64_t context, const cadastre_context_options_struct& options, std::uint64_t since) noexcept;

  // After the library destroyed a context: frees what the registry holds, and forgets it. registry: what known said
  // before the library was asked; one that has come in its place since is left alone.
  void close(std::int64_t context) noexcept { close(context, known(context)); }
  void close(std::int64_t context, cadastre_context registry) noexcept;

 private:
  struct Entry {
    std::int64_t context;  // 0: empty
    cadastre_context registry;
    std::uint64_t moment;  // when it came
  };

  static bool watch_forks() noexcept CADASTRE_REQUIRES(mutex_);
  Entry* find(std::int64_t context) const noexcept CADASTRE_REQUIRES(mutex_);
  bool insert(std::int64_t context, cadastre_context registry) noexcept CADASTRE_REQUIRES(mutex_);
  bool grow() noexcept CADASTRE_REQUIRES(mutex_);
  void remove(Entry* entry) noexcept CADASTRE_REQUIRES(mutex_);
  std::size_t place(std::int64_t context) const noexcept CADASTRE_REQUIRES(mutex_);

  cadastre_context adopt(std::int64_t context) noexcept;

  Original<std::int64_t(std::int64_t)> check_;
  OptionsFor options_for_;
  static inline constinit Mutex<Rank::adapter> mutex_;  // of the registries of all libraries
  static inline bool forks_are_watched_ CADASTRE_GUARDED_BY(mutex_) = false;
  Entry* entries_ CADASTRE_GUARDED_BY(mutex_) = nullptr;
  std::size_t room_ CADASTRE_GUARDED_BY(mutex_) = 0;  // a power of two, more than used_; or 0
  std::size_t used_ CADASTRE_GUARDED_BY(mutex_) = 0;
  std::uint64_t moment_ CADASTRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace cadastre::qmckl
#endif
