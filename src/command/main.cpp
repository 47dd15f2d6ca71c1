// Tangled from org/command/command.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <langinfo.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cadastre.h"
#include "info.hpp"
#include "replay.hpp"
#include "trace.hpp"

namespace cadastre::command {
namespace {

enum Status : int { as_it_should_be = 0, look_at_it = 1, trouble = 2, not_recorded = 125, not_executable = 126, not_found = 127 };

void complain(const std::string& what) { std::fprintf(stderr, "cadastre: %s\n", what.c_str()); }

void write_standard_output(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0 || std::fclose(stdout) != 0) {
    throw std::runtime_error(std::string("cannot write to the standard output: ") +
                             std::strerror(errno));
  }
}

class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : name_(path == "-" ? "on the standard input" : printable(path, 4096)),
        descriptor_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    there_ = descriptor_ >= 0 && fstat(descriptor_, &status_) == 0;
    if (there_ && S_ISREG(status_.st_mode)) flock(descriptor_, LOCK_SH | LOCK_NB);
  }
  InputFile(InputFile&& other) noexcept
      : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)), there_(other.there_), status_(other.status_) {}
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool is(const std::string& path) const {
    struct stat its {};
    return there_ && S_ISREG(status_.st_mode) && stat(path.c_str(), &its) == 0 && its.st_dev == status_.st_dev &&
           its.st_ino == status_.st_ino;
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int descriptor_;
  bool there_ = false;
  struct stat status_ {};
};

class OutputFile {
 public:
  // Checks what can be checked without writing.
  explicit OutputFile(const std::string& path) : name_(path), path_(path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode)) refuse(EISDIR);
      replaced_ = S_ISREG(status.st_mode);
      mode_ = status.st_mode & 07777;
      if (access(path.c_str(), W_OK) != 0) refuse(errno);
      // The file that a symbolic link leads to is replaced, not the link.
      if (char* real = realpath(path.c_str(), nullptr)) {
        path_ = real;
        std::free(real);
      }
    } else if (errno != ENOENT) {
      refuse(errno);
    } else if (struct stat link {}; lstat(path.c_str(), &link) == 0) {
      throw std::runtime_error("cannot write " + printable(name_, 4096) + ": it is a link to a file that is not there");
    } else {
      const mode_t mask = umask(0);
      umask(mask);
      mode_ = 0666 & ~mask;
    }
    if (replaced_ && access(folder().c_str(), W_OK | X_OK) != 0) refuse(errno);
  }

  bool is(const InputFile& other) const { return replaced_ && other.is(path_); }

  void write(const std::string& text) {
    if (!replaced_) {
      const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor < 0) refuse(errno);
      if (!written(descriptor, text)) refuse(errno);
      return;
    }
    std::string temporary = path_ + ".XXXXXX";
    const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) refuse(errno);
    // What was written must be on the disk before the name points to it.
    if (fchmod(descriptor, mode_) != 0 || !written(descriptor, text) ||
        rename(temporary.c_str(), path_.c_str()) != 0) {
      const int error = errno;
      unlink(temporary.c_str());
      refuse(error);
    }
  }

 private:
  static bool written(int descriptor, const std::string& text);
  std::string folder() const {
    const std::size_t slash = path_.find_last_of('/');
    return slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  }
  [[noreturn]] void refuse(int error) const {
    throw std::runtime_error("cannot write " + printable(name_, 4096) + ": " + std::strerror(error));
  }

  std::string name_;
  std::string path_;
  bool replaced_ = true;
  mode_t mode_ = 0;
};

bool OutputFile::written(int descriptor, const std::string& text) {
  int error = 0;
  for (std::size_t done = 0; done < text.size() && !error;) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (!error && fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (close(descriptor) != 0 && !error) error = errno;
  errno = error;
  return error == 0;
}

struct Arguments {
  bool json = false;
  std::string output;
  bool uninitialized = false;
  ReplayOptions replay;
  std::string memory_type;
  std::string backend;
  std::vector<std::string> traces;
  std::string trace;
  std::string report;
  std::uint64_t max_operations = usual_operations;
  bool preserve_status = false;
  bool all = false;
  std::vector<std::string> program;
};

std::vector<std::string> names(std::int32_t first, std::int32_t last, const char* (*string_of)(std::int32_t)) {
  std::vector<std::string> result;
  for (std::int32_t number = first; number <= last; ++number) result.emplace_back(string_of(number));
  return result;
}

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    column_width(26);
    label("Positionals", "Arguments");
  }

  std::string make_usage(const CLI::App* app, std::string) const override {
    if (!app->get_parent()) return "Usage: cadastre COMMAND [OPTION]... [ARGUMENT]...\n";
    const std::string name = app->get_name();
    const char* const arguments = name == "replay" ? " TRACE..." : name == "record" ? " PROGRAM [ARGUMENT]..." : "";
    return "Usage: cadastre " + name + " [OPTION]..." + arguments + "\n";
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const bool parent = !app->get_parent();
    return make_usage(app, name) + app->get_description() + "\n" + make_positionals(app) +
           make_groups(app, mode) + (parent ? make_subcommands(app, mode) : "") + "\n" +
           make_footer(app);
  }

  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, positional);
    const std::size_t comma = name.find(',');
    return comma == std::string::npos ? name : name.insert(comma + 1, " ");
  }
};

