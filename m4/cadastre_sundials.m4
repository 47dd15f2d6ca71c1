# CADASTRE_SUNDIALS
# Finds SUNDIALS for the adapter. What its stanza in Makefile.am needs: the conditions BUILD_SUNDIALS, and HAVE_CVODE
# where CVODE is there with serial vectors and dense matrices; SUNDIALS_CPPFLAGS, SUNDIALS_LIBS, CVODE_LIBS. For the
# summary: build_sundials.
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
AS_IF([test "x$with_sundials" = xno], [build_sundials="no: not wanted"], [_CADASTRE_FIND_SUNDIALS])
AS_CASE([$with_sundials,$build_sundials],
  [auto,*|no,*|*,yes*], [],
  [AC_MSG_ERROR([--with-sundials=$with_sundials: ${build_sundials#no: }
Install SUNDIALS 5.8 or later with its headers (on Debian: libsundials-dev), or name the folder that holds its
include and lib, as in --with-sundials=/opt/sundials. Headers that include mpi.h need CPPFLAGS=-I... with its folder.
What was tried is in config.log.])])
AM_CONDITIONAL([BUILD_SUNDIALS], [AS_CASE([$build_sundials], [yes*], [true], [false])])
AM_CONDITIONAL([HAVE_CVODE], [test $have_cvode = yes])
AC_SUBST([SUNDIALS_CPPFLAGS])
AC_SUBST([SUNDIALS_LDFLAGS])
AC_SUBST([SUNDIALS_LIBS])
AC_SUBST([SUNDIALS_PC_LIBS])
AC_SUBST([CVODE_LIBS])
])

# The version, then the structure that the adapter fills, then the library that has what it calls: libsundials_core
# from 7 on, libsundials_generic before; some builds of 5 and 6 have the generic functions only in those of modules.
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
  [for cadastre_library in sundials_core sundials_generic sundials_nvecserial; do
     LIBS="-l$cadastre_library $cadastre_save_LIBS"
     AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <sundials/sundials_memory.h>
#include <sundials/sundials_version.h>
#if SUNDIALS_VERSION_MAJOR > 6 || (SUNDIALS_VERSION_MAJOR == 6 && SUNDIALS_VERSION_MINOR >= 2)
#include <sundials/sundials_context.h>
#include <sundials/sundials_logger.h>
#define LOGS
#endif
]], [[
SUNMemoryHelper helper = 0;
char label[10];
int n = 0;
#ifdef LOGS
SUNLogger logger = 0;
SUNContext_GetLogger(helper->sunctx, &logger);
SUNLogger_QueueMsg(logger, SUN_LOGLEVEL_ERROR, "", "", "");
#endif
return SUNDIALSGetVersionNumber(&n, &n, &n, label, 9) + helper->ops->destroy(helper);
]])], [SUNDIALS_LIBS="-l$cadastre_library"; break])
   done
   AS_IF([test -n "$SUNDIALS_LIBS"],
     [build_sundials="yes: version $cadastre_number, $SUNDIALS_LIBS"],
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
