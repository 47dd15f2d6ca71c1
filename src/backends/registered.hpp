// Tangled from org/backends/registered.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Backends that the program supplies as a table of operations.
#ifndef CADASTRE_SRC_BACKENDS_REGISTERED_HPP
#define CADASTRE_SRC_BACKENDS_REGISTERED_HPP

#include <atomic>
#include <cstdint>
#include <cstring>

#include "backends/operations.hpp"
#include "base/non_copyable.hpp"
#include "base/owned.hpp"

namespace cadastre::internal {

class Registration : NonCopyable {
 public:
  // called: a name that has been checked.
  explicit Registration(const char* called) noexcept { std::memcpy(name, called, std::strlen(called) + 1); }

  char name[longest_backend_name + 1];

  cadastre_backend number() const noexcept { return number_; }
  void open(cadastre_backend number) noexcept {
    number_ = number;
    uses_ = 0;
  }
  // Fails while somebody uses it.
  bool close() noexcept {
    std::int64_t nobody = 0;
    return uses_.compare_exchange_strong(nobody, closed);
  }
  bool is_open() const noexcept { return uses_ != closed; }
  std::int64_t uses() const noexcept { return uses_; }

  // One user more; false when nobody is let in.
  bool hold() noexcept {
    std::int64_t uses = uses_;
    while (uses != closed) {
      if (uses_.compare_exchange_weak(uses, uses + 1)) return true;
    }
    return false;
  }
  void let_go() noexcept { --uses_; }
  // The failure of who was not let in.
  cadastre_exit_code absent() const noexcept;

 private:
  static constexpr std::int64_t closed = -1;

  std::atomic<cadastre_backend> number_ = CADASTRE_INVALID_BACKEND;
  std::atomic<std::int64_t> uses_ = closed;
};

// A backend that has been registered, or is about to be.
class Registered : NonCopyable {
 public:
  explicit Registered(const char* called) noexcept : registration(called) {}
  virtual ~Registered() = default;

  virtual Backend& backend() noexcept = 0;
  // What is to be done when nobody uses it any more, and nobody will.
  virtual cadastre_exit_code end(cadastre_exit_code) noexcept { return CADASTRE_SUCCESS; }

  Registration registration;
  Registered* older = nullptr;
};

// What any such backend says when it is called too late.
inline constexpr const char* not_registered = "it is not registered";

inline cadastre_exit_code Registration::absent() const noexcept {
  return fail(
      {.exit_code = CADASTRE_NOT_SUPPORTED, .reason = CADASTRE_REASON_BACKEND_UNAVAILABLE, .backend = number(), .detail = not_registered});
}

// Enters a backend under its name. Fails as a registration does; number is left as it is then.
cadastre_exit_code enter_registration(Owned<Registered> registered, cadastre_backend& number) noexcept;

// Both fail as the public functions that call them do. number is left as it is on failure.
cadastre_exit_code register_backend(const char* name, const cadastre_backend_operations_struct* operations, void* content,
                                    cadastre_backend& number) noexcept;
cadastre_exit_code unregister_backend(cadastre_backend number) noexcept;

}  // namespace cadastre::internal
#endif
