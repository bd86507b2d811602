(* Tests the page in a real browser; without one the tests are skipped, with a message. *)

open Made_traces
open Weft_report
module Util = Yojson.Safe.Util

let events = 60_000

let page ?(name = "trace.json") text f =
  Made.in_file ~name text @@ fun json ->
  let analysis = Analysis.of_trace ~file:json (Result.get_ok (Trace.load json)) in
  let html = Filename.concat (Filename.dirname json) "page.html" in
  Out_channel.with_open_bin html (fun channel -> Timeline.write channel analysis);
  f ("file://" ^ html)

let large_text () =
  let path = Filename.temp_file "weft-large" ".json" in
  Out_channel.with_open_bin path (Many_events.write events);
  let text = In_channel.with_open_bin path In_channel.input_all in
  Sys.remove path;
  text

let settled browser =
  ignore
    (Chromium.eval browser
       "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
      : Yojson.Safe.t)

let number browser expression = Util.to_number (Chromium.eval browser expression)
let truth browser expression = Chromium.eval browser expression = `Bool true
let check what = Alcotest.(check bool) what true
let no_errors browser = Alcotest.(check (list string)) "no errors" [] (Chromium.errors browser)

let colours =
  {|(() => { const c = document.getElementById("timeline"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
     const seen = new Set(); for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; })()|}

let span = "timeline.view.until - timeline.view.from"
let wait_for browser expression = Testing.Watchdog.until expression (fun () -> truth browser expression)

let large_trace browser () =
  page (large_text ()) @@ fun url ->
  Chromium.size browser 1280 800;
  Chromium.open_page browser url;
  settled browser;
  check "draws something" (number browser colours > 5.);
  check "holds all events"
    (number browser "timeline.rows.flatMap(r => r.lanes).reduce((n, l) => n + l.n, 0)" > 59_990.);
  let whole = number browser span in
  Chromium.wheel browser ~x:600. ~y:500. (-300.);
  settled browser;
  check "the wheel zooms in" (number browser span < whole *. 0.7);
  let before = number browser span in
  Chromium.key browser "+";
  check "+ zooms in" (number browser span < before);
  let from = number browser "timeline.view.from" in
  Chromium.drag browser ~from:(700., 500.) ~until:(500., 500.);
  check "dragging moves" (number browser "timeline.view.from" > from);
  Chromium.key browser "0";
  settled browser;
  Alcotest.(check (float 1.)) "0 shows everything" whole (number browser span);
  Chromium.key browser "/";
  check "/ goes to the search" (truth browser {|document.activeElement.id === "search"|});
  ignore (Chromium.call browser "Input.insertText" [ ("text", `String "needle") ] : Yojson.Safe.t);
  wait_for browser "timeline.search.text === 'needle'";
  Alcotest.(check (float 0.)) "one is found" 1. (number browser "timeline.search.total");
  Chromium.key browser "Enter";
  settled browser;
  check "and shown" (truth browser {|document.getElementById("what").textContent === "needle"|});
  check "its number too" (truth browser {|document.getElementById("found").textContent === "1 of 1"|});
  check "letters are keys again" (truth browser {|document.activeElement.id === "timeline"|});
  Chromium.key browser "f";
  settled browser;
  check "f zooms to it" (number browser span < whole /. 10.);
  check "and is no text"
    (truth browser
       {|document.getElementById("search").value === "needle" && timeline.search.text === "needle"|});
  Chromium.key browser "Escape";
  check "Esc drops it"
    (truth browser {|document.getElementById("details").hidden && timeline.search.total === 0|});
  no_errors browser

(* Zooms in on one of some thousand spans, chosen from the data. *)
let find_first =
  {|(() => { const row = timeline.rows.find(r => r.group === "worker"), lane = row.lanes[0], i = lane.n >> 1;
     timeline.setRange(lane.start[i] - 1000, lane.stop[i] + 1000);
     const box = document.getElementById("timeline").getBoundingClientRect(), v = timeline.view;
     const x = v.gutter + ((lane.start[i] + lane.stop[i]) / 2 - v.from) / (v.until - v.from) * (v.width - v.gutter - 8);
     return [box.left + x, box.top + row.top - v.scroll + 8, i]; })()|}

