/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_VERSION_H
#define IMITATED_SUNDIALS_VERSION_H
#include <sundials/sundials_types.h>
#ifdef __cplusplus
extern "C" {
#endif
imitated_result SUNDIALSGetVersionNumber(int* major, int* minor, int* patch, char* label, int len);
/* From now on, the version that the library says it has. */
void sundials_imitation_pretend(int major, int minor);
#ifdef __cplusplus
}
#endif
#endif
