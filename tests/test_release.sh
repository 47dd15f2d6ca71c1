#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The places that name the version agree, and tools/release finds what keeps a checkout from being released.
. "$(dirname "$0")/tap.sh"

command -v bash >/dev/null || skip_all "bash is not installed"
command -v git >/dev/null || skip_all "git is not installed, and a release is made of a checkout"
claim "each place that names the version names that of configure.ac" "$srcdir/tools/release" --places

# A checkout of what the tool looks at, whose last commit is ready to be released as the next version.
tree=$scratch/tree
version=$(sed -nE 's/^AC_INIT\(\[cadastre\], \[([^]]*)\].*/\1/p' "$srcdir/configure.ac")
second=${version#*.}
next=${version%%.*}.$((${second%%.*} + 1)).0
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE || true
# Each that one row of the table is about, with the version in it.
places="configure.ac NEWS packaging/debian/changelog packaging/spack_repo/cadastre/packages/cadastre/package.py packaging/easybuild/cadastre-$version.eb
  README.org doc/guides/install.org doc/gpu-check.md cmake/CMakeLists.txt"
commit() { git add -A && git commit -q -m "$1"; }
prepare() {
  mkdir "$tree" || return
  # shellcheck disable=SC2086  # a list of files
  (cd "$srcdir" && tar -cf - $places cmake/CadastreConfigVersion.cmake.in cadastre.pc.in packaging/modulefile.in src/python/setup.py \
    src/python/pyproject.toml src/python/cadastre/__init__.py src/*.am src/*/*.am src/*/cadastre_mpi.F90 src/fortran/generated/cadastre.F90 src/adapters/sundials.cpp \
    src/adapters/mpi.cpp include/cadastre.h abi tools/release tools/abi tools/steps.sh) | tar -xf - -C "$tree" || return
  cd "$tree" && chmod -R u+w . && git init -q && git symbolic-ref HEAD refs/heads/main || return
  commit "The first one" && git tag "v$version" || return
  # shellcheck disable=SC2086  # a list of files
  sed -i "s/$(echo "$version" | sed 's/[.]/[.]/g')/$next/g" $places
  git mv "packaging/easybuild/cadastre-$version.eb" "packaging/easybuild/cadastre-$next.eb"
  { echo "Cadastre $next" && echo && echo "- More." && echo && cat "$srcdir/NEWS"; } >NEWS
  { printf 'cadastre (%s-1) unstable; urgency=medium\n\n  * More.\n\n' "$next" && cat "$srcdir/packaging/debian/changelog"; } >packaging/debian/changelog
  commit "More is there"
}
claim "a checkout is prepared for $next" prepare
cd "$tree" 2>/dev/null || { finish; exit; }
again() { git checkout -q -f main && git reset -q --hard ready && git clean -q -f -d; }
git tag ready

passes() { tools/release --check "$next" >"$scratch/checked" && grep -q ' 0 failed, 0 skipped$' "$scratch/checked"; }
can=yes
{ command -v abidiff && command -v python3; } >/dev/null || can=no
if [ $can = yes ]; then claim "it may be released" passes; else skip "it may be released" "abidiff or python3 is not installed"; fi

# --- places that lie

# says OUTPUT MESSAGE...: that it says each
says() {
  output=$1
  shift
  cat "$output"
  for message in "$@"; do
    grep -qF -- "$message" "$output" || { echo "does not say: $message"; return 1; }
  done
}
# changed FILE FROM TO
changed() {
  cp "$1" "$scratch/before"
  sed -i "s@$2@$3@" "$1"
  ! cmp -s "$1" "$scratch/before" || { echo "nothing was changed in $1"; return 1; }
}
# One lie in each row: FILE LINE. The output has a line for each, and no other.
all_lie() {
  while IFS='|' read -r file line; do
    changed "$file" "\($line.*\)$next" "\19.8.7" || return 1
    echo "FAIL: $file:$(grep -n '9[.]8[.]7' "$file" | cut -d : -f 1 | tail -n 1) names 9.8.7; write $next" >>"$scratch/lies"
  done <<END
configure.ac|^AC_INIT
NEWS|^Cadastre
packaging/debian/changelog|^cadastre (
packaging/spack_repo/cadastre/packages/cadastre/package.py|dev-build
packaging/spack_repo/cadastre/packages/cadastre/package.py|^    url =
packaging/spack_repo/cadastre/packages/cadastre/package.py|^    version(
packaging/easybuild/cadastre-$next.eb|eb packaging
packaging/easybuild/cadastre-$next.eb|^version
README.org|^| EasyBuild
README.org|^| Spack
doc/guides/install.org|^FetchContent_Declare
doc/gpu-check.md|tar xf
doc/gpu-check.md|^    cadastre-
cmake/CMakeLists.txt|FetchContent_Declare
END
  refused 1 "0 passed, 14 failed, 0 skipped" tools/release --places "$next" >"$scratch/places" || { cat "$scratch/places"; return 1; }
  sed 's/^ *//' "$scratch/places" | grep FAIL | sort >"$scratch/said-places" && sort "$scratch/lies" | diff - "$scratch/said-places"
}
claim "each place that lies is found" all_lie
again
missing() {
  changed doc/gpu-check.md "tar xf cadastre-$next" "tar xf cadastre" && git mv "packaging/easybuild/cadastre-$next.eb" packaging/easybuild/cadastre-9.8.7.eb || return
  refused 1 'doc/gpu-check.md has no version behind "tar xf cadastre-"' tools/release --places "$next" >"$scratch/places" &&
    says "$scratch/places" "packaging/easybuild/cadastre-$next.eb is not there"
}
claim "so is one that has none, or whose name has another" missing
again
has_own() {
  while IFS='|' read -r file from to; do
    changed "$file" "$from" "$to" || return
    set -- "$@" "$file has the version from elsewhere than configure.ac"
  done <<'END'
cmake/CMakeLists.txt|project(Cadastre VERSION "[^"]*"|project(Cadastre VERSION "9.8.7"
cmake/CadastreConfigVersion.cmake.in|".PACKAGE_VERSION."|"9.8.7"
cadastre.pc.in|.PACKAGE_VERSION.|9.8.7
packaging/modulefile.in|.PACKAGE_VERSION.: the|9.8.7: the
packaging/modulefile.in|.PACKAGE_VERSION.|9.8.7
src/python/setup.py|pkg_config("--modversion")|"9.8.7"
src/python/pyproject.toml|dynamic = .*|version = "9.8.7"
src/python/cadastre/__init__.py|^__version__ = .*|__version__ = "9.8.7"
END
  refused 1 "0 passed, 7 failed, 0 skipped" tools/release --places "$next" >"$scratch/places"
  says "$scratch/places" "$@" "0 passed, 7 failed"
}
claim "so is a version that does not come from configure.ac" has_own
again
no_row() {
  echo "Take cadastre-$next.tar.gz." >doc/another.md && git add doc/another.md
  refused 1 "doc/another.md names the version $next, and tools/release has no row for it" tools/release --places "$next"
  status=$?
  again
  return $status
}
claim "a file that names the version, and is no place, is found" no_row

# --- the tree, the version, the news

# finds MESSAGE...: --check of the next version says each, and fails
finds() {
  status=0
  tools/release --check "$next" >"$scratch/checked" 2>&1 || status=$?
  says "$scratch/checked" "$@" && [ $status -eq 1 ]
}
tree_and_news() {
  git checkout -q -b side && echo >>configure.ac
  sed -i '/^Cadastre /,$d' NEWS && printf 'Cadastre %s\n\nMore.\n' "$next" >>NEWS
  finds "files differ from the commit; commit them or remove them:  M NEWS" "this is side; a release is made from main" \
    "NEWS has no line \"Cadastre $next\" with what is new below it" "NEWS has no line \"Cadastre $version\" any more"
}
claim "changed files, another branch, and a NEWS without a list or with a section less are found" tree_and_news
again
not_later() {
  refused 1 "$next is not later than the last release, which is $next" tools/release --since ready --check "$next" &&
    refused 1 "there is a tag v$version; a version is released once" tools/release --check "$version"
}
claim "a version that is not later, or has a tag, is found" not_later
is_later() {
  sed -i 's/^\(AC_INIT.*\)\['"$next"'\]/\1[0.9.0]/' configure.ac && commit "Nine" || return
  refused 1 "ok: 0.10.0 is later than 0.9.0" tools/release --since HEAD --check 0.10.0
}
claim "ten is later than nine" is_later
again
no_versions() {
  for wrong in 1.2 v1.2.3 1.2.3-rc1 01.2.3 1.2.3.4; do
    refused 1 "\"$wrong\" is no version; a version is three numbers" tools/release --check $wrong || return
  done
}
claim "what is not three numbers is no version" no_versions
no_tag() {
  git tag -d "v$version" >/dev/null && tools/release --check "$next" >"$scratch/checked"
  status=$?
  cat "$scratch/checked"
  git tag "v$version" ready~1
  [ $status -eq 0 ] && grep -q ' 0 failed, 2 skipped$' "$scratch/checked"
}
claim "where nothing was released, what compares is skipped" no_tag
lists_subjects() {
  [ "$(tools/release --news)" = "- More is there" ] && [ "$(tools/release --since ready --news)" = "" ] || return
  git tag -d "v$version" >/dev/null && tools/release --news >"$scratch/news"
  git tag "v$version" ready~1
  [ "$(tail -n 1 "$scratch/news")" = "- The first one" ] && [ "$(wc -l <"$scratch/news")" -eq 2 ]
}
claim "--news has the subjects since the last release, or all" lists_subjects
claim "a commit that is not there is found" refused 1 "there is no commit nowhere" tools/release --since nowhere --news
no_checkout() {
  mkdir "$scratch/no-git" && cp -r tools NEWS configure.ac "$scratch/no-git" && refused 1 "this is no checkout of git" "$scratch/no-git/tools/release" --check "$next"
}
claim "in a tarball it says that it is none" no_checkout
nothing_is_made() {
  echo >>configure.ac
  refused 1 "nothing is made until these are mended" tools/release "$next" && [ ! -e build ]
  status=$?
  again
  return $status
}
claim "nothing is made where a check fails" nothing_is_made

# --- the versions of the libraries' interfaces

follows="the version of a library's interface follows"
if [ $can = no ]; then
  skip "$follows" "abidiff or python3 is not installed"
  finish
  exit
fi
# interface NAME FILE: what the version of a library's interface is; after KIND INTERFACE: what the next is to be
interface() { sed -n "s/^$1_la_LDFLAGS.* -version-info \([0-9:]*\).*/\1/p" "$srcdir/$2"; }
after() {
  IFS=: read -r current revision age <<END
$2
END
  case $1 in
    revised) echo "$current:$((revision + 1)):$age" ;;
    added) echo "$((current + 1)):0:$((age + 1))" ;;
    broken) echo "$((current + 1)):0:0" ;;
  esac
}
core=$(interface libcadastre src/library.am) fortran=$(interface libcadastre_fortran src/fortran/fortran.am)
mpi=$(interface libcadastre_mpi src/adapters/adapters.am) mpi_fortran=$(interface libcadastre_mpi_fortran src/adapters/adapters.am)
revised() {
  echo "/* more */" >>include/cadastre.h && echo "// more" >>src/adapters/mpi.cpp && commit "Sources differ" || return
  finds "src/library.am has $core for libcadastre; since v$version its sources were changed, and its interface was not, so write -version-info $(after revised "$core")" \
    "src/adapters/adapters.am has $mpi for libcadastre_mpi; since v$version its sources were changed" || return
  ! grep -q 'for libcadastre_\(fortran\|sundials\|mpi_fortran\)' "$scratch/checked" || return
  sed -i "/^libcadastre_la_LDFLAGS/s/$core/$(after revised "$core")/" src/library.am &&
    sed -i "/^libcadastre_mpi_la_LDFLAGS/s/$mpi/$(after revised "$mpi")/" src/adapters/adapters.am && commit "They are renewed" && passes
}
claim "$follows changed sources" revised
again
added() {
  echo "libcadastre.so.1 cadastre_zzz@@CADASTRE_1" >>abi/symbols && sort -o abi/symbols abi/symbols
  sed -i '0,/^ *public ::/s//  public :: cadastre_zzz\n&/' src/fortran/generated/cadastre.F90
  commit "More is offered" || return
  finds "src/library.am has $core for libcadastre; since v$version something was added, so write -version-info $(after added "$core")" \
    "src/fortran/fortran.am has $fortran for libcadastre_fortran; since v$version something was added, so write -version-info $(after added "$fortran")" || return
  sed -i "s/-version-info $core/-version-info $(after added "$core")/" src/library.am &&
    sed -i "s/-version-info $fortran/-version-info $(after added "$fortran")/" src/fortran/fortran.am && commit "They are renewed" && passes
}
claim "$follows what was added" added
mends() {
  third=${version%.*}.$((${version##*.} + 1))
  refused 1 "$third has the first two numbers of $version, and offers more" tools/release --check "$third"
}
claim "and what adds something is no third number" mends
again
broken() {
  sed -i '/^libcadastre_mpi\.so\.1 cadastre_report_mpi@@/d' abi/symbols && sed -i 's/^\(CADASTRE_HOST .*\)0)$/\17)/' abi/constants
  sed -i '0,/^ *public ::.*/s///' src/fortran/cadastre_mpi.F90
  commit "Less is offered" || return
  finds "src/library.am has $core for libcadastre; since v$version something was changed or removed, so write -version-info $(after broken "$core")" \
    "src/adapters/adapters.am has $mpi for libcadastre_mpi; since v$version something was changed or removed, so write -version-info $(after broken "$mpi")" \
    "src/adapters/adapters.am has $mpi_fortran for libcadastre_mpi_fortran; since v$version something was changed or removed" \
    "$next has the first number of $version, and does not keep what that promised; so the first number is to grow"
}
claim "$follows what was changed or removed" broken
again
typed() {
  sed -i "s/\(<class-decl name='cadastre_pool_info_struct' size-in-bits='\)576'/\1512'/; s/layout-offset-in-bits='512'/layout-offset-in-bits='448'/" abi/libcadastre.abi
  commit "A type differs" || return
  finds "for libcadastre; since v$version something was changed or removed"
}
claim "$follows the types of functions" typed
again
another_library() {
  printf 'libcadastre_more_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0\n' >>src/library.am && commit "A library more" || return
  finds "a library with -version-info has no row in tools/release"
}
claim "a library that has no row is found" another_library
again
no_version() {
  sed -i "s/ -version-info $fortran//" src/fortran/fortran.am && commit "A version less" || return
  finds "src/fortran/fortran.am has no libcadastre_fortran_la_LDFLAGS with -version-info"
}
claim "so is one that lost its version" no_version
finish
