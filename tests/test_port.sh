#!/bin/sh
# Tangled from org/examples/port.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# A library before and after it was ported: both compute the same, and the guide says what the port costs and brings.
. "$(dirname "$0")/tap.sh"

before=$top_builddir/examples/port_before
after=$top_builddir/examples/port_after
device=$top_builddir/examples/port_device
guide=$srcdir/doc/guides/port.org
[ -x "$after" ] || skip_all "examples/port_after was not built"

# with VARIABLE=VALUE... PROGRAM: on the host, with no other setting of the environment
with() {
  env -u CADASTRE_EMULATED_DEVICES -u CADASTRE_LIMIT -u CADASTRE_REPORT -u CADASTRE_FAIL CADASTRE_BACKEND=host "$@"
}

same_everywhere() { sed 's/0x[0-9a-f]*/ADDRESS/g; s/context [0-9][0-9]*/context NUMBER/g'; }

# code VERSION: its lines without comments and without empty ones
code() {
  cat "$srcdir/examples/port/$1/gto.h" "$srcdir/examples/port/$1/gto.c" |
    sed 's,/\*[^*]*\*/,,g; s/[ \t]*$//' | grep .
}

# shown NUMBER: that example of the guide, the first is 1
shown() {
  awk -v number="$1" '/^#\+begin_example/ && ++seen == number { inside = 1; next } /^#\+end_example/ { inside = 0 } inside' "$guide"
}

# prints STATUS NUMBER COMMAND...: with that exit status it prints each line of that example, among others
prints() {
  expected=$1 number=$2
  shift 2
  refused "$expected" "" with "$@" || return 1
  shown "$number" | same_everywhere >"$scratch/lines"
  same_everywhere <"$scratch/refusal" >"$scratch/printed"
  [ -s "$scratch/lines" ] || { echo "the guide has no such example"; return 1; }
  while IFS= read -r line; do
    grep -qxF -- "$line" "$scratch/printed" || { echo "it does not print: $line"; return 1; }
  done <"$scratch/lines"
}

compute_the_same() {
  for program in "$before" "$after"; do
    [ "$(with "$program")" = "sum of values: 1389.990579805" ] || return 1
  done
}
claim "before and after compute the same number" compute_the_same

lines_are_counted() {
  for version in before after; do code $version >"$scratch/$version"; done
  diff --minimal "$scratch/before" "$scratch/after" >"$scratch/changes"
  cat >"$scratch/table" <<end
| all                              | $(grep -c . "$scratch/before")    | $(grep -c . "$scratch/after")   |
| those that the other lacks       | $(grep -c '^<' "$scratch/changes")     | $(grep -c '^>' "$scratch/changes")    |
end
  grep -E '^\| (all|those) ' "$guide" | diff - "$scratch/table"
}
claim "the guide says how many lines each has" lines_are_counted

claim "before, a double free is not found" prints 0 1 "$before" double-free
claim "after, it is explained, with the label of the block" prints 0 2 "$after" double-free
says_nothing() { [ "$(with CADASTRE_REPORT=stderr "$before" leak 2>&1)" = "sum of values: 1389.990579805" ]; }
claim "before, nobody hears of a leak" says_nothing
claim "after, it is named by the function that allocated it" prints 0 3 CADASTRE_REPORT=stderr "$after" leak
claim "statistics say how much there was" prints 0 4 CADASTRE_REPORT=stderr "$after" leak
names_no_block() { with CADASTRE_REPORT=stderr "$after" 2>&1 | grep -q '^HOST  *0  *0 B '; }
claim "without a leak nothing is left for the report to name" names_no_block
claim "a limit makes the library fail as for want of memory" prints 1 5 CADASTRE_LIMIT=HOST=40K "$after"
claim "an array may be on a device" prints 0 6 CADASTRE_EMULATED_DEVICES=1 "$device"
double=$top_builddir/tests/.libs/libcuda_double.so
on_cuda() { [ "$(with CADASTRE_BACKEND=cuda CADASTRE_CUDA_LIBRARY="$double" "$device")" = "$(shown 6)" ]; }
if [ -e "$double" ]; then claim "also on a device of CUDA" on_cuda; else skip "also on a device of CUDA" "its double was not built"; fi
claim "where there is none, the library says what would have one" refused 1 'does not support DEVICE memory' with "$device"
finish
