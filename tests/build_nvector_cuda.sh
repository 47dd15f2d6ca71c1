#!/bin/sh
# Tangled from org/tests/nvector_cuda.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# Compiles tests/nvector_cuda.cpp: build_nvector_cuda.sh SOURCES BUILD SUNDIALS [--with-cuda=DIR]
set -eu
sources=$1 build=$2 sundials=$3 toolkit=${4#--with-cuda}
toolkit=${toolkit#=}
: "${toolkit:=/usr/local/cuda}"
libraries=
for folder in "$sundials/lib" "$sundials/lib64" "$sundials"/lib/*-linux-gnu; do
  [ -f "$folder/libsundials_nveccuda.so" ] || [ -f "$folder/libsundials_nveccuda.a" ] || continue
  libraries="-L$folder -Wl,-rpath,$folder -lsundials_nveccuda"
  for name in sundials_generic sundials_core; do
    if [ -f "$folder/lib$name.so" ] || [ -f "$folder/lib$name.a" ]; then libraries="$libraries -l$name"; fi
  done
done
[ -n "$libraries" ] || { echo "error: there is no libsundials_nveccuda below $sundials; build SUNDIALS with -DENABLE_CUDA=ON" >&2; exit 1; }
[ -f "$build/.libs/libcadastre_sundials.so" ] || { echo "error: the helper was not built; see configure's summary" >&2; exit 1; }
# shellcheck disable=SC2086 # several words
${CXX:-g++} -std=c++17 -O1 -I"$sources/include" -isystem "$sundials/include" -isystem "$toolkit/include" \
  "$sources/tests/nvector_cuda.cpp" -o "$build/tests/nvector_cuda" \
  -L"$build/.libs" -Wl,-rpath,"$build/.libs" -lcadastre_sundials -lcadastre $libraries \
  -L"$toolkit/lib64" -Wl,-rpath,"$toolkit/lib64" -lcudart
