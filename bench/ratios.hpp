// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Ratios between benchmarks named what/how/size that differ in how.
#ifndef CADASTRE_BENCH_RATIOS_HPP
#define CADASTRE_BENCH_RATIOS_HPP

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace bench {

// Adds a line to the file that BENCH_RESULTS names: a subject, a way and a value, with tabs between them.
inline void record(const std::string& subject, const std::string& how, const std::string& value) {
  const char* const path = std::getenv("BENCH_RESULTS");
  std::FILE* const file = path ? std::fopen(path, "a") : nullptr;
  if (!file) return;
  std::fprintf(file, "%s\t%s\t%s\n", subject.c_str(), how.c_str(), value.c_str());
  std::fclose(file);
}

// Why what the key stands for cannot be measured here.
inline void record_why_not(const std::string& key, const std::string& why) { record("why not", key, why); }

class Ratios : public benchmark::ConsoleReporter {
 public:
  // bases: names of ways that the others of the same subject are compared with.
  explicit Ratios(std::vector<std::string> bases) : ConsoleReporter(OO_None), bases_(std::move(bases)) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> told;
    for (const Run& run : runs) {
      const bool single = run.run_type == Run::RT_Iteration && run.repetitions <= 1;
      if (single || run.aggregate_name == "median" || failed(run)) told.push_back(run);
      if ((single || run.aggregate_name == "median") && !failed(run)) remember(run);
    }
    if (!told.empty()) ConsoleReporter::ReportRuns(told);
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    std::printf("\nratios of medians\n");
    for (const auto& [subject, ways] : values_) {
      auto base = ways.end();
      for (const std::string& name : bases_) base = base == ways.end() ? ways.find(name) : base;
      for (const auto& [how, values] : ways) {
        const double value = median(values);
        record(subject, how, std::to_string(value));
        if (base == ways.end() || how == base->first) continue;
        std::printf("  %-32s %-20s %8.3f of %s\n", subject.c_str(), how.c_str(), value / median(base->second), base->first.c_str());
      }
    }
  }

 private:
  // Later versions of Google Benchmark have another member for this.
  template <class Any>
  static bool failed(const Any& run) {
    if constexpr (requires { run.error_occurred; }) {
      return run.error_occurred;
    } else {
      return static_cast<bool>(run.skipped);
    }
  }

  // Bytes where those were counted; else wall time where a benchmark measures that itself; else CPU time.
  static double value_of(const Run& run) {
    if (const auto bytes = run.counters.find("bytes"); bytes != run.counters.end()) return bytes->second;
    return run.run_name.time_type.empty() ? run.GetAdjustedCPUTime() : run.GetAdjustedRealTime();
  }

  static double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
  }

  void remember(const Run& run) {
    const std::string name = run.run_name.function_name.substr(0, run.run_name.function_name.find("/at:"));
    const std::size_t first = name.find('/'), second = name.find('/', first + 1);
    const std::string subject = name.substr(0, first) + name.substr(second);
    values_[subject][name.substr(first + 1, second - first - 1)].push_back(value_of(run));
  }

  std::vector<std::string> bases_;
  std::map<std::string, std::map<std::string, std::vector<double>>> values_;
};

// Takes the options of Google Benchmark. What is left in argv are files, where those are taken; false when it must not be.
inline bool begin(int& argc, char** argv, bool takes_files = false) {
  benchmark::Initialize(&argc, argv);
  const bool all_files = std::none_of(argv + 1, argv + argc, [](const char* text) { return *text == '-'; });
  return (takes_files && all_files) || !benchmark::ReportUnrecognizedArguments(argc, argv);
}

// Runs what was registered.
template <class... Names>
void run(Names... bases) {
  Ratios reporter({bases...});
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
}

}  // namespace bench
#endif
