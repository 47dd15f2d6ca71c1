// Tangled from org/pool.org; change the chapter, then run: make tangle
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <utility>

#include "config.h"
#include "pool.hpp"

#include "backend_conformance.hpp"
#include "cuda_double.hpp"
#include "environment.hpp"
#include "process_memory.hpp"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#endif

#include "failing_new.hpp"

using namespace cadastre::internal;

namespace {
thread_local int refused_new = 0;  // this allocation from now fails, and all after it; 0: none
}  // namespace

bool allocation_fails() noexcept { return refused_new > 0 && (refused_new == 1 || --refused_new == 0); }

namespace {

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
      return cadastre::internal::fail({.exit_code = CADASTRE_ALLOCATION_FAILED, .reason = CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
                                       .requested = request.size, .vendor_code = 77, .vendor = "it is full"});
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
  cadastre_exit_code settle(const Record& record) noexcept override {
    return refused() ? refusal() : behind_.settle(record);
  }
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

  std::function<void()> after_waiting;  // what another thread does when the host has waited for an event, once
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

Backend& host() { return *find_backend(CADASTRE_BACKEND_HOST); }

constexpr std::size_t also_small = 0;  // requests that are for the pool

struct OfHost {
  Between backend{host()};
  KeepAccount account;
  Pool pool{backend, CADASTRE_HOST, no_device_id, account, also_small};
};

Request request_of(const Pool&, cadastre_memory_type type, std::size_t size, bool zero = false, std::size_t alignment = 0) {
  return {size, alignment, type, type == CADASTRE_HOST ? no_device_id : 0, zero};
}

Record record_of(const Request& request, const Grant& grant, cadastre_backend backend = CADASTRE_BACKEND_HOST) {
  Record record;
  record.size = request.size;
  record.type = static_cast<std::uint8_t>(request.type);
  record.device = request.device;
  record.backend = static_cast<std::uint8_t>(backend);
  record.flags = request.zero ? 0 : CADASTRE_UNINITIALIZED;
  note(grant, record);
  return record;
}

Record block(Pool& pool, std::size_t size, bool zero = false, std::size_t alignment = 0,
             cadastre_memory_type type = CADASTRE_HOST) {
  const Request request = request_of(pool, type, size, zero, alignment);
  Grant grant{};
  assert_int_equal(pool.allocate(request, grant), CADASTRE_SUCCESS);
  assert_non_null(grant.pointer);
  assert_int_equal(reinterpret_cast<std::uintptr_t>(grant.pointer) % grant.alignment, 0);
  assert_true(grant.alignment >= std::max<std::size_t>(alignment, 1));
  return record_of(request, grant);
}

void free(Pool& pool, const Record& record) { assert_int_equal(pool.free(record), CADASTRE_SUCCESS); }

bool all_are(const Record& record, int value) {
  const auto* const bytes = static_cast<const unsigned char*>(record.pointer);
  return record.size == 0 || (bytes[0] == value && std::memcmp(bytes, bytes + 1, record.size - 1) == 0);
}

void fill(const Record& record, int value) {
  if (record.size > 0) std::memset(record.pointer, value, record.size);
}

cadastre_error_struct last() {
  attribute(98, "a claim");
  cadastre_error_struct error = cadastre_error_struct_zero;
  tell_last_failure(98, error);
  return error;
}

// Blocks of random sizes and alignments, each filled with a value of its own, which is there when it is freed.
class Stress {
 public:
  Stress(Pool& pool, cadastre_memory_type type, unsigned seed) : pool_(pool), type_(type), random_(seed) {}

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
  Pool& pool_;
  cadastre_memory_type type_;
  std::mt19937 random_;
  std::vector<std::pair<Record, int>> blocks_;
  unsigned serial_ = 0;
  bool good_ = true;
};

void live_blocks_are_apart_and_aligned_whatever_the_order(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE, CADASTRE_UVM}) {
    Between backend(host());
    KeepAccount account;
    Pool pool(backend, type, type == CADASTRE_HOST ? no_device_id : 0, account, also_small);
    Stress stress(pool, type, 42 + static_cast<unsigned>(type));
    for (int i = 0; i < 3000; ++i) {
      stress.step();
      if (i % 8 == 0) assert_true(pool.is_sound());
      if (i % 64 == 0) stress.are_apart();
      if (i % 500 == 0) assert_int_equal(pool.trim(random() % 2 ? 0 : 8 * mebi), CADASTRE_SUCCESS);
      assert_int_equal(pool.figures().reserved, backend.reserved);
    }
    stress.free_all();
    assert_true(stress.good());
    assert_int_equal(pool.figures().used, 0);
    assert_int_equal(pool.figures().releasable_bytes, pool.figures().reserved);
    assert_int_equal(pool.trim(0), CADASTRE_SUCCESS);
    assert_int_equal(backend.pieces, 0);
  }
}

void what_was_freed_is_handed_out_again_without_the_backend(void**) {
  OfHost of;
  const std::size_t sizes[] = {mebi, 2 * mebi + 1, 100, 700 * kibi, 3 * mebi};
  std::vector<Record> blocks;
  for (int round = 0; round < 10; ++round) {
    for (const std::size_t size : sizes) blocks.push_back(block(of.pool, size));
    for (const Record& record : blocks) free(of.pool, record);
    blocks.clear();
    assert_int_equal(of.backend.pieces, 5);
  }
  assert_int_equal(of.pool.figures().misses, 5);
  assert_int_equal(of.pool.figures().hits, 45);
}

void the_block_of_a_size_just_freed_is_found_whatever_its_alignment(void**) {
  Between backend(host());
  KeepAccount account;
  Pool pool(backend, CADASTRE_DEVICE, 0, account, also_small);
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{4096}, std::size_t{1} << 20}) {
    const Record first = block(pool, 1000003, false, alignment, CADASTRE_DEVICE);
    const Record wall = block(pool, 1, false, 0, CADASTRE_DEVICE);
    free(pool, first);
    assert_ptr_equal(block(pool, 1000003, false, alignment, CADASTRE_DEVICE).pointer, first.pointer);
    free(pool, first);
    free(pool, wall);
  }
}

void what_begins_behind_an_emulated_devices_block_is_nobodys(void**) {
  Between backend(host());
  KeepAccount account;
  Pool pool(backend, CADASTRE_DEVICE, 0, account, also_small);
  const Record first = block(pool, 4096, false, 0, CADASTRE_DEVICE), next = block(pool, 4096, false, 0, CADASTRE_DEVICE);
  assert_true(next.address() != first.address() + 4096 && first.address() != next.address() + 4096);
  free(pool, first);
  free(pool, next);
}

void small_host_blocks_are_the_backends_own(void**) {
  Between backend(host());
  KeepAccount account;
  Pool pool(backend, CADASTRE_HOST, no_device_id, account);
  const std::size_t threshold = pooled_from(CADASTRE_HOST);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, threshold - 1}) {
    const Record record = block(pool, size);
    assert_int_equal(backend.asked.back(), size);
    assert_int_equal(pool.figures().used, 0);
    assert_int_equal(pool.actual_size(record), size);
    free(pool, record);
    assert_int_equal(backend.pieces, 0);
  }
  free(pool, block(pool, threshold));
  assert_true(pool.figures().reserved >= threshold && pool.figures().reserved <= threshold + 4096);
}

void sizes_that_no_machine_has_are_refused_by_the_backend(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    Between backend(host());
    KeepAccount account;
    Pool pool(backend, type, type == CADASTRE_HOST ? no_device_id : 0, account);
    for (const std::size_t size : {largest_size, largest_size - 5000, largest_size / 2, largest_size / 2 - 1}) {
      Grant grant{};
      assert_int_equal(pool.allocate(request_of(pool, type, size), grant), CADASTRE_ALLOCATION_FAILED);
      assert_null(grant.pointer);
      assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
      assert_true(last().requested == size);
    }
    assert_int_equal(pool.figures().reserved, 0);
    const Record a = block(pool, 0, true, 0, type), b = block(pool, 0, true, 0, type);
    assert_ptr_not_equal(a.pointer, b.pointer);
    free(pool, a);
    free(pool, b);
    free(pool, block(pool, 1, true, std::size_t{1} << 24, type));
  }
}

