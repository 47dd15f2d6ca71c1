// Tangled from org/base/error.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

#include <locale.h>

#include "base/fail.hpp"
#include "base/text.hpp"
#include "base/vocabulary.hpp"

namespace cadastre::internal {
namespace {

struct Remembered {
  std::uint64_t stamp;
  cadastre_context context;
  const char* function;  // null while the entry is not attributed
  Failure failure;
};

constexpr std::size_t entries_held = 8 + 1;

struct Memory {
  std::uint64_t stamp;
  Remembered* written;
  cadastre_context unknown_in;  // of what was written last, if fail_unknown wrote all of it; else none
  alignas(Remembered) std::byte storage[entries_held * sizeof(Remembered)];

  std::span<Remembered> entries() noexcept { return {reinterpret_cast<Remembered*>(storage), entries_held}; }
};

// Zero bytes are a valid state, so that no thread runs a constructor or a destructor for it.
thread_local constinit Memory memory{};

void copy_cut(const char* from, std::span<char> to) noexcept {
  const std::size_t length = std::min(std::strlen(from), to.size() - 1);
  std::memcpy(to.data(), from, length);
  to[length] = '\0';
}

void note_injection(Failure& failure) noexcept {
  if (!is_armed(Point::internal) && !is_armed(Point::system)) [[likely]]
    return;
  if (failure.injected || number_of_argument(failure.exit_code) != 0) return;
  failure.injected = take_failed_inside();
}

struct Told {
  cadastre_context context;
  const Failure& failure;
};

std::int32_t argument_of(const Failure& failure) noexcept {
  const std::int32_t number = number_of_argument(failure.exit_code);
  return number != 0 ? number : failure.argument;
}

Text bytes_or_none(std::size_t bytes) noexcept { return bytes == CADASTRE_UNLIMITED ? Text("unlimited") : text("%zu", bytes); }

// The sizes that a structure may have.
Text sizes_of(const Failure& failure) noexcept {
  if (failure.required == failure.limit) return text("%zu", failure.limit);
  return text("%zu to %zu", failure.required, failure.limit);
}

// What others wrote, for a person.
Text shown(const Text& others) noexcept {
  Text result;
  std::size_t length = 0;
  show(others.characters, [&](std::string_view piece) {
    if (length + piece.size() >= Text::capacity) return;
    std::memcpy(result.characters + length, piece.data(), piece.size());
    result.characters[length += piece.size()] = '\0';
  });
  return result;
}

// Whose limit a request met, and of what.
Text limited_by(const Failure& failure) noexcept {
  const char* const of = failure.limit_of == CADASTRE_ALL_MEMORY_TYPES ? " for all memory types together" : "";
  if (failure.owner == CADASTRE_NULL_CONTEXT) return text("this context%s", of);
  if (failure.owner == CADASTRE_PROCESS) return text("the process%s", of);
  return text("the parent context %lld%s", static_cast<long long>(failure.owner), of);
}

Text vendor_of(const Failure& failure) noexcept {
  if (failure.vendor_code == 0) return shown(failure.vendor);
  return text("%s (%lld)", shown(failure.vendor).characters, static_cast<long long>(failure.vendor_code));
}

// What stands in braces in a template of the vocabulary.
struct Name {
  std::string_view name;
  Text (*value)(const Told&) noexcept;
};

constexpr Name names[] = {
    {"context", [](const Told& t) noexcept { return text("%lld", static_cast<long long>(t.context)); }},
    {"other", [](const Told& t) noexcept { return text("%lld", static_cast<long long>(t.failure.owner)); }},
    {"limited", [](const Told& t) noexcept { return limited_by(t.failure); }},
    {"argument", [](const Told& t) noexcept { return text("%d", argument_of(t.failure)); }},
    {"pointer", [](const Told& t) noexcept { return text("%p", t.failure.pointer); }},
    {"base", [](const Told& t) noexcept { return text("%p", t.failure.base); }},
    {"size", [](const Told& t) noexcept { return text("%zu", t.failure.size); }},
    {"offset", [](const Told& t) noexcept { return text("%zu", t.failure.offset); }},
    {"serial", [](const Told& t) noexcept { return text("%llu", static_cast<unsigned long long>(t.failure.serial)); }},
    {"freed", [](const Told& t) noexcept { return text("%llu", static_cast<unsigned long long>(t.failure.freed)); }},
    {"asked", [](const Told& t) noexcept { return text("%zu", t.failure.requested); }},
    {"number", [](const Told& t) noexcept { return text("%lld", static_cast<long long>(t.failure.requested)); }},
    {"have", [](const Told& t) noexcept { return text("%zu", t.failure.in_use); }},
    {"required", [](const Told& t) noexcept { return text("%zu", t.failure.required); }},
    {"sizes", [](const Told& t) noexcept { return sizes_of(t.failure); }},
    {"limit", [](const Told& t) noexcept { return bytes_or_none(t.failure.limit); }},
    {"flags", [](const Told& t) noexcept { return text("0x%x", t.failure.flags); }},
    {"type", [](const Told& t) noexcept { return Text(cadastre_string_of_memory_type(t.failure.type)); }},
    {"backend", [](const Told& t) noexcept { return Text(cadastre_string_of_backend(t.failure.backend)); }},
    {"vendor", [](const Told& t) noexcept { return vendor_of(t.failure); }},
    {"detail", [](const Told& t) noexcept { return shown(t.failure.detail); }},
    {"label",
     [](const Told& t) noexcept {
       return t.failure.label.characters[0] ? text(", labelled \"%s\"", shown(t.failure.label).characters) : Text();
     }},
};

// Appends as much of a text as fits; keeps room for the terminating zero.
class Writer {
 public:
  explicit Writer(std::span<char> room) noexcept : room_(room) { room_[0] = '\0'; }
  void append(std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), room_.size() - 1 - used_);
    std::memcpy(room_.data() + used_, text.data(), length);
    used_ += length;
    room_[used_] = '\0';
  }

