#!/bin/sh
# Tangled from org/tests/static_program_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-License-Identifier: BSD-3-Clause
# A program that is linked statically: contexts, traces that are joined, reports on occasions, a black box; and vendors' libraries.
. "$(dirname "$0")/tap.sh"

objects=$(cd "${top_builddir:-.}" && pwd)/.libs/libcadastre_core.a
[ -f "$objects" ] || skip_all "$objects was not built"
cat >"$scratch/program.c" <<'END'
#include <cadastre.h>
#include <stdio.h>
int main(void) {
  const cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  cadastre_backend_info_struct backend = cadastre_backend_info_struct_zero;
  int i;
  info.size = 100000;
  info.label = "field";
  for (i = 0; i < 100; ++i) {
    if (!cadastre_malloc(context, info)) return 1;
  }
  cadastre_set_limit(context, CADASTRE_HOST, 1000);
  if (cadastre_malloc(context, info)) return 2;
  cadastre_backend_get_info(CADASTRE_BACKEND_CUDA, &backend);
  printf("%s\n", backend.problem);
  return cadastre_context_destroy(context);
}
END
built() {
  $CC ${CFLAGS-} $1 -I"$srcdir/include" "$scratch/program.c" "$objects" ${CXX_RUNTIME_LIBS--lstdc++} -lm -ldl -lpthread -o "$scratch/program$1"
}
built -static >"$scratch/linking" 2>&1 || skip_all "no program can be linked statically here: $(grep -v warning "$scratch/linking" | tail -n 1)"

echo 'int nothing(void) { return 0; }' >"$scratch/library.c"
$CC -shared -fPIC "$scratch/library.c" -Wl,-z,execstack -o "$scratch/library.so"
# Of a vendor's library, only one is named, so that those of this machine do not matter.
run() { env -u CADASTRE_BACKEND CADASTRE_HIP_LIBRARY=/nowhere CADASTRE_CUDA_LIBRARY="$scratch/library.so" "$@"; }
opens_no_library() {
  run "$scratch/program$1" >"$scratch/why" || return 1
  cat "$scratch/why"
  grep -q '^this program is linked statically' "$scratch/why"
}
diagnoses() {
  mkdir -p "$scratch/here$1" && cd "$scratch/here$1" || return 1
  for log in first second; do
    run env CADASTRE_LOG_FILE="../$log" CADASTRE_TRACE=run.%h.trace CADASTRE_TRACE_JOIN=on CADASTRE_REPORT=reports CADASTRE_REPORT_ON=refused,exit CADASTRE_BLACKBOX=. \
      "$scratch/program$1" || return 1
  done
  ls -A
  [ "$(ls -A | wc -l)" -eq 2 ] && [ "$(grep -c '^Cadastre.*report: ' reports)" -eq 2 ] && "$CADASTRE" report ./run.*.trace >../report &&
    cat ../report && grep -q '^2 traces$' ../report
}
for how in -static -static-pie; do
  if built $how >"$scratch/linking" 2>&1; then
    claim "$how: a program runs, and its backends say why no library was opened" opens_no_library $how
    if [ -x "${CADASTRE-}" ]; then
      claim "$how: traces are joined, reports written, and the black box goes at the end" diagnoses $how
    else
      skip "$how: traces are joined, reports written, and the black box goes at the end" "the command was not built"
    fi
  else
    skip "$how: a program runs" "nothing can be linked so here"
  fi
done
built '' >"$scratch/linking" 2>&1
says_another_reason() { run "$scratch/program" >"$scratch/why" && cat "$scratch/why" && ! grep -q 'linked statically' "$scratch/why"; }
claim "a program with a shared C library opens what is named" says_another_reason
finish
