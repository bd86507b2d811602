(** The workload of a map: its bindings at the start, and the operations. *)

type mix = {
  name : string;  (** its part of the benchmark's name *)
  doc : string;  (** its part of the benchmark's description *)
  searches : int;  (** how many of a hundred operations are searches *)
  adds : int;  (** how many of a hundred are adds; the rest are removals *)
}

val insert : mix
val search : mix

val half : mix
(** 50 % searches, 50 % adds. *)

val mostly_search : mix
(** 90 % searches, 10 % adds. *)

val delete : mix
(** 40 % searches, 40 % adds, 20 % removals. *)

val mixes : mix list
(** All of the mixes above. *)

type kind = Search | Add | Remove

type t = {
  before : int array;  (** the keys bound at the start, in ascending order, each to {!value_before} *)
  operations : int array;
      (** each encodes a {!kind_of} and a {!key_of}; adds bind the key to the operation's index *)
}

val make : mix -> Keys.pattern -> range:int -> before:int -> int -> t
(** [make mix pattern ~range ~before n] are [n] operations on a map of [before] bindings, which are spread
    evenly; all keys are less than [range]. The same arguments give the same operations. The kinds come in
    random order. Adds go to the positions of [pattern]. Every other search and removal, chosen at random,
    goes instead to the bound key next to its position (not with {!Keys.Equal}), so that it finds the key
    unless it was removed. *)

val kind_of : int -> kind
val key_of : int -> int

val value_before : int -> int
(** The value of a key at the start: a negative number. *)
