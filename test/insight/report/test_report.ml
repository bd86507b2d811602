(* The findings of weft report in made-up traces: the facts, not the wording. *)

open Made_traces
open Weft_report

let case name f = Testing.Watchdog.case name f
let check what = Alcotest.(check bool) what true

let analyse text =
  Made.in_file text @@ fun path ->
  match Trace.load path with
  | Ok trace -> Analysis.of_trace ~file:path trace
  | Error message -> Alcotest.fail message

let kinds (a : Analysis.t) = List.map (fun (d : Finding.t) -> Finding.kind_name d.kind) a.diagnoses
let first (a : Analysis.t) = List.hd a.diagnoses
let number key (d : Finding.t) = Event.number (List.assoc key d.numbers)
let int key (d : Finding.t) = Event.int key d.numbers
let near what expected actual = Alcotest.(check (float 0.02)) what expected actual
let near_option what expected actual = Alcotest.(check (option (float 0.02))) what (Some expected) actual

(* {1 Diagnoses} *)

let balanced () =
  let a = analyse Made.balanced in
  Alcotest.(check (list string)) "nothing else" [ "balanced" ] (kinds a);
  Alcotest.(check (option int)) "forks" (Some 5000) a.forks;
  Alcotest.(check (list (triple string string int))) "steals" [ ("worker 1", "worker 0", 1) ] a.steals

let forced_chunk () =
  let d = first (analyse Made.forced_chunk) in
  Alcotest.(check string) "kind" "large_chunk" (Finding.kind_name d.kind);
  Alcotest.(check (option string)) "region" (Some "sort") d.region;
  Alcotest.(check (option string)) "whom it hit" (Some "worker 1") d.worker;
  near "share" 0.3 d.share;
  Alcotest.(check (option int)) "how long" (Some 40_000_000) (int "block_ns" d);
  Alcotest.(check (option int)) "how many iterations" (Some 1000) (int "block_iterations" d);
  Alcotest.(check (option int)) "how many are alike" (Some 7) (int "blocks_alike" d);
  check "and where"
    (match d.place with Some (a, b) -> b - a = 40_000_000 && a >= 80_000_000 | None -> false);
  Alcotest.(check (list string)) "nothing else" [ "large_chunk" ] (kinds (analyse Made.forced_chunk))

let long_iteration () =
  let d = first (analyse Made.long_iteration) in
  Alcotest.(check string) "kind" "long_block" (Finding.kind_name d.kind);
  Alcotest.(check (option int)) "one iteration" (Some 1) (int "block_iterations" d);
  Alcotest.(check (option int)) "how long" (Some 150_000_000) (int "block_ns" d);
  near "share" 0.35 d.share;
  check "the last"
    (String.starts_with ~prefix:"worker 1 idle 70 % of the time: the last block took 150 ms" d.text)

