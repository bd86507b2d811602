(** Helpers for tests of [Weft.blocking]. *)

val with_limit : int -> (unit -> unit) -> unit
(** Runs the test with at most so many helper threads. *)

val none_in_progress : unit -> unit
(** Waits until no blocking call is in progress. *)

(** Blocks its helper until it is opened. *)
module Gate : sig
  type t

  val create : unit -> t
  val wait : t -> unit
  val open_ : t -> unit

  val with_ : (t -> unit) -> unit
  (** Runs the test with a gate that is opened at the end, so that a failing test does not hang. *)
end
