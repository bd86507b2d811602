(** A line on standard error that says how far a run has come, how long the rest will take, and what is
    running. There is no such line if standard error is no terminal, or a dumb one. *)

type t

val start : rounds:int -> string list -> t
(** [start ~rounds steps] is the display of [rounds] rounds. Each round does every one of [steps] once; their
    names must be different. *)

val step : t -> about:string -> string -> unit
(** [step t ~about name] shows that [name], one of the steps, has begun; [about] stands before it. *)

val drop : t -> string list -> unit
(** [drop t names] says that the steps [names] will not be done any more, and clears the line. *)

val finish : t -> unit
(** [finish t] clears the line. *)

(** {1 Parts} *)

val left : t -> now:float -> float option
(** [left t ~now] is an estimate of the seconds that are left at the time [now] ({!Mtime_clock}, in seconds).
    Each step is taken to need what it has needed so far, on average; a step that has not been done yet, the
    mean of the others. [None] before any step has ended. *)

val line : width:int -> elapsed:float -> left:float option -> string -> string
(** [line ~width ~elapsed ~left text] is a bar, the percentage, the time that is left, and [text], cut off at
    [width]. *)
