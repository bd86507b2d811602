(* The range is not empty. *)
let least who ~start ~finish compare a =
  let fold first last =
    let best = ref (Array.unsafe_get a first) in
    for i = first + 1 to last do
      let x = Array.unsafe_get a i in
      if compare x !best < 0 then best := x
    done;
    !best
  in
  Reduce.reduce ~who ~start ~finish ~fold (fun x y -> if compare y x < 0 then y else x)

let greatest who ~start ~finish compare a =
  let fold first last =
    let best = ref (Array.unsafe_get a first) in
    for i = first + 1 to last do
      let x = Array.unsafe_get a i in
      if compare x !best > 0 then best := x
    done;
    !best
  in
  Reduce.reduce ~who ~start ~finish ~fold (fun x y -> if compare y x > 0 then y else x)

let some_of who pos len a extreme =
  let start, finish = Bounds.range who pos len (Array.length a) in
  Bounds.not_empty who (finish - start + 1);
  extreme who ~start ~finish

let option_of who pos len a extreme =
  let start, finish = Bounds.range who pos len (Array.length a) in
  if finish < start then None else Some (extreme who ~start ~finish)

let min ?pos ?len compare a =
  some_of "Weft.Array.min" pos len a (fun who ~start ~finish -> least who ~start ~finish compare a)

let max ?pos ?len compare a =
  some_of "Weft.Array.max" pos len a (fun who ~start ~finish -> greatest who ~start ~finish compare a)

let min_opt ?pos ?len compare a =
  option_of "Weft.Array.min_opt" pos len a (fun who ~start ~finish -> least who ~start ~finish compare a)

let max_opt ?pos ?len compare a =
  option_of "Weft.Array.max_opt" pos len a (fun who ~start ~finish -> greatest who ~start ~finish compare a)

(* A leaf without a pair for each element; of equal ones the first, in both. *)
let minmax ?pos ?len compare a =
  some_of "Weft.Array.minmax" pos len a @@ fun who ~start ~finish ->
  let fold first last =
    let least = ref (Array.unsafe_get a first) in
    let greatest = ref !least in
    for i = first + 1 to last do
      let x = Array.unsafe_get a i in
      if compare x !least < 0 then least := x else if compare x !greatest > 0 then greatest := x
    done;
    (!least, !greatest)
  in
  let both (least, greatest) (x, y) =
    ((if compare x least < 0 then x else least), if compare y greatest > 0 then y else greatest)
  in
  Reduce.reduce ~who ~start ~finish ~fold both

(* The index of the first element that no other one is [better] than. *)
let best_index who pos len better a =
  some_of who pos len a @@ fun who ~start ~finish ->
  let fold first last =
    let at = ref first in
    let best = ref (Array.unsafe_get a first) in
    for i = first + 1 to last do
      let x = Array.unsafe_get a i in
      if better x !best then begin
        best := x;
        at := i
      end
    done;
    !at
  in
  let better_one i j = if better (Array.unsafe_get a j) (Array.unsafe_get a i) then j else i in
  Reduce.reduce ~who ~start ~finish ~fold better_one

let min_index ?pos ?len compare a = best_index "Weft.Array.min_index" pos len (fun x y -> compare x y < 0) a
let max_index ?pos ?len compare a = best_index "Weft.Array.max_index" pos len (fun x y -> compare x y > 0) a
