(** What is done to a map: the bindings that it has before, and the operations. *)

type mix = {
  name : string;  (** as in the name of the benchmark *)
  doc : string;  (** in words, for its description *)
  searches : int;  (** how many of a hundred operations *)
  adds : int;  (** likewise; the rest are removals *)
}

val insert : mix
val search : mix

val half : mix
(** 50 searches, 50 adds. *)

val mostly_search : mix
(** 90, 10. *)

val delete : mix
(** 40, 40, and 20 removals. *)

val mixes : mix list
(** All of these. *)

type kind = Search | Add | Remove

type t = {
  before : int array;  (** the keys bound before, in ascending order, each to {!value_before} *)
  operations : int array;  (** each a {!kind_of} and a {!key_of}; adds bind the key to the operation's index *)
}

val make : mix -> Keys.pattern -> range:int -> before:int -> int -> t
(** [make mix pattern ~range ~before n] are [n] operations on a map of [before] bindings, spread evenly, keys
    being less than [range]: the same for the same arguments. The kinds come in random order. Adds go to the
    positions of [pattern]; of searches and removals every other one, at random, goes to the key bound next to
    the position instead (not with {!Keys.Equal}), so that it is there unless it was removed. *)

val kind_of : int -> kind
val key_of : int -> int

val value_before : int -> int
(** The value of a key before: a negative number. *)
