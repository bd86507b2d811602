type order = Array_repr.boxed -> Array_repr.boxed -> int
type t = Array_repr.boxed array

external get : t -> int -> Array_repr.boxed = "%array_unsafe_get"
external set : t -> int -> Array_repr.boxed -> unit = "%array_unsafe_set"

let length : t -> int = Array.length
let create a = Array_repr.blank (Array.length a)
let few = 8

(* The primitive itself; it checks no bounds. *)
external blit : t -> int -> t -> int -> int -> unit = "caml_array_blit"
