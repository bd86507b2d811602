(** The program [weft] as a process. *)

val path : string ref

val run : ?input:string -> string list -> Testing.Child.ended
(** [run arguments] runs it to its end; [input] is a file for its standard input. *)
