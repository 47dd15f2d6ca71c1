# Tangled from org/tests/report_page_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import random
import subprocess
import sys
import time
from browser import Browser

CADASTRE, PROGRAM, TRACES, SCRATCH = sys.argv[1:]
HOSTILE = '</script><img src=x onerror="window.hurt=1"><script>window.hurt=1</script><!-- \u202e"\'&amp;'

def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def write_trace(name, lines):
    path = os.path.join(SCRATCH, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("op,block,size,label,type,time,result\ncreate,,,,,0,\n" + "\n".join(lines) + "\n")
    return path


def small_trace():
    types = ["HOST", "DEVICE", "PINNED"]
    lines = [f"malloc,{i},{12544 + (i - 1) * 1000},{quoted(HOSTILE if i == 3 else f'label {i}')},{types[i % 3]},{i * 1000}," for i in range(1, 21)]
    lines += ["malloc,,9000000,label 4,HOST,20500,104", "free,20,,,,21000,", "malloc,30,64,,HOST,22000,", "free,3,,,,23000,", "destroy,,,,,24000,"]
    return write_trace("small.csv", lines)


def many_changes(changes):
    rng, lines, live = random.Random(7), [], []
    for i in range(changes):
        if live and rng.random() < 0.5:
            lines.append(f"free,{live.pop(rng.randrange(len(live)))},,,,{i * 10},")
        else:
            lines.append(f"malloc,{i + 1},{rng.randrange(1, 1 << 20)},label {rng.randrange(30)},{'DEVICE' if i % 3 else 'HOST'},{i * 10},")
            live.append(i + 1)
    return write_trace("many.csv", lines)


def report(*arguments):
    return subprocess.run([CADASTRE, "report", *arguments], check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout


def page_of(*traces):
    path = os.path.join(SCRATCH, "opened.html")
    report("--format", "html", "-o", path, *traces)
    browser.open(path)
    return [json.loads(report("--json", trace))["traces"][0] for trace in traces]

claims = []


def claim(sentence):
    def add(function):
        claims.append((sentence, function))
        return function
    return add


def check(one):
    sentence, function = one
    number = claims.index(one) + 1
    try:
        browser.screen(1200, 900)
        function()
        bad = complaints()
        assert not bad, bad
        print(f"ok {number} - {sentence}", flush=True)
    except Exception as error:  # pylint: disable=broad-except  # each claim is told, whatever is wrong with one
        print(f"not ok {number} - {sentence}\n# " + repr(error)[:2000].replace("\n", "\n# "), flush=True)


def complaints():
    """What the browser complains of, and what the page asked of the network."""
    found = []
    for event in browser.events:
        if event["method"] in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            found.append(event["params"])
        if event["method"] == "Network.requestWillBeSent" and not event["params"]["request"]["url"].endswith("opened.html"):
            found.append(event["params"]["request"]["url"])
    return found


def equal(found, wanted):
    assert found == wanted, f"{found!r} is not {wanted!r}"


def text(selector):
    return browser.do(f"document.querySelector({json.dumps(selector)}).innerText")


def rows(selector):
    """The cells of a table, as a person reads them."""
    return browser.do(f"[...document.querySelectorAll({json.dumps(selector + ' tbody tr')})].map(r => [...r.cells].map(c => c.innerText))")


def press(*keys):
    codes = {"Enter": ("Enter", "\r")}
    for key in keys:
        name, *shift = key.split("+shift")
        code, typed = codes.get(name, (name, name if len(name) == 1 else ""))
        more = {"text": typed} if typed else {}
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=code, modifiers=8 if shift else 0, **more)
        browser.call("Input.dispatchKeyEvent", type="keyUp", key=code)


def box(selector):
    return browser.do(f"(() => {{ const b = document.querySelector({json.dumps(selector)}); b.scrollIntoView({{block: 'center'}});"
                      " const r = b.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()")


def mouse(kind, x, y, **more):
    browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1, **more)


def click(selector):
    left, top, width, height = box(selector)
    mouse("mousePressed", left + width / 2, top + height / 2)
    mouse("mouseReleased", left + width / 2, top + height / 2)


