(** Chains of waits: a fiber waits until another wakes it, which may have waited for a third one before, and
    so on. Followed backwards from the end of a wait, the chain is what had to happen one after the other
    until then; the fiber that ran for most of that time is the cause. *)

type t

val of_trace : Trace.t -> t

type root = {
  fiber : int;
  time : int;  (** ns for which it ran in the chain, or could have run *)
  length : int;  (** ns from the beginning of the chain to its end *)
}

val root : t -> Trace.span -> root option
(** Of the chain that leads to the end of this wait. [None] if the trace does not tell who ended it. O(length
    of the chain times log of the waits). *)
