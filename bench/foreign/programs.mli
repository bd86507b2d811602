(** The programs in other languages that the benchmarks can run, and their folder.

    [make rivals] builds them from the sources beside this module into the folder [_built] there:
    [_built/bin/NAME] is the program, [_built/versions/NAME] says in a line what it was built with, and
    [_built/missing/NAME] says why a program is missing. *)

type t = {
  name : string;  (** its name in [--method] *)
  doc : string;  (** one line, no full stop *)
  own : string option;  (** the sequential program in the same language; [None] if this is one *)
  chunks : bool;  (** whether its loops take a chunk size *)
  least_domains : int;  (** the fewest domains that it can have *)
  greatest_fib : int option;
      (** the most levels of calls that it forks in [fib], if each fork takes it a microsecond or more;
          [None]: any number *)
}

val all : t list
(** All programs, the sequential ones first. *)

val folder : unit -> string option
(** [folder ()] is the folder of the programs: the value of the environment variable [WEFT_RIVALS]; else, if
    this program lies in a folder [_build], the folder [_built] of the sources that it was built from; else
    that of the sources in the current folder. *)

val version : folder:string option -> string -> string option
(** [version ~folder name] is what [make rivals] has recorded there about the program [name]: the versions of
    its library and its compiler, in one line. *)

val find : folder:string option -> t -> (string, string) result
(** [find ~folder program] is the program's file; [Error] says in one line why it is missing. *)
