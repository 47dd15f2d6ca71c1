#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The table of measures in the map is about what is measured, and the tool counts as it says.
. "$(dirname "$0")/tap.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"

# A checkout with a module whose chapter has its test, too, and 7 lines of prose. The chunk is of the module, since the file is that uses it.
write_checkout() {
  tree=$scratch/tree
  rm -rf "$tree"
  mkdir -p "$tree/org/low" "$tree/src/low" "$tree/tests" "$tree/tools"
  cp "$srcdir/tools/measures" "$srcdir/tools/house" "$srcdir/tools/check-layers" "$tree/tools"
  printf 'TESTS =\n\n' >"$tree/Makefile.am"
  cat >"$tree/org/low/one.org" <<'END'
#+title: One

#+name: say what it is
#+begin_src cpp
// 1
// 2
#+end_src
#+begin_src cpp :tangle ../../src/low/one.hpp
struct One {
<<say what it is>>
  void first();
  void second() {}

 private:
  void third();
};
#+end_src
It is tested.
#+begin_src cpp :tangle ../../tests/test_one.cpp
#include "low/one.hpp"
int main() {}
#+end_src
END
  cat >"$tree/org/architecture.org" <<'END'
#+title: The map

#+name: measures
| measure | before | now | goal |
|---------+--------+-----+------|

END
  cat >"$tree/org/index.org" <<'END'
#+name: house
| chapter                         | what it holds | sees           | tangles to        |
|---------------------------------+---------------+----------------+-------------------|
| [[file:low/one.org][low/one]]   | one           | chapters above | src/low/one.hpp   |
|                                 |               |                | tests/test_one.cpp |
END
  printf 'struct One {\n  void first();\n  void second() {}\n\n private:\n  void third();\n};\n' >"$tree/src/low/one.hpp"
  printf '#include "low/one.hpp"\nint main() {}\n' >"$tree/tests/test_one.cpp"
  measures >"$scratch/measured"
}
measures() { "$tree/tools/measures" "$@"; }

# measured MEASURE VALUE
measured() {
  grep -q "^| $1  *| $2  *|" "$scratch/measured" || { cat "$scratch/measured"; return 1; }
}

# with LINES more of code, what was measured before is refused
refused_with_more() {
  write_checkout
  measures --write now && measures --check || return
  awk -v more="$1" '{ print } /^struct/ { for (i = 0; i < more; ++i) print "  // " i }' "$tree/org/low/one.org" >"$scratch/longer"
  cp "$scratch/longer" "$tree/org/low/one.org"
  refused 1 '"lines of library and command in chapters" is 20 now, and the table has 10' measures --check
}
about_the_same() {
  write_checkout
  measures --write now && echo '// a comment' >>"$tree/src/low/one.hpp" && measures --check
}
# A chapter that writes nothing, and holds a part of the module.
counts_a_part() {
  write_checkout
  printf '%s\n' '#+title: Two' '#+name: more of it' '#+begin_src cpp' '// 1' '// 2' '#+end_src' >"$tree/org/low/two.org"
  awk '{ print } /^struct/ { print "<<two.org:more of it>>" }' "$tree/org/low/one.org" >"$scratch/longer"
  cp "$scratch/longer" "$tree/org/low/one.org"
  measures >"$scratch/measured"
  measured "lines of library and command in chapters" 13 && measured "chapters that are modules" 2 &&
    measured "modules whose chapter has their tests, too" 1
}
keeps_before() {
  write_checkout
  measures --write before && echo >>"$tree/Makefile.am" && measures --write now &&
    grep -q '^| lines of Makefile.am  *| 2  *| 3  *|' "$tree/org/architecture.org"
}

claim "the map has about what is measured" "$srcdir/tools/measures" --check
write_checkout
claim "a block counts for what it is written to, and a chunk for what uses it" \
  measured "lines of library and command in chapters" 10
claim "so do tests" measured "lines of tests in chapters" 2
claim "a chapter that is written to src is a module" measured "chapters that are modules" 1
claim "one with tests is counted" measured "modules whose chapter has their tests, too" 1
claim "includes are those that tools/check-layers sees" measured "includes of a chapter further down" 0
sentence="functions of a class are those that anyone may call"
if ctags --version 2>/dev/null | grep -q "Universal Ctags"; then
  claim "$sentence" measured "public functions of a class, the most" 2
  claim "and all there are" measured "functions of a class, private ones too, the most" 3
else
  skip "$sentence" "Universal Ctags is not installed"
fi
claim "a part that another chapter writes counts for its file, and its chapter is a module" counts_a_part
claim "a table that has other numbers is refused" refused_with_more 10
claim "one that is about right is not" about_the_same
claim "what was measured before stays in the table" keeps_before
finish
