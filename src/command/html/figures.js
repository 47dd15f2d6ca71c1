// Tangled from org/command/page/tables.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The figures of a report, as the text form has them.
const bytesOf = (amount) => (row) => amount(row).bytes;

function bytesColumn(title, amount, hides = false) {
  return { title, order: bytesOf(amount), text: (row) => inBytes(amount(row).bytes), hides };
}

function blocksColumn(title, amount, hides = false) {
  return { title, order: (row) => amount(row).blocks, text: (row) => grouped(amount(row).blocks), hides };
}

// A narrow screen has no room for one type on each line.
function typeColumnOf(trace) {
  return { title: "memory", key: (row) => row.type, hides: trace.memory.length < 3 };
}

function labelColumn(pick) {
  return {
    title: "label",
    key: (row) => shownLabel(row.label),
    text: (row) => {
      const button = element("button", { type: "button", className: "label" }, labelText(row.label));
      button.addEventListener("click", () => pick(row));
      return button;
    },
  };
}

function section(parent, title, ...children) {
  const made = element("section", {}, element("h3", {}, title), ...children);
  parent.append(made);
  return made;
}

function tableIn(parent, caption, columns, sortedBy, rows) {
  const place = element("div", {});
  parent.append(place);
  new SortedTable(place, caption, columns, sortedBy).show(rows);
}

function headingOf(trace) {
  const counts = [counted(trace.operations, "operation") + " by " + counted(trace.threads, "thread")];
  let text = counts + " on " + counted(trace.contexts, "context") + " in " + inSeconds(trace.time_ns);
  if (trace.process) text += "; process " + shownLabel(trace.process) + " on " + shownLabel(trace.host ?? "");
  if (trace.rank) text += ", rank " + shownLabel(trace.rank);
  if (trace.executable) text += ", " + shownLabel(trace.executable);
  return text;
}

function memoryTable(parent, trace) {
  if (trace.memory.length === 0) {
    parent.append(element("p", {}, "Nothing was allocated."));
    return;
  }
  const rows = trace.memory.filter(({ type }) => type !== "all" || trace.memory.length > 2);
  const columns = [
    { title: "Memory", key: (row) => row.type },
    bytesColumn("peak", (row) => row.peak),
    blocksColumn("in blocks", (row) => row.peak, true),
    { title: "at", order: (row) => row.peak_time_ns, text: (row) => inSeconds(row.peak_time_ns) },
    bytesColumn("allocated", (row) => row.allocated),
    blocksColumn("in blocks", (row) => row.allocated, true),
    { title: "refused", order: (row) => row.refused, text: (row) => grouped(row.refused) },
  ];
  tableIn(parent, "Peaks and allocations by memory type", columns, "peak", rows);
}

function holdersTable(parent, trace, pick) {
  const all = trace.memory.find(({ type }) => type === "all");
  const rows = trace.labels.filter(({ at_peak }) => at_peak.blocks > 0);
  if (rows.length === 0) return;
  const share = { title: "share", order: (row) => row.at_peak.bytes, text: (row) => inPercent(row.at_peak.bytes, all.peak.bytes) };
  const columns = [labelColumn(pick), typeColumnOf(trace), bytesColumn("held", (row) => row.at_peak), share, blocksColumn("blocks", (row) => row.at_peak, true)];
  const title = "Who held the " + inBytes(all.peak.bytes) + " of the peak, at " + inSeconds(all.peak_time_ns) + ", by label";
  tableIn(section(parent, title), "Labels at the peak", columns, "held", rows);
}

function refusalsList(parent, trace) {
  if (trace.refusals.length === 0) return;
  const items = trace.refusals.map((refusal) => {
    const item = element("li", {}, "at " + inSeconds(refusal.time_ns) + ", " + inBytes(refusal.size) + " " + refusal.type + " for ");
    item.append(labelText(refusal.label), ", while " + inBytes(refusal.live_bytes) + " were held");
    refusal.holders.forEach(({ label, bytes }, i) => item.append((i === 0 ? ": " : ", ") + inBytes(bytes) + " ", labelText(label)));
    return item;
  });
  const more = trace.memory.find(({ type }) => type === "all").refused - items.length;
  if (more > 0) items.push(element("li", {}, "and " + grouped(more) + " more"));
  section(parent, "Refused", element("ul", {}, ...items));
}

function leftTable(parent, trace, pick, title, caption, is_meant) {
  const rows = trace.labels.filter(is_meant);
  if (rows.length === 0) return;
  const columns = [labelColumn(pick), typeColumnOf(trace), bytesColumn("never freed", (row) => row.never_freed), blocksColumn("blocks", (row) => row.never_freed)];
  tableIn(section(parent, title), caption, columns, "never freed", rows);
}

function grownTable(parent, trace, pick) {
  leftTable(parent, trace, pick, "Grew until the end, and may leak, by label", "Labels that grew until the end",
    ({ grows_until_the_end }) => grows_until_the_end);
}

function neverFreedTable(parent, trace, pick) {
  leftTable(parent, trace, pick, "Not freed one by one, but with their contexts, or live at the end, by label", "Labels with blocks that were never freed",
    ({ never_freed }) => never_freed.blocks > 0);
}

function churnText(trace) {
  const all = trace.memory.find(({ type }) => type === "all");
  if (!all) return "";
  const { bytes, blocks } = all.allocated;
  const rate = trace.time_ns > 0 ? inBytes(Math.floor(bytes / (trace.time_ns / 1e9))) + " were allocated in a second. " : "";
  return rate + grouped(trace.short_lives) + " of " + counted(blocks, "block") + " lived for less than a millisecond. " +
    grouped(trace.asked_again) + " could have had the memory of a block of the same size that was freed before; a pool does that.";
}

function spreadTable(parent, spread, count) {
  const own = spread.filter(({ of }) => of === "trace");
  const rows = own.filter(({ type }) => type !== "all" || own.length > 2);
  const columns = ["minimum", "mean", "maximum", "sum"].map((title) => ({ title, order: (row) => row[title], text: (row) => inBytes(row[title]) }));
  columns.unshift({ title: "Peak", key: (row) => row.type });
  columns.push({ title: "maximum in", key: (row) => shownLabel(row.maximum_in), hides: true });
  tableIn(section(parent, counted(count, "trace")), "Peaks of the traces", columns, "maximum", rows);
}

function showFigures(parent, trace, pick) {
  parent.replaceChildren();
  const own = section(parent, "Memory");
  memoryTable(own, trace);
  holdersTable(parent, trace, pick);
  refusalsList(parent, trace);
  grownTable(parent, trace, pick);
  neverFreedTable(parent, trace, pick);
  const churn = churnText(trace);
  if (churn) parent.append(element("p", { className: "churn" }, churn));
}
