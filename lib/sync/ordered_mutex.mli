(** A lock with a number, so that several can be held at once: whoever needs several takes them in the order
    of their numbers, and no two wait for each other. *)

type t

val create : unit -> t

val number : t -> int
(** From 1: for {!Weft_scheduler.Trace_hooks}. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect g f] is [f ()] with [g] held; then those are told whom [f] has woken, also if it has raised. Not
    for signal handlers. *)

val wake : t -> 'a Weft_scheduler.Waiter.t -> 'a -> bool
(** {!Weft_scheduler.Waiter.wake}, with [g] held; who awaits the cell is resumed when [g] is released. *)

val protect_all : t list -> (unit -> 'a) -> 'a
(** [protect_all gs f] is [f ()] with all of [gs] held, each once however often it is listed. *)
