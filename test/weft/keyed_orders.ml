open Support
open Random_arrays
module A = Weft.Array
module F = Weft.Floatarray

(* Sorting by keys, and what goes by the order of elements, against the stable sort of OCaml. *)

let stable cmp a =
  let a = Array.copy a in
  Array.stable_sort cmp a;
  a

let changed f a =
  let a = Array.copy a in
  f a;
  a

(* Keys of all kinds: few different ones, near the ends of the integers, all over them, in order, in reverse,
   and those that differ in some bits alone. *)
let key_of kind rand n =
  let random = Array.init 128 (fun _ -> Int64.to_int (Random.State.bits64 rand)) in
  let r x = random.(kind.to_int x land 127) in
  match Random.State.int rand 10 with
  | 0 -> fun x -> kind.to_int x
  | 1 -> fun x -> -kind.to_int x
  | 2 -> fun x -> kind.to_int x mod 3
  | 3 -> fun _ -> 5
  | 4 -> r
  | 5 -> fun x -> if r x land 1 = 0 then min_int + (r x land 7) else max_int - (r x land 7)
  | 6 -> fun x -> (r x land 0xff) lsl 40
  | 7 -> fun x -> r x land 0xfffff
  | 8 -> fun x -> min_int + (r x land 0xffff)
  | _ ->
      let m = 1 + Random.State.int rand (n + 1) in
      fun x -> kind.to_int x mod m

(* Lengths around those at which the sort changes. *)
let lengths = QCheck.Gen.(oneof [ lengths; oneofl [ 255; 256; 257; 258; 40_000 ] ])
let by key x y = Int.compare (key x) (key y)

let integer_sort =
  {
    holds =
      (fun kind rand a ->
        let key = key_of kind rand (Array.length a) in
        same (stable (by key) a) (changed (A.integer_sort ~key) a));
  }

(* Elements of one key can be told apart, though all are integers. *)
let integers_by_a_part rand n =
  let a = Array.init n (fun _ -> Random.State.bits rand - (1 lsl 29)) in
  List.for_all
    (fun (shift, bits) ->
      let key x = (x asr shift) land ((1 lsl bits) - 1) in
      changed (A.integer_sort ~key) a = stable (by key) a)
    [ (0, 4); (3, 12); (0, 30); (20, 11); (29, 1) ]

(* There is no room beside the keys, not even for indices. *)
let wide_keys rand n =
  let word () = Int64.to_int (Random.State.bits64 rand) in
  let wide = Array.init n (fun i -> (word (), i)) in
  let high = Array.init n (fun i -> (word () land lnot 0xffff_ffff_ffff, i)) in
  let words = Array.map fst wide in
  changed (A.integer_sort ~key:fst) wide = stable (by fst) wide
  && changed (A.integer_sort ~key:fst) high = stable (by fst) high
  && changed (A.integer_sort ~key:Fun.id) words = stable Int.compare words
  && changed (A.integer_sort ~key:Int.neg) words = stable (by Int.neg) words

(* Few different keys, on both sides of a power of two, and with a bit that all have. *)
let near_keys rand n =
  List.for_all
    (fun least ->
      let a = Array.init n (fun _ -> least + Random.State.int rand 9) in
      changed (A.integer_sort ~key:Fun.id) a = stable Int.compare a)
    [ (1 lsl 20) - 4; 1 lsl 20; -4; min_int; max_int - 8 ]

type late = Early of int | Late

let blocks_among_immediates () =
  for n = 4 to 40 do
    let a = Array.init n (fun i -> if i = 1 then Early i else Late) in
    let key = function Early i -> -i | Late -> 0 in
    if changed (A.integer_sort ~key) a <> stable (by key) a then Alcotest.failf "wrong at %d" n
  done

let counting_sort =
  {
    holds =
      (fun kind rand a ->
        let buckets =
          1 + if Random.State.bool rand then Random.State.int rand 10 else Random.State.int rand 5000
        in
        let times = 1 + Random.State.int rand 100 in
        let key x = kind.to_int x * times mod buckets in
        let b = Array.copy a in
        let starts = A.counting_sort ~buckets ~key b in
        let before k = Array.fold_left (fun n x -> if key x < k then n + 1 else n) 0 a in
        same (stable (by key) a) b
        && Array.length starts = buckets + 1
        && List.for_all
             (fun k -> starts.(k) = before k)
             (0 :: buckets :: List.init 10 (fun _ -> Random.State.int rand buckets)));
  }

