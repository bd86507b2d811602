open Weft_bench_harness
open Testing.Text

let check_floats = Alcotest.(check (list (float 1e-9)))
let check_option = Alcotest.(check (option (float 1e-9)))

(* {1 Order} *)

let choice benchmarks : Plan.choice = Plan.of_all benchmarks

let every_round_runs_every_configuration_once () =
  for n = 0 to 9 do
    let configs = List.init n Fun.id in
    for round = 0 to 30 do
      let order = Rounds.order ~round ~together:(fun n -> string_of_int (n mod 3)) configs in
      Alcotest.(check (list int)) "a permutation" configs (List.sort Int.compare order)
    done
  done

let what_is_compared_runs_in_a_row () =
  let configs = List.init 30 Fun.id and together n = string_of_int (n mod 5) in
  let rec changes = function
    | a :: (b :: _ as rest) -> (if together a = together b then 0 else 1) + changes rest
    | _ -> 0
  in
  let orders = List.init 20 (fun round -> Rounds.order ~round ~together configs) in
  List.iter (fun order -> Alcotest.(check int) "changes of benchmark" 4 (changes order)) orders;
  let firsts = List.sort_uniq compare (List.map (fun order -> together (List.hd order)) orders) in
  Alcotest.(check int) "each benchmark is first in some round" 5 (List.length firsts)

let no_configuration_is_favoured_by_the_order () =
  let n = 6 in
  let firsts =
    List.init 100 (fun round -> List.hd (Rounds.order ~round ~together:(fun _ -> "") (List.init n Fun.id)))
  in
  Alcotest.(check (list int))
    "each is first in some round" (List.init n Fun.id) (List.sort_uniq Int.compare firsts)

let measurements_are_interleaved () =
  Toy.reset ();
  let configs = Result.get_ok (Plan.make (choice [ Toy.benchmark () ])) in
  let n = List.length configs in
  let rounds_seen = ref [] in
  let progress ~round _ = rounds_seen := round :: !rounds_seen in
  let measured = Result.get_ok (Runner.run ~runs:3 ~progress configs) in
  List.iter (fun (m : Runner.measured) -> Alcotest.(check int) "samples" 3 (List.length m.samples)) measured;
  Alcotest.(check (list int))
    "one warm-up and three rounds"
    (List.concat_map (fun round -> List.init n (fun _ -> round)) [ 0; 1; 2; 3 ])
    (List.rev !rounds_seen);
  let ran = Array.of_list (Toy.ran ()) in
  for round = 0 to 3 do
    let in_round = Array.to_list (Array.sub ran (round * n) n) in
    Alcotest.(check int) "all different" n (List.length (List.sort_uniq compare in_round))
  done

let the_baseline_is_measured_once_for_each_size () =
  let count choice =
    let configs = Result.get_ok (Plan.make choice) in
    List.length (List.filter (fun (c : Plan.config) -> c.contestant.role = Baseline) configs)
  in
  let all = choice [ Toy.benchmark () ] in
  Alcotest.(check int) "two cutoffs" 1 (count all);
  Alcotest.(check int)
    "two benchmarks" 2
    (count (choice [ Toy.benchmark (); Toy.benchmark ~name:"other" () ]));
  Alcotest.(check int) "also when one domain is not asked for" 1 (count { all with domains = [ 2 ] })

let sample seconds : Meter.sample =
  {
    seconds;
    cpu_seconds = 2. *. seconds;
    switches = None;
    minor_collections = Some 0;
    major_collections = Some 0;
    peak_bytes = None;
  }

