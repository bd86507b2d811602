(** All kinds of scenarios on all numbers of domains, each for its share of the time, in a process of its own.
*)

val run : hours:float -> seed:int -> small_disk:string option -> logs:string -> string list -> int
(** [run ~hours ~seed ~small_disk ~logs kinds] prints progress, a table, and for each failure the command that
    repeats it. The output of a process that fails stays in the folder [logs]. Its result is the exit code: 0
    if nothing failed, 1 if something did, 130 if SIGINT ended it before anything failed. After a SIGINT the
    process that runs ends its round; after the next it is killed. *)
