(** How often a thief steals.

    A steal costs the thief a heavy barrier and the victim an interruption: one or two microseconds together,
    ten and more on virtual machines. Where jobs are shorter than that, a thief slows its victim down by more
    than it takes from it. So a thief whose stolen job took less time than the steal, and left nothing in the
    thief's deque, pauses before it steals again: for as long as the steal took, then for twice and four times
    as long, until it steals a longer job. Meanwhile it looks for all other work.

    One for each worker; all times are by {!Weft_platform.Tsc}. *)

type t

val make : unit -> t

val pauses : t -> now:(unit -> int) -> bool
(** Whether the worker should not steal now. *)

val stolen : t -> began:int -> now:int -> unit
(** The worker has stolen a job, by a steal that began at [began]. *)

val has_stolen : t -> bool
(** Whether the worker has stolen a job and {!ended} has not been called for it. *)

val ended : t -> more:bool -> now:int -> unit
(** That job has ended, or waits; [more]: there are jobs in the worker's deque. *)
