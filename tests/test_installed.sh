#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is installed serves a program that knows nothing but pkg-config.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
root=$build/tests/installed  # it stays, for the test of another build system
rm -rf "$root"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES || true

# Installed under a root of its own; pkg-config is told to look there.
install_all() { make -j8 -C "$build" install DESTDIR="$root"; }
claim "make -j8 install works, with DESTDIR" install_all

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
  "$srcdir/packaging/split" "$root" "${prefix#"$root"}" "${libdir#"$root"}" >"$scratch/files" || return
  grep "^libcadastre-qmckl " "$scratch/files" | grep -q 'qmckl\.so$' || [ ! -f "$libdir/libcadastre.so" ] || { echo "the first row of a file does not count"; return 1; }
  grep -q '^libcadastre-dev .*/cadastre\.h$' "$scratch/files"
}
file_of_none_is_told() {
  mkdir -p "$scratch/more/usr/libexec" && : >"$scratch/more/usr/libexec/one" && refused 1 "no package has libexec/one" "$srcdir/packaging/split" "$scratch/more"
}
claim "the guide for packagers has a package for each file that is installed" packages_are_told
claim "a file of none is told" file_of_none_is_told

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

# --- moved, beside another one, by a module file, and gone

moved=$scratch/of-user/1.0
mkdir "$scratch/of-user"
prefix=$(dirname "$(dirname "$(find "$root" -name cadastre.h)")")
cp -r "$prefix" "$moved"
cp -r "$prefix" "$scratch/of-user/2.0"
of_user() {
  env -u LD_LIBRARY_PATH -u PKG_CONFIG_SYSROOT_DIR -u PKG_CONFIG_ALLOW_SYSTEM_CFLAGS -u PKG_CONFIG_ALLOW_SYSTEM_LIBS -u LD_RUN_PATH "$@"
}
# Each program is compiled with what its version says, and runs with that library.
beside_each_other() {
  for version in 1.0 2.0; do
    of=$scratch/of-user/$version${libdir#"$prefix"}
    said=$(PKG_CONFIG_LIBDIR=$of/pkgconfig of_user "$pkg_config" --define-prefix --cflags --libs cadastre) || return
    # shellcheck disable=SC2086  # lists of options
    $CC ${CFLAGS-} "$scratch/consumer.c" -o "$scratch/with-$version" $said ${LDFLAGS-} "-Wl,-rpath,$of" || return
  done
  for version in 1.0 2.0; do
    of_user "$scratch/with-$version" && of_user ldd "$scratch/with-$version" | grep "libcadastre\.so.*/of-user/$version/" || return
  done
}
sentence="two versions serve side by side, moved to folders of a user"
if [ ! -f "$libdir/libcadastre.so" ]; then
  skip "$sentence" "no shared library was built"
elif ! "$pkg_config" --define-prefix --version >/dev/null 2>&1; then
  skip "$sentence" "pkg-config has no --define-prefix"
else
  claim "$sentence" beside_each_other
fi

# loads COMMAND...: that module command, which writes shell code, serves a compiler, pkg-config and who calls the command
loads() {
  MODULEPATH=$moved/share/cadastre/modulefiles of_user "$@" load cadastre >"$scratch/load" || return
  cat "$scratch/load"
  cat >"$scratch/loaded" <<'END'
. "$1"
"$3" --define-prefix --variable=includedir cadastre | grep -F -- "$2" && "$3" --modversion cadastre || exit
shift 3
"$@" && ./by_module && ldd ./by_module | grep 'libcadastre\.so.*/of-user/1\.0/' || exit
case $(command -v cadastre) in */of-user/1.0/bin/cadastre) ;; *) exit 1 ;; esac
END
  # shellcheck disable=SC2086  # lists of options
  (cd "$scratch" && unset PKG_CONFIG_LIBDIR && of_user sh ./loaded "$scratch/load" "/of-user/1.0/include" "$pkg_config" \
    $CC ${CFLAGS-} consumer.c -o by_module ${LDFLAGS-} -lcadastre)
}
first_of() { for file in "$@"; do [ ! -r "$file" ] || { echo "$file"; break; }; done; }
environment_modules=$(first_of "${MODULESHOME-}/libexec/modulecmd.tcl" /usr/lib/*/modulecmd.tcl)
lmod=$(first_of "${LMOD_CMD-}" /usr/share/lmod/lmod/libexec/lmod)
for kind in "Environment Modules" Lmod; do
  sentence="a module file, moved, serves users of $kind"
  case $kind in Lmod) module=$lmod ;; *) module=${environment_modules:+tclsh $environment_modules} ;; esac
  if [ ! -f "$libdir/libcadastre.so" ] || [ -z "$command" ]; then
    skip "$sentence" "no command, or no shared library, was built"
  elif [ -z "$module" ]; then
    skip "$sentence" "$kind is not installed"
  else
    # shellcheck disable=SC2086  # a program and its argument
    claim "$sentence" loads $module sh
  fi
done

leaves_nothing() {
  cp -r "$root" "$scratch/gone"
  : >"$scratch/gone$docdir/of-another"
  make -C "$build" uninstall DESTDIR="$scratch/gone" || return
  rm "$scratch/gone$docdir/of-another" && rmdir "$scratch/gone$docdir" || return
  left=$(find "$scratch/gone" ! -type d && cd "$scratch/gone${prefix#"$root"}" && find . -iname '*cadastre*')  # the prefix may have any name
  [ -z "$left" ] || { echo "it leaves: $left"; return 1; }
}
claim "make uninstall leaves no file, and no folder of Cadastre's own but what holds another's file" leaves_nothing
finish
