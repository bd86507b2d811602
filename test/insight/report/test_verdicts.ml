(* What weft report once claimed though the trace did not show it, and what it did not say though it did. *)

open Made_traces
open Weft_report

let case name f = Testing.Watchdog.case name f
let ms = Made.ms

let analyse text =
  Made.in_file text @@ fun path ->
  match Trace.load path with
  | Ok trace -> Analysis.of_trace ~file:path trace
  | Error message -> Alcotest.fail message

let findings text = (analyse text).diagnoses
let kinds text = List.map (fun (d : Finding.t) -> Finding.kind_name d.kind) (findings text)
let texts = Alcotest.(list string)

(* {1 No worker has a job} *)

let looks_at_cpu all =
  List.map
    (fun (at, cpu) -> Made.counter "process" ~id:"0" [ ("cpu_us", ms cpu); ("waiting_us", 0.) ] (ms at))
    all

(* For 40 of 280 ms, no worker has a job. Meanwhile the process has the processor for [cpu] ms. *)
let starts_late ?cpu () =
  let looks = match cpu with None -> [] | Some cpu -> [ (0., 0.); (40., cpu); (280., cpu +. 480.) ] in
  Made.weft
    (Made.names
    @ [ Made.job 0 (ms 40.) (ms 280.); Made.job 1 (ms 40.) (ms 280.) ]
    @ looks_at_cpu looks
    @ [ Made.event "i" ~tid:0 ~cat:"worker" "join" 0. (Made.of_worker 0 []) ])

let nobody_has_a_job () =
  Alcotest.check texts "it waits for its start" [ "balanced" ] (kinds (starts_late ~cpu:3. ()));
  List.iter
    (fun (what, text, says) ->
      let d = List.hd (findings text) in
      Alcotest.(check string) what "too_little_parallelism" (Finding.kind_name d.kind);
      Alcotest.(check bool) d.text true (Testing.Text.contains says d.text);
      Alcotest.(check bool) d.advice true (String.starts_with ~prefix:"The program computes outside" d.advice))
    [
      ( "it computes",
        starts_late ~cpu:36. (),
        " For 14 % of the time the process computed although no worker had a job." );
      ("nobody knows what it does", starts_late (), " For 14 % of the time no worker had a job.");
    ];
  (* Of 100 ms, the caller sleeps in the middle; beside the workers, little is computed. *)
  let sleeps_between =
    let both f = f 0 @ f 1 in
    Made.weft
      (Made.names
      @ both (fun n -> [ Made.job n 0. (ms 40.); Made.job n (ms 70.) (ms 100.) ])
      @ looks_at_cpu [ (0., 0.); (50., 80.); (60., 80.5); (100., 142.) ])
  in
  Alcotest.check texts "it sleeps between its calls" [ "balanced" ] (kinds sleeps_between)

(* By turns a job of worker 0 and the program outside, 20 ms each, fifty times. A look sees [cpu] ms in 100 ms.
   Of each job, the thread was blocked for [blocked] ms and had no processor for [waiting] ms. *)
