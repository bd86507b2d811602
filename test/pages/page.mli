(** A document in Markdown, to the extent that the tests need. *)

type block =
  | File of { name : string; text : string }
      (** a fenced block under a line that ends with the name of a file and a colon: [`first.ml`:] *)
  | Sample of { language : string; text : string }  (** any other fenced block *)
  | Commands of string  (** lines indented by four columns *)
  | Prose of { first : int; lines : string list }  (** anything else; its first line's number, from 1 *)

type section = { title : string; blocks : block list }

val read : string -> section list
(** The sections of a file, at each heading of any level, in order; the part before the first one has the
    title [""]. Comments are left out.
    @raise Failure if a fence is not closed. *)

val section : section list -> string -> section
(** @raise Failure if there is none with this title. *)

val files : section -> (string * string) list
(** Names and texts. *)

val commands : section -> string list

val texts : section -> string list
(** The fenced blocks whose language is [text]. *)

val code_spans : section -> string list
(** The texts between backticks in its prose, with a space for each end of a line. *)
