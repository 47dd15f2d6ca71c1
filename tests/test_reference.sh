#!/bin/sh
# Tangled from org/tests/reference_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The public text: Doxygen reads it without a warning, each function has its page, examples run.
. "$(dirname "$0")/tap.sh"

headers="$srcdir/include/cadastre.h $srcdir/include/cadastre_workspace.h $srcdir/include/cadastre_vocabulary.h"
adapters="$srcdir/include/cadastre_sundials.h $srcdir/include/cadastre_mpi.h $srcdir/include/cadastre_qmckl.h $srcdir/include/cadastre_qmckl_gpu.h"
pages=$scratch/man3

doxygen_reads() {
  (cat Doxyfile && echo "OUTPUT_DIRECTORY = $scratch/doxygen") >"$scratch/Doxyfile" && mkdir "$scratch/doxygen" &&
    doxygen "$scratch/Doxyfile"
}
# The C++ header has one text for several overloads, and says only what differs from C.
doxygen_reads_cxx() {
  {
    sed '/^EXCLUDE_SYMBOLS/,/[^\\]$/d' Doxyfile
    echo "INPUT = include/cadastre.hpp"
    echo "EXCLUDE_SYMBOLS = cadastre::detail*"
    echo "EXTRACT_ALL = YES"
    echo "OPTIMIZE_OUTPUT_FOR_C = NO"
    echo "WARN_NO_PARAMDOC = NO"
    echo "OUTPUT_DIRECTORY = $scratch/doxygen_cxx"
  } >"$scratch/Doxyfile" && mkdir "$scratch/doxygen_cxx" && doxygen "$scratch/Doxyfile"
}
sentence="Doxygen reads the public headers of C without a warning"
sentence_cxx="Doxygen reads the C++ header without a warning"
if command -v doxygen >/dev/null; then
  here=$PWD
  cd "$srcdir" || exit 1
  claim "$sentence" doxygen_reads
  claim "$sentence_cxx" doxygen_reads_cxx
  cd "$here" || exit 1
else
  skip "$sentence" "doxygen is not installed"
  skip "$sentence_cxx" "doxygen is not installed"
fi

# shellcheck disable=SC2086  # lists of files
claim "the pages of the manual are written" "$srcdir/tools/man-pages" 1.2.3 "$pages" $headers $adapters

# What a header declares, with a comment or without.
each_has_a_page() {
  # shellcheck disable=SC2086
  cat $headers "$srcdir/include/cadastre_sundials.h" "$srcdir/include/cadastre_mpi.h" |
    sed -n 's/^CADASTRE_API [^(]*[ *]\([A-Za-z_0-9]*\)(.*/\1/p; s/^} \(cadastre_[a-z_0-9]*\);/\1/p' >"$scratch/names"
  [ "$(wc -l <"$scratch/names")" -gt 70 ] || { echo "only $(wc -l <"$scratch/names") names"; return 1; }
  while read -r name; do
    [ -s "$pages/$name.3" ] || { echo "$name has no page"; return 1; }
  done <"$scratch/names"
}
claim "each function and each structure has its page" each_has_a_page

links_lead_somewhere() {
  for page in "$pages"/*.3; do
    target=$(sed -n 's/^\.so man3\///p' "$page")
    [ -z "$target" ] || grep -q '^\.TH' "$pages/$target" || { echo "$page leads to $target"; return 1; }
    sed -n '/^\.SH SEE ALSO/,$s/.*fB\([A-Za-z_0-9]*\)\\fP(3).*/\1/p' "$page" >"$scratch/also"
    while read -r also; do
      [ -s "$pages/$also.3" ] || { echo "$page refers to $also"; return 1; }
    done <"$scratch/also"
  done
}
claim "links and references between pages lead to pages" links_lead_somewhere