let sort_by_key =
  {
    holds =
      (fun kind rand a ->
        let m = 1 + Random.State.int rand 60 in
        let text x = string_of_int (kind.to_int x mod m) and number x = float (-kind.to_int x mod m) in
        let sorted key cmp = stable (fun x y -> cmp (key x) (key y)) a in
        same (sorted text String.compare) (changed (A.sort_by_key ~key:text String.compare) a)
        && same (sorted number Float.compare) (changed (A.sort_by_key ~key:number Float.compare) a));
  }

let coarse kind rand =
  let m = 1 + Random.State.int rand 60 in
  fun x y -> Int.compare (kind.to_int x mod m) (kind.to_int y mod m)

let sorted =
  {
    holds =
      (fun kind rand a ->
        let cmp = coarse kind rand and b = Array.copy a in
        same (stable cmp a) (A.sorted cmp a) && same a b);
  }

let rank =
  {
    holds =
      (fun kind rand a ->
        let cmp = coarse kind rand in
        let rank = A.rank cmp a and s = stable cmp a in
        let order = stable (fun i j -> cmp a.(i) a.(j)) (Array.init (Array.length a) Fun.id) in
        let expected = Array.make (Array.length a) 0 in
        Array.iteri (fun place i -> expected.(i) <- place) order;
        rank = expected && Array.for_all Fun.id (Array.mapi (fun i x -> compare s.(rank.(i)) x = 0) a));
  }

(* The elements of a pair of equal ones can be told apart. *)
let kth_smallest rand n =
  n = 0
  ||
  let m = 1 + Random.State.int rand 1000 in
  let a = Array.init n (fun i -> (Random.State.int rand m, i)) in
  let cmp (x, _) (y, _) = Int.compare x y in
  let s = stable cmp a and b = Array.copy a in
  List.for_all
    (fun k -> A.kth_smallest cmp k a = s.(k))
    [ 0; n - 1; n / 2; Random.State.int rand n; Random.State.int rand n ]
  && a = b

let is_sorted =
  {
    holds =
      (fun kind rand a ->
        let cmp = coarse kind rand in
        let a = if Random.State.bool rand then stable cmp a else a in
        if Array.length a > 0 && Random.State.bool rand then
          a.(Random.State.int rand (Array.length a)) <- kind.of_int (Random.State.int rand 100);
        let pos, len = range rand (Array.length a) in
        let is a = Array.to_list (stable cmp a) = Array.to_list a in
        A.is_sorted cmp a = is a && A.is_sorted ~pos ~len cmp a = is (Array.sub a pos len));
  }

let special = [| nan; infinity; neg_infinity; 0.; -0.; 1.5; -1.5; 4e-324 |]

let of_floats rand n =
  let a = Array.init n (fun _ -> special.(Random.State.int rand 8)) in
  let f = F.of_array a and bits a = Array.map Int64.bits_of_float a in
  let s = stable Float.compare a in
  bits (F.to_array (F.sorted f)) = bits s
  && bits (F.to_array f) = bits a
  && F.is_sorted (F.sorted f)
  && F.is_sorted f = (compare s a = 0)
  && F.rank f = A.rank Float.compare a
  && (n = 0
     ||
     let k = Random.State.int rand n in
     Int64.bits_of_float (F.kth_smallest k f) = (bits s).(k))

(* Short arrays are merged in a plain loop, longer ones are not. *)
let merge =
  {
    holds =
      (fun kind rand a ->
        let cmp = coarse kind rand in
        let n = Array.length a in
        let cut = Random.State.int rand (n + 1) in
        let x = stable cmp (Array.sub a 0 cut) and y = stable cmp (Array.sub a cut (n - cut)) in
        same (Array.of_list (List.merge cmp (Array.to_list x) (Array.to_list y))) (A.merge cmp x y));
  }

let properties () =
  everywhere @@ fun () ->
  check_property ~count:30 ~lengths "integer_sort" integer_sort;
  check_property ~count:20 ~lengths "counting_sort" counting_sort;
  check_property "sort_by_key" sort_by_key;
  check_property "sorted" sorted;
  check_property "rank" rank;
  check_property ~count:30 "is_sorted" is_sorted;
  check_property ~count:60 ~lengths:QCheck.Gen.(int_bound 40) "merge" merge;
  check 6 lengths "integers by a part" (fun _ -> integers_by_a_part);
  check 6 lengths "wide keys" (fun _ -> wide_keys);
  check 6 lengths "near keys" (fun _ -> near_keys);
  check 10 lengths "kth_smallest" (fun _ -> kth_smallest);
  check 10 QCheck.Gen.(int_bound 300) "floats" (fun _ -> of_floats);
  blocks_among_immediates ()

