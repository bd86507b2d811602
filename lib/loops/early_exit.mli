(** The course of a loop: how far it still has to run, and what has gone wrong.

    Blocks of iterations are known by the index they start at. A block that has failed ends the loop: no new
    block starts, or, where the answer is to be that of the sequential loop, no new block above it. Of several
    failures the one of the smallest block counts, which is that of the smallest index, since a block ends
    with its first. *)

type t

type policy =
  | All  (** a failure stops all blocks that have not started *)
  | Above  (** a failure stops those above it only *)

val start : policy -> t

val may_run : t -> int -> bool
(** Whether the block that starts at this index is still to run. *)

val is_ordered : t -> bool
(** Whether what is further left counts more: the policy is [Above]. *)

val limit : t -> int Atomic.t
(** For {!is_within}. *)

val is_within : int Atomic.t -> int -> bool
(** [is_within (limit c) i] is [may_run c i], for loops that ask often. *)

val stop : t -> int -> unit
(** [stop c i] stops the blocks that have not started: those above [i], if the policy is [Above]. *)

val fail : t -> int -> exn -> Printexc.raw_backtrace -> unit
(** [fail c i exn backtrace] notes that the block from [i] on raised, and stops what the policy says. An
    exception that is further right than another noted one goes to {!Weft_scheduler.Uncaught.suppressed}. *)

val failed_at : t -> int option
(** The start of the block whose failure counts, so far. *)

val check : t -> unit
(** Once all blocks have ended: raises what {!fail} noted, if anything. *)

val reraise : t -> 'a
(** Raises what {!fail} noted; if nothing has failed, the loop was stopped from outside, by what
    {!Weft_scheduler.Fiber.sibling_failed} means. *)
