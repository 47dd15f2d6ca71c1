#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The chapters keep their order, and the tool that proves it sees when they do not.
. "$(dirname "$0")/tap.sh"

house() { "$srcdir/tools/house" "$srcdir" | cut -f3; }
check() { "$srcdir/tools/check-layers" "$@"; }

# A book of five chapters in which nothing is wrong.
write_book() {
  book=$scratch/book
  rm -rf "$book"
  mkdir -p "$book/org" "$book/src/backends" "$book/src/later" "$book/include" "$book/tests"
  cat >"$book/org/index.org" <<'END'
#+name: house
| chapter                       | what it holds | sees           | tangles to                   |
|-------------------------------+---------------+----------------+------------------------------|
| [[file:low.org][low]]         | low           | chapters above | src/low.hpp                  |
| [[file:backends/x.org][backends/x]] | x       | chapters above | src/backends/x.cpp           |
|                               |               |                | src/backends/low.hpp         |
| [[file:high.org][high]]       | high          | chapters above | src/high.hpp                 |
|                               |               |                | include/book.h               |
|                               |               |                | tests/test_high.cpp          |
| [[file:later/y.org][later/y]] | y             | chapters above | src/later/y.cpp              |
| [[file:program.org][program]] | program       | public headers | src/main.cpp                 |
|                               |               |                | src/main.hpp                 |
END
  echo '#include "book.h"' >"$book/src/low.hpp"
  printf '#include <cuda_runtime_api.h>\n#include "low.hpp"\n' >"$book/src/backends/x.cpp"
  echo >"$book/src/backends/low.hpp"
  printf '#include "config.h"\n#include "low.hpp"\n' >"$book/src/high.hpp"
  printf '#include "low.hpp"\nvoid y() {}\n' >"$book/src/later/y.cpp"
  echo '#include <stddef.h>' >"$book/include/book.h"
  printf '#include "helper.hpp"\n#include "../src/high.hpp"\n' >"$book/tests/test_high.cpp"
  echo >"$book/tests/helper.hpp"
  printf '#include "main.hpp"\n#include <book.h>\n' >"$book/src/main.cpp"
  echo '#include <string>' >"$book/src/main.hpp"
}

# planted FILE LINE TEXT: with LINE in FILE, the check fails and says TEXT
planted() {
  write_book
  echo "$2" >>"$book/$1"
  refused 1 "$3" check "$book"
}

# A file that is not built is a test not run or code not compiled.
every_file_is_in_the_makefile() {
  status=0
  (cd "$srcdir" && sed -n 's/^include //p' Makefile.am | xargs cat Makefile.am) >"$scratch/makefile" || return
  for file in $(house); do
    grep -qF "$file" "$scratch/makefile" && continue
    echo "no .am file names $file, which org/index.org promises"
    status=1
  done
  return $status
}

# Of two tests with one log, make runs one.
no_two_tests_share_a_log() {
  make -s -C "${top_builddir:-.}" list-tests >"$scratch/tests" || return 1
  [ -s "$scratch/tests" ] || { echo "make list-tests names none"; return 1; }
  twice=$(sed 's/\.sh$//' "$scratch/tests" | sort | uniq -d)
  [ -z "$twice" ] || { echo "two tests have the log $twice.log"; return 1; }
}

claim "each chapter includes only what it may see" check "$srcdir"
claim "each file of the house table is named in Makefile.am, or in a file that it includes" every_file_is_in_the_makefile
claim "no two tests share a log" no_two_tests_share_a_log
write_book
claim "a book that keeps its order passes" check "$book"
claim "a header of a chapter below is refused" planted src/low.hpp '#include "high.hpp"' \
  'src/low.hpp:2: chapter low includes "high.hpp" of chapter high, which is below it'
claim "an inner header is refused to a chapter that sees public ones" planted src/main.cpp \
  '  #  include "low.hpp"' 'chapter program sees public headers only, and includes "low.hpp" of chapter low'
claim "a vendor's header outside its backend is refused" planted src/high.hpp \
  '#include <cuda_runtime_api.h>' "a vendor's header belongs in its chapter of backends"
claim "a header that no chapter tangles is refused" planted src/high.hpp '#include "hgih.hpp"' \
  'src/high.hpp:3: chapter high includes "hgih.hpp", which no chapter tangles'
