#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What configure is told shows in what it writes. To run configure takes long, so all but the first claim are for
# LONG=yes, as tools/nightly says it.
. "$(dirname "$0")/tap.sh"

[ -x "$srcdir/configure" ] || skip_all "there is no configure"
has_a_switch() { "$srcdir/configure" --help | grep -e "--without-valgrind"; }
claim "there is a switch for valgrind" has_a_switch
uses_no_ranges() { ! grep -rnE 'std::(ranges|views)::|<ranges>' "$srcdir/src" "$srcdir/include"; }
claim "no source uses algorithms over ranges, which LLVM's C++ library 14 lacks" uses_no_ranges
if [ "${LONG-}" != yes ]; then
  skip "what configure is told shows in what it writes" "LONG is not yes"
  finish
  exit 0
fi

# configured FOLDER OPTION...
configured() {
  mkdir -p "$scratch/$1" && cd "$scratch/$1" || return 1
  shift
  "$srcdir/configure" --cache-file="$scratch/cache" --disable-fortran --disable-command --without-sundials --without-mpi \
    --without-openmp-offload "$@"
}
tells() { grep -q '^#define HAVE_VALGRIND_MEMCHECK_H' "$scratch/$1/config.h"; }
paths() { sed -n "s/^$1_RUNPATH_LDFLAGS = *//p" "$scratch/$2/Makefile"; }

there() { printf '#include <valgrind/memcheck.h>\n' | ${CC:-cc} -E - >/dev/null 2>&1; }
if there; then
  claim "with valgrind's header, --with-valgrind uses it" configured auto --with-valgrind --prefix=/opt/cadastre --libdir=/opt/cadastre/lib/deep
  claim "it is used" tells auto
else
  claim "without valgrind's header, --with-valgrind is refused with what to install" \
    refused 1 "needs the header valgrind/memcheck.h (on Debian: valgrind)" configured refused --with-valgrind
  claim "a library in a folder of its own" configured auto --prefix=/opt/cadastre --libdir=/opt/cadastre/lib/deep
fi
claim "a system's library without valgrind" configured without --without-valgrind --prefix=/usr
untold() { ! tells without; }
claim "--without-valgrind does not use it" untold
claim "programs find the library by the way from their folder" test "$(paths BIN auto)" = "-Wl,-rpath,'\$\$ORIGIN/../lib/deep'"
claim "libraries find each other in their folder" test "$(paths LIB auto)" = "-Wl,-rpath,'\$\$ORIGIN'"
build=$(cd "${top_builddir:-.}" && pwd)
clang="clang++ -std=c++20 -stdlib=libc++ -fsyntax-only"
compiles_with_libcxx() {
  for source in $(find "$srcdir/src" -name '*.cpp' | grep -Ev '/(adapters|command)/|/(cuda|vendors|[a-z_]*_headers|openmp|openmp_module)\.cpp$'); do
    $clang -DHAVE_CONFIG_H -I"$build" -I"$srcdir/include" -I"$srcdir/src" "$source" || return 1
  done
}
if echo '#include <version>' | $clang -x c++ - 2>/dev/null; then
  claim "the library compiles with LLVM's C++ library" compiles_with_libcxx
else
  skip "the library compiles with LLVM's C++ library" "clang++ and libc++ are not installed"
fi
claim "in /usr no path is written" test -z "$(paths BIN without)$(paths LIB without)"
finish
