#!/bin/sh
# Tangled from org/tests/another_malloc.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The library on jemalloc, tcmalloc and mimalloc: its own test programs with each preloaded, a program linked with each.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
case "${CXXFLAGS:-} ${LDFLAGS:-}" in
  *-fsanitize=*) skip_all "a sanitizer has a heap of its own" ;;
esac
[ -z "${LAUNCHER:-}" ] || skip_all "$LAUNCHER has a heap of its own"
model=$build/tests/another_malloc_model
[ -x "$model" ] || skip_all "another_malloc_model is not built"

# where_is NAME: the file of that name which the loader takes into a program of this build
where_is() {
  for file in $(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n "s/^[[:space:]]*$1 .*=> //p"); do
    LD_PRELOAD=$file "$model" 0 2>&1 | grep -q "LD_PRELOAD" || { echo "$file"; return; }
  done
}

# with LIBRARY PROGRAM: its claims hold with that library preloaded
with() {
  CMOCKA_MESSAGE_OUTPUT=TAP LD_PRELOAD=$1 timeout "${TEST_TIMEOUT:-300}" "$build/tests/$2" >"$scratch/claims" 2>&1 ||
    { grep -v "^ok" "$scratch/claims"; return 1; }
}

# linked LIBRARY: the model, linked with that library
linked() {
  "$build/libtool" --silent --tag=CXX --mode=link ${CXX:-c++} ${CXXFLAGS:-} ${LDFLAGS:-} -o "$scratch/linked" \
    "$build/tests/another_malloc_model.o" "$build/libcadastre.la" -Wl,--no-as-needed "$1" -pthread &&
    "$scratch/linked" "$steps" 2
}

steps=${ANOTHER_MALLOC_STEPS:-60000}
programs="test_registry test_memory test_ends"
for library in libjemalloc.so.2 libtcmalloc_minimal.so.4 libmimalloc.so.2.0; do
  file=$(where_is "$library")
  if [ -z "$file" ]; then
    skip "the library works with $library" "it is not installed"
    continue
  fi
  claim "a random history agrees with a map with $library preloaded" env LD_PRELOAD="$file" "$model" "$steps"
  claim "and in a program that is linked with it" linked "$file"
  for program in $programs; do
    [ -x "$build/tests/$program" ] || continue
    claim "the claims of $program hold with it" with "$file" "$program"
  done
done

finish
