// Tangled from org/tests/model_world.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "model_book.hpp"

namespace model {

struct World::Inside : Book {
  bool create(const Step& s) {
    const auto parent = handle(s.other);
    if (!parent) return false;
    Node* const above = s.other == no_context || s.other == process ? &process_node : live(s.other);
    const cadastre_context_options_struct options = options_of(s, *parent);
    Refusals refusals;
    if (!above) add(refusals, CADASTRE_INVALID_CONTEXT, {CADASTRE_REASON_INVALID_PARENT});
    if (s.device > 2) add(refusals, CADASTRE_INVALID_ARG_1, {CADASTRE_REASON_INVALID_DEVICE});
    const cadastre_context made = cadastre_context_create_with_options(&options);
    const cadastre_exit_code code = made == CADASTRE_NULL_CONTEXT ? error_of(made).exit_code : CADASTRE_SUCCESS;
    settle("cadastre_context_create_with_options", CADASTRE_NULL_CONTEXT, code, refusals);
    if (code != CADASTRE_SUCCESS) return true;
    EXPECT(taken.insert(made).second, "c%u gets the handle of another", s.id);
    handles[s.id] = made;
    Node& n = nodes[s.id];
    n.id = s.id;
    n.handle = made;
    n.parent = above;
    const bool inherits = s.way > 1 && above != &process_node;
    n.backend = s.way == 1 ? twin.number : inherits ? above->backend : CADASTRE_BACKEND_HOST;
    if (s.device > 0) n.device = s.device - 1;
    else if (above != &process_node && n.backend == above->backend) n.device = above->device;
    if (s.size != 0) n.accounts[s.type].limit = s.size;
    ++above->children;
    if (above != &process_node && !above->had_children) {
      above->had_children = true;
      if (!strict) {
        for (Account& a : above->accounts) a.is_exact = false;
      }
      loosen();
    }
    return true;
  }

  // Marks are exact as long as they have been counted exactly since they were last known.
  void loosen() {
    for (std::size_t t = 0; t < types; ++t) {
      process_node.accounts[t].is_exact &= counts_exactly(process_node, t);
      for (auto& [id, n] : nodes) n.accounts[t].is_exact &= counts_exactly(n, t);
    }
  }

  struct Summary {
    std::int64_t blocks = 0, borrowed = 0, failed = 0;
    std::size_t bytes = 0;
    std::map<std::string, std::size_t> labels;
  };

  void empty(Node& n, Summary& summary) {
    for (auto& [pointer, b] : n.owned) {
      const bool fails = fault == free_fails && b.backend == twin.number;
      summary.failed += fails;
      ++summary.blocks;
      summary.bytes += b.size;
      if (b.label) summary.labels[b.label] += b.size;  // what has no label is not compared with what has one
      count_free(n, b.type, b.size, fails);
      owned.erase(pointer);
      remember(n, pointer, false);
    }
    for (auto& [pointer, b] : n.borrowed) {
      ++summary.borrowed;
      count(n, b.type, [](Account& a) { --a.borrowed_blocks; });
    }
    n.owned.clear();
    n.borrowed.clear();
  }

  // Children before their parents.
  std::vector<Node*> with_children(Node& n) {
    std::vector<Node*> all{&n};
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (auto& [id, m] : nodes) {
        if (m.parent == all[i]) all.push_back(&m);
      }
    }
    return {all.rbegin(), all.rend()};
  }

  void verify_labels(Node& n) {
    Figures expected;
    for (const Node* const m : with_children(n)) {
      for (const auto& [pointer, b] : m->owned) count_label(expected, b);
    }
    compare_labels("c" + std::to_string(n.id), n.handle, expected);
  }

  // A report takes as long as hundreds of steps: at the end of a program the labels of every context are compared, before it those of some in turn.
  constexpr static Id turns = 8;
  Id turn = 0;

  void verify_all(Node& n, bool labels = false) {
    for (auto& [pointer, b] : n.owned) verify(n.handle, b);
    if (labels || (n.id + turn) % turns == 0) verify_labels(n);
  }

