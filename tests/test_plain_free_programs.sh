#!/bin/sh
# Tangled from org/tests/plain_free_programs.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# A plain free of blocks: with the adapter for QMCkl before the C library, with another allocator beside it, and without.
. "$(dirname "$0")/tap.sh"

built=$(cd "${top_builddir:-.}" && pwd)
ours=$built/.libs/libcadastre_qmckl.so
[ -f "$ours" ] || skip_all "no shared library was built"
case "${CFLAGS-} ${CXXFLAGS-}" in *-fsanitize*) skip_all "a sanitizer's free comes first" ;; esac
program=$built/tests/test_plain_free
[ ! -f "$built/tests/.libs/test_plain_free" ] || program=$built/tests/.libs/test_plain_free
[ -f "$program" ] || skip_all "cmocka is not there"
LD_LIBRARY_PATH=$built/.libs:$built/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
CMOCKA_MESSAGE_OUTPUT=STDOUT
export LD_LIBRARY_PATH CMOCKA_MESSAGE_OUTPUT
unset CADASTRE_HEAP
links="-L$built/.libs -lcadastre"

preloaded() { env LD_PRELOAD="$ours" PLAIN_FREE=seen "$@"; }
claim "preloaded, a plain free frees a block, whoever's it is" preloaded "$program"
claim "and where blocks stand alone" preloaded CADASTRE_HEAP=off "$program"
claim "and where a pool caches them" preloaded CADASTRE_POOL=HOST=caching "$program"
claim "with all that is called bound when the program starts" preloaded LD_BIND_NOW=1 "$program"
claim "without it, a context with the option keeps its blocks in malloc" env -u LD_PRELOAD "$program"

compiles() { ${CC:-cc} ${CFLAGS-} -fno-builtin -I"$srcdir/include" -I"$srcdir/tests" "$@"; }

says() { wanted=$1 && shift && said=$("$@" 2>&1) && [ "$said" = "$wanted" ] || { echo "$said"; return 1; }; }
if ${CXX:-c++} ${CXXFLAGS-} -fno-builtin -I"$srcdir/include" "$srcdir/tests/plain_free_cxx.cpp" -o "$scratch/cxx" $links >"$scratch/log" 2>&1; then
  claim "delete of a block is seen" says "20 of 20" preloaded "$scratch/cxx"
else
  skip "delete of a block is seen" "it does not compile: $(head -n 1 "$scratch/log")"
fi
cat >"$scratch/companion.c" <<'END'
#include "cadastre.h"
cadastre_context make_context(void) { return cadastre_context_create(); }
void* make_block(cadastre_context context, size_t size) {
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = size;
  return cadastre_malloc(context, info);
}
int live_blocks(cadastre_context context) {
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  cadastre_get_statistics(context, CADASTRE_HOST, &statistics);
  return (int)statistics.live_blocks;
}
END
fortran() { [ -n "${FC-}" ] && $FC ${FCFLAGS-} "$srcdir/tests/plain_free_fortran.f90" "$scratch/companion.o" -o "$scratch/fortran" $links; }
if compiles -c "$scratch/companion.c" -o "$scratch/companion.o" >"$scratch/log" 2>&1 && (cd "$scratch" && fortran) >>"$scratch/log" 2>&1; then
  claim "deallocate of a pointer that C gave is seen" says 0 preloaded "$scratch/fortran"
else
  skip "deallocate of a pointer that C gave is seen" "it does not compile"
fi
# A program that hands free on as a pointer, and has an address of its own for it.
cat >"$scratch/pointer.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "cadastre.h"
void (*volatile release)(void*) = free;
int main(void) {
  const cadastre_context context = cadastre_context_create();
  cadastre_statistics_struct statistics = cadastre_statistics_struct_zero;
  cadastre_context_set_plain_free(context, 1);
  for (int i = 0; i < 10; ++i) release(cadastre_malloc_plain(context, 64, 0, 0, "released"));
  cadastre_get_statistics(context, CADASTRE_HOST, &statistics);
  printf("%d\n", (int)statistics.untracked_deallocations);
  return 0;
}
END
fixed() { compiles -fno-pie -no-pie "$scratch/pointer.c" -o "$scratch/pointer" $links; }
if fixed >"$scratch/log" 2>&1; then
  claim "also of a program at a fixed address that hands free on" says 10 preloaded "$scratch/pointer"
else
  skip "also of a program at a fixed address that hands free on" "it does not compile"
fi

cat >"$scratch/walkers.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include "qmckl_imitation.h"
#define ASKS(name) \
  __attribute__((noinline)) void* name(qmckl_context context, size_t size) { \
    qmckl_memory_info_struct info = {size, NULL}; \
    char* const block = qmckl_malloc(context, info); \
    if (block) memset(block, 1, size); \
    return block; \
  }
