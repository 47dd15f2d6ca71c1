// Tangled from org/tests/lock_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#define CADASTRE_DEBUG 1
#include "base/lock.hpp"
#include "core/shard_lock.hpp"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include <cmocka.h>
}

using namespace cadastre::internal;

std::atomic<bool> cadastre::internal::fences_are_light = false;

namespace {

// What a child process says that does something; it must be aborted by that.
template <class Deed>
std::string last_words(Deed deed) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    deed();
    _exit(0);
  }
  close(ends[1]);
  std::string words;
  char part[256];
  for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) words.append(part, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  return words;
}

void foreign_code_is_called_without_a_lock_and_without_a_word(void**) {
  Mutex<Rank::table> table;
  {
    const Locked locked(table);
  }
  assert_no_lock_held("cudaMalloc");
}

void a_lock_that_is_held_in_foreign_code_is_named_with_the_call(void**) {
  const std::string words = last_words([] {
    Mutex<Rank::context> context;
    const Locked locked(context);
    assert_no_lock_held("cudaMalloc");
  });
  assert_string_equal(words.c_str(), "cadastre: foreign code (cudaMalloc) is called while a lock is held (context)\n");
}

void a_lock_of_another_thread_is_none_of_this_one(void**) {
  Mutex<Rank::context> context;
  const Locked locked(context);
  std::thread([] { assert_no_lock_held("cudaMalloc"); }).join();
}

void a_lock_that_is_taken_out_of_order_is_told(void**) {
  const std::string words = last_words([] {
    Mutex<Rank::table> table;
    Mutex<Rank::context> context;
    const Locked inner(context);
    const Locked outer(table);
  });
  assert_string_equal(words.c_str(), "cadastre: a lock (table) is taken out of order, while another is held (context)\n");
}

void whoever_is_inside_a_shard_takes_no_lock_for_which_it_is_waited(void**) {
  const std::string words = last_words([] {
    static constinit ShardLock lock;
    lock.renew(1);
    lock.open(1);
    if (!lock.enter(1)) return;
    Mutex<Rank::accounting> inner;
    {
      const Locked locked(inner);
    }
    Mutex<Rank::context> outer;
    const Locked locked(outer);
  });
  assert_string_equal(words.c_str(), "cadastre: a lock (context) is taken out of order, while another is held (shard)\n");
}

void two_locks_of_one_rank_are_taken_by_a_fork_only(void**) {
  Mutex<Rank::context> one, other;
  one.lock_for_fork();
  other.lock_for_fork();
  other.unlock();
  one.unlock();
  const std::string words = last_words([&] {
    const Locked first(one);
    const Locked second(other);
  });
  assert_string_equal(words.c_str(), "cadastre: a lock (context) is taken out of order, while another is held (context)\n");
}

void a_lock_that_should_be_held_is_missed(void**) {
  Mutex<Rank::pool> pool;
  {
    const Locked locked(pool);
    pool.assert_held();
  }
  const std::string words = last_words([&] { pool.assert_held(); });
  assert_string_equal(words.c_str(), "cadastre: an access needs a lock (pool) that is not held\n");
}

void who_waits_for_a_condition_holds_no_lock_meanwhile(void**) {
  Mutex<Rank::context> mutex;
  Condition<Rank::context> changed;
  bool told = false;
  std::thread other([&] {
    const Locked locked(mutex);
    told = true;
    changed.wake_all();
  });
  {
    const Locked locked(mutex);
    while (!told) changed.wait(mutex);
    mutex.assert_held();
  }
  other.join();
  assert_no_lock_held("cudaMalloc");
}

void a_mutex_that_is_not_free_in_time_is_not_locked(void**) {
  Mutex<Rank::context> mutex;
  const timespec long_ago{1, 0};
  mutex.lock();
  bool locked = true;
  const auto try_it = [&] {
    locked = false;
    if (!mutex.lock_until(long_ago)) return;
    locked = true;
    mutex.unlock();
  };
  std::thread(try_it).join();
  assert_false(locked);
  mutex.unlock();
  try_it();
  assert_true(locked);
  assert_no_lock_held("cudaMalloc");
}

void cancellation_waits(void**) {
  int before = -1;
  {
    const NotCancelled here;
    {
      const NotCancelled there;
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    assert_int_equal(before, PTHREAD_CANCEL_DISABLE);
  }
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
  assert_int_equal(before, PTHREAD_CANCEL_ENABLE);
}

// More threads than processors, which sleep and wake each other; in a debug build its rank is checked as that of a mutex.
void a_brief_lock_keeps_others_out(void**) {
  constexpr int threads = 8, turns = 20000;
  BriefLock<Rank::adapter> lock;
  long sum = 0;
  std::vector<std::thread> all;
  for (int number = 0; number < threads; ++number) {
    all.emplace_back([&] {
      for (int turn = 0; turn < turns; ++turn) {
        const Locked locked(lock);
        const long before = sum;
        if (turn % 256 == 0) std::this_thread::yield();
        sum = before + 1;
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  assert_int_equal(sum, long{threads} * turns);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(foreign_code_is_called_without_a_lock_and_without_a_word),
      cmocka_unit_test(a_lock_that_is_held_in_foreign_code_is_named_with_the_call),
      cmocka_unit_test(a_lock_of_another_thread_is_none_of_this_one),
      cmocka_unit_test(a_lock_that_is_taken_out_of_order_is_told),
      cmocka_unit_test(whoever_is_inside_a_shard_takes_no_lock_for_which_it_is_waited),
      cmocka_unit_test(two_locks_of_one_rank_are_taken_by_a_fork_only),
      cmocka_unit_test(a_lock_that_should_be_held_is_missed),
      cmocka_unit_test(who_waits_for_a_condition_holds_no_lock_meanwhile),
      cmocka_unit_test(a_mutex_that_is_not_free_in_time_is_not_locked),
      cmocka_unit_test(cancellation_waits),
      cmocka_unit_test(a_brief_lock_keeps_others_out),
  };
  return cmocka_run_group_tests_name("lock", tests, nullptr, nullptr);
}
