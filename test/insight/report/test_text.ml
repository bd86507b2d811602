(* What weft report says first, word for word, of made-up traces: the findings that name a cause, and that
   nothing is claimed which the trace does not show. *)

open Made_traces
open Weft_report

let case name f = Testing.Watchdog.case name f

let analyse text =
  Made.in_file text @@ fun path ->
  match Trace.load path with
  | Ok trace -> Analysis.of_trace ~file:path trace
  | Error message -> Alcotest.fail message

let said text = List.map (fun (d : Finding.t) -> d.text) (analyse text).diagnoses
let kinds text = List.map (fun (d : Finding.t) -> Finding.kind_name d.kind) (analyse text).diagnoses
let texts = Alcotest.(list string)

(* {1 Losses} *)

let ms = Made.ms
let half ph ~tid ~cat ~id name time args = Made.event ph ~more:[ ("id", `String id) ] ~tid ~cat name time args

(* A wait whose end was lost: weft trace ends it where the gap begins. *)
let cut_wait n ~id ~lock from until =
  half "b" ~tid:n ~cat:"lock" ~id "Weft.Mutex.lock" from [ ("object", `Int lock) ]
  ^ ",\n"
  ^ half "e" ~tid:n ~cat:"lock" ~id "Weft.Mutex.lock" until [ Made.unfinished ]

