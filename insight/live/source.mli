(** The rings of a running program, read into a meter. *)

type t

val open_ : dir:string -> pid:int -> Meter.t -> (t, string) result

val poll : t -> unit
(** Reads what there is. A damaged file is read no further. *)

val close : t -> unit