void recycled_memory_is_zero_and_only_what_was_used_is_cleared(void**) {
  OfHost of;
  const Record dirty = block(of.pool, mebi, true);
  assert_int_equal(of.backend.cleared, 0);
  fill(dirty, 0xff);
  free(of.pool, dirty);
  const Record raw = block(of.pool, mebi);
  assert_ptr_equal(raw.pointer, dirty.pointer);
  assert_int_equal(of.backend.cleared, 0);
  free(of.pool, raw);
  const Record again = block(of.pool, mebi, true);
  assert_ptr_equal(again.pointer, dirty.pointer);
  assert_true(all_are(again, 0));
  assert_int_equal(of.backend.cleared, mebi);
  fill(again, 0xff);
  free(of.pool, again);
  // What the piece has beyond what was asked for may be as it was.
  of.backend.cleared = 0;
  const Record smaller = block(of.pool, mebi - 100000, true);
  assert_ptr_equal(smaller.pointer, dirty.pointer);
  assert_true(all_are(smaller, 0));
  assert_int_equal(of.backend.cleared, mebi - 100000);
  free(of.pool, smaller);
}

void memory_never_handed_out_is_not_touched(void**) {
  Between backend(host());
  KeepAccount account;
  Pool pool(backend, CADASTRE_HOST, no_device_id, account);
  const std::size_t before = process_memory().resident;
  assert_true(before > 0);
  std::vector<Record> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(block(pool, 50 * mebi, true));
  for (const Record& record : blocks) *static_cast<char*>(record.pointer) = 1;
  assert_int_equal(backend.cleared, 0);
  assert_true(sanitized || process_memory().resident < before + 100 * mebi);
  for (const Record& record : blocks) free(pool, record);
}

// The most that was used so far, which is seen after each call.
class HighWater {
 public:
  bool holds(const PoolFigures& figures) {
    most_ = std::max(most_, figures.used);
    return figures.reserved <= most_;
  }
  std::size_t most() const { return most_; }

 private:
  std::size_t most_ = 0;
};

void used_and_kept_are_never_more_than_the_most_that_was_used(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE, CADASTRE_UVM}) {
    Between backend(host());
    KeepAccount account;
    Pool pool(backend, type, type == CADASTRE_HOST ? no_device_id : 0, account, also_small);
    Stress stress(pool, type, 7 + static_cast<unsigned>(type));
    HighWater mark;
    for (int i = 0; i < 3000; ++i) {
      stress.step();
      assert_true(mark.holds(pool.figures()));
      assert_true(backend.most_reserved <= mark.most());
    }
    assert_true(pool.figures().hits > pool.figures().misses / 4);
    stress.free_all();
  }
}

void the_bound_is_one_for_all_devices_of_a_type(void**) {
  Between backend(host());
  KeepAccount account;
  Pool first(backend, CADASTRE_DEVICE, 0, account, also_small), second(backend, CADASTRE_DEVICE, 1, account, also_small);
  const auto get = [](Pool& pool, std::int32_t device, std::size_t size) {
    const Request request{size, 0, CADASTRE_DEVICE, device, false};
    Grant grant{};
    assert_int_equal(pool.allocate(request, grant), CADASTRE_SUCCESS);
    return record_of(request, grant);
  };
  free(first, get(first, 0, 8 * mebi - 1));
  const Record other = get(second, 1, 5 * mebi - 1);
  assert_int_equal(first.figures().reserved, 0);
  assert_int_equal(backend.reserved, 5 * mebi);
  free(second, other);
  free(first, get(first, 0, 3 * mebi - 1));
  assert_int_equal(second.figures().reserved, 5 * mebi);
  assert_int_equal(backend.reserved, 8 * mebi);
}

void the_bound_holds_when_threads_race(void**) {
  KeepAccount account;
  Pool pool(host(), CADASTRE_HOST, no_device_id, account, also_small);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 1000; ++i) {
        const Request request = request_of(pool, CADASTRE_HOST, (1 + random() % 64) * 10000);
        Grant grant{};
        const bool served = pool.allocate(request, grant) == CADASTRE_SUCCESS;
        wrong += !served || pool.free(record_of(request, grant)) != CADASTRE_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  assert_true(pool.is_sound());
  assert_int_equal(account.used + account.asking, 0);
  assert_int_equal(account.kept, pool.figures().reserved);
  assert_true(account.kept <= account.peak);
}

void what_is_kept_leaves_room_below_a_limit(void**) {
  OfHost of;
  const auto get = [&](std::size_t size, std::size_t room) {
    const Request request = request_of(of.pool, CADASTRE_HOST, size);
    Grant grant{};
    assert_int_equal(of.pool.allocate(request, grant, room), CADASTRE_SUCCESS);
    return record_of(request, grant);
  };
  const Record a = block(of.pool, 4 * mebi - 1), b = block(of.pool, 2 * mebi - 1), c = block(of.pool, 3 * mebi - 1);
  for (const Record& record : {a, b, c}) free(of.pool, record);
  assert_int_equal(of.pool.figures().reserved, 9 * mebi);
  const Record exact = get(2 * mebi - 1, 7 * mebi);  // nothing larger serves where a limit is set
  assert_ptr_equal(exact.pointer, b.pointer);
  assert_int_equal(of.pool.figures().reserved, 9 * mebi);
  const Record small = get(mebi - 1, 3 * mebi);
  assert_int_equal(of.pool.figures().used, 3 * mebi);
  assert_int_equal(of.pool.figures().reserved, 6 * mebi);
  of.pool.keep_within(mebi);
  assert_int_equal(of.pool.figures().reserved, 3 * mebi);
  free(of.pool, exact);
  free(of.pool, small);
}

void the_bound_is_as_the_user_says(void**) {
  struct Case {
    PoolKeep keep;
    std::size_t reserved;
  };
  const std::size_t step = 4 * mebi;
  for (const Case& expected : {Case{{PoolKeep::percent, 200}, 8 * step}, {{PoolKeep::percent, 100}, 4 * step},
                               {{PoolKeep::percent, 50}, 2 * step}, {{PoolKeep::bytes, 3 * step}, 3 * step},
                               {{PoolKeep::bytes, 0}, 0}, {{PoolKeep::all, 0}, 10 * step}}) {
    OfHost of;
    of.account.keep = expected.keep;
    for (std::size_t times = 1; times <= 4; ++times) {  // each larger than all that is kept, so that nothing serves
      std::vector<Record> blocks;
      for (std::size_t i = 0; i < times; ++i) blocks.push_back(block(of.pool, step + times * 4096 - 1));
      for (const Record& record : blocks) free(of.pool, record);
    }
    const std::size_t reserved = of.pool.figures().reserved;
    assert_true(reserved <= expected.reserved + 10 * 4 * 4096);
    assert_true(reserved + step > expected.reserved || expected.reserved == 0);
  }
}

std::uint32_t pretended_seconds = 0;

void what_nobody_asks_for_is_given_back_in_time(void**) {
  for (const bool decays : {true, false}) {
    OfHost of;
    if (!decays) of.account.keep.of = PoolKeep::all;
    of.account.seconds = []() noexcept { return pretended_seconds; };
    pretended_seconds = UINT32_MAX - 5;  // the word may turn over
    const Record idle = block(of.pool, 8 * mebi), busy = block(of.pool, mebi);
    free(of.pool, idle);
    free(of.pool, busy);
    for (int i = 0; i < 300; ++i) free(of.pool, block(of.pool, mebi));
    pretended_seconds += 9;
    for (int i = 0; i < 300; ++i) free(of.pool, block(of.pool, mebi));
    assert_int_equal(of.backend.pieces, 2);
    pretended_seconds += 2;
    for (int i = 0; i < 100; ++i) free(of.pool, block(of.pool, mebi));
    assert_int_equal(of.backend.pieces, decays ? 1 : 2);
    assert_int_equal(of.pool.figures().misses, 2);
    // Where calls are rare, the clock is read at each.
    for (int i = 0; i < 70; ++i) {
      pretended_seconds += 100;
      free(of.pool, block(of.pool, 5000));
    }
    assert_int_equal(of.backend.pieces, decays ? 1 : 3);
  }
}

