(** Skip lists for many tasks: {!Weft_containers.Skip_list}, batched.

    Every function may be called from any task and any thread. Operations that meet are done together, as a
    batch ([skip_batch.mli]); on the same key they act in the order of arrival.

    {b Cost}, expected, for n keys: each function is O(log n), beside what it waits for, unless it says
    otherwise; {!Make.create}, {!Make.length}, {!Make.min_binding_opt}, {!Make.exclusive}, {!Make.quiesce} and
    {!Make.stats} are O(1), [iter], [fold] and [to_seq] O(n). A batch of m operations ({!Make.add_all},
    {!Make.exec_many}, {!Make.run_batch}) takes O(m log m + m log (n / m + 1)) expected work, and all of it is
    parallel but for O(m) short steps and the operations on one and the same key.

    If a comparison of keys raises, or the function given to [update], that operation alone fails, and has
    changed nothing. *)

open Weft_containers

module Make (Key : Maps.ORDERED) : sig
  include Maps.ORDERED_MAP with type key = Key.t
  (** [iter], [fold] and [to_seq] are alone with the list: [iter] and [fold] while they last, and must not
      call it; [to_seq] is of the bindings at the time of the call, O(n) at once. *)

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> ?seed:int -> unit -> 'v t
  (** An empty map. [limit] and [cutoff]: see {!Weft_batch.Make}. [seed]: of the heights
      ({!Weft_containers.Skip_list.S.create}). *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** [add_all t bindings] adds all of them, in this order, while nobody else is at the map. Fastest if they
      are sorted by key. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)

  (** {1 The structure itself} *)

  module Sequential : Skip_list.S with type key = key

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] is [f] of the list, while nobody else is at it; see
      {!Weft_batch.Make_generic.exclusive}. *)

  type ('v, 'a) op = ('v, 'a) Op.t

  val exec : 'v t -> ('v, 'a) op -> 'a
  val exec_many : 'v t -> ('v, 'a) op array -> 'a array

  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v Sequential.t -> ('v, 'a) op -> 'a

  val run_batch : 'v Sequential.t -> 'v packed array -> unit
  (** See {!Weft_batch.GENERIC}, and [skip_batch.mli] for the order. *)
end
