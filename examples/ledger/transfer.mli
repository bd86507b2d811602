(** Money that goes from one account to another. *)

type t = { from : int; into : int; amount : int }

val to_string : t -> string
(** As a record of the ledger. *)

val of_string : string -> t option
(** What {!to_string} has made; [None] for anything else. *)

val random : Random.State.t -> accounts:int -> t
(** Between two different ones of at least two accounts. *)
