open Weft_insight_trace
module Wire = Weft_trace.Wire

(* Each test tells a timeline the contents of rings, and checks the events. *)
let told ?(from = 0) ?(live = true) f =
  let events = ref [] in
  let t = Timeline.create ~from ~live (fun e -> events := e :: !events) in
  f t;
  (t, List.rev !events)

let finished ?from f =
  told ?from (fun t ->
      f t;
      Timeline.finish t)

let of_category (category : Weft_events.Category.t) events =
  List.filter (fun (e : Event.t) -> e.category = category) events

let lengths events =
  List.map
    (fun (e : Event.t) ->
      match e.shape with Complete length -> (e.time, e.time + length) | _ -> (e.time, -1))
    events

let spans (category : Weft_events.Category.t) events = lengths (of_category category events)
let pairs = Alcotest.(list (pair int int))
let has name (e : Event.t) = List.mem_assoc name e.arguments
let argument name (e : Event.t) = List.assoc_opt name e.arguments

let runs ?(worker = 0) ?(jobs = 0) ?(origin = Wire.Own) () =
  { Wire.worker; jobs; at_hand = 0; move = Runs { origin; resumed = false } }

let does ?(worker = 0) ?(jobs = 0) ?(at_hand = 0) move = { Wire.worker; jobs; at_hand; move }

let join ?(worker = 0) ?(pool = "p") () =
  Wire.Joined { worker; index = worker; forks = 0; pool; returned = false }

let test_one_thing_after_the_other () =
  let _, events =
    finished (fun t ->
        Timeline.note t 0 5 (join ());
        Timeline.step t 0 10 (runs ());
        Timeline.step t 0 20 (runs ~jobs:1 ());
        Timeline.step t 0 35 (does ~jobs:7 ~at_hand:12 Searches);
        Timeline.step t 0 40 (does Parks);
        Timeline.step t 0 50 (does Unparked);
        Timeline.step t 0 55 (does Searches);
        Timeline.step t 0 60 (runs ~origin:(Stolen 1) ());
        Timeline.step t 0 70 (does ~jobs:1 Parks);
        Timeline.step t 0 80 (does Unparked))
  in
  Alcotest.check pairs "jobs" [ (10, 20); (20, 35); (60, 70) ] (spans Job events);
  Alcotest.check pairs "searches" [ (35, 40); (55, 60) ] (spans Search events);
  Alcotest.check pairs "sleeps" [ (40, 50); (70, 80) ] (spans Park events);
  Alcotest.(check (list bool))
    "what searches found" [ false; true ]
    (List.map (fun e -> argument "found" e = Some (Bool true)) (of_category Search events));
  Alcotest.(check bool)
    "and what there was" true
    (argument "at_hand" (List.hd (of_category Search events)) = Some (Int 12)
    && not (has "at_hand" (List.nth (of_category Search events) 1)));
  Alcotest.(check bool)
    "seven jobs in one" true
    (argument "jobs" (List.nth (of_category Job events) 1) = Some (Int 7));
  match of_category Steal events with
  | [ steal ] ->
      Alcotest.(check int) "when" 60 steal.time;
      Alcotest.(check bool)
        "from whom, who has not joined" true
        (argument "victim_number" steal = Some (Int 1))
  | _ -> Alcotest.fail "one theft"

let test_ends_in_another_ring () =
  let begins = Wire.Region_begins { id = 9; fiber = 0; name = "r" } in
  let check what events =
    match of_category Region events with
    | [
     ({ shape = Begin a; track = 0; time = 10; _ } as b); { shape = End c; track = 1; time = 30; name; _ };
    ] ->
        Alcotest.(check int) what a c;
        Alcotest.(check string) what b.name name
    | _ -> Alcotest.fail what
  in
  check "in order"
    (snd
       (finished (fun t ->
            Timeline.note t 0 10 begins;
            Timeline.ended t 1 30 Region 9)));
  let t, events =
    finished (fun t ->
        Timeline.ended t 1 30 Region 9;
        Timeline.swept t;
        Timeline.note t 0 10 begins;
        Timeline.swept t)
  in
  check "the end is read first" events;
  Alcotest.(check int) "nothing unmatched" 0 (Timeline.unmatched t)

