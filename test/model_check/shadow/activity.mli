(** The number of active workers, after each change: no more than there is room for. *)

val bound : ?except:string -> bool -> unit
(** Whether the room may be smaller than the number of workers in this run, and only the process [except] may
    make a worker active beyond it. Otherwise no worker is ever one too many, and workers take no step to find
    out. {!Process.restart} ends it. *)

(** {1 For the checked sources} *)

val is_bounded : unit -> bool

val check : active:int -> room:int -> unit
(** Called at the end of each section that changes one of them. More workers may be active than there is room
    for if the room has become smaller, but not more than before. *)
