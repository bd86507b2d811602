(** What the program does in each thread of Weft's that works for a pool, before its first job and after its
    last: see [Weft.Pool.on_worker]. *)

val add : start:(unit -> unit) -> stop:(unit -> unit) -> unit

val start : unit -> unit -> unit
(** [start ()] calls the functions [start], the oldest first, and is a function that calls their [stop], the
    youngest first. Exceptions are printed. *)
