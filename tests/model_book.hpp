// Tangled from org/tests/model_book.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the model of one thread knows.
#ifndef CADASTRE_TESTS_MODEL_BOOK_HPP
#define CADASTRE_TESTS_MODEL_BOOK_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model_blocks.hpp"

namespace model {

struct Node : Counted {
  cadastre_backend backend = CADASTRE_BACKEND_HOST;
  std::int32_t device = 0;
  bool had_children = false;
  int locks = 0;
  std::map<char*, Block> owned, borrowed;
  std::uint64_t next_order = 0;
  struct Freed {
    std::uint64_t number;
    bool moved;
  };
  std::unordered_map<const char*, Freed> freed;
  std::deque<const char*> freed_in_order;
  std::uint64_t frees = 0;
  bool has_moved = false;
};

constexpr std::uint64_t surely_remembered = 2000;

inline void remember(Node& node, const char* pointer, bool moved) {
  node.freed[pointer] = {++node.frees, moved};
  node.has_moved |= moved;
  node.freed_in_order.push_back(pointer);
  if (node.freed_in_order.size() <= 2 * surely_remembered) return;
  const auto old = node.freed.find(node.freed_in_order.front());
  if (old != node.freed.end() && old->second.number + surely_remembered < node.frees) node.freed.erase(old);
  node.freed_in_order.pop_front();
}

inline void forget_freed(Node& node) {
  node.freed.clear();
  node.freed_in_order.clear();
}

// Marks of HOST memory of what is below a context are not.
inline bool counts_exactly(const Node& node, std::size_t type) { return type != CADASTRE_HOST || (node.parent && !node.had_children); }

// As a report tells them, of a context and all below it: by label and type, blocks and bytes.
using Figures = std::map<std::pair<std::string, cadastre_memory_type>, std::pair<std::int64_t, std::size_t>>;
inline Figures reported_labels(cadastre_context context) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const stream = open_memstream(&text, &size);
  const cadastre_exit_code code = cadastre_report(context, stream, CADASTRE_REPORT_JSON);
  std::fclose(stream);
  EXPECT(code == CADASTRE_SUCCESS, "cadastre_report gives %d", code);
  Figures figures;
  const char* at = std::strstr(text, "\"labels\": [");
  const char* const end = at ? std::strstr(at, "]") : nullptr;
  while (at && (at = std::strstr(at, "\"label\": ")) && at < end) {
    char label[300] = "", type[20];
    long long blocks = 0;
    std::size_t bytes = 0;
    const bool is_empty = std::strncmp(at, "\"label\": \"\"", 11) == 0, is_none = std::strncmp(at, "\"label\": null", 13) == 0;
    const char* const rest = std::strstr(at, "\"type\": ");
    if (!is_empty && !is_none) std::sscanf(at, "\"label\": \"%299[^\"]", label);
    std::sscanf(rest, "\"type\": \"%19[^\"]\", \"live_blocks\": %lld, \"live_bytes\": %zu", type, &blocks, &bytes);
    cadastre_memory_type number = 0;
    while (std::strcmp(cadastre_string_of_memory_type(number), type) != 0) ++number;
    figures[{is_none ? "(none)" : label, number}] = {blocks, bytes};
    at = rest;
  }
  std::free(text);
  return figures;
}

inline void count_label(Figures& figures, const Block& b) {
  auto& [blocks, bytes] = figures[{b.label ? b.label : "(none)", b.type}];
  ++blocks;
  bytes += b.size;
}

inline void compare_labels(const std::string& of, cadastre_context context, Figures& expected) {
  Figures told = reported_labels(context), all = expected;
  all.insert(told.begin(), told.end());
  for (const auto& [key, some] : all) {
    const auto e = expected[key], t = told[key];
    EXPECT(e == t, "%s: label \"%s\" of type %d: %lld blocks, %zu bytes reported; expected %lld, %zu", of.c_str(), key.first.c_str(),
           key.second, static_cast<long long>(t.first), t.second, static_cast<long long>(e.first), e.second);
  }
}

inline std::FILE* sink() {
  static std::FILE* const file = std::fopen("/dev/null", "w");
  return file;
}