let locked () =
  let a = analyse Made.locked in
  let d = first a in
  Alcotest.(check string) "kind" "lock_contention" (Finding.kind_name d.kind);
  Alcotest.(check (option int)) "which lock" (Some 7) (int "object" d);
  Alcotest.(check (option int)) "how often" (Some 100) (int "waits" d);
  check "by whom"
    (List.assoc "waits_by_worker" d.numbers = `Assoc [ ("worker 0", `Int 50); ("worker 1", `Int 50) ]);
  near_option "how much of the time somebody waited" 0.9 (number "waiting_share_of_time" d);
  near "share" 0.35 d.share;
  Alcotest.(check (list (pair (option int) int)))
    "both locks, the dearer first"
    [ (Some 7, 100); (Some 3, 1) ]
    (List.map (fun (w : Activity.waits) -> (w.number, w.latency.count)) a.waits)

let collecting () =
  let a = analyse Made.collecting in
  let d = first a in
  Alcotest.(check (list string)) "kind, and nothing else" [ "gc_bound" ] (kinds a);
  near "share" 0.7 d.share;
  Alcotest.(check (option int)) "each collection once" (Some 100) (int "minor_collections" d);
  near_option "survival" 0.099 (number "survival" d);
  let c = a.collections in
  Alcotest.(check (list int))
    "each phase without those inside it: minor, major, waiting, other"
    [ 128_000_000; 7_000_000; 5_000_000; 0 ]
    [ c.minor_time; c.major_time; c.waiting_time; c.other_time ];
  check "a larger minor heap is advised"
    (String.starts_with ~prefix:"Collect less often: a larger minor heap" d.advice);
  near "time of workers" 0.7
    (float_of_int (Workers.time_in a.workers.(0) Collecting) /. float_of_int a.trace.duration)

(* If the machine takes the processor away in the middle of a collection, and others wait meanwhile, that
   time is not the collector's. *)
let taken_away () =
  Alcotest.(check (list string)) "if nothing is known" [ "gc_bound" ] (kinds (analyse Made.taken_away));
  let disturbed = analyse (Made.disturbed ~cpu:130_000. ~waiting:62_000. Made.taken_away) in
  Alcotest.(check (list string)) "if it is known" [ "machine_busy" ] (kinds disturbed);
  near_option "how much" 0.32 (number "waiting_share" (first disturbed));
  check "what was interrupted counts as its like" (disturbed.collections.steady_time < 1_000_000);
  let collecting = analyse (Made.disturbed ~cpu:100_000. ~waiting:90_000. Made.collecting) in
  check "a program that collects is found all the same" (List.mem "gc_bound" (kinds collecting))

let taken (a : Analysis.t) =
  List.filter (fun kind -> List.mem kind [ "machine_busy"; "oversubscribed" ]) (kinds a)

(* A program that is pinned to one processor, and had it nearly all the time, has waited for itself. *)
let pinned () =
  let beside processors = analyse (Made.beside ~processors) in
  Alcotest.(check (list string)) "others had the second" [ "machine_busy" ] (taken (beside 2));
  Alcotest.(check (list string)) "there is no second" [] (taken (beside 1));
  let crowded = analyse (Made.disturbed ~processors:1 ~cpu:95_000. ~waiting:95_000. Made.both_at_work) in
  let d = List.find (fun (d : Finding.t) -> d.kind = Oversubscribed) crowded.diagnoses in
  Alcotest.(check (list string)) "two at work on one" [ "oversubscribed" ] (taken crowded);
  Alcotest.(check (option int)) "that one" (Some 1) (int "processors" d);
  Alcotest.(check (option int))
    "of two" (Some 2)
    (Option.map (fun (m : Activity.machine) -> m.processors) crowded.machine);
  let free = analyse (Made.disturbed ~processors:2 ~cpu:190_000. ~waiting:0. Made.both_at_work) in
  Alcotest.(check (list string)) "two on two" [] (taken free)

let the_end_only () =
  let a = analyse Made.last in
  Alcotest.(check (option int)) "forks of the time that is shown" (Some 5_070) a.forks;
  Alcotest.(check int) "losses likewise" 3 a.losses.events;
  Alcotest.(check (option int))
    "a whole trace counts from the start" (Some 5000) (analyse Made.balanced).forks;
  let text = Report_text.of_analysis a in
  check "it says that it is the end"
    (List.mem "the last 100 ms, 2 workers, 8 events, 3 lost" (String.split_on_char '\n' text))

let forks_of_dumps () =
  let a = analyse Made.dump in
  Alcotest.(check (option int)) "none from before the dump's beginning" (Some 80) a.forks;
  Alcotest.(check (list string))
    "they are few" [ "too_little_parallelism" ]
    (List.map (fun (d : Finding.t) -> Finding.kind_name d.kind) a.diagnoses)

let forks_of_successive_pools () =
  let a = analyse Made.successive_pools in
  Alcotest.(check (option int)) "of both" (Some 71_076) a.forks

(* After lost events a worker may be known only by its number: it must not count as another worker, nor its
   pool as another pool. *)
let lost_start () =
  let workers a = Array.to_list (Array.map (fun (w : Workers.t) -> w.name) a.Analysis.workers) in
  let both = [ (17, 0); (18, 1) ] in
  List.iter
    (fun by_number ->
      let a = analyse (Made.lost_start ~by_number ~workers:both) in
      Alcotest.(check (list string)) by_number [ "worker 0"; "worker 1" ] (workers a);
      Alcotest.(check int) "all its time" 100_000_000 (Workers.time_in a.workers.(0) Running);
      Alcotest.(check (list (triple string string int))) "its steals" [ ("worker 0", "worker 1", 2) ] a.steals)
    [ "number"; "worker" ];
  let a = analyse (Made.lost_start ~by_number:"number" ~workers:[]) in
  Alcotest.(check (list string))
    "never known"
    [ "worker 0"; "worker 1"; "worker number 17" ]
    (List.sort compare (workers a));
  Alcotest.(check (list (triple string string int)))
    "nor its steals"
    [ ("worker 0", "worker 1", 1); ("worker number 17", "worker number 18", 1) ]
    (List.sort compare a.steals)

let categories () =
  let open Weft_events in
  List.iter (fun c -> check (Category.name c) (Category.of_name (Category.name c) = c)) Category.own;
  check "another's" (Category.of_name "blink,net" = Foreign "blink,net")

(* A counter that only grows is shown as its rate, in per cent of a processor. *)
let rates () =
  let a = analyse (Made.disturbed ~cpu:130_000. ~waiting:62_000. Made.crowded) in
  let shown = Rates.shown a.trace in
  let samples label =
    match List.find_opt (fun (s : Trace.series) -> s.counter = label) shown with
    | None -> Alcotest.failf "no row '%s'" label
    | Some s -> Array.to_list (Array.map (fun (_, x) -> Float.to_int (Float.round x)) s.samples)
  in
  Alcotest.(check (list int)) "130 ms in 100" [ 130; 0 ] (samples "CPU time, %");
  Alcotest.(check (list int)) "62 ms in 100" [ 62; 0 ] (samples "waits for CPU, %");
  Alcotest.(check int) "ten times a fifth" 11 (List.length (samples "CPU stolen, %"));
  check "a fifth" (List.for_all (fun x -> x = 20 || x = 0) (samples "CPU stolen, %"));
  check "the sums are not shown" (not (List.exists (fun (s : Trace.series) -> s.value = "total_ms") shown))

let no_workers () =
  let d = first (analyse Made.no_workers) in
  Alcotest.(check string) "kind" "no_workers" (Finding.kind_name d.kind);
  near_option "collections" 0.2 (number "gc_share_of_time" d)

let sequential () =
  let d = first (analyse Made.sequential) in
  Alcotest.(check string) "kind" "too_little_parallelism" (Finding.kind_name d.kind);
  near "share" 0.5 d.share;
  near_option "workers with work" 1. (number "mean_workers_at_work" d)

let outside () =
  let d = first (analyse Made.outside) in
  Alcotest.(check string) "kind" "too_little_parallelism" (Finding.kind_name d.kind);
  near_option "nobody at work" 0.66 (number "outside_share_of_time" d);
  check "the advice is another" (String.starts_with ~prefix:"The program computes outside" d.advice)

let blocked () =
  let d = first (analyse Made.blocked) in
  Alcotest.(check string) "kind" "blocking_calls" (Finding.kind_name d.kind);
  near "share" 0.8 d.share

let starved () =
  let d = first (analyse Made.starved) in
  Alcotest.(check string) "kind" "channel_waits" (Finding.kind_name d.kind);
  near "share" 0.45 d.share

let crowded () =
  let found = kinds (analyse Made.crowded) in
  List.iter (fun kind -> check kind (List.mem kind found)) [ "oversubscribed"; "machine_busy"; "events_lost" ];
  Alcotest.(check (option int))
    "processors" (Some 1)
    (Option.map (fun (m : Activity.machine) -> m.processors) (analyse Made.crowded).machine)

(* {1 Figures} *)

let percentiles () =
  let plain sorted p =
    (* The smallest element such that at least that part of all elements is not above it, by counting. *)
    let n = Array.length sorted in
    let enough x =
      let below = Array.fold_left (fun n y -> if y <= x then n + 1 else n) 0 sorted in
      float_of_int below >= (p *. float_of_int n) -. 1e-9
    in
    Option.get (Array.find_opt enough sorted)
  in
  let durations = QCheck.(array_of_size Gen.(int_range 1 300) (int_range 0 5000)) in
  let promise = "percentiles are those of a plain sort" in
  let test =
    QCheck.Test.make ~name:promise ~count:200 durations @@ fun durations ->
    let sorted = Array.copy durations in
    Array.sort compare sorted;
    let l = Option.get (Latency.of_durations (Array.copy durations)) in
    l.p50 = plain sorted 0.5
    && l.p90 = plain sorted 0.9
    && l.p99 = plain sorted 0.99
    && l.p999 = plain sorted 0.999
    && l.greatest = sorted.(Array.length sorted - 1)
    && l.total = Array.fold_left ( + ) 0 sorted
    && List.fold_left (fun n (_, m) -> n + m) 0 l.histogram = Array.length sorted
    && List.for_all (fun (bound, _) -> bound > 0) l.histogram
  in
  QCheck.Test.check_exn test;
  let bounds durations = (Option.get (Latency.of_durations durations)).histogram in
  Alcotest.(check (list (pair int int)))
    "the last bounds"
    [ (1_000_000_000_000_000_000, 1); (2_000_000_000_000_000_000, 1); (max_int, 2) ]
    (bounds [| max_int; 2_100_000_000_000_000_000; 1_100_000_000_000_000_000; 900_000_000_000_000_000 |])

let intervals () =
  let set = QCheck.(list_of_size Gen.(int_range 0 20) (pair (int_range 0 60) (int_range 0 12))) in
  let make items = Intervals.of_list (List.map (fun (a, n) -> (a, a + n)) items) in
  let mem (s : Intervals.t) x = Array.exists (fun (a, b) -> a <= x && x < b) (s :> (int * int) array) in
  let apart (s : Intervals.t) =
    let s = (s :> (int * int) array) in
    Array.for_all (fun (a, b) -> a < b) s
    && Array.for_all Fun.id (Array.init (max 0 (Array.length s - 1)) (fun i -> snd s.(i) < fst s.(i + 1)))
  in
  let test =
    QCheck.Test.make ~name:"sets of moments are sets" ~count:300 (QCheck.triple set set set)
    @@ fun (s, t, u) ->
    let s = make s and t = make t and u = make u in
    let same set f = List.for_all (fun x -> mem set x = f x) (List.init 80 Fun.id) in
    let two x = List.length (List.filter (fun set -> mem set x) [ s; t; u ]) >= 2 in
    apart s
    && same (Intervals.union s t) (fun x -> mem s x || mem t x)
    && same (Intervals.inter s t) (fun x -> mem s x && mem t x)
    && same (Intervals.diff s t) (fun x -> mem s x && not (mem t x))
    && same (Intervals.at_least 2 [ s; t; u ]) two
  in
  QCheck.Test.check_exn test

let overlapping () =
  let spans = QCheck.(list_of_size Gen.(int_range 0 30) (pair (int_range 0 60) (int_range 0 30))) in
  let span i (start, length) : Trace.span =
    let name = string_of_int i in
    { track = 0; end_track = 0; category = Region; name; start; stop = start + length; arguments = [] }
  in
  let test =
    QCheck.Test.make ~name:"spans around a time" ~count:500
      QCheck.(triple spans (int_range 0 90) (int_range 0 90))
    @@ fun (spans, from, until) ->
    let spans = List.mapi span spans in
    let names all = List.sort compare (List.map (fun (s : Trace.span) -> s.name) all) in
    let found = Overlapping.fold (Overlapping.of_list spans) ~from ~until (fun all s -> s :: all) [] in
    let starts = List.rev_map (fun (s : Trace.span) -> s.start) found in
    let expected = List.filter (fun (s : Trace.span) -> s.start <= until && s.stop >= from) spans in
    names found = names expected && starts = List.sort compare starts
  in
  QCheck.Test.check_exn test

let shares () =
  let all_of text =
    let a = analyse text in
    let whole (w : Workers.t) =
      let sum = List.fold_left (fun sum state -> sum + Workers.time_in w state) 0 Workers.states in
      Alcotest.(check int) w.name a.trace.duration sum
    in
    Array.iter whole a.workers
  in
  List.iter all_of
    [ Made.balanced; Made.forced_chunk; Made.locked; Made.collecting; Made.outside; Made.crowded ]

let order () =
  let lines = [ Made.job 0 0. 10.; Made.job 0 20. 30.; Made.gc 0 "minor" 22. 24.; Made.park 0 10. 20. ] in
  let states text =
    let a = analyse text in
    Array.to_list (Array.map (fun (x, y, s) -> (x, y, Workers.state_name s)) a.workers.(0).segments)
  in
  Alcotest.(check (list (triple int int string)))
    "events may come in any order"
    [
      (0, 10_000, "running");
      (10_000, 20_000, "parked");
      (20_000, 22_000, "running");
      (22_000, 24_000, "gc");
      (24_000, 30_000, "running");
    ]
    (states (Made.weft lines));
  check "backwards too" (states (Made.weft lines) = states (Made.weft (List.rev lines)))

let slowest () =
  let a =
    analyse
      (Made.weft
         (List.init 100 (fun i ->
              Made.job 0 (float_of_int (1000 * i)) (float_of_int ((1000 * i) + (i * 7 mod 100) + 1)))))
  in
  let slow = List.assoc Delays.Scheduler a.slowest in
  Alcotest.(check (list int))
    "the longest first"
    (List.init 20 (fun i -> (100 - i) * 1000))
    (List.map (fun (s : Delays.slow) -> s.duration) slow)

let batches () =
  let batch i size =
    let at = float_of_int (100 * i) in
    Made.apart ~tid:0 ~cat:"batch" ~id:(string_of_int i)
      ~args:[ ("structure", `Int 4); ("size", `Int size); ("parallel", `Bool (size > 10)) ]
      "batch" at (at +. 50.)
  in
  match (analyse (Made.weft [ batch 0 1; batch 1 5; batch 2 60 ])).batches with
  | [ b ] ->
      Alcotest.(check (list int))
        "how many operations" [ 3; 66; 5; 60; 1 ]
        [ b.sizes.count; b.sizes.total; b.sizes.p50; b.sizes.greatest; b.parallel ]
  | _ -> Alcotest.fail "one structure"

