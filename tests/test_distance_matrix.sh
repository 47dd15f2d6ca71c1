#!/bin/sh
# Tangled from org/examples/distance_matrix.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The examples agree with the host where they can work, and are skipped where they cannot.
. "$(dirname "$0")/tap.sh"

case ${CFLAGS-} in
  *-fsanitize=*) skip_all "a sanitizer does not know what OpenMP's runtimes do" ;;
esac

programs=
for program in "$top_builddir/examples/distance_matrix_c" "$top_builddir/examples/distance_matrix_fortran"; do
  if [ -x "$program" ]; then programs="$programs $program"; fi
done

# with VARIABLE=VALUE... PROGRAM: no other setting of the environment is in force
with() {
  env -u CADASTRE_BACKEND -u CADASTRE_EMULATED_DEVICES -u CADASTRE_LIMIT -u CADASTRE_OPENMP_MODULE \
    -u CADASTRE_CUDA_LIBRARY -u OMP_TARGET_OFFLOAD "$@"
}

agrees() {
  with "$@" >"$scratch/run" 2>&1 || { cat "$scratch/run"; return 1; }
  cat "$scratch/run"
  grep -q 'they agree$' "$scratch/run" && grep -q '^DEVICE memory of the ' "$scratch/run" &&
    grep -q 'electron-nucleus distances' "$scratch/run"
}

for program in $programs; do
  name=$(basename "$program")
  claim "$name agrees with the host on an emulated device" \
    agrees CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 "$program"
  claim "$name says what to do where there is no device" \
    refused 77 'CADASTRE_EMULATED_DEVICES=1' with CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=0 "$program"
  claim "$name says why there is no context" refused 1 'CADASTRE_BACKEND' with CADASTRE_BACKEND=none "$program"
  claim "$name fails when a limit does not allow its arrays" \
    refused 1 'cannot allocate' with CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 CADASTRE_LIMIT=DEVICE=100K "$program"
done

double=$top_builddir/tests/.libs/libcuda_double.so
for program in $programs; do
  name=$(basename "$program")
  if [ -e "$double" ]; then
    claim "$name refuses CUDA memory, which its regions on the host cannot reach" \
      refused 77 'the same devices' with CADASTRE_BACKEND=cuda CADASTRE_CUDA_LIBRARY="$double" "$program"
  else
    skip "$name refuses CUDA memory" "the double of the CUDA runtime was not built"
  fi
done

module=$top_builddir/libcadastre_openmp.so
if [ -n "${OMPTARGET_CXX:-}" ] && [ -e "$module" ]; then
  libraries=$(dirname "$TEST_LIBRARY")
  offloading() {
    "$OMPTARGET_CXX" -x c $OPENMP_FLAGS -I"$srcdir/include" "$srcdir/examples/distance_matrix.c" -x none \
      -L"$libraries" -Wl,-rpath,"$libraries" -lcadastre -lm -o "$scratch/distance_matrix"
  }
  claim "the example is compiled by a compiler that offloads" offloading
  claim "it agrees with the host on a device of OpenMP" \
    agrees CADASTRE_BACKEND=openmp CADASTRE_OPENMP_MODULE="$module" "$scratch/distance_matrix"
  claim "on an emulated device, its kernel stays on the host" \
    agrees CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 "$scratch/distance_matrix"
  claim "it says why there is no context where OpenMP is told to stay on the host" \
    refused 1 'OMP_TARGET_OFFLOAD=DISABLED keeps target regions on the host' with CADASTRE_BACKEND=openmp CADASTRE_OPENMP_MODULE="$module" \
    OMP_TARGET_OFFLOAD=DISABLED "$scratch/distance_matrix"
  if [ -e "$double" ]; then
    # The devices of LLVM's host plugin are four.
    claim "it refuses CUDA memory when its devices are no NVIDIA devices" \
      refused 77 'which are no NVIDIA devices' with CUDA_DOUBLE_DEVICES=4 CADASTRE_BACKEND=cuda \
      CADASTRE_CUDA_LIBRARY="$double" OMP_TARGET_OFFLOAD=MANDATORY "$scratch/distance_matrix"
  fi
  for program in $programs; do
    claim "$(basename "$program"), whose OpenMP is another, refuses memory of the openmp backend" \
      refused 77 'the same devices' with CADASTRE_BACKEND=openmp CADASTRE_OPENMP_MODULE="$module" "$program"
  done
else
  skip "the example offloads" "no compiler that offloads was configured"
fi
finish
