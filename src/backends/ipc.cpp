// Tangled from org/backends/ipc.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/ipc.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "base/accounting.hpp"
#include "base/byte_range.hpp"
#include "base/error.hpp"
#include "base/file_identity.hpp"
#include "base/lock.hpp"
#include "base/own_memory.hpp"
#include "base/process.hpp"

namespace cadastre::internal {

namespace {

constexpr char mark[8] = {'C', 'A', 'D', 'I', 'P', 'C', '\0', '1'};

// FNV-1a: against what is cut off, shifted or overwritten, and nobody's malice.
std::uint64_t sum_of(const IpcHandle& handle) noexcept {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&handle);
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t i = offsetof(IpcHandle, backend); i < sizeof handle; ++i) sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum;
}

cadastre_exit_code refuse_handle(const Text& detail) noexcept {
  return fail({.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_INVALID_IPC_HANDLE, .detail = detail});
}

}  // namespace

void write_handle(IpcHandle handle, cadastre_ipc_handle_struct& to) noexcept {
  std::memcpy(handle.mark, mark, sizeof mark);
  handle.sum = sum_of(handle);
  std::memcpy(to.bytes, &handle, sizeof handle);
}

cadastre_exit_code read_handle(const cadastre_ipc_handle_struct& from, IpcHandle& handle) noexcept {
  std::memcpy(&handle, from.bytes, sizeof handle);
  if (std::memcmp(handle.mark, mark, sizeof mark - 1) != 0) return refuse_handle("it is none that cadastre_ipc_export wrote");
  if (handle.mark[7] != mark[7]) return refuse_handle("another version of this library wrote it, and its layout differs");
  if (handle.sum != sum_of(handle)) return refuse_handle("its bytes have changed since");
  return CADASTRE_SUCCESS;
}

namespace {

constexpr off_t first_place = 4096;
constexpr std::size_t bytes_of_place = sizeof(std::uint64_t);
constexpr off_t offset_of(std::size_t place) noexcept { return first_place + static_cast<off_t>(place * bytes_of_place); }

// A block that has a handle, or had one and is held. Without a number: a place that is vacant.
struct Exported {
  Record block;
  cadastre_context whose = CADASTRE_NULL_CONTEXT;
  Backend* backend = nullptr;
  std::uint64_t number = 0;
  bool held = false;
};

// In the order of their places.
constinit Mutex<Rank::ipc> guard;
OwnVector<Exported>& all() noexcept {
  alignas(OwnVector<Exported>) static unsigned char room[sizeof(OwnVector<Exported>)];
  static auto* const exports = ::new (room) OwnVector<Exported>;
  return *exports;
}
struct File {
  int number = -1;
  FileIdentity identity;
  std::uint64_t secret = 0;
};
constinit File file;
constinit std::uint64_t last_number = 0;
constinit std::atomic<std::size_t> held_blocks = 0;  // changed with guard

bool lock_place(int number, short type, std::size_t place) noexcept {
#ifdef F_OFD_SETLK
  struct flock range = byte_range(type, offset_of(place), bytes_of_place);
  return fcntl(number, F_OFD_SETLK, &range) == 0;
#else
  return false;
#endif
}

bool write_number(std::size_t place, std::uint64_t number) noexcept {
  return pwrite(file.number, &number, sizeof number, offset_of(place)) == static_cast<ssize_t>(sizeof number);
}

// Whether the descriptor still is that of the file, which a program may have closed.
bool is_there() noexcept { return is_of(file.number, file.identity); }

// The secret is no key: it only differs from that of another process, and from that of one that had the same number before.
cadastre_exit_code make_file() noexcept {
  if (file.number >= 0) return CADASTRE_SUCCESS;
  const auto refuse = [] {
    return fail(
        {.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_WRITE_FAILED, .vendor_code = errno, .vendor = std::strerror(errno)});
  };
#if defined(MFD_CLOEXEC) && defined(F_OFD_SETLK)
  File made;
  made.number = memfd_create("cadastre exports", MFD_CLOEXEC);
  if (made.number < 0) return refuse();
  made.identity = identity_of(made.number);
  made.secret =
      static_cast<std::uint64_t>(process_start()) ^ static_cast<std::uint64_t>(process_id()) << 40 ^ static_cast<std::uint64_t>(time_now());
  if (pwrite(made.number, &made.secret, sizeof made.secret, 0) != static_cast<ssize_t>(sizeof made.secret)) {
    const cadastre_exit_code code = refuse();
    close(made.number);
    return code;
  }
  file = made;
  return CADASTRE_SUCCESS;
#else
  errno = ENOSYS;
  return refuse();
#endif
}

bool are_one(const Record& a, const Record& b) noexcept { return a.pointer == b.pointer && a.device == b.device && a.backend == b.backend; }

// The place of a block that is not held; as many as there are where it has none.
std::size_t place_of(const Record& block) noexcept {
  const auto* const found = std::find_if(all().begin(), all().end(),
                                         [&](const Exported& one) { return one.number != 0 && !one.held && are_one(one.block, block); });
  return static_cast<std::size_t>(found - all().begin());
}

// Takes a block out that nobody has open; false where somebody has, or nobody knows.
bool take_out(std::size_t place) noexcept {
  if (!is_there() || !lock_place(file.number, F_WRLCK, place)) return false;
  write_number(place, 0);
  lock_place(file.number, F_UNLCK, place);
  all()[place].number = 0;
  return true;
}

// Its memory is another block's by now, as after a reset of the device.
void drop(std::size_t place) noexcept {
  if (is_there()) write_number(place, 0);
  all()[place].number = 0;
}

void count_held(const Record& block, bool more) noexcept {
  const auto type = static_cast<cadastre_memory_type>(block.type);
  held_blocks.store(more ? held_blocks + 1 : held_blocks - 1, std::memory_order_relaxed);
  if (more) process_account().of(type).claim_beyond(block.size);
  else process_account().of(type).cancel(block.size);
}

// From now on nobody opens it who has not.
void hold(std::size_t place) noexcept {
  if (is_there()) write_number(place, 0);
  all()[place].held = true;
  count_held(all()[place].block, true);
}

}  // namespace

