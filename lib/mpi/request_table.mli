(** The requests that the communication thread ({!Completion}) watches. For it alone, but {!length}. *)

val watch : Pending.t -> unit
(** Its request has been posted. *)

val look : int -> bool
(** [look times] tests all requests until some have completed, [times] times at most, settles those, and is
    whether there were some. If none are watched, MPI only gets a chance to answer other ranks. *)

val is_empty : unit -> bool

val length : unit -> int
(** From any thread. *)
