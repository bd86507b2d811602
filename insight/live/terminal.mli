(** Takes over the user's terminal, and gives it back. *)

type t

val take : Unix.file_descr -> (t, string) result
(** [take fd] switches the terminal [fd] to the alternate screen, and makes it deliver single keys without
    echo. Keys that send signals (Control-C) still do. [Error]: there is no controlling terminal. The terminal
    is given back at the end of the program at the latest. *)

val give_back : t -> unit
(** Restores the terminal's former state. Has no effect the second time. *)

val show : t -> string list -> unit
(** Shows these lines from the top, and clears the rest. *)

val size : t -> int * int
(** Columns and lines; the terminal is asked again after {!resized}. *)

val resized : t -> unit

val key : t -> wait:float -> char option
(** The next key; waits for at most [wait] seconds. *)
