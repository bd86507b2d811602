(** Sources that are on every machine that can build this program. *)

val directory : unit -> string option
(** [directory ()] is the directory of the OCaml standard library, as [ocamlfind ocamlc -where] or
    [ocamlc -where] prints it, or [None] if neither can be run. *)

val is_source : string -> bool
(** [is_source name] tells whether a file of that name is a source: [.ml], [.mli] or [.h]. *)
