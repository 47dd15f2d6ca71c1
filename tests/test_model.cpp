// Tangled from org/tests/model_run.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// test_model [--steps N] [--seed S] [--threads T] [--membarrier never|later]: steps drawn from a seed; without arguments, claims.
#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cadastre.h"
#include "cmocka.hpp"
#include "model_draw.hpp"
#include "model_runner.hpp"
#include "refuse_membarrier.hpp"

using model::Id;
using model::Op;
using model::Step;

namespace {

constexpr std::uint64_t checked_every = 1000;

// For what the child of a step does: as the test itself, to which it tells the way it ended.
void follow(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == model::exit_of_mismatch) _exit(model::exit_of_mismatch);
  if (status != 0) model::mismatch("a forked child ends with status %d", status);
}

// Of the steps of one program: as many as there are before the system refuses membarrier. None: it never does, or always did.
constexpr std::uint64_t never = UINT64_MAX;
std::uint64_t steps_with_membarrier = never;
constexpr int no_filter = 77;  // exit status

void refuse_membarrier_after(std::uint64_t steps) {
  if (steps == steps_with_membarrier && !refuse_membarrier(EPERM, for_all_threads)) _exit(no_filter);
}

void draw_and_make(model::Shared<Step>& shared, std::uint64_t seed, std::uint64_t steps) {
  model::World world;
  model::Generator generator(seed, &world, 0);
  std::uint64_t end_of_child = 0;
  model::Outcome& o = shared.outcome;
  for (o.count = 0; o.count < steps;) {
    const Id number = static_cast<Id>(o.count + 1);
    const bool ends = end_of_child != 0 && o.count >= end_of_child;
    Step s = ends ? Step{} : generator.draw(number);
    if (s.op == Op::fork && end_of_child != 0) s.op = Op::errors;
    o.reached = o.count;
    shared.steps()[o.count++] = s;
    if (ends) break;
    if (s.op == Op::fork) {
      const pid_t child = fork();
      if (child != 0) follow(child);
      else end_of_child = std::min<std::uint64_t>(o.count + s.other, steps - 1);
      continue;
    }
    world.make(s);
    generator.learn(s);
    refuse_membarrier_after(o.count);
    if (o.count % checked_every == 0) world.check_all(false);
  }
  o.reached = o.count - 1;
  if (end_of_child != 0) {
    world.check_all(true);
    _exit(0);
  }
  world.destroy_all();
}

void make(model::Outcome& o, const std::vector<Step>& steps) {
  model::World world;
  bool is_child = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    o.reached = i;
    if (steps[i].op == Op::end && is_child) break;
    if (steps[i].op == Op::fork) {
      const pid_t child = fork();
      is_child = child == 0;
      if (is_child) continue;
      follow(child);
      while (i < steps.size() && steps[i].op != Op::end) ++i;
      continue;
    }
    world.make(steps[i]);
    refuse_membarrier_after(i + 1);
    const bool is_short = steps.size() <= 100;
    if (is_short || (i + 1) % checked_every == 0) world.check_all(is_short);
  }
  if (is_child) {
    world.check_all(true);
    _exit(0);
  }
  world.destroy_all();
}

void print_program(const std::vector<Step>& steps) {
  std::printf("# static char arena[1 << 20], buffer[1 << 16]; cadastre_memory_info_struct info; size_t size, offset;\n");
  for (const Step& s : steps) std::printf("# %s\n", model::as_c(s).c_str());
}

using Found = model::Found<Step>;
using model::in_child, model::number_in, model::share_memory;

