// Tangled from org/command/page/tables.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// The figures of a report, as the text form has them.
const bytesOf = (amount) => (row) => amount(row).bytes;

function bytesColumn(title, amount, hides = false) {
  return { title, order: bytesOf(amount), text: (row) => inBytes(amount(row).bytes), hides };
}

function countColumn(title, count, hides = false) {
  return { title, order: count, text: (row) => grouped(count(row)), hides };
}

function blocksColumn(title, amount, hides = false) {
  return countColumn(title, (row) => amount(row).blocks, hides);
}

function timeColumn(title, time, hides = false) {
  return { title, order: time, text: (row) => inSeconds(time(row)), hides };
}

// The memory type, and which device where there are several.
function placeOf(trace, { type, device }) {
  return device && trace.devices.length > 1 ? type + " " + shownLabel(device) : type;
}

// A narrow screen has no room for one type on each line.
function typeColumnOf(trace) {
  return { title: "memory", key: (row) => placeOf(trace, row), hides: trace.memory.length < 3 };
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
  const devices = trace.devices.length > 1 ? trace.devices.map((one) => ({ ...one, type: "  of " + shownLabel(one.device) })) : [];
  const rows = [...trace.memory.filter(({ type }) => type !== "all" || trace.memory.length > 2), ...devices];
  const columns = [
    { title: "Memory", key: (row) => row.type },
    bytesColumn("peak", (row) => row.peak),
    blocksColumn("in blocks", (row) => row.peak, true),
    timeColumn("at", (row) => row.peak_time_ns),
    bytesColumn("allocated", (row) => row.allocated),
    blocksColumn("in blocks", (row) => row.allocated, true),
    { title: "refused", order: (row) => row.refused ?? -1, text: (row) => (row.refused === undefined ? "" : grouped(row.refused)) },
  ];
  tableIn(parent, "Peaks and allocations by memory type", columns, "peak", rows);
}

// key: of what a label held at that peak.
function heldTable(parent, trace, pick, of, figures, key, rows) {
  if (rows.length === 0) return;
  const share = { title: "share", order: (row) => row[key].bytes, text: (row) => inPercent(row[key].bytes, figures.peak.bytes) };
  const columns = [labelColumn(pick), typeColumnOf(trace), bytesColumn("held", (row) => row[key]), share, blocksColumn("blocks", (row) => row[key], true)];
  const title = "Who held the " + inBytes(figures.peak.bytes) + " of the peak" + of + ", at " + inSeconds(figures.peak_time_ns) + ", by label";
  tableIn(section(parent, title), "Labels at the peak" + of, columns, "held", rows);
}