ASKS(provide_coordinates)
ASKS(normalize_basis)
ASKS(leave_after_an_error)
int main(void) {
  const qmckl_context context = qmckl_context_create();
  for (size_t walkers = 1; walkers < 100000; walkers *= 3) {
    free(provide_coordinates(context, walkers * 8 * 3 * 10));
    free(normalize_basis(context, 1000));
    free(leave_after_an_error(context, 64));
  }
  return qmckl_context_destroy(context);
}
END
client() { compiles -rdynamic "$scratch/walkers.c" -o "$scratch/$1" $2 -L"$built/tests/.libs" -lqmckl_imitation $3; }
lists_all() {
  CADASTRE_REPORT="$scratch/report.txt" CADASTRE_TRACE="$scratch/trace.csv"
  export CADASTRE_REPORT CADASTRE_TRACE
  "$@" || return 1
  unset CADASTRE_REPORT CADASTRE_TRACE
  for label in provide_coordinates normalize_basis leave_after_an_error; do
    sed -n '/label of blocks that free has freed/,/^$/p' "$scratch/report.txt" | grep -E "^ .* 11 +$label\$" || { cat "$scratch/report.txt"; return 1; }
  done
  "$CADASTRE" replay "$scratch/trace.csv" >"$scratch/replayed" 2>&1 || { cat "$scratch/replayed"; return 1; }
}
if client walkers "" "" >"$scratch/log" 2>&1; then
  claim "what QMCkl frees by free is listed by its function" lists_all preloaded "$scratch/walkers"
  client before "-Wl,--no-as-needed -L$built/.libs -lcadastre_qmckl" "" >"$scratch/log" 2>&1 &&
    claim "also where the program was linked with the adapter" lists_all "$scratch/before"
else
  skip "what QMCkl frees by free is listed by its function" "$(head -n 1 "$scratch/log")"
fi

command=$CADASTRE
tells() { "$@" 2>&1 | grep -q "a free of the program frees a block"; }
does_not_tell() { ! tells "$@"; }
claim "cadastre info says that a free is seen" tells preloaded "$command" info
claim "and not where it is not" does_not_tell "$command" info

for name in jemalloc tcmalloc tcmalloc_minimal mimalloc; do
  other=$(ldconfig -p 2>/dev/null | sed -n "s/.*lib$name\.so[^ ]* .*=> //p" | head -n 1)
  if [ -z "$other" ]; then
    skip "with $name behind the adapter, blocks are seen" "it is not installed"
    continue
  fi
  claim "with $name behind the adapter, blocks are seen" env LD_PRELOAD="$ours:$other" PLAIN_FREE=seen "$program"
  claim "with $name before it, contexts with the option take blocks from there" env LD_PRELOAD="$other:$ours" "$program"
done

cat >"$scratch/late.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <malloc.h>
#include <stdlib.h>
#include "cadastre.h"
int main(int count, char** arguments) {
  if (count > 1 && !dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL)) return fprintf(stderr, "%s\n", dlerror()), 2;
  const cadastre_context context = cadastre_context_create();
  if (cadastre_context_set_plain_free(context, 1) != CADASTRE_SUCCESS) return 3;
  for (size_t size = 1; size < 10000000; size = 2 * size + 1) {
    char* const block = cadastre_malloc_plain(context, size, 0, 0, "late");
    if (!block || malloc_usable_size(block) < size) return 4;
    block[0] = block[size - 1] = 1;
    free(block);
  }
  void* const kept = cadastre_malloc_plain(context, 1000, 0, 0, "kept");
  return cadastre_free(context, kept) == CADASTRE_SUCCESS ? 0 : 5;
}
END
if compiles "$scratch/late.c" -o "$scratch/late" $links ${DL_LIBS-} >"$scratch/log" 2>&1; then
  claim "a program that loads the adapter late frees blocks by the C library's free" "$scratch/late" "$ours"
  claim "and one that has no adapter does" "$scratch/late"
  group=$(if [ "$(id -u)" -eq 0 ]; then echo 65534; else id -G | tr ' ' '\n' | grep -vx "$(id -g)" | sed 1q; fi)
  set_group() { cp "$1" "$2" && chgrp "$group" "$2" && chmod 2755 "$2"; }
  if [ -n "$group" ] && set_group "$(command -v id)" "$scratch/id" && [ "$("$scratch/id" -g)" = "$group" ] &&
    compiles "$scratch/late.c" -o "$scratch/found" $links -Wl,-rpath,"$built/.libs" ${DL_LIBS-} && set_group "$scratch/found" "$scratch/set-id"; then
    claim "and a set-group-id program, for which nothing is preloaded" env LD_PRELOAD="$ours" "$scratch/set-id"
  else
    skip "and a set-group-id program, for which nothing is preloaded" "programs cannot be given another group here"
  fi
  if command -v valgrind >/dev/null; then
    claim "under valgrind, too" valgrind -q --error-exitcode=9 "$scratch/late"
    claim "and where the adapter is preloaded there" env LD_PRELOAD="$ours" valgrind -q --error-exitcode=9 "$scratch/late"
  else
    skip "under valgrind, too" "valgrind is not installed"
  fi
else
  skip "a program that loads the adapter late frees blocks by the C library's free" "$(head -n 1 "$scratch/log")"
fi
static() { [ -f "$built/.libs/libcadastre.a" ] && compiles -static "$scratch/late.c" -o "$scratch/static" "$built/.libs/libcadastre.a" -lstdc++ -lm -lpthread ${DL_LIBS-}; }
if static >"$scratch/log" 2>&1; then
  claim "so does a static program" "$scratch/static"
else
  skip "so does a static program" "it does not link statically"
fi

finish
