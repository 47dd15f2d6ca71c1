#!/bin/sh
# Tangled from org/tests/mpi_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-License-Identifier: BSD-3-Clause
# The report on all ranks: with the MPI that the build has, and with Open MPI and MPICH where they are, from C and Fortran.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
library=$build/.libs/libcadastre_mpi.so
[ -f "$build/libcadastre_mpi.la" ] || skip_all "the build has no MPI"
# A program that is linked statically has no folder .libs.
built() { if [ -f "$build/tests/.libs/$1" ]; then echo "$build/tests/.libs/$1"; else echo "$build/tests/$1"; fi; }

# What each launcher needs to start four ranks on any machine, as any user.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_plm_rsh_agent=/bin/false OMPI_MCA_btl_vader_single_copy_mechanism=none PRTE_MCA_plm_ssh_agent=/bin/false
PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle \
  OMPI_MCA_plm_rsh_agent OMPI_MCA_btl_vader_single_copy_mechanism PRTE_MCA_plm_ssh_agent \
  PRTE_ALLOW_RUN_AS_ROOT PRTE_ALLOW_RUN_AS_ROOT_CONFIRM PRTE_MCA_rmaps_default_mapping_policy
TMPDIR=$scratch  # where Open MPI has its folder
export TMPDIR
folders=$build/.libs

# four RUNNER FOLDER PROGRAM [ARGUMENT]: four ranks, the libraries of FOLDER first
four() {
  runner=$1 first=$2
  shift 2
  CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 LD_LIBRARY_PATH="$first:$folders${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    timeout 120 $runner -n 4 "$@" >"$scratch/four" 2>&1 </dev/null
}
# claims_of WHICH RUNNER FOLDER PROGRAM [ARGUMENT]: those of a program, each with the name of its MPI
claims_of() {
  which=$1
  shift
  status=0
  four "$@" || status=$?
  fails() { sed -n '/^#/p' "$scratch/four"; return 1; }
  while IFS= read -r line; do
    case $line in
      "ok "*) claim "$which: ${line#*- }" true ;;
      "not ok "*) claim "$which: ${line#*- }" fails ;;
    esac
  done <"$scratch/four"
  complete() {
    cat "$scratch/four"
    [ $status -eq 0 ] && grep -q "^1\.\.$(grep -c '^\(not \)\{0,1\}ok ' "$scratch/four")$" "$scratch/four" && ! grep -q '^not ok' "$scratch/four"
  }
  claim "$which: all claims were made, and hold" complete
}
prints_in_order() {
  sed -n '/^# before the report/,/^# after the report/p' "$scratch/four" >"$scratch/printed"
  cat "$scratch/printed"
  [ "$(sed -n 2p "$scratch/printed" | cut -c1-8)" = Cadastre ] && grep -q 'HOST     live' "$scratch/printed"
}

case ${MPI_LIBS-} in *mpich*) own=MPICH ;; *) own="Open MPI" ;; esac
if [ -n "${MPIRUN-}" ]; then
  claims_of "$own" "$MPIRUN" "$folders" "$(built mpi_claims)"
  if [ -x "$(built mpi_claims_fortran)" ]; then
    # Fortran writes at once to a terminal or a pipe, but not to a file.
    # shellcheck disable=SC2016  # for the shell of each rank
    claims_of "$own, Fortran" "$MPIRUN" "$folders" sh -c '"$0" "$1" >"$1/$$"; cat "$1/$$"' "$(built mpi_claims_fortran)" "$scratch"
    claim "$own, Fortran: the report comes between what is printed before and after it" prints_in_order
  else
    skip "$own, Fortran: the module" "the build has none"
  fi
else
  skip "$own: the claims" "no mpirun was found"
fi

# --- what tests/test_installed.sh installed, for programs of the guide that know pkg-config

