(** Effects that a task or a fork does not handle itself are performed by the fiber that joins or awaits it.
    See {!Job} for the protocol. *)

val others : Job.task Fiber_stack.others
(** What happens to an effect that no handler in its fiber handles. *)

val refusing : why:string -> Fiber.context -> Bindings.t
(** [refusing ~why c] is the bindings of [c], for code in the fiber of [c] whose effects no other fiber may
    handle: what no handler in the fiber handles is refused. What this code starts in other fibers (a stolen
    fork, a task, a pipeline) leaves its effects to who joins or awaits it, as ever; there handlers that lie
    between the code and the join come first. *)

(** {1 Forks} *)

val answer : 'a Job.t -> Job.parked -> unit
(** [answer j p], by the joiner of [j], which is parked as [p], performs the effect and queues the fiber with
    the answer or exception. If the fiber has been stopped meanwhile, that exception is raised in it instead.
*)

(** {1 Tasks} *)

val await : first:bool -> 'a Job.t -> 'a Job.waiter -> bool
(** [await ~first j w] adds [w] to the waiters of [j]; [false] if [j] is settled. If [j] asks, [w] is told.
    [first] is as for {!Job.add}. *)

val perform_for : Job.asking -> unit -> unit
(** [perform_for a] performs the effect; [perform_for a ()] then continues the task with the answer or
    exception. The answer is dropped if the task has been ended meanwhile. *)

val answer_at_once : Job.asking -> unit
(** [answer_at_once a] is [perform_for a ()]. *)

val ask : 'a Job.t -> Job.asking -> unit
(** [ask j a], where [a] is the parked fiber of task [j], tells the first of those who await [j]; if nobody
    does, it waits for an awaiter. Called by its worker, or by an awaiter that was told and will not perform
    the effect. *)

val outsider : (unit -> unit) -> 'a Job.waiter
(** [outsider told] is a waiter for a thread outside all pools: it refuses effects. *)

val refuser : why:string -> 'a Job.waiter
(** Refuses the effects of a task that nobody awaits, or whose effects a handler of its caller must not see.
    Add it before the task may begin, or at once. *)
