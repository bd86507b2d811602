(** Messages through one channel: from one sender to one receiver, and from four to four, through channels of
    several capacities.

    Threads pass a part of the messages only where they wait at each.

    The methods are such as let a receiver wait: a lock-free queue, as of Saturn, which must be asked again
    and again, is no rival. At capacity 0 (rendezvous) [threads] are left out, and elsewhere [event]: OCaml's
    [Event] knows the rendezvous only. *)

val parties : int
(** The number of senders, and of receivers, where there are many. *)

val program :
  parties:int ->
  run:((unit -> Tally.t option) list -> Tally.t option list) ->
  send:('c -> int -> unit) ->
  recv:('c -> int) ->
  (unit -> 'c) ->
  domains:int ->
  int ->
  unit ->
  Tally.t list
(** [program ~parties ~run ~send ~recv make ~domains n] is the program of every method: [parties] senders pass
    [n] messages to as many receivers through the channel [make ()], and [run] runs them all. The result are
    the receivers' tallies. *)

val check : parties:int -> int -> Tally.t list -> (unit, Weft_bench_harness.Benchmark.wrong) result
(** [check ~parties n tallies] is right if each of [n] messages has been received once, and from one sender by
    one receiver in order. *)

(** {1 For other channels} *)

type capacity = Rendezvous | Bounded of int | Unbounded

val cases : (string * int * capacity) list
(** The name of each benchmark, how many senders and receivers it has, and the room of its channel. *)

val kind : parties:int -> Tally.t list Operations.kind
(** What the benchmarks of so many senders and receivers check and show. *)

(** {1 The benchmarks} *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [channel]: [channel_1_1_rendezvous], [channel_1_1_bounded_1], [channel_1_1_bounded_64],
    [channel_1_1_unbounded], and the same four beginning with [channel_n_n]. *)
