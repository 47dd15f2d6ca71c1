#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A consumer that knows nothing but CMake's find_package is served, by what tests/test_installed.sh installed.
. "$(dirname "$0")/tap.sh"

cmake=${CMAKE:-cmake}
"$cmake" --version >/dev/null 2>&1 || skip_all "cmake is not installed"
build=$(cd "${top_builddir:-.}" && pwd)
config=$(find "$build/tests/installed" -name CadastreConfig.cmake 2>/dev/null)
[ -n "$config" ] || { echo "# CadastreConfig.cmake was not installed"; echo "1..1"; echo "not ok 1 - it is installed"; exit 1; }
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR || true

# The package is found relative to itself, so it may be anywhere.
installed=$scratch/anywhere
libdir=$(dirname "$(dirname "$(dirname "$config")")")
cp -r "$build/tests/installed" "$installed"
libdir=$installed${libdir#"$build/tests/installed"}
fortran=
[ ! -f "$libdir/libcadastre_fortran.la" ] || fortran=Fortran

consumer=$scratch/consumer
mkdir "$consumer"
cat >"$consumer/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(consumer LANGUAGES C CXX)
find_package(Cadastre ${wanted_version} REQUIRED COMPONENTS CXX ${components})
add_executable(c_program main.c)
target_link_libraries(c_program Cadastre::cadastre)
add_executable(cxx_program main.cpp)
target_link_libraries(cxx_program Cadastre::CXX)
enable_testing()
add_test(NAME c COMMAND c_program)
add_test(NAME cxx COMMAND cxx_program)
if("Fortran" IN_LIST components)
  enable_language(Fortran)
  add_executable(fortran_program main.f90)
  target_link_libraries(fortran_program Cadastre::Fortran)
  add_test(NAME fortran COMMAND fortran_program)
endif()
END
cat >"$consumer/main.c" <<'END'
#include <cadastre.h>
int main(void) {
  cadastre_context context = cadastre_context_create();
  cadastre_memory_info_struct info = cadastre_memory_info_struct_zero;
  info.size = 80;
  return !cadastre_malloc(context, info) || cadastre_context_destroy(context) != CADASTRE_SUCCESS;
}
END
cat >"$consumer/main.cpp" <<'END'
#include <cadastre.hpp>
int main() {
  cadastre::context context;
  auto x = context.allocate<double>(10);
  return x[9] != 0.0;
}
END
cat >"$consumer/main.f90" <<'END'
program consumer
  use, intrinsic :: iso_c_binding
  use cadastre
  implicit none
  integer(c_int64_t) :: context
  context = cadastre_context_create()
  if (cadastre_context_destroy(context) /= CADASTRE_SUCCESS) error stop 1
end program
END

# with_compilers CXXFLAGS OPTION...: CMake, with those of the build
with_compilers() {
  cxxflags=$1
  shift
  env -u LD_LIBRARY_PATH CC="${CC:-cc}" CXX="${CXX:-c++}" FC="${FC-}" CFLAGS="${CFLAGS-}" CXXFLAGS="$cxxflags" \
    FFLAGS="${FCFLAGS-}" LDFLAGS="${LDFLAGS-}" "$cmake" "$@"
}
# built_and_tested FOLDER OPTION...: what was configured there; options are of the build
built_and_tested() {
  "$cmake" --build "$@" && env -u LD_LIBRARY_PATH "$cmake" -E chdir "$1" "${CTEST:-ctest}" --output-on-failure
}
# configured FOLDER OPTION...: what a user would type; no folder but the package's own is told
configured() {
  folder=$1
  shift
  with_compilers "${CXXFLAGS-}" -S "$consumer" -B "$scratch/$folder" -DCadastre_DIR="$libdir/cmake/Cadastre" "$@"
}
# What CMake says, on one line.
told() {
  status=0
  "$@" >"$scratch/told" 2>&1 || status=$?
  tr -s ' \n' ' ' <"$scratch/told"
  return $status
}
serves() {
  configured "$@" && built_and_tested "$scratch/$folder"
}
links_library() { ldd "$scratch/$1/c_program" | grep "libcadastre\.so.*$installed"; }
links_none() { ! ldd "$scratch/$1/c_program" | grep libcadastre; }

if [ -f "$libdir/libcadastre.so" ]; then
  claim "programs in C, C++ ${fortran:+and Fortran }are configured, built and run" serves shared -Dcomponents=$fortran
  claim "they use the library that was found" links_library shared
else
  skip "programs are configured, built and run" "no shared library was built"
fi
if [ -f "$libdir/libcadastre.a" ]; then
  claim "with the static library too" serves static -Dcomponents=$fortran -DCadastre_USE_STATIC_LIBS=ON
  claim "they need no shared one then" links_none static
else
  skip "with the static library too" "no static library was built"
fi

# The rest is told by configuring alone.
again=$([ -d "$scratch/shared" ] && echo shared || echo static)
claim "a component that there is not is an error that names it" \
  refused 1 "has no component Chapel: no such component exists" told configured $again -Dcomponents=Chapel
mkdir "$scratch/away"
mv "$libdir"/libcadastre_qmckl* "$libdir"/libcadastre_fortran* "$libdir"/libcadastre_sundials* "$libdir"/libcadastre_mpi* "$scratch/away" 2>/dev/null
for component in Fortran sundials mpi mpi_fortran qmckl; do
  claim "so is $component where it was not built" \
    refused 1 "has no component $component: it was built without" told configured $again -Dcomponents=$component
done
mv "$scratch/away"/* "$libdir" 2>/dev/null
for component in sundials mpi mpi_fortran qmckl; do
  if [ -f "$libdir/libcadastre_$component.la" ]; then
    claim "the component $component is found where it was built" configured $again -Dcomponents=$component
  else
    skip "the component $component is found where it was built" "it was not built"
  fi
done
claim "the version that there is may be asked for" \
  configured $again -Dcomponents= -Dwanted_version="$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "${config%.cmake}Version.cmake")"
claim "and a later one is not" refused 1 "compatible with requested version" told configured $again -Dcomponents= -Dwanted_version=99.1
# Of a later version, the file that CMake asks.
is_compatible() {
  sed 's/^set(PACKAGE_VERSION ".*")$/set(PACKAGE_VERSION "1.7.2")/' "${config%.cmake}Version.cmake" >"$scratch/version.cmake"
  printf 'include("%s")\nmessage("${PACKAGE_VERSION}: ${PACKAGE_VERSION_COMPATIBLE}")\n' "$scratch/version.cmake" >"$scratch/ask.cmake"
  while read -r wanted expected; do
    found=$("$cmake" "-DPACKAGE_FIND_VERSION=$wanted" -P "$scratch/ask.cmake" 2>&1)
    [ "$found" = "1.7.2: $expected" ] || { echo "where $wanted is asked for: $found"; return 1; }
  done <<END
1 TRUE
1.6 TRUE
1.7.2 TRUE
1.7.3 FALSE
1.8 FALSE
2.0 FALSE
0.9 FALSE
10.0 FALSE
END
}
claim "a later version does for an earlier one with the same first number" is_compatible

# --- Cadastre as a part of the project, from its sources

# In the folder of the build, where a cache of compilers knows the files again.
parts=$build/tests/with-cmake
part=$parts/project
rm -rf "$parts"
mkdir -p "$part"
cat >"$part/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(consumer LANGUAGES ${languages})
if(components MATCHES Fortran)
  enable_language(Fortran)
endif()
if(fetched)
  include(FetchContent)
  FetchContent_Declare(cadastre SOURCE_DIR "${source}" SOURCE_SUBDIR cmake)
  FetchContent_MakeAvailable(cadastre)
else()
  add_subdirectory("${source}/cmake" cadastre)
endif()
enable_testing()
set(targets cadastre CXX Fortran)
set(sources main.c main.cpp main.f90)
foreach(name c_program cxx_program fortran_program)
  list(POP_FRONT targets target)
  list(POP_FRONT sources file)
  if(TARGET Cadastre::${target})
    add_executable(${name} "${programs}/${file}")
    target_link_libraries(${name} Cadastre::${target})
    add_test(NAME ${name} COMMAND ${name})
  endif()
endforeach()
END
with_part() {
  folder=$1
  shift
  with_compilers "$part_cxxflags" -S "$part" -B "$parts/$folder" -Dsource="$srcdir" -Dprograms="$consumer" -Dcomponents=$fortran \
    -Dlanguages="C;CXX" "$@"
}
serves_as_part() {
  with_part "$@" && built_and_tested "$parts/$folder" --parallel 2
}
# What a library offers by its map, and what the dynamic linker is told of it.
offers() {
  ${NM:-nm} -D --defined-only "$1" | sed 's/^[0-9a-f]* *//' | LC_ALL=C sort
  readelf -d "$1" | sed -nE 's/.*(\(SONAME\)|\(FLAGS_1\)|\(NEEDED\).*cadastre) *//p'
}
offers_the_same() {
  for library in $(cd "$libdir" && ls libcadastre.so libcadastre_fortran.so 2>/dev/null); do
    offers "$libdir/$library" >"$scratch/configured" && offers "$parts/added/cadastre/$library" >"$scratch/as-part" || return
    grep -q 'T .*cadastre' "$scratch/configured" || { echo "no symbols were found"; return 1; }
    diff "$scratch/configured" "$scratch/as-part" || return
  done
}
defines_what_configure_does() {
  missing=0
  for name in $(sed -nE 's,^(#define|/\* #undef) ([A-Z_0-9]+).*,\2,p' "$build/config.h"); do
    grep -rqw "$name" "$srcdir/src" --include='*.[ch]pp' || continue
    grep -qw "$name" "$parts/added/cadastre/config.h" || { echo "config.h of cmake/CMakeLists.txt has no $name"; missing=1; }
  done
  for config in "$build/config.h" "$parts/added/cadastre/config.h"; do
    sed -nE 's/^#define (CADASTRE_BUILT_.*)\(X\) +/\1 /p' "$config" | sed 's/  */ /g' | LC_ALL=C sort >"$scratch/backends-$(grep -c by\ CMake "$config")"
  done
  diff "$scratch/backends-0" "$scratch/backends-1" && return $missing
}
installs_what_it_links() {
  "$cmake" --install "$parts/added" --prefix "$parts/of-part" || return
  found=$(find "$parts/of-part" -name CadastreConfig.cmake) && [ -n "$found" ] || return
  (libdir=${found%/cmake/Cadastre/*} && configured of-part-used -Dcomponents=$fortran) && "$cmake" --build "$scratch/of-part-used" || return
  ldd "$scratch/of-part-used/c_program" | grep 'libcadastre\.so.*of-part/'
}
part_cxxflags=-O0
# A build of all of it takes minutes: tools/gate distcheck makes one, of the tarball.
if [ "${CMAKE_BUILD-}" != yes ] && [ "${LONG-}" != yes ]; then
  claim "with add_subdirectory programs in C, C++ ${fortran:+and Fortran }are configured, with shared libraries" with_part added
  skip "they are built and run, and offer what those of configure offer" "CMAKE_BUILD=yes was not asked for, which takes minutes"
else
  claim "with add_subdirectory programs in C, C++ ${fortran:+and Fortran }are built and run, with shared libraries" serves_as_part added
  if [ -f "$libdir/libcadastre.so" ]; then
    claim "these offer the symbols that those of configure offer, and no others" offers_the_same
  else
    skip "these offer the symbols that those of configure offer, and no others" "no shared library was built"
  fi
  claim "a project installs them, and another one finds them there" installs_what_it_links
fi
claim "CMake finds out what configure does" defines_what_configure_does
fetched="-Dfetched=ON -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Debug"
# Another build of all of it takes minutes, and differs in how the project comes by it.
# shellcheck disable=SC2086  # a list of options
if [ "${LONG-}" = yes ]; then
  claim "with FetchContent too, with static libraries, for debugging" serves_as_part fetched $fetched
  claim "they need no shared one then, either" eval '! ldd "$parts/fetched/c_program" | grep libcadastre'
  claim "with a C++ library that is optimised, in a project of C alone" serves_as_part of-c -Dlanguages=C -Dcomponents= -DCMAKE_BUILD_TYPE=Release
else
  claim "with FetchContent too they are configured, with static libraries, for debugging" with_part fetched $fetched
fi
claim "a component that there is not is an error here, too" refused 1 "has no component Chapel" told with_part added -DCADASTRE_COMPONENTS=Chapel
rm -rf "$parts"
finish
