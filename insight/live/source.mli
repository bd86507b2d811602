(** Reads the rings of a running program into a meter. *)

type t

val open_ : dir:string -> pid:int -> Meter.t -> (t, string) result

val poll : t -> unit
(** Reads the available events, up to some ten thousand. After an error in the file it reads nothing more. *)

val drain : t -> unit
(** Calls {!poll} until nothing is left, but not for ever if the program writes faster. *)

val damaged : t -> string option
(** The error in the file, if there was one. *)

val close : t -> unit
