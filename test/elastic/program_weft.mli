(** The program [weft] as a process, and what it leaves behind. *)

val path : string ref

type ended = { code : int; out : string; err : string }
(** [code] is -n where the process was ended by OCaml's signal -n. *)

val run : ?env:string list -> ?while_running:(int -> unit) -> string list -> ended
(** [run arguments] runs it to its end, for two minutes at most. [env] are variables to set, ["NAME=value"].
    [while_running pid] is called meanwhile. *)

val children : int -> int list
(** [children pid] are the processes that [pid] has started and that have not ended. *)

val command_line : int -> string list
(** [command_line pid] are its arguments; nothing if it has ended. *)

val is_alive : int -> bool
(** [is_alive pid] tells whether it has not ended. *)

val ends : int -> bool
(** [ends pid] waits until [pid] has ended, ten seconds at most. *)

val eventually : string -> (unit -> 'a option) -> 'a
(** [eventually what f] is the first [Some _] that [f ()] gives, within 20 seconds; else the test fails. *)

val groups : int -> string list
(** [groups pid] are the control groups that [pid] has made and not removed. *)
