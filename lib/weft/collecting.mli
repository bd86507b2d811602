(** What a pass gives, in arrays. *)

val to_array : who:string -> 'a Source.pass -> 'a array
(** Written straight into the result, if its length is known; else into pieces, which are then copied
    together. *)

val to_floatarray : who:string -> float Source.pass -> floatarray
