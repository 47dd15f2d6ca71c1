/* Tangled from org/sundials.org; change the chapter, then run: make tangle */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_CONTEXT_H
#define IMITATED_SUNDIALS_CONTEXT_H
#include <sundials/sundials_logger.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct SUNContext_* SUNContext;
#if SUNDIALS_VERSION_MAJOR >= 7
imitated_result SUNContext_Create(SUNComm comm, SUNContext* sunctx);
#else
imitated_result SUNContext_Create(void* comm, SUNContext* sunctx);
#endif
imitated_result SUNContext_GetLogger(SUNContext sunctx, SUNLogger* logger);
imitated_result SUNContext_Free(SUNContext* sunctx);
#ifdef __cplusplus
}
#endif
#endif
