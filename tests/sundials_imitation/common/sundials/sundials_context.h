/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_CONTEXT_H
#define IMITATED_SUNDIALS_CONTEXT_H
#include <sundials/sundials_logger.h>
#ifdef __cplusplus
extern "C" {
#endif
#if SUNDIALS_VERSION_MAJOR >= 7
imitated_result SUNContext_Create(SUNComm comm, SUNContext* sunctx);
SUNErrCode SUNContext_GetLastError(SUNContext sunctx);
SUNErrCode SUNContext_PeekLastError(SUNContext sunctx);
SUNErrCode SUNContext_PushErrHandler(SUNContext sunctx, SUNErrHandlerFn err_fn, void* err_user_data);
SUNErrCode SUNContext_PopErrHandler(SUNContext sunctx);
#else
typedef struct SUNContext_* SUNContext;
imitated_result SUNContext_Create(void* comm, SUNContext* sunctx);
#endif
imitated_result SUNContext_GetLogger(SUNContext sunctx, SUNLogger* logger);
imitated_result SUNContext_Free(SUNContext* sunctx);
#ifdef __cplusplus
}
#endif
#endif
