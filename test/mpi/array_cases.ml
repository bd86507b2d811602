open Weft_mpi
open Check
module D = Distributed_array

let lengths = [ 0; 1; 3; 5; 64; 5000 ]
let distributions = D.[ Block; Cyclic; Block_cyclic 3; Block_cyclic max_int ]

let name = function
  | D.Block -> "block"
  | Cyclic -> "cyclic"
  | Block_cyclic n -> Printf.sprintf "blocks of %d" n

let value i = sin (float (i * 7919 land 0xffff)) *. exp (float (i mod 40))

(* Nearly associative, and not commutative. *)
let mix a b = (a *. 0.999) +. b

let each w f =
  let check distribution n =
    let named what = Printf.sprintf "%s: %s, %d elements" what (name distribution) n in
    f named distribution n (D.init ~distribution w n value) (Array.init n value)
  in
  List.iter (fun d -> List.iter (check d) lengths) distributions

(* --- who has what --- *)

let parts w named distribution n a all =
  same (named "length") (D.length a) n;
  same (named "distribution") (D.distribution a) distribution;
  let mine = List.filter (D.is_local a) (List.init n Fun.id) in
  let local = D.local a in
  same (named "local") (Array.to_list local) (List.map (Array.get all) mine);
  same (named "global_index") (List.init (Array.length local) (D.global_index a)) mine;
  List.iter (fun i -> same (named "get") (D.get a i) all.(i)) mine;
  let known = List.concat (Array.to_list (gather w (List.map (fun i -> (i, rank w)) mine))) in
  same (named "owner") (List.sort compare known) (List.init n (fun i -> (i, D.owner a i)));
  let counts = Array.to_list (gather w (Array.length local)) in
  let most = List.fold_left Int.max 0 counts and least = List.fold_left Int.min n counts in
  match distribution with
  | Block | Cyclic -> same (named "even") (most - least <= 1) true
  | Block_cyclic b when b >= n -> same (named "on one rank") most n
  | Block_cyclic b -> same (named "even") (n > size w * b || most <= b) true

(* What programmers expect of the words. *)
let as_named w =
  if size w = 4 then begin
    let owners d n = List.init n (D.owner (D.make ~distribution:d w n ())) in
    same "block" (owners Block 8) [ 0; 0; 1; 1; 2; 2; 3; 3 ];
    same "cyclic" (owners Cyclic 6) [ 0; 1; 2; 3; 0; 1 ];
    same "block-cyclic" (owners (Block_cyclic 2) 11) [ 0; 0; 1; 1; 2; 2; 3; 3; 0; 0; 1 ]
  end

(* --- what all compute --- *)

let loops w named distribution n a all =
  same (named "to_array") (D.to_array a) all;
  same (named "of_array") (D.local (D.of_array ~distribution w all)) (D.local a);
  same (named "make") (D.to_array (D.make ~distribution w n "x")) (Array.make n "x");
  same (named "map") (D.to_array (D.map string_of_float a)) (Array.map string_of_float all);
  same (named "mapi") (D.to_array (D.mapi (fun i x -> (i, x)) a)) (Array.mapi (fun i x -> (i, x)) all);
  same (named "map2") (D.to_array (D.map2 mix a (D.map Float.neg a))) (Array.map (fun x -> mix x (-.x)) all);
  let seen = ints n (fun _ -> 0) in
  D.iteri (fun i x -> if x = all.(i) then seen.{i} <- seen.{i} + 1) a;
  Mpi.all_reduce (comm w) Sum seen seen;
  same (named "iteri") (list seen) (List.init n (fun _ -> 1));
  let root = size w - 1 in
  same (named "gather") (D.gather ~root a) (if rank w = root then Some all else None)

let reductions w named _ n a all =
  let bits = Int64.bits_of_float in
  let there = D.reduce mix 0.5 a in
  same (named "reduce") (bits there) (bits (Weft.Array.reduce mix 0.5 all));
  say w "%s: %h" (named "reduce") there;
  same (named "map_reduce")
    (D.map_reduce string_of_float ( ^ ) "" a)
    (String.concat "" (Array.to_list (Array.map string_of_float all)));
  same (named "as the loop") (bits there)
    (bits (parallel_for_reduce w ~start:0 ~finish:(n - 1) ~body:value mix 0.5))

