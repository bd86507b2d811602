(** What a user supplies.

    {b Cost.} All functions of the batched structure cost as much as the user's functions. *)

(** A sequential structure with its operations. *)
module type STRUCTURE = sig
  type t

  type _ op
  (** An operation with a result of type ['a]. *)

  (** An operation of a batch, and where its result goes. *)
  type packed = Op : 'a op * 'a Cell.t -> packed

  val apply : t -> 'a op -> 'a
  (** The sequential meaning. If it raises, the operation should have changed nothing. Effects that it does
      not handle itself are refused, and so are those of {!run}: see the head of {!Weft_batch}. *)

  val run : (t -> packed array -> unit) option
  (** [run t ops] applies all of [ops], which is in the order of arrival, and fills their cells; in parallel,
      with [Weft.par] and the functions built on it. The result should be that of {e some} order of the
      operations. Callers of [exec] wait for it, so that any order does for them. One caller may have
      submitted several operations of the batch: these come in its order only if [run] applies them in the
      order of arrival, or as [rank] of [Make.create] says. Nobody else uses [t] meanwhile. If [run] raises,
      the operations with empty cells raise that exception (if there are none, the task that runs the batch
      does), and [t] must still be in good order. [None]: a batch is applied one by one. *)
end

(** The same, for any type ['v] of elements or values. *)
module type GENERIC = sig
  type 'v t
  type ('v, _) op
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v t -> ('v, 'a) op -> 'a
  val run : ('v t -> 'v packed array -> unit) option
end
