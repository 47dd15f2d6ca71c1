// Tangled from org/examples/other_libraries.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
/* A vector of Thrust in DEVICE memory of a context, with its limit and its statistics.
 *
 *   nvcc -std=c++17 with_thrust.cpp $(pkg-config --cflags --libs cadastre) -o with_thrust
 *
 * Without a device: the system of Thrust that is plain C++, and a device that the host emulates.
 *
 *   c++ -std=c++17 -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP with_thrust.cpp $(pkg-config --cflags --libs cadastre) -o with_thrust
 *
 *   $ CADASTRE_EMULATED_DEVICES=1 ./with_thrust
 *   the sum is 1505.5, the largest is 7
 *   in use: 16000 bytes in 2 blocks
 *   refused: LIMIT_EXCEEDED
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.hpp>
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

using allocator = cadastre::device_allocator<double, thrust::device_ptr<double>>;
using vector = thrust::device_vector<double, allocator>;

int main() {
  cadastre::context context;
  cadastre::request request;
  request.type = CADASTRE_DEVICE;
  request.label = "samples";
  const allocator memory(context, request);
  vector samples(1000, 1.5, memory);
  samples[3] = 7;
  const vector copy(samples);
  thrust::sort(samples.begin(), samples.end());
  const double sum = thrust::reduce(copy.begin(), copy.end()), largest = samples.back();
  std::printf("the sum is %g, the largest is %g\n", sum, largest);
  const cadastre_statistics_struct device = context.statistics(CADASTRE_DEVICE);
  std::printf("in use: %zu bytes in %d blocks\n", device.live_bytes, static_cast<int>(device.live_blocks));
  context.set_limit(CADASTRE_DEVICE, 20000);
  try {
    samples.resize(100000);
  } catch (const cadastre::bad_alloc& error) {
    std::printf("refused: %s\n", cadastre_string_of_reason(error.reason()));
    std::fprintf(stderr, "%s\n", error.what());
  }
}
