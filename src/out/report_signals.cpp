// Tangled from org/out/report_signals.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "out/report_signals.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "base/fail.hpp"
#include "base/process.hpp"

namespace cadastre::internal {
namespace {

constinit std::atomic<SignalSeen> signal_seen = nullptr;

// What was there before.
struct Before {
  struct sigaction action{};
  std::atomic<bool> is_ours_there = false, was_called = false;
};
constinit Before all_before[signals_to_report_on];

void act_by_itself(const SignalName& signal, const siginfo_t* info) noexcept {
  if (!signal.ends) return;
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(signal.number, &action, nullptr);
  const bool is_sent = syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal.number, info) == 0;
  if (!is_sent) raise(signal.number);
}

void go_on(const SignalName& signal, Before& before, siginfo_t* info, void* machine) noexcept {
  const struct sigaction& action = before.action;
  const bool is_once = (static_cast<unsigned>(action.sa_flags) & static_cast<unsigned>(SA_RESETHAND)) != 0;
  if (action.sa_handler == SIG_DFL || (is_once && before.was_called.exchange(true))) return act_by_itself(signal, info);
  if (action.sa_flags & SA_SIGINFO) return action.sa_sigaction(signal.number, info, machine);
  action.sa_handler(signal.number);
}

void handle(int number, siginfo_t* info, void* machine) {
  for (std::size_t i = 0; i < signals_to_report_on; ++i) {
    if (signal_names[i].number != number) continue;
    if (const SignalSeen seen = signal_seen.load(std::memory_order_acquire)) {
      const KeptErrno kept_errno;
      seen(signal_names[i]);
    }
    go_on(signal_names[i], all_before[i], info, machine);
  }
}

bool install(const SignalName& signal, Before& before) noexcept {
  if (system_fails(EINVAL) || sigaction(signal.number, nullptr, &before.action) != 0) return false;
  if (before.action.sa_handler == SIG_IGN) return false;
  struct sigaction action = before.action;
  action.sa_sigaction = handle;
  const bool has_none = before.action.sa_handler == SIG_DFL;
  action.sa_flags = SA_SIGINFO | (has_none ? SA_RESTART | SA_ONSTACK : before.action.sa_flags & ~static_cast<int>(SA_RESETHAND));
  before.is_ours_there = sigaction(signal.number, &action, nullptr) == 0;
  return before.is_ours_there;
}

// Where this is part of a library that is unloaded, or the process ends.
[[gnu::destructor]] void give_back_signals() noexcept {
  for (std::size_t i = 0; i < signals_to_report_on; ++i) {
    struct sigaction action{};
    const bool is_there = all_before[i].is_ours_there && sigaction(signal_names[i].number, nullptr, &action) == 0;
    if (is_there && (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == handle) {
      sigaction(signal_names[i].number, &all_before[i].action, nullptr);
    }
  }
}

}  // namespace

const SignalName* see_signals(std::uint32_t signals, SignalSeen seen) noexcept {
  const SignalName* failed = nullptr;
  signal_seen = seen;
  for (std::size_t i = 0; i < signals_to_report_on; ++i) {
    const bool is_wanted = (signals >> i & 1) != 0;
    if (is_wanted && !install(signal_names[i], all_before[i]) && !failed) failed = &signal_names[i];
  }
  return failed;
}

}  // namespace cadastre::internal
