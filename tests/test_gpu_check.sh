#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What tools/gpu-check makes of what it finds, tried on a release whose build and tests are stubs.
. "$(dirname "$0")/tap.sh"
command -v bash >/dev/null || skip_all "bash is not installed"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CADASTRE_CUDA_LIBRARY || true
CADASTRE_TEST_BRIEF=yes
export CADASTRE_TEST_BRIEF

release=$scratch/release
mkdir -p "$release/tools" "$release/org"
cp "$srcdir/tools/gpu-check" "$srcdir/tools/steps.sh" "$release/tools"
echo "AC_INIT([Cadastre], [1.2.3])" >"$release/configure.ac"
echo "a book" >"$release/org/index.org"
echo "// cuda_double_count" >"$scratch/double.so"

# It "builds" where STUB_BUILDS is yes; STUB_SAYS is what the runtime's test tells, where CADASTRE_CUDA_LIBRARY names
# nothing of the build itself; programs named in STUB_FAILS and STUB_SKIPS fail and are skipped.
cat >"$release/configure" <<'END'
#!/bin/sh
mkdir -p tests/.libs examples
: >tests/.libs/libcuda_double.so
printf '  command:        no\n  Fortran module: no\n  tests:          cmocka %s\n' "${STUB_CMOCKA-yes}"
for name in cuda_runtime backend_cuda each_backend pools workspace_cuda cxx cxx17 memory report threads header_cxx sundials_cuda; do
  : >tests/test_$name && chmod +x tests/test_$name
done
cat >Makefile <<'MAKE'
all:
check:
	test "$${STUB_BUILDS-yes}" = yes
run-test:
	@case "$(PROGRAM) $$CADASTRE_CUDA_LIBRARY" in \
	  tests/test_cuda_runtime*.libs/libcuda_double.so) echo "$$STUB_DOUBLE_SAYS" ;; \
	  tests/test_cuda_runtime*) echo "$$STUB_SAYS"; case "$$STUB_SAYS" in 1..0*) exit 0;; esac ;; esac; \
	case " $$STUB_FAILS_ON_GPU $$CADASTRE_CUDA_LIBRARY" in *" $(PROGRAM) "*.libs/libcuda_double.so) ;; \
	  *" $(PROGRAM) "*) echo "not ok 1 - stubs are whole"; exit 1;; esac; \
	case " $$STUB_FAILS " in *" $(PROGRAM) "*) echo "not ok 1 - stubs are whole"; exit 1;; esac; \
	case " $$STUB_SKIPS " in *" $(PROGRAM) "*) echo "# stubs need more"; echo "ok 1 # SKIP"; exit 0;; esac; \
	echo "ok 1 - stubs are whole"
check-TESTS:
	@f=0; case " $$STUB_FAILS " in *" tests/test_record "*) f=1; echo "not ok 1 - stubs are whole" >tests/test_record.log; \
	  echo ":global-test-result: FAIL" >tests/test_record.trs;; esac; \
	echo "# PASS: `expr 1 - $$f`"; echo "# SKIP: 0"; echo "# FAIL: $$f"; test $$f = 0
MAKE
END
chmod +x "$release/configure"

on_a_gpu='# runtime: libcudart.so.13, version 13000, not the double
# device 0 of 1: NVIDIA Stub'
on_the_double='# runtime: libcudart.so.13, version 13000, the double
# device 0 of 2: CUDA double, no GPU'

# ends STATUS LAST_LINE TEXT VARIABLE=VALUE...: so does a run in which the variables are set, and it says the text. There is one run for
# all claims with the same variables.
ends() {
  expected=$1 last=$2 text=$3
  shift 3
  report=$scratch/report.$(printf '%s\n' "$@" | cksum | tr ' ' .)
  [ -f "$report.status" ] || {
    status=0
    env "$@" "$release/tools/gpu-check" --build="$scratch/build" >"$report" 2>&1 || status=$?
    echo $status >"$report.status"
  }
  status=$(cat "$report.status")
  cat "$report"
  [ "$status" -eq "$expected" ] || { echo "exit status $status instead of $expected"; return 1; }
  [ "$(tail -n 1 "$report")" = "$last" ] || { echo "the last line is not: $last"; return 1; }
  grep -qF -- "$text" "$report" || { echo "does not say: $text"; return 1; }
}

fails_alike() {
  ends 1 "13 passed, 1 failed, 1 skipped" "not ok 1 - stubs are whole" "STUB_SAYS=$on_a_gpu" STUB_FAILS=tests/test_backend_cuda &&
    ! grep "differs:" "$report"
}

STUB_DOUBLE_SAYS=$on_the_double
export STUB_DOUBLE_SAYS

claim "a run on a GPU tells which, and ends with its counts" \
  ends 0 "14 passed, 0 failed, 1 skipped" "device 0 of 1: NVIDIA Stub" "STUB_SAYS=$on_a_gpu"
claim "the table says of each program where it ran" \
  ends 0 "14 passed, 0 failed, 1 skipped" "tests/test_workspace_cuda                device        1       0        0" "STUB_SAYS=$on_a_gpu"
claim "what is not there is told" \
  ends 0 "14 passed, 0 failed, 1 skipped" "tests/nvector_cuda                       nowhere       -" "STUB_SAYS=$on_a_gpu"
