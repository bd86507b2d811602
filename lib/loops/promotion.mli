(** For loops that can be promoted: see {!Weft_scheduler.Loops}. *)

val queue : 'a Job.t -> unit
(** For [promote]: queues a fork behind the jobs that are ready already. *)

val enter_again : Job.task Deque.t -> Loops.t -> unit
(** Enters a loop that may have been promoted, so that it can be promoted once more. *)

val both : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b option
(** [both f g] calls [f]. If [f] is suspended, it forks [g], and the second result is [Some (g ())]; else it
    is [None]. *)
