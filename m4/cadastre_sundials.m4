# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_SUNDIALS
# Finds SUNDIALS for the adapter. What its stanza in Makefile.am needs: the conditions BUILD_SUNDIALS, HAVE_CVODE
# where CVODE is found with serial vectors and dense matrices, and SUNDIALS_IS_SHARED; SUNDIALS_CPPFLAGS, SUNDIALS_LIBS,
# CVODE_LIBS. For the summary: build_sundials.
AC_DEFUN([CADASTRE_SUNDIALS],
[AC_ARG_WITH([sundials],
  [AS_HELP_STRING([--with-sundials@<:@=DIR@:>@],
    [build the memory helper for SUNDIALS: auto, yes, no, or the folder that holds SUNDIALS' include and lib
     @<:@auto@:>@])],
  [], [with_sundials=auto])
SUNDIALS_CPPFLAGS=
SUNDIALS_LDFLAGS=
SUNDIALS_LIBS=
CVODE_LIBS=
have_cvode=no
sundials_is_shared=yes
cadastre_mpi=
AS_IF([test "x$with_sundials" = xno], [build_sundials="no: disabled"], [_CADASTRE_FIND_SUNDIALS])
AS_CASE([$with_sundials,$build_sundials],
  [auto,*|no,*|*,yes*], [],
  [AC_MSG_ERROR([--with-sundials=$with_sundials: ${build_sundials#no: }
Install SUNDIALS 5.8 or later with its headers (on Debian: libsundials-dev), or name the folder that holds its
include and lib, as in --with-sundials=/opt/sundials. If it was built with MPI, the same MPI is needed here: name its
compiler, as in MPICC=/usr/bin/mpicc. What was tried is in config.log.])])
AM_CONDITIONAL([BUILD_SUNDIALS], [AS_CASE([$build_sundials], [yes*], [true], [false])])
AM_CONDITIONAL([HAVE_CVODE], [test $have_cvode = yes])
AM_CONDITIONAL([SUNDIALS_IS_SHARED], [test $sundials_is_shared = yes])
AC_SUBST([SUNDIALS_CPPFLAGS])
AC_SUBST([SUNDIALS_LDFLAGS])
AC_SUBST([SUNDIALS_LIBS])
AC_SUBST([SUNDIALS_PC_LIBS])
AC_SUBST([CVODE_LIBS])
])

# Headers of SUNDIALS 7 that was built with MPI include mpi.h. Tried in this order to compile and link with it: the compiler
# as it is; the flags that the MPI compilers show, first those of the one that built SUNDIALS; the flags of pkg-config.
AC_DEFUN([_CADASTRE_TRY_MPI],
[CPPFLAGS="$CPPFLAGS $1"
LIBS="$2 $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[MPI_Comm none = MPI_COMM_NULL; int n; return MPI_Comm_rank(none, &n);]])],
  [cadastre_mpi=found
   SUNDIALS_CPPFLAGS="$SUNDIALS_CPPFLAGS $1"
   cadastre_mpi_libs="$2"])
CPPFLAGS=$cadastre_without_mpi_CPPFLAGS
LIBS=$cadastre_without_mpi_LIBS
])
AC_DEFUN([_CADASTRE_FIND_MPI],
[cadastre_without_mpi_CPPFLAGS=$CPPFLAGS
cadastre_without_mpi_LIBS=$LIBS
AC_LANG_CONFTEST([AC_LANG_SOURCE([[
#include <sundials/sundials_config.h>
cadastre_mpicc SUN_MPI_C_COMPILER
]])])
cadastre_mpicc=`($CXX $CPPFLAGS -E conftest.$ac_ext) 2>&AS_MESSAGE_LOG_FD | grep -v '^@%:@' | tr '\n' ' ' |
  sed -n 's/.*cadastre_mpicc *"\(@<:@^"@:>@*\)".*/\1/p'`
_CADASTRE_TRY_MPI([], [])
for cadastre_compiler in "$MPICC" "$cadastre_mpicc" "$CC" "$CXX" mpicc; do
  AS_IF([test -n "$cadastre_mpi" || test -z "$cadastre_compiler"], [continue])
  cadastre_shown=`$cadastre_compiler -show 2>&AS_MESSAGE_LOG_FD` || continue
  cadastre_cppflags=`echo "$cadastre_shown" | tr ' ' '\n' | sed -n 's/^-I/-isystem /p' | tr '\n' ' '`
  cadastre_libs=`echo "$cadastre_shown" | tr ' ' '\n' | grep '^-@<:@lL@:>@' | tr '\n' ' '`
  _CADASTRE_TRY_MPI([$cadastre_cppflags -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX], [$cadastre_libs])
done
for cadastre_module in ompi-c mpich mpi-c; do
  AS_IF([test -n "$cadastre_mpi" || test -z "$PKG_CONFIG" || ! $PKG_CONFIG --exists $cadastre_module], [continue])
  cadastre_cppflags=`$PKG_CONFIG --cflags-only-I $cadastre_module | sed 's/-I/-isystem /g'`
  cadastre_libs=`$PKG_CONFIG --libs $cadastre_module`
  _CADASTRE_TRY_MPI([$cadastre_cppflags -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX], [$cadastre_libs])
done
CPPFLAGS="$cadastre_save_CPPFLAGS $SUNDIALS_CPPFLAGS"
])

