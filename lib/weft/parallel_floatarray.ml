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
  let r = F.create n in
  Loop.blocks ~who ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        unsafe_set r i (f i)
      done);
  r

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

let iter ?pos ?len f a =
  let start, finish = Bounds.range "Weft.Floatarray.iter" pos len (length a) in
  Loop.blocks ~who:"Weft.Floatarray.iter" ~start ~finish (fun first last ->
      for i = first to last do
        f (unsafe_get a i)
      done)

let iteri ?pos ?len f a =
  let start, finish = Bounds.range "Weft.Floatarray.iteri" pos len (length a) in
  Loop.blocks ~who:"Weft.Floatarray.iteri" ~start ~finish (fun first last ->
      for i = first to last do
        f i (unsafe_get a i)
      done)

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

(* Four independent sums: so an addition need not wait for the one before. *)
let sum_of_leaf a first last =
  let s0 = ref 0. and s1 = ref 0. and s2 = ref 0. and s3 = ref 0. in
  let i = ref first in
  while !i + 3 <= last do
    s0 := !s0 +. unsafe_get a !i;
    s1 := !s1 +. unsafe_get a (!i + 1);
    s2 := !s2 +. unsafe_get a (!i + 2);
    s3 := !s3 +. unsafe_get a (!i + 3);
    i := !i + 4
  done;
  for i = !i to last do
    s0 := !s0 +. unsafe_get a i
  done;
  !s0 +. !s1 +. (!s2 +. !s3)

let sum ?pos ?len a =
  let who = "Weft.Floatarray.sum" in
  let start, finish = Bounds.range who pos len (length a) in
  if finish < start then 0. else Reduce.reduce ~who ~start ~finish ~fold:(sum_of_leaf a) ( +. )

let dot_of_leaf a b first last =
  let s0 = ref 0. and s1 = ref 0. and s2 = ref 0. and s3 = ref 0. in
  let i = ref first in
  while !i + 3 <= last do
    let j = !i in
    s0 := !s0 +. (unsafe_get a j *. unsafe_get b j);
    s1 := !s1 +. (unsafe_get a (j + 1) *. unsafe_get b (j + 1));
    s2 := !s2 +. (unsafe_get a (j + 2) *. unsafe_get b (j + 2));
    s3 := !s3 +. (unsafe_get a (j + 3) *. unsafe_get b (j + 3));
    i := j + 4
  done;
  for i = !i to last do
    s0 := !s0 +. (unsafe_get a i *. unsafe_get b i)
  done;
  !s0 +. !s1 +. (!s2 +. !s3)

let dot a b =
  let who = "Weft.Floatarray.dot" in
  let n = length a in
  Bounds.same who n (length b);
  if n = 0 then 0. else Reduce.reduce ~who ~start:0 ~finish:(n - 1) ~fold:(dot_of_leaf a b) ( +. )

let min ?pos ?len a =
  let who = "Weft.Floatarray.min" in
  let start, finish = Bounds.range who pos len (length a) in
  Bounds.not_empty who (finish - start + 1);
  let fold first last =
    let best = ref (unsafe_get a first) in
    for i = first + 1 to last do
      let x = unsafe_get a i in
      (* [Float.min] handles zeros and [nan]. *)
      if x < !best then best := x else if not (x > !best) then best := Float.min !best x
    done;
    !best
  in
  Reduce.reduce ~who ~start ~finish ~fold Float.min

let max ?pos ?len a =
  let who = "Weft.Floatarray.max" in
  let start, finish = Bounds.range who pos len (length a) in
  Bounds.not_empty who (finish - start + 1);
  let fold first last =
    let best = ref (unsafe_get a first) in
    for i = first + 1 to last do
      let x = unsafe_get a i in
      if x > !best then best := x else if not (x < !best) then best := Float.max !best x
    done;
    !best
  in
  Reduce.reduce ~who ~start ~finish ~fold Float.max

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

let found = Some ()

let exists ?pos ?len p a =
  let who = "Weft.Floatarray.exists" in
  let start, finish = Bounds.range who pos len (length a) in
  let look first last =
    let rec from i = if p (unsafe_get a i) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_some (Search.any ~who ~start ~finish look)

let for_all ?pos ?len p a =
  let who = "Weft.Floatarray.for_all" in
  let start, finish = Bounds.range who pos len (length a) in
  let look first last =
    let rec from i = if not (p (unsafe_get a i)) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_none (Search.any ~who ~start ~finish look)

let find_index ?pos ?len p a =
  let who = "Weft.Floatarray.find_index" in
  let start, finish = Bounds.range who pos len (length a) in
  let look first last =
    let rec from i = if p (unsafe_get a i) then Some i else if i < last then from (i + 1) else None in
    from first
  in
  Search.first ~who ~start ~finish look

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

(* --- sorting --- *)

let sort = Ordered.sort_floats
let sorted = Ordered.sorted_floats
let is_sorted = Ordered.is_sorted_floats

let rank a =
  Keyed_order.rank ~who:"Weft.Floatarray.rank" (length a) (fun i j ->
      Float.compare (unsafe_get a i) (unsafe_get a j))

let kth_smallest k a = Selection.kth_smallest ~who:"Weft.Floatarray.kth_smallest" Float.compare k (to_array a)
