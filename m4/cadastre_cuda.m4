# CADASTRE_CHECK_CUDA
# The check of the backend cuda: finds the headers of the CUDA runtime, and nothing else, since the library
# is opened when a program runs. Sets cadastre_build and, for the summary, cadastre_cuda; CUDA_CPPFLAGS; and in
# config.h the names under which the library is searched, which must be of the headers' major version: the
# layout of structures differs between major versions.
AC_DEFUN([CADASTRE_CHECK_CUDA],
[AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
    [build the CUDA backend: auto, yes, no, or the folder that holds include/cuda_runtime_api.h @<:@auto@:>@])],
  [], [with_cuda=auto])
cadastre_build=no
CUDA_CPPFLAGS=
AS_IF([test "x$with_cuda" = xno], [cadastre_cuda="no: disabled"], [CADASTRE_FIND_CUDA])
AC_SUBST([CUDA_CPPFLAGS])
])

# CADASTRE_FIND_CUDA
# What CADASTRE_CHECK_CUDA does unless CUDA is disabled.
AC_DEFUN([CADASTRE_FIND_CUDA],
[AC_MSG_CHECKING([for the headers of the CUDA runtime])
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
  [1100?|1101?], [cadastre_soname=],
  [11???], [cadastre_soname=libcudart.so.11.0],
  [12???], [cadastre_soname=libcudart.so.12],
  [13???], [cadastre_soname=libcudart.so.13],
  [cadastre_soname=])
AS_IF([test "$cadastre_version" -eq 0],
    [cadastre_cuda="no: cuda_runtime_api.h was not found, or does not compile ($cadastre_places)"],
  [test -z "$cadastre_soname"],
    [cadastre_cuda="no: CUDART_VERSION $cadastre_version in $cadastre_place; CUDA 11.2 to 13 are supported"],
  [cadastre_build=yes
   cadastre_number=`expr $cadastre_version / 1000`.`expr $cadastre_version % 1000 / 10`
   cadastre_cuda="headers of version $cadastre_number, $cadastre_place"])
AC_MSG_RESULT([$cadastre_cuda])
AS_IF([test $cadastre_build = yes],
  [CUDA_CPPFLAGS=$cadastre_option
   AS_CASE([$cadastre_place],
     [compiler|/usr], [cadastre_fallback=],
     [cadastre_fallback=$cadastre_place/lib64/$cadastre_soname])
   AC_DEFINE_UNQUOTED([CADASTRE_CUDART_SONAME], ["$cadastre_soname"],
     [The CUDA runtime, for the dynamic linker.])
   AC_DEFINE_UNQUOTED([CADASTRE_CUDART_FALLBACK], ["$cadastre_fallback"],
     [Where it was when this was built, or empty.])],
  [test "x$with_cuda" != xauto],
  [AC_MSG_ERROR([--with-cuda=$with_cuda: $cadastre_cuda
Name the folder of a CUDA toolkit, which holds include/cuda_runtime_api.h])])
])
