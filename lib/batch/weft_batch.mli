(** Implicit batching: a sequential data structure becomes a concurrent one, which runs its batches in
    parallel.

    {[
      module Numbers = Weft_batch.Avl.Make (Int)

      let squares = Numbers.create ()
      let () = Weft.parallel_for ~start:1 ~finish:10_000 ~body:(fun i -> Numbers.add squares (i * i) i) ()
    ]}

    Any task and any thread may call every structure. If a call finds no other one inside, it is applied in
    place, at the price of two compare-and-sets ([weft bench batch_counter --domains 1]). Calls that meet are
    gathered: while one batch runs, on all domains of the pool, the calls that come make up the next one
    ({!Make}). If operations are cheap, calls that meet take turns instead, as at a lock. A fiber whose call
    waits is suspended. A fiber that need not wait for each result submits operations, and awaits their
    promises later ({!Make_generic.submit}). There is nothing to tune; each structure keeps statistics that
    show whether batching pays ({!Stats}).

    {b Signals.} In a pool, a batch that has begun is applied to its end, whatever a signal handler raises
    ([Weft.run]). In a call outside of any pool, a handler's exception (as with [Sys.catch_break]) may be
    raised anywhere, and then the structure may stay busy for ever. If the stack is nearly full, an operation
    is applied, or raises [Stack_overflow] and changes nothing. [Out_of_memory] may be raised in the middle of
    a change. Then the search trees, the Datalog database and the log are as before that operation or batch.
    Structures that are changed in place (B-trees, skip lists, hash tables, tries, priority queues) may be out
    of order afterwards, as the sequential ones would be: do not use them any more.

    {b Effects.} Functions that belong to an operation (comparisons, functions of updates, structures of your
    own) may be called by another task than the operation's caller. So an effect that such a function does not
    handle itself is refused, always, whoever applies the operation: [Effect.Unhandled] is raised where the
    effect is performed, and [Printexc.to_string] says why. What that does to the operation, any exception
    does; the structure can be used further. Everything else is the caller's own code, whose handlers answer:
    hash functions, functions given to [exclusive], [iter] and [fold], and comparisons by functions of search
    trees that only read. (Outside of all pools what [exclusive], [iter] and [fold] of structures that wait
    are given runs in the default pool, where no handler of the caller's sees an effect.)

    The sequential structures can be used alone: library [weft-batch.containers].

    {b Limits}: [doc/limits.md], section {e Batched structures}. *)

(** {1 Structures}

    The maps have the functions of the sequential ones, and also [create], [add_all], [exec], [exec_many],
    [submit], [submit_many], [exclusive], [quiesce], [stats]. *)

module type MAP = Batched_maps.MAP
(** What all maps have in common: for functors over maps. *)

module type ORDERED_MAP = Batched_maps.ORDERED_MAP
(** The same for maps whose keys are in order. *)

(** {2 Search trees}

    Persistent inside: operations that only read never wait, and a snapshot costs nothing. *)

module Avl = Avl
module Red_black = Red_black
module Treap = Treap

module Split_join = Split_join
(** Batched maps from any persistent search tree with [join]. *)

(** {2 Other ordered maps} *)

module B_tree = B_tree
module Skip_list = Skip_list

(** {2 Maps from integers} *)

module Veb = Veb
module X_fast = X_fast
module Y_fast = Y_fast
module Int_maps = Int_maps

module type SHARDED = Structures.SHARDED
(** What a structure supplies for {!Expose_repair}. *)

module Expose_repair = Shards.Make
(** Batched structures from sequential ones that consist of shards. *)

(** {2 Others} *)

module Counter = Counter
module Hash_table = Hash_table
module Priority_queue = Priority_queue

module Datalog = Datalog
(** A Datalog database: queries in parallel, facts in batches. *)

module Log = Log
(** A durable log: one fsync for all calls that append at the same time. *)

(** {1 Your own structures} *)

module Cell = Cell

module type STRUCTURE = Structures.STRUCTURE
(** What a structure supplies for {!Make}: the meaning of one operation, and how to run a batch of them, if
    there is a better way than one by one. *)

module type GENERIC = Structures.GENERIC
(** The same for {!Make_generic}, for any type of values. *)

module Make = Batched.Make
module Make_generic = Batched.Make_generic

exception Reentrant of string
(** Raised if a structure is called from inside one of its own operations or batches. The string is the
    operation of {!Make_generic} that was called, without the functor's name, as in all messages:
    ["Weft_batch.exec"], say. The structures' functions ([find_opt], [add], ...) call [exec]. *)

module Map_op = Map_op
(** The operations that the maps have in common. *)

module Stats = Stats
module Span = Span
module Recorder = Recorder
