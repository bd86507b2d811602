(** What the threads of a process do, as the system reports it. *)

val describe : int -> string
(** [describe pid]: a line for each thread of process [pid]: its number and name, its state (R: runs, S:
    sleeps, D: waits for a disk), the processor time that it has had, and the system function in which it
    waits. Empty if there is no /proc, or the process has ended. *)

val state_and_parent : int -> (char * int) option
(** The state of a process (as above; T: stopped, Z: ended, and not yet waited for) and the process that
    started it. [None] if there is no /proc, or the process is gone. *)

val children : int -> int list
(** The children of the process, with those that have ended and are not yet waited for. *)
