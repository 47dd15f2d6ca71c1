#!/bin/sh
# Tangled from org/tests/cuda_driver_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# CUDA's driver alone; and which library serves where there are several, or none.
. "$(dirname "$0")/tap.sh"

libraries=$(cd "${top_builddir:-.}/tests/.libs" 2>/dev/null && pwd)
driver=$libraries/libcuda_driver_double.so
[ -f "$driver" ] || skip_all "the double of the CUDA driver was not built"
asked=${top_builddir:-.}/tests/test_backend_cuda
CMOCKA_MESSAGE_OUTPUT=TAP
export CMOCKA_MESSAGE_OUTPUT

# on LIBRARY [VARIABLE=VALUE...] PROGRAM [ARGUMENT...]
on() {
  library=$1
  shift
  env CADASTRE_CUDA_LIBRARY="$library" "$@"
}

# plays [VARIABLE=VALUE...] PROGRAM: all of its claims hold, and some are made
plays() {
  on "$driver" CADASTRE_TEST_BRIEF=yes "$@" >"$scratch/played" 2>&1 || { cat "$scratch/played"; return 1; }
  grep -q '^ok' "$scratch/played" || { cat "$scratch/played"; return 1; }
  ! grep '^not ok' "$scratch/played" | grep -v '# SKIP'
}

# What uses it is in org/matrix.tsv.
program=${top_builddir:-.}/tests/test_cuda_driver
sentence="the claims of test_cuda_driver hold on the driver alone"
if [ -x "$program" ]; then claim "$sentence" plays "$program"; else skip "$sentence" "it was not built"; fi
[ -x "$asked" ] || { finish; exit; }
for lack in CUDA_DOUBLE_MANAGED=0 CUDA_DOUBLE_CONCURRENT_MANAGED=0 CUDA_DOUBLE_POOLS=0 CUDA_DOUBLE_DEVICES=1 CUDA_DOUBLE_INTEGRATED=1 CUDA_DOUBLE_PAGEABLE=1 CUDA_DOUBLE_PEERS=0 CUDA_DOUBLE_DRIVER=11040; do
  claim "all claims on the backend hold there with $lack" plays $lack "$asked"
done

# says TEXT COMMAND...: the command succeeds, and says so
says() { refused 0 "$@"; }
claim "a driver that finds no device says what may hide them" \
  says "there is no CUDA device that this process may use" on "$driver" CUDA_DOUBLE_DEVICES=0 "$asked" presence
claim "so does one whose kernel module is not there" \
  says "there is no CUDA device that this process may use" on "$driver" CUDA_DOUBLE_DEVICES=-1 "$asked" presence
claim "a driver that is too old is told with its version and those that serve" \
  says "version 11.1 of the CUDA driver, and the versions from 11.2 on are supported" on "$driver" CUDA_DOUBLE_DRIVER=11010 "$asked" presence
claim "one that is newer than this library serves" says "usable 1, devices 2: " on "$driver" CUDA_DOUBLE_DRIVER=99000 "$asked" presence
claim "a failure of the first call is quoted" \
  says "cuDeviceGetCount failed: unknown error (999)" on "$driver" CUDA_DOUBLE_FAIL=cuInit:1 CUDA_DOUBLE_FAIL_CODE=999 "$asked" presence
claim "a child whose parent had the driver open is told that it is a child" \
  says "CUDA cannot be used in a child process after fork" on "$driver" CUDA_DOUBLE_CHECK=1 "$asked" "child of CUDA"
claim "a child whose parent had another vendor's open may be the first to open it" \
  says "usable 1, devices 2: " on "$driver" "$asked" "child of OpenMP"
