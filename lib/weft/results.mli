(** New arrays for the results of collection functions. *)

val make : int -> 'a -> 'a array
(** [make n x] is a new array of [n] times [x]; of unboxed floats if [x] is one. If such an array is large,
    all workers fill it, so that they share the page faults, and pages lie near the workers that are likely to
    use them. (This works only for floats: the collector must not find uninitialised elements in other
    arrays.) [n] must be a length that an array can have. *)

val to_write : 'a -> int -> 'a array
(** [to_write x n] is a new array of [n] elements of the type of [x], each of which must be written before it
    is read; of unboxed floats if [x] is one. Unlike {!make}, it begins no collection if [x] is young. [n]
    must be a length that an array can have. *)

val like : 'a array -> int -> 'a array
(** [like a n] is {!to_write}, for elements of [a], which is not empty. *)

val set_first : 'a array -> int -> 'a -> unit
(** [set_first a i x] writes element [i] of an array of {!to_write} or {!like} for the first time, without a
    check of the index: see {!Weft_platform.Array_repr.set_first}. *)

type 'a shared
(** An array that whoever has the first element makes. *)

val shared : int -> 'a shared
(** [shared n] is one of [n] elements. *)

val array_of : 'a shared -> 'a -> 'a array
(** [array_of s x]: {!to_write} of [x], made now if there is none yet. A long one is made only once: others
    wait for it. *)

val array : 'a shared -> 'a array
(** That array, once it has been made; else empty. *)

val by_blocks :
  ?code:int -> who:string -> length:int -> (int -> 'a) -> ('a array -> int -> int -> unit) -> 'a array
(** [by_blocks ~who ~length one rest] is a new array of [length] elements, computed in parallel: [one i] is
    element [i], and [rest r first last] writes elements [first] to [last] (included; none if [last < first])
    to [r]. Every element is computed once, by one or the other. [code] is that of the user's function, which
    is called once for each element: see {!Weft_loops.Short_loop}.

    Only an element shows whether the array is one of unboxed floats. So a long array is made when its first
    element is known; the others are computed after that, unless the first one waits. In a short one, elements
    may take long: every block computes an element of its own, and the first block that has one makes the
    array. *)
