# SPDX-License-Identifier: BSD-3-Clause
# Steps of a script that say what they do. Source this; $tool is the script's
# name, $root the checkout, $log the folder for what the steps print.

say() {
  echo "==> $1"
}

# A script that tests sets counting=yes, and ends with its counts here as well. What the counts are
# not to be read without, it has in proviso.
fail() {
  echo "$tool: $1" >&2
  failed=$((failed + 1))
  [ "${counting-}" != yes ] || counts
  exit 1
}

counts() {
  echo "${proviso-}$passed passed, $failed failed, $skipped skipped"
}

# The lines of a log that tell why, or its end.
show() {
  { grep -E '(error|Error|E): |\*\*\*' "$1" | head -n 15 | grep . || tail -n 15 "$1"; } | sed 's/^/    /'
}

# step NAME SENTENCE COMMAND...: runs it, printing into $log/NAME.log
step() {
  local name=$1 sentence=$2 began=$SECONDS
  shift 2
  say "$sentence (what it prints: ${log#"$root"/}/$name.log)"
  mkdir -p "$log"
  if ! "$@" >"$log/$name.log" 2>&1 </dev/null; then
    show "$log/$name.log" >&2
    fail "$sentence: this failed; all of what it printed is in ${log#"$root"/}/$name.log"
  fi
  echo "    $((SECONDS - began)) s"
}

# claim SENTENCE NAME COMMAND...: counts in passed or failed
claim() {
  local sentence=$1 name=$2
  shift 2
  mkdir -p "$log"
  if "$@" >"$log/$name.log" 2>&1 </dev/null; then
    passed=$((passed + 1))
    echo "    ok: $sentence"
  else
    failed=$((failed + 1))
    echo "    FAIL: $sentence (${log#"$root"/}/$name.log)"
    show "$log/$name.log"
  fi
}

passed=0 failed=0 skipped=0
jobs=$(nproc 2>/dev/null || echo 2)

# Builds on a machine for tests share what they compile, where ccache is installed.
cache=
all_parts=(--enable-fortran --enable-command --with-openmp-offload)
if [ "${CI-}" = true ] && command -v ccache >/dev/null; then
  cache="ccache "
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  all_parts+=(CC="${cache}gcc" CXX="${cache}g++")
fi
# Where nobody debugs, lines are enough for a stack, and a fifth of the time of a build is saved.
[ "${CI-}" != true ] || all_parts+=("CFLAGS=-O2 -g1" "CXXFLAGS=-O2 -g1" "FCFLAGS=-O2 -g1")
check_options=("${all_parts[@]}" --enable-python)
# A static library of the same objects as the shared one, which are compiled once.
[ "${CI-}" != true ] || check_options+=(--with-pic)
# Warnings are errors where the compiler is known.
[ "${CI-}" != true ] || check_options+=(--enable-werror)

# The sources as a checkout has them lack configure.
make_configure() {
  if [ -x "$root/configure" ] && [ -f "$root/Makefile.in" ] &&
    [ -z "$(find "$root" -path "$root/build" -prune -o \
      \( -name '*.am' -o -name configure.ac -o -name 'cadastre*.m4' \) -newer "$root/configure" -print)" ]; then
    return 0
  fi
  step autogen "writing configure" "$root/autogen.sh"
}

# build_in DIR OPTION...: configures and builds in DIR, which may be there already
build_in() {
  local build=$1
  shift
  [ ! -f "$root/config.status" ] ||
    fail "this checkout is configured in its own folder; run \"make distclean\" there first"
  mkdir -p "$build"
  cd "$build"
  if [ ! config.status -nt "$root/configure" ] || [ "$(cat options 2>/dev/null)" != "$*" ]; then
    rm -f options
    step configure "configuring in ${build#"$root"/}" "$root/configure" "$@"
    echo "$*" >options
  fi
  step make "building with $jobs jobs" make -j "$jobs"
}

# Of the claims of a program that were skipped for one reason, how many.
skips() {
  sed -nE 's/^SKIP: ([^ ]*) [0-9]+ # SKIP ([a-z]+(, [A-Z]+)?: )?[A-Za-z0-9_]+: (.*)$/\1: \4/p; t; s/^SKIP: ([^ ]*) .*# SKIP (.*)$/\1: \2/p; t; s/^SKIP: ([^ ]*)( - )?(.*)$/\1: \3/p' |
    sort | uniq -c | sed -E 's/^ *([0-9]+) (.*)$/    skipped \1 of \2/'
}

# Of each program that failed, what it said around its claims that did.
what_failed() {
  local program
  sed -nE 's/^(FAIL|XPASS|ERROR): ([^ ]*).*/\2/p' "$1" | sort -u | while read -r program; do
    awk '
      /^not ok/ { for (i = n > 3 ? n - 3 : 0; i < n; ++i) print "      " said[i]; print "      " $0; n = 0; more = 4; next }
      /^ok/ { n = more = 0; next }
      /^[ \t]*#/ { if (more-- > 0) print "      " $0; else said[n++] = $0 }' "${program%.sh}.log" 2>/dev/null | cut -c 1-300 | head -n 40
  done
}

# tests NAME SENTENCE COMMAND...: runs a test suite of Automake and counts in
# passed, failed and skipped; a suite that gives no summary is one failure.
tests() {
  local name=$1 sentence=$2 began=$SECONDS status=0 p f s
  shift 2
  say "$sentence (what it prints: ${log#"$root"/}/$name.log)"
  mkdir -p "$log"
  "$@" >"$log/$name.log" 2>&1 </dev/null || status=$?
  read -r p f s < <(awk '
    /^# (PASS|XFAIL): / { p += $3 }
    /^# (FAIL|XPASS|ERROR): / { f += $3 }
    /^# SKIP: / { s += $3 }
    END { print p + 0, f + 0, s + 0 }' "$log/$name.log")
  grep -E '^(FAIL|XPASS|ERROR): ' "$log/$name.log" | sed 's/^/    /' || true
  what_failed "$log/$name.log"
  if [ "$f" -eq 0 ] && { [ $status -ne 0 ] || [ $((p + s)) -eq 0 ]; }; then
    f=1
    show "$log/$name.log"
  fi
  # What a gate skips is in its log; the list of tools/check is the one to read.
  [ "$tool" = gate ] || skips <"$log/$name.log"
  if grep -E '^SKIP: .*: it does not say why$' "$log/$name.log" | sed 's/^/    FAIL: /' | grep .; then f=$((f + 1)); fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  echo "    $((SECONDS - began)) s: $p passed, $f failed, $s skipped; the longest (processor time): $(longest)"
}

# The five tests in this folder that took most processor time, as tests/run-program wrote it into their logs.
longest() {
  { grep -rHs --include='*.log' '^# took ' tests examples || true; } |
    sed 's|^tests/||; s|\.log:# took | |' | sort -k 2,2 -n -r | head -n 5 |
    awk '{ printf "%s%s %.0f s", (NR > 1 ? ", " : ""), $1, $2 }'
}

# The last line of a script that tests.
summary() {
  counts
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
