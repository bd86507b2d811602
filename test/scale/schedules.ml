(* Simulated schedules of graphs whose best time is known. *)

open Weft_insight_scale
open Recorded

let in_temporary f = Result.get_ok (Program.with_temporary (fun file -> Ok (f file)))

let outcome ?seed ~workers ?(steal = 0) graph =
  match Schedule.run ?seed ~workers ~steal graph with
  | Ok outcome -> outcome
  | Error message -> Alcotest.fail message

let time ?seed ~workers ?steal graph = (outcome ?seed ~workers ?steal graph).time
let check = Alcotest.(check int)

let one_worker () =
  let graph = Graphs.equal_tasks 10 7 in
  check "the work" 70 (time ~workers:1 graph);
  check "no steals" 0 (outcome ~workers:1 graph).steals;
  check "nor their costs" 70 (time ~workers:1 ~steal:1000 graph)

let equal_tasks () =
  List.iter
    (fun (n, workers, expected) ->
      check
        (Printf.sprintf "%d tasks, %d workers" n workers)
        expected
        (time ~workers (Graphs.equal_tasks n 100)))
    [ (8, 2, 400); (8, 4, 200); (8, 8, 100); (8, 100, 100); (9, 4, 300); (1, 4, 100) ]

let costs_of_steals () =
  check "all but one are stolen, at the same time" 130 (time ~workers:8 ~steal:30 (Graphs.equal_tasks 8 100));
  check "two rounds" 200 (time ~workers:4 ~steal:0 (Graphs.equal_tasks 8 100));
  let stolen = (outcome ~workers:8 ~steal:30 (Graphs.equal_tasks 8 100)).steals in
  check "so many steals" 7 stolen

let chains () =
  let chain = Graphs.of_lists [ [ Run 5; Fork 1; Join 1; Run 5 ]; [ Run 10 ] ] in
  List.iter (fun workers -> check "a chain" 20 (time ~workers chain)) [ 1; 2; 64 ]

let waits () =
  (* The thief runs task 1; the forker joins it later, and the thief then continues the forker. *)
  let graph = Graphs.of_lists [ [ Fork 1; Run 10; Join 1; Run 5 ]; [ Run 40 ] ] in
  check "a join that waits" 45 (time ~workers:2 graph);
  check "on one worker" 55 (time ~workers:1 graph)

let events () =
  let graph = Graphs.of_lists ~events:1 [ [ Fork 1; Wait 0; Run 5; Join 1 ]; [ Run 30; Post 0; Run 20 ] ] in
  check "whoever waits goes on after the event" 50 (time ~workers:2 graph);
  check "on one worker" 55 (time ~workers:1 graph)

let idling () =
  let graph = Graphs.of_lists [ [ Fork 1; Idle 100; Run 5; Join 1 ]; [ Run 60 ] ] in
  check "other work goes on meanwhile" 105 (time ~workers:1 graph);
  check "and no longer with more workers" 105 (time ~workers:4 graph)