void a_piece_serves_what_is_somewhat_smaller_and_waste_is_bounded(void**) {
  OfHost of;
  std::vector<Record> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(block(of.pool, 2 * mebi - 1));
  for (const Record& record : blocks) free(of.pool, record);
  blocks.clear();
  // Half as much again and no more; 16 MiB were used, so that 2 MiB may be wasted.
  const Record half = block(of.pool, mebi - 1);
  assert_int_equal(of.pool.figures().misses, 9);
  free(of.pool, half);
  std::size_t wasted = 0;
  for (int i = 0; i < 8; ++i) {
    blocks.push_back(block(of.pool, 3 * mebi / 2 - 1));
    wasted += of.pool.actual_size(blocks.back()) - 3 * mebi / 2;
  }
  assert_true(wasted > 0 && wasted <= 2 * mebi);
  assert_int_equal(of.account.waste, wasted);
  for (const Record& record : blocks) free(of.pool, record);
  assert_int_equal(of.account.waste, 0);
}

// A class of pieces of 64 to 67 granules; the one that is large enough was put there first.
void all_of_a_class_are_looked_at_before_the_backend_is_asked(void**) {
  OfHost of;
  const auto granules = [&](std::size_t number) { return block(of.pool, number * 4096 - 1); };
  const Record large = granules(67);
  std::vector<Record> small;
  for (int i = 0; i < 20; ++i) small.push_back(granules(64));
  free(of.pool, large);
  of.pool.trim(SIZE_MAX);
  for (const Record& record : small) free(of.pool, record);
  of.pool.trim(SIZE_MAX);
  assert_int_equal(of.pool.figures().largest_free_bytes, 67 * 4096);
  assert_ptr_equal(granules(66).pointer, large.pointer);
  assert_int_equal(of.pool.figures().misses, 21);
}

void a_trim_gives_back_what_is_kept_only(void**) {
  OfHost of;
  const Record a = block(of.pool, 20 * mebi), b = block(of.pool, 20 * mebi), c = block(of.pool, 20 * mebi);
  assert_int_equal(of.backend.pieces, 3);
  free(of.pool, a);
  free(of.pool, c);
  PoolFigures figures = of.pool.figures();
  assert_true(figures.releasable_bytes < figures.reserved && figures.releasable_bytes >= 40 * mebi);
  fill(b, 7);
  assert_int_equal(of.pool.trim(figures.reserved), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 3);
  assert_int_equal(of.pool.trim(figures.reserved - 1), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 2);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 1);
  assert_true(all_are(b, 7));
  figures = of.pool.figures();
  assert_int_equal(figures.releasable_bytes, 0);
  assert_int_equal(figures.trims, 2);
  assert_int_equal(figures.reserved, of.backend.reserved);
  assert_true(of.pool.is_sound());
  free(of.pool, b);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().reserved + of.backend.reserved, 0);
}

void a_backend_without_memory_is_asked_twice(void**) {
  OfHost of;
  const Record kept = block(of.pool, 10 * mebi), idle = block(of.pool, 30 * mebi);
  free(of.pool, block(of.pool, 20 * mebi));
  free(of.pool, idle);
  of.backend.capacity = of.backend.reserved + 10 * mebi;
  of.backend.asked.clear();
  const Record fits = block(of.pool, 35 * mebi);  // when what is idle has gone
  assert_int_equal(of.backend.asked.size(), 1);
  free(of.pool, fits);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  of.backend.capacity = of.backend.reserved + mebi;
  const PoolFigures before = of.pool.figures();
  of.backend.asked.clear();
  Grant grant{};
  assert_int_equal(of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 3 * mebi + 1), grant), CADASTRE_ALLOCATION_FAILED);
  assert_null(grant.pointer);
  assert_int_equal(of.backend.asked.size(), 1);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY);
  assert_string_equal(last().vendor_message, "it is full");
  assert_int_equal(last().vendor_code, 77);
  assert_int_equal(last().requested, 3 * mebi + 1);
  const PoolFigures after = of.pool.figures();
  assert_memory_equal(&before, &after, sizeof before);
  assert_true(of.pool.is_sound());
  free(of.pool, kept);
}

void a_failing_free_of_a_piece_keeps_it(void**) {
  OfHost of;
  free(of.pool, block(of.pool, 20 * mebi));
  const PoolFigures before = of.pool.figures();
  of.backend.refuse_in(1);
  assert_int_equal(of.pool.trim(0), CADASTRE_FAILURE);
  const PoolFigures after = of.pool.figures();
  assert_memory_equal(&before, &after, sizeof before);
  assert_true(of.pool.is_sound());
  const Record record = block(of.pool, 20 * mebi, true);
  assert_int_equal(of.pool.figures().misses, 1);
  // A free that cannot wait keeps the block.
  of.backend.refuse_in(1);
  assert_int_equal(of.pool.free(record), CADASTRE_DEALLOCATION_FAILED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_FREE_FAILED);
  assert_ptr_equal(last().base, record.pointer);
  assert_true(of.pool.figures().used >= record.size);
  free(of.pool, record);
  // Clearing that fails gives the piece back.
  const Record wiped = block(of.pool, 5 * mebi);
  fill(wiped, 1);
  free(of.pool, wiped);
  const std::size_t used = of.pool.figures().used;
  Grant grant{};
  of.backend.refuse_in(1);
  assert_int_equal(of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 5 * mebi, true), grant), CADASTRE_ALLOCATION_FAILED);
  assert_int_equal(last().reason, CADASTRE_REASON_BACKEND_CALL_FAILED);
  assert_int_equal(of.pool.figures().used, used);
  assert_true(of.pool.is_sound());
}

void without_host_memory_nothing_is_lost(void**) {
  for (int k = 1; k < 8; ++k) {
    OfHost of;
    std::vector<Record> blocks;
    blocks.reserve(200);
    Grant grant{};
    refused_new = k;
    cadastre_exit_code code = of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 5000), grant);
    refused_new = 0;
    if (code == CADASTRE_SUCCESS) {
      blocks.push_back(record_of(request_of(of.pool, CADASTRE_HOST, 5000), grant));
      while (blocks.size() < 200) {
        const PoolFigures before = of.pool.figures();
        refused_new = 1;
        code = of.pool.allocate(request_of(of.pool, CADASTRE_HOST, 5000), grant);
        refused_new = 0;
        if (code == CADASTRE_SUCCESS) {
          blocks.push_back(record_of(request_of(of.pool, CADASTRE_HOST, 5000), grant));
          continue;
        }
        const PoolFigures after = of.pool.figures();
        assert_memory_equal(&before, &after, sizeof before);
        blocks.push_back(block(of.pool, 5000));
      }
    } else {
      assert_int_equal(code, CADASTRE_ALLOCATION_FAILED);
      assert_int_equal(last().reason, CADASTRE_REASON_OUT_OF_HOST_MEMORY);
      assert_int_equal(of.backend.pieces, 0);
    }
    assert_true(of.pool.is_sound());
    for (const Record& record : blocks) free(of.pool, record);
  }
}

void closing_frees_all_and_the_pool_is_as_new(void**) {
  OfHost of;
  for (int i = 0; i < 200; ++i) block(of.pool, mebi);
  free(of.pool, block(of.pool, mebi));
  assert_int_equal(of.pool.close(), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 0);
  assert_int_equal(of.backend.reserved, 0);
  assert_int_equal(of.pool.figures().reserved + of.pool.figures().used, 0);
  assert_true(of.pool.is_sound());
  free(of.pool, block(of.pool, mebi, true));
  assert_true(of.pool.is_sound());
}

void what_was_given_up_is_there_when_the_pool_is_closed(void**) {
  OfHost of;
  // So large that it is pages of its own, which the backend gives back whatever the pool remarked.
  Record lost = block(of.pool, 8 * mebi);
  for (int i = 0; i < 20; ++i) block(of.pool, mebi);
  of.pool.give_up(lost);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.close(), CADASTRE_SUCCESS);
  assert_int_equal(of.backend.pieces, 1);
  fill(lost, 7);
  assert_true(all_are(lost, 7));
  lost.size = of.backend.reserved;
  assert_int_equal(of.backend.free(lost), CADASTRE_SUCCESS);
}