claim "of two headers with one name, that beside is meant" planted src/low.hpp '#include "backends/low.hpp"' \
  'src/low.hpp:2: chapter low includes "backends/low.hpp" of chapter backends/x, which is below it'
claim "one that is not where a path leads is refused" planted src/backends/x.cpp '#include "../high/high.hpp"' \
  'src/backends/x.cpp:3: chapter backends/x includes "../high/high.hpp", which no chapter tangles'
claim "an algorithm of the C++ library without its header is refused" planted src/low.hpp 'inline int a = std::max(1, 2);' \
  'src/low.hpp:2: uses std::max, and its file does not include <algorithm>'
with_header() {
  write_book
  printf '#include <algorithm>\n%s\n' 'inline int a = std::max<int>(1, 2);' >>"$book/src/low.hpp"
  check "$book"
}
claim "and with it passes" with_header
apart() {
  write_book
  echo '| [[file:backends/z.org][backends/z]] | z | chapters above | src/backends/z.cpp |' >>"$book/org/index.org"
  echo >"$book/src/backends/z.cpp"
  refused 1 "chapter backends/z stands apart from the others of backends" check "$book"
}
claim "a chapter apart from the others of its folder is refused" apart

# compiled CALLER: as a build has them, with src/CALLER/one.cpp that calls what src/high/two.cpp defines
compiled() {
  rm -rf "$scratch/graph"
  for folder in low high higher; do mkdir -p "$scratch/graph/src/$folder"; done
  mkdir -p "$scratch/graph/org"
  {
    printf '#+name: house\n| chapter | what it holds | sees | tangles to |\n|---+---+---+---|\n'
    for chapter in low/one high/two higher/one; do
      echo "| [[file:$chapter.org][$chapter]] | x | chapters above | src/$chapter.cpp |"
    done
  } >"$scratch/graph/org/index.org"
  echo 'void defined_in_high(); void one() { defined_in_high(); }' >"$scratch/one.cpp"
  echo 'void defined_in_high() {}' >"$scratch/two.cpp"
  $CXX -c "$scratch/one.cpp" -o "$scratch/graph/src/$1/libcadastre_core_la-one.o" &&
    $CXX -c "$scratch/two.cpp" -o "$scratch/graph/src/high/libcadastre_core_la-two.o"
}
calls() { "$srcdir/tools/call-graph" "$@"; }
keeps_the_order() { compiled higher && calls "$scratch/graph" "$scratch/graph" | grep -q "1 calls keep the order"; }
goes_upwards() {
  compiled low && refused 1 "low/one calls high/two, which is above it: defined_in_high()" calls "$scratch/graph" "$scratch/graph"
}
draws_it() { compiled higher && calls --dot "$scratch/graph" "$scratch/graph" | grep -q 'higher -> high \[label = 1\]'; }
# told ROW...: the table of calls has these rows, each FROM:TO
told() {
  compiled higher && printf '#+name: ways-of-calls\n| from | to |\n|---+---|\n' >"$scratch/graph/org/architecture.org"
  for row in "$@"; do echo "| ${row%%:*} | ${row#*:} | x |" >>"$scratch/graph/org/architecture.org"; done
}
is_told() { told higher:high && calls "$scratch/graph" "$scratch/graph"; }
is_not_told() { told low:low && refused 1 "higher calls high, and no rows" calls "$scratch/graph" "$scratch/graph"; }
is_told_falsely() { told higher:high high:low && refused 1 "says that high calls low, and it does not" calls "$scratch/graph" "$scratch/graph"; }
nm=${NM:-nm}
if command -v "${nm%% *}" >/dev/null && command -v c++filt >/dev/null; then
  claim "no function calls one of a folder above" calls "${top_builddir:-.}"
  claim "a call of a folder below is none of those" keeps_the_order
  claim "and one of a folder above is named" goes_upwards
  claim "which folder calls which can be drawn" draws_it
  claim "the table of calls may say what there is" is_told
  claim "a call that no rows of the table lead to is named" is_not_told
  claim "and a row that is no call" is_told_falsely
  rm -f "$scratch/graph/org/architecture.org"
else
  skip "no function calls one of a folder above" "nm or c++filt is not here"
fi
finish
