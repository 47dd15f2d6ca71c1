/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#define SUNDIALS_VERSION_MAJOR 7
#define SUNDIALS_VERSION_MINOR 0
