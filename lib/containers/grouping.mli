(** Groups the operations of a batch by where they belong.

    This is a stable counting sort in blocks (Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms,
    8.2). The blocks may run at the same time.

    {b Cost.} {!group} says it; {!for_blocks} is O(n / 4096) calls of its function. *)

type for_all = int -> (int -> unit) -> unit
(** [for_all n body] calls [body 0], ..., [body (n - 1)], in any order or at the same time, and returns when
    all have. *)

val in_order : for_all
(** Calls one after the other. *)

type t = {
  order : int array;  (** the numbers of the items by class, and increasing within a class *)
  starts : int array;
      (** the items of class [c] are in the places from [starts.(c)] to [starts.(c + 1) - 1] of [order] *)
}

val block : int
(** How many items a block has: 4096. *)

val for_blocks : for_all -> int -> (int -> int -> unit) -> unit
(** [for_blocks for_all n body] calls [body first last] for each block of the numbers below [n], by [for_all].
*)

val group : for_all -> classes:int -> ?first:int -> int array -> t
(** [group for_all ~classes class_of] groups the items [0], ..., [Array.length class_of - 1]; item [i] has the
    class [class_of.(i)], from [0] to [classes - 1]. O(items + classes) for each block of 4096 items; the
    blocks are joined in O(blocks * classes).

    @raise Invalid_argument if an item has another class. *)
