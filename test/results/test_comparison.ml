open Weft_bench_harness
open Weft_bench_results

(* [compare a b] through files, as the command does. *)
let compare ?(limits = Comparison.usual) ?(ratios = false) a b =
  Made.in_folder @@ fun folder ->
  let a = Made.file folder "a.json" a and b = Made.file folder "b.json" b in
  let a, b = Result.get_ok (Side.read_pair ~ratios a b) in
  Comparison.compare limits a b

let json rows = Results.to_json (Made.results rows)

let verdicts (t : Comparison.t) =
  List.map (fun (line : Comparison.line) -> Comparison.verdict_name line.verdict) t.lines

let ratios (t : Comparison.t) = List.map (fun (line : Comparison.line) -> line.ratio) t.lines
let check_verdicts = Alcotest.(check (list string))
let check_ratios = Alcotest.(check (list (option (float 1e-9))))
let five = [ 1.; 1.01; 1.02; 1.03; 1.04 ]
let times factor = List.map (fun x -> x *. factor)

(* {1 Verdicts} *)

let one ?limits a b = verdicts (compare ?limits (json [ Made.row a ]) (json [ Made.row b ]))

let a_verdict_needs_both_size_and_significance () =
  check_verdicts "twice as long" [ "slower" ] (one five (times 2. five));
  check_verdicts "half as long" [ "faster" ] (one five (times 0.5 five));
  check_verdicts "the same" [ "same" ] (one five five);
  check_verdicts "significant, but below the threshold" [ "same" ] (one five (times 1.045 five));
  check_verdicts "far, but not significant" [ "same" ] (one five [ 0.5; 0.6; 1.5; 2.; 3. ]);
  let limits = { Comparison.threshold = 1.; alpha = 0.05 } in
  check_verdicts "no threshold" [ "slower" ] (one ~limits five (times 1.045 five));
  let limits = { Comparison.threshold = 3.; alpha = 0.05 } in
  check_verdicts "a high threshold" [ "same" ] (one ~limits five (times 2. five));
  let limits = { Comparison.threshold = 2.; alpha = 0.05 } in
  check_verdicts "just at the threshold" [ "slower" ] (one ~limits five (times 2. five));
  check_verdicts "just at the threshold, the other way" [ "faster" ] (one ~limits five (times 0.5 five))

let runs n = List.init n (fun i -> 1. +. (float_of_int i /. 1000.))

let too_few_runs_are_no_verdict () =
  let twice_nearly = times 1.9 in
  check_verdicts "three and four" [ "too few runs" ] (one (runs 3) (twice_nearly (runs 4)));
  check_verdicts "four and four" [ "slower" ] (one (runs 4) (twice_nearly (runs 4)));
  check_verdicts "three and five" [ "slower" ] (one (runs 3) (twice_nearly (runs 5)));
  check_verdicts "one and a hundred" [ "slower" ] (one [ 1. ] (twice_nearly (runs 100)));
  let limits = { Comparison.usual with alpha = 0.01 } in
  check_verdicts "a smaller alpha needs more" [ "too few runs" ]
    (one ~limits (runs 4) (twice_nearly (runs 4)));
  check_verdicts "one run may be the disturbed one" [ "too few runs" ] (one (runs 1) [ 68. ])

