#!/bin/sh
# Tangled from org/tests/trace_report_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
# The forms of cadastre report.
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

CADASTRE=${CADASTRE:-./cadastre}
for variable in $(env | sed -n 's/^\(CADASTRE_[A-Za-z0-9_]*\)=.*/\1/p'); do
  unset "$variable"
done
LC_ALL=C
export LC_ALL

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

# same TEXT COMMAND...: the command succeeds, and writes these lines and no others
same() {
  printf '%s\n' "$1" >"$scratch/expected"
  shift
  "$@" >"$scratch/written" && diff "$scratch/expected" "$scratch/written"
}

# Blocks of two types and four labels, of which "early" is gone when all are most.
trace mixed 'op,block,size,type,label,time,result' 'create,,,,,0,' 'malloc,1,500,HOST,early,10,' 'free,1,,,,20,' \
  'malloc,2,1000,HOST,two words; or more,30,' 'malloc,3,400,DEVICE,solver/matrix/,40,' 'malloc,4,30,HOST,,50,' 'malloc,5,2,HOST,///,60,' \
  'free,4,,,,70,' 'malloc,6,5,DEVICE,"a, ""b""",80,' 'malloc,,9000,DEVICE,solver/matrix,90,104' 'free,3,,,,2000000,' 'destroy,,,,,2000001,'

claim "folded stacks have the bytes of each label at the peak, and in no frame a blank or a semicolon" same "HOST;two_words:_or_more 1000
DEVICE;solver;matrix 400
HOST;(no_label) 30
HOST;/// 2" "$CADASTRE" report --format folded "$scratch/mixed"
trace small 'op,block,size,label' 'create,,,' 'malloc,1,64,less'
# recorded FILE RANK: the trace of a process of this rank, which replays a small one
recorded() {
  env OMPI_COMM_WORLD_RANK="$2" "$CADASTRE" record --trace "$scratch/$1" "$CADASTRE" replay "$scratch/small" >"$scratch/said.record"
}
of_ranks() {
  recorded rank0 0 && recorded rank1 1 && same "rank_0;HOST;less 64
rank_1;HOST;less 64" "$CADASTRE" report --format folded "$scratch/rank0" "$scratch/rank1"
}
claim "those of several ranks begin with the rank" of_ranks
of_one_rank() {
  recorded again 0 && "$CADASTRE" report --format folded "$scratch/rank0" "$scratch/again" >"$scratch/written" &&
    [ "$(grep -c '^process_[0-9]*_on_[^ ;]*;HOST;less 64$' "$scratch/written")" -eq 2 ] && [ "$(sort -u "$scratch/written" | wc -l)" -eq 2 ]
}
claim "those of one rank with the process" of_one_rank
claim "and those of unknown processes with the name" same "$scratch/mixed;HOST;two_words:_or_more 1000
$scratch/mixed;DEVICE;solver;matrix 400
$scratch/mixed;HOST;(no_label) 30
$scratch/mixed;HOST;/// 2
$scratch/small;HOST;less 64" "$CADASTRE" report --format folded "$scratch/mixed" "$scratch/small"
nothing_allocated() {
  trace none 'op' 'create'
  "$CADASTRE" report --format folded "$scratch/none" >"$scratch/written" && [ ! -s "$scratch/written" ]
}
claim "a trace in which nothing was allocated has no stacks" nothing_allocated

trace hard 'op,block,size,label' 'create,,,' 'malloc,1,1,"a ""quoted"", one"' "malloc,2,2,'=1+1" "malloc,3,3,''" 'malloc,4,4,' 'free,1,,'
# some_columns TRACE: those of labels and of what was allocated and never freed
some_columns() { "$CADASTRE" report --format csv "$1" | sed "s|^$1,,,,||; s|^trace,process,host,rank,||; s|\(,[0-9]*\)\{9\},[a-z]*,,0,0,\$||; s|,at_peak.*||"; }
claim "CSV quotes what needs it, and has no formula" same "label,type,allocated_bytes,allocated_blocks,never_freed_bytes,never_freed_blocks
\"a \"\"quoted\"\", one\",HOST,1,1,0,0
'=1+1,HOST,2,1,2,1
'',HOST,3,1,3,1
,HOST,4,1,4,1" some_columns "$scratch/hard"
cat >"$scratch/compare.py" <<'END'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
labels = [(trace, label) for trace in json.load(open(sys.argv[2]))["traces"] for label in trace["labels"]]
assert len(rows) == len(labels) >= 50, (len(rows), len(labels))
for row, (trace, label) in zip(rows, labels):
    expected = {name: trace[name] or "" for name in ("trace", "process", "host", "rank")}
    expected["problem"] = ""
    for name, value in label.items():
        for unit, one in value.items() if isinstance(value, dict) else [("", value)]:
            expected["_".join(filter(None, (name, unit)))] = "" if one is None else str(one).lower() if isinstance(one, bool) else str(one)
    assert row == expected, (row, expected)
END
compared() {
  "$CADASTRE" report --format csv "$@" >"$scratch/csv" && "$CADASTRE" report --json "$@" >"$scratch/json" &&
    python3 "$scratch/compare.py" "$scratch/csv" "$scratch/json"
}
if command -v python3 >/dev/null; then
  claim "each row has the figures of a label in JSON, by the same names" \
    compared "$scratch/mixed" "$scratch/rank0" "$srcdir/traces/test_qmckl_mo.trace.gz" "$srcdir/traces/dmc_alz_w8_s150.trace.gz"
else
  skip "each row has the figures of a label in JSON, by the same names" "python3 is not there"
fi

printf 'op,block,size,label\ncreate,,,\nmalloc,1,1,\351\nmalloc,2,1,\350\nmalloc,3,1,\\xe9\nmalloc,4,1,\\\\xe9\nmalloc,5,1,a\\\351\nmalloc,6,1,a\\b\nmalloc,7,1,\303\251\n' >"$scratch/bytes"
cat >"$scratch/bytes.py" <<'END'
import csv, json, re, sys
labels = [label["label"] for label in json.load(open(sys.argv[1], encoding="utf-8"))["traces"][0]["labels"]]
assert labels == [row["label"] for row in csv.DictReader(open(sys.argv[2], encoding="utf-8", newline=""))], labels
print(labels)

def bytes_of(label):
    if "\\x" not in label:
        return label.encode()
    return re.sub(rb"\\(\\|x..)", lambda found: b"\\" if found[1] == b"\\" else bytes([int(found[1][1:], 16)]), label.encode())
written = [line.split(b",")[3] for line in open(sys.argv[3], "rb").read().splitlines()[2:]]
assert [bytes_of(label) for label in labels] == written, [bytes_of(label) for label in labels]
assert "a\\b" in labels and "\u00e9" in labels
END
kept_apart() {
  "$CADASTRE" report --json "$scratch/bytes" >"$scratch/json" && "$CADASTRE" report --format csv "$scratch/bytes" >"$scratch/csv" &&
    python3 "$scratch/bytes.py" "$scratch/json" "$scratch/csv" "$scratch/bytes"
}
if command -v python3 >/dev/null; then
  claim "labels that are no valid UTF-8 stay different in JSON and CSV, and what they were can be known" kept_apart
else
  skip "labels that are no valid UTF-8 stay different in JSON and CSV" "python3 is not there"
fi

cat >"$scratch/validate.py" <<'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
report = json.load(open(sys.argv[2]))
jsonschema.validate(report, schema)

def refused(change):
    other = json.loads(json.dumps(report))
    change(other)
    return not jsonschema.Draft202012Validator(schema).is_valid(other)

# What it permits is what is written, at each depth.
assert refused(lambda r: r.update(another=1))
assert refused(lambda r: r["traces"][0].update(another=1))
assert refused(lambda r: r["traces"][0].pop("operations"))
assert refused(lambda r: r["traces"][0]["labels"][0]["allocated"].update(another=1))
assert refused(lambda r: r["traces"][0]["labels"][0].update(type="all"))
assert refused(lambda r: r["traces"][0]["memory"][0].update(refused="1"))
assert refused(lambda r: r["traces"][0]["refusals"][0]["holders"][0].update(another=1))

def described(of):
    return all(bool(field.get("description")) for field in of["properties"].values())
assert described(schema) and all(described(of) for of in schema["$defs"].values())
END
schema=$srcdir/src/command/report.schema.json
# validated ARGUMENT...: what is written of these is a report
validated() { "$CADASTRE" report --json "$@" >"$scratch/json" && python3 "$scratch/validate.py" "$schema" "$scratch/json"; }
# claim_validated SENTENCE ARGUMENT...
claim_validated() {
  if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    sentence=$1
    shift
    claim "$sentence" validated "$@"
  else
    skip "$1" "python3 has no module jsonschema of draft 2020-12"
  fi
}
{
  echo '# cadastre 1.0, process 7 on node'
  printf '%s\n' 'op,block,size,time' 'create,,,0' '# resident 5 4096000 0 0 -' 'malloc,1,1048576,10' '# resident 20 5242880 1048576 1024 2097152' \
    '# node 21 0 4194304' '# node 22 3 1048576' \
    '# device 20 cuda 1 3145728 8388608 1048576' 'free,1,,30' '# resident 40 6291456 0 0 -' 'destroy,,,50'
} >"$scratch/used"
in_use() { "$CADASTRE" report "$scratch/used" | sed -n '/^In use/,/^$/p'; }
claim "what was in use when most was in blocks stands beside them, and what is not ours" same \
  "In use   tracked      kept      used  untracked     at  most used     at
