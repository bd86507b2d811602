(** {!Weft_containers.Hash_table}, batched: hash tables that any task and any thread may use.

    A batch is grouped by segment, in linear time, and the segments are worked on in parallel, each in the
    order of arrival: single-key operations have the results of one after the other. [Length] is answered
    after them.

    [hash] is called by the caller, once per operation, before this becomes part of a batch: if it raises, the
    call does, and nothing else happens. If [equal] or the function of an update raises, its operation fails
    alone, and has changed nothing. [equal] may be called by any domain, and neither it nor such a function
    may use the table.

    {b Cost}, for n bindings: each function is O(1), expected, and amortised where the table changes, unless
    it says otherwise; {!Make.iter}, {!Make.fold} and {!Make.to_seq} are O(n). A batch of m
    ({!Make.exec_many}, {!Make.run_batch}) takes expected O(m), with a span of O(m) short steps to group it,
    and the operations of the segment that has most of them. {!Make.add_all}: O(length), with one call of
    [hash] for each binding. *)

module Make (Key : Hashtbl.HashedType) : sig
  type key = Key.t
  type 'v t

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> 'v t
  (** An empty table; see {!Weft_batch.Make_generic.create}. *)

  (** {1 Operations} *)

  val length : 'v t -> int
  val mem : 'v t -> key -> bool
  val find_opt : 'v t -> key -> 'v option
  val add : 'v t -> key -> 'v -> unit
  val remove : 'v t -> key -> bool

  val update : 'v t -> key -> ('v option -> 'v option) -> 'v option
  (** As in {!Weft_containers.Maps.MAP}. *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** Adds these bindings, in this order, while nobody else is at the table. If [hash] raises, none is added.
  *)

  val iter : (key -> 'v -> unit) -> 'v t -> unit
  (** While nobody else is at the table, as is {!fold}: the functions must not use it. *)

  val fold : (key -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc

  val to_seq : 'v t -> (key * 'v) Seq.t
  (** The bindings at the time of the call: O(n) at once. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)

  (** {1 The structure itself} *)

  module Sequential : module type of Weft_containers.Hash_table.Make (Key)

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] is [f] of the table, while nobody else is at it; see
      {!Weft_batch.Make_generic.exclusive}. *)

  (** An operation with a result of type ['a]. The integer is {!Sequential.hash} of the key. *)
  type ('v, 'a) op =
    | Mem : int * key -> ('v, bool) op
    | Find : int * key -> ('v, 'v option) op
    | Add : int * key * 'v -> ('v, unit) op
    | Remove : int * key -> ('v, bool) op
    | Update : int * key * ('v option -> 'v option) -> ('v, 'v option) op
    | Length : ('v, int) op

  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val exec : 'v t -> ('v, 'a) op -> 'a
  val exec_many : 'v t -> ('v, 'a) op array -> 'a array
  val apply : 'v Sequential.t -> ('v, 'a) op -> 'a
  val run_batch : 'v Sequential.t -> 'v packed array -> unit
end
