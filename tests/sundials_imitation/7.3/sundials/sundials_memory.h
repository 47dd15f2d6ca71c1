/* Tangled from org/tests/sundials_imitations.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* An imitation of SUNDIALS' header, written for Cadastre's tests. */
#ifndef IMITATED_SUNDIALS_MEMORY_H
#define IMITATED_SUNDIALS_MEMORY_H
#include <sundials/sundials_context.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct SUNMemory_ {
  void* ptr;
  SUNMemoryType type;
  sunbooleantype own;
  size_t bytes;
  size_t stride;
}* SUNMemory;
typedef struct SUNMemoryHelper_Ops_* SUNMemoryHelper_Ops;
typedef struct SUNMemoryHelper_ {
  void* content;
  void* queue;
  SUNMemoryHelper_Ops ops;
  SUNContext sunctx;
}* SUNMemoryHelper;
struct SUNMemoryHelper_Ops_ {
  imitated_result (*alloc)(SUNMemoryHelper, SUNMemory* memptr, size_t mem_size, SUNMemoryType mem_type, void* queue);
  imitated_result (*dealloc)(SUNMemoryHelper, SUNMemory mem, void* queue);
  imitated_result (*copy)(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size, void* queue);
  imitated_result (*allocstrided)(SUNMemoryHelper, SUNMemory* memptr, size_t mem_size, size_t stride, SUNMemoryType mem_type, void* queue);
  imitated_result (*copyasync)(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size, void* queue);
  imitated_result (*getallocstats)(SUNMemoryHelper, SUNMemoryType mem_type, unsigned long* num_allocations,
                                   unsigned long* num_deallocations, size_t* bytes_allocated, size_t* bytes_high_watermark);
  SUNMemoryHelper (*clone)(SUNMemoryHelper);
  imitated_result (*destroy)(SUNMemoryHelper);
};
SUNMemory SUNMemoryNewEmpty(SUNContext sunctx);
SUNMemory SUNMemoryHelper_Alias(SUNMemoryHelper, SUNMemory mem);
SUNMemory SUNMemoryHelper_Wrap(SUNMemoryHelper, void* ptr, SUNMemoryType mem_type);
imitated_result SUNMemoryHelper_AllocStrided(SUNMemoryHelper, SUNMemory* memptr, size_t mem_size, size_t stride, SUNMemoryType mem_type,
                                             void* queue);
imitated_result SUNMemoryHelper_SetDefaultQueue(SUNMemoryHelper, void* queue);
SUNMemoryHelper SUNMemoryHelper_NewEmpty(SUNContext sunctx);
imitated_result SUNMemoryHelper_Alloc(SUNMemoryHelper, SUNMemory* memptr, size_t mem_size, SUNMemoryType mem_type, void* queue);
imitated_result SUNMemoryHelper_Dealloc(SUNMemoryHelper, SUNMemory mem, void* queue);
imitated_result SUNMemoryHelper_Copy(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size, void* queue);
imitated_result SUNMemoryHelper_CopyAsync(SUNMemoryHelper, SUNMemory dst, SUNMemory src, size_t mem_size, void* queue);
imitated_result SUNMemoryHelper_GetAllocStats(SUNMemoryHelper, SUNMemoryType mem_type, unsigned long* num_allocations,
                                              unsigned long* num_deallocations, size_t* bytes_allocated, size_t* bytes_high_watermark);
SUNMemoryHelper SUNMemoryHelper_Clone(SUNMemoryHelper);
imitated_result SUNMemoryHelper_Destroy(SUNMemoryHelper);
imitated_result SUNMemoryHelper_CopyOps(SUNMemoryHelper src, SUNMemoryHelper dst);
#ifdef __cplusplus
}
#endif
#endif
