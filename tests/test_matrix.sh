#!/bin/sh
# Tangled from org/tests/each_backend.org; change the chapter, then run: make tangle
# The claims of test_each_backend on each backend and version of a runtime, and whether org/matrix.tsv tells what held.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
program=$build/tests/test_each_backend
[ -x "$program" ] || skip_all "tests/test_each_backend was not built"
table=$srcdir/org/matrix.tsv
doubles=$build/tests/.libs
CMOCKA_MESSAGE_OUTPUT=TAP
CADASTRE_TEST_BRIEF=yes
TEST_MODEL_STEPS=${TEST_MODEL_STEPS:-20000}  # on each version
export CMOCKA_MESSAGE_OUTPUT CADASTRE_TEST_BRIEF TEST_MODEL_STEPS
complete=yes
printf '# yes: the claims hold; -: there is nothing to claim, or another program does; written by: tests/test_matrix.sh\n' >"$scratch/title"

says_the_same() {
  awk -F'\t' -v name="$1" '/^#/ { next } !at { for (i = 2; i <= NF; i++) if ($i == name) at = i; next } { print $1 "\t" $at }' "$table" |
    awk -F'\t' 'NR == FNR { ran[$1]; next } $1 in ran' "$scratch/column" - >"$scratch/expected"
  diff "$scratch/expected" "$scratch/column" || { echo "if that is right, copy tests/matrix.tsv of the build folder to org/"; return 1; }
}

# What a program told, which ended well.
all_hold() {
  cat "$scratch/told"
  [ "$status" -eq 0 ] && grep -q '^ok' "$scratch/told"
}

# row NAME PROGRAM WHERE [VARIABLE=VALUE...]: its cell in the column of a backend, where it is one of those
row() {
  title=$1 file=$build/tests/$2 where=" $3 " status=0
  shift 3
  case $where in
    *" $backend "*) ;;
    *) printf '%s\t-\n' "$title" >>"$scratch/column" && return ;;
  esac
  [ -x "$file" ] || { complete=no; return; }
  env "$@" "$file" >"$scratch/told" 2>&1 </dev/null || status=$?
  claim "$title: the claims of $(basename "$file") hold on $name" all_hold
  if [ $status -eq 0 ]; then printf '%s\tyes\n' "$title"; else printf '%s\tno\n' "$title"; fi >>"$scratch/column"
}

# on NAME BACKEND CONFORMANCE [VARIABLE=VALUE...]
on() {
  name=$1 backend=$2 conformance=$3 status=0
  shift 3
  env "$@" "$program" "$backend" >"$scratch/told" 2>&1 </dev/null || status=$?
  if [ $status -eq 77 ]; then
    complete=no
    skip "the claims hold on $name" "$(sed -n 's/^[# ]*\(.\)/\1/p' "$scratch/told" | sed 1q)"
    return
  fi
  claim "the claims of test_each_backend hold on $name" all_hold
  sed -n 's/^ok [0-9]* - \([a-z]*\)$/\1\tyes/p; s/^not ok [0-9]* # SKIP \([a-z]*\)$/\1\t-/p; s/^not ok [0-9]* - \([a-z]*\)$/\1\tno/p' "$scratch/told" >"$scratch/column"
  row conformance "$conformance" "$backend" "$@"
  row functions test_memory "host cuda hip openmp" CADASTRE_BACKEND="$backend" "$@"
  row Fortran test_fortran "host cuda hip openmp" CADASTRE_BACKEND="$backend" "$@"
  row "interop objects" test_openmp_queues openmp "$@"
  row "limit of all types" test_limit_of_all "host emulated cuda hip openmp" CADASTRE_TEST_BACKEND="$backend" "$@"
  for each in C++:cxx SUNDIALS:sundials_cuda "SUNDIALS temporaries:sundials_temporary_cuda" "caching pool:pool" "pool and queues:pool_queues" \
    "pools of contexts:pools" "shared pools:pool_sharing" "out of memory:out_of_memory" "devices at fault:device_faults" IPC:ipc "workspaces and graphs:workspace_cuda" \
    "random programs:device_model"; do
    row "${each%%:*}" "test_${each#*:}" "cuda hip" "$@"
  done
  claim "the table tells what held on $name" says_the_same "$name"
  [ -s "$scratch/table" ] || { echo claim; cut -f 1 "$scratch/column"; } >"$scratch/table"
  { echo "$name"; cut -f 2 "$scratch/column"; } | paste "$scratch/table" - >"$scratch/wider"
  mv "$scratch/wider" "$scratch/table"
}

on host host test_backend_host
on emulated emulated test_backend_emulated
on registered registered test_backend_registered
on openmp openmp test_backend_openmp
on "CUDA 11" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$doubles/libcuda_double_11.so"
on "CUDA 12" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$doubles/libcuda_double_12.so"
on "CUDA 13" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$doubles/libcuda_double.so"
on "CUDA's driver" cuda test_backend_cuda CADASTRE_CUDA_LIBRARY="$doubles/libcuda_driver_double.so"
on "ROCm 5" hip test_backend_cuda CADASTRE_TEST_RUNTIME=hip CADASTRE_HIP_LIBRARY="$doubles/libhip_double_5.so"
on "ROCm 6" hip test_backend_cuda CADASTRE_TEST_RUNTIME=hip CADASTRE_HIP_LIBRARY="$doubles/libhip_double_6.so"
on "ROCm 7" hip test_backend_cuda CADASTRE_TEST_RUNTIME=hip CADASTRE_HIP_LIBRARY="$doubles/libhip_double_7.so"
[ $complete = no ] || cat "$scratch/title" "$scratch/table" >"$build/tests/matrix.tsv"
finish
