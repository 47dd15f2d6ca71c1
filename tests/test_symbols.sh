#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The shared library offers the functions that the headers declare, and no others.
. "$(dirname "$0")/tap.sh"

library=${top_builddir:-.}/.libs/libcadastre.so
[ -f "$library" ] || skip_all "no shared library was built"

# Declarations are what stands between CADASTRE_API and a parenthesis, comments aside.
# Adapters have libraries of their own, and ask what is in plain_free.h.
{ find "$srcdir/include" -name '*.h' ! -name cadastre_sundials.h ! -name cadastre_mpi.h -exec cat {} + && cat "$srcdir/src/api/plain_free.h"; } | tr '\n' ' ' |
  sed 's@/\*[^*]*\*\{1,\}\([^/*][^*]*\*\{1,\}\)*/@ @g' | tr ';' '\n' |
  sed -n 's/.*CADASTRE_API [^(]*[ *]\([A-Za-z0-9_]\{1,\}\) *(.*/\1/p' | sort >"$scratch/declared"
${NM:-nm} -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
  sort >"$scratch/exported"

declares_something() { [ "$(wc -l <"$scratch/declared")" -ge 20 ]; }

nothing_is_missing() { comm -23 "$scratch/declared" "$scratch/exported" | none "is declared, but not exported"; }
nothing_is_extra() { comm -13 "$scratch/declared" "$scratch/exported" | none "is exported, but no header declares it"; }
none() { sed "s/\$/ $1/" | if grep .; then return 1; fi; }

prefix_is_ours() { grep -v '^cadastre_' "$scratch/exported" | none "does not begin with cadastre_"; }

# A program must start where no vendor's runtime is installed.
links_no_runtime() { if ldd "$library" | grep -E 'omp|cuda|LLVM'; then return 1; fi; }

# What a C library of 2018 has, glibc's 2.28 as on the clusters that upgrade last. Functions that moved between glibc's
# libraries, or got another name for an old thing, have a newer version and an older one.
needs_no_new_libc() {
  for library in "${top_builddir:-.}"/.libs/libcadastre*.so; do
    ${NM:-nm} -D --undefined-only "$library" | sed -n 's/.* \([A-Za-z_0-9]*\)@GLIBC_2\.\(29\|[3-9][0-9]\).*/\1/p'
  done | grep -vE '^(pthread_|dl|sem_|__libc_|__isoc23_|f?l?stat(at)?(64)?$|exp$|log$|pow$|exp2$|log2$)' |
    none "is in no glibc before 2.29"
}

# A program that is not C++ needs the C++ runtime only by way of the library, which may have its own inside.
needed() { readelf -d "$1" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
brings_its_runtime() {
  if needed "$library" | grep -E '^lib(stdc|c)\+\+'; then [ "${STATIC_LIBSTDCXX-no}" = no ]; else [ "${STATIC_LIBSTDCXX-no}" = yes ]; fi
}
programs_name_no_runtime() {
  set -- "${top_builddir:-.}"/.libs/libcadastre_fortran.so
  for program in tests/test_vocabulary tests/test_report tests/test_fortran examples/distance_matrix_c examples/custom_backend; do
    program=${top_builddir:-.}/${program%/*}/.libs/${program##*/}
    [ ! -f "$program" ] || set -- "$@" "$program"
  done
  [ $# -ge 2 ] && [ -n "$(needed "$2")" ] || { echo "no program was built"; return 1; }
  for program; do needed "$program" | grep -E '^lib(stdc|c)\+\+|^libgcc_s' | sed "s|^|$program: |"; done | grep -v '\(libcadastre_fortran.so\|test_fortran\): libgcc_s' |
    none "is needed"
}

openmp_module=${top_builddir:-.}/libcadastre_openmp.so
module_exports_its_table() {
  [ "$(${NM:-nm} -D --defined-only "$openmp_module" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }')" = cadastre_openmp_module ]
}

claim "the headers declare functions" declares_something
claim "every declared function is exported" nothing_is_missing
claim "no other symbol is exported" nothing_is_extra
claim "every exported symbol begins with cadastre_" prefix_is_ours
claim "the library links no vendor's runtime" links_no_runtime
claim "the library needs the shared C++ runtime unless it has one inside" brings_its_runtime
case ${CFLAGS-} in
  *-fsanitize*) skip "programs in C and Fortran need no C++ runtime of their own" "a sanitizer brings one" ;;
  *) claim "programs in C and Fortran need no C++ runtime of their own" programs_name_no_runtime ;;
esac
case ${STATIC_LIBSTDCXX-} in
  yes) skip "the libraries need no C library newer than glibc 2.28" "libstdc++ is inside, and may need one" ;;
  *) claim "the libraries need no C library newer than glibc 2.28" needs_no_new_libc ;;
esac
[ ! -f "$openmp_module" ] ||
  claim "the openmp backend's module exports what the library asks for, and no more" module_exports_its_table
finish
