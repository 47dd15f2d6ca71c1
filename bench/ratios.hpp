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
      if (!run.error_occurred && median) remember(run.run_name.function_name, time_of(run));
    }
  }

  // The median time of name, in nanoseconds; 0 when it did not run.
  double time(const std::string& subject, const std::string& how) const {
    const auto ways = times_.find(subject);
    if (ways == times_.end()) return 0;
    const auto found = ways->second.find(how);
    return found == ways->second.end() ? 0 : found->second;
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    std::printf("\nratios to %s, of the medians of times\n", base_.c_str());
    for (const auto& [subject, ways] : times_) {
      const auto base = ways.find(base_);
      if (base == ways.end()) continue;
      for (const auto& [how, time] : ways) {
        if (how != base_) std::printf("  %-32s %-16s %8.3f\n", subject.c_str(), how.c_str(), time / base->second);
      }
    }
  }

 private:
  // Wall time where a benchmark measures that itself, as those of several threads do; else CPU time.
  static double time_of(const Run& run) {
    return run.run_name.time_type.empty() ? run.GetAdjustedCPUTime() : run.GetAdjustedRealTime();
  }

  void remember(const std::string& name, double time) {
    const std::size_t first = name.find('/');
    const std::size_t second = name.find('/', first + 1);
    const std::string subject = name.substr(0, first) + name.substr(second);
    times_[subject][name.substr(first + 1, second - first - 1)] = time;
  }

  std::string base_;
  std::map<std::string, std::map<std::string, double>> times_;
};

}  // namespace bench
#endif
