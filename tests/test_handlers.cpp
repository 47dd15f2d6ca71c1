// Tangled from org/tests/handler_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#ifdef __x86_64__
#include <ucontext.h>
#endif

#include "cadastre.h"
#include "children.hpp"
#include "cmocka.hpp"
#include "context/lock.hpp"
#include "core/calls.hpp"

using namespace cadastre::internal;

namespace {

void* malloc_uninitialized(cadastre_context context, std::size_t size) {
  return cadastre_malloc_plain(context, size, 0, CADASTRE_UNINITIALIZED, nullptr);
}

// One with a block, another, and a third whose shard has the place of the first one's among those at hand.
struct Contexts {
  cadastre_context context = cadastre_context_create(), other = next(false), third = next(true);
  void* block = cadastre_malloc(context, sized(100));

  Contexts() {
    for (int turn = 0; turn < 2; ++turn) {  // until shards are at hand, that of the first at last
      for (const cadastre_context one : {third, other, context}) cadastre_free(one, cadastre_malloc(one, sized(100)));
    }
  }
  cadastre_context next(bool same_place) {
    const auto place = [](cadastre_context one) { return static_cast<std::uint64_t>(one) % shards_at_hand; };
    while (true) {  // contexts that are passed over stay
      const cadastre_context one = cadastre_context_create();
      if ((place(one) == place(context)) == same_place) return one;
    }
  }
  // All is served again, and nothing was changed.
  void end() {
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    EXPECT(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
    EXPECT(figures.live_blocks == 1 && figures.allocations == 3 && figures.deallocations == 2);
    EXPECT(cadastre_free(context, block) == CADASTRE_SUCCESS);
    for (const cadastre_context one : {third, other, context}) EXPECT(cadastre_context_destroy(one) == CADASTRE_SUCCESS);
  }
};

// A call of each kind, on a context whose shard or lock is taken, where the thread has a shard in another. What takes effort there,
// another slab, needs locks.
void each_call_is_refused(const Contexts& contexts, bool inside_a_shard) {
  const cadastre_context context = contexts.context, other = contexts.other;
  void* const block = contexts.block;
  const auto refused = [&](cadastre_exit_code code, cadastre_context where) { return code == CADASTRE_FAILURE && is_refused(where); };
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  std::size_t offset = 0;
  EXPECT(!cadastre_malloc(context, sized(100)) && is_refused(context));
  EXPECT(!cadastre_malloc(context, sized(1 << 20)) && is_refused(context));
  EXPECT(!cadastre_malloc_plain(context, 100, 64, 0, "label") && is_refused(context));
  EXPECT(refused(cadastre_free(context, block), context));
  EXPECT(!cadastre_realloc(context, block, 120) && is_refused(context));
  EXPECT(refused(cadastre_get_malloc_info(context, block, &info), context));
  EXPECT(refused(cadastre_find_block(context, block, &info, &offset), context));
  EXPECT(refused(cadastre_memset(context, block, 1, 10), context));
  EXPECT(refused(cadastre_get_statistics(context, CADASTRE_HOST, &figures), context));
  EXPECT(refused(cadastre_get_statistics(other, CADASTRE_HOST, &figures), other));
  EXPECT(refused(cadastre_get_statistics(CADASTRE_PROCESS, CADASTRE_HOST, &figures), CADASTRE_PROCESS));
  EXPECT(refused(cadastre_lock(context), context) && refused(cadastre_lock(other), other));
  EXPECT(refused(cadastre_context_destroy(context), context) && refused(cadastre_context_destroy(other), other));
  EXPECT(cadastre_context_create() == CADASTRE_NULL_CONTEXT && is_refused(CADASTRE_NULL_CONTEXT));
  EXPECT(cadastre_context_check(context) == CADASTRE_NULL_CONTEXT);
  void* const elsewhere = cadastre_malloc(other, sized(100));
  if (inside_a_shard || fences_are_light) {  // which is at hand, and open for who is at once inside
    EXPECT(elsewhere && cadastre_free(other, elsewhere) == CADASTRE_SUCCESS);
  } else {
    EXPECT(!elsewhere && is_refused(other));
  }
  void* const with_effort = cadastre_malloc(other, sized(5000));
  EXPECT(inside_a_shard ? with_effort && cadastre_free(other, with_effort) == CADASTRE_SUCCESS : !with_effort && is_refused(other));
  EXPECT(!cadastre_malloc(contexts.third, sized(100)) && is_refused(contexts.third));
}

void whoever_is_inside_a_shard_is_refused_all_that_needs_a_lock(void**) {
  in_child([] {
    Contexts contexts;
    Shard& shard = shard_at_hand(contexts.context);
    EXPECT(shard.lock.enter(contexts.context));
    each_call_is_refused(contexts, true);
    shard.lock.leave(contexts.context);
    contexts.end();
  });
}

void whoever_holds_a_lock_is_refused_all_that_needs_one(void**) {
  in_child([] {
    Contexts contexts;
    {
      ContextLock lock(contexts.context);
      EXPECT(static_cast<bool>(lock));
      lock->registry().heap().lock();  // else the shard would serve what it can
      each_call_is_refused(contexts, false);
    }
    contexts.end();
  });
}

// A handler may have come while its thread was in the C library's malloc, for a locked call to another context.
void whoever_holds_a_lock_is_refused_what_malloc_would_serve(void**) {
  in_child([] {
    Contexts contexts;
    const cadastre_context other = contexts.other;
    const auto malloc_large = [=] { return malloc_uninitialized(other, 300000); };
    for (int turn = 0; turn < 3; ++turn) EXPECT(cadastre_free(other, malloc_large()) == CADASTRE_SUCCESS);  // until it takes no locked call
    void* const block = malloc_large();
    {
      const ContextLock lock(contexts.context);
      EXPECT(block && static_cast<bool>(lock));
      EXPECT(!malloc_large() && is_refused(other));
      EXPECT(cadastre_free(other, block) == CADASTRE_FAILURE && is_refused(other));
      EXPECT(!cadastre_realloc(other, block, 310000) && is_refused(other));
    }
    EXPECT(cadastre_free(other, block) == CADASTRE_SUCCESS);
    contexts.end();
  });
}

struct Handled {
  cadastre_context contexts[2];
  void* known = nullptr;  // lives in the first
  volatile long served = 0, refused = 0;
  struct {
    unsigned char* block;
    int context;
  } kept[64] = {};
  int used = 0;

