#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples of README.org and of the guides compile as they stand there, and run.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)

# example TEXT LANGUAGE NUMBER: a block of that language, the first is 1
example() {
  awk -v start="#+begin_src $2" -v number="$3" '
    $0 == start && ++seen == number { inside = 1; next }
    /^#\+end_src/ { inside = 0 }
    inside' "$srcdir/$1"
}
examples_in() { grep -cx "#+begin_src $2" "$srcdir/$1" || true; }

# runs TEXT LANGUAGE NUMBER EXTENSION COMPILER...
runs() {
  source=$scratch/example.$4
  example "$1" "$2" "$3" >"$source"
  shift 4
  [ -s "$source" ] || { echo "there is no such example"; return 1; }
  (cd "$scratch" && "$@" -c "$source" -o example.o) || return 1
  case $source in
    *.f90) libraries="$build/libcadastre_fortran.la $build/libcadastre.la" ;;
    *) libraries=$build/libcadastre.la ;;
  esac
  # shellcheck disable=SC2086  # lists of libraries and flags
  (cd "$build" && ./libtool --silent --tag=CC --mode=link "$@" ${LDFLAGS-} -o "$scratch/example" \
    "$scratch/example.o" $libraries ${CXX_RUNTIME_LIBS-}) || return 1
  (cd "$scratch" && ./example >printed) || return 1
}

# all_run TEXT LANGUAGE EXTENSION COMPILER...: each of its examples in that language
all_run() {
  text=$1 language=$2
  shift 2
  number=1
  while [ $number -le "$(examples_in "$text" "$language")" ]; do
    claim "$text: example $number in $language compiles and runs" runs "$text" "$language" $number "$@"
    number=$((number + 1))
  done
}

# The README's own, at the end, is what the next claims look at.
for text in doc/guides/library.org doc/guides/gpu.org doc/guides/debugging.org doc/guides/memory.org doc/guides/host-memory.org README.org; do
  # shellcheck disable=SC2086  # a list of flags
  all_run $text c c ${CC:-cc} ${CFLAGS-} -std=c99 -Wall -Wextra -Werror "-I$srcdir/include"
done
same_but_for_addresses() { sed 's/0x[0-9a-f]*/ADDRESS/g' "$1"; }
is_what_it_prints() {
  sed -n '/^#+begin_example/,/^#+end_example/{/^#+/!p}' "$srcdir/README.org" | grep . >"$scratch/shown"
  same_but_for_addresses "$scratch/printed" >"$scratch/found"
  same_but_for_addresses "$scratch/shown" | while IFS= read -r line; do
    grep -qxF -- "$line" "$scratch/found" || { echo "it does not print: $line"; cat "$scratch/printed"; exit 1; }
  done
}
claim "the report in README.org is what its example prints" is_what_it_prints

device_is_emulated() {
  # shellcheck disable=SC2086  # a list of flags
  runs doc/guides/gpu.org c 1 c ${CC:-cc} ${CFLAGS-} -std=c99 "-I$srcdir/include" || return 1
  (cd "$scratch" && CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 ./example >printed) && [ ! -s "$scratch/printed" ] || {
    cat "$scratch/printed"
    return 1
  }
}
claim "with an emulated device the example of device memory gets some" device_is_emulated

# What the guides type runs as it stands there, where it needs nothing that is installed: ./program is the guide's own example.
commands_run() {
  # shellcheck disable=SC2086  # a list of flags
  runs "$1" c 1 c ${CC:-cc} ${CFLAGS-} -std=c99 "-I$srcdir/include" || return 1
  mkdir -p "$scratch/commands"
  printf '#!/bin/sh\nexec "%s/example" "$@"\n' "$scratch" >"$scratch/commands/program"
  chmod +x "$scratch/commands/program"
  [ -e "$scratch/commands/traces" ] || ln -s "$srcdir/traces" "$scratch/commands/traces"
  number=1
  while [ $number -le "$(examples_in "$1" sh)" ]; do
    { echo 'set -e'; example "$1" sh $number; } >"$scratch/commands/typed"
    (cd "$scratch/commands" && CADASTRE_BACKEND=host PATH="$build:$PATH" sh ./typed) || return 1
    number=$((number + 1))
  done
}
for text in doc/guides/debugging.org doc/guides/memory.org doc/guides/gpu.org; do
  sentence="$text: what it types runs"
  if [ -x "$build/cadastre" ]; then claim "$sentence" commands_run $text; else skip "$sentence" "the command was not built"; fi
done
# shellcheck disable=SC2086  # a list of flags
all_run doc/guides/cxx.org cpp cpp ${CXX:-c++} ${CXXFLAGS-} -std=c++17 -Wall -Wextra -Werror "-I$srcdir/include"
if [ -f "$build/libcadastre_fortran.la" ]; then
  # shellcheck disable=SC2086  # a list of flags
  all_run doc/guides/fortran.org f90 f90 $FC ${FCFLAGS-} -Wall "-I$build"
else
  skip "the Fortran example compiles and runs" "the Fortran module was not built"
fi

# What the texts name is there.
has_no_dead_link() {
  dead=0
  for text in README.org CONTRIBUTING.org doc/guides/*.org; do
    folder=$(dirname "$text")
    for link in $(grep -v '^[+@]' "$text" | grep -o '\[\[file:[^]]*\]' | sed 's/^\[\[file://; s/\].*//; s/::.*//'); do
      [ -e "$folder/$link" ] || { echo "$text: $link is not there"; dead=1; }
    done
  done
  return $dead
}
claim "no link of README.org, CONTRIBUTING.org and the guides is dead" eval '(cd "$srcdir" && has_no_dead_link)'
is_one_screen() {
  lines=$(wc -l <"$srcdir/README.org")
  [ "$lines" -le 85 ] || { echo "README.org has $lines lines"; return 1; }
}
claim "README.org is short" is_one_screen
finish
