open Weft_bench_harness
open Weft_bench_elastic
module Parked = Weft_bench_contestants.Parked

let case = Testing.Watchdog.case

(* {1 The pool made by hand} *)

let every_function_is_called_once () =
  for domains = 1 to 5 do
    Parked.with_pool ~domains (fun pool ->
        for n = 0 to 50 do
          let calls = Array.init n (fun _ -> Atomic.make 0) in
          Parked.run_all pool (List.init n (fun i () -> Atomic.incr calls.(i)));
          Array.iter (fun count -> Alcotest.(check int) "calls" 1 (Atomic.get count)) calls
        done)
  done

let all_have_ended_before_an_exception_is_raised () =
  let ended = Atomic.make 0 in
  let task i () =
    if i = 0 then failwith "broken";
    Unix.sleepf 0.001;
    Atomic.incr ended
  in
  Parked.with_pool ~domains:3 (fun pool ->
      Alcotest.check_raises "the exception" (Failure "broken") (fun () ->
          Parked.run_all pool (List.init 20 task));
      Alcotest.(check int) "ended" 19 (Atomic.get ended);
      Parked.run_all pool [ (fun () -> Atomic.incr ended) ];
      Alcotest.(check int) "the pool goes on" 20 (Atomic.get ended))

let several_callers_share_the_workers () =
  Parked.with_pool ~domains:3 (fun pool ->
      let sum = Atomic.make 0 in
      let caller () =
        for _ = 1 to 200 do
          Parked.run_all pool (List.init 10 (fun i () -> ignore (Atomic.fetch_and_add sum i : int)))
        done
      in
      let others = List.init 2 (fun _ -> Domain.spawn caller) in
      caller ();
      List.iter Domain.join others;
      Alcotest.(check int) "sum" (3 * 200 * 45) (Atomic.get sum))

let what_was_submitted_is_done_before_the_end () =
  let calls = Atomic.make 0 in
  Parked.with_pool ~domains:2 (fun pool ->
      for _ = 1 to 1_000 do
        Parked.submit pool (fun () -> Atomic.incr calls)
      done);
  Alcotest.(check int) "calls" 1_000 (Atomic.get calls)

(* {1 Programs in pools} *)

let own =
  [
    Loads.alloc;
    Loads.compute;
    Programs.idle_cpu;
    Programs.idle_slowdown;
    Programs.burst_after_250ms;
    Programs.burst_after_1ms;
    Programs.every_ms;
    Bursts.after ~milliseconds:1 ~bursts:5;
  ]

(* The runner checks the results. *)
let every_method_is_right (benchmark : Benchmark.t) () =
  let run size domains (way : Benchmark.way) =
    let params = { Benchmark.size; cutoff = None; domains } in
    let config =
      { Plan.benchmark; contestant = way.contestant; params; work = Option.get (way.work params) }
    in
    match Runner.once config with
    | Ok _ -> ()
    | Error failure -> Alcotest.failf "%a" Runner.pp_failure failure
  in
  List.iter
    (fun size ->
      List.iter
        (fun domains -> List.iter (run size domains) benchmark.ways)
        (Testing.Effort.some ~quick:[ 3 ] [ 2; 3; 8 ]))
    (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 5 ])

let wrong_sums_are_found () =
  let is_right what expected result = Alcotest.(check bool) what expected (Result.is_ok result) in
  let sum = Loads.alloc_in_a_row 3 in
  is_right "alloc" true (Loads.check_alloc 3 sum);
  is_right "alloc, one more" false (Loads.check_alloc 3 (sum + 1));
  is_right "alloc, another number" false (Loads.check_alloc 2 sum);
  is_right "compute" false (Loads.check_compute 3 0)

(* {1 Cases} *)

let names_are_different () =
  let of_case (case : Case.t) = List.map (Case.row_name case) case.programs in
  let groups = List.sort_uniq compare (List.filter_map (fun (case : Case.t) -> case.group) Case.all) in
  let check what names =
    Alcotest.(check int) what (List.length names) (List.length (List.sort_uniq String.compare names))
  in
  check "rows" (List.concat_map of_case Case.all);
  check "cases" (groups @ List.map (fun (case : Case.t) -> case.name) Case.all)

let every_program_has_its_methods_and_sizes () =
  let check (program : Case.program) =
    let benchmark = program.benchmark in
    let least, greatest = benchmark.sizes in
    List.iter
      (fun share ->
        let size = program.size share in
        Alcotest.(check bool)
          (Printf.sprintf "%s: %d is a size" benchmark.name size)
          true
          (least <= size && size <= greatest))
      [ 0.01; 0.2; 1.; 1.5 ];
    let exists name =
      List.exists (fun (way : Benchmark.way) -> String.equal way.contestant.name name) benchmark.ways
    in
    Alcotest.(check bool) (benchmark.name ^ ": methods") true (List.for_all exists program.methods)
  in
  List.iter (fun (case : Case.t) -> List.iter check case.programs) Case.all

let tests =
  [
    case "every function is called once" every_function_is_called_once;
    case "all have ended before an exception is raised" all_have_ended_before_an_exception_is_raised;
    case "several callers share the workers" several_callers_share_the_workers;
    case "what was submitted is done before the end" what_was_submitted_is_done_before_the_end;
    case "wrong sums are found" wrong_sums_are_found;
    case "names are different" names_are_different;
    case "every program has its methods and sizes" every_program_has_its_methods_and_sizes;
  ]
  @ List.map
      (fun (benchmark : Benchmark.t) ->
        case (Printf.sprintf "every method of %s is right" benchmark.name) (every_method_is_right benchmark))
      own
