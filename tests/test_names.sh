#!/bin/sh
# Tangled from org/names.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The names of before become those of the headers, and nothing else is changed.
. "$(dirname "$0")/tap.sh"

chapter=$srcdir/org/names.org
script=$srcdir/tools/rename-0.1
headers="$srcdir/include/*.h*"

echo a | sed 's/\ba\b/b/' | grep -qx b || skip_all "this sed does not know the ends of words"

# rows TABLE: its rows, cells separated by one blank and a bar
rows() {
  awk -v name="#+name: $1" '
    $0 == name { inside = 1; next }
    inside && !/^\|/ { exit }
    inside && /^\|-/ { body = 1; next }
    inside && body { gsub(/^\| *| *\|$/, ""); gsub(/ *\| */, "|"); print }' "$chapter"
}

convert() { printf '%s\n' "$1" | sed -f "$script"; }

# becomes LINE LINE: the script makes the second of the first, and leaves that alone
becomes() {
  [ "$(convert "$1")" = "$2" ] || {
    echo "$1 becomes $(convert "$1"), not $2"
    return 1
  }
  [ "$(convert "$2")" = "$2" ] || {
    echo "$2 becomes $(convert "$2") when the script runs again"
    return 1
  }
}

# for_each_row TABLE COUNT COMMAND: the table has at least so many rows, and the command succeeds with each
for_each_row() {
  table=$1 least=$2 failures=0 seen=0
  shift 2
  rows "$table" >"$scratch/rows"
  while read -r row; do
    seen=$((seen + 1))
    "$@" "$row" || failures=$((failures + 1))
  done <"$scratch/rows"
  [ "$seen" -ge "$least" ] || {
    echo "$table has $seen rows"
    return 1
  }
  [ "$failures" -eq 0 ]
}

first() { printf '%s' "$1" | cut -d'|' -f1; }
second() { printf '%s' "$1" | cut -d'|' -f2; }
third() { printf '%s' "$1" | cut -d'|' -f3; }
fourth() { printf '%s' "$1" | cut -d'|' -f4; }

converts_word() {
  old=$(first "$1") new=$(second "$1")
  becomes "  x = $old(1); ${old}_own, own_$old, $old" "  x = $new(1); ${old}_own, own_$old, $new"
}

converts_member() {
  old=$(first "$1" | sed 's/.*:://') new=$(second "$1" | sed 's/.*:://')
  becomes "  a.$old(1); b->$old(2); $old(3); a.${old}_own; a.template $old<int>()" \
    "  a.$new(1); b->$new(2); $old(3); a.${old}_own; a.template $new<int>()"
}

converts_field() {
  old=$(second "$1") new=$(third "$1")
  [ "$(fourth "$1")" = yes ] || new=$old
  becomes "  a.$old = b->$old + c % $old + $old; a.${old}_own" "  a.$new = b->$new + c % $new + $old; a.${old}_own"
}

converts_keyword() {
  old=$(second "$1") new=$(third "$1")
  for function in $(first "$1" | tr ',' ' '); do
    becomes "  call $function(context, $old=x, y=$old)" "  call $function(context, $new=x, y=$old)" || return 1
    becomes "  call own_$function(context, $old=x)" "  call own_$function(context, $old=x)" || return 1
  done
}

converts_option() {
  subcommand=$(first "$1" | cut -d' ' -f1)
  old=$(first "$1" | cut -d' ' -f2) new=$(second "$1" | cut -d' ' -f2)
  becomes "cadastre $subcommand $old x $old-own $old=8 $old" "cadastre $subcommand $new x $old-own $new=8 $new" &&
    becomes "other $subcommand $old" "other $subcommand $old"
}

# is_public NAME: a public file has it
is_public() {
  # shellcheck disable=SC2086  # a pattern
  grep -qw -- "$1" $headers "$srcdir/src/fortran/generated/cadastre.F90" "$srcdir/src/fortran/generated/cadastre_vocabulary.inc"
}

new_is_public() {
  is_public "$(second "$1" | sed 's/.*:://')" || {
    echo "no header has $(second "$1")"
    return 1
  }
  case $(first "$1") in *::*) return 0 ;; esac  # such a word may be another's
  ! is_public "$(first "$1")" || {
    echo "a header still has $(first "$1")"
    return 1
  }
}

new_field_is_public() {
  awk -v name="$(first "$1")" '
    $0 ~ "^typedef struct " name " " { inside = 1 }
    inside { print }
    inside && /^}/ { exit }' "$srcdir"/include/*.h >"$scratch/struct"
  grep -qw -- "$(third "$1")" "$scratch/struct" || {
    echo "$(first "$1") has no $(third "$1")"
    return 1
  }
}

new_keyword_is_public() {
  for function in $(first "$1" | tr ',' ' '); do
    awk -v name="$function" '
      $0 ~ " function " name "\\(" { inside = 1 }
      inside { print }
      inside && / end function / { exit }' "$srcdir/src/fortran/generated/cadastre.F90" >"$scratch/interface"
    grep -qw -- "$(third "$1")" "$scratch/interface" || {
      echo "$function has no $(third "$1")"
      return 1
    }
  done
}

