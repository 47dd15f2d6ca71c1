// Tangled from org/tests/device_model.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "device_model.hpp"

#include <cstdarg>
#include <cstdio>
#include <iterator>

namespace device_model {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* form, ...) {
  char text[400];
  std::va_list arguments;
  va_start(arguments, form);
  std::vsnprintf(text, sizeof text, form, arguments);
  va_end(arguments);
  return text;
}

std::string queue_as_c(Id id) { return id == default_queue ? "CADASTRE_DEFAULT_QUEUE" : format("q%u", id); }
std::string context_as_c(Id id) { return id == process ? "CADASTRE_PROCESS" : id == nothing ? "CADASTRE_NULL_CONTEXT" : format("c%u", id); }

std::string limit_as_c(std::uint64_t bytes) {
  return bytes == CADASTRE_UNLIMITED ? "CADASTRE_UNLIMITED" : format("%zu", static_cast<std::size_t>(bytes));
}

std::string request_as_c(const Step& s) {
  std::string text = format("{.size = %zu, .type = CADASTRE_%s", static_cast<std::size_t>(s.size), cadastre_string_of_memory_type(s.type));
  if (s.alignment > 0) text += format(", .alignment = %u", s.alignment);
  static const char* const flags[] = {"CADASTRE_UNINITIALIZED", "CADASTRE_EXPORTABLE", "CADASTRE_SHARED_SEGMENT"};
  static const cadastre_flags numbers[] = {CADASTRE_UNINITIALIZED, CADASTRE_EXPORTABLE, CADASTRE_SHARED_SEGMENT};
  for (std::size_t i = 0; i < std::size(flags); ++i) {
    if (s.flags & numbers[i]) text += std::string(text.find(".flags") == std::string::npos ? ", .flags = " : " | ") + flags[i];
  }
  return text + "}";
}

std::string call_as_c(const Step& s) {
  static const char* const pools[] = {"CADASTRE_POOL_CACHING", "CADASTRE_POOL_CACHING", "CADASTRE_POOL_NONE", "CADASTRE_POOL_VENDOR"};
  static const char* const schemes[] = {"CADASTRE_WORKSPACE_AUTOMATIC", "CADASTRE_WORKSPACE_PER_LEASE",
                                        "CADASTRE_WORKSPACE_STREAM_ORDERED"};
  const std::string context = context_as_c(s.context), queue = queue_as_c(s.queue), other = queue_as_c(s.other);
  const char *const c = context.c_str(), *const q = queue.c_str(), *const type = cadastre_string_of_memory_type(s.type);
  const auto size = static_cast<std::size_t>(s.size);
  switch (s.op) {
    case Op::create:
      return format("c%u = create(%s, device %d, parent %s)", s.id, pools[s.way % 4], s.device, context_as_c(s.other).c_str());
    case Op::destroy: return format("cadastre_context_destroy%s(%s)", s.way == 2 ? "_with_children" : "", c);
    case Op::queue: return format("cudaSetDevice(%d); cudaStreamCreateWithFlags(&q%u, %d)", s.device, s.id, s.way);
    case Op::end_queue: return format("cudaStreamDestroy(%s)", q);
    case Op::allocate:
      return s.way == 0 ? format("b%u = cadastre_malloc(%s, %s)", s.id, c, request_as_c(s).c_str())
                        : format("b%u = cadastre_malloc_async(%s, %s, %s)", s.id, c, request_as_c(s).c_str(), q);
    case Op::free:
      return s.way == 0 ? format("cadastre_free(context, b%u)", s.id) : format("cadastre_free_async(context, b%u, %s)", s.id, q);
    case Op::resize: return format("b%u = cadastre_realloc(context, b%u, %zu)", s.id, s.id, size);
    case Op::fill: return format("%s(b%u, %d, all, %s)", s.way == 0 ? "cudaMemsetAsync" : "cadastre_memset_async", s.id, s.value, q);
    case Op::copy: return format("cadastre_memcpy%s(b%u, b%u, all, %s)", s.way == 0 ? "" : "_async", s.id, s.other, q);
    case Op::order: return format("%s waits for %s", q, other.c_str());
    case Op::synchronize: return s.way == 0 ? format("cadastre_synchronize(%s, %s)", c, q) : format("cudaStreamSynchronize(%s)", q);
    case Op::verify: return format("wait for the last use of b%u, and look at its bytes", s.id);
    case Op::acquire:
      return format("l%u = cadastre_workspace_acquire_on_queue(%s, CADASTRE_%s, %s, %d buffers from %zu bytes on)", s.id, c, type, q,
                    1 + s.way % 3, size);
    case Op::release: return format("cadastre_workspace_release(context, l%u)", s.id);
    case Op::workspace:
      return format("cadastre_workspace_set_size(%s, CADASTRE_%s, %s)", c, type, s.way < 3 ? schemes[s.way] : format("%zu", size).c_str());
    case Op::trim: return format("cadastre_pool_trim(%s, CADASTRE_%s, %zu)", c, type, size);
    case Op::limit: return format("cadastre_set_limit(%s, CADASTRE_%s, %s)", c, type, limit_as_c(s.size).c_str());
    case Op::statistics: return "all figures are compared";
    case Op::capture: return format("cudaStreamBeginCapture(%s, %d), to be g%u", q, s.way % 3, s.id);
    case Op::end_capture: return "cudaStreamEndCapture";
    case Op::launch: return format("cudaGraphLaunch(g%u, its queue)", s.id);
    case Op::end_graph: return format("cudaGraphDestroy(g%u)", s.id);
    case Op::reset: return format("end all; cudaSetDevice(%d); cudaDeviceReset()", s.device);
    case Op::release_captured: return format("cadastre_workspace_release_captured(%s, CADASTRE_%s, %s)", c, type, q);
    case Op::send:
      return format("cadastre_ipc_export(context, b%u, &handle)%s", s.other,
                    s.way % 2 == 0 ? format("; o%u: another process opens it", s.id).c_str() : "");
    case Op::close: return format("the other process closes o%u", s.id);
    case Op::callback:
      return format("cadastre_set_out_of_memory_function(%s, %s)", c, s.way % 3 == 0 ? "NULL, NULL" : "one that frees a block");
    case Op::count: break;
  }
  return "";
}

}  // namespace

std::string as_c(const Step& step) {
  const std::string fault = step.fault > 0 ? format("  // call %d of the vendor fails", step.fault) : "";
  return std::string(step.thread > 0 ? "  in a second thread: " : "  ") + call_as_c(step) + ";" + fault;
}

}  // namespace device_model
