#!/bin/sh
# The examples of README.org compile as they stand there, and run.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)

# example LANGUAGE NUMBER: a block of that language in README.org, the first is 1
example() {
  awk -v start="#+begin_src $1" -v number="$2" '
    $0 == start && ++seen == number { inside = 1; next }
    /^#\+end_src/ { inside = 0 }
    inside' "$srcdir/README.org"
}

# runs LANGUAGE NUMBER EXTENSION COMPILER...
runs() {
  source=$scratch/example.$3
  example "$1" "$2" >"$source"
  shift 3
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
    lines=$(example $language 1 | grep -c .)
    [ "$lines" -le 16 ] || { echo "the $language example has $lines lines"; return 1; }
  done
}

claim "the C example compiles and runs" \
  runs c 1 c ${CC:-cc} ${CFLAGS-} -std=c99 -Wall -Wextra -Werror "-I$srcdir/include"
claim "the example with device memory compiles and runs" \
  runs c 2 c ${CC:-cc} ${CFLAGS-} -std=c99 -Wall -Wextra -Werror "-I$srcdir/include"
device_is_emulated() {
  out=$(cd "$scratch" && CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 ./example) && [ -z "$out" ] || {
    echo "it printed: $out"
    return 1
  }
}
claim "with an emulated device it gets device memory" device_is_emulated
claim "the example with a parent compiles and runs" \
  runs c 3 c ${CC:-cc} ${CFLAGS-} -std=c99 -Wall -Wextra -Werror "-I$srcdir/include"
claim "the example with scratch memory compiles and runs" \
  runs c 4 c ${CC:-cc} ${CFLAGS-} -std=c99 -Wall -Wextra -Werror "-I$srcdir/include"
claim "the C++ example compiles and runs" \
  runs cpp 1 cpp ${CXX:-c++} ${CXXFLAGS-} -std=c++17 -Wall -Wextra -Werror "-I$srcdir/include"
if [ -f "$build/libcadastre_fortran.la" ]; then
  claim "the Fortran example compiles and runs" \
    runs f90 1 f90 $FC ${FCFLAGS-} -Wall "-I$build"
else
  skip "the Fortran example compiles and runs" "the Fortran module was not built"
fi
claim "the examples are short" short_enough
finish
