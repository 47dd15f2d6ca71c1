// Tangled from org/tests/ticks_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstdint>
#include <thread>

#include "cmocka.hpp"
#include "out/ticks.hpp"

namespace {

using cadastre::internal::monotonic_time;
using cadastre::internal::Reading;
using cadastre::internal::Ticks;

// As one is that has not found a counter.
void a_clock_of_nanoseconds_begins_at_its_start(void**) {
  const Ticks clock;
  const std::int64_t before = monotonic_time(), time = clock.now(), after = monotonic_time();
  assert_in_range(time, before, after);
  const std::int64_t early = clock.early();
  assert_in_range(early, time, monotonic_time());
  const Reading reading = clock.read();
  assert_int_equal(reading.time, reading.nanoseconds);
  assert_int_equal(clock.rate().time, 0);
}

void ticks_are_as_many_as_the_rate_has_them(void**) {
  Ticks clock;
  clock.begin(monotonic_time());
  if (clock.rate().time == 0) skip();
  assert_in_range(clock.rate().nanoseconds, 100'000, 100'000'000);
  const Reading first = clock.read();
  Reading last;
  do {
    last = clock.read();
  } while (last.nanoseconds - first.nanoseconds < 20'000'000);
  const auto expected = static_cast<double>(clock.rate().time) / static_cast<double>(clock.rate().nanoseconds) *
                        static_cast<double>(last.nanoseconds - first.nanoseconds);
  const double found = static_cast<double>(last.time - first.time);
  assert_true(found > 0.98 * expected && found < 1.02 * expected);
}

// Two threads hand a number to each other, each with the time at which it had it.
void what_a_thread_knows_of_is_earlier(void**) {
  constexpr std::int64_t rounds = 50'000;
  static Ticks clock;
  clock.begin(monotonic_time());
  static std::atomic<std::int64_t> turn, time, wrong;
  const auto play = [](std::int64_t own) {
    for (std::int64_t round = own; round < rounds; round += 2) {
      for (int waited = 0; turn.load(std::memory_order_acquire) != round; ++waited) {
        if (waited > 1000) std::this_thread::yield();
      }
      const std::int64_t before = time.load(std::memory_order_relaxed), now = clock.now();
      if (now < before) wrong.fetch_add(1);
      time.store(clock.early(), std::memory_order_relaxed);
      turn.store(round + 1, std::memory_order_release);
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  assert_int_equal(turn.load(), rounds);
  assert_int_equal(wrong.load(), 0);
}

void the_clock_goes_on_where_the_counter_went_back(void**) {
  Ticks clock;
  clock.begin(monotonic_time());
  const std::int64_t before = clock.now(), far = before + 1'000'000'000'000;
  clock.go_on_from(before - 1000);
  assert_in_range(clock.now(), before, far - 1);
  if (clock.rate().time == 0) skip();
  clock.go_on_from(far);
  assert_true(clock.now() >= far);
  assert_true(clock.early() >= far);
  assert_true(clock.read().time >= far);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_clock_of_nanoseconds_begins_at_its_start),
      cmocka_unit_test(ticks_are_as_many_as_the_rate_has_them),
      cmocka_unit_test(what_a_thread_knows_of_is_earlier),
      cmocka_unit_test(the_clock_goes_on_where_the_counter_went_back),
  };
  return cmocka_run_group_tests_name("ticks", tests, nullptr, nullptr);
}
