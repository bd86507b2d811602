(** The user's terminal, taken and given back. *)

type t

val take : Unix.file_descr -> (t, string) result
(** [take fd] shows another screen on the terminal [fd], and reads single keys, unechoed. Signals by keys
    (Control-C) stay what they are. [Error]: there is no terminal to control. It is given back at the end of
    the program at the latest. *)

val give_back : t -> unit
(** As it was. No effect the second time. *)

val show : t -> string list -> unit
(** These lines, from the top; the rest is empty. *)

val size : t -> int * int
(** Columns and lines; asked anew after {!resized}. *)

val resized : t -> unit

val key : t -> wait:float -> char option
(** The next key, for so many seconds at most. *)
