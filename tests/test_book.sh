#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The files that are built are those that the chapters say.
. "$(dirname "$0")/tap.sh"

status=0
"$srcdir/tools/tangle" --check >"$scratch/differences" 2>&1 || status=$?
[ $status -ne 77 ] || skip_all "$(cat "$scratch/differences")"

agree() {
  cat "$scratch/differences"
  [ $status -eq 0 ]
}

claim "a fresh tangle equals the files that are there" agree
finish