(* Two workers that have work all the time. Of ring 1, half is lost; in it, a lock's waiters were woken. *)
let half_lost ?damaged ?(lost = 3000) () =
  Made.weft ~lost ?damaged
    (Made.names
    @ [ Made.job 0 0. (ms 100.); Made.job 1 ~args:[ Made.unfinished ] 0. (ms 40.) ]
    @ [ Made.gap 1 ~lost (ms 40.) (ms 90.); Made.job 1 (ms 90.) (ms 100.) ]
    @ List.init 9 (fun i -> cut_wait 1 ~id:(string_of_int i) ~lock:7 (ms 39.) (ms 40.))
    @ [ Made.apart ~tid:0 ~cat:"lock" ~id:"w" ~args:[ ("object", `Int 7) ] "Weft.Mutex.lock" (ms 1.) (ms 2.) ]
    )

let losses_first () =
  Alcotest.check texts "nothing else is said"
    [
      "3,000 events (99 % of all) were lost: the program wrote them faster than they were read. What the \
       workers did is unknown for 25 % of their time. All else here is of the rest, and of what began and \
       ended in it.";
    ]
    (said (half_lost ()));
  let a = analyse (half_lost ()) in
  let w = List.hd a.waits in
  Alcotest.(check (list int))
    "only the wait that ended has a duration" [ 1; 1_000_000 ]
    [ w.latency.count; w.latency.greatest ];
  Alcotest.(check int)
    "unknown is neither idle nor at work" 50_000_000
    (Workers.time_in a.workers.(1) Unknown)

let damage_first () =
  Alcotest.check texts "why, and no word of how fast it was read"
    [
      "The rings were damaged and could not be read to their ends (corrupt header). What the workers did is \
       unknown for 25 % of their time. All else here is of the rest, and of what began and ended in it.";
    ]
    (said (half_lost ~lost:0 ~damaged:"corrupt header" ()))

(* Files of older versions: the gap is an instant, and what was not ended lasts to the end. *)
let older_files () =
  let wait i = cut_wait 1 ~id:(string_of_int i) ~lock:7 (ms (20. +. float_of_int i)) (ms 100.) in
  let text =
    Made.weft ~lost:30
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.job 1 ~args:[ Made.unfinished ] 0. (ms 40.) ]
      @ [
          Made.event "i" ~tid:1 ~cat:"trace" "events lost" (ms 40.)
            [ ("words", `Int 90); ("events", `Int 30) ];
        ]
      @ [ Made.job 1 (ms 90.) (ms 100.) ]
      @ List.init 9 wait)
  in
  let a = analyse text in
  Alcotest.(check int) "unknown to the next event" 50_000_000 (Workers.time_in a.workers.(1) Unknown);
  Alcotest.check texts "nothing is claimed" [ "events_lost" ] (kinds text);
  Alcotest.(check (list int))
    "no wait lasts beyond the gap's beginning" [ 40_000_000 ]
    (List.map
       (fun (w : Activity.waits) -> Array.fold_left (fun _ (_, b) -> b) 0 (w.moments :> (int * int) array))
       a.waits)

(* Worker 1 parks, and its waking is lost: that it slept on, nobody knows. *)
let no_idleness_from_a_gap () =
  let text =
    Made.weft ~lost:10
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 20.); Made.park 1 (ms 20.) (ms 21.) ]
      @ [ Made.gap 1 ~lost:10 (ms 21.) (ms 22.) ])
  in
  Alcotest.check texts "the loss alone" [ "events_lost" ] (kinds text)

(* What remains is judged: a long block beside an idle worker, where nothing is missing. *)
let the_rest_is_judged () =
  let text =
    Made.weft ~lost:10
      (Made.names
      @ [ Made.job 0 0. (ms 60.); Made.job 1 0. (ms 10.); Made.park 1 (ms 10.) (ms 60.) ]
      @ [ Made.block 0 ~first:777 ~last:777 (ms 10.) (ms 60.) ]
      @ [
          Made.gap 0 ~lost:10 (ms 60.) (ms 61.); Made.job 1 (ms 60.) (ms 100.); Made.job 0 (ms 61.) (ms 100.);
        ])
  in
  Alcotest.check texts "after the loss" [ "events_lost"; "long_block" ] (kinds text)

(* That worker 1 sleeps is known, but not why: what explains it may be lost. *)
let no_verdict_without_a_cause () =
  let text ~lost =
    Made.weft ~lost
      (Made.names
      @ [ Made.job 0 0. (ms 60.); Made.job 1 0. (ms 10.); Made.park 1 (ms 10.) (ms 60.) ]
      @ (if lost > 0 then [ Made.gap 0 ~lost (ms 60.) (ms 61.) ] else [])
      @ [ Made.job 1 (ms 60.) (ms 100.); Made.job 0 (ms 61.) (ms 100.) ])
  in
  Alcotest.check texts "of a whole trace" [ "too_little_parallelism" ] (kinds (text ~lost:0));
  Alcotest.check texts "of one that is not" [ "events_lost" ] (kinds (text ~lost:3))

let too_little_left () =
  let text =
    Made.weft ~lost:10
      (Made.names
      @ [ Made.job 0 0. (ms 10.); Made.job 1 0. (ms 1.); Made.park 1 (ms 1.) (ms 10.) ]
      @ [ Made.block 0 ~first:1 ~last:1 0. (ms 10.) ]
      @ [ Made.gap 0 ~lost:10 (ms 10.) (ms 100.); Made.gap 1 ~lost:10 (ms 10.) (ms 100.) ])
  in
  Alcotest.check texts "no verdict"
    [
      "10 events (62 % of all) were lost: the program wrote them faster than they were read. What the \
       workers did is not judged.";
    ]
    (said text)

(* {1 One finding for a cause} *)

let wait_in_region i ~lock =
  let at = ms (10. *. float_of_int i) in
  [
    Made.apart ~tid:0 ~cat:"region" ~id:(Printf.sprintf "r%d" i) (Printf.sprintf "request %d" i) at
      (at +. ms 10.);
    Made.apart ~tid:1 ~cat:"lock" ~id:(string_of_int i)
      ~args:[ ("object", `Int lock) ]
      "Weft.Mutex.lock" at
      (at +. ms 9.);
  ]

let regions_with lock_of =
  Made.weft
    (Made.names
    @ [ Made.job 0 0. (ms 100.); Made.park 1 0. (ms 100.) ]
    @ List.concat (List.init 10 (fun i -> wait_in_region i ~lock:(lock_of i))))

let one_cause () =
  Alcotest.(check (list (option string)))
    "ten regions are hit by one lock: the whole, once" [ None ]
    (List.filter_map
       (fun (d : Finding.t) -> if d.kind = Lock_contention then Some d.region else None)
       (analyse (regions_with (fun _ -> 7))).diagnoses)

let ten_causes () =
  let found = kinds (regions_with (fun i -> i)) in
  Alcotest.(check int) "ten locks, and more: ten findings" 10 (List.length found);
  let named (d : Finding.t) = List.assoc_opt "object" d.numbers in
  let locks = List.filter_map named (analyse (regions_with (fun i -> i mod 3))).diagnoses in
  Alcotest.(check int) "no lock twice" (List.length locks) (List.length (List.sort_uniq compare locks))

(* Each request waits for a lock of its own, or for one of its channels. *)
let many_objects ?(cat = "lock") n =
  let request i =
    let at = 100. *. float_of_int i in
    let args = [ ("object", `Int (7 + i)) ] in
    [
      Made.job 0 at (at +. 100.);
      Made.job 1 at (at +. 40.);
      Made.park 1 (at +. 40.) (at +. 100.);
      Made.apart ~tid:0 ~cat:"region" ~id:(string_of_int i) (string_of_int (i mod 10)) at (at +. 90.);
      Made.apart ~tid:1 ~cat ~id:(string_of_int i) ~args "Weft.Mvar.take" (at +. 40.) (at +. 90.);
    ]
  in
  Made.weft (Made.names @ List.concat (List.init n request))

let none_of_many () =
  let first text = List.hd (said text) in
  Alcotest.(check string)
    "locks, of which none costs a twentieth"
    "worker 1 idle 60 % of the time: during 50 % of it fibers waited for 100 locks, each of which cost \
     little (Weft.Mvar.take), 100 times for 50.0 us on average."
    (first (many_objects 100));
  Alcotest.(check string)
    "channels"
    "worker 1 idle 60 % of the time: during 50 % of it fibers waited for 100 channels or conditions, each of \
     which cost little (Weft.Mvar.take), 100 times for 50.0 us on average."
    (first (many_objects ~cat:"channel" 100));
  let one_more =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.park 1 0. (ms 100.) ]
      @ List.init 60 (fun i ->
            let at = ms (float_of_int i) in
            Made.apart ~tid:0 ~cat:"lock" ~id:(string_of_int i)
              ~args:[ ("object", `Int (if i < 30 then 7 else 8 + i)) ]
              "Weft.Mutex.lock" at
              (at +. ms 1.)))
  in
  let objects (d : Finding.t) =
    if d.kind = Lock_contention then Some (List.assoc "object" d.numbers, List.assoc_opt "objects" d.numbers)
    else None
  in
  Alcotest.(check bool)
    "beside one that costs much" true
    (List.filter_map objects (analyse one_more).diagnoses = [ (`Int 7, None); (`Null, Some (`Int 30)) ])

(* {1 Blocked threads} *)

let blocked n ~id ~ns from until =
  Made.apart ~tid:n ~cat:"blocked" ~id
    ~args:(Made.of_worker n [ ("blocked_ns", `Int ns) ])
    "blocked" from until

let no_processor n ~id ~ns from until =
  Made.apart ~tid:n ~cat:"blocked" ~id ~args:[ ("waited_ns", `Int ns) ] "no processor" from until

let request n ~id from until = Made.apart ~tid:n ~cat:"region" ~id "request" from until

(* Two workers serve requests of 1 ms for a second. One takes 51 ms; the look before it was 0.4 ms earlier. *)
let served more =
  let of_worker n =
    List.concat
      (List.init 990 (fun i ->
           if n = 0 && i >= 400 && i < 451 then []
           else
             [
               request n ~id:(Printf.sprintf "%d.%d" n i) (ms (float_of_int i)) (ms (float_of_int i) +. 990.);
             ]))
  in
  Made.weft
    (Made.names
    @ [ Made.job 0 0. (ms 1000.); Made.job 1 0. (ms 1000.); request 0 ~id:"slow" (ms 400.) (ms 451.) ]
    @ of_worker 0 @ of_worker 1 @ more)

let stall = blocked 0 ~id:"s" ~ns:50_061_000 (ms 399.6) (ms 451.)
let blames text = List.mem "blocked_in_fiber" (kinds text)

let blocked_fiber () =
  Alcotest.check texts "which worker, when, in which region"
    [
      "A fiber blocked worker 0 at 400 ms for 50.1 ms, in region `request`: 1 of 1,930 took 51.0 ms (median \
       990 us).";
    ]
    (said (served [ stall ]));
  let d = List.hd (analyse (served [ stall ])).diagnoses in
  Alcotest.(check bool) "where to look" true (d.place = Some (399_600_000, 451_000_000));
  Alcotest.check texts "several"
    [
      "Fibers blocked their workers 2 times, for 80.1 ms in all, in region `request`; the longest, worker 0 \
       at 400 ms, for 50.1 ms: 1 of 1,930 took 51.0 ms (median 990 us).";
    ]
    (said (served [ stall; blocked 1 ~id:"t" ~ns:30_000_000 (ms 500.) (ms 500.9) ]))

(* Worker 1 has retired on row 1, and returned on row 2, where worker 2 was before. *)
let who_returned () =
  let text =
    Made.weft
      ((Made.name 2 "worker 2 of default" :: Made.names)
      @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 10.); Made.job 2 0. (ms 10.) ]
      @ [
          Made.span ~args:(Made.of_worker 1 []) ~tid:2 ~cat:"job" "job" (ms 20.) (ms 100.);
          Made.apart ~tid:2 ~cat:"blocked" ~id:"s"
            ~args:(Made.of_worker 1 [ ("blocked_ns", `Int 50_000_000) ])
            "blocked" (ms 30.) (ms 81.);
        ])
  in
  let blamed (d : Finding.t) = if d.kind = Blocked_in_fiber then d.worker else None in
  Alcotest.(check (list string))
    "who was there" [ "worker 1" ]
    (List.filter_map blamed (analyse text).diagnoses)