constexpr std::size_t arena_bytes = 1 << 20;
inline char* arena() {  // of no backend: memory that contexts borrow
  static char* const memory = static_cast<char*>(mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  return memory;
}

inline cadastre_context_options_struct options_of(const Step& step, cadastre_context parent) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.parent = parent;
  options.backend = step.way == 0 ? CADASTRE_BACKEND_HOST : step.way == 1 ? twin.number : CADASTRE_DEFAULT_BACKEND;
  if (step.device > 0) options.device = CADASTRE_DEVICE_BY_ID(step.device - 1);
  if (step.size != 0) options.limits[step.type] = step.size;
  return options;
}

struct Book {
  Node process_node;
  std::map<Id, Node> nodes;                          // of live contexts
  std::unordered_map<Id, cadastre_context> handles;  // of all that were made
  std::set<cadastre_context> taken;
  struct Place {
    Id context;
    char* pointer;
  };
  std::unordered_map<Id, Place> places;
  std::map<char*, std::pair<std::size_t, Id>> owned;                     // of all contexts
  std::deque<std::pair<cadastre_context, cadastre_exit_code>> failures;  // of the last contexts that failed, the last one first
  std::uint64_t reports = 0;
  bool planted = std::getenv("TEST_MODEL_PLANT") != nullptr;  // a mistake of the model, to see it found

  bool strict = std::getenv("TEST_MODEL_STRICT") != nullptr;

  Book() {
    process_node.id = process;
    process_node.handle = CADASTRE_PROCESS;
    for (std::size_t t = 0; t < types; ++t) process_node.accounts[t].is_exact = false;
  }

  Node* live(Id id) {
    const auto found = nodes.find(id);
    return found == nodes.end() ? nullptr : &found->second;
  }
  Node* counted(Id id) { return id == process ? &process_node : live(id); }
  // Of a context that was made and may be destroyed, or of none.
  std::optional<cadastre_context> handle(Id id) {
    if (id == no_context) return CADASTRE_NULL_CONTEXT;
    if (id == made_up) return cadastre_context{0x1234567};
    if (id == process) return CADASTRE_PROCESS;
    const auto found = handles.find(id);
    return found == handles.end() ? std::nullopt : std::optional(found->second);
  }
  Block* block(Id id) {
    const auto place = places.find(id);
    if (place == places.end()) return nullptr;
    Node* const n = live(place->second.context);
    if (!n) return nullptr;
    for (auto* blocks : {&n->owned, &n->borrowed}) {
      const auto found = blocks->find(place->second.pointer);
      if (found != blocks->end() && found->second.id == id) return &found->second;
    }
    return nullptr;
  }
  std::optional<char*> address(Id id, std::size_t offset) {
    if (id == null_address) return nullptr;
    if (id == wild_address) return arena() + arena_bytes - 4096 + offset % 4096;
    const auto place = places.find(id);
    if (place == places.end()) return std::nullopt;
    return reinterpret_cast<decltype(place->second.pointer)>(reinterpret_cast<std::uintptr_t>(place->second.pointer) + offset);
  }

  static Block* at(Node& n, const char* pointer) {
    for (auto* blocks : {&n.owned, &n.borrowed}) {
      const auto found = blocks->find(const_cast<char*>(pointer));
      if (found != blocks->end()) return &found->second;
    }
    return nullptr;
  }
  static bool holds(const Block& b, const char* address) {
    return b.size == 0 ? address == b.pointer : address >= b.pointer && address < b.pointer + b.size;
  }
  // The innermost block around an address.
  static Block* around(Node& n, const char* address) {
    Block* best = nullptr;
    const auto after = n.owned.upper_bound(const_cast<char*>(address));
    if (after != n.owned.begin() && holds(std::prev(after)->second, address)) best = &std::prev(after)->second;
    for (auto& [pointer, b] : n.borrowed) {
      if (holds(b, address) && (!best || b.pointer > best->pointer)) best = &b;
    }
    return best;
  }

  void failed(cadastre_context handle, cadastre_exit_code code) {
    std::erase_if(failures, [&](const auto& one) { return one.first == handle; });
    failures.emplace_front(handle, code);
    if (failures.size() > 8) failures.pop_back();
  }

  // After each call that may fail.
  void settle(const char* call, cadastre_context handle, cadastre_exit_code code, const Refusals& refusals) {
    judge(call, handle, code, refusals);
    if (code != CADASTRE_SUCCESS) failed(handle, code);
  }

