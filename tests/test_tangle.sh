#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/tangle, on a book of two chapters: it writes what the chapters say, and
# refuses a book in which something would be lost.
. "$(dirname "$0")/tap.sh"

for program in emacs fypp python3; do
  command -v $program >/dev/null || skip_all "$program is not installed"
done

book=$scratch/book

# A fresh book, in which nothing is wrong.
write_book() {
  rm -rf "$book"
  mkdir -p "$book/org"
  cat >"$book/org/index.org" <<'END'
#+name: house
| chapter                     | what it holds | sees           | tangles to       |
|-----------------------------+---------------+----------------+------------------|
| [[file:words.org][words]]   | words         | chapters above | include/words.h  |
|                             |               |                | src/words.cpp    |
| [[file:verses.org][verses]] | verses        | chapters above | src/verses.fypp  |
|                             |               |                | src/generated/verses.F90   |
|                             |               |                | tests/verses.sh  |
END
  cat >"$book/org/words.org" <<'END'
#+title: Words
#+name: words
| word | number |
|------+--------|
| ONE  |      1 |
| TWO  |      2 |

#+name: words-c
#+begin_src python :var table=words
for word, number in table:
    print(f"#define {word} {number}")
#+end_src

#+begin_src c :tangle ../include/words.h
<<words-c()>>
#define END
#+end_src

#+begin_src cpp :tangle ../src/words.cpp
int add(int a, int b)
{
  <<Add them without wrapping>>
}
#+end_src

#+name: Add them without wrapping
#+begin_src cpp
return a + b;   
#+end_src

#+begin_src cpp :tangle ../src/words.cpp
int last;
#+end_src

#+begin_src c :tangle no
an illustration
#+end_src
END
  cat >"$book/org/verses.org" <<'END'
#+title: Verses
#+name: words-f90
#+begin_src python :var table=words.org:words
for word, number in table:
    print(f"integer, parameter :: {word} = {number}")
#+end_src

#+begin_src fypp :tangle ../src/verses.fypp
module verses
  <<words-f90(table=words.org:words)>>
  #:for kind in ['a', 'b']
  integer :: ${kind}$
  #:endfor
end module
#+end_src

#+begin_src sh :tangle ../tests/verses.sh
#!/bin/sh
echo verse
#+end_src
END
}

tangle() { "$srcdir/tools/tangle" --book "$book" "$@"; }

# change FILE SED-COMMANDS: fails when they change nothing
change() {
  cp "$book/$1" "$scratch/before"
  sed -i "$2" "$book/$1"
  ! cmp -s "$scratch/before" "$book/$1"
}

# The book, changed in FILE by SED-COMMANDS, is refused with TEXT, and no file is written.
refuses_change() {
  write_book
  change "$1" "$2" || { echo "the test changes nothing"; return 1; }
  refused 1 "$3" tangle || return 1
  [ ! -e "$book/include" ] && [ ! -e "$book/src" ] && [ ! -e "$book/tests" ]
}

header_is_right() {
  cat >"$scratch/expected" <<'END'
/* Tangled from org/words.org; change the chapter, then run: make tangle */
/* SPDX-License-Identifier: BSD-3-Clause */
#define ONE 1
#define TWO 2
#define END
END
  diff "$scratch/expected" "$book/include/words.h"
}

source_is_right() {
  cat >"$scratch/expected" <<'END'
// Tangled from org/words.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
int add(int a, int b)
{
  return a + b;
}

int last;
END
  diff "$scratch/expected" "$book/src/words.cpp"
}

fortran_is_right() {
  cat >"$scratch/expected" <<'END'
! Tangled from org/verses.org by way of src/verses.fypp; change the chapter, then run: make tangle
! SPDX-License-Identifier: BSD-3-Clause
module verses
  integer, parameter :: ONE = 1
  integer, parameter :: TWO = 2
  integer :: a
  integer :: b
end module
END
  diff "$scratch/expected" "$book/src/generated/verses.F90"
}

script_is_right() {
  [ "$(sed -n 2p "$book/tests/verses.sh")" = \
    "# Tangled from org/verses.org; change the chapter, then run: make tangle" ] &&
    [ "$("$book/tests/verses.sh")" = verse ]
}

second_tangle_writes_nothing() {
  find "$book/src" -exec touch -d '2001-01-01' {} +
  tangle && [ -z "$(find "$book/src" -type f -newermt '2002-01-01')" ]
}

only_the_changed_file_is_written() {
  change org/words.org 's/int last/int first/' &&
    [ "$(tangle)" = "tangled src/words.cpp" ]
}

# A chunk that only another chapter uses.
chunk_for_another_chapter() {
  write_book
  printf '%s\n' '#+name: more-f90' '#+begin_src python :results output' 'print("integer :: more")' '#+end_src' >>"$book/org/words.org"
  refused 1 'no tangled block uses the chunk "more-f90"' tangle &&
    change org/verses.org 's/^end module/  <<words.org:more-f90()>>\n&/' && tangle && grep -q '^  integer :: more$' "$book/src/generated/verses.F90"
}

