#!/bin/sh
# Tangled from org/examples/triangular_solve.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The examples of workspaces say what the scenarios of rocBLAS are to come to, in C++ and in Fortran.
. "$(dirname "$0")/tap.sh"

# with VARIABLE=VALUE... PROGRAM: no other setting of the environment is in force
with() {
  env -u CADASTRE_EMULATED_DEVICES -u CADASTRE_LIMIT -u CADASTRE_WORKSPACE_SIZE CADASTRE_BACKEND=host "$@"
}

# succeeds VARIABLE=VALUE... PROGRAM: with exit status 0, its lines are kept
succeeds() {
  with "$@" >"$scratch/lines" 2>&1 && return
  cat "$scratch/lines"
  return 1
}

# tells LINE: one of the lines that were kept is this, and the numbers were right
tells() {
  cat "$scratch/lines"
  grep -qx "$1; largest error [0-9.]*[eE][-+][0-9]*" "$scratch/lines"
}

without_errors() { sed 's/; largest error.*//' "$@"; }
of_readme() { sed -n '/^#+begin_example/,/^#+end_example/{/^#+/!p}' "$srcdir/examples/README.org"; }
same_lines() { without_errors "$scratch/lines" | diff -u "$scratch/told" -; }

degraded="Performance degraded: a slower algorithm that needs less workspace was used"
refused="Limit exceeded"
of_readme | without_errors >"$scratch/told"

# scenarios NAME PROGRAM
scenarios() {
  claim "$1: all results agree with a plain substitution" succeeds "$2"
  claim "$1: default: the first call allocates, the second reuses the memory" \
    tells "default: Success; size 286720, growths 1, acquisitions 2, failed acquisitions 0"
  claim "$1: preallocate: after a size query no call allocates" \
    tells "preallocate, 286720 bytes by size query: Success; size 286720, growths 0, acquisitions 2, failed acquisitions 0"
  claim "$1: manual: the caller's buffer is used, and nothing is allocated" \
    tells "manual, a buffer of 286720 bytes of the caller's: Success; size 286720, growths 0, acquisitions 2, failed acquisitions 0"
  claim "$1: multiple buffers come from one lease" \
    tells "multiple buffers, 800, 400 and 0 bytes: three pointers from one lease; size 1280, growths 1, acquisitions 1, failed acquisitions 0"
  claim "$1: size query: the results are the running maximum, which is enough" \
    tells "size query, solve for 48 increased, solve for 12 unchanged, solve for 96 increased, multiply unchanged, \
311296 bytes in all: Success; size 311296, growths 0, acquisitions 2, failed acquisitions 0"
  claim "$1: degraded algorithm: what is there is too little for the optimal one" \
    tells "degraded, 65536 bytes: $degraded; size 65536, growths 0, acquisitions 2, failed acquisitions 2"
  claim "$1: failed: too little for either, and the arguments are as they were" \
    tells "failed, 16384 bytes: $refused; size 16384, growths 0, acquisitions 0, failed acquisitions 4"
  claim "$1: only what was explicitly sized is used" \
    tells "only what was explicitly sized is used, and twice as much is needed: $degraded; allocations 0; \
size 286720, growths 0, acquisitions 2, failed acquisitions 1"
  claim "$1: examples/README.org says what it prints" same_lines
}

# environment NAME PROGRAM SIZE SCHEME OUTCOME
environment() {
  claim "$1: preallocate by environment: $3 makes it $4" succeeds "CADASTRE_WORKSPACE_SIZE=$3" "$2"
  claim "$1: and the calls come to: $5" \
    tells "preallocate by environment, CADASTRE_WORKSPACE_SIZE=$3, HOST memory is $4: $5"
}

by_environment() {
  environment "$1" "$2" 8M preallocated "Success; size 8388608, growths 0, acquisitions 2, failed acquisitions 0"
  environment "$1" "$2" 64K preallocated "$degraded; size 65536, growths 0, acquisitions 2, failed acquisitions 2"
  environment "$1" "$2" 16K preallocated "$refused; size 16384, growths 0, acquisitions 0, failed acquisitions 4"
  environment "$1" "$2" per-lease per-lease "Success; size 0, growths 2, acquisitions 2, failed acquisitions 0"
  environment "$1" "$2" stream-ordered stream-ordered "Success; size 0, growths 2, acquisitions 2, failed acquisitions 0"
  claim "$1: a size that is none is refused" \
    refused 1 'CADASTRE_WORKSPACE_SIZE=much is malformed' with CADASTRE_WORKSPACE_SIZE=much "$2"
}

# A function acquires HOST memory from a context for a device.
# on_device NAME PROGRAM DEVICE VARIABLE=VALUE...
on_device() {
  name=$1
  program=$2
  device=$3
  shift 3
  claim "$name: on $device the same acquisitions work" succeeds "$@" CADASTRE_WORKSPACE_SIZE=64K "$program"
  claim "$name: and the environment sets the size of DEVICE memory" \
    tells "preallocate by environment, CADASTRE_WORKSPACE_SIZE=64K, of DEVICE memory, HOST memory is automatic: Success; \
size 286720, growths 1, acquisitions 2, failed acquisitions 0"
}

double=$top_builddir/tests/.libs/libcuda_double.so
found=no
for name in cxx fortran; do
  program=$top_builddir/examples/triangular_solve_$name
  [ -x "$program" ] || continue
  found=yes
  scenarios $name "$program"
  by_environment $name "$program"
  on_device $name "$program" "an emulated device" CADASTRE_EMULATED_DEVICES=1
  if [ -e "$double" ]; then
    on_device $name "$program" "a device of CUDA" CADASTRE_BACKEND=cuda CADASTRE_CUDA_LIBRARY="$double"
  else
    skip "$name: on a device of CUDA the same acquisitions work" "the double of the CUDA runtime was not built"
  fi
  claim "$name: an outcome that is not what it should be is printed, and is exit status 1" \
    refused 1 ', WRONG' with CADASTRE_LIMIT=HOST=100K "$program"
done
[ $found = yes ] || claim "a program was built" false

as_told() { ${CXX:-c++} -std=c++17 -Wall -Wextra -Werror -fsyntax-only "-I$srcdir/include" "$srcdir/examples/triangular_solve.cpp"; }
claim "the program is C++17" as_told
finish
