#!/bin/sh
# Tangled from org/tests/python_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# Python's package: as configure builds it, with the interpreter that it is built for.
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

build=$(cd "$top_builddir" && pwd)
extension=$build/src/python/.libs/_cadastre.so
[ -f "$extension" ] || skip_all "the build has no Python; configure with --enable-python"
"$PYTHON" -c 'import numpy' 2>/dev/null || skip_all "$PYTHON has no NumPy (on Debian: python3-numpy)"

mkdir -p "$scratch/packages"
cp -r "$srcdir/src/python/cadastre" "$scratch/packages"
chmod -R u+w "$scratch/packages"
ln -s "$extension" "$scratch/packages/cadastre/_cadastre.so"
PYTHONPATH=$scratch/packages PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=debug LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} CADASTRE_COMMAND=${CADASTRE-}
SCRATCH=$scratch SRCDIR=$srcdir
export PYTHONPATH PYTHONDONTWRITEBYTECODE PYTHONMALLOC LD_LIBRARY_PATH CADASTRE_COMMAND SCRATCH SRCDIR

# claims_of SCRIPT: those of a script, counted with the others
claims_of() {
  status=0
  "$PYTHON" -X faulthandler -W error "$srcdir/tests/$1" >"$scratch/claims" 2>"$scratch/errors" </dev/null || status=$?
  fails() { awk -v line="$line" '/^(not )?ok / { mine = $0 == line } mine' "$scratch/claims"; tail -30 "$scratch/errors"; return 1; }
  while IFS= read -r line; do
    case $line in
      "ok "*"# SKIP"*) line=${line#*- }; skip "${line%% # SKIP*}" "${line##*# SKIP }" ;;
      "ok "*) claim "${line#*- }" true ;;
      "not ok "*) claim "${line#*- }" fails ;;
    esac
  done <"$scratch/claims"
  complete() {
    cat "$scratch/errors"
    [ $status -eq 0 ] && grep -q "^1\.\.$(grep -c '^ok ' "$scratch/claims")$" "$scratch/claims" && [ ! -s "$scratch/errors" ]
  }
  claim "$1: all claims were made and hold, and nothing was printed on the standard error" complete
}
claims_of python_claims.py
CADASTRE_BACKEND=cuda claims_of python_device_claims.py

guide_runs() {
  sed -n '/^#+begin_src python/,/^#+end_src/p' "$srcdir/doc/guides/python.org" | sed '/^#+/d' >"$scratch/guide.py"
  "$PYTHON" -W error "$scratch/guide.py" >"$scratch/guide" || return 1
  cat "$scratch/guide"
  for line in '^positions 1 24000$' '^work 1 24000$' '^LIMIT_EXCEEDED 2147483648 1073741824$' '^the block still has 1 user: ' 'interleaved on NUMA nodes [0-9,-]* 8[0-9]\{6\} '; do
    grep -q "$line" "$scratch/guide" || return 1
  done
}
claim "what the guide shows runs, and prints what it says" guide_runs

wheel=no
"$PYTHON" -c 'import pybind11, setuptools, venv, wheel, pip' 2>/dev/null && wheel=yes
build_wheel() {
  mkdir -p "$scratch/pc" "$scratch/wheel" && cp -r "$srcdir/src/python" "$scratch/source" && chmod -R u+w "$scratch/source" || return 1
  printf 'libdir=%s\nName: cadastre\nDescription: -\nVersion: 7.8.9\nCflags: -I%s\nLibs: -L%s -lcadastre\n' "$build/.libs" "$srcdir/include" "$build/.libs" >"$scratch/pc/cadastre.pc"
  (cd "$scratch" && unset PYTHONPATH LD_LIBRARY_PATH && CC=$CC CXX=$CXX CFLAGS='-O0 -g0' LDFLAGS='' PKG_CONFIG_PATH=$scratch/pc PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    "$PYTHON" -m pip wheel --no-index --no-build-isolation --no-deps --wheel-dir "$scratch/wheel" "$scratch/source")
}
wheel_has() { "$PYTHON" -m zipfile -l "$(echo "$scratch"/wheel/cadastre-7.8.9-*.whl)" | grep "cadastre/$1"; }
install_wheel() {
  (cd "$scratch" && unset PYTHONPATH && "$PYTHON" -m venv "$scratch/environment" && PIP_DISABLE_PIP_VERSION_CHECK=1 "$scratch/environment/bin/pip" install --no-index "$scratch"/wheel/*.whl)
}
use_wheel() {
  (cd "$scratch" && unset PYTHONPATH LD_LIBRARY_PATH && "$scratch/environment/bin/python" -I -W error -c '
import os, sys, cadastre, cadastre.allocators
assert cadastre.__file__.startswith(sys.prefix), cadastre.__file__
with cadastre.Context() as context:
    block = context.allocate((10, 10), "float64", label="in a wheel")
    memoryview(block)[9, 9] = 5.0
    assert context.by_label()[0]["live_bytes"] == 800
    try:
        context.numpy_arrays().__enter__()
    except RuntimeError as error:
        assert "NumPy" in str(error)
    else:
        raise AssertionError
import ctypes
assert ctypes.CDLL(cadastre.allocators.library()).cadastre_torch_malloc
')
}
without_library() {
  (cd "$scratch/source" && PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH=/nowhere "$PYTHON" setup.py --version)
}
if [ $wheel = yes ]; then
  claim "a wheel is built by pip without a network, against the library that pkg-config finds" build_wheel
  claim "it has the extension" wheel_has _cadastre.cpython
  claim "and the functions for PyTorch and CuPy" wheel_has _allocators.cpython
  claim "and the types for checkers" wheel_has _cadastre.pyi
  claim "and says that it has types" wheel_has py.typed
  claim "it is installed into an environment that has nothing else" install_wheel
  claim "and works there without NumPy, and says where that is needed" use_wheel
  claim "without the library, the build says what to install" refused 1 "pkg-config finds no libcadastre; install Cadastre" without_library
else
  skip "a wheel" "$PYTHON has no pip, venv, setuptools, wheel or pybind11 (on Debian: python3-pip python3-venv python3-setuptools python3-wheel python3-pybind11)"
fi
finish
