(** Accounts of received messages. The messages of a run are the numbers from 0 up; a tally counts them and
    sums them and their squares, so that a lost, repeated or altered message is noticed. *)

open Weft_bench_harness

type t

val create : unit -> t
(** [create ()] is an empty tally, for one party. *)

val add : t -> int -> unit
(** [add t x] adds the message [x]. *)

val check : ?in_order:bool -> int -> t list -> (unit, Benchmark.wrong) result
(** [check n tallies] is right if the receivers with these [tallies] have together received each of the
    numbers 0 to [n - 1] once. With [in_order] (default: false), each must also have received ascending
    numbers. *)
