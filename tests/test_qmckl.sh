#!/bin/sh
# Tangled from org/tests/qmckl_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The drop-in for QMCkl before programs that were not built for it: users of the imitation, and programs without QMCkl.
. "$(dirname "$0")/tap.sh"

built=$(cd "${top_builddir:-.}" && pwd)
ours=$built/.libs/libcadastre_qmckl.so
[ -f "$ours" ] || skip_all "no shared library was built"

# The program that libtool built, not the script that it wrote.
program() { if [ -f "$built/tests/.libs/$1" ]; then echo "$built/tests/.libs/$1"; else echo "$built/tests/$1"; fi; }

LD_LIBRARY_PATH=$built/.libs:$built/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
sanitizer=$(ldd "$(program test_qmckl_trace)" | sed -n 's/.*=> \(.*lib[at]san\.so[^ ]*\).*/\1/p')
preload=${sanitizer:+$sanitizer:}$ours
preloaded() { env LD_PRELOAD="$preload" "$@"; }

CMOCKA_MESSAGE_OUTPUT=STDOUT
export CMOCKA_MESSAGE_OUTPUT

if [ -f "$(program test_qmckl_own)" ]; then
  claim "preloaded, it answers for a library that was not changed" \
    preloaded QMCKL_LAYER=preloaded "$(program test_qmckl_own)"
  claim "preloaded, it answers for a library that an extension keeps to itself" \
    preloaded QMCKL_LAYER=local "$(program test_qmckl_host)" "$built/tests/.libs/qmckl_extension.so"
  claim "it needs no more than the host, whatever backend the environment asks for" \
    preloaded QMCKL_LAYER=preloaded CADASTRE_BACKEND=openmp CADASTRE_OPENMP_MODULE=/nowhere "$(program test_qmckl_own)"
  claim "a limit of the environment holds in a program that was not changed" \
    preloaded QMCKL_LAYER=preloaded CADASTRE_LIMIT=HOST=1M "$(program test_qmckl_own)"
  claim "an environment that makes no sense is told in QMCkl's own way" \
    preloaded QMCKL_LAYER=preloaded CADASTRE_LIMIT=HOST=none "$(program test_qmckl_own)"
else
  skip "preloaded, it answers for QMCkl" "cmocka is not there"
fi

