// Tangled from org/tests/pool_parts.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the claims on pools share: a backend that counts and refuses, blocks of a pool, queues.
#ifndef CADASTRE_TESTS_POOL_PARTS_HPP
#define CADASTRE_TESTS_POOL_PARTS_HPP

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "config.h"
#include "pool/pool.hpp"
#include "pool/walk.hpp"

#include "backend_conformance.hpp"
#include "base/environment.hpp"
#include "cuda_double.hpp"
#include "process_memory.hpp"

using namespace cadastre::internal;

namespace pool_parts {

inline thread_local int refused_new = 0;  // this allocation from now fails, and all after it; 0: none

constexpr std::size_t kibi = 1024, mebi = kibi * kibi;

class Between final : public Backend {
 public:
  explicit Between(Backend& behind) : behind_(behind) {}

  cadastre_backend number() const noexcept override { return behind_.number(); }
  Presence presence() const noexcept override { return behind_.presence(); }
  bool serves(cadastre_memory_type type) const noexcept override { return behind_.serves(type); }
  std::size_t largest_alignment(cadastre_memory_type type) const noexcept override { return behind_.largest_alignment(type); }
  std::size_t natural_alignment(cadastre_memory_type type) const noexcept override { return behind_.natural_alignment(type); }
  bool has_events() const noexcept override { return behind_.has_events(); }
  cadastre_queue queue_of_each_thread() const noexcept override { return behind_.queue_of_each_thread(); }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    if (refused_new == 0) asked.push_back(request.size);
    if (reserved + request.size > capacity || refused()) {
      return cadastre::internal::fail({.exit_code = CADASTRE_ALLOCATION_FAILED,
                                       .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
                                       .requested = request.size,
                                       .vendor_code = 77,
                                       .vendor = "it is full"});
    }
    const cadastre_exit_code code = behind_.allocate(request, grant);
    if (code == CADASTRE_SUCCESS) reserved += request.size;
    most_reserved = std::max(most_reserved, reserved);
    if (code == CADASTRE_SUCCESS) ++pieces;
    return code;
  }
  cadastre_exit_code free(const Record& record) noexcept override {
    if (refused()) return refusal();
    reserved -= record.size;
    --pieces;
    return behind_.free(record);
  }
  cadastre_exit_code copy(const Copy& copy) noexcept override { return refused() ? refusal() : behind_.copy(copy); }
  cadastre_exit_code set(const Fill& fill) noexcept override {
    if (refused()) return refusal();
    cleared += fill.bytes;
    return behind_.set(fill);
  }
  cadastre_exit_code settle(const Record& record) noexcept override { return refused() ? refusal() : behind_.settle(record); }
  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override {
    return refused() ? refusal() : behind_.synchronize(device, queue);
  }

  cadastre_exit_code record_event(std::int32_t device, cadastre_queue queue, Event& event) noexcept override {
    const cadastre_exit_code code = behind_.record_event(device, queue, event);
    if (const auto meanwhile = std::exchange(after_recording, nullptr)) meanwhile();
    return code;
  }
  cadastre_exit_code wait_event(std::int32_t device, cadastre_queue queue, Event event) noexcept override {
    return behind_.wait_event(device, queue, event);
  }
  cadastre_exit_code synchronize_event(std::int32_t device, Event event) noexcept override {
    const cadastre_exit_code code = behind_.synchronize_event(device, event);
    if (const auto meanwhile = std::exchange(after_waiting, nullptr)) meanwhile();
    return code;
  }
  void destroy_event(std::int32_t device, Event event) noexcept override { behind_.destroy_event(device, event); }
  bool capturing(std::int32_t device, cadastre_queue queue) noexcept override { return behind_.capturing(device, queue); }

  // The k-th call from now is refused; 0 for none.
  void refuse_in(int k) { countdown_ = k; }

  std::function<void()> after_waiting;    // what another thread does when the host has waited for an event, once
  std::function<void()> after_recording;  // the same before a call that records one returns
  std::size_t capacity = SIZE_MAX;
  std::size_t reserved = 0, most_reserved = 0, cleared = 0;
  int pieces = 0;
  std::vector<std::size_t> asked;

