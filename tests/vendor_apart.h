/* Tangled from org/tests/vendor_apart.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A backend for tests, registered by the program: its device memory is at addresses that the host cannot reach.
 * To be included after cmocka.h. */
#ifndef CADASTRE_TESTS_VENDOR_APART_H
#define CADASTRE_TESTS_VENDOR_APART_H

#include <stdlib.h>
#include <string.h>

#include "cadastre.h"

/* Added to an address of the host, it makes one that no machine has memory at. */
#define APART (UINT64_C(1) << 62)

enum { BLOCKS = 64, DEVICES = 2 };

static struct {
  uintptr_t address;
  size_t size;
  int32_t device;
} blocks[BLOCKS];
static cadastre_backend vendor;
static int copies, refusing, keeping; /* keeping: the memory of what is freed */

static inline void* there(void* here) { return (void*)((uintptr_t)here + APART); }
static inline unsigned char* here(const void* there_) { return (unsigned char*)((uintptr_t)there_ - APART); }

static inline void enter(void* block, size_t size, int32_t device) {
  int i = 0;
  while (i < BLOCKS && blocks[i].address != 0) ++i;
  assert_true(i < BLOCKS);
  blocks[i].address = (uintptr_t)block;
  blocks[i].size = size;
  blocks[i].device = device;
}

static inline int leave(const void* block) {
  for (int i = 0; i < BLOCKS; ++i) {
    if (blocks[i].address != (uintptr_t)block) continue;
    blocks[i].address = 0;
    return 0;
  }
  return 1;
}

/* The bytes that a place means; NULL where the vendor has no such memory. */
static inline unsigned char* bytes_at(const void* address, const cadastre_memory_info_struct* place, size_t size) {
  const uintptr_t first = (uintptr_t)address;
  if (place->type != CADASTRE_DEVICE) return (unsigned char*)first;
  for (int i = 0; i < BLOCKS; ++i) {
    if (blocks[i].address == 0 || blocks[i].device != place->device_id || first < blocks[i].address) continue;
    if (first - blocks[i].address + size <= blocks[i].size) return here(address);
  }
  return NULL;
}

static inline int32_t vendor_allocate(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer) {
  (void)content, (void)queue;
  if (refusing) return 5;
  void* const memory = malloc(request->size + 1); /* and a byte behind it that a test may call another block */
  if (!memory) return 12;
  *pointer = there(memory);
  enter(*pointer, request->size, request->device_id);
  return 0;
}

static inline int32_t vendor_free(void* content, const cadastre_memory_info_struct* block) {
  (void)content;
  if (leave(block->pointer) != 0) return 22;
  if (!keeping) free(here(block->pointer));
  return 0;
}

static inline int32_t vendor_copy(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                                  const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue) {
  (void)content, (void)queue;
  ++copies;
  unsigned char* const to = bytes_at(dest, dest_place, size);
  const unsigned char* const from = bytes_at(src, src_place, size);
  if (refusing || !to || !from) return 5;
  memcpy(to, from, size);
  return 0;
}

static inline int32_t vendor_set(void* content, void* dest, const cadastre_memory_info_struct* place, int value, size_t size,
                                 cadastre_queue queue) {
  (void)content, (void)queue;
  unsigned char* const to = bytes_at(dest, place, size);
  if (!to) return 5;
  memset(to, value, size);
  return 0;
}

static inline void register_vendor(void) {
  cadastre_backend_operations_struct operations = cadastre_backend_operations_struct_zero;
  operations.memory_type_mask = UINT32_C(1) << CADASTRE_DEVICE;
  operations.device_count = DEVICES;
  operations.allocate = vendor_allocate;
  operations.free = vendor_free;
  operations.copy = vendor_copy;
  operations.set = vendor_set;
  vendor = cadastre_backend_register("apart", &operations, NULL);
}

static inline cadastre_context context_on(int32_t device) {
  cadastre_context_options_struct options = cadastre_context_options_struct_zero;
  options.backend = vendor;
  options.device = CADASTRE_DEVICE_BY_ID(device);
  const cadastre_context context = cadastre_context_create_with_options(&options);
  assert_true(context != CADASTRE_NULL_CONTEXT);
  copies = 0;
  return context;
}

static inline unsigned char* foreign(size_t size) {
  unsigned char* const block = (unsigned char*)there(calloc(1, size));
  enter(block, size, 0);
  return block;
}

static inline void forget(unsigned char* block) {
  assert_int_equal(leave(block), 0);
  free(here(block));
}

static inline int64_t borrowed(cadastre_context context) {
  int64_t all = 0;
  for (cadastre_memory_type type = CADASTRE_HOST; type < CADASTRE_MEMORY_TYPE_COUNT; ++type) {
    cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
    assert_int_equal(cadastre_get_statistics(context, type, &statistics), CADASTRE_SUCCESS);
    all += statistics.borrowed_blocks;
  }
  return all;
}

/* That a lock is not held is told by its release, which is refused. */
static inline void assert_as_before(cadastre_context context) {
  assert_int_equal(borrowed(context), 0);
  assert_int_equal(cadastre_unlock(context), CADASTRE_FAILURE);
}

#endif
