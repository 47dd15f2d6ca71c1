// Tangled from org/command/page/page.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// What the page shows, and its controls.
const byId = (id) => document.getElementById(id);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const mostColors = 11;

function look() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  const colors = Array.from({ length: mostColors }, (_, i) => of("--area-" + i));
  return { colors, others: of("--others"), line: of("--line"), grid: of("--grid") };
}

class Page {
  constructor(report, coded) {
    this.traces = report.traces;
    this.unreadable = report.unreadable;
    this.spread = report.spread;
    this.lines = coded.map((one, i) => decode(one, report.traces[i].labels));
    this.coded = coded;
    this.trace = 0;
    this.by = "label";
    this.traces.forEach((trace, i) => (this.peakBytes(trace) > this.peakBytes(this.traces[this.trace]) ? (this.trace = i) : 0));
    const on = {
      choose: (time) => this.choose(time),
      zoom: (window) => this.zoom(window),
      move: (by) => this.move(by),
      scale: (factor) => this.scale(factor),
      peak: () => this.toPeak(),
      whole: () => this.zoom(this.whole()),
    };
    this.chart = new Chart(byId("chart"), on);
    this.small = new Chart(byId("life-chart"), on);
    byId("version").textContent = "Written by cadastre " + report.cadastre + ".";
  }

  peakBytes(trace) {
    return trace.memory.find(({ type }) => type === "all")?.peak.bytes ?? 0;
  }

  get own() {
    return this.traces[this.trace];
  }

  start() {
    this.fillChoice();
    spreadTables(byId("spread"), this.spread);
    this.showTrace();
  }

  fillChoice() {
    const options = this.traces.map((trace, i) => element("option", { value: i }, shownLabel(trace.trace) + (trace.rank ? ", rank " + shownLabel(trace.rank) : "")));
    byId("trace").replaceChildren(...options);
    byId("choice").hidden = byId("by-trace").hidden = this.traces.length < 2;
  }

  showTrace() {
    byId("trace").value = this.trace;
    document.title = "Memory over time: " + shownLabel(this.own.trace);
    byId("about").textContent = (this.traces.length > 1 ? "" : shownLabel(this.own.trace) + ": ") + headingOf(this.own);
    const warnings = this.unreadable.map(({ problem }) => "Not read: " + shownLabel(problem));
    if (this.own.incomplete) warnings.push("Incomplete: " + shownLabel(this.own.incomplete));
    if (this.own.left_out > 0) warnings.push(counted(this.own.left_out, "operation") + " left out, which cannot have happened");
    byId("warning").textContent = warnings.join(". ");
    byId("warning").hidden = warnings.length === 0;
    showFigures(byId("figures"), this.own, (label) => this.openLife(this.own.labels.indexOf(label)));
    this.showBy();
  }

  // Which timeline there is, and what its series are summed up in.
  showBy() {
    const several = this.by === "trace";
    this.line = several ? (this.all ??= together(this.lines, this.traces)) : this.lines[this.trace];
    byId("picture").hidden = this.line.moments === 0;
    byId("with-resident").hidden = this.resident().length === 0;
    byId("by-device").hidden = this.own.devices.length === 0;
    byId("life").hidden = true;
    this.series = null;
    if (this.line.moments === 0) return;
    this.group();
    this.makeTable();
    this.window = this.whole();
    this.moment = peakOf(this.line);
    this.showResolution();
    this.show();
  }

  // Resident memory at moments of the process whose areas are shown.
  resident() {
    return this.by === "trace" ? [] : this.own.resident;
  }

  group() {
    const names = this.line.names;
    if (this.by === "type" || this.by === "device") {
      const nameOf = ({ type, device }) => (this.by === "device" && device !== null ? shownLabel(device) : type);
      this.groupNames = [...new Set(names.map(nameOf))].sort();
      this.groups = Uint32Array.from(names, (name) => this.groupNames.indexOf(nameOf(name)));
      return;
    }
    const many = names.length > mostColors;
    this.groups = Uint32Array.from(names, (_, i) => Math.min(i, many ? mostColors : names.length));
    this.groupNames = names.slice(0, mostColors).map((name) => this.nameOf(name));
    if (many) this.groupNames.push(this.by === "trace" ? "other traces" : "all other labels");
  }

  // A label that several memory types or devices have is named with its own.
  nameOf(name) {
    if (name.trace !== undefined) return shownLabel(name.trace);
    const isOne = this.line.names.filter(({ label }) => label === name.label).length === 1;
    return shownLabel(name.label) + (isOne ? "" : " (" + placeOf(this.own, name) + ")");
  }

  whole() {
    const { time, moments } = this.line;
    const end = Math.max(time[moments - 1], this.by === "trace" ? 0 : this.own.time_ns);
    return [0, Math.max(end, 1)];
  }

