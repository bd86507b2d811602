// The data in the file: a JSON text, and numbers in LEB128 (see packing.mli), four for each event, two for each sample.

const meta = JSON.parse(document.getElementById("meta").textContent);

const bytes = (() => {
  const text = atob(document.getElementById("data").textContent);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) result[i] = text.charCodeAt(i);
  document.getElementById("data").remove();
  return result;
})();

const readNumber = (() => {
  let at = 0;
  return () => {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale; // not shifted: beyond 31 bits
      scale *= 128;
    } while (byte > 127);
    return value;
  };
})();

// Reads a lane: start, stop, kind and args of each event, sorted by start. lanes.js makes the index over it.
function readLane(n) {
  const lane = {
    n, start: new Float64Array(n), stop: new Float64Array(n), kind: new Uint32Array(n), args: new Uint32Array(n),
  };
  let time = 0;
  for (let i = 0; i < n; i++) {
    time += readNumber();
    lane.start[i] = time;
    lane.stop[i] = time + readNumber();
    lane.kind[i] = readNumber();
    lane.args[i] = readNumber();
  }
  return lane;
}

function readSeries(series) {
  const n = series.samples, time = new Float64Array(n), value = new Float64Array(n);
  let t = 0, greatest = 0;
  for (let i = 0; i < n; i++) {
    t += readNumber();
    time[i] = t;
    value[i] = readNumber();
    if (value[i] > greatest) greatest = value[i];
  }
  return { label: series.label, id: series.id, n, time, value, greatest };
}

const kinds = meta.kinds.map(([category, name]) => ({ category, name }));
const rows = meta.rows.map((row) => ({ ...row, lanes: row.lanes.map(readLane) }));
// Phases of collections are nested deeply, and many fibers may wait at once: folded rows leave room for the workers.
for (const row of rows) row.folded = row.lanes.length > (row.group === "gc" ? 1 : row.group === "worker" ? 24 : 5);
// Where there are many counters, one click folds them all; each lies under the row that does it.
const manyCounters = 4;
const counters = { label: "counters: " + meta.series.length, group: "counters", crowded: false, lanes: [], folded: true };
if (meta.series.length > manyCounters) rows.push(counters);
for (const series of meta.series.map(readSeries))
  rows.push({
    label: series.label, group: "counter", crowded: false, lanes: [], series, folded: false,
    under: meta.series.length > manyCounters ? counters : null,
  });
const isAway = (row) => Boolean(row.under && row.under.folded);
// Of a folded row of spans that are independent of each other, it is drawn how many are under way.
const isCounted = (row) => row.folded && row.lanes.length > 1 && row.group !== "gc" && row.group !== "worker";

// Formats times for people; moment shows as many digits as a step of that size needs.
function duration(ns) {
  const [size, unit] = ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "us"] : ns < 1e9 ? [1e6, "ms"] : [1e9, "s"];
  return (ns / size).toLocaleString("en", { maximumSignificantDigits: 5, useGrouping: false }) + " " + unit;
}
function moment(ns, step) {
  const [size, unit] = step < 1e3 ? [1e3, "us"] : step < 1e6 ? [1e3, "us"] : step < 1e9 ? [1e6, "ms"] : [1e9, "s"];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return (ns / size).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) + " " + unit;
}
const count = (n) => n.toLocaleString("en");
