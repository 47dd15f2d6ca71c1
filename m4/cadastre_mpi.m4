# SPDX-License-Identifier: BSD-3-Clause
# CADASTRE_MPI
# Finds MPI for libcadastre_mpi; CC and CXX stay as they are. What its stanza in Makefile.am needs: the conditions BUILD_MPI and
# HAVE_MPIRUN; MPI_CPPFLAGS, MPI_LIBS, MPI_LDFLAGS, MPIRUN. For the summary: build_mpi. After PKG_CHECK_MODULES([NLOHMANN_JSON]).
AC_DEFUN([CADASTRE_MPI],
[AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--with-mpi], [build the report on all ranks of an MPI program: auto, yes or no @<:@auto@:>@])],
  [], [with_mpi=auto])
AC_ARG_VAR([MPICC], [MPI's C compiler, whose flags are used for libcadastre_mpi, and if SUNDIALS was built with MPI])
AC_ARG_VAR([MPIRUN], [what starts the ranks of a test, as mpirun -n 4])
MPI_CPPFLAGS=
MPI_LIBS=
MPI_LDFLAGS=
cadastre_mpi_compiler=
AS_IF([test "x$with_mpi" = xno], [build_mpi="no: disabled"],
  [test $have_json = no], [build_mpi="no: nlohmann_json (nlohmann-json3-dev) was not found"],
  [build_mpi="no: MPI's compiler was not found, or does not link"
   _CADASTRE_FIND_MPI_LIBRARY])
AS_CASE([$with_mpi,$build_mpi],
  [auto,*|no,*|*,yes*], [],
  [AC_MSG_ERROR([--with-mpi=$with_mpi: ${build_mpi#no: }
Install an MPI with its headers (on Debian: libopenmpi-dev or libmpich-dev) and nlohmann_json, or name MPI's C compiler, as in
MPICC=/usr/bin/mpicc. What was tried is in config.log.])])
AS_IF([test -z "$MPIRUN" && test -n "$cadastre_mpi_compiler"],
  [cadastre_runner=`echo "$cadastre_mpi_compiler" | sed 's/mpicc\(@<:@^/@:>@*\)$/mpirun\1/'`
   AS_IF([test "$cadastre_runner" != "$cadastre_mpi_compiler" && command -v "$cadastre_runner" >/dev/null], [MPIRUN=$cadastre_runner])])
AS_IF([test -z "$MPIRUN"], [AC_CHECK_PROGS([MPIRUN], [mpirun mpiexec])])
AM_CONDITIONAL([BUILD_MPI], [AS_CASE([$build_mpi], [yes*], [true], [false])])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([MPI_LDFLAGS])
])

# What MPICC shows, if it is named; else the compiler as it is, as it may be MPI's; what mpicc shows; pkg-config.
AC_DEFUN([_CADASTRE_FIND_MPI_LIBRARY],
[AC_MSG_CHECKING([for MPI])
AS_IF([test -z "$MPICC"], [_CADASTRE_TRY_MPI_LIBRARY([], [], [$CC])])
for cadastre_compiler in "${MPICC:-mpicc}"; do
  AS_CASE([$build_mpi], [yes*], [continue])
  cadastre_shown=`$cadastre_compiler -show 2>&AS_MESSAGE_LOG_FD` || continue
  cadastre_cppflags=`echo "$cadastre_shown" | tr ' ' '\n' | sed -n 's/^-I/-isystem /p' | tr '\n' ' '`
  cadastre_libs=`echo "$cadastre_shown" | tr ' ' '\n' | grep '^-@<:@lL@:>@' | tr '\n' ' '`
  _CADASTRE_TRY_MPI_LIBRARY([$cadastre_cppflags], [$cadastre_libs], [$cadastre_compiler])
  AS_CASE([$build_mpi,$cadastre_shown], [yes*-rpath*], [MPI_LDFLAGS=`echo "$MPI_LIBS" | tr ' ' '\n' | sed -n 's/^-L/-R/p' | tr '\n' ' '`])
done
for cadastre_module in ompi-c mpich mpi-c; do
  AS_CASE([$build_mpi,$MPICC], [yes*|*,?*], [break])
  AS_IF([test -z "$PKG_CONFIG" || ! $PKG_CONFIG --exists $cadastre_module], [continue])
  _CADASTRE_TRY_MPI_LIBRARY([`$PKG_CONFIG --cflags-only-I $cadastre_module | sed 's/-I/-isystem /g'`],
    [`$PKG_CONFIG --libs $cadastre_module`], [$cadastre_module of pkg-config])
done
AC_MSG_RESULT([$build_mpi])
])

# CPPFLAGS, LIBS, where they are from. The interface for C++ that older versions have is left out.
AC_DEFUN([_CADASTRE_TRY_MPI_LIBRARY],
[cadastre_save_CPPFLAGS=$CPPFLAGS
cadastre_save_LIBS=$LIBS
cadastre_try_cppflags="$1"
cadastre_try_libs="$2"
CPPFLAGS="$CPPFLAGS $cadastre_try_cppflags -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"
LIBS="$cadastre_try_libs $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error MPI 3 is needed
#endif]], [[MPI_Comm none = MPI_COMM_NULL; return MPI_Comm_split_type(none, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &none);]])],
  [build_mpi="yes: of $3"
   MPI_CPPFLAGS="$cadastre_try_cppflags -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"
   MPI_LIBS=$cadastre_try_libs
   cadastre_mpi_compiler="$3"])
CPPFLAGS=$cadastre_save_CPPFLAGS
LIBS=$cadastre_save_LIBS
])

