(** The possible values of [FILE], [METHOD] and other placeholders of a page. *)

type t =
  | Nothing  (** no list is possible, such as for a number *)
  | Files
  | Folders
  | Program  (** a program, followed by its own arguments *)
  | Processes
  | Words of string list
  | Listed of { command : string list; names : names }  (** the names that [weft COMMAND --list] prints *)

and names = Runnable  (** benchmarks, cases, programs, and groups of them *) | Methods | Workloads

val of_value : command:string list -> Help_page.value -> t
val all_names : names list
val to_string : names -> string

val awk : names -> string
(** The program for awk that prints the names, one a line, from what [--list] prints. *)