 private:
  bool refused() { return countdown_ > 0 && --countdown_ == 0; }
  static cadastre_exit_code refusal() noexcept {
    return cadastre::internal::fail({.exit_code = CADASTRE_FAILURE, .reason = CADASTRE_REASON_BACKEND_CALL_FAILED, .vendor = "refused"});
  }
  Backend& behind_;
  int countdown_ = 0;
};

inline Backend& host() { return *find_backend(CADASTRE_BACKEND_HOST); }

constexpr std::size_t also_small = 0;  // requests that are for the pool

// A pool that is shared with nobody.
class OwnPool : public Pool {
 public:
  OwnPool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& account, std::size_t direct_below)
      : Pool(backend, type, device, account, direct_below), account_(account) {
    join(account, backend, device, share_, this);
  }
  OwnPool(Backend& backend, cadastre_memory_type type, std::int32_t device, KeepAccount& account)
      : OwnPool(backend, type, device, account, pooled_from(type)) {}
  ~OwnPool() {
    close();
    cadastre_exit_code code = CADASTRE_SUCCESS;
    assert_true(leave(share_, code));
  }
  cadastre_exit_code allocate(const Request& request, Grant& grant, std::size_t room = everything_kept) {
    return Pool::allocate(share_, request, grant, room);
  }
  cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) { return Pool::resize(share_, record, size, grant); }
  cadastre_exit_code free(const Record& record, Order order = std::nullopt) { return Pool::free(share_, record, order); }
  void give_up(const Record& record) { Pool::give_up(share_, record); }
  void in_child() { PoolWalk::in_child(account_); }

 private:
  KeepAccount& account_;
  PoolShare share_;
};

struct OfHost {
  Between backend{host()};
  KeepAccount account;
  OwnPool pool{backend, CADASTRE_HOST, no_device_id, account, also_small};
};

inline Request request_of(const Pool&, cadastre_memory_type type, std::size_t size, bool zero = false, std::size_t alignment = 0) {
  return {size, alignment, type, type == CADASTRE_HOST ? no_device_id : 0, zero};
}

inline Record record_of(const Request& request, const Grant& grant, cadastre_backend backend = CADASTRE_BACKEND_HOST) {
  Record record;
  record.size = request.size;
  record.type = static_cast<std::uint8_t>(request.type);
  record.device = request.device;
  record.backend = static_cast<std::uint8_t>(backend);
  record.flags = request.zero ? 0 : CADASTRE_UNINITIALIZED;
  note(grant, record);
  return record;
}

inline Record block(OwnPool& pool, std::size_t size, bool zero = false, std::size_t alignment = 0,
                    cadastre_memory_type type = CADASTRE_HOST) {
  const Request request = request_of(pool, type, size, zero, alignment);
  Grant grant{};
  assert_int_equal(pool.allocate(request, grant), CADASTRE_SUCCESS);
  assert_non_null(grant.pointer);
  assert_int_equal(reinterpret_cast<std::uintptr_t>(grant.pointer) % grant.alignment, 0);
  assert_true(grant.alignment >= std::max<std::size_t>(alignment, 1));
  return record_of(request, grant);
}

inline void free(OwnPool& pool, const Record& record) { assert_int_equal(pool.free(record), CADASTRE_SUCCESS); }

inline bool all_are(const Record& record, int value) {
  const auto* const bytes = static_cast<const unsigned char*>(record.pointer);
  return record.size == 0 || (bytes[0] == value && std::memcmp(bytes, bytes + 1, record.size - 1) == 0);
}

inline void fill(const Record& record, int value) {
  if (record.size > 0) std::memset(record.pointer, value, record.size);
}

inline cadastre_error_struct last() {
  attribute(98, "a claim");
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(98, error);
  return error;
}

inline Record resized(OwnPool& pool, Record record, std::size_t size) {
  Grant grant{};
  assert_int_equal(pool.resize(record, size, grant), CADASTRE_SUCCESS);
  record.size = size;
  note(grant, record);
  return record;
}

// Blocks of random sizes and alignments, each filled with a value of its own, which is there when it is freed.
class Stress {
 public:
  Stress(OwnPool& pool, cadastre_memory_type type, unsigned seed) : pool_(pool), type_(type), random_(seed) {}

