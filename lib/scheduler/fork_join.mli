(** The fast path: [par], [async] and [await]. [Weft] documents what they mean.

    One [par] whose fork nobody steals: find the calling thread's deque (thread-local), make the job (three
    words), store it and move [bottom], read the wake word, call [f] under an exception trap, find the deque
    again (the fiber may have moved to another worker), see that this very job is at its bottom, pop it, and
    call it. No atomic read-modify-write, no memory barrier (mode [Thief]), no effect handler.

    {b The join.} After [f ()] the bottom element of the {e current} worker's deque is compared with the job.
    If it is the job, popping decides. If it is not (the job was stolen, the fiber has moved, or [f] left
    promises above it), the job is claimed by a compare-and-set, which leaves a stale entry behind, or waited
    for. Thanks to that check, [f] may suspend without any flushing of deques. *)

val par : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
val async : (unit -> 'a) -> 'a Job.t

val task : (unit -> 'a) -> 'a Job.t
(** [async] in two steps, for callers that must know the task before it may run. *)

val start : ?who:string -> 'a Job.t -> unit
(** By the thread that made it; [who] is the function to name in errors, ["Weft.async"] unless given. If it
    raises, since the caller is cancelled or its pool closed, the task does not begin. *)

val await : 'a Job.t -> 'a

(** {1 Forks that are made late}

    By {!Job.fork}, when the left side runs already. The fiber in whose context they were made joins them. *)

val join : 'a Job.t -> 'a
(** The left side has returned. *)

val drop_or_join : unit Job.t -> unit
(** The same, but if nobody has begun it, it need not run. *)

val left_failed : 'a Job.t -> exn -> 'b
(** The left side has raised: drops the right side, or cancels it and waits for it, and raises the exception
    that counts. *)
