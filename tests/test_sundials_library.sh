#!/bin/sh
# Tangled from org/tests/sundials_library_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The adapter for SUNDIALS as a library, and CVODE on top of it.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
[ -f "$build/cadastre-sundials.pc" ] || skip_all "the adapter for SUNDIALS was not built"
library=$build/.libs/libcadastre_sundials.so
header=$srcdir/include/cadastre_sundials.h

declared() {
  tr '\n' ' ' <"$header" | sed 's@/\*[^*]*\*\{1,\}\([^/*][^*]*\*\{1,\}\)*/@ @g' | tr ';' '\n' |
    sed -n 's/.*CADASTRE_API [^(]*[ *]\([A-Za-z0-9_]\{1,\}\) *(.*/\1/p' | sort
}
exports_what_is_declared() {
  declared >"$scratch/declared"
  ${NM:-nm} -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$scratch/exported"
  [ "$(wc -l <"$scratch/declared")" -eq 14 ] && diff "$scratch/declared" "$scratch/exported"
}

# The environment names a limit or a backend in some tests.
run() { env -u CADASTRE_BACKEND -u CADASTRE_LIMIT "$@"; }
robertson=$build/examples/cvode_robertson
same_numbers() {
  run "$robertson" >"$scratch/ours" 2>&1 && run "$robertson" system >"$scratch/theirs" 2>&1 || {
    cat "$scratch/ours" "$scratch/theirs"
    return 1
  }
  grep '^t = ' "$scratch/ours" >"$scratch/our_numbers"
  [ "$(wc -l <"$scratch/our_numbers")" -eq 12 ] && diff "$scratch/our_numbers" "$scratch/theirs"
}
# y[0] at t = 0.4 and 4e10, as the literature has them
right_numbers() {
  awk '$3 == "4.0000e-01" && ($6 - 0.98517)^2 < 1e-8 { near++ } $3 == "4.0000e+10" && ($6 - 5.2e-8)^2 < 1e-16 { near++ }
       END { exit near != 2 }' "$scratch/our_numbers"
}
# CVODE keeps at least the vectors of its history, of 24 bytes each.
report_tells() {
  cat "$scratch/ours"
  grep 'CVODE vectors' "$scratch/ours" &&
    awk '/^CVODE.s vectors:/ { allocated = $3; freed = $5; now = $7; most = $10 }
         END { exit !(allocated >= 12 && freed == allocated - 1 && now == 24 && most >= 12 * 24) }' "$scratch/ours"
}
# GMRES of three unknowns, twice; the second time the workspace has the size that the first one needed.
temporaries_are_leased() {
  run "$robertson" temporary >"$scratch/leased" 2>&1 || { cat "$scratch/leased"; return 1; }
  cat "$scratch/leased"
  grep '^t = ' "$scratch/leased" >"$scratch/our_numbers"
  [ "$(wc -l <"$scratch/our_numbers")" -eq 24 ] && [ "$(sort "$scratch/our_numbers" | uniq -d | wc -l)" -eq 12 ] || return 1
  awk '$3 == "4.0000e-01" && ($6 - 0.98517)^2 < 1e-8 { near++ } $3 == "4.0000e+10" && ($6 - 5.2e-8)^2 < 1e-16 { near++ }
       END { exit near != 4 }' "$scratch/our_numbers" &&
    awk '/^Workspace:/ { most = $2; acquired = $6; failed = $8; grown = $10 }
         END { exit !(acquired >= 12 && most >= acquired / 2 * 24 && failed == 0 && grown <= acquired / 2) }' "$scratch/leased"
}
# One vector fits, the second one does not. SUNDIALS itself does not get as far: its N_VClone writes through the NULL
# of a clone that failed.
fails_within_a_limit() {
  if run CADASTRE_BACKEND=host CADASTRE_LIMIT=HOST=30 "$robertson" >"$scratch/limited" 2>&1; then return 1; fi
  cat "$scratch/limited"
  grep -q '^CVODE.s vectors: 1 allocated, 0 freed, 24 bytes now, 24 at most' "$scratch/limited"
}

