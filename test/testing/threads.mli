(** What the threads of a process do, as the system tells it. *)

val describe : int -> string
(** [describe pid]: a line for each thread of process [pid]: its number and name, its state (R: runs, S:
    sleeps, D: waits for a disk), the processor time that it has had, and the system function that it waits
    in. Empty where there is no /proc, and once the process has ended. *)