let test_ends_without_beginning_are_counted () =
  let t, events =
    finished (fun t ->
        Timeline.ended t 1 30 Wait 9;
        Timeline.phase_ends t 0 40 "minor")
  in
  Alcotest.(check int) "unmatched" 2 (Timeline.unmatched t);
  Alcotest.(check int) "and not told" 0 (List.length events)

let test_what_has_not_ended () =
  let _, events =
    finished (fun t ->
        Timeline.step t 0 10 (runs ());
        Timeline.phase_begins t 0 20 "minor";
        Timeline.note t 0 25
          (Wait_begins { id = 1; about = 3; fiber = 0; place = 0; what = "Weft.Mutex.lock"; name = "" });
        Timeline.step t 1 50 (does ~worker:1 Searches))
  in
  Alcotest.check pairs "the job" [ (10, 50) ] (spans Job events);
  Alcotest.check pairs "the phase" [ (20, 50) ] (spans Gc events);
  (match of_category Lock events with
  | [ ({ shape = Begin _; time = 25; _ } as b); ({ shape = End _; time = 50; _ } as e) ] ->
      Alcotest.(check bool) "of this mutex" true (argument "object" b = Some (Int 3));
      Alcotest.(check bool) "unfinished" true (has "unfinished" e)
  | _ -> Alcotest.fail "the wait");
  List.iter
    (fun e -> Alcotest.(check bool) "unfinished" true (has "unfinished" e))
    (of_category Job events @ of_category Gc events)

let test_losses () =
  let t, events =
    finished (fun t ->
        Timeline.step t 0 10 (runs ());
        Timeline.phase_begins t 0 20 "minor";
        Timeline.lost t 0 300;
        Timeline.step t 0 90 (runs ());
        Timeline.step t 0 100 (does ~jobs:1 Parks))
  in
  (match of_category Job events with
  | [ before; after ] ->
      Alcotest.check pairs "nothing is claimed of the gap" [ (10, 20); (90, 100) ] (lengths [ before; after ]);
      Alcotest.(check (list bool))
        "unfinished" [ true; false ]
        (List.map (has "unfinished") [ before; after ])
  | _ -> Alcotest.fail "two jobs");
  (match Timeline.losses t with
  | [ (0, lost) ] ->
      Alcotest.(check int) "words" 300 lost.words;
      (* Of the events that were read, one had three words and one two. *)
      Alcotest.(check int) "events" 120 lost.events
  | _ -> Alcotest.fail "the losses of one ring");
  match of_category Trace events with
  | [ gap ] ->
      Alcotest.check pairs "the gap, from the last event to the next" [ (20, 90) ] (lengths [ gap ]);
      Alcotest.(check bool) "what it cost" true (argument "words" gap = Some (Int 300))
  | _ -> Alcotest.fail "one gap"

let ends events =
  List.filter_map
    (fun (e : Event.t) ->
      match e.shape with
      | End _ -> Some (argument "object" e, e.time, has "unfinished" e)
      | Complete _ | Instant | Begin _ | Counter _ | Flow_out _ | Flow_in _ -> None)
    (of_category Lock events)

