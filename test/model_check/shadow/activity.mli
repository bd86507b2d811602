(** How many workers are active, after each change: no more than there is room for. *)

val bound : ?except:string -> bool -> unit
(** Whether the run is one where there may be less room than workers, and nobody may become active beyond it
    but the process [except]. Otherwise nobody is ever one too many, and workers take no step to find that
    out. {!Process.restart} ends it. *)

(** {1 For the checked sources} *)

val is_bounded : unit -> bool

val check : active:int -> room:int -> unit
(** Inside each section that changes one of them, at its end. More may be active than there is room for, if
    that has become less; not more than before. *)
