// Tangled from org/backend.org; change the chapter, then run: make tangle
// Where memory comes from: the contract, and the list of backends in this build.
#ifndef CADASTRE_SRC_BACKEND_HPP
#define CADASTRE_SRC_BACKEND_HPP

#include <optional>

#include "error.hpp"
#include "record.hpp"
#include "vocabulary.hpp"

namespace cadastre::internal {

struct Request {
  std::size_t size;       // may be 0; the answer is then an address of its own all the same
  std::size_t alignment;  // 0: whatever is natural to the backend
  cadastre_memory_type type;
  std::int32_t device;
  bool zero;
};

struct Grant {
  void* pointer;
  std::size_t alignment;  // what holds, a power of two; at least what was asked for
  std::uint16_t how;      // the backend's own remark, handed back in the record at free
};

struct Presence {
  bool usable;
  std::int32_t devices;
  const char* why_not;  // a sentence; empty when usable
};

class Backend {
 public:
  virtual cadastre_backend number() const noexcept = 0;
  virtual Presence presence() const noexcept = 0;
  virtual bool serves(cadastre_memory_type type) const noexcept = 0;
  virtual std::size_t largest_alignment(cadastre_memory_type type) const noexcept = 0;

  virtual cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept = 0;
  virtual cadastre_exit_code free(const Record& record) noexcept = 0;
  // Both ranges are this backend's and do not overlap.
  virtual cadastre_exit_code copy(void* to, const void* from, std::size_t bytes) noexcept = 0;
  virtual cadastre_exit_code set(void* to, int value, std::size_t bytes) noexcept = 0;

  // Gives a block a new size: keeps its contents, zeroes what is new unless the record says
  // CADASTRE_UNINITIALIZED. The record describes the old block, which is gone when this succeeds and
  // untouched when it fails. By default: allocate, copy, free.
  virtual cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) noexcept;

 protected:
  ~Backend() = default;
};

// Refuses a request that is malformed, or that this backend cannot serve.
cadastre_exit_code admit(const Backend& backend, const Request& request) noexcept;

// A backend of this build; null when it is not part of it.
Backend* built_backend(cadastre_backend number) noexcept;

// Whether a backend can be used here, and why not; also for one that is not part of the build.
Presence presence_of(cadastre_backend number) noexcept;

// The backend asked for; for none, the first one that has a device, else the host's. Null and a failure
// when the one asked for is absent.
Backend* choose_backend(std::optional<cadastre_backend> asked) noexcept;

}  // namespace cadastre::internal
#endif
