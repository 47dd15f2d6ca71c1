#!/bin/sh
# Tangled from org/tests/cuda_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The double of the CUDA runtime as the older versions, and NVIDIA's own runtimes.
. "$(dirname "$0")/tap.sh"

libraries=$(cd "${top_builddir:-.}/tests/.libs" 2>/dev/null && pwd)
[ -f "$libraries/libcuda_double_11.so" ] || skip_all "the double of the CUDA runtime was not built"
CMOCKA_MESSAGE_OUTPUT=TAP CADASTRE_TEST_BRIEF=yes
export CMOCKA_MESSAGE_OUTPUT CADASTRE_TEST_BRIEF

# plays VERSION PROGRAM: all of its claims hold, and some are made
plays() {
  CADASTRE_CUDA_LIBRARY=$libraries/libcuda_double_$1.so "$2" >"$scratch/played" 2>&1 || { cat "$scratch/played"; return 1; }
  grep -q '^ok' "$scratch/played" || { cat "$scratch/played"; return 1; }
  ! grep '^not ok' "$scratch/played" | grep -v '# SKIP'
}

# What uses it is in org/matrix.tsv.
program=${top_builddir:-.}/tests/test_cuda_runtime
for version in 11 12; do
  sentence="the claims of test_cuda_runtime hold on a runtime of version $version"
  if [ -x "$program" ]; then claim "$sentence" plays $version "$program"; else skip "$sentence" "it was not built"; fi
done

# Of NVIDIA's own runtimes, which need no device to be looked into.
folder=$(sed -n 's/.*CUDART_FOLDER "\(.*\)"/\1/p' "${top_builddir:-.}/config.h")
for name in libcudart.so.11.0 libcudart.so.12 libcudart.so.13; do
  library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n "s|.*\t$name .*=> ||p" | sed 1q)
  [ -n "$library" ] || library=$folder/$name
  sentence="$name has the routines that the declarations say"
  if [ ! -f "$library" ]; then
    skip "$sentence" "there is none"
  elif [ ! -x "${top_builddir:-.}/tests/test_cuda_runtime" ]; then
    skip "$sentence" "the program that looks them up was not built"
  else
    claim "$sentence" env CADASTRE_CUDA_LIBRARY="$library" "${top_builddir:-.}/tests/test_cuda_runtime" symbols
  fi
done
finish