constexpr const char* exit_status =
    "Exit status:\n"
    "  0  success\n"
    "  1  the results of a replay differ from its trace; info found a malformed variable\n"
    "  2  error: invalid arguments, an unreadable trace, output that cannot be written\n"
    "record exits as its program does; with 125 if that exits with 0 and a file is\n"
    "incomplete or was not written, with 126 or 127 if the program cannot be run.\n\n"
    "See the manual page cadastre(1) for details and for the format of traces.";

void define_common(CLI::App& app) {
  app.set_help_flag("-h,--help", "Show this help and exit");
  app.footer(exit_status);
}

void define_output(CLI::App& app, Arguments& arguments) {
  app.add_flag("-j,--json", arguments.json, "Write JSON instead of text");
  app.add_option("-o,--output", arguments.output,
                 "Write to FILE instead of the standard output; FILE is complete or unchanged")
      ->type_name("FILE");
}

void define(CLI::App& app, Arguments& arguments) {
  define_common(app);
  app.set_version_flag("-V,--version", "");
  app.get_option("--version")->description("Show the version and exit");
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpFormat>());

  CLI::App* info = app.add_subcommand("info", "Show the library's build, its backends, memory types and variables");
  info->group("Commands");
  define_common(*info);
  define_output(*info, arguments);
  info->add_flag("-a,--all", arguments.all, "Show also the variables that are not set");

  CLI::App* replay = app.add_subcommand("replay", "Perform allocation traces and report on them");
  replay->group("Commands");
  define_common(*replay);
  define_output(*replay, arguments);
  replay
      ->add_option("-r,--repeat", arguments.replay.repeat,
                   "Replay N times, and report on all replays")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  replay
      ->add_option("--max-operations", arguments.max_operations, "Reject a trace of more than N operations (8388608)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, most_operations).description(""));
  replay->add_flag("--uninitialized", arguments.uninitialized, "Allocate blocks without zeroing them");
  replay
      ->add_option("-b,--backend", arguments.backend,
                   "Create all contexts on BACKEND, regardless of CADASTRE_BACKEND")
      ->type_name("BACKEND")
      ->check(CLI::IsMember(names(1, cadastre_backend_get_count(), cadastre_string_of_backend)).description(""));
  replay
      ->add_option("-t,--memory-type", arguments.memory_type,
                   "Allocate all blocks of memory type TYPE, regardless of the trace")
      ->type_name("TYPE")
      ->check(CLI::IsMember(names(0, CADASTRE_MEMORY_TYPE_COUNT - 1, cadastre_string_of_memory_type)).description(""));
  replay->add_flag("--touch", arguments.replay.touch,
                   "Write to every page of each new block, as a program would");
  replay
      ->add_option("TRACE", arguments.traces,
                   "Traces, plain or compressed by gzip; - is the standard input")
      ->type_name("");

  CLI::App* record = app.add_subcommand("record", "Run a program that uses Cadastre, and record its allocations");
  record->group("Commands");
  define_common(*record);
  record
      ->add_option("--trace", arguments.trace,
                   "Write its allocation trace to FILE; %h, %r, %p stand for host, rank and process id")
      ->type_name("FILE");
  record
      ->add_option("--report", arguments.report,
                   "Write the report of each context to FILE, as JSON if it ends in .json; or to stderr")
      ->type_name("FILE");
  record->add_flag("--preserve-status", arguments.preserve_status,
                   "Exit as the program does, even if the trace or a report is incomplete");
}

void set_variable(const char* name, const std::string& value) {
  if (!value.empty() && setenv(name, value.c_str(), 1) != 0) throw std::bad_alloc();
}

std::string absolute(const std::string& file) {
  return file.empty() ? file : std::filesystem::absolute(file).string();
}

