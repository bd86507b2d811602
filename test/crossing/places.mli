(** The kinds of domains that run a program's functions. *)

type t =
  | Plain  (** made by [Domain.spawn], and joined *)
  | Worker  (** a domain of a pool *)
  | Fallback  (** a domain of a pool of one, while no caller is in the slot *)
  | Helper  (** the domain of [Weft.blocking] *)

val of_string : string -> t
val pool : unit -> Weft.Pool.t

val run : t -> (unit -> 'a) -> 'a
(** [run place f] is [f ()] there, never in the calling domain, which must be the first one. *)

val in_worker : Weft.Pool.t -> (unit -> 'a) -> 'a
(** [run Worker], in the given pool, which must have at least two domains. *)

val until : (unit -> bool) -> unit
(** Waits, without Weft. *)
