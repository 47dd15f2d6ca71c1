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
some_columns() { "$CADASTRE" report --format csv "$1" | sed "s|^$1,,,,||; s|^trace,process,host,rank,||; s|\(,[0-9]*\)\{4\}\$||; s|,at_peak.*||"; }
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
    for name, value in label.items():
        expected.update({f"{name}_{unit}": str(number) for unit, number in value.items()} if isinstance(value, dict) else {name: value or ""})
    assert row == expected, (row, expected)
END
compared() {
  "$CADASTRE" report --format csv "$@" >"$scratch/csv" && "$CADASTRE" report --json "$@" >"$scratch/json" &&
    python3 "$scratch/compare.py" "$scratch/csv" "$scratch/json"
}
if command -v python3 >/dev/null; then
  claim "each row has the figures of a label in JSON, by the same names" \
    compared "$scratch/mixed" "$scratch/rank0" "$srcdir/traces/test_qmckl_mo.csv.gz" "$srcdir/traces/dmc_alz_w8_s150.csv.gz"
else
  skip "each row has the figures of a label in JSON, by the same names" "python3 is not there"
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
claim_validated "the JSON of traces of each form is what its schema says, field by field" "$scratch/mixed" "$scratch/rank0" "$scratch/none" "$srcdir"/traces/*.csv.gz

finish
