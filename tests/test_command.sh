#!/bin/sh
# Tangled from org/tests/command_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The program cadastre: info, replay, its failures, and its manual page.
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
. "$srcdir/tests/vendors.sh"

CADASTRE=${CADASTRE:-./cadastre}
traces=$srcdir/traces
# Variables that say where a runtime is stay; those that request something are removed.
for variable in $(env | sed -n 's/^\(CADASTRE_[A-Za-z0-9_]*\)=.*/\1/p'); do
  case $variable in CADASTRE_*_LIBRARY | CADASTRE_*_MODULE) ;; *) unset "$variable" ;; esac
done
LC_ALL=C
export LC_ALL

cadastre() { "$CADASTRE" "$@"; }

# trace NAME LINE...: writes a trace, and leaves its path in $scratch/NAME
trace() {
  name=$1
  shift
  printf '%s\n' "$@" >"$scratch/$name"
}

# says TEXT COMMAND...: it succeeds, and writes the text
says() {
  text=$1
  shift
  refused 0 "$text" "$@"
}

# member NAME [OCCURRENCE]: the value of a member of the JSON on the standard input
member() { sed -n "s/^ *\"$1\": *\(.*[^,]\),*\$/\1/p" | sed -n "${2:-1}p"; }

# has NAME VALUE: the JSON in $scratch/json has this member with this value, the first of its name
has() {
  found=$(member "$1" <"$scratch/json")
  [ "$found" = "$2" ] || { echo "$1 is $found instead of $2"; return 1; }
}

# replayed STATUS ARGUMENT...: the JSON of a replay that ends with this status is in $scratch/json
replayed() {
  expected=$1
  shift
  status=0
  cadastre replay --json "$@" >"$scratch/json" || status=$?
  [ $status -eq "$expected" ] && return 0
  cat "$scratch/json"
  echo "exit status $status instead of $expected"
  return 1
}

valid_json() {
  if command -v python3 >/dev/null; then
    python3 -m json.tool "$1" >/dev/null
  else
    jq . "$1" >/dev/null
  fi
}

# claim_json SENTENCE FILE
claim_json() {
  if command -v python3 >/dev/null || command -v jq >/dev/null; then
    claim "$1" valid_json "$2"
  else
    skip "$1" "neither python3 nor jq is there"
  fi
}

claim "the version is shown in the manner of GNU" says "cadastre (Cadastre) " cadastre --version
claim "info shows the build" says "compiler" cadastre info
claim "info shows the host backend and what it supports" says "supported by host" cadastre info
claim "info --all shows a variable that is not set with its default" \
  says "not set; the default is auto" cadastre info --all
only_set() {
  cadastre info >"$scratch/info" && ! grep -q CADASTRE_LIMIT "$scratch/info" && grep -q "variables not set; --all" "$scratch/info"
}
claim "without it none that is not set" only_set
claim "info shows the memory of the machine" says "of which" cadastre info
claim "info says whether large blocks use freed pages again, and why" says "  large blocks  " cadastre info
claim "which CADASTRE_HEAP=off ends" says "untouched from the system, since CADASTRE_HEAP is off" env CADASTRE_HEAP=off "$CADASTRE" info
claim "so it does in JSON" says '"use_freed_pages": false' env CADASTRE_HEAP=off "$CADASTRE" info --json
# shellcheck disable=SC3045  # where the shell has none the claims are skipped
with_less_address_space() (ulimit -v 8388608 && exec "$CADASTRE" "$@")
if with_less_address_space --version >"$scratch/said" 2>&1; then
  claim "info shows the limit of the address space" says "at most 8.00 GiB" with_less_address_space info
  claim "so it does in JSON" says '"address_space": 8589934592' with_less_address_space info --json
else
  skip "info shows the limit of the address space" "this build needs more of it"
fi
claim "info shows the value of a variable that is set" \
  says "  'host'" env CADASTRE_BACKEND=host "$CADASTRE" info
claim "info names a malformed variable, and ends with 1" \
  refused 1 "problem: CADASTRE_LIMIT=lots is malformed" env CADASTRE_LIMIT=lots "$CADASTRE" info
claim "and shows all else" refused 1 "supported by host" env CADASTRE_LIMIT=lots "$CADASTRE" info
claim "so it does in JSON" refused 1 '"CADASTRE_OPENMP_MODULE"' env CADASTRE_LIMIT=lots "$CADASTRE" info --json
claim "info names an unknown variable and the one that was meant" \
  says "did you mean CADASTRE_LIMIT?" env CADASTRE_LIMTI=HOST=1G "$CADASTRE" info

# Recorded files are shown and left alone.
leaves_alone() {
  echo precious >"$scratch/file"
  says "'$scratch/file'" env CADASTRE_TRACE="$scratch/file" CADASTRE_REPORT="$scratch/file" "$CADASTRE" info &&
    [ "$(cat "$scratch/file")" = precious ]
}
claim "info names the files that a program would write, and writes to none" leaves_alone
claim "info reports that a file has no name" refused 1 "problem: CADASTRE_TRACE= is malformed" \
  env CADASTRE_TRACE= "$CADASTRE" info

cadastre info --json >"$scratch/info.json"
claim_json "info writes JSON" "$scratch/info.json"
claim "with the backend of a new context" grep -q '"backend": "' "$scratch/info.json"

# Shares of memory. The number of ranks is unknown without a launcher.
limited() {
  env -u OMPI_COMM_WORLD_LOCAL_SIZE -u JSM_NAMESPACE_LOCAL_SIZE -u MV2_COMM_WORLD_LOCAL_SIZE -u MPI_LOCALNRANKS -u PALS_LOCAL_SIZE \
    -u PMI_LOCAL_SIZE -u FLUX_JOB_SIZE -u SLURM_STEP_TASKS_PER_NODE -u CADASTRE_RANKS_PER_DEVICE \
    CADASTRE_BACKEND=host CADASTRE_EMULATED_DEVICES=1 "$@"
}
claim "info shows the memory of its own process" says " are not the library's" "$CADASTRE" info
claim "info shows what a share of memory comes to, and why" \
  says ": 50% of " limited CADASTRE_LIMIT=process:HOST=50% "$CADASTRE" info
claim "so it does in JSON" says '"resolved": "DEVICE is ' limited CADASTRE_LIMIT=DEVICE=10% "$CADASTRE" info --json
claim "and of one that is divided by ranks" says "divided by 4, CADASTRE_RANKS_PER_DEVICE=4" \
  limited CADASTRE_RANKS_PER_DEVICE=4 CADASTRE_LIMIT=process:DEVICE=50%/ranks "$CADASTRE" info
claim "or why it is unknown" says "A context cannot be created: cadastre_context_create: CADASTRE_LIMIT=process:DEVICE=50%/ranks: " \
  limited CADASTRE_LIMIT=process:DEVICE=50%/ranks "$CADASTRE" info
claim "which has a schema_version" grep -q '"schema_version": 1,' "$scratch/info.json"

reasons() {
  cadastre info >"$scratch/info" || return 1
  awk '/^Backends/ { on = 1; next } /^$/ { on = 0 } on && $2 == "unavailable" { getline; if (NF < 3) exit 1 }' "$scratch/info"
}
claim "info says of every unavailable backend why it is unavailable" reasons
claim "info shows the devices of an emulation" \
  says "device 1: " env CADASTRE_EMULATED_DEVICES=2 "$CADASTRE" info
