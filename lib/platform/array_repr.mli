(** What the elements of an array look like in memory, for code that moves many of them.

    A store into an ['a array] asks whether the array is flat and then pays the collector's write barrier. A
    sort stores each element some twenty times, so it is worth asking once. Nothing here is unsafe as long as
    elements from one array go only into that array and its scratch arrays; [test/platform] checks the views,
    and [bench sort] measures what they gain. *)

(** A value that is known not to be an element of a flat array; nothing else is known of it. The constructor
    is never used: it makes the compiler take the type for that of a block, so that it reads and writes arrays
    of it without asking whether they are flat. *)
type boxed = Boxed of boxed [@@boxed]

type 'a view =
  | Floats of floatarray * (float -> float -> int)
  | Boxed of boxed array * (boxed -> boxed -> int)
      (** The array itself, not a copy, and the comparison, for what the elements are. *)

val view : ('a -> 'a -> int) -> 'a array -> 'a view

val of_floats : floatarray -> 'a array
(** The array itself, back from [Floats]. *)

val of_boxed : boxed array -> 'a array
(** The array itself, back from [Boxed]. *)

val is_immediate : boxed -> bool
(** Whether the value is an integer, a character, a constant constructor... no block. *)

external is_integer : 'a -> int -> bool = "%eq"
(** [is_integer x n]: whether [x], of any type, is the integer [n], or represented like it. *)

val order_of_immediates : (boxed -> boxed -> int) -> int -> int -> int
(** The same function, for values that {!gather} has read. *)

val make_immediates : int -> int array
(** An array of that length that the collector never looks into; its contents are arbitrary words, which must
    be written before they are read. Only for immediates. *)

val gather : boxed array -> int array -> int -> int -> bool
(** [gather a b first last] copies the elements [first] to [last] (included) of [a] to [b], and is [true]; or
    [false], if it meets one that is not immediate. *)

val scatter : int array -> boxed array -> int -> int -> unit
(** [scatter b a first last] copies back. It pays the write barrier: so if another domain writes to [a]
    meanwhile, against all rules, the heap stays whole. *)

val put_back : int array -> boxed array -> unit
(** [put_back b a] is {!scatter} for all elements, in one call of a primitive of the runtime's, without a
    safepoint: nothing stops it. *)

val uninitialised_like : 'a -> int -> 'a array option
(** [uninitialised_like x n] is an array of [n] floats that hold anything, if [x] is a float: the array that
    [Array.make n x] is before it is filled. *)

val blank : int -> 'a array
(** [blank n] is an array of [n] elements that are no floats; each must be written before it is read.
    [Array.make n x], and so [Array.init] and [Array.map], begin a minor collection if [n > 256] and [x] is a
    young block, which stops all domains. *)

val same_kind : 'a array -> int -> 'a array
(** [same_kind a n] is an array of [n] elements, flat if [a] is; each must be written before it is read. [a]
    is not empty. (An element of [a] would not tell: an [Obj.t array] that is not flat may contain floats.) *)

val set_first : 'a array -> int -> 'a -> unit
(** [set_first a i x] is the first store to element [i] of an array made by {!blank}, {!uninitialised_like} or
    {!same_kind}, without a check of the index. The old value is no block, so storing an integer needs no
    write barrier, which would be most of the cost. *)
