// The text: heading, findings, legend, details of an event. Everything from the trace becomes text nodes, never markup.

const byId = (id) => document.getElementById(id);
function element(tag, text, cls) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (cls) made.className = cls;
  return made;
}
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function showHeading() {
  document.title = "weft: " + meta.title;
  byId("title").textContent = meta.title;
  byId("title").title = meta.title;
  byId("summary").textContent = [
    duration(meta.duration), meta.workers + (meta.workers === 1 ? " worker" : " workers"), count(meta.events) + " events",
    ...(meta.lost ? [count(meta.lost) + " lost"] : []),
  ].join(", ");
}

function goTo([from, until]) {
  const margin = (until - from) * 0.3;
  setRange(from - margin, until + margin);
}

function showDiagnoses() {
  const list = byId("diagnoses");
  for (const { text, advice, share, place, kind } of meta.diagnoses) {
    const item = element("li", text + " ");
    if (kind !== "balanced") item.append(element("span", "[" + (100 * share).toFixed(share < 0.1 ? 1 : 0) + " %]", "cost"));
    if (place) {
      const button = element("button", "show");
      button.onclick = () => goTo(place);
      item.append(button);
    }
    if (advice) item.append(element("span", advice, "advice"));
    list.append(item);
  }
  if (window.innerWidth < 600 || window.innerHeight < 520) byId("findings").open = false;
}

// The legend has only the categories that the trace contains.
function showLegend() {
  const present = new Set();
  for (const row of rows) for (const lane of row.lanes) for (const kind of new Set(lane.kind)) present.add(kinds[kind].category);
  const list = byId("legend");
  list.replaceChildren();
  for (const category of Object.keys(names))
    if (present.has(category)) {
      const item = element("li"), patch = element("i");
      patch.style.background = colours[category];
      item.append(patch, names[category]);
      list.append(item);
    }
}

function factsOf(at) {
  const event = eventOf(at);
  return [
    ["category", event.category], ["begins at", duration(event.start)],
    ...(event.stop > event.start ? [["takes", duration(event.stop - event.start)]] : []),
    ["row", at.row.label], ...Object.entries(event.args).map(([key, value]) => [key, shown(value)]),
  ];
}
function showDetails() {
  const panel = byId("details");
  const was = panel.hidden;
  panel.hidden = !selected;
  if (selected) {
    byId("what").textContent = eventOf(selected).name;
    byId("facts").replaceChildren(...factsOf(selected).map(([key, value]) => {
      const pair = element("div");
      pair.append(element("dt", key), element("dd", value));
      return pair;
    }));
  }
  if (was !== panel.hidden) resize();
}

function showHover(at, x, y) {
  const box = byId("hover");
  if (!at || at.index === undefined) {
    box.hidden = true;
    return;
  }
  const event = eventOf(at);
  const args = Object.entries(event.args).map(([key, value]) => key + ": " + shown(value)).join(", ");
  const many = at.beside > 3 ? count(at.beside) + " events here: zoom in" : "";
  const lines = [element("b", event.name)];
  for (const line of [event.stop > event.start ? duration(event.stop - event.start) : "", "at " + duration(event.start), args, many])
    if (line) lines.push(element("span", line));
  box.replaceChildren(...lines);
  box.hidden = false;
  const main = box.parentElement.getBoundingClientRect(), size = box.getBoundingClientRect();
  const top = canvas.offsetTop + y;
  box.style.left = Math.max(4, Math.min(x + 14, main.width - size.width - 6)) + "px";
  box.style.top = (top + 18 + size.height > main.height ? Math.max(0, top - size.height - 10) : top + 18) + "px";
}
