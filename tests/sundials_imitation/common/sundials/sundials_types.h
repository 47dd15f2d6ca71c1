/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_TYPES_H
#define IMITATED_SUNDIALS_TYPES_H
#include <sundials/sundials_config.h>
#include <stddef.h>
#define SUNDIALS_EXPORT
#define SUNDIALS_IMITATION
#define SUNFALSE 0
#define SUNTRUE 1
#if SUNDIALS_VERSION_MAJOR >= 7
typedef int SUNErrCode;
typedef SUNErrCode imitated_result;
typedef int sunbooleantype;
typedef int SUNComm;
#define SUN_COMM_NULL 0
typedef struct SUNContext_* SUNContext;
typedef struct SUNErrHandler_* SUNErrHandler;
typedef void (*SUNErrHandlerFn)(int line, const char* func, const char* file, const char* msg, SUNErrCode err_code, void* err_user_data,
                                SUNContext sunctx);
#else
typedef int imitated_result;
#define booleantype int
#endif
typedef enum { SUNMEMTYPE_HOST, SUNMEMTYPE_PINNED, SUNMEMTYPE_DEVICE, SUNMEMTYPE_UVM } SUNMemoryType;
#endif
