// Tangled from org/bench.org; change the chapter, then run: make tangle
// Performs one workload on one way so many times, for a counter of instructions:
//   instructions WORKLOAD WAY BLOCKS OPERATIONS
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "blocks.hpp"
#include "ways.hpp"

namespace {

using bench::Contents, bench::Live, bench::Places, bench::replace;

// A function of its own: in what runs once, as main does, a compiler spares bytes and not instructions.
template <class Way>
[[gnu::noinline]] bool perform(std::string_view workload, std::size_t count, std::size_t operations) {
  Way way;
  Live<Way> live(way, count);
  Places places(count);
  std::size_t sum = 0;
  if (workload == "W1") {
    for (std::size_t step = 0; step < operations; ++step) replace(way, live[places.next()]);
    return true;
  }
  if (workload == "W1 zeroed") {
    for (std::size_t step = 0; step < operations; ++step) replace<Contents::zeros>(way, live[places.next()]);
    return true;
  }
  if constexpr (requires { way.size_of(live[0]); }) {
    if (workload == "W2") {
      for (std::size_t step = 0; step < operations; ++step) sum += way.size_of(live[places.next()]);
      return operations == 0 || sum != 0;
    }
  }
  if constexpr (requires { way.around(live[0]); }) {
    if (workload == "W2i") {
      for (std::size_t step = 0; step < operations; ++step) {
        sum += way.around(static_cast<const char*>(live[places.next()]) + 27);
      }
      return operations == 0 || sum != 0;
    }
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "instructions: say which workload and way, and how many blocks and operations\n");
    return 2;
  }
  const std::size_t count = std::strtoull(argv[3], nullptr, 10), operations = std::strtoull(argv[4], nullptr, 10);
  bool done = false;
  bench::for_all_ways([&]<class Way>() {
    if (argv[2] == std::string_view(Way::name)) done = perform<Way>(argv[1], count, operations);
  });
  return done ? 0 : 3;
}
