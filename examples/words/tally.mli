(** How often each word occurs.

    A word is a longest run of ASCII letters, digits, underscores and bytes from 128 up (so letters of UTF-8
    count whole) that does not begin with a digit, with ASCII letters made small. A tally may be used by one
    task at a time. *)

type t
(** A mutable table from words to how often they have been seen. *)

val create : unit -> t
(** [create ()] is a tally in which nothing has been seen. *)

val add_words : t -> min_length:int -> string -> first:int -> last:int -> unit
(** [add_words t ~min_length text ~first ~last] counts the words of [text] that begin at an index [i] with
    [first <= i < last] and have at least [min_length] bytes. A word that begins in the range but ends beyond
    it is counted, a word that began before the range is not: pieces that share no index count every word of a
    text exactly once, wherever the text was cut.
    @raise Invalid_argument if [first] and [last] are not a range of [text]. *)

val merge : into:t -> t -> unit
(** [merge ~into t] adds all that [t] has seen to [into]; [t] must not be used any more. The cost is that of
    going through the smaller of the two tables. *)

val equal : t -> t -> bool
(** [equal a b] tells whether [a] and [b] have seen the same words equally often. *)

val total : t -> int
(** [total t] is how many words [t] has seen, repetitions included. *)

val distinct : t -> int
(** [distinct t] is how many different words [t] has seen. *)

val count : t -> string -> int
(** [count t word] is how often [t] has seen [word] (in small letters). *)

val top : t -> int -> (string * int) list
(** [top t n] is the [n] most frequent words, or all if there are fewer, with their counts: the most frequent
    first, equally frequent ones in the order of their bytes. *)
