(* The sums of weft live: of what workers do, of waits, of samples. *)

open Weft_live
module Wire = Weft_trace.Wire

let case name f = Testing.Watchdog.case name f

(* {1 Workers} *)

let ms = 1_000_000

let step meter ring time move =
  Meter.step meter ~ring ~time:(time * ms) { Wire.worker = ring; jobs = 1; at_hand = 0; move }

let runs : Wire.move = Runs { origin = Own; resumed = false }
let stolen : Wire.move = Runs { origin = Stolen 0; resumed = false }

let shares () =
  let meter = Meter.create ~started:0 in
  let joined worker : Wire.note =
    Joined { worker; index = worker; forks = 10; pool = "default"; returned = false }
  in
  List.iter (fun ring -> Meter.note meter ~ring ~time:0 (joined ring)) [ 0; 1 ];
  step meter 0 0 runs;
  step meter 1 0 Searches;
  step meter 1 10 stolen;
  Meter.phase_begins meter ~ring:1 ~time:(20 * ms) "stw_handler";
  Meter.phase_begins meter ~ring:1 ~time:(21 * ms) "minor";
  Meter.phase_ends meter ~ring:1 ~time:(29 * ms) "minor";
  Meter.phase_ends meter ~ring:1 ~time:(30 * ms) "stw_handler";
  step meter 1 50 Parks;
  Meter.phase_begins meter ~ring:1 ~time:(60 * ms) "minor";
  Meter.phase_ends meter ~ring:1 ~time:(70 * ms) "minor";
  let shown (s : Sample.t) =
    List.map
      (fun (w : Sample.worker) ->
        List.map
          (fun x -> Float.to_int (Float.round (100. *. x)))
          [ w.running; w.collecting; w.searching; w.parked ])
      s.workers
  in
  let s = Meter.sample meter ~now:(100 * ms) in
  Alcotest.(check (list (list int)))
    "running, collecting, searching, parked"
    [ [ 100; 0; 0; 0 ]; [ 30; 10; 10; 50 ] ]
    (shown s);
  Alcotest.(check (float 0.1)) "steals per second" 10. s.steals;
  Alcotest.(check (float 0.1)) "parks per second" 10. s.parks;
  Alcotest.(check (option (float 0.1))) "forks per second" (Some 200.) s.forks;
  let s = Meter.sample meter ~now:(200 * ms) in
  Alcotest.(check (list (list int)))
    "a job that goes on shows"
    [ [ 100; 0; 0; 0 ]; [ 0; 0; 0; 100 ] ]
    (shown s);
  Alcotest.(check (option (float 0.1))) "forks were not told again" None s.forks;
  Meter.note meter ~ring:1 ~time:(200 * ms)
    (Left { worker = 1; index = 1; forks = 30; pool = "default"; retired = true; jobs = 0 });
  let s = Meter.sample meter ~now:(300 * ms) in
  Alcotest.(check (list (list int)))
    "a worker that has left does nothing"
    [ [ 100; 0; 0; 0 ]; [ 0; 0; 0; 0 ] ]
    (shown s);
  Alcotest.(check (option (float 0.1))) "since they were told last" (Some 100.) s.forks

(* A worker whose join event was lost has a number; its pool does not count as another one. *)
let unknown () =
  let meter = Meter.create ~started:0 in
  Meter.note meter ~ring:0 ~time:0
    (Joined { worker = 0; index = 0; forks = 0; pool = "default"; returned = false });
  step meter 0 0 runs;
  step meter 5 0 runs;
  let s = Meter.sample meter ~now:(100 * ms) in
  Alcotest.(check (list string))
    "names" [ "worker 0"; "worker number 5" ]
    (List.sort compare (List.map (fun (w : Sample.worker) -> w.name) s.workers))

(* {1 Waits} *)

let begins meter ?(ring = 0) time id what about =
  Meter.note meter ~ring ~time:(time * ms) (Wait_begins { id; what; about; name = ""; fiber = 0; place = 0 })

let ends meter ?(ring = 0) time id = Meter.ended meter ~ring ~time:(time * ms) Wait id

let check_places what expected found =
  let shaped = List.map (fun (what, about, n, longest, total) -> ((what, about), (n, longest, total))) in
  let places = List.map (fun (p : Waits.place) -> (p.what, p.about, p.waits, p.longest / ms, p.total / ms)) in
  Alcotest.(check (list (pair (pair string int) (triple int int int))))
    what (shaped expected)
    (shaped (places found))

let all meter = Meter.waits meter ~most:2_000
let waiting meter ~now = (Meter.sample meter ~now:(now * ms)).waiting

let waits () =
  let meter = Meter.create ~started:0 in
  let begins = begins meter ~ring:0 and ends = ends meter ~ring:0 in
  begins 0 1 "lock" 3;
  begins 10 2 "lock" 3;
  begins 20 3 "recv" 4;
  ends 50 3;
  let s = Meter.sample meter ~now:(100 * ms) in
  check_places "those that go on" [ ("lock", 3, 2, 100, 190) ] s.waiting;
  check_places "all" [ ("lock", 3, 2, 100, 190); ("recv", 4, 1, 30, 30) ] (all meter);
  check_places "the longest" [ ("lock", 3, 2, 100, 190) ] (Meter.waits meter ~most:1)

