(** The processes of one run: which one runs now, which have stopped, what has been done.

    dscheck starts the scenario anew for every interleaving; {!restart} forgets the run before. *)

exception Stopped
(** Raised in a process that goes no further. Only {!spawn} catches it for good: in a stopped process every
    operation on a cell raises it again, so no handler in the checked sources can revive the process. *)

val restart : unit -> unit
(** Forgets the processes, the schedule and the verdicts of the run before, and ends the fibers that it left
    suspended. *)

val spawn : string -> (unit -> unit) -> unit
(** [spawn name f] adds a process to the run that is being set up. Processes are numbered from 0. An exception
    of [f] counts as a {!failure}, and so does a process with some thousands of steps. *)

val current : unit -> int
(** The number of the running process; -1 while a run is set up or judged. *)

val name : unit -> string
(** Its name; ["judge"] while a run is set up or judged. *)

val stop : unit -> 'a
(** The running process goes no further: it waits for ever, or is busy for ever. *)

val block : unit -> 'a
(** The running process would have to wait here for another one. It stops, and the run is discarded: there is
    an interleaving in which it comes here when it need not wait, and otherwise the same happens. *)

val pass : float -> bool
(** The running process waits for so many seconds, and nobody wakes it. This works once, since runs would not
    end otherwise: from then on it is [false], and the process must wait for ever. *)

val passed : unit -> int
(** How many nanoseconds the process has waited in this way. *)

val discard_if : (unit -> bool) -> unit
(** [discard_if f] discards the run if [f ()] holds at its end. *)

(** {1 For [Cell] and [Effect]} *)

val step : string -> (unit -> 'a) -> version:(unit -> int) -> show:('a -> string) -> 'a
(** [step what f ~version ~show] performs an operation on a cell for the running process and notes it. Other
    processes may run before it, not during it. [version ()], called right after [f ()], counts the changes of
    the cell. *)

val on_restart : (unit -> unit) -> unit
(** [on_restart f] makes {!restart} call [f] once, with every operation on cells raising {!Stopped}. *)

(** {1 For [Explore]} *)

val at_end : unit -> unit
(** Tells that all processes have ended: the judgement follows. *)

val is_discarded : unit -> bool
val failure : unit -> string option

val schedule : unit -> string list
(** The steps of the run so far, one line each. *)

val trace : unit -> string
(** The run up to the order of independent steps: for each step of each process, the version of the cell that
    it met. *)
