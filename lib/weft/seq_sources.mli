(** Sources of sequences ({!Parallel_seq}, which documents them) whose elements are numbered. *)

val empty : 'a Source.t
val init : int -> (int -> 'a) -> 'a Source.t
val of_range : int -> int -> int Source.t
val of_array : 'a array -> 'a Source.t
val of_floatarray : floatarray -> float Source.t
val of_string : string -> char Source.t
val of_bytes : bytes -> char Source.t
val of_bigarray : ('a, 'b, 'c) Bigarray.Array1.t -> 'a Source.t

val pass_of_array : 'a array -> 'a Source.pass
(** The elements of the array. *)
