(** A job is run, in a fresh fiber, and whoever waits for it goes on. *)

exception Noted of exn * Printexc.raw_backtrace
(** What a task raises whose exception somebody has taken note of already: the promise gets it all the same,
    but it is not reported if nobody awaits that. *)

type next
(** What a worker does when a fiber has ended: nothing, or continue, on the spot, a fiber that waited for it.
*)

val run_job : Job.task -> next
(** The body of a fiber: claims the job, runs it and settles it. *)

val go_on : next -> unit
(** On the worker's stack. *)

val deliver_here : home:Job.home -> 'a Job.t -> 'a Job.waiter list -> next
(** Like {!Resume.deliver}, but one waiter may go on here. *)
