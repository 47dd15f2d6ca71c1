// Tangled from org/command/arguments.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>

#include "base/report_on.hpp"
#include "cadastre.h"
#include "files.hpp"
#include "out/joined_name.hpp"
#include "trace.hpp"
#include "trace_report.hpp"

namespace cadastre::command {
namespace {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    column_width(26);
    label("Positionals", "Arguments");
  }

  std::string make_usage(const CLI::App* app, std::string) const override {
    if (!app->get_parent()) return "Usage: cadastre COMMAND [OPTION]... [ARGUMENT]...\n";
    const std::string name = app->get_name();
    const char* const arguments = name == "replay"    ? " TRACE..."
                                  : name == "report"  ? " TRACE..."
                                  : name == "convert" ? " TRACE"
                                  : name == "top"     ? " [FOLDER]..."
                                  : name == "record"  ? " PROGRAM [ARGUMENT]..."
                                                      : "";
    return "Usage: cadastre " + name + " [OPTION]..." + arguments + "\n";
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const bool parent = !app->get_parent();
    return make_usage(app, name) + app->get_description() + "\n" + make_positionals(app) + make_groups(app, mode) +
           (parent ? make_subcommands(app, mode) : "") + "\n" + make_footer(app);
  }

  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, positional);
    const std::size_t comma = name.find(',');
    return comma == std::string::npos ? name : name.insert(comma + 1, " ");
  }
};

// What an exit status means, and of which command; of all where none is named.
struct StatusRow {
  int status;
  const char *command, *meaning;
};
constexpr StatusRow exit_statuses[] = {
    {as_it_should_be, nullptr, "success"},
    {look_at_it, "info", "a variable is malformed, with which no context can be created"},
    {look_at_it, "replay", "the results differ from the trace"},
    {look_at_it, "report", "one of several traces, or a black box in a folder, cannot be read"},
    {trouble, nullptr, "error: invalid arguments, a file that cannot be read or written"},
    {bound_fails, "report", "what --fail-if names is so"},
    {not_recorded, "record", "the program ended with 0, and a file is incomplete or was not written"},
    {not_executable, "record", "the program cannot be run"},
    {not_found, "record", "the program is not found"},
};

// command: empty for all.
std::string exit_status(const std::string& command) {
  std::string text = "Exit status:\n";
  for (const StatusRow& row : exit_statuses) {
    if (row.command && !command.empty() && command != row.command) continue;
    std::string number = std::to_string(row.status);
    number.resize(5, ' ');
    text += "  " + number + (row.command && command.empty() ? std::string(row.command) + ": " : "") + row.meaning + "\n";
  }
  if (command.empty() || command == "record") text += "record ends else as its program does.\n";
  return text + "\nSee the manual page cadastre(1) for details and for the format of traces.";
}

std::string version_text() {
  return std::string("cadastre (Cadastre) ") + cadastre_get_version() +
         "\nCopyright (c) 2026 The Cadastre authors\n"
         "License BSD-3-Clause: this is free software; you may change and redistribute it.\n"
         "There is no warranty, to the extent permitted by law.\n";
}

std::vector<std::string> names(std::int32_t first, std::int32_t last, const char* (*string_of)(std::int32_t)) {
  std::vector<std::string> result;
  for (std::int32_t number = first; number <= last; ++number) result.emplace_back(string_of(number));
  return result;
}

// command: empty for all.
void define_common(CLI::App& app, const std::string& command) {
  app.set_help_flag("-h,--help", "Show this help and exit");
  app.footer(exit_status(command));
}

CLI::App* define_command(CLI::App& app, const char* name, const char* description) {
  CLI::App* const command = app.add_subcommand(name, description);
  command->group("Commands");
  define_common(*command, name);
  return command;
}

void define_output_file(CLI::App& app, Arguments& arguments) {
  app.add_option("-o,--output", arguments.output,
                 "Write to FILE instead of the standard output, compressed if it ends in .gz or .zst; FILE is complete or unchanged")
      ->type_name("FILE");
}

void define_output(CLI::App& app, Arguments& arguments) {
  app.add_flag("-j,--json", arguments.json, "Write JSON instead of text");
  define_output_file(app, arguments);
}