double=$(cd "${top_builddir:-.}/tests/.libs" 2>/dev/null && pwd)/libcuda_double.so
apart() {
  env CADASTRE_CUDA_LIBRARY="$double" "$CADASTRE" info >"$scratch/info" &&
    grep "device 0: CUDA double" "$scratch/info" && ! grep "uses the host's memory" "$scratch/info"
}
if [ -f "$double" ]; then
  claim "info says of an integrated device that it uses the memory of the host" says "uses the host's memory" \
    env CADASTRE_CUDA_LIBRARY="$double" CUDA_DOUBLE_INTEGRATED=1 "$CADASTRE" info
  claim "and of no other device" apart
  hip=${double%/*}/libhip_double_7.so
  claim "and of an APU of AMD's that the host reaches its memory" says "uses the host's memory, the host reaches its memory, " \
    env CADASTRE_HIP_LIBRARY="$hip" CUDA_DOUBLE_INTEGRATED=1 "$CADASTRE" info
  claim "and where XNACK is on that pageable memory is reached" says ", its kernels reach pageable memory, " \
    env CADASTRE_HIP_LIBRARY="$hip" CUDA_DOUBLE_PAGEABLE=1 "$CADASTRE" info
  claim "as it does in JSON" says '"host_access": true' env CADASTRE_HIP_LIBRARY="$hip" CUDA_DOUBLE_INTEGRATED=1 "$CADASTRE" info --json
else
  skip "info says of an integrated device that it uses the memory of the host" "the double of the CUDA runtime was not built"
  skip "and of no other device" "the double of the CUDA runtime was not built"
fi
explained() {
  env "$2=/nonexistent/library.so" "$CADASTRE" info >"$scratch/info" &&
    grep -A1 "^ *$1 *unavailable" "$scratch/info" | grep -q "/nonexistent/library.so\|configure --with-"
}
for vendor in $vendors; do
  claim "info explains a $(echo "$vendor" | tr '[:lower:]' '[:upper:]') runtime that is not there" explained "$vendor" "$(variable_of "$vendor")"
done
claim "info explains a module that is not there" explained openmp CADASTRE_OPENMP_MODULE

forces() {
  replayed 0 "$traces/forces.trace.gz" && has schema_version 1 && has operations $((5688 - 1238)) && has failures 0 &&
    has mismatches 0 && has skipped 0
}
claim "the 5,688 rows of forces, less 1,238 that list what destroy freed, hold no mismatch" forces
claim_json "a replay writes JSON" "$scratch/json"
claim "a replay writes text" \
  says "4,450 operations by 1 thread on 2 contexts: no failures, no mismatches" \
  cadastre replay "$traces/forces.trace.gz"

assertions() {
  replayed 0 "$traces/test_qmckl_memory.trace.gz" && has operations 14 && has failures 5 && has mismatches 0
}
claim "QMCkl's assertions about its memory functions hold" assertions

trace double "op,context,block,size,result" create,1,,, malloc,1,1,12, malloc,1,2,12, free,0,1,,103 \
  free,1,,,2 free,1,1,, free,1,1,,2 info,1,1,,2 destroy,1,,, destroy,1,,,103 create,2,,, malloc,2,3,12, \
  info,2,,,2 info,2,-1,,2 info,2,3,12, destroy,2,,,
double() { replayed 0 "$scratch/double" && has operations 16 && has failures 7 && has mismatches 0; }
claim "and hold with a real double free, a freed block and a stale context" double

all_of_them() {
  for file in "$traces"/*.trace.gz; do
    case $file in */gpu_*) type=HOST ;; *) type= ;; esac
    cadastre replay ${type:+--memory-type "$type"} "$file" || return 1
  done
}
claim "every trace of the distribution replays as it was traced" all_of_them

unavailable() {
  refused 2 "the $1 backend is unavailable: " cadastre replay --backend "$1" "$traces/test_qmckl_memory.trace.gz"
}
emulated() {
  for file in "$traces"/gpu_*.trace.gz; do
    env CADASTRE_EMULATED_DEVICES=1 "$CADASTRE" replay --backend host "$file" || return 1
    env CADASTRE_EMULATED_DEVICES=1 "$CADASTRE" replay --backend host --memory-type UVM "$file" || return 1
  done
}
claim "a trace of device memory replays as it was traced on an emulated device" emulated
# on BACKEND: the traces of device memory there, also as other memory types that it supports.
on() {
  types=$(cadastre info | awk -v name="$1" '$1 == name { on = 1; next } on && $1 == "supports" { print; exit }')
  for file in "$traces"/gpu_*.trace.gz "$traces/test_qmckl_mo.trace.gz"; do
    cadastre replay --backend "$1" "$file" || return 1
  done
  for type in PINNED UVM; do
    case $types in *$type*) cadastre replay --backend "$1" --memory-type $type "$traces/gpu_test_qmckl_mo.trace.gz" || return 1 ;; esac
  done
}
for backend in $vendors openmp; do
  if cadastre info | grep -q "^ *$backend *available"; then
    claim "the traces replay as they were traced on the $backend backend" on $backend
  else
    claim "a backend that is unavailable is refused with the reason: $backend" unavailable $backend
    skip "the traces replay on the $backend backend" "it is unavailable here"
  fi
done

on_the_host() {
  env CADASTRE_BACKEND=host "$CADASTRE" replay "$traces/gpu_test_qmckl_mo.trace.gz" >"$scratch/host" &&
    grep -q "no failures, no mismatches" "$scratch/host" && grep -q "^HOST memory used for DEVICE: [0-9]* blocks" "$scratch/host"
}
claim "a trace of device memory replays on a host without devices, and its report says what was used for it" on_the_host
device() {
  refused 1 "--memory-type HOST allocates them on the host" \
    env CADASTRE_BACKEND=host "$CADASTRE" replay --memory-type DEVICE "$traces/gpu_test_qmckl_mo.trace.gz" &&
    grep -q "does not support DEVICE" "$scratch/refusal" && grep -q "114 skipped" "$scratch/refusal"
}
claim "device memory that is requested is refused with a reason where nothing supports it" device

trace wrong "op,block,size,result" create,,, malloc,1,64, free,1,, free,1,,3
mismatched() {
  refused 1 "line 5: free of block 1: 2 instead of 3" cadastre replay "$scratch/wrong" &&
    grep -q "1 mismatch" "$scratch/refusal"
}
claim "a result that is not the traced one is a mismatch, named by its line" mismatched

trace success "op,block,size,result" create,,, malloc,,64,104 malloc,1,64, info,1,65, free,1,,101
succeeded() {
  replayed 1 "$scratch/success" && has mismatches 3 &&
    grep -q '"text": "malloc of a block, 64 bytes of HOST: 0 instead of 104"' "$scratch/json" &&
    grep -q '"text": "info of block 1: found a size other than 65 bytes"' "$scratch/json" &&
    grep -q '"text": "free of block 1: 0 instead of 101"' "$scratch/json"
}
claim "to succeed where the program failed, or to return another size, is a mismatch as well" succeeded

