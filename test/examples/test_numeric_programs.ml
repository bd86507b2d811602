(* The example programs bfs, floyd_warshall, lu and nbody: on any number of domains they find the results
   of simple sequential code, or known ones. *)

let domains = [ 1; 2; 4 ]
let in_pools f = List.iter (fun domains -> Weft.run ~domains f) domains

let check name arguments expected =
  List.iter
    (fun domains ->
      let domains = string_of_int domains in
      Program.check_answer
        (String.concat " " (name :: domains :: arguments))
        { code = 0; out = expected; err = "" }
        (Program.run name (arguments @ [ "--domains"; domains ])))
    domains

let counted = Console.Printable.counted

(* --- bfs --- *)

open Breadth_first

let levels_by_queue graph start =
  let levels = Array.make (Array.length graph) (-1) in
  let queue = Queue.create () in
  levels.(start) <- 0;
  Queue.add start queue;
  while not (Queue.is_empty queue) do
    let node = Queue.take queue in
    let visit next =
      if levels.(next) < 0 then begin
        levels.(next) <- levels.(node) + 1;
        Queue.add next queue
      end
    in
    Array.iter visit graph.(node)
  done;
  levels

let check_levels graph start expected =
  in_pools (fun () -> Alcotest.(check (array int)) "levels" expected (Levels.from graph start))

let levels_of_known_graphs () =
  check_levels [| [||] |] 0 [| 0 |];
  (* An edge to itself, two edges to one node, and two nodes that cannot be reached. *)
  check_levels [| [| 0; 1; 1 |]; [||]; [| 3 |]; [| 2; 0 |] |] 0 [| 0; 1; -1; -1 |];
  let n = 1000 in
  let ring = Array.init n (fun i -> [| (i + 1) mod n; (i + n - 1) mod n |]) in
  check_levels ring 10 (Array.init n (fun i -> min (abs (i - 10)) (n - abs (i - 10))));
  let star = Array.init n (fun i -> if i = 0 then Array.init (n - 1) succ else [| 0 |]) in
  check_levels star 0 (Array.init n (fun i -> min i 1));
  check_levels star 7 (Array.init n (fun i -> if i = 7 then 0 else if i = 0 then 1 else 2));
  Alcotest.check_raises "no such node" (Invalid_argument "index out of bounds") (fun () ->
      ignore (Levels.from ring n))

let drawn ~seed ~scale ~degree = Graph.random ~seed ~scale ~edges:(degree lsl scale)

let levels_are_those_of_a_queue () =
  List.iter
    (fun (seed, scale, degree, start) ->
      let graph = drawn ~seed ~scale ~degree in
      check_levels graph start (levels_by_queue graph start))
    [ (1, 0, 3, 0); (1, 4, 0, 5); (1, 8, 1, 0); (2, 8, 1, 77); (3, 12, 2, 1); (4, 12, 16, 4095) ]

let graphs_are_proper_and_always_the_same () =
  List.iter
    (fun (scale, degree) ->
      let graph = drawn ~seed:9 ~scale ~degree in
      let nodes = 1 lsl scale in
      Alcotest.(check int) "nodes" nodes (Array.length graph);
      let ends = Array.fold_left (fun sum near -> sum + Array.length near) 0 graph in
      Alcotest.(check int) "ends of edges" (2 * Graph.edges graph) ends;
      if Graph.edges graph > degree * nodes then Alcotest.fail "too many edges";
      Array.iteri
        (fun u near ->
          Array.iteri
            (fun i v ->
              if v < 0 || v >= nodes || v = u then Alcotest.failf "%d beside %d" v u;
              if i > 0 && near.(i - 1) >= v then Alcotest.failf "the order beside %d" u;
              if not (Array.mem u graph.(v)) then Alcotest.failf "%d to %d goes one way" u v)
            near)
        graph;
      in_pools (fun () -> if drawn ~seed:9 ~scale ~degree <> graph then Alcotest.fail "another graph");
      if degree > 0 && scale > 3 && drawn ~seed:10 ~scale ~degree = graph then
        Alcotest.fail "another seed, the same graph")
    [ (0, 4); (5, 0); (5, 3); (10, 8) ]

