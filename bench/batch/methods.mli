(** The methods: how single operations come to be made. *)

open Weft_bench_harness

val coarse : Contestant.t
(** [coarse]: a sequential structure behind a [Mutex], one task per operation. *)

val unlocked : Contestant.t
(** [unlocked]: a sequential structure as it is, one task per operation: right on one domain only. *)

val lockfree : Contestant.t
(** [lockfree]: one without locks, one task per operation. *)

val batched : Contestant.t
(** [batched]: one of {!Weft_batch}, one task per operation. *)

val in_order : int -> (int -> unit) -> unit
(** [in_order n f] is [f 0; ...; f (n - 1)]: a plain loop, for the method [sequential]. *)

val tasks : int -> (int -> unit) -> unit
(** [tasks n f] calls [f] with each number from 0 to [n - 1], each in a task of its own: a tree of [Weft.par]
    down to the single number. The same for the methods above. *)

(** {1 Words} *)

type words
(** The words allocated so far. *)

val words : unit -> words
(** [words ()] counts those of the calling domain, and of others that have ended. *)

val words_since : words -> float
(** How many have been allocated since. Of a run, the measuring itself is a part: some 60,000 words. *)

val counts_last : bool
(** Whether this version of OCaml still counts the words of a domain that has ended. *)

(** {1 Figures} *)

val figures : seconds:float -> words:float -> int -> Figure.t list
(** [figures ~seconds ~words n] are those of [n] operations: ["k ops/s"] and, if {!counts_last}, ["words/op"].
    None if [n] is 0. *)

val statistics : Weft_batch.Stats.t -> Figure.t list
(** Of a batched structure: how many ["batches"], how many of them ["parallel"], how many operations one has
    (["mean batch"], 0 if there was none), and what part of all operations was applied in place
    (["% in place"]); then the histogram of the batches' sizes. No figures if it has done nothing. *)