if [ -f "$library" ]; then
  claim "the library exports the functions that its header declares, and no others" exports_what_is_declared
else
  skip "the library exports the functions that its header declares, and no others" "no shared library was built"
fi
if [ -x "$robertson" ]; then
  claim "CVODE computes the same with vectors in a context as with SUNDIALS' own helper" same_numbers
  claim "which are the numbers of the literature" right_numbers
  claim "the report tells what CVODE's vectors hold, by their label" report_tells
  claim "the vectors of GMRES are leased, and fit into a workspace of the size that a first run needed" temporaries_are_leased
  claim "a limit that does not allow the vectors ends in an error" fails_within_a_limit
else
  skip "CVODE computes the same with vectors in a context as with SUNDIALS' own helper" "CVODE was not found"
fi

# --- what tests/test_installed.sh installed, for a program that knows pkg-config
root=$build/tests/installed
use_installed() {
  pc=$(find "$root" -name cadastre-sundials.pc)
  [ -n "$pc" ] || { echo "cadastre-sundials.pc is not installed below $root, as tests/test_installed.sh does it"; return 1; }
  PKG_CONFIG_LIBDIR=$(dirname "$pc") PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
  export PKG_CONFIG_LIBDIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
  unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR || true
  # Ours is below the root; SUNDIALS is where it is, and a system root would be put before its path too.
  libdir=$(dirname "$PKG_CONFIG_LIBDIR")
  includedir=$(dirname "$(find "$root" -name cadastre_sundials.h)")
  flags=$("$pkg_config" --define-variable=libdir="$libdir" --define-variable=includedir="$includedir" \
    --cflags --libs cadastre-sundials) || return 1
  theirs=$(echo "$flags" | tr ' ' '\n' | sed -n 's/^-L//p' | tr '\n' ':')
  "$@" $flags -o "$scratch/program" || return 1
  run CADASTRE_BACKEND=host LD_LIBRARY_PATH="$libdir:$theirs${LD_LIBRARY_PATH-}" "$scratch/program"
}
# The example as it stands in the chapter, with every warning that C99 has.
from_c() {
  use_installed ${CC:-cc} ${CFLAGS-} -std=c99 -pedantic-errors -Wall -Wextra -Werror \
    "$srcdir/examples/sundials_helper.c" >"$scratch/told" 2>&1 || { cat "$scratch/told"; return 1; }
  cat "$scratch/told"
  grep -q '1 allocated, 0 freed, 800 bytes now, 800 at most' "$scratch/told"
}
from_cxx() {
  cat >"$scratch/consumer.cpp" <<'END'
#include <cadastre_sundials.h>
int main() { return SUNMemoryHelper_Destroy_Cadastre(nullptr); }
END
  use_installed ${CXX:-c++} ${CXXFLAGS-} -std=c++17 -pedantic-errors -Wall -Wextra -Werror "$scratch/consumer.cpp"
}
# With the headers of each version, without its library.
compiles_with_each_version() {
  for version in 5.8 6.7 7.0 7.3; do
    imitation=$srcdir/tests/sundials_imitation
    ${CC:-cc} -std=c99 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -I"$imitation/$version" \
      -I"$imitation/common" -I"$srcdir/include" "$srcdir/examples/sundials_helper.c" || {
      echo "with the headers of $version"
      return 1
    }
  done
}
claim "the example compiles with the headers of SUNDIALS 5.8, 6.7, 7.0 and 7.3" compiles_with_each_version
pkg_config=${PKG_CONFIG:-pkg-config}
if "$pkg_config" --version >/dev/null 2>&1; then
  claim "a C99 program of pkg-config's flags uses the helper" from_c
  claim "a C++17 program includes the header" from_cxx
else
  skip "a C99 program of pkg-config's flags uses the helper" "pkg-config is not installed"
fi
finish
