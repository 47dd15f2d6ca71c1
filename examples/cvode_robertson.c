/* Tangled from org/adapters/sundials_cvode.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
/* Robertson's chemical kinetics with CVODE, whose vectors get their data from a memory helper.
 *
 *   cc cvode_robertson.c $(pkg-config --cflags --libs cadastre-sundials) -lsundials_cvode -lsundials_nvecserial \
 *     -lsundials_sunmatrixdense -lsundials_sunlinsoldense -lsundials_sunlinsolspgmr -lm
 *   ./a.out           all vectors are in a context, and the report shows their memory
 *   ./a.out system    the same with SUNDIALS' own helper
 *   ./a.out temporary the linear solver is GMRES, whose vectors are in a workspace of the context
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cadastre_sundials.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmemory/sunmemory_system.h>

#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_COMM_NULL NULL
#endif

/* --- a serial vector whose data comes from a helper */

typedef struct helped_content {
  struct _N_VectorContent_Serial serial; /* first, for the operations of serial vectors */
  SUNMemoryHelper helper;
  SUNMemory data;
} helped_content;

static N_Vector helped_clone(N_Vector like);
static N_Vector helped_clone_empty(N_Vector like);
static void helped_destroy(N_Vector v);

static N_Vector helped_new_empty(sunindextype length, SUNMemoryHelper helper, SUNContext sunctx) {
  N_Vector made = N_VNewEmpty_Serial(length, sunctx);
  helped_content* content = made == NULL ? NULL : realloc(made->content, sizeof *content);
  if (content == NULL) {
    if (made != NULL) N_VDestroy_Serial(made);
    return NULL;
  }
  made->content = content;
  content->helper = helper;
  content->data = NULL;
  made->ops->nvclone = helped_clone;
  made->ops->nvcloneempty = helped_clone_empty;
  made->ops->nvdestroy = helped_destroy;
  return made;
}

static N_Vector with_data(N_Vector v) {
  helped_content* content = v == NULL ? NULL : v->content;
  if (content == NULL) return NULL;
  if (SUNMemoryHelper_Alloc(content->helper, &content->data, (size_t)content->serial.length * sizeof(sunrealtype), SUNMEMTYPE_HOST, NULL) !=
      0) {
    N_VDestroy(v);
    return NULL;
  }
  content->serial.data = content->data->ptr;
  return v;
}

static N_Vector helped_new(sunindextype length, SUNMemoryHelper helper, SUNContext sunctx) {
  return with_data(helped_new_empty(length, helper, sunctx));
}

static N_Vector helped_clone_empty(N_Vector like) {
  const helped_content* content = like->content;
  N_Vector made = helped_new_empty(content->serial.length, content->helper, like->sunctx);
  if (made != NULL) N_VCopyOps(like, made);
  return made;
}

static N_Vector helped_clone(N_Vector like) { return with_data(helped_clone_empty(like)); }

static void helped_destroy(N_Vector v) {
  helped_content* content = v->content;
  SUNMemoryHelper_Dealloc(content->helper, content->data, NULL);
  N_VDestroy_Serial(v); /* frees the rest: the vector does not own the data */
}

/* --- the problem */

static int rates(sunrealtype t, N_Vector y, N_Vector ydot, void* user_data) {
  const sunrealtype* c = NV_DATA_S(y);
  sunrealtype* d = NV_DATA_S(ydot);
  (void)t;
  (void)user_data;
  d[0] = -0.04 * c[0] + 1e4 * c[1] * c[2];
  d[2] = 3e7 * c[1] * c[1];
  d[1] = -d[0] - d[2];
  return 0;
}

/* temporaries: NULL for a direct solver. */
static int solve(SUNMemoryHelper helper, SUNMemoryHelper temporaries, SUNContext sunctx) {
  N_Vector y = helped_new(3, helper, sunctx), tolerances = helped_new(3, helper, sunctx);
  N_Vector like = temporaries == NULL ? NULL : helped_new(3, temporaries, sunctx);
  SUNMatrix jacobian = temporaries == NULL ? SUNDenseMatrix(3, 3, sunctx) : NULL;
  SUNLinearSolver solver = NULL;
  void* cvode = CVodeCreate(CV_BDF, sunctx);
  sunrealtype t = 0.0, until = 0.4;
  int status = -1, i;

  if (y == NULL || tolerances == NULL || (like == NULL && jacobian == NULL) || cvode == NULL) goto end;
  memcpy(NV_DATA_S(y), ((sunrealtype[]){1.0, 0.0, 0.0}), 3 * sizeof(sunrealtype));
  memcpy(NV_DATA_S(tolerances), ((sunrealtype[]){1e-8, 1e-14, 1e-6}), 3 * sizeof(sunrealtype));
  solver = like == NULL ? SUNLinSol_Dense(y, jacobian, sunctx) : SUNLinSol_SPGMR(like, SUN_PREC_NONE, 0, sunctx);
  if (solver == NULL) goto end;
  status = CVodeInit(cvode, rates, 0.0, y);
  if (status == CV_SUCCESS) status = CVodeSVtolerances(cvode, 1e-4, tolerances);
  if (status == CV_SUCCESS) status = CVodeSetLinearSolver(cvode, solver, jacobian);
  for (i = 0; i < 12 && status == CV_SUCCESS; ++i, until *= 10) {
    status = CVode(cvode, until, y, &t, CV_NORMAL);
    if (status == CV_SUCCESS) {
      printf("t = %.4e  y = %.16e %.16e %.16e\n", t, NV_Ith_S(y, 0), NV_Ith_S(y, 1), NV_Ith_S(y, 2));
    }
  }
end:
  if (cvode != NULL) CVodeFree(&cvode);
  if (solver != NULL) SUNLinSolFree(solver);
  if (jacobian != NULL) SUNMatDestroy(jacobian);
  if (like != NULL) N_VDestroy(like);
  if (tolerances != NULL) N_VDestroy(tolerances);
  if (y != NULL) N_VDestroy(y);
  return status == CV_SUCCESS ? 0 : 1;
}

