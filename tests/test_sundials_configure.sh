#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What configure finds of a SUNDIALS in a folder of its own: one of archives alone, that was built with an MPI which
# only its own compiler knows.
. "$(dirname "$0")/tap.sh"

[ "${LONG-}" = yes ] || skip_all "LONG=yes tries configure on a SUNDIALS with MPI and on one of archives"
${AUTOCONF:-autoconf} --version >/dev/null 2>&1 || skip_all "autoconf is not installed"
imitation=$srcdir/tests/sundials_imitation
CXX=${CXX:-c++} CC=${CC:-cc}
cd "$scratch" || exit 1

# The macro alone, in a configure script of its own.
cat >configure.ac <<END_OF_CONFIGURE
AC_INIT([found], [1])
m4_pattern_allow([^AM_])
AC_DEFUN([AM_CONDITIONAL], [AS_IF([\$2], [echo "\$1 yes" >>told], [echo "\$1 no" >>told])])
m4_include([$srcdir/m4/cadastre_sundials.m4])
AC_PROG_CC
AC_PROG_CXX
AC_CHECK_TOOL([NM], [nm])
AC_LANG([C++])
PKG_CONFIG=
CADASTRE_SUNDIALS
echo "cppflags \$SUNDIALS_CPPFLAGS" >>told
echo "libs \$SUNDIALS_LIBS" >>told
echo "build \$build_sundials" >>told
END_OF_CONFIGURE
${AUTOCONF:-autoconf} >autoconf.log 2>&1 || { cat autoconf.log; exit 1; }

# An MPI of one function, and a SUNDIALS 7.3 whose headers include it.
mkdir -p mpi/include mpi/lib mpi/bin both/include both/lib archive/include archive/lib
cat >mpi/include/mpi.h <<'END_OF_MPI'
#ifdef __cplusplus
extern "C"
#endif
int MPI_Comm_rank(int comm, int* rank);
typedef int MPI_Comm;
#define MPI_COMM_NULL 0
END_OF_MPI
echo '#include <mpi.h>
int MPI_Comm_rank(int comm, int* rank) { return *rank = comm; }' >mpi.c
$CC -c -fPIC -Impi/include mpi.c -o mpi.o && ar rc mpi/lib/libimitated_mpi.a mpi.o
printf '#!/bin/sh\necho cc -I%s/mpi/include -Wl,-z,relro -L%s/mpi/lib -limitated_mpi\n' "$scratch" "$scratch" >mpi/bin/mpicc
chmod +x mpi/bin/mpicc
for kind in both archive; do
  cp -R "$imitation/common/." "$imitation/7.3/." $kind/include
  chmod -R u+w $kind/include
  printf '#define SUNDIALS_MPI_ENABLED 1\n#define SUN_MPI_C_COMPILER "%s/mpi/bin/mpicc"\n' "$scratch" \
    >>$kind/include/sundials/sundials_config.h
  sed 's/^typedef int SUNComm;/#include <mpi.h>\ntypedef MPI_Comm SUNComm;/' "$imitation/common/sundials/sundials_types.h" \
    >$kind/include/sundials/sundials_types.h
done
$CXX -std=c++20 -fPIC -Iboth/include -Impi/include -c "$imitation/generic.cpp" -o generic.o &&
  $CXX -shared generic.o -o both/lib/libsundials_core.so && ar rc archive/lib/libsundials_core.a generic.o || exit 1

# found FOLDER SHARED VARIABLE=VALUE...: configure takes it, by the flags of its MPI
found() {
  folder=$1 shared=$2
  shift 2
  rm -f told
  env -u MPICC CC="$CC" CXX="$CXX" ./configure --with-sundials="$scratch/$folder" LIBS=-lstdc++ "$@" >configured 2>&1 || {
    cat configured
    return 1
  }
  cat told
  grep -q '^BUILD_SUNDIALS yes' told && grep -q "^SUNDIALS_IS_SHARED $shared" told &&
    grep -q "^cppflags .*-isystem $scratch/mpi/include" told && grep -q '^libs -lsundials_core .*-limitated_mpi' told
}
without_mpi() {
  echo '#define SUN_MPI_C_COMPILER "/nowhere/mpicc"' >>archive/include/sundials/sundials_config.h
  refused 1 "MPICC=/usr/bin/mpicc" env -u MPICC CC="$CC" CXX="$CXX" PATH="$scratch/no_mpicc:$PATH" \
    ./configure --with-sundials="$scratch/archive"
}
claim "a SUNDIALS that was built with MPI is found by the flags of the compiler that built it" found both yes
claim "one of archives alone is found, and left to the program that links it" found archive no
mkdir no_mpicc
printf '#!/bin/sh\nexit 1\n' >no_mpicc/mpicc
chmod +x no_mpicc/mpicc
claim "where its MPI is not found, the refusal names what to pass" without_mpi
claim "which is then enough" found archive no MPICC="$scratch/mpi/bin/mpicc"
finish