let a_plain_program_beside_is_measured_once_and_no_baseline () =
  let beside : Contestant.t = { Weft_bench_contestants.Plain.in_place with name = "beside" } in
  let toy = Toy.benchmark () in
  let way = Toy.way "toy" beside (fun params -> params.size) in
  let toy = { toy with ways = way :: toy.ways } in
  let configs = Result.get_ok (Plan.make (choice [ toy ])) in
  let count = List.filter (fun (c : Plan.config) -> Contestant.equal c.contestant beside) configs in
  Alcotest.(check int) "once" 1 (List.length count);
  let seconds (c : Plan.config) = if Contestant.equal c.contestant beside then 5. else 2. in
  let rows =
    Row.of_measured
      (List.map
         (fun config -> { Runner.config; samples = [ sample (seconds config) ]; figures = [ [] ] })
         configs)
  in
  check_floats "ratios" [ 2.5; 1.; 1.; 1.; 1.; 1. ]
    (List.filter_map (fun (r : Row.t) -> r.ratio_to_sequential) rows);
  let without = List.filter (fun (r : Row.t) -> r.role = Contestant.Beside) rows in
  Alcotest.(check int)
    "no block of its own" 2
    (List.length
       (List.filter (String.starts_with ~prefix:"toy") (String.split_on_char '\n' (Table.render rows))));
  Alcotest.(check int)
    "but when alone" 1
    (List.length
       (List.filter (String.starts_with ~prefix:"toy") (String.split_on_char '\n' (Table.render without))))

(* {1 Arithmetic} *)

let the_median_is_the_middle () =
  let check name expected numbers = Alcotest.(check (float 1e-9)) name expected (Row.median numbers) in
  check "one" 4. [ 4. ];
  check "odd" 2. [ 9.; 1.; 2. ];
  check "even" 2.5 [ 9.; 1.; 3.; 2. ]

(* Rows with the given medians: the baseline at size 7, and the twin on 1 and 2 domains, with a cutoff and
   without. *)
let rows ?(methods = [ "sequential"; "twin" ]) () =
  let configs = Result.get_ok (Plan.make (choice [ Toy.benchmark () ])) in
  let chosen = List.filter (fun (c : Plan.config) -> List.mem c.contestant.name methods) configs in
  let seconds (c : Plan.config) =
    match (c.contestant.name, c.params.cutoff, c.params.domains) with
    | "sequential", _, _ -> [ 2.; 1.; 100. ]
    | _, Some _, 1 -> [ 3.; 3.; 3. ]
    | _, Some _, _ -> [ 1.5; 1.; 2. ]
    | _, None, 1 -> [ 9.; 8.; 7. ]
    | _, None, _ -> [ 5.; 5.; 4. ]
  in
  let measured config =
    let samples = List.map sample (seconds config) in
    { Runner.config; samples; figures = List.map (fun _ -> []) samples }
  in
  Row.of_measured (List.map measured chosen)

let ratios_are_to_the_sequential_program_of_the_same_run () =
  let rows = rows () in
  check_floats "medians" [ 2.; 3.; 1.5; 8.; 5. ] (List.map (fun (r : Row.t) -> r.median) rows);
  check_floats "least" [ 1.; 3.; 1.; 7.; 4. ] (List.map (fun (r : Row.t) -> r.min) rows);
  check_floats "ratios" [ 1.; 1.5; 0.75; 4.; 2.5 ]
    (List.filter_map (fun (r : Row.t) -> r.ratio_to_sequential) rows)

(* A process that does not tell its processor time has 0. *)
let processor_time_is_compared_with_that_of_the_sequential_program () =
  let ratios rows = List.map (fun (r : Row.t) -> r.cpu_ratio) (Row.compare_all rows) in
  let all = List.map Option.some in
  let check = Alcotest.(check (list (option (float 1e-9)))) in
  check "all" (all [ 1.; 1.5; 0.75; 4.; 2.5 ]) (ratios (rows ()));
  check "paced"
    (all [ 1.; 1.5; 0.75; 4.; 2.5 ])
    (ratios (List.map (fun (r : Row.t) -> { r with paced = true }) (rows ())));
  let silent method_ (r : Row.t) =
    if String.equal r.method_ method_ then { r with cpu_seconds = 0. } else r
  in
  check "unknown" [ Some 1.; None; None; None; None ] (ratios (List.map (silent "twin") (rows ())));
  check "of the sequential program"
    (List.init 5 (fun _ -> None))
    (ratios (List.map (silent "sequential") (rows ())));
  Alcotest.(check bool) "in the table" true (contains "CPU x sequential" (Table.render (rows ())))

