(** How often each word occurs.

    A word is a longest run of ASCII letters, digits, underscores and bytes from 128 up (so UTF-8 letters are
    not cut) that does not begin with a digit; ASCII letters are made small. Only one task at a time may use a
    tally. *)

type t
(** A mutable table from words to the numbers of their occurrences. *)

val create : unit -> t
(** [create ()] is an empty tally. *)

val add_words : t -> min_length:int -> string -> first:int -> last:int -> unit
(** [add_words t ~min_length text ~first ~last] counts the words of [text] that begin at an index [i] with
    [first <= i < last] and have at least [min_length] bytes. A word that begins in the range but ends beyond
    it is counted, a word that began before the range is not: pieces that share no index count every word of a
    text exactly once, wherever the text was cut.
    @raise Invalid_argument if [first] and [last] are not a range of [text]. *)

val merge : into:t -> t -> unit
(** [merge ~into t] adds the counts of [t] to [into]; [t] must not be used any more. It iterates over the
    smaller of the two tables. *)

val equal : t -> t -> bool
(** [equal a b] tells whether [a] and [b] have the same words with the same counts. *)

val total : t -> int
(** [total t] is the number of words that [t] has counted, repetitions included. *)

val distinct : t -> int
(** [distinct t] is the number of different words in [t]. *)

val count : t -> string -> int
(** [count t word] is the count of [word] (in small letters) in [t]. *)

val top : t -> int -> (string * int) list
(** [top t n] is the [n] most frequent words, or all if there are fewer, with their counts: the most frequent
    first, equally frequent ones in the order of their bytes. *)
