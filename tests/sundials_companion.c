/* Tangled from org/tests/sundials_fortran_claims.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Fortran test of the helper has from C. */
#include <cadastre_sundials.h>

SUNContext companion_context(void);
void companion_free(SUNContext sunctx);
int companion_size_of_start(void);

SUNContext companion_context(void) {
  SUNContext sunctx = NULL;
#if SUNDIALS_VERSION_MAJOR >= 7
  return SUNContext_Create(SUN_COMM_NULL, &sunctx) == 0 ? sunctx : NULL;
#else
  return SUNContext_Create(NULL, &sunctx) == 0 ? sunctx : NULL;
#endif
}
void companion_free(SUNContext sunctx) { SUNContext_Free(&sunctx); }
/* Where the members that Fortran knows end. */
int companion_size_of_start(void) {
  static void* room[32];
  const SUNMemory memory = (SUNMemory)(void*)room;
  return (int)((const char*)(&memory->own + 1) - (const char*)memory);
}
