(** Skip lists for many tasks: {!Weft_containers.Skip_list}, batched.

    Any task and any thread may call every function. Operations that meet are done together, as a batch
    ([skip_batch.mli]); operations on the same key take effect in the order of arrival.

    Where batching pays: {!Stats}.

    All functions that may wait raise {!Weft_batch.Reentrant} inside an operation.

    {b Cost}, expected, for n keys: each function is O(log n), beside what it waits for, unless it says
    otherwise; {!Make.create}, {!Make.length}, {!Make.min_binding_opt}, {!Make.exclusive}, {!Make.quiesce} and
    {!Make.stats} are O(1), [iter], [fold] and [to_seq] O(n). A batch of m operations ({!Make.add_all},
    {!Make.exec_many}, {!Make.submit_many}, {!Make.run_batch}) takes O(m log m + m log (n / m + 1)) expected
    work, all of it in parallel except O(m) short steps and operations on the same key.

    If a comparison of keys or the function given to [update] raises, that operation alone fails, and has
    changed nothing. *)

open Weft_containers

module Make (Key : Maps.ORDERED) : sig
  include Maps.ORDERED_MAP with type key = Key.t
  (** [iter], [fold] and [to_seq] run while no other call is inside. The functions given to [iter] and [fold]
      must not use the map; [to_seq] copies the bindings at the time of the call, O(n) at once. *)

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> ?seed:int -> unit -> 'v t
  (** An empty map. [limit] and [cutoff]: see {!Weft_batch.Make}. [seed]: for the random heights
      ({!Weft_containers.Skip_list.S.create}). *)

  val make : unit -> 'v t
  (** [make ()] is [create ()], for signatures without optional arguments. O(1). *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** [add_all t bindings] adds all bindings, in this order, while no other call is inside. Fastest if they
      are sorted by key. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What the structure has done so far. Any thread may call it; it may miss calls that run at the same time.
  *)

  (** {1 The structure itself} *)

  module Sequential : Skip_list.S with type key = key

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] calls [f] with the list, while no other call is inside; see
      {!Weft_batch.Make_generic.exclusive}. *)

  type ('v, 'a) op = ('v, 'a) Op.t

  val exec : 'v t -> ('v, 'a) op -> 'a
  (** See {!Weft_batch.Make_generic.exec}. *)

  val exec_many : 'v t -> ('v, 'a) op array -> 'a array
  (** See {!Weft_batch.Make_generic.exec_many}. *)

  val submit : 'v t -> ('v, 'a) op -> 'a Weft.Promise.t
  (** A promise of the result: see {!Weft_batch.Make_generic.submit}. *)

  val submit_many : 'v t -> ('v, 'a) op array -> 'a array Weft.Promise.t
  (** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)

  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v Sequential.t -> ('v, 'a) op -> 'a

  val run_batch : 'v Sequential.t -> 'v packed array -> unit
  (** See {!Weft_batch.GENERIC}, and [skip_batch.mli] for the order. *)
end
