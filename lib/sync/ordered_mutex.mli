(** A lock with a number, so that several can be held at once: they are taken in the order of their numbers,
    so no two callers wait for each other. *)

type t

val create : unit -> t

val number : t -> int
(** From 1: for {!Weft_scheduler.Trace_hooks}. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect g f] is [f ()] with [g] held; then the waiters that [f] has woken are resumed, even if it has
    raised. Not for signal handlers. *)

val wake : t -> 'a Weft_scheduler.Waiter.t -> 'a -> bool
(** {!Weft_scheduler.Waiter.wake}, with [g] held; the waiter is resumed when [g] is released. *)

val protect_all : t list -> (unit -> 'a) -> 'a
(** [protect_all gs f] is [f ()] with all of [gs] held, each once however often it is listed. *)
