// Tangled from org/tests/workspace_thread_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "workspace_claims.hpp"

namespace cadastre::internal {
namespace {

void two_threads_lending_from_one_context_get_memory_of_their_own(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  for (const std::size_t scheme : {CADASTRE_WORKSPACE_AUTOMATIC, CADASTRE_WORKSPACE_PER_LEASE, CADASTRE_WORKSPACE_STREAM_ORDERED}) {
    assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
    const Loan mine = acquire(context, type, {1000});
    write(context, mine[0], 1000, 1);
    bool fine = false;
    std::thread([&] {
      const Loan theirs = try_acquire(context, type, {1000});
      if (theirs.code != CADASTRE_SUCCESS || theirs[0] == mine[0]) return;
      fine = cadastre_memset(context, theirs[0], 5, 1000) == CADASTRE_SUCCESS && holds(context, mine[0], 1000, 1) &&
             cadastre_workspace_release(context, theirs.lease) == CADASTRE_SUCCESS;
    }).join();
    assert_true(fine);
    assert_true(holds(context, mine[0], 1000, 1));
    assert_int_equal(info_of(context, type).workspace_count, 2);
    give_back(context, mine);
  }
  destroy(context);
}

void two_threads_and_an_explicit_size_share_it_while_there_is_room(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t unit = info_of(context, type).granularity;
  assert_int_equal(cadastre_workspace_set_size(context, type, 20 * unit), CADASTRE_SUCCESS);
  const Loan low = acquire(context, type, {5 * unit}), high = acquire(context, type, {5 * unit});
  give_back(context, low);  // so there is room before, between and behind what is leased
  write(context, high[0], 5 * unit, 1);
  std::thread([&] {
    const Loan behind = try_acquire(context, type, {10 * unit}), before = try_acquire(context, type, {2 * unit}),
               rest = try_acquire(context, type, {3 * unit});
    assert_int_equal(behind.code | before.code | rest.code, CADASTRE_SUCCESS);
    assert_int_equal(info_of(context, type).used_bytes, 20 * unit);
    write(context, behind[0], 10 * unit, 2);
    write(context, before[0], 2 * unit, 3);
    write(context, rest[0], 3 * unit, 4);
    assert_true(holds(context, high[0], 5 * unit, 1) && holds(context, behind[0], 10 * unit, 2) && holds(context, before[0], 2 * unit, 3));
    const Books before_refusal = books_of(context, type);
    assert_refused(context, try_acquire(context, type, {unit}).code, CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_WORKSPACE_BUSY);
    assert_int_equal(last(context).size, 20 * unit);
    assert_int_equal(last(context).in_use, 20 * unit);
    assert_int_equal(last(context).limit, 0);
    assert_non_null(std::strstr(last(context).message, "by 1 on other threads or queues"));
    assert_unchanged(context, type, before_refusal);
    assert_int_equal(try_acquire(context, type, {0}).code, CADASTRE_SUCCESS);
    give_back(context, before);
    give_back(context, behind);
    assert_refused(context, try_acquire(context, type, {11 * unit}).code, CADASTRE_LIMIT_EXCEEDED, CADASTRE_REASON_WORKSPACE_BUSY);
    assert_int_equal(last(context).limit, 10 * unit);
    give_back(context, rest);
  }).join();
  give_back(context, high);
  give_back(context, acquire(context, type, {20 * unit}));
  assert_int_equal(statistics_of(context, type).allocations, 1);
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_LEASE_ALIVE);  // the one of no bytes
  destroy(context);
}

void two_threads_in_turn_leave_one_block_as_it_was(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, 10000), CADASTRE_SUCCESS);
  const std::size_t all = info_of(context, type).reserved_bytes;
  for (int round = 0; round < 5; ++round) {
    const Loan mine = acquire(context, type, {1000});
    std::thread([&] { give_back(context, acquire(context, type, {3000})); }).join();
    give_back(context, mine);
    give_back(context, acquire(context, type, {all}));
    assert_int_equal(info_of(context, type).workspace_count, 1);
  }
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 0);
  destroy(context);
}

