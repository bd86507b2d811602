module Row = Float.Array

type matrix = floatarray array

exception Zero_pivot of int

let random_dominant ~seed n =
  let random = Weft.Random.make seed in
  let row i =
    let row = Row.init n (fun j -> Weft.Random.float_at random ((i * n) + j) 2. -. 1.) in
    Row.set row i (1. +. Row.fold_left (fun sum x -> sum +. abs_float x) 0. row);
    row
  in
  Weft.Array.init n row

(* Adds [other], times a factor, to [row], from column [from] on. *)
let add_times row times other ~from =
  for j = from to Row.length other - 1 do
    Row.set row j (Row.get row j +. (times *. Row.get other j))
  done

(* Makes column [k] zero below the diagonal; the factor by which the pivot's row was subtracted is kept in
   place of the zero. *)
let eliminate a k pivot_row =
  let pivot = Row.get pivot_row k in
  if pivot = 0. then raise (Zero_pivot k);
  Weft.Array.iter_sub ~pos:(k + 1)
    (fun row ->
      let times = Row.get row k /. pivot in
      Row.set row k times;
      add_times row (-.times) pivot_row ~from:(k + 1))
    a

let decompose a = Array.iteri (eliminate a) a

let product factors =
  let row i upper_and_lower =
    let sum = Row.mapi (fun j x -> if j < i then 0. else x) upper_and_lower in
    for k = 0 to i - 1 do
      add_times sum (Row.get upper_and_lower k) factors.(k) ~from:k
    done;
    sum
  in
  Weft.Array.mapi row factors

let distance a b =
  let of_rows r s = Row.fold_left Float.max 0. (Row.map2 (fun x y -> abs_float (x -. y)) r s) in
  Weft.Array.reduce Float.max 0. (Weft.Array.map2 of_rows a b)
