// Tangled from org/command/command.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <langinfo.h>
#include <sys/resource.h>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "black_box.hpp"
#include "black_box_report.hpp"
#include "compression.hpp"
#include "convert.hpp"
#include "files.hpp"
#include "info.hpp"
#include "record.hpp"
#include "removed_traces.hpp"
#include "replay.hpp"
#include "trace.hpp"
#include "trace_bounds.hpp"
#include "trace_readers.hpp"
#include "trace_report.hpp"

namespace cadastre::command {
namespace {

std::vector<Trace> read_and_complain(const std::string& path, std::uint64_t most) {
  std::vector<Trace> traces = read_traces(path, most);
  for (const Trace& trace : traces) {
    if (!trace.incomplete.empty()) complain(printable(trace.name, 4096) + ": " + trace.incomplete);
  }
  return traces;
}

bool output_is_utf8() { return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

Status replay_all(const Arguments& arguments, std::string& text) {
  std::vector<Trace> traces;
  for (const std::string& path : arguments.traces) {
    std::vector<Trace> of_file = read_and_complain(path, arguments.max_operations);
    std::move(of_file.begin(), of_file.end(), std::back_inserter(traces));
  }
  std::vector<Report> reports;
  std::vector<Summary> summaries;
  for (Trace& trace : traces) {
    reports.push_back(replay(trace, arguments.replay));
    summaries.push_back(summarize(*stored_source(trace)));
    trace = {};
  }
  Status status = as_it_should_be;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (!reports[i].as_traced()) status = look_at_it;
    if (arguments.json) continue;
    text += (text.empty() ? "" : "\n\n") + as_text(reports[i], output_is_utf8()) +
            "\nOf the program that was traced, as cadastre report says it:\n" + sections_of(summaries[i], output_is_utf8());
  }
  if (!arguments.json) return status;
  std::vector<std::string> of_traces;
  of_traces.reserve(summaries.size());
  for (const Summary& summary : summaries) of_traces.push_back(trace_as_json(summary));
  text = as_json(reports, of_traces);
  return status;
}

// Whether a variable names this very file, for the library to write to.
bool is_written_by(const char* variable, const InputFile& file) {
  const char* const name = std::getenv(variable);
  return name && file.is(name);
}

// Why a file cannot be read and another one written; empty where they can.
std::string conflict_of(const std::vector<InputFile>& inputs, const std::optional<OutputFile>& output) {
  for (const InputFile& trace : inputs) {
    if (output && output->is(trace)) return "the output is the trace " + trace.name() + " itself; name another file";
    for (const char* variable : {"CADASTRE_TRACE", "CADASTRE_REPORT", "CADASTRE_LOG_FILE"}) {
      if (!is_written_by(variable, trace)) continue;
      return std::string(variable) + " names the trace " + trace.name() +
             " itself, which the replay would write to; unset it, or name another file";
    }
  }
  return "";
}

Status info(const Arguments& arguments, std::string& text) {
  text = arguments.json ? info_as_json() : info_as_text(arguments.all);
  return environment_is_well_formed() ? as_it_should_be : look_at_it;
}

Status convert(const Arguments& arguments, std::string& text) {
  const std::vector<Trace> traces = read_and_complain(arguments.traces[0], arguments.max_operations);
  const bool lines = arguments.output.empty() || arguments.output == "-" || expanded_name(arguments.output).ends_with(".csv");
  if (lines && traces.size() > 1) {
    const std::string name = printable(arguments.traces[0], 4096);
    throw TraceError(name + " has " + std::to_string(traces.size()) + " traces, and lines are of one; name it, as " + name +
                     "#1, or write records");
  }
  for (const Trace& trace : traces) text += lines ? as_lines(trace) : as_records(trace);
  return as_it_should_be;
}

std::vector<std::string> usual_folders_or_refuse() {
  std::vector<std::string> folders = usual_folders();
  if (folders.empty()) throw BlackBoxError("there is no folder of black boxes; name one, or set CADASTRE_BLACKBOX, which makes them");
  return folders;
}

// One that is damaged must not hide the others. False where there is such a one.
bool add_boxes_in(const std::string& folder, std::vector<BlackBox>& boxes) {
  bool are_whole = true;
  for (const std::string& path : black_boxes_in(folder)) {
    try {
      boxes.push_back(read_black_box(path));
    } catch (const BlackBoxError& error) {
      if (!std::filesystem::exists(path)) continue;  // its process has ended
      complain(error.what());
      are_whole = false;
    }
  }
  return are_whole;
}

Status report_on_black_boxes(const Arguments& arguments, std::string& text) {
  std::vector<BlackBox> boxes;
  Status status = as_it_should_be;
  for (const std::string& path : arguments.traces.empty() ? usual_folders_or_refuse() : arguments.traces) {
    if (std::filesystem::is_directory(path)) {
      if (!add_boxes_in(path, boxes)) status = look_at_it;
    } else {
      boxes.push_back(read_black_box(path));
    }
  }
  if (boxes.empty() && status == as_it_should_be) throw BlackBoxError("there is no black box; they go when their processes end normally");
  text = arguments.format == "json" ? as_json(boxes) : as_text(boxes, output_is_utf8());
  return status;
}

// Of two that are compared, the new one is judged.
Status judge(const Arguments& arguments, const std::vector<Summary>& summaries) {
  const Summary* const first = arguments.diff ? &summaries[0] : nullptr;
  Status status = as_it_should_be;
  for (const Summary& summary : summaries) {
    if (&summary == first) continue;
    for (const Bound& bound : arguments.bounds) {
      const std::string failure = failure_of(bound, summary, first);
      if (failure.empty()) continue;
      complain(failure);
      status = bound_fails;
    }
  }
  return status;
}

Status report(const Arguments& arguments, std::string& text) {
  if (arguments.black_boxes) return report_on_black_boxes(arguments, text);
  const std::vector<std::string> traces = without_lists(arguments.traces);
  if (traces.empty()) throw TraceError("there is no trace among the files, but a list of removed ones");
  const ReadTraces all = read_all(traces, arguments.replay.progress, [&](TraceSource& source) {
    std::optional<Timeline> timeline;
    if (needs_timeline(arguments.format)) timeline.emplace();
    return summarize(source, std::move(timeline));
  });
  const auto& [summaries, unreadable] = all;
  for (const Unreadable& one : unreadable) complain(one.problem);
  if (summaries.empty() || (arguments.diff && !unreadable.empty())) return trouble;
  if (arguments.diff && summaries.size() != 2)
    throw TraceError("--diff compares two traces, and the files have " + std::to_string(summaries.size()) +
                     "; name one of each, as FILE#1");
  for (const Bound& bound : arguments.bounds) {
    if (const std::string unknown = unknown_device_of(bound, summaries); !unknown.empty()) throw TraceError(unknown);
  }
  text = arguments.diff ? report_on(compare(summaries), arguments.format, output_is_utf8())
                        : report_on({summaries, unreadable}, arguments.format, output_is_utf8());
  const Status status = judge(arguments, summaries);
  return status == as_it_should_be && !unreadable.empty() ? look_at_it : status;
}

Status perform(const Arguments& arguments, std::string& text) {
  switch (arguments.command) {
    case Command::info: return info(arguments, text);
    case Command::convert: return convert(arguments, text);
    case Command::report: return report(arguments, text);
    default: return replay_all(arguments, text);
  }
}

// Each trace takes descriptors, and there may be one for each of a thousand ranks.
void allow_as_many_files_as_can_be() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

// Writes what was found.
int answer(const Arguments& arguments) {
  allow_as_many_files_as_can_be();
  std::optional<OutputFile> file;
  if (!arguments.output.empty() && arguments.output != "-") file.emplace(arguments.output);
  std::vector<InputFile> inputs;
  for (const std::string& path : arguments.traces) inputs.emplace_back(path, arguments.command == Command::replay);
  if (const std::string conflict = conflict_of(inputs, file); !conflict.empty()) {
    complain(conflict);
    return trouble;
  }
  std::string text;
  const Status status = perform(arguments, text);
  if (status == trouble) return status;
  if (file) file->write(std::move(text));
  else write_standard_output(text);
  return status;
}

int top(const Arguments& arguments) {
  TopOptions options = arguments.top;
  if (options.folders.empty()) options.folders = usual_folders_or_refuse();
  show_top(options);
  return as_it_should_be;
}

int run(int argc, char** argv) {
  Arguments arguments;
  if (const std::optional<int> status = read_arguments(argc, argv, arguments)) return *status;
  switch (arguments.command) {
    case Command::record: return record(arguments);
    case Command::top: return top(arguments);
    default: return answer(arguments);
  }
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
