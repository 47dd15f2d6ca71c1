// Tangled from org/bench/bench.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Tells of each goal whether it is met, from a file of results:
//   goals FILE
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace {

struct Goal {
  const char* text;
  const char *subject, *way;
  const char *beside, *its_way;
  std::string by, bound;
  double limit;
  const char* keys;
};

const Goal goals[] = {
    {"W1, 100 blocks, of malloc", "W1/100", "cadastre", "W1/100", "glibc", "ratio", "at most", 1.1, ""},
    {"W1, 10,000 blocks, of malloc", "W1/10000", "cadastre", "W1/10000", "glibc", "ratio", "at most", 1.1, ""},
    {"W1, 100,000 blocks, of malloc", "W1/100000", "cadastre", "W1/100000", "glibc", "ratio", "at most", 0.65, ""},
    {"W1, 1,000,000 blocks, of malloc", "W1/1000000", "cadastre", "W1/1000000", "glibc", "ratio", "at most", 0.8, ""},
    {"W1 zeroed, 100 blocks, of calloc", "W1 zeroed/100", "cadastre", "W1 zeroed/100", "glibc", "ratio", "at most", 0.9, ""},
    {"W1 zeroed, 10,000 blocks, of calloc", "W1 zeroed/10000", "cadastre", "W1 zeroed/10000", "glibc", "ratio", "at most", 0.9, ""},
    {"W1 zeroed, 100,000 blocks, of calloc", "W1 zeroed/100000", "cadastre", "W1 zeroed/100000", "glibc", "ratio", "at most", 0.9, ""},
    {"W1 zeroed, 1,000,000 blocks, of calloc", "W1 zeroed/1000000", "cadastre", "W1 zeroed/1000000", "glibc", "ratio", "at most", 0.9, ""},
    {"touched, 4 KiB, 1 thread, of posix_memalign", "touched/4KiB 1 thread", "cadastre", "touched/4KiB 1 thread", "glibc", "ratio", "at most", 1.03, ""},
    {"touched, 64 KiB, 1 thread, of posix_memalign", "touched/64KiB 1 thread", "cadastre", "touched/64KiB 1 thread", "glibc", "ratio", "at most", 1.03, ""},
    {"touched, 256 KiB, 1 thread, of posix_memalign", "touched/256KiB 1 thread", "cadastre", "touched/256KiB 1 thread", "glibc", "ratio", "at most", 1.03, ""},
    {"touched, 16 MiB, 1 thread, of posix_memalign", "touched/16MiB 1 thread", "cadastre", "touched/16MiB 1 thread", "glibc", "ratio", "at most", 1.03, ""},
    {"touched, 4 KiB, 2 threads, of posix_memalign", "touched/4KiB 2 threads", "cadastre", "touched/4KiB 2 threads", "glibc", "ratio", "at most", 1.03, "cores2"},
    {"touched, 64 KiB, 2 threads, of posix_memalign", "touched/64KiB 2 threads", "cadastre", "touched/64KiB 2 threads", "glibc", "ratio", "at most", 1.03, "cores2"},
    {"touched, 256 KiB, 2 threads, of posix_memalign", "touched/256KiB 2 threads", "cadastre", "touched/256KiB 2 threads", "glibc", "ratio", "at most", 1.03, "cores2"},
    {"touched, 16 MiB, 2 threads, of posix_memalign", "touched/16MiB 2 threads", "cadastre", "touched/16MiB 2 threads", "glibc", "ratio", "at most", 1.03, "cores2"},
    {"touched, 4 KiB, 2 threads of 1, by that of glibc", "touched/4KiB 1 thread", "cadastre", "touched/4KiB 2 threads", "glibc", "scaling", "at least", 0.97, "cores2"},
    {"touched, 64 KiB, 2 threads of 1, by that of glibc", "touched/64KiB 1 thread", "cadastre", "touched/64KiB 2 threads", "glibc", "scaling", "at least", 0.97, "cores2"},
    {"touched, 256 KiB, 2 threads of 1, by that of glibc", "touched/256KiB 1 thread", "cadastre", "touched/256KiB 2 threads", "glibc", "scaling", "at least", 0.97, "cores2"},
    {"touched, 16 MiB, 2 threads of 1, by that of glibc", "touched/16MiB 1 thread", "cadastre", "touched/16MiB 2 threads", "glibc", "scaling", "at least", 0.97, "cores2"},
    {"a pair, own instructions, 10,000 blocks", "pair own instructions/10000", "cadastre", "", "", "itself", "at most", 215.0, "valgrind"},
    {"an exact look-up, own instructions, 10,000 blocks", "exact look-up own instructions/10000", "cadastre", "", "", "itself", "at most", 60.0, "valgrind"},
    {"W2, 10,000 blocks, of malloc_usable_size", "W2/10000", "cadastre", "W2/10000", "glibc", "ratio", "at most", 4.0, ""},
    {"W2, 1,000,000 blocks, of malloc_usable_size", "W2/1000000", "cadastre", "W2/1000000", "glibc", "ratio", "at most", 3.0, ""},
    {"W2i, 10,000 blocks, of malloc_usable_size", "W2i/10000", "cadastre", "W2/10000", "glibc", "ratio", "at most", 12.6, ""},
    {"W2i, 1,000,000 blocks, of malloc_usable_size", "W2i/1000000", "cadastre", "W2/1000000", "glibc", "ratio", "at most", 8.7, ""},
    {"W3 uninitialised, of malloc", "W3/uninitialised", "cadastre", "W3/uninitialised", "glibc", "ratio", "at most", 1.0, ""},
    {"W3 memory, of glibc's", "W3 memory/written", "cadastre", "W3 memory/written", "glibc", "ratio", "at most", 1.1, ""},
    {"W4, 2 threads of 1, by that of glibc", "W4/1", "cadastre", "W4/2", "glibc", "scaling", "at least", 0.97, "cores2"},
    {"W4, of each of 4 threads", "W4/1", "cadastre", "W4/4", "cadastre", "ratio", "at least", 0.95, "cores4"},
    {"W4, of each of 8 threads", "W4/1", "cadastre", "W4/8", "cadastre", "ratio", "at least", 0.95, "cores8"},
    {"W4, of each of 16 threads", "W4/1", "cadastre", "W4/16", "cadastre", "ratio", "at least", 0.95, "cores16"},
    {"W4, of each of 32 threads", "W4/1", "cadastre", "W4/32", "cadastre", "ratio", "at least", 0.95, "cores32"},
    {"W4, of each of 64 threads", "W4/1", "cadastre", "W4/64", "cadastre", "ratio", "at least", 0.95, "cores64"},
    {"W5, of freeing one by one", "W5/100000", "cadastre", "W5/100000", "glibc", "ratio", "at most", 0.05, ""},
    {"W5 with a summary, of freeing one by one", "W5/100000", "cadastre, summary", "W5/100000", "glibc", "ratio", "at most", 0.05, ""},
    {"drain, 1,000,000 blocks, of free", "drain/1000000", "cadastre", "drain/1000000", "glibc", "ratio", "at most", 1.0, ""},
    {"foreign free, of free", "foreign free/64", "cadastre", "foreign free/64", "glibc", "ratio", "at most", 1.2, "cores2"},
    {"larson, of malloc", "larson/2", "cadastre", "larson/2", "glibc", "ratio", "at most", 1.2, "cores2"},
    {"larson, of mimalloc", "larson/2", "cadastre", "larson/2", "mimalloc", "ratio", "at most", 2.5, "cores2 mimalloc"},
    {"hand over, of malloc", "hand over/64", "cadastre", "hand over/64", "glibc", "ratio", "at most", 1.2, "cores2"},
    {"hand over, of mimalloc", "hand over/64", "cadastre", "hand over/64", "mimalloc", "ratio", "at most", 2.5, "cores2 mimalloc"},
    {"W6, bytes per block beyond glibc's", "W6/1000000", "cadastre", "W6/1000000", "glibc", "difference", "at most", 26.0, ""},
    {"growth with frees between, nanoseconds a step", "growing/2", "cadastre", "", "", "itself", "at most", 150.0, "cores2"},
    {"a lock beside 8 threads that sleep, nanoseconds", "lock/beside 8 threads", "cadastre", "", "", "itself", "at most", 1500.0, ""},
    {"left over of 1,000,000 blocks, MB", "left over/1000000", "cadastre", "", "", "mega", "at most", 8.0, ""},
    {"an empty context, kB", "contexts/0 blocks", "cadastre", "", "", "kilo", "at most", 4.0, ""},
    {"a context with ten blocks, kB", "contexts/10 blocks", "cadastre", "", "", "kilo", "at most", 6.0, ""},
    {"1,000 threads that come and go, MB", "come and go/1000", "cadastre", "", "", "mega", "at most", 1.0, ""},
    {"16 threads in 16 contexts, memory of one in one", "cross/16", "cadastre", "cross/1", "cadastre", "ratio", "at most", 2.0, ""},
    {"Monte Carlo trace, each page written to, of calloc", "trace touched/dmc_alz_w40_s40", "cadastre", "trace touched/dmc_alz_w40_s40", "glibc", "ratio", "at most", 0.24, ""},
    {"the most memory of it, of what lives at most", "trace memory/dmc_alz_w40_s40", "cadastre", "trace memory/dmc_alz_w40_s40", "alive at most", "ratio", "at most", 1.02, ""},
    {"a pair with a trace, of one without", "recorded/pair", "cadastre traced", "recorded/pair", "cadastre", "ratio", "at most", 5.0, ""},
    {"a pair with a black box, of one without", "recorded/pair", "cadastre black box", "recorded/pair", "cadastre", "ratio", "at most", 1.5, ""},
    {"Monte Carlo trace with a black box, of without", "recorded/dmc_alz_w40_s40", "cadastre black box", "recorded/dmc_alz_w40_s40", "cadastre", "ratio", "at most", 1.01, ""},
    {"Monte Carlo trace, with the pool, of the scan", "trace/dmc_alz_w40_s40", "cadastre pool", "trace/dmc_alz_w40_s40", "scan", "ratio", "at most", 0.25, "pool"},
    {"with the pool, each page written to, of the scan", "trace touched/dmc_alz_w40_s40", "cadastre pool", "trace touched/dmc_alz_w40_s40", "scan", "ratio", "at most", 0.25, "pool"},
    {"pool hit on CUDA, in order, nanoseconds", "hit/4KiB", "cadastre cuda pool async", "", "", "itself", "at most", 100.0, "cuda pool"},
    {"pool hit on CUDA, in order, of cudaMallocAsync", "hit/4KiB", "cadastre cuda pool async", "hit/4KiB", "cudaMallocAsync", "ratio", "at most", 1.0, "cuda pool"},
    {"pool hit on CUDA, in order, of CUB's allocator", "hit/4KiB", "cadastre cuda pool async", "hit/4KiB", "cub", "ratio", "at most", 1.0, "cuda pool cub"},
    {"pool hit on CUDA, plain, nanoseconds", "hit/4KiB", "cadastre cuda pool", "", "", "itself", "at most", 100.0, "cuda pool"},
    {"pool hit on CUDA, plain, of cudaMallocAsync", "hit/4KiB", "cadastre cuda pool", "hit/4KiB", "cudaMallocAsync", "ratio", "at most", 1.0, "cuda pool"},
    {"pool hit on CUDA, plain, of CUB's allocator", "hit/4KiB", "cadastre cuda pool", "hit/4KiB", "cub", "ratio", "at most", 1.0, "cuda pool cub"},
};

// By subject and way: a number, or why there is none. The last of several lines holds.
using Results = std::map<std::string, std::map<std::string, std::string>>;

Results read_results(const char* path) {
  Results results;
  std::ifstream file(path);
  std::string line, subject, way, value;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    if (std::getline(fields, subject, '\t') && std::getline(fields, way, '\t') && std::getline(fields, value)) {
      results[subject][way] = value;
    }
  }
  return results;
}

