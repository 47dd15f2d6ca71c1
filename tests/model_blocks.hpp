// Tangled from org/tests/model_blocks.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What both runners of the model need.
#ifndef CADASTRE_TESTS_MODEL_BLOCKS_HPP
#define CADASTRE_TESTS_MODEL_BLOCKS_HPP

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "model.hpp"

namespace model {

constexpr std::size_t reachable = std::size_t{1} << 47;  // an address space has no more

struct Double {
  struct Given {
    std::size_t size;
    cadastre_memory_type type;
    std::int32_t device;
    void* memory;  // of malloc, in which the block lies
  };
  std::mutex mutex;
  std::unordered_map<void*, Given> given;
  cadastre_backend number = CADASTRE_INVALID_BACKEND;
};
inline Double twin;
inline thread_local Fault fault = sound;

// Contents are looked at without one.
struct Meanwhile {
  Fault before = std::exchange(fault, sound);
  Meanwhile() = default;
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;
  ~Meanwhile() { fault = before; }
};

inline std::int32_t allocate(void*, const cadastre_memory_info_struct* request, cadastre_queue, void** pointer) {
  if (fault == allocate_fails) return 7;
  if (request->size >= reachable) return 12;  // a sanitizer ends the process at such a size
  const std::size_t alignment = std::max<std::size_t>(request->alignment, 16);
  void* const given = std::malloc(request->size + alignment);
  if (!given) return 12;
  // Aligned here: aligned_alloc of mimalloc 2.0 gives some blocks at a multiple of less.
  std::size_t room = request->size + alignment;
  void* memory = given;
  std::align(alignment, request->size, memory, room);
  std::memset(memory, 0xa5, request->size);
  const std::lock_guard lock(twin.mutex);
  twin.given[memory] = {request->size, request->type, request->device_id, given};
  *pointer = memory;
  return 0;
}

inline std::int32_t release(void*, const cadastre_memory_info_struct* block) {
  if (fault == free_fails) return 8;
  void* memory = nullptr;
  {
    const std::lock_guard lock(twin.mutex);
    const auto found = twin.given.find(block->pointer);
    EXPECT(found != twin.given.end(), "operation free got %p, which the backend did not allocate or has freed", block->pointer);
    const Double::Given& given = found->second;
    EXPECT(given.size == block->size && given.type == block->type && given.device == block->device_id,
           "operation free got %zu bytes of type %d on device %d for a block of %zu bytes of type %d on device %d", block->size,
           block->type, block->device_id, given.size, given.type, given.device);
    memory = given.memory;
    twin.given.erase(found);
  }
  std::memset(block->pointer, 0x5a, block->size);
  std::free(memory);
  return 0;
}

inline std::int32_t copy(void*, void* to, const cadastre_memory_info_struct*, const void* from, const cadastre_memory_info_struct*,
                         std::size_t size, cadastre_queue) {
  if (fault == copy_fails) return 9;
  std::memcpy(to, from, size);
  return 0;
}

inline std::int32_t set(void*, void* to, const cadastre_memory_info_struct*, int value, std::size_t size, cadastre_queue) {
  std::memset(to, value, size);
  return 0;
}

inline void register_twin() {
  cadastre_backend_operations_struct table = cadastre_backend_operations_struct_zero;
  table.memory_type_mask = 15;
  table.device_count = 2;
  table.allocate = allocate;
  table.free = release;
  table.copy = copy;
  table.set = set;
  twin.number = cadastre_backend_register("twin", &table, nullptr);
  EXPECT(twin.number != CADASTRE_INVALID_BACKEND, "the backend of the test cannot be registered");
}

struct Labels {
  std::mutex mutex;
  std::unordered_map<std::uint16_t, std::pair<std::unique_ptr<std::string>, const char*>> known;
  // The caller's text, and what the library has of it.
  std::pair<const char*, const char*> of(std::uint16_t number) {
    const std::lock_guard lock(mutex);
    auto& [text, stored] = known[number];
    if (!text) {
      text = std::make_unique<std::string>(label_text(number));
      stored = number == too_long_label ? nullptr : cadastre_label(text->c_str());
      EXPECT(number == too_long_label || (stored && stored == *text), "cadastre_label(\"%s\") is %s", text->c_str(),
             stored ? stored : "NULL");
    }
    return {text->c_str(), stored};
  }
};
inline Labels labels;

inline const char* given_label(const Step& step) {
  if (step.label == no_label) return nullptr;
  const auto [text, stored] = labels.of(step.label);
  thread_local char buffer[300];
  if (step.way % 3 == literal || step.label == too_long_label) return text;
  if (step.way % 3 == interned) return stored;
  return std::strcpy(buffer, text);
}

constexpr std::size_t whole_up_to = 64 << 10, ends = 512, apart = 64 << 10;

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// What the host writes itself, and what it must ask the library for.
inline void put(cadastre_context context, const Block& b, std::size_t at, const void* bytes, std::size_t size) {
  if (size == 0) return;
  if (b.type != CADASTRE_DEVICE) return static_cast<void>(std::memcpy(b.pointer + at, bytes, size));
  const Meanwhile here;
  const cadastre_exit_code code = cadastre_memcpy(context, b.pointer + at, bytes, size);
  EXPECT(code == CADASTRE_SUCCESS, "writing %zu bytes at %zu of block b%u gives %d", size, at, b.id, code);
}

inline void get(cadastre_context context, const Block& b, std::size_t at, void* bytes, std::size_t size) {
  if (size == 0) return;
  if (b.type != CADASTRE_DEVICE) return static_cast<void>(std::memcpy(bytes, b.pointer + at, size));
  const Meanwhile here;
  const cadastre_exit_code code = cadastre_memcpy(context, bytes, b.pointer + at, size);
  EXPECT(code == CADASTRE_SUCCESS, "reading %zu bytes at %zu of block b%u gives %d", size, at, b.id, code);
}

// The ranges of a block, at multiples of 8, that are painted: all of a small one, parts of a large one.
template <class Each>
inline void painted(std::size_t size, Each each) {
  if (size <= whole_up_to) return size > 0 ? each(std::size_t{0}, size) : void();
  each(std::size_t{0}, ends);
  for (std::size_t at = apart; at + 8 < size - ends; at += apart) each(at, std::size_t{8});
  const std::size_t last = (size - ends) / 8 * 8;
  each(last, size - last);
}

inline void fill_pattern(std::vector<std::uint64_t>& words, std::uint64_t pattern, std::size_t at, std::size_t size) {
  words.resize((size + 7) / 8);
  std::uint64_t number = pattern + at / 8;
  for (std::uint64_t& word : words) word = number++ * 0x9e3779b97f4a7c15;
}

inline thread_local std::vector<std::uint64_t> expected, found;

inline void paint(cadastre_context context, Block& b) {
  static std::atomic<std::uint64_t> next = 1;
  b.pattern = mixed(next++);
  painted(b.size, [&](std::size_t at, std::size_t size) {
    fill_pattern(expected, b.pattern, at, size);
    put(context, b, at, expected.data(), size);
  });
}

// Of the block as it was painted when it had `size` bytes, those below `below`.
inline void verify(cadastre_context context, const Block& b, std::size_t size, std::size_t below) {
  painted(size, [&](std::size_t at, std::size_t part) {
    if (at >= below) return;
    part = std::min(part, below - at);
    fill_pattern(expected, b.pattern, at, part);
    found.resize(expected.size());
    get(context, b, at, found.data(), part);
    EXPECT(std::memcmp(found.data(), expected.data(), part) == 0, "the %zu bytes at %zu of block b%u (%zu bytes of type %d at %p) changed",
           part, at, b.id, b.size, b.type, static_cast<void*>(b.pointer));
  });
}

inline void verify(cadastre_context context, const Block& b) { verify(context, b, b.size, b.size); }

inline void verify_zero(cadastre_context context, const Block& b, std::size_t from) {
  thread_local std::vector<char> bytes;
  const auto is_zero = [&](std::size_t at, std::size_t size) {
    bytes.resize(size);
    get(context, b, at, bytes.data(), size);
    EXPECT(size == 0 || (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, size - 1) == 0),
           "not zero from %zu: block b%u of %zu bytes of type %d", at, b.id, b.size, b.type);
  };
  const std::size_t size = b.size - from;
  if (size <= whole_up_to) return is_zero(from, size);
  is_zero(from, 4096);
  for (std::size_t at = from + 4096; at + 8 < b.size; at += 4096) is_zero(at, 8);
  is_zero(b.size - ends, ends);
}

