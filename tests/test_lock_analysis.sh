#!/bin/sh
# Tangled from org/tests/lock_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# Clang refuses what is done without the lock that guards it.
. "$(dirname "$0")/tap.sh"

compiler=
for candidate in "${CXX:-}" clang++; do
  : >"$scratch/empty.cpp"
  # shellcheck disable=SC2086 # a compiler may have options
  if [ -n "$candidate" ] && $candidate -std=c++20 -Werror -Wthread-safety -fsyntax-only "$scratch/empty.cpp" 2>"$scratch/why"; then
    compiler=$candidate
    break
  fi
done
[ -n "$compiler" ] || skip_all "no compiler here knows -Wthread-safety"

# How Locked guards, and a body that uses what is guarded.
program() {
  : >"$scratch/config.h"
  cat >"$scratch/program.cpp" <<END
#include "base/lock.hpp"
using namespace cadastre::internal;
struct Guarded {
  void add() noexcept CADASTRE_REQUIRES(mutex) { ++number; }
  Mutex<Rank::pool> mutex;
  int number CADASTRE_GUARDED_BY(mutex) = 0;
};
void body(Guarded& one, Guarded& other) { (void)one, (void)other; $1 }
END
  # shellcheck disable=SC2086
  $compiler -std=c++20 -Werror -Wthread-safety -fsyntax-only -I"$scratch" -I"$srcdir/src" "$scratch/program.cpp"
}

claim "an access with the lock is let pass" program 'const Locked locked(one.mutex); ++one.number; one.add();'
claim "an access without the lock is refused" refused 1 "requires holding mutex" program '++one.number;'
claim "a function that needs the lock is not called without it" refused 1 "requires holding mutex" program 'one.add();'
claim "the lock of another is not enough" refused 1 "requires holding mutex" program 'const Locked locked(other.mutex); ++one.number;'
claim "a lock that is not given back is refused" refused 1 "still held" program 'one.mutex.lock();'
finish
