(** An example program, run as its users run it. *)

type answer = { code : int;  (** as {!Testing.Child.ended} has it *) out : string; err : string }

val path : string -> string
(** [path "words"] is the example program [words]. *)

val run :
  ?env:(string * string) list ->
  ?stdin:string ->
  ?stdout:Testing.Child.output ->
  string ->
  string list ->
  answer
(** [run name arguments] runs the program to its end. *)

val answer : Testing.Child.ended -> answer

val check_answer : string -> answer -> answer -> unit
(** [check_answer what expected found]. *)

val check_one_line : string -> code:int -> string list -> answer -> unit
(** [check_one_line what ~code parts answer] wants the exit code, nothing on standard output, and one line on
    standard error in which all [parts] are found. *)

val check_refused : string -> string list -> unit
(** [check_refused name arguments] wants the program to call its command line wrong. *)

val check_unwritable : string -> string list -> unit
(** [check_unwritable name arguments] wants exit code 2 and one line when the result cannot be written,
    because standard output is full or closed. *)

val contains : string -> string -> bool
(** [contains text part]. *)

val lines : string -> string list
(** The lines that are not empty. *)

val in_file : string -> (string -> 'a) -> 'a
(** [in_file text f] is [f path] for a temporary file with that text. *)
