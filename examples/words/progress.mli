(** A progress bar on one line of a terminal. *)

type t

val none : t
(** A bar that is never drawn. *)

val on_terminal : out_channel -> t
(** [on_terminal channel] is a bar that is drawn on [channel] if that is a terminal, else {!none}. *)

val on : out_channel -> t
(** [on channel] is a bar that is drawn on [channel], terminal or not. *)

val during : t -> label:string -> total:int -> ((int -> unit) -> 'a) -> 'a
(** [during t ~label ~total f] is [f advance]; the bar is drawn meanwhile, and erased when [f] returns or
    raises. [advance n] says that [n] more of the [total] steps are done; any domain may call it. It costs an
    atomic addition, and a line of output for every percent. *)
