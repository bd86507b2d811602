(** Kinds of scenarios on numbers of domains, each for its share of the time, in a process of its own. *)

val run :
  hours:float -> seed:int -> extra:string list -> logs:string -> kinds:string list -> on:int list -> int
(** [extra]: further arguments of each process. Prints progress, a table, and for each failure the command
    that repeats it. The output of a process that fails stays in the folder [logs]. The result is the exit
    code: 0 if nothing failed, 1 if something did, 130 if SIGINT ended it before anything failed. After a
    SIGINT the process that runs ends its round; after the next it is killed. *)
