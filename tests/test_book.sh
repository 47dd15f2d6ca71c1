#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The files that are built are those that the chapters say, and the book that is printed from them has no dead link.
. "$(dirname "$0")/tap.sh"

status=0
"$srcdir/tools/tangle" --check >"$scratch/differences" 2>&1 || status=$?
[ $status -ne 77 ] || skip_all "$(cat "$scratch/differences")"

agree() {
  cat "$scratch/differences"
  [ $status -eq 0 ]
}
claim "a fresh tangle equals the files that are there" agree

# Colours take most of the time, and change no link.
book=$scratch/book
printed=0
"$srcdir/tools/html" --plain "$book" >"$scratch/printed" 2>&1 || printed=$?
if [ $printed -eq 77 ]; then
  skip "the book prints" "$(cat "$scratch/printed")"
  finish
  exit 0
fi

prints() {
  cat "$scratch/printed"
  [ $printed -eq 0 ] && grep -q '; none is dead$' "$scratch/printed"
}
claim "the book prints, and each link in it leads to a page and a place that are there" prints

# all_of WANTED FOUND: each line of WANTED is one of FOUND
all_of() {
  [ -s "$1" ] || { echo "nothing is wanted"; return 1; }
  sort -u "$1" >"$1.sorted"
  sort -u "$2" | comm -23 "$1.sorted" - >"$scratch/lacking"
  sed 's/^/missing: /' "$scratch/lacking"
  [ ! -s "$scratch/lacking" ]
}

chapters_are_pages() {
  (cd "$srcdir/org" && find . -name '*.org') | sed 's,^\./,,; s,org$,html,' >"$scratch/chapters"
  (cd "$book" && grep -rl 'class="home" href="[./]*index.html"' --include='*.html' .) | sed 's,^\./,,' >"$scratch/pages"
  sed -n 's/.*"chapter","\([^"]*\)".*/\1/p' "$book/search-index.js" >"$scratch/found"
  all_of "$scratch/chapters" "$scratch/pages" && all_of "$scratch/chapters" "$scratch/found"
}
claim "each chapter has a page, which leads to the index and which the search finds" chapters_are_pages

functions_are_listed() {
  sed -n 's/^CADASTRE_API [^(]*[ *]\([A-Za-z_0-9]*\)(.*/\1/p' "$srcdir"/include/cadastre.h "$srcdir"/include/cadastre_workspace.h \
    "$srcdir"/include/cadastre_sundials.h "$srcdir"/include/cadastre_mpi.h "$srcdir"/include/cadastre_vocabulary.h >"$scratch/functions"
  sed -n 's/^<dt id="\([^"]*\)"><a href="[a-z_/]*\.html#\([^"]*\)".*/\1 \2/p' "$book/functions.html" |
    awk '$1 == $2 { print $1 }' >"$scratch/listed"
  sed -n 's/^\["\([^"]*\)","function",.*/\1/p' "$book/search-index.js" >"$scratch/found"
  [ "$(wc -l <"$scratch/functions")" -gt 80 ] || { echo "the headers are not read as they should be"; return 1; }
  all_of "$scratch/functions" "$scratch/listed" && all_of "$scratch/functions" "$scratch/found"
}
claim "each public function is in the list of names with a link to its declaration, and the search finds it" functions_are_listed

other_languages_are_listed() {
  for name in 'cadastre::context_view::allocate' 'cadastre::lease' cadastre_allocate cadastre_acquire; do
    grep -q "<code>$name</code></a></dt>" "$book/functions.html" || { echo "missing: $name"; return 1; }
  done
}
claim "so are classes and members of C++, and what only Fortran has" other_languages_are_listed

# Chapters with pictures, printed by themselves: pictured TREE VARIABLE=VALUE...
pictured() {
  tree=$scratch/$1
  shift
  for chapter in architecture base/lock core/entry; do
    mkdir -p "$tree/org/$(dirname $chapter)"
    cp "$srcdir/org/$chapter.org" "$tree/org/$chapter.org"
  done
  env CADASTRE_BOOK_PLAIN=plain "$@" emacs --batch -Q -l "$srcdir/tools/html.el" "$tree" architecture base/lock core/entry
}
pictures() { cat "$scratch/$1"/org/*.html "$scratch/$1"/org/*/*.html | grep -c "$2"; }
asked_for() { cat "$srcdir/org/architecture.org" "$srcdir/org/base/lock.org" "$srcdir/org/core/entry.org" | grep -c '^#+attr_book: :picture'; }
have_texts() {
  pictured drawn || return 1
  [ "$(pictures drawn '^<svg')" -eq "$(asked_for)" ] && [ "$(pictures drawn 'role="img" aria-label="[A-Z]')" -eq "$(asked_for)" ] &&
    [ "$(pictures drawn '^<details')" -eq "$(asked_for)" ]
}
if command -v dot >/dev/null; then
  claim "each picture is drawn of its table, which stays, with a text for who cannot see it" have_texts
  arrows() { grep -c 'd="M' "$scratch/drawn/org/core/entry.html"; }
  claim "each state of a block that comes after another is an arrow" eval '[ "$(arrows)" -ge 15 ]'
else
  skip "each picture is drawn of its table, which stays, with a text for who cannot see it" "graphviz is not installed"
fi
tables_alone() { pictured undrawn CADASTRE_BOOK_DOT=no-such-program && [ "$(pictures undrawn '<svg')" -eq 0 ] && grep -q 'find the slab' "$scratch/undrawn/org/architecture.html"; }
claim "without graphviz the tables are shown" tables_alone
states_are_told() {
  sed -n 's/^  enum class Is .*{ \(.*\) };$/\1/p' "$srcdir/src/core/entry.hpp" | tr -d ' ' | tr ',' '\n' | sort >"$scratch/states"
  awk -F ' *[|] *' '/^#\+name: states-of-a-block/ { inside = 1 } !NF { inside = 0 } inside && /^\|-/ { below = 1; next } inside && below { print $2 }' \
    "$srcdir/org/core/entry.org" | sort | diff "$scratch/states" -
}
claim "the states of a block in the table are those of the code" states_are_told

# What check-links is there to find, in one book.
edit() {
  sed "$2" "$book/$1" >"$scratch/page"
  cat "$scratch/page" >"$book/$1"
}
edit core/slab.html 's,href="\.\./index\.html",href="../nowhere.html",'
edit core/shard.html 's,<header>,<header id="content">,'
edit index.html 's,architecture.html#folders",architecture.html#folder",'
edit architecture.html 's,href="index.html",href="../index.html",'
code=0
"$srcdir/tools/check-links" "$book" >"$scratch/dead" 2>&1 || code=$?

finds() {
  cat "$scratch/dead"
  [ $code -eq 1 ] && grep -q "$1" "$scratch/dead"
}
claim "a link to a page that is not there is found" finds '^core/slab.html:[0-9]*: ../nowhere.html names no file$'
claim "a link to a place that is not there is found" finds '^index.html:[0-9]*: architecture.html#folder names no place'
claim "a link out of the book is found" finds '^architecture.html:[0-9]*: ../index.html is outside of the book$'
claim "a place that is there twice is found" finds '^core/shard.html:[0-9]*: the id content is given twice$'
finish