// How many arguments are for this command; those of the program that record runs follow, possibly after --.
int own_words(int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], "record") != 0) return argc;
  int own = 2;
  while (own < argc && argv[own][0] == '-' && std::strcmp(argv[own], "--") != 0) {
    const bool takes_a_file = std::strcmp(argv[own], "--trace") == 0 || std::strcmp(argv[own], "--report") == 0;
    own += takes_a_file ? 2 : 1;
  }
  return std::min(own, argc);
}

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
      const auto field = [&] {
        const std::size_t tab = std::min(line.find('\t'), line.size());
        const std::string_view found = line.substr(0, tab);
        line.remove_prefix(std::min(tab + 1, line.size()));
        return std::string(found);
      };
      const std::string kind = field(), variable = field(), process = field();
      any = true;
      if (kind == "failed") {
        whole = false;
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

int record(const Arguments& arguments) {
  Notes notes;
  set_variable("CADASTRE_TRACE", absolute(arguments.trace));
  set_variable("CADASTRE_REPORT", arguments.report == "stderr" ? arguments.report : absolute(arguments.report));
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

bool output_is_utf8() { return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

Status replay_all(const Arguments& arguments, std::string& text) {
  std::vector<Trace> traces;
  for (const std::string& path : arguments.traces) traces.push_back(read_trace(path, arguments.max_operations));
  std::vector<Report> reports;
  for (Trace& trace : traces) {
    reports.push_back(replay(trace, arguments.replay));
    trace = {};
  }
  Status status = as_it_should_be;
  for (const Report& report : reports) {
    if (!report.as_traced()) status = look_at_it;
    if (!arguments.json) text += (text.empty() ? "" : "\n\n") + as_text(report, output_is_utf8());
  }
  if (arguments.json) text = as_json(reports);
  return status;
}

// Whether a variable names this very file, for the library to write to.
bool is_written_by(const char* variable, const InputFile& file) {
  const char* const name = std::getenv(variable);
  return name && file.is(name);
}

std::string version_text() {
  return std::string("cadastre (Cadastre) ") + cadastre_get_version() +
         "\nCopyright (c) 2026 The Cadastre authors\n"
         "License BSD-3-Clause: this is free software; you may change and redistribute it.\n"
         "There is no warranty, to the extent permitted by law.\n";
}

int refuse_usage(const CLI::App& app, const std::string& what) {
  complain(what);
  const auto commands = app.get_subcommands();
  const std::string command = commands.empty() ? "" : " " + commands.front()->get_name();
  std::fprintf(stderr, "Try 'cadastre%s --help' for more information.\n", command.c_str());
  return trouble;
}

int run(int argc, char** argv) {
  CLI::App app("Shows what this machine offers to Cadastre, records and replays allocation traces.",
               "cadastre");
  Arguments arguments;
  define(app, arguments);
  const int own = own_words(argc, argv);
  try {
    app.parse(own, argv);
  } catch (const CLI::CallForHelp&) {
    write_standard_output(app.help());
    return as_it_should_be;
  } catch (const CLI::CallForVersion&) {
    write_standard_output(version_text());
    return as_it_should_be;
  } catch (const CLI::ParseError& error) {
    return refuse_usage(app, printable(error.what(), 1000));
  }
  if (app.get_subcommands().empty())
    return refuse_usage(app, "a command is missing; it is one of info, replay and record");
  if (app.got_subcommand("replay") && arguments.traces.empty()) {
    return refuse_usage(app, "replay needs a trace; name a file, or - for the standard input");
  }
  if (app.got_subcommand("record")) {
    arguments.program.assign(argv + own, argv + argc);
    if (own < argc && arguments.program[0] == "--") arguments.program.erase(arguments.program.begin());
    if (arguments.program.empty()) return refuse_usage(app, "record needs a program to run, after its own options");
    if (arguments.trace.empty() && arguments.report.empty()) {
      return refuse_usage(app, "record needs a file to write: --trace FILE, --report FILE, or both");
    }
    if (arguments.trace == "-" || arguments.report == "-") {
      return refuse_usage(app, "record writes to files, and - is not one; --report also accepts stderr");
    }
    return record(arguments);
  }
  arguments.replay.zero = !arguments.uninitialized;
  arguments.replay.progress = isatty(STDERR_FILENO) != 0;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (arguments.memory_type == cadastre_string_of_memory_type(type)) arguments.replay.type = type;
  }
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) {
    if (arguments.backend != cadastre_string_of_backend(backend)) continue;
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    cadastre_backend_get_info(backend, &info);
    if (!info.available) {
      complain("the " + arguments.backend + " backend is unavailable: " + info.problem);
      return trouble;
    }
    arguments.replay.backend = backend;
  }
  std::optional<OutputFile> file;
  if (!arguments.output.empty() && arguments.output != "-") file.emplace(arguments.output);
  const std::vector<InputFile> inputs(arguments.traces.begin(), arguments.traces.end());
  for (const InputFile& trace : inputs) {
    if (file && file->is(trace)) {
      complain("the output is the trace " + trace.name() + " itself; name another file");
      return trouble;
    }
    for (const char* variable : {"CADASTRE_TRACE", "CADASTRE_REPORT", "CADASTRE_LOG_FILE"}) {
      if (!is_written_by(variable, trace)) continue;
      complain(std::string(variable) + " names the trace " + trace.name() +
               " itself, which the replay would write to; unset it, or name another file");
      return trouble;
    }
  }
  Status status = as_it_should_be;
  std::string text;
  if (app.got_subcommand("info")) {
    text = arguments.json ? info_as_json() : info_as_text(arguments.all);
    if (!environment_is_well_formed()) status = look_at_it;
  } else {
    status = replay_all(arguments, text);
  }
  file ? file->write(text) : write_standard_output(text);
  return status;
}

}  // namespace
}  // namespace cadastre::command

int main(int argc, char** argv) {
  using namespace cadastre::command;
  std::setlocale(LC_CTYPE, "");
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return trouble;
}
