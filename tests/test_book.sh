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
    "$srcdir"/include/cadastre_sundials.h "$srcdir"/include/cadastre_vocabulary.h >"$scratch/functions"
  sed -n 's/^<dt id="\([^"]*\)"><a href="[a-z_/]*\.html#\([^"]*\)".*/\1 \2/p' "$book/functions.html" |
    awk '$1 == $2 { print $1 }' >"$scratch/listed"
  sed -n 's/^\["\([^"]*\)","function",.*/\1/p' "$book/search-index.js" >"$scratch/found"
  [ "$(wc -l <"$scratch/functions")" -gt 80 ] || { echo "the headers are not read as they should be"; return 1; }
  all_of "$scratch/functions" "$scratch/listed" && all_of "$scratch/functions" "$scratch/found"
}
claim "each public function is in the list of names with a link to its declaration, and the search finds it" functions_are_listed

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
