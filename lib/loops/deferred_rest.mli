(** The rest of a loop that should be over before a thief could help: in the deque all the same.

    A steal costs both sides some microseconds. A loop that should take less runs its indices in turn, in
    stretches. But the same code may take long the next time, or wait, outside of Weft's sight, for its other
    iterations to run at the same time. So what follows the running stretch is a job in the deque, which was
    empty: thieves may take it, but put that off ({!Weft_scheduler.Deque.push_deferred}), and nobody is woken
    for it. The owner pops it before each stretch, and pushes it again, shorter. That costs some tens of
    nanoseconds a stretch, and stretches grow.

    Where stretches show that the loop will take longer than a steal, its owner claims no more, and runs the
    rest as a loop of unknown cost, as a thief does. *)

type t

val make :
  Job.task Deque.t -> Known_cost.t -> int -> start:int -> until:int -> finish:int -> (int -> unit) -> t
(** [make deque known code ~start ~until ~finish run]: of a loop from [start] to [finish], whose first stretch
    ends with [until]. The job calls [run first] with the index after the last one that is claimed. The deque
    must be the caller's; [start < finish]. *)

val offer : t -> unit
(** Puts the job into the deque, which must be empty and not preempted. Before the first stretch, and where
    its exceptions are caught: it may start a domain. *)

val claim : t -> int -> int
(** [claim t n] claims the next [n] indices, or as many as there are. The answer is the last index that is
    claimed now. If the job was stolen, the worker is preempted, or the loop seems long, it claims nothing. *)

val claimed : t -> int
(** The last index that is claimed. *)

val is_left : t -> bool
(** Whether there are further ones, and nobody has called {!join}. *)

val job : t -> unit Job.t
(** Runs what is left. *)

val take_back : t -> bool
(** Whether the job was still in the caller's deque; then it no longer is. *)

val join : t -> unit
(** Runs the job, or waits for it, if something is left. *)

val failed : t -> exn -> 'a
(** After an exception in a stretch: drops the job, or stops it and waits for it, and raises the exception. *)

val may_be_short : Known_cost.t -> int -> int -> int -> bool
(** [may_be_short known code start finish]: whether a loop may begin like this. *)

(** {1 Of other work} *)

val async : (unit -> 'a) -> 'a Job.t
(** {!Weft_scheduler.Fork_join.async}; but if the deque is empty, thieves put the job off, and nobody is woken
    for it. *)
