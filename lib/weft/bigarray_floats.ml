(* Within this module, [Bigarray] is OCaml's. *)

open Bigarray
module L = Float_loops

type loops = {
  sum : int -> int -> float;
  dot : int -> int -> float; (* with the other *)
  least : int -> int -> float;
  greatest : int -> int -> float;
}

(* The layout only says how elements are numbered. *)
let loops (type kind layout) (a : (float, kind, layout) Array1.t) (b : (float, kind, layout) Array1.t) =
  let kind = Array1.kind a and a = Array1.change_layout a C_layout and b = Array1.change_layout b C_layout in
  match kind with
  | Float64 -> L.Of_float64.{ sum = sum a; dot = dot a b; least = least a; greatest = greatest a }
  | Float32 -> L.Of_float32.{ sum = sum a; dot = dot a b; least = least a; greatest = greatest a }
  | _ -> L.Of_any.{ sum = sum a; dot = dot a b; least = least a; greatest = greatest a }

let reduce who a fold combine = Reduce.reduce ~who ~start:0 ~finish:(Array1.dim a - 1) ~fold combine
let sum who a = if Array1.dim a = 0 then 0. else reduce who a (loops a a).sum ( +. )

let dot who a b =
  Bounds.same who (Array1.dim a) (Array1.dim b);
  if Array1.dim a = 0 then 0. else reduce who a (loops a b).dot ( +. )

let min who a =
  Bounds.not_empty who (Array1.dim a);
  reduce who a (loops a a).least Float.min

let max who a =
  Bounds.not_empty who (Array1.dim a);
  reduce who a (loops a a).greatest Float.max