  void step() {
    if (blocks_.size() < 60 && random_() % 5 < 3) {
      static constexpr std::size_t scales[] = {100, 5000, 100 * kibi, 3 * mebi};
      const std::size_t size = random_() % scales[random_() % 4];
      const std::size_t alignment = random_() % 4 ? 0 : std::size_t{1} << random_() % 17;
      const bool zero = random_() % 4 == 0;
      const Record record = block(pool_, size, zero, alignment, type_);
      good_ = good_ && (!zero || all_are(record, 0));
      ++serial_;
      fill(record, static_cast<int>(serial_ % 255));
      blocks_.push_back({record, static_cast<int>(serial_ % 255)});
    } else if (!blocks_.empty()) {
      std::swap(blocks_[random_() % blocks_.size()], blocks_.back());
      const auto [record, value] = blocks_.back();
      blocks_.pop_back();
      good_ = good_ && all_are(record, value) && pool_.free(record) == CADASTRE_SUCCESS;
    }
  }
  void are_apart() const {
    std::map<std::uintptr_t, std::size_t> ends;
    std::size_t actual = 0;
    for (const auto& [record, value] : blocks_) {
      ends[record.address()] = pool_.actual_size(record);
      assert_true(pool_.actual_size(record) >= record.size);
      actual += pool_.actual_size(record);
    }
    assert_int_equal(ends.size(), blocks_.size());
    std::uintptr_t end = 0;
    for (const auto& [begin, size] : ends) {
      assert_true(begin >= end);
      end = begin + size;
    }
    assert_int_equal(pool_.figures().used, actual);
  }
  void free_all() {
    for (const auto& [record, value] : blocks_) good_ = good_ && all_are(record, value) && pool_.free(record) == CADASTRE_SUCCESS;
    blocks_.clear();
  }
  bool good() const { return good_; }

 private:
  OwnPool& pool_;
  cadastre_memory_type type_;
  std::mt19937 random_;
  std::vector<std::pair<Record, int>> blocks_;
  unsigned serial_ = 0;
  bool good_ = true;
};

inline bool on_the_double() { return presence_of(spoken().backend).usable && cuda_double(); }
#define ON_THE_DOUBLE \
  if (!on_the_double()) skip_because(needs_the_double)

struct Stream {
  void* stream = nullptr;
  Stream() { assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, 1u), 0); }
  ~Stream() { cuda("cudaStreamDestroy", stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void synchronize() const { assert_int_equal(cuda("cudaStreamSynchronize", stream), 0); }
};

inline cadastre_exit_code start_to_write(Backend& backend, const Record& record, int value, cadastre_queue on) {
  return backend.set({.to = static_cast<std::byte*>(record.pointer),
                      .value = value,
                      .bytes = record.size,
                      .place = {CADASTRE_DEVICE, 0, spoken().backend},
                      .queue = on,
                      .wait = false});
}

// Streams go after the pool is closed and before the process ends.
struct OfCuda {
  Stream a, b;
  Between backend{*find_backend(spoken().backend)};
  KeepAccount account;
  OwnPool pool{backend, CADASTRE_DEVICE, 0, account};

  Record get(std::size_t size, Order order, bool zero = false) {
    const Request request{size, 0, CADASTRE_DEVICE, 0, zero, order.has_value(), order.value_or(CADASTRE_DEFAULT_QUEUE)};
    Grant grant{};
    assert_int_equal(pool.allocate(request, grant), CADASTRE_SUCCESS);
    assert_int_equal((grant.how & how_ordered) != 0, order.has_value());
    return record_of(request, grant, spoken().backend);
  }
  void write(const Record& record, int value, const Stream& on) { write(record, value, on.stream); }
  void write(const Record& record, int value, cadastre_queue on) {
    assert_int_equal(start_to_write(backend, record, value, on), CADASTRE_SUCCESS);
  }
};

inline int first_byte(const Record& record) {
  const auto* const bytes = static_cast<const unsigned char*>(cuda_double().bytes(record.pointer, 1));
  return bytes ? *bytes : -1;
}

inline long calls(std::initializer_list<const char*> routines) {
  long sum = 0;
  for (const char* const routine : routines) sum += cuda_double().calls(routine);
  return sum;
}
inline long host_waits() { return calls({"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize"}); }
inline long waits() { return host_waits() + calls({"cudaStreamWaitEvent"}); }

inline std::size_t events_alive() {
  cuda_double_census census{};
  cuda_double().count(&census);
  return census.events;
}

}  // namespace pool_parts
using namespace pool_parts;
#endif