trace many "op,block,result" create,,
i=0
while [ $i -lt 25 ]; do
  echo "free,,3" >>"$scratch/many"
  i=$((i + 1))
done
ten_of_them() {
  refused 1 "and 15 more" cadastre replay "$scratch/many" &&
    [ "$(grep -c '^  line ' "$scratch/refusal")" -eq 10 ]
}
claim "the first ten mismatches are listed, the others counted" ten_of_them

trace large "op,block,size,label" create,,, malloc,1,64,small malloc,2,4096,large info,2,4096, \
  realloc,2,64, free,2,, destroy,,,
limited() {
  export CADASTRE_LIMIT=HOST=1K
  replayed 1 "$scratch/large" && has operations 7 && has mismatches 1 && has skipped 3 && has got 201 &&
    has live_blocks 1
  outcome=$?
  unset CADASTRE_LIMIT
  return $outcome
}
claim "a block that does not fit is counted, what is done with it is skipped, and the replay continues" limited

no_context() {
  refused 1 "7 operations by 1 thread on 0 contexts: 1 failure, 1 mismatch, 6 skipped" \
    env CADASTRE_BACKEND=nonsense "$CADASTRE" replay "$scratch/large" &&
    grep -q "CADASTRE_BACKEND=nonsense" "$scratch/refusal"
}
claim "where no context can be created the reason is reported and everything is skipped" no_context

trace reuse "op,block,size,result" create,,, malloc,1,64, free,1,, malloc,2,64, free,1,,2 info,1,,2 \
  info,2,64, free,2,,
reused() {
  replayed 0 --uninitialized "$scratch/reuse" && has mismatches 0 && has reused_addresses 2 &&
    has deallocations 2
}
not_reused() { replayed 0 --uninitialized "$scratch/reuse" && has mismatches 0 && has reused_addresses 0; }
if not_reused >"$scratch/said"; then
  skip "a stale free does not free the block that got its address" "no address was returned again"
else
  claim "a stale free does not free the block that got its address" reused
fi

trace realloc "op,block,size" create,, malloc,1,4096 info,1,4096 realloc,1,8192 info,1,8192 \
  realloc,1,100 info,1,100
reallocated() {
  replayed 0 "$scratch/realloc" && has reallocations 2 && has high_water_mark_bytes 8192 && has live_bytes 100 &&
    has live_blocks 1
}
claim "realloc is performed, keeps the block's number, and is counted" reallocated

trace copy "op,block,source,size,result" create,,,, malloc,1,,64, malloc,2,,32, copy,1,2,32, \
  copy,1,-1,64, copy,-2,1,64, copy,1,2,64,107 copy,1,,8,3 copy,,1,8,2
copied() { replayed 0 "$scratch/copy" && has operations 9 && has failures 3; }
claim "copies between blocks and foreign pointers are performed within their bounds" copied

extreme() { replayed 0 "$scratch/extreme" && has failures 1; }
trace extreme "op,block,size,result" create,,, malloc,1,0, info,1,0, \
  malloc,,18446744073709551615,2 free,1,,
claim "blocks of 0 bytes and of SIZE_MAX bytes are replayed" extreme

nothing() { replayed 0 "$scratch/nothing" && has operations 0; }
trace nothing op
claim "a trace of nothing is replayed" nothing

standard_input() { cadastre replay - <"$traces/forces.trace.gz" | grep -q "standard input"; }
claim "a compressed trace is read from the standard input" standard_input

several() {
  cadastre replay "$traces/forces.trace.gz" "$traces/test_qmckl_mo.trace.gz" >"$scratch/out" &&
    [ "$(grep -c '^Wall time' "$scratch/out")" -eq 2 ]
}
claim "several traces get a section each" several

repeated() {
  replayed 0 --repeat 5 "$traces/test_qmckl_memory.trace.gz" && has operations 14 && has repeat 5 &&
    has failures 25 && has allocations 3 && grep -q '"count": 15,' "$scratch/json"
}
claim "repeats add up in times and failures, and not in memory" repeated

not_zeroed() {
  replayed 0 --uninitialized "$traces/forces.trace.gz" && has zeroed_bytes 0 && has total_bytes "$total"
}
replayed 0 "$traces/forces.trace.gz"
total=$(member total_bytes <"$scratch/json")
zeroed() { has zeroed_bytes "$total"; }
claim "all bytes are zeroed" zeroed
claim "and none with --uninitialized" not_zeroed

trace big "op,block,size" create,, malloc,1,268435456
peak_resident() { cadastre replay --json "$@" "$scratch/big" | member peak_resident_bytes; }
untouched() { [ "$(peak_resident)" -lt 134217728 ]; }
touched() { [ "$(peak_resident --touch)" -ge 268435456 ]; }
claim "a block that nobody writes to has no memory of its own" untouched
claim "every page can be touched, and is resident then" touched
claim "the report shows processor time and resident memory" says " resident at most" cadastre replay --touch "$scratch/big"
claim "so it does in JSON" says '"peak_resident_bytes": ' cadastre replay --touch --json "$scratch/big"

