(** Effects that a task or a fork does not handle itself: performed by the fiber that joins or awaits it. See
    {!Job} for the protocol. *)

val others : Job.task Fiber_stack.others
(** What becomes of an effect that a fiber performs, and no handler in it handles. *)

(** {1 Forks} *)

val answer : 'a Job.t -> Job.parked -> unit
(** [answer j p], by the joiner of [j], which is parked as [p], performs the effect, and queues the fiber with
    what comes of that; if the fiber has been stopped meanwhile, that is raised in it instead. *)

(** {1 Tasks} *)

val await : first:bool -> 'a Job.t -> 'a Job.waiter -> bool
(** [await ~first j w] adds [w], which awaits [j], to its waiters, or is [false] if [j] is settled. If [j]
    asks, [w] is told. [first] is as for {!Job.add}. *)

val perform_for : Job.asking -> unit -> unit
(** [perform_for a] performs the effect; [perform_for a ()] also has the task continued with what came of
    that. The answer is dropped if the task has been ended meanwhile. *)

val answer_at_once : Job.asking -> unit
(** [answer_at_once a] is [perform_for a ()]. *)

val ask : 'a Job.t -> Job.asking -> unit
(** [ask j a], of a task whose fiber is parked, tells the first of those who await [j]; or it waits for
    somebody to come. By its worker, or by who has been told and will not perform the effect. *)

val outsider : (unit -> unit) -> 'a Job.waiter
(** [outsider told] is a thread outside of all pools that awaits a task: it refuses effects. *)

val refuser : why:string -> 'a Job.waiter
(** Has the effects of a task refused that nobody awaits, or that an own handler of its caller's must not see:
    to be added before it may begin, or at once. *)