(* A wait whose end is missing may have ended in any gap since: it counts as long as it certainly was. *)
let test_lost_ends () =
  let wait id =
    Wire.Wait_begins { id; about = 3; fiber = 0; place = 0; what = "Weft.Mutex.lock"; name = "" }
  in
  let read t ~damaged =
    List.iter (fun id -> Timeline.note t 0 (10 * id) (wait id)) [ 1; 2; 3 ];
    Timeline.step t 1 40 (runs ~worker:1 ());
    Timeline.lost t 1 300;
    Timeline.note t 0 50 (wait 5);
    if damaged then Timeline.damaged t
    else begin
      Timeline.step t 1 60 (does ~worker:1 Searches);
      Timeline.ended t 0 70 Wait 2;
      Timeline.note t 0 80 (wait 8);
      Timeline.step t 1 100 (does ~worker:1 Parks)
    end
  in
  let sorted events = List.sort compare (List.map (fun (_, time, cut) -> (time, cut)) (ends events)) in
  let list = Alcotest.(list (pair int bool)) in
  Alcotest.check list "until the gap, if they began before it ended; whole if the end was read"
    [ (40, true); (40, true); (50, true); (70, false); (100, true) ]
    (sorted (snd (finished (fun t -> read t ~damaged:false))));
  let _, events =
    finished (fun t ->
        read t ~damaged:true;
        Timeline.add t
          { time = 500; track = 0; category = Machine; name = "cpu"; shape = Counter 0; arguments = [] })
  in
  Alcotest.check list "damaged: nothing is known of any ring from its last event on"
    [ (40, true); (40, true); (40, true); (50, true) ]
    (sorted events);
  Alcotest.check pairs "to the end" [ (40, 500); (50, 500) ] (List.sort compare (spans Trace events))

let test_damaged_notes () =
  let t, events =
    finished (fun t ->
        Timeline.step t 0 10 (runs ());
        Timeline.note t 0 20 Unknown;
        Timeline.step t 0 30 (does ~jobs:1 Parks))
  in
  Alcotest.(check int)
    "one event" 1
    (List.fold_left (fun n (_, (l : Event.lost)) -> n + l.events) 0 (Timeline.losses t));
  Alcotest.check pairs "marked" [ (20, 20) ] (spans Trace events);
  Alcotest.check pairs "the job is whole" [ (10, 30) ] (spans Job events);
  let _, events =
    told ~from:15 ~live:false (fun t ->
        Timeline.note t 0 10 Unknown;
        Timeline.note t 0 20 Unknown;
        Timeline.go_live t;
        Timeline.finish t)
  in
  Alcotest.check pairs "not of what was before" [ (20, 20) ] (spans Trace events)

(* A span may end in a gap of any ring, also in one that has not ended. *)
let test_known_until () =
  let gaps = Gaps.create () in
  let known began = Gaps.known_until gaps began ~otherwise:100 in
  Gaps.lost gaps ~ring:0 ~from:10 ~words:3 ~events:1;
  Alcotest.(check (list int)) "while it is open" [ 10; 30 ] (List.map known [ 5; 30 ]);
  ignore (Gaps.read gaps ~ring:0 20 : Gaps.gap option);
  Alcotest.(check (list int)) "afterwards" [ 10; 15; 100 ] (List.map known [ 5; 15; 30 ])

(* Two workers in one domain: two threads that are in pools of their own. *)
let test_who_stood_still () =
  let _, events =
    finished (fun t ->
        Timeline.note t 0 5 (join ());
        Timeline.note t 0 6 (join ~worker:1 ~pool:"q" ());
        Timeline.step t 0 1000 (runs ());
        Timeline.step t 0 1010 (runs ~worker:1 ());
        Timeline.note t 0 2000 (Stood { worker = 1; blocked = 900; waited = 0; passed = 900; fiber = 0 }))
  in
  let blocked (e : Event.t) = e.category = Blocked && argument "blocked_ns" e <> None in
  let told (e : Event.t) = (e.track, argument "pool" e = Some (Event.Text "q")) in
  Alcotest.(check (list (pair int bool)))
    "on the row of that worker, under its name"
    [ (1000, true) ]
    (List.map told (List.filter blocked events))