(* A row other than the first of its ring: regions end on the ring's. *)
let region_of_a_second_row () =
  let text =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.name 1001 "worker 3 of default" ]
      @ [
          Made.span ~args:(Made.of_worker 3 []) ~tid:1001 ~cat:"job" "job" 0. (ms 100.);
          Made.apart ~tid:1 ~cat:"region" ~id:"r" "here" (ms 30.) (ms 81.);
          Made.apart ~tid:1001 ~cat:"blocked" ~id:"s"
            ~args:(Made.of_worker 3 [ ("blocked_ns", `Int 50_000_000) ])
            "blocked" (ms 30.) (ms 81.);
        ])
  in
  let region (d : Finding.t) = if d.kind = Blocked_in_fiber then d.region else None in
  Alcotest.(check (list string)) "its region" [ "here" ] (List.filter_map region (analyse text).diagnoses)

(* {1 Long traces} *)

let loaded text = Made.in_file text @@ fun path -> Result.get_ok (Trace.load path)

(* How many bytes it takes to judge a trace. *)
let bytes_of trace =
  let before = Gc.allocated_bytes () in
  ignore (Analysis.of_trace ~file:"" trace : Analysis.t);
  Gc.allocated_bytes () -. before

let long_traces () =
  let bytes n = bytes_of (loaded (many_objects n)) in
  let ratio = bytes 2000 /. bytes 500 in
  if ratio > 6. then Alcotest.failf "four times as many locks take %.1f times as much" ratio

(* The longest stall is not in the longest call. *)
let one_finding_for_both () =
  Alcotest.check texts "both at once"
    [
      "Fibers blocked their workers 2 times, for 110 ms in all, in region `request`; the longest, worker 1 \
       at 499 ms, for 60.0 ms: 1 of 1,930 took 51.0 ms (median 990 us).";
    ]
    (said (served [ stall; blocked 1 ~id:"t" ~ns:60_000_000 (ms 499.) (ms 500.9) ]))

let no_blame () =
  let not_said what more = Alcotest.(check bool) what false (blames (served more)) in
  not_said "a few milliseconds" [ blocked 0 ~id:"s" ~ns:4_000_000 (ms 399.6) (ms 451.) ];
  not_said "a collection, in which it waited for another domain"
    [ stall; Made.gc 0 "stw_handler" (ms 400.5) (ms 450.) ];
  not_said "a domain was started" [ stall; Made.event "i" ~tid:2 ~cat:"worker" "domain spawn" (ms 420.) [] ];
  not_said "another worker may have held a lock, and had no processor"
    [ stall; no_processor 1 ~id:"n" ~ns:48_000_000 (ms 401.) (ms 450.) ];
  Alcotest.(check bool)
    "if it had one before long, it is" true
    (blames (served [ stall; no_processor 1 ~id:"n" ~ns:40_000_000 (ms 401.) (ms 445.) ]));
  not_said "events were lost meanwhile" [ stall; Made.gap 1 ~lost:3 (ms 440.) (ms 441.) ];
  let busy = Made.disturbed ~cpu:1_500_000. ~waiting:400_000. in
  Alcotest.(check bool) "on a busy machine, if long" true (blames (busy (served [ stall ])));
  Alcotest.(check bool)
    "but not if it may be the machine's doing" false
    (blames (busy (served [ blocked 0 ~id:"s" ~ns:20_000_000 (ms 399.6) (ms 451.) ])))

(* {1 Outliers} *)

let outliers text = List.filter (fun (d : Finding.t) -> d.kind = Outlier) (analyse text).diagnoses
let texts_of found = List.map (fun (d : Finding.t) -> d.text) found

let outlier () =
  Alcotest.check texts "how many of how many, and when"
    [ "Region `request`: 1 of 1,930 took 51.0 ms (median 990 us), at 400 ms." ]
    (said (served []));
  Alcotest.(check bool)
    "where to look" true
    ((List.hd (outliers (served []))).place = Some (400_000_000, 451_000_000));
  Alcotest.check texts "several"
    [ "Region `request`: 2 of 1,931 took up to 51.0 ms (median 990 us), at 400 ms." ]
    (texts_of (outliers (served [ request 1 ~id:"other" (ms 700.) (ms 720.) ])))

let one_outlier_for_a_cause () =
  let outer i =
    let from = if i = 40 then ms 399. else ms (float_of_int (10 * i)) in
    let until = if i = 40 then ms 460. else ms (float_of_int ((10 * i) + 1)) in
    Made.apart ~tid:1 ~cat:"region" ~id:(Printf.sprintf "o%d" i) "outer" from until
  in
  Alcotest.(check (list (option string)))
    "not the region around it" [ Some "request" ]
    (List.map (fun (d : Finding.t) -> d.region) (outliers (served (List.init 99 outer))));
  let named n i =
    let from = ms (float_of_int (9 * i)) in
    let length = if i = n then 50. +. float_of_int n else 0.9 in
    Made.apart ~tid:1 ~cat:"region" ~id:(Printf.sprintf "n%d.%d" n i) (string_of_int n) from
      (from +. ms length)
  in
  let all = List.concat (List.init 30 (fun n -> List.init 99 (named (3 * n)))) in
  Alcotest.(check int) "three at most" 3 (List.length (outliers (served all)))

let no_outlier () =
  let none what text = Alcotest.check texts what [] (texts_of (outliers text)) in
  none "workers had no processor" (served [ no_processor 0 ~id:"n" ~ns:45_000_000 (ms 400.) (ms 451.) ]);
  none "events were lost meanwhile" (served [ Made.gap 1 ~lost:3 (ms 440.) (ms 441.) ]);
  none "on a busy machine, below 30 ms"
    (Made.disturbed ~cpu:1_500_000. ~waiting:400_000.
       (Made.weft
          (Made.names
          @ [ Made.job 0 0. (ms 1000.); Made.job 1 0. (ms 1000.) ]
          @ List.init 900 (fun i ->
                let from = ms (float_of_int i) in
                request 0 ~id:(string_of_int i) from (from +. ms (if i = 300 then 25. else 0.9))))));
  (* Of 400 calls, each takes a hundredth longer than the one before. *)
  let growing i =
    let from = ms (2. *. float_of_int i) in
    request 0 ~id:(string_of_int i) from (from +. (100. *. (1.02 ** float_of_int i)))
  in
  none "durations that differ, but of which none is alone"
    (Made.weft (Made.names @ [ Made.job 0 0. (ms 1000.); Made.job 1 0. (ms 1000.) ] @ List.init 400 growing));
  none "too few calls"
    (Made.weft
       (Made.names
       @ [ Made.job 0 0. (ms 1000.); Made.job 1 0. (ms 1000.) ]
       @ List.init 19 (fun i ->
             let from = ms (50. *. float_of_int i) in
             request 0 ~id:(string_of_int i) from (from +. ms (if i = 3 then 45. else 1.)))))

(* {1 The world outside} *)

let wait ~id ~cat name from until =
  Made.apart ~tid:0 ~cat ~id ~args:(if cat = "channel" then [ ("object", `Int 2) ] else []) name from until

(* Requests come every 10 ms and take [busy] ms. Meanwhile worker 1 and a receiver wait. *)
let server ~busy ~source =
  let turn i =
    let at = ms (10. *. float_of_int i) in
    let until = at +. ms 10. and id = string_of_int i in
    [ Made.job 0 at (at +. ms busy); Made.park 0 (at +. ms busy) until; Made.park 1 at until ]
    @ [ wait ~id:("c" ^ id) ~cat:"channel" "Weft.Chan.recv" at until ]
    @ [ Made.apart ~tid:0 ~cat:"region" ~id:("q" ^ id) "handle" at (at +. ms busy) ]
    @ source ~id at until
  in
  Made.weft (Made.names @ List.concat (List.init 10 turn))

let sleeps ~id at until = [ wait ~id:("s" ^ id) ~cat:"suspend" "Weft.sleep" (at +. 10.) until ]
let reads ~id at until = [ wait ~id:("r" ^ id) ~cat:"suspend" "Weft_unix.read" (at +. 10.) until ]
let nothing ~id:_ _ _ = []

(* Two workers with 2,000 tasks of 7 us, of which one steals some: each search takes 10 us. *)
let short_tasks ~at_hand =
  let args n = Made.of_worker 1 (("found", `Bool true) :: (if n > 0 then [ ("at_hand", `Int n) ] else [])) in
  let turn i =
    let at = 20. *. float_of_int i in
    [
      Made.span ~args:(args at_hand) ~tid:1 ~cat:"search" "search" at (at +. 12.);
      Made.job 1 ~args:[ ("from", `String "stolen"); ("victim", `Int 0) ] (at +. 12.) (at +. 20.);
    ]
  in
  Made.weft (Made.names @ [ Made.job 0 0. (ms 20.) ] @ List.concat (List.init 1000 turn))

