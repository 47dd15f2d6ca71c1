#!/bin/sh
# Tangled from org/qmckl_gpu.org; change the chapter, then run: make tangle
# The claims on qmckl_gpu's functions: preloaded, linked before the library and linked in, on each backend.
. "$(dirname "$0")/tap.sh"

build=${top_builddir:-.}
libraries=$build/tests/.libs
adapter=$build/.libs/libcadastre_qmckl.so
[ -f "$adapter" ] && [ -f "$libraries/libqmckl_gpu_imitation.so" ] || skip_all "no shared library was built"
[ -x "$build/tests/test_qmckl_gpu" ] || skip_all "cmocka is not there"

# Ends well, with all claims made, save as many as are skipped there.
ends_well() { # SKIPPED COMMAND...
  skipped=$1
  shift
  CMOCKA_MESSAGE_OUTPUT=TAP "$@" >"$scratch/output" 2>&1 || { cat "$scratch/output"; return 1; }
  cat "$scratch/output"
  [ "$(grep -cE '^(not )?ok [0-9]' "$scratch/output")" -eq 30 ] || { echo "not as many claims as there are"; return 1; }
  [ "$(grep -c '# SKIP' "$scratch/output")" -eq "$skipped" ] || { echo "not $skipped skipped"; return 1; }
}

program=$build/tests/.libs/test_qmckl_gpu
[ -x "$program" ] || program=$build/tests/test_qmckl_gpu
runtime=$(ldd "$program" | awk '$1 ~ /^lib(asan|tsan|clang_rt)/ { print $3 }' | tr '\n' ':')
path=$(cd "$build" && pwd)
LD_LIBRARY_PATH=$path/.libs:$path/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}${OPENMP_LIBDIR:+:$OPENMP_LIBDIR}
export LD_LIBRARY_PATH

preloaded() { env LD_PRELOAD="$runtime$path/.libs/libcadastre_qmckl.so" QMCKL_GPU_ANSWERED_BY=libcadastre_qmckl "$program" "$1"; }
linked_before() { "$build/tests/test_qmckl_gpu_linked" "$1"; }
linked_in() { "$build/tests/test_qmckl_gpu_linked_in" "$1"; }

claim "the imitation is as the claims say where its own layer agrees" ends_well 18 "$program" fallback

backends="fallback emulated"
if [ -f "$libraries/libcuda_double.so" ] && [ -n "${CADASTRE_CUDA_LIBRARY-}" ]; then backends="$backends cuda"; fi
if [ -f "$build/libcadastre_openmp.so" ]; then backends="$backends openmp"; fi
for backend in $backends; do
  case $backend in
    fallback) skipped=6 ;;
    emulated) skipped=4 ;;
    cuda) skipped=0 ;;
    openmp) skipped=3 ;;
  esac
  claim "preloaded, on $backend" ends_well $skipped preloaded $backend
  claim "linked before the library, on $backend" ends_well $skipped linked_before $backend
  claim "linked in, on $backend" ends_well $((skipped + 1)) linked_in $backend
done

is_silent() { [ -z "$(env LD_PRELOAD="$runtime$path/.libs/libcadastre_qmckl.so" "$@" 2>&1)" ]; }
claim "a process without the library notices nothing" is_silent true
finish
