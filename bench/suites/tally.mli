(** Accounts of received messages. The messages of a run are the numbers from 0 up; a tally counts them, and
    adds them and their squares up: so one that is lost, doubled or altered shows. *)

open Weft_bench_harness

type t

val create : unit -> t
(** [create ()] is the tally of nothing. It is for one party. *)

val add : t -> int -> unit
(** [add t x] notes the message [x]. *)

val check : ?in_order:bool -> int -> t list -> (unit, Benchmark.wrong) result
(** [check n tallies] is right if the receivers with these [tallies] have together got each of the numbers 0
    to [n - 1] once. [in_order] (default: false): each of them has got rising numbers, too. *)
