// Tangled from org/tests/model.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "model.hpp"

#include <cstdarg>
#include <cstdio>

namespace model {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* form, ...) {
  char text[1500];
  std::va_list arguments;
  va_start(arguments, form);
  std::vsnprintf(text, sizeof text, form, arguments);
  va_end(arguments);
  return text;
}

std::string context_as_c(Id id) {
  return id == no_context ? "CADASTRE_NULL_CONTEXT"
         : id == process  ? "CADASTRE_PROCESS"
         : id == made_up  ? "(cadastre_context) 0x1234567"
                          : format("c%u", id);
}

std::string address_as_c(Id id, std::size_t offset) {
  if (id == null_address) return "NULL";
  const std::string base = id == wild_address ? "arena + 1044480" : format("b%u", id);
  return offset == 0 ? base : base + format(" + %zu", offset);
}

std::string request_as_c(const Step& s, bool borrowed) {
  std::string text = format("(cadastre_memory_info_struct) {.size = %zuu", static_cast<std::size_t>(s.size));
  if (borrowed) text += format(", .pointer = b%u", s.id);
  if (s.type != 0) text += format(", .type = CADASTRE_%s", cadastre_string_of_memory_type(s.type));
  if (s.device > 0) text += format(", .device = CADASTRE_DEVICE_BY_ID(%d)", s.device - 1);
  if (s.alignment > 0) text += format(", .alignment = %u", s.alignment);
  if (s.offset > 0 && !borrowed) text += format(", .stride = %zu", static_cast<std::size_t>(s.offset));
  if (s.flags > 0) text += format(", .flags = %d", s.flags);
  if (s.label > 0)
    text += s.way % 3 == interned && s.label != too_long_label ? format(", .label = cadastre_label(\"%s\")", label_text(s.label).c_str())
                                                               : format(", .label = \"%s\"", label_text(s.label).c_str());
  return text + "}";
}

std::string call_as_c(const Step& s) {
  const std::string context = context_as_c(s.context), address = address_as_c(s.id, s.offset);
  const char *const c = context.c_str(), *const p = address.c_str();
  const auto size = static_cast<std::size_t>(s.size);
  switch (s.op) {
    case Op::create: {
      std::string text = format("cadastre_context_options_struct o%u = cadastre_context_options_struct_zero;", s.id);
      if (s.other != no_context) text += format(" o%u.parent = %s;", s.id, context_as_c(s.other).c_str());
      if (s.way < 2) text += format(" o%u.backend = %s;", s.id, s.way == 1 ? "twin" : "CADASTRE_BACKEND_HOST");
      if (s.device > 0) text += format(" o%u.device = CADASTRE_DEVICE_BY_ID(%d);", s.id, s.device - 1);
      if (s.size > 0) text += format(" o%u.limits[%d] = %zuu;", s.id, s.type, size);
      return text + format(" cadastre_context c%u = cadastre_context_create_with_options(&o%u);", s.id, s.id);
    }
    case Op::destroy:
      return format("cadastre_context_destroy%s(%s%s);",
                    s.way == 0   ? ""
                    : s.way == 1 ? "_with_summary"
                                 : "_with_children",
                    c, s.way == 0 ? "" : ", &summary");
    case Op::allocate:
      return format("char* b%u = cadastre_malloc%s(%s, %s%s);", s.id,
                    s.way >= 6   ? "_async"
                    : s.way >= 3 ? "_strided"
                                 : "",
                    c, request_as_c(s, false).c_str(), s.way >= 3 ? ", CADASTRE_DEFAULT_QUEUE" : "");
    case Op::resize:
      return s.offset == 0 && s.id != null_address && s.id != wild_address
                 ? format("{ char* moved = cadastre_realloc(%s, b%u, %zuu); if (moved) b%u = moved; }", c, s.id, size, s.id)
                 : format("cadastre_realloc(%s, %s, %zuu);", c, p, size);
    case Op::free:
      return format("cadastre_free%s(%s, %s%s);", s.way == 0 ? "" : "_async", c, p, s.way == 0 ? "" : ", CADASTRE_DEFAULT_QUEUE");
    case Op::info: return format("cadastre_get_malloc_info(%s, %s, &info);", c, p);
    case Op::size: return format("cadastre_get_allocated_size(%s, %s, &size);", c, p);
    case Op::find: return format("cadastre_find_block(%s, %s, &info, &offset);", c, p);
    case Op::wrap:
      return format("char* b%u = arena + %zu; cadastre_wrap(%s, %s);", s.id, static_cast<std::size_t>(s.offset), c,
                    request_as_c(s, true).c_str());
    case Op::unwrap: return format("cadastre_unwrap(%s, %s);", c, p);
    case Op::copy: {
      const std::string other = s.way == 0 ? address_as_c(s.other, s.alignment) : s.way < 3 ? "buffer" : "NULL";
      const bool back = s.way == 2 || s.way == 4;
      return format("cadastre_memcpy(%s, %s, %s, %zuu);", c, back ? other.c_str() : p, back ? p : other.c_str(), size);
    }
    case Op::set: return format("cadastre_memset(%s, %s, %d, %zuu);", c, p, s.way, size);
    case Op::lock: return format("cadastre_lock(%s);", c);
    case Op::unlock: return format("cadastre_unlock(%s);", c);
    case Op::limit:
      return format("cadastre_set_limit(%s, %d, %s);", c, s.type,
                    size == CADASTRE_UNLIMITED       ? "CADASTRE_UNLIMITED"
                    : size == CADASTRE_LIMIT_NOTHING ? "CADASTRE_LIMIT_NOTHING"
                                                     : format("%zuu", size).c_str());
    case Op::statistics: return format("cadastre_get_statistics(%s, CADASTRE_HOST, &statistics);", c);
    case Op::reset: return format("cadastre_reset_high_water_mark(%s, %d);", c, s.type);
    case Op::each: return format("cadastre_foreach_block(%s, callback, NULL);", c);
    case Op::free_all: return format("cadastre_free_all(%s);", c);
    case Op::report: return format("cadastre_report(%s, stdout, %d);", c, s.way % 2);
    case Op::verify: return format("/* the contents of b%u are compared */", s.id);
    case Op::errors: return "/* the last error of each context is compared */";
    case Op::fork: return "if (fork() == 0) {";
    case Op::end: return "_exit(0); } wait(NULL);";
    case Op::count: break;
  }
  return "";
}

}  // namespace

std::string as_c(const Step& step) {
  static const char* const failing[] = {"", "  // operation allocate fails", "  // operation free fails", "  // operation copy fails"};
  const std::string thread = step.thread > 0 ? format("/* thread %d */ ", step.thread) : "";
  return "  " + thread + call_as_c(step) + failing[step.fault];
}

}  // namespace model