# Says nothing, and writes no file, even where the environment makes no sense. A shell may leak.
silent() {
  mkdir -p "$scratch/empty" && cd "$scratch/empty" || return 1
  said=$(env LD_PRELOAD="$preload" CADASTRE_LIMIT=nonsense CADASTRE_BACKEND=none CADASTRE_NONSENSE=1 \
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$@" 2>&1) || { echo "ended with $?"; return 1; }
  [ -z "$said" ] || { echo "$said"; return 1; }
  [ -z "$(ls -A)" ] || { ls -A; return 1; }
}
passes_on() {
  said=$(env LD_PRELOAD="$preload" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
    sh -c 'env | grep -c "^LD_PRELOAD="; echo one | cat | (read word; echo "$word"; exit 7)')
  [ "$?" -eq 7 ] && [ "$said" = "1
one" ] || { echo "$said"; return 1; }
}
# Calls without a library are refused.
cat >"$scratch/alone.c" <<'END'
#include <stddef.h>
#include <stdint.h>
struct info { size_t size; void* pointer; };
int64_t qmckl_context_create(void);
int32_t qmckl_context_destroy(int64_t);
void* qmckl_malloc(int64_t, struct info);
int32_t qmckl_free(int64_t, void*);
int32_t qmckl_get_malloc_info(int64_t, const void*, struct info*);
int main(void) {
  struct info info = {8, NULL};
  if (qmckl_context_create() != 0) return 1;
  if (qmckl_context_destroy(0) != 103 || qmckl_context_destroy(4096) != 103) return 2;
  if (qmckl_malloc(0, info) || qmckl_malloc(4096, info)) return 3;
  if (qmckl_free(0, &info) != 103 || qmckl_free(4096, &info) != 103 || qmckl_free(4096, NULL) != 103) return 4;
  if (qmckl_get_malloc_info(4096, &info, &info) != 103 || info.size != 8) return 5;
  return 0;
}
END
answers_alone() {
  ${CC:-cc} ${CFLAGS-} "$scratch/alone.c" -o "$scratch/alone" "$ours" ${LDFLAGS-} && "$scratch/alone"
}

claim "a program without QMCkl does not notice it" silent /bin/true
claim "nor does a shell, whatever the environment holds" silent sh -c 'true | true; (:); exit 0'
claim "nor does what env starts" silent env true
claim "output, status and the variable itself come through" passes_on
claim "where no QMCkl is, its calls are refused" answers_alone

exports() { ${NM:-nm} -D --defined-only "$ours" | awk '$2 != "A" { print $3 }' | sort; }
is_what_the_map_says() {
  sed -n 's/^ *\([A-Za-z0-9_]*\);$/\1/p' "$srcdir/src/adapters/qmckl.map" | sort >"$scratch/map"
  exports | sed 's/@.*/ has a version/' | diff "$scratch/map" - && grep -q '^qmckl_malloc$' "$scratch/map"
}
refers_to_no_library() { if ${NM:-nm} -D --undefined-only "$ours" | grep -v ' [wv] ' | grep -i qmckl; then return 1; fi; }
needs_no_vendor() { if ldd "$ours" | grep -E 'omp|cuda|LLVM|qmckl\.'; then return 1; fi; }

claim "it exports what it answers, without a version, and no more" is_what_the_map_says
claim "it needs no function of QMCkl" refers_to_no_library
claim "it links no vendor's runtime, and no QMCkl" needs_no_vendor

# Programs and libraries of which calls are bound before anybody can answer them.
cat >"$scratch/client.c" <<'END'
#include "qmckl_imitation.h"
int run(void) {
  const double points[6] = {0};
  for (int i = 0; i < 2; ++i) {
    const qmckl_context context = qmckl_context_create();
    if (context == 0) return 1;
    if (qmckl_set_points(context, points, 2) != 0) return 2;
    if (qmckl_context_destroy(context) != 0) return 3;
  }
  return 0;
}
#ifndef EXTENDS
int main(void) { return run(); }
#endif
END
cat >"$scratch/loader.c" <<'END'
#include <dlfcn.h>
int main(int argc, char** argv) {
  void* const extension = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
  int (*const run)(void) = extension ? (int (*)(void))dlsym(extension, "run") : 0;
  return run ? run() : 9;
}
END
compiles() { ${CC:-cc} ${CFLAGS-} -fPIC -I"$srcdir/include" -I"$srcdir/tests" "$@"; }
is_built() {
  (cd "$scratch" &&
    compiles -c "$srcdir/tests/qmckl_imitation.c" -o contexts.o &&
    compiles -c "$srcdir/tests/qmckl_imitation_memory.c" -o memory.o &&
    compiles -c "$srcdir/tests/qmckl_imitation_memory.c" -Dqmckl_malloc=own_malloc -Dqmckl_free=own_free \
      -Dqmckl_get_malloc_info=own_info -o list.o &&
    compiles -c client.c && compiles -DEXTENDS -c client.c -o extension.o && compiles -c loader.c &&
    ar rc libwhole.a contexts.o memory.o && ar rc libpart.a contexts.o list.o &&
    for name in open bound; do
      [ $name = bound ] && bind=-Wl,-Bsymbolic-functions || bind=
      compiles -shared $bind contexts.o memory.o -o libqmckl_$name.so ${LDFLAGS-} -lpthread &&
        compiles -shared extension.o -o extension_$name.so -L. -lqmckl_$name ${LDFLAGS-} || return
    done)
}
# links NAME ARGUMENT...
links() { name=$1; shift; (cd "$scratch" && compiles "$@" -o "$name" ${LDFLAGS-} -lpthread -ldl); }
# says_of STATUS TEXT COMMAND...: on the standard error, in one line; with TEXT empty, nothing
says_of() {
  status=$1 text=$2
  shift 2
  LD_LIBRARY_PATH=$scratch:$LD_LIBRARY_PATH "$@" 2>"$scratch/heard" >/dev/null && got=0 || got=$?
  cat "$scratch/heard"
  [ $got -eq $status ] || { echo "ended with $got"; return 1; }
  if [ -z "$text" ]; then [ ! -s "$scratch/heard" ]; else
    [ "$(wc -l <"$scratch/heard")" -eq 1 ] && grep -q "^libcadastre_qmckl: memory of libqmckl is not all.*$text" "$scratch/heard"
  fi
}
with_report() { env CADASTRE_REPORT="$scratch/static.txt" "$@"; }
in_the_program() { links whole client.o "$ours" libwhole.a && says_of 0 "contains QMCkl's memory functions" "$scratch/whole"; }
in_the_program_alone() {
  links alone_static client.o libwhole.a &&
    says_of 0 "the program contains QMCkl's memory functions" preloaded "$scratch/alone_static"
}
in_parts() {
  links part client.o "$ours" libpart.a && says_of 0 "creates and destroys contexts by itself" with_report "$scratch/part" &&
    cat "$scratch/static.txt" && grep -q '^HOST .* 96 B  *2  *2  ' "$scratch/static.txt"
}
bound_inside() {
  links bound client.o "$ours" -L. -lqmckl_bound &&
    says_of 0 "libqmckl_bound.so calls its own memory functions" "$scratch/bound"
}
bound_inside_and_loaded_late() {
  links late loader.o &&
    says_of 0 "libqmckl_bound.so calls its own memory functions" preloaded "$scratch/late" "$scratch/extension_bound.so"
}
in_the_wrong_order() {
  links order client.o -L. -lqmckl_open -Wl,--no-as-needed "$ours" && says_of 0 "comes before libcadastre_qmckl" "$scratch/order"
}
in_the_right_order() {
  links right client.o "$ours" -L. -lqmckl_open && says_of 0 "" "$scratch/right" &&
    links late loader.o && says_of 0 "" preloaded "$scratch/late" "$scratch/extension_open.so"
}
# A program that calls none of the functions that we answer.
kept_by_the_linker() {
  flags=$(PKG_CONFIG_PATH=$built ${PKG_CONFIG:-pkg-config} --libs cadastre-qmckl) || return
  printf '#include "qmckl_imitation.h"\nint main(void) { return qmckl_context_check(0) != 0; }\n' >"$scratch/idle.c"
  links kept idle.c -Wl,--as-needed -L"$built/.libs" $flags -L. -lqmckl_open &&
    ldd "$scratch/kept" >"$scratch/needs" && cat "$scratch/needs" && grep -q libcadastre_qmckl "$scratch/needs"
}
if is_built; then
  claim "a program with a static QMCkl in itself is told that it is not served" in_the_program
  claim "also where it was not linked with the drop-in, which is preloaded" in_the_program_alone
  claim "one that has all of a static QMCkl but its memory functions is served, and told what is not" in_parts
  claim "a library that calls its own functions is told of" bound_inside
  claim "also when it is loaded late, and its loader keeps it to itself" bound_inside_and_loaded_late
  claim "a library that comes before the drop-in is told of" in_the_wrong_order
  claim "where all is served, nothing is said" in_the_right_order
  claim "what pkg-config says keeps the drop-in in a program that a linker thinks does not need it" kept_by_the_linker
else
  skip "what is not served is told" "this compiler builds no such programs"
fi

# Columns are found by their names; what is left out is 1 for a context and else 0.
lines_of() {
  "$CADASTRE" convert "$srcdir/traces/$1.trace.gz" | awk -F, '
    function field(name, preset) { return name in column && $column[name] != "" ? $column[name] : preset }
    /^#/ { next }
    !columns { for (columns = 1; columns <= NF; ++columns) column[$columns] = columns; next }
    { print field("op"), field("context", 1), field("block", 0), field("size", 0), field("result", 0) }'
}
performs() {
  lines_of "$1" >"$scratch/lines"
  [ "$(wc -l <"$scratch/lines")" -eq "$2" ] || { echo "$1 has no $2 operations"; return 1; }
  shift 2
  "$@" "$(program test_qmckl_trace)" <"$scratch/lines"
}

layers="env preloaded"
if [ ! -x "${CADASTRE-}" ]; then
  layers=
  skip "it answers as QMCkl did to what was traced" "the command was not built, which reads traces"
fi
for layer in $layers; do
  [ $layer = env ] && who="the imitation itself" || who="preloaded, it"
  claim "$who answers as QMCkl did to its test of forces" performs forces 4450 $layer
  claim "$who answers as QMCkl did to its test of orbitals" performs test_qmckl_mo 597 $layer
  claim "$who answers as QMCkl did to its test of memory" performs test_qmckl_memory 14 $layer
  claim "$who answers as QMCkl did to a Python client" performs python_test_api 76 $layer
done

# What the registry is asked for, it can write down.
records() {
  env LD_PRELOAD="$preload" CADASTRE_TRACE="$scratch/trace.csv" CADASTRE_REPORT="$scratch/report.txt" \
    "$(program test_qmckl_trace)" <"$scratch/lines" &&
    [ "$(grep -c '^malloc,' "$scratch/trace.csv")" -eq "$(grep -c '^malloc ' "$scratch/lines")" ] &&
    [ "$(grep -c '^destroy,.*,0,$' "$scratch/trace.csv")" -eq "$(grep -c '^destroy ' "$scratch/lines")" ]
}
reports() {
  [ "$(grep -c '^Cadastre .*, host backend$' "$scratch/report.txt")" -eq "$(grep -c '^create ' "$scratch/lines")" ] &&
    grep -q ' test_qmckl_trace' "$scratch/report.txt"
}
replays() { "$CADASTRE" replay "$scratch/trace.csv" | grep -q 'no failures, no mismatches'; }
if [ -n "$layers" ]; then
  lines_of forces >"$scratch/lines"
  claim "an unchanged program writes the trace of its allocations" records
  claim "and a report of each context, by the names of those that allocate" reports
  claim "the trace is replayed as it is" replays
else
  skip "an unchanged program writes the trace of its allocations" "the command was not built"
fi

cat >"$scratch/header.c" <<'END'
#include <cadastre_qmckl.h>
int main(void) {
  cadastre_qmckl_memory memory = {0};
  return cadastre_qmckl_free(&memory, 0) != 103;
}
END
cp "$scratch/header.c" "$scratch/header.cpp"
stands_alone() {
  language=$1
  shift
  "$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$srcdir/include" -c "$scratch/header.$language" \
    -o "$scratch/header.o"
}
claim "the header is C99" stands_alone c ${CC:-cc} ${CFLAGS-} -std=c99
claim "the header is C++17" stands_alone cpp ${CXX:-c++} ${CXXFLAGS-} -std=c++17

finish