  Refusals not_a_context(Id id) {
    if (id == no_context) return {{CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_NULL_CONTEXT}};
    if (id == made_up) return {{CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_UNKNOWN_CONTEXT}};
    if (id == process) return {{CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_PROCESS_CONTEXT}};
    return {{CADASTRE_INVALID_CONTEXT, CADASTRE_REASON_DESTROYED_CONTEXT}};
  }

  // Why there is no block at an address.
  void refuse_address(Refusals& refusals, Node& n, Id id, const char* address, bool inside_counts) {
    if (!address) return add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_NULL_ARGUMENT});
    if (inside_counts && around(n, address)) return add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INSIDE_BLOCK});
    const auto freed = n.freed.find(address);
    const bool moved = freed != n.freed.end() && freed->second.moved;
    for (auto& [other, m] : nodes) {
      if (&m == &n || !around(m, address)) continue;
      add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_OTHER_CONTEXT});
      if (n.has_moved) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_MOVED_BY_REALLOC});
      return;
    }
    if (freed != n.freed.end() && freed->second.number + surely_remembered > n.frees) {
      if (!moved) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_ALREADY_FREED});
      if (n.has_moved) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_MOVED_BY_REALLOC});
      return;
    }
    add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_UNKNOWN_POINTER});
    if (id != wild_address) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_ALREADY_FREED, CADASTRE_REASON_MOVED_BY_REALLOC});
  }

  void expect_numbers(cadastre_context handle, Node& n, const char* address) {
    const cadastre_error_struct error = error_of(handle);
    if (error.reason == CADASTRE_REASON_INSIDE_BLOCK) {
      const Block& b = *around(n, address);
      EXPECT(error.base == b.pointer && error.size == b.size && error.offset == static_cast<std::size_t>(address - b.pointer),
             "%p in block b%u of %zu bytes at %p: %s", static_cast<const void*>(address), b.id, b.size, static_cast<void*>(b.pointer),
             error.message);
    }
    if (error.reason == CADASTRE_REASON_OTHER_CONTEXT) {
      const auto owner = std::find_if(nodes.begin(), nodes.end(), [&](const auto& one) { return one.second.handle == error.owner; });
      EXPECT(owner != nodes.end() && around(owner->second, address), "the owner is none: %s", error.message);
    }
    if (address)
      EXPECT(error.pointer == address, "the pointer is %p, and not %p: %s", error.pointer, static_cast<const void*>(address),
             error.message);
  }

  void expect_limit(cadastre_context handle, const Counted& n, cadastre_memory_type type, std::size_t requested, std::size_t less) {
    const cadastre_error_struct error = error_of(handle);
    if (error.reason != CADASTRE_REASON_LIMIT_EXCEEDED) return;
    for (const Counted* at = &n; at; at = at->parent) {
      if (at->handle != error.owner && !(at == &n && error.owner == CADASTRE_NULL_CONTEXT)) continue;
      const Account& a = at->accounts[static_cast<std::size_t>(type)];
      EXPECT(exceeds(*at, type, requested - less) && error.requested == requested && error.in_use == a.live_bytes - less &&
                 error.limit == allowed(a),
             "c%u has %zu bytes and the limit %zu, %zu were requested: %s", at->id, a.live_bytes, a.limit, requested, error.message);
      return;
    }
    mismatch("the owner %lld of the limit is neither c%u nor above it: %s", static_cast<long long>(error.owner), n.id, error.message);
  }

  void forget_owned(Node& n, char* pointer) {
    owned.erase(pointer);
    n.owned.erase(pointer);
  }

  void take_in(Node& n, const Block& b) {
    char *const from = b.pointer, *const to = b.pointer + std::max<std::size_t>(b.size, 1);
    const auto after = owned.upper_bound(to - 1);
    if (after != owned.begin()) {
      const auto& [pointer, other] = *std::prev(after);
      EXPECT(pointer + std::max<std::size_t>(other.first, 1) <= from, "block b%u (%zu bytes at %p) overlaps block b%u (%zu bytes at %p)",
             b.id, b.size, static_cast<void*>(from), other.second, other.first, static_cast<void*>(pointer));
    }
    owned[from] = {b.size, b.id};
    n.owned[from] = b;
    places[b.id] = {n.id, from};
    n.freed.erase(from);
  }
};

}  // namespace model

#endif