let moves w named _ n a all =
  let to_another distribution =
    let b = D.redistribute distribution a in
    same (named "redistributed") (D.distribution b) distribution;
    same
      (named ("redistribute to " ^ name distribution))
      (D.local b)
      (D.local (D.init ~distribution w n value));
    if n > 0 && Array.length (D.local b) > 0 then (D.local b).(0) <- nan
  in
  List.iter to_another distributions;
  same (named "as it was") (D.to_array a) all;
  let pairs = D.mapi (fun i x -> (truncate x mod 10, i)) a in
  let by_first (x, _) (y, _) = Int.compare x y in
  let sorted = D.sort by_first pairs and expected = D.to_array pairs in
  Stdlib.Array.stable_sort by_first expected;
  same (named "sorted") (D.to_array sorted) expected;
  same (named "sorted by blocks") (D.local sorted) (D.local (D.of_array w expected));
  same (named "sort: all equal") (D.local (D.sort (fun _ _ -> 0) a)) (D.local (D.redistribute Block a))

(* Keys that differ; each rank has some of all sizes. *)
let key i = i * 2_654_435_761 land 0xffff_ffff

(* No rank gets much more than its share, whether few keys are samples or most. *)
let sorted_evenly w =
  let each count =
    let n = count * size w in
    let keys = D.init w n key in
    let part = D.Private.part_to_sort Int.compare keys in
    let most = Array.fold_left (fun most n -> Int.max most n) 0 (gather w (Array.length part)) in
    same (Printf.sprintf "%d keys a rank, %d at most" count most) (most <= 2 * count) true
  in
  if size w > 1 then List.iter each [ 63; 100; 5000 ]

let written w =
  let a = D.init ~distribution:Cyclic w 10 Fun.id in
  for i = 0 to 9 do
    if D.is_local a i then D.set a i (-i)
  done;
  same "set" (D.to_array a) (Array.init 10 (fun i -> -i));
  Array.fill (D.local a) 0 (Array.length (D.local a)) 7;
  same "local" (D.to_array a) (Array.make 10 7)

(* --- stencils --- *)

let element boundary all i =
  let n = Array.length all in
  if 0 <= i && i < n then all.(i)
  else
    match boundary with
    | D.Periodic -> all.(((i mod n) + n) mod n)
    | Nearest -> all.(Int.max 0 (Int.min i (n - 1)))
    | Outside f -> f i

let boundaries outside = [ ("periodic", D.Periodic); ("nearest", Nearest); ("outside", Outside outside) ]

let halos w make n =
  let a = D.init w n make and all = Array.init n make in
  let check width (name, boundary) =
    let what = Printf.sprintf "halo of %d, %s, %d elements" width name n in
    let cells = D.with_halo ~width boundary a in
    let count = Array.length (D.local a) in
    let expected =
      if count = 0 then [||]
      else Array.init (count + (2 * width)) (fun j -> element boundary all (D.global_index a 0 - width + j))
    in
    same what cells expected;
    let sum at = String.concat " " (List.init ((2 * width) + 1) (fun d -> at (d - width))) in
    let show x = string_of_int (Hashtbl.hash x) in
    let here i = sum (fun d -> show (element boundary all (i + d))) in
    let there = D.stencil ~width boundary (fun cells j -> sum (fun d -> show cells.(j + d))) a in
    same what (D.to_array there) (Array.init n here)
  in
  List.iter (fun width -> List.iter (check width) (boundaries make)) [ 0; 1; 7; n + 3 ]

