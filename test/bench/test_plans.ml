open Weft_bench_harness
module Suites = Weft_bench_suites.Suites
module Batch_suites = Weft_bench_batch.Batch_suites

let plan choice = match Plan.make choice with Ok configs -> configs | Error message -> Alcotest.fail message
let every_benchmark = Suites.all @ Suites.large @ Batch_suites.all
let unique xs = List.fold_left (fun seen x -> if List.mem x seen then seen else seen @ [ x ]) [] xs
let cases configs = unique (List.map (fun (c : Plan.config) -> (c.params.size, c.params.cutoff)) configs)
let check_cases = Alcotest.(check (list (pair int (option int))))
let find name = List.find (fun (b : Benchmark.t) -> String.equal b.name name) every_benchmark
let of_names names = Plan.of_all (List.map find names)

(* {1 Quick} *)

let the_quick_plan_has_every_benchmark_at_its_quick_size () =
  let configs = plan { (Plan.of_all every_benchmark) with quick = true } in
  let check (b : Benchmark.t) =
    let own = List.filter (fun (c : Plan.config) -> String.equal c.benchmark.name b.name) configs in
    let quick = List.map b.quick_size b.default_cutoffs in
    Alcotest.(check bool) (b.name ^ ": is there") true (own <> []);
    List.iter (fun (c : Plan.config) -> Alcotest.(check bool) b.name true (List.mem c.params.size quick)) own;
    let methods configs = unique (List.map (fun (c : Plan.config) -> c.contestant.name) configs) in
    Alcotest.(check (list string)) (b.name ^ ": methods") (methods (plan (Plan.of_all [ b ]))) (methods own)
  in
  List.iter check every_benchmark

let quick_all_runs_every_benchmark_once_a_round () =
  let toys = [ Toy.benchmark ~name:"usual" () ]
  and on_request = [ Toy.benchmark ~name:"rare" () ]
  and large = [ Toy.benchmark ~name:"long" () ] in
  let runs arguments =
    let { Toy.code; err; _ } = Toy.bench ~on_request ~large toys arguments in
    Alcotest.(check int) err 0 code;
    Toy.ran ()
  in
  let names events = List.sort_uniq compare (List.map (fun (e : Toy.event) -> e.benchmark) events) in
  let quick = runs [ "all"; "--quick" ] in
  Alcotest.(check (list string)) "all" [ "rare"; "usual" ] (names quick);
  List.iter (fun (e : Toy.event) -> Alcotest.(check int) "size" 2 e.params.size) quick;
  (* Each benchmark has two cases on 1 and 2 domains, and the sequential program; each runs twice, without a
     warm-up. *)
  Alcotest.(check int) "runs" (2 * 2 * 5) (List.length quick);
  Alcotest.(check (list string))
    "large" [ "long"; "rare"; "usual" ]
    (names (runs [ "all"; "--quick"; "--large" ]));
  Alcotest.(check (list string)) "usual" [ "usual" ] (names (runs [ "--quick" ]));
  Alcotest.(check (list string)) "usual, large" [ "long"; "usual" ] (names (runs [ "--quick"; "--large" ]));
  Alcotest.(check (list string)) "by name" [ "long" ] (names (runs [ "long"; "--quick" ]))

let all_leaves_out_what_a_method_does_not_do () =
  let configs =
    plan
      {
        (Plan.of_all every_benchmark) with
        leave_out = true;
        methods = Some [ Weft_bench_contestants.Weft_pool.loop ];
      }
  in
  let names = unique (List.map (fun (c : Plan.config) -> c.benchmark.name) configs) in
  Alcotest.(check (list string))
    "with loops"
    [
      "nqueens";
      "iota";
      "for_irregular";
      "lu";
      "matmul";
      "reduce";
      "scan";
      "primes";
      "random_init";
      "short_loops";
      "short_loops_uneven";
      "short_loops_gaps_10us";
      "short_loops_gaps_100us";
      "short_loops_gaps_1ms";
      "short_loops_gaps_10ms";
      "arrays_write_min";
      "data_cholesky";
      "data_nested_loops";
    ]
    names

(* {1 Sweeps} *)

let some = Option.some

