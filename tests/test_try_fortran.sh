#!/bin/sh
# Tangled from org/tests/try_fortran_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# tools/try-fortran compiles the Fortran module and its tests with a compiler, runs them and lists what failed.
. "$(dirname "$0")/tap.sh"

unset FC FCFLAGS CC BUILD OUT   # those of the suite
tool=$srcdir/tools/try-fortran
build=$(cd "${top_builddir:-.}" && pwd)

claim "it says how it is called" sh -c "'$tool' --help | grep 'FC=COMPILER'"
claim "it wants a compiler" refused 2 "say which compiler" "$tool"
claim "which has to be there" refused 2 "there is no fortran-of-nobody in PATH" "$tool" FC=fortran-of-nobody
claim "another argument is refused" refused 2 "there is no argument --fast" "$tool" --fast FC=cc

[ -e "$build/.libs/libcadastre.so" ] || {
  skip "a compiler is tried" "there is no shared library"
  finish
  exit 0
}

# pretender NAME WHAT-FAILS PROGRAM: fails if WHAT-FAILS is among its arguments; a program that it links is PROGRAM
pretender() {
  cat >"$scratch/$1" <<END
#!/bin/sh
case "\$*" in *$2*) echo "Error: $2 is refused"; exit 1 ;; esac
while [ \$# -gt 0 ]; do
  [ "\$1" != -o ] || out=\$2
  shift
done
[ -n "\${out-}" ] || { echo "a pretender 1.0"; exit 0; }
printf '#!/bin/sh\\n%s\\n' '$3' >"\$out"
chmod +x "\$out"
END
  chmod +x "$scratch/$1"
}
tried() {
  name=$1
  shift
  "$tool" FC="$scratch/$name" BUILD="$build" OUT="$scratch/out.$name" "$@"
}

pretender good NOTHING 'echo "ok 1 - a"; echo 1..1'
pretender no-module cadastre.F90 true
pretender no-tests tests/generated/test_fortran.F90 true
pretender no-quadruple quadruple true
pretender untrue NOTHING 'echo "ok 1 - a"; echo "not ok 2 - that it holds"; echo 1..2'
pretender crash NOTHING 'echo "ok 1 - a"; kill -SEGV \$\$'
claim "a compiler with which all goes well is told so" sh -c "'$tool' FC='$scratch/good' BUILD='$build' OUT='$scratch/o' |
  grep 'every claim holds'"
claim "it is named" sh -c "'$tool' FC='$scratch/good' BUILD='$build' OUT='$scratch/o' | grep 'compiler: a pretender 1.0'"
claim "a module that does not compile is named, with the error" refused 1 "FAILED  the module is compiled" tried no-module
claim "the error is shown" refused 1 "Error: cadastre.F90 is refused" tried no-module
claim "and the rest is not tried" refused 1 "not tried: the example and the tests" tried no-module
claim "tests that do not compile are named" refused 1 "FAILED  the tests are compiled" tried no-tests
claim "claims that do not hold are listed" refused 1 "not ok 2 - that it holds" tried untrue
claim "and counted" refused 1 "FAILED  1 of 2 claims" tried untrue
claim "tests that crash are named" refused 1 "FAILED  the tests ended early" tried crash
without() { tried no-quadruple | grep 'has no real(16)'; }
claim "a compiler without quadruple precision is tried without it" without

if command -v gfortran >/dev/null; then
  with_gfortran() { "$tool" FC=gfortran BUILD="$build" OUT="$scratch/gfortran"; }
  claim "gfortran compiles the module, and every claim holds" with_gfortran
else
  skip "gfortran compiles the module" "there is no gfortran"
fi
flang=$(command -v flang-new-19 || command -v flang-new-20 || true)
if [ "${LONG-}" != yes ]; then
  skip "flang compiles the module" "LONG is not yes"
elif [ -z "$flang" ]; then
  skip "flang compiles the module" "there is no flang 19 or 20"
else
  with_flang() { "$tool" FC="$flang" BUILD="$build" OUT="$scratch/flang"; }
  claim "flang compiles the module, and every claim holds" with_flang
fi
finish