host    1.00 MiB  1.00 KiB  5.00 MiB   4.00 MiB  20 ns   6.00 MiB  40 ns
cuda 1  1.00 MiB            3.00 MiB   2.00 MiB  20 ns   3.00 MiB  20 ns
Of the host's memory 2.00 MiB were in huge pages.
By NUMA node: 0 4.00 MiB, 3 1.00 MiB.
" in_use
claim "a trace that does not say it has no such table" eval '! "$CADASTRE" report "$scratch/mixed" | grep "^In use"'
of_use() { "$CADASTRE" report --json "$scratch/used" | sed -n '/"uses": /,/^      \],/p' | tr -d ' \n' && echo; }
claim "JSON has it in bytes, and null for what is not known" same '"uses":[{"of":"host","time_ns":20,"tracked":1048576,"kept":1024,"used":5242880,"untracked":4193280,"total":null,"huge_pages":2097152,"most_used":6291456,"most_used_time_ns":40,"numa_nodes":[{"node":0,"bytes":4194304},{"node":3,"bytes":1048576}]},{"of":"cuda1","time_ns":20,"tracked":1048576,"kept":null,"used":3145728,"untracked":2097152,"total":8388608,"huge_pages":null,"most_used":3145728,"most_used_time_ns":20,"numa_nodes":[]}],' of_use
{
  echo '# cadastre 1.0, process 7 on node'
  echo '# rounding HOST 64 16 4096'
  printf '%s\n' 'op,block,size,type,label' 'create,,,,' 'malloc,1,1000,HOST,a' 'malloc,2,33,HOST,b' 'malloc,3,7,DEVICE,c' 'free,1,,,' 'malloc,4,1,HOST,b' 'realloc,2,64,,' \
    'realloc,2,65,,' 'destroy,,,,'
} >"$scratch/rounded"
rounded() { "$CADASTRE" report "$scratch/rounded" | sed -n '/^Sizes/,/^$/p'; }
claim "what rounding takes is told of the memory type of which it is known" same \
  "Sizes are rounded up: 3.04 KiB beside the 1.01 KiB of HOST memory at its peak, 301 %; 3.05 KiB of all that was allocated, 302 %. Of DEVICE memory it is not known.
Most of it when all together were most, by label
  3.02 KiB  310 %  1 block  HOST  a
      15 B   45 %  1 block  HOST  b
" rounded
of_rounding() { "$CADASTRE" report --json "$scratch/rounded" | sed -n 's/.*"\(rounding[a-z_]*\)": \(.*\),/\1 \2/p' | tr '\n' ';' && echo; }
claim "JSON has null for the others" same "rounding_at_peak 3111;rounding_of_allocated 3126;rounding_at_peak null;rounding_of_allocated null;rounding_at_peak null;rounding_of_allocated null;rounding_at_peak 3096;rounding_at_peak 15;rounding_at_peak null;" of_rounding
claim "a trace without the line says nothing of it" eval '! "$CADASTRE" report "$scratch/mixed" | grep "^Sizes"'

devices() {
  trace "$1" 'op,block,size,type,label,time,result,device' 'create,,,,,0,,' 'malloc,1,1024,DEVICE,field,1000,,cuda 0' "malloc,2,3072,DEVICE,field,2000,,$2" \
    'malloc,3,512,DEVICE,mesh,3000,,cuda 0' 'free,3,,,,4000,,' 'malloc,4,2048,HOST,host,4500,,' "malloc,5,700,DEVICE,mesh,5000,,$2" 'free,2,,,,6000,,' 'destroy,,,,,7000,,'
}
devices two 'cuda 1'
of_devices() { "$CADASTRE" report "$1" | sed -n '/^Memory/,/^Not freed/p' | sed '$d'; }
claim "each of several devices has its peak, when it was, and who held it" same \
  "Memory           peak  in blocks       at  allocated  in blocks  refused
HOST         2.00 KiB          1  4.50 us   2.00 KiB          1        0
DEVICE       4.68 KiB          3  5.00 us   5.18 KiB          4        0
  of cuda 0  1.50 KiB          2  3.00 us   1.50 KiB          2
  of cuda 1  3.68 KiB          2  5.00 us   3.68 KiB          2
all          6.68 KiB          4  5.00 us   7.18 KiB          5        0

Who held the 6.68 KiB of the peak, at 5.00 us, by label
  3.00 KiB  45 %  1 block  DEVICE cuda 1  field
  2.00 KiB  30 %  1 block  HOST           host
  1.00 KiB  15 %  1 block  DEVICE cuda 0  field
     700 B  10 %  1 block  DEVICE cuda 1  mesh

Who held the 1.50 KiB of the peak of cuda 0, at 3.00 us, by label
  1.00 KiB  67 %  1 block  DEVICE cuda 0  field
     512 B  33 %  1 block  DEVICE cuda 0  mesh

Who held the 3.68 KiB of the peak of cuda 1, at 5.00 us, by label
  3.00 KiB  81 %  1 block  DEVICE cuda 1  field
     700 B  19 %  1 block  DEVICE cuda 1  mesh
" of_devices "$scratch/two"
of_devices_json() { "$CADASTRE" report --json "$scratch/two" | sed -n '/"devices": /,/^      \],/p; /"at_peak_of_device"/,/}/p; s/"device": null/&/p' | tr -d ' \n' && echo; }
claim "JSON has it, and null for memory of no device" same '"devices":[{"device":"cuda0","peak":{"bytes":1536,"blocks":2},"peak_time_ns":3000,"peak_thread":1,"allocated":{"bytes":1536,"blocks":2},"live_at_end":{"bytes":0,"blocks":0}},{"device":"cuda1","peak":{"bytes":3772,"blocks":2},"peak_time_ns":5000,"peak_thread":1,"allocated":{"bytes":3772,"blocks":2},"live_at_end":{"bytes":0,"blocks":0}}],"at_peak_of_device":{"bytes":1024,"blocks":1}"at_peak_of_device":{"bytes":3072,"blocks":1}"at_peak_of_device":{"bytes":512,"blocks":1}"device":null,"at_peak_of_device":{"bytes":0,"blocks":0}"at_peak_of_device":{"bytes":700,"blocks":1}' of_devices_json
kept_by_conversion() {
  "$CADASTRE" convert --output "$scratch/two.trace" "$scratch/two" && of_devices "$scratch/two.trace" >"$scratch/expected" && of_devices "$scratch/two" | diff "$scratch/expected" - &&
    "$CADASTRE" convert "$scratch/two" | grep -v '^#' >"$scratch/expected" && "$CADASTRE" convert "$scratch/two.trace" | grep -v '^#' | diff "$scratch/expected" -
}
claim "a conversion keeps devices both ways" kept_by_conversion
claim "folded stacks have a frame for it" same "DEVICE;cuda_1;field 3072
HOST;host 2048
DEVICE;cuda_0;field 1024
DEVICE;cuda_1;mesh 700" "$CADASTRE" report --format folded "$scratch/two"
devices several 'rocket, "x" 32767'
mv "$scratch/several" "$scratch/unquoted" && sed 's/rocket, "x" 32767/"rocket, ""x"" 32767"/' "$scratch/unquoted" >"$scratch/two"
claim "also those of a backend that this library does not have" kept_by_conversion
devices two 'cuda 0'
claim "a single one has no rows of its own" same "DEVICE  4.68 KiB          3  5.00 us   5.18 KiB          4        0" eval 'of_devices "$scratch/two" | grep -e "DEVICE  *[0-9.]* KiB  *[0-9]" -e cuda'
devices two 'cuda 1'
devices other 'cuda 2'
compared() { "$CADASTRE" report --diff "$scratch/two" "$scratch/other" | tail -n +3; }
claim "of several devices each is compared, and labels on each" same "
Peak
       old       new     growth
       0 B  3.68 KiB  +3.68 KiB   new  DEVICE cuda 2
  3.68 KiB       0 B  -3.68 KiB  gone  DEVICE cuda 1

Held at the peak, by label
       old       new     growth
       0 B  3.00 KiB  +3.00 KiB   new  DEVICE cuda 2  field
       0 B     700 B     +700 B   new  DEVICE cuda 2  mesh
     700 B       0 B     -700 B  gone  DEVICE cuda 1  mesh
  3.00 KiB       0 B  -3.00 KiB  gone  DEVICE cuda 1  field" eval 'compared | sed "/^Allocated/,\$d" | sed "\$d"'
claim "and CSV has a column for it" same "peak,DEVICE,cuda 2,,0,3772,3772
peak,DEVICE,cuda 1,,3772,0,-3772" eval '"$CADASTRE" report --diff --format csv "$scratch/two" "$scratch/other" | grep ^peak'
devices first 'cuda 0'
sed 's/cuda 0/cuda 5/' "$scratch/first" >"$scratch/second"
claim "a run on one device is compared with one on another" same "
Nothing grew or shrank." eval '"$CADASTRE" report --diff "$scratch/first" "$scratch/second" | tail -n +3'
bounds_of_devices() {
  for expression in 'peak(cuda 1)==3772' ' peak ( cuda 1 ) > 3.6KiB' 'peak(cuda 0)==1536' 'allocated(cuda 0)==1536' 'blocks(cuda 1)==2' 'never_freed(cuda 1)==700' 'live_at_end(cuda 0)==0'; do
    refused 3 "'$expression' fails" "$CADASTRE" report --fail-if "$expression" "$scratch/two" || { echo "it is of $expression"; return 1; }
  done
  for expression in 'peak(cuda 1)>3772' 'blocks(cuda 0)!=2' 'never_freed(cuda 0)!=1024'; do
    refused 0 "" "$CADASTRE" report --fail-if "$expression" "$scratch/two" || { echo "it is of $expression"; return 1; }
  done
  refused 3 "other: peak(cuda 0) is 1,536 bytes" "$CADASTRE" report --diff --fail-if 'peak(cuda 0)>=1x' "$scratch/two" "$scratch/other" &&
    refused 0 "" "$CADASTRE" report --fail-if 'peak(cuda 2)<0' "$scratch/two" "$scratch/other"
}
claim "a bound may be of a device" bounds_of_devices
claim "one of a device that no trace has is refused, since it would always hold" refused 2 \
  "'peak(cuda 7)>1': nothing was allocated on cuda 7; devices of the traces are cuda 0, cuda 1" "$CADASTRE" report --fail-if 'peak(cuda 7)>1' "$scratch/two"