inline bool is_power_of_two(std::size_t number) { return number != 0 && (number & (number - 1)) == 0; }

inline cadastre_memory_info_struct request_of(const Step& step) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = step.size;
  info.type = step.type;
  info.alignment = step.alignment;
  info.stride = step.offset;
  info.flags = step.flags;
  info.label = given_label(step);
  if (step.device > 0) info.device = CADASTRE_DEVICE_BY_ID(step.device - 1);
  return info;
}

inline void expect_same(const char* call, const cadastre_memory_info_struct& info, const Block& b) {
  const bool same = info.size == b.size && info.pointer == b.pointer && info.type == b.type && info.stride == b.stride &&
                    info.flags == b.flags && info.backend == b.backend && info.device_id == b.device &&
                    info.device == (b.device < 0 ? CADASTRE_DEFAULT_DEVICE : CADASTRE_DEVICE_BY_ID(b.device)) && info.label == b.label;
  EXPECT(
      same,
      "%s describes block b%u as size %zu pointer %p type %d stride %zu flags %u backend %d device %d (%d) label %s; expected %zu %p %d %zu "
      "%u %d %d label %s",
      call, b.id, info.size, info.pointer, info.type, info.stride, info.flags, info.backend, info.device_id, info.device,
      info.label ? info.label : "NULL", b.size, static_cast<void*>(b.pointer), b.type, b.stride, b.flags, b.backend, b.device,
      b.label ? b.label : "NULL");
  EXPECT(
      is_power_of_two(info.alignment) && info.alignment >= b.alignment && reinterpret_cast<std::uintptr_t>(b.pointer) % info.alignment == 0,
      "%s gives block b%u at %p the alignment %zu; at least %zu was requested", call, b.id, static_cast<void*>(b.pointer), info.alignment,
      b.alignment);
}

// What the caller of a request can do wrong in it. Where several are wrong, the header does not say which is named.
inline void refuse_request(Refusals& refusals, const Step& step, bool strided) {
  constexpr std::size_t largest = PTRDIFF_MAX;
  if (step.alignment != 0 && !is_power_of_two(step.alignment)) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INVALID_ALIGNMENT});
  if (step.type >= types) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INVALID_MEMORY_TYPE});
  if (step.flags & ~CADASTRE_UNINITIALIZED) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INVALID_FLAGS});
  if (step.label == too_long_label) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_LABEL_TOO_LONG});
  if (step.device > 2 && step.type != CADASTRE_HOST) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INVALID_DEVICE});
  if (step.size > largest - 4096) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_SIZE_OVERFLOW});
  else if (step.size >= reachable) add(refusals, CADASTRE_ALLOCATION_FAILED, {CADASTRE_REASON_BACKEND_OUT_OF_MEMORY});
  if (strided && (step.offset == 0 || step.offset > step.size)) add(refusals, CADASTRE_INVALID_ARG_2, {CADASTRE_REASON_INVALID_STRIDE});
}

}  // namespace model

#endif