let plain_chrome () =
  let event ph ts =
    Printf.sprintf {|{"ph":"%s","ts":%f,"pid":1,"tid":"main","name":"f","cat":"a,b"}|} ph ts
  in
  let a =
    analyse
      (Made.plain [ event "B" 0.; event "B" 1.; event "E" 5.; event "E" 9.; event "E" 10.; event "B" 11. ])
  in
  Alcotest.(check (list (pair int int)))
    "brackets match"
    [ (0, 9000); (1000, 5000); (11000, 11000) ]
    (Array.to_list (Array.map (fun (s : Trace.span) -> (s.start, s.stop)) a.trace.tracks.(0).spans));
  Alcotest.(check int) "those that do not are counted" 2 a.trace.unmatched;
  check "a thread counts as a worker" (Array.length a.workers = 1)

(* A file is read in pieces, and looked through as they come: a piece may end between the two places. *)
let wrong_twice () =
  for spaces = 0 to 1_100 do
    let text = "{\"traceEvents\":[" ^ String.make spaces ' ' ^ "?" ^ String.make 80 'a' ^ "/]}" in
    Made.in_file text @@ fun path ->
    match Trace.load path with
    | Error message -> Testing.Text.check_contains "the message" ~part:"not JSON" message
    | Ok _ -> Alcotest.fail "it is read"
  done

