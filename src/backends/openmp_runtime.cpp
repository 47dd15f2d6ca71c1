// Tangled from org/backends/openmp_runtime.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/openmp_runtime.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <new>
#include <string_view>

#include "config.h"
#include "backends/backend.hpp"
#include "base/dynamic_linker.hpp"
#include "base/environment.hpp"

namespace cadastre::internal::openmp {
namespace {

// A name without a slash is looked for by the loader.
bool is_no_file(const std::string& name) noexcept { return name.find('/') != std::string::npos && access(name.c_str(), F_OK) != 0; }

Module unusable(const Text& problem) noexcept {
  Module module;
  module.problem = problem;
  return module;
}

// "target regions of OpenMP, by LLVM's libomptarget; DEVICE from omp_target_alloc; no UVM: this …; no queues: …"
std::string meaning_of(const cadastre_openmp_table& table, const Module& module) {
  std::string meaning = std::string("target regions of OpenMP, by ") + table.runtime;
  for (const auto type : {CADASTRE_DEVICE, CADASTRE_PINNED, CADASTRE_UVM}) {
    const std::string name = cadastre_string_of_memory_type(type);
    const auto kind = static_cast<std::size_t>(kind_of(type));
    const char* const refusal = module.refusals[kind];
    meaning += refusal ? "; no " + name + ": " + refusal : "; " + name + " from " + module.routines[kind];
  }
  if (module.no_queues) return meaning + "; no queues: " + module.no_queues;
  return meaning + "; queues are interop objects with targetsync";
}

Module take(const char* name, const cadastre_openmp_table* table) {
  if (!table || table->version != cadastre_openmp_version || table->size != sizeof(cadastre_openmp_table)) {
    return unusable(text("the module %s is of version %u, and this library needs version %u; install both from one "
                         "build",
                         name, table ? table->version : 0, cadastre_openmp_version));
  }
  const std::int32_t devices = table->devices();
  if (devices > 0) {
    Module module;
    module.table = table;
    module.devices = devices;
    module.accelerates = table->accelerates != 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      module.refusals[kind] = table->refusal(static_cast<cadastre_openmp_kind>(kind));
      module.routines[kind] = table->routine(static_cast<cadastre_openmp_kind>(kind));
    }
    module.no_queues = table->no_queues();
    module.meaning = meaning_of(*table, module);
    return module;
  }
  const char* const semicolon = table->advice[0] ? "; " : "";
  return unusable(
      text("%s has no device on this machine for a module built for %s%s%s", table->runtime, table->targets, semicolon, table->advice));
}

Module open_module() {
  assert_no_lock_held("opening the OpenMP module");
  const NotCancelled here;
  const std::string_view given = environment().library("CADASTRE_OPENMP_MODULE");
  const bool named = !given.empty();
  const std::string name(named ? given : CADASTRE_MODULE_DIR "/libcadastre_openmp.so");
  if (is_no_file(name)) {
    return unusable(text(named ? "CADASTRE_OPENMP_MODULE names %s, and there is no such file"
                               : "its module %s is not installed; configure --with-openmp-offload builds it, with a "
                                 "clang++ that offloads",
                         name.c_str()));
  }
  if (!has_dynamic_linker()) return unusable(why_no_library_is_opened);
  void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* const why = dlerror();
    return unusable(text("its module cannot be opened: %s; install the OpenMP runtime that it was built with", why ? why : ""));
  }
  const auto entry = reinterpret_cast<cadastre_openmp_entry>(dlsym(handle, "cadastre_openmp_module"));
  if (!entry) return unusable(text("%s is not a module of this library: it lacks cadastre_openmp_module", name.c_str()));
  const Module module = take(name.c_str(), entry());
  watch_for_the_end(CADASTRE_BACKEND_OPENMP);
  return module;
}

}  // namespace

const Module& opened() noexcept {
  static const Module module = []() noexcept {
    try {
      return open_module();
    } catch (const std::bad_alloc&) {
      return unusable("there is no host memory to open its module");
    }
  }();
  return module;
}

// Why the runtime cannot be called; null when it can.
const char* why_not_callable() noexcept {
  if (!opened().table) return opened().problem.characters;
  switch (vendor(CADASTRE_BACKEND_OPENMP)) {
    case Vendor::ending: return "the process is ending, and the OpenMP runtime may have ended already";
    case Vendor::left_by_fork: return "the OpenMP runtime cannot be used in a child process after fork";
    case Vendor::there: break;
  }
  return nullptr;
}

cadastre_exit_code not_callable(const Failure& failure) noexcept {
  Failure refused = failure;
  refused.exit_code = CADASTRE_NOT_SUPPORTED;
  refused.reason = CADASTRE_REASON_BACKEND_UNAVAILABLE;
  refused.detail = why_not_callable();
  return fail(refused);
}

cadastre_exit_code fail_with(const cadastre_openmp_answer& answer, const Failure& failure) noexcept {
  Failure failed = failure;
  failed.vendor_code = answer.code;
  failed.vendor = answer.text;
  return fail(failed);
}

}  // namespace cadastre::internal::openmp
