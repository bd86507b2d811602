(** Reading the text files in which Linux tells about itself. Nothing here raises or trusts what it reads. *)

val read : string -> string -> string option
(** [read root "proc/stat"] is the content of that file below [root] (up to 16 MiB), if it can be read. *)

val lines : string -> string list
(** The lines of a content, without their ends. *)

val read_lines : string -> string -> string list
(** {!lines} of {!read}; empty if it cannot be read. *)

val words : string -> string list
(** What is between blanks and ends of lines. *)

val natural : string -> int option
(** A number of 1 to 15 decimal digits and nothing else: a few of them may be added up. *)

val naturals : string list -> int list option
(** All of them, if each is {!natural}. *)

val positive : int option -> int option
(** The number, if it is one above 0. *)

val decimal : string -> float option
(** A number such as ["0.04"], without sign or exponent. *)

val field : string -> string list -> string option
(** [field key lines] is the value of the first line ["key: value"]. *)

val non_empty : string option -> string option
(** The text, if there is any. *)
