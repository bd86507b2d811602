(** Strands of a profiled computation: how work and span are measured.

    {b Where.} A profiled pool runs on one worker, whatever size it was asked for: so a strand's time is its
    own, and not that of caches and memory shared with others. Its deque is {e held}
    ({!Weft_platform.Deque_memory.hold}), so that each fork takes its slow path, and comes here; elsewhere,
    and when nobody profiles, nothing of this runs.

    {b What.} What runs has a strand: one for the left sides of its forks and itself, a new one for each right
    side and each task. A strand knows its {e point}: how long the longest chain of dependences from the
    beginning of the session to here is, in ticks. A fork's sides begin at the point of the fork; a join, or
    an await, goes on at the later of the two points. So the span of what lies between two points of one
    strand is their difference; for series-parallel programs that is exact, and for promises it is the longest
    path of what depended on what in this run. What a strand ran is its work.

    The {e burdened} point is the same with a {e burden} for every right side and every task: what it costs to
    be stolen (He, Leiserson and Leiserson, The Cilkview Scalability Analyzer, SPAA 2010).

    {b What is left out.} Time between the end of a strand's piece and the beginning of the next is not
    counted; what the instrument costs inside the pieces is calibrated, and subtracted from each
    ({!Span_session.overhead}). A piece of more than some ten microseconds is asked whether its thread had to
    wait for a processor, and that is subtracted too. *)

open Span_session

(** On a worker; where nothing is profiled, all this does nothing. *)

type mark

val fork : unit -> t * mark
(** A new strand that begins here: the right side of a fork. *)

val right : t -> (unit -> 'a) -> unit -> 'a
(** [right s g] is [g], to be run as the strand [s], in place or as a fiber. *)

val join : t -> mark -> unit
(** The fork is over: [s] has ended, or was never begun. *)

val task : 'a Deque_memory.t -> (unit -> 'b) -> unit -> 'b
(** [task deque f] is [f] as a task that the current strand makes for the pool of this deque; or, where there
    is no strand, as one that begins where the session has got to. *)

val settled : created:bool -> unit -> 'a
(** [settled ~created] is what a job keeps in the place of its function once it is settled: it tells {!meet}
    at which point that was. For tasks, to be called just after the function has ended. *)

val is_created : (unit -> 'a) -> bool
(** What [created] was; [false] of any other function, which is called. *)

val meet : (unit -> 'a) -> unit
(** [meet run] of a settled job: the current strand goes on at the later of its point and that of the
    settling. *)

val pause : unit -> t
(** The current strand's fiber is about to be suspended. *)

val continue : t -> unit
(** It goes on, perhaps on another worker. *)

val aside : (unit -> 'a) -> 'a
(** [aside f] is [f ()], which is no part of the current strand: timers, say. *)

type gathering
(** Several that end before one goes on. *)

val gathering : unit -> gathering

val gather : gathering -> unit
(** The current strand, which is a task's, has got to its end. *)

val after : gathering -> unit
(** The current strand goes on after all who {!gather}ed. *)
