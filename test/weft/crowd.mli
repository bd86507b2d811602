(** Fibers, threads and domains that get into each other's way: helpers that the tests of locks share. *)

val apart : (unit -> unit) -> unit
(** Runs the function in a new fiber, which has a stack of its own. *)

val in_line : int -> (int -> 'a) -> 'a Weft.promise list
(** [in_line n f], in a pool of one domain, starts [f 0], ..., [f (n - 1)], each as soon as the one before
    waits. *)

val elsewhere : (unit -> unit) -> unit
(** Runs the function in a new thread. *)

type shared = { mutable inside : int; mutable count : int }
(** Something that only one fiber may use at a time, and who uses it. *)

val shared : unit -> shared

val work : shared -> int -> unit
(** [work s i] counts, slowly; it fails if somebody else uses [s] at that time; it yields in the middle if [i]
    is divisible by 4. *)

val everywhere : Weft.Pool.t -> fibers:int -> threads:int -> (int -> unit) -> unit
(** [everywhere pool ~fibers ~threads f] runs [f 0], [f 1], ... at the same time, in that many fibers of
    [pool], threads of this domain, and one more domain. *)

val with_alarms : Weft.Pool.t -> every:float -> at_least:int -> (unit -> unit) -> unit
(** Calls the function again and again in a task of the pool. Every so many seconds a signal's handler raises
    an exception, which ends the task. Returns when that has happened often enough. *)
