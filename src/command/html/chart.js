// Tangled from org/command/page/chart.org; change the chapter, then run: make tangle
// SPDX-License-Identifier: BSD-3-Clause
// Areas over time. A legend of dygraphs' own would write labels as HTML and styles that the policy of the page forbids.
Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

// most: of the axis of bytes; null for that of the areas.
function drawAreas(element, rows, window, look, most, drawn) {
  const names = rows[0].slice(1).map((_, i) => "s" + i);
  return new Dygraph(element, rows, {
    labels: ["time", ...names],
    colors: look.colors,
    stackedGraph: names.length > 1,
    stepPlot: true,
    fillGraph: true,
    fillAlpha: names.length > 1 ? 0.85 : 0.35,
    strokeWidth: names.length > 1 ? 0.6 : 1.4,
    legend: "never",
    interactionModel: {},
    drawCallback: drawn,
    highlightCircleSize: 0,
    dateWindow: window,
    includeZero: true,
    xRangePad: 0,
    axisLineColor: look.line,
    gridLineColor: look.grid,
    gridLineWidth: 1,
    axes: {
      x: {
        drawGrid: false,
        pixelsPerLabel: 90,
        axisLabelWidth: 84,
        axisLabelFormatter: (time) => onAxis(time, window[1] - window[0], window[1]),
      },
      y: {
        valueRange: most === null ? null : [0, 1.05 * most],
        labelsKMG2: true,
        axisLabelWidth: 62,
        pixelsPerLabel: 36,
        axisLabelFormatter: (bytes) => (bytes === 0 ? "0" : inBytes(bytes)),
      },
    },
  });
}

class Chart {
  // on: what is called for a moment that is chosen at a time, for a window that is brushed, and for keys.
  constructor(frame, on) {
    this.frame = frame;
    this.plot = frame.querySelector(".plot");
    this.brush = frame.querySelector(".brush");
    this.cursor = frame.querySelector(".cursor");
    this.marks = frame.querySelector(".marks");
    this.line = frame.querySelector(".line");
    this.resident = [];
    this.on = on;
    this.began = null;
    this.pointed = -1;
    this.marked = [];
    frame.addEventListener("pointerdown", (event) => this.begin(event));
    frame.addEventListener("pointermove", (event) => this.move(event));
    frame.addEventListener("pointerup", (event) => this.end(event));
    frame.addEventListener("pointercancel", () => this.cancel());
    frame.addEventListener("dblclick", () => on.whole());
    frame.addEventListener("keydown", (event) => this.key(event));
  }

  get columns() {
    return Math.max(Math.round(this.plot.clientWidth / 2), 100);
  }

  // resident: {time_ns, bytes} at moments; none for a chart without a line.
  show(rows, window, look, resident = []) {
    if (this.areas) this.areas.destroy();
    this.window = window;
    const first = resident.findLastIndex(({ time_ns }) => time_ns <= window[0]);
    this.resident = resident.slice(Math.max(first, 0)).filter(({ time_ns }) => time_ns <= window[1]);
    const sums = rows.map(([, ...bytes]) => bytes.reduce((a, b) => a + b, 0));
    const most = this.resident.length === 0 ? null : Math.max(1, ...sums, ...this.resident.map(({ bytes }) => bytes));
    drawAreas(this.plot, rows, window, look, most, (areas) => {
      this.areas = areas;
      this.place();
    });
  }

  // dygraphs draws again when its place has another width, and what lies above it moves, too.
  place() {
    this.point(this.pointed);
    this.mark(this.marked);
    if (this.line) this.drawLine();
  }

  // In steps, each of which lasts until the next moment.
  drawLine() {
    const { x, y, w, h } = this.areas.getArea();
    const places = this.resident.map(({ time_ns, bytes }) => [this.left(time_ns) - x, this.areas.toDomYCoord(bytes) - y]);
    const corners = places.flatMap(([left, top], i) => (i === 0 ? [[left, top]] : [[left, places[i - 1][1]], [left, top]]));
    if (places.length > 0) corners.push([w, places.at(-1)[1]]);
    const shape = { x, y, width: Math.max(w, 0), height: Math.max(h, 0) };  // negative where the frame is hidden
    for (const [name, value] of Object.entries(shape)) this.line.firstElementChild.setAttribute(name, value);
    this.line.querySelector("polyline").setAttribute("points", corners.map((corner) => corner.map((one) => one.toFixed(1)).join()).join(" "));
  }

  // Where a time is, in pixels from the left; and the other way.
  left(time) {
    return this.areas.toDomXCoord(time);
  }

  timeAt(event) {
    const { x, w } = this.areas.getArea();
    const left = event.clientX - this.frame.getBoundingClientRect().left;
    return this.areas.toDataXCoord(Math.min(Math.max(left, x), x + w));
  }

  point(time) {
    this.pointed = time;
    const inside = time >= this.window[0] && time <= this.window[1];
    this.cursor.hidden = !inside;
    if (inside) this.cursor.style.left = this.left(time) + "px";
  }

  // marks: {time, kind, title}
  mark(marks) {
    this.marked = marks;
    const shown = marks.filter(({ time }) => time >= this.window[0] && time <= this.window[1]);
    this.marks.replaceChildren(
      ...shown.map(({ time, kind, title }) => {
        const mark = element("span", { className: "mark " + kind, title });
        mark.style.left = this.left(time) + "px";
        return mark;
      }),
    );
  }

  begin(event) {
    if (event.button !== 0) return;
    this.began = { x: event.clientX, time: this.timeAt(event) };
    this.frame.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (!this.began) return;
    const times = [this.began.time, this.timeAt(event)].sort((a, b) => a - b);
    this.brush.hidden = Math.abs(event.clientX - this.began.x) < 5;
    this.brush.style.left = this.left(times[0]) + "px";
    this.brush.style.width = this.left(times[1]) - this.left(times[0]) + "px";
  }

  end(event) {
    if (!this.began) return;
    const { x, time } = this.began;
    const until = this.timeAt(event);
    this.cancel();
    if (Math.abs(event.clientX - x) < 5) this.on.choose(until);
    else this.on.zoom([Math.min(time, until), Math.max(time, until)]);
  }

  cancel() {
    this.began = null;
    this.brush.hidden = true;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.began) return this.cancel();
    const far = event.shiftKey ? 10 : 1;
    const does = {
      ArrowLeft: () => this.on.move(-far),
      ArrowRight: () => this.on.move(far),
      ArrowDown: () => this.on.move(-far),
      ArrowUp: () => this.on.move(far),
      PageDown: () => this.on.move(-50),
      PageUp: () => this.on.move(50),
      Home: () => this.on.move(-Infinity),
      End: () => this.on.move(Infinity),
      "+": () => this.on.scale(0.5),
      "-": () => this.on.scale(2),
      p: () => this.on.peak(),
      Escape: () => this.on.whole(),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }
}
