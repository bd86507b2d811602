// Draws what the view shows. For events narrower than a pixel, the whole pixel is drawn in the colour of the longest;
// it is paler if they cover less of the pixel.

const palettes = {
  light: {
    job: "#4a7fd4", steal: "#7a4fc0", search: "#e6bb3c", park: "#dfe3e9", worker: "#3f9c6b", suspend: "#a9b0bb",
    lock: "#e0762f", channel: "#2c9c9c", loop: "#245099", batch: "#8d5bc9", blocking: "#a0744a", blocked: "#c2476f", "no processor": "#b9a3ad", cancel: "#c2187a",
    region: "#5aa469", gc: "#d1433f", trace: "#c2187a", other: "#6f8fae", counter: "#5b7fa6",
  },
  dark: {
    job: "#5b8fe6", steal: "#a98be8", search: "#c9a02c", park: "#333a45", worker: "#5cbf8a", suspend: "#6b7482",
    lock: "#ee8a45", channel: "#3fb8b8", loop: "#3767b8", batch: "#ab80e6", blocking: "#bd9066", blocked: "#e0718f", "no processor": "#6d5b63", cancel: "#ff7ac0",
    region: "#6bb87b", gc: "#e8605b", trace: "#ff7ac0", other: "#7f9dbd", counter: "#7f9dc4",
  },
};
const names = {
  job: "running a job", search: "searching", park: "parked", gc: "collecting garbage", loop: "block of a loop",
  region: "region", lock: "waiting for a lock", channel: "waiting for a channel", suspend: "suspended", batch: "batch",
  blocking: "blocking call", blocked: "a job blocked its worker", "no processor": "a worker had no processor", steal: "steal", worker: "worker comes or goes", cancel: "cancelled", trace: "events lost",
};
let colours = palettes.light, css = {};
const colourOf = (kind) => colours[kinds[kind].category] || colours.other;

function takeTheme() {
  colours = document.documentElement.classList.contains("dark") ? palettes.dark : palettes.light;
  const style = getComputedStyle(document.documentElement);
  for (const name of ["back", "panel", "ink", "soft", "line", "accent", "mark"])
    css[name] = style.getPropertyValue("--" + name).trim();
}

// There are only four strengths, so that equal neighbouring pixels can be drawn at once.
const strengths = [0.3, 0.5, 0.75, 1];
const strength = (covered) => (covered < 0.1 ? 0 : covered < 0.35 ? 1 : covered < 0.75 ? 2 : 3);

function paintLane(lane, y, height) {
  const { n, start, stop, sums } = lane, left = view.gutter, right = view.gutter + plotWidth();
  const perPixel = (view.until - view.from) / plotWidth();
  let i = firstFrom(lane.reach, view.from, 0, n);
  let runFrom = 0, runUntil = -1, runKind = -1, runStrength = 0; // pixels that look the same
  const flush = () => {
    if (runUntil > runFrom) {
      paper.globalAlpha = strengths[runStrength];
      paper.fillStyle = colourOf(runKind);
      paper.fillRect(runFrom, y, runUntil - runFrom, height);
      paper.globalAlpha = 1;
    }
    runUntil = -1;
  };
  while (i < n && start[i] <= view.until) {
    const a = toX(start[i]), b = toX(stop[i]);
    if (b - a >= 2) {
      flush();
      const x = Math.max(left, a), width = Math.min(right, b) - x;
      if (width > 0) paintEvent(lane, i, x, y, width, height);
      i++;
      continue;
    }
    const pixel = Math.max(left, Math.floor(a));
    const until = view.from + (pixel + 1 - view.gutter) * perPixel;
    let j = gallopFrom(start, until, i, n);
    if (j <= i) j = i + 1;
    // An event that is wide enough to be drawn by itself begins in this pixel: it ends the run.
    const longest = longestIn(lane, i, j);
    if (stop[longest] - start[longest] >= 2 * perPixel && longest > i) j = longest;
    const shown = stop[longest] - start[longest] >= 2 * perPixel ? i : longest;
    const s = strength((sums[j] - sums[i]) / perPixel);
    const kind = lane.kind[shown];
    if (pixel < right) {
      if (runUntil === pixel && runKind === kind && runStrength === s) runUntil = pixel + 1;
      else if (runUntil <= pixel) {
        flush();
        runFrom = pixel;
        runUntil = pixel + 1;
        runKind = kind;
        runStrength = s;
      }
    }
    i = j;
  }
  flush();
}

// As many as there ever are at once fill the row.
function paintCounts(row, y) {
  const counts = countsOf(row), height = row.height - 2, parts = Math.round(plotWidth());
  paper.fillStyle = colourOf(row.lanes[0].kind[0]);
  forCounts(counts, view.from, view.until, parts, (part, mean) => {
    const tall = mean > 0 ? Math.max(1, Math.min(1, mean / counts.most) * height) : 0;
    if (tall) paper.fillRect(view.gutter + part, y + height - tall, 1, tall);
  });
}

