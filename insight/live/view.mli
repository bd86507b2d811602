(** How a sample looks: text alone, so that it can be tested. *)

type t
(** The program and what was seen of it so far. *)

val create : command:string -> pid:int -> t
val add : t -> Sample.t -> t

val frame : t -> colours:bool -> width:int -> height:int -> output:string list -> string list
(** At most [height] lines of at most [width] columns, without line ends; in colours, escape sequences do not
    count. [output] are the last lines of what the program has written: they get what room is left. Control
    characters in them, and in names, are not passed on. *)

val line : Sample.t -> string
(** The sample in one line, for what is no terminal. *)