(* Inside a loop that has left many jobs, and where thieves want work in the middle of a merge; comparisons spin and
   yield. Equal elements can be told apart. *)
let merges_in_a_loop () =
  in_each_size @@ fun () ->
  let one seed =
    let rand = Random.State.make [| seed |] in
    let sorted tag =
      let n = Random.State.int rand (if seed land 1 = 0 then 100 else 2000) in
      stable (by fst) (Array.init n (fun i -> (Random.State.int rand 500, (tag, i))))
    in
    let a = sorted 0 and b = sorted 1 in
    let cmp (x, (_, i)) (y, (_, j)) =
      (match Hashtbl.hash (seed, i, j) land 1023 with 0 -> Weft.yield () | 1 -> spin 20_000 | _ -> ());
      Int.compare x y
    in
    let expected = Array.of_list (List.merge (by fst) (Array.to_list a) (Array.to_list b)) in
    if A.merge cmp a b <> expected then
      Alcotest.failf "wrong with %d and %d elements, seed %d" (Array.length a) (Array.length b) seed
  in
  Weft.List.iter one (List.init (tries 300) Fun.id)

(* --- calls --- *)

let counted f =
  let calls = Atomic.make 0 in
  f (fun () -> Atomic.incr calls);
  Atomic.get calls

let calls_of_keys () =
  everywhere @@ fun () ->
  let n = 3000 in
  let keyed name sort =
    let calls =
      counted (fun note ->
          sort
            (fun x ->
              note ();
              x land 63)
            (Array.init n (fun i -> i * 7919 mod n)))
    in
    check_int name n calls
  in
  keyed "integer_sort" (fun key a -> A.integer_sort ~key a);
  keyed "counting_sort" (fun key a -> ignore (A.counting_sort ~buckets:64 ~key a : int array));
  keyed "sort_by_key" (fun key a -> A.sort_by_key ~key Int.compare a)

(* Nothing has moved yet when a key is refused or raises. *)
let refused_keys () =
  everywhere @@ fun () ->
  let a = Array.init 1000 (fun i -> i * 7 mod 1000) in
  let before = Array.copy a in
  let kept name f =
    f ();
    if a <> before then Alcotest.failf "%s: elements have moved" name
  in
  let key x = if x = 500 then raise (Planned x) else x in
  let raises f = match f () with () -> Alcotest.fail "no exception" | exception Planned 500 -> () in
  kept "integer_sort" (fun () -> raises (fun () -> A.integer_sort ~key a));
  kept "counting_sort" (fun () ->
      raises (fun () -> ignore (A.counting_sort ~buckets:1000 ~key a : int array)));
  kept "sort_by_key" (fun () -> raises (fun () -> A.sort_by_key ~key Int.compare a));
  let refuse message buckets key =
    kept "counting_sort" (fun () ->
        raises_invalid message ("Weft.Array.counting_sort: " ^ message) (fun () ->
            A.counting_sort ~buckets ~key a))
  in
  refuse "bucket 999 of 999" 999 Fun.id;
  refuse "bucket -1 of 1000" 1000 (fun x -> x - 1);
  refuse "negative number of buckets -1" (-1) Fun.id;
  refuse "bucket 0 of 0" 0 (fun _ -> 0);
  refuse "no array has length" max_int Fun.id;
  refuse "no array has length" Sys.max_array_length Fun.id;
  let number k =
    raises_invalid "kth_smallest" "Weft.Array.kth_smallest: number " (fun () -> A.kth_smallest compare k a)
  in
  List.iter number [ -1; 1000; min_int; max_int ]

(* Comparisons that contradict themselves end, and answer with an element. *)
let contradictions () =
  everywhere @@ fun () ->
  let rand = Random.State.make [| 4 |] in
  let lock = Mutex.create () in
  let random _ _ = Mutex.protect lock (fun () -> Random.State.int rand 3 - 1) in
  List.iter
    (fun cmp ->
      for k = 0 to 20 do
        let a = Array.init 300 (fun i -> i) in
        let x = A.kth_smallest cmp (k * 10) a in
        if x < 0 || x >= 300 then Alcotest.failf "kth_smallest: %d" x;
        if Array.exists (fun r -> r < 0 || r >= 300) (A.rank cmp a) then Alcotest.fail "rank"
      done)
    [ random; (fun _ _ -> 1); (fun _ _ -> -1); (fun _ _ -> 0) ]

let tests =
  [
    case "all do what the stable sort does" properties;
    case "merges in a loop" merges_in_a_loop;
    case "each key is computed once" calls_of_keys;
    case "nothing moves if a key raises or is refused" refused_keys;
    case "comparisons that contradict themselves" contradictions;
  ]
