#!/bin/sh
# Tangled from org/tests/recorded_programs.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# What programs record of themselves, replayed.
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

CADASTRE=${CADASTRE:-./cadastre}
program=${top_builddir:-.}/tests/recorded_program
trace=$scratch/trace.csv
unset CADASTRE_TRACE CADASTRE_REPORT CADASTRE_LIMIT CADASTRE_WORKSPACE_SIZE
CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1
export CADASTRE_BACKEND CADASTRE_EMULATED_DEVICES

# figures FILE [NAMES]: the statistics of each context in a JSON report, without those that may differ
figures() {
  sed 's/.*"memory_types": //; s/"workspaces":.*//; s/"devices": [^]]*\]//g; s/"\('"zeroed_bytes${2-}"'\)": [0-9]*,//g' "$1" | sort
}

# recorded MANNER: the program works in that manner, and its trace and reports are written
recorded() {
  rm -f "$trace" "$scratch/recorded.json"
  CADASTRE_TRACE=$trace CADASTRE_REPORT=$scratch/recorded.json "$program" "$1"
}

replayed() { CADASTRE_REPORT=$scratch/replayed.json "$CADASTRE" replay "$trace"; }

# agrees MANNER [NAMES]: the replay has the same results as the program, and the same statistics except for these
agrees() {
  recorded "$1" || return
  replayed || return
  figures "$scratch/recorded.json" "${2-}" >"$scratch/of-program"
  figures "$scratch/replayed.json" "${2-}" >"$scratch/of-replay"
  [ -s "$scratch/of-program" ] && grep -q '"allocations": [1-9]' "$scratch/of-program" &&
    diff "$scratch/of-program" "$scratch/of-replay"
}

goes_as_recorded() { recorded "$1" && replayed; }

# dies MANNER: ended by a signal
dies() {
  status=0
  # shellcheck disable=SC3045  # a shell without it may leave a file
  (ulimit -c 0; recorded "$1") || status=$?
  [ $status -gt 128 ]
}

peaks='\|high_water_mark_bytes\|high_water_mark_blocks'
claim "one thread on several contexts: the figures are the same, the peaks too" agrees alone
claim "threads on contexts of their own: the figures are the same, the peaks too" agrees each-its-own
claim "threads on one context: the figures are the same" agrees one-for-all "$peaks"
claim "blocks that go from thread to thread: the figures are the same" agrees hand-to-hand "$peaks"
claim "what failed fails in the replay" agrees failures
claim "workspaces between other calls are omitted" goes_as_recorded workspaces
claim "borrowed memory is replayed as unregistered host memory" goes_as_recorded borrowed

claim "a program that aborts is recorded" dies aborting
claim "and replayed" replayed
claim "everything that it did is recorded" grep -c '' "$trace"

# Whether more than 100 lines are written within a minute. How many a busy machine writes in a second nobody knows.
has_many_lines() {
  for _ in $(seq 600); do
    [ "$(grep -c '' "$trace")" -le 100 ] || return 0
    sleep 0.1
  done
  return 1
}

# killed SECONDS: by a signal that cannot be caught, that long after it wrote many lines
killed() {
  rm -f "$trace"
  mkfifo "$scratch/begun"
  CADASTRE_TRACE=$trace "$program" for-ever >"$scratch/begun" &
  process=$!
  read -r word <"$scratch/begun"
  rm "$scratch/begun"
  many=yes
  has_many_lines || many=no
  sleep "$1"
  kill -KILL $process
  wait $process 2>/dev/null
  [ "$word" = begun ] && [ $many = yes ] && replayed
}

for seconds in 0 0.03 0.07 0.13; do
  claim "a program that is killed after $seconds s is replayed as it is" killed $seconds
done

claim "a child process writes nothing into its parent's trace and reports" agrees forking
claim "there is one report" [ "$(grep -c '' "$scratch/recorded.json")" -eq 1 ]

# A replay that is recorded is the same trace again, except for the times.
recorded_replay() {
  recorded alone && CADASTRE_TRACE=$scratch/again.csv "$CADASTRE" replay "$trace" || return
  for file in "$trace" "$scratch/again.csv"; do grep '^[a-z]*,[0-9]' "$file" | cut -d, -f1-7,9-; done >"$scratch/both"
  [ "$(grep -c '' "$scratch/both")" -eq $((2 * $(grep -c '^[a-z]*,[0-9]' "$trace"))) ] || return
  grep '^[a-z]*,[0-9]' "$trace" | cut -d, -f1,2,5,6 >"$scratch/once"
  grep '^[a-z]*,[0-9]' "$scratch/again.csv" | cut -d, -f1,2,5,6 | diff "$scratch/once" -
}
claim "a replay can be recorded, and does the same again" recorded_replay

claim "record sets what the program needs, also behind --" \
  "$CADASTRE" record --trace "$scratch/by.csv" --report "$scratch/by.json" -- "$program" failures
claim "so that its trace is written" "$CADASTRE" replay "$scratch/by.csv"
claim "and its reports" grep -q '^{"cadastre"' "$scratch/by.json"

# In another folder than the one where the program is started.
from_elsewhere() {
  command=$(cd "$(dirname "$CADASTRE")" && pwd)/$(basename "$CADASTRE")
  (cd "$scratch" && "$command" record --trace here.csv sh -c 'cd / && exec "$0" replay -' "$command" <"$trace") && [ -s "$scratch/here.csv" ]
}
claim "a file is that of the folder where record was called" from_elsewhere

finish
