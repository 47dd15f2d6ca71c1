/* Tangled from org/adapters/sundials_interface.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* A SUNMemoryHelper whose memory comes from a context.
 *
 *   cc sundials_helper.c $(pkg-config --cflags --libs cadastre-sundials)
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre_sundials.h>

#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_COMM_NULL NULL
#endif

/* SUNDIALS 5.8 has neither queues nor a SUNContext. */
#if SUNDIALS_VERSION_MAJOR < 6
#define AND(argument)
#else
#define AND(argument) , argument
#endif

/* Prints why the last call on a context failed. */
static int failed(cadastre_context context) {
  cadastre_error_struct error = cadastre_error_struct_zero;
  cadastre_last_error(context, &error);
  fprintf(stderr, "%s\n", error.message);
  return 1;
}

static int use(SUNMemoryHelper helper, cadastre_context context) {
  double here[100] = {1.0, 2.0}, back[100];
  SUNMemory there = NULL;
  SUNMemory wrapped = SUNMemoryHelper_Wrap_Cadastre(helper, here, SUNMEMTYPE_HOST);
  SUNMemory result = SUNMemoryHelper_Wrap_Cadastre(helper, back, SUNMEMTYPE_HOST);
  unsigned long allocated, freed;
  size_t bytes, most;
  int failures = wrapped == NULL || result == NULL;

  /* NULL: the helper's default queue. For CUDA, a queue is the address of a cudaStream_t. */
  failures += SUNMemoryHelper_Alloc(helper, &there, sizeof here, SUNMEMTYPE_HOST AND(NULL)) != 0;
  if (failures == 0) {
    failures += SUNMemoryHelper_Copy(helper, there, wrapped, sizeof here AND(NULL)) != 0;
    failures += SUNMemoryHelper_Copy(helper, result, there, sizeof back AND(NULL)) != 0;
    failures += back[1] != 2.0;
    failures += SUNMemoryHelper_Copy(helper, there, wrapped, sizeof here + 1 AND(NULL)) == 0; /* out of bounds */
    failures += SUNMemoryHelper_GetAllocStats_Cadastre(helper, SUNMEMTYPE_HOST, &allocated, &freed, &bytes, &most) != 0;
    printf("%lu allocated, %lu freed, %zu bytes now, %zu at most\n", allocated, freed, bytes, most);
    cadastre_report(context, stdout, CADASTRE_REPORT_TEXT);
  }
  if (failures > 0) failed(context);
  failures += SUNMemoryHelper_Dealloc(helper, wrapped AND(NULL)) != 0; /* does not free here and back */
  failures += SUNMemoryHelper_Dealloc(helper, result AND(NULL)) != 0;
  failures += SUNMemoryHelper_Dealloc(helper, there AND(NULL)) != 0;
  return failures;
}

int main(void) {
#if SUNDIALS_VERSION_MAJOR >= 6
  SUNContext sunctx = NULL;
#endif
  cadastre_context context = cadastre_context_create();
  SUNMemoryHelper helper;
  int failures = 0;

  if (context == CADASTRE_NULL_CONTEXT) return failed(context);
#if SUNDIALS_VERSION_MAJOR >= 6
  if (SUNContext_Create(SUN_COMM_NULL, &sunctx) != 0) return 1;
#endif
  helper = SUNMemoryHelper_Cadastre(context AND(sunctx));
  if (helper == NULL) return failed(context);
  SUNMemoryHelper_SetLabel_Cadastre(helper, "my vectors"); /* their name in the report; "SUNDIALS" by default */

  failures += use(helper, context);

  failures += SUNMemoryHelper_Destroy(helper) != 0;
#if SUNDIALS_VERSION_MAJOR >= 6
  failures += SUNContext_Free(&sunctx) != 0;
#endif
  failures += cadastre_context_destroy(context) != CADASTRE_SUCCESS;
  return failures != 0;
}