let dear_steals () =
  let d = List.hd (analyse (short_tasks ~at_hand:300)).diagnoses in
  Alcotest.(check string)
    "what it cost, and for what"
    "worker 1 idle 60 % of the time, for 60 % of the time in search of a job although other workers had some \
     (300 on average). A steal took 12.0 us, and what was stolen 8.00 us (medians)."
    d.text;
  Alcotest.check texts "nothing else" [ "steals_too_dear" ] (kinds (short_tasks ~at_hand:300));
  Alcotest.check texts "where there was nothing to steal" [ "too_little_parallelism" ]
    (kinds (short_tasks ~at_hand:0))

(* A worker that looks for work, but whose thread has no processor, is not idle. *)
let no_processor_is_not_idle () =
  let searching ~ns =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 40.); Made.search 1 (ms 40.) (ms 90.) ]
      @ [ Made.job 1 (ms 90.) (ms 100.); no_processor 1 ~id:"n" ~ns (ms 41.) (ms 90.) ])
  in
  Alcotest.check texts "most of the time" [ "balanced" ] (kinds (searching ~ns:40_000_000));
  Alcotest.check texts "a part of it" [ "too_little_parallelism" ] (kinds (searching ~ns:10_000_000))

(* Nor is anything said of one that has nothing to do on a busy machine: Weft lets fewer workers work there. *)
let busy_machine () =
  let busy = Made.disturbed ~processors:2 ~cpu:140_000. ~waiting:30_000. in
  let alone = [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 10.); Made.park 1 (ms 10.) (ms 100.) ] in
  Alcotest.check texts "only that it is busy" [ "machine_busy" ]
    (kinds (busy (Made.weft (Made.names @ alone))));
  let less_busy = Made.disturbed ~processors:2 ~cpu:100_000. ~waiting:10_500. in
  Alcotest.check texts "or that nothing is judged, if it is less busy"
    [
      "Nothing to mend: the workers ran the program's code for 55 % of the time. The machine was busy with \
       other programs: so idleness without a known cause is not judged.";
    ]
    (said (less_busy (Made.weft (Made.names @ alone))));
  let outside =
    [
      Made.job 0 0. (ms 40.);
      Made.job 1 0. (ms 40.);
      Made.park 1 (ms 40.) (ms 90.);
      Made.job 0 (ms 90.) (ms 100.);
    ]
  in
  Alcotest.(check bool)
    "what runs outside the pool does so on any machine" true
    (List.mem "too_little_parallelism" (kinds (busy (Made.weft (Made.names @ outside)))))

