// Tangled from org/out/log_file.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The file of CADASTRE_LOG_FILE. Nothing here throws or raises a signal.
#ifndef CADASTRE_SRC_OUT_LOG_FILE_HPP
#define CADASTRE_SRC_OUT_LOG_FILE_HPP

#include <sys/types.h>

#include <csignal>
#include <initializer_list>

#include "base/non_copyable.hpp"

namespace cadastre::internal {

// KIND, variable, process and a text, with tabs between them, in one write.
void write_note(const char* kind, const char* variable, const char* text) noexcept;
// Whether the log says that a process has opened the file of this name.
bool was_written_before(const char* name) noexcept;

// Blocks the signals that writing raises. What was pending before stays pending.
class NoWriteSignal : NonCopyable {
 public:
  NoWriteSignal() noexcept {
    sigset_t pending;
    sigemptyset(&signals_);
    sigemptyset(&raised_);
    sigpending(&pending);
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
      sigaddset(&signals_, signal);
      if (sigismember(&pending, signal) != 1) sigaddset(&raised_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~NoWriteSignal() {
    const timespec now{};
    while (sigtimedwait(&raised_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signals_, raised_, before_;
};

}  // namespace cadastre::internal
#endif