# What a trace of host memory allocates: peak bytes and blocks of one context, total, and what is left.
arithmetic() {
  cadastre convert "$1" | awk -F, '
    /^#/ { next }
    !column["op"] { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { context = $column["context"]; block = $column["block"] }
    $column["result"] { next }
    $column["op"] == "malloc" {
      owner[block] = context; size[block] = $column["size"]
      total += size[block]; bytes[context] += size[block]; blocks[context]++
      if (bytes[context] > most_bytes) most_bytes = bytes[context]
      if (blocks[context] > most_blocks) most_blocks = blocks[context]
    }
    $column["op"] == "free" {
      bytes[owner[block]] -= size[block]
      blocks[owner[block]]--
      delete size[block]
    }
    END {
      for (block in size) { left++; left_bytes += size[block] }
      printf "%.0f %d %.0f %d %.0f\n", most_bytes, most_blocks, total, left, left_bytes
    }'
}

for name in forces test_qmckl_memory test_qmckl_mo dmc_alz_w40_s40 python_test_api; do
  agrees() {
    replayed 0 "$traces/$name.trace.gz"
    found=
    for one in high_water_mark_bytes high_water_mark_blocks total_bytes live_blocks live_bytes; do
      found="$found$(member $one <"$scratch/json") "
    done
    calculated="$(arithmetic "$traces/$name.trace.gz") "
    echo "the library: $found, arithmetic: $calculated"
    [ "$found" = "$calculated" ]
  }
  claim "the library's peak, total and rest of $name are those of arithmetic on the trace" agrees
done

trace leak "op,block,size,label" create,,, malloc,1,1000,walkers malloc,2,24,walkers \
  malloc,3,3000,orbitals malloc,4,7, free,1,, destroy,,,
labels() {
  cadastre replay "$scratch/leak" | sed -n '/^Not freed/,$p' | tr -s ' ' >"$scratch/out"
  cat "$scratch/out"
  [ "$(sed -n '2p' "$scratch/out")" = " 2.93 KiB 1 block HOST orbitals" ] &&
    [ "$(sed -n '3p' "$scratch/out")" = " 24 B 1 block HOST walkers" ] &&
    [ "$(sed -n '4p' "$scratch/out")" = " 7 B 1 block HOST (no label)" ]
}
claim "what was never freed is listed by label, most bytes first" labels
# The report without its heading, of text and of records.
ends_with_the_report() {
  for of in "$traces/forces.trace.gz" "$traces/gpu_test_qmckl_mo.trace.gz" "$scratch/leak.trace"; do
    cadastre report "$of" | sed '1,/^$/d' >"$scratch/reported" && [ -s "$scratch/reported" ] || return 1
    cadastre replay --memory-type HOST "$of" | tail -n "$(wc -l <"$scratch/reported")" | diff "$scratch/reported" - || return 1
  done
}
cadastre convert --output "$scratch/leak.trace" "$scratch/leak"
claim "a replay ends with what report says of the trace" ends_with_the_report

# Copies that were refused, each of which may succeed in the replay.
trace elsewhere op,context,block,source,size,result create,1,,,, create,2,,,, malloc,1,1,,16, malloc,2,2,,2000000, \
  copy,2,1,2,2000000,3 free,1,1,,, destroy,1,,,,
trace device op,context,block,source,size,type,result create,1,,,,, create,2,,,,, malloc,1,1,,64,DEVICE, \
  malloc,2,2,,64,DEVICE, copy,2,1,2,64,,2
trace gone op,context,block,source,size,result create,1,,,, create,2,,,, malloc,1,1,,64, malloc,2,2,,64, destroy,1,,,, \
  copy,2,1,2,64,2
{
  printf '%s\n' op,block,source,size,result create,,,, malloc,1,,64, malloc,2,,64, free,1,,,
  awk 'BEGIN { for (i = 3; i < 20000; i++) printf "malloc,%d,,64,\nfree,%d,,,\n", i, i }'
  echo copy,1,2,64,2
} >"$scratch/forgotten"
trace kept_here op,block,source,size,result create,,,, malloc,1,,64, malloc,2,,64, free,1,,,2 copy,1,2,64,
skipped_copy() { replayed "$2" --memory-type HOST "$scratch/$1" && has skipped_copies 1 && has mismatches "$2"; }
claim "a refused copy with a block of another context is skipped" skipped_copy elsewhere 0
claim "one of device memory, where that is allocated on the host" skipped_copy device 0
claim "one with a block of a context that was destroyed" skipped_copy gone 0
claim "one with a block that was freed and is forgotten" skipped_copy forgotten 0
claim "a copy with a block that ended only in the replay is skipped" skipped_copy kept_here 1
in_words() { says "1 operation skipped: a copy with a block that is not alive" cadastre replay "$scratch/gone"; }
claim "the report says so" in_words

trace kept "op,context,block,size" create,1,, create,2,, malloc,1,1,10 malloc,2,2,20 destroy,2,,
kept() {
  says "Never destroyed: 1 context" cadastre replay "$scratch/kept" &&
    says "Up to 2 contexts were alive at once" cadastre replay "$scratch/kept"
}
claim "a context that is never destroyed is reported" kept

adds_up() {
  # After the total of the wall time come those of call, registry and backend of each operation.
  replayed 0 --repeat 20 "$traces/forces.trace.gz" &&
    sed -n 's/^ *"total": *\([0-9]*\).*/\1/p' "$scratch/json" | awk '
      NR % 3 == 2 { call = $1 }
      NR % 3 == 0 { registry = $1 }
      NR % 3 == 1 && NR > 1 {
        print call, registry, $1
        sums++
        backend += $1
        if (call != registry + $1) wrong++
      }
      END { exit !(sums == 5 && !wrong && backend > 0) }'
}
claim "the time of a call is the sum of the times in the registry and in the backend" adds_up

# Four threads, each with blocks of its own, each also freeing what its neighbour allocated.
{
  echo "op,block,size,thread,result"
  echo "create,,,1,"
  awk 'BEGIN {
    for (i = 0; i < 2000; i++) {
      thread = i % 4 + 1
      printf "malloc,%d,%d,%d,\n", i + 1, 16 + i % 5000, thread
      printf "info,%d,%d,%d,\n", i + 1, 16 + i % 5000, (i + 2) % 4 + 1
      if (i % 10) printf "free,%d,,%d,\n", i + 1, (i + 1) % 4 + 1
      if (i % 7 == 0) printf "free,,,%d,2\n", thread
    }
  }'
  echo "destroy,,,3,"
} >"$scratch/threads"
threads() {
  replayed 0 --repeat 20 "$scratch/threads" && has threads 4 && has mismatches 0 &&
    has allocations 2000 && has deallocations 1800 && has live_blocks 200
}
claim "threads of a trace run as threads, and an operation waits for earlier ones on its block" threads

# Each operation is on another thread than the one before it, and must wait for it.
{
  echo "op,block,size,thread"
  awk 'BEGIN {
    for (i = 0; i < 300; i++) {
      t = 3 * i
      printf "create,,,%d\nmalloc,1,64,%d\nrealloc,1,128,%d\ninfo,1,128,%d\nfree,1,,%d\ndestroy,,,%d\n",
        t % 5 + 1, (t + 1) % 5 + 1, (t + 2) % 5 + 1, (t + 3) % 5 + 1, (t + 4) % 5 + 1, (t + 6) % 5 + 1
    }
  }'
} >"$scratch/relay"
relay() {
  replayed 0 --repeat 5 "$scratch/relay" && has mismatches 0 && has operations 1800 &&
    has contexts_at_once 1
}
claim "a number that five threads give to one context after another is the right one each time" relay

written() {
  : >"$scratch/new" # has the permissions that the umask leaves
  cadastre replay -o "$scratch/report" "$traces/test_qmckl_memory.trace.gz" &&
    grep -q "14 operations" "$scratch/report" &&
    [ "$(stat -c %a "$scratch/report")" = "$(stat -c %a "$scratch/new")" ]
}
claim "a report is written to a file, with the permissions that a new file has" written

replaced() {
  echo old >"$scratch/old" && chmod 600 "$scratch/old" && ln -s old "$scratch/link" &&
    cadastre info -o "$scratch/link" && [ -L "$scratch/link" ] && grep -q Backends "$scratch/old" &&
    [ "$(stat -c %a "$scratch/old")" = 600 ]
}
claim "a file is replaced with its permissions, and the link to it stays" replaced

own_trace() {
  cadastre convert "$traces/test_qmckl_memory.trace.gz" >"$scratch/own.csv"
  before=$(cksum <"$scratch/own.csv")
  refused 2 "the output is the trace" cadastre replay -o "$scratch/./own.csv" "$scratch/own.csv" &&
    [ "$(cksum <"$scratch/own.csv")" = "$before" ]
}
claim "a report never replaces the trace it is about" own_trace

nothing_left() { [ -z "$(find "$scratch" -name 'report.*' -o -name 'old.*')" ]; }
claim "no temporary file stays behind" nothing_left

mkfifo "$scratch/fifo"
through_a_pipe() {
  cat "$scratch/fifo" >"$scratch/came" &
  if cadastre info -o "$scratch/fifo" && [ -p "$scratch/fifo" ]; then
    wait $! && grep -q Backends "$scratch/came"
  else
    kill $!
    return 1
  fi
}
claim "what is not a regular file is written to and not replaced" through_a_pipe

