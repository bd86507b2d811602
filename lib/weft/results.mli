(** New arrays for results. What a collection function returns is allocated here. *)

val make : ?who:string -> int -> 'a -> 'a array
(** [make n x] is a new array of [n] times [x]; of unboxed floats if [x] is one. Such an array, if it is
    large, is filled by all workers, so that page faults are shared, and pages lie near those who are likely
    to use them. (An array that the collector looks into cannot be left unwritten.)
    @raise Invalid_argument
      if [n] is negative or beyond [Sys.max_array_length], in the name of [who] ([Weft.Array.make]). *)

val by_blocks : who:string -> length:int -> (int -> 'a) -> ('a array -> int -> int -> unit) -> 'a array
(** [by_blocks ~who ~length one rest] is a new array of [length] elements, computed in parallel: [one i] is
    element [i], and [rest r first last] writes elements [first] to [last] (included; none if [last < first])
    to [r]. Every element is computed once, by one or the other.

    Only an element tells whether the array is one of unboxed floats. A long array waits for its first
    element; in a short one, whose elements may take long, every block computes one of its own, and the first
    to have it makes the array. *)
