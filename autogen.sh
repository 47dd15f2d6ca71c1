#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes configure and what it needs, from configure.ac and Makefile.am.
set -eu
cd "$(dirname "$0")"

for program in autoreconf automake libtoolize pkg-config; do
  command -v $program >/dev/null || {
    echo "autogen.sh: $program is missing (on Debian: apt-get install autoconf automake libtool pkg-config)" >&2
    exit 1
  }
done

autoreconf --install --force "$@"
