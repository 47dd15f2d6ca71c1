// Tangled from org/command/trace_reader.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <utility>
#include <vector>

#include "trace.hpp"
#include "trace_history.hpp"
#include "trace_source.hpp"
#include "traces_of_file.hpp"

namespace cadastre::command {
namespace {

class StoredSource final : public TraceSource {
 public:
  explicit StoredSource(const Trace& trace) : trace_(trace) {}

  bool next(GivenOperation& given) override {
    for (; use_ < trace_.uses.size() && trace_.uses[use_].operation <= at_; ++use_) show(trace_.uses[use_].use);
    if (at_ == trace_.operations.size()) return false;
    const Operation& operation = trace_.operations[at_++];
    given = {.kind = operation.kind,
             .line = operation.line,
             .time = operation.time,
             .result = operation.result,
             .thread = trace_.threads[operation.thread],
             .type = operation.type,
             .alignment_log2 = operation.alignment_log2,
             .label = trace_.labels[operation.label],
             .device = trace_.devices[operation.device],
             .context = trace_.contexts[operation.context],
             .block = trace_.number_of(operation.block),
             .source = trace_.number_of(operation.source)};
    if (operation.has_size) given.size = operation.size;
    if (duration_ < trace_.durations.size() && trace_.durations[duration_].operation == at_ - 1)
      given.duration = trace_.durations[duration_++].nanoseconds;
    return true;
  }
  [[noreturn]] void refuse(Column, const std::string& what) const override {
    throw TraceError(trace_.name + ": operation " + std::to_string(at_) + ": " + what);
  }
  std::string incomplete() const override { return trace_.incomplete; }
  std::string_view said(std::string_view name) const override { return text_under(name, trace_.said); }
  const std::string& name() const override { return trace_.name; }

 private:
  const Trace& trace_;
  std::size_t at_ = 0, use_ = 0, duration_ = 0;
};

}  // namespace

std::unique_ptr<TraceSource> stored_source(const Trace& trace) { return std::make_unique<StoredSource>(trace); }

namespace {

Trace read(TraceSource& source, std::uint64_t most) {
  History history(most, source);
  std::vector<Trace::UseBefore> uses;
  std::size_t operations = 0;
  source.show_uses_to([&](const MemoryUse& use) {
    if (uses.size() < most_uses) uses.push_back({operations, use});
  });
  std::vector<Trace::Duration> durations;
  for (GivenOperation given; source.next(given); ++operations) {
    history.add(given);
    if (given.duration >= 0) durations.push_back({operations, given.duration});
  }
  source.show_uses_to({});
  Trace trace = history.take();
  trace.uses = std::move(uses);
  trace.durations = std::move(durations);
  trace.incomplete = source.incomplete();
  for (const std::string_view name : names_of_process) {
    if (const std::string_view text = source.said(name); !text.empty()) trace.said.emplace(name, text);
  }
  return trace;
}

}  // namespace

std::vector<Trace> read_traces(const std::string& path, std::uint64_t most) {
  TracesOfFile all(path, Remembers::what_was_freed);
  std::vector<Trace> traces;
  while (const std::unique_ptr<TraceSource> source = all.next()) traces.push_back(read(*source, most));
  return traces;
}

Trace read_trace(const std::string& path, std::uint64_t most) {
  TracesOfFile all(path, Remembers::what_was_freed);
  Trace trace = read(*all.next(), most);
  if (all.next()) {
    const std::string name = printable(trace.name, 4096);
    throw TraceError(name + ": the file has several traces, and one is asked for; name it: " + name + "#1 is the first");
  }
  return trace;
}

}  // namespace cadastre::command