function paintEvent(lane, i, x, y, width, height) {
  const colour = colourOf(lane.kind[i]);
  paper.fillStyle = colour;
  paper.fillRect(x, y, width > 3 ? width - 1 : width, height);
  if (width > 34) {
    const args = meta.arguments[lane.args[i]], { name, category } = kinds[lane.kind[i]];
    const more = category === "loop" && args.first !== undefined ? ` ${args.first}..${args.last}`
      : category === "batch" && args.size !== undefined ? ` of ${args.size}` : "";
    paper.fillStyle = light(colour) ? "#14171c" : "#ffffff";
    paper.fillText(clip(name + more, width - 8), x + 4, y + height / 2 + 0.5);
  }
}

// Whether dark letters show better on a colour.
const lightness = new Map();
function light(colour) {
  if (!lightness.has(colour)) {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    lightness.set(colour, 0.299 * r + 0.587 * g + 0.114 * b > 140);
  }
  return lightness.get(colour);
}
// Letters of the small font are about 6 pixels wide: measuring each would cost more than drawing.
function clip(text, width) {
  const fits = Math.floor(width / 6.2);
  return text.length <= fits ? text : fits < 2 ? "" : text.slice(0, fits - 1) + "\u2026";
}

// There are few names of rows, so each is measured.
function fitted(text, width) {
  if (paper.measureText(text).width <= width) return text;
  while (text && paper.measureText(text + "\u2026").width > width) text = text.slice(0, -1);
  return text + "\u2026";
}

function paintCounter(row) {
  const { n, time, value, greatest } = row.series, y = row.top - view.scroll, height = row.height - 2;
  const low = Math.max(0, firstAbove(time, view.from, 0, n) - 1);
  paper.beginPath();
  let x = toX(time[low]), top = 0;
  paper.moveTo(Math.max(view.gutter, x), y + height);
  for (let i = low; i < n && time[i] <= view.until; ) {
    x = Math.max(view.gutter, toX(time[i]));
    // Of the samples of a pixel, only the greatest is drawn.
    const j = Math.max(i + 1, firstFrom(time, toTime(Math.floor(x) + 1), i, n));
    let most = value[i];
    for (let k = i + 1; k < Math.min(j, i + 64); k++) most = Math.max(most, value[k]);
    paper.lineTo(x, y + height - top);
    top = greatest ? (most / greatest) * (height - 3) : 0;
    paper.lineTo(x, y + height - top);
    i = j;
  }
  const last = Math.min(view.gutter + plotWidth(), toX(end));
  paper.lineTo(last, y + height - top);
  paper.lineTo(last, y + height);
  paper.globalAlpha = 0.55;
  paper.fillStyle = colours.counter;
  paper.fill();
  paper.globalAlpha = 1;
}

function paintAxis() {
  paper.fillStyle = css.panel;
  paper.fillRect(0, 0, view.width, axisHeight);
  const rough = ((view.until - view.from) / plotWidth()) * (view.width < 600 ? 90 : 120);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = rough / power < 2 ? 2 * power : rough / power < 5 ? 5 * power : 10 * power;
  paper.textBaseline = "middle";
  for (let t = Math.ceil(Math.max(0, view.from) / step) * step; t <= Math.min(end, view.until); t += step) {
    const x = toX(t);
    paper.fillStyle = css.line;
    paper.fillRect(Math.round(x), axisHeight - 7, 1, view.height);
    paper.fillStyle = css.soft;
    const text = moment(t, step);
    if (x + text.length * 6 < view.width) paper.fillText(text, x + 4, axisHeight / 2);
  }
  paper.fillStyle = css.line;
  paper.fillRect(0, axisHeight - 1, view.width, 1);
}

function paintRow(row) {
  const y = row.top - view.scroll;
  if (isCounted(row)) paintCounts(row, y);
  else if (row.folded) {
    if (row.lanes.length) paintLane(row.lanes[0], y, foldedHeight - 2);
  } else if (row.series) paintCounter(row);
  else
    row.lanes.forEach((lane, i) => {
      const top = laneTop(row, i) - view.scroll, height = row.group === "instant" ? instantHeight - 2 : laneHeight - 1;
      if (top + height > axisHeight && top < view.height) paintLane(lane, top, height);
    });
  paintFound(row);
}