let a_sweep_by_cutoff_has_one_size () =
  check_cases "fork-join"
    (List.map (fun cutoff -> (36, cutoff)) (None :: List.map some [ 5; 10; 15; 20; 25; 30 ]))
    (cases (plan { (of_names [ "fib" ]) with sweep = [ By_cutoff ] }));
  check_cases "no chunk longer than the loop"
    (List.map (fun cutoff -> (100, cutoff)) [ None; Some 1; Some 4; Some 16; Some 64 ])
    (cases (plan { (of_names [ "iota" ]) with sweep = [ By_cutoff ]; sizes = Some [ 100 ] }));
  check_cases "quick"
    (List.map (fun cutoff -> (28, cutoff)) (None :: List.map some [ 5; 10; 15; 20; 25; 30 ]))
    (cases (plan { (of_names [ "fib" ]) with sweep = [ By_cutoff ]; quick = true }))

let a_sweep_by_size_has_those_of_the_benchmark () =
  check_cases "one case each"
    [ (100_000, None); (1_000_000, None); (10_000_000, None) ]
    (cases (plan { (of_names [ "scan" ]) with sweep = [ By_size ] }));
  check_cases "and each cutoff"
    [ (1, None); (1, Some 4); (2, None); (2, Some 4) ]
    (cases (plan { (of_names [ "fib" ]) with sizes = Some [ 1; 2 ]; cutoffs = Some [ None; Some 4 ] }))

let every_sweep_can_be_run () =
  let check (b : Benchmark.t) =
    let least, greatest = b.sizes in
    let within size = size >= least && size <= greatest in
    let ascending xs = List.sort_uniq Int.compare xs = xs in
    let sizes = b.sweep_sizes in
    Alcotest.(check bool)
      (b.name ^ ": sizes") true
      (sizes <> [] && List.for_all within sizes && ascending sizes);
    Alcotest.(check bool) (b.name ^ ": more") true (List.for_all within b.more_sizes);
    List.iter
      (fun cutoff ->
        Alcotest.(check bool)
          (b.name ^ ": usual and quick") true
          (within (b.default_size cutoff) && within (b.quick_size cutoff)))
      (None :: b.default_cutoffs);
    let has_cutoffs = match b.grain with Fixed -> false | Cutoff _ | Chunk _ -> true in
    Alcotest.(check bool) (b.name ^ ": cutoffs") has_cutoffs (b.sweep_cutoffs <> []);
    Alcotest.(check bool) (b.name ^ ": cutoffs") true (ascending (0 :: b.sweep_cutoffs))
  in
  List.iter check every_benchmark

let domains_of arguments =
  let { Toy.code; err; _ } =
    Toy.bench [ Toy.benchmark () ] (arguments @ [ "--runs"; "1"; "--method"; "twin" ])
  in
  Alcotest.(check int) err 0 code;
  unique (List.sort compare (List.map (fun (e : Toy.event) -> e.params.domains) (Toy.ran ())))

let sweeps_by_domains_go_beyond_the_processors () =
  let sweep processors = Weft_bench.Arguments.sweep_of_domains ~processors in
  let check = Alcotest.(check (list int)) in
  check "one" [ 1; 2; 4 ] (sweep 1);
  check "two" [ 1; 2; 4; 8 ] (sweep 2);
  check "six" [ 1; 2; 4; 6; 12; 24 ] (sweep 6);
  check "as many as OCaml has" [ 1; 2; 4; 8; 16; 32; 64; 100 ] (sweep 100);
  let processors = Weft.Pool.default_domains () in
  check "asked for" (sweep processors) (domains_of [ "--sweep"; "domains" ]);
  check "multiples" (List.sort_uniq compare [ 1; processors ]) (domains_of [ "--domains"; "1,1x" ]);
  let chosen processors = Weft_bench.Arguments.(all_domains ~processors [ Number 1; Times 1; Times 3 ]) in
  check "of two" [ 1; 2; 6 ] (Result.get_ok (chosen 2));
  Alcotest.(check bool) "more than OCaml has" true (Result.is_error (chosen 43));
  check "by cutoff" [ processors ] (domains_of [ "--sweep"; "cutoff" ])

(* With two runs of each, [weft bench all --quick] is to take less than three minutes: that allows so many
   configurations, at some tens of milliseconds each. *)
let a_quick_run_has_few_configurations () =
  let benchmarks = Weft_bench_suites.Suites.all @ Weft_bench_batch.Batch_suites.all in
  let plan = Plan.make { (Plan.of_all benchmarks) with leave_out = true; quick = true } in
  let configs = List.length (Result.get_ok plan) in
  Alcotest.(check bool) (Printf.sprintf "%d configurations" configs) true (configs <= 1_500)

