// Tangled from org/tests/model_runner.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Runs steps of a model in a child, and shrinks a list of them that fails.
#ifndef CADASTRE_TESTS_MODEL_RUNNER_HPP
#define CADASTRE_TESTS_MODEL_RUNNER_HPP

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "model_judge.hpp"

namespace model {

class Chance {
 public:
  void begin(std::uint64_t seed, Id number) { state_ = (seed + 1) * 0x9e3779b97f4a7c15 ^ number * 0xd1342543de82ef95; }
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  std::size_t below(std::size_t bound) { return next() % bound; }
  bool once_in(std::size_t times) { return below(times) == 0; }

 private:
  std::uint64_t state_ = 0;
};

inline std::uint64_t number_in(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

template <class Step>
struct Shared {
  Outcome outcome;
  Step* steps() { return reinterpret_cast<Step*>(this + 1); }
};

template <class Step>
Shared<Step>* share_memory(std::size_t steps) {
  void* const memory =
      mmap(nullptr, sizeof(Shared<Step>) + steps * sizeof(Step), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return static_cast<Shared<Step>*>(memory);
}

// "" for success.
template <class Work>
std::string in_child(Outcome* shared, unsigned seconds, Work work) {
  shared->message[0] = '\0';
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    model::outcome = shared;
    alarm(seconds);
    work();
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) continue;
  if (WIFSIGNALED(status)) return std::string("the process is ended by the signal ") + strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) == exit_of_mismatch) return shared->message;
  return WEXITSTATUS(status) == 0 ? "" : "the process ends with " + std::to_string(WEXITSTATUS(status));
}

// make: the steps, in a child. attempts: how often what fails by chance is tried.
template <class Step>
struct Shrinker {
  std::function<void(Outcome&, const std::vector<Step>&)> make;
  int attempts = 1;
  Shared<Step>* shared = share_memory<Step>(1);
  std::string message{};
  int runs = 0;
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + std::chrono::seconds(120);

  bool is_over() const { return std::chrono::steady_clock::now() > end; }

  bool fails(const std::vector<Step>& steps) {
    if (is_over()) return false;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      ++runs;
      const std::string why = in_child(&shared->outcome, 30, [&] { make(shared->outcome, steps); });
      if (!why.empty()) return message = why, true;
    }
    return false;
  }

  void leave_out(std::vector<Step>& steps) {
    for (std::size_t chunk = std::max<std::size_t>(1, steps.size() / 2); chunk > 0;) {
      bool shorter = false;
      for (std::size_t from = 0; from < steps.size();) {
        std::vector<Step> rest(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(from));
        rest.insert(rest.end(), steps.begin() + static_cast<std::ptrdiff_t>(std::min(from + chunk, steps.size())), steps.end());
        if (rest.size() < steps.size() && fails(rest)) steps = rest, shorter = true;
        else from += chunk;
      }
      chunk = shorter && chunk == 1 ? 1 : chunk / 2;
    }
  }

  void simplify(std::vector<Step>& steps) {
    const auto attempt = [&](std::size_t i, auto change) {
      std::vector<Step> simpler = steps;
      change(simpler[i]);
      if (std::memcmp(&simpler[i], &steps[i], sizeof(Step)) != 0 && fails(simpler)) steps = simpler;
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
      attempt(i, [](auto& s) {
        if constexpr (requires { s.label; }) s.label = 0;
      });
      attempt(i, [](Step& s) { s.alignment = 0; });
      attempt(i, [](Step& s) { s.device = 0; });
      attempt(i, [](Step& s) { s.flags = 0; });
      attempt(i, [](Step& s) { s.fault = 0; });
      attempt(i, [](Step& s) { s.type = 0; });
      attempt(i, [](Step& s) { s.way = 0; });
      attempt(i, [](auto& s) {
        if constexpr (requires { s.offset; }) s.offset = 0;
      });
      attempt(i, [](Step& s) { s.thread = s.thread > 0; });
      for (const std::size_t size : {0u, 1u, 100u, 1000u, 100000u}) {
        attempt(i, [size](Step& s) { s.size = s.size > size ? size : s.size; });
        if (steps[i].size <= size) break;
      }
    }
  }

  void shrink(std::vector<Step>& steps) {
    leave_out(steps);
    simplify(steps);
    leave_out(steps);
    fails(steps);
  }
};

template <class Step>
struct Found {
  std::string message{};      // "" for nothing
  std::vector<Step> steps{};  // the short program
  double steps_per_second = 0;
  Outcome outcome{};

  // print: of a short program.
  template <class Print>
  void shrink(Shrinker<Step> shrinker, Print print) {
    if (shrinker.fails(steps)) {
      shrinker.shrink(steps);
      message = shrinker.message;
      std::printf("# shrunk to %zu steps in %d runs: %s\n", steps.size(), shrinker.runs, message.c_str());
      print(steps);
    } else {
      std::printf("# the same steps, made again, do not fail\n");
    }
    std::fflush(stdout);
  }
};

}  // namespace model

#endif
