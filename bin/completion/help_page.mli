(** What a manual page that Cmdliner has written says of a command.

    Completions are made from the pages, since Cmdliner 1 has no other way to learn what a command takes. *)

type value = {
  name : string;  (** as in the page: [FILE] *)
  is_list : bool;  (** several, with commas between *)
}

type option_ = {
  names : string list;  (** [-o], [--output] *)
  value : [ `None | `Optional of value | `Required of value ];
  about : string;  (** the first sentence, without its stop *)
}

type argument = { value : value; repeats : bool }

type t = {
  words : string list;  (** [bench; elastic] for [weft bench elastic], [] for [weft] *)
  about : string;
  options : option_ list;
  arguments : argument list;  (** in order *)
}

val parse : string -> t
(** The text of a page, in groff's language.
    @raise Failure if it is none of Cmdliner's: where it fails. *)