(* Rings are read one after the other. *)
let ends_first () =
  let meter = Meter.create ~started:0 in
  ends meter ~ring:0 50 1;
  begins meter ~ring:1 20 1 "recv" 4;
  check_places "in one sweep" [] (waiting meter ~now:100);
  check_places "it has ended" [ ("recv", 4, 1, 30, 30) ] (all meter);
  ends meter ~ring:0 150 2;
  Meter.swept meter;
  begins meter ~ring:1 110 2 "recv" 4;
  check_places "in the next one" [ ("recv", 4, 2, 40, 70) ] (all meter);
  ends meter ~ring:0 170 3;
  Meter.swept meter;
  Meter.swept meter;
  begins meter ~ring:1 160 3 "recv" 4;
  check_places "later it is no end of this" [ ("recv", 4, 1, 40, 40) ] (waiting meter ~now:200)

(* What a ring has lost may contain the end of a wait that began in another one, but only before the end of
   the loss. *)
let waits_and_losses () =
  let meter = Meter.create ~started:0 in
  begins meter ~ring:0 10 1 "early" 1;
  begins meter ~ring:1 20 2 "early" 2;
  begins meter ~ring:0 60 3 "late" 3;
  Meter.lost meter ~ring:1 8;
  Meter.phase_begins meter ~ring:1 ~time:(50 * ms) "minor";
  (* This ring is read after the one that has lost something. *)
  begins meter ~ring:2 40 5 "early" 5;
  begins meter ~ring:1 70 4 "late" 4;
  check_places "those since the loss"
    [ ("late", 3, 1, 40, 40); ("late", 4, 1, 30, 30) ]
    (waiting meter ~now:100);
  let s = Meter.sample meter ~now:(200 * ms) in
  Alcotest.(check int) "words" 8 s.lost

(* Of a process that runs already, the rings tell the past. *)
let past () =
  let meter = Meter.create ~started:(100 * ms) in
  let seen forks time : unit =
    Meter.note meter ~ring:0 ~time:(time * ms) (Seen { worker = 0; index = 0; forks; pool = "default" })
  in
  Meter.lost meter ~ring:0 900_000;
  seen 1_000_000 10;
  begins meter 20 1 "recv" 4;
  ends meter 30 1;
  begins meter 40 2 "recv" 5;
  step meter 0 50 runs;
  Meter.go_live meter ~now:(100 * ms);
  seen 1_000_100 150;
  let s = Meter.sample meter ~now:(200 * ms) in
  Alcotest.(check int) "what was overwritten is not lost" 0 s.lost;
  Alcotest.(check (float 0.1)) "its jobs do not count" 0. s.jobs;
  Alcotest.(check (option (float 0.1))) "nor do its forks" None s.forks;
  check_places "the wait that goes on" [ ("recv", 5, 1, 160, 160) ] s.waiting;
  check_places "and no other one" [ ("recv", 5, 1, 160, 160) ] (all meter);
  seen 1_000_200 250;
  let s = Meter.sample meter ~now:(300 * ms) in
  Alcotest.(check (option (float 0.1))) "forks since then" (Some 500.) s.forks

(* As a server makes them that has a channel for each request. *)
let many_objects () =
  let meter = Meter.create ~started:0 in
  let count = 100_000 in
  for i = 1 to count do
    begins meter i i "recv" i;
    ends meter (i + 1) i
  done;
  let places = all meter in
  Alcotest.(check int) "places" 1_001 (List.length places);
  Alcotest.(check int) "waits" count (List.fold_left (fun sum (p : Waits.place) -> sum + p.waits) 0 places);
  let others = List.find (fun (p : Waits.place) -> p.about = Waits.others) places in
  Alcotest.(check string) "the others" "recv (other objects)" (View.place others)

let summed_up () =
  let meter = Meter.create ~started:0 in
  Meter.note meter ~ring:0 ~time:0
    (Joined { worker = 0; index = 0; forks = 0; pool = "default"; returned = false });
  step meter 0 0 runs;
  let half = Meter.sample meter ~now:(100 * ms) in
  step meter 0 100 Parks;
  (* Another pool: both workers are called by its name from now on. *)
  Meter.note meter ~ring:1 ~time:(300 * ms)
    (Joined { worker = 1; index = 0; forks = 0; pool = "second"; returned = false });
  let rest = Meter.sample meter ~now:(400 * ms) in
  let summary = List.fold_left Summary.add Summary.empty [ half; rest ] in
  Alcotest.(check (list string))
    "the samples together"
    [
      "in 0.4 s: 2 jobs, 0 steals, 0 suspensions, 0 minor collections";
      "default 0 run 25 gc 0 search 0 park 75";
      "second 0 run 0 gc 0 search 25 park 0 absent 75";
      "the longest wait in Weft.Mutex.lock (account): 1.20 s (5,738 waits, 1,260 s in all)";
    ]
    (Summary.lines summary ~left:false
       ~waits:
         [
           {
             what = "Weft.Mutex.lock";
             about = 3;
             name = "account";
             waits = 5_738;
             longest = 1_200 * ms;
             total = 1_260_000 * ms;
           };
         ]);
  Alcotest.(check (list string))
    "the view was left before the end"
    [
      "in 0.1 s, until 'q': 1 job, 0 steals, 0 suspensions, 0 minor collections";
      "worker 0 run 100 gc 0 search 0 park 0";
    ]
    (Summary.lines (Summary.add Summary.empty half) ~left:true ~waits:[]);
  Alcotest.(check (list string)) "of nothing, nothing" [] (Summary.lines Summary.empty ~left:false ~waits:[])

let tests =
  [
    case "what workers do is added up" shares;
    case "a fiber that is not known is no other pool" unknown;
    case "waits that go on, and all" waits;
    case "the end of a wait is read before its beginning" ends_first;
    case "waits that began before a loss are not known" waits_and_losses;
    case "of the past, only what goes on" past;
    case "a channel for each request" many_objects;
    case "a summary adds the samples up" summed_up;
  ]
