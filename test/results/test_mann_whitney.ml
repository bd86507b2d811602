open Weft_bench_results

let check_p what expected (test : Mann_whitney.t) = Alcotest.(check (float 1e-12)) what expected test.p

(* [with_u m n u]: samples of [m] and [n] different values whose statistic is [u]. *)
let with_u m n u =
  let rec ranks i left = if i = 0 then [] else ranks (i - 1) (left - min n left) @ [ i + min n left ] in
  let chosen = ranks m u in
  let others = List.filter (fun rank -> not (List.mem rank chosen)) (List.init (m + n) succ) in
  (List.map float_of_int chosen, List.map float_of_int others)

(* The greatest u that is significant at 0.05, two-sided: the table in textbooks since Mann and Whitney
   (1947) and D. Auble (1953). *)
let critical =
  [ (4, 4, 0); (3, 5, 0); (5, 5, 2); (6, 6, 5); (7, 7, 8); (8, 8, 13); (9, 9, 17); (10, 10, 23); (5, 8, 6); (7, 9, 12); (20, 20, 127) ]
[@@ocamlformat "disable"]

let critical_values_are_those_of_the_tables () =
  let check (m, n, u) =
    let test u =
      let xs, ys = with_u m n u in
      Mann_whitney.test xs ys
    in
    let what = Printf.sprintf "%d and %d runs, u %d" m n u in
    Alcotest.(check (float 0.)) what (float_of_int u) (test u).u;
    Alcotest.(check bool) (what ^ ": exact") true (test u).exact;
    Alcotest.(check bool) (what ^ " is significant") true ((test u).p <= 0.05);
    Alcotest.(check bool) (what ^ " + 1 is not") true ((test (u + 1)).p > 0.05);
    let mirrored = test ((m * n) - u) in
    Alcotest.(check (float 1e-15)) (what ^ ": the other end") (test u).p mirrored.p
  in
  List.iter check critical

(* Every choice of [m] of the values is equally likely: counts those at least as extreme on the same side,
   twice. *)
let by_counting xs ys =
  let rec choices k before = function
    | rest when k = 0 -> [ ([], List.rev_append before rest) ]
    | [] -> []
    | x :: rest ->
        List.map (fun (chosen, others) -> (x :: chosen, others)) (choices (k - 1) before rest)
        @ choices k (x :: before) rest
  in
  let doubled_u (xs, ys) =
    let score x = List.fold_left (fun sum y -> sum + 1 + Float.compare x y) 0 ys in
    List.fold_left (fun sum x -> sum + score x) 0 xs
  in
  let all = List.map doubled_u (choices (List.length xs) [] (xs @ ys)) in
  let u = doubled_u (xs, ys) in
  let count test = List.length (List.filter test all) in
  let tail = min (count (fun other -> other <= u)) (count (fun other -> other >= u)) in
  Float.min 1. (2. *. float_of_int tail /. float_of_int (List.length all))

let small_samples_are_counted_out () =
  for m = 1 to 5 do
    for n = 1 to 5 do
      for u = 0 to m * n do
        let xs, ys = with_u m n u in
        check_p (Printf.sprintf "%d %d %d" m n u) (by_counting xs ys) (Mann_whitney.test xs ys)
      done
    done
  done

let equal_values_are_counted_out () =
  let random = Random.State.make [| 17 |] in
  let value _ = float_of_int (Random.State.int random 4) in
  for m = 1 to 5 do
    for n = 1 to 5 do
      for round = 1 to 20 do
        let xs = List.init m value and ys = List.init n value in
        let test = Mann_whitney.test xs ys in
        let what = Printf.sprintf "%d %d, round %d" m n round in
        Alcotest.(check bool) (what ^ ": exact") true test.exact;
        check_p what (by_counting xs ys) test
      done
    done
  done;
  let three_and_three = Mann_whitney.test [ 1.; 1.; 1.1 ] [ 68.; 70.; 71. ] in
  check_p "three and three, two of them equal" 0.1 three_and_three;
  check_p "one and four hundred" (2. /. 401.) (Mann_whitney.test (List.init 400 float_of_int) [ 1000. ])

(* Computed with SciPy 1.17.1, scipy.stats.mannwhitneyu(x, y, alternative='two-sided', method=...). *)

