# Tangled from org/tests/report_perfetto_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)["traces"]
with open(sys.argv[2], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]

NUMBER = (int, float)


def check(event):
    """One event has the fields of its phase, and no others."""
    fields = {"M": {"name", "ph", "pid", "args"}, "C": {"name", "ph", "ts", "pid", "args"}, "i": {"name", "ph", "ts", "pid", "tid", "s"}}[event["ph"]]
    assert set(event) == fields, event
    assert isinstance(event["name"], str) and event["name"] and isinstance(event["pid"], int), event
    assert event["ph"] == "M" or (isinstance(event["ts"], NUMBER) and event["ts"] >= 0), event
    if event["ph"] == "M":
        assert event["name"] == "process_name" and isinstance(event["args"]["name"], str), event
    if event["ph"] == "C":
        assert event["args"] and all(isinstance(value, NUMBER) and value >= 0 for value in event["args"].values()), event
    if event["ph"] == "i":
        assert event["s"] in ("g", "p", "t") and isinstance(event["tid"], int), event


def counters_of(pid):
    """Of each counter its values, with their times, which do not go back."""
    found = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "C" and event["pid"] == pid:
            values = found[event["name"]]
            assert not values or values[-1][0] <= event["ts"], event
            values.append((event["ts"], event["args"]["bytes"]))
    return found


def value_at(values, time):
    """What a counter had at the peak: of several values at one time the most."""
    before = [value for at, value in values if at < time]
    return max([value for at, value in values if at == time] or before[-1:] or [0])


def compare(trace, pid):
    counters = counters_of(pid)
    for row in trace["memory"]:
        values = counters[f"live {row['type']}"]
        assert max(value for _, value in values) == row["peak"]["bytes"], row
        first = next(at for at, value in values if value == row["peak"]["bytes"])
        assert abs(first * 1000 - row["peak_time_ns"]) < 0.5, (row, first)
        assert values[-1][1] == row["live_at_end"]["bytes"], row
        shown = [event for event in events if event["pid"] == pid and event["ph"] == "i" and event["name"].startswith(f"peak of {row['type']}: ")]
        assert len(shown) == (row["peak"]["bytes"] > 0), row
    for device in trace["devices"] if len(trace["devices"]) > 1 else ():
        values = counters[f"live on {device['device']}"]
        assert max(value for _, value in values) == device["peak"]["bytes"], device
        assert [event for event in events if event["pid"] == pid and event["name"].startswith(f"peak on {device['device']}: ")], device
    peak = next((row["peak_time_ns"] / 1000 for row in trace["memory"] if row["type"] == "all"), 0)
    compared = 0
    for label in trace["labels"]:
        place = label["type"] + (f" {label['device']}" if label["device"] and len(trace["devices"]) > 1 else "")
        name = f"live {place}: {label['label'] or '(no label)'}"
        if name in counters:
            assert value_at(counters[name], peak) == label["at_peak"]["bytes"], label
            compared += 1
    assert compared == min(len(trace["labels"]), 24), compared
    refused = [event for event in events if event["pid"] == pid and event["ph"] == "i" and event["name"].startswith("refused: ")]
    assert len(refused) == len(trace["refusals"])


for one in events:
    check(one)
processes = [event for event in events if event["ph"] == "M"]
assert len(processes) == len(report) == len({event["pid"] for event in processes})
for one, process in zip(report, processes):
    assert process["args"]["name"].startswith(one["trace"])
    compare(one, process["pid"])
