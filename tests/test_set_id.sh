#!/bin/sh
# Tangled from org/tests/environment_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# A program with privileges that its caller lacks runs no code and opens no file that a variable names.
. "$(dirname "$0")/tap.sh"
. "$srcdir/tests/vendors.sh"

built() { find "${top_builddir:-.}/$1/.libs/$2" "${top_builddir:-.}/$1/$2" -prune -type f 2>/dev/null | sed 1q; }
program=$(built tests set_id_program)
[ -n "$program" ] || skip_all "tests/set_id_program was not built"
case ${CXXFLAGS-} in *-fsanitize*) skip_all "a sanitizer's runtime does not support set-id programs" ;; esac

# set_group FROM TO: copies a program, and gives it a group that the caller does not run as
other_group() {
  if [ "$(id -u)" -eq 0 ]; then echo 65534; else id -G | tr ' ' '\n' | grep -vx "$(id -g)" | sed 1q; fi
}
group=$(other_group)
[ -n "$group" ] || skip_all "the caller has one group only, and is not root"
set_group() { cp "$1" "$2" && chgrp "$group" "$2" && chmod 2755 "$2"; }

set_group "$(command -v id)" "$scratch/id" || skip_all "a copied program cannot be given another group here"
[ "$("$scratch/id" -g)" = "$group" ] || skip_all "set-group-id bits have no effect in $scratch (nosuid, or no_new_privs)"
cp "$program" "$scratch/plain"
set_group "$program" "$scratch/set-id"

# A library that notes when its code runs, and files that are precious.
echo '#include <stdio.h>
__attribute__((constructor)) static void run(void) { fclose(fopen("'"$scratch"'/code-ran", "w")); }' >"$scratch/code.c"
${CC:-cc} -shared -fPIC -o "$scratch/code.so" "$scratch/code.c" || skip_all "no library can be built here"
prepare() {
  rm -f "$scratch/code-ran"
  for file in trace report; do echo precious >"$scratch/$file"; done
}
libraries="$(for vendor in $vendors; do variable_of "$vendor"; done) CADASTRE_OPENMP_MODULE"
given() {
  for library in $libraries; do set -- "$library=$scratch/code.so" "$@"; done
  env CADASTRE_TRACE="$scratch/trace" CADASTRE_REPORT="$scratch/report" "$@"
}

obeys() {
  prepare
  given "$scratch/plain" >"$scratch/output" && cat "$scratch/output" && [ -f "$scratch/code-ran" ] &&
    ! grep precious "$scratch/trace" "$scratch/report"
}
claim "a program without extra privileges obeys" obeys

prepare
given env CADASTRE_FAIL=create:1 "$scratch/set-id" >"$scratch/output" 2>&1 || echo "exit status $?" >>"$scratch/output"
says() { cat "$scratch/output" && grep -q "$1" "$scratch/output" && ! grep "exit status" "$scratch/output"; }
claim "a set-group-id program runs as such, and gets its context" says "AT_SECURE is 1"
untouched() { grep -qx precious "$scratch/$1" && [ "$(wc -l <"$scratch/$1")" -eq 1 ]; }
claim "it does not change the file that CADASTRE_TRACE names" untouched trace
claim "it does not change the file that CADASTRE_REPORT names" untouched report
claim "it runs no code that a variable names" test ! -f "$scratch/code-ran"
for variable in $libraries CADASTRE_TRACE CADASTRE_REPORT; do
  claim "it says that $variable is ignored, and why" says "^$variable names a file and is ignored: .*set-group-id bit"
done
says_of_fail() { says "^CADASTRE_FAIL makes calls fail and is ignored: .*set-group-id bit"; }
claim "it says that CADASTRE_FAIL is ignored, and why" says_of_fail
limited() { refused 2 "CADASTRE_LIMIT=HOST=none is malformed" env CADASTRE_LIMIT=HOST=none "$scratch/set-id"; }
claim "it reads the other variables" limited

# The command finds its library by hints that such a program does not take, so it is linked again.
link_command() {
  (cd "${top_builddir:-.}" && [ -f .libs/libcadastre.a ] && ./libtool --silent --tag=CXX --mode=link ${CXX:-c++} -static \
    -pthread -o "$scratch/command" src/command/cadastre-main.o libcadastre_command.la)
}
claimed="cadastre info says what a set-id program ignores"
if link_command >"$scratch/output" 2>&1; then
  set_group "$scratch/command" "$scratch/cadastre"
  reported() { given "$scratch/cadastre" info 2>&1 | tr -s ' \n' ' ' | grep "CADASTRE_TRACE names a file and is ignored"; }
  claim "$claimed" reported
else
  skip "$claimed" "the command, or a static library, was not built"
fi
finish
