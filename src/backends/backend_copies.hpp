// Tangled from org/backends/backend_copies.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a backend does with bytes: copies, sets, hints; a default for all but two.
#ifndef CADASTRE_SRC_BACKENDS_BACKEND_COPIES_HPP
#define CADASTRE_SRC_BACKENDS_BACKEND_COPIES_HPP

#include "backends/backend_queues.hpp"
#include "backends/requests.hpp"

namespace cadastre::internal {

class BackendCopies : public BackendQueues {
 public:
  // One run of bytes (rows is 1) between two places, of which one at least is this backend's and the other
  // is so too or can be reached from the host.
  virtual cadastre_exit_code copy(const Copy& copy) noexcept = 0;
  virtual cadastre_exit_code set(const Fill& fill) noexcept = 0;
  virtual cadastre_exit_code copy_rows(const Copy& copy) noexcept;
  // taken: whether the hint was followed. Never a failure because a device cannot follow it.
  virtual cadastre_exit_code prefetch(const Hint&, bool& taken) noexcept {
    taken = false;
    return CADASTRE_SUCCESS;
  }
  virtual cadastre_exit_code advise(const Hint&, bool& taken) noexcept {
    taken = false;
    return CADASTRE_SUCCESS;
  }

 protected:
  ~BackendCopies() = default;
};

}  // namespace cadastre::internal
#endif