let by_turns ~cpu ?(blocked = 0) ?(waiting = 0) () =
  let turn i =
    let at = float_of_int (40 * i) in
    let stood name key length =
      if length = 0 then []
      else
        [
          Made.apart ~tid:0 ~cat:"blocked"
            ~id:(name ^ string_of_int i)
            ~args:(Made.of_worker 0 [ (key, `Int (length * 1_000_000)) ])
            name (ms at)
            (ms (at +. 20.));
        ]
    in
    Made.event "i" ~tid:0 ~cat:"worker" "join" (ms at) (Made.of_worker 0 [])
    :: Made.job 0 (ms at) (ms (at +. 20.))
    :: Made.event "i" ~tid:0 ~cat:"worker" "leave" (ms (at +. 20.)) (Made.of_worker 0 [])
    :: (stood "blocked" "blocked_ns" blocked @ stood "no processor" "waited_ns" waiting)
  in
  Made.weft
    (Made.names
    @ List.concat (List.init 50 turn)
    @ [ Made.park 1 0. (ms 2000.) ]
    @ looks_at_cpu (List.init 21 (fun i -> (float_of_int (100 * i), float_of_int i *. cpu))))

let a_job_that_uses_no_processor () =
  let rest text = List.find_opt (fun (d : Finding.t) -> d.kind = Too_little_parallelism) (findings text) in
  let computes what text =
    match rest text with
    | None -> Alcotest.failf "%s: nothing is found" what
    | Some d ->
        Alcotest.(check string)
          what
          "worker 1 idle 100 % of the time: on average 0.5 of 2 workers had work. For 50 % of the time the \
           process computed although no worker had a job. The longest time in which only one had work was \
           20.0 ms."
          d.text
  and share text =
    match Option.map (fun (d : Finding.t) -> List.assoc "outside_share_of_time" d.numbers) (rest text) with
    | Some (`Float share) -> share
    | _ -> Alcotest.fail "no share"
  in
  computes "jobs that compute" (by_turns ~cpu:100. ());
  computes "jobs that block" (by_turns ~cpu:50. ~blocked:20 ());
  computes "jobs without a processor" (by_turns ~cpu:50. ~waiting:20 ());
  computes "half and half" (by_turns ~cpu:75. ~blocked:6 ~waiting:4 ());
  Alcotest.(check (float 1e-3)) "jobs alone compute" 0. (share (by_turns ~cpu:50. ()));
  Alcotest.(check (float 1e-3)) "nothing computes" 0. (share (by_turns ~cpu:0. ~blocked:20 ()))

let rest_of text =
  match findings text with [ d ] -> d | all -> Alcotest.failf "%d findings" (List.length all)

let forks_enough () =
  let short = rest_of Made.short_loops and alone = rest_of Made.alone_at_last in
  let sequential = rest_of Made.sequential in
  Alcotest.check texts "kinds"
    [ "too_fine_grained"; "too_little_parallelism"; "too_little_parallelism" ]
    (List.map (fun (d : Finding.t) -> Finding.kind_name d.kind) [ short; alone; sequential ]);
  Alcotest.(check string)
    "how often"
    "worker 1 idle 100 % of the time: on average 1.0 of 2 workers had work, which forked every 833 ns while \
     a worker was idle (598,800 forks). The longest time in which only one had work was 4.99 ms."
    short.text;
  Testing.Text.check_contains "what is wrong" ~part:"too short for several domains" short.advice;
  Testing.Text.check_contains "it is found" ~part:"find what runs alone" alone.advice;
  let says_more (d : Finding.t) = Testing.Text.contains "fork more" d.advice in
  Alcotest.(check (list bool))
    "who must fork more" [ false; false; true ]
    (List.map says_more [ short; alone; sequential ])

(* What forks is not what is idle: sequential steps are between. *)
let rounds_of_steps () =
  let check what ~samples ~forks ~advice =
    let found = rest_of (Made.rounds ~samples) in
    Alcotest.(check string) what "too_little_parallelism" (Finding.kind_name found.kind);
    Alcotest.(check (option string)) (what ^ ": where") (Some "sequential") found.region;
    Alcotest.(check bool) (what ^ ": forks") true (List.assoc "forks" found.numbers = forks);
    Alcotest.(check bool) ("no forks are said: " ^ found.text) false (Testing.Text.contains "fork" found.text);
    Alcotest.(check string) (what ^ ": advice") advice found.advice
  in
  let fork_more = "There was nothing to steal: fork more (Weft.par, loops), or find what runs alone there." in
  check "told at each step" ~samples:`Steps ~forks:(`Int 0) ~advice:fork_more;
  check "told at the ends" ~samples:`Ends ~forks:`Null
    ~advice:
      (fork_more
     ^ " If these are loops and tasks of some microseconds, one after the other, put more in each.")

(* However seldom it is told. *)
let no_forks () =
  let forks at = Made.counter "forks" ~id:"0" [ ("forks", 0.) ] (ms at) in
  let found =
    rest_of
      (Made.weft
         (Made.names
         @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 50.); Made.park 1 (ms 50.) (ms 100.) ]
         @ [ forks 0.; forks 100. ]))
  in
  Alcotest.(check bool) "known" true (List.assoc "forks" found.numbers = `Int 0)

(* {1 Blocks} *)

(* In all, worker 1 is idle for longer. But while it runs the long block, worker 0 is. *)
let who_was_idle_beside_a_block () =
  let text =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 50.); Made.park 0 (ms 50.) (ms 90.); Made.job 0 (ms 90.) (ms 100.) ]
      @ [
          Made.park 1 0. (ms 45.);
          Made.job 1 (ms 45.) (ms 100.);
          Made.block 1 ~first:9 ~last:9 (ms 45.) (ms 90.);
        ])
  in
  let d = List.find (fun (d : Finding.t) -> d.kind = Long_block) (findings text) in
  Alcotest.(check string)
    "not who ran it"
    "worker 0 idle 40 % of the time: the last block took 45.0 ms (iteration 9 alone) on worker 1." d.text;
  Alcotest.(check (option string)) "in the figures, too" (Some "worker 0") d.worker

(* {1 Long calls} *)

(* 200 requests of 1 ms, but for one in which the fiber blocks its thread for 50 ms. Meanwhile another worker
   has no processor for 40 ms. *)
let blocked_beside_others () =
  let request i =
    let at = if i <= 100 then i else i + 50 in
    Made.apart ~tid:0 ~cat:"region" ~id:(string_of_int i) "request"
      (ms (float_of_int at))
      (ms (float_of_int (if i = 100 then 151 else at + 1)))
  in
  let stood name n key ns =
    Made.apart ~tid:n ~cat:"blocked" ~id:name
      ~args:(Made.of_worker n [ (key, `Int ns) ])
      name (ms 100.) (ms 151.)
  in
  let text =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 250.); Made.job 1 0. (ms 250.) ]
      @ List.init 200 request
      @ [ stood "blocked" 0 "blocked_ns" 50_000_000; stood "no processor" 1 "waited_ns" 40_000_000 ])
  in
  Alcotest.check texts "the call is named"
    [
      "A fiber blocked worker 0 at 100 ms for 50.0 ms, in region `request`: 1 of 200 took 51.0 ms (median \
       1.00 ms).";
    ]
    (List.map (fun (d : Finding.t) -> d.text) (findings text))

