module Row = Float.Array

type t = floatarray array

let random_roads ~seed ~nodes ~roads =
  let random = Weft.Random.make seed in
  let road from target =
    if from = target then 0.
    else
      let dice = Weft.Random.at random ((from * nodes) + target) in
      if Weft.Random.int dice nodes < roads then float (1 + Weft.Random.int dice 100) else infinity
  in
  Weft.Array.init nodes (fun from -> Row.init nodes (road from))

(* Takes the way from the row's node over [k] where that is shorter. *)
let go_through row ~k ~from_k =
  let to_k = Row.get row k in
  if to_k < infinity then
    for j = 0 to Row.length from_k - 1 do
      let there = to_k +. Row.get from_k j in
      if there < Row.get row j then Row.set row j there
    done

(* Row and column [k] do not change in step [k], since a way from [k] to [k] makes no path shorter. So the
   rows of a step may be computed at the same time, in place. *)
let complete distances =
  Array.iteri (fun k from_k -> Weft.Array.iter (go_through ~k ~from_k) distances) distances