let bfs_prints_the_levels () =
  List.iter
    (fun (scale, degree, seed, start) ->
      let graph = drawn ~seed ~scale ~degree in
      let levels = levels_by_queue graph start in
      let at level = Array.fold_left (fun n l -> if l = level then n + 1 else n) 0 levels in
      let deepest = Array.fold_left max 0 levels in
      let rows =
        List.init (deepest + 1) (fun level ->
            Printf.sprintf "level %d: %s\n" level (counted (at level) "node"))
      in
      check "bfs"
        (List.concat_map
           (fun (option, n) -> [ option; string_of_int n ])
           [ ("--scale", scale); ("--degree", degree); ("--seed", seed); ("--from", start) ])
        (Printf.sprintf "%s, %s\n%sunreached: %s\n"
           (counted (1 lsl scale) "node")
           (counted (Graph.edges graph) "edge")
           (String.concat "" rows)
           (counted (at (-1)) "node")))
    [ (0, 16, 1, 0); (6, 1, 2, 63); (11, 4, 3, 5) ]

(* --- floyd_warshall --- *)

let copy = Array.map Float.Array.copy
let matrix rows = Array.map (fun row -> Float.Array.of_list (Array.to_list row)) rows
let rows = Alcotest.(array (list (float 0.)))

let check_distances roads expected =
  in_pools (fun () ->
      let distances = copy roads in
      Shortest_paths.complete distances;
      Alcotest.check rows "distances"
        (Array.map Float.Array.to_list expected)
        (Array.map Float.Array.to_list distances))

(* The algorithm of Bellman and Ford: relaxes all roads again and again, from one node. *)
let one_by_one roads =
  let n = Array.length roads in
  let from start =
    let distance = Float.Array.init n (Float.Array.get roads.(start)) in
    for _ = 1 to n do
      for i = 0 to n - 1 do
        for j = 0 to n - 1 do
          let there = Float.Array.get distance i +. Float.Array.get roads.(i) j in
          if there < Float.Array.get distance j then Float.Array.set distance j there
        done
      done
    done;
    distance
  in
  Array.init n from