  showResolution() {
    const coded = this.by === "trace" ? this.coded : [this.coded[this.trace]];
    const interval = Math.max(...coded.map((one) => one.interval));
    byId("resolution").textContent = interval === 1
      ? "Exact: every change is a moment of its own."
      : "The trace has " + grouped(Math.max(...coded.map(({ added }) => added))) + " changes. Of each " + grouped(interval) +
        ", the page has the last and the peaks; what it shows at these moments, and every peak, is exact.";
  }

  // The last series is drawn at the bottom, and the largest belongs there.
  show() {
    const count = this.groupNames.length;
    this.moments = drawnMoments(this.line, this.groups, count, this.window, this.chart.columns);
    const rows = stackedRows(this.line, this.groups, count, this.window, this.moments);
    this.look = look();
    this.colors = this.groupNames.map((_, i) => (i < mostColors ? this.look.colors[i] : this.look.others));
    const reversed = rows.map(([time, ...sums]) => [time, ...sums.reverse()]);
    const resident = byId("resident").checked ? this.resident() : [];
    this.chart.show(reversed, this.window, { ...this.look, colors: [...this.colors].reverse() }, resident);
    this.chart.mark(this.marks());
    this.showLegend();
    this.showMoment();
    if (this.series !== null) this.showLife();
  }

  marks() {
    if (this.by === "trace") return [];
    const refusals = this.own.refusals.map((refusal) => ({
      time: refusal.time_ns,
      kind: "refusal",
      title: "refused: " + inBytes(refusal.size) + " " + refusal.type + " for " + shownLabel(refusal.label) + " at " + inSeconds(refusal.time_ns),
    }));
    const peaks = this.own.memory.map(({ type, peak, peak_time_ns }) => ({
      time: peak_time_ns,
      kind: "peak",
      title: "peak of " + type + ": " + inBytes(peak.bytes) + " at " + inSeconds(peak_time_ns),
    }));
    return [...peaks, ...refusals];
  }

  showLegend() {
    const items = this.groupNames.map((name, i) => element("li", {}, this.swatch(i), element("bdi", {}, name)));
    if (this.chart.resident.length > 0) items.push(element("li", {}, element("span", { className: "swatch resident" }), "resident memory of the process"));
    byId("legend").replaceChildren(...items);
  }

  swatch(group) {
    const made = element("span", { className: "swatch" });
    made.style.background = this.colors[group];
    return made;
  }

  makeTable() {
    const live = { title: "live", order: (row) => row.live, text: (row) => inBytes(row.live) };
    const share = { title: "share", order: (row) => row.live, text: (row) => inPercent(row.live, this.total) };
    const columns = this.by === "trace" ? this.columnsOfTraces(live, share) : this.columnsOfLabels(live, share);
    this.lives = new SortedTable(byId("lives"), "", columns, "live");
  }

  columnsOfLabels(live, share) {
    const label = labelColumn((row) => this.openLife(row.series));
    const plain = label.text;
    label.text = (row) => element("span", { className: "named" }, this.swatch(this.groups[row.series]), plain(row));
    return [label, typeColumnOf(this.own), live, share, bytesColumn("at the peak", (row) => row.at_peak, true),
      bytesColumn("allocated", (row) => row.allocated, true), bytesColumn("never freed", (row) => row.never_freed, true)];
  }

  columnsOfTraces(live, share) {
    const choose = (row) => {
      this.trace = row.series;
      this.setBy("label");
      this.showTrace();
      byId("chart").focus();
    };
    const column = labelColumn(choose);
    const plain = column.text;
    column.text = (row) => element("span", { className: "named" }, this.swatch(this.groups[row.series]), plain(row));
    return [{ ...column, title: "trace" }, live, share, bytesColumn("peak", (row) => ({ bytes: this.peakBytes(row) }), true)];
  }

  showMoment() {
    const lives = livesAt(this.line, this.moment);
    this.total = lives.reduce((a, b) => a + b, 0);
    const time = this.line.time[this.moment];
    const rows = this.line.names.map((name, series) => ({ ...name, label: name.trace ?? name.label, live: lives[series], series }));
    const resident = this.resident().findLast(({ time_ns }) => time_ns <= time);
    const text = "at " + this.timeText(time) + ": " + inBytes(this.total) + " live" + (resident ? ", " + inBytes(resident.bytes) + " resident" : "");
    byId("moment").textContent = "Who lives " + text;
    this.lives.caption.textContent = "Live bytes by " + (this.by === "trace" ? "trace" : "label");
    this.lives.show(rows.filter(({ live }) => live > 0));
    this.chart.point(time);
    if (this.series !== null) this.small.point(time);
    const values = { min: 0, max: this.line.moments - 1, now: this.moment, text };
    for (const [name, value] of Object.entries(values)) byId("chart").setAttribute("aria-value" + name, value);
  }

  // With more digits, where the window is short.
  timeText(time) {
    const span = this.window[1] - this.window[0];
    return time > 50 * span ? onAxis(time, span / 20, time) : inSeconds(time);
  }

