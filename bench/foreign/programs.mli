(** The programs in other languages that the benchmarks know, and where they are.

    [make rivals] builds them from the sources beside this module into the folder [_built] there:
    [_built/bin/NAME] is the program, [_built/versions/NAME] says in a line what it was built with, or
    [_built/missing/NAME] why there is none. *)

type t = {
  name : string;  (** as in [--method] *)
  doc : string;  (** one line, no full stop *)
  own : string option;  (** the sequential program in the same language; [None] if it is that itself *)
  chunks : bool;  (** whether the chunks of its loops can be chosen *)
  least_domains : int;  (** the fewest that it can have *)
  greatest_fib : int option;
      (** how many levels of calls it may fork in [fib], since each fork takes it a microsecond or more;
          [None]: any number *)
}

val all : t list
(** The sequential ones first. *)

val folder : unit -> string option
(** [folder ()] is where the programs are: what the environment variable [WEFT_RIVALS] says; else the folder
    [_built] of the sources that this program was built from, if it lies in their folder [_build], or of those
    in the current folder. *)

val version : folder:string option -> string -> string option
(** [version ~folder name] is what [make rivals] has written there of the program [name]: the versions of its
    library and its compiler, in one line. *)

val find : folder:string option -> t -> (string, string) result
(** [find ~folder program] is its file, or why it is missing, in one line. *)
