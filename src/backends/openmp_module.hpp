// Tangled from org/backends/openmp_module.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What a module for the OpenMP backend offers the library: plain C, and no header of OpenMP.
#ifndef CADASTRE_SRC_BACKENDS_OPENMP_MODULE_HPP
#define CADASTRE_SRC_BACKENDS_OPENMP_MODULE_HPP

#include <cstddef>
#include <cstdint>

extern "C" {

// code: the runtime's own. text: which of its routines failed and how; null when all is done.
struct cadastre_openmp_answer {
  std::int32_t code;
  const char* text;
};

enum cadastre_openmp_kind : std::int32_t { cadastre_openmp_device, cadastre_openmp_pinned, cadastre_openmp_managed };

// The codes of answers that a queue is none, and that it is being captured; nothing was changed then.
enum cadastre_openmp_code : std::int32_t { cadastre_openmp_no_queue = INT32_MIN, cadastre_openmp_captured };

struct cadastre_openmp_queue {
  std::int32_t device;
  std::uint64_t identity;  // not that of another stream, as far as the vendor tells
};

// Devices are numbered from 0. Numbers that are out of range are the caller's mistake. A queue is an interop object
// (omp_interop_t) that was made with targetsync, and not null.
struct cadastre_openmp_table {
  std::uint32_t size;        // of this structure
  std::uint32_t version;     // cadastre_openmp_version of the module
  const char* runtime;       // "LLVM's libomptarget"
  const char* targets;       // what the module was compiled for
  const char* advice;        // what to try where there is no device; may be empty
  std::int32_t accelerates;  // its devices are other than the host
  std::int32_t (*devices)();
  std::int32_t (*default_device)();                   // of the calling thread; any number
  const char* (*refusal)(cadastre_openmp_kind kind);  // why it is not served; null when it is
  void (*name)(std::int32_t device, char* name, std::size_t capacity);
  cadastre_openmp_answer (*allocate)(cadastre_openmp_kind kind, std::size_t bytes, std::int32_t device, void** pointer);
  cadastre_openmp_answer (*free)(cadastre_openmp_kind kind, void* pointer, std::int32_t device);
  // A device is its number, or cadastre_openmp_host.
  cadastre_openmp_answer (*copy)(void* to, std::int32_t to_device, const void* from, std::int32_t from_device, std::size_t bytes);
  cadastre_openmp_answer (*fill)(void* to, std::int32_t device, std::int32_t value, std::size_t bytes);
  const char* (*routine)(cadastre_openmp_kind kind);  // by which a kind that is served is allocated
  const char* (*no_queues)();                         // why no object is a queue; null where some are
  cadastre_openmp_answer (*look_at)(void* queue, cadastre_openmp_queue* found);
  cadastre_openmp_answer (*wait)(void* queue);            // for all that the queue holds
  cadastre_openmp_answer (*settle)(std::int32_t device);  // waits for all that queues of the device hold
};

// The one function that a module exports, under the name cadastre_openmp_module.
typedef const struct cadastre_openmp_table* (*cadastre_openmp_entry)();
}

inline constexpr std::uint32_t cadastre_openmp_version = 2;
inline constexpr std::int32_t cadastre_openmp_host = INT32_MIN;  // not -1, by which callers name no device
inline constexpr std::size_t cadastre_openmp_alignment = 16;     // of all memory that a module answers

#endif
