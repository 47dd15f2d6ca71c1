#!/bin/sh
# Tangled from org/tests/hip_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The double of the CUDA runtime as HIP, and what is said of a HIP that cannot be used.
. "$(dirname "$0")/tap.sh"

libraries=$(cd "${top_builddir:-.}/tests/.libs" 2>/dev/null && pwd)
[ -f "$libraries/libhip_double_5.so" ] || skip_all "the double of the HIP runtime was not built"
CMOCKA_MESSAGE_OUTPUT=TAP CADASTRE_TEST_RUNTIME=hip CADASTRE_TEST_BRIEF=yes
export CMOCKA_MESSAGE_OUTPUT CADASTRE_TEST_RUNTIME CADASTRE_TEST_BRIEF

# on LIBRARY PROGRAM [ARGUMENT...]
on() {
  library=$1
  shift
  CADASTRE_HIP_LIBRARY=$library "$@"
}

# plays VERSION PROGRAM [PATTERN]: all of its claims hold, or those that match, and some are made
plays() {
  played=$libraries/libhip_double_$1.so
  shift
  on "$played" "$@" >"$scratch/played" 2>&1 || { cat "$scratch/played"; return 1; }
  grep -q '^ok' "$scratch/played" || { cat "$scratch/played"; return 1; }
  ! grep '^not ok' "$scratch/played" | grep -v '# SKIP'
}

# names_it LINES PLACE: that many lines of a file, of what is built in tests, or of the code of a folder without HIP's own files and what
# is written from tables, name HIP
names_it() {
  case $2 in
    src) which="--exclude=hip* --exclude=vendors.cpp --exclude=vocabulary.?pp --exclude=*.inc --exclude=*.am --exclude=cadastre.1" ;;
    tests) which="--include=*.am --exclude=vendors.am" ;;
    *) which= ;;
  esac
  # shellcheck disable=SC2086  # a list of options
  (cd "$srcdir" && set -f && grep -rniE '(^|[^a-z]|lib)hip' "$2" $which) >"$scratch/named" || [ $? -eq 1 ] || return
  cat "$scratch/named"
  [ "$(wc -l <"$scratch/named")" -eq "$1" ]
}
claim 'org/base/vocabulary.org names HIP as often as the chapter says' names_it 1 org/base/vocabulary.org
claim 'configure.ac names HIP as often as the chapter says' names_it 1 configure.ac
claim 'src/backends/backends.am names HIP as often as the chapter says' names_it 5 src/backends/backends.am
claim 'tests names HIP as often as the chapter says' names_it 3 tests
claim 'src names HIP as often as the chapter says' names_it 0 src

# What uses it is in org/matrix.tsv.
program=${top_builddir:-.}/tests/test_cuda_runtime
for version in 5 6 7; do
  sentence="the claims of test_cuda_runtime hold on HIP of ROCm $version"
  if [ -x "$program" ]; then claim "$sentence" plays $version "$program"; else skip "$sentence" "it was not built"; fi
done

# An APU, whose memory the host reaches, and managed memory with XNACK, without, and where host and device cannot have it at the same time.
program=${top_builddir:-.}/tests/test_backend_cuda
reached() {
  played=$libraries/libhip_double_$1.so
  on "$played" env CUDA_DOUBLE_INTEGRATED=1 "$program" >"$scratch/played" 2>&1 &&
    grep -q '^ok [0-9]* - the_host_reaches_memory_of_the_device_where_that_is_said' "$scratch/played" || { cat "$scratch/played"; return 1; }
}
for version in 5 6 7; do
  sentence="the host reaches memory of an APU on HIP of ROCm $version"
  if [ -x "$program" ]; then claim "$sentence" reached $version; else skip "$sentence" "it was not built"; fi
done
for kind in CUDA_DOUBLE_INTEGRATED=1 CUDA_DOUBLE_PAGEABLE=1 CUDA_DOUBLE_CONCURRENT_MANAGED=0 CUDA_DOUBLE_MANAGED=0; do
  sentence="the claims of test_backend_cuda hold on HIP of ROCm 7 with $kind"
  if [ -x "$program" ]; then claim "$sentence" plays 7 env $kind "$program"; else skip "$sentence" "it was not built"; fi
done

# rocBLAS's schemes are of HIP, and so hold on each version of it.
for version in 5 6 7; do
  sentence="both generations of rocBLAS's schemes hold on HIP of ROCm $version"
  program=${top_builddir:-.}/tests/test_workspace
  if [ -x "$program" ]; then claim "$sentence" plays $version "$program" 'hip: rocblas_*'; else skip "$sentence" "it was not built"; fi
done

asked=${top_builddir:-.}/tests/test_backend_cuda
# says PART PROGRAM...
says() {
  part=$1
  shift
  "$@" >"$scratch/told" 2>&1
  cat "$scratch/told"
  grep -q "$part" "$scratch/told"
}
if [ -x "$asked" ]; then
  claim "a runtime that finds no device says what may hide them" \
    says "there is no HIP device that this process may use (ROCR_VISIBLE_DEVICES" \
    on "$libraries/libhip_double_6.so" env CUDA_DOUBLE_DEVICES=0 "$asked" presence
  claim "a call that is refused is told by HIP's name for it" says "hipGetDeviceCount failed: unknown error (999)" \
    on "$libraries/libhip_double_6.so" env CUDA_DOUBLE_FAIL=cudaGetDeviceCount:1 CUDA_DOUBLE_FAIL_CODE=999 "$asked" presence
  claim "a library that is not there is named" says "the library that CADASTRE_HIP_LIBRARY names cannot be opened" \
    on /nowhere/libamdhip64.so "$asked" presence
  claim "CUDA's runtime is not taken for HIP's" says "is not a HIP runtime of version 0: it lacks hip" \
    on "$libraries/libcuda_double.so" "$asked" presence
fi

if [ -x "${CADASTRE-}" ]; then
  claim "info tells which of its memory other processes can map" says "can map DEVICE memory, except of hipMallocAsync, and no PINNED" \
    on "$libraries/libhip_double_7.so" "$CADASTRE" info
fi

# AMD's own runtime, which needs no device to be looked into: what CADASTRE_HIP_LIBRARY names, else what is installed.
library=${CADASTRE_HIP_LIBRARY-}
[ -f "$library" ] || library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's|.*libamdhip64\.so\.[567] .*=> ||p' | sed 1q)
if [ -z "$library" ]; then
  skip "AMD's runtime is opened" "libamdhip64 is not installed, and CADASTRE_HIP_LIBRARY names no file"
elif [ ! -x "$asked" ]; then
  skip "AMD's runtime is opened" "the program that does was not built"
else
  claim "AMD's runtime is opened" says "^usable 1\|there is no HIP device" on "$library" "$asked" presence
  claim "it has the routines that the declarations say" on "$library" "${top_builddir:-.}/tests/test_cuda_runtime" symbols
fi
finish
