// Tangled from org/tests/cuda_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "config.h"
#include "backend_conformance.hpp"
#include "backends/cuda_api.hpp"
#include "base/environment.hpp"
#include "cuda_double.hpp"

using namespace cadastre::cuda_api;
using namespace cadastre::internal;

namespace {

Backend& backend() { return *find_backend(spoken().backend); }

template <class Function>
Function* find(const char* name) {
  const char* const symbol = spoken().symbol_of(name, cuda_version());
  assert_non_null(symbol);
  auto* const found = reinterpret_cast<Function*>(dlsym(cuda_runtime(), symbol));
  assert_non_null(found);
  return found;
}
#define CUDA(routine) find<signature::routine>(#routine)

// Skips a claim which needs what only the double has.
#define ON_THE_DOUBLE \
  if (!cuda_double()) skip_because(needs_the_double)

std::string failed_here() { return " failed in the " + vendor_here() + " backend: "; }

std::size_t blocks_alive() {
  if (!cuda_double()) return 0;
  cuda_double_census census{};
  cuda_double().count(&census);
  return census.blocks;
}

std::size_t events_alive() {
  if (!cuda_double()) return 0;
  cuda_double_census census{};
  cuda_double().count(&census);
  return census.events;
}

struct Stream {
  cudaStream_t stream = nullptr;
  explicit Stream(int device = 0, unsigned flags = cudaStreamNonBlocking) {
    int before = 0;
    assert_int_equal(CUDA(cudaGetDevice)(&before), cudaSuccess);
    assert_int_equal(CUDA(cudaSetDevice)(device), cudaSuccess);
    assert_int_equal(CUDA(cudaStreamCreateWithFlags)(&stream, flags), cudaSuccess);
    assert_int_equal(CUDA(cudaSetDevice)(before), cudaSuccess);
  }
  ~Stream() { CUDA(cudaStreamDestroy)(stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

int current_device() {
  int device = -1;
  assert_int_equal(CUDA(cudaGetDevice)(&device), cudaSuccess);
  return device;
}

void no_error_is_left() { assert_int_equal(CUDA(cudaPeekAtLastError)(), cudaSuccess); }

constexpr int planted = cudaErrorIllegalAddress;

template <cadastre_memory_type served>
struct Subject {
  static Backend& backend() { return ::backend(); }
  static constexpr cadastre_memory_type type = served;
};

template <cadastre_memory_type served>
struct SubjectThatFails : Subject<served> {
  static void fail_in(long k) { cuda_double().fail(nullptr, k, k > 0 ? 1 : 0, planted); }
  static std::size_t live() { return blocks_alive(); }
};

template <cadastre_memory_type type>
void add_claims_on(std::vector<CMUnitTest>& tests) {
  if (!backend().serves(type)) return;
  if (cuda_double()) {
    Claims<SubjectThatFails<type>>::add_to(tests);
  } else {
    Claims<Subject<type>>::add_to(tests);
  }
}

void transfer(void* to, const void* from, std::size_t bytes) {
  assert_int_equal(CUDA(cudaMemcpy)(to, from, bytes, cudaMemcpyDefault), cudaSuccess);
  assert_int_equal(CUDA(cudaDeviceSynchronize)(), cudaSuccess);
}

Record record_of(const Request& request, const Grant& grant) {
  Record record;
  record.pointer = grant.pointer;
  record.size = request.size;
  record.type = static_cast<std::uint8_t>(request.type);
  record.device = request.device;
  record.backend = static_cast<std::uint8_t>(spoken().backend);
  record.alignment_log2 = log2_of(grant.alignment);
  record.how = grant.how;
  return record;
}

Record block_of(const Request& request) {
  Grant grant{};
  assert_int_equal(admit(backend(), request), CADASTRE_SUCCESS);
  assert_int_equal(backend().allocate(request, grant), CADASTRE_SUCCESS);
  return record_of(request, grant);
}

Record block_of(cadastre_memory_type type, std::size_t size, std::int32_t device = 0) { return block_of({size, 0, type, device, true}); }

void give_back(const Record& record) { assert_int_equal(backend().free(record), CADASTRE_SUCCESS); }

Place place_of(const Record& record) { return {record.type, record.device, record.backend}; }
std::byte* bytes_of(const Record& record) { return static_cast<std::byte*>(record.pointer); }

using Bytes = std::vector<unsigned char>;

Bytes pattern(std::size_t size, unsigned seed = 1) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + seed);
  return bytes;
}

Bytes contents(const Record& record) {
  Bytes bytes(record.size);
  transfer(bytes.data(), record.pointer, record.size);
  return bytes;
}

void write(const Record& record, const Bytes& bytes) { transfer(record.pointer, bytes.data(), bytes.size()); }

Copy copy_between(const Record& to, const Record& from, std::size_t bytes) {
  return {.to = bytes_of(to), .from = bytes_of(from), .bytes = bytes, .to_place = place_of(to), .from_place = place_of(from)};
}

Copy copy_out(Bytes& to, const Record& from) {
  return {.to = reinterpret_cast<std::byte*>(to.data()),
          .from = bytes_of(from),
          .bytes = to.size(),
          .to_place = {},
          .from_place = place_of(from)};
}

Copy copy_in(const Record& to, const Bytes& from) {
  return {.to = bytes_of(to),
          .from = reinterpret_cast<const std::byte*>(from.data()),
          .bytes = from.size(),
          .to_place = place_of(to),
          .from_place = {}};
}

cadastre_error_struct last() {
  attribute(5, "test");
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(5, error);
  return error;
}

std::vector<cadastre_memory_type> served_types() {
  std::vector<cadastre_memory_type> types;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (backend().serves(type)) types.push_back(type);
  }
  return types;
}

void the_state_of_the_vendor_is_told(void**) {
  int count = 0;
  assert_int_equal(CUDA(cudaGetDeviceCount)(&count), cudaSuccess);
  const Presence presence = backend().presence();
  assert_int_equal(presence.devices, count);
  assert_true(presence.accelerates);
  assert_false(backend().serves(CADASTRE_HOST));
  assert_int_equal(backend().current_device(), current_device());
}

void vast_alignments_are_refused_before_the_vendor_is_asked(void**) {
  const std::size_t widest = backend().largest_alignment(CADASTRE_DEVICE);
  assert_true(widest >= std::size_t{1} << 20);
  assert_int_equal(admit(backend(), {8, widest, CADASTRE_DEVICE, 0, true}), CADASTRE_SUCCESS);
  assert_int_equal(admit(backend(), {8, widest * 2, CADASTRE_DEVICE, 0, true}), CADASTRE_NOT_SUPPORTED);
  assert_int_equal(last().reason, CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED);
}

bool has_pools() {
  int value = 0;
  return CUDA(cudaDeviceGetAttribute)(&value, spoken().attribute(cudaDevAttrMemoryPoolsSupported), 0) == cudaSuccess && value != 0;
}

void a_stream_ordered_block_says_so_and_is_freed_either_way(void**) {
  const Stream queue;
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{1} << 20}) {
    for (const bool in_order : {true, false}) {
      const Record record = block_of({.size = 5000,
                                      .alignment = alignment,
                                      .type = CADASTRE_DEVICE,
                                      .device = 0,
                                      .zero = true,
                                      .ordered = true,
                                      .queue = queue.stream});
      assert_int_equal((record.how & how_ordered) != 0, has_pools());
      assert_int_equal(backend().synchronize(0, queue.stream), CADASTRE_SUCCESS);
      assert_true(contents(record) == Bytes(5000, 0));
      assert_int_equal(in_order ? backend().free_ordered(record, queue.stream) : backend().free(record), CADASTRE_SUCCESS);
    }
  }
  const Record plain = block_of(CADASTRE_DEVICE, 100);
  assert_false(plain.how & how_ordered);
  assert_int_equal(backend().free_ordered(plain, queue.stream), CADASTRE_SUCCESS);
}

void only_device_memory_is_stream_ordered(void**) {
  for (const cadastre_memory_type type : served_types()) {
    if (type == CADASTRE_DEVICE) continue;
    const Record record = block_of({.size = 100, .alignment = 0, .type = type, .device = 0, .zero = true, .ordered = true});
    assert_false(record.how & how_ordered);
    assert_true(contents(record) == Bytes(100, 0));
    give_back(record);
  }
}

