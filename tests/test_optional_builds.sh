#!/bin/sh
# Tangled from org/tests/optional_build_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# cadastre_optional.h says what cadastre.h says, draws no warning, and works with Cadastre and without; configure and CMake
# choose. What is linked is what tests/test_installed.sh installed.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
source=$(cd "$srcdir" && pwd)
CC=${CC:-cc}
CXX=${CXX:-c++}
warnings="-Wall -Wextra -Wpedantic -Wunused -Wshadow -Wconversion -Wundef -Werror"

# --- warnings

compiles() { "$@" $warnings "-I$source/include" -c "$scratch/included.$suffix" -o "$scratch/included.o"; }
printf '#include "cadastre_optional.h"\nint used(void);\nint used(void) { return CADASTRE_SUCCESS; }\n' >"$scratch/included.c"
cp "$scratch/included.c" "$scratch/included.cpp"
# others_than COMPILER NAME...: it, and those of the names that are installed and that it is not
others_than() {
  echo "$1"
  known=$1
  shift
  for name; do
    case " $known " in *" $name "*) ;; *) command -v "$name" || true ;; esac
  done
}
others_than "$CC" gcc clang >"$scratch/c"
others_than "$CXX" g++ clang++ >"$scratch/cxx"
while read -r compiler; do
  suffix=c
  claim "no warning of $compiler -std=c99" compiles $compiler -std=c99
  claim "nor of -std=c11" compiles $compiler -std=c11
  claim "none with Cadastre" compiles $compiler -std=c99 -DCADASTRE_OPTIONAL_WITH_CADASTRE=1
done <"$scratch/c"
while read -r compiler; do
  suffix=cpp
  claim "no warning of $compiler -std=c++11" compiles $compiler -std=c++11
  claim "nor of -std=c++17" compiles $compiler -std=c++17
  claim "none without exceptions, in C++20" compiles $compiler -std=c++20 -fno-exceptions -fno-rtti
done <"$scratch/cxx"
suffix=c
claim "a macro of 0 means without" compiles $CC -std=c99 -DCADASTRE_OPTIONAL_WITH_CADASTRE=0
printf '#include "cadastre.h"\n#include "cadastre_optional.h"\n' >"$scratch/included.c"
claim "to include both headers is an error that says so" \
  refused 1 "define the same names: include one of them" compiles $CC -std=c99

# --- the same names

macros() {
  echo "#include \"$1\"" | $CC "-I$source/include" -E -dM -x c - | grep '^#define CADASTRE_' |
    grep -v '^#define CADASTRE_\(API\|H\|VOCABULARY_H\|WORKSPACE_H\|OPTIONAL_[A-Z_]*\)\( \|$\)' | sort
}
# Without comments and preprocessor lines, one declaration on a line.
one_line() {
  cat "$@" | sed '/^ *#/{:more
    /\\$/{N
      b more
    }
    d
  }' | tr -s '\n ' '  ' | sed -E 's@/\*([^*]|\*+[^*/])*\*+/@@g; s@([;{}]) *@\1\n@g' | tr -s ' '
}
structs() { one_line "$@" | tr -d '\n' | grep -oE '(typedef [^;{]*;|typedef struct [a-z_]* \{[^}]*\}[^;]*;|static const cadastre_[^;]*;)' | sort -u; }
same() { [ -s "$scratch/$1.real" ] && diff "$scratch/$1.real" "$scratch/$1.optional"; }
headers="$source/include/cadastre.h $source/include/cadastre_vocabulary.h $source/include/cadastre_workspace.h"
macros cadastre.h >"$scratch/macros.real"
macros cadastre_optional.h >"$scratch/macros.optional"
claim "its constants are those of cadastre.h" same macros
structs $headers >"$scratch/types.real"
structs "$source/include/cadastre_optional.h" >"$scratch/types.optional"
claim "and so are its types and initializers" same types
one_line $headers | sed -n 's/^.*CADASTRE_API \(.*\);$/\1/p' | sort >"$scratch/functions.real"
one_line "$source/include/cadastre_optional.h" | sed -n 's/^.*static inline \(.*cadastre_.*)\) *[;{]$/\1/p' |
  grep -v ' \**cadastre_optional_' | sort -u >"$scratch/functions.optional"
declares() {
  [ "$(wc -l <"$scratch/functions.real")" -gt 60 ] &&
    ! comm -23 "$scratch/functions.real" "$scratch/functions.optional" | grep .
}
claim "it has every function of cadastre.h, with its arguments" declares

# --- the installed library, as test_installed.sh knows it

root=$build/tests/installed
pc=$(find "$root" -name cadastre.pc 2>/dev/null)
[ -n "$pc" ] || { echo "# cadastre.pc was not installed"; claims=$((claims + 1)); echo "not ok $claims - it is installed"; finish; exit 1; }
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR PKG_CONFIG_PATH || true
libdir=$(dirname "$(dirname "$pc")")
prefix=$(dirname "$libdir")
[ -f "$prefix/include/cadastre.h" ] || prefix=$(dirname "$prefix")
PKG_CONFIG_LIBDIR=$scratch/nothing
PKG_CONFIG_SYSROOT_DIR=$root
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
if [ ! -f "$libdir/libcadastre.so" ]; then
  skip "what is built with Cadastre does what is done without it" "no shared library was built"
  finish
  exit 0
