#!/bin/sh
# Tangled from org/tests/pool_policy_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# tools/draw-trace draws traces, and bench/pool_policies tells what policies hold for them.
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

command -v python3 >/dev/null || skip_all "python3 is missing, which draws the traces"
draw() { "$srcdir/tools/draw-trace" "$@"; }
policies=${top_builddir:-.}/bench/pool_policies
unset CADASTRE_POOL CADASTRE_POOL_RELEASE_THRESHOLD CADASTRE_LIMIT CADASTRE_TRACE CADASTRE_REPORT

for kind in pytorch:3 amrex:6 rocblas:20; do
  draw "${kind%:*}" --steps "${kind#*:}" >"$scratch/${kind%:*}.csv"
done

same() { draw rocblas --steps 20 | cmp - "$scratch/rocblas.csv"; }
claim "the same seed draws the same trace" same
other() { ! draw rocblas --steps 20 --seed 2 | cmp -s - "$scratch/rocblas.csv"; }
claim "another seed draws another one" other
# Some versions of Python put the kinds in quotes.
draw_without_quotes() {
  draw "$@" 2>"$scratch/said" && return
  set -- $?
  tr -d "'" <"$scratch/said" >&2
  return "$1"
}
claim "a kind that is not known is refused with those that are" refused 2 "amrex, pytorch, rocblas" draw_without_quotes hypre
claim "a trace of no steps is refused" refused 2 "1 or more is right" draw amrex --steps 0

# Memory that nobody touches, so that gigabytes are no hindrance.
replays() { "${CADASTRE:-./cadastre}" replay --uninitialized --memory-type HOST --backend host "$scratch/$1.csv"; }
for kind in pytorch amrex rocblas; do
  claim "a trace of $kind is replayed without a failure" replays $kind
done

claim "the policies are told of all traces" "$policies" "$scratch/pytorch.csv" "$scratch/amrex.csv" "$scratch/rocblas.csv"
cp "$scratch/said" "$scratch/table"
# holds TRACE MOST CALLS: the pool of this library holds at most so much of what lives at most, with so many of the vendor's calls
holds() {
  grep "^$1 " "$scratch/table"
  awk -v trace="$1" -v most="$2" -v calls="$3" '$1 == trace { found = 1; exit !($4 >= 1 && $4 <= most && $5 <= calls) } END { if (!found) exit 1 }' "$scratch/table"
}
claim "training: at most 1.1 of what lives, two fifths of the calls" holds pytorch 1.10 0.40
claim "mesh refinement: at most 1.1 of what lives, a tenth of the calls" holds amrex 1.10 0.10
claim "a solver's workspaces: at most 1.1 of what lives, a fifth of the calls" holds rocblas 1.10 0.20
if [ -w /dev/full ]; then
  on_a_full_disk() { "$@" >/dev/full; }
  claim "a full disk is told of a trace" refused 1 "cannot be written" on_a_full_disk draw rocblas --steps 2
  claim "and of a table" refused 1 "cannot be written" on_a_full_disk "$policies" "$scratch/rocblas.csv"
fi
printf 'op,context\ncreate,1\ndestroy,1\n' >"$scratch/empty.csv"
nothing() { "$policies" "$scratch/empty.csv" | grep "^empty .* nothing is allocated"; }
claim "of a trace without allocations it says so" nothing
claim "no trace is an error that says where to get one" refused 1 "tools/draw-trace" "$policies"
claim "a file that is no trace is named" refused 1 "README.org" "$policies" "$srcdir/README.org"
finish