# A third chapter, which holds a part of a file of the first: two blocks under one name, the second with a chunk of its own.
write_part() {
  write_book
  echo '| [[file:parts.org][parts]] | a part | chapters above | part of src/words.cpp |' >>"$book/org/index.org"
  printf '%s\n' '#+title: Parts' '#+property: header-args :noweb-ref "the parts"' '#+begin_src cpp' 'int one;' '#+end_src' 'Prose.' \
    '#+begin_src cpp' 'int two = <<two>>;' '#+end_src' '#+name: two' '#+begin_src cpp :noweb-ref two' '2' '#+end_src' >"$book/org/parts.org"
  change org/words.org 's/^int last;/namespace {\n  <<parts.org:the parts>>\n}\n&/'
}
a_part_is_taken() {
  write_part && tangle || return 1
  printf '%s\n' 'namespace {' '  int one;' '' '  int two = 2;' '}' >"$scratch/expected"
  sed -n '/^namespace/,/^}/p' "$book/src/words.cpp" | diff "$scratch/expected" -
}
a_part_is_tangled_with_what_takes_it() {
  write_part && tangle && change org/parts.org 's/^2$/3/' && [ "$(tangle parts)" = "tangled src/words.cpp" ]
}
a_wrong_part_is_refused() {
  write_part && change org/words.org 's/<<parts.org:the parts>>/<<parts.org:the party>>/' &&
    refused 1 'org/words.org:31: no chunk of parts.org is named "the party"' tangle &&
    refused 1 'org/parts.org:3: no tangled block uses the chunk "the parts"' tangle || return 1
  write_part && change org/index.org 's/part of src.words.cpp/part of src\/worms.cpp/' &&
    refused 1 'chapter parts is part of src/worms.cpp, which no chapter writes' tangle
}

what_takes_a_table_is_tangled_with_it() {
  write_book && tangle && change org/words.org 's/| TWO .*/| TWO | 3 |/' && tangle words &&
    grep -q '^  integer, parameter :: TWO = 3$' "$book/src/generated/verses.F90"
}

changed_file_is_shown() {
  write_book && tangle && change src/words.cpp 's/last/lost/' &&
    refused 1 'src/words.cpp differs' tangle --check && refused 1 '-int lost;' tangle --check
}

missing_file_is_shown() {
  write_book && tangle && rm "$book/src/words.cpp" &&
    refused 1 'src/words.cpp is missing' tangle --check
}

lost_permission_is_shown() {
  write_book && tangle && chmod -x "$book/tests/verses.sh" &&
    refused 1 'tests/verses.sh is not executable' tangle --check
}

dropped_file_is_shown_and_removed() {
  write_book && tangle && cp "$book/src/words.cpp" "$book/src/old.cpp" &&
    refused 1 'src/old.cpp says that it is tangled' tangle --check &&
    tangle && [ ! -e "$book/src/old.cpp" ] && [ -e "$book/src/words.cpp" ]
}

failure_keeps_what_is_there() {
  write_book && tangle && cp -R "$book" "$scratch/was" &&
    change org/words.org 's/int last/int first/' &&
    change org/verses.org 's/words-f90(/words-f09(/' &&
    refused 1 'org/verses.org' tangle &&
    diff -r "$scratch/was/src" "$book/src" && diff -r "$scratch/was/include" "$book/include"
}

# A PATH on which everything but emacs is found.
without_emacs() {
  mkdir -p "$scratch/bin"
  for program in bash sh dirname mkdir; do
    ln -sf "$(command -v $program)" "$scratch/bin/$program"
  done
  PATH=$scratch/bin CI=$1 bash "$srcdir/tools/tangle" --book "$book" --check
}

write_book
claim "a book without a mistake is tangled" tangle
claim "a table reaches a header through a call" header_is_right
claim "chunks are put in their place, blocks of one file are joined" source_is_right
claim "the Fortran source is put through fypp, with a table of another chapter" fortran_is_right
claim "a script is signed after its first line, and can be run" script_is_right
claim "a fresh tangle equals what was written" tangle --check
claim "a second tangle writes nothing" second_tangle_writes_nothing
claim "only a file whose content differs is written" only_the_changed_file_is_written
claim "one chapter can be tangled alone" tangle words
claim "a chapter that does not exist is refused" \
  refused 1 'no chapter sonnets' tangle sonnets

