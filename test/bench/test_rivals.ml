open Weft_bench_harness
open Weft_bench_rivals
open Testing.Text

(* {1 The laws of the signature} *)

exception Stop of int

module Laws (R : Rival.S) = struct
  let in_pool f = List.map (fun domains -> R.run ~domains f) [ 1; 3 ]

  let check typ what expected f =
    List.iter (fun got -> Alcotest.check typ (R.name ^ ": " ^ what) expected got) (in_pool f)

  let tasks () =
    check Alcotest.int "async, await" 5_050 (fun pool ->
        let promises = List.init 100 (fun i -> R.async pool (fun () -> i + 1)) in
        List.fold_left (fun sum promise -> sum + R.await pool promise) 0 promises);
    check Alcotest.(pair int string) "par" (1, "two") (fun pool -> R.par pool (fun () -> 1) (fun () -> "two"));
    let rec fib pool n =
      if n < 2 then n
      else
        let a, b = R.par pool (fun () -> fib pool (n - 1)) (fun () -> fib pool (n - 2)) in
        a + b
    in
    check Alcotest.int "nested" 610 (fun pool -> fib pool 15)

  let loops () =
    let marks ?chunk_size start finish pool =
      let counts = Array.make 1_000 0 in
      R.parallel_for pool ?chunk_size ~start ~finish ~body:(fun i -> counts.(i) <- counts.(i) + 1) ();
      counts
    in
    let once start finish = Array.init 1_000 (fun i -> if start <= i && i <= finish then 1 else 0) in
    let loop ?chunk_size start finish =
      check Alcotest.(array int) "for" (once start finish) (marks ?chunk_size start finish)
    in
    loop 0 999;
    loop 7 7;
    loop 7 6;
    loop ~chunk_size:1 3 40;
    loop ~chunk_size:64 3 999

  let reductions () =
    let sum ?chunk_size start finish pool =
      R.reduce pool ?chunk_size ~start ~finish ~body:(fun i -> i * i) ( + ) 0
    in
    check Alcotest.int "sum" 333_833_500 (sum 1 1_000);
    check Alcotest.int "sum in chunks" 333_833_500 (sum ~chunk_size:7 1 1_000);
    check Alcotest.int "sum of nothing" 0 (sum 1 0);
    match R.scan with
    | None -> ()
    | Some scan ->
        let check what n =
          let sums = Array.init n (fun i -> (i + 1) * (i + 2) / 2) in
          check Alcotest.(array int) what sums (fun pool -> scan pool ( + ) (Array.init n (fun i -> i + 1)))
        in
        check "scan" 1_000;
        check "scan of few" 2;
        check "scan of nothing" 0

  let failures () =
    let raises what f =
      let stop = try in_pool f with Stop n -> [ n ] in
      Alcotest.(check (list int)) (R.name ^ ": " ^ what) [ 7 ] stop
    in
    raises "await" (fun pool -> R.await pool (R.async pool (fun () -> raise (Stop 7))));
    raises "par" (fun pool -> fst (R.par pool (fun () -> raise (Stop 7)) (fun () -> 1)));
    raises "run" (fun _ -> raise (Stop 7))

  let all () =
    tasks ();
    loops ();
    reductions ();
    failures ()
end

