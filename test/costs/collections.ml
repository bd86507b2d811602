open Testing.Growth
open Table

(* The parallel collections. *)

let comparing note a b =
  note ();
  Int.compare a b

let comparing_floats note a b =
  note ();
  Float.compare a b

let yes note _ =
  note ();
  true

let no note _ =
  note ();
  false

let odd note x =
  note ();
  x land 1 = 1

let none note _ =
  note ();
  None

let scattered n = Array.init n (fun i -> i * 7919 mod n)
let ascending n = Array.init n Fun.id

(* Functions that read, write or compare elements without calling a function of the caller's. *)
let element bound name f = words name bound (fun n -> ignoring f (scattered n))

(* --- arrays --- *)

let arrays =
  let open Weft.Array in
  let over f note n = ignoring (f note) (scattered n) in
  let linear name f = calls name Linear (over f) in
  [
    element Constant "length" length;
    element Constant "get" (fun a -> get a 5);
    element Constant "set" (fun a -> set a 5 0);
    element Constant "unsafe_get" (fun a -> unsafe_get a 5);
    element Constant "unsafe_set" (fun a -> unsafe_set a 5 0);
    words "make" Linear (fun n -> ignoring (make n) 0);
    words "create_float" Linear (ignoring create_float);
    calls "init" Linear (fun note n -> ignoring (init n) (noting note Fun.id));
    words "make_matrix" Linear (fun n -> ignoring (make_matrix (n / 10) 10) 0);
    words "make_matrix, one row" Linear (fun n -> ignoring (make_matrix 1 n) 0);
    calls "init_matrix" Linear (fun note n -> ignoring (init_matrix (n / 10) 10) (plus note));
    calls "init_matrix, one row" Linear (fun note n -> ignoring (init_matrix 1 n) (plus note));
    words "of_list" Linear (fun n -> ignoring of_list (Array.to_list (scattered n)));
    element Linear "to_list" to_list;
    calls "of_seq" Linear (fun note n -> ignoring of_seq (Seq.init n (noting note Fun.id)));
    element Constant "to_seq" to_seq;
    element Linear "to_seq, taken" (fun a -> Seq.iter ignore (to_seq a));
    element Constant "to_seqi" to_seqi;
    element Linear "to_seqi, taken" (fun a -> Seq.iter ignore (to_seqi a));
    element Linear "append" (fun a -> append a a);
    element Linear "concat" (fun a -> concat [ a; a ]);
    words "concat, many" Linear (fun n -> ignoring concat (List.init n (fun i -> [| i; i |])));
    words "flatten" Linear (fun n -> ignoring flatten (Array.init n (fun i -> [| i; i |])));
    element Linear "sub" (fun a -> sub a 1 (length a - 1));
    element Linear "copy" copy;
    element Linear "blit" (fun a -> blit a 0 a 1 (length a - 1));
    words "blit, to another" Linear (fun n ->
        let a = scattered n and b = scattered n in
        ignoring (fun () -> blit a 0 b 0 n) ());
    element Linear "fill" (fun a -> fill a 0 (length a) 0);
    element Linear "rev" rev;
    element Linear "rev_inplace" rev_inplace;
    element Linear "rotate" (rotate 3);
    linear "map" (fun note -> map (noting note Fun.id));
    linear "mapi" (fun note -> mapi (fun _ -> noting note Fun.id));
    linear "map2" (fun note a -> map2 (plus note) a a);
    linear "iter" (fun note -> iter (noting note ignore));
    linear "iteri" (fun note -> iteri (fun _ -> noting note ignore));
    linear "iter2" (fun note a -> iter2 (fun _ -> noting note ignore) a a);
    linear "iter_sub" (fun note -> iter_sub ~pos:1 (noting note ignore));
    linear "iteri_sub" (fun note -> iteri_sub ~pos:1 (fun _ -> noting note ignore));
    linear "map_inplace_sub" (fun note -> map_inplace_sub ~pos:1 (noting note Fun.id));
    linear "mapi_inplace_sub" (fun note -> mapi_inplace_sub ~pos:1 (fun _ -> noting note Fun.id));
    linear "map_inplace" (fun note -> map_inplace (noting note Fun.id));
    linear "mapi_inplace" (fun note -> mapi_inplace (fun _ -> noting note Fun.id));
    words "split" Linear (fun n -> ignoring split (Array.init n (fun i -> (i, i))));
    element Linear "combine" (fun a -> combine a a);
    linear "filter" (fun note -> filter (odd note));
    linear "filteri" (fun note -> filteri (fun _ -> odd note));
    element Linear "pack" (fun a -> pack (Array.map (fun x -> x land 1 = 0) a) a);
    words "pack_index" Linear (fun n -> ignoring pack_index (Array.make n true));
    linear "equal" (fun note a -> equal (fun x _ -> yes note x) a a);
    linear "compare" (fun note a -> compare (comparing note) a a);
    linear "mismatch" (fun note a -> mismatch (fun x _ -> yes note x) a a);
    linear "filter_map" (fun note -> filter_map (noting note Option.some));
    linear "partition" (fun note -> partition (odd note));
    linear "flat_map" (fun note -> flat_map (fun x -> [| noting note Fun.id x |]));
    linear "reduce" (fun note -> reduce (plus note) 0);
    linear "map_reduce" (fun note -> map_reduce (noting note Fun.id) (plus note) 0);
    linear "fold" (fun note -> fold ~combine:(plus note) (plus note) 0);
    linear "fold_left" (fun note -> fold_left (plus note) 0);
    linear "fold_right" (fun note a -> fold_right (plus note) a 0);
    linear "fold_left_map" (fun note -> fold_left_map (fun sum x -> (plus note sum x, x)) 0);
    linear "count" (fun note -> count (odd note));
    linear "min" (fun note -> min (comparing note));
    linear "max" (fun note -> max (comparing note));
    linear "min_opt" (fun note -> min_opt (comparing note));
    linear "max_opt" (fun note -> max_opt (comparing note));
    linear "minmax" (fun note -> minmax (comparing note));
    linear "min_index" (fun note -> min_index (comparing note));
    linear "max_index" (fun note -> max_index (comparing note));
    linear "histogram" (fun note -> histogram ~buckets:64 (noting note (fun x -> x land 63)));
    linear "histogram, as many buckets" (fun note a -> histogram ~buckets:(length a) (noting note Fun.id) a);
    linear "reduce_by_index" (fun note a ->
        reduce_by_index ~buckets:4 (plus note) 0 (map (fun x -> (x land 3, x)) a));
    linear "reduce_by_index, as many buckets" (fun note a ->
        reduce_by_index ~buckets:(length a) (plus note) 0 (map (fun x -> (x, x)) a));
    linear "histogram_by_key" (fun note a -> histogram_by_key ~key:(noting note (fun x -> x land 63)) a);
    linear "remove_duplicates" (fun note a -> remove_duplicates ~hash:(noting note Fun.id) a);
    linear "reduce_by_key" (fun note a -> reduce_by_key (plus note) (map (fun x -> (x land 63, x)) a));
    linear "group_by_key" (fun note a -> group_by_key ~hash:(noting note Fun.id) (map (fun x -> (x, x)) a));
    linear "group_by" (fun note a -> group_by ~key:(noting note (fun x -> x land 63)) a);
    linear "group_by, as many groups" (fun note a -> group_by ~key:(noting note Fun.id) a);
    linear "exists" (fun note -> exists (no note));
    linear "for_all" (fun note -> for_all (yes note));
    linear "for_none" (fun note -> for_none (no note));
    linear "exists2" (fun note a -> exists2 (fun _ -> no note) a a);
    linear "for_all2" (fun note a -> for_all2 (fun _ -> yes note) a a);
    element Linear "mem" (mem (-1));
    element Linear "memq" (memq (-1));
    linear "find" (fun note a -> match find (no note) a with _ -> () | exception Not_found -> ());
    linear "find_opt" (fun note -> find_opt (no note));
    linear "find_index" (fun note -> find_index (no note));
    linear "find_map" (fun note -> find_map (none note));
    linear "find_mapi" (fun note -> find_mapi (fun _ -> none note));
    linear "exists_sub" (fun note -> exists_sub ~pos:1 (no note));
    linear "for_all_sub" (fun note -> for_all_sub ~pos:1 (yes note));
    element Linear "mem_sub" (mem_sub ~pos:1 (-1));
    element Linear "memq_sub" (memq_sub ~pos:1 (-1));
    linear "find_opt_sub" (fun note -> find_opt_sub ~pos:1 (no note));
    linear "find_index_sub" (fun note -> find_index_sub ~pos:1 (no note));
    linear "find_map_sub" (fun note -> find_map_sub ~pos:1 (none note));
    linear "find_mapi_sub" (fun note -> find_mapi_sub ~pos:1 (fun _ -> none note));
    linear "scan" (fun note -> scan (plus note));
    linear "scan_inclusive" (fun note -> scan_inclusive (plus note));
    linear "scan_exclusive" (fun note -> scan_exclusive (plus note) 0);
    linear "scan_total" (fun note -> scan_total (plus note) 0);
    words "prefix_sums" Linear (fun n -> ignoring prefix_sums (scattered n));
    linear "scan_inplace" (fun note -> scan_inplace (plus note));
    linear "scan_exclusive_inplace" (fun note -> scan_exclusive_inplace (plus note) 0);
    calls "sort" Linear_log (over (fun note -> sort (comparing note)));
    calls "sort, of what is sorted" Linear (fun note n -> ignoring (sort (comparing note)) (ascending n));
    calls "stable_sort" Linear_log (over (fun note -> stable_sort (comparing note)));
    calls "fast_sort" Linear_log (over (fun note -> fast_sort (comparing note)));
    calls "sorted" Linear_log (over (fun note -> sorted (comparing note)));
    calls "is_sorted" Linear (fun note n -> ignoring (is_sorted (comparing note)) (ascending n));
    calls "sort_by_key" Linear_log (over (fun note -> sort_by_key ~key:(noting note Fun.id) (comparing note)));
    linear "integer_sort" (fun note -> integer_sort ~key:(noting note Fun.id));
    linear "integer_sort, by a part" (fun note -> integer_sort ~key:(noting note (fun x -> x land 127)));
    calls "integer_sort, of pairs" Linear (fun note n ->
        ignoring (integer_sort ~key:(noting note snd)) (Array.mapi (fun i x -> (i, x)) (scattered n)));
    linear "counting_sort" (fun note -> counting_sort ~buckets:64 ~key:(noting note (fun x -> x land 63)));
    linear "counting_sort, as many buckets" (fun note a ->
        counting_sort ~buckets:(length a) ~key:(noting note Fun.id) a);
    calls "rank" Linear_log (over (fun note -> rank (comparing note)));
    linear "kth_smallest" (fun note a -> kth_smallest (comparing note) (length a / 3) a);
    calls "sort_uniq" Linear_log (over (fun note -> sort_uniq (comparing note)));
    calls "dedup" Linear (fun note n -> ignoring (dedup (comparing note)) (ascending n));
    calls "merge" Linear (fun note n -> ignoring (merge (comparing note) (ascending n)) (ascending n));
    words "shuffle" Linear (fun n -> ignoring (shuffle (Weft.Random.make 1)) (scattered n));
  ]

let floatarrays =
  let open Weft.Floatarray in
  let floats n = Float.Array.init n float in
  let over f note n = ignoring (f note) (floats n) in
  let linear name f = calls name Linear (over f) in
  let element bound name f = words name bound (fun n -> ignoring f (floats n)) in
  let plus note a b =
    note ();
    a +. b
  in
  [
    element Constant "length" length;
    element Constant "get" (fun a -> get a 5);
    element Constant "set" (fun a -> set a 5 0.);
    element Constant "unsafe_get" (fun a -> unsafe_get a 5);
    element Constant "unsafe_set" (fun a -> unsafe_set a 5 0.);
    words "create" Linear (ignoring create);
    words "make" Linear (fun n -> ignoring (make n) 0.);
    calls "init" Linear (fun note n -> ignoring (init n) (noting note float));
    words "make_matrix" Linear (fun n -> ignoring (make_matrix (n / 10) 10) 0.);
    calls "init_matrix" Linear (fun note n ->
        ignoring (init_matrix (n / 10) 10) (fun i _ -> noting note float i));
    words "of_list" Linear (fun n -> ignoring of_list (List.init n float));
    element Linear "to_list" to_list;
    calls "of_seq" Linear (fun note n -> ignoring of_seq (Seq.init n (noting note float)));
    element Constant "to_seq" to_seq;
    element Linear "to_seq, taken" (fun a -> Seq.iter ignore (to_seq a));
    element Constant "to_seqi" to_seqi;
    element Linear "to_seqi, taken" (fun a -> Seq.iter ignore (to_seqi a));
    words "of_array" Linear (fun n -> ignoring of_array (Array.init n float));
    element Linear "to_array" to_array;
    element Linear "append" (fun a -> append a a);
    words "concat" Linear (fun n -> ignoring concat (List.init n (fun _ -> floats 2)));
    element Linear "sub" (fun a -> sub a 1 (length a - 1));
    element Linear "copy" copy;
    element Linear "blit" (fun a -> blit a 0 a 1 (length a - 1));
    element Linear "fill" (fun a -> fill a 0 (length a) 0.);
    linear "map" (fun note -> map (noting note Fun.id));
    linear "mapi" (fun note -> mapi (fun _ -> noting note Fun.id));
    linear "map2" (fun note a -> map2 (plus note) a a);
    linear "map_to_array" (fun note -> map_to_array (noting note Fun.id));
    calls "map_of_array" Linear (fun note n -> ignoring (map_of_array (noting note float)) (scattered n));
    calls "map_from_array" Linear (fun note n -> ignoring (map_from_array (noting note float)) (scattered n));
    linear "map_inplace" (fun note -> map_inplace (noting note Fun.id));
    linear "mapi_inplace" (fun note -> mapi_inplace (fun _ -> noting note Fun.id));
    linear "iter2" (fun note a -> iter2 (fun _ -> noting note ignore) a a);
    linear "iter" (fun note -> iter (noting note ignore));
    linear "iteri" (fun note -> iteri (fun _ -> noting note ignore));
    linear "iter_sub" (fun note -> iter_sub ~pos:1 (noting note ignore));
    linear "iteri_sub" (fun note -> iteri_sub ~pos:1 (fun _ -> noting note ignore));
    linear "exists_sub" (fun note -> exists_sub ~pos:1 (no note));
    linear "for_all_sub" (fun note -> for_all_sub ~pos:1 (yes note));
    linear "find_index_sub" (fun note -> find_index_sub ~pos:1 (no note));
    linear "filter" (fun note -> filter (noting note (fun x -> x > 3.)));
    element Linear "sum" sum;
    element Linear "dot" (fun a -> dot a a);
    element Linear "min" min;
    element Linear "max" max;
    element Linear "min_opt" min_opt;
    element Linear "max_opt" max_opt;
    linear "reduce" (fun note -> reduce (plus note) 0.);
    linear "fold" (fun note -> fold ~combine:(plus note) (plus note) 0.);
    linear "fold_left" (fun note -> fold_left (plus note) 0.);
    linear "fold_right" (fun note a -> fold_right (plus note) a 0.);
    linear "count" (fun note -> count (yes note));
    linear "exists" (fun note -> exists (no note));
    linear "for_all" (fun note -> for_all (yes note));
    element Linear "mem" (mem (-1.));
    element Linear "mem_ieee" (mem_ieee (-1.));
    linear "find_opt" (fun note -> find_opt (no note));
    linear "find_index" (fun note -> find_index (no note));
    linear "find_map" (fun note -> find_map (none note));
    linear "find_mapi" (fun note -> find_mapi (fun _ -> none note));
    linear "scan" (fun note -> scan (plus note));
    linear "scan_inclusive" (fun note -> scan_inclusive (plus note));
    linear "scan_exclusive" (fun note -> scan_exclusive (plus note) 0.);
    element Linear "prefix_sums" prefix_sums;
    element Linear "sort" sort;
    element Linear "sort_floats" sort_floats;
    calls "stable_sort" Linear_log (over (fun note -> stable_sort (comparing_floats note)));
    calls "fast_sort" Linear_log (over (fun note -> fast_sort (comparing_floats note)));
    calls "shuffle" Linear (over (fun note -> shuffle ~rand:(noting note (fun n -> n - 1))));
    element Linear "sorted" sorted;
    element Linear "is_sorted" is_sorted;
    element Linear "rank" rank;
    element Linear "kth_smallest" (fun a -> kth_smallest (length a / 3) a);
  ]

let atomic_arrays =
  let open Weft.Atomic_array in
  let one name f = few_of name (fun n -> make n 1) f in
  let plain n = Array.init n Fun.id in
  [
    words "make" Linear (fun n -> ignoring (make n) 1);
    calls "init" Linear (fun note n -> ignoring (init n) (noting note Fun.id));
    words "of_array" Linear (fun n -> ignoring of_array (plain n));
    words "to_array" Linear (fun n -> ignoring to_array (of_array (plain n)));
    one "length" length;
    one "get" (fun a -> get a 5);
    one "set" (fun a -> set a 5 0);
    one "exchange" (fun a -> exchange a 5 0);
    one "compare_and_set" (fun a -> compare_and_set a 5 1 0);
    one "fetch_and_add" (fun a -> fetch_and_add a 5 1);
    one "incr" (fun a -> incr a 5);
    one "decr" (fun a -> decr a 5);
    one "write_min" (fun a -> write_min a 5 0);
    one "write_max" (fun a -> write_max a 5 0);
    calls "priority_update" Constant (fun note n ->
        let better x y = comparing note x y < 0 in
        ignoring (priority_update ~better (make n 1) 5) 0);
  ]

(* The same functions for each number of dimensions: n elements. The memory of the bigarrays is not in
   OCaml's heap. *)
let bigarrays =
  let kind = Bigarray.int and layout = Bigarray.c_layout in
  let each name bound f1 f2 f3 =
    let open Weft.Bigarray in
    [
      calls ("Array1." ^ name) bound (fun note n -> ignoring (f1 note) (Array1.init kind layout n Fun.id));
      calls ("Array2." ^ name) bound (fun note n ->
          ignoring (f2 note) (Array2.init kind layout (n / 10) 10 ( + )));
      calls ("Array3." ^ name) bound (fun note n ->
          ignoring (f3 note) (Array3.init kind layout (n / 10) 5 2 (fun i _ _ -> i)));
    ]
  in
  let moved name f1 f2 f3 =
    (* The function calls nothing: one call of [note], so that the case has one. *)
    let once f note a =
      note ();
      f a
    in
    each name Linear (once f1) (once f2) (once f3)
  in
  let open Weft.Bigarray in
  let f note = noting note Fun.id in
  List.concat
    [
      each "init" Linear
        (fun note a -> Array1.init kind layout (Bigarray.Array1.dim a) (f note))
        (fun note a -> Array2.init kind layout (Bigarray.Array2.dim1 a) 10 (plus note))
        (fun note a -> Array3.init kind layout (Bigarray.Array3.dim1 a) 5 2 (fun i _ -> plus note i));
      moved "fill" (fun a -> Array1.fill a 1) (fun a -> Array2.fill a 1) (fun a -> Array3.fill a 1);
      moved "blit"
        (fun a -> Array1.blit a (Bigarray.Array1.create kind layout (Bigarray.Array1.dim a)))
        (fun a -> Array2.blit a (Bigarray.Array2.create kind layout (Bigarray.Array2.dim1 a) 10))
        (fun a -> Array3.blit a (Bigarray.Array3.create kind layout (Bigarray.Array3.dim1 a) 5 2));
      each "map" Linear
        (fun note -> Array1.map (f note))
        (fun note -> Array2.map (f note))
        (fun note -> Array3.map (f note));
      each "map_inplace" Linear
        (fun note -> Array1.map_inplace (f note))
        (fun note -> Array2.map_inplace (f note))
        (fun note -> Array3.map_inplace (f note));
      each "iter" Linear
        (fun note -> Array1.iter (noting note ignore))
        (fun note -> Array2.iter (noting note ignore))
        (fun note -> Array3.iter (noting note ignore));
      each "iteri" Linear
        (fun note -> Array1.iteri (fun _ -> noting note ignore))
        (fun note -> Array2.iteri (fun _ _ -> noting note ignore))
        (fun note -> Array3.iteri (fun _ _ _ -> noting note ignore));
      each "reduce" Linear
        (fun note -> Array1.reduce (plus note) 0)
        (fun note -> Array2.reduce (plus note) 0)
        (fun note -> Array3.reduce (plus note) 0);
      each "fold" Linear
        (fun note -> Array1.fold ~combine:(plus note) (plus note) 0)
        (fun note -> Array2.fold ~combine:(plus note) (plus note) 0)
        (fun note -> Array3.fold ~combine:(plus note) (plus note) 0);
      (let of_floats name f =
         words ("Array1." ^ name) Linear (fun n -> ignoring f (Array1.init Bigarray.float64 layout n float))
       in
       [
         of_floats "sum" Array1.sum;
         of_floats "dot" (fun a -> Array1.dot a a);
         of_floats "min" Array1.min;
         of_floats "max" Array1.max;
       ]);
    ]

(* --- lists --- *)

let lists =
  let open Weft.List in
  let list n = Array.to_list (scattered n) in
  let over f note n = ignoring (f note) (list n) in
  let linear name f = calls name Linear (over f) in
  [
    calls "init" Linear (fun note n -> ignoring (init n) (noting note Fun.id));
    linear "map" (fun note -> map (noting note Fun.id));
    linear "mapi" (fun note -> mapi (fun _ -> noting note Fun.id));
    linear "map2" (fun note l -> map2 (plus note) l l);
    linear "rev_map" (fun note -> rev_map (noting note Fun.id));
    linear "rev_map2" (fun note l -> rev_map2 (plus note) l l);
    linear "iter" (fun note -> iter (noting note ignore));
    linear "iteri" (fun note -> iteri (fun _ -> noting note ignore));
    linear "iter2" (fun note l -> iter2 (fun _ -> noting note ignore) l l);
    linear "filter" (fun note -> filter (odd note));
    linear "find_all" (fun note -> find_all (odd note));
    linear "filteri" (fun note -> filteri (fun _ -> odd note));
    linear "filter_map" (fun note -> filter_map (noting note Option.some));
    linear "filter_mapi" (fun note -> filter_mapi (fun _ -> noting note Option.some));
    linear "partition" (fun note -> partition (odd note));
    linear "partition_map" (fun note -> partition_map (noting note Either.left));
    linear "split_map" (fun note -> split_map (fun x -> (noting note Fun.id x, x)));
    linear "concat_map" (fun note -> concat_map (fun x -> [ noting note Fun.id x ]));
    linear "reduce" (fun note -> reduce (plus note) 0);
    linear "fold" (fun note -> fold ~combine:(plus note) (plus note) 0);
    linear "count" (fun note -> count (odd note));
    linear "for_all" (fun note -> for_all (yes note));
    linear "exists" (fun note -> exists (no note));
    linear "for_all2" (fun note l -> for_all2 (fun _ -> yes note) l l);
    linear "exists2" (fun note l -> exists2 (fun _ -> no note) l l);
    words "mem" Linear (fun n -> ignoring (mem (-1)) (list n));
    linear "find" (fun note l -> match find (no note) l with _ -> () | exception Not_found -> ());
    linear "find_opt" (fun note -> find_opt (no note));
    linear "find_index" (fun note -> find_index (no note));
    linear "find_map" (fun note -> find_map (none note));
    linear "find_mapi" (fun note -> find_mapi (fun _ -> none note));
    words "take" Linear (fun n -> ignoring (take n) (list n));
    words "take, few" Constant (fun n -> ignoring (take 20) (list n));
    words "drop" Constant (fun n -> ignoring (drop n) (list n));
    words "singleton" Constant (fun n -> ignoring singleton n);
    linear "take_while" (fun note -> take_while (yes note));
    linear "drop_while" (fun note -> drop_while (yes note));
    calls "sort" Linear_log (over (fun note -> sort (comparing note)));
    calls "stable_sort" Linear_log (over (fun note -> stable_sort (comparing note)));
    calls "fast_sort" Linear_log (over (fun note -> fast_sort (comparing note)));
    calls "sort_uniq" Linear_log (over (fun note -> sort_uniq (comparing note)));
  ]

(* --- sequences --- *)

type consumer = (unit -> unit) -> int Weft.Seq.t -> unit

(* Each of them calls [note] for each element. *)
let consumers : (string * consumer) list =
  let open Weft.Seq in
  let f note x = noting note Fun.id x in
  let ignoring f s = ignore (Sys.opaque_identity (f s)) in
  [
    ("iter", fun note -> iter (noting note ignore));
    ("reduce", fun note -> ignoring (reduce (plus note) 0));
    ("fold", fun note -> ignoring (fold (plus note) ~combine:(plus note) 0));
    ("fold_left", fun note -> ignoring (fold_left (plus note) 0));
    ("fold_lefti", fun note -> ignoring (fold_lefti (fun sum _ -> plus note sum) 0));
    ("is_empty", fun note s -> ignoring is_empty (filter (no note) s));
    ("sum", fun note s -> ignoring sum (map (f note) s));
    ("float_sum", fun note s -> ignoring float_sum (map (fun x -> float (f note x)) s));
    ("count", fun note -> ignoring (count (yes note)));
    ("length", fun note s -> ignoring length (filter (yes note) s));
    ("min_opt", fun note -> ignoring (min_opt (comparing note)));
    ("max_opt", fun note -> ignoring (max_opt (comparing note)));
    ("exists", fun note -> ignoring (exists (no note)));
    ("for_all", fun note -> ignoring (for_all (yes note)));
    ("find", fun note -> ignoring (find (no note)));
    ("find_map", fun note -> ignoring (find_map (none note)));
    ("find_index", fun note -> ignoring (find_index (no note)));
    ("find_mapi", fun note -> ignoring (find_mapi (fun _ -> none note)));
    ("find_mapi, filtered", fun note s -> ignoring (find_mapi (fun _ -> none note)) (filter (fun _ -> true) s));
    ("to_array", fun note s -> ignoring to_array (map (f note) s));
    ("to_array, filtered", fun note s -> ignoring to_array (filter (yes note) s));
    ("to_floatarray", fun note s -> ignoring to_floatarray (map (fun x -> float (f note x)) s));
    ("to_floatarray, filtered", fun note s -> ignoring to_floatarray (map float (filter (yes note) s)));
    ("to_list", fun note s -> ignoring to_list (map (f note) s));
    ("to_seq", fun note s -> Seq.iter ignore (to_seq (map (f note) s)));
    ("to_dispenser", fun note s -> ignoring (to_dispenser (map (f note) s)) ());
    ("force", fun note s -> ignoring force (map (f note) s));
    ("memoize", fun note s -> ignoring sum (memoize (map (f note) s)));
    ("concat_map", fun note s -> ignoring sum (concat_map (fun x -> return (f note x)) s));
    ("product", fun note s -> iter (noting note ignore) (product s (return 1)));
    ("map_product", fun note s -> ignoring sum (map_product (plus note) s (return 1)));
    ("partition_map", fun note s -> ignoring sum (fst (partition_map (noting note Either.left) s)));
    ("unzip", fun note s -> ignoring sum (fst (unzip (map (fun x -> (f note x, x)) s))));
    ("split", fun note s -> ignoring sum (snd (split (map (fun x -> (x, f note x)) s))));
    ("cons", fun note s -> ignoring sum (cons 1 (map (f note) s)));
    ("map", fun note s -> ignoring sum (map (f note) s));
    ("mapi", fun note s -> ignoring sum (mapi (fun i x -> i + f note x) s));
    ("mapi, filtered", fun note s -> ignoring sum (mapi (fun i x -> i + f note x) (filter (fun _ -> true) s)));
    ("filter", fun note s -> ignoring sum (filter (odd note) s));
    ("filter_map", fun note s -> ignoring sum (filter_map (noting note Option.some) s));
    ("flat_map", fun note s -> ignoring sum (flat_map (fun x -> return (f note x)) s));
    ("scan", fun note s -> ignoring sum (scan (plus note) s));
    ("scan_inclusive", fun note s -> ignoring sum (scan_inclusive (plus note) s));
    ("scan_exclusive", fun note s -> ignoring sum (scan_exclusive (plus note) 0 s));
    ("append", fun note s -> iter (noting note ignore) (append s s));
    ("flatten", fun note s -> ignoring sum (flatten (map (fun x -> return (f note x)) s)));
    ("take", fun note s -> ignoring sum (take max_int (map (f note) s)));
    ("take, filtered", fun note s -> ignoring sum (take max_int (filter (yes note) s)));
    ("drop", fun note s -> ignoring sum (drop 1 (map (f note) s)));
    ("drop, filtered", fun note s -> ignoring sum (drop 1 (filter (yes note) s)));
    ("split_at", fun note s -> ignoring sum (snd (split_at 1 (map (f note) s))));
    ("zip", fun note s -> ignoring length (filter (yes note) (zip s s)));
    ("zip, filtered", fun note s -> ignoring length (zip (filter (yes note) s) s));
    ("map2", fun note s -> ignoring sum (map2 (plus note) s s));
    ("rev", fun note s -> ignoring sum (rev (map (f note) s)));
    ("rev, filtered", fun note s -> ignoring sum (rev (filter (yes note) s)));
    ("step_by", fun note s -> ignoring sum (step_by 2 (map (f note) s)));
    ("chunks", fun note s -> iter ignore (chunks 10 (map (f note) s)));
    ("windows", fun note s -> iter ignore (windows 3 (map (f note) s)));
    ("iteri", fun note -> iteri (fun _ -> noting note ignore));
    ("try_fold", fun note -> ignoring (try_fold ~combine:(plus note) (fun a x -> Ok (plus note a x)) 0));
    ("min_by", fun note -> ignoring (min_by ~key:(f note) Int.compare));
    ("max_by", fun note -> ignoring (max_by ~key:(f note) Int.compare));
    ("iter2", fun note s -> iter2 (fun x y -> noting note ignore (x + y)) s s);
    ("fold_left2", fun note s -> ignoring (fold_left2 (fun sum x y -> plus note sum (x + y)) 0 s) s);
    ("exists2", fun note s -> ignoring (exists2 (fun x _ -> no note x) s) s);
    ("for_all2", fun note s -> ignoring (for_all2 (fun x _ -> yes note x) s) s);
    ( "equal",
      fun note s ->
        ignoring
          (equal
             (fun x y ->
               note ();
               x = y)
             s)
          s );
    ("compare", fun note s -> ignoring (compare (comparing note) s) s);
    ("partition", fun note s -> ignoring sum (fst (partition (odd note) s)));
    ("partition_to_arrays", fun note -> ignoring (partition_to_arrays (odd note)));
    ("to_string", fun note s -> ignoring to_string (map (fun x -> Char.chr (f note x land 255)) s));
    ("to_bytes", fun note s -> ignoring to_bytes (map (fun x -> Char.chr (f note x land 255)) s));
    ("concat_strings", fun note s -> ignoring (concat_strings ",") (map (fun x -> string_of_int (f note x)) s));
  ]

let parts n = List.init n (fun _ -> Weft.Seq.of_array (ascending 50))
let from_the_left ss = List.fold_left Weft.Seq.append Weft.Seq.empty ss
let from_the_right ss = List.fold_right Weft.Seq.append ss Weft.Seq.empty
let bigarray n = Bigarray.(Array1.init Char C_layout n (fun i -> if i mod 5 = 0 then ' ' else 'x'))

(* Making a sequence runs no body. *)
let made =
  let open Weft.Seq in
  let of_source name f = words (name ^ ", made") Constant (fun n -> ignoring f (of_array (scattered n))) in
  [
    words "empty" Constant (fun _ -> ignoring (fun () -> empty) ());
    words "return" Constant (ignoring return);
    words "init, made" Constant (fun n -> ignoring (init n) Fun.id);
    words "of_range, made" Constant (ignoring (of_range 1));
    words "of_array, made" Constant (fun n -> ignoring of_array (scattered n));
    words "of_floatarray, made" Constant (fun n -> ignoring of_floatarray (Float.Array.init n float));
    words "of_list, made" Linear (fun n -> ignoring of_list (Array.to_list (scattered n)));
    calls "of_seq, made" Linear (fun note n -> ignoring of_seq (Seq.init n (noting note Fun.id)));
    calls "unfold, made" Linear (fun note n ->
        ignoring (unfold (fun i -> if i = n then None else Some (noting note Fun.id i, i + 1))) 0);
    calls "of_dispenser, made" Linear (fun note n ->
        ignoring of_dispenser (Seq.to_dispenser (Seq.init n (noting note Fun.id))));
    of_source "memoize" memoize;
    of_source "cons" (cons 1);
    of_source "concat_map" (concat_map return);
    of_source "product" (product (return 1));
    of_source "map_product" (map_product ( + ) (return 1));
    of_source "partition" (partition (fun _ -> true));
    of_source "partition_map" (partition_map Either.left);
    of_source "unzip" (fun s -> unzip (map (fun x -> (x, x)) s));
    of_source "split" (fun s -> split (map (fun x -> (x, x)) s));
    of_source "to_dispenser" to_dispenser;
    of_source "map" (map succ);
    of_source "mapi" (mapi ( + ));
    of_source "filter" (filter (fun _ -> true));
    of_source "filter_map" (filter_map Option.some);
    of_source "flat_map" (flat_map return);
    of_source "scan" (scan ( + ));
    of_source "scan_inclusive" (scan_inclusive ( + ));
    of_source "scan_exclusive" (scan_exclusive ( + ) 0);
    of_source "append" (fun s -> append s s);
    of_source "flatten" (fun s -> flatten (map return s));
    of_source "take" (take 5);
    of_source "drop" (drop 5);
    of_source "split_at" (split_at 5);
    of_source "zip" (fun s -> zip s s);
    of_source "map2" (fun s -> map2 ( + ) s s);
    of_source "rev" rev;
    of_source "step_by" (step_by 2);
    of_source "chunks" (chunks 10);
    of_source "windows" (windows 10);
    words "of_string, made" Constant (fun n -> ignoring of_string (String.make n 'x'));
    words "of_bytes, made" Constant (fun n -> ignoring of_bytes (Bytes.make n 'x'));
    words "of_bigarray, made" Constant (fun n -> ignoring of_bigarray (bigarray n));
    words "Text.of_string" Constant (fun n -> ignoring Text.of_string (String.make n 'x'));
    words "Text.of_bytes" Constant (fun n -> ignoring Text.of_bytes (Bytes.make n 'x'));
    words "Text.of_bigarray" Constant (fun n -> ignoring Text.of_bigarray (bigarray n));
    words "Text.of_file" Constant (fun _ -> ignoring Text.of_file Sys.executable_name);
    words "Text.length" Constant (fun n -> ignoring Text.length (Text.of_string (String.make n 'x')));
    of_source "to_seq" to_seq;
    of_source "length" length;
    words "concat, made" Linear (fun n -> ignoring concat (parts n));
    words "concat_list, made" Linear (fun n -> ignoring concat_list (parts n));
  ]

let used =
  let open Weft.Seq in
  let over name make =
    calls name Linear (fun note n ->
        let s = make n in
        fun () -> iter (noting note ignore) s)
  in
  [
    over "init" (fun n -> init n Fun.id);
    over "of_range" (of_range 1);
    over "of_array" (fun n -> of_array (scattered n));
    over "of_string" (fun n -> of_string (String.make n 'x'));
    over "of_bytes" (fun n -> of_bytes (Bytes.make n 'x'));
    over "of_bigarray" (fun n -> of_bigarray (bigarray n));
    over "Text.chars" (fun n -> Text.(chars (of_bigarray (bigarray n))));
    over "Text.lines" (fun n -> Text.(lines (of_string (String.make n '\n'))));
    over "Text.tokens" (fun n -> Text.(tokens (of_bigarray (bigarray n))));
    over "Text.split_on_char" (fun n -> Text.(split_on_char ' ' (of_bigarray (bigarray n))));
    over "of_list" (fun n -> of_list (Array.to_list (scattered n)));
    over "of_seq" (fun n -> of_seq (Seq.init n Fun.id));
    calls "of_floatarray" Linear (fun note n ->
        let s = of_floatarray (Float.Array.init n float) in
        fun () -> iter (noting note ignore) s);
  ]

(* --- lines --- *)

let with_file write f =
  let path = Filename.temp_file "weft_costs" ".txt" in
  Fun.protect
    ~finally:(fun () -> Sys.remove path)
    (fun () ->
      Out_channel.with_open_bin path write;
      f path)

let count_lines note path = Weft.Seq.iter (noting note ignore) (Weft.Seq.Private.lines ~block:1000 path)

(* The file exists only while it is read. *)
let lines =
  let of_file name write use =
    calls name Linear (fun note n () -> with_file (fun file -> write file n) (use note))
  in
  let short_lines file n =
    for i = 1 to n do
      Printf.fprintf file "%d\n" i
    done
  in
  [
    words "lines, made" Constant (fun _ -> ignoring Weft.Seq.lines "no such file");
    of_file "lines" short_lines count_lines;
    of_file "lines, of one long line"
      (fun file n -> output_string file (String.make (10 * n) 'x'))
      count_lines;
  ]

(* --- concatenations --- *)

(* n parts of 50 elements each. *)
let of_concatenation join =
  List.map
    (fun (name, use) ->
      calls (name ^ ", of a concatenation") Linear (fun note n ->
          let s = join (parts n) in
          fun () -> use note s))
    consumers

let of_source =
  List.map
    (fun (name, use) ->
      calls name Linear (fun note n ->
          let s = Weft.Seq.of_array (scattered n) in
          fun () -> use note s))
    consumers

let sequences = made @ used @ lines @ of_source

let joins =
  [
    ("concat", Weft.Seq.concat);
    ("append from the left", from_the_left);
    ("append from the right", from_the_right);
  ]

(* A position is in one part: only that part is asked, and each part once before for its length. *)
let looks_at_parts () =
  List.iter
    (fun (name, join) ->
      List.iter
        (fun n ->
          let positions = List.init 1000 (fun i -> i * n / 20) in
          let looks = ref 0 in
          let part _ = Weft.Seq.Private.watched_array ~note:(fun () -> incr looks) (ascending 50) in
          Alcotest.(check (option (list int)))
            name (Some positions)
            (Weft.Seq.Private.elements_before (join (List.init n part)) positions);
          (* Making the sequence asks each part for its length, too. *)
          if !looks > (2 * n) + List.length positions then
            Alcotest.failf "%s of %d parts: %d looks for %d positions" name n !looks (List.length positions))
        [ 1; 2; 3; 100; 200; 1000 ])
    joins

(* A call passes through no other part. *)
let calls_through_parts () =
  List.iter
    (fun (name, join) ->
      let most n =
        let s = join (parts n) in
        List.fold_left
          (fun most position -> max most (Weft.Seq.Private.calls_to_element s position))
          0
          [ 0; 25 * n; (50 * n) - 1 ]
      in
      let of_few = most 2 and of_many = most 1000 in
      if of_many > of_few + 20 then
        Alcotest.failf "%s: %d calls to an element of 1,000 parts, %d of 2" name of_many of_few)
    joins

(* --- all of them --- *)

let tables =
  let sizes = sizes [ 1000; 10_000; 50_000 ] in
  let table prefix file cases =
    let has_case name = List.exists (fun case -> function_of case = name) cases in
    let own = List.filter (fun name -> not (has_case name)) (Testing_standard.Own.names ("Weft." ^ prefix)) in
    {
      prefix = "Weft." ^ prefix ^ ".";
      files = [ "lib/weft/parallel_" ^ file ^ ".mli" ];
      sizes;
      in_pool = true;
      cases;
      except = (if own = [] then [] else [ ("the standard library's own", own) ]);
    }
  in
  [
    table "Array" "array" arrays;
    table "Floatarray" "floatarray" floatarrays;
    { (table "Atomic_array" "array" atomic_arrays) with files = [ "lib/weft/atomic_array.mli" ] };
    table "Bigarray" "bigarray" bigarrays;
    table "List" "list" lists;
    table "Seq" "seq" sequences;
  ]

let tests =
  let in_one_worker name f = Testing.Watchdog.case name (fun () -> Weft.run ~domains:1 f) in
  let grow name join =
    in_one_worker ("sequences: " ^ name) (fun () ->
        Testing.Growth.check "Weft.Seq." ~sizes:[ 50; 200 ] (of_concatenation join))
  in
  [
    grow "concat" Weft.Seq.concat;
    grow "append from the left" from_the_left;
    grow "append from the right" from_the_right;
    in_one_worker "sequences: positions in parts" looks_at_parts;
    in_one_worker "sequences: calls through parts" calls_through_parts;
  ]
