#!/bin/sh
# What tools/gpu-check makes of what it finds, tried on a release whose build and tests are stubs.
. "$(dirname "$0")/tap.sh"
command -v bash >/dev/null || skip_all "bash is not installed"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CADASTRE_CUDA_LIBRARY || true

release=$scratch/release
mkdir -p "$release/tools" "$release/org"
cp "$srcdir/tools/gpu-check" "$srcdir/tools/steps.sh" "$release/tools"
echo "AC_INIT([Cadastre], [1.2.3])" >"$release/configure.ac"
echo "a book" >"$release/org/index.org"
echo "// cuda_double_count" >"$scratch/double.so"

# It "builds" where STUB_BUILDS is yes; STUB_SAYS is what the runtime's test tells, and programs named in
# STUB_FAILS and STUB_SKIPS fail and are skipped.
cat >"$release/configure" <<'END'
#!/bin/sh
mkdir -p tests examples
printf '  command:        no\n  Fortran module: no\n  tests:          cmocka %s\n' "${STUB_CMOCKA-yes}"
cat >Makefile <<'MAKE'
all:
check:
	test "$${STUB_BUILDS-yes}" = yes
TESTS = tests/test_record
check-TESTS:
	@p=0 f=0 s=0; for t in $(TESTS); do \
	  echo "$$STUB_SAYS" >$$t.log; echo ":global-test-result: PASS" >$$t.trs; \
	  case " $$STUB_FAILS " in *" $$t "*) f=1; echo "not ok 1 - stubs are whole" >>$$t.log; \
	    echo ":global-test-result: FAIL" >$$t.trs; continue;; esac; \
	  case " $$STUB_SKIPS " in *" $$t "*) s=1;; *) p=`expr $$p + 1`;; esac; \
	done; echo "# PASS: $$p"; echo "# SKIP: $$s"; echo "# FAIL: $$f"; test $$f = 0
MAKE
END
chmod +x "$release/configure"

on_a_gpu='# runtime: libcudart.so.13, version 13000, not the double
# device 0 of 1: NVIDIA Stub'
on_the_double='# runtime: libcudart.so.13, version 13000, the double
# device 0 of 2: CUDA double, no GPU'

# ends STATUS LAST_LINE TEXT VARIABLE=VALUE...: so does a run in which the variables are set, and it says the text
ends() {
  status=0
  expected=$1 last=$2 text=$3
  shift 3
  env "$@" "$release/tools/gpu-check" --build="$scratch/build" >"$scratch/report" 2>&1 || status=$?
  cat "$scratch/report"
  [ $status -eq "$expected" ] || { echo "exit status $status instead of $expected"; return 1; }
  [ "$(tail -n 1 "$scratch/report")" = "$last" ] || { echo "the last line is not: $last"; return 1; }
  grep -qF -- "$text" "$scratch/report" || { echo "does not say: $text"; return 1; }
}

claim "a run on a GPU tells which, and ends with its counts" \
  ends 0 "7 passed, 0 failed, 1 skipped" "device 0 of 1: NVIDIA Stub" "STUB_SAYS=$on_a_gpu"
dry="DRY RUN ON THE DOUBLE, NOT ON A GPU"
claim "a run on a double that is named says so from the start, and does not succeed" \
  ends 3 "$dry: 7 passed, 0 failed, 1 skipped" "public functions, in contexts on the double" \
  "STUB_SAYS=$on_the_double" "CADASTRE_CUDA_LIBRARY=$scratch/double.so"
claim "so does one on a double that came by another way" \
  ends 3 "$dry: 7 passed, 0 failed, 1 skipped" "DRY RUN: the CUDA runtime is the double of the tests" \
  "STUB_SAYS=$on_the_double"
claim "a runtime that is named and is not there is refused" \
  ends 1 "0 passed, 1 failed, 0 skipped" "there is no file /nowhere/libcudart.so" \
  "STUB_SAYS=$on_a_gpu" CADASTRE_CUDA_LIBRARY=/nowhere/libcudart.so
claim "a run without a device says so, and does not succeed" \
  ends 3 "NOT RUN ON A GPU: 2 passed, 0 failed, 0 skipped" "since nothing was found: no device: none" \
  "STUB_SAYS=1..0 # SKIP no device: none"
claim "what fails is told with its lines, and fails the run" \
  ends 1 "6 passed, 1 failed, 1 skipped" "not ok 1 - stubs are whole" \
  "STUB_SAYS=$on_a_gpu" STUB_FAILS=tests/test_backend_cuda
claim "what fails on the double is no word on a GPU either" \
  ends 1 "$dry: 6 passed, 1 failed, 1 skipped" "not ok 1 - stubs are whole" \
  "STUB_SAYS=$on_the_double" STUB_FAILS=tests/test_record
claim "a part that is skipped on a GPU fails the run" \
  ends 1 "6 passed, 1 failed, 2 skipped" "all of it was skipped, which counts as failed here" \
  "STUB_SAYS=$on_a_gpu" STUB_SKIPS=tests/test_backend_cuda
claim "a test that does not compile fails the run, and keeps none of the others from it" \
  ends 1 "7 passed, 1 failed, 1 skipped" "device 0 of 1: NVIDIA Stub" "STUB_SAYS=$on_a_gpu" STUB_BUILDS=no
claim "without cmocka it goes no further" \
  ends 1 "0 passed, 1 failed, 0 skipped" "cmocka 1.1.5 or newer was not found" STUB_CMOCKA=no
claim "an option that there is not is refused" \
  refused 2 "--gpu is not an option" "$release/tools/gpu-check" --gpu
finish