  // The moment that a time is in: the last that is drawn before it; of several at one time, the last.
  choose(time) {
    const index = this.moments.filter((moment) => this.line.time[moment] <= time).pop();
    this.moment = index ?? Math.max(this.line.before(time, true) - 1, 0);
    this.showMoment();
  }

  // By so many of the moments that are drawn.
  move(by) {
    const drawn = this.moments;
    const at = drawn.findIndex((moment) => moment >= this.moment);
    const now = at < 0 ? drawn.length : at;
    const between = now === drawn.length || drawn[now] !== this.moment;
    const next = now + by - (between && by > 0 ? 1 : 0);
    if (next >= 0 && next < drawn.length) this.moment = drawn[next];
    else if (Math.abs(by) === Infinity) this.moment = by < 0 ? 0 : this.line.moments - 1;
    else this.moment = Math.min(Math.max(this.moment + Math.sign(by), 0), this.line.moments - 1);
    this.reveal();
  }

  // Moves the window to the moment, if it is not there.
  reveal() {
    const time = this.line.time[this.moment];
    const [from, to] = this.window;
    if (time >= from && time <= to) return this.showMoment();
    this.zoom([time - (to - from) / 2, time + (to - from) / 2]);
  }

  zoom([from, to]) {
    const [first, last] = this.whole();
    const width = Math.min(Math.max(to - from, 1), last - first);
    const left = Math.min(Math.max(from, first), last - width);
    this.window = [left, left + width];
    this.show();
  }

  scale(factor) {
    const [from, to] = this.window;
    const time = this.line.time[this.moment];
    const center = time >= from && time <= to ? time : (from + to) / 2;
    this.zoom([center - (center - from) * factor, center + (to - center) * factor]);
  }

  toPeak() {
    this.moment = peakOf(this.line);
    this.reveal();
  }

  openLife(series) {
    if (this.by === "trace") {
      this.setBy("label");
      this.showBy();
    }
    this.series = series;
    byId("life").hidden = false;
    this.showLife();
    byId("life").focus();
  }

  showLife() {
    const label = this.own.labels[this.series];
    const color = this.look.colors[this.series] ?? this.look.others;
    byId("life-title").replaceChildren("Life of ", labelText(label.label), ", " + placeOf(this.own, label));
    const rows = rowsOfSeries(this.line, this.series, this.window, this.small.columns);
    this.small.show(rows, this.window, { ...this.look, colors: [color] });
    this.small.point(this.line.time[this.moment]);
    const { bytes, time } = this.mostOf(this.series);
    const inBlocks = (amount) => inBytes(amount.bytes) + " in " + counted(amount.blocks, "block");
    const figures = {
      "at most": inBytes(bytes) + (this.coded[this.trace].interval === 1 ? " at " : " by ") + inSeconds(time),
      "at the peak": inBlocks(label.at_peak),
      ["at the peak of " + label.type]: inBlocks(label.at_peak_of_type),
      allocated: inBlocks(label.allocated),
      "never freed": inBlocks(label.never_freed),
    };
    byId("life-figures").replaceChildren(
      ...Object.entries(figures).map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
    );
  }

  // The most that a series held, and the moment up to which it did.
  mostOf(series) {
    const found = { bytes: 0, time: 0 };
    for (let moment = 0; moment < this.line.moments; ++moment) {
      for (let i = this.line.first[moment]; i < this.line.first[moment + 1]; ++i) {
        if (this.line.series[i] !== series || this.line.most[i] <= found.bytes) continue;
        found.bytes = this.line.most[i];
        found.time = this.line.time[moment];
      }
    }
    return found;
  }

  closeLife() {
    byId("life").hidden = true;
    this.series = null;
    byId("chart").focus();
  }

  setBy(by) {
    this.by = by;
    document.querySelector("input[name=by][value=" + by + "]").checked = true;
  }

  connect() {
    const on = (id, does) => byId(id).addEventListener("click", does);
    on("closer", () => this.scale(0.5));
    on("wider", () => this.scale(2));
    on("whole", () => this.zoom(this.whole()));
    on("peak", () => this.toPeak());
    on("close", () => this.closeLife());
    byId("life").addEventListener("keydown", (event) => event.key === "Escape" && this.closeLife());
    byId("by").addEventListener("change", (event) => {
      this.by = event.target.value;
      this.showBy();
    });
    byId("resident").addEventListener("change", () => this.show());
    byId("trace").addEventListener("change", (event) => {
      this.trace = Number(event.target.value);
      if (this.by === "trace" || this.by === "device") this.setBy("label");
      this.showTrace();
    });
    const again = () => this.line.moments > 0 && this.show();
    dark.addEventListener("change", again);
    let waiting = 0;
    window.addEventListener("resize", () => {
      clearTimeout(waiting);
      waiting = setTimeout(again, 100);
    });
  }
}

const page = new Page(JSON.parse(byId("report").textContent), JSON.parse(byId("timelines").textContent));
page.connect();
page.start();