let a_few_runs_far_apart_are_a_verdict () =
  check_verdicts "68 times, three and three" [ "slower" ] (one (runs 3) (times 68. (runs 3)));
  check_verdicts "equal ones among them" [ "slower" ] (one [ 1.; 1.; 1.1 ] [ 68.; 68.; 71. ]);
  check_verdicts "the other way" [ "faster" ] (one (times 68. (runs 3)) (runs 3));
  check_verdicts "two and two" [ "slower" ] (one (runs 2) (times 2.1 (runs 2)));
  check_verdicts "one of them is as before" [ "too few runs" ] (one (runs 3) [ 68.; 69.; 1. ]);
  check_verdicts "they differ as much among each other" [ "too few runs" ] (one (runs 3) [ 3.; 4.; 68. ]);
  check_verdicts "so do the others" [ "too few runs" ] (one [ 1.; 2.; 30. ] [ 68.; 69.; 70. ]);
  let limits = { Comparison.usual with threshold = 100. } in
  check_verdicts "below the threshold" [ "same" ] (one ~limits (runs 3) (times 68. (runs 3)));
  let limits = { Comparison.usual with alpha = 0.2 } in
  check_verdicts "enough for this alpha" [ "slower" ] (one ~limits (runs 3) (times 1.9 (runs 3)));
  let rate values =
    Made.row ~bench:"wake" ~grain:Fixed ~paced:true ~figures:[ ("messages/s", values) ] five
  in
  check_verdicts "a rate" [ "slower" ]
    (verdicts (compare (json [ rate (times 68. (runs 3)) ]) (json [ rate (runs 3) ])))

let what_was_stopped_is_slower () =
  let stopped = Made.row ~figures:[ (Row.over_limit_title, [ 1. ]) ] [ 20. ] in
  let rows a b = verdicts (compare (json [ a ]) (json [ b ])) in
  check_verdicts "only in B" [ "slower" ] (rows (Made.row [ 1. ]) stopped);
  check_verdicts "only in A" [ "faster" ] (rows stopped (Made.row [ 1. ]));
  check_verdicts "in both" [ "too few runs" ] (rows stopped stopped);
  check_verdicts "a limit below the other's time" [ "too few runs" ] (rows (Made.row [ 30. ]) stopped)

let times_of_nothing_have_no_ratio () =
  let paced times =
    Made.row ~bench:"wake" ~grain:Fixed ~paced:true ~figures:[ ("late p99 us", times) ] five
  in
  let t = compare (json [ paced [ 0.; 0.; 0.; 0. ] ]) (json [ paced [ 1.; 1.1; 1.2; 1.3 ] ]) in
  check_ratios "no ratio" [ None ] (ratios t);
  check_verdicts "slower" [ "slower" ] (verdicts t);
  Alcotest.(check (option (float 0.))) "no mean" None (Comparison.geometric_mean ~plain:false t)

(* {1 Which rows} *)

let rows_belong_together_by_all_that_was_chosen () =
  let base = Made.row five in
  let variants =
    [
      { base with bench = "nqueens" };
      { base with method_ = "async" };
      { base with domains = 1 };
      { base with cutoff = Some 20 };
      { base with size = 31 };
      (* The benchmark has no cutoff, so none is printed. *)
      Made.plain five;
    ]
  in
  let t = compare (json (base :: variants)) (json (List.rev (base :: variants))) in
  check_verdicts "all found, in the order of A" (List.map (fun _ -> "same") (base :: variants)) (verdicts t);
  let alone = compare (json (base :: variants)) (json [ base ]) in
  Alcotest.(check int) "one in both" 1 (List.length alone.lines);
  Alcotest.(check (list string))
    "only in A"
    [
      "nqueens 30, no cutoff, par, 2 domains";
      "fib 30, no cutoff, async, 2 domains";
      "fib 30, no cutoff, par, 1 domain";
      "fib 30, cutoff 20, par, 2 domains";
      "fib 31, no cutoff, par, 2 domains";
      "fib 30, sequential, 1 domain";
    ]
    (List.map Side.describe alone.only_a);
  Alcotest.(check int) "only in B" 0 (List.length alone.only_b);
  let turned = compare (json [ base ]) (json (base :: variants)) in
  Alcotest.(check int) "turned round" 6 (List.length turned.only_b)

let paced_rows_are_compared_by_their_figures () =
  let paced figures = Made.row ~bench:"wake" ~grain:Fixed ~paced:true ~figures five in
  let a =
    paced [ ("late p99 us", five); ("messages/s", five); ("jobs", five); ("extra us", times (-1.) five) ]
  and b =
    paced
      [
        ("late p99 us", times 2. five);
        ("messages/s", times 2. five);
        ("jobs", times 2. five);
        ("extra us", five);
      ]
  in
  let t = compare (json [ a ]) (json [ b ]) in
  let measures (t : Comparison.t) =
    List.map (fun (line : Comparison.line) -> Side.measure_name line.row.subject.measure) t.lines
  in
  Alcotest.(check (list string)) "those that are times or rates" [ "late p99 us"; "messages/s" ] (measures t);
  check_verdicts "a time is worse higher, a rate better" [ "slower"; "faster" ] (verdicts t);
  check_ratios "above 1 is slower" [ Some 2.; Some 0.5 ] (ratios t)

