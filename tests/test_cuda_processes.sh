#!/bin/sh
# Tangled from org/tests/cuda_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# What a process sees whose CUDA runtime is absent, or is leaving.
. "$(dirname "$0")/tap.sh"

program=${top_builddir:-.}/tests/test_backend_cuda
libraries=$(cd "${top_builddir:-.}/tests/.libs" 2>/dev/null && pwd)
double=$libraries/libcuda_double.so
[ -x "$program" ] && [ -f "$double" ] || skip_all "the CUDA backend and its double were not built"
CADASTRE_CUDA_LIBRARY=$double
export CADASTRE_CUDA_LIBRARY
CUDA_DOUBLE_CHECK=1
export CUDA_DOUBLE_CHECK

# asked LIBRARY VARIABLE=VALUE... QUESTION: what the program answers
asked() {
  library=$1
  shift
  env CADASTRE_CUDA_LIBRARY="$library" "$@"
}

# says TEXT COMMAND...: the command succeeds, and says so
says() { refused 0 "$@"; }

# Libraries whose versions are too old and too new, and one that has a version and nothing else.
for version in 10020 11010 14000 12000; do
  echo "int cudaRuntimeGetVersion(int* v) { *v = $version; return 0; }" >"$scratch/runtime$version.c"
  ${CC:-cc} -shared -fPIC -o "$scratch/runtime$version.so" "$scratch/runtime$version.c"
done

claim "the double is a runtime with two devices" \
  says "usable 1, devices 2: " "$program" presence
claim "a library that is not there is told with its name" \
  says "usable 0, devices 0: the library that CADASTRE_CUDA_LIBRARY names cannot be opened: /nowhere/libcudart.so" \
  asked /nowhere/libcudart.so "$program" presence
claim "a library that is too old is told with its version and those that serve" \
  says "version 10.2 of the CUDA runtime, and the versions from 11.2 to 13 are supported" \
  asked "$scratch/runtime10020.so" "$program" presence
claim "so is one that is too old by a minor version" \
  says "version 11.1 of the CUDA runtime, and" asked "$scratch/runtime11010.so" "$program" presence
claim "so is one that is too new" \
  says "version 14.0 of the CUDA runtime, and" asked "$scratch/runtime14000.so" "$program" presence
claim "a library that lacks a routine is told with its name" \
  says "is not a CUDA runtime of version 12: it lacks cudaDriverGetVersion" \
  asked "$scratch/runtime12000.so" "$program" presence
claim "a machine without a driver says so" \
  says "there is no NVIDIA driver (CUDA driver version is insufficient for CUDA runtime version)" \
  asked "$double" CUDA_DOUBLE_DEVICES=-1 "$program" presence
claim "a machine without a device says so" \
  says "there is no CUDA device that this process may use" \
  asked "$double" CUDA_DOUBLE_DEVICES=0 "$program" presence
claim "a driver that fails otherwise is quoted" \
  says "cudaGetDeviceCount failed: unknown error (999)" \
  asked "$double" CUDA_DOUBLE_FAIL=cudaGetDeviceCount:1 CUDA_DOUBLE_FAIL_CODE=999 "$program" presence
claim "a child whose parent had the runtime open is told that it is a child" \
  says "usable 0, devices 0: CUDA cannot be used in a child process after fork" "$program" "child of CUDA"
claim "a child whose parent had another vendor's open may be the first to open it" \
  says "usable 1, devices 2: " "$program" "child of OpenMP"
claim "host memory comes and goes while another thread is in the first call to the runtime, which does not return" \
  says "asleep 1, worked 1, beside it 1" asked "$double" CUDA_DOUBLE_SLOW=cudaGetDeviceCount "$program" "beside a slow opening"

# installed VERSIONS VARIABLE=VALUE... QUESTION: what the program answers where the dynamic linker finds the doubles of these
# versions under the names of their runtimes, and nobody names one
installed() {
  shelf=$scratch/shelf
  rm -rf "$shelf"
  mkdir "$shelf"
  echo "no library, so that a driver of the machine's does not serve alone" >"$shelf/libcuda.so.1"
  for version in $1; do
    case $version in
      11) ln -s "$libraries/libcuda_double_11.so" "$shelf/libcudart.so.11.0" ;;
      12) ln -s "$libraries/libcuda_double_12.so" "$shelf/libcudart.so.12" ;;
      13) ln -s "$double" "$shelf/libcudart.so.13" ;;
    esac
  done
  shift
  env -u CADASTRE_CUDA_LIBRARY LD_LIBRARY_PATH="$shelf" "$@"
}
claim "of several runtimes that nobody names the newest is opened" \
  says "opened libcudart.so.13" installed "11 12 13" "$program" runtime
