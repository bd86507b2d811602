(** [Weft.Seq.Text] ({!Parallel_seq}, which documents it): parts of texts in memory. *)

type t

val of_string : string -> t
val of_bytes : bytes -> t
val of_bigarray : (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t -> t
val of_file : string -> t
val length : t -> int
val chars : t -> char Source.t
val lines : t -> string Source.t
val tokens : ?is_space:(char -> bool) -> t -> string Source.t
val split_on_char : char -> t -> string Source.t

val with_blocks : int -> t -> t
(** The same text, read in blocks of so many bytes. For the tests. *)