(* {1 Ratios} *)

let ratios_are_taken_round_by_round () =
  (* The machine was three times as slow in the second round, and is four times as slow in B. *)
  let plain = [ 1.; 3.; 1.; 1.1; 0.9 ] in
  let a = [ Made.plain plain; Made.row (times 4. plain) ] in
  let b = [ Made.plain (times 4. plain); Made.row (times 16. plain) ] in
  let t = compare ~ratios:true (json a) (json b) in
  let values (side : Side.t) = List.map (fun (row : Side.row) -> row.values) side.rows in
  Alcotest.(check (list (list (float 1e-9)))) "A" [ [ 4.; 4.; 4.; 4.; 4. ] ] (values t.a);
  check_ratios "unchanged" [ Some 1. ] (ratios t);
  check_verdicts "the same" [ "same" ] (verdicts t);
  check_verdicts "by times" [ "slower"; "slower" ] (verdicts (compare (json a) (json b)))

let rows_without_a_ratio_are_counted () =
  let rows =
    [
      Made.plain five;
      Made.row five;
      Made.row ~bench:"iota" five;
      Made.row ~size:31 five;
      Made.row ~paced:true ~method_:"async" five;
    ]
  in
  let t = compare ~ratios:true (json rows) (json rows) in
  Alcotest.(check int) "one has a ratio" 1 (List.length t.lines);
  Alcotest.(check int) "left out" 3 t.a.without_ratio

let a_shorter_series_is_paired_from_the_first_round () =
  let rows = Made.results [ Made.plain [ 1.; 2. ]; Made.row [ 2.; 4.; 100. ] ] in
  Alcotest.(check (list (float 1e-9)))
    "two rounds" [ 2.; 2. ]
    (Baseline.ratios rows.rows (List.nth rows.rows 1))

(* {1 Means} *)

let the_mean_of_ratios_is_geometric () =
  let rows factors =
    Made.plain (times (List.nth factors 0) five)
    :: List.mapi (fun i factor -> Made.row ~size:(30 + i) (times factor five)) (List.tl factors)
  in
  let t = compare (json (rows [ 1.; 1.; 1.; 1. ])) (json (rows [ 3.; 4.; 0.5; 4. ])) in
  let check = Alcotest.(check (option (float 1e-9))) in
  check "contenders" (Some 2.) (Comparison.geometric_mean ~plain:false t);
  check "plain programs" (Some 3.) (Comparison.geometric_mean ~plain:true t)

(* {1 Differences} *)

let differences_of_machine_and_compiler_are_told () =
  let h = Made.header in
  let told header =
    (compare (json [ Made.row five ]) (Results.to_json (Made.results ~header [ Made.row five ]))).differences
  in
  let check what expected header = Alcotest.(check (list string)) what expected (told header) in
  check "none" [] { h with date = "2026-02-01T00:00:00Z"; load_before = None; runs = 7 };
  check "machine"
    [ "processor: A processor and unknown"; "processors: 2 and 8"; "processor quota: none and 1.5" ]
    { h with machine = { h.machine with model = None; affinity = Some 8; quota = Some 1.5 } };
  check "compiler"
    [ "OCaml: 5.3.0 and 5.4.0"; "flambda: false and true"; "profile: release and dev" ]
    { h with compiler = { h.compiler with version = "5.4.0"; flambda = true; profile = "dev" } };
  check "settings"
    [
      "minor heap: 262144 words and 32768 words"; "fence: thief and owner"; "OCAMLRUNPARAM: not set and s=32k";
    ]
    { h with minor_heap_words = 32_768; fence = "owner"; environment = [ ("OCAMLRUNPARAM", Some "s=32k") ] }

