// Tangled from org/command/page/numbers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Numbers and labels in the words of the text form.
function fixed(value, places) {
  const scaled = value * 10 ** places;
  const below = Math.floor(scaled);
  const isHalf = scaled - below === 0.5 && (2 * below + 1) % 5 ** places === 0;  // of binary fractions, those have one exactly
  return (isHalf ? (below + (below % 2)) / 10 ** places : value).toFixed(places);
}

function threeDigits(value, unit) {
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + " " + unit;
}

function inUnits(value, base, units) {
  let unit = 0;
  for (; value >= 999.5 && unit + 1 < units.length; ++unit) value /= base;
  return threeDigits(value, units[unit]);
}

function inBytes(bytes) {
  const known = Math.max(bytes, 0);
  return known < 1000 ? known + " B" : inUnits(known / 1024, 1024, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]);
}

function inSeconds(nanoseconds) {
  return nanoseconds < 1000 ? nanoseconds + " ns" : inUnits(nanoseconds / 1000, 1000, ["\u00b5s", "ms", "s"]);
}

// A time on an axis: with as many places as tell it from its neighbours, in the unit of the greatest.
function onAxis(nanoseconds, span, greatest) {
  if (nanoseconds === 0) return "0";
  const units = [[1, "ns"], [1e3, "\u00b5s"], [1e6, "ms"], [1e9, "s"]];
  const [size, unit] = units.filter(([least]) => least <= Math.max(greatest, 1)).pop();
  const places = Math.ceil(Math.log10(size / (span / 5)));
  return (nanoseconds / size).toFixed(Math.min(Math.max(places, 0), 9)) + " " + unit;
}

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function counted(number, thing) {
  return grouped(number) + " " + thing + (number === 1 ? "" : "s");
}

function inPercent(part, whole) {
  return Math.round((100 * part) / Math.max(whole, 1)) + " %";
}

// A label is the text of others: control characters are shown as such.
function shownLabel(label) {
  if (label === null) return "(no label)";
  return label.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0"));
}