if [ -c /dev/full ]; then
  full() { cadastre info >/dev/full; }
  claim "a full disk is an error of the standard output" \
    refused 2 "cannot write to the standard output: No space left" full
  if [ "$(id -u)" -ne 0 ]; then
    claim "and of a device" \
      refused 2 "cannot write /dev/full: No space left" cadastre info -o /dev/full
  else
    skip "and of a device" "if this failed, root would have replaced /dev/full"
  fi
  help_full() { cadastre --help >/dev/full; }
  claim "and of the help" refused 2 "No space left" help_full
else
  skip "a full disk is an error" "there is no /dev/full"
fi

# LLVM's runtime needs a file of its own to start with, and would be the one to fail.
too_large() {
  (trap '' XFSZ; ulimit -f 1
   CADASTRE_OPENMP_MODULE=/nonexistent; export CADASTRE_OPENMP_MODULE
   exec "$CADASTRE" info --json -o "$scratch/report")
}
claim "a file that cannot be written whole" \
  refused 2 "cannot write $scratch/report: File too large" too_large
as_before() { grep -q "14 operations" "$scratch/report" && nothing_left; }
claim "is left as it was, and no temporary file remains" as_before

closed() { cadastre info >&-; }
claim "a closed standard output is an error" refused 2 "cannot write to the standard output" closed

claim "a folder that is not there is found before the trace is read" \
  refused 2 "cannot write $scratch/nowhere/report: No such file" \
  cadastre replay -o "$scratch/nowhere/report" "$scratch/missing"
ln -s nowhere/at/all "$scratch/dangling"
claim "a link to nothing is not replaced" \
  refused 2 "cannot write $scratch/dangling: it is a link to a file that is not there" cadastre info -o "$scratch/dangling"
claim "and stays" [ -L "$scratch/dangling" ]
claim "a folder is no file" refused 2 "cannot write $scratch: Is a directory" cadastre info -o "$scratch"

pipe() {
  { cadastre replay --json "$traces/dmc_alz_w8_s150.trace.gz" 2>"$scratch/err"; } | head -n 1
  ! grep -q . "$scratch/err"
}
claim "a reader that closes the pipe causes no message" pipe

claim "a trace that is not there is named" \
  refused 2 "cadastre: $scratch/missing: No such file or directory" cadastre replay "$scratch/missing"
trace malformed "op,block,size" create,, malloc,1,12x
claim "a malformed line is named by file, line and column" \
  refused 2 "cadastre: $scratch/malformed:3:10: size '12x' is not a number of bytes;" \
  cadastre replay "$scratch/malformed"
silent() { [ -z "$(cadastre replay "$traces/forces.trace.gz" "$scratch/malformed" 2>/dev/null)" ]; }
claim "and nothing is replayed or written" silent
trace twice "op,block,size" create,, malloc,1,12 free,1, free,1,
claim "so is what cannot have happened" \
  refused 2 "$scratch/twice:5:6: block 1 was freed on line 4;" cadastre replay "$scratch/twice"
head -c 20000 "$traces/forces.trace.gz" >"$scratch/cut.gz"
claim "a trace that was cut off is refused" refused 2 "ends too early" cadastre replay "$scratch/cut.gz"
printf 'op\ncre\000ate\n' >"$scratch/nul"
claim "a NUL byte is refused" refused 2 "$scratch/nul:2:4: a NUL byte" cadastre replay "$scratch/nul"
awk 'BEGIN { printf "op\n"; for (i = 0; i < 1000000; i++) printf "x" }' >"$scratch/long"
claim "a trace of more operations than are allowed is refused" \
  refused 2 "more than 5 operations" cadastre replay --max-operations 5 "$traces/test_qmckl_memory.trace.gz"
claim "a line of a megabyte is refused" \
  refused 2 "$scratch/long:2:65537: the line is longer" cadastre replay "$scratch/long"

for arguments in "" --frobnicate frobnicate info=extra "info extra" "info --repeat 3" replay \
  "replay --repeat 0 x" "replay --repeat -1 x" "replay --repeat x x" "replay --memory-type GPU x" \
  "replay --frobnicate"; do
  # shellcheck disable=SC2086
  claim "wrong arguments are refused: cadastre $arguments" \
    refused 2 "Try 'cadastre" cadastre $arguments
done
claim "an unknown option is named before a missing trace is" \
  refused 2 "--frobnicate" cadastre replay --frobnicate

trace small 'op,block,size,result' 'create,,,' 'malloc,1,64,' 'free,1,,' 'free,1,,2' 'destroy,,,'

# recorded FILE: a program writes its trace there.
recorded() {
  "$CADASTRE" record --trace "$scratch/$1" -- "$CADASTRE" replay "$scratch/small" >/dev/null &&
    cadastre convert "$scratch/$1" >"$scratch/lines" && [ "$(grep -c '^free,1,1,' "$scratch/lines")" -eq 2 ] && cadastre replay "$scratch/$1"
}
claim "record runs a program that writes its trace" recorded recorded
claim "as CSV where the name says so" recorded recorded.csv
is_text() { [ "$(head -c 10 "$scratch/recorded.csv")" = "# cadastre" ] && [ "$(head -n 1 "$scratch/recorded")" = "cadastre trace" ]; }
claim "and else as records" is_text
same_both_ways() {
  cadastre convert --output "$scratch/again" "$scratch/recorded.csv" && cadastre convert --output "$scratch/again.csv" "$scratch/again" &&
    cadastre convert "$scratch/recorded.csv" | diff - "$scratch/again.csv"
}
claim "either form is made of the other one" same_both_ways
# compresses END PROGRAM: what convert writes to such a name is for that program, and is what it writes else.
compresses() {
  cadastre convert -o "$scratch/packed.csv$1" "$scratch/recorded" && cadastre convert "$scratch/recorded" >"$scratch/plain.csv" &&
    "$2" -dc "$scratch/packed.csv$1" | diff "$scratch/plain.csv" - && cadastre convert -o "$scratch/packed$1" "$scratch/recorded" &&
    "$2" -dc "$scratch/packed$1" | cmp - "$scratch/again" && cadastre replay "$scratch/packed$1"
}
cadastre convert -o "$scratch/again" "$scratch/recorded"
claim "compressed, where the name of its file says so" compresses .gz gzip
if "$CADASTRE" convert -o "$scratch/packed.zst" "$scratch/recorded" 2>&1 | grep -q "which this build does not have"; then
  claim "a build without zstd refuses a name of zstd" refused 2 "name one that ends in .gz" cadastre convert -o "$scratch/packed.zst" "$scratch/recorded"
elif command -v zstd >/dev/null; then
  claim "by zstd, too" compresses .zst zstd
else
  skip "by zstd, too" "there is no zstd"
