/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_MEMORY_H
#define IMITATED_SUNDIALS_MEMORY_H
#include <sundials/sundials_types.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct _SUNMemory {
  void* ptr;
  SUNMemoryType type;
  booleantype own;
}* SUNMemory;
typedef struct _SUNMemoryHelper_Ops* SUNMemoryHelper_Ops;
typedef struct _SUNMemoryHelper {
  void* content;
  SUNMemoryHelper_Ops ops;
}* SUNMemoryHelper;
struct _SUNMemoryHelper_Ops {
  int (*alloc)(SUNMemoryHelper, SUNMemory* memptr, size_t mem_size, SUNMemoryType mem_type);
  int (*dealloc)(SUNMemoryHelper, SUNMemory mem);
  int (*copy)(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size);
  int (*copyasync)(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size, void* ctx);
  SUNMemoryHelper (*clone)(SUNMemoryHelper);
  int (*destroy)(SUNMemoryHelper);
};
SUNMemory SUNMemoryNewEmpty(void);
SUNMemory SUNMemoryHelper_Alias(SUNMemory mem);
SUNMemory SUNMemoryHelper_Wrap(void* ptr, SUNMemoryType mem_type);
SUNMemoryHelper SUNMemoryHelper_NewEmpty(void);
int SUNMemoryHelper_Alloc(SUNMemoryHelper, SUNMemory* memptr, size_t mem_size, SUNMemoryType mem_type);
int SUNMemoryHelper_Dealloc(SUNMemoryHelper, SUNMemory mem);
int SUNMemoryHelper_Copy(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size);
int SUNMemoryHelper_CopyAsync(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size, void* ctx);
SUNMemoryHelper SUNMemoryHelper_Clone(SUNMemoryHelper);
int SUNMemoryHelper_Destroy(SUNMemoryHelper);
int SUNMemoryHelper_CopyOps(SUNMemoryHelper src, SUNMemoryHelper dst);
#ifdef __cplusplus
}
#endif
#endif