fi
with_library() { LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }

# --- one program, both ways

# prints WAY OPTION...: what the program prints, without what differs: addresses, handles, and a failure before
prints() {
  way=$1
  shift
  $CC ${CFLAGS-} -std=c99 -Wall -Wextra -Werror -pthread "$@" "-I$prefix/include" "$source/tests/optional_program.c" \
    -o "$scratch/program_$way" ${LDFLAGS-} $libraries &&
    with_library "$scratch/program_$way" >"$scratch/printed" &&
    sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/-?[0-9]{15,}/NUMBER/g; s/; before, .*//' "$scratch/printed" >"$scratch/prints.$way"
}
both_the_same() {
  libraries= && prints optional && libraries="-L$libdir -lcadastre" && prints real -DCADASTRE_OPTIONAL_WITH_CADASTRE || return 1
  [ "$(wc -l <"$scratch/prints.real")" -gt 600 ] || { echo "the program prints too little"; return 1; }
  ! grep '[^A-Z_]NOT \|MISALIGNED\|TWICE\|THE SAME\|ANOTHER \| LIMITED$' "$scratch/prints.real" && same prints
}
claim "exit codes, reasons and messages are the same with Cadastre and without" both_the_same
independent() { ! ldd "$scratch/program_optional" | grep cadastre && ldd "$scratch/program_real" | grep cadastre; }
claim "what is built without does not need the library" independent
sanitized() {
  $CC -std=c99 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -pthread "-I$prefix/include" \
    "$source/tests/optional_program.c" -o "$scratch/sanitized" && "$scratch/sanitized" >"$scratch/printed" &&
    [ "$(wc -l <"$scratch/printed")" -gt 400 ]
}
sentence="and sanitizers find nothing"
printf 'int main(void) { return 0; }\n' >"$scratch/empty.c"
if [ -z "${LD_PRELOAD-}" ] && $CC -fsanitize=address,undefined "$scratch/empty.c" -o "$scratch/empty" >"$scratch/said" 2>&1 && "$scratch/empty"; then
  claim "$sentence" sanitized
else
  skip "$sentence" "the compiler has no sanitizers here"
fi
shares_nothing() {
  for one in first second; do
    printf '#include "cadastre_optional.h"\ncadastre_context %s_create(void);\nint %s_knows(cadastre_context c);\n' $one $one
    printf 'cadastre_context %s_create(void) { return cadastre_context_create(); }\n' $one
    printf 'int %s_knows(cadastre_context c) { return cadastre_context_check(c) != 0; }\n' $one
  done >"$scratch/both.c"
  for one in first second; do
    { echo '#include "cadastre_optional.h"'; grep "${one}_" "$scratch/both.c"; } >"$scratch/$one.c"
    $CC ${CFLAGS-} -std=c99 -fPIC -shared -pthread "-I$prefix/include" "$scratch/$one.c" ${LDFLAGS-} -o "$scratch/lib$one.so" || return 1
    ! nm -D --defined-only "$scratch/lib$one.so" | grep 'cadastre_' || return 1
  done
  cat >"$scratch/uses_both.c" <<'END'
#include <cadastre.h>
cadastre_context first_create(void), second_create(void);
int first_knows(cadastre_context), second_knows(cadastre_context);
int main(void) {
  const cadastre_context first = first_create(), second = second_create(), real = cadastre_context_create();
  if (!first || !second || !real || first == second) return 1;
  if (!first_knows(first) || !second_knows(second)) return 2;
  if (first_knows(second) || second_knows(first) || first_knows(real) || second_knows(real)) return 3;
  if (cadastre_context_destroy(first) != CADASTRE_INVALID_CONTEXT) return 4;
  return cadastre_context_destroy(real);
}
END
  $CC ${CFLAGS-} -std=c99 "-I$prefix/include" "$scratch/uses_both.c" "-L$scratch" -lfirst -lsecond "-L$libdir" -lcadastre \
    ${LDFLAGS-} "-Wl,-rpath,$scratch" -o "$scratch/uses_both" && with_library "$scratch/uses_both"
}
claim "two libraries without Cadastre share nothing with each other, nor with a program that uses it" shares_nothing

# --- the example, as its author has it

