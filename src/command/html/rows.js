// Tangled from org/command/page/numbers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// From a timeline to the rows of a chart.

// Which moments of a window are drawn.
function drawnMoments(line, groups, count, [from, to], columns) {
  const first = line.before(from);
  const end = line.before(to, true);
  if (end - first <= columns) return Array.from({ length: end - first }, (_, i) => first + i);
  const walk = new Walk(line, groups, count).to(first);
  const drawn = new Set();
  let column = -1;
  let most = [];
  let at = [];
  const close = () => at.forEach((moment) => moment >= 0 && drawn.add(moment));
  for (let moment = first; moment < end; ++moment) {
    const own = Math.floor(((line.time[moment] - from) / (to - from)) * columns);
    if (own !== column) {
      close();
      if (moment > first) drawn.add(moment - 1);
      column = own;
      most = [...walk.sums, walk.total];
      at = most.map(() => -1);
    }
    walk.step();
    for (let i = 0; i <= count; ++i) {
      const sum = i < count ? walk.sums[i] : walk.total;
      if (sum > most[i]) [most[i], at[i]] = [sum, moment];
    }
  }
  close();
  drawn.add(end - 1);
  return [...drawn].sort((a, b) => a - b);
}

// A row for each drawn moment, and one for each edge of the window.
function stackedRows(line, groups, count, window, moments) {
  const walk = new Walk(line, groups, count).to(line.before(window[0]));
  const rows = [[window[0], ...walk.sums]];
  for (const moment of moments) {
    walk.to(moment + 1);
    rows.push([line.time[moment], ...walk.sums]);
  }
  rows.push([window[1], ...walk.to(line.before(window[1], true)).sums]);
  return rows;
}

// A series of its own: what it holds at each of its changes, and the most between them.
function rowsOfSeries(line, series, window, columns) {
  const rows = [[window[0], 0]];
  const width = (window[1] - window[0]) / columns;
  let live = 0;
  let until = -Infinity;
  for (let moment = 0; moment < line.before(window[1], true); ++moment) {
    const time = line.time[moment];
    for (let i = line.first[moment]; i < line.first[moment + 1]; ++i) {
      if (line.series[i] !== series) continue;
      if (time < window[0]) {
        rows[0][1] = line.live[i];
      } else if (time > until) {
        rows.push([time, line.most[i]], [time, line.live[i]]);
        until = time + width;
      } else {
        const last = rows.length - 1;
        rows[last - 1][1] = Math.max(rows[last - 1][1], line.most[i]);
        rows[last] = [time, line.live[i]];
      }
      live = line.live[i];
    }
  }
  rows.push([window[1], live]);
  return rows;
}
