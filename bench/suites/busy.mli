(** Pools that are full of work, for benchmarks of the lateness of something else. *)

type load = {
  name : string;
  doc : string;  (** what fills the pool: completes the phrase "in a pool full of" *)
  fill : over:bool Atomic.t -> (unit -> unit) array -> unit;
      (** [fill ~over began] runs one fiber for each function of [began], until [over]; the fiber first calls
          the function. A fiber notices [over] after a few milliseconds of work at most. *)
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
(** Fibers that share a semaphore and hold it for some 10 us. *)

val channels : load
(** Messages from one fiber to another, through a channel of 16 places. *)

val blocking : load
(** Calls of {!Weft.blocking} of a millisecond each. *)

val beside : load -> domains:int -> (unit -> 'a) -> 'a
(** [beside load ~domains f], in a pool of so many domains, is [f ()], called when fibers of [load] keep as
    many workers busy as the machine can run. There are twice as many fibers as domains, and they run until
    [f] has ended. *)

val spin : int -> unit
(** Runs so many steps of about a nanosecond, without a cancellation point. *)