void define_max_operations(CLI::App& app, Arguments& arguments) {
  app.add_option("--max-operations", arguments.max_operations, "Reject a trace of more than N operations (8388608)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, most_operations).description(""));
}

void define_info(CLI::App& app, Arguments& arguments) {
  CLI::App* const info = define_command(app, "info", "Show the library's build, its backends, memory types and variables");
  define_output(*info, arguments);
  info->add_flag("-a,--all", arguments.all, "Show also the variables that are not set");
}

std::string expected_of(const char* variable) {
  cadastre_environment_info_struct info = cadastre_environment_info_struct_zero;
  for (std::int32_t i = 0; cadastre_environment_get_info(i, &info) == CADASTRE_SUCCESS; ++i) {
    if (std::strcmp(info.name, variable) == 0) return info.expected;
  }
  return "";
}

std::string wrong_with_occasions(const std::string& text) {
  return internal::parse_report_on(text) ? "" : printable(text) + ": they must be " + expected_of("CADASTRE_REPORT_ON");
}

void define_record(CLI::App& app, Arguments& arguments) {
  CLI::App* const record = define_command(app, "record", "Run a program that uses Cadastre, and record its allocations");
  record->add_option("--trace", arguments.trace, "Write its allocation trace to FILE; %h, %r, %p stand for host, rank and process id")
      ->type_name("FILE");
  record
      ->add_option("--keep-highest", arguments.traces_kept,
                   "Of the traces of processes that end normally, keep the K with the highest peaks,\n"
                   "and those with a refused request")
      ->type_name("K")
      ->check(CLI::Range(1, 1'000'000));
  record->add_flag("--join", arguments.traces_joined,
                   "Append the traces of processes that end normally to FILE, which they share: one file a node with %h in its name");
  record->add_option("--report", arguments.report, "Write the report of each context to FILE, as JSON if it ends in .json; or to stderr")
      ->type_name("FILE");
  record
      ->add_option("--report-on", arguments.report_on,
                   "Report who holds the memory on OCCASIONS, as near:90%,refused,exit,TERM, to where --report says, or to stderr")
      ->type_name("OCCASIONS")
      ->check(wrong_with_occasions, "");
  record
      ->add_option("--blackbox", arguments.black_box,
                   "Keep a black box in FOLDER, or in a folder of the user for auto, for cadastre top and report --blackbox")
      ->type_name("FOLDER");
  record->add_flag("--preserve-status", arguments.preserve_status, "Exit as the program does, even if the trace or a report is incomplete");
}

void define_report(CLI::App& app, Arguments& arguments) {
  CLI::App* const report =
      define_command(app, "report", "Show from traces who held memory at the peak, and what was never freed or refused");
  report
      ->add_option(
          "-f,--format", arguments.format,
          "Write FORMAT: text, json, csv, folded for flame graphs, html, a page that draws live bytes over time, or perfetto, for ui.perfetto.dev")
      ->type_name("FORMAT")
      ->check(CLI::IsMember(report_formats()).description(""));
  report->add_flag_callback("-j,--json", [&arguments] { arguments.format = "json"; }, "Write JSON: --format json");
  define_output_file(*report, arguments);
  report->add_flag("-B,--blackbox", arguments.black_boxes,
                   "Report on black boxes, of processes that run or were killed: files, or folders of them; without any, all of the user");
  report->add_flag("-d,--diff", arguments.diff, "Show what grew and shrank from the first trace to the second, as text, json or csv");
  report
      ->add_option("--fail-if", arguments.fail_if,
                   "End with 3 if EXPRESSION holds of a trace, or with --diff of the second: 'peak>2GiB',\n"
                   "'never_freed(DEVICE)>0', 'peak(cuda 0)>1.1x' with --diff; may be given several times. It begins with one\n"
                   "of these figures: " +
                       figure_names())
      ->type_name("EXPRESSION")
      ->allow_extra_args(false);
  report->add_option("TRACE", arguments.traces, "Traces of either form, plain or compressed by gzip or zstd; - is the standard input")
      ->type_name("");
}

void define_top(CLI::App& app, Arguments& arguments) {
  CLI::App* const top = define_command(app, "top", "Show the processes that run with a black box, and what they hold");
  top->add_option("-d,--delay", arguments.top.delay, "Wait SECONDS between two tables (2)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 86400.0).description(""));
  top->add_option("-n,--iterations", arguments.top.iterations, "End after N tables; without it, after one where the output is no terminal")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000).description(""));
  top->add_option("FOLDER", arguments.top.folders, "Folders of black boxes; without any, those of CADASTRE_BLACKBOX, or of auto")
      ->type_name("");
}

