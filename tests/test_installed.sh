#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is installed serves a program that knows nothing but pkg-config.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
root=$build/tests/installed  # it stays, for the test of another build system
rm -rf "$root"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES || true

# Installed under a root of its own; pkg-config is told to look there.
install_all() { make -C "$build" install DESTDIR="$root"; }
claim "make install works, with DESTDIR" install_all

# By name, and by the name of a function that shares a page.
pages_are_installed() {
  for page in cadastre_malloc cadastre_memcpy_async cadastre_workspace_release cadastre_error_struct; do
    [ -n "$(find "$root" -path "*/man3/$page.3")" ] || { echo "$page(3) was not installed"; return 1; }
  done
}
claim "the manual has pages of functions and structures" pages_are_installed

pc=$(find "$root" -name cadastre.pc)
[ -n "$pc" ] || { echo "# cadastre.pc was not installed"; finish; exit 1; }
PKG_CONFIG_LIBDIR=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$root
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
unset PKG_CONFIG_PATH || true
libdir=$(dirname "$PKG_CONFIG_LIBDIR")
pkg_config=${PKG_CONFIG:-pkg-config}
"$pkg_config" --version >/dev/null 2>&1 || {
  skip "what is installed serves a program that knows nothing but pkg-config" "pkg-config is not installed"
  finish
  exit 0
}
CC=${CC:-cc}
CXX=${CXX:-c++}

cat >"$scratch/consumer.c" <<'END'
#include <cadastre.h>

int main(void)
{
  cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  double* x;
  info.size = 10 * sizeof(double);
  x = cadastre_malloc(context, info);
  if (x == NULL || x[9] != 0.0) return 1;
  if (cadastre_free(context, x) != CADASTRE_SUCCESS) return 2;
  return cadastre_context_destroy(context) == CADASTRE_SUCCESS ? 0 : 3;
}
END
cat >"$scratch/consumer.cpp" <<'END'
#include <cadastre.hpp>

int main()
{
  cadastre::context context;
  auto x = context.allocate<double>(10);
  if (x[9] != 0.0) return 1;
  if (x.reset() != CADASTRE_SUCCESS) return 2;
  return context.destroy().live_blocks == 0 ? 0 : 3;
}
END
cat >"$scratch/consumer.f90" <<'END'
program consumer
  use, intrinsic :: iso_c_binding
  use cadastre
  implicit none
  integer(c_int64_t) :: context
  real(c_double), pointer :: a(:,:)
  integer(c_int32_t) :: status
  context = cadastre_context_create()
  call cadastre_allocate(context, a, [3_c_int64_t, 4_c_int64_t], stat=status)
  if (status /= CADASTRE_SUCCESS) error stop 1
  if (size(a) /= 12) error stop 2
  call cadastre_deallocate(context, a, stat=status)
  if (status /= CADASTRE_SUCCESS) error stop 3
  if (cadastre_context_destroy(context) /= CADASTRE_SUCCESS) error stop 4
end program
END

# compile LANGUAGE PACKAGE [--static]: what a user would type
compile() {
  flags=$("$pkg_config" --cflags "$2") && libs=$("$pkg_config" --libs ${3-} "$2") || return 1
  case $1 in
    c) set -- $CC ${CFLAGS-} -std=c99 -pedantic-errors -Wall -Wextra -Werror $flags "$scratch/consumer.c" ;;
    c++) set -- $CXX ${CXXFLAGS-} -std=c++17 -pedantic-errors -Wall -Wextra -Werror $flags "$scratch/consumer.cpp" ;;
    fortran) set -- $FC ${FCFLAGS-} $flags "$scratch/consumer.f90" ;;
  esac
  rm -f "$scratch/consumer"
  echo "$@" -o "$scratch/consumer" ${LDFLAGS-} $libs
  "$@" -o "$scratch/consumer" ${LDFLAGS-} $libs
}
runs_shared() { compile "$@" && LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$scratch/consumer"; }
runs_static() { compile "$@" --static && "$scratch/consumer"; }

languages="c c++"
package() { case $1 in fortran) echo cadastre-fortran ;; *) echo cadastre ;; esac; }
if [ -f "$PKG_CONFIG_LIBDIR/cadastre-fortran.pc" ]; then
  languages="$languages fortran"
else
  skip "a Fortran program compiles, links and runs" "the Fortran module was not built"
fi

for language in $languages; do
  sentence="a $language program compiles, links to the shared library and runs"
  if [ -f "$libdir/libcadastre.so" ]; then
    claim "$sentence" runs_shared $language "$(package $language)"
  else
    skip "$sentence" "no shared library was built"
  fi