(* A look covers what was before it, of which only the job's part counts. *)
let test_stood_still () =
  let stood ?(blocked = 0) ?(waited = 0) passed =
    Wire.Stood { worker = 0; blocked; waited; passed; fiber = 0 }
  in
  let _, events =
    finished (fun t ->
        Timeline.note t 0 5 (join ());
        Timeline.step t 0 1000 (runs ());
        Timeline.note t 0 2000 (stood ~blocked:700 1500);
        Timeline.note t 0 3000 (stood ~blocked:1 ~waited:2 900);
        Timeline.step t 0 4000 (does ~jobs:1 Searches);
        Timeline.note t 0 5000 (stood ~blocked:9 ~waited:8 100))
  in
  let told (e : Event.t) =
    let ns = function Some (Event.Int n) -> n | _ -> 0 in
    (e.time, ns (argument "blocked_ns" e), ns (argument "waited_ns" e))
  in
  Alcotest.(check (list (triple int int int)))
    "a worker without a job may be blocked"
    [
      (1000, 700, 0);
      (2000, 0, 0);
      (2100, 1, 0);
      (3000, 0, 0);
      (2100, 0, 2);
      (3000, 0, 0);
      (4900, 0, 8);
      (5000, 0, 0);
    ]
    (List.map told (of_category Blocked events));
  Alcotest.(check bool) "who" true (argument "worker" (List.hd (of_category Blocked events)) = Some (Int 0))

let test_two_workers_in_a_domain () =
  let t, events =
    finished (fun t ->
        Timeline.note t 0 1 (join ~worker:0 ~pool:"a" ());
        Timeline.step t 0 10 (runs ~worker:0 ());
        Timeline.note t 0 15 (join ~worker:5 ~pool:"b" ());
        Timeline.step t 0 20 (runs ~worker:5 ());
        Timeline.step t 0 30 (does ~worker:0 ~jobs:1 Parks);
        Timeline.step t 0 40 (does ~worker:5 ~jobs:1 Parks))
  in
  let tracks = List.map (fun (e : Event.t) -> (e.track, e.time)) (of_category Job events) in
  Alcotest.(check (list (pair int int))) "each in its row" [ (0, 10); (1000, 20) ] tracks;
  Alcotest.(check (list (pair int string)))
    "names"
    [ (0, "worker 0 of a"); (1000, "worker 5 of b") ]
    (Timeline.tracks t)

let test_a_worker_moves () =
  let _, events =
    finished (fun t ->
        Timeline.step t 1 10 (does ~worker:1 Parks);
        (* The worker has retired, which was not noted, and come back in another domain. *)
        Timeline.step t 2 50 (runs ~worker:1 ());
        Timeline.step t 2 60 (does ~worker:1 ~jobs:1 Parks))
  in
  match List.sort compare (List.map (fun (e : Event.t) -> (e.track, e.time)) (of_category Park events)) with
  | [ (1, 10); (2, 60) ] -> ()
  | _ -> Alcotest.fail "it is in one place at a time"

(* For [weft attach]: the older contents of the rings are read, and not reported. *)
let test_history () =
  let _, events =
    told ~from:100 ~live:false (fun t ->
        Timeline.lost t 0 5_000;
        Timeline.step t 0 10 (runs ());
        Timeline.step t 0 20 (does ~jobs:1 Searches);
        Timeline.step t 0 30 (runs ());
        Timeline.note t 0 40 (Region_begins { id = 1; fiber = 0; name = "over" });
        Timeline.ended t 0 50 Region 1;
        Timeline.note t 0 60 (Region_begins { id = 2; fiber = 0; name = "goes on" });
        Timeline.note t 0 70 (Instant "before");
        Timeline.go_live t;
        Timeline.ended t 0 120 Region 2;
        Timeline.step t 0 150 (does ~jobs:1 Parks);
        Timeline.finish t;
        Alcotest.(check int) "no losses" 0 (List.length (Timeline.losses t));
        Alcotest.(check int) "nothing unmatched" 0 (Timeline.unmatched t))
  in
  Alcotest.check pairs "the job begins with the trace" [ (100, 150) ] (spans Job events);
  Alcotest.(check (list (pair string int)))
    "so does the region"
    [ ("goes on", 100); ("goes on", 120) ]
    (List.map (fun (e : Event.t) -> (e.name, e.time)) (of_category Region events));
  Alcotest.check pairs "no search" [] (spans Search events)

(* A writer was held up between reading the clock and writing. *)
let test_late () =
  let _, events =
    told ~from:100 ~live:false (fun t ->
        Timeline.note t 0 60 (Region_begins { id = 2; fiber = 0; name = "ends" });
        Timeline.go_live t;
        Timeline.note t 0 90 (Region_begins { id = 1; fiber = 0; name = "begins" });
        Timeline.ended t 0 95 Region 2;
        Timeline.ended t 0 120 Region 1;
        Timeline.finish t)
  in
  Alcotest.(check (list (pair string int)))
    "all begin and end in the trace"
    [ ("ends", 100); ("begins", 100); ("ends", 100); ("begins", 120) ]
    (List.map (fun (e : Event.t) -> (e.name, e.time)) (of_category Region events))

(* The trace has begun, and older events are still being read. *)
let test_ends_meanwhile () =
  let _, events =
    told ~from:100 ~live:false (fun t ->
        Timeline.note t 0 60 (Region_begins { id = 1; fiber = 0; name = "before" });
        Timeline.ended t 0 110 Region 1;
        Timeline.note t 0 111 (Region_begins { id = 2; fiber = 0; name = "meanwhile" });
        Timeline.ended t 0 112 Region 2;
        Timeline.go_live t;
        Timeline.finish t)
  in
  Alcotest.(check (list (pair string int)))
    "each has a beginning"
    [ ("before", 100); ("before", 110); ("meanwhile", 111); ("meanwhile", 112) ]
    (List.map (fun (e : Event.t) -> (e.name, e.time)) (of_category Region events))

let test_blocks_are_nested () =
  let block began ended =
    Wire.Block { first = 1; last = 2; began; ended; alone = true; fiber = 0; place = 0 }
  in
  let _, events =
    finished (fun t ->
        Timeline.step t 0 1000 (runs ());
        (* By its own clock the block is longer than the job. *)
        Timeline.note t 0 2000 (block 900 2005);
        (* This block began before the last one had ended. *)
        Timeline.note t 0 3000 (block 1990 3000);
        (* This one contains the last, and reaches into the first. *)
        Timeline.note t 0 3100 (block 1600 3100);
        (* And this one began, by its clock, just after a collection began. *)
        Timeline.phase_begins t 0 4000 "minor";
        Timeline.phase_ends t 0 4500 "minor";
        Timeline.note t 0 5000 (block 4003 4900);
        Timeline.step t 0 6000 (does ~jobs:1 Parks))
  in
  Alcotest.check pairs "blocks" [ (1000, 2000); (2000, 3000); (2000, 3100); (4000, 4900) ] (spans Loop events)

let test_blocks_that_move () =
  let _, events =
    finished (fun t ->
        Timeline.step t 0 1000 (runs ());
        Timeline.note t 0 2000
          (Block { first = 1; last = 2; began = 1500; ended = 2000; alone = false; fiber = 0; place = 0 }))
  in
  match of_category Loop events with
  | [ { shape = Begin a; time = 1500; _ }; { shape = End b; time = 2000; _ } ] when a = b -> ()
  | _ -> Alcotest.fail "a beginning and an end"

(* --- fibers --- *)

let wait ?(about = 0) ?(name = "") ?(place = 0) id ~fiber what : Wire.note =
  Wait_begins { id; about; fiber; place; what; name }

let test_kinds_of_waits () =
  let check what category =
    let _, events = finished (fun t -> Timeline.note t 0 6 (wait 9 ~fiber:2 what)) in
    Alcotest.(check int) what 2 (List.length (of_category category events))
  in
  check "Weft.Poisoning_mutex.protect" Lock;
  check "Weft.Semaphore.acquire" Lock;
  check "Weft.Chan.recv" Channel;
  check "Weft.await" Suspend

let test_who_waits_and_who_ends_it () =
  let line place = if place = 16 then Some "a.ml:7" else None in
  let events = ref [] in
  let t = Timeline.create ~line ~from:0 ~live:true (fun e -> events := e :: !events) in
  Timeline.note t 0 5 (Fiber { fiber = 2; parent = 1; place = 16; name = "reader" });
  Timeline.note t 0 6 (wait 9 ~about:3 ~name:"table" ~place:16 ~fiber:2 "Weft.Mutex.protect");
  Timeline.note t 1 20 (Woken { wait = 9; by = 4 });
  Timeline.ended t 0 22 Wait 9;
  Timeline.finish t;
  (match of_category Lock (List.rev !events) with
  | [ ({ shape = Begin 9; _ } as b); { shape = End 9; _ } ] ->
      List.iter
        (fun (name, value) -> Alcotest.(check bool) name true (argument name b = Some value))
        [ ("fiber", Event.Int 2); ("named", Text "table"); ("at", Text "a.ml:7"); ("object", Int 3) ]
  | _ -> Alcotest.fail "one wait");
  (match of_category Wake (List.rev !events) with
  | [
   ({ shape = Flow_out 9; track = 1; time = 20; _ } as out); { shape = Flow_in 9; track = 0; time = 22; _ };
  ] ->
      Alcotest.(check bool) "by whom" true (argument "by" out = Some (Int 4))
  | _ -> Alcotest.fail "one arrow");
  Alcotest.(check bool)
    "who that is" true
    (Timeline.fibers t = [ { fiber = 2; parent = 1; name = "reader"; at = Some "a.ml:7" } ])

(* The function of a stolen part of a loop is Weft's own, of which no line is told. *)
let test_parts_of_loops () =
  let line place = if place = 16 then Some "b.ml:9" else None in
  let t = Timeline.create ~line ~from:0 ~live:true ignore in
  Timeline.note t 0 5 (Fiber { fiber = 2; parent = 1; place = 8; name = "" });
  Timeline.note t 0 40
    (Block { first = 1; last = 2; began = 10; ended = 40; alone = false; fiber = 2; place = 16 });
  Timeline.note t 0 50 (Fiber { fiber = 2; parent = 1; place = 8; name = "" });
  Alcotest.(check bool)
    "the line of the loop" true
    (Timeline.fibers t = [ { fiber = 2; parent = 1; name = ""; at = Some "b.ml:9" } ])

let test_forgotten_fibers () =
  let known = Fibers.create ~most:2 ~line:(fun _ -> Some "a.ml:7") () in
  let tell fiber = Fibers.note known fiber ~parent:0 ~name:"" ~place:8 in
  let check what expected =
    Alcotest.(check (list int)) what expected (List.map (fun (f : Event.fiber) -> f.fiber) (Fibers.all known))
  in
  List.iter tell [ 1; 2; 2; 3 ];
  check "the first is forgotten" [ 2; 3 ];
  tell 1;
  check "it is told of again" [ 1; 3 ]

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "a worker does one thing after the other" test_one_thing_after_the_other;
    case "a region may end in another ring, read earlier" test_ends_in_another_ring;
    case "ends whose beginnings were lost are counted" test_ends_without_beginning_are_counted;
    case "what has not ended is ended, and marked" test_what_has_not_ended;
    case "of a gap nothing is claimed, and it is counted" test_losses;
    case "a span whose end may be lost lasts until it certainly was open" test_lost_ends;
    case "a damaged note counts as lost" test_damaged_notes;
    case "a thread that stood still in a job" test_stood_still;
    case "until when a span was open for certain" test_known_until;
    case "which of two workers in a domain stood still" test_who_stood_still;
    case "two workers in a domain have a row each" test_two_workers_in_a_domain;
    case "a worker is in one place" test_a_worker_moves;
    case "what was before an attachment is not told, what goes on is" test_history;
    case "what ends while an attachment begins has a beginning" test_ends_meanwhile;
    case "what is read late begins with the trace" test_late;
    case "blocks of loops do not cross" test_blocks_are_nested;
    case "blocks whose fiber moved are shown apart" test_blocks_that_move;
    case "waits for locks and channels are told apart" test_kinds_of_waits;
    case "waits tell which fiber, and arrows who has ended them" test_who_waits_and_who_ends_it;
    case "a stolen part of a loop has the line of the loop" test_parts_of_loops;
    case "of very many fibers the last are known" test_forgotten_fibers;
  ]
