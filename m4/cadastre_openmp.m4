# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_OPENMP
# Finds a compiler for the OpenMP backend's module. What the backend's stanza in
# Makefile.am needs: the condition BUILD_OPENMP_MODULE, OMPTARGET_CXX,
# OMPTARGET_CXXFLAGS, OPENMP_FLAGS, OPENMP_CPPFLAGS,
# OPENMP_ACCELERATES. In config.h:
# CADASTRE_OPENMP_ACCELERATES. For the summary: openmp_module.
#
# It only checks whether a program with a target region links. A device is not
# needed, since the machine that runs the library is often another one.
AC_DEFUN([CADASTRE_OPENMP],
[AC_REQUIRE([AC_CANONICAL_HOST])dnl
AC_ARG_WITH([openmp-offload],
  [AS_HELP_STRING([--with-openmp-offload@<:@=TARGETS@:>@],
    [build the module of the openmp backend: auto, yes, no, or for these targets (comma-separated), as in
     nvptx64-nvidia-cuda; yes means this machine itself @<:@auto@:>@])],
  [], [with_openmp_offload=auto])
AC_ARG_WITH([openmp-arch],
  [AS_HELP_STRING([--with-openmp-arch=ARCH], [the processor of the target, as in sm_90])],
  [], [with_openmp_arch=])
AC_ARG_VAR([OMPTARGET_CXX], [C++ compiler that offloads OpenMP target regions, for the openmp backend's module])
AC_ARG_VAR([OMPTARGET_CXXFLAGS], [its options, -O2 if not set])
AS_IF([test -z "${OMPTARGET_CXXFLAGS+set}"], [OMPTARGET_CXXFLAGS='-O2'])

openmp_targets=$with_openmp_offload
AS_CASE([$with_openmp_offload],
  [auto|yes|''],
    [AS_CASE([$host_cpu],
      [x86_64], [openmp_targets=x86_64-pc-linux-gnu],
      [aarch64], [openmp_targets=aarch64-unknown-linux-gnu],
      [powerpc64le], [openmp_targets=powerpc64le-unknown-linux-gnu],
      [openmp_targets=$host])])
AS_CASE([$openmp_targets],
  [x86_64*|aarch64*|powerpc64*], [openmp_accelerates=0],
  [openmp_accelerates=1])

openmp_module=no
AS_IF([test "x$with_openmp_offload" != xno],
  [AC_MSG_CHECKING([for a C++ compiler that offloads to $openmp_targets])
   AS_IF([test -n "$OMPTARGET_CXX"],
     [_CADASTRE_OPENMP_TRY([$OMPTARGET_CXX])],
     [for cadastre_cxx in clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
        _CADASTRE_OPENMP_TRY([$cadastre_cxx])
        AS_IF([test "$openmp_module" = yes], [break])
      done])
   AS_IF([test "$openmp_module" = yes],
     [AC_MSG_RESULT([$OMPTARGET_CXX])
      openmp_module="$OMPTARGET_CXX, $openmp_targets"],
     [AC_MSG_RESULT([none])
      AS_IF([test "x$with_openmp_offload" != xauto],
        [AC_MSG_ERROR([no C++ compiler offloads to $openmp_targets:
$openmp_problem
Install one with its OpenMP runtime and tools (on Debian: clang libomp-dev clang-tools), name another, as in
OMPTARGET_CXX=clang++-16, or disable the module with --without-openmp-offload. What was tried is in config.log.])])
      openmp_module="no:$openmp_problem"])],
  [openmp_accelerates=0])
AS_CASE([$openmp_module], [no*], [openmp_accelerates=0])
AM_CONDITIONAL([BUILD_OPENMP_MODULE], [AS_CASE([$openmp_module], [no*], [false], [true])])
AC_DEFINE_UNQUOTED([CADASTRE_OPENMP_ACCELERATES], [$openmp_accelerates],
  [Whether the devices of the openmp module that was built differ from the host.])
AC_SUBST([OPENMP_ACCELERATES], [$openmp_accelerates])
AC_SUBST([OPENMP_FLAGS])
AC_SUBST([OPENMP_CPPFLAGS])
])

# Tries one compiler. On success it is OMPTARGET_CXX; else openmp_problem contains
# the first error, one line for each compiler that exists.
AC_DEFUN([_CADASTRE_OPENMP_TRY],
[AS_IF([$1 --version >/dev/null 2>&1],
  [cadastre_resources=`$1 -print-resource-dir 2>/dev/null`
   openmp_libdir=
   for cadastre_dir in "$cadastre_resources/../.." "$cadastre_resources/../../$host_cpu-unknown-linux-gnu"; do
     AS_IF([test -z "$openmp_libdir" && test -f "$cadastre_dir/libomptarget.so"],
       [openmp_libdir=`cd "$cadastre_dir" && pwd -P`])
   done
   AS_IF([$1 -dM -E -x c++ /dev/null 2>/dev/null | grep -q '__clang__'],
     [OPENMP_FLAGS="-fopenmp -fopenmp-targets=$openmp_targets"
      AS_IF([test -n "$with_openmp_arch"],
        [OPENMP_FLAGS="$OPENMP_FLAGS -Xopenmp-target=$openmp_targets -march=$with_openmp_arch"])
      AS_CASE([$openmp_targets], [nvptx*], [OPENMP_FLAGS="$OPENMP_FLAGS -Wno-unknown-cuda-version"])
      AS_IF([test -f "$openmp_libdir/libomptarget-nvptx-$with_openmp_arch.bc"],
        [OPENMP_FLAGS="$OPENMP_FLAGS --libomptarget-nvptx-bc-path=$openmp_libdir"])
      AS_IF([test -n "$openmp_libdir"],
        [OPENMP_FLAGS="$OPENMP_FLAGS -L$openmp_libdir -Wl,-rpath,$openmp_libdir"])],
     [OPENMP_FLAGS="-fopenmp -foffload=$openmp_targets"
      AS_IF([test $openmp_accelerates = 0], [OPENMP_FLAGS="-fopenmp -foffload=disable"])])
   OPENMP_CPPFLAGS="-DCADASTRE_OPENMP_TARGETS='\"$openmp_targets\"' -DCADASTRE_OPENMP_LIBDIR='\"$openmp_libdir\"'"
   cadastre_folder=`mktemp -d "${TMPDIR:-/tmp}/cadastre.XXXXXX"`
   cat >"$cadastre_folder/trial.cpp" <<'_CADASTRE_END'
#include <omp.h>
int main() {
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  omp_target_free(omp_target_alloc(1, 0), 0);
  return on_host;
}
_CADASTRE_END
   echo "$1 $OMPTARGET_CXXFLAGS $OPENMP_FLAGS" >&AS_MESSAGE_LOG_FD
   AS_IF([(cd "$cadastre_folder" && $1 -std=c++17 $OMPTARGET_CXXFLAGS $OPENMP_FLAGS trial.cpp -o trial) \
       >"$cadastre_folder/output" 2>&1],
     [openmp_module=yes
      OMPTARGET_CXX="$1"],
     [cadastre_line=`grep -i -m 1 -e error -e 'cannot find' "$cadastre_folder/output" || sed -n 1p "$cadastre_folder/output"`
      openmp_problem="$openmp_problem $1 says: $cadastre_line"])
   cat "$cadastre_folder/output" >&AS_MESSAGE_LOG_FD
   rm -rf "$cadastre_folder"],
  [AS_IF([test -n "$OMPTARGET_CXX"], [openmp_problem=" $1 does not run"],
     [AS_IF([test -z "$openmp_problem" && test $1 = clang++-14], [openmp_problem=" clang++ was not found"])])])
])