void a_copy_reaches_every_place_from_every_place(void**) {
  constexpr std::size_t size = 70000;
  const Stream queue;
  for (const cadastre_queue on : {CADASTRE_DEFAULT_QUEUE, static_cast<cadastre_queue>(queue.stream)}) {
    for (const cadastre_memory_type from : served_types()) {
      const Record source = block_of(from, size);
      Copy in = copy_in(source, pattern(size));
      const Bytes original = pattern(size);
      in.from = reinterpret_cast<const std::byte*>(original.data());
      in.queue = on;
      assert_int_equal(backend().copy(in), CADASTRE_SUCCESS);
      assert_true(contents(source) == original);
      for (const cadastre_memory_type to : served_types()) {
        const Record target = block_of(to, size);
        Copy copy = copy_between(target, source, size);
        copy.queue = on;
        assert_int_equal(backend().copy(copy), CADASTRE_SUCCESS);
        assert_true(contents(target) == original);
        give_back(target);
      }
      Bytes out(size);
      Copy copy = copy_out(out, source);
      copy.queue = on;
      assert_int_equal(backend().copy(copy), CADASTRE_SUCCESS);
      assert_true(out == original);
      give_back(source);
    }
  }
  no_error_is_left();
}

void a_copy_that_is_waited_for_comes_after_what_its_queue_holds(void**) {
  constexpr std::size_t size = std::size_t{1} << 20;
  const Stream queue;
  const Record pinned = block_of(CADASTRE_PINNED, size), device = block_of(CADASTRE_DEVICE, size);
  std::memset(pinned.pointer, 0x5a, size);
  Copy in = copy_between(device, pinned, size);
  in.queue = queue.stream;
  in.wait = false;
  assert_int_equal(backend().copy(in), CADASTRE_SUCCESS);
  Bytes seen(size);
  Copy out = copy_out(seen, device);
  out.queue = queue.stream;
  assert_int_equal(backend().copy(out), CADASTRE_SUCCESS);
  assert_true(seen == Bytes(size, 0x5a));
  give_back(pinned);
  give_back(device);
}

void two_devices_copy_to_each_other(void**) {
  if (backend().presence().devices < 2) skip_because("there is no second device");
  constexpr std::size_t size = 6400, width = 60, stride = 64;
  const Stream queue;
  const Record first = block_of(CADASTRE_DEVICE, size, 0), second = block_of(CADASTRE_DEVICE, size, 1);
  write(first, pattern(size));
  assert_int_equal(backend().copy(copy_between(second, first, size)), CADASTRE_SUCCESS);
  assert_true(contents(second) == pattern(size));
  write(second, pattern(size, 5));
  Copy back = copy_between(first, second, size);
  back.queue = queue.stream;
  assert_int_equal(backend().copy(back), CADASTRE_SUCCESS);
  assert_true(contents(first) == pattern(size, 5));
  write(first, Bytes(size, 0));
  Copy rows = copy_between(first, second, width);
  rows.rows = size / stride;
  rows.to_stride = rows.from_stride = stride;
  if (cuda_double()) cuda_double().forget();
  assert_int_equal(backend().copy_rows(rows), CADASTRE_SUCCESS);
  if (cuda_double()) assert_int_equal(cuda_double().calls("cudaMemcpyPeer"), size / stride);
  Bytes expected(size, 0);
  for (std::size_t at = 0; at < size; at += stride) std::copy_n(pattern(size, 5).data() + at, width, &expected[at]);
  assert_true(contents(first) == expected);
  give_back(first);
  give_back(second);
}

void set_later(const Record& record, int value, cadastre_queue queue = CADASTRE_DEFAULT_QUEUE) {
  assert_int_equal(
      backend().set(
          {.to = bytes_of(record), .value = value, .bytes = record.size, .place = place_of(record), .queue = queue, .wait = false}),
      CADASTRE_SUCCESS);
}

void the_default_queue_is_that_of_the_device_which_has_the_block(void**) {
  if (backend().presence().devices < 2) skip_because("there is no second device");
  const Record record = block_of(CADASTRE_DEVICE, 1000, 1);
  Bytes seen(1000);
  const auto copied_out = [&](cadastre_exit_code (Backend::*copy)(const Copy&) noexcept) {
    seen.assign(1000, 0);
    Copy out = copy_out(seen, record);
    out.to_stride = out.from_stride = 1000;
    assert_int_equal((backend().*copy)(out), CADASTRE_SUCCESS);
    return seen;
  };
  set_later(record, 1);
  assert_true(copied_out(&Backend::copy) == Bytes(1000, 1));
  set_later(record, 2);
  assert_true(copied_out(&Backend::copy_rows) == Bytes(1000, 2));
  set_later(record, 3);
  assert_int_equal(backend().set({.to = bytes_of(record), .value = 4, .bytes = 1000, .place = place_of(record)}), CADASTRE_SUCCESS);
  assert_true(contents(record) == Bytes(1000, 4));
  give_back(record);
}

void a_copy_between_devices_comes_after_what_both_were_given(void**) {
  if (backend().presence().devices < 2) skip_because("there is no second device");
  const Record first = block_of(CADASTRE_DEVICE, 1000, 0), second = block_of(CADASTRE_DEVICE, 1000, 1);
  set_later(first, 1);
  set_later(second, 2);
  assert_int_equal(backend().copy(copy_between(second, first, 1000)), CADASTRE_SUCCESS);
  assert_int_equal(backend().settle(second), CADASTRE_SUCCESS);
  assert_true(contents(second) == Bytes(1000, 1));
  give_back(first);
  give_back(second);
}

void pinned_memory_is_set_by_the_host_when_its_queue_gets_there(void**) {
  const Stream queue;
  const Record pinned = block_of(CADASTRE_PINNED, 1000), device = block_of(CADASTRE_DEVICE, 1000);
  Copy copy = copy_between(pinned, device, 1000);
  copy.queue = queue.stream;
  copy.wait = false;
  assert_int_equal(backend().copy(copy), CADASTRE_SUCCESS);
  if (cuda_double()) cuda_double().forget();
  set_later(pinned, 7, queue.stream);
  if (cuda_double()) assert_int_equal(cuda_double().calls("cudaMemsetAsync"), 0);
  assert_int_equal(backend().synchronize(0, queue.stream), CADASTRE_SUCCESS);
  assert_true(contents(pinned) == Bytes(1000, 7));
  give_back(pinned);
  give_back(device);
}

void a_set_reaches_every_place(void**) {
  const Stream queue;
  for (const cadastre_memory_type type : served_types()) {
    for (const bool wait : {true, false}) {
      const Record record = block_of(type, 1000);
      assert_int_equal(
          backend().set(
              {.to = bytes_of(record) + 10, .value = 0xa5, .bytes = 980, .place = place_of(record), .queue = queue.stream, .wait = wait}),
          CADASTRE_SUCCESS);
      if (!wait) {
        assert_int_equal(backend().synchronize(0, queue.stream), CADASTRE_SUCCESS);
      }
      Bytes expected(1000, 0);
      std::fill_n(expected.begin() + 10, 980, static_cast<unsigned char>(0xa5));
      assert_true(contents(record) == expected);
      give_back(record);
    }
  }
}

void hints_are_followed_where_the_device_can(void**) {
  if (!backend().serves(CADASTRE_UVM)) skip_because("the device has no managed memory");
  int concurrent = 0;
  assert_int_equal(CUDA(cudaDeviceGetAttribute)(&concurrent, spoken().attribute(cudaDevAttrConcurrentManagedAccess), 0), cudaSuccess);
  const Record record = block_of(CADASTRE_UVM, 1 << 20);
  for (const std::int32_t device : {0, CADASTRE_HOST_DEVICE}) {
    Hint hint{.begin = bytes_of(record),
              .bytes = record.size,
              .place = place_of(record),
              .device = device,
              .advice = CADASTRE_ADVICE_READ_MOSTLY};
    bool taken = !concurrent;
    assert_int_equal(backend().prefetch(hint, taken), CADASTRE_SUCCESS);
    assert_int_equal(taken, concurrent != 0);
    for (cadastre_advice advice = CADASTRE_ADVICE_READ_MOSTLY; advice <= CADASTRE_ADVICE_UNSET_ACCESSED_BY; ++advice) {
      hint.advice = advice;
      assert_int_equal(backend().advise(hint, taken), CADASTRE_SUCCESS);
      assert_int_equal(taken, concurrent != 0);
    }
  }
  assert_true(contents(record) == Bytes(record.size, 0));
  no_error_is_left();
  give_back(record);
}

