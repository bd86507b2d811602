(** Arrays of the elements of a pass. *)

val to_array : who:string -> 'a Source.pass -> 'a array
(** If the number of elements is known, and large, they are written straight into the result; else into
    pieces, which are then copied together. *)

val to_floatarray : who:string -> float Source.pass -> floatarray