let known_distances () =
  let no = infinity in
  (* The example in Wikipedia's article on the algorithm. *)
  check_distances
    (matrix [| [| 0.; no; -2.; no |]; [| 4.; 0.; 3.; no |]; [| no; no; 0.; 2. |]; [| no; -1.; no; 0. |] |])
    (matrix [| [| 0.; -1.; -2.; 0. |]; [| 4.; 0.; 2.; 4. |]; [| 5.; 1.; 0.; 2. |]; [| 3.; -1.; 1.; 0. |] |]);
  check_distances [||] [||];
  check_distances (matrix [| [| 0.; no |]; [| no; 0. |] |]) (matrix [| [| 0.; no |]; [| no; 0. |] |]);
  Alcotest.check_raises "a short row" (Invalid_argument "index out of bounds") (fun () ->
      Shortest_paths.complete (matrix [| [| 0.; 1. |]; [| 1. |] |]))

let distances_are_those_of_bellman_and_ford () =
  List.iter
    (fun (seed, nodes, roads) ->
      let direct = Shortest_paths.random_roads ~seed ~nodes ~roads in
      check_distances direct (one_by_one direct);
      (* Some lengths are negative, but no cycle is. *)
      let height i = float (i * 37 mod 101) in
      let slanted = Array.mapi (fun i -> Float.Array.mapi (fun j d -> d +. height j -. height i)) direct in
      check_distances slanted (one_by_one slanted))
    [ (1, 1, 1); (1, 7, 2); (2, 40, 1); (3, 60, 4); (4, 50, 50) ]

let floyd_warshall_prints_a_summary () =
  List.iter
    (fun (nodes, roads, seed) ->
      let distances = one_by_one (Shortest_paths.random_roads ~seed ~nodes ~roads) in
      let apart = List.concat_map Float.Array.to_list (Array.to_list distances) in
      let joined = List.filter (fun d -> d > 0. && d < infinity) apart in
      check "floyd_warshall"
        [ "--places"; string_of_int nodes; "--roads"; string_of_int roads; "--seed"; string_of_int seed ]
        (Printf.sprintf "%s: %s of %s joined, the longest distance is %.0f\n" (counted nodes "place")
           (Console.Printable.number (List.length joined))
           (counted (nodes * (nodes - 1)) "pair")
           (List.fold_left Float.max 0. joined)))
    [ (1, 1, 1); (2, 0, 1); (60, 2, 5) ]

(* --- lu --- *)

let check_matrix what expected found =
  Alcotest.(check (array (list (float 1e-9))))
    what
    (Array.map Float.Array.to_list expected)
    (Array.map Float.Array.to_list found)

let factors a =
  let a = copy a in
  Lu_factors.decompose a;
  a

(* Row by column, as defined. *)
let multiplied_back factors =
  let n = Array.length factors in
  let at i j = Float.Array.get factors.(i) j in
  let lower i k = if k < i then at i k else if k = i then 1. else 0.
  and upper k j = if k <= j then at k j else 0. in
  let element i j = List.fold_left (fun sum k -> sum +. (lower i k *. upper k j)) 0. (List.init n Fun.id) in
  Array.init n (fun i -> Float.Array.init n (element i))

let known_factors () =
  in_pools (fun () ->
      let check a expected = check_matrix "factors" (matrix expected) (factors (matrix a)) in
      check [||] [||];
      check [| [| 5. |] |] [| [| 5. |] |];
      check [| [| 4.; 3. |]; [| 6.; 3. |] |] [| [| 4.; 3. |]; [| 1.5; -1.5 |] |];
      (* (1 0 0; 2 1 0; -1 3 1) times (2 1 -1; 0 4 3; 0 0 5). *)
      check
        [| [| 2.; 1.; -1. |]; [| 4.; 6.; 1. |]; [| -2.; 11.; 15. |] |]
        [| [| 2.; 1.; -1. |]; [| 2.; 4.; 3. |]; [| -1.; 3.; 5. |] |];
      let refused at a =
        Alcotest.check_raises "zero" (Lu_factors.Zero_pivot at) (fun () -> Lu_factors.decompose (matrix a))
      in
      refused 0 [| [| 0.; 1. |]; [| 1.; 0. |] |];
      refused 1 [| [| 1.; 2. |]; [| 2.; 4. |] |])

let factors_multiply_back () =
  List.iter
    (fun (seed, size) ->
      let a = Lu_factors.random_dominant ~seed size in
      Array.iteri
        (fun i row ->
          let others = Float.Array.fold_left (fun sum x -> sum +. abs_float x) 0. row in
          let middle = Float.Array.get row i in
          if not (middle > others -. abs_float middle) then Alcotest.failf "row %d is not dominated" i)
        a;
      in_pools (fun () ->
          let factors = factors a in
          check_matrix "by definition" a (multiplied_back factors);
          check_matrix "by the program" a (Lu_factors.product factors)))
    [ (1, 1); (1, 2); (2, 17); (3, 80) ]

(* The program's own check finds it. *)
let a_wrong_product_is_far () =
  let a = matrix [| [| 4.; 3. |]; [| 6.; 3. |] |] and b = matrix [| [| 4.; 3. |]; [| 6.5; 1. |] |] in
  in_pools (fun () ->
      Alcotest.(check (float 0.)) "two" 2. (Lu_factors.distance a b);
      Alcotest.(check (float 0.)) "none" 0. (Lu_factors.distance a (copy a));
      let none = copy b in
      Float.Array.set none.(0) 1 nan;
      Alcotest.(check bool) "no number" true (Float.is_nan (Lu_factors.distance a none)))

let lu_prints_the_error () =
  check "lu" [ "--size"; "1" ] "1 row, multiplied back: off by 0.0e+00 at most\n";
  let a = Lu_factors.random_dominant ~seed:4 90 in
  let error = Lu_factors.distance a (Lu_factors.product (factors a)) in
  check "lu" [ "--size"; "90"; "--seed"; "4" ]
    (Printf.sprintf "90 rows, multiplied back: off by %.1e at most\n" error)

(* --- nbody --- *)

open Gravity

let rec repeat n f x = if n = 0 then x else repeat (n - 1) f (f x)
let near what tolerance = Alcotest.(check (float tolerance)) what

let check_momentum system =
  let x, y, z = System.momentum system in
  List.iter (near "momentum" 1e-12 0.) [ x; y; z ]

let planets_have_their_known_energy () =
  (* The value that the Computer Language Benchmarks Game states. *)
  let known steps energy =
    check "nbody"
      [ "--steps"; string_of_int steps ]
      (Printf.sprintf "bodies: 5\nenergy: -0.169075164\nenergy after %s: %s\n" (counted steps "step") energy)
  in
  known 0 "-0.169075164";
  known 1000 "-0.169087605";
  in_pools (fun () -> check_momentum (repeat 100 (System.step 0.01) (Planets.system ())))

(* Two bodies of mass 1/2 at distance 1 take 2 pi for one revolution. *)
let two_bodies_go_round () =
  let body side : System.body =
    { mass = 0.5; x = side /. 2.; y = 0.; z = 0.; vx = 0.; vy = side /. 2.; vz = 0. }
  in
  let start : System.t = { bodies = [| body 1.; body (-1.) |]; softening = 0. } in
  in_pools (fun () ->
      near "energy" 1e-12 (-0.125) (System.energy start);
      let steps = 8000 in
      let dt = 2. *. Float.pi /. float steps in
      let check_at steps (x, y) =
        let { System.bodies; _ } = repeat steps (System.step dt) start in
        List.iter
          (fun (body, side) ->
            near "x" 2e-3 (side *. x) bodies.(body).System.x;
            near "y" 2e-3 (side *. y) bodies.(body).y;
            near "z" 0. 0. bodies.(body).z)
          [ (0, 1.); (1, -1.) ]
      in
      check_at (steps / 4) (0., 0.5);
      check_at steps (0.5, 0.))

let a_cluster_keeps_energy_and_momentum () =
  List.iter
    (fun n ->
      let start = System.cluster ~seed:3 n in
      Alcotest.(check int) "bodies" n (Array.length start.bodies);
      let before = System.energy start in
      let moved () = repeat 200 (System.step 0.001) start in
      let first = moved () in
      near "energy" (1e-3 *. abs_float before) before (System.energy first);
      List.iter check_momentum [ start; first ];
      if n > 1 && first.bodies = start.bodies then Alcotest.fail "nothing moves";
      in_pools (fun () ->
          if System.cluster ~seed:3 n <> start || moved () <> first then Alcotest.fail "other bits"))
    [ 1; 2; 60 ]

(* --- all --- *)

let unwritable () =
  Program.check_unwritable "bfs" [ "--scale"; "3" ];
  Program.check_unwritable "floyd_warshall" [ "--places"; "3" ];
  Program.check_unwritable "lu" [ "--size"; "3" ];
  Program.check_unwritable "nbody" [ "--steps"; "3" ]

let refused () =
  List.iter
    (fun (name, arguments) -> Program.check_refused name arguments)
    [
      ("bfs", [ "--scale"; "21" ]);
      ("bfs", [ "--degree"; "-1" ]);
      ("bfs", [ "--from"; "-1" ]);
      ("bfs", [ "graph" ]);
      ("floyd_warshall", [ "--places"; "0" ]);
      ("floyd_warshall", [ "--roads"; "-1" ]);
      ("floyd_warshall", [ "5" ]);
      ("lu", [ "--size"; "0" ]);
      ("lu", [ "5" ]);
      ("nbody", [ "--bodies"; "0" ]);
      ("nbody", [ "--steps"; "-1" ]);
      ("nbody", [ "5" ]);
    ];
  Program.check_one_line "no such node" ~code:2
    [ "bfs: no node 8; give --from a number below 8" ]
    (Program.run "bfs" [ "--scale"; "3"; "--from"; "8" ])

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "numeric programs"
    [
      ( "bfs",
        [
          test "levels of known graphs" levels_of_known_graphs;
          test "levels are those of a search with a queue" levels_are_those_of_a_queue;
          test "graphs are proper and always the same" graphs_are_proper_and_always_the_same;
          test "the levels are printed" bfs_prints_the_levels;
        ] );
      ( "floyd_warshall",
        [
          test "known distances" known_distances;
          test "distances are those of Bellman and Ford" distances_are_those_of_bellman_and_ford;
          test "a summary is printed" floyd_warshall_prints_a_summary;
        ] );
      ( "lu",
        [
          test "known factors" known_factors;
          test "factors multiply back" factors_multiply_back;
          test "a wrong product is far" a_wrong_product_is_far;
          test "the error is printed" lu_prints_the_error;
        ] );
      ( "nbody",
        [
          test "planets have their known energy" planets_have_their_known_energy;
          test "two bodies go round" two_bodies_go_round;
          test "a cluster keeps energy and momentum" a_cluster_keeps_energy_and_momentum;
        ] );
      ( "errors",
        [ test "an unwritable output is an error" unwritable; test "wrong options are refused" refused ] );
    ]
