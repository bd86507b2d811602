(** The methods: ways to make the single operations. *)

open Weft_bench_harness

val coarse : Contestant.t
(** [coarse]: a sequential structure behind a [Mutex], one task per operation. *)

val unlocked : Contestant.t
(** [unlocked]: a sequential structure without a lock, one task per operation: correct on one domain only. *)

val stdlib_map : Contestant.t
(** [stdlib_map]: the plain program with {!Stdlib.Map}. *)

val stdlib_hashtbl : Contestant.t
(** [stdlib_hashtbl]: the plain program with {!Stdlib.Hashtbl}. *)

val lockfree : Contestant.t
(** [lockfree]: a lock-free structure, one task per operation. *)

val batched : Contestant.t
(** [batched]: a structure of {!Weft_batch}, one task per operation. *)

val piece : int
(** How many operations [exec_many] and [submit] have on the way at a time. *)

val exec_many : Contestant.t
(** [exec_many]: one fiber makes all operations, {!piece} at a time: a batch of the searches, one of the adds,
    one of the removals. *)

val submit : Contestant.t
(** [submit]: one fiber submits {!piece} operations, awaits them all, and submits the next. *)

val in_order : int -> (int -> unit) -> unit
(** [in_order n f] is [f 0; ...; f (n - 1)]: a plain loop, for the method [sequential]. *)

val tasks : int -> (int -> unit) -> unit
(** [tasks n f] calls [f] with each number from 0 to [n - 1], each in a task of its own: a tree of [Weft.par]
    down to the single number. All methods use it that say "one task per operation". *)

(** {1 Words} *)

type words
(** A count of the words allocated so far. *)

val words : unit -> words
(** [words ()] counts the words of the calling domain and of domains that have ended. *)

val words_since : words -> float
(** The number of words allocated since, to within a minor heap for each domain: OCaml counts a domain's words
    when it collects. In a run, measuring itself allocates some 60,000 words of them. *)

val counts_last : bool
(** Whether this version of OCaml still counts the words of a domain that has ended. *)

(** {1 Figures} *)

val figures : seconds:float -> words:float -> int -> Figure.t list
(** [figures ~seconds ~words n] are the figures of [n] operations: ["k ops/s"] and, if {!counts_last},
    ["words/op"]. There are none if [n] is 0. *)

val statistics : Weft_batch.Stats.t -> Figure.t list
(** The figures of a batched structure: the number of ["batches"]; how many of them were ["parallel"]; the
    mean number of operations in a batch (["mean batch"], 0 if there was none); the percentage of operations
    applied in place (["% in place"]); and the histogram of the batches' sizes. There are none if the
    structure has done nothing. *)