claim "an older one where that is not there" says "opened libcudart.so.12" installed "11 12" "$program" runtime
claim "and the oldest" says "opened libcudart.so.11.0" installed 11 "$program" runtime
claim "an older one where the driver is too old for the newest" \
  says "opened libcudart.so.12" installed "11 12 13" CUDA_DOUBLE_DRIVER=12000 "$program" runtime
claim "and the oldest where it is too old for the others" \
  says "opened libcudart.so.11.0" installed "11 12 13" CUDA_DOUBLE_DRIVER=11040 "$program" runtime
claim "one that the program has loaded already comes before a newer one" \
  says "opened libcudart.so.12" installed "11 12 13" LD_PRELOAD=libcudart.so.12 "$program" runtime
claim "where the driver is too old for all, that of the newest is told" \
  says "the NVIDIA driver is for CUDA 10.2, and the runtime is newer" \
  installed "11 12 13" CUDA_DOUBLE_DRIVER=10020 "$program" presence
folder=$(sed -n 's/.*CUDART_FOLDER "\(.*\)"/\1/p' "${top_builddir:-.}/config.h")
if [ -n "$(ls "$folder"/libcudart.so.1[123]* 2>/dev/null)" ]; then
  found() {
    env -u CADASTRE_CUDA_LIBRARY "$program" presence >"$scratch/found"
    ! grep "the CUDA runtime was not found" "$scratch/found"
  }
  claim "one that the dynamic linker does not find is found in the folder of a toolkit" found
else
  skip "one that the dynamic linker does not find is found in the folder of a toolkit" "there is none in $folder"
fi
claim "where nothing is usable, the claims are skipped with the reason" \
  says "1..0 # SKIP there is no CUDA device" asked "$double" CUDA_DOUBLE_DEVICES=0 "$program"

claim "devices without managed memory serve no UVM, and say why" \
  says "no device of this machine supports managed memory" \
  asked "$double" CUDA_DOUBLE_MANAGED=0 "$program" managed
for lack in CUDA_DOUBLE_MANAGED=0 CUDA_DOUBLE_CONCURRENT_MANAGED=0 CUDA_DOUBLE_POOLS=0 CUDA_DOUBLE_DEVICES=1 CUDA_DOUBLE_INTEGRATED=1 CUDA_DOUBLE_PAGEABLE=1 CUDA_DOUBLE_PEERS=0 \
  CUDA_DOUBLE_TAKEN=200000000; do
  claim "all claims hold with $lack" asked "$double" $lack CADASTRE_TEST_BRIEF=yes "$program"
done

# elsewhere PROGRAM VARIABLE=VALUE: all of its claims hold there, and some are made
elsewhere() {
  file=${top_builddir:-.}/tests/$1
  shift
  asked "$double" CUDA_DOUBLE_CHECK=0 CMOCKA_MESSAGE_OUTPUT=TAP CADASTRE_TEST_BRIEF=yes "$@" "$file" >"$scratch/told" 2>&1 </dev/null || { cat "$scratch/told"; return 1; }
  grep -q '^ok' "$scratch/told" || { cat "$scratch/told"; return 1; }
}
# Where others take a quarter of its 8 MiB, the random program is refused more, and loses nothing.
for run in test_ipc:CUDA_DOUBLE_PEERS=0 test_device_model:CUDA_DOUBLE_PEERS=0 test_device_model:CUDA_DOUBLE_TAKEN=2097152:0 test_device_faults:CUDA_DOUBLE_PEERS=0 \
  test_device_faults:CUDA_DOUBLE_TAKEN=200000000 test_out_of_memory:CUDA_DOUBLE_INTEGRATED=1 test_out_of_memory:CUDA_DOUBLE_POOLS=0; do
  sentence="the claims of ${run%%:*} hold with ${run#*:}"
  if [ -x "${top_builddir:-.}/tests/${run%%:*}" ]; then claim "$sentence" elsewhere "${run%%:*}" "${run#*:}"; else skip "$sentence" "it was not built"; fi
done

# A block that is held by an object which outlives the runtime is not freed by anybody, so the double, which
# would find it leaked, is not asked to.
claim "an object that goes before the runtime frees its block" says "allocate: Success" "$program" early
claim "and it is freed" says "free: Success" "$program" early
lately() { says "$1" asked "$double" CUDA_DOUBLE_CHECK=0 "$program" late; }
claim "an object that outlives the runtime frees nothing, and no harm is done" lately "free: Success"
claim "what it asks for is refused with the reason" lately "failed in the cuda backend: the process is ending"
nothing_is_called_late() {
  asked "$double" CUDA_DOUBLE_CHECK=0 "$program" late >"$scratch/late" 2>&1
  ! grep "called while the process ends" "$scratch/late"
}
claim "and the runtime is not called" nothing_is_called_late
claim "a context that nobody destroys does no harm" \
  asked "$double" CUDA_DOUBLE_CHECK=0 "$program" context
finish