cadastre_exit_code enter_export(const Record& block, cadastre_context whose, Backend& backend, IpcHandle& handle) noexcept {
  const Locked locked(guard);
  if (const cadastre_exit_code code = make_file(); code != CADASTRE_SUCCESS) return code;
  std::size_t place = place_of(block);
  if (place == all().size() || all()[place].whose != whose || all()[place].block.serial != block.serial) {
    if (place < all().size()) drop(place);
    const auto* const vacant = std::find_if(all().begin(), all().end(), [](const Exported& one) { return one.number == 0; });
    place = static_cast<std::size_t>(vacant - all().begin());
    if (place == all().size()) {
      if (!all().reserve_one()) return fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_OUT_OF_HOST_MEMORY});
      all().push_back({});
    }
    const std::uint64_t number = last_number + 1;
    if (!is_there() || !write_number(place, number)) {
      return fail({.exit_code = CADASTRE_FAILURE,
                   .reason = CADASTRE_REASON_WRITE_FAILED,
                   .vendor_code = errno,
                   .vendor = is_there() ? std::strerror(errno) : "the program has closed a file of this library"});
    }
    last_number = number;
    all()[place] = {block, whose, &backend, number, false};
  }
  handle.backend = block.backend;
  handle.type = block.type;
  handle.size = block.size;
  handle.process = process_id();
  handle.file = file.number;
  handle.place = static_cast<std::int32_t>(place);
  handle.secret = file.secret;
  handle.number = all()[place].number;
  return CADASTRE_SUCCESS;
}

void forget_export(const Record& block, cadastre_context whose) noexcept {
  const Locked locked(guard);
  const std::size_t place = place_of(block);
  if (place < all().size() && all()[place].whose == whose && all()[place].block.serial == block.serial) take_out(place);
}

bool is_exported(const Record& block) noexcept {
  const Locked locked(guard);
  return place_of(block) < all().size();
}

Hold hold_export(const Record& block, bool waited) noexcept {
  const Locked locked(guard);
  const std::size_t place = place_of(block);
  if (place == all().size() || take_out(place)) return Hold::no;
  if (!waited) return Hold::must_wait;
  all()[place].block = block;
  hold(place);
  return Hold::held;
}

bool free_held_exports() noexcept {
  bool any = false;
  for (std::size_t place = 0;; ++place) {
    Exported gone;
    {
      const Locked locked(guard);
      while (place < all().size() && !(all()[place].number != 0 && all()[place].held && take_out(place))) ++place;
      if (place >= all().size()) return any;
      gone = all()[place];
      count_held(gone.block, false);
    }
    gone.block.flags = static_cast<std::uint16_t>(gone.block.flags & ~CADASTRE_EXPORTABLE);
    Place there;
    const bool was_reset = !gone.backend->claims(gone.block.pointer, there);
    if (was_reset || gone.backend->free(gone.block) != CADASTRE_CAPTURE_ACTIVE) {
      any = true;
      continue;
    }
    const Locked locked(guard);
    if (!all().reserve_one()) continue;
    gone.number = ++last_number;
    all().push_back(gone);
    count_held(gone.block, true);
    return any;
  }
}