  bool destroy(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = live(s.context);
    const std::vector<Node*> ending = !n ? std::vector<Node*>() : s.way == 2 ? with_children(*n) : std::vector{n};
    ++turn;
    for (Node* const m : ending) verify_all(*m);
    cadastre_destroy_summary_struct told = cadastre_destroy_summary_struct_zero;
    const cadastre_exit_code code = s.way == 0   ? cadastre_context_destroy(*context)
                                    : s.way == 1 ? cadastre_context_destroy_with_summary(*context, &told)
                                                 : cadastre_context_destroy_with_children(*context, &told);
    const char* const call = s.way == 0   ? "cadastre_context_destroy"
                             : s.way == 1 ? "cadastre_context_destroy_with_summary"
                                          : "cadastre_context_destroy_with_children";
    if (!n) return settle(call, *context, code, not_a_context(s.context)), true;
    if (s.way < 2 && n->children > 0) {
      settle(call, *context, code, {{CADASTRE_FAILURE, CADASTRE_REASON_HAS_CHILDREN}});
      EXPECT(error_of(*context).in_use == static_cast<std::size_t>(n->children), "c%u has %d children: %s", n->id, n->children,
             error_of(*context).message);
      return true;
    }
    Summary summary;
    for (Node* const m : ending) {
      // What fails on a child is remembered as a failure on the context: in place of what was remembered of the child, or of another.
      const std::int64_t failed_before = summary.failed;
      empty(*m, summary);
      if (summary.failed > failed_before && m->id != s.context && !strict) {
        failed(m->handle, CADASTRE_DEALLOCATION_FAILED);
        std::erase_if(failures, [&](const auto& one) { return one.first == *context || one.first == m->handle; });
        failures.emplace_front(*context, CADASTRE_DEALLOCATION_FAILED);
      }
      --m->parent->children;
      nodes.erase(m->id);
    }
    Refusals refusals;
    if (summary.failed > 0) add(refusals, CADASTRE_DEALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_FREE_FAILED});
    settle(call, *context, code, refusals);
    EXPECT(cadastre_context_check(*context) == CADASTRE_NULL_CONTEXT, "c%u is live after its destruction", s.context);
    if (s.way == 0) return true;
    EXPECT(told.live_blocks == summary.blocks && told.live_bytes == summary.bytes && told.borrowed_blocks == summary.borrowed &&
               told.failed_deallocations == summary.failed && told.live_leases == 0,
           "%s reports %lld blocks, %zu bytes, %lld borrowed, %lld failed; expected %lld, %zu, %lld, %lld", call,
           static_cast<long long>(told.live_blocks), told.live_bytes, static_cast<long long>(told.borrowed_blocks),
           static_cast<long long>(told.failed_deallocations), static_cast<long long>(summary.blocks), summary.bytes,
           static_cast<long long>(summary.borrowed), static_cast<long long>(summary.failed));
    std::size_t most = 0;
    for (const auto& [label, bytes] : summary.labels) most = std::max(most, bytes);
    const bool right = told.largest_label_bytes == most && (most == 0 || summary.labels[told.largest_label] == most);
    EXPECT(right, "%s: label \"%s\" with %zu bytes; the most bytes of a label are %zu", call, told.largest_label, told.largest_label_bytes,
           most);
    return true;
  }

  bool allocate(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = live(s.context);
    const bool strided = s.way >= 3, ordered = s.way >= 6;
    const cadastre_memory_info_struct info = request_of(s);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    const bool pins = s.type == CADASTRE_PINNED && n && n->backend == CADASTRE_BACKEND_HOST;
    if (n) {
      refuse_request(refusals, s, strided && !ordered);
      if (s.type < types && exceeds_any(*n, s.type, s.size)) add(refusals, CADASTRE_LIMIT_EXCEEDED, {CADASTRE_REASON_LIMIT_EXCEEDED});
      if (fault == allocate_fails && n->backend == twin.number && s.size < PTRDIFF_MAX - 4096)
        add(refusals, CADASTRE_ALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
      if (s.alignment > (n->backend == twin.number ? 1u << 20 : 1u << 30) && is_power_of_two(s.alignment))
        add(refusals, CADASTRE_NOT_SUPPORTED, {CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED});
    }
    const char* const call = ordered ? "cadastre_malloc_async" : strided ? "cadastre_malloc_strided" : "cadastre_malloc";
    void* const pointer = ordered   ? cadastre_malloc_async(*context, info, CADASTRE_DEFAULT_QUEUE)
                          : strided ? cadastre_malloc_strided(*context, info, CADASTRE_DEFAULT_QUEUE)
                                    : cadastre_malloc(*context, info);
    const cadastre_exit_code code = code_of(*context, pointer);
    // What the system locks in memory is bounded, and that is nothing of ours.
    if (code == CADASTRE_ALLOCATION_FAILED && pins) add(refusals, CADASTRE_ALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
    settle(call, *context, code, refusals);
    if (code == CADASTRE_ALLOCATION_FAILED) pages_went_back();
    if (!n) return true;
    if (code != CADASTRE_SUCCESS) {
      expect_limit(*context, *n, s.type, s.size, 0);
      count_failure(*n, s.type);
      return true;
    }
    Block b;
    b.id = s.id;
    b.pointer = static_cast<char*>(pointer);
    b.size = s.size;
    b.alignment = std::max<std::size_t>(s.alignment, 1);
    b.stride = s.offset;
    b.type = s.type;
    b.flags = s.flags;
    b.backend = n->backend;
    if (s.type != CADASTRE_HOST || b.backend == twin.number) b.device = s.device > 0 && s.type != CADASTRE_HOST ? s.device - 1 : n->device;
    if (s.type == CADASTRE_HOST) b.device = -1;
    if (s.label != no_label) b.label = labels.of(s.label).second;
    b.order = n->next_order++;
    std::erase_if(n->borrowed, [&](const auto& one) { return drops(*n, one.second, b); });
    take_in(*n, b);
    count_allocation(*n, b.type, b.size, b.flags);
    cadastre_memory_info_struct described = cadastre_memory_info_struct_zero;
    EXPECT(cadastre_get_malloc_info(*context, pointer, &described) == CADASTRE_SUCCESS, "b%u cannot be described", b.id);
    expect_same(call, described, b);
    if (!(b.flags & CADASTRE_UNINITIALIZED)) verify_zero(*context, b, 0);
    paint(*context, n->owned[b.pointer]);
    return true;
  }

  void pages_went_back() {
    for (auto& [id, node] : nodes) forget_freed(node);
  }

  // A borrowed record goes when memory of its range comes from a backend: its owner must have freed it.
  static bool drops(Node& n, const Block& borrowed, const Block& b) {
    char *const from = borrowed.pointer, *const to = from + borrowed.size, *const begin = b.pointer, *const end = begin + b.size;
    const bool meet = from < end && begin < to;
    const bool goes =
        begin == from || (meet && (begin < from) == (end < to) && begin != from && end != to) || (from >= begin && to <= end && from < end);
    if (goes) count(n, borrowed.type, [](Account& a) { --a.borrowed_blocks; });
    return goes;
  }

  bool resize(const Step& s) {
    const auto context = handle(s.context);
    const auto old = address(s.id, s.offset);
    if (!context || !old) return false;
    Node* const n = live(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    Block* b = n ? at(*n, *old) : nullptr;
    const bool borrowed = b && n->borrowed.contains(*old);
    const bool of_twin = b && b->backend == twin.number;
    const std::size_t more = b && s.size > b->size ? s.size - b->size : 0;
    if (borrowed) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_BORROWED});
    else if (n && !b) refuse_address(refusals, *n, s.id, *old, true);
    else if (b) {
      if (s.size > PTRDIFF_MAX - 4096) add(refusals, CADASTRE_INVALID_ARG_3, {CADASTRE_REASON_SIZE_OVERFLOW});
      if (exceeds_any(*n, b->type, more)) add(refusals, CADASTRE_LIMIT_EXCEEDED, {CADASTRE_REASON_LIMIT_EXCEEDED});
      if (of_twin && fault == allocate_fails) add(refusals, CADASTRE_ALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
      if (of_twin && fault == copy_fails && std::min(b->size, s.size) > 0)
        add(refusals, CADASTRE_FAILURE, {CADASTRE_REASON_BACKEND_CALL_FAILED});
      if (of_twin && fault == free_fails) add(refusals, CADASTRE_DEALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_FREE_FAILED});
      verify(*context, *b);
    }
    char* const pointer = static_cast<char*>(cadastre_realloc(*context, *old, s.size));
    const cadastre_exit_code code = code_of(*context, pointer);
    if (code == CADASTRE_ALLOCATION_FAILED && b && b->type == CADASTRE_PINNED) add(refusals, code, {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
    settle("cadastre_realloc", *context, code, refusals);
    if (code == CADASTRE_ALLOCATION_FAILED) pages_went_back();
    if (code != CADASTRE_SUCCESS) {
      if (n && b && !borrowed) expect_limit(*context, *n, b->type, s.size, b->size);
      if (n && !b) expect_numbers(*context, *n, *old);
      if (n && b && !borrowed) count_failure(*n, b->type);
      return true;
    }
    const std::size_t had = b->size, least = std::min(had, s.size);
    Block now = *b;
    forget_owned(*n, *old);
    if (pointer != *old) remember(*n, *old, true);
    now.pointer = pointer;
    now.size = s.size;
    if (planted && now.label && s.size < had) now.label = nullptr;
    std::erase_if(n->borrowed, [&](const auto& one) { return pointer != *old && drops(*n, one.second, now); });
    take_in(*n, now);
    count_resize(*n, now.type, had, s.size, now.flags);
    EXPECT(reinterpret_cast<std::uintptr_t>(pointer) % now.alignment == 0, "b%u at %p has lost its alignment %zu", now.id,
           static_cast<void*>(pointer), now.alignment);
    verify(*context, now, had, least);
    if (!(now.flags & CADASTRE_UNINITIALIZED) && s.size > had) verify_zero(*context, now, had);
    paint(*context, n->owned[pointer]);
    return true;
  }

  bool free(const Step& s) {
    const auto context = handle(s.context);
    const auto pointer = address(s.id, s.offset);
    if (!context || !pointer) return false;
    Node* const n = live(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    const Block* const b = n ? at(*n, *pointer) : nullptr;
    const bool borrowed = b && n->borrowed.contains(*pointer);
    const bool fails = b && fault == free_fails && b->backend == twin.number;
    if (borrowed) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_BORROWED});
    else if (n && !b) refuse_address(refusals, *n, s.id, *pointer, true);
    else if (fails) add(refusals, CADASTRE_DEALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_FREE_FAILED});
    if (b && !borrowed) verify(*context, *b);
    const cadastre_exit_code code =
        s.way == 0 ? cadastre_free(*context, *pointer) : cadastre_free_async(*context, *pointer, CADASTRE_DEFAULT_QUEUE);
    settle(s.way == 0 ? "cadastre_free" : "cadastre_free_async", *context, code, refusals);
    if (n && !b) expect_numbers(*context, *n, *pointer);
    if (!b || borrowed) return true;
    count_free(*n, b->type, b->size, fails);
    forget_owned(*n, *pointer);
    remember(*n, *pointer, false);
    return true;
  }

  bool info(const Step& s) {
    const auto context = handle(s.context);
    const auto pointer = address(s.id, s.offset);
    if (!context || !pointer) return false;
    Node* const n = live(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    const Block* const b = n ? at(*n, *pointer) : nullptr;
    if (n && !b) refuse_address(refusals, *n, s.id, *pointer, true);
    if (s.op == Op::size) {
      std::size_t bytes = 77;
      settle("cadastre_get_allocated_size", *context, cadastre_get_allocated_size(*context, *pointer, &bytes), refusals);
      EXPECT(bytes == (b ? b->size : 77), "block b%u of %zu bytes is said to occupy %zu", b ? b->id : 0, b ? b->size : 77, bytes);
    } else {
      cadastre_memory_info_struct described = cadastre_memory_info_struct_zero;
      described.size = 77;
      settle("cadastre_get_malloc_info", *context, cadastre_get_malloc_info(*context, *pointer, &described), refusals);
      if (b) expect_same("cadastre_get_malloc_info", described, *b);
      else EXPECT(described.size == 77, "cadastre_get_malloc_info fails and writes");
    }
    if (n && !b) expect_numbers(*context, *n, *pointer);
    return true;
  }

  bool find(const Step& s) {
    const auto context = handle(s.context);
    const auto pointer = address(s.id, s.offset);
    if (!context || !pointer) return false;
    Node* const n = live(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    const Block* const b = n ? around(*n, *pointer) : nullptr;
    if (n && !b) refuse_address(refusals, *n, s.id, *pointer, false);
    cadastre_memory_info_struct described = cadastre_memory_info_struct_zero;
    std::size_t offset = 77;
    settle("cadastre_find_block", *context, cadastre_find_block(*context, *pointer, &described, &offset), refusals);
    if (b) expect_same("cadastre_find_block", described, *b);
    const std::size_t right = b ? static_cast<std::size_t>(*pointer - b->pointer) : 77;
    EXPECT(offset == right, "cadastre_find_block writes the offset %zu, expected %zu", offset, right);
    if (n && !b) expect_numbers(*context, *n, *pointer);
    return true;
  }

  bool wrap(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = live(s.context);
    cadastre_memory_info_struct info = request_of(s);
    info.stride = 0;
    char* const begin = arena() + s.offset;
    info.pointer = begin;
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    if (n) {
      const bool overlaps = around(*n, begin) || (s.size > 0 && around(*n, begin + s.size - 1));
      if (overlaps) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_OVERLAPS_BLOCK});
    }
    settle("cadastre_wrap", *context, cadastre_wrap(*context, info), refusals);
    if (!refusals.empty()) return true;
    Block& b = n->borrowed[begin];
    b.id = s.id;
    b.pointer = begin;
    b.size = s.size;
    b.type = s.type;
    b.flags = CADASTRE_BORROWED;
    b.backend = n->backend;
    b.device = s.type == CADASTRE_HOST ? -1 : s.device > 0 ? s.device - 1 : n->device;
    if (s.label != no_label) b.label = labels.of(s.label).second;
    b.alignment = std::min<std::size_t>(4096, reinterpret_cast<std::uintptr_t>(begin) & -reinterpret_cast<std::uintptr_t>(begin));
    b.order = n->next_order++;
    places[s.id] = {n->id, begin};
    count(*n, b.type, [](Account& a) { ++a.borrowed_blocks; });
    cadastre_memory_info_struct described = cadastre_memory_info_struct_zero;
    EXPECT(cadastre_get_malloc_info(*context, begin, &described) == CADASTRE_SUCCESS, "b%u cannot be described", b.id);
    expect_same("cadastre_wrap", described, b);
    EXPECT(described.alignment == b.alignment, "b%u at %p has the alignment %zu", b.id, static_cast<void*>(begin), described.alignment);
    return true;
  }

  bool unwrap(const Step& s) {
    const auto context = handle(s.context);
    const auto pointer = address(s.id, s.offset);
    if (!context || !pointer) return false;
    Node* const n = live(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    const Block* const b = n ? at(*n, *pointer) : nullptr;
    const bool borrowed = b && n->borrowed.contains(*pointer);
    if (b && !borrowed) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_NOT_BORROWED});
    else if (n && !b) refuse_address(refusals, *n, s.id, *pointer, true);
    settle("cadastre_unwrap", *context, cadastre_unwrap(*context, *pointer), refusals);
    if (!borrowed) return true;
    count(*n, b->type, [](Account& a) { --a.borrowed_blocks; });
    n->borrowed.erase(*pointer);
    return true;
  }

  // way 0: from a block to a block; 1: from a buffer of the program; 2: to one; 3 and 4: from and to NULL.
  bool copy(const Step& s) {
    const auto context = handle(s.context);
    Block *const to = block(s.id), *const from = s.way == 0 ? block(s.other) : nullptr;
    if (!context || !to || (s.way == 0 && !from)) return false;
    Node* const n = live(s.context);
    if (!n || !n->owned.contains(to->pointer) || (from && !n->owned.contains(from->pointer)) || s.offset > to->size) return false;
    if (s.offset == to->size && s.size > 0 && to->size > 0) return false;  // this is no address of the block
    std::vector<char> bytes(s.size);
    for (std::size_t i = 0; i < s.size; ++i) bytes[i] = static_cast<char>(mixed(s.id + i) >> 8);
    const std::size_t start = from ? std::min<std::size_t>(s.alignment, from->size > 0 ? from->size - 1 : 0) : 0;
    Refusals refusals;
    const bool leaves = s.size > to->size - s.offset, from_leaves = from && s.size > from->size - start;
    if (leaves || from_leaves) add(refusals, CADASTRE_OUT_OF_BOUNDS, {CADASTRE_REASON_OUT_OF_BOUNDS});
    char *const dest = to->pointer + s.offset, *const src = from ? from->pointer + start : bytes.data();
    if (from && dest != src && dest < src + s.size && src < dest + s.size)
      add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_RANGES_OVERLAP});
    if (s.way == 3)
      refusals = {{CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ADDRESS}, {CADASTRE_INVALID_ARG_3, CADASTRE_REASON_NULL_ARGUMENT}};
    if (s.way == 4)
      refusals = {{CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ADDRESS}, {CADASTRE_INVALID_ARG_2, CADASTRE_REASON_NULL_ARGUMENT}};
    if (s.way >= 3 && leaves) add(refusals, CADASTRE_OUT_OF_BOUNDS, {CADASTRE_REASON_OUT_OF_BOUNDS});
    // Between memory of the host the library may copy by itself.
    const bool of_host = to->type == CADASTRE_HOST && (!from || from->type == CADASTRE_HOST);
    if (s.size == 0) refusals.clear();
    else if (fault == copy_fails && dest != src && n->backend == twin.number && !of_host)
      add(refusals, CADASTRE_FAILURE, {CADASTRE_REASON_BACKEND_CALL_FAILED});
    if (from && refusals.empty()) get(*context, *from, start, bytes.data(), s.size);
    const cadastre_exit_code code = s.way == 0   ? cadastre_memcpy(*context, dest, src, s.size)
                                    : s.way == 1 ? cadastre_memcpy(*context, dest, bytes.data(), s.size)
                                    : s.way == 2 ? cadastre_memcpy(*context, bytes.data(), dest, s.size)
                                    : s.way == 3 ? cadastre_memcpy(*context, dest, nullptr, s.size)
                                                 : cadastre_memcpy(*context, nullptr, dest, s.size);
    if (s.way == 2 && leaves) EXPECT(code == CADASTRE_OUT_OF_BOUNDS, "a copy from beyond block b%u gives %d", to->id, code);
    settle("cadastre_memcpy", *context, code, refusals);
    if (code != CADASTRE_SUCCESS || s.way >= 3) return verify(*context, *to), true;
    std::vector<char> there(s.size);
    get(*context, *to, s.offset, there.data(), s.size);
    EXPECT(there == bytes, "cadastre_memcpy of %zu bytes to %zu of b%u copies something else", static_cast<std::size_t>(s.size),
           static_cast<std::size_t>(s.offset), to->id);
    paint(*context, *to);
    if (from && from != to) verify(*context, *from);
    return true;
  }

  bool set(const Step& s) {
    const auto context = handle(s.context);
    Block* const b = block(s.id);
    Node* const n = live(s.context);
    if (!context || !b || !n || !n->owned.contains(b->pointer) || s.offset > b->size || (s.offset == b->size && s.size > 0 && b->size > 0))
      return false;
    Refusals refusals;
    if (s.size > b->size - s.offset) add(refusals, CADASTRE_OUT_OF_BOUNDS, {CADASTRE_REASON_OUT_OF_BOUNDS});
    const cadastre_exit_code code = cadastre_memset(*context, b->pointer + s.offset, s.way, s.size);
    settle("cadastre_memset", *context, code, refusals);
    if (code != CADASTRE_SUCCESS) return verify(*context, *b), true;
    std::vector<char> there(s.size);
    get(*context, *b, s.offset, there.data(), s.size);
    for (const char byte : there) EXPECT(byte == static_cast<char>(s.way), "cadastre_memset sets %d for %d in b%u", byte, s.way, b->id);
    paint(*context, *b);
    return true;
  }

  bool lock(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = live(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    if (s.op == Op::lock) {
      settle("cadastre_lock", *context, cadastre_lock(*context), refusals);
      if (n) ++n->locks;
      return true;
    }
    if (n && n->locks == 0) add(refusals, CADASTRE_FAILURE, {CADASTRE_REASON_NOT_LOCKED});
    settle("cadastre_unlock", *context, cadastre_unlock(*context), refusals);
    if (n && n->locks > 0) --n->locks;
    return true;
  }

  bool limit(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = counted(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    const bool special = s.size == CADASTRE_UNLIMITED || s.size == CADASTRE_LIMIT_NOTHING;
    if (n && s.type >= types) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INVALID_MEMORY_TYPE});
    if (n && s.size > PTRDIFF_MAX && !special) add(refusals, CADASTRE_INVALID_ARG_3, {CADASTRE_REASON_SIZE_OVERFLOW});
    const cadastre_exit_code code = cadastre_set_limit(*context, s.type, s.size);
    settle("cadastre_set_limit", *context, code, refusals);
    if (code != CADASTRE_SUCCESS) return true;
    n->accounts[s.type].limit = s.size == 0 ? CADASTRE_UNLIMITED : s.size;
    loosen();
    return true;
  }

  void statistics(Node& n) {
    for (cadastre_memory_type type = 0; static_cast<std::size_t>(type) < types; ++type) {
      compare("statistics of", n.id, type, statistics_of(n.handle, type), n.accounts[static_cast<std::size_t>(type)], true);
    }
    if (!n.parent) return;
    cadastre_context_options_struct o = cadastre_context_options_struct_zero;
    EXPECT(cadastre_context_get_options(n.handle, &o) == CADASTRE_SUCCESS, "c%u has no options", n.id);
    EXPECT(o.backend == n.backend && o.parent == n.parent->handle && o.device == CADASTRE_DEVICE_BY_ID(n.device),
           "the options of c%u: backend %d, parent %lld, device %d; expected %d, %lld, %d", n.id, o.backend,
           static_cast<long long>(o.parent), o.device, n.backend, static_cast<long long>(n.parent->handle),
           CADASTRE_DEVICE_BY_ID(n.device));
    for (std::size_t t = 0; t < types; ++t)
      EXPECT(o.limits[t] == n.accounts[t].limit, "the options of c%u: limit %zu, expected %zu", n.id, o.limits[t], n.accounts[t].limit);
  }

  bool reset(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = counted(s.context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    if (n && s.type >= types) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INVALID_MEMORY_TYPE});
    const cadastre_exit_code code = cadastre_reset_high_water_mark(*context, s.type);
    settle("cadastre_reset_high_water_mark", *context, code, refusals);
    if (code != CADASTRE_SUCCESS) return true;
    Account& a = n->accounts[s.type];
    a.high_water_mark_bytes = a.live_bytes;
    a.high_water_mark_blocks = a.live_blocks;
    a.is_exact = counts_exactly(*n, s.type);
    return true;
  }

  bool each(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = live(s.context);
    std::vector<cadastre_memory_info_struct> all;
    const cadastre_exit_code code = cadastre_foreach_block(
        *context,
        [](const cadastre_memory_info_struct* info, void* to) {
          static_cast<std::vector<cadastre_memory_info_struct>*>(to)->push_back(*info);
          return CADASTRE_SUCCESS;
        },
        &all);
    settle("cadastre_foreach_block", *context, code, n ? Refusals{} : not_a_context(s.context));
    if (!n) return true;
    EXPECT(all.size() == n->owned.size() + n->borrowed.size(), "cadastre_foreach_block shows %zu blocks of c%u, which has %zu and %zu",
           all.size(), n->id, n->owned.size(), n->borrowed.size());
    std::uint64_t next = 0;
    for (const cadastre_memory_info_struct& info : all) {
      const Block* const b = at(*n, static_cast<char*>(info.pointer));
      EXPECT(b, "cadastre_foreach_block shows a block at %p, where there is none", info.pointer);
      expect_same("cadastre_foreach_block", info, *b);
      EXPECT(b->order >= next, "cadastre_foreach_block shows b%u too late", b->id);
      next = b->order + 1;
    }
    return true;
  }

  bool free_all(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = live(s.context);
    if (n) verify_all(*n);
    const cadastre_exit_code code = cadastre_free_all(*context);
    Refusals refusals = n ? Refusals{} : not_a_context(s.context);
    Summary summary;
    if (n) empty(*n, summary);
    if (n) forget_freed(*n);
    if (summary.failed > 0) add(refusals, CADASTRE_DEALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_FREE_FAILED});
    settle("cadastre_free_all", *context, code, refusals);
    return true;
  }

  bool report(const Step& s) {
    const auto context = handle(s.context);
    if (!context) return false;
    Node* const n = counted(s.context);
    settle("cadastre_report", *context, cadastre_report(*context, sink(), s.way % 2), n ? Refusals{} : not_a_context(s.context));
    return true;
  }

  bool check_errors() {
    for (const auto& [handle, code] : failures) {
      const cadastre_error_struct error = error_of(handle);
      EXPECT(error.exit_code == code, "the last failure on context %lld is remembered as %d; it was %d", static_cast<long long>(handle),
             error.exit_code, code);
    }
    return true;
  }

  bool verify_one(const Step& s) {
    Block* const b = block(s.id);
    Node* const n = live(s.context);
    if (!b || !n || !n->owned.contains(b->pointer)) return false;
    verify(n->handle, *b);
    return true;
  }

  void check_all(bool labels) {
    statistics(process_node);
    ++turn;
    for (auto& [id, n] : nodes) {
      statistics(n);
      verify_all(n, labels);
    }
    check_errors();
  }

  bool make(const Step& s) {
    switch (s.op) {
      case Op::create: return create(s);
      case Op::destroy: return destroy(s);
      case Op::allocate: return allocate(s);
      case Op::resize: return resize(s);
      case Op::free: return free(s);
      case Op::info:
      case Op::size: return info(s);
      case Op::find: return find(s);
      case Op::wrap: return wrap(s);
      case Op::unwrap: return unwrap(s);
      case Op::copy: return copy(s);
      case Op::set: return set(s);
      case Op::lock:
      case Op::unlock: return lock(s);
      case Op::limit: return limit(s);
      case Op::statistics:
        if (Node* const n = counted(s.context)) return statistics(*n), true;
        return false;
      case Op::reset: return reset(s);
      case Op::each: return each(s);
      case Op::free_all: return free_all(s);
      case Op::report: return report(s);
      case Op::verify: return verify_one(s);
      case Op::errors: return check_errors();
      case Op::fork:
      case Op::end:
      case Op::count: return true;
    }
    return false;
  }
};

