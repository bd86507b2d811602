(** A binary semaphore for one waiting thread. A process that waits without a token stops; if the token comes
    later, the run is discarded, since in another run the wait begins after that. *)

type t
type outcome = Token | Timed_out | Interrupted

val create : interruptible:bool -> t
(** No signals come. *)

val park : t -> outcome

val park_for : t -> float -> outcome
(** The time is up at once, unless there is a token: the clock of the process moves forward by so much. This
    happens once; a process that waits for a time again waits for ever ({!Process.pass}). *)

val unpark : t -> unit

val sleeps : t -> bool
(** For the judgement: whether a process waits for a token that never came. *)
