(** How often a thief comes.

    A steal costs the thief a heavy barrier and the victim an interruption: one or two microseconds together,
    on virtual machines ten and more. Where the jobs in a deque are shorter than that, a thief slows its
    victim down by more than it takes from it. So who has stolen a job that took less time than the steal, and
    that left nothing in the thief's deque, pauses before it steals again: for as long as the steal took, then
    for twice and four times as long, until it finds a longer one. Meanwhile it looks for all other work.

    Of one worker; all times are {!Weft_platform.Tsc}. *)

type t

val make : unit -> t

val pauses : t -> now:(unit -> int) -> bool
(** Whether the worker should not steal now. *)

val stolen : t -> began:int -> now:int -> unit
(** The worker has stolen a job, by a steal that began at [began]. *)

val has_stolen : t -> bool
(** Whether a job has been stolen whose end has not been told. *)

val ended : t -> more:bool -> now:int -> unit
(** That job has ended, or waits; [more]: there are jobs in the worker's deque. *)