World::World() : inside_(new Inside) {
  arena();  // now, lest it lies where a block was
  if (twin.number == CADASTRE_INVALID_BACKEND) register_twin();
}
World::~World() { delete inside_; }

void World::make(const Step& step) {
  fault = static_cast<Fault>(step.fault);
  op_under_way = static_cast<std::size_t>(step.op);
  outcome->made += inside_->make(step);
  fault = sound;
}

void World::check_all(bool labels) { inside_->check_all(labels); }
bool World::has_block(Id id) const { return inside_->block(id); }
bool World::has_context(Id id) const { return inside_->live(id); }

std::size_t World::room(Id context, std::uint8_t type) const {
  std::size_t least = SIZE_MAX;
  for (const Counted* n = inside_->live(context); n && type < types; n = n->parent) {
    const Account& a = n->accounts[type];
    if (a.limit != CADASTRE_UNLIMITED) least = std::min(least, allowed(a) - std::min(allowed(a), a.live_bytes));
  }
  return least;
}

void World::destroy_all() {
  check_all(true);
  while (!inside_->nodes.empty()) {
    Step s;
    s.op = Op::destroy;
    s.context = inside_->nodes.begin()->first;
    s.way = 2;
    make(s);
  }
  inside_->statistics(inside_->process_node);
  for (std::size_t t = 0; t < types; ++t) {
    const Account& a = inside_->process_node.accounts[t];
    EXPECT(a.live_blocks == 0 && a.live_bytes == 0, "%lld blocks of type %zu are alive in no context",
           static_cast<long long>(a.live_blocks), t);
  }
}

}  // namespace model
