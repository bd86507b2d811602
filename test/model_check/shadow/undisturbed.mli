(** Runs in which no fiber is stopped and no deque gets a preemption request.

    In such runs contexts never change, and only the process that runs a fiber reads and writes its state: no
    steps are needed for either, nor for a deque's limit. Scenarios that test something else and would be too
    large promise this; a run that breaks the promise fails. *)

val promise : bool -> unit
(** Whether this run is undisturbed. {!Process.restart} ends it. *)

val promised : unit -> bool
