module F = Float.Array

type t = floatarray

external length : floatarray -> int = "%floatarray_length"
external get : floatarray -> int -> float = "%floatarray_safe_get"
external set : floatarray -> int -> float -> unit = "%floatarray_safe_set"
external unsafe_get : floatarray -> int -> float = "%floatarray_unsafe_get"
external unsafe_set : floatarray -> int -> float -> unit = "%floatarray_unsafe_set"

(* --- making arrays --- *)

let create n =
  Bounds.length "Weft.Floatarray.create" n;
  F.create n

let make n x =
  let who = "Weft.Floatarray.make" in
  Bounds.length who n;
  let r = F.create n in
  Floatarray_copy.fill_range who r 0 n x;
  r

let init n f =
  let who = "Weft.Floatarray.init" in
  Bounds.length who n;
  Matrices.floats who n f

let make_matrix = Matrices.make_floats
let init_matrix = Matrices.init_floats
let of_list = F.of_list
let to_list = F.to_list
let of_seq = F.of_seq
let to_seq = F.to_seq
let to_seqi = F.to_seqi

let of_array a =
  let n = Array.length a in
  let r = F.create n in
  Loop.blocks ~who:"Weft.Floatarray.of_array" ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        unsafe_set r i (Array.unsafe_get a i)
      done);
  r

let to_array a =
  let n = length a in
  let r = Array.create_float n in
  Loop.blocks ~who:"Weft.Floatarray.to_array" ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        Array.unsafe_set r i (unsafe_get a i)
      done);
  r

(* --- parts and copies --- *)

let append = Floatarray_copy.append
let concat = Floatarray_copy.concat
let sub = Floatarray_copy.sub
let copy = Floatarray_copy.copy
let blit = Floatarray_copy.blit
let fill = Floatarray_copy.fill

(* --- element by element --- *)

let map f a =
  let n = length a in
  let r = F.create n in
  Loop.blocks ~who:"Weft.Floatarray.map" ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        unsafe_set r i (f (unsafe_get a i))
      done);
  r

let mapi f a =
  let n = length a in
  let r = F.create n in
  Loop.blocks ~who:"Weft.Floatarray.mapi" ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        unsafe_set r i (f i (unsafe_get a i))
      done);
  r

let map2 f a b =
  let who = "Weft.Floatarray.map2" in
  let n = length a in
  Bounds.same who n (length b);
  let r = F.create n in
  Loop.blocks ~who ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        unsafe_set r i (f (unsafe_get a i) (unsafe_get b i))
      done);
  r

let map_to_array f a =
  Results.by_blocks ~who:"Weft.Floatarray.map_to_array" ~length:(length a)
    (fun i -> f (unsafe_get a i))
    (fun r first last ->
      for i = first to last do
        Array.unsafe_set r i (f (unsafe_get a i))
      done)

let map_of_array f a =
  let n = Array.length a in
  let r = F.create n in
  Loop.blocks ~who:"Weft.Floatarray.map_of_array" ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        unsafe_set r i (f (Array.unsafe_get a i))
      done);
  r

let map_from_array = map_of_array
let map_inplace = Floatarray_each.map_inplace
let mapi_inplace = Floatarray_each.mapi_inplace
let iter2 = Floatarray_each.iter2
let iter = Floatarray_each.iter
let iter_sub = Floatarray_each.iter_sub
let iteri = Floatarray_each.iteri
let iteri_sub = Floatarray_each.iteri_sub

(* Each block puts the elements that it keeps at its own place in [kept], until it is known where they go. *)
let filter p a =
  let n = length a in
  let sieve = Sieve.make ~who:"Weft.Floatarray.filter" n in
  let kept = F.create n in
  let counts = Array.make (Sieve.count sieve) 0 in
  Sieve.over sieve (fun k first last ->
      let at = ref first in
      for i = first to last do
        let x = unsafe_get a i in
        if p x then begin
          unsafe_set kept !at x;
          incr at
        end
      done;
      counts.(k) <- !at - first);
  let before = Array.copy counts in
  let r = F.create (Sieve.add_up before) in
  Sieve.over sieve (fun k first _ -> F.blit kept first r before.(k) counts.(k));
  r

