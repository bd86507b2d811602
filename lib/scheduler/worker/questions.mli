(** Which victims a thief asks for a job, before it issues a heavy barrier.

    A victim that computes in C, or does not run, answers no question ({!Deque.ask}), and the thief waits for
    as long as a barrier takes. So from the second job on that a thief has got from the same victim without an
    answer, it asks that victim less and less often: it takes 2, 6 and then 14 jobs by a barrier at once
    between two questions, until one is answered.

    One for each worker. It remembers one victim: where several are silent, the thief asks in vain more often.
*)

type t

val make : unit -> t

val asks : t -> victim:int -> bool
(** Whether the worker should ask this victim, given by its number. *)

val answered : t -> victim:int -> unit
(** The victim has answered. *)

val not_answered : t -> victim:int -> unit
(** The victim was asked and did not answer; then the worker stole a job from it. *)

val not_asked : t -> unit
(** The worker has stolen a job from a victim that it should not ask. *)
