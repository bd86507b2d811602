(** The program [weft] as a process, and what it leaves behind. *)

val path : string ref

val run : ?env:(string * string) list -> ?while_running:(int -> unit) -> string list -> Testing.Child.ended
(** [run arguments] runs it to its end. [while_running pid] is called meanwhile; if that raises, the program
    is sent SIGTERM. *)

val children : int -> int list
(** [children pid] are the processes that [pid] has started and that have not ended. *)

val command_line : int -> string list
(** [command_line pid] is its list of arguments; empty if it has ended. *)

val is_alive : int -> bool
(** [is_alive pid] tells whether it has not ended. *)

val wait_for_end : int -> unit
(** [wait_for_end pid] waits until [pid] has ended. *)

val eventually : string -> (unit -> 'a option) -> 'a
(** [eventually what f] waits for the first [Some _] that [f ()] returns. *)

val groups : int -> string list
(** [groups pid] are the control groups that [pid] has made and not yet removed. *)