  void free_last() {
    auto& [block, number] = kept[used - 1];
    EXPECT(is_filled(block, 0x5a, 48));
    const cadastre_exit_code code = cadastre_free(contexts[number], block);
    EXPECT(code == CADASTRE_SUCCESS || (code == CADASTRE_FAILURE && is_refused(contexts[number])));
    if (code != CADASTRE_SUCCESS) return void(refused = refused + 1);
    served = served + 1;
    --used;
  }
  void allocate(int number) {
    auto* const block = static_cast<unsigned char*>(cadastre_malloc(contexts[number], sized(48)));
    if (!block) {
      EXPECT(is_refused(contexts[number]));
      return void(refused = refused + 1);
    }
    EXPECT(is_filled(block, 0, 48));
    std::memset(block, 0x5a, 48);
    kept[used++] = {block, number};
    served = served + 1;
  }
  void handle() {
    const int error = errno;
    for (int number = 0; number < 2 && used < 64; ++number) allocate(number);
    cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
    const cadastre_exit_code code = cadastre_get_malloc_info(contexts[0], known, &info);
    EXPECT(code == CADASTRE_SUCCESS ? info.size == 1000 : code == CADASTRE_FAILURE && is_refused(contexts[0]));
    for (int turn = 0; turn < 3 && used > 0; ++turn) free_last();
    errno = error;
  }
};
thread_local constinit Handled* handled_here = nullptr;

void on_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    if (handled_here) handled_here->handle();
  };
  action.sa_flags = SA_RESTART;
  EXPECT(sigaction(SIGALRM, &action, nullptr) == 0 && sigaction(SIGUSR1, &action, nullptr) == 0);
}

