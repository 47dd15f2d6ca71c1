# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_CHECK_CUDA
# The check of the backend cuda. It is built unless it is disabled: the runtime is opened when a program runs, and its
# declarations are Cadastre's own. What is looked for is a toolkit, whose headers these are compared with; it must be there
# where --with-cuda asks for it. Sets cadastre_build and, for the summary, cadastre_cuda; CUDA_CPPFLAGS and the condition
# CUDA_HEADERS for the comparison; and in config.h the folder where a runtime is looked for at last.
AC_DEFUN([CADASTRE_CHECK_CUDA],
[AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
    [build the CUDA backend and compare its declarations with the headers of a toolkit: auto (where one is found), yes, no
     (no backend), or the folder that holds include/cuda_runtime_api.h @<:@auto@:>@])],
  [], [with_cuda=auto])
cadastre_build=yes
cadastre_headers=no
CUDA_CPPFLAGS=
AS_IF([test "x$with_cuda" = xno],
  [cadastre_build=no
   cadastre_cuda="no: disabled"],
  [CADASTRE_FIND_CUDA])
AC_SUBST([CUDA_CPPFLAGS])
AM_CONDITIONAL([CUDA_HEADERS], [test $cadastre_headers = yes])
])

# CADASTRE_FIND_CUDA
# What CADASTRE_CHECK_CUDA does unless CUDA is disabled.
AC_DEFUN([CADASTRE_FIND_CUDA],
[AC_MSG_CHECKING([for the headers of a CUDA toolkit])
AS_CASE([$with_cuda],
  [yes|auto], [cadastre_places="$CUDA_HOME:$CUDA_PATH:/usr/local/cuda:compiler"],
  [cadastre_places=$with_cuda])
cadastre_version=0
cadastre_save_CPPFLAGS=$CPPFLAGS
cadastre_save_IFS=$IFS
IFS=:
for cadastre_place in $cadastre_places; do
  IFS=$cadastre_save_IFS
  AS_CASE([$cadastre_place],
    [''], [continue],
    [compiler|/usr], [cadastre_option=],
    [test -f "$cadastre_place/include/cuda_runtime_api.h" || continue
     cadastre_place=`cd "$cadastre_place" && pwd`  # what is searched at run time has no relative path
     cadastre_option="-isystem $cadastre_place/include"])
  CPPFLAGS="$cadastre_save_CPPFLAGS $cadastre_option"
  AC_COMPUTE_INT([cadastre_version], [CUDART_VERSION], [[#include <cuda_runtime_api.h>]], [cadastre_version=0])
  AS_IF([test "$cadastre_version" -gt 0], [break])
done
IFS=$cadastre_save_IFS
CPPFLAGS=$cadastre_save_CPPFLAGS
AS_CASE([$cadastre_version],
  [1100?|1101?], [],
  [11???|12???|13???], [cadastre_headers=yes])
cadastre_folder=/usr/local/cuda/lib64
AS_IF([test $cadastre_headers = yes],
    [cadastre_number=`expr $cadastre_version / 1000`.`expr $cadastre_version % 1000 / 10`
     cadastre_found="headers of version $cadastre_number, $cadastre_place"
     cadastre_cuda="yes; its declarations are compared with $cadastre_found"
     CUDA_CPPFLAGS=$cadastre_option
     AS_CASE([$cadastre_place], [compiler|/usr], [], [cadastre_folder=$cadastre_place/lib64])],
  [test "$cadastre_version" -eq 0],
    [cadastre_found="cuda_runtime_api.h was not found, or does not compile ($cadastre_places)"
     cadastre_cuda="yes; there are no headers to compare its declarations with"],
  [cadastre_found="CUDART_VERSION $cadastre_version in $cadastre_place; CUDA 11.2 to 13 are supported"
   cadastre_cuda="yes; its declarations are not compared with headers of CUDART_VERSION $cadastre_version"])
AC_MSG_RESULT([$cadastre_found])
AC_DEFINE_UNQUOTED([CADASTRE_CUDART_FOLDER], ["$cadastre_folder"],
  [Where a CUDA runtime is looked for that the dynamic linker does not find.])
AS_CASE([$with_cuda,$cadastre_headers], [auto,*|*,yes], [],
  [AC_MSG_ERROR([--with-cuda=$with_cuda: $cadastre_found
Name the folder of a CUDA toolkit, which holds include/cuda_runtime_api.h; or leave the option out: the backend is built without
headers, too])])
])
