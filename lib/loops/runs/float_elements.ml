type order = float -> float -> int
type t = floatarray

external get : t -> int -> float = "%floatarray_unsafe_get"
external set : t -> int -> float -> unit = "%floatarray_unsafe_set"

let length = Float.Array.length
let create a = Float.Array.create (length a)
let few = 8

(* The primitive itself; it checks no bounds. *)
external blit : t -> int -> t -> int -> int -> unit = "caml_floatarray_blit"
