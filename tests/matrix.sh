# Tangled from org/tests/each_backend.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# To be sourced by the scripts of the table: the claims of test_each_backend, and of other programs, on a backend or a version of a
# runtime, and whether org/matrix.tsv says what held.
. "$(dirname "$0")/tap.sh"
. "$srcdir/tests/vendors.sh"

build=$(cd "${top_builddir:-.}" && pwd)
program=$build/tests/test_each_backend
[ -x "$program" ] || skip_all "tests/test_each_backend was not built"
table=$srcdir/org/matrix.tsv
libraries=$build/tests/.libs
CMOCKA_MESSAGE_OUTPUT=TAP
CADASTRE_TEST_BRIEF=yes
TEST_MODEL_STEPS=${TEST_MODEL_STEPS:-8000}  # on each version
export CMOCKA_MESSAGE_OUTPUT CADASTRE_TEST_BRIEF TEST_MODEL_STEPS
# Programs run in a folder of their own: others like them write files of the same names at the same time.
srcdir=$(cd "$srcdir" && pwd)
export srcdir
complete=yes

has_a_column() { sed -n 2p "$table" | tr '\t' '\n' | grep -qxF "$1"; }
says_the_same() {
  awk -F'\t' -v name="$1" '/^#/ { next } !at { for (i = 2; i <= NF; i++) if ($i == name) at = i; next } { print $1 "\t" $at }' "$table" |
    awk -F'\t' 'NR == FNR { ran[$1]; next } $1 in ran' "$scratch/column" - >"$scratch/expected"
  diff "$scratch/expected" "$scratch/column" || { echo "if that is right, copy the column from tests/matrix_*.tsv of the build folder, as org/tests/each_backend.org says"; return 1; }
}

# What a program told, which ended well.
all_hold() {
  cat "$scratch/told"
  [ "$status" -eq 0 ] && grep -q '^ok' "$scratch/told"
}

# Between the oldest version of a runtime and the newest there is little that neither has: LONG=yes makes all claims there, too.
between=no

# row NAME PROGRAM WHERE [VARIABLE=VALUE...]: its cell in the column of a backend, where it is one of those
row() {
  if [ "$between" = yes ] && [ "${LONG-}" != yes ] && [ "$1" != conformance ]; then
    complete=no
    return
  fi
  title=$1 file=$build/tests/$2 where=" $3 " status=0
  shift 3
  case $where in
    *" $backend "*) ;;
    *) printf '%s\t-\n' "$title" >>"$scratch/column" && return ;;
  esac
  [ -x "$file" ] || { complete=no; return; }
  (cd "$scratch" && env "$@" "$file") >"$scratch/told" 2>&1 </dev/null || status=$?
  claim "$title: the claims of $(basename "$file") hold on $name" all_hold
  if [ $status -eq 0 ]; then printf '%s\tyes\n' "$title"; else printf '%s\tno\n' "$title"; fi >>"$scratch/column"
}

# on NAME BACKEND CONFORMANCE [VARIABLE=VALUE...]
on() {
  name=$1 backend=$2 conformance=$3 status=0
  shift 3
  (cd "$scratch" && env "$@" "$program" "$backend") >"$scratch/told" 2>&1 </dev/null || status=$?
  if [ $status -eq 77 ]; then
    complete=no
    skip "the claims hold on $name" "$(sed -n 's/^[# ]*\(.\)/\1/p' "$scratch/told" | sed 1q)"
    return
  fi
  claim "the claims of test_each_backend hold on $name" all_hold
  sed -n 's/^ok [0-9]* - \([a-z]*\)$/\1\tyes/p; s/^not ok [0-9]* # SKIP \([a-z]*\)$/\1\t-/p; s/^not ok [0-9]* - \([a-z]*\)$/\1\tno/p' "$scratch/told" >"$scratch/column"
  row conformance "$conformance" "$backend" "$@"
  row functions test_memory "host $vendors openmp" CADASTRE_BACKEND="$backend" "$@"
  row Fortran test_fortran "host $vendors openmp" CADASTRE_BACKEND="$backend" "$@"
  row "interop objects" test_openmp_queues openmp "$@"
  row "limit of all types" test_limit_of_all "host emulated $vendors openmp" CADASTRE_TEST_BACKEND="$backend" "$@"
  for each in C++:cxx SUNDIALS:sundials_cuda "SUNDIALS temporaries:sundials_temporary_cuda" "caching pool:pool" "pool and queues:pool_queues" \
    "pools of contexts:pools" "shared pools:pool_sharing" "out of memory:out_of_memory" "devices at fault:device_faults" IPC:ipc "workspaces and graphs:workspace_cuda" \
    "random programs:device_model"; do
    row "${each%%:*}" "test_${each#*:}" "$vendors" "$@"
  done
  if has_a_column "$name"; then
    claim "the table tells what held on $name" says_the_same "$name"
  else
    skip "the table tells what held on $name" "it has no column yet: copy it from tests/matrix_*.tsv of the build folder"
  fi
  { echo "$name"; cut -f 2 "$scratch/column"; } >"$scratch/told"
  if [ -s "$scratch/table" ]; then paste "$scratch/table" "$scratch/told" >"$scratch/wider"; else cp "$scratch/told" "$scratch/wider"; fi
  mv "$scratch/wider" "$scratch/table"
}

# leave PART: its columns, where all of them could be made; the first part names the rows, too
leave() {
  [ $complete = yes ] || return 0
  case $1 in
    host) { echo claim; cut -f 1 "$scratch/column"; } | paste - "$scratch/table" ;;
    *) cat "$scratch/table" ;;
  esac >"$build/tests/matrix_$1.tsv"
}
