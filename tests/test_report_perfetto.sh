#!/bin/sh
# Tangled from org/tests/report_perfetto_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# cadastre report --format perfetto.
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

CADASTRE=${CADASTRE:-./cadastre}
command -v python3 >/dev/null || skip_all "there is no python3"

# events TRACE...: of these, all events are well formed and agree with the report as JSON
events() {
  "$CADASTRE" report --json "$@" >"$scratch/report.json" && "$CADASTRE" report --format perfetto "$@" >"$scratch/events.json" &&
    python3 "$srcdir/tests/trace_events.py" "$scratch/report.json" "$scratch/events.json"
}
for name in dmc_alz_w8_s150 gpu_test_qmckl_mo mo_ortho_alz_g64; do
  claim "events of $name are well formed, and have the peaks of the report" events "$srcdir/traces/$name.trace.gz"
done
claim "those of several traces, too" events "$srcdir/traces/forces.trace.gz" "$srcdir/traces/gpu_test_qmckl_ao.trace.gz"

cat >"$scratch/hard.csv" <<'EOT'
op,block,size,label,type,time,result
create,,,,,0,
malloc,1,1000,"a ""quoted"" \ label",DEVICE,1001,
malloc,2,3000,,HOST,2002,
malloc,,9000000,third,DEVICE,2500,104
free,1,,,,3003,
destroy,,,,,4004,
EOT
claim "a label may have quotes, and a refusal is an instant" events "$scratch/hard.csv"
claim "it has the time of its refusal" grep -q '"refused: 8.58 MiB DEVICE for third", "ph": "i", "s": "p", "ts": 2.500' "$scratch/events.json"

printf '%s\n' 'op,block,size,type,label,time,device' create,,,,,0, malloc,1,1024,DEVICE,a,1000,'cuda 0' malloc,2,512,DEVICE,a,2000,'cuda 1' free,1,,,,3000, \
  malloc,3,4096,HOST,b,3500, malloc,4,600,DEVICE,a,4000,'cuda 1' free,2,,,,5000, >"$scratch/devices.csv"
claim "each of several devices has a counter, and a peak" events "$scratch/devices.csv"
claim "and labels say of which they are" grep -q '"live DEVICE cuda 1: a", "ph": "C", "ts": 4.000, "pid": 1, "args": {"bytes": 1112}' "$scratch/events.json"

# So many that moments are joined, and labels too.
awk 'BEGIN {
  print "op,block,size,label,type,time"; print "create,,,,,0"
  for (i = 1; i <= 220000; ++i) {
    if (i > 50) printf "free,%d,,,,%d\n", i - 50, i * 10
    printf "malloc,%d,%d,label %d,%s,%d\n", i, (i * 7919) % 100003 + 1, i % 61, i % 3 ? "HOST" : "PINNED", i * 10 + 5
  }
}' >"$scratch/many.csv"
claim "peaks of many changes are exact" events "$scratch/many.csv"
printf 'op\ncreate\ndestroy\n' >"$scratch/nothing.csv"
claim "a trace of nothing has the name of its process" events "$scratch/nothing.csv"
finish
