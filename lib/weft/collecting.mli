(** Arrays of the elements of a pass. *)

val to_array : who:string -> 'a Source.pass -> 'a array
(** If the number of elements is known, and large, they are written straight into the result, the first one
    before the others, unless it waits; else into pieces, which are then copied together. *)

val to_floatarray : who:string -> float Source.pass -> floatarray
val to_bytes : who:string -> char Source.pass -> bytes

val partition : who:string -> ('a -> bool) -> 'a Source.pass -> 'a array * 'a array
(** The elements for which the function is [true], and the others. Called once for each. *)

val concat_strings : who:string -> string -> string Source.pass -> string
(** [concat_strings ~who separator p]. *)
