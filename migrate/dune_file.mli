(** [dune] files: libraries that are used, folders that are not the project's own. *)

val look : Sexp.t list -> Finding.t
(** The names of libraries in [libraries] and [ppx_runtime_libraries] of any stanza, also in [re_export] and
    [select], and [%{lib-available:...}]. *)

val includes : Sexp.t list -> string list
(** The files named by [(include FILE)]. *)

val foreign_folders : Sexp.t list -> string -> bool
(** Whether a folder of that name is [vendored_dirs] or [data_only_dirs]; names and wildcards. *)

val is_ocaml : string -> bool
(** Whether the text is one in OCaml, which only running it could tell the meaning of. *)