let speed_up_is_against_one_domain_of_the_same_case () =
  let twins = List.filter (fun (r : Row.t) -> not (Contestant.is_plain r.role)) (rows ()) in
  check_floats "speed-ups" [ 1.; 2.; 1.; 1.6 ] (List.filter_map (fun (r : Row.t) -> r.speed_up) twins)

let without_the_sequential_program_there_is_no_ratio () =
  List.iter
    (fun (r : Row.t) -> check_option "no ratio" None r.ratio_to_sequential)
    (rows ~methods:[ "twin" ] ())

let a_forced_chunk_is_compared_with_the_default () =
  check_floats "ratios"
    [ 3. /. 8.; 1.5 /. 5. ]
    (List.filter_map (fun (r : Row.t) -> r.ratio_to_default) (rows ()));
  let title = "x default" in
  let has_title rows = contains title (Table.render rows) in
  Alcotest.(check bool) "a column" true (has_title (rows ()));
  let default_alone = List.map (fun (r : Row.t) -> { r with ratio_to_default = None }) (rows ()) in
  Alcotest.(check bool) "none without figures" false (has_title default_alone)

let time_per_fork_is_the_median_over_the_forks () =
  let expected = List.map (fun m -> m *. 1e8) [ 2.; 3.; 1.5; 8.; 5. ] in
  check_floats "ns" expected (List.filter_map (fun (r : Row.t) -> r.ns_per_fork) (rows ()))

let every_block_of_the_table_shows_its_baseline () =
  let lines = String.split_on_char '\n' (Table.render (rows ())) in
  let count method_ =
    let is_row line =
      match List.filter (fun word -> word <> "") (String.split_on_char ' ' line) with
      | _ :: second :: _ -> String.equal second method_
      | _ -> false
    in
    List.length (List.filter is_row lines)
  in
  Alcotest.(check int) "baseline" 2 (count "sequential");
  Alcotest.(check int) "twin" 4 (count "twin");
  let lengths =
    List.filter_map
      (fun l -> if String.starts_with ~prefix:"  " l then Some (String.length l) else None)
      lines
  in
  Alcotest.(check int) "aligned" 1 (List.length (List.sort_uniq Int.compare lengths))

(* {1 Figures of the works themselves} *)

let title (figure : Figure.t) = figure.title
let value (figure : Figure.t) = figure.value

let a_quantile_is_the_nearest_rank () =
  let hundred = Array.init 100 (fun i -> float_of_int (100 - i)) in
  let check what expected q xs = Alcotest.(check (float 0.)) what expected (Figure.quantile q xs) in
  check "least" 1. 0. hundred;
  check "median" 50. 0.5 hundred;
  check "p99" 99. 0.99 hundred;
  check "greatest" 100. 1. hundred;
  check "p99 of few" 3. 0.99 [| 3.; 1.; 2. |];
  check "of one" 7. 0.5 [| 7. |];
  Alcotest.(check (float 0.)) "left as it was" 100. hundred.(0)

let times_and_rates_are_those_of_one_operation () =
  let check what titles values figures =
    Alcotest.(check (list string)) what titles (List.map title figures);
    check_floats what values (List.map value figures)
  in
  check "each" [ "locks"; "ns/lock" ] [ 4.; 5e8 ] (Figure.operations ~what:"lock" ~seconds:2. 4);
  check "rate" [ "messages"; "messages/s" ] [ 4.; 2. ] (Figure.per_second ~what:"message" ~seconds:2. 4);
  check "none" [ "locks" ] [ 0. ] (Figure.operations ~what:"lock" ~seconds:2. 0);
  check "delays"
    [
      "late median us";
      "late p99 us";
      "late max us";
      "late [1000, 1500) us";
      "late [2000, 3000) us";
      "late [7000, 10000) us";
    ]
    [ 2e3; 9e3; 9e3; 1.; 1.; 1. ]
    (Figure.distribution ~what:"late" [| 0.002; 0.009; 0.001 |]);
  check "the far end"
    [ "late median us"; "late p99 us"; "late p99.9 us"; "late max us" ]
    [ 2e6; 3e6; 3e6; 3e6 ]
    (List.filter
       (fun f -> Option.is_none (Figure.bucket_of_title (title f)))
       (Figure.distribution ~tail:true ~what:"late" [| 1.; 2.; 3. |]));
  check "no delays" [] [] (Figure.distribution ~what:"late" [||]);
  check "shares" [ "turns/s"; "max/min" ] [ 5.; 4. ] (Figure.shares ~what:"turn" ~seconds:2. [| 8; 2 |]);
  check "never is as once" [ "turns/s"; "max/min" ] [ 3.; 6. ]
    (Figure.shares ~what:"turn" ~seconds:2. [| 0; 6 |]);
  check "no shares" [] [] (Figure.shares ~what:"turn" ~seconds:2. [||])

