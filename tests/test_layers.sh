#!/bin/sh
# The chapters keep their order, and the tool that proves it sees when they do not.
. "$(dirname "$0")/tap.sh"

house() { "$srcdir/tools/house" "$srcdir" | cut -f3; }
check() { "$srcdir/tools/check-layers" "$@"; }

# A book of four chapters in which nothing is wrong.
write_book() {
  book=$scratch/book
  rm -rf "$book"
  mkdir -p "$book/org" "$book/src" "$book/include" "$book/tests"
  cat >"$book/org/index.org" <<'END'
#+name: house
| chapter                       | what it holds | sees           | tangles to                   |
|-------------------------------+---------------+----------------+------------------------------|
| [[file:low.org][low]]         | low           | chapters above | src/low.hpp                  |
| [[file:backend_x.org][backend_x]] | x         | chapters above | src/x.cpp                    |
| [[file:high.org][high]]       | high          | chapters above | src/high.hpp                 |
|                               |               |                | include/book.h               |
|                               |               |                | tests/test_high.cpp          |
| [[file:program.org][program]] | program       | public headers | src/main.cpp                 |
|                               |               |                | src/main.hpp                 |
END
  echo '#include "book.h"' >"$book/src/low.hpp"
  echo '#include <cuda_runtime_api.h>' >"$book/src/x.cpp"
  printf '#include "config.h"\n#include "low.hpp"\n' >"$book/src/high.hpp"
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
  for file in $(house); do
    grep -qF "$file" "$srcdir/Makefile.am" && continue
    echo "Makefile.am does not name $file, which org/index.org promises"
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
claim "each file of the house table is named in Makefile.am" every_file_is_in_the_makefile
claim "no two tests share a log" no_two_tests_share_a_log
write_book
claim "a book that keeps its order passes" check "$book"
claim "a header of a chapter below is refused" planted src/low.hpp '#include "high.hpp"' \
  'src/low.hpp:2: chapter low includes "high.hpp" of chapter high, which is below it'
claim "an inner header is refused to a chapter that sees public ones" planted src/main.cpp \
  '  #  include "low.hpp"' 'chapter program sees public headers only, and includes "low.hpp" of chapter low'
claim "a vendor's header outside its backend is refused" planted src/high.hpp \
  '#include <cuda_runtime_api.h>' "a vendor's header belongs in its backend_ chapter"
claim "a header that no chapter tangles is refused" planted src/high.hpp '#include "hgih.hpp"' \
  'src/high.hpp:3: chapter high includes "hgih.hpp", which no chapter tangles'
finish
