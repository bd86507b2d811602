(** A terminal as a screen for drawing. *)

val is_terminal : unit -> bool
(** Whether standard output is a terminal that can be drawn on. *)

val during : (unit -> unit) -> unit
(** [during f] calls [f] with an empty screen and no cursor, until it returns or the program is told to end
    (Ctrl-C, SIGTERM, SIGHUP), which cancels [f]. Then it restores the previous contents of the terminal. *)

val draw : string list -> unit
(** [draw rows] shows [rows] from the upper left corner on. Long rows are cut off at the right. *)