Record resized(Pool& pool, Record record, std::size_t size) {
  Grant grant{};
  assert_int_equal(pool.resize(record, size, grant), CADASTRE_SUCCESS);
  record.size = size;
  note(grant, record);
  return record;
}

void a_block_stays_where_it_is_while_little_is_wasted(void**) {
  OfHost of;
  std::vector<Record> much;
  for (int i = 0; i < 8; ++i) much.push_back(block(of.pool, mebi));
  Record record = block(of.pool, mebi - 1, true);
  fill(record, 0xee);
  const void* const place = record.pointer;
  record = resized(of.pool, record, mebi - 200000);
  assert_ptr_equal(record.pointer, place);
  assert_true(of.account.waste >= 190000);
  assert_true(of.pool.is_sound());
  record = resized(of.pool, record, mebi - 1);
  assert_ptr_equal(record.pointer, place);
  assert_int_equal(of.account.waste, 0);
  Record part = record;
  part.size = mebi - 200000;
  assert_true(all_are(part, 0xee));
  part.pointer = static_cast<char*>(record.pointer) + part.size;
  part.size = 199999;
  assert_true(all_are(part, 0));
  record = resized(of.pool, record, 4096);  // most of it would be wasted
  assert_ptr_not_equal(record.pointer, place);
  assert_true(of.pool.actual_size(record) <= 8192);
  record = resized(of.pool, record, 4 * mebi);
  assert_int_equal(static_cast<unsigned char*>(record.pointer)[4095], 0xee);
  assert_int_equal(static_cast<unsigned char*>(record.pointer)[4096], 0);
  assert_true(of.pool.is_sound());
  free(of.pool, record);
  for (const Record& other : much) free(of.pool, other);
  assert_int_equal(of.pool.figures().used, 0);
}

void a_resize_that_fails_leaves_the_pool_as_it_was(void**) {
  for (const std::size_t size : {std::size_t{100}, 2 * mebi, 3 * mebi}) {
    OfHost of;
    const Record used[] = {block(of.pool, 3 * mebi), block(of.pool, 2 * mebi), block(of.pool, mebi)};
    for (const Record& each : used) {
      fill(each, 0xff);
      free(of.pool, each);
    }
    const Record record = block(of.pool, mebi, true);
    fill(record, 0xee);
    int failures = 0;
    for (int k = 1; k < 6; ++k) {
      const std::size_t before = of.pool.figures().used;
      Grant grant{};
      of.backend.refuse_in(k);
      const cadastre_exit_code code = of.pool.resize(record, size, grant);
      of.backend.refuse_in(0);
      assert_true(of.pool.is_sound());
      if (code == CADASTRE_SUCCESS) break;
      ++failures;
      assert_null(grant.pointer);
      assert_int_equal(of.pool.figures().used, before);
      assert_true(all_are(record, 0xee));
    }
    assert_true(failures > 0);
  }
}

void a_block_moves_between_the_heap_and_the_pool(void**) {
  Between backend(host());
  KeepAccount account;
  Pool pool(backend, CADASTRE_HOST, no_device_id, account);
  Record record = block(pool, 1000, true);
  fill(record, 0x55);
  record = resized(pool, record, 5 * mebi);
  assert_true(pool.figures().used >= 5 * mebi);
  Record part = record;
  part.size = 1000;
  assert_true(all_are(part, 0x55));
  part.pointer = static_cast<char*>(record.pointer) + 1000;
  part.size = 5 * mebi - 1000;
  assert_true(all_are(part, 0));
  record = resized(pool, record, 999);
  assert_int_equal(pool.figures().used, 0);
  assert_true(all_are(record, 0x55));
  free(pool, record);
}

bool on_the_double() { return presence_of(spoken().backend).usable && cuda_double(); }
#define ON_THE_DOUBLE \
  if (!on_the_double()) skip()

