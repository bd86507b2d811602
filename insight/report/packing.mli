(** Numbers as text that a page can carry: LEB128, then base64. *)

val number : Buffer.t -> int -> unit
(** Appends a number of at least 0, seven bits a byte, the low ones first, the last byte below 128. *)

val base64 : Buffer.t -> string
