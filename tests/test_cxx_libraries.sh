#!/bin/sh
# Tangled from org/examples/other_libraries.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# mdspan, Kokkos and Thrust on memory of a context: each program of examples/ prints what its first comment says.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/first_comment.sh"

CXX=${CXX:-c++}
build=$(cd "${top_builddir:-.}" && pwd)
kokkos=${KOKKOS_CPPFLAGS--isystem /usr/include/trilinos}
thrust="-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP ${THRUST_CPPFLAGS-}"
mdspan=${MDSPAN_CPPFLAGS-}
standard=-std=c++17
if echo 'int main() {}' | $CXX -std=c++23 -x c++ -fsyntax-only - 2>/dev/null; then standard=-std=c++23; fi

# has FLAGS HEADER...: one of these headers is there
has() {
  flags=$1
  shift
  for header; do
    # shellcheck disable=SC2086  # flags
    if printf '#if !__has_include(<%s>)\n#error none\n#endif\n' "$header" | $CXX $flags -x c++ -E - >/dev/null 2>&1; then return 0; fi
  done
  return 1
}

# built NAME FLAGS LIBRARIES
built() {
  # shellcheck disable=SC2086  # flags
  $CXX ${CXXFLAGS-} $2 -Wall -Wextra -Werror -I"$srcdir/include" -c "$srcdir/examples/$1.cpp" -o "$scratch/$1.o" || return
  # shellcheck disable=SC2086  # lists of libraries and flags
  (cd "$build" && ./libtool --silent --tag=CXX --mode=link $CXX ${CXXFLAGS-} ${LDFLAGS-} -o "$scratch/$1" "$scratch/$1.o" libcadastre.la $3)
}

# tries NAME FLAGS LIBRARIES HEADER...: where one of the headers is there
tries() {
  name=$1 flags=$2 libraries=$3
  shift 3
  what="examples/$name.cpp prints what it says"
  if ! has "$flags" "$@"; then skip "$what" "there is no <$1> for this compiler"; return; fi
  claim "examples/$name.cpp compiles and links" built "$name" "$flags" "$libraries"
  claim "$what" prints "$srcdir/examples/$name.cpp" "$(commands "$srcdir/examples/$name.cpp")" alone CADASTRE_EMULATED_DEVICES=1 "$scratch/$name"
}

tries with_mdspan "$standard $mdspan" "" mdspan experimental/mdspan
tries with_kokkos "-std=c++17 $kokkos" "${KOKKOS_LIBS--ltrilinos_kokkoscore}" Kokkos_Core.hpp
tries with_thrust "-std=c++17 $thrust" "" thrust/device_vector.h
said_whose() { grep -q 'cadastre_malloc: .*limit of this context is 20000 bytes' "$scratch/errors" || { cat "$scratch/errors"; return 1; }; }
if [ -x "$scratch/with_thrust" ]; then claim "Thrust's caller gets the context's own message" said_whose; fi
finish
