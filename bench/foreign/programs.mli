(** The programs in other languages that the benchmarks know, and where they are.

    [make rivals] builds them from the sources beside this module into the folder [_built] there:
    [_built/bin/NAME] is the program, or [_built/missing/NAME] says in a line why there is none. *)

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

val find : folder:string option -> t -> (string, string) result
(** [find ~folder program] is its file, or why it is missing, in one line. *)