# Each page of a function that returns an exit code says which: itself, or by the function that it is like.
has_results() {
  for page in $(grep -l '^.fBcadastre_exit_code cadastre_[a-z_]*(' "$pages"/*.3); do
    grep -q '^\.SH RETURN VALUE' "$page" && grep -q '^\.SH ATTRIBUTES' "$page" || { echo "$page lacks its result"; return 1; }
    grep -q 'CADASTRE_INVALID\|as .*(3)\|as .*()' "$page" || { echo "$page lists no exit code"; return 1; }
  done
}
claim "each page of a function has its exit codes and attributes" has_results

typeset_without_warning() {
  status=0
  for page in "$pages"/*.3; do
    grep -q '^\.so' "$page" || groff -man -ww -z -Tutf8 "$page" >"$scratch/groff" 2>&1 && [ ! -s "$scratch/groff" ] || {
      echo "$page:"
      cat "$scratch/groff"
      status=1
    }
    : >"$scratch/groff"
  done
  return $status
}
: >"$scratch/groff"
sentence="groff typesets each page without a warning"
if command -v groff >/dev/null; then
  claim "$sentence" typeset_without_warning
else
  skip "$sentence" "groff is not installed"
fi

# No page has a date, so that a build can be repeated.
mandoc_says() {
  for page in "$pages"/*.3; do
    grep -q '^\.so' "$page" || mandoc -T lint -W warning "$page"
  done | grep -v 'missing date'
}
mandoc_has_nothing_to_say() { ! mandoc_says; }
sentence="mandoc has no warning on a page"
if command -v mandoc >/dev/null; then
  claim "$sentence" mandoc_has_nothing_to_say
else
  skip "$sentence" "mandoc is not installed"
fi

form_is_checked() {
  printf '/** Does it.\n *\n * @parm x  a number */\nint cadastre_f(int x);\n' >"$scratch/wrong.h"
  refused 1 "an unknown command @parm" "$srcdir/tools/man-pages" 1.2.3 "$scratch/wrong" "$scratch/wrong.h"
}
claim "a comment of another form is refused" form_is_checked

# The examples, each a function.
write_examples() {
  cat <<'END'
#include <cadastre.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t arena_allocate(void* content, const cadastre_memory_info_struct* request, cadastre_queue queue, void** pointer) {
  (void) content, (void) queue;
  *pointer = malloc(request->size + 1);
  return *pointer == NULL;
}
static int32_t arena_free(void* content, const cadastre_memory_info_struct* block) {
  (void) content;
  free(block->pointer);
  return 0;
}
static int32_t arena_copy(void* content, void* dest, const cadastre_memory_info_struct* dest_place, const void* src,
                          const cadastre_memory_info_struct* src_place, size_t size, cadastre_queue queue) {
  (void) content, (void) dest_place, (void) src_place, (void) queue;
  memcpy(dest, src, size);
  return 0;
}
static int32_t arena_set(void* content, void* dest, const cadastre_memory_info_struct* place, int value, size_t size,
                         cadastre_queue queue) {
  (void) content, (void) place, (void) queue;
  memset(dest, value, size);
  return 0;
}
#define to_other_process stderr
static int cache;
static int drop_oldest(const cadastre_out_of_memory_struct* request, void* of) {
  return request->type == CADASTRE_DEVICE && of != &cache;
}
END
  # shellcheck disable=SC2086
  awk '
    /^ \* @endcode/ && inside {
      argument = text ~ /cadastre_context context =/ ? "given" : "context"
      print "static cadastre_exit_code example_" ++n "(cadastre_context " argument ") {"
      print "  (void) " argument ";\n" text "  return CADASTRE_SUCCESS;\n}"
      inside = 0
    }
    inside { sub(/^ \* ?/, ""); text = text "  " $0 "\n" }
    /^ \* @code/ { text = ""; inside = 1 }
    END {
      print "int main(void) {\n  cadastre_exit_code code;\n  cadastre_context context = cadastre_context_create();"
      for (i = 1; i <= n; i++)
        print "  code = example_" i "(context);\n" \
          "  if (code != CADASTRE_SUCCESS) return printf(\"example " i ": %s\\n\", cadastre_string_of_error(code)), 1;"
      print "  return cadastre_context_destroy(context) == CADASTRE_SUCCESS && " n " >= 9 ? 0 : 1;\n}"
    }' $headers
}
examples_run() {
  write_examples >"$scratch/examples.c" || return 1
  # shellcheck disable=SC2086
  $CC $CFLAGS -Wall -Wno-unused -Werror -I"$srcdir/include" -o "$scratch/examples" "$scratch/examples.c" "$TEST_LIBRARY" \
    -Wl,-rpath,"$(dirname "$TEST_LIBRARY")" $LDFLAGS &&
    CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 "$scratch/examples"
}
sentence="the examples of the headers compile and run"
if [ -f "${TEST_LIBRARY-}" ]; then
  claim "$sentence" examples_run
else
  skip "$sentence" "no shared library was built"
fi

finish