(* A rank's cells are not another rank's, nor this array's. *)
let copied_halo w =
  let a = D.init w (4 * size w) float in
  let cells = D.with_halo ~width:1 Periodic a in
  Array.fill (D.local a) 0 4 nan;
  barrier w;
  same "halo" cells (Array.init 6 (fun j -> float (((4 * rank w) - 1 + j + (4 * size w)) mod (4 * size w))))

let heat w =
  let n = 100 and fixed i = if i < 0 then 1. else 0. in
  let f left x right = x +. (0.3 *. (left -. (2. *. x) +. right)) in
  let step u = D.stencil ~width:1 (Outside fixed) (fun c i -> f c.(i - 1) c.(i) c.(i + 1)) u in
  let plain u =
    let at = element (Outside fixed) u in
    Array.init n (fun i -> f (at (i - 1)) (at i) (at (i + 1)))
  in
  let rec repeat k f x = if k = 0 then x else repeat (k - 1) f (f x) in
  let u = repeat 50 step (D.make w n 0.) in
  same "heat" (D.to_array u) (repeat 50 plain (Array.make n 0.));
  say w "heat: %h" (D.reduce ( +. ) 0. u)

let rows w =
  let row i = Array.init 2000 (fun j -> value (i + j)) in
  halos w row 5;
  Mpi.Private.set_max_count 10_000;
  halos w row 2;
  Mpi.Private.set_max_count (1 lsl 30)

(* --- misuse and failures --- *)

let misuse w =
  let a = D.init w 10 Fun.id and cyclic = D.make ~distribution:Cyclic w 10 0 in
  let each what f = raises what is_misuse f in
  each "make" (fun () -> D.make w (-1) 0);
  each "init" (fun () -> D.init w (-1) Fun.id);
  each "block" (fun () -> D.make ~distribution:(Block_cyclic 0) w 1 0);
  each "redistribute" (fun () -> D.redistribute (Block_cyclic (-1)) a);
  each "get" (fun () -> D.get a 10);
  each "set" (fun () -> D.set a (-1) 0);
  each "owner" (fun () -> D.owner a 10);
  each "is_local" (fun () -> D.is_local a (-1));
  each "global_index" (fun () -> D.global_index a (Array.length (D.local a)));
  each "root" (fun () -> D.gather ~root:(size w) a);
  each "map2" (fun () -> D.map2 max a cyclic);
  each "map2: length" (fun () -> D.map2 max a (D.make w 9 0));
  each "width" (fun () -> D.with_halo ~width:(-1) Periodic a);
  each "absurd width" (fun () -> D.with_halo ~width:max_int Periodic a);
  each "cyclic" (fun () -> D.stencil ~width:1 Periodic (fun _ _ -> ()) cyclic);
  D.iteri (fun _ _ -> each "nested" (fun () -> D.to_array a)) a;
  if size w > 1 then
    let i = 10 * ((rank w + 1) mod size w) / size w in
    raises "elsewhere"
      (( = )
         (Invalid_argument
            (Printf.sprintf "Weft_mpi.Distributed_array.get: element %d is on rank %d, not on rank %d" i
               (D.owner a i) (rank w))))
      (fun () -> D.get a i)

(* A function, which cannot be marshalled, at some indices. *)
let functions w n is_at = D.init w n (fun i -> if is_at i then Some (fun x -> x + i) else None)

(* What stays on its rank is neither marshalled nor copied. *)
let stays w =
  let n = 100 in
  let is_same what x y = same what (x == y) true in
  let each_local a f = Array.iteri (fun j x -> f (D.global_index a j) x) (D.local a) in
  let blocks = D.make w n () in
  let stays i = D.owner blocks i = i mod size w in
  let a = functions w n stays in
  let b = D.redistribute Cyclic a in
  each_local a (fun i f -> if stays i then is_same "redistribute" f (D.get b i));
  let root = size w - 1 in
  let a = functions w n (fun i -> D.owner blocks i = root) in
  let check all = each_local a (fun i f -> is_same "gather" f all.(i)) in
  Option.iter check (D.gather ~root a)

(* The comparison of one rank raises when it is called for the [at]-th time, from 0, with keys of different ranks. The
   samples of up to four ranks are sorted with less than 1000 such calls. The last step, which sorts what a rank has
   got, compares all neighbours of its result, and these come from different ranks: that is at least 4000 calls. *)
let failing_sorts w =
  let a = D.init w 20_000 (fun i -> (key i, rank w)) in
  let check at from =
    let left = Atomic.make at in
    let compare (x, r) (y, s) =
      if rank w = from && r <> s && Atomic.fetch_and_add left (-1) = 0 then failwith "compare"
      else Int.compare x y
    in
    agreed w (Printf.sprintf "sort: at %d on rank %d" at from) (fun () -> D.sort compare a)
  in
  if size w > 1 then List.iter (fun at -> List.iter (check at) [ 0; size w - 1 ]) [ 0; 2000 ]

let failures w =
  let n = 100 in
  let a = D.init w n Fun.id in
  let one i = if i = 77 then failwith "77" else i in
  agreed w "init" (fun () -> D.init w n one);
  agreed w "map" (fun () -> D.map one a);
  agreed w "mapi" (fun () -> D.mapi (fun i _ -> one i) a);
  agreed w "map2" (fun () -> D.map2 (fun i _ -> one i) a a);
  agreed w "iteri" (fun () -> D.iteri (fun i _ -> ignore (one i)) a);
  agreed w "map_reduce" (fun () -> D.map_reduce one ( + ) 0 a);
  agreed w "stencil" (fun () -> D.stencil ~width:2 Periodic (fun c i -> one c.(i)) a);
  agreed w "boundary" (fun () ->
      D.with_halo ~width:1 (Outside (fun i -> if i < 0 then failwith "outside" else i)) a);
  (* On the last rank alone, where it combines what all have given. *)
  let is_last = rank w = size w - 1 in
  let sum_to bad a b = if is_last && a + b = bad then failwith "combine" else a + b in
  agreed w "reduce: the root of the tree" (fun () -> D.map_reduce (fun _ -> 1) (sum_to n) (-7) a);
  agreed w "reduce: init" (fun () -> D.map_reduce (fun _ -> 1) (sum_to (n - 7)) (-7) a);
  let compares_once = Atomic.make true in
  let compare x y =
    if rank w = 0 && Atomic.exchange compares_once false then failwith "compare" else Int.compare x y
  in
  agreed w "sort" (fun () -> D.sort compare a);
  if size w > 1 then begin
    let only i = functions w n (( = ) i) in
    agreed w "to_array" (fun () -> D.to_array (only 0));
    agreed w "gather" (fun () -> D.gather ~root:1 (only 0));
    agreed w "redistribute" (fun () -> D.redistribute Cyclic (only 1));
    agreed w "halo" (fun () -> D.with_halo ~width:1 Periodic (only 0))
  end;
  let stencil () = D.stencil ~width:1 Periodic (fun c i -> c.(i)) a in
  let cancelled f () =
    let cancel = Weft.Cancel.create () in
    let itself () =
      if rank w = 0 then Weft.Cancel.cancel cancel;
      f ()
    in
    Weft.Cancel.within cancel itself
  in
  agreed w "a cancelled stencil" (cancelled stencil);
  agreed w "a cancelled map" (cancelled (fun () -> D.map Fun.id a));
  (* On one rank nothing is exchanged. *)
  if size w > 1 then agreed w "a cancelled redistribute" (cancelled (fun () -> D.redistribute Cyclic a));
  (* Nobody would be told of it. *)
  let is_made = ref false in
  let make () =
    ignore (D.of_array w (Array.make 5000 0) : int D.t);
    is_made := true
  in
  (try cancelled make () with Weft.Cancel.Cancelled _ -> ());
  same "a cancelled of_array" !is_made true;
  same "afterwards" (D.to_array (stencil ())) (Array.init n Fun.id)

let run w =
  as_named w;
  each w (parts w);
  each w (loops w);
  each w (reductions w);
  each w (moves w);
  sorted_evenly w;
  written w;
  List.iter (halos w Fun.id) [ 0; 1; 3; 5; 64 ];
  copied_halo w;
  heat w;
  rows w;
  misuse w;
  stays w;
  failing_sorts w;
  failures w;
  say w "arrays: done"
