(** A transfer of money from one account to another. *)

type t = { from : int; into : int; amount : int }

val to_string : t -> string
(** The record for the ledger. *)

val of_string : string -> t option
(** The transfer for which {!to_string} has made this text; [None] for any other text. *)

val random : Random.State.t -> accounts:int -> t
(** A random transfer between two different accounts, of at least two. *)