void define_convert(CLI::App& app, Arguments& arguments) {
  CLI::App* const convert = define_command(app, "convert", "Write an allocation trace as CSV, or to a file as records");
  define_output_file(*convert, arguments);
  convert->get_option("--output")
      ->description(
          "Write to FILE: as CSV if it ends in .csv, else as records, compressed if it ends in .gz or .zst; without it, CSV to the standard output");
  define_max_operations(*convert, arguments);
  convert->add_option("TRACE", arguments.traces, "A trace of either form, plain or compressed by gzip or zstd; - is the standard input")
      ->type_name("");
}

void define_replay(CLI::App& app, Arguments& arguments) {
  CLI::App* const replay = define_command(app, "replay", "Perform allocation traces and report on them");
  define_output(*replay, arguments);
  replay->add_option("-r,--repeat", arguments.replay.repeat, "Replay N times, and report on all replays")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  define_max_operations(*replay, arguments);
  replay->add_flag("--uninitialized", arguments.uninitialized, "Allocate blocks without zeroing them");
  replay->add_option("-b,--backend", arguments.backend, "Create all contexts on BACKEND, regardless of CADASTRE_BACKEND")
      ->type_name("BACKEND")
      ->check(CLI::IsMember(names(1, cadastre_backend_get_count(), cadastre_string_of_backend)).description(""));
  replay->add_option("-t,--memory-type", arguments.memory_type, "Allocate all blocks of memory type TYPE, regardless of the trace")
      ->type_name("TYPE")
      ->check(CLI::IsMember(names(0, CADASTRE_MEMORY_TYPE_COUNT - 1, cadastre_string_of_memory_type)).description(""));
  replay->add_flag("--touch", arguments.replay.touch, "Write to every page of each new block, as a program would");
  replay->add_option("TRACE", arguments.traces, "Traces, plain or compressed by gzip or zstd; - is the standard input")->type_name("");
}

void define(CLI::App& app, Arguments& arguments) {
  define_common(app, "");
  app.set_version_flag("-V,--version", "");
  app.get_option("--version")->description("Show the version and exit");
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpFormat>());
  define_info(app, arguments);
  define_replay(app, arguments);
  define_record(app, arguments);
  define_report(app, arguments);
  define_convert(app, arguments);
  define_top(app, arguments);
}

// How many arguments are for this command; those of the program that record runs follow, possibly after --.
int own_words(int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], "record") != 0) return argc;
  constexpr std::string_view with_a_value[] = {"--trace", "--keep-highest", "--report", "--report-on", "--blackbox"};
  int own = 2;
  while (own < argc && argv[own][0] == '-' && std::strcmp(argv[own], "--") != 0) {
    const bool has_value = std::find(std::begin(with_a_value), std::end(with_a_value), argv[own]) != std::end(with_a_value);
    own += has_value ? 2 : 1;
  }
  return std::min(own, argc);
}

Command command_of(const CLI::App& app) {
  return app.got_subcommand("info")      ? Command::info
         : app.got_subcommand("replay")  ? Command::replay
         : app.got_subcommand("record")  ? Command::record
         : app.got_subcommand("report")  ? Command::report
         : app.got_subcommand("convert") ? Command::convert
         : app.got_subcommand("top")     ? Command::top
                                         : Command::none;
}

int refuse_usage(const CLI::App& app, const std::string& what) {
  complain(what);
  const auto commands = app.get_subcommands();
  const std::string command = commands.empty() ? "" : " " + commands.front()->get_name();
  std::fprintf(stderr, "Try 'cadastre%s --help' for more information.\n", command.c_str());
  return trouble;
}

