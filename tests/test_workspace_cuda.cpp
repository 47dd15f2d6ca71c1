// Tangled from org/tests/workspace_cuda_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <vector>

#include "workspace_cuda_claims.hpp"

using namespace cadastre::internal;

namespace {

// A vendor may be late to say that a graph is gone. Claims that are not about that would depend on when he does, so he is.
int with_late_destructors(void**) {
  if (cuda_double()) cuda_double().hold_destructors(1);
  return 0;
}

int without_late_destructors(void**) {
  if (!cuda_double()) return 0;
  cuda_double().hold_destructors(0);
  cuda_double().await_destructors();
  return 0;
}

}  // namespace

// With a pattern, the claims only whose names match.
int main(int count, char** words) {
  if (count == 2) cmocka_set_test_filter(words[1]);
  setenv("CUDA_DOUBLE_DEVICES", "2", 1);
  std::vector<CMUnitTest> tests = graph_claims();
  for (const auto claims : {queue_claims, rocblas_claims_of_streams, part_claims, capture_claims, fault_claims}) {
    for (CMUnitTest claim : claims()) {
      claim.setup_func = with_late_destructors;
      claim.teardown_func = without_late_destructors;
      tests.push_back(claim);
    }
  }
  return _cmocka_run_group_tests("workspace, cuda", tests.data(), tests.size(), nullptr, nullptr);
}