(* The twin of a toy, with figures that depend on the round. *)
let measured_with ?(paced = false) figures =
  let toy = { (Toy.benchmark ~grain:Fixed ()) with paced } in
  let configs = Result.get_ok (Plan.make (choice [ toy ])) in
  let measured (config : Plan.config) =
    let is_plain = Contestant.is_plain config.contestant.role in
    let figures = if is_plain then [ []; []; [] ] else figures in
    { Runner.config; samples = List.map sample [ 3.; 1.; 2. ]; figures }
  in
  Row.of_measured (List.map measured configs)

let figure title value = { Figure.title; value }

let figures_are_medians_over_the_runs () =
  let runs = List.map (fun x -> [ figure "a" x; figure "b" (2. *. x) ]) [ 9.; 1.; 4. ] in
  let last = List.hd (List.rev (measured_with runs)) in
  Alcotest.(check (list string))
    "titles" [ "a"; "b" ]
    (List.map (fun (f : Row.figure) -> f.title) last.figures);
  check_floats "medians" [ 4.; 8. ] (List.map (fun (f : Row.figure) -> f.middle) last.figures);
  check_floats "runs" [ 9.; 1.; 4. ] (List.hd last.figures).values

let figures_are_columns_of_their_own_block () =
  let with_figures = measured_with (List.init 3 (fun _ -> [ figure "rate" 123456.7; figure "late" 0.126 ])) in
  let table = Table.render with_figures in
  let has part = Alcotest.(check bool) part true (contains part table) in
  List.iter has [ "  rate  late\n"; "  123457  0.13\n"; "     -     -\n" ];
  let others = List.map (fun (row : Row.t) -> { row with bench = "other"; figures = [] }) with_figures in
  let count part text = List.length (List.filter (contains part) (String.split_on_char '\n' text)) in
  Alcotest.(check int) "not elsewhere" 1 (count "rate" (Table.render (with_figures @ others)))

let paced_runs_are_not_compared () =
  let rows = measured_with ~paced:true [ []; []; [] ] in
  let none what get = Alcotest.(check int) what 0 (List.length (List.filter_map get rows)) in
  none "sequential" (fun (r : Row.t) -> r.ratio_to_sequential);
  none "default" (fun (r : Row.t) -> r.ratio_to_default);
  none "speed-up" (fun (r : Row.t) -> r.speed_up);
  let rows = measured_with [ []; []; [] ] in
  Alcotest.(check int) "others are" 3 (List.length (List.filter_map (fun (r : Row.t) -> r.speed_up) rows))