function moreOf(row) {
  if (isCounted(row)) return "to " + count(countsOf(row).most) + " at once";
  if (!row.series || row.folded) return "";
  return (row.series.id === "" ? "to " : "ring " + row.series.id + ", to ") + short(row.series.greatest);
}
function paintLabels(shown) {
  paper.fillStyle = css.back;
  paper.fillRect(0, axisHeight, view.gutter, view.height);
  for (const row of shown) {
    const y = row.top - view.scroll;
    paper.fillStyle = row.group === "worker" ? css.ink : css.soft;
    paper.font = (row.group === "worker" ? "600 " : "") + "12px system-ui, sans-serif";
    paper.textBaseline = "middle";
    const mark = row.folded ? "\u25b8 " : row.lanes.length > 1 || row === counters ? "\u25be " : "";
    const indent = row.group === "gc" || row.group === "instant" ? 16 : 8;
    paper.fillText(fitted(mark + row.label, view.gutter - indent - 4), indent, y + Math.min(row.height, laneHeight) / 2);
    const more = moreOf(row);
    if (more) {
      paper.font = "10px system-ui, sans-serif";
      paper.fillText(fitted(more, view.gutter - 12), 8, y + 24);
    }
    paper.fillStyle = css.line;
    paper.fillRect(0, y + row.height + 2, view.width, 1);
  }
  paper.font = "11px system-ui, sans-serif";
}
const short = (x) => (x >= 1e9 ? (x / 1e9).toFixed(1) + " G" : x >= 1e6 ? (x / 1e6).toFixed(1) + " M"
  : x >= 1e3 ? (x / 1e3).toFixed(1) + " k" : String(x));

function paintSelected() {
  if (!selected || (selected.row.folded && selected.lane)) return;
  const { start, stop } = eventOf(selected);
  const left = Math.max(view.gutter, toX(start)), right = Math.min(view.gutter + plotWidth(), toX(stop));
  if (right < view.gutter || left > view.gutter + plotWidth()) return;
  const y = laneTop(selected.row, selected.lane) - view.scroll;
  const height = selected.row.folded ? selected.row.height - 2 : selected.row.group === "instant" ? instantHeight - 2 : laneHeight - 1;
  paper.strokeStyle = css.ink;
  paper.lineWidth = 2;
  paper.strokeRect(left - 1, y - 1, Math.max(3, right - left + 2), height + 2);
}

const overviewColours = [["running", "job"], ["gc", "gc"], ["searching", "search"], ["parked", "park"]];
function paintOverview() {
  const width = strip.getBoundingClientRect().width, height = 48, left = view.gutter, plot = plotWidth();
  stripPaper.fillStyle = css.back;
  stripPaper.fillRect(0, 0, width, height);
  const bins = meta.overview.running.length, most = Math.max(1, meta.workers);
  for (let i = 0; i < bins; i++) {
    const x = left + (i / bins) * plot, w = Math.max(1, plot / bins);
    let y = height - 3;
    for (const [state, colour] of overviewColours) {
      const h = (meta.overview[state][i] / most) * (height - 8);
      stripPaper.fillStyle = colours[colour];
      stripPaper.fillRect(x, y - h, w + 0.5, h);
      y -= h;
    }
  }
  const a = left + (view.from / end) * plot, b = left + (view.until / end) * plot;
  stripPaper.fillStyle = css.back;
  stripPaper.globalAlpha = 0.65;
  stripPaper.fillRect(left, 0, Math.max(0, a - left), height);
  stripPaper.fillRect(b, 0, Math.max(0, left + plot - b), height);
  stripPaper.globalAlpha = 1;
  stripPaper.strokeStyle = css.accent;
  stripPaper.lineWidth = 2;
  stripPaper.strokeRect(Math.max(left, a), 1, Math.max(2, Math.min(b, left + plot) - Math.max(left, a)), height - 2);
  stripPaper.fillStyle = css.soft;
  stripPaper.font = "12px system-ui, sans-serif";
  stripPaper.textBaseline = "middle";
  stripPaper.fillText("all workers", 8, height / 2);
}

function paintAll() {
  paper.fillStyle = css.back;
  paper.fillRect(0, 0, view.width, view.height);
  paper.font = "11px system-ui, sans-serif";
  paintAxis();
  const shown = rows.filter(
    (r) => !isAway(r) && r.top + r.height - view.scroll > axisHeight && r.top - view.scroll < view.height);
  paper.save();
  paper.beginPath();
  paper.rect(0, axisHeight, view.width, view.height);
  paper.clip();
  paper.textBaseline = "middle";
  shown.forEach(paintRow);
  paintSelected();
  paintLabels(shown);
  paper.restore();
  paintOverview();
  const bar = document.getElementById("scrollbar"), thumb = document.getElementById("thumb");
  bar.hidden = view.content <= view.height;
  const room = bar.clientHeight;
  thumb.style.height = (view.height / view.content) * room + "px";
  thumb.style.top = (view.scroll / view.content) * room + "px";
}
