#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Scripts without warnings, texts without misspelt words, and tools that see them.
. "$(dirname "$0")/tap.sh"

scripts() { "$srcdir/tools/check-scripts" "$@"; }
licenses() { "$srcdir/tools/check-licenses" "$@"; }
spelling() { "$srcdir/tools/check-spelling" "$@"; }

write_checkout() {
  tree=$scratch/tree
  rm -rf "$tree"
  mkdir -p "$tree"
  for folder in .ci m4 cmake bench doc examples include org src tests tools; do mkdir "$tree/$folder"; done
  for file in README.org CONTRIBUTING.org NEWS LICENSE SECURITY.md Makefile.am configure.ac autogen.sh; do : >"$tree/$file"; done
  printf '#!/bin/sh\n# SPDX-License-Identifier: BSD-3-Clause\necho "$1"\n' >"$tree/tools/right"
}

write_checkout
sentence="no script has a warning of shellcheck's"
if command -v shellcheck >/dev/null; then
  claim "$sentence" scripts "$srcdir"
  claim "a script that is right passes" scripts "$tree"
  printf '#!/bin/sh\ncd $1\nrm -r $2/*\n[ $3 = x ] && exit $(cat list)\n' >"$tree/tests/wrong.sh"
  claim "one that is wrong is found" refused 1 "tests/wrong.sh:2" scripts "$tree"
else
  skip "$sentence" "shellcheck is not installed"
fi

write_checkout
sentence="no file has a word that codespell knows to be misspelt"
if command -v codespell >/dev/null; then
  claim "$sentence" spelling "$srcdir"
  claim "a text that is right passes" spelling "$tree"
  printf 'This is rec%s.\n' ieved >"$tree/org/wrong.org"
  claim "one that is wrong is found" refused 1 "org/wrong.org:1" spelling "$tree"
else
  skip "$sentence" "codespell is not installed"
fi

write_checkout
for file in Makefile.am configure.ac autogen.sh; do echo '# SPDX-License-Identifier: BSD-3-Clause' >"$tree/$file"; done
claim "each file of code names the license" licenses "$srcdir"
claim "a checkout whose files do passes" licenses "$tree"
echo 'int unlicensed;' >"$tree/src/wrong.cpp"
claim "a file that does not is found" refused 1 "src/wrong.cpp" licenses "$tree"
finish