let figures_are_asked_of_right_results_only () =
  let asked = ref [] in
  let config answer : Plan.config =
    let config = List.hd (Result.get_ok (Plan.make (choice [ Toy.benchmark () ]))) in
    let work =
      Benchmark.Work
        {
          prepare = (fun () -> ());
          compute = (fun () -> answer);
          check = Benchmark.int_check ~expected:7;
          forks = None;
          figures =
            (fun ~seconds answer ->
              asked := (seconds, answer) :: !asked;
              [ figure "seconds" seconds ]);
        }
    in
    { config with work }
  in
  let run answer = Runner.run ~runs:2 ~progress:(fun ~round:_ _ -> ()) [ config answer ] in
  (match run 7 with
  | Error failure -> Alcotest.failf "%a" Runner.pp_failure failure
  | Ok measured ->
      let { Runner.samples; figures; _ } = List.hd measured in
      check_floats "the time of the same run"
        (List.map (fun (s : Meter.sample) -> s.seconds) samples)
        (List.map value (List.concat figures));
      Alcotest.(check (list int)) "of the result" [ 7; 7; 7 ] (List.map snd !asked));
  asked := [];
  Alcotest.(check bool) "wrong" true (Result.is_error (run 8));
  Alcotest.(check int) "not asked" 0 (List.length !asked)

(* {1 Counters} *)

let on_linux = Sys.file_exists "/proc/self/task"

let waiting_is_counted_as_voluntary_switches () =
  if on_linux then
    let (), sample =
      Meter.measure (fun () ->
          for _ = 1 to 5 do
            Unix.sleepf 0.002
          done)
    in
    match sample.switches with
    | None -> Alcotest.fail "no switches read"
    | Some { voluntary; _ } -> Alcotest.(check bool) "5 at least" true (voluntary >= 5)

let the_clock_measures_the_computation () =
  (* Other threads of the process may use the processor meanwhile. *)
  Testing.Watchdog.until_undisturbed "a fiber that sleeps takes no processor" @@ fun () ->
  let (), sample = Meter.measure (fun () -> Unix.sleepf 0.02) in
  Alcotest.(check bool) "wall time" true (sample.seconds >= 0.02);
  if sample.cpu_seconds < 0.015 then Ok () else Error (Printf.sprintf "%f s" sample.cpu_seconds)

let collections_are_counted () =
  let (), sample =
    Meter.measure (fun () ->
        for _ = 1 to 3 do
          Gc.full_major ()
        done)
  in
  Alcotest.(check bool) "minor" true (Option.get sample.minor_collections >= 3);
  Alcotest.(check bool) "major" true (Option.get sample.major_collections >= 3)

let case = Testing.Watchdog.case

let tests =
  [
    case "every round runs every configuration once" every_round_runs_every_configuration_once;
    case "what is compared runs in a row" what_is_compared_runs_in_a_row;
    case "no configuration is favoured by the order" no_configuration_is_favoured_by_the_order;
    case "measurements are interleaved" measurements_are_interleaved;
    case "the baseline is measured once for each size" the_baseline_is_measured_once_for_each_size;
    case "a plain program beside is measured once, and is no baseline"
      a_plain_program_beside_is_measured_once_and_no_baseline;
    case "the median is the middle" the_median_is_the_middle;
    case "ratios are to the sequential program of the same run"
      ratios_are_to_the_sequential_program_of_the_same_run;
    case "processor time is compared with that of the sequential program"
      processor_time_is_compared_with_that_of_the_sequential_program;
    case "speed-up is against one domain of the same case" speed_up_is_against_one_domain_of_the_same_case;
    case "without the sequential program there is no ratio" without_the_sequential_program_there_is_no_ratio;
    case "a forced chunk is compared with the default" a_forced_chunk_is_compared_with_the_default;
    case "time per fork is the median over the forks" time_per_fork_is_the_median_over_the_forks;
    case "every block of the table shows its baseline" every_block_of_the_table_shows_its_baseline;
    case "a quantile is the nearest rank" a_quantile_is_the_nearest_rank;
    case "times and rates are those of one operation" times_and_rates_are_those_of_one_operation;
    case "figures are medians over the runs" figures_are_medians_over_the_runs;
    case "figures are columns of their own block" figures_are_columns_of_their_own_block;
    case "paced runs are not compared" paced_runs_are_not_compared;
    case "figures are asked of right results only" figures_are_asked_of_right_results_only;
    case "waiting is counted as voluntary switches" waiting_is_counted_as_voluntary_switches;
    case "the clock measures the computation" the_clock_measures_the_computation;
    case "collections are counted" collections_are_counted;
  ]
