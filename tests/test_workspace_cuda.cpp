// Tangled from org/tests/workspace_cuda_claims.org; change the chapter, then run: make tangle
#include <cstdlib>
#include <vector>

#include "workspace_cuda_claims.hpp"

using namespace cadastre::internal;

int main() {
  setenv("CUDA_DOUBLE_DEVICES", "2", 1);
  std::vector<CMUnitTest> tests;
  for (const auto claims : {queue_claims, part_claims, capture_claims, graph_claims, fault_claims}) {
    for (const CMUnitTest& claim : claims()) tests.push_back(claim);
  }
  return _cmocka_run_group_tests("workspace, cuda", tests.data(), tests.size(), nullptr, nullptr);
}
