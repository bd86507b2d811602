(** What tests of [Weft.blocking] need. *)

val until : string -> (unit -> bool) -> unit
(** {!Support.wait_until}. *)

val with_limit : int -> (unit -> unit) -> unit
(** With so many helper threads at most. *)

val none_in_progress : unit -> unit
(** Waits until no call is. *)

(** Blocks its helper until it is opened. *)
module Gate : sig
  type t

  val create : unit -> t
  val wait : t -> unit
  val open_ : t -> unit

  val with_ : (t -> unit) -> unit
  (** With a gate that is opened at the end, so that a test that fails does not hang. *)
end

(** How many are inside at a time, at most. *)
module Crowd : sig
  type t

  val create : unit -> t
  val within : t -> (unit -> 'a) -> 'a
  val most : t -> int
end