// Also for a moment nobody is refused what another thread does not need.
void eight_threads_are_never_refused_where_there_is_room_for_eight(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const std::size_t each = 16 * info_of(context, type).granularity;
  assert_int_equal(cadastre_workspace_set_size(context, type, 8 * each), CADASTRE_SUCCESS);
  give_back(context, acquire(context, type, {8 * each}));
  std::atomic<int> refused = 0, wrong = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&, number] {
      for (int round = 0; round < (sanitized ? 500 : 3000); ++round) {
        const Loan loan = try_acquire(context, type, {each});
        refused += loan.code != CADASTRE_SUCCESS;
        if (loan.code != CADASTRE_SUCCESS) continue;
        Bytes found(each);
        if (cadastre_memset(context, loan[0], number, each) != CADASTRE_SUCCESS) ++wrong;
        if (cadastre_memcpy(context, found.data(), loan[0], each) != CADASTRE_SUCCESS) ++wrong;
        wrong += found != Bytes(each, static_cast<unsigned char>(number));
        wrong += cadastre_workspace_release(context, loan.lease) != CADASTRE_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert_int_equal(refused, 0);
  assert_int_equal(wrong, 0);
  give_back(context, acquire(context, type, {8 * each}));
  destroy(context);
}

void another_thread_may_give_back(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  const Loan outer = acquire(context, type, {100}), inner = acquire(context, type, {5000});
  cadastre_exit_code codes[2] = {};
  std::thread([&] {
    codes[0] = cadastre_workspace_release(context, outer.lease);
    codes[1] = cadastre_workspace_release(context, inner.lease);
  }).join();
  assert_int_equal(codes[0] | codes[1], CADASTRE_SUCCESS);
  assert_int_equal(cadastre_workspace_set_size(context, type, 100), CADASTRE_SUCCESS);
  destroy(context);
}

// Buffers that are leased at this moment, of all threads.
class Land {
 public:
  bool take(const void* begin, std::size_t size) {
    if (size == 0) return begin == nullptr;
    const std::lock_guard lock(mutex_);
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    const auto next = taken_.lower_bound(first);
    if (next != taken_.end() && next->first < first + size) return false;
    if (next != taken_.begin() && std::prev(next)->second > first) return false;
    taken_[first] = first + size;
    return true;
  }
  void leave(const void* begin) {
    const std::lock_guard lock(mutex_);
    taken_.erase(reinterpret_cast<std::uintptr_t>(begin));
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, std::uintptr_t> taken_;
};

struct Held {
  Loan loan;
  std::vector<std::size_t> sizes;
  int value;
};

// One thread of many, which leases, nests and gives back by chance, and now and then lets another thread give back.
class Tenant {
 public:
  struct Shared {
    cadastre_context context;
    cadastre_memory_type type;
    Land land{};
    std::mutex mutex{};
    std::vector<Held> to_give_back{};
    std::atomic<int> wrong = 0;
    bool refusals_are_fine = false;
  };

  Tenant(Shared& shared, unsigned number) : shared_(shared), number_(number), random_(number) {}

  void work(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      const unsigned chance = random_() % 16;
      if (chance < 7 && held_.size() < 5) acquire();
      else if (chance < 13) end_one();
      else if (chance == 13) hand_over();
      else give_back_for_others();
      if (number_ == 0 && chance == 3) try_to_set_a_size();
    }
    while (!held_.empty()) end_one();
  }
  void give_all_back() {
    while (!shared_.to_give_back.empty()) give_back_for_others();
  }

 private:
  void acquire() {
    Held held{{}, {}, static_cast<int>(random_() % 256)};
    for (unsigned n = random_() % 4; n > 0; --n) held.sizes.push_back(random_() % 5 == 0 ? 0 : random_() % 3000);
    held.loan = try_acquire(shared_.context, shared_.type, held.sizes);
    if (held.loan.code == CADASTRE_LIMIT_EXCEEDED && shared_.refusals_are_fine) return;
    if (held.loan.code != CADASTRE_SUCCESS) {
      ++shared_.wrong;
      return;
    }
    for (std::size_t i = 0; i < held.sizes.size(); ++i) {
      const bool mine = shared_.land.take(held.loan[i], held.sizes[i]);
      const cadastre_exit_code code = cadastre_memset(shared_.context, held.loan[i], held.value, held.sizes[i]);
      if (!mine || code != CADASTRE_SUCCESS) ++shared_.wrong;
    }
    held_.push_back(held);
  }
  void end(const Held& held) {
    for (std::size_t i = 0; i < held.sizes.size(); ++i) {
      Bytes found(held.sizes[i]);
      const cadastre_exit_code code = cadastre_memcpy(shared_.context, found.data(), held.loan[i], held.sizes[i]);
      const Bytes expected(held.sizes[i], static_cast<unsigned char>(held.value));
      if (code != CADASTRE_SUCCESS || found != expected) ++shared_.wrong;
      if (held.sizes[i] > 0) shared_.land.leave(held.loan[i]);
    }
    if (cadastre_workspace_release(shared_.context, held.loan.lease) != CADASTRE_SUCCESS) ++shared_.wrong;
  }
  // Mostly the youngest.
  void end_one() {
    if (held_.empty()) return;
    const std::size_t index = random_() % 4 == 0 ? random_() % held_.size() : held_.size() - 1;
    end(held_[index]);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(index));
  }
  void hand_over() {
    if (held_.empty()) return;
    const std::lock_guard lock(shared_.mutex);
    shared_.to_give_back.push_back(held_.back());
    held_.pop_back();
  }
  void give_back_for_others() {
    Held held;
    {
      const std::lock_guard lock(shared_.mutex);
      if (shared_.to_give_back.empty()) return;
      held = shared_.to_give_back.back();
      shared_.to_give_back.pop_back();
    }
    end(held);
  }
  void try_to_set_a_size() {
    const std::size_t size = shared_.refusals_are_fine ? 20000 : CADASTRE_WORKSPACE_AUTOMATIC;
    const cadastre_exit_code code = cadastre_workspace_set_size(shared_.context, shared_.type, size);
    if (code != CADASTRE_SUCCESS && code != CADASTRE_LEASE_ALIVE) ++shared_.wrong;
  }

  Shared& shared_;
  const unsigned number_;
  std::mt19937 random_;
  std::vector<Held> held_;
};

