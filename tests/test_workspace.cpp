// Tangled from org/tests/workspace_claims.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "failing_new.hpp"
#include "vendors.hpp"
#include "workspace_claims.hpp"

using namespace cadastre::internal;

bool allocation_fails() noexcept { return host_allocations_until_failure > 0 && --host_allocations_until_failure == 0; }

namespace {

const Subject natural[] = {
#ifdef CADASTRE_TEST_EMULATES
    {"emulated", CADASTRE_BACKEND_HOST, CADASTRE_DEVICE},
#else
    {"host", CADASTRE_BACKEND_HOST, CADASTRE_HOST},
    {"openmp", CADASTRE_BACKEND_OPENMP, CADASTRE_DEVICE},
#define CADASTRE_SUBJECT(vendor, constant) {#vendor, CADASTRE_BACKEND_##constant, CADASTRE_DEVICE},
    CADASTRE_TEST_VENDORS(CADASTRE_SUBJECT)
#undef CADASTRE_SUBJECT
#endif
};

const Subject further[] = {
#ifdef CADASTRE_TEST_EMULATES
    {"emulated, UVM", CADASTRE_BACKEND_HOST, CADASTRE_UVM},
#else
    {"cuda, HOST", CADASTRE_BACKEND_CUDA, CADASTRE_HOST},
    {"cuda, PINNED", CADASTRE_BACKEND_CUDA, CADASTRE_PINNED},
#endif
};

template <std::size_t subjects>
void add_claims(std::vector<CMUnitTest>& tests, const std::vector<CMUnitTest>& all, const Subject (&on)[subjects]) {
  static std::deque<std::string> names;
  for (const Subject& subject : on) {
    for (CMUnitTest claim : all) {
      claim.name = names.emplace_back(std::string(subject.name) + ": " + claim.name).c_str();
      claim.initial_state = const_cast<Subject*>(&subject);
      tests.push_back(claim);
    }
  }
}

// In a process of its own, whose environment says a size.
int judge_the_environment(const Subject& subject, std::size_t bytes, cadastre_workspace_scheme scheme) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = subject.backend;
  const long most = subject.backend == CADASTRE_BACKEND_HOST ? 30 : 1;  // others have a runtime that asks here as well
  for (long k = 0; k < most; ++k) {                                     // a context without what was asked for is none
    host_allocations_until_failure = k;
    const cadastre_context context = cadastre_context_create_with_options(&options);
    host_allocations_until_failure = 0;
    if (context == CADASTRE_NULL_CONTEXT && k > 0) continue;
    cadastre_workspace_info_struct info = cadastre_workspace_info_struct_zero;
    if (cadastre_workspace_get_info(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, &info) != CADASTRE_SUCCESS) return 2;
    if (info.scheme != scheme || info.reserved_bytes != rounded(bytes, info)) return 3;
    // 0 restores it.
    for (const std::size_t size : {CADASTRE_WORKSPACE_STREAM_ORDERED, std::size_t{0}}) {
      if (cadastre_workspace_set_size(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, size) != CADASTRE_SUCCESS) return 5;
    }
    if (cadastre_workspace_get_info(context, CADASTRE_DEFAULT_WORKSPACE_TYPE, &info) != CADASTRE_SUCCESS) return 6;
    if (info.scheme != scheme || info.reserved_bytes != rounded(bytes, info)) return 7;
    if (cadastre_context_destroy(context) != CADASTRE_SUCCESS) return 4;
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
#ifdef CADASTRE_TEST_EMULATES
  setenv("CADASTRE_EMULATED_DEVICES", "2", 1);
#endif
  for (const Subject& subject : natural) {
    if (count == 4 && std::strcmp(words[1], subject.name) == 0) {
      return judge_the_environment(subject, std::stoul(words[2]), std::stoi(words[3]));
    }
  }
  if (count == 2) cmocka_set_test_filter(words[1]);
  std::vector<CMUnitTest> tests;
  for (const auto claims : {moment_claims, scheme_claims, buffer_claims, lease_claims, registry_claims, thread_claims, rocblas_claims,
                            rocblas_managed_claims}) {
    const Claims some = claims();
    tests.insert(tests.end(), some.once.begin(), some.once.end());
    add_claims(tests, some.of_every_type, natural);
    add_claims(tests, some.of_every_type, further);
    add_claims(tests, some.of_natural_types, natural);
  }
  return _cmocka_run_group_tests("workspace", tests.data(), tests.size(), nullptr, nullptr);
}