claim "so is one of a figure that devices do not have" refused 2 "column 9: refused is of a memory type, and of no device" \
  "$CADASTRE" report --fail-if 'refused(cuda 1)>0' "$scratch/two"
trace of_host 'op,block,size,type,label,device' 'create,,,,,' 'malloc,1,8,HOST,a,cuda 0' 'malloc,2,9,DEVICE,a,cuda 0' 'malloc,3,10,PINNED,a,cuda 0'
claim "only DEVICE memory is that of a device" same '"HOST" 8 null "DEVICE" 9 "cuda 0" "PINNED" 10 null ' \
  eval '"$CADASTRE" report --json "$scratch/of_host" | sed -n "/\"labels\": /,\$ s/.*\"\(type\|own_peak_bytes\|device\)\": \(.*[^,]\),*\$/\2/p" | tr "\n" " " && echo'
trace failed_on_one 'op,block,size,type,label,result,device' 'create,,,,,,' 'malloc,1,8,DEVICE,a,,cuda 0' 'malloc,,9,DEVICE,a,3,cuda 1'
claim "a device on which nothing was allocated is none" same "  8 B  100 %  1 block  DEVICE  a" eval '"$CADASTRE" report "$scratch/failed_on_one" | sed -n "/^Who held/,/^\$/p" | grep "%"'
for bad in cuda 'cuda ' ' 1' 'cuda 40000' 'cuda -1' 'cuda 1x'; do
  devices bad "$bad"
  refused_device() { "$CADASTRE" report "$scratch/bad" 2>&1 | grep -q ":4:.*: device '$bad' is not the name of a backend and the number of a device, as in cuda 0"; }
  claim "a device that is '$bad' is refused" refused_device
done

trace timed 'op,block,size,label,duration' 'create,,,,' 'malloc,1,100,a,500' 'malloc,2,100,b,' 'malloc,3,100,b,1500' 'free,1,,,' 'malloc,4,100,b,' 'free,2,,,40' 'destroy,,,,'
timed() { "$CADASTRE" report "$scratch/timed" | sed -n '/^Time in calls/,$p'; }
claim "time in calls is estimated from those that were timed, which are counted" same \
  "Time in calls  calls  timed     mean  longest  estimated
malloc             4      2  1.00 us  1.50 us    4.00 us
free               2      1    40 ns    40 ns      80 ns
Most of it, estimated, by label
  3.08 us  HOST  b
  1.00 us  HOST  a" timed
of_time() { "$CADASTRE" report --json "$scratch/timed" | sed -n '/"calls": /,/^      \],/p; /time_in_calls/p' | tr -d ' \n' && echo; }
claim "JSON has the same in nanoseconds" same '"time_in_calls_ns":1000,"time_in_calls_ns":3080,"calls":[{"operation":"malloc","calls":4,"timed":2,"timed_ns":2000,"longest_ns":1500,"estimated_ns":4000},{"operation":"free","calls":2,"timed":1,"timed_ns":40,"longest_ns":40,"estimated_ns":80}],' of_time
claim "a trace of which no call was timed says nothing of it" eval '! "$CADASTRE" report "$scratch/mixed" | grep "^Time in calls"'
trace failing 'op,context,block,source,size,label,time,result' 'create,1,,,,,0,' 'create,2,,,,,0,' 'malloc,1,1,,100,a,1,' 'malloc,2,2,,100,b,1,' 'free,1,1,,,,2,' \
  'free,1,1,,,,3,2' 'free,1,1,,,,4,2' 'free,1,2,,,,5,2' 'free,1,-1,,,,6,2' 'free,1,0,,,,7,2' 'free,0,2,,,,8,103' 'info,1,-1,,,,9,2' 'info,1,-2,,,,9,2' 'info,1,-3,,,,9,2' \
  'copy,2,2,1,50,,10,2' 'copy,2,2,-4,500,,11,107' 'malloc,1,,,8,a,12,104' 'malloc,1,,,8,a,13,3' 'destroy,0,,,,,14,103' 'free,2,2,,,,15,105'
failing() { "$CADASTRE" report "$scratch/failing" | sed -n '/^Failed/,/^$/p'; }
claim "calls that failed are counted by what was wrong, exit code and label, look-ups last" same \
  "Failed, by what was wrong with the block, exit code and label
  2  free     freed before        2, Invalid argument 2      HOST  a
  1  destroy  no valid context    103, Invalid context
  1  malloc                       3, Invalid argument 3      HOST  a
  1  free     in no registry      2, Invalid argument 2
  1  free     of another context  2, Invalid argument 2      HOST  b
  1  free     NULL                2, Invalid argument 2
  1  free     no valid context    103, Invalid context
  1  free                         105, De-allocation failed  HOST  b
  1  copy     freed before        2, Invalid argument 2      HOST  a
  1  copy                         107, Out of bounds         HOST  b
  and 3 more
" failing
of_failures() { "$CADASTRE" report --json "$scratch/failing" | sed -n '/"failed": /p; /"failures": /,/^      \],/p' | tr -d ' \n' | head -c 330 && echo; }
claim "JSON has them too" same '"failed":14,"failures":[{"operation":"free","exit_code":2,"meaning":"Invalidargument2","fault":"freedbefore","label":"a","type":"HOST","count":2,"first_time_ns":3,"first_thread":1},{"operation":"destroy","exit_code":103,"meaning":"Invalidcontext","fault":"novalidcontext","label":null,"type":null,"count":1,"first_time_ns":14,"fir' of_failures
cat >"$scratch/same_report.py" <<'END'
import json, sys
replayed, reported = (json.load(open(name))["traces"] for name in sys.argv[1:3])
assert len(replayed) == len(reported) > 0
for one, other in zip(replayed, reported):
    assert one["report"] == other, (one["report"], other)
END
same_report() {
  "$CADASTRE" replay --json "$@" >"$scratch/replayed"
  "$CADASTRE" report --json "$@" >"$scratch/reported" && python3 "$scratch/same_report.py" "$scratch/replayed" "$scratch/reported"
}
if command -v python3 >/dev/null; then
  claim "a replay as JSON has the report of each trace, as the report has it" same_report "$scratch/used" "$scratch/rounded" "$scratch/timed" "$scratch/rank0" \
    "$srcdir/traces/test_qmckl_mo.trace.gz"
else
  skip "a replay as JSON has the report of each trace" "python3 is not there"
fi
claim_validated "the JSON of traces of each form is what its schema says, field by field" "$scratch/mixed" "$scratch/used" "$scratch/rounded" "$scratch/timed" "$scratch/failing" "$scratch/rank0" "$scratch/none" "$srcdir"/traces/*.trace.gz

# leaky NAME LINE...: a trace of 12 operations that ends with these of one label
leaky() {
  name=$1
  shift
  trace "$name" 'op,context,block,size,label' 'create,1,,,' "$@" 'destroy,1,,,'
}
# grown NAME: the labels of a trace that grew until the end
grown() { "$CADASTRE" report "$scratch/$1" | sed -n '/^Grew until the end/,/^$/{s/.*HOST  //p;}'; }
a=malloc,1,1,10,a b=malloc,1,2,10,a c=malloc,1,3,10,a x=info,1,9,10,
leaky leak $a $b $x $x $x $x $x $x $c $x
claim "a label that grew until the end may leak" same a grown leak
leaky falls $a $b $x $x $x malloc,1,4,5,a free,1,4,, $x $c $x
claim "so may one of which something was freed before it had most" same a grown falls
leaky freed $a $b $x $x $x $x $x $c malloc,1,4,5,a free,1,4,,
leaky begins $a $b $c $x $x $x $x $x $x $x
leaky ends $x $x $x $x $x $x $x $a $b $c
leaky two $a $x $x $x $x $x $x $x $x $c
none_grew() {
  for which in freed begins ends two; do
    [ -z "$(grown $which)" ] && "$CADASTRE" report "$scratch/$which" | grep -q "^Not freed" || { echo "it is of $which"; return 1; }
  done
}
claim "but none of which something was freed since, nor one that has all from the beginning or the end, nor one of two blocks" none_grew
trace runs 'op,context,block,size,label' 'create,1,,,' 'malloc,1,1,10,a' 'malloc,1,2,10,a' 'destroy,1,,,' 'create,2,,,' 'malloc,2,1,10,a' 'malloc,2,2,10,a' 'destroy,2,,,'
leaky temporary $a $b malloc,1,5,1,a $x $x $x $x $x $x $c $x free,1,5,,
claim "though one of its blocks was a small one that was freed" same a grown temporary
trace setup 'op,context,block,size,label,time' 'create,1,,,,0' 'malloc,1,1,10,a,1' 'malloc,1,2,10,a,2' 'malloc,1,3,10,a,3' 'malloc,1,4,10,a,4' 'destroy,1,,,,1000'
claim "nor one that has all from the beginning of the time" eval '[ -z "$(grown setup)" ]'
claim "nor one that contexts freed several times" same "" sh -c '"$0" report --json "$1" | grep "\"grows_until_the_end\": true" || echo' "$CADASTRE" "$scratch/runs"
trace pool 'op,block,size,label,time' 'create,,,,0' 'malloc,1,100,a,0' 'malloc,2,100,b,0' 'malloc,3,7,b,0' 'free,1,,,10' 'free,2,,,1000000' 'free,3,,,999999' \
  'malloc,4,100,a,0' 'malloc,5,100,a,0' 'malloc,6,100,a,0' 'malloc,7,7,a,0' 'free,9,,,0' 'free,9,,,0' 'malloc,4,1,,0' 'destroy,,,,0'
# section TITLE: what the report on it has below that
section() { "$CADASTRE" report "$scratch/pool" | sed -n "/^$1/,/^\$/{s/  */ /gp;}" | sed 1d; }
claim "sizes that were freed and requested again are listed, most first" same " 2 of 100 B
 1 of 7 B" section "Most freed and requested again"