void many_threads_lease_at_once(void** state, std::size_t scheme) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_workspace_set_size(context, type, scheme), CADASTRE_SUCCESS);
  Tenant::Shared shared{context, type};
  shared.refusals_are_fine = scheme == 20000;
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 8; ++number) {
    threads.emplace_back([&shared, number] { Tenant(shared, number).work(sanitized ? 1000 : 3000); });
  }
  for (std::thread& thread : threads) thread.join();
  Tenant(shared, 8).give_all_back();
  assert_int_equal(shared.wrong, 0);
  assert_int_equal(info_of(context, type).live_leases, 0);
  assert_int_equal(info_of(context, type).used_bytes, 0);
  assert_in_range(info_of(context, type).workspace_count, 0, 16);
  assert_int_equal(cadastre_workspace_set_size(context, type, CADASTRE_WORKSPACE_AUTOMATIC), CADASTRE_SUCCESS);
  assert_int_equal(statistics_of(context, type).live_blocks, 0);
  destroy(context);
}

void no_two_live_buffers_of_eight_threads_overlap(void** state) { many_threads_lease_at_once(state, CADASTRE_WORKSPACE_AUTOMATIC); }
void no_two_live_buffers_overlap_where_each_acquisition_allocates(void** state) { many_threads_lease_at_once(state, 0); }
void no_two_live_buffers_overlap_in_an_explicit_size(void** state) { many_threads_lease_at_once(state, 20000); }

void an_acquisition_waits_while_another_thread_has_the_lock_and_the_holder_leases(void** state) {
  const cadastre_context context = context_of(state);
  const cadastre_memory_type type = type_of(state);
  assert_int_equal(cadastre_lock(context), CADASTRE_SUCCESS);
  std::atomic<bool> leased = false;
  std::thread other([&] {
    const Loan loan = try_acquire(context, type, {1000});
    leased = true;
    cadastre_workspace_release(context, loan.lease);
  });
  const Loan loan = acquire(context, type, {3000}), nested = acquire(context, type, {9000});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  assert_false(leased);
  give_back(context, nested);
  give_back(context, loan);
  assert_int_equal(cadastre_workspace_set_size(context, type, 10000), CADASTRE_SUCCESS);
  assert_int_equal(cadastre_unlock(context), CADASTRE_SUCCESS);
  other.join();
  assert_true(leased);
  destroy(context);
}

void a_context_is_destroyed_while_other_threads_lend(void** state) {
  for (int round = 0; round < 20; ++round) {
    const cadastre_context context = context_of(state);
    const cadastre_memory_type type = type_of(state);
    std::atomic<int> started = 0, wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, size = 1000u << t] {
        for (std::size_t i = 1;; ++i) {
          const Loan outer = try_acquire(context, type, {size * (1 + i % 7)});
          if (i == 3) ++started;
          const cadastre_exit_code code = outer.code == CADASTRE_SUCCESS ? cadastre_workspace_release(context, outer.lease) : outer.code;
          if (code == CADASTRE_INVALID_CONTEXT) return;
          if (code != CADASTRE_SUCCESS) ++wrong;
        }
      });
    }
    while (started < 3) std::this_thread::yield();
    cadastre_destroy_summary_struct summary = cadastre_destroy_summary_struct_zero;
    assert_int_equal(cadastre_context_destroy_with_summary(context, &summary), CADASTRE_SUCCESS);
    for (std::thread& thread : threads) thread.join();
    assert_int_equal(wrong, 0);
    assert_int_equal(summary.live_blocks, 0);
    assert_in_range(summary.live_leases, 0, 3);
  }
}

}  // namespace

Claims thread_claims() {
  return {
      .of_every_type =
          {
              cmocka_unit_test(two_threads_lending_from_one_context_get_memory_of_their_own),
              cmocka_unit_test(two_threads_and_an_explicit_size_share_it_while_there_is_room),
              cmocka_unit_test(two_threads_in_turn_leave_one_block_as_it_was),
              cmocka_unit_test(eight_threads_are_never_refused_where_there_is_room_for_eight),
              cmocka_unit_test(another_thread_may_give_back),
              cmocka_unit_test(no_two_live_buffers_of_eight_threads_overlap),
              cmocka_unit_test(no_two_live_buffers_overlap_where_each_acquisition_allocates),
              cmocka_unit_test(no_two_live_buffers_overlap_in_an_explicit_size),
              cmocka_unit_test(an_acquisition_waits_while_another_thread_has_the_lock_and_the_holder_leases),
              cmocka_unit_test(a_context_is_destroyed_while_other_threads_lend),
          },
  };
}

}  // namespace cadastre::internal
