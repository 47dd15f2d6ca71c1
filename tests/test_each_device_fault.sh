#!/bin/sh
# Tangled from org/tests/device_fault_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# A device whose k-th piece of work is at fault, for each k.
. "$(dirname "$0")/tap.sh"
. "$srcdir/tests/vendors.sh"

program=${top_builddir:-.}/tests/test_device_faults
libraries=$(cd "${top_builddir:-.}/tests/.libs" 2>/dev/null && pwd)
[ -x "$program" ] && [ -f "$libraries/libcuda_double.so" ] || skip_all "the double of the CUDA runtime was not built"

# on VARIABLE=VALUE...: as many runs as it takes until the fault comes too late
each_piece_of_work_at_fault() {
  runs=0
  while [ $runs -lt 200 ]; do
    runs=$((runs + 1))
    env "$@" CUDA_DOUBLE_LATE=$runs "$program" late >"$scratch/told" 2>&1 </dev/null || { echo "# with k = $runs"; cat "$scratch/told"; return 1; }
    grep -q refused "$scratch/told" || break
  done
  echo "# $runs runs"
  [ $runs -gt 10 ] && [ $runs -lt 200 ]
}
for double in libcuda_double_11 libcuda_double libcuda_driver_double; do
  claim "nothing is lost, whichever piece of work is at fault, on $double" each_piece_of_work_at_fault CADASTRE_CUDA_LIBRARY="$libraries/$double.so"
done
for vendor in $vendors; do
  [ "$vendor" = cuda ] && continue
  for double in $(printf '%s\n' "$(oldest_of "$vendor")" "$(newest_of "$vendor")" | uniq); do
    claim "nothing is lost, whichever piece of work is at fault, on $double" \
      each_piece_of_work_at_fault CADASTRE_TEST_RUNTIME="$vendor" "$(variable_of "$vendor")=$libraries/$double.so"
  done
done
finish
