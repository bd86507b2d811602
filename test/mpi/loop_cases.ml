open Weft_mpi
open Check
module Comm = Mpi.Comm

let ranges =
  [ (1, 0); (5, 5); (0, 1); (-3, 60); (1, 64); (0, 99); (7, 1000); (0, 65_537) ]
  @ [ (max_int - 200, max_int); (min_int, min_int + 77); (max_int, max_int) ]

(* Nearly associative, and not commutative. *)
let body i = sin (float (i land 0xffff)) *. exp (float (i mod 40))
let mix a b = (a *. 0.999) +. b

let reductions w =
  let check ?chunk_size (start, finish) =
    let here = Weft.parallel_for_reduce ?chunk_size ~start ~finish ~body mix 0.5 in
    let there = parallel_for_reduce ?chunk_size w ~start ~finish ~body mix 0.5 in
    same
      (Printf.sprintf "reduction from %d to %d" start finish)
      (Int64.bits_of_float there) (Int64.bits_of_float here);
    say w "%d to %d: %h" start finish there
  in
  List.iter check ranges;
  List.iter (fun chunk_size -> check ~chunk_size (3, 5000)) [ 1; 7; 64; 1000; 10_000 ];
  let text = parallel_for_reduce w ~start:0 ~finish:500 ~body:string_of_int ( ^ ) "" in
  same "text" text (String.concat "" (List.init 501 string_of_int))

(* Each index once, on one rank. *)
let once w =
  let check n =
    let counts = ints n (fun _ -> 0) in
    parallel_for w ~start:0 ~finish:(n - 1) ~body:(fun i -> counts.{i} <- counts.{i} + 1) ();
    Mpi.all_reduce (comm w) Sum counts counts;
    same (Printf.sprintf "once: %d" n) (list counts) (List.init n (fun _ -> 1))
  in
  List.iter check [ 0; 1; 2; 3; 10; 1000; 30_000 ]

(* Iterations that wait, and of different cost. *)
let uneven w =
  let body i =
    if i mod 50 = 0 then Weft.sleep 0.001;
    if i mod 7 = 0 then Weft.parallel_for_reduce ~start:1 ~finish:(100 * i) ~body:float ( +. ) 0. else float i
  in
  let here = Weft.parallel_for_reduce ~start:0 ~finish:300 ~body ( +. ) 0. in
  same "uneven" (parallel_for_reduce w ~start:0 ~finish:300 ~body ( +. ) 0.) here

(* What is costly is a part of the range: several ranks take some of it. Each iteration there waits until that is so. *)
let costly_part w first behind =
  let ranks = size w and n = 12_800 * size w in
  let begun = Mpi.Window.create (comm w) ~slots:ranks in
  let shared () =
    let count = ref 0 in
    for slot = 0 to ranks - 1 do
      if Mpi.Window.read begun ~rank:0 ~slot > 0 then incr count
    done;
    !count > 1
  in
  let rec until p =
    if not (p ()) then begin
      Weft.sleep 0.001;
      until p
    end
  in
  (* One fiber of each rank looks. *)
  let looks = Atomic.make false and is_shared = Atomic.make false in
  let body i =
    if first <= i && i < behind then
      if Atomic.exchange looks true then until (fun () -> Atomic.get is_shared)
      else begin
        ignore (Mpi.Window.exchange begun ~rank:0 ~slot:(rank w) 1 : int);
        until shared;
        Atomic.set is_shared true
      end
  in
  if ranks > 1 then parallel_for w ~start:0 ~finish:(n - 1) ~body ();
  Mpi.Window.free begun

(* At the beginning, 16 cells of 100 iterations, of which a rank takes four at most before it has measured; then, behind a
   cheap part, 96 cells, of which it takes at most four pieces of 16 before it sees what they cost. *)
let costly_parts w =
  costly_part w 0 1600;
  costly_part w 12_800 22_400

let arrays w =
  let check n =
    let a = Array.init n (fun i -> i * 7919 mod 1009) in
    same "map" (map w float_of_int a) (Array.map float_of_int a);
    same "map to texts" (map w string_of_int a) (Array.map string_of_int a);
    same "mapi" (mapi w (fun i x -> (i, x)) a) (Array.mapi (fun i x -> (i, x)) a);
    same "init" (init w n (fun i -> i * i)) (Array.init n (fun i -> i * i));
    List.iter
      (fun keys ->
        let key x = string_of_int (x mod keys) in
        same "group_by" (group_by w ~key a) (Weft.Array.group_by ~key a))
      [ 1; 7; 1000 ];
    let f = Array.map (fun x -> body x) a in
    same "scan" (scan w mix f) (Weft.parallel_scan mix f);
    let sorted = Array.copy a in
    Weft.Array.sort Int.compare sorted;
    same "sort" (sort w Int.compare a) sorted;
    let pairs = Array.mapi (fun i x -> (x mod 10, i)) a in
    let by_first (x, _) (y, _) = Int.compare x y in
    let stable = Array.copy pairs in
    Stdlib.Array.stable_sort by_first stable;
    same "a stable sort" (sort w by_first pairs) stable;
    same "all equal" (sort w (fun _ _ -> 0) a) a
  in
  List.iter check [ 0; 1; 2; 5; 64; 1000; 20_000 ];
  raises "init" is_misuse (fun () -> init w (-1) Fun.id)

let searches w =
  let find n p =
    let body i = if p i then Some (i * 2) else None in
    let here = Weft.parallel_find_first ~start:0 ~finish:n ~body () in
    same (Printf.sprintf "search in %d" n) (parallel_find_first w ~start:0 ~finish:n ~body ()) here
  in
  find (-1) (fun _ -> true);
  List.iter
    (fun n ->
      find n (fun _ -> false);
      find n (fun _ -> true);
      find n (fun i -> i >= n / 3);
      find n (fun i -> i = n);
      find n (fun i -> i = 0))
    [ 0; 1; 10; 1000; 50_000 ];
  (* An answer wins against exceptions to its right. *)
  let body i = if i > 700 then failwith "right" else if i = 600 then Some i else None in
  same "before an exception" (parallel_find_first w ~start:0 ~finish:9999 ~body ()) (Some 600)

let values w =
  let n = size w in
  same "broadcast" (broadcast w ~root:(n - 1) (rank w, "v")) (n - 1, "v");
  same "gather" (gather w (rank w, "v")) (Array.init n (fun i -> (i, "v")));
  raises "root" is_misuse (fun () -> broadcast w ~root:n ());
  barrier w

let worlds w =
  let half = of_comm (Comm.split (comm w) (rank w mod 2)) in
  let here = Weft.parallel_for_reduce ~start:0 ~finish:3000 ~body mix 0. in
  same "half" (parallel_for_reduce half ~start:0 ~finish:3000 ~body mix 0.) here;
  free half;
  raises "freed" is_misuse (parallel_for half ~start:0 ~finish:1 ~body:ignore);
  raises "freed twice" is_misuse (fun () -> free half);
  raises "the world of the job" is_misuse (fun () -> free w);
  barrier w

let nested w =
  let inner () = parallel_for w ~start:0 ~finish:0 ~body:ignore () in
  let body _ = raises "nested" is_misuse inner in
  parallel_for w ~start:0 ~finish:20 ~body ()

let run w =
  reductions w;
  once w;
  uneven w;
  costly_parts w;
  arrays w;
  searches w;
  values w;
  worlds w;
  nested w;
  say w "loops: done"