dry="DRY RUN ON THE DOUBLE, NOT ON A GPU"
claim "a run on a double that is named says so from the start, and does not succeed" \
  ends 3 "$dry: 14 passed, 0 failed, 1 skipped" "public functions, in contexts on the double" \
  "STUB_SAYS=$on_the_double" "CADASTRE_CUDA_LIBRARY=$scratch/double.so"
claim "so does one on a double that came by another way" \
  ends 3 "$dry: 14 passed, 0 failed, 1 skipped" "DRY RUN: the CUDA runtime is the double of the tests" \
  "STUB_SAYS=$on_the_double"
claim "a runtime that is named and is not there is refused" \
  ends 1 "0 passed, 1 failed, 0 skipped" "there is no file /nowhere/libcudart.so" \
  "STUB_SAYS=$on_a_gpu" CADASTRE_CUDA_LIBRARY=/nowhere/libcudart.so
claim "a run without a device is one on the double, says so, and does not succeed" \
  ends 3 "$dry: 14 passed, 0 failed, 1 skipped" "no GPU was found: no device: none" \
  "STUB_SAYS=1..0 # SKIP no device: none"
claim "the table of such a run says so too" \
  ends 3 "$dry: 14 passed, 0 failed, 1 skipped" "tests/test_pools                         double        1       0        0" \
  "STUB_SAYS=1..0 # SKIP no device: none"
claim "what fails is told with its lines, and fails the run" \
  ends 1 "13 passed, 1 failed, 1 skipped" "not ok 1 - stubs are whole" \
  "STUB_SAYS=$on_a_gpu" STUB_FAILS=tests/test_backend_cuda
claim "what fails on a GPU alone is told to differ" \
  ends 1 "13 passed, 1 failed, 1 skipped" "differs: stubs are whole: it fails on the device and holds on the double" \
  "STUB_SAYS=$on_a_gpu" STUB_FAILS_ON_GPU=tests/test_backend_cuda
claim "what fails on both differs in nothing" fails_alike
claim "what fails on the double is no word on a GPU either" \
  ends 1 "$dry: 13 passed, 1 failed, 1 skipped" "not ok 1 - stubs are whole" \
  "STUB_SAYS=$on_the_double" STUB_FAILS=tests/test_record
claim "a program of which all is skipped on a GPU fails the run" \
  ends 1 "13 passed, 1 failed, 2 skipped" "all of it was skipped, which counts as failed here" \
  "STUB_SAYS=$on_a_gpu" STUB_SKIPS=tests/test_backend_cuda
claim "why it was skipped is told" \
  ends 1 "13 passed, 1 failed, 2 skipped" "skipped 1: stubs need more" \
  "STUB_SAYS=$on_a_gpu" STUB_SKIPS=tests/test_backend_cuda
claim "a test that does not compile fails the run, and keeps none of the others from it" \
  ends 1 "14 passed, 1 failed, 1 skipped" "device 0 of 1: NVIDIA Stub" "STUB_SAYS=$on_a_gpu" STUB_BUILDS=no
claim "without cmocka it goes no further" \
  ends 1 "0 passed, 1 failed, 0 skipped" "cmocka 1.1.5 or newer was not found" STUB_CMOCKA=no
claim "an option that there is not is refused" \
  refused 2 "--gpu is not an option" "$release/tools/gpu-check" --gpu
# --- the programs of this build, on the double, and on what stands for a GPU: the double without its own functions, which
# a program cannot know from a runtime of the vendor's.

undisclosed=$(cd "$top_builddir" && pwd)/tests/.libs/libcuda_undisclosed.so
if [ -f "$undisclosed" ]; then
  here=$(cd "$top_builddir" && pwd)
  # table STATUS WHERE LIBRARY PROGRAM...: so does a run of these programs end with a runtime, and its table says of each where
  # it ran, and of none that a claim failed; nothing is skipped without a reason.
  table() {
    status=0
    expected=$1 where=$2 library=$3
    shift 3
    env CADASTRE_CUDA_LIBRARY="$library" "$srcdir/tools/gpu-check" --built="$here" \
      --only="test_($(echo "$*" | tr ' ' '|'))\$" >"$scratch/report" 2>&1 || status=$?
    cat "$scratch/report"
    rm -rf "$here/log/gpu-check"
    rmdir "$here/log" 2>/dev/null || true  # a build folder is left as it was
    [ $status -eq "$expected" ] || { echo "exit status $status instead of $expected"; return 1; }
    ! grep -F "it does not say why" "$scratch/report" || return 1
    for program; do
      sed -n '/^--- Summary/,$p' "$scratch/report" | grep -qE "^ *tests/test_$program +$where +[1-9][0-9]* +0 +[0-9]+ " || {
        echo "the table does not say that test_$program passed on the $where"
        return 1
      }
    done
    sed -n '/^--- Summary/,$p' "$scratch/report" | grep -q "runtime .*version [0-9]*, "
  }
  claim "the programs of this build pass on the double, and the table says so" \
    table 3 double "$here/tests/.libs/libcuda_double.so" cuda_runtime workspace_cuda
  programs="cuda_runtime each_backend pools workspace_cuda qmckl_gpu.sh"
  [ "${LONG-}" != yes ] || programs="$programs backend_cuda cxx memory report header_cxx sundials_cuda pool_sharing ipc out_of_memory"
  # shellcheck disable=SC2086  # a list of programs
  claim "they pass on what they cannot know from a GPU's runtime, where claims that need the double are skipped with a reason" \
    table 0 device "$undisclosed" $programs
else
  skip "the programs of this build pass on the double" "there is no shared double of the CUDA runtime"
fi

finish