example=$scratch/example
mkdir -p "$example/m4"
cp "$source"/examples/optional/* "$prefix/include/cadastre_optional.h" "$example"
cp "$(find "$root" -name CadastreOptional.cmake)" "$example"
cp "$(find "$root" -name cadastre_optional.m4)" "$example/m4"
touch "$example/NEWS"
results='1000 numbers: 0 1 3.33333 ... 9
on a device: no
cadastre_realloc: 18446744073709551615 bytes exceed the largest possible allocation, which is 9223372036854775807 bytes; request less'
gives() {
  said=$(with_library env CADASTRE_BACKEND=host "$1/program") && [ "$said" = "$results" ] || { echo "$said"; return 1; }
}
reports() { with_library "$1/program" report | grep -q '^HOST  ' || { with_library "$1/program" report; return 1; }; }
reports_nothing() { "$1/program" report | grep 'cadastre_report: this function needs Cadastre, and the caller was built without it'; }
uses() { ldd "$1/program" | grep libcadastre; }
uses_none() { ! uses "$1"; }

# configured FOLDER OPTION..., and built_by_make, which also runs make
configured() {
  folder=$scratch/$1
  mkdir -p "$folder"
  shift
  [ ! -f "$scratch/cache" ] || sed -i '/^ac_cv_env_/d' "$scratch/cache"
  (cd "$folder" && "$example/configure" CC="$CC" CFLAGS="${CFLAGS-} -std=c99 -Wall -Wextra -Werror" LDFLAGS="${LDFLAGS-}" \
    --cache-file="$scratch/cache" "$@")
}
built_by_make() { configured "$@" && (cd "$folder" && make); }
takes() { configured "$@" && grep '^CADASTRE_REQUIRES = cadastre$' "$folder/Makefile" && grep '^CADASTRE_CFLAGS = .*-DCADASTRE_OPTIONAL_WITH_CADASTRE=1' "$folder/Makefile"; }
takes_none() { configured "$@" && grep '^CADASTRE_LIBS = -pthread$' "$folder/Makefile" && ! grep DCADASTRE_OPTIONAL "$folder/Makefile"; }
try_autoreconf() { (cd "$example" && autoreconf --install); }
if command -v autoreconf >/dev/null && command -v automake >/dev/null; then
  claim "autoreconf makes a configure of the macro" try_autoreconf
  claim "configure without Cadastre builds the example on malloc" built_by_make make_without --without-cadastre
  claim "it works" gives "$scratch/make_without"
  claim "it says that there is no report" reports_nothing "$scratch/make_without"
  claim "it needs no library" uses_none "$scratch/make_without"
  claim "configure builds it with Cadastre in a folder that it is told" built_by_make make_with --with-cadastre="$prefix"
  claim "it gives the same" gives "$scratch/make_with"
  claim "it reports" reports "$scratch/make_with"
  claim "it uses the library" uses "$scratch/make_with"
  claim "configure that is told nothing does without what is not there" takes_none make_other
  claim "Cadastre that has to be there and is not is an error that says what to do" \
    refused 1 "Set PKG_CONFIG_PATH to the folder that contains cadastre.pc" configured make_other --with-cadastre
  claim "so is a folder where it is not" \
    refused 1 "--with-cadastre=/nowhere: pkg-config does not find it" configured make_other --with-cadastre=/nowhere
  mkdir "$scratch/broken" && sed 's/-lcadastre/-lcadastre_of_another_machine/' "$pc" >"$scratch/broken/cadastre.pc"
  claim "one that does not link is not taken" takes_none make_other PKG_CONFIG_PATH="$scratch/broken"
  PKG_CONFIG_PATH=$(dirname "$pc")
  export PKG_CONFIG_PATH
  claim "configure that is told nothing uses what pkg-config finds" takes make_other
  unset PKG_CONFIG_PATH
else
  skip "configure chooses" "the Autotools are not installed"
fi

# built_by_cmake FOLDER OPTION...
cmake=${CMAKE:-cmake}
built_by_cmake() {
  folder=$scratch/$1
  shift
  env CC="$CC" CFLAGS="${CFLAGS-}" LDFLAGS="${LDFLAGS-}" "$cmake" -S "$example" -B "$folder" \
    -DCMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY=OFF "$@" >"$scratch/configured" 2>&1 || { tr -s ' \n' ' ' <"$scratch/configured"; return 1; }
  "$cmake" --build "$folder"
}
if "$cmake" --version >/dev/null 2>&1; then
  claim "CMake without Cadastre builds the example on malloc" built_by_cmake cmake_without -DWITH_CADASTRE=OFF -DCMAKE_PREFIX_PATH="$prefix"
  claim "it works with the same results" gives "$scratch/cmake_without"
  claim "it needs no library" uses_none "$scratch/cmake_without"
  claim "CMake builds it with Cadastre in a folder that it is told" built_by_cmake cmake_with -DWITH_CADASTRE="$prefix"
  claim "it gives the same" gives "$scratch/cmake_with"
  claim "it uses the library" uses "$scratch/cmake_with"
  # In a folder that is configured already, the compiler is not tried again.
  claim "CMake that is told nothing uses what it finds" \
    built_by_cmake cmake_without -DWITH_CADASTRE=AUTO -DCMAKE_PREFIX_PATH="$prefix"
  claim "the example uses it then" uses "$scratch/cmake_without"
  claim "a folder where it is not is an error" refused 1 "Cadastre" built_by_cmake cmake_with -DWITH_CADASTRE=/nowhere
else
  skip "CMake chooses" "cmake is not installed"
fi
finish
