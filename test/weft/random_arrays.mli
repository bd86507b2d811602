(** Properties of functions on arrays, checked with random arrays of several kinds. *)

type 'a kind = { of_int : int -> 'a; to_int : 'a -> int }
(** A kind of elements: made from a natural number, and back. *)

val floats : float kind

val same : 'a array -> 'a array -> bool
(** Whether the elements and their representation are the same: boxed, or unboxed floats. *)

type property = { holds : 'a. 'a kind -> Random.State.t -> 'a array -> bool }
(** A property of an array of any kind. It may take further values from the random state. *)

val lengths : int QCheck.Gen.t
(** Those of {!check_property}. *)

val check_property : ?count:int -> ?lengths:int QCheck.Gen.t -> string -> property -> unit
(** Checks a property with arrays of integers, floats or strings. The usual lengths are those that matter:
    none, one, fewer than workers, the lengths up to which functions use no loop, several blocks. *)

val check : int -> int QCheck.Gen.t -> string -> (int -> Random.State.t -> int -> bool) -> unit
(** [check count lengths name property] calls [property seed random n] for random seeds and lengths [n]. *)

val check_floats :
  ?count:int -> ?lengths:int QCheck.Gen.t -> string -> (Random.State.t -> float array -> bool) -> unit
(** The same with arrays of floats alone, all of which are multiples of 1/4 from 0 to 25: sums are exact. *)

val everywhere : (unit -> unit) -> unit
(** Runs a test as a task in pools of all of {!Support.sizes}, and once from outside any pool. *)

val array_of : 'a kind -> Random.State.t -> int -> 'a array
(** A random array of numbers below 100, of this length. *)

val predicate : 'a kind -> Random.State.t -> 'a -> bool
(** A predicate that holds for some of the elements, often for none or for all. *)

val range : Random.State.t -> int -> int * int
(** A random position and length, within this length. *)

val noise : Random.State.t -> int -> float array
(** Floats of very different sizes: each order of adding them up has its own rounding errors. *)
