module Util = Yojson.Safe.Util

type times = { mean : float; p50 : float; p90 : float; max : float }
type t = { events : int; load : float; frames : times; draws : times; search : float }

let script frames =
  Printf.sprintf
    {|(async () => {
  const t = window.timeline, n = %d, factor = 0.93 ** (240 / n), gaps = [], draws = [];
  const frame = () => new Promise(requestAnimationFrame);
  t.fitAll();
  await frame();
  let before = await frame();
  for (let i = 0; i < n; i++) {
    if (i < n * 5 / 12) t.zoom(factor, 400);
    else if (i < n * 7 / 12) t.pan((t.view.until - t.view.from) / 20);
    else t.zoom(1 / factor, 600);
    const now = await frame();
    gaps.push(now - before);
    draws.push(t.view.drawMs);
    before = now;
  }
  const start = performance.now();
  t.find("job");
  const search = performance.now() - start;
  t.find("");
  const at = (a, p) => a.slice().sort((x, y) => x - y)[Math.floor((a.length - 1) * p)];
  const mean = (a) => a.reduce((x, y) => x + y, 0) / a.length;
  const of = (a) => ({ mean: mean(a), p50: at(a, 0.5), p90: at(a, 0.9), max: at(a, 1) });
  return {
    events: t.rows.flatMap(r => r.lanes).reduce((n, l) => n + l.n, 0),
    load: performance.getEntriesByType("navigation")[0].loadEventEnd, frames: of(gaps), draws: of(draws), search,
  };
})()|}
    frames

let measure browser n =
  let json = Chromium.eval browser (script n) in
  let ms name json = Util.to_number (Util.member name json) in
  let times name =
    let json = Util.member name json in
    { mean = ms "mean" json; p50 = ms "p50" json; p90 = ms "p90" json; max = ms "max" json }
  in
  {
    events = Util.to_int (Util.member "events" json);
    load = ms "load" json;
    frames = times "frames";
    draws = times "draws";
    search = ms "search" json;
  }

let of_large_trace browser ~events f =
  let open Weft_report in
  Testing.Folder.within "weft-frames" @@ fun folder ->
  let json = Filename.concat folder "trace.json" and html = Filename.concat folder "trace.html" in
  Out_channel.with_open_bin json (Made_traces.Many_events.write events);
  let trace = Result.get_ok (Trace.load json) in
  Out_channel.with_open_bin html (fun channel -> Timeline.write channel (Analysis.of_trace ~file:json trace));
  Chromium.open_page browser ("file://" ^ html);
  f ()