fi
cadastre report --json -o "$scratch/report.json.gz" "$scratch/recorded"
claim "a report, too" says "\"traces\": " gzip -dc "$scratch/report.json.gz"
many_at_one_time() {
  awk 'BEGIN { print "op,block,size"; print "create,,"; for (i = 1; i <= 150000; i++) printf "malloc,1,64\nfree,1,\n" }' >"$scratch/many.csv"
  cadastre convert --output "$scratch/many" "$scratch/many.csv" && cadastre convert "$scratch/many" | cut -d, -f1,3,5 >"$scratch/many.back" &&
    [ "$(grep -c '^free,' "$scratch/many.back")" -eq 150000 ]
}
claim "many parts of one time, too" many_at_one_time
longer_than_a_buffer() {
  cadastre convert "$scratch/many" >"$scratch/many.csv" && cadastre convert -o "$scratch/many.csv.gz" "$scratch/many" &&
    gzip -dc "$scratch/many.csv.gz" | cmp - "$scratch/many.csv"
}
claim "compressed, however long" longer_than_a_buffer
claim "and read from the standard input, compressed" says "6 operations by 1 thread" sh -c 'gzip -c "$0" | "$1" replay -' "$scratch/recorded" "$CADASTRE"
claim "convert wants one trace" refused 2 "convert needs one trace" cadastre convert
claim "and does not write over what it reads" refused 2 "the output is the trace" cadastre convert --output "$scratch/again" "$scratch/again"

its_own_words() {
  [ "$("$CADASTRE" record --trace="$scratch/unused" printf '%s|' --report -- -h)" = '--report|--|-h|' ] &&
    [ ! -e "$scratch/unused" ]
}
claim "the words after the program are its own, and one without contexts writes nothing" its_own_words
claim "reports go to the standard error on request" \
  says "high-water" "$CADASTRE" record --report stderr "$CADASTRE" replay "$scratch/small"
claim "record ends as the program does" refused 7 "done" "$CADASTRE" record --report x sh -c 'echo done; exit 7'
claim "with 127 where there is none" refused 127 "cannot run nosuch" "$CADASTRE" record --report x nosuch
claim "with 126 where it cannot be run" refused 126 "cannot run $scratch" "$CADASTRE" record --report x "$scratch"
claim "record needs a program" refused 2 "needs a program" "$CADASTRE" record --trace x
claim "record needs a file" refused 2 "--trace FILE" "$CADASTRE" record true
claim "what is no occasion is refused before the program runs" refused 2 "exits: they must be occasions as in near:90%" "$CADASTRE" record --report-on exits echo ran
claim "and not the standard output" refused 2 "- is not one" "$CADASTRE" record --trace - true
claim "an unknown option is refused" refused 2 "--trac" "$CADASTRE" record --trac x true

# Of three ranks, the one with the highest peak stays, and a report says what became of the others.
trace large 'op,block,size,result' 'create,,,' 'malloc,1,1000000,' 'free,1,,' 'destroy,,,'
highest() {
  mkdir -p "$scratch/highest" && rm -f "$scratch/highest/"*
  for rank in 0 1 2; do
    [ $rank = 1 ] && set -- "$scratch/large" || set -- "$scratch/least"
    PMI_RANK=$rank PMI_SIZE=3 "$CADASTRE" record --trace "$scratch/highest/run.%r" --keep-highest 1 "$CADASTRE" replay "$1" >/dev/null || return 1
  done
  [ "$(cd "$scratch/highest" && echo *)" = "run.1 run.all.highest" ]
}
trace least 'op,block,size,result' 'create,,,' 'malloc,1,2000,' 'free,1,,' 'destroy,,,'
claim "record keeps the highest traces" highest
claim "report tells how many were removed" says "2 traces with lower peaks were removed" sh -c '"$0" report "$1"/run.* 2>&1' "$CADASTRE" "$scratch/highest"
claim "and reports on the others" says "4 operations by 1 thread" sh -c '"$0" report "$1"/run.* 2>/dev/null' "$CADASTRE" "$scratch/highest"
claim "a list alone is no trace" refused 2 "there is no trace among the files" "$CADASTRE" report "$scratch/highest/run.all.highest"
claim "--keep-highest is of traces" refused 2 "--keep-highest is of traces" "$CADASTRE" record --keep-highest 3 --report x true
claim "and wants a number" refused 2 "keep-highest" "$CADASTRE" record --keep-highest 0 --trace x true

# Several processes share a file.
joined() {
  mkdir -p "$scratch/joined" && rm -f "$scratch/joined/"*
  for rank in 0 1 2; do
    PMI_RANK=$rank PMI_SIZE=3 "$CADASTRE" record --join --trace "$scratch/joined/run" "$CADASTRE" replay "$scratch/least" >/dev/null || return 1
  done
  [ "$(cd "$scratch/joined" && echo *)" = "run" ]
}
claim "processes that share a name leave one file" joined
claim "which report takes for three traces" says "run#3" "$CADASTRE" report "$scratch/joined/run"
claim "replay performs all of them" says "run#3" "$CADASTRE" replay "$scratch/joined/run"
claim "convert writes one of them as lines" says "malloc" "$CADASTRE" convert "$scratch/joined/run#2"
claim "but not all" refused 2 "has 3 traces, and lines are of one" "$CADASTRE" convert "$scratch/joined/run"
claim "as records it writes all" cadastre convert -o "$scratch/joined/again" "$scratch/joined/run"
claim "which are as many" says "again#3" "$CADASTRE" report "$scratch/joined/again"
claim "one that is compared is named" refused 2 "name one of each" "$CADASTRE" report --diff "$scratch/joined/run" "$scratch/least"
claim "a trace that is not there is refused" refused 2 "trace 4 is asked for; the file has 3" "$CADASTRE" report "$scratch/joined/run#4"
claim "the output must not be the file of a trace that is named" refused 2 "is the trace" "$CADASTRE" convert -o "$scratch/joined/run" "$scratch/joined/run#2"
claim "--join is of traces" refused 2 "--join is of traces" "$CADASTRE" record --join --report x true
claim "and of names that are shared" refused 2 "leave them out, and use %h" "$CADASTRE" record --join --trace x.%r true
claim "and not of lines" refused 2 "traces of lines are not joined" "$CADASTRE" record --join --trace x.csv true
claim "nor of the highest" refused 2 "only some traces are kept" "$CADASTRE" record --join --keep-highest 2 --trace x true
kept_apart() {
  echo important >"$scratch/joined/foreign"
  "$CADASTRE" record --join --trace "$scratch/joined/foreign" "$CADASTRE" replay "$scratch/least" 2>&1 >/dev/null | grep -q "the trace stays in .*foreign.0.*something else than joined traces" &&
    [ "$(cat "$scratch/joined/foreign")" = important ]
}
claim "record says which trace stays apart, and why" kept_apart

# A trace that is replayed is not written to.
spared() {
  cp "$scratch/small" "$scratch/spared"
  refused 2 "$1 names the trace" env "$1=$scratch/spared" "$CADASTRE" replay "$scratch/spared" &&
    cmp "$scratch/small" "$scratch/spared"
}
claim "a trace that CADASTRE_TRACE names is not replayed" spared CADASTRE_TRACE
claim "nor one that CADASTRE_REPORT names" spared CADASTRE_REPORT
spared_under_another_name() {
  cp "$scratch/small" "$scratch/spared%"
  CADASTRE_TRACE=$scratch/spared%% cadastre replay "$scratch/spared%" && cmp "$scratch/small" "$scratch/spared%" &&
    [ "$(find "$scratch" -name 'spared%.*' | grep -c .)" -eq 1 ]
}
claim "nor is one written to that a name with escapes leads to" spared_under_another_name
spared_input() {
  cp "$scratch/small" "$scratch/spared"
  for how in "env CADASTRE_TRACE=$scratch/spared $CADASTRE replay -" "cadastre replay -o $scratch/spared -"; do
    # shellcheck disable=SC2086
    from_spared() { $how <"$scratch/spared"; }
    refused 2 "the trace on the standard input itself" from_spared && cmp "$scratch/small" "$scratch/spared" || return
  done
}
claim "nor one on the standard input" spared_input
claim "where a trace cannot be written the replay works as usual" says "1 failure, as traced" \
  env CADASTRE_TRACE="$scratch/no/such" "$CADASTRE" replay "$scratch/small"

