(* Within this module, [Bigarray] is OCaml's. *)

open Bigarray
module L = Float_loops

type 'kind floats = (float, 'kind, c_layout) Array1.t

type 'kind loops = {
  sum : 'kind floats -> int -> int -> float;
  dot : 'kind floats -> 'kind floats -> int -> int -> float;
  least : 'kind floats -> int -> int -> float;
  greatest : 'kind floats -> int -> int -> float;
}

let of_float64 = L.Of_float64.{ sum; dot; least; greatest }
let of_float32 = L.Of_float32.{ sum; dot; least; greatest }
let of_any = L.Of_any.{ sum; dot; least; greatest }

let loops (type kind) (a : (float, kind, _) Array1.t) : kind loops =
  match Array1.kind a with Float64 -> of_float64 | Float32 -> of_float32 | _ -> of_any

(* The layout only says how elements are numbered. *)
let floats a = Array1.change_layout a C_layout
let reduce who a fold combine = Reduce.reduce ~who ~start:0 ~finish:(Array1.dim a - 1) ~fold combine
let sum who a = if Array1.dim a = 0 then 0. else reduce who a ((loops a).sum (floats a)) ( +. )

let dot who a b =
  Bounds.same who (Array1.dim a) (Array1.dim b);
  if Array1.dim a = 0 then 0. else reduce who a ((loops a).dot (floats a) (floats b)) ( +. )

let min who a =
  Bounds.not_empty who (Array1.dim a);
  reduce who a ((loops a).least (floats a)) Float.min

let max who a =
  Bounds.not_empty who (Array1.dim a);
  reduce who a ((loops a).greatest (floats a)) Float.max
