(** What the command lines of the example programs share. *)

(** {1 Arguments} *)

val between : int -> int -> int Cmdliner.Arg.conv
(** [between low high] reads a number from [low] to [high]. *)

val at_least : int -> int Cmdliner.Arg.conv
(** [at_least low] reads a number from [low] to a thousand million. *)

val seconds : float Cmdliner.Arg.conv
(** A number of seconds, from 0 to a thousand million. *)

val domains : int option Cmdliner.Term.t
(** The option [--domains N]: the number of domains for {!Weft.run}. *)

(** {1 Input} *)

val read : string option -> string * string
(** [read file] is the name of [file] for messages, and its text; without a file, those of standard input.
    @raise Sys_error with a message that begins with that name. *)

(** {1 Output} *)

val complain : string -> ('a, unit, string, unit) format4 -> 'a
(** [complain program format ...] prints ["program: ..."] and a line end on standard error. *)

val print : (unit -> unit) -> (unit, string) result
(** [print f] calls [f], which prints, and flushes standard output. [Error] says why it cannot be written;
    standard output is closed then. *)
