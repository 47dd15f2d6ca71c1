// Tangled from org/tests/device_model_run.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// test_device_model [--steps N] [--seed S] [--each N] [--threads T]: steps drawn from a seed; without arguments, claims.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cmocka.hpp"
#include "device_model_draw.hpp"

using device_model::Op;
using device_model::Step;
using model::number_in;

namespace {

using Found = model::Found<Step>;
constexpr std::uint64_t steps_of_program = 2000;

void prepare() {
  setenv("CUDA_DOUBLE_DEVICES", "2", 1);
  setenv("CUDA_DOUBLE_MEMORY", "8388608", 1);
}

void draw_and_make(model::Shared<Step>& shared, std::uint64_t seed, std::uint64_t steps) {
  device_model::World world;
  device_model::Generator generator(seed, world.book());
  model::Outcome& o = shared.outcome;
  for (o.count = 0; o.count < steps;) {
    const Step s = generator.draw(static_cast<model::Id>(o.count + 1));
    o.reached = o.count;
    shared.steps()[o.count++] = s;
    world.make(s);
  }
  o.reached = o.count - 1;
  world.finish();
}

void make(model::Outcome& o, const std::vector<Step>& steps) {
  device_model::World world;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    o.reached = i;
    world.make(steps[i]);
  }
  world.finish();
}

void print(const std::vector<Step>& steps) {
  for (const Step& s : steps) std::printf("# %s\n", device_model::as_c(s).c_str());
}

