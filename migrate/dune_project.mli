(** [dune-project] files: the packages that the project's packages depend on. *)

val look : text:string -> Sexp.t list -> Finding.t
(** [depends] and [depopts] of its packages. Bounds on the version are dropped, since they are domainslib's;
    [:with-test] and the like stay. *)

val generates_opam_files : Sexp.t list -> bool

val is_domainslib : Sexp.t list -> bool
(** Whether it is that of domainslib itself. *)
