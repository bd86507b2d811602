(** The largest number of calls that have been inside at one time. *)

type t

val create : unit -> t

val within : t -> (unit -> 'a) -> 'a
(** [within t f] is [f ()], counted meanwhile; from any thread. *)

val most : t -> int
