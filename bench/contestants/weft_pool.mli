(** Weft: each contestant runs inside a pool of its own, which is made for the run and closed after it. *)

val with_pool : ?name:string -> ?minor_heap:int -> domains:int -> (Weft.Pool.t -> 'a) -> 'a
(** [with_pool ~domains f] is {!Weft.Pool.with_pool}, with exactly [domains] domains.
    @raise Failure if the system cannot start so many. *)

val par : Weft_bench_harness.Contestant.t
(** [par]: fork-join by {!Weft.par}. *)

val async : Weft_bench_harness.Contestant.t
(** [async]: promises, by {!Weft.async} and {!Weft.await}. *)

val loop : Weft_bench_harness.Contestant.t
(** [loop]: {!Weft.parallel_for}, {!Weft.parallel_for_reduce}, {!Weft.parallel_scan}. *)

val blocks : Weft_bench_harness.Contestant.t
(** [blocks]: {!Weft.parallel_for_reduce_blocks}. *)

val array : Weft_bench_harness.Contestant.t
(** [array]: the functions of {!Weft.Array}, {!Weft.List}, {!Weft.Bigarray} and {!Weft.Seq}. *)

val mapped : Weft_bench_harness.Contestant.t
(** [mapped]: the functions of {!Weft.Seq.Text} on a file. *)

val pipeline : Weft_bench_harness.Contestant.t
(** [pipeline]: {!Weft.pipeline}. *)

val book : Weft_bench_harness.Contestant.t
(** [book]: an algorithm as a book has it, without a cutoff or a chunk. *)

val by_hand : Weft_bench_harness.Contestant.t
(** [by_hand]: the same algorithm or a better one, with cutoffs and blocks chosen by hand. *)

val fibers : Weft_bench_harness.Contestant.t
(** [fibers]: fibers that wait for each other and for the clock: {!Weft.Chan}, {!Weft.Mutex}, {!Weft.Promise},
    {!Weft.yield}, {!Weft.sleep}. *)

val select : Weft_bench_harness.Contestant.t
(** [select]: {!Weft.Select}. *)

val run : (unit -> 'a) list -> 'a list
(** [run parties] is the list of the results of [parties]. Each is called in a fiber of its own, by a promise;
    the promises are awaited in order. *)

val scope_async : Weft_bench_harness.Contestant.t
(** [scope-async]: {!Weft.Scope.async}. *)

val pool_async : Weft_bench_harness.Contestant.t
(** [pool-async]: {!Weft.Pool.async} in the pool. *)

(** {1 From outside} *)

val outside_async : Weft_bench_harness.Contestant.t
(** [outside-async]: {!Weft.Pool.async} from a thread outside of {!outside_pool}, which then awaits. *)

val submit : Weft_bench_harness.Contestant.t
(** [submit]: {!Weft.Pool.async} from outside. Its pool, {!outside_pool}, is made before the run and closed
    after it; the benchmark's thread does not work in it. *)

val outside_pool : unit -> Weft.Pool.t
(** The pool of the current run of {!submit} or {!outside_async}.
    @raise Invalid_argument if there is none. *)