(* {1 Baselines} *)

let baseline = Result.get_ok (Baseline.of_results Made.sample)

let a_baseline_has_what_stands_beside_its_sequential_program () =
  let named (row : Baseline.row) =
    Printf.sprintf "%s %s %d %s" row.bench row.method_ row.domains
      (Option.fold ~none:"-" ~some:string_of_int row.cutoff)
  in
  Alcotest.(check (list string))
    "rows"
    [ "fib par 1 -"; "fib par 2 -"; "fib par 2 20" ]
    (List.map named baseline.rows);
  let speed_ups = List.map (fun (row : Baseline.row) -> row.speed_up) baseline.rows in
  Alcotest.(check (list (option (float 1e-9)))) "speed-ups" [ Some 1.; Some (0.22 /. 0.15); None ] speed_ups;
  Alcotest.(check bool) "its kind" true (baseline.header.kind = Baseline);
  let alone = Made.results [ Made.row five ] in
  Alcotest.(check bool) "nothing" true (Result.is_error (Baseline.of_results alone))

let a_baseline_is_read_the_same_and_strictly () =
  let json = Baseline.to_json baseline in
  Alcotest.(check bool) "the same" true (Baseline.of_json json = Ok baseline);
  let refused path value expected =
    match Baseline.of_json (Made.set path value json) with
    | Ok _ -> Alcotest.failf "%s: taken" path
    | Error reason -> Alcotest.(check string) path (path ^ ": " ^ expected) reason
  in
  refused "rows" (`List []) "the list is empty";
  refused "rows[0].ratios" (`List []) "the list is empty";
  refused "rows[0].ratios[1]" (`Float Float.nan) "expected a finite number, found nan";
  refused "rows[0].ratio" (`Float 7.) "7 is not the median of 'ratios', 1.83333";
  refused "rows[0].role" (`String "baseline")
    {|expected one of "beside", "contender", found the text "baseline"|};
  refused "header.kind" (`String "bench") "not a stored baseline, but results"

let a_baseline_is_compared_by_ratios () =
  let stored = Baseline.to_json baseline in
  let slower =
    List.map
      (fun (row : Row.t) -> if row.cutoff = Some 20 then Made.row ~cutoff:20 (times 2. row.seconds) else row)
      Made.sample.rows
  in
  check_verdicts "before" [ "same"; "same"; "same" ] (verdicts (compare stored (Results.to_json Made.sample)));
  check_verdicts "after" [ "same"; "same"; "slower" ] (verdicts (compare stored (json slower)));
  check_verdicts "turned round" [ "same"; "same"; "faster" ] (verdicts (compare (json slower) stored))

let case = Testing.Watchdog.case

let tests =
  [
    case "a verdict needs both size and significance" a_verdict_needs_both_size_and_significance;
    case "too few runs are no verdict" too_few_runs_are_no_verdict;
    case "a few runs that lie far apart are one" a_few_runs_far_apart_are_a_verdict;
    case "what was stopped is slower" what_was_stopped_is_slower;
    case "times of nothing have no ratio" times_of_nothing_have_no_ratio;
    case "rows belong together by all that was chosen" rows_belong_together_by_all_that_was_chosen;
    case "paced rows are compared by their figures" paced_rows_are_compared_by_their_figures;
    case "ratios are taken round by round" ratios_are_taken_round_by_round;
    case "rows without a ratio are counted" rows_without_a_ratio_are_counted;
    case "a shorter series is paired from the first round" a_shorter_series_is_paired_from_the_first_round;
    case "the mean of ratios is geometric" the_mean_of_ratios_is_geometric;
    case "differences of machine and compiler are told" differences_of_machine_and_compiler_are_told;
    case "a baseline has what stands beside its sequential program"
      a_baseline_has_what_stands_beside_its_sequential_program;
    case "a baseline is read the same, and strictly" a_baseline_is_read_the_same_and_strictly;
    case "a baseline is compared by ratios" a_baseline_is_compared_by_ratios;
  ]