is_documented() {
  new=$(second "$1" | cut -d' ' -f2 | sed 's/-/\\\\-/g')
  grep -q -- "$(second "$1" | cut -d' ' -f2)\|$new" "$srcdir/src/command/cadastre.1"
}

new_variable_is_known() { grep -qF "\"$(second "$1")\"" "$srcdir/src/base/vocabulary.cpp"; }

for table in functions fortran constants reasons variables; do
  claim "$table of before become those of now, where they stand alone" \
    for_each_row renamed-$table 3 converts_word
done
claim "members of classes are converted after a dot or an arrow" for_each_row renamed-members 10 converts_member
claim "fields are converted where no other structure is likely to have them" for_each_row renamed-fields 39 converts_field
claim "keywords are converted in calls of their function" for_each_row renamed-arguments 4 converts_keyword
claim "options are converted behind their subcommand" for_each_row renamed-options 4 converts_option

for table in functions fortran members constants reasons; do
  claim "$table have their new names in the headers, and no old one" for_each_row renamed-$table 6 new_is_public
done
claim "keywords have their new names in the Fortran module" for_each_row renamed-arguments 4 new_keyword_is_public
claim "fields have their new names in the headers" for_each_row renamed-fields 39 new_field_is_public
claim "the manual has the new options" for_each_row renamed-options 4 is_documented
claim "the library reads the new variables" for_each_row renamed-variables 3 new_variable_is_known

for file in "$srcdir"/tests/names/*; do
  sed -f "$script" "$file" >"$scratch/$(basename "$file")"
done

compiles() { "$@" -fsyntax-only -Wall -Wextra -Werror -I"$srcdir/include"; }

# The fields that the script leaves to the compiler are mended as the head of the script says.
# shellcheck disable=SC2086  # a command and its options
{
  claim "a backend of before compiles when it is converted" compiles ${CC:-cc} -std=gnu99 "$scratch/custom_backend.c"
  claim "a program for devices of before does so, too" \
    compiles ${CC:-cc} -std=gnu99 -Wno-unknown-pragmas -Wno-unused-parameter "$scratch/distance_matrix.c"
  sed 's/\binfo\.size\b/info.reserved_bytes/' "$scratch/triangular_solve.cpp" >"$scratch/solve.cpp"
  claim "and a program in C++" compiles ${CXX:-c++} -std=c++20 "$scratch/solve.cpp"
}

# A tree in which no public text has a retired word.
write_tree() {
  tree=$scratch/tree
  rm -rf "$tree"
  mkdir -p "$tree/examples" "$tree/src/api" "$tree/src/command" "$tree/src/fortran" "$tree/include" "$tree/doc/guides" "$tree/org/core"
  echo "who visited the doorway bought a desktop" | tee "$tree/org/core/a.org" >"$tree/CONTRIBUTING.org"
  for file in README.org NEWS include/a.h examples/a.c doc/a.md doc/guides/a.org src/command/a.1 src/api/a.7 src/fortran/a.fypp; do
    echo "a lease is lendable, and takes no LENDING_TIME" >"$tree/$file"
  done
  printf 'int answer;  // tells "no one" what "tells"\n' >"$tree/src/a.cpp"
}

clean_tree_is_accepted() {
  write_tree
  "$srcdir/tools/check-words" "$tree"
}

# has_words FILE TEXT WORD: a file with the text is refused; the check says where, and what to write
has_words() {
  write_tree
  printf '\n\n%s\n' "$2" >>"$tree/$1"
  refused 1 "$1:4:$2   <- retired word; write: $3" "$srcdir/tools/check-words" "$tree"
}

each_inner_word_is_found() {
  write_tree
  rows retired-inner-words | sed 's/|.*//; s/, /\n/g' >"$tree/org/core/a.org"
  lines=$(wc -l <"$tree/org/core/a.org")
  [ "$lines" -ge 25 ] && ! "$srcdir/tools/check-words" "$tree" >"$scratch/found" || return 1
  [ "$(grep -c '^org/core/a.org:.*<- retired word' "$scratch/found")" -eq "$lines" ]
}

each_word_is_found() {
  write_tree
  rows retired-words | sed 's/|.*//; s/, /\n/g' >"$tree/NEWS"
  lines=$(wc -l <"$tree/NEWS")
  [ "$lines" -ge 50 ] && ! "$srcdir/tools/check-words" "$tree" >"$scratch/found" || return 1
  line=0
  while [ $line -lt "$lines" ]; do
    line=$((line + 1))
    grep "^NEWS:$line:.*write: .." "$scratch/found" || {
      echo "not found: $(sed -n ${line}p "$tree/NEWS")"
      return 1
    }
  done
}

claim "no public text has a retired word" "$srcdir/tools/check-words" "$srcdir"
claim "a word that has a retired one in it is none" clean_tree_is_accepted
claim "each retired word is found, and the check says what to write" each_word_is_found
claim "and each of the library's own, in its chapters" each_inner_word_is_found
for file in README.org include/a.h examples/a.c doc/a.md doc/guides/a.org src/command/a.1 src/api/a.7 src/fortran/a.fypp; do
  claim "in $file, too" has_words "$file" " * What the call answers." "return, write"
done
claim "and in messages" has_words src/a.cpp '"nobody knows it"' "no call"

finish
