(** Fibers, threads and domains that get into each other's way: what the tests of locks share. *)

val check_bool : string -> bool -> bool -> unit
(** [check_bool what expected got], from any thread. *)

val until : string -> (unit -> bool) -> unit
(** {!Support.yield_until}. *)

val apart : (unit -> unit) -> unit
(** Runs it in a fiber of its own, not the caller's. *)

val in_line : int -> (int -> 'a) -> 'a Weft.promise list
(** [in_line n f], in a pool of one domain, starts [f 0], ..., [f (n - 1)], each when the one before waits. *)

val elsewhere : (unit -> unit) -> unit
(** Runs it in a thread of its own. *)

type shared = { mutable inside : int; mutable count : int }
(** What only one may use at a time, and who is inside. *)

val shared : unit -> shared

val work : shared -> int -> unit
(** [work s i] counts, slowly; fails if somebody else is at it; yields in the middle if [i] is divisible by 4.
*)

val everywhere : Weft.Pool.t -> fibers:int -> threads:int -> (int -> unit) -> unit
(** [everywhere pool ~fibers ~threads f] is [f 0], [f 1], ... at once, in as many fibers of [pool], threads of
    this domain, and one more domain. *)

exception Alarm

val with_alarms : Weft.Pool.t -> every:float -> at_least:int -> (unit -> unit) -> unit
(** Calls the function again and again in a task of the pool, while a signal's handler raises [Alarm] every so
    many seconds, which ends the task: until that has happened so often. *)