let idle_server () =
  let is_idle what text = Alcotest.check texts what [ "balanced" ] (kinds text) in
  is_idle "a timer makes the requests" (server ~busy:0.5 ~source:sleeps);
  is_idle "they come from a socket" (server ~busy:6. ~source:reads);
  let starves what text = Alcotest.(check bool) what true (List.mem "channel_waits" (kinds text)) in
  starves "who sends is slow" (server ~busy:9.9 ~source:nothing);
  starves "a fiber that sleeps beside a slow sender is no excuse" (server ~busy:9.9 ~source:sleeps)

(* 100 ms on two processors; the tracer had 30 ms, and the program's threads waited for 40 ms. *)
let tracer () =
  let traced tracer =
    Made.disturbed ~processors:2 ~cpu:160_000. ~waiting:40_000.
      (Made.weft ?tracer
         (Made.names @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 100.) ] @ Made.of_two_processors))
  in
  Alcotest.check texts "without the tracer, others would have had the processors"
    [
      "The program's threads waited for a processor for 20 % of the time in which they could have run: other \
       programs had it.";
    ]
    (said (traced None));
  Alcotest.check texts "the tracer had them, and it is said"
    [ "weft trace itself took 15 % of the processors' time (30.0 ms)." ]
    (said (traced (Some (30_000_000, 100_000_000))))

