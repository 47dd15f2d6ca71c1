// Tangled from org/recording.org; change the chapter, then run: make tangle
// What a process records of itself: the lines of a trace, and the last report of each context.
#ifndef CADASTRE_SRC_RECORDING_HPP
#define CADASTRE_SRC_RECORDING_HPP

#include <atomic>

#include "context.hpp"
#include "entry.hpp"
#include "transfer.hpp"

namespace cadastre::internal {

extern std::atomic<bool> tracing, reporting;

inline bool is_traced() noexcept { return tracing.load(std::memory_order_relaxed); }
inline bool is_reported() noexcept { return reporting.load(std::memory_order_relaxed); }

// Opens the files that the environment names, unless that was done, or is none of a child process's business. Fails
// when one cannot be written. Throws std::bad_alloc.
cadastre_exit_code open_recordings();

// Writes the report of a context. Nothing fails but the report.
void report_last(const Context& context, cadastre_context handle) noexcept;

// Each writes the line of one operation, of which it is told what was passed and answered; inside the context, except
// that a free may have stepped out of it. A visit that was refused stands for a handle that was.
void trace_create(cadastre_context created, cadastre_exit_code code) noexcept;
void trace_destroy(std::uint64_t context, cadastre_exit_code code) noexcept;
void trace_malloc(Visit& visit, const cadastre_memory_info_struct& info, const void* pointer,
                  cadastre_exit_code code) noexcept;
// serial: the number of the block that was let go of; 0 for none.
void trace_free(Visit& visit, const void* pointer, std::uint64_t serial, cadastre_exit_code code) noexcept;
void trace_freed(Visit& visit, const Record& block, cadastre_exit_code code) noexcept;
void trace_realloc(Visit& visit, const void* pointer, std::size_t size, const void* resized,
                   cadastre_exit_code code) noexcept;
void trace_info(Visit& visit, const void* pointer, cadastre_exit_code code) noexcept;
void trace_copy(Visit& visit, const CopyOrder& order, cadastre_exit_code code) noexcept;

// A call that is a line of the trace. body: throws nothing.
template <class Body, class Line>
cadastre_exit_code traced(cadastre_context context, const char* function, Body body, Line line) noexcept {
  return guarded(context, function, [&] {
    Visit visit(context);
    const cadastre_exit_code code = visit ? body(visit) : CADASTRE_INVALID_CONTEXT;
    if (is_traced()) [[unlikely]] line(visit, code);
    return code;
  });
}

}  // namespace cadastre::internal
#endif
