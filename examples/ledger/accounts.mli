(** The balances of accounts: the sums of all transfers. Any number of domains may use them at the same time.
*)

type t

val make : int -> t
(** So many accounts, each with balance 0. *)

val book : t -> Transfer.t -> (unit, string) result
(** [Error] if the accounts do not exist. *)

val sum : t -> int
(** 0, unless transfers are being booked: one account gets what another loses. *)

val equal : t -> t -> bool
