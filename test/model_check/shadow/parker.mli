(** A binary semaphore for one waiting thread. Waiting without a token stops the process; if the token comes
    later, the run is discarded, since there is one in which the wait begins after that. *)

type t
type outcome = Token | Timed_out | Interrupted

val create : interruptible:bool -> t
(** No signals come. *)

val park : t -> outcome

val park_for : t -> float -> outcome
(** The time has come at once, unless there is a token: the clock of the process goes on by so much. That
    once; a process that waits for a time again waits for ever ({!Process.pass}). *)

val unpark : t -> unit

val sleeps : t -> bool
(** For the judgement: whether a process waits for a token that never came. *)