let exact_values_of_scipy () =
  let check what ~u ~p xs ys =
    let test = Mann_whitney.test xs ys in
    Alcotest.(check (float 0.)) (what ^ ": u") u test.u;
    Alcotest.(check bool) (what ^ ": exact") true test.exact;
    check_p what p test
  in
  check "apart" ~u:0. ~p:0.1 [ 1.; 2.; 3. ] [ 4.; 5.; 6. ];
  check "one beyond" ~u:20. ~p:0.15079365079365079 [ 1.1; 2.2; 3.3; 4.4; 5.5 ] [ 0.5; 0.6; 0.7; 0.8; 6.5 ];
  check "nine and nine" ~u:58. ~p:0.13591114767585355
    [ 1.83; 0.5; 1.62; 2.48; 1.68; 1.88; 1.55; 3.06; 1.3 ]
    [ 0.878; 0.647; 0.598; 2.05; 1.06; 1.29; 1.06001; 3.14; 1.29001 ];
  check "seven and nine" ~u:49. ~p:0.07115384615384615 [ 4.; 7.; 9.; 12.; 15.; 18.; 21. ]
    [ 1.; 2.; 3.; 5.; 6.; 8.; 10.; 11.; 13. ];
  check "ten and five" ~u:35. ~p:0.2544122544122544
    [ 0.8; 0.83; 1.89; 1.04; 1.45; 1.38; 1.91; 1.64; 0.73; 1.46 ]
    [ 1.15; 0.88; 0.9; 0.74; 1.21 ];
  check "twenty and twenty" ~u:78. ~p:0.0006675619675571311
    (List.init 20 (fun i -> float_of_int (i + 1)))
    (List.init 20 (fun i -> float_of_int (i + 1) +. 7.5))

let approximate_values_of_scipy () =
  let check what ~u ~p xs ys =
    let test = Mann_whitney.test xs ys in
    Alcotest.(check (float 0.)) (what ^ ": u") u test.u;
    Alcotest.(check bool) (what ^ ": not exact") false test.exact;
    check_p what p test
  in
  check "many" ~u:300. ~p:0.027086318388295935 (List.init 30 float_of_int)
    (List.init 30 (fun i -> float_of_int i +. 5.5))

(* Computed with the formula in Python. *)
let approximate_values_with_ties () =
  let twenty_one = List.init 21 (fun i -> float_of_int (i / 3)) in
  let check what ~u ~p xs ys =
    let test = Mann_whitney.test xs ys in
    Alcotest.(check (float 0.)) (what ^ ": u") u test.u;
    Alcotest.(check bool) (what ^ ": not exact") false test.exact;
    check_p what p test
  in
  check "by threes" ~u:162.0 ~p:0.14099579292854036 twenty_one (List.map (fun x -> x +. 1.) twenty_one);
  check "all equal" ~u:220.5 ~p:1. (List.map (fun _ -> 1.) twenty_one) (List.map (fun _ -> 1.) twenty_one)

let the_least_p_is_that_of_samples_apart () =
  for m = 1 to 8 do
    for n = 1 to 8 do
      let xs, ys = with_u m n 0 in
      let least = Mann_whitney.least_p m n in
      Alcotest.(check (float 1e-12)) (Printf.sprintf "%d %d" m n) (Mann_whitney.test xs ys).p least
    done
  done

let an_empty_sample_is_refused () =
  List.iter
    (fun (xs, ys) ->
      Alcotest.check_raises "empty" (Invalid_argument "Mann_whitney.test: an empty sample") (fun () ->
          ignore (Mann_whitney.test xs ys : Mann_whitney.t)))
    [ ([], [ 1. ]); ([ 1. ], []) ]

let case = Testing.Watchdog.case

let tests =
  [
    case "critical values are those of the tables" critical_values_are_those_of_the_tables;
    case "small samples are counted out" small_samples_are_counted_out;
    case "equal values in small samples are counted out" equal_values_are_counted_out;
    case "exact values are SciPy's" exact_values_of_scipy;
    case "approximate values are SciPy's" approximate_values_of_scipy;
    case "equal values in large samples" approximate_values_with_ties;
    case "the least p is that of samples apart" the_least_p_is_that_of_samples_apart;
    case "an empty sample is refused" an_empty_sample_is_refused;
  ]
