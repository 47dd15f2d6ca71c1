// Tangled from org/command/record.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "record.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/text.hpp"
#include "files.hpp"
#include "trace.hpp"

namespace cadastre::command {
namespace {

void set_variable(const char* name, const std::string& value) {
  if (!value.empty() && setenv(name, value.c_str(), 1) != 0) throw std::bad_alloc();
}

std::string absolute(const std::string& file) { return file.empty() ? file : std::filesystem::absolute(file).string(); }

class Notes {
 public:
  Notes() : descriptor_(memfd_create("cadastre-log", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error(std::string("cannot create the log: ") + std::strerror(errno));
  }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;
  ~Notes() { close(descriptor_); }

  std::string path() const { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_); }

  // Prints what the user must know. False when a file is incomplete or was not written.
  bool show(const std::string& program) const {
    bool any = false, whole = true;
    const std::string text = read();
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const auto field = [&] { return std::string(internal::take_until(line, "\t")); };
      const std::string kind = field(), variable = field(), process = field();
      any = true;
      if (kind == "failed") {
        whole = false;
        complain("process " + process + ": " + printable(line, 4096));
      } else if (kind == "apart") {
        complain("process " + process + ": " + printable(line, 4096));
      } else if (kind == "renamed") {
        const char* const what = variable == "CADASTRE_REPORT" ? "reports" : "trace";
        complain("process " + process + " found its file in use, and wrote its " + what + " to " + printable(line, 4096));
      }
    }
    if (!any) {
      complain("nothing was recorded: " + printable(program, 4096) +
               " created no context; it does not use Cadastre, or did not in this run");
    }
    return whole;
  }

 private:
  std::string read() const {
    std::string text;
    std::array<char, 4096> part;
    for (ssize_t got; (got = pread(descriptor_, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;) {
      text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

  int descriptor_;
};

[[noreturn]] void become(const std::vector<std::string>& program, const sigset_t& mask, int report) {
  std::vector<char*> words;
  words.reserve(program.size() + 1);
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execvp(words[0], words.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(not_found);
}

// Forwards signals until the child has ended. Returns its status.
int await(pid_t child, const sigset_t& signals) {
  int status = 0;
  while (true) {
    siginfo_t came{};
    const int signal = sigwaitinfo(&signals, &came);
    if (signal == SIGCHLD) {
      if (waitpid(child, &status, WNOHANG) == child) return status;
    } else if (signal > 0 && came.si_code <= 0) {  // sent by a process
      kill(child, signal);
    }
  }
}

// Runs a program to its end. error: of the attempt to run it, else 0.
int status_of(const std::vector<std::string>& program, int& error) {
  sigset_t signals, mask;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM, SIGCONT}) {
    sigaddset(&signals, signal);
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "cannot run a program");
  sigprocmask(SIG_BLOCK, &signals, &mask);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot run a program");
  if (child == 0) become(program, mask, ends[1]);
  close(ends[1]);
  if (read(ends[0], &error, sizeof error) != sizeof error) error = 0;
  close(ends[0]);
  return await(child, signals);
}

// Exits as the program did.
int end_as(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const rlimit none{};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(WTERMSIG(status), SIG_DFL);
  sigset_t signals;
  sigfillset(&signals);
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

}  // namespace

int record(const Arguments& arguments) {
  Notes notes;
  set_variable("CADASTRE_TRACE", absolute(arguments.trace));
  if (arguments.traces_kept > 0) set_variable("CADASTRE_TRACE_KEEP", std::to_string(arguments.traces_kept));
  if (arguments.traces_joined) set_variable("CADASTRE_TRACE_JOIN", "on");
  set_variable("CADASTRE_REPORT", arguments.report == "stderr" ? arguments.report : absolute(arguments.report));
  set_variable("CADASTRE_REPORT_ON", arguments.report_on);
  set_variable("CADASTRE_BLACKBOX", arguments.black_box == "auto" ? arguments.black_box : absolute(arguments.black_box));
  set_variable("CADASTRE_LOG_FILE", notes.path());
  int error = 0;
  const int status = status_of(arguments.program, error);
  if (error != 0) {
    complain("cannot run " + printable(arguments.program[0], 4096) + ": " + std::strerror(error));
    return error == ENOENT ? not_found : not_executable;
  }
  const bool whole = notes.show(arguments.program[0]);
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return well && !whole && !arguments.preserve_status ? not_recorded : end_as(status);
}

}  // namespace cadastre::command