(* Two looks within a moment, at the end: from these, it would have had hours. *)
let few_samples () =
  let sample at cpu = Made.counter "process" ~id:"0" [ ("cpu_us", cpu); ("waiting_us", cpu) ] at in
  let text until =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 100.) ]
      @ [ sample (ms 90.) 1000.; sample until 1100. ])
  in
  let cpu until = Option.map (fun (p : Activity.process) -> p.cpu) (analyse (text until)).process in
  let check what until = Alcotest.(check (option int)) what None (cpu until) in
  check "at the same time" (ms 90.);
  check "within 10 us" (ms 90. +. 10.);
  Alcotest.check texts "nobody is blamed" [ "balanced" ] (kinds (text (ms 90. +. 10.)));
  Alcotest.(check (option int)) "a tenth is enough" (Some 1_000_000) (cpu (ms 100.))

let empty_seat () =
  let text =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 10.); Made.event "i" ~tid:0 ~cat:"worker" "leave" (ms 10.) (Made.of_worker 0 []) ]
      @ [ Made.job 1 0. (ms 100.) ])
  in
  Alcotest.check texts "a caller that is away is no idle worker" [ "balanced" ] (kinds text);
  Alcotest.(check int) "but away" 90_000_000 (Workers.time_in (analyse text).workers.(0) Away)

