(** A line on standard error that says how far a run has come, how long the rest will take, and what is
    running; nothing if that is no terminal, or a dumb one. *)

type t

val start : rounds:int -> string list -> t
(** [start ~rounds steps] is the display of [rounds] rounds in each of which every one of [steps], which
    differ, is done once. *)

val step : t -> about:string -> string -> unit
(** [step t ~about name] shows that [name], one of the steps, has begun; [about] stands before it. *)

val drop : t -> string list -> unit
(** [drop t names] says that those steps will not be done any more; the line is cleared. *)

val finish : t -> unit
(** [finish t] clears the line. *)

(** {1 Parts} *)

val left : t -> now:float -> float option
(** [left t ~now] is an estimate of the seconds to go at the time [now] ({!Mtime_clock}, in seconds): for each
    step what it has taken so far, on average; for one that has not been done yet, the mean of those that
    have. [None] before any has ended. *)

val line : width:int -> elapsed:float -> left:float option -> string -> string
(** [line ~width ~elapsed ~left text] is a bar, percentage, time to go and [text], cut off at [width]. *)
