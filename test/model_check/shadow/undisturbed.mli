(** Runs in which nobody is stopped and no deque is called.

    There, contexts never change, and a fiber's state is read and written by whoever runs the fiber alone: no
    steps are needed for either, nor for a deque's limit. Scenarios that are about something else and too
    large otherwise promise that; a run that breaks the promise fails. *)

val promise : bool -> unit
(** Whether this run is one. {!Process.restart} ends it. *)

val promised : unit -> bool
