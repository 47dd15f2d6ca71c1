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
PYTHONPATH=$scratch/packages PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} CADASTRE_COMMAND=${CADASTRE-}
SCRATCH=$scratch SRCDIR=$srcdir
export PYTHONPATH PYTHONDONTWRITEBYTECODE LD_LIBRARY_PATH CADASTRE_COMMAND SCRATCH SRCDIR

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
finish