let details browser () =
  page (large_text ()) @@ fun url ->
  Chromium.open_page browser url;
  settled browser;
  let x, y, index =
    match List.map Util.to_number (Util.to_list (Chromium.eval browser find_first)) with
    | [ x; y; index ] -> (x, y, index)
    | _ -> Alcotest.fail "no place"
  in
  settled browser;
  Chromium.click browser ~x ~y;
  settled browser;
  Alcotest.(check (float 0.)) "a click selects what is there" index (number browser "timeline.selected.index");
  check "and shows its arguments"
    (truth browser {|document.getElementById("facts").textContent.includes("worker")|});
  ignore
    (Chromium.call browser "Input.dispatchMouseEvent"
       [ ("type", `String "mouseMoved"); ("x", `Float (x +. 1.)); ("y", `Float y) ]
      : Yojson.Safe.t);
  settled browser;
  check "hovering shows it" (truth browser {|!document.getElementById("hover").hidden|});
  no_errors browser

let hostile = {|</script><img src=x = 1</script><img src=x onerror="window.broken = 2">&amp;'"|}

let names_are_text browser () =
  let text =
    Made.weft ~program:hostile
      [
        Made.name 0 hostile;
        Made.job ~args:[ (hostile, `String hostile) ] 0 0. 100.;
        Made.search 1 0. 100.;
        Made.apart ~tid:0 ~cat:"region" ~id:hostile hostile 0. 100.;
        Made.apart ~tid:0 ~cat:hostile ~id:"1" hostile 0. 100.;
      ]
  in
  page text @@ fun url ->
  Chromium.open_page browser url;
  settled browser;
  ignore
    (Chromium.eval browser "timeline.find('img'); timeline.select({row: timeline.rows[1], lane: 0, index: 0})"
      : Yojson.Safe.t);
  settled browser;
  check "nothing of it was run" (truth browser "window.broken === undefined");
  check "no element came of it" (truth browser {|document.querySelectorAll("img").length === 0|});
  check "it is shown as it is"
    (truth browser
       (Printf.sprintf {|document.getElementById("title").textContent.includes(%s)|}
          (Yojson.Safe.to_string (`String "script><img src=x"))));
  no_errors browser

let phone browser () =
  page Made.locked @@ fun url ->
  Chromium.size browser ~touch:true ~ratio:2. 390 760;
  Chromium.open_page browser url;
  settled browser;
  check "nothing is wider than the screen" (number browser "document.documentElement.scrollWidth" <= 390.);
  check "the timeline keeps half of the screen" (number browser "timeline.view.height" > 380.);
  let before = number browser span in
  Chromium.pinch browser ~x:220. ~y:500. 2.;
  settled browser;
  check "two fingers zoom" (number browser span < before *. 0.8);
  no_errors browser;
  Chromium.size browser 1280 800

let themes browser () =
  page Made.collecting @@ fun url ->
  let background = "getComputedStyle(document.body).backgroundColor" in
  Chromium.dark browser false;
  Chromium.open_page browser url;
  settled browser;
  let light = Chromium.eval browser background in
  Chromium.dark browser true;
  settled browser;
  check "it follows the system" (light <> Chromium.eval browser background);
  Chromium.dark browser false;
  no_errors browser

(* Thirty fibers wait for 40 ms, then one for 50 ms, then none. Six counters. *)
let crowd =
  let wait id from until =
    Made.apart ~tid:0 ~cat:"channel" ~id "Weft.Chan.recv" (Made.ms from) (Made.ms until)
  in
  Made.weft
    (Made.names
    @ [ Made.job 0 0. (Made.ms 100.) ]
    @ List.init 30 (fun i -> wait (string_of_int i) 0. 40.)
    @ [ wait "one" 40. 90. ]
    @ List.concat
        (List.init 6 (fun i ->
             List.map (Made.counter "forks" ~id:(string_of_int i) [ ("forks", 1.) ]) [ 0.; Made.ms 50. ])))

(* How many pixels of a row differ from those of a time at which nobody waits. *)
let tall =
  {|(() => { const v = timeline.view, c = document.getElementById("timeline"), ratio = c.width / v.width;
     const row = timeline.rows.find(r => r.label === "waits: channels");
     const column = (part) => { const x = v.gutter + part * (v.width - v.gutter - 8);
       return c.getContext("2d").getImageData(Math.round(x * ratio), Math.round((row.top - v.scroll) * ratio), 1, Math.round((row.height - 2) * ratio)).data; };
     const none = column(0.95);
     return [0.2, 0.6].map((part) => { const d = column(part); let n = 0;
       for (let i = 0; i < d.length; i += 4) if (d[i] !== none[i] || d[i + 1] !== none[i + 1] || d[i + 2] !== none[i + 2]) n++; return n; }); })()|}

let folded browser () =
  page crowd @@ fun url ->
  Chromium.size browser 1280 800;
  Chromium.open_page browser url;
  settled browser;
  let shown = {|timeline.rows.filter(r => r.group === "counter" && r.height > 0).length|} in
  Alcotest.(check (float 0.)) "the counters are folded away" 0. (number browser shown);
  (match List.map Util.to_number (Util.to_list (Chromium.eval browser tall)) with
  | [ many; one ] ->
      check
        (Printf.sprintf "thirty are not one long wait: %g, %g pixels" many one)
        (one > 0. && many >= 5. *. one)
  | _ -> Alcotest.fail "no pixels");
  let top =
    {|(() => { const r = timeline.rows.find(r => r.group === "counters"), box = document.getElementById("timeline").getBoundingClientRect();
    return box.top + r.top - timeline.view.scroll + 6; })()|}
  in
  Chromium.click browser ~x:30. ~y:(number browser top);
  settled browser;
  Alcotest.(check (float 0.)) "a click shows all" 6. (number browser shown);
  no_errors browser

let no_spans browser () =
  page (Made.plain [ {|{"ph":"i","ts":1,"pid":1,"tid":1,"name":"alone"}|} ]) @@ fun url ->
  Chromium.open_page browser url;
  settled browser;
  no_errors browser

(* The times of a frame and of a search: see frame_times. *)
let a_million browser () =
  Chromium.size browser 1280 800;
  Frames.of_large_trace browser ~events:1_000_000 @@ fun () ->
  let t = Frames.measure browser 96 in
  check "holds all events" (t.events >= 999_990);
  no_errors browser

let () =
  match Chromium.find () with
  | None -> print_endline "timeline in a browser: skipped, no chromium here"
  | Some program ->
      let browser = Testing.Watchdog.guard "start of chromium" (fun () -> Chromium.start program) in
      at_exit (fun () -> Chromium.stop browser);
      let case name f = Testing.Watchdog.case name (f browser) in
      Alcotest.run ~argv:[| "test_timeline"; "--compact" |] "timeline"
        [
          ( "page",
            [
              case "many events: drawn, zoomed, moved, searched" large_trace;
              case "a click and the pointer show an event" details;
              case "names from the trace are text" names_are_text;
              case "a phone" phone;
              case "light and dark" themes;
              case "folded rows: counters are away, waits are counted" folded;
              case "a trace without spans" no_spans;
              case "a million events: drawn, moved, searched" a_million;
            ] );
        ]
