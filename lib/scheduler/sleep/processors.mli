(** How many processors the machine lets this process use, read again now and then. *)

val now : unit -> Machine.processors
(** What was read at most a second ago. If WEFT_DOMAINS is set, the quota does not count: whoever says how
    many domains there shall be wants them to run. *)

val assumed : unit -> int option
(** What the program does {!assume}, or else the environment variable WEFT_PROCESSORS says. *)

val assume : int option -> unit
(** For pools that are made from now on. *)

val count : unit -> int
(** The whole number in {!now}. *)
