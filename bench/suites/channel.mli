(** Messages through one channel: from one sender to one receiver, and from four to four, through channels of
    several capacities.

    Threads pass only a part of the messages if they wait at each one.

    In all methods a receiver can wait. So a lock-free queue, such as Saturn's, which a receiver must poll, is
    no rival. [event] takes part only at capacity 0 (rendezvous), since OCaml's [Event] has only rendezvous
    channels; [threads] takes part at the other capacities. *)

val parties : int
(** The number of senders, and of receivers, in the benchmarks with several. *)

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
    [n] messages to as many receivers through the channel [make ()]; [run] runs them all. The result is the
    list of the receivers' tallies. *)

val check : parties:int -> int -> Tally.t list -> (unit, Weft_bench_harness.Benchmark.wrong) result
(** [check ~parties n tallies] is right if each of [n] messages has been received once; with one sender and
    one receiver, also in order. *)

(** {1 For other channels} *)

type capacity = Rendezvous | Bounded of int | Unbounded

val cases : (string * int * capacity) list
(** The name of each benchmark, its number of senders and of receivers, and the capacity of its channel. *)

val kind : parties:int -> Tally.t list Operations.kind
(** What benchmarks with so many senders and receivers check and show. *)

(** {1 The benchmarks} *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [channel]: [channel_1_1_rendezvous], [channel_1_1_bounded_1], [channel_1_1_bounded_64],
    [channel_1_1_unbounded], and the same four beginning with [channel_n_n]. *)
