(** Frames of a stack that say nothing to a user. By the name of a function, such as
    ["Weft_sync__Fiber_mutex.lock"]. *)

val is_own : string -> bool
(** Weft's own. *)

val is_stdlib : string -> bool
(** The standard library's. *)
