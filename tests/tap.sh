# SPDX-License-Identifier: BSD-3-Clause
# Claims of a shell test, told in TAP. A test sources this file, makes its claims
# and calls finish; a test that ends early has no plan, which the driver counts
# as an error.

set -u
claims=0
srcdir=${srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
srcdir=$(cd "$srcdir" && pwd)
top_builddir=${top_builddir:-.}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cadastre-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# claim SENTENCE COMMAND...: the command succeeds
claim() {
  claims=$((claims + 1))
  sentence=$1
  shift
  if "$@" >"$scratch/said" 2>&1 </dev/null; then
    echo "ok $claims - $sentence"
  else
    echo "not ok $claims - $sentence"
    sed 's/^/# /' "$scratch/said"
  fi
}

# refused STATUS TEXT COMMAND...: the command ends with that status, and says so
refused() {
  expected=$1
  text=$2
  shift 2
  status=0
  "$@" >"$scratch/refusal" 2>&1 || status=$?
  cat "$scratch/refusal"
  if [ $status -ne "$expected" ]; then
    echo "exit status $status instead of $expected"
    return 1
  fi
  grep -qF -- "$text" "$scratch/refusal" || {
    echo "does not say: $text"
    return 1
  }
}

# skip SENTENCE WHY
skip() {
  claims=$((claims + 1))
  echo "ok $claims - $1 # SKIP $2"
}

# skip_all WHY
skip_all() {
  echo "1..0 # SKIP $1"
  exit 0
}

finish() {
  echo "1..$claims"
}
