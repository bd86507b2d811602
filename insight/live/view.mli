(** Formats a sample as text, so that tests can check it. *)

type t
(** The program, and its samples so far. *)

val create : command:string -> pid:int -> t
val add : t -> Sample.t -> t

val frame : t -> colours:bool -> width:int -> height:int -> output:string list -> string list
(** At most [height] lines of at most [width] columns, without line ends; in colours, escape sequences do not
    count. [output] are the last lines of the program's output, for which the rest of the height is used.
    Control characters in them and in names are removed. *)

val line : Sample.t -> string
(** The sample in one line, for output that is no terminal. *)

(** {1 Parts} *)

val worker : Sample.worker -> string
val amount : float -> string

val duration : int -> string
(** Of nanoseconds. *)

val place : Waits.place -> string
(** Where it is waited. *)
