(** The effects of many tasks, performed by the one fiber that waits until all have ended: the end of a scope,
    the caller of a pipeline. *)

type t

val create : unit -> t

val waiter : t -> 'a Job.waiter
(** Add it ({!Forward_effects.await}) to the waiters of a task: {!wait} then performs the effects of the task,
    unless somebody else has come to await the task before. *)

val tell : t -> unit
(** [over] may be true now. *)

val wait : t -> what:string -> cancel:(exn -> unit) -> over:(unit -> bool) -> unit
(** [wait t ~what ~cancel ~over] performs the effects as they come, one after the other, and returns when
    [over ()]. Suspends the calling fiber meanwhile. [cancel] is as for {!Suspend.suspend_until}: it must lead
    to [over ()]. *)
