(** The balances of accounts: what all transfers together come to. Any number of domains may use them at the
    same time. *)

type t

val make : int -> t
(** So many accounts, with nothing on them. *)

val book : t -> Transfer.t -> (unit, string) result
(** [Error] if there are no such accounts. *)

val sum : t -> int
(** 0, unless transfers are being booked: what one account loses another gets. *)

val equal : t -> t -> bool