struct Stream {
  void* stream = nullptr;
  Stream() { assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, 1u), 0); }
  ~Stream() { cuda("cudaStreamDestroy", stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void synchronize() const { assert_int_equal(cuda("cudaStreamSynchronize", stream), 0); }
};

cadastre_exit_code start_to_write(Backend& backend, const Record& record, int value, cadastre_queue on) {
  return backend.set({.to = static_cast<std::byte*>(record.pointer), .value = value, .bytes = record.size,
                      .place = {CADASTRE_DEVICE, 0, spoken().backend}, .queue = on, .wait = false});
}

// Streams go after the pool is closed and before the process ends.
struct OfCuda {
  Stream a, b;
  Between backend{*find_backend(spoken().backend)};
  KeepAccount account;
  Pool pool{backend, CADASTRE_DEVICE, 0, account};

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

int first_byte(const Record& record) {
  const auto* const bytes = static_cast<const unsigned char*>(cuda_double().bytes(record.pointer, 1));
  return bytes ? *bytes : -1;
}

long calls(std::initializer_list<const char*> routines) {
  long sum = 0;
  for (const char* const routine : routines) sum += cuda_double().calls(routine);
  return sum;
}
long host_waits() { return calls({"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize"}); }
long waits() { return host_waits() + calls({"cudaStreamWaitEvent"}); }

std::size_t events_alive() {
  cuda_double_census census{};
  cuda_double().count(&census);
  return census.events;
}

void a_block_freed_on_a_queue_is_had_there_at_once(void**) {
  ON_THE_DOUBLE;
  const std::size_t events = events_alive();
  {
    OfCuda of;
    const Record first = of.get(100000, of.a.stream);
    of.write(first, 1, of.a);
    cuda_double().forget();
    assert_int_equal(of.pool.free(first, Order(of.a.stream)), CADASTRE_SUCCESS);
    const Record again = of.get(100000, of.a.stream);
    assert_ptr_equal(again.pointer, first.pointer);
    assert_int_equal(host_waits(), 0);
    of.write(again, 2, of.a);
    of.a.synchronize();
    assert_int_equal(first_byte(again), 2);
    free(of.pool, again);
    assert_int_equal(events_alive(), events + 1);
  }
  assert_int_equal(events_alive(), events);
}

void another_queue_waits_for_the_one_that_freed(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record all = of.get(2 * mebi, of.a.stream);
  of.write(all, 1, of.a);
  cuda_double().forget();
  assert_int_equal(of.pool.free(all, Order(of.a.stream)), CADASTRE_SUCCESS);
  const Record other = of.get(2 * mebi, of.b.stream);
  assert_ptr_equal(other.pointer, all.pointer);
  assert_int_equal(cuda_double().calls("cudaStreamWaitEvent"), 1);
  assert_int_equal(waits(), 1);
  of.write(other, 2, of.b);
  of.b.synchronize();
  of.a.synchronize();
  assert_int_equal(first_byte(other), 2);
  free(of.pool, other);
  assert_true(of.pool.is_sound());
}

void a_request_without_an_order_waits_on_the_host(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record first = of.get(2 * mebi, of.a.stream);
  of.write(first, 1, of.a);
  assert_int_equal(of.pool.free(first, Order(of.a.stream)), CADASTRE_SUCCESS);
  const Record plain = of.get(2 * mebi, std::nullopt);
  assert_ptr_equal(plain.pointer, first.pointer);
  assert_int_equal(first_byte(plain), 1);
  free(of.pool, plain);
}

void a_free_without_an_order_waits_for_all_queues(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record record = of.get(2 * mebi, of.a.stream);
  of.write(record, 1, of.b);
  free(of.pool, record);
  assert_int_equal(first_byte(record), 1);
  cuda_double().forget();
  assert_ptr_equal(of.get(2 * mebi, of.a.stream).pointer, record.pointer);
  assert_int_equal(waits(), 0);
}

void zeroing_goes_in_the_order_of_the_queue(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record first = of.get(5000, of.a.stream);
  of.write(first, 0xff, of.a);
  assert_int_equal(of.pool.free(first, Order(of.a.stream)), CADASTRE_SUCCESS);
  cuda_double().forget();
  const Record again = of.get(5000, of.a.stream, true);
  assert_ptr_equal(again.pointer, first.pointer);
  assert_int_equal(host_waits(), 0);
  of.a.synchronize();
  assert_int_equal(first_byte(again), 0);
  free(of.pool, again);
  const Record plain = of.get(5000, std::nullopt, true);
  assert_int_equal(first_byte(plain), 0);
  free(of.pool, plain);
}

void what_a_lane_keeps_counts_and_goes_when_more_is_asked_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record left = of.get(mebi, std::nullopt), right = of.get(mebi, std::nullopt);
  of.write(left, 1, of.a);
  of.write(right, 1, of.b);
  assert_int_equal(of.pool.free(left, Order(of.a.stream)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.free(right, Order(of.b.stream)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().releasable_bytes, 2 * mebi);
  const Record both = of.get(2 * mebi, of.a.stream);
  assert_int_equal(of.pool.figures().misses, 3);
  assert_int_equal(of.backend.most_reserved, 2 * mebi);
  assert_int_equal(of.pool.free(both, Order(of.b.stream)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().reserved, 0);
}

// searched: it has left the parking lot by then.
void free_while_a_lane_is_waited_for(bool searched) {
  OfCuda of;
  of.account.keep = {PoolKeep::all, 0};
  const Record early = of.get(mebi, std::nullopt), late = of.get(mebi, std::nullopt);
  assert_int_equal(of.pool.free(early, Order(of.a.stream)), CADASTRE_SUCCESS);
  of.backend.after_waiting = [&] {
    of.write(late, 1, of.a);
    assert_int_equal(of.pool.free(late, Order(of.a.stream)), CADASTRE_SUCCESS);
    if (searched) assert_int_equal(of.pool.free(of.get(mebi + 256, of.a.stream), Order(of.a.stream)), CADASTRE_SUCCESS);
  };
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_true(of.pool.is_sound());
  assert_int_equal(of.pool.figures().used, 0);
  const Record plain = of.get(mebi - 256, std::nullopt);
  assert_ptr_equal(plain.pointer, late.pointer);
  assert_int_equal(first_byte(late), 1);
  const Record next = of.get(mebi, std::nullopt);
  assert_ptr_not_equal(plain.pointer, next.pointer);
  assert_int_equal(of.pool.figures().misses, 3);
}

void what_is_freed_while_a_lane_is_waited_for_stays_there(void**) {
  ON_THE_DOUBLE;
  free_while_a_lane_is_waited_for(false);
  free_while_a_lane_is_waited_for(true);
}

void a_lane_without_pieces_serves_another_queue(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const std::size_t events = events_alive();
  for (int i = 0; i < 6; ++i) {
    const Stream& on = i % 2 ? of.a : of.b;
    const Record record = of.get(2 * mebi, on.stream);
    of.write(record, i, on);
    assert_int_equal(of.pool.free(record, Order(on.stream)), CADASTRE_SUCCESS);
  }
  assert_int_equal(events_alive(), events + 1);
  of.a.synchronize();
  of.b.synchronize();
}

void a_queue_that_cannot_be_marked_is_waited_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  Record record = of.get(2 * mebi, of.a.stream);
  of.write(record, 1, of.a);
  cuda_double().fail("cudaEventRecord", 1, 1, 1);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_SUCCESS);
  assert_int_equal(first_byte(record), 1);
  record = of.get(2 * mebi, of.b.stream);
  cuda_double().fail("cudaEventRecord", 1, 1, 1);
  cuda_double().fail("cudaDeviceSynchronize", 1, 1, 1);
  cuda_double().fail(nullptr, 1, -1, 1);
  assert_int_equal(of.pool.free(record, Order(of.b.stream)), CADASTRE_DEALLOCATION_FAILED);
  cuda_double().fail(nullptr, 1, 0, 0);
  assert_int_equal(of.pool.figures().used, 2 * mebi);
  free(of.pool, record);
  assert_true(of.pool.is_sound());
}

void an_event_that_cannot_be_waited_for_changes_nothing(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record record = of.get(2 * mebi, of.a.stream);
  of.write(record, 1, of.a);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_SUCCESS);
  const PoolFigures before = of.pool.figures();
  for (const bool ordered : {true, false}) {
    cuda_double().fail(ordered ? "cudaStreamWaitEvent" : "cudaEventSynchronize", 1, 1, 1);
    Grant grant{};
    assert_int_equal(of.pool.allocate({2 * mebi, 0, CADASTRE_DEVICE, 0, false, ordered, of.b.stream}, grant),
                     CADASTRE_ALLOCATION_FAILED);
    const PoolFigures after = of.pool.figures();
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(of.pool.is_sound());
  }
  cuda_double().fail(nullptr, 1, 0, 0);
  free(of.pool, of.get(2 * mebi, of.b.stream));
}

void a_number_that_is_another_queue_in_each_thread_is_waited_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const cadastre_queue queue = of.backend.queue_of_each_thread();
  Record first;
  std::thread([&] {
    first = of.get(2 * mebi, queue);
    of.write(first, 1, queue);
    assert_int_equal(of.pool.free(first, Order(queue)), CADASTRE_SUCCESS);
  }).join();
  const Record again = of.get(2 * mebi, queue);
  assert_ptr_equal(again.pointer, first.pointer);
  assert_int_equal(first_byte(again), 1);
  of.write(again, 2, queue);
  assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
  assert_int_equal(first_byte(again), 2);
  assert_int_equal(of.pool.free(again, Order(queue)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().used, 0);
}

void nothing_is_served_in_the_order_of_a_captured_queue(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Record record = of.get(5000, of.a.stream);
  void* graph = nullptr;
  assert_int_equal(cuda("cudaStreamBeginCapture", of.a.stream, 0), 0);
  Grant grant{};
  assert_int_equal(of.pool.allocate({5000, 0, CADASTRE_DEVICE, 0, true, true, of.a.stream}, grant), CADASTRE_CAPTURE_ACTIVE);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_CAPTURE_ACTIVE);
  assert_int_equal(last().reason, CADASTRE_REASON_CAPTURE_ACTIVE);
  assert_int_equal(cuda("cudaStreamEndCapture", of.a.stream, &graph), 0);
  cuda("cudaGraphDestroy", graph);
  assert_int_equal(of.pool.free(record, Order(of.a.stream)), CADASTRE_SUCCESS);
}

void a_hit_on_the_default_queue_calls_no_vendor(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const Order order = CADASTRE_DEFAULT_QUEUE;
  Record record = of.get(100000, order);
  cuda_double().forget();
  for (int times = 0; times < 3; ++times) {
    assert_int_equal(of.pool.free(record, order), CADASTRE_SUCCESS);
    const Record again = of.get(100000, order);
    assert_ptr_equal(again.pointer, record.pointer);
    record = again;
  }
  assert_int_equal(cuda_double().calls(nullptr), 0);
  assert_int_equal(of.pool.figures().hits, 3);
  assert_int_equal(of.pool.free(record, order), CADASTRE_SUCCESS);
}

