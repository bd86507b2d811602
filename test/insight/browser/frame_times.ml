(* frame_times [N]: how long a frame of the timeline takes with a million events (or N), while zooming in and out and
   panning, as requestAnimationFrame sees it. *)

open Made_traces
open Weft_report

let script =
  {|(async () => {
  const t = window.timeline, span = t.view.until, gaps = [], draws = [];
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  let before = await frame();
  for (let i = 0; i < 240; i++) {
    if (i < 100) t.zoom(0.93, 400);
    else if (i < 140) t.pan((t.view.until - t.view.from) / 20);
    else t.zoom(1 / 0.93, 600);
    const now = await frame();
    gaps.push(now - before);
    draws.push(t.view.drawMs);
    before = now;
  }
  const at = (a, p) => a.slice().sort((x, y) => x - y)[Math.floor((a.length - 1) * p)];
  const mean = (a) => a.reduce((x, y) => x + y, 0) / a.length;
  const of = (a) => ({ mean: mean(a), p50: at(a, 0.5), p90: at(a, 0.9), max: at(a, 1) });
  return { frames: gaps.length, frame_ms: of(gaps), draw_ms: of(draws), events: t.rows.flatMap(r => r.lanes).reduce((n, l) => n + l.n, 0) };
})()|}

let () =
  let n = match Sys.argv with [| _; n |] -> int_of_string n | _ -> 1_000_000 in
  match Chromium.find () with
  | None ->
      prerr_endline "frame_times: no chromium here";
      exit 2
  | Some program ->
      let folder = Filename.temp_dir "weft-frames" "" in
      let json = Filename.concat folder "trace.json" and html = Filename.concat folder "trace.html" in
      Fun.protect ~finally:(fun () ->
          List.iter (fun p -> try Sys.remove p with Sys_error _ -> ()) [ json; html ];
          Sys.rmdir folder)
      @@ fun () ->
      Out_channel.with_open_bin json (Made.large n);
      let trace = Result.get_ok (Trace.load json) in
      Out_channel.with_open_bin html (fun channel ->
          Timeline.write channel (Analysis.of_trace ~file:json trace));
      let browser = Chromium.start program in
      Fun.protect ~finally:(fun () -> Chromium.stop browser) @@ fun () ->
      let before = Unix.gettimeofday () in
      Chromium.open_page browser ("file://" ^ html);
      Printf.printf "loaded in %.1f s\n" (Unix.gettimeofday () -. before);
      print_endline (Yojson.Safe.pretty_to_string (Chromium.eval browser script))
