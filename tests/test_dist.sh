#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A tarball depends on what it holds alone: who makes one of the same sources, or of a tarball, gets the same bytes.
. "$(dirname "$0")/tap.sh"

build=$(cd "${top_builddir:-.}" && pwd)
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR SOURCE_DATE_EPOCH TAR_OPTIONS GZIP || true
LC_ALL=C ${TAR:-tar} --help 2>/dev/null | grep -e '--sort=' >/dev/null || skip_all "tar has no --sort"

distdir=cadastre-$(sed -n 's/^VERSION = //p' "$build/Makefile")
# made NAME FOLDER [VARIABLE=VALUE...]: the tarball of that build
made() {
  name=$1
  folder=$2
  shift 2
  (cd "$folder" && env "$@" make dist DIST_TARGETS=dist-gzip >"$scratch/dist.log" 2>&1) || { tail -n 20 "$scratch/dist.log"; return 1; }
  mv "$folder/$distdir.tar.gz" "$scratch/$name.tar.gz"
}
# Says where they differ, too.
same() {
  cmp "$scratch/$1.tar.gz" "$scratch/$2.tar.gz" && return
  for name in "$1" "$2"; do tar -tvzf "$scratch/$name.tar.gz" >"$scratch/$name.list"; done
  diff "$scratch/$1.list" "$scratch/$2.list"
  return 1
}
again() { (umask 077 && made second "$build" TZ=Asia/Tokyo LC_ALL=C.UTF-8) && same first second; }
dated() { made third "$build" SOURCE_DATE_EPOCH=86400 && ! TZ=UTC tar -tvzf "$scratch/third.tar.gz" | grep -v ' 1970-01-02 00:00 '; }
of_nobody() { ! tar -tvzf "$scratch/first.tar.gz" | grep -v '^[-d]rw[-x]r-[-x]r-[-x] 0/0 '; }
of_tarball() {
  mkdir "$scratch/of-tarball" && tar -xzf "$scratch/first.tar.gz" -C "$scratch" && chmod -R a-w "$scratch/$distdir" || return
  (cd "$scratch/of-tarball" && "$scratch/$distdir/configure" -q --disable-fortran --disable-command --disable-static --without-mpi --without-sundials \
    --without-openmp-offload CC="${CC:-cc}" CXX="${CXX:-c++}") && made fourth "$scratch/of-tarball"
  status=$?
  chmod -R u+w "$scratch/$distdir"
  [ $status -eq 0 ] && same first fourth
}
claim "a tarball is made" made first "$build"
claim "its files are nobody's, and may be read by all" of_nobody
claim "another one, made later with another umask, has the same bytes" again
claim "SOURCE_DATE_EPOCH is the date of all files" dated
claim "one made of a tarball, whose files may not be written, has the same bytes, too" of_tarball
finish
