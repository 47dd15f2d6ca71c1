// Tangled from org/bench.org; change the chapter, then run: make tangle
// Ratios between benchmarks named what/how/where/size that differ in how.
#ifndef CADASTRE_BENCH_RATIOS_HPP
#define CADASTRE_BENCH_RATIOS_HPP

#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace bench {

class Ratios : public benchmark::ConsoleReporter {
 public:
  // base: the name of the way that the others are compared with.
  explicit Ratios(std::string base) : ConsoleReporter(OO_Tabular), base_(std::move(base)) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const bool median = run.run_type == Run::RT_Aggregate && run.aggregate_name == "median";
      if (!run.error_occurred && median) remember(run.run_name.function_name, run.GetAdjustedCPUTime());
    }
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    std::printf("\nratios to %s, of the medians of CPU times\n", base_.c_str());
    for (const std::string& subject : subjects_) {
      const auto& ways = times_[subject];
      const auto base = ways.find(base_);
      if (base == ways.end()) continue;
      for (const auto& [how, time] : ways) {
        if (how != base_) std::printf("  %-32s %-16s %8.3f\n", subject.c_str(), how.c_str(), time / base->second);
      }
    }
  }

 private:
  void remember(const std::string& name, double time) {
    const std::size_t first = name.find('/');
    const std::size_t second = name.find('/', first + 1);
    const std::string subject = name.substr(0, first) + name.substr(second);
    if (!times_.contains(subject)) subjects_.push_back(subject);
    times_[subject][name.substr(first + 1, second - first - 1)] = time;
  }

  std::string base_;
  std::vector<std::string> subjects_;  // in the order in which they ran
  std::map<std::string, std::map<std::string, double>> times_;
};

}  // namespace bench
#endif