std::optional<double> number(const Results& results, const std::string& subject, const std::string& way) {
  const auto ways = results.find(subject);
  if (ways == results.end()) return {};
  const auto found = ways->second.find(way);
  if (found == ways->second.end()) return {};
  return std::stod(found->second);
}

std::optional<double> measured(const Goal& goal, const Results& results) {
  const auto ours = number(results, goal.subject, goal.way);
  if (!ours || goal.by == "itself") return ours;
  if (goal.by == "kilo") return *ours / 1e3;
  if (goal.by == "mega") return *ours / 1e6;
  const auto beside = number(results, goal.beside, goal.its_way);
  if (!beside) return {};
  if (goal.by == "scaling") {
    const auto ours_beside = number(results, goal.beside, goal.way), its = number(results, goal.subject, goal.its_way);
    if (!ours_beside || !its) return {};
    return (*ours / *ours_beside) / (*its / *beside);
  }
  if (goal.by == "difference") return *ours - *beside;
  return *ours / *beside;
}

std::string why_not(const Goal& goal, const Results& results) {
  std::istringstream keys(goal.keys);
  for (std::string key; keys >> key;) {
    if (const auto all = results.find("why not"); all != results.end()) {
      if (const auto found = all->second.find(key); found != all->second.end()) return found->second;
    }
  }
  return {};
}

void tell(const Goal& goal, const Results& results) {
  const auto value = measured(goal, results);
  std::string why = why_not(goal, results);
  if (!value && why.empty()) why = "it was not run";
  char cell[32] = "";
  if (why.empty()) std::snprintf(cell, sizeof cell, "%.2f", *value);
  std::printf("%-54s %9s %9s %8.2f  ", goal.text, cell, goal.bound.c_str(), goal.limit);
  if (!why.empty()) {
    std::printf("not measured: %s\n", why.c_str());
  } else {
    std::puts((goal.bound == "at most" ? *value <= goal.limit : *value >= goal.limit) ? "met" : "missed");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "goals: say which file of results\n");
    return 2;
  }
  const Results results = read_results(argv[1]);
  std::printf("\n%-54s %9s %18s\n", "goals", "measured", "goal");
  for (const Goal& goal : goals) tell(goal, results);
}
