(** Arrays of integers whose elements are atomic.

    OCaml's [int Atomic.t array] has a pointer and a block of its own for each element. Here the integers lie
    side by side, in a block that the collector does not look into. A read is a load, inline ({!Atomic_read});
    OCaml has no inline instruction for the others, so they are calls in C that do not allocate. While the
    program has a single domain, they need no locked instruction, as in OCaml's own [Atomic]. All are
    sequentially consistent, and order other writes as operations of [Atomic] do. No index is checked. *)

type t

val make : int -> t
(** Elements with arbitrary contents, to be written by {!set_first}.
    @raise Invalid_argument if there is no array of that length. *)

val length : t -> int

val set_first : t -> int -> int -> unit
(** A plain store, for an array that no other domain knows yet. *)

val get : t -> int -> int

external exchange : t -> (int[@untagged]) -> int -> int
  = "weft_atomic_words_exchange_boxed" "weft_atomic_words_exchange"
[@@noalloc]
(** [exchange a i x] sets element [i] to [x] and returns its previous value. *)

external compare_and_set : t -> (int[@untagged]) -> int -> int -> bool
  = "weft_atomic_words_cas_boxed" "weft_atomic_words_cas"
[@@noalloc]
(** [compare_and_set a i was x] sets element [i] to [x] if its value is [was], and returns whether it did. *)

external fetch_and_add : t -> (int[@untagged]) -> int -> int
  = "weft_atomic_words_fetch_and_add_boxed" "weft_atomic_words_fetch_and_add"
[@@noalloc]

external lower : t -> (int[@untagged]) -> int -> bool
  = "weft_atomic_words_lower_boxed" "weft_atomic_words_lower"
[@@noalloc]
(** [lower a i x] sets element [i] to [x] if [x] is less than its value, and returns whether it did. *)

external raise_to : t -> (int[@untagged]) -> int -> bool
  = "weft_atomic_words_raise_boxed" "weft_atomic_words_raise"
[@@noalloc]
(** [raise_to a i x] sets element [i] to [x] if [x] is greater than its value, and returns whether it did. *)