Found run(std::uint64_t seed, std::uint64_t count, unsigned threads) {
  auto* const shared = model::share_memory<Step>(count + 1);
  Found found;
  const auto begin = std::chrono::steady_clock::now();
  found.message = model::in_child(
      &shared->outcome, 300, [&] { threads > 0 ? device_model::run_threads(seed, count, threads) : draw_and_make(*shared, seed, count); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  found.steps_per_second = static_cast<double>(count) / took.count();
  if (!found.message.empty()) {
    std::printf("# seed %llu, %llu steps, %u threads: at step %llu: %s\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(count), threads, static_cast<unsigned long long>(shared->outcome.reached + 1),
                found.message.c_str());
    std::fflush(stdout);
    found.steps.assign(shared->steps(), shared->steps() + std::min(shared->outcome.reached + 1, shared->outcome.count));
    if (threads == 0 && number_in("TEST_MODEL_SHRINK", 1) > 0) found.shrink({.make = make}, print);
  }
  found.outcome = shared->outcome;
  if (threads > 0) found.outcome.made = count / threads * threads;  // each makes its share
  munmap(shared, sizeof(*shared) + (count + 1) * sizeof(Step));
  return found;
}

model::Outcome together{};  // how often each step was made

void gather(const Found& found) {
  together.made += found.outcome.made;
  for (std::size_t i = 0; i < std::size(together.reasons); ++i) together.reasons[i] += found.outcome.reasons[i];
  for (std::size_t i = 0; i < std::size(together.refused); ++i) {
    together.succeeded[i] += found.outcome.succeeded[i];
    together.refused[i] += found.outcome.refused[i];
  }
}

void agree(std::uint64_t steps, unsigned threads) {
  if (!cuda_double()) skip_because(needs_the_double);
  steps = number_in("TEST_MODEL_STEPS", steps);
  std::uint64_t seed = number_in("TEST_MODEL_SEED",
                                 1 + 1000 * (on_hip() ? 99 : static_cast<std::uint64_t>(cuda_version()) / 1000));  // others on each version
  for (std::uint64_t made = 0; made < steps; made += steps_of_program, ++seed) {
    const Found found = run(seed, std::min(steps_of_program, steps - made), threads);
    gather(found);
    if (!found.message.empty()) print_error("seed %llu: %s\n", static_cast<unsigned long long>(seed), found.message.c_str());
    assert_true(found.message.empty());
  }
}

#ifdef __OPTIMIZE__
constexpr std::uint64_t steps_in_a_check = sanitized ? 10000 : 100000;
#else
constexpr std::uint64_t steps_in_a_check = 20000;
#endif

void memory_of_devices_is_handed_out_as_the_header_says(void**) { agree(steps_in_a_check, 0); }

void it_is_so_of_threads_at_the_same_time(void**) { agree(sanitized ? 6000 : 20000, 3); }

// A test that draws nothing agrees with everything.
void every_call_succeeds_and_is_refused(void**) {
  if (!cuda_double()) skip_because(needs_the_double);
  if (number_in("TEST_MODEL_STEPS", steps_in_a_check) < 100000) skip_because("fewer than 100,000 steps need not meet everything");
  for (const Op op : {Op::destroy, Op::allocate, Op::free, Op::resize, Op::acquire, Op::release, Op::workspace, Op::trim,
                      Op::release_captured, Op::send}) {
    const auto i = static_cast<std::size_t>(op);
    if (together.succeeded[i] == 0 || together.refused[i] == 0)
      print_error("step %zu: %llu succeed, %llu are refused\n", i, static_cast<unsigned long long>(together.succeeded[i]),
                  static_cast<unsigned long long>(together.refused[i]));
    assert_true(together.succeeded[i] > 0 && together.refused[i] > 0);
  }
  assert_true(together.succeeded[static_cast<std::size_t>(Op::callback)] > 0);  // it has freed a block, and the request was tried again
  for (const cadastre_reason reason :
       {CADASTRE_REASON_LIMIT_EXCEEDED, CADASTRE_REASON_BACKEND_OUT_OF_MEMORY, CADASTRE_REASON_CAPTURE_ACTIVE, CADASTRE_REASON_LEASE_ALIVE,
        CADASTRE_REASON_WORKSPACE_TOO_SMALL, CADASTRE_REASON_WORKSPACE_BUSY, CADASTRE_REASON_HAS_CHILDREN}) {
    if (together.reasons[reason] == 0) print_error("no call is refused with %s\n", cadastre_string_of_reason(reason));
    assert_true(together.reasons[reason] > 0);
  }
}

// The model is given a mistake: that a large block which is freed is counted as one whose free failed.
void a_failing_program_is_shrunk_to_a_few_steps(void**) {
  if (!cuda_double()) skip_because(needs_the_double);
  if (std::getenv("CADASTRE_TEST_BRIEF")) skip_because("it says nothing of a runtime");
  setenv("TEST_MODEL_PLANT", "1", 1);
  Found found;
  for (std::uint64_t seed = 1; found.message.empty() && seed <= 10; ++seed)
    found = run(seed, steps_of_program, 0);  // some free no such block
  unsetenv("TEST_MODEL_PLANT");
  assert_false(found.message.empty());
  assert_in_range(found.steps.size(), 3, 8);
}

}  // namespace

int main(int arguments, char** argument) {
  for (const char* name : {"CADASTRE_LIMIT", "CADASTRE_REPORT", "CADASTRE_TRACE", "CADASTRE_POOL", "CADASTRE_WORKSPACE_SIZE",
                           "CADASTRE_POOL_RELEASE_THRESHOLD"})
    unsetenv(name);
  prepare();
  if (arguments > 1) {
    std::uint64_t steps = 100000, seed = 1, threads = 0, each = steps_of_program, made = 0;
    for (int i = 1; i + 1 < arguments; i += 2) {
      const std::string name = argument[i];
      (name == "--steps"  ? steps
       : name == "--seed" ? seed
       : name == "--each" ? each
                          : threads) = std::strtoull(argument[i + 1], nullptr, 10);
    }
    const auto begin = std::chrono::steady_clock::now();
    for (; made < steps; made += std::min(each, steps - made), ++seed) {
      const Found found = run(seed, std::min(each, steps - made), static_cast<unsigned>(threads));
      gather(found);
      if (!found.message.empty()) return std::printf("# not so: seed %llu\n", static_cast<unsigned long long>(seed)), 1;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Op::count); ++i) {
      if (together.succeeded[i] + together.refused[i] > 0)
        std::printf("# step %zu: %llu succeed, %llu are refused\n", i, static_cast<unsigned long long>(together.succeeded[i]),
                    static_cast<unsigned long long>(together.refused[i]));
    }
    std::printf("# so it is: %llu steps, of which %llu were made; %.0f steps/s\n", static_cast<unsigned long long>(made),
                static_cast<unsigned long long>(together.made), static_cast<double>(made) / took.count());
    return 0;
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_devices_is_handed_out_as_the_header_says),
      cmocka_unit_test(every_call_succeeds_and_is_refused),
      cmocka_unit_test(it_is_so_of_threads_at_the_same_time),
      cmocka_unit_test(a_failing_program_is_shrunk_to_a_few_steps),
  };
  return cmocka_run_group_tests_name("device model", tests, nullptr, nullptr);
}