(* Graham's bound for greedy schedules; a steal stops one worker for its cost. *)
let bounds () =
  for seed = 1 to 200 do
    let graph, span = Graphs.random seed in
    let work = graph.total.work in
    List.iter
      (fun workers ->
        let what law = Printf.sprintf "graph %d, %d workers: %s" seed workers law in
        let time = time ~workers graph in
        Alcotest.(check bool) (what "work law") true (time * workers >= work);
        Alcotest.(check bool) (what "span law") true (time >= span);
        Alcotest.(check bool) (what "Graham") true (time * workers <= work + (span * workers));
        let steal = 17 in
        let o = outcome ~workers ~steal graph in
        Alcotest.(check bool)
          (what "with steals") true
          (o.time * workers <= work + ((span + (steal * (o.steals + 1))) * workers));
        Alcotest.(check bool) (what "steals are no gain") true (o.time >= span && o.time * workers >= work))
      [ 1; 2; 3; 8; 100 ]
  done

let same_again () =
  let graph, _ = Graphs.random 5 in
  let once () = outcome ~seed:3 ~workers:4 ~steal:10 graph in
  Alcotest.(check bool) "the same outcome" true (once () = once ())

let no_end () =
  let circle = Graphs.of_lists ~events:1 [ [ Wait 0; Post 0 ] ] in
  match Schedule.run ~workers:2 ~steal:0 circle with
  | Ok _ -> Alcotest.fail "it came to an end"
  | Error _ -> ()

(* The recorded profile and the computed one must agree. *)
let recorded_graphs () =
  let time = ref 0 in
  let rec tree depth =
    if depth = 0 then time := !time + 100
    else ignore (Weft.par (fun () -> tree (depth - 1)) (fun () -> tree (depth - 1)))
  in
  let compute () =
    tree 5;
    let p = Weft.async (fun () -> time := !time + 1000) in
    time := !time + 300;
    Weft.await p;
    time := !time + 1
  in
  let (), profile = Weft.Profile.Private.run_with ~now:(fun () -> !time) compute in
  in_temporary @@ fun file ->
  Weft.Profile.save file profile;
  match Recorded.read file with
  | Ok (Profile p) ->
      check "work" (3200 + 1301) p.total.work;
      check "span" (100 + 1001) p.total.span;
      check "one worker takes the work" p.total.work
        (Schedule.run ~workers:1 ~steal:0 p |> Result.get_ok).time;
      check "many take the span" p.total.span (Schedule.run ~workers:64 ~steal:0 p |> Result.get_ok).time;
      check "two halve the tree" (1600 + 1001) (Schedule.run ~workers:2 ~steal:0 p |> Result.get_ok).time
  | Ok _ -> Alcotest.fail "no profile"
  | Error message -> Alcotest.fail message

(* Forks below the grain are recorded as one run: their work must not be lost. *)
let coarse_graphs () =
  let time = ref 0 in
  let rec tree depth =
    if depth = 0 then time := !time + 100
    else ignore (Weft.par (fun () -> tree (depth - 1)) (fun () -> tree (depth - 1)))
  in
  let (), profile = Weft.Profile.Private.run_with ~now:(fun () -> !time) ~grain:500 (fun () -> tree 5) in
  in_temporary @@ fun file ->
  Weft.Profile.save file profile;
  match Recorded.read file with
  | Ok (Profile p) ->
      check "work" 3200 p.total.work;
      check "one worker takes the work" 3200 (Schedule.run ~workers:1 ~steal:0 p |> Result.get_ok).time;
      check "many take a subtree of less than the grain" 400
        (Schedule.run ~workers:64 ~steal:0 p |> Result.get_ok).time
  | Ok _ -> Alcotest.fail "no profile"
  | Error message -> Alcotest.fail message

let curves () =
  let graph = { (Graphs.equal_tasks 64 1000) with total = { work = 64_000; span = 1000; burdened = 1000 } } in
  match Curve.make ~steal:0 graph with
  | Error message -> Alcotest.fail message
  | Ok { points; _ } ->
      check "eleven points" 11 (List.length points);
      List.iter
        (fun (p : Curve.point) ->
          let simulated = Option.get p.simulated in
          Alcotest.(check (float 1e-6))
            "as many as there are tasks"
            (float_of_int (min p.workers 64))
            simulated;
          Alcotest.(check bool)
            "between the bounds" true
            (p.lower <= simulated +. 1e-6 && simulated <= p.upper +. 1e-6))
        points

let test name f = Testing.Watchdog.case name f

let tests =
  [
    test "one worker takes as long as the work" one_worker;
    test "equal tasks are shared evenly" equal_tasks;
    test "a steal costs what it costs" costs_of_steals;
    test "a chain is no faster with more workers" chains;
    test "a thread that joins a stolen task waits for it" waits;
    test "events" events;
    test "a thread that idles holds no worker up" idling;
    test "work law, span law and Graham's bound" bounds;
    test "the same again for the same seed" same_again;
    test "a graph without an end is an error" no_end;
    test "recorded graphs agree with the figures" recorded_graphs;
    test "coarse graphs keep all of the work" coarse_graphs;
    test "curves lie between their bounds" curves;
  ]