void is_as_the_vendor_writes_it(const char* uuid) {
  unsigned parts[4] = {};
  unsigned long long last_part = 0;
  if (!on_hip()) {
    assert_int_equal(std::sscanf(uuid, "GPU-%8x-%4x-%4x-%4x-%12llx", &parts[0], &parts[1], &parts[2], &parts[3], &last_part), 5);
    assert_int_equal(std::strlen(uuid), 40);
  } else if (spoken().major(cuda_version()) < 6) {
    assert_int_equal(std::sscanf(uuid, "PCI-%4x:%2x:%2x", &parts[0], &parts[1], &parts[2]), 3);
    assert_int_equal(std::strlen(uuid), 14);
  } else {
    assert_int_equal(std::sscanf(uuid, "GPU-%16llx", &last_part), 1);
    assert_int_equal(std::strlen(uuid), 20);
  }
}

void a_device_is_described(void**) {
  DeviceDescription description{};
  assert_int_equal(backend().describe(0, description), CADASTRE_SUCCESS);
  assert_true(std::strlen(description.name) > 0);
  assert_true(description.free > 0 && description.free <= description.total);
  is_as_the_vendor_writes_it(description.uuid);
  int integrated = -1;
  assert_int_equal(CUDA(cudaDeviceGetAttribute)(&integrated, spoken().attribute(cudaDevAttrIntegrated), 0), cudaSuccess);
  assert_int_equal(description.integrated, integrated);
  const auto says = [](cudaDeviceAttr attribute) {
    int value = -1;
    assert_int_equal(CUDA(cudaDeviceGetAttribute)(&value, spoken().attribute(attribute), 0), cudaSuccess);
    return value == 1;
  };
  assert_int_equal(description.pageable_access, says(cudaDevAttrPageableMemoryAccess));
  assert_int_equal(description.host_access, integrated == 1 && on_hip() && says(cudaDevAttrDirectManagedMemAccessFromHost));
  const DeviceDescription before = description;
  assert_int_equal(backend().describe(backend().presence().devices, description), CADASTRE_FAILURE);
  assert_int_equal(last().vendor_code, cudaErrorInvalidDevice);
  assert_memory_equal(&description, &before, sizeof before);
  no_error_is_left();
}

// To ask for the properties of a device takes long on some systems.
void the_memory_of_a_device_is_asked_for_alone(void**) {
  ON_THE_DOUBLE;
  const std::int32_t last_device = backend().presence().devices - 1;
  DeviceDescription description{};
  assert_int_equal(backend().describe(last_device, description), CADASTRE_SUCCESS);
  DeviceMemory memory{};
  cuda_double().forget_calls();
  assert_int_equal(backend().memory_of(last_device, memory), CADASTRE_SUCCESS);
  assert_int_equal(cuda_double().calls_of("cudaGetDeviceProperties"), 0);
  assert_int_equal(cuda_double().calls_of("cudaMemGetInfo"), 1);
  assert_true(memory.total == description.total && memory.free == description.free);
  no_error_is_left();
  if (last_device == 0) return;  // a sole one is not chosen
  assert_int_equal(backend().memory_of(backend().presence().devices, memory), CADASTRE_FAILURE);
  assert_int_equal(last().vendor_code, cudaErrorInvalidDevice);
  assert_true(memory.total == description.total && memory.free == description.free);
  no_error_is_left();
}

// As on an APU of AMD's. What is copied by a queue or by the host is the same.
void the_host_reaches_memory_of_the_device_where_that_is_said(void**) {
  DeviceDescription description{};
  assert_int_equal(backend().describe(0, description), CADASTRE_SUCCESS);
  if (!description.host_access) skip_because("the host does not reach DEVICE memory of this device");
  const Record record = block_of(CADASTRE_DEVICE, 5000, 0);
  auto* const bytes = static_cast<unsigned char*>(record.pointer);
  const Place there{CADASTRE_DEVICE, 0, spoken().backend};
  assert_int_equal(backend().set({.to = static_cast<std::byte*>(record.pointer), .value = 7, .bytes = 5000, .place = there}),
                   CADASTRE_SUCCESS);
  for (std::size_t i = 0; i < 5000; ++i) assert_int_equal(bytes[i], 7);
  for (std::size_t i = 0; i < 5000; ++i) bytes[i] = static_cast<unsigned char>(i);
  std::vector<unsigned char> found(5000);
  assert_int_equal(backend().copy({.to = reinterpret_cast<std::byte*>(found.data()),
                                   .from = static_cast<std::byte*>(record.pointer),
                                   .bytes = 5000,
                                   .to_place = {},
                                   .from_place = there}),
                   CADASTRE_SUCCESS);
  for (std::size_t i = 0; i < 5000; ++i) assert_int_equal(found[i], static_cast<unsigned char>(i));
  Place place;
  assert_true(backend().claims(bytes + 4999, place));
  assert_int_equal(place.type, CADASTRE_DEVICE);
  give_back(record);
  no_error_is_left();
}

void each_device_has_its_own_memory(void**) {
  if (backend().presence().devices < 2) skip_because("there is no second device");
  DeviceDescription before[2], after[2];
  for (const int device : {0, 1}) assert_int_equal(backend().describe(device, before[device]), CADASTRE_SUCCESS);
  const Record record = block_of(CADASTRE_DEVICE, std::size_t{64} << 20, 1);
  for (const int device : {0, 1}) assert_int_equal(backend().describe(device, after[device]), CADASTRE_SUCCESS);
  assert_true(after[1].free <= before[1].free - record.size);
  assert_true(after[0].free > before[0].free - record.size);
  Place place;
  assert_true(backend().claims(record.pointer, place));
  assert_int_equal(place.device, 1);
  give_back(record);
}

void memory_of_the_vendor_is_claimed_and_that_of_the_host_is_not(void**) {
  void* device = nullptr;
  assert_int_equal(CUDA(cudaMalloc)(&device, 100), cudaSuccess);
  Place place;
  assert_true(backend().claims(static_cast<std::byte*>(device) + 99, place));
  assert_int_equal(place.type, CADASTRE_DEVICE);
  assert_int_equal(place.backend, spoken().backend);
  assert_int_equal(place.device, current_device());
  assert_int_equal(CUDA(cudaFree)(device), cudaSuccess);
  if (backend().serves(CADASTRE_UVM)) {
    void* managed = nullptr;
    assert_int_equal(CUDA(cudaMallocManaged)(&managed, 100, cudaMemAttachGlobal), cudaSuccess);
    assert_true(backend().claims(managed, place));
    assert_int_equal(place.type, CADASTRE_UVM);
    assert_int_equal(CUDA(cudaFree)(managed), cudaSuccess);
  }
  const int on_the_stack = 0;
  assert_false(backend().claims(&on_the_stack, place));
  const Record pinned = block_of(CADASTRE_PINNED, 100);
  assert_false(backend().claims(pinned.pointer, place));
  give_back(pinned);
  no_error_is_left();
}

