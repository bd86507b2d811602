open Weft_platform
module F = Float.Array
module L = Float_loops.Of_floatarray

let sum ?pos ?len a =
  let who = "Weft.Floatarray.sum" in
  let start, finish = Bounds.range who pos len (F.length a) in
  if finish < start then 0.
  else Reduce.reduce ~code:(Closure.code L.sum) ~who ~start ~finish ~fold:(L.sum a) ( +. )

let dot a b =
  let who = "Weft.Floatarray.dot" in
  let n = F.length a in
  Bounds.same who n (F.length b);
  if n = 0 then 0.
  else Reduce.reduce ~code:(Closure.code L.dot) ~who ~start:0 ~finish:(n - 1) ~fold:(L.dot a b) ( +. )

(* The range is not empty. *)
let least who ~start ~finish a = Reduce.reduce ~who ~start ~finish ~fold:(L.least a) Float.min
let greatest who ~start ~finish a = Reduce.reduce ~who ~start ~finish ~fold:(L.greatest a) Float.max

let some_of who pos len a extreme =
  let start, finish = Bounds.range who pos len (F.length a) in
  Bounds.not_empty who (finish - start + 1);
  extreme who ~start ~finish a

let option_of who pos len a extreme =
  let start, finish = Bounds.range who pos len (F.length a) in
  if finish < start then None else Some (extreme who ~start ~finish a)

let min ?pos ?len a = some_of "Weft.Floatarray.min" pos len a least
let max ?pos ?len a = some_of "Weft.Floatarray.max" pos len a greatest
let min_opt ?pos ?len a = option_of "Weft.Floatarray.min_opt" pos len a least
let max_opt ?pos ?len a = option_of "Weft.Floatarray.max_opt" pos len a greatest

(* The sums of the blocks are those of {!sum}, four at a time; each block is written one by one. *)
let prefix_sums a =
  let n = F.length a in
  let r = F.create n in
  let write before first last =
    let x = F.unsafe_get a first in
    let acc = ref (match before with None -> x | Some before -> before +. x) in
    F.unsafe_set r first !acc;
    for i = first + 1 to last do
      acc := !acc +. F.unsafe_get a i;
      F.unsafe_set r i !acc
    done
  in
  Scan.run ~who:"Weft.Floatarray.prefix_sums" ~length:n ~sum:(L.sum a) ~write ( +. ) ~init:None;
  r
