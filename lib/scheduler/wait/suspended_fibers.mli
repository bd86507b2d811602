(** The fibers of a pool that wait for something, so that closing the pool can end each of them.

    An abandoned continuation would leak its stack, and its finalisers would never run. Only suspensions that
    somebody outside the pool may have to end are listed: a joiner always gets its stolen job back.

    A doubly linked ring under one lock: adding and removing cost about 40 ns each, against some 50 ns for the
    suspension itself. *)

type t
type entry

val create : unit -> t

val no_entry : entry
(** An entry of no list; {!remove}ing it does nothing. *)

val entry :
  source:bool ->
  what:string ->
  ?about:Trace_hooks.about ->
  ?fiber:Owner_id.t ->
  stack:(unit -> Printexc.raw_backtrace option) ->
  (exn -> unit) ->
  entry
(** [entry ~source ~what ~about ~fiber ~stack cancel] is an entry that is in no list yet. [cancel e] must end
    the wait with the exception [e] unless it has ended already. [source] tells whether the fiber waits for
    something that may come from outside the pool, like a created promise (such fibers are ended first), or
    for another task; [what] names the operation, for reports, [about] is what it waits for, [fiber] who that
    is, and [stack ()] is where the fiber waits, or [None] once it has been resumed: {!stack_of}, or
    {!no_frames}. *)

val stack_of : Claim.t -> ('a, 'b) Effect.Deep.continuation -> Printexc.raw_backtrace option
(** [stack_of claim k] is where the fiber waits that is continued by [k] when somebody takes [claim]; [None],
    if somebody has. {!no_frames}, if another thread reads it at this moment. From any thread, while workers
    run: {!Claim.read}. *)

val no_frames : Printexc.raw_backtrace
(** Of a wait of which that is not known. *)

val add : t -> entry -> unit
(** Lists a fiber. Its [cancel] may be called from then on. *)

val remove : t -> entry -> unit
(** [remove s e] takes [e] off the list. Only after the fiber is in a queue (or runs), so that a fiber is
    always seen in one of the two. Removing twice is harmless. *)

(** {1 Waits for blocking calls}

    A fiber may wait for something that is neither a task nor a source: a call that a thread of ours makes for
    it ({!Blocking}), which will end. While there is one, no fiber need be ended: its result may be what the
    others wait for. *)

val hold : t -> unit
(** Until {!release}, no fiber is cancelled, and the list is not empty. By the fiber, before it waits. *)

val release : t -> unit
(** Ends a {!hold}. By the fiber, when it runs again: so it is always seen held, queued or running. *)

val hold_once : t -> unit -> unit
(** [hold_once s] is a {!hold}, and returns its {!release}, which may be called more than once: for fibers
    queued at a limit that another pool may occupy. Nothing else tells that they are there. *)

val queued : t -> int
(** How many of them are {!hold_once}. *)

val is_held : t -> bool
(** Whether there is any. *)

(** {1 Looking at them} *)

val waits : t -> entry list
(** The listed fibers, the longest waiting first. O(fibers), under the lock of the list. *)

val what : entry -> string
val about : entry -> Trace_hooks.about

val is_of : entry -> Owner_id.t -> bool
(** Whether it is the wait of that fiber. *)

val since : entry -> int
(** When the entry was made, by {!Weft_platform.Tsc}. *)

val cancel : entry -> exn -> unit
(** What ends the wait. *)

val stack : t -> entry -> Printexc.raw_backtrace option
(** Where the fiber waits; [None], if it has been resumed. Whoever resumes it meanwhile leaves that to this
    call ({!Claim}). *)

val with_no_read : t -> (unit -> bool) -> bool
(** [with_no_read s f] is [f ()], and that no call of {!stack} was under way meanwhile. Such a call may have a
    fiber to resume that nothing else tells of: it is neither queued nor held, and its timer is gone. The
    reads that have begun when [f] has returned are compared with those that had ended before it was called:
    their numbers are equal only if no read was under way in between. *)

(** {1 Ending them} *)

val is_empty : t -> bool
(** Whether no fiber is listed, and nothing held. *)

val has_sources : t -> bool
(** Whether a fiber is listed as a source. *)

val cancel_all : t -> exn -> unit
(** [cancel_all s e] cancels all fibers with [e]. *)

val cancel_some : t -> exn -> unit
(** [cancel_some s e] cancels with [e] all fibers listed as sources, or if there are none, all fibers; nobody
    while {!is_held}. *)
