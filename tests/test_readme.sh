#!/bin/sh
# The examples of README.org compile as they stand there, and run.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)

# example LANGUAGE: the first block of that language in README.org
example() {
  awk -v start="#+begin_src $1" '
    $0 == start && !done { inside = 1; next }
    /^#\+end_src/ && inside { inside = 0; done = 1 }
    inside' "$srcdir/README.org"
}

# runs LANGUAGE EXTENSION COMPILER...
runs() {
  source=$scratch/example.$2
  example "$1" >"$source"
  shift 2
  [ -s "$source" ] || { echo "README.org has no such example"; return 1; }
  (cd "$scratch" && "$@" -c "$source" -o example.o) || return 1
  case $source in
    *.f90) libraries="$build/libcadastre_fortran.la $build/libcadastre.la" ;;
    *) libraries=$build/libcadastre.la ;;
  esac
  (cd "$build" && ./libtool --silent --tag=CC --mode=link "$@" ${LDFLAGS-} -o "$scratch/example" \
    "$scratch/example.o" $libraries ${CXX_RUNTIME_LIBS-}) || return 1
  (cd "$scratch" && ./example)
}

short_enough() {
  for language in c cpp f90; do
    lines=$(example $language | grep -c .)
    [ "$lines" -le 16 ] || { echo "the $language example has $lines lines"; return 1; }
  done
}

claim "the C example compiles and runs" \
  runs c c ${CC:-cc} ${CFLAGS-} -std=c99 -Wall -Wextra -Werror "-I$srcdir/include"
claim "the C++ example compiles and runs" \
  runs cpp cpp ${CXX:-c++} ${CXXFLAGS-} -std=c++17 -Wall -Wextra -Werror "-I$srcdir/include"
if [ -f "$build/libcadastre_fortran.la" ]; then
  claim "the Fortran example compiles and runs" \
    runs f90 f90 $FC ${FCFLAGS-} -Wall "-I$build"
else
  skip "the Fortran example compiles and runs" "the Fortran module was not built"
fi
claim "the examples are short" short_enough
finish