// One queue fills a block, the other copies it to the host, and perhaps waits for the first before.
void copy_what_another_queue_fills(std::int32_t filling, std::int32_t copying, bool in_order) {
  constexpr std::size_t size = std::size_t{1} << 22;
  const Stream filler(filling), copier(copying);
  const Record source = block_of(CADASTRE_PINNED, size), block = block_of(CADASTRE_DEVICE, size, filling),
               target = block_of(CADASTRE_PINNED, size);
  std::memset(source.pointer, 0x5a, size);
  Copy in = copy_between(block, source, size), out = copy_between(target, block, size);
  in.wait = out.wait = false;
  in.queue = filler.stream;
  out.queue = copier.stream;
  Backend::Event event = nullptr;
  assert_int_equal(backend().copy(in), CADASTRE_SUCCESS);
  assert_int_equal(backend().record_event(filling, filler.stream, event), CADASTRE_SUCCESS);
  assert_non_null(event);
  if (in_order) assert_int_equal(backend().wait_event(copying, copier.stream, event), CADASTRE_SUCCESS);
  assert_int_equal(backend().copy(out), CADASTRE_SUCCESS);
  assert_int_equal(backend().synchronize(copying, copier.stream), CADASTRE_SUCCESS);
  const auto* const seen = static_cast<const unsigned char*>(target.pointer);
  assert_int_equal(Bytes(seen, seen + size) == Bytes(size, 0x5a), in_order);
  backend().destroy_event(filling, event);
  for (const Record& record : {source, block, target}) give_back(record);
}

void a_queue_waits_for_an_event_of_another_on_any_device(void**) {
  for (std::int32_t filling = 0; filling < backend().presence().devices; ++filling) {
    for (std::int32_t copying = 0; copying < backend().presence().devices; ++copying) {
      copy_what_another_queue_fills(filling, copying, true);
      if (cuda_double()) copy_what_another_queue_fills(filling, copying, false);  // or it would hold by luck
      assert_int_equal(current_device(), 0);
    }
  }
  no_error_is_left();
}

void an_event_of_a_default_queue_is_its_devices(void**) {
  const std::size_t before = events_alive();
  const std::int32_t last_device = backend().presence().devices - 1;
  for (const std::int32_t device : {0, last_device}) {
    const Stream other;
    const Record block = block_of(CADASTRE_DEVICE, 100, device);
    Backend::Event event = nullptr;
    for (int value = 1; value < 4; ++value) {
      set_later(block, value);
      const Backend::Event same = event;
      assert_int_equal(backend().record_event(device, CADASTRE_DEFAULT_QUEUE, event), CADASTRE_SUCCESS);
      assert_true(!same || same == event);
      if (cuda_double()) assert_int_equal(events_alive(), before + 1);
      assert_int_equal(backend().wait_event(0, other.stream, event), CADASTRE_SUCCESS);
      assert_int_equal(backend().synchronize_event(device, event), CADASTRE_SUCCESS);
      if (cuda_double()) assert_int_equal(*static_cast<char*>(cuda_double().bytes(block.pointer, 1)), value);
      assert_true(contents(block) == Bytes(100, static_cast<unsigned char>(value)));
    }
    backend().destroy_event(device, event);
    assert_int_equal(events_alive(), before);
    give_back(block);
  }
  no_error_is_left();
}

void nothing_is_waited_for_where_nothing_was_recorded(void**) {
  ON_THE_DOUBLE;
  cuda_double().forget();
  assert_int_equal(backend().wait_event(0, CADASTRE_DEFAULT_QUEUE, nullptr), CADASTRE_SUCCESS);
  assert_int_equal(backend().synchronize_event(0, nullptr), CADASTRE_SUCCESS);
  backend().destroy_event(0, nullptr);
  assert_int_equal(cuda_double().calls(nullptr), 0);
}

