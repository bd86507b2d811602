(** Schedules as files: the choices in which a run differs from the one that always takes the first option.

    {v
weft-schedule 1
# a comment
0.1 4 -> 0.2
    v}

    At its fourth point, fiber 0.1 makes way for 0.2. [time] in the place of a fiber: time passes to the next
    timer. Fibers are named by who made them: 0.2 is the second that 0 made, so a choice means the same if
    others are left out. *)

type choice = { fiber : string; point : int; takes : string }

val is_name : string -> bool
(** Whether it is the name of a fiber. *)

val time : string
(** ["time"]. *)

val parse : string -> (choice list, string) result
(** The reason is one line. *)

val read : string -> (choice list, string) result
(** The file's; also an [Error] if it cannot be read. *)

val print : comment:string list -> choice list -> string
