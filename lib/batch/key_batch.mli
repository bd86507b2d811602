(** The keys of a batch, in the order of arrival, to be divided by the keys of a tree.

    Only indices are moved. A {e part} of the batch consists of the places from [low] up to [high] (excluded)
    of the present order. Tasks may divide and sort different parts at the same time. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  type t

  val make : int -> (int -> Key.t) -> t
  (** [make n key] has the keys [key 0, ..., key (n - 1)], in this order. *)

  val index : t -> int -> int
  (** The index of the key that stands at this place now. *)

  val key : t -> int -> Key.t
  (** The key at this place. *)

  val is_sorted : t -> bool
  (** Whether no key is smaller than the one before it. *)

  val sort : t -> int -> int -> unit
  (** Sorts a part, in parallel; equal keys keep their order. *)

  val divide : t -> Key.t -> int -> int -> sorted:bool -> int * int
  (** [divide b k low high ~sorted] reorders a part and returns [(first, last)]: first come the keys smaller
      than [k], up to place [first] (excluded), then, up to place [last] (excluded), those equal to it, and
      then the greater ones; each group stays in its former order. If the part is [sorted], O(log n)
      comparisons, and nothing moves; else one comparison per key, or two if some are equal to [k]. *)

  val around : t -> int -> int -> int -> int * int
  (** [around b i low high], of a sorted part that has place [i], is what [divide] would return for the key
      that stands there. [low <= first <= i < last <= high], even if the comparison is no order: so to divide
      the part again and again comes to an end. O(log n) comparisons. *)
end
