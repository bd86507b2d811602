(** Which of several fibers runs next, or whether time passes, by a seed or by a schedule. It knows names
    alone. *)

type t

val make : ?schedule:Schedule_file.choice list -> Explore_settings.t -> t

val choose : t -> fiber:string -> point:int -> yields:bool -> string list -> string
(** One of two or more options, at the given point of the fiber that runs, or ran last. [yields]: it asks to
    go after the others. {!Schedule_file.time} may be the last option. *)

val decisions : t -> int
(** The number of calls of {!choose}. *)

val misfits : t -> int
(** How many choices of the schedule were never made. *)