def seconds_of_page():
    """Of processor time since Performance.enable, whoever else uses the machine."""
    return next(one["value"] for one in browser.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")


def on_chart(share):
    left, top, width, height = box("#chart")
    return left + 62 + (width - 62) * share, top + height / 2


def ticks():
    """The labels of the axis of times."""
    return browser.do("[...document.querySelectorAll('#chart .dygraph-axis-label-x')].map(e => e.innerText)")

def in_words(sentence):
    """The lines of the text form, with single blanks."""
    return [" ".join(line.split()) for line in sentence.split("\n")]


def holders_as_text(shown):
    return [f"{held} {share} {blocks} block{'' if blocks == '1' else 's'} {kind} {label}" for label, kind, held, share, blocks in shown]


@claim("the figures are those of the text form, in the same words")
def _():
    trace = small_trace()
    for path in (trace, os.path.join(TRACES, "dmc_alz_w8_s150.trace.gz"), os.path.join(TRACES, "gpu_test_qmckl_mo.trace.gz")):
        page_of(path)
        words = in_words(report(path))
        tables = browser.do("[...document.querySelectorAll('#figures table')].map(t => [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.innerText)))")
        for row in tables[0]:
            assert " ".join(row) in words, row
        shown = holders_as_text(tables[1])
        first = words.index(text("#figures section:nth-of-type(2) h3"))
        listed = [line for line in words[first + 1:words.index("", first)] if not line.startswith("and ")]
        assert listed and not [line for line in listed if line not in shown and "onerror" not in line], listed
        assert text("#figures .churn") in words, text("#figures .churn")
        titles = browser.do("[...document.querySelectorAll('#figures h3')].map(h => h.innerText)")
        equal([title for title in titles if title.startswith("Grew")], [line for line in words if line.startswith("Grew")])
        for item in browser.do("[...document.querySelectorAll('#figures li')].map(i => i.innerText)"):
            assert item in words, item


def recorded():
    """The trace of a program that has memory beside its blocks."""
    path = os.path.join(SCRATCH, "recorded")
    if not os.path.exists(path):
        trace = os.path.join(TRACES, "test_qmckl_memory.trace.gz")
        long = os.path.join(TRACES, "dmc_alz_w8_s150.trace.gz")
        subprocess.run([CADASTRE, "replay", "--touch", trace, long], check=False, capture_output=True, env={**os.environ, "CADASTRE_TRACE": path, "CADASTRE_HEAP": "on"})
    return path


def table(caption):
    return browser.do(f"[...[...document.querySelectorAll('#figures table')].find(t => t.caption.innerText === {json.dumps(caption)})"
                      ".tBodies[0].rows].map(r => [...r.cells].map(c => c.innerText))")


@claim("memory beside blocks, rounding, failures and times of calls are those of the text form")
def _():
    json_of = page_of(recorded())[0]
    words = in_words(report(recorded()))
    for caption, of in (("Memory in use beside blocks", "uses"), ("Calls that failed", "failures"), ("Time in calls", "calls")):
        shown = table(caption)
        equal(len(shown), len(json_of[of]))
        assert shown and not [row for row in shown[:10] if " ".join(" ".join(row).split()) not in words], (caption, shown)
    rounded = browser.do("[...document.querySelectorAll('#figures p')].map(p => p.innerText).find(t => t.startsWith('Sizes are rounded up'))")
    assert rounded in words, rounded
    lines = [f"{beyond} {share} {blocks} block{'' if blocks == '1' else 's'} HOST {label}"
             for label, beyond, share, blocks in table("Rounding when all together were most, by label")]
    first = words.index("Most of it when all together were most, by label") + 1
    equal([line for line in words[first:words.index("", first)] if line not in lines], [])
    shortest = [f"{blocks} block{'' if blocks == '1' else 's'} the shortest {life} {kind} {label}" for label, kind, blocks, life in table("Labels with short lives")]
    first = words.index("Most short lives, by label") + 1
    equal([line for line in words[first:words.index("", first)] if line not in shortest], [])
    first = words.index("Most of it, estimated, by label") + 1
    times = [f"{time_in_calls} {kind} {label}" for label, kind, time_in_calls in table("Time in calls, by label")]
    equal([line for line in words[first:] if line and line not in times], [])


@claim("huge pages and NUMA nodes are those of the text form")
def _():
    path = os.path.join(SCRATCH, "nodes.csv")
    with open(path, "w") as file:
        file.write("# cadastre 1, process 1 on host\nop,block,size,time\ncreate,,,0\nmalloc,1,1048576,10\n# resident 20 5242880 1048576 0 2097152\n"
                   "# node 21 0 4194304\n# node 22 3 1048576\nfree,1,,30\n")
    page_of(path)
    words = in_words(report(path))
    shown = browser.do("[...document.querySelectorAll('#figures p')].map(p => p.innerText)")
    for beginning in ("Of the host's memory 2.00 MiB", "By NUMA node: 0 4.00 MiB"):
        assert [line for line in words if line.startswith(beginning)] == [line for line in shown if line.startswith(beginning)] != [], shown


@claim("halves are rounded as in the text form, which rounds those to an even digit that are exact")
def _():
    lives = [10250, 11050, 1005, 1015, 99950]
    path = write_trace("halves.csv", [line for i, life in enumerate(lives, 1) for line in (f"malloc,{i},8,label {i},HOST,{i * 200000},", f"free,{i},,,,{i * 200000 + life},")])
    page_of(path)
    words = in_words(report(path))
    shown = {f"1 block the shortest {life} {kind} {label}" for label, kind, _, life in table("Labels with short lives")}
    equal({line for line in words if line.startswith("1 block the shortest ")}, shown)


def line_of_resident():
    return [tuple(map(float, one.split(","))) for one in browser.do("document.querySelector('#chart polyline').getAttribute('points')").split()]


def axis_of_bytes():
    """Where bytes are on the chart, by what is written at its axis."""
    units = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
    found = browser.do("[...document.querySelectorAll('#chart .dygraph-axis-label-y')].map(e => { const r = e.getBoundingClientRect(),"
                       " f = document.getElementById('chart').getBoundingClientRect(); return [e.innerText, r.top + 7 - f.top]; })")  # dygraphs takes labels for 14 pixels high
    marks = [(0 if mark == "0" else float(mark.split()[0]) * units[mark.split()[1]], top) for mark, top in found]
    _, (low, bottom), *_, (high, top), _ = sorted(marks)  # dygraphs moves the first and the last into its frame
    return lambda size: bottom + (size - low) / (high - low) * (top - bottom)


@claim("resident memory is a line at its height, with its figure at each moment, and can be left out")
def _():
    json_of = page_of(recorded())[0]
    resident = [one for one in json_of["resident"] if one["time_ns"] <= json_of["time_ns"]]
    points = line_of_resident()
    equal(len(points), 2 * len(resident))
    top = browser.do("Number(document.querySelector('#chart svg svg').getAttribute('y'))")
    height = axis_of_bytes()
    for place, one in ((0, resident[0]), (-1, resident[-1]), (points.index(min(points, key=lambda point: point[1])), max(resident, key=lambda one: one["bytes"]))):
        assert abs(points[place][1] + top - height(one["bytes"])) < 3, (place, points[place], height(one["bytes"]))
    browser.do("document.getElementById('chart').focus()")
    press("End")
    shown, unit = text("#moment").split(" live, ")[1].removesuffix(" resident").split()
    equal(unit, "MiB")
    assert abs(float(shown) / (resident[-1]["bytes"] / (1 << 20)) - 1) < 0.005, (shown, resident[-1])  # three digits
    assert "resident memory of the process" in text("#legend")
    for _ in range(3):
        click("#closer")
    assert 0 < len(line_of_resident()) <= len(points)
    click("#resident")
    equal(line_of_resident(), [])
    assert "resident memory" not in text("#legend")
    page_of(small_trace())
    equal(browser.do("document.getElementById('with-resident').hidden"), True)


@claim("the first moment is the peak, to the byte")
def _():
    json_of = page_of(small_trace())[0]
    peak = next(row for row in json_of["memory"] if row["type"] == "all")
    assert peak["peak"]["bytes"] == sum(one["at_peak"]["bytes"] for one in json_of["labels"])
    at_peak = {(one["label"] or "(no label)", one["type"]) for one in json_of["labels"] if one["at_peak"]["bytes"] > 0}
    equal({(row[0], row[1]) for row in rows("#lives")}, at_peak)
    equal(text("#moment"), "Who lives at " + text("#figures section:nth-of-type(2) h3").split(", at ")[1].split(",")[0] + ": "
          + text("#figures section:nth-of-type(2) h3").split(" ")[3] + " " + text("#figures section:nth-of-type(2) h3").split(" ")[4] + " live")


@claim("arrow keys move the moment by one change, and what lives then is shown")
def _():
    page_of(small_trace())
    browser.do("document.getElementById('chart').focus()")
    press("Home")
    equal(text("#moment"), "Who lives at 1.00 \u00b5s: 12.2 KiB live")
    equal([row[0] for row in rows("#lives")], ["label 1"])
    press("ArrowRight")
    equal(sorted(row[0] for row in rows("#lives")), ["label 1", "label 2"])
    press("End")
    equal(browser.do("document.getElementById('chart').getAttribute('aria-valuetext')"), "at 24.0 \u00b5s: 0 B live")
    press("ArrowLeft+shift")
    assert text("#moment") != "Who lives at 24.0 \u00b5s: 0 B live"
    press("p")
    assert "at 20.0 \u00b5s" in text("#moment"), text("#moment")


@claim("a click chooses the moment under the pointer")
def _():
    page_of(small_trace())
    x, y = on_chart(2.5 / 24)
    mouse("mousePressed", x, y)
    mouse("mouseReleased", x, y)
    equal(sorted(row[0] for row in rows("#lives")), ["label 1", "label 2"])


@claim("the moment is drawn at its time, also when the window gets another width")
def _():
    page_of(small_trace())
    browser.do("document.getElementById('chart').focus()")
    press("Home", *["ArrowRight"] * 9)
    assert "at 10.0 \u00b5s" in text("#moment"), text("#moment")
    middle = "(e => { const r = e.getBoundingClientRect(); return r.left + r.width / 2; })"
    for width in (1200, 700, 1100):
        browser.screen(width, 900)
        browser.do("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tick = browser.do(middle + "([...document.querySelectorAll('#chart .dygraph-axis-label-x')].find(e => e.innerText === '10 \u00b5s'))")
        cursor = browser.do(middle + "(document.querySelector('#chart .cursor'))")
        assert abs(tick - cursor) < 2, (width, tick, cursor)


@claim("a brush zooms, a double click, Escape and a button show all again")
def _():
    page_of(small_trace())
    whole = ticks()
    for undo in ("double click", "Escape", "button"):
        x, y = on_chart(0.25)
        mouse("mousePressed", x, y)
        mouse("mouseMoved", on_chart(0.3)[0], y)
        assert browser.do("!document.querySelector('#chart .brush').hidden")
        mouse("mouseMoved", on_chart(0.5)[0], y)
        mouse("mouseReleased", on_chart(0.5)[0], y)
        shown = [float(tick.split()[0]) for tick in ticks()]
        assert shown and min(shown) >= 5 and max(shown) <= 13, shown
        if undo == "double click":
            browser.do("document.getElementById('chart').dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))")
        elif undo == "Escape":
            browser.do("document.getElementById('chart').focus()")
            press("Escape")
        else:
            click("#whole")
        equal(ticks(), whole)


@claim("a column sorts the table, and another press turns it")
def _():
    page_of(small_trace())
    click("#lives th:nth-child(1) button")
    names = [row[0] for row in rows("#lives")]
    equal(names, browser.do(f"{json.dumps(names)}.sort((a, b) => a.localeCompare(b))"))
    equal(browser.do("document.querySelector('#lives th').getAttribute('aria-sort')"), "ascending")
    click("#lives th:nth-child(1) button")
    equal([row[0] for row in rows("#lives")], names[::-1])
    equal(browser.do("document.querySelector('#lives th').getAttribute('aria-sort')"), "descending")


@claim("a label opens its life, which a key closes")
def _():
    json_of = page_of(small_trace())[0]
    browser.do("[...document.querySelectorAll('#lives button.label')].find(b => b.innerText === 'label 7').focus()")
    press("Enter")
    life = text("#life")
    label = next(one for one in json_of["labels"] if one["label"] == "label 7")
    equal(text("#life-title"), "Life of label 7, DEVICE")
    equal(label["allocated"], {"bytes": 18544, "blocks": 1})
    for words in ("at most\n18.1 KiB at 7.00 \u00b5s", "at the peak\n18.1 KiB in 1 block", "allocated\n18.1 KiB in 1 block", "never freed\n18.1 KiB in 1 block"):
        assert words in life, life
    equal(browser.do("document.activeElement.id"), "life")
    press("Escape")
    equal(browser.do("document.getElementById('life').hidden + document.activeElement.id"), "truechart")


@claim("areas are by label or by memory type")
def _():
    page_of(small_trace())
    equal(browser.do("document.querySelectorAll('#legend li').length"), 12)
    click("input[value=type]")
    equal(browser.do("[...document.querySelectorAll('#legend li')].map(e => e.innerText)"), ["DEVICE", "HOST", "PINNED"])
    equal(browser.do("document.getElementById('by-trace').hidden"), True)


def trace_of_devices():
    lines = [f"malloc,{i},{1000 * i},label {i % 3},{'HOST' if i > 6 else 'DEVICE'},{i * 1000},,{'' if i > 6 else 'cuda ' + str(i % 2)}" for i in range(1, 9)]
    path = write_trace("devices.csv", lines)
    with open(path, encoding="utf-8") as file:
        head, create, *rest = file.read().splitlines()
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([head + ",device", create + ",", *rest]) + "\n")
    return path


@claim("areas are by device, and each device has its figures and who held them")
def _():
    path = trace_of_devices()
    json_of = page_of(path)[0]
    equal([one["device"] for one in json_of["devices"]], ["cuda 1", "cuda 0"])
    words = in_words(report(path))
    for row in table("Peaks and allocations by memory type"):
        assert " ".join(" ".join(row).split()) in words, row
    for one in json_of["devices"]:
        title = next(line for line in words if line.startswith("Who held the ") and " of the peak of " + one["device"] in line)
        shown = holders_as_text(table("Labels at the peak of " + one["device"]))
        equal(sorted(shown), sorted(words[words.index(title) + 1:words.index("", words.index(title))]))
    click("input[value=device]")
    equal(browser.do("[...document.querySelectorAll('#legend li')].map(e => e.innerText)"), ["HOST", "cuda 0", "cuda 1"])
    click("input[value=label]")
    assert "label 1 (DEVICE cuda 1)" in text("#legend"), text("#legend")
    page_of(small_trace())
    equal(browser.do("document.getElementById('by-device').hidden"), True)


@claim("peaks over hosts and over devices are those of the text form")
def _():
    paths = []
    for number in (1, 2):
        paths.append(os.path.join(SCRATCH, f"rank{number}.csv"))
        with open(paths[-1], "w") as file:
            file.write(f"# cadastre 1, process 1 on host{number}, rank {number}\n# memory 100000\nop,block,size,type,device\ncreate,,,,\n"
                       f"malloc,1,{1000 * number},DEVICE,cuda 0\nmalloc,2,500,DEVICE,cuda {number}\nmalloc,3,70,HOST,\n")
    page_of(*paths)
    words = in_words(report(*paths))
    shown = rows("#spread")
    equal([row[0] for row in shown].count("DEVICE"), 3)
    equal(browser.do("[...document.querySelectorAll('#spread h3')].map(h => h.innerText)"), ["2 traces", "2 hosts", "4 devices"])
    for row in shown:
        assert " ".join(row) in words, row


@claim("several traces are compared, and each can be chosen")
def _():
    paths = [small_trace(), os.path.join(TRACES, "gpu_test_qmckl_mo.trace.gz")]
    found = page_of(*paths)
    peaks = [next(row for row in one["memory"] if row["type"] == "all")["peak"]["bytes"] for one in found]
    equal(browser.do("document.getElementById('trace').selectedIndex"), peaks.index(max(peaks)))
    words = in_words(report(*paths))
    shown = rows("#spread")
    assert len(shown) >= 2, shown
    for kind, least, mean, most, total, of in shown:
        assert f"{kind} {least} {mean} {most} {total} {of}" in words, kind
    click("input[value=trace]")
    living = [row[0] for row in rows("#lives")]
    assert paths[peaks.index(max(peaks))] in living and set(living) <= set(paths), living
    click("#lives button.label")
    equal(browser.do("document.querySelector('input[name=by]:checked').value"), "label")
    browser.do("(() => { const s = document.getElementById('trace'); s.value = 0; s.dispatchEvent(new Event('change')); })()")
    assert "small.csv" in browser.do("document.title")
    assert "label 1" in text("#legend"), text("#legend")


@claim("a trace that cannot be read is named, and the others are drawn")
def _():
    bad, page = os.path.join(SCRATCH, "bad.csv"), os.path.join(SCRATCH, "opened.html")
    with open(bad, "w", encoding="utf-8") as file:
        file.write("op,block,size\ncreate,,\nmalloc,1,<b>one</b>\n")
    equal(subprocess.run([CADASTRE, "report", "--format", "html", "-o", page, bad, small_trace()], capture_output=True).returncode, 1)
    browser.open(page)
    assert text("#warning").startswith(f"Not read: {bad}:3:10: size '<b>one</b>' is not a number"), text("#warning")
    assert "label 1" in text("#legend"), text("#legend")


@claim("a label cannot become a part of the page")
def _():
    page_of(small_trace())
    equal(browser.do("typeof window.hurt"), "undefined")
    equal(browser.do("document.images.length"), 0)
    assert any(row[0].startswith("</script><img") for row in rows("#lives"))
    click("input[value=label]")
    browser.do("[...document.querySelectorAll('#lives button.label')].find(b => b.innerText.startsWith('</script>')).click()")
    equal(browser.do("typeof window.hurt"), "undefined")
    equal(browser.do("document.scripts.length"), 4)


@claim("the page runs no script but its own, and asks nothing of the network")
def _():
    page_of(small_trace())
    browser.do("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.hurt = 1'}))")
    equal(browser.do("typeof window.hurt"), "undefined")
    equal(browser.do("fetch('https://localhost/').then(() => 'fetched', () => 'refused')"), "refused")
    bad = [one for one in complaints() if isinstance(one, dict) and "Content Security Policy" not in json.dumps(one)]
    assert not bad, bad
    browser.events.clear()


@claim("a phone shows all without a scroll to the side, light and dark")
def _():
    page_of(small_trace())
    for dark in (False, True):
        browser.screen(375, 700, dark=dark, touch=True)
        time.sleep(0.3)
        assert browser.do("document.documentElement.scrollWidth") <= 375
        click("#lives button.label")
        assert browser.do("document.documentElement.scrollWidth") <= 375
        narrow = browser.do("[...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).length")
        equal(narrow, 0)
        light = sum(map(int, browser.do("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3)")))
        assert (light < 200) == dark, light


@claim("the tab key goes through all controls, each of which has a name and shows that it has the focus")
def _():
    page_of(small_trace())
    seen = []
    for _ in range(9):
        press("Tab")
        seen.append(browser.do("(() => { const e = document.activeElement; return [e.id || e.value || e.innerText,"
                               " !!(e.innerText || e.ariaLabel || (e.labels && e.labels.length)), getComputedStyle(e).outlineStyle !== 'none']; })()"))
    equal([one[0] for one in seen][:6], ["label", "closer", "wider", "whole", "peak", "chart"])
    assert all(named and framed for _, named, framed in seen), seen


@claim("a trace of many changes opens and zooms at once, and the page says what it has of them")
def _():
    path = many_changes(250000)
    json_of = page_of(path)[0]
    assert os.path.getsize(os.path.join(SCRATCH, "opened.html")) < 4 << 20
    assert "250,000 changes" in text("#resolution"), text("#resolution")
    held = {(one["label"], one["type"]) for one in json_of["labels"] if one["at_peak"]["bytes"] > 0}
    equal({(row[0], row[1]) for row in rows("#lives")}, held)
    browser.do("document.getElementById('chart').focus()")
    at_peak = text("#moment")
    press("ArrowRight", "ArrowLeft")
    equal(text("#moment"), at_peak)
    browser.call("Performance.enable", timeDomain="threadTicks")
    before = seconds_of_page()
    for _ in range(10):
        click("#closer")
    assert seconds_of_page() - before < 5


@claim("a trace of nothing has a page that says so")
def _():
    page_of(write_trace("nothing.csv", ["destroy,,,,,5,"]))
    assert "Nothing was allocated." in text("#figures")
    equal(browser.do("document.getElementById('picture').hidden"), True)

browser = Browser(PROGRAM)
try:
    for one in claims:
        check(one)
finally:
    browser.end()
print(f"1..{len(claims)}")
