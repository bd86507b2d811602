(** The operations of {!Map_op} in batches. *)

module Make (Key : sig
  type t
end) : sig
  type 'v packed = Op : ('v, 'a) Map_op.Make(Key).t * 'a Cell.t -> 'v packed

  val is_keyed : 'v packed -> bool
  (** Whether it is an operation on one key: [Mem], [Find], [Add], [Remove] or [Update]. *)

  val key_of : 'v packed -> Key.t
  (** The key of such an operation. *)

  val rank : 'v packed -> int
  (** For [create]: 1 for operations that are applied after the others of a batch, those not on one key; else
      0. *)

  val decide : 'v packed -> 'v option -> 'v option
  (** [decide op before] is the binding of its key after an operation on one key, where it was [before]. It
      sets the operation's result, and calls the function of an [Update]: if that raises, the operation fails,
      and the binding stays. *)

  (** Operations applied one by one, to maps that are changed in place. *)
  module Apply (Map : Weft_containers.Maps.ORDERED_MAP with type key = Key.t) : sig
    val apply : 'v Map.t -> ('v, 'a) Map_op.Make(Key).t -> 'a
    (** Before a change it makes sure of room on the stack: in its middle, [Stack_overflow] would leave the
        map out of order (test/batch/core, [stopped], {e at the end of a stack}). *)

    val apply_packed : 'v Map.t -> 'v packed -> unit
    (** Fills the operation's cell; raises nothing. *)
  end
end