# recording STATUS TEXT ARGUMENT...: of a program that allocates
recording() {
  expected=$1
  text=$2
  shift 2
  refused "$expected" "$text" "$CADASTRE" record "$@" "$CADASTRE" replay "$scratch/small"
}
replaying() { "$CADASTRE" record "$@" "$CADASTRE" replay "$scratch/recorded.csv" 2>&1; }
claim "with --report-on the program reports by itself" says "report: the process ends" replaying --report-on near:90%,exit
claim "a black box that cannot be kept is reported" refused 125 "there is no black box; /no/such: " "$CADASTRE" record --blackbox /no/such "$CADASTRE" replay "$scratch/recorded.csv"
claim "a file that cannot be written costs the trace, and record says so" \
  recording 125 "CADASTRE_TRACE: the file cannot be written (No such file" --trace "$scratch/no/such"
claim "with --preserve-status it ends as the program" recording 0 "No such file" --preserve-status --trace "$scratch/no/such"
other_status() {
  refused 7 "No such file" "$CADASTRE" record --trace "$scratch/no/such" sh -c '"$0" replay "$1"; exit 7' "$CADASTRE" "$scratch/small"
}
claim "as it does where the program has failed itself" other_status
if [ -c /dev/full ]; then
  claim "a full disk is reported at the end" recording 125 "No space left on device" --trace /dev/full
  claim "of a report, too" recording 125 "a report could not be written: No space left on device" --report /dev/full
fi
# cut_short FILE BLOCKS REPEAT: a trace of a program that repeats so often, in a file of so many blocks at most.
cut_short() {
  (ulimit -f "$2"
   trap '' XFSZ
   CADASTRE_OPENMP_MODULE=/nonexistent; export CADASTRE_OPENMP_MODULE
   exec "$CADASTRE" record --trace "$scratch/$1" "$CADASTRE" replay --repeat "$3" "$scratch/small")
}
claim "a trace that a limit cuts off is reported" refused 125 "the trace ends before the program: File too large" cut_short cut.csv 10 50
claim "and ends with the reason" grep -q '^# the trace ends before the program: File too large' "$scratch/cut.csv"
claim "so it is with records" refused 125 "the trace ends before the program: File too large" cut_short cut 400 2000
claim "of which a reader says why they end" says "the trace ends before its program: File too large" cadastre convert "$scratch/cut"
claim "where not even the first fits there is no trace" refused 125 "the trace could not be started: File too large" cut_short none 10 1
two_programs() {
  refused 0 "wrote its trace to $scratch/two." "$CADASTRE" record --trace "$scratch/two.csv" \
    sh -c '"$0" replay "$1" && "$0" replay "$1"' "$CADASTRE" "$scratch/small" &&
    [ "$(grep -c '^create,' "$scratch/two.csv")" -eq 1 ] && [ "$(cat "$scratch"/two.*.csv | grep -c '^create,')" -eq 1 ]
}
claim "a second program of one recording leaves the first one's trace alone" two_programs
claim "a program without Cadastre is reported" refused 0 "nothing was recorded: true created no context" \
  "$CADASTRE" record --trace "$scratch/none" true
by_signal() { "$CADASTRE" record --trace "$scratch/none" sh -c 'kill -TERM $$'; }
claim "a program that a signal ends ends record so" refused 143 "nothing was recorded" by_signal
forwarded() {
  "$CADASTRE" record --trace "$scratch/none" sh -c 'trap "exit 9" TERM; echo ready >"$0"; while :; do sleep 0.05; done' "$scratch/ready" &
  recorder=$!
  while [ ! -s "$scratch/ready" ]; do sleep 0.02; done
  kill -TERM $recorder
  status=0
  wait $recorder || status=$?
  [ $status -eq 9 ]
}
claim "a signal that is sent to record is forwarded" forwarded
log_kept() {
  { echo before; "$CADASTRE" record --trace /dev/stderr "$CADASTRE" replay "$scratch/small"; echo after >&2; } 2>"$scratch/log" >&2
  [ "$(sed -n 1p "$scratch/log")" = before ] && [ "$(tail -n 1 "$scratch/log")" = after ] && grep -q '^create,1' "$scratch/log"
}
claim "a log that the trace goes to is appended to" log_kept

# A copy with more foreign memory than can be allocated must not be done with less.
trace vast 'op,block,source,size,result' 'create,,,,' 'malloc,1,,64,' 'copy,1,-1,9000000000000000000,107' 'copy,1,-1,64,'
claim "a copy with foreign memory that cannot be allocated is skipped" refused 1 "skipped" cadastre replay "$scratch/vast"

trace peaks 'op,block,size,label,time,result' 'create,,,,0,' 'malloc,1,100000,first,1000,' 'malloc,2,50000,second,2000,' 'free,1,,,3000,' \
  'malloc,3,200000,third,4000,' 'malloc,4,1000,,5000,' 'free,4,,,6000,' 'malloc,,900000,fourth,7000,104' 'free,3,,,9000000,' 'destroy,,,,9000001,'
# told LINE...: each is a line of the report on it, with one blank for many.
told() {
  cadastre report "$scratch/peaks" | tr -s ' ' >"$scratch/told"
  for line in "$@"; do
    grep -qxF " $line" "$scratch/told" || grep -qxF "$line" "$scratch/told" || { cat "$scratch/told"; echo "does not say: $line"; return 1; }
  done
}
claim "report tells the peak, when it was, and what was refused" told "HOST 245 KiB 3 5.00 us 343 KiB 4 1"
claim "who held it" told "195 KiB 80 % 1 block HOST third" "48.8 KiB 20 % 1 block HOST second" "0.98 KiB 0 % 1 block HOST (no label)"
not_at_peak() { ! sed -n '/^Who held/,/^$/p' "$scratch/told" | grep first; }
claim "and not who held it before" not_at_peak
claim "who held the rest when one was refused" told \
  "at 7.00 us, 879 KiB HOST for fourth, while 244 KiB were held: 195 KiB third, 48.8 KiB second"
claim "what was never freed" told "48.8 KiB 1 block HOST second"
# peak_of NAME: that of the first memory type of a trace, as report and as replay have it.
peak_of() {
  cadastre report --json "$traces/$1.trace.gz" | sed -n '/"peak": {/{n;s/[^0-9]//gp;q;}' >"$scratch/reported"
  cadastre replay --uninitialized --memory-type HOST --json "$traces/$1.trace.gz" | sed -n 's/.*"high_water_mark_bytes": \([0-9]*\).*/\1/p' | sort -n | tail -n 1 >"$scratch/replayed.peak"
  [ -s "$scratch/reported" ] && diff "$scratch/reported" "$scratch/replayed.peak"
}
for name in dmc_alz_w8_s150 dmc_chbrclf_w100_s100 mo_ortho_alz_g64 test_qmckl_mo gpu_test_qmckl_mo; do
  claim "report and replay have the same peak of $name" peak_of $name