# A chapter in a folder of org, which writes beside the others and is named with its folder.
add_folder() {
  write_book
  mkdir -p "$book/org/tests"
  echo '| [[file:tests/words.org][tests/words]] | claims | public headers | tests/test_words.c |' >>"$book/org/index.org"
  printf '%s\n' '#+title: Claims' '#+begin_src c :tangle ../../tests/test_words.c' 'int claim;' '#+end_src' >"$book/org/tests/words.org"
}
a_folder_is_tangled() {
  add_folder
  tangle && grep -qx '/\* Tangled from org/tests/words.org; .*' "$book/tests/test_words.c" && grep -qx 'int claim;' "$book/tests/test_words.c" &&
    tangle tests/words && sed -i '$d' "$book/org/index.org" && rm "$book/org/tests/words.org" &&
    tangle && [ ! -e "$book/tests/test_words.c" ]
}
a_folder_is_checked() {
  add_folder
  sed -i 's/int claim/<<a claim>>/' "$book/org/tests/words.org"
  refused 1 'org/tests/words.org:3: no chunk is named "a claim"' tangle || return 1
  add_folder
  sed -i '$d' "$book/org/index.org"
  refused 1 'org/tests/words.org is not in the house table' tangle
}
claim "a chapter in a folder is tangled, and its file goes with it" a_folder_is_tangled
claim "a chapter in a folder is named with the folder" a_folder_is_checked

claim "a mistyped chunk is named with its line" refuses_change org/words.org \
  's/<<Add them without wrapping>>/<<Add them without rapping>>/' \
  'org/words.org:22: no chunk is named "Add them without rapping"'
claim "a mistyped call is named with its line" refuses_change org/words.org \
  's/<<words-c()>>/<<words-d()>>/' 'org/words.org:15: no chunk is named "words-d"'
claim "a mistyped table is named with the line of its call" refuses_change org/verses.org \
  's/words-f90(table=words.org:words)/words-f90(table=words.org:wards)/' \
  'org/verses.org:10: nothing is named "words.org:wards"'
claim "a mistyped table is named with the line of its block" refuses_change org/words.org \
  's/:var table=words/:var table=wards/' 'org/words.org:9: nothing is named "wards"'
claim "a mistyped #+call is named with its line" refuses_change org/words.org \
  '$a#+call: words-e()' 'org/words.org:38: nothing is named "words-e"'
claim "a failing Python block is named, with what Python says" refuses_change org/words.org \
  's/print(f/print(1 \/ 0, f/' \
  'org/words.org:9: the Python block "words-c" fails: ZeroDivisionError: division by zero'
claim "a Python block that cannot be read is named" refuses_change org/words.org \
  's/^for word/for for word/' 'the Python block "words-c" fails: SyntaxError'
claim "a promised file that no block is tangled to is named" refuses_change org/index.org \
  's/src\/words.cpp /src\/worms.cpp /' 'no block is tangled to src/worms.cpp'
claim "a tangled file that is not promised is named" refuses_change org/words.org \
  's/words.h/worms.h/' 'include/worms.h is tangled, but org/index.org does not promise it'
claim "a block that is neither tangled nor named is named by its line" refuses_change org/words.org \
  's/:tangle no/ /' 'org/words.org:35: this c block is neither tangled nor named'
claim "a chunk that nobody uses is named" refuses_change org/words.org \
  's/^  <<Add them.*/  return 0;/' 'no tangled block uses the chunk "Add them without wrapping"'
claim "a name that is given twice is named" refuses_change org/words.org \
  's/^#+name: Add them.*/#+name: words-c/' 'the name "words-c" is given more than once'
claim "a chapter outside the house table is named" refuses_change org/index.org \
  '/words/d; /include/d' 'org/words.org is not in the house table'
claim "a row of the house table without a file is named" refuses_change org/index.org \
  's/src\/words.cpp/             /' 'a row of chapter words names no file'
claim "what fypp refuses is named with the chapter" refuses_change org/verses.org \
  's/#:endfor/#:endif/' 'fypp refuses src/verses.fypp of org/verses.org'

claim "a failing chapter leaves all files as they are" failure_keeps_what_is_there
claim "a chunk that no chapter uses is refused, and one that another chapter uses is not" chunk_for_another_chapter
claim "a part of a file is taken from another chapter, its blocks in their order" a_part_is_taken
claim "a chapter that holds a part is tangled with the one that takes it" a_part_is_tangled_with_what_takes_it
claim "a part that is not there, is taken by none, or is of a file that none writes is refused" a_wrong_part_is_refused
claim "a chapter that takes a table of a named one is tangled with it" what_takes_a_table_is_tangled_with_it
claim "--check shows a file that was changed by hand" changed_file_is_shown
claim "--check shows a file that is missing" missing_file_is_shown
claim "--check shows a script that cannot be run" lost_permission_is_shown
claim "a file of a chapter that promises it no longer is shown, then removed" \
  dropped_file_is_shown_and_removed
claim "--check without Emacs is skipped" refused 77 'emacs is not installed' without_emacs ''
claim "--check without Emacs fails in CI" refused 1 'emacs is not installed' without_emacs true
finish
