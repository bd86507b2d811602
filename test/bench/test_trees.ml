open Weft_bench_harness
open Weft_bench_suites

let is_right what expected result = Alcotest.(check bool) what expected (Result.is_ok result)

(* Computed by another implementation: sha1 of 16 zero bytes and of the seed, and of that hash and the
   child's number. *)
let states_are_sha1_hashes () =
  let check what expected state = Alcotest.(check string) what expected (Splitting.to_hex state) in
  check "root 0" "6768033e216468247bd031a0a2d9876d79818f8f" (Splitting.root 0);
  let root = Splitting.root 19 in
  check "root 19" "c6988ab70cc9559ae4d6cba254e29a845a85f86b" root;
  check "child 3" "4e62c7789552ef31fa428ed5d9023d3f3ec368ef" (Splitting.child root 3);
  check "child 1999" "ca5e7f18ca9f6243f5040f0986f948f5b76534ac" (Splitting.child root 1999);
  Alcotest.(check int) "31 bits" 0x5a85f86b (Splitting.random root);
  Alcotest.(check int) "not 32" 0x79818f8f (Splitting.random (Splitting.root 0))

(* Checking the published counts of T1 takes seconds: the command [weft bench uts] does it. Here a root's
   share of T3 is counted in three ways, and the shape of both trees is checked. *)
let trees_have_their_shapes () =
  let t1 = Uts.count (Uts.geometric ~seed:19 ~depth:4) in
  Alcotest.(check int) "T1 is as deep as it may be" 4 t1.depth;
  let t3 = Uts.count (Uts.binomial ~seed:42 ~root:20 ~probability:0.124875 ~children:8) in
  Alcotest.(check int) "inner nodes of T3 have 8 children" (t3.nodes - 1 - 20) (8 * (t3.nodes - 1 - t3.leaves));
  let none = Uts.count (Uts.binomial ~seed:42 ~root:5 ~probability:0. ~children:8) in
  Alcotest.(check (triple int int int)) "without children" (6, 1, 5) (none.nodes, none.depth, none.leaves)

let a_wrong_count_is_found () =
  let published = { Uts.nodes = 4_130_071; depth = 10; leaves = 3_305_118 } in
  let check what expected got = is_right what expected (Uts.check published got) in
  check "right" true published;
  check "nodes" false { published with nodes = 4_130_070 };
  check "depth" false { published with depth = 9 };
  check "leaves" false { published with leaves = 3_305_117 }

let dfs_and_skynet_have_their_known_values () =
  Alcotest.(check int) "7 deep" 823_543 (Dfs.leaves 7);
  Alcotest.(check int) "forks" 823_542 (Dfs.forks 7);
  Alcotest.(check int) "skynet" 499_999_500_000 (Skynet.expected 6);
  Alcotest.(check int) "one" 0 (Skynet.expected 0)

let integrals_are_near_the_truth () =
  Alcotest.(check (float 0.)) "exact" 2_500_000_050_000_000. (Integrate.exact 10_000);
  Alcotest.(check (float 1e-12)) "small" 0.75 (Integrate.exact 1);
  is_right "right" true (Integrate.check 10_000 2_500_000_050_000_000.);
  is_right "rounded" true (Integrate.check 10_000 2_500_000_050_000_050.);
  is_right "a trapezium lost" false (Integrate.check 10_000 2_500_000_050_000_150.);
  is_right "no number" false (Integrate.check 1 nan);
  is_right "one" false (Integrate.check 1 0.75001)

let the_least_effective_size_is_between_two () =
  let point (size, efficiency) = { Metg.size; efficiency } in
  let metg points = Metg.least_effective (List.map point points) in
  let check what expected points = Alcotest.(check (option (float 1e-6))) what expected (metg points) in
  check "half-way, on a logarithmic scale" (Some 100.) [ (10., 0.1); (1_000., 0.9) ];
  check "just there" (Some 40.) [ (20., 0.4); (40., 0.5); (80., 0.9) ];
  check "from above: a slump counts" (Some 400.) [ (20., 0.6); (40., 0.1); (400., 0.5) ];
  check "all" (Some 20.) [ (20., 0.6); (40., 0.7) ];
  check "none" None [ (20., 0.1); (40., 0.4) ];
  check "not the greatest" None [ (20., 0.9); (40., 0.4) ];
  check "nothing" None []

let sizes_of_tasks_have_a_figure_each () =
  let way = List.hd Metg.benchmark.ways in
  let (Work { prepare; compute; check; figures; _ }) =
    Option.get (way.work { size = 3; cutoff = None; domains = 1 })
  in
  let result = Weft.run ~domains:1 (fun () -> compute (prepare ())) in
  is_right "tasks" true (check result);
  let titles = List.map (fun (f : Figure.t) -> f.title) (figures ~seconds:1. result) in
  let expected =
    [
      "% 10ns";
      "% 20ns";
      "% 40ns";
      "% 80ns";
      "% 160ns";
      "% 320ns";
      "% 640ns";
      "% 1.25us";
      "% 2.5us";
      "% 10us";
      "% 100us";
      "% 1ms";
    ]
  in
  Alcotest.(check (list string)) "titles" expected (List.filter (fun title -> title <> "METG ns") titles)

let case = Testing.Watchdog.case

let tests =
  [
    case "states are SHA-1 hashes" states_are_sha1_hashes;
    case "trees have their shapes" trees_have_their_shapes;
    case "a wrong count is found" a_wrong_count_is_found;
    case "dfs and skynet have their known values" dfs_and_skynet_have_their_known_values;
    case "integrals are near the truth" integrals_are_near_the_truth;
    case "the least effective size is between two" the_least_effective_size_is_between_two;
    case "sizes of tasks have a figure each" sizes_of_tasks_have_a_figure_each;
  ]