done
either_form() {
  cadastre convert --output "$scratch/as_records" "$traces/dmc_alz_w8_s150.trace.gz" &&
    cadastre report "$scratch/as_records" | sed 1d >"$scratch/of_records" && cadastre report "$traces/dmc_alz_w8_s150.trace.gz" | sed 1d >"$scratch/of_lines" &&
    diff "$scratch/of_lines" "$scratch/of_records" && grep -q "^Who held" "$scratch/of_lines"
}
claim "a trace of records is told as one of lines" either_form
claim "several traces are told side by side" says "2 traces" cadastre report "$scratch/peaks" "$traces/test_qmckl_mo.trace.gz"
# The black box of a program that was killed, for want of memory or by others.
boxes=$scratch/boxes
mkdir "$boxes"
boxed() {
  CADASTRE_BLACKBOX=$boxes CADASTRE_LIMIT=HOST=1M cadastre replay "$traces/test_qmckl_mo.trace.gz" >"$scratch/boxed" 2>&1
  [ -z "$(ls "$boxes")" ]
}
claim "a process that ends normally leaves no black box" boxed
claim "top says that none runs" says "No process runs with a black box there" cadastre top "$boxes"
head -c 598016 /dev/zero >"$boxes/zero"
printf 'cadastre box\n' | dd of="$boxes/zero" conv=notrunc 2>/dev/null
claim "a black box is no trace" refused 2 "this is a black box and no trace" cadastre report "$boxes/zero"
rm "$boxes/zero"
claim "a folder without one is refused" refused 2 "there is no black box" cadastre report --blackbox "$boxes"
echo nothing >"$boxes/cadastre-foreign-1.blackbox"
claim "what is none in a folder is named, and hides nothing" refused 1 "this is no black box" cadastre report --blackbox "$boxes"
rm "$boxes"/*
claim "what is of traces is refused" refused 2 "--diff and --fail-if are of traces" cadastre report --blackbox --fail-if 'peak>0' "$boxes"
claim "neither CSV nor pictures are of black boxes" refused 2 "is text or JSON" cadastre report --blackbox --format csv "$boxes"
claim "a file that is none is refused" refused 2 "this is no black box" cadastre report --blackbox "$traces/test_qmckl_mo.trace.gz"
claim "so is a folder that is not there" refused 2 "No such file or directory" cadastre top "$scratch/nowhere"
claim "report wants a trace" refused 2 "report needs a trace" cadastre report
claim "and refuses what is none" refused 2 "names no column" cadastre report "$scratch/of_lines"

no_bar() {
  cadastre replay --repeat 30 "$scratch/threads" 2>"$scratch/err" >/dev/null && [ ! -s "$scratch/err" ]
}
claim "nothing is drawn where the standard error is no terminal" no_bar
{
  echo "op,block,size"
  echo "create,,"
  awk 'BEGIN { for (i = 1; i <= 50000; i++) printf "malloc,1,64\nfree,1,\n" }'
} >"$scratch/busy"
on_terminal() { script -qec "$1" /dev/null </dev/null >"$scratch/typescript" 2>&1; }
if on_terminal true; then
  bar() {
    repeat=20
    while [ $repeat -le 40000 ]; do
      on_terminal "'$CADASTRE' replay --repeat $repeat '$scratch/busy' >/dev/null"
      grep -q "busy \[##*\.*\] [0-9]* %" "$scratch/typescript" && break
      repeat=$((4 * repeat))
    done
    # What comes last is blanks over the bar, between two carriage returns.
    [ "$(tail -c 1 "$scratch/typescript" | od -An -tx1 | tr -d ' ')" = 0d ] &&
      tr '\r' '\n' <"$scratch/typescript" | tail -n 1 | grep -q '^ *$'
  }
  claim "a long replay draws a bar on a terminal, and clears it" bar
  short() {
    on_terminal "'$CADASTRE' replay '$traces/test_qmckl_memory.trace.gz' >/dev/null"
    [ ! -s "$scratch/typescript" ]
  }
  claim "a short one does not" short
else
  skip "a long replay draws a bar on a terminal, and clears it" "script cannot make a terminal here"
fi

page=$srcdir/src/command/cadastre.1
for which in "" info replay record report convert top; do
  # shellcheck disable=SC2086
  cadastre $which --help
done | grep -o -- '--[a-z][a-z-]*' | sort -u >"$scratch/helped"
sed 's/\\-/-/g' "$page" | grep -o -- '--[a-z][a-z-]*' | sort -u >"$scratch/described"
claim "the manual page and the help have the same options" diff "$scratch/helped" "$scratch/described"
some_options() { [ "$(wc -l <"$scratch/helped")" -ge 8 ]; }
claim "and these are eight at least" some_options
if command -v groff >/dev/null; then
  clean() { [ -z "$(groff -man -Tascii -ww -z "$page" 2>&1)" ] || groff -man -Tascii -ww -z "$page"; }
  claim "groff reports nothing about the manual page" clean
else
  skip "groff reports nothing about the manual page" "groff is not installed"
fi
example() {
  printf 'op,block,size,result\ncreate,,,\nmalloc,1,64,\nfree,1,,\nfree,1,,2\n' |
    cadastre replay - | grep -q "1 failure, as traced"
}
claim "the double free of the manual's example is what it says" example

trace captured "op,id,id2,size,ctx,rc,t_ns,dur_ns" create,0,0,0,1,0,0,9 malloc_device,1,0,64,1,0,10,9 \
  malloc_host,2,0,32,1,0,20,9 H2D,1,0,64,1,0,30,9 D2D,1,2,32,1,0,40,9 malloc_device,0,0,1,1,-1,50,9 \
  free_device,1,0,64,1,0,60,9 free_device,0,0,0,1,2,70,9 drop,2,0,32,1,0,80,0 destroy,0,0,0,1,0,75,9
cat >"$scratch/expected" <<'END'
# a test
op,context,block,source,size,type,time,result
create,1,,,,,0,
malloc,1,1,,64,DEVICE,10,
malloc,1,2,,32,,20,
copy,1,1,-1,64,,30,
copy,1,1,2,32,,40,
malloc,1,,,1,DEVICE,50,104
free,1,1,,,,60,
free,1,,,,,70,2
destroy,1,,,,,75,
END
converted() {
  "$srcdir/tools/convert-qmckl-trace" --comment "a test" "$scratch/captured" "$scratch/converted.gz" &&
    gzip -dc "$scratch/converted.gz" | diff "$scratch/expected" - &&
    replayed 1 --memory-type HOST "$scratch/converted.gz" && has mismatches 1 && has live_blocks 1
}
if command -v python3 >/dev/null; then
  claim "a captured trace is converted, and only the malloc that failed there succeeds here" converted
else
  skip "a captured trace is converted" "python3 is not installed"
fi

finish
