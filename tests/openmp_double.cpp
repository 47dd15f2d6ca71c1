// Tangled from org/tests/openmp_double.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// A double of the OpenMP backend's module, for tests: no OpenMP is in it.
#include "openmp_double.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "backends/openmp_module.hpp"

namespace {

OpenmpDouble control;
std::mutex mutex;

struct Block {
  std::size_t bytes;
  std::int32_t device;
  cadastre_openmp_kind kind;
};

std::map<std::uintptr_t, Block>& blocks() {
  static auto* const all = new std::map<std::uintptr_t, Block>;
  return *all;
}

std::int32_t number_from(const char* variable, std::int32_t otherwise) {
  const char* const value = std::getenv(variable);
  return value ? static_cast<std::int32_t>(std::strtol(value, nullptr, 10)) : otherwise;
}

// Counts a call, and answers whether it is to fail.
bool fails() {
  ++control.calls;
  if (control.fail_in == 0 || --control.fail_in > 0) return false;
  if (--control.failures > 0) control.fail_in = 1;
  return true;
}

constexpr cadastre_openmp_answer refused = {42, "the double was told to fail"};
constexpr cadastre_openmp_answer done = {0, nullptr};

// Whether the bytes are where the caller says; those of a device must be in one of its blocks.
bool lie_on(const void* address, std::size_t bytes, std::int32_t device) {
  const std::lock_guard guard(mutex);
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  auto at = blocks().upper_bound(first);
  const bool inside = at != blocks().begin() && (--at, first - at->first < at->second.bytes);
  if (device == cadastre_openmp_host) return !inside || at->second.kind != cadastre_openmp_device;
  return inside && at->second.device == device && first - at->first + bytes <= at->second.bytes;
}

struct Queue {
  std::int32_t device = -1;  // -1: destroyed
  std::uint64_t stream = 0;
};

struct Work {
  std::uint64_t stream;
  std::int32_t device;
  void* to;
  const void* from;  // null: set
  int value;
  std::size_t bytes;
};

Queue queues[8];
std::vector<Work>& work() {
  static auto* const all = new std::vector<Work>;
  return *all;
}

void* make_queue(int device) {
  static std::uint64_t streams = 1;
  const std::lock_guard guard(mutex);
  Queue* const queue = std::find_if(std::begin(queues), std::end(queues), [](const Queue& each) { return each.device < 0; });
  if (queue == std::end(queues)) std::abort();
  *queue = {device, ++streams};
  return queue;
}

Queue* queue_at(void* queue) {
  const auto is_it = [&](const Queue& each) { return &each == queue && each.device >= 0; };
  Queue* const found = std::find_if(std::begin(queues), std::end(queues), is_it);
  return found == std::end(queues) ? nullptr : found;
}

void put(void* queue, void* to, const void* from, int value, std::size_t bytes) {
  const std::lock_guard guard(mutex);
  const Queue& on = *queue_at(queue);
  work().push_back({on.stream, on.device, to, from, value, bytes});
}

void put_set(void* queue, void* to, int value, std::size_t bytes) { put(queue, to, nullptr, value, bytes); }
void put_copy(void* queue, void* to, const void* from, std::size_t bytes) { put(queue, to, from, 0, bytes); }

void destroy_queue(void* queue) {
  const std::lock_guard guard(mutex);
  queue_at(queue)->device = -1;
}

// With the mutex held: whether work that is not done yet is to read or write there.
bool is_in_use(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const auto touches = [&](const void* other, std::size_t size) {
    const auto begin = reinterpret_cast<std::uintptr_t>(other);
    return other && begin < first + bytes && first < begin + size;
  };
  return std::any_of(work().begin(), work().end(),
                     [&](const Work& each) { return touches(each.to, each.bytes) || touches(each.from, each.bytes); });
}

template <class Which>
void do_work(Which is_meant) {
  const std::lock_guard guard(mutex);
  for (const Work& each : work()) {
    if (!is_meant(each)) continue;
    if (each.from) std::memcpy(each.to, each.from, each.bytes);
    else std::memset(each.to, each.value, each.bytes);
  }
  work().erase(std::remove_if(work().begin(), work().end(), is_meant), work().end());
}

const char* no_queues() { return number_from("OPENMP_DOUBLE_QUEUES", 1) == 0 ? "the double was told to have no queues" : nullptr; }

const char* routine(cadastre_openmp_kind kind) {
  return kind == cadastre_openmp_device ? "double_device" : kind == cadastre_openmp_pinned ? "double_pinned" : "double_managed";
}

constexpr cadastre_openmp_answer no_such_queue = {cadastre_openmp_no_queue, "the double has no such queue"};

cadastre_openmp_answer look_at(void* queue, cadastre_openmp_queue* found) {
  const std::lock_guard guard(mutex);
  const Queue* const there = no_queues() ? nullptr : queue_at(queue);
  if (!there) return no_such_queue;
  *found = {there->device, there->stream};
  return done;
}

cadastre_openmp_answer wait(void* queue) {
  cadastre_openmp_queue found{};
  if (look_at(queue, &found).text) return no_such_queue;
  if (control.capturing) return {cadastre_openmp_captured, "the double was told that it is captured"};
  if (fails()) return refused;
  ++control.queue_waits;
  std::uint64_t stream = found.identity;
  do_work([&](const Work& each) { return each.stream == stream; });
  return done;
}

cadastre_openmp_answer settle(std::int32_t device) {
  if (device < 0 || device >= number_from("OPENMP_DOUBLE_DEVICES", 3)) ++control.mistakes;
  if (fails()) return refused;
  ++control.device_waits;
  do_work([&](const Work& each) { return each.device == device; });
  return done;
}

const char* refusal(cadastre_openmp_kind kind) {
  const bool lacks = kind == cadastre_openmp_pinned && number_from("OPENMP_DOUBLE_PINNED", 1) == 0;
  return lacks ? "the double was told to have none" : nullptr;
}

std::int32_t devices() { return number_from("OPENMP_DOUBLE_DEVICES", 3); }

std::int32_t default_device() { return control.default_device; }

void name(std::int32_t device, char* name, std::size_t capacity) { std::strncpy(name, device == 2 ? "double 2" : "double", capacity - 1); }

// Addresses are odd multiples of the alignment that a module promises.
cadastre_openmp_answer allocate(cadastre_openmp_kind kind, std::size_t bytes, std::int32_t device, void** pointer) {
  if (device < 0 || device >= devices()) ++control.mistakes;
  if (fails() || bytes > std::size_t{1} << 40) return refused;
  auto* const first = static_cast<std::byte*>(std::aligned_alloc(32, (bytes + 16 + 31) & ~std::size_t{31}));
  if (!first) return refused;
  std::memset(first + 16, 0xff, bytes);
  const std::lock_guard guard(mutex);
  *pointer = first + 16;
  blocks()[reinterpret_cast<std::uintptr_t>(*pointer)] = {bytes, device, kind};
  ++control.live;
  return done;
}

cadastre_openmp_answer free(cadastre_openmp_kind kind, void* pointer, std::int32_t device) {
  if (fails()) return refused;
  const std::lock_guard guard(mutex);
  const auto block = blocks().find(reinterpret_cast<std::uintptr_t>(pointer));
  if (block == blocks().end() || block->second.kind != kind || block->second.device != device) {
    ++control.mistakes;
    return done;
  }
  if (is_in_use(pointer, block->second.bytes)) ++control.mistakes;
  blocks().erase(block);
  --control.live;
  std::free(static_cast<std::byte*>(pointer) - 16);
  return done;
}

cadastre_openmp_answer copy(void* to, std::int32_t to_device, const void* from, std::int32_t from_device, std::size_t bytes) {
  if (!lie_on(to, bytes, to_device) || !lie_on(from, bytes, from_device)) ++control.mistakes;
  if (fails()) return refused;
  if (to_device != cadastre_openmp_host && from_device != cadastre_openmp_host) {
    if (!control.between_devices) return {22, "the double copies to and from the host only"};
    if (bytes > control.largest_between) control.largest_between = bytes;
  }
  std::memcpy(to, from, bytes);
  return done;
}

cadastre_openmp_answer fill(void* to, std::int32_t device, std::int32_t value, std::size_t bytes) {
  if (!lie_on(to, bytes, device)) ++control.mistakes;
  if (fails()) return refused;
  ++control.filled;
  std::memset(to, value, bytes);
  return done;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) OpenmpDouble* cadastre_openmp_double() {
  control.make_queue = make_queue;
  control.destroy_queue = destroy_queue;
  control.put_set = put_set;
  control.put_copy = put_copy;
  return &control;
}

extern "C" __attribute__((visibility("default"))) const cadastre_openmp_table* cadastre_openmp_module() {
  static const cadastre_openmp_table table = {sizeof table,
                                              static_cast<std::uint32_t>(number_from("OPENMP_DOUBLE_VERSION", cadastre_openmp_version)),
                                              "the double",
                                              "tests",
                                              "look for another",
                                              1,
                                              devices,
                                              default_device,
                                              refusal,
                                              name,
                                              allocate,
                                              free,
                                              copy,
                                              fill,
                                              routine,
                                              no_queues,
                                              look_at,
                                              wait,
                                              settle};
  return &table;
}
