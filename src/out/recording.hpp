// Tangled from org/out/recording.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a process records of itself: the lines of a trace, and the last report of each context.
#ifndef CADASTRE_SRC_OUT_RECORDING_HPP
#define CADASTRE_SRC_OUT_RECORDING_HPP

#include <atomic>

#include "context/lock.hpp"
#include "context/transfer.hpp"

namespace cadastre::internal {

extern std::atomic<bool> tracing, reporting;

inline bool is_traced() noexcept { return tracing.load(std::memory_order_relaxed); }
inline bool is_recorded() noexcept { return is_traced() || reporting.load(std::memory_order_relaxed); }

// Opens the files that the environment names, unless that was done, or this is a child process that must not write to
// them. A file that cannot be written is not recorded to. Throws std::bad_alloc.
void open_recordings();

// What the public functions of the same names do, and a line of the trace for each; of free_all, for each block.
// function: the public function that is called.
void* traced_malloc(cadastre_context context, const cadastre_memory_info_struct& info, Order order, bool strided,
                    const char* function) noexcept;
cadastre_exit_code traced_free(cadastre_context context, void* pointer, Order order, const char* function) noexcept;
cadastre_exit_code traced_free_all(cadastre_context context, const char* function) noexcept;
void* traced_realloc(cadastre_context context, void* pointer, std::size_t size, const char* function) noexcept;
cadastre_exit_code traced_info(cadastre_context context, const void* pointer, cadastre_memory_info_struct* info,
                               const char* function) noexcept;
cadastre_exit_code traced_copy(cadastre_context context, const CopyOrder& order, const char* function) noexcept;
// Writes the report of the context before, where one is requested.
cadastre_exit_code recorded_destroy(cadastre_context context, cadastre_destroy_summary_struct* summary, LabelCounts* labels,
                                    const char* function) noexcept;
// The line of a creation, before any other thread knows the handle.
void trace_create(cadastre_context created, cadastre_exit_code code) noexcept;

}  // namespace cadastre::internal
#endif
