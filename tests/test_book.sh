#!/bin/sh
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

# Each chapter has a page, and the page a way back.
chapters_are_pages() {
  (cd "$srcdir/org" && find . -name '*.org') | sed 's,^\./,,; s,org$,html,' >"$scratch/pages"
  while read -r page; do
    [ -f "$book/$page" ] || { echo "$page is missing"; return 1; }
    grep -q 'class="home" href="[./]*index.html"' "$book/$page" || { echo "$page does not lead to the index"; return 1; }
    grep -qF "\"$page\"" "$book/search-index.js" || { echo "the search does not know $page"; return 1; }
  done <"$scratch/pages"
}
claim "each chapter has a page, which leads to the index and which the search finds" chapters_are_pages

functions_are_listed() {
  sed -n 's/^CADASTRE_API [^(]*[ *]\([A-Za-z_0-9]*\)(.*/\1/p' "$srcdir"/include/cadastre.h "$srcdir"/include/cadastre_workspace.h \
    "$srcdir"/include/cadastre_sundials.h "$srcdir"/include/cadastre_vocabulary.h >"$scratch/functions"
  [ "$(wc -l <"$scratch/functions")" -gt 80 ] || { echo "the headers are not read as they should be"; return 1; }
  while read -r function; do
    grep -q "<dt id=\"$function\"><a href=\"[a-z_/]*\.html#$function\"" "$book/functions.html" ||
      { echo "$function is not in functions.html, or has no place in a chapter"; return 1; }
    grep -qF "[\"$function\",\"function\"," "$book/search-index.js" || { echo "the search does not know $function"; return 1; }
  done <"$scratch/functions"
}
claim "each public function is in the list of names with a link to its declaration, and the search finds it" functions_are_listed

# breaks PAGE EDIT TEXT: after the edit, check-links says so; what was there comes back
breaks() {
  cp "$book/$1" "$scratch/page"
  sed "$2" "$scratch/page" >"$book/$1"
  result=0
  if cmp -s "$book/$1" "$scratch/page"; then
    echo "the edit changes nothing"
    result=1
  else
    refused 1 "$3" "$srcdir/tools/check-links" "$book" || result=1
  fi
  cp "$scratch/page" "$book/$1"
  return $result
}
claim "a link to a page that is not there is found" breaks core/slab.html 's,href="\.\./index\.html",href="../indes.html",' \
  "../indes.html names no file"
claim "a link to a place that is not there is found" breaks index.html 's,architecture.html#folders",architecture.html#folder",' \
  "architecture.html#folder names no place of that page"
claim "a link out of the book is found" breaks index.html 's,href="architecture.html",href="../architecture.html",' \
  "../architecture.html is outside of the book"
claim "a place that is there twice is found" breaks core/slab.html 's,<header>,<header id="content">,' "the id content is given twice"
claim "the mended book has no dead link" "$srcdir/tools/check-links" "$book"
finish
