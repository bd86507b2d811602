// Search: finds first the names and arguments that match, then the events that have them.

const search = { text: "", lanes: new Map(), total: 0, order: null, at: -1 };

function find(text) {
  search.text = text;
  search.lanes = new Map();
  search.total = 0;
  search.at = -1;
  search.order = null;
  const wanted = text.trim().toLowerCase();
  if (wanted) {
    const kindHit = kinds.map(({ category, name }) => name.toLowerCase().includes(wanted) || category === wanted);
    const argsHit = meta.arguments.map((args, i) => i > 0 && JSON.stringify(args).toLowerCase().includes(wanted));
    for (const row of rows)
      for (const lane of row.lanes) {
        const hits = [];
        for (let i = 0; i < lane.n; i++) if (kindHit[lane.kind[i]] || argsHit[lane.args[i]]) hits.push(i);
        if (hits.length) {
          search.lanes.set(lane, Uint32Array.from(hits));
          search.total += hits.length;
        }
      }
  }
  showFound();
  redraw();
}

// Draws matches as lines under their events; all matches of a pixel get one line.
function paintFound(row) {
  if (!search.total) return;
  paper.fillStyle = css.mark;
  const last = view.gutter + plotWidth(), perPixel = (view.until - view.from) / plotWidth();
  row.lanes.forEach((lane, number) => {
    const hits = search.lanes.get(lane);
    if (!hits) return;
    const y = (row.folded ? row.top : laneTop(row, number)) - view.scroll;
    const height = row.folded ? row.height : row.group === "instant" ? instantHeight : laneHeight;
    const startOf = (k) => lane.start[hits[k]];
    let low = 0, high = hits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (lane.reach[hits[middle]] >= view.from) high = middle;
      else low = middle + 1;
    }
    for (let k = low; k < hits.length && startOf(k) <= view.until; ) {
      const a = Math.max(view.gutter, toX(startOf(k))), b = Math.min(last, toX(lane.stop[hits[k]]));
      if (b >= view.gutter) paper.fillRect(a, y + height - 4, Math.max(2, b - a), 3);
      const until = Math.max(startOf(k), view.from) + perPixel;
      let step = 1;
      while (k + step < hits.length && startOf(k + step) < until) step *= 2;
      let from = k + (step >> 1), to = Math.min(hits.length, k + step);
      while (from < to) {
        const middle = (from + to) >>> 1;
        if (startOf(middle) >= until) to = middle;
        else from = middle + 1;
      }
      k = Math.max(k + 1, from);
    }
  });
}

// All matches in the order of time; the list is made when it is first needed.
function matches() {
  if (!search.order) {
    const all = [];
    for (const row of rows)
      row.lanes.forEach((lane, number) => {
        for (const index of search.lanes.get(lane) || []) all.push({ row, lane: number, index });
      });
    const startOf = (m) => m.row.lanes[m.lane].start[m.index];
    search.order = all.sort((a, b) => startOf(a) - startOf(b));
  }
  return search.order;
}
function goToMatch(step) {
  if (!search.total) return;
  const all = matches();
  if (search.at < 0) {
    // Starts from the shown range.
    const first = all.findIndex((m) => m.row.lanes[m.lane].start[m.index] >= view.from);
    search.at = step > 0 ? Math.max(0, first) : (first - 1 + all.length) % all.length;
  } else search.at = (search.at + step + all.length) % all.length;
  select(all[search.at], true);
  showFound();
}
function showFound() {
  const place = search.at >= 0 ? count(search.at + 1) + " of " : "";
  document.getElementById("found").textContent =
    search.text.trim() === "" ? "" : search.total ? place + count(search.total) : "none";
}
