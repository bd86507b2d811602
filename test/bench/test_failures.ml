open Testing.Text

let check_code = Alcotest.(check int)

(* In the dev profile the command warns that its times are no benchmark figures. *)
let without_profile_warning err = List.filter (fun line -> not (contains "dev profile" line)) (lines err)

(* [failing when_] fails in each run for which [when_ run params] holds; runs count from 0, which is the
   warm-up. *)
let failing ?name when_ =
  let runs = Hashtbl.create 4 in
  let answer (p : Weft_bench_harness.Benchmark.params) =
    let run = Option.value (Hashtbl.find_opt runs p) ~default:0 in
    Hashtbl.replace runs p (run + 1);
    if when_ run p then failwith "broken" else p.size
  in
  Toy.benchmark ?name ~answer ()

let is_twin (c : Weft_bench_harness.Contestant.t) = c.name = "twin"
let twin_is_rival = { Weft_bench.Measure.no_rivals with is_rival = is_twin }

let of_json out =
  let open Yojson.Safe.Util in
  let json = Yojson.Safe.from_string out in
  let row r =
    (to_string (member "bench" r), to_string (member "method" r), List.length (to_list (member "seconds" r)))
  in
  let missing m = (to_string (member "name" m), to_string (member "reason" m)) in
  let header = member "header" json in
  ( List.map row (to_list (member "rows" json)),
    List.map missing (to_list (member "missing" header)),
    to_bool (member "interrupted" header) )

let check_rows = Alcotest.(check (list (triple string string int)))

let a_rival_that_fails_costs_nobody_else_a_figure () =
  let dropped_in when_ =
    let other = Toy.benchmark ~name:"other" () in
    let { Toy.code; out; err } =
      Toy.bench ~rivals:twin_is_rival
        [ failing when_; other ]
        [ "--cutoff"; "3"; "--domains"; "1,2"; "--runs"; "2"; "--json"; "-" ]
    in
    let rows, missing, interrupted = of_json out in
    check_code "exit code" 1 code;
    check_rows "rows"
      [ ("toy", "sequential", 2); ("other", "sequential", 2); ("other", "twin", 2); ("other", "twin", 2) ]
      rows;
    let failure = "toy 7, cutoff 3, twin, 2 domains: ended with an exception: Failure(\"broken\")" in
    Alcotest.(check (list (pair string string))) "missing" [ ("twin in toy", "failed: " ^ failure) ] missing;
    Alcotest.(check bool) "complete" false interrupted;
    Alcotest.(check (list string))
      "messages"
      [ "weft bench: " ^ failure; "weft bench: twin takes no further part in toy; the others go on" ]
      (without_profile_warning err)
  in
  dropped_in (fun run p -> run = 0 && p.domains = 2);
  dropped_in (fun run p -> run = 1 && p.domains = 2);
  dropped_in (fun run p -> run = 2 && p.domains = 2)

let if_all_fail_nothing_is_written () =
  Toy.in_folder @@ fun folder ->
  let { Toy.code; out; _ } =
    Toy.bench ~rivals:twin_is_rival
      [ failing (fun _ _ -> true) ]
      [ "--cutoff"; "3"; "--domains"; "1"; "--method"; "twin"; "--json"; Filename.concat folder "out.json" ]
  in
  check_code "exit code" 1 code;
  Alcotest.(check string) "no table" "" out;
  Alcotest.(check (array string)) "no file" [||] (Sys.readdir folder)

let a_failure_keeps_what_was_measured () =
  let { Toy.code; out; err } =
    Toy.bench
      [ failing (fun run _ -> run = 2) ]
      [ "--cutoff"; "3"; "--domains"; "1"; "--runs"; "3"; "--json"; "-" ]
  in
  let rows, missing, interrupted = of_json out in
  check_code "exit code" 1 code;
  check_rows "rows" [ ("toy", "sequential", 1); ("toy", "twin", 1) ] rows;
  Alcotest.(check int) "nobody is missing" 0 (List.length missing);
  Alcotest.(check bool) "marked" true interrupted;
  Alcotest.(check (option string))
    "what failed"
    (Some "toy 7, cutoff 3, twin, 1 domain: ended with an exception: Failure(\"broken\")")
    Yojson.Safe.Util.(to_string_option (member "failed" (member "header" (Yojson.Safe.from_string out))));
  check_contains "message" ~part:"weft bench: ended by this: 1 of 3 rounds complete and kept" err

(* In the first round, the rows measured before the one that fails are kept. *)
let a_failure_in_the_first_round_keeps_the_others () =
  let benchmarks = List.init 8 (fun i -> Toy.benchmark ~name:(Printf.sprintf "toy%d" i) ()) in
  let { Toy.code; out; err } =
    Toy.bench
      (failing ~name:"bad" (fun run _ -> run = 1) :: benchmarks)
      [ "--cutoff"; "3"; "--domains"; "1"; "--runs"; "3"; "--json"; "-" ]
  in
  let rows, _, interrupted = of_json out in
  check_code "exit code" 1 code;
  Alcotest.(check bool) "some are kept" true (rows <> []);
  Alcotest.(check bool)
    "not the one that failed" false
    (List.exists (fun (b, m, _) -> b = "bad" && m = "twin") rows);
  Alcotest.(check bool) "marked" true interrupted;
  check_contains "message" ~part:"in the first round: " err

let case = Testing.Watchdog.case

let tests =
  [
    case "a rival that fails costs nobody else a figure" a_rival_that_fails_costs_nobody_else_a_figure;
    case "if all fail nothing is written" if_all_fail_nothing_is_written;
    case "a failure keeps what was measured" a_failure_keeps_what_was_measured;
    case "a failure in the first round keeps the others" a_failure_in_the_first_round_keeps_the_others;
  ]