claim "and labels of blocks that lived for less than a millisecond" same " 1 block the shortest 10 ns HOST a
 1 block the shortest 1.00 ms HOST b" section "Most short lives"
claim "operations that cannot have happened are counted by kind" says "3 operations left out, which cannot have happened: 1 malloc, 2 free" "$CADASTRE" report "$scratch/pool"
claim_validated "the JSON of all this is what its schema says" "$scratch/mixed" "$scratch/pool" "$scratch/leak" "$scratch/runs"

plain=$scratch/plain.csv
"$CADASTRE" convert --output "$plain" "$srcdir/traces/dmc_alz_w8_s150.trace.gz"
"$CADASTRE" report - <"$plain" >"$scratch/expected.report"
# reads SUFFIX: the file, and a pipe of it, are read as the plain trace is
reads() {
  "$CADASTRE" report - <"$plain.$1" | diff "$scratch/expected.report" - && "$CADASTRE" report "$plain.$1" | sed 1d >"$scratch/written" &&
    sed 1d "$scratch/expected.report" | diff - "$scratch/written" && sh -c 'cat "$1" | "$0" report -' "$CADASTRE" "$plain.$1" | diff "$scratch/expected.report" -
}
gzip -c "$plain" >"$plain.gz"
claim "a trace is read when gzip compressed it" reads gz
{ head -c 30000 "$plain" | gzip -c; tail -c +30001 "$plain" | gzip -c; } >"$plain.parts.gz"
claim "in parts, too" reads parts.gz
{ cat "$plain.gz" && printf '\0\0\0\0'; } >"$plain.padded.gz"
claim "and with padding behind it" reads padded.gz
cut_off() {
  for bytes in 5 15 5000; do
    head -c $bytes "$plain.$1" >"$scratch/cut" && refused 2 "cut: the compressed file ends too early" "$CADASTRE" report "$scratch/cut" || return 1
  done
}
claim "one that was cut off is refused" cut_off gz
damaged() {
  { head -c 6000 "$plain.$1" && printf 'damaged' && tail -c +6008 "$plain.$1"; } >"$scratch/bad" && refused 2 "bad: the compressed file is damaged" "$CADASTRE" report "$scratch/bad"
}
claim "and so is one that is damaged" damaged gz
if ! command -v zstd >/dev/null; then
  skip "a trace is read when zstd compressed it" "there is no zstd"
elif zstd -qc "$plain" >"$plain.zst" && "$CADASTRE" report "$plain.zst" 2>&1 | grep -q "which this build does not read"; then
  claim "a trace that zstd compressed is refused by a build that does not read it" refused 2 "decompress it by zstd -d" "$CADASTRE" report "$plain.zst"
else
  claim "a trace is read when zstd compressed it" reads zst
  { head -c 30000 "$plain" | zstd -qc; tail -c +30001 "$plain" | zstd -qc; } >"$plain.parts.zst"
  claim "in parts, too" reads parts.zst
  claim "one that was cut off is refused" cut_off zst
  claim "and so is one that is damaged" damaged zst
  replayed() { zstd -qf "$scratch/small" -o "$scratch/small.zst" && "$CADASTRE" replay "$scratch/small.zst" && "$CADASTRE" convert "$scratch/small.zst"; }
  claim "replay and convert read it as well" replayed
  of_records() {
    zstd -qf "$scratch/rank0" -o "$scratch/rank0.zst" && "$CADASTRE" report "$scratch/rank0.zst" | sed 1d >"$scratch/written" &&
      "$CADASTRE" report "$scratch/rank0" | sed 1d | diff - "$scratch/written"
  }
  claim "and one of records" of_records
fi

# of_json NAME FILE: the fields of a trace that say which process it is of
of_json() { "$CADASTRE" report --json "$2" | sed -n "s/^      \"$1\": \"*\([^\"]*\)\"*,\$/\1/p"; }
same_process() {
  recorded text.csv 7 && recorded records 7 && [ "$(of_json rank "$scratch/text.csv")" = 7 ] && [ "$(of_json incomplete "$scratch/text.csv")" = null ] &&
    [ "$(of_json host "$scratch/text.csv")" = "$(of_json host "$scratch/records")" ] && [ -n "$(of_json host "$scratch/text.csv")" ] &&
    sed -n 's/^# cadastre .*, process \([0-9]*\) on .*/\1/p' "$scratch/text.csv" >"$scratch/expected" && [ -s "$scratch/expected" ] &&
    of_json process "$scratch/text.csv" | diff "$scratch/expected" - && [ "$(tail -n 1 "$scratch/text.csv")" = "# end" ]
}
claim "a process says in lines which it is as it does in records, and that it has ended" same_process
# head_of FILE: what a trace of records says of its process, and what it lacks
head_of() { head -c 65536 "$1" | tr '\0' '\n' | grep -aE '^(program|process|host|rank|executable|memory|began|incomplete) ' | sort; }
# reported FILE: all that a report says of it but its name
reported() { "$CADASTRE" report --json "$1" | grep -v '"trace": '; }
# both_ways FILE: it is converted to lines, to records and to lines again, and all say the same
both_ways() {
  "$CADASTRE" convert -o "$scratch/lines.csv" "$1" && "$CADASTRE" convert -o "$scratch/of_lines" "$scratch/lines.csv" &&
    "$CADASTRE" convert -o "$scratch/back.csv" "$scratch/of_lines" && diff "$scratch/lines.csv" "$scratch/back.csv" || return
  reported "$1" >"$scratch/expected"
  for converted in lines.csv of_lines; do reported "$scratch/$converted" | diff "$scratch/expected" - || return; done
}
head_is_kept() {
  both_ways "$scratch/records" && head_of "$scratch/records" >"$scratch/expected" && [ "$(grep -cE '^(program|process|host|executable|began) |^rank 7$' "$scratch/expected")" -eq 6 ] &&
    head_of "$scratch/of_lines" | diff "$scratch/expected" - && [ "$(od -An -tu8 -j48 -N8 "$scratch/of_lines" | tr -d ' ')" = "$(of_json process "$scratch/records")" ] || return
  both_ways "$scratch/text.csv" && head_of "$scratch/of_lines" | grep -v '^began' >"$scratch/written" &&
    sed -n 's/^# cadastre [^,]*, process \([0-9]*\) on .*/process \1/p; s/^# \(executable .*\)/\1/p' "$scratch/text.csv" >"$scratch/expected" &&
    [ "$(grep -Fxcf "$scratch/expected" "$scratch/written")" -eq 2 ] && [ "$(grep -cE '^(program cadastre |host |rank 7$)' "$scratch/written")" -eq 3 ]
}
claim "either form keeps host, rank and what else is said of the process when it is converted" head_is_kept
grep -v '^# end$' "$scratch/text.csv" >"$scratch/killed.csv"
claim "without the end it is said that it was killed" says "did not end by exit: it was killed" "$CADASTRE" report "$scratch/killed.csv"
claim "replay says it, too" says "did not end by exit: it was killed" "$CADASTRE" replay "$scratch/killed.csv"
said_of_converted() {
  both_ways "$scratch/killed.csv" && "$CADASTRE" report "$scratch/of_lines" | grep -q 'did not end by exit: it was killed' &&
    head -c 1000 "$scratch/records" >"$scratch/headless" && refused 2 "ends within its head" "$CADASTRE" convert "$scratch/headless"
}
claim "and of what is made of it, too" said_of_converted
odd_values() {
  long=$(printf '%070000d' 0 | head -c 60000)
  trace odd '# cadastre 1' "$(printf '# host a\tb, rank 2')" "# rank $long" '# program other 3' '# process 5 on x' '# memory many' 'op' 'create' &&
    "$CADASTRE" convert -o "$scratch/odd.csv" "$scratch/odd" && both_ways "$scratch/odd.csv" || return
  head_of "$scratch/of_lines" | cut -c1-40 | diff "$scratch/expected.odd" - && [ "$(head_of "$scratch/of_lines" | wc -c)" -lt 4300 ]
}
printf '%s\n' 'host a?b, rank 2' 'memory many' 'process 5 on x' 'program other 3' "rank $(printf '%035d' 0)" >"$scratch/expected.odd"
claim "control characters and long texts do no harm there" odd_values
by_others() { trace by_others '# host of this file' '# rank 3' 'op' 'create' && [ "$(of_json host "$scratch/by_others")" = null ] && [ "$(of_json rank "$scratch/by_others")" = null ]; }
claim "comments that no process wrote are only comments" by_others
still_written() { flock "$scratch/killed.csv" "$CADASTRE" report "$scratch/killed.csv"; }
if command -v flock >/dev/null; then
  claim "or that the process still writes it" says "still writes it; this is what it did so far" still_written
else
  skip "or that the process still writes it" "flock is not there"
