/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_LOGGER_H
#define IMITATED_SUNDIALS_LOGGER_H
#include <sundials/sundials_types.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct SUNLogger_* SUNLogger;
typedef enum { SUN_LOGLEVEL_NONE = 0, SUN_LOGLEVEL_ERROR = 1, SUN_LOGLEVEL_WARNING = 2 } SUNLogLevel;
imitated_result SUNLogger_QueueMsg(SUNLogger logger, SUNLogLevel lvl, const char* scope, const char* label, const char* msg_txt, ...);
/* The last message, "level: scope: label: text"; then it is forgotten. */
const char* sundials_imitation_log(void);
#ifdef __cplusplus
}
#endif
#endif
