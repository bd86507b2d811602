(** Implicit batching: a sequential data structure becomes a concurrent one, and as parallel as its batches.

    {[
      module Numbers = Weft_batch.Avl.Make (Int)

      let squares = Numbers.create ()
      let () = Weft.parallel_for ~start:1 ~finish:10_000 ~body:(fun i -> Numbers.add squares (i * i) i) ()
    ]}

    Every structure may be called from any task and any thread. A call that finds nobody else there is applied
    in place, at the price of two compare-and-sets ([weft bench batch_counter --domains 1]). Calls that meet
    are gathered: while one batch is run, by as many domains as there are, the calls that come make up the
    next one ({!Make}). Where operations are cheap, calls that meet take turns instead, as at a lock. Waiting
    suspends the calling fiber. There is nothing to tune; each structure keeps statistics that tell whether
    batching pays ({!Stats}).

    {b Signals.} In a pool, a batch that has begun is applied to its end, whatever a signal's handler raises
    ([Weft.run]). A call outside of any pool may be struck by it (as [Sys.catch_break] has it) anywhere, and
    then nobody may be let in any more. At the end of a full stack, an operation is applied, or raises
    [Stack_overflow] and changes nothing. [Out_of_memory] may come in the middle of a change. The search
    trees, the Datalog database and the log are as before that operation or batch then. What is changed in
    place (B-trees, skip lists, hash tables, tries, priority queues) may be out of order afterwards, as the
    sequential ones would be: do not use it further.

    The sequential structures can be used alone: library [weft-batch.containers].

    {b Limits}: [doc/limits.md], section {e Batched structures}. *)

(** {1 Structures}

    The maps have the functions of the sequential ones, and [create], [add_all], [exec], [exec_many],
    [exclusive], [quiesce], [stats]. *)

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

module type SHARDED = Shards.SHARDED
(** What such a structure supplies. *)

module Expose_repair = Shards.Make
(** Batched structures from sequential ones that can be worked on in shards. *)

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
(** What a structure supplies: what one operation means, and how to run a batch of them, if there is a better
    way than one by one. *)

module type GENERIC = Structures.GENERIC
(** Likewise, of any type of values. *)

module Make = Batched.Make
module Make_generic = Batched.Make_generic

exception Reentrant of string
(** A structure was called from inside one of its own operations or batches: the function that was called. *)

module Map_op = Map_op
(** The operations that the maps have in common. *)

module Stats = Stats
module Span = Span
module Recorder = Recorder