// A bit of everything; takes nothing of the C library's heap but by large blocks, which the library takes.
void do_a_bit_of_everything(Handled& handled, unsigned seed, const std::function<bool()>& goes_on) {
  std::minstd_rand random(seed);
  static thread_local struct {
    unsigned char* block;
    std::size_t size;
  } mine[200];
  std::memset(mine, 0, sizeof mine);
  const cadastre_context context = handled.contexts[0];
  const auto none = [](const cadastre_memory_info_struct*, void*) -> cadastre_exit_code { return CADASTRE_SUCCESS; };
  while (goes_on()) {
    auto& [block, size] = mine[random() % 200];
    const unsigned what = static_cast<unsigned>(random()) % 64;
    cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
    if (what == 0) EXPECT(cadastre_get_statistics(context, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
    if (what == 1) EXPECT(cadastre_foreach_block(context, none, nullptr) == CADASTRE_SUCCESS);
    if (what == 2) EXPECT(cadastre_lock(context) == CADASTRE_SUCCESS && cadastre_unlock(context) == CADASTRE_SUCCESS);
    if (what == 3) {
      const cadastre_context passing = cadastre_context_create();
      EXPECT(cadastre_malloc(passing, sized(10)) && cadastre_context_destroy(passing) == CADASTRE_SUCCESS);
    }
    if (!block) {
      size = random() % 16 == 0 ? random() % 100000 : random() % 400;
      block = static_cast<unsigned char*>(cadastre_malloc(context, sized(size)));
      EXPECT(block && is_filled(block, 0, size));
    } else if (what < 16) {
      const std::size_t grown = size + random() % 100;
      auto* const moved = static_cast<unsigned char*>(cadastre_realloc(context, block, grown));
      EXPECT(moved && is_filled(moved, 0x11, size));
      block = moved;
      size = grown;
    } else {
      EXPECT(is_filled(block, 0x11, size) && cadastre_free(context, block) == CADASTRE_SUCCESS);
      block = nullptr;
      continue;
    }
    std::memset(block, 0x11, size);
  }
  for (auto& [block, size] : mine) EXPECT(!block || cadastre_free(context, block) == CADASTRE_SUCCESS);
}

void begin_to_handle(Handled& handled) {
  handled.known = cadastre_malloc(handled.contexts[0], sized(1000));
  EXPECT(handled.known != nullptr);
  for (int turn = 0; turn < 2; ++turn) cadastre_free(handled.contexts[1], cadastre_malloc(handled.contexts[1], sized(1)));
  handled_here = &handled;
}

void handled_well(Handled& handled) {
  handled_here = nullptr;
  while (handled.used > 0) handled.free_last();
  EXPECT(cadastre_free(handled.contexts[0], handled.known) == CADASTRE_SUCCESS);
}

void handlers_that_interrupt_calls_are_served_or_refused(void**) {
  in_child([] {
    Handled handled = {.contexts = {cadastre_context_create(), cadastre_context_create()}};
    begin_to_handle(handled);
    on_signals();
    const itimerval often = {{0, 20}, {0, 20}}, never = {};
    EXPECT(setitimer(ITIMER_REAL, &often, nullptr) == 0);
    do_a_bit_of_everything(handled, 1, [&] { return handled.served < 20000 || handled.refused < 200; });
    EXPECT(setitimer(ITIMER_REAL, &never, nullptr) == 0);
    handled_well(handled);
    for (const cadastre_context context : handled.contexts) nothing_lives_in(context);
  });
}

void handlers_on_several_threads_make_nobody_wait_for_ever(void**) {
  in_child([] {
    constexpr int threads = 2;
    const cadastre_context contexts[] = {cadastre_context_create(), cadastre_context_create()};
    on_signals();
    std::atomic<int> ready = 0, at_work = threads;
    std::atomic<bool> stop = false;
    pthread_t ids[threads];
    std::vector<std::thread> workers;
    for (unsigned number = 0; number < threads; ++number) {
      workers.emplace_back([&, number] {
        Handled handled = {.contexts = {contexts[0], contexts[1]}};
        begin_to_handle(handled);
        ids[number] = pthread_self();
        ++ready;
        do_a_bit_of_everything(handled, number, [&] { return handled.served < 5000 || handled.refused < 50; });
        --at_work;
        do_a_bit_of_everything(handled, number, [&] { return !stop; });
        handled_well(handled);
      });
    }
    while (ready < threads) std::this_thread::yield();
    for (int turn = 0; at_work > 0; ++turn) {
      for (const pthread_t id : ids) pthread_kill(id, SIGUSR1);
      cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
      if (turn % 2 == 0) EXPECT(cadastre_get_statistics(contexts[turn / 2 % 2], CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    stop = true;
    for (std::thread& worker : workers) worker.join();
    for (const cadastre_context context : contexts) nothing_lives_in(context);
  });
}

// Counts and deeds of all children.
struct Steps {
  volatile long taken = 0;
  long served = 0, refused = 0;
};
Steps& steps = *static_cast<Steps*>(mmap(nullptr, sizeof(Steps), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
// At which instructions of a call something is done, and what.
struct Turns {
  long next = 0, stride = 1, last = 0;
  const std::function<void()>* deed = nullptr;
  bool is_taken = false;  // in the child of one
};
Turns turns;

#ifdef __x86_64__
constexpr greg_t trap_flag = 0x100;
[[gnu::always_inline]] inline void begin_steps() {
  asm volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}
[[gnu::always_inline]] inline void end_steps() {
  asm volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}
// Whether this is code that the system leases to read the clock, which begins anew for as long as the time changes meanwhile.
bool is_in_the_clock(greg_t instruction) {
  static const auto begin = static_cast<greg_t>(getauxval(AT_SYSINFO_EHDR));
  return instruction >= begin && instruction < begin + (1 << 14);
}
void step(int, siginfo_t*, void* machine) {
  const long now = steps.taken + 1;
  steps.taken = now;
  auto& registers = static_cast<ucontext_t*>(machine)->uc_mcontext.gregs;
  if (now < turns.next || now > turns.last || is_in_the_clock(registers[REG_RIP])) return;
  turns.next = now + turns.stride;
  const pid_t child = static_cast<pid_t>(syscall(SYS_fork));
  EXPECT(child >= 0);
  if (child > 0) {
    if (ended_well(child)) return;
    std::fprintf(stderr, "# at instruction %ld\n", now);
    _exit(1);
  }
  alarm(20);
  turns.is_taken = true;
  registers[REG_EFL] &= ~trap_flag;
  (*turns.deed)();
}
#else
void begin_steps() {}
void end_steps() {}
void step(int, siginfo_t*, void*) {}
#endif

void step_through(const std::function<void()>& call, const Turns& when) {
  struct sigaction action = {};
  action.sa_sigaction = step;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  EXPECT(sigaction(SIGTRAP, &action, nullptr) == 0);
  turns = when;
  steps.taken = 0;
  begin_steps();
  call();
  end_steps();
}

// For each instruction of a call: a child that does something there, and something else when the call has returned. Where LONG is not in the
// environment, for one in at least so many instructions, from the first on, and of a long call for fewer.
void at_instructions(long first, long stride, const std::function<void()>& call, const std::function<void()>& deed,
                     const std::function<void()>& afterwards) {
  in_child([&] { step_through(call, {}); });
  const long all = steps.taken;
  if (all == 0) return;
  const Turns each = {1, 1, all, &deed}, some = {first, std::max(stride, all * all / 200000), all, &deed};
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    step_through(call, std::getenv("LONG") ? each : some);
    if (turns.is_taken) afterwards();
    _exit(0);
  }
  assert_true(ended_well(child));
}

void count_step(bool is_served, cadastre_context where) {
  EXPECT(is_served || is_refused(where));
  ++(is_served ? steps.served : steps.refused);
}

bool pair(cadastre_context context, std::size_t size, std::uint32_t flags = 0) {
  cadastre_memory_info_struct info = sized(size);
  info.flags = flags;
  void* const block = cadastre_malloc(context, info);
  return block && cadastre_free(context, block) == CADASTRE_SUCCESS;
}

void handlers_at_each_instruction_are_served_or_refused(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  const cadastre_context context = cadastre_context_create(), other = cadastre_context_create();
  bool is_destroyed = false;
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  const std::function<void()> calls[] = {
      [&] { cadastre_get_statistics(context, CADASTRE_HOST, &figures); },
      [&] { cadastre_get_statistics(CADASTRE_PROCESS, CADASTRE_HOST, &figures); },
      [&] { cadastre_set_limit(CADASTRE_PROCESS, CADASTRE_HOST, std::size_t{1} << 40); },
      [&] {
        if (cadastre_lock(context) == CADASTRE_SUCCESS) cadastre_unlock(context);
      },
      [&] { pair(context, 100); },
  };
  const std::function<void()> deeds[] = {
      [&] {
        cadastre_statistics_struct here = cadastre_statistics_struct_zero;
        count_step(cadastre_get_statistics(context, CADASTRE_HOST, &here) == CADASTRE_SUCCESS, context);
      },
      [&] {
        is_destroyed = cadastre_context_destroy(context) == CADASTRE_SUCCESS;
        // A call on the process may be inside the context with no lock held.
        if (is_destroyed || !is_refused(context, CADASTRE_REASON_CALLED_FROM_OPERATION)) count_step(is_destroyed, context);
      },
      [&] {
        const bool is_locked = cadastre_lock(context) == CADASTRE_SUCCESS;
        count_step(is_locked, context);
        if (is_locked) EXPECT(cadastre_unlock(context) == CADASTRE_SUCCESS);
      },
      [&] { count_step(pair(other, 3000), other); },
  };
  pair(other, 3000);
  for (const auto& call : calls) {
    for (int turn = 0; turn < 3; ++turn) call();
  }
  std::thread([context] {
    for (int number = 0; number < 8; ++number) EXPECT(cadastre_malloc(context, sized(50000)));
  }).join();
  pair(context, 50000);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));  // until pages are to be returned
  for (const auto& call : calls) {
    steps.served = steps.refused = 0;
    for (std::size_t number = 0; number < std::size(deeds); ++number) {
      at_instructions(static_cast<long>(number) + 1, static_cast<long>(std::size(deeds)), call, deeds[number], [&] {
        if (!is_destroyed) EXPECT(cadastre_context_destroy(context) == CADASTRE_SUCCESS);
        nothing_lives_in(other);
      });
      if (steps.taken == 0) skip_because("the processor, or what stands for it, makes no single steps");
    }
    assert_true(steps.served > 0 && steps.refused > 0);
  }
}

// A pool is the process's: a call in another context needs the same one.
void handlers_at_each_instruction_of_a_pool_are_served_or_refused(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  cadastre_context contexts[2];
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.pool = CADASTRE_POOL_CACHING;
  options.backend = CADASTRE_BACKEND_HOST;
  constexpr std::size_t size = std::size_t{300} << 10;
  for (cadastre_context& context : contexts) {
    context = cadastre_context_create_with_options(&options);
    void* const block = malloc_uninitialized(context, size);
    assert_non_null(malloc_uninitialized(context, size));  // one for the call, one for the handler
    assert_int_equal(cadastre_free(context, block), CADASTRE_SUCCESS);
  }
  for (int turn = 0; turn < 3; ++turn)
    assert_true(pair(contexts[0], size, CADASTRE_UNINITIALIZED) && pair(contexts[1], size, CADASTRE_UNINITIALIZED));
  steps.served = steps.refused = 0;
  const auto afterwards = [&] {
    for (const cadastre_context context : contexts)
      EXPECT(pair(context, size, CADASTRE_UNINITIALIZED) && cadastre_context_destroy(context) == CADASTRE_SUCCESS);
  };
  at_instructions(
      1, 1, [&] { EXPECT(pair(contexts[0], size, CADASTRE_UNINITIALIZED)); },
      [&] { count_step(pair(contexts[1], size, CADASTRE_UNINITIALIZED), contexts[1]); }, afterwards);
  if (steps.taken == 0) skip_because("the processor, or what stands for it, makes no single steps");
  assert_true(steps.served > 0 && steps.refused > 0);
  for (const cadastre_context context : contexts) assert_int_equal(cadastre_context_destroy(context), CADASTRE_SUCCESS);
}

void a_handler_that_allocates_while_shares_are_divided_has_no_more_claimed_than_64_kib(void**) {
  if (sanitized) skip_because("a sanitizer brings a malloc of its own");
  cadastre_context contexts[2];
  const cadastre_context parent = cadastre_context_create();
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.parent = parent;
  std::size_t live = 0;
  const auto grow = [&](cadastre_context where) {
    const bool has_grown = malloc_uninitialized(where, 100) != nullptr;
    live += has_grown ? 100 : 0;
    return has_grown;
  };
  for (cadastre_context& context : contexts) {
    context = cadastre_context_create_with_options(&options);
    for (int number = 0; number < 4; ++number) assert_true(grow(context));
  }
  cadastre_statistics_struct figures = cadastre_statistics_struct_zero;
  assert_int_equal(cadastre_get_statistics(parent, CADASTRE_HOST, &figures), CADASTRE_SUCCESS);  // shares are free
  steps.served = steps.refused = 0;
  const auto afterwards = [&] {
    constexpr std::size_t bound = std::size_t{64} << 10, large = std::size_t{8} << 20;
    for (const cadastre_context context : contexts) {
      for (int turn = 0; turn < 3; ++turn) {
        for (const std::size_t size : {std::size_t{1}, bound, bound / 2, bound / 4, bound / 16, bound / 64}) {
          EXPECT(cadastre_free(context, malloc_uninitialized(context, size)) == CADASTRE_SUCCESS);
        }
      }
    }
    EXPECT(malloc_uninitialized(parent, large) != nullptr);
    EXPECT(cadastre_get_statistics(parent, CADASTRE_HOST, &figures) == CADASTRE_SUCCESS);
    EXPECT(figures.high_water_mark_bytes >= large + live && figures.high_water_mark_bytes <= large + live + bound);
  };
  at_instructions(1, 3, [&] { grow(contexts[0]); }, [&] { count_step(grow(contexts[1]), contexts[1]); }, afterwards);
  if (steps.taken == 0) skip_because("the processor, or what stands for it, makes no single steps");
  assert_true(steps.served > 0);
}

}  // namespace

int main() {
  setenv("CADASTRE_HEAP", "on", 1);
  const CMUnitTest tests[] = {
      cmocka_unit_test(whoever_is_inside_a_shard_is_refused_all_that_needs_a_lock),
      cmocka_unit_test(whoever_holds_a_lock_is_refused_all_that_needs_one),
      cmocka_unit_test(whoever_holds_a_lock_is_refused_what_malloc_would_serve),
      cmocka_unit_test(handlers_that_interrupt_calls_are_served_or_refused),
      cmocka_unit_test(handlers_on_several_threads_make_nobody_wait_for_ever),
      cmocka_unit_test(handlers_at_each_instruction_are_served_or_refused),
      cmocka_unit_test(handlers_at_each_instruction_of_a_pool_are_served_or_refused),
      cmocka_unit_test(a_handler_that_allocates_while_shares_are_divided_has_no_more_claimed_than_64_kib),
  };
  return cmocka_run_group_tests_name("handlers of signals", tests, nullptr, nullptr);
}
