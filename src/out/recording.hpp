// Tangled from org/out/recording.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a process records of itself: a trace of its calls.
#ifndef CADASTRE_SRC_OUT_RECORDING_HPP
#define CADASTRE_SRC_OUT_RECORDING_HPP

#include <atomic>
#include <cstdint>

#include "context/boundary.hpp"
#include "context/transfer.hpp"

namespace cadastre::internal {

// What records calls: bits, so that one test answers for both.
enum Recording : std::uint8_t { to_trace = 1, to_black_box = 2 };
extern std::atomic<std::uint8_t> recordings;

inline bool is_recorded() noexcept { return recordings.load(std::memory_order_relaxed) != 0; }
inline bool is_traced() noexcept { return (recordings.load(std::memory_order_relaxed) & to_trace) != 0; }

// Opens the files that the environment names, unless that was done, or this is a child process that must not write to
// them. A file that cannot be written is not recorded to. Throws std::bad_alloc.
void open_recordings();

// Whether what a locked call did is recorded. What a handler of signals asks for while its thread is inside the library has none: the thread may be
// writing one.
inline bool is_recorded(const PublicCall& call) noexcept {
  if (!is_recorded()) [[likely]]
    return false;
  return call.result != CADASTRE_FAILURE || failed_last().reason != CADASTRE_REASON_CALLED_FROM_SIGNAL_HANDLER;
}

// Whether the trace is lines of text, for which each call takes the context lock.
bool trace_is_lines() noexcept;
inline bool traces_lines() noexcept { return is_traced() && trace_is_lines(); }

// Each thread counts its calls down to the next one that is timed.
inline thread_local constinit std::uint32_t calls_until_timed = 32;
std::int64_t begin_timed_call() noexcept;
// When a call begins that is timed; 0 for the others.
[[gnu::always_inline]] inline std::int64_t time_of_entry() noexcept {
  if (--calls_until_timed != 0) [[likely]]
    return 0;
  return begin_timed_call();
}
inline std::int64_t time_of_entry_if_traced() noexcept { return is_traced() ? time_of_entry() : 0; }

// entered: what one of these gave when the call began.
// What calls did, each before its call leaves the context, or where it was not let in; call.result is what came of it.
void record_malloc(LookUp& call, const cadastre_memory_info_struct& info, const void* pointer, std::int64_t entered) noexcept;
// serial: the number of the block that was freed; 0 for none.
void record_free(LookUp& call, const void* pointer, std::uint64_t serial, std::int64_t entered) noexcept;
// The same of calls that were done in a slab, without the context lock, and succeeded. traits: what the block's word says of it.
void record_malloc_in_slab(cadastre_context context, std::size_t size, std::uint64_t traits, const void* pointer,
                           std::int64_t entered) noexcept;
void record_free_in_slab(cadastre_context context, std::uint64_t number, std::int64_t entered) noexcept;
// Of a block that lies in no slab and was allocated without the context lock, which happens in no trace.
void record_malloc_alone(cadastre_context context, const cadastre_memory_info_struct& info) noexcept;
void record_info_in_slab(cadastre_context context, const void* pointer, const cadastre_memory_info_struct& info) noexcept;
// One of the blocks that a call frees together.
void record_free_of(ContextLock& lock, const Record& block, cadastre_exit_code code) noexcept;
void record_realloc(LookUp& call, const void* pointer, std::size_t size, const void* resized, std::int64_t entered) noexcept;
void record_info(LookUp& call, const void* pointer) noexcept;
void record_copy(LookUp& call, const CopyOrder& order, std::int64_t entered) noexcept;
// number: of the context that is gone; 0 for none.
void record_destroy(std::uint64_t number, cadastre_exit_code code) noexcept;
// The line of a creation, before any other thread knows the handle.
void record_create(cadastre_context created, cadastre_exit_code code) noexcept;

}  // namespace cadastre::internal
#endif
