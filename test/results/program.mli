(** The program [weft] as a process. *)

val path : string ref

type ended = { code : int; out : string; err : string }

val run : ?input:string -> string list -> ended
(** [run arguments] runs it to its end, for a minute at most; [input] is a file for its standard input. *)
