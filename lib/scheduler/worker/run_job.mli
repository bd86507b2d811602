(** Runs a job in a fresh fiber, and resumes its waiters. *)

exception Noted of exn * Printexc.raw_backtrace
(** Wraps an exception that somebody has handled already: the promise gets it, but it is not reported if
    nobody awaits the promise. *)

type next
(** What a worker does when a fiber has ended: nothing, or it continues at once a fiber that waited for it. *)

val run_job : Job.task -> next
(** The body of a fiber: claims the job, runs it and settles it. *)

val claim : 'a Job.t -> bool
(** [claim j] is {!Job.val-claim}, for whoever runs or drops [j] without entering its limits: one of these may
    have called [j], and now calls the next entry. *)

val go_on : next -> unit
(** [go_on n] continues the fiber that [n] names, if any, on the worker's own stack. *)

val deliver_here : home:Job.home -> 'a Job.t -> 'a Job.waiter list -> next
(** Like {!Resume.deliver}, but one waiter may be continued here. *)
