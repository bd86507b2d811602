(** {!Weft_containers.Counter}, batched: a counter that any task and any thread may use.

    In a batch, operations have the results that they would have one after the other, in the order of arrival.
    An operation takes nanoseconds, so up to some thousands of them are done in just this way. Larger batches
    make two passes, in parallel, over a tree of parts of the batch: from the leaves up, they find how each
    part changes the value; from the root down, the value before each part (Blelloch, Prefix sums and their
    applications, 1990).

    All functions that may wait raise {!Weft_batch.Reentrant} inside an operation.

    {b Cost.} Each function is O(1), beside what it waits for; a batch of m operations ({!exec_many},
    {!submit_many}, {!run_batch}) is O(m), with a span of O(log m) forks and twice 4,096 operations. *)

type t

val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> ?value:int -> unit -> t
(** A counter that starts at [value], by default 0; see {!Weft_batch.Make_generic.create} for the rest. *)

val get : t -> int
val set : t -> int -> unit
val add : t -> int -> unit

val fetch_add : t -> int -> int
(** As in {!Weft_containers.Counter}, and so are the others. *)

val incr : t -> unit
val decr : t -> unit

val quiesce : t -> unit
(** Returns when all operations that were called before have ended.
    @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

val stats : t -> Stats.t
(** What the structure has done so far. Any thread may call it; it may miss calls that run at the same time.
*)

(** {1 The structure itself} *)

module Sequential = Weft_containers.Counter

val exclusive : t -> (Sequential.t -> 'a) -> 'a
(** [exclusive t f] calls [f] with the counter, while no other call is inside; see
    {!Weft_batch.Make_generic.exclusive}. *)

(** An operation with a result of type ['a]. A counter has no elements: ['v] is any type, here and below. *)
type ('v, 'a) op =
  | Get : ('v, int) op
  | Set : int -> ('v, unit) op
  | Add : int -> ('v, unit) op
  | Fetch_add : int -> ('v, int) op

type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

val exec : t -> (unit, 'a) op -> 'a
(** See {!Weft_batch.Make_generic.exec}. *)

val exec_many : t -> (unit, 'a) op array -> 'a array
(** See {!Weft_batch.Make_generic.exec_many}. *)

val submit : t -> (unit, 'a) op -> 'a Weft.Promise.t
(** A promise of the result: see {!Weft_batch.Make_generic.submit}. *)

val submit_many : t -> (unit, 'a) op array -> 'a array Weft.Promise.t
(** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)

val apply : Sequential.t -> ('v, 'a) op -> 'a
val run_batch : Sequential.t -> 'v packed array -> unit
