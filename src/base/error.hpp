// Tangled from org/base/error.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Failures: stored as numbers where they happen, told as sentences when somebody asks.
#ifndef CADASTRE_SRC_BASE_ERROR_HPP
#define CADASTRE_SRC_BASE_ERROR_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/non_copyable.hpp"
#include "base/own_memory.hpp"
#include "cadastre.h"

namespace cadastre::internal {

struct Text {
  static constexpr std::size_t capacity = 288;  // a label, and words around it
  char characters[capacity];

  Text() noexcept { characters[0] = '\0'; }
  Text(const char* text) noexcept;  // cut at the capacity; null is empty
  Text(const Text& other) noexcept : Text(other.characters) {}
  Text& operator=(const Text& other) noexcept;
};

// Writes as printf does, cut at the capacity.
[[gnu::format(printf, 1, 2)]] Text text(const char* format, ...) noexcept;

// What an errno means, in English.
Text text_of_errno(int error) noexcept;

// Whether memory was refused, by a limit or because there is none.
constexpr bool is_shortage(cadastre_exit_code code) noexcept {
  return code == CADASTRE_ALLOCATION_FAILED || code == CADASTRE_LIMIT_EXCEEDED;
}

struct Failure {
  cadastre_exit_code exit_code = CADASTRE_SUCCESS;
  cadastre_reason reason = CADASTRE_REASON_NONE;
  cadastre_memory_type type = -1;
  cadastre_backend backend = -1;
  std::int32_t device = -1;
  std::int32_t argument = 0;  // where the exit code does not tell
  cadastre_flags flags = 0;
  std::size_t requested = 0;
  std::size_t bytes = 0;  // that an allocation was to have; requested may be an alignment
  std::size_t in_use = 0;
  std::size_t limit = 0;
  cadastre_memory_type limit_of = -1;  // a limit that is exceeded is of this type, or of all
  std::size_t required = 0;            // an alignment, a stride, the size of a structure, a device
  const void* pointer = nullptr;
  const void* base = nullptr;
  std::size_t size = 0;
  std::size_t offset = 0;
  std::uint64_t serial = 0;
  std::uint64_t freed = 0;
  cadastre_context owner = CADASTRE_NULL_CONTEXT;
  std::int64_t vendor_code = 0;
  const char* injected = nullptr;  // the rule by which a call inside the library failed before; stays valid
  Text vendor = {};
  Text label = {};
  Text detail = {};
  Text holders = {};  // of a request that was refused for want of memory: who has it

  // The memory type that is wanting; all where their limit is exceeded.
  cadastre_memory_type wanting() const noexcept { return limit_of >= 0 ? limit_of : type; }
};

// The number of the argument that an exit code names; 0 for none.
constexpr std::int32_t number_of_argument(cadastre_exit_code code) noexcept {
  return code >= CADASTRE_INVALID_ARG_1 && code <= CADASTRE_INVALID_ARG_20 ? code : 0;
}

// Stores a failure of the calling thread; returns its exit code.
cadastre_exit_code fail(const Failure& failure) noexcept;

// The failure that the calling thread stored last; to be called after one.
const Failure& failed_last() noexcept;

// Says of the failure stored last which public function failed, on which context. function is a literal.
void attribute(cadastre_context context, const char* function) noexcept;

// Fails and attributes in one call, for a function that is itself public.
cadastre_exit_code fail(cadastre_context context, const char* function, const Failure& failure) noexcept;

// The same for a look-up in a context of an address that is in no block, of which callers make many in a row.
cadastre_exit_code fail_unknown(cadastre_context context, const char* function, const void* pointer) noexcept;

// The last failure of the calling thread on a context; null where it remembers none.
Failure* last_failure(cadastre_context context) noexcept;

// Adds to the failure stored last what an allocation asked for, where it does not say so itself. label: null for none.
void describe_request(std::size_t bytes, cadastre_memory_type type, const char* label) noexcept;

// Adds to the failure stored last who has the memory.
void describe_holders(const Text& holders) noexcept;

// What the calling thread remembers of its failures is at the end what it was, whatever failed meanwhile. Of one thread at a time.
struct FailuresKept : NonCopyable {
  FailuresKept() noexcept;
  ~FailuresKept();
};

// Tells a failure of a function on a context.
void tell(cadastre_context context, const char* function, const Failure& failure, cadastre_error_struct& error) noexcept;

// Tells the calling thread's last failure on a context; SUCCESS and empty strings where there is none.
void tell_last_failure(cadastre_context context, cadastre_error_struct& error) noexcept;

// Who held how much. label: null for what has none; lives as long as the process.
struct Holder {
  const char* label;
  std::int64_t blocks;
  std::size_t bytes;
};

using Holders = std::array<Holder, 3>;  // the most first; those at the end may have no blocks

struct KeptFailure {
  const char* function;
  Failure failure;                                   // the last time
  std::int64_t count, first, last;                   // how often, and when, in nanoseconds since 1970
  Holders holders;                                   // when it was refused memory the last time
  cadastre_context context = CADASTRE_NULL_CONTEXT;  // on which it was, in holdings
};

// Not to be used by two threads at a time.
class KeptFailures {
 public:
  static constexpr std::size_t most = 8;

  struct GiveBack {
    void operator()(KeptFailure* entries) const noexcept { give_own(entries, most * sizeof(KeptFailure)); }
  };
  using Room = std::unique_ptr<KeptFailure[], GiveBack>;
  // Room for all of them; null where the host has no memory.
  static Room make_room() noexcept;
  // Takes the room where there was none, so that keep needs no memory.
  void use(Room& room) noexcept {
    if (!entries_) entries_.swap(room);
  }
  bool has_room() const noexcept { return entries_ != nullptr; }

  // Keeps one; null where the host has no memory for it. The holders are those of the time before.
  KeptFailure* keep(const char* function, const Failure& failure, std::int64_t now) noexcept;
  // The one that came last first.
  std::span<const KeptFailure> all() const noexcept { return {entries_.get(), used_}; }
  bool are_as_new() const noexcept { return !entries_ && forgotten_ == 0; }
  // Those that had to make room.
  std::int64_t forgotten() const noexcept { return forgotten_; }

 private:
  Room entries_;
  std::size_t used_ = 0;
  std::int64_t forgotten_ = 0;
};

}  // namespace cadastre::internal
#endif
