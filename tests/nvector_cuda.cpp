// Tangled from org/tests/nvector_cuda.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Vectors of SUNDIALS on a CUDA device whose memory is in a context.
#include <cadastre_sundials.h>
#include <nvector/nvector_cuda.h>

#include <cstdint>
#include <cstdio>

namespace {

int claims = 0, failures = 0;

void claim(bool holds, const char* what, const char* where) {
  ++claims;
  if (!holds) ++failures;
  std::printf("%s %d - %s (%s)\n", holds ? "ok" : "not ok", claims, what, where);
}

std::int64_t live_blocks(cadastre_context context, cadastre_memory_type type) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  return cadastre_get_statistics(context, type, &statistics) == CADASTRE_SUCCESS ? statistics.live_blocks : -1;
}

void vectors_compute(cadastre_context context, bool managed) {
  constexpr sunindextype length = 1000;
  const cadastre_memory_type type = managed ? CADASTRE_UVM : CADASTRE_DEVICE;
  const char* const where = managed ? "managed" : "device and host";
#if SUNDIALS_VERSION_MAJOR >= 6
  SUNContext sunctx = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(SUN_COMM_NULL, &sunctx);
#else
  SUNContext_Create(nullptr, &sunctx);
#endif
  const SUNMemoryHelper helper = SUNMemoryHelper_Cadastre(context, sunctx);
  const N_Vector x = N_VNewWithMemHelp_Cuda(length, managed, helper, sunctx);
#else
  const SUNMemoryHelper helper = SUNMemoryHelper_Cadastre(context);
  const N_Vector x = N_VNewWithMemHelp_Cuda(length, managed, helper);
#endif
  claim(helper && x, "a vector has memory of our helper", where);
  if (!helper || !x) return;
  const N_Vector y = N_VClone(x);
  claim(y != nullptr, "so has its clone", where);
  if (!y) return;
  N_VConst(2.0, x);
  N_VConst(3.0, y);
  claim(live_blocks(context, type) >= 2, "the registry has their memory", where);
  claim(N_VDotProd(x, y) == 6.0 * length, "a product is what it is", where);
  N_VLinearSum(1.0, x, 1.0, y, x);
  N_VCopyFromDevice_Cuda(x);
  const auto* const sums = N_VGetHostArrayPointer_Cuda(x);
  claim(sums && sums[0] == 5.0 && sums[length - 1] == 5.0, "a sum comes back to the host", where);
  N_VDestroy(y);
  N_VDestroy(x);
  claim(live_blocks(context, type) == 0, "nothing is left of destroyed vectors", where);
  claim(SUNMemoryHelper_Destroy(helper) == 0, "the helper goes", where);
#if SUNDIALS_VERSION_MAJOR >= 6
  SUNContext_Free(&sunctx);
#endif
}

}  // namespace

int main() {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = spoken().backend;
  const cadastre_context context = cadastre_context_create_with_options(&options);
  if (context == CADASTRE_NULL_CONTEXT) {
    cadastre_error_struct error = cadastre_error_struct_zero;
    cadastre_last_error(CADASTRE_NULL_CONTEXT, &error);
    std::printf("1..0 # SKIP %s\n", error.message);
    return 0;
  }
  vectors_compute(context, false);
  vectors_compute(context, true);
  claim(cadastre_context_destroy(context) == CADASTRE_SUCCESS, "the context goes", "both");
  std::printf("1..%d\n", claims);
  return failures > 0;
}
