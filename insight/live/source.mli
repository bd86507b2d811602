(** Reads the rings of a running program into a meter. *)

type t

val open_ : dir:string -> pid:int -> Meter.t -> (t, string) result

val poll : t -> unit
(** Reads all available events. After an error in the file it reads nothing more. *)

val skip : t -> unit
(** Reads what there is already, of a program that has run for long. *)

val close : t -> unit