// What is missing, or asks for what cannot be; null where nothing is.
const char* mistake_in(const Arguments& arguments) {
  if (arguments.command == Command::none) return "a command is missing; it is one of info, replay, record, report, convert and top";
  if (arguments.command == Command::replay && arguments.traces.empty())
    return "replay needs a trace; name a file, or - for the standard input";
  if (arguments.black_boxes && (arguments.diff || !arguments.fail_if.empty()))
    return "--diff and --fail-if are of traces, and a black box is none; leave them out, or record a trace";
  if (arguments.black_boxes && arguments.format != "text" && arguments.format != "json")
    return "a report on black boxes is text or JSON; leave --format out, or write --format json";
  if (arguments.command == Command::report && arguments.traces.empty() && !arguments.black_boxes)
    return "report needs a trace; name a file, or - for the standard input";
  if (arguments.command == Command::report && std::count(arguments.traces.begin(), arguments.traces.end(), "-") > 1)
    return "the standard input can be read once; name - once";
  if (arguments.diff && arguments.traces.size() != 2) return "report --diff needs two traces: the old one, and the new one";
  const std::vector<std::string> compared = comparison_formats();
  if (arguments.diff && std::find(compared.begin(), compared.end(), arguments.format) == compared.end())
    return "report --diff is written as text, json or csv; choose one of these for --format";
  if (arguments.command == Command::convert && arguments.traces.size() != 1)
    return "convert needs one trace; name a file, or - for the standard input";
  if (arguments.command != Command::record) return nullptr;
  if (arguments.program.empty()) return "record needs a program to run, after its own options";
  if (arguments.trace.empty() && arguments.report.empty() && arguments.report_on.empty() && arguments.black_box.empty())
    return "record needs something to write: --trace FILE, --report FILE, --report-on OCCASIONS, --blackbox FOLDER, or several of them";
  if (arguments.traces_kept > 0 && arguments.trace.empty()) return "--keep-highest is of traces; name the file of each: --trace FILE";
  if (arguments.traces_joined && arguments.trace.empty()) return "--join is of traces; name the file that they share: --trace FILE";
  if (arguments.traces_joined) {
    if (const char* const why = internal::why_not_joined(arguments.trace, arguments.traces_kept > 0)) return why;
  }
  if (arguments.trace == "-" || arguments.report == "-") return "record writes to files, and - is not one; --report also accepts stderr";
  return nullptr;
}

// What is wrong with it here; empty where nothing is.
std::string resolve_backend(const std::string& name, ReplayOptions& options) {
  for (cadastre_backend backend = 1; backend <= cadastre_backend_get_count(); ++backend) {
    if (name != cadastre_string_of_backend(backend)) continue;
    cadastre_backend_info_struct info = cadastre_backend_info_struct_zero;
    cadastre_backend_get_info(backend, &info);
    if (!info.available) return "the " + name + " backend is unavailable: " + info.problem;
    options.backend = backend;
  }
  return "";
}

std::string resolve_bounds(Arguments& arguments) {
  try {
    for (const std::string& text : arguments.fail_if) arguments.bounds.push_back(parse_bound(text));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  const auto found = std::find_if(arguments.bounds.begin(), arguments.bounds.end(), [](const Bound& bound) { return bound.of_first; });
  if (arguments.diff || found == arguments.bounds.end()) return "";
  return "--fail-if '" + printable(found->text, 255) + "': x stands for a figure of the first trace of --diff, which is not given";
}

std::string resolve(Arguments& arguments) {
  arguments.replay.zero = !arguments.uninitialized;
  arguments.replay.progress = isatty(STDERR_FILENO) != 0;
  for (cadastre_memory_type type = 0; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    if (arguments.memory_type == cadastre_string_of_memory_type(type)) arguments.replay.type = type;
  }
  if (const char* const problem = why_unavailable(arguments.format)) return "cannot write " + arguments.format + ": " + problem;
  const std::string problem = resolve_bounds(arguments);
  return problem.empty() ? resolve_backend(arguments.backend, arguments.replay) : problem;
}

}  // namespace

std::optional<int> read_arguments(int argc, char** argv, Arguments& arguments) {
  CLI::App app("Shows what this machine offers to Cadastre, records, replays and reports on allocations.", "cadastre");
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
  arguments.command = command_of(app);
  arguments.program.assign(argv + own, argv + argc);
  if (!arguments.program.empty() && arguments.program[0] == "--") arguments.program.erase(arguments.program.begin());
  if (const char* const mistake = mistake_in(arguments)) return refuse_usage(app, mistake);
  if (const std::string problem = resolve(arguments); !problem.empty()) {
    complain(problem);
    return trouble;
  }
  return std::nullopt;
}

}  // namespace cadastre::command
