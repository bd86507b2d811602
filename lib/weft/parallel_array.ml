(* Within this module, [Array] is OCaml's. *)

open Weft_platform

type 'a t = 'a array

external length : 'a array -> int = "%array_length"
external get : 'a array -> int -> 'a = "%array_safe_get"
external set : 'a array -> int -> 'a -> unit = "%array_safe_set"
external unsafe_get : 'a array -> int -> 'a = "%array_unsafe_get"
external unsafe_set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"

(* --- making arrays --- *)

let make n x =
  Bounds.length "Weft.Array.make" n;
  Results.make n x

let create_float n =
  Bounds.length "Weft.Array.create_float" n;
  Array.create_float n

let init n f =
  let who = "Weft.Array.init" in
  Bounds.length who n;
  Results.by_blocks ~code:(Closure.code f) ~who ~length:n f (fun r first last ->
      for i = first to last do
        Results.set_first r i (f i)
      done)

let make_matrix = Matrices.make
let init_matrix = Matrices.init
let of_list = Array.of_list
let to_list = Array.to_list
let of_seq = Array.of_seq
let to_seq = Array.to_seq
let to_seqi = Array.to_seqi

(* --- parts and copies --- *)

let append = Array_copy.append
let concat = Array_copy.concat
let flatten a = Array_copy.flatten ~who:"Weft.Array.flatten" a
let sub = Array_copy.sub
let copy = Array_copy.copy
let blit = Array_copy.blit
let fill = Array_copy.fill
let rev = Array_copy.rev
let rev_inplace = Array_copy.rev_inplace
let rotate = Array_copy.rotate

(* --- element by element --- *)

let map f a =
  Results.by_blocks ~code:(Closure.code f) ~who:"Weft.Array.map" ~length:(Array.length a)
    (fun i -> f (Array.unsafe_get a i))
    (fun r first last ->
      for i = first to last do
        Results.set_first r i (f (Array.unsafe_get a i))
      done)

let mapi f a =
  Results.by_blocks ~code:(Closure.code f) ~who:"Weft.Array.mapi" ~length:(Array.length a)
    (fun i -> f i (Array.unsafe_get a i))
    (fun r first last ->
      for i = first to last do
        Results.set_first r i (f i (Array.unsafe_get a i))
      done)

let map2 f a b =
  let who = "Weft.Array.map2" in
  Bounds.same who (Array.length a) (Array.length b);
  Results.by_blocks ~code:(Closure.code f) ~who ~length:(Array.length a)
    (fun i -> f (Array.unsafe_get a i) (Array.unsafe_get b i))
    (fun r first last ->
      for i = first to last do
        Results.set_first r i (f (Array.unsafe_get a i) (Array.unsafe_get b i))
      done)

let iter = Array_each.iter
let iter_sub = Array_each.iter_sub
let iteri = Array_each.iteri
let iteri_sub = Array_each.iteri_sub
let iter2 = Array_each.iter2
let map_inplace = Array_each.map_inplace
let map_inplace_sub = Array_each.map_inplace_sub
let mapi_inplace = Array_each.mapi_inplace
let mapi_inplace_sub = Array_each.mapi_inplace_sub

let split a =
  let n = Array.length a in
  if n = 0 then ([||], [||])
  else begin
    let x, y = Array.unsafe_get a 0 in
    let xs = Results.to_write x n and ys = Results.to_write y n in
    Loop.blocks ~who:"Weft.Array.split" ~start:0 ~finish:(n - 1) (fun first last ->
        for i = first to last do
          let x, y = Array.unsafe_get a i in
          Results.set_first xs i x;
          Results.set_first ys i y
        done);
    (xs, ys)
  end

let combine a b =
  let who = "Weft.Array.combine" in
  let n = Array.length a in
  Bounds.same who n (Array.length b);
  if n = 0 then [||]
  else begin
    let r = Results.to_write (Array.unsafe_get a 0, Array.unsafe_get b 0) n in
    Loop.blocks ~who ~start:0 ~finish:(n - 1) (fun first last ->
        for i = first to last do
          Array.unsafe_set r i (Array.unsafe_get a i, Array.unsafe_get b i)
        done);
    r
  end

(* --- some of the elements --- *)

let filter = Array_filter.filter
let filteri = Array_filter.filteri
let filter_map = Array_filter.filter_map
let partition = Array_filter.partition
let pack = Array_filter.pack
let pack_index = Array_filter.pack_index
let flat_map f a = Array_copy.flatten ~who:"Weft.Array.flat_map" (map f a)

(* --- two arrays --- *)

let equal = Array_pairs.equal
let compare = Array_pairs.compare
let mismatch = Array_pairs.mismatch

(* --- summaries --- *)

let reduce ?pos ?len f init a =
  let who = "Weft.Array.reduce" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let fold first last =
    let acc = ref (Array.unsafe_get a first) in
    for i = first + 1 to last do
      acc := f !acc (Array.unsafe_get a i)
    done;
    !acc
  in
  if finish < start then init else f init (Reduce.reduce ~code:(Closure.code f) ~who ~start ~finish ~fold f)

let map_reduce ?pos ?len f combine init a =
  let who = "Weft.Array.map_reduce" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let fold first last =
    let acc = ref (f (Array.unsafe_get a first)) in
    for i = first + 1 to last do
      acc := combine !acc (f (Array.unsafe_get a i))
    done;
    !acc
  in
  let element i = f (Array.unsafe_get a i) in
  if finish < start then init
  else combine init (Reduce.elements ~code:(Closure.code f) ~start ~finish ~fold element combine)

let fold ?pos ?len ~combine f init a =
  let who = "Weft.Array.fold" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let fold first last =
    let acc = ref init in
    for i = first to last do
      acc := f !acc (Array.unsafe_get a i)
    done;
    !acc
  in
  if finish < start then init else Reduce.reduce ~code:(Closure.code f) ~who ~start ~finish ~fold combine

let fold_left = Array.fold_left
let fold_right = Array.fold_right
let fold_left_map = Array.fold_left_map

let count ?pos ?len p a =
  let who = "Weft.Array.count" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let fold first last =
    let n = ref 0 in
    for i = first to last do
      if p (Array.unsafe_get a i) then incr n
    done;
    !n
  in
  let element i = Bool.to_int (p (Array.unsafe_get a i)) in
  if finish < start then 0 else Reduce.elements ~code:(Closure.code p) ~start ~finish ~fold element ( + )

let min = Array_extremes.min
let max = Array_extremes.max
let min_opt = Array_extremes.min_opt
let max_opt = Array_extremes.max_opt
let minmax = Array_extremes.minmax
let min_index = Array_extremes.min_index
let max_index = Array_extremes.max_index
let histogram = Array_histogram.histogram
let reduce_by_index = Array_histogram.reduce_by_index
let histogram_by_key = Array_group.histogram_by_key
let reduce_by_key = Array_group.reduce_by_key
let group_by = Array_group.group_by
let group_by_key = Array_group.group_by_key
let remove_duplicates = Array_group.remove_duplicates

(* --- searches --- *)

let exists = Array_search.exists
let exists_sub = Array_search.exists_sub
let for_all = Array_search.for_all
let for_all_sub = Array_search.for_all_sub
let for_none = Array_search.for_none
let exists2 = Array_search.exists2
let for_all2 = Array_search.for_all2
let mem = Array_search.mem
let mem_sub = Array_search.mem_sub
let memq = Array_search.memq
let memq_sub = Array_search.memq_sub
let find = Array_search.find
let find_opt = Array_search.find_opt
let find_opt_sub = Array_search.find_opt_sub
let find_index = Array_search.find_index
let find_index_sub = Array_search.find_index_sub
let find_map = Array_search.find_map
let find_map_sub = Array_search.find_map_sub
let find_mapi = Array_search.find_mapi
let find_mapi_sub = Array_search.find_mapi_sub

(* --- prefix sums --- *)

let scan = Array_scan.scan
let scan_exclusive = Array_scan.scan_exclusive
let scan_total = Array_scan.scan_total
let prefix_sums = Array_scan.prefix_sums
let scan_inplace = Array_scan.scan_inplace
let scan_exclusive_inplace = Array_scan.scan_exclusive_inplace
let scan_inclusive = scan

(* --- sorting --- *)

let sort = Ordered.sort
let stable_sort = sort
let fast_sort = sort
let sorted = Ordered.sorted
let is_sorted = Ordered.is_sorted
let sort_by_key = Keyed_order.sort_by_key
let integer_sort = Keyed_order.integer_sort
let counting_sort = Keyed_order.counting_sort

let rank cmp a =
  Keyed_order.rank ~who:"Weft.Array.rank" (Array.length a) (fun i j ->
      cmp (Array.unsafe_get a i) (Array.unsafe_get a j))

let kth_smallest cmp k a = Selection.kth_smallest ~who:"Weft.Array.kth_smallest" cmp k a
let sort_uniq = Ordered.sort_uniq
let dedup = Ordered.dedup
let merge = Ordered.merge

(* --- random order --- *)

let shuffle = Task_random.shuffle