fi
cut_in_line() {
  head -c -3 "$scratch/killed.csv" >"$scratch/short.csv" &&
    refused 0 "the file was cut off within line $(wc -l <"$scratch/killed.csv"), which is left out" "$CADASTRE" report "$scratch/short.csv" &&
    refused 0 "" "$CADASTRE" replay "$scratch/short.csv"
}
claim "and of a file that was cut off within a line the line is left out" cut_in_line
silent() { "$CADASTRE" replay "$1" 2>"$scratch/said.replay" >"$scratch/written" && [ ! -s "$scratch/said.replay" ]; }
of_other_version() {
  grep -v 'the last line is' "$scratch/killed.csv" >"$scratch/older.csv" && silent "$scratch/older.csv" && [ "$(of_json rank "$scratch/older.csv")" = 7 ]
}
claim "nothing is said of the end of a file that promises none" of_other_version
by_hand() {
  trace by_hand 'op' 'create' '# the last line is "# end"' '# cadastre 9, process 1 on node, rank 2' && silent "$scratch/by_hand" && [ "$(of_json rank "$scratch/by_hand")" = null ]
}
claim "nor where a comment says so behind the columns" by_hand
early_end() { { echo '# end' && cat "$scratch/killed.csv"; } >"$scratch/early.csv" && "$CADASTRE" report "$scratch/early.csv"; }
claim "and an end before the columns is none" says "did not end by exit: it was killed" early_end
trace in_no_time 'op,block,size,time' 'create,,,' 'malloc,1,4000000000000000000,1'
claim "what is allocated in no time is more in a second than a number has" says "888 PiB were allocated in a second" "$CADASTRE" report "$scratch/in_no_time"
of_no_thread() {
  "$srcdir/tools/make-trace" 5 "$scratch/threadless" --live 2 --labels 1 && printf '\0\0\0\0' | dd of="$scratch/threadless" bs=1 seek=$((65536 + 28)) conv=notrunc 2>"$scratch/said.dd" &&
    refused 2 "threadless: record 1: an operation of thread 0; threads are counted from 1" "$CADASTRE" convert "$scratch/threadless"
}
if command -v python3 >/dev/null; then
  claim "records of thread 0 are refused, since lines of them would be" of_no_thread
else
  skip "records of thread 0 are refused, since lines of them would be" "python3 is not there"
fi
odd_heads() {
  for head in '# cadastre ' '# cadastre 1, process ' '# cadastre 1, process x on ' '# cadastre on , rank ' '# memory ' '# memory -1' '#' '# '; do
    trace odd "$head" 'op' 'create' && "$CADASTRE" report "$scratch/odd" >"$scratch/written" || return 1
  done
}
claim "a head that says less than it should is none" odd_heads


cat >"$scratch/resident.py" <<'END'
import resource, subprocess, sys
cadastre, scratch, live = sys.argv[1], sys.argv[2], [int(number) for number in sys.argv[3:]]