void a_queue_that_is_captured_says_so(void**) {
  const Stream blocking(0, cudaStreamDefault), independent, other;
  const std::int32_t last_device = backend().presence().devices - 1;
  for (const Stream* const captured : {&blocking, &independent}) {
    for (const bool spoilt : {false, true}) {
      assert_false(backend().capturing(0, captured->stream));
      assert_int_equal(CUDA(cudaStreamBeginCapture)(captured->stream, cudaStreamCaptureModeGlobal), cudaSuccess);
      if (spoilt) {
        assert_int_equal(CUDA(cudaStreamSynchronize)(captured->stream), cudaErrorStreamCaptureUnsupported);
        CUDA(cudaGetLastError)();
      }
      assert_true(backend().capturing(0, captured->stream));
      assert_false(backend().capturing(0, other.stream));
      assert_int_equal(backend().capturing(0, CADASTRE_DEFAULT_QUEUE), captured == &blocking);
      if (last_device > 0) assert_false(backend().capturing(last_device, CADASTRE_DEFAULT_QUEUE));
      no_error_is_left();
      cudaGraph_t graph = nullptr;
      assert_int_equal(CUDA(cudaStreamEndCapture)(captured->stream, &graph), spoilt ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
      CUDA(cudaGetLastError)();
      if (graph) assert_int_equal(CUDA(cudaGraphDestroy)(graph), cudaSuccess);
      assert_false(backend().capturing(0, captured->stream));
      assert_false(backend().capturing(0, CADASTRE_DEFAULT_QUEUE));
    }
  }
}

void asking_whether_a_queue_is_captured_leaves_the_capture_alone(void**) {
  const Stream queue;
  const Record block = block_of(CADASTRE_DEVICE, 100);
  assert_int_equal(CUDA(cudaStreamBeginCapture)(queue.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  assert_true(backend().capturing(0, queue.stream));
  set_later(block, 7, queue.stream);
  assert_true(backend().capturing(0, queue.stream));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  assert_int_equal(CUDA(cudaStreamEndCapture)(queue.stream, &graph), cudaSuccess);
  assert_int_equal(CUDA(cudaGraphInstantiateWithFlags)(&executable, graph, 0), cudaSuccess);
  assert_true(contents(block) == Bytes(100, 0));
  assert_int_equal(CUDA(cudaGraphLaunch)(executable, queue.stream), cudaSuccess);
  assert_int_equal(backend().synchronize(0, queue.stream), CADASTRE_SUCCESS);
  assert_true(contents(block) == Bytes(100, 7));
  assert_int_equal(CUDA(cudaGraphExecDestroy)(executable), cudaSuccess);
  assert_int_equal(CUDA(cudaGraphDestroy)(graph), cudaSuccess);
  give_back(block);
}

void a_wait_that_a_capture_forbids_is_told_and_leaves_no_error(void**) {
  const Stream captured, other;
  Backend::Event event = nullptr;
  assert_int_equal(backend().record_event(0, other.stream, event), CADASTRE_SUCCESS);
  assert_int_equal(CUDA(cudaStreamBeginCapture)(captured.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  assert_int_equal(backend().wait_event(0, captured.stream, event), CADASTRE_FAILURE);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
  assert_int_equal(last().vendor_code, cudaErrorStreamCaptureIsolation);
  assert_non_null(std::strstr(last().message, told("cudaStreamWaitEvent").c_str()));
  no_error_is_left();
  cudaGraph_t graph = nullptr;
  assert_int_equal(CUDA(cudaStreamEndCapture)(captured.stream, &graph), cudaErrorStreamCaptureInvalidated);
  CUDA(cudaGetLastError)();
  backend().destroy_event(0, event);
}

void a_refusal_leaves_no_error_behind_and_tells_the_vendors(void**) {
  for (const bool ordered : {false, true}) {
    Grant grant{};
    const Request request{
        .size = std::size_t{1} << 50, .alignment = 0, .type = CADASTRE_DEVICE, .device = 0, .zero = true, .ordered = ordered};
    assert_int_equal(backend().allocate(request, grant), CADASTRE_ALLOCATION_FAILED);
    assert_null(grant.pointer);
    assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
    assert_int_equal(last().vendor_code, cudaErrorMemoryAllocation);
    assert_string_equal(last().vendor_message, "out of memory");
    assert_int_equal(last().device_id, 0);
    no_error_is_left();
  }
  Place place;
  backend().claims(nullptr, place);
  no_error_is_left();
}

void operations_on(std::int32_t device) {
  for (const cadastre_memory_type type : served_types()) {
    const Record record = block_of(type, 5000, device), other = block_of(type, 5000, device);
    Bytes bytes = pattern(5000);
    assert_int_equal(backend().copy(copy_in(record, bytes)), CADASTRE_SUCCESS);
    assert_int_equal(backend().copy(copy_between(other, record, 5000)), CADASTRE_SUCCESS);
    assert_int_equal(backend().set({.to = bytes_of(record), .value = 1, .bytes = 5000, .place = place_of(record)}), CADASTRE_SUCCESS);
    assert_int_equal(backend().settle(record), CADASTRE_SUCCESS);
    Grant grant{};
    assert_int_equal(backend().resize(other, 6000, grant), CADASTRE_SUCCESS);
    give_back(record);
    give_back(record_of({6000, 0, type, device, true}, grant));
  }
  assert_int_equal(backend().synchronize(device, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
}

void the_callers_device_is_current_again_after_each_operation(void**) {
  if (backend().presence().devices < 2) skip_because("there is no second device");
  for (const int mine : {0, 1}) {
    assert_int_equal(CUDA(cudaSetDevice)(mine), cudaSuccess);
    assert_int_equal(backend().current_device(), mine);
    operations_on(1 - mine);
    assert_int_equal(current_device(), mine);
    DeviceDescription description{};
    assert_int_equal(backend().describe(1 - mine, description), CADASTRE_SUCCESS);
    Grant grant{};
    assert_int_equal(backend().allocate({std::size_t{1} << 50, 0, CADASTRE_DEVICE, 1 - mine, true}, grant), CADASTRE_ALLOCATION_FAILED);
    assert_int_equal(current_device(), mine);
  }
  assert_int_equal(CUDA(cudaSetDevice)(0), cudaSuccess);
}

void nothing_is_switched_where_the_device_is_the_callers(void**) {
  ON_THE_DOUBLE;
  cuda_double().forget();
  operations_on(0);
  assert_int_equal(cuda_double().calls("cudaSetDevice"), 0);
  if (on_driver()) return;  // a context may be of any device
  assert_int_equal(cuda_double().calls("cudaGetDevice") > 0, backend().presence().devices > 1);
}

void a_context_takes_its_memory_from_here(void**) {
  const std::size_t before = blocks_alive();
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = spoken().backend;
  options.pool = CADASTRE_POOL_VENDOR;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 5000;
  info.type = CADASTRE_DEVICE;
  void* const device = cadastre_malloc(context, info);
  assert_non_null(device);
  cadastre_memory_info_struct told;
  assert_int_equal(cadastre_get_malloc_info(context, device, &told), CADASTRE_SUCCESS);
  assert_int_equal(told.flags & CADASTRE_STREAM_ORDERED, 0);
  info.type = CADASTRE_HOST;
  assert_non_null(cadastre_malloc(context, info));
  Bytes in = pattern(5000), out(5000);
  assert_int_equal(cadastre_memcpy(context, device, in.data(), 5000), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memset(context, static_cast<std::byte*>(device) + 100, 0, 50), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, out.data(), device, 5000), CADASTRE_SUCCESS);
  std::fill_n(in.begin() + 100, 50, static_cast<unsigned char>(0));
  assert_true(in == out);
  void* const larger = cadastre_realloc(context, device, 9000);
  assert_non_null(larger);
  assert_int_equal(cadastre_memcpy(context, larger, static_cast<std::byte*>(larger) + 8999, 2), CADASTRE_OUT_OF_BOUNDS);
  assert_int_equal(cadastre_free(context, larger), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_memcpy(context, out.data(), larger, 1), CADASTRE_INVALID_ARG_3);
  void* foreign = nullptr;
  assert_int_equal(CUDA(cudaMalloc)(&foreign, 10), cudaSuccess);
  assert_int_equal(cadastre_memcpy(context, foreign, in.data(), 1), CADASTRE_INVALID_ARG_2);
  assert_int_equal(CUDA(cudaFree)(foreign), cudaSuccess);
  info.type = CADASTRE_DEVICE;
  assert_non_null(cadastre_malloc(context, info));
  assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
  assert_int_equal(blocks_alive(), before);
}

Bytes seen_by_a_kernel(const Record& record) {
  const auto* const bytes = static_cast<unsigned char*>(cuda_double().bytes(record.pointer, record.size));
  assert_non_null(bytes);
  return {bytes, bytes + record.size};
}

void memory_is_zero_before_the_call_returns(void**) {
  ON_THE_DOUBLE;
  for (const cadastre_memory_type type : served_types()) {
    const Record record = block_of(type, 5000);
    assert_true(seen_by_a_kernel(record) == Bytes(5000, 0));
    give_back(record);
    const Record left = block_of({5000, 0, type, 0, false});
    assert_false(seen_by_a_kernel(left) == Bytes(5000, 0));  // or the claim would hold by luck
    give_back(left);
  }
}

void zeros_of_an_ordered_block_are_put_on_its_queue(void**) {
  ON_THE_DOUBLE;
  if (!has_pools()) skip_because("the device has no pools of its own");
  const Stream queue;
  const Record record =
      block_of({.size = 500, .alignment = 0, .type = CADASTRE_DEVICE, .device = 0, .zero = true, .ordered = true, .queue = queue.stream});
  assert_false(seen_by_a_kernel(record) == Bytes(500, 0));
  assert_int_equal(CUDA(cudaStreamSynchronize)(queue.stream), cudaSuccess);
  assert_true(seen_by_a_kernel(record) == Bytes(500, 0));
  give_back(record);
}

// Puts a copy of the block on a queue; whether the copy is there tells whether the queue got so far.
struct Pending {
  Stream queue;
  Record copy;
  explicit Pending(const Record& source, unsigned flags = cudaStreamNonBlocking)
      : queue(source.device, flags), copy(block_of(CADASTRE_DEVICE, 5000, source.device)) {
    write(source, pattern(5000));
    assert_int_equal(CUDA(cudaMemcpyAsync)(copy.pointer, source.pointer, 5000, cudaMemcpyDefault, queue.stream), cudaSuccess);
  }
  bool done() const { return seen_by_a_kernel(copy) == pattern(5000); }
  ~Pending() { backend().free(copy); }
};

void free_waits_for_all_queues_first(void**) {
  ON_THE_DOUBLE;
  for (const cadastre_memory_type type : served_types()) {
    for (const bool ordered : {false, true}) {
      const std::int32_t device = backend().presence().devices - 1;
      const Record record = block_of({.size = 5000, .alignment = 0, .type = type, .device = device, .zero = false, .ordered = ordered});
      const Pending pending(record);
      assert_false(pending.done());
      cuda_double().forget();
      give_back(record);
      assert_true(pending.done());
      // Memory of a pool and pinned memory are freed by CUDA without a wait that it promises.
      const bool by_cuda = !(record.how & how_ordered) && type != CADASTRE_PINNED;
      const std::string made = cuda_double().made();
      assert_true(made.find(by_cuda ? "cudaStreamSynchronize" : wait_for_device()) < made.rfind("cudaFree"));
      assert_int_equal(made.find("cudaDeviceSynchronize") == std::string::npos, by_cuda || spoken().free_waits);
    }
  }
}

// An event costs as much as the free.
void small_frees_in_order_record_no_event_each(void**) {
  ON_THE_DOUBLE;
  if (!has_pools()) skip_because("the device has no pools of its own");
  const Stream queue;
  for (const auto& [size, events] : {std::pair<std::size_t, long>{1000, 1}, {std::size_t{64} << 10, 8}}) {
    std::array<Record, 8> blocks;
    for (Record& record : blocks)
      record = block_of({.size = size, .alignment = 0, .type = CADASTRE_DEVICE, .device = 0, .zero = false, .ordered = true});
    cuda_double().forget_calls();
    for (const Record& record : blocks) assert_int_equal(backend().free_ordered(record, queue.stream), CADASTRE_SUCCESS);
    assert_true(cuda_double().calls_of("cudaEventRecord") <= events);
    assert_int_equal(cuda_double().calls_of("cudaFreeAsync"), 8);
  }
  assert_int_equal(CUDA(cudaStreamSynchronize)(queue.stream), cudaSuccess);
}

void free_in_order_waits_for_nothing_where_the_block_is_ordered(void**) {
  ON_THE_DOUBLE;
  for (const bool ordered : {true, false}) {
    const Record record = block_of({.size = 5000, .alignment = 0, .type = CADASTRE_DEVICE, .device = 0, .zero = false, .ordered = ordered});
    const Pending pending(record);
    assert_int_equal(backend().free_ordered(record, pending.queue.stream), CADASTRE_SUCCESS);
    assert_int_equal(pending.done(), !(ordered && has_pools()));
    assert_int_equal(CUDA(cudaStreamSynchronize)(pending.queue.stream), cudaSuccess);
    assert_true(pending.done());
  }
}

void free_in_order_waits_for_a_queue_of_another_device(void**) {
  ON_THE_DOUBLE;
  if (backend().presence().devices < 2) skip_because("there is no second device");
  const Stream queue(1);
  const Record record = block_of(CADASTRE_DEVICE, 100, 0), copy = block_of(CADASTRE_DEVICE, 100, 1);
  write(record, pattern(100));
  assert_int_equal(CUDA(cudaMemcpyAsync)(copy.pointer, record.pointer, 100, cudaMemcpyDefault, queue.stream), cudaSuccess);
  assert_int_equal(backend().free_ordered(record, queue.stream), CADASTRE_SUCCESS);
  assert_true(seen_by_a_kernel(copy) == pattern(100));
  give_back(copy);
}

void a_copy_that_is_not_waited_for_is_left_to_its_queue(void**) {
  ON_THE_DOUBLE;
  const Stream queue;
  const Record device = block_of(CADASTRE_DEVICE, 100), pinned = block_of(CADASTRE_PINNED, 100);
  std::memset(pinned.pointer, 0x11, 100);
  Copy copy = copy_between(device, pinned, 100);
  copy.queue = queue.stream;
  copy.wait = false;
  assert_int_equal(backend().copy(copy), CADASTRE_SUCCESS);
  assert_true(seen_by_a_kernel(device) == Bytes(100, 0));
  assert_int_equal(backend().synchronize(0, queue.stream), CADASTRE_SUCCESS);
  assert_true(seen_by_a_kernel(device) == Bytes(100, 0x11));
  set_later(device, 0x22, queue.stream);
  assert_true(seen_by_a_kernel(device) == Bytes(100, 0x11));
  assert_int_equal(backend().synchronize(0, queue.stream), CADASTRE_SUCCESS);
  assert_true(seen_by_a_kernel(device) == Bytes(100, 0x22));
  give_back(device);
  give_back(pinned);
}

void waiting_is_for_the_device_that_is_named(void**) {
  ON_THE_DOUBLE;
  const std::int32_t device = backend().presence().devices - 1;
  const Record record = block_of(CADASTRE_DEVICE, 100, device);
  set_later(record, 1);
  assert_true(seen_by_a_kernel(record) == Bytes(100, 0));
  assert_int_equal(backend().synchronize(device, CADASTRE_DEFAULT_QUEUE), CADASTRE_SUCCESS);
  assert_true(seen_by_a_kernel(record) == Bytes(100, 1));
  set_later(record, 2);
  assert_int_equal(backend().settle(record), CADASTRE_SUCCESS);
  assert_true(seen_by_a_kernel(record) == Bytes(100, 2));
  give_back(record);
}

void fail_call(long k, const char* routine = nullptr) {
  cuda_double().forget();
  cuda_double().fail(routine, k, k > 0 ? 1 : 0, planted);
}

void nothing_fails() { fail_call(0); }

struct Life {
  Request request;
  bool in_order;  // how it ends
  const char* name;
};

// Answers the first code that is not SUCCESS; a block that is alive then is freed with nothing failing.
cadastre_exit_code live(const Life& life) {
  Grant grant{};
  cadastre_exit_code code = backend().allocate(life.request, grant);
  if (code != CADASTRE_SUCCESS) {
    assert_null(grant.pointer);
    return code;
  }
  const Record record = record_of(life.request, grant);
  const auto step = [&](cadastre_exit_code result) {
    if (code == CADASTRE_SUCCESS) code = result;
    return code == CADASTRE_SUCCESS;
  };
  Bytes bytes = pattern(400);
  Copy rows = copy_in(record, bytes);
  rows.bytes = 10;
  rows.rows = 20;
  rows.to_stride = rows.from_stride = 20;
  Copy within = copy_between(record, record, 100);
  within.from += 200;
  const Hint hint{
      .begin = bytes_of(record), .bytes = 400, .place = place_of(record), .device = record.device, .advice = CADASTRE_ADVICE_READ_MOSTLY};
  bool taken = false;
  const bool managed = life.request.type == CADASTRE_UVM;
  const Fill fill{.to = bytes_of(record), .value = 3, .bytes = 400, .place = place_of(record)};
  const bool lived = step(backend().copy(copy_in(record, bytes))) && step(backend().copy_rows(rows)) && step(backend().copy(within)) &&
                     step(backend().copy(copy_out(bytes, record))) && step(backend().set(fill)) &&
                     (!managed || (step(backend().prefetch(hint, taken)) && step(backend().advise(hint, taken)))) &&
                     step(backend().synchronize(record.device, CADASTRE_DEFAULT_QUEUE)) && step(backend().settle(record)) &&
                     step(life.in_order ? backend().free_ordered(record, life.request.queue) : backend().free(record));
  nothing_fails();
  if (!lived) give_back(record);
  return code;
}

void live_with_each_call_failing(const Life& life) {
  const std::size_t before = blocks_alive();
  cuda_double().forget();
  assert_int_equal(live(life), CADASTRE_SUCCESS);
  long refusals = 0;
  for (long k = 1; k < 100; ++k) {
    fail(5, "nothing", {});
    fail_call(k);
    const cadastre_exit_code code = live(life);
    nothing_fails();
    assert_int_equal(backend().synchronize(life.request.device, life.request.queue), CADASTRE_SUCCESS);
    assert_int_equal(blocks_alive(), before);
    no_error_is_left();
    assert_int_equal(current_device(), 0);
    if (code == CADASTRE_SUCCESS) continue;
    ++refusals;
    const cadastre_error_struct error = last();
    assert_int_equal(error.exit_code, code);
    assert_int_equal(error.vendor_code, planted);
    assert_string_equal(error.vendor_message, "an illegal memory access was encountered");
    assert_int_equal(error.device_id, life.request.device);
    assert_non_null(std::strstr(error.message, (vendor_here() + " backend").c_str()));
  }
  std::printf("# %s: %ld calls failed in turn\n", life.name, refusals);
  assert_true(refusals >= (backend().presence().devices > 1 ? 20 : 10));  // one device is not asked for
}

void whichever_call_fails_nothing_is_lost(void**) {
  ON_THE_DOUBLE;
  const std::int32_t device = backend().presence().devices - 1;
  const Stream queue(device);
  for (const cadastre_memory_type type : served_types()) {
    const char* const name = cadastre_string_of_memory_type(type);
    live_with_each_call_failing({{5000, 0, type, device, true}, false, name});
    live_with_each_call_failing({{5000, 4096, type, device, true}, true, name});
    live_with_each_call_failing(
        {{.size = 5000, .alignment = 0, .type = type, .device = device, .zero = true, .ordered = true, .queue = queue.stream}, true, name});
  }
}

// An event with all that can happen to it; the last step is told apart because destroying tells nothing.
cadastre_exit_code live_of_an_event(std::int32_t device, cadastre_queue queue) {
  Backend::Event event = nullptr;
  cadastre_exit_code code = backend().record_event(device, queue, event);
  if (code != CADASTRE_SUCCESS) {
    assert_null(event);
    return code;
  }
  const Backend::Event made = event;
  code = backend().record_event(device, queue, event);
  assert_ptr_equal(event, made);
  if (code == CADASTRE_SUCCESS) code = backend().wait_event(0, CADASTRE_DEFAULT_QUEUE, event);
  if (code == CADASTRE_SUCCESS) code = backend().wait_event(device, queue, event);
  if (code == CADASTRE_SUCCESS) code = backend().synchronize_event(device, event);
  nothing_fails();
  backend().destroy_event(device, event);
  return code;
}

void whichever_call_fails_no_event_is_lost(void**) {
  ON_THE_DOUBLE;
  const std::int32_t device = backend().presence().devices - 1;
  const Stream queue(device);
  const std::size_t before = events_alive();
  long refusals = 0;
  for (long k = 1; k < 40; ++k) {
    fail(5, "nothing", {});
    fail_call(k);
    const cadastre_exit_code code = live_of_an_event(device, queue.stream);
    nothing_fails();
    assert_int_equal(events_alive(), before);
    no_error_is_left();
    assert_int_equal(current_device(), 0);
    if (code == CADASTRE_SUCCESS) continue;
    ++refusals;
    assert_int_equal(last().exit_code, code);
    assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
    assert_int_equal(last().vendor_code, planted);
    assert_string_equal(last().vendor_message, "an illegal memory access was encountered");
    assert_non_null(std::strstr(last().message, (vendor_here() + " backend").c_str()));
  }
  std::printf("# an event: %ld calls failed in turn\n", refusals);
  assert_true(refusals >= (backend().presence().devices > 1 ? 10 : 5));
  for (long k = 1; k < 8; ++k) {
    fail_call(k);
    assert_false(backend().capturing(device, queue.stream));
    nothing_fails();
    no_error_is_left();
    assert_int_equal(current_device(), 0);
  }
  for (const char* const routine : {"cudaEventCreateWithFlags", "cudaEventRecord"}) {
    Backend::Event event = nullptr;
    fail_call(1, routine);
    assert_int_equal(backend().record_event(device, queue.stream, event), CADASTRE_FAILURE);
    assert_non_null(std::strstr(last().message, told(routine).c_str()));
    nothing_fails();
    assert_null(event);
  }
}

void a_free_that_fails_leaves_the_block(void**) {
  ON_THE_DOUBLE;
  struct Case {
    const char* routine;
    cadastre_memory_type type;
    bool ordered = false;
  };
  for (const auto& [routine, type, ordered] :
       {Case{wait_for_device(), CADASTRE_PINNED}, Case{"cudaFreeHost", CADASTRE_PINNED}, Case{"cudaStreamSynchronize", CADASTRE_DEVICE},
        Case{"cudaFree", CADASTRE_DEVICE}, Case{"cudaFreeAsync", CADASTRE_DEVICE, true}}) {
    if (ordered && !has_pools()) continue;
    const Record record = block_of({.size = 500, .alignment = 0, .type = type, .device = 0, .zero = true, .ordered = ordered});
    const std::size_t before = blocks_alive();
    fail_call(1, routine);
    assert_int_equal(ordered ? backend().free_ordered(record, CADASTRE_DEFAULT_QUEUE) : backend().free(record),
                     CADASTRE_DEALLOCATION_FAILED);
    assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_FREE_FAILED);
    assert_ptr_equal(last().base, record.pointer);
    nothing_fails();
    assert_int_equal(blocks_alive(), before);
    give_back(record);
    assert_int_equal(blocks_alive(), before - 1);
  }
}

// What ends captures is left for where there is nothing to free that waits.
void a_device_is_waited_for_where_it_has_not_a_byte_left(void**) {
  ON_THE_DOUBLE;
  if (!spoken().free_waits) skip_because("the vendor waits for a device in its own call");
  const Record record = block_of({.size = 5000, .alignment = 0, .type = CADASTRE_DEVICE, .device = 0, .zero = false});
  for (const bool has_a_byte : {true, false}) {
    const Pending pending(record);
    cuda_double().forget();
    if (!has_a_byte) fail_call(1, "cudaMalloc");
    assert_int_equal(backend().settle(record), CADASTRE_SUCCESS);
    assert_int_equal(std::string(cuda_double().made()).find("cudaDeviceSynchronize") == std::string::npos, has_a_byte);
    assert_true(pending.done());
    nothing_fails();
  }
  give_back(record);
}

// A free that gets no further shows what was waited for before it.
void queues_that_block_are_waited_for_before_the_vendor_frees(void**) {
  ON_THE_DOUBLE;
  for (const cadastre_memory_type type : served_types()) {
    const Record record = block_of({.size = 5000, .alignment = 0, .type = type, .device = 0, .zero = false});
    const Pending pending(record, cudaStreamDefault);
    fail_call(1, type == CADASTRE_PINNED ? "cudaFreeHost" : "cudaFree");
    assert_int_equal(backend().free(record), CADASTRE_DEALLOCATION_FAILED);
    nothing_fails();
    assert_true(pending.done());
    give_back(record);
  }
}

void only_a_size_that_is_too_large_is_called_out_of_memory(void**) {
  ON_THE_DOUBLE;
  for (const int error : {int{cudaErrorMemoryAllocation}, int{cudaErrorInvalidValue}, int{cudaErrorUnknown}}) {
    cuda_double().fail("cudaMalloc", 1, 1, error);
    Grant grant{};
    assert_int_equal(backend().allocate({100, 0, CADASTRE_DEVICE, 0, true}, grant), CADASTRE_ALLOCATION_FAILED);
    nothing_fails();
    assert_int_equal(last().vendor_code, error);
    assert_int_equal(last().reason,
                     error == cudaErrorUnknown ? CADASTRE_REASON_BACKEND_CALL_FAILED : CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
    assert_non_null(std::strstr(last().message,
                                (error == cudaErrorUnknown ? told("cudaMalloc") + failed_here() : " from " + told("cudaMalloc")).c_str()));
  }
}

void a_failing_copy_tells_the_routine(void**) {
  ON_THE_DOUBLE;
  const Record record = block_of(CADASTRE_DEVICE, 100);
  Bytes bytes(100);
  fail_call(1, "cudaMemcpyAsync");
  assert_int_equal(backend().copy(copy_out(bytes, record)), CADASTRE_FAILURE);
  nothing_fails();
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
  assert_non_null(std::strstr(last().message, (told("cudaMemcpyAsync") + failed_here() + "an illegal memory access").c_str()));
  give_back(record);
}

// The number of the first thing that a child finds otherwise than it should be; 0 for none.
int judge_in_a_child(const Record& record, Backend::Event event) {
  Grant grant{};
  if (backend().allocate({100, 0, CADASTRE_DEVICE, 0, true}, grant) != CADASTRE_ALLOCATION_FAILED) return 1;
  if (!std::strstr(last().message, " cannot be used in a child process after fork")) return 2;
  Bytes bytes(100);
  if (backend().copy(copy_out(bytes, record)) != CADASTRE_FAILURE) return 3;
  if (backend().settle(record) != CADASTRE_SUCCESS) return 4;
  if (backend().synchronize(0, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS) return 5;
  if (backend().free(record) != CADASTRE_SUCCESS) return 6;
  if (backend().free_ordered(record, CADASTRE_DEFAULT_QUEUE) != CADASTRE_SUCCESS) return 7;
  if (!backend().presence().usable) return 8;
  Backend::Event none = nullptr;
  if (backend().record_event(0, CADASTRE_DEFAULT_QUEUE, none) != CADASTRE_SUCCESS || none) return 10;
  if (backend().wait_event(0, CADASTRE_DEFAULT_QUEUE, event) != CADASTRE_SUCCESS) return 11;
  if (backend().synchronize_event(0, event) != CADASTRE_SUCCESS) return 12;
  if (backend().capturing(0, CADASTRE_DEFAULT_QUEUE)) return 13;
  backend().destroy_event(0, event);
  // Any call would have left cudaErrorInitializationError.
  if (cuda_double() && CUDA(cudaPeekAtLastError)() != cudaSuccess) return 9;
  return 0;
}

void a_forked_child_is_refused_and_calls_nothing(void**) {
  const Record record = block_of(CADASTRE_DEVICE, 100);
  write(record, pattern(100));
  Backend::Event event = nullptr;
  assert_int_equal(backend().record_event(0, CADASTRE_DEFAULT_QUEUE, event), CADASTRE_SUCCESS);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(judge_in_a_child(record, event));
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  backend().destroy_event(0, event);
  assert_true(contents(record) == pattern(100));
  give_back(record);
}

// Frees a block, and tries to get another, when it is destroyed.
struct Late {
  Record record;
  bool armed = false;
  ~Late() {
    if (!armed) return;
    const cadastre_exit_code freed = backend().free(record);
    Grant grant{};
    const cadastre_exit_code allocated = backend().allocate({100, 0, CADASTRE_DEVICE, 0, true}, grant);
    std::printf("free: %s\n", cadastre_string_of_error(freed));
    std::printf("allocate: %s\n", allocated == CADASTRE_SUCCESS ? "Success" : last().message);
    std::fflush(stdout);
    if (allocated == CADASTRE_SUCCESS) backend().free(record_of({100, 0, CADASTRE_DEVICE, 0, true}, grant));
  }
};

Late made_before_the_runtime_was_opened;

// Host memory comes and goes in two contexts, while in one of them a thread asks for what only CUDA can tell, and the
// first call to it does not return. Says how that went, and lets the call return.
int work_beside_a_slow_opening() {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = CADASTRE_BACKEND_HOST;
  const cadastre_context context = cadastre_context_create_with_options(&options), other = cadastre_context_create_with_options(&options);
  const CudaDouble& slow = cuda_double();
  if (!slow || context == CADASTRE_NULL_CONTEXT || other == CADASTRE_NULL_CONTEXT) return 77;
  const auto wait_for = [](const auto& condition) {
    for (int i = 0; i < 2000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
  };
  std::thread opener([=] {
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.type = CADASTRE_DEVICE;
    info.backend = spoken().backend;
    info.size = 100;
    cadastre_malloc(context, info);  // a block of another backend than the context's
  });
  const bool asleep = wait_for([&] { return slow.is_asleep() != 0; });
  std::atomic<bool> done = false, good = true;
  std::thread worker([&] {
    for (int i = 0; i < 100; ++i) {
      for (const cadastre_context each : {context, other}) {
        cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
        info.size = i % 2 ? 64 : std::size_t{1} << 20;
        info.label = "beside";
        void* block = cadastre_malloc(each, info);
        block = cadastre_realloc(each, block, 2 * info.size);
        if (!block || cadastre_free(each, block) != CADASTRE_SUCCESS) good = false;
      }
    }
    done = true;
  });
  const bool went_on = wait_for([&] { return done.load(); }) && slow.is_asleep() != 0;
  slow.wake();
  opener.join();
  worker.join();
  cadastre_context_destroy(context);
  cadastre_context_destroy(other);
  std::printf("asleep %d, worked %d, beside it %d\n", asleep, good.load(), went_on);
  return 0;
}

int answer(const std::string& question) {
  if (question == "beside a slow opening") return work_beside_a_slow_opening();
  const bool of_cuda = question == "child of CUDA", of_openmp = question == "child of OpenMP";
  if (of_cuda || of_openmp) {
    watch_for_the_end(of_cuda ? spoken().backend : CADASTRE_BACKEND_OPENMP);
    if (const pid_t child = fork(); child > 0) return waitpid(child, nullptr, 0) == child ? 0 : 1;
  }
  const Presence presence = backend().presence();
  if (question == "presence" || of_cuda || of_openmp) {
    std::printf("usable %d, devices %d: %s\n", presence.usable, presence.devices, presence.problem);
    return 0;
  }
  if (!presence.usable) return 77;
  if (question == "runtime") {
    DeviceDescription description{};
    backend().describe(0, description);
    for (const char* const name : spoken().libraries) {
      if (CudaDouble(dlopen(name, RTLD_NOW | RTLD_NOLOAD)).calls_of("cudaMemGetInfo") > 0) std::printf("opened %s\n", name);
    }
    return 0;
  }
  if (question == "context") {
    cadastre_context_options_struct options = cadastre_context_options_struct_zero;
    options.backend = spoken().backend;
    static cadastre_context left = CADASTRE_NULL_CONTEXT;
    left = cadastre_context_create_with_options(&options);
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    info.type = CADASTRE_DEVICE;
    info.size = 100;
    cadastre_malloc(left, info);
    return 0;
  }
  if (question == "managed") {
    const cadastre_exit_code code = admit(backend(), {1, 0, CADASTRE_UVM, 0, true});
    std::printf("%s: %s\n", cadastre_string_of_error(code), last().message);
    return 0;
  }
  static Late made_after;
  Late& late = question == "late" ? made_before_the_runtime_was_opened : made_after;
  late.record = block_of(CADASTRE_DEVICE, 100);
  late.armed = true;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("CUDA_DOUBLE_DEVICES", "2", 0);
  if (argc > 1) return answer(argv[1]);
  if (!backend().presence().usable) {
    std::printf("1..0 # SKIP %s\n", backend().presence().problem);
    return 0;
  }
  std::vector<CMUnitTest> tests = {
      cmocka_unit_test(the_state_of_the_vendor_is_told),
      cmocka_unit_test(vast_alignments_are_refused_before_the_vendor_is_asked),
      cmocka_unit_test(a_stream_ordered_block_says_so_and_is_freed_either_way),
      cmocka_unit_test(only_device_memory_is_stream_ordered),
      cmocka_unit_test(a_copy_reaches_every_place_from_every_place),
      cmocka_unit_test(a_copy_that_is_waited_for_comes_after_what_its_queue_holds),
      cmocka_unit_test(two_devices_copy_to_each_other),
      cmocka_unit_test(the_default_queue_is_that_of_the_device_which_has_the_block),
      cmocka_unit_test(a_copy_between_devices_comes_after_what_both_were_given),
      cmocka_unit_test(pinned_memory_is_set_by_the_host_when_its_queue_gets_there),
      cmocka_unit_test(a_set_reaches_every_place),
      cmocka_unit_test(hints_are_followed_where_the_device_can),
      cmocka_unit_test(a_device_is_described),
      cmocka_unit_test(the_memory_of_a_device_is_asked_for_alone),
      cmocka_unit_test(the_host_reaches_memory_of_the_device_where_that_is_said),
      cmocka_unit_test(each_device_has_its_own_memory),
      cmocka_unit_test(memory_of_the_vendor_is_claimed_and_that_of_the_host_is_not),
      cmocka_unit_test(a_queue_waits_for_an_event_of_another_on_any_device),
      cmocka_unit_test(an_event_of_a_default_queue_is_its_devices),
      cmocka_unit_test(nothing_is_waited_for_where_nothing_was_recorded),
      cmocka_unit_test(a_queue_that_is_captured_says_so),
      cmocka_unit_test(asking_whether_a_queue_is_captured_leaves_the_capture_alone),
      cmocka_unit_test(a_wait_that_a_capture_forbids_is_told_and_leaves_no_error),
      cmocka_unit_test(a_refusal_leaves_no_error_behind_and_tells_the_vendors),
      cmocka_unit_test(the_callers_device_is_current_again_after_each_operation),
      cmocka_unit_test(nothing_is_switched_where_the_device_is_the_callers),
      cmocka_unit_test(a_context_takes_its_memory_from_here),
      cmocka_unit_test(memory_is_zero_before_the_call_returns),
      cmocka_unit_test(zeros_of_an_ordered_block_are_put_on_its_queue),
      cmocka_unit_test(free_waits_for_all_queues_first),
      cmocka_unit_test(queues_that_block_are_waited_for_before_the_vendor_frees),
      cmocka_unit_test(free_in_order_waits_for_nothing_where_the_block_is_ordered),
      cmocka_unit_test(small_frees_in_order_record_no_event_each),
      cmocka_unit_test(free_in_order_waits_for_a_queue_of_another_device),
      cmocka_unit_test(a_copy_that_is_not_waited_for_is_left_to_its_queue),
      cmocka_unit_test(waiting_is_for_the_device_that_is_named),
      cmocka_unit_test(whichever_call_fails_nothing_is_lost),
      cmocka_unit_test(whichever_call_fails_no_event_is_lost),
      cmocka_unit_test(a_free_that_fails_leaves_the_block),
      cmocka_unit_test(a_device_is_waited_for_where_it_has_not_a_byte_left),
      cmocka_unit_test(only_a_size_that_is_too_large_is_called_out_of_memory),
      cmocka_unit_test(a_failing_copy_tells_the_routine),
      cmocka_unit_test(a_forked_child_is_refused_and_calls_nothing),
  };
  add_claims_on<CADASTRE_DEVICE>(tests);
  add_claims_on<CADASTRE_PINNED>(tests);
  add_claims_on<CADASTRE_UVM>(tests);
  Backend* instance = nullptr;
  if (backend().attach(instance) != CADASTRE_SUCCESS) return 1;
  const int failed = Conformance<>::run((vendor_here() + " backend").c_str(), tests);
  return backend().detach() == CADASTRE_SUCCESS ? failed : 1;
}