claim "an object that goes before the driver frees its block" says "free: Success" on "$driver" CUDA_DOUBLE_CHECK=1 "$asked" early
claim "an object that outlives the driver frees nothing" says "free: Success" on "$driver" "$asked" late
nothing_is_called_late() {
  on "$driver" "$asked" late >"$scratch/late" 2>&1
  ! grep "called while the process ends" "$scratch/late"
}
claim "and the driver is not called" nothing_is_called_late
claim "a context that nobody destroys does no harm" on "$driver" "$asked" context

# found NAMES [VARIABLE=VALUE...] PROGRAM...: where the dynamic linker finds these libraries under the names of the vendor's, and nobody
# names one. A driver of the machine's own is hidden by a library that is none.
found() {
  shelf=$scratch/shelf
  rm -rf "$shelf"
  mkdir "$shelf"
  cp "$scratch/none.so" "$shelf/libcuda.so.1"
  for name in $1; do
    case $name in
      runtime11) ln -s "$libraries/libcuda_double_11.so" "$shelf/libcudart.so.11.0" ;;
      runtime13) ln -s "$libraries/libcuda_double.so" "$shelf/libcudart.so.13" ;;
      driver) rm "$shelf/libcuda.so.1"; ln -s "$driver" "$shelf/libcuda.so.1" ;;
    esac
  done
  shift
  env -u CADASTRE_CUDA_LIBRARY LD_LIBRARY_PATH="$shelf" "$@"
}
echo 'int nothing;' >"$scratch/none.c"
${CC:-cc} -shared -fPIC -o "$scratch/none.so" "$scratch/none.c"
info() { found "$1" "${CADASTRE:-./cadastre}" info; }
if [ ! -x "${CADASTRE:-./cadastre}" ]; then
  skip "info says which library serves" "the program cadastre was not built"
else
  claim "where there is a driver and no runtime, it serves, and info says so" \
    says "available    NVIDIA's driver alone, without the CUDA runtime" info driver
  claim "where there is a runtime too, that serves" says "available    NVIDIA's CUDA runtime" info "runtime13 driver"
  claim "where none of the runtimes finds a device, the driver alone is asked" \
    says "available    NVIDIA's driver alone" found "runtime13 driver" CUDA_DOUBLE_DRIVER=12000 "${CADASTRE:-./cadastre}" info
  claim "an older runtime that serves comes before it" \
    says "available    NVIDIA's CUDA runtime" found "runtime11 runtime13 driver" CUDA_DOUBLE_DRIVER=12000 "${CADASTRE:-./cadastre}" info
  claim "a runtime that the program has loaded comes first of all" says "available    NVIDIA's CUDA runtime" \
    found "runtime11 driver" LD_PRELOAD=libcudart.so.11.0 "${CADASTRE:-./cadastre}" info
  claim "where neither serves, what the runtime lacks is told" says "the NVIDIA driver is for CUDA 10.2, and the runtime is newer" \
    found "runtime13" CUDA_DOUBLE_DRIVER=10020 "${CADASTRE:-./cadastre}" info
  # What is no library at all, under all the names.
  nowhere() {
    for name in libcuda.so.1 libcudart.so.13 libcudart.so.12 libcudart.so.11.0; do
      rm -f "$scratch/shelf/$name"
      echo "no library" >"$scratch/shelf/$name"
    done
    env -u CADASTRE_CUDA_LIBRARY LD_LIBRARY_PATH="$scratch/shelf" "${CADASTRE:-./cadastre}" info
  }
  sentence="where there is neither, one sentence says so"
  folder=$(sed -n 's/.*CUDART_FOLDER "\(.*\)"/\1/p' "${top_builddir:-.}/config.h")
  if [ -n "$(ls "$folder"/libcudart.so.1[123]* 2>/dev/null)" ]; then
    skip "$sentence" "there is a runtime in $folder"
  else
    claim "$sentence" says "the CUDA runtime was not found (libcudart.so.11.0 to libcudart.so.13), and neither was the NVIDIA driver (libcuda.so.1); install them, or name one in CADASTRE_CUDA_LIBRARY" nowhere
  fi
fi
finish
