# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_CHECK_HIP
# The check of the backend hip. It is built unless it is disabled, as the backend cuda is, and its declarations are compared with
# HIP's headers where these are found; they must be there where --with-hip asks for it. Sets cadastre_build, cadastre_hip for the
# summary, HIP_CPPFLAGS, and the condition HIP_HEADERS.
AC_DEFUN([CADASTRE_CHECK_HIP],
[AC_ARG_WITH([hip],
  [AS_HELP_STRING([--with-hip@<:@=DIR@:>@],
    [build the HIP backend and compare its declarations with the headers of ROCm: auto (where they are found), yes, no
     (no backend), or the folder that holds include/hip/hip_runtime_api.h @<:@auto@:>@])],
  [], [with_hip=auto])
cadastre_build=yes
cadastre_headers=no
HIP_CPPFLAGS=
AS_IF([test "x$with_hip" = xno],
  [cadastre_build=no
   cadastre_hip="no: disabled"],
  [CADASTRE_FIND_HIP])
AC_SUBST([HIP_CPPFLAGS])
AM_CONDITIONAL([HIP_HEADERS], [test $cadastre_headers = yes])
])

# CADASTRE_FIND_HIP
# What CADASTRE_CHECK_HIP does unless HIP is disabled.
AC_DEFUN([CADASTRE_FIND_HIP],
[AC_MSG_CHECKING([for the headers of HIP])
AS_CASE([$with_hip],
  [yes|auto], [cadastre_places="$ROCM_PATH:$HIP_PATH:/opt/rocm:compiler"],
  [cadastre_places=$with_hip])
cadastre_version=0
cadastre_save_CPPFLAGS=$CPPFLAGS
cadastre_save_IFS=$IFS
IFS=:
for cadastre_place in $cadastre_places; do
  IFS=$cadastre_save_IFS
  AS_CASE([$cadastre_place],
    [''], [continue],
    [compiler|/usr], [cadastre_option=],
    [test -f "$cadastre_place/include/hip/hip_runtime_api.h" || continue
     cadastre_option="-isystem $cadastre_place/include"])
  CPPFLAGS="$cadastre_save_CPPFLAGS $cadastre_option -D__HIP_PLATFORM_AMD__=1 -D__HIP_PLATFORM_HCC__=1"
  AC_COMPUTE_INT([cadastre_version], [HIP_VERSION / 100000], [[#include <hip/hip_runtime_api.h>]], [cadastre_version=0])
  AS_IF([test "$cadastre_version" -gt 0], [break])
done
IFS=$cadastre_save_IFS
CPPFLAGS=$cadastre_save_CPPFLAGS
AS_IF([test "$cadastre_version" -ge 502 && test "$cadastre_version" -lt 800], [cadastre_headers=yes])
AS_IF([test $cadastre_headers = yes],
    [cadastre_found="headers of version `expr $cadastre_version / 100`.`expr $cadastre_version % 100`, $cadastre_place"
     cadastre_hip="yes; its declarations are compared with $cadastre_found"
     HIP_CPPFLAGS=$cadastre_option],
  [test "$cadastre_version" -eq 0],
    [cadastre_found="hip/hip_runtime_api.h was not found, or does not compile ($cadastre_places)"
     cadastre_hip="yes; there are no headers to compare its declarations with"],
  [cadastre_found="version $cadastre_version in $cadastre_place; ROCm 5.2 to 7 are supported"
   cadastre_hip="yes; its declarations are not compared with $cadastre_found"])
AC_MSG_RESULT([$cadastre_found])
AS_CASE([$with_hip,$cadastre_headers], [auto,*|*,yes], [],
  [AC_MSG_ERROR([--with-hip=$with_hip: $cadastre_found
Name the folder of ROCm, which holds include/hip/hip_runtime_api.h; or leave the option out: the backend is built without
headers, too])])
])
