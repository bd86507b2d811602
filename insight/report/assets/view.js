// The view: the shown range of time, and how far the rows are scrolled. Each function that changes it calls redraw.

const canvas = document.getElementById("timeline"), paper = canvas.getContext("2d", { alpha: false });
const strip = document.getElementById("overview"), stripPaper = strip.getContext("2d", { alpha: false });
const end = Math.max(1, meta.duration);
const axisHeight = 24, laneHeight = 17, rowGap = 5, counterHeight = 34, foldedHeight = 12, countedHeight = 30;
const instantHeight = 10;

const view = { from: 0, until: end, scroll: 0, width: 0, height: 0, gutter: 130, frames: 0, drawMs: 0 };
let selected = null; // { row, lane, index }
let pending = false;

function redraw() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    const before = performance.now();
    paintAll();
    view.drawMs = performance.now() - before;
    view.frames++;
  });
}

const plotWidth = () => Math.max(1, view.width - view.gutter - 8);
const toX = (t) => view.gutter + ((t - view.from) / (view.until - view.from)) * plotWidth();
const toTime = (x) => view.from + ((x - view.gutter) / plotWidth()) * (view.until - view.from);

function setRange(from, until) {
  const least = Math.min(end, 20); // ns
  let span = Math.min(end * 1.02, Math.max(least, until - from));
  const middle = (from + until) / 2;
  from = middle - span / 2;
  const margin = span > end ? span - end : 0;
  from = Math.min(Math.max(from, -margin / 2), end - span + margin / 2);
  view.from = from;
  view.until = from + span;
  redraw();
}
function zoom(factor, x) {
  const t = x === undefined ? (view.from + view.until) / 2 : Math.min(end, Math.max(0, toTime(x)));
  const span = Math.min(end * 1.02, Math.max(Math.min(end, 20), (view.until - view.from) * factor));
  const part = (t - view.from) / (view.until - view.from);
  setRange(t - part * span, t + (1 - part) * span);
}
const pan = (ns) => setRange(view.from + ns, view.until + ns);
const fitAll = () => setRange(0, end);

function laneTop(row, lane) {
  return row.top + lane * (row.group === "instant" ? instantHeight : laneHeight);
}
function layRows() {
  let y = axisHeight + 4;
  for (const row of rows) {
    row.top = y;
    row.height = 0;
    if (isAway(row)) continue;
    const full = row.series ? counterHeight
      : row.lanes.length * (row.group === "instant" ? instantHeight : laneHeight);
    row.height = isCounted(row) ? countedHeight : row.folded || row === counters ? foldedHeight : full;
    y += row.height + rowGap;
  }
  view.content = y;
  scrollTo(view.scroll);
}
function scrollTo(y) {
  view.scroll = Math.max(0, Math.min(y, view.content - view.height));
  redraw();
}

function resize() {
  const ratio = window.devicePixelRatio || 1;
  for (const [c, p] of [[canvas, paper], [strip, stripPaper]]) {
    const box = c.getBoundingClientRect();
    c.width = Math.max(1, Math.round(box.width * ratio));
    c.height = Math.max(1, Math.round(box.height * ratio));
    p.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  const box = canvas.getBoundingClientRect();
  view.width = box.width;
  view.height = box.height;
  view.gutter = box.width < 600 ? 84 : 140;
  layRows();
}

// The row and event at a point of the canvas.
function hit(x, y) {
  if (y < axisHeight) return null;
  const inside = y + view.scroll;
  const row = rows.find((r) => !isAway(r) && inside >= r.top && inside < r.top + r.height + rowGap);
  if (!row) return null;
  if (x < view.gutter) return { row, label: true };
  if (!row.lanes.length) return { row };
  const pixel = (view.until - view.from) / plotWidth(), t = toTime(x);
  const lane = isCounted(row) ? Math.max(0, row.lanes.findIndex((l) => eventAt(l, t, 3 * pixel) >= 0))
    : row.folded ? 0
    : Math.min(row.lanes.length - 1, Math.floor((inside - row.top) / (row.group === "instant" ? instantHeight : laneHeight)));
  const data = row.lanes[lane], index = eventAt(data, t, 3 * pixel);
  if (index < 0) return { row };
  const i = firstFrom(data.start, t - pixel, 0, data.n), j = firstAbove(data.start, t + pixel, i, data.n);
  return { row, lane, index, beside: j - i };
}
const eventOf = (at) => {
  const lane = at.row.lanes[at.lane], i = at.index;
  return { ...kinds[lane.kind[i]], start: lane.start[i], stop: lane.stop[i], args: meta.arguments[lane.args[i]] };
};
function select(at, show) {
  selected = at;
  showDetails();
  if (at && show) {
    const { start, stop } = eventOf(at), span = view.until - view.from;
    if (start > view.until || stop < view.from) setRange(start - span / 2, start + span / 2);
    if (at.row.folded && (at.lane || isCounted(at.row))) {
      at.row.folded = false;
      layRows();
    }
    const y = laneTop(at.row, at.lane);
    if (y < view.scroll + axisHeight || y + laneHeight > view.scroll + view.height) scrollTo(y - view.height / 2);
  }
  redraw();
}
function zoomTo(at) {
  const { start, stop } = eventOf(at), margin = Math.max(50, (stop - start) * 0.4);
  setRange(start - margin, stop + margin);
}
