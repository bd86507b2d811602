(** The sources that are on every machine that can build this program. *)

val directory : unit -> string option
(** [directory ()] is where the OCaml standard library is, as [ocamlfind ocamlc -where] or [ocamlc -where]
    prints it, or [None] if neither can be run. *)

val is_source : string -> bool
(** [is_source name] tells whether a file of that name is a source: [.ml], [.mli] or [.h]. *)