done

# The loader says so when it does not find what is to be preloaded.
preloads_by_name() {
  said=$(env LD_LIBRARY_PATH="$libdir" LD_PRELOAD=libcadastre_qmckl.so /bin/true 2>&1) && [ -z "$said" ] || {
    echo "$said"
    return 1
  }
}
sentence="the drop-in for QMCkl is preloaded by its name"
case ${CXXFLAGS-} in
  *-fsanitize*) skip "$sentence" "a sanitizer's runtime must come first" ;;
  *)
    if [ -f "$libdir/libcadastre.so" ]; then
      claim "$sentence" preloads_by_name
    else
      skip "$sentence" "no shared library was built"
    fi ;;
esac

# Where the dynamic linker looks by itself, a path in a file would be one too many.
relative=$(sed -n 's/^BIN_RUNPATH_LDFLAGS = *//p' "$build/Makefile")
command=$(find "$root" -path '*/bin/cadastre')
runpaths() {
  for file in "$command" "$libdir"/libcadastre.so "$libdir"/libcadastre_fortran.so "$libdir"/libcadastre_qmckl.so; do
    [ ! -f "$file" ] || readelf -d "$file" | grep -E 'R(UN)?PATH'
  done
}
moved_runs() {
  mv "$root" "$scratch/moved" && status=0
  env -u LD_LIBRARY_PATH "$scratch/moved${command#"$root"}" --version || status=1
  for library in "$scratch/moved${libdir#"$root"}"/libcadastre_*.so; do
    env -u LD_LIBRARY_PATH ldd "$library" | grep 'libcadastre\.so.*not found' && status=1
  done
  mv "$scratch/moved" "$root" && [ $status -eq 0 ]
}
no_runpath() { ! runpaths; }
sentence="the installed command and libraries find the library, moved to any folder"
if [ -z "$command" ] || [ ! -f "$libdir/libcadastre.so" ]; then
  skip "$sentence" "no command, or no shared library, was built"
elif [ -z "$relative" ]; then
  claim "what is installed where the dynamic linker looks has no run-time path" no_runpath
else
  claim "$sentence" moved_runs
fi
no_absolute_runpath() { ! runpaths | grep -F "$build"; }
[ ! -f "$libdir/libcadastre.so" ] || claim "no installed file looks for libraries in the build folder" no_absolute_runpath

documents() {
  for name in LICENSE README.org CONTRIBUTING.org NEWS doc/guides/gpu.org examples/distance_matrix.c examples/triangular_solve.F90 examples/README.org; do
    [ -f "$root$docdir/$name" ] || { echo "$docdir/$name was not installed"; return 1; }
  done
}
docdir=$(dirname "$(find "$root" -name LICENSE)")
docdir=${docdir#"$root"}
claim "the licence, README and examples are installed" documents

# The table of packages has a row for each file.
packages_are_told() {
  prefix=$(dirname "$(dirname "$(find "$root" -name cadastre.h)")")
  find "$root" ! -type d | sed "s,^$libdir/,lib/,; s,^$prefix/,," >"$scratch/files"
  awk -F ' *[|] *' '/^#\+name: packages/ { inside = 1 } !NF { inside = 0 } inside && $3 ~ /\// { print $3 }' \
    "$srcdir/doc/guides/packaging.org" | tr ' ' '\n' >"$scratch/patterns"
  grep -q . "$scratch/patterns" || { echo "there is no table"; return 1; }
  while read -r file; do
    found=no
    while read -r pattern; do
      # shellcheck disable=SC2254  # a pattern
      case $file in $pattern) found=yes ;; esac
    done <"$scratch/patterns"
    [ $found = yes ] || { echo "no package has $file"; return 1; }
  done <"$scratch/files"
}
claim "the guide for packagers has a package for each file that is installed" packages_are_told

# The linker prefers the shared library, so that one has to go.
mkdir "$scratch/shared"
mv "$libdir"/libcadastre*.so* "$scratch/shared"
for language in $languages; do
  sentence="a $language program compiles, links to the static library and runs"
  if [ -f "$libdir/libcadastre.a" ]; then
    claim "$sentence" runs_static $language "$(package $language)"
  else
    skip "$sentence" "no static library was built"
  fi
done

mv "$scratch/shared"/* "$libdir"

version_is_known() {
  [ "$("$pkg_config" --modversion cadastre)" = "$(sed -n 's/^Version: //p' "$pc")" ]
}
claim "pkg-config knows the version" version_is_known
finish