 private:
  std::span<char> room_;
  std::size_t used_ = 0;
};

void write_message(const char* function, std::string_view sentence, const Told& told, std::span<char> room) noexcept {
  Writer writer(room);
  writer.append(function);
  writer.append(": ");
  while (!sentence.empty()) {
    const std::size_t open = std::min(sentence.find('{'), sentence.size());
    writer.append(sentence.substr(0, open));
    sentence.remove_prefix(open);
    const std::size_t close = sentence.find('}');
    if (close == std::string_view::npos) break;
    const std::string_view braced = sentence.substr(0, close + 1);
    const std::string_view wanted = braced.substr(1, close - 1);
    const auto* const name = std::find_if(std::begin(names), std::end(names), [&](const Name& one) { return one.name == wanted; });
    writer.append(name == std::end(names) ? braced : std::string_view(name->value(told).characters));
    sentence.remove_prefix(close + 1);
  }
  writer.append(sentence);
  writer.append(shown(told.failure.holders).characters);
  if (told.failure.injected) writer.append(text(" (after %s made a call inside the library fail)", told.failure.injected).characters);
}

}  // namespace

Text::Text(const char* text) noexcept { copy_cut(text ? text : "", characters); }

Text& Text::operator=(const Text& other) noexcept {
  if (this != &other) copy_cut(other.characters, characters);
  return *this;
}

Text text(const char* format, ...) noexcept {
  Text result;
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(result.characters, Text::capacity, format, arguments);
  va_end(arguments);
  return result;
}

// Not strerror, which speaks the user's language in the middle of an English sentence; nor strerrordesc_np, which does
// not but is younger than the C libraries of many clusters.
Text text_of_errno(int error) noexcept {
  const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  if (plain == locale_t{}) return text("error number %d", error);
  const Text result = strerror_l(error, plain);
  freelocale(plain);
  return result;
}

cadastre_exit_code fail(const Failure& failure) noexcept {
  Remembered* entry = memory.written;
  if (!entry || entry->function) {
    const auto entries = memory.entries();
    entry = &*std::min_element(entries.begin(), entries.end(), [](const Remembered& a, const Remembered& b) { return a.stamp < b.stamp; });
  }
  entry->function = nullptr;
  entry->stamp = ++memory.stamp;
  entry->failure = failure;
  note_injection(entry->failure);
  memory.written = entry;
  memory.unknown_in = CADASTRE_NULL_CONTEXT;
  return failure.exit_code;
}

const Failure& failed_last() noexcept { return memory.written->failure; }

void describe_request(std::size_t bytes, cadastre_memory_type type, const char* label) noexcept {
  Failure& failure = memory.written->failure;
  failure.bytes = bytes;
  if (failure.type < 0) failure.type = type;
  if (label && !failure.label.characters[0]) failure.label = label;
}

void describe_holders(const Text& holders) noexcept { memory.written->failure.holders = holders; }