void what_the_default_queue_let_go_is_waited_for_when_it_is_wanted(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  for (const Order& order : {Order(of.a.stream), Order(std::nullopt)}) {
    Record record = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
    for (int value : {1, 2}) {
      of.write(record, value, CADASTRE_DEFAULT_QUEUE);
      assert_int_equal(of.pool.free(record, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
      if (value == 1) record = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
    }
    cuda_double().forget();
    const Record other = of.get(2 * mebi, order);
    assert_ptr_equal(other.pointer, record.pointer);
    assert_int_equal(cuda_double().calls("cudaEventRecord"), 1);
    assert_int_equal(waits(), 1);
    if (order) {
      of.write(other, 3, *order);
      of.a.synchronize();
      assert_int_equal(cuda("cudaDeviceSynchronize"), 0);
    }
    assert_int_equal(first_byte(other), order ? 3 : 2);
    free(of.pool, other);
  }
  const Record last = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
  of.write(last, 4, CADASTRE_DEFAULT_QUEUE);
  assert_int_equal(of.pool.free(last, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.trim(2 * mebi), CADASTRE_SUCCESS);
  assert_int_equal(first_byte(last), 4);
  assert_true(of.pool.is_sound());
}

void a_hit_on_the_default_queue_leaves_a_capture_alone(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  void* blocking = nullptr;
  void* graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &blocking, 0u), 0);
  const Record record = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
  constexpr int relaxed = 2;
  assert_int_equal(cuda("cudaStreamBeginCapture", blocking, relaxed), 0);
  assert_int_equal(of.pool.free(record, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
  const Record elsewhere = of.get(2 * mebi, of.a.stream), plain = of.get(2 * mebi, std::nullopt);
  assert_int_equal(of.pool.figures().misses, 3);
  Grant grant{};
  for (const bool zero : {true, false}) {
    const std::size_t size = zero ? 2 * mebi : 3 * mebi;
    assert_int_equal(of.pool.allocate({size, 0, CADASTRE_DEVICE, 0, zero, true, CADASTRE_DEFAULT_QUEUE}, grant),
                     CADASTRE_CAPTURE_ACTIVE);
  }
  const Record again = of.get(2 * mebi, CADASTRE_DEFAULT_QUEUE);
  assert_ptr_equal(again.pointer, record.pointer);
  assert_int_equal(cuda("cudaStreamEndCapture", blocking, &graph), 0);
  cuda("cudaGraphDestroy", graph);
  cuda("cudaStreamDestroy", blocking);
  assert_int_equal(of.pool.free(again, Order(CADASTRE_DEFAULT_QUEUE)), CADASTRE_SUCCESS);
  for (const Record& block : {elsewhere, plain}) free(of.pool, block);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(of.pool.figures().reserved, 0);
}

void a_queue_that_is_gone_is_not_touched(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  for (const Order& order : {Order(of.a.stream), Order(std::nullopt)}) {
    Record record;
    {
      const Stream gone;
      record = of.get(2 * mebi, gone.stream);
      of.write(record, 1, gone);
      assert_int_equal(of.pool.free(record, Order(gone.stream)), CADASTRE_SUCCESS);
      gone.synchronize();
    }
    cuda_double().forget();
    const Record other = of.get(2 * mebi, order);
    assert_ptr_equal(other.pointer, record.pointer);
    assert_int_equal(calls({"cudaEventRecord", "cudaStreamSynchronize", "cudaDeviceSynchronize"}), 0);
    free(of.pool, other);
  }
}

// A queue that the program destroys.
void* new_stream() {
  void* stream = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, 1u), 0);
  return stream;
}
// Destroys a queue, and makes another that has its number.
void replace(void* stream) {
  assert_int_equal(cuda("cudaStreamDestroy", stream), 0);
  assert_ptr_equal(new_stream(), stream);
}
void await_device() { assert_int_equal(cuda("cudaDeviceSynchronize"), 0); }

void a_queue_that_has_the_number_of_another_comes_after_it(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  void* const stream = new_stream();
  for (const bool zero : {false, true}) {
    const Record first = of.get(2 * mebi, stream);
    of.write(first, 1, stream);
    assert_int_equal(of.pool.free(first, Order(stream)), CADASTRE_SUCCESS);
    replace(stream);
    cuda_double().forget();
    const Record again = of.get(2 * mebi, stream, zero);
    assert_ptr_equal(again.pointer, first.pointer);
    assert_int_equal(host_waits(), 0);
    if (!zero) of.write(again, 2, stream);
    assert_int_equal(cuda("cudaStreamSynchronize", stream), 0);
    await_device();
    assert_int_equal(first_byte(again), zero ? 0 : 2);
    assert_int_equal(of.pool.free(again, Order(stream)), CADASTRE_SUCCESS);
  }
  cuda("cudaStreamDestroy", stream);
}

// Queue b is handed what the two blocks were, and what it writes there stays.
void other_queue_gets_both(OfCuda& of, const Record& first, const Record& second) {
  const Record small = of.get(2 * mebi, of.b.stream), large = of.get(4 * mebi, of.b.stream);
  assert_ptr_equal(small.pointer, first.pointer);
  assert_ptr_equal(large.pointer, second.pointer);
  for (const Record& other : {small, large}) of.write(other, 3, of.b);
  of.b.synchronize();
  await_device();
  for (const Record& other : {small, large}) {
    assert_int_equal(first_byte(other), 3);
    free(of.pool, other);
  }
}

void what_both_of_one_number_let_go_is_waited_for(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  void* const stream = new_stream();
  const Record first = of.get(2 * mebi, stream), second = of.get(4 * mebi, stream);
  of.write(first, 1, stream);
  assert_int_equal(of.pool.free(first, Order(stream)), CADASTRE_SUCCESS);
  replace(stream);
  of.write(second, 2, stream);
  assert_int_equal(of.pool.free(second, Order(stream)), CADASTRE_SUCCESS);
  cuda("cudaStreamDestroy", stream);
  other_queue_gets_both(of, first, second);
}

void a_vendor_who_takes_his_time_keeps_nobody_else_waiting(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  const cadastre_queue a = of.a.stream;
  const Record first = of.get(2 * mebi, a), second = of.get(4 * mebi, a);
  of.write(first, 1, a);
  of.write(second, 2, a);
  std::thread other;
  std::promise<void> freed;
  bool in_time = false;
  of.backend.after_recording = [&] {
    other = std::thread([&] {
      of.pool.free(second, Order(a));
      freed.set_value();
    });
    in_time = freed.get_future().wait_for(std::chrono::seconds(3)) == std::future_status::ready;
  };
  assert_int_equal(of.pool.free(first, Order(a)), CADASTRE_SUCCESS);
  other.join();
  assert_true(in_time);
  assert_true(of.pool.is_sound());
  other_queue_gets_both(of, first, second);
  assert_int_equal(of.pool.figures().misses, 2);
}

// Where only the thread that captures is restricted, others go on; and a stream that the default one waits for spoils soonest.
void a_request_without_an_order_leaves_captures_alone(void**) {
  ON_THE_DOUBLE;
  constexpr unsigned blocking = 0;
  constexpr int relaxed = 2;
  OfCuda of;
  const Record record = of.get(5000, std::nullopt);
  of.write(record, 1, nullptr);
  free(of.pool, record);
  void *stream = nullptr, *graph = nullptr;
  assert_int_equal(cuda("cudaStreamCreateWithFlags", &stream, blocking), 0);
  assert_int_equal(cuda("cudaStreamBeginCapture", stream, relaxed), 0);
  const Record again = of.get(5000, std::nullopt, true);
  assert_ptr_equal(again.pointer, record.pointer);
  assert_int_equal(first_byte(again), 0);
  assert_int_equal(cuda("cudaStreamEndCapture", stream, &graph), 0);
  cuda("cudaGraphDestroy", graph);
  cuda("cudaStreamDestroy", stream);
  free(of.pool, again);
}

bool under_valgrind() {
#ifdef HAVE_VALGRIND_MEMCHECK_H
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

bool valgrind_saw() {
#ifdef HAVE_VALGRIND_MEMCHECK_H
  return VALGRIND_COUNT_ERRORS != 0;
#else
  return false;
#endif
}

bool addresses_are_watched() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
  return under_valgrind();
}

template <class Action>
bool is_caught(Action action) {
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    action();
    _exit(valgrind_saw() ? 1 : 0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

void touch(const Record& record, std::size_t offset, int value = 1) {
  static_cast<volatile char*>(record.pointer)[offset] = static_cast<char>(value);
}

void a_use_after_free_inside_a_pool_is_caught(void**) {
  if (!addresses_are_watched()) skip();
  OfHost of;
  const Record before = block(of.pool, 5000), record = block(of.pool, 5000, true), behind = block(of.pool, 5000);
  assert_false(is_caught([&] { touch(record, 4999); }));
  free(of.pool, record);
  for (const std::size_t offset : {0U, 100U, 4999U}) assert_true(is_caught([&] { touch(record, offset); }));
  assert_false(is_caught([&] {
    touch(before, 4999);
    touch(behind, 0);
  }));
  Record again = block(of.pool, 5000, true);
  assert_false(is_caught([&] { touch(again, 0); }));
  again = resized(of.pool, again, 3000);
  assert_true(is_caught([&] { touch(again, 4000); }));
  again = resized(of.pool, again, 4500);
  assert_false(is_caught([&] { touch(again, 4499); }));
  assert_true(is_caught([&] { touch(again, 4500); }));
  free(of.pool, again);
  free(of.pool, before);
  free(of.pool, behind);
  assert_int_equal(of.pool.trim(0), CADASTRE_SUCCESS);
}

bool is_odd(const Record& record, std::size_t offset) {
  return static_cast<volatile char*>(record.pointer)[offset] % 2 != 0;
}

// What nobody wrote may be read, but nothing may depend on it.
void a_use_of_what_nobody_wrote_is_caught(void**) {
  if (!under_valgrind()) skip();
  OfHost of;
  for (const bool recycled : {false, true}) {
    Record raw = block(of.pool, 5000), clean = block(of.pool, 5000, true);
    const auto depend_on = [](const Record& record, std::size_t offset) {
      return [&record, offset] { touch(record, is_odd(record, offset) ? 0 : 1); };
    };
    assert_true(is_caught(depend_on(raw, 4999)));
    assert_false(is_caught(depend_on(clean, 4999)));
    raw = resized(of.pool, raw, recycled ? 8000 : 7000);
    clean = resized(of.pool, clean, recycled ? 8000 : 7000);
    assert_true(is_caught(depend_on(raw, 6999)));
    assert_false(is_caught(depend_on(clean, 6999)));
    free(of.pool, raw);
    free(of.pool, clean);
  }
}

void a_write_behind_a_block_inside_a_pool_is_caught(void**) {
  if (!addresses_are_watched()) skip();
  Between backend(host());
  KeepAccount account;
  Pool pool(backend, CADASTRE_UVM, 0, account, also_small);
  const Record record = block(pool, 4096, false, 0, CADASTRE_UVM), behind = block(pool, 4096, false, 0, CADASTRE_UVM);
  assert_true(is_caught([&] { touch(record, 4096); }));
  free(pool, record);
  free(pool, behind);
}

void a_child_process_goes_on_with_the_pool(void**) {
  OfHost of;
  const Record record = block(of.pool, mebi);
  of.account.latch.lock();
  const pid_t child = fork();
  if (child == 0) {
    of.pool.in_child();
    of.account.latch.unlock();
    Grant grant{};
    const Request request = request_of(of.pool, CADASTRE_HOST, 2 * mebi, true);
    const bool good = of.pool.free(record) == CADASTRE_SUCCESS && of.pool.allocate(request, grant) == CADASTRE_SUCCESS &&
                      of.pool.close() == CADASTRE_SUCCESS;
    _exit(good ? 0 : 1);
  }
  of.account.latch.unlock();
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  free(of.pool, record);
}

void a_child_process_gets_nothing_of_a_runtime_that_it_does_not_have(void**) {
  ON_THE_DOUBLE;
  OfCuda of;
  free(of.pool, of.get(mebi, std::nullopt));
  of.account.latch.lock();
  const pid_t child = fork();
  if (child == 0) {
    of.pool.in_child();
    of.account.latch.unlock();
    Grant grant{};
    const Request request{mebi, 0, CADASTRE_DEVICE, 0, false};
    _exit(of.pool.allocate(request, grant) == CADASTRE_ALLOCATION_FAILED && of.pool.close() == CADASTRE_SUCCESS ? 0 : 1);
  }
  of.account.latch.unlock();
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  free(of.pool, of.get(mebi, std::nullopt));
}

// Takes, writes and lets go on two queues, now and then without an order; how often a block was another's too.
int share_lanes(Backend& backend, Pool& pool, const Stream (&streams)[2], unsigned number) {
  std::mt19937 random(number);
  int wrong = 0;
  for (int i = 0; i < 200; ++i) {
    const Stream& on = streams[random() % 2];
    const std::size_t size = mebi / 4 * (1 + random() % 3);
    const bool ordered = random() % 4 != 0;
    Grant grant{};
    const Request request{size, 0, CADASTRE_DEVICE, 0, false, ordered, on.stream};
    if (pool.allocate(request, grant) != CADASTRE_SUCCESS) return 1000;
    const Record record = record_of(request, grant, spoken().backend);
    wrong += start_to_write(backend, record, static_cast<int>(number), on.stream) != CADASTRE_SUCCESS;
    if (random() % 4 == 0) {
      on.synchronize();
      wrong += first_byte(record) != static_cast<int>(number);
    }
    wrong += pool.free(record, random() % 4 ? Order(on.stream) : std::nullopt) != CADASTRE_SUCCESS;
    if (i % 50 == 0) wrong += pool.trim(0) != CADASTRE_SUCCESS;
  }
  return wrong;
}

void threads_share_lanes(void**) {
  ON_THE_DOUBLE;
  const Stream streams[2];
  Backend& backend = *find_backend(spoken().backend);
  KeepAccount account;
  Pool pool(backend, CADASTRE_DEVICE, 0, account);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned number = 1; number <= 4; ++number) {
    threads.emplace_back([&, number] { wrong += share_lanes(backend, pool, streams, number); });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(wrong, 0);
  assert_true(pool.is_sound());
  assert_int_equal(pool.figures().used, 0);
  assert_int_equal(pool.trim(0), CADASTRE_SUCCESS);
  assert_int_equal(pool.figures().reserved, 0);
}

void threads_share_a_pool(void**) {
  for (const cadastre_memory_type type : {CADASTRE_HOST, CADASTRE_DEVICE}) {
    KeepAccount account;
    Pool pool(host(), type, type == CADASTRE_HOST ? no_device_id : 0, account, also_small);
    std::array<std::unique_ptr<Stress>, 4> stress;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < stress.size(); ++t) stress[t] = std::make_unique<Stress>(pool, type, t);
    for (const auto& one : stress) {
      threads.emplace_back([&one, &pool] {
        for (int i = 0; i < 500; ++i) {
          one->step();
          if (i % 100 == 0) pool.trim(0);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    assert_true(pool.is_sound());
    for (const auto& one : stress) one->free_all();
    for (const auto& one : stress) assert_true(one->good());
    assert_int_equal(pool.figures().used, 0);
    assert_true(pool.is_sound());
  }
}

class Pooled final : public Backend {
 public:
  explicit Pooled(Backend& behind) : behind_(behind) {}

  cadastre_backend number() const noexcept override { return behind_.number(); }
  Presence presence() const noexcept override { return behind_.presence(); }
  bool serves(cadastre_memory_type type) const noexcept override { return behind_.serves(type); }
  std::size_t largest_alignment(cadastre_memory_type type) const noexcept override { return behind_.largest_alignment(type); }
  std::size_t natural_alignment(cadastre_memory_type type) const noexcept override { return behind_.natural_alignment(type); }

  cadastre_exit_code allocate(const Request& request, Grant& grant) noexcept override {
    return pool(request.type, request.device).allocate(request, grant);
  }
  cadastre_exit_code free(const Record& record) noexcept override { return pool(record.type, record.device).free(record); }
  cadastre_exit_code free_ordered(const Record& record, cadastre_queue queue) noexcept override {
    return pool(record.type, record.device).free(record, queue);
  }
  cadastre_exit_code resize(const Record& record, std::size_t size, Grant& grant) noexcept override {
    return pool(record.type, record.device).resize(record, size, grant);
  }

  cadastre_exit_code copy(const Copy& copy) noexcept override { return behind_.copy(copy); }
  cadastre_exit_code copy_rows(const Copy& copy) noexcept override { return behind_.copy_rows(copy); }
  cadastre_exit_code set(const Fill& fill) noexcept override { return behind_.set(fill); }
  cadastre_exit_code synchronize(std::int32_t device, cadastre_queue queue) noexcept override {
    return behind_.synchronize(device, queue);
  }
  bool has_events() const noexcept override { return behind_.has_events(); }
  cadastre_queue queue_of_each_thread() const noexcept override { return behind_.queue_of_each_thread(); }
  cadastre_exit_code record_event(std::int32_t device, cadastre_queue queue, Event& event) noexcept override {
    return behind_.record_event(device, queue, event);
  }
  cadastre_exit_code wait_event(std::int32_t device, cadastre_queue queue, Event event) noexcept override {
    return behind_.wait_event(device, queue, event);
  }
  cadastre_exit_code synchronize_event(std::int32_t device, Event event) noexcept override {
    return behind_.synchronize_event(device, event);
  }
  void destroy_event(std::int32_t device, Event event) noexcept override { behind_.destroy_event(device, event); }
  cadastre_exit_code settle(const Record& record) noexcept override { return behind_.settle(record); }
  cadastre_exit_code prefetch(const Hint& hint, bool& taken) noexcept override { return behind_.prefetch(hint, taken); }
  cadastre_exit_code advise(const Hint& hint, bool& taken) noexcept override { return behind_.advise(hint, taken); }
  cadastre_exit_code describe(std::int32_t device, DeviceDescription& description) noexcept override {
    return behind_.describe(device, description);
  }
  bool claims(const void* address, Place& place) noexcept override { return behind_.claims(address, place); }
  std::int32_t current_device() noexcept override { return behind_.current_device(); }

  std::size_t used() {
    std::size_t sum = 0;
    for (const auto& [place, one] : pools_) {
      assert_true(one->pool.is_sound());
      sum += one->pool.figures().used;
    }
    return sum;
  }
  void close() { pools_.clear(); }

 private:
  struct One {
    One(Backend& backend, cadastre_memory_type type, std::int32_t device) : pool(backend, type, device, account, also_small) {}
    KeepAccount account;
    Pool pool;
  };
  Pool& pool(cadastre_memory_type type, std::int32_t device) {
    const std::lock_guard lock(mutex_);
    auto& found = pools_[{type, device}];
    if (!found) found = std::make_unique<One>(behind_, type, device);
    return found->pool;
  }
  Backend& behind_;
  std::mutex mutex_;
  std::map<std::pair<cadastre_memory_type, std::int32_t>, std::unique_ptr<One>> pools_;
};

Pooled& pooled(cadastre_backend number) {
  static std::map<cadastre_backend, std::unique_ptr<Pooled>> all;
  auto& found = all[number];
  if (!found) found = std::make_unique<Pooled>(*find_backend(number));
  return *found;
}

template <cadastre_memory_type served>
struct Subject {
  static Backend& backend() { return pooled(CADASTRE_BACKEND_HOST); }
  static constexpr cadastre_memory_type type = served;
};

template <cadastre_memory_type served>
struct OnCuda {
  static Backend& backend() { return pooled(spoken().backend); }
  static constexpr cadastre_memory_type type = served;
  static void fail_in(long k) { cuda_double().fail(nullptr, k, k > 0 ? 1 : 0, 700); }
  static std::size_t live() { return pooled(spoken().backend).used(); }
};

int run_all(std::vector<CMUnitTest> tests) {
  Claims<Subject<CADASTRE_HOST>>::add_to(tests);
  Claims<Subject<CADASTRE_DEVICE>>::add_to(tests);
  if (on_the_double()) {
    Claims<OnCuda<CADASTRE_PINNED>>::add_to(tests);
    Claims<OnCuda<CADASTRE_DEVICE>>::add_to(tests);
    Claims<OnCuda<CADASTRE_UVM>>::add_to(tests);
  }
  const int failed = _cmocka_run_group_tests("pool", tests.data(), tests.size(), nullptr, nullptr);
  pooled(CADASTRE_BACKEND_HOST).close();
  if (on_the_double()) pooled(spoken().backend).close();
  return failed;
}

}  // namespace

int main() {
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
  std::vector<CMUnitTest> tests = {
      cmocka_unit_test(live_blocks_are_apart_and_aligned_whatever_the_order),
      cmocka_unit_test(what_was_freed_is_handed_out_again_without_the_backend),
      cmocka_unit_test(the_block_of_a_size_just_freed_is_found_whatever_its_alignment),
      cmocka_unit_test(what_begins_behind_an_emulated_devices_block_is_nobodys),
      cmocka_unit_test(small_host_blocks_are_the_backends_own),
      cmocka_unit_test(sizes_that_no_machine_has_are_refused_by_the_backend),
      cmocka_unit_test(recycled_memory_is_zero_and_only_what_was_used_is_cleared),
      cmocka_unit_test(memory_never_handed_out_is_not_touched),
      cmocka_unit_test(used_and_kept_are_never_more_than_the_most_that_was_used),
      cmocka_unit_test(the_bound_is_one_for_all_devices_of_a_type),
      cmocka_unit_test(the_bound_holds_when_threads_race),
      cmocka_unit_test(what_is_kept_leaves_room_below_a_limit),
      cmocka_unit_test(the_bound_is_as_the_user_says),
      cmocka_unit_test(what_nobody_asks_for_is_given_back_in_time),
      cmocka_unit_test(a_piece_serves_what_is_somewhat_smaller_and_waste_is_bounded),
      cmocka_unit_test(all_of_a_class_are_looked_at_before_the_backend_is_asked),
      cmocka_unit_test(a_trim_gives_back_what_is_kept_only),
      cmocka_unit_test(a_backend_without_memory_is_asked_twice),
      cmocka_unit_test(a_failing_free_of_a_piece_keeps_it),
      cmocka_unit_test(without_host_memory_nothing_is_lost),
      cmocka_unit_test(closing_frees_all_and_the_pool_is_as_new),
      cmocka_unit_test(what_was_given_up_is_there_when_the_pool_is_closed),
      cmocka_unit_test(a_block_stays_where_it_is_while_little_is_wasted),
      cmocka_unit_test(a_resize_that_fails_leaves_the_pool_as_it_was),
      cmocka_unit_test(a_block_moves_between_the_heap_and_the_pool),
      cmocka_unit_test(a_block_freed_on_a_queue_is_had_there_at_once),
      cmocka_unit_test(another_queue_waits_for_the_one_that_freed),
      cmocka_unit_test(a_request_without_an_order_waits_on_the_host),
      cmocka_unit_test(a_free_without_an_order_waits_for_all_queues),
      cmocka_unit_test(zeroing_goes_in_the_order_of_the_queue),
      cmocka_unit_test(what_a_lane_keeps_counts_and_goes_when_more_is_asked_for),
      cmocka_unit_test(what_is_freed_while_a_lane_is_waited_for_stays_there),
      cmocka_unit_test(a_lane_without_pieces_serves_another_queue),
      cmocka_unit_test(a_queue_that_cannot_be_marked_is_waited_for),
      cmocka_unit_test(an_event_that_cannot_be_waited_for_changes_nothing),
      cmocka_unit_test(a_number_that_is_another_queue_in_each_thread_is_waited_for),
      cmocka_unit_test(nothing_is_served_in_the_order_of_a_captured_queue),
      cmocka_unit_test(a_hit_on_the_default_queue_calls_no_vendor),
      cmocka_unit_test(what_the_default_queue_let_go_is_waited_for_when_it_is_wanted),
      cmocka_unit_test(a_hit_on_the_default_queue_leaves_a_capture_alone),
      cmocka_unit_test(a_queue_that_is_gone_is_not_touched),
      cmocka_unit_test(a_queue_that_has_the_number_of_another_comes_after_it),
      cmocka_unit_test(what_both_of_one_number_let_go_is_waited_for),
      cmocka_unit_test(a_vendor_who_takes_his_time_keeps_nobody_else_waiting),
      cmocka_unit_test(a_request_without_an_order_leaves_captures_alone),
      cmocka_unit_test(a_use_after_free_inside_a_pool_is_caught),
      cmocka_unit_test(a_use_of_what_nobody_wrote_is_caught),
      cmocka_unit_test(a_write_behind_a_block_inside_a_pool_is_caught),
      cmocka_unit_test(a_child_process_goes_on_with_the_pool),
      cmocka_unit_test(a_child_process_gets_nothing_of_a_runtime_that_it_does_not_have),
      cmocka_unit_test(threads_share_a_pool),
      cmocka_unit_test(threads_share_lanes),
  };
  return run_all(std::move(tests));
}