(* {1 Advice} *)

(* Minor collections take most of the time, and of what they see, so many bytes in 2 MiB survive. *)
let collecting ~survives =
  let both f = f 0 @ f 1 in
  let counters name bytes =
    List.init 100 (fun i -> Made.counter name ~id:"0" [ ("bytes", bytes) ] (ms (float_of_int i) +. 960.))
  in
  Made.weft
    (Made.names
    @ both (fun n -> [ Made.job n 0. (ms 100.) ])
    @ both (fun n ->
          List.init 100 (fun i ->
              Made.gc n "minor" (ms (float_of_int i) +. 310.) (ms (float_of_int i) +. 950.)))
    @ counters "minor_promoted" survives @ counters "minor_allocated" 2097152.)

let minor_heap_advice () =
  let advice survives = (List.hd (analyse (collecting ~survives)).diagnoses).advice in
  Alcotest.(check string)
    "much survives"
    "Too much survives for a larger minor heap to help: keep less alive while you allocate (drop it before \
     the fork, not after), or allocate less."
    (advice 440_000.);
  Alcotest.(check string)
    "little survives"
    "Collect less often: a larger minor heap (OCAMLRUNPARAM=s=2M, in words per domain, or Weft.run \
     ~minor_heap), of which little survives: try it, and measure. Then allocate less."
    (advice 20_000.)