root=$build/tests/installed
pkg_config=${PKG_CONFIG:-pkg-config}
pc=$(find "$root" -name cadastre-mpi.pc 2>/dev/null || true)
installed=$(dirname "$(dirname "$pc")")
# example LANGUAGE: of the guide
example() { awk -v start="#+begin_src $1 :eval no" '$0 == start { inside = 1; next } /^#\+end_src/ { inside = 0 } inside' "$srcdir/doc/guides/memory.org"; }
# flags_of PACKAGE: ours are below the root, MPI is where it is
flags_of() {
  [ -n "$pc" ] || { echo "cadastre-mpi.pc is not installed below $root, as tests/test_installed.sh does it" >&2; return 1; }
  env -u PKG_CONFIG_PATH -u PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR="$installed/pkgconfig" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 \
    "$pkg_config" --define-variable=libdir="$installed" --define-variable=includedir="$(dirname "$(find "$root" -name cadastre_mpi.h)")" --cflags --libs "$1"
}
guide_in_c() {
  example c >"$scratch/guide.c" && [ -s "$scratch/guide.c" ] && flags=$(flags_of cadastre-mpi) || return 1
  $CC ${CFLAGS-} -std=c99 -Wall -Wextra -Werror "$scratch/guide.c" $flags -o "$scratch/guide" && four "$MPIRUN" "$installed" "$scratch/guide" || { cat "$scratch/four"; return 1; }
  cat "$scratch/four"
  sed -n '/^#+begin_example/,/^#+end_example/{/^#+/!p}' "$srcdir/doc/guides/memory.org" >"$scratch/shown"
  for line in '^over ranks  ' '^HOST     live' '^HOST: 1 rank above' '^   36.6 MiB   67 %  1 block  matrix/assembly$' '^   18.3 MiB   33 %  1 block  field$'; do
    grep "$line" "$scratch/four" | sed 's/ [0-9.]* %/ %/g; s/ on .*//; s/ *%/ %/g' >"$scratch/found"
    grep "$line" "$scratch/shown" | sed 's/ [0-9.]* %/ %/g; s/ on .*//; s/ *%/ %/g' | diff - "$scratch/found" && [ -s "$scratch/found" ] || return 1
  done
}
guide_in_fortran() {
  example f90 >"$scratch/guide.f90" && [ -s "$scratch/guide.f90" ] && flags=$(flags_of cadastre-mpi-fortran) || return 1
  (cd "$scratch" && $FC ${FCFLAGS-} guide.f90 $flags -o guide_fortran && four "$MPIRUN" "$installed" ./guide_fortran) || { cat "$scratch/four"; return 1; }
  cat "$scratch/four"
  [ "$(grep -c '^HOST     live  *6.10 MiB' "$scratch/four" "$scratch/memory.txt" | grep -c ':1$')" -eq 2 ]
}
cxx_reads_the_header() {
  echo '#include <cadastre_mpi.h>' >"$scratch/consumer.cpp" && flags=$(flags_of cadastre-mpi) &&
    $CXX ${CXXFLAGS-} -std=c++17 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only "$scratch/consumer.cpp" $flags
}
if [ -f "$library" ] && [ -n "${MPIRUN-}" ] && "$pkg_config" --version >/dev/null 2>&1; then
  claim "the guide's program in C is built by pkg-config's flags, and prints what the guide shows" guide_in_c
  claim "a C++17 program includes the header" cxx_reads_the_header
  if [ -x "$(built mpi_claims_fortran)" ]; then
    claim "so is the guide's program in Fortran, which prints and writes a file" guide_in_fortran
  else
    skip "so is the guide's program in Fortran, which prints and writes a file" "the build has no module"
  fi
else
  skip "the guide's programs" "no shared library was built, or mpirun or pkg-config was not found"
fi

if [ ! -f "$library" ]; then
  skip "other MPIs, and what the library exports" "no shared library was built"
  finish
  exit 0
fi

# --- the other MPI

objects=$(for part in figures table json; do echo "$build/src/adapters/.libs/libcadastre_mpi_la-mpi_$part.o"; done)
# words_of COMPILER PATTERN: of what it would call
words_of() { "$1" -show | tr ' ' '\n' | grep -e "$2" | tr '\n' ' '; }
compile_for() {
  with=$scratch/$1
  mkdir "$with"
  cppflags="$(words_of "$2" '^-I' | sed 's/-I/-isystem /g') -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I$srcdir/include"
  libs=$(words_of "$2" '^-[lL]')
  $CXX ${CXXFLAGS-} -std=c++20 -Wall -Wextra -Werror -fPIC -shared $cppflags "$srcdir/src/adapters/mpi.cpp" $objects \
    -Wl,--version-script="$srcdir/src/adapters/mpi.map" -o "$with/libcadastre_mpi.so" "$TEST_LIBRARY" $libs || return 1
  $CC ${CFLAGS-} -std=c99 -Wall -Wextra -Werror -pthread $cppflags "$srcdir/tests/mpi_claims.c" -o "$with/claims" "$with/libcadastre_mpi.so" \
    "$TEST_LIBRARY" $libs -Wl,--export-dynamic
}
other() {
  if [ "$own" = "$1" ] || ! command -v "mpicc.$2" >/dev/null || ! command -v "mpirun.$2" >/dev/null; then
    [ "$own" = "$1" ] || skip "$1: the claims" "it is not installed"
    return
  fi
  claim "$1: the library compiles" compile_for "$2" "mpicc.$2"
  claims_of "$1" "mpirun.$2" "$scratch/$2" "$scratch/$2/claims"
}
other "Open MPI" openmpi
other MPICH mpich

# --- the rest of the project knows nothing of MPI

needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
only_one_links_mpi() {
  needed "$library" | grep -q mpi || { echo "$library does not need MPI"; return 1; }
  for file in "$folders"/libcadastre.so "$folders"/libcadastre_fortran.so "$folders"/libcadastre_qmckl.so "$build"/.libs/cadastre; do
    if [ -f "$file" ] && needed "$file" | grep mpi; then echo "$file needs MPI"; return 1; fi
  done
}
exports_what_is_declared() {
  tr '\n' ' ' <"$srcdir/include/cadastre_mpi.h" | tr ';' '\n' | sed -n 's/.*CADASTRE_API [^(]*[ *]\([A-Za-z0-9_]*\) *(.*/\1/p' | sort >"$scratch/declared"
  ${NM:-nm} -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort | diff "$scratch/declared" -
}
claim "no other library of this project needs MPI, nor does the command" only_one_links_mpi
claim "the library exports the functions that its header declares, and no others" exports_what_is_declared
finish
