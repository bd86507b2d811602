// The index over a lane. With it, the cost of a picture depends on its pixels, not on the number of events: sums of
// durations tell how much of a pixel is covered, and maxima over blocks of 32, 1024, ... events its longest event.

const fan = 32;

function indexLane(lane) {
  const { n, start, stop } = lane;
  const sums = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) sums[i + 1] = sums[i] + (stop[i] - start[i]);
  lane.sums = sums;
  lane.levels = [];
  const longer = (i, j) => (stop[j] - start[j] > stop[i] - start[i] ? j : i);
  let below = null, size = n;
  while (size > fan) {
    const next = new Uint32Array(Math.ceil(size / fan));
    for (let b = 0; b < next.length; b++) {
      let best = below ? below[b * fan] : b * fan;
      for (let i = b * fan + 1; i < Math.min(size, (b + 1) * fan); i++) best = longer(best, below ? below[i] : i);
      next[b] = best;
    }
    lane.levels.push(next);
    below = next;
    size = next.length;
  }
  // The greatest end so far: in a crowded lane, an event with a lower index may end later.
  lane.reach = stop;
  for (let i = 1; i < n; i++)
    if (stop[i] < lane.reach[i - 1]) {
      if (lane.reach === stop) lane.reach = stop.slice();
      lane.reach[i] = lane.reach[i - 1];
    }
}

// The first index from low on where the sorted array is above x (firstFrom: at least x).
function firstAbove(array, x, low, high) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (array[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}
function firstFrom(array, x, low, high) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (array[middle] >= x) high = middle;
    else low = middle + 1;
  }
  return low;
}
// Like firstFrom, but fast if the result is near low.
function gallopFrom(array, x, low, high) {
  let step = 1;
  while (low + step < high && array[low + step] < x) step *= 2;
  return firstFrom(array, x, low + (step >> 1), Math.min(high, low + step + 1));
}

// The longest event with an index from i to j - 1.
function longestIn(lane, i, j) {
  const { start, stop, levels } = lane;
  let best = i;
  const consider = (k) => {
    if (stop[k] - start[k] > stop[best] - start[best]) best = k;
  };
  let level = -1; // of single events
  while (i < j) {
    const at = (k) => (level < 0 ? k : levels[level][k]);
    if (level + 1 >= levels.length) {
      while (i < j) consider(at(i++));
      return best;
    }
    while (i < j && i % fan) consider(at(i++));
    while (i < j && j % fan) consider(at(--j));
    i /= fan;
    j /= fan;
    level++;
  }
  return best;
}

// The event at time t, or else one within slack of it; -1 if there is none.
function eventAt(lane, t, slack) {
  const last = firstAbove(lane.start, t + slack, 0, lane.n) - 1;
  let best = -1;
  for (let i = last; i >= 0 && i > last - 400; i--) {
    if (lane.stop[i] >= t - slack) {
      if (lane.start[i] <= t && lane.stop[i] >= t) return i;
      if (best < 0) best = i;
    }
    if (lane.reach[i] < t - slack) break;
  }
  return best;
}

// How many events of a row are under way: its beginnings and ends, each sorted, with the sums of those before.
function indexCounts(row) {
  const n = row.lanes.reduce((sum, lane) => sum + lane.n, 0);
  const sorted = (of) => {
    const all = new Float64Array(n), sums = new Float64Array(n + 1);
    let at = 0;
    for (const lane of row.lanes) {
      all.set(of(lane), at);
      at += lane.n;
    }
    all.sort();
    for (let i = 0; i < n; i++) sums[i + 1] = sums[i] + all[i];
    return { all, sums };
  };
  const starts = sorted((lane) => lane.start), stops = sorted((lane) => lane.stop);
  let most = 1;
  for (let begun = 0, ended = 0; begun < n; ) {
    while (ended < n && stops.all[ended] <= starts.all[begun]) ended++;
    begun++;
    most = Math.max(most, begun - ended);
  }
  return { n, starts, stops, most };
}
const countsOf = (row) => (row.counts ??= indexCounts(row));

// The time from each of the moments i to j - 1 until t, summed. The sums of many are exact to some nanoseconds.
function timeSince({ all, sums }, i, j, t) {
  if (j - i > 64) return (j - i) * t - (sums[j] - sums[i]);
  let time = 0;
  for (let k = i; k < j; k++) time += t - all[k];
  return time;
}

// Calls f with each of the parts of the time from one moment to another, and with how many events were under way
// in it, on average.
function forCounts(counts, from, until, parts, f) {
  const { n, starts, stops } = counts;
  let i = firstFrom(starts.all, from, 0, n), j = firstFrom(stops.all, from, 0, n), since = from;
  for (let part = 0; part < parts; part++) {
    const t = from + ((part + 1) / parts) * (until - from);
    const begun = gallopFrom(starts.all, t, i, n), ended = gallopFrom(stops.all, t, j, n);
    const time = (i - j) * (t - since) + timeSince(starts, i, begun, t) - timeSince(stops, j, ended, t);
    f(part, time / (t - since));
    i = begun;
    j = ended;
    since = t;
  }
}

for (const row of rows) row.lanes.forEach(indexLane);
