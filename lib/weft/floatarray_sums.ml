open Weft_platform

external length : floatarray -> int = "%floatarray_length"
external unsafe_get : floatarray -> int -> float = "%floatarray_unsafe_get"

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
  if finish < start then 0.
  else Reduce.reduce ~code:(Closure.code sum_of_leaf) ~who ~start ~finish ~fold:(sum_of_leaf a) ( +. )

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
  if n = 0 then 0.
  else
    Reduce.reduce ~code:(Closure.code dot_of_leaf) ~who ~start:0 ~finish:(n - 1) ~fold:(dot_of_leaf a b)
      ( +. )

(* The range is not empty. *)
let least who ~start ~finish a =
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

let greatest who ~start ~finish a =
  let fold first last =
    let best = ref (unsafe_get a first) in
    for i = first + 1 to last do
      let x = unsafe_get a i in
      if x > !best then best := x else if not (x < !best) then best := Float.max !best x
    done;
    !best
  in
  Reduce.reduce ~who ~start ~finish ~fold Float.max

let some_of who pos len a extreme =
  let start, finish = Bounds.range who pos len (length a) in
  Bounds.not_empty who (finish - start + 1);
  extreme who ~start ~finish a

let option_of who pos len a extreme =
  let start, finish = Bounds.range who pos len (length a) in
  if finish < start then None else Some (extreme who ~start ~finish a)

let min ?pos ?len a = some_of "Weft.Floatarray.min" pos len a least
let max ?pos ?len a = some_of "Weft.Floatarray.max" pos len a greatest
let min_opt ?pos ?len a = option_of "Weft.Floatarray.min_opt" pos len a least
let max_opt ?pos ?len a = option_of "Weft.Floatarray.max_opt" pos len a greatest
