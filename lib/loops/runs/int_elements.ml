type order = int -> int -> int
type t = int array

external get : t -> int -> int = "%array_unsafe_get"
external set : t -> int -> int -> unit = "%array_unsafe_set"

let length : t -> int = Array.length
let create a = Array_repr.make_immediates (Array.length a)
let few = 8

(* The primitive itself; it checks no bounds. *)
external blit : t -> int -> t -> int -> int -> unit = "caml_array_blit"