let narrow () =
  let long = String.make 300 'x' in
  let all =
    [
      Made.balanced;
      Made.forced_chunk;
      Made.locked;
      Made.collecting;
      Made.outside;
      Made.crowded;
      Made.weft ~program:long
        [ Made.name 0 long; Made.job 0 0. 1.; Made.apart ~tid:0 ~cat:"region" ~id:"1" long 0. 1. ];
    ]
  in
  let check_line line =
    if String.length line > Report_text.width then Alcotest.fail ("longer than a line: " ^ line);
    String.iter
      (fun c -> if c < ' ' || c > '~' then Alcotest.fail ("not printable: " ^ String.escaped line))
      line
  in
  List.iter
    (fun text -> List.iter check_line (String.split_on_char '\n' (Report_text.of_analysis (analyse text))))
    all;
  let hostile = analyse (Made.weft ~program:"\027[2J\n\255" [ Made.job 0 0. 1. ]) in
  List.iter check_line (String.split_on_char '\n' (Report_text.of_analysis hostile))

let base64 () =
  let known = [ ("", ""); ("f", "Zg=="); ("fo", "Zm8="); ("foo", "Zm9v"); ("foobar", "Zm9vYmFy") ] in
  let encode text =
    let b = Buffer.create 8 in
    Buffer.add_string b text;
    Packing.base64 b
  in
  List.iter (fun (text, code) -> Alcotest.(check string) text code (encode text)) known