# CADASTRE_MPI_FORTRAN
# Whether the Fortran compiler reads MPI's module mpi_f08: the condition MPI_FORTRAN; MPI_FCFLAGS, MPI_FCLIBS; for the summary:
# build_mpi_fortran. After CADASTRE_MPI, with FC.
AC_DEFUN([CADASTRE_MPI_FORTRAN],
[AC_ARG_VAR([MPIFC], [MPI's Fortran compiler, whose flags are used for the module cadastre_mpi])
MPI_FCFLAGS=
MPI_FCLIBS=
build_mpi_fortran=no
AS_CASE([$build_fortran,$build_mpi], [yes,yes*],
  [AC_LANG_PUSH([Fortran])
   AC_MSG_CHECKING([whether $FC uses mpi_f08])
   cadastre_mpifc=`echo "$cadastre_mpi_compiler" | sed 's/mpicc\(@<:@^/@:>@*\)$/mpifort\1/'`
   cadastre_save_FCFLAGS=$FCFLAGS
   cadastre_save_LIBS=$LIBS
   for cadastre_compiler in "$MPIFC" "$cadastre_mpifc" "$FC"; do
     AS_CASE([$build_mpi_fortran,$cadastre_compiler], [yes*|*,], [continue])
     cadastre_shown=`$cadastre_compiler -show 2>&AS_MESSAGE_LOG_FD` || cadastre_shown=
     MPI_FCFLAGS=`echo "$cadastre_shown" | tr ' ' '\n' | grep '^-I' | tr '\n' ' '`
     MPI_FCLIBS=`echo "$cadastre_shown" | tr ' ' '\n' | grep '^-@<:@lL@:>@' | tr '\n' ' '`
     FCFLAGS="$cadastre_save_FCFLAGS $MPI_FCFLAGS"
     LIBS="$MPI_FCLIBS $cadastre_save_LIBS"
     AC_LINK_IFELSE([[
program conftest
  use mpi_f08
  implicit none
  type(MPI_Comm) :: communicator
  communicator = MPI_COMM_WORLD
  call MPI_Init()
  print *, communicator%MPI_VAL
end program]], [build_mpi_fortran=yes])
   done
   FCFLAGS=$cadastre_save_FCFLAGS
   LIBS=$cadastre_save_LIBS
   AC_MSG_RESULT([$build_mpi_fortran])
   AC_LANG_POP([Fortran])])
AM_CONDITIONAL([MPI_FORTRAN], [test $build_mpi_fortran = yes])
AC_SUBST([MPI_FCFLAGS])
AC_SUBST([MPI_FCLIBS])
])
