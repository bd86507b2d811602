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

for (const row of rows) row.lanes.forEach(indexLane);
