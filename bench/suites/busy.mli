(** Pools that are full of work, for benchmarks of how late something else is. *)

type load = {
  name : string;
  doc : string;  (** what fills the pool: ends a sentence that begins with "in a pool full of" *)
  fill : over:bool Atomic.t -> (unit -> unit) array -> unit;
      (** [fill ~over began] runs one fiber for each function of [began], which it calls when it begins, until
          [over]; a fiber sees that after a few milliseconds of work at most. *)
}

val awaits : load
(** Tasks started and awaited, one after the other. *)

val forks : load
(** Fork-join without a cutoff. *)

val loops : load
(** Loops of short iterations. *)

val sorts : load
(** Sorts of arrays of 100,000 integers. *)

val batches : load
(** Batched search trees: single calls, and batches of 1,000. *)

val semaphores : load
(** Fibers that share a semaphore, and hold it for some 10 us. *)

val channels : load
(** Messages from one fiber to another, through a channel of 16 places. *)

val blocking : load
(** Calls of {!Weft.blocking} of a millisecond each. *)

val beside : load -> domains:int -> (unit -> 'a) -> 'a
(** [beside load ~domains f], in a pool of so many domains, is [f ()], called when fibers of [load] keep all
    workers busy that the machine runs: there are twice as many as domains, and they go on until [f] has
    ended. *)

val spin : int -> unit
(** So many steps of about a nanosecond, without a cancellation point. *)
