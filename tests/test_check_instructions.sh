#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A call that takes more instructions than the table says is seen, and a table of another machine is not compared with.
. "$(dirname "$0")/tap.sh"

tool=$srcdir/tools/check-instructions
command -v g++ >/dev/null || skip_all "there is no g++ to ask for its version"

# A build with nothing in it but what the tool reads.
build=$scratch/build
mkdir "$build"
printf '%s\n' 'CXX = g++' 'CXXFLAGS = -O2 -g1' 'host_cpu = this' >"$build/Makefile"
: >"$build/config.h"
counts() { printf '%s own instructions/10000\tcadastre\t%s\n' "$@" >"$scratch/counts"; }
# shellcheck disable=SC2120  # claims pass arguments
check() { "$tool" "$build" --counts "$scratch/counts" --table "$scratch/table" "$@"; }

# with VALUE: counts in which the pair takes so many, and a look-up 50
with() {
  counts pair "$1" look-up 50
  printf 'pair own instructions/10000\tglibc\t7\n' >>"$scratch/counts"
}
says() { check >"$scratch/answer" && cat "$scratch/answer" && grep -qxF -- "$1" "$scratch/answer"; }
keeps_only_ours() { [ "$(grep -vc '^#' "$scratch/table")" -eq 2 ] && grep -qx 'pair	400.0' "$scratch/table"; }

with 400
claim "without a table it fails" refused 1 "--renew" check
claim "the table is written" check --renew
claim "the table has the library's rows" keeps_only_ours
claim "equal counts pass" says "2 passed, 0 failed, 0 skipped"
with 412.9
claim "3 % and less than one more pass" says "2 passed, 0 failed, 0 skipped"
with 413.1
claim "more than that fails, with both counts and the way to renew" \
  refused 1 "FAIL: pair: 400.0 before, 413.1 now (+3.3 %)" check
claim "it says how to renew the table" refused 1 "$build --renew" check
with 380
claim "what became better is told and passes" says "better: pair: 400.0 before, 380.0 now (-5.0 %)"
claim "the row that became better counts as passed" says "2 passed, 0 failed, 0 skipped"
counts look-up 50
claim "a row that is not counted any more fails" refused 1 "FAIL: pair: 400.0 before, and not counted now" check
counts pair 400 look-up 50 lease 9
claim "a row that the table lacks fails" refused 1 "FAIL: lease: 9.0, and no row of the table" check
with 500
sed 's/-O2 -g1/-O3/' "$build/Makefile" >"$scratch/makefile" && cp "$scratch/makefile" "$build/Makefile"
claim "other options are not compared with, and the reason is told" says "0 passed, 0 failed, 1 skipped"
refuses_to_name() { check | grep -F -- "-O2" | grep -qF -- "-O3"; }
claim "the reason names both" refuses_to_name
finish
