/* Tangled from org/examples/distance_matrix.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* The rescaled distances between the electrons and the nuclei of a molecule, computed on a device.
 *
 *   cc -fopenmp distance_matrix.c $(pkg-config --cflags --libs cadastre) -lm
 *   CADASTRE_EMULATED_DEVICES=1 ./a.out
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { n_electrons = 1200, n_nuclei = 70, skipped = 77 };
static const double kappa = 0.6, box = 20, tolerance = 1e-12;

static double electrons[n_electrons][3], nuclei[n_nuclei][3];
static double expected[n_nuclei][n_electrons], distances[n_nuclei][n_electrons];
static cadastre_context context;

static void fill(int n, double points[][3]) {
  const double step[3] = {0.41421356237309505, 0.73205080756887729, 0.23606797749978970};
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) points[i][k] = box * fmod((i + 1) * step[k] + n * step[(k + 1) % 3], 1);
  }
}

static void distances_on_host(void) {
  for (int nucleus = 0; nucleus < n_nuclei; ++nucleus) {
    for (int electron = 0; electron < n_electrons; ++electron) {
      double square = 0;
      for (int k = 0; k < 3; ++k) square += pow(electrons[electron][k] - nuclei[nucleus][k], 2);
      expected[nucleus][electron] = (1 - exp(-kappa * sqrt(square))) / kappa;
    }
  }
}

static int compare(void) {
  double difference = 0;
  for (int nucleus = 0; nucleus < n_nuclei; ++nucleus) {
    for (int electron = 0; electron < n_electrons; ++electron) {
      const double here = fabs(distances[nucleus][electron] - expected[nucleus][electron]);
      if (!(here <= difference)) difference = here; /* also if it is not a number */
    }
  }
  const int agree = difference <= tolerance;
  printf("largest difference from the host: %.1e, %s\n", difference, agree ? "they agree" : "which is too large");
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void distances_on_device(const double* electron, const double* nucleus, double* distance, int device) {
  const double scale = kappa;
#pragma omp target teams distribute parallel for collapse(2) device(device) firstprivate(scale) is_device_ptr(electron, nucleus, distance)
  for (int n = 0; n < n_nuclei; ++n) {
    for (int e = 0; e < n_electrons; ++e) {
      const double x = electron[3 * e] - nucleus[3 * n];
      const double y = electron[3 * e + 1] - nucleus[3 * n + 1];
      const double z = electron[3 * e + 2] - nucleus[3 * n + 2];
      distance[n * n_electrons + e] = (1 - exp(-scale * sqrt(x * x + y * y + z * z))) / scale;
    }
  }
}

static void fail(void) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  if (cadastre_last_error(context, &error) == CADASTRE_SUCCESS) {
    fprintf(stderr, "distance_matrix: %s\n", error.message);
  }
  exit(EXIT_FAILURE);
}

static void skip(const char* backend, const char* why) {
  fprintf(stderr, "distance_matrix: the %s backend %s\n", backend, why);
  cadastre_context_destroy(context);
  exit(skipped);
}

static double* on_device(size_t bytes, const char* label) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.type = CADASTRE_DEVICE;
  info.size = bytes;
  info.label = label;
  double* const block = cadastre_malloc(context, info);
  if (!block) fail();
  return block;
}

static void copy(void* dest, const void* src, size_t bytes) {
  if (cadastre_memcpy(context, dest, src, bytes) != CADASTRE_SUCCESS) fail();
}

static void require_device_memory(void) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  cadastre_backend_info_struct backend = cadastre_backend_info_struct_zero;
  if (cadastre_context_get_options(context, &options) != CADASTRE_SUCCESS) fail();
  if (cadastre_backend_get_info(options.backend, &backend) != CADASTRE_SUCCESS) fail();
  if (backend.memory_type_mask & 1u << CADASTRE_DEVICE) return;
  skip(backend.name, "does not support DEVICE memory here; set CADASTRE_EMULATED_DEVICES=1, or set CADASTRE_BACKEND to "
                     "a backend that does");
}

/* Where a target region for an OpenMP device runs. */
enum place { on_host, on_processors, on_nvidia_or_unknown };

static enum place place_of(int device) {
  int place = on_host;
#pragma omp target map(from : place) device(device)
  {
#if defined(__clang__) && !defined(__NVPTX__)
    place = omp_is_initial_device() ? on_host : on_processors;
#else
    place = omp_is_initial_device() ? on_host : on_nvidia_or_unknown;
#endif
  }
  return (enum place)place;
}

/* The OpenMP device number of this program with which a target region can access a block. */
static int device_that_reaches(const void* address) {
  cadastre_memory_info_struct block;
  cadastre_backend_info_struct backend = cadastre_backend_info_struct_zero;
  cadastre_device_info_struct description = cadastre_device_info_struct_zero;
  if (cadastre_get_malloc_info(context, address, &block) != CADASTRE_SUCCESS ||
      cadastre_backend_get_info(block.backend, &backend) != CADASTRE_SUCCESS ||
      cadastre_device_get_info(block.backend, block.device_id, &description) != CADASTRE_SUCCESS) {
    fail();
  }
  const int emulated = block.backend == CADASTRE_BACKEND_HOST;
  const int device = emulated ? omp_get_initial_device() : block.device_id;
  if (!emulated && omp_get_num_devices() != backend.device_count) {
    skip(backend.name, "and the OpenMP of this program do not see the same devices; compile the program so that it "
                       "offloads to those of the backend");
  }
  const enum place place = place_of(device);
  if (!emulated && place == on_host) skip(backend.name, "has memory that target regions on the host cannot access");
  if (block.backend == CADASTRE_BACKEND_CUDA && place == on_processors) {
    skip(backend.name, "has memory that the devices of this program, which are no NVIDIA devices, cannot access");
  }
  printf("DEVICE memory of the %s backend (%s), device %d, kernel on the %s\n", backend.name, description.name, (int)block.device_id,
         place == on_host ? "host" : "device");
  return device;
}

int main(void) {
  fill(n_electrons, electrons);
  fill(n_nuclei, nuclei);
  distances_on_host();

  context = cadastre_context_create();
  if (context == CADASTRE_NULL_CONTEXT) fail();
  require_device_memory();
  double* electrons_there = on_device(sizeof electrons, "electrons");
  double* nuclei_there = on_device(sizeof nuclei, "nuclei");
  double* distances_there = on_device(sizeof distances, "electron-nucleus distances");
  int device = device_that_reaches(distances_there);

  copy(electrons_there, electrons, sizeof electrons);
  copy(nuclei_there, nuclei, sizeof nuclei);
  distances_on_device(electrons_there, nuclei_there, distances_there, device);
  copy(distances, distances_there, sizeof distances);

  if (cadastre_report(context, stdout, CADASTRE_REPORT_TEXT) != CADASTRE_SUCCESS) fail();
  if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) fail();
  return compare();
}
