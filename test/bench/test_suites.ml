open Weft_bench_harness
open Weft_bench_suites

let fib_has_its_known_values () =
  Alcotest.(check (list int)) "first" [ 0; 1; 1; 2; 3; 5; 8 ] (List.init 7 Fib.value);
  Alcotest.(check int) "40" 102_334_155 (Fib.value 40)

let forks_of_fib_are_its_inner_calls () =
  let rec inner n = if n < 2 then 0 else 1 + inner (n - 1) + inner (n - 2) in
  for n = 0 to 20 do
    Alcotest.(check int) (string_of_int n) (inner n) (Fib.forks n)
  done;
  (* All calls of a binary tree with that many inner nodes. *)
  Alcotest.(check int) "calls of fib 40" 331_160_281 ((2 * Fib.forks 40) + 1)

let nqueens_has_its_known_values () =
  Alcotest.(check int) "13" 73_712 Nqueens.values.(13);
  Alcotest.(check int) "14" 365_596 Nqueens.values.(14)

(* Every configuration once; the runner checks the results. *)
let every_method_is_right_at_every_small_size (benchmark : Benchmark.t) () =
  let least, _ = benchmark.sizes in
  for size = least to 8 do
    let choice : Plan.choice =
      {
        benchmarks = [ benchmark ];
        methods = None;
        domains = [ 1; 2; 3 ];
        cutoffs = Some [ None; Some 1; Some 2; Some 5; Some 100 ];
        size = Some size;
      }
    in
    let configs = Result.get_ok (Plan.make choice) in
    match Runner.run ~runs:1 ~progress:(fun ~round:_ _ -> ()) configs with
    | Ok _ -> ()
    | Error failure -> Alcotest.failf "%a" Runner.pp_failure failure
  done

let parts_are_summed_by_any_number_of_domains () =
  for domains = 1 to 4 do
    let parts = List.init 100 Fun.id in
    Alcotest.(check int)
      "sum of squares" 328_350
      (Weft_bench_contestants.Domain_spawn.sum ~domains (fun i -> i * i) parts);
    Alcotest.(check int) "nothing" 0 (Weft_bench_contestants.Domain_spawn.sum ~domains Fun.id [])
  done

let case name f = Alcotest.test_case name `Quick f

let tests =
  [
    case "fib has its known values" fib_has_its_known_values;
    case "forks of fib are its inner calls" forks_of_fib_are_its_inner_calls;
    case "nqueens has its known values" nqueens_has_its_known_values;
    case "every method of fib is right at every small size"
      (every_method_is_right_at_every_small_size Fib.benchmark);
    case "every method of nqueens is right at every small size"
      (every_method_is_right_at_every_small_size Nqueens.benchmark);
    case "parts are summed by any number of domains" parts_are_summed_by_any_number_of_domains;
  ]
