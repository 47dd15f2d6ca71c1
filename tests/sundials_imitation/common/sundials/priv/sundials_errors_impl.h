/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_ERRORS_IMPL_H
#define IMITATED_SUNDIALS_ERRORS_IMPL_H
#include <sundials/sundials_types.h>
struct SUNErrHandler_ {
  SUNErrHandler previous;
  SUNErrHandlerFn call;
  void* data;
};
#endif
