type t = { one : float; serial : float }

let seconds { one; serial } p = one *. (serial +. ((1. -. serial) /. p))

(* Let [a] be the seconds that no domain shares, [b] those that all share. The relative error of a point is
   [a * x + b * y - 1] where [x = 1 / t] and [y = 1 / (p * t)]. *)
let fit points =
  let usable (p, t) = p >= 1 && t > 0. && Float.is_finite t in
  let distinct = List.sort_uniq Int.compare (List.map fst points) in
  if List.compare_length_with distinct 2 < 0 || not (List.for_all usable points) then None
  else
    let sum f =
      List.fold_left (fun sum (p, t) -> sum +. f (1. /. t) (1. /. (float_of_int p *. t))) 0. points
    in
    let xx = sum (fun x _ -> x *. x)
    and xy = sum (fun x y -> x *. y)
    and yy = sum (fun _ y -> y *. y)
    and x = sum (fun x _ -> x)
    and y = sum (fun _ y -> y) in
    let determinant = (xx *. yy) -. (xy *. xy) in
    let a = ((x *. yy) -. (y *. xy)) /. determinant and b = ((y *. xx) -. (x *. xy)) /. determinant in
    let law =
      if a < 0. then { one = y /. yy; serial = 0. }
      else if b < 0. then { one = x /. xx; serial = 1. }
      else { one = a +. b; serial = a /. (a +. b) }
    in
    if Float.is_finite law.one && Float.is_finite law.serial then Some law else None
