#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Scripts without warnings, texts without misspelt words, code in one format, and tools that see what is not so.
. "$(dirname "$0")/tap.sh"

scripts() { "$srcdir/tools/check-scripts" "$@"; }
licenses() { "$srcdir/tools/check-licenses" "$@"; }
spelling() { "$srcdir/tools/check-spelling" "$@"; }

write_checkout() {
  tree=$scratch/tree
  rm -rf "$tree"
  mkdir -p "$tree"
  for folder in .ci m4 cmake packaging bench doc examples include org src tests tools; do mkdir "$tree/$folder"; done
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

write_book() {
  tree=$scratch/tree
  rm -rf "$tree"
  mkdir -p "$tree/org"
  cp "$srcdir/.clang-format" "$tree"
  cat >"$tree/org/index.org" <<'EOF'
#+name: house
| chapter | what it holds | sees           | tangles to    |
|---------+---------------+----------------+---------------|
| one     | a function    | public headers | include/one.h |
EOF
  cat >"$tree/org/one.org" <<'EOF'
#+name: printed
#+begin_src python
print("enum {a=1};")
#+end_src

#+name: body
#+begin_src c
return   2;
#+end_src

#+begin_src c :tangle ../include/one.h
<<printed()>>

static inline int
two( void ) {
  one( );
  <<body>>
}
#+end_src
EOF
  "$srcdir/tools/tangle" --book "$tree" >"$scratch/log" 2>&1
}

check_format() { "$srcdir/tools/format" --check "$@"; }
is_formatted_where_people_wrote_it() {
  write_book && ! check_format --book "$tree" >"$scratch/log" && grep -q '^org/one.org:8: ' "$scratch/log" &&
    "$srcdir/tools/format" --book "$tree" >"$scratch/log" && check_format --book "$tree" &&
    grep -qx 'return 2;' "$tree/org/one.org" && grep -qx 'static inline int two(void) {' "$tree/org/one.org" &&
    grep -qx '  return 2;' "$tree/include/one.h" && grep -qx 'enum {a=1};' "$tree/include/one.h"
}
sentence="code is as clang-format writes it"
if "$srcdir/tools/format" --check core/slab >/dev/null 2>&1 || [ $? -ne 77 ]; then
  claim "$sentence" check_format
  claim "code that is not is found, and formatted in its chapter, but not what a block printed" is_formatted_where_people_wrote_it
else
  skip "$sentence" "clang-format of the version that tools/format names is not installed"
fi

write_checkout
for file in Makefile.am configure.ac autogen.sh; do echo '# SPDX-License-Identifier: BSD-3-Clause' >"$tree/$file"; done
claim "each file of code names the license" licenses "$srcdir"
claim "a checkout whose files do passes" licenses "$tree"
echo 'int unlicensed;' >"$tree/src/wrong.cpp"
claim "a file that does not is found" refused 1 "src/wrong.cpp" licenses "$tree"
finish
