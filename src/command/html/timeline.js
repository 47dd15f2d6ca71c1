// Tangled from org/command/page/numbers.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Timelines: the moments that a trace has in the page, and what lives at each.
class Bytes {
  constructor(base64) {
    this.text = atob(base64);
    this.at = 0;
  }

  number() {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = this.text.charCodeAt(this.at++);
      value += (byte % 128) * weight;
      if (byte < 128) return value;
    }
  }

  growth() {
    const coded = this.number();
    return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
  }
}

// time of each moment; first: where its changes begin; series, live and most of each change. names: of the series.
class Timeline {
  constructor(moments, changes, names) {
    this.time = new Float64Array(moments);
    this.first = new Uint32Array(moments + 1);
    this.series = new Uint32Array(changes);
    this.live = new Float64Array(changes);
    this.most = new Float64Array(changes);
    this.names = names;
    this.count = 0;
  }

  get moments() {
    return this.time.length;
  }

  add(series, live, most) {
    this.series[this.count] = series;
    this.live[this.count] = live;
    this.most[this.count++] = most;
  }

  // The number of moments before a time, or not after it.
  before(time, orAt = false) {
    let low = 0;
    let high = this.moments;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] < time || (orAt && this.time[middle] === time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function decode(coded, names) {
  const line = new Timeline(coded.moments, coded.kept, names);
  const live = new Float64Array(names.length);
  const bytes = new Bytes(coded.data);
  let time = 0;
  for (let moment = 0; moment < coded.moments; ++moment) {
    time += bytes.number();
    line.time[moment] = time;
    for (let changes = bytes.number(); changes > 0; --changes) {
      const series = bytes.number();
      const before = live[series];
      live[series] += bytes.growth();
      line.add(series, live[series], Math.max(before, live[series]) + bytes.number());
    }
    line.first[moment + 1] = line.count;
  }
  return line;
}

// Goes through a timeline. groups[series]: what a series is summed up in.
class Walk {
  constructor(line, groups, count) {
    this.line = line;
    this.groups = groups;
    this.live = new Float64Array(line.names.length);
    this.sums = new Float64Array(count);
    this.total = 0;
    this.next = 0;
  }

  step() {
    const { first, series, live } = this.line;
    for (let i = first[this.next]; i < first[this.next + 1]; ++i) {
      const growth = live[i] - this.live[series[i]];
      this.live[series[i]] = live[i];
      this.sums[this.groups[series[i]]] += growth;
      this.total += growth;
    }
    ++this.next;
  }

  to(moment) {
    while (this.next < moment) this.step();
    return this;
  }
}

// What each series holds at a moment.
function livesAt(line, moment) {
  const none = new Uint32Array(line.names.length);
  return new Walk(line, none, 1).to(moment + 1).live;
}

// The first moment at which all together hold the most.
function peakOf(line) {
  const walk = new Walk(line, new Uint32Array(line.names.length), 1);
  let most = 0;
  let peak = 0;
  while (walk.next < line.moments) {
    walk.step();
    if (walk.total > most) [most, peak] = [walk.total, walk.next - 1];
  }
  return peak;
}

// The totals of several timelines as the series of one.
function together(lines, names) {
  const sum = (number, line) => number + line.moments;
  const all = new Timeline(lines.reduce(sum, 0), lines.reduce(sum, 0), names);
  const walks = lines.map((line) => new Walk(line, new Uint32Array(line.names.length), 1));
  for (let moment = 0; moment < all.moments; ++moment) {
    let first = -1;
    walks.forEach((walk, i) => {
      if (walk.next === walk.line.moments) return;
      if (first < 0 || walk.line.time[walk.next] < walks[first].line.time[walks[first].next]) first = i;
    });
    all.time[moment] = lines[first].time[walks[first].next];
    walks[first].step();
    all.add(first, walks[first].total, walks[first].total);
    all.first[moment + 1] = all.count;
  }
  return all;
}