def most_resident(name):  # at least what this program takes itself, so both traces have more
    subprocess.run([cadastre, "report", "--json", f"{scratch}/filled{name}"], check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024

few, many = (most_resident(number) for number in live)
each = (many - few) / (live[1] - live[0])
print(each, "bytes for each live block")
assert 8 < each <= 64
END
# filled LIVE: a trace of records with so many live blocks
filled() { "$srcdir/tools/make-trace" $(($1 + 2)) "$scratch/filled$1" --live "$1"; }
in_few_bytes() { filled 400000 && filled 800000 && python3 "$scratch/resident.py" "$CADASTRE" "$scratch" 400000 800000; }
# shellcheck disable=SC3045  # where the shell has none the claim is skipped
without_a_sanitizer() (ulimit -v 8388608 && exec "$CADASTRE" --version) >"$scratch/said.version" 2>&1
if command -v python3 >/dev/null && without_a_sanitizer; then
  claim "a trace takes at most 64 bytes for each block that lives at one time" in_few_bytes
else
  skip "a trace takes at most 64 bytes for each block that lives at one time" "python3 is not there, or this build needs more memory"
fi
# The forms of a long trace have one set of figures: with LONG=yes of a hundred million events.
cat >"$scratch/forms.py" <<'END'
import csv, io, json, re, subprocess, sys
cadastre, trace, events = sys.argv[1], sys.argv[2], int(sys.argv[3])

def report(form):
    return subprocess.run([cadastre, "report", "--format", form, trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

[own] = json.loads(report("json").stdout)["traces"]
# All blocks are allocated, and then each is freed and allocated again in turn.
assert events - 1 <= own["operations"] <= events, own["operations"]
[host, all] = own["memory"]
assert host["type"] == "HOST" and all["type"] == "all" and {**host, "type": "all"} == all
assert sum(label["allocated"]["blocks"] for label in own["labels"]) == host["allocated"]["blocks"] == (own["operations"] - 2 + 1000) // 2
assert sum(label["at_peak"]["bytes"] for label in own["labels"]) == host["peak"]["bytes"] == sum(64 << block % 12 for block in range(1, 1001))
text = report("text").stdout
assert f"{own['operations']:,} operations by 1 thread on 1 context" in text, text[:300]
row = re.search(r"^HOST +(\S+ \S+) +(\S+) +\S+ \S+ +\S+ \S+ +(\S+) +(\S+)$", text, re.M)
assert [row[2], row[3], row[4]] == [f"{host['peak']['blocks']:,}", f"{host['allocated']['blocks']:,}", f"{host['refused']:,}"], row.groups()
for line in csv.DictReader(io.StringIO(report("csv").stdout)):
    [label] = [label for label in own["labels"] if label["label"] == line["label"]]
    assert int(line["at_peak_bytes"]) == label["at_peak"]["bytes"] and int(line["allocated_blocks"]) == label["allocated"]["blocks"], line
html = report("html")
if html.returncode == 0:
    page = json.loads(re.search(r'<script type="application/json" id="report">(.*?)</script>', html.stdout, re.S)[1])["traces"][0]
    in_order = lambda trace: {**trace, "labels": sorted(trace["labels"], key=lambda label: label["label"])}
    assert in_order(page) == in_order(own)
else:
    assert "cannot write html" in html.stderr, html.stderr
END
one_set_of_figures() {
  events=1000000
  if [ "${LONG-}" = yes ] && without_a_sanitizer; then events=100000000; fi
  "$srcdir/tools/make-trace" $events "$scratch/long" --live 1000 --labels 12 && python3 "$scratch/forms.py" "$CADASTRE" "$scratch/long" $events && rm "$scratch/long"
}
if command -v python3 >/dev/null; then
  claim "text, JSON, CSV and the page have the same figures of a long trace, which are those of how it was made" one_set_of_figures
else
  skip "text, JSON, CSV and the page have the same figures of a long trace" "python3 is not there"
fi
same_lines() {
  "$srcdir/tools/make-trace" 20002 "$scratch/made" --live 3000 --labels 7 && "$srcdir/tools/make-trace" 20002 "$scratch/made.csv" --live 3000 --labels 7 &&
    "$CADASTRE" report "$scratch/made" | sed 1,2d >"$scratch/expected" && "$CADASTRE" report "$scratch/made.csv" | sed 1,2d | diff "$scratch/expected" - &&
    "$CADASTRE" replay "$scratch/made" && [ "$(wc -l <"$scratch/made.csv")" -eq 20003 ]
}
if command -v python3 >/dev/null; then
  claim "make-trace writes the same trace as records and as lines, and it can be replayed" same_lines
else
  skip "make-trace writes the same trace as records and as lines, and it can be replayed" "python3 is not there"
fi

# The longest first, so that who begins together does not end in order.
in_order() {
  "$CADASTRE" report --json "$plain" "$plain.gz" "$scratch/mixed" "$scratch/small" "$scratch/none" "$plain" "$scratch/hard" | sed -n '/^  "spread"/q; s/^      "trace": "\(.*\)",$/\1/p' >"$scratch/written"
  printf '%s\n' "$plain" "$plain.gz" "$scratch/mixed" "$scratch/small" "$scratch/none" "$plain" "$scratch/hard" | diff - "$scratch/written"
}
claim "several traces are in the order in which they were named" in_order
trace bad1 'op,block,size' 'create,,' 'malloc,1,one'
trace bad2 'op,block,size' 'malloc,1,two'
# Records of which a word of the second part is another, and half a compressed file.
cp "$scratch/rank0" "$scratch/bad3"
printf 'damaged!' | dd of="$scratch/bad3" bs=1 seek=65656 conv=notrunc 2>"$scratch/said.dd"
head -c 3000 "$plain.gz" >"$scratch/bad4"
damaged_ones="$scratch/bad1 $scratch/nowhere $scratch/bad2 $scratch/bad3 $scratch/bad4"
# The longest first, so that who begins together does not end in order. Each is named once, in order, with its sentence.
# shellcheck disable=SC2086
others_are_read() {
  refused 1 "" "$CADASTRE" report "$plain" $damaged_ones "$scratch/mixed" || return 1
  printf '%s\n' "$scratch/bad1:3:10: size 'one' is not" "$scratch/nowhere: No such file" "$scratch/bad2:2:10: size 'two' is not" \
    "$scratch/bad3: part 1 is damaged at byte 65536: its check sum" "$scratch/bad4: the compressed file ends too early" >"$scratch/expected"
  sed -n 's/^cadastre: //p' "$scratch/refusal" | while IFS= read -r sentence; do
    IFS= read -r begin <&3
    case $sentence in "$begin"*) echo same ;; *) echo "$sentence is not $begin" ;; esac
  done 3<"$scratch/expected" >"$scratch/written"
  [ "$(grep -cx same "$scratch/written")" -eq 5 ] && [ "$(wc -l <"$scratch/written")" -eq 5 ] &&
    sed -n '/^Not read/,/^$/s/^  //p' "$scratch/refusal" >"$scratch/listed" && sed -n 's/^cadastre: //p' "$scratch/refusal" | diff - "$scratch/listed" &&
    grep -q '^2 traces$' "$scratch/refusal" && grep -qx "$scratch/mixed" "$scratch/refusal" && grep -qx "$plain" "$scratch/refusal"
}
i=0
often() {
  while [ $i -lt 5 ]; do
    others_are_read || return 1
    i=$((i + 1))
  done
}
claim "traces that cannot be read are named in order, and do not hide the others" often
# shellcheck disable=SC2086
listed_for_programs() {
  "$CADASTRE" report --json $damaged_ones "$scratch/mixed" >"$scratch/json" 2>"$scratch/said.report"
  [ $? -eq 1 ] && "$CADASTRE" report --format csv $damaged_ones "$scratch/mixed" >"$scratch/csv" 2>&1
  [ $? -eq 1 ] && sed -n '/"unreadable": \[/,/\]/s/^      "problem": "\(.*\)"$/\1/p' "$scratch/json" >"$scratch/written" &&
    sed 's/^cadastre: //' "$scratch/said.report" | diff - "$scratch/written" && [ "$(wc -l <"$scratch/written")" -eq 5 ] &&
    [ "$(grep -c '^    {$' "$scratch/json")" -eq 6 ] && [ "$(grep -c "^$scratch/bad1,,*\"*$scratch/bad1:3:10: size" "$scratch/csv")" -eq 1 ] &&
    [ "$(grep -v ^cadastre: "$scratch/csv" | wc -l)" -eq 12 ]
}
claim "JSON and CSV list them" listed_for_programs
# shellcheck disable=SC2086
none_read() {
  echo precious >"$scratch/file"
  refused 2 "bad2:2:10: size 'two'" "$CADASTRE" report -o "$scratch/file" $damaged_ones && [ "$(cat "$scratch/file")" = precious ] &&
    [ "$(wc -l <"$scratch/refusal")" -eq 5 ]
}
claim "where none can be read nothing is written" none_read
claim "two of which one cannot be read are not compared" refused 2 "bad1:3:10: size 'one'" "$CADASTRE" report --diff "$scratch/bad1" "$scratch/mixed"
claim "a bound that does not hold is more than a trace that cannot be read" refused 3 "mixed: peak is" "$CADASTRE" report --fail-if 'peak>1' "$scratch/bad1" "$scratch/mixed"
claim "and one that holds is less" refused 1 "bad1:3:10: size 'one'" "$CADASTRE" report --fail-if 'peak==0' "$scratch/bad1" "$scratch/mixed"
# The trace of a rank that is refused memory by a limit, and of many others.
trace refused 'op,block,size,type,label,time,result' 'create,,,,,0,' 'malloc,1,500,HOST,field,10,' 'malloc,,9000,HOST,matrix,90,201'
claim "what a limit refuses is refused, too" says "at 90 ns, 8.79 KiB HOST for matrix, while 500 B were held: 500 B field" "$CADASTRE" report "$scratch/refused"
i=1
while [ $i -le 5 ]; do
  trace rank$i 'op,block,size,label' 'create,,,' "malloc,1,$((i * 1000)),field"
  i=$((i + 1))
done
of_many() {
  "$CADASTRE" report "$scratch"/rank[1-5] "$scratch/refused" >"$scratch/many" &&
    tr -s ' ' <"$scratch/many" | grep -qxF "HOST 500 B 2.52 KiB 4.88 KiB 15.1 KiB $scratch/rank5" && grep -qxF "$scratch/rank5" "$scratch/many" &&
    grep -qxF "$scratch/refused" "$scratch/many" && ! grep -qxF "$scratch/rank4" "$scratch/many"
}
claim "of many traces the one with the most memory is shown, and those that were refused some" of_many
of_few() { "$CADASTRE" report "$scratch"/rank[1-4] >"$scratch/few" && [ "$(grep -cx "$scratch/rank[1-4]" "$scratch/few")" -eq 4 ]; }
claim "of few, each" of_few
of_more_than_files_may_be_open() {
  yes "$scratch/rank1" | head -n 60 | xargs prlimit --nofile=32:32 "$CADASTRE" report >"$scratch/many" && grep -q '^60 traces' "$scratch/many"
}
if command -v prlimit >/dev/null; then
  claim "there may be more traces than a process may have files" of_more_than_files_may_be_open
else
  skip "there may be more traces than a process may have files" "prlimit is not there"
fi
printf 'op,block,size\ncreate,,\nmalloc,1,4611686018427387903\nmalloc,2,4611686018427387903\nmalloc,3,4611686018427387903\n' >"$scratch/huge"
claim "sizes that no machine has are left out, and counted" says "1 operation left out, which cannot have happened" "$CADASTRE" report "$scratch/huge" "$scratch/huge"
claim "the standard input is read once" refused 2 "name - once" "$CADASTRE" report - -
on_terminal() { script -qec "$1" /dev/null </dev/null >"$scratch/typescript" 2>&1; }
if on_terminal true; then
  bar() {
    times=2
    while [ $times -le 128 ]; do
      on_terminal "'$CADASTRE' report $(yes "'$scratch/filled400000'" | head -n $times | tr '\n' ' ') >/dev/null"
      grep -q "$times traces \[##*\.*\] [0-9]* %" "$scratch/typescript" && break
      times=$((4 * times))
    done
    [ "$(tail -c 1 "$scratch/typescript" | od -An -tx1 | tr -d ' ')" = 0d ]
  }
  [ -f "$scratch/filled400000" ] && claim "a long report draws a bar on a terminal, and clears it" bar
  short() { on_terminal "'$CADASTRE' report '$scratch/mixed' >/dev/null" && [ ! -s "$scratch/typescript" ]; }
  claim "a short one does not" short
else
  skip "a long report draws a bar on a terminal, and clears it" "script cannot make a terminal here"
fi

cat >"$scratch/spread.py" <<'END'
import json, statistics, sys
report = json.load(open(sys.argv[1]))
traces = report["traces"]
types = list(dict.fromkeys(row["type"] for trace in traces for row in trace["memory"]))

def peak(trace, type):
    return next((row["peak"]["bytes"] for row in trace["memory"] if row["type"] == type), 0)

def hosts_of(type):
    hosts = {}
    for trace in traces:
        bytes, memory = hosts.get(trace["host"], (0, trace["node_memory"]))
        hosts[trace["host"]] = (bytes + peak(trace, type), memory)
    return hosts

def near(a, b):
    return (a is None) == (b is None) and (a is None or abs(a - b) <= 1e-9 * abs(b))

expected = 0
for of in ("trace", "host"):
    for type in types:
        hosts = hosts_of(type)
        ones = [(trace["trace"], peak(trace, type), trace["node_memory"]) for trace in traces]
        if of == "host" and None not in hosts:
            ones = [(name, bytes, memory) for name, (bytes, memory) in sorted(hosts.items())]
        found = [row for row in report["spread"] if row["of"] == of and row["type"] == type]
        if of == "host" and (None in hosts or len(hosts) < 2):
            assert not found
            continue
        expected += 1
        [row], peaks = found, [bytes for _, bytes, _ in ones]
        assert row["count"] == len(ones) and row["minimum"] == min(peaks) and row["maximum"] == max(peaks), row
        assert row["sum"] == sum(peaks) and row["mean"] == sum(peaks) // len(peaks), row
        assert row["maximum_in"] == next(name for name, bytes, _ in ones if bytes == max(peaks)), row
        rank = next(trace["rank"] for trace in traces if trace["trace"] == row["maximum_in"]) if of == "trace" else None
        assert row["maximum_rank"] == rank, row
        nodes = [memory for _, memory in hosts.values()]
        known = type in ("HOST", "PINNED") and None not in nodes and None not in hosts
        shares = [bytes / memory for _, bytes, memory in ones] if known else [None]
        assert near(row["minimum_share"], min(shares)) and near(row["maximum_share"], max(shares)), row
        assert near(row["mean_share"], statistics.mean(shares) if known else None), row
        assert near(row["sum_share"], sum(peaks) / sum(nodes) if known else None), row
assert len(report["spread"]) == expected, (len(report["spread"]), expected)
peaks = [peak(trace, "all") for trace in traces]
middle = int(statistics.median(peaks))
deviation = int(statistics.median(abs(one - middle) for one in peaks))
far = [(one, trace["trace"]) for one, trace in zip(peaks, traces) if 0.6745 * abs(one - middle) > 3.5 * deviation and abs(one - middle) > middle // 10]
far.sort(key=lambda one: -abs(one[0] - middle))
assert [(one["peak"], one["trace"]) for one in report["outliers"]] == far, (report["outliers"], far)
assert all(one["median"] == middle for one in report["outliers"])
print("outliers:" + "".join(" " + str(one["peak"]) for one in report["outliers"]))
END
# spread EXPECTED TRACE...: so large are the peaks of the outliers
spread() {
  expected=$1
  shift
  "$CADASTRE" report --json "$@" >"$scratch/json" && same "outliers:$expected" python3 "$scratch/spread.py" "$scratch/json"
}
# node NAME HOST MEMORY TYPE SIZE: the trace of a process there
node() {
  number=${1#node}
  { echo "# cadastre 1, process 1 on $2, rank $number" && echo "# memory $3" && printf 'op,block,size,type\ncreate,,,\nmalloc,1,%d,%s\nmalloc,2,7,HOST\n' "$5" "$4"; } >"$scratch/$1"
}
i=1
for size in 1000 1010 1020 1030 990 980 3000 1000 1005 20; do
  node node$i host$((i / 4)) $((100000 + i / 4 * 50000)) HOST $size
  node other$i host$((i / 4)) 100000 PINNED $size
  i=$((i + 1))
done
node device1 host9 100000 DEVICE 5000
node nowhere1 host9 unknown HOST 5000
equal_ranks() {
  for size in 0 0 0 1 0; do node equal$i host1 100000 HOST $((100 + size)) && i=$((i + 1)); done
  spread "" "$scratch"/equal*
}
by_mad() {
  # The median is 102 and the MAD 1, so 5.19 is the limit; a tenth of the median is farther.
  for size in 100 101 102 103 112; do node far$i host1 100000 HOST $((size - 7)) && i=$((i + 1)); done
  spread "" "$scratch"/far* && node far$i host1 100000 HOST 106 && spread " 113" "$scratch"/far* || return
  for size in 50 75 100 125 150 200; do node wide$i host1 100000 HOST $size && i=$((i + 1)); done
  spread "" "$scratch"/wide*
}
# with_devices RANK HOST SIZE DEVICE TOTAL...: the trace of a process that has a block of DEVICE memory, and says how much each device has
with_devices() {
  trace=$scratch/devices$1
  printf '# cadastre 1, process 1 on %s, rank %s\nop,block,size,type,time\ncreate,,,,0\nmalloc,1,%s,DEVICE,10\n' "$2" "$1" "$3" >"$trace"
  shift 3
  while [ $# -gt 0 ]; do echo "# device 20 cuda $1 5 $2 -" >>"$trace" && shift 2; done
}
of_devices() {
  with_devices 0 host1 500 0 1000 && with_devices 1 host2 300 0 1000 1 2000 && with_devices 2 host2 300 0 unknown || return
  shares='[row[key] for row in report["spread"] if row["type"] == "DEVICE" for key in ("minimum_share", "mean_share", "maximum_share", "sum_share")]'
  "$CADASTRE" report --json "$scratch/devices0" "$scratch/devices1" >"$scratch/json" || return
  same "[0.1, 0.3, 0.5, None, None, None, None, None]" python3 -c "import json, sys; report = json.load(sys.stdin); print($shares)" <"$scratch/json" || return
  "$CADASTRE" report "$scratch/devices0" "$scratch/devices1" >"$scratch/text" || return
  tr -s ' ' <"$scratch/text" | grep -q "of its devices' memory 10.0 % 30.0 % 50.0 %" || return
  "$CADASTRE" report "$scratch/devices0" "$scratch/devices2" >"$scratch/text" && ! grep "devices' memory" "$scratch/text"
}
# on_devices RANK DEVICE TOTAL...: one that has 1000 bytes on cuda 0, 3000 on DEVICE, and says how much devices have
on_devices() {
  trace=$scratch/on_devices$1
  { echo "# cadastre 1, process 1 on a, rank $1" && printf '%s\n' 'op,block,size,type,time,device' 'create,,,,0,' 'malloc,1,1000,DEVICE,10,cuda 0' "malloc,2,3000,DEVICE,11,$2"; } >"$trace"
  shift 2
  while [ $# -gt 0 ]; do echo "# device 20 $1 5 $2 -" >>"$trace" && shift 2; done
}
of_each_device() {
  on_devices 3 'cuda 1' 'cuda 0' 2000 'cuda 1' 4000 && on_devices 4 'cuda 0' 'cuda 0' 10000 || return
  "$CADASTRE" report --json "$scratch/on_devices3" "$scratch/on_devices4" >"$scratch/json" || return
  same "[4, 'DEVICE', 3, 1000, 2666, 4000, 8000, '4', 'cuda 0', 0.4, 0.55, 0.75, None]" python3 -c 'import json, sys
report = json.load(sys.stdin)
[row] = [row for row in report["spread"] if row["of"] == "device"]
assert row.pop("maximum_in").endswith("on_devices4")
print([len(report["spread"]) + 1] + [round(one, 9) if isinstance(one, float) else one for one in row.values()][1:])' <"$scratch/json" || return
  "$CADASTRE" report "$scratch/on_devices3" "$scratch/on_devices4" | tr -s ' ' >"$scratch/text" || return
  grep -qx "3 devices" "$scratch/text" && grep -q "^DEVICE 0.98 KiB 2.60 KiB 3.91 KiB 7.81 KiB .*on_devices4, rank 4, cuda 0$" "$scratch/text" &&
    grep -q "^ of its memory 40.0 % 55.0 % 75.0 %" "$scratch/text" || return
  on_devices 5 'cuda 1' 'cuda 0' 2000 && "$CADASTRE" report "$scratch/on_devices4" "$scratch/on_devices5" >"$scratch/text" && ! grep "% " "$scratch/text" | grep "its memory\|its devices"
}
if command -v python3 >/dev/null; then
  claim "DEVICE memory of a rank is a share of what its devices have, where its trace says so" of_devices
  claim "where a rank has several devices, there is a spread of devices, with shares of each" of_each_device
  claim "minimum, mean, maximum, sum and shares are of ranks and of nodes, which may have different memory" spread " 3007 27" "$scratch"/node[0-9]*
  claim "PINNED memory is the node's, too" spread " 3007 27" "$scratch"/other[0-9]*
  claim "of a trace that does not say how much memory its node has no share is known" spread " 5007 3007 27" "$scratch"/node[0-9]* "$scratch/nowhere1"
  claim "nor of DEVICE memory where a trace does not say" spread "" "$scratch/node1" "$scratch/device1"
  claim "without hosts there are figures of ranks alone" spread "" "$scratch/mixed" "$scratch/node1"
  claim "where most are equal one byte more is no outlier" equal_ranks
  claim "how far an outlier is depends on how far the others are" by_mad
  many_ranks() {
    "$srcdir/tools/make-trace" 300 "$scratch/of_many.%r" --ranks 150 --per-host 16 --live 20 --labels 3 && spread " 3271851840" "$scratch"/of_many.* &&
      "$CADASTRE" report "$scratch"/of_many.* >"$scratch/written" && grep -q '^150 traces$' "$scratch/written" && grep -q '^10 hosts$' "$scratch/written" &&
      grep -q "of_many.50, rank 50\$" "$scratch/written" &&
      grep -q '^Outliers: 1 peak far from the median' "$scratch/written" && grep -q '^ *3.05 GiB  2.[0-9]* times  rank 50 ' "$scratch/written" &&
      grep -q 'GiB  100 %  *1 block  HOST  own$' "$scratch/written"
  }
  claim "the worst of many ranks is named with who holds its memory" many_ranks
  # With LONG=yes ten thousand ranks of ten thousand events each, which are 6 GB.
  cat >"$scratch/bounded.py" <<'END'
import glob, resource, subprocess, sys, time
cadastre, files, ranks, kib = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
begin = time.monotonic()
text = subprocess.run([cadastre, "report", *sorted(glob.glob(files))], check=True, stdout=subprocess.PIPE).stdout
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"{ranks} ranks: {time.monotonic() - begin:.1f} s, {most} KiB")
assert text.startswith(f"{ranks:,} traces\n".encode())
assert most < 20480 + kib * ranks, "it takes more memory"
assert time.monotonic() - begin < 60 + ranks / 50, "it takes more time"
END
  # in_bounds RANKS EVENTS: a report on them takes at most 20 MiB, and 16 KiB for each
  in_bounds() {
    mkdir "$scratch/ranks" && "$srcdir/tools/make-trace" "$2" "$scratch/ranks/%r" --ranks "$1" --live 3000 &&
      python3 "$scratch/bounded.py" "$CADASTRE" "$scratch/ranks/*" "$1" 16 && rm -r "$scratch/ranks"
  }
  sentence="a report takes memory by the number of ranks and labels, and not by what ranks did"
  if ! without_a_sanitizer; then
    skip "$sentence" "this build needs more memory"
  elif [ "${LONG-}" = yes ]; then
    claim "$sentence" in_bounds 10000 10000
  else
    claim "$sentence" in_bounds 40 30000
  fi
else
  skip "DEVICE memory of a rank is a share of what its devices have, where its trace says so" "python3 is not there"
  skip "where a rank has several devices, there is a spread of devices, with shares of each" "python3 is not there"
  skip "minimum, mean, maximum, sum and shares are of ranks and of nodes" "python3 is not there"
fi
claim_validated "the JSON of several ranks is what its schema says" "$scratch/mixed" "$scratch"/node[0-9]* "$scratch/nowhere1" "$scratch/device1"
none_allocated() { "$CADASTRE" report "$scratch/none" "$scratch/none" >"$scratch/written" && head -n 2 "$scratch/written" | tr '\n' ';' | grep -qx '2 traces;Nothing was allocated.;'; }
claim "of ranks that allocated nothing that is said" none_allocated

trace old 'op,block,size,type,label,result' 'create,,,,,' 'malloc,1,1000,HOST,grows,' 'malloc,2,1000,HOST,shrinks,' 'malloc,3,1000,HOST,stays,' \
  'malloc,4,2000,HOST,goes,' 'malloc,5,400,DEVICE,grows,' 'malloc,,9,DEVICE,grows,104' 'destroy,,,,,'
trace new 'op,block,size,type,label,result' 'create,,,,,' 'malloc,1,1500,HOST,grows,' 'malloc,2,600,HOST,shrinks,' 'malloc,3,1000,HOST,stays,' \
  'malloc,4,900,HOST,comes,' 'malloc,5,400,DEVICE,grows,' 'free,1,,,,' 'destroy,,,,,'
compared_as_text() { "$CADASTRE" report --diff "$@" | tr -s ' ' | sed "s|$scratch/||"; }
claim "what grew and shrank is listed by figure, what grew most first" same "From old
 to new

Peak
 old new growth
 4.88 KiB 3.91 KiB -0.98 KiB -20 % HOST
 5.27 KiB 4.30 KiB -0.98 KiB -19 % all

Refused
 old new growth
 1 0 -1 gone DEVICE
 1 0 -1 gone all

Held at the peak, by label
 old new growth
 0 B 900 B +900 B new HOST comes
 0.98 KiB 1.46 KiB +500 B +50 % HOST grows
 0.98 KiB 600 B -400 B -40 % HOST shrinks
 1.95 KiB 0 B -1.95 KiB gone HOST goes

Allocated, by label
 old new growth
 0 B 900 B +900 B new HOST comes
 0.98 KiB 1.46 KiB +500 B +50 % HOST grows
 0.98 KiB 600 B -400 B -40 % HOST shrinks
 1.95 KiB 0 B -1.95 KiB gone HOST goes

Not freed one by one, but with their contexts, or live at the end, by label
 old new growth
 0 B 900 B +900 B new HOST comes
 0.98 KiB 600 B -400 B -40 % HOST shrinks
 0.98 KiB 0 B -0.98 KiB gone HOST grows
 1.95 KiB 0 B -1.95 KiB gone HOST goes" compared_as_text "$scratch/old" "$scratch/new"
claim "of two that are the same nothing is" same "From old
 to old

Nothing grew or shrank." compared_as_text "$scratch/old" "$scratch/old"
needless() { compared_as_text "$scratch/none" "$scratch/hard" >"$scratch/written" && grep HOST "$scratch/written" && ! grep 'all$' "$scratch/written"; }
claim "the sum of memory types is left out where there is one" needless
claim "CSV has a row for each change, without rounding" same "figure,type,device,label,old,new,growth
peak,HOST,,,5000,4000,-1000
peak,all,,,5400,4400,-1000
refused,DEVICE,,,1,0,-1
refused,all,,,1,0,-1
at_peak,HOST,,comes,0,900,900
at_peak,HOST,,grows,1000,1500,500
at_peak,HOST,,shrinks,1000,600,-400
at_peak,HOST,,goes,2000,0,-2000" sh -c '"$0" report --diff --format csv "$1" "$2" | head -n 9' "$CADASTRE" "$scratch/old" "$scratch/new"
awk 'BEGIN { print "op,block,size,label"; print "create,,,"; for (i = 1; i <= 25; i++) printf "malloc,%d,%d,label%d\n", i, 100 * i, i }' >"$scratch/many"
long() {
  compared_as_text "$scratch/none" "$scratch/many" | sed -n '/^Held/,/^$/p' >"$scratch/written"
  [ "$(wc -l <"$scratch/written")" -eq 24 ] && grep -qx ' 5 labels more' "$scratch/written" && grep -q label25 "$scratch/written" &&
    grep -q 'label1$' "$scratch/written" && ! grep -q 'label13' "$scratch/written"
}
claim "of a long list the middle is left out" long
claim_validated "the JSON of a comparison is what its schema says" --diff "$scratch/mixed" "$scratch/rank0"
claim_validated "the JSON of a comparison of devices is what its schema says" --diff "$scratch/mixed" "$scratch/two"
whole() { "$CADASTRE" report --json --diff "$scratch/none" "$scratch/many" >"$scratch/json" && [ "$(grep -c '"label": "label13"' "$scratch/json")" -eq 4 ]; }
claim "and leaves nothing out" whole
claim "a comparison is of two traces" refused 2 "needs two traces" "$CADASTRE" report --diff "$scratch/old"
claim "and not of three" refused 2 "needs two traces" "$CADASTRE" report --diff "$scratch/old" "$scratch/new" "$scratch/old"
claim "and has no stacks" refused 2 "text, json or csv" "$CADASTRE" report --diff --format folded "$scratch/old" "$scratch/new"

# A trace of each figure: mixed has a peak of 1432 bytes, 400 of them DEVICE, and its context frees what is left.
fails() { refused 3 "$2" "$CADASTRE" report --fail-if "$1" "$scratch/mixed"; }
holds() { refused 0 "" "$CADASTRE" report --fail-if "$1" "$scratch/mixed"; }
claim "a bound that does not hold fails, and the figure, its value and the bound are named" fails 'peak>1kB' \
  "mixed: peak is 1,432 bytes (1.40 KiB), at which --fail-if 'peak>1kB' fails; the bound is 1,000 bytes"
claim "the report is written nevertheless" fails 'peak>1kB' "Who held the"
edges() {
  for expression in 'peak>1432' 'peak<1432' 'peak!=1432' 'peak==1431' 'peak>=1433' 'peak<=1431' 'peak>1.4KiB' 'peak>1.432kB' 'peak > 2 MiB' \
    'peak(DEVICE)>405' 'peak(UVM)>0' 'refused(HOST)>0' 'incomplete>0' 'left_out>0' 'operations!=12' 'live_at_end>0' 'peak>9999999TB' 'blocks(all)>6'; do
    holds "$expression" || { echo "it is of $expression"; return 1; }
  done
  for expression in 'peak>=1432' 'peak<=1432' 'peak==1432' 'peak!=1431' 'peak>1431' 'peak<1433' 'peak>1.43kB' 'peak<1.5KiB' ' peak ( all )>1KiB' \
    'peak(DEVICE)==405' 'refused>0' 'refused(DEVICE)==1' 'never_freed(HOST)>1001' 'never_freed(DEVICE)==5' 'never_freed==1007' 'operations==12' \
    'contexts==1' 'threads==1' 'allocated==1937' 'blocks==6' 'short_lives==2' 'asked_again==0' 'incomplete==0'; do
    fails "$expression" "'$expression' fails" || { echo "it is of $expression"; return 1; }
  done
}
claim "figures, relations and units mean what the manual says, without rounding" edges
several() {
  refused 3 "'peak>1' fails" "$CADASTRE" report --fail-if 'peak>1' --fail-if 'peak>1MB' --fail-if 'refused>0' "$scratch/small" "$scratch/mixed" &&
    [ "$(grep -c 'small: peak is 64 bytes, at' "$scratch/refusal")" -eq 1 ] && [ "$(grep -c "mixed: refused is 1, at" "$scratch/refusal")" -eq 1 ] &&
    [ "$(grep -c ' fails; ' "$scratch/refusal")" -eq 3 ]
}
claim "several are of each trace, and each that fails is named" several
trace tenth 'op,block,size' 'create,,' 'malloc,1,1000'
trace more 'op,block,size' 'create,,' 'malloc,1,1100'
relative() {
  refused 0 "" "$CADASTRE" report --diff --fail-if 'peak>1.1x' --fail-if 'operations>1x' "$scratch/tenth" "$scratch/more" &&
    refused 3 "the bound is 1,099 bytes (1.07 KiB), from 1,000 bytes of $scratch/tenth" \
      "$CADASTRE" report --diff --fail-if 'peak>1.099x' "$scratch/tenth" "$scratch/more"
}
claim "x is of the first trace of two, and exact" relative
second() {
  refused 0 "" "$CADASTRE" report --diff --fail-if 'peak<1100' "$scratch/tenth" "$scratch/more" &&
    refused 3 "more: peak" "$CADASTRE" report --diff --fail-if 'peak>=1100' "$scratch/tenth" "$scratch/more" && ! grep -q "tenth: peak" "$scratch/refusal"
}
claim "and other bounds of the second alone" second
# malformed EXPRESSION COLUMN TEXT
malformed() { refused 2 "column $2: $3" "$CADASTRE" report --fail-if "$1" "$scratch/mixed"; }
claim "what is no figure is refused, and the figures are named" malformed 'peek>1' 1 "'peek' stands here; an expression begins with a figure, which is one of peak, "
claim "so is an empty expression" malformed '' 1 "the expression ends here"
claim "one without a relation" malformed 'peak' 5 "the expression ends here; a figure is followed by one of >=, <=, ==, !=, >, <, or a memory type or device"
claim "a single =" malformed 'peak=1' 5 "'=' stands here"
claim "another memory type" malformed 'peak(GPU)>1' 6 "'GPU' stands here; a memory type is one of HOST, "
claim "a device without its number" malformed 'peak(cuda)>1' 6 "'cuda' stands here; a memory type is one of HOST, PINNED, DEVICE, UVM, all, and a device is named as in cuda 0"
claim "one without an end" malformed 'peak(HOST>1' 10 "'>' stands here; a memory type is followed by )"
claim "one of a figure that has none" malformed 'operations(HOST)>1' 11 "operations is of the whole trace"
claim "one without a bound" malformed 'peak>' 6 "the expression ends here; a bound is a number such as"
claim "a negative one" malformed 'peak>-1' 6 "'-' stands here"
claim "a point without digits" malformed 'peak>1.' 8 "the expression ends here; a point is followed by digits"
claim "too many digits" malformed 'peak>1234567890.123456789' 6 "the number has 19 digits; write at most 18"
claim "another unit" malformed 'peak>1Gb' 7 "'Gb' stands here; a unit is one of B, kB, "
claim "a unit of what has none" malformed 'refused>1kB' 10 "refused is a number without a unit"
claim "what follows an expression" malformed 'peak>1 and more' 8 "'and' stands here"
claim "what follows a unit" malformed 'peak>1B,' 8 "',' follows the bound"
claim "and a control character is shown as an escape" malformed "$(printf 'peak\033>1')" 5 "'\\x1b' stands here"
claim "x needs two traces" refused 2 "'peak>2x': x stands for a figure of the first trace of --diff" "$CADASTRE" report --fail-if 'peak>2x' "$scratch/mixed"
untouched() {
  echo precious >"$scratch/file"
  refused 2 "column 1" "$CADASTRE" report -o "$scratch/file" --fail-if 'peek>1' "$scratch/mixed" && [ "$(cat "$scratch/file")" = precious ]
}
claim "a malformed expression is found before anything is written" untouched

finish
