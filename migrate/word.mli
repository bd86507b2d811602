(** The word [domainslib] in files whose syntax is not followed. *)

val places : string -> Sexp.span list
(** Where it stands by itself in a text: not in [weft-domainslib], [domainslib_extra] or [domainslib.x]. *)

val required : string -> Sexp.span list
(** The same, only in lines [#require "..."] of the toplevel. *)

val noted : string -> string -> Finding.t
(** [noted advice text]: a needed note at each of {!places}. *)
