// Tangled from org/examples/other_libraries.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
/* Kokkos on memory of a context: a view that is unmanaged, of which Kokkos frees nothing.
 *
 *   c++ -std=c++17 with_kokkos.cpp $(pkg-config --cflags --libs cadastre) -lkokkoscore -o with_kokkos
 *
 *   $ ./with_kokkos
 *   the sum is 44850
 *   in use: 2400 bytes; at the end: 0
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <Kokkos_Core.hpp>
#include <cadastre.hpp>
#include <cstdio>

using space = Kokkos::DefaultHostExecutionSpace;
using matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

static double sum_of_numbered(const matrix& a) {
  const int rows = static_cast<int>(a.extent(0)), columns = static_cast<int>(a.extent(1));
  double sum = 0;
  Kokkos::parallel_for(Kokkos::RangePolicy<space>(0, rows), [=](int i) {
    for (int j = 0; j < columns; ++j) a(i, j) = i * columns + j;
  });
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<space>(0, rows),
      [=](int i, double& partial) {
        for (int j = 0; j < columns; ++j) partial += a(i, j);
      },
      sum);
  return sum;
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  {
    cadastre::context context;
    std::size_t in_use = 0;
    {
      auto block = context.allocate<double>(20 * 15);
      std::printf("the sum is %g\n", sum_of_numbered(matrix(block.data(), 20, 15)));
      Kokkos::fence();  // the block is freed here, and no kernel may still use it
      in_use = context.statistics(CADASTRE_HOST).live_bytes;
    }
    std::printf("in use: %zu bytes; at the end: %zu\n", in_use, context.statistics(CADASTRE_HOST).live_bytes);
  }
  Kokkos::finalize();
}
