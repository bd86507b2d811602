(** How far a loop still has to run, and what has failed in it.

    A block of iterations is known by the index at which it starts. A block that fails ends the loop: no new
    block starts; or, where the answer must be that of the sequential loop, no new block above it. If several
    blocks fail, the loop raises the exception of the smallest one. That is the failure of the smallest index,
    since a block ends with its first failure. *)

type t

type policy =
  | All  (** a failure stops all blocks that have not started *)
  | Above  (** a failure stops those above it only *)

val start : policy -> t

val may_run : t -> int -> bool
(** Whether the block that starts at this index is still to run. *)

val is_ordered : t -> bool
(** Whether a failure further left counts more: the policy is [Above]. *)

val limit : t -> int Atomic.t
(** For {!is_within}. *)

val is_within : int Atomic.t -> int -> bool
(** [is_within (limit c) i] is [may_run c i], for loops that ask often. *)

val stop : t -> int -> unit
(** [stop c i] stops the blocks that have not started: those above [i], if the policy is [Above]. *)

val fail : t -> int -> exn -> Printexc.raw_backtrace -> unit
(** [fail c i exn backtrace] notes that the block from [i] on raised, and then stops blocks as the policy
    says: whoever sees that it is stopped finds the failure. An exception that lies further right than another
    one goes to {!Weft_scheduler.Uncaught.suppressed}. *)

val failed_at : t -> int option
(** The start of the block whose failure counts, so far. *)

val check : t -> unit
(** Called once all blocks have ended: raises the exception noted by {!fail}, if any. *)

val reraise : t -> 'a
(** Raises the exception noted by {!fail}. If there is none, the loop was stopped from outside: raises
    {!Weft_scheduler.Fiber.sibling_failed}. *)
