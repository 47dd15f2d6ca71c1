#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What CONTRIBUTING.org says is so: one test is run by itself, and each usual addition is made in as many places as the table says.
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES || true

for program in python3 emacs fypp; do
  command -v $program >/dev/null && continue
  [ "${CI-}" = true ] || skip_all "$program is not installed"
  echo "$program is not installed"
  exit 1
done

sample=$scratch/CONTRIBUTING.org
count() { "$srcdir/tools/count-places" --build "${top_builddir:-.}" "$@"; }

# found RECIPE SED MESSAGE: with that change in the text, the recipe is refused with the message
found() {
  sed "$2" "$srcdir/CONTRIBUTING.org" >"$sample"
  ! cmp -s "$srcdir/CONTRIBUTING.org" "$sample" || { echo "nothing was changed"; return 1; }
  refused 1 "$3" count --text "$sample" "$1"
}

# one LINE...: a test of these lines, by the way that the text names
one() {
  { echo '#!/bin/sh' && printf '%s\n' "$@"; } >"$scratch/one.sh" && chmod +x "$scratch/one.sh"
  make -s --no-print-directory -C "${top_builddir:-.}" run-test \
    PROGRAM="$(realpath --relative-to="$srcdir" "$scratch")/one.sh"
}
claim "a test that passes is run by itself" one 'echo "ok 1 - x"; echo "1..1"'
claim "make fails where a claim fails" refused 2 "not ok 1 - x" one 'echo "not ok 1 - x"; echo "1..1"'
claim "and where the test ends with a failure" refused 2 "exit status 3" one 'echo "ok 1 - x"; echo "1..1"; exit 3'

claim "each sample change has its places, tangles, compiles, and writes what the table says" count
claim "a count that is no longer right is found" \
  found "a reason" 's/^| a reason  *|  *1 |/| a reason | 2 |/' "the sample has 1 places, and the table says 2"
claim "so is a place more" \
  found "a chapter" '/^#+name: a chapter/,/^#+end_src/s/^#+end_src/@@ NEWS below Cadastre 0\n+x\n#+end_src/' "the sample has 4 places"
claim "so is a line that is no longer there" \
  found "a reason" '/^#+name: a reason/,/^#+end_src/s/below | [A-Z_]* |/below | NO_SUCH_REASON |/' "org/base/vocabulary.org: below | NO_SUCH_REASON |"
claim "or is there more than once" found "a chapter" 's/above | \[\[file:base\/error.org.*/above |/' "lines begin so"
claim "or no longer has what is replaced" found "a memory type" 's/^-4$/-3/' "does not have once: 3"
claim "so is a sample without a row" found "a chapter" '/^| a chapter /d' 'no row for the sample "a chapter"'
claim "so is a row without a sample" found "a chapter" 's/^#+name: a chapter/#+name: chapters/' 'no row for the sample "chapters"'
claim "so is a first test without a row" \
  found "a chapter" 's/^#+name: a backend like CUDA, its first test/#+name: an egg, its first test/' 'no row for the first test of "an egg"'
claim "so is a sample that does not tangle" found "a chapter" 's/:tangle ..\/..\/src\/base\/stopwatch.hpp/:tangle no/' "the book does not tangle"
claim "so is a file that does not get the new name" \
  found "a chapter" '/^| a chapter /s/src\/base\/stopwatch.hpp/src\/base\/text.hpp/' "src/base/text.hpp does not get stopwatch"
claim "so is a sample that does not compile" found "a chapter" 's/^+inline int stopwatch/+inline stopwatch/' "does not accept src/base/stopwatch.hpp"
first="the first test of each sample that has one passes in a build of the sample"
if [ "${LONG-}" = yes ]; then claim "$first" count --first-test; else skip "$first" "LONG is not yes"; fi
finish
