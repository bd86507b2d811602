(** The kinds of domains that run a program's functions. *)

type t =
  | Plain  (** [Domain.spawn], joined *)
  | Worker  (** a pool's *)
  | Fallback  (** of a pool of one, while nobody has called in *)
  | Helper  (** that of [Weft.blocking] *)

val of_string : string -> t
val pool : unit -> Weft.Pool.t

val run : t -> (unit -> 'a) -> 'a
(** [run place f] is [f ()] there, never in the calling domain, which must be the first. *)

val in_worker : Weft.Pool.t -> (unit -> 'a) -> 'a
(** [run Worker], in the pool given, which has two domains at least. *)

val until : (unit -> bool) -> unit
(** Waits, without Weft. *)