let bad_sweeps_are_one_clear_line () =
  let bad arguments parts =
    let { Toy.code; out; err } =
      Toy.bench [ Toy.benchmark (); Toy.benchmark ~name:"fixed" ~grain:Fixed () ] arguments
    in
    let what = String.concat " " arguments in
    Alcotest.(check int) what 2 code;
    Alcotest.(check string) what "" out;
    Alcotest.(check int) (what ^ ": nothing ran") 0 (List.length (Toy.ran ()));
    List.iter
      (fun part ->
        let found =
          List.exists (fun word -> String.equal word part) (String.split_on_char ' ' (Toy.message err))
        in
        Alcotest.(check bool) (Printf.sprintf "%s: %S in %S" what part err) true found)
      parts
  in
  bad [ "--sweep"; "all" ] [ "'all'"; "domains,"; "cutoff,"; "size" ];
  bad [ "--sweep"; "size,size" ] [ "'size'"; "twice" ];
  bad [ "--sweep"; "size"; "--size"; "3" ] [ "'--size':" ];
  bad [ "--sweep"; "domains,cutoff"; "--domains"; "3" ] [ "'--domains':" ];
  bad [ "--sweep"; "cutoff"; "--cutoff"; "3" ] [ "'--cutoff':" ];
  bad [ "fixed"; "--sweep"; "cutoff" ] [ "fixed"; "cutoff;" ];
  bad [ "--size"; "3,101" ] [ "101" ];
  bad [ "--size"; "3,3" ] [ "twice" ];
  bad [ "--domains"; "0" ] [ "'0'" ];
  bad [ "--domains"; "1000000" ] [ "'1000000'" ];
  bad [ "--domains"; "0x" ] [ "'0x'" ];
  bad [ "--domains"; "128x,129x" ] [ "'129x'" ];
  bad [ "all"; "toy" ] [ "'toy'"; "twice" ]

(* {1 Expected duration} *)

let the_rest_is_what_the_steps_have_taken () =
  let progress = Progress.start ~rounds:2 [ "short"; "long" ] in
  let left () = Progress.left progress ~now:(Int64.to_float (Mtime_clock.elapsed_ns ()) *. 1e-9) in
  let step name seconds =
    Progress.step progress ~about:"" name;
    Unix.sleepf seconds
  in
  Alcotest.(check bool) "at first" true (left () = None);
  step "long" 0.02;
  Progress.finish progress;
  Alcotest.(check bool) "what is not known is as the others" true (Option.get (left ()) >= 0.06);
  step "short" 0.;
  Progress.finish progress;
  Alcotest.(check bool) "each as it was" true (Option.get (left ()) >= 0.02);
  step "long" 0.02;
  step "short" 0.;
  Progress.finish progress;
  Alcotest.(check (option (float 0.))) "at the end" (Some 0.) (left ())

let the_line_fits () =
  let line = Progress.line ~elapsed:30. in
  Alcotest.(check string) "at first" "[................] 0 %, fib" (line ~width:79 ~left:None "fib");
  Alcotest.(check string)
    "then" "[####............] 25 %, 1 min 30 s left, fib"
    (line ~width:79 ~left:(Some 90.) "fib");
  Alcotest.(check string)
    "at the end" "[################] 100 %, 0 s left, fib"
    (line ~width:79 ~left:(Some 0.) "fib");
  Alcotest.(check string) "long" "[................] 0 %, 2 h" (line ~width:27 ~left:(Some 7_300.) "fib")

let case = Testing.Watchdog.case

let tests =
  [
    case "the quick plan has every benchmark, at its quick size"
      the_quick_plan_has_every_benchmark_at_its_quick_size;
    case "quick runs every benchmark of all" quick_all_runs_every_benchmark_once_a_round;
    case "all leaves out what a method does not do" all_leaves_out_what_a_method_does_not_do;
    case "a sweep by cutoff has one size" a_sweep_by_cutoff_has_one_size;
    case "a sweep by size has those of the benchmark" a_sweep_by_size_has_those_of_the_benchmark;
    case "every sweep can be run" every_sweep_can_be_run;
    case "sweeps by domains go beyond the processors" sweeps_by_domains_go_beyond_the_processors;
    case "a quick run has few configurations" a_quick_run_has_few_configurations;
    case "bad sweeps are one clear line" bad_sweeps_are_one_clear_line;
    case "the rest is what the steps have taken" the_rest_is_what_the_steps_have_taken;
    case "the line fits" the_line_fits;
  ]
