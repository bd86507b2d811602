(** Arrays of immediate values that are first written by whoever fills them.

    [Array.make] writes a new array from end to end in the calling domain, and so it is that domain which
    takes all page faults (half the time of a large [Array.make]) and, on machines with several memory nodes,
    has all of it in its own. Here the filling is the caller's, who may do it in parallel.

    {b Why it is sound.} Until it is sealed the block has the tag of abstract data, so that the collector does
    not look at what is in it; it holds only immediate values when it becomes an ordinary array. The tag is
    changed by a compare-and-set, as the runtime itself does for lazy values, because the collector may be
    marking the block. *)

val worthwhile : int
(** Below this many words [Array.make] is as good, and the calls below must not be used. *)

type t
(** A block that is not an array yet. *)

external raw : int -> t = "weft_fresh_raw"
(** [raw n] is a block of [n] words that hold anything. *)

val fill : t -> int -> int -> int -> unit
(** [fill b first last x] writes [x] to the words [first] to [last] (included), which must be within [b]. *)

val seal : t -> 'a array
(** [seal b] makes [b], all of whose words have been filled, an ['a array]. ['a] must be a type of which the
    filled words are values. *)

val is_immediate : 'a -> bool
(** Whether a value is no pointer. *)

val immediate : 'a -> int
(** The word of a value for which {!is_immediate}. *)

val floats_like : 'a -> int -> 'a array option
(** [floats_like x n] is an array of [n] floats that hold anything, if [x] is a float: the array that
    [Array.make n x] is before it is filled. *)
