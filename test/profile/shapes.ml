(* Work and span of computations of a known shape. *)

open Clocked

let par f g = ignore (Weft.par f g)
let spending n () = spend n
let a_chain () = check "a chain" ~work:60 ~span:60 (fun () -> List.iter spend [ 10; 20; 30 ])

let a_fork () =
  check "a fork" ~work:35 ~span:25 (fun () ->
      spend 5;
      par (spending 10) (spending 18);
      spend 2);
  check "the left side is the longer" ~work:25 ~span:15 (fun () -> par (spending 15) (spending 10))

let rec tree depth leaf =
  if depth = 0 then spend leaf
  else begin
    spend 1;
    par (fun () -> tree (depth - 1) leaf) (fun () -> tree (depth - 1) leaf);
    spend 1
  end

let a_tree () =
  (* 2^6 leaves of 100, 63 forks of 2; the span has one leaf and 6 forks. *)
  check "a balanced tree" ~work:((64 * 100) + (63 * 2)) ~span:(100 + 12) (fun () -> tree 6 100)

let forks_in_sides () =
  check "forks in both sides"
    ~work:(1 + 4 + 8 + 2 + 3)
    ~span:9
    (fun () ->
      par
        (fun () ->
          spend 1;
          par (spending 4) (spending 8))
        (fun () -> par (spending 2) (spending 3)))

let many_sides () =
  check "all" ~work:55 ~span:10 (fun () -> ignore (Weft.all (List.init 10 (fun i () -> spend (i + 1)))));
  check "par4" ~work:10 ~span:4 (fun () ->
      ignore (Weft.par4 (spending 1) (spending 2) (spending 3) (spending 4)))

let burdens () =
  (* Each right side on the path costs a burden. *)
  check "one fork" ~burden:7 ~work:30 ~span:20 ~burdened:27 (fun () -> par (spending 10) (spending 20));
  check "a left side that is long enough" ~burden:7 ~work:50 ~span:30 ~burdened:30 (fun () ->
      par (spending 30) (spending 20));
  check "right sides inside each other" ~burden:7 ~work:3 ~span:1 ~burdened:15 (fun () ->
      par (spending 1) (fun () -> par (spending 1) (spending 1)))

let loops () =
  let loop ?chunk_size n cost =
    Weft.parallel_for ?chunk_size ~start:1 ~finish:n ~body:(fun _ -> spend cost) ()
  in
  (* The real clock decides how long blocks are, but not how much is counted. *)
  let _, found = profile (fun () -> loop 100_000 1) in
  Alcotest.(check int) "every iteration counts" 100_000 found.work;
  Alcotest.(check bool) "iterations are parallel" true (found.span <= 100_000 / 2);
  let _, found = profile (fun () -> loop ~chunk_size:60_000 100_000 1) in
  Alcotest.(check int) "every iteration counts, with chunks" 100_000 found.work;
  Alcotest.(check bool) "a chunk is never divided" true (found.span >= 25_000)

let slow_iterations () =
  (* Each iteration takes so long by the real clock that it is a block of its own. *)
  let body _ =
    let until = Unix.gettimeofday () +. 0.0002 in
    while Unix.gettimeofday () < until do
      ()
    done;
    spend 100
  in
  check "slow iterations are parallel, all of them" ~work:6400 ~span:100 (fun () ->
      Weft.parallel_for ~start:1 ~finish:64 ~body ())

let reductions () =
  let sum, found =
    profile (fun () ->
        Weft.parallel_for_reduce ~start:1 ~finish:10_000
          ~body:(fun i ->
            spend 1;
            i)
          ( + ) 0)
  in
  Alcotest.(check int) "the sum" 50_005_000 sum;
  Alcotest.(check int) "every element counts" 10_000 found.work;
  Alcotest.(check bool) "elements are parallel" true (found.span < 5_000)

let sorts () =
  let a = Array.init 20_000 (fun i -> i * 7919 mod 20_011) in
  let compared = Atomic.make 0 in
  let compare x y =
    Atomic.incr compared;
    spend 1;
    Int.compare x y
  in
  let (), found = profile (fun () -> Weft.Array.sort compare a) in
  Alcotest.(check bool)
    "sorted" true
    (a
    =
    let b = Array.copy a in
    Array.sort Int.compare b;
    b);
  Alcotest.(check int) "every comparison counts" (Atomic.get compared) found.work;
  Alcotest.(check bool) "a sort is parallel" true (found.span < found.work / 4)

let tests =
  [
    test "a chain has no parallelism" a_chain;
    test "a fork takes as long as its longer side" a_fork;
    test "a balanced tree: the span is one path" a_tree;
    test "forks inside both sides" forks_in_sides;
    test "many sides" many_sides;
    test "burdens are those of right sides" burdens;
    test "loops: all iterations, in parallel down to blocks" loops;
    test "loops: slow iterations are parallel one by one" slow_iterations;
    test "reductions" reductions;
    test "sorting" sorts;
  ]
