#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What compiled programs rely on is what abi/ says, and tools/abi finds what is not.
. "$(dirname "$0")/tap.sh"

command -v bash >/dev/null || skip_all "bash is not installed"
[ -x "$srcdir/tools/abi" ] && [ -d "$srcdir/abi" ] || skip_all "there is no tools/abi"
build=$(cd "${top_builddir:-.}" && pwd)

status=0
CC=${CC:-cc} "$srcdir/tools/abi" check "$build" >"$scratch/first" 2>&1 || status=$?
[ $status -ne 77 ] || skip_all "$(sed 's/^abi: //' "$scratch/first")"
as_committed() { cat "$scratch/first"; return $status; }
claim "headers and libraries offer what abi/ says, and no more" as_committed

# changed FILE SED: the headers with a change in one of them, and what is committed, to be renewed
changed() {
  rm -rf "$scratch/include" "$scratch/abi"
  cp -r "$srcdir/include" "$scratch/include"
  cp -r "$srcdir/abi" "$scratch/abi"
  rm -rf "$scratch/debian" && mkdir "$scratch/debian" && cp "$srcdir"/packaging/debian/*.symbols "$scratch/debian"
  chmod -R u+w "$scratch/include" "$scratch/abi" "$scratch/debian"
  sed -i "$2" "$scratch/include/$1"
  ! cmp -s "$srcdir/include/$1" "$scratch/include/$1" || { echo "nothing was changed"; exit 1; }
}
abi() {
  env CADASTRE_ABI="$scratch/abi" CADASTRE_ABI_INCLUDE="$scratch/include" CADASTRE_ABI_DEBIAN="$scratch/debian" "$srcdir/tools/abi" "$@" "$build"
}
breaks() { changed "$1" "$2" && refused 1 "programs that were compiled before would break" abi check; }
adds() {
  changed "$1" "$2" && refused 1 'commit the additions together with what "tools/abi renew" writes' abi check &&
    abi renew && abi check
}

claim "a removed function is found" \
  breaks cadastre.h '/^CADASTRE_API cadastre_exit_code cadastre_unlock/d'
nothing_is_written() { refused 1 "nothing was written" abi renew && diff -r "$srcdir/abi" "$scratch/abi"; }
claim "and tools/abi renew does not write it" nothing_is_written
claim "a structure with a field of another size is found" \
  breaks cadastre.h 's/^  char vendor_message\[128\];/  char vendor_message[160];/'
claim "a field in the middle of a structure is found" \
  breaks cadastre.h 's/^  int64_t reallocations;/  int64_t another; &/'
claim "the request does not even grow at its end" \
  breaks cadastre.h 's/^  uint32_t reserved\[9\];/& uint32_t more;/'
claim "a constant with another value is found" \
  breaks cadastre_vocabulary.h 's/^\(#define CADASTRE_OUT_OF_BOUNDS .*\) 107)/\1 113)/'
claim "a parameter of another type is found" \
  breaks cadastre.h 's/cadastre_context_set_timing(cadastre_context context, int on)/cadastre_context_set_timing(cadastre_context context, int64_t on)/'
claim "a type that becomes another is found" \
  breaks cadastre_workspace.h 's/^typedef int64_t cadastre_lease;/typedef int32_t cadastre_lease;/'
claim "a removed function of an adapter is found" \
  breaks cadastre_sundials.h 's/CADASTRE_API SUNMemoryHelper SUNMemoryHelper_Clone_Cadastre/SUNMemoryHelper SUNMemoryHelper_Clone_Cadastre/'

claim "a new function is accepted when abi/ is renewed, and not before" \
  adds cadastre.h 's/^CADASTRE_API cadastre_exit_code cadastre_unlock/CADASTRE_API int32_t cadastre_new_function(int32_t number);\n&/'
claim "a new constant is accepted when abi/ is renewed, and not before" \
  adds cadastre_vocabulary.h 's/^#define CADASTRE_HOST .*/&\n#define CADASTRE_NEW_CONSTANT 5/'
claim "a new field at the end of a structure is accepted when abi/ is renewed, and not before" \
  adds cadastre.h 's/^  int64_t trims; .*/& size_t more;/'

# What the libraries export is compared, and not only what the headers declare.
exports_less() {
  changed cadastre.h 's/^CADASTRE_API const char\* cadastre_get_version(void);/& /'
  echo "libcadastre.so.1 cadastre_once@@CADASTRE_1" >>"$scratch/abi/symbols"
  sort -o "$scratch/abi/symbols" "$scratch/abi/symbols"
  refused 1 "cadastre_once" abi check
}
claim "a symbol that the library no longer exports is found" exports_less
debian_lacks() {
  changed cadastre.h 's/^CADASTRE_API const char\* cadastre_get_version(void);/& /'
  list=$scratch/debian/libcadastre1.symbols
  sed -i '/cadastre_free@/d' "$list"
  refused 1 "these symbols are not in libcadastre1.symbols" abi check && refused 1 "cadastre_free@CADASTRE_1" abi check && abi renew && abi check &&
    grep -qE '^ cadastre_free@CADASTRE_1 [0-9.]+$' "$list" &&
    sed -i 's/^\( cadastre_free@CADASTRE_1 \)[0-9.]*$/\1'"$(sed -n 's/^ cadastre_free@CADASTRE_1 //p' "$srcdir/packaging/debian/libcadastre1.symbols")/" "$list" &&
    diff "$srcdir/packaging/debian/libcadastre1.symbols" "$list"
}
claim "so is one that Debian's file of symbols lacks, until that is renewed" debian_lacks
debian_has() {
  echo " cadastre_once@CADASTRE_1 0.1.0" >>"$scratch/debian/libcadastre1.symbols"
  refused 1 "these symbols of libcadastre1.symbols were removed" abi check && refused 1 "cadastre_once" abi check
}
claim "and one that is there alone" debian_has

explains() {
  "$srcdir/tools/abi" --help && refused 1 "tools/abi check [BUILD]" "$srcdir/tools/abi" && refused 77 "no shared library" "$srcdir/tools/abi" check "$scratch"
}
claim "tools/abi says how it is used" explains

# The kept programs.
kept=$srcdir/tests/kept
# offered FOLDER: functions and structures of the headers there
offered() {
  cat "$kept/$1"/*.h | tr '\n' ' ' | sed 's@/\*[^*]*\*\{1,\}\([^/*][^*]*\*\{1,\}\)*/@ @g' >"$scratch/kept"
  {
    tr ';' '\n' <"$scratch/kept" | sed -n 's/.*CADASTRE_API [^(]*[ *]\([A-Za-z0-9_]\{1,\}\) *(.*/\1/p'
    grep -o 'cadastre_[a-z_]*_struct_zero' "$scratch/kept"
  } | sort -u
}
offered include >"$scratch/offered_0.1"
offered include_0.2 >"$scratch/offered_0.2"
comm -13 "$scratch/offered_0.1" "$scratch/offered_0.2" >"$scratch/added_0.2"
# uses_all PROGRAM LIST LEAST: a program uses each name of a list, which has so many or more
uses_all() {
  [ "$(wc -l <"$2")" -ge "$3" ] || return 1
  status=0
  while read -r name; do
    grep -q "[^a-z_]${name}[^a-z_]" "$kept/$1" || { echo "$name is not used"; status=1; }
  done <"$2"
  return $status
}
claim "the kept program of version 0.1 uses every function and structure of its headers" uses_all program_0.1.c "$scratch/offered_0.1" 61
claim "that of 0.2 uses those that were added" uses_all program_0.2.c "$scratch/added_0.2" 13
nothing_is_gone() { comm -23 "$scratch/offered_0.1" "$scratch/offered_0.2" >"$scratch/gone" && cat "$scratch/gone" && [ ! -s "$scratch/gone" ]; }
claim "and its headers have all that those of 0.1 have" nothing_is_gone

finish