# The version, then the structure that the adapter fills, then the library with the functions that it calls: libsundials_core
# from 7 on, libsundials_generic before; some builds of 5 and 6 have the generic functions only in the libraries of modules.
AC_DEFUN([_CADASTRE_FIND_SUNDIALS],
[AS_CASE([$with_sundials],
  [auto|yes|/usr], [],
  [SUNDIALS_CPPFLAGS="-isystem $with_sundials/include"
   SUNDIALS_LDFLAGS="-L$with_sundials/lib -L$with_sundials/lib64 -R$with_sundials/lib -R$with_sundials/lib64"])
cadastre_save_CPPFLAGS=$CPPFLAGS
cadastre_save_LDFLAGS=$LDFLAGS
cadastre_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $SUNDIALS_CPPFLAGS"
LDFLAGS="$LDFLAGS "`echo " $SUNDIALS_LDFLAGS" | sed 's/ -R/ -Wl,-rpath,/g'`
AC_MSG_CHECKING([for SUNDIALS])
AC_COMPUTE_INT([cadastre_version], [100 * SUNDIALS_VERSION_MAJOR + SUNDIALS_VERSION_MINOR],
  [[#include <sundials/sundials_config.h>]], [cadastre_version=0])
cadastre_number=`expr $cadastre_version / 100`.`expr $cadastre_version % 100`
build_sundials=no
AS_CASE([$with_sundials],
  [auto|yes], [],
  [AS_IF([test ! -f "$with_sundials/include/sundials/sundials_config.h"], [cadastre_version=0])])
AS_IF([test $cadastre_version -eq 0], [build_sundials="no: its headers were not found, or do not compile"],
  [test $cadastre_version -lt 508], [build_sundials="no: version $cadastre_number is too old: 5.8 is needed"],
  [cadastre_mpi_libs=
   AC_COMPUTE_INT([cadastre_needs_mpi], [SUNDIALS_MPI_ENABLED],
     [[#include <sundials/sundials_config.h>
       #ifndef SUNDIALS_MPI_ENABLED
       #define SUNDIALS_MPI_ENABLED 0
       #endif]], [cadastre_needs_mpi=0])
   AS_IF([test $cadastre_version -ge 700 && test "$cadastre_needs_mpi" -ne 0], [_CADASTRE_FIND_MPI], [cadastre_mpi=none])
   for cadastre_library in sundials_core sundials_generic sundials_nvecserial; do
     LIBS="-l$cadastre_library $cadastre_mpi_libs -lm $cadastre_save_LIBS"
     AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <sundials/sundials_memory.h>
#include <sundials/sundials_version.h>
#if SUNDIALS_VERSION_MAJOR >= 7
#include <sundials/priv/sundials_context_impl.h>
#include <sundials/priv/sundials_errors_impl.h>
#define HANDLES
#elif SUNDIALS_VERSION_MAJOR == 6 && SUNDIALS_VERSION_MINOR >= 2
#include <sundials/sundials_context.h>
#include <sundials/sundials_logger.h>
#define LOGS
#endif
]], [[
SUNMemoryHelper volatile place = 0;
SUNMemoryHelper helper = place;
char label[10];
int n = 0;
#ifdef HANDLES
helper->sunctx->err_handler->call(0, "", "", "", helper->sunctx->last_err, 0, helper->sunctx);
#endif
#ifdef LOGS
SUNLogger logger = 0;
SUNContext_GetLogger(helper->sunctx, &logger);
SUNLogger_QueueMsg(logger, SUN_LOGLEVEL_ERROR, "", "", "");
#endif
return SUNDIALSGetVersionNumber(&n, &n, &n, label, 9) + helper->ops->destroy(helper);
]])],
       [SUNDIALS_LIBS="-l$cadastre_library $cadastre_mpi_libs"
        # With an archive the program contains the functions that it uses, and needs no library for them.
        AS_IF([$NM -D conftest$ac_exeext 2>/dev/null | grep 'SUNDIALSGetVersionNumber' >/dev/null], [],
          [sundials_is_shared=no
           SUNDIALS_LIBS="$SUNDIALS_LIBS -lm"])
        break])
   done
   AS_IF([test -n "$SUNDIALS_LIBS"],
     [build_sundials="yes: version $cadastre_number, $SUNDIALS_LIBS"
      AS_IF([test $sundials_is_shared = no], [build_sundials="$build_sundials, static"])],
     [test -z "$cadastre_mpi"],
     [build_sundials="no: version $cadastre_number was built with MPI, whose mpi.h and library were not found"],
     [build_sundials="no: version $cadastre_number has headers that do not compile, or lacks the generic functions"])])
AC_MSG_RESULT([$build_sundials])
SUNDIALS_PC_LIBS=`echo "$SUNDIALS_LDFLAGS $SUNDIALS_LIBS" | sed 's/ -R@<:@^ @:>@*//g'`
AS_IF([test -n "$SUNDIALS_LIBS" && test $cadastre_version -ge 600],
  [CVODE_LIBS="-lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense"
   LIBS="$CVODE_LIBS $SUNDIALS_LIBS $cadastre_save_LIBS"
   AC_MSG_CHECKING([for CVODE])
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmemory/sunmemory_system.h>
]], [[
SUNContext sunctx = 0;
N_Vector y = N_VNewEmpty_Serial(3, sunctx);
SUNMatrix a = SUNDenseMatrix(3, 3, sunctx);
return CVodeSetLinearSolver(CVodeCreate(CV_BDF, sunctx), SUNLinSol_Dense(y, a, sunctx), a) +
       (SUNMemoryHelper_Sys(sunctx) == 0);
]])], [have_cvode=yes])
   AC_MSG_RESULT([$have_cvode])])
CPPFLAGS=$cadastre_save_CPPFLAGS
LDFLAGS=$cadastre_save_LDFLAGS
LIBS=$cadastre_save_LIBS
])
