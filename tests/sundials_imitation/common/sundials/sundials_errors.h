/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_ERRORS_H
#define IMITATED_SUNDIALS_ERRORS_H
enum {
  SUN_ERR_ARG_CORRUPT = -9999,
  SUN_ERR_ARG_INCOMPATIBLE,
  SUN_ERR_ARG_OUTOFRANGE,
  SUN_ERR_MEM_FAIL = -9989,
  SUN_ERR_MALLOC_FAIL,
  SUN_SUCCESS = 0
};
#endif
