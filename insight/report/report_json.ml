type json = Yojson.Safe.t

let optional f = function Some x -> f x | None -> `Null
let int n : json = `Int n
let text s : json = `String s
let ratio part whole : json = `Float (if whole <= 0 then 0. else float_of_int part /. float_of_int whole)

let latency ?(unit = "_ns") (l : Latency.t) : (string * json) list =
  [
    ("count", `Int l.count);
    ("total" ^ unit, `Int l.total);
    ("mean" ^ unit, `Float l.mean);
    ("min" ^ unit, `Int l.least);
    ("p50" ^ unit, `Int l.p50);
    ("p90" ^ unit, `Int l.p90);
    ("p99" ^ unit, `Int l.p99);
    ("p99.9" ^ unit, `Int l.p999);
    ("max" ^ unit, `Int l.greatest);
    ("histogram", `List (List.map (fun (bound, n) -> `List [ `Int bound; `Int n ]) l.histogram));
  ]

let worker duration (w : Workers.t) : json =
  let share state = (Workers.state_name state, ratio (Workers.time_in w state) duration) in
  let time state = (Workers.state_name state ^ "_ns", `Int (Workers.time_in w state)) in
  `Assoc ((("name", text w.name) :: List.map share Workers.states) @ List.map time Workers.states)

let delay (row : Delays.row) : json =
  `Assoc (("group", text (Delays.group_name row.group)) :: ("name", text row.name) :: latency row.latency)

let slow (trace : Trace.t) (s : Delays.slow) : json =
  `Assoc
    [
      ("name", text s.name);
      ("start_ns", `Int s.start);
      ("duration_ns", `Int s.duration);
      ("on", text trace.tracks.(s.track).label);
      ("args", `Assoc s.arguments);
    ]

let wait duration (w : Activity.waits) : json =
  `Assoc
    ([
       ("kind", text (match w.kind with `Lock -> "lock" | `Channel -> "channel"));
       ("object", optional int w.number);
       ("call", text w.call);
       ("calls", `List (List.map text w.calls));
       ("waited_share_of_time", ratio (Intervals.length w.moments) duration);
       ("most_at_once", `Int w.most);
       ("by_worker", `Assoc (List.map (fun (name, n) -> (name, int n)) w.by));
     ]
    @ Waiting.numbers_of_cause w @ latency w.latency)

let batch (b : Activity.batches) : json =
  `Assoc
    ([ ("structure", optional int b.structure); ("parallel", `Int b.parallel); ("time_ns", `Int b.time) ]
    @ List.filter (fun (key, _) -> key <> "total") (latency ~unit:"" b.sizes)
    @ [ ("operations", `Int b.sizes.total) ])

let diagnosis (d : Finding.t) : json =
  `Assoc
    [
      ("kind", text (Finding.kind_name d.kind));
      ("share", `Float d.share);
      ("region", optional text d.region);
      ("worker", optional text d.worker);
      ("from_ns", optional (fun (a, _) -> int a) d.place);
      ("to_ns", optional (fun (_, b) -> int b) d.place);
      ("numbers", `Assoc d.numbers);
      ("text", text d.text);
      ("advice", text d.advice);
    ]

let region (stretch : Causes.stretch) : json =
  `Assoc
    [
      ("name", optional text stretch.region);
      ("entered", `Int stretch.calls);
      ("time_ns", `Int (Intervals.length stretch.moments));
    ]

let rec standard ~text (json : json) : json =
  match json with
  | `String s -> `String (text s)
  | `Float x when not (Float.is_finite x) -> `Null
  | `Assoc members -> `Assoc (List.map (fun (key, json) -> (text key, standard ~text json)) members)
  | `List all -> `List (List.map (standard ~text) all)
  | json -> json

let of_analysis (a : Analysis.t) : json =
  standard ~text:Weft_files.Foreign_text.utf_8
  @@
  let trace = a.trace in
  let c = a.collections in
  let regions =
    List.filter (fun (s : Causes.stretch) -> s.region <> None) (Causes.stretches trace ~losses:a.losses)
  in
  `Assoc
    [
      ("weft_report", `Int 1);
      ("file", text a.file);
      ("program", text (Analysis.title a));
      ("by_weft", `Bool (Trace.is_weft trace));
      ("duration_ns", `Int trace.duration);
      ("last_s", optional (fun s -> `Float s) (Activity.last trace));
      ("events", `Int trace.events);
      ("lost", `Int a.losses.events);
      ("unmatched", `Int trace.unmatched);
      ("diagnoses", `List (List.map diagnosis a.diagnoses));
      ("workers", `List (Array.to_list (Array.map (worker trace.duration) a.workers)));
      ( "machine",
        optional
          (fun (m : Activity.machine) ->
            `Assoc [ ("processors", `Int m.processors); ("stolen_share", `Float m.stolen) ])
          a.machine );
      ( "process",
        optional
          (fun (p : Activity.process) ->
            `Assoc
              [
                ("processors", optional int p.processors);
                ("cpu_ns", `Int p.cpu);
                ("waiting_ns", `Int p.waiting);
              ])
          a.process );
      ( "tracer",
        optional
          (fun (cpu, share) -> `Assoc [ ("cpu_ns", `Int cpu); ("share", `Float share) ])
          (Activity.tracer trace) );
      ("forks", optional int a.forks);
      ( "steals",
        `List
          (List.map
             (fun (thief, victim, n) ->
               `Assoc [ ("thief", text thief); ("victim", text victim); ("count", int n) ])
             a.steals) );
      ( "gc",
        `Assoc
          [
            ("minor_collections", `Int c.minor);
            ("minor_ns", `Int c.minor_time);
            ("major_ns", `Int c.major_time);
            ("waiting_ns", `Int c.waiting_time);
            ("other_ns", `Int c.other_time);
            ("promoted_words", optional (fun x -> `Float x) c.promoted_words);
            ("allocated_words", optional (fun x -> `Float x) c.allocated_words);
          ] );
      ("regions", `List (List.map region regions));
      ("latencies", `List (List.map delay a.delays));
      ( "slowest",
        `Assoc
          (List.map
             (fun (group, all) -> (Delays.group_name group, `List (List.map (slow trace) all)))
             a.slowest) );
      ("contention", `List (List.map (wait trace.duration) a.waits));
      ("batches", `List (List.map batch a.batches));
    ]
