// Tangled from org/tests/vendors.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The vendors that tests know: X(hip, HIP), and so on.
#ifndef CADASTRE_TESTS_VENDORS_HPP
#define CADASTRE_TESTS_VENDORS_HPP

#define CADASTRE_TEST_VENDORS(X) X(cuda, CUDA) X(hip, HIP)

#endif