Found run(std::uint64_t seed, std::uint64_t count, unsigned threads) {
  auto* const shared = share_memory<Step>(count + 1);
  Found found;
  std::vector<Step> steps;
  if (threads > 0) {
    model::Generator generator(seed, nullptr, threads);
    generator.share(steps);
    while (steps.size() < count) {
      steps.push_back(generator.draw(static_cast<Id>(steps.size() + 1)));
      generator.learn(steps.back());
    }
  }
  const auto begin = std::chrono::steady_clock::now();
  found.message =
      in_child(&shared->outcome, 0, [&] { threads > 0 ? model::run_threads(steps, threads) : draw_and_make(*shared, seed, count); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  found.steps_per_second = static_cast<double>(count) / took.count();
  if (!found.message.empty()) {
    const std::uint64_t reached = shared->outcome.reached;
    if (threads == 0) steps.assign(shared->steps(), shared->steps() + std::min(reached + 1, shared->outcome.count));
    std::printf("# seed %llu, %llu steps, %u threads: at step %llu: %s\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(count), threads, static_cast<unsigned long long>(reached + 1), found.message.c_str());
    std::fflush(stdout);
    found.steps = steps;
    const auto again = [&](model::Outcome& o, const std::vector<Step>& list) {
      threads > 0 ? model::run_threads(list, threads) : make(o, list);
    };
    found.shrink({.make = again, .attempts = threads > 0 ? 20 : 1}, print_program);
  }
  found.outcome = shared->outcome;
  munmap(shared, sizeof(*shared) + (count + 1) * sizeof(Step));
  return found;
}

model::Outcome together{};  // how often calls of one thread were refused, and were not

#ifdef __OPTIMIZE__
constexpr bool optimized = true;
#else
constexpr bool optimized = false;
#endif
// A sanitizer makes a step take ten to thirty times as long; that of threads sees nothing new in one of one thread.
constexpr std::uint64_t many = watches_threads ? 20000 : sanitized ? 200000 : !optimized ? 100000 : 1000000;
constexpr std::uint64_t some = watches_threads ? 20000 : sanitized || !optimized ? 100000 : 200000;
constexpr std::uint64_t few = watches_threads ? 20000 : sanitized || !optimized ? 50000 : 200000;
constexpr std::uint64_t of_this_process = watches_threads ? 20000 : sanitized ? 50000 : 200000;
constexpr std::uint64_t of_threads = watches_threads ? 200000 : sanitized ? 100000 : 400000;

// Programs of a bounded length, since each starts with nothing; TEST_MODEL_STEPS are all steps together.
void agree(unsigned threads, std::uint64_t steps, std::uint64_t each) {
  const std::uint64_t first = number_in("TEST_MODEL_SEED", 1);
  steps = number_in("TEST_MODEL_STEPS", steps);
  for (std::uint64_t seed = first, made = 0; made < steps; made += each, ++seed) {
    const Found found = run(seed, std::min(each, steps - made), threads);
    for (std::size_t i = 0; i < std::size(together.reasons); ++i) together.reasons[i] += found.outcome.reasons[i];
    for (std::size_t i = 0; i < std::size(together.refused); ++i) {
      together.succeeded[i] += found.outcome.succeeded[i];
      together.refused[i] += found.outcome.refused[i];
    }
    if (!found.message.empty()) print_error("seed %llu: %s\n", static_cast<unsigned long long>(seed), found.message.c_str());
    assert_true(found.message.empty());
  }
}

void every_step_of_one_thread_is_as_the_header_says(void**) { agree(0, of_this_process, 100000); }

void what_threads_do_with_their_blocks_is_as_if_each_were_alone(void**) { agree(4, of_threads, 50000); }

const char* own_path = nullptr;  // of this program
constexpr int foreign = 126;     // an emulator runs this program, and the system would not

// A new process of this program, in other surroundings.
void agree_elsewhere(const char* heap, const char* membarrier, const char* threads, std::uint64_t steps) {
  const std::string all = std::to_string(number_in("TEST_MODEL_STEPS", steps)), seed = std::to_string(number_in("TEST_MODEL_SEED", 1001));
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CADASTRE_HEAP", heap, 1);
    execl(own_path, own_path, "--steps", all.c_str(), "--seed", seed.c_str(), "--each", "100000", "--membarrier", membarrier, "--threads",
          threads, nullptr);
    _exit(errno == ENOEXEC ? foreign : 127);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == no_filter) print_message("no filter of system calls can be had here\n");
  if (WIFEXITED(status) && (WEXITSTATUS(status) == foreign || WEXITSTATUS(status) == no_filter))
    skip_because("the program cannot start itself here, or calls of the system cannot be refused");
  assert_int_equal(status, 0);
}

void it_is_so_with_the_heap(void**) { agree_elsewhere("on", "allowed", "0", many); }
void it_is_so_without_the_heap(void**) { agree_elsewhere("off", "allowed", "0", some); }
void it_is_so_without_membarrier(void**) { agree_elsewhere("on", "never", "0", few); }
void it_is_so_with_threads_without_membarrier(void**) { agree_elsewhere("on", "never", "4", of_threads / 10); }
void it_is_so_where_membarrier_is_refused_later(void**) { agree_elsewhere("on", "later", "0", few); }

// A test that draws nothing agrees with everything.
void every_call_succeeds_and_is_refused_and_for_every_reason(void**) {
  if (sanitized || number_in("TEST_MODEL_STEPS", UINT64_MAX) < 100000) skip_because("fewer than 100,000 steps need not meet everything");
  for (Op op = Op::create; op < Op::statistics; op = static_cast<Op>(static_cast<int>(op) + 1)) {
    const auto i = static_cast<std::size_t>(op);
    if (together.succeeded[i] == 0 || together.refused[i] == 0)
      print_error("step %zu: %llu succeed, %llu are refused\n", i, static_cast<unsigned long long>(together.succeeded[i]),
                  static_cast<unsigned long long>(together.refused[i]));
    assert_true(together.succeeded[i] > 0 && together.refused[i] > 0);
  }
  for (const cadastre_reason reason : {CADASTRE_REASON_NULL_CONTEXT,
                                       CADASTRE_REASON_DESTROYED_CONTEXT,
                                       CADASTRE_REASON_UNKNOWN_CONTEXT,
                                       CADASTRE_REASON_PROCESS_CONTEXT,
                                       CADASTRE_REASON_NULL_ARGUMENT,
                                       CADASTRE_REASON_UNKNOWN_POINTER,
                                       CADASTRE_REASON_INSIDE_BLOCK,
                                       CADASTRE_REASON_ALREADY_FREED,
                                       CADASTRE_REASON_MOVED_BY_REALLOC,
                                       CADASTRE_REASON_OTHER_CONTEXT,
                                       CADASTRE_REASON_BORROWED,
                                       CADASTRE_REASON_NOT_BORROWED,
                                       CADASTRE_REASON_OVERLAPS_BLOCK,
                                       CADASTRE_REASON_SIZE_OVERFLOW,
                                       CADASTRE_REASON_LIMIT_EXCEEDED,
                                       CADASTRE_REASON_INVALID_ALIGNMENT,
                                       CADASTRE_REASON_ALIGNMENT_NOT_SUPPORTED,
                                       CADASTRE_REASON_INVALID_MEMORY_TYPE,
                                       CADASTRE_REASON_INVALID_FLAGS,
                                       CADASTRE_REASON_LABEL_TOO_LONG,
                                       CADASTRE_REASON_BACKEND_OUT_OF_MEMORY,
                                       CADASTRE_REASON_BACKEND_FREE_FAILED,
                                       CADASTRE_REASON_BACKEND_CALL_FAILED,
                                       CADASTRE_REASON_NOT_LOCKED,
                                       CADASTRE_REASON_INVALID_DEVICE,
                                       CADASTRE_REASON_OUT_OF_BOUNDS,
                                       CADASTRE_REASON_RANGES_OVERLAP,
                                       CADASTRE_REASON_INVALID_STRIDE,
                                       CADASTRE_REASON_HAS_CHILDREN}) {
    if (together.reasons[reason] == 0) print_error("no call is refused with %s\n", cadastre_string_of_reason(reason));
    assert_true(together.reasons[reason] > 0);
  }
}

// The model is given a mistake: that a block which shrinks loses its label.
void a_failing_program_is_shrunk_to_a_few_steps(void**) {
  setenv("TEST_MODEL_PLANT", "1", 1);
  const Found found = run(1, 20000, 0);
  unsetenv("TEST_MODEL_PLANT");
  assert_false(found.message.empty());
  assert_in_range(found.steps.size(), 3, 10);
  const auto has = [&](Op op) { return std::any_of(found.steps.begin(), found.steps.end(), [&](const Step& s) { return s.op == op; }); };
  assert_true(has(Op::create) && has(Op::allocate) && has(Op::resize));
}

}  // namespace

int main(int arguments, char** argument) {
  for (const char* name : {"CADASTRE_LIMIT", "CADASTRE_REPORT", "CADASTRE_TRACE", "CADASTRE_POOL", "CADASTRE_WORKSPACE_SIZE"})
    unsetenv(name);
  setenv("CADASTRE_BACKEND", "host", 1);
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
#ifdef M_PERTURB
  mallopt(M_PERTURB, 0x5a);  // what was not set to zero is not zero by chance
#endif
  if (arguments > 1) {
    std::uint64_t steps = 1000000, seed = 1, threads = 0, each = UINT64_MAX;
    for (int i = 1; i + 1 < arguments; i += 2) {
      const std::string name = argument[i];
      if (name == "--membarrier") {
        const bool later = std::strcmp(argument[i + 1], "later") == 0, refused = std::strcmp(argument[i + 1], "never") == 0;
        if (later) steps_with_membarrier = 500;
        if (refused && !refuse_membarrier(EPERM, for_all_threads)) return no_filter;
        continue;
      }
      (name == "--steps"  ? steps
       : name == "--seed" ? seed
       : name == "--each" ? each
                          : threads) = std::strtoull(argument[i + 1], nullptr, 10);
    }
    std::uint64_t made = 0;
    for (; made < steps; made += std::min(each, steps - made), ++seed) {
      const Found found = run(seed, std::min(each, steps - made), static_cast<unsigned>(threads));
      for (std::size_t i = 0; threads == 0 && each > steps && i < std::size(found.outcome.reasons); ++i) {
        const std::uint64_t times = found.outcome.reasons[i];
        if (times > 0)
          std::printf("# %s: %llu\n", cadastre_string_of_reason(static_cast<cadastre_reason>(i)), static_cast<unsigned long long>(times));
      }
      std::printf("# %.0f steps/s\n", found.steps_per_second);
      if (!found.message.empty()) return std::printf("# not so: seed %llu\n", static_cast<unsigned long long>(seed)), 1;
    }
    std::printf("# so it is: %llu steps\n", static_cast<unsigned long long>(made));
    return 0;
  }
  own_path = argument[0];
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_step_of_one_thread_is_as_the_header_says),
      cmocka_unit_test(every_call_succeeds_and_is_refused_and_for_every_reason),
      cmocka_unit_test(what_threads_do_with_their_blocks_is_as_if_each_were_alone),
      cmocka_unit_test(it_is_so_with_the_heap),
      cmocka_unit_test(it_is_so_without_the_heap),
      cmocka_unit_test(it_is_so_without_membarrier),
      cmocka_unit_test(it_is_so_with_threads_without_membarrier),
      cmocka_unit_test(it_is_so_where_membarrier_is_refused_later),
      cmocka_unit_test(a_failing_program_is_shrunk_to_a_few_steps),
  };
  return cmocka_run_group_tests_name("model", tests, nullptr, nullptr);
}