void lose_held_exports(const Backend& backend, const void* begin, std::size_t bytes) noexcept {
  if (!are_exports_held()) return;
  const Locked locked(guard);
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  for (std::size_t place = 0; place < all().size(); ++place) {
    const Exported& one = all()[place];
    const auto its_first = reinterpret_cast<std::uintptr_t>(one.block.pointer);
    const bool meets = its_first < first + bytes && first < its_first + std::max<std::size_t>(one.block.size, 1);
    if (one.number == 0 || !one.held || one.backend != &backend || !meets) continue;
    count_held(one.block, false);
    drop(place);
  }
}

bool are_exports_held() noexcept { return held_blocks.load(std::memory_order_relaxed) > 0; }

namespace {

cadastre_exit_code refuse_ended(const char* detail) noexcept {
  return fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_EXPORT_ENDED, .detail = detail});
}

cadastre_exit_code refuse_to_open(std::int64_t process) noexcept {
  const int error = errno;
  if (error == EACCES || error == EPERM) {
    return fail({.exit_code = CADASTRE_FAILURE,
                 .reason = CADASTRE_REASON_EXPORT_ENDED,
                 .vendor_code = error,
                 .detail = text("this process may not look into process %lld, which exports it", static_cast<long long>(process))});
  }
  if (error == EMFILE || error == ENFILE) {
    return fail({.exit_code = CADASTRE_FAILURE,
                 .reason = CADASTRE_REASON_EXPORT_ENDED,
                 .vendor_code = error,
                 .detail = "no file descriptor is left in this process, of which each import takes one"});
  }
  return fail({.exit_code = CADASTRE_FAILURE,
               .reason = CADASTRE_REASON_EXPORT_ENDED,
               .vendor_code = error,
               .detail = text("process %lld, which exports it, has ended, or runs on another node or in another container",
                              static_cast<long long>(process))});
}

}  // namespace

cadastre_exit_code claim_import(const IpcHandle& handle, int& claimed) noexcept {
  const KeptErrno kept;
  if (handle.process == process_id()) return refuse_handle("this process exports the block itself, and has its address");
  char name[64], link[64] = {};
  std::snprintf(name, sizeof name, "/proc/%lld/fd/%d", static_cast<long long>(handle.process), handle.file);
  constexpr char wanted[] = "/memfd:cadastre exports";
  if (readlink(name, link, sizeof link - 1) < 0) return refuse_to_open(handle.process);
  const bool is_one = std::strncmp(link, wanted, sizeof wanted - 1) == 0;
  const int number = is_one ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (is_one && number < 0) return refuse_to_open(handle.process);
  std::uint64_t secret = 0, exported = 0;
  if (!is_one || pread(number, &secret, sizeof secret, 0) != static_cast<ssize_t>(sizeof secret) || secret != handle.secret) {
    if (is_one) close(number);
    return refuse_ended("the process that exports it has ended, and another has its number");
  }
  const auto place = static_cast<std::size_t>(handle.place);
  const bool there = handle.place >= 0 && lock_place(number, F_RDLCK, place) &&
                     pread(number, &exported, sizeof exported, offset_of(place)) == static_cast<ssize_t>(sizeof exported) &&
                     exported == handle.number && exported != 0;
  if (!there) {
    close(number);
    return refuse_ended("the process that exports it has freed it");
  }
  claimed = number;
  return CADASTRE_SUCCESS;
}

void end_claim(int claimed) noexcept {
  const KeptErrno kept;
  if (claimed >= 0) close(claimed);
}

void lock_exports_for_fork() noexcept CADASTRE_UNCHECKED { guard.lock_for_fork(); }
void unlock_exports_in_parent() noexcept CADASTRE_UNCHECKED { guard.unlock(); }
void unlock_exports_in_child() noexcept CADASTRE_UNCHECKED { guard.unlock(); }

void forget_exports_in_child() noexcept CADASTRE_UNCHECKED {
  if (is_there()) close(file.number);
  file = {};
  for (Exported& one : all()) one.number = 0;
  held_blocks = 0;
}

}  // namespace cadastre::internal
