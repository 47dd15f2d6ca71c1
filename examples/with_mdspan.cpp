// Tangled from org/examples/other_libraries.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
/* A matrix of a context, which std::mdspan indexes by row and column.
 *
 *   c++ -std=c++23 with_mdspan.cpp $(pkg-config --cflags --libs cadastre) -o with_mdspan
 *
 * Where the C++ library has no <mdspan>, the reference implementation (github.com/kokkos/mdspan) has <experimental/mdspan>, from
 * C++17 on.
 *
 *   $ ./with_mdspan
 *   the trace is 190, of a matrix of 20 x 20
 *   in use: 3200 bytes of "matrix"
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.hpp>

#if __has_include(<mdspan>) && __cplusplus > 202002L
#include <mdspan>
using std::mdspan;
#else
#include <experimental/mdspan>
using std::experimental::mdspan;
#endif
#ifdef __cpp_multidimensional_subscript
#define AT(matrix, row, column) matrix[row, column]
#else
#define AT(matrix, row, column) matrix(row, column)
#endif

#include <cstdio>

int main() {
  cadastre::context context;
  cadastre::request request;
  request.label = "matrix";
  constexpr std::size_t n = 20;
  auto block = context.allocate<double>(n * n, request);  // zeroed
  const mdspan matrix(block.data(), n, n);
  for (std::size_t i = 0; i < matrix.extent(0); ++i) AT(matrix, i, i) = static_cast<double>(i);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += block.data()[i * n + i];  // the same elements
  std::printf("the trace is %g, of a matrix of %d x %d\n", trace, static_cast<int>(matrix.extent(0)), static_cast<int>(matrix.extent(1)));
  std::printf("in use: %zu bytes of \"%s\"\n", context.statistics(CADASTRE_HOST).live_bytes, block.info().label);
}
