(** The contents of a command's manual page, as Cmdliner writes it.

    Completions are made from the pages, since Cmdliner 1 has no other way to learn what a command takes. *)

type value = {
  name : string;  (** as in the page, such as [FILE] *)
  is_list : bool;  (** several values, separated by commas *)
}

type option_ = {
  names : string list;  (** [-o], [--output] *)
  value : [ `None | `Optional of value | `Required of value ];
  about : string;  (** the first sentence, without its full stop *)
}

type argument = { value : value; repeats : bool }

type t = {
  words : string list;  (** [bench; elastic] for [weft bench elastic], [] for [weft] *)
  about : string;
  options : option_ list;
  arguments : argument list;  (** in order *)
}

val parse : string -> t
(** Parses the text of a page, in groff's language.
    @raise Failure if it is not a page of Cmdliner; the text says where it fails. *)
