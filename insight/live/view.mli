(** Formats a sample as text, so that tests can check it. *)

type t
(** The program, and its samples so far. *)

val create : command:string -> pid:int -> t
val add : t -> Sample.t -> t

val frame : t -> colours:bool -> width:int -> height:int -> output:string list option -> string list
(** At most [height] lines of at most [width] columns, without line ends; in colours, escape sequences do not
    count. [output] are the last lines of the program's output, if that is known: the rest of the height is
    used for them. Control characters in them and in names are removed. *)

val line : Sample.t -> string
(** The sample in one line, for output that is no terminal. *)

(** {1 Parts} *)

val worker : Sample.worker -> string
val amount : float -> string
val percent : float -> string
val take : int -> 'a list -> 'a list

val first_workers : ?width:int -> int -> string list -> string list
(** The first lines about workers, at most so many, and one that says how many more there are. *)

val place : Waits.place -> string
(** Where it is waited. *)