function holdersTables(parent, trace, pick) {
  const all = trace.memory.find(({ type }) => type === "all");
  heldTable(parent, trace, pick, "", all, "at_peak", trace.labels.filter(({ at_peak }) => at_peak.blocks > 0));
  if (trace.devices.length < 2) return;
  for (const one of trace.devices) {
    const rows = trace.labels.filter(({ device, at_peak_of_device }) => device === one.device && at_peak_of_device.blocks > 0);
    heldTable(parent, trace, pick, " of " + shownLabel(one.device), one, "at_peak_of_device", rows);
  }
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

function usesTable(parent, trace) {
  if (trace.uses.length === 0) return;
  const bytes = (title, key, hides) => ({ title, order: (row) => row[key] ?? -1, text: (row) => (row[key] === null ? "" : inBytes(row[key])), hides });
  const columns = [{ title: "In use", key: (row) => shownLabel(row.of) }, bytes("tracked", "tracked"), bytes("kept", "kept", true), bytes("used", "used"),
    bytes("untracked", "untracked"), timeColumn("at", (row) => row.time_ns, true), bytes("most used", "most_used", true), timeColumn("at", (row) => row.most_used_time_ns, true)];
  tableIn(parent, "Memory in use beside blocks", columns, "tracked", trace.uses);
  const huge = trace.uses.map(({ huge_pages }) => huge_pages).find((one) => one !== null);
  if (huge !== undefined) parent.append(element("p", {}, "Of the host's memory " + inBytes(huge) + " were in huge pages."));
  const nodes = trace.uses.flatMap(({ numa_nodes }) => numa_nodes).map(({ node, bytes: some }) => node + " " + inBytes(some));
  if (nodes.length > 0) parent.append(element("p", {}, "By NUMA node: " + nodes.join(", ") + "."));
}

function roundingTable(parent, trace, pick) {
  const types = trace.memory.filter(({ type }) => type !== "all");
  const known = types.filter(({ rounding_at_peak }) => rounding_at_peak !== null).pop();
  if (!known || known.peak.blocks === 0) return;
  const others = types.filter(({ rounding_at_peak }) => rounding_at_peak === null).map(({ type }) => type);
  const text = "Sizes are rounded up: " + inBytes(known.rounding_at_peak) + " beside the " + inBytes(known.peak.bytes) + " of " + known.type +
    " memory at its peak, " + inPercent(known.rounding_at_peak, known.peak.bytes) + "; " + inBytes(known.rounding_of_allocated) +
    " of all that was allocated, " + inPercent(known.rounding_of_allocated, known.allocated.bytes) + "." +
    (others.length > 0 ? " Of " + others.join(", ") + " memory it is not known." : "");
  const own = section(parent, "Rounding", element("p", {}, text));
  const rows = trace.labels.filter(({ rounding_at_peak }) => rounding_at_peak > 0);
  if (rows.length === 0) return;
  const share = { title: "share", order: (row) => row.rounding_at_peak / row.at_peak.bytes, text: (row) => inPercent(row.rounding_at_peak, row.at_peak.bytes) };
  const columns = [labelColumn(pick), { title: "beyond the sizes", order: (row) => row.rounding_at_peak, text: (row) => inBytes(row.rounding_at_peak) }, share,
    blocksColumn("blocks", (row) => row.at_peak, true)];
  tableIn(own, "Rounding when all together were most, by label", columns, "beyond the sizes", rows);
}

function failuresTable(parent, trace) {
  if (trace.failures.length === 0) return;
  const columns = [countColumn("failed", (row) => row.count), { title: "call", key: (row) => row.operation },
    { title: "block", key: (row) => row.fault }, { title: "exit code", key: (row) => row.exit_code + ", " + row.meaning },
    { title: "memory", key: (row) => row.type ?? "", hides: true },
    { title: "label", key: (row) => shownLabel(row.label), text: (row) => (row.type === null ? "" : labelText(row.label)) }];
  tableIn(section(parent, "Failed, by what was wrong with the block, exit code and label"), "Calls that failed", columns, "failed", trace.failures);
}

function shortLivesTable(parent, trace, pick) {
  const rows = trace.labels.filter(({ short_lives }) => short_lives > 0);
  if (rows.length === 0) return;
  const columns = [labelColumn(pick), typeColumnOf(trace), countColumn("blocks", (row) => row.short_lives),
    timeColumn("the shortest", (row) => row.shortest_life_ns)];
  tableIn(section(parent, "Most short lives, by label"), "Labels with short lives", columns, "blocks", rows);
}

function sizesTable(parent, trace) {
  if (trace.sizes_asked_again.length === 0) return;
  const columns = [{ title: "size", order: (row) => row.size, text: (row) => inBytes(row.size) },
    countColumn("blocks", (row) => row.count)];
  tableIn(section(parent, "Most freed and requested again, by size"), "Sizes that were asked again", columns, "blocks", trace.sizes_asked_again);
}

function callsTable(parent, trace, pick) {
  if (trace.calls.length === 0) return;
  const columns = [{ title: "call", key: (row) => row.operation }, countColumn("calls", (row) => row.calls, true), countColumn("timed", (row) => row.timed, true),
    timeColumn("mean", (row) => Math.floor(row.timed_ns / row.timed)), timeColumn("longest", (row) => row.longest_ns), timeColumn("estimated", (row) => row.estimated_ns)];
  const own = section(parent, "Time in calls");
  tableIn(own, "Time in calls", columns, "estimated", trace.calls);
  const rows = trace.labels.filter(({ time_in_calls_ns }) => time_in_calls_ns > 0);
  if (rows.length > 0) tableIn(own, "Time in calls, by label", [labelColumn(pick), typeColumnOf(trace), timeColumn("estimated", (row) => row.time_in_calls_ns)], "estimated", rows);
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

function placeOfMaximum(row) {
  const rank = row.maximum_rank ? ", rank " + shownLabel(row.maximum_rank) : "";
  return shownLabel(row.maximum_in) + rank + (row.maximum_device ? ", " + shownLabel(row.maximum_device) : "");
}

// None of a single trace.
function spreadTables(parent, spread) {
  const titles = { trace: "Peaks of the traces", host: "Peaks of a host's traces together", device: "Peaks of devices" };
  for (const [of, title] of Object.entries(titles)) spreadTable(parent, spread, of, title);
}

function spreadTable(parent, spread, of, title) {
  const own = spread.filter((row) => row.of === of);
  if (own.length === 0) return;
  const rows = own.filter(({ type }) => type !== "all" || own.length > 2);
  const columns = ["minimum", "mean", "maximum", "sum"].map((title) => ({ title, order: (row) => row[title], text: (row) => inBytes(row[title]) }));
  columns.unshift({ title: "Peak", key: (row) => row.type });
  columns.push({ title: "maximum in", key: placeOfMaximum, hides: true });
  tableIn(section(parent, counted(own[0].count, of)), title, columns, "maximum", rows);
}

function showFigures(parent, trace, pick) {
  parent.replaceChildren();
  const own = section(parent, "Memory");
  memoryTable(own, trace);
  usesTable(own, trace);
  holdersTables(parent, trace, pick);
  roundingTable(parent, trace, pick);
  refusalsList(parent, trace);
  failuresTable(parent, trace);
  neverFreedTable(parent, trace, pick);
  grownTable(parent, trace, pick);
  const churn = churnText(trace);
  if (churn) parent.append(element("p", { className: "churn" }, churn));
  shortLivesTable(parent, trace, pick);
  sizesTable(parent, trace);
  callsTable(parent, trace, pick);
}
