(** An example program, run as its users run it. *)

type answer = { code : int;  (** as in {!Testing.Child.ended} *) out : string; err : string }

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
(** [check_one_line what ~code parts answer] checks the exit code, that standard output is empty, and that
    standard error has one line, which contains all [parts]. *)

val check_refused : string -> string list -> unit
(** [check_refused name arguments] checks that the program rejects its command line. *)

val check_unwritable : string -> string list -> unit
(** [check_unwritable name arguments] checks for exit code 2 and one line if the program cannot write its
    result, because standard output is full or closed. *)

val contains : string -> string -> bool
(** [contains text part]. *)

val lines : string -> string list
(** The lines that are not empty. *)

val in_file : string -> (string -> 'a) -> 'a
(** [in_file text f] is [f path] for a temporary file with that text. *)
