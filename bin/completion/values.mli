(** What may stand where a page says [FILE], [METHOD] and the like. *)

type t =
  | Nothing  (** nothing that could be listed: a number *)
  | Files
  | Folders
  | Program  (** a program, and after it what that takes *)
  | Processes
  | Words of string list
  | Listed of { command : string list; names : names }  (** what [weft COMMAND --list] says *)

and names = Runnable  (** benchmarks, cases, programs, and groups of them *) | Methods | Workloads

val of_value : command:string list -> Help_page.value -> t
val all_names : names list
val to_string : names -> string

val awk : names -> string
(** The program for awk that prints the names, one a line, from what [--list] prints. *)
