// Tangled from org/backends/ipc.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that other processes may have open, and what a handle says.
#ifndef CADASTRE_SRC_BACKENDS_IPC_HPP
#define CADASTRE_SRC_BACKENDS_IPC_HPP

#include <cstddef>
#include <cstdint>

#include "backends/backend.hpp"
#include "base/record.hpp"

namespace cadastre::internal {

// As it lies in a cadastre_ipc_handle_struct.
struct IpcHandle {
  char mark[8];       // which says the version
  std::uint64_t sum;  // of all that follows
  std::int32_t backend, type;
  std::uint64_t size;        // of the block
  std::uint64_t offset;      // where it begins in what the vendor opens
  std::int64_t process;      // that exports it
  std::int32_t file, place;  // of the exports, in that process; and of this one there
  std::uint64_t secret, number;
  VendorHandle vendor;
  char device[64];  // the vendor's identifier of the device
  char unused[56];
};
static_assert(sizeof(IpcHandle) == sizeof(cadastre_ipc_handle_struct) && sizeof(IpcHandle) == 256);

void write_handle(IpcHandle handle, cadastre_ipc_handle_struct& to) noexcept;
// Fails where it is none of this version, or was changed.
cadastre_exit_code read_handle(const cadastre_ipc_handle_struct& from, IpcHandle& handle) noexcept;

// Enters a block that is going to be exported, once for all handles; fills in what a handle says of it. whose: the context.
cadastre_exit_code enter_export(const Record& block, cadastre_context whose, Backend& backend, IpcHandle& handle) noexcept;
// A block that was entered is another's by now, or none: what was entered then is forgotten, where it is there.
void forget_export(const Record& block, cadastre_context whose) noexcept;
// Whether a block has a handle, so that its free may have to wait for the device.
bool is_exported(const Record& block) noexcept;
// A block is to be freed. no: no other process has it open, it is exported no more, and its memory may go. must_wait: one has, and the memory will be
// held; nothing has changed before the device was waited for, as a free does. held: it is.
enum class Hold : unsigned char { no, must_wait, held };
Hold hold_export(const Record& block, bool waited) noexcept;
// Frees what is held and nobody has open any more; whether there was any. Calls backends.
bool free_held_exports() noexcept;
// Whether anything is held.
bool are_exports_held() noexcept;
// The vendor has given this memory: what was held of it is held no more, since the device was reset.
void lose_held_exports(const Backend& backend, const void* begin, std::size_t bytes) noexcept;

// Around a fork.
void lock_exports_for_fork() noexcept;
void unlock_exports_in_parent() noexcept;
void unlock_exports_in_child() noexcept;
// In the child, before the accounts are cleared: nothing is exported there.
void forget_exports_in_child() noexcept;

// Keeps a block of another process from being used again; file: what end_claim gets.
cadastre_exit_code claim_import(const IpcHandle& handle, int& file) noexcept;
void end_claim(int file) noexcept;

}  // namespace cadastre::internal
#endif
