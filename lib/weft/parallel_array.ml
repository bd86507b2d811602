(* Within this module, [Array] is OCaml's. *)

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
  Results.by_blocks ~who ~length:n f (fun r first last ->
      for i = first to last do
        Results.set_first r i (f i)
      done)

let of_list = Array.of_list
let to_list = Array.to_list
let of_seq = Array.of_seq
let to_seq = Array.to_seq

(* --- parts and copies --- *)

let append = Array_copy.append
let concat = Array_copy.concat
let flatten = Array_copy.flatten
let sub = Array_copy.sub
let copy = Array_copy.copy
let blit = Array_copy.blit
let fill = Array_copy.fill
let rev = Array_copy.rev
let rev_inplace = Array_copy.rev_inplace
let rotate = Array_copy.rotate

(* --- element by element --- *)

let map f a =
  Results.by_blocks ~who:"Weft.Array.map" ~length:(Array.length a)
    (fun i -> f (Array.unsafe_get a i))
    (fun r first last ->
      for i = first to last do
        Results.set_first r i (f (Array.unsafe_get a i))
      done)

let mapi f a =
  Results.by_blocks ~who:"Weft.Array.mapi" ~length:(Array.length a)
    (fun i -> f i (Array.unsafe_get a i))
    (fun r first last ->
      for i = first to last do
        Results.set_first r i (f i (Array.unsafe_get a i))
      done)

let map2 f a b =
  let who = "Weft.Array.map2" in
  Bounds.same who (Array.length a) (Array.length b);
  Results.by_blocks ~who ~length:(Array.length a)
    (fun i -> f (Array.unsafe_get a i) (Array.unsafe_get b i))
    (fun r first last ->
      for i = first to last do
        Results.set_first r i (f (Array.unsafe_get a i) (Array.unsafe_get b i))
      done)

let iter ?pos ?len f a =
  let who = "Weft.Array.iter" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        f (Array.unsafe_get a i)
      done)

let iteri ?pos ?len f a =
  let who = "Weft.Array.iteri" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        f i (Array.unsafe_get a i)
      done)

let iter2 f a b =
  let who = "Weft.Array.iter2" in
  Bounds.same who (Array.length a) (Array.length b);
  Loop.blocks ~who ~start:0
    ~finish:(Array.length a - 1)
    (fun first last ->
      for i = first to last do
        f (Array.unsafe_get a i) (Array.unsafe_get b i)
      done)

let map_inplace ?pos ?len f a =
  let who = "Weft.Array.map_inplace" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        Array.unsafe_set a i (f (Array.unsafe_get a i))
      done)

let mapi_inplace ?pos ?len f a =
  let who = "Weft.Array.mapi_inplace" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        Array.unsafe_set a i (f i (Array.unsafe_get a i))
      done)

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
let flat_map f a = flatten (map f a)

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
  if finish < start then init else f init (Reduce.reduce ~who ~start ~finish ~fold f)

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
  if finish < start then init else combine init (Reduce.reduce ~element ~who ~start ~finish ~fold combine)

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
  if finish < start then init else Reduce.reduce ~who ~start ~finish ~fold combine

let fold_left = Array.fold_left
let fold_right = Array.fold_right

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
  if finish < start then 0 else Reduce.reduce ~element ~who ~start ~finish ~fold ( + )

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
let for_all = Array_search.for_all
let for_none = Array_search.for_none
let mem = Array_search.mem
let memq = Array_search.memq
let find = Array_search.find
let find_opt = Array_search.find_opt
let find_index = Array_search.find_index
let find_map = Array_search.find_map
let find_mapi = Array_search.find_mapi

(* --- prefix sums --- *)

let scan = Array_scan.scan
let scan_exclusive = Array_scan.scan_exclusive
let scan_total = Array_scan.scan_total
let scan_inplace = Array_scan.scan_inplace
let scan_exclusive_inplace = Array_scan.scan_exclusive_inplace

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