(* {1 The page} *)

let place text kind =
  match List.find_opt (fun (d : Finding.t) -> Finding.kind_name d.kind = kind) (findings text) with
  | Some d -> Option.map (fun (a, b) -> (a / 1_000_000, b / 1_000_000)) d.place
  | None -> Alcotest.failf "no %s" kind

(* Worker 1 has nothing to do from 10 to 30 ms and from 40 to 90 ms, and [events] happen meanwhile. *)
let rests events =
  Made.weft
    (Made.names
    @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 10.); Made.park 1 (ms 10.) (ms 30.) ]
    @ [ Made.job 1 (ms 30.) (ms 40.); Made.park 1 (ms 40.) (ms 90.); Made.job 1 (ms 90.) (ms 100.) ]
    @ events)

let waits ~cat name =
  let wait ~id = Made.apart ~tid:0 ~cat ~id ~args:[ ("object", `Int 7) ] name in
  rests [ wait ~id:"1" (ms 5.) (ms 30.); wait ~id:"2" (ms 50.) (ms 95.) ]

(* Searches while others have jobs: of 100 us each, but for one of 90 us. *)
let searches =
  let args = Made.of_worker 1 [ ("found", `Bool true); ("at_hand", `Int 9) ] in
  let search i =
    let at = ms (0.5 *. float_of_int i) in
    let until = at +. if i = 80 then 100. else 90. in
    [ Made.span ~args ~tid:1 ~cat:"search" "search" at until; Made.job 1 until (at +. 500.) ]
  in
  Made.weft (Made.names @ [ Made.job 0 0. (ms 100.) ] @ List.concat (List.init 200 search))

let places () =
  let is what expected kind text =
    Alcotest.(check (option (pair int int))) what (Some expected) (place text kind)
  in
  let lasts = (50, 90) in
  is "a lock" lasts "lock_contention" (waits ~cat:"lock" "Weft.Mutex.lock");
  is "a channel" lasts "channel_waits" (waits ~cat:"channel" "Weft.Chan.recv");
  is "blocking calls" lasts "blocking_calls"
    (rests
       [
         Made.apart ~tid:0 ~cat:"blocking" ~id:"1" ~args:[] "blocking" (ms 5.) (ms 30.);
         Made.apart ~tid:0 ~cat:"blocking" ~id:"2" ~args:[] "blocking" (ms 50.) (ms 95.);
       ]);
  is "steals" (40, 40) "steals_too_dear" searches;
  is "nothing to do" (40, 90) "too_little_parallelism" (rests []);
  is "nobody at work" (50, 150) "too_little_parallelism" Made.outside

let stood name ~id from until =
  Made.apart ~tid:0 ~cat:"blocked" ~id name from until ~args:(Made.of_worker 0 [])

let rows_of_blocked_threads () =
  let text =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 100.) ]
      @ [ stood "blocked" ~id:"1" (ms 10.) (ms 20.); stood "no processor" ~id:"2" (ms 30.) (ms 50.) ])
  in
  let shown (row : Layout.row) =
    match row.lanes with
    | [| [| item |] |] -> Some (row.label, Weft_events.Category.name item.category, item.start / 1_000_000)
    | _ -> None
  in
  let waits = List.filter (fun (row : Layout.row) -> row.group = "wait") (Layout.rows (analyse text).trace) in
  Alcotest.(check (list (triple string string int)))
    "each has its row and its colour"
    [ ("blocked workers", "blocked", 10); ("no processor", "no processor", 30) ]
    (List.filter_map shown waits)

let () =
  Alcotest.run
    ~argv:[| "test_verdicts"; "--compact"; "--show-errors" |]
    "verdicts"
    [
      ( "idleness",
        [
          case "that no worker has a job is the program's doing only if it computes" nobody_has_a_job;
          case "what a job does without a processor hides nothing" a_job_that_uses_no_processor;
          case "a program of short loops is not told to fork more" forks_enough;
          case "steps that fork and steps that do not are told apart" rounds_of_steps;
          case "that nothing forks is known" no_forks;
        ] );
      ("blocks", [ case "who is idle beside a long block does not run it" who_was_idle_beside_a_block ]);
      ("long calls", [ case "what blocked a thread is no excuse of others" blocked_beside_others ]);
      ( "page",
        [
          case "idleness with a cause has a moment at which to look" places;
          case "a worker without a processor is not shown as blocked" rows_of_blocked_threads;
        ] );
    ]
