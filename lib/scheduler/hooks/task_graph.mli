(** The recorded graph of a profiled computation.

    A task is what may run on a worker of its own: the right side of a fork, a promise's function, a call of
    [run]. What it did is a list of steps. The left side of a fork belongs to the task that forked: it runs
    there whatever happens.

    {b Memory is bounded.} A fork whose two sides did less than the {!grain} together becomes part of the run
    around it ({!close}), as if it had been a plain call. When many steps are kept the grain doubles, so that
    what comes later is coarser; when far too many are kept all the same, recording stops ({!is_cut}). *)

type t
(** The graph of one session. Any thread may add to it. *)

type task = {
  mutable steps : step list;  (** the last first *)
  mutable run : int;  (** ticks of the run that is under way *)
  mutable pending : int;  (** tasks forked here that nobody has joined here, and events: see {!close} *)
  mutable work : int;  (** ticks so far, with those of the forks that were joined *)
  mutable number : int;  (** for who writes the graph, with [writing] *)
  mutable writing : int;  (** which writing gave it the number; 0: none *)
}

and step =
  | Run of int  (** ticks *)
  | Fork of task
  | Join of task
  | Post of event  (** something is settled that others may wait for *)
  | Wait of event
  | Idle of int  (** ticks in which the task waited for something outside *)

and event

val create : grain:int -> t
val task : unit -> task

(** {1 Recording} *)

val run : task -> int -> unit
(** The task has run for so many ticks. *)

type mark
(** Where a task was when it forked. *)

val fork : t -> task -> task -> mark
(** [fork t task child]. *)

val close : t -> task -> mark -> task -> own:bool -> unit
(** [close t task mark child ~own]: [task] has joined [child], which has ended, and which it forked at [mark].
    [own] says that the work of [child] is to be added to that of [task]. If all since [mark] is less than the
    grain, and nothing in it concerns others, it becomes part of the run around it. *)

val join : t -> task -> task -> unit
(** [join t task child]: [task] has awaited [child], which it need not have forked. *)

val post : t -> task -> event
val wait : t -> task -> event -> unit
val idle : t -> task -> int -> unit

(** {1 Reading} *)

val grain : t -> int
(** Ticks; it has grown if there was much. *)

val is_cut : t -> bool
(** Whether recording has stopped: what is there is not whole. *)

val number : event -> int
(** Unique. *)
