(** The part of the pools that [Fork_join] uses when its caller is no worker. Scenarios call it from workers
    only, except for {!await_outside}, which blocks as the real one does without a default pool. *)

val default : unit -> unit
val async : unit -> (unit -> 'a) -> string -> 'a Job.t
val task : unit -> (unit -> 'a) -> 'a Job.t
val submit : unit -> 'a Job.t -> string -> unit
val run_default : (unit -> 'a) -> 'a
val await_outside : 'a Job.t -> 'a
