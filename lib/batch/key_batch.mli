(** The keys of a batch, in the order of arrival, and how to tell them apart by those of a tree.

    What is moved are indices. A {e part} of the batch is what stands from place [low] up to place [high] (not
    included) of the present order. Tasks may divide and sort different parts at the same time. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  type t

  val make : int -> (int -> Key.t) -> t
  (** [make n key]: of the keys [key 0, ..., key (n - 1)], in this order. *)

  val index : t -> int -> int
  (** The index of the key that is at this place now. *)

  val key : t -> int -> Key.t
  (** The key at this place. *)

  val is_sorted : t -> bool
  (** Whether no key is smaller than the one before it. *)

  val sort : t -> int -> int -> unit
  (** Sorts a part, in parallel; equal keys keep their order. *)

  val divide : t -> Key.t -> int -> int -> sorted:bool -> int * int
  (** [divide b k low high ~sorted] is [(first, last)]: from [low] to [first] are the keys of the part that
      are smaller than [k], from [first] to [last] those equal to it, and then the greater ones, each group in
      the order that it had. If the part is [sorted], O(log n) comparisons and nothing moves; else one
      comparison per key, or two if some are equal to [k]. *)
end