let () =
  Alcotest.run
    ~argv:[| "test_text"; "--compact"; "--show-errors" |]
    "report in words"
    [
      ( "losses",
        [
          case "lost events come first, and blame nobody" losses_first;
          case "damaged rings come first, and blame nobody" damage_first;
          case "lost events come first in files of older versions" older_files;
          case "a worker is not idle in a gap" no_idleness_from_a_gap;
          case "what is left beside losses is judged" the_rest_is_judged;
          case "what may have its cause in what was lost is not judged" no_verdict_without_a_cause;
          case "if too little is left, nothing is judged" too_little_left;
        ] );
      ( "blocked threads",
        [
          case "a fiber that blocks its worker: which, when, where" blocked_fiber;
          case "what a blocked thread did to the region's calls is said with it" one_finding_for_both;
          case "what has another reason is not blamed on a blocked thread" no_blame;
          case "a worker that has returned elsewhere" who_returned;
          case "two workers in one domain" region_of_a_second_row;
        ] );
      ( "outliers",
        [
          case "a region of which one call took far longer" outlier;
          case "one finding for a cause, three at most" one_outlier_for_a_cause;
          case "what is no outlier, or may be the machine's doing" no_outlier;
        ] );
      ( "steals",
        [
          case "steals that cost more than the task" dear_steals;
          case "a worker whose thread has no processor is not idle" no_processor_is_not_idle;
          case "a worker on a busy machine is not idle" busy_machine;
        ] );
      ( "the world outside",
        [
          case "a server that waits for requests has no finding" idle_server;
          case "the seat of a caller that is away" empty_seat;
          case "the tracer counts itself" tracer;
          case "the processor time of a moment says nothing of the whole" few_samples;
        ] );
      ("advice", [ case "a larger minor heap only where little survives" minor_heap_advice ]);
      ("causes", [ case "one finding for a cause" one_cause; case "ten findings at most" ten_causes ]);
      ("many locks", [ case "locks that cost much together" none_of_many ]);
      ("long traces", [ case "traces with many locks take as much as they are long" long_traces ]);
    ]