let () =
  Alcotest.run ~argv:[| "test_report"; "--compact" |] "report"
    [
      ( "diagnoses",
        [
          case "a balanced program has nothing to mend" balanced;
          case "a forced chunk that is too large" forced_chunk;
          case "one long iteration" long_iteration;
          case "a contended lock: which, and by whom" locked;
          case "bound by collections" collecting;
          case "what the machine takes away is no collection" taken_away;
          case "a program waits for itself on the processors that it may use" pinned;
          case "of the end of a trace, what fell in it" the_end_only;
          case "forks from before a dump are not the dump's" forks_of_dumps;
          case "forks of two pools that have a worker's number in turn" forks_of_successive_pools;
          case "a worker whose name was lost is no other worker" lost_start;
          case "categories are read as they are written" categories;
          case "what only grows is shown as rates" rates;
          case "without workers there is something to mend" no_workers;
          case "too little parallelism" sequential;
          case "work outside the pool" outside;
          case "calls that block" blocked;
          case "waits for messages" starved;
          case "more workers than processors, a busy machine, lost events" crowded;
        ] );
      ( "figures",
        [
          case "percentiles are those of a plain sort" percentiles;
          case "sets of moments are sets" intervals;
          case "spans around a time" overlapping;
          case "a worker's states fill the time" shares;
          case "events may come in any order" order;
          case "the slowest come first" slowest;
          case "sizes of batches" batches;
          case "other programs' traces" plain_chrome;
          case "a file that is wrong at two places" wrong_twice;
          case "the text fits 80 columns, and is printable" narrow;
          case "base64" base64;
        ] );
    ]
