(** Names and numbers in a form for one line of output. *)

val name : string -> string
(** [name s] is [s] with control characters and bytes that are not UTF-8 written as [\n], [\x1b], [\xff] and
    the like, and backslashes doubled. It never contains a line end. *)

val number : int -> string
(** [number 1234567] is ["1,234,567"]. *)

val counted : int -> string -> string
(** [counted n "file"] is ["1 file"] if [n] is 1, else like ["1,720 files"]. *)