(* --- summaries --- *)

let sum = Floatarray_sums.sum
let dot = Floatarray_sums.dot
let min = Floatarray_sums.min
let max = Floatarray_sums.max
let min_opt = Floatarray_sums.min_opt
let max_opt = Floatarray_sums.max_opt

let fold_of f a first last =
  let acc = ref (unsafe_get a first) in
  for i = first + 1 to last do
    acc := f !acc (unsafe_get a i)
  done;
  !acc

let reduce ?pos ?len f init a =
  let who = "Weft.Floatarray.reduce" in
  let start, finish = Bounds.range who pos len (length a) in
  if finish < start then init else f init (Reduce.reduce ~who ~start ~finish ~fold:(fold_of f a) f)

let fold ?pos ?len ~combine f init a =
  let who = "Weft.Floatarray.fold" in
  let start, finish = Bounds.range who pos len (length a) in
  let fold first last =
    let acc = ref init in
    for i = first to last do
      acc := f !acc (unsafe_get a i)
    done;
    !acc
  in
  if finish < start then init else Reduce.reduce ~who ~start ~finish ~fold combine

let fold_left = F.fold_left
let fold_right = F.fold_right

let count ?pos ?len p a =
  let who = "Weft.Floatarray.count" in
  let start, finish = Bounds.range who pos len (length a) in
  let fold first last =
    let n = ref 0 in
    for i = first to last do
      if p (unsafe_get a i) then incr n
    done;
    !n
  in
  if finish < start then 0 else Reduce.reduce ~who ~start ~finish ~fold ( + )

(* --- searches --- *)

let exists = Floatarray_search.exists
let exists_sub = Floatarray_search.exists_sub
let for_all = Floatarray_search.for_all
let for_all_sub = Floatarray_search.for_all_sub
let mem = Floatarray_search.mem
let mem_ieee = Floatarray_search.mem_ieee
let find_opt = Floatarray_search.find_opt
let find_index = Floatarray_search.find_index
let find_index_sub = Floatarray_search.find_index_sub
let find_map = Floatarray_search.find_map
let find_mapi = Floatarray_search.find_mapi

(* --- prefix sums --- *)

let scan f a =
  let n = length a in
  let r = F.create n in
  let write before first last =
    let x = unsafe_get a first in
    let acc = ref (match before with None -> x | Some before -> f before x) in
    unsafe_set r first !acc;
    for i = first + 1 to last do
      acc := f !acc (unsafe_get a i);
      unsafe_set r i !acc
    done
  in
  Scan.run ~who:"Weft.Floatarray.scan" ~length:n ~sum:(fold_of f a) ~write f ~init:None;
  r

let scan_exclusive f init a =
  let n = length a in
  let r = F.create n in
  let write before first last =
    let acc = ref (Option.get before) in
    for i = first to last do
      unsafe_set r i !acc;
      if i < last then acc := f !acc (unsafe_get a i)
    done
  in
  let who = "Weft.Floatarray.scan_exclusive" in
  Scan.run ~who ~length:n ~sum:(fold_of f a) ~write f ~init:(Some init);
  r

let scan_inclusive = scan
let prefix_sums = Floatarray_sums.prefix_sums

(* --- sorting --- *)

let sort_floats = Ordered.sort_floats
let sort = sort_floats
let stable_sort = Ordered.sort_floatarray
let fast_sort = stable_sort
let sorted = Ordered.sorted_floats
let is_sorted = Ordered.is_sorted_floats

let rank a =
  Keyed_order.rank ~who:"Weft.Floatarray.rank" (length a) (fun i j ->
      Float.compare (unsafe_get a i) (unsafe_get a j))

let kth_smallest k a = Selection.kth_smallest ~who:"Weft.Floatarray.kth_smallest" Float.compare k (to_array a)

(* --- random order --- *)

let shuffle = F.shuffle
