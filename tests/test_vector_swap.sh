#!/bin/sh
# Tangled from org/examples/vector_swap.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The example with a handle and a workspace of its user says what each of its calls comes to, on each backend.
. "$(dirname "$0")/tap.sh"
. "$srcdir/tests/vendors.sh"

program=$top_builddir/examples/vector_swap
[ -x "$program" ] || skip_all "examples/vector_swap was not built"

cat >"$scratch/expected" <<'end'
no workspace set: Success; parts 1; workspace automatic, 32768 bytes, growths 1
set, with the bytes of a size query: Success; parts 1; workspace user-owned, 32768 bytes, growths 1
set, with less: Performance degraded: a slower algorithm that needs less workspace was used; parts 8; workspace user-owned, 8192 bytes, growths 1
set, with too little: Limit exceeded; parts 0; workspace user-owned, 2048 bytes, growths 1
set, with an address that is not aligned: MISALIGNED; parts 0; workspace automatic, 0 bytes, growths 1
set, and then another stream: it stays set; parts 2; workspace user-owned, 32768 bytes, growths 1
freed while it is set: WORKSPACE_MEMORY; parts 1; workspace user-owned, 32768 bytes, growths 1
freed after it was reset: Success; parts 1; workspace automatic, 0 bytes, growths 1
end

# prints VARIABLE=VALUE...: these lines, and exit status 0, with no other setting of the environment
prints() {
  env -u CADASTRE_EMULATED_DEVICES -u CADASTRE_LIMIT -u CADASTRE_WORKSPACE_SIZE "$@" "$program" >"$scratch/lines" 2>&1 ||
    { cat "$scratch/lines"; return 1; }
  diff -u "$scratch/expected" "$scratch/lines"
}

claim "on the host" prints CADASTRE_BACKEND=host
claim "on an emulated device" prints CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1
claim "whatever the environment says of workspaces" prints CADASTRE_BACKEND=host CADASTRE_WORKSPACE_SIZE=stream-ordered
# on NAME BACKEND LIBRARY: on a device that a double plays
on() {
  library=$top_builddir/tests/.libs/$3.so
  if [ -e "$library" ]; then claim "on a device of $1" prints CADASTRE_BACKEND="$2" "$4=$library"; else skip "on a device of $1" "its double was not built"; fi
}
on CUDA cuda libcuda_double CADASTRE_CUDA_LIBRARY
on "CUDA 11" cuda libcuda_double_11 CADASTRE_CUDA_LIBRARY
for vendor in $vendors; do
  [ "$vendor" = cuda ] || on "$(echo "$vendor" | tr '[:lower:]' '[:upper:]')" "$vendor" "$(newest_of "$vendor")" "$(variable_of "$vendor")"
done
claim "memory that is short is said, with exit status 1" \
  refused 1 'vector_swap: the vectors: ' env CADASTRE_BACKEND=host CADASTRE_LIMIT=HOST=40K "$program"
finish
