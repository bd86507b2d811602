// Handles mouse, touch, keys and buttons, and starts the page.

const at = (event) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [x, y] = at(event), unit = event.deltaMode === 1 ? 16 : 1;
  const dx = event.deltaX * unit, dy = event.deltaY * unit, span = view.until - view.from;
  if (x < view.gutter) scrollTo(view.scroll + dy);
  else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) pan(((event.shiftKey && !dx ? dy : dx) / plotWidth()) * span);
  else zoom(Math.exp(Math.max(-300, Math.min(300, dy)) * 0.002), x);
  showHover(hit(x, y), x, y);
}, { passive: false });

// The pointers that are pressed: one drags, two pinch.
const down = new Map();
let moved = 0;
canvas.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  canvas.focus({ preventScroll: true });
  try { canvas.setPointerCapture(event.pointerId); } catch { /* an event made by a program has no pointer */ }
  down.set(event.pointerId, at(event));
  moved = 0;
});
canvas.addEventListener("pointermove", (event) => {
  const now = at(event), before = down.get(event.pointerId);
  if (!before) {
    showHover(hit(...now), ...now);
    return;
  }
  if (down.size === 1) {
    moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    if (moved > 4) {
      canvas.classList.add("drag");
      byId("hover").hidden = true;
      pan(((before[0] - now[0]) / plotWidth()) * (view.until - view.from));
      scrollTo(view.scroll + before[1] - now[1]);
    }
  } else if (down.size === 2) {
    moved = 100;
    const other = [...down].find(([id]) => id !== event.pointerId)[1];
    const wide = (a, b) => Math.max(20, Math.hypot(a[0] - b[0], a[1] - b[1]));
    const middle = (a, b) => (a[0] + b[0]) / 2;
    pan(((middle(before, other) - middle(now, other)) / plotWidth()) * (view.until - view.from));
    zoom(wide(before, other) / wide(now, other), middle(now, other));
  }
  down.set(event.pointerId, now);
});
function up(event) {
  if (!down.delete(event.pointerId)) return;
  canvas.classList.remove("drag");
  if (moved > 4 || event.type !== "pointerup") return;
  const found = hit(...at(event));
  if (found && found.label) {
    found.row.folded = !found.row.folded;
    layRows();
  } else select(found && found.index !== undefined ? found : null);
}
canvas.addEventListener("pointerup", up);
canvas.addEventListener("pointercancel", up);
canvas.addEventListener("pointerleave", () => { byId("hover").hidden = true; });
canvas.addEventListener("dblclick", (event) => {
  const found = hit(...at(event));
  if (found && found.index !== undefined) zoomTo(found);
});

// The overview: dragging selects a range; a click moves the current range.
let dragFrom = null;
const stripTime = (event) =>
  Math.min(end, Math.max(0, ((event.clientX - strip.getBoundingClientRect().left - view.gutter) / plotWidth()) * end));
strip.addEventListener("pointerdown", (event) => {
  try { strip.setPointerCapture(event.pointerId); } catch { /* as above */ }
  dragFrom = { x: event.clientX, time: stripTime(event) };
});
strip.addEventListener("pointermove", (event) => {
  if (!dragFrom || Math.abs(event.clientX - dragFrom.x) < 4) return;
  const t = stripTime(event);
  setRange(Math.min(t, dragFrom.time), Math.max(t, dragFrom.time));
});
strip.addEventListener("pointerup", (event) => {
  if (dragFrom && Math.abs(event.clientX - dragFrom.x) < 4) {
    const half = (view.until - view.from) / 2;
    setRange(dragFrom.time - half, dragFrom.time + half);
  }
  dragFrom = null;
});

function setTheme(dark) {
  document.documentElement.classList.toggle("dark", dark);
  takeTheme();
  showLegend();
  redraw();
}
const actions = {
  "+": () => zoom(0.7), "=": () => zoom(0.7), w: () => zoom(0.7), "-": () => zoom(1 / 0.7), s: () => zoom(1 / 0.7),
  ArrowLeft: () => pan(-(view.until - view.from) / 8), a: () => pan(-(view.until - view.from) / 8),
  ArrowRight: () => pan((view.until - view.from) / 8), d: () => pan((view.until - view.from) / 8),
  ArrowUp: () => scrollTo(view.scroll - 40), ArrowDown: () => scrollTo(view.scroll + 40),
  PageUp: () => scrollTo(view.scroll - view.height * 0.8), PageDown: () => scrollTo(view.scroll + view.height * 0.8),
  0: fitAll, Home: fitAll, f: () => selected && zoomTo(selected), n: () => goToMatch(1), p: () => goToMatch(-1),
  t: () => setTheme(!document.documentElement.classList.contains("dark")),
  "/": () => byId("search").select() || byId("search").focus(), "?": () => byId("help").showModal(),
  Escape: () => {
    select(null);
    byId("search").value = "";
    find("");
  },
};
// Letters are text while a search is typed; once something is found and shown, they are keys again.
let typing = 0;
function finishTyping() {
  clearTimeout(typing);
  const text = byId("search").value;
  if (text !== search.text) find(text);
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const isTyped = event.target === byId("search");
  if (event.key === "Enter" && (isTyped || event.target === canvas)) {
    if (isTyped) finishTyping();
    goToMatch(event.shiftKey ? -1 : 1);
    if (search.total) canvas.focus({ preventScroll: true });
    event.preventDefault();
  } else if (isTyped) {
    if (event.key !== "Escape") return;
    actions.Escape();
    canvas.focus();
    event.preventDefault();
  } else if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
});

byId("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => find(byId("search").value), meta.events > 100000 ? 200 : 30);
});
for (const [id, action] of [
  ["previous", actions.p], ["next", actions.n], ["in", actions["+"]], ["out", actions["-"]], ["fit", fitAll],
  ["theme", actions.t], ["keys", actions["?"]], ["close", () => select(null)],
])
  byId(id).addEventListener("click", action);

const system = window.matchMedia("(prefers-color-scheme: dark)");
system.addEventListener("change", () => setTheme(system.matches));
new ResizeObserver(resize).observe(canvas.parentElement);

showHeading();
showDiagnoses();
setTheme(system.matches);
resize();
if (meta.show) goTo(meta.show);
// For the console, and for the tests.
window.timeline = { view, rows, search, setRange, fitAll, zoom, pan, find, redraw, select, get selected() { return selected; } };
