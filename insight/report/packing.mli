(** Encodes numbers as text for the page: LEB128, then base64. *)

val number : Buffer.t -> int -> unit
(** Appends a number of at least 0, with seven bits in each byte, the low bits first; only the last byte is
    below 128. *)

val base64 : Buffer.t -> string
