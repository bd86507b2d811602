(** Who is at a structure, and who is next: the course of things around the {!Gate}.

    The {e owner} applies an operation in place, or serves those who have lined up: it takes all of them off
    the gate, as many as make a batch are applied, the ownership is passed on, and then the callers are told.
    Passing on means: the gate is left; or, if there is somebody to be served, a task is forked that does so;
    or, if the next one wanted a turn of its own, the ownership is that caller's. The owner outside of any
    pool passes it on to the pool of a fiber that waits, or else to the thread that has waited longest, which
    then serves those behind it as well.

    Ownership is always passed on: whatever an operation raises goes into its cell, and a round is a row of
    stages, each noted before it has an effect that must not be repeated, so that an exception of a signal's
    handler leads to the next stage ({!Weft_support.Interrupt}). *)

open Weft_sched

exception Reentrant of string

type 'p t = {
  gate : ('p, Callers.t) Gate.t;
  mutable owner : Callers.identity;  (** who applies something in place, or did so last *)
  mutable in_place : bool;  (** somebody does *)
  mutable within : Fiber.context;  (** that a batch runs in *)
  mutable taken : ('p, Callers.t) Gate.word;  (** a chain that is not yet in [line]; [Busy]: none *)
  mutable line : ('p, Callers.t) Gate.word array;
      (** those taken off the gate, in the order in which they came *)
  mutable first : int;  (** the first of [line] that is still to be served *)
  mutable serve : unit -> unit;  (** see {!serve} *)
  tally : Tally.t;
}
(** What is mutable belongs to the owner, but for [serve]. ['p] is a packed operation. *)

val make : unit -> 'p t
(** Nobody is there. *)

val serve : 'p t -> limit:int -> ('p array -> unit) -> unit
(** [serve t ~limit apply_all], by the owner, serves a batch of at most [limit], or gives somebody a turn, and
    passes the ownership on. [apply_all] must not raise. *)

(** {1 The owner} *)

val check : 'p t -> string -> unit
(** @raise Reentrant in the name given, if called from inside an operation or a batch. *)

val enter : 'p t -> what:string -> unit
(** The caller is the owner when this returns. Suspends.
    @raise Reentrant in the name [what]. *)

val line_up : 'p t -> (Callers.t -> ('p, Callers.t) Gate.word) -> what:string -> Callers.turn
(** [line_up t word ~what] pushes [word caller] and waits until the caller is told; or is [Entered], if nobody
    is there any more. Suspends. *)

val leave : 'p t -> unit
(** The ownership is passed on, by one who entered where nobody was. *)

val pass_on : 'p t -> unit
(** The ownership is passed on. *)

val begin_in_place : 'p t -> unit
(** What the calling fiber or thread does now, it does at the structure: see {!check}. Some nanoseconds. *)

val end_in_place : 'p t -> unit

val within : 'p t -> size:int -> (unit -> 'a) -> 'a
(** [within t ~size f] is [f ()]; what it forks is at the structure too. It has a context of its own: it is
    not cancelled with its caller, and does not see the caller's bindings. *)
