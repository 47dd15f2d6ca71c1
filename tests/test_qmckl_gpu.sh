#!/bin/sh
# Tangled from org/tests/qmckl_gpu_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The claims on qmckl_gpu's functions: preloaded, linked before the library and linked in, on each backend.
. "$(dirname "$0")/tap.sh"

build=${top_builddir:-.}
libraries=$build/tests/.libs
adapter=$build/.libs/libcadastre_qmckl.so
[ -f "$adapter" ] && [ -f "$libraries/libqmckl_gpu_imitation.so" ] || skip_all "no shared library was built"
[ -x "$build/tests/test_qmckl_gpu_own" ] || skip_all "cmocka is not there"

# Ends well, with all claims made, save as many as are skipped there.
ends_well() { # SKIPPED COMMAND...
  skipped=$1
  shift
  CMOCKA_MESSAGE_OUTPUT=TAP "$@" >"$scratch/output" 2>&1 || { cat "$scratch/output"; return 1; }
  cat "$scratch/output"
  [ "$(grep -cE '^(not )?ok [0-9]' "$scratch/output")" -eq 30 ] || { echo "not as many claims as there are"; return 1; }
  [ "$(grep -c '# SKIP' "$scratch/output")" -eq "$skipped" ] || { echo "not $skipped skipped"; return 1; }
}

program=$build/tests/.libs/test_qmckl_gpu_own
[ -x "$program" ] || program=$build/tests/test_qmckl_gpu_own
runtime=$(ldd "$program" | awk '$1 ~ /^lib(asan|tsan|clang_rt)/ { print $3 }' | tr '\n' ':')
path=$(cd "$build" && pwd)
# Some releases of LLVM look there only for what offloads.
offloading=$(ldd "$build/libcadastre_openmp.so" 2>/dev/null | awk '$1 ~ /^libomptarget/ { sub("/[^/]*$", "", $3); print $3 }')
LD_LIBRARY_PATH=$path/.libs:$path/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}${offloading:+:$offloading}
export LD_LIBRARY_PATH

with_adapter() { env LD_PRELOAD="$runtime$path/.libs/libcadastre_qmckl.so" "$@"; }
preloaded() { with_adapter env QMCKL_GPU_ANSWERED_BY=libcadastre_qmckl "$program" "$1"; }
linked_before() { "$build/tests/test_qmckl_gpu_linked" "$1"; }
linked_in() { "$build/tests/test_qmckl_gpu_linked_in" "$1"; }

leaves() { [ "$(with_adapter "$program" "$1" leave)" = left ]; }

claim "the imitation is as the claims say where its own layer agrees" ends_well 18 "$program" fallback

backends="fallback emulated"
# On a GPU, which tools/gpu-check says that there is, nothing is counted and nothing made to fail.
if [ "${TEST_ON_DEVICE-}" = yes ]; then
  backends="$backends cuda"
elif [ -f "$libraries/libcuda_double.so" ] && [ -n "${CADASTRE_CUDA_LIBRARY-}" ]; then
  backends="$backends cuda"
fi
if [ -f "$build/libcadastre_openmp.so" ]; then backends="$backends openmp"; fi
for backend in $backends; do
  case $backend in
    fallback) skipped=6 ;;
    emulated) skipped=4 ;;
    cuda) skipped=0 && [ "${TEST_ON_DEVICE-}" != yes ] || skipped=2 ;;
    openmp) skipped=3 ;;
  esac
  claim "preloaded, on $backend" ends_well $skipped preloaded $backend
  claim "linked before the library, on $backend" ends_well $skipped linked_before $backend
  claim "linked in, on $backend" ends_well $((skipped + 1)) linked_in $backend
  claim "a process ends well with live contexts on $backend" leaves $backend
done

# Without the backend that the environment asks for.
without() { "$@" absent; }
claim "preloaded, a backend that is absent is told" without preloaded
claim "linked before the library, a backend that is absent is told" without linked_before

# By a program that opens the library for itself, as Python does with what an extension brings along.
opened() {
  ${CC:-cc} ${CFLAGS-} -I"$srcdir/tests" "$srcdir/tests/qmckl_gpu_opened.c" -o "$scratch/opened" -ldl ${LDFLAGS-} &&
    with_adapter env CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 "$scratch/opened" \
      "$path/tests/.libs/libqmckl_gpu_imitation.so"
}
claim "preloaded, with a library that a program opens for itself" opened

is_silent() { [ -z "$(with_adapter "$@" 2>&1)" ]; }
claim "a process without the library notices nothing" is_silent true

# Regions of code on the memory: compiled by what offloads, and run on its devices, then on the host.
compiles() {
  $OMPTARGET_CXX $OPENMP_FLAGS -O1 "$srcdir/tests/qmckl_gpu_regions.cpp" -L"$libraries" -lqmckl_gpu_imitation -o "$1"
}
on_device() { with_adapter env CADASTRE_BACKEND=openmp "$scratch/regions" device; }
on_host() { with_adapter env CADASTRE_BACKEND=host OMP_TARGET_OFFLOAD=DISABLED "$scratch/regions" host; }
if [ -f "$build/libcadastre_openmp.so" ] && [ -z "$runtime" ]; then
  claim "a program with regions is compiled" compiles "$scratch/regions"
  claim "regions on a device work on what qmckl_malloc_device gave" on_device
  claim "regions on the host work on what qmckl_malloc_device gave" on_host
fi
finish