void attribute(cadastre_context context, const char* function) noexcept {
  Remembered* const written = memory.written;
  if (!written) return;
  for (Remembered& entry : memory.entries()) {
    if (&entry != written && entry.function && entry.context == context) {
      entry.function = nullptr;
      entry.stamp = 0;
    }
  }
  written->context = context;
  written->function = function;
}

cadastre_exit_code fail(cadastre_context context, const char* function, const Failure& failure) noexcept {
  fail(failure);
  attribute(context, function);
  return failure.exit_code;
}

namespace {

[[gnu::noinline]] cadastre_exit_code fail_unknown_first(cadastre_context context, const char* function, const void* pointer) noexcept {
  fail(context, function, {.exit_code = CADASTRE_INVALID_ARG_2, .reason = CADASTRE_REASON_UNKNOWN_POINTER, .pointer = pointer});
  memory.unknown_in = context;
  return CADASTRE_INVALID_ARG_2;
}

}  // namespace

// One that follows another changes what differs.
cadastre_exit_code fail_unknown(cadastre_context context, const char* function, const void* pointer) noexcept {
  Memory& here = memory;
  if (here.unknown_in != context) [[unlikely]]
    return fail_unknown_first(context, function, pointer);
  here.written->function = function;
  here.written->failure.pointer = pointer;
  return CADASTRE_INVALID_ARG_2;
}

// Who asks may add what it finds out.
Failure* last_failure(cadastre_context context) noexcept {
  memory.unknown_in = CADASTRE_NULL_CONTEXT;
  for (Remembered& entry : memory.entries()) {
    if (entry.function && entry.context == context) return &entry.failure;
  }
  return nullptr;
}

namespace {

constinit Memory memory_before{};  // not on the stack of a thread of the program's

}  // namespace

FailuresKept::FailuresKept() noexcept { memory_before = memory; }
FailuresKept::~FailuresKept() { memory = memory_before; }

void tell(cadastre_context context, const char* function, const Failure& failure, cadastre_error_struct& error) noexcept {
  error = cadastre_error_struct_zero;
  error.exit_code = failure.exit_code;
  error.reason = failure.reason;
  error.type = failure.type;
  error.backend = failure.backend;
  error.device_id = failure.device;
  error.argument = argument_of(failure);
  error.requested = failure.requested;
  error.in_use = failure.in_use;
  error.limit = failure.limit;
  error.required = failure.required;
  error.pointer = failure.pointer;
  error.base = failure.base;
  error.size = failure.size;
  error.offset = failure.offset;
  error.owner = failure.owner;
  error.vendor_code = failure.vendor_code;
  copy_cut(failure.vendor.characters, error.vendor_message);
  copy_cut(function, error.function);
  write_message(function, sentence_of(failure.reason), {context, failure}, error.message);
}

void tell_last_failure(cadastre_context context, cadastre_error_struct& error) noexcept {
  for (const Remembered& entry : memory.entries()) {
    if (entry.function && entry.context == context) return tell(context, entry.function, entry.failure, error);
  }
  error = cadastre_error_struct_zero;
}

namespace {

bool same_kind(const KeptFailure& kept, const char* function, const Failure& failure) noexcept {
  return kept.failure.reason == failure.reason && kept.failure.type == failure.type && kept.failure.exit_code == failure.exit_code &&
         std::strcmp(kept.function, function) == 0 && std::strcmp(kept.failure.label.characters, failure.label.characters) == 0;
}

}  // namespace

KeptFailures::Room KeptFailures::make_room() noexcept {
  auto* const room = static_cast<KeptFailure*>(take_own(most * sizeof(KeptFailure)));
  if (room) std::uninitialized_value_construct_n(room, most);
  return Room(room);
}

KeptFailure* KeptFailures::keep(const char* function, const Failure& failure, std::int64_t now) noexcept {
  if (!entries_ && !(entries_ = make_room())) return nullptr;
  KeptFailure* const begin = entries_.get();
  KeptFailure* found = std::find_if(begin, begin + used_, [&](const KeptFailure& kept) { return same_kind(kept, function, failure); });
  if (found == begin + used_) {
    if (used_ < most) {
      ++used_;
    } else {
      forgotten_ += (--found)->count;
    }
    *found = {.function = function, .failure = {}, .count = 0, .first = now, .last = now, .holders = {}};
  }
  std::rotate(begin, found, found + 1);
  begin->failure = failure;
  ++begin->count;
  begin->last = now;
  return begin;
}

}  // namespace cadastre::internal
