(** The operations that batched maps have in common. *)

module Make (Key : sig
  type t
end) : sig
  (** An operation with a result of type ['a] on a map to values of type ['v]. *)
  type ('v, 'a) t =
    | Mem : Key.t -> ('v, bool) t
    | Find : Key.t -> ('v, 'v option) t
    | Add : Key.t * 'v -> ('v, unit) t
    | Remove : Key.t -> ('v, bool) t
    | Update : Key.t * ('v option -> 'v option) -> ('v, 'v option) t
    | Succ : Key.t -> ('v, (Key.t * 'v) option) t  (** for ordered maps only, like those that follow *)
    | Pred : Key.t -> ('v, (Key.t * 'v) option) t
    | Min : ('v, (Key.t * 'v) option) t
    | Max : ('v, (Key.t * 'v) option) t
    | Length : ('v, int) t
end
