// Tangled from org/base/vocabulary_tables.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The rows of the vocabulary's tables, for the chapters that turn them into text.
#ifndef CADASTRE_SRC_BASE_VOCABULARY_HPP
#define CADASTRE_SRC_BASE_VOCABULARY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cadastre_vocabulary.h"

namespace cadastre::internal {

inline constexpr std::size_t memory_types = CADASTRE_MEMORY_TYPE_COUNT;

// The same value for each of them, however many there are.
template <class Value>
constexpr std::array<Value, memory_types> for_each_type(Value value) noexcept {
  std::array<Value, memory_types> values{};
  values.fill(value);
  return values;
}

constexpr bool is_memory_type(cadastre_memory_type type) noexcept { return type >= 0 && type < CADASTRE_MEMORY_TYPE_COUNT; }

// What there are limits and sums of: each memory type, and CADASTRE_ALL_MEMORY_TYPES, for all together.
inline constexpr auto limited_types = [] {
  std::array<cadastre_memory_type, memory_types + 1> all{};
  for (std::size_t place = 0; place < memory_types; ++place) all[place] = static_cast<cadastre_memory_type>(place);
  all[memory_types] = CADASTRE_ALL_MEMORY_TYPES;
  return all;
}();

constexpr bool is_limited_type(cadastre_memory_type type) noexcept { return is_memory_type(type) || type == CADASTRE_ALL_MEMORY_TYPES; }

// A value for each of them.
template <class Value>
struct PerLimit {
  std::array<Value, memory_types + 1> values;
  constexpr Value& operator[](cadastre_memory_type type) noexcept { return values[place_of(type)]; }
  constexpr const Value& operator[](cadastre_memory_type type) const noexcept { return values[place_of(type)]; }
  constexpr const Value& of_type(cadastre_memory_type type) const noexcept { return values[static_cast<std::size_t>(type)]; }
  constexpr auto begin() const noexcept { return values.begin(); }
  constexpr auto end() const noexcept { return values.end(); }

 private:
  static constexpr std::size_t place_of(cadastre_memory_type type) noexcept {
    return type == CADASTRE_ALL_MEMORY_TYPES ? memory_types : static_cast<std::size_t>(type);
  }
};

template <class Value>
constexpr PerLimit<Value> each_limit(Value value) noexcept {
  PerLimit<Value> all{};
  all.values.fill(value);
  return all;
}

// Calls for the memory types that one of them is: itself, or all.
template <class Action>
constexpr void for_each_type_of(cadastre_memory_type type, Action action) {
  const bool all = type == CADASTRE_ALL_MEMORY_TYPES;
  const cadastre_memory_type end = all ? CADASTRE_MEMORY_TYPE_COUNT : type + 1;
  for (cadastre_memory_type each = all ? 0 : type; each < end; ++each) action(each);
}

struct BackendRow {
  cadastre_backend number;
  const char* name;
  const char* meaning;
  const char* how_to_get_it;
};

struct EnvironmentRow {
  const char* name;
  const char* preset;
  const char* risk;  // where a program with privileges does not read it; else empty
  const char* expected;
  const char* meaning;
};

// The template of a reason's message, with names in braces; never null.
const char* sentence_of(cadastre_reason reason) noexcept;

// The backends with a name have the numbers from 1 to this one.
inline constexpr cadastre_backend last_named_backend = 4;
std::span<const BackendRow> backend_rows() noexcept;
const BackendRow* row_of_backend(cadastre_backend number) noexcept;  // null for one that has none

inline constexpr cadastre_backend last_registered_backend = 255;
inline constexpr std::int32_t most_registered_backends = last_registered_backend - CADASTRE_FIRST_REGISTERED_BACKEND + 1;

constexpr bool is_registrable(cadastre_backend number) noexcept {
  return number >= CADASTRE_FIRST_REGISTERED_BACKEND && number <= last_registered_backend;
}

// Names a backend that a program registers, so that errors and reports can. The name must stay.
void name_backend(cadastre_backend number, const char* name) noexcept;
std::span<const EnvironmentRow> environment_rows() noexcept;
const EnvironmentRow* row_of_variable(std::string_view name) noexcept;  // null for one that has none

}  // namespace cadastre::internal
#endif