/* --- with one of the helpers */

static int solve_in_a_context(SUNContext sunctx) {
  unsigned long allocated = 0, freed = 0;
  size_t bytes = 0, most = 0;
  cadastre_context context = cadastre_context_create();
  SUNMemoryHelper helper = SUNMemoryHelper_Cadastre(context, sunctx);
  cadastre_destroy_summary_struct left = cadastre_destroy_summary_struct_zero;
  cadastre_error_struct error = cadastre_error_struct_zero;
  int status = 1;

  if (helper != NULL) {
    SUNMemoryHelper_SetLabel_Cadastre(helper, "CVODE vectors");
    N_Vector extra = helped_new(3, helper, sunctx); /* so that the report is not empty */
    status = solve(helper, NULL, sunctx);
    SUNMemoryHelper_GetAllocStats_Cadastre(helper, SUNMEMTYPE_HOST, &allocated, &freed, &bytes, &most);
    printf("CVODE's vectors: %lu allocated, %lu freed, %zu bytes now, %zu at most\n", allocated, freed, bytes, most);
    cadastre_report(context, stdout, CADASTRE_REPORT_TEXT);
    if (extra != NULL) N_VDestroy(extra);
    SUNMemoryHelper_Destroy(helper);
  }
  if (status != 0 && cadastre_last_error(context, &error) == CADASTRE_SUCCESS) fprintf(stderr, "%s\n", error.message);
  if (cadastre_context_destroy_with_summary(context, &left) != CADASTRE_SUCCESS || left.live_blocks != 0) status = 1;
  return status;
}

static int solve_with_temporaries(SUNContext sunctx) {
  cadastre_workspace_info_struct workspace = cadastre_workspace_info_struct_zero;
  cadastre_context context = cadastre_context_create();
  SUNMemoryHelper helper = SUNMemoryHelper_Cadastre(context, sunctx), temporaries = NULL;
  int status = 1;

  if (helper != NULL) temporaries = SUNMemoryHelper_Clone(helper);
  if (temporaries != NULL && SUNMemoryHelper_SetTemporary_Cadastre(temporaries, SUNTRUE) == 0) {
    status = solve(helper, temporaries, sunctx);
    cadastre_workspace_get_info(context, CADASTRE_HOST, &workspace);
    /* From now on the size is known, and nothing is allocated but the integrator's own vectors. */
    if (status == 0) status = cadastre_workspace_set_size(context, CADASTRE_HOST, workspace.high_water_mark_bytes);
    if (status == 0) status = solve(helper, temporaries, sunctx);
    cadastre_workspace_get_info(context, CADASTRE_HOST, &workspace);
    printf("Workspace: %zu bytes at most, %lld acquisitions, %lld failed, %lld growths\n", workspace.high_water_mark_bytes,
           (long long)workspace.acquisitions, (long long)workspace.failed_acquisitions, (long long)workspace.growths);
  }
  if (temporaries != NULL) SUNMemoryHelper_Destroy(temporaries);
  if (helper != NULL) SUNMemoryHelper_Destroy(helper);
  if (cadastre_context_destroy(context) != CADASTRE_SUCCESS || workspace.live_leases != 0) status = 1;
  return status;
}

int main(int argc, char** argv) {
  SUNContext sunctx = NULL;
  int status;
  if (SUNContext_Create(SUN_COMM_NULL, &sunctx) != 0) return 1;
  if (argc > 1 && strcmp(argv[1], "system") == 0) {
    SUNMemoryHelper helper = SUNMemoryHelper_Sys(sunctx);
    status = helper == NULL || solve(helper, NULL, sunctx);
    if (helper != NULL) SUNMemoryHelper_Destroy(helper);
  } else if (argc > 1 && strcmp(argv[1], "temporary") == 0) {
    status = solve_with_temporaries(sunctx);
  } else {
    status = solve_in_a_context(sunctx);
  }
  SUNContext_Free(&sunctx);
  return status;
}