(* Uses promises, as rivals do that have only fork and join. *)
module Halved : Rival.S = struct
  include Weft_rival.Weft_rival

  let name = "halved"
  let forks_by = `Async
  let fork pool = { Halving.par = (fun f g -> par pool f g) }

  let chunk chunk_size ~start ~finish =
    Option.value chunk_size ~default:(Halving.default_chunk ~domains:3 ~start ~finish)

  let parallel_for pool ?chunk_size ~start ~finish ~body () =
    Halving.for_ (fork pool) ~chunk_size:(chunk chunk_size ~start ~finish) ~start ~finish ~body

  let reduce pool ?chunk_size ~start ~finish ~body combine init =
    Halving.reduce (fork pool) ~chunk_size:(chunk chunk_size ~start ~finish) ~start ~finish ~body combine init

  let scan = None
end

let the_laws_hold (module R : Rival.S) () =
  let module Laws = Laws (R) in
  Laws.all ()

(* {1 The benchmarks} *)

(* A quick size for each benchmark. *)
let small = function "fib" -> 12 | "for_irregular" -> 2 | _ -> 6

let every_way_computes_what_is_right (module R : Rival.S) () =
  let run (name, (way : Benchmark.way)) =
    let one cutoff domains =
      match way.work { size = small name; cutoff; domains } with
      | None -> 0
      | Some (Work { prepare; compute; check; _ }) ->
          let input = prepare () in
          let result = way.contestant.inside ~domains (fun () -> compute input) in
          Alcotest.(check bool) (Printf.sprintf "%s: %s" R.name name) true (Result.is_ok (check result));
          1
    in
    let ran = one None 1 + one None 2 + one (Some 3) 2 in
    Alcotest.(check bool) (name ^ " ran") true (ran > 0 || String.starts_with ~prefix:"channel_n_n" name)
  in
  let ways = Rivals.ways [ Present (module R) ] in
  List.iter run ways;
  let known = List.map (fun (b : Benchmark.t) -> b.name) Weft_bench_suites.Suites.all in
  List.iter (fun (name, _) -> Alcotest.(check bool) (name ^ " is known") true (List.mem name known)) ways

let a_broken_rival_is_found () =
  let module Broken = struct
    include Sequential_rival.Sequential_rival

    let name = "broken"

    let reduce pool ?chunk_size ~start ~finish ~body combine init =
      reduce pool ?chunk_size ~start ~finish:(finish - 1) ~body combine init

    let parallel_for pool ?chunk_size ~start ~finish ~body () =
      parallel_for pool ?chunk_size ~start:(start + 1) ~finish ~body ()
  end in
  let is_right (name, (way : Benchmark.way)) =
    match way.work { size = small name; cutoff = None; domains = 1 } with
    | None -> true
    | Some (Work { prepare; compute; check; _ }) ->
        let input = prepare () in
        Result.is_ok (check (way.contestant.inside ~domains:1 (fun () -> compute input)))
  in
  let right = List.filter is_right (Rivals.ways [ Present (module Broken) ]) in
  Alcotest.(check (list string))
    "found right"
    [ "fib"; "nqueens"; "small_trees"; "independent_tasks"; "spawn_await"; "spawn_await_many"; "scan" ]
    (List.map fst right)

(* {1 Missing} *)

let missing : Contestant.missing = { name = "absent"; reason = "nobody has it"; benchmarks = [ "toy" ] }

let what_is_missing_is_said () =
  let bench arguments =
    Toy.bench ~missing:[ missing ] [ Toy.benchmark (); Toy.benchmark ~name:"other" () ] arguments
  in
  let { Toy.code; out; _ } = bench [ "--list" ] in
  Alcotest.(check int) "list" 0 code;
  check_contains "message" ~part:"\nMissing, or left out\nabsent: nobody has it\n" out;
  let { Toy.code; out; _ } = bench [ "toy"; "--runs"; "1" ] in
  Alcotest.(check int) "run" 0 code;
  check_contains "message" ~part:"\nMissing: absent: nobody has it\n" out;
  let others = [ { missing with name = "gone"; reason = "it left" }; { missing with name = "far" } ] in
  let { Toy.out; _ } = Toy.bench ~missing:(missing :: others) [ Toy.benchmark () ] [ "toy"; "--runs"; "1" ] in
  check_contains "message" ~part:"\nMissing: absent, far: nobody has it\nMissing: gone: it left\n" out;
  let { Toy.out; _ } = bench [ "toy"; "--runs"; "1"; "--json=-" ] in
  let open Yojson.Safe.Util in
  let listed out = Yojson.Safe.from_string out |> member "header" |> member "missing" |> to_list in
  Alcotest.(check (list (pair string string)))
    "JSON"
    [ ("absent", "nobody has it") ]
    (List.map (fun m -> (to_string (member "name" m), to_string (member "reason" m))) (listed out));
  (* It is not listed where it takes no part, or where others have been chosen. *)
  List.iter
    (fun arguments ->
      let { Toy.out; _ } = bench (arguments @ [ "--runs"; "1"; "--json=-" ]) in
      Alcotest.(check int) "none missed" 0 (List.length (listed out)))
    [ [ "other" ]; [ "toy"; "--method"; "twin" ] ];
  let { Toy.code; err; _ } = bench [ "toy"; "--method"; "absent" ] in
  Alcotest.(check int) "chosen" 2 code;
  check_contains "message" ~part:"the method 'absent' is missing: nobody has it" err

let each_rival_is_present_or_missing () =
  let name = function Rival.Present (module R) -> R.name | Missing { name; _ } -> name in
  Alcotest.(check (list string))
    "all"
    [ "domainslib"; "moonpool-ws"; "moonpool-fifo"; "picos" ]
    (List.map name Rivals.all);
  List.iter
    (fun (m : Contestant.missing) ->
      Alcotest.(check bool) (m.name ^ " has a reason") true (m.reason <> "");
      Alcotest.(check bool) (m.name ^ " would be in fib") true (List.mem "fib" m.benchmarks))
    (Rivals.missing Rivals.all)

let present = List.filter_map (function Rival.Present r -> Some r | Missing _ -> None) Rivals.all

let tests =
  let of_rival ((module R : Rival.S) as rival) =
    [
      Testing.Watchdog.case (R.name ^ ": the laws hold") (the_laws_hold rival);
      Testing.Watchdog.case
        (R.name ^ ": every way computes what is right")
        (every_way_computes_what_is_right rival);
    ]
  in
  List.concat_map of_rival
    ([ (module Sequential_rival.Sequential_rival : Rival.S); (module Weft_rival.Weft_rival); (module Halved) ]
    @ present)
  @ [
      Testing.Watchdog.case "a broken rival is found" a_broken_rival_is_found;
      Testing.Watchdog.case "what is missing is said" what_is_missing_is_said;
      Testing.Watchdog.case "each rival is present or missing" each_rival_is_present_or_missing;
    ]
