(** A Datalog database for many tasks: {!Weft_containers.Datalog}, batched.

    The functions are those of the sequential database; any task and any thread may call them. Calls that come
    while others are inside become a batch. First its facts are asserted and retracted as {e one} change, in
    the order of arrival and with the results that they would have one by one, and evaluated once; {e then}
    its queries are answered, all at the same time. So a query sees the changes of its batch. Evaluation
    itself is parallel, too, if a round has enough to do.

    All functions that may wait raise {!Weft_batch.Reentrant} inside an operation.

    {b Cost.} {!create}, {!of_string}, {!assert_fact}, {!retract}, {!query}, {!count} and {!holds}, and
    {!exec}, {!submit} and {!apply} of these, cost as much as in {!Weft_containers.Datalog}, and O(1) more for
    each operation; {!change}, {!query_all}, {!exec_many}, {!submit_many} and {!run_batch} cost as much as all
    their operations together, with one evaluation. {!exclusive}, {!quiesce} and {!stats} are O(1), beside
    what they wait for; {!runner} forks. Each round of an evaluation, and the queries, run in parallel.
    Sequential are the O(rounds) steps from round to round, the facts of a change, and entering the facts that
    a round has found. *)

module Sequential = Weft_containers.Datalog

type t

val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> Weft_containers.Datalog.program -> t
(** The database of this program, evaluated in parallel. [limit] and [cutoff]: see {!Weft_batch.Make.create}.
    @raise Weft_containers.Datalog.Error as {!Weft_containers.Datalog.create}. *)

val of_string : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> string -> t
(** [of_string s] is {!create} of the program [s].
    @raise Weft_containers.Datalog.Error as {!create}, and if [s] is no program. *)

(** {1 Operations}

    Complexities and exceptions are those of the sequential ones. An operation that raises {!Sequential.Error}
    fails alone and changes nothing, in a batch as well. If an exception ends the evaluation itself (memory
    ran out), all changes of the batch are undone and fail with it; its queries are answered all the same if
    the consequences of the facts can be computed anew. *)

val assert_fact : t -> Sequential.atom -> bool
val retract : t -> Sequential.atom -> bool
val query : t -> Sequential.query -> Sequential.answers
val count : t -> Sequential.query -> int
val holds : t -> Sequential.query -> bool

val change : t -> Sequential.change array -> bool array
(** Makes all changes as one batch, in this order. If some fail, the others are made all the same, and it
    raises the exception of the first that failed. *)

val query_all : t -> Sequential.query array -> Sequential.answers array
(** Answers all queries as one batch. *)

val exclusive : t -> (Sequential.t -> 'a) -> 'a
(** [exclusive t f] calls [f] with the sequential database, while no other call is inside; see
    {!Weft_batch.Make_generic.exclusive}. *)

val quiesce : t -> unit
(** Returns when all operations that were called before have ended.
    @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

val stats : t -> Stats.t
(** See {!Weft_batch.Make.stats}. *)

(** {1 The structure}

    For tests and benchmarks. *)

(** An operation with a result of type ['a]. *)
type 'a op =
  | Change : Sequential.change -> bool op
  | Query : Sequential.query -> Sequential.answers op
  | Count : Sequential.query -> int op
  | Holds : Sequential.query -> bool op

val exec : t -> 'a op -> 'a
(** See {!Weft_batch.Make_generic.exec}. *)

val exec_many : t -> 'a op array -> 'a array
(** See {!Weft_batch.Make_generic.exec_many}. *)

val submit : t -> 'a op -> 'a Weft.Promise.t
(** A promise of the result: see {!Weft_batch.Make_generic.submit}. *)

val submit_many : t -> 'a op array -> 'a array Weft.Promise.t
(** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)

(** The structure that is batched. *)
module Structure : Structures.STRUCTURE with type t = Sequential.t and type 'a op = 'a op

val apply : Sequential.t -> 'a op -> 'a
(** [Structure.apply]. *)

val run_batch : Sequential.t -> Structure.packed array -> unit
(** [Structure.run]: runs one batch. *)

val runner : Sequential.runner
(** Runs the tasks of an evaluation as tasks of Weft; for {!Sequential.create}. *)
